"""The exceptions of the library and the reasons for which an action is refused.

Everything the library raises on bad input derives from `RummyError`, so one `except` guards a whole program.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rummy_engine.frozen import FrozenDict


class Reason(StrEnum):
    """Why an action is refused: a stable name that an app can switch on."""

    NOT_YOUR_TURN = "not_your_turn"
    WRONG_PHASE = "wrong_phase"
    ROUND_OVER = "round_over"
    MATCH_OVER = "match_over"
    CARD_NOT_HELD = "card_not_held"
    NOT_A_MELD = "not_a_meld"
    DOES_NOT_FIT = "does_not_fit"
    NOT_ALLOWED_THERE = "not_allowed_there"
    NO_SUCH_MELD = "no_such_meld"
    JUST_TAKEN = "just_taken"
    MUST_USE_TAKEN = "must_use_taken"
    MUST_GO_OUT = "must_go_out"
    TURN_COULD_NOT_END = "turn_could_not_end"
    OVER_LIMIT = "over_limit"
    TOO_EARLY = "too_early"
    NOT_ENOUGH_CARDS = "not_enough_cards"
    STOCK_EMPTY = "stock_empty"
    STOCK_NOT_EMPTY = "stock_not_empty"
    STOCK_ONLY = "stock_only"
    PILE_EMPTY = "pile_empty"
    MELD_LIMIT = "meld_limit"
    NEEDS_OWN_MELD = "needs_own_meld"
    LAST_DISCARD_PLAYABLE = "last_discard_playable"
    NOT_CALLABLE = "not_callable"
    NOT_IN_THIS_VARIANT = "not_in_this_variant"
    WRONG_CARDS = "wrong_cards"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action may not be played, as data: `reason` for the program, `text` for the person.

    `details` holds what the text was made of (faces, meld index, points); it names nothing that the seat to act may
    not know.
    """

    reason: Reason
    text: str
    details: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "details", FrozenDict(self.details))

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in a profile: where (`path`, as in `match.target`), what was found, and what is allowed there."""

    path: str
    value: object
    allowed: str
    suggestion: str | None = None
    source: str | None = None

    @property
    def text(self) -> str:
        """The problem in one line."""
        where = f"{self.source}: {self.path}" if self.source else self.path
        shown = _as_toml(self.value) if self.value is not None else "(missing)"
        if len(shown) > 60:
            shown = shown[:57] + "..."
        return f"{where} = {shown}: {self.allowed}{self._hint}"

    @property
    def _hint(self) -> str:
        if not self.suggestion:
            return ""
        if isinstance(self.value, str) and (self.suggestion.isdecimal() or self.suggestion in ("true", "false")):
            return f" (did you mean {self.suggestion}, without quotes?)"
        return f" (did you mean {self.suggestion!r}?)"


def _as_toml(value: object) -> str:
    """The value as a profile file would write it."""
    from rummy_engine.tomltext import toml_value  # only when something is wrong

    try:
        return toml_value(value)
    except RecursionError:  # a mapping that holds itself
        return repr(value)


class RummyError(Exception):
    """The base of every error of this library."""


class ProfileError(RummyError):
    """A profile that cannot be played; `problems` lists every mistake found, not just the first."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        super().__init__("; ".join(problem.text for problem in problems))

    def __reduce__(self) -> tuple[type[ProfileError], tuple[tuple[Problem, ...]]]:
        return type(self), (self.problems,)


class NotationError(RummyError):
    """Text that is no card, action or position; `position` is where in the text (characters from 0), if known."""

    def __init__(self, message: str, text: str = "", position: int | None = None, expected: str = "") -> None:
        self.message, self.text, self.position, self.expected = message, text, position, expected
        super().__init__(message)

    def __reduce__(self) -> tuple[type[NotationError], tuple[str, str, int | None, str]]:
        return type(self), (self.message, self.text, self.position, self.expected)


class IllegalActionError(RummyError):
    """A well-written action that is not allowed now; nothing has changed. `refusal` says why, as data."""

    def __init__(self, action: object, refusal: Refusal) -> None:
        self.action, self.refusal = action, refusal
        word = str(action).partition(" ")[0]
        shown = word if word in ("deal", "reshuffle") else action  # a deal names every hidden card
        super().__init__(f"{shown}: {refusal.text}")

    @property
    def reason(self) -> Reason:
        """The reason as a member of `Reason`."""
        return self.refusal.reason

    def __reduce__(self) -> tuple[type[IllegalActionError], tuple[object, Refusal]]:
        return type(self), (self.action, self.refusal)


class RecordError(RummyError):
    """A record that does not replay; `index` is the first action that does not fit (None: the frame is damaged)."""

    def __init__(self, message: str, index: int | None = None) -> None:
        self.message, self.index = message, index
        super().__init__(message)

    def __reduce__(self) -> tuple[type[RecordError], tuple[str, int | None]]:
        return type(self), (self.message, self.index)


class MatchError(RummyError):
    """A match was asked for what cannot be (a seed, an undo), or a bot or chance function broke its contract."""
