"""What a law is: a sentence, the clauses it enforces, and a check that raises `LawBroken` with the situation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from textwrap import indent
from typing import Literal, NamedTuple, TypeAlias

from rummy_engine.actions import Action
from rummy_engine.game import Game
from rummy_engine.state import State
from rummy_engine.testing.following import move, read
from rummy_engine.testing.pasting import game_text, moves_text, situation_lines

Cost: TypeAlias = Literal["cheap", "dear"]
"""Whether a check costs about as much as the move itself, or much more."""


class Case(NamedTuple):
    """The situation in which a law broke."""

    game: Game
    state: State | None = None
    """None: the law is about the game alone."""
    actions: tuple[Action, ...] = ()
    """The action that was taken there, or all the actions of a play."""
    seed: int = 0
    """The seed that the law was called with."""
    lead: tuple[Action, ...] = ()
    """The actions that lead from `state` to where the law broke; for places that no position describes."""


class LawBroken(AssertionError):
    """A law does not hold. The message is the fault and Python text that brings the situation back."""

    def __init__(self, law: str, sentence: str, clause: str, fault: str, case: Case) -> None:
        self.law, self.sentence, self.clause, self.fault, self.case = law, sentence, clause, fault, case
        super().__init__(law, fault)

    def __str__(self) -> str:
        return f"{self.law} ({self.clause}): {self.sentence}\n{self.fault}\n\n{self.example()}"

    def __reduce__(self) -> tuple[type[LawBroken], tuple[object, ...]]:
        return type(self), (self.law, self.sentence, self.clause, self.fault, self.case)

    def elsewhere(self, case: Case, fault: str) -> LawBroken:
        """The same law broken in another situation."""
        return LawBroken(self.law, self.sentence, self.clause, fault, case)

    def example(self) -> str:
        """The lines that set the situation up and try the law on it; `rummy` and `laws` must be imported."""
        return "\n".join([*self._situation(), self._call(*self._given())])

    def script(self) -> str:
        """A Python file that shows the fault when it is run, and with another engine says that there is none."""
        fault = self.fault.replace("\\", "\\\\").replace('"""', "'''")
        lines, given = self._situation(), self._given()
        if "actions" in given:
            lines.append("laws.follow(game, state, actions)")
        elif "action" in given:
            lines.append("after = laws.follow(game, state, [action])")
            given.append("after")
        situation = indent("\n".join(lines), "    ")
        return (
            f'"""{self.law}: {self.sentence}\n\nClauses: {self.clause}. Found: {fault}\n"""\n\n'
            "import rummy_engine as rummy\nfrom rummy_engine.testing import laws\n\n"
            f"try:\n{situation}\n"
            "except rummy.RummyError as error:\n"
            '    print(f"This engine does not come to that situation: {error}")\n'
            f"else:\n    {self._call(*given)}\n"
            f'    print("This engine keeps {self.law} in that situation.")\n'
        )

    def _situation(self) -> list[str]:
        game, state, actions, _, lead = self.case
        lines = [f"game = {game_text(game)}"] if state is None else situation_lines(game, state, lead)
        if isinstance(LAWS.get(self.law), PlayLaw):
            lines.append(f"actions = {moves_text(actions)}")
        elif actions:
            lines.append(f'action = "{actions[0]}"')
        return lines

    def _given(self) -> list[str]:
        """What the law is called with."""
        names = ["game"] if self.case.state is None else ["game", "state"]
        if isinstance(LAWS.get(self.law), PlayLaw):
            return [*names, "actions"]
        return [*names, "action"] if self.case.actions else names

    def _call(self, *given: str) -> str:
        return f"laws.{self.law}({', '.join(given)}, seed={self.case.seed})"


class Unmet(AssertionError):
    """What a check raises; the law adds the situation."""


def require(holds: object, fault: str) -> None:
    """Raises `Unmet` with the fault unless the condition holds."""
    if not holds:
        raise Unmet(fault)


def _cause(error: Exception) -> BaseException | None:
    """What is worth showing behind a broken law: the engine's own error, not the check's."""
    return error.__cause__ if isinstance(error, (Unmet, LawBroken)) else error


