"""Runs: the same for any number of workers, however they are stopped and taken up again, and on a cluster."""

from __future__ import annotations

import json
import logging
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import rummy_engine as rummy
from rummy_engine.compare import Comparison, Until, compare
from rummy_engine.comparing.chunks import FEWEST_CHUNKS, Plan, chunk_of, play_chunk
from rummy_engine.comparing.running import run
from rummy_engine.comparing.stopping import LEAST
from rummy_engine.exports import to_csv, to_json
from rummy_engine.simulate import CHUNK, BotError, Setup, simulate
from tests.botsamples import FAILS, dies, fails_if_told, raises_at_times, raises_rarely

ROUNDS = 3 * CHUNK + 7
SOME = ["gin-knock", "gin-classic"]
ROOT = Path(__file__).resolve().parent.parent


def results(rounds: int = ROUNDS, **how: Any) -> Comparison:
    return compare(["gin-knock", "basic"], 3, [("easy", "random"), "easy"], rounds, 2, **how)


@pytest.fixture(scope="module")
def alone() -> Comparison:
    return results()


class Stop:
    """Stops a run, as Ctrl-C does, when so many chunks are done; notes what it is told."""

    def __init__(self, calls: int) -> None:
        self.calls, self.told = calls, list[int]()

    def __call__(self, done: int, total: int) -> None:
        self.told.append(done)
        if len(self.told) > self.calls:
            raise KeyboardInterrupt


# -------------------------------------------------------------------------------------------------------------- workers


def test_any_number_of_workers_gives_the_same(alone: Comparison) -> None:
    assert alone.complete and [row.tally.take("deals") for row in alone.rows] == [ROUNDS] * 4
    assert [row.rounds for row in alone.rows] == [3 * ROUNDS, ROUNDS] * 2
    for workers in (2, 3):
        shared = results(workers=workers)
        assert shared == alone and to_json(shared) == to_json(alone) and to_csv(shared) == to_csv(alone)


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor_gives_the_same(pool: type[Executor], alone: Comparison) -> None:
    with pool(2) as executor:  # type: ignore[call-arg]  # an Executor in general takes no number
        assert results(executor=executor) == alone


def test_threads_take_bots_that_cannot_be_sent() -> None:
    def own(view: rummy.View, legal: tuple[rummy.Action, ...], rng: Any) -> rummy.Action:
        return legal[-1]

    with ThreadPoolExecutor(2) as executor:
        assert simulate("basic", bots=own, rounds=30, executor=executor) == simulate("basic", bots=own, rounds=30)
    with pytest.raises(rummy.RummyError, match="must be picklable"):
        simulate("basic", bots=own, rounds=30, workers=2)


def test_chunks_add_up_in_any_order() -> None:
    plan = Plan((Setup.of("basic", 2, ("easy", "random")),), 3 * CHUNK, 1)
    chunks = [play_chunk(plan, index) for index in range(3)]
    whole = run(plan).tallies[0]
    for seed in range(3):
        random.Random(seed).shuffle(chunks)
        total = run(Plan(plan.setups, CHUNK, 1)).tallies[0]  # the first one
        for chunk in chunks:
            if chunk.index:
                total.add(chunk.tallies[0])
        assert total == whole


def test_the_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    deals = 2 * FEWEST_CHUNKS + 1
    simulate("gin-classic", rounds=deals, progress=lambda done, total: told.append((done, total)))
    assert told == [(done, deals) for done in (*range(0, deals, 2), deals)]


def test_ctrl_c_keeps_what_is_known() -> None:
    for workers in (1, 2):
        part = compare(["basic", "gin-knock"], rounds=10 * CHUNK, workers=workers, progress=Stop(3))
        deals = part.rows[0].tally.take("deals")
        chunk = chunk_of(10 * CHUNK, whole_matches=False)
        assert not part.complete and deals % chunk == 0 and 0 < deals <= 3 * chunk
        assert json.loads(to_json(part))["complete"] is False
        assert part.rows[0].tally == simulate("basic", rounds=deals).tally


def test_a_stop_before_the_first_chunk_leaves_empty_rows() -> None:
    part = results(progress=Stop(0))
    assert [row.rounds for row in part.rows] == [0] * 4 and part.rows[0].measures == {}
    assert json.loads(to_json(part)) and to_csv(part).count("\n") == 5


def test_a_worker_that_dies() -> None:
    with pytest.raises(rummy.RummyError, match="worker process died"):
        simulate("basic", 2, dies, rounds=5, workers=2)


