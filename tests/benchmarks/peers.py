"""What the peers do for the same work: OpenSpiel, RLCard and PettingZoo, each only if it is installed.

The last one is no peer but the slow engine that the tests compare ours with.
"""

from __future__ import annotations

import importlib
import importlib.util
import random
from collections.abc import Callable
from typing import Any

from tests.benchmarks.timing import timed

DRAW_UPCARD, DRAW_STOCK = 52, 53


PETTINGZOO = "pettingzoo.classic.gin_rummy_v4"
"""Newer releases of PettingZoo no longer have it."""


def installed(module: str) -> bool:
    """Whether a module can be found."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the package around it is missing
        return False


class OpenSpielGin:
    """OpenSpiel's gin_rummy from Python and, as far as Python reaches it, its C++ loops."""

    def __init__(self) -> None:
        self.pyspiel: Any = importlib.import_module("pyspiel")
        self.game: Any = self.pyspiel.load_game("gin_rummy")
        self.root: Any = self.game.new_initial_state()
        self.utils: Any = self.pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
        self.mean_plies = 0.0

    def round(self, begin: Callable[[], Any], rng: random.Random) -> tuple[Any, int]:
        """One random round: the final state and its plies. Chance takes the cards of a pack shuffled beforehand."""
        state, deck, dealt, plies, pick = begin(), list(range(52)), 0, 0, rng.random
        rng.shuffle(deck)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(deck[dealt])
                dealt += 1
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(pick() * len(legal))])
                plies += 1
        return state, plies

    def dealt(self, rng: random.Random) -> Any:
        """A state just after the deal."""
        state = self.root.clone()
        for card in rng.sample(range(52), 21):
            state.apply_action(card)
        return state

    def states(self, rng: random.Random, count: int) -> list[Any]:
        """States with a player to act, from random rounds."""
        found: list[Any] = []
        while len(found) < count:
            state, pick = self.dealt(rng), rng.random
            while not state.is_terminal():
                actions = state.legal_actions()
                if not state.is_chance_node():
                    found.append(state.clone())
                state.apply_action(actions[int(pick() * len(actions))])
        return found[:count]

    def play(self, seeds: range, fresh: bool) -> tuple[float, int]:
        """Random rounds, each from a new state or from a clone of a kept one."""
        begin = self.game.new_initial_state if fresh else self.root.clone
        return timed(lambda: sum(self.round(begin, random.Random(seed))[1] for seed in seeds))

    def uniform_bots(self, seeds: range) -> tuple[float, int]:
        """Random rounds by `evaluate_bots` with OpenSpiel's uniform bots: everything but the clone is C++."""
        bots = [self.pyspiel.make_uniform_random_bot(player, seeds.start) for player in (0, 1)]
        finals = []

        def work() -> int:
            for seed in seeds:
                state = self.root.clone()
                self.pyspiel.evaluate_bots(state, bots, seed)
                finals.append(state)
            return 1

        seconds, _ = timed(work)
        return seconds, sum(step.player >= 0 for state in finals for step in state.full_history())

    def rollouts(self, seeds: range) -> tuple[float, int]:
        """C++ random rollouts from dealt states, ten each; their plies are taken at the mean of random rounds."""
        if not self.mean_plies:
            plies = [self.round(self.root.clone, random.Random(seed))[1] for seed in range(400)]
            self.mean_plies = sum(plies) / len(plies)
        each, states = 10, [self.dealt(random.Random(seed)) for seed in seeds[::10]]
        bots = []
        for number in range(len(states)):
            evaluator = self.pyspiel.RandomRolloutEvaluator(each, number)
            bots.append(self.pyspiel.MCTSBot(self.game, evaluator, 2.0, 1, 100, False, number, False))

        def work() -> int:
            for bot, state in zip(bots, states, strict=True):
                bot.mcts_search(state)  # one simulation: one call of the evaluator, at the state itself
            return round(len(states) * each * self.mean_plies)

        return timed(work)

    def deadwood(self, hands: list[list[int]]) -> tuple[float, int]:
        """`GinRummyUtils.min_deadwood` of hands given as OpenSpiel card numbers."""
        ask = self.utils.min_deadwood

        def work() -> int:
            for hand in hands:
                ask(hand)
            return len(hands)

        return timed(work)

    def clone_and_draw(self, count: int, draw: bool) -> tuple[float, int]:
        """Clones a state in the second turn of a round whose up-card was taken; with `draw`, draws a card there."""
        state = self.dealt(random.Random(1))
        state.apply_action(DRAW_UPCARD)
        state.apply_action(state.legal_actions()[0])
        drawn = state.clone()
        drawn.apply_action(DRAW_STOCK)
        card = drawn.legal_actions()[0]

        def work() -> int:
            for _ in range(count):
                copy = state.clone()
                if draw:
                    copy.apply_action(DRAW_STOCK)
                    copy.apply_action(card)
            return count

        return timed(work)

    def views(self, seed: int, count: int, tensor: bool) -> tuple[float, int]:
        """The observation tensor of the player to act, or a clone, of states from random rounds."""
        states = self.states(random.Random(seed), count)
        pairs = [(state, state.current_player()) for state in states]

        def work() -> int:
            for state, player in pairs:
                if tensor:
                    state.observation_tensor(player)
                else:
                    state.clone()
            return len(pairs)

        return timed(work)

    def texts(self, seeds: range) -> tuple[float, int]:
        """Finished rounds to text and back."""
        finals = [self.round(self.root.clone, random.Random(seed))[0] for seed in seeds]

        def work() -> int:
            for state in finals:
                text = self.pyspiel.serialize_game_and_state(self.game, state)
                self.pyspiel.deserialize_game_and_state(text)
            return len(finals)

        return timed(work)


