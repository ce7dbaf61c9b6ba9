"""Sound play where rounds end with a knock: when to take, what to throw, when to knock."""

from __future__ import annotations

from collections.abc import Sequence

from rummy_engine.actions import DONE, DRAW, PASS, TAKE, Action, Discard, Knock
from rummy_engine.bots.appraisal import Appraiser, Weights
from rummy_engine.bots.plans import best_plan, next_step
from rummy_engine.bots.sets import held, without
from rummy_engine.bots.sight import Sight, look
from rummy_engine.cards import JOKER, CardSet
from rummy_engine.game import Game
from rummy_engine.knowledge.view import View
from rummy_engine.rules import Rules

BOUNDS = (10, 10, 10, 10, 10, 9, 7, 6, 4, 3, 1)
"""The most deadwood to knock with, by the turns played so far in pairs; the last bound holds from then on.

Early the others hold much more. Later a hand that has come to knock is better played on for gin, since whoever waits
longer is seldom undercut. Found by playing both ways on from some 20 000 knocks, with two and with three players.
"""
EARLY = 5
"""Before so many pairs of turns the chance of gin is no reason to wait."""
MANY = 3
"""So many cards that would make gin are worth waiting for."""
LONG = 25
"""After so many turns a player the pile is left alone, lest two seats pass the same cards to and fro."""
WEIGHTS = Weights(per_card=0, promise=0.1, danger=4.0, finish=20)


class Knocker:
    """The sound player of one game with knocking."""

    def __init__(self, game: Game) -> None:
        knock = game.profile.knock
        assert knock is not None, "this is for games with knocking"
        self._game = game
        self._lays_off = knock.layoff == "knocker"
        self._chain = knock.layoff_chain
        self._appraisers: dict[int, Appraiser] = {}

    def appraiser(self, rules: Rules) -> Appraiser:
        """The appraiser for this table."""
        found = self._appraisers.get(rules.players)
        if found is None:
            found = self._appraisers[rules.players] = Appraiser(rules, WEIGHTS)
        return found

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        """What to do."""
        if view.phase == "play":
            return self.play(view, legal)
        if view.phase == "spread" or view.phase == "respond":
            return self.lay_down(view, legal)
        return self.draw(view, legal)

    def draw(self, view: View, legal: Sequence[Action]) -> Action:
        """Takes the top of the pile if it makes a meld, or a meld longer."""
        if TAKE in legal and view.turns < LONG * view.players and self._uses_top(view):
            return TAKE
        return next(action for action in (DRAW, PASS, legal[0]) if action in legal)

    def _uses_top(self, view: View) -> bool:
        top = view.pile[-1]
        if top is None or top == JOKER:
            return top == JOKER
        return self.appraiser(self._game.rules(view.players)).outs(held(view.hand)) >> top & 1 == 1

    def play(self, view: View, legal: Sequence[Action]) -> Action:
        """Knocks in time, else discards."""
        rules = self._game.rules(view.players)
        sight = look(rules, view)
        knocks = [action for action in legal if type(action) is Knock]
        if knocks:
            knock, deadwood = self.best_knock(rules, sight.hand, knocks)
            if not deadwood or self.in_time(rules, sight, view.turns, without(sight.hand, knock.card), deadwood):
                return knock
        return self.discard(rules, sight, legal)

    def discard(self, rules: Rules, sight: Sight, legal: Sequence[Action]) -> Discard:
        """The best discard."""
        by_face = {action.card: action for action in legal if type(action) is Discard}
        return by_face[self.appraiser(rules).ranked(sight.hand, by_face, sight)[0][1]]

    def best_knock(self, rules: Rules, hand: CardSet, knocks: Sequence[Knock]) -> tuple[Knock, int]:
        """The knock that leaves the least deadwood, and that deadwood; of several the one rid of the dearest card."""
        worth, deadwood = rules.table.worth.in_hand, rules.arranger.deadwood
        left, _, index = min(
            (deadwood(without(hand, knock.card)), 0 if knock.card is None else 1 - worth[knock.card], index)
            for index, knock in enumerate(knocks)
        )
        return knocks[index], left

    def in_time(self, rules: Rules, sight: Sight, turns: int, kept: CardSet, deadwood: int) -> bool:
        """Whether to knock now and keep these cards, or to play on."""
        pairs = turns // 2
        if deadwood > BOUNDS[min(pairs, len(BOUNDS) - 1)]:
            return False
        return pairs < EARLY or self.appraiser(rules).finishers(kept, sight.live) < MANY

    def options(self, view: View, legal: Sequence[Action], first: Action) -> list[Action]:
        """What else than `first` is worth a thought."""
        if view.phase in ("draw", "offer"):
            return list(legal) if first is TAKE else []
        if view.phase != "play":
            return []
        knocks = [action for action in legal if type(action) is Knock]
        if not knocks:
            return []
        rules = self._game.rules(view.players)
        sight = look(rules, view)
        knock, deadwood = self.best_knock(rules, sight.hand, knocks)
        if type(first) is not Knock:
            return [knock]
        return [self.discard(rules, sight, legal)] if deadwood else []

    def lay_down(self, view: View, legal: Sequence[Action]) -> Action:
        """Lays down the best arrangement, step by step; who answers a knock lays off too."""
        rules = self._game.rules(view.players)
        targets: Sequence[int] = ()
        if view.phase == "respond" and self._lays_off:
            targets = [index for index, meld in enumerate(view.table) if meld.owner == view.by]
        plan = best_plan(rules, view, held(view.hand), targets, self._chain)
        step = next_step(plan, targets, legal)
        return step or (DONE if DONE in legal else legal[0])
