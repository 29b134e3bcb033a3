"""What redeals of Gaps are worth: the shipped tables beside their own counts, the fit, and the recursion by hand."""

from __future__ import annotations

import gzip
import struct
from math import exp, hypot, log, sqrt
from pathlib import Path
from random import Random

import numpy as np
import pytest
from packaging.version import Version

from unshuffle import __version__, engine
from unshuffle.errors import UsageError
from unshuffle.games.gaps.hidden import values
from unshuffle.games.gaps.hidden.sampling import _search, dealt, sample_phases
from unshuffle.games.gaps.hidden.values import SHAPES, TABLES, Shape, Table, index, shipped
from unshuffle.games.gaps.rules import MOST_SCORE, Rules
from unshuffle.games.gaps.values import fitting
from unshuffle.games.gaps.values.building import Recipe
from unshuffle.games.gaps.values.fitting import Means, Setting, fit, fit_best, held_out_loss, total_alone, value_shapes
from unshuffle.solve import Status
from unshuffle.study.statistics import wilson

ALL = pytest.mark.parametrize("name", TABLES)
Tallies = dict[Shape, dict[fitting.Outcome, int]]


def sampled(table: Table) -> list[tuple[Shape, values.Row]]:
    return [(shape, row) for shape, row in zip(SHAPES, table.rows, strict=True) if row.n and not row.is_exact]


def searched(table: Table) -> list[tuple[Shape, values.Row]]:
    return [(shape, row) for shape, row in zip(SHAPES, table.rows, strict=True) if row.n]


def counted(found: list[tuple[Shape, values.Row]]) -> Means:
    shapes, rows = zip(*found, strict=True)
    return Means.of_counts(shapes, [row.n for row in rows], [row.wins for row in rows])


def setting_of(table: Table, k: int) -> Setting:
    words = table.provenance["settings"].split("; ")[k - 1].split()
    return Setting(**dict(zip(words[::2], map(float, words[1::2]), strict=True)))


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
@pytest.mark.both_engines
def test_a_table_tells_where_it_comes_from(name: str) -> None:
    table = shipped(name)
    told = table.provenance
    samples = int(told["samples"].split()[0])
    nodes = int(told["budget"].split()[0])
    recipe = Recipe(variant=name, samples=samples, seed=int(told["seed"]), nodes=nodes, levels=table.redeals)
    assert told["command"] == recipe.command
    assert told["samples"] == recipe.provenance["samples"]
    assert table.name == name
    # Later versions ship the same table until it is built again.
    assert Version(told["version"]) <= Version(__version__)
    assert table.redeals >= max(3, TABLES[name].redeals)
    assert [row.n for row in table.rows] == [*map(recipe.samples_of, SHAPES[:-1]), 0]
    rows = sampled(table)
    n, wins, undecided = (sum(getattr(row, key) for _, row in rows) for key in ("n", "wins", "undecided"))
    assert told["sampled"] == f"{n} redeals, {wins} won, {undecided} undecided (count as not won)"
    assert f"early_redeal={'yes' if TABLES[name].early_redeal else 'no'}" in told["rules"]


@ALL
def test_held_out_losses_follow_from_the_counts(name: str) -> None:
    table = shipped(name)
    words = table.provenance["held-out log loss"].split(" (")[0].split()
    told = dict(zip(words[::2], map(float, words[1::2]), strict=True))
    means = counted(sampled(table))
    assert held_out_loss(means, setting_of(table, 1)) == pytest.approx(told["model"], abs=2e-5)
    plain = Setting(strength=0.1, bend=0)
    assert held_out_loss(means, plain, total_alone) == pytest.approx(told["total"], abs=2e-5)
    share = (means.n * means.mean).sum() / means.n.sum()
    assert told["constant"] == pytest.approx(-share * log(share) - (1 - share) * log(1 - share), abs=0.01)
    assert told["model"] < told["total"] < told["constant"]


@ALL
def test_first_values_follow_from_the_counts_and_lie_among_them(name: str) -> None:
    table = shipped(name)
    means = counted(searched(table))
    found = fit(means, setting_of(table, 1)).corrected(means)
    p, se = np.clip(found.p, 0.0005, 0.9995), np.maximum(found.se, 0.0005)  # no surer than that is told
    inside = []
    for place, (_, row) in enumerate(searched(table)):
        if row.is_exact:
            continue
        assert row.planes[0] == pytest.approx((p[place], se[place]), abs=2e-5)
        low, high = wilson(row.wins, row.n)
        inside.append(low <= row.planes[0][0] <= high)
    assert sum(inside) >= 0.93 * len(inside)


