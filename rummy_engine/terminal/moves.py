"""The legal moves of a turn as a numbered list, grouped by what they do, and cut where it would fill the screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
from rummy_engine.cards import JOKER
from rummy_engine.knowledge.view import View
from rummy_engine.terminal.layout import flow
from rummy_engine.terminal.wording import shown

MOST_LINES = 3
"""The lines that one kind of move takes up on the screen; the rest is listed when asked for."""
MOST_CELLS = 60
"""The moves of a kind that are tried for room in those lines."""
SPELLED = 3
"""So many cards of the pile are named in full beside a move that takes them."""
_ORDER = (Draw, Take, Call, Pass, Stop, LayMeld, LayOff, Swap, Knock, Discard, Done)
_GROUPED = (LayMeld, LayOff, Swap, Knock, Discard)
"""Kinds whose moves stand behind their word; the others share a line."""


class Menu:
    """The legal moves of a view, numbered from 1: the same view gives the same numbers."""

    def __init__(self, view: View) -> None:
        self._view = view
        ordered: list[Action] = []
        for kind in _ORDER:
            ordered += sorted((each for each in view.legal if type(each) is kind), key=_preference)
        self.moves: tuple[Action, ...] = tuple(ordered)
        self._numbers = {move: number for number, move in enumerate(ordered, 1)}

    def number(self, move: Action) -> int:
        """The number of a move."""
        return self._numbers[move]

    def lines(self, width: int, words: Sequence[str] = (), whole: bool = False) -> Iterator[str]:
        """The moves as lines; only those that have all these words in their text; `whole`: all of them."""
        wanted = {word.upper() for word in words}
        moves = [move for move in self.moves if wanted <= set(str(move).upper().split())]
        for word, group in _groups(moves):
            cells = [f"{self._numbers[move]}) {self._text(move)}" for move in group]
            lines = flow(word, cells if whole else cells[:MOST_CELLS], width)
            if not whole and (len(lines) > MOST_LINES or len(cells) > MOST_CELLS):
                lines = _cut(word, cells, width)
            yield from lines

    def _text(self, move: Action) -> str:
        """What the move is called behind its word, or what it would take from the pile."""
        if isinstance(move, (Take, Call)):
            cards = self._view.pile[-move.count :]
            named = shown(cards) if len(cards) <= SPELLED else f"{cards[0]} and {len(cards) - 1} above it"
            return f"{move} ({named})"
        if isinstance(move, Knock) and move.card is None:
            return "(big gin: no discard)"
        return str(move).partition(" ")[2] if isinstance(move, _GROUPED) else str(move)


def _preference(move: Action) -> tuple[int, int]:
    """Melds with few jokers first, the long ones before the short; other moves stay in their order."""
    return (move.cards.count(JOKER), -len(move.cards)) if isinstance(move, LayMeld) else (0, 0)


def _groups(moves: Sequence[Action]) -> Iterator[tuple[str, list[Action]]]:
    groups: dict[str, list[Action]] = {}
    for move in moves:
        word = str(move).split()[0] if isinstance(move, _GROUPED) else "moves"
        groups.setdefault(word, []).append(move)
    yield from groups.items()


def _cut(word: str, cells: list[str], width: int) -> list[str]:
    """As many of the cells as there is room for, and how to see the rest."""
    for kept in range(min(len(cells), MOST_CELLS), -1, -1):
        more = f"… {len(cells) - kept} more: type moves {word}"
        lines = flow(word, [*cells[:kept], more], width)
        if len(lines) <= MOST_LINES:
            break
    return lines
