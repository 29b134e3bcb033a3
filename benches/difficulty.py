"""Easy, medium and hard: the thresholds (cuts) of the measure, and a check of the labels on held-out players.

    python benches/difficulty.py cut [GAME/VARIANT ...]     # writes src/unshuffle/winnable/data/cuts.json
    python benches/difficulty.py check [GAME/VARIANT ...]   # prints the tables of docs/winnable.md
    python benches/difficulty.py table                      # prints the table of the cuts

Both look for winnable deals, `cut` from number 1,000,000,000 on and `check` from 2,000,000,000 on, so that no deal is
judged by cuts that it has helped to find. The deals are kept in a store (--store), and a later run goes on from there;
but new cuts are a new measure, so a variant that is cut again is graded again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from statistics import stdev
from time import monotonic
from typing import Any

import unshuffle as un
from unshuffle.engine import describe_engine
from unshuffle.game import AnyGame
from unshuffle.simulate import Luck, Player, Policy, register_policy
from unshuffle.store import GradedDeal, Store
from unshuffle.study.statistics import Interval, mean_interval, wilson
from unshuffle.study.tables import write_p
from unshuffle.winnable import Difficulty, Panel, Seat, Tally, find
from unshuffle.winnable.labels import Cuts, cuts_of, fit
from unshuffle.winnable.panels import VERSION

CUTS = Path(__file__).resolve().parent.parent / "src" / "unshuffle" / "winnable" / "data" / "cuts.json"
CUT_FROM, CHECK_FROM = 1_000_000_000, 2_000_000_000
FAR = 1_000_000_000
FEWEST = 30
"""With fewer deals than this no cuts are made."""


class Casual(Policy):
    """A policy that looks one move ahead: a uniformly random move among those with the highest score after it."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.name = f"casual;seed={seed}"

    def player(self, luck: Luck) -> Player:
        """Return a player that breaks ties at random."""

        def choose(view: Any, moves: tuple[Any, ...]) -> Any:
            table = view.sample(luck.rng)
            scores = [table.play(move).score for move in moves]
            best = [move for move, score in zip(moves, scores, strict=True) if score == max(scores)]
            return best[luck.below(len(best))]

        return choose


register_policy("casual", lambda game, text: Casual())

HELD_OUT: dict[str, tuple[Seat, ...]] = {
    "aces-up": (Seat("weights"), Seat("planner:60;seed=1000", 5), Seat("rules:10,100,4,200")),
    "agnes": (Seat("greedy"), Seat("rollout:100;seed=1000", 5)),
    "belle-lucie": (Seat("casual", 40), Seat("random", 40)),
    "gaps": (Seat("value:15000"), Seat("value:1500"), Seat("max-locked:3000", 3, 20)),
    "spider": (Seat("search:6;seed=1000"),),
}
"""Players that are in no panel: other policies, stronger ones, or the same kind with another seed."""
DEFAULTS = tuple(HELD_OUT)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the commands `cut`, `check` and `table`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["cut", "check", "table"])
    parser.add_argument("games", nargs="*", metavar="GAME/VARIANT", help="all named variants; for check the defaults")
    parser.add_argument("--deals", type=int, default=300, help="winnable deals of each [300]")
    parser.add_argument("--seconds", type=float, help="time for each variant, after which fewer will do")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--store", type=Path, default=Path("difficulty.sqlite"))
    chosen = parser.parse_args(arguments)
    if chosen.what == "table":
        print("\n".join(table()))
        return 0
    if chosen.what == "cut":
        games = [_game(name) for name in chosen.games] or [
            un.game(name, variant) for name in DEFAULTS for variant in un.games()[name]
        ]
        return cut(games, chosen)
    return check([_game(name) for name in chosen.games or DEFAULTS], chosen)


def _game(name: str) -> AnyGame:
    game, _, variant = name.partition("/")
    return un.game(game, variant or None)


def look(game: AnyGame, first: int, chosen: argparse.Namespace) -> Iterator[GradedDeal]:
    """Yield winnable deals until there are enough or the time is up."""
    until = None if chosen.seconds is None else monotonic() + chosen.seconds

    def watch(_: Tally) -> None:
        if until is not None and monotonic() > until:
            raise TimeoutError

    seeds = range(first, first + FAR)
    with Store.open(chosen.store) as store, suppress(TimeoutError):
        yield from find(game, count=chosen.deals, seeds=seeds, store=store, threads=chosen.threads, progress=watch)


# Making the cuts.


def cut(games: Sequence[AnyGame], chosen: argparse.Namespace) -> int:
    """Measure the cuts of some variants and write them into the file of all cuts."""
    for game in games:
        begun = monotonic()
        found = list(look(game, CUT_FROM, chosen))
        values = [deal.value for deal in found]
        print(f"{game}: {len(values)} winnable deals, {monotonic() - begun:.0f} s", file=sys.stderr)
        if len(values) >= FEWEST:
            _write(game, fit(values), values)
    return 0