@ALL
def test_a_redeal_more_is_never_worse(name: str) -> None:
    for shape, row in zip(SHAPES, shipped(name).rows, strict=True):
        chances = [p for p, _ in row.planes]
        assert chances == sorted(chances)
        if sum(shape) == MOST_SCORE:
            assert row.planes == ((1.0, 0.0),) * len(chances)
        elif not row.is_exact:
            assert all(0 < p < 1 and 0 < se < 0.1 for p, se in row.planes), shape


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


DRAWN = SHAPES[:-1:7]


def drawn(seed: int, n: int) -> Means:
    rng = Random(seed)
    wins = [sum(rng.random() < made_up(shape) for _ in range(n)) for shape in DRAWN]
    return Means.of_counts(DRAWN, [n] * len(DRAWN), wins)


def test_the_values_are_nearer_to_the_truth_than_the_counts_and_promise_less_luck() -> None:
    truth = np.array([made_up(shape) for shape in DRAWN])
    rng = Random(1)
    raw_luck: list[float] = []
    fit_luck: list[float] = []
    for seed in range(3):
        means = drawn(seed, 25)
        found = fit_best(means).corrected(means)
        raw_error, error = (float(np.sqrt(np.mean((p - truth) ** 2))) for p in (means.mean, found.p))
        assert error < raw_error / 2
        assert np.mean(np.abs(found.p - truth) < 2 * found.se) > 0.8
        # The promise of the best of some ends, and what it is worth: what is chosen by noise promises too much.
        for _ in range(50):
            ends = rng.sample(range(len(DRAWN)), 12)
            for told, luck in ((means.mean, raw_luck), (found.p, fit_luck)):
                best = max(ends, key=lambda end: told[end])
                luck.append(float(told[best] - truth[best]))
    assert abs(np.mean(fit_luck)) < np.mean(raw_luck) / 2


def test_more_redeals_make_the_error_smaller() -> None:
    few, many = (fit(drawn(5, n), Setting(missed=0.02)).at([(9, 9, 8, 8)])[1][0] for n in (20, 500))
    assert many < few / 2


