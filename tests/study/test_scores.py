"""Scores are summed up only where they are known: a search that only decides has seen some, and proved others."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

import unshuffle.study
from tests.study.filled import OWNER, make_spec
from unshuffle.errors import UsageError
from unshuffle.store import Run, SolverRow, Store
from unshuffle.study.document import write_html, write_markdown
from unshuffle.study.drawing import plot_scores
from unshuffle.study.report import print_report

SMALL: dict[str, Any] = {
    "variant": "up-suit-none", "rule": {"ranks": 5, "piles": 4}, "solver": True, "seeds": "0..39", "nodes": 100_000,
}  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.sqlite") as opened:
        yield opened


def fill(store: Store, study: str, rows: list[tuple[str, int, bool]], **changes: Any) -> Run:
    """A solver run with these statuses, scores, and whether they are proved."""
    run = store.add_run(study, make_spec(len(rows), **changes))
    store.claim(run, OWNER, len(rows))
    made: list[SolverRow] = [
        (seed, status, score, proved, 7, 0.1, None, None) for seed, (status, score, proved) in enumerate(rows)
    ]
    store.finish_solver_chunk(run, 0, len(rows) - 1, made, owner=OWNER, engine="native", replayed=0)
    return run


def printed(store: Store, study: str) -> str:
    out = io.StringIO()
    print_report(store, study, scores=True, out=out)
    return " ".join(out.getvalue().split())


def view(store: Store) -> tuple[float | None, int | None]:
    mean_score, scored = store._db.execute("SELECT mean_score, scored FROM run_summary").fetchone()
    return mean_score, scored


@pytest.mark.one_engine("checks the statistics and their pages, not the answers")
def test_only_a_search_for_the_best_scores_has_a_mean(tmp_path: Path) -> None:
    """Of the same deals: the search that stops at its verdict has seen less than there is, and says no mean."""
    paths = [tmp_path / "decided.sqlite", tmp_path / "maximized.sqlite"]
    for path, maximize in zip(paths, (False, True), strict=True):
        unshuffle.study.run("s", "agnes", maximize=maximize, store=path, **SMALL)
    with Store.open(paths[1], create=False) as best:
        (run,) = best.runs("s")
        scores = [row["score"] for row in best.rows(run)]
        true = mean(scores)
        assert all(row["score_proved"] for row in best.rows(run))
        assert f"mean {true:.2f} [" in printed(best, "s")
        assert view(best)[0] == pytest.approx(true)
    with Store.open(paths[0], create=False) as decided:
        (run,) = decided.runs("s")
        seen = mean(row["score"] for row in decided.rows(run))
        counts = decided.summary(run)
        assert seen < true
        assert sum(decided.scores(run).values()) == counts.won
        assert view(decided) == (None, counts.won)
        for text in (printed(decided, "s"), write_markdown(decided, "s"), write_html(decided, "s")):
            assert f"{seen:.2f}" not in text
            assert f"{mean([20] * counts.won):.2f}" not in text
        assert f"the best score of {counts.lost} of 40 decided deals is not proved" in printed(decided, "s")
        with pytest.raises(UsageError, match=f"no scores to plot: .*best score of {counts.lost} of 40"):
            plot_scores(decided, "s", tmp_path / "scores.svg")


WON, LOST, CUT = ("solved", 52, True), ("unsolvable", 10, True), ("node-limit", 31, False)


@pytest.mark.one_engine("checks the statistics and their pages, not the answers")
def test_undecided_deals_are_in_no_mean_and_are_told(store: Store) -> None:
    fill(store, "s", [WON, LOST, LOST, CUT, CUT], maximize=True)
    assert view(store) == (24.0, 3)
    text = printed(store, "s")
    assert "mean 24.00 [" in text
    assert "These are the 3 decided deals: the best scores of 2 undecided deals are not known, so this is not" in text
    document = write_markdown(store, "s")
    assert "| belle-lucie/one-deal solver | 5 | 3 | 24.00 |" in document
    assert (
        "The best scores of 2 undecided deals are not known: the mean of such a run is that of its decided" in document
    )


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.one_engine("checks the statistics and their pages, not the answers")
def test_a_single_loss_without_a_proof_leaves_no_mean(store: Store, maximize: bool) -> None:
    """However many of the others are proved: those that are not were not left out by chance."""
    fill(store, "s", [WON, LOST, LOST, LOST, ("unsolvable", 9, False)], maximize=maximize)
    assert view(store) == (None, 4)
    text = printed(store, "s")
    assert "not known No scores are summed up: the best score of 1 of 5 decided deals is not proved" in text
    assert ("`--maximize` asks for it" in text) == (not maximize)
    assert "share" not in text  # the head of a histogram
    assert "mean 2" not in text
    assert "| belle-lucie/one-deal solver | 5 | 4 | - | - | - | - | - |" in write_markdown(store, "s")


def test_deals_that_are_all_won_have_a_mean(store: Store) -> None:
    fill(store, "s", [WON] * 3)
    assert view(store) == (52.0, 3)
    assert "mean 52.00" in printed(store, "s")


def test_where_some_runs_are_proved_these_are_drawn(store: Store, tmp_path: Path) -> None:
    fill(store, "s", [WON, LOST])
    fill(store, "s", [WON, ("unsolvable", 3, False)], variant="fan")
    assert [path.name for path in plot_scores(store, "s", tmp_path / "scores.svg")] == ["scores-one-deal.svg"]
