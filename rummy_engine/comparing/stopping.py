"""When a run ends: after a fixed number of deals, or as soon as an interval is narrow enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rummy_engine.comparing.counting import Tally
from rummy_engine.comparing.measures import measure_named
from rummy_engine.comparing.setups import Setup
from rummy_engine.errors import RummyError
from rummy_engine.hints import presentable

LEAST = 100
"""Before so many deals no rule is met: what is rare may not have come up yet, and intervals are too narrow."""
DIFFERENCE = "difference."
"""Before the name of a measure: the paired differences from the first row."""


@dataclass(frozen=True, slots=True)
class Until:
    """Stop as soon as the 95 % interval of a measure is narrower than `width`, from bound to bound, in every row.

    `measure` is a name of `MEASURES`; with "difference." before it, the differences of the other rows from the first
    are meant. It is asked after each whole chunk, in their order, so the answer does not hang on who played them; it is
    not met before `LEAST` deals, nor where a row has lost some of these to a bot that failed.
    """

    measure: str
    width: float

    def __post_init__(self) -> None:
        measure_named(self.measure.removeprefix(DIFFERENCE) if isinstance(self.measure, str) else self.measure)
        number = isinstance(self.width, int | float) and not isinstance(self.width, bool)
        if not number or not 0 < self.width < float("inf"):
            raise RummyError(f"the width of an interval is a number above 0, not {presentable(self.width)!r:.40}")

    @classmethod
    def read(cls, text: str) -> Until:
        """The rule written as "edge<0.5" or "left_won<2%"; raises RummyError for anything else.

        >>> Until.read("left_won<2%")
        Until(measure='left_won', width=0.02)
        """
        name, sign, width = text.partition("<")
        percent = width.strip().endswith("%")
        try:
            number = float(width.strip().removesuffix("%"))
        except ValueError:
            sign = ""
        if not sign:
            raise RummyError(f'a stopping rule is written as "edge<0.5" or "left_won<2%", not as {text!r:.60}')
        rule = cls(name.strip(), number / 100 if percent else number)
        measure = measure_named(rule.measure.removeprefix(DIFFERENCE))
        if percent and not measure.is_share:
            raise RummyError(f"{measure.name!r} is no share: its width is in {measure.unit}, not in %")
        return rule

    def __str__(self) -> str:
        return f"{self.measure}<{self.width:g}"

    @property
    def sentence(self) -> str:
        """What it asks for, for a person.

        >>> Until("left_won", 0.02).sentence
        'the 95 % interval of first seat won is narrower than 2 % in every row'
        """
        title = measure_named(self.measure.removeprefix(DIFFERENCE)).title
        of = f"the differences in {title}" if self.measure.startswith(DIFFERENCE) else title
        return f"the 95 % interval of {of} is narrower than {self.told(self.width)} in every row"

    def told(self, width: float) -> str:
        """A width in the unit of the measure, for a person.

        >>> Until("turns", 3).told(5.0833333)
        '5.0833 turns'
        """
        measure = measure_named(self.measure.removeprefix(DIFFERENCE))
        return f"{100 * width:.5g} %" if measure.is_share else f"{width:.5g} {measure.unit}"

    def check(self, setups: Sequence[Setup], whole_matches: bool) -> None:
        """Raises RummyError if the rule could never be met, so that the run would go on to its last deal."""
        measure = measure_named(self.measure.removeprefix(DIFFERENCE))
        if measure.per == "matches" and not whole_matches:
            raise RummyError(f"{measure.name!r} is a measure of whole matches, and single rounds are played")
        if self.measure.startswith(DIFFERENCE) and len(setups) < 2:
            raise RummyError(f"{str(self)!r} is about differences from the first row, and there is no other row")
        for setup in setups:
            if measure.per == "pairs" and not setup.is_pair:
                raise RummyError(
                    f"{measure.name!r} needs two bots with equally many seats, which {setup.label} for {setup.players} "
                    f"with {', '.join(setup.names)} has not"
                )

    def is_met(self, tallies: Sequence[Tally]) -> bool:
        """Whether the intervals of these rows are all narrow enough, and rest on `LEAST` deals or more."""
        enough = bool(tallies) and all(tally.take("deals") >= LEAST for tally in tallies)
        return enough and not self.too_wide(tallies)

    def too_wide(self, tallies: Sequence[Tally]) -> dict[int, float | None]:
        """The rows whose interval is not narrow enough, by place, with its width; None where there is no interval.

        Where differences are meant, the first row counts only if there is no other.
        """
        measure = measure_named(self.measure.removeprefix(DIFFERENCE))
        if self.measure.startswith(DIFFERENCE):
            found = {place: measure.difference(tally, tallies[0]).width for place, tally in enumerate(tallies) if place}
        else:
            found = {place: measure.estimate(tally).width for place, tally in enumerate(tallies)}
        return {place: width for place, width in (found or {0: None}).items() if width is None or width >= self.width}
