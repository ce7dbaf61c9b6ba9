"""The command line `rummy`: looking at variants, checking files, replaying records, playing, comparing.

Bad input and bad usage get one line on standard error and exit code 2.
"""

from __future__ import annotations

import json
import os
import sys
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from rummy_engine import __version__
from rummy_engine.cli_compare import INTERRUPTED, compare_variants
from rummy_engine.errors import ProfileError, RecordError, RummyError
from rummy_engine.files import read_input
from rummy_engine.game import load
from rummy_engine.profiles.layers import variants
from rummy_engine.record import Record
from rummy_engine.reporting.report import (
    UNBROKEN,
    console,
    one_line,
    print_table,
    replayed,
    results_table,
    state_lines,
    variants_table,
)
from rummy_engine.terminal.command import play

NARROW = 80
"""The width of tables where no terminal says another, in columns."""
STDOUT = "-"
"""As the name of a file: standard output."""

Name: TypeAlias = Annotated[str, typer.Argument(metavar="NAME", help="A variant, by name or as a .toml file.")]

# Typer has carried its own copy of click since 0.20 or so; this is the base of all usage errors in either.
UsageFault: type[Exception] = typer.BadParameter.__mro__[2]

app = typer.Typer(
    help="The rules of Rummy games: variants as data, comparisons, records, play.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit code; never raises."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if sys.stderr is None:  # closed by whoever started the program
        sys.stderr = StringIO()
    if sys.stdout is None:
        return _fail("cannot write: standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a screen that cannot show ± must not end the program
    try:
        code = app(_with_file_names(words), prog_name="rummy", standalone_mode=False, obj=words)
        sys.stdout.flush()
        return int(code or 0)
    except UsageFault as error:
        return _fail(getattr(error, "format_message", error.__str__)())
    except ProfileError as error:
        more = len(error.problems) - 1
        return _fail(error.problems[0].text + (f" (and {more} more: see rummy check)" if more else ""))
    except RummyError as error:
        return _fail(str(error))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return 1
    except OSError as error:
        _forget_output()
        return _fail(f"cannot write: {error.strerror or error}")


def _fail(message: str) -> int:
    with suppress(OSError):
        print(f"rummy: {one_line(message)}", file=sys.stderr)
    return 2


def _forget_output() -> None:
    """Lets nothing more be written to standard output, so that Python does not complain at its exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _with_file_names(words: Sequence[str]) -> list[str]:
    """`--json` and `--csv` with no file name after them (a variant's is none) mean standard output."""
    filled = []
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else "--"
        filled.append(word)
        is_file = following == STDOUT or not (following.startswith("-") or following in variants())
        if word in ("--json", "--csv") and not is_file:
            filled.append(STDOUT)
    return filled


# -------------------------------------------------------------------------------------------------- looking at variants


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"rummy-engine {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """The rules of Rummy games: variants as data, comparisons, records, play."""


@app.command("variants")
def list_variants() -> None:
    """List the shipped variants."""
    screen = console(pipe_width=UNBROKEN)
    print_table(screen, variants_table([load(name) for name in variants()], screen.width))


@app.command()
def show(name: Name) -> None:
    """Print the resolved profile of a variant, with every dial."""
    print(load(name).profile.to_toml(), end="")


@app.command()
def check(files: Annotated[list[str], typer.Argument(metavar="FILE", help="Profiles, as .toml files.")]) -> None:
    """Check profiles and print every problem; exit code 1 if there is one."""
    code = 0
    for file in files:
        try:
            if file not in variants():
                read_input(Path(file))
            game = load(file if file in variants() else Path(file))
        except ProfileError as error:
            code = max(code, 1)
            for problem in error.problems:
                print(one_line(problem.text))
        except RummyError as error:
            code = _fail(str(error))
        else:
            print(one_line(f"{file}: ok ({game.profile.meta.title}, digest {game.digest})"))
    raise typer.Exit(code)


@app.command()
def schema(
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the reference of dials (docs/dials.md).")] = False,
) -> None:
    """Print the JSON Schema of profile files, for editors."""
    from rummy_engine.profiles.dials import json_schema, reference

    print(reference() if markdown else json.dumps(json_schema(), indent=2), end="" if markdown else "\n")


@app.command()
def diff(left: Name, right: Name) -> None:
    """Say in which dials two variants differ."""
    from rummy_engine.reporting.differences import differences  # needs pydantic, which --help should not wait for

    found = differences(load(left), load(right))
    count = {0: "no dial differs", 1: "one dial differs"}.get(len(found), f"{len(found)} dials differ")
    print(one_line(f"{left} → {right}: {count}"))
    width = console(pipe_width=UNBROKEN).width
    for each in found:
        print()
        for text, indent in ((f"{each.dial}: {each.left} → {each.right}", ""), (each.description, "    ")):
            print(textwrap.fill(text, width, initial_indent=indent, subsequent_indent="    "))


app.command()(play)
app.command("compare")(compare_variants)
app.command("simulate", help="Play seeded deals of a variant with bots and count what happens.")(compare_variants)


@app.command()
def verify(
    source: Name,
    examples: Annotated[int, typer.Option(metavar="N", help="How many plays each law is checked on.")] = 200,
    seed: Annotated[int, typer.Option(metavar="N", help="Fixes every play.")] = 1,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="[FILE]", help="Write JSON; without a name: to standard output.")
    ] = None,
) -> None:
    """Check the laws of the engine on any profile; a counter-example comes in notation. Exit code 1 if there is one."""
    from rummy_engine.testing.command import run_verify

    raise typer.Exit(run_verify(source, examples, seed, json_file, console(NARROW)))


@app.command()
def replay(file: Annotated[Path, typer.Argument(metavar="FILE", help="A record: Record.to_json() in a file.")]) -> None:
    """Play a record through: the result of each round, and where it ends."""
    try:
        record = Record.from_json(read_input(file))
        played = replayed(record)
    except RecordError as error:
        raise RecordError(f"{file}: {error}", error.index) from error
    screen = console(NARROW)
    print(
        one_line(
            f"{record.game.profile.meta.title}: {record.players} players, first dealer seat {record.dealer}, "
            f"{len(record.actions)} actions"
        )
    )
    if played.results:
        print_table(screen, results_table(played.results, screen.width))
    for line in state_lines(record.game, played.state):
        print(line)
