"""Positions as text, and back as comparable data (docs/notation.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .cards import DEALER, Hand, read_faces, tidy
from .state import State

if TYPE_CHECKING:
    from .engine import ReferenceGame


def read_position(
    game: ReferenceGame,
    hands: Sequence[str],
    pile: str = "",
    stock: str | None = None,
    table: Iterable[str] = (),
    seat: int | None = None,
    dealer: int = 0,
    phase: str = "draw",
    taken: str = "",
    owed: str | None = None,
    tabled: Iterable[int] | None = None,
    renewals: int = 0,
    scores: Sequence[int] | None = None,
    round: int = 1,
    by: int | None = None,
    known: Sequence[str] = (),
    turns: int = 0,
    idle: int = 0,
    stock_only: bool = False,
    melds_now: int = 0,
    tabled_now: bool | None = None,
    declared: str | None = None,
    knock_limit: int | None = None,
    **unused: Any,
) -> State:
    """The state that the text describes.

    The keywords after ``known`` complete it where the defaults do not fit. What only views or finished rounds show
    (``known`` and the ``unused`` ones) changes nothing here.
    """
    held: tuple[Hand, ...] = tuple(tidy(read_faces(text)) for text in hands)
    if len(held) != game.players:
        raise ValueError(f"{len(held)} hands at a table of {game.players}")
    on_pile, melds = read_faces(pile), tuple(game.melds.read(text) for text in table)
    if seat is None:
        seat = DEALER if phase in ("deal", "reshuffle", "over") else game.left_of(dealer)
    named = Counter([*on_pile, *(f for hand in held for f in hand), *(f for meld in melds for f in meld.faces)])
    if stock is None:
        in_stock = _unnamed(game.deck, named)
    else:
        in_stock = read_faces(stock)
        named += Counter(in_stock)
    if named - Counter(game.deck):
        raise ValueError(f"too many of {sorted((named - Counter(game.deck)).elements())}")
    if by is None or by == DEALER:
        by = _default_by(game, phase, seat, melds)
    if phase == "reshuffle":
        seat = DEALER
    seats_tabled = {s for meld in melds for s in meld.by if s is not None}
    earlier = frozenset(seats_tabled if tabled is None else tabled)
    drawn = read_faces(taken)
    uses: tuple[tuple[str, str], ...] = ()
    draw = game.profile["draw"]
    if owed is not None:
        uses = tuple((face, draw["deep_use"] if face in drawn[:1] else "any") for face in read_faces(owed))
    elif drawn and (len(drawn) > 1 or draw["top_obliges"]) and drawn[0] in held[seat]:
        uses = ((drawn[0], draw["deep_use"]),)
    single = drawn[0] if len(drawn) == 1 else None
    if knock_limit is None and game.knocking:
        knock_limit = game.knock.limit(on_pile[0] if on_pile else None)
    if tabled_now is None:  # melds of this turn are those of a seat that tabled nothing before
        tabled_now = phase == "play" and seat in seats_tabled and seat not in earlier
    if not declared:  # gin is fixed by the knock; unless it is written, the hand tells
        declared = "gin" if phase == "spread" and game.scoring.min_deadwood(held[seat]) == 0 else "knock"
    state = State(
        hands=held,
        scores=tuple(scores) if scores is not None else (0,) * game.players,
        seat=seat,
        dealer=dealer,
        phase=phase,
        stock=in_stock,
        pile=on_pile,
        table=melds,
        round=round,
        turns=turns,
        renewals=renewals,
        by=by,
        taken=drawn,
        banned=single if single is not None and single in held[seat] else None,
        owed=tuple(sorted(uses)),
        melds_made=melds_now,
        tabled_now=tabled_now,
        tabled=earlier,
        idle=idle,
        stock_only=stock_only,
        limit=knock_limit,
        gin=declared in ("gin", "big_gin"),
        big=declared == "big_gin",
    )
    # Taking from the pile leaves the stock as it was at the beginning of the turn.
    began = replace(state, pile=(*on_pile, *drawn))
    return replace(state, dry=phase == "play" and bool(drawn) and game.played_out(began))


def _unnamed(deck: Hand, named: Counter[str]) -> Hand:
    """Every card not named elsewhere, in pack order; a face named once is the copy of the first pack."""
    left, rest = named.copy(), []
    for face in deck:
        if left[face]:
            left[face] -= 1
        else:
            rest.append(face)
    return tuple(rest)


def _default_by(game: ReferenceGame, phase: str, seat: int, melds: Sequence[Any]) -> int | None:
    if phase == "spread":
        return seat
    if phase == "respond":
        return next((owner for owner in melds[0].by if owner is not None), None) if melds else None
    if phase == "reshuffle" and seat == DEALER:
        return None
    return (seat - 1) % game.players if phase in ("call", "reshuffle") else None


def describe(s: State) -> dict[str, Any]:
    """The zones and counters as plain data, to be compared with another engine's."""
    return {
        "seat": s.seat,
        "dealer": s.dealer,
        "phase": s.phase,
        "hands": [tuple(sorted(hand)) for hand in s.hands],
        "stock": s.stock,
        "pile": s.pile,
        "table": [(meld.kind, meld.text, meld.by) for meld in s.table],
        "taken": s.taken,
        "owed": tuple(face for face, _ in s.owed),
        "tabled": sorted(s.tabled),
        "renewals": s.renewals,
        "scores": s.scores,
        "round": s.round,
        "turns": s.turns,
    }
