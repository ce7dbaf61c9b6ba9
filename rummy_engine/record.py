"""A match as a document: the whole profile, the start and every action, shuffles included, as JSON.

A record holds all that happened and nothing that can be recomputed, so it replays to the same states on any Python and
after any edit of the shipped profiles. It knows every card: it is for the host, not for a seat.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import InitVar, dataclass, field, fields
from functools import lru_cache
from typing import Any, Final, NoReturn

from rummy_engine.actions import Action
from rummy_engine.chance import is_seed
from rummy_engine.errors import RecordError, RummyError
from rummy_engine.frozen import FrozenDict
from rummy_engine.game import Game, load
from rummy_engine.hints import is_whole, presentable
from rummy_engine.state import State

SCHEMA_VERSION: Final = 1
"""The form of record that this library writes and reads."""
MAX_LENGTH = 50_000_000
"""The longest JSON text that is read, in characters: some million actions."""
KEPT_GAMES = 32
"""How many compiled profiles are kept, so that reading many records of one game compiles it once."""


@dataclass(frozen=True, slots=True)
class Record:
    """What was played: `profile`, `players`, `dealer` (or a described `start`), and `actions` in notation.

    Building one checks its frame (everything but the actions) and raises RecordError with index None; the actions are
    checked by replaying them. Equal records hold the same match, of the same profile.
    """

    profile: Mapping[str, Any]
    """The whole resolved profile, as `game.profile.to_dict()` gives it; what a profile without a digest leaves open is
    filled in."""
    players: int
    dealer: int
    """The dealer at the start."""
    actions: tuple[str, ...] = ()
    """Every action in order, those of chance included, in notation."""
    start: Mapping[str, Any] | None = None
    """The position it starts from, as `game.describe` gives it; None: a new match."""
    seed: int | None = None
    """The seed of the shuffles to come, for going on with the match; replaying needs none."""
    digest: str = ""
    """The digest of the profile, which tells whether it was edited since."""
    library: str = field(default_factory=lambda: f"rummy-engine {_version()}")
    """What wrote the record."""
    schema_version: int = SCHEMA_VERSION
    compiled: InitVar[Game | None] = None
    """The profile's game, where it is at hand."""
    _game: Game = field(init=False, repr=False, compare=False)

    def __post_init__(self, compiled: Game | None) -> None:
        for name, (fits, expected) in _FRAME.items():
            if not fits(getattr(self, name)):
                _refuse(f"{name} must be {expected}")
        for index, text in enumerate(self.actions):
            if not isinstance(text, str):
                raise RecordError(f"damaged record: action {index} is no text", index)
        assign = object.__setattr__  # the way that frozen dataclasses leave for computed fields
        assign(self, "actions", tuple(self.actions))
        try:
            game = compiled or self._compiled()
            assign(self, "_game", game)
            if not self.digest:
                assign(self, "profile", game.profile.to_dict())
                assign(self, "digest", game.digest)
            self._first_state()
        except RecordError:
            raise
        except RummyError as error:
            raise RecordError(f"damaged record: {error}") from error
        assign(self, "profile", FrozenDict(self.profile))
        assign(self, "start", None if self.start is None else FrozenDict(self.start))

    def __hash__(self) -> int:
        return hash((self.digest, self.players, self.dealer, self.actions))

    def __reduce__(self) -> tuple[type[Record], tuple[object, ...]]:
        return type(self), tuple(getattr(self, each.name) for each in fields(self) if each.init)

    @property
    def revision(self) -> int:
        """The revision of the recorded profile."""
        return self._game.profile.meta.revision

    @property
    def game(self) -> Game:
        """The game that was played, compiled from the embedded profile."""
        return self._game

    @classmethod
    def of(cls, game: Game, start: State, actions: Iterable[Action], seed: int | None = None) -> Record:
        """The record of these actions from this state, which may be any situation of the game."""
        fresh = start == game.start(start.players, start.dealer)
        return cls(
            profile=game.profile.to_dict(),
            players=start.players,
            dealer=start.dealer,
            actions=tuple(map(str, actions)),
            start=None if fresh else game.describe(start),
            seed=seed,
            digest=game.digest,
            compiled=game,
        )

    def to_json(self) -> str:
        """The record as one line of JSON."""
        return json.dumps({name: getattr(self, name) for name in _FRAME}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Record:
        """The record that this JSON text holds; raises RecordError (with index None) for a damaged frame."""
        frame = _read(text)
        if "schema_version" in frame and not _FRAME["schema_version"][0](frame["schema_version"]):
            raise RecordError(
                f"a record of schema version {frame['schema_version']!r:.40}: this library reads {SCHEMA_VERSION}"
            )
        for name in sorted(frame.keys() ^ _FRAME.keys()):
            _refuse(f"{name!r:.60} is {'no part of a record' if name in frame else 'missing'}")
        if not frame["digest"]:
            _refuse("digest must not be empty")
        return cls(**frame)

    def steps(self) -> Iterator[tuple[Action, State]]:
        """Each action with the state it leads to.

        Raises RecordError at the first action that does not fit, with its index.
        """
        state = self._first_state()
        for index in range(len(self.actions)):
            action, state = self._step(state, index)
            yield action, state

    def states(self) -> Iterator[State]:
        """The state at the start and after each action; raises RecordError as `steps` does."""
        yield self._first_state()
        for _, state in self.steps():
            yield state

    def replay(self, upto: int | None = None) -> State:
        """The state after the first `upto` actions; None: after all of them.

        Raises RecordError as `steps` does, and where `upto` is no number of actions of this record.
        """
        most = len(self.actions)
        count = most if upto is None else upto
        if not is_whole(count) or not 0 <= count <= most:
            raise RecordError(f"expected a number of actions from 0 to {most}, not {presentable(count)!r:.40}")
        state = self._first_state()
        for index in range(count):
            _, state = self._step(state, index)
        return state

    def _compiled(self) -> Game:
        canonical = _canonical(self.profile)
        if self.digest not in ("", _digest(canonical)):
            _refuse("the profile is not the one that was recorded: its digest differs")
        return _compile(canonical)

    def _step(self, state: State, index: int) -> tuple[Action, State]:
        game, text = self._game, self.actions[index]
        try:
            action = game.parse(state, text)
            return action, game.apply(state, action)
        except RummyError as error:
            raise RecordError(f"damaged record: action {index} does not fit: {error}", index) from error

    def _first_state(self) -> State:
        if self.start is None:
            return self._game.start(self.players, self.dealer)
        state = self._game.position(**self.start)
        if (state.players, state.dealer) != (self.players, self.dealer):
            _refuse("start names other players or another dealer than the record")
        return state


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(name, str) for name in value)


