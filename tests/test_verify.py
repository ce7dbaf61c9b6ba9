"""`verify`: what it says of good, bad and impossible profiles, that it repeats itself, and what the command does."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import rummy_engine as rummy
from rummy_engine.profiles.dials import dials
from rummy_engine.rules.scoring import RoundScore
from rummy_engine.state import State
from rummy_engine.testing import LAWS, verify
from rummy_engine.testing.command import run_verify
from rummy_engine.testing.coverage import Coverage
from rummy_engine.testing.idle import idle_dials
from rummy_engine.testing.laws import points_follow
from rummy_engine.testing.marks import MARKS
from rummy_engine.testing.staticchecks import possible_endings, static_findings


def house(**dials: Any) -> rummy.Game:
    """Basic Rummy with other dials, `__` for the dot."""
    return rummy.load("basic", {path.replace("__", "."): value for path, value in dials.items()})


def faults(game: rummy.Game) -> list[str]:
    """The static faults of a game."""
    return [finding.text for finding in static_findings(game) if finding.level == "fault"]


def interrupted(*given: object) -> None:
    """Ctrl-C."""
    raise KeyboardInterrupt


# ------------------------------------------------------------------------------------------------------------ report


@pytest.fixture(scope="module")
def report() -> Any:
    """A short run of a variant with every kind of phase."""
    return verify(rummy.load("gin-knock"), examples=12, seed=3)


def test_a_good_profile_passes(report: Any) -> None:
    assert report.ok and not report.broken and not report.faults
    assert report.done == 12 and not report.interrupted
    assert report.coverage.rounds > 0
    assert {name for name, count in report.checked.items() if count} == LAWS.keys()


def test_the_report_says_what_was_reached_and_what_not(report: Any) -> None:
    text = report.text()
    assert text.endswith("\nno law was broken") and "phases: deal" in text
    counts = ", ".join(f"with {number}: {report.coverage.players[number]}" for number in (2, 3, 4))
    assert f"\nplayers: {counts}\n" in text
    for kind, missing in report.coverage.missing().items():
        assert f"never reached ({kind}): {', '.join(missing)}" in text
    assert set(report.coverage.phases) == {
        *("deal", "offer", "draw", "play", "spread", "respond", "reshuffle", "over")
    }
    assert set(report.coverage.endings) == {"gin", "knock", "undercut", "void"}


def test_the_report_becomes_json(report: Any) -> None:
    data = json.loads(json.dumps(report.to_dict()))
    assert data["ok"] is True and data["laws"].keys() == LAWS.keys()
    assert data["plays"] == {"asked": 12, "done": 12, "interrupted": False}


def test_the_same_seed_gives_the_same_report() -> None:
    game = rummy.load("basic")
    assert verify(game, 4, seed=5).to_dict() == verify(game, 4, seed=5).to_dict()
    assert verify(game, 4, seed=5).to_dict() != verify(game, 4, seed=6).to_dict()


@pytest.mark.parametrize("name", rummy.variants() if os.environ.get("RUMMY_COVERAGE") else ["basic", "gin-knock"])
def test_a_run_reaches_everything_that_a_shipped_variant_has(name: str) -> None:
    """RUMMY_COVERAGE=1 looks at every shipped variant."""
    report = verify(rummy.load(name))
    assert not report.broken, str(report.broken[0])
    assert report.coverage.missing() == {}


def test_progress_is_told_after_every_play() -> None:
    told: list[tuple[int, int]] = []
    verify(rummy.load("basic"), 3, progress=lambda done, asked: told.append((done, asked)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_an_interrupted_run_keeps_what_is_known() -> None:
    def stop(done: int, asked: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    report = verify(rummy.load("basic"), 50, progress=stop)
    assert report.interrupted and report.done == 2 and report.coverage.steps > 0
    assert "2 plays of 50, interrupted" in report.text()


@pytest.mark.parametrize(("examples", "seed"), [(0, 0), (-1, 0), (1.5, 0), (True, 0), (1, "x"), (1, -1), (1, 2**256)])
def test_bad_arguments_are_refused(examples: Any, seed: Any) -> None:
    with pytest.raises(rummy.RummyError):
        verify(rummy.load("basic"), examples, seed)


def test_what_was_not_played_is_neither_missed_nor_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused, or interrupted before the first action: the report ends with that."""
    worthless = {f"scoring.values.{rank}": 0 for rank in "A23456789TJQK"}
    report = verify(rummy.load("basic", worthless), 5)
    assert report.text().splitlines()[-1].startswith("refused, since it cannot be played to an end: 2 players: nobody")
    assert report.to_dict()["refused"] == list(report.faults) and not report.ok
    monkeypatch.setattr(rummy.Game, "start", interrupted)
    stopped = verify(rummy.load("basic"), 5)
    assert stopped.text().splitlines()[-1] == "no play was made"
    for text in (report.text(), stopped.text()):
        assert "\nnever reached" not in text and "no law was broken" not in text and "dials exercised" not in text


