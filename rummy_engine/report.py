"""Comparisons and records as text for a terminal: rich tables that fit 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich import box
from rich.table import Table

from rummy_engine.compare import Comparison, Row
from rummy_engine.game import Game
from rummy_engine.intervals import Interval
from rummy_engine.record import Record
from rummy_engine.state import DEALER, RoundResult, State

WIDE = 100
"""From so many columns on, tables need not be narrow."""
NAME_WIDTH = 17
"""Longer names of variants are broken at hyphens on narrow screens."""


def comparison_table(comparison: Comparison, width: int) -> Table:
    """One table of all rows; `width`: the columns of the screen."""
    table = _table(width)
    table.leading = 1
    table.add_column("Variant", no_wrap=True)
    table.add_column("Rounds", justify="right", no_wrap=True)
    table.add_column("Ended by", no_wrap=True)
    for title in ("Plies", "Turns", "Points", "Left of\ndealer", "Time"):
        table.add_column(title, justify="right", no_wrap=True)
    for row in comparison.rows:
        table.add_row(
            "\n".join([*_broken(printable(row.variant), width), f"{row.players} players", *_lineup(row)]),
            str(row.rounds),
            "\n".join(_ending(kind, share) for kind, share in row.endings.items()),
            _mean(row.plies),
            _mean(row.turns),
            _mean(row.points),
            _share(row.left_won),
            f"{row.seconds:.1f} s",
        )
    return table


def comparison_notes(comparison: Comparison) -> tuple[str, ...]:
    """What has to be said below the table."""
    notes = [
        "Plies and turns: means per round, ± half of the 95 % interval. Points: mean per",
        "seat and round. Left of dealer: share of rounds won by the seat left of the",
        f"dealer, with its 95 % interval. Time: of all workers. Seed {comparison.seed}.",
    ]
    penalised = dict.fromkeys(row.variant for row in comparison.rows if row.best == "lowest")
    if penalised:
        notes.append(f"Points are penalties, the fewest win: {printable(', '.join(penalised))}.")
    if any(len(row.bots) > 1 for row in comparison.rows):
        notes.append("After the name of a bot: its mean points per round.")
    return tuple(notes)


def printable(text: str) -> str:
    """The text with what no screen shows, or what would steer it, written as Python escapes it."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def variants_table(games: Iterable[Game], width: int) -> Table:
    """Name, players and summary of variants."""
    table = _table(max(width, WIDE))
    for title in ("Name", "Players"):
        table.add_column(title, no_wrap=True)
    table.add_column("Summary")
    for game in games:
        profile = game.profile
        seats = sorted({profile.players.min, profile.players.max})
        table.add_row(printable(profile.meta.name), "–".join(map(str, seats)), printable(profile.meta.summary))
    return table


def _table(width: int) -> Table:
    padding = (0, 1 if width >= WIDE else 0)
    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=padding, header_style="bold")


def _broken(name: str, width: int) -> list[str]:
    """The name of a variant in lines of at most `NAME_WIDTH`, unless the screen is wide."""
    if width >= WIDE:
        return [name]
    lines = [""]
    for part in name.replace("-", "-\0").split("\0"):
        if lines[-1] and len(lines[-1]) + len(part) > NAME_WIDTH:
            lines.append("")
        lines[-1] += part
    return [line[start : start + NAME_WIDTH] for line in lines for start in range(0, len(line), NAME_WIDTH)]


def _lineup(row: Row) -> list[str]:
    if len(row.bots) == 1:
        return [f"bots: {row.bots[0]:.11}"]
    if not row.by_bot:
        return [f"{name:.11}" for name in row.bots]
    return [f"{bot.name:.9} {_number(bot.points.value)}" for bot in row.by_bot]


def _ending(kind: str, share: Interval) -> str:
    return f"{kind.replace('_', ' '):9}{_percent(share.value):>8}"


def _mean(mean: Interval) -> str:
    if mean.value is None or mean.high is None:
        return _number(mean.value)
    return f"{_number(mean.value)}\n±{mean.high - mean.value:.1f}"


def _share(share: Interval) -> str:
    if share.value is None or share.low is None or share.high is None:
        return "–"
    return f"{_percent(share.value)}\n{100 * share.low:.0f}–{100 * share.high:.0f} %"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


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
    table = _table(width)
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
