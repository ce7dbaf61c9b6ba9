"""Combinations of dials that make no game, each with its reason.

A dial that a combination merely makes idle is no mistake: only what no table could play is refused here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from rummy_engine.profiles.profile import Profile
    from rummy_engine.profiles.tablenumber import TableNumber


class Clash(NamedTuple):
    """A combination that is refused: the dials that could be changed to mend it, the likeliest first, and why."""

    dials: tuple[str, ...]
    reason: str


Check: TypeAlias = Callable[["Profile"], Iterator[Clash]]

CHECKS: list[tuple[tuple[str, ...], Check]] = []
"""Every check with the dials it reads: it can only be asked where these are known."""


def reads(*dials: str) -> Callable[[Check], Check]:
    """Registers a check under the dials (or whole optional sections) it reads."""

    def register(check: Check) -> Check:
        CHECKS.append((dials, check))
        return check

    return register


@reads("players.min", "players.max")
def _players(profile: Profile) -> Iterator[Clash]:
    if profile.players.min > profile.players.max:
        reason = f"the fewest players, {profile.players.min}, are more than the most, {profile.players.max}"
        yield Clash(("players.min", "players.max"), reason)


def _covers(path: str, number: Callable[[Profile], TableNumber | None]) -> None:
    """Registers the check that a number by players is defined at every table."""

    @reads(path, "players.min")
    def check(profile: Profile) -> Iterator[Clash]:
        table, fewest = number(profile), profile.players.min
        if table is not None and table.form == "by_players" and table.steps[0][0] > fewest:
            reason = f"the smallest key must be at most {fewest}, the fewest players; it is {table.steps[0][0]}"
            yield Clash((path, "players.min"), reason)


_covers("deck.packs", lambda profile: profile.deck.packs)
_covers("deck.jokers", lambda profile: profile.deck.jokers)
_covers("deal.hand_size", lambda profile: profile.deal.hand_size)
_covers("match.target", lambda profile: profile.match.target)


def _tables(profile: Profile) -> range:
    """The numbers of players for which every number by players is defined; the other checks speak of the rest."""
    numbers = (profile.deck.packs, profile.deck.jokers, profile.deal.hand_size, profile.match.target)
    covered = (number.steps[0][0] for number in numbers if number is not None and number.form == "by_players")
    fewest, most = sorted((profile.players.min, profile.players.max))  # another check complains of the wrong order
    return range(max(fewest, *covered, 2), most + 1)


@reads("players.min", "players.max", "deck.packs", "deck.jokers", "deck.ranks", "deck.suits", "deal.hand_size",
       "stock.floor")
def _deal(profile: Profile) -> Iterator[Clash]:
    hand_size, floor = profile.deal.hand_size, profile.stock.floor
    for players in _tables(profile):
        hand = max(hand_size.numbers) if hand_size.form == "by_round" else hand_size.at(players)
        needed, size = players * hand + 1 + floor + 1, profile.deck.size(players)
        if needed > size:
            resting = f" + {floor} that stay in the stock" if floor else ""
            yield Clash(
                ("deal.hand_size", "players.max", "deck.packs", "deck.ranks", "deck.suits", "stock.floor"),
                f"{players} players × {hand} cards + the up-card{resting} + one to draw = {needed}, "
                f"but the deck holds {size}",
            )
            return


@reads("melds.set_min", "melds.set_max")
def _set_sizes(profile: Profile) -> Iterator[Clash]:
    if profile.melds.set_min > profile.melds.set_max:
        reason = f"the smallest set, {profile.melds.set_min} cards, is larger than the largest, {profile.melds.set_max}"
        yield Clash(("melds.set_min", "melds.set_max"), reason)


@reads("melds.run_min", "melds.run_max")
def _run_sizes(profile: Profile) -> Iterator[Clash]:
    if profile.melds.run_min > profile.melds.run_max:
        reason = f"the shortest run, {profile.melds.run_min} cards, is longer than the longest, {profile.melds.run_max}"
        yield Clash(("melds.run_min", "melds.run_max"), reason)


@reads("melds.run_min", "deck.ranks")
def _run_fits(profile: Profile) -> Iterator[Clash]:
    shortest, ranks = profile.melds.run_min, profile.deck.ranks
    if shortest > len(ranks):
        reason = f"the shortest run, {shortest} cards, is longer than the {len(ranks)} ranks of the deck"
        yield Clash(("melds.run_min", "deck.ranks"), reason)


@reads("melds.set_min", "melds.set_suits", "deck.suits", "deck.packs", "deck.jokers", "wilds.max_per_meld",
       "players.min", "players.max")
def _set_fits(profile: Profile) -> Iterator[Clash]:
    suits, most = len(profile.deck.suits), 0
    for players in _tables(profile):
        packs = profile.deck.packs.at(players)
        jokers = packs * profile.deck.jokers.at(players)
        if profile.wilds.max_per_meld != "unlimited":
            jokers = min(jokers, profile.wilds.max_per_meld)
        # With distinct suits a joker takes the place of a missing suit, so it does not make the set any larger.
        most = max(most, suits if profile.melds.set_suits == "distinct" else packs * suits + jokers)
    if _tables(profile) and profile.melds.set_min > most:
        reason = f"the smallest set, {profile.melds.set_min} cards, is larger than any set of this deck, {most}"
        yield Clash(("melds.set_min", "deck.suits", "melds.set_suits"), reason)


@reads("wilds.min_naturals", "melds.set_min", "melds.run_min")
def _naturals(profile: Profile) -> Iterator[Clash]:
    naturals, smallest = profile.wilds.min_naturals, min(profile.melds.set_min, profile.melds.run_min)
    if naturals > smallest:
        reason = f"at most {smallest}, the cards of the smallest meld; {naturals} would forbid that meld altogether"
        yield Clash(("wilds.min_naturals", "melds.set_min", "melds.run_min"), reason)


@reads("lay.when", "knock")
def _knock_section(profile: Profile) -> Iterator[Clash]:
    if profile.lay.when == "knock" and profile.knock is None:
        yield Clash(("knock.limit",), 'lay.when = "knock" needs a [knock] section with a limit')
    if profile.lay.when != "knock" and profile.knock is not None:
        yield Clash(("lay.when", "knock"), 'a [knock] section needs lay.when = "knock"')


@reads("lay.when", "scoring.model")
def _knock_scoring(profile: Profile) -> Iterator[Clash]:
    model = profile.scoring.model
    scores_knocks = model in ("knock_penalties", "knock_difference")
    if profile.lay.when == "knock" and not scores_knocks:
        reason = f'"{model}" scores emptied hands; with lay.when = "knock" use "knock_penalties" or "knock_difference"'
        yield Clash(("scoring.model", "lay.when"), reason)
    if profile.lay.when != "knock" and scores_knocks:
        yield Clash(("scoring.model", "lay.when"), f'"{model}" scores knocks; it needs lay.when = "knock"')


@reads("lay.when", "draw.pile", "draw.top_obliges", "call.kind")
def _obligations(profile: Profile) -> Iterator[Clash]:
    if profile.lay.when != "knock":
        return
    never = 'but with lay.when = "knock" nothing is tabled in a turn'
    if profile.draw.pile == "deep":
        yield Clash(("draw.pile", "lay.when"), f"a deep draw must table its deepest card, {never}")
    if profile.draw.top_obliges:
        yield Clash(("draw.top_obliges", "lay.when"), f"the taken card must be tabled, {never}")
    if profile.call.kind != "off":
        yield Clash(("call.kind", "lay.when"), f"a called card must be tabled, {never}")


@reads("draw.pile", "deal.up_card_offer", "call.kind")
def _closed_pile(profile: Profile) -> Iterator[Clash]:
    if profile.draw.pile != "closed":
        return
    if profile.deal.up_card_offer != "none":
        yield Clash(("deal.up_card_offer", "draw.pile"), 'nobody may take the up-card where draw.pile = "closed"')
    if profile.call.kind != "off":
        yield Clash(("call.kind", "draw.pile"), 'nobody may take a called card where draw.pile = "closed"')


@reads("match.target", "match.rounds")
def _match_end(profile: Profile) -> Iterator[Clash]:
    if profile.match.target is None and profile.match.rounds is None:
        yield Clash(("match",), "needs either a target or a number of rounds")
    if profile.match.target is not None and profile.match.rounds is not None:
        yield Clash(("match.rounds", "match.target"), "target and rounds exclude each other: keep one")


@reads("match.target", "match.rounds", "match.target_allowed")
def _target_allowed_idle(profile: Profile) -> Iterator[Clash]:
    if profile.match.target is None and profile.match.target_allowed is not None:
        yield Clash(("match.target_allowed",), "limits match.target, which is not set")


@reads("match.target_allowed.min", "match.target_allowed.max")
def _target_range(profile: Profile) -> Iterator[Clash]:
    allowed = profile.match.target_allowed
    if allowed is not None and allowed.min > allowed.max:
        reason = f"the smallest target {allowed.min} is above the largest {allowed.max}"
        yield Clash(("match.target_allowed.min", "match.target_allowed.max"), reason)


@reads("match.target", "match.target_allowed.min", "match.target_allowed.max", "match.target_allowed.step")
def _target_in_range(profile: Profile) -> Iterator[Clash]:
    target, allowed = profile.match.target, profile.match.target_allowed
    if target is None or allowed is None or allowed.min > allowed.max:
        return
    wrong = [n for n in target.numbers if n not in range(allowed.min, allowed.max + 1, allowed.step)]
    if wrong:
        reason = f"{wrong[0]} is not allowed here: {allowed.min} to {allowed.max} in steps of {allowed.step}"
        yield Clash(("match.target", "match.target_allowed"), reason)
