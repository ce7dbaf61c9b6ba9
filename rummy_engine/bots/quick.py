"""Playing on fast, from a full state to the end of the round: what a search plays out its worlds with.

Each seat looks at its own hand, the table and the pile, and plays like the medium bot, only more roughly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rummy_engine.actions import DRAW, PASS, STOP, TAKE, Action, Discard, Knock, LayMeld, Take
from rummy_engine.bots.appraisal import Appraiser
from rummy_engine.bots.knocker import BOUNDS
from rummy_engine.bots.knocker import WEIGHTS as KNOCKING
from rummy_engine.bots.naturals import Naturals
from rummy_engine.bots.outs import outs_of
from rummy_engine.bots.sets import folded, without
from rummy_engine.bots.sight import Sight
from rummy_engine.bots.tabler import CLOSE_IF_CAPPED, CLOSE_TO_OUT, FRESH_CARD, LATE, LONG, SOUND
from rummy_engine.cards import BIT, FACES, JOKER, JOKERS, NATURALS, CardSet, card_set
from rummy_engine.game import Game
from rummy_engine.melds.deadwood import SearchedDeadwood
from rummy_engine.melds.finder import face_bits
from rummy_engine.policy import Random
from rummy_engine.rules.scoring import MODELS, Facts
from rummy_engine.state import State

DEEPEST = 8
"""Cards; nothing deeper is dug out of the pile."""


class Quick:
    """The fast player for one game and one number of seats."""

    def __init__(self, game: Game, players: int) -> None:
        rules = game.rules(players)
        self._game = game
        self._rules = rules
        self._usable = rules.finder.usable
        self._points_of, self._least_points = rules.arranger.points_of, Naturals(rules).least
        self._deadwood = rules.arranger.deadwood
        weights = KNOCKING if game.profile.knock else SOUND.weights
        naturals = Naturals(rules, weights.per_card)
        self._least = naturals.of_faces
        self._dearest = max(naturals.weights)
        """A hand with no more left may be able to go out."""
        self._appraiser = Appraiser(rules, weights)
        self._folds = rules.pack > NATURALS
        self._loose = SearchedDeadwood(rules.finder, (1,) * len(rules.table.worth.in_hand)).least
        """How few cards of a hand can be left outside melds."""
        self._outs = outs_of(rules.shapes, rules.pack & NATURALS)
        self._long = LONG * players
        lay = game.profile.lay
        self._cap = 10**6 if lay.melds_per_turn == "unlimited" else lay.melds_per_turn
        self._close = CLOSE_TO_OUT if lay.melds_per_turn == "unlimited" else CLOSE_IF_CAPPED
        self._renews = game.profile.stock.when_empty != "none"
        self._tail = 2 * players
        knock = game.profile.knock
        knocks = knock is not None
        self._lays_off = knock is not None and knock.layoff == "knocker"
        self._score = MODELS[game.profile.scoring.model](game.profile.scoring, knock) if knock else None
        self._choices: dict[str, Callable[[State, Sequence[Action]], Action]] = {
            "offer": self._draw,
            "draw": self._draw,
            "play": self._knock_or_discard if knocks else self._table_or_discard,
            "call": self._call,
        }

    def points(self, state: State, action: Action, rng: Random) -> tuple[int, ...]:
        """The points of the round, per seat, when it is played on with this action."""
        legal, apply, choose = self._rules.legal, self._rules.apply, self.choose
        while True:
            if type(action) is Knock:
                return self._knocked(state, action)
            phase = state.phase
            state = apply[phase][type(action)](state, action)
            phase = state.phase
            if phase == "deal" or phase == "over":
                assert state.result is not None, "the round is over"
                return state.result.points
            if phase == "reshuffle":
                action = self._game.chance(state, rng)
            else:
                moves = legal[phase](state)
                action = moves[0] if len(moves) == 1 else choose(state, moves)

    def choose(self, state: State, legal: Sequence[Action]) -> Action:
        """What the seat to act does; `legal`: two or more actions."""
        choice = self._choices.get(state.phase)
        return choice(state, legal) if choice else legal[0]

    def _draw(self, state: State, legal: Sequence[Action]) -> Action:
        other = next((action for action in (DRAW, PASS, STOP) if action in legal), legal[0])
        if other is DRAW and state.turns >= self._long:
            return DRAW
        top, hand, placed = state.pile[-1], state.hands[state.seat], state.fits
        uses_top = TAKE in legal and bool(
            placed & BIT[top] or top >= 52 or self._usable(hand | BIT[top]) >> FACES[top] & 1
        )
        last = legal[-1]
        if type(last) is not Take or last.count == 1:
            return TAKE if uses_top else other
        best, chosen = self._prospect(hand, placed) + FRESH_CARD, other
        for action in legal:
            if type(action) is Take and (1 < action.count <= DEEPEST or (uses_top and action.count == 1)):
                prospect = self._prospect(hand | card_set(state.pile[-action.count :]), placed)
                if prospect > best:
                    best, chosen = prospect, action
        return chosen

    def _prospect(self, hand: CardSet, placed: CardSet) -> int:
        """The points of what a hand can table less those of what it must keep, roughly."""
        return self._points_of(hand) - 2 * self._least_points(hand & ~placed)

    def _call(self, state: State, legal: Sequence[Action]) -> Action:
        return legal[0]

    # ------------------------------------------------------------------------------------------------- discarding

    def _discard(self, state: State, legal: Sequence[Action], placed: CardSet = 0) -> Action:
        """What the medium bot would throw at a first glance."""
        hand = state.hands[state.seat]
        by_face = {action.card: action for action in legal if type(action) is Discard}
        if len(by_face) > 1:
            by_face.pop(JOKER, None)
        if not by_face:
            return legal[0]
        return by_face[self._appraiser.drafts(hand, by_face, self._sight(state), placed)[0][1]]

    def _sight(self, state: State) -> Sight:
        """What the seat to act sees."""
        seat, hands = state.seat, state.hands
        following = (seat + 1) % len(hands)
        known = state.known[following]
        hidden = hands[following] & ~known
        unseen = card_set(state.stock)
        for other, hand in enumerate(hands):
            if other != seat:
                unseen |= hand & ~state.known[other]
        chance = hidden.bit_count() / max(unseen.bit_count(), 1)
        return Sight(hands[seat], face_bits(unseen), face_bits(known), chance)

    # ------------------------------------------------------------------------------------------------- knocking

    def _knock_or_discard(self, state: State, legal: Sequence[Action]) -> Action:
        hand = state.hands[state.seat]
        if type(legal[-1]) is Knock:
            knocks = [action for action in legal if type(action) is Knock]
            left, index = min((self._deadwood(without(hand, knock.card)), i) for i, knock in enumerate(knocks))
            if left <= BOUNDS[min(state.turns // 2, len(BOUNDS) - 1)]:
                return knocks[index]
        return self._discard(state, legal)

    def _knocked(self, state: State, knock: Knock) -> tuple[int, ...]:
        """The points when the seat knocks, close enough: a card that fits the knocker's melds is laid off if that pays.

        Laying down card by card would take as long as playing the whole round.
        """
        assert self._score is not None, "knocks are for games with knocking"
        seat, deadwood = state.seat, self._deadwood
        kept = without(state.hands[seat], knock.card)
        left = [deadwood(kept) if other == seat else deadwood(hand) for other, hand in enumerate(state.hands)]
        kind = "knock" if left[seat] else "gin"
        if left[seat] and self._lays_off:
            takes = self._outs.outs(self._usable(kept) & NATURALS)
            for other, hand in enumerate(state.hands):
                if other != seat and hand & takes:
                    left[other] = min(left[other], deadwood(hand & ~takes))
        big = knock.card is None
        return self._score(Facts(kind, seat, tuple(left), (0,) * len(left), False, big)).points

    # ------------------------------------------------------------------------------------------------- tabling

    def _table_or_discard(self, state: State, legal: Sequence[Action]) -> Action:
        first = legal[0]
        if type(first) is not Discard and not self._holds(state):
            return self._meld(state, legal) if type(first) is LayMeld else first
        return self._discard(state, legal, state.fits)

    def _meld(self, state: State, legal: Sequence[Action]) -> LayMeld:
        """The meld after which the rest of the hand is lightest; of several the longest."""
        hand, melds = state.hands[state.seat], [action for action in legal if type(action) is LayMeld]
        if hand & JOKERS:
            return self._with_jokers(hand, melds)
        faces, least = folded(hand), self._least
        return min(melds, key=lambda each: (least(faces & ~card_set(each.cards)), -len(each.cards)))

    def _with_jokers(self, hand: CardSet, melds: list[LayMeld]) -> LayMeld:
        """The first meld of a best arrangement, so that no joker is wasted; those without jokers come first."""
        melds.sort(key=_preference)
        left = self._deadwood(hand)
        for each in melds:
            rest = hand
            for face in each.cards:
                rest = without(rest, face)
            if self._deadwood(rest) == left:
                return each
        return melds[0]

    def _holds(self, state: State) -> bool:
        """Whether to keep all melds: nobody is close to going out, nor is the seat itself about to."""
        if state.owed or state.tabled_now:
            return False
        if not self._renews and len(state.stock) <= self._tail:
            return False
        seat = state.seat
        for other, hand in enumerate(state.hands):
            if other != seat and hand.bit_count() <= self._close:
                return False
        hand = state.hands[seat] & ~(state.fits & ~JOKERS)
        if self._cap == 1 and hand.bit_count() > 4:
            return False
        faces, turns = folded(hand) if self._folds else hand, state.turns // len(state.hands)
        loose = faces & ~self._usable(hand)
        if turns + loose.bit_count() > LATE:
            return False
        if loose & (loose - 1):
            return True
        if hand & JOKERS:  # each loose card would make a meld with a joker, but there are not jokers for all
            return 1 < self._loose(hand) <= LATE - turns
        return self._least(faces) > self._dearest


def _preference(meld: LayMeld) -> tuple[int, int]:
    """Sorts the melds with few jokers first, and among them the longest."""
    return meld.cards.count(JOKER), -len(meld.cards)
