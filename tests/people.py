"""Scripted people who play at the terminal, for the tests of `rummy play`."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Self

from rich.console import Console

import rummy_engine as rummy
from rummy_engine.terminal.play import run_play
from rummy_engine.terminal.session import PROMPT

NUMBER = re.compile(r"(?<=  )(\d+)\) ")
WIDTH = 80


class Person:
    """Somebody who types lines: given ones, or what `choose` makes of the text since the last move; then Ctrl-D."""

    def __init__(self, lines: Iterable[str] = (), width: int = WIDTH) -> None:
        self.lines = iter(lines)
        self.out = io.StringIO()
        self.console = Console(file=self.out, width=width, highlight=False, markup=False, emoji=False)
        self.asked: list[str] = []
        self.shown = 0
        self.code = -1

    def __call__(self, prompt: str) -> str:
        self.asked.append(prompt)
        fresh = self.text[self.shown :]
        self.shown = len(self.text)
        line = self.type(prompt, fresh)
        self.out.write(f"{prompt}{line}\n")
        return line

    def type(self, prompt: str, fresh: str) -> str:
        line = next(self.lines, None)
        if line is None:
            raise EOFError
        if line == "^C":
            raise KeyboardInterrupt
        return line

    @property
    def text(self) -> str:
        return self.out.getvalue()

    def answer(self, line: str) -> str:
        """What was said after a line was typed, up to the next prompt."""
        return self.text.split(f"> {line}\n", 1)[1].split("\n> ", 1)[0]

    def play(self, variant: str | None, players: int | None = None, **options: Any) -> Self:
        self.code = run_play(variant, players, console=self.console, ask=self, **options)
        return self


class Roller(Person):
    """Somebody who plays one of the listed moves at random, and likes to table and to knock."""

    def __init__(self, seed: int, most: int = 10_000, width: int = WIDTH) -> None:
        super().__init__(width=width)
        self.rng, self.most = random.Random(seed), most

    def type(self, prompt: str, fresh: str) -> str:
        if prompt != PROMPT:
            return ""
        self.most -= 1
        if self.most < 0:
            raise EOFError
        numbers: list[str] = NUMBER.findall(fresh)
        return numbers[0] if self.rng.random() < 0.4 else self.rng.choice(numbers)


class Follower(Person):
    """Somebody who asks for a hint and does what it says."""

    def type(self, prompt: str, fresh: str) -> str:
        if prompt != PROMPT:
            return ""
        hinted: list[str] = re.findall(r"\(move (\d+)\)", fresh)
        return hinted[-1] if hinted else "hint"


def last_screen(person: Person) -> str:
    """The last picture of the table."""
    return re.split(r"\n> |\n\n", "── " + person.text.rsplit("\n── ", 1)[1])[0]


def seated(game: rummy.Game, position: Mapping[str, Any], seed: int = 1) -> Path:
    """A saved match that stands in this position."""
    path = Path("at.json")
    path.write_text(rummy.Record.of(game, game.position(**position), (), seed).to_json())
    return path


def named(**values: Any) -> dict[str, Any]:
    """The values by name: a position, or options."""
    return values
