"""The rules of Rummy games as a library: legal moves, clean state, variants as data.

>>> import rummy_engine as rummy
>>> game = rummy.load("basic")
>>> state = game.position(hands=["2C", "8S 8H 8D KC"], phase="play")
>>> [str(action) for action in game.legal(state)]
['meld 8S 8H 8D', 'discard 8S', 'discard 8H', 'discard 8D', 'discard KC']
"""

from rummy_engine.actions import (
    DONE,
    DRAW,
    PASS,
    STOP,
    TAKE,
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
from rummy_engine.cards import Card, CardSet, format_cards, parse_card, parse_cards
from rummy_engine.errors import (
    IllegalActionError,
    MatchError,
    NotationError,
    Problem,
    ProfileError,
    Reason,
    RecordError,
    Refusal,
    RummyError,
)
from rummy_engine.game import Game, load
from rummy_engine.hands import best_arrangement, melds
from rummy_engine.knowledge.events import (
    ALL,
    Called,
    Dealt,
    Discarded,
    Drew,
    Event,
    Knocked,
    LaidOff,
    MatchEnded,
    Melded,
    Passed,
    Renewed,
    RoundEnded,
    Skipped,
    Spread,
    Took,
)
from rummy_engine.knowledge.view import View
from rummy_engine.match import Match
from rummy_engine.melds.shapes import Arrangement, Meld
from rummy_engine.profiles.layers import variants
from rummy_engine.record import Record
from rummy_engine.state import DEALER, NOBODY, RoundResult, State

__version__ = "0.1.0"

__all__ = [
    "ALL",
    "DEALER",
    "DONE",
    "DRAW",
    "NOBODY",
    "PASS",
    "STOP",
    "TAKE",
    "Action",
    "Arrangement",
    "Call",
    "Called",
    "Card",
    "CardSet",
    "Deal",
    "Dealt",
    "Discard",
    "Discarded",
    "Done",
    "Draw",
    "Drew",
    "Event",
    "Game",
    "IllegalActionError",
    "Knock",
    "Knocked",
    "LaidOff",
    "LayMeld",
    "LayOff",
    "Match",
    "MatchEnded",
    "MatchError",
    "Meld",
    "Melded",
    "NotationError",
    "Pass",
    "Passed",
    "Problem",
    "ProfileError",
    "Reason",
    "Record",
    "RecordError",
    "Refusal",
    "Renewed",
    "Reshuffle",
    "RoundEnded",
    "RoundResult",
    "RummyError",
    "Skipped",
    "Spread",
    "State",
    "Stop",
    "Swap",
    "Take",
    "Took",
    "View",
    "best_arrangement",
    "format_cards",
    "load",
    "melds",
    "parse_card",
    "parse_cards",
    "variants",
]
