"""What is measured: every measure with its one definition, from which it is computed, printed and explained.

A measure is a quotient of two sums of whole numbers (see `counting.QUANTITIES`), so results are the same in any order.
Shares of rounds or matches have Wilson's interval where each deal is played once. Where a deal is played with several
seatings, and for all other measures, the interval is the bootstrap's over deals (see `lanes`); so is that of the paired
difference between two rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

from rummy_engine.comparing.counting import ENDINGS, Tally
from rummy_engine.comparing.intervals import UNKNOWN, Interval, resampled, share_of
from rummy_engine.comparing.setups import Setup
from rummy_engine.errors import RummyError
from rummy_engine.hints import closest, presentable

if TYPE_CHECKING:
    from rummy_engine.profiles.profile import Profile

Take: TypeAlias = Callable[[str], int]
"""Quantity -> its sum."""


def always(profile: Profile, players: int) -> bool:
    """For measures that say something about every profile."""
    return True


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure: `over` divided by `per`, both sums of quantities.

    A "share" is a number from 0 to 1, a "mean" in `unit`; a "spread" is the standard deviation of what `over` sums up,
    whose squares are `squares`; "above_half" is a share less one half.
    """

    name: str
    title: str
    unit: str
    sentence: str
    kind: Literal["share", "mean", "spread", "above_half"]
    over: str
    per: str
    applies: Callable[[Profile, int], bool] = always
    """Whether it can be anything but 0 in a profile with so many seats."""

    @property
    def formula(self) -> str:
        """How it is computed, for a person."""
        quotient = f"{self.over} / {self.per}"
        if self.kind == "spread":
            return f"√(squares / {self.per} - ({quotient})²)"
        return quotient + " - ½" * (self.kind == "above_half")

    @property
    def is_share(self) -> bool:
        """Whether it is printed in percent."""
        return self.kind in ("share", "above_half")

    def value(self, take: Take) -> float | None:
        """The measure of these sums; None where nothing was counted."""
        total = take(self.per)
        if total <= 0:  # resampling may weigh every deal with 0
            return None
        mean = take(self.over) / total
        if self.kind == "spread":
            return sqrt(max(0.0, take("squares") / total - mean * mean))
        return mean - 0.5 if self.kind == "above_half" else mean

    def estimate(self, tally: Tally) -> Interval:
        """The measure of a tally with its 95 % interval."""
        value = self.value(tally.take)
        deals = tally.take("deals")
        if value is None:
            return UNKNOWN
        share = value + 0.5 if self.kind == "above_half" else value
        if self.kind == "share" and tally.take(self.per) == deals:
            return share_of(tally.take(self.over), deals)
        if self.is_share and share in (0, 1):  # resamples would all be the same
            _, low, high = share_of(round(share * deals), deals)
            less = share - value
            return Interval(value, None if low is None else low - less, None if high is None else high - less)
        return resampled(value, self.resamples(tally) if deals > 1 else ())

    def difference(self, tally: Tally, base: Tally) -> Interval:
        """The measure of a tally less that of the base, over the same deals; resampled in pairs."""
        value, other = self.value(tally.take), self.value(base.take)
        if value is None or other is None:
            return UNKNOWN
        few = min(tally.take("deals"), base.take("deals")) < 2
        pairs = () if few else zip(self.resamples(tally), self.resamples(base), strict=True)
        return resampled(value - other, (None if a is None or b is None else a - b for a, b in pairs))

    def resamples(self, tally: Tally) -> list[float | None]:
        """The measure of each resample."""
        names = dict.fromkeys((self.over, self.per, *(["squares"] if self.kind == "spread" else ())))
        lanes = {name: tally.resampled(name) for name in names}
        each = zip(*lanes.values(), strict=True)
        return [self.value(dict(zip(lanes, sums, strict=True)).__getitem__) for sums in each]


def _share(
    name: str,
    title: str,
    sentence: str,
    over: str,
    per: str = "rounds",
    applies: Callable[[Profile, int], bool] = always,
) -> Measure:
    return Measure(name, title, "%", sentence, "share", over, per, applies)


_ENDING_SENTENCES = {
    "out": "a hand was emptied",
    "gin": "the knocker had no deadwood",
    "knock": "the knocker had the least deadwood",
    "undercut": "the knocker was undercut",
    "stock_out": "the stock ran out and the round was scored",
    "exhausted": "the stock ran out and nobody scored",
    "deadlock": "no card could be played any more",
    "void": "the cap on turns was reached",
}

