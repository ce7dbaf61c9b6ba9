"""Running a plan: chunks are shared out among workers, taken in in their order, and kept in a checkpoint."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from rummy_engine.comparing.checkpoint import Checkpoint, Progress
from rummy_engine.comparing.chunks import Chunk, Fault, Plan, packed, play_chunk
from rummy_engine.comparing.counting import Tally
from rummy_engine.comparing.rows import RowsFile
from rummy_engine.comparing.stopping import Until
from rummy_engine.errors import RummyError

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

MAX_WORKERS = 61
"""The most processes that are started, whatever is asked for: the most that every system allows."""
AHEAD = 16
"""So many chunks are handed to an executor of unknown size before the first one has come back."""
KEPT_FAULTS = 20
"""So many faults are kept with their records; more are only counted, so that memory does not grow."""

Report: TypeAlias = Callable[[int, int], None]
"""Told now and then (rounds or matches played, those to play at most)."""


@dataclass(slots=True)
class Outcome:
    """What came of a run."""

    plan: Plan
    tallies: list[Tally]
    """One per setup."""
    faults: list[Fault] = field(default_factory=list)
    complete: bool = False
    """Whether it ended as planned, and was not stopped before."""


def run(
    plan: Plan,
    workers: int = 1,
    executor: Executor | None = None,
    report: Report | None = None,
    checkpoint: Path | None = None,
    until: Until | None = None,
    rows: Path | None = None,
    ahead: int = AHEAD,
) -> Outcome:
    """Plays a plan; the outcome is the same whoever does the work and however often it is taken up again.

    Ctrl-C stops: what was counted till then is returned, with `complete` False. Raises RummyError where a worker dies
    or a file cannot be written, and BotError where the plan says so; the checkpoint then holds what was counted.
    """
    told = report or (lambda done, total: None)
    kept = Checkpoint(checkpoint, plan, until) if checkpoint is not None else None
    progress = (kept.load() if kept else None) or Progress([Tally() for _ in plan.setups])
    if plan.on_fault != "skip":  # whoever runs it again has mended the bot
        progress.waiting = {index: chunk for index, chunk in progress.waiting.items() if not chunk.faults}
    with ExitStack() as stack:
        spool = RowsFile(rows, progress.row_bytes) if rows is not None else None
        state = _State(plan, progress, kept, until, spool, told)
        if spool is not None:
            stack.callback(lambda: spool.close(finished=state.ended))
        # Ctrl-C keeps the chunks that are done: each is taken in as a whole before the next is asked for.
        with suppress(KeyboardInterrupt):
            told(state.plays, plan.plays)
            if not state.is_over():
                todo = iter([index for index in range(progress.next, plan.chunks) if index not in progress.waiting])
                source = _source(plan, todo, min(workers, MAX_WORKERS), executor, ahead)
                with closing(source):
                    for chunk in source:
                        if state.take(chunk):
                            break
    return Outcome(plan, progress.tallies, progress.faults + state.stopped_by, state.ended)


class _State:
    """Takes chunks in, in their order, whatever the order they come in."""

    def __init__(
        self,
        plan: Plan,
        progress: Progress,
        kept: Checkpoint | None,
        until: Until | None,
        rows: RowsFile | None,
        told: Report,
    ) -> None:
        self.plan, self.progress, self.kept, self.until, self.rows, self.told = plan, progress, kept, until, rows, told
        self.ended = False
        self.stopped_by: list[Fault] = []
        """The faults that stopped the run. Their chunk is not counted, nor are they part of the progress."""

    @property
    def plays(self) -> int:
        """Rounds or matches counted, those of a faulty bot included."""
        done = min(self.progress.next * self.plan.chunk, self.plan.deals)
        return done * self.plan.plays_per_deal

    def take(self, chunk: Chunk) -> bool:
        """Takes a chunk in, and those that waited for it; returns whether the run is over."""
        progress = self.progress
        progress.waiting[chunk.index] = chunk
        over = False
        while not over and (following := progress.waiting.pop(progress.next, None)) is not None:
            self._fold(following)
            over = self.is_over()
        if over:
            progress.waiting.clear()
        if self.kept is not None:
            self.kept.save(progress)
        self.told(self.plays, self.plan.plays)
        return over

    def _fold(self, chunk: Chunk) -> None:
        progress = self.progress
        if chunk.faults and self.plan.on_fault == "raise":
            raise min(chunk.faults, key=lambda fault: (fault.deal, fault.row)).error
        if chunk.faults and self.plan.on_fault == "stop":
            self.stopped_by = chunk.faults[:KEPT_FAULTS]
            return
        progress.faults += chunk.faults[: KEPT_FAULTS - len(progress.faults)]
        if self.rows is not None:
            self.rows.add(chunk.rows)
            progress.row_bytes = self.rows.size
        for tally, more in zip(progress.tallies, chunk.tallies, strict=True):
            tally.add(more)
        progress.next += 1

    def is_over(self) -> bool:
        """Whether nothing is left to do."""
        if self.stopped_by:
            return True
        progress = self.progress
        self.ended = progress.next == self.plan.chunks or (
            self.until is not None and progress.next > 0 and self.until.is_met(progress.tallies)
        )
        return self.ended


def _source(
    plan: Plan, todo: Iterator[int], workers: int, executor: Executor | None, ahead: int
) -> Generator[Chunk, None, None]:
    """The chunks in the order they are done."""
    if executor is not None:
        yield from _shared(plan, todo, executor, ahead)
    elif workers == 1:
        yield from (play_chunk(plan, index) for index in todo)
    else:
        pool = ProcessPoolExecutor(workers, initializer=_follow_parent)
        try:
            yield from _shared(plan, todo, pool, 4 * workers)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _shared(plan: Plan, todo: Iterator[int], executor: Executor, ahead: int) -> Generator[Chunk, None, None]:
    """Hands the chunks out, never more than `ahead` beyond the one that is waited for, so that few ever wait."""
    sent = packed(plan)
    if not isinstance(sent, bytes) and isinstance(executor, ProcessPoolExecutor):  # which would wait for ever
        raise RummyError("a bot of your own must be picklable to play in other processes: define it in a module")
    pending: dict[Future[Chunk], int] = {}
    lost: set[int] = set()
    following = next(todo, None)
    try:
        while True:
            oldest = min(pending.values(), default=following)
            while following is not None and oldest is not None and following < oldest + ahead:
                with _told_plainly():
                    pending[executor.submit(play_chunk, sent, following)] = following
                following = next(todo, None)
            if not pending:
                return
            finished, _ = wait(pending, return_when=FIRST_COMPLETED)
            for future in sorted(finished, key=pending.__getitem__):
                index = pending.pop(future)
                if index not in lost and _is_lost(future):
                    lost.add(index)
                    with _told_plainly():
                        pending[executor.submit(play_chunk, sent, index)] = index
                    continue
                with _told_plainly():
                    chunk = future.result()
                yield chunk
    finally:
        for future in pending:
            future.cancel()


def _is_lost(future: Future[Chunk]) -> bool:
    """Whether a chunk is worth playing once more: a cluster may lose a result together with a worker."""
    error = None if future.cancelled() else future.exception()
    return isinstance(error, Exception) and not isinstance(error, RummyError | BrokenExecutor)


@contextmanager
def _told_plainly() -> Iterator[None]:
    """Makes a RummyError of whatever ends the work of an executor, when it is given some or when it brings it back."""
    try:
        yield
    except BrokenExecutor as error:
        raise RummyError(f"a worker process died (what a checkpoint holds is not lost): {error}") from error
    except CancelledError as error:
        raise RummyError("the work was given up: the executor or its scheduler has gone") from error
    except RummyError:
        raise
    except Exception as error:  # pickling, transport, a cluster that lost its workers: each has its own kinds
        raise RummyError(f"a worker failed: {type(error).__name__}: {error!s:.300}") from error


def _follow_parent() -> None:
    """In a worker: Ctrl-C is for the parent to see to, and when that is killed, nobody is left to work for."""
    import signal
    from multiprocessing import parent_process
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
