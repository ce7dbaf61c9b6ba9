"""Hints: what a bot would do, what the hand is worth, and what a card fits, from what the seat may know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rummy_engine.actions import Action
from rummy_engine.cards import COPY_BITS, FACES, Card
from rummy_engine.game import Game
from rummy_engine.knowledge.view import View
from rummy_engine.terminal.layout import flow
from rummy_engine.terminal.moves import Menu
from rummy_engine.terminal.screen import MOST_ARRANGED, arranged, held

MOST_MELDS = 8
"""The melds that are listed for one card."""


def hint(game: Game, view: View, move: Action, adviser: str, width: int) -> Iterator[str]:
    """What the adviser, a bot, would do here, and which cards not seen yet the hand could use."""
    yield from flow("hint", [f"{move} (move {Menu(view).number(move)}), says the {adviser} bot"], width)
    if view.phase in ("offer", "draw", "play") and 0 < len(view.hand) < MOST_ARRANGED:
        yield from flow("wanted", _wanted(game, view) or ["no card not seen yet makes a meld"], width)


def _wanted(game: Game, view: View) -> list[str]:
    """The cards not seen yet that would leave fewer points outside melds than there are now."""
    rules = game.rules(view.players)
    hand = held(view.hand)
    now = rules.arranger.deadwood(hand)
    zones = view.hand, view.pile, *view.known, *(meld.cards for meld in view.table)
    seen = Counter(face for zone in zones for face in zone if face is not None)
    unseen = Counter(FACES[card] for card in rules.deck) - seen
    return [str(face) for face in sorted(unseen) if rules.arranger.deadwood(held((*view.hand, face))) < now]


def fits(game: Game, view: View, card: Card, width: int) -> Iterator[str]:
    """Where a card could go: on the table, and with the cards of the hand."""
    rules = game.rules(view.players)
    if not COPY_BITS[card] & rules.pack:
        yield f"There is no {card} in this game."
        return
    on_table = []
    for index, meld in enumerate(view.table):
        for place in rules.shapes.openings(meld).places.get(card, ()):
            stands = f" as {place.stands}" if card.is_joker and meld.kind == "run" else ""
            end = f" at the {place.side} end" if place.side else ""
            on_table.append(f"@{index}{end}{stands}")
    yield from flow("table", on_table or [f"{card} fits no meld there"], width)

    is_new = card not in view.hand
    with_it = held((*view.hand, card) if is_new else view.hand)
    if with_it.bit_count() > MOST_ARRANGED:
        yield from flow("hand", ["too many cards to try"], width)
        return
    found = [meld for meld in rules.finder.melds(with_it) if card in meld.cards]
    found.sort(key=lambda meld: (sum(each.is_joker for each in meld.cards), len(meld.cards)))
    cells = [f"[{str(meld).partition(' ')[2]}]" for meld in found[:MOST_MELDS]]
    if len(found) > MOST_MELDS:
        cells.append(f"… {len(found) - MOST_MELDS} more")
    yield from flow("hand", cells or [f"{card} makes no meld with it"], width)
    if is_new:
        before, after = arranged(game, view.players, held(view.hand)), arranged(game, view.players, with_it)
        yield from flow("", [f"loose now {before.points}, with {card} {after.points}"], width)
