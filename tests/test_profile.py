"""The configuration layer: what is refused and why, how layers combine, and what comes out."""

from __future__ import annotations

import json
import pickle
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rummy_engine.errors import Problem, ProfileError
from rummy_engine.hints import closest
from rummy_engine.profiles.checks import CHECKS
from rummy_engine.profiles.dials import Dial, dial_paths, dials, json_schema, tables
from rummy_engine.profiles.loading import STAND_INS, digest, load_profile, variants
from rummy_engine.profiles.profile import Profile
from rummy_engine.profiles.tablenumber import TableNumber

SMALLEST: Mapping[str, Any] = {
    "players": {"min": 2, "max": 4},
    "deal": {"hand_size": 7},
    "match": {"rounds": 1},
}
KNOCKING: Mapping[str, Any] = {
    "lay.when": "knock", "knock.limit": 10, "scoring.model": "knock_penalties",
}


def problems_of(source: object, overrides: Mapping[str, object] | None = None) -> tuple[Problem, ...]:
    with pytest.raises(ProfileError) as caught:
        load_profile(source, overrides)  # type: ignore[arg-type]  # whatever the test gives
    assert caught.value.problems
    assert all(problem.text in str(caught.value) for problem in caught.value.problems)
    return caught.value.problems


def problem_of(source: object, overrides: Mapping[str, object] | None = None) -> Problem:
    problems = problems_of(source, overrides)
    assert len(problems) == 1, [problem.text for problem in problems]
    return problems[0]


def paths_of(problems: tuple[Problem, ...]) -> list[str]:
    return sorted(problem.path for problem in problems)


def with_dials(changes: Mapping[str, object]) -> dict[str, Any]:
    """The smallest profile with some dials set, as one mapping."""
    data: dict[str, Any] = {name: dict(table) for name, table in SMALLEST.items()}
    for path, value in changes.items():
        *names, key = path.split(".")
        table = data
        for name in names:
            table = table.setdefault(name, {})
        table[key] = value
    return data


def test_the_smallest_profile_takes_every_default() -> None:
    profile = load_profile(SMALLEST)
    assert (profile.meta.name, profile.meta.title, profile.meta.revision) == ("custom", "custom", 1)
    assert profile.knock is None and profile.prize is None and profile.match.target is None
    data = profile.to_dict()
    for dial in dials():
        in_play = dial.path.split(".")[0] not in ("knock", "prize") and "target_allowed" not in dial.path
        if in_play and dial.default is not None and dial.path != "meta.title":
            assert value_at(data, dial.path) == dial.default, dial.path


def value_at(data: Any, path: str) -> Any:
    for key in path.split("."):
        data = data[key]
    return data


