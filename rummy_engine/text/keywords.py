"""The keywords that describe a situation, read one by one: every mistake is collected, and all are raised together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeGuard, TypeVar

from rummy_engine.cards import COPIES, Card, parse_card
from rummy_engine.errors import NotationError, Problem, ProfileError
from rummy_engine.hints import closest, presentable
from rummy_engine.state import PHASES, RoundResult
from rummy_engine.text.notation import MAX_LENGTH, Words, shortened

KEYWORDS: Mapping[str, tuple[str, str]] = MappingProxyType({
    "hands": ("the cards of each seat, one text a seat, which may be empty", "required"),
    "pile": ("the pile, bottom to top", "empty"),
    "stock": ("the stock, next draw first", "every card not named elsewhere, in pack order"),
    "table": ("the melds, each with who laid it (a seat and `:`; nobody without) and later lay-offs after `+`", "none"),
    "seat": ("the seat to act; -1: the dealer, that is chance", "the seat left of the dealer"),
    "dealer": ("the seat that dealt", "0"),
    "phase": ("`deal`, `offer`, `draw`, `play`, `spread`, `respond`, `call`, `reshuffle` or `over`", "`draw`"),
    "taken": ("the cards that this turn took from the pile, bottom to top", "none"),
    "owed": ("the cards that this turn must still table", "after a deep draw the deepest, while it is in the hand"),
    "tabled": ("the seats that melded or laid off in an earlier turn", "those named in `table`"),
    "renewals": ("how often the stock was renewed in this round", "0"),
    "scores": ("the points of the match so far, per seat", "0 each"),
    "round": ("the number of the round, from 1", "1"),
    "by": (
        "whose knock (phases `spread`, `respond`) or discard (`call`, `reshuffle`) is being answered; -1: nobody's",
        "the knocker, who laid meld 0; else the seat on the right",
    ),
    "known": ("the cards of each hand that everybody saw taken, one text a seat", "none"),
    "turns": ("how many turns were completed in this round", "0"),
    "idle": ("turns in a row that began with an exhausted stock and tabled nothing", "0"),
    "stock_only": ("whether this draw must come from the stock", "`False`"),
    "stock_known": ("how many of the next draws everybody knows", "0"),
    "melds_now": ("how many new melds this turn has laid", "in `play` those of a seat that is not in `tabled`, else 0"),
    "tabled_now": ("whether this turn tabled anything", "in `play` whether a seat not in `tabled` did, or `melds_now`"),
    "declared": ("what the knocker declared: `knock`, `gin` or `big_gin`", "what the knocker's cards amount to"),
    "knock_limit": ("the most deadwood to knock with, in points", "what the profile says"),
    "face_down": ("the seat whose last discard lies face down on the pile; -1: nobody's", "-1"),
    "result": ("how the round that finished last ended: the fields of a `RoundResult`", "`None`"),
    "copies": ("with twins in play: for a face, which copy each mention of it is, from 1", "in the order of mention"),
})
"""Every keyword of a position, in the order in which `describe` gives them: what it says and what holds without it."""

KINDS = ("out", "gin", "knock", "undercut", "stock_out", "exhausted", "deadlock", "void")
"""How a round can end (`RoundResult.kind`)."""
DECLARED = ("", "knock", "gin", "big_gin")
"""What a knocker can have declared."""

_T = TypeVar("_T")


class Mistake(NamedTuple):
    """One thing that is wrong: the keyword, what it said, and why it cannot be (`position`: characters into a text)."""

    keyword: str
    value: object
    message: str
    position: int | None = None


class Keywords:
    """The keywords of one position. Reading a bad one notes the mistake and gives the default instead."""

    def __init__(self, given: Mapping[str, object]) -> None:
        self.given = given
        self.mistakes: list[Mistake] = []
        self.breaks_profile = False
        self._noted: set[tuple[str, str]] = set()
        for name in given:
            if name not in KEYWORDS:
                hint = closest(name, KEYWORDS)
                told = f"did you mean {hint!r}?" if hint else "they are " + ", ".join(KEYWORDS)
                self.wrong(name, None, f"is no keyword of a position ({told})")

    def __contains__(self, keyword: str) -> bool:
        """Whether it says something; None says nothing, so the default holds."""
        return self.given.get(keyword) is not None

    def wrong(self, keyword: str, value: object, message: str, position: int | None = None) -> None:
        """Notes a mistake, the same one only once."""
        if (keyword, message) not in self._noted:
            self._noted.add((keyword, message))
            self.mistakes.append(Mistake(keyword, value, message, position))

    def raise_mistakes(self) -> None:
        """Raises what was noted, all at once: a ProfileError if the profile does not have the seats."""
        found = self.mistakes
        if self.breaks_profile:
            raise ProfileError(tuple(Problem(each.keyword, self._shown(each), each.message) for each in found))
        if found:
            message = "; ".join(f"{each.keyword}: {each.message}" for each in found)
            text = found[0].value if isinstance(found[0].value, str) else ""
            raise NotationError(message, text, found[0].position, "a position that the profile allows")

    def _shown(self, mistake: Mistake) -> object:
        return presentable(self.given.get(mistake.keyword) if mistake.value is None else mistake.value)

    def seats(self, fewest: int, most: int) -> tuple[str, ...]:
        """The hands, one a seat; raises NotationError at once without any, for then nothing else can be read."""
        hands = self.texts("hands")
        if "hands" not in self:
            self.wrong("hands", None, "missing: expected one text a seat")
        elif not fewest <= len(hands) <= most and not any(each.keyword == "hands" for each in self.mistakes):
            self.breaks_profile = True
            self.wrong("hands", len(hands), f"expected one text a seat, {fewest} to {most} of them")
        if not hands:
            self.raise_mistakes()
        return hands

    # ---------------------------------------------------------------------------------------------- plain values

    def text(self, keyword: str) -> str:
        """A text; default empty."""
        value = self.given[keyword] if keyword in self else ""
        return value if _is_text(value) else self._mistyped(keyword, value, f"a text {_AT_MOST}", "")

    def texts(self, keyword: str) -> tuple[str, ...]:
        """A list of texts; default empty."""
        value = self.given[keyword] if keyword in self else ()
        if isinstance(value, (list, tuple)) and len(value) <= MAX_LENGTH and all(map(_is_text, value)):
            return tuple(value)
        return self._mistyped(keyword, value, f"a list of texts {_AT_MOST}", ())

    def one_of(self, keyword: str, allowed: tuple[str, ...], default: str) -> str:
        """One of a few words."""
        value = self.given[keyword] if keyword in self else default
        if isinstance(value, str) and value in allowed:
            return value
        hint = closest(value, allowed)
        named = ", ".join(map(repr, allowed)) + (f" (did you mean {hint!r}?)" if hint else "")
        return self._mistyped(keyword, value, "one of " + named, default)

    def phase(self) -> str:
        """The phase; default "draw"."""
        return self.one_of("phase", PHASES, "draw")

    def flag(self, keyword: str, default: bool = False) -> bool:
        """True or False."""
        value = self.given[keyword] if keyword in self else default
        return value if isinstance(value, bool) else self._mistyped(keyword, value, "True or False", default)

    def number(self, keyword: str, default: int, low: int | None = 0, high: int | None = None) -> int:
        """A whole number from `low` to `high`."""
        value = self.given[keyword] if keyword in self else default
        if _is_number(value, low, high):
            return value
        return self._mistyped(keyword, value, _range(low, high), default)

    def numbers(self, keyword: str, default: tuple[int, ...], low: int | None, high: int | None) -> tuple[int, ...]:
        """A list of whole numbers from `low` to `high`."""
        value = self.given[keyword] if keyword in self else default
        if _are_numbers(value, low, high):
            return tuple(value)
        return self._mistyped(keyword, value, f"a list, each {_range(low, high)}", default)

    def by_seat(self, keyword: str, values: tuple[_T, ...], players: int, default: _T) -> tuple[_T, ...]:
        """The values if there is one for every seat (or none was given)."""
        if keyword in self and len(values) != players:
            self.wrong(keyword, None, f"expected one entry a seat ({players}), not {len(values)}")
        return values if len(values) == players else (default,) * players

    def _mistyped(self, keyword: str, value: object, expected: str, default: _T) -> _T:
        self.wrong(keyword, value, f"expected {expected}, not {shown(value)}")
        return default

    # ----------------------------------------------------------------------------------------------------- cards

    def faces(self, keyword: str, text: str) -> tuple[Card, ...]:
        """The cards that a text names, without the words that are none."""
        words, found = Words(text), []
        while words.peek():
            try:
                found.append(words.card())
            except NotationError as error:
                self.wrong(keyword, text, error.message, error.position)
                words.next()
        return tuple(found)

    def copies(self) -> dict[Card, tuple[int, ...]]:
        """Which copy each mention of a face is, for the faces where that is not the order of mention; from 1."""
        value = self.given["copies"] if "copies" in self else {}
        if not isinstance(value, Mapping):
            return self._mistyped("copies", value, "lists of copy numbers by face", {})
        found = {}
        for name, numbers in value.items():
            try:
                face = parse_card(name) if isinstance(name, str) else None
            except NotationError:
                face = None
            if face is None:
                self.wrong("copies", None, f"{shown(name)} is no card")
            elif not _are_numbers(numbers, 1, len(COPIES[face])):
                self.wrong("copies", None, f"expected a list, each {_range(1, len(COPIES[face]))}, for {face}")
            else:
                found[face] = tuple(numbers)
        return found

    # ---------------------------------------------------------------------------------------------------- result

    def result(self, players: int) -> RoundResult | None:
        """How the round last finished ended."""
        if "result" not in self:
            return None
        value = self.given["result"]
        if not isinstance(value, Mapping) or set(value) != set(RoundResult._fields):
            return self._mistyped("result", value, "exactly the fields " + ", ".join(RoundResult._fields), None)
        bad = [name for name, good in _result_checks(value, players).items() if not good]
        if bad:
            self.wrong("result", None, f"cannot be for {players} seats: {', '.join(bad)}")
            return None
        return RoundResult._make(
            tuple(each) if isinstance(each := value[name], list) else each for name in RoundResult._fields
        )


def _result_checks(value: Mapping[str, object], players: int) -> dict[str, bool]:
    def sequence(name: str) -> bool:
        each = value[name]
        return _are_numbers(each, None, None) and len(each) == players

    standing = value["standing"]
    return {
        "kind": value["kind"] in KINDS,
        "winner": value["winner"] is None or _is_number(value["winner"], 0, players - 1),
        **{name: sequence(name) for name in ("points", "left", "tabled", "bonus")},
        "doubled": isinstance(value["doubled"], bool),
        "standing": isinstance(standing, (list, tuple))
        and len(standing) == players
        and all(each in ("win", "draw", "loss") for each in standing),
        **{name: _is_number(value[name], 0, None) for name in ("turns", "renewals")},
        "dealer": _is_number(value["dealer"], 0, players - 1),
        "round": _is_number(value["round"], 1, None),
    }


def shown(value: object) -> str:
    """A value as an error message shows it."""
    return shortened(value) if isinstance(value, str) else shortened(repr(presentable(value)))[1:-1]


_AT_MOST = f"of at most {MAX_LENGTH} characters"


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and len(value) <= MAX_LENGTH


def _range(low: int | None, high: int | None) -> str:
    if high is not None:
        return f"a whole number from {low} to {high}"
    return "a whole number" if low is None else f"a whole number from {low}"


def _is_number(value: object, low: int | None, high: int | None) -> TypeGuard[int]:
    if not isinstance(value, int) or isinstance(value, bool) or value.bit_length() >= 64:
        return False
    return (low is None or low <= value) and (high is None or value <= high)


def _are_numbers(value: object, low: int | None, high: int | None) -> TypeGuard[Sequence[int]]:
    return isinstance(value, (list, tuple)) and all(_is_number(each, low, high) for each in value)
