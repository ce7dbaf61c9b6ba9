"""Play the end of a round by hand: describe a table, look at what is legal, and play it in notation."""

import rummy_engine as rummy

game = rummy.load("basic")
state = game.position(
    hands=["8S 8H 8D 9C KC", "2C 3C QD"],
    pile="9D 9H",  # the top card is written last
    stock="4C 6S",  # the next draw is written first
    seat=0,
)

state = game.apply(state, "take")
print("seat 0 may:", ", ".join(map(str, game.legal(state))))

refusal = game.why_not(state, game.parse(state, "discard 9H"))
print("not 9H:", refusal)

for text in ("meld 8S 8H 8D", "discard KC", "draw", "meld 2C 3C 4C", "discard QD"):
    print(f"seat {state.seat}: {text}")
    state = game.apply(state, text)

assert state.result is not None
print("winner:", state.result.winner, "points:", state.result.points, "left:", state.result.left)

# It prints:
# seat 0 may: meld 8S 8H 8D, discard 8S, discard 8H, discard 8D, discard 9C, discard KC
# not 9H: 9H was just taken from the pile
# seat 0: meld 8S 8H 8D
# seat 0: discard KC
# seat 1: draw
# seat 1: meld 2C 3C 4C
# seat 1: discard QD
# winner: 1 points: (0, 36) left: (18, 0)