WRONG_VALUES = [
    ("players.min", 1), ("players.min", True), ("players.min", 2.0), ("players.min", "2"), ("players.max", 9),
    ("players.max", 10**5000), ("players.max", None), ("players.max", [4]),
    ("deck.packs", 3), ("deck.packs", 0), ("deck.jokers", -1), ("deck.suits", 4), ("deck.suits", ""),
    ("deck.suits", "SHX"), ("deck.suits", "SS"), ("deck.suits", "HS"), ("deck.ranks", "23456A"),
    ("deck.ranks", "A2344"), ("deck.ranks", "A3425"), ("deck.ranks", "A2B"), ("deck.ranks", "a23"), ("deck.ranks", ""),
    ("deck.ranks", ["A", "2"]), ("deck.ranks", "\ud800"),
    ("deal.hand_size", 0), ("deal.hand_size", True), ("deal.hand_size", float("nan")), ("deal.hand_size", {}),
    ("deal.hand_size", {"by_players": {"2": 7}, "by_round": [7]}),
    ("deal.up_card_offer", "Round"), ("deal.next_dealer", None), ("deal.next_dealer", ["left"]),
    ("melds.set_min", 1), ("melds.run_min", 14), ("melds.ace", "wrap"), ("melds.ace", float("inf")),
    ("wilds.min_naturals", 0), ("wilds.max_per_meld", "all"), ("wilds.max_per_meld", True), ("wilds.swap", 1),
    ("wilds.swap", "yes"), ("draw.pile", {"top": 1}), ("stock.renewals", -1), ("stock.renewals", 1.5),
    ("stock.floor", "2"), ("ending.max_turns", 0), ("call.kind", False),
    ("scoring.values.Q", "ten"), ("scoring.values.2", -2), ("scoring.values.2", 2.5), ("scoring.values.A", None),
    ("scoring.values.joker", "card"), ("scoring.values.hand_ace", []), ("scoring.rummy", 0), ("scoring.rummy", "x2"),
    ("match.rounds", 0), ("match.rounds", "3"), ("meta.name", ""), ("meta.name", 5), ("meta.revision", 0),
    ("meta.title", "x" * 201), ("prize.winner_min", 101), ("prize.threshold", 0), ("prize.split", "half"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value"), WRONG_VALUES, ids=lambda value: str(type(value).__name__))
def test_a_wrong_value_is_one_problem_at_its_dial(path: str, value: object) -> None:
    problem = problem_of(with_dials({path: value}))
    assert problem.path == path
    assert problem.allowed.startswith(("must be ", "must hold ", "must name "))


NESTED_VALUES = [
    ({"by_players": {"2": "x"}}, "deal.hand_size.by_players.2"),
    ({"by_players": {"0": 7}}, "deal.hand_size.by_players.0"),
    ({"by_players": {"2": 7, "02": 7}}, "deal.hand_size.by_players.02"),
    ({"by_players": {"2": 7, 2: 6}}, "deal.hand_size.by_players.2"),
    ({"by_players": {True: 7}}, "deal.hand_size.by_players.True"),
    ({"by_players": {}}, "deal.hand_size.by_players"),
    ({"by_players": [7]}, "deal.hand_size.by_players"),
    ({"by_round": 7}, "deal.hand_size.by_round"),
    ({"by_round": []}, "deal.hand_size.by_round"),
    ({"by_round": [3, 0]}, "deal.hand_size.by_round.1"),
    ({"by_rounds": [3]}, "deal.hand_size.by_rounds"),
]


@pytest.mark.parametrize(("value", "path"), NESTED_VALUES)
def test_mistakes_inside_a_number_have_their_own_path(value: object, path: str) -> None:
    assert problem_of(with_dials({"deal.hand_size": value})).path == path


def test_every_mistake_inside_a_number_is_told() -> None:
    found = problems_of(with_dials({"deal.hand_size": {"by_players": {"2": "x", "3": 0, "9": 7}}}))
    assert [problem.path.rpartition(".")[2] for problem in found] == ["2", "3", "9"]


@pytest.mark.parametrize("path", ["deck.packs", "deck.jokers", "match.target"])
def test_only_the_hand_may_depend_on_the_round(path: str) -> None:
    problem = problem_of(with_dials({path: {"by_round": [1, 2]}}))
    assert (problem.path, problem.suggestion) == (f"{path}.by_round", "by_players")


# What is set beside the smallest profile, the path that is blamed, and a part of the reason.
CLASHES: list[tuple[dict[str, object], str, str]] = [
    ({"players.min": 5}, "players.min", "more than the most, 4"),
    ({"deal.hand_size": 13}, "deal.hand_size", "4 players × 13 cards + the up-card + one to draw = 54"),
    ({"deal.hand_size": {"by_round": [3, 13]}}, "deal.hand_size", "but the deck holds 52"),
    ({"stock.floor": 23}, "deal.hand_size", "+ 23 that stay in the stock"),
    ({"deck.suits": "SHD", "deck.ranks": "A23456789T", "deal.hand_size": 15, "players.max": 2}, "deal.hand_size",
     "but the deck holds 30"),
    ({"deal.hand_size": {"by_players": {"3": 7}}}, "deal.hand_size", "smallest key must be at most 2"),
    ({"deck.packs": {"by_players": {"4": 2}}}, "deck.packs", "smallest key must be at most 2"),
    ({"deck.jokers": {"by_players": {"3": 1}}}, "deck.jokers", "smallest key must be at most 2"),
    ({"match": {"target": {"by_players": {"3": 100}}}}, "match.target", "smallest key must be at most 2"),
    ({"melds.set_min": 4, "melds.set_max": 3}, "melds.set_min", "is larger than the largest, 3"),
    ({"melds.run_min": 5, "melds.run_max": 4}, "melds.run_min", "is longer than the longest, 4"),
    ({"melds.run_min": 11, "deck.ranks": "23456789TJ"}, "melds.run_min", "longer than the 10 ranks"),
    ({"melds.set_min": 5, "melds.set_max": 5}, "melds.set_min", "larger than any set of this deck, 4"),
    ({"deck.suits": "SH", "deal.hand_size": 4}, "deck.suits", "larger than any set of this deck, 2"),
    ({"deck.suits": "SH", "deal.hand_size": 4, "deck.jokers": 2}, "deck.suits", "any set of this deck, 2"),
    ({"deck.suits": "S", "deal.hand_size": 2, "melds.set_suits": "any", "deck.jokers": 2, "wilds.max_per_meld": 1},
     "deck.suits", "any set of this deck, 2"),
    ({"wilds.min_naturals": 4}, "wilds.min_naturals", "would forbid that meld"),
    ({"lay.when": "knock", "scoring.model": "knock_penalties"}, "knock.limit", "needs a [knock] section with a limit"),
    ({"lay.when": "knock", "scoring.model": "knock_penalties", "knock": {}}, "knock.limit", "missing"),
    ({"knock.limit": 10}, "knock", 'needs lay.when = "knock"'),
    ({**KNOCKING, "scoring.model": "penalty"}, "scoring.model", "scores emptied hands"),
    ({"scoring.model": "knock_difference"}, "scoring.model", "scores knocks"),
    ({**KNOCKING, "draw.pile": "deep"}, "draw.pile", "nothing is tabled in a turn"),
    ({**KNOCKING, "draw.top_obliges": True}, "draw.top_obliges", "nothing is tabled in a turn"),
    ({**KNOCKING, "call.kind": "top"}, "call.kind", "nothing is tabled in a turn"),
    ({"draw.pile": "closed", "deal.up_card_offer": "round"}, "deal.up_card_offer", "nobody may take the up-card"),
    ({"draw.pile": "closed", "call.kind": "pile"}, "call.kind", "nobody may take a called card"),
    ({"match": {}}, "match", "needs either a target or a number of rounds"),
    ({"match.target": 100}, "match.rounds", "exclude each other"),
    ({"match.target_allowed": {"min": 1, "max": 2}}, "match.target_allowed", "limits match.target, which is not set"),
    ({"match": {"target": 60, "target_allowed": {"min": 50, "max": 300, "step": 25}}}, "match.target",
     "60 is not allowed here: 50 to 300 in steps of 25"),
    ({"match": {"target": {"by_players": {"2": 50, "3": 325}}, "target_allowed": {"min": 50, "max": 300}}},
     "match.target", "325 is not allowed here"),
    ({"match": {"target": 60, "target_allowed": {"min": 70, "max": 50}}}, "match.target_allowed.min", "above the"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "path", "reason"), CLASHES)
def test_an_impossible_combination_is_refused_with_its_reason(
    changes: Mapping[str, object], path: str, reason: str
) -> None:
    problem = problem_of(with_dials(changes))
    assert problem.path == path
    assert reason in problem.allowed


def test_clashes_do_not_hide_each_other() -> None:
    """Also where the players are in the wrong order: the other checks take them the other way round."""
    found = problems_of(with_dials({"players.min": 4, "players.max": 3, "deal.hand_size": 30, "knock.limit": 10}))
    assert paths_of(found) == ["deal.hand_size", "knock", "players.min"]


IDLE: list[dict[str, object]] = [
    {"stock.when_empty": "none", "stock.renewals": 1},
    {"deck.ranks": "23456789", "melds.run_max": 13, "deal.hand_size": 5},
    {"melds.set_min": 5, "melds.set_max": 8, "melds.set_suits": "any", "deck.packs": 2},
    {"deck.packs": {"by_players": {"2": 1, "4": 2}}, "deal.hand_size": {"by_players": {"2": 7, "4": 13}}},
    {"deal.hand_size": {"by_round": [3, 4, 5]}},
    {"deal.hand_size": {"by_players": {"1": 3, "8": 50}}},  # there is no table for eight
    {"deal.hand_size": 1, "players.max": 8},
    {"lay.when": "going_out", "call.kind": "pile", "draw.pile": "deep"},
    {"draw.pile": "closed", "stock.then": "play_on"},
    {**KNOCKING, "knock.limit": "up_card", "scoring.rummy": "double", "lay.layoff": "none", "discard.last": "float"},
    {"wilds.max_per_meld": 0, "deck.jokers": 2, "scoring.values.joker": "as_card"},
    {"prize": {}, "match.best": "lowest", "scoring.model": "penalty"},
]


@pytest.mark.parametrize("changes", IDLE)
def test_a_combination_that_only_makes_a_dial_idle_is_allowed(changes: Mapping[str, object]) -> None:
    assert isinstance(load_profile(with_dials(changes)), Profile)


def test_ten_mistakes_are_ten_problems(tmp_path: Path) -> None:
    path = tmp_path / "ten.toml"
    path.write_text("""
        playrs = { min = 2, max = 3 }
        [deck]
        packs = "two"
        hand_size = 7
        ranks = "23A"
        [deal]
        hand_size = { by_players = { 2 = 7, 9 = 6 } }
        [melds]
        run_min = 5
        run_max = 4
        [lay]
        when = "knok"
        [draw]
        pile = "closed"
        [call]
        kind = "top"
        [scoring]
        values = { A = 1, "10" = 10 }
        [match]
        targt = 100
    """)
    problems = problems_of(path)
    hints = {problem.path: problem.suggestion for problem in problems}
    assert hints == {
        "playrs": "players",
        "deck.packs": None,
        "deck.hand_size": "deal.hand_size",
        "deck.ranks": "A23",
        "deal.hand_size.by_players.9": None,
        "melds.run_min": None,
        "lay.when": "knock",
        "call.kind": None,
        "scoring.values.10": "scoring.values.T",
        "match.targt": "match.target",
    }
    assert len(problems) == 10 and {problem.source for problem in problems} == {str(path)}


HINTS = [
    ({"melds.runmin": 3}, "melds.runmin", "melds.run_min"),
    ({"limit": 10}, "limit", "knock.limit"),
    ({"deck.joker": 1}, "deck.joker", "deck.jokers"),
    ({"deck.hand_size": 7}, "deck.hand_size", "deal.hand_size"),
    ({"stok": {}}, "stok", "stock"),
    ({"scoring.vals": {}}, "scoring.vals", "scoring.values"),
    ({"scoring.values.JK": 15}, "scoring.values.JK", "scoring.values.joker"),
    ({"scoring.values.X": 15}, "scoring.values.X", None),
    ({"deck.zzzzzz": 15}, "deck.zzzzzz", None),
    ({"wilds.swap": "no"}, "wilds.swap", "false"),
    ({"match.rounds": " 3"}, "match.rounds", "3"),
    ({"melds.ace": "Both"}, "melds.ace", "both"),
    ({"deal.hand_size": "7"}, "deal.hand_size", "7"),
]


@pytest.mark.parametrize(("changes", "path", "hint"), HINTS)
def test_did_you_mean(changes: Mapping[str, object], path: str, hint: str | None) -> None:
    problem = problem_of(with_dials(changes))
    assert (problem.path, problem.suggestion) == (path, hint)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"deal.hand_size": "7"}, 'deal.hand_size = "7": must be a whole number from 1 to 108, or '
         "{ by_players = { 2 = … } } or { by_round = […] } (did you mean 7, without quotes?)"),
        ({"wilds.swap": "yes"}, 'wilds.swap = "yes": must be true or false (did you mean true, without quotes?)'),
        ({"melds.run_min": True}, "melds.run_min = true: must be a whole number from 2 to 13"),
        ({"draw.pile": {"top": [1, False]}}, 'draw.pile = { top = [1, false] }: must be "top", "deep" or "closed"'),
        ({"players.min": None}, "players.min = (missing): must be a whole number from 2 to 8"),
    ],
)
def test_a_problem_shows_what_the_file_says(changes: Mapping[str, object], text: str) -> None:
    assert problem_of(with_dials(changes)).text == text


