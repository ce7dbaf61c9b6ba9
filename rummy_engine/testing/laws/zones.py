"""Laws about where the cards are: none is lost or doubled, and an action moves what its text says and nothing else."""

from __future__ import annotations

from random import Random

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
from rummy_engine.cards import CARDS, FACES, JOKER, Card, CardSet, card_set, cards_in, faces_in
from rummy_engine.game import Game
from rummy_engine.melds.shapes import Meld, MeldShapes
from rummy_engine.state import DEALER, State
from rummy_engine.testing.laws.base import require, state_law, step_law
from rummy_engine.testing.moving import cards_of, shown_faces


@state_law("rules E1, C3")
def no_card_twice(game: Game, state: State, rng: Random) -> None:
    """No card is in two places, all are of the pack, and what is known, taken or owed is where it is said to be."""
    pack = game.rules(state.players).pack
    laid = [each for meld in state.table for each in meld.cards]
    zones = [*state.hands, *(card_set(zone) for zone in (state.stock, state.pile, laid))]
    used = 0
    for zone in zones:
        require(not used & zone, f"{_text(used & zone)} is in two places")
        used |= zone
    counted = sum(hand.bit_count() for hand in state.hands) + len(state.stock) + len(state.pile) + len(laid)
    require(counted == used.bit_count(), "a zone holds a card twice")
    require(not used & ~pack, f"{_text(used & ~pack)} is not in the pack")
    for seat, known in enumerate(state.known):
        require(not known & ~state.hands[seat], f"seat {seat} is known to hold {_text(known & ~state.hands[seat])}")
    hand = 0 if state.seat == DEALER else state.hands[state.seat]
    require(not state.owed & ~hand, f"{_text(state.owed & ~hand)} is owed by a seat that does not hold it")
    require(not card_set(state.taken) & ~(hand | card_set(laid)), "a card was taken that is neither held nor tabled")
    require(0 <= state.stock_known <= len(state.stock), "more draws are known than there are cards in the stock")


@state_law("rules E1, C2, R5-R9", "dear")
def table_is_melds(game: Game, state: State, rng: Random) -> None:
    """Every meld on the table is one, and `fits` names exactly the cards off the table that some meld would take."""
    rules = game.rules(state.players)
    shapes = rules.shapes
    takes = 0
    for meld in state.table:
        require(len(meld.faces) == len(meld.cards) == len(meld.by), f"{meld} is out of step with itself")
        require(shapes.is_meld(shown_faces(meld.cards), meld.faces), f"{meld} is no meld")
        for face in {FACES[each] for each in cards_in(rules.pack)}:
            if _grows(game, state, meld, face):
                takes |= card_set(each for each in cards_in(rules.pack) if FACES[each] == face)
    laid = card_set(each for meld in state.table for each in meld.cards)
    expected = takes & ~laid
    require(state.fits == expected, f"fits is {_text(state.fits)}, the table takes {_text(expected)}")


def _grows(game: Game, state: State, meld: Meld, face: int) -> bool:
    """Whether the meld with one more card is a meld, by trying every place for it."""
    shapes = game.rules(state.players).shapes
    cards, card = shown_faces(meld.cards), CARDS[face]
    if meld.kind == "set":
        pairs = sorted([*zip(meld.faces, cards, strict=True), (card, card)])
        return shapes.is_meld(tuple(c for _, c in pairs), tuple(s for s, _ in pairs))
    suit = meld.faces[0] // 13
    stands = [CARDS[suit * 13 + rank] for rank in range(13)] if card == JOKER else [card]
    return any(
        shapes.is_meld((card, *cards), (each, *meld.faces)) or shapes.is_meld((*cards, card), (*meld.faces, each))
        for each in stands
    ) or _closes_circle(shapes, meld, card)


