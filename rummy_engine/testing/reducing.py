"""Making a counter-example smaller: cards are left out of the situation as long as the law still breaks there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rummy_engine.state import State
from rummy_engine.testing.laws.base import LAWS, LawBroken, StateLaw, StepLaw

MOST_TRIES = 400
"""Situations that are tried before the smallest so far is kept."""


def reduced(broken: LawBroken) -> LawBroken:
    """The same law broken with fewer cards, or the break itself where none can go.

    Whole melds and zones are tried before single cards. A play of many actions is not reduced.
    """
    tries = MOST_TRIES
    found = True
    while found and tries > 0:
        found = False
        for keywords in _smaller(broken):
            tries -= 1
            again = _breaks(broken, keywords)
            if again is not None:
                broken, found = again, True
                break
            if tries <= 0:
                break
    return broken


def _breaks(broken: LawBroken, keywords: dict[str, Any]) -> LawBroken | None:
    game, _, actions, seed = broken.case
    law = LAWS[broken.law]
    try:
        state = game.position(**keywords)
        if isinstance(law, StateLaw):
            law(game, state, seed)
        elif isinstance(law, StepLaw):
            law(game, state, actions[0], seed=seed)
    except LawBroken as again:
        # Another exception, or another kind of fault, would be another example.
        return again if _kind(again.fault) == _kind(broken.fault) else None
    except Exception:  # no such situation, or a fault of its own
        return None
    return None


def _kind(fault: str) -> str:
    return fault.split(" ", 2)[1] if fault.startswith("raised ") else "unmet"


def _smaller(broken: LawBroken) -> Iterator[dict[str, Any]]:
    """The keywords of the situation with something left out, the largest parts first."""
    game, state, _, _ = broken.case
    if state is None or not isinstance(LAWS[broken.law], (StateLaw, StepLaw)):
        return
    keywords = game.describe(state)
    keywords.pop("copies", None)  # numbers of copies hold for every mention: without them faces are numbered anew
    if keywords["result"] is not None and state.phase not in ("deal", "over"):
        yield {**keywords, "result": None}
    for name in ("stock", "pile"):
        cards = keywords[name].split()
        for part in (len(cards), len(cards) // 2, 1):
            if 0 < part <= len(cards):
                yield _with_known(keywords, name, " ".join(cards[part:]), state)
                yield _with_known(keywords, name, " ".join(cards[:-part]), state)
    for i in range(len(keywords["table"])):
        yield {**keywords, "table": keywords["table"][:i] + keywords["table"][i + 1 :]}
    for seat, hand in enumerate(keywords["hands"]):
        cards = hand.split()
        for part in sorted({len(cards), len(cards) // 2, 1} - {0}, reverse=True):
            for i in range(0, len(cards), part):
                fewer = " ".join(cards[:i] + cards[i + part :])
                yield {**keywords, "hands": _replaced(keywords["hands"], seat, fewer)}
    for seat, known in enumerate(keywords["known"]):
        if known:
            yield {**keywords, "known": _replaced(keywords["known"], seat, "")}


def _with_known(keywords: dict[str, Any], name: str, cards: str, state: State) -> dict[str, Any]:
    known = min(state.stock_known, len(cards.split())) if name == "stock" else state.stock_known
    return {**keywords, name: cards, "stock_known": known}


def _replaced(values: list[str], index: int, value: str) -> list[str]:
    return [*values[:index], value, *values[index + 1 :]]
