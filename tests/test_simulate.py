"""Simulations and comparisons: seeded, the same for any number of workers, counted right, and clear about bad bots."""

from __future__ import annotations

import json
import os
import pickle
import random
import statistics
from collections import Counter
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rummy_engine as rummy
from rummy_engine.bots.at_random import at_random
from rummy_engine.chance import chance_rng
from rummy_engine.compare import INTERVALS, MEASURES, Comparison, compare
from rummy_engine.exports import to_csv, to_json
from rummy_engine.game import Random
from rummy_engine.intervals import UNKNOWN, Z, mean_of, share_of
from rummy_engine.simulate import CHUNK, BotError, Setup, Simulation, record_round, round_seed, run, simulate
from rummy_engine.tally import ENDINGS, Tally
from tests.matches import HUGE, SEATINGS, compiled


def at_random_by_view(view: rummy.View, legal: tuple[rummy.Action, ...], rng: Random) -> rummy.Action:
    """As the random bot, but by way of a view."""
    assert view.legal == legal
    return at_random(view, legal, rng)


def raises_late(view: rummy.View, legal: tuple[rummy.Action, ...], rng: Random) -> rummy.Action:
    """Raises in its third turn."""
    if view.turns >= 4:
        raise ValueError("no idea\nleft")
    return at_random(view, legal, rng)


def dies(view: rummy.View, legal: tuple[rummy.Action, ...], rng: Random) -> rummy.Action:
    """Takes its process with it."""
    os._exit(3)


