"""La Belle Lucie and Fan beside general solvers: `python benches/fans.py [--fc-solve PATH] [--solvitaire PATH]`.

fc-solve (Freecell Solver, in C) plays any game of open piles, so it can be given the rules of both: 18 piles, no cells,
built in suit, empty piles filled by nobody or by kings. It must be built with room for 18 piles:
`cmake -DMAX_NUM_STACKS=20`. `--states` limits the states of a deal; a deal beyond the limit counts as given up, though
fc-solve itself only says that it could not solve it. All its kinds of moves are switched on (`-to 01ABCDE`), as without
them its "no" is not a proof. Solvitaire (in C++) knows Fan and takes the rules of the other as a file; `--seconds`
limits its search of a deal.

Both programs get the same deals, in turns. Times are processor seconds: of the peer without its start-up, of ours with
Python's part and the replay of the line.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import process_time
from typing import Any, ClassVar

sys.path.insert(0, str(Path(__file__).parent))

import harness
import unshuffle as un

VARIANTS = ("one-deal", "fan-18")
DEALS = {"one-deal": 200, "fan-18": 40}
TURN = 20
"""Deals for one program before the other's turn."""


@dataclass(slots=True)
class Beside:
    """The results of both programs on the deals of a variant."""

    variant: str
    peer: str
    deals: int = 0
    seconds: float = 0.0
    peer_seconds: float = 0.0
    decided: int = 0
    """Deals that the peer decided."""
    decided_seconds: float = 0.0
    decided_peer_seconds: float = 0.0
    differences: list[str] = field(default_factory=list)

    @property
    def ratios(self) -> tuple[float, float]:
        """The ratio of the peer's seconds to ours, over all deals and over those that it decided."""
        return self.peer_seconds / self.seconds, self.decided_peer_seconds / max(self.decided_seconds, 1e-9)


class Peer(ABC):
    """A program that solves deals of a variant."""

    name: ClassVar[str]

    def __init__(self, program: Path, variant: str) -> None:
        self.game = un.game("belle-lucie", variant)
        self.program = program
        self.variant = variant
        # A deal that is won at once: in every fan a suit with its ace on top.
        won = self.game.parse("\n".join(" ".join(f"{rank}{suit}" for rank in "KQJT98765432A") for suit in "CDHS"))
        self._start = harness.start_cost(*self.call(won), program.parent)

    @abstractmethod
    def call(self, state: Any) -> tuple[list[str], str]:
        """Return the command and its standard input."""

    @abstractmethod
    def verdict(self, output: str) -> un.Status | None:
        """Return the verdict in its output; None if it met its limit."""

    def ask(self, state: Any) -> tuple[un.Status | None, float]:
        """Return its verdict and its seconds."""
        run = harness.run_peer(*self.call(state), self.program.parent, None)
        assert run is not None  # there was no limit
        return self.verdict(run[0]), max(run[1] - self._start, 1e-6)


class FcSolve(Peer):
    """Freecell Solver."""

    name = "fc-solve"
    spaces: ClassVar = {"one-deal": "none", "fan-18": "kings"}

    def __init__(self, program: Path, variant: str, states: int) -> None:
        self.states = states
        super().__init__(program, variant)

    def call(self, state: Any) -> tuple[list[str], str]:
        rules = ["--freecells-num", "0", "--stacks-num", "18", "--sequences-are-built-by", "suit", "--sequence-move"]
        rules += ["limited", "--empty-stacks-filled-by", self.spaces[self.variant]]
        # A line per pile, with the top card last; the lines with a colon belong to our layout only.
        board = "\n".join(line for line in str(state).splitlines() if ":" not in line) + "\n"
        return [str(self.program), *rules, "-to", "01ABCDE", "-m", "-sn", "-mi", str(self.states), "-"], board

    def verdict(self, output: str) -> un.Status | None:
        """Return the verdict by the number of states: the words do not tell whether it met its limit."""
        if "This game is solveable" in output:
            return un.Status.SOLVED
        checked = re.search(r"Total number of states checked is (\d+)", output)
        if "I could not solve this game" not in output or checked is None:
            sys.exit(f"fc-solve does not say whether it has solved the deal: {output.strip()[-200:]!r}")
        return None if int(checked[1]) >= self.states else un.Status.UNSOLVABLE


class Solvitaire(Peer):
    """Solvitaire with its default options."""

    name = "Solvitaire"
    rules: ClassVar = {"tableau piles": {"count": 18, "build policy": "same-suit", "spaces policy": "no-build"}}
    """The rules of La Belle Lucie in one deal, for which it has no name."""
    verdicts: ClassVar = {
        "solved": un.Status.SOLVED,
        "unsolvable": un.Status.UNSOLVABLE,
        "timed-out": None,
        "memory-limit-reached": None,
    }

    def __init__(self, program: Path, variant: str, seconds: float) -> None:
        self.seconds = seconds
        self._folder = tempfile.TemporaryDirectory()
        super().__init__(program, variant)

    def call(self, state: Any) -> tuple[list[str], str]:
        deal, rules = (Path(self._folder.name) / name for name in ("deal.json", "rules.json"))
        deal.write_text(self.game.write_foreign(state, "solvitaire"), encoding="utf-8")
        rules.write_text(json.dumps(self.rules), encoding="utf-8")
        told = ["--type", "fan"] if self.variant == "fan-18" else ["--custom-rules", str(rules)]
        return [str(self.program), *told, "--timeout", str(round(self.seconds * 1000)), "--classify", str(deal)], ""

    def verdict(self, output: str) -> un.Status | None:
        words = [word.strip() for word in output.split(",")]
        found = [word for word in words if word in self.verdicts]
        if not found:
            sys.exit(f"Solvitaire does not say whether it has solved the deal: {output.strip()[-200:]!r}")
        return self.verdicts[found[0]]


