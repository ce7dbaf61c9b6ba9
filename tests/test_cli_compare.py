"""`rummy compare`: what it prints and writes."""

from __future__ import annotations

import csv
import io
import json
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

import rummy_engine as rummy
from rummy_engine.compare import compare
from rummy_engine.comparing.measures import MEASURES
from rummy_engine.exports import to_csv, to_json, to_parquet
from tests.commandline import FEW, SOME, Run

pytest.importorskip("typer", reason="needs the extra cli")
pytest.importorskip("rich", reason="needs the extra cli")
pytestmark = pytest.mark.usefixtures("elsewhere")


def test_compare_prints_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "compare", *rummy.variants(), *FEW)
    assert (run.code, run.err) == (0, "")
    lines = run.out.splitlines()
    assert max(map(len, lines)) <= 80 and lines[1].split() == [
        "Variant", "time", "Ended", "by", "Plies", "Turns", "Points", "dealer",
    ]  # fmt: skip
    assert sum(line.startswith("───") for line in lines) == 1 and lines[-1].endswith("--detail.")
    assert [line.split()[1] for line in lines if line.split()[1:2] == ["6"]] == ["6"] * len(rummy.variants())
    data = compare(rummy.variants(), rounds=6)
    text = " ".join(run.out.split())
    for row in data.rows:
        assert row.measures["plies"].value is not None and f"{row.measures['plies'].value:.1f}" in text
        for name, share in row.measures.items():
            if name.startswith("ended_") and share.value is not None:
                assert f"{name[6:].replace('_', ' ')} {100 * share.value:.1f} %" in text


def test_every_measure_is_printed_with_its_interval_and_difference(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "compare", "basic", "rummy-500", "gin-knock", "rummy-2-6", "--rounds", "30", "--detail")
    tables = run.out.split("Measure ")[1:]
    assert run.code == 0 and len(tables) == 2 and max(map(len, run.out.splitlines())) <= 80
    data = compare(["basic", "rummy-500", "gin-knock", "rummy-2-6"], rounds=30)
    for name, table in (("turns", tables[0]), ("spread", tables[1])):
        line = next(line for line in table.splitlines() if line.startswith(MEASURES[name].title))
        for row in data.rows[:2] if table is tables[0] else data.rows[3:]:
            value, low, high = row.measures[name]
            assert f"{value:.2f} [{low:.2f}, {high:.2f}]" in line
    change = data.differences(1)["turns"]
    assert change.value is not None and f"Δ {change.value:+.2f} ±" in tables[0]
    for words, found in ((["basic"], True), (["basic", "--no-detail"], False), ([*rummy.variants()[:4]], False)):
        assert ("In brackets" in Run(capsys, "compare", *words, *FEW).out) == found


def test_what_the_first_row_has_and_another_lacks_is_compared_too(capsys: pytest.CaptureFixture[str]) -> None:
    """In a block of rows of its own; and whose skill is measured is said beside it."""
    words = ["basic", "gin-knock", "gin-classic", "--rounds", "20", "--bots", "random,easy", "--detail"]
    last = Run(capsys, "compare", *words).out.split("Measure ")[-1].splitlines()
    lacks = next(at for at, line in enumerate(last) if line.startswith("ended: out"))
    assert "–" in last[lacks] and "Δ -" in last[lacks + 1]
    skill = next(at for at, line in enumerate(last) if line.startswith("skill index"))
    assert last[skill + 1].split() == ["random", "against", "easy"]


def test_the_table_fits_whatever_is_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--players", "8", "--bots", "random,easy", "--bots", "random", "--rounds", "2", "--seed", str(2**256 - 1)]
    table = Run(capsys, "compare", "rummy-500-unplayable-out", "rummy-500", *words).out.split("\nEnded by:")[0]
    assert max(map(len, table.splitlines())) <= 80
    assert "unplayable-out\n" in table or "unplayable-out " in table
    assert "…" not in table
    vary = ["--vary", "deal.hand_size={by_players={2=10,3=7}},5", "--vary", "scoring.values.joker=as_card"]
    table = Run(capsys, "compare", "rummy-500", *vary, "--matches", "1").out
    assert max(map(len, table.splitlines())) <= 80 and "…" not in table


