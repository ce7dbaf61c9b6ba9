"""Write two bots of your own, for knocking at once and for waiting, and let them play each other."""

import rummy_engine as rummy
from rummy_engine.policy import Random
from rummy_engine.simulate import simulate

game = rummy.load("gin-knock")


def deadwood(*cards: rummy.Card | None) -> int:
    """The least points these cards leave outside melds."""
    return rummy.best_arrangement([card for card in cards if card is not None], game).points


def bold(view: rummy.View, legal: tuple[rummy.Action, ...], rng: Random, knock_at: int = 10) -> rummy.Action:
    """Takes what lowers its deadwood at once, throws what leaves the least, and knocks as soon as it may."""
    if view.phase in ("offer", "draw"):
        helps = rummy.TAKE in legal and deadwood(*view.hand, view.pile[-1]) < deadwood(*view.hand)
        return rummy.TAKE if helps else next(action for action in legal if action != rummy.TAKE)

    def cost(action: rummy.Action) -> tuple[int, bool]:
        if isinstance(action, rummy.Discard | rummy.Knock):
            left = deadwood(*[card for card in view.hand if card != action.card])
            return left, isinstance(action, rummy.Knock) == (left > knock_at)
        return 0, action == rummy.DONE  # while laying down: every meld and lay-off first

    return min(legal, key=cost)


def patient(view: rummy.View, legal: tuple[rummy.Action, ...], rng: Random) -> rummy.Action:
    """The same, but it knocks with two points or less."""
    return bold(view, legal, rng, knock_at=2)


tally = simulate(game, players=2, bots=(bold, patient), rounds=100, seed=1).tally
for place, bot in enumerate((bold, patient)):
    points = tally.take(f"bot_points_{place}") / tally.take(f"bot_seats_{place}")
    print(f"{bot.__name__}: {points:.1f} penalty points a round")
print(f"rounds that ended with gin: {tally.take('ended_gin')} of {tally.take('rounds')}")

# It prints:
# bold: 6.1 penalty points a round
# patient: 9.8 penalty points a round
# rounds that ended with gin: 11 of 200
