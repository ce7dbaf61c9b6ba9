"""A comparison as JSON and CSV text, and files to write such things to, which are tried before the work."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from rummy_engine.compare import INTERVALS, Comparison, Row
from rummy_engine.errors import RummyError
from rummy_engine.tally import ENDINGS


def to_json(comparison: Comparison) -> str:
    """The comparison as a JSON document; see `Comparison.to_dict`."""
    return json.dumps(comparison.to_dict(), indent=2, ensure_ascii=False) + "\n"


def to_csv(comparison: Comparison) -> str:
    """One line per row: what was played, the rounds per kind of ending, and of each measure value, low and high.

    The measures are those of `compare.MEASURES`. A cell is empty where there are too few rounds to say.
    """
    text = io.StringIO()
    table = csv.DictWriter(text, _columns(), lineterminator="\n")
    table.writeheader()
    for row in comparison.rows:
        table.writerow(_cells(comparison, row))
    return text.getvalue()


def _columns() -> list[str]:
    return [
        *("variant", "revision", "digest", "players", "bots", "best", "seed", "rounds"),
        *(f"ended_{kind}" for kind in ENDINGS),
        *(f"{name}{suffix}" for name in INTERVALS for suffix in ("", "_low", "_high")),
    ]


def _cells(comparison: Comparison, row: Row) -> dict[str, object]:
    cells: dict[str, object] = {
        "variant": row.variant,
        "revision": row.revision,
        "digest": row.digest,
        "players": row.players,
        "bots": " ".join(row.bots),
        "best": row.best,
        "seed": comparison.seed,
        "rounds": row.rounds,
    }
    cells |= {f"ended_{kind}": row.tally.endings[kind] for kind in ENDINGS}
    for name in INTERVALS:
        value, low, high = getattr(row, name)
        cells |= {name: value, f"{name}_low": low, f"{name}_high": high}
    return cells


def check_output(path: Path) -> None:
    """Raises RummyError if nothing can be written there; what is there stays as it is."""
    try:
        is_new = not path.exists()
        if not (is_new or path.is_file() or path.is_dir()):
            return  # a pipe or a device, whose reader would take the attempt for the end
        with path.open("ab"):
            pass
        if is_new:
            path.unlink()
    except (OSError, ValueError) as error:
        raise RummyError(f"cannot write {_shown(path)}: {_why(error)}") from error


def read_input(path: Path) -> str:
    """The text of a file; raises RummyError if there is none."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RummyError(f"{_shown(path)} is not UTF-8 text (byte {error.start})") from error
    except (OSError, ValueError) as error:
        raise RummyError(f"cannot read {_shown(path)}: {_why(error)}") from error


def write_output(path: Path, content: str | bytes) -> None:
    """Writes a file; raises RummyError if that fails."""
    try:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise RummyError(f"cannot write {_shown(path)}: {_why(error)}") from error


def _shown(path: Path) -> str:
    return f"{str(path)!r:.120}"


def _why(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
