"""Runs beside published figures: the tests against textbooks, the page against what must be said."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, fisher_exact
from statsmodels.stats.proportion import proportions_ztest

import unshuffle as un
from tests.study.filled import OWNER, fill_policy, fill_solver, make_spec
from unshuffle.rulebook import write_rules
from unshuffle.store import SolverRow, Store
from unshuffle.study import published_report
from unshuffle.study.beside import compare_readings
from unshuffle.study.published import published
from unshuffle.study.report import print_report, report_rows
from unshuffle.study.statistics import Rate, compare_counts, holm
from unshuffle.study.tables import write_p

counts = st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(0, 5)).filter(any)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "s.sqlite") as opened:
        yield opened


def solved(store: Store, game: str, variant: str, won: int, lost: int, undecided: int = 0, **changes: Any) -> None:
    """A solver run that ended so."""
    ends = ["solved"] * won + ["unsolvable"] * lost + ["node-limit"] * undecided
    rules = write_rules(un.game(game, variant).rules)
    fill_solver(store, "s", ends, game=game, variant=variant, rules=rules, **changes)


def played(store: Store, game: str, variant: str, policy: str, won: int, lost: int) -> None:
    """A run of a player that ended so."""
    rules = write_rules(un.game(game, variant).rules)
    fill_policy(
        store, "s", [True] * won + [False] * lost, game=game, variant=variant, rules=rules, method=f"policy:{policy}"
    )


def printed(store: Store, **options: Any) -> str:
    out = io.StringIO()
    print_report(store, "s", out=out, **options)
    return out.getvalue()


def section(store: Store) -> str:
    """What is said of published figures, however its lines are broken."""
    return " ".join(printed(store).partition("Beside published figures")[2].split())


# The test.


@given(ours=counts, theirs=counts)
def test_without_undecided_deals_it_is_the_test_of_two_counts(
    ours: tuple[int, int, int], theirs: tuple[int, int, int]
) -> None:
    a, b = Rate(*ours[:2]), Rate(*theirs[:2])
    if a.n and b.n:
        found, wanted = compare_readings(a, b), compare_counts(a.won, a.n, b.won, b.n)
        assert (found.test, found.p) == (wanted.test, wanted.p)
        assert found.p == found.p_if_won == found.least == found.most


@given(
    ours=st.tuples(*[st.integers(30, 90)] * 2, st.integers(0, 9)),
    theirs=st.tuples(*[st.integers(30, 90)] * 2, st.integers(0, 9)),
)
def test_the_readings_are_those_of_all_endings(ours: tuple[int, int, int], theirs: tuple[int, int, int]) -> None:
    """Law: over everything that the undecided deals may be, no p is below the least or above the greatest."""
    a, b = Rate(*ours), Rate(*theirs)
    found = compare_readings(a, b)
    assert found.test == "chi-square"

    def p_of(won_a: int, won_b: int) -> float:
        return float(chi2_contingency([[won_a, a.n - won_a], [won_b, b.n - won_b]], correction=False).pvalue)

    endings = product(range(a.won, a.won + a.undecided + 1), range(b.won, b.won + b.undecided + 1))
    every = [p_of(*ending) for ending in endings]
    assert found.p == pytest.approx(p_of(a.won, b.won))
    assert found.p_if_won == pytest.approx(p_of(a.won + a.undecided, b.won + b.undecided))
    assert found.least == pytest.approx(min(every))
    # The nearest rates need not have the very greatest p, for the variance changes a little too.
    assert found.most == pytest.approx(max(every), rel=0.01)


@pytest.mark.parametrize(("ours", "theirs"), [((60, 940), (1000, 9000)), ((130, 870), (1000, 9000))])
def test_against_a_lower_bound_only_too_few_wins_count(ours: tuple[int, int], theirs: tuple[int, int]) -> None:
    a, b = Rate(*ours), Rate(*theirs)
    found = compare_readings(a, b, is_lower_bound=True)
    _, wanted = proportions_ztest([a.won, b.won], [a.n, b.n], alternative="smaller")
    assert found.test == "chi-square-one-sided"
    assert found.p == pytest.approx(wanted)
    assert (found.p < 0.05) == (a.won / a.n < b.won / b.n)


def test_a_small_count_against_a_lower_bound_is_fishers() -> None:
    found = compare_readings(Rate(0, 1000), Rate(42, 9958), is_lower_bound=True)
    assert found.test == "fisher-one-sided"
    assert found.p == pytest.approx(fisher_exact([[0, 1000], [42, 9958]], alternative="less").pvalue)
    assert compare_readings(Rate(90, 910), Rate(42, 9958), is_lower_bound=True).p > 0.999


def test_undecided_deals_of_both_sides_can_meet_in_between() -> None:
    found = compare_readings(Rate(10, 40, 50), Rate(350, 600, 50))
    assert found.p < 1e-6
    assert found.p_if_won < 0.05
    assert found.most > 0.9
    assert found.least < min(found.p, found.p_if_won)


# JSON.


def test_a_row_has_the_figures_with_their_tests(store: Store) -> None:
    solved(store, "agnes", "up-color-none", 20, 1970, 10)
    (row,) = report_rows(store, "s")
    assert list(row)[-2:] == ["p_values", "published"]
    figures = [
        each
        for each in published("agnes")
        if each.name in ("quagnes 0.8.4", "Masten 2021, none", "Wolter 2013, classic")
    ]
    figures = [each for each in figures if "up-color-none" in (each.variant, *each.candidates)]
    assert [each["source"] for each in row["p_values"]] == [each.name for each in figures]
    assert all(list(each) == ["source", "test", "p", "p_if_won"] for each in row["p_values"])
    for told, short, figure in zip(row["published"], row["p_values"], figures, strict=True):
        assert (told["wins"], told["n"], told["undecided"]) == (figure.wins, figure.n, figure.undecided)
        assert {name: told[name] for name in ("test", "p", "p_if_won")} == {
            name: short[name] for name in list(short)[1:]
        }
        assert told["p_least"] <= min(told["p"], told["p_if_won"]) <= max(told["p"], told["p_if_won"]) <= told["p_most"]
    masten = row["p_values"][1]
    wanted = compare_readings(Rate(20, 1970, 10), Rate(900, 99_100))
    assert masten == {"source": "Masten 2021, none", "test": wanted.test, "p": wanted.p, "p_if_won": wanted.p_if_won}
    (line,) = printed(store, json=True).splitlines()
    assert json.loads(line) == row


def test_without_published_figures_a_report_is_as_it_was(store: Store) -> None:
    solved(store, "agnes", "up-color-none", 2, 98)
    (row,) = report_rows(store, "s", published=False)
    assert list(row)[-1] == "p_values"
    assert row["p_values"] == []
    assert "ublished" not in printed(store, published=False)
    with_them = printed(store)
    assert with_them.startswith(printed(store, published=False))


def test_a_game_without_figures_has_none(store: Store) -> None:
    fill_solver(store, "s", ["solved", "unsolvable"], game="golf", variant="plain")
    assert "ublished" not in printed(store)
    (row,) = report_rows(store, "s")
    assert "published" not in row


def test_a_rate_without_a_number_of_deals_is_shown_and_not_tested(store: Store) -> None:
    solved(store, "aces-up", "must-fill", 12, 88)
    (row,) = report_rows(store, "s")
    masten = row["published"][0]
    assert (masten["source"], masten["rate"], masten["n"]) == ("Masten", "11.57 %", None)
    assert masten["test"] is masten["p"] is masten["p_if_won"] is masten["p_least"] is masten["p_most"] is None
    assert "Masten" not in [each["source"] for each in row["p_values"]]
    assert "so there is no test: source its rate remarks Masten 11.57 % a a spaces must be filled" in section(store)


# The page.


def test_p_values_are_holms_over_all_rows(store: Store) -> None:
    solved(store, "agnes", "down-color-none", 30, 970)
    solved(store, "agnes", "up-suit-highrun-nosplit", 140, 860)
    said = section(store)
    pairs = [
        ((30, 1000), (99, 10_000)),
        ((30, 1000), (900, 100_000)),
        ((140, 1000), (1411, 10_000)),
        ((140, 1000), (14_498, 100_000)),
    ]
    tests = [compare_counts(*ours, *theirs) for ours, theirs in pairs]
    assert "p (Holm of 4)" in said
    for name, test, p in zip(
        ("[1] quagnes 0.8.4", "[1] Masten 2021, none", "[2] quagnes 0.8.4", "[2] Masten 2021, high"),
        tests, holm([each.p for each in tests]), strict=True,
    ):  # fmt: skip
        assert f"{name} {test.test} {write_p(p)}" in said
    assert "At 5 % after Holm 2 of 4 are not told apart. Told apart: [1] from quagnes 0.8.4" in said


def test_unstated_rules_are_held_against_every_run_that_may_be_meant(store: Store) -> None:
    solved(store, "agnes", "up-suit-none", 9, 991)
    solved(store, "agnes", "up-color-none", 60, 940)
    solved(store, "agnes", "up-suit-none-nosplit", 8, 982, 10)
    said = section(store)
    assert (
        "Masten 2021, none does not tell all its rules (nothing goes to an empty pile). Of the runs that may be meant"
        " not told apart: [1]; told apart: [2]; undecided deals decide: [3]." in said
    )


def test_undecided_deals_are_said_to_decide(store: Store) -> None:
    solved(store, "agnes", "down-color-none", 10, 790, 200)
    said = section(store)
    assert "p if won" in said
    assert "It depends on the undecided deals: quagnes 0.8.4, Masten 2021, none." in said
    assert "least to greatest p" in said


def test_more_wins_than_a_lower_bound_are_no_difference(store: Store) -> None:
    solved(store, "agnes", "up-suit-highrun", 1700, 8300)
    said = section(store)
    assert "quagnes 0.8.4 chi-square-one-sided" in said
    assert "Told apart: Masten 2021, high." in said
    assert "one-sided" in said


def test_another_player_is_marked(store: Store) -> None:
    played(store, "spider", "4-suits", "plan:16", 14, 86)
    said = section(store)
    assert "by another player: a careful person" in said
    assert "rules not told in full: 4 suits, no undo" in said
    assert "the best program found about 6 %" in said


def test_best_scores_are_tested_where_all_are_proved(store: Store) -> None:
    rules = write_rules(un.game("aces-up", "last-empty").rules)
    scores = {48: 468, 47: 255, 46: 166, 45: 121, 44: 145, 43: 104, 20: 741}
    run = store.add_run("s", make_spec(2000, game="aces-up", variant="last-empty", rules=rules, maximize=True))
    ends = [score for score, deals in scores.items() for _ in range(deals)]
    rows: list[SolverRow] = [
        (seed, "solved" if score == 48 else "unsolvable", score, True, 1, 0.0, None, None)
        for seed, score in enumerate(ends)
    ]
    store.finish_solver_chunk(run, 0, 1999, rows, owner=OWNER, engine="native", replayed=0)
    theirs = [234_035, 127_732, 83_047, 60_254, 72_394, 51_782, 370_756]
    wanted = chi2_contingency([list(scores.values()), theirs], correction=False)
    said = section(store)
    assert f"Chi-square {wanted.statistic:.2f} with 6 degrees of freedom, p {write_p(wanted.pvalue)}" in said
    assert "less 741 37.050 % 370,756 37.076 %" in said
    (row,) = report_rows(store, "s")
    assert row["published"][0]["scores_p"] == pytest.approx(wanted.pvalue)
    assert [each["scores_p"] for each in row["published"][1:]] == [None, None]


def test_all_variants_at_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for variant in un.games()["agnes"]:
        solved(store, "agnes", variant, 5, 5)
    # 40 tests against Masten, 7 against quagnes, 2 against Wolter.
    assert "p (Holm of 49)" in section(store)
    monkeypatch.setattr(published_report, "_MOST_ROWS", 48)
    said = section(store)
    assert "49 tests are too many for a page. --json has all of them." in said
    assert "Holm" not in said
