"""Files to write results to, which are tried before the work, and files to read."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from rummy_engine.errors import RummyError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

MAX_INPUT = 50_000_000
"""The largest file that is read, in bytes: a record of some million actions."""


def check_output(path: Path) -> None:
    """Raises RummyError if nothing can be written there; what is there stays as it is."""
    try:
        is_new = not path.exists()
        if not (is_new or path.is_file() or path.is_dir()):
            return  # a pipe or a device, whose reader would take the attempt for the end
        with path.open("ab"):
            pass
        if is_new:
            path.resolve().unlink()  # not a symbolic link that leads there
    except (OSError, ValueError) as error:
        raise RummyError(f"cannot write {_shown(path)}: {_why(error)}") from error


def read_bytes(path: Traversable, most: int) -> bytes:
    """The bytes of a file; raises OSError if there is none, or if it holds more than so many bytes.

    A pipe that somebody made with a name is refused: who opens it waits for a writer.
    """
    if isinstance(path, Path) and path.is_fifo() and not str(path).startswith(("/dev/", "/proc/")):
        raise OSError("it is a pipe, not a file")
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(f"it holds more than {most} bytes")
    return content


def read_input(path: Path) -> str:
    """The text of a file of at most MAX_INPUT bytes; raises RummyError if there is none."""
    try:
        return read_bytes(path, MAX_INPUT).decode("utf-8-sig")
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


def replace_output(path: Path, content: str) -> None:
    """Writes a file that is the old one or the new one and never half of it; raises RummyError if that fails.

    What is no plain file, such as a device, is written as it is; of a symbolic link, the file it leads to.
    """
    check_output(path)
    if path.exists() and not path.is_file():
        write_output(path, content)
        return
    path = path.resolve()
    part = path.with_name(f"{path.name}.part")
    try:
        write_output(part, content)
        os.replace(part, path)
    except OSError as error:
        raise RummyError(f"cannot write {_shown(path)}: {_why(error)}") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _shown(path: Path) -> str:
    return f"{str(path)!r:.120}"


def _why(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
