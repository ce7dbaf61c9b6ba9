"""Written positions: which of them somebody can act in (rules C12, C13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rummy_engine.actions import PASS, Knock, LayMeld, Pass
from rummy_engine.cards import BIT, JOKERS
from rummy_engine.errors import NotationError
from rummy_engine.state import DEALER, NOBODY, State

if TYPE_CHECKING:
    from rummy_engine.rules import Rules


NO_DISCARD_FOLLOWS = ("spread", "respond", "deal", "over")
"""The phases after the last discard of a round."""


def possible(rules: Rules, state: State) -> State:
    """The state, or the ended round where the profile scores that; raises NotationError where play would stick."""
    phase, seat, stock = state.phase, state.seat, rules.stock
    _check_history(rules, state)
    _check_knock(rules, state)
    if phase == "play":
        _check_turn(rules, state)
    if phase == "draw" and stock.scores_at_the_end:
        ended = stock.plays_on and stock.nothing_left(state)
        if ended or not rules.legal[phase](state):
            return rules.ending.finish(state, "stock_out")  # it ended with the turn before (rules C13, R29)
    if phase == "call" and not rules.calls(state, seat):
        raise NotationError(f"seat {seat} can call nothing here, so there is no phase 'call' (rules C12)")
    if phase == "reshuffle" and not stock.would_do(state):
        raise NotationError("there are too few cards to reshuffle: nobody could draw from the new stock")
    if phase == "offer" and not _opens(rules, state):
        raise NotationError("when all have passed, the first seat could neither draw nor take anything")
    if rules.needs_a_card and not all(state.hands) and phase not in NO_DISCARD_FOLLOWS:
        raise NotationError("a hand is empty, and with these rules it could never be sure of a card to discard")
    if seat != DEALER and not rules.legal[phase](state):
        raise NotationError(f"seat {seat} would have no legal action in this position (phase {phase!r})")
    return state


def _check_history(rules: Rules, state: State) -> None:
    """Raises NotationError where the round or the match cannot have come to this."""
    most = rules.stock.most_renewals
    if state.renewals > most:
        raise NotationError(f"renewals: the stock of this variant is renewed at most {most} times in a round")
    last = state.round - (state.phase != "over")  # the number moves on with the end of a round, but the last
    if state.result is not None and state.result.round != last:
        raise NotationError(f"result: the round that ended before round {state.round} is not {state.result.round}")


def _check_turn(rules: Rules, state: State) -> None:
    """Raises NotationError where a turn has done or owes what no turn of this game can."""
    if (state.tabled_now or state.owed) and LayMeld not in rules.refuse["play"]:
        raise NotationError("nothing is tabled in a turn of this variant (tabled_now, melds_now, owed)")
    may_be_owed = JOKERS if rules.table.swaps else 0
    if state.taken and (rules.owes(len(state.taken)) or state.by != NOBODY):
        may_be_owed |= BIT[state.taken[0]]
    if state.owed & ~may_be_owed:
        swapped = " or a joker" if rules.table.swaps else ""
        raise NotationError(f"owed: no more than the deepest card taken{swapped} is owed in this variant")


def _check_knock(rules: Rules, state: State) -> None:
    """Raises NotationError where nobody can have declared anything."""
    if Knock not in rules.in_game and (state.declared or state.knock_limit is not None):
        raise NotationError("there is no knocking in this variant (declared, knock_limit)")
    if state.declared and state.phase not in ("spread", "respond"):
        raise NotationError(f"declared: nothing is declared in phase {state.phase!r}")


def _opens(rules: Rules, state: State) -> bool:
    """Whether somebody can begin the first turn after everybody has passed."""
    while state.phase == "offer":
        state = rules.apply["offer"][Pass](state, PASS)
    return rules.legal[state.phase](state) != ()
