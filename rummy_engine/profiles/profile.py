"""The dials of a profile: one frozen pydantic model per TOML section, every dial with its default, unit and source.

What combinations of dials are possible is judged in `checks.py`; files, `extends` and overrides are `loading.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, NoReturn, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    ValidationError,
    model_validator,
)
from pydantic_core import PydanticCustomError, core_schema

from rummy_engine.cards import RANKS, SUITS
from rummy_engine.profiles.tablenumber import MAX_PLAYERS, Fault, TableNumber, read
from rummy_engine.tomltext import to_toml

MAX_POINTS = 1000
MAX_TARGET = 1_000_000

Count = Annotated[int, Field(ge=0, le=1000)]
Seats = Annotated[int, Field(ge=2, le=MAX_PLAYERS)]
Points = Annotated[int, Field(ge=0, le=MAX_POINTS)]
Target = Annotated[int, Field(ge=1, le=MAX_TARGET)]
RunLength = Annotated[int, Field(ge=2, le=len(RANKS))]
Unlimited: TypeAlias = Literal["unlimited"]


def dial(default: Any, text: str, source: str, unit: str = "", alias: str | None = None) -> Any:
    """A field with its description: one sentence, the entry of docs/rules.md it comes from, the unit of a number.

    `...` as the default: the dial must be set. `None`: it follows another dial, as the sentence says.
    """
    extra: dict[str, Any] = {"x-source": f"rules {source}" if source else "", "x-unit": unit}
    return Field(default, alias=alias, description=text, json_schema_extra=extra)


class Ranging(NamedTuple):
    """Marks a field as a `TableNumber` within these bounds, for pydantic."""

    low: int
    high: int
    by_round: bool = False

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(
            self._validate,
            serialization=core_schema.plain_serializer_function_ser_schema(TableNumber.to_plain),
        )

    def _validate(self, value: object) -> TableNumber:
        number = read(value, self.low, self.high, self.by_round)
        return number if isinstance(number, TableNumber) else _refuse(number)

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: Any) -> dict[str, Any]:
        number = {"type": "integer", "minimum": self.low, "maximum": self.high}
        keys = {"type": "object", "patternProperties": {f"^[1-{MAX_PLAYERS}]$": number}, "minProperties": 1}
        forms: dict[str, Any] = {"by_players": {**keys, "additionalProperties": False}}
        if self.by_round:
            forms["by_round"] = {"type": "array", "items": number, "minItems": 1}
        return {"anyOf": [number, *({
            "type": "object", "properties": {name: form}, "required": [name], "additionalProperties": False,
        } for name, form in forms.items())]}


def _refuse(faults: list[Fault]) -> NoReturn:
    raise PydanticCustomError("faults", "see the faults", {"faults": _Faults(faults)})


class _Faults(list[Fault]):
    """Faults whose text is never needed: pydantic asks for it, and what was found may have none."""

    def __repr__(self) -> str:
        return "faults"


def _in_order(letters: str, kind: str) -> AfterValidator:
    """Accepts a non-empty part of the letters, each at most once and in the order in which they are given."""

    def check(text: str) -> str:
        right = "".join(letter for letter in letters if letter in text.upper())
        hint = right if right and right != text else None
        wrong = [letter for letter in text if letter not in letters]
        twice = [letter for letter in letters if text.count(letter) > 1]
        if not text or wrong:
            reason = f"no {kind} is written {wrong[0]!r}" if wrong else f"at least one {kind} is needed"
            _refuse([Fault((), text, f"must be letters of {letters!r}: {reason}", hint)])
        if twice:
            _refuse([Fault((), text, f"must name each {kind} once: {', '.join(twice)} repeated", hint)])
        if text != right:
            first = "; the ace comes first, also where it may rank high (melds.ace)" if kind == "rank" else ""
            _refuse([Fault((), text, f"must be in the order {letters}{first}", hint)])
        return text

    return AfterValidator(check)


class Section(BaseModel):
    """A table of dials: strict types, frozen, nothing unknown. Built when first used, so that importing stays cheap."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", defer_build=True)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a profile is frozen: load it again with overrides to change {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a profile is frozen: {name!r} cannot be removed")


class Meta(Section):
    """What the profile is called; none of it is inherited through `extends`."""

    name: Annotated[str, Field(min_length=1, max_length=100)] = dial(
        "custom", "The name in records and reports; for a file without one, the file's name.", "")
    title: Annotated[str, Field(max_length=200)] = dial("", "The name that people see; if empty, the name.", "")
    summary: Annotated[str, Field(max_length=2000)] = dial("", "One sentence for lists.", "")
    revision: Annotated[int, Field(ge=1, le=1_000_000)] = dial(
        1, "Moves when the behaviour of the profile changes.", "", "revisions")

    @model_validator(mode="before")
    @classmethod
    def _title_of_name(cls, data: Any) -> Any:
        untitled = isinstance(data, dict) and data.get("title") in ("", None) and isinstance(data.get("name"), str)
        return {**data, "title": data["name"]} if untitled else data


class Players(Section):
    """How many seats there may be."""

    min: Seats = dial(..., "Fewest players.", "A1", "players")
    max: Seats = dial(..., "Most players.", "A1", "players")


class Deck(Section):
    """The cards in play. Small decks are allowed, for children and for exhaustive checks."""

    packs: Annotated[TableNumber, Ranging(1, 2)] = dial(
        TableNumber.plain(1), "Packs shuffled together.", "R1", "packs")
    jokers: Annotated[TableNumber, Ranging(0, 2)] = dial(
        TableNumber.plain(0), "Jokers in each pack.", "R2", "jokers per pack")
    ranks: Annotated[str, _in_order(RANKS, "rank")] = dial(
        RANKS, "The ranks of a pack, upward: neighbours in this text are neighbours in a run.", "A3")
    suits: Annotated[str, _in_order(SUITS, "suit")] = dial(SUITS, "The suits of a pack.", "C2")

    def size(self, players: int) -> int:
        """The number of cards, jokers included, for this many players."""
        return self.packs.at(players) * (len(self.ranks) * len(self.suits) + self.jokers.at(players))


class Deal(Section):
    """What happens before the first turn, and who deals next."""

    hand_size: Annotated[TableNumber, Ranging(1, 108, by_round=True)] = dial(
        ..., "Cards dealt to each seat.", "A2", "cards")
    up_card_offer: Literal["none", "round"] = dial(
        "none", "round: before the first turn each seat in turn may take the up-card or pass.", "B5")
    all_pass: Literal["stock_only", "free"] = dial(
        "stock_only", "When all pass the up-card: stock_only: the first seat must draw from the stock.", "B7")
    next_dealer: Literal["left", "winner", "loser"] = dial(
        "left", "Who deals the next round: the dealer's left, or the winner or loser of the round.", "C9")
    after_exhausted: Literal["left", "same"] = dial(
        "left", "Who deals after a round that nobody scored on an exhausted stock: next in order, or the same.", "3.2")


class Melds(Section):
    """What counts as a meld."""

    set_min: Annotated[int, Field(ge=2, le=8)] = dial(3, "Fewest cards of a set.", "C2", "cards")
    set_max: Annotated[int, Field(ge=2, le=12)] = dial(4, "Most cards of a set.", "C2", "cards")
    set_suits: Literal["distinct", "any"] = dial(
        "distinct", "distinct: no suit twice in a set; any: two packs may repeat a suit.", "R5")
    run_min: RunLength = dial(3, "Fewest cards of a run.", "C2", "cards")
    run_max: RunLength = dial(13, "Most cards of a run; never more than there are ranks.", "C5", "cards")
    ace: Literal["low", "high", "both", "around"] = dial(
        "low", "Where the ace stands in a run: before the 2, after the king, either, or also between them.", "R6")


class Wilds(Section):
    """How jokers may be melded."""

    min_naturals: Annotated[int, Field(ge=1, le=13)] = dial(
        1, "Fewest cards of a meld that are no jokers.", "R9", "cards")
    max_per_meld: Annotated[int, Field(ge=0, le=12)] | Unlimited = dial(
        "unlimited", "Most jokers in one meld.", "R9", "jokers")
    swap: bool = dial(False, "Whether the natural card may be exchanged for its joker on the table.", "R8")


class Draw(Section):
    """How a turn begins."""

    pile: Literal["top", "deep", "closed"] = dial(
        "top", "What may be taken from the pile: its top card, also a deeper one with all above it, nothing.", "R11")
    deep_use: Literal["meld", "any"] = dial(
        "any", "How the deepest card of a deep draw must be tabled: in a new meld, or in any way.", "R12")
    top_obliges: bool = dial(False, "Whether a single card taken from the top must be tabled too.", "R14")
    pile_view: Literal["top", "all"] = dial("top", "How much of the pile a screen may show.", "R4")


class Lay(Section):
    """When and where cards may be laid on the table."""

    when: Literal["any_turn", "going_out", "knock"] = dial(
        "any_turn", "In any turn, only in the turn that empties the hand, or only after a knock.", "B8")
    melds_per_turn: Annotated[int, Field(ge=1, le=1000)] | Unlimited = dial(
        "unlimited", "Most new melds in one turn; lay-offs are not counted.", "A5", "melds")
    layoff: Literal["any", "own", "none"] = dial("any", "On whose melds cards may be laid off.", "A6")
    needs_own_meld: bool = dial(
        False, "Whether a seat must have melded in this round (this turn counts) before it lays off.", "A6")


class Discard(Section):
    """How a turn ends."""

    taken: Literal["never", "if_last", "free"] = dial(
        "never", "Whether the single card just taken from the pile may be discarded; if_last: as the last card.", "A8")
    last: Literal["optional", "required", "float"] = dial(
        "optional", "Whether going out needs a final discard; float: without one the seat plays on, empty.", "R38")
    last_unplayable: bool = dial(False, "Whether the discard that goes out must fit no meld on the table.", "R39")
    last_face_down: bool = dial(False, "Whether the discard that goes out stays hidden from the others.", "A10")


class Stock(Section):
    """What happens when the stock runs out."""

    check: Literal["end_of_turn", "on_draw"] = dial(
        "end_of_turn", "When exhaustion is noticed: after the turn that caused it, or by the next draw.", "2.A-2")
    floor: Annotated[int, Field(ge=0, le=100)] = dial(
        0, "The stock counts as exhausted at this size.", "B10", "cards")
    when_empty: Literal["shuffle", "turn_over", "none"] = dial(
        "shuffle", "How the pile becomes the new stock: shuffled, turned over as it lies, not at all.", "A12")
    keep_top: bool = dial(True, "Whether the last discard stays behind as the new pile.", "A12")
    renewals: Count | Unlimited = dial(1, "How often the stock is renewed in a round.", "A13", "renewals")
    then: Literal["exhausted", "stock_out", "lowest", "play_on"] = dial(
        "exhausted", "After the last renewal: nobody scores, all score as it stands, the lowest hand wins the "
        "others' difference, or seats go on with the pile.", "A13")


class Knock(Section):
    """How a round is ended by a knock."""

    limit: Points | Literal["none", "up_card"] = dial(
        ..., "Most deadwood to knock with; 0: gin only; up_card: the value of the up-card.", "B12", "points")
    ace_limit: Literal["one", "gin_only"] = dial(
        "one", "With an ace as up-card: the limit is the ace's points, or only gin may be declared.", "3.1")
    first_turn: bool = dial(True, "Whether a seat may knock in its first turn.", "B12")
    layoff: Literal["knocker", "none"] = dial(
        "knocker", "Whether the others may lay off on the knocker's melds.", "B16")
    layoff_chain: Literal["own", "none", "any"] = dial(
        "own", "On whose lay-offs a seat may build on: its own, nobody's, anybody's.", "B18")
    gin_bonus: Points = dial(25, "For gin.", "B20", "points")
    undercut_bonus: Points = dial(25, "For an undercut.", "B22", "points")
    big_gin_bonus: Points = dial(
        0, "For gin with the whole hand melded and no discard, in place of the gin bonus; 0: not in the game.",
        "B14", "points")
    undercut_on_tie: bool = dial(True, "Whether equal deadwood is an undercut.", "B22")
    undercut_to: Literal["winner", "penalty"] = dial(
        "winner", "Where the undercut bonus goes: to who undercut, or as a penalty to the knocker.", "B22")
    spread: Literal["choose", "best"] = dial(
        "choose", "Whether the knocker lays the melds down one by one or the exact minimum is laid at once.", "B15")
    respond: Literal["choose", "best"] = dial(
        "choose", "Whether the others lay down one by one after a knock or their exact minimum is laid at once.", "B16")


class Call(Section):
    """Calling rummy on a card that somebody discarded though it could have been tabled."""

    kind: Literal["off", "pile", "top"] = dial(
        "off", "Which cards may be called: none, any of the pile, only the last discard.", "R21")


class Ending(Section):
    """How a round ends that nobody can win."""

    deadlock: bool = dial(False, "Whether a round is drawn as soon as nobody can ever table a card again.", "A14")
    max_turns: Annotated[int, Field(ge=1, le=100_000)] = dial(
        1000, "After so many turns a round is void.", "C14", "turns")


class Values(Section):
    """What each card counts, on the table and in the hand."""

    A: Points = dial(1, "An ace, except where low_ace or hand_ace says otherwise.", "A16", "points")
    two: Points = dial(2, "A two.", "A16", "points", alias="2")
    three: Points = dial(3, "A three.", "A16", "points", alias="3")
    four: Points = dial(4, "A four.", "A16", "points", alias="4")
    five: Points = dial(5, "A five.", "A16", "points", alias="5")
    six: Points = dial(6, "A six.", "A16", "points", alias="6")
    seven: Points = dial(7, "A seven.", "A16", "points", alias="7")
    eight: Points = dial(8, "An eight.", "A16", "points", alias="8")
    nine: Points = dial(9, "A nine.", "A16", "points", alias="9")
    T: Points = dial(10, "A ten.", "A16", "points")
    J: Points = dial(10, "A jack.", "A16", "points")
    Q: Points = dial(10, "A queen.", "A16", "points")
    K: Points = dial(10, "A king.", "A16", "points")
    joker: Points | Literal["as_card"] = dial(
        15, "A joker; as_card: what the card it stands for counts.", "R33", "points")
    low_ace: Points = dial(None, "An ace at the low end of a run; if not set, as A.", "R32", "points")
    hand_ace: Points = dial(None, "An ace left in a hand; if not set, as A.", "R32", "points")

    @model_validator(mode="before")
    @classmethod
    def _aces_as_ace(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        ace = data.get("A")
        ace = ace if type(ace) is int and 0 <= ace <= MAX_POINTS else 1
        return {"low_ace": ace, "hand_ace": ace, **data}

    def of(self, rank: str) -> int:
        """The points of a rank, written as in "A23456789TJQK" (an ace: neither low nor in a hand)."""
        points: int = getattr(self, _NUMERALS.get(rank, rank))
        return points


_NUMERALS = {str(field.alias): name for name, field in Values.model_fields.items() if field.alias}


class Scoring(Section):
    """What a round is worth, and to whom."""

    model: Literal["winner_takes_hands", "penalty", "melds_minus_hand", "knock_penalties", "knock_difference"] = dial(
        "winner_takes_hands", "Who gets what: the winner all hands, each loser its own hand as a penalty, each seat "
        "its tabled points less its hand, after a knock the losers' penalties or the winner's difference.",
        "A16, 3.2, R31, B20")
    rummy: Annotated[int, Field(ge=1, le=MAX_POINTS)] | Literal["off", "double"] = dial(
        "off", "Extra for going out in one turn with nothing tabled before: none, twice the points, or a number more.",
        "A17", "points")
    drawn: Literal["draw", "loss"] = dial("draw", "The standing of every seat in a round that nobody scores.", "A15")
    values: Values


class TargetAllowed(Section):
    """Which targets a table may choose."""

    min: Target = dial(..., "The smallest target.", "V9", "points")
    max: Target = dial(..., "The largest target.", "V9", "points")
    step: Target = dial(1, "Targets go up from the smallest in these steps.", "V9", "points")


class Match(Section):
    """When a match ends, and who has won it. Exactly one of target and rounds is set."""

    target: Annotated[TableNumber, Ranging(1, MAX_TARGET)] | None = dial(
        None, "A total that ends the match when somebody reaches it.", "A18", "points")
    target_allowed: TargetAllowed | None = None
    rounds: Annotated[int, Field(ge=1, le=100_000)] | None = dial(
        None, "The number of rounds of a match.", "B25", "rounds")
    best: Literal["highest", "lowest"] = dial("highest", "Which total wins the match.", "B25")
    tie: Literal["round", "share"] = dial(
        "round", "When the best total is shared: another round, or several winners.", "R35")


class Prize(Section):
    """How a pot is split after the match."""

    split: Literal["pool_normalised", "gap_scaled"] = dial(
        "pool_normalised", "How the part that is not the winner's goes to the others: all of it, in proportion to "
        "their closeness, or less of it the further they are behind.", "2.B-16")
    winner_min: Annotated[int, Field(ge=0, le=100)] = dial(75, "The least part of the winner.", "2.B-16", "percent")
    threshold: Annotated[int, Field(ge=1, le=MAX_TARGET)] = dial(
        50, "Who is this far behind gets nothing.", "2.B-16", "points")


class Profile(Section):
    """A variant: everything that the rules of one game need to know. `load_profile` is the way to get one."""

    meta: Meta
    players: Players
    deck: Deck
    deal: Deal
    melds: Melds
    wilds: Wilds
    draw: Draw
    lay: Lay
    discard: Discard
    stock: Stock
    knock: Knock | None = None
    call: Call
    ending: Ending
    scoring: Scoring
    match: Match
    prize: Prize | None = None

    def to_toml(self) -> str:
        """The whole profile as the text of a TOML file."""
        return to_toml(self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """The whole profile as JSON types, in the form that `load_profile` reads."""
        data: dict[str, Any] = self.model_dump(by_alias=True, exclude_none=True)
        values = data["scoring"]["values"]
        for ace in ("low_ace", "hand_ace"):
            if values[ace] == values["A"]:
                del values[ace]  # so that it follows A when an override changes that
        return data


class Finding(NamedTuple):
    """One complaint of pydantic, as plain data."""

    kind: Literal["missing", "unknown", "no_table", "wrong"]
    where: tuple[str, ...]
    value: object
    faults: tuple[Fault, ...]


_KINDS: Mapping[str, Literal["missing", "unknown", "no_table"]] = {
    "missing": "missing", "extra_forbidden": "unknown", "model_type": "no_table",
}


def validate(data: Mapping[str, object]) -> Profile | list[Finding]:
    """The profile that nested plain tables describe, each dial judged by itself, or every complaint about them."""
    try:
        return Profile.model_validate(data)
    except ValidationError as error:
        return [
            Finding(
                _KINDS.get(found["type"], "wrong"),
                tuple(str(part) for part in found["loc"]),
                found["input"],
                tuple(found.get("ctx", {}).get("faults", ())),
            )
            for found in error.errors(include_url=False)
        ]
