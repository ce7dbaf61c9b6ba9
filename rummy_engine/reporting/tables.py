"""Comparisons as rich tables: one that fits 80 columns with a line-up a row, and one with every measure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor
from textwrap import wrap

from rich import box
from rich.table import Table

from rummy_engine.compare import Comparison, Row
from rummy_engine.comparing.intervals import FEW, Interval, number
from rummy_engine.comparing.measures import MEASURES, Measure
from rummy_engine.hints import printable
from rummy_engine.reporting.report import WIDE, plain_table
from rummy_engine.reporting.sentences import how_it_ended, penalised

NAME_WIDTH = 17
"""Longer names are broken on narrow screens."""
DETAILED = 3
"""Up to so many rows every measure is printed without being asked for."""
COLUMN = 21
"""The width of a row's column in the table of measures."""


def comparison_table(comparison: Comparison, width: int) -> Table:
    """One table of all rows; `width`: the columns of the screen."""
    table = plain_table(width)
    table.leading = 1
    table.add_column("Variant", no_wrap=True)
    played_title = "Matches\nrounds\ntime" if comparison.whole_matches else "Rounds\ntime"
    table.add_column(played_title, justify="right", no_wrap=True)
    table.add_column("Ended by", no_wrap=True)
    for title in ("Plies", "Turns", "Points", "Left of\ndealer"):
        table.add_column(title, justify="right", no_wrap=True)
    for row in comparison.rows:
        played = [str(row.matches)] * comparison.whole_matches + [str(row.rounds), _time(row.seconds)]
        name = _broken(printable(row.label), WIDE if width >= WIDE else NAME_WIDTH)
        table.add_row(
            "\n".join([*name, f"{row.players} players", *_lineup(row)]),
            "\n".join(played),
            "\n".join(_endings(row)),
            *(_mean(row.measures.get(name)) for name in ("plies", "turns", "points")),
            _share(row.measures.get("left_won")),
        )
    return table


def comparison_notes(comparison: Comparison, width: int) -> tuple[str, ...]:
    """What has to be said below the table, in lines."""
    notes = [
        "Ended by: share of rounds with its 95 % interval. Plies and turns: means per round, ± half of the 95 % "
        "interval. Points: mean per seat and round. Left of dealer: share of rounds won by that seat. Time: of all "
        f"workers. {how_it_ended(comparison)}; seed {comparison.seed}."
    ]
    if names := penalised(comparison.rows):
        notes.append(f"Points are penalties, the fewest win: {', '.join(names)}.")
    if any(len(row.bots) > 1 for row in comparison.rows):
        notes.append(
            "After the name of a bot: its mean points per seat and round. "
            "A deal is played once for every way to turn the line-up round the table."
        )
    if any(row.rounds and row.tally.take("deals") < FEW for row in comparison.rows):
        notes.append(f"With fewer than {FEW} deals, intervals are narrower than they should be.")
    idle = {dial for row in comparison.rows for dial in row.setup.settings if dial.split(".")[0] == "match"}
    if idle and not comparison.whole_matches:
        notes.append(f"Single rounds do not show what {', '.join(sorted(idle))} does: see --matches.")
    if prizes := {dial for row in comparison.rows for dial in row.setup.settings if dial.split(".")[0] == "prize"}:
        notes.append(f"What {', '.join(sorted(prizes))} does is not shown: the prize is paid out after a match.")
    return tuple(line for note in notes for line in wrap(printable(note), min(width, WIDE)))


def skill_table(comparison: Comparison, width: int) -> Table | None:
    """The skill index of each row where two bots have equally many seats, with the pair; None where there is none."""
    rows = [row for row in comparison.rows if row.skill is not None]
    if not rows:
        return None
    table = plain_table(width)
    for title in ("Skill index", "better", "worse"):
        table.add_column(title, no_wrap=True)
    what = "match" if comparison.whole_matches else "round"
    table.add_column(f"chance of winning a {what} less ½, %", justify="right", no_wrap=True)
    for row in rows:
        assert row.skill is not None
        name = _broken(printable(row.label), WIDE if width >= WIDE else NAME_WIDTH)
        bots = (_short(bot, 11) for bot in (row.skill.better, row.skill.worse))
        table.add_row("\n".join(name), *bots, _interval(MEASURES["skill"], row.skill.index))
    return table


def measures_tables(comparison: Comparison, width: int) -> Iterator[Table]:
    """Every measure of every row, as many rows side by side as fit; below, the difference from the first row."""
    rows = [(place, row) for place, row in enumerate(comparison.rows) if row.rounds]
    first = max(len(_title(measure)) for measure in MEASURES.values())
    across = max(1, (width - first) // (COLUMN + 1))
    for start in range(0, len(rows), across):
        block = rows[start : start + across]
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=0, header_style="bold")
        table.add_column("Measure", no_wrap=True, width=first)
        for _, row in block:
            heading = [*_broken(printable(row.label), COLUMN), *wrap(", ".join(map(printable, row.bots)), COLUMN)]
            table.add_column("\n".join(heading), width=COLUMN)
        differences = {place: comparison.differences(place) if place else {} for place, _ in block}
        for name, measure in MEASURES.items():
            if not any(name in row.measures or name in differences[place] for place, row in block):
                continue
            cells = []
            for place, row in block:
                text = _interval(measure, row.measures[name]) if name in row.measures else "–"
                if name == "skill" and row.skill is not None:
                    text += "\n" + "\n".join(wrap(" against ".join(map(printable, row.bots)), COLUMN))
                found = differences[place].get(name)
                cells.append(text if found is None else f"{text}\n{_difference(measure, found)}")
            table.add_row(_title(measure), *cells)
        yield table


