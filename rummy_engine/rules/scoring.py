"""`[scoring]`: what a finished round is worth, per seat.

A scorer is a function from the facts of a round to points; the registry at the end is the dial `scoring.model`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rummy_engine.errors import Problem, ProfileError
from rummy_engine.rules.match import MatchRules
from rummy_engine.rules.table import Table
from rummy_engine.state import State

if TYPE_CHECKING:
    from rummy_engine.profiles.profile import Knock, Scoring

UNSCORED = frozenset({"exhausted", "deadlock", "void"})
"""The kinds of ending in which nobody scores."""


class Facts(NamedTuple):
    """What a scorer looks at."""

    kind: str
    seat: int | None
    """Who went out, knocked, or alone held the lowest hand."""
    left: tuple[int, ...]
    tabled: tuple[int, ...]
    rummy: bool
    """Whether the seat went rummy: out in one turn, nothing tabled before."""
    big_gin: bool


class Score(NamedTuple):
    """What a scorer answers; `kind` and `winner` because an undercut shows only when hands are compared."""

    kind: str
    winner: int | None
    points: tuple[int, ...]
    bonus: tuple[int, ...]
    doubled: bool = False


Scorer: TypeAlias = Callable[[Facts], Score]


def _nothing(facts: Facts, winner: int | None = None) -> Score:
    zeros = (0,) * len(facts.left)
    return Score(facts.kind, winner, zeros, zeros)


def _going_rummy(dials: Scoring) -> tuple[bool, int]:
    """Whether going rummy doubles, and its flat bonus (rules A17)."""
    rummy = dials.rummy
    return rummy == "double", rummy if isinstance(rummy, int) else 0


def _winner_takes_hands(dials: Scoring, knock: Knock | None) -> Scorer:
    """The winner scores what the others hold (rules A16, V7)."""
    doubles, flat = _going_rummy(dials)

    def score(facts: Facts) -> Score:
        winner = facts.seat
        if winner is None:
            return _nothing(facts)
        doubled = doubles and facts.rummy
        bonus = flat if facts.rummy else 0
        gain = _ahead_of(facts) * (2 if doubled else 1) + bonus
        return Score(facts.kind, winner, _only(facts, winner, gain), _only(facts, winner, bonus), doubled)

    return score


def _penalty(dials: Scoring, knock: Knock | None) -> Scorer:
    """Each loser is charged the own hand (rules 3.2, basic-penalty); at an exhausted stock every seat is."""
    doubles, flat = _going_rummy(dials)

    def score(facts: Facts) -> Score:
        winner = facts.seat
        doubled = doubles and facts.rummy
        bonus = flat if facts.rummy else 0
        best = facts.left[winner] if winner is not None else 0
        times = 2 if doubled else 1
        points = tuple(0 if i == winner else (each - best) * times + bonus for i, each in enumerate(facts.left))
        extra = tuple(0 if i == winner else bonus for i in range(len(facts.left)))
        return Score(facts.kind, winner, points, extra, doubled)

    return score


def _melds_minus_hand(dials: Scoring, knock: Knock | None) -> Scorer:
    """Everybody scores the cards tabled less the cards held (rules R31), plus the going-rummy bonus if there is one."""
    doubles, flat = _going_rummy(dials)

    def score(facts: Facts) -> Score:
        doubled = doubles and facts.rummy
        bonus = _only(facts, facts.seat, flat if facts.rummy else 0)
        points = tuple(
            (tabled - left) * (2 if doubled and i == facts.seat else 1) + bonus[i]
            for i, (tabled, left) in enumerate(zip(facts.tabled, facts.left, strict=True))
        )
        return Score(facts.kind, facts.seat, points, bonus, doubled)

    return score


def _knock(charge: bool) -> Callable[[Scoring, Knock | None], Scorer]:
    """Knock, gin and undercut (rules B20–B24): the losers are charged, or the winner collects the differences.

    With several opponents tied lowest there is no single winner: charged, the formula gives all of them 0; collecting,
    each of them collects from every seat that is higher (ruled here: nobody can be singled out), with the bonus.
    """

    def build(dials: Scoring, knock: Knock | None) -> Scorer:
        if knock is None:
            raise ProfileError((Problem("knock", None, "this scoring model needs a [knock] section"),))
        gin, big_gin, undercut = knock.gin_bonus, knock.big_gin_bonus, knock.undercut_bonus
        on_tie, to_winner = knock.undercut_on_tie, knock.undercut_to == "winner"

        def score(facts: Facts) -> Score:
            knocker = facts.seat
            seats = range(len(facts.left))
            if knocker is None:
                return _nothing(facts)
            bonus = [0] * len(facts.left)
            if facts.kind in ("gin", "stock_out"):
                extra = 0 if facts.kind == "stock_out" else big_gin if facts.big_gin else gin
                for i in [i for i in seats if i != knocker] if charge else [knocker]:
                    bonus[i] = extra
                return Score(facts.kind, knocker, _settled(facts, [knocker], bonus), tuple(bonus))
            own = facts.left[knocker]
            lowest = min(facts.left[i] for i in seats if i != knocker)
            if lowest > own or (lowest == own and not on_tie):
                return Score("knock", knocker, _settled(facts, [knocker], bonus), tuple(bonus))
            tied = [i for i in seats if i != knocker and facts.left[i] == lowest]
            if not to_winner:
                bonus[knocker] = undercut if charge else -undercut
            else:
                for i in tied:
                    bonus[i] = -undercut if charge else undercut
            winner = tied[0] if len(tied) == 1 else None
            return Score("undercut", winner, _settled(facts, tied, bonus), tuple(bonus))

        def _settled(facts: Facts, winners: list[int], bonus: list[int]) -> tuple[int, ...]:
            base = facts.left[winners[0]]
            over = [left - base for left in facts.left]
            if charge:
                return tuple(0 + b if i in winners else o + b for i, (o, b) in enumerate(zip(over, bonus, strict=True)))
            gain = sum(over)
            return tuple(gain + b if i in winners else b for i, b in enumerate(bonus))

        return score

    return build


MODELS: dict[str, Callable[[Scoring, Knock | None], Scorer]] = {
    "winner_takes_hands": _winner_takes_hands,
    "penalty": _penalty,
    "melds_minus_hand": _melds_minus_hand,
    "knock_penalties": _knock(charge=True),
    "knock_difference": _knock(charge=False),
}


def _only(facts: Facts, seat: int | None, points: int) -> tuple[int, ...]:
    return tuple(points if i == seat else 0 for i in range(len(facts.left)))


def _ahead_of(facts: Facts) -> int:
    """The others' points over the winner's own (who holds nothing after going out)."""
    own = facts.left[facts.seat] if facts.seat is not None else 0
    return sum(facts.left) - len(facts.left) * own


class RoundScore:
    """Turns the end of a round into a `Score` and its facts."""

    def __init__(self, dials: Scoring, knock: Knock | None, table: Table, match: MatchRules, lowest_wins: bool) -> None:
        """`lowest_wins`: on an exhausted stock the lowest hand wins the others' difference (`stock.then`)."""
        self._table = table
        self._score = MODELS[dials.model](dials, knock)
        # Melds less hand has no winner that collects: there the lowest hand does as in winner takes all.
        collects = "winner_takes_hands" if dials.model == "melds_minus_hand" else dials.model
        self._takes_lowest = MODELS[collects](dials, knock)
        self._lowest = lowest_wins
        self._drawn = dials.drawn
        self._best = match.best
        self._counts_deadwood = knock is not None

    def left_in(self, hand: int) -> int:
        """The points of a hand nobody laid down: its minimum deadwood where there is knocking (rules B16)."""
        arranger = self._table.arranger
        return arranger.deadwood(hand) if self._counts_deadwood else arranger.points_of(hand)

    def facts(self, state: State, kind: str, seat: int | None, rummy: bool) -> Facts:
        """What the scorer needs to know of the round that ends in `state`."""
        arranger = self._table.arranger
        if state.phase in ("respond", "spread"):
            left = tuple(arranger.points_of(hand) for hand in state.hands)
        else:
            left = tuple(self.left_in(hand) for hand in state.hands)
        if state.declared in ("gin", "big_gin"):
            left = tuple(0 if i == seat else self.left_in(hand) for i, hand in enumerate(state.hands))
        tabled = self._table.worth.tabled(state.table, self._table.players)
        return Facts(kind, seat, left, tabled, rummy, state.declared == "big_gin")

    def score(self, facts: Facts) -> Score:
        """Points per seat. After the last stock card the dial `stock.then` decides whether the lowest hand wins."""
        if facts.kind in UNSCORED:
            return _nothing(facts)
        if facts.kind == "stock_out" and self._lowest:
            low = min(facts.left)
            lowest = [i for i, left in enumerate(facts.left) if left == low]
            if len(lowest) > 1:
                return _nothing(facts)
            return self._takes_lowest(facts._replace(seat=lowest[0]))
        return self._score(facts)

    def standing(self, score: Score) -> tuple[str, ...]:
        """Per seat "win", "draw" or "loss": the best points win; where nobody scores, what the dial says (A15)."""
        if score.kind in UNSCORED or (score.winner is None and not any(score.points)):
            return (self._drawn,) * len(score.points)
        best = self._best(score.points)
        word = "win" if score.points.count(best) == 1 else "draw"
        return tuple(word if points == best else "loss" for points in score.points)
