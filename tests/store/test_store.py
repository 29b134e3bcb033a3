"""What goes in comes out: runs, results, summaries, packed games, pairs."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.making import finish, finish_games, rows, spec
from unshuffle.errors import UsageError
from unshuffle.store import ClaimLostError, Owner, Run, SolverRow, Store, StoreError
from unshuffle.store.endings import pair_endings
from unshuffle.store.owner import now

pytestmark = pytest.mark.one_engine("checks what is stored, not the answers")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "s.sqlite") as opened:
        yield opened


def test_a_run_comes_back_as_it_was_planned(store: Store) -> None:
    planned = spec(5, 99, seconds_limit=1.5, nodes_limit=None, maximize=True, replay="all", keeps_moves=True)
    run = store.add_run("study", planned)
    assert store.runs("study") == [run]
    assert {name: getattr(run, name) for name in planned.__dataclass_fields__} == {
        name: getattr(planned, name) for name in planned.__dataclass_fields__
    }
    assert (run.study, run.planned, run.is_solver) == ("study", 95, True)


def test_seeds_widen_and_nothing_else_may_change(store: Store) -> None:
    run = store.add_run("s", spec(10, 19))
    assert store.add_run("s", spec(20, 29)).id == run.id
    widened = store.add_run("s", spec(5, 12))
    assert (widened.first_seed, widened.last_seed) == (5, 29)
    assert store.runs("s") == [widened]
    with pytest.raises(UsageError, match=r"5\.\.29; 31\.\.40 would leave a gap"):
        store.add_run("s", spec(31, 40))
    for changes, message in (
        ({"nodes_limit": 7}, "nodes: stored 1000, now 7"),
        ({"nodes_limit": None}, "nodes: stored 1000, now no limit"),
        ({"generator": "ms", "maximize": True}, "generator: stored unshuffle, now ms; maximize: stored no, now yes"),
        ({"rules": {"fan_size": "4"}}, "rules: stored fan_size=3, now fan_size=4"),
        ({"keeps_moves": True}, "moves: stored no, now yes"),
    ):
        with pytest.raises(UsageError, match=message):
            store.add_run("s", spec(0, 9, **changes))
    # Another method, variant or name is another run.
    assert (
        len({store.add_run("s", spec(method="policy:a")).id, store.add_run("t", spec(nodes_limit=7)).id, run.id}) == 3
    )


def test_of_several_runs_all_are_planned_or_none(store: Store) -> None:
    store.add_run("s", spec(method="policy:b", nodes_limit=1))
    with pytest.raises(UsageError):
        store.add_runs("s", [spec(), spec(method="policy:b")])
    with pytest.raises(UsageError):
        store.add_runs("new", [spec(), spec(0, 2**63)])
    assert [run.method for run in store.runs("s")] == ["policy:b"]
    assert [each.name for each in store.studies()] == ["s"]


@pytest.mark.parametrize("name", ["", " a", "a\n", "a\x1b[2J", "a" * 201])
def test_names_can_be_typed(store: Store, name: str) -> None:
    with pytest.raises(UsageError, match="is not a name of a study"):
        store.add_run(name, spec())


def test_an_unknown_study_gets_the_nearest_name(store: Store) -> None:
    with pytest.raises(UsageError, match="has no studies yet"):
        store.runs("lucie")
    store.add_run("lucie", spec())
    with pytest.raises(UsageError, match="did you mean 'lucie'"):
        store.runs("luci")


def test_results_and_their_summaries(store: Store) -> None:
    run = store.add_run("s", spec(0, 999))
    for first, last in ((0, 99), (500, 999), (100, 100)):
        finish(store, run, first, last)
    assert store.seeds_done(run) == [(0, 100), (500, 999)]
    stored = list(store.rows(run))
    assert [tuple(row.values()) for row in stored] == rows(0, 100) + rows(500, 999)
    summary = store.summary(run)
    nodes = [row["nodes"] for row in stored if row["status"] != "node-limit"]
    assert (summary.won, summary.lost, summary.undecided) == tuple(
        sum(row["status"] == status for row in stored) for status in ("solved", "unsolvable", "node-limit")
    )
    assert (summary.n, summary.planned, summary.completed, summary.replayed) == (601, 1000, len(nodes), 3)
    assert summary.nodes_sum == sum(nodes)
    assert summary.nodes_squares == sum(each * each for each in nodes)
    assert summary.nodes_max == max(nodes)
    assert summary.seconds == pytest.approx(0.601)
    assert store.scores(run) == Counter(row["score"] for row in stored if row["score_proved"])
    assert [(each.name, each.runs, each.deals) for each in store.studies()] == [("s", 1, 601)]


def test_huge_node_counts_are_added_exactly(store: Store) -> None:
    run = store.add_run("s", spec(0, 1))
    many = 2**62
    found = [(seed, "solved", 52, True, many + seed, 0.0, None, None) for seed in range(2)]
    store.finish_solver_chunk(run, 0, 1, found, owner="tests", engine="native", replayed=0)
    summary = store.summary(run)
    assert (summary.nodes_sum, summary.nodes_squares) == (2 * many + 1, many**2 + (many + 1) ** 2)


def test_an_empty_run_has_an_empty_summary(store: Store) -> None:
    run = store.add_run("s", spec())
    summary = store.summary(run)
    assert (summary.n, summary.nodes_max, summary.seconds, store.scores(run), list(store.rows(run))) == (
        0,
        None,
        0,
        {},
        [],
    )


def test_wrong_results_are_not_stored(store: Store) -> None:
    run = store.add_run("s", spec())
    for wrong, message in (
        (rows(0, 8), r"not the results of the seeds 0\.\.9"),
        (rows(1, 10), r"not the results of the seeds 0\.\.9"),
        ([(*row[:1], "cancelled", *row[2:]) for row in rows(0, 9)], "'cancelled' has no result"),
    ):
        with pytest.raises(ValueError, match=message):
            store.finish_solver_chunk(run, 0, 9, wrong, owner="tests", engine="native", replayed=0)
    with pytest.raises(ValueError, match="not the results of the same games"):
        finish_games(store, run, 0, b"\1\2", [True])
    assert store.seeds_done(run) == []


def test_a_study_is_deleted_with_all_its_results(store: Store) -> None:
    for name in ("s", "t"):
        finish(store, store.add_run(name, spec()), 0, 99)
    policy = store.add_run("s", spec(method="policy:a", information="hidden"))
    finish_games(store, policy, 0, bytes(8), [True] * 8)
    store.delete("s")
    for table in ("run", "chunk", "score_count", "result", "block", "win"):
        column = "id" if table == "run" else "run_id"
        kept = {run for (run,) in store._db.execute(f"SELECT DISTINCT {column} FROM {table}")}
        assert kept == ({store.runs("t")[0].id} if table not in ("block", "win") else set())
    with pytest.raises(UsageError, match="unknown study 's'"):
        store.delete("s")


# Claims.


def test_claims_do_not_overlap_and_cover_the_plan(store: Store) -> None:
    run = store.add_run("s", spec(5, 104))
    owner = Owner().name
    finish(store, run, 40, 49)
    claims = []
    while (claim := store.claim(run, owner, 16)) is not None:
        claims.append(claim)
    seeds = [seed for first, last in claims for seed in range(first, last + 1)]
    assert seeds == [*range(5, 40), *range(50, 105)]
    assert store.claimed(run) == {owner: 90}
    store.release(owner)
    assert store.claim(run, owner, 1000, range(20, 30)) == (20, 29)
    assert store.claim(run, owner, 1000, range(1000)) == (5, 19)


def test_part_of_a_claim_can_be_finished(store: Store) -> None:
    run = store.add_run("s", spec(0, 99))
    owner = Owner().name
    assert store.claim(run, owner, 50) == (0, 49)
    finish(store, run, 0, 9, owner)
    finish(store, run, 10, 49, owner)
    assert store.seeds_done(run) == [(0, 49)]
    assert store.claimed(run) == {}


def test_what_another_has_taken_over_is_lost(store: Store) -> None:
    run = store.add_run("s", spec(0, 99))
    owner = Owner()
    assert store.claim(run, owner.name, 10) == (0, 9)
    owner.close()
    other = Owner().name
    assert store.claim(run, other, 5) == (0, 4)
    with pytest.raises(ClaimLostError):
        finish(store, run, 0, 9, owner.name)
    finish(store, run, 0, 4, other)
    with pytest.raises(ClaimLostError):
        finish(store, run, 0, 4, other)
    with pytest.raises(ClaimLostError):
        finish(store, run, 3, 9, other)


def test_the_same_seeds_claimed_by_another_owner_are_lost(store: Store) -> None:
    run = store.add_run("s", spec(0, 9))
    owner = Owner()
    assert store.claim(run, owner.name, 10) == (0, 9)
    owner.close()
    other = Owner().name
    assert store.claim(run, other, 10) == (0, 9)
    with pytest.raises(ClaimLostError):
        finish(store, run, 0, 9, owner.name)
    assert store.seeds_done(run) == []
    finish(store, run, 0, 9, other)


@pytest.mark.parametrize(
    ("owner", "claimed", "is_free"),
    [
        ("elsewhere:1:2:3", "2001-01-01T00:00:00+00:00", True),
        ("elsewhere:1:2:3", None, False),
        # Whoever claimed it then, the clock was set back since.
        ("elsewhere:1:2:3", "2999-01-01T00:00:00+00:00", True),
        ("elsewhere:1:2:3", "yesterday", True),
        ("nonsense", "2999-01-01T00:00:00+00:00", True),
    ],
    ids=["long ago", "just now", "far ahead", "no time", "nobody"],
)
def test_claims_of_another_host_are_given_up_in_time(
    store: Store, owner: str, claimed: str | None, is_free: bool
) -> None:
    run = store.add_run("s", spec(0, 9))
    assert store.claim(run, owner, 10) == (0, 9)
    store._db.execute("UPDATE chunk SET claimed = ?", (claimed or now(),))
    assert store.claim(run, Owner().name, 10) == ((0, 9) if is_free else None)


def test_a_claim_of_a_number_that_was_given_to_another_process_is_abandoned(store: Store) -> None:
    run = store.add_run("s", spec(0, 9))
    host, pid, _, number = Owner().name.rsplit(":", 3)
    assert store.claim(run, f"{host}:{pid}:before:{number}", 10) == (0, 9)
    assert store.claim(run, Owner().name, 10) == (0, 9)


def test_a_study_that_is_deleted_while_it_runs_ends_it(store: Store) -> None:
    run = store.add_run("s", spec(0, 9))
    owner = Owner().name
    store.claim(run, owner, 5)
    store.delete("s")
    with pytest.raises(StoreError, match="deleted while it ran"):
        store.claim(run, owner, 5)
    with pytest.raises(StoreError, match="deleted while it ran"):
        finish(store, run, 0, 4, owner)


# Policies: packed games, and pairs.


@given(won=st.lists(st.booleans(), min_size=1, max_size=40), first=st.integers(0, 2**63 - 41), data=st.data())
def test_packed_games_come_back(
    tmp_path_factory: pytest.TempPathFactory, won: list[bool], first: int, data: st.DataObject
) -> None:
    size: dict[str, Any] = {"min_size": len(won), "max_size": len(won)}
    # A byte each, or two: what a store is given, and what fits.
    wide = st.lists(st.integers(-(1 << 15), (1 << 15) - 1), **size)
    scores = data.draw(st.one_of(st.binary(**size), wide, wide.map(lambda numbers: array("h", numbers))))
    with Store.open(tmp_path_factory.mktemp("packed") / "s.sqlite") as store:
        run = store.add_run("s", spec(first, first + len(won) - 1, method="policy:a", information="hidden"))
        finish_games(store, run, first, scores, won)
        games = [{"seed": first + i, "score": scores[i], "won": won[i], "tableau_moves": None} for i in range(len(won))]
        assert list(store.rows(run)) == games
        assert store.scores(run) == Counter(scores)
        assert (store.summary(run).won, store.summary(run).n) == (sum(won), len(won))
        wins = store._db.execute("SELECT seed, score FROM win ORDER BY seed").fetchall()
        assert wins == [(game["seed"], game["score"]) for game in games if game["won"]]


@pytest.mark.parametrize(
    "change",
    [
        "block SET count = count + 1",
        "block SET scores = x'0201'",
        "block SET won = x'02'",
        "block SET tableau_moves = x'0504'",
        "win SET seed = seed + 1",
        "win SET score = score + 1",
        "win SET tableau_moves = tableau_moves + 1",
        "rule_count SET moves = moves + 1",
        "rule_count SET won_moves = won_moves + 1",
        "rule_count SET rule = '2'",
    ],
)
def test_every_changed_value_of_packed_games_is_noticed(store: Store, change: str) -> None:
    run = store.add_run("s", spec(0, 1, method="policy:a", information="hidden"))
    finish_games(store, run, 0, b"\1\2", [True, False], tableau_moves=b"\4\5", counts={"1": (3, 2)})
    store._db.execute(f"UPDATE {change}")
    with pytest.raises(StoreError, match=r"is damaged; .* \(the results of the deals 0\.\.1 of"):
        store.wins(run)


def test_scores_that_do_not_fit_are_refused_and_nothing_is_stored(store: Store) -> None:
    run = store.add_run("s", spec(0, 1, method="policy:a", information="hidden"))
    for scores in ([-(1 << 15) - 1, 0], [3, 1 << 15]):
        with pytest.raises(ValueError, match=f"scores from {scores[0]} to {scores[1]} do not fit into two bytes"):
            finish_games(store, run, 0, scores, [1, 0])
    assert (store.summary(run).n, list(store.rows(run)), store.scores(run)) == (0, [], {})


def kinds(store: Store, run: Run) -> dict[int, str]:
    names = {"solved": "won", "unsolvable": "lost"}
    return {
        row["seed"]: names.get(row["status"], "undecided") if run.is_solver else "won" if row["won"] else "lost"
        for row in store.rows(run)
    }


def test_pairs_are_counted_on_common_seeds(store: Store) -> None:
    rng = random.Random(4)
    runs = []
    for method in ("solver", "policy:a", "policy:b"):
        run = store.add_run("s", spec(0, 499, method=method))
        runs.append(run)
        at = rng.randrange(30)
        while at < 480:
            end = min(499, at + rng.randrange(1, 70))
            if method == "solver":
                finish(store, run, at, end)
            else:
                won = [rng.random() < 0.4 for _ in range(at, end + 1)]
                finish_games(store, run, at, bytes(len(won)), won)
            at = end + 1 + rng.choice((0, 0, 25))
    for a in runs:
        for b in runs:
            in_a, in_b = kinds(store, a), kinds(store, b)
            expected = Counter((in_a[seed], in_b[seed]) for seed in in_a.keys() & in_b.keys())
            pairs = pair_endings(store.endings(a), store.endings(b))
            assert {ends: deals for ends, deals in pairs.items() if deals} == expected


def test_first_results_know_their_engine(store: Store) -> None:
    run = store.add_run("s", spec())
    for first, engine in ((0, "native"), (10, "python")):
        found = rows(first, first + 9)
        store.finish_solver_chunk(run, first, first + 9, found, owner="t", engine=engine, replayed=0)
    assert [(seed, engine) for seed, *_, engine, _ in store.first_results(run, 12)] == [
        (seed, "native" if seed < 10 else "python") for seed in range(12)
    ]


def test_inferred_results_are_counted_apart(store: Store) -> None:
    strict, run = store.add_run("s", spec(variant="strict")), store.add_run("s", spec(0, 3, infers=True))
    found: list[SolverRow] = [
        (0, "solved", 52, True, 0, 0.0, None, strict.id),
        (1, "unsolvable", 7, False, 0, 0.0, None, strict.id),
        (2, "unsolvable", 9, True, 30, 0.1, None, None),
        (3, "node-limit", 11, False, 99, 0.2, None, None),
    ]
    store.finish_solver_chunk(run, 0, 3, found, owner="tests", engine="native", replayed=0)
    assert [tuple(row.values()) for row in store.rows(run)] == found
    summary = store.summary(run)
    assert (summary.won, summary.lost, summary.undecided, summary.inferred) == (1, 2, 1, 2)
    assert (summary.completed, summary.nodes_sum, summary.nodes_squares, summary.nodes_max) == (1, 30, 900, 30)
    # What an inferred loss or an undecided deal scores at best is not known.
    assert store.scores(run) == {9: 1, 52: 1}
    assert [row.origin for row in store.verdicts(run, "unsolvable", 0, 3)] == [strict.id, run.id]
    assert [row.seed for row in store.verdicts(run, "unsolvable", 2, 9)] == [2]


def test_a_limit_is_never_inferred(store: Store) -> None:
    run = store.add_run("s", spec(0, 0, infers=True))
    with pytest.raises(ValueError, match="a limit is no verdict"):
        store.finish_solver_chunk(
            run, 0, 0, [(0, "node-limit", 1, False, 0, 0.0, None, 7)], owner="tests", engine="native", replayed=0
        )
    assert store.seeds_done(run) == []


def test_the_best_scores_of_several_runs(store: Store) -> None:
    runs = [store.add_run("s", spec(0, 599, variant=variant)) for variant in ("a", "b")]
    for place, run in enumerate(runs):
        found: list[SolverRow] = [
            (seed, "unsolvable", (seed * 7 + place * 5) % 10, True, 1, 0.0, "x" if place else None, None)
            for seed in range(600)
        ]
        store.finish_solver_chunk(run, 0, 599, found, owner="tests", engine="native", replayed=0)
    seeds = [*range(0, 590, 1), 9999]
    best = store.best_scores(runs, seeds, with_moves=False)
    assert {seed: row.score for seed, row in best.items()} == {
        seed: max(seed * 7 % 10, (seed * 7 + 5) % 10) for seed in range(590)
    }
    kept = store.best_scores(runs, seeds, with_moves=True)
    assert {row.origin for row in kept.values()} == {runs[1].id}
    assert store.best_scores([], seeds, with_moves=False) == {}
