"""Saved matches: records in files, written so that a file is the old one or the new one and never half of it."""

from __future__ import annotations

import re
from pathlib import Path

from rummy_engine.errors import RecordError, RummyError
from rummy_engine.files import check_output, read_input, replace_output
from rummy_engine.match import Match
from rummy_engine.record import Record


def free_path(name: str, what: str = "match") -> Path:
    """A file for a match or `what` of the variant of that name, in this folder, that does not exist yet."""
    stem = re.sub(r"[^\w.-]+", "-", name)[:60] + f"-{what}"
    path, number = Path(f"{stem}.json"), 1
    while path.exists():
        number += 1
        path = Path(f"{stem}-{number}.json")
    return path


def check_new(path: Path) -> None:
    """Raises RummyError unless a match can be saved in a file of that name without losing one."""
    if path.is_file() and path.stat().st_size:
        raise RummyError(f"{str(path)!r:.120} exists already: name another file, or go on with it by --resume")
    check_output(path)


def save(match: Match, path: Path) -> None:
    """Writes the record of the match; raises RummyError if that fails, and then the file is as it was."""
    replace_output(path, match.record().to_json() + "\n")


def resumed(path: Path) -> tuple[Match, tuple[int, ...]]:
    """The match saved in a file, and the seats that have acted in it, in order; raises RummyError."""
    try:
        record = Record.from_json(read_input(path))
        seats = tuple(state.seat for state in record.states())
        return Match.from_record(record), seats[:-1]
    except RecordError as error:
        raise RecordError(f"{path}: {error}", error.index) from error
