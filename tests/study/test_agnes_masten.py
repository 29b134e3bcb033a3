"""The page about Masten's and Wolter's figures: made from the store alone, and saying no more than it shows."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
from tests.laws import ROOT
from tests.study.filled import make_spec
from tests.study.programs import load_page
from unshuffle.errors import UsageError
from unshuffle.rulebook import write_rules
from unshuffle.store import Run, SolverRow, Store
from unshuffle.study.statistics import compare_counts
from unshuffle.study.tables import write_p

pytestmark = pytest.mark.one_engine("checks the statistics and their pages, not the answers")

PROGRAM = ROOT / "studies" / "agnes_masten.py"
FAMILY = ("up-suit-none-nosplit", "up-suit-highrun-nosplit", "up-suit-anyrun-nosplit")


write_page = load_page(PROGRAM)


def fill(store: Store, variant: str, won: int, lost: int, undecided: int = 0, inferred: int = 0, **more: Any) -> Run:
    """A run with so many wins, the last of the lost ones inferred, each searched deal with ten nodes."""
    game = un.game("agnes", variant)
    n = won + lost + undecided
    run = store.add_run(
        "agnes",
        make_spec(n, game="agnes", variant=variant, rules=write_rules(game.rules), nodes_limit=20_000_000, **more),
    )
    statuses = ["solved"] * won + ["node-limit"] * undecided + ["unsolvable"] * lost
    rows: list[SolverRow] = [
        (seed, status, 52 if status == "solved" else 1, True, 10, 0.0, None, None)
        for seed, status in enumerate(statuses)
    ]
    for seed in range(n - inferred, n):
        rows[seed] = (seed, "unsolvable", 1, False, 0, 0.0, None, run.id)
    if n:
        store.finish_solver_chunk(run, 0, n - 1, rows, owner="tests", engine="native", replayed=3)
    return run


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "s.sqlite") as opened:
        yield opened


def run(path: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROGRAM), "--store", str(path), "--out", str(path.parent / "page.md")]
    return subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True, check=False)


def make(store: Store, counts: Mapping[str, tuple[int, ...]]) -> str:
    """The page of a store with these counts."""
    for variant, each in counts.items():
        fill(store, variant, *each)
    return write_page(store)


def words(page: str, section: str) -> str:
    """A section, however its lines are broken."""
    return " ".join(page.partition(f"## {section}")[2].partition("\n## ")[0].split())


def test_the_same_store_gives_the_same_page(store: Store) -> None:
    page = make(store, dict.fromkeys(FAMILY, (10, 90)))
    assert make(store, {}) == page
    # As a program, over the page that is there.
    done = run(store.path)
    assert done.returncode == 0, done.stderr
    assert (store.path.parent / "page.md").read_text(encoding="utf-8") == page


def test_an_unfinished_study_says_so(store: Store) -> None:
    game = un.game("agnes", "up-suit-any1")
    planned = make_spec(50, game="agnes", variant="up-suit-any1", rules=write_rules(game.rules))
    started = store.add_run("agnes", planned)
    rows: list[SolverRow] = [(seed, "solved", 52, True, 7, 0.0, None, None) for seed in range(20)]
    store.finish_solver_chunk(started, 0, 19, rows, owner="tests", engine="native", replayed=0)
    page = make(store, {})
    assert "UNFINISHED: 20 of 50 planned deals are in it." in " ".join(page.split())
    assert "against 1 of the 40 variants" in " ".join(page.split())
    assert "No family has all three runs in the store." in page
    assert page.count("That variant is not in the store.") == 2


def test_the_family_that_fits_masten_is_found(store: Store) -> None:
    fitting = dict(zip(FAMILY, ((90, 9910), (1450, 8550), (6360, 3640)), strict=True))
    page = make(
        store,
        fitting | {"up-color-none": (120, 9880), "up-color-highrun": (3000, 7000), "up-color-anyrun": (8000, 2000)},
    )
    said = words(page, "Which rules has Masten 2021?")
    assert "| `up-suit-{none,highrun,anyrun}-nosplit` | 0.9 % [" in said
    fits = "fits: `up-suit-{none,highrun,anyrun}-nosplit`."
    assert f"At 5 % one of the 2 families that have all three runs in the store {fits}" in said


def test_one_rate_of_three_that_differs_rules_a_family_out(store: Store) -> None:
    page = make(store, dict(zip(FAMILY, ((90, 9910), (1450, 8550), (7000, 3000)), strict=True)))
    said = words(page, "Which rules has Masten 2021?")
    p = compare_counts(7000, 10_000, 63_635, 100_000).p
    assert f"| {write_p(3 * p)} | {write_p(3 * p)} |" in said
    assert "At 5 % none of the 1 families that have all three runs in the store fits." in said


def test_undecided_deals_end_as_fits_masten_best(store: Store) -> None:
    page = make(store, dict(zip(FAMILY, ((90, 9910), (1450, 8550), (6000, 3000, 1000)), strict=True)))
    assert "fits: `up-suit-{none,highrun,anyrun}-nosplit`" in words(page, "Which rules has Masten 2021?")


def test_several_families_may_fit(store: Store) -> None:
    counts = dict(zip(FAMILY, ((9, 991), (145, 855), (636, 364)), strict=True))
    page = make(store, counts | {v.removesuffix("-nosplit"): each for v, each in counts.items()})
    assert "At 5 % 2 of the 2 families that have all three runs in the store fit, and these deals do not tell" in words(
        page, "Which rules has Masten 2021?"
    )


def test_wolters_figures_are_placed_among_the_variants(store: Store) -> None:
    page = make(store, {"up-color-none": (112, 9888), "up-color-anyrun": (8000, 2000), "up-suit-high1": (78, 922)})
    said = words(page, "What can Wolter's two figures be?")
    classic, _, relaxed = said.partition("**Relaxed**")
    assert "45 of 1,000,000, 0.0045 %" in classic
    assert "at 5 % told apart from his" in classic
    assert "The interval of none of the 3 variants contains his rate. All of them lie above it" in classic
    assert "the interval contains his rate in `up-suit-high1`." in relaxed
    assert "No choice of what is face up, what moves together and splitting has both" in relaxed


def test_a_figure_between_two_variants(store: Store) -> None:
    page = make(store, {"up-color-none": (0, 1000), "up-color-anyrun": (700, 300), "down-suit-any1": (500, 500)})
    said = words(page, "What can Wolter's two figures be?")
    assert "the interval contains his rate in `up-color-none`." in said
    assert "not told apart from his" in said
    assert "The nearest below is `up-color-none`, the nearest above `down-suit-any1`." in said


def test_rules_that_have_both_of_wolters_figures(store: Store) -> None:
    page = make(store, {"up-color-none": (0, 1000), "up-color-high1": (78, 922), "up-suit-none-nosplit": (0, 1000)})
    assert "Rules under which some policy for empty piles has the one and some the other: `up-color-*`." in words(
        page, "What can Wolter's two figures be?"
    )


def test_a_contradiction_makes_no_page(store: Store) -> None:
    fill(store, "up-suit-none-nosplit", 5, 5)
    fill(store, "up-suit-none", 4, 6)
    done = run(store.path)
    assert done.returncode == 70
    assert "agnes/up-suit-none-nosplit@4: solved; unsolvable in up-suit-none" in done.stderr
    assert not (store.path.parent / "page.md").exists()


def test_what_is_not_there_is_said(store: Store) -> None:
    store.add_run("other", make_spec(3))
    with pytest.raises(UsageError, match="unknown study 'agnes'"):
        write_page(store)
    store.add_run("agnes", make_spec(3))
    with pytest.raises(UsageError, match="no finished deals of agnes"):
        write_page(store)
