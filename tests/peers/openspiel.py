"""OpenSpiel's `gin_rummy` beside `gin-classic`: deals and actions translated both ways, known differences by name.

OpenSpiel numbers its actions: 0-51 a card (13 * suit + rank, suits in the order s c d h), 52 takes the up-card, 53
draws from the stock (chance then names the card), 54 passes, 55 knocks (the discard follows as an action of its own),
56 + n lays meld n, of three to five cards. Its player 0 is the seat on the dealer's left. After a knock it has lay-offs
first, a pass, then melds, a pass; a lay-off names no meld. A `Mirror` hides all of that behind our notation.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any

import rummy_engine as rummy

DRAW_UPCARD, DRAW_STOCK, PASS, KNOCK, MELD_BASE = 52, 53, 54, 55, 56
PACK = 52
KNOCK_LIMIT = 10
LONGEST_MELD = 5
UPCARD_DRAWS = 50

FACES = tuple(rank + suit for suit in "SCDH" for rank in "A23456789TJQK")
"""Our text of each OpenSpiel card id."""
CARD_IDS = {face: card_id for card_id, face in enumerate(FACES)}
"""The OpenSpiel id of each card, by our text."""


class Difference(Enum):
    """What OpenSpiel is known to do otherwise than `gin-classic`; anything else is an error on one side."""

    TAKEN_CARD = "the card just taken from the pile may be discarded, also as the knock discard"
    ELEVEN_CARDS = "the deadwood of eleven cards is sometimes too high, so that a legal knock is withheld"
    LONG_RUN = "a run of six or more cards can only be laid in pieces of three to five"
    GIN_IS_NOT_DECLARED = "after a knock with gin the knocker may still lay less than everything"
    GIN_IS_ANSWERED = "after gin the other hand still lays its melds by itself"
    CHAIN = "a chain of lay-offs on one end of a run stops after two cards"
    SHARED_LAYOFF = "a card laid off on a set also lengthens a run it fits"
    LAYOFFS_COME_FIRST = "no card can be laid off once a meld was laid"
    WALL = "at two stock cards the next player may still knock with the up-card"
    UPCARD_CAP = "the round is over when the up-card is drawn for the fiftieth time"
    TIE = "equal deadwood is no undercut"


class OpenSpiel:
    """The installed pyspiel with one game and one kept root; raises ImportError when it is missing."""

    def __init__(self) -> None:
        self.module: Any = importlib.import_module("pyspiel")
        self.game: Any = self.module.load_game("gin_rummy")
        self.root: Any = self.game.new_initial_state()  # a new one takes far longer than a clone: it builds meld tables
        self.utils: Any = self.module.gin_rummy.GinRummyUtils(13, 4, 10)
        melds = {MELD_BASE + n: tuple(FACES[card] for card in meld) for n, meld in self.utils.int_to_meld.items()}
        self.meld_texts = {action: "meld " + " ".join(in_order(faces)) for action, faces in melds.items()}
        self.meld_ids = {text: action for action, text in self.meld_texts.items()}

    def deadwood(self, faces: Iterable[str]) -> int:
        """The minimum deadwood of at most ten cards, in points (with eleven OpenSpiel's is not exact)."""
        return int(self.utils.min_deadwood([CARD_IDS[face] for face in faces]))

    def bot(self, player: int) -> Any:
        """OpenSpiel's own simple gin bot for its player 0 or 1, to be asked through `Mirror.ask`."""
        return self.module.make_simple_gin_rummy_bot(self.game.get_parameters(), player)


def in_order(faces: Iterable[str]) -> list[str]:
    """Cards in our canonical order: by rank, and within one rank S H D C."""
    return sorted(faces, key=lambda face: ("A23456789TJQK".index(face[0]), "SHDC".index(face[1])))


def without_target(action: str) -> str:
    """A lay-off without the meld it goes to: `layoff 7S @0` becomes `layoff 7S`."""
    return action.split(" @")[0]


def pieces(faces: Sequence[str]) -> list[Sequence[str]]:
    """A meld in parts of three to five cards: only a run of six or more has several."""
    found = []
    while len(faces) > LONGEST_MELD:
        size = 3 if len(faces) < 8 else LONGEST_MELD if len(faces) > 8 else 4
        found.append(faces[:size])
        faces = faces[size:]
    return [*found, faces]


class Mirror:
    """An OpenSpiel state kept in step with one round of `gin-classic`, from just after the deal."""

    def __init__(self, peer: OpenSpiel, dealt: rummy.State) -> None:
        self.peer = peer
        self.dealer = dealt.dealer
        self.state: Any = peer.root.clone()
        self.taken: str | None = None
        self.upcard_draws = 0
        for seat in (self.seat(0), self.seat(1)):
            for face in hand(dealt, seat):
                self.state.apply_action(CARD_IDS[face])
        self.state.apply_action(CARD_IDS[str(dealt.pile[-1])])

    def seat(self, player: int) -> int:
        """The seat of an OpenSpiel player."""
        return (self.dealer + 1 + player) % 2

    @property
    def phase(self) -> str:
        """OpenSpiel's phase: DEAL FIRST_UPCARD DRAW DISCARD KNOCK LAYOFF WALL GAME_OVER."""
        return str(self.state.current_phase().name)

    @property
    def over(self) -> bool:
        """Whether OpenSpiel's round has ended."""
        return bool(self.state.is_terminal())

    @property
    def to_act(self) -> int:
        """The seat whose turn OpenSpiel says it is."""
        return self.seat(self.state.current_player())

    def zones(self) -> tuple[list[set[str]], int, list[str]]:
        """Both hands by seat, the size of the stock, and the pile bottom to top, in our notation."""
        hands = [{FACES[card] for card in cards} for cards in self.state.hands()]
        pile = list(self.state.discard_pile())
        if self.state.upcard() is not None:
            pile.append(self.state.upcard())
        by_seat = [hands[player] for player in sorted((0, 1), key=self.seat)]
        return by_seat, self.state.stock_size(), [FACES[card] for card in pile]

    # --------------------------------------------------------------------------------------------------- both ways

    def options(self) -> frozenset[str]:
        """What OpenSpiel allows at this point, in our notation, lay-offs without their target."""
        phase, legal = self.phase, self.state.legal_actions()
        if phase in ("FIRST_UPCARD", "DRAW"):
            words = {DRAW_UPCARD: "take", DRAW_STOCK: "draw", PASS: "pass"}
            return frozenset(words[action] for action in legal)
        if phase == "DISCARD":
            found = {f"discard {FACES[action]}" for action in legal if action < PACK}
            if KNOCK in legal:
                found |= {f"knock {FACES[action]}" for action in self._after(KNOCK).legal_actions()}
            return frozenset(found)
        if phase == "LAYOFF" and not self.state.finished_layoffs():
            laid_off = {f"layoff {FACES[action]}" for action in legal if action < PACK}
            return frozenset(laid_off | self._laying(self._after(PASS).legal_actions()))
        if phase in ("KNOCK", "LAYOFF"):
            return frozenset(self._laying(legal))
        return frozenset()

    def translate(self, action: str, before: rummy.State) -> list[int]:
        """OpenSpiel's actions, chance included, for one of ours that is about to be applied to `before`."""
        word, *faces = without_target(action).split()
        laying_off = self.phase == "LAYOFF" and not self.state.finished_layoffs()
        if word == "draw":
            return [DRAW_STOCK, CARD_IDS[str(before.stock[0])]]
        if word in ("take", "pass"):
            return [DRAW_UPCARD if word == "take" else PASS]
        if word == "knock" and self.phase == "DISCARD":
            return [KNOCK, CARD_IDS[faces[0]]]
        if word in ("discard", "knock", "layoff"):
            return [CARD_IDS[faces[0]]]
        first = [PASS] if laying_off else []
        if word == "done":
            return [*first, PASS]
        return first + [self.peer.meld_ids["meld " + " ".join(in_order(part))] for part in pieces(faces)]

    def follow(self, action: str, before: rummy.State) -> None:
        """Applies to OpenSpiel's state what is applied to ours."""
        self.upcard_draws += action == "take" and self.phase == "DRAW"  # the offered up-card is not counted
        for each in self.translate(action, before):
            self.state.apply_action(each)
        self.taken = str(before.pile[-1]) if action == "take" else None

    def ask(self, bot: Any, legal: Sequence[rummy.Action]) -> rummy.Action | None:
        """The action an OpenSpiel bot chooses here, or None where ours has no such action.

        Steps that are no action of ours (to knock, to end the lay-offs) are applied to OpenSpiel's state at once.
        """
        while True:
            phase, action = self.phase, bot.step(self.state)
            between = phase == "LAYOFF" and action == PASS and not self.state.finished_layoffs()
            if action != KNOCK and not between:
                break
            self.state.apply_action(action)
        if action < PACK:
            word = {"DISCARD": "discard", "KNOCK": "knock", "LAYOFF": "layoff"}[phase]
            text = f"{word} {FACES[action]}"
        elif action == PASS:
            text = "pass" if phase == "FIRST_UPCARD" else "done"
        else:
            text = {DRAW_UPCARD: "take", DRAW_STOCK: "draw"}.get(action) or self.peer.meld_texts[action]
        return next((each for each in legal if without_target(str(each)) == text), None)

    def settle(self) -> Difference | None:
        """Ends OpenSpiel's round where ours ended first; the difference that made it go on, if it is a known one."""
        if self.phase == "WALL":
            self.state.apply_action(PASS)
            return Difference.WALL
        if self.phase == "LAYOFF" and self._knocker_deadwood() == 0:
            for meld in self.peer.utils.best_meld_group(self.state.hands()[self.state.current_player()]):
                self.state.apply_action(MELD_BASE + self.peer.utils.meld_to_int(meld))
            self.state.apply_action(PASS)
            return Difference.GIN_IS_ANSWERED
        return None

    def returns(self) -> tuple[int, int]:
        """OpenSpiel's result by seat, in points: what a seat is ahead of the other."""
        points = self.state.returns()
        return int(points[self.seat(0)]), int(points[self.seat(1)])  # two seats: the map is its own inverse

    def left(self) -> tuple[int, int]:
        """The points left in each hand by seat, once somebody knocked."""
        deadwood = self.state.deadwood()
        return deadwood[self.seat(0)], deadwood[self.seat(1)]

    # ----------------------------------------------------------------------------------------------- differences

    def only_ours(self, option: str, ours: rummy.State) -> Difference | None:
        """Why OpenSpiel does not allow what we do, or None if there is no known reason."""
        word, *faces = option.split()
        cards = self.state.hands()[self.state.current_player()]
        if word == "knock" and self.phase == "DISCARD":
            withheld = self.peer.utils.min_deadwood(cards) > KNOCK_LIMIT
            sound = CARD_IDS[faces[0]] in self.peer.utils.legal_discards(cards, KNOCK_LIMIT)
            return Difference.ELEVEN_CARDS if withheld and sound else None
        if word == "meld" and len(faces) > LONGEST_MELD:
            parts = {"meld " + " ".join(in_order(part)) for part in pieces(faces)}
            return Difference.LONG_RUN if parts <= self.options() else None
        if word == "layoff" and self.phase == "LAYOFF" and self._fits(faces[0], ours):
            card, runs = CARD_IDS[faces[0]], self._runs(ours)
            if self.state.finished_layoffs():
                return Difference.LAYOFFS_COME_FIRST
            if any(card // 13 == low // 13 and (card < low - 2 or card > high + 2) for low, high in runs):
                return Difference.CHAIN
        return None

    def only_theirs(self, option: str, ours: rummy.State) -> Difference | None:
        """Why we do not allow what OpenSpiel does, or None if there is no known reason."""
        word, *faces = option.split()
        cards = self.state.hands()[self.state.current_player()]
        if word in ("discard", "knock") and faces == [self.taken]:
            return Difference.TAKEN_CARD
        if word in ("meld", "done") and self.phase == "KNOCK" and self.peer.utils.min_deadwood(cards) == 0:
            rest = [card for card in cards if FACES[card] not in faces]
            kept = self.peer.utils.min_deadwood(rest) if word == "meld" else self.peer.utils.total_card_value(rest)
            return Difference.GIN_IS_NOT_DECLARED if kept > 0 else None
        if word == "layoff":
            card = CARD_IDS[faces[0]]
            on_sets = {CARD_IDS[str(face)] for meld in ours.table if meld.kind == "set" for face in meld.faces}
            for low, high in self._runs(ours):
                for end, step in ((low, -1), (high, 1)):
                    same_suit = end // 13 == (end + step) // 13 == card // 13
                    if same_suit and card == end + 2 * step and end + step in on_sets:
                        return Difference.SHARED_LAYOFF
        return None

    @property
    def _knocker(self) -> int:
        return self.seat(self.state.knocked().index(True))

    def _runs(self, ours: rummy.State) -> list[tuple[int, int]]:
        """The first and last card of each run of the knocker as it was laid, lay-offs left out."""
        found = []
        for meld in ours.table:
            laid = [CARD_IDS[str(face)] for face, by in zip(meld.faces, meld.by, strict=True) if by == self._knocker]
            if meld.kind == "run" and laid:
                found.append((min(laid), max(laid)))
        return found

    def _fits(self, face: str, ours: rummy.State) -> bool:
        """Whether a card fits a meld of the knocker as it lies now, told without either engine."""
        card = CARD_IDS[face]
        for meld in ours.table:
            cards = [CARD_IDS[str(each)] for each in meld.faces]
            ends = {low for low in (min(cards) - 1, max(cards) + 1) if low // 13 == cards[0] // 13}
            fits = card in ends if meld.kind == "run" else len(cards) < 4 and card % 13 == cards[0] % 13
            if self._knocker in meld.by and fits:
                return True
        return False

    def _knocker_deadwood(self) -> int:
        return int(self.left()[self._knocker])

    def _after(self, action: int) -> Any:
        state = self.state.clone()
        state.apply_action(action)
        return state

    def _laying(self, actions: Iterable[int]) -> set[str]:
        return {"done" if action == PASS else self.peer.meld_texts[action] for action in actions}


def hand(state: rummy.State, seat: int) -> list[str]:
    """The cards of one hand as text."""
    return rummy.format_cards(state.hands[seat]).split()
