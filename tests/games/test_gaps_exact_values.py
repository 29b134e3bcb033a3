"""Exact values of Gaps' redeals: every board and every line by the rules alone, without the builder's code."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import factorial

import pytest

from tests.laws import IS_LONG
from unshuffle import engine
from unshuffle.cards import Card, Suit
from unshuffle.games.gaps import State
from unshuffle.games.gaps.hidden import values
from unshuffle.games.gaps.hidden.sampling import NODES, arranged, sample_phases
from unshuffle.games.gaps.hidden.values import SHAPES, TABLES, Shape, index, shipped
from unshuffle.games.gaps.rules import CARDS, MOST_SCORE
from unshuffle.games.gaps.values.building import MEMORY, Recipe, boards_of, make_table
from unshuffle.games.gaps.values.fitting import Outcome, value_shapes
from unshuffle.solve import Status

ALL = pytest.mark.parametrize("name", TABLES)
LATE = tuple(shape for shape in SHAPES if 46 <= sum(shape) < MOST_SCORE)
"""One or two loose cards."""


def boards(name: str, shape: Shape) -> Iterator[State]:
    """Every board that a redeal can bring where these runs are locked."""
    rules = TABLES[name]
    free: list[int] = []
    cells: list[Card | None] = [None] * 52
    for row, (suit, length) in enumerate(zip(Suit, shape, strict=True)):
        for column in range(length):
            cells[13 * row + column] = Card(2 + column, suit)
        # The gap behind a run is no cell for a card if the rules keep it.
        first = length + (rules.redeal_gaps == "after-run")
        free += range(13 * row + first, 13 * (row + 1))
    loose = [card for card in CARDS if card not in cells]
    for places in permutations(free, len(loose)):
        dealt = list(cells)
        for card, place in zip(loose, places, strict=True):
            dealt[place] = card
        yield State(rules, tuple(dealt))


def reached(board: State) -> set[tuple[Card | None, ...]]:
    """Every position of a phase, by cells."""
    seen = {board.cells}
    left = [board]
    while left:
        state = left.pop()
        for move in state.card_moves():
            after = state.play(move)
            if after.cells not in seen:
                seen.add(after.cells)
                left.append(after)
    return seen


@cache
def phases(name: str, shape: Shape) -> list[set[Shape] | None]:
    """For each board None if the phase can be won, else the shapes with which it may end."""
    found: list[set[Shape] | None] = []
    for board in boards(name, shape):
        states = [State(board.rules, cells) for cells in reached(board)]
        if any(state.score == MOST_SCORE for state in states):
            found.append(None)
            continue
        ends = [state for state in states if state.may_redeal]
        found.append({tuple(sorted((length for _, length in end.locks), reverse=True)) for end in ends})
    return found


@cache
def worth(name: str, shape: Shape, k: int) -> Fraction:
    """The chance to win with k redeals left by the best play that there is."""
    if k == 0:
        return Fraction(0)
    found = phases(name, shape)
    won = (Fraction(1) if ends is None else max(worth(name, end, k - 1) for end in ends) for ends in found)
    return sum(won, Fraction(0)) / len(found)


def test_the_shape_of_the_report() -> None:
    """Two loose cards lie in 30 ways, 26 of which are won: 86.67 % with one redeal left, and 98.22 % with two."""
    shape = (12, 12, 12, 10)
    assert len(list(boards("addiction", shape))) == 30
    assert worth("addiction", shape, 1) == Fraction(26, 30)
    assert worth("addiction", shape, 2) == 1 - Fraction(4, 30) ** 2
    assert float(worth("addiction", shape, 2)) == pytest.approx(0.9822, abs=5e-5)
    for k in (1, 2, 3):
        value = values.lookup(TABLES["addiction"], shape, k)
        assert value is not None
        assert (value.is_exact, value.se, value.interval) == (True, 0, (value.p, value.p))
        assert value.p == pytest.approx(float(worth("addiction", shape, k)), abs=1e-12)


@ALL
def test_exact_values_are_those_of_every_line_of_every_board(name: str) -> None:
    rows = shipped(name).rows
    shapes = [shape for shape in SHAPES if 45 <= sum(shape) < MOST_SCORE] if IS_LONG else LATE
    for shape in shapes:
        row = rows[index(shape)]
        found = phases(name, shape)
        assert (row.n, row.wins, row.undecided) == (len(found), found.count(None), 0), shape
        for k, (p, se) in enumerate(row.planes, 1):
            assert se == 0
            assert p == pytest.approx(float(worth(name, shape, k)), abs=1e-12), (shape, k)


@ALL
def test_few_loose_cards_are_valued_exactly_and_nothing_else_is(name: str) -> None:
    table = shipped(name)
    boards_most = 200_000
    for shape, row in zip(SHAPES, table.rows, strict=True):
        loose = MOST_SCORE - sum(shape)
        count = factorial(loose) if name.startswith("montana") else factorial(loose + 4) // 24
        assert row.is_exact == (count <= boards_most), shape
        if loose and row.is_exact:
            assert (row.n, row.undecided) == (count, 0)
            assert row.planes[0][0] == row.wins / row.n
    assert table.provenance["exact"] == f"{sum(row.is_exact for row in table.rows)} shapes"


# How the boards are searched.


@ALL
def test_every_board_has_a_number(name: str) -> None:
    for shape in LATE:
        count = boards_of(TABLES[name], shape)
        numbered = [arranged(TABLES[name], shape, number).cells for number in range(count)]
        assert len(set(numbered)) == count == len(list(boards(name, shape)))
        with pytest.raises(IndexError, match="brings no board"):
            arranged(TABLES[name], shape, count)


@ALL
@pytest.mark.both_engines
def test_every_board_is_searched_to_its_end(name: str) -> None:
    for shape in LATE:
        count = boards_of(TABLES[name], shape)
        found = sample_phases(TABLES[name], shape, seed=None, samples=range(count), nodes=NODES, memory=MEMORY)
        told = sorted((True, []) if status is Status.SOLVED else (False, list(ends)) for status, ends in found)
        assert told == sorted(
            (True, []) if ends is None else (False, sorted(map(index, ends))) for ends in phases(name, shape)
        )


@pytest.mark.skipif(engine.native() is None, reason="compares the engine with Python")
@ALL
@pytest.mark.both_engines
def test_both_sides_number_the_boards_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for shape in ((12, 12, 11, 10), (12, 11, 11, 11), (12, 12, 12, 8)):
        numbers = range(0, boards_of(TABLES[name], shape), 5)[:40]

        def ask(shape: Shape = shape, numbers: range = numbers) -> list[tuple[Status, tuple[int, ...]]]:
            pieces = (range(number, number + 1) for number in numbers)
            return [
                sample_phases(TABLES[name], shape, seed=None, samples=piece, nodes=NODES, memory=MEMORY)[0]
                for piece in pieces
            ]

        native = ask()
        with monkeypatch.context() as patched:
            patched.setattr(engine, "native", lambda: None)
            for (status, ends), (ours, our_ends) in zip(native, ask(), strict=True):
                assert status is ours
                assert status is Status.SOLVED or ends == our_ends


@pytest.mark.both_engines
def test_what_is_not_decided_is_not_called_exact() -> None:
    """A search that is cut short says so, and then the shape is valued as one of which some redeals are known."""
    shape = (12, 12, 12, 10)
    cut = sample_phases(TABLES["addiction"], shape, seed=None, samples=range(30), nodes=1, memory=MEMORY)
    assert any(status is Status.NODE_LIMIT for status, _ in cut)
    assert all(status is not Status.UNSOLVABLE or ends for status, ends in cut)
    end = (index(shape),)
    won: Outcome = ("w", ())
    tally: dict[Outcome, int] = {won: 26, ("l", end): 4}
    exact = value_shapes({shape: tally}, {shape}, 2).rows[index(shape)]
    assert [p for p, _ in exact.planes] == pytest.approx([26 / 30, 1 - (4 / 30) ** 2])
    assert exact.is_exact
    open_ones: list[dict[Outcome, int]] = [{won: 26, ("l", end): 3, ("u", end): 1}, {won: 29, ("u", ()): 1}]
    for almost in open_ones:
        row = value_shapes({shape: almost}, {shape}, 2).rows[index(shape)]
        assert row.undecided == 1
        assert not row.is_exact
        assert all(se > 0 for _, se in row.planes)
    # Not all of its boards: a sample.
    assert not value_shapes({shape: tally}, set(), 2).rows[index(shape)].is_exact
    # What is left to an end of unknown value is not exact: only W_1 is.
    row = value_shapes({shape: {won: 26, ("l", (index((9, 9, 9, 9)),)): 4}}, {shape}, 2).rows[index(shape)]
    assert (row.planes[0][1], row.planes[1][1] > 0, row.is_exact) == (0, True, False)


@pytest.mark.both_engines
def test_a_table_of_few_boards_is_exact_where_the_recipe_says(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = Recipe(samples=2, boards=30)
    assert recipe.is_whole((12, 12, 11, 11))
    assert not recipe.is_whole((12, 12, 12, 9))
    assert recipe.command.endswith("--samples 2 --seed 1 --boards 30 --nodes 2000000")
    won = {shape: {("w", ()): 30} for shape in ((12, 12, 11, 11), (12, 12, 12, 9))}
    table = make_table(recipe, won)  # type: ignore[arg-type]
    assert [table.rows[index(shape)].is_exact for shape in won] == [True, False]
    assert values.parse_table(values.write_table(table)).rows[index((12, 12, 11, 11))].planes == ((1.0, 0.0),) * 3
