"""Questions about a hand without a game in progress: its melds, and its best arrangement."""

from __future__ import annotations

from collections.abc import Iterable

from rummy_engine.cards import CARDS, Card, CardSet, faces_in, parse_faces
from rummy_engine.errors import NotationError, RummyError
from rummy_engine.game import Game
from rummy_engine.hints import is_whole, presentable
from rummy_engine.melds import Arrangement, Meld, new_meld
from rummy_engine.rules import Rules
from rummy_engine.rules.table import pick
from rummy_engine.state import NOBODY


def melds(hand: CardSet | str, game: Game) -> tuple[Meld, ...]:
    """Every meld in a hand (a CardSet or text), each reading once: runs by suit, then sets by rank.

    >>> from rummy_engine import load
    >>> [str(meld) for meld in melds("4H 5H 6H 7H JC", load("basic"))]
    ['4H 5H 6H', '4H 5H 6H 7H', '5H 6H 7H']

    Raises NotationError for text that is no cards, and for cards that no pack of the game holds.
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


def best_arrangement(hand: CardSet | str, game: Game, onto: Iterable[Meld] = ()) -> Arrangement:
    """The exact least that a hand can leave outside melds, in points of `scoring.values`, and how.

    `onto`: melds on the table that take lay-offs; chains of lay-offs count.

    >>> from rummy_engine import load
    >>> best = best_arrangement("JC 9D 8S 6D JS 8H TD 8D 7D JD", load("gin-knock"))
    >>> best.points, [str(meld) for meld in best.melds]
    (16, ['6D 7D 8D 9D TD', 'JS JD JC'])

    Raises NotationError as `melds` does.
    """
    table = tuple(onto)
    if not all(isinstance(meld, Meld) for meld in table):
        raise RummyError("onto takes melds, as in State.table or from melds()")
    rules, cards = _at_table(hand, game)
    return rules.arranger.best(cards, table)


def _at_table(hand: CardSet | str, game: Game) -> tuple[Rules, CardSet]:
    """The smallest table whose pack has the hand, and the hand: the very cards of a CardSet, if that pack has them."""
    faces = _faces(hand)
    rules, cards = game.rules_holding(faces)
    if is_whole(hand):
        for players in range(rules.players, game.profile.players.max + 1):
            if hand & ~game.rules(players).pack == 0:
                return game.rules(players), hand
    return rules, cards


def _faces(hand: CardSet | str) -> tuple[Card, ...]:
    if isinstance(hand, str):
        return parse_faces(hand)
    if not is_whole(hand) or not 0 <= hand < 1 << len(CARDS):
        raise NotationError(f"a hand is a set of cards or text, not {presentable(hand)!r:.40}")
    return faces_in(hand)
