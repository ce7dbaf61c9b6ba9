"""What the tests of views, events and samples share: states from random play, and states that a seat cannot tell apart.

Who sees what is worked out here a second time, from the rules and not from `view.py`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import rummy_engine as rummy
from rummy_engine.cards import COPIES, FACES, Card, card_set, cards_in
from rummy_engine.state import NOBODY
from tests.helpers import game

NAMES = rummy.variants()
HOUSE_RULES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("gin-knock", {"knock__limit": "none"}),
    ("gin-knock", {"knock__limit": "none", "knock__spread": "best", "deal__up_card_offer": "none"}),
    ("rummy-500", {"wilds__swap": True, "stock__when_empty": "turn_over", "stock__renewals": 1}),
    ("rummy-2-6", {"stock__check": "on_draw", "discard__last_face_down": True, "deal__hand_size": 8}),
)
"""Changes that lead random play where it seldom gets in the shipped variants."""


@cache
def tables() -> tuple[tuple[rummy.Game, int], ...]:
    """Every shipped variant and some house rules, with every number of seats."""
    games = [*(game(name) for name in NAMES), *(game(name, **overrides) for name, overrides in HOUSE_RULES)]
    seats = [each.profile.players for each in games]
    return tuple((each, n) for each, n_of in zip(games, seats, strict=True) for n in range(n_of.min, n_of.max + 1))


def walk(
    rules: rummy.Game, state: rummy.State, rng: random.Random, steps: int
) -> Iterator[tuple[rummy.State, rummy.Action, rummy.State]]:
    """Random play: (before, action, after), chance included.

    Knocks and table actions are preferred, for a random player does not get far.
    """
    for _ in range(steps):
        if rules.is_over(state):
            return
        if state.seat == rummy.DEALER:
            action = rules.chance(state, rng)
        else:
            moves = rules.legal(state)
            telling = [each for each in moves if not isinstance(each, (rummy.Draw, rummy.Discard, rummy.Pass))]
            action = rng.choice(telling if telling and rng.random() < 0.5 else moves)
        after = rules.apply_unchecked(state, action)
        yield state, action, after
        state = after


def reached(rules: rummy.Game, players: int, seed: int, steps: int) -> rummy.State:
    """The state after so many steps of random play from the start of a match."""
    state = rules.start(players, seed % players)
    for _, _, after in walk(rules, state, random.Random(seed), steps):
        state = after
    return state


def viewers(state: rummy.State) -> tuple[int | None, ...]:
    """Every seat, and the spectator."""
    return (None, *range(state.players))


def moved(state: rummy.State, to: Callable[[Card], Card]) -> rummy.State:
    """The state with every card exchanged for another one."""

    def each_of(cards: int) -> int:
        return card_set(to(card) for card in cards_in(cards))

    return state.changed(
        hands=tuple(map(each_of, state.hands)),
        known=tuple(map(each_of, state.known)),
        stock=tuple(map(to, state.stock)),
        pile=tuple(map(to, state.pile)),
        taken=tuple(map(to, state.taken)),
        table=tuple(meld._replace(cards=tuple(map(to, meld.cards))) for meld in state.table),
        fits=each_of(state.fits),
        owed=each_of(state.owed),
    )


def swap_twins(state: rummy.State, pack: int, rng: random.Random) -> rummy.State:
    """The state with the copies of every face mixed up: nobody can tell them apart."""
    target: dict[Card, Card] = {}
    for copies in COPIES:
        here = [each for each in copies if pack >> each & 1]
        target.update(zip(here, rng.sample(here, len(here)), strict=True))
    return moved(state, target.__getitem__)


def swap_hidden(state: rummy.State, seat: int | None, rng: random.Random) -> rummy.State:
    """The state with the cards that the seat (None: a spectator) cannot see shuffled among their places."""
    places: list[tuple[str, int]] = []
    cards: list[Card] = []

    def hides(zone: str, index: int, card: Card) -> None:
        places.append((zone, index))
        cards.append(card)

    if state.phase not in ("deal", "over"):  # after a round every hand lies open
        for i, hand in enumerate(state.hands):
            if i != seat and not (state.phase == "respond" and i == state.by):
                for card in cards_in(hand & ~(state.known[i] | card_set(state.taken) | state.owed)):
                    hides("hand", i, card)
    for i, card in enumerate(state.stock[state.stock_known :], state.stock_known):
        hides("stock", i, card)
    if state.face_down not in (NOBODY, seat):
        hides("pile", len(state.pile) - 1, state.pile[-1])
    rng.shuffle(places)

    gone = ~card_set(cards)
    hands, stock, pile = [hand & gone for hand in state.hands], list(state.stock), list(state.pile)
    if state.phase in ("deal", "over"):
        hands = list(state.hands)
    for (zone, index), card in zip(places, cards, strict=True):
        if zone == "hand":
            hands[index] |= 1 << card
        else:
            (stock if zone == "stock" else pile)[index] = card
    return state.changed(hands=tuple(hands), stock=tuple(stock), pile=tuple(pile))


def faces(text: str) -> tuple[Card, ...]:
    """The faces of a text in its order."""
    return tuple(FACES[each] for word in text.split() for each in cards_in(rummy.parse_cards(word)))
