"""Checking any profile: what can be said of it beforehand, then the laws by random and by guided play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

from rummy_engine.actions import Action
from rummy_engine.chance import check_seed
from rummy_engine.errors import RummyError
from rummy_engine.game import Game
from rummy_engine.hints import is_whole, presentable
from rummy_engine.state import State
from rummy_engine.testing.coverage import Coverage
from rummy_engine.testing.driving import Step, drive, some_policies, some_start
from rummy_engine.testing.laws.base import LAWS, Case, GameLaw, Law, LawBroken, PlayLaw, StateLaw, StepLaw
from rummy_engine.testing.policies import Rarest
from rummy_engine.testing.reducing import reduced, written
from rummy_engine.testing.staticchecks import Finding, static_findings

EXAMPLES = 100
"""Plays of a run, unless told otherwise."""
STEPS = 160
"""Actions of one play."""
DEAR_CHECKS = 4
"""The dear laws are tried on about so many steps of a play, and wherever something is new."""
NEW = 3
"""A phase with a type of action is new the first so many times."""
UNWRITTEN = "this engine cannot write the situation down: the file does not bring it back"

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
            "refused": list(self.faults),
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
        if self.coverage.steps:
            lines += self.coverage.lines()
        for each in self.broken:
            lines += ["", f"BROKEN {each.law} ({each.clause}): {each.sentence}", each.fault, "", each.script()]
        return "\n".join([*lines, self._verdict()])

    def _verdict(self) -> str:
        if self.faults:
            return f"refused, since it cannot be played to an end: {'; '.join(self.faults)}"
        if len(self.broken) > 1:
            return f"{len(self.broken)} laws were broken"
        if self.broken:
            return "1 law was broken"
        return "no law was broken" if self.coverage.steps else "no play was made"


def check_examples(examples: object) -> None:
    """Raises RummyError for what is no number of plays."""
    if not is_whole(examples) or examples < 1:
        raise RummyError(f"examples must be a number of plays from 1, not {presentable(examples)!r:.40}")


def verify(game: Game, examples: int = EXAMPLES, seed: int = 0, progress: Progress | None = None) -> Report:
    """Checks a game: static findings first, then the laws in that many plays; the same seed gives the same report.

    A profile with a static fault is not played. Ctrl-C ends the run early with what is known by then. Raises
    RummyError for a number of plays or a seed that is none.
    """
    check_examples(examples)
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
        self._put_off: set[str] = set()
        """Laws that were broken in this play, where nothing that can be written shows it: the next one may."""

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
        self._put_off.clear()
        played: list[Step] = []
        start = self._game.start(players)
        try:
            start = some_start(self._game, players, rng)
            for step in drive(self._game, start, rng, some_policies(players, rng, self._rarest), STEPS):
                played.append(step)
                self._check(played, rng)
        except Exception as error:
            if played and not isinstance(played[-1].after, State):
                played.pop()  # the engine gave none: what came before is the last that can be looked at
            self._crashed(played[-1].after if played else start, played, error)
            return
        actions = tuple(step.action for step in played)
        for law in LAWS.values():
            if isinstance(law, PlayLaw) and rng.random() < 0.2:
                self._try(law, Case(self._game, start, actions, rng.getrandbits(32)))

    def _check(self, played: Sequence[Step], rng: Random) -> None:
        """The laws after the last step of a play."""
        before, action, after = played[-1]
        self._report.coverage.note(before, action, after)
        kind = (before.phase, type(action))
        self._familiar[kind] += 1
        dear = self._familiar[kind] <= NEW or rng.random() < DEAR_CHECKS / STEPS
        seed = rng.getrandbits(32)
        for law in LAWS.values():
            if law.cost == "dear" and not dear:
                continue
            if isinstance(law, StateLaw):
                self._try(law, Case(self._game, after, (), seed), played)
            elif isinstance(law, StepLaw):
                self._try(law, Case(self._game, before, (action,), seed), played)

    def _try(self, law: Law, case: Case, played: Sequence[Step] = ()) -> None:
        """Tries a law, unless it has failed before: one counter-example is enough."""
        if law.name not in self._failed | self._put_off:
            self._report.checked[law.name] += 1
            if (broken := _broken(law, case, played)) is not None:
                self._add(broken, played)

    def _add(self, broken: LawBroken, played: Sequence[Step]) -> None:
        """Keeps the first counter-example of a law that can be written down, or the last that cannot."""
        if broken.law in self._failed | self._put_off:
            return
        shown = written(broken, played)
        (self._put_off if shown is None else self._failed).add(broken.law)
        others = [each for each in self._report.broken if each.law != broken.law]
        kept = reduced(shown) if shown else broken.elsewhere(broken.case, f"{broken.fault} ({UNWRITTEN})")
        self._report.broken = [*others, kept]

    def _crashed(self, state: State, played: Sequence[Step], error: Exception) -> None:
        """The engine or a policy raised an error in the middle of a play: some law shows why, as a rule."""
        case = Case(self._game, state)
        shown = [_broken(law, case, played) for law in LAWS.values() if isinstance(law, StateLaw)]
        for broken in filter(None, shown):
            self._add(broken, played)
        if not any(shown):
            law = LAWS["legal_applies"]
            fault = f"the play could not go on, which no law shows: {type(error).__name__}: {error}"
            self._add(LawBroken(law.name, law.sentence, law.clause, fault, case), played)


def _broken(law: Law, case: Case, played: Sequence[Step]) -> LawBroken | None:
    """How the law breaks after these steps, if it does."""
    game, state, actions, seed, _ = case
    try:
        if isinstance(law, GameLaw):
            law(game, seed)
        elif state is None:
            return None
        elif isinstance(law, StateLaw):
            law(game, state, seed)
        elif isinstance(law, StepLaw):
            law(game, state, actions[0], played[-1].after, seed)
        elif isinstance(law, PlayLaw):
            law(game, state, actions, seed)
    except LawBroken as broken:
        return broken
    return None
