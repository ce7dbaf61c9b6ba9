"""The picture of the table that one seat is shown, made from its view and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rummy_engine.cards import Card, CardSet, assign_copies, card_set, faces_in, format_cards, format_faces
from rummy_engine.game import Game
from rummy_engine.hints import printable
from rummy_engine.knowledge.events import MatchEnded, RoundEnded
from rummy_engine.knowledge.view import View
from rummy_engine.state import NOBODY
from rummy_engine.terminal.layout import LABEL, NARROWEST, columns, flow, heading
from rummy_engine.terminal.moves import Menu
from rummy_engine.terminal.wording import Seats, counted, how_it_ended, listed, shown

MOST_ARRANGED = 30
"""Hands of more cards are shown by suit: arranging them exactly could take minutes."""
SHORTEST_TITLE = 8
"""Titles of variants are cut to fit the heading; where no more room than that is left, they are left out."""
NEXT_DRAWS = 8
"""How many of the known next cards of the stock are shown."""


class Arranged(NamedTuple):
    """A hand sorted for its holder: best melds, what is left, and its points; `melds` None where it is too large."""

    melds: tuple[str, ...] | None
    loose: tuple[Card, ...]
    points: int

    def cells(self) -> list[str]:
        """The melds in brackets, then the loose cards."""
        return [*(f"[{meld}]" for meld in self.melds or ()), *([format_faces(self.loose)] if self.loose else [])]


def held(faces: Sequence[Card]) -> CardSet:
    """The faces of a hand as a set."""
    return card_set(assign_copies(faces))


def arranged(game: Game, players: int, hand: CardSet) -> Arranged:
    """The hand with the least points outside melds."""
    arranger = game.rules(players).arranger
    if hand.bit_count() > MOST_ARRANGED:
        return Arranged(None, faces_in(hand), arranger.points_of(hand))
    best = arranger.best(hand)
    return Arranged(tuple(map(str, best.melds)), faces_in(best.left), best.points)


def board(game: Game, view: View, seats: Seats, width: int) -> list[str]:
    """Everything a seat looks at before it moves: who holds how much, the table, the pile, its hand, its moves."""
    dealt = f"{seats.within(view.dealer)} dealt"
    first = _heading(game, [_round(game, view), dealt, _whose_turn(view, seats)], width)
    lines = [first]
    lines += _seats(view, seats, width)
    if view.table or game.profile.knock is None:
        lines += flow("table", _table(view, seats), width)
    lines += flow("pile", [*_pile(view), _stock(view)], width)
    if seen := list(_seen(view, seats)):
        lines += flow("seen", seen, width)
    lines += flow("hand", hand_cells(game, view), width)
    if notes := [dealt] * (dealt not in first) + list(_notes(game, view)):
        lines += flow("turn", [" · ".join(notes)], width)
    return [*lines, *Menu(view).lines(width)]


def _heading(game: Game, parts: list[str], width: int) -> str:
    """The first line; on narrow screens without the dealer, then with a part of the title, then without it."""
    title = printable(game.profile.meta.title)
    if len(heading(" · ".join([title, *parts]), 0)) > width:
        del parts[1]
        room = width - len(heading(" · ".join(["", *parts]), 0))
        if len(title) > room:
            title = f"{title[: room - 1]}…" if room >= SHORTEST_TITLE else ""
    return heading(" · ".join([title, *parts] if title else parts), width)


def _round(game: Game, view: View) -> str:
    match = game.profile.match
    if match.target is not None:
        word = "to" if match.best == "highest" else "until"
        return f"round {view.round}, {word} {match.target.at(view.players)}"
    return f"round {view.round} of {match.rounds}"


def _whose_turn(view: View, seats: Seats) -> str:
    if view.to_act != seats.me:
        return "match over" if view.phase == "over" else f"{seats.within(view.to_act)} to act"
    other = "" if view.by == NOBODY else seats.within(view.by)
    return {
        "offer": "your turn: up-card",
        "draw": "your turn: draw",
        "play": "your turn: play",
        "spread": "you knocked: lay down",
        "respond": f"{other} knocked: lay down",
        "call": f"call rummy after {other}?",
    }[view.phase]


def _seats(view: View, seats: Seats, width: int) -> Iterator[str]:
    """A line per seat; with many seats two beside each other."""
    rows = [
        [f" {seats.title(seat)}", counted(size, "card"), counted(view.scores[seat], "point")]
        for seat, size in enumerate(view.sizes)
    ]
    lines = columns(rows)
    half = max(map(len, lines)) + 3
    if len(lines) <= 3 or 2 * half > width + 3:
        yield from lines
        return
    for left, right in zip(lines[::2], [*lines[1::2], ""], strict=False):
        yield f"{left:{half}}{right}".rstrip()


def _table(view: View, seats: Seats) -> list[str]:
    cells = [
        f"@{index} {meld}" + ("" if meld.owner == NOBODY else f" ({seats.within(meld.owner)})")
        for index, meld in enumerate(view.table)
    ]
    return cells or ["no melds"]


def _pile(view: View) -> Iterator[str]:
    open_cards = view.pile[len(view.pile) - view.pile_shown :]
    below = len(view.pile) - len(open_cards)
    if not view.pile:
        yield "empty"
    elif below:
        yield f"{shown(open_cards)} on top of {below}"
    else:
        yield f"{shown(open_cards)}" + (" (top)" if len(open_cards) > 1 else "")


def _stock(view: View) -> str:
    known = view.in_stock[:NEXT_DRAWS]
    more = " …" if len(view.in_stock) > len(known) else ""
    return f"· stock {view.stock_size}" + (f", next {format_faces(known)}{more}" if known else "")


def _seen(view: View, seats: Seats) -> Iterator[str]:
    """What everybody knows of the other hands."""
    for seat, cards in enumerate(view.known):
        if cards and seat != seats.me:
            yield f"{seats.name(seat)} holds {format_faces(cards)}"


def hand_cells(game: Game, view: View) -> list[str]:
    """The hand sorted into its best melds, the loose cards, and their points."""
    if not view.hand:
        return ["empty"]
    hand = arranged(game, view.players, held(view.hand))
    return [*hand.cells(), f"· {hand.points} loose"]


def _notes(game: Game, view: View) -> Iterator[str]:
    """What this turn has to keep in mind."""
    if view.taken_held:
        yield f"taken: {format_faces(view.taken_held)}"
    if view.owed:
        yield f"to be tabled this turn: {format_faces(view.owed)}"
    if view.stock_only:
        yield "this draw must come from the stock"
    if game.profile.knock is not None and view.phase in ("offer", "draw", "play", "spread"):
        limit = 0 if view.declared in ("gin", "big_gin") else view.knock_limit
        if view.phase == "spread":
            yield "whatever is left counts" if limit is None else f"at most {limit} points may be left"
        elif limit is not None:
            yield f"knock with {limit} or less" if limit else "only gin ends the round"
        if view.phase == "play":
            least, card = least_deadwood(game, view)
            yield f"least deadwood {least}, discarding {card}"


def least_deadwood(game: Game, view: View) -> tuple[int, Card]:
    """The least deadwood that a discard of the hand leaves, and the card."""
    arranger = game.rules(view.players).arranger
    hand = held(view.hand)
    kept = [(arranger.deadwood(hand & ~card_set(assign_copies([face]))), face) for face in dict.fromkeys(view.hand)]
    return min(kept)


# ------------------------------------------------------------------------------------------------- after a round


def round_summary(game: Game, ended: RoundEnded, seats: Seats, width: int) -> list[str]:
    """How a round ended and what it brought, a line per seat."""
    result, knocks = ended.result, game.profile.knock is not None
    table = [["", "tabled", "deadwood" if knocks else "left", "bonus", "points", "total", "hand"]]
    for seat, hand in enumerate(ended.hands):
        cells = format_faces(hand)
        if result.kind == "gin" and hand:
            cells = "  ".join(arranged(game, len(ended.hands), held(hand)).cells())
        numbers = result.tabled[seat], result.left[seat], result.bonus[seat], result.points[seat], ended.scores[seat]
        table.append([f" {seats.name(seat)}", *map(str, numbers), cells])
    told = [0, 2, 4, 5, 6]
    told += [1] if any(result.tabled) and not knocks else []
    told += [3] if any(result.bonus) else []
    rows = [[row[column] for column in sorted(told)] for row in table]
    lines = columns(rows, left=(0, len(told) - 1))
    room = max(map(len, columns([row[:-1] for row in rows]))) + 2
    summary = [heading(f"round {result.round} is over", width), how_it_ended(result, seats)]
    for line in lines:
        if len(line) <= width:
            summary.append(line)
        elif width - room < NARROWEST - LABEL:  # no room beside the numbers: the hand stands below them
            summary += [line[:room].rstrip(), *flow("", [line[room:]], width)]
        else:
            cut = flow("", [line[room:]], width - room + LABEL)
            summary += [line[:room] + cut[0].strip(), *(" " * room + more.strip() for more in cut[1:])]
    return summary


def match_summary(ended: MatchEnded, scores: Sequence[int], seats: Seats, width: int) -> list[str]:
    """Who won the match, and the places."""
    verb = "share the match" if len(ended.winners) > 1 else "won the match"
    names = listed([seats.name(seat) if at == 0 else seats.within(seat) for at, seat in enumerate(ended.winners)])
    order = sorted(range(len(scores)), key=lambda seat: (ended.places[seat], seat))
    rows = [[f" {ended.places[seat]}.", seats.title(seat), counted(scores[seat], "point")] for seat in order]
    return [heading("the match is over", width), f"{names} {verb}.", *columns(rows, left=(0, 1))]


def by_suit_and_rank(hand: Sequence[Card], width: int) -> list[str]:
    """The hand sorted in the two ways in which people hold cards."""
    suits = [format_cards(held([face for face in hand if face.suit == suit])) for suit in range(5)]
    ranks = [format_faces([face for face in hand if face.rank == rank]) for rank in range(14)]
    return [
        *flow("by suit", [cells for cells in suits if cells], width),
        *flow("by rank", [cells for cells in ranks if cells], width),
    ]
