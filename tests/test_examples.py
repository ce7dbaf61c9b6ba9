"""Every script in examples/ runs, says what its last lines say it prints, and says it again."""

from __future__ import annotations

import re
import runpy
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
MARK = "# It prints:\n"
NEEDS = "^# Needs one of: (.*)$"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_prints_what_it_says(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = path.read_text(encoding="utf-8")
    needed = re.search(NEEDS, source, re.MULTILINE)
    if needed and not any(find_spec(name.strip()) for name in needed[1].split(",")):
        pytest.skip(f"needs one of {needed[1]}")
    code, mark, printed = source.partition(MARK)
    assert mark and len(code.splitlines()) <= 40
    expected = "".join(line.removeprefix("# ").removeprefix("#") for line in printed.splitlines(keepends=True))
    for _ in range(2):
        runpy.run_path(str(path), run_name="__main__")
        assert capsys.readouterr().out == expected
