"""Intervals, the bootstrap in lanes, and measures: against hand-worked values, the normal theory, and raw rounds."""

from __future__ import annotations

import random
import statistics
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rummy_engine as rummy
from rummy_engine.compare import compare
from rummy_engine.comparing.counting import QUANTITIES, Tally
from rummy_engine.comparing.intervals import UNKNOWN, Interval, Z, resampled, share_of
from rummy_engine.comparing.lanes import LANES, apart, weights
from rummy_engine.comparing.measures import AHEAD, BOT_MEASURES, MEASURES, Measure, after_round, measure_named, of_bot
from rummy_engine.comparing.stopping import LEAST, Until
from rummy_engine.simulate import simulate
from tests.matches import compiled

MEAN = Measure("m", "m", "points", "", "mean", "x", "deals")
SPREAD = Measure("s", "s", "points", "", "spread", "x", "deals")
SHARE = Measure("p", "p", "%", "", "share", "x", "deals")


def tally_of(values: list[int], name: str = "x", seed: int = 1) -> Tally:
    """A tally of one quantity, a value a deal."""
    tally = Tally()
    for deal, value in enumerate(values, 1):
        lanes = weights(seed, deal)
        for quantity, each in ((name, value), ("squares", value * value), ("deals", 1)):
            tally.sums[quantity] += each
            tally.lanes[quantity] = tally.lanes.get(quantity, 0) + lanes * each
    return tally


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


def test_resamples_that_say_nothing() -> None:
    assert resampled(None, [1.0] * 100) == UNKNOWN
    assert resampled(2.0, [None] * 300 + [1.0] * 49) == Interval(2.0, None, None)
    assert resampled(2.0, [None, 3.0] * 50) == Interval(2.0, 3.0, 3.0)


# ---------------------------------------------------------------------------------------------------------------- lanes


def test_weights_are_poisson_numbers() -> None:
    drawn = [weight for deal in range(1, 201) for weight in apart(weights(7, deal))]
    assert len(drawn) == 200 * LANES and statistics.mean(drawn) == pytest.approx(1, abs=0.01)
    assert statistics.variance(drawn) == pytest.approx(1.008, abs=0.02)
    assert Counter(drawn)[0] / len(drawn) == pytest.approx(95 / 256, abs=0.01)
    lanes = [[apart(weights(7, deal))[lane] for deal in range(1, 201)] for lane in (0, 1)]
    assert abs(statistics.correlation(*lanes)) < 0.2


def test_weights_are_the_same_everywhere() -> None:
    assert apart(weights(1, 1))[:12] == [0, 0, 1, 0, 1, 1, 1, 2, 0, 1, 3, 0]  # moves only when every interval does
    assert len({weights(seed, deal) for seed in range(5) for deal in range(5)}) == 25


@given(st.lists(st.integers(-(10**6), 10**6), max_size=30))
def test_lanes_add_up_and_come_apart(values: list[int]) -> None:
    total = sum(value * weights(3, deal) for deal, value in enumerate(values))
    lanes = [apart(weights(3, deal)) for deal in range(len(values))]
    assert apart(total) == [sum(v * lane[k] for v, lane in zip(values, lanes, strict=True)) for k in range(LANES)]


# ------------------------------------------------------------------------------------------------------------- measures


def test_means_have_the_interval_of_the_normal_theory() -> None:
    rng = random.Random(2)
    values = [int(rng.random() * 100) for _ in range(2000)]
    value, low, high = MEAN.estimate(tally_of(values))
    half = Z * statistics.stdev(values) / len(values) ** 0.5
    assert value == pytest.approx(statistics.mean(values)) and low is not None and high is not None
    assert (high - low) / 2 == pytest.approx(half, rel=0.2) and (high + low) / 2 == pytest.approx(value, abs=half / 3)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    rng = random.Random(5)
    held = 0
    for trial in range(200):
        values = [10 * (rng.random() < 0.3) + int(rng.random() * 5) for _ in range(80)]  # mean 3 + 2
        _, low, high = MEAN.estimate(tally_of(values, seed=trial))
        assert low is not None and high is not None
        held += low <= 5 <= high
    assert 0.88 <= held / 200 <= 0.99


def test_spread_and_shares() -> None:
    values = [1, 5, 5, 9, 0, 7] * 40
    spread = SPREAD.estimate(tally_of(values))
    assert spread.value == pytest.approx(statistics.pstdev(values))
    assert spread.low is not None and spread.high is not None and spread.low < statistics.pstdev(values) < spread.high
    assert SHARE.estimate(tally_of([1, 0, 0, 0])) == share_of(1, 4)


