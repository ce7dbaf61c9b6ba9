"""What a person may type at the table: a move, or one of a few commands."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from rummy_engine.actions import (
    Action,
    Call,
    Discard,
    Done,
    Draw,
    Knock,
    LayMeld,
    LayOff,
    Pass,
    Stop,
    Swap,
    Take,
)
from rummy_engine.hints import closest

COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "help": ("help", "this list"),
        "hint": ("hint", "what a bot would do, and which cards you want"),
        "fits": ("fits CARD", "where a card could go: on the table, with your hand"),
        "hand": ("hand", "your hand by suit and by rank"),
        "moves": ("moves [WORDS]", "every legal move, or those with these words: moves meld 8H"),
        "table": ("table", "the table again (Enter does the same)"),
        "log": ("log", "what happened in this round"),
        "undo": ("undo [N]", "take back your last move, or the last N, with what followed"),
        "save": ("save [FILE]", "save the match; rummy play --resume FILE goes on with it"),
        "quit": ("quit", "leave the table; so do Ctrl-C and Ctrl-D"),
    }
)
"""Per command: how it is written and what it does."""
_ALIASES = {"?": "help", "h": "help", "q": "quit", "exit": "quit", "": "table"}
VERBS: Mapping[str, type[Action]] = MappingProxyType(
    {
        "draw": Draw,
        "take": Take,
        "pass": Pass,
        "stop": Stop,
        "meld": LayMeld,
        "layoff": LayOff,
        "swap": Swap,
        "discard": Discard,
        "knock": Knock,
        "done": Done,
        "call": Call,
    }
)
"""Per first word of a move: its action. The dealer's two are not for a seat."""
LONGEST_NUMBER = 9
"""Digits of a number that anybody means."""


class Typed(NamedTuple):
    """A line as it was meant: `kind` is "number", "move", "unknown", or the name of a command."""

    kind: str
    text: str = ""
    """The number, the move in notation, what is wrong with the line, or what follows the command."""


def read_line(line: str) -> Typed:
    """What a line of input means; never raises.

    >>> read_line("12"), read_line(" Discard  KC "), read_line("fits 8h")
    (Typed(kind='number', text='12'), Typed(kind='move', text='Discard  KC'), Typed(kind='fits', text='8h'))
    """
    line = line.strip()
    word, _, rest = line.partition(" ")
    word = word.lower()
    word = _ALIASES.get(word, word)
    if word in COMMANDS:
        return Typed(word, rest.strip())
    if word in VERBS:
        return Typed("move", line)
    if line.isascii() and line.isdigit() and len(line) <= LONGEST_NUMBER:
        return Typed("number", line)
    near = closest(word, (*COMMANDS, *VERBS))
    shown = line if len(line) <= 40 else line[:37] + "..."
    return Typed("unknown", f"{shown!r} is no move and no command" + (f" (did you mean {near!r}?)" if near else ""))
