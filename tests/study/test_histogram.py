from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unshuffle.errors import UsageError
from unshuffle.study.histogram import histogram, make_bins

pytestmark = pytest.mark.one_engine("checks the statistics and their pages, not the answers")

scores = st.dictionaries(st.integers(-300, 3000), st.integers(0, 10**12), max_size=40)


@given(scores, st.integers(2, 100))
def test_every_deal_is_in_one_bin(counts: dict[int, int], most: int) -> None:
    bins = make_bins(counts, most)
    assert len(bins) <= most
    assert sum(bar.deals for bar in bins) == sum(counts.values())
    assert all(
        bar.deals == sum(times for score, times in counts.items() if bar.low <= score <= bar.high) for bar in bins
    )
    assert all(one.high + 1 == other.low for one, other in pairwise(bins))
    assert len({bar.high - bar.low for bar in bins}) <= 1
    if bins:
        assert bins[0].deals
        assert bins[-1].deals


@given(scores, st.integers(1, 120), st.integers(2, 60))
def test_no_line_is_wider_than_asked(counts: dict[int, int], width: int, rows: int) -> None:
    try:
        lines = histogram(counts, width, rows)
    except UsageError as error:
        assert "too narrow" in str(error)
        assert width < 40
        return
    assert len(lines) <= rows + 1
    assert all(len(line) <= width for line in lines) or lines == ["no scores"]
    assert all(line.isascii() and line.isprintable() and line == line.rstrip() for line in lines)


def test_scores_with_counts_shares_and_bars() -> None:
    assert histogram({0: 1, 2: 600, 3: 1399, 4: 0, 5: 4000}, width=40) == [
        "score  deals   share",
        "    0      1  <0.1 %  .",
        "    1      0   0.0 %",
        "    2    600  10.0 %  ###",
        "    3  1,399  23.3 %  ######",
        "    4      0   0.0 %",
        "    5  4,000  66.7 %  ##################",
    ]


def test_many_scores_share_lines() -> None:
    assert histogram(dict.fromkeys(range(100), 1), width=30, rows=5) == [
        " score  deals   share",
        " 0..19     20  20.0 %  #######",
        "20..39     20  20.0 %  #######",
        "40..59     20  20.0 %  #######",
        "60..79     20  20.0 %  #######",
        "80..99     20  20.0 %  #######",
    ]


def test_one_score_and_none() -> None:
    assert histogram({52: 7}, width=28) == ["score  deals    share", "   52      7  100.0 %  #####"]
    assert histogram({}) == histogram({3: 0}) == ["no scores"]


def test_nearly_all_is_not_all() -> None:
    assert [line.split()[2] for line in histogram({1: 1, 2: 10**6})[1:]] == ["<0.1", ">99.9"]


def test_where_room_is_short_the_numbers_stay() -> None:
    huge = {7: 10**15}
    assert histogram(huge, width=41)[1] == "    7  1,000,000,000,000,000  100.0 %"
    assert histogram(huge, width=30)[1] == "    7  1,000,000,000,000,000"
    with pytest.raises(UsageError, match="width=20 is too narrow for a histogram; it needs 28"):
        histogram(huge, width=20)


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(UsageError, match="a negative number of deals"):
        histogram({1: -1})
    with pytest.raises(UsageError, match="too few"):
        make_bins({1: 1}, 1)