def _closes_circle(shapes: MeldShapes, meld: Meld, card: Card) -> bool:
    """Whether the card makes a run around the corner the whole suit, which is written from its first rank."""
    suit, ranks = meld.faces[0] // 13, shapes.spec.ranks
    missing = set(ranks) - {face % 13 for face in meld.faces}
    if len(missing) != 1 or len(meld.faces) != len(ranks) - 1:
        return False
    played = {face: FACES[each] for face, each in zip(meld.faces, meld.cards, strict=True)}
    face = CARDS[suit * 13 + missing.pop()]
    if card not in (face, JOKER):
        return False
    played[face] = card
    stands = tuple(CARDS[suit * 13 + rank] for rank in ranks)
    return shapes.spec.ace == "around" and shapes.is_meld(tuple(played[each] for each in stands), stands)


@step_law("rules E1")
def nothing_lost(game: Game, before: State, action: Action, after: State, rng: Random) -> None:
    """An action neither loses nor makes a card; a deal takes up the whole pack."""
    expected = game.rules(before.players).pack if isinstance(action, Deal) else cards_of(before)
    found = cards_of(after)
    require(found == expected, f"lost: {_text(expected & ~found)}; new: {_text(found & ~expected)}")


@step_law("rules E1, C1")
def hands_grow_by_drawing(game: Game, before: State, action: Action, after: State, rng: Random) -> None:
    """A hand grows only by a draw, a take or a call of its own seat, and only by what was taken."""
    if isinstance(action, Deal):
        return
    most = action.count if isinstance(action, (Take, Call)) else int(isinstance(action, Draw))
    for seat in range(before.players):
        grown = after.hands[seat].bit_count() - before.hands[seat].bit_count()
        allowed = most if seat == before.seat else 0
        require(grown <= allowed, f"the hand of seat {seat} grew by {grown} cards with {action!s:.40}")


@step_law("rules E1, C3, C8, C10, R4, R16")
def moves_what_it_says(game: Game, before: State, action: Action, after: State, rng: Random) -> None:
    """An action moves the cards that its text names to where it says; the rest stays, and melds only grow."""
    if isinstance(action, Deal):
        _dealt(before, action, after)
        return
    _table_grows(before, action, after)
    seat = before.seat
    for other in range(before.players):
        answered = isinstance(action, (Knock, Done))  # the dials "best" lay down for the others too
        if other != seat and not answered:
            require(after.hands[other] == before.hands[other], f"the hand of seat {other} changed")
    if after.renewals != before.renewals:
        _renewed(before, action, after)
        return
    lost, gained = before.hands[seat] & ~after.hands[seat], after.hands[seat] & ~before.hands[seat]
    if isinstance(action, Draw):
        drawn = before.stock[: len(before.stock) - len(after.stock)]
        require(len(drawn) <= 1 and after.stock == before.stock[len(drawn) :], "the stock did not lose its first card")
        require(gained == card_set(drawn) and not lost, "the card drawn did not come to the hand")
        require(after.pile == before.pile, "the pile changed")
        return
    require(after.stock == before.stock, "the stock changed")
    if isinstance(action, (Take, Call)):
        require(after.pile == before.pile[: -action.count], "the pile did not lose its top cards")
        require(gained == card_set(before.pile[-action.count :]) and not lost, "the cards taken are not in the hand")
        return
    laid = _laid(action)
    if isinstance(action, Swap):
        require(faces_in(gained) == (JOKER,), "the joker did not come to the hand")
    elif not isinstance(action, (Knock, Done)):
        require(not gained, f"the hand gained {_text(gained)}")
    if isinstance(action, Discard) or (isinstance(action, Knock) and action.card is not None):
        card = action.card
        require(
            len(after.pile) == len(before.pile) + 1 and FACES[after.pile[-1]] == card and lost >> after.pile[-1] & 1,
            f"{card} did not go from the hand to the top of the pile",
        )
        require(after.pile[:-1] == before.pile, "the pile changed below its top")
    else:
        require(after.pile == before.pile, "the pile changed")
    if not isinstance(action, (Knock, Done)):
        require(sorted(faces_in(lost)) == sorted(laid), f"the hand lost {_text(lost)}")


