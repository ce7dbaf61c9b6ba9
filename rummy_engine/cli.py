"""The command line `rummy`: looking at variants, checking files, replaying records, comparing variants.

Bad input and bad usage get one line on standard error and exit code 2. A comparison on standard output as JSON or CSV
stands alone there; what is said about it goes to standard error.
"""

from __future__ import annotations

import json
import os
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from rummy_engine import __version__
from rummy_engine.bots import bots
from rummy_engine.compare import Comparison, compare
from rummy_engine.errors import ProfileError, RecordError, RummyError
from rummy_engine.exports import check_output, read_input, to_csv, to_json, write_output
from rummy_engine.game import load
from rummy_engine.layers import variants
from rummy_engine.record import Record
from rummy_engine.report import (
    comparison_notes,
    comparison_table,
    printable,
    replayed,
    results_table,
    state_lines,
    variants_table,
)
from rummy_engine.simulate import check_run

NARROW = 80
"""The width of a comparison where no terminal says another, in columns."""
LONGEST_LINE = 1000
"""Error messages are cut after so many characters."""
STDOUT = "-"
"""As the name of a file: standard output."""
INTERRUPTED = 130
UNBROKEN = 10_000
"""The width of lists in a pipe: one line for each entry."""

Name: TypeAlias = Annotated[str, typer.Argument(metavar="NAME", help="A variant, by name or as a .toml file.")]
Draw: TypeAlias = Callable[[Comparison, str], bytes]
"""Draws a comparison in a format ("png" or "svg")."""

# Typer has carried its own copy of click since 0.20 or so; this is the base of all usage errors in either.
UsageFault: type[Exception] = typer.BadParameter.__mro__[2]

app = typer.Typer(
    help="The rules of Rummy games: variants as data, comparisons, records.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit code; never raises."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a screen that cannot show ± must not end the program
    try:
        code = app(_with_file_names(words), prog_name="rummy", standalone_mode=False)
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
        print(f"rummy: {_one_line(message)}", file=sys.stderr)
    return 2


def _one_line(text: str) -> str:
    line = printable(" ".join(text.split()))
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 3] + "..."


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


def _console(pipe_width: int) -> Console:
    """Standard output; `pipe_width`: its columns where it is no terminal and nothing else says how many."""
    width = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else pipe_width
    return Console(width=width, highlight=False, markup=False, emoji=False)


def _print_table(console: Console, table: Table) -> None:
    """Prints a table without the spaces that rich ends every line with."""
    with console.capture() as captured:
        console.print(table)
    print(*(line.rstrip() for line in captured.get().splitlines()), sep="\n")


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
    """The rules of Rummy games: variants as data, comparisons, records."""


@app.command("variants")
def list_variants() -> None:
    """List the shipped variants."""
    console = _console(pipe_width=UNBROKEN)
    _print_table(console, variants_table([load(name) for name in variants()], console.width))


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
                print(_one_line(problem.text))
        except RummyError as error:
            code = _fail(str(error))
        else:
            print(_one_line(f"{file}: ok ({game.profile.meta.title}, digest {game.digest})"))
    raise typer.Exit(code)


@app.command()
def schema() -> None:
    """Print the JSON Schema of profile files, for editors."""
    from rummy_engine.dials import json_schema

    print(json.dumps(json_schema(), indent=2))


@app.command()
def diff(left: Name, right: Name) -> None:
    """Say in which dials two variants differ."""
    from rummy_engine.differences import differences  # needs pydantic, which --help should not wait for

    found = differences(load(left), load(right))
    count = {0: "no dial differs", 1: "one dial differs"}.get(len(found), f"{len(found)} dials differ")
    print(_one_line(f"{left} → {right}: {count}"))
    width = _console(pipe_width=UNBROKEN).width
    for each in found:
        print()
        for text, indent in ((f"{each.dial}: {each.left} → {each.right}", ""), (each.description, "    ")):
            print(textwrap.fill(text, width, initial_indent=indent, subsequent_indent="    "))


