"""Plans: how a hand is got onto the table, and the next action that carries a plan out."""

from __future__ import annotations

from collections.abc import Sequence

from rummy_engine.actions import Action, LayMeld, LayOff
from rummy_engine.bots.sets import without
from rummy_engine.cards import FACES, CardSet
from rummy_engine.knowledge.view import View
from rummy_engine.melds.shapes import Arrangement
from rummy_engine.rules import Rules


def best_plan(rules: Rules, view: View, hand: CardSet, targets: Sequence[int], chain: str = "any") -> Arrangement:
    """The arrangement with the fewest points left, with lay-offs on the table melds of these indices."""
    return rules.arranger.best(hand, tuple([view.table[index] for index in targets]), view.to_act, chain)


def way_out(rules: Rules, view: View, hand: CardSet, targets: Sequence[int], plan: Arrangement) -> Arrangement | None:
    """A plan that leaves nothing, or one card to discard, if there is one; `plan`: the best for the whole hand."""
    left = plan.left
    if not left or (not left & (left - 1) and FACES[left.bit_length() - 1] not in view.taken_held):
        return plan
    # Without a card a hand has fewer points left by at most what the card is worth.
    worth = rules.table.worth.in_hand
    for card in sorted(set(view.hand), key=lambda face: face in view.taken_held):
        if worth[card] >= plan.points:
            rest = best_plan(rules, view, without(hand, card), targets)
            if not rest.left:
                return rest
    return None


def next_step(plan: Arrangement, targets: Sequence[int], legal: Sequence[Action]) -> Action | None:
    """A legal action of the plan: its melds first, then its lay-offs in their order; None if there is none (left)."""
    for meld in plan.melds:
        cards = tuple([FACES[card] for card in meld.cards])
        for action in legal:
            if type(action) is LayMeld and action.cards == cards and action.stands == meld.faces:
                return action
    for card, index in plan.layoffs:
        for action in legal:
            if type(action) is LayOff and action.card == FACES[card] and action.meld == targets[index]:
                return action
    return None


def settling(view: View, legal: Sequence[Action]) -> Action | None:
    """Any action that tables what the turn owes; None if it owes nothing."""
    owed = set(view.owed)
    return next(
        (action for action in legal if type(action) is LayMeld and owed.intersection(action.cards)), None
    ) or next((action for action in legal if type(action) is LayOff and action.card in owed), None)
