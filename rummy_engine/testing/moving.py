"""States that a law compares with a given one: hidden cards or twins exchanged, suits renamed, seats moved round.

Who may see what is worked out here a second time, from the rules and not from `view.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random
from typing import TypeVar

from rummy_engine.actions import Action, Deal, Discard, Knock, LayMeld, LayOff, Reshuffle, Swap
from rummy_engine.cards import CARDS, COPIES, FACES, JOKER, PACK, Card, CardSet, card_set, cards_in
from rummy_engine.melds.shapes import Meld
from rummy_engine.state import NOBODY, State

_T = TypeVar("_T")

Mapped = Callable[[Card], Card]
"""What each physical card is exchanged for."""


def cards_of(state: State) -> CardSet:
    """Every card that lies anywhere."""
    found = card_set((*state.stock, *state.pile))
    for hand in state.hands:
        found |= hand
    for meld in state.table:
        found |= meld.card_set
    return found


def moved(state: State, to: Mapped) -> State:
    """The state with every physical card exchanged for another one; what cards on the table stand for is kept."""

    def each_of(cards: CardSet) -> CardSet:
        return card_set(to(card) for card in cards_in(cards))

    return state.changed(
        hands=tuple(map(each_of, state.hands)),
        known=tuple(map(each_of, state.known)),
        stock=tuple(map(to, state.stock)),
        pile=tuple(map(to, state.pile)),
        taken=tuple(map(to, state.taken)),
        table=tuple(meld._replace(cards=tuple(map(to, meld.cards))) for meld in state.table),
        fits=each_of(state.fits),
        owed=each_of(state.owed),
    )


# ------------------------------------------------------------------------------------------------------ hidden cards


def shuffled(state: State, cards: CardSet, rng: Random) -> State:
    """The state with these cards, none of which is on the table, exchanged at random among each other."""
    old = list(cards_in(cards))
    mapping = dict(zip(old, rng.sample(old, len(old)), strict=True))
    return moved(state, lambda card: mapping.get(card, card)).changed(fits=state.fits)


def hidden_from(state: State, viewer: int | None) -> CardSet:
    """The cards lying where this seat (None: a spectator) cannot see them.

    Hidden are the stock, save draws that everybody knows; the other hands, save cards seen to be taken, the knocker's
    hand while the others answer, and all of them after the round; and a last discard that lies face down.
    """
    hidden = card_set(state.stock[state.stock_known :])
    if state.phase not in ("deal", "over"):
        shown = card_set(state.taken) | state.owed
        for seat, hand in enumerate(state.hands):
            if seat != viewer and not (state.phase == "respond" and seat == state.by):
                hidden |= hand & ~(state.known[seat] | shown)
    if state.face_down not in (NOBODY, viewer):
        hidden |= card_set(state.pile[-1:])
    return hidden


def hidden_deal(state: State, action: Deal, viewer: int | None, hand_size: int, rng: Random) -> Deal:
    """Another deal that looks the same to a viewer: only its own hand and the up-card stay."""
    players, dealt = state.players, state.players * hand_size
    first = (state.dealer + 1) % players
    hidden = [i for i in range(len(action.cards)) if i != dealt and (i > dealt or (first + i) % players != viewer)]
    cards = list(action.cards)
    for i, j in zip(hidden, rng.sample(hidden, len(hidden)), strict=True):
        cards[i] = action.cards[j]
    return Deal(tuple(cards))


# ------------------------------------------------------------------------------------------------------------- twins


def swap_twins(pack: CardSet, rng: Random) -> Mapped:
    """A random exchange of the copies of each face, which nobody can tell apart."""
    target: dict[Card, Card] = {}
    for copies in COPIES:
        here = [each for each in copies if pack >> each & 1]
        target.update(zip(here, rng.sample(here, len(here)), strict=True))
    return target.__getitem__


def reorder_table(state: State, order: tuple[int, ...]) -> State:
    """The state whose meld number i is meld `order[i]`."""
    return state.changed(table=tuple(state.table[i] for i in order))


def reindexed(action: Action, order: tuple[int, ...]) -> Action:
    """The same action after `reorder_table`."""
    if isinstance(action, (LayOff, Swap)) and 0 <= action.meld < len(order):
        return replace(action, meld=order.index(action.meld))
    return action


# ------------------------------------------------------------------------------------------------------------- suits


def renaming(suits: Iterable[int], rng: Random) -> Mapped:
    """Other names for these suits; ranks, jokers and packs stay."""
    old = sorted(suits)
    names = dict(zip(old, rng.sample(old, len(old)), strict=True))

    def to(card: Card) -> Card:
        if card.is_joker:
            return card
        pack, face = divmod(card, PACK)
        return CARDS[pack * PACK + names.get(face // 13, face // 13) * 13 + face % 13]

    return to


def renamed_state(state: State, to: Mapped) -> State:
    """The state with its suits renamed, the cards of sets sorted by their new names."""
    other = moved(state, to)
    return other.changed(table=tuple(_sorted_meld(_renamed_faces(meld, to)) for meld in other.table))


def _renamed_faces(meld: Meld, to: Mapped) -> Meld:
    return meld._replace(faces=tuple(map(to, meld.faces)))


def _sorted_meld(meld: Meld) -> Meld:
    if meld.kind == "run":
        return meld
    laid = sorted(zip(meld.faces, meld.cards, meld.by, strict=True))
    faces, cards, by = zip(*laid, strict=True)
    return meld._replace(faces=faces, cards=cards, by=by)


def with_sorted_sets(state: State) -> State:
    """The state with twins in sets in the order of their copies."""
    return state.changed(table=tuple(map(_sorted_meld, state.table)))


def renamed_action(action: Action, to: Mapped) -> Action:
    """The action with its suits renamed."""
    if isinstance(action, (Deal, Reshuffle)):
        return replace(action, cards=tuple(map(to, action.cards)))
    if isinstance(action, LayMeld):
        pairs = [(to(stands), to(card)) for card, stands in zip(action.cards, action.stands, strict=True)]
        if action.stands[-1] == JOKER or action.stands[0] % 13 == action.stands[1] % 13:
            pairs.sort()
        return LayMeld(tuple(card for _, card in pairs), tuple(stands for stands, _ in pairs))
    if isinstance(action, LayOff):
        return replace(action, card=to(action.card), stands=to(action.stands))
    if isinstance(action, (Discard, Swap)):
        return replace(action, card=to(action.card))
    if isinstance(action, Knock) and action.card is not None:
        return Knock(to(action.card))
    return action


# ------------------------------------------------------------------------------------------------------------- seats


def rotated(state: State, by: int) -> State:
    """The state with every seat moved `by` places to the left."""
    players = state.players

    def to(seat: int) -> int:
        return (seat + by) % players if seat >= 0 else seat

    def turned(values: tuple[_T, ...]) -> tuple[_T, ...]:
        return tuple(values[(seat - by) % players] for seat in range(players))

    result = state.result
    if result is not None:
        result = result._replace(
            winner=None if result.winner is None else to(result.winner),
            points=turned(result.points),
            left=turned(result.left),
            tabled=turned(result.tabled),
            bonus=turned(result.bonus),
            standing=turned(result.standing),
            dealer=to(result.dealer),
        )
    table = tuple(meld._replace(by=tuple(map(to, meld.by)), owner=to(meld.owner)) for meld in state.table)
    return state.changed(
        hands=turned(state.hands),
        known=turned(state.known),
        scores=turned(state.scores),
        seat=to(state.seat),
        dealer=to(state.dealer),
        by=to(state.by),
        face_down=to(state.face_down),
        tabled=tuple(sorted(map(to, state.tabled))),
        table=table,
        result=result,
    )


def shown_faces(cards: Iterable[int]) -> tuple[Card, ...]:
    """The faces of physical cards, in their order."""
    return tuple(FACES[each] for each in cards)
