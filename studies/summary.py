"""The page of a study in docs/results: its rates, their conditions, and how to make them again."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pages import both_rates, prose, write_mean
from unshuffle.store import Run, Store
from unshuffle.study.beside import set_beside
from unshuffle.study.conditions import explain_phases, short_names
from unshuffle.study.document import print_provenance
from unshuffle.study.history import explain
from unshuffle.study.markdown_page import MarkdownPage
from unshuffle.study.planfile import plan_parts
from unshuffle.study.published_report import judge
from unshuffle.study.scores import explain_missing, read_scores
from unshuffle.study.sections import Found, headline, is_finished, number_all, read_found, shared_conditions
from unshuffle.study.tables import Column, write_count, write_number

IN_EVERY_RUN = ("deals", "replay", "finished", "planned")
"""Conditions that the table, the provenance or the plan contain."""


NOT_SHOWN = ("study", "report")
"""Provenance that the heading tells, or that is about the writing of the page."""


class _Folded(MarkdownPage):
    """A Markdown page with wrapped paragraphs and without the citation text."""

    def prose(self, text: str, *, bold: bool = False) -> None:
        """Add a wrapped paragraph."""
        super().prose(text, bold=bold)
        self._blocks[-1] = prose(self._blocks[-1])

    def fields(self, values: Mapping[str, str], indent: int = 2) -> None:
        """Add a list without the fields that the heading tells."""
        super().fields({name: words for name, words in values.items() if name not in NOT_SHOWN}, indent)

    def text(self) -> str:
        """Return the page up to the citation, which the list of the results explains."""
        return super().text().partition("\n\nTo cite these numbers:\n")[0].rstrip() + "\n"


def write_summary(store: Store, study: str, plan: Path) -> str:
    """Return the page: a report without comparisons of runs, tables of tests, histograms, and the rules of each run."""
    found = [each for each in read_found(store, study) if each.summary.n]
    page = _Folded()
    page.title(
        f"Study {study}",
        f"Win rates, conditions and provenance: {headline(found)} `unshuffle study report {study}` prints the rest.",
    )
    if not is_finished(found):
        page.prose("UNFINISHED: these are the numbers of the finished deals.", bold=True)
    print_rates(page, store, found)
    if phases := explain_phases([each.run for each in found]):
        page.prose(phases)
    # Runs without a known history are told in the list of the results.
    for sentence in explain([each.history for each in found if each.history.is_known or each.history.extensions])[:-1]:
        page.prose(sentence)
    if verdicts := judge(set_beside(store, [(each.run, each.rate) for each in found]), number_all(found)):
        page.section("Beside published figures")
        for sentence in verdicts:
            page.prose(sentence)
    page.section("Conditions")
    shared = shared_conditions(found)
    extended = {f"[{n}]": each.history.words for n, each in enumerate(found, 1) if each.history.extensions}
    page.fields({name: words for name, words in shared.items() if name not in IN_EVERY_RUN} | extended)
    is_planned = sorted(planned_runs(plan)) == sorted(map(key_of, (each.run for each in found)))
    print_provenance(page, store, study, found, f"studies/{plan.name}" if is_planned else None)
    return page.text()


def planned_runs(plan: Path) -> Iterator[tuple[str, ...]]:
    """Yield a key for each run of a plan file, made of what determines its results."""
    for part in plan_parts(tomllib.loads(plan.read_text(encoding="utf-8"))):
        nodes = part.limits.nodes if part.limits else None
        yield part.game.variant, part.method, part.generator, f"{part.seeds[0]}..{part.seeds[-1]}", str(nodes)


def key_of(run: Run) -> tuple[str, ...]:
    """Return the same key of a stored run."""
    return run.variant, run.method, run.generator, f"{run.first_seed}..{run.last_seed}", str(run.nodes_limit)


def print_rates(page: MarkdownPage, store: Store, found: Sequence[Found]) -> None:
    """Write the table of counts and rates, without columns that would be empty."""
    rates = [each.rate for each in found]
    scores = [read_scores(store, each.run, each.summary) for each in found]
    names = short_names([each.run for each in found])
    if len(found) > 1:
        names = [f"[{number}] {name}" for number, name in enumerate(names, 1)]
    columns = [
        Column("n", [f"{rate.n:,}" for rate in rates]),
        Column("won", [f"{rate.won:,}" for rate in rates]),
        Column("win rate", [both_rates(rate)[0] for rate in rates]),
    ]
    notes = ["Intervals: 95 %, Wilson"]
    if any(rate.undecided for rate in rates):
        columns += [
            Column("undecided", [f"{rate.undecided:,}" for rate in rates]),
            Column("undecided as won", [both_rates(rate)[1] if rate.undecided else "-" for rate in rates]),
        ]
        notes.append("the win rate counts undecided deals as lost")
    else:
        notes.append("no deal is undecided")
    if any(each.counts for each in scores):
        columns.append(Column("mean score", [write_mean(each.moments) if each.counts else "-" for each in scores]))
    if any(each.run.is_solver for each in found):
        columns += [
            Column("mean nodes", [write_number(each.nodes.mean) for each in found]),
            Column("most nodes", [write_count(each.nodes.largest) for each in found]),
        ]
        notes.append("nodes: over the decided deals that were searched")
    if any(each.summary.inferred for each in found):
        notes.append("inferred deals were not searched: their verdicts follow from another run")
    page.table([Column("run", names, is_words=True)], columns)
    page.prose("; ".join(notes) + ".")
    if any(each.counts for each in scores):
        for sentence in explain_missing(scores):
            page.prose(sentence)
