"""What is played: a game, a number of seats, and the bots round the table; grids of dials to compare."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, TypeAlias

from rummy_engine.bots import Bot, check_bot, make_bot, name_of
from rummy_engine.errors import RummyError
from rummy_engine.game import Game, load
from rummy_engine.hints import presentable
from rummy_engine.match import Variant
from rummy_engine.policy import Policy

Bots: TypeAlias = Bot | Sequence[Bot]
"""A line-up. They sit round the table in turn, from seat 0."""
Settings: TypeAlias = Mapping[str, Any]
"""Dials by dotted path, as `load` takes them."""

MOST_SETUPS = 500
"""The most rows of one comparison."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What is played: a game, a number of seats, and the bots that sit round the table in turn."""

    game: Game
    players: int
    bots: tuple[Bot, ...]
    settings: Settings = field(default_factory=dict, hash=False)
    """The dials that were set for this row of a comparison; the game has them in."""

    @classmethod
    def of(
        cls, variant: Variant, players: int | None = None, bots: Bots = "easy", settings: Settings | None = None
    ) -> Setup:
        """The setup, checked; `players` None: the fewest that the variant allows. Raises RummyError."""
        game = with_settings(variant, settings or {})
        count = game.profile.players.min if players is None else players
        game.rules(count)
        lineup: tuple[Bot, ...] = (
            tuple(bots) if isinstance(bots, Sequence) and not isinstance(bots, str) else (bots,)
        )
        if not 1 <= len(lineup) <= count:
            raise RummyError(f"a line-up for {count} players names 1 to {count} bots, not {len(lineup)}")
        for bot in lineup:
            if isinstance(bot, type):
                make_bot(bot, game)  # it can fail in any way, and then before the work
            elif not callable(bot):
                check_bot(bot)
        return cls(game, count, lineup, dict(settings or {}))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bots."""
        return tuple(map(name_of, self.bots))

    @property
    def is_pair(self) -> bool:
        """Whether two bots play each other, with equally many seats."""
        return len(self.bots) == 2 and self.players % 2 == 0

    @property
    def label(self) -> str:
        """The variant, and the dials that were set for this row."""
        return " ".join([self.game.profile.meta.name, *settings_text(self.settings)])

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """Every way to turn the line-up round the table: per seat the place of its bot in the line-up.

        >>> Setup.of("basic", 3, ("easy", "random")).seatings
        ((0, 1, 0), (1, 0, 0), (0, 0, 1))
        >>> Setup.of("basic", 4, ("easy", "random")).seatings
        ((0, 1, 0, 1), (1, 0, 1, 0))
        """
        first = tuple(seat % len(self.bots) for seat in range(self.players))
        turned = (first[shift:] + first[:shift] for shift in range(self.players))
        return tuple(dict.fromkeys(turned))

    def policies(self) -> tuple[Policy, ...]:
        """Each bot of the line-up, ready to play."""
        return tuple(make_bot(bot, self.game) for bot in self.bots)


def with_settings(variant: Variant, settings: Settings) -> Game:
    """The game of a variant with these dials set; raises ProfileError for what cannot be played."""
    if not isinstance(variant, Game):
        return load(variant, settings or None)
    return load(variant.profile.to_dict(), settings) if settings else variant


def settings_text(settings: Settings) -> tuple[str, ...]:
    """Each dial that is set, as it is written on the command line.

    >>> settings_text({"match.target": 150, "wilds.swap": True, "melds.ace": "low"})
    ('match.target=150', 'wilds.swap=true', 'melds.ace=low')
    """
    return tuple(f"{dial}={_toml(value, nested=False)}" for dial, value in settings.items())


# -------------------------------------------------------------------------------------------------------------- grids


def grid(vary: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Every combination of the values of these dials, the last dial changing fastest.

    >>> list(grid({"match.target": [100, 150], "stock.renewals": [1]}))
    [{'match.target': 100, 'stock.renewals': 1}, {'match.target': 150, 'stock.renewals': 1}]
    """
    listed = isinstance(vary, Mapping) and all(isinstance(each, Iterable) for each in vary.values())
    if not listed or any(isinstance(each, str) for each in vary.values()):
        raise RummyError(f"expected dials with a list of values each, not {presentable(vary)!r:.60}")
    for values in product(*vary.values()):
        yield dict(zip(vary, values, strict=True))


def read_vary(texts: Sequence[str]) -> dict[str, list[Any]]:
    """The dials and values of `--vary` options, as `DIAL=VALUE,VALUE…`; raises RummyError for anything else.

    Values are written as in a profile; the quotes round a word may be left out.

    >>> read_vary(["match.target=100,150", "melds.ace=low,high", "deal.hand_size={by_players={2=10,3=7}},7"])
    {'match.target': [100, 150], 'melds.ace': ['low', 'high'], 'deal.hand_size': [{'by_players': {'2': 10, '3': 7}}, 7]}
    """
    vary: dict[str, list[Any]] = {}
    for text in texts:
        dial, equals, values = text.partition("=")
        parts = _split(values)
        if not equals or not dial.strip() or not all(parts):
            raise RummyError(f"a dial is varied as match.target=100,150, not as {text!r:.80}")
        if dial.strip() in vary:
            raise RummyError(f"{dial.strip()!r:.60} is varied twice: write all its values after one =")
        vary[dial.strip()] = [_value(part) for part in parts]
    return vary


def _split(text: str) -> list[str]:
    """The parts between commas that stand in no brackets and no quotes."""
    parts, depth, quote = [""], 0, ""
    for each in text:
        if quote:
            quote = "" if each == quote else quote
        elif each in "\"'":
            quote = each
        elif each in "[{":
            depth += 1
        elif each in "]}":
            depth -= 1
        if each == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += each
    return [part.strip() for part in parts]


def _value(text: str) -> Any:
    if "\n" in text:
        return text
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return text


def _toml(value: Any, nested: bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}={_toml(inner, True)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(inner, True) for inner in value) + "]"
    return f'"{value}"' if nested and isinstance(value, str) else str(value)
