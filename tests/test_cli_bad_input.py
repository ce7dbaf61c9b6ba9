"""Bad input at the command line costs one line and never a traceback."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tests.commandline import Run

pytest.importorskip("typer", reason="needs the extra cli")
pytest.importorskip("rich", reason="needs the extra cli")
pytestmark = pytest.mark.usefixtures("elsewhere")


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
