"""`[knock]`: knocking, gin, laying down afterwards (rules B12–B19)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rummy_engine.actions import DONE, Action, Discard, Done, Knock, LayMeld, LayOff
from rummy_engine.cards import CARDS, COPY_BITS, FACES, Card, CardSet
from rummy_engine.errors import Reason, Refusal
from rummy_engine.melds.shapes import Meld, Place
from rummy_engine.rules.discard import DiscardRules
from rummy_engine.rules.ending import Ending
from rummy_engine.rules.lay import Lay, MayAdd
from rummy_engine.rules.table import Table, pick
from rummy_engine.state import State

if TYPE_CHECKING:
    from rummy_engine.profiles.profile import Knock as KnockDials

_NO_LIMIT = 10**9


def limit_rule(dials: KnockDials | None, table: Table) -> Callable[[Card | None], int | None]:
    """The knock limit (points) that goes with an up-card; None: no limit, or no knocking (rules 3.1)."""
    limit = dials.limit if dials else "none"
    ace_is_gin = dials is not None and dials.ace_limit == "gin_only"

    def limit_for(up_card: Card | None) -> int | None:
        if not isinstance(limit, str):
            return limit
        if limit == "none":
            return None
        if up_card is None or (up_card.rank == 0 and ace_is_gin):
            return 0
        # What an ace is worth when it is left in a hand says nothing about an up-card.
        return table.worth.ace if up_card.rank == 0 else table.worth.in_hand[FACES[up_card]]

    return limit_for


class KnockRules:
    """The knock in phase "play", and the phases "spread" (the knocker lays down) and "respond" (the others do)."""

    def __init__(self, dials: KnockDials, table: Table, lay: Lay, discards: DiscardRules, ending: Ending) -> None:
        self._table = table
        self._lay = lay
        self._discards = discards
        self._ending = ending
        self._arranger = table.arranger
        self._first_turn = dials.first_turn
        self._layoff = dials.layoff == "knocker"
        self._chain = dials.layoff_chain
        self._big_gin = dials.big_gin_bonus > 0
        self._spread_best = dials.spread == "best"
        self._respond_best = dials.respond == "best"
        self._knocks = tuple(Knock(CARDS[face]) for face in range(53))
        self._without_card = Knock(None)

    # --------------------------------------------------------------------------------------------- phase "play"

    def legal(self, state: State) -> tuple[Action, ...]:
        """The discards, and the knocks that the hand allows."""
        seat, _, hands, _, _, _, taken, turns, _, rest = state
        hand, limit = hands[seat], rest.knock_limit
        restricted = taken or self._discards.restricted
        discards = self._discards.of(self._discards.allowed(state) if restricted else hand)
        if not self._first_turn and turns < self._table.players:
            return discards
        cards = hand if limit is None else self._arranger.knockable(hand, limit)
        if not cards and not self._big_gin:
            return discards
        if taken:
            cards &= ~self._discards.banned(hand, taken)
        knocks: list[Action] = []
        for discard in self._discards.of(cards):
            knocks.append(self._knocks[discard.card])
        if self._big_gin and self._arranger.deadwood(hand) == 0:
            knocks.append(self._without_card)
        return (*discards, *knocks)

    def refuse_knock(self, state: State, action: Knock) -> Refusal | None:
        """Why the seat may not knock with this card: the one predicate of rules B12."""
        card, hand = action.card, state.hands[state.seat]
        if not self._first_turn and state.turns < self._table.players:
            return Refusal(Reason.TOO_EARLY, "no knock in a seat's first turn")
        if card is None:
            if not self._big_gin:
                return Refusal(Reason.NOT_IN_THIS_VARIANT, "a knock needs a discard in this variant")
            left = self._arranger.deadwood(hand)
            return self._over(left, 0) if left else None
        refusal = self._discards.refuse(state, Discard(card))
        if refusal or state.knock_limit is None:
            return refusal
        left = self._arranger.deadwood(hand ^ 1 << self._copy(state, card))
        return self._over(left, state.knock_limit) if left > state.knock_limit else None

    def _over(self, left: int, limit: int) -> Refusal:
        text = f"the cards kept would leave {left} points of deadwood; the limit is {limit}"
        return Refusal(Reason.OVER_LIMIT, text, {"deadwood": left, "limit": limit})

    def _copy(self, state: State, face: int) -> int:
        hand = state.hands[state.seat]
        return pick(hand & ~self._discards.banned(hand, state.taken), face, state.known[state.seat])

    def knock(self, state: State, action: Knock) -> State:
        """The card is discarded and the knock declared; whether it is gin is fixed now (rules B13)."""
        seat = state.seat
        hand, known, pile = state.hands[seat], state.known[seat], state.pile
        if action.card is not None:
            card = CARDS[self._copy(state, action.card)]
            hand, known, pile = hand ^ 1 << card, known & ~(1 << card), (*pile, card)
        declared = "big_gin" if action.card is None else self.declare(hand)
        after = state.changed(
            phase="spread",
            hands=_with(state.hands, seat, hand),
            known=_with(state.known, seat, known),
            pile=pile,
            taken=(),
            turns=state.turns + 1,
            stock_only=False,
            by=seat,
            declared=declared,
        )
        return self._after_spread(self._lay_best(after, seat)) if self._spread_best else after

    def declare(self, cards: CardSet) -> str:
        """ "gin" if all these cards can be melded, else "knock"."""
        return "knock" if self._arranger.deadwood(cards) else "gin"

    # ------------------------------------------------------------------------------------------- phase "spread"

    def _spread_limit(self, state: State) -> int:
        if state.declared != "knock":
            return 0
        return _NO_LIMIT if state.knock_limit is None else state.knock_limit

    def spread_moves(self, state: State) -> tuple[Action, ...]:
        """The melds after which the limit can still be kept, and `done` when it is kept (rules B15)."""
        hand, limit = state.hands[state.seat], self._spread_limit(state)
        melds = [meld for meld in self._table.finder.melds(hand) if self._keeps(hand, meld, limit)]
        return (*melds, DONE) if self._arranger.points_of(hand) <= limit else tuple(melds)

    def _keeps(self, hand: CardSet, meld: LayMeld, limit: int) -> bool:
        for face in meld.cards:
            copies = hand & COPY_BITS[face]
            hand ^= copies & -copies
        return self._arranger.deadwood(hand) <= limit

    def refuse_spread_meld(self, state: State, action: LayMeld) -> Refusal | None:
        """Why the knocker may not lay this meld."""
        refusal = self._lay.refuse_meld(state, action)
        limit = self._spread_limit(state)
        if refusal or self._keeps(state.hands[state.seat], action, limit):
            return refusal
        return Refusal(Reason.OVER_LIMIT, f"the rest could not be brought down to {limit} points", {"limit": limit})

    def refuse_spread_done(self, state: State, action: Done) -> Refusal | None:
        """Why the knocker is not done."""
        left, limit = self._arranger.points_of(state.hands[state.seat]), self._spread_limit(state)
        if left <= limit:
            return None
        text = f"the cards left are worth {left} points; after this knock at most {limit} may be left"
        return Refusal(Reason.OVER_LIMIT, text, {"deadwood": left, "limit": limit})

    def lay(self, state: State, action: LayMeld) -> State:
        """A meld of the knocker, or of an opponent."""
        return self._lay.put_meld(state, action)

    def spread_done(self, state: State, action: Done) -> State:
        """The knocker has laid down."""
        return self._after_spread(state)

    def _after_spread(self, state: State) -> State:
        if state.declared != "knock":
            return self._ending.finish(state, "gin", state.by)
        seat = (state.by + 1) % self._table.players
        state = state.changed(phase="respond", seat=seat)
        while self._respond_best and state.phase == "respond":
            state = self.respond_done(self._lay_best(state, state.seat), DONE)
        return state

    # ------------------------------------------------------------------------------------------ phase "respond"

    def respond_moves(self, state: State) -> tuple[Action, ...]:
        """Own melds, lay-offs on the knocker's melds, and `done` (rules B16–B18)."""
        hand = state.hands[state.seat]
        melds, may_add = self._knockers_melds(state), self._may_add(state)
        if may_add is None:
            layoffs = self._lay.layoffs(state, hand, melds)
        else:
            layoffs = self._lay.layoffs_beside(state, hand, melds, may_add)
        return (*self._table.finder.melds(hand), *layoffs, DONE)

    def _knockers_melds(self, state: State) -> list[int]:
        return [index for index, meld in enumerate(state.table) if meld.owner == state.by] if self._layoff else []

    def _may_add(self, state: State) -> MayAdd | None:
        """Lay-offs go on the knocker's original cards, or on the seat's own lay-offs (rules B17, B18)."""
        if self._chain == "any":
            return None
        seat = state.seat if self._chain == "own" else state.by

        def may_add(meld: Meld, place: Place) -> bool:
            if meld.kind == "set":
                return True
            sides = {"low": (0,), "high": (-1,), None: (0, -1)}[place.side]  # None: the card closes the circle
            return any(meld.by[side] in (meld.owner, seat) for side in sides)

        return may_add

    def refuse_layoff(self, state: State, action: LayOff) -> Refusal | None:
        """Why this card may not be laid off on a meld of the knocker."""
        if not self._layoff:
            return Refusal(Reason.NOT_IN_THIS_VARIANT, "there are no lay-offs after a knock in this variant")
        return self._lay.refuse_layoff(state, action, self._knockers_melds(state), self._may_add(state))

    def layoff(self, state: State, action: LayOff) -> State:
        """A card of an opponent on a meld of the knocker."""
        return self._lay.put_layoff(state, action)

    def respond_done(self, state: State, action: Done) -> State:
        """The next opponent answers; after the last one hands are compared."""
        seat = (state.seat + 1) % self._table.players
        if seat == state.by:
            return self._ending.finish(state, "knock", state.by)
        return state.changed(seat=seat)

    # --------------------------------------------------------------------------------------------- "best" dials

    def _lay_best(self, state: State, seat: int) -> State:
        """The exact minimum of a seat is laid at once (dials `knock.spread` and `knock.respond`)."""
        indices = self._knockers_melds(state) if state.phase == "respond" else []
        onto = tuple(state.table[i] for i in indices)
        best = self._arranger.best(state.hands[seat], onto, seat, self._chain)
        table = list(state.table)
        for i, meld in zip(indices, best.onto, strict=True):
            table[i] = meld
        table += best.melds
        return state.changed(
            hands=_with(state.hands, seat, best.left),
            known=_with(state.known, seat, state.known[seat] & best.left),
            table=tuple(table),
            fits=self._table.fits(tuple(table)),
        )


def _with(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
