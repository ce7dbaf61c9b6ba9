"""The command line: looking at variants, replaying, and what a shell and a screen do to it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import rummy_engine as rummy
from rummy_engine.compare import compare
from rummy_engine.exports import to_csv
from rummy_engine.reporting.differences import differences
from rummy_engine.simulate import record_of
from tests.commandline import ROOT, SOME, Run, process

pytest.importorskip("typer", reason="needs the extra cli")
pytest.importorskip("rich", reason="needs the extra cli")
pytestmark = pytest.mark.usefixtures("elsewhere")


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


# ------------------------------------------------------------------------------------------------------- real processes


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    commands = ("variants", "show", "check", "schema", "replay", "compare", "simulate", "diff", "verify", "play")
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
import contextlib, signal, sys
from rummy_engine import cli, cli_compare

signal.signal(signal.SIGINT, signal.default_int_handler)  # what started the tests may have told them to ignore it
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
    try:
        assert running.stderr is not None and running.stderr.readline() == "first chunk\n"
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to the workers, too
        out, err = running.communicate(timeout=60)
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
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
def test_what_would_steer_a_screen_is_escaped(command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
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


def test_ctrl_c_while_the_command_line_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupts:
        """Finds no module, and is interrupted over one."""

        def find_spec(self, name: str, path: object = None, target: object = None) -> None:
            if name == "rummy_engine.cli":
                raise KeyboardInterrupt

    from rummy_engine.__main__ import main as command

    monkeypatch.delitem(sys.modules, "rummy_engine.cli", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupts(), *sys.meta_path])
    assert command(["variants"]) == 130
