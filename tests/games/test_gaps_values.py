"""What redeals of Gaps are worth: the shipped tables beside their own counts, the fit, and the recursion by hand."""

from __future__ import annotations

import gzip
import struct
from math import hypot, log, sqrt
from pathlib import Path
from random import Random

import numpy as np
import pytest

from unshuffle import __version__, engine
from unshuffle.advise.gaps import fitting
from unshuffle.advise.gaps.building import Recipe, shapes_to_sample
from unshuffle.advise.gaps.fitting import Means, Sample, fit, fit_best, held_out_loss, total_alone, value_shapes
from unshuffle.advise.gaps.sampling import _search, dealt, sample_phases
from unshuffle.errors import UsageError
from unshuffle.games.gaps import values
from unshuffle.games.gaps.rules import MOST_SCORE, Rules
from unshuffle.games.gaps.values import SHAPES, TABLES, Shape, Table, index, shipped
from unshuffle.solve import Status
from unshuffle.study.statistics import wilson

ALL = pytest.mark.parametrize("name", TABLES)


def sampled(table: Table) -> list[tuple[Shape, values.Row]]:
    return [(shape, row) for shape, row in zip(SHAPES, table.rows, strict=True) if row.n]


def counted(table: Table) -> Means:
    shapes, rows = zip(*sampled(table), strict=True)
    return Means.of_counts(shapes, [row.n for row in rows], [row.wins for row in rows])


# Shapes, and the engine's form.


def test_shapes_stand_in_their_order() -> None:
    assert len(SHAPES) == 1820
    assert (SHAPES[0], SHAPES[1], SHAPES[2], SHAPES[-1]) == ((0,) * 4, (1, 0, 0, 0), (1, 1, 0, 0), (12,) * 4)
    assert list(SHAPES) == sorted(SHAPES)
    assert all(index(Random(place).sample(shape, 4)) == place for place, shape in enumerate(SHAPES))


@ALL
def test_the_engine_reads_the_same_values(name: str) -> None:
    rules = TABLES[name]
    packed = values.packed(rules)
    assert packed is not None
    assert (packed[:3], packed[3], len(packed)) == (b"GW1", shipped(name).redeals, 4 + 4 * 1820 * packed[3])
    numbers = struct.unpack(f"<{1820 * packed[3]}f", packed[4:])
    for k in range(1, packed[3] + 1):
        for place, shape in enumerate(SHAPES):
            value = values.lookup(rules, shape, k)
            assert value is not None
            assert numbers[(k - 1) * 1820 + place] == pytest.approx(value.p, abs=1e-6)


def test_rules_without_a_table() -> None:
    assert values.lookup(Rules(redeals=1, fixed_suits="CHSD"), (9, 9, 9, 9), 1) is None
    assert values.packed(Rules(redeals=1, fixed_suits="CHSD")) is None
    unnamed = Rules(redeal_gaps="after-run", early_redeal=True)
    assert values.lookup(unnamed, (9, 9, 9, 9), 1) is None
    assert values.lookup(Rules(redeals=99), (9, 9, 9, 9), 99) is None
    assert values.lookup(unnamed, (9, 9, 9, 9), 0) == values.Value(0.0, 0.0)
    # How many redeals a game began with does not matter.
    assert values.lookup(Rules(redeals=1), (9, 9, 8, 8), 1) == values.lookup(Rules(), (8, 9, 8, 9), 1)


# The shipped tables.


@ALL
def test_a_table_tells_where_it_comes_from(name: str) -> None:
    table = shipped(name)
    told = table.provenance
    samples = int(told["samples"].split()[0])
    nodes = int(told["budget"].split()[0])
    recipe = Recipe(variant=name, samples=samples, seed=int(told["seed"]), nodes=nodes, levels=table.redeals)
    assert told["command"] == recipe.command
    assert (table.name, told["version"]) == (name, __version__)
    assert table.redeals >= max(3, TABLES[name].redeals)
    rows = sampled(table)
    assert [shape for shape, _ in rows] == list(shapes_to_sample())
    assert all(row.n == recipe.samples_of(shape) for shape, row in rows)
    n, wins, undecided = (sum(getattr(row, key) for _, row in rows) for key in ("n", "wins", "undecided"))
    assert told["sampled"] == f"{n} redeals, {wins} won, {undecided} undecided (count as not won)"
    assert f"early_redeal={'yes' if TABLES[name].early_redeal else 'no'}" in told["rules"]


@ALL
def test_held_out_losses_follow_from_the_counts(name: str) -> None:
    table = shipped(name)
    words = table.provenance["held-out log loss"].split(" (")[0].split()
    told = dict(zip(words[::2], map(float, words[1::2]), strict=True))
    means = counted(table)
    strength = float(table.provenance["penalties"].split()[0])
    assert held_out_loss(means, strength) == pytest.approx(told["model"], abs=2e-5)
    assert held_out_loss(means, 0.1, total_alone) == pytest.approx(told["total"], abs=2e-5)
    share = (means.n * means.mean).sum() / means.n.sum()
    assert told["constant"] == pytest.approx(-share * log(share) - (1 - share) * log(1 - share), abs=0.01)
    assert told["model"] < told["total"] < told["constant"]


