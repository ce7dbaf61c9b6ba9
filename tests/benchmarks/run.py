"""Ours and every installed peer in one process run: microseconds per ply and ratios.

    python tests/benchmarks/run.py [--quick] [--json FILE]

A ply is one player action: the legal actions, a uniform choice, and applying it. Shuffles and dealing are no plies but
their time counts. Every repeat plays other rounds and asks other hands, so that no memo answers for the work; the
contenders of a table take turns, and their first turn does not count. The first row of a table is ours and is 1.00x:
5x took five times as long.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from pathlib import Path


def main(arguments: list[str] | None = None) -> int:
    """Runs the tables that are asked for, prints them, and writes them as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="few rounds: to see that it runs, not to quote")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures there")
    parser.add_argument("--only", metavar="WORD", help="only tables whose title has this word")
    options = parser.parse_args(arguments)

    from tests.benchmarks.tables import tables

    machine = f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}"
    print(machine)
    done = []
    repeats = 3 if options.quick else 5
    for table in tables(rounds=10 if options.quick else 300):
        if options.only and options.only.lower() not in table.title.lower():
            continue
        table.measure(repeats)
        print("\n" + table.text(), flush=True)
        done.append(table.data())
    if options.json:
        options.json.write_text(json.dumps({"machine": machine, "repeats": repeats, "tables": done}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    raise SystemExit(main())
