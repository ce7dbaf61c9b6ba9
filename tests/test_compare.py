"""Comparisons: rows, grids of dials, differences, and what is exported of them."""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rummy_engine as rummy
from rummy_engine.compare import Comparison, compare, setups_of
from rummy_engine.comparing.counting import CURVE, ENDINGS
from rummy_engine.comparing.intervals import Interval, share_of
from rummy_engine.comparing.measures import BOT_MEASURES, MEASURES
from rummy_engine.comparing.rows import COLUMNS
from rummy_engine.comparing.setups import MOST_SETUPS, Setup, read_vary
from rummy_engine.exports import columns, to_csv, to_json, to_parquet
from rummy_engine.reporting.differences import differences
from rummy_engine.simulate import CHUNK, record_of
from tests.botsamples import raises_at_times


@pytest.fixture(scope="module")
def mixed() -> Comparison:
    """Two variants, two line-ups, whole matches."""
    return compare(["basic", "gin-knock"], 2, [("easy", "random"), "easy"], matches=6, seed=3)


def test_a_row_says_what_was_counted() -> None:
    comparison = compare(["basic", "rummy-500"], 3, ["easy", ("easy", "random")], rounds=20, seed=4)
    assert [(row.variant, row.bots) for row in comparison.rows] == [
        (variant, bots) for variant in ("basic", "rummy-500") for bots in (("easy",), ("easy", "random"))
    ]
    for row in comparison.rows:
        tally, rounds = row.tally, 20 if len(row.bots) == 1 else 60
        assert row.rounds == sum(tally.histograms["turns"].values()) == rounds and row.matches == 0
        assert sum(tally.histograms["points"].values()) == 3 * rounds
        assert row.measures["points"].value == pytest.approx(tally.take("points") / (3 * rounds))
        ended = [each.value or 0 for name, each in row.measures.items() if name.startswith("ended_")]
        assert sum(ended) == pytest.approx(1)
        assert row.seconds > 0 and row.players == 3 and row.skill is None
    assert comparison.rows[0].measures["left_won"] == share_of(comparison.rows[0].tally.take("left_won"), 20)
    assert "dug" not in comparison.rows[0].measures and "dug" in comparison.rows[2].measures


def test_the_seat_left_of_the_dealer() -> None:
    rounds, players = 30, 3
    row = compare(["basic"], players, rounds=rounds).rows[0]
    won, edge = 0, []
    for deal in range(1, rounds + 1):
        result = record_of("basic", players, "easy", 1, deal).replay().result
        assert result is not None
        left = (deal + 1) % players  # deal i is dealt by seat i mod players
        won += result.winner == left
        edge.append(result.points[left] - sum(result.points) / players)
    assert row.measures["left_won"] == share_of(won, rounds)
    assert row.measures["edge"].value == pytest.approx(sum(edge) / rounds, abs=1e-9)


def test_the_better_bot_is_named() -> None:
    for bots, won in ((("easy", "random"), "first"), (("random", "easy"), "second")):
        row = compare(["basic"], 2, [bots], matches=15).rows[0]
        assert row.skill is not None and (row.skill.better, row.skill.worse) == ("easy", "random")
        value, low, high = row.skill.index
        assert value is not None and low is not None and high is not None and 0 < low <= value <= high <= 0.5
        assert (row.measures["skill"].value or 0) == (value if won == "first" else -value)
        curve = row.curve()
        assert curve[-1].value == pytest.approx(0.5 + (row.measures["skill"].value or 0)) and len(curve) == CURVE
        for chance, lowest, highest in curve:
            assert chance is not None and lowest is not None and highest is not None and lowest <= chance <= highest
            assert lowest < highest
    assert compare(["basic"], 4, [("easy", "random")], rounds=4).rows[0].skill is not None
    assert compare(["basic"], 3, [("easy", "random")], rounds=4).rows[0].skill is None


# ---------------------------------------------------------------------------------------------------------------- grids