def _is_whole_profile(value: object) -> bool:
    return isinstance(value, Mapping) and _is_table(value) and "extends" not in value


_FRAME: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "schema_version": (lambda value: is_whole(value) and value == SCHEMA_VERSION, f"{SCHEMA_VERSION}"),
    "players": (is_whole, "a number of players"),
    "dealer": (is_whole, "a seat"),
    "seed": (lambda value: value is None or is_seed(value), "a seed (a whole number from 0 to 2**256 - 1) or null"),
    "digest": (lambda value: isinstance(value, str), "text"),
    "library": (lambda value: isinstance(value, str), "text"),
    "start": (lambda value: value is None or _is_table(value), "a described position or null"),
    "profile": (_is_whole_profile, "a whole profile, which extends no other"),
    "actions": (lambda value: isinstance(value, list | tuple), "a list of texts"),
}
"""The parts of a record, in the order of its JSON: what fits there, and how to say it."""


def _version() -> str:
    from rummy_engine import __version__  # at the time of use: the package imports this module

    return __version__


def _refuse(message: str) -> NoReturn:
    raise RecordError(f"damaged record: {message}")


def _canonical(data: object) -> str:
    try:
        return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        _refuse("the profile is no JSON")


@lru_cache(KEPT_GAMES)
def _digest(profile: str) -> str:
    """`loading.digest` of a profile as it is written, also where this library would now resolve it to more dials."""
    data = json.loads(profile)
    if isinstance(data.get("meta"), dict):
        for name in ("title", "summary"):
            data["meta"].pop(name, None)
    return hashlib.sha256(_canonical(data).encode()).hexdigest()[:16]


@lru_cache(KEPT_GAMES)
def _compile(profile: str) -> Game:
    return load(json.loads(profile))


def _read(text: object) -> dict[str, Any]:
    """The JSON object in a text; nothing but plain JSON is accepted, each key once."""
    if not isinstance(text, str):
        raise RecordError(f"a record is read from text, not from a {type(text).__name__}")
    if len(text) > MAX_LENGTH:
        raise RecordError(f"a text of {len(text)} characters is too long for a record (most: {MAX_LENGTH})")
    try:
        frame = json.loads(text, object_pairs_hook=_each_key_once, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"no record: the text is no JSON ({error!s:.100})") from None
    if not isinstance(frame, dict):
        raise RecordError("no record: the JSON is no object")
    return frame


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for name, value in pairs:
        if name in table:
            raise ValueError(f"{name!r:.60} is named twice")
        table[name] = value
    return table


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON number")
