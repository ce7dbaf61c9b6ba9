"""The engine and the independent reference side by side: same actions, and every decision, zone and result compared.

As a script it goes on until enough rounds are compared, over every shipped variant at every number of players and over
random profiles, and says what was reached; the exit code is 1 if the engines ever disagreed:

    python -m tests.lockstep --rounds 20000
    python -m tests.lockstep --seconds 600 --from 100000     # for so long, with other seeds
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import rummy_engine as rummy
from rummy_engine.actions import TAKE, Discard, Draw, Knock, Pass
from rummy_engine.cards import COPY_BITS, faces_in
from rummy_engine.melds.shapes import Meld
from tests.reference import ReferenceGame
from tests.reference import State as ReferenceState
from tests.reference.profiles import SHIPPED

LONGEST = 2500
"""Decisions after which a round of endless exchanges is left alone."""
EAGERNESS = (0.2, 0.5, 0.8, 0.95)


class Difference(AssertionError):
    """The two engines disagree; the message holds the position before the action and the profile."""


class _Tie(Exception):
    """Of several best arrangements the engines laid different ones: the rest of the round would differ."""


@dataclass
class Compared:
    """How much was compared."""

    decisions: int = 0
    rounds: int = 0
    """Rounds played to their end in both engines."""
    cut: int = 0
    """Rounds left alone: after `LONGEST` decisions, or at a tie of best arrangements."""
    met: Counter[str] = field(default_factory=Counter)
    """Decisions by phase, actions by phase and type, ended rounds by kind."""

    def __add__(self, other: Compared) -> Compared:
        return Compared(
            self.decisions + other.decisions, self.rounds + other.rounds, self.cut + other.cut, self.met + other.met
        )


@dataclass(frozen=True)
class Pair:
    """One game in both engines."""

    game: rummy.Game
    reference: ReferenceGame
    players: int

    @classmethod
    def of(cls, variant: str, players: int, overrides: Mapping[str, Any] | None = None) -> Pair:
        """Both engines for a shipped profile with overrides; without them the reference has its own copy of it."""
        game = rummy.load(variant, overrides)
        profile = game.profile.model_dump(by_alias=True) if overrides else SHIPPED[variant]
        return cls(game, ReferenceGame(profile, players), players)

    def play(self, seed: int, eagerness: float = 0.5, rounds: int = 1) -> Compared:
        """Plays seeded rounds of a match in both; `eagerness`: how often a seat does what ends a round sooner.

        Raises Difference.
        """
        game, rng, done = self.game, random.Random(seed), Compared()
        dealer = seed % self.players
        ours, theirs = game.start(self.players, dealer), self.reference.start(dealer)
        nodes = 0
        while not game.is_over(ours) and done.rounds < rounds:
            if ours.seat == rummy.DEALER:
                action = game.chance(ours, rng)
            else:
                action = self._choose(ours, theirs, rng, eagerness)
                done.decisions += 1
                done.met[f"{ours.phase} {type(action).__name__}"] += 1
                nodes += 1
            before = ours
            ours, theirs = game.apply(ours, action), self.reference.apply(theirs, str(action))
            try:
                theirs = self._aligned(before, action, ours, theirs)
                self._compare(before, action, ours, theirs)
            except _Tie:
                nodes = LONGEST
            if game.round_over(ours) and not game.round_over(before):
                assert ours.result is not None
                done.met[f"ended {ours.result.kind}"] += 1
                done.rounds += 1
                nodes = 0
            elif nodes >= LONGEST:
                done.cut += 1
                break
        return done

    def _choose(
        self, ours: rummy.State, theirs: ReferenceState, rng: random.Random, eagerness: float
    ) -> rummy.Action:
        """One of the legal actions, which must be the same in both."""
        legal = self.game.legal(ours)
        listed, expected = {str(each) for each in legal}, self.reference.legal(theirs)
        if listed != expected or len(legal) != len(listed):
            told = f"only ours {listed - expected}, only theirs {expected - listed}"
            raise Difference(self._told(ours, told))
        choice = self._purposeful(ours, legal, rng) if rng.random() < eagerness else legal
        return choice[int(rng.random() * len(choice))]

    def _purposeful(
        self, state: rummy.State, legal: tuple[rummy.Action, ...], rng: random.Random
    ) -> Sequence[rummy.Action]:
        """What is more than to draw, pass or discard; where there is knocking, also the discard that leaves least."""
        bold = [each for each in legal if not isinstance(each, (Discard, Draw, Pass)) and each != TAKE]
        if self.game.profile.knock is None or state.phase != "play" or (bold and rng.random() < 0.3):
            return bold or legal
        deadwood, hand = self.game.rules(self.players).arranger.deadwood, state.hands[state.seat]

        def kept(action: Discard) -> int:
            copies = hand & COPY_BITS[action.card]
            return deadwood(hand ^ (copies & -copies))

        return [min((each for each in legal if isinstance(each, Discard)), key=kept)]

    def _compare(self, before: rummy.State, action: rummy.Action, after: rummy.State, theirs: ReferenceState) -> None:
        ours: dict[str, Any] = {
            "seat": after.seat,
            "dealer": after.dealer,
            "phase": after.phase,
            "hands": [sorted(map(str, faces_in(hand))) for hand in after.hands],
            "stock": list(map(str, after.stock)),
            "pile": list(map(str, after.pile)),
            "table": [_laid(meld.kind, str(meld), meld.by) for meld in after.table],
            "renewals": after.renewals,
            "scores": list(after.scores),
            "round": after.round,
            "turns": after.turns,
        }
        expected = {**self.reference.describe(theirs)}
        expected["hands"] = [sorted(hand) for hand in expected["hands"]]
        expected["table"] = [_laid(*meld) for meld in expected["table"]]
        knock = self.game.profile.knock
        if after.result is not None and self.game.round_over(after):
            ours |= after.result._asdict()
            expected |= self.reference.result(theirs) or {}
            if knock and knock.respond == "best":  # the reference counts the answers without laying them
                for zone in ("hands", "table", "tabled"):
                    del ours[zone]
        for key, value in ours.items():
            if _plain(value) != _plain(expected.get(key)):
                raise Difference(self._told(before, f"after {action}: {key} is {value}, expected {expected.get(key)}"))

    def _aligned(
        self, before: rummy.State, action: rummy.Action, after: rummy.State, theirs: ReferenceState
    ) -> ReferenceState:
        """Where a best spread was laid: its points must agree; the order of the melds, which means nothing, is ours.

        Raises _Tie if other melds were laid than in the reference.
        """
        knock = self.game.profile.knock
        if not (knock and knock.spread == "best" and isinstance(action, Knock)):
            return theirs
        count = self.reference.scoring.count
        left = [str(face) for face in faces_in(after.hands[before.seat])]
        if count(left) != count(theirs.hands[before.seat]):
            raise Difference(self._told(before, f"after {action}: {left} are left, expected {theirs.hands}"))
        melds = {meld.text: meld for meld in theirs.table}
        laid = [_part(meld, before.seat) for meld in after.table if meld.owner == before.seat]
        if sorted(laid) != sorted(meld.text for meld in theirs.table):
            raise _Tie
        return replace(theirs, table=tuple([melds[text] for text in laid]))

    def _told(self, state: rummy.State, what: str) -> str:
        where = f"{self.game.profile.meta.name}, {self.players} players"
        return f"{where}: {what}\nposition(**{self.game.describe(state)})\n{self.game.profile.to_toml()}"


def _part(meld: Meld, seat: int) -> str:
    """The cards of a meld that one seat laid."""
    return " ".join([text for text, by in zip(str(meld).split(), meld.by, strict=True) if by == seat])


def _laid(kind: str, text: str, by: Sequence[int | None]) -> list[Any]:
    """A meld and who laid which card. Which of two twins in a set comes first means nothing."""
    pairs = list(zip(text.split(), by, strict=True))
    return [kind, text, sorted(pairs, key=str) if kind == "set" else pairs]


def _plain(value: Any) -> Any:
    return [_plain(each) for each in value] if isinstance(value, (tuple, list)) else value


# -------------------------------------------------------------------------------------------------- random profiles

ANY_GAME: dict[str, list[Any]] = {
    "deck.packs": [1, 2],
    "deck.jokers": [0, 1, 2],
    "deck.ranks": ["A23456789TJQK", "A2345678", "A234567JQK", "A23456"],
    "deck.suits": ["SHDC", "SHD"],
    "deal.hand_size": [3, 4, 5, 7, {"by_round": [3, 5]}],
    "deal.up_card_offer": ["none", "round"],
    "deal.all_pass": ["stock_only", "free"],
    "deal.next_dealer": ["left", "winner", "loser"],
    "deal.after_exhausted": ["left", "same"],
    "melds.set_min": [2, 3, 4],
    "melds.set_max": [3, 4, 5],
    "melds.set_suits": ["distinct", "any"],
    "melds.run_min": [2, 3, 4],
    "melds.run_max": [5, 13],
    "melds.ace": ["low", "high", "both", "around"],
    "wilds.min_naturals": [1, 2],
    "wilds.max_per_meld": [1, "unlimited"],
    "wilds.swap": [False, True],
    "draw.pile": ["top", "deep", "closed"],
    "draw.deep_use": ["meld", "any"],
    "discard.taken": ["never", "if_last", "free"],
    "discard.last": ["optional", "required", "float"],
    "discard.last_unplayable": [False, True],
    "discard.last_face_down": [False, True],
    "stock.check": ["end_of_turn", "on_draw"],
    "stock.floor": [0, 1, 2],
    "stock.when_empty": ["shuffle", "turn_over", "none"],
    "stock.keep_top": [True, False],
    "stock.renewals": [0, 1, 2, "unlimited"],
    "stock.then": ["exhausted", "stock_out", "lowest", "play_on"],
    "ending.deadlock": [False, True],
    "scoring.values.joker": [15, "as_card"],
    "scoring.values.low_ace": [1, 3],
    "scoring.values.hand_ace": [1, 11],
    "scoring.drawn": ["draw", "loss"],
    "match.best": ["highest", "lowest"],
    "match.tie": ["round", "share"],
}
LAYING: dict[str, list[Any]] = {
    "draw.top_obliges": [False, True],
    "lay.when": ["any_turn", "going_out"],
    "lay.melds_per_turn": [1, 2, "unlimited"],
    "lay.layoff": ["any", "own", "none"],
    "lay.needs_own_meld": [False, True],
    "call.kind": ["off", "pile", "top"],
    "scoring.model": ["winner_takes_hands", "penalty", "melds_minus_hand"],
    "scoring.rummy": ["off", "double", 7],
}
KNOCKING: dict[str, list[Any]] = {
    "knock.limit": [0, 5, 10, 30, "none", "up_card"],
    "knock.ace_limit": ["one", "gin_only"],
    "knock.first_turn": [True, False],
    "knock.layoff": ["knocker", "none"],
    "knock.layoff_chain": ["own", "none", "any"],
    "knock.big_gin_bonus": [0, 31],
    "knock.undercut_on_tie": [True, False],
    "knock.undercut_to": ["winner", "penalty"],
    "knock.spread": ["choose", "best"],
    "knock.respond": ["choose", "best"],
    "scoring.model": ["knock_penalties", "knock_difference"],
}


def random_profile(seed: int) -> tuple[str, int, dict[str, Any]]:
    """A shipped name, a number of players and overrides; not every one is a possible profile."""
    rng = random.Random(f"profile {seed}")
    knocking = rng.random() < 0.3
    base = rng.choice([name for name in rummy.variants() if name.startswith("gin") == knocking])
    density = rng.choice([0.1, 0.3, 0.7])
    dials = ANY_GAME | (KNOCKING if knocking else LAYING)
    overrides = {dial: rng.choice(values) for dial, values in dials.items() if rng.random() < density}
    overrides["match.rounds"] = rng.choice([1, 2, 3])
    overrides["ending.max_turns"] = rng.choice([20, 80])
    if overrides.get("lay.when") == "going_out":  # the reference tries every way to go out with every deep draw
        overrides["ending.max_turns"] = 20
    if knocking and rng.random() < 0.8:
        overrides |= {"deck.packs": 1, "deck.jokers": 0}
    return base, rng.choice([2, 2, 3, 4, 5]), overrides


def compare_random_profile(seed: int, rounds: int = 3) -> Compared | None:
    """What was compared under the random profile of this seed; None where there is no such game."""
    base, players, overrides = random_profile(seed)
    try:
        pair = Pair.of(base, players, overrides)
        pair.game.start(players)
    except rummy.ProfileError:
        return None
    return pair.play(seed, random.Random(seed).choice(EAGERNESS), rounds)


# --------------------------------------------------------------------------------------------------------- the command


def tables() -> Iterator[tuple[str, int]]:
    """Every shipped variant at every number of players."""
    for name in rummy.variants():
        seats = rummy.load(name).profile.players
        for players in range(seats.min, seats.max + 1):
            yield name, players


def jobs(first: int, shipped: bool, profiles: bool) -> Iterator[tuple[str, int, Compared | Difference]]:
    """For ever one round of every shipped table, then fifty random profiles: (name, seed, what came of it)."""
    seed = first
    while True:
        for name, players in tables() if shipped else ():
            try:
                yield name, seed, Pair.of(name, players).play(seed, EAGERNESS[seed % len(EAGERNESS)])
            except Difference as difference:
                yield name, seed, difference
        for _ in range(50):
            try:
                compared = compare_random_profile(seed) if profiles else None
                if compared is not None:
                    yield "random profiles", seed, compared
            except Difference as difference:
                yield "random profiles", seed, difference
            seed += 1


def main() -> int:
    """Compares until enough is done, and says how much was; the exit code is 1 after a difference."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--rounds", type=int, help="stop after so many rounds")
    parser.add_argument("--seconds", type=float, help="stop after so long")
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first seed (default: 0)")
    parser.add_argument("--random-only", action="store_true", help="random profiles only")
    parser.add_argument("--shipped-only", action="store_true", help="shipped variants only")
    options = parser.parse_args()
    if options.rounds is None and options.seconds is None:
        parser.error("say how much: --rounds or --seconds")
    end = None if options.seconds is None else time.monotonic() + options.seconds
    total, by_name, differences, games = Compared(), Counter[str](), 0, 0
    try:
        for name, seed, found in jobs(options.first, not options.random_only, not options.shipped_only):
            if isinstance(found, Difference):
                differences += 1
                print(f"seed {seed}: {found}", flush=True)
            else:
                total, games = total + found, games + (name == "random profiles")
                by_name[name] += found.rounds
            if (end is not None and time.monotonic() >= end) or (options.rounds and total.rounds >= options.rounds):
                break
    except KeyboardInterrupt:
        print("interrupted; so far:")
    print(f"{total.rounds} rounds ({total.cut} more were cut), {total.decisions} decisions, {games} random profiles")
    for what, counted in (("rounds", by_name), ("met", total.met)):
        print(f"{what}: " + ", ".join(f"{name} {count}" for name, count in sorted(counted.items())))
    print(f"{differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
