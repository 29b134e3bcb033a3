"""The statistics: laws, other people's implementations, and other people's printed examples."""

from __future__ import annotations

import random
import statistics as textbook
import subprocess
import sys
from dataclasses import replace
from itertools import permutations
from math import comb, log, pi, sqrt

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import binom, chi2, norm
from statsmodels.stats import contingency_tables, multitest, proportion

from unshuffle.errors import UsageError
from unshuffle.study import statistics
from unshuffle.study.statistics import Interval, Moments, Rate, clopper_pearson, holm, mcnemar, planned_n, wilson

levels = st.sampled_from([0.5, 0.9, 0.95, 0.99, 0.999])
few = st.integers(0, 60)
p_values = st.lists(st.floats(0, 1), max_size=12)


@st.composite
def counts(draw: st.DrawFn, most: int = 10**8) -> tuple[int, int]:
    n = draw(st.integers(1, most))
    return draw(st.integers(0, n)), n


# Intervals of one rate


@pytest.mark.parametrize(
    ("won", "n", "score", "exact"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, methods 3 and 5.
        (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
        (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
        (0, 20, (0.0, 0.1611), (0.0, 0.1684)),
        (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
    ],
)
def test_intervals_as_printed(won: int, n: int, score: tuple[float, float], exact: tuple[float, float]) -> None:
    assert wilson(won, n) == pytest.approx(score, abs=5e-5)
    assert clopper_pearson(won, n) == pytest.approx(exact, abs=5e-5)


@given(counts(), levels)
def test_intervals_equal_those_of_statsmodels(count: tuple[int, int], level: float) -> None:
    for ours, method in ((wilson, "wilson"), (clopper_pearson, "beta")):
        theirs = proportion.proportion_confint(*count, alpha=1 - level, method=method)
        assert ours(*count, level) == pytest.approx(theirs, rel=1e-6, abs=1e-15)


@given(counts(), levels)
def test_an_interval_holds_its_estimate_and_only_rates(count: tuple[int, int], level: float) -> None:
    won, n = count
    for low, high in (wilson(won, n, level), clopper_pearson(won, n, level)):
        assert 0 <= low <= won / n <= high <= 1
        assert low < high


@given(counts(10**6), levels, st.integers(2, 100))
def test_an_interval_shrinks_with_more_deals(count: tuple[int, int], level: float, times: int) -> None:
    won, n = count
    for interval in (wilson, clopper_pearson):
        one, more = interval(won, n, level), interval(times * won, times * n, level)
        assert more.high - more.low < one.high - one.low


@given(counts(10**6), levels)
def test_wins_and_losses_are_mirrored(count: tuple[int, int], level: float) -> None:
    won, n = count
    for interval in (wilson, clopper_pearson):
        low, high = interval(won, n, level)
        assert interval(n - won, n, level) == pytest.approx((1 - high, 1 - low), rel=1e-9, abs=1e-12)


@given(counts(), levels)
def test_the_exact_interval_leaves_half_the_error_on_either_side(count: tuple[int, int], level: float) -> None:
    won, n = count
    low, high = clopper_pearson(won, n, level)
    if won:
        assert binom.sf(won - 1, n, low) == pytest.approx((1 - level) / 2, rel=1e-5)
    if won < n:
        assert binom.cdf(won, n, high) == pytest.approx((1 - level) / 2, rel=1e-5)


def test_one_win_in_very_many_deals_has_a_lower_end() -> None:
    assert clopper_pearson(1, 10**12).low == pytest.approx(-log(0.975) / 10**12, rel=1e-6)


def test_without_deals_nothing_is_known() -> None:
    assert wilson(0, 0) == clopper_pearson(0, 0) == Interval(0, 1)


@pytest.mark.parametrize(("won", "n"), [(-1, 3), (4, 3), (0, -1)])
def test_impossible_counts_are_refused(won: int, n: int) -> None:
    for refuse in (wilson, clopper_pearson):
        with pytest.raises(UsageError, match="is no count of wins"):
            refuse(won, n)
    with pytest.raises(UsageError, match="is no count of wins"):
        statistics.compare_counts(1, 2, won, n)


@pytest.mark.parametrize("level", [0, 1, 95, -0.5, float("nan")])
def test_impossible_levels_are_refused(level: float) -> None:
    for refuse in (
        lambda: wilson(1, 2, level),
        lambda: clopper_pearson(1, 2, level),
        lambda: Rate(1, 1, level=level),
        lambda: statistics.mean_interval(1, 1, 5, level),
        lambda: mcnemar(1, 1, 1, 1, level),
        lambda: planned_n(0.1, level=level),
    ):
        with pytest.raises(UsageError, match="is not a confidence"):
            refuse()


# Rates


@given(few, few, few)
def test_undecided_deals_are_counted_both_ways(won: int, lost: int, undecided: int) -> None:
    rate = Rate(won, lost, undecided)
    assert (rate.n, rate.completed) == (won + lost + undecided, won + lost)
    assert (rate.low, rate.high) == wilson(won, rate.n)
    assert (rate.low_if_won, rate.high_if_won) == wilson(won + undecided, rate.n)
    if rate.n:
        assert rate.rate == won / rate.n
        assert rate.rate_if_won == (won + undecided) / rate.n
        # What the undecided deals really are lies between the two.
        assert rate.low <= rate.low_if_won
        assert rate.high <= rate.high_if_won
    else:
        assert (rate.rate, rate.rate_if_won, rate.odds, rate.odds_if_won) == (None, None, None, None)


def test_the_exact_interval_on_request() -> None:
    rate = Rate(3, 5, 2, method="clopper-pearson", level=0.9)
    assert rate.interval == clopper_pearson(3, 10, 0.9)
    assert rate.interval_if_won == clopper_pearson(5, 10, 0.9)
    assert replace(rate, method="wilson").interval == wilson(3, 10, 0.9)
    with pytest.raises(UsageError, match="unknown interval 'wilsen'; did you mean 'wilson'"):
        Rate(3, 5, method="wilsen")  # type: ignore[arg-type] # what is being tested
    with pytest.raises(UsageError, match="undecided=-1 is negative"):
        Rate(3, 5, -1)


@given(few, few, few)
def test_odds_are_the_rate_turned_over(won: int, lost: int, undecided: int) -> None:
    rate = Rate(won, lost + 1, undecided)
    odds = rate.odds
    assert odds is not None
    assert odds.low == 1 / rate.high
    if won:
        assert odds.one_in == rate.n / won
        assert odds.high == 1 / rate.low
    else:
        assert odds.one_in is odds.high is None
    assert "inf" not in str(odds)


@pytest.mark.parametrize(
    ("rate", "words", "odds"),
    [
        # La Belle Lucie in one deal, as measured in the research.
        (Rate(45_100, 954_900), "4.51 % [4.47, 4.55]", "1 in 22.2 [22.0, 22.4]"),
        (Rate(0, 1000), "0.0 % [0.0, 0.4]", "at best 1 in 261"),
        (Rate(3, 999_997), "0.0003 % [0.0001, 0.0009]", "1 in 333,333 [113,364, 980,132]"),
        (Rate(10, 0), "100.0 % [72.2, 100.0]", "1 in 1.00 [1.00, 1.38]"),
        (Rate(10, 5, 3), "55.6 % [33.7, 75.4]; undecided as won 72.2 % [49.1, 87.5]", "1 in 1.80 [1.33, 2.97]"),
        (Rate(0, 0), "no deals", "None"),
    ],
)
def test_rates_in_words(rate: Rate, words: str, odds: str) -> None:
    assert str(rate) == words
    assert str(rate.odds) == odds


def test_a_mean_has_the_normal_interval() -> None:
    interval = statistics.mean_interval(100, 15, 36, 0.95)
    assert interval == pytest.approx((95.1, 104.9), abs=1e-3)
    assert statistics.mean_interval(100, None, 1) is None
    assert statistics.mean_interval(100, 0, 5) == Interval(100, 100)


# Two independent counts


def test_tests_as_printed() -> None:
    # Fisher's lady who tasted tea.
    tea = statistics.compare_counts(3, 4, 1, 4)
    assert tea.test == "fisher"
    assert tea.p == pytest.approx(0.4857, abs=5e-5)
    # Aspirin and heart attacks (A. Agresti, Categorical Data Analysis): X² = 25.01 with one degree of freedom.
    result = statistics.compare_counts(189, 11_034, 104, 11_037)
    assert result.test == "chi-square"
    assert chi2.isf(result.p, 1) == pytest.approx(25.01, abs=0.005)


@given(counts(10**7), counts(10**7))
def test_chi_square_equals_that_of_statsmodels(a: tuple[int, int], b: tuple[int, int]) -> None:
    result = statistics.compare_counts(*a, *b)
    won, n = a[0] + b[0], a[1] + b[1]
    smallest = min(a[1], b[1]) * min(won, n - won) / n
    assert result.test == ("fisher" if smallest < 5 else "chi-square")
    if result.test == "chi-square":
        p = proportion.proportions_chisquare([a[0], b[0]], [a[1], b[1]])[1]
        assert result.p == pytest.approx(p, rel=1e-9, abs=1e-300)


@given(counts(12), counts(12))
def test_fisher_sums_the_tables_that_are_no_likelier(a: tuple[int, int], b: tuple[int, int]) -> None:
    result = statistics.compare_counts(*a, *b)
    if result.test == "fisher":
        won = a[0] + b[0]
        ways = {i: comb(a[1], i) * comb(b[1], won - i) for i in range(won + 1)}
        p = sum(way for way in ways.values() if way <= ways[a[0]]) / sum(ways.values())
        assert result.p == pytest.approx(p, rel=1e-9)


@given(counts(), counts())
def test_the_order_of_two_counts_does_not_matter(a: tuple[int, int], b: tuple[int, int]) -> None:
    one, other = statistics.compare_counts(*a, *b), statistics.compare_counts(*b, *a)
    assert one.test == other.test
    assert one.p == pytest.approx(other.p, rel=1e-6, abs=1e-300)
    assert 0 <= one.p <= 1


def test_nothing_differs_from_nothing() -> None:
    for counted in ((0, 0, 0, 0), (0, 0, 3, 5), (0, 10**6, 0, 10**7), (10**6, 10**6, 10, 10)):
        assert statistics.compare_counts(*counted) == statistics.TestResult("fisher", 1.0)


@given(few, few, few, counts(200))
def test_a_published_count_meets_undecided_deals_both_ways(
    won: int, lost: int, undecided: int, published: tuple[int, int]
) -> None:
    rate = Rate(won, lost, undecided)
    result = statistics.compare_to_published(rate, *published)
    as_lost = statistics.compare_counts(won, rate.n, *published)
    as_won = statistics.compare_counts(won + undecided, rate.n, *published)
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


def test_a_negative_pair_is_refused() -> None:
    with pytest.raises(UsageError, match="negative"):
        mcnemar(1, -1, 0, 0)


# Many tests at once


def test_holm_as_printed() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


# Few: statsmodels collects garbage in each call.
@settings(max_examples=15)
@given(p_values)
def test_holm_equals_that_of_statsmodels(values: list[float]) -> None:
    if values:
        assert holm(values) == pytest.approx(multitest.multipletests(values, method="holm")[1], abs=1e-15)


@given(st.lists(st.floats(0, 1), max_size=5))
def test_holm_follows_the_order_of_its_input(values: list[float]) -> None:
    expected = dict(zip(values, holm(values), strict=True))
    for order in permutations(values):
        assert holm(order) == [expected[p] for p in order]


# Planning


@given(st.floats(0.0005, 0.6), st.floats(0, 1), levels)
def test_the_planned_n_is_the_first_that_suffices(half_width: float, guess: float, level: float) -> None:
    def is_enough(n: int) -> bool:
        low, high = proportion.proportion_confint(guess * n, n, alpha=1 - level, method="wilson")
        return bool(high - low <= 2 * half_width * (1 + 1e-12))

    n = planned_n(half_width, guess, level)
    assert is_enough(n)
    assert n == 1 or not is_enough(n - 1)


@given(st.integers(1, 5000), st.integers(0, 5000))
def test_the_plan_keeps_its_promise(n: int, won: int) -> None:
    """Law: whoever plans for the half-width that n deals gave, at the rate they gave, needs n deals."""
    low, high = wilson(won % (n + 1), n)
    assert planned_n((high - low) / 2 * (1 + 1e-12), won % (n + 1) / n) == n


def test_planned_numbers() -> None:
    # At one half the interval's width has a closed form: n = z² / (2 h)² - z²; the usual formula says 9,604.
    assert planned_n(0.01) == 9600
    assert planned_n(0.9) == 1
    assert planned_n(1e-9) > 9 * 10**17


@pytest.mark.parametrize("half_width", [0, -1, float("nan"), float("inf")])
def test_impossible_plans_are_refused(half_width: float) -> None:
    with pytest.raises(UsageError, match="is not a half-width"):
        planned_n(half_width)
    with pytest.raises(UsageError, match="is not a rate"):
        planned_n(0.01, guess=1.5)


# Node counts


@given(st.lists(st.integers(0, 10**12), max_size=30), st.integers(0, 30))
def test_moments_can_be_added_in_any_order(values: list[int], cut: int) -> None:
    whole = Moments.of(values)
    assert Moments.of(values[:cut]) + Moments.of(values[cut:]) == whole
    assert Moments.of(values[cut:]) + Moments.of(values[:cut]) == whole
    assert sum((Moments.of([value]) for value in reversed(values)), Moments()) == whole
    assert Moments.of_counts({value: values.count(value) for value in values} | {7**30: 0}) == whole
    if values:
        assert whole.mean == pytest.approx(textbook.fmean(values))
        assert whole.largest == max(values)
    else:
        assert whole.mean is whole.largest is None
    if len(values) > 1:
        assert whole.sd == pytest.approx(textbook.stdev(values), rel=1e-9)
    else:
        assert whole.sd is None


def test_moments_of_large_numbers_lose_nothing() -> None:
    # The naive formula in floating point says 0 here, or the root of a negative number.
    assert Moments.of([10**15, 10**15 + 1, 10**15 + 2]).sd == 1.0


def test_moments_of_numpy_numbers_do_not_overflow() -> None:
    assert Moments.of(numpy.full(3, 2**40)).squares == 3 * 2**80
    with pytest.raises(TypeError):
        Moments.of([1.5])  # type: ignore[list-item] # what is being tested


def test_counting_does_not_import_scipy() -> None:
    code = (
        "import sys; from unshuffle.study.statistics import Moments, Rate, holm;"
        "Moments.of([1, 2]) + Moments(); Rate(1, 2).rate; holm([0.1]); print('scipy' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
