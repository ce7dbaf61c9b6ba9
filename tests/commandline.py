"""Calling the command line in tests, in this process or in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rummy_engine.__main__ import main

pytest.importorskip("typer", reason="needs the extra cli")
pytest.importorskip("rich", reason="needs the extra cli")

ROOT = Path(__file__).resolve().parent.parent
SOME = ["basic", "gin-knock"]
FEW = ["--rounds", "6"]


class Run:
    """What one call printed and how it ended."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *words: str) -> None:
        self.code = main(words)
        self.out, self.err = capsys.readouterr()
        assert "Traceback" not in self.out + self.err
        assert "\x1b" not in self.out + self.err  # no colour codes in a pipe

    @property
    def refusal(self) -> str:
        """The one line of a refusal."""
        assert (self.code, self.out) == (2, "")
        assert self.err.startswith("rummy: ") and self.err.endswith("\n") and self.err.count("\n") == 1
        assert len(self.err) <= 1010
        return self.err


def process(*words: str, **how: object) -> subprocess.CompletedProcess[str]:
    """A call in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "rummy_engine", *words]
    return subprocess.run(  # type: ignore[call-overload, no-any-return]  # hands any options on
        command, **{"text": True, "capture_output": True, "timeout": 60, "env": environment, **how}
    )