@ALL
def test_the_fit_follows_from_the_counts_and_lies_among_them(name: str) -> None:
    table = shipped(name)
    strength = float(table.provenance["penalties"].split()[0])
    p, se = fit(counted(table), strength).at(SHAPES)
    p, se = np.clip(p, 0.0005, 0.9995), np.maximum(se, 0.0005)  # no surer than that is told
    inside = 0
    for shape, row in sampled(table):
        place = index(shape)
        assert row.planes[0] == pytest.approx((p[place], se[place]), abs=2e-5)
        low, high = wilson(row.wins, row.n)
        inside += low - 2 * row.planes[0][1] <= row.planes[0][0] <= high + 2 * row.planes[0][1]
    assert inside >= 0.95 * len(shapes_to_sample())


@ALL
def test_a_redeal_more_is_never_worse(name: str) -> None:
    for shape, row in zip(SHAPES, shipped(name).rows, strict=True):
        chances = [p for p, _ in row.planes]
        assert chances == sorted(chances)
        if sum(shape) == MOST_SCORE:
            assert row.planes == ((1.0, 0.0),) * len(chances)
        else:
            assert all(0 < p < 1 and 0 < se < 0.25 for p, se in row.planes), shape


# Win chances in % of one redeal after which no other follows, 300 redeals each: measured apart from these tables, with
# another program. Gaps at random, gaps after the runs; twos locked.
MEASURED = {
    (3, 3, 3, 3): (27.7, 34.3),
    (6, 6, 6, 6): (22.7, 41.0),
    (9, 9, 3, 3): (24.7, 30.0),
    (12, 6, 3, 3): (20.7, 19.0),
    (12, 12, 0, 0): (14.3, 8.7),
    (9, 9, 9, 9): (47.3, 75.0),
    (12, 8, 8, 8): (37.3, 54.3),
    (12, 12, 6, 6): (26.0, 26.3),
    (12, 12, 12, 0): (14.0, 2.0),
    (10, 10, 10, 10): (63.0, 91.7),
    (12, 12, 8, 8): (40.7, 45.3),
    (12, 12, 12, 4): (30.7, 12.0),
}


@pytest.mark.parametrize(("name", "column"), [("addiction", 0), ("addiction-early", 0), ("montana-locked", 1)])
def test_first_values_agree_with_what_was_measured_before(name: str, column: int) -> None:
    for shape, figures in MEASURED.items():
        p = figures[column] / 100
        value = values.lookup(TABLES[name], shape, 1)
        assert value is not None
        assert abs(value.p - p) < 3 * hypot(value.se, sqrt(p * (1 - p) / 300)) + 0.01, (shape, value, p)


def test_evenness_counts_and_a_fresh_deal_is_worth_much() -> None:
    first = {shape: value.p for shape in SHAPES if (value := values.lookup(Rules(), shape, 1)) is not None}
    assert first[9, 9, 9, 9] > first[12, 12, 12, 0] + 0.2
    assert first[0, 0, 0, 0] > first[6, 6, 6, 6] + 0.2
    assert first[11, 11, 11, 11] > first[10, 10, 10, 10] > first[9, 9, 9, 9]


@ALL
def test_values_of_neighbours_are_near(name: str) -> None:
    """One card more in the middle of a run changes little, unless few cards are loose: noise would change more."""
    rows = shipped(name).rows
    for shape in SHAPES:
        for row, length in enumerate(shape):
            if 3 <= length <= 7 and shape.count(12) < 2 and sum(shape) < 39:
                more = tuple(other + (place == row) for place, other in enumerate(shape))
                assert abs(rows[index(more)].planes[0][0] - rows[index(shape)].planes[0][0]) < 0.15, (shape, more)


# The fit.


def made_up(shape: Shape) -> float:
    return 0.1 + 0.6 * (sum(shape) / MOST_SCORE) ** 2 - 0.01 * (shape[0] - shape[-1]) + 0.3 * (sum(shape) == 0)


def drawn(seed: int, n: int) -> Means:
    rng = Random(seed)
    shapes = shapes_to_sample()
    wins = [sum(rng.random() < made_up(shape) for _ in range(n)) for shape in shapes]
    return Means.of_counts(shapes, [n] * len(shapes), wins)


def test_the_fit_is_nearer_to_the_truth_than_the_counts_and_promises_less_luck() -> None:
    shapes = shapes_to_sample()
    truth = np.array([made_up(shape) for shape in shapes])
    rng = Random(1)
    raw_luck: list[float] = []
    fit_luck: list[float] = []
    for seed in range(3):
        means = drawn(seed, 25)
        p, se = fit_best(means).at(shapes)
        raw_error, fit_error = (float(np.sqrt(np.mean((found - truth) ** 2))) for found in (means.mean, p))
        assert fit_error < raw_error / 2
        assert np.mean(np.abs(p - truth) < 2 * se) > 0.8
        # The promise of the best of some ends, and what it is worth: what is chosen by noise promises too much.
        for _ in range(50):
            ends = rng.sample(range(len(shapes)), 12)
            for found, luck in ((means.mean, raw_luck), (p, fit_luck)):
                best = max(ends, key=lambda end: found[end])
                luck.append(float(found[best] - truth[best]))
    assert abs(np.mean(fit_luck)) < np.mean(raw_luck) / 2


