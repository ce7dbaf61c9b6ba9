"""The rules of one profile at one table: one factory per TOML section, compiled in a fixed order.

A phase is a row of the tables `legal`, `refuse` and `apply`; a profile without a rule has no such row. Nothing reads
the profile after this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from rummy_engine.actions import (
    Action,
    Call,
    Deal,
    Discard,
    Done,
    Draw,
    Knock,
    LayMeld,
    LayOff,
    Pass,
    Reshuffle,
    Stop,
    Swap,
    Take,
)
from rummy_engine.cards import FACES, Card, CardSet, card_set
from rummy_engine.errors import Refusal, RummyError
from rummy_engine.melds.arrange import Arranger
from rummy_engine.melds.finder import MeldFinder
from rummy_engine.melds.shapes import Meld, MeldShapes
from rummy_engine.rules.call import Call as CallRules
from rummy_engine.rules.deal import DealRules
from rummy_engine.rules.discard import DiscardRules
from rummy_engine.rules.draw import DrawRules
from rummy_engine.rules.ending import Ending
from rummy_engine.rules.knock import KnockRules, limit_rule
from rummy_engine.rules.lay import Lay
from rummy_engine.rules.match import MatchRules
from rummy_engine.rules.obligation import Obligation
from rummy_engine.rules.play import Play
from rummy_engine.rules.prize import PrizeRules
from rummy_engine.rules.scoring import RoundScore
from rummy_engine.rules.stock import Stock
from rummy_engine.rules.table import Table
from rummy_engine.rules.turn import Turn
from rummy_engine.state import PHASES, State

if TYPE_CHECKING:
    from rummy_engine.profiles.profile import Profile

# Rows are looked up by the type of the action, so the functions in them take one type each.
Refuse: TypeAlias = Callable[[State, Any], Refusal | None]
Apply: TypeAlias = Callable[[State, Any], State]


def _always(state: State, action: Action) -> Refusal | None:
    return None


def _no_knock(cards: CardSet) -> str:
    return ""


def _nothing(state: State) -> tuple[Action, ...]:
    return ()


class _NoRow(dict[type[Action], Apply]):
    """The row of a phase that this game does not have: the state is of another game."""

    __slots__ = ("_phase",)

    def __init__(self, phase: str) -> None:
        self._phase = phase

    def __missing__(self, kind: type[Action]) -> Apply:
        raise RummyError(f"this game has no phase {self._phase!r}: the state is of another one")

    def legal(self, state: State) -> tuple[Action, ...]:
        """Nothing can be."""
        raise RummyError(f"this game has no phase {self._phase!r}: the state is of another one")


class Rules:
    """Everything compiled for one profile and one number of seats."""

    def __init__(self, profile: Profile, players: int) -> None:
        table = Table(profile.deck, profile.melds, profile.wilds, profile.scoring.values, players)
        lay = Lay(profile.lay, table)
        discards = DiscardRules(profile.discard, table, lay)
        obligation = Obligation(table, lay, discards, meld_only=profile.draw.deep_use == "meld")
        self.stock = Stock(profile.stock, table)
        self.match = MatchRules(profile.match, players)
        self.payout = PrizeRules(profile.prize, self.match).payout
        self.limit_for = limit_rule(profile.knock, table)
        deal = DealRules(profile.deal, table, self.match, self.stock, self.limit_for)
        scoring = RoundScore(profile.scoring, profile.knock, table, self.match, profile.stock.then == "lowest")
        call = CallRules(profile.call, table, obligation)
        digs = profile.draw.pile == "deep" or call.digs
        self.ending = Ending(profile.ending, table, scoring, self.match, deal, lay, discards, digs)
        turn = Turn(table, self.stock, call, discards, self.ending)
        draw = DrawRules(profile.draw, table, self.stock, obligation, self.ending)
        play = Play(lay, obligation, discards, turn, self.ending)

        self.players = players
        self.table = table
        self.deck: tuple[Card, ...] = table.deck
        """The physical cards in pack order."""
        self.pack: CardSet = table.pack
        """The physical cards as a set."""
        self.shapes: MeldShapes = table.shapes
        """What is a meld."""
        self.finder: MeldFinder = table.finder
        """Finds melds in a hand."""
        self.arranger: Arranger = table.arranger
        """Arranges hands."""
        self.worthless = card_set(card for card in table.deck if table.worth.in_hand[FACES[card]] == 0)
        """The cards that count nothing in a hand."""
        self.pile_view = profile.draw.pile_view
        self.hand_size = deal.hand_size
        self.owes = draw.owes
        self.digs = digs
        """Whether more than one card of the pile may be taken at once."""
        self.calls = call.valid
        self.needs_a_card = discards.keeps_a_card and discards.last_unplayable
        """Whether a seat may be left with a card that it can neither table nor discard, if it has no other."""
        self.declare: Callable[[CardSet], str] = _no_knock
        """What a knock that keeps these cards is: "gin" or "knock"; "" where there is no knocking."""
        self.legal: dict[str, Callable[[State], tuple[Action, ...]]] = {
            "deal": _nothing, "reshuffle": _nothing, "over": _nothing, "draw": draw.legal
        }
        self.refuse: dict[str, dict[type[Action], Refuse]] = {
            "deal": {Deal: deal.refuse_deal},
            "draw": {Draw: draw.refuse_draw, Take: draw.refuse_take},
            "play": {Discard: discards.refuse},
        }
        self.apply: dict[str, dict[type[Action], Apply]] = {
            "deal": {Deal: deal.deal},
            "draw": {Draw: draw.draw, Take: draw.take},
            "play": {Discard: turn.discard},
        }
        if self.stock.shuffles:
            self._row("reshuffle", Reshuffle, self.stock.refuse_reshuffle, turn.reshuffle)
        if self.stock.plays_on:
            self._row("draw", Stop, draw.refuse_stop, draw.stop)
        if deal.offers_up_card:
            self.legal["offer"] = draw.offer_moves
            self._row("offer", Take, draw.refuse_take, draw.take)
            self._row("offer", Pass, _always, deal.pass_offer)
        if call.open:
            self.legal["call"] = turn.call_moves
            self._row("call", Call, call.refuse, call.call)
            self._row("call", Pass, _always, turn.pass_call)
        if profile.knock is None:
            self.legal["play"] = play.legal
            self._row("play", LayMeld, play.refuse_meld, play.table)
            self._row("play", LayOff, play.refuse_layoff, play.table)
            if lay.swaps:
                self._row("play", Swap, play.refuse_swap, play.table)
        else:
            knock = KnockRules(profile.knock, table, lay, discards, self.ending)
            self.legal["play"] = knock.legal
            self._row("play", Knock, knock.refuse_knock, knock.knock)
            self.legal["spread"] = knock.spread_moves
            self._row("spread", LayMeld, knock.refuse_spread_meld, knock.lay)
            self._row("spread", Done, knock.refuse_spread_done, knock.spread_done)
            self.legal["respond"] = knock.respond_moves
            self._row("respond", LayMeld, lay.refuse_meld, knock.lay)
            self._row("respond", LayOff, knock.refuse_layoff, knock.layoff)
            self._row("respond", Done, _always, knock.respond_done)
            self.declare = knock.declare
        self.in_game = {kind for row in self.apply.values() for kind in row}
        """The action types that occur in this game at all."""
        for phase in PHASES:
            no_row = _NoRow(phase)
            self.legal.setdefault(phase, no_row.legal)
            self.apply.setdefault(phase, no_row)

    def _row(self, phase: str, kind: type[Action], refuse: Refuse, apply: Apply) -> None:
        self.refuse.setdefault(phase, {})[kind] = refuse
        self.apply.setdefault(phase, {})[kind] = apply

    @property
    def phases(self) -> Iterable[str]:
        """The phases of this game."""
        return (*self.refuse, "over")

    def fits(self, melds: tuple[Meld, ...]) -> CardSet:
        """The cards off the table that some of these melds takes (`State.fits`)."""
        return self.table.fits(melds)
