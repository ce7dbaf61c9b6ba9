"""The laws of the engine as functions: call one with a game and a situation, and it returns None or raises `LawBroken`.

Each cites the entries of docs/rules.md that it enforces.

A law about a state is called as `law(game, state)`, one about a step as `law(game, state, action)`, one about a play as
`law(game, start, actions)`, one about a game as `law(game)`; `seed` fixes what is tried out at random.
`follow(game, state, actions)` is the state after some actions.

>>> import rummy_engine as rummy
>>> from rummy_engine.testing import laws
>>> game = rummy.load("basic")
>>> laws.no_leak(game, game.position(hands=["4C 9D", "2H"], pile="KS"))
>>> laws.points_follow(game, game.position(hands=["4C", "2H"], phase="play"), "discard 2H")
"""

from rummy_engine.testing.following import follow
from rummy_engine.testing.laws.base import LAWS, Case, GameLaw, Law, LawBroken, PlayLaw, StateLaw, StepLaw
from rummy_engine.testing.laws.deadlock import deadlock_is_right
from rummy_engine.testing.laws.hands import deadwood_grows_slowly, deadwood_is_reached
from rummy_engine.testing.laws.knowledge import events_agree, events_do_not_leak, no_leak, samples_fit, views_are_plain
from rummy_engine.testing.laws.legality import (
    chance_is_due,
    judges_agree,
    legal_applies,
    legal_lists_once,
    same_again,
    someone_can_act,
    turns_are_counted,
)
from rummy_engine.testing.laws.scores import ending_is_true, match_moves_on, points_follow
from rummy_engine.testing.laws.symmetry import seats_are_alike, suits_are_names, twins_are_alike
from rummy_engine.testing.laws.texts import (
    actions_read_back,
    pickles,
    position_reads_back,
    profile_reads_back,
    replays,
)
from rummy_engine.testing.laws.zones import (
    hands_grow_by_drawing,
    moves_what_it_says,
    no_card_twice,
    nothing_lost,
    table_is_melds,
)

__all__ = [
    "LAWS",
    "Case",
    "GameLaw",
    "Law",
    "LawBroken",
    "PlayLaw",
    "StateLaw",
    "StepLaw",
    "actions_read_back",
    "chance_is_due",
    "deadlock_is_right",
    "deadwood_grows_slowly",
    "deadwood_is_reached",
    "ending_is_true",
    "events_agree",
    "events_do_not_leak",
    "follow",
    "hands_grow_by_drawing",
    "judges_agree",
    "legal_applies",
    "legal_lists_once",
    "match_moves_on",
    "moves_what_it_says",
    "no_card_twice",
    "no_leak",
    "nothing_lost",
    "pickles",
    "points_follow",
    "position_reads_back",
    "profile_reads_back",
    "replays",
    "same_again",
    "samples_fit",
    "seats_are_alike",
    "someone_can_act",
    "suits_are_names",
    "table_is_melds",
    "turns_are_counted",
    "twins_are_alike",
    "views_are_plain",
]
