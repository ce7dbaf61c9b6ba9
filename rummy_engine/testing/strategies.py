"""Hypothesis strategies: cards, hands, melds, profiles, games, states reached by play, plays, records, actions.

>>> from hypothesis import given, settings
>>> import rummy_engine as rummy
>>> from rummy_engine.testing import laws, strategies
>>> @settings(max_examples=5, deadline=None)
... @given(strategies.states(rummy.load("basic")))
... def test_no_leak(state):
...     laws.no_leak(rummy.load("basic"), state)
>>> test_no_leak()

A state, a step, a play, a record or an action that makes a property fail is also told in notation, as lines that paste
back (with `import rummy_engine as rummy` and `from rummy_engine.testing import laws`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple, TypeVar

from hypothesis import assume, note
from hypothesis import strategies as st

from rummy_engine.actions import Action
from rummy_engine.cards import FACES, Card, CardSet, card_set
from rummy_engine.errors import ProfileError
from rummy_engine.game import Game, load
from rummy_engine.hands import melds as melds_of
from rummy_engine.melds.shapes import Meld
from rummy_engine.profiles.layers import variants
from rummy_engine.profiles.profile import Profile
from rummy_engine.record import Record
from rummy_engine.state import DEALER, State
from rummy_engine.testing.arbitrary import arbitrary_actions
from rummy_engine.testing.driving import Step, drive, some_policies, some_start
from rummy_engine.testing.generating import Pick, random_profile, spoilt_profile, valid_profile
from rummy_engine.testing.pasting import moves_text, pasted, situation_lines

_T = TypeVar("_T")

LONGEST = 200
"""Actions of the longest play, unless told otherwise."""
seeds = st.integers(0, 2**32 - 1)
"""Seeds of a law or of a play."""


class Play(NamedTuple):
    """What was played from a state on."""

    game: Game
    start: State
    steps: tuple[Step, ...]

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions, chance included."""
        return tuple(step.action for step in self.steps)

    @property
    def end(self) -> State:
        """The state after the last action."""
        return self.steps[-1].after if self.steps else self.start

    def __repr__(self) -> str:
        return f"<Play {self.game.profile.meta.name}, {len(self.steps)} actions>"


class _Lazily:
    """A text that is worked out when it is shown: notes are taken of every example, and shown of the failing one."""

    def __init__(self, text: Callable[[], str]) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text()


def _whole(play: Play) -> str:
    """The lines that give where a play starts, and its actions."""
    return "\n".join([*situation_lines(play.game, play.start), f"actions = {moves_text(play.actions)}"])


def _arrived(play: Play) -> str:
    """The lines that give the state at the end of a play: a position, and actions where no position gives it."""
    end, lead = play.end, list[Action]()
    for step in reversed(play.steps):
        if pasted(play.game, end) == end:
            break
        end = step.before
        lead.insert(0, step.action)
    return "\n".join(situation_lines(play.game, end, lead))


def _picking(draw: st.DrawFn) -> Pick:
    """A choice among options that hypothesis makes, and shrinks towards the first."""

    def pick(options: Sequence[_T], /) -> _T:
        return draw(st.sampled_from(options))

    return pick


# ------------------------------------------------------------------------------------------------------------- cards


def cards(game: Game, players: int | None = None) -> st.SearchStrategy[Card]:
    """Physical cards of the pack for so many players (default: the most)."""
    return st.sampled_from(game.rules(players or game.profile.players.max).deck)


def faces(game: Game, players: int | None = None) -> st.SearchStrategy[Card]:
    """Faces of the pack: what actions and texts name."""
    return cards(game, players).map(FACES.__getitem__)


def hands(game: Game, players: int | None = None, least: int = 0, most: int = 11) -> st.SearchStrategy[CardSet]:
    """Sets of cards of the pack, of `least` to `most` cards."""
    return st.lists(cards(game, players), min_size=least, max_size=most, unique=True).map(card_set)


@st.composite
def melds(draw: st.DrawFn, game: Game, players: int | None = None) -> Meld:
    """Melds of the pack, all cards of which are there together."""
    deck = game.rules(players or game.profile.players.max).deck
    found = melds_of(card_set(draw(st.permutations(deck))[:20]), game) or melds_of(card_set(deck), game)
    assume(found)
    return draw(st.sampled_from(found))


