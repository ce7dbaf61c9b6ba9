"""Every dial has a witness: a scenario whose outcome changes when only that dial changes.

The outcomes are those of the rules (docs/rules.md); a dial without a witness fails the suite.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import pytest

import rummy_engine as rummy
from rummy_engine.profiles.dials import dials
from tests.helpers import deal, hand, legal, may, melds, play, refuses, renew, result, table_of, zone

Scenario = Callable[[rummy.Game], object]


@dataclass(frozen=True)
class Witness:
    """What the scenario comes to for each value of the dial, all else as in the variant with these overrides."""

    path: str
    variant: str
    scenario: Scenario
    outcomes: Mapping[Any, object]
    also: Mapping[str, object] = field(default_factory=dict)

    def outcome(self, value: object) -> object:
        """`refused` where no such profile can be loaded."""
        try:
            rules = rummy.load(self.variant, {**self.also, self.path: value})
        except rummy.ProfileError:
            return "refused"
        return self.scenario(rules)


def after(*hands: str, steps: str = "", read: Callable[[rummy.Game, rummy.State], object], **zones: Any) -> Scenario:
    """What is read in a position after some steps (separated by commas); seat 0 has drawn unless it says otherwise."""

    def scenario(rules: rummy.Game) -> object:
        state = table_of(rules, *hands, **zones)
        return read(rules, play(rules, state, *(step.strip() for step in steps.split(",") if step.strip())))

    return scenario


def allowed(*texts: str) -> Callable[[rummy.Game, rummy.State], object]:
    """Whether each of these actions is legal."""
    return lambda rules, state: tuple(may(rules, state, text) for text in texts)


def choices(*words: str) -> Callable[[rummy.Game, rummy.State], object]:
    """The legal actions that begin with these words, or all."""
    return lambda rules, state: legal(rules, state, *words)


def count(held: str) -> Scenario:
    """The number of melds in a hand."""
    return lambda rules: len(melds(rules, held))


def phase(rules: rummy.Game, state: rummy.State) -> object:
    return rules.phase(state)


def kind(rules: rummy.Game, state: rummy.State) -> object:
    return state.result.kind if state.result else "playing"


def points(rules: rummy.Game, state: rummy.State) -> object:
    return result(state).points


def over(rules: rummy.Game, state: rummy.State) -> object:
    return rules.is_over(state)


def dealt_cards(rules: rummy.Game) -> object:
    return len(str(rules.chance(rules.start(2), random.Random(1))).split()) - 1


def starts(players: int) -> Scenario:
    return lambda rules: not refuses(rummy.RummyError, lambda: rules.start(players))


def hand_size(rules: rummy.Game) -> object:
    return len(hand(renew(rules, rules.start(2)), 0))


def dealt(up: str, *steps: str, read: Callable[[rummy.Game, rummy.State], object]) -> Scenario:
    """A two-player gin deal with this up-card; seat 0 is first and will draw 3D."""
    hands = ["4S 5S 6S KH KD KC 9H 9D 9C 8D", "2C 3S 5D 7S 8C TH QC JD 7H 6C"]

    def scenario(rules: rummy.Game) -> object:
        return read(rules, play(rules, rules.start(2, dealer=1), deal(hands, up, "3D", dealer=1), *steps))

    return scenario


def chained(rules: rummy.Game) -> object:
    """Whether 8S may follow 7S on the knocker's run when another laid the 7S, and when oneself did."""
    others, own = ("7S QH", "8S 8C"), ("7S 8S", "2C 3D")
    allowed_after = []
    for held, steps in ((others, ["layoff 7S @0", "done"]), (own, ["layoff 7S @0"])):
        state = table_of(rules, "4S 5S 6S KH KD KC AH 9C", *held)
        state = play(rules, state, "knock 9C", "meld 4S 5S 6S", "meld KH KD KC", "done", *steps)
        allowed_after.append(may(rules, state, "layoff 8S @0"))
    return tuple(allowed_after)


def called(rules: rummy.Game) -> object:
    """The phases after a discard that covers a playable card, and after a playable discard."""
    table = ["2: 4H 5H 6H"]
    covering = table_of(rules, "KC 2S", "3C 9D", "4C QS", table=table, pile="2D 7H")
    playable = table_of(rules, "7H 2S", "3C 9D", "4C QS", table=table, pile="2D KC")
    return (rules.phase(play(rules, covering, "discard KC")), rules.phase(play(rules, playable, "discard 7H")))


