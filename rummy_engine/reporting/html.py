"""A comparison as one self-contained page: the command, charts, measures, differences of the rules, definitions."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from rummy_engine import __version__
from rummy_engine.compare import Comparison, Row
from rummy_engine.comparing.counting import QUANTITIES
from rummy_engine.comparing.intervals import FEW, Interval, number
from rummy_engine.comparing.lanes import LANES
from rummy_engine.comparing.measures import BOT_MEASURES, MEASURES, Measure
from rummy_engine.reporting.differences import differences
from rummy_engine.reporting.plots import bands, draw_band
from rummy_engine.reporting.sentences import how_it_ended

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #222; max-width: 74rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid #ccc; }
h3 { font-size: 1rem; margin-bottom: .3rem; } pre { background: #f3f3f3; padding: .6rem; white-space: pre-wrap; }
figure { margin: 1rem 0; } figcaption { color: #555; font-size: .87rem; } svg { max-width: 100%; height: auto; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .87rem; }
th, td { padding: .25rem .6rem; text-align: right; vertical-align: top; border-bottom: 1px solid #e4e4e4; }
th { background: #f7f7f7; } th:first-child { position: sticky; left: 0; } th:first-child, .words { text-align: left; }
tbody th { font-weight: normal; white-space: nowrap; } small { color: #555; white-space: nowrap; }
.sure { color: #003f66; font-weight: bold; } a { color: #0060a0; }
dt { font-weight: bold; margin-top: .6rem; } dd { margin-left: 1.5rem; } code { font-size: .87rem; }
"""


def to_html(comparison: Comparison, command: str) -> str:
    """The page as text; `command`: how to repeat the comparison. Needs matplotlib (extra `plot`).

    The same comparison and command give the same page.
    """
    parts = [_head(comparison, command), _charts(comparison), _table(comparison), _bots(comparison)]
    parts += [_rules(comparison), _definitions()]
    title = escape(" · ".join(dict.fromkeys(row.label for row in comparison.rows))[:200])
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n" + "\n".join(parts) + "\n</body>\n</html>\n"
    )


def _head(comparison: Comparison, command: str) -> str:
    lines = [
        f"Played as {'whole matches' if comparison.whole_matches else 'single rounds'}, seed {comparison.seed}; "
        "the same deals in every row, each with every way to turn the line-up round the table",
        how_it_ended(comparison),
    ]
    if not comparison.complete:
        lines.append("Stopped before its end")
    lines += [f"Not counted: {row.tally.faults} deals of {row.label}, where a bot failed" for row in comparison.rows
              if row.tally.faults]  # fmt: skip
    lines += [f"For example: {fault.error}" for fault in comparison.faults[:3]]
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return (
        f"<h1>Comparison of Rummy games</h1>\n<ul>{items}</ul>\n"
        f"<p>To repeat it, with rummy-engine {escape(__version__)}:</p>\n<pre>{escape(command)}</pre>"
    )


def _charts(comparison: Comparison) -> str:
    rows = [row for row in comparison.rows if row.rounds]
    figures = [
        f"<h3>{escape(band.title)}</h3>\n<figure>{draw_band(band, rows)}"
        f"<figcaption>{escape(band.caption)}</figcaption></figure>"
        for band in (bands(rows) if rows else ())
    ]
    return "<h2>Charts</h2>\n" + "\n".join(figures)


def _table(comparison: Comparison) -> str:
    rows = comparison.rows
    head = "".join(
        f"<th>{escape(row.label)}<br><small>{row.players} players: {escape(', '.join(row.bots))}</small></th>"
        for row in rows
    )
    played = "".join(
        f"<td>{row.rounds}" + (f"<br><small>{row.matches} matches</small>" if row.matches else "") + "</td>"
        for row in rows
    )
    digests = "".join(f"<td><small><code>{row.game.digest[:12]}</code></small></td>" for row in rows)
    body = [f"<tr><th>digest of the rules</th>{digests}</tr>", f"<tr><th>rounds played</th>{played}</tr>"]
    found = [comparison.differences(place) if place else {} for place in range(len(rows))]
    for name, measure in MEASURES.items():
        if not any(name in row.measures for row in rows):
            continue
        cells = "".join(
            f"<td>{_interval(measure, row.measures.get(name))}{_pair(row) if name == 'skill' else ''}"
            f"{_difference(measure, found[place].get(name))}</td>"
            for place, row in enumerate(rows)
        )
        unit = f" <small>{escape(measure.unit)}</small>"
        body.append(f'<tr><th><a href="#{name}">{escape(measure.title)}</a>{unit}</th>{cells}</tr>')
    return (
        "<h2>Measures</h2>\n<p>In brackets: 95 % intervals. Δ: the paired difference from the first row with its 95 % "
        'interval, <span class="sure">bold</span> where that does not hold 0.</p>\n'
        f'<div class="wide"><table><thead><tr><th></th>{head}</tr></thead><tbody>{"".join(body)}</tbody></table></div>'
    )


