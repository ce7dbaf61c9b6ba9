"""What a profile is made of: the files it extends, the file or mapping itself, and the overrides, as plain tables."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rummy_engine.errors import Problem
from rummy_engine.files import read_bytes
from rummy_engine.hints import closest, presentable

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

MAX_PROFILE = 1_000_000
"""The largest profile that is read, in bytes."""
MAIN_GAMES = ("basic", "rummy-2-6", "rummy-500", "gin-knock")

_TOML_PLACE = re.compile(r"(?s)(?P<what>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)")
_SHIPPED_OR_PATH = "must be one of {}, or the path of a .toml file"


def variants() -> tuple[str, ...]:
    """The names of the shipped profiles: the four main games first.

    >>> variants()[:2]
    ('basic', 'rummy-2-6')
    """
    names = {path.name.removesuffix(".toml") for path in variants_dir().iterdir() if path.name.endswith(".toml")}
    return (*(name for name in MAIN_GAMES if name in names), *sorted(names - set(MAIN_GAMES)))


def variants_dir() -> Traversable:
    """The folder of the shipped profiles: inside the installed package (or its zip), or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "variants", package.parent / "variants"):
        if folder.is_dir():
            return folder
    from importlib.resources import files  # slow to import, and seldom needed

    return files("rummy_engine") / "variants"


@dataclass(slots=True)
class Layer:
    """One file, mapping or set of overrides: its tables as read, how messages call it, and its path if it is a file."""

    data: dict[str, object]
    label: str | None = None
    path: Path | None = None


@dataclass(slots=True)
class Chain:
    """The layers of a profile, the remotest ancestor first, and what went wrong in reaching them."""

    layers: list[Layer] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def read(self, path: Traversable, label: str, unreadable: Callable[[str], Problem]) -> Layer | None:
        """The layer of a file, or None and a problem: `unreadable(why)` where there is no text to complain about."""
        import tomllib  # not with the package: a program that replays records reads no file

        try:
            text = read_bytes(path, MAX_PROFILE).decode("utf-8-sig")
            return Layer(tomllib.loads(text), label, path.resolve() if isinstance(path, Path) else Path(str(path)))
        except OSError as error:
            self.problems.append(unreadable(f"cannot be read: {error.strerror or error}"))
        except UnicodeDecodeError as error:
            self.problems.append(unreadable(f"is not UTF-8 text (byte {error.start})"))
        except tomllib.TOMLDecodeError as error:
            self.problems.append(_malformed(str(error), text, label))
        except (RecursionError, ValueError) as error:  # tables nested without end; a number of thousands of digits
            why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            self.problems.append(unreadable(f"is no usable TOML: {why}"))
        return None


def read_chain(source: object) -> Chain:
    """The profile that `source` names (a shipped name, a path or a mapping) and all that it extends."""
    chain = Chain()
    layer = _first(source, chain)
    seen: list[Layer] = []
    while layer is not None:
        seen.append(layer)
        chain.layers.insert(0, layer)
        layer = _parent(layer, seen, chain) if "extends" in layer.data else None
    return chain


def _first(source: object, chain: Chain) -> Layer | None:
    if isinstance(source, Mapping):
        return Layer(dict(source))

    def unreadable(why: str) -> Problem:
        return Problem("profile", str(source), why)

    if isinstance(source, str) and not source.endswith(".toml") and not {"/", "\\"} & set(source):
        if source in variants():
            return chain.read(variants_dir() / f"{source}.toml", source, unreadable)
        chain.problems.append(Problem("profile", source, _SHIPPED_OR_PATH.format(_names()), _near(source)))
    elif isinstance(source, str | os.PathLike) and isinstance(path := os.fspath(source), str):
        return chain.read(Path(path), path, unreadable)
    else:
        allowed = f"{_SHIPPED_OR_PATH.format(_names())}, or a mapping"
        chain.problems.append(Problem("profile", presentable(source), allowed))
    return None


def _parent(child: Layer, seen: list[Layer], chain: Chain) -> Layer | None:
    """The layer that the child extends, or None and a problem; the key is taken out of the child."""
    name = child.data.pop("extends")

    def complaint(why: str, hint: str | None = None) -> Problem:
        return Problem("extends", presentable(name), why, hint, child.label)

    if not isinstance(name, str):
        chain.problems.append(complaint(_SHIPPED_OR_PATH.format(_names())))
    elif not name.endswith(".toml"):
        if name in variants():
            return _unless_seen(variants_dir() / f"{name}.toml", name, seen, chain, complaint)
        chain.problems.append(complaint(_SHIPPED_OR_PATH.format(_names()), _near(name)))
    elif child.path is None:
        chain.problems.append(complaint(f"must be one of {_names()}: only a file can extend another file"))
    else:
        return _unless_seen(child.path.parent / name, name, seen, chain, complaint)
    return None


def _unless_seen(
    path: Traversable, label: str, seen: list[Layer], chain: Chain, complaint: Callable[[str], Problem]
) -> Layer | None:
    layer = chain.read(path, label, complaint)
    if layer is None or layer.path not in [earlier.path for earlier in seen]:
        return layer
    names = " → ".join(str(earlier.label) for earlier in seen)
    chain.problems.append(complaint(f"goes round in a circle: {names} → {label}"))
    return None


def _names() -> str:
    return ", ".join(variants())


def _near(name: str) -> str | None:
    return closest(name, variants())


def _malformed(message: str, text: str, label: str) -> Problem:
    """The problem of a file that is no TOML: where it stops being so, and the line."""
    lines = text.split("\n")
    place = _TOML_PLACE.fullmatch(message)
    what = place["what"] if place else message
    line = int(place["line"]) if place and place["line"] else len(lines)
    column = int(place["column"]) if place and place["column"] else len(lines[-1]) + 1
    shown = lines[line - 1].strip() if line <= len(lines) else ""
    return Problem(f"line {line}, column {column}", shown, f"no valid TOML: {what[:1].lower()}{what[1:]}", None, label)