def test_an_executor_that_takes_no_more_work(tmp_path: Path) -> None:
    class Closes(ThreadPoolExecutor):
        """Takes so much and then no more."""

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            if args[1] == 3:
                raise self.refusal
            return super().submit(fn, *args, **kwargs)

        refusal: Exception

    plan = Plan((Setup.of("gin-classic", 2, "random"),), 6 * CHUNK, 1)
    for refusal, told in (
        (BrokenExecutor("abrupt"), "worker process died .*: abrupt"),
        (RuntimeError("cannot schedule new futures after shutdown"), "worker failed: RuntimeError: cannot schedule"),
    ):
        with Closes(1) as executor, pytest.raises(rummy.RummyError, match=told):
            executor.refusal = refusal
            run(plan, executor=executor, checkpoint=tmp_path / "run.json", ahead=2)
        assert json.loads((tmp_path / "run.json").read_text())["next"] > 0
    assert run(plan, checkpoint=tmp_path / "run.json").tallies == run(plan).tallies


def test_what_is_kept_does_not_grow_with_the_number_of_rounds() -> None:
    first, last = (simulate("gin-classic", bots="random", rounds=chunks * CHUNK).tally for chunks in (8, 32))
    assert len(pickle.dumps(last)) < 1.2 * len(pickle.dumps(first))


def test_a_chunk_that_is_lost_is_played_once_more() -> None:
    class Loses(ThreadPoolExecutor):
        """Loses the first results of each chunk."""

        def __init__(self, times: int) -> None:
            super().__init__(2)
            self.times = times
            self.asked = Counter[int]()

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            self.asked[args[1]] += 1
            if self.asked[args[1]] <= self.times:
                lost = Future[Any]()
                lost.set_exception(TypeError("cannot unpack"))
                return lost
            return super().submit(fn, *args, **kwargs)

    plan = Plan((Setup.of("gin-classic", 2, "random"),), 6 * CHUNK, 1)
    with Loses(1) as executor:
        assert run(plan, executor=executor).tallies == run(plan).tallies
    with Loses(2) as executor, pytest.raises(rummy.RummyError, match="a worker failed: TypeError: cannot unpack"):
        run(plan, executor=executor)


# ------------------------------------------------------------------------------------------------------- stopping rules


def test_only_shares_are_measured_in_percent() -> None:
    assert Until.read("left_won<2%") == Until("left_won", 0.02)
    for text in ("turns<1%", "difference.points<5%"):
        with pytest.raises(rummy.RummyError, match="is no share: its width is in"):
            Until.read(text)


def test_a_stopping_rule_is_asked_after_whole_chunks() -> None:
    rule = Until("turns", 2.5)
    done, shared = (compare(SOME, rounds=40 * CHUNK, until=rule, workers=workers) for workers in (1, 2))
    deals = done.rows[0].tally.take("deals")
    assert done.complete and CHUNK < deals < 40 * CHUNK and deals % CHUNK == 0
    widths = [row.measures["turns"].width for row in done.rows]
    assert all(width is not None and width < 2.5 for width in widths)
    before = compare(SOME, rounds=deals - CHUNK)
    assert not rule.is_met([row.tally for row in before.rows])
    assert to_json(shared) == to_json(done) and shared.until_met is done.until_met is True


def test_a_rule_that_is_never_met_ends_at_the_number_of_rounds() -> None:
    done = results(rounds=CHUNK, until=Until("turns", 0.001))
    assert done.complete and done.rows[0].tally.take("deals") == CHUNK
    assert done.until_met is False and json.loads(to_json(done))["until_met"] is False


def test_whether_a_rule_is_met_is_the_same_whoever_plays(tmp_path: Path, alone: Comparison) -> None:
    assert alone.until_met is None and simulate("basic", rounds=5).until_met is None
    for rule, rounds, met in ((Until("turns", 6), 10 * CHUNK, True), (Until("turns", 0.1), 6 * CHUNK, False)):
        path = tmp_path / f"{met}.json"
        how: dict[str, Any] = {"rounds": rounds, "until": rule}
        part = simulate("basic", checkpoint=path, progress=Stop(2), **how)
        assert (part.complete, part.until_met) == (False, False)
        assert compare(["basic"], **how).until_met is met
        for more in ({}, {"workers": 2}, {"checkpoint": path}, {"checkpoint": path}):
            done = simulate("basic", **how, **more)
            assert (done.complete, done.until_met) == (True, met), more
    last = simulate("basic", rounds=LEAST, until=Until("turns", 20))  # the last deal is the first that meets the rule
    assert last.until_met is True and last.tally.take("deals") == LEAST


