"""Brute-force answers that share no code with the library: cards are texts, and every subset of a hand is tried.

The rules are written out again here, slowly and literally, so that a mistake has to be made twice to go unseen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import NamedTuple


@dataclass(frozen=True)
class MeldRules:
    """What a meld is; `ranks` in running order, with an ace (if any) first."""

    packs: int = 1
    ranks: str = "A23456789TJQK"
    suits: str = "SHDC"
    set_min: int = 3
    set_max: int = 4
    distinct: bool = True
    run_min: int = 3
    run_max: int = 13
    ace: str = "low"
    min_naturals: int = 1
    max_wilds: int = 4


class LaidCard(NamedTuple):
    """A card of a table meld, what it stands for ("JK" for a joker in a set) and the seat that laid it."""

    card: str
    stands: str
    by: int


class LaidMeld(NamedTuple):
    """A meld on the table; a run is written upward."""

    kind: str
    cards: tuple[LaidCard, ...]
    owner: int


@cache
def follows(rules: MeldRules) -> dict[str, str]:
    """Which rank may come after which in a run."""
    after = dict(pairwise(rules.ranks))
    if "A" in rules.ranks and len(rules.ranks) > 1 and rules.ace != "low":
        after[rules.ranks[-1]] = "A"
        if rules.ace == "high":
            del after["A"]
    return after


def is_sequence(ranks: str, rules: MeldRules) -> bool:
    """Whether these ranks may be a run in this order; only "around" lets an ace stand inside one."""
    if not rules.run_min <= len(ranks) <= rules.run_max or len(set(ranks)) < len(ranks):
        return False
    if rules.ace != "around" and "A" in ranks[1:-1]:
        return False
    after = follows(rules)
    return all(after.get(low) == high for low, high in pairwise(ranks))


def is_set(cards: Sequence[str], rules: MeldRules) -> bool:
    """Whether these cards, jokers included, are a set."""
    naturals = [card for card in cards if card != "JK"]
    if len({card[0] for card in naturals}) != 1 or not rules.set_min <= len(cards) <= rules.set_max:
        return False
    if rules.distinct:
        return len(set(naturals)) == len(naturals) and len(cards) <= len(rules.suits)
    return all(naturals.count(card) <= rules.packs for card in naturals)


def is_run(cards: Sequence[str], rules: MeldRules) -> bool:
    """Whether these cards, jokers included, are a run in some order."""
    naturals = [card for card in cards if card != "JK"]
    if len({card[1] for card in naturals}) != 1 or len(set(naturals)) < len(naturals):
        return False
    after = follows(rules)
    for start in rules.ranks:
        sequence = start
        while len(sequence) < len(cards) and sequence[-1] in after:
            sequence += after[sequence[-1]]
        complete = len(sequence) == len(cards)
        if complete and is_sequence(sequence, rules) and all(card[0] in sequence for card in naturals):
            return True
    return False


def is_meld(cards: Sequence[str], rules: MeldRules) -> bool:
    """Whether these cards, jokers included, can be read as a meld."""
    jokers = list(cards).count("JK")
    naturals = len(cards) - jokers
    if len(cards) < 2 or naturals < max(1, rules.min_naturals) or jokers > rules.max_wilds:
        return False
    return is_set(cards, rules) or is_run(cards, rules)


def deadwood_of_all(cards: Sequence[str], rules: MeldRules, points: dict[str, int]) -> list[int]:
    """The least deadwood of every selection of these cards; bit i of the index selects `cards[i]`."""
    melds: list[list[int]] = [[] for _ in cards]
    for mask in range(1, 1 << len(cards)):
        if is_meld([card for i, card in enumerate(cards) if mask >> i & 1], rules):
            melds[(mask & -mask).bit_length() - 1].append(mask)
    least = [0]
    for mask in range(1, 1 << len(cards)):
        first = (mask & -mask).bit_length() - 1
        ways = [least[mask & mask - 1] + points[cards[first]]]
        ways += [least[mask ^ meld] for meld in melds[first] if meld & mask == meld]
        least.append(min(ways))
    return least


def deadwood(cards: Sequence[str], rules: MeldRules, points: dict[str, int]) -> int:
    """The least deadwood of a hand."""
    return deadwood_of_all(cards, rules, points)[-1]


# ---------------------------------------------------------------------------------------------------------- lay-offs


def longer_melds(meld: LaidMeld, card: str, seat: int, rules: MeldRules) -> list[tuple[str, LaidMeld]]:
    """The melds that a table meld becomes when one card is added, with the end it is added at ("" for a set)."""
    jokers = [entry.card for entry in meld.cards].count("JK") + (card == "JK")
    if jokers > rules.max_wilds:
        return []
    if meld.kind == "set":
        longer = LaidMeld("set", (*meld.cards, LaidCard(card, card, seat)), meld.owner)
        return [("", longer)] if is_set([entry.card for entry in longer.cards], rules) else []
    suit = meld.cards[0].stands[1]
    ranks = "".join(entry.stands[0] for entry in meld.cards)
    found = []
    for rank in rules.ranks:
        stands = rank + suit
        if card in ("JK", stands):
            if is_sequence(rank + ranks, rules):
                found.append(("low", LaidMeld("run", (LaidCard(card, stands, seat), *meld.cards), meld.owner)))
            if is_sequence(ranks + rank, rules):
                found.append(("high", LaidMeld("run", (*meld.cards, LaidCard(card, stands, seat)), meld.owner)))
    return found


def may_add(meld: LaidMeld, end: str, seat: int, chain: str, extended: bool) -> bool:
    """Whether the seat may add at this end; `extended`: it has done so already in this arrangement (rules B17, B18)."""
    if chain == "any" or meld.kind == "set":
        return True
    outermost = meld.cards[0 if end == "low" else -1].by
    if chain == "none":
        return outermost == meld.owner and not extended
    return outermost in (meld.owner, seat)


def deadwood_with_layoffs(
    cards: Sequence[str],
    rules: MeldRules,
    points: dict[str, int],
    table: Sequence[LaidMeld],
    seat: int,
    chain: str,
) -> int:
    """The least deadwood when cards may also be laid off on these melds, one after the other."""
    everything = deadwood_of_all(cards, rules, points)

    @cache
    def best(held: int, now: tuple[LaidMeld, ...], done: frozenset[tuple[int, str]]) -> int:
        least = everything[held]
        for i, card in enumerate(cards):
            if held >> i & 1:
                for at, meld in enumerate(now):
                    for end, longer in longer_melds(meld, card, seat, rules):
                        if may_add(meld, end, seat, chain, (at, end) in done):
                            after = (*now[:at], longer, *now[at + 1 :])
                            least = min(least, best(held ^ 1 << i, after, done | {(at, end)}))
        return least

    return best((1 << len(cards)) - 1, tuple(table), frozenset())
