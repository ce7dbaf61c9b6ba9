"""The counts of the deal files, computed by the independent reference engine.

    python -m tests.perft_reference                 # compares every file of tests/data/perft; takes some minutes
    python -m tests.perft_reference --write FILE…   # enters the reference's counts instead

What counts as a sequence and as a situation is written in `rummy_engine.testing.perft`; nothing of it is used here but
the reading of the files.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import rummy_engine as rummy
from tests.reference import ReferenceGame, State

FILES = Path(__file__).parent / "data" / "perft"
Hand = tuple[str, ...]


@dataclass(frozen=True)
class Seen:
    """A situation of the reference with what everybody has seen, which the rules do not ask for but situations do."""

    state: State
    known: tuple[Hand, ...]
    """Per seat: the cards of the hand that were seen taken."""
    turned: int = 0
    """How many of the next stock cards were seen, because the pile was turned over."""
    called: bool = False
    """Whether this turn began with a call."""

    def situation(self) -> Hashable:
        """What two sequences must have in common to lead to one situation: neither counters nor the order of melds."""
        s = self.state
        asked = self.called or s.phase in ("spread", "respond", "call")
        table = sorted((meld.kind, meld.text, meld.by) for meld in s.table)
        result = {**(s.result or {}), "turns": 0}
        plain = replace(s, turns=0, idle=0, dry=False, by=s.by if asked else None, table=())
        return plain, tuple(table), self.known, self.turned, asked, tuple(sorted(result.items()))


def seen_from(game: ReferenceGame, state: State) -> Seen:
    """A beginning: of the hands, only what the turn took is known."""
    known = [()] * game.players
    if state.phase == "play":
        held = Counter(state.hand)
        known[state.seat] = tuple(sorted((Counter(state.taken) & held).elements()))
    return Seen(state, tuple(known))


def apply(game: ReferenceGame, before: Seen, text: str) -> Seen:
    """The situation after an action, and after the reshuffle that follows it: the cards stay in their order."""
    s, verb = before.state, text.split()[0]
    after = game.apply(s, text)
    known = [Counter(cards) for cards in before.known]
    turned = before.turned
    if verb in ("take", "call"):
        known[s.seat] += Counter(s.pile[-int(text.split()[1]) :] if " " in text else s.pile[-1:])
    elif verb == "draw" and len(after.stock) < len(s.stock):
        if turned:
            known[s.seat][s.stock[0]] += 1
        turned = max(turned - 1, 0)
    elif verb in ("meld", "layoff", "discard", "knock") and text != "knock":
        left = Counter(s.hand) - Counter(after.hands[s.seat])
        held = Counter(s.hand)
        if verb in ("discard", "knock") and s.banned and held[s.banned] > 1:
            known[s.seat] -= Counter([s.banned])  # the card just taken stays, its twin goes (R18)
            known[s.seat] = (known[s.seat] - left) + Counter([s.banned])
        else:
            known[s.seat] -= left
    if after.phase == "reshuffle":
        kept = 1 if game.profile["stock"]["keep_top"] else 0
        after = game.apply(after, " ".join(["reshuffle", *after.pile[: len(after.pile) - kept], *after.stock]))
        turned = 0
    elif after.renewals > s.renewals:
        turned = len(after.stock) - len(s.stock)
    called = verb == "call" or (before.called and s.seat == after.seat and after.phase == "play")
    return Seen(after, tuple(tuple(sorted(each.elements())) for each in known), turned, called)


def counts(game: ReferenceGame, state: State, depth: int) -> Iterator[tuple[int, int]]:
    """Sequences and situations for the lengths 1 to `depth`; sequences that meet in equal states are merged."""
    level: dict[Seen, int] = {seen_from(game, state): 1}
    for _ in range(depth):
        following: Counter[Seen] = Counter()
        for before, count in level.items():
            if before.state.phase not in ("deal", "over"):
                for text in sorted(game.legal(before.state)):
                    following[apply(game, before, text)] += count
        level = following
        yield sum(level.values()), len({each.situation() for each in level})


def beginning(game: ReferenceGame, entry: Mapping[str, Any]) -> State:
    """The situation that an entry of a deal file describes."""
    if "position" in entry:
        state = game.position(**entry["position"])
    else:
        state = game.apply(game.start(entry.get("dealer", 0)), f"deal {entry['deal']}")
    for text in entry.get("after", ()):
        state = game.apply(state, text)
    return state


def main() -> int:
    """Compares or writes; the exit code is 1 where a file does not agree."""
    parser = argparse.ArgumentParser(description="Counts action sequences with the reference engine.")
    parser.add_argument("files", nargs="*", type=Path, default=sorted(FILES.glob("*.toml")))
    parser.add_argument("--write", action="store_true", help="enter the counts in the files")
    options = parser.parse_args()
    agree = True
    for path in options.files:
        text = path.read_text()
        content = tomllib.loads(text)
        profile = rummy.load(content["variant"], content.get("overrides")).profile.model_dump(by_alias=True)
        blocks = text.split("[[start]]")
        for number, entry in enumerate(content["start"], start=1):
            players = entry["players"] if "deal" in entry else len(entry["position"]["hands"])
            game = ReferenceGame(profile, players)
            found = list(counts(game, beginning(game, entry), len(entry["sequences"])))
            listed = list(zip(entry["sequences"], entry["unique"], strict=True))
            agree = agree and found == listed
            print(f"{path.name}, {entry['title']}: {'agrees' if found == listed else found}", flush=True)
            for name, numbers in (("sequences", [pair[0] for pair in found]), ("unique", [pair[1] for pair in found])):
                blocks[number] = re.sub(rf"(?m)^{name} = .*$", f"{name} = {numbers}", blocks[number])
        if options.write:
            path.write_text("[[start]]".join(blocks))
    return 0 if agree or options.write else 1


if __name__ == "__main__":
    sys.exit(main())
