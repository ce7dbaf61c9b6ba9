"""The list of all dials, and the JSON Schema of a profile file, both read off the models in `profile.py`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, TypeAlias, get_args

from rummy_engine.profiles.profile import Profile, Section
from rummy_engine.profiles.tablenumber import TableNumber
from rummy_engine.tomltext import toml_value

Schema: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Dial:
    """One value that a profile sets.

    `default` is in the form TOML writes; None where there is none (`required`) or where it follows another dial, as
    `description` says. `source` is the entry of docs/rules.md (empty for the names of a profile); `unit` is empty for
    choices, flags and texts.
    """

    path: str
    description: str
    allowed: str
    unit: str
    default: object
    required: bool
    source: str
    choices: tuple[str, ...] = ()


@cache
def dials() -> tuple[Dial, ...]:
    """Every dial, in the order of the TOML sections.

    >>> next(dial.allowed for dial in dials() if dial.path == "stock.renewals")
    'a whole number from 0 to 1000, or "unlimited"'
    """
    raw = _raw_schema()
    return tuple(
        Dial(
            path=f"{table}.{name}",
            description=field["description"],
            allowed=_allowed(field),
            unit=field["x-unit"],
            default=field.get("default"),
            required=name in raw[table].get("required", ()),
            source=field["x-source"],
            choices=_choices(field),
        )
        for table, name, field in _fields(raw)
    )


@cache
def tables() -> Mapping[str, type[Section]]:
    """Every TOML table of a profile by its dotted path, the whole file as ""."""
    found: dict[str, type[Section]] = {}

    def collect(path: str, section: type[Section]) -> None:
        found[path] = section
        for name, field in section.model_fields.items():
            for part in (field.annotation, *get_args(field.annotation)):
                if isinstance(part, type) and issubclass(part, Section):
                    collect(f"{path}.{name}".lstrip("."), part)

    collect("", Profile)
    return MappingProxyType(found)


@cache
def dial_paths() -> frozenset[str]:
    """The dotted path of every dial: what overrides may name."""
    return frozenset(
        f"{table}.{field.alias or name}"
        for table, section in tables().items()
        for name, field in section.model_fields.items()
        if table and f"{table}.{name}" not in tables()
    )


def json_schema() -> Schema:
    """The JSON Schema of a profile file as people write it, for editors and other programs.

    Nothing is required, since a file may leave everything to the profile it extends.
    """
    from rummy_engine.profiles.layers import variants

    raw = _raw_schema()
    for _, _, field in _fields(raw):
        unit, source = field.pop("x-unit"), field.pop("x-source")
        field["description"] += f" Unit: {unit}." * bool(unit) + f" Source: {source}." * bool(source)
    for schema in raw.values():
        schema.pop("required", None)
    extends = {
        "type": "string",
        "description": "The profile that this one changes: a shipped one, or the path of a .toml file, seen from here.",
        "anyOf": [{"enum": list(variants())}, {"pattern": "\\.toml$"}],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Rummy profile",
        "description": "The rules of one game. Sources are the entries of docs/rules.md.",
        "type": "object",
        "additionalProperties": False,
        "properties": {"extends": extends, **_nested(raw)},
    }


def reference() -> str:
    """The page docs/dials.md: every dial with its values, default, unit, sentence and source, as Markdown."""
    lines = [_PAGE]
    for table, section in tables().items():
        rows = [dial for dial in dials() if dial.path.rpartition(".")[0] == table]
        if rows:
            lines += ["", f"## [{table}]", "", " ".join((section.__doc__ or "").split()), ""]
            lines += ["| dial | values | default | what it does | rules |", "|---|---|---|---|---|"]
            lines += [_row(dial) for dial in rows]
    return "\n".join(lines) + "\n"


_PAGE = """# Dials

Everything that a profile can set. This page is written by `rummy schema --markdown`.

A profile is a TOML file: `run_min = 4` under `[melds]`, or `melds.run_min = 4`. In Python, overrides name the same:
`rummy.load("basic", {"melds.run_min": 4})`. `extends = "NAME"` (a shipped variant or the path of a `.toml` file) takes
over what another profile sets. A number that may depend on the table is written `10`,
`{ by_players = { 2 = 10, 3 = 7 } }` (each from that many players on) or, where it says so, `{ by_round = [3, 4, 5] }`
(the last for all later rounds).

Defaults hold where neither the profile nor what it extends says otherwise; `rummy show NAME` prints what a variant
sets. The tables `[knock]`, `[match.target_allowed]` and `[prize]` may be left out: then the game has no such thing.
The last column names the entry of [rules.md](rules.md)."""


def _row(dial: Dial) -> str:
    values = dial.allowed + f" ({dial.unit})" * bool(dial.unit)
    default = "must be set" if dial.required else "–" if dial.default is None else f"`{toml_value(dial.default)}`"
    cells = (f"`{dial.path}`", values, default, dial.description, dial.source.removeprefix("rules "))
    return f"| {' | '.join(cells)} |"


def _raw_schema() -> dict[str, Schema]:
    """The object schema of every table by its path, with the dials only (no tables inside tables)."""
    whole = Profile.model_json_schema()
    found = {}
    for path, section in tables().items():
        if path:
            schema = whole["$defs"][section.__name__]
            inner = {other.rpartition(".")[2] for other in tables() if other.rpartition(".")[0] == path}
            fields = {name: _plain(field) for name, field in schema["properties"].items() if name not in inner}
            for name, info in section.model_fields.items():
                if isinstance(info.default, TableNumber):  # pydantic shows its insides, TOML its short form
                    fields[name]["default"] = info.default.to_plain()
            found[path] = {**schema, "properties": fields}
    return found


def _plain(field: Schema) -> Schema:
    """Without what only pydantic says: titles, and None for a dial that is not set."""
    field = {key: value for key, value in field.items() if key != "title" and (key, value) != ("default", None)}
    choices = [choice for choice in field.get("anyOf", ()) if choice != {"type": "null"}]
    if len(choices) == 1:
        return {**choices[0], **{key: value for key, value in field.items() if key != "anyOf"}}
    return {**field, "anyOf": choices} if choices else field


def _fields(raw: Mapping[str, Schema]) -> Iterator[tuple[str, str, Schema]]:
    return ((table, name, field) for table, schema in raw.items() for name, field in schema["properties"].items())


def _nested(raw: Mapping[str, Schema]) -> dict[str, Schema]:
    for path, schema in raw.items():
        parent, _, name = path.rpartition(".")
        if parent:
            raw[parent]["properties"][name] = schema
    return {path: schema for path, schema in raw.items() if "." not in path}


def _allowed(field: Schema) -> str:
    """What may be written for a dial, in words."""
    if "anyOf" in field:
        return ", or ".join(_allowed(choice) for choice in field["anyOf"])
    if names := [f'"{name}"' for name in _choices(field)]:
        return " or ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
    if field["type"] == "integer":
        return f"a whole number from {field['minimum']} to {field['maximum']}"
    if field["type"] == "object":
        return "{ by_players = { 2 = … } }" if "by_players" in field["properties"] else "{ by_round = [ … ] }"
    if "maxLength" in field:
        return f"text of {field.get('minLength', 0)} to {field['maxLength']} characters"
    return {"boolean": "true or false", "string": "text"}[field["type"]]


def _choices(field: Schema) -> tuple[str, ...]:
    """The words that may be written for a dial."""
    inner = (name for choice in field.get("anyOf", ()) for name in _choices(choice))
    return (*field.get("enum", [field["const"]] if "const" in field else ()), *inner)
