"""docs/rules.md has an entry for every rule that anything cites, and docs/dials.md is what the code writes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rummy_engine.cards import RANKS
from rummy_engine.cli import main
from rummy_engine.profiles.dials import dial_paths, dials, tables
from rummy_engine.testing.laws import LAWS

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
ENTRIES = re.findall(r"^- \*\*(\S+)\*\* ", PAGE, re.MULTILINE)

LETTERS = {"A": 18, "B": 26, "C": 14, "V": 10, "R": 39, "E": 9}
CODE = re.compile(r"(?<![\w.])([ABCVRE][1-9]\d?|2\.[A-D]-\d+)(?!\w|\.\d|-\d)")
CITED_SECTION = re.compile(r"(?:rules|#) (3\.\d)")
NO_CODES = re.compile(rf"\b[{RANKS}]{{3,}}\b|x-\w+")
"""Ranks in a row ("A23"), which look like codes."""


def cited(path: Path) -> Iterator[str]:
    """The rules that a file names, a range as all of its members."""
    text = NO_CODES.sub("", path.read_text(encoding="utf-8"))
    for letter, first, last in re.findall(r"\b([ABCVRE])(\d+)(?: to |-|–)\1(\d+)\b", text):
        yield from (f"{letter}{number}" for number in range(int(first), int(last) + 1))
    yield from CODE.findall(text)
    yield from CITED_SECTION.findall(text)


def texts() -> Iterator[Path]:
    """All that a user or a contributor reads."""
    for folder in ("rummy_engine", "variants", "tests", "examples", "docs"):
        yield from (path for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".toml", ".md"))
    yield from ROOT.glob("*.md")


def test_every_rule_has_one_entry_in_order() -> None:
    assert len(ENTRIES) == len(set(ENTRIES))
    for letter, last in LETTERS.items():
        assert [each for each in ENTRIES if each[0] == letter] == [f"{letter}{n}" for n in range(1, last + 1)]


def test_every_rule_that_is_cited_has_an_entry() -> None:
    missing = {f"{path.relative_to(ROOT)}: {code}" for path in texts() for code in cited(path) if code not in ENTRIES}
    assert not missing
    assert {"A16", "R31", "B20", "2.B-16", "3.1", "E5"} <= {code for path in texts() for code in cited(path)}


def test_dials_and_laws_cite_entries_and_the_page_names_no_dial_that_is_not_there() -> None:
    for source in (*(dial.source for dial in dials()), *(law.clause for law in LAWS.values())):
        codes = source.removeprefix("rules ").split(", ") if source else []
        assert all(part in ENTRIES for code in codes for part in code.split("-") if not code.startswith("2.")), source
    named = set(re.findall(r"`(\w+\.[\w.]+?)(?: = [^`]*)?`", PAGE))
    assert named <= dial_paths() | set(tables())


def test_nothing_cites_a_page_that_is_not_there() -> None:
    for path in texts():
        if path != Path(__file__):
            text = path.read_text(encoding="utf-8")
            assert not re.findall(r"design(?:\.md)? §?\d|the (?:rules|design) page|§ ?\d", text), path


def test_the_reference_of_dials_is_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "--markdown"]) == 0
    assert capsys.readouterr().out == (ROOT / "docs" / "dials.md").read_text(encoding="utf-8")
