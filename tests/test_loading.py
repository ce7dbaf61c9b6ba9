"""Where profiles come from: names, files, `extends`, overrides, and the alternatives among dials."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rummy_engine.errors import Problem, ProfileError
from rummy_engine.profiles.loading import load_profile, variants


def problems_of(source: object, overrides: object = None) -> tuple[Problem, ...]:
    with pytest.raises(ProfileError) as caught:
        load_profile(source, overrides)  # type: ignore[arg-type]  # whatever the test gives
    return caught.value.problems


def problem_of(source: object, overrides: object = None) -> Problem:
    (problem,) = problems_of(source, overrides)
    return problem


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_house_rule_is_four_lines(tmp_path: Path) -> None:
    path = write(tmp_path, "friday.toml", 'extends = "basic"\n[match]\nrounds = 1\n')
    for source in (path, str(path)):
        profile = load_profile(source)
        assert (profile.match.rounds, profile.match.target) == (1, None)
        assert profile.lay == load_profile("basic").lay
        assert (profile.meta.name, profile.meta.title) == ("friday", "friday")  # it is not the parent any more


def test_a_chain_of_files_seen_from_each_file(tmp_path: Path) -> None:
    write(tmp_path, "house/base.toml", 'extends = "rummy-500"\n[melds]\nace = "high"\n[match]\ntarget = 300\n')
    write(tmp_path, "house/middle.toml", 'extends = "base.toml"\n[scoring.values]\nQ = 40\n')
    path = write(tmp_path, "mine/top.toml", 'extends = "../house/middle.toml"\n[melds]\nset_max = 3\n')
    profile = load_profile(path)
    assert (profile.melds.ace, profile.melds.set_max, profile.scoring.values.Q) == ("high", 3, 40)
    assert profile.scoring.values.A == 15 and profile.deck.jokers.at(2) == 2
    target = profile.match.target
    assert target is not None and target.at(4) == 300


def test_problems_name_the_file_they_stand_in(tmp_path: Path) -> None:
    write(tmp_path, "base.toml", 'extends = "basic"\n[melds]\nace = "hgih"\nrun_min = 5\nsett_min = 3\n')
    path = write(tmp_path, "top.toml", 'extends = "base.toml"\n[melds]\nrun_max = 4\nset_max = "4"\n')
    found = {problem.path: problem.source for problem in problems_of(path, {"draw.pile": "botom"})}
    assert found == {
        "melds.ace": "base.toml",
        "melds.sett_min": "base.toml",
        "melds.run_max": str(path),
        "melds.set_max": str(path),
        "draw.pile": "overrides",
    }


def test_extends_in_a_circle(tmp_path: Path) -> None:
    a = write(tmp_path, "a.toml", 'extends = "b.toml"\n')
    write(tmp_path, "b.toml", 'extends = "./c.toml"\n')
    write(tmp_path, "c.toml", f'extends = "../{tmp_path.name}/a.toml"\n')
    problem = problem_of(a)
    assert problem.path == "extends" and problem.source == "./c.toml"
    assert "circle" in problem.allowed and "b.toml → ./c.toml → " in problem.allowed
    itself = write(tmp_path, "self.toml", 'extends = "self.toml"\n')
    assert "circle" in problem_of(itself).allowed


def test_a_file_may_be_called_like_the_shipped_one_it_extends(tmp_path: Path) -> None:
    path = write(tmp_path, "basic.toml", 'extends = "basic"\n[players]\nmax = 3\n')
    assert load_profile(path).players.max == 3


@pytest.mark.parametrize(
    ("value", "hint", "reason"),
    [
        ("rummy-50", "rummy-500", "must be one of basic"),
        ("Basic", "basic", "must be one of basic"),
        ("zzz", None, "must be one of basic"),
        ("../basic", "basic", "must be one of basic"),
        (5, None, "must be one of basic"),
        (["basic"], None, "must be one of basic"),
        (True, None, "must be one of basic"),
        ("basic.toml", None, "only a file can extend another file"),
    ],
)
def test_extends_that_leads_nowhere_from_a_mapping(value: object, hint: str | None, reason: str) -> None:
    problem = problem_of({"extends": value})
    assert (problem.path, problem.value, problem.suggestion) == ("extends", value, hint)
    assert reason in problem.allowed


def test_with_a_lost_parent_only_what_stands_here_is_judged(tmp_path: Path) -> None:
    path = write(
        tmp_path, "lost.toml",
        'extends = "gone.toml"\n[melds]\nrun_min = 5\nrun_max = 4\nset_min = 9\n[lay]\nwhen = "knock"\n',
    )  # fmt: skip
    found = {problem.path: problem.allowed for problem in problems_of(path)}
    assert found.keys() == {"extends", "melds.run_min", "melds.set_min"}
    assert found["extends"] == "cannot be read: No such file or directory"


def test_a_misspelt_extends_is_one_problem() -> None:
    problem = problem_of({"extend": "basic", "melds": {"ace": "high"}})
    assert (problem.path, problem.suggestion) == ("extend", "extends")


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ("[players\nmin = 2\n", "line 1, column 9", "[players"),
        ("[players]\nmin 2\n", "line 2, column 5", "min 2"),
        ("[players]\nmin = 2\nmin = 3\n", "line 3, column 8", "min = 3"),
        ('[meta]\nname = "x', "line 2, column 10", 'name = "x'),
    ],
)
def test_what_is_no_toml_is_one_problem_with_its_place(tmp_path: Path, text: str, path: str, line: str) -> None:
    problem = problem_of(write(tmp_path, "bad.toml", text))
    assert (problem.path, problem.value) == (path, line)
    assert problem.allowed.startswith("no valid TOML: ") and problem.source and problem.source.endswith("bad.toml")


def test_a_parent_that_is_no_toml(tmp_path: Path) -> None:
    write(tmp_path, "bad.toml", "[players\n")
    path = write(tmp_path, "top.toml", 'extends = "bad.toml"\n[melds]\nace = "hi"\n')
    assert [(problem.path, problem.source) for problem in problems_of(path)] == [
        ("line 1, column 9", "bad.toml"),
        ("melds.ace", str(path)),
    ]


@pytest.mark.parametrize("content", [b"\xff\xfe", b"a = " + b"[" * 100_000, b"a = " + b"9" * 5000, b"a = 1e"])
def test_files_that_break_parsers(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.toml"
    path.write_bytes(content)
    assert len(problems_of(path)) == 1


def test_a_byte_order_mark_and_windows_lines_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "windows.toml"
    path.write_bytes(b'\xef\xbb\xbfextends = "basic"\r\n[players]\r\nmax = 3\r\n')
    assert load_profile(path).players.max == 3


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for source in (tmp_path, tmp_path / "none.toml", f"{tmp_path}/none.toml", "x\0.toml", "a" * 5000 + ".toml"):
        assert problem_of(source).path == "profile"
    assert "cannot be read: No such file" in problem_of("none.toml").allowed


@pytest.mark.parametrize("source", [5, None, b"basic", ["basic"], os, ""])
def test_sources_of_the_wrong_kind(source: object) -> None:
    assert problem_of(source).path == "profile"


def test_an_unknown_name_lists_the_known() -> None:
    problem = problem_of("rumy-500")
    assert problem.suggestion == "rummy-500"
    assert all(name in problem.allowed for name in variants())


def value_of(source: object, overrides: Mapping[str, object], path: str) -> Any:
    data: Any = load_profile(source, overrides).to_dict()  # type: ignore[arg-type]  # whatever the test gives
    for key in path.split("."):
        data = data.get(key)
    return data


def test_alternatives_in_overrides() -> None:
    to_rounds = load_profile("rummy-2-6", {"match.rounds": 5}).match
    assert (to_rounds.rounds, to_rounds.target, to_rounds.target_allowed) == (5, None, None)
    to_target = load_profile("gin-knock", {"match.target": 100}).match
    assert to_target.rounds is None and to_target.target is not None and to_target.tie == "share"
    assert load_profile("rummy-2-6", {"match.target": 75}).match.target_allowed is not None
    assert problem_of("basic", {"match.target": 50, "match.rounds": 5}).path == "match.rounds"


@pytest.mark.parametrize("name", variants())
def test_one_round_works_on_every_profile(name: str) -> None:
    match = load_profile(name, {"match.rounds": 1}).match
    assert (match.rounds, match.target) == (1, None)


def test_alternatives_in_files(tmp_path: Path) -> None:
    write(tmp_path, "rounds.toml", 'extends = "rummy-2-6"\n[match]\nrounds = 5\n')
    path = write(tmp_path, "target.toml", 'extends = "rounds.toml"\n[match]\ntarget = 60\n')
    match = load_profile(path).match  # the range went with the target it belonged to
    assert (match.rounds, match.target_allowed) == (None, None)
    path = write(tmp_path, "range.toml", 'extends = "rummy-2-6"\n[match]\ntarget_allowed = { max = 90 }\n')
    problem = problem_of(path)
    assert (problem.path, problem.source) == ("match.target_allowed", str(path))
    assert "100 is not allowed here: 50 to 90 in steps of 25" in problem.allowed


def test_leaving_the_knock_leaves_its_section() -> None:
    profile = load_profile("gin-knock", {"lay.when": "any_turn", "scoring.model": "penalty"})
    assert profile.knock is None
    assert problem_of("gin-knock", {"lay.when": "any_turn"}).path == "lay.when"
    both = {"lay.when": "any_turn", "scoring.model": "penalty", "knock.limit": 5}
    assert problem_of("gin-knock", both).path == "lay.when"


def test_a_range_of_targets_binds_overrides() -> None:
    problem = problem_of("rummy-2-6", {"match.target": 60})
    assert (problem.path, problem.value, problem.source) == ("match.target", 60, "overrides")
    assert "50 to 300 in steps of 25" in problem.allowed
    assert problem_of("rummy-2-6", {"match.target": 325}).path == "match.target"


def test_overrides_reach_into_sections_that_were_absent() -> None:
    knocking = {"lay.when": "knock", "knock.limit": 7, "scoring.model": "knock_difference", "prize.threshold": 30}
    profile = load_profile("basic", knocking)
    assert profile.knock is not None and (profile.knock.limit, profile.knock.gin_bonus) == (7, 25)
    assert profile.prize is not None and (profile.prize.threshold, profile.prize.winner_min) == (30, 75)


def test_the_forms_of_overrides() -> None:
    forms: list[Mapping[str, object]] = [
        {"deal.hand_size": {"by_players": {2: 9, 4: 6}}},
        {"deal": {"hand_size": {"by_players": {"2": 9, "4": 6}}}},
    ]
    for form in forms:
        assert value_of("basic", form, "deal") == {**value_of("basic", {}, "deal"),
            "hand_size": {"by_players": {"2": 9, "4": 6}}
        }  # fmt: skip
    assert value_of("basic", {"scoring.values.2": 5, "scoring": {"values": {"3": 5}}}, "scoring.values.3") == 5
    assert value_of("basic", {"deal.hand_size": 5}, "deal.hand_size") == 5
    assert value_of("gin-knock", {"meta.name": "mine"}, "meta.name") == "mine"
    assert value_of("gin-knock", {}, "meta.name") == "gin-knock"


@pytest.mark.parametrize(
    ("overrides", "path", "hint"),
    [
        ({"match.targt": 5}, "match.targt", "match.target"),
        ({"target": 5}, "target", "match.target"),
        ({"deal.hand_size.by_players.2": 5}, "deal.hand_size.by_players.2", None),
        ({"": 5}, "", None),
        ({"extends": "basic"}, "extends", None),
        ({5: 5}, "5", None),
        ({"match": 5}, "match", None),
        ({"match": {"targt": 5}}, "match.targt", "match.target"),
        ([1], "overrides", None),
        ("match.target", "overrides", None),
    ],
)
def test_overrides_that_name_no_dial(overrides: object, path: str, hint: str | None) -> None:
    problem = problem_of("basic", overrides)
    assert (problem.path, problem.suggestion) == (path, hint)


def test_overrides_and_file_are_judged_together(tmp_path: Path) -> None:
    path = write(tmp_path, "x.toml", 'extends = "basic"\n[draw]\npile = "tpo"\n')
    found = [problem.path for problem in problems_of(path, {"melds.set_min": 0, "nonsense": 1, "players.max": 8})]
    assert sorted(found) == ["draw.pile", "melds.set_min", "nonsense", "players.max"]


def test_nothing_of_the_caller_is_changed() -> None:
    source = {"extends": "gin-knock", "scoring": {"values": {"A": 2}}, "match": {"target": {"by_players": {2: 5}}}}
    overrides = {"scoring": {"values": {"K": 9}}, "scoring.values.Q": 8, "match": {"rounds": 2}}
    before = copy.deepcopy((source, overrides))
    load_profile(source, overrides)
    assert (source, overrides) == before


def test_importing_the_loader_leaves_pydantic_for_later() -> None:
    code = "import sys, rummy_engine.profiles.loading; sys.exit('pydantic' in sys.modules or 'tomllib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
