"""The first deals of a study, decided again on the other engine."""

from __future__ import annotations

from pathlib import Path

import pytest

import unshuffle.study
from tests.store.making import rewrite
from unshuffle import engine
from unshuffle.errors import InternalError, UsageError
from unshuffle.store import Store
from unshuffle.study.recheck import recheck_run

pytestmark = pytest.mark.both_engines

needs_both = pytest.mark.skipif(engine._native_module() is None, reason="there is only one engine")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "s.sqlite")


@needs_both
def test_both_engines_agree(store: Store) -> None:
    with store:
        (run,) = unshuffle.study.run("s", "belle-lucie", solver=True, seeds="0..14", store=store.path)
        assert recheck_run(store, run, 10) == "recheck of belle-lucie/one-deal: the engines agree on 10 of 10 deals"
        assert "15 of 15 deals" in recheck_run(store, run, 1000)


@needs_both
@pytest.mark.parametrize("change", ["status = 'solved', score = 52", "score = score + 1"])
def test_a_disagreement_names_the_deal(store: Store, change: str) -> None:
    with store:
        (run,) = unshuffle.study.run("s", "belle-lucie", solver=True, maximize=True, seeds="0..9", store=store.path)
        rewrite(store, f"UPDATE result SET {change} WHERE seed = 6")
        with pytest.raises(InternalError, match="disagree on 1 of 10 deals") as caught:
            recheck_run(store, run, 10)
    assert "belle-lucie/one-deal@6: " in str(caught.value)


@needs_both
def test_what_was_inferred_is_decided_again(store: Store) -> None:
    loose = "fan"
    with store:
        for variant in (loose, "one-deal"):
            (run,) = unshuffle.study.run(
                "s", "belle-lucie", variant=variant, solver=True, seeds="0..11", nodes=500, store=store.path
            )
        inferred = store.summary(run).inferred
        assert inferred > 2
        assert f"agree on 12 of 12 deals ({inferred} of them inferred)" in recheck_run(store, run, 12)
        seed = next(row["seed"] for row in store.rows(run) if row["inferred_from"])
        rewrite(store, "UPDATE result SET status = 'solved' WHERE run_id = ? AND seed = ?", run.id, seed)
        with pytest.raises(InternalError, match="disagree on 1 of 12 deals") as caught:
            recheck_run(store, run, 12)
    assert f"belle-lucie/one-deal@{seed}: inferred from {loose} solved" in str(caught.value)


@needs_both
def test_a_limit_is_no_disagreement(store: Store) -> None:
    with store:
        (run,) = unshuffle.study.run("s", "belle-lucie", solver=True, nodes=2, seeds="0..19", store=store.path)
        assert "were stopped by a limit on one side" in recheck_run(store, run, 20)


def test_a_policy_has_nothing_to_decide(store: Store) -> None:
    with store:
        (run,) = unshuffle.study.run("s", "belle-lucie", policy="random", seeds="0..9", store=store.path)
        with pytest.raises(UsageError, match="has no verdicts that another engine could check"):
            recheck_run(store, run, 5)


def test_a_game_without_a_twin_has_no_other_engine(store: Store) -> None:
    from tests.laws import ROOT

    unshuffle.load(ROOT / "examples" / "golf.py")
    with store:
        (run,) = unshuffle.study.run("s", "golf", solver=True, nodes=5, seeds="0..1", store=store.path)
        with pytest.raises(UsageError, match="so there is n"):
            recheck_run(store, run, 2)