def test_more_redeals_make_the_error_smaller() -> None:
    few, many = (fit(drawn(5, n), 1.0).at([(9, 9, 8, 8)])[1][0] for n in (20, 500))
    assert many < few / 2


def test_what_the_model_cannot_see_is_part_of_its_error() -> None:
    """Shapes that alternate between two chances: no smooth model follows, and the error says so."""
    shapes = shapes_to_sample()
    chances = [0.3 + 0.4 * (place % 2) for place in range(len(shapes))]
    means = Means.of_counts(shapes, [1000] * len(shapes), [int(1000 * p) for p in chances])
    assert fit(means, 10.0).missed == pytest.approx(0.2, abs=0.03)


def test_all_wins_and_all_losses_have_a_fit() -> None:
    shapes = shapes_to_sample()
    for wins, is_near in ((5, 1.0), (0, 0.0)):
        p, se = fit(Means.of_counts(shapes, [5] * len(shapes), [wins] * len(shapes)), 1.0).at(SHAPES)
        assert np.isfinite(p).all()
        assert np.isfinite(se).all()
        assert float(np.abs(p - is_near).max()) < 0.1


# The recursion.


def test_what_a_lost_phase_leaves_by_hand() -> None:
    """Of three redeals one is won; the others leave the best of 0.2 and 0.6, and nothing."""
    below, error = np.zeros(len(SHAPES)), np.zeros(len(SHAPES))
    low, high = index((3, 3, 3, 3)), index((9, 9, 9, 9))
    below[low], below[high], error[high] = 0.2, 0.6, 0.04
    shape: Shape = (1, 1, 0, 0)
    samples = {shape: [Sample(True, True, ()), Sample(False, True, (low, high)), Sample(False, False, ())]}
    rest, carried = fitting._rest(samples, [shape], below, error)
    assert list(rest.shapes) == [shape]
    assert (rest.n[0], rest.mean[0]) == (2, pytest.approx(0.3))
    assert carried == pytest.approx(0.02)


def test_where_every_redeal_is_alike_k_of_them_win_as_k_throws_do() -> None:
    shapes = shapes_to_sample()
    ends = tuple(map(index, shapes[::40]))
    samples = {shape: [Sample(number < 3, True, ends) for number in range(10)] for shape in shapes}
    valued = value_shapes(samples, 4)
    row = valued.rows[index((9, 9, 8, 8))]
    assert [p for p, _ in row.planes] == pytest.approx([1 - 0.7**k for k in (1, 2, 3, 4)], abs=0.01)
    assert (row.n, row.wins, row.undecided) == (10, 3, 0)
    # Nothing leads on from a phase that is not won: further redeals are worth nothing.
    samples = {shape: [Sample(number < 3, False, ()) for number in range(10)] for shape in shapes}
    row = value_shapes(samples, 3).rows[index((9, 9, 8, 8))]
    assert [p for p, _ in row.planes] == pytest.approx([0.3] * 3, abs=0.01)
    assert row.undecided == 10


# Sampling.


@pytest.mark.skipif(engine.native() is None, reason="compares the engine with Python")
@pytest.mark.parametrize("variant", ["addiction", "addiction-early", "montana-locked"])
def test_both_sides_search_the_same_boards(variant: str) -> None:
    rules = TABLES[variant]
    for shape in ((12, 12, 9, 8), (9, 9, 9, 9), (12, 10, 10, 9)):
        found = sample_phases(rules, shape, seed=3, samples=range(5, 15), nodes=10**6, memory=64_000_000)
        for number, (status, ends) in zip(range(5, 15), found, strict=True):
            board = dealt(rules, shape, 3, number)
            assert all(length >= kept for (_, length), kept in zip(board.locks, shape, strict=True))
            ours, our_ends = _search(board, 10**6, 10**9)
            assert ours is status
            if status is Status.UNSOLVABLE:
                assert our_ends == ends


# Files that are none.


def test_faults_of_a_file(tmp_path: Path) -> None:
    text = values.write_table(shipped("addiction"))
    assert values.parse_table(text) == shipped("addiction")
    path = tmp_path / "values.txt.gz"
    with pytest.raises(UsageError, match="cannot read"):
        values.read_file(path)
    lines = text.splitlines(keepends=True)
    for broken, message in (
        ("notes\n", "does not begin with"),
        ("".join(lines[:-1]), "1819 rows, expected 1820"),
        ("".join(lines[:-1]) + "12/12/12/12 0 0\n12", "not a file of values of gaps"),
    ):
        path.write_bytes(gzip.compress(broken.encode()))
        with pytest.raises(UsageError, match=message):
            values.read_file(path)
    path.write_bytes(b"no gzip")
    with pytest.raises(UsageError, match="is not a file of values of gaps"):
        values.read_file(path)