def taken_back(rules: rummy.Game) -> object:
    """KC is taken: may it go back with another card in hand, and as the last card?"""
    two = play(rules, table_of(rules, "8C", "3C 5D", table=["1: 8S 8H 8D"], pile="2D KC", phase="draw"), "take")
    return may(rules, two, "discard KC"), may(rules, two, "layoff 8C @0")


def laid_out(rules: rummy.Game) -> object:
    """What happens when the whole hand is melded."""
    state = table_of(rules, "7H 8H 9H", "3C 8S", pile="KD")
    if not may(rules, state, "meld 7H 8H 9H"):
        return "illegal"
    return kind(rules, play(rules, state, "meld 7H 8H 9H"))


def big_gin(rules: rummy.Game) -> object:
    state = table_of(rules, "4S 5S 6S 7S KH KD KC 9H 9D 9C 8S", "QC 2H")
    return points(rules, play(rules, state, "knock")) if may(rules, state, "knock") else "illegal"


def shares(*totals: int) -> Scenario:
    """How 1000 are split after a match with these totals."""
    return after("2H 4C", "2C 4D", steps="discard 2H", scores=list(totals), round=3, pile="9C",
                 read=lambda rules, state: rules.payout(state, 1000))


READY = "4S 5S 6S KH KD KC 9H 9D 9C"
KNOCK = "knock 2D, meld 4S 5S 6S, meld KH KD KC, meld 9H 9D 9C, done"
LAST_CARD: dict[str, Any] = {"stock": "KD", "pile": "5C 9H TS", "phase": "draw", "steps": "draw, discard KD"}
DEADLOCKED = ["0: 5S 5H 5D 5C", "0: KS KH KD KC", "1: 6S 7S 8S 9S TS JS QS"]
BEST = {"knock.respond": "best"}

