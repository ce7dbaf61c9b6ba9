"""`rummy play`: a match set up from a variant or a saved file, and a person's session at it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from rich.console import Console

from rummy_engine.bots import Bot, check_bot, make_bot, name_of
from rummy_engine.comparing.setups import read_vary, with_settings
from rummy_engine.errors import RummyError
from rummy_engine.hints import printable
from rummy_engine.match import Match, Variant
from rummy_engine.terminal.saving import check_new, resumed
from rummy_engine.terminal.session import Ask, Session
from rummy_engine.terminal.wording import Seats

DEFAULT_BOTS = ("medium",)


def run_play(
    variant: Variant | None,
    players: int | None = None,
    bots: Sequence[Bot] = DEFAULT_BOTS,
    seed: int | None = None,
    record_path: Path | None = None,
    console: Console | None = None,
    ask: Ask = input,
    *,
    seat: int = 0,
    resume: Path | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> int:
    """Plays a match of a person against bots and returns the exit code.

    `bots`, by name or of your own, sit on the other seats in seat order, in turn where there are fewer of
    them; `players` None: the fewest of the variant. `resume` goes on with a saved match, of which only `seat` and
    `bots` are then chosen. The match is saved in `record_path`, or where it was resumed from, after each round and on
    leaving. Raises RummyError for anything out of range, before anything is played.
    """
    decisions: int | None = None
    if resume is not None:
        if players is not None or seed is not None or overrides:
            raise RummyError("the players, seed and overrides of a saved match are those it was begun with")
        match, acted = resumed(resume)
        decisions = acted.count(seat)
        name = match.game.profile.meta.name
        if variant is not None and variant != name:
            raise RummyError(f"{str(resume)!r:.120} holds a match of {name!r:.60}, not of {str(variant)!r:.60}")
    elif variant is None:
        raise RummyError("name a variant, or a saved match with --resume")
    else:
        game = with_settings(variant, overrides or {})
        match = Match(game, game.profile.players.min if players is None else players, seed)
    lineup = _seated(bots, len(match.scores), seat)
    if record_path is not None and record_path != resume:
        check_new(record_path)
    policies = [make_bot(bot, match.game) for bot in lineup]
    seats = Seats(seat, tuple(map(name_of, lineup)))
    session = Session(match, seats, policies, console or Console(), ask, record_path or resume, decisions)
    return session.run()


def _seated(bots: Sequence[Bot], players: int, seat: int) -> list[Bot]:
    """The bot of each seat; the person's own seat has one that is not used."""
    if not 0 <= seat < players:
        raise RummyError(f"there is no seat {seat}: seats are 0 to {players - 1}")
    if not 1 <= len(bots) < players:
        raise RummyError(f"at a table of {players}, a person plays 1 to {players - 1} bots, not {len(bots)}")
    lineup = [check_bot(bot) if not callable(bot) else bot for bot in bots]
    others = [lineup[index % len(lineup)] for index in range(players - 1)]
    return [*others[:seat], lineup[0], *others[seat:]]


def parse_overrides(texts: Iterable[str]) -> dict[str, Any]:
    """Dials from texts such as `match.target=150` and `melds.ace=high`: a value is TOML, or else a word.

    >>> parse_overrides(["match.rounds=1", "melds.ace=high", "deal.hand_size={ by_round = [3, 4] }"])
    {'match.rounds': 1, 'melds.ace': 'high', 'deal.hand_size': {'by_round': [3, 4]}}

    Raises RummyError for a text without a dial or without one value.
    """
    overrides: dict[str, Any] = {}
    for text in texts:
        dial, _, value = text.partition("=")
        if not (dial.strip() and value.strip()) or len(values := read_vary([text])[dial.strip()]) > 1:
            raise RummyError(f"an override is written DIAL=VALUE, as in match.target=150, not {text!r:.60}")
        overrides[dial.strip()] = values[0]
    return overrides


def terminal_input() -> Ask:
    """`input` for which no bytes are wrong: with line editing where the system has it, from a pipe with an echo."""
    if sys.stdin is None:
        raise RummyError("standard input is closed: nobody could play")
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    if not sys.stdin.isatty():
        return _echoed
    with suppress(ImportError):
        import readline  # noqa: F401  (importing it is what makes input() edit lines)
    return input


def _echoed(prompt: str) -> str:
    line = input(prompt)
    print(printable(line))
    return line
