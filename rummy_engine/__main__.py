"""`rummy` and `python -m rummy_engine`: the command line, or what to install for it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

CLI_PACKAGES = ("typer", "rich")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line with these arguments (None: those of the process) and returns the exit code."""
    try:
        from rummy_engine.cli import main as run
    except KeyboardInterrupt:  # before there was anybody else to take it
        return 130
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in CLI_PACKAGES:
            raise
        print('rummy: the command line needs two more packages: pip install "rummy-engine[cli]"', file=sys.stderr)
        return 2
    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
