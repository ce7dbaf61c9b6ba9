"""The shipped profiles written down a second time, from the rules, as resolved dicts."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

Profile = dict[str, Any]

VALUES = {"A": 1, **{str(n): n for n in range(2, 10)}, "T": 10, "J": 10, "Q": 10, "K": 10, "joker": 15}

BASIC: Profile = {
    "players": {"min": 2, "max": 4},
    "deck": {"packs": 1, "jokers": 0, "ranks": "A23456789TJQK", "suits": "SHDC"},
    "deal": {
        "hand_size": {"by_players": {2: 10, 3: 7}},
        "up_card_offer": "none",
        "all_pass": "stock_only",
        "next_dealer": "left",
        "after_exhausted": "left",
    },
    "melds": {"set_min": 3, "set_max": 4, "set_suits": "distinct", "run_min": 3, "run_max": 13, "ace": "low"},
    "wilds": {"min_naturals": 1, "max_per_meld": "unlimited", "swap": False},
    "draw": {"pile": "top", "deep_use": "any", "top_obliges": False, "pile_view": "top"},
    "lay": {"when": "any_turn", "melds_per_turn": "unlimited", "layoff": "any", "needs_own_meld": False},
    "discard": {"taken": "never", "last": "optional", "last_unplayable": False, "last_face_down": True},
    "stock": {
        "check": "end_of_turn",
        "floor": 0,
        "when_empty": "shuffle",
        "keep_top": True,
        "renewals": 1,
        "then": "exhausted",
    },
    "call": {"kind": "off"},
    "ending": {"deadlock": True, "max_turns": 1000},
    "scoring": {"model": "winner_takes_hands", "rummy": "double", "drawn": "loss", "values": VALUES},
    "match": {"target": {"by_players": {2: 100, 3: 150, 4: 200}}, "best": "highest", "tie": "round"},
}


def changed(profile: Profile, **dials: Any) -> Profile:
    """A copy with some dials replaced: ``changed(BASIC, stock__renewals=2)``; a section may be new."""
    copy = deepcopy(profile)
    for name, value in dials.items():
        section, _, key = name.partition("__")
        if key:
            copy.setdefault(section, {})[key] = value
        else:
            copy[section] = value
    return copy


RUMMY_2_6 = changed(
    BASIC,
    players={"min": 2, "max": 6},
    deal__hand_size={"by_players": {2: 10, 3: 7, 5: 6}},
    discard__taken="if_last",
    discard__last_face_down=False,
    stock__when_empty="turn_over",
    stock__keep_top=False,
    stock__renewals=2,
    ending__deadlock=False,
    scoring__drawn="draw",
    match={"target": 100, "best": "highest", "tie": "round"},
)

RUMMY_500 = changed(
    BASIC,
    players={"min": 2, "max": 8},
    deck__packs={"by_players": {2: 1, 6: 2}},
    deck__jokers=2,
    deal__hand_size={"by_players": {2: 13, 3: 7}},
    melds__ace="both",
    draw={"pile": "deep", "deep_use": "any", "top_obliges": False, "pile_view": "all"},
    discard__last_face_down=False,
    stock={
        "check": "end_of_turn",
        "floor": 0,
        "when_empty": "none",
        "keep_top": True,
        "renewals": 0,
        "then": "play_on",
    },
    call__kind="pile",
    ending__deadlock=False,
    scoring={
        "model": "melds_minus_hand",
        "rummy": "off",
        "drawn": "draw",
        "values": {**VALUES, "A": 15, "low_ace": 1, "hand_ace": 15},
    },
    match={"target": 500, "best": "highest", "tie": "round"},
)

RUMMY_500_NO_JOKERS = changed(RUMMY_500, deck__jokers=0)
RUMMY_500_FLOATING = changed(RUMMY_500, discard__last="float")
RUMMY_500_UNPLAYABLE_OUT = changed(RUMMY_500, discard__last_unplayable=True)
RUMMY_500_5_10_15 = changed(
    RUMMY_500,
    scoring__values={**VALUES, **{str(n): 5 for n in range(2, 10)}, "A": 15, "low_ace": 5, "hand_ace": 15},
)

GIN_KNOCK = changed(
    BASIC,
    deal__up_card_offer="round",
    lay__when="knock",
    discard__last_face_down=False,
    stock={
        "check": "end_of_turn",
        "floor": 2,
        "when_empty": "shuffle",
        "keep_top": True,
        "renewals": "unlimited",
        "then": "exhausted",
    },
    knock={
        "limit": 10,
        "ace_limit": "one",
        "first_turn": True,
        "layoff": "knocker",
        "layoff_chain": "own",
        "gin_bonus": 25,
        "undercut_bonus": 25,
        "big_gin_bonus": 0,
        "undercut_on_tie": True,
        "undercut_to": "penalty",
        "spread": "choose",
        "respond": "choose",
    },
    ending__deadlock=False,
    scoring={"model": "knock_penalties", "rummy": "off", "drawn": "draw", "values": VALUES},
    match={"rounds": 3, "best": "lowest", "tie": "share"},
    prize={"split": "pool_normalised", "winner_min": 75, "threshold": 50},
)

GIN_CLASSIC = changed(
    GIN_KNOCK,
    players={"min": 2, "max": 2},
    deal__after_exhausted="same",
    stock__when_empty="none",
    stock__renewals=0,
    knock__undercut_to="winner",
    scoring__model="knock_difference",
    match={"target": 100, "best": "highest", "tie": "round"},
)
GIN_CLASSIC.pop("prize")

BASIC_ONE_MELD = changed(BASIC, lay__melds_per_turn=1)
BASIC_PENALTY = changed(
    BASIC,
    scoring__model="penalty",
    match={"target": {"by_players": {2: 100, 3: 150, 4: 200}}, "best": "lowest", "tie": "round"},
)

SHIPPED: dict[str, Profile] = {
    "basic": BASIC,
    "rummy-2-6": RUMMY_2_6,
    "rummy-500": RUMMY_500,
    "gin-knock": GIN_KNOCK,
    "gin-classic": GIN_CLASSIC,
    "basic-one-meld": BASIC_ONE_MELD,
    "basic-penalty": BASIC_PENALTY,
    "rummy-500-no-jokers": RUMMY_500_NO_JOKERS,
    "rummy-500-5-10-15": RUMMY_500_5_10_15,
    "rummy-500-floating": RUMMY_500_FLOATING,
    "rummy-500-unplayable-out": RUMMY_500_UNPLAYABLE_OUT,
}
