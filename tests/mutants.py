"""Engines with one thing wrong, and the law that has to notice: the laws must be able to fail."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import pytest

from rummy_engine import record
from rummy_engine.actions import Action
from rummy_engine.cards import Card, card
from rummy_engine.knowledge import events, sampling, view
from rummy_engine.melds.arrange import Arranger
from rummy_engine.profiles.profile import Profile
from rummy_engine.rules import lay
from rummy_engine.rules.deal import DealRules
from rummy_engine.rules.discard import DiscardRules
from rummy_engine.rules.draw import DrawRules
from rummy_engine.rules.ending import Ending
from rummy_engine.rules.play import Play
from rummy_engine.rules.scoring import RoundScore
from rummy_engine.rules.stock import Stock
from rummy_engine.rules.table import Table
from rummy_engine.rules.turn import Turn
from rummy_engine.state import State
from rummy_engine.text import notation, position

Change: TypeAlias = Callable[[Any], Any]
"""Makes the mutant's function of the right one."""


class Mutant(NamedTuple):
    """One fault: where it is, what it is, the law that must break and a variant in which it must."""

    law: str
    owner: object
    name: str
    change: Change
    variant: str = "basic"

    def install(self, patch: pytest.MonkeyPatch) -> None:
        """Puts the fault in, for games compiled from now on."""
        patch.setattr(self.owner, self.name, self.change(getattr(self.owner, self.name)))


def _always(value: object) -> Change:
    return lambda right: lambda *arguments, **keywords: value


def _then(change: Callable[..., object]) -> Change:
    """The right result, changed: `change(result, *arguments)`."""
    return lambda right: lambda *arguments: change(right(*arguments), *arguments)


def _draws_a_copy(after: State, rules: object, before: State, action: object) -> State:
    """The card drawn stays on the stock as well."""
    return after._replace(stock=before.stock)


def _one_card_more(after: State, *_: object) -> State:
    """With a discard the next seat draws at once."""
    if not after.stock or after.phase != "draw":
        return after
    hands = [hand | (1 << after.stock[0] if seat == after.seat else 0) for seat, hand in enumerate(after.hands)]
    return after._replace(hands=tuple(hands), stock=after.stock[1:])


def _pile_turned(after: State, *_: object) -> State:
    """A discard goes under the pile."""
    return after._replace(pile=after.pile[-1:] + after.pile[:-1]) if after.phase == "draw" else after


def _no_spade_on_top(may: bool, rules: object, state: State, count: int) -> bool:
    return may and not (count == 1 and state.pile[-1] // 13 == 0)


def _not_seat_0(may: bool, rules: object, state: State, count: int) -> bool:
    return may and not (count == 1 and state.seat == 0)


def _hand_of_four_is_stuck(moves: tuple[Action, ...], rules: object, state: State) -> tuple[Action, ...]:
    return () if state.hands[state.seat].bit_count() == 4 else moves


def _no_turn_cap(_: None, turn: Any, *__: object) -> None:
    turn._max_turns = 10**9


def _higher_floor(_: None, stock: Any, *__: object) -> None:
    stock.floor += 3


_counter = itertools.count(1)

MUTANTS = (
    Mutant("no_card_twice", DrawRules, "draw", _then(_draws_a_copy)),
    Mutant("nothing_lost", Turn, "discard", _then(lambda after, *_: after._replace(pile=after.pile[1:]))),
    Mutant("table_is_melds", Table, "fits", _always(0)),
    Mutant("hands_grow_by_drawing", Turn, "discard", _then(_one_card_more)),
    Mutant("moves_what_it_says", Turn, "discard", _then(_pile_turned)),
    Mutant("someone_can_act", Play, "legal", _then(_hand_of_four_is_stuck)),
    Mutant("legal_lists_once", Play, "legal", _then(lambda moves, *_: moves + moves[:1])),
    Mutant("legal_applies", DiscardRules, "allowed", _always(0)),
    Mutant("judges_agree", lay, "not_held", _always(None)),
    Mutant("chance_is_due", DealRules, "refuse_deal", _always(None)),
    Mutant("same_again", DrawRules, "draw", _then(lambda after, *_: after._replace(turns=next(_counter)))),
    Mutant("turns_are_counted", Turn, "__init__", _then(_no_turn_cap)),
    Mutant("actions_read_back", notation, "_count", _always(1), "rummy-500"),
    Mutant("position_reads_back", position, "describe", _then(lambda keywords, _: {**keywords, "known": None})),
    Mutant("pickles", Card, "__reduce__", lambda right: lambda self: (card, (51 - min(self, 51),))),
    Mutant("replays", record.Record, "replay", _then(lambda state, *_: state._replace(turns=state.turns + 1))),
    Mutant("profile_reads_back", Profile, "to_toml", _then(lambda text, _: text.replace("= 1000", "= 999"))),
    Mutant("no_leak", view, "seen_by_all", lambda right: lambda state: state.hands, "gin-knock"),
    Mutant("events_do_not_leak", events._Teller, "sees", _always(True)),
    Mutant("events_agree", events._Teller, "sees", lambda right: lambda self, seat: self.viewer is events.ALL),
    Mutant("samples_fit", sampling, "sample_state", _then(lambda state, *_: state._replace(hands=state.hands[::-1]))),
    Mutant("views_are_plain", view, "_in_faces", lambda right: lambda meld: meld, "rummy-500"),
    Mutant("suits_are_names", DrawRules, "_may_take", _then(_no_spade_on_top), "rummy-500"),
    Mutant("seats_are_alike", DrawRules, "_may_take", _then(_not_seat_0), "rummy-500"),
    Mutant("twins_are_alike", lay, "pick", lambda right: lambda hand, face, *_: right(hand, face), "rummy-500"),
    Mutant("ending_is_true", Stock, "__init__", _then(_higher_floor)),
    Mutant(
        "points_follow", RoundScore, "score",
        _then(lambda score, *_: score._replace(points=tuple(each * 2 for each in score.points))),
    ),
    Mutant("match_moves_on", DealRules, "dealer_after", _then(lambda dealer, _, before, *__: before)),
    Mutant("deadlock_is_right", Ending, "is_deadlock", lambda right: lambda self, state: not state.fits),
    Mutant("deadwood_is_reached", Arranger, "best", _then(lambda best, *_: best._replace(points=best.points + 1))),
    Mutant(
        "deadwood_grows_slowly", Arranger, "best",
        _then(lambda best, _, hand, *__: best._replace(points=best.points * hand.bit_count())),
    ),
)  # fmt: skip
"""At least one for every law."""

