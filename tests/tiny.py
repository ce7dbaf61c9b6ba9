"""Decks so small that everything can be enumerated: every situation and every line of play, in both engines.

`tests/data/tiny.toml` lists the games with their totals. The independent reference computes those:

    python -m tests.tiny             # compares; takes some minutes
    python -m tests.tiny --write     # enters the reference's totals instead
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, Protocol

import rummy_engine as rummy
from tests import situations
from tests.reference import ReferenceGame
from tests.situations import Hand, Seen

FILE = Path(__file__).parent / "data" / "tiny.toml"


@dataclass(frozen=True)
class Outcome:
    """How a line of play ended."""

    kind: str
    winner: int | None
    points: tuple[int, ...]


class Side(Protocol):
    """One engine, as far as enumerating asks for it."""

    def dealt(self, deal: str) -> Any:
        """The situation after this deal."""

    def moves(self, node: Any) -> list[Any]:
        """What can follow, by the text of the action (for a reshuffle, every order once); nothing after a round."""

    def exact(self, node: Any) -> Hashable:
        """All that decides how play can go on, but for the turn cap."""

    def situation(self, node: Any) -> Hashable:
        """What makes two situations one (`Game.key`)."""

    def outcome(self, node: Any) -> Outcome | None:
        """How the round ended, if it has."""


class Ours:
    """The engine."""

    def __init__(self, game: rummy.Game, players: int) -> None:
        self.game, self.players = game, players

    def dealt(self, deal: str) -> rummy.State:
        return self.game.apply(self.game.start(self.players), deal)

    def moves(self, node: rummy.State) -> list[rummy.State]:
        if node.phase == "reshuffle":
            due = self.game.rules(self.players).stock.to_shuffle(node)
            orders = sorted(set(permutations(map(str, due))))
            actions: Iterable[rummy.Action] = [self.game.parse(node, " ".join(["reshuffle", *each])) for each in orders]
        else:
            actions = () if self.game.round_over(node) else sorted(self.game.legal(node), key=str)
        return [self.game.apply_unchecked(node, action) for action in actions]

    def exact(self, node: rummy.State) -> Hashable:
        return self.game.key(node), node.idle

    def situation(self, node: rummy.State) -> Hashable:
        return self.game.key(node)

    def outcome(self, node: rummy.State) -> Outcome | None:
        result = node.result
        return Outcome(result.kind, result.winner, result.points) if result and self.game.round_over(node) else None


class Theirs:
    """The independent reference."""

    def __init__(self, profile: Mapping[str, Any], players: int) -> None:
        self.game = ReferenceGame(profile, players)

    def dealt(self, deal: str) -> Seen:
        return situations.seen_from(self.game, self.game.apply(self.game.start(), deal))

    def moves(self, node: Seen) -> list[Seen]:
        if node.state.phase == "reshuffle":
            orders = sorted(set(permutations(situations.to_shuffle(self.game, node))))
            return [situations.reshuffled(self.game, node, order) for order in orders]
        texts = () if node.ended else sorted(self.game.legal(node.state))
        return [situations.apply(self.game, node, text) for text in texts]

    def exact(self, node: Seen) -> Hashable:
        return node.situation(), node.state.idle

    def situation(self, node: Seen) -> Hashable:
        return node.situation()

    def outcome(self, node: Seen) -> Outcome | None:
        result = node.state.result
        return Outcome(result["kind"], result["winner"], result["points"]) if result and node.ended else None


# ------------------------------------------------------------------------------------------------------- enumerating


def every_deal(deck: Hand, players: int, hand_size: int) -> Iterator[str]:
    """Every deal by seat 0 that differs in a hand, the up-card or the order of the stock, each once."""
    for hands, rest in _hands(deck, players, hand_size):
        dealt = [hand[i] for i in range(hand_size) for hand in (*hands[1:], hands[0])]
        for others in sorted(set(permutations(rest))):
            yield " ".join(["deal", *dealt, *others])


def _hands(cards: Hand, players: int, size: int) -> Iterator[tuple[tuple[Hand, ...], Hand]]:
    if not players:
        yield (), cards
        return
    for hand in sorted(set(combinations(sorted(cards), size))):
        rest = list(cards)
        for card in hand:
            rest.remove(card)
        for hands, others in _hands(tuple(rest), players - 1, size):
            yield (hand, *hands), others


def every_situation(side: Side, starts: Iterable[Any]) -> tuple[int, Counter[str]]:
    """How many situations can be reached (the starts included), and how many of them are ends of which kind."""
    waiting = list(starts)
    met = {side.exact(node) for node in waiting}
    found: dict[Hashable, str] = {}
    while waiting:
        node = waiting.pop()
        outcome = side.outcome(node)
        found[side.situation(node)] = outcome.kind if outcome else "goes on"
        for after in side.moves(node):
            exact = side.exact(after)
            if exact not in met:
                met.add(exact)
                waiting.append(after)
    return len(found), Counter(found.values())


def every_pair(sides: tuple[Side, Side], starts: Iterable[str]) -> Iterator[tuple[Any, Any]]:
    """Every situation that can be reached, in both engines at once; raises AssertionError where the moves differ."""
    one, other = sides
    waiting = [(one.dealt(deal), other.dealt(deal)) for deal in starts]
    met = {(one.exact(node), other.exact(twin)) for node, twin in waiting}
    while waiting:
        node, twin = waiting.pop()
        yield node, twin
        for pair in zip(one.moves(node), other.moves(twin), strict=True):
            exact = one.exact(pair[0]), other.exact(pair[1])
            if exact not in met:
                met.add(exact)
                waiting.append(pair)


def every_line(side: Side, start: Any) -> Counter[Outcome]:
    """How many lines of play lead to which outcome; only for games that cannot go on for ever."""
    counted: Counter[Outcome] = Counter()
    level: dict[Hashable, tuple[Any, int]] = {side.exact(start): (start, 1)}
    while level:
        following: dict[Hashable, tuple[Any, int]] = {}
        for node, lines in level.values():
            outcome = side.outcome(node)
            if outcome:
                counted[outcome] += lines
            for after in side.moves(node):
                exact = side.exact(after)
                same, others = following.get(exact, (after, 0))
                following[exact] = (same, others + lines)
        level = following
    return counted


# --------------------------------------------------------------------------------------------------------- the games


@dataclass(frozen=True)
class Tiny:
    """One game of the file with its totals."""

    name: str
    variant: str
    players: int
    overrides: Mapping[str, Any]
    seed: int | None
    """Of the one deal that is looked at; None: every deal."""
    lines: bool
    """Whether every line of play is followed; else every situation is visited once."""
    deep: bool
    """Whether it takes too long for a short run."""
    totals: Mapping[str, Any]

    @property
    def game(self) -> rummy.Game:
        """The game in the engine."""
        return rummy.load(self.variant, self.overrides)

    def sides(self) -> tuple[Side, Side]:
        """The game in the engine and in the reference."""
        game = self.game
        return Ours(game, self.players), Theirs(game.profile.model_dump(by_alias=True), self.players)

    def deals(self) -> list[str]:
        """The deals that are looked at."""
        game = self.game
        if self.seed is not None:
            start = game.start(self.players)
            return [str(game.chance(start, random.Random(self.seed)))]
        rules = game.rules(self.players)
        return list(every_deal(tuple([str(card) for card in rules.deck]), self.players, rules.hand_size(1)))

    def count(self, side: Side) -> dict[str, Any]:
        """The totals in one engine."""
        starts = [side.dealt(deal) for deal in self.deals()]
        if not self.lines:
            number, kinds = every_situation(side, starts)
            return {"situations": number, "kinds": dict(sorted(kinds.items()))}
        lines: Counter[Outcome] = Counter()
        for start in starts:
            lines += every_line(side, start)
        ends: Counter[str] = Counter()
        points, wins = [0] * self.players, [0] * self.players
        for outcome, number in lines.items():
            ends[outcome.kind] += number
            for seat in range(self.players):
                points[seat] += number * outcome.points[seat]
                wins[seat] += number * (outcome.winner == seat)
        return {"all": lines.total(), "kinds": dict(sorted(ends.items())), "points": points, "wins": wins}


def games() -> list[Tiny]:
    """The games of the file."""
    content = tomllib.loads(FILE.read_text())
    return [
        Tiny(
            name=each["name"],
            variant=each["variant"],
            players=each["players"],
            overrides={**content["decks"][each["deck"]], **each.get("overrides", {})},
            seed=each.get("seed"),
            lines=each["lines"],
            deep=each.get("deep", False),
            totals=each["totals"],
        )
        for each in content["game"]
    ]


def _toml(totals: Mapping[str, Any]) -> str:
    parts = []
    for key, value in totals.items():
        if isinstance(value, dict):
            inner = ", ".join(f'"{name}" = {number}' for name, number in value.items())
            parts.append(f"{key} = {{ {inner} }}")
        else:
            parts.append(f"{key} = {value}")
    return "totals = { " + ", ".join(parts) + " }"


def main() -> int:
    """Compares or writes; the exit code is 1 where the totals are not those of the reference."""
    parser = argparse.ArgumentParser(description="Enumerates the games of tiny decks with the reference engine.")
    parser.add_argument("--write", action="store_true", help="enter the totals in the file")
    options = parser.parse_args()
    blocks, agree = FILE.read_text().split("[[game]]"), True
    for number, tiny in enumerate(games(), start=1):
        totals = tiny.count(tiny.sides()[1])
        agree = agree and totals == tiny.totals
        print(f"{tiny.name}: {'agrees' if totals == tiny.totals else totals}", flush=True)
        blocks[number] = re.sub(r"(?m)^totals = .*$", _toml(totals), blocks[number])
        if options.write:
            FILE.write_text("[[game]]".join(blocks))
    return 0 if agree or options.write else 1


if __name__ == "__main__":
    sys.exit(main())
