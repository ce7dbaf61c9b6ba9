"""The command line: what it prints, where, and its exit codes; bad input costs one line and never a traceback."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import rummy_engine as rummy
from rummy_engine.__main__ import main
from rummy_engine.compare import compare
from rummy_engine.comparing.measures import MEASURES
from rummy_engine.exports import to_csv, to_json, to_parquet
from rummy_engine.reporting.differences import differences
from rummy_engine.simulate import record_of

pytest.importorskip("typer")
pytest.importorskip("rich")

ROOT = Path(__file__).resolve().parent.parent
SOME = ["basic", "gin-knock"]
FEW = ["--rounds", "6"]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    yield
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("unwanted")]


class Run:
    """What one call printed and how it ended."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *words: str) -> None:
        self.code = main(words)
        self.out, self.err = capsys.readouterr()
        assert "Traceback" not in self.out + self.err
        assert "\x1b" not in self.out + self.err  # no colour codes in a pipe

    @property
    def refusal(self) -> str:
        """The one line of a refusal."""
        assert (self.code, self.out) == (2, "")
        assert self.err.startswith("rummy: ") and self.err.endswith("\n") and self.err.count("\n") == 1
        assert len(self.err) <= 1010
        return self.err


def process(*words: str, **how: object) -> subprocess.CompletedProcess[str]:
    """A call in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "rummy_engine", *words]
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        command, **{"text": True, "capture_output": True, "timeout": 60, "env": environment, **how}
    )


# -------------------------------------------------------------------------------------------------- looking at variants


def test_variants(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "variants")
    lines = run.out.splitlines()[2:]
    assert (run.code, run.err) == (0, "")
    assert [line.split()[0] for line in lines] == list(rummy.variants())
    assert all(rummy.load(line.split()[0]).profile.meta.summary in line for line in lines)
    assert run.out == "\n".join(line.rstrip() for line in run.out.splitlines()) + "\n"


def test_show_prints_the_whole_profile(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in rummy.variants():
        run = Run(capsys, "show", name)
        assert run.code == 0
        assert rummy.load(tomllib.loads(run.out)) == rummy.load(name)
    (tmp_path / "house.toml").write_text('extends = "basic"\nmelds.run_min = 4\n')
    assert tomllib.loads(Run(capsys, "show", "house.toml").out)["melds"]["run_min"] == 4


def test_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(Run(capsys, "schema").out)["properties"]["melds"]["properties"]["run_min"]


def test_check(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    good, bad, broken = (tmp_path / f"{name}.toml" for name in ("good", "bad", "broken"))
    good.write_text('extends = "basic"\n')
    bad.write_text('extends = "basic"\n[melds]\nrun_mn = 4\nace = "Low"\n[zzz]\n"x\\u001b[31m" = 1\n')
    broken.write_text("a = [")
    run = Run(capsys, "check", str(good), "rummy-500")
    assert run.code == 0 and [line.split(": ")[1].split()[0] for line in run.out.splitlines()] == ["ok", "ok"]
    run = Run(capsys, "check", str(bad), str(good), str(broken))
    assert run.code == 1 and run.err == ""
    lines = run.out.splitlines()
    assert len(lines) == 5 and sum(f"{good}: ok" in line for line in lines) == 1
    assert any("did you mean 'melds.run_min'?" in line for line in lines)
    assert any("melds.ace" in line and "did you mean 'low'?" in line for line in lines)
    assert any("line 1, column 6" in line for line in lines)
    run = Run(capsys, "check", "nowhere.toml", str(bad), str(good))
    assert run.code == 2 and run.err.count("\n") == 1 and len(run.out.splitlines()) == 4
    good.write_bytes(b"\xff")
    assert "UTF-8" in Run(capsys, "check", str(good)).refusal
    assert Run(capsys, "check", str(tmp_path)).refusal


def test_diff(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(capsys, "diff", "basic", "rummy-2-6")
    assert run.code == 0 and run.out.startswith("basic → rummy-2-6: ")
    assert "match.target: 100 with 2 players, 150 with 3, 200 with 4 or more → 100\n" in run.out
    assert "ending.deadlock: yes → no\n" in run.out
    assert "stock.renewals: 1 → 2\n    How often the stock is renewed in a round.\n" in run.out
    assert Run(capsys, "diff", "basic", "basic").out == "basic → basic: no dial differs\n"
    assert "one dial differs" in Run(capsys, "diff", "basic", "basic-one-meld").out
    assert "knock.limit: not in the game → 10\n" in Run(capsys, "diff", "basic", "gin-classic").out


def test_differences_are_all_there_is_and_no_more() -> None:
    for left in map(rummy.load, rummy.variants()):
        for right in map(rummy.load, rummy.variants()):
            found, back = differences(left, right), differences(right, left)
            assert [each.dial for each in found] == [each.dial for each in back]
            if left == right or not found:
                assert left == right and not found
            assert all(each.left != each.right for each in found)
    ace = differences(rummy.load("basic"), rummy.load("basic", {"scoring.values.A": 11}))
    assert [each.dial.rpartition(".")[2] for each in ace] == ["A", "low_ace", "hand_ace"]


# ------------------------------------------------------------------------------------------------------------ replaying


def saved(path: Path, record: rummy.Record) -> str:
    path.write_text(record.to_json(), encoding="utf-8")
    return str(path)


def test_replay_of_a_match(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    match = rummy.Match("gin-knock", 4, seed=5)
    while not match.over:
        match.play(match.legal()[-1])
    run = Run(capsys, "replay", saved(tmp_path / "match.json", match.record()))
    lines = run.out.splitlines()
    assert run.code == 0 and lines[0].startswith("Knocking Gin for 2 to 4: 4 players, first dealer seat ")
    assert len(lines) == 1 + 2 + 3 + 1
    assert match.result is not None and " ".join(map(str, match.result.points)) in lines[-2]
    winners = " and ".join(f"seat {seat}" for seat in match.game.winners(match.state))
    assert lines[-1] == f"match over, won by {winners}; scores: {' '.join(map(str, match.scores))}"


def test_replay_of_half_a_turn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    match = rummy.Match("rummy-500", 2, seed=5, dealer=0)
    match.play("draw")
    run = Run(capsys, "replay", saved(tmp_path / "match.json", match.record()))
    assert "round 1, seat 1 to act in phase 'play'; scores: 0 0\n" in run.out
    for hand in match.game.describe(match.state)["hands"]:
        assert hand in run.out
    record = record_of("basic", 2, "easy", 1, 1)
    run = Run(capsys, "replay", saved(tmp_path / "round.json", record))
    assert "round 2, waiting for the deal" in run.out and " out " in run.out


def test_replay_of_damaged_records(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = record_of("basic", 2, "easy", 1, 1)
    frame = json.loads(record.to_json())
    frame["actions"][5] = "discard JK"
    path = tmp_path / "damaged.json"
    for text, word in ((json.dumps(frame), "action 5"), ("{}", "missing"), ("", "JSON"), ("[1]", "no object")):
        path.write_text(text)
        refusal = Run(capsys, "replay", str(path)).refusal
        assert word in refusal and str(path) in refusal
    path.write_bytes(b"\xff\xfe")
    assert "UTF-8" in Run(capsys, "replay", str(path)).refusal
    for missing in ("nowhere.json", str(tmp_path), "no\nwhere"):
        assert "cannot read" in Run(capsys, "replay", missing).refusal
    assert Run(capsys, "replay", "x\0y").refusal


# ------------------------------------------------------------------------------------------------------------ comparing


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
    assert "until the 95 % interval of turns is narrower than 9 turns in every row" in rule
    assert "100 deals at least and 1000000 at most; seed 1." in rule
    assert "With fewer than 30 deals" not in rule
    vary = "--vary", "match.target=20,40"
    for words, told in ((FEW, True), (["--matches", "1"], False)):
        found = " ".join(Run(capsys, "compare", "basic", *vary, *words).out.split())
        assert ("Single rounds do not show what match.target does: see --matches." in found) == told


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
    pytest.importorskip("pyarrow")
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
    pytest.importorskip("matplotlib")
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
"""


