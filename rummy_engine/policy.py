"""Who plays: bots and other policies, where their chance comes from, and what is asked of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from rummy_engine.actions import Action, is_well_formed
from rummy_engine.errors import MatchError, RummyError
from rummy_engine.hints import presentable
from rummy_engine.knowledge.view import View


class Random(Protocol):
    """A source of chance: all that is asked of it is `random()`, a float in [0, 1)."""

    def random(self) -> float:
        """The next number."""


Policy: TypeAlias = Callable[[View, tuple[Action, ...], Random], Action]
"""How a bot plays: (view of the seat to act, its legal actions, rng) -> one of them."""


def ask(policy: Policy, view: View, legal: tuple[Action, ...], rng: Random) -> Action:
    """What a policy does; raises MatchError unless it is one of the legal actions."""
    action = policy(view, legal, rng)
    if not is_well_formed(action) or action not in legal:
        told = f"the {type(action).__name__} that the policy of seat {view.seat} returned is not legal"
        raise MatchError(f"{told}: it must be one of the actions it was given")
    return legal[legal.index(action)]  # an equal value might be made of other parts


def one_a_seat(policy: Policy | Sequence[Policy], players: int) -> list[Policy]:
    """The policies by seat; raises RummyError where these are none, or not one for each seat."""
    policies = [policy] * players if callable(policy) else policy
    if not isinstance(policies, Sequence) or not all(map(callable, policies)):
        what = "a policy is a function (view, legal, rng) -> action, and policies are a list of one for each seat"
        raise RummyError(f"{what}, not {presentable(policy)!r:.40}")
    if len(policies) != players:
        raise RummyError(f"{len(policies)} policies for {players} seats")
    return list(policies)


def check_generator(rng: object) -> None:
    """Raises RummyError for what has no `random()`."""
    if not callable(getattr(rng, "random", None)):
        raise RummyError(f"expected a generator such as random.Random(1), not {presentable(rng)!r:.40}")


def generator_from(rng: Random) -> Random:
    """A generator that says nothing about this one."""
    from random import Random as MersenneTwister

    return MersenneTwister(int(rng.random() * 2**53))
