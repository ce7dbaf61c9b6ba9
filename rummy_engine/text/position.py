"""Any situation from text, and back (docs/notation.md): positions for tests, puzzles and saved games.

Cards in a position are faces. Which twin is which matters only for `==` and for the ban on the card just taken: the
k-th mention of a face, over `hands`, `pile`, `stock` and `table` in this order, is its k-th copy, unless `copies` lists
other numbers for all its mentions (then also those in `known`, `taken` and `owed`, which follow).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Protocol

from rummy_engine.actions import format_meld
from rummy_engine.cards import BIT, COPIES, COPY_BITS, FACES, Card, CardSet, card_set, format_cards, format_faces
from rummy_engine.errors import NotationError
from rummy_engine.knowledge.twins import by_face, copies_of, first_copy, laid_by, owed_from, taken_from
from rummy_engine.melds.shapes import Meld, MeldShapes, meld_kind
from rummy_engine.state import DEALER, NOBODY, Rest, State
from rummy_engine.text.keywords import DECLARED, Keywords
from rummy_engine.text.notation import Words, Written, recognise, shortened

_CHANCE = ("deal", "reshuffle", "over")
_ANSWERING = ("spread", "respond", "call", "reshuffle")


class PositionRules(Protocol):
    """What a position asks of the rules for its number of seats."""

    @property
    def deck(self) -> tuple[Card, ...]:
        """The physical cards in pack order."""

    @property
    def shapes(self) -> MeldShapes:
        """What is a meld."""

    @property
    def phases(self) -> Iterable[str]:
        """The phases that this profile has."""

    def fits(self, table: tuple[Meld, ...], /) -> CardSet:
        """The cards off the table that some meld of it takes."""

    def limit_for(self, up_card: Card | None, /) -> int | None:
        """The knock limit (points) after this card was turned up; None: no limit, or no knocking."""

    @property
    def digs(self) -> bool:
        """Whether more than one card of the pile may be taken at once."""

    def owes(self, count: int, /) -> bool:
        """Whether the deepest of this many cards taken from the pile must be tabled."""

    def declare(self, cards: CardSet, /) -> str:
        """Whether a knock that keeps these cards is "gin" or "knock"."""


def make_position(
    rules_for: Callable[[int], PositionRules], players_min: int, players_max: int, keywords: Mapping[str, object]
) -> State:
    """The state that the keywords describe (see `keywords.KEYWORDS`), one seat for every entry of `hands`.

    Raises ProfileError for a number of seats the profile does not have, else NotationError; both name every mistake.
    """
    given = Keywords(keywords)
    hands = given.seats(players_min, players_max)
    players = len(hands)
    return _Builder(given, hands, rules_for(min(max(players, players_min), players_max))).build()


class _Builder:
    """One position being read: zones first, then whose turn it is, then what that seat did and knows."""

    def __init__(self, given: Keywords, hands: tuple[str, ...], rules: PositionRules) -> None:
        self.given, self.rules, self.players = given, rules, len(hands)
        self.deck = card_set(rules.deck)
        self.used: CardSet = 0
        self.copies = given.copies()
        self.mentions: dict[Card, int] = {}

        self.hands = tuple([card_set(self.lay("hands", given.faces("hands", text))) for text in hands])
        self.pile = self.lay("pile", given.faces("pile", given.text("pile")))
        self.stock = self.lay("stock", given.faces("stock", given.text("stock")))
        self.table = tuple([meld for text in given.texts("table") if (meld := self.meld(text)) is not None])

    def build(self) -> State:
        given, players = self.given, self.players
        phase = given.phase()
        if phase not in self.rules.phases:
            given.wrong("phase", phase, f"this profile has no phase {phase!r}")
        undealt = phase == "deal" and not (any(self.hands) or self.pile or self.table)
        if "stock" not in given and not undealt:
            self.stock = tuple([each for each in self.rules.deck if not self.used & BIT[each]])
        dealer = given.number("dealer", 0, 0, players - 1)
        seat, by = self.seats(phase, dealer)
        named = {each for meld in self.table for each in (*meld.by, meld.owner) if 0 <= each < players}
        tabled = tuple(sorted(set(given.numbers("tabled", tuple(named), 0, players - 1))))
        playing = phase == "play"
        now = playing and seat not in tabled
        hand = self.hands[seat]
        laid = laid_by(self.table, seat) if playing else 0

        known = self.known()
        taken = self.refer("taken", given.text("taken"), taken_from(hand, known[seat], laid, now), f"seat {seat}")
        if len(taken) > 1 and not self.rules.digs:
            given.wrong("taken", None, f"{len(taken)} cards cannot be taken at once in this variant: only the top one")
        if playing:
            known[seat] |= card_set(taken) & hand
        if "owed" in given:
            sources = owed_from(hand, known[seat], taken)
            owed = card_set(self.refer("owed", given.text("owed"), sources, f"the hand of seat {seat}"))
        else:
            owed = BIT[taken[0]] & hand if taken and self.rules.owes(len(taken)) else 0
        if not playing and (taken or owed):
            given.wrong("taken", None, "cards are taken (and owed) in the phase 'play' only")
        self.all_copies_used()
        own_melds = sum(meld.owner == seat for meld in self.table)
        melds_now = given.number("melds_now", own_melds if now else 0, 0, len(self.table))
        tabled_now = given.flag("tabled_now", melds_now > 0 or (now and laid != 0))
        if not playing and (melds_now or tabled_now):
            given.wrong("melds_now", None, "something was tabled this turn (tabled_now) in the phase 'play' only")
        if melds_now and not tabled_now:
            given.wrong("tabled_now", False, "a turn that has laid a new meld has tabled something")

        face_down = given.number("face_down", NOBODY, NOBODY, players - 1)
        if face_down != NOBODY and (not self.pile or phase not in ("deal", "over")):
            given.wrong("face_down", face_down, "a card lies face down only on the pile of a round that has ended")
        zeros = (0,) * players
        state = State(
            seat=DEALER if phase in _CHANCE else seat,
            phase=phase,
            hands=self.hands,
            stock=self.stock,
            pile=self.pile,
            known=tuple(known),
            taken=taken,
            turns=given.number("turns", 0),
            idle=given.number("idle", 0),
            rest=Rest(
                table=self.table,
                fits=0,
                owed=owed,
                melds_now=melds_now,
                tabled_now=tabled_now,
                tabled=tabled,
                stock_only=given.flag("stock_only"),
                stock_known=given.number("stock_known", 0, 0, len(self.stock)),
                renewals=given.number("renewals", 0),
                by=by,
                declared=given.one_of("declared", DECLARED, ""),
                knock_limit=given.number("knock_limit", 0) if "knock_limit" in given else None,
                face_down=face_down,
                dealer=dealer,
                scores=given.by_seat("scores", given.numbers("scores", zeros, None, None), players, 0),
                round=given.number("round", 1, 1),
                result=given.result(players),
            ),
        )
        given.raise_mistakes()
        if "knock_limit" not in given.given and not undealt:
            state = state.changed(knock_limit=self.rules.limit_for(self.pile[0] if self.pile else None))
        if "declared" not in given and phase in ("spread", "respond"):
            state = state.changed(declared=self.rules.declare(self.hands[by] | laid_by(self.table, by)))
        return state.changed(fits=self.rules.fits(self.table))

    # ----------------------------------------------------------------------------------------------------- cards

    def lay(self, keyword: str, faces: Iterable[Card]) -> tuple[Card, ...]:
        """The cards that lie in this zone: the next free copies, for no card is in two places."""
        return tuple([each for face in faces if (each := self.place(keyword, face)) is not None])

    def place(self, keyword: str, face: Card) -> Card | None:
        copies = COPY_BITS[face] & self.deck
        found = first_copy(self.choice(keyword, face), (copies & ~self.used,))
        if found is not None:
            self.used |= BIT[found]
        elif not copies:
            self.given.wrong(keyword, None, f"{face} is not in this deck")
        else:
            self.given.wrong(keyword, None, f"{face} is named too often: the deck has {copies.bit_count()}")
        return found

    def refer(self, keyword: str, text: str, sources: tuple[CardSet, ...], where: str) -> tuple[Card, ...]:
        """Cards that lie somewhere already: each a copy from the first of the sources that has one left."""
        found: list[Card] = []
        for face in self.given.faces(keyword, text):
            free = ~card_set(found)
            each = first_copy(self.choice(keyword, face), tuple([source & free for source in sources]))
            if each is None:
                self.given.wrong(keyword, text, f"{face} is not with {where}")
            else:
                found.append(each)
        return tuple(found)

    def choice(self, keyword: str, face: Card) -> CardSet:
        """The copies that this mention of a face may be."""
        at = self.mentions[face] = self.mentions.get(face, 0) + 1
        numbers = self.copies.get(face)
        if numbers is None:
            return COPY_BITS[face]
        return BIT[COPIES[face][numbers[at - 1] - 1]] if at <= len(numbers) else 0

    def all_copies_used(self) -> None:
        for face, numbers in self.copies.items():
            mentions = self.mentions.get(face, 0)
            if mentions != len(numbers):
                self.given.wrong("copies", None, f"{len(numbers)} numbers for {face}, which is named {mentions} times")

    def known(self) -> list[CardSet]:
        given, known = self.given, []
        for seat, text in enumerate(given.by_seat("known", given.texts("known"), self.players, "")):
            known.append(card_set(self.refer("known", text, (self.hands[seat],), f"the hand of seat {seat}")))
        return known

    def meld(self, text: str) -> Meld | None:
        """A meld on the table: "0: 4H 5H 6H + 1: 7H"."""
        given = self.given
        written: list[Written] = []
        seats: list[int] = []
        owner = None
        for part in text.split("+"):
            name, colon, rest = part.rpartition(":")
            seat = NOBODY
            if colon:
                name = name.strip()
                seat = int(name) if name.isascii() and name.isdigit() and len(name) < 3 else self.players
                if seat >= self.players:
                    given.wrong("table", text, f"expected a seat before ':', not {shortened(name)}")
            owner = seat if owner is None else owner
            words = Words(rest)
            while words.peek():
                try:
                    written.append(words.written())
                    seats.append(seat)
                except NotationError as error:
                    given.wrong("table", text, error.message)
                    words.next()
        cards = [self.place("table", each.card) for each in written]
        reading = recognise(self.rules.shapes, written)
        if reading is None:
            given.wrong("table", text, f"{shortened(text)} is no meld: {self.rules.shapes.in_words()}")
            return None
        order, faces = reading
        laid = tuple([each for i in order if (each := cards[i]) is not None])
        if len(laid) < len(faces):
            return None  # a card of it lies elsewhere, which has been noted
        return Meld(meld_kind(faces), faces, laid, tuple([seats[i] for i in order]), NOBODY if owner is None else owner)

    # ----------------------------------------------------------------------------------------------------- seats

    def seats(self, phase: str, dealer: int) -> tuple[int, int]:
        """The seat to act (before a reshuffle: the next one) and whose knock or discard is being answered."""
        given, players = self.given, self.players
        left = (dealer + 1) % players
        if phase in _CHANCE:
            seat = given.number("seat", DEALER, DEALER, players - 1)
            if seat != DEALER and phase != "reshuffle":
                given.wrong("seat", seat, f"nobody but the dealer acts in the phase {phase!r}")
            seat = left if seat == DEALER else seat
        else:
            seat = given.number("seat", left, 0, players - 1)
        by = given.number("by", NOBODY, NOBODY, players - 1)
        if phase not in _ANSWERING:
            if by != NOBODY and phase != "play":  # in play it says whose discard was called
                given.wrong("by", by, f"nothing is answered in the phase {phase!r}")
            return seat, by
        if by == NOBODY:
            by = (seat - 1) % players
            if phase == "spread":
                by = seat
            elif phase == "respond":
                by = self.table[0].owner if self.table else NOBODY
                if by == NOBODY:
                    given.wrong("by", None, "whose knock is answered? Meld 0 on the table does not say")
        if phase == "spread" and by != seat:
            given.wrong("by", by, f"in the phase 'spread' the knocker acts, which is not seat {seat}")
        if phase in ("respond", "call") and by == seat:
            given.wrong("by", by, f"seat {seat} cannot answer itself")
        return seat, by


# ---------------------------------------------------------------------------------------------------------- describe


def describe(state: State) -> dict[str, object]:
    """The keywords that give exactly this state back: text, numbers, lists and None only, so it is JSON as well."""
    hands = [by_face(hand) for hand in state.hands]
    parts = [_segments(meld) for meld in state.table]
    result: dict[str, object] = {
        "hands": [format_faces(hand) for hand in hands],
        "pile": format_faces(state.pile),
        "stock": format_faces(state.stock),
        "table": [_meld_text(meld, each) for meld, each in zip(state.table, parts, strict=True)],
        "seat": state.seat,
        "dealer": state.dealer,
        "phase": state.phase,
        "taken": format_faces(state.taken),
        "owed": format_cards(state.owed),
        "tabled": list(state.tabled),
        "renewals": state.renewals,
        "scores": list(state.scores),
        "round": state.round,
        "by": state.by,
        "known": [format_cards(known) for known in state.known],
        "turns": state.turns,
        "idle": state.idle,
        "stock_only": state.stock_only,
        "stock_known": state.stock_known,
        "melds_now": state.melds_now,
        "tabled_now": state.tabled_now,
        "declared": state.declared,
        "knock_limit": state.knock_limit,
        "face_down": state.face_down,
        "result": None,
    }
    if state.result is not None:
        fields = state.result._asdict()
        result["result"] = {name: list(each) if isinstance(each, tuple) else each for name, each in fields.items()}
    laid = [meld.cards[i] for meld, each in zip(state.table, parts, strict=True) for _, places in each for i in places]
    copies = copies_of(state, [*chain.from_iterable(hands), *state.pile, *state.stock, *laid])
    return {**result, "copies": copies} if copies else result


def _segments(meld: Meld) -> list[tuple[int, list[int]]]:
    """The cards of a meld (indices) by who laid them, the owner first, so that reading them gives the meld back."""
    parts: dict[int, list[int]] = {meld.owner: []}
    for i, seat in enumerate(meld.by):
        parts.setdefault(seat, []).append(i)
    twins = meld.kind == "set" and len(set(meld.faces)) < len(meld.faces)
    whole_suit = len(meld.faces) == 13  # its order alone tells where the ace is
    if not twins and not whole_suit:
        return list(parts.items())
    found = [(meld.owner, list[int]())]
    for i, seat in enumerate(meld.by):
        if seat != found[-1][0]:
            found.append((seat, []))
        found[-1][1].append(i)
    return found


def _meld_text(meld: Meld, parts: list[tuple[int, list[int]]]) -> str:
    texts = []
    for seat, places in parts:
        cards = format_meld(tuple([FACES[meld.cards[i]] for i in places]), tuple([meld.faces[i] for i in places]))
        texts.append(cards if seat == NOBODY else f"{seat}: {cards}".rstrip())
    return " + ".join(texts)
