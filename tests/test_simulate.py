"""Simulations: seeded, counted right, and clear about bad bots and bad input."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

import rummy_engine as rummy
from rummy_engine.chance import chance_rng
from rummy_engine.compare import compare
from rummy_engine.comparing import playing
from rummy_engine.comparing.counting import CURVE, ENDINGS
from rummy_engine.comparing.playing import LONGEST_MATCH, play
from rummy_engine.policy import Random
from rummy_engine.simulate import CHUNK, BotError, Setup, Simulation, Tally, deal_seed, record_of, simulate
from tests.botsamples import Counting, Odd, at_random_by_view, raises_at_times, raises_late, raises_rarely
from tests.matches import HUGE, SEATINGS, compiled


def summary(simulation: Simulation) -> Tally:
    assert simulation.complete
    return simulation.tally


def test_the_same_seed_gives_the_same_counts() -> None:
    first, again, other = (summary(simulate("basic", bots="random", rounds=12, seed=seed)) for seed in (4, 4, 5))
    assert first == again != other


@pytest.mark.parametrize(("variant", "players"), SEATINGS)
def test_the_counts_are_those_of_the_records(variant: str, players: int) -> None:
    """Every number is counted again, from the texts of the actions of each round."""
    game, lineup, deals = compiled(variant), ("easy", "random"), 2
    tally = summary(simulate(game, players, lineup, rounds=deals, seed=9))
    seatings = Setup.of(game, players, lineup).seatings
    found, plies, points = Counter[str](deals=deals), Counter[int](), Counter[int]()
    for deal in range(1, deals + 1):
        for turned, seating in enumerate(seatings):
            record = record_of(game, players, lineup, 9, deal, seating=turned)
            assert record.dealer == deal % players
            result = record.replay().result
            assert result is not None and (result.round, result.dealer) == (1, record.dealer)
            words = [text.split() for text in record.actions]
            kinds = Counter(word[0] for word in words)
            acts = sum(kinds.values()) - kinds["deal"] - kinds["reshuffle"]
            plies[acts] += 1
            points.update(result.points)
            left = (record.dealer + 1) % players
            found["plays"] += 1
            found["rounds"] += 1
            found["seats"] += players
            found[f"ended_{result.kind}"] += 1
            found["plies"] += acts
            found["turns"] += kinds["draw"] + kinds["take"] + kinds["call"]
            found["renewals"] += result.renewals
            found["points"] += sum(result.points)
            found["squares"] += sum(each**2 for each in result.points)
            found["left_points"] += players * result.points[left] - sum(result.points)
            found["left_won"] += result.standing[left] == "win"
            found["drawn"] += result.standing.count("win") == 0
            found["counted_drawn"] += "draw" in result.standing
            found["doubled"] += result.doubled
            found["called"] += kinds["call"] > 0
            found["dug"] += any(word[0] == "take" and word[1:] not in ([], ["1"]) for word in words)
            found["wild"] += any(word[0] in ("meld", "layoff") and "JK" in " ".join(word) for word in words)
            for seat, place in enumerate(seating):
                found[f"bot_points_{place}"] += result.points[seat]
                found[f"bot_seats_{place}"] += 1
                found[f"bot_won_{place}"] += result.standing[seat] == "win"
    for name, value in found.items():
        assert tally.take(name) == value, name
    assert (tally.histograms["plies"], tally.histograms["points"]) == (plies, points)
    assert {name[6:] for name in tally.sums if name.startswith("ended_")} <= set(ENDINGS)


def test_options_and_choices_are_counted_from_the_legal_actions() -> None:
    tally = summary(simulate("gin-knock", 3, "easy", rounds=2, seed=3))
    options = choices = 0
    for deal in (1, 2):
        record = record_of("gin-knock", 3, "easy", 3, deal)
        for state in record.states():
            legal = len(record.game.legal(state))
            options += legal
            choices += legal > 1
    assert (tally.take("options"), tally.take("choices")) == (options, choices)


def test_a_line_up_sits_in_every_way_on_every_deal() -> None:
    for players, bots, expected in ((2, 1, 1), (2, 2, 2), (3, 2, 3), (4, 2, 2), (4, 3, 4), (4, 4, 4), (6, 3, 3)):
        seatings = Setup.of("rummy-2-6", players, ("easy",) * (bots - 1) + ("random",)).seatings
        assert len(seatings) == expected
        assert {tuple(sorted(seating)) for seating in seatings} == {tuple(sorted(seatings[0]))}
    deals = [record_of("basic", 3, ("easy", "random"), 1, 4, seating=turned).actions[0] for turned in range(3)]
    assert len(set(deals)) == 1
    with pytest.raises(rummy.RummyError, match="3 seatings"):
        record_of("basic", 3, ("easy", "random"), seating=3)


def test_a_round_is_the_first_of_a_match_with_its_seed() -> None:
    seed = deal_seed(3, 2)
    record = record_of("gin-knock", 3, "easy", seed=3, deal=2)
    match = rummy.Match("gin-knock", 3, seed=seed, dealer=2)
    assert record.seed == seed
    for text in record.actions:
        if text.split()[0] not in ("deal", "reshuffle"):
            match.play(text)
    assert match.record().actions[: len(record.actions)] == record.actions


def test_every_variant_gets_the_same_deals() -> None:
    names = ("basic", "rummy-2-6", "gin-knock", "gin-classic", "rummy-500-no-jokers")
    for deal in (1, 2, 30):
        deals = {name: record_of(compiled(name), 2, "easy", 8, deal).actions[0] for name in names}
        assert len(set(deals.values())) == 1, deals
    assert record_of("basic", 2, "easy", 8, 1).actions[0] != record_of("basic", 2, "easy", 8, 2).actions[0]


def test_every_round_of_a_match_is_dealt_alike_in_every_variant() -> None:
    def dealt(name: str, **dials: object) -> list[str]:
        record = record_of(rummy.load(name, {"match.rounds": 4, "match.tie": "share", **dials}), 2, "easy", 8, 3,
                           whole_match=True)  # fmt: skip
        return [text for text in record.actions if text.startswith("deal")]

    first, *others = dealt("basic"), dealt("rummy-2-6"), dealt("gin-classic"), dealt("basic", **{"melds.run_min": 5})
    assert len(set(first)) == 4 and all(other == first for other in others)


def test_a_bot_does_not_depend_on_what_another_draws() -> None:
    def draws_much(view: rummy.View, legal: tuple[rummy.Action, ...], rng: Random) -> rummy.Action:
        for _ in range(5):
            rng.random()
        return legal[0]

    def draws_nothing(view: rummy.View, legal: tuple[rummy.Action, ...], rng: Random) -> rummy.Action:
        return legal[0]

    games = [record_of("gin-knock", 2, (bot, "random"), 1, 4).actions for bot in (draws_much, draws_nothing)]
    assert games[0] == games[1]


def test_the_random_bot_needs_no_view() -> None:
    for variant in ("basic", "rummy-500", "gin-knock"):
        fast, slow = (summary(simulate(compiled(variant), 2, bot, 5, 6)) for bot in ("random", at_random_by_view))
        assert fast == slow


def test_deal_seeds_are_written_down() -> None:
    assert all(deal_seed(1, number) == int(chance_rng(1, number).random() * 2**53) for number in (1, 2, 3))
    assert deal_seed(1, 1) == 6636257575432710  # moves only when every published comparison does
    assert len({deal_seed(seed, number) for seed in range(20) for number in range(1, 50)}) == 20 * 49


# -------------------------------------------------------------------------------------------------------------- matches


@pytest.mark.parametrize("variant", ["basic", "gin-knock", "rummy-500"])
def test_whole_matches_against_their_records(variant: str) -> None:
    lineup, matches = ("easy", "random"), 4
    tally = summary(simulate(variant, 2, lineup, matches=matches, seed=5))
    rounds = changes = halves = 0
    curve = [0] * CURVE
    for deal in range(1, matches + 1):
        for turned in (0, 1):
            record = record_of(variant, 2, lineup, 5, deal, seating=turned, whole_match=True)
            game, states = record.game, list(record.states())
            assert game.is_over(states[-1])
            totals = [after.scores for before, after in pairwise(states) if before.result != after.result]
            rounds += len(totals)
            best: Callable[[tuple[int, ...]], int] = max if game.profile.match.best == "highest" else min
            leaders = [score.index(best(score)) for score in totals if score.count(best(score)) == 1]
            changes += sum(one != other for one, other in pairwise(leaders))
            easy = turned  # the seat of the first bot of the line-up
            halves += 2 * (game.winners(states[-1]) == (easy,))
            for played in range(CURVE):
                score = totals[min(played, len(totals) - 1)]
                curve[played] += 1 if score[0] == score[1] else 2 * (score.index(best(score)) == easy)
    assert tally.take("matches") == tally.take("plays") == 2 * matches
    assert (tally.take("rounds"), tally.take("lead_changes"), tally.take("first_halves")) == (rounds, changes, halves)
    assert [tally.take(f"ahead_{played}") for played in range(1, CURVE + 1)] == curve
    assert sum(tally.histograms["length"].values()) == 2 * matches


def test_a_match_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    assert LONGEST_MATCH == 500
    monkeypatch.setattr(playing, "LONGEST_MATCH", 3)
    row = compare([rummy.load("gin-classic", {"match.target": 100_000})], lineups=["random"], matches=2).rows[0]
    assert (row.matches, row.rounds) == (2, 6)
    assert row.measures["unfinished"].value == 1 and row.tally.take("shared") == 0


# ------------------------------------------------------------------------------------------------------------- bad bots


def failure(bot: Any, **how: Any) -> BotError:
    with pytest.raises(rummy.MatchError) as caught:
        simulate("basic", 3, ("easy", bot), rounds=5, seed=77, **how)
    assert isinstance(caught.value, BotError)
    return caught.value


@pytest.mark.parametrize("workers", [1, 2])
def test_a_bot_that_raises(workers: int) -> None:
    error = failure(raises_late, workers=workers)
    assert (error.bot, error.seat, error.seed) == ("tests.botsamples:raises_late", 1, 77)
    assert "raised ValueError: no idea" in str(error)
    for word in ("raises_late", "seat 1", "seed 77", f"deal {error.deal} ", "basic"):
        assert word in str(error)
    assert error.record.seed == deal_seed(77, error.deal) and f"seed {error.record.seed};" in str(error)
    state = error.record.replay()
    assert state.seat == 1 and state.turns >= 4 and error.dealer == error.deal % 3
    with pytest.raises(BotError) as again:
        record_of("basic", 3, ("easy", raises_late), error.seed, error.deal)
    assert again.value.record == error.record


@pytest.mark.parametrize("leaving", [SystemExit(3), GeneratorExit()])
def test_a_bot_that_wants_to_leave_is_reported(leaving: BaseException) -> None:
    def leaves(view: rummy.View, legal: tuple[rummy.Action, ...], rng: Random) -> rummy.Action:
        raise leaving

    with pytest.raises(BotError, match=f"raised {type(leaving).__name__}"):
        simulate("basic", bots=leaves, rounds=1)


def test_a_class_is_made_with_the_game() -> None:
    """It may look into the rules, and goes to other processes by its name."""
    alone = simulate("gin-knock", bots=(Counting, "easy"), rounds=6)
    assert alone.tally == simulate("gin-knock", bots=(Counting, "easy"), rounds=6, workers=2).tally
    assert alone.setup.names == ("tests.botsamples:Counting", "easy")
    with pytest.raises(rummy.RummyError, match=r"int\(game\) makes no bot: TypeError"):
        simulate("gin-knock", bots=int, rounds=1)
    with pytest.raises(rummy.RummyError, match=r"str\(game\) is no bot"):
        simulate("gin-knock", bots=str, rounds=1)


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
    assert (str(copy), copy.record, copy.deal) == (str(error), error.record, error.deal)


def test_a_run_goes_on_without_the_deals_of_a_bad_bot() -> None:
    how: dict[str, Any] = {"players": 2, "rounds": 3 * CHUNK, "seed": 2}
    done = simulate("gin-knock", bots=("easy", raises_at_times), on_fault="skip", **how)
    assert done.complete and 0 < done.tally.faults < 3 * CHUNK
    assert done.tally.take("deals") == 3 * CHUNK - done.tally.faults
    assert done.tally.take("rounds") == 2 * done.tally.take("deals")
    assert len(done.faults) == min(20, done.tally.faults)
    for fault in done.faults:
        assert (fault.error.bot, fault.error.deal, fault.row) == ("tests.botsamples:raises_at_times", fault.deal, 0)
        assert fault.error.record.replay().seat == fault.error.seat
    assert simulate("gin-knock", bots=("easy", raises_at_times), on_fault="skip", workers=2, **how).tally == done.tally


def test_a_run_stops_as_asked_and_keeps_what_is_counted() -> None:
    rounds = 40 * CHUNK
    done = simulate("gin-knock", bots=("easy", raises_rarely), rounds=rounds, on_fault="stop", seed=3)
    assert not done.complete and len(done.faults) == 1
    assert 0 < done.tally.take("deals") == (done.faults[0].deal - 1) // CHUNK * CHUNK
    shared = simulate("gin-knock", bots=("easy", raises_rarely), rounds=rounds, on_fault="stop", seed=3, workers=2)
    assert (shared.tally, shared.faults[0].deal) == (done.tally, done.faults[0].deal)


# ------------------------------------------------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    "change",
    [
        {"rounds": 0}, {"rounds": -1}, {"rounds": True}, {"rounds": 2.0}, {"rounds": None}, {"rounds": "10"},
        {"matches": 0}, {"matches": True}, {"matches": 1.5},
        {"seed": -1}, {"seed": 2**256}, {"seed": None}, {"seed": 1.5}, {"seed": "1"},
        {"workers": 0}, {"workers": -2}, {"workers": True}, {"workers": 1.5},
        {"players": 0}, {"players": 9}, {"players": 1}, {"players": True}, {"players": "2"}, {"players": -1},
        {"bots": "eazy"}, {"bots": ()}, {"bots": ("easy",) * 3}, {"bots": (None,)}, {"bots": [["easy"]]}, {"bots": ""},
        {"bots": None}, {"bots": 3},
        {"on_fault": "ignore"}, {"on_fault": None},
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
            simulate(**{"variant": "basic", name: refused})  # type: ignore[arg-type]  # wrong on purpose


def test_setups_pickle() -> None:
    setup = Setup.of("rummy-500", 4, ("easy", "random"), {"match.target": 200})
    assert pickle.loads(pickle.dumps(setup)) == setup
    assert setup.label == "rummy-500 match.target=200"
    played = play(setup, setup.policies(), setup.seatings[0], 1, 1, False)
    assert len(played.rounds) == 1
