"""Laws about results: they follow from the cards that lie there and from the dials, counted here a second time."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from rummy_engine.actions import Action, Deal
from rummy_engine.cards import FACES, JOKER, RANKS, CardSet, cards_in
from rummy_engine.game import Game
from rummy_engine.hands import best_arrangement
from rummy_engine.profiles.profile import Profile
from rummy_engine.state import DEALER, RoundResult, State
from rummy_engine.testing.laws.base import require, step_law

UNSCORED = ("exhausted", "deadlock", "void")
"""The endings in which nobody scores."""
KNOCKED = ("gin", "knock", "undercut")
"""The endings after a knock."""


def ended(before: State, after: State) -> RoundResult | None:
    """The result, if the step between the two states has ended a round."""
    return after.result if after.phase in ("deal", "over") and before.phase != after.phase else None


# ------------------------------------------------------------------------------------------------------ how it ended


@step_law("rules A10-A15, B10-B14, V6, R28-R29, C12, C14")
def ending_is_true(game: Game, before: State, action: Action, after: State, rng: Random) -> None:
    """A round has ended as its result says: the hand is empty, the stock exhausted, the turns used up, and so on."""
    result, profile = ended(before, after), game.profile
    if result is None:
        _goes_on(game, before, after)
        return
    stock, knocks = profile.stock, profile.lay.when == "knock"
    actor = _actor(before)
    require(result.turns == after.turns and result.renewals == after.renewals, "turns or renewals were miscounted")
    require((result.dealer, result.round) == (before.dealer, before.round), "dealer or round were miscounted")
    if result.kind == "out":
        require(not knocks and after.hands[actor] == 0, f"seat {actor} still holds cards")
        require(after.turns == before.turns + 1, "the turn that went out was not counted")
    elif result.kind in KNOCKED:
        require(knocks, "a knock in a game without knocking")
        kept = after.hands[actor]
        for meld in after.table:
            kept |= sum(1 << card for card, by in zip(meld.cards, meld.by, strict=True) if by == actor)
        least = best_arrangement(kept, game).points
        require((least == 0) == (result.kind == "gin"), f"seat {actor} could bring its hand to {least}: {result.kind}")
        limit = before.knock_limit
        require(limit is None or least <= limit, f"a knock with {least} points where the limit is {limit}")
    elif result.kind in ("exhausted", "stock_out"):
        require((stock.then == "exhausted") == (result.kind == "exhausted"), f"then={stock.then}: {result.kind}")
        require(len(after.stock) <= stock.floor, f"the stock still has {len(after.stock)} cards")
        used_up = stock.when_empty == "none" or (stock.renewals != "unlimited" and after.renewals >= stock.renewals)
        keeps = stock.keep_top
        too_small = len(after.pile) <= keeps or len(after.stock) + len(after.pile) - keeps <= stock.floor
        require(used_up or too_small, "the stock could have been renewed")
    elif result.kind == "deadlock":
        require(profile.ending.deadlock, "a deadlock where the dial is off")
    else:
        require(result.kind == "void" and after.turns >= profile.ending.max_turns, "void before the last turn")


def _goes_on(game: Game, before: State, after: State) -> None:
    """What may not be while a round goes on."""
    if after.phase in ("deal", "reshuffle", "over") or after.seat == DEALER:
        return
    profile = game.profile
    floats = profile.discard.last == "float"
    if after.phase in ("draw", "call") and before.phase == "play" and not floats:
        require(all(after.hands) or not all(before.hands), "a hand is empty, and the round goes on")
    stock = profile.stock
    if after.phase in ("draw", "call") and before.phase == "play" and stock.check == "end_of_turn":
        alive = len(after.stock) > stock.floor or stock.then == "play_on"
        require(alive, "the stock is exhausted at the end of a turn, and the round goes on")


def _actor(before: State) -> int:
    """Who went out or knocked, if somebody did."""
    return before.by if before.phase in ("spread", "respond") else before.seat


# ------------------------------------------------------------------------------------------------ what it was worth


class Round(NamedTuple):
    """What the points of a round follow from."""

    kind: str
    actor: int
    """Who went out or knocked; of no meaning after another ending."""
    left: tuple[int, ...]
    tabled: tuple[int, ...]
    rummy: bool
    """Whether the actor went out with nothing tabled in an earlier turn."""
    big_gin: bool


class Worth(NamedTuple):
    """What a round should be worth."""

    kind: str
    winner: int | None
    points: tuple[int, ...]
    bonus: tuple[int, ...]
    doubled: bool


@step_law("rules E8, A16-A17, B20-B24, V7, R31-R34")
def points_follow(game: Game, before: State, action: Action, after: State, rng: Random) -> None:
    """What is left and tabled is counted right, and the winner, points and bonuses follow from it as the dials say."""
    result = ended(before, after)
    if result is None:
        return
    actor = _actor(before)
    left = tuple(_left(game, after, result.kind, actor, seat) for seat in range(after.players))
    require(result.left == left, f"left is {result.left}, counted {left}")
    tabled = _tabled(game.profile, after)
    require(result.tabled == tabled, f"tabled is {result.tabled}, counted {tabled}")
    rummy = result.kind == "out" and actor not in before.tabled
    big_gin = before.declared == "big_gin" or str(action) == "knock"
    expected = worth_of(game.profile, Round(result.kind, actor, left, tabled, rummy, big_gin))
    found = Worth(result.kind, result.winner, result.points, result.bonus, result.doubled)
    require(found == expected, f"the result is {found}, the dials say {expected}")
    standing = _standing(game.profile, expected)
    require(result.standing == standing, f"the standing is {result.standing}, not {standing}")
    scores = tuple(a + b for a, b in zip(before.scores, expected.points, strict=True))
    require(after.scores == scores, f"the totals are {after.scores}, not {scores}")


def _left(game: Game, after: State, kind: str, actor: int, seat: int) -> int:
    hand = after.hands[seat]
    if game.profile.lay.when == "knock" and kind not in ("knock", "undercut") and not (kind == "gin" and seat == actor):
        return best_arrangement(hand, game).points
    return _in_hand(game, hand, after.players)


def _in_hand(game: Game, hand: CardSet, players: int) -> int:
    values = game.profile.scoring.values
    points = 0
    for card in cards_in(hand):
        if card.is_joker and values.joker == "as_card":
            ranks = game.profile.deck.ranks
            points += max(values.hand_ace if rank == "A" else values.of(rank) for rank in ranks)
        elif card.is_joker:
            assert values.joker != "as_card"
            points += values.joker
        else:
            points += values.hand_ace if card.rank == 0 else values.of(RANKS[card.rank])
    return points


def _tabled(profile: Profile, state: State) -> tuple[int, ...]:
    values = profile.scoring.values
    points = [0] * state.players
    for meld in state.table:
        for place, (face, card, seat) in enumerate(zip(meld.faces, meld.cards, meld.by, strict=True)):
            if card.is_joker and values.joker != "as_card":
                worth = values.joker
            else:
                stands = next(each for each in meld.faces if each != JOKER) if face == JOKER else face
                low_ace = stands % 13 == 0 and meld.kind == "run" and place == 0
                worth = values.low_ace if low_ace else values.of(RANKS[FACES[stands] % 13])
            if seat >= 0:
                points[seat] += worth
    return tuple(points)


def worth_of(profile: Profile, facts: Round) -> Worth:
    """The points of a round by docs/rules.md, whatever the engine says."""
    nothing = (0,) * len(facts.left)
    model, seats = profile.scoring.model, range(len(facts.left))
    charged = model in ("penalty", "knock_penalties")
    if facts.kind in UNSCORED:
        return Worth(facts.kind, None, nothing, nothing, False)
    if facts.kind == "stock_out":
        if profile.stock.then == "lowest":
            low = min(facts.left)
            if facts.left.count(low) > 1:
                return Worth("stock_out", None, nothing, nothing, False)
            return Worth("stock_out", facts.left.index(low), _settled(facts.left, [facts.left.index(low)], charged),
                         nothing, False)  # fmt: skip
        if model == "penalty":
            return Worth("stock_out", None, facts.left, nothing, False)
        if model == "melds_minus_hand":
            points = tuple(tabled - left for tabled, left in zip(facts.tabled, facts.left, strict=True))
            return Worth("stock_out", None, points, nothing, False)
        return Worth("stock_out", None, nothing, nothing, False)
    if facts.kind in KNOCKED:
        return _after_knock(profile, facts)
    rummy = profile.scoring.rummy
    times = 2 if facts.rummy and rummy == "double" else 1
    flat = rummy if facts.rummy and isinstance(rummy, int) else 0
    if model == "penalty":
        bonus = tuple(0 if seat == facts.actor else flat for seat in seats)
        base: Sequence[int] = [left * times for left in facts.left]
    elif model == "melds_minus_hand":
        bonus = tuple(flat if seat == facts.actor else 0 for seat in seats)
        base = [
            (tabled - left) * (times if seat == facts.actor else 1)
            for seat, tabled, left in zip(seats, facts.tabled, facts.left, strict=True)
        ]
    else:
        bonus = tuple(flat if seat == facts.actor else 0 for seat in seats)
        base = [sum(facts.left) * times if seat == facts.actor else 0 for seat in seats]
    points = tuple(a + b for a, b in zip(base, bonus, strict=True))
    return Worth("out", facts.actor, points, bonus, times == 2)


def _after_knock(profile: Profile, facts: Round) -> Worth:
    knock = profile.knock
    assert knock is not None, "only profiles with a knock section have these endings"
    charged, seats, knocker = profile.scoring.model == "knock_penalties", range(len(facts.left)), facts.actor
    others = [seat for seat in seats if seat != knocker]
    bonus = [0] * len(facts.left)
    if facts.kind == "gin":
        winners = [knocker]
        for seat in others if charged else winners:
            bonus[seat] = knock.big_gin_bonus if facts.big_gin else knock.gin_bonus
        kind = "gin"
    else:
        low = min(facts.left[seat] for seat in others)
        beaten = low < facts.left[knocker] or (low == facts.left[knocker] and knock.undercut_on_tie)
        winners = [seat for seat in others if facts.left[seat] == low] if beaten else [knocker]
        kind = "undercut" if beaten else "knock"
        if beaten and knock.undercut_to == "penalty":
            bonus[knocker] = knock.undercut_bonus if charged else -knock.undercut_bonus
        elif beaten:
            for seat in winners:
                bonus[seat] = -knock.undercut_bonus if charged else knock.undercut_bonus
    points = tuple(a + b for a, b in zip(_settled(facts.left, winners, charged), bonus, strict=True))
    return Worth(kind, winners[0] if len(winners) == 1 else None, points, tuple(bonus), False)


def _settled(left: tuple[int, ...], winners: list[int], charged: bool) -> tuple[int, ...]:
    """Every seat is charged what it has more than the winner, or the winners collect it."""
    over = [each - left[winners[0]] for each in left]
    if charged:
        return tuple(0 if seat in winners else each for seat, each in enumerate(over))
    return tuple(sum(over) if seat in winners else 0 for seat in range(len(left)))


def _standing(profile: Profile, worth: Worth) -> tuple[str, ...]:
    """The best points win; where nobody scores, all stand as the dial says (A15)."""
    points = worth.points
    if worth.winner is None and not any(points):
        return (profile.scoring.drawn,) * len(points)
    best = max(points) if profile.match.best == "highest" else min(points)
    word = "win" if points.count(best) == 1 else "draw"
    return tuple(word if each == best else "loss" for each in points)


# ---------------------------------------------------------------------------------------------------- what comes next


@step_law("rules C9, A18, B25, R35")
def match_moves_on(game: Game, before: State, action: Action, after: State, rng: Random) -> None:
    """After a round the match is over exactly when the dials say so; else round and dealer move on as they say."""
    result, dials = ended(before, after), game.profile.match
    if result is None:
        moved = (after.round, after.dealer, after.scores) != (before.round, before.dealer, before.scores)
        require(not moved, "round, dealer or totals changed in the middle of a round")
        require(after.result == before.result or isinstance(action, Deal), "the last result changed during a round")
        return
    best = max(after.scores) if dials.best == "highest" else min(after.scores)
    if dials.target is not None:
        due = max(after.scores) >= dials.target.at(after.players)
    else:
        assert dials.rounds is not None
        due = before.round >= dials.rounds
    over = due and (dials.tie == "share" or after.scores.count(best) == 1)
    require(game.is_over(after) == over, f"totals {after.scores} after round {before.round}: over is {not over}")
    places = tuple(1 + sum(_better(dials.best, other, own) for other in after.scores) for own in after.scores)
    require(game.places(after) == places, f"the places are {game.places(after)}, not {places}")
    winners = tuple(seat for seat, score in enumerate(after.scores) if score == best) if over else ()
    require(game.winners(after) == winners, f"the winners are {game.winners(after)}, not {winners}")
    dealer, next_round = before.dealer, before.round
    if not over:
        dealer, next_round = _next_dealer(game.profile, before.dealer, result), before.round + 1
    require((after.dealer, after.round) == (dealer, next_round), f"dealer {after.dealer} in round {after.round}")
    if over and game.profile.prize is not None:
        shares = game.payout(after, 997)
        require(sum(shares) == 997 and min(shares) >= 0, f"a pot of 997 is split into {shares}")
        fair = sum(shares[seat] for seat in winners) * 100 >= 997 * game.profile.prize.winner_min
        require(fair, f"the winners get less than their part: {shares}")


def _better(best: str, a: int, b: int) -> bool:
    return a > b if best == "highest" else a < b


def _next_dealer(profile: Profile, dealer: int, result: RoundResult) -> int:
    players = len(result.points)
    left = (dealer + 1) % players
    if result.kind == "exhausted" and profile.deal.after_exhausted == "same":
        return dealer
    if profile.deal.next_dealer == "winner" and result.winner is not None:
        return result.winner
    if profile.deal.next_dealer == "loser" and len(set(result.points)) > 1:
        worst = min(result.points) if profile.match.best == "highest" else max(result.points)
        seat = left
        while result.points[seat] != worst:
            seat = (seat + 1) % players
        return seat
    return left