def test_a_problem_shows_a_table_that_holds_itself() -> None:
    table: dict[str, object] = {}
    table["top"] = table
    assert "draw.pile = " in problem_of(with_dials({"draw.pile": table})).text


@pytest.mark.parametrize("path", [path for path in tables() if path])
@pytest.mark.parametrize("value", [5, "text", [1], True])
def test_a_section_that_is_no_table_is_one_problem(path: str, value: object) -> None:
    problem = problem_of(with_dials({path: value}))
    assert (problem.path, problem.value, problem.allowed) == (path, value, f"must be a table, as [{path}]")


def test_missing_dials_are_named_one_by_one() -> None:
    assert paths_of(problems_of({})) == ["deal.hand_size", "match", "players.max", "players.min"]


def test_every_required_dial_has_a_stand_in() -> None:
    assert {dial.path for dial in dials() if dial.required} == {".".join(place) for place in STAND_INS}


def test_checks_name_dials_that_exist() -> None:
    known = dial_paths() | set(tables())
    assert {path for reads, _ in CHECKS for path in reads} <= known


def test_problems_are_plain_data() -> None:
    error = ProfileError(problems_of({"players": {"min": 10**9999}}))
    assert pickle.loads(pickle.dumps(error)).problems == error.problems


@pytest.mark.parametrize("name", variants())
def test_a_profile_survives_dict_json_toml_and_pickle(name: str) -> None:
    profile = load_profile(name)
    data = profile.to_dict()
    for copy in (data, json.loads(json.dumps(data)), tomllib.loads(profile.to_toml())):
        again = load_profile(copy)
        assert again == profile and hash(again) == hash(profile) and digest(again) == digest(profile)
    assert pickle.loads(pickle.dumps(profile)) == profile
    assert load_profile(profile) == profile


