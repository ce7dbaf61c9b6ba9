"""Situations of the reference engine: its states with what everybody has seen, told apart as `Game.key` tells ours.

The reference keeps no record of the cards that were seen taken, for no rule asks for it; two situations differ by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, replace

from tests.reference import ReferenceGame, State

Hand = tuple[str, ...]


@dataclass(frozen=True)
class Seen:
    """A state with what everybody has seen."""

    state: State
    known: tuple[Hand, ...]
    """Per seat: the cards of the hand that were seen taken."""
    turned: int = 0
    """How many of the next stock cards were seen, because the pile was turned over."""
    called: bool = False
    """Whether this turn began with a call."""

    @property
    def ended(self) -> bool:
        """Whether the round is over."""
        return self.state.phase in ("deal", "over")

    def situation(self) -> Hashable:
        """What two sequences must have in common to lead to one situation: neither counters nor the order of melds."""
        s = self.state
        asked = self.called or s.phase in ("spread", "respond", "call", "reshuffle")
        table = sorted((meld.kind, meld.text, meld.by) for meld in s.table)
        result = {**(s.result or {}), "turns": 0}
        plain = replace(s, turns=0, idle=0, dry=False, by=s.by if asked else None, table=())
        return plain, tuple(table), self.known, self.turned, asked, tuple(sorted(result.items()))


def seen_from(game: ReferenceGame, state: State) -> Seen:
    """A beginning: of the hands, only what the turn took is known."""
    known: list[Hand] = [()] * game.players
    if state.phase == "play":
        known[state.seat] = tuple(sorted((Counter(state.taken) & Counter(state.hand)).elements()))
    return Seen(state, tuple(known))


def apply(game: ReferenceGame, before: Seen, text: str) -> Seen:
    """The situation after an action of a seat."""
    s, verb = before.state, text.split()[0]
    after = game.apply(s, text)
    known = [Counter(cards) for cards in before.known]
    turned = before.turned
    if verb in ("take", "call"):
        known[s.seat] += Counter(s.pile[-int(text.split()[1]) :] if " " in text else s.pile[-1:])
    elif verb == "draw" and len(after.stock) < len(s.stock):
        if turned:
            known[s.seat][s.stock[0]] += 1
        turned = max(turned - 1, 0)
    elif verb in ("meld", "layoff", "discard", "knock"):
        held = Counter(s.hand)
        left, spared = held - Counter(after.hands[s.seat]), Counter[str]()
        may_not_go = verb in ("discard", "knock") and game.profile["discard"]["taken"] != "free"
        if may_not_go and s.banned is not None and held[s.banned] > 1:
            spared[s.banned] = 1  # the card just taken stays, it is its twin that leaves (R18)
        known[s.seat] = known[s.seat] - spared - left + (known[s.seat] & spared)
    if after.renewals > s.renewals:
        turned = len(after.stock) - len(s.stock)
    called = verb == "call" or (before.called and s.seat == after.seat and after.phase == "play")
    return Seen(after, tuple(tuple(sorted(each.elements())) for each in known), turned, called)


def to_shuffle(game: ReferenceGame, seen: Seen) -> Hand:
    """The cards of a reshuffle that is due, as they lie: the pile without what stays, then the rest of the stock."""
    s = seen.state
    kept = 1 if game.profile["stock"]["keep_top"] else 0
    return (*s.pile[: len(s.pile) - kept], *s.stock)


def reshuffled(game: ReferenceGame, seen: Seen, stock: Hand) -> Seen:
    """The situation after the reshuffle that is due."""
    return replace(seen, state=game.apply(seen.state, " ".join(["reshuffle", *stock])), turned=0)
