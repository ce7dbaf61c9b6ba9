"""`[lay]`, `[melds]`, `[wilds]`: putting cards on the table: new melds, lay-offs, swaps for a joker.

This module moves cards and says what may be put where. Whether a turn can still be completed afterwards is
`obligation.py`; what happens when a hand is empty is `turn.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from rummy_engine.actions import End, LayMeld, LayOff, Swap
from rummy_engine.cards import BIT, COPY_BITS, JOKER, Card, CardSet, card_set
from rummy_engine.errors import Reason, Refusal, RummyError
from rummy_engine.melds.shapes import Meld, Openings, Place, extended, new_meld, swapped
from rummy_engine.rules.table import Laid, Table, pick
from rummy_engine.state import State

if TYPE_CHECKING:
    from rummy_engine.profiles.profile import Lay as LayDials

MayAdd: TypeAlias = Callable[[Meld, Place], bool]
Entry: TypeAlias = tuple[tuple[CardSet, tuple[LayOff, ...]], ...]
"""What one meld takes: the copies of a face that fits it, and the lay-offs of that face."""


class Lay:
    """What may be put on the table, and the doing of it. Seats are asked for their own permission only."""

    def __init__(self, dials: LayDials, table: Table) -> None:
        self._table = table
        self._shapes = table.shapes
        self._twins = table.twins
        self.melds_per_turn = 10**6 if dials.melds_per_turn == "unlimited" else dials.melds_per_turn
        self._layoff = dials.layoff
        self._needs_own = dials.needs_own_meld
        self.in_turn = dials.when != "knock"
        """Whether cards are tabled in a turn, not only after a knock."""
        self.goes_out = dials.when == "going_out"
        """Whether a turn that tables anything must empty the hand."""
        self.has_layoffs = dials.layoff != "none"
        self.swaps = table.swaps
        self.unrestricted = (
            (dials.layoff, dials.needs_own_meld, dials.melds_per_turn) == ("any", False, "unlimited") and not self.swaps
        )
        """Whether nothing but the cards decides what may be tabled."""
        self.longest_meld = max(table.shapes.set_cap, *map(len, table.shapes.windows))
        self._entries_made: dict[tuple[int, int], Entry] = {}
        self._interned: dict[tuple[Card, Card, int, End | None], LayOff] = {}

    # ------------------------------------------------------------------------------------------------ permission

    def open_melds(self, state: State, seat: int) -> Sequence[int]:
        """The indices of the melds that the seat may lay off on, by `lay.layoff` and `lay.needs_own_meld`."""
        if self._needs_own and not owns_a_meld(state, seat):
            return ()
        return self.reachable_melds(state, seat)

    def reachable_melds(self, state: State, seat: int) -> Sequence[int]:
        """The same once the seat has laid a meld of its own."""
        table = state.rest.table
        if self._layoff == "any":
            return range(len(table))
        return [index for index, meld in enumerate(table) if meld.owner == seat] if self._layoff == "own" else ()

    def awaits_own_meld(self, state: State) -> bool:
        """Whether the seat to act must lay a meld before it may lay off."""
        return self._needs_own and not owns_a_meld(state, state.seat)

    def open_cards(self, state: State, seat: int) -> CardSet:
        """The cards off the table that the seat may lay off, were they in its hand."""
        if self._layoff == "any" and not self._needs_own:
            return state.fits
        openings = self._table.laid(state.table).openings
        takes = 0
        for index in self.open_melds(state, seat):
            takes |= openings[index].takes
        return takes & state.fits

    # ----------------------------------------------------------------------------------------------- enumeration

    def layoffs(self, state: State, hand: CardSet, melds: Iterable[int]) -> list[LayOff]:
        """Every lay-off of a card of this hand on these melds: each card, meld and end once."""
        openings = self._table.laid(state.table).openings
        found: list[LayOff] = []
        for index in melds:
            if hand & openings[index].takes:
                for copies, actions in self._entry(openings[index], index):
                    if hand & copies:
                        found += actions
        return found

    def layoffs_beside(self, state: State, hand: CardSet, melds: Iterable[int], may_add: MayAdd) -> list[LayOff]:
        """The same where it also matters who laid the card that one is added to."""
        table = state.table
        return [
            action
            for action in self.layoffs(state, hand, melds)
            if (place := self.place_of(state, action)) and may_add(table[action.meld], place)
        ]

    def _entry(self, opening: Openings, index: int) -> Entry:
        key = (id(opening), index)  # there is one object per shape, as long as the game lives
        found = self._entries_made.get(key)
        if found is None:
            found = self._entries_made[key] = tuple(
                (COPY_BITS[face], tuple(self._layoff_action(face, place, index) for place in places))
                for face, places in opening.places.items()
            )
        return found

    def swap_moves(self, state: State, hand: CardSet, melds: Iterable[int]) -> list[Swap]:
        """Every exchange of a natural card of this hand for a joker on these melds."""
        return [
            Swap(face, index)
            for index in melds
            for face in self._shapes.swaps(state.table[index])
            if hand & COPY_BITS[face]
        ]

    def _layoff_action(self, face: Card, place: Place, index: int) -> LayOff:
        key = (face, place.stands, index, place.end)
        found = self._interned.get(key)
        if found is None:
            found = self._interned[key] = LayOff(*key)
        return found

    # --------------------------------------------------------------------------------------------------- refusal

    def refuse_meld(self, state: State, action: LayMeld) -> Refusal | None:
        """Why these cards are no meld, or not in the hand."""
        if not self._shapes.is_meld(action.cards, action.stands):
            text = f"{_cards(action)} is no meld in this variant: {self._shapes.in_words()}"
            return Refusal(Reason.NOT_A_MELD, text, {"cards": _cards(action)})
        missing = not_held(state.hands[state.seat], action.cards)
        if missing is not None:
            return Refusal(Reason.CARD_NOT_HELD, f"{missing} is not in the hand", {"card": str(missing)})
        return None

    def refuse_layoff(
        self, state: State, action: LayOff, melds: Container[int], may_add: MayAdd | None = None
    ) -> Refusal | None:
        """Why this card may not be added to that meld."""
        if not 0 <= action.meld < len(state.table):
            return no_such_meld(state, action.meld)
        if not state.hands[state.seat] & COPY_BITS[action.card]:
            return Refusal(Reason.CARD_NOT_HELD, f"{action.card} is not in the hand", {"card": str(action.card)})
        meld = state.table[action.meld]
        details = {"card": str(action.card), "meld": action.meld}
        place = self.place_of(state, action)
        if place is None and self._is_ambiguous(state, action):
            text = f"{action.card} fits both ends of meld {action.meld} ({meld}): say which, as in '{action} low'"
            return Refusal(Reason.DOES_NOT_FIT, text, details)
        if place is None:
            return Refusal(Reason.DOES_NOT_FIT, f"{action.card} does not fit meld {action.meld} ({meld})", details)
        if action.meld not in melds:
            if self._layoff == "none":
                return Refusal(Reason.NOT_IN_THIS_VARIANT, "there are no lay-offs in this variant", details)
            if self._needs_own and not owns_a_meld(state, state.seat):
                text = "a seat must have melded before it lays off"
                return Refusal(Reason.NEEDS_OWN_MELD, text, details)
            text = f"lay-offs on meld {action.meld} are not allowed to this seat"
            return Refusal(Reason.NOT_ALLOWED_THERE, text, details)
        if may_add and not may_add(meld, place):
            text = f"{action.card} may not be built on a card that was laid off on meld {action.meld} after the knock"
            return Refusal(Reason.NOT_ALLOWED_THERE, text, details)
        return None

    def refuse_swap(self, state: State, action: Swap, melds: Container[int]) -> Refusal | None:
        """Why this card may not be exchanged for a joker there."""
        if not 0 <= action.meld < len(state.table):
            return no_such_meld(state, action.meld)
        details = {"card": str(action.card), "meld": action.meld}
        if not state.hands[state.seat] & COPY_BITS[action.card]:
            return Refusal(Reason.CARD_NOT_HELD, f"{action.card} is not in the hand", details)
        if action.card not in self._shapes.swaps(state.table[action.meld]):
            text = f"no joker of meld {action.meld} ({state.table[action.meld]}) stands for {action.card}"
            return Refusal(Reason.DOES_NOT_FIT, text, details)
        if action.meld not in melds:
            text = f"meld {action.meld} may not be touched by this seat"
            return Refusal(Reason.NOT_ALLOWED_THERE, text, details)
        return None

    def place_of(self, state: State, action: LayOff) -> Place | None:
        """Where on its meld a lay-off goes, or None if it does not fit."""
        places = self._shapes.openings(state.table[action.meld]).places.get(action.card, ())
        for place in places:
            if place.stands == action.stands and place.end == action.end:
                return place
        return None

    def _is_ambiguous(self, state: State, action: LayOff) -> bool:
        places = self._shapes.openings(state.table[action.meld]).places.get(action.card, ())
        return action.end is None and len(places) > 1 and action.stands in (JOKER, *[each.stands for each in places])

    # ----------------------------------------------------------------------------------------------------- doing

    def put_meld(self, state: State, action: LayMeld) -> State:
        """The cards leave the hand and lie on the table as a new meld."""
        seat, table = state.seat, state.rest.table
        cards = self._held(state, action.cards)
        hand = state.hands[seat] ^ card_set(cards)
        meld = new_meld(action.stands, cards, seat)
        return self._put(state, hand, self._table.laid_at(table, len(table), meld), state.rest.owed, melds=1)

    def put_layoff(self, state: State, action: LayOff) -> State:
        """The card leaves the hand and extends its meld."""
        seat, table = state.seat, state.rest.table
        (card,) = self._held(state, (action.card,))
        place = self.place_of(state, action)
        if place is None:
            raise RummyError(f"{action} does not fit: only legal actions may be applied unchecked")
        meld = extended(table[action.meld], card, place, seat)
        hand = state.hands[seat] ^ BIT[card]
        return self._put(state, hand, self._table.laid_at(table, action.meld, meld), state.rest.owed)

    def put_swap(self, state: State, action: Swap) -> State:
        """The natural card goes to the table, and its joker to the hand: publicly, and owed this turn."""
        seat, table = state.seat, state.rest.table
        (card,) = self._held(state, (action.card,))
        meld, joker = swapped(table[action.meld], card, action.card, seat)
        bit = BIT[joker]
        state = state.changed(known=_with(state.known, seat, state.known[seat] | bit))
        hand = state.hands[seat] ^ BIT[card] | bit
        return self._put(state, hand, self._table.laid_at(table, action.meld, meld), state.owed | bit)

    def _held(self, state: State, faces: tuple[Card, ...]) -> tuple[Card, ...]:
        """The cards of the hand to play for these faces: of twins one that is owed, else taken, else known."""
        if not self._twins or not card_set(faces) & self._twins:
            return faces
        seat = state.seat
        hand, taken = state.hands[seat], card_set(state.taken)
        cards = []
        for face in faces:
            card = pick(hand, face, state.owed, taken, state.known[seat])
            hand ^= BIT[card]
            cards.append(card)
        return tuple(cards)

    def _put(self, state: State, hand: CardSet, laid: Laid, owed: CardSet, melds: int = 0) -> State:
        seat, phase, hands, stock, pile, known, taken, turns, idle, rest = state
        if known[seat] & ~hand:
            known = _with(known, seat, known[seat] & hand)
        in_turn = phase == "play"
        rest = rest._replace(
            table=laid.melds,
            fits=laid.fits,
            owed=owed & hand,
            melds_now=rest.melds_now + melds if in_turn else 0,
            tabled_now=in_turn,
        )
        return State(seat, phase, _with(hands, seat, hand), stock, pile, known, taken, turns, idle, rest)


def owns_a_meld(state: State, seat: int) -> bool:
    """Whether the seat has laid a meld in this round."""
    return any(meld.owner == seat for meld in state.table)


def not_held(hand: CardSet, faces: tuple[Card, ...]) -> Card | None:
    """The first of these faces of which the hand holds too few copies; None: it holds them all.

    Ask for None: the ace of spades is card 0, which is false.
    """
    for face in faces:
        copies = hand & COPY_BITS[face]
        if not copies:
            return face
        hand ^= copies & -copies
    return None


def no_such_meld(state: State, index: int) -> Refusal:
    """The refusal for a meld index beyond the table."""
    count = len(state.table)
    there = f"the table has melds @0 to @{count - 1}" if count else "there are no melds on the table"
    return Refusal(Reason.NO_SUCH_MELD, f"there is no meld @{index}: {there}", {"meld": index, "melds": count})


def _with(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _cards(action: LayMeld) -> str:
    return str(action).removeprefix("meld ")


