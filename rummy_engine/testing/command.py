"""What `rummy verify` does: it loads a profile, checks it with a progress bar, and prints and writes the report."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rummy_engine.chance import check_seed
from rummy_engine.errors import ProfileError
from rummy_engine.files import check_output, write_output
from rummy_engine.game import load
from rummy_engine.hints import printable
from rummy_engine.testing.verify import Progress, check_examples, verify

if TYPE_CHECKING:
    from rich.console import Console

INTERRUPTED = 130
STDOUT = "-"
"""As the name of the JSON file: standard output, where the JSON then stands alone."""


def run_verify(source: str, examples: int, seed: int, json_path: Path | None, console: Console) -> int:
    """Verifies a shipped variant or a .toml file and prints the report; returns the exit code of the command.

    0: every law held. 1: the profile was refused (by `load`, or because it cannot be played to an end) or a law was
    broken. 130: interrupted before anything was found; what is known is printed. `json_path` also writes the report as
    JSON. Raises RummyError for bad arguments, also for a source that is neither a variant nor a file.
    """
    check_examples(examples)
    check_seed(seed)
    if json_path is not None and str(json_path) != STDOUT:
        check_output(json_path)
    try:
        game = load(source)
    except ProfileError as error:
        if not Path(source).is_file():
            raise
        refused = [problem.text for problem in error.problems]
        document = {"name": source, "ok": False, "refused": refused}
        _tell("\n".join(f"refused: {printable(text)}" for text in refused), document, json_path, console)
        return 1
    with _progress(console) as progress:
        report = verify(game, examples, seed, progress)
    _tell(report.text(), report.to_dict(), json_path, console)
    if not report.ok:
        return 1
    return INTERRUPTED if report.interrupted else 0


def _tell(text: str, document: dict[str, Any], json_path: Path | None, console: Console) -> None:
    """Prints the text and writes the document; on standard output the document stands alone."""
    written = json.dumps(document, indent=2) + "\n"
    to_stdout = str(json_path) == STDOUT
    console.print(written if to_stdout else text, markup=False, highlight=False, soft_wrap=True)
    if json_path is not None and not to_stdout:
        write_output(json_path, written)


@contextmanager
def _progress(console: Console) -> Iterator[Progress | None]:
    """A progress bar on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console as StandardError
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = TextColumn("plays"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Bar(*columns, console=StandardError(stderr=True), transient=True) as bar:
        task = bar.add_task("plays", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
