"""What the README says is so: its Python runs, its tables are complete, its commands are those of the checks."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

import rummy_engine as rummy
from rummy_engine.cli import main

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The code blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def rows(heading: str) -> list[list[str]]:
    """The cells of the first table under a heading."""
    section = README.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("number", range(len(blocks("python"))))
def test_each_example_runs_by_itself(number: int) -> None:
    exec(compile(blocks("python")[number], f"README.md, Python block {number}", "exec"), {})


def test_the_first_example_has_ten_lines_and_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    block = blocks("python")[0]
    assert len([line for line in block.splitlines() if line.strip()]) <= 10
    exec(compile(block, "README.md, ten lines", "exec"), {})
    assert f"It prints:\n\n```\n{capsys.readouterr().out}```\n" in README


def test_the_bot_of_your_own_can_be_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (bot,) = [block for block in blocks("python") if "def hasty" in block]
    (command,) = re.findall(r"`rummy (compare [^`]*mine:hasty[^`]*)`", README)
    (tmp_path / "mine.py").write_text(bot, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main([*command.split(), "--rounds", "10", "--csv", "-"]) == 0
    assert "hasty" in capsys.readouterr().out


def test_the_house_rule_is_a_profile_of_four_lines() -> None:
    (block,) = blocks("toml")
    assert len(block.splitlines()) == 4
    assert rummy.load(tomllib.loads(block)).start(3).players == 3


def test_the_table_of_variants_is_complete() -> None:
    found = {row[0].strip("`"): row[1:] for row in rows("The variants")}
    assert tuple(found) == rummy.variants()
    for name, (players, summary) in found.items():
        profile = rummy.load(name).profile
        least, most = profile.players.min, profile.players.max
        assert players == (f"{least}" if least == most else f"{least}–{most}"), name
        assert summary == profile.meta.summary, name


def test_the_table_of_errors_is_complete() -> None:
    found = {row[0].strip("`") for row in rows("Errors")}
    errors = {name for name in dir(rummy) if name.endswith("Error")}
    assert found == errors - {"RummyError"}


def test_the_architecture_map_is_complete_and_imports_go_upward_in_it() -> None:
    package = ROOT / "rummy_engine"
    found = [re.sub("[`*]", "", row[0]).split() for row in rows("Architecture")]
    rank = {name.removesuffix(".py").rstrip("/"): index for index, names in enumerate(found) for name in names}
    paths = {path.name for path in package.glob("*.py")} | {f"{path.parent.name}/" for path in package.glob("*/*.py")}
    assert {name for names in found for name in names} == paths - {"__init__.py"}
    for path in package.rglob("*.py"):
        here = path.relative_to(package).parts[0].removesuffix(".py")
        for imported in imports(path):
            assert here == "__init__" or rank[imported] <= rank[here], f"{path.name} imports {imported}"


def imports(path: Path) -> set[str]:
    """The parts of the package that a file imports when it is imported itself."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = [node.module for node in tree.body if isinstance(node, ast.ImportFrom) and node.module]
    return {module.split(".")[1] for module in modules if module.startswith("rummy_engine.")}


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target


def test_the_commands_are_one_line_each() -> None:
    for marker in ("compare", "tests"):
        (found,) = re.findall(rf"<!-- {marker} -->\n```sh\n(.*?)```\n<!-- /{marker} -->", README, re.DOTALL)
        assert found.count("\n") == 1 and found.startswith("python3 -m venv .venv && .venv/bin/pip install ")