def test_awkward_text_survives_toml() -> None:
    title = 'quotes " back \\ slash \n \x7f \x00 ♠ \U0001f0cf'
    profile = load_profile(SMALLEST, {"meta.title": title})
    assert load_profile(tomllib.loads(profile.to_toml())).meta.title == title


def test_a_profile_is_frozen() -> None:
    profile = load_profile(SMALLEST)
    with pytest.raises(Exception, match="frozen"):
        profile.players.min = 3


def test_aces_follow_the_ace_until_they_are_set() -> None:
    values = load_profile("basic", {"scoring.values.A": 11}).scoring.values
    assert (values.of("A"), values.low_ace, values.hand_ace) == (11, 11, 11)
    values = load_profile("rummy-500", {"scoring.values.A": 20}).scoring.values
    assert (values.of("A"), values.low_ace, values.hand_ace) == (20, 1, 20)
    assert [values.of(rank) for rank in "23456789TJQK"] == [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


def test_numbers_by_players_and_by_round() -> None:
    by_players = load_profile(SMALLEST, {"deal.hand_size": {"by_players": {2: 10, 4: 7}}}).deal.hand_size
    assert [by_players.at(players) for players in range(2, 9)] == [10, 10, 7, 7, 7, 7, 7]
    by_round = load_profile(SMALLEST, {"deal.hand_size": {"by_round": (3, 4, 5)}}).deal.hand_size
    assert [by_round.at(2, round=number) for number in (1, 2, 3, 4, 99)] == [3, 4, 5, 5, 5]
    assert TableNumber.plain(7).at(3, round=2) == 7
    with pytest.raises(ValueError, match="smallest key is 2"):
        by_players.at(1)


def test_the_digest_is_of_what_is_played() -> None:
    profile = load_profile(SMALLEST)
    assert digest(profile) == digest(load_profile(SMALLEST, {"meta.title": "other", "meta.summary": "other"}))
    assert len({digest(profile), digest(load_profile(SMALLEST, {"melds.ace": "high"})),
                digest(load_profile(SMALLEST, {"meta.revision": 2})), digest(load_profile("basic"))}) == 4
    assert len(digest(profile)) == 16 and int(digest(profile), 16) >= 0


def test_every_dial_is_described() -> None:
    assert {dial.path for dial in dials()} == dial_paths()
    for dial in dials():
        assert isinstance(dial, Dial)
        assert dial.description.endswith(".") and dial.allowed
        assert dial.source.startswith("rules ") != dial.path.startswith("meta.")
        assert bool(dial.unit) == ("whole number" in dial.allowed), dial.path


def test_closest_survives_strange_words() -> None:
    assert closest("x" * 10**6, ("players",)) is None
    assert closest(5, ("players",)) is None
    assert closest("", ("players",)) is None


def test_the_schema_names_every_dial() -> None:
    schema = json_schema()
    for dial in dials():
        node: Any = schema
        for key in dial.path.split("."):
            assert node["additionalProperties"] is False and "required" not in node
            node = node["properties"][key]
        assert dial.description in node["description"] and dial.source in node["description"]
        assert node.get("default") == dial.default
    json.dumps(schema)


def test_a_profile_is_frozen_without_an_error_of_pydantic() -> None:
    profile = load_profile("basic")
    with pytest.raises(AttributeError, match="frozen"):
        profile.players.min = 3
    with pytest.raises(AttributeError, match="frozen"):
        del profile.players
    assert profile == load_profile("basic")