class Odd:
    """Cannot be compared with anything."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("not comparable")

    __hash__ = None  # type: ignore[assignment]


# ------------------------------------------------------------------------------------------------------------ intervals


def test_shares_against_values_worked_out_by_hand() -> None:
    # Wilson: (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)
    assert share_of(0, 10)[:2] == (0.0, 0.0)
    assert share_of(0, 10).high == pytest.approx(Z**2 / (10 + Z**2), abs=1e-9)  # 0.2775
    assert share_of(10, 10).low == pytest.approx(10 / (10 + Z**2), abs=1e-9)
    assert share_of(50, 100) == pytest.approx((0.5, 0.4038, 0.5962), abs=5e-5)
    assert share_of(8, 10) == pytest.approx((0.8, 0.4902, 0.9433), abs=5e-5)
    assert share_of(0, 0) == UNKNOWN


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_shares_lie_in_their_intervals(counts: tuple[int, int]) -> None:
    value, low, high = share_of(*counts)
    assert value is not None and low is not None and high is not None
    assert 0 <= low <= value <= high <= 1


@given(st.lists(st.integers(-500, 500), min_size=2, max_size=60), st.integers(1, 8))
def test_means_against_the_standard_library(values: list[int], per: int) -> None:
    mean = statistics.mean(values) / per
    half = Z * statistics.stdev(values) / len(values) ** 0.5 / per
    assert mean_of(Counter(values), per) == pytest.approx((mean, mean - half, mean + half), abs=1e-7)


def test_means_of_too_few() -> None:
    assert mean_of({}) == UNKNOWN
    assert mean_of({7: 1}, per=2) == (3.5, None, None)
    assert mean_of({7: 5}) == (7, 7, 7)


# ----------------------------------------------------------------------------------------------------------- the rounds


def summary(simulation: Simulation) -> Tally:
    assert simulation.complete
    return simulation.tally


def test_the_same_seed_gives_the_same_counts() -> None:
    first, again, other = (summary(simulate("basic", bots="random", rounds=12, seed=seed)) for seed in (4, 4, 5))
    assert first == again != other


@pytest.mark.parametrize(("variant", "players"), SEATINGS)
def test_the_counts_are_those_of_the_records(variant: str, players: int) -> None:
    """Every number is counted again, from the texts of the actions of each round."""
    game, lineup, rounds = compiled(variant), ("easy", "random"), 3
    tally = summary(simulate(game, players, lineup, rounds=rounds, seed=9))
    endings, plies, turns, points, left_won = Counter[str](), Counter[int](), Counter[int](), Counter[int](), 0
    for number in range(1, rounds + 1):
        record = record_round(game, players, lineup, 9, number)
        assert record.dealer == number % players
        result = record.replay().result
        assert result is not None and (result.round, result.dealer) == (1, record.dealer)
        words = [text.split()[0] for text in record.actions]
        endings[result.kind] += 1
        plies[sum(word not in ("deal", "reshuffle") for word in words)] += 1
        begun = sum(word in ("draw", "take", "call") for word in words)
        turns[begun] += 1
        left_won += result.standing[(record.dealer + 1) % players] == "win"
        points.update(result.points)
    assert tally.rounds == rounds
    assert (tally.endings, tally.plies, tally.turns, tally.points) == (endings, plies, turns, points)
    assert tally.left_won == left_won
    assert sum(total * often for total, often in tally.totals.items()) == sum(
        total * often for bot in tally.by_bot for total, often in bot.totals.items()
    )
    assert [bot.seats for bot in tally.by_bot] == [-(-players // 2), players // 2]
    assert set(tally.endings) <= set(ENDINGS)


def test_a_round_is_the_first_of_a_match_with_its_seed() -> None:
    seed = round_seed(3, 2)
    record = record_round("gin-knock", 3, "easy", seed=3, number=2)
    match = rummy.Match("gin-knock", 3, seed=seed, dealer=2)
    assert record.seed == seed
    for text in record.actions:
        if text.split()[0] not in ("deal", "reshuffle"):
            match.play(text)
    assert match.record().actions[: len(record.actions)] == record.actions


def test_every_variant_gets_the_same_deals() -> None:
    for number in (1, 2, 30):
        deals = {
            name: record_round(compiled(name), 2, "easy", 8, number).actions[0]
            for name in ("basic", "rummy-2-6", "gin-knock", "gin-classic", "rummy-500-no-jokers")
        }
        assert len(set(deals.values())) == 1, deals
    assert record_round("basic", 2, "easy", 8, 1).actions[0] != record_round("basic", 2, "easy", 8, 2).actions[0]


def test_a_bot_does_not_depend_on_what_another_draws() -> None:
    def draws_much(view: rummy.View, legal: tuple[rummy.Action, ...], rng: Random) -> rummy.Action:
        for _ in range(5):
            rng.random()
        return legal[0]

    def draws_nothing(view: rummy.View, legal: tuple[rummy.Action, ...], rng: Random) -> rummy.Action:
        return legal[0]

    games = [record_round("gin-knock", 2, (bot, "random"), 1, 4).actions for bot in (draws_much, draws_nothing)]
    assert games[0] == games[1]


def test_the_random_bot_needs_no_view() -> None:
    for variant in ("basic", "rummy-500", "gin-knock"):
        fast, slow = (summary(simulate(compiled(variant), 2, bot, 5, 6)) for bot in ("random", at_random_by_view))
        assert fast == slow


def test_round_seeds_are_written_down() -> None:
    assert all(round_seed(1, number) == int(chance_rng(1, number).random() * 2**53) for number in (1, 2, 3))
    assert round_seed(1, 1) == 6636257575432710  # moves only when every published comparison does
    assert len({round_seed(seed, number) for seed in range(20) for number in range(1, 50)}) == 20 * 49


# -------------------------------------------------------------------------------------------------------------- workers


def results(rounds: int, **how: Any) -> list[Simulation]:
    setups = [Setup.of("gin-knock", 3, ("easy", "random")), Setup.of("basic", 2, "easy")]
    return run(setups, rounds, seed=2, **how)


def test_any_number_of_workers_gives_the_same() -> None:
    rounds = 3 * CHUNK + 7
    alone = results(rounds)
    assert all(simulation.complete and simulation.tally.rounds == rounds for simulation in alone)
    assert results(rounds, workers=2) == results(rounds, workers=3) == alone


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor_gives_the_same(pool: type[Executor]) -> None:
    with pool(2) as executor:  # type: ignore[call-arg]
        assert results(CHUNK + 3, executor=executor) == results(CHUNK + 3)


def test_tallies_add_up_in_any_order() -> None:
    parts = []
    for first in (1, 4, 7):
        part = Tally()
        for number in range(first, first + 3):
            record = record_round("basic", 2, "easy", 1, number)
            result = record.replay().result
            assert result is not None
            part.count(result, sum(not text.startswith(("deal", "reshuffle")) for text in record.actions), 1)
        parts.append(part)
    a, b, c = parts
    assert a + b + c == c + (b + a) == Tally() + (a + b + c) + Tally() == simulate("basic", rounds=9).tally
    assert (a.rounds, b.rounds, c.rounds) == (3, 3, 3)


def test_the_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    simulate("gin-classic", rounds=2 * CHUNK + 1, progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 51), (25, 51), (50, 51), (51, 51)]


def test_ctrl_c_keeps_what_is_known() -> None:
    def stop(done: int, total: int) -> None:
        if done >= 3 * CHUNK:
            raise KeyboardInterrupt

    for workers in (1, 2):
        comparison = compare(["basic", "gin-knock"], rounds=10 * CHUNK, workers=workers, progress=stop)
        assert not comparison.complete
        assert sum(row.rounds for row in comparison.rows) == 3 * CHUNK
        assert json.loads(to_json(comparison))["complete"] is False
    alone = compare(["basic", "gin-knock"], rounds=10 * CHUNK, progress=stop)
    assert alone.rows[0].tally == simulate("basic", rounds=2 * CHUNK).tally


def test_a_stop_before_the_first_chunk_leaves_empty_rows() -> None:
    def stop(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    comparison = compare(["basic", "gin-knock"], rounds=CHUNK, progress=stop)
    empty = comparison.rows[1]
    assert (empty.rounds, empty.plies, empty.left_won, empty.by_bot) == (0, UNKNOWN, UNKNOWN, ())
    assert to_csv(comparison).splitlines()[2].endswith("," * 20) and json.loads(to_json(comparison))


# ------------------------------------------------------------------------------------------------------------- bad bots


def failure(bot: Any, **how: Any) -> BotError:
    with pytest.raises(rummy.MatchError) as caught:
        simulate("basic", 3, ("easy", bot), rounds=5, seed=77, **how)
    assert isinstance(caught.value, BotError)
    return caught.value


@pytest.mark.parametrize("workers", [1, 2])
def test_a_bot_that_raises(workers: int) -> None:
    error = failure(raises_late, workers=workers)
    assert (error.bot, error.seat, error.seed) == ("raises_late", 1, 77)
    assert "raised ValueError: no idea" in str(error)
    for word in ("raises_late", "seat 1", "seed 77", f"round {error.round} ", "basic"):
        assert word in str(error)
    state = error.record.replay()
    assert state.seat == 1 and state.turns >= 4
    with pytest.raises(BotError) as again:
        record_round("basic", 3, ("easy", raises_late), error.seed, error.round)
    assert again.value.record == error.record


@pytest.mark.parametrize(
    "answer",
    [None, "draw", 7, rummy.Discard(rummy.cards.JOKER), rummy.Deal(()), [], ..., Odd(), rummy.STOP, rummy.Take(99)],
    ids=lambda answer: type(answer).__name__,
)
def test_a_bot_that_returns_nonsense(answer: object) -> None:
    error = failure(lambda view, legal, rng: answer)
    assert (error.seat, error.bot) == (1, "<lambda>")
    assert "not legal" in str(error) or "RuntimeError" in str(error)
    assert error.record.replay().seat == 1


def test_the_error_of_a_bot_can_be_sent() -> None:
    error = failure(raises_late)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.record, copy.round) == (str(error), error.record, error.round)


def test_a_worker_that_dies() -> None:
    with pytest.raises(rummy.RummyError, match="worker process died"):
        simulate("basic", 2, dies, rounds=5, workers=2)


@pytest.mark.parametrize(
    "change",
    [
        {"rounds": 0}, {"rounds": -1}, {"rounds": True}, {"rounds": 2.0}, {"rounds": None}, {"rounds": "10"},
        {"seed": -1}, {"seed": 2**256}, {"seed": None}, {"seed": 1.5}, {"seed": "1"},
        {"workers": 0}, {"workers": -2}, {"workers": True}, {"workers": 1.5},
        {"players": 0}, {"players": 9}, {"players": 1}, {"players": True}, {"players": "2"}, {"players": -1},
        {"bots": "eazy"}, {"bots": ()}, {"bots": ("easy",) * 3}, {"bots": (None,)}, {"bots": [["easy"]]}, {"bots": ""},
        {"bots": None}, {"bots": 3},
        {"variant": "basci"}, {"variant": ""}, {"variant": None}, {"variant": {}},
    ],
    ids=str,
)  # fmt: skip
def test_bad_input_is_refused_before_the_work(change: dict[str, Any]) -> None:
    def never(view: rummy.View, legal: tuple[rummy.Action, ...], rng: Random) -> rummy.Action:
        raise AssertionError("a round was played")

    with pytest.raises(rummy.RummyError) as caught:
        simulate(**{"variant": "basic", "players": 2, "bots": never, "rounds": 3, "seed": 1, **change})
    assert not isinstance(caught.value, BotError)


@pytest.mark.parametrize("name", ["rounds", "seed", "workers"])
@pytest.mark.parametrize("number", [HUGE])
def test_numbers_that_python_refuses_to_print(name: str, number: int) -> None:
    for refused in (-number, number) if name == "seed" else (-number,):
        with pytest.raises(rummy.RummyError):
            simulate(**{"variant": "basic", name: refused})  # type: ignore[arg-type]


# ---------------------------------------------------------------------------------------------------------- comparisons


def test_a_row_says_what_was_counted() -> None:
    comparison = compare(["basic", "rummy-500"], 3, ["easy", ("easy", "random")], rounds=20, seed=4)
    assert [(row.variant, row.bots) for row in comparison.rows] == [
        (variant, bots) for variant in ("basic", "rummy-500") for bots in (("easy",), ("easy", "random"))
    ]
    for row in comparison.rows:
        tally = row.tally
        assert row.rounds == sum(tally.endings.values()) == sum(tally.turns.values()) == 20
        assert sum(tally.points.values()) == 60
        assert row.points.value == pytest.approx(sum(k * v for k, v in tally.points.items()) / 60)
        assert row.plies == mean_of(tally.plies) and row.left_won == share_of(tally.left_won, 20)
        assert sum(share.value or 0 for share in row.endings.values()) == pytest.approx(1)
        assert row.seconds > 0 and row.players == 3


def test_the_seat_left_of_the_dealer() -> None:
    rounds, players = 30, 3
    row = compare(["basic"], players, rounds=rounds).rows[0]
    won, edge = 0, []
    for number in range(1, rounds + 1):
        result = record_round("basic", players, "easy", 1, number).replay().result
        assert result is not None
        left = (number + 1) % players  # round i is dealt by seat i mod players
        won += result.winner == left
        edge.append(result.points[left] - sum(result.points) / players)
    assert row.left_won == share_of(won, rounds)
    assert row.edge.value == pytest.approx(statistics.mean(edge), abs=1e-9)
    half = Z * statistics.stdev(edge) / rounds**0.5
    assert row.edge.high == pytest.approx(statistics.mean(edge) + half, abs=1e-9)


def exports(comparison: Comparison) -> tuple[dict[str, Any], list[list[str]]]:
    return json.loads(to_json(comparison)), [line.split(",") for line in to_csv(comparison).splitlines()]


def test_the_exports_agree_and_hold_no_time() -> None:
    first, again = (compare(["gin-knock", "basic"], rounds=10, workers=n) for n in (1, 2))
    assert (to_json(first), to_csv(first)) == (to_json(again), to_csv(again)) and first == again
    data, (head, *lines) = exports(first)
    assert data["measures"].keys() >= {*INTERVALS, "endings", "rounds"} == set(MEASURES)
    assert (data["rounds"], data["seed"], data["complete"], data["level"]) == (10, 1, True, 0.95)
    for row, line in zip(data["rows"], lines, strict=True):
        cells = dict(zip(head, line, strict=True))
        assert (cells["variant"], cells["best"], int(cells["rounds"])) == (row["variant"], row["best"], row["rounds"])
        for kind in ENDINGS:
            assert int(cells[f"ended_{kind}"]) == row["endings"].get(kind, {"count": 0})["count"]
        for name in INTERVALS:
            for suffix, bound in (("", "value"), ("_low", "low"), ("_high", "high")):
                assert float(cells[name + suffix]) == row[name][bound]
        assert sum(row["histograms"]["points"].values()) == row["rounds"] * row["players"]


def test_nothing_to_compare() -> None:
    for variants, lineups in (([], ["easy"]), (["basic"], [])):
        with pytest.raises(rummy.RummyError, match="nothing to compare"):
            compare(variants, lineups=lineups)


def test_a_game_with_overrides_is_a_variant() -> None:
    short = rummy.load("basic", {"deal.hand_size": 3})
    plain, house = compare(["basic", short], rounds=30).rows
    assert plain.digest != house.digest
    assert (house.turns.value or 0) < (plain.turns.value or 0)


def test_setups_pickle() -> None:
    setup = Setup.of("rummy-500", 4, ("easy", "random"))
    assert pickle.loads(pickle.dumps(setup)) == setup
    view = setup.game.view(setup.game.start(4), None)
    assert random.Random(1).random() and view.players == 4
