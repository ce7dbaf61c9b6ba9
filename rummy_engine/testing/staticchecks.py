"""What can be said of a profile before a card is dealt: can it be dealt, can a round end, is the scoring sound."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Literal, NamedTuple

from rummy_engine.cards import FACES
from rummy_engine.errors import RummyError
from rummy_engine.game import Game
from rummy_engine.profiles.dials import dials
from rummy_engine.profiles.profile import Profile
from rummy_engine.testing.idle import idle_dials, seats
from rummy_engine.testing.laws.scores import Round, worth_of


class Finding(NamedTuple):
    """One thing found about a profile. A fault: it cannot be played to an end; a warning: it is hardly meant so."""

    level: Literal["fault", "warning", "note"]
    text: str


def static_findings(game: Game) -> tuple[Finding, ...]:
    """Everything that can be said without playing, faults first."""
    checks = (_deals, _endings, _match_ends, _scores, _direction, _turns, _idle)
    found = [finding for check in checks for finding in check(game)]
    return tuple(sorted(found, key=lambda finding: ("fault", "warning", "note").index(finding.level)))


@lru_cache(maxsize=64)
def possible_endings(game: Game, players: int) -> tuple[str, ...]:
    """The ways in which a round at this table can end, as far as the dials tell."""
    profile = game.profile
    found = []
    if profile.lay.when == "knock":
        knock = profile.knock
        assert knock is not None, "checked with the profile"
        if _melds_in(game, players) or _free_cards(game, players):
            found.append("gin")
        if knock.limit != 0:
            found += ["knock", "undercut"]
    elif _melds_in(game, players):
        found.append("out")
    if profile.stock.when_empty == "none" or profile.stock.renewals != "unlimited":
        found.append("exhausted" if profile.stock.then == "exhausted" else "stock_out")
    if profile.ending.deadlock and profile.lay.when == "any_turn":
        found.append("deadlock")
    return (*found, "void")


def impossible_actions(profile: Profile) -> frozenset[str]:
    """The types of action and the phases that the compiled rules know but these dials never allow."""
    found = set()
    stock, idle = profile.stock, {each.path for each in idle_dials(profile)}
    if stock.when_empty != "shuffle" or stock.renewals == 0:
        found |= {"Reshuffle", "reshuffle"}
    if not profile.wilds.swap or "wilds.swap" in idle:
        found.add("Swap")
    if profile.lay.layoff == "none":
        found.add("LayOff")
    if profile.draw.pile == "closed":
        found.add("Take")
    if profile.knock is not None and profile.knock.limit == 0:
        found.add("respond")
    return frozenset(found)


def _melds_in(game: Game, players: int) -> bool:
    """Whether some meld of the pack fits into a hand: going out takes one."""
    profile, rules = game.profile, game.rules(players)
    most = max(rules.hand_size(round) for round in _rounds(profile)) + 1 - (profile.discard.last == "required")
    if profile.draw.pile == "deep" or profile.call.kind == "pile":
        most = len(rules.deck)
    return any(len(meld.cards) <= most for meld in rules.finder.melds(rules.pack))


def _rounds(profile: Profile) -> range:
    return range(1, len(profile.deal.hand_size.steps) + 1 if profile.deal.hand_size.form == "by_round" else 2)


def _free_cards(game: Game, players: int) -> bool:
    rules = game.rules(players)
    free = sum(rules.table.worth.in_hand[FACES[card]] == 0 for card in rules.deck)
    return free >= min(rules.hand_size(round) for round in _rounds(game.profile))


def _deals(game: Game) -> Iterator[Finding]:
    for players in seats(game.profile):
        for round_ in _rounds(game.profile):
            try:
                start = game.start(players).changed(round=round_)
                legal = game.legal(game.apply(start, game.chance(start, Random(round_))))
            except Exception as error:
                told = str(error) if isinstance(error, RummyError) else f"{type(error).__name__}: {error}"
                yield Finding("fault", f"{players} players, round {round_}: it cannot be dealt: {told}")
                continue
            if not legal:
                yield Finding("fault", f"{players} players, round {round_}: nobody can act after the deal")


def _endings(game: Game) -> Iterator[Finding]:
    for players in seats(game.profile):
        endings = possible_endings(game, players)
        if endings == ("void",):
            yield Finding("fault", f"{players} players: a round can only end by the turn cap (ending.max_turns)")
        elif not {"out", "gin", "knock"} & set(endings):
            yield Finding("warning", f"{players} players: nobody can ever go out; rounds end {' or '.join(endings)}")


def _worths(game: Game, players: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """What each possible ending is worth when the first seat is best placed, per ending."""
    rules = game.rules(players)
    dearest = max(rules.table.worth.in_hand[FACES[card]] for card in rules.deck)
    left = (0,) + (dearest,) * (players - 1)
    for ending in possible_endings(game, players):
        kind = "knock" if ending == "undercut" else ending
        hands = (*left[1:], 0) if ending == "undercut" else left
        facts = Round(kind, 0, hands, (dearest,) + (0,) * (players - 1), rummy=False, big_gin=False)
        yield ending, worth_of(game.profile, facts).points


def _match_ends(game: Game) -> Iterator[Finding]:
    dials = game.profile.match
    for players in seats(game.profile):
        points = [each for _, each in _worths(game, players)]
        if dials.target is not None and not any(max(each) > 0 for each in points):
            yield Finding("fault", f"{players} players: nobody can ever score, so the target is never reached")
        if dials.rounds is not None and dials.tie == "round" and all(len(set(each)) == 1 for each in points):
            yield Finding("fault", f"{players} players: every round is a tie, so the match never ends")


def _scores(game: Game) -> Iterator[Finding]:
    silent: dict[str, None] = {}
    for players in seats(game.profile):
        for ending, points in _worths(game, players):
            if ending in ("stock_out", "out", "gin", "knock", "undercut") and not any(points):
                silent[ending] = None
    for ending in silent:
        yield Finding("note", f"a round that ends {ending!r} is scored, but worth nothing to anybody")


def _direction(game: Game) -> Iterator[Finding]:
    model, best = game.profile.scoring.model, game.profile.match.best
    charges = model in ("penalty", "knock_penalties")
    if charges and best == "highest":
        yield Finding("warning", f"{model} charges the losers, but the highest total wins (match.best)")
    if not charges and best == "lowest":
        yield Finding("warning", f"{model} credits who is better, but the lowest total wins (match.best)")


def _turns(game: Game) -> Iterator[Finding]:
    most, players = game.profile.ending.max_turns, game.profile.players.max
    if most < players:
        yield Finding("warning", f"with {players} players not everybody has a turn: ending.max_turns = {most}")


def _idle(game: Game) -> Iterator[Finding]:
    data = game.profile.to_dict()
    defaults = {dial.path: dial.default for dial in dials()}
    twice_off = game.profile.stock.when_empty == "none" and game.profile.stock.renewals == 0
    unset: dict[str, list[str]] = {}
    for path, reason in idle_dials(game.profile):
        value = _at(data, path)
        if value in (None, defaults.get(path)) or (twice_off and path.startswith("stock.")):
            unset.setdefault(reason, []).append(path)
        else:
            yield Finding("warning", f"{path} = {value!r} changes nothing: {reason}")
    for reason, paths in unset.items():
        yield Finding("note", f"without effect, since {reason}: {', '.join(paths)}")


def _at(data: object, path: str) -> object:
    for key in path.split("."):
        data = data.get(key) if isinstance(data, dict) else None
    return data
