"""Hold the tests to their budget of processor time: `make test` records, `make check-budget` compares.

    python tools/budget.py run LEG COMMAND...      run a leg of the tests and record what it costs
    python tools/budget.py check [--margin 1.2]    compare the legs recorded last with the budget

Processor time is user and system time of the command and of all that it starts. The budget holds for a built tree on
a quiet machine; a busy one needs more for the same work, so a larger margin is right there. Exit codes: 0 within the
budget, 1 over it, 2 nothing was recorded; `run` has the exit code of its command.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

RECORDS = Path(__file__).parent.parent / "build" / "budget"
LEGS = ("rust", "native", "python")
TOTAL = 360.0
"""Seconds for all legs together."""
EACH = 2.0
"""Seconds for the call of one test, without its fixtures."""
SHARED = "tests/web/browser/"
"""Tests that share a browser. Its time is counted in the test during which it ends, so EACH does not apply to them."""
SHOWN = 12


class Timed(NamedTuple):
    """One test of one leg."""

    name: str
    call: float
    whole: float


def run(leg: str, command: list[str]) -> int:
    """Run the command, record its processor time under the name of the leg, and return its exit code."""
    folder = RECORDS / leg
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    code = subprocess.call(command, env={**os.environ, "UNSHUFFLE_BUDGET": str(folder)})
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    (folder / "total").write_text(f"{spent.ru_utime + spent.ru_stime:.1f}\n")
    return code


def read(leg: str) -> tuple[float, list[Timed]]:
    """Return the total of a leg and its tests. Raises FileNotFoundError for a leg that was not recorded."""
    folder = RECORDS / leg
    total = float((folder / "total").read_text())
    lines = [line.rsplit("\t", 2) for file in folder.glob("*.tsv") for line in file.read_text().splitlines()]
    return total, [Timed(name, float(call), float(whole)) for name, call, whole in lines]


def check(margin: float) -> int:
    """Print what the legs cost, the dearest files and tests, and every excess. Return the exit code."""
    try:
        legs = {leg: read(leg) for leg in LEGS}
    except FileNotFoundError as error:
        print(f"nothing recorded: {error.filename}; run `make test` first", file=sys.stderr)
        return 2
    files: defaultdict[str, float] = defaultdict(float)
    tests: list[tuple[Timed, str]] = []
    for leg, (total, timed) in legs.items():
        print(f"{leg:8} {total:7.1f} s  {len(timed):6} tests")
        tests += [(test, leg) for test in timed]
        for test in timed:
            files[test.name.partition("::")[0]] += test.whole
    total = sum(total for total, _ in legs.values())
    print(f"{'all':8} {total:7.1f} s  of {TOTAL:.0f} s")
    print("\nfiles")
    for name, seconds in sorted(files.items(), key=lambda row: -row[1])[:SHOWN]:
        print(f"{seconds:7.1f} s  {name}")
    print("\ntests, without and with their fixtures")
    for test, leg in sorted(tests, key=lambda row: -row[0].whole)[:SHOWN]:
        print(f"{test.call:7.1f} s {test.whole:7.1f} s  {test.name} ({leg})")
    over = [
        f"{test.name} ({leg}) took {test.call:.1f} s of {EACH:.0f} s"
        for test, leg in tests
        if test.call > EACH * margin and not test.name.startswith(SHARED)
    ]
    if total > TOTAL * margin:
        over.append(f"all tests took {total:.0f} s of {TOTAL:.0f} s")
    if over:
        print(f"\nover the budget by more than the margin of {margin:g}:\n" + "\n".join(over))
    return 1 if over else 0


def main() -> int:
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run", help="run a leg of the tests and record what it costs")
    running.add_argument("leg", choices=LEGS)
    running.add_argument("words", nargs=argparse.REMAINDER)
    checking = commands.add_parser("check", help="compare the legs recorded last with the budget")
    checking.add_argument("--margin", type=float, default=1.2, help="how many times the budget is allowed (1.2)")
    asked = parser.parse_args()
    return run(asked.leg, asked.words) if asked.command == "run" else check(asked.margin)


if __name__ == "__main__":
    sys.exit(main())
