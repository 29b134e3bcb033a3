"""Gaps, one phase: `python benches/gaps.py [--part NAME ...] [--peer SOLVITAIRE] [--deals N]`.

Parts, each on one thread:

- `plain`: positions per second with every technique but the table switched off (goal: 5,000,000), deals of
  `addiction-one-deal`, at most 2,000,000 positions of each;
- `locked`: how many deals of `addiction-one-deal` are decided within 2 s and 100 MB (goal: 99 % of 1,000);
- `free`: how many deals of `one-deal` are won or decided within 60 s and 1 GiB (goal: 97 % of 200);
- `basic`: the reference deals of `basic` beside Solvitaire in one run, if --peer is the path of a built one, else
  beside its recorded times (goal: 10 times as fast);
- `techniques`: the effect of each technique of the search, switched off alone, on deals of `addiction-one-deal`: to
  decide them and to prove the most locked cards.

Times are processor seconds of the search, as wall time says little on a shared machine; a deal that takes more
processor time than its limit is not counted as decided in time. Verdicts are compared with the recorded ones.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import thread_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import harness
import unshuffle as un

REFERENCE = Path(__file__).parent.parent / "tests" / "data" / "gaps"
GOALS = {"plain": 5_000_000, "locked": 0.99, "free": 0.97, "basic": 10}
DEALS = {"plain": 40, "locked": 1000, "free": 200, "basic": 45, "techniques": 20}
PLAIN_NODES = 2_000_000
SLACK = 5
"""The factor of the wall-time limit over the limit by processor time, so that a busy machine ends no search early."""


@dataclass(frozen=True, slots=True)
class Search:
    """The result and the processor time of a search."""

    result: un.Result
    seconds: float

    @property
    def nodes(self) -> int:
        return self.result.stats.nodes


def search(states: Sequence[Any], what: str, **options: Any) -> list[Search]:
    """Solve the states one after the other."""
    done = []
    for number, state in enumerate(states, 1):
        print(f"\r{what}: deal {number} of {len(states)}", end="", file=sys.stderr)
        begun = thread_time()
        result = un.solve(state, **options)
        done.append(Search(result, thread_time() - begun))
    print(file=sys.stderr)
    return done


def reference(variant: str) -> Iterator[dict[str, str]]:
    """Yield the rows of reference deals."""
    with (REFERENCE / f"{variant}.csv").open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def deals(variant: str, seeds: range) -> list[Any]:
    """Return the deals with these numbers."""
    game = un.game("gaps", variant)
    return [game.deal(seed) for seed in seeds]


def timing(name: str, done: Sequence[Search]) -> harness.Timing:
    """Return the processor times of searches."""
    return harness.Timing.of(name, [each.seconds for each in done], sum(each.nodes for each in done))


def plain(seeds: range, peer: Path | None) -> None:
    """Measure positions per second with all prunings off."""
    off = [name for name in un.game("gaps").techniques if name != "table"]
    done = search(deals("addiction-one-deal", seeds), "plain", nodes=PLAIN_NODES, memory="1GiB", without=off)
    show("plain search", done)
    speed = sum(each.nodes for each in done) / sum(each.seconds for each in done)
    by_clock = sum(each.nodes for each in done) / sum(each.result.stats.seconds for each in done)
    print(f"plain: {speed:,.0f} positions per second of the processor, {by_clock:,.0f} by the clock;"
          f" goal {GOALS['plain']:,}")  # fmt: skip


def show(name: str, done: Sequence[Search]) -> None:
    """Print one line of figures."""
    harness.show([timing(name, done)])


def decided(part: str, variant: str, seeds: range, limit: float, memory: str) -> None:
    """Measure how many deals are decided in time."""
    done = search(deals(variant, seeds), part, seconds=SLACK * limit, memory=memory)
    in_time = [each for each in done if each.result.is_decided and each.seconds <= limit]
    won = sum(each.result.status is un.Status.SOLVED for each in in_time)
    show(f"{variant}, {memory}", done)
    nodes = sorted(each.nodes for each in done)
    told = ", ".join(f"{name} {harness.percentile(nodes, share):,.0f}" for name, share in
                     (("median", 50), ("p90", 90), ("p95", 95), ("p99", 99)))  # fmt: skip
    print(f"nodes: {told}, most {nodes[-1]:,}; largest table {max(e.result.stats.memory for e in done):,} bytes")
    share = f"{len(in_time)} of {len(seeds)} = {len(in_time) / len(seeds):.1%}"
    print(f"{part}: {share} decided within {limit:g} s ({won} won);"
          f" goal {GOALS[part]:.0%}")  # fmt: skip


def locked(seeds: range, peer: Path | None) -> None:
    """Measure deals with locked 2s."""
    decided("locked", "addiction-one-deal", seeds, 2, "100MB")


def free(seeds: range, peer: Path | None) -> None:
    """Measure deals with free 2s."""
    decided("free", "one-deal", seeds, 60, "1GiB")


def basic(seeds: range, peer: Path | None) -> None:
    """Measure the reference deals beside the peer."""
    done, name, theirs, differences = beside_solvitaire(len(seeds), peer)
    for difference in differences:
        print(f"VERDICTS DIFFER: {difference}")
    harness.show([timing("unshuffle", done), harness.Timing.of(name, theirs)])
    ratio = sum(theirs) / sum(each.seconds for each in done)
    print(f"basic: {ratio:,.1f} times as fast over {len(done)} deals together; goal {GOALS['basic']}")


def beside_solvitaire(count: int, peer: Path | None) -> tuple[list[Search], str, list[float], list[str]]:
    """Return our searches of `count` reference deals, the peer's name, its seconds, and verdicts that differ."""
    game = un.game("gaps", "basic")
    rows = list(reference("basic"))[:count]
    done = search([game.parse(row["layout"]) for row in rows], "basic", memory="1GiB")
    differences = [
        f"{row['id']}: recorded {row['verdict']}, ours {each.result.status}"
        for row, each in zip(rows, done, strict=True)
        if each.result.status != row["verdict"]
    ]
    if peer is None:
        return done, "Solvitaire, recorded", [float(row["peer_seconds"]) for row in rows], differences
    return done, "Solvitaire", list(solvitaire(peer, rows)), differences


