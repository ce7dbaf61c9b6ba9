"""`Record`: saves and loads in the middle of a turn, replays to the same states, and finds damage where it is."""

from __future__ import annotations

import json
import pickle
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rummy_engine as rummy
from rummy_engine import record as module
from rummy_engine.profiles.loading import digest
from tests.matches import HUGE, SEATINGS, complaint, play, seatings, seeds, start


def sample(variant: str = "basic", players: int = 2, length: int = 30, seed: int = 1) -> rummy.Match:
    """A match that has been played for a while."""
    match = start((variant, players), seed)
    play(match, random.Random(seed), length)
    return match


def frame(match: rummy.Match) -> dict[str, Any]:
    """The JSON object of its record."""
    data: dict[str, Any] = json.loads(match.record().to_json())
    return data


def first_misfit(record: rummy.Record) -> int | None:
    """The index of the first action that is not legal where it stands, found step by step."""
    game, state = record.game, record.replay(0)
    for index, text in enumerate(record.actions):
        try:
            action = game.parse(state, text)
        except rummy.NotationError:
            return index
        if state.seat == rummy.DEALER and not game.is_over(state):
            owed = game.chance(state, random.Random(0))
            if type(action) is not type(owed) or sorted(text.split()) != sorted(str(owed).split()):
                return index
        elif game.why_not(state, action) is not None:
            return index
        state = game.apply_unchecked(state, action)
    return None


# ---------------------------------------------------------------------------------------------------- save and load


@settings(max_examples=60, deadline=None)
@given(seatings, seeds, st.integers(0, 150))
def test_saved_and_loaded_in_the_middle_of_a_turn(seating: tuple[str, int], seed: int, length: int) -> None:
    match = start(seating, seed)
    play(match, random.Random(seed), length)
    record = match.record()
    loaded = rummy.Record.from_json(record.to_json())
    assert loaded == record and loaded.to_json() == record.to_json()
    assert loaded.replay() == match.state
    again = rummy.Match.from_record(loaded)
    assert again.state == match.state and again.legal() == match.legal() and again.record() == record
    for each in (match, again):
        play(each, random.Random(seed + 1), 100)
    assert again.record() == match.record()


@pytest.mark.parametrize("seating", SEATINGS, ids=str)
def test_states_are_those_that_were_played(seating: tuple[str, int]) -> None:
    match = start(seating, 5)
    rng = random.Random(5)
    played = [match.state]
    while not match.over:
        play(match, rng, 1)
        played.append(match.state)
    record = match.record()
    states = list(record.states())
    assert states[0] == match.game.start(seating[1], record.dealer) and len(states) == len(record.actions) + 1
    assert [state for state in states if state.seat != rummy.DEALER or match.game.is_over(state)] == played
    for index in range(0, len(states), 7):
        assert record.replay(upto=index) == states[index]
    assert [str(action) for action, _ in record.steps()] == list(record.actions)


@pytest.mark.parametrize("upto", [-1, 10**6, True, 1.0, "1", HUGE])
def test_refuses_to_replay_what_is_not_there(upto: Any) -> None:
    with pytest.raises(rummy.RecordError) as caught:
        sample().record().replay(upto)
    assert caught.value.index is None


def test_says_what_was_played() -> None:
    match = sample("gin-knock", 3)
    record = match.record()
    assert record.players == 3 and record.dealer == record.replay(0).dealer and record.seed == match.seed
    assert record.profile == match.game.profile.to_dict() and record.game.digest == record.digest == match.game.digest
    assert record.revision == match.game.profile.meta.revision and record.schema_version == 1
    assert record.library == f"rummy-engine {rummy.__version__}"
    assert record.start is None and record.actions[0].startswith("deal ")


@pytest.mark.parametrize("variant", rummy.variants())
def test_the_digest_is_that_of_the_profile(variant: str) -> None:
    game = rummy.load(variant)
    record = rummy.Record(profile=game.profile.to_dict(), players=2, dealer=0)
    assert record.digest == game.digest == digest(game.profile)


