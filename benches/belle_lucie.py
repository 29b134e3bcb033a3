"""La Belle Lucie, one deal: `python benches/belle_lucie.py [--deals N] [--peer PATH] [--save FILE] [--against FILE]`.

Prints engine time per deal on one thread (median, p95, p99) over the default deals 0..N-1, nodes per second, and a
checksum of all proved best scores. Compares with a checkout of lblsolve (--peer; `python -m lblsolve.cards`) on deals
that it can finish, and with an earlier result of the engine (--against).
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

sys.path.insert(0, str(Path(__file__).parent))

import harness
import unshuffle as un

GAME = un.game("belle-lucie")


def peer_text(state: un.State) -> str:
    """Return the fans in the format of the peer, which silently drops T for ten."""
    return "\n".join(line for line in str(state).splitlines() if ":" not in line).replace("T", "10") + "\n"


def peer_score(output: str) -> int | None:
    """Return the peer's score from the end of its report on a deal; None if the report is incomplete."""
    if "Final table state" not in output:
        return None
    found = re.search(r"transferring (\d+) cards", output)
    return int(found[1]) if found else 0


@dataclass(frozen=True, slots=True)
class Beside:
    """The peer and unshuffle on the deals that the peer finished."""

    deals: int
    """Deals given to the peer."""
    finished: int
    ours: harness.Timing
    peer: harness.Timing
    differences: list[str]

    def told(self) -> dict[str, Any]:
        """Return the comparison as JSON values."""
        ratio = self.peer.mean / self.ours.mean
        return {"deals": self.deals, "finished": self.finished, "ratio": ratio, "differences": self.differences}


def beside_peer(folder: Path, deals: int, limit: float) -> Beside:
    """Measure the peer and unshuffle on the same deals."""
    command = [sys.executable, "-m", "lblsolve.cards"]
    states = [GAME.deal(seed) for seed in range(deals)]
    cost = harness.start_cost(command, "KS\n", folder)
    finished, peer_seconds, scores = [], [], []
    for number, state in enumerate(states, 1):
        print(f"\rpeer: deal {number} of {deals}", end="", file=sys.stderr)
        run = harness.run_peer(command, peer_text(state), folder, limit)
        score = None if run is None else peer_score(run[0])
        if run is not None and score is not None:
            finished.append(state)
            peer_seconds.append(max(run[1] - cost, 1e-6))
            scores.append(score)
    print(file=sys.stderr)
    if not finished:
        sys.exit(f"the peer in {folder} finished none of {deals} deals in {limit:g} s each")
    ours, results = harness.measure(finished)
    wrong = [str(r.state.id) for r, score in zip(results, scores, strict=True) if r.score != score]
    return Beside(deals, len(finished), ours, harness.Timing.of("lblsolve", peer_seconds), wrong)


def show_beside(row: Beside, limit: float) -> None:
    """Print the times as ratios, and whether the scores agree."""
    print(
        f"\n{row.finished} of {row.deals} deals, which the peer finished in {limit:g} s each; its start-up is taken off"
    )
    harness.show([row.ours, row.peer])
    differ = f"; not on {row.differences}" if row.differences else ""
    print(f"scores agree on {row.finished - len(row.differences)} of {row.finished}{differ}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=100_000, help="default deals 0..N-1 (100000)")
    parser.add_argument("--peer", type=Path, help="a checkout of lblsolve")
    parser.add_argument("--peer-deals", type=int, default=40, help="deals to give to the peer (40)")
    parser.add_argument("--peer-seconds", type=float, default=30, help="time for each of them (30)")
    parser.add_argument("--save", type=Path, help="keep this result as JSON")
    parser.add_argument("--against", type=Path, help="an earlier result to set beside this one")
    parser.add_argument("--json", action="store_true", help="only the peer beside us, as one JSON object")
    arguments = parser.parse_args()
    if arguments.json:
        if arguments.peer is None:
            parser.error("--json needs --peer")
        print(json.dumps(beside_peer(arguments.peer, arguments.peer_deals, arguments.peer_seconds).told(), indent=1))
        return

    seconds: list[float] = []
    scores: Counter[int] = Counter()
    nodes = check = won = 0
    with harness.Clock() as clock:
        for result in un.solve_many(GAME, seeds=range(arguments.deals), threads=1):
            seconds.append(result.stats.seconds)
            nodes += result.stats.nodes
            scores[result.score] += 1
            check = crc32(bytes([result.score]), check)
            won += result.status is un.Status.SOLVED
            if not (result.is_decided and result.score_proved):
                sys.exit(f"{result.state.id} was not decided")
    timing = harness.Timing.of(f"unshuffle {un.__version__} ({result.engine})", seconds, nodes)
    timings = [timing]
    if arguments.against is not None:
        earlier, facts = harness.load(arguments.against)
        timings.append(harness.Timing(**{**{n: getattr(earlier, n) for n in earlier.__slots__}, "program": "earlier"}))
        if facts["deals_checked"] == arguments.deals and facts["check"] != check:
            print(f"THE SCORES DIFFER from {arguments.against}: check sum {check}, earlier {facts['check']}")
    harness.show(timings)
    print(f"won {won:,} of {arguments.deals:,}; check sum of the best scores {check}; nodes {nodes:,}")
    print(f"dealing, searching, replaying and all in Python around it: {arguments.deals / clock.seconds:,.0f} deals/s")
    if arguments.save is not None:
        harness.save(arguments.save, timing, {"check": check, "deals_checked": arguments.deals, "nodes": nodes})
    if arguments.peer is not None:
        show_beside(beside_peer(arguments.peer, arguments.peer_deals, arguments.peer_seconds), arguments.peer_seconds)


if __name__ == "__main__":
    main()
