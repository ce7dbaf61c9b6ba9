"""Laws about what makes no difference: the names of suits and seats, twins, and the order of melds on the table."""

from __future__ import annotations

from random import Random

from rummy_engine.actions import Action, Done, Knock
from rummy_engine.game import Game
from rummy_engine.state import DEALER, FIELDS, State
from rummy_engine.testing.laws.base import require, state_law
from rummy_engine.testing.moving import (
    moved,
    reindexed,
    renamed_action,
    renamed_state,
    renaming,
    reorder_table,
    rotated,
    swap_twins,
    with_sorted_sets,
)

MOST_TRIED = 4
"""How many of the legal actions are followed up."""


@state_law("rules E6", "dear")
def suits_are_names(game: Game, state: State, rng: Random) -> None:
    """Renaming the suits renames what is legal and what follows, and changes nothing else."""
    to = renaming(game.rules(state.players).shapes.spec.suits, rng)
    other = renamed_state(state, to)
    expected = {renamed_action(action, to) for action in game.legal(state)}
    _same(expected, set(game.legal(other)))
    for action in _tried(game, state, rng):
        after = renamed_state(game.apply(state, action), to)
        found = with_sorted_sets(game.apply(other, renamed_action(action, to)))
        if _lays_best(game, action):
            require(after.result == found.result, f"{action} gives {found.result} instead of {after.result}")
        else:
            require(with_sorted_sets(after) == found, f"{action} leads elsewhere: {_difference(after, found)}")


@state_law("rules E6", "dear")
def seats_are_alike(game: Game, state: State, rng: Random) -> None:
    """Moving every seat round the table moves who may do what, and changes nothing else."""
    by = rng.randrange(1, state.players)
    other = rotated(state, by)
    _same(set(game.legal(state)), set(game.legal(other)))
    for action in _tried(game, state, rng):
        after, found = rotated(game.apply(state, action), by), game.apply(other, action)
        require(after == found, f"{action} leads elsewhere: {_difference(after, found)}")


@state_law("rules E5, R18", "dear")
def twins_are_alike(game: Game, state: State, rng: Random) -> None:
    """Exchanging twins, the order of the melds or the counters changes neither the key nor what is legal."""
    order = tuple(rng.sample(range(len(state.table)), len(state.table)))
    other = reorder_table(moved(state, swap_twins(game.rules(state.players).pack, rng)), order)
    require(game.key(other) == game.key(state), "the key is another one")
    require(hash(game.key(other)) == hash(game.key(state)), "equal keys hash differently")
    counted = other.changed(turns=state.turns + 1, idle=state.idle + 1)
    require(game.key(counted) == game.key(state), "the key depends on the counters")
    _same({reindexed(action, order) for action in game.legal(state)}, set(game.legal(other)))
    for action in _tried(game, state, rng):
        after, found = game.apply(state, action), game.apply(other, reindexed(action, order))
        if not _lays_best(game, action):
            require(game.key(after) == game.key(found), f"{action} leads to another key")


def _tried(game: Game, state: State, rng: Random) -> list[Action]:
    """Some legal actions, or the dealer's."""
    if state.seat == DEALER:
        return [] if state.phase == "over" else [game.chance(state, rng)]
    legal = game.legal(state)
    return rng.sample(legal, min(len(legal), MOST_TRIED))


def _lays_best(game: Game, action: Action) -> bool:
    """Whether melds are chosen for the seats, which among equal arrangements must go by something."""
    knock = game.profile.knock
    return knock is not None and isinstance(action, (Knock, Done)) and "best" in (knock.spread, knock.respond)


def _same(expected: set[Action], found: set[Action]) -> None:
    missing, new = expected - found, found - expected
    require(not missing and not new, f"no longer legal: {_texts(missing)}; newly legal: {_texts(new)}")


def _texts(actions: set[Action]) -> str:
    return ", ".join(sorted(map(str, actions))) or "none"


def _difference(expected: State, found: State) -> str:
    names = [name for name in FIELDS if getattr(expected, name) != getattr(found, name)]
    return "; ".join(f"{name} is {getattr(found, name)}, not {getattr(expected, name)}" for name in names)
