"""Write a house rule as a four-line profile, and play a round of it at random."""

import random
import tempfile
from pathlib import Path

import rummy_engine as rummy

HOUSE_RULE = """\
extends = "basic"
melds.ace = "around"
deal.hand_size = 5
match.rounds = 1
"""

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "round-the-corner.toml")
    path.write_text(HOUSE_RULE)
    match = rummy.Match(path, players=3, seed=1)

print([str(meld) for meld in rummy.melds("QS KS AS 2S", match.game)])

rng = random.Random(1)
while not match.over:
    actions = sorted(map(str, match.legal()))
    match.play(actions[int(rng.random() * len(actions))])
assert match.result is not None
print(match.result.kind, "after", match.result.turns, "turns:", match.scores)

try:
    rummy.load({"extends": "basic", "melds": {"ace": "round", "set_minimum": 3}})
except rummy.ProfileError as error:
    for problem in error.problems:
        print(problem.text)

# It prints:
# ['QS KS AS', 'KS AS 2S', 'QS KS AS 2S']
# out after 61 turns: (0, 0, 20)
# melds.ace = "round": must be "low", "high", "both" or "around" (did you mean 'around'?)
# melds.set_minimum = 3: there is no such dial (did you mean 'melds.set_min'?)
