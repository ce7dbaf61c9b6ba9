"""The command `rummy play` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rummy_engine.bots import bots
from rummy_engine.bots.lineup import read_lineup
from rummy_engine.reporting.report import console
from rummy_engine.terminal.play import DEFAULT_BOTS, parse_overrides, run_play, terminal_input

NARROW = 80
"""The width of the table where no terminal says another, in columns."""


def play(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A variant, by name or as a .toml file.", show_default=False)
    ] = None,
    players: Annotated[
        int | None, typer.Option(metavar="N", help="Seats, with yours.", show_default="the fewest of the variant")
    ] = None,
    lineup: Annotated[
        str,
        typer.Option(
            "--bots",
            metavar="NAMES",
            help=f"Bots on the other seats, as easy or easy,random. There are: {', '.join(bots())}; module:name is a "
            "bot of your own.",
        ),
    ] = ",".join(DEFAULT_BOTS),
    seat: Annotated[int, typer.Option(metavar="N", help="Your seat, from 0.")] = 0,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Fixes every shuffle.", show_default="a new one")
    ] = None,
    overrides: Annotated[
        list[str] | None, typer.Option(metavar="DIAL=VALUE", help="A house rule, as match.rounds=1; may be repeated.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the match there after each round and on leaving.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with the match saved there (without NAME).")
    ] = None,
) -> None:
    """Play against bots in the terminal."""
    code = run_play(
        name,
        players,
        read_lineup(lineup),
        seed,
        record,
        console(NARROW),
        terminal_input(),
        seat=seat,
        resume=resume,
        overrides=parse_overrides(overrides or ()),
    )
    raise typer.Exit(code)
