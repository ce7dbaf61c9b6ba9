"""Do the tests bite? Small faults put into the rules and the melds one at a time, and whether a test notices.

    python -m tests.mutation --mutants 250 --seed 1
    python -m tests.mutation --only rules/draw.py            # every mutant of the files whose path contains this

Works on a copy of the checkout, so the checkout stays as it is. Each mutant meets the tests that are quick, then the
comparisons with the reference; the first failure, or much more processor time than the right code takes, kills it. The
exit code is 1 if any survived.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
TARGETS = (
    *sorted((ROOT / "rummy_engine" / "rules").glob("*.py")),
    *[ROOT / "rummy_engine" / f"{name}.py" for name in ("melds", "finder", "deadwood", "arrange")],
)
QUICK = (
    "test_rules_common test_rules_basic test_rules_2_6 test_rules_500 test_rules_500_calls test_rules_500_scoring "
    "test_rules_gin test_rules_gin_scoring test_worked_examples test_cases test_arrange test_membership test_witnesses "
    "test_counts test_match test_position"
)
COMPARING = "test_perft test_laws test_profile test_views test_events test_sample test_lockstep"
STAGES = tuple([[f"tests/{name}.py" for name in names.split()] for names in (QUICK, COMPARING)])
FIRST = 4
"""So many of the quick files are tried before the others: those that noticed most faults of the same file."""
LONGER = 2
"""So many times the processor time of the right code is an endless loop."""

COMPARISONS: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<=", ">="),
    ast.LtE: ("<", ">"),
    ast.Gt: (">=", "<="),
    ast.GtE: (">", "<"),
    ast.Eq: ("!=",),
    ast.NotEq: ("==",),
    ast.Is: ("is not",),
    ast.IsNot: ("is",),
    ast.In: ("not in",),
    ast.NotIn: ("in",),
}
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.Mod: "*",
    ast.FloorDiv: "*",
    ast.BitAnd: "|",
    ast.BitOr: "&",
    ast.BitXor: "|",
    ast.LShift: ">>",
    ast.RShift: "<<",
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """One fault: the text of an expression or statement, and what stands there instead."""

    path: Path
    line: int
    start: int
    """In bytes from the beginning of the file."""
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        old, new = (re.sub(r"\s+", " ", text) for text in (self.old, self.new))
        return f"{self.path.relative_to(ROOT)}:{self.line}: {old}  ->  {new}"

    def applied(self) -> bytes:
        """The file with the fault."""
        source = self.path.read_bytes()
        return source[: self.start] + self.new.encode() + source[self.end :]


class _Finder(ast.NodeVisitor):
    """Finds what can be changed in one file; annotations, docstrings, protocols and error texts are left alone."""

    def __init__(self, path: Path) -> None:
        self.path, self.source = path, path.read_bytes()
        self.starts = [0]
        for line in self.source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.found: list[Mutant] = []

    def mutants(self) -> list[Mutant]:
        self.visit(ast.parse(self.source))
        return self.found

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.starts[node.lineno - 1] + node.col_offset, self.starts[node.end_lineno - 1] + node.end_col_offset

    def _text(self, node: ast.expr | ast.stmt) -> str:
        start, end = self._span(node)
        return self.source[start:end].decode()

    def _add(self, node: ast.expr | ast.stmt, new: str) -> None:
        start, end = self._span(node)
        self.found.append(Mutant(self.path, node.lineno, start, end, self._text(node), new))

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        if not any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases):
            for each in node.body:
                self.visit(each)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name not in ("__repr__", "__str__"):
            for each in [*node.args.defaults, *node.args.kw_defaults, *node.body]:
                if each is not None:
                    self.visit(each)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Broken invariants and their texts: nothing reaches them."""

    def visit_Assert(self, node: ast.Assert) -> None:
        """For the type checker."""

    def visit_If(self, node: ast.If) -> None:
        self._negate(node.test)
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._negate(test)
            self._add(test, "True")
        self.generic_visit(node)

    def _negate(self, test: ast.expr) -> None:
        if isinstance(test, ast.Name) and test.id == "TYPE_CHECKING":
            return
        self._add(test, test_text[4:] if (test_text := self._text(test)).startswith("not ") else f"(not ({test_text}))")

    def visit_Compare(self, node: ast.Compare) -> None:
        if len(node.ops) == 1:
            left, right = self._text(node.left), self._text(node.comparators[0])
            for sign in COMPARISONS[type(node.ops[0])]:
                self._add(node, f"({left}) {sign} ({right})")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for i in range(len(node.values)):
            rest = [f"({self._text(value)})" for value in (*node.values[:i], *node.values[i + 1 :])]
            self._add(node, "(" + (" and " if isinstance(node.op, ast.And) else " or ").join(rest) + ")")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in OPERATORS and not isinstance(node.left, ast.Constant | ast.JoinedStr):
            self._add(node, f"({self._text(node.left)}) {OPERATORS[type(node.op)]} ({self._text(node.right)})")
        elif isinstance(node.op, ast.LShift):
            self._add(node, f"({self._text(node.left)} << ({self._text(node.right)}) + 1)")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._add(node, "pass")
        self.visit(node.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._add(node, str(not node.value))
        elif isinstance(node.value, int):
            self._add(node, str(node.value + 1))

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id in NAMES:
            self._add(node.func, NAMES[node.func.id])
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self._add(node, "pass")
            self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None and not isinstance(node.value, ast.Constant):
            self._add(node, "return None")
            self.generic_visit(node)
        elif isinstance(node.value, ast.Constant):
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Texts for people."""


def all_mutants(paths: Sequence[Path] = TARGETS) -> list[Mutant]:
    """Every fault that the files have room for, in the order of the text."""
    return [mutant for path in paths for mutant in _Finder(path).mutants()]


class Bench:
    """A copy of the checkout in which mutants meet the tests."""

    def __init__(self, directory: Path) -> None:
        self.root = directory
        for name in ("rummy_engine", "tests", "variants", "examples", "pyproject.toml", "README.md", "CHANGELOG.md"):
            source, target = ROOT / name, directory / name
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, target)
        self.limits: list[int] = []
        """Seconds of processor time for each stage."""
        self.noticed: dict[Path, Counter[str]] = {}
        """How many faults of each file each test file has noticed."""

    def warm_up(self) -> None:
        """Runs every stage on the right code, which also fixes what a run may cost."""
        for stage in STAGES:
            began = resource.getrusage(resource.RUSAGE_CHILDREN)
            said = self._run(stage)
            if said is not None:
                raise SystemExit(f"the right code does not pass: {said}")
            ended = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.limits.append(round(LONGER * (ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime)))

    def killer(self, mutant: Mutant) -> str | None:
        """The test that noticed, or None."""
        path = self.root / mutant.path.relative_to(ROOT)
        right = path.read_bytes()
        for cached in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
            cached.unlink()
        noticed = self.noticed.setdefault(mutant.path, Counter())
        likely = sorted(STAGES[0], key=lambda name: -noticed[name])
        try:
            path.write_bytes(mutant.applied())
            for names, limit in ((likely[:FIRST], self.limits[0]), (likely[FIRST:], self.limits[0]),
                                 (STAGES[1], self.limits[1])):  # fmt: skip
                said = self._run(names, limit)
                if said is not None:
                    noticed[said.partition("::")[0]] += 1
                    return said
            return None
        finally:
            path.write_bytes(right)

    def _run(self, names: Sequence[str], limit: int | None = None) -> str | None:
        """What failed first in these test files; None if nothing did. The limit is in seconds of processor time."""
        environment = {**os.environ, "PYTHONPATH": str(self.root)}
        if limit is not None:
            environment["PYTHONDONTWRITEBYTECODE"] = "1"
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "--tb=no", "-p", "no:cacheprovider", *names],
            cwd=self.root, env=environment, capture_output=True, text=True, check=False,
            preexec_fn=None if limit is None else lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
        )  # fmt: skip
        if done.returncode == 0:
            return None
        failed = re.findall(r"(?m)^(?:FAILED|ERROR) (\S+)", done.stdout)
        return failed[0] if failed else "endless" if done.returncode < 0 else f"exit code {done.returncode}"


def main() -> int:
    """Runs mutants and reports which survived."""
    parser = argparse.ArgumentParser(description="Puts faults into the rules and tells which no test notices.")
    parser.add_argument("--mutants", type=int, help="so many, drawn at random (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (default: 1)")
    parser.add_argument("--only", default="", help="files whose path contains this")
    parser.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    options = parser.parse_args()
    mutants = all_mutants([path for path in TARGETS if options.only in str(path)])
    possible = len(mutants)
    if options.mutants is not None:
        mutants = random.Random(options.seed).sample(mutants, min(options.mutants, possible))
    if options.list:
        print("\n".join(map(str, mutants)))
        return 0
    survivors, killed, began = list[Mutant](), Counter[str](), time.monotonic()
    with tempfile.TemporaryDirectory() as directory:
        bench = Bench(Path(directory))
        bench.warm_up()
        try:
            for number, (mutant, said) in enumerate(_judged(bench, mutants), start=1):
                killed[said.partition("::")[0] if said else "nothing"] += 1
                if said is None:
                    survivors.append(mutant)
                print(f"{number}/{len(mutants)} {mutant}: {said or 'SURVIVED'}", flush=True)
        except KeyboardInterrupt:
            print("interrupted; so far:")
    tried = killed.total()
    print(f"{tried} of {possible} mutants, {tried - len(survivors)} killed, {time.monotonic() - began:.0f} s")
    print("by " + ", ".join(f"{name} {number}" for name, number in killed.most_common()))
    print("\n".join(f"survived {mutant}" for mutant in survivors))
    return 1 if survivors else 0


def _judged(bench: Bench, mutants: Sequence[Mutant]) -> Iterator[tuple[Mutant, str | None]]:
    for mutant in mutants:
        yield mutant, bench.killer(mutant)


if __name__ == "__main__":
    sys.exit(main())
