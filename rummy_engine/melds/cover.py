"""Can melds take a whole hand, or all of it but a few cards? For few cards a much shorter search than for the least."""

from __future__ import annotations

from rummy_engine.cards import JOKER_FACE, JOKERS, PACK, CardSet
from rummy_engine.melds.deadwood import COLUMN, MOST_SOLVED, Uses, by_rank, without
from rummy_engine.melds.finder import MeldFinder


class MeldSearch:
    """Searches rank by rank as `SearchedDeadwood` does, and stops at the first way or when too many cards are left."""

    def __init__(self, finder: MeldFinder) -> None:
        self._finder = finder
        spec = finder.shapes.spec
        uses = Uses(finder.shapes)
        self._sets_with_lowest, self._runs_with_lowest = uses.sets_with_lowest, uses.runs_with_lowest
        self._levels = range(spec.jokers + 1)
        # A run without a joker is a meld of its own, so next to one, and between two, there are fewer cards than that.
        self._most_by_joker = 2 * (max(spec.run_min, spec.set_min) - 1)
        self._failed: dict[CardSet, list[dict[int, int]]] = {}
        """Per faces that are free and jokers held: the hands of which more than so many cards must be left."""

    def takes_all_but(self, hand: CardSet, most: int, free: CardSet = 0) -> bool:
        """Whether melds can take all but at most so many cards; the faces in `free` (bits 0 to 52) are not counted."""
        naturals, wilds = hand & ~JOKERS, (hand & JOKERS).bit_count()
        usable = self._finder.usable(hand) | free
        usable |= usable << PACK
        if (naturals & ~usable).bit_count() > most:
            return False
        if wilds:
            alone = self._finder.usable(naturals) | free
            if (naturals & ~(alone | alone << PACK)).bit_count() > most + wilds * self._most_by_joker:
                return False
        if sum([len(table) for tables in self._failed.values() for table in tables]) > MOST_SOLVED:
            self._failed.clear()
        failed = self._failed.get(free)
        if failed is None:
            failed = self._failed[free] = [{} for _ in self._levels]
        most -= (naturals & ~usable).bit_count()
        return self._takes(by_rank(naturals & usable), wilds, most, free, failed)

    def _takes(self, cards: int, wilds: int, most: int, free: CardSet, failed: list[dict[int, int]]) -> bool:
        if not cards:
            return wilds <= most or free >> JOKER_FACE == 1
        lowest = (cards & -cards).bit_length() - 1
        rank, suit = lowest >> 3, lowest & 7
        for use in self._sets_with_lowest(cards >> 8 * rank & 255):
            rest = cards ^ use.cards << 8 * rank
            for jokers in range(use.fewest, min(use.most, wilds) + 1):
                left = wilds - jokers
                if failed[left].get(rest, -1) < most and self._takes(rest, left, most, free, failed):
                    return True
        for use in self._runs_with_lowest(cards >> suit & COLUMN):
            if use.fewest <= wilds:
                rest = without(cards, use.cards << suit)
                for jokers in range(use.fewest, min(use.most, wilds) + 1):
                    left = wilds - jokers
                    if failed[left].get(rest, -1) < most and self._takes(rest, left, most, free, failed):
                        return True
        fewer = most - 1 + (free >> suit * 13 + rank & 1)
        if fewer >= 0:
            rest = without(cards, 1 << lowest)
            if failed[wilds].get(rest, -1) < fewer and self._takes(rest, wilds, fewer, free, failed):
                return True
        failed[wilds][cards] = most
        return False