MEASURES_NOTE = (
    "In brackets: 95 % intervals. Δ: difference from the first row on the same deals,",
    "± half of its 95 % interval; *: that interval does not hold 0. What each measure",
    "means: docs/comparing.md, and in what --html and --json write.",
)


def _title(measure: Measure) -> str:
    return measure.title + " (%)" * measure.is_share


def _interval(measure: Measure, interval: Interval) -> str:
    scale = 100 if measure.is_share else 1
    value, low, high = (None if each is None else scale * each for each in interval)
    if value is None:
        return "–"
    places = 1 if measure.is_share or max(map(abs, (value, low or 0, high or 0))) >= 100 else 2
    text = number(value, places)
    return text if low is None or high is None else f"{text} [{number(low, places)}, {number(high, places)}]"


def _difference(measure: Measure, interval: Interval) -> str:
    scale = 100 if measure.is_share else 1
    value, low, high = interval
    assert value is not None
    text = f"Δ {round(scale * value, 2) + 0.0:+.2f}"
    if low is None or high is None:
        return text
    return f"{text} ±{scale * (high - low) / 2:.2f}" + " *" * (low > 0 or high < 0)


def _broken(name: str, width: int) -> list[str]:
    """A name in lines of at most so many characters, broken at hyphens, gaps and = where there are any."""
    lines = [""]
    for part in name.replace("-", "-\0").replace(" ", "\0").replace("=", "=\0").split("\0"):
        gap = " " if lines[-1] and lines[-1][-1] not in "-=" else ""
        if lines[-1] and len(lines[-1]) + len(gap) + len(part) > width:
            lines.append(part)
        else:
            lines[-1] += gap + part
    return [line[start : start + width] for line in lines for start in range(0, len(line), width)]


def _lineup(row: Row) -> Sequence[str]:
    if len(row.bots) == 1:
        return [f"bots: {_short(row.bots[0], 11)}"]
    return [f"{_short(bot.name, 7)}{_bot_points(bot.points)}" for bot in row.by_bot]


def _short(bot: str, width: int) -> str:
    """The name of a bot in so many characters, without its module where that is too much.

    >>> _short("medium", 7), _short("mine:hasty", 11), _short("mine:hasty", 7), _short("mine:undecided", 7)
    ('medium', 'mine:hasty', 'hasty', 'undeci…')
    """
    name = printable(bot)
    if len(name) > width:
        name = name.rpartition(":")[2]
    return name if len(name) <= width else name[: width - 1] + "…"


def _bot_points(points: Interval) -> str:
    if points.value is None:
        return ""
    return f" {number(points.value, 1)}" + ("" if points.width is None else f" ±{points.width / 2:.1f}")


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 1000 else f"{seconds:.0f} s"


def _endings(row: Row) -> Iterator[str]:
    for name, share in row.measures.items():
        if name.startswith("ended_") and share.value is not None:
            text = f"{MEASURES[name].title.removeprefix('ended: '):9}{_percent(share.value):>6} %"
            if share.low is not None and share.high is not None:
                text += f" {_bounds(share.value, share.low, share.high):>6}"
            yield text


def _mean(mean: Interval | None) -> str:
    if mean is None or mean.value is None:
        return "–"
    return number(mean.value, 1) if mean.width is None else f"{number(mean.value, 1)}\n±{mean.width / 2:.1f}"


def _share(share: Interval | None) -> str:
    if share is None or share.value is None or share.low is None or share.high is None:
        return "–"
    return f"{_percent(share.value)} %\n{_bounds(share.value, share.low, share.high)} %"


def _percent(share: float) -> str:
    """A share in percent; one that is neither none nor all is never told as if it were.

    >>> _percent(0.5), _percent(0.9999), _percent(0.0001), _percent(1.0)
    ('50.0', '>99.9', '<0.1', '100.0')
    """
    text = f"{100 * share:.1f}"
    if share in (0, 1) or text not in ("0.0", "100.0"):
        return text
    return "<0.1" if share < 0.5 else ">99.9"


def _bounds(value: float, low: float, high: float) -> str:
    """The bounds of a share in whole percent, which hold the share also where it is very small or large.

    >>> _bounds(0.452, 0.436, 0.468), _bounds(0.001, 0.0002, 0.003)
    ('44–47', '0–1')
    """
    return f"{min(round(100 * low), floor(100 * value))}–{max(round(100 * high), ceil(100 * value))}"