def rough(seed: int, n: int) -> tuple[Means, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """Shapes whose chances no smooth model follows, and these chances."""
    rng = Random(seed)
    chances = [1 / (1 + 1 / (made_up(shape) / (1 - made_up(shape)) * exp(rng.gauss(0, 0.4)))) for shape in DRAWN]
    wins = [sum(rng.random() < p for _ in range(n)) for p in chances]
    return Means.of_counts(DRAWN, [n] * len(DRAWN), wins), np.array(chances)


def test_what_the_model_cannot_see_is_found_on_shapes_it_has_not_seen_and_is_part_of_the_error() -> None:
    means, truth = rough(3, 400)
    found = fit_best(means)
    assert found.setting.missed == pytest.approx(0.4, rel=0.6)
    # Of a shape that was searched its own redeals tell more than the model, and the error says so.
    corrected = found.corrected(means)
    p, se = found.at(DRAWN)
    assert np.mean(corrected.se) < np.mean(se) / 2
    for told, error in ((corrected.p, corrected.se), (p, se)):
        assert 0.88 <= np.mean(np.abs(told - truth) < 1.96 * error) <= 1
    # Half of the shapes held out: the rest foretell them with an honest error.
    half = np.arange(len(DRAWN)) % 2 == 0
    p, se = fit_best(means.part(half)).at([shape for shape, is_in in zip(DRAWN, half, strict=True) if not is_in])
    assert 0.88 <= np.mean(np.abs(p - truth[~half]) < 1.96 * se) <= 1


def test_a_smooth_truth_needs_no_error_of_the_model() -> None:
    assert fit_best(drawn(2, 400)).setting.missed <= 0.1


def test_all_wins_and_all_losses_have_a_fit() -> None:
    for wins, is_near in ((5, 1.0), (0, 0.0)):
        means = Means.of_counts(DRAWN, [5] * len(DRAWN), [wins] * len(DRAWN))
        p, se = fit(means, Setting()).at(SHAPES)
        assert np.isfinite(p).all()
        assert np.isfinite(se).all()
        assert float(np.abs(p - is_near).max()) < 0.1


def test_intervals_by_hand() -> None:
    """Symmetric in log odds, and never beyond 0 or 1."""
    low, high = values.interval(0.5, 0.05)
    assert [low + high, high - low] == pytest.approx([1, 0.194], abs=0.001)
    low, high = values.Value(0.99, 0.01).interval
    assert [low, high] == pytest.approx([0.932, 0.9986], abs=0.0005)
    assert values.interval(0.9995, 0.4)[1] <= 1
    assert values.interval(0.3, 0.0) == (0.3, 0.3)
    assert values.interval(1.0, 0.0) == (1.0, 1.0)


# The recursion.


def test_what_a_lost_phase_leaves_by_hand() -> None:
    """Of three redeals one is won; the others leave the best of two ends, whose error is carried, and nothing."""
    shape, low, high = (12, 12, 11, 10), index((12, 12, 11, 11)), index((12, 12, 12, 10))
    won: fitting.Outcome = ("w", ())
    lost: fitting.Outcome = ("l", (low, high))
    tallies: Tallies = {
        shape: {won: 1, lost: 1, ("u", ()): 1},
        SHAPES[low]: {won: 1, ("l", ()): 4},
        SHAPES[high]: {won: 3, ("l", ()): 2},
    }
    plane = fitting._LOST_ALL
    _, plane = fitting._next_plane(tallies, {SHAPES[low], SHAPES[high]}, plane)
    assert (plane.p[low], plane.p[high]) == (0.2, 0.6)
    seen: dict[Shape, float] = {}

    def fitted(means: Means) -> fitting.Fit:
        seen.update(zip(means.shapes, means.mean, strict=True))
        return fit(means, Setting())

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(fitting, "fit_best", fitted)
        fitting._next_plane(tallies, set(), plane)
    assert seen[shape] == pytest.approx((1 + 0.6 + 0) / 3)
    assert seen[SHAPES[high]] == pytest.approx(3 / 5)
    # An error of the end that is chosen is carried by as much as it is chosen.
    plane.exact[high], plane.own[high] = False, 0.06
    _, more = fitting._next_plane(tallies, {SHAPES[low], SHAPES[high]}, plane)
    assert more.carried[index(shape)] == pytest.approx(0.02)
    assert more.se[index(shape)] > 0.02


def test_the_error_bar_of_a_value_includes_the_error_of_the_ends_below_it() -> None:
    shape, end = (12, 12, 11, 10), index((12, 12, 11, 11))
    tallies: Tallies = {shape: {("w", ()): 3, ("l", (end,)): 1}, SHAPES[end]: {("w", ()): 1, ("l", ()): 4}}
    _, below = fitting._next_plane(tallies, {SHAPES[end]}, fitting._LOST_ALL)
    errors = []
    for error in (0.0, 0.08):
        below.exact[end], below.own[end] = False, error
        _, plane = fitting._next_plane(tallies, {SHAPES[end]}, below)
        _, told = fitting._told(plane)
        errors.append(told[index(shape)])
    # One redeal of four ends there.
    assert errors[1] ** 2 - errors[0] ** 2 == pytest.approx((0.08 / 4) ** 2)


def test_the_spread_of_what_redeals_were_worth_says_how_sure_their_mean_is() -> None:
    n, mean = np.array([200.0, 200.0, 0.0]), np.array([0.5, 0.5, 0.5])
    coins = fitting._sureness(n, mean, np.array([0.25, 0.25, 0.0]))
    assert coins[:2] == pytest.approx([200, 200])
    # Worths that differ by little are surer than wins and losses.
    sure = fitting._sureness(n, mean, np.array([0.01, 0.01, 0.0]))
    assert sure[:2] == pytest.approx([5000, 5000])
    assert sure[2] < 1e-6
    # Of 200 lost redeals of 200 the next one may still be won: wins and losses are as sure as their number.
    mean = np.array([0.0, 1.0, 0.3])
    assert fitting._sureness(np.full(3, 200.0), mean, mean * (1 - mean)) == pytest.approx([200, 200, 200])


def test_where_every_redeal_is_alike_k_of_them_win_as_k_throws_do() -> None:
    ends = tuple(map(index, DRAWN[::10]))
    tallies: Tallies = {shape: {("w", ()): 30, ("l", ends): 70} for shape in SHAPES[:-1]}
    valued = value_shapes(tallies, (), 4)
    row = valued.rows[index((9, 9, 8, 8))]
    assert [p for p, _ in row.planes] == pytest.approx([1 - 0.7**k for k in (1, 2, 3, 4)], abs=0.01)
    assert (row.n, row.wins, row.undecided) == (100, 30, 0)
    # Nothing leads on from a phase that is not won: further redeals are worth nothing.
    dead: Tallies = {shape: {("w", ()): 30, ("u", ()): 70} for shape in DRAWN}
    row = value_shapes(dead, (), 3).rows[index((9, 9, 8, 8))]
    assert [p for p, _ in row.planes] == pytest.approx([0.3] * 3, abs=0.01)


# Sampling.


@pytest.mark.skipif(engine.native() is None, reason="compares the engine with Python")
@pytest.mark.parametrize("variant", ["addiction", "addiction-early", "montana-locked"])
@pytest.mark.both_engines
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
