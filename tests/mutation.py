"""Do the tests bite? Small faults put into the rules and the melds one at a time, and whether a test notices.

    python -m tests.mutation --mutants 250 --seed 1
    python -m tests.mutation --only rules/draw.py            # every mutant of the files whose path contains this

Works on a copy of the checkout, so the checkout stays as it is. Each mutant meets the quick tests that call its
function, then all of them, then the laws and the comparisons with the reference; the first failure, or much more
processor time than the right code takes, kills it. The exit code is 1 if any survived. Needs fork: Linux and macOS.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import NoReturn

import pytest

ROOT = Path(__file__).parent.parent
TARGETS = (
    *sorted((ROOT / "rummy_engine" / "rules").glob("*.py")),
    *sorted((ROOT / "rummy_engine" / "melds").glob("*.py")),
)
RULES = "rules_common rules_basic rules_2_6 rules_500 rules_500_calls rules_500_scoring rules_gin rules_gin_scoring"
OTHERS = "worked_examples cases dials going_out emptying arrange deadwood_counts membership witnesses counts"
QUICK = tuple([f"tests/test_{name}.py" for name in f"{RULES} {OTHERS} match position views events sample".split()])
COMPARING = (
    "tests/test_laws.py::test_every_table_keeps_every_law",
    "tests/test_perft.py",
    "tests/test_lockstep.py::test_shipped_variants",
)
LONGEST = 10
"""Seconds of processor time after which one test counts as endless; on the right code none takes half of it."""

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
    function: int
    """The first line of the function around it, decorators included; 0: none."""

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
        self.function = 0

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
        self.found.append(Mutant(self.path, node.lineno, start, end, self._text(node), new, self.function))

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        if not any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases):
            for each in node.body:
                self.visit(each)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name in ("__repr__", "__str__"):
            return
        around, first = self.function, [decorator.lineno for decorator in node.decorator_list]
        self.function = around or min([node.lineno, *first])
        for each in [*node.args.defaults, *node.args.kw_defaults, *node.body]:
            if each is not None:
                self.visit(each)
        self.function = around

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


NOT_FOUND = f"exit code {int(pytest.ExitCode.USAGE_ERROR)}"
"""A test named one by one could not be collected: the whole files decide."""


class Bench:
    """A copy of the checkout in which mutants meet the tests, each time in a process of its own."""

    def __init__(self, directory: Path) -> None:
        self.root = directory
        for name in ("rummy_engine", "tests", "variants", "examples", "pyproject.toml", "README.md", "CHANGELOG.md"):
            source, target = ROOT / name, directory / name
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, target)
        self.reached: dict[str, list[str]] = {}
        """The tests that call a function ("file:first line"), the quickest first."""

    def warm_up(self) -> None:
        """Runs the tests on the right code, to see that they pass and which functions each calls."""
        calls = self.root / "calls.json"
        for names, plugin in ((QUICK, _Recorder(self.root, calls)), (COMPARING, None)):
            said = self._run(names, plugin)
            if said is not None:
                raise SystemExit(f"the right code does not pass: {said}")
        self.reached = json.loads(calls.read_text())

    def killer(self, mutant: Mutant) -> str | None:
        """The test that noticed, or None."""
        name = str(mutant.path.relative_to(ROOT))
        path = self.root / name
        right = path.read_bytes()
        for cached in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
            cached.unlink()
        likely = self.reached.get(f"{name}:{mutant.function}", [])
        try:
            path.write_bytes(mutant.applied())
            said = self._run(likely, _Watch()) if likely else NOT_FOUND
            if said == NOT_FOUND:
                likely, said = [], None
            return said or self._run(QUICK, _Watch(likely)) or self._run(COMPARING, _Watch())
        finally:
            path.write_bytes(right)

    def _run(self, names: Sequence[str], plugin: object) -> str | None:
        """What failed first of these tests; None if nothing did."""
        output = self.root / "output.txt"
        child = os.fork()
        if not child:
            self._be_pytest(names, plugin, output)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        if code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):  # the latter where all are done already
            return None
        failed = re.findall(r"(?m)^(?:FAILED|ERROR) (\S+)", output.read_text(errors="replace"))
        return failed[0] if failed else "endless" if code < 0 else f"exit code {code}"

    def _be_pytest(self, names: Sequence[str], plugin: object, output: Path) -> NoReturn:
        """In the new process: the packages around the project are loaded already, the copy is imported afresh."""
        code = 99
        try:
            os.chdir(self.root)
            with output.open("w") as file:
                os.dup2(file.fileno(), 1)
                os.dup2(file.fileno(), 2)
            sys.path[0] = os.environ["PYTHONPATH"] = str(self.root)
            for name in [name for name in sys.modules if name.partition(".")[0] in ("tests", "rummy_engine")]:
                del sys.modules[name]
            if isinstance(plugin, _Watch):
                sys.dont_write_bytecode = True
                plugin.start()
            options = ["-x", "--tb=no", "-p", "no:cacheprovider"]
            code = int(pytest.main([*options, *names], plugins=[plugin] if plugin else []))
            sys.stdout.flush()
        finally:
            os._exit(code)


class _Watch:
    """A pytest plugin: the process dies when a test, or the import of them all, takes too much processor time.

    Tests that are done already are left out.
    """

    def __init__(self, done: Sequence[str] = ()) -> None:
        self.done = frozenset(done)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid not in self.done]

    def start(self) -> None:
        """From now on."""
        signal.setitimer(signal.ITIMER_PROF, LONGEST)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        self.start()


class _Recorder:
    """A pytest plugin: which functions of the targets each test calls, and how long it takes."""

    def __init__(self, root: Path, target: Path) -> None:
        self.root, self.target = f"{root}{os.sep}", target
        self.calls: dict[str, dict[str, float]] = {}
        self.files = {str(root / path.relative_to(ROOT)) for path in TARGETS}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        seen: set[tuple[str, int]] = set()

        def trace(frame: FrameType, event: str, argument: object) -> None:
            if frame.f_code.co_filename in self.files:
                seen.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

        began = time.monotonic()
        sys.settrace(trace)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            for path, line in seen:
                called = self.calls.setdefault(f"{path.removeprefix(self.root)}:{line}", {})
                called[item.nodeid] = time.monotonic() - began

    def pytest_sessionfinish(self) -> None:
        ordered = {key: sorted(tests, key=tests.__getitem__) for key, tests in self.calls.items()}
        self.target.write_text(json.dumps(ordered))


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
    for name in ("hypothesis", "pydantic", "rich.console", "typer"):  # once, instead of in every process
        import_module(name)
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
