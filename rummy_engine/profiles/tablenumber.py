"""The one kind of number that may depend on the table: plain, by the number of players, or by the round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, TypeGuard

from rummy_engine.hints import closest, presentable

Form: TypeAlias = Literal["plain", "by_players", "by_round"]

MAX_PLAYERS = 8
MAX_ROUNDS_LISTED = 100
_PLAYER_KEYS = {str(n): n for n in range(1, MAX_PLAYERS + 1)}


class Fault(NamedTuple):
    """One mistake inside the value of a dial: where below the dial, what stands there, what is allowed."""

    where: tuple[str, ...]
    value: object
    allowed: str
    suggestion: str | None = None


@dataclass(frozen=True, slots=True)
class TableNumber:
    """A number that may depend on the number of players or on the round.

    `steps` are pairs (from, number), upward: each number holds from that many players (or that round) on.

    >>> TableNumber("by_players", ((2, 10), (3, 7))).at(players=4)
    7
    """

    form: Form
    steps: tuple[tuple[int, int], ...]

    @classmethod
    def plain(cls, number: int) -> TableNumber:
        """The same number at every table."""
        return cls("plain", ((1, number),))

    def at(self, players: int, round: int = 1) -> int:
        """The number for this many players in this round (from 1); raises ValueError below the smallest key."""
        place = round if self.form == "by_round" else players
        for start, number in reversed(self.steps):
            if start <= place:
                return number
        raise ValueError(f"no number for {place}: the smallest key is {self.steps[0][0]}")

    @property
    def numbers(self) -> tuple[int, ...]:
        """Every number it can give, in the order written."""
        return tuple(number for _, number in self.steps)

    def to_plain(self) -> object:
        """The short form in which TOML and JSON write it; `read` gives the same value back."""
        if self.form == "plain":
            return self.steps[0][1]
        if self.form == "by_round":
            return {"by_round": list(self.numbers)}
        return {"by_players": {str(start): number for start, number in self.steps}}


def read(value: object, low: int, high: int, by_round: bool) -> TableNumber | list[Fault]:
    """The number that TOML wrote in one of the three forms, or every mistake in it.

    >>> read({"by_players": {"2": 10, "3": 7}}, 1, 52, True).at(3)
    7
    """
    allowed = f"a whole number from {low} to {high}"
    if _is_whole(value):
        return TableNumber.plain(value) if _fits(value, low, high) else [Fault((), value, f"must be {allowed}")]
    forms = ["{ by_players = { 2 = … } }", "{ by_round = […] }"][: 1 + by_round]
    if not isinstance(value, Mapping):
        return [Fault((), value, f"must be {allowed}, or {' or '.join(forms)}")]
    if len(value) != 1:
        return [Fault((), value, f"must hold exactly one form: {' or '.join(forms)}")]
    ((form, content),) = value.items()
    if form == "by_players":
        return _read_by_players(content, low, high, allowed)
    if form == "by_round" and by_round:
        return _read_by_round(content, low, high, allowed)
    if form == "by_round":
        return [Fault(("by_round",), content, "cannot depend on the round", "by_players")]
    near = closest(form, ("by_players", "by_round")[: 1 + by_round])
    return [Fault((_text(form),), content, f"no such form; allowed: {' or '.join(forms)}", near)]


def _read_by_players(content: object, low: int, high: int, allowed: str) -> TableNumber | list[Fault]:
    if not isinstance(content, Mapping) or not content:
        return [Fault(("by_players",), content, "must be a table from numbers of players to numbers, as { 2 = 10 }")]
    steps: dict[int, int] = {}
    faults = []
    for key, number in content.items():
        players = key if _is_whole(key) else _PLAYER_KEYS.get(key) if isinstance(key, str) else None
        where = ("by_players", _text(key))
        if players is None or not 1 <= players <= MAX_PLAYERS:
            faults.append(Fault(where, number, f"the key must be a number of players from 1 to {MAX_PLAYERS}"))
        elif players in steps:
            faults.append(Fault(where, number, f"{players} players are named twice"))
        elif not _fits(number, low, high):
            faults.append(Fault(where, number, f"must be {allowed}"))
        else:
            steps[players] = number
    return faults or TableNumber("by_players", tuple(sorted(steps.items())))


def _read_by_round(content: object, low: int, high: int, allowed: str) -> TableNumber | list[Fault]:
    if not isinstance(content, list | tuple) or not 1 <= len(content) <= MAX_ROUNDS_LISTED:
        return [Fault(("by_round",), content, f"must be a list of 1 to {MAX_ROUNDS_LISTED} numbers, round 1 first")]
    faults = [
        Fault(("by_round", str(index)), number, f"must be {allowed}")
        for index, number in enumerate(content)
        if not _fits(number, low, high)
    ]
    return faults or TableNumber("by_round", tuple(enumerate(content, 1)))


def _fits(value: object, low: int, high: int) -> TypeGuard[int]:
    return _is_whole(value) and low <= value <= high


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _text(key: object) -> str:
    return key if isinstance(key, str) else str(presentable(key))
