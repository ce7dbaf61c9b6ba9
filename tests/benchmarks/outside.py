"""Our bots against bots not written here: OpenSpiel's simple gin bot and RLCard's novice gin agent, on shared deals.

    python tests/benchmarks/outside.py [--bots hard,medium] [--peers openspiel,rlcard] [--pairs 2000] [--seed 1]
                                       [--workers 2] [--json FILE]

Both programs play the same round side by side (tests/peers): what one side chooses is applied on the other. Every deal
is played twice, seats swapped, and points are counted by our rules: `gin-classic` for OpenSpiel, which plays the same
game, and tests/data/rlcard-gin.toml for RLCard. "ahead" is how many points a round our bot makes more, the mean over
the pairs with its 95 % interval; "rounds won" is its share of the rounds in which one side made more points. A deal in
which a program does what the other does not allow (the differences named in tests/peers) is left out and counted.
Ctrl-C keeps what is known.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import cache, partial
from math import sqrt
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import rummy_engine as rummy
from rummy_engine.bots import check_bot, make_bot
from rummy_engine.comparing.intervals import Z, share_of
from rummy_engine.policy import Policy
from rummy_engine.simulate import deal_seed
from tests.helpers import hand
from tests.peers import openspiel, rlcard_gin

ROOT = Path(__file__).resolve().parents[2]
CHUNK = 10
"""Pairs that a worker plays at a time."""


class Apart(Exception):
    """The two programs cannot go on together: a known difference."""


@cache
def openspiel_peer() -> tuple[rummy.Game, openspiel.OpenSpiel]:
    """Our game and OpenSpiel."""
    return rummy.load("gin-classic"), openspiel.OpenSpiel()


@cache
def rlcard_peer() -> tuple[rummy.Game, rlcard_gin.RLCard]:
    """Our game and RLCard."""
    return rummy.load(ROOT / "tests" / "data" / "rlcard-gin.toml"), rlcard_gin.RLCard()


def against_openspiel(name: str, seed: int, ours: int) -> tuple[int, int]:
    """Plays a deal with our bot in seat `ours`; the points of our bot and of theirs."""
    game, peer = openspiel_peer()
    rng, start = random.Random(seed), game.start(2, dealer=seed % 2)
    state = game.apply(start, game.chance(start, rng))
    mirror = openspiel.Mirror(peer, state)
    bot, theirs = _bot(game, name), peer.bot((2 - state.dealer - ours) % 2)
    while not game.round_over(state):
        if mirror.over:
            raise Apart  # it ends rounds in which only up-cards are drawn
        legal = game.legal(state)
        if state.seat == ours:
            if state.phase != "respond":  # what is laid off there is the end, and has another order in OpenSpiel
                legal = _followable(mirror, legal)
            action: rummy.Action | None = bot(game.view(state, ours), legal, rng)
        else:
            action = mirror.ask(theirs, legal)
        if action is None:
            raise Apart
        if state.phase != "respond" or state.seat != ours:
            mirror.follow(str(action), state)
        state = game.apply(state, action)
    return _points(state, ours)


def _followable(mirror: openspiel.Mirror, legal: Sequence[rummy.Action]) -> tuple[rummy.Action, ...]:
    """What OpenSpiel can follow: long runs are laid there in pieces."""
    options = mirror.options()
    found = []
    for action in legal:
        word, *faces = openspiel.without_target(str(action)).split()
        parts = {f"meld {' '.join(openspiel.in_order(part))}" for part in openspiel.pieces(faces)}
        if f"{word} {' '.join(faces)}".strip() in options or (word == "meld" and parts <= options):
            found.append(action)
    return tuple(found)


def against_rlcard(name: str, seed: int, ours: int) -> tuple[int, int]:
    """Plays a deal with our bot in seat `ours`; the points of our bot and of theirs."""
    game, peer = rlcard_peer()
    peer.numpy.random.seed(seed % 2**32)  # the agent draws from it
    rng, mirror, agent = random.Random(seed), rlcard_gin.Mirror(peer, seed % 2**32), peer.novice()
    state, bot = mirror.position(game), _bot(game, name)
    while not game.round_over(state):
        options = mirror.actions()
        if "gin" in options:  # RLCard allows nothing else, and chooses the card
            taken, thrown, cards = mirror.taken, mirror.follow("gin"), hand(state, state.seat)
            text = f"knock {_gin_without(game, cards, thrown, taken)}"
        elif state.seat == ours:
            legal = tuple(action for action in game.legal(state) if str(action) in options)
            text = str(bot(game.view(state, ours), legal, rng))
            mirror.follow(text)
        else:
            text = mirror.ask(agent)
            if not game.is_legal(state, text):
                raise Apart
            mirror.follow(text)
        state = game.apply(state, text)
    return _points(state, ours)


def _gin_without(game: rummy.Game, cards: Sequence[str], thrown: str, taken: str | None) -> str:
    """A card to throw with gin: RLCard's, or another where that one was just taken, which our rules forbid."""
    if thrown != taken:
        return thrown
    rests = {card: " ".join(other for other in cards if other != card) for card in cards if card != taken}
    return next(card for card, rest in rests.items() if not rummy.best_arrangement(rest, game).points)


