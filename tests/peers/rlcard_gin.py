"""RLCard's `gin_rummy` beside the profile `tests/data/rlcard-gin.toml`: situations and actions translated both ways.

RLCard deals eleven cards to the seat on the dealer's left and ten to the dealer, with no up-card; its actions are
objects; after a round each seat counts its hand in an action of its own. Its players are our seats. A `Mirror` hides
all of that behind our notation; `gin` is the one action that is not ours, for RLCard chooses the card it throws.
"""

from __future__ import annotations

import importlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any

import rummy_engine as rummy

PACKAGE = "rlcard.games.gin_rummy"
KNOCK_LIMIT = 10
SETTLING = ("ScoreNorthPlayerAction", "ScoreSouthPlayerAction")
WORDS = {
    "DrawCardAction": "draw",
    "PickUpDiscardAction": "take",
    "DeclareDeadHandAction": "stop",
    "GinAction": "gin",
    "DiscardAction": "discard",
    "KnockAction": "knock",
}


class Difference(Enum):
    """What RLCard does otherwise than the profile; anything else is an error on one side."""

    GIN_IS_FORCED = "with gin in hand nothing else is allowed"
    TAKEN_CARD = "the card just taken may be thrown with a knock or gin, though not as a discard"
    LOST_DISCARD = "the card thrown with a knock or gin is on no pile afterwards"
    UNDERCUT_IGNORED = "a knock is rewarded also where the other hand is as low"
    IDLE_TURNS = "with the stock gone the top of the pile may be taken again and again: ours ends after four such turns"
    MOVE_CAP = "after two hundred moves the round must be ended by an action: ours has ended"


class RLCard:
    """The installed rlcard; raises ImportError when it is missing."""

    def __init__(self) -> None:
        self.game: Any = importlib.import_module(f"{PACKAGE}.game")
        self.utils: Any = importlib.import_module(f"{PACKAGE}.utils.utils")
        self.numpy: Any = importlib.import_module("numpy")

    def novice(self) -> Any:
        """RLCard's rule-based agent, to be asked through `Mirror.ask`; it draws from numpy's common generator."""
        return importlib.import_module("rlcard.models.gin_rummy_rule_models").GinRummyNoviceRuleAgent()


class Mirror:
    """An RLCard game kept in step with one round of the profile, from just after the deal."""

    def __init__(self, peer: RLCard, seed: int) -> None:
        self.peer = peer
        self.game: Any = peer.game.GinRummyGame()
        self.game.np_random = peer.numpy.random.RandomState(seed)
        self.game.init_game()
        self.taken: str | None = None

    def deal(self, hands: Sequence[str], stock: str) -> None:
        """Replaces the deal: the hands by seat (eleven cards for the seat to act) and the stock, next draw first."""
        for player, text in zip(self.round.players, hands, strict=True):
            player.hand = [self.peer.utils.card_from_text(face) for face in text.split()]
            player.did_populate_hand()
        self.round.dealer.stock_pile = [self.peer.utils.card_from_text(face) for face in reversed(stock.split())]

    @property
    def round(self) -> Any:
        """RLCard's round."""
        return self.game.round

    @property
    def to_act(self) -> int:
        """The seat whose turn RLCard says it is."""
        return int(self.round.current_player_id)

    def hands(self) -> list[list[str]]:
        """Both hands by seat, sorted as text."""
        return [sorted(map(face, player.hand)) for player in self.round.players]

    def stock(self) -> list[str]:
        """The stock, next draw first."""
        return [face(card) for card in reversed(self.round.dealer.stock_pile)]

    def pile(self) -> list[str]:
        """The pile, bottom to top."""
        return [face(card) for card in self.round.dealer.discard_pile]

    def position(self, game: rummy.Game) -> rummy.State:
        """The same situation in our engine, before the first discard."""
        hands, stock = [" ".join(hand) for hand in self.hands()], " ".join(self.stock())
        zones: dict[str, Any] = {"hands": hands, "stock": stock, "phase": "play", "knock_limit": KNOCK_LIMIT}
        return game.position(**zones, seat=self.to_act, dealer=1 - self.to_act)

    # ------------------------------------------------------------------------------------------------- both ways

    def actions(self) -> dict[str, Any]:
        """RLCard's legal actions by our text, with `gin`; none while only hands are to be counted."""
        found = {}
        for action in self.game.judge.get_legal_actions():
            name = type(action).__name__
            if name not in SETTLING:
                card = getattr(action, "card", None)
                found[WORDS[name] if card is None else f"{WORDS[name]} {face(card)}"] = action
        return found

    def ask(self, agent: Any) -> str:
        """The text of what an RLCard agent chooses here: one of `actions`."""
        hand = self.round.players[self.to_act].hand
        by_id = {action.action_id: text for text, action in self.actions().items()}
        legal = OrderedDict.fromkeys(by_id)
        return by_id[int(agent.step({"legal_actions": legal, "obs": [self.peer.utils.encode_cards(hand)]}))]

    def follow(self, text: str) -> str:
        """Applies an action; the card that left the hand, or ""."""
        seat = self.to_act
        top, before = self.pile()[-1:], set(self.hands()[seat])
        self.game.step(self.actions()[text])
        self.taken = top[0] if text == "take" else None
        return next(iter(before - set(self.hands()[seat])), "")

    def settle(self) -> tuple[int, int]:
        """Lets both seats count their hands: the points left by seat. A round that goes on is declared dead first."""
        if "stop" in self.actions():
            self.follow("stop")
        assert not self.actions()
        for _ in SETTLING:
            self.game.step(self.game.judge.get_legal_actions()[0])
        assert self.game.is_over()
        north, south = self.round.move_sheet[-2:]
        return north.deadwood_count, south.deadwood_count

    def payoffs(self) -> tuple[float, ...]:
        """RLCard's rewards by seat, after `settle`."""
        return tuple(self.game.judge.scorer.get_payoffs(self.game))


def face(card: Any) -> str:
    """The text of one of RLCard's cards."""
    return f"{card.rank}{card.suit}"


def first_of(words: Iterable[str], choices: Iterable[str]) -> str | None:
    """The first of the choices that begins with the earliest of these words."""
    listed = list(choices)
    return next((text for word in words for text in listed if text.split()[0] == word), None)
