"""Aces Up: `python benches/aces_up.py [--peer PATH] [--games N] [--decks N] [--deals N] [--json]`.

Four parts, or those that `--part` names:

lists       games a second of one core by rule lists: the engine's mass play alone, and `un.simulate` with its replays
peer        henrikenquist/aces-up, a checkout at `--peer`, and the engine on the same decks, in turns; scores compared
tournament  all reduced lists of `classic` on the same decks, by the command, with statistics and store, on two threads
solver      the mean time of a deal in every variant, decided and with its best score proved

Speeds are by processor time, since machines are shared; shuffling is part of ours and not of the peer's. Beside a
figure is the goal, or what the program of the research took on another machine.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import process_time, thread_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import harness
import unshuffle as un
from unshuffle import engine
from unshuffle.cards import format_cards
from unshuffle.rulebook import write_rules

CHILD = Path(__file__).with_name("aces_up_child.py")
PARTS = ("lists", "peer", "tournament", "solver")
LISTS = ("1,1000", "10,100,4,200", "2,1,10,100,1000")
TURNS = 5
GAMES_GOAL, PEER_GOAL, TOURNAMENT_GOAL = 1_000_000, 400, 180.0
"""Games per second of one core; ratio to the peer's speed; seconds for all lists on 100,000 decks."""
TOURNAMENT_DECKS = 100_000


@dataclass(frozen=True, slots=True)
class Solving:
    """A variant: how many deals are solved, the goal, and the time of the research's program, in ms per deal."""

    deals: int
    goal: float | None
    research: float | None
    nodes: int | None = None
    """A node limit, if a deal may take too long."""


VARIANTS = {
    "standard": Solving(2000, 0.5, 1.8),
    "must-fill": Solving(20_000, 0.02, 0.05),
    "must-fill-any": Solving(20_000, None, 0.1),
    "last-empty": Solving(2000, 0.5, 1.5),
    "any-empty": Solving(2000, 0.5, 2.5),
    "free": Solving(400, 5.0, 24.0),
    "relaxed-discards": Solving(10, None, None, nodes=1_000_000),
    "aces-only": Solving(20_000, None, 0.01),
    "russian": Solving(2000, None, 0.4),
    "five-piles": Solving(20_000, None, 0.02),
    "firing-squad": Solving(200, None, 5.0, nodes=3_000_000),
}


@dataclass(frozen=True, slots=True)
class Speed:
    """Games of one rule list on one thread."""

    program: str
    rules: str
    games: int
    seconds: float
    """Processor time."""
    wall: float
    replayed: int = 0

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds


class Stopwatch(harness.Clock):
    """A clock of wall time and of the processor time of all threads and of this one."""

    def __enter__(self) -> Stopwatch:
        self._used, self._here = process_time(), thread_time()
        super().__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        self.used, self.here = process_time() - self._used, thread_time() - self._here


def play_in_engine(rules: str, seeds: Sequence[int]) -> tuple[array[int], Stopwatch]:
    """Return the scores of these deals and the time, by the engine's mass play on one thread."""
    native: Any = engine.native()
    fields = write_rules(un.game("aces-up").rules)
    with Stopwatch() as watch:
        [(scores, *_)] = native.simulate_many("aces-up", fields, [f"rules:{rules}"], seeds=seeds, threads=1)
    return engine.read_scores(scores), watch


def measure_lists(games: int) -> Iterator[Speed]:
    """Measure each list by the engine alone, then by `un.simulate` as users call it."""
    game = un.game("aces-up")
    for rules in LISTS:
        seeds = list(range(games))
        _, watch = play_in_engine(rules, seeds)
        yield Speed("engine", rules, games, watch.used, watch.seconds)
        with Stopwatch() as watch:
            played = un.simulate(game, f"rules:{rules}", range(games), threads=1)
        yield Speed("un.simulate", rules, games, watch.used, watch.seconds, played.replayed)


@dataclass(frozen=True, slots=True)
class Beside:
    """The peer and the engine with one rule list. The engine plays more decks than the peer, to be measurable."""

    rules: str
    decks: int
    games: int
    peer_speed: float
    our_speed: float
    agreeing: int
    first_difference: str | None

    @property
    def ratio(self) -> float:
        return self.our_speed / self.peer_speed


