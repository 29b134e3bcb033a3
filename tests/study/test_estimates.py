"""Rates and means with their intervals: laws, other people's implementations, and printed examples."""

from __future__ import annotations

import statistics
import subprocess
import sys
from dataclasses import replace
from math import log
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from statsmodels.stats import proportion

from tests.study.counts import counts, few, levels
from unshuffle.errors import UsageError
from unshuffle.study.statistics import Interval, Moments, Rate, clopper_pearson, mean_interval, planned_n, wilson

pytestmark = pytest.mark.one_engine("checks the statistics and their pages, not the answers")

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


@pytest.mark.parametrize("level", [0, 1, 95, -0.5, float("nan")])
def test_impossible_levels_are_refused(level: float) -> None:
    for refuse in (
        lambda: wilson(1, 2, level),
        lambda: clopper_pearson(1, 2, level),
        lambda: Rate(1, 1, level=level),
        lambda: mean_interval(1, 1, 5, level),
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
        assert (rate.rate, rate.rate_if_won, rate.odds) == (None, None, None)


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
    interval = mean_interval(100, 15, 36, 0.95)
    assert interval == pytest.approx((95.1, 104.9), abs=1e-3)
    assert mean_interval(100, None, 1) is None
    assert mean_interval(100, 0, 5) == Interval(100, 100)


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


@given(st.lists(st.integers(0, 10**12), max_size=30))
def test_moments_are_those_of_the_values(values: list[int]) -> None:
    whole = Moments.of_counts({value: values.count(value) for value in values} | {7**30: 0})
    assert (whole.count, whole.total, whole.squares) == (len(values), sum(values), sum(value**2 for value in values))
    if values:
        assert whole.mean == pytest.approx(statistics.fmean(values))
        assert whole.largest == max(values)
    else:
        assert whole.mean is whole.largest is None
    if len(values) > 1:
        assert whole.sd == pytest.approx(statistics.stdev(values), rel=1e-9)
    else:
        assert whole.sd is None


def test_moments_of_large_numbers_lose_nothing() -> None:
    # The naive formula in floating point says 0 here, or the root of a negative number.
    assert Moments.of_counts({10**15: 1, 10**15 + 1: 1, 10**15 + 2: 1}).sd == 1.0


def test_moments_of_numpy_numbers_do_not_overflow() -> None:
    numbers: Any = {numpy.int64(2**40): numpy.int64(3)}
    assert Moments.of_counts(numbers).squares == 3 * 2**80
    with pytest.raises(TypeError):
        Moments.of_counts({1.5: 1})  # type: ignore[dict-item] # what is being tested


def test_counting_does_not_import_scipy() -> None:
    code = (
        "import sys; from unshuffle.study.statistics import Moments, Rate, holm\n"
        "Moments.of_counts({1: 2}); Rate(1, 2).rate; holm([0.1]); print('scipy' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
