"""Comparisons as pictures: endings, points, lengths, the first seat's edge, skill. Needs matplotlib (extra `plot`)."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

from rummy_engine.compare import Comparison, Row
from rummy_engine.comparing.counting import CURVE, ENDINGS
from rummy_engine.comparing.intervals import UNKNOWN, Interval
from rummy_engine.errors import RummyError
from rummy_engine.reporting.sentences import penalised

FORMATS = ("png", "svg")
COLOURS = {
    "out": "#0072B2",
    "gin": "#56B4E9",
    "knock": "#009E73",
    "undercut": "#F0E442",
    "stock_out": "#E69F00",
    "exhausted": "#D55E00",
    "deadlock": "#CC79A7",
    "void": "#222222",
}
"""Okabe and Ito's colours, which colour-blind people can tell apart; a kind has the same one in every picture."""
LINES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
STYLES = ("-", "--", "-.", ":")
MARKERS = "osD^vPX*<>hp"
GREY, BLUE, LIGHT_BLUE, RED = "#555555", "#0072B2", "#56B4E9", "#D55E00"
WIDTH = 11
"""Of a picture, in inches."""
LABEL = 34
"""Labels of rows are broken after so many characters."""
CAPTION = 170
"""So many characters of a caption stand in one line of a picture."""
MOST_CURVES = 12
"""With more rows than this, their skill curves could not be told apart."""
MOST_SHADED = 4
"""With more curves than this, the intervals around them would hide them."""
MARKS = 60
"""So many markers can stand side by side across the picture of skill curves."""


class Chart(NamedTuple):
    """One chart: its title, and what draws it into matplotlib's axes."""

    title: str
    draw: Callable[[Any, Sequence[Row]], None]


class Band(NamedTuple):
    """Charts side by side, with the rows named on the left: what they show, how to read them, height in inches."""

    title: str
    caption: str
    height: float
    charts: tuple[Chart, ...]


def check_plot(path: Path) -> None:
    """Raises RummyError if no picture can be drawn into a file of that name."""
    if path.suffix[1:].lower() not in FORMATS:
        raise RummyError(f"a picture is written as .png or .svg, not as {path.name!r:.60}")
    check_matplotlib()


def check_matplotlib() -> None:
    """Raises RummyError if nothing can be drawn."""
    if find_spec("matplotlib") is None:
        raise RummyError('pictures need matplotlib: pip install "rummy-engine[plot]"')


def bands(rows: Sequence[Row]) -> tuple[Band, ...]:
    """The charts that say something about these rows."""
    lines = sum(1 + _label(row).count("\n") for row in rows)
    height = 1.25 + 0.17 * lines + 0.12 * len(rows)
    matches, pairs = any(row.matches for row in rows), any(row.skill for row in rows)
    lengths = [Chart("Points per seat and round", _points), Chart("Turns per round", _turns)]
    lengths += [Chart("Rounds per match", _length)] * matches
    firsts = [Chart("Points above the mean", _edge), Chart("Share of rounds won", _left_won)]
    ends = "Share of rounds per kind of ending; the table of measures has their intervals."
    spans = "Box: middle half, with the median; line: 5 to 95 %; diamond: mean."
    edges = "Dots: means and shares, with 95 % intervals; dashed: one seat's fair share of the rounds."
    if names := penalised(rows):
        edges += f" Penalties, more is worse: {', '.join(names)}."
    found = [
        Band("How rounds end", ends, max(height, 2.6), (Chart("", _endings),)),
        Band("Points and lengths", spans, height, (*lengths,)),
        Band("The seat left of the dealer", edges, height, (*firsts,)),
    ]
    if pairs:
        text = f"The better bot's chance of winning {'a match' if matches else 'a round'}, less one half."
        found.append(Band("Skill index", text, height, (Chart("", _skill),)))
    curves = sum(row.matches > 0 and row.skill is not None for row in rows)
    if 0 < curves <= MOST_CURVES:
        text = "The chance that the better bot is ahead after so many rounds; a match that is over keeps its result."
        text += " Shaded: 95 % intervals." * (curves <= MOST_SHADED)
        text += " Equal curves can be told apart by their marks, which never stand in one place." * (curves > 1)
        found.append(Band("Skill curve", text, 3.8 + 0.15 * curves, (Chart("", _curve),)))
    return tuple(found)