def measure_beside_peer(peer: Path, decks: int, games: int) -> Iterator[Beside]:
    """Measure the peer and the engine in turns, so that other load of the machine affects both."""
    child = harness.Child([sys.executable, str(CHILD), str(peer)])
    child.answer()
    game = un.game("aces-up")
    texts = [format_cards(game.deck(un.Source(seed))) for seed in range(decks)]
    size = -(-decks // TURNS)
    for rules in LISTS:
        theirs: list[int] = []
        ours: list[int] = []
        peer_seconds = our_seconds = 0.0
        played = 0
        for first in range(0, decks, size):
            print(f"\r{rules}: deck {first} of {decks} ", end="", file=sys.stderr, flush=True)
            part = texts[first : first + size]
            answer = child.ask(decks=part, rules=[int(rule) for rule in rules.split(",")])
            theirs += answer["scores"]
            peer_seconds += answer["seconds"]
            seeds = list(range(first, first + max(len(part), games // TURNS)))
            scores, watch = play_in_engine(rules, seeds)
            ours += scores[: len(part)]
            our_seconds += watch.used
            played += len(seeds)
        print(file=sys.stderr)
        wrong = [seed for seed in range(decks) if theirs[seed] != ours[seed]]
        difference = f"{game}@{wrong[0]}: {theirs[wrong[0]]}, ours {ours[wrong[0]]}" if wrong else None
        speeds = decks / peer_seconds, played / our_seconds
        yield Beside(rules, decks, played, *speeds, decks - len(wrong), difference)


@dataclass(frozen=True, slots=True)
class AllLists:
    """The time of the whole command."""

    lists: int
    decks: int
    wall: float
    bytes_stored: int

    @property
    def goal(self) -> float:
        """The goal, scaled to this number of decks."""
        return TOURNAMENT_GOAL * self.decks / TOURNAMENT_DECKS


def measure_tournament(decks: int, threads: int) -> AllLists:
    """Run the command on all reduced lists."""
    with tempfile.TemporaryDirectory() as folder, harness.Clock() as clock:
        store = Path(folder, "store.sqlite")
        command = [
            sys.executable, "-m", "unshuffle", "tournament", "aces-up", "--all", "--seeds", f"0..{decks - 1}",
            "--threads", str(threads), "--store", str(store), "--json", "--yes",
        ]  # fmt: skip
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        size = store.stat().st_size
    return AllLists(len(done.stdout.splitlines()), decks, clock.seconds, size)


@dataclass(frozen=True, slots=True)
class Solved:
    """Deals of a variant, decided or with their best scores proved."""

    variant: str
    is_maximized: bool
    deals: int
    won: int
    undecided: int
    nodes: float
    median: float
    """Median search time by the engine's own wall clock."""
    mean: float
    """Mean search time by that clock, delays included; goals and research use it."""
    used: float
    """Processor time per deal outside of Python's thread: the search, dealing, and the transfer of results."""
    goal: float | None
    research: float | None


def measure_solver(deals: int | None) -> Iterator[Solved]:
    """Solve the first deals of every variant."""
    for variant, plan in VARIANTS.items():
        game = un.game("aces-up", variant)
        seeds = range(min(plan.deals, deals or plan.deals))
        for is_maximized in (False, True):
            # The engine searches in a thread of its own: this thread's time is Python's, with the replays.
            with Stopwatch() as watch:
                results = list(un.solve_many(game, seeds=seeds, threads=1, nodes=plan.nodes, maximize=is_maximized))
            won = sum(each.status is un.Status.SOLVED for each in results)
            decided = won + sum(each.status is un.Status.UNSOLVABLE for each in results)
            seconds = [each.stats.seconds for each in results]
            yield Solved(
                variant, is_maximized, len(seeds), won, len(seeds) - decided,
                sum(each.stats.nodes for each in results) / len(seeds), median(seconds), sum(seconds) / len(seeds),
                (watch.used - watch.here) / len(seeds),
                plan.goal and plan.goal / 1000, plan.research and plan.research / 1000,
            )  # fmt: skip


# Output.


def show_speeds(speeds: Sequence[Speed]) -> None:
    print(f"{'rule lists, one thread':<28}{'list':<18}{'games':>10}{'games/s':>12}{'of the goal':>13}{'wall':>10}")
    for each in speeds:
        print(
            f"{each.program:<28}{each.rules:<18}{each.games:>10,}{each.games_per_second:>12,.0f}"
            f"{each.games_per_second / GAMES_GOAL:>13.2f}{harness.in_words(each.wall):>10}"
            + (f"  {each.replayed:,} replayed by the rules" if each.replayed else "")
        )
    print(f"goal: {GAMES_GOAL:,} games a second\n")


def show_beside(rows: Sequence[Beside]) -> None:
    print(f"{'beside the peer':<28}{'decks':>8}{'peer, games/s':>15}{'ours, games/s':>15}{'ratio':>8}")
    for each in rows:
        print(f"{each.rules:<28}{each.decks:>8,}{each.peer_speed:>15,.0f}{each.our_speed:>15,.0f}{each.ratio:>8,.0f}")
        print(f"{'':<28}scores agree on {each.agreeing:,} of {each.decks:,} decks")
        if each.first_difference is not None:
            print(f"SCORES DIFFER: {each.first_difference}")
    print(f"goal: {PEER_GOAL} times the peer\n")


def show_all_lists(rows: Sequence[AllLists]) -> None:
    for each in rows:
        print(
            f"tournament: {each.lists} lists on {each.decks:,} decks with statistics in {harness.in_words(each.wall)}"
            f" ({each.lists * each.decks / each.wall:,.0f} games/s, {each.bytes_stored / 1e6:,.1f} MB stored);"
            f" goal {harness.in_words(each.goal)}: {each.wall / each.goal:.2f} of it\n"
        )


def show_solved(rows: Sequence[Solved]) -> None:
    counts = f"{'deals':>7}{'won':>8}{'undecided':>10}{'nodes':>11}"
    print(f"{'solver':<18}{'':<9}{counts}{'median':>10}{'mean':>10}{'of goal':>9}{'of research':>12}{'processor':>11}")
    for each in rows:
        shares = [f"{each.mean / other:.2f}" if other else "" for other in (each.goal, each.research)]
        print(
            f"{each.variant:<18}{'maximize' if each.is_maximized else 'decide':<9}{each.deals:>7,}{each.won:>8,}"
            f"{each.undecided:>10,}{each.nodes:>11,.0f}{harness.in_words(each.median):>10}{harness.in_words(each.mean):>10}"
            f"{shares[0]:>9}{shares[1]:>12}{harness.in_words(each.used):>11}"
        )
    print("median, mean: of the searches, by the engine's clock; processor: of a deal, with dealing and handing over")


def in_json(row: Any) -> dict[str, Any]:
    """Return a row as JSON values, with its computed properties."""
    computed = ("games_per_second", "ratio", "goal")
    return asdict(row) | {name: getattr(row, name) for name in computed if hasattr(row, name)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", action="append", choices=PARTS, help="only this part; may be repeated")
    parser.add_argument("--peer", type=Path, metavar="PATH", help="a checkout of henrikenquist/aces-up, 1.x")
    parser.add_argument("--peer-decks", type=int, default=5000, help="decks that the peer plays (5000)")
    parser.add_argument("--games", type=int, default=1_000_000, help="games of each list (1000000)")
    parser.add_argument(
        "--decks", type=int, default=TOURNAMENT_DECKS, help=f"decks of the tournament ({TOURNAMENT_DECKS})"
    )
    parser.add_argument("--threads", type=int, default=2, help="threads of the tournament (2)")
    parser.add_argument("--deals", type=int, help="the most deals of each variant for the solver")
    parser.add_argument("--json", action="store_true", help="one JSON object in place of the tables")
    arguments = parser.parse_args()
    if min(arguments.peer_decks, arguments.games, arguments.decks, arguments.threads, arguments.deals or 1) < 1:
        parser.error("numbers of decks, deals, games and threads are 1 or more")
    parts = arguments.part or [part for part in PARTS if part != "peer" or arguments.peer is not None]
    if "peer" in parts and (arguments.peer is None or not arguments.peer.is_dir()):
        parser.error("the part 'peer' needs --peer, the folder of a checkout")
    if engine.native() is None:
        parser.error("the benchmark needs the native engine, which is not installed")
    play_in_engine(LISTS[0], range(1000))  # warm up: the first call is slow

    told: dict[str, list[Any]] = {}
    if "lists" in parts:
        told["lists"] = [*measure_lists(arguments.games)]
    if "peer" in parts:
        told["peer"] = [*measure_beside_peer(arguments.peer, arguments.peer_decks, arguments.games)]
    if "tournament" in parts:
        told["tournament"] = [measure_tournament(arguments.decks, arguments.threads)]
    if "solver" in parts:
        told["solver"] = [*measure_solver(arguments.deals)]
    if arguments.json:
        print(json.dumps({name: [in_json(row) for row in rows] for name, rows in told.items()}, indent=1))
        return
    print(f"unshuffle {un.__version__} ({engine.describe_engine()})\n")
    shows: dict[str, Callable[[Sequence[Any]], None]] = {
        "lists": show_speeds,
        "peer": show_beside,
        "tournament": show_all_lists,
        "solver": show_solved,
    }
    for name, rows in told.items():
        shows[name](rows)


if __name__ == "__main__":
    main()