def test_a_bot_of_ones_own(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_bot.py").write_text(OWN_BOT)
    monkeypatch.syspath_prepend(str(tmp_path))
    run = Run(capsys, "compare", "gin-knock", *FEW, "--bots", "own_bot:first,easy")
    assert run.code == 0 and "first" in run.out and "easy" in run.out
    wrong = {"own_bot:last": "AttributeError", "no_bot:x": "ModuleNotFoundError", "own_bot:number": "is no bot"}
    for bot, told in wrong.items():
        assert told in Run(capsys, "compare", "basic", "--bots", bot).refusal
    words = ["compare", "gin-knock", "--rounds", "40", "--bots", "own_bot:sulks", "--json", "a.json"]
    run = Run(capsys, *words)
    assert run.code == 1 and run.err.startswith("rummy: bot 'sulks' (seat ")
    assert run.err.splitlines()[-1] == "rummy: stopped after 0 of 40 deals"
    assert "AssertionError: no more" in run.err and "seed 1" in run.err
    run = Run(capsys, *words[:-2])
    told, _, path = run.err.splitlines()[0].partition("; its record: ")
    assert run.code == 1 and "seed 1" in told and "deal " in told
    assert rummy.Record.from_json((tmp_path / path).read_text()).replay().phase != "over"
    assert Run(capsys, "replay", path).code == 0 and path.startswith("gin-knock-fault-")
    run = Run(capsys, *words, "--on-error", "skip")
    data = json.loads((tmp_path / "a.json").read_text())
    faults = data["rows"][0]["faults"]
    assert run.code == 0 and run.err.count("rummy: bot 'sulks'") == len(data["faults"]) == min(20, faults)
    assert ("more such deals" in run.err) == (faults > 20)
    assert rummy.Record.from_json(data["faults"][0]["record"]).actions


# ------------------------------------------------------------------------------------------------------------ bad input

BAD = (
    ((), "command"),
    (("compar",), "compar"),
    (("--nope",), "--nope"),
    (("compare",), "NAME"),
    (("compare", "basci"), "did you mean 'basic'?"),
    (("compare", "basic", "Basic"), "did you mean 'basic'?"),
    (("compare", "nowhere.toml"), "cannot be read"),
    (("compare", "no\nsuch\x1b[31m"), r"no\nsuch\u001b[31m"),
    (("compare", ""), "must be one of"),
    (("compare", "basic", "--bots", "eazy"), "did you mean 'easy'?"),
    (("compare", "basic", "--bots", "easy,"), "no bot ''"),
    (("compare", "basic", "--bots", "easy,easy,easy"), "1 to 2 bots"),
    (("compare", "basic", "--players", "0"), "2 to 4 players"),
    (("compare", "basic", "--players", "9"), "2 to 4 players"),
    (("compare", "basic", "gin-classic", "--players", "3"), "gin-classic"),
    (("compare", "basic", "--players", "two"), "--players"),
    (("compare", "basic", "--players"), "--players"),
    (("compare", "basic", "--seed", "-1"), "seed"),
    (("compare", "basic", "--seed", "x"), "--seed"),
    (("compare", "basic", "--seed", "9" * 5000), "seed"),
    (("compare", "basic", "--rounds", "-3"), "rounds"),
    (("compare", "basic", "--rounds", "0"), "rounds"),
    (("compare", "basic", "--rounds", "1e3"), "--rounds"),
    (("compare", "basic", "--workers", "0"), "workers"),
    (("compare", "basic", "--round", "5"), "--round"),
    (("compare", "basic", "--json", "no/such/folder/x.json"), "cannot write"),
    (("compare", "basic", "--csv", "."), "cannot write"),
    (("compare", "basic", "--json", "x\0y"), "null byte"),
    (("compare", "--json"), "NAME"),
    (("compare", "basic", "--json", "unwanted", "--csv", "unwanted"), "two options"),
    (("compare", "basic", "--json", "--csv"), "two options"),
    (("compare", "basic", "--plot", "unwanted.gif"), ".png or .svg"),
    (("compare", "basic", "--plot", "no/such/folder/x.png"), "cannot write"),
    (("compare", "basic", "--html", "no/such/folder/x.html"), "cannot write"),
    (("compare", "basic", "--html", "-"), "the name of a file"),
    (("compare", "basic", "--parquet", "no/such/folder/x"), "cannot write"),
    (("compare", "basic", "--rows", "no/such/folder/x.csv"), "cannot write"),
    (("compare", "basic", "--rows", "unwanted.txt"), ".csv or .parquet"),
    (("compare", "basic", "--checkpoint", "no/such/folder/x"), "cannot write"),
    (("compare", "basic", "--checkpoint", "."), "cannot write"),
    (("compare", "gin-classic", "--players", "3"), "gin-classic is for 2 players"),
    (("compare", "basic", "--matches", "0"), "number of rounds"),
    (("compare", "basic", "--matches", "2", "--rounds", "2"), "do not go together"),
    (("compare", "basic", "--until", "edge"), "stopping rule"),
    (("compare", "basic", "--until", "egde<1"), "did you mean 'edge'?"),
    (("compare", "basic", "--until", "length<1"), "a measure of whole matches"),
    (("compare", "basic", "--until", "difference.turns<1"), "there is no other row"),
    (("compare", "basic", "--until", "skill<1%"), "needs two bots"),
    (("compare", "basic", "gin-knock", "--players=3", "--bots=easy,random", "--until=skill<1%"), "needs two bots"),
    (("compare", "basic", "--vary", "match.targt=1,2"), "did you mean 'match.target'?"),
    (("compare", "basic", "--vary", "run_min=1,2"), "did you mean 'melds.run_min'?"),
    (("compare", "basic", "--vary", "match.target"), "varied as"),
    (("compare", "basic", "--vary", "melds.ace=low,hihg"), "did you mean 'high'?"),
    (("compare", "basic", "--vary", "players.max=9"), "players.max"),
    (("compare", "basic", "--on-error", "skp"), "did you mean 'skip'?"),
    (("compare", "basic", "--dask", "nonsense"), "no Dask scheduler"),
    (("show",), "NAME"),
    (("show", "rummy500"), "did you mean 'rummy-500'?"),
    (("show", "basic", "basic"), "basic"),
    (("check",), "FILE"),
    (("diff", "basic"), "NAME"),
    (("diff", "basic", "gin-clasic"), "did you mean 'gin-classic'?"),
    (("replay",), "FILE"),
    (("replay", "nowhere"), "cannot read"),
    (("variants", "basic"), "basic"),
)


@pytest.mark.parametrize(("words", "told"), BAD, ids=[" ".join(words)[:60] or "nothing" for words, _ in BAD])
def test_bad_input_gets_one_line_before_the_work(
    words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("a round was played")

    monkeypatch.setattr("rummy_engine.comparing.chunks.play", never)
    assert told in Run(capsys, *words).refusal


def test_a_profile_with_many_mistakes_still_gets_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text('extends = "basic"\n[melds]\na = 1\nb = 2\nc = 3\n')
    for words in (("compare", "bad.toml"), ("show", "bad.toml"), ("diff", "basic", "bad.toml")):
        assert "and 2 more" in Run(capsys, *words).refusal


def test_a_trial_leaves_files_as_they_are(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text("precious")
    assert Run(capsys, "compare", "basci", "--json", "old.json", "--csv", "unwanted.csv").refusal
    assert (tmp_path / "old.json").read_text() == "precious"


@pytest.mark.parametrize(
    ("module", "option", "extra"),
    [("matplotlib", "--plot=unwanted.png", "plot"), ("matplotlib", "--html=unwanted", "plot"),
     ("pyarrow", "--parquet=unwanted", "parquet"), ("pyarrow", "--rows=unwanted.parquet", "parquet"),
     ("distributed", "--dask=tcp://127.0.0.1:1", "cluster")],
)  # fmt: skip
def test_without_an_extra(
    module: str, option: str, extra: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == module else find(name))
    for place in ("reporting.plots", "comparing.cluster", "comparing.rows"):
        monkeypatch.setattr(f"rummy_engine.{place}.find_spec", lambda name: None if name == module else find(name))
    assert f'pip install "rummy-engine[{extra}]"' in Run(capsys, "compare", "basic", option).refusal


# ------------------------------------------------------------------------------------------------------- real processes


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    commands = ("variants", "show", "check", "schema", "replay", "compare", "diff", "verify", "play")
    whole = Run(capsys, "--help")
    assert (whole.code, whole.err) == (0, "") and Run(capsys, "-h").out == whole.out
    for command in commands:
        run = Run(capsys, command, "--help")
        assert (run.code, run.err) == (0, "") and f"Usage: rummy {command}" in run.out and command in whole.out
        assert max(map(len, run.out.splitlines())) <= 80
    done = process("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"rummy-engine {rummy.__version__}\n", "")


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_without_the_extra_it_says_what_to_install(missing: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; from rummy_engine.__main__ import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and 'pip install "rummy-engine[cli]"' in done.stderr


def test_a_reader_that_has_gone() -> None:
    read, write = os.pipe()
    os.close(read)
    done = process("schema", capture_output=False, stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert done.stderr == "" and done.returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_disk_that_is_full(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        done = process("schema", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "cannot write" in done.stderr
    done = process("compare", "basic", "--rounds", "2", "--json", "/dev/full", "--csv", "kept.csv", cwd=tmp_path)
    assert done.returncode == 2 and done.stderr.startswith("rummy: cannot write '/dev/full'")
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "kept.csv").read_text() == to_csv(compare(["basic"], rounds=2)) and "basic" in done.stdout


def test_an_old_encoding_is_no_obstacle() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}
    done = process("compare", "basic", "--rounds", "2", env=environment)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.isascii()


TICKING = """
import contextlib, sys
from rummy_engine import cli, cli_compare

told = []

def tell(done, total):
    if done and not told:
        told.append(done)
        print("first chunk", file=sys.stderr, flush=True)

@contextlib.contextmanager
def progress():
    yield tell

cli_compare._progress = progress
sys.exit(cli.main())
"""
"""The command line that says when the first chunk is done."""


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_prints_what_is_known(workers: str, tmp_path: Path) -> None:
    words = ["compare", "gin-classic", "--rounds", "200000", "--workers", workers, "--json", "part.json"]
    words += ["--checkpoint", "run.json"] * (workers == "2")
    running = subprocess.Popen(
        [sys.executable, "-c", TICKING, *words],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert running.stderr is not None and running.stderr.readline() == "first chunk\n"
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to the workers, too
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "gin-classic" in out and err.startswith("rummy: stopped after ") and err.count("\n") == 1
    assert err.endswith("; the same command goes on\n") == (workers == "2")
    data = json.loads((tmp_path / "part.json").read_text())
    assert data["complete"] is False and data["rows"][0]["rounds"] > 0


@pytest.mark.parametrize("command", ["check", "replay", "show", "play --resume"])
def test_files_without_end_and_pipes_are_refused(
    command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    zero, pipe = Path("/dev/zero"), tmp_path / "pipe.toml"
    if not zero.exists() or not hasattr(os, "mkfifo"):
        pytest.skip("a system without such files")
    os.mkfifo(pipe)
    assert "bytes" in Run(capsys, *command.split(), str(zero)).refusal
    assert "pipe" in Run(capsys, *command.split(), str(pipe)).refusal


@pytest.mark.parametrize("command", ["check", "show", "verify", "compare", "play", "diff basic"])
def test_what_would_steer_a_screen_is_escaped(
    command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A profile from elsewhere may hold anything."""
    path = tmp_path / "odd.toml"
    path.write_text('extends = "basic"\n"\\u001b[31m" = 1\n', encoding="utf-8")
    run = Run(capsys, *command.split(), str(path))  # which asserts that no escape comes through
    assert run.code in (1, 2) and "x1b[31m" in run.out + run.err


@pytest.mark.parametrize("columns", ["0", "-5", "1", "abc", "9" * 30])
def test_any_width_of_a_screen(
    columns: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for words in (["variants"], ["diff", *SOME], ["compare", "basic", "--players", "2", "--rounds", "2"]):
        assert Run(capsys, *words).code == 0


@pytest.mark.skipif(os.name == "nt", reason="closed streams are a thing of POSIX shells")
def test_closed_streams() -> None:
    """As `rummy … >&-` starts it: what cannot be said is not said, and nothing ends in a traceback."""

    def shell(command: str) -> tuple[int, str]:
        words = f'"{sys.executable}" -m rummy_engine {command}'
        done = subprocess.run(
            ["sh", "-c", words], capture_output=True, text=True, timeout=60, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        return done.returncode, done.stdout + done.stderr

    assert shell("variants >&-") == (2, "rummy: cannot write: standard output is closed\n")
    assert shell("variants >&- 2>&-") == (2, "")
    assert shell("show nope 2>&-") == (2, "")
    code, said = shell("play basic <&-")
    assert code == 2 and said.count("\n") == 1 and "standard input is closed" in said
