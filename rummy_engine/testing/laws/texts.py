"""Laws about text and storage: what is written down and read again is the same."""

from __future__ import annotations

import json
import pickle
import tomllib
from collections.abc import Sequence
from random import Random

from rummy_engine.actions import Action
from rummy_engine.game import Game, load
from rummy_engine.match import Match
from rummy_engine.record import Record
from rummy_engine.state import DEALER, State
from rummy_engine.testing.laws.base import game_law, play_law, require, state_law


@state_law("rules E4", "dear")
def actions_read_back(game: Game, state: State, rng: Random) -> None:
    """The text of every legal action reads back as that action, in canonical form and in lower case."""
    for action in game.legal(state):
        text = str(action)
        require(game.parse(state, text) == action, f"{text!r} reads back as {game.parse(state, text)!s:.80}")
        require(game.parse(state, text.lower()) == action, f"{text.lower()!r} reads back as another action")
        require(str(game.parse(state, text)) == text, f"{text!r} is not canonical")


@state_law("rules E4", "dear")
def position_reads_back(game: Game, state: State, rng: Random) -> None:
    """`position(**describe(state))` is the state, also through JSON."""
    keywords = game.describe(state)
    require(game.position(**keywords) == state, "another state came back")
    require(game.position(**json.loads(json.dumps(keywords))) == state, "another state came back through JSON")


@state_law("rules E4", "dear")
def pickles(game: Game, state: State, rng: Random) -> None:
    """States, views, actions and games come back equal from pickle."""
    views = [game.view(state, seat) for seat in (None, *range(state.players))]
    whole = (state, views, game.legal(state), game)
    back = pickle.loads(pickle.dumps(whole))
    for name, old, new in zip(("the state", "a view", "an action", "the game"), whole, back, strict=True):
        require(old == new and hash(_tupled(old)) == hash(_tupled(new)), f"{name} came back different")
    require(back[3].legal(back[0]) == game.legal(state), "the game that came back allows other actions")


def _tupled(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


@play_law("rules E3")
def replays(game: Game, start: State, actions: Sequence[Action], rng: Random) -> None:
    """A record of the actions, through JSON, replays to the same states; so does a match made from it."""
    states = [start]
    for action in actions:
        states.append(game.apply(states[-1], action))
    record = Record.of(game, start, actions)
    again = Record.from_json(record.to_json())
    require(again == record, "the record came back from JSON different")
    require(again.replay() == states[-1], "the record replays to another state")
    upto = rng.randrange(len(states))
    require(again.replay(upto) == states[upto], f"the record replays to another state after {upto} actions")
    if states[-1].seat != DEALER or states[-1].phase == "over":
        match = Match.from_record(again)
        require(match.state == states[-1], "a match made from the record is in another state")
        require(match.record().actions == record.actions, "a match made from the record has other actions")


@game_law("rules E4")
def profile_reads_back(game: Game, rng: Random) -> None:
    """The profile as a mapping, and as the text of a TOML file, gives the same game with the same digest."""
    data = game.profile.to_dict()
    for name, tree in {"the mapping": data, "TOML": tomllib.loads(game.profile.to_toml())}.items():
        other = load(tree)
        require(other == game and other.digest == game.digest, f"another game came back from {name}")
    require(load(json.loads(json.dumps(data))) == game, "another game came back from JSON")
