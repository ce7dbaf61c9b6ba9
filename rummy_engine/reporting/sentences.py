"""Sentences that several reports of a comparison say alike: why the run ended, and where points are penalties."""

from __future__ import annotations

from collections.abc import Sequence

from rummy_engine.compare import Comparison, Row
from rummy_engine.comparing.stopping import LEAST, Until

MOST_NAMED = 3
"""So many rows that do not meet a rule are named, the widest intervals first; the others are counted."""


def how_it_ended(comparison: Comparison) -> str:
    """Whether the number of deals or the stopping rule ended the run; where the rule is not met, what is missing.

    >>> from rummy_engine.compare import compare
    >>> how_it_ended(compare(["basic"], rounds=5))
    'A fixed number of deals, 5'
    """
    until = comparison.until
    done = max(row.tally.take("deals") for row in comparison.rows)
    if until is None:
        planned = f"A fixed number of deals, {comparison.deals}"
        return planned if comparison.complete else f"{planned}: stopped after {done}"
    if until.is_met([row.tally for row in comparison.rows]):
        return (
            f"The stopping rule is met after {done} deals: {until.sentence} "
            f"({LEAST} deals at least, {comparison.deals} at most)"
        )
    limit = f"ended at its limit of {comparison.deals} deals"
    end = limit if comparison.complete else f"was stopped after {done} deals"
    return f"The stopping rule is not met: the run {end} before {until.sentence}. {_missing(until, comparison.rows)}"


def _missing(until: Until, rows: Sequence[Row]) -> str:
    """Which intervals are too wide, and where there are too few deals."""
    wide = until.too_wide([row.tally for row in rows])
    order = sorted(wide, key=lambda place: (-(wide[place] or 0), place))
    found = []
    for place in order[:MOST_NAMED]:
        width = wide[place]
        found.append(f"{'unknown' if width is None else f'{until.told(width)} wide'} in {_name(rows[place], rows)}")
    if len(order) > MOST_NAMED:
        found.append(f"too wide in {len(order) - MOST_NAMED} more")
    parts = [f"It is {', '.join(found)}"] * bool(found)
    if any(row.tally.take("deals") < LEAST for row in rows):
        parts.append(f"{'no' if parts else 'No'} rule is met before {LEAST} deals of each row are counted")
    return "; ".join(parts)


def _name(row: Row, rows: Sequence[Row]) -> str:
    """The row as it is told from the others: with its line-up where there are several."""
    several = len({each.bots for each in rows}) > 1
    return row.label + f" with {', '.join(row.bots)}" * several


def penalised(rows: Sequence[Row]) -> tuple[str, ...]:
    """What plays for the fewest points: variants, or their rows where only some rows of a variant do."""
    mixed = {row.variant for row in rows if row.best == "highest"}
    lowest = (row for row in rows if row.best == "lowest")
    return tuple(dict.fromkeys(row.label if row.variant in mixed else row.variant for row in lowest))
