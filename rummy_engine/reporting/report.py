"""Variants and records as text for a terminal: rich tables that fit 80 columns."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table

from rummy_engine.game import Game
from rummy_engine.hints import printable
from rummy_engine.record import Record
from rummy_engine.state import DEALER, RoundResult, State

WIDE = 100
"""From so many columns on, tables need not be narrow."""
UNBROKEN = 10_000
"""The width of lists in a pipe: one line for each entry."""
LONGEST_LINE = 1000
"""Messages of one line are cut after so many characters."""


NARROWEST = 20
"""No screen is taken to be narrower, in columns."""


def console(pipe_width: int) -> Console:
    """Standard output; `pipe_width`: its columns where it is no terminal and nothing else says how many."""
    says = sys.stdout.isatty() or os.environ.get("COLUMNS")
    width = shutil.get_terminal_size((pipe_width, 24)).columns if says else pipe_width  # COLUMNS=0 says nothing
    return Console(width=max(width, NARROWEST), highlight=False, markup=False, emoji=False)


def print_table(screen: Console, table: Table) -> None:
    """Prints a table without the spaces that rich ends every line with."""
    with screen.capture() as captured:
        screen.print(table)
    print(*(line.rstrip() for line in captured.get().splitlines()), sep="\n")


def one_line(text: str) -> str:
    """The text on one line that any screen can show."""
    line = printable(" ".join(text.split()))
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 3] + "..."


def variants_table(games: Iterable[Game], width: int) -> Table:
    """Name, players and summary of variants."""
    table = plain_table(max(width, WIDE))
    for title in ("Name", "Players"):
        table.add_column(title, no_wrap=True)
    table.add_column("Summary")
    for game in games:
        profile = game.profile
        seats = sorted({profile.players.min, profile.players.max})
        table.add_row(printable(profile.meta.name), "–".join(map(str, seats)), printable(profile.meta.summary))
    return table


def plain_table(width: int) -> Table:
    """A table without frames; on narrow screens without gaps beside the lines, too."""
    padding = (0, 1 if width >= WIDE else 0)
    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=padding, header_style="bold")


# ------------------------------------------------------------------------------------------------------------ records


class Replayed(NamedTuple):
    """A record played through: the results of its rounds, and the state at its end."""

    results: tuple[RoundResult, ...]
    state: State


def replayed(record: Record) -> Replayed:
    """Plays a record through; raises RecordError where it does not fit."""
    states = record.states()
    state = next(states)
    results: list[RoundResult] = []
    last = state.result
    for state in states:
        if state.result is not None and state.result != last:
            results.append(state.result)
            last = state.result
    return Replayed(tuple(results), state)


def results_table(results: Iterable[RoundResult], width: int) -> Table:
    """The rounds of a match, one a line."""
    table = plain_table(width)
    for title in ("Round", "Dealer"):
        table.add_column(title, justify="right", no_wrap=True)
    for title in ("Ended by", "Winner", "Points"):
        table.add_column(title, no_wrap=True)
    table.add_column("Turns", justify="right", no_wrap=True)
    for result in results:
        table.add_row(
            str(result.round),
            str(result.dealer),
            result.kind.replace("_", " ") + (", rummy" if result.doubled else ""),
            "–" if result.winner is None else f"seat {result.winner}",
            _numbers(result.points),
            str(result.turns),
        )
    return table


def state_lines(game: Game, state: State) -> tuple[str, ...]:
    """Where a match stands, with every card: for its host."""
    scores = f"scores: {_numbers(state.scores)}"
    if game.is_over(state):
        won = game.winners(state)
        return (f"match over, won by seat {' and seat '.join(map(str, won))}; {scores}",)
    if game.round_over(state) or state.seat == DEALER:
        what = "reshuffle" if state.phase == "reshuffle" else "deal"
        return (f"round {state.round}, waiting for the {what}; {scores}",)
    position = game.describe(state)
    return (
        f"round {state.round}, seat {state.seat} to act in phase {state.phase!r}; {scores}",
        *(f"hand {seat}: {hand}" for seat, hand in enumerate(position["hands"])),
        *(f"meld {index}: {meld}" for index, meld in enumerate(map(str, state.table))),
        f"pile: {' '.join(map(str, state.pile)) or 'empty'}",
        f"stock: {len(state.stock)} cards",
    )


def _numbers(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))