def test_differences_are_paired() -> None:
    rng = random.Random(3)
    base = [int(rng.random() * 1000) for _ in range(300)]
    more = [value + 5 + (deal % 2) for deal, value in enumerate(base)]
    found = MEAN.difference(tally_of(more), tally_of(base))
    assert found.value == pytest.approx(5.5) and found.low is not None and found.high is not None
    assert found.low > 5.4 and found.high < 5.6  # unpaired it would be ± 65
    assert MEAN.difference(tally_of(base), tally_of(base)) == Interval(0, 0, 0)


def test_too_few_deals_have_no_interval() -> None:
    assert MEAN.estimate(Tally()) == UNKNOWN
    assert MEAN.estimate(tally_of([7])) == Interval(7, None, None)
    assert MEAN.difference(tally_of([7]), tally_of([3])) == Interval(4, None, None)


def test_every_measure_is_made_of_quantities_that_are_explained() -> None:
    for measure in MEASURES.values():
        assert {measure.over, measure.per} <= QUANTITIES.keys(), measure.name
        assert measure.sentence and measure.title and measure.unit and measure.over in measure.formula
    for measure in BOT_MEASURES:
        assert {measure.over, measure.per} <= QUANTITIES.keys()
        assert of_bot(measure, 3).over == f"{measure.over}_3"
    assert {AHEAD.over, AHEAD.per} <= QUANTITIES.keys() and after_round(3).over == "ahead_3"
    assert MEASURES["edge"].formula == "left_points / seats"
    assert MEASURES["skill"].formula == "first_halves / pairs - ½"


def test_measures_by_name() -> None:
    assert measure_named("edge") is MEASURES["edge"]
    with pytest.raises(rummy.RummyError, match="did you mean 'turns'"):
        measure_named("turn")
    with pytest.raises(rummy.RummyError, match="choose from"):
        measure_named(7)


def test_tallies_are_kept_as_json() -> None:
    tally = compare([compiled("gin-knock")], 2, [("easy", "random")], matches=3).rows[0].tally
    assert Tally.of_dict(tally.to_dict()) == tally
    whole = Tally()
    whole.add(tally)
    whole.add(tally)
    assert whole.take("plies") == 2 * tally.take("plies")
    assert whole.resampled("plies") == [2 * each for each in tally.resampled("plies")]
    assert whole.take("ahead_3") == 2 * tally.take("ahead_3") > 0


# ------------------------------------------------------------------------------------------------------- stopping rules


def test_stopping_rules_as_text() -> None:
    assert Until.read("edge<0.5") == Until("edge", 0.5) == Until.read(str(Until("edge", 0.5)))
    assert Until.read(" difference.left_won < 2 % ") == Until("difference.left_won", 0.02)
    assert Until("left_won", 0.02).sentence.endswith("of first seat won is narrower than 2 % in every row")
    assert (Until("left_won", 0.02).told(0.125), Until("difference.turns", 1).told(2.5)) == ("12.5 %", "2.5 turns")
    for wrong in ("edge", "edge<", "edge<x", "<3", "edge<0", "edge<-1", "edge<nan", "edge<inf", "egde<1", "turns.<1"):
        with pytest.raises(rummy.RummyError):
            Until.read(wrong)
    for width in (True, None, "1", 0):
        with pytest.raises(rummy.RummyError):
            Until("edge", width)  # type: ignore[arg-type]  # wrong on purpose


def test_stopping_rules_are_met_in_every_row() -> None:
    wide, narrow = tally_of([0, 100] * 60, "turns"), tally_of([50, 51] * 60, "turns")
    for tally in (wide, narrow):
        tally.sums["rounds"], tally.lanes["rounds"] = tally.sums["deals"], tally.lanes["deals"]
    rule = Until("turns", 1)
    assert rule.is_met([narrow]) and not rule.is_met([narrow, wide]) and not rule.is_met([Tally()])
    assert rule.too_wide([narrow, wide]) == {1: MEASURES["turns"].estimate(wide).width}
    assert rule.too_wide([Tally(), narrow]) == {0: None} and rule.too_wide([narrow]) == {}
    assert Until("difference.turns", 1).is_met([wide, wide]) and not Until("difference.turns", 1).is_met([wide, narrow])
    assert not Until("difference.turns", 1).is_met([wide])
    with pytest.raises(rummy.RummyError, match="there is no other row"):
        simulate("basic", until=Until("difference.turns", 1))
    rare = [tally_of([0] * deals, "renewals") for deals in (LEAST - 1, LEAST)]
    for tally in rare:  # nothing was seen yet, which is no reason to believe that there is nothing
        tally.sums["rounds"], tally.lanes["rounds"] = tally.sums["deals"], tally.lanes["deals"]
    assert [Until("renewals", 0.1).is_met([tally]) for tally in rare] == [False, True]
