"""Do two runs differ? On the same deals by exact McNemar, otherwise as independent counts. See docs/statistics.md."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TextIO

from unshuffle.errors import UsageError, quote, unknown
from unshuffle.store import PairedCounts, Run, Store
from unshuffle.store.endings import Endings, pair_endings
from unshuffle.study.conditions import describe_run, name_run
from unshuffle.study.statistics import Interval, Paired, Rate, compare_counts, holm, mcnemar, write_percent
from unshuffle.study.tables import Column, Page, plural, study_packages, write_count, write_p, write_points

MOST_COMPARED = 100
"""The most runs of a study that are all compared with each other: of 719 rule lists that would be 258,121 tests, which
take long and tell little. A tournament ranks them in groups."""

_PARTS = ("game", "variant", "method")


@dataclass(frozen=True, slots=True)
class Reading:
    """A comparison with the undecided deals counted in one way."""

    p: float
    difference: float | None
    """The rate of a less the rate of b; None without deals."""
    interval: Interval | None
    """Of the difference; None where the deals are not the same."""
    only_a: int | None = None
    """Deals that a alone has won, where the deals are the same."""
    only_b: int | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs, the test that was made, and what came of it with undecided deals as lost and as won."""

    a: Run
    b: Run
    test: str
    why: str
    n_a: int
    n_b: int
    """Deals that were compared; equal where they are the same deals."""
    undecided: int
    """Deals that at least one of the two has left undecided."""
    as_lost: Reading
    as_won: Reading
    extremes: tuple[float, float] | None = None
    """The least and the most that the difference can be, whatever the undecided deals of each would turn out to be."""
    rates: tuple[Rate, Rate] | None = None
    """The rates of a and b over all their finished deals, where the deals are not the same."""

    @property
    def is_paired(self) -> bool:
        """True if both have played the same deals."""
        return self.rates is None


def compare_runs(store: Store, study: str) -> list[Comparison]:
    """Every two runs of a study that have finished deals of one game in common, each pair once; none of too many."""
    runs = store.runs(study)
    if len(runs) > MOST_COMPARED:
        return []
    endings = _EndingsOnce(store)
    found = []
    for a, b in combinations(runs, 2):
        if _obstacle(a, b) is None:
            counts = endings.pair(a, b)
            if counts.n:
                found.append(_compare_pairs(a, b, counts))
    return found


def compare_choices(store: Store, a: str, b: str) -> list[Comparison]:
    """What two names (NAME, NAME:variant or NAME:variant:method) stand for, run by run.

    Runs of two studies are matched by whatever of game, variant and method is not the same throughout.
    """
    left, right = choose_runs(store, a), choose_runs(store, b)
    endings = _EndingsOnce(store)
    return [_compare(store, one, other, endings) for one, other in _match(a, left, b, right)]


def choose_runs(store: Store, text: str) -> list[Run]:
    """The runs that NAME, NAME:variant or NAME:variant:method stands for."""
    names = [info.name for info in store.studies()]
    # A name may hold a colon itself; the longest one that is there is meant.
    study = max((name for name in names if text == name or text.startswith(f"{name}:")), key=len, default=None)
    if study is None:
        wanted = text.partition(":")[0]
        store.runs(wanted)  # it says what is nearest
        raise unknown("study", text, names)
    runs = store.runs(study)
    variant, _, method = text[len(study) + 1 :].partition(":")
    if variant:
        runs = _narrow(runs, "variant", variant, f"variant in the study {study!r}")
    if method:
        policy = f"policy:{method}"
        known = {run.method for run in runs}
        method = policy if method not in known and policy in known else method
        runs = _narrow(runs, "method", method, f"method of {study}:{variant}")
    if not runs:
        # What was imported is no run: the games that were lost there are not known.
        raise UsageError(f"the study {study!r} has no runs that could be compared")
    return runs


def _narrow(runs: Sequence[Run], field: str, value: str, kind: str) -> list[Run]:
    chosen = [run for run in runs if getattr(run, field) == value]
    if not chosen:
        raise unknown(kind, value, dict.fromkeys(getattr(run, field) for run in runs))
    return chosen


