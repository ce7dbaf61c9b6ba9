"""Checking any profile: what can be said of it beforehand, then the laws by random and by guided play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

from rummy_engine.actions import Action
from rummy_engine.chance import check_seed
from rummy_engine.errors import RummyError
from rummy_engine.game import Game
from rummy_engine.state import State
from rummy_engine.testing.coverage import Coverage
from rummy_engine.testing.driving import Step, drive, some_policies, some_start
from rummy_engine.testing.laws.base import LAWS, Case, GameLaw, LawBroken, PlayLaw, StateLaw, StepLaw
from rummy_engine.testing.policies import Rarest
from rummy_engine.testing.reducing import reduced
from rummy_engine.testing.staticchecks import Finding, static_findings

EXAMPLES = 100
"""Plays of a run, unless told otherwise."""
STEPS = 160
"""Actions of one play."""
DEAR_CHECKS = 4
"""The dear laws are tried on about so many steps of a play, and wherever something is new."""
NEW = 3
"""A phase with a type of action is new the first so many times."""

Progress: TypeAlias = Callable[[int, int], None]
"""Told after every play: (plays done, plays asked for)."""


@dataclass
class Report:
    """What a verification has found, as far as it went."""

    name: str
    digest: str
    seed: int
    asked: int
    """Plays asked for."""
    coverage: Coverage
    findings: tuple[Finding, ...] = ()
    done: int = 0
    """Plays done."""
    interrupted: bool = False
    checked: Counter[str] = field(default_factory=Counter)
    """How often each law was tried."""
    broken: list[LawBroken] = field(default_factory=list)
    """The first, reduced counter-example of each law that does not hold."""

    @property
    def faults(self) -> tuple[str, ...]:
        """Why the profile cannot be played to an end, if it cannot."""
        return tuple(finding.text for finding in self.findings if finding.level == "fault")

    @property
    def ok(self) -> bool:
        """Whether the profile can be played and no law was broken."""
        return not self.faults and not self.broken

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "name": self.name,
            "digest": self.digest,
            "seed": self.seed,
            "ok": self.ok,
            "plays": {"asked": self.asked, "done": self.done, "interrupted": self.interrupted},
            "rounds": self.coverage.rounds,
            "actions": self.coverage.steps,
            "findings": [finding._asdict() for finding in self.findings],
            "coverage": self.coverage.to_dict(),
            "laws": {name: self.checked[name] for name in LAWS},
            "broken": [
                {"law": each.law, "clause": each.clause, "sentence": each.sentence, "fault": each.fault,
                 "script": each.script()}
                for each in self.broken
            ],
        }  # fmt: skip

    def text(self) -> str:
        """The report for people."""
        lines = [f"{self.name} (digest {self.digest}), seed {self.seed}"]
        stopped = f" of {self.asked}, interrupted" if self.interrupted else ""
        lines.append(
            f"{self.done} plays{stopped}: {self.coverage.rounds} rounds, {self.coverage.steps} actions, "
            f"{sum(self.checked.values())} checks of {sum(self.checked[name] > 0 for name in LAWS)} laws"
        )
        lines += [f"{finding.level}: {finding.text}" for finding in self.findings]
        for name in ("players", "phases", "actions", "endings"):
            counts = getattr(self.coverage, name)
            lines.append(f"{name}: " + ", ".join(f"{key} {count}" for key, count in counts.items()))
        dials = self.coverage.dials
        lines.append(f"dials exercised: {sum(dials.values())} of {len(dials)}")
        for kind, missing in self.coverage.missing().items():
            lines.append(f"never reached ({kind}): {', '.join(missing)}")
        if not self.coverage.missing():
            lines.append("never reached: nothing that this profile has")
        for each in self.broken:
            lines += ["", f"BROKEN {each.law} ({each.clause}): {each.sentence}", each.fault, "", each.script()]
        told = {0: "no law was broken", 1: "1 law was broken"}
        lines.append(told.get(len(self.broken), f"{len(self.broken)} laws were broken"))
        return "\n".join(lines)


def verify(game: Game, examples: int = EXAMPLES, seed: int = 0, progress: Progress | None = None) -> Report:
    """Checks a game: static findings first, then the laws in that many plays; the same seed gives the same report.

    A profile with a static fault is not played. Ctrl-C ends the run early with what is known by then. Raises
    RummyError for a number of plays or a seed that is none.
    """
    if not isinstance(examples, int) or isinstance(examples, bool) or examples < 0:
        raise RummyError(f"examples must be a number of plays from 0, not {examples!r:.40}")
    check_seed(seed)
    report = Report(game.profile.meta.name, game.digest, seed, examples, Coverage(game))
    try:
        report.findings = static_findings(game)
        if not report.faults:
            _Run(game, report).play(progress)
    except KeyboardInterrupt:
        report.interrupted = True
    return report


class _Run:
    """The plays of one verification."""

    def __init__(self, game: Game, report: Report) -> None:
        self._game, self._report = game, report
        self._rarest = Rarest()
        self._familiar: Counter[tuple[str, type[Action]]] = Counter()
        self._failed: set[str] = set()

    def play(self, progress: Progress | None) -> None:
        report, seats = self._report, self._game.profile.players
        for law in LAWS.values():
            if isinstance(law, GameLaw):
                self._try(law, Case(self._game))
        for i in range(report.asked):
            rng = Random(f"{report.seed}:{i}")
            self._one(seats.min + i % (seats.max - seats.min + 1), rng)
            report.done += 1
            if progress is not None:
                progress(report.done, report.asked)

    def _one(self, players: int, rng: Random) -> None:
        """One play: a start, a policy for every seat, and the laws along the way."""
        start = some_start(self._game, players, rng)
        actions: list[Action] = []
        state = start
        steps = drive(self._game, start, rng, some_policies(players, rng, self._rarest), STEPS)
        while True:
            try:
                step = next(steps)
            except StopIteration:
                break
            except Exception as error:
                self._crashed(state, error)
                return
            self._check(step, rng)
            actions.append(step.action)
            state = step.after
        for law in LAWS.values():
            if isinstance(law, PlayLaw) and rng.random() < 0.2:
                self._try(law, Case(self._game, start, tuple(actions), rng.getrandbits(32)))

    def _check(self, step: Step, rng: Random) -> None:
        before, action, after = step
        self._report.coverage.note(before, action, after)
        kind = (before.phase, type(action))
        self._familiar[kind] += 1
        dear = self._familiar[kind] <= NEW or rng.random() < DEAR_CHECKS / STEPS
        seed = rng.getrandbits(32)
        for law in LAWS.values():
            if law.cost == "dear" and not dear:
                continue
            if isinstance(law, StateLaw):
                self._try(law, Case(self._game, after, (), seed))
            elif isinstance(law, StepLaw):
                self._try(law, Case(self._game, before, (action,), seed), after)

    def _try(self, law: GameLaw | StateLaw | StepLaw | PlayLaw, case: Case, after: State | None = None) -> None:
        """Tries a law, unless it has failed before: one counter-example is enough."""
        if law.name in self._failed:
            return
        self._report.checked[law.name] += 1
        game, state, actions, seed = case
        try:
            if isinstance(law, GameLaw):
                law(game, seed)
            elif state is None:
                return
            elif isinstance(law, StateLaw):
                law(game, state, seed)
            elif isinstance(law, StepLaw):
                law(game, state, actions[0], after, seed)
            else:
                law(game, state, actions, seed)
        except LawBroken as broken:
            self._failed.add(law.name)
            self._report.broken.append(reduced(broken))

    def _crashed(self, state: State, error: Exception) -> None:
        """The engine or a policy raised an error in the middle of a play."""
        before = len(self._report.broken)
        for name in ("someone_can_act", "legal_applies", "chance_is_due"):
            law = LAWS[name]
            assert isinstance(law, StateLaw)
            self._try(law, Case(self._game, state))
        if len(self._report.broken) == before and "legal_applies" not in self._failed:
            self._failed.add("legal_applies")
            law = LAWS["legal_applies"]
            fault = f"the play could not go on: {type(error).__name__}: {error}"
            self._report.broken.append(
                LawBroken(law.name, law.sentence, law.clause, fault, Case(self._game, state))
            )
