"""The bot that plays like a beginner: it tables what it can and throws the dearest loose card.

It takes from the pile only what it can table or meld at once, calls and knocks at the first chance, goes out when it
can, and does not think of what the others hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from rummy_engine.actions import DONE, DRAW, PASS, STOP, TAKE, Action, Call, Discard, Knock, Take
from rummy_engine.bots.plans import best_plan, next_step, settling, way_out
from rummy_engine.bots.sets import add, held, without
from rummy_engine.cards import BIT, JOKER, JOKERS, CardSet
from rummy_engine.game import Game
from rummy_engine.knowledge.view import View
from rummy_engine.melds.finder import HALF, SUIT, at_least, face_bits
from rummy_engine.melds.shapes import Meld
from rummy_engine.policy import Random
from rummy_engine.rules import Rules

DEEPEST = 4
"""The most cards that a beginner digs out of the pile."""

_LOWEST_OF_SUITS = sum(1 << 13 * suit for suit in range(4))
_HIGHEST_OF_SUITS = _LOWEST_OF_SUITS << 12


class Easy:
    """The easy bot for one game."""

    __slots__ = ("_chain", "_game", "_onto")

    def __init__(self, game: Game) -> None:
        self._game = game
        knock = game.profile.knock
        layoff = game.profile.lay.layoff if knock is None else knock.layoff
        self._chain = "any" if knock is None else knock.layoff_chain
        self._onto: Callable[[View, Meld], bool] = _ONTO[layoff]

    def __call__(self, view: View, legal: tuple[Action, ...], rng: Random) -> Action:
        """What to do; the rng is not needed."""
        if len(legal) == 1:
            return legal[0]
        choose = _CHOICES.get(view.phase)
        chosen = choose(self, view, legal) if choose else None
        return legal[0] if chosen is None else chosen

    def _offer(self, view: View, legal: tuple[Action, ...]) -> Action:
        return TAKE if self._wants_top(view) else PASS

    def _draw(self, view: View, legal: tuple[Action, ...]) -> Action:
        if TAKE in legal and self._wants_top(view):
            return TAKE
        for action in legal:
            if type(action) is Take and 1 < action.count <= DEEPEST:
                return action
        return next(action for action in (DRAW, STOP, legal[0]) if action in legal)

    def _wants_top(self, view: View) -> bool:
        """Whether the top of the pile makes a meld with the hand, or fits one on the table."""
        top = view.pile[-1]
        if top is None:
            return False
        rules = self._game.rules(view.players)
        if rules.finder.usable(add(held(view.hand), top)) >> top & 1:
            return True
        return any(rules.shapes.openings(meld).takes >> top & 1 for meld in view.table if self._onto(view, meld))

    def _play(self, view: View, legal: tuple[Action, ...]) -> Action | None:
        rules = self._game.rules(view.players)
        hand = held(view.hand)
        first = type(legal[0])
        if first is Knock or type(legal[-1]) is Knock:
            knocks = [action for action in legal if type(action) is Knock]
            return min(knocks, key=lambda knock: (_left(rules, hand, knock), knock.card is not None))
        if first is not Discard:
            return self._table(rules, hand, view, legal)
        return dearest_loose(rules, hand, legal)

    def _table(self, rules: Rules, hand: CardSet, view: View, legal: tuple[Action, ...]) -> Action | None:
        """The next step towards going out, if that is possible, else towards the fewest points in the hand."""
        targets = self._targets(view)
        plan = best_plan(rules, view, hand, targets, self._chain)
        plan = way_out(rules, view, hand, targets, plan) or plan
        return next_step(plan, targets, legal) or settling(view, legal)

    def _targets(self, view: View) -> tuple[int, ...]:
        return tuple(index for index, meld in enumerate(view.table) if self._onto(view, meld))

    def _lay_down(self, view: View, legal: tuple[Action, ...]) -> Action | None:
        """The next step of the best arrangement; who answers a knock lays off too."""
        rules = self._game.rules(view.players)
        targets = self._targets(view) if view.phase == "respond" else ()
        plan = best_plan(rules, view, held(view.hand), targets, self._chain)
        return next_step(plan, targets, legal) or (DONE if DONE in legal else None)

    def _call(self, view: View, legal: tuple[Action, ...]) -> Action:
        return next((action for action in legal if type(action) is Call), PASS)


_Choose: TypeAlias = Callable[[Easy, View, tuple[Action, ...]], Action | None]
_CHOICES: Mapping[str, _Choose] = MappingProxyType(
    {
        "offer": Easy._offer,
        "draw": Easy._draw,
        "play": Easy._play,
        "spread": Easy._lay_down,
        "respond": Easy._lay_down,
        "call": Easy._call,
    }
)
_ONTO: Mapping[str, Callable[[View, Meld], bool]] = MappingProxyType(
    {
        "any": lambda view, meld: True,
        "own": lambda view, meld: meld.owner == view.to_act,
        "none": lambda view, meld: False,
        "knocker": lambda view, meld: meld.owner == view.by,
    }
)
"""The melds that a seat may lay off on, per choice of `lay.layoff` and `knock.layoff`."""


def _left(rules: Rules, hand: CardSet, knock: Knock) -> int:
    """The deadwood of the cards kept."""
    return rules.arranger.deadwood(without(hand, knock.card))


def dearest_loose(rules: Rules, hand: CardSet, legal: tuple[Action, ...]) -> Discard:
    """The discard worth most that is in no meld and no pair, else in no meld, else at all; jokers last."""
    melded = rules.finder.usable(hand) | BIT[JOKER]
    paired = melded | pairs(hand)
    worth = rules.table.worth.in_hand
    kept = [
        ((paired >> action.card & 1) + (melded >> action.card & 1), -worth[action.card], action.card, action)
        for action in legal
        if type(action) is Discard
    ]
    return min(kept)[-1]


def pairs(hand: CardSet) -> CardSet:
    """The faces of a hand that share a rank with another, or a suit with a neighbour."""
    faces = face_bits(hand) & ~JOKERS
    low, high = faces & HALF, faces >> 26
    ranks = at_least(2, low & SUIT, low >> 13, high & SUIT, high >> 13)
    above = faces & (faces & ~_HIGHEST_OF_SUITS) << 1
    below = faces & (faces & ~_LOWEST_OF_SUITS) >> 1
    return faces & (ranks * _LOWEST_OF_SUITS) | above | below