@cache
def _bot(game: rummy.Game, name: str) -> Policy:
    return make_bot(name, game)


def _points(state: rummy.State, ours: int) -> tuple[int, int]:
    assert state.result is not None
    return state.result.points[ours], state.result.points[1 - ours]


PEERS: dict[str, Callable[[str, int, int], tuple[int, int]]] = {
    "openspiel": against_openspiel,
    "rlcard": against_rlcard,
}


@dataclass
class Outside:
    """What one of our bots did against a peer's."""

    peer: str
    bot: str
    pairs: int = 0
    left_out: int = 0
    total: int = 0
    """Points our bot is ahead, over all pairs: sums of two rounds."""
    squares: int = 0
    won: int = 0
    lost: int = 0

    def add(self, rounds: Sequence[tuple[int, int]] | None) -> None:
        """Counts the two rounds of a deal; None: it was left out."""
        if rounds is None:
            self.left_out += 1
            return
        ahead = sum(ours - theirs for ours, theirs in rounds)
        self.pairs += 1
        self.total += ahead
        self.squares += ahead * ahead
        self.won += sum(ours > theirs for ours, theirs in rounds)
        self.lost += sum(ours < theirs for ours, theirs in rounds)

    def ahead(self) -> tuple[float, float, float]:
        """Points a round our bot is ahead, with the 95 % interval."""
        n = self.pairs
        mean = self.total / n
        error = sqrt(max(self.squares / n - mean * mean, 0.0) / max(n - 1, 1))
        return mean / 2, (mean - Z * error) / 2, (mean + Z * error) / 2

    def line(self) -> str:
        """A row of the table."""
        value, low, high = self.ahead()
        won = share_of(self.won, self.won + self.lost)
        share = f"{won.value or 0:.1%} ({won.low or 0:.1%}–{won.high or 0:.1%})"
        left_out = f"  {self.left_out} deals left out" if self.left_out else ""
        ahead = f"{value:+7.2f} ({low:+.2f} … {high:+.2f})"
        return f"{self.peer:10} {self.bot:8}{self.pairs:6}  {ahead}  {share}{left_out}"


def pairs_of(peer: str, bot: str, seed: int, first: int) -> list[list[tuple[int, int]] | None]:
    """The rounds of `CHUNK` deals from number `first` on; None where the programs could not go on together."""
    found: list[list[tuple[int, int]] | None] = []
    for number in range(first, first + CHUNK):
        try:
            found.append([PEERS[peer](bot, deal_seed(seed, number), ours) for ours in (0, 1)])
        except Apart:
            found.append(None)
    return found


def play(peer: str, bot: str, pairs: int, seed: int, workers: int) -> Iterator[list[list[tuple[int, int]] | None]]:
    """All deals in their order, in chunks."""
    firsts = range(1, pairs + 1, CHUNK)
    with ProcessPoolExecutor(workers) if workers > 1 else nullcontext() as pool:
        yield from (pool.map if pool else map)(partial(pairs_of, peer, bot, seed), firsts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays, prints, and writes the figures as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--bots", type=lambda text: list(map(check_bot, text.split(","))), default=["medium", "hard"])
    parser.add_argument("--peers", type=lambda text: text.split(","), default=list(PEERS), metavar="A,B")
    parser.add_argument("--pairs", type=int, default=2000, help="deals, each played twice")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures there")
    options = parser.parse_args(arguments)
    print(f"{'peer':10} {'our bot':8}{'pairs':>6}  ahead (95 % interval)      rounds won")
    table: list[Outside] = []
    try:
        for peer in options.peers:
            for bot in options.bots:
                table.append(found := Outside(peer, bot))
                for chunk in play(peer, bot, options.pairs, options.seed, options.workers):
                    for rounds in chunk:
                        found.add(rounds)
                    if sys.stderr.isatty():
                        print(f"\r{found.pairs} of {options.pairs}", end="\r", file=sys.stderr, flush=True)
                print(found.line(), flush=True)
    except KeyboardInterrupt:
        if table and table[-1].pairs:
            print(table[-1].line() + "  stopped early")
    if options.json:
        rows: list[dict[str, Any]] = [{**asdict(each), "ahead": each.ahead()} for each in table if each.pairs]
        options.json.write_text(json.dumps({"seed": options.seed, "rows": rows}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
