"""Phase "play": between the draw and the discard. Table actions, and what follows when they empty the hand."""

from __future__ import annotations

from rummy_engine.actions import Action, LayMeld, LayOff, Swap
from rummy_engine.cards import FACES, cards_in
from rummy_engine.errors import Reason, Refusal
from rummy_engine.rules.discard import DiscardRules
from rummy_engine.rules.ending import Ending
from rummy_engine.rules.lay import Lay
from rummy_engine.rules.obligation import Obligation
from rummy_engine.rules.turn import Turn
from rummy_engine.state import State

TableMove = LayMeld | LayOff | Swap


class Play:
    """The table actions of a turn."""

    def __init__(
        self, lay: Lay, obligation: Obligation, discards: DiscardRules, turn: Turn, ending: Ending
    ) -> None:
        self._lay = lay
        self._obligation = obligation
        self._discards = discards
        self._turn = turn
        self._ending = ending
        self._floats = discards.floats
        self._meld_cap = lay.melds_per_turn
        self._melds = obligation.melds
        self._swaps = lay.swaps
        self._goes_out = obligation.goes_out
        # Of two cards left one can always be discarded, unless the hand must be emptied or a joker is owed.
        self._any_two_will_do = not obligation.goes_out and not lay.swaps
        self._longest = lay.longest_meld
        self._discards_restricted = discards.restricted

    # --------------------------------------------------------------------------------------------------- legal

    def legal(self, state: State) -> tuple[Action, ...]:
        """New melds, lay-offs, swaps, discards."""
        seat, _, hands, _, _, _, taken, _, _, rest = state
        hand = hands[seat]
        moves: tuple[TableMove, ...]
        if hand & rest.fits or self._swaps:  # melds are not all there is
            moves = self._obligation.table_moves(state)
        else:
            moves = self._melds(hand) if rest.melds_now < self._meld_cap else ()
        if rest.owed or self._discards_restricted:
            free = self._discards.allowed(state)
        else:
            free = hand & ~self._discards.banned(hand, taken) if taken else hand
        discards = self._discards.of(free)
        if not moves or (self._goes_out and not self._obligation.can_go_out(state)):
            return discards
        held = hand.bit_count()
        if rest.owed or not self._any_two_will_do:
            moves = self._completing(state, moves, sure=0)
        elif held <= self._longest + 1:
            moves = self._completing(state, moves, sure=held - 2)
        return moves + discards

    def _completing(self, state: State, moves: tuple[TableMove, ...], sure: int) -> tuple[TableMove, ...]:
        """Those of the actions that the cards allow after which the turn can be completed: surely by so few cards."""
        return tuple([move for move in moves if _laid(move) <= sure or self._completes(state, move)])

    def _completes(self, state: State, move: TableMove) -> bool:
        """Whether the turn can still be completed after a table action that the cards allow (rules A9, R13)."""
        obligation = self._obligation
        if not state.owed:
            if self._any_two_will_do and state.hands[state.seat].bit_count() - _laid(move) > 1:
                return True
        elif not obligation.uses_owed_well(state, move):
            return False
        elif obligation.reach_decides and obligation.spares_owed(state, move):
            return True
        return obligation.can_complete(obligation.put(state, move))

    # -------------------------------------------------------------------------------------------------- refuse

    def refuse_meld(self, state: State, action: LayMeld) -> Refusal | None:
        """Why these cards may not be laid now."""
        refusal = self._lay.refuse_meld(state, action)
        if refusal is None and state.melds_now >= self._meld_cap:
            text = f"no more than {self._meld_cap} new melds may be laid in a turn"
            refusal = Refusal(Reason.MELD_LIMIT, text, {"limit": self._meld_cap})
        return refusal or self._refuse_dead_end(state, action)

    def refuse_layoff(self, state: State, action: LayOff) -> Refusal | None:
        """Why this card may not be laid off there now."""
        melds = self._lay.open_melds(state, state.seat)
        return self._lay.refuse_layoff(state, action, melds) or self._refuse_dead_end(state, action)

    def refuse_swap(self, state: State, action: Swap) -> Refusal | None:
        """Why this joker may not be had now."""
        melds = self._lay.open_melds(state, state.seat)
        return self._lay.refuse_swap(state, action, melds) or self._refuse_dead_end(state, action)

    def _refuse_dead_end(self, state: State, move: TableMove) -> Refusal | None:
        if self._completes(state, move):
            return None
        if state.owed:
            owed = " ".join(str(FACES[each]) for each in cards_in(state.owed))
            text = f"{owed} must be tabled this turn, which could not be done any more"
            return Refusal(Reason.MUST_USE_TAKEN, text, {"owed": owed})
        if self._obligation.goes_out:
            return Refusal(Reason.TURN_COULD_NOT_END, "a turn that tables anything must empty the hand: this could not")
        if self._obligation.keeps_a_card:
            return Refusal(Reason.TURN_COULD_NOT_END, "a card must be kept that can be discarded at the end")
        text = "the turn could not end: the card left could be neither tabled nor discarded"
        return Refusal(Reason.TURN_COULD_NOT_END, text)

    # ------------------------------------------------------------------------------------------------------ do

    def table(self, state: State, move: TableMove) -> State:
        """The cards go to the table; an emptied hand goes out, or floats where a final discard is needed (R38)."""
        after = self._obligation.put(state, move)
        seat = state.seat
        if after.hands[seat]:
            return after
        if self._floats:
            return self._turn.end(after)
        return self._ending.went_out(after, seat)


def _laid(move: TableMove) -> int:
    """How many cards of the hand a table action lays on the table."""
    return len(move.cards) if type(move) is LayMeld else 1