def _laid(action: Action) -> tuple[int, ...]:
    match action:
        case LayMeld(cards, _):
            return cards
        case LayOff(card, _, _, _) | Swap(card, _) | Discard(card):
            return (card,)
        case Pass() | Stop() | Done() | Knock() | _:
            return ()


def _dealt(before: State, action: Deal, after: State) -> None:
    players, faces = before.players, action.cards
    size = after.hands[0].bit_count()
    first = (before.dealer + 1) % players
    for i in range(players):
        expected = tuple(sorted(faces[i : players * size : players]))
        seat = (first + i) % players
        require(faces_in(after.hands[seat]) == expected, f"seat {seat} got other cards")
    require(shown_faces(after.pile) == faces[players * size : players * size + 1], "another card was turned up")
    require(shown_faces(after.stock) == faces[players * size + 1 :], "the stock lies in another order")
    require(after.seat == first and not after.table and after.turns == 0, "the round does not begin afresh")


def _renewed(before: State, action: Action, after: State) -> None:
    require(after.renewals == before.renewals + 1, "the stock was renewed more than once at a time")
    pile = before.pile
    if isinstance(action, (Discard, Knock)) and action.card is not None:
        thrown = [each for each in cards_in(before.hands[before.seat] & ~after.hands[before.seat]) if each not in pile]
        thrown = [each for each in thrown if FACES[each] == action.card and each in (*after.stock, *after.pile)]
        pile = (*pile, *thrown[-1:])
    kept = len(after.pile)
    require(after.pile == pile[len(pile) - kept :], "the new pile is not the top of the old one")
    rest = pile[: len(pile) - kept]
    if isinstance(action, Reshuffle):
        require(shown_faces(after.stock) == action.cards, "the new stock lies in another order")
        require(card_set(after.stock) == card_set((*rest, *before.stock)), "the new stock has other cards")
        require(after.stock_known == 0, "draws of a shuffled stock are known")
    else:
        require(after.stock == (*rest, *before.stock), "the pile was not turned over as it lay")
        require(after.stock_known == len(rest), "the order of a pile that was turned over is known")


def _table_grows(before: State, action: Action, after: State) -> None:
    require(len(after.table) >= len(before.table), "a meld is gone")
    for index, (old, new) in enumerate(zip(before.table, after.table, strict=False)):
        was = set(zip(old.faces, old.cards, old.by, strict=True))
        gone = was - set(zip(new.faces, new.cards, new.by, strict=True))
        swapped = isinstance(action, Swap) and action.meld == index
        require(len(gone) == swapped, f"meld {index} ({old}) lost or changed a card: it is {new}")
        require(old.owner == new.owner and old.kind == new.kind, f"meld {index} has changed its owner or kind")
        grown = len(new.cards) - len(old.cards)
        adding = isinstance(action, (Knock, Done)) or (isinstance(action, LayOff) and action.meld == index)
        require(grown == 0 or adding, f"meld {index} has grown with {action}")
    if isinstance(action, LayMeld):
        last = after.table[-1]
        require(
            len(after.table) == len(before.table) + 1
            and (shown_faces(last.cards), last.faces) == (action.cards, action.stands)
            and set(last.by) == {before.seat} == {last.owner},
            f"{action} laid {last}",
        )
    if isinstance(action, LayOff):
        new = after.table[action.meld]
        added = [i for i, each in enumerate(new.cards) if each not in before.table[action.meld].cards]
        told = [(FACES[new.cards[i]], new.faces[i], new.by[i]) for i in added]
        stands = JOKER if new.kind == "set" and action.card == JOKER else action.stands
        require(told == [(action.card, stands, before.seat)], f"{action} added {told}")
        if action.end:
            require(added == [0 if action.end == "low" else len(new.cards) - 1], f"{action} went to the other end")


def _text(cards: CardSet) -> str:
    return " ".join(map(str, faces_in(cards))) or "nothing"