def test_a_wide_screen_is_used(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    run = Run(capsys, "compare", "rummy-500-unplayable-out", *FEW)
    assert "rummy-500-unplayable-out" in run.out


def test_the_notes_below_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    plain = " ".join(Run(capsys, "compare", "basic", *FEW).out.split())
    mixed = " ".join(Run(capsys, "compare", "basic", "gin-knock", *FEW, "--bots", "easy,random").out.split())
    assert "A fixed number of deals, 6; seed 1." in plain
    assert "After the name of a bot" not in plain and "penalties" not in plain
    assert "After the name of a bot" in mixed and "the fewest win: gin-knock." in mixed
    assert "Skill index better worse chance of winning a round less ½, %" in mixed
    assert re.search(r" basic easy random \d+\.\d \[-?\d+\.\d, \d+\.\d\] gin-knock easy random ", mixed)
    assert "With fewer than 30 deals" in plain
    rule = " ".join(Run(capsys, "compare", "basic", "--until", "turns<9").out.split())
    assert "met after 100 deals: the 95 % interval of turns is narrower than 9 turns in every row" in rule
    assert "(100 deals at least, 1000000 at most); seed 1." in rule
    assert "With fewer than 30 deals" not in rule
    vary = "--vary", "match.target=20,40"
    for words, told in ((FEW, True), (["--matches", "1"], False)):
        found = " ".join(Run(capsys, "compare", "basic", *vary, *words).out.split())
        assert ("Single rounds do not show what match.target does: see --matches." in found) == told
    prize = " ".join(Run(capsys, "compare", "gin-knock", "--vary", "prize.winner_min=50,60", *FEW).out.split())
    assert "What prize.winner_min does is not shown" in prize


def test_a_rule_that_is_not_met_is_not_reported_as_met(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["compare", "basic", "gin-knock", "--rounds", "20", "--until", "turns<4"]
    told = " ".join(Run(capsys, *words, "--no-detail").out.split())
    rows = compare(["basic", "gin-knock"], rounds=20).rows
    wide, narrow = (row.measures["turns"].width or 0 for row in rows)
    assert wide > 4 > narrow
    assert "rule is not met: the run ended at its limit of 20 deals before the 95 % interval of turns" in told
    assert f"It is {wide:.5g} turns wide in basic; no rule is met before 100 deals" in told
    assert json.loads(Run(capsys, *words, "--json").out)["until_met"] is False
    if find_spec("matplotlib"):
        assert Run(capsys, *words, "--html", "a.html").code == 0
        assert f"It is {wide:.5g} turns wide in basic; no rule" in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_the_rows_that_do_not_meet_a_rule_are_named_apart(capsys: pytest.CaptureFixture[str]) -> None:
    lineups = ["easy", "random", ("easy", "random"), "medium"]
    words = [word for bots in ("easy", "random", "easy,random", "medium") for word in ("--bots", bots)]
    words = ["compare", "gin-classic", *words, "--rounds", "100", "--until", "turns<0.01"]
    told = " ".join(Run(capsys, *words, "--no-detail").out.split())
    rows = compare(["gin-classic"], lineups=lineups, rounds=100).rows
    rows = tuple(sorted(rows, key=lambda row: -(row.measures["turns"].width or 0)))
    named = [f"{row.measures['turns'].width:.5g} turns wide in {row.label} with {', '.join(row.bots)}" for row in rows]
    assert f"It is {', '.join(named[:3])}, too wide in 1 more; seed 1." in told


def test_points_are_penalties_only_where_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    told = " ".join(Run(capsys, "compare", "basic", "--vary", "match.best=highest,lowest", *FEW).out.split())
    assert "the fewest win: basic match.best=lowest." in told


def test_whole_matches_and_grids(capsys: pytest.CaptureFixture[str]) -> None:
    vary = ["--vary", "match.target=20,40", "--vary", "stock.renewals=1,2"]
    run = Run(capsys, "compare", "basic", *vary, "--matches", "3")
    expected = compare(["basic"], matches=3, vary={"match.target": [20, 40], "stock.renewals": [1, 2]})
    assert run.code == 0 and run.out.startswith(" " * 17) and "Matches" in run.out
    for row in expected.rows:
        assert "match.target=" in run.out and f" {row.rounds} " in run.out


def test_json_csv_and_parquet(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    expected = compare(SOME, 2, ["easy", ("easy", "random")], rounds=6, seed=3)
    words = ["compare", *SOME, *FEW, "--seed", "3", "--players", "2", "--bots", "easy", "--bots", "easy,random"]
    run = Run(capsys, *words, "--json", "some.json", "--csv", "some.csv")
    assert run.code == 0 and "Variant" in run.out
    assert (tmp_path / "some.json").read_text() == to_json(expected)
    assert (tmp_path / "some.csv").read_text() == to_csv(expected)
    assert Run(capsys, *words, "--json").out == Run(capsys, *words, "--json", "-").out == to_json(expected)
    assert Run(capsys, words[0], "--csv", *words[1:]).out == to_csv(expected)
    assert Run(capsys, words[0], "--csv=-", *words[1:]).out == to_csv(expected)
    assert len(list(csv.DictReader(io.StringIO(to_csv(expected))))) == 4
    pytest.importorskip("pyarrow", reason="needs the extra parquet")
    assert Run(capsys, *words, "--parquet", "some.parquet", "--rows", "rows.parquet").code == 0
    assert (tmp_path / "some.parquet").read_bytes() == to_parquet(expected)
    assert (tmp_path / "rows.parquet").read_bytes()[:4] == b"PAR1"


def test_the_same_bytes_for_any_number_of_workers(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", *SOME, "--rounds", "60", "--json"]
    alone, shared = Run(capsys, *words), Run(capsys, *words, "--workers", "2")
    assert alone.code == shared.code == 0 and alone.out == shared.out


def test_the_same_command_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", *SOME, "--rounds", "60", "--checkpoint", "run.json", "--json"]
    first, again = Run(capsys, *words), Run(capsys, *words)
    assert first.code == again.code == 0 and first.out == again.out
    assert "of another run" in Run(capsys, *words, "--seed", "2").refusal


def test_plots_and_pages(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plot")
    charts = []
    for name in ("a.png", "b.png", "a.svg", "b.SVG"):
        assert Run(capsys, "compare", *SOME, *FEW, "--plot", name).code == 0
        charts.append((tmp_path / name).read_bytes())
    assert charts[0] == charts[1] and charts[0].startswith(b"\x89PNG")
    assert charts[2] == charts[3] and b"<svg" in charts[2]
    words = ["compare", *SOME, *FEW, "--vary", "melds.run_min=3,4", "--html", "a b.html"]
    assert Run(capsys, *words).code == 0
    page = (tmp_path / "a b.html").read_text()
    assert "rummy compare basic gin-knock --rounds 6 --vary melds.run_min=3,4 --html &#x27;a b.html&#x27;" in page


def test_a_profile_of_ones_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text('extends = "basic"\n[meta]\nname = "[red]\\u001b[31mmine"\n')
    run = Run(capsys, "compare", "house.toml", *FEW)
    assert run.code == 0 and r"[red]\x1b[31mmine" in run.out


OWN_BOT = """
def first(view, legal, rng):
    return legal[0]

def sulks(view, legal, rng):
    assert rng.random() > 0.01, "no more"
    return legal[0]

number = 7

class Counts:
    def __init__(self, game):
        self.size = game.profile.deck.size(2)

    def __call__(self, view, legal, rng):
        return legal[self.size % len(legal)]

class Unfit:
    def __init__(self, game):
        raise ValueError("no")
"""


def test_to_simulate_is_to_compare_one_variant(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["gin-classic", *FEW, "--json"]
    assert Run(capsys, "simulate", *words).out == Run(capsys, "compare", *words).out


def test_a_bot_of_ones_own(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_bot.py").write_text(OWN_BOT)
    monkeypatch.syspath_prepend(str(tmp_path))
    run = Run(capsys, "compare", "gin-knock", *FEW, "--bots", "own_bot:first,easy")
    assert run.code == 0 and "first" in run.out and "easy" in run.out
    wrong = {"own_bot:last": "AttributeError", "no_bot:x": "ModuleNotFoundError", "own_bot:number": "is no bot",
             "own_bot:Unfit": "Unfit(game) makes no bot: ValueError: no"}  # fmt: skip
    for bot, told in wrong.items():
        assert told in Run(capsys, "compare", "basic", "--bots", bot).refusal
    run = Run(capsys, "compare", "gin-knock", *FEW, "--bots", "own_bot:Counts,easy", "--json")
    assert run.code == 0 and json.loads(run.out)["rows"][0]["bots"] == ["own_bot:Counts", "easy"]
    words = ["compare", "gin-knock", "--rounds", "40", "--bots", "own_bot:sulks", "--json", "a.json"]
    run = Run(capsys, *words)
    assert run.code == 2 and run.err.startswith("rummy: bot 'own_bot:sulks' (seat ") and run.err.count("\n") == 1
    assert "AssertionError: no more" in run.err and "seed 1" in run.err
    assert run.err.endswith("; stopped after 0 of 40 deals\n")
    run = Run(capsys, *words[:-2])
    told, _, path = run.err.strip().partition("; its record: ")
    assert run.code == 2 and "seed 1" in told and "deal " in told and run.err.count("\n") == 1
    assert rummy.Record.from_json((tmp_path / path).read_text()).replay().phase != "over"
    assert Run(capsys, "replay", path).code == 0 and path.startswith("gin-knock-fault-")
    run = Run(capsys, *words, "--on-error", "skip")
    data = json.loads((tmp_path / "a.json").read_text())
    faults = data["rows"][0]["faults"]
    assert run.code == 0 and run.err.count("rummy: bot 'own_bot:sulks'") == len(data["faults"]) == min(20, faults)
    assert ("more such deals" in run.err) == (faults > 20)
    assert rummy.Record.from_json(data["faults"][0]["record"]).actions
