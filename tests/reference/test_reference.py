"""The reference engine itself: worked examples and the published counts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from . import ReferenceGame, State
from .cards import JOKER, tidy
from .profiles import BASIC, GIN_CLASSIC, GIN_KNOCK, RUMMY_2_6, RUMMY_500, SHIPPED, Profile, changed
from .turn import TurnRules

FLOATING = SHIPPED["rummy-500-floating"]
UNPLAYABLE = SHIPPED["rummy-500-unplayable-out"]


def play(game: ReferenceGame, s: State, *actions: str) -> State:
    for text in actions:
        s = game.apply(s, text)
    return s


def points(game: ReferenceGame, s: State) -> tuple[int, ...]:
    result = game.result(s)
    assert result is not None
    return tuple(result["points"])


def deal(game: ReferenceGame, s: State, rng: random.Random) -> State:
    cards = list(game.deck)
    rng.shuffle(cards)
    return game.apply(s, "deal " + " ".join(cards))


# ---- melds ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ace", "card_sets", "readings"), [("low", 329, 329), ("both", 369, 373), ("around", 589, 589)]
)
def test_published_counts_of_melds_in_one_pack(ace: str, card_sets: int, readings: int) -> None:
    game = ReferenceGame(changed(BASIC, melds__ace=ace), 2)
    found = game.melds.readings(tidy(game.deck))
    assert len({tuple(sorted(meld.faces)) for meld in found}) == card_sets
    assert len(found) == readings


def test_basic_melds() -> None:
    game = ReferenceGame(BASIC, 2)
    assert "8S 8H 8D" in game.melds_in("8H 8S 8D")
    assert game.melds_in("AH 2H 3H") == {"AH 2H 3H"}
    assert game.melds_in("QH KH AH") == game.melds_in("KH AH 2H") == set()
    assert len(game.melds_in("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS")) == 66
    assert len(game.melds_in("9S 9H 9D 9C KD")) == 5
    assert len(game.melds_in("4H 5H 6H 7H JC")) == 3


def test_jokers_and_two_packs() -> None:
    game = ReferenceGame(RUMMY_500, 6)
    assert game.melds_in("JK JK JK") == set()
    assert game.melds_in("8S JK JK") == {"8S JK JK", "JK=6S JK=7S 8S", "JK=7S 8S JK=9S", "8S JK=9S JK=TS"}
    assert game.melds_in("5D 5D 5H") == set()
    repeated = ReferenceGame(changed(RUMMY_500, melds__set_suits="any"), 6)
    assert repeated.melds_in("5D 5D 5H") == {"5H 5D 5D"}
    assert game.melds_in("QS KS AS 2S") == {"QS KS AS"}
    around = ReferenceGame(changed(BASIC, melds__ace="around"), 2)
    assert around.melds_in("QS KS AS 2S") == {"QS KS AS", "KS AS 2S", "QS KS AS 2S"}


@pytest.mark.parametrize(
    ("hand", "deadwood"),
    [
        ("JC 9D 8S 6D JS 8H TD 8D 7D JD", 16),
        ("6C 7C 8C 9C 9D 9H", 0),
        ("AC 9C 8C 7C 5C 4C 9D 9S AD AH", 24),
        ("4C 2C 3C AC 8D 6C 9D 9C AD AH", 32),
        ("7C 8C 8D 9D JD QH KH 2S 3S 5S", 72),
        ("TD JD QD KD", 0),
        ("", 0),
    ],
)
def test_minimum_deadwood(hand: str, deadwood: int) -> None:
    assert ReferenceGame(GIN_KNOCK, 2).min_deadwood(hand) == deadwood


def test_minimum_deadwood_with_jokers_and_twins() -> None:
    game = ReferenceGame(changed(GIN_KNOCK, deck__packs=2, deck__jokers=2), 2)
    assert game.min_deadwood("5S 5S 6S 6S 7S 7S") == 0
    assert game.min_deadwood("5S 5S 6S JK") == 5
    assert game.min_deadwood("JK JK JK") == 45


# ---- basic (examples 2-9) --------------------------------------------------------------------------------------


def test_layoff_before_any_own_meld() -> None:
    game = ReferenceGame(BASIC, 2)
    s = game.position(hands=["2C 9S", "8H KD 3C"], table=["0: 5H 6H 7H"], phase="play", seat=1)
    s = game.apply(s, "layoff 8H @0")
    assert game.describe(s)["table"] == [("run", "5H 6H 7H 8H", (0, 0, 0, 1))]


def test_winner_takes_what_the_others_hold() -> None:
    game = ReferenceGame(BASIC, 3)
    s = game.position(hands=["2C", "KS 5D AH", "QC 2H"], phase="play", seat=0, tabled=[0])
    assert points(game, game.apply(s, "discard 2C")) == (28, 0, 0)


def test_going_rummy_doubles() -> None:
    game = ReferenceGame(BASIC, 2)
    s = game.position(hands=["3S 4S 5S 6S 9H 9D 9C JD QD KD", "KH 7C AS"], stock="2S 8H", pile="2H", seat=0)
    s = play(game, s, "draw", "meld 2S 3S 4S 5S 6S", "meld 9H 9D 9C", "meld JD QD KD")
    result = game.result(s)
    assert result is not None and result["doubled"] and result["kind"] == "out"
    assert result["points"] == (36, 0) and result["standing"] == ("win", "loss")


def test_the_taken_card_may_not_be_discarded() -> None:
    game = ReferenceGame(BASIC, 2)
    s = game.position(hands=["4C 9D", "2H"], pile="KS", seat=0)
    assert game.legal(game.apply(s, "take")) == {"discard 4C", "discard 9D"}


def test_the_dead_end_guard() -> None:
    game = ReferenceGame(BASIC, 2)
    s = game.position(hands=["8C", "2H 3H"], table=["1: 8S 8H 8D"], pile="KC", seat=0)
    s = game.apply(s, "take")
    assert game.legal(s) == {"discard 8C"}
    forgiving = ReferenceGame(RUMMY_2_6, 2)  # example 22
    s = forgiving.position(hands=["8C", "2H 3H"], table=["1: 8S 8H 8D"], pile="KC", seat=0)
    s = play(forgiving, s, "take", "layoff 8C @0", "discard KC")
    assert points(forgiving, s) == (10, 0)  # rummy: the lay-off was in the going-out turn


def test_deadlock() -> None:
    game = ReferenceGame(BASIC, 2)
    table = ["0: 5S 5H 5D 5C", "1: KS KH KD KC", "0: 6S 7S 8S 9S TS JS QS"]
    s = game.position(hands=["2C", "3D"], table=table, stock="9H 4D", seat=0)
    s = play(game, s, "draw", "discard 9H")
    result = game.result(s)
    assert result is not None and result["kind"] == "deadlock"
    assert result["standing"] == ("loss", "loss")
    table[1] = "1: KH KD KC"
    s = game.position(hands=["2C", "3D"], table=table, stock="9H 4D", seat=0)
    assert game.phase(play(game, s, "draw", "discard 9H")) == "draw"


def drawn_out(profile: Profile, players: int) -> tuple[list[int], State]:
    """Draw from the stock and throw the drawn card every turn: the draws at each renewal, and the end."""
    game, rng = ReferenceGame(profile, players), random.Random(5)
    s, draws, renewals = deal(game, game.start(), rng), 0, []
    while game.result(s) is None:
        if game.phase(s) == "reshuffle":
            kept, turned = s.pile[-1:], list(s.pile[:-1] + s.stock)
            rng.shuffle(turned)
            s = game.apply(s, "reshuffle " + " ".join(turned))
            assert s.pile == kept
        drawn = s.stock[0]
        before = s.renewals
        s, draws = play(game, s, "draw", f"discard {drawn}"), draws + 1
        if s.renewals > before or game.phase(s) == "reshuffle" or game.result(s):
            renewals.append(draws)
    return renewals, s


@pytest.mark.parametrize(
    ("profile", "players", "expected"),
    [
        (BASIC, 2, [31, 62]),
        (BASIC, 4, [23, 46]),
        (RUMMY_2_6, 2, [31, 63, 95]),
        (RUMMY_2_6, 6, [15, 31, 47]),
        (GIN_CLASSIC, 2, [29]),
    ],
)
def test_exhaustion_counts(profile: Profile, players: int, expected: list[int]) -> None:
    if profile is GIN_CLASSIC:
        profile = changed(profile, deal__up_card_offer="none")
    renewals, s = drawn_out(profile, players)
    assert renewals == expected
    assert s.result is not None and s.result["kind"] == "exhausted" and not any(s.result["points"])
    assert s.dealer == (0 if profile["deal"]["after_exhausted"] == "same" else 1)


# ---- gin-knock (examples 11-21) --------------------------------------------------------------------------------


def knocks(game: ReferenceGame, hand: str) -> set[str]:
    s = game.position(hands=[hand, "6C 6H"], phase="play", seat=0, knock_limit=10)
    return {text for text in game.legal(s) if text.startswith("knock")}


def test_who_may_knock() -> None:
    game = ReferenceGame(GIN_KNOCK, 2)
    assert "knock KD" in knocks(game, "4S 5S 6S 9H 9D 9C 2D 3C AH 4H KD")
    assert "knock KD" not in knocks(game, "4S 5S 6S 9H 9D 9C 2D 3C AH 5H KD")
    assert knocks(game, "JS JH JD 8C 7S 7H 7D 4S 3D 2S AC") == {"knock 8C"}
    assert knocks(game, "8D 5S 5H 5D 4H 4C 3H 2H 2D 2C AD") == {"knock 8D"}


def test_an_undercut_by_laying_off() -> None:
    game = ReferenceGame(GIN_KNOCK, 2)
    knocker, other = "7H 8H 9H TH QS QD QC AS 2D 3C", "KS KD KC 8S 9S TS JH 6H 4S 4D"
    s = game.position(hands=[f"{knocker} 2H", other], phase="play", seat=0, knock_limit=10)
    s = play(game, s, "knock 2H", "meld 7H 8H 9H TH")
    assert "done" not in game.legal(s)
    s = play(game, s, "meld QS QD QC", "done", "meld KS KD KC", "meld 8S 9S TS", "layoff 6H @0", "layoff JH @0")
    assert points(game, game.apply(s, "done")) == (0, 2)
    early = play(game, s, "done")
    assert early.result is not None and early.result["left"] == (6, 8)


@pytest.mark.parametrize(("chain", "may"), [("own", False), ("none", False), ("any", True)])
def test_no_building_on_another_opponents_card(chain: str, may: bool) -> None:
    game = ReferenceGame(changed(GIN_KNOCK, knock__layoff_chain=chain), 3)
    s = game.position(
        hands=["AH", "7S KD", "8S 3S KC"], table=["0: 4S 5S 6S"], phase="respond", seat=1, by=0, knock_limit=10
    )
    s = play(game, s, "layoff 7S @0", "done")
    assert ("layoff 8S @0" in game.legal(s)) == may
    assert "layoff 3S @0" in game.legal(s)


def test_gin_with_three() -> None:
    game = ReferenceGame(GIN_KNOCK, 3)
    s = game.position(hands=["4S 5S 6S 9H 9D 9C TC", "KD QC 6D 5D", "7C 5H"], phase="play", seat=0, knock_limit=10)
    s = play(game, s, "knock TC", "meld 4S 5S 6S")
    assert game.legal(s) == {"meld 9H 9D 9C"}
    s = play(game, s, "meld 9H 9D 9C", "done")
    assert points(game, s) == (0, 56, 37)


def test_knock_with_three() -> None:
    game = ReferenceGame(GIN_KNOCK, 3)
    hands = ["7D", "9C 6H", "KD QC JH"]
    s = game.position(hands=hands, table=["0: 4S 5S 6S"], phase="respond", seat=1, by=0, knock_limit=10)
    assert points(game, play(game, s, "done", "done")) == (0, 8, 23)


def test_the_arrangement_matters() -> None:
    game = ReferenceGame(GIN_CLASSIC, 2)
    hands = ["AS 5S 6S 7S 5C 6C 7C 5D 6D 7D KD", "3S 4S 8S 4C 8C 4D 8D 5H 6H 7H"]
    s = game.position(hands=hands, phase="play", seat=0, knock_limit=10)
    s = game.apply(s, "knock KD")
    assert len([text for text in game.legal(s) if text.startswith("meld")]) == 6
    best = ReferenceGame(changed(GIN_CLASSIC, knock__respond="best"), 2)
    as_sets = play(best, s, "meld 5S 5D 5C", "meld 6S 6D 6C", "meld 7S 7D 7C", "done")
    as_runs = play(best, s, "meld 5S 6S 7S", "meld 5C 6C 7C", "meld 5D 6D 7D", "done")
    assert points(best, as_sets) == (2, 0)
    assert points(best, as_runs) == (0, 26)


def test_offers() -> None:
    game, rng = ReferenceGame(GIN_KNOCK, 3), random.Random(1)
    s = deal(game, game.start(), rng)
    assert (game.phase(s), s.seat, game.legal(s)) == ("offer", 1, {"take", "pass"})
    taken = play(game, s, "pass", "pass", "take")
    assert taken.seat == 0
    away = min(text for text in game.legal(taken) if text.startswith("discard"))
    after = game.apply(taken, away)
    assert (after.seat, game.legal(after)) == (1, {"draw", "take"})
    passed = play(game, s, "pass", "pass", "pass")
    assert (passed.seat, game.legal(passed)) == (1, {"draw"})


def test_prize() -> None:
    game = ReferenceGame(GIN_KNOCK, 4)
    assert game.payout((12, 30, 57, 70), 10_000) == (7501, 2162, 337, 0)
    scaled = ReferenceGame(changed(GIN_KNOCK, prize__split="gap_scaled"), 4)
    assert scaled.payout((12, 30, 57, 70), 10_000) == (9384, 533, 83, 0)
    two = ReferenceGame(GIN_KNOCK, 2)
    assert two.payout((0, 20), 1000) == (750, 250)
    assert two.payout((0, 60), 1000) == (1000, 0)


# ---- rummy 500 (examples 30-37) ----------------------------------------------------------------------------------


def test_deep_draw() -> None:
    game = ReferenceGame(RUMMY_500, 3)
    s = game.position(hands=["8S 8D 2C", "3H 4D", "6C 9D"], pile="8H KC 3S QD", seat=0)
    assert game.legal(s) == {"draw", "take", "take 4"}
    s = game.apply(s, "take 4")
    assert game.legal(s) == {"meld 8S 8H 8D"}
    s = game.apply(s, "meld 8S 8H 8D")
    assert {"discard KC", "discard QD", "discard 3S"} <= game.legal(s)


def test_bridges() -> None:
    game = ReferenceGame(RUMMY_500, 3)
    s = game.position(hands=["2C 3D", "3H 4D", "6C 9D"], table=["0: 5H 6H 7H"], pile="9H 8H", seat=0)
    assert game.legal(s) == {"draw", "take", "take 2"}
    assert game.legal(game.apply(s, "take 2")) == {"layoff 8H @0"}


@pytest.mark.parametrize(
    ("meld", "expected"),
    [
        ("AS 2S 3S", 6),
        ("QS KS AS", 35),
        ("AH AD AC", 45),
        ("AS 2S 3S 4S", 10),
        ("AS JK=2S 3S", 19),
        ("JK=AS 2S 3S", 20),
    ],
)
def test_points_on_the_table(meld: str, expected: int) -> None:
    game = ReferenceGame(RUMMY_500, 2)
    assert sum(game.scoring.on_table(game.melds.read(meld))) == expected


def test_an_ace_at_both_ends() -> None:
    game = ReferenceGame(RUMMY_500, 2)
    run = "0: 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"
    s = game.position(hands=["AS JK 4H", "3H"], table=[run], phase="play", seat=0)
    layoffs = {text for text in game.legal(s) if text.startswith("layoff")}
    assert layoffs == {"layoff AS @0 low", "layoff AS @0 high", "layoff JK=AS @0 low", "layoff JK=AS @0 high"}
    full = game.apply(s, "layoff AS @0 low")
    assert not any(text.startswith("layoff") for text in game.legal(full))


def test_joker_places_are_fixed() -> None:
    game = ReferenceGame(RUMMY_500, 2)
    s = game.position(hands=["4C 5C 9C 2H", "3H"], table=["0: 6C 7C JK=8C", "1: QS KS AS"], phase="play", seat=0)
    layoffs = {text for text in game.legal(s) if text.startswith("layoff")}
    assert layoffs == {"layoff 5C @0", "layoff 9C @0"}
    s = game.position(hands=["JK 2H", "3H"], table=["1: QS KS AS"], phase="play", seat=0)
    assert {text for text in game.legal(s) if text.startswith("layoff")} == {"layoff JK=JS @0"}


def test_swap() -> None:
    game = ReferenceGame(changed(RUMMY_500, wilds__swap=True), 2)
    s = game.position(hands=["8C 9H 9S 2H", "3H"], table=["1: 6C 7C JK=8C"], phase="play", seat=0)
    assert "swap 8C @0" in game.legal(s)
    s = game.apply(s, "swap 8C @0")
    assert s.owed == ((JOKER, "any"),) and not any(text.startswith("discard") for text in game.legal(s))
    assert "meld 9S 9H JK" in game.legal(s) and "layoff JK=9C @0" in game.legal(s)


def test_calling_rummy() -> None:
    game = ReferenceGame(RUMMY_500, 3)
    s = game.position(
        hands=["7H 9S 2C", "3D 4C", "6D QD"], table=["1: 4H 5H 6H"], pile="KC", phase="play", seat=0, tabled=[1]
    )
    s = game.apply(s, "discard 7H")
    assert (game.phase(s), s.seat, game.legal(s)) == ("call", 1, {"pass", "call"})
    called = play(game, s, "pass")
    assert (game.phase(called), called.seat) == ("call", 2)
    called = play(game, called, "call", "layoff 7H @0", "discard QD")
    assert (game.phase(called), called.seat) == ("draw", 0)
    quiet = play(game, s, "pass", "pass")
    assert (game.phase(quiet), quiet.seat) == ("draw", 1)


def test_stock_out_and_idle_turns() -> None:
    game = ReferenceGame(RUMMY_500, 2)
    s = game.position(hands=["2C 5D", "3D KD"], pile="9C", stock="", seat=0)
    assert game.legal(s) == {"take", "stop"}
    assert game.legal(game.apply(s, "take")) == {"discard 2C", "discard 5D"}
    ended = game.apply(s, "stop")
    assert ended.result is not None and ended.result["kind"] == "stock_out"
    assert ended.result["points"] == (-7, -13)
    idle = play(game, s, "take", "discard 2C", "take", "discard 3D", "take", "discard 5D")
    assert game.phase(idle) == "draw"
    idle = play(game, idle, "take", "discard KD")
    assert idle.result is not None and idle.result["kind"] == "stock_out"


def test_highest_total_wins_and_ties_go_on() -> None:
    game = ReferenceGame(RUMMY_500, 2)
    assert not game.scoring.match_over((515, 515), 4)
    assert game.scoring.match_over((510, 505), 4)
    assert not game.scoring.match_over((499, -20), 4)


def test_floating() -> None:
    game = ReferenceGame(FLOATING, 3)
    s = game.position(hands=["7H", "3D 4C", "6D QD"], table=["1: 4H 5H 6H"], pile="KC", stock="8H 2S 3S 4S", seat=0)
    assert game.legal(game.apply(s, "take")) == {"discard 7H"}  # after the lay-off KC could go nowhere
    s = play(game, s, "draw", "layoff 7H @0", "layoff 8H @0")
    assert game.result(s) is None and s.hands[0] == () and s.turns == 1
    s = replace(s, seat=0, phase="draw", pile=("KC",))
    assert game.legal(s) == {"draw"}
    assert game.result(play(game, s, "draw", "discard 2S")) is not None
    s = replace(s, pile=("9H",))
    assert game.legal(s) == {"draw", "take"}
    assert game.legal(game.apply(s, "take")) == {"layoff 9H @0"}


def test_unplayable_last_discard() -> None:
    game = ReferenceGame(UNPLAYABLE, 2)
    s = game.position(hands=["7H", "3D 4C"], table=["1: 4H 5H 6H"], phase="play", seat=0)
    assert game.legal(s) == {"layoff 7H @0"}
    assert game.result(game.apply(s, "layoff 7H @0")) is not None


# ---- the cuts of the search --------------------------------------------------------------------------------------


def everything(turn: TurnRules, s: State, seen: dict[State, bool]) -> bool:
    """Completing a turn by trying all table actions, with no cut at all."""
    if not s.hand:
        return bool(turn.discard["last"] != "required")
    if any(turn.may_discard(s, face) for face in set(s.hand)):
        return True
    if s not in seen:
        seen[s] = any(everything(turn, after, seen) for _, after in turn.table_actions(s))
    return seen[s]


CUTS: list[Callable[[random.Random], Profile]] = [
    lambda rng: changed(RUMMY_500, lay__when=rng.choice(["any_turn", "going_out"])),
    lambda rng: changed(RUMMY_500, lay__when="going_out", lay__needs_own_meld=True, discard__last="required"),
    lambda rng: changed(RUMMY_500, wilds__swap=True, lay__layoff=rng.choice(["any", "own"])),
    lambda rng: changed(RUMMY_500, lay__melds_per_turn=1, wilds__max_per_meld=1, melds__ace="around"),
    lambda rng: changed(RUMMY_500, discard__last_unplayable=True, discard__last=rng.choice(["required", "float"])),
]


@pytest.mark.parametrize("number", range(len(CUTS)))
def test_the_search_loses_no_way_to_complete_a_turn(number: int) -> None:
    rng = random.Random(number)
    for _ in range(60):
        profile = changed(CUTS[number](rng), deck={"packs": 2, "jokers": 1, "ranks": "A2345", "suits": "SHD"})
        game = ReferenceGame(profile, 2)
        cards = list(game.deck)
        rng.shuffle(cards)
        table = []
        for _ in range(2):
            for reading in rng.sample(found := game.melds.readings(tidy(cards[:12])), min(1, len(found))):
                for face in reading.faces:
                    cards.remove(face)
                table.append(reading.laid_by(rng.choice([0, 1])))
        hand = tidy(cards[: rng.randint(1, 7)])
        owed = ((rng.choice(hand), rng.choice(["any", "meld"])),) if rng.random() < 0.7 else ()
        s = State((hand, ()), (0, 0), seat=0, phase="play", table=tuple(table), owed=owed, tabled_now=not owed)
        assert game.turn.completable(s) == everything(game.turn, s, {}), (profile, hand, table, owed)


# ---- random rounds -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in SHIPPED if name != "gin-knock"])
def test_a_random_round_conserves_the_cards_and_ends(name: str) -> None:
    players = min(3, SHIPPED[name]["players"]["max"])
    game, rng = ReferenceGame(SHIPPED[name], players), random.Random(name)
    s = deal(game, game.start(), rng)
    while game.result(s) is None:
        if game.phase(s) == "reshuffle":
            cards = list(s.pile[:-1] + s.stock)
            rng.shuffle(cards)
            s = game.apply(s, "reshuffle " + " ".join(cards))
        s = game.apply(s, rng.choice(sorted(game.legal(s))))
        zones = [*s.hands, s.stock, s.pile, *(meld.faces for meld in s.table)]
        assert Counter(face for zone in zones for face in zone) == Counter(game.deck)