def test_pickles_and_compares() -> None:
    record = sample().record()
    copy = pickle.loads(pickle.dumps(record))
    assert copy == record and copy.replay() == record.replay()
    assert record != sample(seed=2).record()


def test_survives_later_edits_of_its_variant(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('extends = "basic"\nmelds.ace = "both"\ndeal.hand_size = 6\n')
    match = rummy.Match(path, 2, seed=3)
    play(match, random.Random(3), 60)
    text = match.record().to_json()
    path.write_text('extends = "gin-knock"\n')
    module._compile.cache_clear()
    assert rummy.Record.from_json(text).replay() == match.state
    path.unlink()
    assert rummy.Match.from_record(rummy.Record.from_json(text)).state == match.state


def test_compiles_a_profile_once() -> None:
    text = sample().record().to_json()
    assert rummy.Record.from_json(text).game is rummy.Record.from_json(text).game


def test_goes_on_without_a_recorded_seed() -> None:
    data = frame(sample())
    data["seed"] = None
    match = rummy.Match.from_record(rummy.Record.from_json(json.dumps(data)))
    play(match, random.Random(1), 1000)
    assert match.over


@pytest.mark.parametrize("cut", ["deal", "reshuffle"])
def test_goes_on_where_chance_was_to_act(cut: str) -> None:
    match = start(("basic", 2), 1)
    while not match.over:
        actions = match.legal()
        match.play(rummy.DRAW if rummy.DRAW in actions else actions[-1])
    record = match.record()
    index = max(i for i, text in enumerate(record.actions) if text.startswith(cut + " "))
    data = {**frame(match), "actions": record.actions[:index]}
    again = rummy.Match.from_record(rummy.Record.from_json(json.dumps(data)))
    assert again.record().actions == record.actions[: index + 1]


# -------------------------------------------------------------------------------------------------------- positions


@settings(max_examples=40, deadline=None)
@given(seatings, seeds, st.integers(0, 80))
def test_starts_from_any_position(seating: tuple[str, int], seed: int, length: int) -> None:
    match = start(seating, seed)
    play(match, random.Random(seed), length)
    record = rummy.Record.of(match.game, match.state, [], seed=seed)
    assert record.start is not None
    assert rummy.Record.from_json(record.to_json()) == record
    again = rummy.Match.from_record(record)
    assert again.state == match.state
    for each in (match, again):
        play(each, random.Random(seed), 12)
        first = record.replay(0)
        if match.game.is_over(each.state) or (each.state.round, each.state.renewals) > (first.round, first.renewals):
            return  # from here on they deal and shuffle with other numbers
    assert again.state == match.state
    assert rummy.Record.from_json(again.record().to_json()).replay() == again.state


@pytest.mark.parametrize(
    "change",
    [
        {"hands": ["8S 8S", "KC"]}, {"hands": "8S"}, {"hands": None}, {"hands": ["8S", "8H", "8D"]}, {"seat": 7},
        {"phase": "lunch"}, {"colour": "red"}, {"stock": "8X"}, {"dealer": 1}, {"scores": "many"}, {"result": 5},
        {"table": [5]},
    ],
    ids=str,
)  # fmt: skip
def test_refuses_a_damaged_start(change: dict[str, Any]) -> None:
    match = sample(length=3)
    data = json.loads(rummy.Record.of(match.game, match.state.changed(dealer=0), []).to_json())
    data["start"] |= change
    with pytest.raises(rummy.RecordError) as caught:
        rummy.Record.from_json(json.dumps(data))
    assert caught.value.index is None


# ---------------------------------------------------------------------------------------------------- damaged actions


@settings(max_examples=60, deadline=None)
@given(seatings, seeds, st.sampled_from(["replaced", "removed", "doubled", "swapped"]), st.data())
def test_damage_is_found_at_the_first_action_that_does_not_fit(
    seating: tuple[str, int], seed: int, damage: str, data: st.DataObject
) -> None:
    record = sample(*seating, length=40, seed=seed).record()
    actions = list(record.actions)
    at = data.draw(st.integers(0, len(actions) - 1))
    if damage == "replaced":
        actions[at] = data.draw(st.sampled_from([*record.actions, "draw", "take", "pass", "discard KC", "fly", ""]))
    elif damage == "removed":
        del actions[at]
    elif damage == "doubled":
        actions.insert(at, actions[at])
    else:
        actions[at : at + 2] = reversed(actions[at : at + 2])
    damaged = rummy.Record.from_json(json.dumps({**json.loads(record.to_json()), "actions": actions}))
    misfit = first_misfit(damaged)
    if misfit is None:
        assert damaged.replay() == list(damaged.states())[-1]  # another match, but one that could be played
        return
    assert misfit >= at
    for attempt in (damaged.replay, lambda: list(damaged.states()), lambda: rummy.Match.from_record(damaged)):
        with pytest.raises(rummy.RecordError, match=f"action {misfit} ") as caught:
            attempt()
        assert caught.value.index == misfit
    assert damaged.replay(misfit) == list(record.states())[misfit] or misfit > at


def test_every_single_damage_of_a_round_is_found() -> None:
    """A text that is no action, and a draw too many, each at every place."""
    record = sample("gin-classic", length=40).record()
    for at, text in enumerate(record.actions):
        for wrong in ("fly", "deal AS", text + " x", "reshuffle " + record.actions[0][5:]):
            actions = (*record.actions[:at], wrong, *record.actions[at + 1 :])
            damaged = rummy.Record(record.profile, record.players, record.dealer, actions)
            with pytest.raises(rummy.RecordError) as caught:
                damaged.replay()
            assert caught.value.index == at
            assert damaged.replay(upto=at) == record.replay(upto=at)


@pytest.mark.parametrize("deal", [["AS"], ["AS"] * 52, [], ["JK"] + ["AS"] * 51])
def test_a_deal_of_other_cards_is_refused_at_its_index(deal: list[str]) -> None:
    data = frame(sample())
    data["actions"][0] = " ".join(["deal", *deal])
    with pytest.raises(rummy.RecordError) as caught:
        rummy.Record.from_json(json.dumps(data)).replay()
    assert caught.value.index == 0


# ------------------------------------------------------------------------------------------------------ damaged frame


def refuse_frame(data: object, match: str | None = None) -> None:
    """Asserts that this JSON is refused as a record, as a whole."""
    with pytest.raises(rummy.RecordError, match=match) as caught:
        rummy.Record.from_json(data if isinstance(data, str) else json.dumps(data))
    assert caught.value.index is None


@pytest.mark.parametrize("name", sorted(frame(sample())))
def test_every_part_is_needed_and_typed(name: str) -> None:
    data = frame(sample())
    refuse_frame({key: value for key, value in data.items() if key != name}, f"'{name}' is missing")
    wrongs: list[Any] = [True, 1.5, -1, 9, [1], [None], {"a": 1}, 2**256]
    wrongs += [] if isinstance(data[name], str) else ["", "x"]
    for wrong in wrongs + ([] if name in ("seed", "start") else [None]):
        if not (name == "seed" and wrong == 9) and not (name == "actions" and isinstance(wrong, list)):
            refuse_frame({**data, name: wrong})


@pytest.mark.parametrize("wrong", [None, 5, ["draw"], {"draw": 1}])
def test_an_action_that_is_no_text_is_named_by_its_index(wrong: object) -> None:
    data = frame(sample())
    data["actions"][3] = wrong
    with pytest.raises(rummy.RecordError, match="action 3 is no text") as caught:
        rummy.Record.from_json(json.dumps(data))
    assert caught.value.index == 3


def test_unknown_parts_and_versions_are_refused() -> None:
    data = frame(sample())
    refuse_frame({**data, "colour": "red"}, "'colour' is no part of a record")
    versions: tuple[Any, ...] = (0, 2, 99, "1", 1.0, True, None, [], 10**4000)
    for version in versions:
        refuse_frame({**data, "schema_version": version}, "schema version .*: this library reads 1")
    refuse_frame({"schema_version": 2, "something": "else"}, "schema version 2: this library reads 1")


def test_an_edited_profile_is_refused() -> None:
    data = frame(sample("gin-knock"))
    data["profile"]["knock"]["limit"] = 11
    refuse_frame(data, "its digest differs")
    refuse_frame({**frame(sample()), "digest": "0" * 16}, "its digest differs")
    refuse_frame({**frame(sample()), "digest": ""}, "digest")


@pytest.mark.parametrize(
    "change",
    [
        {"players": {"min": 4, "max": 2}}, {"meta": 5}, {"knock": {"limit": "low"}}, {"extends": "basic"}, {"deck": {}},
        {"deal": {"hand_size": 60}}, {"match": {}}, {"colour": {}},
    ],
    ids=str,
)  # fmt: skip
def test_a_profile_that_cannot_be_played_is_refused(change: dict[str, Any]) -> None:
    data = frame(sample())
    with pytest.raises(rummy.RecordError) as caught:
        rummy.Record(profile={**data["profile"], **change}, players=9, dealer=0)
    assert caught.value.index is None


@pytest.mark.parametrize("profile", [None, 5, "basic", [], {1: 2}, {"meta": object()}, {"meta": float("nan")}])
def test_a_record_by_hand_is_checked_too(profile: Any) -> None:
    with pytest.raises(rummy.RecordError):
        rummy.Record(profile=profile, players=2, dealer=0)
    recursive: dict[str, Any] = {}
    recursive["meta"] = recursive
    with pytest.raises(rummy.RecordError):
        rummy.Record(profile=recursive, players=2, dealer=0)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "null", "[]", "5", '"record"', "{", "{}", "nonsense", "\ufeff{}", "{'a': 1}", "[" * 100_000,
        '{"a":' * 100_000, '{"schema_version":1,"schema_version":1}', '{"seed":NaN}', '{"seed":Infinity}',
        '{"seed":-Infinity}', '{"seed":1e999}', '{"seed":' + "9" * 10_000 + "}", "\x00", '{"a":"\\ud800"}',
    ],
    ids=lambda text: text[:20],
)  # fmt: skip
def test_no_record_at_all(text: str) -> None:
    refuse_frame(text)


