"""Files to write results to, which are tried before the work, and files to read."""

from __future__ import annotations

from pathlib import Path

from rummy_engine.errors import RummyError


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