def draw_comparison(comparison: Comparison, form: str) -> bytes:
    """All charts in one picture, as the content of a file; `form`: "png" or "svg". Equal ones are drawn equally."""
    rows = [row for row in comparison.rows if row.rounds]
    played = max((row.tally.take("deals") for row in rows), default=0)
    title = f"Deals of each: {played}, played as {'whole matches' if comparison.whole_matches else 'single rounds'}"
    return _drawn(bands(rows), rows, form, f"{title}, seed {comparison.seed}")


def draw_band(band: Band, rows: Sequence[Row]) -> str:
    """Charts side by side as an SVG element."""
    text = _drawn([band._replace(title="", caption="")], rows, "svg", None).decode()
    return text[text.index("<svg") :]


def _drawn(each: Sequence[Band], rows: Sequence[Row], form: str, title: str | None) -> bytes:
    from matplotlib import rc_context

    settings: Any = {"svg.hashsalt": "rummy-engine", "font.size": 10, "axes.axisbelow": True, "axes.titlesize": 10}
    settings["text.parse_math"] = False  # a name may hold what would be a formula
    content = io.BytesIO()
    with rc_context(settings):
        figure = figure_of(each, rows, title)
        dated: Any = {"Date": None} if form == "svg" else None
        figure.savefig(content, format=form, dpi=resolution(figure.get_figheight()), metadata=dated)
    return content.getvalue()


def resolution(height: float) -> float:
    """Dots per inch of a picture of so many inches: no picture may be higher than 2**16 dots."""
    return min(110, (2**16 - 1) / height)