def compare(peer: Peer, deals: int) -> Beside:
    """Solve the deals in turns: the peer, then ours."""
    row = Beside(peer.variant, peer.name)
    for first in range(0, deals, TURN):
        states_of_turn = [peer.game.deal(seed) for seed in range(first, min(first + TURN, deals))]
        told = f"\r{peer.name}, {peer.variant}: deal {first + len(states_of_turn)} of {deals}"
        print(told, end="", file=sys.stderr, flush=True)
        decided = {}
        for state in states_of_turn:
            says, seconds = peer.ask(state)
            row.peer_seconds += seconds
            if says is not None:
                decided[state] = says
                row.decided_peer_seconds += seconds
        row.deals += len(states_of_turn)
        row.seconds += solve(states_of_turn)[0]
        if decided:
            seconds, verdicts = solve(list(decided))
            row.decided += len(decided)
            row.decided_seconds += seconds
            for (state, theirs), ours in zip(decided.items(), verdicts, strict=True):
                if theirs is not ours:
                    row.differences.append(f"{state.id}: {peer.name} says {theirs}, unshuffle {ours}")
    print(file=sys.stderr)
    return row


def solve(states: Sequence[Any]) -> tuple[float, list[un.Status]]:
    """Return our processor seconds for these deals, and the verdicts."""
    begun = process_time()
    verdicts = [result.status for result in un.solve_many(states, threads=1)]
    return process_time() - begun, verdicts


def show(rows: Sequence[Beside]) -> None:
    """Print a line per peer and variant."""
    print(
        f"{'variant':<12}{'deals':>7}{'given up':>10}{'the peer':>12}{'ours':>12}{'ratio':>10}{'of decided':>12}  peer"
    )
    for row in rows:
        theirs, ours = (harness.in_words(seconds / row.deals) for seconds in (row.peer_seconds, row.seconds))
        ratios = "".join(f"{ratio:>{width},.0f}" for ratio, width in zip(row.ratios, (10, 12), strict=True))
        given_up = row.deals - row.decided
        print(f"{row.variant:<12}{row.deals:>7,}{given_up:>10,}{theirs:>12}{ours:>12}{ratios}  {row.peer}")
        print(
            f"{'':<12}verdicts agree on {row.decided - len(row.differences)} of {row.decided} deals that both decided"
        )
        for difference in row.differences:
            print(f"VERDICTS DIFFER: {difference}")
    print("\nmean processor time of a deal; ratio: theirs in ours")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fc-solve", type=Path, metavar="PATH", help="a built fc-solve, MAX_NUM_STACKS=20")
    parser.add_argument("--solvitaire", type=Path, metavar="PATH", help="a built Solvitaire")
    parser.add_argument("--deals", type=int, metavar="N", help=f"default deals 0..N-1 of each variant ({DEALS})")
    parser.add_argument("--states", type=int, default=300_000, help="states that fc-solve may look at (300000)")
    parser.add_argument("--seconds", type=float, default=60.0, help="for which Solvitaire may search a deal (60)")
    parser.add_argument("--json", action="store_true", help="one JSON object in place of the table")
    arguments = parser.parse_args()
    if arguments.fc_solve is None and arguments.solvitaire is None:
        parser.error("--fc-solve, --solvitaire or both")
    for name, program in (("fc-solve", arguments.fc_solve), ("Solvitaire", arguments.solvitaire)):
        if program is not None and not program.is_file():
            parser.error(f"there is no {name} at {program}")
    if min(arguments.states, arguments.deals or 1) < 1 or arguments.seconds <= 0:
        parser.error("numbers of deals and states are 1 or more, seconds more than 0")

    def peers(variant: str) -> Iterator[Peer]:
        if arguments.fc_solve is not None:
            yield FcSolve(arguments.fc_solve.resolve(), variant, arguments.states)
        if arguments.solvitaire is not None:
            yield Solvitaire(arguments.solvitaire.resolve(), variant, arguments.seconds)

    un.solve(un.game("belle-lucie").deal(0))  # warm up: the first call is slow
    rows = [compare(peer, arguments.deals or DEALS[variant]) for variant in VARIANTS for peer in peers(variant)]
    if arguments.json:
        print(json.dumps({"comparisons": [asdict(row) | {"ratios": row.ratios} for row in rows]}, indent=1))
    else:
        show(rows)


if __name__ == "__main__":
    main()
