"""Making a counter-example small, and one that can be written down: what is kept breaks the law again when it is run.

Cards are left out of a situation, and actions of a play, as long as the law still breaks. An engine with a fault may
fail at any of this, which costs the reduction and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rummy_engine.state import State
from rummy_engine.testing.driving import Step
from rummy_engine.testing.following import follow
from rummy_engine.testing.laws.base import LAWS, Case, GameLaw, LawBroken, PlayLaw, StateLaw, StepLaw
from rummy_engine.testing.pasting import pasted

MOST_TRIES = 400
"""Situations that are tried before the smallest so far is kept."""


def written(broken: LawBroken, played: Sequence[Step]) -> LawBroken | None:
    """The break in a situation that a position describes: its own, or the nearest before it and the actions since.

    `played` are the steps of the play in which the law broke. None: nothing that can be written shows it again.
    """
    game, state, actions, seed, _ = broken.case
    if state is None:
        return broken
    states = [state, *(step.before for step in reversed(played) if step.before is not state)]
    lead = [step.action for step in played if step.before is not state]
    for back, before in enumerate(states):
        start = pasted(game, before)
        if start is not None:
            again = _tried(broken, Case(game, start, actions, seed, tuple(lead[len(lead) - back :])))
            if again is not None:
                return again
    return None


def reduced(broken: LawBroken) -> LawBroken:
    """The same law broken with fewer cards or actions, or the break itself where none can go.

    Whole melds and zones are tried before single cards, and half a play before single actions.
    """
    tries = MOST_TRIES
    found = True
    while found and tries > 0:
        found = False
        try:
            for smaller in _smaller(broken):
                tries -= 1
                again = _tried(broken, smaller)
                if again is not None and _pastes(smaller):
                    broken, found = again, True
                    break
                if tries <= 0:
                    break
        except Exception:  # the engine cannot even describe the situation: it stays as large as it is
            return broken
    return broken


def _tried(broken: LawBroken, case: Case) -> LawBroken | None:
    """The law broken in this case, with actions read from their texts as a script does; None: it holds there."""
    game, state, actions, seed, lead = case
    law, texts = LAWS[broken.law], [str(action) for action in actions]
    try:
        if isinstance(law, GameLaw) or state is None:
            return None
        reached = follow(game, state, map(str, lead))
        if isinstance(law, StateLaw):
            law(game, reached, seed)
        elif isinstance(law, StepLaw):
            law(game, reached, texts[0], follow(game, reached, texts), seed)
        elif isinstance(law, PlayLaw):
            follow(game, reached, texts)
            law(game, reached, texts, seed)
    except LawBroken as again:
        # Another exception, or another kind of fault, would be another example.
        return broken.elsewhere(case, again.fault) if _kind(again.fault) == _kind(broken.fault) else None
    except Exception:  # no such situation, or a fault of its own
        return None
    return None


def _pastes(case: Case) -> bool:
    return case.state is not None and pasted(case.game, case.state) == case.state


def _kind(fault: str) -> str:
    return fault.split(" ", 2)[1] if fault.startswith("raised ") else "unmet"


def _smaller(broken: LawBroken) -> Iterator[Case]:
    """The case with something left out, the largest parts first."""
    case = broken.case
    if case.state is None:
        return
    if isinstance(LAWS[broken.law], PlayLaw):
        yield from _shorter(case, case.state)
        return
    for keywords in _fewer(case, case.state):
        try:
            state = case.game.position(**keywords)
        except Exception:  # no such situation
            continue
        yield case._replace(state=state)


def _shorter(case: Case, start: State) -> Iterator[Case]:
    """The play without its last actions, or from a later state on."""
    length = len(case.actions)
    for part in sorted({length, length // 2, 1} - {0}, reverse=True):
        if part <= length:
            yield case._replace(actions=case.actions[: length - part])
            later = pasted(case.game, follow(case.game, start, case.actions[:part]))
            if later is not None:
                yield case._replace(state=later, actions=case.actions[part:])


def _fewer(case: Case, state: State) -> Iterator[dict[str, Any]]:
    """The keywords of the situation with something left out."""
    keywords = case.game.describe(state)
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
