"""The plan of a run, and the chunks of deals it is played in: what is handed to workers and what comes back."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from time import thread_time
from typing import Any, Literal, NamedTuple, TypeAlias

from rummy_engine.chance import check_seed
from rummy_engine.comparing.counting import Tally
from rummy_engine.comparing.lanes import weights
from rummy_engine.comparing.playing import BotError, deal_seed, play
from rummy_engine.comparing.rows import Cells, rows_of
from rummy_engine.comparing.setups import Setup
from rummy_engine.errors import RummyError
from rummy_engine.hints import is_whole, presentable

CHUNK, MATCHES_CHUNK = 25, 5
"""Deals that are played, counted and handed over together: at most these are lost when a run is stopped."""
FEWEST_CHUNKS = 40
"""Runs of few deals have smaller chunks, so that many workers share them, and slow bots lose little."""
MOST_DEALS = 10**12
"""The most deals of one run."""
MOST_WORKERS = 1000
"""The most processes that one run starts."""
OnFault: TypeAlias = Literal["raise", "stop", "skip"]
"""What a bot that breaks its contract does to a run: an error; an end with all that was counted till then; or nothing,
save that the deal is not counted for that row and the fault is reported."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run plays: every setup on the same `deals`, as single rounds or whole matches."""

    setups: tuple[Setup, ...]
    deals: int
    seed: int
    whole_matches: bool = False
    rows: bool = False
    """Whether a row of every round is handed back."""
    on_fault: OnFault = "raise"
    chunk: int = CHUNK

    @property
    def chunks(self) -> int:
        """How many chunks there are."""
        return -(-self.deals // self.chunk)

    @property
    def plays(self) -> int:
        """Rounds or matches of all setups and seatings."""
        return self.deals * self.plays_per_deal

    @property
    def plays_per_deal(self) -> int:
        """Rounds or matches of one deal."""
        return sum(len(setup.seatings) for setup in self.setups)


def chunk_of(deals: int, whole_matches: bool) -> int:
    """How many deals of a run make a chunk: whoever plays them, since stopping rules are asked after each.

    >>> chunk_of(10_000, False), chunk_of(200, False), chunk_of(10, False), chunk_of(10_000, True)
    (25, 5, 1, 5)
    """
    return max(1, min(MATCHES_CHUNK if whole_matches else CHUNK, deals // FEWEST_CHUNKS))


def check_numbers(deals: object, seed: object, workers: object, chunk: object = CHUNK) -> None:
    """Raises RummyError for a number of rounds, a seed or a number of workers that is out of range."""
    for what, value, most in (
        ("rounds", deals, MOST_DEALS), ("workers", workers, MOST_WORKERS), ("deals of a chunk", chunk, MOST_DEALS)
    ):  # fmt: skip
        if not is_whole(value) or value < 1:
            raise RummyError(f"the number of {what} is a whole number from 1, not {presentable(value)!r:.40}")
        if value > most:
            raise RummyError(f"the number of {what} is at most {most}, not {presentable(value)!r:.40}")
    check_seed(seed)


class Fault(NamedTuple):
    """A deal that is not counted for one row of a run: why, and the record up to there."""

    row: int
    deal: int
    error: BotError

    def to_dict(self) -> dict[str, Any]:
        """As plain data for JSON."""
        error = self.error
        return {
            "row": self.row,
            "deal": self.deal,
            "setup": error.setup,
            "seed": error.seed,
            "deal_seed": error.record.seed,
            "bot": error.bot,
            "seat": error.seat,
            "fault": error.fault,
            "record": error.record.to_json(),
        }

    @classmethod
    def of_dict(cls, data: Mapping[str, Any]) -> Fault:
        """The fault that `to_dict` wrote."""
        from rummy_engine.record import Record

        record = Record.from_json(data["record"])
        error = BotError(data["fault"], data["bot"], data["seat"], data["setup"], data["seed"], data["deal"], record)
        return cls(data["row"], data["deal"], error)


@dataclass(slots=True)
class Chunk:
    """What came of one chunk: a tally per setup, rows if they were asked for, and the faults of bots."""

    index: int
    tallies: list[Tally]
    rows: list[Cells] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """As plain data for JSON; `of_dict` is the way back."""
        return {
            "index": self.index,
            "tallies": [tally.to_dict() for tally in self.tallies],
            "rows": [list(row) for row in self.rows],
            "faults": [fault.to_dict() for fault in self.faults],
        }

    @classmethod
    def of_dict(cls, data: Mapping[str, Any]) -> Chunk:
        """The chunk that `to_dict` wrote."""
        return cls(
            index=int(data["index"]),
            tallies=[Tally.of_dict(each) for each in data["tallies"]],
            rows=[tuple(row) for row in data["rows"]],
            faults=[Fault.of_dict(each) for each in data["faults"]],
        )


def packed(plan: Plan) -> Plan | bytes:
    """The plan as it is sent to workers: as bytes, which a worker unpacks once and knows again.

    A plan with bots that do not pickle is sent as it is, and it is for the executor to cope with it.
    """
    try:
        return pickle.dumps(plan)
    except (pickle.PicklingError, AttributeError, TypeError):
        return plan


def play_chunk(sent: Plan | bytes, index: int) -> Chunk:
    """Plays the deals of a chunk with every setup; runs in the workers."""
    plan = _unpacked(sent) if isinstance(sent, bytes) else sent
    first = index * plan.chunk + 1
    numbers = range(first, min(first + plan.chunk, plan.deals + 1))
    drawn = [weights(plan.seed, number) for number in numbers]
    chunk = Chunk(index, [])
    for place, setup in enumerate(plan.setups):
        began = thread_time()
        policies, tally = setup.policies(), Tally()
        seatings = setup.seatings
        for number, weight in zip(numbers, drawn, strict=True):
            try:
                plays = [
                    (seating, play(setup, policies, seating, plan.seed, number, plan.whole_matches))
                    for seating in seatings
                ]
            except BotError as error:
                chunk.faults.append(Fault(place, number, error))
                tally.faults += 1
                if plan.on_fault != "skip":
                    break
                continue
            tally.count(setup, plays, weight, plan.whole_matches)
            if plan.rows:
                own_seed = deal_seed(plan.seed, number)
                for turned, (seating, played) in enumerate(plays):
                    chunk.rows += rows_of(setup, place, number, own_seed, turned, seating, played)
        tally.seconds = thread_time() - began
        chunk.tallies.append(tally)
    return chunk


@lru_cache(16)
def _unpacked(sent: bytes) -> Plan:
    plan = pickle.loads(sent)
    assert isinstance(plan, Plan)
    return plan
