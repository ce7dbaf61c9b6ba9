"""Sound play where melds are tabled turn by turn: what to take, when to table, what to throw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rummy_engine.actions import DRAW, PASS, STOP, TAKE, Action, Call, Discard, Take
from rummy_engine.bots.appraisal import Appraiser, Weights
from rummy_engine.bots.plans import best_plan, next_step, settling, way_out
from rummy_engine.bots.sets import add, held
from rummy_engine.bots.sight import look
from rummy_engine.cards import JOKER, CardSet
from rummy_engine.game import Game
from rummy_engine.knowledge.view import View
from rummy_engine.melds.shapes import Meld
from rummy_engine.rules import Rules

CLOSE_TO_OUT = 3
"""A hand of so few cards may go out at any moment: till another has one, melds are better kept.

Kept melds take no lay-offs from others, and who goes out at once surprises them, and scores double in some games.
"""
CLOSE_IF_CAPPED = 6
"""The same where a turn has room for a limited number of new melds."""
LATE = 12
"""Turns played by the seat and loose cards together from which melds are not kept any more."""


class Style(NamedTuple):
    """How a tabler plays."""

    weights: Weights = Weights(per_card=20, promise=0.2, danger=12.0)
    reads: bool = False
    """Whether it infers from the pile what the next seat holds."""
    close_if_capped: int = CLOSE_IF_CAPPED
    late_if_capped: int = LATE
    """`CLOSE_IF_CAPPED` and `LATE` where a turn has room for a limited number of new melds."""


SOUND = Style()
STOCK_TO_HOLD = 2
"""Draws per player that must be left in the stock for melds to be kept."""
FRESH_CARD = 3
"""What a card from the stock is worth against cards from the pile, in points."""
LONG = 25
"""After so many turns a player the pile is left alone, lest two seats pass the same cards to and fro."""
MOST_TAKEN = 16
"""Cards; deeper draws are not thought about, for their worth is hard to see."""


class Tabler:
    """The sound player of one game without knocking."""

    def __init__(self, game: Game, style: Style = SOUND) -> None:
        lay = game.profile.lay
        self._game = game
        self._style = style
        self._layoff = lay.layoff
        if lay.melds_per_turn == "unlimited":
            self._cap, self._close, self._latest = 10**6, CLOSE_TO_OUT, LATE
        else:
            self._cap, self._close, self._latest = lay.melds_per_turn, style.close_if_capped, style.late_if_capped
        self._renews = game.profile.stock.when_empty != "none"
        self._appraisers: dict[int, Appraiser] = {}

    def appraiser(self, rules: Rules) -> Appraiser:
        """The appraiser for this table."""
        found = self._appraisers.get(rules.players)
        if found is None:
            found = self._appraisers[rules.players] = Appraiser(rules, self._style.weights)
        return found

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        """What to do."""
        if view.phase == "play":
            return self.play(view, legal)
        return self.call(view, legal) if view.phase == "call" else self.draw(view, legal)

    # --------------------------------------------------------------------------------------------- draws and calls

    def draw(self, view: View, legal: Sequence[Action]) -> Action:
        """The stock, the top of the pile if it has a use at once, or as much of the pile as pays."""
        rules = self._game.rules(view.players)
        other = next((action for action in (DRAW, PASS, STOP) if action in legal), legal[0])
        if other is DRAW and view.turns >= LONG * view.players:
            return DRAW
        deep = [action for action in legal if type(action) is Take and 1 < action.count <= MOST_TAKEN]
        if not deep and other is not STOP:
            return TAKE if TAKE in legal and self._uses_top(rules, view) else other
        hand, placed = held(view.hand), self._placed(rules, view)
        best = self._prospect(rules, hand, placed) + FRESH_CARD
        if other is STOP:  # the round ends, with what is held in the hand
            best = -rules.arranger.points_of(hand)
        elif TAKE in legal and self._uses_top(rules, view):
            deep.append(TAKE)
        return self._best_of(rules, view, deep, other, best, placed)

    def call(self, view: View, legal: Sequence[Action]) -> Action:
        """The call that pays most, if any does."""
        rules = self._game.rules(view.players)
        placed = self._placed(rules, view)
        calls = [action for action in legal if type(action) is Call and action.count <= MOST_TAKEN]
        return self._best_of(rules, view, calls, PASS, self._prospect(rules, held(view.hand), placed), placed)

    def _best_of(
        self,
        rules: Rules,
        view: View,
        options: Sequence[Take | Call],
        other: Action,
        least: float,
        placed: CardSet,
    ) -> Action:
        """The option with the best prospect, if it has more than `least`, else `other`."""
        chosen = other
        for option in options:
            hand = held(view.hand)
            for card in view.pile[-option.count :]:
                hand = add(hand, card) if card is not None else hand
            prospect = self._prospect(rules, hand, placed)
            if prospect > least:
                chosen, least = option, prospect
        return chosen

    def _prospect(self, rules: Rules, hand: CardSet, placed: CardSet) -> int:
        """The points of what a hand can table less those of what it must keep."""
        left = rules.arranger.deadwood(hand & ~placed)
        return rules.arranger.points_of(hand) - 2 * left

    def _uses_top(self, rules: Rules, view: View) -> bool:
        top = view.pile[-1]
        if top is None:
            return False
        if top == JOKER or self._placed(rules, view) >> top & 1:
            return True
        return self.appraiser(rules).outs(held(view.hand)) >> top & 1 == 1

    # ------------------------------------------------------------------------------------------------- the table

    def play(self, view: View, legal: Sequence[Action]) -> Action:
        """Goes out, tables, or discards."""
        rules = self._game.rules(view.players)
        if type(legal[0]) is not Discard:
            step = self.table(rules, view, legal)
            if step is not None:
                return step
        return self.discard(rules, view, legal) or legal[0]

    def discard(self, rules: Rules, view: View, legal: Sequence[Action]) -> Discard | None:
        """The best discard; None where nothing may be discarded."""
        by_face = {action.card: action for action in legal if type(action) is Discard}
        if len(by_face) > 1:
            by_face.pop(JOKER, None)
        if not by_face:
            return None
        appraiser, sight = self.appraiser(rules), look(rules, view)
        if self._style.reads and len(by_face) > 1:
            sight = appraiser.read(sight, view)
        return by_face[appraiser.ranked(sight.hand, by_face, sight, self._placed(rules, view))[0][1]]

    def table(self, rules: Rules, view: View, legal: Sequence[Action]) -> Action | None:
        """The next table action; None: keep the melds for now."""
        hand, targets = held(view.hand), self.targets(view)
        holds = not view.owed and not view.tabled_now and self.may_hold(view)
        best = best_plan(rules, view, hand, targets)
        out = way_out(rules, view, hand, targets, best)
        if holds and not out and len(best.melds) <= self._cap and not self._late(view, best.left):
            return None
        return next_step(out or best, targets, legal) or settling(view, legal)

    def may_hold(self, view: View) -> bool:
        """Whether nobody else is close to going out, and the stock not close to its end."""
        if not self._renews and view.stock_size <= STOCK_TO_HOLD * view.players:
            return False
        return all(size > self._close for seat, size in enumerate(view.sizes) if seat != view.seat)

    def _late(self, view: View, left: CardSet) -> bool:
        """Whether somebody who keeps all melds may well go out before the seat does."""
        return view.turns // view.players + left.bit_count() > self._latest

    def options(self, view: View, legal: Sequence[Action], first: Action) -> list[Action]:
        """What else than `first` is worth a thought."""
        rules = self._game.rules(view.players)
        if view.phase == "call":
            return [*list(legal[:2]), PASS]
        if view.phase != "play":
            takes = [action for action in legal if type(action) is Take]
            if not takes:
                return []
            if takes[-1].count == 1:
                return list(legal) if self._uses_top(rules, view) else []
            return [legal[0], *takes[:1], *takes[-2:]]
        if type(legal[0]) is Discard:
            return []
        if type(first) is not Discard:
            discard = self.discard(rules, view, legal)
            return [] if discard is None else [discard]
        targets = self.targets(view)
        step = next_step(best_plan(rules, view, held(view.hand), targets), targets, legal)
        return [] if step is None else [step]

    def targets(self, view: View) -> list[int]:
        """The melds on the table that the seat may lay off on."""
        return [index for index, meld in enumerate(view.table) if self._open(view, meld)]

    def _open(self, view: View, meld: Meld) -> bool:
        if self._layoff == "none":
            return False
        return self._layoff == "any" or meld.owner == view.to_act

    def _placed(self, rules: Rules, view: View) -> CardSet:
        """The cards that the seat could lay off, were they in its hand."""
        takes = 0
        for index in self.targets(view):
            takes |= rules.shapes.openings(view.table[index]).takes
        return takes
