"""The shipped profiles say what the rules say, each clause in its dial."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from rummy_engine.profiles.dials import dials, json_schema
from rummy_engine.profiles.loading import digest, load_profile, variants, variants_dir

# Dials that differ from their default, by profile: the complete list, from the clauses of the rules.
BASIC: dict[str, object] = {
    "players.min": 2, "players.max": 4,  # A1
    "deal.hand_size": {"by_players": {"2": 10, "3": 7}},  # A2
    "discard.last_face_down": True,  # A10
    "ending.deadlock": True,  # A14
    "scoring.rummy": "double",  # A17
    "scoring.drawn": "loss",  # A15
    "match.target": {"by_players": {"2": 100, "3": 150, "4": 200}},  # A18
}  # fmt: skip
RUMMY_500: dict[str, object] = {
    "players.min": 2, "players.max": 8,  # R1
    "deck.packs": {"by_players": {"2": 1, "6": 2}}, "deck.jokers": 2,  # R1, R2
    "deal.hand_size": {"by_players": {"2": 13, "3": 7}},  # R3
    "melds.ace": "both",  # R6
    "draw.pile": "deep", "draw.pile_view": "all",  # R11, R4
    "stock.when_empty": "none", "stock.renewals": 0, "stock.then": "play_on",  # R28, R29
    "call.kind": "pile",  # R20
    "scoring.model": "melds_minus_hand",  # R31
    "scoring.values.A": 15, "scoring.values.low_ace": 1,  # R31, R32
    "match.target": 500,  # R35
}  # fmt: skip
EXPECTED: dict[str, dict[str, object]] = {
    "basic": BASIC,
    "rummy-2-6": {
        "players.min": 2, "players.max": 6, "deal.hand_size": {"by_players": {"2": 10, "3": 7, "5": 6}},  # V1
        "discard.taken": "if_last",  # V4
        "stock.when_empty": "turn_over", "stock.keep_top": False, "stock.renewals": 2,  # V6
        "scoring.rummy": "double",  # V7
        "match.target": 100, "match.target_allowed.min": 50, "match.target_allowed.max": 300,  # V9
        "match.target_allowed.step": 25,
    },
    "rummy-500": RUMMY_500,
    "gin-knock": {
        "players.min": 2, "players.max": 4, "deal.hand_size": {"by_players": {"2": 10, "3": 7}},  # B1, B2
        "deal.up_card_offer": "round",  # B5
        "lay.when": "knock",  # B8
        "stock.floor": 2, "stock.renewals": "unlimited",  # B10, B11
        "knock.limit": 10, "knock.undercut_to": "penalty",  # B12, B22
        "scoring.model": "knock_penalties",  # B20
        "match.rounds": 3, "match.best": "lowest", "match.tie": "share",  # B25, 2.B-23
    },
    "gin-classic": {
        "players.min": 2, "players.max": 2, "deal.hand_size": 10,
        "deal.up_card_offer": "round", "deal.after_exhausted": "same",
        "lay.when": "knock", "knock.limit": 10,
        "stock.floor": 2, "stock.when_empty": "none", "stock.renewals": 0,
        "scoring.model": "knock_difference", "match.target": 100,
    },
    "basic-one-meld": {**BASIC, "lay.melds_per_turn": 1},
    "basic-penalty": {**BASIC, "scoring.model": "penalty", "match.best": "lowest"},
    "rummy-500-no-jokers": {key: value for key, value in RUMMY_500.items() if key != "deck.jokers"},  # R36
    "rummy-500-5-10-15": {  # R37
        **RUMMY_500, **{f"scoring.values.{rank}": 5 for rank in "2346789"}, "scoring.values.low_ace": 5,
    },
    "rummy-500-floating": {**RUMMY_500, "discard.last": "float"},  # R38
    "rummy-500-unplayable-out": {**RUMMY_500, "discard.last_unplayable": True},  # R39
}  # fmt: skip


def test_the_main_games_come_first() -> None:
    assert variants()[:4] == ("basic", "rummy-2-6", "rummy-500", "gin-knock")
    assert list(variants()[4:]) == sorted(variants()[4:])
    assert set(variants()) == set(EXPECTED)


def flat(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        if isinstance(value, Mapping) and not {"by_players", "by_round"} & set(value):
            yield from flat(value, f"{path}{key}.")
        else:
            yield f"{path}{key}", value


@pytest.mark.parametrize("name", variants())
def test_a_shipped_profile_differs_from_the_defaults_exactly_so(name: str) -> None:
    defaults = {dial.path: dial.default for dial in dials()}
    set_dials = {
        path: value
        for path, value in flat(load_profile(name).to_dict())
        if not path.startswith("meta.") and value != defaults[path]
    }
    assert set_dials == EXPECTED[name]


@pytest.mark.parametrize("name", variants())
def test_a_shipped_profile_is_well_presented(name: str) -> None:
    profile = load_profile(name)
    assert profile.meta.name == name
    assert profile.meta.title != name and profile.meta.summary.endswith(".")
    assert (profile.prize is not None) == (name == "gin-knock")  # B26


def test_digests_tell_the_variants_apart() -> None:
    assert len({digest(load_profile(name)) for name in variants()}) == len(variants())


def test_what_is_left_for_the_stock() -> None:
    stocks = {
        name: [
            profile.deck.size(players) - players * profile.deal.hand_size.at(players) - 1
            for players in range(profile.players.min, profile.players.max + 1)
        ]
        for name, profile in ((name, load_profile(name)) for name in variants())
    }
    assert stocks["basic"] == [31, 30, 23]
    assert stocks["rummy-2-6"] == [31, 30, 23, 21, 15]  # B09
    assert stocks["rummy-500"] == [27, 32, 25, 18, 65, 58, 51]  # R3
    assert stocks["rummy-500-no-jokers"] == [25, 30, 23, 16, 61, 54, 47]
    assert stocks["gin-classic"] == [31]


def fits(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether a value satisfies the few keywords of JSON Schema that `json_schema` uses."""
    kinds = {"object": dict, "string": str, "boolean": bool, "array": list, "integer": int}
    kind = kinds.get(schema.get("type", ""), object)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        return False
    if "anyOf" in schema and not any(fits(value, choice) for choice in schema["anyOf"]):
        return False
    if "pattern" in schema and not re.search(schema["pattern"], str(value)):
        return False
    if value not in schema.get("enum", [value]) or value != schema.get("const", value):
        return False
    if kind is int and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        return False
    if isinstance(value, dict):
        inner = schema.get("properties", {})
        by_key = next(iter(schema.get("patternProperties", {}).values()), None)
        return all(fits(item, inner.get(key, by_key)) for key, item in value.items() if inner.get(key, by_key)) and (
            schema.get("additionalProperties", True) or by_key is not None or set(value) <= set(inner)
        )
    return True


@pytest.mark.parametrize("name", variants())
def test_the_schema_accepts_the_shipped_files(name: str) -> None:
    schema = json_schema()
    assert fits(tomllib.loads((variants_dir() / f"{name}.toml").read_text(encoding="utf-8")), schema)
    assert fits(load_profile(name).to_dict(), schema)


@pytest.mark.parametrize(
    "table",
    [
        {"extends": "nothing-shipped"}, {"melds": {"ace": "wrap"}}, {"melds": {"set_min": True}}, {"melds": 5},
        {"playrs": {}}, {"deal": {"hand_size": "7"}}, {"deal": {"hand_size": {"by_rounds": [7]}}},
        {"stock": {"renewals": -1}}, {"scoring": {"values": {"2": 2.5}}}, {"match": {"target_allowed": {"steps": 5}}},
    ],
)  # fmt: skip
def test_the_schema_refuses_what_the_loader_refuses(table: Mapping[str, Any]) -> None:
    assert not fits(dict(table), json_schema())
