"""Common parts of the generated pages: reading a study, comparing counts, and Markdown."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

from unshuffle.errors import InternalError, StoreError, UsageError
from unshuffle.game import INFORMATION
from unshuffle.registry import game as find_game
from unshuffle.store import Run, Store, Summary
from unshuffle.study.beside import compare_readings
from unshuffle.study.conditions import write_limits
from unshuffle.study.published import Figure, published
from unshuffle.study.published_report import write_range
from unshuffle.study.statistics import Moments, Rate, compare_counts, mean_interval, write_percent
from unshuffle.study.tables import plural

__all__ = ["write_range"]  # for the pages

ROOT = Path(__file__).resolve().parent.parent
LEVEL = 0.05
WIDTH = 120
EMPTY = "-"


class Count(NamedTuple):
    """A count of won deals; `undecided` deals are in n, not in `won`."""

    won: int
    n: int
    undecided: int = 0
    is_lower_bound: bool = False
    """The program is known to miss wins."""


def count_of(figure: Figure) -> Count:
    """Return the count of a published figure."""
    assert figure.wins is not None
    assert figure.n is not None
    return Count(figure.wins, figure.n, figure.undecided, figure.lower_bound)


def figures_of(game: str, source: str, information: str | None = None) -> list[Figure]:
    """Return the published counts of a source with which our runs can be compared."""
    return [
        each
        for each in published(game)
        if each.source.name == source and information in (None, each.information)
        if each.comparable and each.n
    ]


# Reading a study.


@dataclass(frozen=True, slots=True)
class Found:
    """A run and its results."""

    run: Run
    counts: Summary
    engines: tuple[str, ...]
    """The engines and versions that have done the work."""

    @property
    def variant(self) -> str:
        """The name of the rules."""
        return self.run.variant

    @property
    def rate(self) -> Rate:
        """The win rate, with undecided deals as lost and as won."""
        return Rate(self.counts.won, self.counts.lost, self.counts.undecided)

    @property
    def nodes(self) -> Moments:
        """The node counts of the deals that a search has decided."""
        counts = self.counts
        return Moments(counts.completed, counts.nodes_sum, counts.nodes_squares, counts.nodes_max)


def find(store: Store, run: Run) -> Found:
    """Return a run with its results."""
    engines = (f"{each.engine}, unshuffle {each.package_version}" for each in store.work(run))
    return Found(run, store.summary(run), tuple(engines))


def read_solved(store: Store, study: str, game: str) -> dict[str, Found]:
    """Return the variants of which the solver has finished deals, in the order of the game."""
    runs = {run.variant: run for run in store.runs(study) if run.game == game and run.is_solver}
    found = {slug: find(store, runs[slug]) for slug in find_game(game).variants if slug in runs}
    return {slug: each for slug, each in found.items() if each.counts.n}


# Markdown.


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table whose first column is words and whose others are numbers."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def prose(*sentences: str) -> str:
    """Return the sentences as one paragraph, wrapped."""
    return fill(" ".join(sentences), WIDTH, break_on_hyphens=False, break_long_words=False)


def names(variants: Sequence[str]) -> str:
    """Return the names of variants as a list within a sentence."""
    quoted = [f"`{variant}`" for variant in variants]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def both_rates(rate: Rate) -> tuple[str, str]:
    """Return the texts of the rate with undecided deals as lost and as won, each with its interval."""
    assert rate.rate is not None
    assert rate.rate_if_won is not None
    as_lost = write_percent(rate.rate, rate.interval)
    return as_lost, write_percent(rate.rate_if_won, rate.interval_if_won) if rate.undecided else as_lost


def write_wins(won: int, n: int, undecided: int = 0) -> str:
    """Return a count in words."""
    return f"{won:,} of {n:,}" + (f", {undecided:,} undecided" if undecided else "")


def write_mean(scores: Moments) -> str:
    """Return the text of a mean score with its normal interval."""
    assert scores.mean is not None
    interval = mean_interval(scores.mean, scores.sd, scores.count)
    return f"{scores.mean:.2f}" + (f" [{interval.low:.2f}, {interval.high:.2f}]" if interval is not None else "")


def write_making(found: Sequence[Found], study: str) -> str:
    """Return a paragraph about the conditions and the provenance of the numbers of a study."""
    runs = [each.run for each in found]

    def all_of(words: Callable[[Run], str]) -> str:
        return "; ".join(dict.fromkeys(map(words, runs)))

    counts = [each.counts for each in found]
    engines = dict.fromkeys(engine for each in found for engine in each.engines)
    planned = sum(each.planned for each in counts)
    done = sum(each.n for each in counts)
    inferred = sum(each.inferred for each in counts)
    return prose(
        f"Study `{study}`.",
        *([] if done == planned else [f"UNFINISHED: {done:,} of {planned:,} planned deals are in it."]),
        f"Information: {all_of(lambda run: INFORMATION[run.information])}.",
        f"Generator: {all_of(lambda run: run.generator)}.",
        *([f"Limits of one deal: {all_of(write_limits)}."] if all(run.is_solver for run in runs) else []),
        f"Engine: {'; '.join(engines)}.",
        f"{plural(sum(each.replayed for each in counts), 'line')} replayed by the Python rules.",
        f"Begun on {min(run.created for run in runs)[:10]}.",
        *([_write_inferred(done, inferred)] if all(run.is_solver for run in runs) else []),
    )


def _write_inferred(done: int, inferred: int) -> str:
    if not inferred:
        return "Every deal was searched."
    return (
        f"Of {plural(done, 'deal')} {inferred:,} were not searched: their verdicts follow from the same deal in"
        " another variant ([how](../studies.md#verdicts-that-need-no-search)). Nodes are over the deals that a search"
        " has decided."
    )


# Comparing counts.


@dataclass(frozen=True, slots=True)
class Test:
    """The test of our count against another: its name, and the least and the greatest p over all readings."""

    name: str
    least: float
    most: float


def test_count(rate: Rate, other: Count) -> Test:
    """Test a rate against a count by chi-square, or Fisher if counts are small; two-sided even for a lower bound."""
    theirs = Rate(other.won, other.n - other.won - other.undecided, other.undecided)
    found = compare_readings(rate, theirs)
    return Test(found.test, found.least, found.most)


def nearest_p(rate: Rate, other: Count) -> float:
    """Return the p-value if our undecided deals end so that the rates are closest."""
    wanted = round(rate.n * other.won / other.n)
    won = min(max(wanted, rate.won), rate.won + rate.undecided)
    return compare_counts(won, rate.n, other.won, other.n).p


# The command line.


def make_parser(words: str | None, page: str) -> argparse.ArgumentParser:
    """Return a parser with the options of every page."""
    parser = argparse.ArgumentParser(description=words, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, help="the store ($UNSHUFFLE_STORE, or unshuffle.sqlite here)")
    out = ROOT / "docs" / "results" / page
    parser.add_argument("--out", type=Path, default=out, help=f"the page to be written (docs/results/{page})")
    return parser


def make_page(arguments: argparse.Namespace, write: Callable[[Store], str]) -> int:
    """Write the page of a store, print errors, and return the exit code."""
    try:
        with Store.open(arguments.store, create=False) as store:
            page = write(store)
    except (UsageError, StoreError, InternalError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 70 if isinstance(error, InternalError) else 2
    arguments.out.write_text(page, encoding="utf-8")
    print(f"Written: {arguments.out}")
    return 0
