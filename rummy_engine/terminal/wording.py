"""What happened, in sentences: the events that one seat saw, told to the person who sits there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from rummy_engine.actions import format_meld
from rummy_engine.cards import Card, format_faces
from rummy_engine.knowledge.events import (
    Called,
    Cards,
    Dealt,
    Discarded,
    Drew,
    Event,
    Knocked,
    LaidOff,
    Melded,
    Passed,
    Renewed,
    Skipped,
    Spread,
    Took,
)
from rummy_engine.melds.shapes import Meld
from rummy_engine.state import RoundResult


class Seats(NamedTuple):
    """Who sits where: the person at seat `me`, and per seat the name of its bot (the person's own is not used)."""

    me: int
    bots: tuple[str, ...]

    def name(self, seat: int) -> str:
        """What a seat is called: "You" or "Bot 1", by its number."""
        return "You" if seat == self.me else f"Bot {seat}"

    def within(self, seat: int) -> str:
        """The same in the middle of a sentence."""
        return "you" if seat == self.me else f"Bot {seat}"

    def title(self, seat: int) -> str:
        """The name with how well the bot plays."""
        return self.name(seat) if seat == self.me else f"{self.name(seat)} ({self.bots[seat]})"


def listed(words: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def counted(number: int, word: str) -> str:
    """ "1 card", "2 cards"."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def narrate(events: Iterable[Event], seats: Seats) -> Iterator[str]:
    """The events as sentences: what a seat did in a row is one sentence. How a round or match ended is not told here.

    >>> list(narrate([Drew(1, None), Discarded(1, None, face_down=True)], Seats(0, ("easy", "easy"))))
    ['Bot 1 drew from the stock and laid the last card face down on the pile.']
    """
    for seat, group in groupby(events, key=lambda event: getattr(event, "seat", None)):
        if seat is None:
            for event in group:
                yield from _sentence(event, seats)
            continue
        clauses: list[str] = []
        told: list[Event] = []
        for event in group:
            clauses += _clause(event, told)
            told.append(event)
        yield f"{seats.name(seat)} {listed(clauses)}."


def _clause(event: Event, told: Sequence[Event]) -> Iterator[str]:
    """What a seat did; `told`: what the sentence has told before."""
    match event:
        case Drew(card=card):
            yield "drew from the stock" if card is None else f"drew {card}"
        case Took(cards=cards):
            yield f"took {format_faces(cards)}" + (" from the pile" if len(cards) > 1 else "")
        case Passed(what=what):
            yield {"offer": "passed", "call": "did not call rummy"}.get(what, "left the pile, which ends the round")
        case Melded(cards=cards, stands=stands, meld=meld):
            yield f"melded {format_meld(cards, stands)} (@{meld})"
        case LaidOff(card=card, meld=meld, swap=True):
            yield f"swapped {card} for the joker of @{meld}"
        case LaidOff(card=card, stands=stands, meld=meld):
            again = bool(told) and isinstance(told[-1], LaidOff) and not told[-1].swap
            yield f"{'' if again else 'laid off '}{format_meld((card,), (stands,))} on @{meld}"
        case Discarded(card=card, face_down=face_down):
            yield f"laid {card or 'the last card'} face down on the pile" if face_down else f"discarded {card}"
        case Called(cards=cards):
            yield f"called rummy and took {format_faces(cards)}"
        case Knocked(card=card, kind=kind):
            what = {"knock": "knocked", "gin": "knocked gin", "big_gin": "knocked big gin"}[kind]
            yield what if card is None else f"{what} with {card}"
        case Spread(melds=melds, left=left):
            if melds and not any(isinstance(each, Melded) for each in told):
                yield f"laid down {_melds(melds)}"
            yield f"kept {_cards(left)}"


def _sentence(event: Event, seats: Seats) -> Iterator[str]:
    match event:
        case Dealt(dealer=dealer, round=number, hands=hands, up_card=up, stock=stock):
            turned = "" if up is None else f"; {up} is turned up"
            left = f", {counted(stock, 'card')} in the stock"
            yield f"Round {number}: {seats.within(dealer)} dealt {counted(len(hands[0]), 'card')} each{turned}{left}."
        case Skipped(seats=skipped):
            names = listed([seats.within(seat) for seat in skipped])
            yield f"The call skips {names}."
        case Renewed(how=how, stock=stock):
            what = "shuffled into" if how == "shuffle" else "turned over as"
            yield f"The stock ran out: the pile was {what} a new stock of {counted(stock, 'card')}."


def _melds(melds: Iterable[Meld]) -> str:
    return " ".join(f"[{meld}]" for meld in melds)


def _cards(cards: Cards) -> str:
    if None in cards:
        return counted(len(cards), "card")
    return format_faces([each for each in cards if each is not None]) or "nothing"


def how_it_ended(result: RoundResult, seats: Seats) -> str:
    """The end of a round in one sentence, without its points."""
    who = "" if result.winner is None else seats.name(result.winner)
    went_rummy = " and went rummy (nothing tabled before)" if result.doubled else ""
    return {
        "out": f"{who} went out{went_rummy}.",
        "gin": f"{who} went gin.",
        "knock": f"{who} knocked and had the least deadwood.",
        "undercut": f"{who} undercut the knock." if who else "The knock was undercut, by several alike.",
        "stock_out": "The stock has run out; the round counts as it stands.",
        "exhausted": "The stock has run out; nobody scores.",
        "deadlock": "Nobody can ever table another card; nobody scores.",
        "void": "The round took too many turns; nobody scores.",
    }[result.kind]


def shown(cards: Iterable[Card | None]) -> str:
    """Cards in their order, a hidden one as two question marks."""
    return " ".join("??" if each is None else str(each) for each in cards)
