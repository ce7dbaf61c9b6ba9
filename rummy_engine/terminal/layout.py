"""Lines of text that fit the screen: cells that flow into lines, columns, and the colours of cards."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from rich.text import Text

NARROWEST = 30
"""Narrower screens are written to as if they had so many columns."""
LABEL = 9
"""The columns of the label before a line."""
_STYLES = (
    (r"\b[A2-9TJQK][HD]\b", "red"),
    (r"\bJK\b", "magenta"),
    (r"@\d+", "cyan"),
    (r"(?<=  )\d+\)", "bold"),
    (r"^(?:──.*|\w+(?: \w+)? (?= ))", "bold"),
)


def painted(line: str) -> Text:
    """The line with its cards, table melds, numbers of moves and label in colour, for consoles that show colour."""
    text = Text(line)
    for pattern, style in _STYLES:
        text.highlight_regex(pattern, style)
    return text


def wrapped(text: str, width: int, indent: int = 2) -> list[str]:
    """A sentence in lines; all but the first are indented."""
    return textwrap.wrap(text, max(width, NARROWEST), subsequent_indent=" " * indent, break_on_hyphens=False)


def flow(label: str, cells: Iterable[str], width: int, gap: int = 2) -> list[str]:
    """A label, and cells beside each other in as many lines as they need; no cell is broken that fits a line."""
    room = max(width, NARROWEST) - LABEL
    lines: list[str] = []
    for cell in cells:
        if lines and len(lines[-1]) + gap + len(cell) <= room:
            lines[-1] += " " * gap + cell
        else:
            lines += textwrap.wrap(cell, room, break_on_hyphens=False) or [""]
    labels = [label] + [""] * len(lines)
    return [f"{head:{LABEL}}{line}".rstrip() for head, line in zip(labels, lines, strict=False)]


def columns(rows: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> list[str]:
    """Rows of cells in aligned columns: those named in `left` to the left, the others to the right."""
    widths = [max(map(len, cells)) for cells in zip_longest(*rows, fillvalue="")]
    return [
        "  ".join(
            f"{cell:<{width}}" if at in left else f"{cell:>{width}}"
            for at, (cell, width) in enumerate(zip(row, widths, strict=False))
        ).rstrip()
        for row in rows
    ]


def heading(text: str, width: int) -> str:
    """The line above a picture of the table."""
    return f"── {text} ".ljust(width, "─").rstrip()
