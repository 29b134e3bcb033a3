"""Tests of a difference: laws, other people's implementations, and printed examples."""

from __future__ import annotations

import random
from itertools import permutations
from math import comb, log, pi, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import binom, chi2, norm
from statsmodels.stats import contingency_tables, multitest, proportion

from tests.study.counts import counts, few, levels
from unshuffle.errors import UsageError
from unshuffle.study.beside import compare_readings
from unshuffle.study.statistics import Rate, TestResult, compare_counts, holm, mcnemar, nested

pytestmark = pytest.mark.one_engine("checks the statistics and their pages, not the answers")

p_values = st.lists(st.floats(0, 1), max_size=12)


# Two independent counts


def test_tests_as_printed() -> None:
    # Fisher's lady who tasted tea.
    tea = compare_counts(3, 4, 1, 4)
    assert tea.test == "fisher"
    assert tea.p == pytest.approx(0.4857, abs=5e-5)
    # Aspirin and heart attacks (A. Agresti, Categorical Data Analysis): X² = 25.01 with one degree of freedom.
    result = compare_counts(189, 11_034, 104, 11_037)
    assert result.test == "chi-square"
    assert chi2.isf(result.p, 1) == pytest.approx(25.01, abs=0.005)


@given(counts(10**7), counts(10**7))
def test_chi_square_equals_that_of_statsmodels(a: tuple[int, int], b: tuple[int, int]) -> None:
    result = compare_counts(*a, *b)
    won, n = a[0] + b[0], a[1] + b[1]
    smallest = min(a[1], b[1]) * min(won, n - won) / n
    assert result.test == ("fisher" if smallest < 5 else "chi-square")
    if result.test == "chi-square":
        p = proportion.proportions_chisquare([a[0], b[0]], [a[1], b[1]])[1]
        assert result.p == pytest.approx(p, rel=1e-9, abs=1e-300)


@given(counts(12), counts(12))
def test_fisher_sums_the_tables_that_are_no_likelier(a: tuple[int, int], b: tuple[int, int]) -> None:
    result = compare_counts(*a, *b)
    if result.test == "fisher":
        won = a[0] + b[0]
        ways = {i: comb(a[1], i) * comb(b[1], won - i) for i in range(won + 1)}
        p = sum(way for way in ways.values() if way <= ways[a[0]]) / sum(ways.values())
        assert result.p == pytest.approx(p, rel=1e-9)


@given(counts(), counts())
def test_the_order_of_two_counts_does_not_matter(a: tuple[int, int], b: tuple[int, int]) -> None:
    one, other = compare_counts(*a, *b), compare_counts(*b, *a)
    assert one.test == other.test
    assert one.p == pytest.approx(other.p, rel=1e-6, abs=1e-300)
    assert 0 <= one.p <= 1


@pytest.mark.parametrize(("won", "n"), [(-1, 3), (4, 3), (0, -1)])
def test_impossible_counts_are_refused(won: int, n: int) -> None:
    with pytest.raises(UsageError, match="is no count of wins"):
        compare_counts(1, 2, won, n)


def test_nothing_differs_from_nothing() -> None:
    for counted in ((0, 0, 0, 0), (0, 0, 3, 5), (0, 10**6, 0, 10**7), (10**6, 10**6, 10, 10)):
        assert compare_counts(*counted) == TestResult("fisher", 1.0)


@given(few, few, few, counts(200))
def test_a_published_count_meets_undecided_deals_both_ways(
    won: int, lost: int, undecided: int, published: tuple[int, int]
) -> None:
    rate = Rate(won, lost, undecided)
    result = compare_readings(rate, Rate(published[0], published[1] - published[0]))
    as_lost = compare_counts(won, rate.n, *published)
    as_won = compare_counts(won + undecided, rate.n, *published)
    # One test is named, so one is made: Fisher if either table needs it.
    assert result.test == ("fisher" if "fisher" in (as_lost.test, as_won.test) else "chi-square")
    if as_lost.test == result.test:
        assert result.p == as_lost.p
    if as_won.test == result.test:
        assert result.p_if_won == as_won.p
    if not undecided:
        assert result.p == result.p_if_won