def figure_of(each: Sequence[Band], rows: Sequence[Row], title: str | None) -> Any:
    """The matplotlib figure of these charts, one band below the other."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    captions = ["\n".join(wrap(band.caption, CAPTION)) for band in each]
    heights = [
        band.height + 0.45 * bool(band.title) + 0.14 * caption.count("\n")
        for band, caption in zip(each, captions, strict=True)
    ]
    figure = Figure(figsize=(WIDTH, sum(heights) + 0.5 * bool(title)), layout="constrained")
    FigureCanvasAgg(figure)
    parts = figure.subfigures(len(each), 1, height_ratios=heights, squeeze=False)[:, 0]
    for part, band, caption in zip(parts, each, captions, strict=True):
        grid = part.subplots(1, len(band.charts), squeeze=False)[0]
        for column, (axes, chart) in enumerate(zip(grid, band.charts, strict=True)):
            axes.set_title(chart.title, loc="left")
            for side in ("top", "right"):
                axes.spines[side].set_visible(False)
            chart.draw(axes, rows)
            if column:
                axes.set_yticklabels([])
        if band.title:
            part.suptitle(band.title, x=0.01, ha="left", weight="bold")
        if caption:
            part.supxlabel(caption, x=0.01, ha="left", size=8, color=GREY)
    if title:
        figure.suptitle(title, x=0.01, ha="left", weight="bold", size=12)
    return figure


def _label(row: Row) -> str:
    line = f"{row.players} players, {', '.join(row.bots)}"
    return "\n".join([*wrap(row.label, LABEL), *wrap(line, LABEL)])


def _rows_down(axes: Any, rows: Sequence[Row]) -> None:
    axes.set_yticks(range(len(rows)), [_label(row) for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(axis="x", color="#dddddd")


def _endings(axes: Any, rows: Sequence[Row]) -> None:
    left = [0.0] * len(rows)
    for kind in ENDINGS:
        counts = [row.tally.take(f"ended_{kind}") for row in rows]
        shares = [100 * count / row.rounds for count, row in zip(counts, rows, strict=True)]
        if not any(shares):
            continue
        name = kind.replace("_", " ")
        axes.barh(range(len(rows)), shares, 0.7, left=left, color=COLOURS[kind], edgecolor="white", label=name)
        dark = kind in ("out", "knock", "exhausted", "void")
        for at, share in enumerate(shares):
            if share >= 6:
                colour = "white" if dark else "black"
                text = percent(counts[at], rows[at].rounds)
                axes.text(left[at] + share / 2, at, text, ha="center", va="center", color=colour, size=8)
        left = [start + share for start, share in zip(left, shares, strict=True)]
    _rows_down(axes, rows)
    axes.grid(visible=False)
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of rounds, %")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)


def _points(axes: Any, rows: Sequence[Row]) -> None:
    _boxes(axes, rows, "points", [row.measures["points"].value for row in rows])
    axes.axvline(0, color=GREY, linewidth=0.8)
    axes.set_xlabel("points")


def _turns(axes: Any, rows: Sequence[Row]) -> None:
    _boxes(axes, rows, "turns", [row.measures["turns"].value for row in rows])
    _from_zero(axes)
    axes.set_xlabel("turns")


def _length(axes: Any, rows: Sequence[Row]) -> None:
    means = [row.measures["length"].value if row.matches else None for row in rows]
    _boxes(axes, rows, "length", means)
    _from_zero(axes)
    axes.set_xlabel("rounds")


def _from_zero(axes: Any) -> None:
    """For counts: from 0, with whole numbers along the axis."""
    axes.set_xlim(left=-0.02 * axes.get_xlim()[1])
    axes.xaxis.get_major_locator().set_params(integer=True)


def _boxes(axes: Any, rows: Sequence[Row], histogram: str, means: Sequence[float | None]) -> None:
    for at, (row, mean) in enumerate(zip(rows, means, strict=True)):
        counts = row.tally.histograms[histogram]
        if mean is None or not counts:
            continue
        marks = [quantile(counts, percent) for percent in (5, 25, 50, 75, 95)]
        # Below the box; a quantile at the edge of the picture is not cut in half.
        axes.plot([marks[0], marks[4]], [at, at], color=GREY, linewidth=1.2, solid_capstyle="butt", zorder=0.9)
        axes.barh(at, marks[3] - marks[1], left=marks[1], height=0.5, color=LIGHT_BLUE, edgecolor=BLUE)
        axes.plot([marks[2], marks[2]], [at - 0.25, at + 0.25], color=BLUE, linewidth=2.5)
        axes.plot(mean, at, marker="D", color=RED, markersize=5, linestyle="none")
    _rows_down(axes, rows)
    axes.use_sticky_edges = False
    axes.margins(x=0.03)


def _edge(axes: Any, rows: Sequence[Row]) -> None:
    _dots(axes, rows, [row.measures["edge"] for row in rows], 1)
    axes.axvline(0, color=GREY, linewidth=0.8)
    axes.set_xlabel("points per round")


def _left_won(axes: Any, rows: Sequence[Row]) -> None:
    _dots(axes, rows, [row.measures["left_won"] for row in rows], 100)
    for at, row in enumerate(rows):
        fair = 100 / row.players
        axes.plot([fair, fair], [at - 0.35, at + 0.35], color=RED, linewidth=1.8, linestyle="--", zorder=1.5)
    axes.set_xlabel("%")


def _skill(axes: Any, rows: Sequence[Row]) -> None:
    _dots(axes, rows, [row.skill.index if row.skill else UNKNOWN for row in rows], 100)
    for at, row in enumerate(rows):
        if row.skill is not None and row.skill.index.value is not None:
            text = f"{row.skill.better} over {row.skill.worse}"
            place = (100 * row.skill.index.value, at)
            axes.annotate(text, place, (0, 6), textcoords="offset points", ha="center", size=8)
    lows = [100 * row.skill.index.low for row in rows if row.skill and row.skill.index.low is not None]
    axes.set_xlim(min([-5, *(low - 2 for low in lows)]), 55)
    axes.axvline(0, color=GREY, linewidth=0.8)
    axes.set_xlabel("percentage points")


def _dots(axes: Any, rows: Sequence[Row], intervals: Sequence[Interval], scale: float) -> None:
    for at, (value, low, high) in enumerate(intervals):
        if value is None:
            continue
        if low is not None and high is not None:
            axes.plot([scale * low, scale * high], [at, at], color=BLUE, linewidth=2.2, solid_capstyle="butt")
        axes.plot(scale * value, at, marker="o", color=BLUE, markersize=6, linestyle="none")
    _rows_down(axes, rows)
    axes.margins(x=0.05)


def _curve(axes: Any, rows: Sequence[Row]) -> None:
    shown = [row for row in rows if row.skill is not None and row.matches]
    ends = [min(CURVE, quantile(row.tally.histograms["length"], 99)) for row in shown]
    longest, lowest = max(2, *ends), 45.0
    places = marks_of(ends)
    for at, (row, last) in enumerate(zip(shown, ends, strict=True)):
        assert row.skill is not None
        chances, lows, highs = _percent(row.curve()[:last])
        if row.skill.better != row.bots[0]:
            chances, lows, highs = ([100 - each for each in line] for line in (chances, highs, lows))
        lowest = min(lowest, *(lows if len(shown) <= MOST_SHADED else chances))
        colour, line = LINES[at % len(LINES)], STYLES[at // len(LINES) % len(STYLES)]
        label = "\n".join(wrap(f"{row.label}: {row.skill.better} over {row.skill.worse}", LABEL))
        label = f" {label}" if label.startswith("_") else label  # which legends leave out
        shift, first, every = places[at]
        rounds = [number + shift for number in range(1, last + 1)]
        marks = range(min(first, last - 1), last, every)
        style: dict[str, Any] = {"color": colour, "linestyle": line, "marker": MARKERS[at], "markevery": marks}
        axes.plot(rounds, chances, label=label, **style)
        if len(shown) <= MOST_SHADED:
            axes.fill_between(rounds, lows, highs, color=colour, alpha=0.15, linewidth=0)
    axes.axhline(50, color=GREY, linewidth=0.8)
    axes.set_xlim(0.5, longest + 0.5)
    axes.grid(color="#dddddd")
    axes.set_xticks(range(1, longest + 1, 1 + longest // 16))
    axes.set_xlabel("rounds played")
    ticks = range(10 * int(lowest // 10), 101, 10)
    axes.set_yticks(ticks, [f"{share} %" for share in ticks])
    axes.set_ylim(ticks[0], 102)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=8)


class Marks(NamedTuple):
    """How far a skill curve is set aside, in rounds, and which of its points are marked: every so many from `first`."""

    shift: float
    first: int
    every: int


def marks_of(ends: Sequence[int]) -> list[Marks]:
    """The marks of curves that end after so many rounds; no two are marked in the same place where both go on.

    As many as there is room for stand side by side at each round; the others are marked at other rounds, the longest
    curves last.

    >>> marks_of([12, 12])
    [Marks(shift=-0.1, first=0, every=1), Marks(shift=0.1, first=0, every=1)]
    """
    longest, curves = max(ends), len(ends)
    every = ceil(curves / max(1, int(0.85 * MARKS / longest)))
    beside = ceil(curves / every)
    found = [Marks(0, 0, 1)] * curves
    for rank, at in enumerate(sorted(range(curves), key=lambda each: ends[each])):
        first, slot = divmod(rank, beside)
        found[at] = Marks(longest / MARKS * (slot - (beside - 1) / 2), first, every)
    return found


def percent(count: int, total: int) -> str:
    """A share in whole percent; one that is neither none nor all is never told as if it were.

    >>> percent(1, 2), percent(995, 1000), percent(9999, 10000), percent(1, 10000), percent(7, 7)
    ('50', '99.5', '> 99.9', '< 0.1', '100')
    """
    text = f"{100 * count / total:.0f}"
    if text not in ("0", "100") or count in (0, total):
        return text
    if 1000 * count > 999 * total:
        return "> 99.9"
    return f"{100 * count / total:.1f}" if 1000 * count >= total else "< 0.1"


def _percent(intervals: Sequence[Interval]) -> tuple[list[float], list[float], list[float]]:
    """Values and bounds in percent; a bound that is not known is the value."""
    values = [100 * (each.value or 0) for each in intervals]
    lows = [value if each.low is None else 100 * each.low for value, each in zip(values, intervals, strict=True)]
    highs = [value if each.high is None else 100 * each.high for value, each in zip(values, intervals, strict=True)]
    return values, lows, highs


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
