"""The engine and the independent reference side by side: same actions, and every decision, zone and result compared.

As a script it goes on for as long as it is let, over shipped and random profiles:

    python -m tests.lockstep --seconds 600 --from 0
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import rummy_engine as rummy
from rummy_engine.actions import Discard, Draw, Pass
from rummy_engine.cards import faces_in
from tests.reference import ReferenceGame

MAX_NODES = 2500
"""Decisions after which a round of endless exchanges is left alone."""


class Difference(AssertionError):
    """The two engines disagree; the message holds the position and the actions that led on from it."""


@dataclass(frozen=True)
class Pair:
    """One game in both engines."""

    game: rummy.Game
    reference: ReferenceGame
    players: int

    @classmethod
    def of(cls, variant: str, players: int, overrides: Mapping[str, Any] | None = None) -> Pair:
        """Both engines for a shipped profile with overrides."""
        game = rummy.load(variant, overrides)
        return cls(game, ReferenceGame(game.profile.model_dump(by_alias=True), players), players)

    def play(self, seed: int, eagerness: float = 0.5, rounds: int = 1) -> int:
        """Plays seeded rounds in both; the number of decisions compared. `eagerness`: how often not to just discard.

        Raises Difference.
        """
        game, rng = self.game, random.Random(seed)
        ours, theirs = game.start(self.players), self.reference.start(0)
        nodes = ended = 0
        while not game.is_over(ours) and ended < rounds and nodes < MAX_NODES:
            if ours.seat == rummy.DEALER:
                action = game.chance(ours, rng)
            else:
                legal = game.legal(ours)
                listed = {str(each) for each in legal}
                expected = self.reference.legal(theirs)
                if listed != expected or len(legal) != len(listed):
                    told = f"only ours {listed - expected}, only theirs {expected - listed}"
                    raise Difference(self._told(ours, told))
                nodes += 1
                bold = [each for each in legal if not isinstance(each, (Discard, Draw, Pass))]
                choice = bold if bold and rng.random() < eagerness else legal
                action = choice[int(rng.random() * len(choice))]
            before = ours
            ours, theirs = game.apply(ours, action), self.reference.apply(theirs, str(action))
            self._compare(before, action, ours, self.reference.describe(theirs), self.reference.result(theirs))
            ended += game.round_over(ours) and not game.round_over(before)
        return nodes

    def _compare(
        self, before: rummy.State, action: rummy.Action, after: rummy.State, theirs: dict[str, Any], result: Any
    ) -> None:
        ours: dict[str, Any] = {
            "seat": after.seat,
            "dealer": after.dealer,
            "phase": after.phase,
            "hands": [sorted(map(str, faces_in(hand))) for hand in after.hands],
            "stock": list(map(str, after.stock)),
            "pile": list(map(str, after.pile)),
            "table": [[meld.kind, str(meld), list(meld.by)] for meld in after.table],
            "renewals": after.renewals,
            "scores": list(after.scores),
            "round": after.round,
            "turns": after.turns,
        }
        theirs = {**theirs, "hands": [sorted(hand) for hand in theirs["hands"]]}
        if after.result is not None and self.game.round_over(after):
            ours |= after.result._asdict()
            theirs |= result or {}
        for key, value in ours.items():
            if _plain(value) != _plain(theirs.get(key)):
                raise Difference(self._told(before, f"after {action}: {key} is {value}, expected {theirs.get(key)}"))

    def _told(self, state: rummy.State, what: str) -> str:
        where = f"{self.game.profile.meta.name}, {self.players} players"
        return f"{where}: {what}\nposition(**{self.game.describe(state)})\n{self.game.profile.to_toml()}"


def _plain(value: Any) -> Any:
    return [_plain(each) for each in value] if isinstance(value, (tuple, list)) else value


# -------------------------------------------------------------------------------------------------- random profiles

ANY_GAME: dict[str, list[Any]] = {
    "deck.packs": [1, 2],
    "deck.jokers": [0, 1, 2],
    "deck.ranks": ["A23456789TJQK", "A2345678", "A234567JQK", "A23456"],
    "deck.suits": ["SHDC", "SHD"],
    "deal.hand_size": [3, 4, 5, 7],
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
    # Not "best": of several minimal arrangements the two engines may lay different ones.
    "knock.spread": ["choose"],
    "scoring.model": ["knock_penalties", "knock_difference"],
}


def random_profile(seed: int) -> tuple[str, int, dict[str, Any]]:
    """A shipped name, a number of players and overrides; not every one is a possible profile."""
    rng = random.Random(f"profile {seed}")
    base = rng.choice(rummy.variants())
    density = rng.choice([0.1, 0.3, 0.7])
    dials = ANY_GAME | (KNOCKING if base.startswith("gin") else LAYING)
    overrides = {dial: rng.choice(values) for dial, values in dials.items() if rng.random() < density}
    overrides["match.rounds"] = rng.choice([1, 2, 3])
    overrides["ending.max_turns"] = rng.choice([15, 40])
    if base.startswith("gin") and rng.random() < 0.8:
        overrides |= {"deck.packs": 1, "deck.jokers": 0}
    return base, rng.choice([2, 2, 3, 4]), overrides


def compare_random_profile(seed: int) -> int | None:
    """The decisions compared under the random profile of this seed; None where there is no such game."""
    base, players, overrides = random_profile(seed)
    try:
        pair = Pair.of(base, players, overrides)
        pair.game.start(players)
    except rummy.ProfileError:
        return None
    return pair.play(seed, eagerness=random.Random(seed).choice([0.2, 0.8]), rounds=2)


def compare_shipped(seed: int) -> Counter[str]:
    """The decisions compared in one round of every shipped variant at every number of players."""
    nodes: Counter[str] = Counter()
    for name in rummy.variants():
        seats = rummy.load(name).profile.players
        for players in range(seats.min, seats.max + 1):
            nodes[name] += Pair.of(name, players).play(seed, eagerness=(0.0, 0.5, 0.9)[seed % 3])
    return nodes


def main() -> None:
    """Compares until the time is up, and says how much was compared."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first seed")
    parser.add_argument("--random-only", action="store_true", help="random profiles only, no shipped variants")
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    seed, profiles, rounds = options.first, 0, 0
    nodes: Counter[str] = Counter()
    while time.monotonic() < end:
        if seed % 10 == 0 and not options.random_only:
            found = compare_shipped(seed)
            nodes.update(found)
            rounds += 50
        try:
            compared = compare_random_profile(seed)
        except Difference as difference:
            print(f"seed {seed}: {difference}", flush=True)
            compared = None
        if compared is not None:
            profiles += 1
            nodes["random profiles"] += compared
        seed += 1
    print(f"{profiles} random profiles, seeds {options.first} to {seed - 1}; decisions compared: {dict(nodes)}")


if __name__ == "__main__":
    main()
