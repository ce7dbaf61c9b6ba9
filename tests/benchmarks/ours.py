"""What the library does for the timed work, by its public names."""

from __future__ import annotations

import random

import rummy_engine as rummy
from tests.benchmarks.timing import timed

SUITS_OF_PEERS = "SCDH"


def card_set(cards: list[int]) -> rummy.CardSet:
    """Our card set of card numbers in the peers' order."""
    return rummy.parse_cards(" ".join("A23456789TJQK"[card % 13] + SUITS_OF_PEERS[card // 13] for card in cards))


class Ours:
    """One profile, for a number of players."""

    def __init__(self, variant: str, players: int) -> None:
        self.variant, self.players = variant, players
        self.game = rummy.load(variant)

    def round(self, rng: random.Random) -> tuple[rummy.State, int]:
        """One random round: the final state and its plies."""
        game, pick = self.game, rng.random
        legal, apply, chance = game.legal, game.apply_unchecked, game.chance
        state, plies = game.start(self.players), 0
        while True:
            actions = legal(state)
            if actions:
                state = apply(state, actions[int(pick() * len(actions))])
                plies += 1
            elif game.round_over(state):
                return state, plies
            else:
                state = apply(state, chance(state, rng))

    def states(self, rng: random.Random, count: int) -> list[rummy.State]:
        """States with a seat to act, from random rounds."""
        found: list[rummy.State] = []
        game = self.game
        while len(found) < count:
            state = game.start(self.players)
            while not game.round_over(state):
                actions = game.legal(state)
                if actions:
                    found.append(state)
                action = actions[int(rng.random() * len(actions))] if actions else game.chance(state, rng)
                state = game.apply_unchecked(state, action)
        return found[:count]

    def play(self, seeds: range) -> tuple[float, int]:
        """Random rounds: `legal`, uniform choice, `apply_unchecked`."""
        return timed(lambda: sum(self.round(random.Random(seed))[1] for seed in seeds))

    def playouts(self, seeds: range) -> tuple[float, int]:
        """Random rounds by `playout`, whose plies are taken at the mean of the same number of loops."""
        plies = sum(self.round(random.Random(seed))[1] for seed in seeds)
        playout, start, players = self.game.playout, self.game.start, self.players

        def work() -> int:
            for seed in seeds:
                playout(start(players), random.Random(seed))
            return plies

        return timed(work)

    def scripts(self, seeds: range) -> list[list[str]]:
        """The actions of random rounds as text, chance included."""
        found = []
        for seed in seeds:
            rng, state, texts = random.Random(seed), self.game.start(self.players), list[str]()
            while not self.game.round_over(state):
                actions = self.game.legal(state)
                action = actions[int(rng.random() * len(actions))] if actions else self.game.chance(state, rng)
                texts.append(str(action))
                state = self.game.apply_unchecked(state, action)
            found.append(texts)
        return found

    def rounds(self, seeds: range) -> tuple[float, int]:
        """Random rounds, counted as rounds."""
        seconds, _ = self.play(seeds)
        return seconds, len(seeds)

    def arrangements(self, hands: list[list[int]]) -> tuple[float, int]:
        """`best_arrangement` of hands given as card sets: the melds, the cards left and their points."""
        sets, game, best = [card_set(hand) for hand in hands], self.game, rummy.best_arrangement

        def work() -> int:
            for cards in sets:
                best(cards, game)
            return len(sets)

        return timed(work)

    def deadwood(self, hands: list[list[int]]) -> tuple[float, int]:
        """The engine's own minimum deadwood, which no public name reaches, of hands given as card sets."""
        sets, ask = [card_set(hand) for hand in hands], self.game.rules(self.players).arranger.deadwood

        def work() -> int:
            for cards in sets:
                ask(cards)
            return len(sets)

        return timed(work)

    def draws(self, count: int) -> tuple[float, int]:
        """`apply_unchecked` of a draw from the stock, in the second turn of a round whose up-card was taken."""
        game, rng = self.game, random.Random(1)
        state = game.start(self.players)
        state = game.apply(state, game.chance(state, rng))
        state = game.apply(state, "take")
        state = game.apply(state, game.legal(state)[0])
        action, apply = game.parse(state, "draw"), game.apply_unchecked

        def work() -> int:
            for _ in range(count):
                apply(state, action)
            return count

        return timed(work)

    def views(self, seed: int, count: int) -> tuple[float, int]:
        """The view of the seat to act, for states from random rounds."""
        states, view = self.states(random.Random(seed), count), self.game.view

        def work() -> int:
            for state in states:
                view(state, state.seat)
            return len(states)

        return timed(work)

    def records(self, seeds: range) -> tuple[float, int]:
        """Records of finished rounds to JSON and back to the final state."""
        records = []
        one_round = {"match.rounds": 1, "match.tie": "share"}  # with a tie-break, drawn rounds would go on
        for seed in seeds:
            match = rummy.Match(self.variant, self.players, seed=seed, overrides=one_round)
            rng = random.Random(seed)
            while not match.over:
                actions = match.legal()
                match.play(actions[int(rng.random() * len(actions))])
            records.append((match.record(), match.state))

        def work() -> int:
            for record, final in records:
                assert rummy.Record.from_json(record.to_json()).replay() == final
            return len(records)

        return timed(work)
