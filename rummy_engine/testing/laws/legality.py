"""Laws about what is legal: everybody who judges an action says the same, and what is legal can be done."""

from __future__ import annotations

from random import Random

from rummy_engine.actions import Action, Deal, Reshuffle
from rummy_engine.errors import IllegalActionError
from rummy_engine.game import Game
from rummy_engine.state import DEALER, PHASES, State
from rummy_engine.testing.arbitrary import arbitrary_actions
from rummy_engine.testing.laws.base import require, state_law, step_law


@state_law("rules E2, C13")
def someone_can_act(game: Game, state: State, rng: Random) -> None:
    """There are no legal actions exactly when the match is over or the dealer must act."""
    legal = game.legal(state)
    idle = state.seat == DEALER
    require(idle == (state.phase in ("deal", "reshuffle", "over")), f"seat {state.seat} in phase {state.phase!r}")
    require(state.phase in PHASES and game.phase(state) == state.phase, f"there is no phase {state.phase!r}")
    require(not legal or not idle, f"the dealer is offered {len(legal)} actions")
    require(legal or idle, f"seat {state.seat} can do nothing in phase {state.phase!r}")
    require(game.is_over(state) == (state.phase == "over"), "is_over and the phase disagree")


@state_law("rules E2")
def legal_lists_once(game: Game, state: State, rng: Random) -> None:
    """`legal` lists every action once, in every way of telling them apart."""
    legal = game.legal(state)
    require(len(set(legal)) == len(legal), "an action is listed twice")
    texts = {str(action) for action in legal}
    require(len(texts) == len(legal), "two actions have one text")
    require(game.legal(state) == legal, "the second call lists something else")


@state_law("rules E2", "dear")
def legal_applies(game: Game, state: State, rng: Random) -> None:
    """Every legal action applies, checked or unchecked, by value or by text, always to the same new state."""
    for action in game.legal(state):
        try:
            after = game.apply(state, action)
        except IllegalActionError as error:
            require(False, f"{action} is listed and refused: {error}")
        require(isinstance(after, State), f"{action} leads to {after!r:.40}, which is no state")
        require(game.apply_unchecked(state, action) == after, f"{action} unchecked leads to another state")
        require(game.apply(state, str(action)) == after, f"{action} as text leads to another state")
        require(after != state, f"{action} changes nothing")
        require(hash(after) == hash(game.apply(state, action)), f"after {action} equal states hash differently")


@state_law("rules E2", "dear")
def judges_agree(game: Game, state: State, rng: Random) -> None:
    """For any action `is_legal`, membership in `legal` and `why_not` agree; an illegal one raises that reason."""
    legal = game.legal(state)
    listed = set(legal)
    for action in (*legal, *arbitrary_actions(game, state, rng)):
        refusal = game.why_not(state, action)
        told = f"{action!s:.80}: listed {action in listed}, why_not {refusal and refusal.reason}"
        require((action in listed) == (refusal is None), told)
        require(game.is_legal(state, action) == (refusal is None), f"{told}, is_legal {game.is_legal(state, action)}")
        if refusal is None:
            continue
        require(refusal.text and isinstance(refusal.details, dict), f"{told}: the refusal says nothing")
        if isinstance(action, (Deal, Reshuffle)) and state.seat == DEALER:
            continue  # chance is nobody's legal action, and may yet be applied
        before = (hash(state), tuple(state))
        try:
            game.apply(state, action)
        except IllegalActionError as error:
            require(error.reason is refusal.reason and error.action == action, f"{told}, raised {error.reason}")
        else:
            require(False, f"{told}, but it was applied")
        require((hash(state), tuple(state)) == before, f"{told}: the refusal changed the state")


@state_law("rules E2, C8, B10", "dear")
def chance_is_due(game: Game, state: State, rng: Random) -> None:
    """When the dealer must act, `chance` gives an action that applies, and one with other cards is refused."""
    if state.seat != DEALER or state.phase == "over":
        return
    action = game.chance(state, rng)
    after = game.apply(state, action)
    require(after == game.apply_unchecked(state, action), "unchecked leads to another state")
    require(after == game.apply(state, str(action)), "as text leads to another state")
    require(game.legal(after), "nobody can act after it")
    assert isinstance(action, (Deal, Reshuffle))
    cards = action.cards
    for wrong in (cards[1:], (*cards, *cards[:1]), (*cards[:-1], *cards[:1])):
        if sorted(wrong) == sorted(cards):
            continue
        try:
            game.apply(state, type(action)(wrong))
        except IllegalActionError:
            continue
        require(False, f"{len(wrong)} wrong cards were accepted in phase {state.phase!r}")


@step_law("rules E3", "dear")
def same_again(game: Game, before: State, action: Action, after: State, rng: Random) -> None:
    """The same action in the same state gives the same state, also in a game compiled anew."""
    require(game.apply(before, action) == after, "the second time another state came out")
    again = Game(game.profile)
    require(set(again.legal(before)) == set(game.legal(before)), "a game compiled anew allows other actions")
    require(again.apply(before, action) == after, "a game compiled anew leads to another state")


@step_law("rules C12, C14, E9")
def turns_are_counted(game: Game, before: State, action: Action, after: State, rng: Random) -> None:
    """A round has at most `ending.max_turns` turns, counted one by one, and ends with the last of them."""
    most = game.profile.ending.max_turns
    if isinstance(action, Deal):
        require(after.turns == 0, "a new round does not begin with turn 0")
        return
    require(0 <= after.turns - before.turns <= 1, f"{action} counted {after.turns - before.turns} turns")
    if before.turns >= most:
        return  # a written position: the turns were used up before
    require(after.turns <= most, f"turn {after.turns} of at most {most}")
    answering = after.phase in ("spread", "respond")
    if after.turns > before.turns and after.turns >= most and not answering:
        require(game.round_over(after), f"the round goes on after {after.turns} of {most} turns")
