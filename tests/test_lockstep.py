"""The short form of `tests.lockstep`: every shipped table, and 150 random profiles, in both engines."""

from __future__ import annotations

from itertools import count

import pytest

import rummy_engine as rummy
from tests.lockstep import Compared, Difference, Pair, compare_random_profile, tables


@pytest.mark.parametrize(("name", "players"), list(tables()))
def test_shipped_variants(name: str, players: int) -> None:
    compared = Pair.of(name, players).play(seed=players, eagerness=0.9, rounds=2 if players <= 4 else 1)
    assert compared.rounds + compared.cut >= 1
    assert compared.decisions > 10


def test_random_profiles() -> None:
    found, profiles = Compared(), 0
    for seed in count():
        compared = compare_random_profile(seed, rounds=1)
        if compared is not None:
            found, profiles = found + compared, profiles + 1
        if profiles == 150:
            break
    print(found)
    assert found.rounds > 140
    phases = {name.split()[0] for name in found.met if not name.startswith("ended")}
    assert phases == {"offer", "draw", "play", "spread", "respond", "call"}
    assert {name.split()[1] for name in found.met if name.startswith("ended")} >= {"out", "void", "knock", "stock_out"}


def test_a_difference_is_told_with_a_position_that_pastes_back() -> None:
    """A reference with another profile: the first decision that differs is reported."""
    game = rummy.load("basic")
    other = Pair.of("basic", 2, {"discard.taken": "free", "match.rounds": 1}).reference
    with pytest.raises(Difference) as caught:
        Pair(game, other, 2).play(seed=1, eagerness=0.0, rounds=5)
    where, position, *profile = str(caught.value).splitlines()
    assert where.startswith("basic, 2 players: only ours set(), only theirs {'discard ")
    assert position.startswith("position(**{'hands': ")
    assert profile[0] == "[meta]"
