"""What a turn still owes, and whether it can be completed: one predicate for every rule that looks ahead.

The dead-end guard (rules A9, R19), the deepest card of a deep draw (R13), calls (R21, R23), a joker swapped in, the
compulsory final discard, the unplayable last discard (R39) and melding only to go out all ask `can_complete`.
"""

from __future__ import annotations

from rummy_engine.actions import ENDS, LayMeld, LayOff, Swap
from rummy_engine.cards import BIT, COPY_BITS, FACES, JOKER, JOKERS, NATURALS, PACK, Card, CardSet, cards_in
from rummy_engine.melds.finder import face_bits
from rummy_engine.melds.shapes import Meld
from rummy_engine.rules.discard import DiscardRules
from rummy_engine.rules.going_out import GoingOut
from rummy_engine.rules.lay import Lay
from rummy_engine.rules.table import Table
from rummy_engine.state import NOBODY, State


class Obligation:
    """The question "can this turn be completed?", answered exactly."""

    def __init__(self, table: Table, lay: Lay, discards: DiscardRules, meld_only: bool) -> None:
        """`meld_only`: the deepest card of a deep draw must go into a new meld (`draw.deep_use`)."""
        self._table = table
        self._lay = lay
        self._discards = discards
        self.swaps = lay.swaps
        self.melds = table.finder.melds
        self._most_melds = lay.melds_per_turn
        self.keeps_a_card = discards.keeps_a_card
        self.goes_out = lay.goes_out
        self.tables = lay.in_turn
        self.meld_only = meld_only
        self._going_out = GoingOut(table, lay, discards)
        # What can lead on to a card of each suit: the suit in both packs, and every joker.
        self._suits = tuple(8191 << 13 * suit | 8191 << PACK + 13 * suit | JOKERS for suit in range(4))
        # Where nothing restricts what is tabled, a card within reach can be tabled and any rest of the hand discarded.
        self.reach_decides = lay.unrestricted and not self.keeps_a_card and not self.goes_out and self.tables

    def may_end(self, state: State) -> bool:
        """Whether the turn may end here: by a discard, or with nothing left to discard."""
        if state.hands[state.seat]:
            return self._discards.allowed(state) != 0
        return not self.keeps_a_card and not state.owed

    # ------------------------------------------------------------------------------------------------ completion

    def can_complete(self, state: State) -> bool:
        """Whether some sequence of table actions, perhaps none, brings the turn to a legal end."""
        if self.may_end(state):
            return True
        if not self.tables:
            return False
        if self.reach_decides and state.owed:
            return self._owed_within_reach(state)
        if self.goes_out:
            return self.can_go_out(state)
        return self._search(state, set())

    def can_go_out(self, state: State) -> bool:
        """Whether table actions, and perhaps a discard, can empty the hand, where tabling means that."""
        in_meld = FACES[state.taken[0]] if self._owes_a_meld(state) else None
        return self._owed_within_reach(state) and self._going_out.possible(state, in_meld)

    def _search(self, state: State, seen: set[tuple[CardSet, CardSet, int, tuple[Meld, ...]]]) -> bool:
        """Depth first over actual table actions, those that table an owed card first: exact, and rarely needed."""
        if self.may_end(state):
            return True
        hand = state.hands[state.seat]
        key = (hand, state.owed, state.melds_now, tuple(sorted(state.table)))  # in whatever order they were laid
        if key in seen:
            return False
        seen.add(key)
        if state.owed and not self._owed_within_reach(state):
            return False
        owed = {FACES[each] for each in cards_in(state.owed)}
        moves = self.table_moves(state)
        best_first = sorted(moves, key=lambda move: owed.isdisjoint(_played(move)))
        return any(self._search(self.put(state, each), seen) for each in best_first if self.uses_owed_well(state, each))

    def uses_owed_well(self, state: State, move: LayMeld | LayOff | Swap) -> bool:
        """Not a lay-off of the owed card where only a new meld will do (`draw.deep_use = "meld"`)."""
        if isinstance(move, LayMeld) or not self._owes_a_meld(state):
            return True
        return _played(move)[0] != FACES[state.taken[0]]

    def spares_owed(self, state: State, move: LayMeld | LayOff | Swap) -> bool:
        """Whether a table action plainly leaves the owed card possible, or tables it: a look that saves doing it."""
        owed, rest = state.owed, state.hands[state.seat]
        face = FACES[owed.bit_length() - 1]
        played = _played(move)
        if face in played:
            return True
        for each in played:
            copies = rest & COPY_BITS[each]
            rest ^= copies & -copies
        if self._table.finder.usable(rest) >> face & 1:
            return True
        return isinstance(move, LayMeld) and state.fits & owed != 0 and not self.meld_only

    def table_moves(self, state: State) -> tuple[LayMeld | LayOff | Swap, ...]:
        """Every way to put cards of the hand on the table, before asking whether the turn can then be completed."""
        lay, seat, rest = self._lay, state.seat, state.rest
        hand = state.hands[seat]
        moves: tuple[LayMeld | LayOff | Swap, ...] = ()
        if rest.melds_now < self._most_melds:
            moves = self.melds(hand)
        if hand & rest.fits:
            moves = (*moves, *lay.layoffs(state, hand, lay.open_melds(state, seat)))
        if self.swaps and rest.table:
            moves = (*moves, *lay.swap_moves(state, hand, lay.open_melds(state, seat)))
        return moves

    def put(self, state: State, move: LayMeld | LayOff | Swap) -> State:
        """The table action done, and nothing else."""
        if isinstance(move, LayMeld):
            return self._lay.put_meld(state, move)
        if isinstance(move, LayOff):
            return self._lay.put_layoff(state, move)
        return self._lay.put_swap(state, move)

    def can_table(self, state: State, card: Card) -> bool:
        """Whether some sequence of table actions lays this card of the hand on the table, however the turn may end."""
        return self._tables(state, card, set())

    def _tables(self, state: State, card: Card, seen: set[tuple[CardSet, int, tuple[Meld, ...]]]) -> bool:
        """Depth first, over actions that lead on to the card only."""
        seat = state.seat
        hand = state.hands[seat]
        key = (hand, state.melds_now, tuple(sorted(state.table)))
        if key in seen:
            return False
        seen.add(key)
        melds = tuple([state.table[i] for i in self._lay.reachable_melds(state, seat)])
        if not self.within_reach(hand | self.jokers_to_swap(state), melds, self._takes(melds), card):
            return False
        moves = self.table_moves(state)
        if any(FACES[card] in _played(move) for move in moves):
            return True
        leading = [each for each in moves if self._leads_to(state, each, card)]
        return any(self._tables(self.put(state, each), card, seen) for each in leading)

    def _leads_to(self, state: State, move: LayMeld | LayOff | Swap, card: Card) -> bool:
        """Whether a table action of other cards can help to table this one: it allows, bridges, or frees a joker."""
        if isinstance(move, LayMeld):
            return self._lay.awaits_own_meld(state)
        if isinstance(move, LayOff):
            meld = state.table[move.meld]
            return meld.kind == "run" and not card.is_joker and meld.faces[0] // 13 == FACES[card] // 13
        return True

    # ----------------------------------------------------------------------------------------------------- reach

    def _owed_within_reach(self, state: State) -> bool:
        hand = state.hands[state.seat] | self.jokers_to_swap(state)
        deepest = state.taken[0] if self._owes_a_meld(state) else None
        takes = self.takes(state)
        return all(
            self.within_reach(hand, *((), 0) if each == deepest else (state.table, takes), each)
            for each in cards_in(state.owed)
        )

    def jokers_to_swap(self, state: State) -> CardSet:
        """The jokers on the table that might come to the hand this turn."""
        return self._table.laid(state.table).cards & JOKERS if self.swaps and state.table else 0

    def takes(self, state: State) -> CardSet:
        """The cards that a table meld takes, also in a swap, or might take once it has given up a joker."""
        return self._takes(state.table) if self.swaps else state.fits

    def _takes(self, melds: tuple[Meld, ...]) -> CardSet:
        shapes, cards = self._table.shapes, 0
        for meld in melds:
            cards |= shapes.openings(meld).takes
            if self.swaps and meld.wilds:
                cards |= JOKERS
                for face in shapes.swaps(meld):
                    cards |= COPY_BITS[face]
        return cards

    def _owes_a_meld(self, state: State) -> bool:
        """Whether the deepest card of a deep draw is owed and only a new meld will do; after a call any use will."""
        return self.meld_only and state.by == NOBODY and bool(state.taken) and state.owed >> state.taken[0] & 1 == 1

    def within_reach(self, cards: CardSet, melds: tuple[Meld, ...], fits: CardSet, target: Card) -> bool:
        """Whether `target`, one of `cards`, can be tabled with their help: in a meld, or on these melds, also bridged.

        `fits` are the cards that the melds take. Every permission but the shape of the cards is left aside. Where new
        melds are built upon, the whole is a meld that could be laid at once, so only melds on the table need bridging
        (rules R13: `5H 6H 7H` takes a 9H with the help of an 8H).
        """
        return (
            fits >> target & 1 == 1
            or self._table.finder.usable(cards) >> FACES[target] & 1 == 1
            or (fits & cards != 0 and self._bridged(cards, melds, fits, target))
        )

    def depths(self, pile: tuple[Card, ...], hand: CardSet, melds: tuple[Meld, ...], fits: CardSet) -> list[int]:
        """The depths of the pile (1: its top) whose card is within reach of this hand with the cards above it.

        A look at the hand with the whole pile comes first: more cards never make fewer melds.
        """
        usable = self._table.finder.usable
        whole = hand
        for card in pile:
            whole |= BIT[card]
        may = usable(whole)
        at_hand = fits & whole
        may = may | may << PACK & NATURALS << PACK | (JOKERS if may >> JOKER & 1 else 0)
        candidates = at_hand | may
        if at_hand:
            for suit in self._suits:
                if at_hand & suit:
                    candidates |= suit
        if not candidates & whole:
            return []
        found = []
        for depth, target in enumerate(reversed(pile), 1):
            bit = BIT[target]
            hand |= bit
            if bit & candidates and (
                bit & fits
                or (bit & may and usable(hand) >> FACES[target] & 1)
                or (fits & hand and self._bridged(hand, melds, fits, target))
            ):
                found.append(depth)
        return found

    def _bridged(self, cards: CardSet, melds: tuple[Meld, ...], fits: CardSet, target: Card) -> bool:
        """Whether cards that fit these melds lead on to a natural card of the same suit."""
        face = FACES[target]
        suit = self._suits[face // 13] if not target.is_joker else 0
        if not fits & cards & suit:
            return False
        faces, wilds = face_bits(cards), (cards & JOKERS).bit_count()
        return any(
            meld.kind == "run" and meld.faces[0] // 13 == face // 13 and self._fills_gap(faces, wilds, meld, face)
            for meld in melds
        )

    def _fills_gap(self, faces: CardSet, wilds: int, run: Meld, target: Card) -> bool:
        """Whether these faces, and so many jokers, make a run grow as far as the target."""
        shapes = self._table.shapes
        for side in ENDS:
            left, in_run = wilds, 0 if self.swaps else run.wilds
            for added in shapes.beyond(run.faces, side):
                if added == target:
                    return True
                if not faces >> added & 1:
                    left, in_run = left - 1, in_run + 1
                    if left < 0 or in_run > shapes.spec.max_wilds:
                        break
        return False


def _played(move: LayMeld | LayOff | Swap) -> tuple[Card, ...]:
    return move.cards if isinstance(move, LayMeld) else (move.card,)
