"""The friendly shell: a match that is played by calling `play`, deals by itself, and can be undone, saved and loaded.

A `Match` is a list of states and actions around a `Game`. It is the one mutable object of the library and not safe to
share between threads without a lock; everything it hands out is immutable.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

from rummy_engine.actions import Action, is_well_formed, no_action
from rummy_engine.chance import chance_rng, check_seed, draw_dealer, fresh_seed
from rummy_engine.errors import IllegalActionError, MatchError, NotationError, Reason, RecordError, Refusal, RummyError
from rummy_engine.game import Game, load
from rummy_engine.hints import is_whole, no_seat, presentable
from rummy_engine.knowledge.events import ALL, Event, Everything
from rummy_engine.knowledge.view import View
from rummy_engine.record import Record
from rummy_engine.state import DEALER, RoundResult, State

Chance: TypeAlias = Callable[[Game, State, int], Action]
"""What a server may bring to shuffle by its own means: (game, state, number of the chance action, from 1) -> action."""
Variant: TypeAlias = str | os.PathLike[str] | Mapping[str, Any] | Game
"""A shipped profile by name, a TOML file by path, a profile as a mapping, or a compiled game."""


class Match:
    """One match from its first deal to its end.

    >>> match = Match("basic", players=2, seed=1)
    >>> state = match.play("draw")
    >>> match.phase, len(match.view(match.seat).hand)
    ('play', 11)

    `seed` (0 to 2**256 - 1) fixes the first dealer and every shuffle; without one it is drawn and kept in `seed`. Who
    knows it knows every card. `dealer` deals first; None: drawn from the seed. `overrides` change dials
    (`{"match.target": 150}`). `chance` replaces the shuffles of the seed. Raises RummyError for anything out of range.
    """

    def __init__(
        self,
        variant: Variant,
        players: int,
        seed: int | None = None,
        dealer: int | None = None,
        overrides: Mapping[str, Any] | None = None,
        chance: Chance | None = None,
    ) -> None:
        seed = fresh_seed() if seed is None else check_seed(seed)
        _check_chance(chance)
        game = _compiled(variant, overrides)
        start = game.start(players, 0 if dealer is None else dealer)
        if dealer is None:
            start = game.start(players, draw_dealer(seed, players))
        self._resume(game, seed, chance, [], [start])

    @classmethod
    def from_record(cls, record: Record, chance: Chance | None = None) -> Match:
        """The match as the record left it, also in the middle of a turn; all of it can be undone.

        Later shuffles are those of the recorded seed (without one: of a fresh seed), or those of `chance`. Raises
        RecordError where the record does not replay.
        """
        if not isinstance(record, Record):
            raise RecordError(f"expected a Record, not a {type(record).__name__}")
        _check_chance(chance)
        actions: list[Action] = []
        states = [record.replay(0)]
        for action, state in record.steps():
            actions.append(action)
            states.append(state)
        match = cls.__new__(cls)
        match._resume(record.game, fresh_seed() if record.seed is None else record.seed, chance, actions, states)
        return match

    def _resume(self, game: Game, seed: int, chance: Chance | None, actions: list[Action], states: list[State]) -> None:
        self.game = game
        self.seed = seed
        self._chance = chance
        self._actions = actions
        self._states = states
        """The states before each action, and the current one."""
        self._chances = sum(before.seat == DEALER for before in states[:-1])
        """How many chance actions there were."""
        self._logs: dict[int | Everything | None, _Log] = {}
        self._extend([], states[-1])

    def __repr__(self) -> str:
        turn = self.phase if self.over else f"seat {self.seat} to act in phase {self.phase!r}"
        scores = " ".join(map(str, self.scores))
        return f"<Match {self.game.profile.meta.name}: round {self.state.round}, scores {scores}, {turn}>"

    @property
    def state(self) -> State:
        """The full state, with every hidden card: for the host only."""
        return self._states[-1]

    @property
    def seat(self) -> int:
        """The seat to act; DEALER when the match is over."""
        return self._states[-1].seat

    @property
    def phase(self) -> str:
        """ "offer", "draw", "play", "spread", "respond", "call" or "over"."""
        return self.game.phase(self._states[-1])

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.game.is_over(self._states[-1])

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of the match so far, per seat."""
        return self._states[-1].scores

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat by its points so far, from 1; equal points share a place."""
        return self.game.places(self._states[-1])

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won the match; () before its end."""
        return self.game.winners(self._states[-1])

    @property
    def result(self) -> RoundResult | None:
        """How the round last finished ended; None in the first round."""
        return self._states[-1].result

    def legal(self) -> tuple[Action, ...]:
        """What the seat to act may do; () when the match is over."""
        return self.game.legal(self._states[-1])

    def play(self, action: Action | str, seat: int | None = None) -> State:
        """Plays an action, or its text, and the chance that follows; returns the state after it.

        `seat`: who asks for it. A seat whose turn it is not is refused before the action is tried, so that the refusal
        tells it nothing. Raises NotationError for what is no action, IllegalActionError for one that is not allowed
        now, and whatever the chance function raises; then nothing has changed.
        """
        if not isinstance(action, str) and not is_well_formed(action):
            raise no_action(action)
        if seat is not None:
            self._check_turn(action, seat)
        state = self._states[-1]
        played = self.game.parse(state, action) if isinstance(action, str) else action
        self._extend([played], self.game.apply(state, played))
        return self.state

    def _check_turn(self, action: Action | str, seat: object) -> None:
        refusal = None
        if not self._is_seat(seat):
            refusal = Refusal(Reason.NOT_YOUR_TURN, no_seat(seat, self.state.players))
        elif self.over:
            refusal = Refusal(Reason.MATCH_OVER, "the match is over")
        elif seat != self.seat:
            text = f"seat {self.seat} is to act, not seat {seat}"
            refusal = Refusal(Reason.NOT_YOUR_TURN, text, {"to_act": self.seat, "seat": seat})
        if refusal is not None:
            with suppress(NotationError):  # what it means depends on the table alone, which every seat sees
                action = self.game.parse(self.state, action) if isinstance(action, str) else action
            raise IllegalActionError(action, refusal)

    def _extend(self, actions: list[Action], state: State) -> None:
        """Adds what was played and the chance that it leads to, all or nothing."""
        states = [state] if actions else []
        chances = self._chances
        while state.seat == DEALER and not self.game.is_over(state):
            chances += 1
            action, state = self._perform_chance(state, chances)
            actions.append(action)
            states.append(state)
        self._actions += actions
        self._states += states
        self._chances = chances

    def _perform_chance(self, state: State, k: int) -> tuple[Action, State]:
        if self._chance is None:
            action = self.game.chance(state, chance_rng(self.seed, k))
            return action, self.game.apply_unchecked(state, action)
        action = self._chance(self.game, state, k)
        if not is_well_formed(action):
            raise MatchError(f"the chance function returned a {type(action).__name__}, not an action")
        try:
            return action, self.game.apply(state, action)
        except IllegalActionError as error:
            told = error.refusal.text
        except RummyError as error:
            told = str(error)
        raise MatchError(f"the chance function broke its contract: {told}")  # not from the error: it holds every card

    def undo(self, n: int = 1) -> tuple[Action, ...]:
        """Takes back the last n actions of players with the chance that followed them; returns them, oldest first.

        Later shuffles stay those of the seed: playing the same actions again leads to the same state. Raises MatchError
        when fewer were played.
        """
        if not is_whole(n) or n < 0:
            raise MatchError(f"the number of actions to take back is a whole number from 0, not {presentable(n)!r:.40}")
        turns = [index for index, state in enumerate(self._states[:-1]) if state.seat != DEALER]
        if n > len(turns):
            raise MatchError(f"{presentable(n)} actions cannot be taken back: {len(turns)} were played")
        if n == 0:
            return ()
        first = turns[-n]
        undone = tuple(self._actions[index] for index in turns[-n:])
        self._chances -= len(self._actions) - first - n
        del self._actions[first:], self._states[first + 1 :]
        for log in self._logs.values():
            log.cut(first)
        return undone

    def view(self, seat: int | None) -> View:
        """What a seat may know; None: a spectator."""
        self._check_viewer(seat)
        return self.game.view(self._states[-1], seat)

    def events(self, seat: int | Everything | None, since: int = 0) -> tuple[Event, ...]:
        """What happened, as the seat saw it (None: a spectator; ALL: everything), from event number `since` on.

        A client that has seen n events asks for `since=n`. Undoing shortens the list: count again from
        `len(match.events(seat))`.
        """
        if not is_whole(since) or since < 0:
            raise MatchError(f"events are counted from 0, not from {presentable(since)!r:.40}")
        if seat is not ALL:
            self._check_viewer(seat)
        log = self._logs.setdefault(seat, _Log())
        for index in range(len(log.ends), len(self._actions)):
            log.add(self.game.events(self._states[index], self._actions[index], self._states[index + 1], seat))
        return tuple(log.events[since:])

    def _check_viewer(self, seat: object) -> None:
        if seat is not None and not self._is_seat(seat):
            raise RummyError(no_seat(seat, self.state.players))

    def _is_seat(self, value: object) -> bool:
        return is_whole(value) and 0 <= value < self.state.players

    def record(self) -> Record:
        """The match so far as a document that `from_record` continues."""
        return Record.of(self.game, self._states[0], self._actions, self.seed)


class _Log:
    """The events that one seat has seen, and how many there were after each action."""

    __slots__ = ("ends", "events")

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.ends: list[int] = []

    def add(self, events: tuple[Event, ...]) -> None:
        """Appends the events of one more action."""
        self.events += events
        self.ends.append(len(self.events))

    def cut(self, actions: int) -> None:
        """Forgets the events of all but the first `actions` actions."""
        if actions < len(self.ends):
            del self.events[self.ends[actions - 1] if actions else 0 :], self.ends[actions:]


def _check_chance(chance: object) -> None:
    if chance is not None and not callable(chance):
        what = "a function (game, state, number of the chance action) -> deal or reshuffle"
        raise MatchError(f"chance must be {what}, not {presentable(chance)!r:.40}")


def _compiled(variant: Variant, overrides: Mapping[str, Any] | None) -> Game:
    if not isinstance(variant, Game):
        return load(variant, overrides)
    return load(variant.profile.to_dict(), overrides) if overrides else variant
