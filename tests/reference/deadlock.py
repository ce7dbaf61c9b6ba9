"""Whether nobody can ever table another card: rules 2.A-12 in its general form (A14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from .cards import JOKER, Hand, tidy, without
from .melds import Meld
from .state import State
from .turn import TurnRules


def deadlocked(s: State, deck: Hand, turn: TurnRules, profile: Mapping[str, Any]) -> bool:
    """Whether no card of the pack that is off the table can ever be tabled by anybody.

    Stock limits and the dead-end guard are ignored, as the rule says. Only public facts count: the table, the cards
    off it (always pack minus table), and the sizes of the hands.
    """
    if profile["lay"]["when"] == "knock":
        return False  # nothing is ever tabled before the end, which is no deadlock
    off = tuple((Counter(deck) - Counter(face for meld in s.table for face in meld.faces)).elements())
    kept = 1 if profile["discard"]["last"] == "required" else 0
    # A draw makes h cards h + 1, of which one is kept where a final discard is compulsory. A deep draw or a call into
    # the pile has no such bound: the pile may grow until it holds a whole meld.
    deep = profile["draw"]["pile"] == "deep" or (profile["call"]["kind"] == "pile" and len(s.hands) > 2)
    room = [99 if deep else len(hand) + 1 - kept for hand in s.hands]
    return not _someone_can_table(s.table, tidy(off), room, turn)


def _someone_can_table(table: tuple[Meld, ...], off: Hand, room: list[int], turn: TurnRules) -> bool:
    smallest = min(turn.melds.meld_sizes(off), default=None)
    if smallest is not None and max(room) >= smallest:
        return True
    seats = [seat for seat, size in enumerate(room) if size >= 1]
    for face in set(off):
        if any(turn.fits_table(seat, table, face) for seat in seats):
            return True
    return turn.swaps and any(_swap_helps(table, off, seat, room[seat], turn) for seat in seats)


def _swap_helps(table: tuple[Meld, ...], off: Hand, seat: int, room: int, turn: TurnRules) -> bool:
    """A swap tables a natural card too, if the joker can be tabled again in the same turn."""
    for index, meld in enumerate(table):
        if not turn.may_lay_off(seat, table, meld):
            continue
        for face in set(off):
            swapped = turn.melds.swapped(meld, face, seat)
            if swapped is None:
                continue
            after = (*table[:index], swapped, *table[index + 1 :])
            rest = tidy((*without(off, (face,)), JOKER))
            if turn.fits_table(seat, after, JOKER):
                return True
            if any(size <= room for size in turn.melds.meld_sizes(rest, JOKER)):
                return True
            if room > 1 and _swap_helps(after, rest, seat, room - 1, turn):
                return True
    return False
