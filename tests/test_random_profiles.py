"""Any valid combination of dials keeps every law: profiles drawn over the whole dial list.

RUMMY_PROFILES sets how many profiles are drawn (default 25):

    RUMMY_PROFILES=2000 pytest tests/test_random_profiles.py
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rummy_engine as rummy
from rummy_engine.profiles.dials import Dial, dials
from rummy_engine.profiles.loading import load_profile
from rummy_engine.profiles.profile import Profile
from rummy_engine.testing import strategies, verify
from rummy_engine.testing.driving import drive, some_policies, some_start
from rummy_engine.testing.generating import (
    CLASHES,
    is_refused,
    options,
    put,
    random_profile,
    valid_profile,
)
from rummy_engine.testing.idle import idle_dials
from rummy_engine.testing.staticchecks import static_findings

PROFILES = int(os.environ.get("RUMMY_PROFILES", "25"))
CHECKED_BEFORE = ("meta.", "match.target_allowed.")
"""Dials that say nothing about play."""
LOOSE = settings(deadline=None, suppress_health_check=list(HealthCheck))


@settings(LOOSE, max_examples=PROFILES)
@given(profile=strategies.profiles(), seed=strategies.seeds)
def test_every_law_holds(profile: Profile, seed: int) -> None:
    game = rummy.Game(profile)
    report = verify(game, examples=3, seed=seed)
    assert not report.broken, str(report.broken[0])


@settings(LOOSE, max_examples=2 * PROFILES)
@given(profile=strategies.profiles(), seed=strategies.seeds)
def test_an_idle_dial_changes_nothing(profile: Profile, seed: int) -> None:
    game, rng = rummy.Game(profile), Random(seed)
    players = rng.randint(profile.players.min, profile.players.max)
    steps = list(drive(game, some_start(game, players, rng), rng, some_policies(players, rng), 60))
    by_path = {dial.path: dial for dial in dials()}
    for idle in idle_dials(profile):
        tree = profile.to_dict()
        put(tree, idle.path, rng.choice(options(by_path[idle.path])))
        try:
            other = rummy.load(tree)
        except rummy.ProfileError:
            continue  # alone that value is refused
        for before, action, after in steps:
            assert set(other.legal(before)) == set(game.legal(before)), f"{idle} matters for what is legal"
            assert other.apply(before, action) == after, f"{idle} matters after {action}"


@settings(LOOSE, max_examples=4 * PROFILES)
@given(strategies.invalid_profiles())
def test_a_spoilt_profile_is_refused(tree: dict[str, Any]) -> None:
    assert is_refused(tree)


@pytest.mark.parametrize("clash", CLASHES, ids=str)
def test_clashes_are_refused(clash: dict[str, object]) -> None:
    pick = random.Random(1).choice
    for _ in range(20):
        tree = random_profile(pick)
        for path, value in clash.items():
            put(tree, path, value)
        assert is_refused(tree)


def test_nearly_every_draw_is_valid_and_every_dial_is_varied() -> None:
    seen: dict[str, set[str]] = {}
    refused = 0
    for seed in range(300):
        tree = random_profile(Random(seed).choice)
        refused += is_refused(tree)
        for dial in dials():
            seen.setdefault(dial.path, set()).add(repr(_at(tree, dial.path)))
    assert refused <= 3
    same = [dial.path for dial in dials() if len(seen[dial.path]) < 2]
    assert all(path.startswith(CHECKED_BEFORE) for path in same), same
    for dial in dials():
        missing = {repr(choice) for choice in _words(dial)} - seen[dial.path]
        assert not missing, f"{dial.path} is never {missing}"


def _words(dial: Dial) -> Sequence[object]:
    return (*dial.choices, *((False, True) if dial.allowed == "true or false" else ()))


def _at(tree: Any, path: str) -> object:
    for key in path.split("."):
        tree = tree.get(key) if isinstance(tree, dict) else None
    return tree


def test_the_plainest_profile_is_the_default_game() -> None:
    profile = valid_profile(lambda options: options[0])
    assert profile.lay.when == "any_turn" and profile.draw.pile == "top" and profile.knock is None
    assert profile.deck.ranks == "A23456789TJQK" and profile.players.max == 2


@settings(LOOSE, max_examples=PROFILES)
@given(strategies.profiles())
def test_static_findings_never_fail(profile: Profile) -> None:
    for finding in static_findings(rummy.Game(profile)):
        assert finding.level in ("fault", "warning", "note") and finding.text


@settings(LOOSE, max_examples=PROFILES)
@given(st.data())
def test_random_profiles_survive_their_own_text(data: st.DataObject) -> None:
    profile = data.draw(strategies.profiles())
    assert load_profile(profile.to_dict()) == profile
