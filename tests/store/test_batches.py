"""Decks by number, strategies, batches with all that was asked for, and games of many policies at once."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import unshuffle as un
from tests.store.making import finish, spec
from unshuffle.cards import PACK
from unshuffle.deals import Source
from unshuffle.errors import UsageError
from unshuffle.store import DECKS, ClaimLostError, Entry, Owner, PolicyChunk, PolicyGames, Run, Store

pytestmark = pytest.mark.one_engine("checks what is stored, not the answers")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "s.sqlite") as opened:
        yield opened


def shuffled(seed: int) -> tuple[un.Card, ...]:
    cards = list(PACK)
    Random(seed).shuffle(cards)
    return tuple(cards)


def policy_runs(store: Store, names: str, last: int = 99, **changes: object) -> list[Run]:
    return store.add_runs(
        "s",
        [spec(0, last, game="aces-up", method=f"policy:{name}", information="hidden", **changes) for name in names],
    )


def chunk(run: Run, first: int, won: bytes, moves: bytes | None = None) -> PolicyChunk:
    scores = bytes(48 if each else 40 for each in won)
    counts = {"1": (10, sum(won)), "200": (3, 0)}
    return PolicyChunk(run, first, PolicyGames(scores, won, moves, counts, seconds=0.5), "native")


# Decks.


def test_a_deck_is_kept_once_and_comes_back_by_its_number(store: Store) -> None:
    a, b = shuffled(1), shuffled(2)
    ids = store.add_decks("aces-up", [a, b, a])
    assert ids == [1, 2, 1]
    assert store.add_decks("aces-up", [b, shuffled(3)]) == [2, 3]
    assert store.decks("aces-up", [3, 1, 1]) == [shuffled(3), a, a]
    # The same cards in another game are another deck.
    assert store.add_decks("agnes", [a]) == [4]
    assert store.deck_ids("aces-up") == [1, 2, 3]
    assert store.decks("aces-up", []) == []


def test_a_deck_that_a_generator_shuffled_is_kept_as_its_seed(store: Store) -> None:
    sources = [Source(7), Source(7, "python"), Source(7, number=3), Source(2**64 - 1)]
    ids = store.add_decks("aces-up", sources)
    assert store.add_decks("aces-up", sources) == ids
    assert store.decks("aces-up", ids) == [source.deck(PACK) for source in sources]
    kept = store._db.execute("SELECT generator, seed, cards IS NULL FROM deck ORDER BY id").fetchall()
    assert kept == [("unshuffle", 7, 1), ("python", 7, 1), (None, None, 0), (None, None, 0)]


def test_every_missing_deck_is_named(store: Store) -> None:
    with pytest.raises(UsageError, match="has no deck 1 of aces-up; it has none"):
        store.decks("aces-up", [1])
    store.add_decks("aces-up", [shuffled(1), shuffled(2)])
    with pytest.raises(UsageError, match=r"has no deck 9, 0, -3, 18446744073709551616 of aces-up; it has 2, with ids"):
        store.decks("aces-up", [1, 9, 0, 2, 9, -3, 2**64])
    with pytest.raises(UsageError, match="has no deck 2 of agnes"):
        store.decks("agnes", [2])


def test_a_deck_that_results_rest_on_cannot_be_lost(store: Store) -> None:
    store.add_decks("aces-up", [shuffled(1)])
    with pytest.raises(Exception, match="CHECK constraint failed"):
        store._db.execute("INSERT INTO deck (game, generator, created) VALUES ('aces-up', 'ms', '')")
    with pytest.raises(Exception, match="CHECK constraint failed"):
        store._db.execute("INSERT INTO deck (game, generator, seed, cards, created) VALUES ('a', 'ms', 1, 'AS', '')")
    assert store._db.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_a_run_over_stored_decks_has_no_gaps_to_fill(store: Store) -> None:
    ids = store.add_decks("aces-up", map(shuffled, range(9)))
    (run,) = policy_runs(store, "a", generator=DECKS, first_seed=ids[0], last_seed=ids[1])
    store.finish_policy_chunks([chunk(run, ids[0], b"\0\1")], owner="t")
    (run,) = policy_runs(store, "a", generator=DECKS, first_seed=ids[8], last_seed=ids[8])
    store.finish_policy_chunks([chunk(run, ids[8], b"\1")], owner="t")
    summary = store.summary(run)
    assert (summary.n, summary.planned, summary.won) == (3, 3, 2)
    wins = store._db.execute("SELECT deck_id, deck FROM win_list ORDER BY deck_id").fetchall()
    assert wins == [(ids[place], " ".join(map(str, shuffled(place)))) for place in (1, 8)]


# Many policies at once.


def test_games_of_many_policies_are_stored_together(store: Store) -> None:
    runs = policy_runs(store, "abc")
    won = bytes([1, 0, 0, 1, 0, 0, 0, 0, 0, 1])
    for first in (0, 10):
        chunks = [chunk(run, first, won, bytes(range(place, place + 10))) for place, run in enumerate(runs)]
        assert store.finish_policy_chunks(chunks, owner="t") == chunks
    for place, run in enumerate(runs):
        assert store.summary(run).won == 6
        assert store.rule_counts(run) == {"1": (20, 6), "200": (6, 0)}
        moves = bytes(range(place, place + 10))
        assert [tuple(each) for each in store.games(run, 8, 12)] == [
            (8, array("h", [40, 48]), bytes([0, 1]), moves[8:]),
            (10, array("h", [48, 40, 40]), bytes([1, 0, 0]), moves[:3]),
        ]
        assert list(store.games(run, 20, 99)) == []
        assert [row["tableau_moves"] for row in store.rows(run)] == [*moves, *moves]
        wins = store._db.execute("SELECT seed, tableau_moves FROM win WHERE run_id = ?", (run.id,)).fetchall()
        assert wins == [(seed, moves[seed % 10]) for seed in (0, 3, 9, 10, 13, 19)]


def test_what_another_has_finished_is_left_out_and_the_rest_is_stored(store: Store) -> None:
    a, b = policy_runs(store, "ab")
    store.finish_policy_chunks([chunk(a, 0, b"\1\1")], owner="other")
    chunks = [chunk(a, 0, b"\0\0"), chunk(b, 0, b"\0\0")]
    assert store.finish_policy_chunks(chunks, owner="t") == chunks[1:]
    assert (store.summary(a).won, store.summary(b).won, store.summary(b).n) == (2, 0, 2)
    assert store.finish_policy_chunks([chunk(a, 0, b"\0")], owner="t") == []
    with pytest.raises(ClaimLostError):
        finish(store, a, 0, 0, "t")


def test_games_that_do_not_fit_each_other_are_refused() -> None:
    for scores, won, moves in ((b"\1\2", b"\1", None), (b"", b"", None), (b"\1", b"\1", b"\1\2")):
        with pytest.raises(ValueError, match="of the same games"):
            PolicyGames(scores, won, moves)


def test_the_same_seeds_are_claimed_for_many_runs(store: Store) -> None:
    a, b, c = policy_runs(store, "abc")
    owner, other = Owner(), Owner()
    store.finish_policy_chunks([chunk(a, 0, bytes(10)), chunk(c, 6, bytes(2))], owner="t")
    assert store.claim_together([a, b, c], owner.name, 50, range(100)) == (0, 5, [b, c])
    assert store.claim_together([a, b, c], other.name, 50, range(100)) == (6, 55, [b])
    assert store.claim_together([a, b, c], other.name, 5, range(8, 20)) == (8, 12, [c])
    assert store.claim_together([b], other.name, 5, range(20)) is None
    store.release(other.name)
    assert store.claimed(b) == {owner.name: 6}
    assert store.claimed(c) == {owner.name: 6}
    # A claim of a process that is gone is taken over.
    owner.close()
    assert store.claim_together([b], other.name, 5, range(20)) == (0, 4, [b])
    other.close()


# Batches.

ENTERED = [Entry("1,20,300", "rules:1,20,300", 2), Entry("1,20,300", "rules:300", 4), Entry("greedy", "greedy")]


def test_a_batch_keeps_all_that_was_asked_for(store: Store) -> None:
    settings = {"rules": ["1,20,300"], "permute": True, "seeds": [0, 999], "dialect": "classic"}
    batch = store.add_batch("s", settings, ENTERED, game="aces-up", variant="standard", engine="native")
    assert store.batches("s") == [batch]
    assert (batch.state, batch.ended, batch.settings, batch.wins_only) == ("begun", None, settings, False)
    assert sorted(entry for entry, _ in store.entries(batch)) == sorted(ENTERED)
    store.end_batch(batch, "interrupted", games=700, wins=0, seconds=0.25)
    (ended,) = store.batches("s")
    assert (ended.state, ended.games, ended.wins, ended.seconds) == ("interrupted", 700, 0, 0.25)
    assert ended.ended is not None
    rows = store._db.execute("SELECT entered, strategies, state, wins FROM batch_summary").fetchall()
    assert rows == [(7, 3, "interrupted", 0)]
    with pytest.raises(Exception, match="CHECK constraint failed"):
        store.end_batch(batch, "gone", games=0, wins=0, seconds=0)


def test_a_strategy_is_kept_once_with_its_reduced_list_and_dialect(store: Store) -> None:
    for _ in range(2):
        policy_runs(store, ["rules:2,1,100,10,1000", "rules:100,10@documented", "greedy"])  # type: ignore[arg-type] # names
    entered = [Entry("3,2", "rules:3")]
    store.add_batch("s", {}, entered, game="aces-up", variant="standard", engine="native")
    rows = store._db.execute("SELECT policy, reduced, dialect FROM strategy ORDER BY id").fetchall()
    assert rows == [
        ("rules:2,1,100,10,1000", "2,1,100,1000", "classic"),
        ("rules:100,10@documented", "100", "documented"),
        ("greedy", None, None),
        ("rules:3", "3", "classic"),
    ]


def test_the_same_list_entered_twice_counts_twice(store: Store) -> None:
    batch = store.add_batch("s", {}, [Entry("3", "rules:3")] * 2, game="aces-up", variant="standard", engine="native")
    assert [entry.lists for entry, _ in store.entries(batch)] == [2]


def test_a_study_is_deleted_with_its_batches_and_counts(store: Store) -> None:
    batch = store.add_batch("s", {}, ENTERED, game="aces-up", variant="standard", engine="native")
    (run,) = policy_runs(store, "a")
    store.finish_policy_chunks([chunk(run, 0, b"\1")], owner="t")
    store.delete("s")
    for table in ("batch", "batch_entry", "rule_count", "block", "win"):
        assert store._db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table
    assert store.entries(batch) == []


def test_a_browser_finds_rates_and_wins_in_plain(store: Store) -> None:
    (run,) = policy_runs(store, ["rules:3,1"])  # type: ignore[arg-type] # names
    store.finish_policy_chunks([chunk(run, 0, b"\0\1\0\0", bytes(range(4)))], owner="t")
    columns = "study, variant, method, reduced, n, won, rate, mean_score"
    rows = store._db.execute(f"SELECT {columns} FROM run_summary").fetchall()
    assert rows == [("s", "one-deal", "policy:rules:3,1", "3", 4, 1, 0.25, 42.0)]
    wins = store._db.execute("SELECT policy, deck_id, deck, score, tableau_moves, imported FROM win_list").fetchall()
    assert wins == [("rules:3,1", None, "unshuffle:1", 48, 1, 0)]


@pytest.mark.parametrize(
    ("question", "index"),
    [
        ("SELECT * FROM win WHERE seed = 7", "win_by_deck"),
        ("SELECT * FROM run WHERE strategy_id = 7", "run_by_strategy"),
        ("SELECT * FROM imported_win WHERE deck_id = 7", "imported_win_by_deck"),
        ("SELECT * FROM imported_win WHERE strategy_id = 7", "imported_win_by_strategy"),
        ("SELECT * FROM batch_entry WHERE strategy_id = 7", "batch_entry_by_strategy"),
        ("SELECT * FROM batch WHERE study_id = 7", "batch_by_study"),
    ],
)
def test_both_directions_have_an_index(store: Store, question: str, index: str) -> None:
    plan = " ".join(row[3] for row in store._db.execute(f"EXPLAIN QUERY PLAN {question}"))
    assert index in plan