# Pairs


@pytest.mark.parametrize(
    ("table", "p", "difference", "low", "high"),
    [
        # M. Fagerland, S. Lydersen, P. Laake, Statistical Analysis of Contingency Tables (2017), chapter 8: Bentur et
        # al. (2009) and Cavo et al. (2012). In Cavo's table the interval leaves out 0 though the exact p is above 5 %.
        ((1, 7, 1, 12), 0.0703, -0.2857, -0.517, -0.026),
        ((6, 16, 59, 80), 0.052479, -0.0621, -0.1240, -0.0054),
    ],
)
def test_pairs_as_printed(
    table: tuple[int, int, int, int], p: float, difference: float, low: float, high: float
) -> None:
    paired = mcnemar(*table)
    assert paired.test == "mcnemar-exact"
    assert paired.p == pytest.approx(p, abs=5e-5)
    assert paired.difference == pytest.approx(difference, abs=5e-5)
    assert (paired.low, paired.high) == pytest.approx((low, high), abs=5e-4)


@given(st.integers(0, 10**5), st.integers(0, 10**5), few, few)
def test_mcnemar_equals_that_of_statsmodels(only_a: int, only_b: int, both: int, neither: int) -> None:
    theirs = contingency_tables.mcnemar([[both, only_a], [only_b, neither]], exact=True).pvalue
    assert mcnemar(only_a, only_b, both, neither).p == pytest.approx(min(1, theirs), rel=1e-9, abs=1e-300)


