"""Reports of a study: a JSON object or a table row per run, below the conditions of the numbers.

Only summaries are read, and for comparisons one bit per deal: ten million results are reported in seconds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TextIO

from unshuffle.store import Run, Store
from unshuffle.study.beside import Beside
from unshuffle.study.compare import Comparison
from unshuffle.study.conditions import is_about_phases, is_by_clock, name_run, write_imported
from unshuffle.study.document import write_html, write_markdown
from unshuffle.study.drawing import check_plot, plot_rates, plot_scores
from unshuffle.study.overview import print_list, print_show
from unshuffle.study.published_report import beside_values, p_values, print_beside
from unshuffle.study.sections import (
    Against,
    Found,
    headline,
    is_finished,
    number_all,
    print_conditions,
    print_results,
    print_scores,
    read_all,
    write_unfinished,
)
from unshuffle.study.statistics import Rate
from unshuffle.study.tables import Page, study_packages

__all__ = [
    "Against",
    "plot_rates",
    "plot_scores",
    "print_list",
    "print_report",
    "print_show",
    "report_rows",
    "write_html",
    "write_markdown",
]


def report_rows(
    store: Store, study: str, against: Iterable[tuple[str, int, int]] = (), *, published: bool = True
) -> list[dict[str, Any]]:
    """Return the results of each run, with exactly the keys that docs/statistics.md explains."""
    found, comparisons, beside = read_all(store, study, published=published)
    with study_packages():
        return _rows(found, comparisons, [Against(*each) for each in against], beside)


def _rows(
    found: Sequence[Found], comparisons: Sequence[Comparison], against: Sequence[Against], beside: Sequence[Beside]
) -> list[dict[str, Any]]:
    rows = []
    for each in found:
        run, rate = each.run, each.rate
        figures = [figure for figure in beside if figure.run.id == run.id]
        low, high = rate.interval
        low_if_won, high_if_won = rate.interval_if_won
        rows.append(
            {
                **{name: getattr(run, name) for name in ("game", "variant", "method", "information")},
                **{name: getattr(each.summary, name) for name in ("n", "won", "lost", "undecided", "inferred")},
                "rate": rate.rate,
                "low": low,
                "high": high,
                "rate_if_won": rate.rate_if_won,
                "low_if_won": low_if_won,
                "high_if_won": high_if_won,
                "nodes_mean": each.nodes.mean,
                "nodes_sd": each.nodes.sd,
                "nodes_max": each.nodes.largest,
                "extensions": len(each.history.extensions) if each.history.is_known else None,
                "by_clock": is_by_clock(run),
                "is_phase": is_about_phases(run),
                "p_values": [
                    *_paired_p_values(run, comparisons),
                    *_other_p_values(rate, against),
                    *p_values(figures),
                ],
                **({"published": beside_values(figures)} if figures else {}),
            }
        )
    return rows


def _paired_p_values(run: Run, comparisons: Sequence[Comparison]) -> list[dict[str, Any]]:
    return [
        {
            "source": name_run(each.b if each.a.id == run.id else each.a),
            "test": each.test,
            "p": each.as_lost.p,
            "p_if_won": each.as_won.p,
        }
        for each in comparisons
        if run.id in (each.a.id, each.b.id)
    ]


def _other_p_values(rate: Rate, against: Sequence[Against]) -> list[dict[str, Any]]:
    if not rate.n:
        return []
    tests = [(each.source, each.test(rate)) for each in against]
    return [{"source": source, "test": test.test, "p": test.p, "p_if_won": test.p_if_won} for source, test in tests]


def print_report(
    store: Store,
    study: str,
    *,
    json: bool = False,
    exact: bool = False,
    against: Sequence[str] = (),
    scores: bool = False,
    plot: Path | None = None,
    published: bool = True,
    out: TextIO | None = None,
) -> None:
    """Print the report of a study. With `scores`, print the scores too, and `plot` draws them instead of the rates.

    If results contradict each other, raises InternalError, which names the deals, and prints no report.
    """
    page = Page(out or sys.stdout)
    counts = [Against.parse(text) for text in against]
    if plot is not None:
        check_plot(plot)
    found, comparisons, beside = read_all(store, study, published=published)
    with study_packages():
        if json:
            for row in _rows(found, comparisons, counts, beside):
                page.json(row)
        else:
            state = "" if is_finished(found) else f" {write_unfinished(study)}"
            page.prose(f"Study {study}: {headline(found)}{state}", bold=True)
            imported = write_imported(store, study)
            if imported is not None:
                page.line()
                page.prose(imported)
            if found:
                print_conditions(page, found)
                print_results(page, found, comparisons, counts, exact)
                print_beside(page, beside, number_all(found))
            if scores:
                print_scores(page, store, found)
        if plot is not None:
            drawn = (plot_scores if scores else plot_rates)(store, study, plot)
            if not json:
                page.line()
                page.line(f"Drawn: {', '.join(map(str, drawn))}")
