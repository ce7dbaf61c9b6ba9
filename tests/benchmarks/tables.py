"""The tables: which contenders do which work."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.benchmarks.ours import Ours
from tests.benchmarks.peers import PETTINGZOO, OpenSpielGin, PettingZooGin, Reference, RLCardGin, installed
from tests.benchmarks.timing import Contender, Run, Table, missing

ROOT = Path(__file__).resolve().parents[2]


def tables(rounds: int) -> Iterator[Table]:
    """Every table, with `rounds` random rounds per repeat; a table is made when it is asked for."""
    gin = Ours("gin-classic", 2)
    openspiel = OpenSpielGin() if installed("pyspiel") else None
    rlcard = RLCardGin() if installed("rlcard") else None
    yield gin_plies(gin, openspiel, rlcard, rounds)
    yield own_plies("Basic rummy, 2 players", "basic", 2, rounds)
    yield own_plies("Basic rummy for up to six (rummy-2-6: basic seats four), 6 players", "rummy-2-6", 6, rounds)
    yield rummy_500(rounds)
    yield deadwood("ten random cards", random_hand, gin, openspiel, rlcard, rounds * 20)
    yield deadwood("ten meld-rich cards", rich_hand, gin, openspiel, rlcard, rounds * 20)
    yield draws(gin, openspiel, rounds * 50)
    yield views(gin, openspiel, rounds * 10)
    yield records(gin, openspiel, max(rounds // 3, 2))
    yield imports()


def seeded(work: Callable[[range], tuple[float, int]], rounds: int) -> Run:
    """A run whose repeat n plays the seeds n * rounds and on."""
    return lambda repeat: work(range(repeat * rounds, (repeat + 1) * rounds))


def gin_plies(gin: Ours, openspiel: OpenSpielGin | None, rlcard: RLCardGin | None, rounds: int) -> Table:
    rows = [
        Contender("rummy_engine: legal, choice, apply_unchecked", seeded(gin.play, rounds)),
        Contender("rummy_engine: playout", seeded(gin.playouts, rounds)),
    ]
    if openspiel:
        fresh, kept = partial(openspiel.play, fresh=True), partial(openspiel.play, fresh=False)
        rows += [
            Contender("OpenSpiel from Python, new_initial_state", seeded(fresh, rounds)),
            Contender("OpenSpiel from Python, clone of a kept root", seeded(kept, rounds)),
            Contender("OpenSpiel C++ uniform bots (evaluate_bots)", seeded(openspiel.uniform_bots, rounds)),
            Contender("OpenSpiel C++ rollouts, from after the deal", seeded(openspiel.rollouts, rounds)),
        ]
    else:
        rows.append(missing("OpenSpiel", "pyspiel"))
    rows.append(Contender("RLCard, its game", seeded(rlcard.play, rounds)) if rlcard else missing("RLCard", "rlcard"))
    if installed(PETTINGZOO):
        rows.append(Contender("PettingZoo, its environment", seeded(PettingZooGin().play, rounds)))
    else:
        rows.append(missing("PettingZoo", PETTINGZOO))
    work = f"random two-player gin, {rounds} seeded rounds per repeat, dealing included in the time"
    return Table("Random gin", "ply", work, rows)


def own_plies(title: str, variant: str, players: int, rounds: int) -> Table:
    ours = Ours(variant, players)
    rows = [
        Contender("rummy_engine: legal, choice, apply_unchecked", seeded(ours.play, rounds)),
        Contender("rummy_engine: playout", seeded(ours.playouts, rounds)),
    ]
    return Table(title, "ply", f"random rounds of {variant}, {rounds} per repeat; no peer plays it", rows)


def rummy_500(rounds: int) -> Table:
    table = own_plies("Rummy 500 with jokers, 4 players", "rummy-500", 4, rounds)
    table.work = f"random rounds of rummy-500, {rounds} per repeat; the slow reference plays every tenth of them"
    if not installed("tests.reference"):
        table.contenders.append(missing("tests.reference", "the sources of the tests"))
        return table
    ours, reference = Ours("rummy-500", 4), Reference("rummy-500", 4)
    every_tenth = seeded(lambda seeds: reference.follow(ours.scripts(seeds[::10])), rounds)
    table.contenders.append(Contender("slow reference of the tests: legal, apply", every_tenth))
    return table


def random_hand(rng: random.Random) -> list[int]:
    """Ten cards of the pack."""
    return rng.sample(range(52), 10)


def rich_hand(rng: random.Random) -> list[int]:
    """Ten cards of the twenty in five neighbouring ranks."""
    low = rng.randrange(9)
    return rng.sample([13 * suit + low + rank for suit in range(4) for rank in range(5)], 10)


def deadwood(
    title: str,
    hand: Callable[[random.Random], list[int]],
    gin: Ours,
    openspiel: OpenSpielGin | None,
    rlcard: RLCardGin | None,
    count: int,
) -> Table:
    def asked(work: Callable[[list[list[int]]], tuple[float, int]], count: int = count) -> Run:
        def run(repeat: int) -> tuple[float, int]:
            rng = random.Random(repeat)
            return work([hand(rng) for _ in range(count)])

        return run

    rows = [
        Contender("rummy_engine: the number alone, as the rules ask for it", asked(gin.deadwood)),
        Contender("rummy_engine: best_arrangement, with its melds", asked(gin.arrangements)),
    ]
    if openspiel:
        rows.append(Contender("OpenSpiel: GinRummyUtils.min_deadwood", asked(openspiel.deadwood)))
    else:
        rows.append(missing("OpenSpiel", "pyspiel"))
    if rlcard:
        rows.append(Contender("RLCard: get_best_meld_clusters", asked(rlcard.deadwood, count // 10)))
    else:
        rows.append(missing("RLCard", "rlcard"))
    return Table(f"Minimum deadwood, {title}", "hand", (hand.__doc__ or "") + " Every hand is asked once.", rows)


def draws(gin: Ours, openspiel: OpenSpielGin | None, count: int) -> Table:
    rows = [Contender("rummy_engine: apply_unchecked of a draw", lambda repeat: gin.draws(count))]
    if openspiel:
        rows += [
            Contender("OpenSpiel: clone alone", lambda repeat: openspiel.clone_and_draw(count, False)),
            Contender("OpenSpiel: clone, draw, card", lambda repeat: openspiel.clone_and_draw(count, True)),
        ]
    else:
        rows.append(missing("OpenSpiel", "pyspiel"))
    return Table("One draw", "draw", "the state before it stays as it was; second turn of a gin round", rows)


def views(gin: Ours, openspiel: OpenSpielGin | None, count: int) -> Table:
    rows = [Contender("rummy_engine: view of the seat to act", lambda repeat: gin.views(repeat, count))]
    if openspiel:
        rows += [
            Contender("OpenSpiel: observation_tensor", lambda repeat: openspiel.views(repeat, count, True)),
            Contender("OpenSpiel: clone", lambda repeat: openspiel.views(repeat, count, False)),
        ]
    else:
        rows.append(missing("OpenSpiel", "pyspiel"))
    return Table("View of one seat", "view", f"{count} states of random gin rounds per repeat, each once", rows)


def records(gin: Ours, openspiel: OpenSpielGin | None, rounds: int) -> Table:
    rows = [
        Contender("rummy_engine: playing the round", seeded(gin.rounds, rounds)),
        Contender("rummy_engine: record to JSON and back to the final state", seeded(gin.records, rounds)),
    ]
    if openspiel:
        rows.append(Contender("OpenSpiel: serialize, deserialize", seeded(openspiel.texts, rounds)))
    else:
        rows.append(missing("OpenSpiel", "pyspiel"))
    return Table(
        "Record of one round",
        "round",
        "finished random gin rounds of a profile this process has already compiled",
        rows,
        milliseconds=True,
    )


def imports() -> Table:
    # Compiled once, as every installed package is.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def run(module: str) -> Run:
        code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
        words = [sys.executable, "-c", code]

        def measure(repeat: int) -> tuple[float, int]:
            done = subprocess.run(words, cwd=ROOT, env=kept, capture_output=True, text=True, check=True)
            return float(done.stdout), 1

        measure(0)
        return measure

    rows = [Contender("rummy_engine", run("rummy_engine"))]
    for name, module in (("OpenSpiel", "pyspiel"), ("RLCard", "rlcard"), ("PettingZoo", "pettingzoo")):
        rows.append(Contender(name, run(module)) if installed(module) else missing(name, module))
    work = "in a new interpreter, whose own start is not counted; wall clock"
    return Table("Import", "import", work, rows, milliseconds=True)
