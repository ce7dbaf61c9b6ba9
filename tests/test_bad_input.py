"""Bad input at the library: one clear error of the right class, soon, and nothing changed."""

from __future__ import annotations

import json
import pickle
import random
import subprocess
import sys
import zipfile
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import rummy_engine as rummy
from rummy_engine.compare import compare
from rummy_engine.simulate import BotError, simulate
from tests.helpers import game, table_of

ROOT = Path(__file__).resolve().parent.parent
HUGE = 10**5000


def nested(depth: int) -> list[Any]:
    """A list in a list in a list …"""
    deep: list[Any] = []
    for _ in range(depth):
        deep = [deep]
    return deep


@pytest.mark.parametrize("value", [
    pytest.param(HUGE, id="number"), pytest.param({"by_round": [HUGE]}, id="by round"),
    pytest.param({"by_players": {HUGE: HUGE}}, id="by players"), pytest.param(nested(5000), id="deep"),
])  # fmt: skip
def test_values_that_cannot_be_printed_are_reported_quietly(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written to the screen beside the error."""
    ignored: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", ignored.append)
    for dial in ("deal.hand_size", "stock.floor", "match.target", "lay"):
        with pytest.raises(rummy.ProfileError) as caught:
            rummy.load("basic", {dial: value})
        assert len(str(caught.value)) < 1000
    assert not ignored


def test_twenty_thousand_unknown_keys_are_all_reported() -> None:
    keys = {f"key{i}": i for i in range(20_000)}
    with pytest.raises(rummy.ProfileError) as caught:
        rummy.load({"extends": "basic", **keys, "melds": {"run_mni": 3}})
    assert {problem.path for problem in caught.value.problems} >= {*keys, "melds.run_mni"}


@pytest.mark.parametrize("overrides", [{"lay": 5, "lay.layoff": "own"}, {"lay.layoff": "own", "lay": 5}])
def test_a_table_that_is_none_is_reported_whatever_else_is_set_in_it(overrides: dict[str, Any]) -> None:
    with pytest.raises(rummy.ProfileError, match="must be a table"):
        rummy.load("basic", overrides)
    with pytest.raises(rummy.ProfileError, match="must be a table"):
        rummy.load({"extends": "basic", "lay": 5}, {"lay.layoff": "own"})


def test_a_key_by_number_and_by_text_is_named_twice() -> None:
    values = {2: 5, "2": 7}
    with pytest.raises(rummy.ProfileError, match="twice"):
        rummy.load({"extends": "basic", "scoring": {"values": values}})
    with pytest.raises(rummy.ProfileError, match="twice"):
        rummy.load("basic", {"deal.hand_size": {"by_players": {2: 7, "2": 7}}})


def test_states_of_another_game_are_refused() -> None:
    basic, other = game("basic"), game("rummy-500")
    state = table_of(other, "4C", "5C", "6C", table=["0: AS 2S 3S"], pile="4S", phase="call", by=0, seat=1)
    six = table_of(other, *["4C", "5C", "6C", "7C", "8C", "9C"], phase="draw")
    rng = random.Random(1)
    for foreign in (state, six):
        asked: list[Callable[[], object]] = [
            lambda s=foreign: basic.legal(s),  # type: ignore[misc]  # mypy infers no lambda with a default
            lambda s=foreign: basic.apply(s, "call"),  # type: ignore[misc]  # mypy infers no lambda with a default
            lambda s=foreign: basic.apply_unchecked(s, rummy.PASS),  # type: ignore[misc]  # mypy infers no lambda with a default
            lambda s=foreign: basic.view(s, s.seat),  # type: ignore[misc]  # mypy infers no lambda with a default
            lambda s=foreign: basic.playout(s, rng),  # type: ignore[misc]  # mypy infers no lambda with a default
            lambda s=foreign: basic.sample(other.view(s, 0), rng),  # type: ignore[misc]  # mypy infers no lambda with a default
        ]
        for ask in asked:
            with pytest.raises(rummy.RummyError):
                ask()


@pytest.mark.parametrize("change", [
    {"phase": "nope"}, {"phase": "call"}, {"to_act": 7}, {"to_act": -2}, {"seat": 9}, {"known": ()}, {"scores": ()},
    {"sizes": (2,)}, {"sizes": (30, 30)}, {"stock_size": -3}, {"stock_size": 1000},
], ids=str)  # fmt: skip
def test_an_edited_view_is_refused(change: dict[str, Any]) -> None:
    basic = game("basic")
    view = basic.view(table_of(basic, "4C 9D", "2H", pile="KS", phase="draw"), 1)
    assert basic.sample(view, random.Random(1))
    with pytest.raises(rummy.RummyError):
        basic.sample(view._replace(**change), random.Random(1))


@pytest.mark.parametrize("number", [1.0, float("nan"), float("inf"), "x", None, 1e9])
def test_a_generator_that_gives_nonsense(number: Any) -> None:
    class Generator:
        def random(self) -> Any:
            return number

    game = rummy.load("basic")
    with pytest.raises(rummy.RummyError, match="numbers from 0 to less than 1"):
        game.chance(game.start(2), Generator())


def test_what_is_no_generator_no_chance_and_no_meld_is_named() -> None:
    basic = game("basic")
    state = table_of(basic, "4C 9D", "2H", pile="KS", phase="draw")
    anything: Any = 5
    asked: list[tuple[str, Callable[[], object]]] = [
        ("generator", lambda: basic.chance(basic.start(2), anything)),
        ("generator", lambda: basic.playout(state, anything)),
        ("generator", lambda: basic.sample(basic.view(state, 0), anything)),
        ("chance must be a function", lambda: rummy.Match("basic", 2, chance=anything)),
        ("chance must be a function", lambda: rummy.Match.from_record(rummy.Match("basic", 2).record(), anything)),
        ("onto takes melds", lambda: rummy.best_arrangement("7H", basic, onto=anything)),
        ("game", lambda: rummy.best_arrangement("7H", anything)),
        ("game", lambda: rummy.melds("7H", anything)),
    ]
    for told, ask in asked:
        with pytest.raises(rummy.RummyError, match=told):
            ask()


def test_a_bad_deal_is_not_shown() -> None:
    """A server's log must not hold the cards of a match that goes on."""

    def short(rules: rummy.Game, state: rummy.State, k: int) -> rummy.Action:
        deal = rules.chance(state, random.Random(k))
        return rummy.Deal(deal.cards[:-1]) if isinstance(deal, rummy.Deal) else deal

    with pytest.raises(rummy.MatchError, match="names every card") as caught:
        rummy.Match("basic", 2, chance=short)
    assert caught.value.__cause__ is None and len(str(caught.value)) < 120
    with pytest.raises(rummy.IllegalActionError) as refused:
        game("basic").apply(game("basic").start(2), "deal AS 2S KH")
    assert str(refused.value).startswith("deal: ") and "KH" not in str(refused.value)
    assert str(refused.value.action) == "deal AS 2S KH"


def test_more_cards_than_can_be_taken_at_once() -> None:
    with pytest.raises(rummy.NotationError, match="taken: 2 cards cannot be taken at once in this variant"):
        table_of(game("basic"), "4C 9D", "2H", taken="4C 9D")


def test_records_and_refusals_cannot_be_changed() -> None:
    match = rummy.Match("rummy-500", 3, seed=1, overrides={"deal.hand_size": {"by_round": [3, 4]}})
    record = rummy.Record.of(match.game, match.state, [])
    basic = game("basic")
    refusal = basic.why_not(table_of(basic, "4C 9D", "2H"), "discard AS")
    assert record.start is not None and refusal is not None
    tables: list[Any] = [record.profile, record.profile["deal"], record.start, refusal.details]
    for table in tables:
        changes: list[Callable[[Any], object]] = [
            lambda t: t.update(x=1), lambda t: t.__setitem__("x", 1), lambda t: t.pop("x"), lambda t: t.clear(),
            lambda t: t.setdefault("x", 1), lambda t: t.popitem(), lambda t: t.__ior__({}),
            lambda t: t.__delitem__("x"),
        ]  # fmt: skip
        for change in changes:
            with pytest.raises(TypeError, match="immutable"):
                change(table)
        assert json.loads(json.dumps(table)) == json.loads(json.dumps(dict(table)))
        assert pickle.loads(pickle.dumps(table)) == deepcopy(table) == table
    assert record.profile["deal"]["hand_size"]["by_round"] == (3, 4)
    assert rummy.Record.from_json(record.to_json()) == record


def test_the_shipped_variants_are_found_in_a_zip(tmp_path: Path) -> None:
    """As zipimport, pex and frozen programs have it."""
    path = tmp_path / "library.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in (ROOT / "rummy_engine").rglob("*.py"):
            archive.write(file, file.relative_to(ROOT))
        for file in (ROOT / "variants").glob("*.toml"):
            archive.write(file, Path("rummy_engine", "variants", file.name))
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import rummy_engine as r; assert '.zip' in r.__file__;"
        "print(*r.variants()); print(*[r.load(name).digest for name in r.variants()]);"
        "print(r.load('rummy-500-floating').profile.meta.name)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    names, digests, name = done.stdout.splitlines()
    assert tuple(names.split()) == rummy.variants() and name == "rummy-500-floating"
    assert digests.split() == [rummy.load(each).digest for each in rummy.variants()]


OPTIONS: tuple[tuple[str, object], ...] = (
    ("bots", 5), ("rounds", 0), ("rounds", HUGE), ("matches", -1), ("seed", -1), ("seed", HUGE), ("workers", 0),
    ("workers", HUGE), ("until", 5), ("until", "edge"), ("executor", 5), ("progress", 5), ("checkpoint", 5),
    ("rows", 5), ("rows", b"x"), ("on_fault", []), ("players", 9), ("players", "2"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "value"), OPTIONS, ids=[f"{name} {i}" for i, (name, _) in enumerate(OPTIONS)])
def test_options_of_a_run_are_checked_before_it(name: str, value: Any) -> None:
    with pytest.raises(rummy.RummyError) as caught:
        simulate("basic", **{"rounds": 1, name: value})
    assert len(str(caught.value)) < 200
    with pytest.raises(rummy.RummyError):
        compare(["basic"], **{"rounds": 1, "lineups" if name == "bots" else name: value})


@pytest.mark.parametrize("vary", [5, [], {"melds.run_min": 3}, {"melds.run_min": "3"}, {"melds.run_min": []}])
def test_what_is_compared_is_checked(vary: Any) -> None:
    with pytest.raises(rummy.RummyError):
        compare(["basic"], rounds=1, vary=vary)
    wrong: list[Any] = ["basic", 5, None, [], [5], ["nope"]]
    for variants in wrong:
        with pytest.raises(rummy.RummyError):
            compare(variants, rounds=1)


class Anything:
    """Equal to everything."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]  # Python's way to say: not hashable


@pytest.mark.parametrize("nonsense", [None, "draw", 0, [rummy.DRAW], rummy.Take(1.0), Anything()])  # type: ignore[arg-type]  # wrong on purpose
def test_a_bot_that_returns_nonsense_is_named(nonsense: Any) -> None:
    with pytest.raises(BotError, match=r"bot '<lambda>' \(seat 0\) returned"):
        simulate("basic", bots=lambda view, legal, rng: nonsense, rounds=1)


def test_files_of_a_run_may_be_named_by_text(tmp_path: Path) -> None:
    simulate("basic", rounds=2, rows=str(tmp_path / "rows.csv"), checkpoint=str(tmp_path / "checkpoint.json"))
    assert (tmp_path / "rows.csv").read_text().count("\n") >= 3
