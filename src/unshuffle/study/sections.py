"""The sections of a report, for any kind of page: conditions, results, comparisons, scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from unshuffle.deals import MOST_DEALS
from unshuffle.errors import UsageError, quote
from unshuffle.numbers import read_whole
from unshuffle.store import Run, Store, Summary
from unshuffle.store.results import Work
from unshuffle.study.beside import Beside, Readings, compare_readings, set_beside
from unshuffle.study.compare import MOST_COMPARED, Comparison, compare_runs, tabulate
from unshuffle.study.conditions import describe_run, explain_phases, name_run, short_names
from unshuffle.study.histogram import histogram
from unshuffle.study.history import History, print_extensions
from unshuffle.study.inference import check_implications
from unshuffle.study.scores import read_scores
from unshuffle.study.statistics import (
    Moments,
    Rate,
    clopper_pearson,
    holm,
    mean_interval,
    write_if_won,
    write_rate,
)
from unshuffle.study.tables import (
    Column,
    Page,
    plural,
    study_packages,
    write_count,
    write_interval,
    write_number,
    write_p,
)

_LONGEST_NAME = 40
# The pairs of ten runs. More are left to programs to read.
_MOST_PAIRS = 45
_MOST_ALIKE = 100
"""The most pairs of runs under the same rules that are shown if all pairs are too many."""
_COMPARED = "Run beside run"


class Against(NamedTuple):
    """A count from elsewhere that our rates are compared with."""

    source: str
    won: int
    n: int

    @classmethod
    def parse(cls, text: str) -> Against:
        """Parse 'NAME:WON/N'."""
        source, _, count = text.rpartition(":")
        won, slash, n = (part.strip().replace(",", "").replace("_", "") for part in count.partition("/"))
        wins, deals = read_whole(won, MOST_DEALS), read_whole(n, MOST_DEALS)
        if not (source.strip() and slash) or wins is None or deals is None:
            raise UsageError(f"{quote(text)} is not a count; expected NAME:WON/N, such as 'Smith 1990:234035/1000000'")
        if wins > deals or deals == 0:
            raise UsageError(f"{quote(text)} is not a count: {wins} of {deals} deals cannot be won")
        return cls(source.strip(), wins, deals)

    def test(self, rate: Rate) -> Readings:
        """Test whether a rate of ours may be the same as this one."""
        return compare_readings(rate, Rate(self.won, self.n - self.won))


@dataclass(frozen=True, slots=True)
class Found:
    """A run and its counts."""

    run: Run
    summary: Summary
    rate: Rate
    nodes: Moments
    work: Sequence[Work]
    history: History


def read_found(store: Store, study: str) -> list[Found]:
    """Return the runs of a study with their counts. Only summaries are read."""
    found = []
    for run in store.runs(study):
        counts = store.summary(run)
        # A policy has no node counts; 0 would look like a measured value.
        nodes = Moments()
        if run.is_solver:
            nodes = Moments(counts.completed, counts.nodes_sum, counts.nodes_squares, counts.nodes_max)
        found.append(Found(run, counts, Rate.of(counts), nodes, store.work(run), History.read(store, run)))
    return found


def read_all(store: Store, study: str, *, published: bool = True) -> tuple[list[Found], list[Comparison], list[Beside]]:
    """Return the runs of a study, their comparisons with each other, and those with published figures.

    Raises InternalError, which names the deals, if results contradict each other.
    """
    check_implications(store, study)
    with study_packages():
        found = read_found(store, study)
        rates = [(each.run, each.rate) for each in found]
        return found, compare_runs(store, study), set_beside(store, rates) if published else []


def headline(found: Sequence[Found]) -> str:
    """Return the progress of a study in words."""
    done, planned = (sum(getattr(each.summary, name) for each in found) for name in ("n", "planned"))
    return f"{plural(len(found), 'run')}, {done:,} of {plural(planned, 'deal')} finished."


def is_finished(found: Sequence[Found]) -> bool:
    """Return whether every planned deal has its result."""
    return all(each.summary.n == each.summary.planned for each in found)


def write_unfinished(study: str) -> str:
    """Return a warning that the study is not finished, with the command that goes on."""
    return f"UNFINISHED: `unshuffle study run {study}` goes on."


def print_results(
    page: Page, found: Sequence[Found], comparisons: Sequence[Comparison], against: Sequence[Against], exact: bool
) -> None:
    """Print the results of the runs: every table except that of the scores."""
    print_table(page, found, exact)
    if phases := explain_phases([each.run for each in found]):
        page.prose(phases)
    print_extensions(page, [each.history for each in found])
    print_comparisons(page, found, comparisons)
    print_against(page, found, against)


def print_conditions(page: Page, found: Sequence[Found]) -> None:
    """Print the conditions of the runs; those that all runs share are printed once."""
    page.section("Conditions")
    conditions = [_describe(each) for each in found]
    if len(found) == 1:
        page.fields(conditions[0])
        return
    shared = shared_conditions(found)
    page.line("All runs:")
    page.fields(shared)
    rules = _shared_rules([each.run for each in found]) if shared.get("rules") != conditions[0]["rules"] else {}
    differing = {}
    for number, (each, words) in enumerate(zip(found, conditions, strict=True), 1):
        own = {name: text for name, text in words.items() if text != shared.get(name)}
        if rules:
            own["rules"] = " ".join(f"{name}={value}" for name, value in each.run.rules.items() if name not in rules)
        # The name of the run contains these two.
        own = {name: text for name, text in own.items() if name not in ("game", "method") or each.run.maximize}
        differing[f"[{number}] {name_run(each.run)}"] = own
    page.records("run", differing)


def shared_conditions(found: Sequence[Found]) -> dict[str, str]:
    """Return the conditions that all runs share, by name; if the rules differ, those rules that are the same."""
    first, *others = (_describe(each) for each in found)
    shared = {name: words for name, words in first.items() if all(words == each.get(name) for each in others)}
    if len({each.run.game for each in found}) == 1:
        shared.setdefault("game", found[0].run.game)
    rules = _shared_rules([each.run for each in found])
    if rules:
        shared.setdefault("rules", " ".join(f"{name}={value}" for name, value in rules.items()))
    return {name: shared[name] for name in first if name in shared}


def _describe(found: Found) -> dict[str, str]:
    return describe_run(found.run, found.summary, found.work) | found.history.fields()


def _shared_rules(runs: Sequence[Run]) -> dict[str, str]:
    first = runs[0].rules
    return {name: value for name, value in first.items() if all(run.rules.get(name) == value for run in runs)}


def name_all(found: Sequence[Found]) -> list[str]:
    """Return the names of the runs in the table of results, with the numbers that the conditions refer to."""
    names = short_names([each.run for each in found])
    if len(names) == 1:
        return names
    is_short = max(map(len, names)) <= _LONGEST_NAME
    return [f"[{number}] {name}" if is_short else f"[{number}]" for number, name in enumerate(names, 1)]


def number_all(found: Sequence[Found]) -> dict[int, str]:
    """Return the numbers of the runs in tables, by their ids."""
    return {each.run.id: f"[{number}]" for number, each in enumerate(found, 1)}


def print_table(page: Page, found: Sequence[Found], exact: bool) -> None:
    """Print counts, rates with their intervals, odds and nodes."""
    rates = [each.rate for each in found]
    counts = [
        Column("n", [f"{rate.n:,}" for rate in rates]),
        Column("completed", [f"{rate.completed:,}" for rate in rates]),
        Column("won", [f"{rate.won:,}" for rate in rates]),
        Column("lost", [f"{rate.lost:,}" for rate in rates]),
        Column("undecided", [f"{rate.undecided:,}" for rate in rates]),
    ]
    if any(each.summary.inferred for each in found):
        counts.append(Column("inferred", [f"{each.summary.inferred:,}" for each in found]))
    as_lost = [Column("win rate", [write_rate(rate) for rate in rates])]
    as_won = [Column("undecided as won", [write_if_won(rate) for rate in rates])]
    if exact:
        as_lost.append(Column("exact", [_exact(rate.won, rate.n) for rate in rates]))
        as_won.append(Column("exact, as won", [_exact(rate.won + rate.undecided, rate.n) for rate in rates]))
    odds = [Column("odds", [str(rate.odds) if rate.odds else "-" for rate in rates])]
    nodes = [
        Column("mean nodes", [write_number(each.nodes.mean) for each in found]),
        Column("SD", [write_number(each.nodes.sd) for each in found]),
        Column("maximum", [write_count(each.nodes.largest) for each in found]),
    ]
    has_undecided = any(rate.undecided for rate in rates)
    has_nodes = any(each.run.is_solver for each in found)
    page.section("Results")
    page.table(
        [Column("run", name_all(found), is_words=True)],
        counts,
        as_lost,
        *([as_won] if has_undecided else []),
        odds,
        *([nodes] if has_nodes else []),
    )
    page.line()
    notes = ["Intervals: 95 %, Wilson" + (" (exact: Clopper-Pearson)" if exact else "")]
    if has_undecided:
        notes.append("win rate and odds count undecided deals as lost")
    else:
        notes.append("no deal is undecided, so there is one rate")
    has_inferred = any(each.summary.inferred for each in found)
    if has_nodes:
        notes.append(f"nodes over completed deals{' that were searched' if has_inferred else ''}")
    if any(each.summary.n < each.summary.planned for each in found):
        notes.append("only finished deals are counted")
    page.prose("; ".join(notes) + ".")
    if has_inferred:
        page.prose(
            "Inferred: not searched, for the verdict follows from the same deal in another run of this study. Whatever"
            " wins under stricter rules wins under looser ones, and what is lost under looser ones is lost."
        )


def _exact(won: int, n: int) -> str:
    return write_interval(clopper_pearson(won, n)) if n else "-"


_NESTED = (
    "Stricter: what is won under the rules of this one is won under those of the other too, so none of its wins is its"
    " own. One deal that the looser one alone has won proves that the rates differ, and the interval (Clopper and"
    " Pearson's, of the share of such deals) does not reach beyond 0."
)
_CERTAIN = "Certain if so: there is such a deal only if undecided ones end as the column has it, so nothing is proved."
_NOT_COMPARED = (
    "Runs that know all cards (open) and runs that see what a player sees (hidden) do not answer one question and are"
    " not compared here; `unshuffle study compare A B --anyway` compares two of them."
)


def print_comparisons(page: Page, found: Sequence[Found], comparisons: Sequence[Comparison]) -> None:
    """Print the comparisons of the runs with each other, on the deals that they share."""
    if len(found) > MOST_COMPARED:
        page.section(_COMPARED)
        page.prose(
            f"{len(found):,} runs are too many to compare each with each. `unshuffle study compare NAME:variant:method"
            " NAME:variant:method` compares two of them, `unshuffle tournament` ranks policies in groups."
        )
        return
    has_both = len({each.run.information for each in found if each.rate.n}) > 1
    if not comparisons:
        if has_both:
            page.section(_COMPARED)
            page.prose(_NOT_COMPARED)
        return
    page.section(_COMPARED)
    if len(comparisons) > _MOST_PAIRS:
        alike = [each for each in comparisons if each.a.rules == each.b.rules and each.a.game == each.b.game]
        page.prose(
            f"{len(comparisons):,} pairs of runs were compared on the same deals: too many for a page."
            f"{' Those under the same rules are shown.' if 0 < len(alike) <= _MOST_ALIKE else ''} --json has all of"
            " them, `unshuffle study compare NAME:variant:method NAME:variant:method` shows one."
        )
        if not 0 < len(alike) <= _MOST_ALIKE:
            return
        comparisons = alike
    page.prose("Compared on the same deals: exact McNemar; difference a - b in % points, 95 % interval (Tango).")
    if any(each.stricter for each in comparisons):
        page.prose(_NESTED)
    if any(reading.is_certain and not reading.is_proved for each in comparisons for reading in each.readings):
        page.prose(_CERTAIN)
    if has_both:
        page.prose(_NOT_COMPARED)
    if any(each.summary.inferred for each in found):
        page.prose("Inferred verdicts are facts about the deals and count like searched ones.")
    page.line()
    page.table(*tabulate(comparisons, number_all(found)))


def print_against(page: Page, found: Sequence[Found], against: Sequence[Against]) -> None:
    """Print the comparisons of every run with the counts of `against`."""
    tests = [
        (name.partition(" ")[0] if len(found) > 1 else name, each, other, other.test(each.rate))
        for name, each in zip(name_all(found), found, strict=True)
        if each.rate.n
        for other in against
    ]
    if not tests:
        return
    adjusted = f" (Holm of {len(tests)})" if len(tests) > 1 else ""
    key = [
        Column("run", [name for name, _, _, _ in tests], is_words=True),
        Column("against", [other.source for _, _, other, _ in tests], is_words=True),
    ]
    count = [Column("its count", [f"{other.won:,} of {other.n:,}" for _, _, other, _ in tests])]
    answers = [
        Column("test", [test.test for _, _, _, test in tests], is_words=True),
        Column(f"p{adjusted}", [write_p(p) for p in holm([test.p for _, _, _, test in tests])]),
    ]
    if any(each.rate.undecided for _, each, _, _ in tests):
        p_values = holm([test.p_if_won for _, _, _, test in tests])
        answers.append(Column("p if won", [write_p(p) for p in p_values]))
    page.section("Beside other counts")
    page.line("Compared with other counts, as independent ones:")
    page.line()
    page.table(key, count, answers)


def print_scores(page: Page, store: Store, found: Sequence[Found]) -> None:
    """Print a histogram of the scores of each run as text."""
    for each in found:
        scores = read_scores(store, each.run, each.summary)
        page.line()
        mean = write_mean_score(scores.moments) if scores.counts or not scores.n else "not known"
        page.prose(f"Scores of {name_run(each.run)}: {mean}", bold=True)
        if scores.remark:
            page.prose(scores.remark)
        if scores.counts:
            page.lines(histogram(scores.counts, width=page.width))


def write_mean_score(moments: Moments) -> str:
    """Return a mean with its interval, standard deviation and maximum, as text."""
    if moments.mean is None:
        return "no deals"
    interval = mean_interval(moments.mean, moments.sd, moments.count)
    if interval is None or moments.sd is None:
        return f"mean {moments.mean:.2f}, {plural(moments.count, 'deal')}"
    low, high = interval
    return (
        f"mean {moments.mean:.2f} [{low:.2f}, {high:.2f}], SD {moments.sd:.2f}, maximum {write_count(moments.largest)},"
        f" {plural(moments.count, 'deal')}"
    )