def in_json(count: int, peer: Path | None) -> str:
    """Run the part `basic` and return it as one JSON object."""
    done, name, theirs, differences = beside_solvitaire(count, peer)
    ours = sum(each.seconds for each in done)
    values = {"peer": name, "deals": len(done), "seconds": ours, "peer_seconds": sum(theirs)}
    return json.dumps(values | {"ratio": sum(theirs) / ours, "differences": differences}, indent=1)


def solvitaire(peer: Path, rows: Sequence[dict[str, str]]) -> Iterator[float]:
    """Yield the peer's seconds per deal: the smaller of the search time that it reports and its processor time."""
    for row in rows:
        seed = row["id"].removeprefix("solvitaire-")
        command = [str(peer), "--type", "gaps-basic-variant", "--random", seed, "--classify"]
        run = harness.run_peer(command, "", peer.parent, None)
        assert run is not None  # there was no limit
        fields = [field.strip().lower() for field in run[0].split(",")]
        if row["peer_verdict"] not in fields:
            sys.exit(
                f"{peer} does not answer deal {seed} with {row['peer_verdict']!r}, as recorded: {run[0].strip()!r}"
            )
        # After its search it copies its whole table, which is not part of solving.
        yield min(run[1], float(fields[2]) / 1000)


def techniques(seeds: range, peer: Path | None) -> None:
    """Measure the search with each technique switched off."""
    game = un.game("gaps", "addiction-one-deal")
    states = deals("addiction-one-deal", seeds)
    names = [name for name in game.techniques if name not in ("table", "hops")]
    print(f"{'without':<12}{'decide: nodes':>16}{'s':>9}{'maximize: nodes':>18}{'s':>9}")
    for without in ([], *([name] for name in names), names):
        cells = []
        for maximize in (False, True):
            what = f"without {', '.join(without) or 'nothing'}"
            done = search(states, what, memory="1GiB", maximize=maximize, without=without)
            cells.append((sum(each.nodes for each in done), sum(each.seconds for each in done)))
        label = "all of them" if without == names else "".join(without) or "nothing"
        (nodes, seconds), (most_nodes, most_seconds) = cells
        print(f"{label:<12}{nodes:>16,}{seconds:>9.1f}{most_nodes:>18,}{most_seconds:>9.1f}", flush=True)


PARTS: dict[str, Callable[[range, Path | None], None]] = {
    "plain": plain,
    "locked": locked,
    "free": free,
    "basic": basic,
    "techniques": techniques,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", action="append", choices=PARTS, help="what to measure  [default: all]")
    parser.add_argument("--deals", type=int, metavar="N", help=f"deals of each part  [default: {DEALS}]")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="the first of them  [default: 0]")
    parser.add_argument("--peer", type=Path, metavar="PATH", help="a built Solvitaire, 0.10.1 or later")
    parser.add_argument("--json", action="store_true", help="one JSON object in place of the table of the part `basic`")
    arguments = parser.parse_args()
    if arguments.json and arguments.part != ["basic"]:
        parser.error("--json is for --part basic")
    if arguments.deals is not None and arguments.deals < 1:
        parser.error("--deals is 1 or more")
    if arguments.peer is not None and not arguments.peer.is_file():
        parser.error(f"there is no Solvitaire at {arguments.peer}")
    if arguments.json:
        print(in_json(arguments.deals or DEALS["basic"], arguments.peer and arguments.peer.resolve()))
        return
    for part in arguments.part or PARTS:
        seeds = range(arguments.first, arguments.first + (arguments.deals or DEALS[part]))
        PARTS[part](seeds, arguments.peer and arguments.peer.resolve())


if __name__ == "__main__":
    main()