def _write(game: AnyGame, cuts: Cuts, values: Sequence[float]) -> None:
    kept = json.loads(CUTS.read_text(encoding="utf-8"))["cuts"]
    labels = [cuts.label(value) for value in values]
    kept[str(game)] = {
        "hard": cuts.hard,
        "easy": cuts.easy,
        "n": len(values),
        "parts": {label.value: labels.count(label) for label in Difficulty},
        "mean": round(sum(values) / len(values), 4),
    }
    about = {
        "measure": f"panel-{VERSION}",
        "command": "python benches/difficulty.py cut",
        "deals": f"winnable ones from number {CUT_FROM:,} on",
        "made": f"{datetime.now(UTC):%Y-%m-%d}, unshuffle {un.__version__}, {describe_engine()} engine",
    }
    rows = ",\n".join(f"    {json.dumps(name)}: {json.dumps(kept[name])}" for name in sorted(kept))
    head = ",\n".join(f"  {json.dumps(name)}: {json.dumps(text)}" for name, text in about.items())
    CUTS.write_text(f'{{\n{head},\n  "cuts": {{\n{rows}\n  }}\n}}\n', encoding="utf-8")


def table() -> Iterator[str]:
    """Yield the lines of the table of cuts for the page."""
    yield "| variant | hard up to | easy from | deals | easy, medium, hard |"
    yield "|---|---|---|---|---|"
    for name, row in json.loads(CUTS.read_text(encoding="utf-8"))["cuts"].items():
        parts = ", ".join(str(row["parts"][label]) for label in Difficulty)
        yield f"| `{name}` | {row['hard']:.3g} | {row['easy']:.3g} | {row['n']} | {parts} |"


# Checking the labels.


def check(games: Sequence[AnyGame], chosen: argparse.Namespace) -> int:
    """Print how often held-out players win the deals of each label."""
    print("| | n | measure, mean | easy | medium | hard | reliability |")
    print("|---|---|---|---|---|---|---|")
    rows: list[str] = []
    for game in games:
        deals = list(look(game, CHECK_FROM, chosen))
        row, more = _check(game, deals, chosen.threads)
        print(row, flush=True)
        rows += more
    print("\n| | held-out player | games a deal | easy | medium | hard | trend |")
    print("|---|---|---|---|---|---|---|")
    print("\n".join(rows))
    return 0


def _check(game: AnyGame, deals: Sequence[GradedDeal], threads: int | None) -> tuple[str, list[str]]:
    from scipy.stats import kendalltau

    panel = Panel(game)
    states = [game.deal(deal.source) for deal in deals]
    won = [panel.measure(state, threads=threads).won for state in states]
    assert [sum(each) for each in won] == [deal.wins for deal in deals], "a grade is the same every time"
    labels = [cuts_of(game).label(deal.value) for deal in deals]
    halves = [[sum(each[side::2]) / len(each[side::2]) for each in won] for side in (0, 1)]
    values = [deal.value for deal in deals]
    parts = " | ".join(f"{labels.count(label)}" for label in Difficulty)
    row = f"| `{game}` | {len(deals)} | {sum(values) / len(values):.3f} | {parts} | {_spearman_brown(*halves):.3f} |"
    rows = []
    for seat in HELD_OUT[game.id]:
        held_out = Panel(game, [seat])
        shares = [held_out.measure(state, threads=threads).value for state in states]
        ranks = [list(Difficulty).index(label) for label in labels]
        found = kendalltau(ranks, shares)
        trend = f"tau {-found.statistic:.2f}, p {write_p(found.pvalue)}" if len(set(shares)) > 1 else "no game won"
        cells = [
            _mean([share for share, mine in zip(shares, labels, strict=True) if mine is label], seat.games)
            for label in Difficulty
        ]
        name = f"{seat.policy}{f';slips={seat.slips}' if seat.slips else ''}"
        rows.append(f"| `{game}` | `{name}` | {seat.games} | {' | '.join(cells)} | {trend} |")
    return row, rows


def _spearman_brown(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the reliability of the whole panel, from the correlation of its odd games with its even ones."""
    from scipy.stats import pearsonr

    r = float(pearsonr(one, other).statistic)
    return 2 * r / (1 + r)


def _mean(shares: Sequence[float], games: int) -> str:
    """Return the mean share with its 95 % interval: Wilson's for one game per deal, else the normal one over deals."""
    n = len(shares)
    if not n:
        return "-"
    mean = sum(shares) / n
    if games == 1:
        interval: Interval | None = wilson(round(sum(shares)), n)
    else:
        interval = mean_interval(mean, stdev(shares) if n > 1 else None, n)
    low, high = (0.0, 1.0) if interval is None else (max(0.0, interval.low), min(1.0, interval.high))
    return f"{100 * mean:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


if __name__ == "__main__":
    sys.exit(main())
