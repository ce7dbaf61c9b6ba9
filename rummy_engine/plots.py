"""A comparison as a picture: how rounds end, and how points are distributed. Needs matplotlib (extra `plot`)."""

from __future__ import annotations

import io
from collections.abc import Mapping
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from typing import Any

from rummy_engine.compare import Comparison, Row
from rummy_engine.errors import RummyError
from rummy_engine.tally import ENDINGS

FORMATS = ("png", "svg")
COLOURS = {
    "out": "#0072B2",
    "gin": "#56B4E9",
    "knock": "#009E73",
    "undercut": "#F0E442",
    "stock_out": "#E69F00",
    "exhausted": "#D55E00",
    "deadlock": "#CC79A7",
    "void": "#999999",
}
"""Okabe and Ito's colours, which colour-blind people can tell apart; a kind has the same one in every picture."""


def check_plot(path: Path) -> None:
    """Raises RummyError if no picture can be drawn into a file of that name."""
    if path.suffix[1:].lower() not in FORMATS:
        raise RummyError(f"a picture is written as .png or .svg, not as {path.name!r:.60}")
    if find_spec("matplotlib") is None:
        raise RummyError('pictures need matplotlib: pip install "rummy-engine[plot]"')


def draw_comparison(comparison: Comparison, form: str) -> bytes:
    """The picture of a comparison as the content of a file; `form`: "png" or "svg". Equal ones are drawn equally."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rows = [row for row in comparison.rows if row.rounds]
    with rc_context({"svg.hashsalt": "rummy-engine", "font.size": 10, "axes.axisbelow": True}):
        figure = Figure(figsize=(9, 2.6 + 0.9 * len(rows)), layout="constrained")
        FigureCanvasAgg(figure)
        endings, points = figure.subplots(2, 1, height_ratios=(1, 1.3))
        _draw_endings(endings, rows)
        _draw_points(points, rows)
        figure.suptitle(f"{comparison.rounds} rounds each, seed {comparison.seed}")
        content = io.BytesIO()
        figure.savefig(content, format=form, dpi=120, metadata={"Date": None} if form == "svg" else None)
    return content.getvalue()


def _labels(rows: list[Row]) -> list[str]:
    return [f"{row.variant}\n{row.players} players, {', '.join(row.bots)}" for row in rows]


def _draw_endings(axes: Any, rows: list[Row]) -> None:
    left = [0.0] * len(rows)
    for kind in ENDINGS:
        shares = [100 * row.tally.endings[kind] / row.rounds for row in rows]
        if not any(shares):
            continue
        name = kind.replace("_", " ")
        axes.barh(range(len(rows)), shares, left=left, color=COLOURS[kind], edgecolor="white", label=name)
        left = [start + share for start, share in zip(left, shares, strict=True)]
    axes.set_yticks(range(len(rows)), _labels(rows))
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of rounds, %")
    axes.set_title("How rounds end", loc="left")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)


def _draw_points(axes: Any, rows: list[Row]) -> None:
    for at, row in enumerate(rows):
        marks = [quantile(row.tally.points, percent) for percent in (5, 25, 50, 75, 95)]
        axes.plot([marks[0], marks[4]], [at, at], color="#555555", linewidth=1.2, solid_capstyle="butt")
        axes.barh(at, marks[3] - marks[1], left=marks[1], height=0.5, color="#56B4E9", edgecolor="#0072B2")
        axes.plot([marks[2], marks[2]], [at - 0.25, at + 0.25], color="#0072B2", linewidth=2.5)
        axes.plot(row.points.value, at, marker="D", color="#D55E00", markersize=5, linestyle="none")
    axes.set_yticks(range(len(rows)), _labels(rows))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.margins(x=0.03)
    axes.axvline(0, color="#555555", linewidth=0.8)
    axes.grid(axis="x", color="#dddddd")
    axes.set_xlabel("points per seat and round: middle half, median, 5 to 95 %; diamond: mean")
    axes.set_title("Points", loc="left")


def quantile(histogram: Mapping[int, int], percent: int) -> int:
    """The smallest value that at least so many percent of the entries do not exceed.

    >>> quantile({0: 3, 10: 1}, 75), quantile({0: 3, 10: 1}, 76)
    (0, 10)
    """
    needed = max(1, ceil(percent * sum(histogram.values()) / 100))
    seen = 0
    for value, often in sorted(histogram.items()):
        seen += often
        if seen >= needed:
            return value
    raise ValueError("a quantile of nothing")