@app.command()
def replay(file: Annotated[Path, typer.Argument(metavar="FILE", help="A record: Record.to_json() in a file.")]) -> None:
    """Play a record through: the result of each round, and where it ends."""
    try:
        record = Record.from_json(read_input(file))
        played = replayed(record)
    except RecordError as error:
        raise RecordError(f"{file}: {error}", error.index) from error
    console = _console(NARROW)
    print(
        _one_line(
            f"{record.game.profile.meta.title}: {record.players} players, first dealer seat {record.dealer}, "
            f"{len(record.actions)} actions"
        )
    )
    if played.results:
        _print_table(console, results_table(played.results, console.width))
    for line in state_lines(record.game, played.state):
        print(line)


# ------------------------------------------------------------------------------------------------------------ comparing


@app.command("compare")
def compare_variants(
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="Variants, by name or as .toml files.")],
    players: Annotated[
        int | None, typer.Option(metavar="N", help="Seats.", show_default="the fewest of each variant")
    ] = None,
    rounds: Annotated[int, typer.Option(metavar="N", help="Rounds to play of each variant.")] = 1000,
    lineups: Annotated[
        list[str] | None,
        typer.Option(
            "--bots",
            metavar="NAMES",
            help=f"Bots round the table, as easy or easy,random; repeat it to compare line-ups. There are: "
            f"{', '.join(bots())}.",
            show_default="easy",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Fixes every shuffle and what the bots do.")] = 1,
    workers: Annotated[int, typer.Option(metavar="N", help="Processes; any number gives the same result.")] = 1,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="[FILE]", help="Write JSON; without a name: to standard output.")
    ] = None,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", metavar="[FILE]", help="Write CSV; without a name: to standard output.")
    ] = None,
    plot_file: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw charts, as .png or .svg.")
    ] = None,
) -> None:
    """Play the same seeded rounds of several variants with bots, and compare what happens in one table."""
    outputs = {"--json": json_file, "--csv": csv_file, "--plot": plot_file}
    draw = _checked_outputs(outputs)
    check_run(rounds, seed, workers)
    with _progress() as progress:
        comparison = compare(
            names,
            players,
            [lineup.split(",") for lineup in lineups or ["easy"]],
            rounds,
            seed,
            workers=workers,
            progress=progress,
        )
    streamed = _write(comparison, {"--json": to_json, "--csv": to_csv}, outputs)
    if not streamed:
        console = _console(NARROW)
        _print_table(console, comparison_table(comparison, console.width))
        print(*("", *comparison_notes(comparison)), sep="\n")
    if draw is not None and plot_file is not None:
        write_output(plot_file, draw(comparison, plot_file.suffix[1:].lower()))
    if not comparison.complete:
        done = sum(row.rounds for row in comparison.rows)
        print(f"rummy: stopped after {done} of {rounds * len(comparison.rows)} rounds", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)


def _checked_outputs(outputs: Mapping[str, Path | None]) -> Draw | None:
    """Tries every file before the work, and finds what draws the charts, if charts are asked for."""
    named = {option: path for option, path in outputs.items() if path is not None}
    for path in named.values():
        if [str(other) for other in named.values()].count(str(path)) > 1:
            raise RummyError(f"{str(path)!r} is named as the file of two options")
    draw = None
    if (chart := named.get("--plot")) is not None:
        from rummy_engine.plots import check_plot, draw_comparison

        check_plot(chart)
        draw = draw_comparison
    for path in named.values():
        if str(path) != STDOUT:
            check_output(path)
    return draw


def _write(
    comparison: Comparison, writers: Mapping[str, Callable[[Comparison], str]], outputs: Mapping[str, Path | None]
) -> bool:
    """Writes the files; returns whether one of them was standard output."""
    streamed = False
    for option, to_text in writers.items():
        path = outputs[option]
        if path is not None and str(path) == STDOUT:
            print(to_text(comparison), end="")
            streamed = True
        elif path is not None:
            write_output(path, to_text(comparison))
    return streamed


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    columns = TextColumn("rounds"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    # No thread of its own that refreshes it: worker processes are forked while it stands.
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task("rounds", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total, refresh=True)
