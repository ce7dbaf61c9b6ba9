"""A Dask cluster as an executor. Needs dask and distributed (extra `cluster`), and this package on every worker."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib.util import find_spec

from rummy_engine.errors import RummyError

PATIENCE = "10s"
"""How long to wait for a scheduler that does not answer."""


@contextmanager
def dask_executor(address: str) -> Iterator[Executor]:
    """The workers of the cluster whose scheduler is at this address, as "tcp://10.0.0.1:8786"; raises RummyError."""
    if find_spec("distributed") is None:
        raise RummyError('a Dask cluster needs dask: pip install "rummy-engine[cluster]"')
    from distributed import Client

    with _silenced():
        try:
            asyncio.run(_answers(address))
            client = Client(address, timeout=PATIENCE, set_as_default=False)
        except Exception as error:  # every kind of transport has its own
            raise RummyError(f"no Dask scheduler answers at {address!r:.80}: {error!s:.100}") from error
        try:
            # Not pure: Dask must not take a chunk of one run for the same of another.
            yield client.get_executor(pure=False)
        finally:
            client.close(timeout=2)


@contextmanager
def _silenced() -> Iterator[None]:
    """Without the log of Dask: a lost scheduler is told in one line, and not in its tracebacks.

    Its parts have loggers with levels of their own.
    """
    known = logging.root.manager.loggerDict
    logs = [logging.getLogger(name) for name in known if name.split(".")[0] == "distributed"]
    levels = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for log, level in zip(logs, levels, strict=True):
            log.setLevel(level)


async def _answers(address: str) -> None:
    """Raises an exception unless somebody answers there: a client that nobody answers complains at its end."""
    from distributed.comm.core import connect

    comm = await connect(address, timeout=PATIENCE)
    await comm.close()
