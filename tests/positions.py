"""What the tests of positions stand on: rules that know only their deck and its melds, and states of every kind."""

from __future__ import annotations

import random
from dataclasses import dataclass

from rummy_engine.cards import CARDS, FACES, PACK, Card, CardSet, card_set, cards_in
from rummy_engine.melds.finder import MeldFinder
from rummy_engine.melds.shapes import Meld, MeldShapes, MeldSpec, meld_kind
from rummy_engine.rules import Rules
from rummy_engine.state import DEALER, NOBODY, PHASES, Rest, RoundResult, State
from rummy_engine.text.keywords import KINDS


@dataclass
class Stub:
    """Rules enough for a position: the real ones are compiled from a profile."""

    spec: MeldSpec
    phases: tuple[str, ...] = PHASES
    limit: int | None = None
    top_obliges: bool = False
    digs: bool = True

    def __post_init__(self) -> None:
        self.shapes = MeldShapes(self.spec)
        jokers = self.spec.jokers // self.spec.packs
        self.deck = tuple(
            CARDS[pack * PACK + i] for pack in range(self.spec.packs) for i in [*range(52), 52, 53][: 52 + jokers]
        )

    def fits(self, table: tuple[Meld, ...], /) -> CardSet:
        takes = laid = 0
        for meld in table:
            takes |= self.shapes.openings(meld).takes
            laid |= meld.card_set
        return takes & card_set(self.deck) & ~laid

    def limit_for(self, up_card: Card | None, /) -> int | None:
        return None if self.limit is None or up_card is None else self.limit + up_card.rank

    def owes(self, count: int, /) -> bool:
        return count > 1 or self.top_obliges

    def declare(self, cards: CardSet, /) -> str:
        return "gin" if cards.bit_count() == 3 else "knock"


BASIC = Stub(MeldSpec(ace="both"))
JOKERS = Stub(MeldSpec(jokers=2, ace="both"))
TWO_PACKS = Stub(MeldSpec(packs=2, jokers=4, ace="both"))
ANY_SUITS = Stub(MeldSpec(packs=2, jokers=2, ace="around", set_max=6, distinct=False))


def any_state(rules: Stub | Rules, seed: int, players: int | None = None) -> State:
    """A state that keeps the invariants, reachable or not: melds of mixed owners, twins anywhere, every counter."""
    rng = random.Random(seed)
    deck, players = list(rules.deck), players or rng.randint(2, 8)
    rng.shuffle(deck)
    seats = [NOBODY, *range(players)]
    table: list[Meld] = []
    finder = MeldFinder(rules.shapes)
    for _ in range(rng.choice((0, 2, 5))):
        found = finder.melds(card_set(rng.sample(deck, min(len(deck), 25))) | card_set(deck[:13]))
        if found:
            action = max(rng.sample(found, min(3, len(found))), key=lambda each: len(each.cards))
            cards = []
            for face in action.cards:
                cards.append(rng.choice([each for each in deck if FACES[each] == face]))
                deck.remove(cards[-1])
            by = tuple(rng.choice(seats) for _ in cards)
            table.append(Meld(meld_kind(action.stands), action.stands, tuple(cards), by, rng.choice(seats)))
    cut = sorted(rng.randint(0, len(deck)) for _ in range(players + 2))
    zones = [deck[a:b] for a, b in zip([0, *cut], cut, strict=False)]
    hands = tuple(card_set(zone) for zone in zones[:players])
    known = [card_set(each for each in cards_in(hand) if rng.random() < 0.4) for hand in hands]
    phase, seat = rng.choice([each for each in PHASES if each in rules.phases]), rng.randrange(players)
    tabled = tuple(sorted(rng.sample(range(players), rng.randint(0, players))))
    taken: list[Card] = []
    owed = 0
    if phase == "play":
        mine = [*cards_in(hands[seat]), *(c for m in table for c, by in zip(m.cards, m.by, strict=True) if by == seat)]
        taken = rng.sample(mine, rng.randint(0, min(6, len(mine))))
        known[seat] |= card_set(taken) & hands[seat]
        owed = card_set(each for each in cards_in(hands[seat]) if rng.random() < 0.1)
    answered = {"spread": seat, "respond": (seat + 1) % players, "call": (seat - 1) % players, "reshuffle": seat}
    if rng.random() < 0.3:
        answered["play"] = (seat + 1) % players
    melds_now = rng.randint(0, len(table)) if phase == "play" and rng.random() < 0.5 else 0
    won = rng.choice((None, *range(players)))
    standing = tuple(rng.choice(("win", "draw", "loss")) for _ in range(players))
    numbers = tuple(rng.randint(-50, 50) for _ in range(players))
    result = RoundResult(
        *(rng.choice(KINDS), won, numbers, numbers, numbers, numbers, rng.random() < 0.5),
        *(standing, 5, 1, rng.randrange(players), 2),
    )
    return State(
        seat=DEALER if phase in ("deal", "reshuffle", "over") else seat,
        phase=phase,
        hands=hands,
        stock=tuple(zones[players + 1]),
        pile=tuple(zones[players]),
        known=tuple(known),
        taken=tuple(taken),
        turns=rng.randint(0, 9),
        idle=rng.randint(0, 9),
        rest=Rest(
            table=tuple(table),
            fits=rules.fits(tuple(table)),
            owed=owed,
            melds_now=melds_now,
            tabled_now=melds_now > 0 or (phase == "play" and rng.random() < 0.5),
            tabled=tabled,
            stock_only=rng.random() < 0.5,
            stock_known=rng.randint(0, len(zones[players + 1])),
            renewals=rng.randint(0, 3),
            by=answered.get(phase, NOBODY),
            declared=rng.choice(("", "knock", "gin", "big_gin")),
            knock_limit=rng.choice((None, 0, 10)),
            face_down=rng.choice(seats) if zones[players] and phase in ("deal", "over") else NOBODY,
            dealer=rng.randrange(players),
            scores=numbers,
            round=rng.randint(1, 9),
            result=rng.choice((None, result)),
        ),
    )
