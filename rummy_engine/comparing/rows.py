"""One row per round, for further work: what its columns are, and a file that rows are written to as they come.

Rows are spooled as CSV while the work goes on and never held in memory; a Parquet file is made of the spool at the end.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from rummy_engine.comparing.playing import Played
from rummy_engine.comparing.setups import Setup, settings_text
from rummy_engine.errors import RummyError

Cells: TypeAlias = tuple[Any, ...]

COLUMNS: Mapping[str, tuple[type, str]] = MappingProxyType(
    {
        "row": (int, "row of the comparison, from 0"),
        "variant": (str, "name of the profile"),
        "settings": (str, "dials that were set for this row, as DIAL=VALUE, separated by spaces"),
        "digest": (str, "digest of the resolved profile"),
        "players": (int, "seats"),
        "deal": (int, "number of the deal, from 1: the same deal in every row"),
        "seed": (int, "seed of the deal: that of a Match with the same shuffles in its first round"),
        "seating": (int, "how the line-up was turned round the table, from 0"),
        "bots": (str, "the bot of each seat, from seat 0, separated by spaces"),
        "round": (int, "number of the round in its match, from 1; 1 where single rounds are played"),
        "dealer": (int, "seat that dealt"),
        "ended_by": (str, "kind of ending, as in RoundResult"),
        "winner": (int, "seat that went out, knocked unbeaten or alone undercut; empty where there is none"),
        "won_by": (int, "seat that alone made the best points of the round, which may be another; empty if none did"),
        "rummy": (bool, "whether somebody went rummy and that was rewarded"),
        "turns": (int, "completed turns"),
        "plies": (int, "player actions"),
        "renewals": (int, "renewals of the stock"),
        "options": (int, "legal actions of all decisions together"),
        "choices": (int, "decisions with two or more legal actions"),
        "calls": (int, "rummy calls"),
        "deep_draws": (int, "draws of two or more cards of the pile"),
        "jokers": (int, "jokers that were melded or laid off"),
        **{f"points_{seat}": (int, f"points of seat {seat}; empty where there is no such seat") for seat in range(8)},
        **{f"left_{seat}": (int, f"points left in the hand of seat {seat}") for seat in range(8)},
    }
)
"""Name -> type and meaning of every column, in order."""


def rows_of(
    setup: Setup, place: int, deal: int, seed: int, number: int, seating: Sequence[int], played: Played
) -> list[Cells]:
    """The rows of what was played: one per round; `number`: of the seating."""
    settings = " ".join(settings_text(setup.settings))
    bots = " ".join(setup.names[each] for each in seating)
    found = []
    for each in played.rounds:
        result = each.result
        blank = (None,) * (8 - setup.players)
        found.append(
            (
                *(place, setup.game.profile.meta.name, settings, setup.game.digest, setup.players),
                *(deal, seed, number, bots, result.round, result.dealer, result.kind, result.winner),
                *(result.standing.index("win") if "win" in result.standing else None, result.doubled),
                *(result.turns, each.plies, result.renewals, each.options, each.choices),
                *(each.calls, each.deep_draws, each.jokers),
                *(*result.points, *blank, *result.left, *blank),
            )
        )
    return found


def check_rows(path: Path) -> None:
    """Raises RummyError if rows cannot be written into a file of that name."""
    if path.suffix.lower() not in (".csv", ".parquet"):
        raise RummyError(f"rows are written as .csv or .parquet, not as {path.name!r:.60}")
    if path.suffix.lower() == ".parquet":
        check_pyarrow()


def check_pyarrow() -> None:
    """Raises RummyError if Parquet files cannot be written."""
    if find_spec("pyarrow") is None:
        raise RummyError('Parquet files need pyarrow: pip install "rummy-engine[parquet]"')


class RowsFile:
    """A file of rows; `path` ends in .csv or .parquet.

    `kept`: how many bytes of the spool a run that is resumed has accounted for; what stands behind them is cut off.
    """

    def __init__(self, path: Path, kept: int = 0) -> None:
        check_rows(path)
        self.path = path
        self.spool = path if path.suffix.lower() == ".csv" else path.with_name(path.name + ".spool.csv")
        if kept and (not self.spool.exists() or self.spool.stat().st_size < kept):
            if self.path.exists() and self.path != self.spool:
                kept = -1  # the run was complete and its spool turned into the file
            else:
                raise RummyError(f"the rows written before are gone: {str(self.spool)!r:.120}")
        self.complete = kept < 0
        self._file = None
        if not self.complete:
            try:
                self._file = self.spool.open("r+b" if kept else "wb")
            except OSError as error:
                raise RummyError(f"cannot write {str(self.spool)!r:.120}: {error.strerror or error}") from error
            self._file.truncate(kept)
            self._file.seek(0, os.SEEK_END)
            if not kept:
                self._write([tuple(COLUMNS)])

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        """Writes further rows."""
        self._write(rows)

    @property
    def size(self) -> int:
        """Bytes written so far, all of them handed to the system."""
        if self._file is None:
            return self.spool.stat().st_size if self.spool.exists() else 1
        self._file.flush()
        return self._file.tell()

    def _write(self, rows: Iterable[Sequence[Any]]) -> None:
        if self._file is None:
            return
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([_written(cell) for cell in row] for row in rows)
        self._file.write(text.getvalue().encode())

    def close(self, finished: bool) -> None:
        """Closes the spool and, if the work is finished, makes the Parquet file of it."""
        if self._file is None:
            return
        self._file.close()
        self._file = None
        if finished and self.spool != self.path:
            _to_parquet(self.spool, self.path)
            self.spool.unlink()


def _written(cell: object) -> object:
    return str(cell).lower() if isinstance(cell, bool) else cell


def _to_parquet(spool: Path, path: Path) -> None:
    """Copies a CSV file of rows block by block."""
    import pyarrow as arrow
    from pyarrow import csv as arrow_csv
    from pyarrow import parquet

    types = {int: arrow.int64(), str: arrow.string(), bool: arrow.bool_()}
    schema = arrow.schema([(name, types[kind]) for name, (kind, _) in COLUMNS.items()])
    convert = arrow_csv.ConvertOptions(column_types=schema, strings_can_be_null=False)
    with arrow_csv.open_csv(spool, convert_options=convert) as blocks, parquet.ParquetWriter(path, schema) as writer:
        for block in blocks:
            writer.write_batch(block)
