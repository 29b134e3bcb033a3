"""The loop of long work: nothing is left out or done twice, and pieces grow and shrink by the time that they take."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unshuffle.pieces import Pace, parts, pieces


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which goes on when the test says so."""
    now = [0.0]
    monkeypatch.setattr("unshuffle.pieces.monotonic", lambda: now[0])
    return now


@given(count=st.integers(0, 500), first=st.integers(1, 50), most=st.integers(1, 100))
def test_the_parts_of_a_range_are_the_range(count: int, first: int, most: int) -> None:
    cut = list(parts(range(7, 7 + count), Pace(1.0, first=first, most=most)))
    assert [number for part in cut for number in part] == list(range(7, 7 + count))
    assert all(1 <= len(part) <= max(first, most) for part in cut)


def test_pieces_are_as_large_as_their_time_allows(clock: list[float]) -> None:
    sizes = []
    for part in parts(range(1000), Pace(2.0, first=4, least=3, most=100)):
        sizes.append(len(part))
        clock[0] += len(part) * (0.03125 if part.start < 500 else 10.0)
    # Four times as large at the most, until a piece takes its two seconds; then never smaller than the least.
    assert sizes[:4] == [4, 16, 64, 64]
    assert set(sizes[-5:-1]) == {3}


def test_a_small_gap_does_not_make_the_next_piece_small(clock: list[float]) -> None:
    pace = Pace(1.0, first=50, most=1000)
    pace.adapt(2, 0.001)
    assert pace.size == 50
    pace.adapt(2, 0.5)
    assert pace.size == 4


def test_work_in_the_background_comes_in_its_order_and_what_needs_none_at_once() -> None:
    left = list(range(1, 10))
    begun: list[int] = []
    done: list[int] = []

    def claim(size: int) -> int | None:
        return left.pop(0) if left else None

    def begin(piece: int) -> bool:
        begun.append(piece)
        return piece % 4 != 0

    for piece in pieces(
        claim, Pace(1.0, most=1), lambda _: 1, begin=begin, wants_more=lambda: len(begun) < len(done) + 3
    ):
        done.append(piece)
    assert begun == list(range(1, 10))
    assert [piece for piece in done if piece % 4] == [1, 2, 3, 5, 6, 7, 9]
    assert sorted(done) == begun
    assert done.index(4) < done.index(3)
