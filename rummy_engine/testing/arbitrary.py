"""Arbitrary actions: mostly illegal, many of them near misses, to ask every judge about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

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
    End,
    Knock,
    LayMeld,
    LayOff,
    Reshuffle,
    Swap,
    Take,
    is_well_formed,
)
from rummy_engine.cards import CARDS, FACES, JOKER, Card, cards_in
from rummy_engine.game import Game
from rummy_engine.state import State

_ENDS: tuple[End | None, ...] = (None, None, "low", "high")


def arbitrary_actions(game: Game, state: State, rng: Random, count: int = 12) -> list[Action]:
    """Well-formed actions, legal or not, for this state; some of each kind, and changed legal ones."""
    makers: tuple[Callable[[_Maker], Action], ...] = (
        _Maker.plain, _Maker.count, _Maker.meld, _Maker.meld, _Maker.layoff, _Maker.layoff, _Maker.swap,
        _Maker.discard, _Maker.knock, _Maker.chance, _Maker.near_miss, _Maker.near_miss, _Maker.near_miss,
    )  # fmt: skip
    maker = _Maker(game, state, rng)
    made = (rng.choice(makers)(maker) for _ in range(count))
    return [action for action in made if is_well_formed(action)]


class _Maker:
    """Makes actions for one state."""

    def __init__(self, game: Game, state: State, rng: Random) -> None:
        self._game, self._state, self._rng = game, state, rng
        self._rules = game.rules(state.players)
        self._legal = game.legal(state)
        self._held = tuple(FACES[each] for each in cards_in(state.hands[state.seat] if state.seat >= 0 else 0))

    def plain(self) -> Action:
        return self._rng.choice((DRAW, TAKE, PASS, STOP, DONE, Knock(None)))

    def count(self) -> Action:
        kind: type[Take] | type[Call] = self._rng.choice((Take, Call))
        pile = len(self._state.pile)
        return kind(self._rng.choice((0, 1, 2, 3, pile, pile + 1, self._rng.randint(-3, 120))))

    def card(self) -> Card:
        """A face: one held, one of the pack, or any at all."""
        if self._held and self._rng.random() < 0.6:
            return self._rng.choice(self._held)
        return FACES[self._rng.choice(self._rules.deck)] if self._rng.random() < 0.8 else CARDS[self._rng.randrange(53)]

    def meld(self) -> Action:
        rng = self._rng
        if rng.random() < 0.6:  # a real meld, of cards that need not be in the hand
            cards = rng.sample(self._rules.deck, min(len(self._rules.deck), 14))
            hand = self._state.hands[self._state.seat] if self._state.seat >= 0 else 0
            melds = self._rules.finder.melds(hand | sum(1 << each for each in cards))
            if melds:
                return rng.choice(melds)
        cards = [self.card() for _ in range(rng.choice((0, 1, 2, 3, 3, 3, 4, 5, 14)))]
        stands = [self.card() if each == JOKER and rng.random() < 0.7 else each for each in cards]
        return LayMeld(tuple(cards), tuple(stands))

    def layoff(self) -> Action:
        rng, table = self._rng, self._state.table
        index = rng.randint(-1, len(table))
        card = self.card()
        if table and 0 <= index < len(table) and rng.random() < 0.7:
            places = self._rules.shapes.openings(table[index]).places
            if places:
                card = rng.choice(list(places))
                place = rng.choice(places[card])
                return LayOff(card, place.stands, index, rng.choice((place.end, *_ENDS)))
        return LayOff(card, self.card() if card == JOKER else card, index, rng.choice(_ENDS))

    def swap(self) -> Action:
        table = self._state.table
        index = self._rng.randint(-1, len(table))
        if 0 <= index < len(table) and (faces := self._rules.shapes.swaps(table[index])):
            return Swap(self._rng.choice(faces), index)
        return Swap(self.card(), index)

    def discard(self) -> Action:
        return Discard(self.card())

    def knock(self) -> Action:
        return Knock(self.card())

    def chance(self) -> Action:
        rng, faces = self._rng, list(self._rules.table.faces)
        rng.shuffle(faces)
        if rng.random() < 0.5:
            return Deal(tuple(faces[: rng.choice((0, len(faces) - 1, len(faces)))]))
        return Reshuffle(tuple(faces[: rng.choice((0, len(self._state.pile), len(self._state.stock)))]))

    def near_miss(self) -> Action:
        """A legal action with one thing changed."""
        if not self._legal:
            return self.plain()
        action = self._rng.choice(self._legal)
        match action:
            case LayMeld(cards, stands):
                return LayMeld(*self._changed(cards, stands))
            case LayOff():
                other = self._rng.randint(-1, len(self._state.table))
                changes: Sequence[LayOff] = (
                    replace(action, card=self.card()),
                    replace(action, stands=self.card()),
                    replace(action, meld=other),
                    replace(action, end=self._rng.choice(_ENDS)),
                )
                return self._rng.choice(changes)
            case Swap():
                return replace(action, meld=self._rng.randint(-1, len(self._state.table)))
            case Take(count) | Call(count):
                return replace(action, count=count + self._rng.choice((-1, 1)))
            case Discard(card):
                return Knock(card)
            case Knock(card):
                return Knock(None) if card is not None else Knock(self.card())
            case _:
                return self.plain()

    def _changed(self, cards: tuple[Card, ...], stands: tuple[Card, ...]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        i, j = self._rng.randrange(len(cards)), self._rng.randrange(len(cards))
        pairs = list(zip(cards, stands, strict=True))
        change = self._rng.randrange(4)
        if change == 0:
            del pairs[i]
        elif change == 1:
            pairs[i], pairs[j] = pairs[j], pairs[i]
        elif change == 2:
            pairs[i] = (JOKER, pairs[i][1])
        else:
            face = self.card()
            pairs[i] = (face, face)
        return tuple(card for card, _ in pairs), tuple(face for _, face in pairs)
