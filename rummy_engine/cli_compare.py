"""The command `rummy compare` and its options.

Every file is tried before the work. A comparison on standard output as JSON or CSV stands alone there; what is said
about it goes to standard error.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, NamedTuple, TypeAlias

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from rummy_engine.bots import bots
from rummy_engine.bots.lineup import read_lineup
from rummy_engine.compare import Comparison, Until, compare
from rummy_engine.comparing.chunks import Fault, OnFault
from rummy_engine.comparing.cluster import dask_executor
from rummy_engine.comparing.rows import check_pyarrow, check_rows
from rummy_engine.comparing.setups import read_vary
from rummy_engine.comparing.stopping import LEAST
from rummy_engine.errors import RummyError
from rummy_engine.exports import to_csv, to_json, to_parquet
from rummy_engine.files import check_output, write_output
from rummy_engine.hints import closest, printable
from rummy_engine.reporting.report import console, one_line, print_table
from rummy_engine.reporting.tables import (
    DETAILED,
    MEASURES_NOTE,
    comparison_notes,
    comparison_table,
    measures_tables,
    skill_table,
)
from rummy_engine.simulate import check_options
from rummy_engine.terminal.saving import free_path

NARROW = 80
"""The width of a comparison where no terminal says another, in columns."""
STDOUT = "-"
"""As the name of a file: standard output."""
INTERRUPTED, FAULTY, UNWRITTEN = 130, 2, 2
"""Exit codes: stopped by Ctrl-C; stopped by a bot that failed; a file could not be written after all."""
ROUNDS, ROUNDS_UNTIL = 1000, 1_000_000
"""Deals where nothing else is said; the most of them where a stopping rule is given."""

Writer: TypeAlias = Callable[[Comparison], str | bytes]


def compare_variants(
    context: typer.Context,
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="Variants, by name or as .toml files.")],
    players: Annotated[
        int | None, typer.Option(metavar="N", help="Seats.", show_default="the fewest of each variant")
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Deals to play of each variant, as single rounds.",
            show_default=f"{ROUNDS}; with --until, {ROUNDS_UNTIL} at most",
        ),
    ] = None,
    matches: Annotated[int | None, typer.Option(metavar="N", help="Play so many whole matches instead.")] = None,
    until: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="Stop when the 95 % interval of a measure is narrower than that in every row, as 'edge<0.5', "
            f"'left_won<2%' or 'difference.turns<1'; asked from {LEAST} deals on. --rounds or --matches is then the "
            "most.",
        ),
    ] = None,
    lineups: Annotated[
        list[str] | None,
        typer.Option(
            "--bots",
            metavar="NAMES",
            help=f"Bots round the table, as easy or easy,random; repeat it to compare line-ups. There are: "
            f"{', '.join(bots())}; module:name is a bot of your own.",
            show_default="easy",
        ),
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(metavar="DIAL=A,B", help="Values of a dial to compare; repeat it for a grid."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Fixes every shuffle and what the bots do.")] = 1,
    workers: Annotated[int, typer.Option(metavar="N", help="Processes; any number gives the same result.")] = 1,
    dask: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Work on the Dask cluster there.")] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep what is counted; the same command goes on from there.")
    ] = None,
    on_error: Annotated[
        str, typer.Option(metavar="WHAT", help="Where a bot fails: stop, or skip the deal and go on.")
    ] = "stop",
    detail: Annotated[
        bool | None,
        typer.Option("--detail/--no-detail", help="Print every measure.", show_default=f"up to {DETAILED} rows"),
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="[FILE]", help="Write JSON; without a name: to standard output.")
    ] = None,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", metavar="[FILE]", help="Write CSV; without a name: to standard output.")
    ] = None,
    parquet_file: Annotated[Path | None, typer.Option("--parquet", metavar="FILE", help="Write Parquet.")] = None,
    rows_file: Annotated[
        Path | None, typer.Option("--rows", metavar="FILE", help="Write one row per round, as .csv or .parquet.")
    ] = None,
    plot_file: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw charts, as .png or .svg.")
    ] = None,
    html_file: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write one page with charts, measures and rules.")
    ] = None,
) -> None:
    """Play the same seeded deals of several variants with bots, and compare what happens."""
    writers = _writers(
        {
            "--json": json_file,
            "--csv": csv_file,
            "--parquet": parquet_file,
            "--plot": plot_file,
            "--html": html_file,
            "--rows": rows_file,
            "--checkpoint": checkpoint,
        },
        shlex.join(["rummy", *context.obj]),
    )
    rule = Until.read(until) if until is not None else None
    if rounds is not None and matches is not None:
        raise RummyError("--rounds and --matches do not go together: deals are played as one or the other")
    fault: OnFault = "skip" if on_error == "skip" else "stop"
    if on_error not in ("stop", "skip"):
        near = closest(on_error, ("stop", "skip"))
        hint = f" (did you mean {near!r}?)" if near else ""
        raise RummyError(f"--on-error is stop or skip, not {on_error!r:.40}{hint}")
    deals = rounds if rounds is not None else ROUNDS_UNTIL if rule is not None else ROUNDS
    check_options(deals if matches is None else matches, seed, workers, fault)
    grid, named = read_vary(vary or []), [read_lineup(text) for text in lineups or ["easy"]]
    with dask_executor(dask) if dask is not None else nullcontext() as executor, _progress() as report:
        comparison = compare(
            names, players, named, deals, seed,
            vary=grid, matches=matches, until=rule, workers=workers, executor=executor, progress=report,
            checkpoint=checkpoint, rows=rows_file, on_fault=fault,
        )  # fmt: skip
    written = _write(comparison, writers)
    if not written.streamed:
        _print(comparison, len(comparison.rows) <= DETAILED if detail is None else detail)
    further = "" if checkpoint is None else "; the same command goes on"
    code = _exit_code(comparison, fault == "skip", json_file is None, further)
    for complaint in written.complaints:
        print(f"rummy: {one_line(complaint)}", file=sys.stderr)
    raise typer.Exit(UNWRITTEN if written.complaints else code)


def _writers(outputs: Mapping[str, Path | None], command: str) -> dict[Path, Writer]:
    """What writes each file; tries all files before the work, and finds what the writers need."""
    named = {option: path for option, path in outputs.items() if path is not None}
    for path in named.values():
        if [str(other) for other in named.values()].count(str(path)) > 1:
            raise RummyError(f"{str(path)!r} is named as the file of two options")
    writers: dict[Path, Writer] = {}
    for option, path in named.items():
        if option == "--json":
            writers[path] = to_json
        elif option == "--csv":
            writers[path] = to_csv
        elif option == "--parquet":
            check_pyarrow()
            writers[path] = to_parquet
        elif option == "--rows":
            check_rows(path)
        elif option in ("--plot", "--html"):
            writers[path] = _drawer(option, path, command)
        if str(path) != STDOUT:
            check_output(path)
        elif option not in ("--json", "--csv"):
            raise RummyError(f"{option} needs the name of a file")
    return writers


def _drawer(option: str, path: Path, command: str) -> Writer:
    from rummy_engine.reporting.plots import check_matplotlib, check_plot, draw_comparison

    if option == "--plot":
        check_plot(path)
        return lambda comparison: draw_comparison(comparison, path.suffix[1:].lower())
    check_matplotlib()

    def page(comparison: Comparison) -> str:
        from rummy_engine.reporting.html import to_html

        return to_html(comparison, command)

    return page


class Written(NamedTuple):
    """What became of the files: whether one of them was standard output, and what could not be written."""

    streamed: bool
    complaints: tuple[str, ...]


def _write(comparison: Comparison, writers: Mapping[Path, Writer]) -> Written:
    """Writes the files. One that fails, as on a full disk, does not cost the others, nor the table on the screen."""
    streamed, complaints = False, []
    for path, writer in writers.items():
        content = writer(comparison)
        if str(path) == STDOUT and isinstance(content, str):
            print(content, end="")
            streamed = True
            continue
        try:
            write_output(path, content)
        except RummyError as error:
            complaints.append(str(error))
    return Written(streamed, tuple(complaints))


def _print(comparison: Comparison, detail: bool) -> None:
    screen = console(NARROW)
    print_table(screen, comparison_table(comparison, screen.width))
    if (skills := skill_table(comparison, screen.width)) is not None:
        print()
        print_table(screen, skills)
    print(*("", *comparison_notes(comparison, screen.width)), sep="\n")
    if detail and any(row.rounds for row in comparison.rows):
        for table in measures_tables(comparison, screen.width):
            print()
            print_table(screen, table)
        print(*("", *MEASURES_NOTE), sep="\n")
    elif not detail:
        print("Every measure and the differences between rows: --detail.")


def _kept(fault: Fault) -> str:
    """Saves the record of a fault beside whatever else is in this folder, and says where."""
    path = free_path(fault.error.record.game.profile.meta.name, f"fault-{fault.deal}")
    try:
        write_output(path, fault.error.record.to_json() + "\n")
    except RummyError as error:
        return f"; its record is lost: {one_line(str(error))}"
    return f"; its record: {printable(str(path))}"


def _exit_code(comparison: Comparison, skips: bool, keep: bool, further: str) -> int:
    """The exit code, after saying on standard error what went wrong, in one line where a bot stopped the run.

    `skips`: deals in which a bot failed were left out; `keep`: saves the record of the first fault; `further`: what to
    say where a run was stopped.
    """
    told = [one_line(str(fault.error)) for fault in comparison.faults]
    record = _kept(comparison.faults[0]) if told and keep else ""
    done = max(row.tally.take("deals") for row in comparison.rows)
    stopped = f"stopped after {done} of {comparison.deals} deals{further}"
    code = 0
    if told and not skips:
        told, code = [f"{told[0]}; {stopped}{record}"], FAULTY
    else:
        more = sum(row.tally.faults for row in comparison.rows) - len(told)
        told[:1] = [each + record for each in told[:1]]
        told += [f"and {more} more such deals, which are not counted"] if more > 0 else []
        if not comparison.complete:
            told, code = [*told, stopped], INTERRUPTED
    for line in told:
        print(f"rummy: {line}", file=sys.stderr)
    return code


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    columns = TextColumn("played"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    # No thread of its own that refreshes it: worker processes are forked while it stands.
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task("played", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total, refresh=True)
