"""What a run has counted so far, in a file: a run that was killed goes on from there.

The file is replaced as a whole after each chunk, so it is never half-written. It holds what the run plays, so that
another run does not go on with it; how many workers there are and where results go is no part of that.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rummy_engine.comparing.chunks import Chunk, Fault, Plan
from rummy_engine.comparing.counting import Tally
from rummy_engine.comparing.lanes import LANES
from rummy_engine.comparing.stopping import Until
from rummy_engine.errors import RummyError
from rummy_engine.files import replace_output

FORM = 2
"""The form of checkpoints that this library writes and reads."""


@dataclass(slots=True)
class Progress:
    """The state of a run: the chunks before `next` are counted in the tallies, some later ones wait for their turn."""

    tallies: list[Tally]
    next: int = 0
    waiting: dict[int, Chunk] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    row_bytes: int = 0
    """Bytes of the rows file that are accounted for."""


class Checkpoint:
    """The file of a run."""

    def __init__(self, path: Path, plan: Plan, until: Until | None) -> None:
        self.path = path
        self._run = _identity(plan, until)
        self._setups = len(plan.setups)

    def load(self) -> Progress | None:
        """What the file holds; None where there is none yet.

        Raises RummyError for a file that is no checkpoint, or is that of another run.
        """
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise RummyError(f"cannot read the checkpoint {self._name}: {error}") from error
        if not text:
            return None
        try:
            data = json.loads(text)
            form, run = data["checkpoint"], data["run"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise RummyError(f"{self._name} is no checkpoint of a comparison") from None
        if form != FORM:
            raise RummyError(f"the checkpoint {self._name} has form {form!r:.20}: this library reads {FORM}")
        if run != self._run:
            differs = [name for name in self._run if not isinstance(run, dict) or run.get(name) != self._run[name]]
            raise RummyError(
                f"the checkpoint {self._name} is of another run ({', '.join(differs) or 'all'} differ): "
                f"name another file, or delete it"
            )
        try:
            return Progress(
                tallies=[Tally.of_dict(each) for each in data["tallies"]],
                next=int(data["next"]),
                waiting={chunk.index: chunk for chunk in map(Chunk.of_dict, data["waiting"])},
                faults=[Fault.of_dict(each) for each in data["faults"]],
                row_bytes=int(data["row_bytes"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise RummyError(f"the checkpoint {self._name} is damaged: {error!r:.100}") from error

    def save(self, progress: Progress) -> None:
        """Replaces the file; raises RummyError if that fails."""
        data = {
            "checkpoint": FORM,
            "run": self._run,
            "next": progress.next,
            "row_bytes": progress.row_bytes,
            "tallies": [tally.to_dict() for tally in progress.tallies],
            "waiting": [progress.waiting[index].to_dict() for index in sorted(progress.waiting)],
            "faults": [fault.to_dict() for fault in progress.faults],
        }
        replace_output(self.path, json.dumps(data, separators=(",", ":")) + "\n")

    @property
    def _name(self) -> str:
        return f"{str(self.path)!r:.120}"


def _identity(plan: Plan, until: Until | None) -> dict[str, Any]:
    """What a run plays, as JSON gives it back."""
    from rummy_engine import __version__  # at the time of use: the package imports this module

    setups: Sequence[Any] = [[setup.game.digest, setup.players, list(setup.names)] for setup in plan.setups]
    return {
        "library": __version__,
        "setups": setups,
        "rounds": plan.deals,
        "matches": plan.whole_matches,
        "seed": plan.seed,
        "chunk": plan.chunk,
        "rows": plan.rows,
        "on_fault": plan.on_fault,
        "until": None if until is None else str(until),
        "lanes": LANES,
    }
