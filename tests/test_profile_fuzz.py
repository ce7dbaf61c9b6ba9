"""Whatever is written in a profile: a `Profile` that can be played, or a `ProfileError` with reasons."""

from __future__ import annotations

import tomllib

from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_engine.errors import ProfileError
from rummy_engine.profiles.dials import Dial, dial_paths, dials, tables
from rummy_engine.profiles.loading import load_profile, variants

leaves = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 120), st.integers(), st.floats(), st.text(max_size=8), st.just(10**4000),
    st.sampled_from([choice for dial in dials() for choice in dial.choices]), st.binary(max_size=3), st.dates(),
)  # fmt: skip
keys = st.one_of(
    st.sampled_from(sorted({part for path in dial_paths() for part in path.split(".")})),
    st.sampled_from(["by_players", "by_round", "2", "3", "extends", "extend", "scoring.values"]),
    st.integers(0, 9), st.text(max_size=5), st.booleans(), st.none(),
)  # fmt: skip
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=4)),
    max_leaves=12,
)
sections = st.sampled_from([path for path in tables() if path and "." not in path] + ["extends", "x"])
files = st.one_of(
    st.dictionaries(keys, trees, max_size=6),
    st.dictionaries(sections, trees, max_size=6),
    st.dictionaries(sections, st.dictionaries(keys, trees, max_size=5), max_size=6),
    st.dictionaries(sections, trees, max_size=4).map(lambda tree: {**tree, "extends": "gin-knock"}),
)
override_sets = st.dictionaries(st.one_of(st.sampled_from(sorted(dial_paths())), sections, keys), trees, max_size=4)


@settings(max_examples=300, deadline=None)
@given(files, st.none() | override_sets)
def test_whatever_is_written_only_profile_errors_are_raised(
    tree: dict[str, object], overrides: dict[str, object] | None
) -> None:
    try:
        profile = load_profile(tree, overrides)
    except ProfileError as error:
        assert error.problems and str(error)
    else:
        assert load_profile(profile.to_dict()) == profile


def candidates(dial: Dial) -> st.SearchStrategy[object]:
    """Values that the dial takes by itself."""
    options: list[st.SearchStrategy[object]] = [st.sampled_from(dial.choices)] if dial.choices else []
    if dial.unit:
        options.append(st.integers(0, 8))
    if dial.allowed == "true or false":
        options.append(st.booleans())
    return st.one_of(options) if options else st.just(dial.default)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_any_dials_together_give_a_profile_or_reasons(data: st.DataObject) -> None:
    parent = data.draw(st.sampled_from(variants()))
    chosen = data.draw(st.lists(st.sampled_from(dials()), max_size=6, unique=True))
    overrides = {dial.path: data.draw(candidates(dial)) for dial in chosen}
    try:
        profile = load_profile(parent, overrides)
    except ProfileError as error:
        assert all(problem.allowed for problem in error.problems)
    else:
        assert load_profile(tomllib.loads(profile.to_toml())) == profile
        for players in range(profile.players.min, profile.players.max + 1):
            hand, floor = profile.deal.hand_size.at(players), profile.stock.floor
            assert players * hand + 2 + floor <= profile.deck.size(players)
