"""The words for what is wrong with a profile: which dial, what was found, what is allowed, what was probably meant."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from rummy_engine.errors import Problem
from rummy_engine.hints import closest, presentable
from rummy_engine.profiles.dials import Dial, dial_paths, dials, tables
from rummy_engine.profiles.profile import Finding

_OTHER_WORDS = {
    "scoring.values.1": "scoring.values.A",
    "scoring.values.10": "scoring.values.T",
    "scoring.values.JK": "scoring.values.joker",
}
_FLAGS = {"yes": "true", "on": "true", "no": "false", "off": "false", "true": "true", "false": "false"}


@cache
def _dials() -> dict[str, Dial]:
    return {dial.path: dial for dial in dials()}


def place_of(finding: Finding) -> tuple[str, ...]:
    """The table, dial or unknown key that a finding is about, without what pydantic adds below a dial."""
    for length in range(1, len(finding.where)):
        if ".".join(finding.where[:length]) not in tables():
            return finding.where[:length]
    return finding.where


def problems_of(finding: Finding, source: Callable[[str], str | None], hint: bool = True) -> list[Problem]:
    """The problems that one finding amounts to; `source` tells which file set a path.

    `hint`: whether to say what an unknown dial was probably meant to be.
    """
    path = ".".join(place_of(finding))
    value = presentable(finding.value)
    if finding.kind == "unknown":
        what = "dial" if "." in path else "section"
        return [Problem(path, value, f"there is no such {what}", meant(path) if hint else None, source(path))]
    if finding.kind == "no_table":
        return [Problem(path, value, f"must be a table, as [{path}]", None, source(path))]
    dial = _dials()[path]
    if finding.kind == "missing":
        return [Problem(path, None, f"missing: must be {dial.allowed}", None, source(path))]
    if finding.faults:
        return [
            Problem(
                ".".join((path, *fault.where)),
                presentable(fault.value),
                fault.allowed,
                fault.suggestion or (None if fault.where else _meant_value(fault.value, dial)),
                source(path),
            )
            for fault in finding.faults
        ]
    return [Problem(path, value, f"must be {dial.allowed}", _meant_value(finding.value, dial), source(path))]


def meant(path: str) -> str | None:
    """The dial or section that an unknown path was probably meant to be.

    >>> meant("deck.hand_size"), meant("melds.runmin"), meant("playrs"), meant("deck.joker")
    ('deal.hand_size', 'melds.run_min', 'players', 'deck.jokers')
    """
    table, _, key = path.rpartition(".")
    known = [other for other in (*dial_paths(), *tables(), "extends") if other not in ("", path)]
    same_key = [other for other in known if _key(other) == key]
    siblings = {_key(other): other for other in known if other.rpartition(".")[0] == table}
    near = closest(key, siblings)
    if path in _OTHER_WORDS:
        return _OTHER_WORDS[path]
    if len(key) < 3:  # a card or a stray number: its likeness to a dial says nothing
        return None
    if near and table:  # a dial of the same section before one of that name in another
        return siblings[near]
    if len(same_key) == 1:
        return same_key[0]
    return siblings[near] if near else closest(path, known)


def _key(path: str) -> str:
    return path.rpartition(".")[2]


def _meant_value(value: object, dial: Dial) -> str | None:
    """The allowed value that a text was probably meant to be."""
    if not isinstance(value, str):
        return None
    if dial.choices and (near := closest(value, dial.choices)):
        return near
    if "whole number" in dial.allowed and len(value) < 8 and value.strip().isdecimal() and value.isascii():
        return value.strip()
    return _FLAGS.get(value.lower()) if dial.allowed == "true or false" else None


