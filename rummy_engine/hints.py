"""Small helps with what people and programs send: the nearest known word, and values that fit on a line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard


def closest(word: object, known: Iterable[str]) -> str | None:
    """The known word that was probably meant, or None.

    >>> closest("by_player", ("by_players", "by_round"))
    'by_players'
    >>> closest("cards", ("declared", "pile"))  # half alike is not meant
    """
    if not isinstance(word, str) or len(word) > 100:
        return None
    from difflib import get_close_matches  # needed only when something is wrong

    written = {name.lower(): name for name in known}
    found = get_close_matches(word.lower(), written, 1, cutoff=0.65)
    return written[found[0]] if found else None


def presentable(value: object) -> object:
    """The value itself, or a description where its text would be endless (Python refuses to print huge numbers).

    >>> presentable(7), presentable(10**9999)
    (7, 'a number of 33216 bits')
    """
    if isinstance(value, int) and value.bit_length() > 64:
        return f"a number of {value.bit_length()} bits"
    try:
        repr(value)
    except (ValueError, RecursionError):
        return f"a {type(value).__name__} that cannot be printed"
    return value


def no_seat(seat: object, players: int) -> str:
    """What to say about something that is no seat.

    >>> no_seat(2, players=2), no_seat("1", players=2)
    ('there is no seat 2: seats are 0 to 1', "there is no seat '1': seats are 0 to 1 (numbers, not text)")
    """
    shown = repr(presentable(seat))[:40]
    hint = " (numbers, not text)" if isinstance(seat, str) else ""
    return f"there is no seat {shown}: seats are 0 to {players - 1}{hint}"


def listed(words: Iterable[str], last: str) -> str:
    """Words in a row, the last one joined by `last`.

    >>> listed(["a", "b", "c"], "or"), listed(["a"], "or")
    ('a, b or c', 'a')
    """
    *first, final = words
    return f"{', '.join(first)} {last} {final}" if first else final


def printable(text: str) -> str:
    """The text with what no screen shows, or what would steer it, written as Python escapes it."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is an int and no bool."""
    return isinstance(value, int) and not isinstance(value, bool)
