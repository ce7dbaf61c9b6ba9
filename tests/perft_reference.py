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
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import rummy_engine as rummy
from tests.reference import ReferenceGame, State
from tests.situations import Seen, apply, reshuffled, seen_from, to_shuffle

FILES = Path(__file__).parent / "data" / "perft"


def after(game: ReferenceGame, before: Seen, text: str) -> Seen:
    """The situation after an action, and after the reshuffle that follows it: the cards stay in their order."""
    found = apply(game, before, text)
    return reshuffled(game, found, to_shuffle(game, found)) if found.state.phase == "reshuffle" else found


def counts(game: ReferenceGame, state: State, depth: int) -> Iterator[tuple[int, int]]:
    """Sequences and situations for the lengths 1 to `depth`; sequences that meet in equal states are merged."""
    level: dict[Seen, int] = {seen_from(game, state): 1}
    for _ in range(depth):
        following: Counter[Seen] = Counter()
        for before, count in level.items():
            if not before.ended:
                for text in sorted(game.legal(before.state)):
                    following[after(game, before, text)] += count
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