class Law:
    """One law. Call it with a situation: it returns None or raises `LawBroken`."""

    def __init__(self, name: str, sentence: str, clause: str, cost: Cost) -> None:
        self.name, self.sentence, self.clause, self.cost = name, sentence, clause, cost
        self.__doc__ = f"{sentence} ({clause})"
        LAWS[name] = self

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"

    def _broken(self, error: Exception, case: Case) -> LawBroken:
        """What is raised when the check has raised an error: a fault it found, or the engine's own."""
        if isinstance(error, LawBroken):
            return error
        fault = str(error) if isinstance(error, Unmet) else f"raised {type(error).__name__}: {error}"
        return LawBroken(self.name, self.sentence, self.clause, fault, case)


GameCheck: TypeAlias = Callable[[Game, Random], None]
StateCheck: TypeAlias = Callable[[Game, State, Random], None]
StepCheck: TypeAlias = Callable[[Game, State, Action, State, Random], None]
PlayCheck: TypeAlias = Callable[[Game, State, Sequence[Action], Random], None]


class GameLaw(Law):
    """A law about a game as a whole."""

    def __init__(self, check: GameCheck, clause: str, cost: Cost) -> None:
        super().__init__(*_told(check), clause, cost)
        self._check = check

    def __call__(self, game: Game, seed: int = 0) -> None:
        """Checks the law for this game."""
        try:
            self._check(game, Random(seed))
        except Exception as error:
            raise self._broken(error, Case(game, seed=seed)) from _cause(error)


class StateLaw(Law):
    """A law about one state; the seed fixes whatever the check tries out at random."""

    def __init__(self, check: StateCheck, clause: str, cost: Cost) -> None:
        super().__init__(*_told(check), clause, cost)
        self._check = check

    def __call__(self, game: Game, state: State, seed: int = 0) -> None:
        """Checks the law in this state."""
        try:
            self._check(game, state, Random(seed))
        except Exception as error:
            raise self._broken(error, Case(game, state, (), seed)) from _cause(error)


class StepLaw(Law):
    """A law about one action and the two states around it; `after` is worked out where it is not given."""

    def __init__(self, check: StepCheck, clause: str, cost: Cost) -> None:
        super().__init__(*_told(check), clause, cost)
        self._check = check

    def __call__(
        self, game: Game, state: State, action: Action | str, after: State | None = None, seed: int = 0
    ) -> None:
        """Checks the law on this step."""
        done = read(game, state, action)
        try:
            self._check(game, state, done, move(game, state, done) if after is None else after, Random(seed))
        except Exception as error:
            raise self._broken(error, Case(game, state, (done,), seed)) from _cause(error)


class PlayLaw(Law):
    """A law about all the actions from a state on, chance included."""

    def __init__(self, check: PlayCheck, clause: str, cost: Cost) -> None:
        super().__init__(*_told(check), clause, cost)
        self._check = check

    def __call__(self, game: Game, state: State, actions: Sequence[Action | str], seed: int = 0) -> None:
        """Checks the law on this play."""
        done: list[Action] = []
        at = state
        for each in actions:
            done.append(read(game, at, each))
            try:
                at = move(game, at, done[-1])
            except Exception as error:
                raise self._broken(error, Case(game, state, tuple(done), seed)) from _cause(error)
        try:
            self._check(game, state, done, Random(seed))
        except Exception as error:
            raise self._broken(error, Case(game, state, tuple(done), seed)) from _cause(error)


LAWS: dict[str, Law] = {}
"""Every law by its name, in the order of definition."""


def _told(check: Callable[..., None]) -> tuple[str, str]:
    return check.__name__, " ".join((check.__doc__ or "").split())


def game_law(clause: str, cost: Cost = "dear") -> Callable[[GameCheck], GameLaw]:
    """Makes a law of a check of a game; its docstring is the sentence."""
    return lambda check: GameLaw(check, clause, cost)


def state_law(clause: str, cost: Cost = "cheap") -> Callable[[StateCheck], StateLaw]:
    """Makes a law of a check of one state; its docstring is the sentence."""
    return lambda check: StateLaw(check, clause, cost)


def step_law(clause: str, cost: Cost = "cheap") -> Callable[[StepCheck], StepLaw]:
    """Makes a law of a check of one step; its docstring is the sentence."""
    return lambda check: StepLaw(check, clause, cost)


def play_law(clause: str, cost: Cost = "dear") -> Callable[[PlayCheck], PlayLaw]:
    """Makes a law of a check of a whole play; its docstring is the sentence."""
    return lambda check: PlayLaw(check, clause, cost)
