"""docs/notation.md: what it shows is read as it says, and its list of keywords is that of the code."""

from __future__ import annotations

import re
from pathlib import Path

import rummy_engine as rummy
from rummy_engine.actions import ACTION_TYPES
from rummy_engine.text.keywords import KEYWORDS

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "notation.md").read_text(encoding="utf-8")


def between(mark: str) -> list[str]:
    """The lines between two marks, without the fences of a code block."""
    found = PAGE.split(f"<!-- {mark} -->\n")[1].split(f"<!-- /{mark} -->")[0].splitlines()
    return [line for line in found if not line.startswith("```")]


def test_cards_and_melds_are_read() -> None:
    game = rummy.load("rummy-500")
    for line in between("cards"):
        assert rummy.parse_cards(line).bit_count() == 3, line
    state = game.position(hands=["2C", "3C"], phase="play")
    for line in between("melds"):
        assert str(game.parse(state, f"meld {line}")) == f"meld {line}"
        plain = line.replace("JK=5H", "JK")
        assert line in [str(meld) for meld in rummy.melds(plain, game)], line


def test_every_action_is_listed_and_read() -> None:
    section = PAGE.split("\n## Actions\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    texts = [text for row in rows for text in re.findall(r"`([^`]+)`", row)]
    game = rummy.load("rummy-500")
    state = game.position(hands=["2C", "3C"], table=["AC AD AH", "9S 9H 9D", "4H 5H 6H"], phase="play")
    actions = [game.parse(state, text) for text in texts]
    assert [str(action) for action in actions] == texts
    assert {type(action) for action in actions} == set(ACTION_TYPES)


def test_the_keywords_are_those_of_the_code() -> None:
    rows = [f"| `{name}` | {meaning} | {default} |" for name, (meaning, default) in KEYWORDS.items()]
    assert between("keywords") == ["| keyword | what it says | default |", "|---|---|---|", *rows]


def test_the_docstring_of_position_names_them() -> None:
    named = re.findall(r"\b\w+\b", rummy.Game.position.__doc__ or "")
    assert set(KEYWORDS) <= set(named)


def test_the_positions_are_read_and_come_back() -> None:
    lines = between("positions")
    names: dict[str, rummy.Game] = {}
    exec(lines[0], {"rummy": rummy}, names)
    game = names["game"]
    for line in lines[1:]:
        state = eval(line, {"game": game})
        assert game.position(**game.describe(state)) == state
