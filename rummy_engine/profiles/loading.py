"""From TOML files, mappings and overrides to a validated `Profile`, with every mistake reported at once.

Reaching the files is `layers.py`, the words of the complaints are `problems.py`, impossible combinations `checks.py`.
pydantic is imported with the first profile, not with the package.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from rummy_engine.errors import Problem, ProfileError
from rummy_engine.hints import presentable
from rummy_engine.profiles.checks import CHECKS
from rummy_engine.profiles.layers import Layer, read_chain, variants, variants_dir

if TYPE_CHECKING:
    from rummy_engine.profiles.profile import Finding, Profile

__all__ = ["digest", "load_profile", "variants", "variants_dir"]

Place: TypeAlias = tuple[str, ...]
"""Keys from the outermost table inward. (A key may hold a dot, so a dotted path would not do.)"""

OVERRIDES = "overrides"
MOST_HINTS = 100
"""For so many unknown dials it is said what was probably meant; looking for that takes milliseconds each."""

ALTERNATIVES = {
    "match.rounds": ("match.target", "match.target_allowed"),
    "match.target": ("match.rounds",),
}
"""Naming the first in a child or an override removes the others that it would inherit."""

STAND_INS: Mapping[Place, int] = {
    ("players", "min"): 2,
    ("players", "max"): 2,
    ("deal", "hand_size"): 1,
    ("knock", "limit"): 0,
    ("match", "target_allowed", "min"): 1,
    ("match", "target_allowed", "max"): 1,
}
"""Values for required dials that are wrong or missing, so that the other dials can be judged together."""


def load_profile(
    source: str | os.PathLike[str] | Mapping[str, object] | Profile, overrides: Mapping[str, object] | None = None
) -> Profile:
    """The profile of that shipped name, .toml file or mapping, with what it extends and the overrides applied.

    `overrides` are dotted paths, as `{"match.target": 150}`. Raises `ProfileError` with every mistake.

    >>> load_profile("rummy-2-6", {"match.target": 75}).match.target.at(players=4)
    75
    """
    from rummy_engine.profiles.profile import Profile

    chain = read_chain(source.to_dict() if isinstance(source, Profile) else source)
    problems = chain.problems
    merged = Merged(complete=not problems)
    for layer in chain.layers:
        merged.add(layer)
    if overrides is not None:
        layer, wrong = _override_layer(overrides)
        merged.add(layer)
        problems += wrong
    profile, found = merged.judge()
    problems += found
    if profile is None or problems:
        raise ProfileError(tuple(problems))
    return profile


def digest(profile: Profile) -> str:
    """Sixteen hexadecimal digits, equal for profiles that are equal but for title and summary.

    The same on every platform and version of Python.
    """
    from hashlib import sha256
    from json import dumps

    data = profile.to_dict()
    del data["meta"]["title"], data["meta"]["summary"]
    return sha256(dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()[:16]


class Merged:
    """Layers laid over one another, table by table and key by key, with the memory of who set what."""

    def __init__(self, complete: bool) -> None:
        self.complete = complete
        """Whether all layers could be read; if not, nothing is said about dials that nobody named."""
        self.data: dict[str, object] = {}
        self.setter: dict[str, int] = {}
        """The layer that set a path last."""
        self.labels: list[str | None] = []
        self.problems: list[Problem] = []
        """Keys that name one thing twice, as a number and as text."""

    def add(self, layer: Layer) -> None:
        """Lays a further layer over the rest."""
        if layer.label != OVERRIDES:  # [meta] speaks of one file and is not inherited
            stem = layer.path.stem[:100] if layer.path else "custom"
            self.data["meta"] = {"name": stem}
        for path, others in ALTERNATIVES.items():
            if _at(layer.data, path) is not None:
                for other in others:
                    self._drop(other)
        if _at(layer.data, "lay.when") not in (None, "knock"):
            self._drop("knock")
        self.labels.append(layer.label)
        self._merge("", self.data, layer.data)

    def judge(self) -> tuple[Profile | None, list[Problem]]:
        """The profile, where every dial is right by itself, and all problems, also those of dials taken together."""
        from rummy_engine.profiles.profile import Profile, validate

        result = validate(self._filled(self.data))
        if isinstance(result, Profile):
            return result, self.problems + self._clashes(result, set())
        problems, unknown = self._translate(result)
        problems = self.problems + problems
        data = self._filled(_without(self.data, unknown))
        for place, number in STAND_INS.items():
            table = _at(data, ".".join(place[:-1]))
            if place in unknown and isinstance(table, dict):
                table[place[-1]] = number
        mended = validate(data)
        if isinstance(mended, Profile):
            problems += self._clashes(mended, unknown)
        return None, problems

    def _merge(self, path: str, into: dict[str, object], new: Mapping[Any, object]) -> None:
        from rummy_engine.profiles.dials import tables

        seen = set()
        for key, value in new.items():
            name = key if isinstance(key, str) else str(presentable(key))
            here = f"{path}.{name}" if path else name
            if name in seen:
                twice = "is set twice: by a number and by text"
                self.problems.append(Problem(here, presentable(value), twice, None, self.labels[-1]))
            seen.add(name)
            is_table = here in tables() and "." not in name
            if is_table and isinstance(value, Mapping):
                inner = into.setdefault(name, {})
                if not isinstance(inner, dict):
                    continue  # what stands there is no table, which will be said
                self.setter[here] = len(self.labels) - 1
                self._merge(here, inner, value)
            else:
                self.setter[here] = len(self.labels) - 1
                into[name] = value

    def _drop(self, path: str) -> None:
        *tables, key = path.split(".")
        parent = _at(self.data, ".".join(tables)) if tables else self.data
        if isinstance(parent, dict):
            parent.pop(key, None)
            self.setter.pop(path, None)

    def _filled(self, data: dict[str, object]) -> dict[str, object]:
        """With every table that a profile has, so that each missing dial is reported by itself."""
        from rummy_engine.profiles.profile import Profile

        filled = {name: {} for name, field in Profile.model_fields.items() if field.is_required()} | data
        if isinstance(scoring := filled["scoring"], dict):
            filled["scoring"] = {"values": {}, **scoring}
        return filled

    def _source(self, path: str) -> str | None:
        """Who set the path, or the table around it; the profile itself where nobody did."""
        while path not in self.setter and path:
            path = path.rpartition(".")[0]
        if path:
            return self.labels[self.setter[path]]
        return next((label for label in reversed(self.labels) if label != OVERRIDES), None)

    def _translate(self, findings: list[Finding]) -> tuple[list[Problem], set[Place]]:
        """The problems, and the places whose value is therefore not known."""
        from rummy_engine.profiles.problems import place_of, problems_of

        problems: dict[Place, list[Problem]] = {}
        unknown: set[Place] = set()
        hints = MOST_HINTS
        for finding in sorted(findings, key=lambda finding: finding.kind == "missing"):
            place = place_of(finding)
            if place in problems:
                continue  # a union complains once for each of its members
            if finding.kind == "missing" and (not self.complete or _within(unknown, ".".join(place))):
                unknown.add(place)
                continue  # probably named under a wrong key, or in a file that could not be read
            hints -= finding.kind == "unknown"
            problems[place] = problems_of(finding, self._source, hints >= 0)
            unknown.add(place)
            hint = problems[place][0].suggestion if finding.kind == "unknown" else None
            if hint == "extends":
                self.complete = False
            elif hint and hint not in self.setter:
                unknown.add(tuple(hint.split(".")))
        return [problem for group in problems.values() for problem in group], unknown

    def _clashes(self, profile: Profile, unknown: set[Place]) -> list[Problem]:
        """What the checks say that read only dials whose value is known."""
        from rummy_engine.profiles.dials import tables

        problems = []
        for reads, check in CHECKS:
            if any(_within(unknown, path) or not (self.complete or path in self.setter) for path in reads):
                continue
            for clash in check(profile):
                # The dial named last is the one to blame: an override before the file, the file before its parent.
                path = max(clash.dials, key=lambda path: self.setter.get(path, -1))
                value = _at(self.data, path)
                if value is None and path not in tables():
                    value = _at(profile.to_dict(), path)
                problems.append(Problem(path, presentable(value), clash.reason, None, self._source(path)))
        return problems


def _override_layer(overrides: object) -> tuple[Layer, list[Problem]]:
    """The overrides as a layer, and the problems of those that name no dial."""
    from rummy_engine.profiles.dials import dial_paths, tables

    layer, problems = Layer({}, OVERRIDES), []
    if not isinstance(overrides, Mapping):
        problems.append(Problem(OVERRIDES, presentable(overrides), "must be a mapping from dials to values"))
        return layer, problems
    hints = MOST_HINTS
    for path, value in overrides.items():
        if isinstance(path, str) and path and (path in dial_paths() or path in tables()):
            *parents, key = path.split(".")
            table = layer.data
            for parent in parents:
                if not isinstance(table.setdefault(parent, {}), Mapping):
                    break  # what stands there is no table, which will be said
                table[parent] = table = _copied(table[parent])
            else:
                is_table = path in tables() and isinstance(value, Mapping)
                table[key] = {**_copied(table.get(key)), **value} if is_table else value
        else:
            from rummy_engine.profiles.problems import meant

            name = path if isinstance(path, str) else str(presentable(path))
            hints -= 1
            hint = meant(name) if hints >= 0 else None
            problems.append(Problem(name, presentable(value), "there is no such dial", hint, OVERRIDES))
    return layer, problems


def _copied(table: object) -> dict[str, object]:
    return dict(table) if isinstance(table, Mapping) else {}


def _at(data: object, path: str) -> object:
    """What stands at a dotted path of nested tables, None if nothing does."""
    for key in path.split("."):
        data = data.get(key) if isinstance(data, Mapping) else None
    return data


def _within(places: Iterable[Place], path: str) -> bool:
    """Whether the dotted path is one of the places or lies below one of them."""
    parts = tuple(path.split("."))
    return any(parts[: len(place)] == place for place in places)


def _without(data: Mapping[str, object], places: Iterable[Place]) -> dict[str, object]:
    """The tables without what stands at these places."""
    gone: set[str] = set()
    inner: dict[str, set[Place]] = {}
    for first, *rest in places:
        if rest:
            inner.setdefault(first, set()).add(tuple(rest))
        else:
            gone.add(first)
    return {
        name: _without(value, inner[name]) if name in inner and isinstance(value, dict) else value
        for name, value in data.items()
        if name not in gone
    }
