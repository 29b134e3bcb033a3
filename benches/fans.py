"""La Belle Lucie and Fan beside fc-solve: `python benches/fans.py --fc-solve PATH [--deals N] [--states N] [--json]`.

fc-solve (Freecell Solver, in C) plays any game of open piles, so it can be told the rules of both: 18 piles, no cells,
built in suit, empty piles filled by nobody or by kings. It has to be built with room for so many piles:
`cmake -DMAX_NUM_STACKS=20`. The same deals for both programs, in turns; processor seconds, of fc-solve without what it
takes to start, of ours with Python's part and the replay of the line. fc-solve may look at so many states of a deal
(`--states`); then it has given the deal up, though it says no more than that it could not solve it. It is told to try
all its kinds of move (`-to 01ABCDE`), without which its "no" is not a proof.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import harness
import unshuffle as un

VARIANTS = {"one-deal": "none", "fan-18": "kings"}
"""Our variants, and what fc-solve is told about empty piles."""
DEALS = {"one-deal": 200, "fan-18": 40}
TURN = 20
"""So many deals for one program, then for the other."""


@dataclass(slots=True)
class Beside:
    """What both programs made of the deals of a variant."""

    variant: str
    deals: int = 0
    seconds: float = 0.0
    peer_seconds: float = 0.0
    decided: int = 0
    """Deals that fc-solve decided."""
    decided_seconds: float = 0.0
    decided_peer_seconds: float = 0.0
    differences: list[str] = field(default_factory=list)

    @property
    def ratios(self) -> tuple[float, float]:
        """fc-solve's seconds in ours: over all deals, and over those that it decided."""
        return self.peer_seconds / self.seconds, self.decided_peer_seconds / max(self.decided_seconds, 1e-9)


def board(state: Any) -> str:
    """The piles, a line each, the last card on top; our layout's own lines are left out."""
    return "\n".join(line for line in str(state).splitlines() if ":" not in line) + "\n"


def verdict(output: str, limit: int) -> un.Status | None:
    """What fc-solve says about the deal; None if it met its limit, which its words alone do not tell."""
    if "This game is solveable" in output:
        return un.Status.SOLVED
    checked = re.search(r"Total number of states checked is (\d+)", output)
    if "I could not solve this game" not in output or checked is None:
        sys.exit(f"fc-solve does not say whether it has solved the deal: {output.strip()[-200:]!r}")
    return None if int(checked[1]) >= limit else un.Status.UNSOLVABLE


def compare(program: Path, variant: str, deals: int, states: int) -> Beside:
    """Deal by deal: fc-solve, then ours."""
    rules = ["--freecells-num", "0", "--stacks-num", "18", "--sequences-are-built-by", "suit", "--sequence-move"]
    rules += ["limited", "--empty-stacks-filled-by", VARIANTS[variant]]
    command = [str(program), *rules, "-to", "01ABCDE", "-m", "-sn", "-mi", str(states), "-"]
    game = un.game("belle-lucie", variant)
    # A board that is won at once: every ace is on top of its suit.
    trivial = board(
        game.parse("\n".join(f"{' '.join(f'{rank}{suit}' for rank in 'KQJT98765432A')}" for suit in "CDHS"))
    )
    start = harness.start_cost(command, trivial, program.parent)
    row = Beside(variant)
    for first in range(0, deals, TURN):
        states_of_turn = [game.deal(seed) for seed in range(first, min(first + TURN, deals))]
        print(f"\r{variant}: deal {first + len(states_of_turn)} of {deals}", end="", file=sys.stderr)
        decided = {}
        for state in states_of_turn:
            run = harness.run_peer(command, board(state), program.parent, None)
            assert run is not None  # there was no limit
            seconds = max(run[1] - start, 1e-6)
            row.peer_seconds += seconds
            says = verdict(run[0], states)
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
                    row.differences.append(f"{state.id}: fc-solve says {theirs}, unshuffle {ours}")
    print(file=sys.stderr)
    return row


def solve(states: Sequence[Any]) -> tuple[float, list[un.Status]]:
    """Our processor seconds for these deals, and the verdicts."""
    begun = process_time()
    verdicts = [result.status for result in un.solve_many(states, threads=1)]
    return process_time() - begun, verdicts


def show(rows: Sequence[Beside]) -> None:
    """A line per variant."""
    print(f"{'variant':<12}{'deals':>7}{'given up':>10}{'fc-solve':>12}{'ours':>12}{'ratio':>10}{'of decided':>12}")
    for row in rows:
        theirs, ours = (harness.in_words(seconds / row.deals) for seconds in (row.peer_seconds, row.seconds))
        ratios = "".join(f"{ratio:>{width},.0f}" for ratio, width in zip(row.ratios, (10, 12), strict=True))
        print(f"{row.variant:<12}{row.deals:>7,}{row.deals - row.decided:>10,}{theirs:>12}{ours:>12}{ratios}")
        print(
            f"{'':<12}verdicts agree on {row.decided - len(row.differences)} of {row.decided} deals that both decided"
        )
        for difference in row.differences:
            print(f"VERDICTS DIFFER: {difference}")
    print("\nmean processor time of a deal; ratio: theirs in ours")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--fc-solve", type=Path, required=True, metavar="PATH", help="a built fc-solve, MAX_NUM_STACKS=20"
    )
    parser.add_argument("--deals", type=int, metavar="N", help=f"default deals 0..N-1 of each variant ({DEALS})")
    parser.add_argument("--states", type=int, default=300_000, help="states that fc-solve may look at (300000)")
    parser.add_argument("--json", action="store_true", help="one JSON object in place of the table")
    arguments = parser.parse_args()
    program = arguments.fc_solve.resolve()
    if not program.is_file():
        parser.error(f"there is no fc-solve at {arguments.fc_solve}")
    if min(arguments.states, arguments.deals or 1) < 1:
        parser.error("numbers of deals and states are 1 or more")
    un.solve(un.game("belle-lucie").deal(0))  # once for nothing: the first call is slow
    rows = [compare(program, variant, arguments.deals or DEALS[variant], arguments.states) for variant in VARIANTS]
    if arguments.json:
        print(json.dumps({"comparisons": [asdict(row) | {"ratios": row.ratios} for row in rows]}, indent=1))
    else:
        show(rows)


if __name__ == "__main__":
    main()