WITNESSES = [
    Witness("players.min", "basic", starts(2), {2: True, 3: False}),
    Witness("players.max", "basic", starts(4), {4: True, 3: False}),
    Witness("deck.packs", "basic", dealt_cards, {1: 52, 2: 104}),
    Witness("deck.jokers", "rummy-500", dealt_cards, {0: 52, 1: 53, 2: 54}),
    Witness("deck.ranks", "basic", lambda rules: melds(rules, "7H JH QH"), {
        "A23456789TJQK": set(), "A234567JQK": {"7H JH QH"}}),
    Witness("deck.suits", "basic", dealt_cards, {"SHDC": 52, "SHD": 39}),
    Witness("deal.hand_size", "basic", hand_size, {5: 5, 10: 10}),
    Witness("deal.up_card_offer", "gin-classic", dealt("AH", read=choices()), {
        "none": {"draw", "take"}, "round": {"take", "pass"}}),
    Witness("deal.all_pass", "gin-classic", dealt("AH", "pass", "pass", read=choices()), {
        "stock_only": {"draw"}, "free": {"draw", "take"}}),
    Witness("deal.next_dealer", "basic-penalty", after(
        "KC TD", "3C", "4S", seat=2, dealer=0, steps="discard 4S", read=lambda rules, state: state.dealer,
    ), {"left": 1, "winner": 2, "loser": 0}),
    Witness("deal.after_exhausted", "gin-classic", after(
        "4S 8D KH", "3C 4D QS", dealer=1, phase="draw", stock="JD TC 2D", pile="5C", steps="draw, discard 8D",
        read=lambda rules, state: state.dealer,
    ), {"left": 0, "same": 1}),
    Witness("melds.set_min", "basic", count("8S 8H 8D"), {2: 4, 3: 1, 4: 0}),
    Witness("melds.set_max", "basic", count("8S 8H 8D 8C"), {3: 4, 4: 5}),
    Witness("melds.set_suits", "rummy-500", count("5D 5D 5H"), {"distinct": 0, "any": 1}),
    Witness("melds.run_min", "basic", count("4H 5H 6H"), {2: 3, 3: 1, 4: 0}),
    Witness("melds.run_max", "basic", count("4H 5H 6H 7H"), {3: 2, 13: 3}),
    Witness("melds.ace", "basic", lambda rules: melds(rules, "AS 2S 3S QH KH AH KC AC 2C"), {
        "low": {"AS 2S 3S", "AS AH AC"}, "high": {"QH KH AH", "AS AH AC"},
        "both": {"AS 2S 3S", "QH KH AH", "AS AH AC"}, "around": {"AS 2S 3S", "QH KH AH", "KC AC 2C", "AS AH AC"}}),
    Witness("wilds.min_naturals", "rummy-500", count("JK 7H JK"), {1: 4, 2: 0}),
    Witness("wilds.max_per_meld", "rummy-500", count("JK 7H JK"), {"unlimited": 4, 1: 0}),
    Witness("wilds.swap", "rummy-500", after(
        "9C 4D 5D KC", "2D", table=["1: 9S 9H 9D JK"], read=allowed("swap 9C @0")), {False: (False,), True: (True,)}),
    Witness("draw.pile", "rummy-500", after(
        "8S 8D 2C", "3C", phase="draw", stock="JD TC", pile="8H KC", read=choices(),
    ), {"top": {"draw", "take"}, "deep": {"draw", "take", "take 2"}, "closed": {"draw"}}, {"call.kind": "off"}),
    Witness("draw.deep_use", "rummy-500", after(
        "2C 5D", "3C", phase="draw", stock="JD TC", pile="7H KC", table=["1: 4H 5H 6H"], read=choices(),
    ), {"any": {"draw", "take", "take 2"}, "meld": {"draw", "take"}}),
    Witness("draw.top_obliges", "rummy-500", after(
        "2C 5D", "3C", phase="draw", stock="JD TC", pile="KC", read=choices(),
    ), {False: {"draw", "take"}, True: {"draw"}}),
    Witness("draw.pile_view", "rummy-500", after(
        "2C 5D", "3C", pile="KC 7H 9S", read=lambda rules, state: rules.view(state, 1).pile_shown,
    ), {"top": 1, "all": 3}),
    Witness("lay.when", "basic", after(
        "4H 5H 6H KS 2C", "3C 9D", read=allowed("meld 4H 5H 6H")), {"any_turn": (True,), "going_out": (False,)}),
    Witness("lay.melds_per_turn", "basic", after(
        "4H 5H 6H 8S 8H 8D KS 2C", "3C 9D", steps="meld 4H 5H 6H", read=allowed("meld 8S 8H 8D"),
    ), {1: (False,), "unlimited": (True,)}),
    Witness("lay.layoff", "basic", after(
        "8H 9H KS", "3C 2D", table=["1: 5H 6H 7H", "0: 9S 9D 9C"], read=choices("layoff"),
    ), {"any": {"layoff 8H @0", "layoff 9H @1"}, "own": {"layoff 9H @1"}, "none": set()}),
    Witness("lay.needs_own_meld", "basic", after(
        "8H 9H KS", "3C 2D", table=["1: 5H 6H 7H"], read=allowed("layoff 8H @0")), {False: (True,), True: (False,)}),
    Witness("discard.taken", "basic", taken_back, {
        "never": (False, False), "if_last": (False, True), "free": (True, True)}),
    Witness("discard.last", "rummy-500", laid_out, {"optional": "out", "required": "illegal", "float": "playing"}),
    Witness("discard.last_unplayable", "rummy-500", after(
        "7H", "3C", table=["1: 4H 5H 6H"], read=allowed("discard 7H")), {False: (True,), True: (False,)}),
    Witness("discard.last_face_down", "basic", after(
        "9S", "3C", pile="5C", tabled=[0], steps="discard 9S",
        read=lambda rules, state: "9S" in zone(rules.view(state, 1).pile),
    ), {False: True, True: False}),
    Witness("stock.check", "basic", after("2H 5D 9C", "3D 7S JC", read=phase, **LAST_CARD), {
        "end_of_turn": "reshuffle", "on_draw": "draw"}),
    Witness("stock.floor", "gin-classic", after(
        "4S 8D KH", "3C 4D QS", phase="draw", stock="JD TC 2D", pile="5C", steps="draw, discard 8D", read=kind,
    ), {0: "playing", 2: "exhausted"}),
    Witness("stock.when_empty", "basic", after("2H 5D 9C", "3D 7S JC", read=phase, **LAST_CARD), {
        "shuffle": "reshuffle", "turn_over": "draw", "none": "deal"}),
    Witness("stock.keep_top", "basic", after(
        "2H 5D 9C", "3D 7S JC", read=lambda rules, state: zone(renew(rules, state).pile), **LAST_CARD,
    ), {True: "KD", False: ""}),
    Witness("stock.renewals", "basic", after("2H 5D 9C", "3D 7S JC", renewals=1, read=phase, **LAST_CARD), {
        1: "deal", "unlimited": "reshuffle"}),
    Witness("stock.then", "basic", after(
        "2H 5D 9C", "3D 7S JC", read=lambda rules, state: state.result and (state.result.kind, state.result.points),
        **LAST_CARD,
    ), {
        "exhausted": ("exhausted", (0, 0)), "stock_out": ("stock_out", (0, 0)), "lowest": ("stock_out", (4, 0)),
        "play_on": None,
    }, {"stock.renewals": 0}),
    Witness("knock.limit", "gin-classic", dealt("4H", "pass", "pass", "draw", read=choices("knock")), {
        0: set(), 10: {"knock 3D", "knock 8D"}, "up_card": {"knock 8D"},
        "none": {f"knock {face}" for face in ["4S", "5S", "6S", "KH", "KD", "KC", "9H", "9D", "9C", "8D", "3D"]}}),
    Witness("knock.ace_limit", "gin-classic", dealt(
        "AH", read=lambda rules, state: rules.view(state, 0).knock_limit,
    ), {"one": 1, "gin_only": 0}, {"knock.limit": "up_card"}),
    Witness("knock.first_turn", "gin-classic", after(
        f"{READY} 2H 2D", "3C 4D", read=allowed("knock 2D")), {True: (True,), False: (False,)}),
    Witness("knock.layoff", "gin-classic", after(
        f"{READY} 2H 2D", "7S QC", steps=KNOCK, read=choices("layoff")), {
            "knocker": {"layoff 7S @0"}, "none": set()}),
    Witness("knock.layoff_chain", "gin-knock", chained, {
        "own": (False, True), "none": (False, False), "any": (True, True)}),
    Witness("knock.gin_bonus", "gin-classic", after(
        f"{READY} 7S 2D", "QC 2H", steps=KNOCK.replace("6S", "6S 7S"), read=points), {25: (37, 0), 20: (32, 0)}),
    Witness("knock.undercut_bonus", "gin-classic", after(f"{READY} 8H 2D", "5H 2H", steps=KNOCK, read=points), {
        25: (0, 26), 10: (0, 11)}, BEST),
    Witness("knock.big_gin_bonus", "gin-classic", big_gin, {0: "illegal", 31: (43, 0)}, {"knock.spread": "best"}),
    Witness("knock.undercut_on_tie", "gin-classic", after(f"{READY} 8H 2D", "8C", steps=KNOCK, read=points), {
        True: (0, 25), False: (0, 0)}, BEST),
    Witness("knock.undercut_to", "gin-knock", after(f"{READY} 8H 2D", "5H", "QH", steps=KNOCK, read=points), {
        "penalty": (28, 0, 5), "winner": (3, -25, 5)}, BEST),
    Witness("knock.undercut_to", "gin-classic", after(f"{READY} 8H 2D", "5H", steps=KNOCK, read=points), {
        "penalty": (-25, 3), "winner": (0, 28)}, BEST),
    Witness("knock.spread", "gin-classic", after(f"{READY} 8H 2D", "5H 2H", steps="knock 2D", read=phase), {
        "choose": "spread", "best": "respond"}),
    Witness("knock.respond", "gin-classic", after(f"{READY} 8H 2D", "5H 2H", steps=KNOCK, read=phase), {
        "choose": "respond", "best": "deal"}),
    Witness("call.kind", "rummy-500", called, {
        "off": ("draw", "draw"), "top": ("draw", "call"), "pile": ("call", "call")}),
    Witness("ending.deadlock", "basic", after(
        "2C 4D", "3C", table=DEADLOCKED, pile="7D", steps="discard 4D", read=kind), {
            True: "deadlock", False: "playing"}),
    Witness("ending.max_turns", "basic", after("2C 4D", "3C 9H", steps="discard 4D", read=kind), {
        1: "void", 2: "playing"}),
    Witness("scoring.model", "basic", after(
        "9S", "TC 2C", "9D", table=["0: 4H 5H 6H"], steps="discard 9S", read=points,
    ), {"winner_takes_hands": (21, 0, 0), "penalty": (0, 12, 9), "melds_minus_hand": (15, -12, -9)}),
    Witness("scoring.model", "gin-classic", after(f"{READY} 8H 2D", "QC 2H", steps=KNOCK, read=points), {
        "knock_difference": (4, 0), "knock_penalties": (0, 4)}, BEST),
    Witness("scoring.rummy", "basic", after("9S", "TC 4D", tabled=[], steps="discard 9S", read=points), {
        "off": (14, 0), "double": (28, 0), 10: (24, 0)}),
    Witness("scoring.drawn", "basic", after(
        "9S 2H", "TC 4D", steps="discard 9S", read=lambda rules, state: result(state).standing,
    ), {"draw": ("draw", "draw"), "loss": ("loss", "loss")}, {"ending.max_turns": 1}),
    Witness("scoring.values.A", "rummy-500", after(
        "AS AH AD 9C", "2C", steps="meld AS AH AD, discard 9C", read=lambda rules, state: result(state).tabled[0],
    ), {15: 45, 20: 60}),
    *(
        Witness(f"scoring.values.{rank}", "basic", after(
            "9S", f"{rank}C", tabled=[0], steps="discard 9S", read=points), {value: (value, 0), 17: (17, 0)})
        for rank, value in zip("23456789TJQK", [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10], strict=True)
    ),
    Witness("scoring.values.joker", "rummy-500", after(
        "8S 8H JK 9C", "JK", steps="meld 8S 8H JK, discard 9C",
        read=lambda rules, state: (result(state).tabled[0], result(state).left[1]),
    ), {15: (31, 15), 20: (36, 20), "as_card": (24, 15)}),
    Witness("scoring.values.low_ace", "rummy-500", after(
        "AS 2S 3S 9C", "2C", steps="meld AS 2S 3S, discard 9C", read=lambda rules, state: result(state).tabled[0],
    ), {1: 6, 15: 20}),
    Witness("scoring.values.hand_ace", "rummy-500", after("9C", "AC", steps="discard 9C", read=points), {
        15: (0, -15), 5: (0, -5)}),
    Witness("match.target", "basic", after("9S", "TC", tabled=[0], scores=[95, 0], steps="discard 9S", read=over), {
        105: True, 106: False}),
    Witness("match.rounds", "gin-knock", after(
        "9S 2H", "TC 4D", scores=[1, 2], steps="discard 9S", read=over), {1: True, 3: False}, {"ending.max_turns": 1}),
    Witness("match.target_allowed.min", "rummy-2-6", starts(2), {50: True, 100: "refused"}, {"match.target": 75}),
    Witness("match.target_allowed.max", "rummy-2-6", starts(2), {300: True, 275: "refused"}, {"match.target": 300}),
    Witness("match.target_allowed.step", "rummy-2-6", starts(2), {25: "refused", 10: True}, {"match.target": 60}),
    Witness("match.best", "basic", after(
        "9S", "TC", tabled=[0], scores=[95, 0], steps="discard 9S", read=lambda rules, state: rules.winners(state),
    ), {"highest": (0,), "lowest": (1,)}),
    Witness("match.tie", "gin-knock", after(
        "9S 2H", "TC 4D", scores=[5, 5], round=3, steps="discard 9S", read=over), {
            "share": True, "round": False}, {"ending.max_turns": 1}),
    Witness("prize.split", "gin-knock", shares(0, 25), {
        "pool_normalised": (750, 250), "gap_scaled": (875, 125)}, {"ending.max_turns": 1}),
    Witness("prize.winner_min", "gin-knock", shares(0, 25), {75: (750, 250), 90: (900, 100)}, {"ending.max_turns": 1}),
    Witness("prize.threshold", "gin-knock", shares(0, 25), {50: (750, 250), 25: (1000, 0)}, {"ending.max_turns": 1}),
]

NOT_ALONE = {("lay.when", "knock")}
"""Choices that no profile can have without other dials: knocking needs its section and its scoring."""


@pytest.mark.parametrize("witness", WITNESSES, ids=lambda witness: f"{witness.path} in {witness.variant}")
def test_witness(witness: Witness) -> None:
    for value, outcome in witness.outcomes.items():
        assert witness.outcome(value) == outcome, value
    for one, other in combinations(witness.outcomes.values(), 2):
        assert one != other


def test_every_dial_has_a_witness() -> None:
    wanted = {dial.path for dial in dials() if not dial.path.startswith("meta.")}
    assert wanted == {witness.path for witness in WITNESSES}


def test_every_choice_is_witnessed() -> None:
    shown = {(witness.path, value) for witness in WITNESSES for value in witness.outcomes}
    wanted = {(dial.path, choice) for dial in dials() for choice in dial.choices}
    assert wanted - shown == NOT_ALONE


