"""A comparison as JSON, CSV and Parquet. (One row per round: `comparing.rows`.)"""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from rummy_engine.compare import Comparison, Row
from rummy_engine.comparing.counting import ENDINGS
from rummy_engine.comparing.intervals import UNKNOWN, Interval
from rummy_engine.comparing.measures import BOT_MEASURES, MEASURES
from rummy_engine.comparing.setups import settings_text

FRAME: dict[str, type] = {
    "variant": str,
    "settings": str,
    "revision": int,
    "digest": str,
    "players": int,
    "bots": str,
    "best": str,
    "seed": str,
    "unit": str,
    "deals": int,
    "rounds": int,
    "matches": int,
    "faults": int,
}
"""The first columns of the tables; seeds are text, since they may be larger than other programs' integers."""


def to_json(comparison: Comparison) -> str:
    """The comparison as a JSON document; see `Comparison.to_dict`."""
    return json.dumps(comparison.to_dict(), indent=2, ensure_ascii=False) + "\n"


def to_csv(comparison: Comparison) -> str:
    """One line per row: what was played, the rounds per kind of ending, and every measure with its interval.

    A cell is empty where a measure says nothing, or there are too few rounds to say.
    """
    text = io.StringIO()
    table = csv.DictWriter(text, columns(comparison), lineterminator="\n")
    table.writeheader()
    table.writerows(_lines(comparison))
    return text.getvalue()


def to_parquet(comparison: Comparison) -> bytes:
    """The table of `to_csv` as the content of a Parquet file. Needs pyarrow (extra `parquet`)."""
    import pyarrow as arrow
    from pyarrow import parquet

    types = {int: arrow.int64(), str: arrow.string(), float: arrow.float64()}
    schema = arrow.schema([(name, types[kind]) for name, kind in columns(comparison).items()])
    content = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(_lines(comparison), schema=schema), content)
    return content.getvalue()


def columns(comparison: Comparison) -> dict[str, type]:
    """Name and type of every column: measures with their bounds, their differences from the first row, bots."""
    found = dict(FRAME)
    found |= {f"ended_{kind}_count": int for kind in ENDINGS}
    for name in MEASURES:
        found |= dict.fromkeys(_three(name), float)
    for name in MEASURES:
        found |= dict.fromkeys(_three(f"{name}_difference"), float)
    for place in range(max(len(row.bots) for row in comparison.rows)):
        found[f"bot_{place}"] = str
        for measure in BOT_MEASURES:
            found |= dict.fromkeys(_three(f"bot_{place}_{measure.name}"), float)
    return found


def _three(name: str) -> tuple[str, str, str]:
    return name, f"{name}_low", f"{name}_high"


def _lines(comparison: Comparison) -> list[dict[str, Any]]:
    return [_line(comparison, place, row) for place, row in enumerate(comparison.rows)]


def _line(comparison: Comparison, place: int, row: Row) -> dict[str, Any]:
    line: dict[str, Any] = dict.fromkeys(columns(comparison))
    line |= {
        "variant": row.variant,
        "settings": " ".join(settings_text(row.setup.settings)),
        "revision": row.game.profile.meta.revision,
        "digest": row.game.digest,
        "players": row.players,
        "bots": " ".join(row.bots),
        "best": row.best,
        "seed": str(comparison.seed),
        "unit": comparison.unit,
        "deals": row.tally.take("deals"),
        "rounds": row.rounds,
        "matches": row.matches,
        "faults": row.tally.faults,
    }
    line |= {f"ended_{kind}_count": row.tally.take(f"ended_{kind}") for kind in ENDINGS}
    intervals: dict[str, Interval] = dict(row.measures)
    if place:
        intervals |= {f"{name}_difference": each for name, each in comparison.differences(place).items()}
    for number, bot in enumerate(row.by_bot):
        line[f"bot_{number}"] = bot.name
        intervals |= {f"bot_{number}_{measure.name}": getattr(bot, measure.name) for measure in BOT_MEASURES}
    for name, interval in intervals.items():
        if interval != UNKNOWN:
            line |= dict(zip(_three(name), interval, strict=True))
    return line