@pytest.mark.parametrize("text", [None, b"{}", 5, {}, [], Path("x.json")])
def test_a_record_is_read_from_text(text: Any) -> None:
    with pytest.raises(rummy.RecordError, match="from text"):
        rummy.Record.from_json(text)
    with pytest.raises(rummy.RecordError, match="expected a Record"):
        rummy.Match.from_record(text)


def test_a_name_twice_and_a_huge_text_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = sample().record().to_json()
    refuse_frame(text[:-1] + ',"seed":1}', "'seed' is named twice")
    refuse_frame(text.replace('"melds":{', '"melds":{"ace":"low",', 1), "'ace' is named twice")
    monkeypatch.setattr(module, "MAX_LENGTH", 1000)
    refuse_frame(text, "too long")


def test_deep_nesting_below_the_recursion_limit() -> None:
    data = frame(sample())
    for name in ("profile", "start", "seed", "actions", "digest"):
        for depth in (100, 500, 900):
            deep: Any = 1
            for _ in range(depth):
                deep = {"a": deep}
            refuse_frame({**data, name: deep})
            refuse_frame({**data, "profile": {**data["profile"], "meta": {"name": deep}}})


def test_a_text_cut_anywhere_is_refused() -> None:
    text = sample().record().to_json()
    for length in range(0, len(text), 37):
        refuse_frame(text[:length])


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_text_edited_anywhere_is_refused_or_plays(data: st.DataObject) -> None:
    """Whatever a hand does to the text, there is a RecordError or a match that could be played."""
    text = sample().record().to_json()
    at = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 3))
    new = data.draw(st.text(st.sampled_from('0123456789{}[]",:\\ASHDCTJQK-e.xnu '), max_size=4))
    text = text[:at] + new + text[at + cut :]
    complained = complaint(lambda: rummy.Record.from_json(text).replay())
    assert complained is None or complained[0] == "RecordError"