def _pair(row: Row) -> str:
    """Whose skill index it is; it is below 0 where the second bot of the line-up is the better one."""
    return "" if row.skill is None else f"<br><small>{escape(' against '.join(row.bots))}</small>"


def _bots(comparison: Comparison) -> str:
    rows = [row for row in comparison.rows if len(row.bots) > 1 and row.rounds]
    if not rows:
        return ""
    head = "".join(
        f"<th>{escape(measure.title)} <small>{escape(measure.unit)}</small></th>" for measure in BOT_MEASURES
    )
    body = "".join(
        f"<tr><th>{escape(row.label)}, {row.players} players: {escape(bot.name)}</th>"
        + "".join(f"<td>{_interval(measure, getattr(bot, measure.name))}</td>" for measure in BOT_MEASURES)
        + "</tr>"
        for row in rows
        for bot in row.by_bot
    )
    table = f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<h2>Bots</h2>\n<div class="wide">{table}</div>'


def _rules(comparison: Comparison) -> str:
    first = comparison.rows[0]
    parts, seen = [], {first.game.digest}
    for row in comparison.rows[1:]:
        if row.game.digest in seen:
            continue
        seen.add(row.game.digest)
        body = "".join(
            f'<tr><th><code>{escape(each.dial)}</code></th><td class="words">{escape(each.left)}</td>'
            f'<td class="words">{escape(each.right)}</td><td class="words">{escape(each.description)}</td></tr>'
            for each in differences(first.game, row.game)
        )
        names = "".join(f'<th class="words">{escape(name)}</th>' for name in (first.label, row.label, "what it does"))
        parts.append(
            f'<h3>{escape(first.label)} → {escape(row.label)}</h3>\n<div class="wide"><table>'
            f"<thead><tr><th>dial</th>{names}</tr></thead><tbody>{body}</tbody></table></div>"
        )
    none = "<p>All rows play by the same rules.</p>"
    return "<h2>How the rules differ</h2>\n" + ("\n".join(parts) or none)


def _definitions() -> str:
    items = "".join(_definition(name, measure) for name, measure in MEASURES.items())
    sums = "".join(f"<dt><code>{escape(name)}</code></dt><dd>{escape(text)}</dd>" for name, text in QUANTITIES.items())
    return (
        f"<h2>Definitions</h2>\n<dl>{items}</dl>\n<h3>The sums they are made of</h3>\n<dl>{sums}</dl>\n"
        "<h3>Intervals</h3>\n<p>All are 95 % intervals. Where each deal is played once, shares of rounds or matches "
        f"have Wilson's. All others are bootstrap intervals: the middle 95 % of {LANES} resamples of the deals, in "
        "which each deal has a random weight that is the same in every row; so differences are paired by deal. A share "
        "of 0 or 100 % has Wilson's interval for so many deals. An interval without width says that every deal gave "
        f"the same, not that none could give anything else. With few deals (below some {FEW}) bootstrap intervals are "
        "too narrow.</p>"
    )


def _definition(name: str, measure: Measure) -> str:
    return (
        f'<dt id="{name}">{escape(measure.title)} <small>{escape(measure.unit)}</small></dt>'
        f"<dd>{escape(measure.sentence)}.<br><code>{escape(measure.formula)}</code></dd>"
    )


def _interval(measure: Measure, interval: Interval | None) -> str:
    if interval is None or interval.value is None:
        return "–"
    value, *bounds = _texts(measure, interval)
    return value + (f"<br><small>[{bounds[0]}, {bounds[1]}]</small>" if bounds else "")


def _difference(measure: Measure, interval: Interval | None) -> str:
    if interval is None:
        return ""
    value, *bounds = _texts(measure, interval)
    sure = ""
    if interval.low is not None and interval.high is not None and (interval.low > 0 or interval.high < 0):
        sure = ' class="sure"'
    text = f"Δ {value}" + (f" [{bounds[0]}, {bounds[1]}]" if bounds else "")
    return f"<br><small{sure}>{text}</small>"


def _texts(measure: Measure, interval: Interval) -> Iterator[str]:
    scale, places = (100, 1) if measure.is_share else (1, 2)
    return (number(scale * each, places).replace("-", "−") for each in interval if each is not None)