def _match(a: str, left: Sequence[Run], b: str, right: Sequence[Run]) -> list[tuple[Run, Run]]:
    # What is the same throughout each side (solver here, greedy there) is what is compared; the rest must agree.
    key = [part for part in _PARTS if any(len({getattr(run, part) for run in side}) > 1 for side in (left, right))]
    others = {tuple(getattr(run, part) for part in key): run for run in right}
    pairs = [
        (run, other) for run in left if (other := others.get(tuple(getattr(run, part) for part in key))) is not None
    ]
    pairs = [(one, other) for one, other in pairs if one.id != other.id]
    if pairs:
        return pairs
    sides = [f"{quote(text)} is {_list(side)}" for text, side in ((a, left), (b, right))]
    if [run.id for run in left] == [run.id for run in right]:
        raise UsageError(f"nothing to compare: {sides[0]}, twice; name two runs as NAME:variant:method")
    raise UsageError(f"nothing to compare: {'; '.join(sides)}; name two runs as NAME:variant or NAME:variant:method")


def _list(runs: Sequence[Run]) -> str:
    names = [name_run(run) for run in runs[:4]]
    return ", ".join(names) + (f" and {len(runs) - 4} more" if len(runs) > 4 else "")


class _EndingsOnce:
    """The endings of runs, each read once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._read: dict[int, Endings] = {}

    def pair(self, a: Run, b: Run) -> PairedCounts:
        for run in (a, b):
            if run.id not in self._read:
                self._read[run.id] = self._store.endings(run)
        return pair_endings(self._read[a.id], self._read[b.id])


def _obstacle(a: Run, b: Run) -> str | None:
    """Why the deals of two runs cannot be the same; None if they can."""
    if a.game != b.game:
        return f"{a.game} and {b.game} are different games"
    if a.generator != b.generator:
        return f"the generators {a.generator} and {b.generator} shuffle differently"
    if a.last_seed < b.first_seed or b.last_seed < a.first_seed:
        return f"the seeds {a.first_seed}..{a.last_seed} and {b.first_seed}..{b.last_seed} have none in common"
    return None


def _compare(store: Store, a: Run, b: Run, endings: _EndingsOnce) -> Comparison:
    why = _obstacle(a, b)
    if why is None:
        counts = endings.pair(a, b)
        if counts.n:
            return _compare_pairs(a, b, counts)
        why = "no seed is finished in both"
    return _compare_rates(a, b, *(_rate(store, run) for run in (a, b)), why=why)


def _rate(store: Store, run: Run) -> Rate:
    counts = store.summary(run)
    return Rate(counts.won, counts.lost, counts.undecided)


def _compare_pairs(a: Run, b: Run, counts: PairedCounts) -> Comparison:
    lost, won = (_reading(*_fold(counts.table, undecided)) for undecided in ("lost", "won"))
    extremes = _extremes(counts) if counts.undecided else None
    same = "the same deals" if a.variant == b.variant else "the same decks"
    why = f"both have played {same}: {counts.n:,} finished seeds of generator {a.generator} in common"
    return Comparison(a, b, "mcnemar-exact", why, counts.n, counts.n, counts.undecided, lost, won, extremes)


def _extremes(counts: PairedCounts) -> tuple[float, float]:
    """The difference if the undecided deals of a were lost and those of b won, and the other way round."""
    won_a, maybe_a = (sum(deals for (a, _), deals in counts.table.items() if a == end) for end in ("won", "undecided"))
    won_b, maybe_b = (sum(deals for (_, b), deals in counts.table.items() if b == end) for end in ("won", "undecided"))
    return (won_a - won_b - maybe_b) / counts.n, (won_a + maybe_a - won_b) / counts.n


def _fold(table: Mapping[tuple[str, str], int], undecided: str) -> tuple[int, int, int, int]:
    """Only a, only b, both, neither, with undecided deals as lost or as won in both runs."""
    sums = {(a, b): 0 for a in ("won", "lost") for b in ("won", "lost")}
    for (a, b), deals in table.items():
        sums[undecided if a == "undecided" else a, undecided if b == "undecided" else b] += deals
    return sums["won", "lost"], sums["lost", "won"], sums["won", "won"], sums["lost", "lost"]


def _reading(only_a: int, only_b: int, both: int, neither: int) -> Reading:
    found: Paired = mcnemar(only_a, only_b, both, neither)
    return Reading(found.p, found.difference, Interval(found.low, found.high), only_a, only_b)


def _compare_rates(a: Run, b: Run, one: Rate, other: Rate, *, why: str) -> Comparison:
    readings = [(one.won, other.won), (one.won + one.undecided, other.won + other.undecided)]
    tests = [compare_counts(won_a, one.n, won_b, other.n) for won_a, won_b in readings]
    p_values = [test.p for test in tests]
    name = "fisher" if any(test.test == "fisher" for test in tests) else "chi-square"
    if len({test.test for test in tests}) > 1:
        from scipy.stats import fisher_exact

        # One test is named, so one is made.
        p_values = [
            float(fisher_exact([[won_a, one.n - won_a], [won_b, other.n - won_b]]).pvalue) for won_a, won_b in readings
        ]
    made = "Fisher's exact test, for an expected count is below 5" if name == "fisher" else "chi-square"
    lost, won = (
        Reading(p, won_a / one.n - won_b / other.n if one.n and other.n else None, None)
        for p, (won_a, won_b) in zip(p_values, readings, strict=True)
    )
    return Comparison(
        a, b, name, f"{why}, so the counts are independent: {made}", one.n, other.n, one.undecided + other.undecided,
        lost, won, rates=(one, other),
    )  # fmt: skip


def adjust(comparisons: Sequence[Comparison]) -> list[tuple[float, float]]:
    """The p-values of all comparisons after Holm: undecided deals as lost, and as won."""
    return list(
        zip(holm([each.as_lost.p for each in comparisons]), holm([each.as_won.p for each in comparisons]), strict=True)
    )


def print_compare(store: Store, a: str, b: str, *, json: bool = False, out: TextIO | None = None) -> None:
    """Say whether two studies or runs differ, by which test and why by that one."""
    page = Page(out or sys.stdout)
    with study_packages():
        found = compare_choices(store, a, b)
        adjusted = adjust(found)
        if json:
            for comparison, holms in zip(found, adjusted, strict=True):
                page.json(_values(store, comparison, holms))
            return
        for number, (comparison, holms) in enumerate(zip(found, adjusted, strict=True)):
            if number:
                page.line()
            _print_comparison(store, page, comparison, holms if len(found) > 1 else None, len(found))


def _values(store: Store, comparison: Comparison, holms: tuple[float, float]) -> dict[str, Any]:
    values: dict[str, Any] = {
        side: {"study": run.study, "game": run.game, "variant": run.variant, "method": run.method,
               "information": run.information, "generator": run.generator, "n": n,
               "inferred": store.summary(run).inferred}
        for side, run, n in (("a", comparison.a, comparison.n_a), ("b", comparison.b, comparison.n_b))
    }  # fmt: skip
    values |= {"paired": comparison.is_paired, "test": comparison.test, "why": comparison.why}
    values["undecided"] = comparison.undecided
    for suffix, reading, adjusted in (
        ("", comparison.as_lost, holms[0]),
        ("_if_won", comparison.as_won, holms[1]),
    ):
        values |= {
            f"only_a{suffix}": reading.only_a,
            f"only_b{suffix}": reading.only_b,
            f"difference{suffix}": reading.difference,
            f"low{suffix}": None if reading.interval is None else reading.interval.low,
            f"high{suffix}": None if reading.interval is None else reading.interval.high,
            f"p{suffix}": reading.p,
            f"p_holm{suffix}": adjusted,
        }
    values["least"], values["most"] = comparison.extremes or (None, None)
    return values


def _print_comparison(
    store: Store, page: Page, comparison: Comparison, holms: tuple[float, float] | None, family: int
) -> None:
    sides = (comparison.a, comparison.b)
    for letter, run in zip("ab", sides, strict=True):
        page.line(f"{letter}: {run.study}: {name_run(run)}", bold=True)
    conditions = [describe_run(run, store.summary(run), store.work(run)) for run in sides]
    words: dict[str, str] = {}
    for name, of_a in conditions[0].items():
        of_b = conditions[1][name]
        words |= {name: of_a} if of_a == of_b else {f"{name} of a": of_a, f"{name} of b": of_b}
    page.fields(words)
    page.line()
    page.prose(f"Test: {comparison.test}; {comparison.why}.")
    inferred = [store.summary(run).inferred for run in sides]
    if any(inferred):
        page.prose(
            f"Inferred verdicts ({inferred[0]:,} of a, {inferred[1]:,} of b) are facts about the deals and count like"
            " searched ones."
        )
    page.line()

    readings = [("undecided as lost" if comparison.undecided else "all decided", comparison.as_lost)]
    if comparison.undecided:
        readings.append(("undecided as won", comparison.as_won))
    answers = [
        Column("a - b in % points", [write_points(reading.difference, reading.interval) for _, reading in readings]),
        Column("p", [write_p(reading.p) for _, reading in readings]),
    ]
    if holms is not None:
        answers.append(Column(f"p (Holm of {family})", [write_p(p) for p in holms[: len(readings)]]))
    page.table(
        [Column("reading", [name for name, _ in readings], is_words=True)], _counts(comparison, readings), answers
    )
    page.line()
    if comparison.extremes is not None:
        low, high = comparison.extremes
        page.prose(
            f"{plural(comparison.undecided, 'deal')} undecided in a or b: however they would end, the difference on"
            f" these deals is between {100 * low:+.3f} and {100 * high:+.3f} points."
        )
    page.prose(_verdict(comparison, holms))


def _counts(comparison: Comparison, readings: Sequence[tuple[str, Reading]]) -> list[Column]:
    if comparison.rates is None:
        return [
            Column("deals", [f"{comparison.n_a:,}"] * len(readings)),
            Column("only a won", [write_count(reading.only_a) for _, reading in readings]),
            Column("only b won", [write_count(reading.only_b) for _, reading in readings]),
        ]
    columns = []
    for letter, rate in zip("ab", comparison.rates, strict=True):
        columns.append(Column(f"n of {letter}", [f"{rate.n:,}"] * len(readings)))
        columns.append(Column(f"rate of {letter}", [_write_rate(rate, name) for name, _ in readings]))
    return columns


def _write_rate(rate: Rate, reading: str) -> str:
    if rate.rate is None or rate.rate_if_won is None:
        return "no deals"
    if reading == "undecided as won":
        return write_percent(rate.rate_if_won, rate.interval_if_won)
    return write_percent(rate.rate, rate.interval)


def _verdict(comparison: Comparison, holms: tuple[float, float] | None) -> str:
    p_values = holms or (comparison.as_lost.p, comparison.as_won.p)
    differ = [p < 0.05 for p in p_values]
    if not min(comparison.n_a, comparison.n_b):
        return "One of them has no finished deals; nothing can be said."
    differences = [comparison.as_lost.difference or 0, comparison.as_won.difference or 0, *(comparison.extremes or ())]
    signs = {difference > 0 for difference in differences}
    if all(differ) and len(signs) == 1:
        return f"At 5 % they differ: {'a' if signs.pop() else 'b'} wins more often."
    if any(differ):
        return "It depends on the undecided deals whether they differ at 5 %: longer limits are needed."
    return "At 5 % these deals do not tell them apart, which is no proof that they are equal."


def tabulate(comparisons: Sequence[Comparison], names: Mapping[int, str]) -> list[list[Column]]:
    """Many paired comparisons as one table (its groups of columns); p after Holm where there are several."""
    adjusted = adjust(comparisons)
    family = f" (Holm of {len(comparisons)})" if len(comparisons) > 1 else ""
    groups = [
        [Column("a - b", [f"{names[each.a.id]} - {names[each.b.id]}" for each in comparisons], is_words=True)],
        [
            Column("deals", [f"{each.n_a:,}" for each in comparisons]),
            *_tabulate_reading([each.as_lost for each in comparisons], "", [p for p, _ in adjusted], family),
        ],
    ]
    if any(each.undecided for each in comparisons):
        won = [each.as_won for each in comparisons]
        groups.append(_tabulate_reading(won, ", undecided as won", [p for _, p in adjusted], family))
    return groups


def _tabulate_reading(readings: Sequence[Reading], suffix: str, p_values: Iterable[float], family: str) -> list[Column]:
    return [
        Column(f"difference{suffix}", [write_points(each.difference, each.interval) for each in readings]),
        Column(f"p{family}", [write_p(p) for p in p_values]),
    ]
