"""A profile as TOML text, in the order of its sections."""

from __future__ import annotations

import json
from collections.abc import Mapping


def to_toml(data: Mapping[str, Mapping[str, object]]) -> str:
    """The TOML of nested tables of numbers, texts, flags and lists, as `Profile.to_dict` gives them.

    >>> print(to_toml({"deal": {"hand_size": {"by_players": {"2": 10, "3": 7}}}}), end="")
    [deal]
    hand_size = { by_players = { 2 = 10, 3 = 7 } }
    """
    blocks = []
    for section, table in data.items():
        inner = {key: value for key, value in table.items() if key == "values" and isinstance(value, Mapping)}
        lines = [f"[{section}]", *(f"{key} = {toml_value(value)}" for key, value in table.items() if key not in inner)]
        blocks.append(lines)
        blocks += [
            [f"[{section}.{name}]", *(f"{key} = {toml_value(item)}" for key, item in values.items())]
            for name, values in inner.items()
        ]
    return "\n\n".join("\n".join(lines) for lines in blocks) + "\n"


def toml_value(value: object) -> str:
    """One value as TOML writes it.

    >>> toml_value(True), toml_value("low"), toml_value({"by_players": {"2": 10}})
    ('true', '"low"', '{ by_players = { 2 = 10 } }')
    """
    if isinstance(value, str):
        return "".join(map(_printable, json.dumps(value, ensure_ascii=False)))  # JSON's escapes are TOML's
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {toml_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return str(value)


def _printable(character: str) -> str:
    """The character, or its escape if a terminal would not show it."""
    if character.isprintable():
        return character
    return f"\\u{ord(character):04X}" if ord(character) < 1 << 16 else f"\\U{ord(character):08X}"
