"""Points: cards in hand and on the table, the result of a round, the end of the match, the prize (B20-B26, R31-R37)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .cards import JOKER, Hand, Memo, at_table, without
from .melds import Meld, MeldRules

NOBODY_SCORES = ("exhausted", "deadlock", "void")


class Scoring:
    """The sections [scoring], [match] and [prize], and the points part of [knock]."""

    def __init__(self, profile: Mapping[str, Any], players: int, melds: MeldRules) -> None:
        self.profile, self.players, self.melds = profile, players, melds
        self.dials = profile["scoring"]
        values = self.dials["values"]
        self.values: dict[str, int] = {rank: values[rank] for rank in melds.ranks}
        ace = self.values.get("A", 0)
        self.low_ace: int = ace if values.get("low_ace") is None else values["low_ace"]
        self.hand_ace: int = ace if values.get("hand_ace") is None else values["hand_ace"]
        self.joker: int | str = values["joker"]
        self.knock = profile.get("knock") or {}
        self.knocking = profile["lay"]["when"] == "knock"
        self._deadwood: dict[Hand, int] = Memo(500_000)

    # ---- cards -----------------------------------------------------------------------------------------------

    def in_hand(self, face: str) -> int:
        """Points of one card that is not in a meld."""
        if face == JOKER:
            if self.joker == "as_card":  # it could have been any card, so it counts as the dearest
                return max(self.in_hand(rank + self.melds.suits[0]) for rank in self.melds.ranks)
            return int(self.joker)
        return self.hand_ace if face[0] == "A" else self.values[face[0]]

    def count(self, hand: Sequence[str]) -> int:
        return sum(self.in_hand(face) for face in hand)

    def on_table(self, meld: Meld) -> list[int]:
        """Points of each card of a meld: an ace that begins a run is a low ace (R32), a joker 15 anywhere (R33)."""
        points = []
        for place, cell in enumerate(meld.cells):
            if cell.face == JOKER and self.joker != "as_card":
                points.append(int(self.joker))
                continue
            rank = meld.rank if meld.kind == "set" else cell.stands[0]
            low = meld.kind == "run" and rank == "A" and place == 0
            points.append(self.low_ace if low else self.values[rank])
        return points

    def tabled(self, table: Sequence[Meld]) -> list[int]:
        """Points of the cards on the table, each credited to the seat that laid it (R16)."""
        totals = [0] * self.players
        for meld in table:
            for seat, points in zip(meld.by, self.on_table(meld), strict=True):
                if seat is not None:
                    totals[seat] += points
        return totals

    def min_deadwood(self, hand: Hand) -> int:
        """The least points outside melds over every way to split the hand: each card is left or is in some meld."""
        hand = tuple(sorted(hand, key=lambda face: (face == JOKER, face)))  # jokers last: no meld is jokers alone
        shapes = {tuple(sorted(meld.faces)) for meld in self.melds.readings(tuple(sorted(hand)))}
        return self._least(hand, sorted(shapes))

    def _least(self, hand: Hand, shapes: list[Hand]) -> int:
        if not hand or hand[0] == JOKER:
            return self.count(hand)
        if hand not in self._deadwood:
            first, rest = hand[0], hand[1:]
            best = self.in_hand(first) + self._least(rest, shapes)
            for shape in shapes:
                if first in shape and all(hand.count(face) >= shape.count(face) for face in shape):
                    best = min(best, self._least(without(hand, shape), shapes))
            self._deadwood[hand] = best
        return self._deadwood[hand]

    # ---- rounds ----------------------------------------------------------------------------------------------

    def left(self, hands: Sequence[Hand]) -> list[int]:
        """Points left per hand where nobody laid anything down after a knock."""
        return [self.min_deadwood(hand) if self.knocking else self.count(hand) for hand in hands]

    def points(
        self, kind: str, winner: int | None, left: list[int], tabled: list[int], doubled: bool, flat: int
    ) -> tuple[list[int], list[int], int | None]:
        """Points and bonus part per seat, and the winner, of a round that ended without a knock."""
        seats, model = range(self.players), self.dials["model"]
        nothing = [0] * self.players
        if kind in NOBODY_SCORES:
            return nothing, nothing, None
        charged = model in ("penalty", "knock_penalties")
        if kind == "stock_out" and self.profile["stock"]["then"] == "lowest":
            low = min(left)
            if left.count(low) > 1:
                return nothing, nothing, None
            best = left.index(low)
            gaps = [points - low for points in left]
            return (gaps if charged else [sum(gaps) if seat == best else 0 for seat in seats]), nothing, best
        if kind == "stock_out":
            if model == "melds_minus_hand":
                return [tabled[seat] - left[seat] for seat in seats], nothing, None
            return (list(left) if model == "penalty" else nothing), nothing, None
        times = 2 if doubled else 1
        if charged:
            bonus = [0 if seat == winner else flat for seat in seats]
            base = [0 if seat == winner else left[seat] * times for seat in seats]
        elif model == "melds_minus_hand":
            bonus = [flat if seat == winner else 0 for seat in seats]
            base = [(tabled[seat] - left[seat]) * (times if seat == winner else 1) for seat in seats]
        else:
            bonus = [flat if seat == winner else 0 for seat in seats]
            base = [sum(left) * times if seat == winner else 0 for seat in seats]
        return [base[seat] + bonus[seat] for seat in seats], bonus, winner

    def knock_points(
        self, knocker: int, gin: bool, big: bool, left: list[int]
    ) -> tuple[str, list[int], list[int], int | None]:
        """Kind, points, bonus part and winner of a round that ended with a knock (B20-B24)."""
        seats, dials = range(self.players), self.knock
        others = [seat for seat in seats if seat != knocker]
        charged = self.dials["model"] == "knock_penalties"
        points, bonus = [0] * self.players, [0] * self.players
        if gin:
            extra = dials["big_gin_bonus"] if big else dials["gin_bonus"]
            if charged:
                for seat in others:
                    points[seat], bonus[seat] = left[seat] + extra, extra
            else:
                points[knocker], bonus[knocker] = sum(left[seat] for seat in others) + extra, extra
            return "gin", points, bonus, knocker
        low = min(left[seat] for seat in others)
        if low > left[knocker] or (low == left[knocker] and not dials["undercut_on_tie"]):
            if charged:
                points = [left[seat] - left[knocker] for seat in seats]
            else:
                points[knocker] = sum(left[seat] - left[knocker] for seat in others)
            return "knock", points, bonus, knocker
        under = [seat for seat in others if left[seat] == low]
        if charged:
            points = [left[seat] - low for seat in seats]
        else:
            for seat in under:
                points[seat] = sum(points_left - low for points_left in left)
        extra = dials["undercut_bonus"]
        if dials["undercut_to"] == "penalty":
            bonus[knocker] = extra if charged else -extra
        else:
            for seat in under:
                bonus[seat] = -extra if charged else extra
        points = [points[seat] + bonus[seat] for seat in seats]
        return "undercut", points, bonus, under[0] if len(under) == 1 else None

    def standing(self, kind: str, points: list[int], winner: int | None) -> tuple[str, ...]:
        if kind in NOBODY_SCORES or (winner is None and not any(points)):
            return (self.dials["drawn"],) * self.players
        best = self._best(points)
        first = "win" if points.count(best) == 1 else "draw"
        return tuple(first if own == best else "loss" for own in points)

    def _best(self, points: Sequence[int]) -> int:
        return max(points) if self.profile["match"]["best"] == "highest" else min(points)

    def next_dealer(self, dealer: int, result: Mapping[str, Any]) -> int:
        """Who deals the next round (C9): the seat to the left unless the profile names another and there is one."""
        deal, points = self.profile["deal"], result["points"]
        left = [(dealer + step) % self.players for step in range(1, self.players + 1)]
        if result["kind"] == "exhausted" and deal["after_exhausted"] == "same":
            return dealer
        if deal["next_dealer"] == "winner" and result["winner"] is not None:
            return int(result["winner"])
        if deal["next_dealer"] == "loser" and any(points):
            worst = min(points) if self.profile["match"]["best"] == "highest" else max(points)
            return next(seat for seat in left if points[seat] == worst)
        return left[0]

    # ---- matches ---------------------------------------------------------------------------------------------

    def match_over(self, scores: Sequence[int], round_no: int) -> bool:
        """Whether the match ends after this round (A18, B25, R35)."""
        match = self.profile["match"]
        if match.get("target") is not None:
            reached = max(scores) >= at_table(match["target"], self.players)
        else:
            reached = round_no >= match["rounds"]
        alone = list(scores).count(self._best(scores)) == 1
        return bool(reached and (alone or match["tie"] == "share"))

    def payout(self, scores: Sequence[int], pot: int) -> tuple[int, ...]:
        """The pot split by the rule of the [prize] section, in whole minor units (rules 2.B-16)."""
        prize = self.profile["prize"]
        best = self._best(scores)
        gaps = [abs(points - best) for points in scores]
        weights = [max(0, prize["threshold"] - gap) if gap else 0 for gap in gaps]
        for_losers = pot * (100 - prize["winner_min"])  # hundredths of a minor unit
        shares = [0] * self.players
        for seat, weight in enumerate(weights):
            if prize["split"] == "pool_normalised" and weight:
                shares[seat] = for_losers * weight // (100 * sum(weights))
            elif prize["split"] == "gap_scaled":
                shares[seat] = for_losers * weight // (100 * (self.players - 1) * prize["threshold"])
        winners = [seat for seat in range(self.players) if gaps[seat] == 0]
        whole, odd = divmod(pot - sum(shares), len(winners))
        for place, seat in enumerate(winners):
            shares[seat] = whole + (1 if place < odd else 0)
        return tuple(shares)
