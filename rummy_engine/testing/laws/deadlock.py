"""The law about deadlocks: a search through everything that seats could do together says the same as the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from rummy_engine.actions import Action
from rummy_engine.cards import CardSet, cards_in
from rummy_engine.game import Game
from rummy_engine.hands import melds
from rummy_engine.state import State
from rummy_engine.testing.laws.base import require, step_law

MOST_NODES = 3000
"""Positions that the search looks at before it gives up without a verdict."""


@step_law("rules E9, A14, 2.A-12", "dear")
def deadlock_is_right(game: Game, before: State, action: Action, after: State, rng: Random) -> None:
    """A round is a deadlock exactly when no way of drawing and discarding together lets anybody table another card."""
    profile = game.profile
    if not profile.ending.deadlock or before.phase != "play" or after.turns == before.turns:
        return
    declared = after.phase in ("deal", "over") and after.result is not None and after.result.kind == "deadlock"
    if not declared and (after.phase not in ("draw", "call") or profile.lay.when != "any_turn" or profile.wilds.swap):
        return  # what going out and swaps ask for is more than one table action
    possible = someone_can_table(game, after)
    if declared:
        require(possible is not True, "somebody can still come to table a card")
    else:
        require(possible is not False, "nobody can ever table another card, and the round goes on")


def someone_can_table(game: Game, state: State) -> bool | None:
    """Whether some seat can come to table a card, all seats helping, with any luck at drawing; None: not settled.

    Every card off the table can come to any hand: stock limits are ignored. A hand draws one card at a time, but takes
    as many as it likes where the pile can be taken deep.
    """
    rules = game.rules(state.players)
    on_table = 0
    for meld in state.table:
        on_table |= meld.card_set
    off = rules.pack & ~on_table
    deep = game.profile.draw.pile == "deep" or (game.profile.call.kind == "pile" and state.players > 2)
    keeps = game.profile.discard.last == "required"
    if deep and melds(off, game):
        return True
    start = (state.hands, state.seat if state.seat >= 0 else 0)
    seen, queue = {start}, [start]
    while queue:
        hands, seat = queue.pop()
        rest = off
        for hand in hands:
            rest &= ~hand
        if not rest:
            return None  # nothing to draw: not a situation the rule speaks of
        for drawn in cards_in(rest):
            hand = hands[seat] | 1 << drawn
            if _can_table(game, state, seat, hand, keeps):
                return True
            for after in _discards(hands, seat, hand):
                node = (after, (seat + 1) % state.players)
                if node not in seen:
                    if len(seen) >= MOST_NODES:
                        return None
                    seen.add(node)
                    queue.append(node)
    return False


def _discards(hands: tuple[CardSet, ...], seat: int, hand: CardSet) -> Iterator[tuple[CardSet, ...]]:
    for card in cards_in(hand):
        yield (*hands[:seat], hand & ~(1 << card), *hands[seat + 1 :])


def _can_table(game: Game, state: State, seat: int, hand: CardSet, keeps: bool) -> bool:
    """Whether the seat could table something from this hand, keeping a card where it must."""
    lay = game.profile.lay
    size = hand.bit_count()
    if any(len(meld.cards) <= size - keeps for meld in melds(hand, game)):
        return True
    own = any(meld.owner == seat for meld in state.table)
    if lay.layoff == "none" or size - keeps < 1 or (lay.needs_own_meld and not own):
        return False
    openings = game.rules(state.players).shapes.openings
    return any(
        openings(meld).takes & hand for meld in state.table if lay.layoff == "any" or meld.owner == seat
    )


