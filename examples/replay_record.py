"""Save a match in the middle of a turn, load it, finish it, and look at any moment of it again."""

import random
import tempfile
from pathlib import Path

import rummy_engine as rummy


def play(match: rummy.Match, rng: random.Random, most: int) -> None:
    """Plays at random until the match is over or `most` actions were played."""
    for _ in range(most):
        if match.over:
            break
        actions = sorted(map(str, match.legal()))
        match.play(actions[int(rng.random() * len(actions))])


rng = random.Random(3)
match = rummy.Match("rummy-500", players=3, seed=3, overrides={"match.rounds": 1})
play(match, rng, most=24)

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "match.json")
    path.write_text(match.record().to_json())
    loaded = rummy.Match.from_record(rummy.Record.from_json(path.read_text()))
assert loaded.state == match.state
print("saved and loaded in phase", loaded.phase)

play(loaded, rng, most=10_000)
record = loaded.record()
print(len(record.actions), "actions, totals", loaded.scores)
print("the first four:", [text[:20] for text in record.actions[:4]])
print("round", record.replay(upto=20).round, "after 20 actions")
assert record.replay() == loaded.state

# It prints:
# saved and loaded in phase draw
# 76 actions, totals (67, 89, 35)
# the first four: ['deal KC QS QC 7D KD ', 'draw', 'discard KC', 'draw']
# round 1 after 20 actions