def test_a_grid_over_dials() -> None:
    vary = {"match.target": [100, 150, 200], "stock.renewals": [1, 2]}
    comparison = compare(["basic"], rounds=3, vary=vary)
    assert [row.label for row in comparison.rows] == [
        f"basic match.target={target} stock.renewals={renewals}" for target in (100, 150, 200) for renewals in (1, 2)
    ]
    assert len({row.game.digest for row in comparison.rows}) == 6
    assert comparison.rows[0].tally.take("plies") == comparison.rows[4].tally.take("plies")  # single rounds
    assert [each[:3] for each in differences(comparison.rows[0].game, comparison.rows[3].game)] == [
        ("stock.renewals", "1", "2"), ("match.target", "100", "150"),
    ]  # fmt: skip


def test_any_dial_can_be_varied(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('extends = "basic"\nmelds.run_min = 4\n')
    texts = ["melds.ace=low,around", "deal.hand_size={ by_players = { 2 = 10, 3 = 7 } },5", "scoring.values.K = 10"]
    setups = setups_of([house, rummy.load("rummy-500")], vary=read_vary(texts))
    assert len(setups) == 8 and {setup.game.profile.melds.run_min for setup in setups} == {3, 4}
    assert setups[1].label == "house melds.ace=low deal.hand_size=5 scoring.values.K=10"
    assert setups[0].label == "house melds.ace=low deal.hand_size={by_players={2=10, 3=7}} scoring.values.K=10"
    plain, short = compare(["basic"], rounds=30, vary={"deal.hand_size": [10, 3]}).rows
    assert (short.measures["turns"].value or 0) < (plain.measures["turns"].value or 0)


@pytest.mark.parametrize(
    ("vary", "told"),
    [
        ({"match.targt": [1]}, "did you mean 'match.target'"),
        ({"run_min": [3]}, "did you mean 'melds.run_min'"),
        ({"melds.ace": ["low", "hgih"]}, "did you mean 'high'"),
        ({"melds.ace": []}, "a value for each dial"),
        ({"melds.run_min": [3, -1]}, "melds.run_min"),
        ({"deal.hand_size": list(range(1, 600))}, "deal.hand_size|at most 500 rows"),
    ],
)
def test_dials_that_cannot_be_varied(vary: dict[str, list[Any]], told: str) -> None:
    with pytest.raises(rummy.RummyError, match=told):
        compare(["basic"], vary=vary)


def test_vary_as_text() -> None:
    assert read_vary([]) == {}
    assert read_vary(["a.b = 1, x ,'y,z',[1,2]"]) == {"a.b": [1, "x", "y,z", [1, 2]]}
    for wrong in ("a.b", "=1", "a.b=", "a.b=1,", "a.b=1,,2", ""):
        with pytest.raises(rummy.RummyError, match="a dial is varied as"):
            read_vary([wrong])
    with pytest.raises(rummy.RummyError, match="varied twice"):
        read_vary(["a.b=1", "a.b=2"])
    assert read_vary(["a.b=1\nc=2"]) == {"a.b": ["1\nc=2"]}


def test_nothing_to_compare() -> None:
    for variants, lineups in (([], ["easy"]), (["basic"], [])):
        with pytest.raises(rummy.RummyError, match="nothing to compare"):
            compare(variants, lineups=lineups)


# -------------------------------------------------------------------------------------------------------------- exports


def test_the_exports_agree_and_hold_no_time(mixed: Comparison) -> None:
    again = compare(["basic", "gin-knock"], 2, [("easy", "random"), "easy"], matches=6, seed=3, workers=2)
    assert (to_json(again), to_csv(again)) == (to_json(mixed), to_csv(mixed)) and again == mixed
    data = json.loads(to_json(mixed))
    assert data["definitions"].keys() == MEASURES.keys()
    assert (data["deals"], data["unit"], data["seed"], data["complete"], data["level"]) == (6, "matches", 3, True, 0.95)
    lines = list(csv.DictReader(io.StringIO(to_csv(mixed))))
    assert list(lines[0]) == list(columns(mixed))
    for place, (row, cells) in enumerate(zip(data["rows"], lines, strict=True)):
        assert (cells["variant"], cells["bots"].split()) == (row["variant"], row["bots"])
        assert (int(cells["rounds"]), int(cells["matches"])) == (row["rounds"], row["matches"])
        for kind in ENDINGS:
            assert int(cells[f"ended_{kind}_count"]) == row["endings"].get(kind, 0)
        for suffix, found in (("", row["measures"]), ("_difference", row["difference_from_first"])):
            assert bool(found) == bool(place or not suffix)
            for name in MEASURES:
                for column, bound in (("", "value"), ("_low", "low"), ("_high", "high")):
                    cell = cells[f"{name}{suffix}{column}"]
                    assert (float(cell) if cell else None) == found.get(name, {}).get(bound)
        for number, bot in enumerate(row["by_bot"]):
            assert cells[f"bot_{number}"] == bot["name"]
            for measure in BOT_MEASURES:
                assert float(cells[f"bot_{number}_{measure.name}"]) == bot[measure.name]["value"]
        assert sum(row["histograms"]["points"].values()) == row["rounds"] * row["players"]
    assert mixed.differences(0)["turns"] == Interval(0, 0, 0)


def test_parquet_holds_the_table(mixed: Comparison, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra parquet")
    path = tmp_path / "a.parquet"
    path.write_bytes(to_parquet(mixed))
    lines = parquet.read_table(path).to_pylist()
    for cells, line in zip(csv.DictReader(io.StringIO(to_csv(mixed))), lines, strict=True):
        assert {name: "" if value is None else str(value) for name, value in line.items()} == cells


def test_faults_are_in_the_exports() -> None:
    done = compare(["gin-knock"], 2, [("easy", raises_at_times)], CHUNK, 2, on_fault="skip")
    data = json.loads(to_json(done))
    assert data["rows"][0]["faults"] == done.rows[0].tally.faults > 0
    fault = data["faults"][0]
    record = rummy.Record.from_json(fault["record"])
    assert (fault["bot"], fault["seed"], record.replay().seat) == ("tests.botsamples:raises_at_times", 2, fault["seat"])
    assert f",{done.rows[0].tally.faults}," in to_csv(done)


def test_one_row_per_round(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra parquet")
    how: dict[str, Any] = {"matches": 4, "seed": 3, "vary": {"match.target": [40, 60]}}
    done = compare(["basic"], 3, [("easy", "random")], rows=tmp_path / "a.csv", **how)
    compare(["basic"], 3, [("easy", "random")], rows=tmp_path / "a.parquet", workers=2, **how)
    rows = list(csv.DictReader((tmp_path / "a.csv").open()))
    assert list(rows[0]) == list(COLUMNS) and len(rows) == sum(row.rounds for row in done.rows)
    table = parquet.read_table(tmp_path / "a.parquet").to_pylist()
    for row, line in zip(rows, table, strict=True):
        texts = {name: "" if value is None else str(value) for name, value in line.items()}
        assert texts | {"rummy": texts["rummy"].lower()} == row
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "a.parquet"]
    for place, found in enumerate(done.rows):
        mine = [row for row in rows if row["row"] == str(place)]
        assert sum(int(row["plies"]) for row in mine) == found.tally.take("plies")
        assert {row["settings"] for row in mine} == {f"match.target={(40, 60)[place]}"}
        assert sum(int(row[f"points_{seat}"]) for row in mine for seat in range(3)) == found.tally.take("points")
        assert all(row["points_3"] == "" for row in mine)
    first = [row for row in rows if (row["row"], row["deal"], row["seating"]) == ("0", "2", "1")]
    record = record_of(done.rows[0].game, 3, ("easy", "random"), 3, 2, seating=1, whole_match=True)
    results = list(dict.fromkeys(state.result for state in record.states() if state.result))
    assert [(row["ended_by"], int(row["round"]), int(row["turns"])) for row in first] == [
        (result.kind, result.round, result.turns) for result in results
    ]
    assert first[0]["bots"] == "random easy easy"


def test_rows_say_who_won_and_who_ended_the_round(tmp_path: Path) -> None:
    compare(["rummy-500"], 3, rounds=40, rows=tmp_path / "a.csv")
    differ = 0
    for row in csv.DictReader((tmp_path / "a.csv").open()):
        points = [int(row[f"points_{seat}"]) for seat in range(3)]
        best = [str(seat) for seat in range(3) if points[seat] == max(points)]
        assert row["won_by"] == (best[0] if len(best) == 1 else "")
        differ += row["winner"] not in ("", row["won_by"])
    assert differ > 0


def test_rows_of_a_run_that_was_complete(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra parquet")
    how: dict[str, Any] = {"rounds": 3, "rows": tmp_path / "a.parquet", "checkpoint": tmp_path / "run.json"}
    first = compare(["basic"], **how)
    content = how["rows"].read_bytes()
    assert compare(["basic"], **how) == first and how["rows"].read_bytes() == content
    how["rows"].unlink()
    with pytest.raises(rummy.RummyError, match="rows written before are gone"):
        compare(["basic"], **how)
    with pytest.raises(rummy.RummyError, match="cannot write"):
        compare(["basic"], rounds=1, rows=tmp_path / "no" / "where.csv")


@pytest.mark.parametrize("name", ["a.txt", "a", "a.json"])
def test_rows_need_a_known_ending(name: str, tmp_path: Path) -> None:
    with pytest.raises(rummy.RummyError, match=r"\.csv or \.parquet"):
        compare(["basic"], rounds=1, rows=tmp_path / name)


# ------------------------------------------------------------------------------------------------------ pictures, pages


class Page(HTMLParser):
    """Checks that tags are closed, and collects links, ids and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links, self.ids, self.words = list[str](), list[str](), list[str]()
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br"):
            self.open.append(tag)
        for name, value in attrs:
            assert not (name == "src" or (name == "href" and tag == "link")), "the page is not self-contained"
            if name == "id":
                self.ids.append(value or "")
            if name == "href" and tag == "a":
                self.links.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_page_is_whole_and_links_to_every_definition(mixed: Comparison) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from rummy_engine.reporting.html import to_html

    text = to_html(mixed, "rummy compare <b>")
    page = Page(text)
    assert text == to_html(mixed, "rummy compare <b>") and "rummy compare &lt;b&gt;" in text
    assert set(page.links) == {f"#{name}" for row in mixed.rows for name in row.measures}
    assert {link[1:] for link in page.links} <= set(page.ids)
    words = " ".join(page.words)
    for measure in MEASURES.values():
        assert measure.sentence in words and measure.formula in words
    for each in differences(mixed.rows[0].game, mixed.rows[2].game):
        assert each.dial in words and each.description in words
    assert {row.game.digest[:12] for row in mixed.rows} <= set(page.words)
    assert "easy against random" in page.words and "A fixed number of deals, 6" in page.words
    assert page.ids.count("skill") == 1 and text.count("<figure>") == 5


def test_a_page_of_a_run_that_was_stopped_at_once() -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from rummy_engine.reporting.html import to_html

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    empty = compare(["basic"], rounds=5, progress=stop)
    words = " ".join(Page(to_html(empty, "")).words)
    assert "Stopped before its end" in words and "A fixed number of deals, 5: stopped after 0" in words


@pytest.mark.parametrize("form", ["png", "svg"])
def test_pictures_are_drawn_alike(mixed: Comparison, form: str) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from rummy_engine.reporting.plots import draw_comparison

    first = draw_comparison(mixed, form)
    assert first == draw_comparison(mixed, form) and first[:4] in (b"\x89PNG", b"<?xm")


def test_a_name_may_look_like_a_formula(mixed: Comparison) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from rummy_engine.reporting.html import to_html
    from rummy_engine.reporting.plots import draw_comparison

    game = rummy.load({"extends": "basic", "meta": {"name": "_a$_$b $x_1$"}})
    found = compare([game], 2, [("easy", "random")], matches=2)
    picture = draw_comparison(found, "svg").decode()
    assert picture.count("_a$_$b $x_1$") >= 5 and "_a$_$b" in to_html(found, "")
    assert picture.count("_a$_$b $x_1$: ") == 1  # the legend of the skill curve


LONG = "{by_players = {2 = 10, 3 = 7, 5 = 6}}"


@pytest.mark.parametrize(
    ("variants", "players", "lineups", "vary", "matches"),
    [
        (rummy.variants(), 2, [("easy", "random")], [], 2),
        (["rummy-500-unplayable-out"], 8, ["random", ("random", "easy", "random")], [f"deal.hand_size={LONG},5"], 1),
        (["gin-classic"], None, ["random"], [], 1),
        (["basic"], None, [("random", "easy")], ["match.target=10,20,30,40,50", "melds.run_min=3,4"], 1),
    ],
    ids=["all", "long", "one", "grid"],
)
def test_what_is_written_in_a_picture_can_be_read(
    variants: list[str], players: int | None, lineups: list[Any], vary: list[str], matches: int
) -> None:
    """No text lies on another, and none leaves the picture."""
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from matplotlib.text import Text

    from rummy_engine.reporting.plots import bands, figure_of

    rows = compare(variants, players, lineups, vary=read_vary(vary), matches=matches).rows
    figure = figure_of(bands(rows), rows, "A picture")
    figure.draw_without_rendering()
    unseen = set()  # labels of ticks beyond the end of their axis, which are not drawn
    for axis in (axis for axes in figure.get_axes() for axis in (axes.xaxis, axes.yaxis)):
        low, high = sorted(axis.get_view_interval())
        unseen |= {tick.label1 for tick in axis.get_major_ticks() if not low <= tick.get_loc() <= high}
    texts = [each for each in figure.findobj(Text) if each.get_visible() and each not in unseen]
    boxes = [(each.get_window_extent(), each.get_text()) for each in texts if each.get_text().strip()]
    assert len(boxes) > 20
    for number, (box, text) in enumerate(boxes):
        assert box.x0 >= 0 and box.x1 <= figure.bbox.x1 and box.y0 >= 0 and box.y1 <= figure.bbox.y1, text
        for other, words in boxes[number + 1 :]:
            across = min(box.x1, other.x1) - max(box.x0, other.x0)
            down = min(box.y1, other.y1) - max(box.y0, other.y0)
            assert across < 1 or down < 1, (text, words)


def test_captions_say_only_what_is_there(mixed: Comparison) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from rummy_engine.reporting.plots import bands, figure_of

    varied = compare(["basic"], rounds=2, vary={"match.best": ["highest", "lowest"]}).rows
    for rows, names in (
        (mixed.rows, "gin-knock"),
        (mixed.rows[2:], "gin-knock"),
        (mixed.rows[:2], ""),
        (varied, "basic match.best=lowest"),
    ):
        band = next(each for each in bands(rows) if each.title == "The seat left of the dealer")
        assert band.caption.partition(" Penalties, more is worse: ")[2] == names + "." * bool(names)
        axes = figure_of([band], rows, None).get_axes()[1]
        dashed = [list(line.get_xdata()) for line in axes.lines if line.get_linestyle() == "--"]
        assert "dashed: one seat's fair share" in band.caption and dashed == [[50, 50]] * len(rows)
        assert not any(colour in each.caption for each in bands(rows) for colour in ("red", "orange", "blue"))


def test_long_captions_are_broken(mixed: Comparison) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from rummy_engine.reporting.plots import bands, figure_of

    band = bands(mixed.rows)[2]._replace(caption="so many words of a caption " * 40)
    figure = figure_of([band], mixed.rows, None)
    figure.draw_without_rendering()
    caption = figure.subfigs[0]._supxlabel.get_window_extent()
    assert caption.x0 >= 0 and caption.x1 <= figure.bbox.x1 and caption.y0 >= 0
    assert figure.get_figheight() > figure_of([band._replace(caption="short")], mixed.rows, None).get_figheight()


@given(st.integers(1, 10**6).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
@example((995, 1000))
@example((10**6 - 1, 10**6))
@example((1, 10**6))
def test_a_share_is_told_as_none_or_all_only_where_it_is(counts: tuple[int, int]) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from rummy_engine.reporting.plots import percent

    (count, total), text = counts, percent(*counts)
    assert (text == "0", text == "100") == (count == 0, count == total)
    sign, number = text[:2].strip("0123456789. "), float(text.strip("<> "))
    share = 100 * count / total
    assert share < number if sign == "<" else share > number if sign == ">" else abs(share - number) <= 0.5 + 1e-9


def test_a_bar_beside_another_is_not_all(mixed: Comparison) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from rummy_engine.reporting.plots import bands, figure_of

    tally = deepcopy(mixed.rows[0].tally)
    tally.sums.update({f"ended_{kind}": -tally.take(f"ended_{kind}") for kind in ENDINGS} | {"rounds": -tally.rounds})
    tally.sums.update({"rounds": 1000, "ended_out": 996, "ended_exhausted": 4})
    rows = [replace(mixed.rows[0], tally=tally)]
    texts = [text.get_text() for text in figure_of(bands(rows)[:1], rows, None).get_axes()[0].texts]
    assert texts == ["99.6"]


@pytest.mark.parametrize("curves", [2, 6, 12])
def test_equal_skill_curves_can_be_told_apart(mixed: Comparison, curves: int) -> None:
    """No marker lies on another, and every curve has some."""
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from rummy_engine.reporting.plots import bands, figure_of

    for length in (2, 30):
        tally = deepcopy(mixed.rows[0].tally)
        tally.histograms["length"] = Counter({length: 1})
        rows = [replace(mixed.rows[0], tally=tally)] * curves
        band = bands(rows)[-1]
        assert band.title == "Skill curve" and "told apart by their marks" in band.caption
        figure = figure_of([band], rows, None)
        figure.draw_without_rendering()
        axes = figure.get_axes()[0]
        lines = [line for line in axes.lines if line.get_marker() not in ("None", None)]
        marks = [
            (at, *axes.transData.transform(line.get_xydata()[index]), line.get_markersize() * figure.dpi / 72)
            for at, line in enumerate(lines)
            for index in line.get_markevery()
        ]
        assert {at for at, *_ in marks} == set(range(curves))
        assert len({line.get_marker() for line in lines}) == curves
        for one, other in combinations(marks, 2):
            assert one[0] == other[0] or math.dist(one[1:3], other[1:3]) > one[3], (one, other)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=12))
def test_marks_of_skill_curves(ends: list[int]) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from rummy_engine.reporting.plots import marks_of

    places = list(zip(marks_of(ends), ends, strict=True))
    assert all(abs(shift) < 0.5 and every >= 1 for (shift, _, every), _ in places)
    marked = [
        (number + shift)
        for (shift, first, every), last in places
        if first < last
        for number in range(first, last, every)
    ]
    assert len(set(marked)) == len(marked)


SEEN_AS = {  # Machado, Oliveira, Fernandes 2009: what somebody without one kind of cones sees, in linear light
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
LIGHT = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))  # sRGB to XYZ
WHITE = (0.9505, 1.0, 1.089)


def lab(colour: str, eye: Sequence[Sequence[float]]) -> tuple[float, float, float]:
    """The place of a colour in CIELAB as this eye sees it; distances in there are how different colours look."""

    def times(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> list[float]:
        return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]

    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in shares]
    seen = [min(1.0, max(0.0, each)) for each in times(eye, linear)]
    x, y, z = (
        each ** (1 / 3) if each > 216 / 24389 else each * 841 / 108 + 4 / 29
        for each in (value / white for value, white in zip(times(LIGHT, seen), WHITE, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("eye", SEEN_AS)
def test_colour_blind_people_can_tell_the_endings_apart(eye: str) -> None:
    """Ten units are a difference that nobody overlooks; red and green are two in one for many."""
    from rummy_engine.reporting.plots import COLOURS

    assert COLOURS.keys() == set(ENDINGS)
    for one, other in combinations(COLOURS.values(), 2):
        assert math.dist(lab(one, SEEN_AS[eye]), lab(other, SEEN_AS[eye])) > 10, (one, other)
    trouble = (lab(colour, SEEN_AS["deutan"]) for colour in ("#C00000", "#707000"))
    assert math.dist(*trouble) < 10


def test_the_longest_comparison_can_be_drawn(mixed: Comparison) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    from rummy_engine.reporting.plots import bands, resolution

    rows = [mixed.rows[0]] * MOST_SETUPS
    height = sum(band.height + 1 for band in bands(rows))
    assert height * 110 > 2**16 > height * resolution(height) > 2**15 and resolution(20) == 110


def test_a_setup_knows_its_label() -> None:
    assert Setup.of("basic", settings={"match.target": 150}).label == "basic match.target=150"
    target = {"match.target": 150}
    assert Setup.of(rummy.load("basic"), settings=target).game == rummy.load("basic", target)