def test_a_broken_engine_gives_a_counter_example_that_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    right = RoundScore.score
    monkeypatch.setattr(RoundScore, "score", lambda *given: right(*given)._replace(winner=0))
    report = verify(rummy.load("basic"), examples=8, seed=1)
    assert not report.ok
    (broken,) = [each for each in report.broken if each.law == "points_follow"]
    assert "BROKEN points_follow" in report.text()
    file = tmp_path / "example.py"
    file.write_text(broken.script())
    with pytest.raises(AssertionError, match="points_follow"):
        exec(compile(file.read_text(), str(file), "exec"), {})
    run = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, cwd=Path(__file__).parent.parent)
    assert run.returncode == 0, run.stderr  # another process has the right engine


def test_an_engine_that_crashes_is_a_broken_law(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(self: object, state: State, action: object) -> State:
        raise KeyError("lost")

    from rummy_engine.rules.draw import DrawRules

    monkeypatch.setattr(DrawRules, "draw", crash)
    report = verify(rummy.load("basic"), examples=3, seed=1)
    assert any("KeyError" in each.fault for each in report.broken)


# ------------------------------------------------------------------------------------------------------------ static


def test_shipped_variants_have_no_faults_and_no_warnings() -> None:
    for name in rummy.variants():
        assert not [each for each in static_findings(rummy.load(name)) if each.level != "note"]


def test_a_round_that_only_the_turn_cap_ends() -> None:
    game = house(melds__set_min=4, melds__run_min=13, deal__hand_size=1, stock__renewals="unlimited")
    assert possible_endings(game, 2) == ("deadlock", "void")
    game = rummy.load(game.profile.to_dict(), {"ending.deadlock": False})
    assert any("turn cap" in fault for fault in faults(game))


@pytest.mark.parametrize("match", [{"match.target": 100}, {"match.rounds": 3, "match.tie": "round"}])
def test_a_match_that_never_ends(match: dict[str, Any]) -> None:
    worthless = {f"scoring.values.{rank}": 0 for rank in "A23456789TJQK"}
    game = rummy.load("basic", {**worthless, **match})
    assert len(faults(game)) == 3 and "never" in faults(game)[0]
    report = verify(game, 5)
    assert not report.ok and report.done == 0 and report.coverage.steps == 0
    assert not faults(rummy.load("basic", {**worthless, "match.rounds": 3, "match.tie": "share"}))


def test_points_that_count_the_wrong_way_are_warned_of() -> None:
    for name, best in {"basic": "lowest", "basic-penalty": "highest"}.items():
        findings = static_findings(rummy.load(name, {"match.best": best}))
        assert any(each.level == "warning" and "match.best" in each.text for each in findings)


def test_an_ending_that_is_worth_nothing_is_noted() -> None:
    findings = static_findings(house(stock__then="stock_out"))
    assert any("'stock_out' is scored, but worth nothing" in each.text for each in findings)


def test_a_dial_that_is_set_and_changes_nothing_is_warned_of() -> None:
    findings = static_findings(house(draw__deep_use="meld"))
    assert [each.text for each in findings if each.level == "warning"] == [
        "draw.deep_use = 'meld' changes nothing: the pile is not taken deep and its top card does not oblige"
    ]
    assert "call.kind" in {each.path for each in idle_dials(house(players__max=2).profile)}


def test_few_turns_are_warned_of() -> None:
    assert any("not everybody has a turn" in each.text for each in static_findings(house(ending__max_turns=3)))


# ---------------------------------------------------------------------------------------------------------- coverage


def test_every_dial_can_be_exercised_or_is_silent() -> None:
    from rummy_engine.testing.marks import SILENT

    for dial in dials():
        assert (dial.path in MARKS) != dial.path.startswith(SILENT), dial.path
    assert MARKS.keys() <= {dial.path for dial in dials()}


def test_coverage_counts_what_was_played() -> None:
    game = rummy.load("basic")
    coverage = Coverage(game)
    state = game.position(hands=["4C 5C 6C", "2H"], phase="play", seat=0)
    action = game.parse(state, "meld 4C 5C 6C")
    coverage.note(state, action, game.apply(state, action))
    points_follow(game, state, action)
    assert coverage.endings["out"] == 1 and coverage.actions["LayMeld"] == 1 and coverage.players[2] == 1
    assert coverage.dials["melds.run_min"] and coverage.dials["scoring.rummy"] and not coverage.dials["ending.deadlock"]
    assert "Swap" not in coverage.actions and "deadlock" in coverage.missing()["endings"]


# ----------------------------------------------------------------------------------------------------------- command


def run(source: str, examples: int = 2, json_path: Path | None = None) -> tuple[int, str]:
    """The exit code and what the command prints."""
    screen = io.StringIO()
    code = run_verify(source, examples, 1, json_path, Console(file=screen, width=100))
    return code, screen.getvalue()


def test_the_command_prints_and_writes_the_report(tmp_path: Path) -> None:
    code, text = run("basic", json_path=tmp_path / "report.json")
    assert code == 0 and "no law was broken" in text
    data = json.loads((tmp_path / "report.json").read_text())
    assert data["name"] == "basic" and data["ok"]
    code, text = run("basic", json_path=Path("-"))
    assert code == 0 and json.loads(text)["name"] == "basic"


def test_a_profile_that_cannot_be_played_gives_its_reasons_and_code_1(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('extends = "basic"\n[deal]\nhand_size = 30\n[draw]\npile = "tip"\n')
    code, text = run(str(file))
    assert code == 1 and "draw.pile" in text and "hand_size" in text and "Traceback" not in text
    file.write_text('extends = "basic"\n[melds]\nset_min = 4\nrun_min = 13\n[deal]\nhand_size = 1\n'
                    '[stock]\nrenewals = "unlimited"\n[ending]\ndeadlock = false\n')  # fmt: skip
    code, text = run(str(file))
    assert code == 1 and "fault: " in text and "turn cap" in text
    code, text = run(str(file), json_path=Path("-"))
    assert code == 1 and json.loads(text)["ok"] is False
    file.write_text('extends = "basic"\n[draw]\npile = "tip"\n')
    code, text = run(str(file), json_path=Path("-"))
    assert code == 1 and "draw.pile" in json.loads(text)["refused"][0]


@pytest.mark.parametrize("source", ["no-such-variant", "no-such-file.toml"])
def test_what_is_no_profile_at_all_is_bad_usage(source: str) -> None:
    with pytest.raises(rummy.ProfileError):
        run(source)


def test_a_broken_law_gives_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    right = RoundScore.score
    monkeypatch.setattr(RoundScore, "score", lambda *given: right(*given)._replace(winner=0))
    code, text = run("basic", examples=8)
    assert code == 1 and "BROKEN points_follow" in text and "import rummy_engine as rummy" in text


def test_an_interrupted_command_prints_what_it_had(monkeypatch: pytest.MonkeyPatch) -> None:
    from rummy_engine.testing import verify as package

    monkeypatch.setattr(sys.modules[package.__module__], "some_start", interrupted)
    code, text = run("basic")
    assert code == 130 and "0 plays of 2, interrupted" in text


@pytest.mark.parametrize("source", ["basic", "refused.toml"])
def test_no_plays_are_bad_usage(source: str, tmp_path: Path) -> None:
    (tmp_path / "refused.toml").write_text('extends = "basic"\n[draw]\npile = "tip"\n')
    command = [sys.executable, "-m", "rummy_engine", "verify", source, "--examples", "0"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.count("\n") == 1
    assert "from 1, not 0" in done.stderr


def test_nothing_can_be_written_there(tmp_path: Path) -> None:
    with pytest.raises(rummy.RummyError, match="cannot write"):
        run("basic", json_path=tmp_path)
