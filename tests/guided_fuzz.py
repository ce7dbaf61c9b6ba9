"""The tests of test_fuzz.py, led by coverage: atheris makes the input, and keeps what reaches new lines of the library.

    pip install atheris
    python -m tests.guided_fuzz                                         # 60 seconds for each test
    python -m tests.guided_fuzz --seconds 600 --only records

Each test runs in a process of its own, which ends with the first failure; the exit code is 1 if there was any.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

MODULES = ("tests.test_fuzz", "tests.test_profile_fuzz")


def names() -> list[str]:
    """The tests, as "module:function"."""
    found = [(module, name) for module in MODULES for name in vars(import_module(module))]
    return [f"{module}:{name}" for module, name in found if name.startswith("test_")]


def fuzz(name: str, seconds: int, corpus: str) -> None:
    """Fuzzes one test; never returns, for the fuzzer ends the process."""
    atheris = import_module("atheris")
    module, _, function = name.partition(":")
    with atheris.instrument_imports(include=["rummy_engine"]):
        test = getattr(import_module(module), function)
    rng = Random(1)
    for number in range(50):  # a test reads some hundred bytes: the fuzzer would be long in finding that out
        (Path(corpus) / str(number)).write_bytes(rng.randbytes(2 ** rng.randrange(6, 13)))
    options = [f"-max_total_time={seconds}", "-max_len=8192", "-rss_limit_mb=0"]
    atheris.Setup([sys.argv[0], *options, corpus], test.hypothesis.fuzz_one_input)
    atheris.Fuzz()


def main() -> int:
    """Fuzzes what was asked for."""
    parser = argparse.ArgumentParser(description="Runs the fuzz tests with inputs that atheris makes.")
    parser.add_argument("--seconds", type=int, default=60, help="for each test (default: 60)")
    parser.add_argument("--only", default="", help="tests whose name contains this")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if find_spec("atheris") is None:
        print("this needs atheris: pip install atheris", file=sys.stderr)
        return 2
    if options.one:
        name, corpus = options.one
        fuzz(name, options.seconds, corpus)
    failed = False
    for name in [name for name in names() if options.only in name]:
        with TemporaryDirectory() as corpus:
            command = [sys.executable, __file__, "--seconds", str(options.seconds), "--one", name, corpus]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        output = done.stdout.decode(errors="replace")
        ended = re.search(r"#(\d+)\s+DONE\s+cov: (\d+)", output)
        said = f"{int(ended[1]):,} inputs, {ended[2]} places reached" if ended else f"FAILED\n{output[-6000:]}"
        print(f"{name}: {said}", flush=True)
        failed |= done.returncode != 0
    return int(failed)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    sys.exit(main())
