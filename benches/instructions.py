"""Instructions per deal: `python benches/instructions.py [GAME ...] [--json]`. Other load does not change them.

Each engine example solves n deals and 2 n deals under callgrind; the difference divided by n is the count per deal. It
includes dealing and writing the line, and excludes the start and end of the program. Counts depend on the compiler and
the processor: callgrind has no AVX-512, so code for AVX-512 is counted as compiled for AVX2. Needs valgrind, and a Rust
toolchain to build the examples.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Task:
    """An example of the engine with its options, and the number of deals over which the difference is taken."""

    example: str
    deals: int
    options: tuple[str, ...] = ()
    first: int = 0


TASKS = {
    "belle-lucie/one-deal": Task("belle_lucie_times", 2000),
    "agnes/up-suit-none": Task("agnes_times", 100, ("variant=up-suit-none",)),
    "aces-up/standard": Task("aces_up_times", 40, ("variant=standard",)),
    "aces-up/must-fill": Task("aces_up_times", 500, ("variant=must-fill",)),
    "gaps/addiction-one-deal": Task("gaps_times", 4, ("redeals=0", "nodes=20000")),
    "spider/1-suit": Task("spider_times", 4, ("seconds=1000", "suits=1")),
}


@dataclass(frozen=True, slots=True)
class Count:
    """The instructions per deal of a game."""

    game: str
    deals: int
    instructions: int


def build() -> Path:
    """Build the examples and return their folder."""
    command = ["cargo", "build", "--release", "--locked", "--quiet", "--examples", "--message-format=json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"the examples cannot be built:\n{done.stderr.strip()}")
    built = [json.loads(line).get("executable") for line in done.stdout.splitlines()]
    return next(Path(path).parent for path in built if path)


def count(program: Path, task: Task, deals: int) -> int:
    """Return the instructions of one run."""
    with tempfile.TemporaryDirectory() as folder:
        out = f"--callgrind-out-file={folder}/out"
        command = ["valgrind", "--tool=callgrind", out, str(program), str(deals), str(task.first), *task.options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or found is None:
        sys.exit(f"{' '.join(command)} ended with code {done.returncode}:\n{done.stderr.strip()[-2000:]}")
    return int(found[1])


def measure(games: list[str]) -> Iterator[Count]:
    """Measure game by game."""
    folder = build()
    for game in games:
        task = TASKS[game]
        print(f"{game}: {task.deals} deals under callgrind", file=sys.stderr)
        once, twice = (count(folder / task.example, task, deals) for deals in (task.deals, 2 * task.deals))
        yield Count(game, task.deals, round((twice - once) / task.deals))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(TASKS)} (all)")
    parser.add_argument("--json", action="store_true", help="one JSON object in place of the table")
    arguments = parser.parse_args()
    unknown = [game for game in arguments.games if game not in TASKS]
    if unknown:
        parser.error(f"no task for {', '.join(unknown)}; there are {', '.join(TASKS)}")
    for tool in ("valgrind", "cargo"):
        if shutil.which(tool) is None:
            parser.error(f"{tool} is not installed")
    counts = list(measure(arguments.games or list(TASKS)))
    if arguments.json:
        print(json.dumps([asdict(each) for each in counts], indent=1))
        return
    print(f"{'game':<28}{'deals':>8}{'instructions a deal':>22}")
    for each in counts:
        print(f"{each.game:<28}{each.deals:>8,}{each.instructions:>22,}")


if __name__ == "__main__":
    main()
