"""Questions about a hand without a game in progress: its melds, and its best arrangement."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from rummy_engine.cards import CARDS, Card, CardSet, faces_in, parse_faces
from rummy_engine.errors import NotationError, RummyError
from rummy_engine.game import Game
from rummy_engine.hints import is_whole, presentable
from rummy_engine.melds.shapes import Arrangement, Meld, new_meld
from rummy_engine.rules import Rules
from rummy_engine.rules.table import pick
from rummy_engine.state import NOBODY

Hand: TypeAlias = CardSet | str | Iterable[Card]
"""Cards as a set (`State.hands`), as text ("8S TH"), or one by one (`View.hand`)."""


def melds(hand: Hand, game: Game) -> tuple[Meld, ...]:
    """Every meld in a hand (a set of cards, text or cards), each reading once: runs by suit, then sets by rank.

    >>> from rummy_engine import load
    >>> [str(meld) for meld in melds("4H 5H 6H 7H JC", load("basic"))]
    ['4H 5H 6H', '4H 5H 6H 7H', '5H 6H 7H']

    Raises NotationError for what is no cards, and for cards that no pack of the game holds; RummyError for no game.
    """
    rules, cards = _at_table(hand, game)
    found = []
    for action in rules.finder.melds(cards):
        left, laid = cards, []
        for face in action.cards:
            card = pick(left, face)
            left ^= 1 << card
            laid.append(card)
        found.append(new_meld(action.stands, laid, NOBODY))
    return tuple(found)


def best_arrangement(hand: Hand, game: Game, onto: Iterable[Meld] = ()) -> Arrangement:
    """The exact least that a hand can leave outside melds, in points of `scoring.values`, and how.

    `onto`: melds on the table that take lay-offs; chains of lay-offs count.

    >>> from rummy_engine import load
    >>> best = best_arrangement("JC 9D 8S 6D JS 8H TD 8D 7D JD", load("gin-knock"))
    >>> best.points, [str(meld) for meld in best.melds]
    (16, ['6D 7D 8D 9D TD', 'JS JD JC'])

    Raises what `melds` raises.
    """
    table = tuple(onto) if isinstance(onto, Iterable) else (onto,)
    if not all(isinstance(meld, Meld) for meld in table):
        raise RummyError("onto takes melds, as in State.table or from melds()")
    rules, cards = _at_table(hand, game)
    return rules.arranger.best(cards, table)


def _at_table(hand: Hand, game: Game) -> tuple[Rules, CardSet]:
    """The smallest table whose pack has the hand, and the hand: the very cards of a CardSet, if that pack has them."""
    if not isinstance(game, Game):
        raise RummyError(f"expected a game, as load() makes it, not {presentable(game)!r:.40}")
    faces = _faces(hand)
    rules, cards = game.rules_holding(faces)
    if isinstance(hand, int):
        for players in range(rules.players, game.profile.players.max + 1):
            if hand & ~game.rules(players).pack == 0:
                return game.rules(players), hand
    return rules, cards


def _faces(hand: Hand) -> tuple[Card, ...]:
    if isinstance(hand, str):
        return parse_faces(hand)
    if is_whole(hand) and not isinstance(hand, Card) and 0 <= hand < 1 << len(CARDS):
        return faces_in(hand)
    cards = tuple(hand) if isinstance(hand, Iterable) else (None,)
    if not all(isinstance(each, Card) for each in cards):
        raise NotationError(f"a hand is a set of cards, text or a list of cards, not {presentable(hand)!r:.40}")
    return tuple([each.face for each in cards if isinstance(each, Card)])
