"""docs/comparing.md says what the code says: measures, sums and columns are those of the registries."""

from __future__ import annotations

from inspect import signature
from pathlib import Path

import pytest

from rummy_engine.compare import SCHEMA_VERSION, compare
from rummy_engine.comparing.chunks import CHUNK, FEWEST_CHUNKS, MATCHES_CHUNK
from rummy_engine.comparing.counting import QUANTITIES
from rummy_engine.comparing.intervals import FEW
from rummy_engine.comparing.lanes import LANES
from rummy_engine.comparing.measures import MEASURES
from rummy_engine.comparing.playing import LONGEST_MATCH
from rummy_engine.comparing.rows import COLUMNS
from rummy_engine.comparing.stopping import LEAST
from rummy_engine.exports import FRAME

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "comparing.md").read_text(encoding="utf-8")
TYPES = {int: "whole number", str: "text", bool: "true or false"}


def between(mark: str) -> list[str]:
    """The rows of the table between two marks."""
    return PAGE.split(f"<!-- {mark} -->\n")[1].split(f"<!-- /{mark} -->")[0].splitlines()[2:]


def test_the_tables_are_those_of_the_code() -> None:
    assert between("measures") == [
        f"| `{name}` | {each.title}: {each.sentence} | {each.unit} | `{each.formula}` |"
        for name, each in MEASURES.items()
    ]
    assert between("quantities") == [f"| `{name}` | {text} |" for name, text in QUANTITIES.items()]
    assert between("columns") == [f"| `{name}` | {TYPES[kind]} | {text} |" for name, (kind, text) in COLUMNS.items()]


def test_the_limit_of_a_run_with_a_stopping_rule_is_told() -> None:
    pytest.importorskip("typer", reason="needs the extra cli")
    from rummy_engine.cli_compare import ROUNDS_UNTIL

    given = signature(compare).parameters["rounds"].default
    section = PAGE.split("## Intervals and stopping")[1].split("\n## ")[0].replace("\n", " ")
    assert f"that is {ROUNDS_UNTIL} deals as single rounds (in Python: `rounds`, {given} unless given)" in section
    readme = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")
    assert f"at {ROUNDS_UNTIL} deals at the latest" in readme


def test_numbers_and_keys_are_those_of_the_code() -> None:
    assert f"from {LEAST} deals on" in PAGE and f"(below some {FEW})" in PAGE
    assert f"in chunks of {CHUNK} (of whole matches: {MATCHES_CHUNK}; fewer, where there would be less than" in PAGE
    for text in (f"{FEWEST_CHUNKS} chunks)", f"each of {LANES} resamples", f"after {LONGEST_MATCH} rounds"):
        assert text in PAGE
    assert f"| `schema_version` | {SCHEMA_VERSION};" in PAGE
    data = compare(["basic"], rounds=2).to_dict()
    section = PAGE.split("## JSON")[1].split("## CSV")[0]
    for key in (*data, *data["rows"][0], *data["rows"][0]["histograms"]):
        assert f"`{key}`" in section, key
    assert all(f"`{name}`" in PAGE.split("## CSV")[1] for name in FRAME)
