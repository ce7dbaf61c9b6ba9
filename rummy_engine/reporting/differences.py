"""In which dials two variants differ, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rummy_engine.game import Game
from rummy_engine.profiles.dials import dials


class Difference(NamedTuple):
    """One dial that two variants set differently: its path, both values in words, and what it does."""

    dial: str
    left: str
    right: str
    description: str


def differences(left: Game, right: Game) -> tuple[Difference, ...]:
    """The dials, in the order of a profile, whose values differ; names, titles and revisions are no dials of the game.

    >>> from rummy_engine import load
    >>> [each[:3] for each in differences(load("basic"), load("basic-one-meld"))]
    [('lay.melds_per_turn', 'unlimited', '1')]
    """
    one, other = _values(left), _values(right)
    return tuple(
        Difference(dial.path, one[dial.path], other[dial.path], dial.description)
        for dial in dials()
        if one[dial.path] != other[dial.path] and not dial.path.startswith("meta.")
    )


def _values(game: Game) -> dict[str, str]:
    """Every dial of a game in words."""
    profile = game.profile.to_dict()
    values = profile["scoring"]["values"]
    profile["scoring"]["values"] = {"low_ace": values["A"], "hand_ace": values["A"], **values}
    words = {}
    for dial in dials():
        section, *keys = dial.path.split(".")
        value = profile.get(section)
        for key in keys:
            value = value.get(key) if isinstance(value, Mapping) else None
        words[dial.path] = in_words(value) if section in profile else "not in the game"
    return words


def in_words(value: object) -> str:
    """The value of a dial, for a person.

    >>> in_words({"by_players": {"2": 10, "3": 7}}), in_words({"by_round": [3, 4, 5]}), in_words(False)
    ('10 with 2 players, 7 with 3 or more', '3, 4, then 5', 'no')
    """
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        (form, numbers), = value.items()
        if form == "by_players":
            return _by_players({int(players): number for players, number in numbers.items()})
        rest = [str(number) for number in numbers]
        return ", ".join([*rest[:-1], f"then {rest[-1]}"]) if len(rest) > 1 else rest[0]
    return str(value)


def _by_players(numbers: Mapping[int, object]) -> str:
    steps = sorted(numbers)
    words = []
    for players, following in zip(steps, [*steps[1:], None], strict=True):
        if following is None:
            words.append(f"{numbers[players]} with {players} or more")
        else:
            last = following - 1
            span = f"{players}" if last == players else f"{players} to {last}"
            words.append(f"{numbers[players]} with {span}" + (" players" if not words else ""))
    return ", ".join(words) if len(words) > 1 else words[0]