# ---------------------------------------------------------------------------------------------------------- checkpoints


@pytest.mark.parametrize("workers", [1, 2])
def test_a_stopped_run_goes_on(tmp_path: Path, alone: Comparison, workers: int) -> None:
    path = tmp_path / "run.json"
    first = Stop(2)
    part = results(checkpoint=path, progress=first, workers=workers)
    assert not part.complete
    second = Stop(100)
    whole = results(checkpoint=path, progress=second, workers=3 - workers)
    assert second.told[0] == part.rows[0].tally.take("deals") * 8 and whole == alone
    assert to_json(whole) == to_json(alone)
    third = Stop(100)
    assert results(checkpoint=path, progress=third) == alone and len(third.told) == 1  # nothing was left to do


class Late(ThreadPoolExecutor):
    """Never comes to the first chunk."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        if args[1] == 0:
            return Future()  # never done
        return super().submit(fn, *args, **kwargs)


def test_chunks_that_come_early_are_kept(tmp_path: Path) -> None:
    path, plan = tmp_path / "run.json", Plan((Setup.of("basic"),), 4 * CHUNK, 1)

    with Late(4) as executor:
        run(plan, executor=executor, checkpoint=path, report=Stop(3))
    kept = json.loads(path.read_text())
    assert kept["next"] == 0 and [chunk["index"] for chunk in kept["waiting"]] == [1, 2, 3]
    assert run(plan, checkpoint=path).tallies == run(plan).tallies


def test_a_checkpoint_with_rows_and_a_rule(tmp_path: Path) -> None:
    how: dict[str, Any] = {"rounds": 20 * CHUNK, "until": Until("turns", 2.5)}
    whole = compare(SOME, rows=tmp_path / "whole.csv", **how)
    for calls in (1, 1, 100):
        how["progress"] = Stop(calls)
        resumed = compare(SOME, rows=tmp_path / "parts.csv", checkpoint=tmp_path / "c.json", **how)
        with (tmp_path / "parts.csv").open("a") as file:
            file.write("half a li")  # as of a process that was killed while it wrote
    assert resumed == whole
    compare(SOME, rows=tmp_path / "parts.csv", checkpoint=tmp_path / "c.json", **how)
    assert (tmp_path / "parts.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_a_failing_bot_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    with pytest.raises(BotError) as caught:
        simulate("gin-knock", bots=("easy", raises_rarely), rounds=40 * CHUNK, seed=3, checkpoint=path)
    kept = json.loads(path.read_text())
    assert kept["next"] == (caught.value.deal - 1) // CHUNK > 0
    skipped = {"bots": ("easy", raises_at_times), "rounds": 3 * CHUNK, "seed": 2, "on_fault": "skip"}
    whole = simulate("gin-knock", **skipped)  # type: ignore[arg-type]  # options of several types in one table
    for calls in (1, 999):
        again = simulate("gin-knock", checkpoint=tmp_path / "b.json", progress=Stop(calls), **skipped)  # type: ignore[arg-type]  # options of several types in one table
    assert again.tally == whole.tally and len(again.faults) == len(whole.faults)
    assert [fault.error.record for fault in again.faults] == [fault.error.record for fault in whole.faults]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_a_bot_stopped_goes_on_with_the_bot_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    """The fault is no part of the checkpoint."""
    path = tmp_path / "run.json"
    how: dict[str, Any] = {"bots": ("easy", fails_if_told), "rounds": 20 * CHUNK, "seed": 2, "on_fault": "stop"}
    monkeypatch.setenv(FAILS, "yes")
    broken = simulate("gin-knock", checkpoint=path, workers=workers, **how)
    assert not broken.complete and len(broken.faults) == 1
    again = simulate("gin-knock", checkpoint=path, workers=workers, **how)
    assert (again.tally, len(again.faults)) == (broken.tally, 1)
    monkeypatch.delenv(FAILS)
    mended = simulate("gin-knock", checkpoint=path, workers=workers, **how)
    assert mended.complete and not mended.faults and mended == simulate("gin-knock", **how)


def test_a_fault_that_waited_for_its_turn_is_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, setup = tmp_path / "run.json", Setup.of("gin-knock", 2, ("easy", fails_if_told))
    plan = Plan((setup,), 4 * CHUNK, 3, on_fault="stop")
    monkeypatch.setenv(FAILS, "yes")
    with Late(4) as executor:
        run(plan, executor=executor, checkpoint=path, report=Stop(3))
    assert any(chunk["faults"] for chunk in json.loads(path.read_text())["waiting"])
    monkeypatch.delenv(FAILS)
    mended = run(plan, checkpoint=path)
    assert mended.complete and not mended.faults and mended.tallies == run(plan).tallies


@pytest.mark.parametrize(
    ("change", "word"),
    [({"seed": 3}, "seed"), ({"rounds": 9}, "rounds"), ({"matches": 4}, "matches"), ({"bots": "random"}, "setups"),
     ({"until": Until("turns", 1)}, "until"), ({"on_fault": "skip"}, "on_fault"), ({"players": 3}, "setups")],
)  # fmt: skip
def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path, change: dict[str, Any], word: str) -> None:
    how: dict[str, Any] = {"rounds": 4, "seed": 1, "checkpoint": tmp_path / "run.json"}
    simulate("basic", **how)
    with pytest.raises(rummy.RummyError, match=f"of another run.*{word}"):
        simulate("basic", **{**how, **change})


def test_a_checkpoint_is_of_these_bots(tmp_path: Path) -> None:
    """One of the same name from elsewhere is another, also where it is called as a built-in one is."""

    def easy(view: rummy.View, legal: tuple[rummy.Action, ...], rng: object) -> rummy.Action:
        return legal[0]

    how: dict[str, Any] = {"rounds": 4, "checkpoint": tmp_path / "run.json"}
    simulate("gin-classic", bots="easy", **how)
    with pytest.raises(rummy.RummyError, match=r"of another run.*setups"):
        simulate("gin-classic", bots=easy, **how)


def test_a_file_is_replaced_where_it_really_is(tmp_path: Path) -> None:
    """A symbolic link stays one; a device is written to and not replaced."""
    (tmp_path / "real").mkdir()
    link, real = tmp_path / "run.json", tmp_path / "real" / "run.json"
    link.symlink_to(real)
    simulate("gin-classic", bots="random", rounds=4, checkpoint=link)
    assert link.is_symlink() and json.loads(real.read_text())["next"] == 4
    assert [path.name for path in real.parent.iterdir()] == ["run.json"]
    simulate("gin-classic", bots="random", rounds=4, checkpoint=os.devnull)
    assert not Path(os.devnull).is_file()


def test_damaged_checkpoints_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    simulate("basic", rounds=4, checkpoint=path)
    good = json.loads(path.read_text())
    for bad in ("{", "[]", "{}", json.dumps(good | {"checkpoint": 0}), json.dumps(good | {"tallies": [{}]}),
                json.dumps(good | {"waiting": 3}), "\udcff"):  # fmt: skip
        path.write_bytes(bad.encode("utf-8", "surrogateescape"))
        with pytest.raises(rummy.RummyError, match="checkpoint"):
            simulate("basic", rounds=4, checkpoint=path)
    with pytest.raises(rummy.RummyError, match="checkpoint"):
        simulate("basic", rounds=4, checkpoint=tmp_path)
    with pytest.raises(rummy.RummyError, match="cannot write"):
        simulate("basic", rounds=4, checkpoint=tmp_path / "no" / "where.json")


COMMAND = ["compare", "gin-classic", "basic", "--rounds", "400", "--bots", "random", "--seed", "6"]


WAITING = """
import contextlib, sys
from rummy_engine import cli, cli_compare