_ALL = (
    *(
        _share(f"ended_{kind}", f"ended: {kind}".replace("_", " "), f"share of rounds where {why}", f"ended_{kind}")
        for kind, why in _ENDING_SENTENCES.items()
    ),
    _share("doubled", "going rummy", "share of rounds that ended by going rummy, where that is rewarded", "doubled",
           applies=lambda profile, players: profile.scoring.rummy != "off"),
    _share("drawn", "no winner", "share of rounds that no seat won alone", "drawn"),
    _share(
        "counted_drawn", "counted as draws",
        "share of rounds that the variant's statistics count as a draw (some count a drawn round as everybody's loss)",
        "counted_drawn",
    ),
    Measure("turns", "turns", "turns",
            "turns completed per round; a turn runs from the draw, take or call to the discard",
            "mean", "turns", "rounds"),
    Measure("plies", "plies", "plies", "player actions per round; those of chance do not count",
            "mean", "plies", "rounds"),
    Measure("renewals", "stock renewals", "renewals", "renewals of the stock per round", "mean", "renewals", "rounds"),
    Measure("branching", "branching factor", "actions", "legal actions per decision", "mean", "options", "plies"),
    _share("choice", "real choices", "share of decisions with two or more legal actions", "choices", "plies"),
    Measure("points", "points", "points", "points per seat and round: the mean over all seats",
            "mean", "points", "seats"),
    Measure("spread", "spread of points", "points", "standard deviation of the points per seat and round",
            "spread", "points", "seats"),
    Measure("edge", "first seat's edge", "points",
            "points of the seat left of the dealer less the mean of all seats, per round",
            "mean", "left_points", "seats"),
    _share("left_won", "first seat won", "share of rounds that the seat left of the dealer won alone", "left_won"),
    _share("called", "rummy calls", "share of rounds with a rummy call", "called",
           applies=lambda profile, players: profile.call.kind != "off"),
    _share("dug", "deep draws", "share of rounds with a draw of two or more cards of the pile", "dug",
           applies=lambda profile, players: profile.draw.pile == "deep"),
    _share("wild", "jokers tabled", "share of rounds in which a joker was melded or laid off", "wild",
           applies=lambda profile, players: profile.deck.jokers.at(players) > 0),
    Measure("length", "length of a match", "rounds", "rounds per match", "mean", "rounds", "matches"),
    Measure("lead_changes", "lead changes", "changes",
            "how often per match a seat came to lead alone that was not the last to do so",
            "mean", "lead_changes", "matches"),
    _share("shared", "matches shared", "share of matches that several seats won together", "shared", "matches"),
    _share("unfinished", "matches cut off", "share of matches stopped because they went on for 500 rounds",
           "unfinished", "matches"),
    Measure("skill", "skill index", "%",
            "the first bot's chance of winning a match (where single rounds are played: a round) against the second, "
            "less one half; where neither wins alone, half a win each", "above_half", "first_halves", "pairs"),
)  # fmt: skip

MEASURES = MappingProxyType({measure.name: measure for measure in _ALL})
"""Every measure of a row, by name, in the order of reports."""

BOT_POINTS = Measure(
    "points", "points", "points", "points per seat of the bot and round", "mean", "bot_points", "bot_seats"
)
BOT_WON = _share("won", "rounds won", "share of rounds that a seat of the bot won alone", "bot_won")
BOT_MATCHES = _share("matches_won", "matches won", "share of matches that a seat of the bot won alone",
                     "bot_matches", "matches")  # fmt: skip
BOT_MEASURES = (BOT_POINTS, BOT_WON, BOT_MATCHES)
"""What is measured of each bot of a line-up."""

AHEAD = _share("ahead", "ahead", "the first bot's chance of being ahead in a match after a round; even: one half",
               "ahead", "pairs")  # fmt: skip
"""What the skill curve shows of each round."""


def after_round(number: int) -> Measure:
    """The measure of the skill curve after so many rounds."""
    return replace(AHEAD, over=f"{AHEAD.over}_{number}")


def of_bot(measure: Measure, place: int) -> Measure:
    """A measure of `BOT_MEASURES` for the bot at a place of the line-up."""
    per = f"{measure.per}_{place}" if measure.per.startswith("bot_") else measure.per
    return replace(measure, over=f"{measure.over}_{place}", per=per)


def measure_named(name: object) -> Measure:
    """The measure of that name; raises RummyError for any other, with the one that was probably meant."""
    if isinstance(name, str) and name in MEASURES:
        return MEASURES[name]
    near = closest(name, MEASURES)
    hint = f" (did you mean {near!r}?)" if near else f": choose from {', '.join(MEASURES)}"
    raise RummyError(f"there is no measure {presentable(name)!r:.60}{hint}")


def shown(name: str, setup: Setup, tally: Tally) -> bool:
    """Whether a measure says anything about a row: kinds of endings only where they occurred."""
    measure = MEASURES[name]
    if not tally.take(measure.per) or not measure.applies(setup.game.profile, setup.players):
        return False
    return name.removeprefix("ended_") not in ENDINGS or tally.take(measure.over) > 0