# ---------------------------------------------------------------------------------------------------------- profiles


@st.composite
def profiles(draw: st.DrawFn) -> Profile:
    """Valid profiles over every dial, shrinking towards plain ones."""
    try:
        return valid_profile(_picking(draw))
    except ProfileError:
        assume(False)
        raise


@st.composite
def invalid_profiles(draw: st.DrawFn) -> dict[str, Any]:
    """Profiles as mappings that have one thing wrong: `load` must raise ProfileError."""
    pick = _picking(draw)
    return spoilt_profile(random_profile(pick), pick)


def games(shipped: bool = False) -> st.SearchStrategy[Game]:
    """Games: of random profiles, or the shipped ones."""
    return st.sampled_from(variants()).map(load) if shipped else profiles().map(Game)


# ------------------------------------------------------------------------------------------------------------- plays


@st.composite
def _plays(
    draw: st.DrawFn, game: Game | st.SearchStrategy[Game], players: int | None, longest: int, fresh: bool
) -> Play:
    rules = game if isinstance(game, Game) else draw(game)
    seats = rules.profile.players
    number = players or draw(st.integers(seats.min, seats.max))
    rng = Random(draw(seeds))
    start = rules.start(number, rng.randrange(number)) if fresh else some_start(rules, number, rng)
    length = draw(st.integers(0, longest))
    return Play(rules, start, tuple(drive(rules, start, rng, some_policies(number, rng), length)))


@st.composite
def plays(
    draw: st.DrawFn,
    game: Game | st.SearchStrategy[Game],
    players: int | None = None,
    longest: int = LONGEST,
    fresh: bool = False,
) -> Play:
    """Plays of up to `longest` actions, by policies that seek the rare phases, from starts near a rare end.

    `fresh`: from the start of a match. A play shrinks to its first actions.
    """
    play = draw(_plays(game, players, longest, fresh))
    note(_Lazily(lambda: _whole(play)))
    return play


@st.composite
def states(
    draw: st.DrawFn, game: Game, players: int | None = None, longest: int = LONGEST, fresh: bool = False
) -> State:
    """States reached by play, biased to rare phases."""
    play = draw(_plays(game, players, longest, fresh))
    note(_Lazily(lambda: _arrived(play)))
    return play.end


@st.composite
def steps(draw: st.DrawFn, game: Game, players: int | None = None, longest: int = LONGEST) -> Step:
    """Single steps of plays."""
    play = draw(_plays(game, players, longest, False))
    assume(play.steps)
    last = play.steps[-1]
    note(_Lazily(lambda: f'{_arrived(play._replace(steps=play.steps[:-1]))}\naction = "{last.action}"'))
    return last


@st.composite
def matches(draw: st.DrawFn, game: Game, players: int | None = None, longest: int = 20_000) -> Play:
    """Whole matches, from the first deal to the end; matches that take longer are left out."""
    seats = game.profile.players
    number = players or draw(st.integers(seats.min, seats.max))
    rng = Random(draw(seeds))
    start = game.start(number, rng.randrange(number))
    play = Play(game, start, tuple(drive(game, start, rng, some_policies(number, rng), longest)))
    assume(game.is_over(play.end))
    note(_Lazily(lambda: _whole(play)))
    return play


@st.composite
def records(draw: st.DrawFn, game: Game, players: int | None = None, longest: int = LONGEST) -> Record:
    """Records of plays, from the start of a match or from any situation."""
    play = draw(_plays(game, players, longest, False))
    note(_Lazily(lambda: _whole(play)))
    return Record.of(game, play.start, play.actions)


# ----------------------------------------------------------------------------------------------------------- actions


@st.composite
def legal_actions(draw: st.DrawFn, game: Game, state: State) -> Action:
    """What may be done in a state: the legal actions, or the dealer's."""
    if state.seat == DEALER:
        action = game.chance(state, Random(draw(seeds)))
    else:
        action = draw(st.sampled_from(game.legal(state)))
    note(_Lazily(lambda: f'action = "{action}"'))
    return action


@st.composite
def actions(draw: st.DrawFn, game: Game, state: State) -> Action:
    """Any well-formed actions, mostly illegal, many of them near misses."""
    several = arbitrary_actions(game, state, Random(draw(seeds)), 4)
    assume(several)
    note(_Lazily(lambda: f'action = "{several[0]}"'))
    return several[0]