class RLCardGin:
    """RLCard's gin-rummy, its game without the environment around it (which asks for the legal moves three times)."""

    def __init__(self) -> None:
        self.game_type: Any = importlib.import_module("rlcard.games.gin_rummy.game").GinRummyGame
        self.melding: Any = importlib.import_module("rlcard.games.gin_rummy.utils.melding")
        self.utils: Any = importlib.import_module("rlcard.games.gin_rummy.utils.utils")
        self.numpy: Any = importlib.import_module("numpy")

    def play(self, seeds: range) -> tuple[float, int]:
        """Random rounds: `judge.get_legal_actions`, uniform choice, `step`."""

        def work() -> int:
            plies = 0
            for seed in seeds:
                pick, game = random.Random(seed).random, self.game_type()
                game.np_random = self.numpy.random.RandomState(seed)
                game.init_game()
                while not game.is_over():
                    legal = game.judge.get_legal_actions()
                    game.step(legal[int(pick() * len(legal))])
                    plies += 1
            return plies

        return timed(work)

    def deadwood(self, hands: list[list[int]]) -> tuple[float, int]:
        """The count of the best meld cluster of hands given as card numbers of any suit order."""
        cards = [[self.utils.card_from_card_id(card) for card in hand] for hand in hands]
        best, count = self.melding.get_best_meld_clusters, self.utils.get_deadwood_count

        def work() -> int:
            for hand in cards:
                clusters = best(hand)
                count(hand, clusters[0] if clusters else [])
            return len(cards)

        return timed(work)


class PettingZooGin:
    """PettingZoo's gin_rummy_v4, an environment around RLCard's."""

    def __init__(self) -> None:
        self.env: Any = importlib.import_module(PETTINGZOO).env()
        self.env.reset(seed=0)

    def play(self, seeds: range) -> tuple[float, int]:
        """Random rounds: `last`, uniform choice from the action mask, `step`."""

        def work() -> int:
            plies = 0
            for seed in seeds:
                pick = random.Random(seed).random
                self.env.reset(seed=seed)
                for _ in self.env.agent_iter():
                    observation, _, terminated, truncated, _ = self.env.last()
                    if terminated or truncated:
                        self.env.step(None)
                        continue
                    legal = observation["action_mask"].nonzero()[0]
                    self.env.step(int(legal[int(pick() * len(legal))]))
                    plies += 1
            return plies

        return timed(work)


class Reference:
    """The plain engine of `tests.reference`."""

    def __init__(self, variant: str, players: int) -> None:
        profiles: Any = importlib.import_module("tests.reference.profiles")
        self.game: Any = importlib.import_module("tests.reference").ReferenceGame(profiles.SHIPPED[variant], players)

    def follow(self, scripts: list[list[str]]) -> tuple[float, int]:
        """Plays these rounds, actions as text; asks for what is legal before every ply, as a player would."""

        def work() -> int:
            plies = 0
            for script in scripts:
                state = self.game.start()
                for text in script:
                    plies += bool(self.game.legal(state))
                    state = self.game.apply(state, text)
            return plies

        return timed(work)
