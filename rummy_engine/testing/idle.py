"""Dials that a combination makes idle: whatever they are set to, play and results are the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from rummy_engine.profiles.profile import Profile

Idle: TypeAlias = Callable[[Profile], str | None]
"""Why a dial changes nothing in this profile, or None if it may."""


class IdleDial(NamedTuple):
    """A dial that changes nothing, and why."""

    path: str
    reason: str


def idle_dials(profile: Profile) -> tuple[IdleDial, ...]:
    """Every dial of the profile that cannot matter, in the order of the list below."""
    found = []
    for paths, why in _IDLE:
        reason = why(profile)
        if reason is not None:
            found += [IdleDial(path, reason) for path in paths if _has(profile, path)]
    return tuple(dict(zip([each.path for each in reversed(found)], reversed(found), strict=True)).values())[::-1]


def _has(profile: Profile, path: str) -> bool:
    section = path.split(".")[0]
    return getattr(profile, section) is not None


def seats(profile: Profile) -> range:
    """The numbers of players that the profile is for."""
    return range(profile.players.min, profile.players.max + 1)


def has_jokers(profile: Profile) -> bool:
    """Whether there is a joker in the deck at any table."""
    return any(profile.deck.jokers.at(players) for players in seats(profile))


def _when(condition: Callable[[Profile], bool], reason: str) -> Idle:
    return lambda profile: reason if condition(profile) else None


_knocks = _when(lambda p: p.lay.when == "knock", 'nothing is tabled in a turn where lay.when = "knock"')
_no_jokers = _when(lambda p: not has_jokers(p), "there are no jokers")
_no_lay_offs = _when(lambda p: p.lay.layoff == "none", 'nobody lays off where lay.layoff = "none"')
_closed = _when(lambda p: p.draw.pile == "closed", "the pile is never taken")
_no_ace = _when(lambda p: "A" not in p.deck.ranks, "there is no ace in the deck")
_gin_only = _when(lambda p: p.knock is not None and p.knock.limit == 0, "only gin may be declared with knock.limit = 0")
_one_round = _when(
    lambda p: p.match.rounds == 1 and p.match.tie == "share", "a match of one round has no second deal"
)

_IDLE: tuple[tuple[tuple[str, ...], Idle], ...] = (
    (("deal.all_pass",), _when(lambda p: p.deal.up_card_offer == "none", "no up-card is offered")),
    (("deal.next_dealer", "deal.after_exhausted"), _one_round),
    (("deal.after_exhausted",), _when(lambda p: p.stock.then != "exhausted", "no round ends exhausted")),
    (
        ("melds.set_suits",),
        _when(
            lambda p: not has_jokers(p) and all(p.deck.packs.at(n) == 1 for n in seats(p)),
            "with one pack and no jokers the suits of a set differ anyway",
        ),
    ),
    (("melds.ace",), _no_ace),
    (("wilds.min_naturals", "wilds.max_per_meld", "wilds.swap", "scoring.values.joker"), _no_jokers),
    (("wilds.swap",), _knocks),
    (("wilds.swap",), _no_lay_offs),
    (
        ("draw.deep_use",),
        _when(
            lambda p: p.draw.pile != "deep" and not p.draw.top_obliges,
            "the pile is not taken deep and its top card does not oblige",
        ),
    ),
    (("draw.top_obliges", "discard.taken"), _closed),
    (("discard.taken",), _when(lambda p: p.draw.top_obliges, "a single card taken must be tabled anyway")),
    (
        (
            *("lay.melds_per_turn", "lay.layoff", "lay.needs_own_meld", "discard.last", "discard.last_unplayable"),
            *("discard.last_face_down", "ending.deadlock"),
        ),
        _knocks,
    ),
    (("lay.needs_own_meld", "discard.last_unplayable"), _no_lay_offs),
    (
        ("lay.needs_own_meld",),
        _when(lambda p: p.lay.layoff == "own", "who lays off on own melds only has melded before"),
    ),
    (("stock.keep_top", "stock.renewals"), _when(lambda p: p.stock.when_empty == "none", "the stock is never renewed")),
    (("stock.when_empty", "stock.keep_top"), _when(lambda p: p.stock.renewals == 0, "the stock is never renewed")),
    (
        ("knock.ace_limit",),
        _when(lambda p: p.knock is not None and p.knock.limit != "up_card", "the up-card does not set the limit"),
    ),
    (("knock.ace_limit",), _no_ace),
    (
        ("knock.layoff_chain",),
        _when(lambda p: p.knock is not None and p.knock.layoff == "none", "there are no lay-offs after a knock"),
    ),
    (
        (
            *("knock.layoff", "knock.layoff_chain", "knock.respond"),
            *("knock.undercut_bonus", "knock.undercut_on_tie", "knock.undercut_to"),
        ),
        _gin_only,
    ),
    (
        ("knock.undercut_to",),
        _when(lambda p: p.knock is not None and p.knock.undercut_bonus == 0, "there is no undercut bonus"),
    ),
    (("call.kind",), _when(lambda p: p.players.max == 2, "with two players nobody can call (rules R26)")),
    (("scoring.rummy",), _knocks),
    (("scoring.values.low_ace", "scoring.values.hand_ace", "scoring.values.A"), _no_ace),
    (("scoring.values.low_ace",), _when(lambda p: p.melds.ace == "high", "no run begins with an ace")),
    *(
        (
            (f"scoring.values.{rank}",),
            _when(lambda p, rank=rank: rank not in p.deck.ranks, f"there is no {rank} in the deck"),  # type: ignore[misc]  # mypy infers no lambda with a default
        )
        for rank in "23456789TJQK"
    ),
    (
        ("prize.split", "prize.threshold"),
        _when(lambda p: p.prize is not None and p.prize.winner_min == 100, "the winner gets the whole prize"),
    ),
)
"""Dials with the condition that makes them idle."""