def test_mcnemar_stays_exact_over_very_many_deals() -> None:
    # p is one less twice the middle of the binomial distribution, which is 1 / sqrt(pi n / 2) there.
    n = 70_000_003
    assert mcnemar(n // 2 - 1, n // 2 + 2, 0, 0).p == pytest.approx(1 - 2 / sqrt(pi / 2 * n), abs=1e-9)


@given(few, few, few, few, levels)
def test_the_interval_of_a_difference_holds_it(a: int, b: int, both: int, neither: int, level: float) -> None:
    paired = mcnemar(a, b, both, neither, level)
    if paired.difference is None:
        assert (a, b, both, neither) == (0, 0, 0, 0)
    else:
        assert paired.difference == pytest.approx((a - b) / (a + b + both + neither))
        assert -1 <= paired.low <= paired.difference <= paired.high <= 1
    assert paired.low < paired.high
    # The same counts the other way round are the same answer with the other sign.
    mirrored = mcnemar(b, a, neither, both, level)
    assert (mirrored.p, mirrored.low, mirrored.high) == (paired.p, -paired.high, -paired.low)


@given(few, few, few, levels)
def test_tangos_interval_ends_where_its_score_test_does(a: int, b: int, same: int, level: float) -> None:
    """Law: at either end the score statistic is z, with the likeliest probabilities found by plain search."""
    n = a + b + same
    if n == 0:
        return
    paired = mcnemar(a, b, same, 0, level)
    for end in (paired.low, paired.high):
        if abs(end) > 1 - 1e-9:
            continue

        def unlikelihood(only_b: float, end: float = end) -> float:
            cells = ((a, only_b + end), (b, only_b), (same, 1 - 2 * only_b - end))
            return -sum(k * log(max(p, 1e-300)) for k, p in cells if k)

        bounds = (max(0.0, -end), (1 - end) / 2)
        only_b = minimize_scalar(unlikelihood, bounds=bounds, method="bounded", options={"xatol": 1e-12}).x
        score = (a - b - n * end) / sqrt(n * (2 * only_b + end - end**2))
        assert abs(score) == pytest.approx(norm.isf((1 - level) / 2), rel=1e-4)


@given(few, few, few)
def test_tangos_interval_without_difference_is_mcnemars_test(a: int, b: int, same: int) -> None:
    if a + b:
        paired = mcnemar(a, b, same, 0)
        z = abs(a - b) / sqrt(a + b)
        if abs(z - 1.959964) > 1e-4:
            assert (paired.low <= 0 <= paired.high) == (z < 1.959964)


@pytest.mark.parametrize("n", [20, 40])
def test_tangos_interval_covers_what_it_promises(n: int) -> None:
    """The exact chance, over all tables of n pairs, that the 95 % interval holds the true difference."""
    paired = {(a, b): mcnemar(a, b, 0, n - a - b) for a in range(n + 1) for b in range(n + 1 - a)}
    covered = []
    for p, q in ((0.02, 0.02), (0.05, 0.01), (0.1, 0.1), (0.3, 0.3), (0.2, 0.1), (0.4, 0.1), (0.6, 0.1)):
        chance = {(a, b): comb(n, a) * comb(n - a, b) * p**a * q**b * (1 - p - q) ** (n - a - b) for a, b in paired}
        covered.append(sum(chance[table] for table, pair in paired.items() if pair.low <= p - q <= pair.high))
    assert min(covered) > 0.94
    assert sum(covered) / len(covered) == pytest.approx(0.965, abs=0.015)


def test_tangos_interval_covers_rare_wins_in_many_deals() -> None:
    rng = random.Random(3)
    n, p, q = 1_000_000, 45e-6, 30e-6
    held = 0
    for _ in range(400):
        a, b = (round(max(0.0, rng.gauss(n * rare, sqrt(n * rare)))) for rare in (p, q))
        paired = mcnemar(a, b, 0, n - a - b)
        held += paired.low <= p - q <= paired.high
    assert 0.92 < held / 400 < 0.98


@pytest.mark.parametrize("n", [1, 20, 100, 1000])
def test_the_interval_of_nested_rules_covers_what_it_promises(n: int) -> None:
    """The exact chance, over all that n deals can show, that the 95 % interval holds the true difference."""
    paired = [nested(k, n) for k in range(n + 1)]
    for difference in (0.0, 1e-9, 0.1 / n, 0.5 / n, 1 / n, 3 / n, 0.03, 0.2, 0.5, 0.97, 1.0):
        covered = sum(
            chance
            for pair, chance in zip(paired, binom.pmf(range(n + 1), n, min(1.0, difference)), strict=True)
            if pair.low <= min(1.0, difference) <= pair.high
        )
        assert covered >= 0.95 - 1e-12, difference


def test_one_deal_proves_that_nested_rules_differ() -> None:
    """Law: p is right at every level, for under equal rates there is no such deal."""
    assert [nested(k, 50).p for k in (0, 1, 50)] == [1, 0, 0]
    assert nested(0, 50).low == 0
    assert nested(1, 50).low > 0
    assert nested(0, 0).difference is None
    with pytest.raises(UsageError):
        nested(2, 1)


def test_a_negative_pair_is_refused() -> None:
    with pytest.raises(UsageError, match="negative"):
        mcnemar(1, -1, 0, 0)


@pytest.mark.parametrize("level", [0, 1, 95, -0.5, float("nan")])
def test_impossible_levels_are_refused(level: float) -> None:
    with pytest.raises(UsageError, match="is not a confidence"):
        mcnemar(1, 1, 1, 1, level)


# Many tests at once


def test_holm_as_printed() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


@given(p_values)
def test_holm_equals_that_of_statsmodels(values: list[float]) -> None:
    # statsmodels collects garbage in each call, which takes half a second in this process.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gc.collect", lambda *_: 0)
        theirs = multitest.multipletests(values, method="holm")[1] if values else []
    assert holm(values) == pytest.approx(theirs, abs=1e-15)


@given(st.lists(st.floats(0, 1), max_size=5))
def test_holm_follows_the_order_of_its_input(values: list[float]) -> None:
    expected = dict(zip(values, holm(values), strict=True))
    for order in permutations(values):
        assert holm(order) == [expected[p] for p in order]
