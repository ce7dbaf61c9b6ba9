"""`rummy verify` over every shipped variant, as the table of docs/verification.md: what was reached, and what was not.

    python -m tests.verify_all                    # 200 plays of each
    python -m tests.verify_all --examples 2000
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping

import rummy_engine as rummy
from rummy_engine.testing import Report, verify

COLUMNS = ("variant", "rounds", "actions", "checks", "phases", "action types", "endings", "dials", "never reached")


def reached(counts: Mapping[str, int]) -> str:
    """How many of all: `8 of 8`."""
    return f"{sum(count > 0 for count in counts.values())} of {len(counts)}"


def row(report: Report) -> tuple[str, ...]:
    """One line of the table."""
    coverage = report.coverage
    missing = [f"{name} ({kind})" for kind, names in coverage.missing().items() for name in names]
    return (
        f"`{report.name}`",
        f"{coverage.rounds:,}",
        f"{coverage.steps:,}",
        f"{report.checked.total():,}",
        reached(coverage.phases),
        reached(coverage.actions),
        ", ".join(f"{kind} {count:,}" for kind, count in coverage.endings.items()),
        reached(coverage.dials),
        ", ".join(missing) or "nothing",
    )


def main() -> int:
    """Prints the table; the exit code is 1 if a law was broken or something was never reached."""
    parser = argparse.ArgumentParser(description="Verifies every shipped variant and prints what was reached.")
    parser.add_argument("--examples", type=int, default=200, help="plays of each variant (default: 200)")
    parser.add_argument("--seed", type=int, default=1, help="fixes every play (default: 1)")
    options = parser.parse_args()
    print("| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|", flush=True)
    total, good = Counter[str](), True
    for name in rummy.variants():
        report = verify(rummy.load(name), options.examples, options.seed)
        print("| " + " | ".join(row(report)) + " |", flush=True)
        for broken in report.broken:
            print(broken.script(), file=sys.stderr)
        total += Counter(rounds=report.coverage.rounds, actions=report.coverage.steps, checks=report.checked.total())
        good = good and report.ok and not report.coverage.missing()
    print("\n" + ", ".join(f"{number:,} {name}" for name, number in total.items()))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
