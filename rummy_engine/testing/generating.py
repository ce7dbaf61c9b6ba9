"""Profiles at random: valid ones over every dial of the dial list, and spoilt ones that must be refused.

All chance comes through one function that picks from a list, plainest first, so that the same generator serves a
seeded generator and hypothesis, which shrinks towards the plain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any, Protocol, TypeVar

from rummy_engine.cards import RANKS, SUITS
from rummy_engine.errors import ProfileError
from rummy_engine.profiles.dials import Dial, dials
from rummy_engine.profiles.loading import load_profile
from rummy_engine.profiles.profile import Profile

_T = TypeVar("_T")


class Pick(Protocol):
    """Chooses one of some options; the first is the plainest."""

    def __call__(self, options: Sequence[_T], /) -> _T:
        """One of them."""


_FLAGS = (False, True)
_SEATS = ((2, 2), (2, 4), (2, 3), (3, 4), (2, 6), (4, 5), (2, 8))
_RANK_TEXTS = (RANKS, "A23456789", "A23456", "A234567JQK", "3456789", "A23", "2468TQ", "AJQK")
_SUIT_TEXTS = (SUITS, "SHD", "SH", "S")

NUMBERS: Mapping[str, Sequence[object]] = {
    "deal.hand_size": (1, 2, 3, 4, 5, 7, 10, 13),
    "melds.set_min": (3, 3, 2, 4),
    "melds.set_max": (4, 4, 3, 5, 6, 2, 8),
    "melds.run_min": (3, 3, 4, 2, 5),
    "melds.run_max": (13, 13, 5, 4, 3),
    "wilds.min_naturals": (1, 1, 2, 3),
    "wilds.max_per_meld": ("unlimited", "unlimited", 1, 2, 0),
    "lay.melds_per_turn": ("unlimited", "unlimited", 1, 2),
    "stock.floor": (0, 0, 0, 1, 2, 3),
    "stock.renewals": (1, 0, 2, 3, "unlimited"),
    "knock.limit": (10, 0, 5, 20, "none", "up_card"),
    "knock.gin_bonus": (25, 0, 7),
    "knock.undercut_bonus": (25, 0, 7),
    "knock.big_gin_bonus": (0, 31),
    "ending.max_turns": (60, 120, 12, 3, 1, 1000),
    "scoring.rummy": ("off", "double", 10),
    "scoring.values.joker": (15, "as_card", 0, 3),
    "prize.winner_min": (75, 0, 50, 100),
    "prize.threshold": (50, 1, 10),
}
"""What is picked for the dials that are numbers, plainest first; other numbers are taken from the low end of what is
allowed."""


def options(dial: Dial) -> Sequence[object]:
    """Values that a dial takes by itself, its default or a usual value first."""
    if dial.path in NUMBERS:
        return NUMBERS[dial.path]
    if dial.path.startswith("scoring.values."):
        default = dial.default if isinstance(dial.default, int) else 1
        return (default, default, 0, 1, 5, 15)
    if dial.choices:
        plain = dial.default if dial.default in dial.choices else dial.choices[0]
        return (plain, *(choice for choice in dial.choices if choice != plain))
    if dial.allowed == "true or false":
        return tuple(sorted(_FLAGS, key=lambda flag: flag is not dial.default))
    if span := re.match(r"a whole number from (\d+) to (\d+)", dial.allowed):
        low, high = int(span[1]), int(span[2])
        return tuple(range(low, min(high, low + 8) + 1))
    return (dial.default,)


def random_profile(pick: Pick) -> dict[str, Any]:
    """A profile as a mapping, over every dial. Nearly always a valid one: see `valid_profile`."""
    tree: dict[str, Any] = {}
    for dial in dials():
        if not dial.path.startswith(("meta.", "players.", "match.target", "match.rounds")):
            put(tree, dial.path, pick(options(dial)))
    fewest, most = pick(_SEATS)
    tree["players"] = {"min": fewest, "max": most}
    tree["meta"] = {"name": "random"}
    _deck(tree, pick)
    _melds(tree)
    if pick((False, False, True)):
        _with_knocking(tree, pick)
    else:
        del tree["knock"]
        tree["lay"]["when"] = pick(("any_turn", "any_turn", "going_out"))
        tree["scoring"]["model"] = pick(("winner_takes_hands", "penalty", "melds_minus_hand"))
    if tree["draw"]["pile"] == "closed":
        tree["deal"]["up_card_offer"], tree["call"]["kind"] = "none", "off"
    _match(tree, pick)
    if pick(_FLAGS):
        del tree["prize"]
    for ace in ("low_ace", "hand_ace"):
        if pick(_FLAGS):
            del tree["scoring"]["values"][ace]
    return tree


def put(tree: dict[str, Any], path: str, value: object) -> None:
    """Sets a dial of a nested mapping by its dotted path."""
    *parents, name = path.split(".")
    for parent in parents:
        tree = tree.setdefault(parent, {})
    tree[name] = value


def by_players(pick: Pick, fewest: int, most: int, numbers: Sequence[int]) -> object:
    """A number, plain or by players."""
    if pick((True, True, False)):
        return pick(numbers)
    steps = {str(fewest): pick(numbers)}
    if most > fewest:
        steps[str(pick(range(fewest + 1, most + 1)))] = pick(numbers)
    return {"by_players": steps}


def at(number: object, players: int) -> int:
    """A number, plain or by players, for so many seats."""
    if isinstance(number, int):
        return number
    assert isinstance(number, dict)
    steps: dict[str, int] = number["by_players"]
    return max((int(key), value) for key, value in steps.items() if int(key) <= players)[1]


def _deck(tree: dict[str, Any], pick: Pick) -> None:
    """A deck, and hands and a floor that it has room for at every number of seats and in every round."""
    fewest, most = tree["players"]["min"], tree["players"]["max"]
    deck = tree["deck"] = {
        "packs": by_players(pick, fewest, most, (1, 1, 2)),
        "jokers": by_players(pick, fewest, most, (0, 0, 1, 2)),
        "ranks": pick(_RANK_TEXTS),
        "suits": pick(_SUIT_TEXTS),
    }

    def room(players: int) -> int:
        size = at(deck["packs"], players) * (len(deck["ranks"]) * len(deck["suits"]) + at(deck["jokers"], players))
        return int(size - 2 - tree["stock"]["floor"]) // players

    if any(room(players) < 1 for players in range(fewest, most + 1)):
        deck.update(ranks=RANKS, suits=SUITS)
    sizes = [size for size in NUMBERS["deal.hand_size"] if isinstance(size, int)]
    smallest = min(room(players) for players in range(fewest, most + 1))
    fitting = [size for size in sizes if size <= smallest]
    form = pick(("plain", "plain", "by_players", "by_round"))
    if form == "plain":
        tree["deal"]["hand_size"] = pick(fitting[::-1])
    elif form == "by_round":
        tree["deal"]["hand_size"] = {"by_round": [pick(fitting) for _ in range(pick((1, 2, 3)))]}
    else:
        step = pick(range(fewest, most + 1))
        few = min(room(players) for players in range(fewest, step + 1))
        steps = {str(fewest): pick([size for size in sizes if size <= few][::-1])}
        if step > fewest:
            steps[str(step)] = pick(fitting[::-1])
        tree["deal"]["hand_size"] = {"by_players": steps} if int(steps[max(steps)]) <= smallest else pick(fitting)


def _melds(tree: dict[str, Any]) -> None:
    melds, wilds, deck, players = tree["melds"], tree["wilds"], tree["deck"], tree["players"]
    melds["set_max"] = max(melds["set_max"], melds["set_min"])
    melds["run_min"] = min(melds["run_min"], len(deck["ranks"]))
    melds["run_max"] = max(melds["run_max"], melds["run_min"])
    suits = len(deck["suits"])
    largest = suits
    if melds["set_suits"] == "any":
        seats = range(players["min"], players["max"] + 1)
        jokers = [at(deck["packs"], n) * at(deck["jokers"], n) for n in seats]
        most = wilds["max_per_meld"]
        jokers = jokers if most == "unlimited" else [min(each, most) for each in jokers]
        largest = max(at(deck["packs"], n) * suits + wild for n, wild in zip(seats, jokers, strict=True))
    if melds["set_min"] > largest:
        melds["set_min"] = largest
    if melds["set_min"] < 2:  # one suit, one pack: room for no set of the least size that may be written
        deck["suits"] = SUITS
        melds["set_min"], melds["set_max"] = 3, max(3, melds["set_max"])
    wilds["min_naturals"] = min(wilds["min_naturals"], melds["set_min"], melds["run_min"])


def _with_knocking(tree: dict[str, Any], pick: Pick) -> None:
    tree["lay"]["when"] = "knock"
    tree["scoring"]["model"] = pick(("knock_penalties", "knock_difference"))
    tree["call"]["kind"] = "off"
    tree["draw"]["top_obliges"] = False
    if tree["draw"]["pile"] == "deep":
        tree["draw"]["pile"] = "top"


def _match(tree: dict[str, Any], pick: Pick) -> None:
    match = tree["match"]
    match.pop("target_allowed", None)
    if pick(("rounds", "target")) == "rounds":
        match["rounds"] = pick((2, 1, 3))
        return
    targets = pick(((100, 50, 25), (30, 20, 10), (1, 2, 3), (500, 400, 200)))
    match["target"] = by_players(pick, tree["players"]["min"], tree["players"]["max"], targets)
    if pick(_FLAGS):
        match["target_allowed"] = {"min": 1, "max": 500, "step": 1}


def valid_profile(pick: Pick) -> Profile:
    """A valid profile; raises ProfileError for the rare draw that is none."""
    return load_profile(random_profile(pick))


# ----------------------------------------------------------------------------------------------------------- spoilt

_NEVER: Sequence[object] = ([1], -1, 3.5, "no such choice", {"by_moon": 3}, {"by_players": {}}, {"by_round": "3"})
"""Values that no dial takes."""

CLASHES: Sequence[Mapping[str, object]] = (
    {"players.min": 5, "players.max": 4},
    {"deal.hand_size": 108},
    {"stock.floor": 100, "deck.packs": 1},
    {"melds.set_min": 8, "melds.set_max": 2},
    {"melds.run_min": 13, "melds.run_max": 2},
    {"melds.run_min": 13, "deck.ranks": "A23"},
    {"melds.set_min": 8, "melds.set_max": 8, "melds.set_suits": "distinct"},
    {"wilds.min_naturals": 13},
    {"lay.when": "any_turn", "knock.limit": 10},
    {"lay.when": "knock", "scoring.model": "penalty"},
    {"lay.when": "any_turn", "scoring.model": "knock_penalties"},
    {"lay.when": "knock", "draw.pile": "deep"},
    {"lay.when": "knock", "draw.top_obliges": True},
    {"lay.when": "knock", "call.kind": "pile"},
    {"draw.pile": "closed", "deal.up_card_offer": "round"},
    {"draw.pile": "closed", "call.kind": "top"},
    {"match.target": 100, "match.rounds": 3},
    {"deck.ranks": "KQ"},
    {"deck.suits": "SS"},
    {"deal.hand_size": {"by_players": {"8": 3}}, "players.min": 2},
)
"""Combinations that make no game, whatever the other dials are."""


def spoilt_profile(tree: Mapping[str, Any], pick: Pick) -> dict[str, Any]:
    """A valid profile with one thing wrong: a value no dial takes, an unknown name, a missing dial, a clash."""
    spoilt: dict[str, Any] = deepcopy(dict(tree))
    kinds: tuple[Callable[[dict[str, Any], Pick], None], ...] = (_wrong_value, _unknown, _missing, _clash)
    pick(kinds)(spoilt, pick)
    return spoilt


def _wrong_value(tree: dict[str, Any], pick: Pick) -> None:
    paths = [dial.path for dial in dials() if not dial.path.startswith(("meta.", "knock.", "prize.", "match.target"))]
    put(tree, pick(paths), pick(_NEVER))


def _unknown(tree: dict[str, Any], pick: Pick) -> None:
    section = pick(sorted(tree))
    name = pick(("no_such_dial", "Min", "packs ", ""))
    if section == "meta" or pick(_FLAGS):
        tree[f"{section}s" if name == "Min" else f"no_{section}"] = {}
    else:
        tree[section][name] = 1


def _missing(tree: dict[str, Any], pick: Pick) -> None:
    path = pick([dial.path for dial in dials() if dial.required and dial.path.startswith(("players.", "deal."))])
    section, name = path.split(".")
    del tree[section][name]


def _clash(tree: dict[str, Any], pick: Pick) -> None:
    clash = pick(CLASHES)
    for path, value in clash.items():
        put(tree, path, value)


def is_refused(tree: Mapping[str, Any]) -> bool:
    """Whether a profile raises ProfileError, with at least one problem."""
    try:
        load_profile(tree)
    except ProfileError as error:
        return bool(error.problems)
    return False