def tell(done, total):
    if done:
        print("a chunk is done", file=sys.stderr, flush=True)
        sys.stdin.readline()

@contextlib.contextmanager
def progress():
    yield tell

cli_compare._progress = progress
sys.exit(cli.main())
"""
"""The command line that stands still after each chunk until a line comes, or there are no more."""


def command(folder: Path, *words: str, waits: bool = False) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    program = ["-c", WAITING] if waits else ["-m", "rummy_engine"]
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(
        [sys.executable, *program, *COMMAND, *words],
        cwd=folder, env=environment, text=True, start_new_session=True, **pipes,
    )  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="sends SIGKILL")
@pytest.mark.parametrize("victim", ["run", "worker"])
def test_killing_loses_at_most_the_chunks_in_flight(tmp_path: Path, victim: str) -> None:
    pytest.importorskip("typer", reason="needs the extra cli")
    path = tmp_path / "run.json"
    words = ["--workers", "2", "--checkpoint", "run.json", "--json", "out.json", "--rows", "rows.csv", "--no-detail"]
    running = command(tmp_path, *words, waits=True)
    assert running.stderr is not None and running.stderr.readline() == "a chunk is done\n"
    if victim == "run":
        running.kill()  # its workers end by themselves: else their ends of the pipes stay open
    else:
        children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
        if not children.exists():
            pytest.skip("needs /proc")
        os.kill(int(children.read_text().split()[0]), signal.SIGKILL)
    _, error = running.communicate(timeout=60)
    error = error.replace("a chunk is done\n", "")
    assert running.returncode == (-signal.SIGKILL if victim == "run" else 2)
    assert victim == "run" or ("worker process died" in error and error.count("\n") == 1)
    kept = json.loads(path.read_text())
    assert kept["next"] + len(kept["waiting"]) > 0 and not (tmp_path / "out.json").exists()
    assert command(tmp_path, *words).wait(timeout=100) == 0
    assert command(tmp_path, "--json", "fresh.json", "--rows", "fresh.csv").wait(timeout=100) == 0
    assert (tmp_path / "out.json").read_bytes() == (tmp_path / "fresh.json").read_bytes()
    assert (tmp_path / "rows.csv").read_bytes() == (tmp_path / "fresh.csv").read_bytes()


# -------------------------------------------------------------------------------------------------------------- cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed", reason="needs the extra cluster")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=60
    ) as found:
        yield found


def test_a_cluster_gives_the_same(cluster: Any, alone: Comparison) -> None:
    from rummy_engine.comparing.cluster import dask_executor

    with dask_executor(cluster.scheduler_address) as executor:
        assert results(executor=executor) == alone


def test_a_cluster_worker_may_die(cluster: Any, alone: Comparison) -> None:
    from rummy_engine.comparing.cluster import dask_executor

    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if done and not killed:
            killed.append(next(iter(cluster.workers.values())).pid)
            os.kill(killed[0], signal.SIGTERM)

    with dask_executor(cluster.scheduler_address) as executor:
        assert results(executor=executor, progress=kill) == alone and killed


def test_the_log_of_dask_is_silent_meanwhile(cluster: Any) -> None:
    """Whatever is lost is told in one line; a part of Dask with a level of its own must not tell it as well."""
    from rummy_engine.comparing.cluster import dask_executor

    logs = [logging.getLogger(f"distributed{part}") for part in ("", ".client", ".core")]
    for log in logs:
        log.setLevel(logging.WARNING)
    with dask_executor(cluster.scheduler_address):
        assert not any(log.isEnabledFor(logging.CRITICAL) for log in logs)
    assert {log.level for log in logs} == {logging.WARNING}


def test_a_scheduler_may_die(tmp_path: Path, alone: Comparison) -> None:
    pytest.importorskip("distributed", reason="needs the extra cluster")
    from rummy_engine.comparing.cluster import dask_executor

    address_file, path = tmp_path / "scheduler.json", tmp_path / "run.json"
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    module = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(address_file)]
    scheduler = subprocess.Popen([*module, *options], **quiet)
    until = time.monotonic() + 60
    while not address_file.exists() or not address_file.read_text().endswith("}"):
        assert time.monotonic() < until and scheduler.poll() is None
        time.sleep(0.05)
    address = json.loads(address_file.read_text())["address"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    worker = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"],
        **quiet, env=environment,
    )  # fmt: skip
    try:
        with pytest.raises(rummy.RummyError, match="scheduler has gone"), dask_executor(address) as executor:
            results(executor=executor, checkpoint=path, progress=lambda done, total: scheduler.kill() if done else None)
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait()
    assert json.loads(path.read_text())["next"] > 0
    assert results(checkpoint=path) == alone


def test_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    from rummy_engine.comparing import cluster

    pytest.importorskip("distributed", reason="needs the extra cluster")
    monkeypatch.setattr(cluster, "PATIENCE", "1s")
    for address in ("tcp://127.0.0.1:1", "nonsense", "", "ftp://x"):
        with pytest.raises(rummy.RummyError, match="no Dask scheduler"), cluster.dask_executor(address):
            raise AssertionError("connected to nothing")
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    with pytest.raises(rummy.RummyError, match=r'pip install "rummy-engine\[cluster\]"'), cluster.dask_executor("x"):
        raise AssertionError("connected without the extra")
