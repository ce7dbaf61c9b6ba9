"""Playing one seeded round or match of a setup, and taking down what is counted of each of its rounds.

Deal number i (from 1) of a run has a seed of its own, made from the run's seed and i, and dealer i mod players. A round
takes its shuffles as the first round of a `Match` with that seed does. In a match the rounds after the first have seeds
of their own in the same way, so that the k-th round of a match is dealt from the same pack in every variant, however
often the stock was reshuffled before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from rummy_engine.actions import Action, Call, Discard, Draw, LayMeld, LayOff, Take, is_well_formed
from rummy_engine.bots import name_of
from rummy_engine.bots.at_random import at_random
from rummy_engine.cards import JOKER
from rummy_engine.chance import chance_rng
from rummy_engine.comparing.setups import Setup
from rummy_engine.errors import MatchError
from rummy_engine.policy import Policy
from rummy_engine.record import Record
from rummy_engine.state import DEALER, RoundResult, State

PLAIN = frozenset({Draw, Discard})
"""The commonest actions, in which nothing is counted."""
LONGEST_MATCH = 500
"""A match that is not over after so many rounds is stopped: between careless bots some variants never end."""


class BotError(MatchError):
    """A bot raised an error or returned what is not legal.

    `bot` is its name, `seat` where it sat; `seed`, `deal` and `dealer` say which play of the run it was, `setup` of
    what, and `record` holds the round or match up to there, with the seed of this deal.
    """

    def __init__(self, fault: str, bot: str, seat: int, setup: str, seed: int, deal: int, record: Record) -> None:
        self.fault, self.bot, self.seat, self.setup = fault, bot, seat, setup
        self.seed, self.deal, self.record = seed, deal, record
        where = f"deal {deal} of {setup} for {record.players}, seed {record.seed}; run with seed {seed}"
        super().__init__(f"bot {bot!r:.60} (seat {seat}) {fault} ({where})")

    def __reduce__(self) -> tuple[type[BotError], tuple[object, ...]]:
        return type(self), (self.fault, self.bot, self.seat, self.setup, self.seed, self.deal, self.record)

    @property
    def dealer(self) -> int:
        """Who dealt first."""
        return self.record.dealer


class Round(NamedTuple):
    """What is taken down of a round: its result, and counts of what the players did in it."""

    result: RoundResult
    plies: int
    """Player actions; those of chance do not count."""
    options: int
    """The legal actions of all decisions together."""
    choices: int
    """Decisions with two or more legal actions."""
    calls: int
    """Rummy calls."""
    deep_draws: int
    """Draws of two or more cards of the pile."""
    jokers: int
    """Jokers that were melded or laid off."""


@dataclass(slots=True)
class Played:
    """A round or match that was played: its rounds, the state it ended in, and all its actions, chance included."""

    rounds: list[Round]
    start: State
    final: State
    actions: list[Action]


def deal_seed(seed: int, number: int) -> int:
    """The seed of a deal (from 1) of a run: 53 bits, drawn as `chance` draws for the match with the run's seed."""
    return int(chance_rng(seed, number).random() * 2**53)


def play(
    setup: Setup, policies: Sequence[Policy], seating: Sequence[int], seed: int, deal: int, whole_match: bool
) -> Played:
    """Plays one round, or a match to its end. `policies`: of the line-up; `seating`: per seat its place in there.

    A bot has a generator of its own per seat, so that no bot's luck depends on another. Raises BotError.
    """
    game, players = setup.game, setup.players
    own_seed = round_seed = deal_seed(seed, deal)
    seats = [policies[place] for place in seating]
    rngs: list[Random] = [chance_rng(own_seed, -1 - seat) for seat in range(players)]
    start = state = game.start(players, deal % players)
    actions: list[Action] = []
    rounds: list[Round] = []
    chances = plies = options = choices = calls = deep_draws = jokers = 0
    while True:
        seat = state.seat
        if seat == DEALER:
            if state.phase != "reshuffle" and state.result is not None:
                rounds.append(Round(state.result, plies, options, choices, calls, deep_draws, jokers))
                if not whole_match or state.phase == "over" or len(rounds) == LONGEST_MATCH:
                    return Played(rounds, start, state, actions)
                chances = plies = options = choices = calls = deep_draws = jokers = 0
                round_seed = deal_seed(own_seed, len(rounds))
            chances += 1
            action = game.chance(state, chance_rng(round_seed, chances))
        else:
            policy = seats[seat]
            if policy is at_random:
                legal = game.legal(state)
                action = at_random(None, legal, rngs[seat])
            else:
                view = game.view(state, seat)
                legal = view.legal
                try:
                    action = policy(view, legal, rngs[seat])
                    fits = is_well_formed(action) and action in legal
                    fault = "" if fits else f"returned {action!r:.80}, which is not legal"
                except (Exception, SystemExit, GeneratorExit) as error:  # whatever a bot does but Ctrl-C
                    fault = f"raised {type(error).__name__}: {error!s:.200}"
                if fault:
                    record = Record.of(game, start, actions, own_seed)
                    raise BotError(fault, name_of(setup.bots[seating[seat]]), seat, setup.label, seed, deal, record)
            plies += 1
            options += len(legal)
            choices += len(legal) > 1
            if type(action) in PLAIN:
                pass
            elif isinstance(action, LayMeld):
                jokers += action.cards.count(JOKER)
            elif isinstance(action, LayOff):
                jokers += action.card == JOKER
            elif isinstance(action, Take):
                deep_draws += action.count > 1
            elif isinstance(action, Call):
                calls += 1
        actions.append(action)
        state = game.apply_unchecked(state, action)
