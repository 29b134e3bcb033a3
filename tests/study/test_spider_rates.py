"""The page of rates of Spider: made from the store alone, and saying no more than it shows."""

from __future__ import annotations

import runpy
import sys
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
from tests.laws import ROOT
from tests.study.filled import OWNER, make_spec
from unshuffle.errors import UsageError
from unshuffle.rulebook import write_rules
from unshuffle.simulate import policy_of
from unshuffle.store import SolverRow, Store
from unshuffle.study import read_plan
from unshuffle.study.statistics import Rate, mcnemar, write_percent
from unshuffle.study.tables import write_p

BENCH = ROOT / "benches" / "spider_rates.py"
PLAN = ROOT / "benches" / "spider_rates.toml"
STUDY = "spider-rates"

pytestmark = pytest.mark.engine_free


def _load() -> dict[str, Any]:
    """The script and what it imports; it looks for its neighbours, which nobody else should find."""
    path = list(sys.path)
    try:
        return runpy.run_path(str(BENCH))
    finally:
        sys.path[:] = path


SCRIPT = _load()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "s.sqlite") as opened:
        yield opened


def fill(store: Store, variant: str, won: int, undecided: int) -> None:
    """A run of the solver that ended so."""
    n = won + undecided
    spec = make_spec(n, game="spider", variant=variant, rules=write_rules(un.game("spider", variant).rules))
    run = store.add_run(STUDY, spec)
    ends = ["solved"] * won + ["node-limit"] * undecided
    rows: list[SolverRow] = [
        (seed, end, 800 if end == "solved" else 30, False, 10, 0.0, None, None) for seed, end in enumerate(ends)
    ]
    store.finish_solver_chunk(run, 0, n - 1, rows, owner=OWNER, engine="native", replayed=3)


def play(store: Store, tournament: Any, policy: str, won: Sequence[bool]) -> None:
    """A run of a player that ended so; lost games have 100 points less than none."""
    rules = write_rules(un.game("spider", tournament.variant).rules)
    spec = make_spec(len(won), game="spider", variant=tournament.variant, rules=rules, method=f"policy:{policy}")
    run = store.add_run(tournament.study, spec)
    scores = array("h", (800 if each else -100 for each in won))
    store.finish_policy_chunk(run, 0, scores, won, owner=OWNER, engine="native", replayed=2)


def test_the_page_says_what_is_in_the_store(store: Store) -> None:
    with pytest.raises(UsageError, match="has no studies yet"):
        SCRIPT["write_page"](store, STUDY)
    fill(store, "4-suits", 98, 2)
    first = SCRIPT["TOURNAMENTS"][0]
    play(store, first, "greedy", [False] * 100)
    play(store, first, "plan:16", [True] * 14 + [False] * 86)
    play(store, first, "search:24", [True] * 10 + [False] * 4 + [True] * 20 + [False] * 66)
    page = SCRIPT["write_page"](store, STUDY)
    for wins in (0, 14, 30):
        assert f"| {write_percent(wins / 100, Rate(wins, 100 - wins).interval)} |" in page
    as_won = write_percent(1.0, Rate(98, 0, 2).interval_if_won)
    assert f"| `4-suits` | 100 | 98 | 2 | {write_percent(0.98, Rate(98, 0, 2).interval)} | {as_won} |" in page
    assert f"| {write_p(mcnemar(20, 4, 10, 66).p)} |" in page
    assert "`search:24` beside `plan:16` | 100 | 20 | 4 |" in page
    # What nobody has played is not spoken of.
    assert "### `2-suits`" not in page


def test_the_commands_of_the_page_can_be_run() -> None:
    plan = read_plan(PLAN)
    assert plan.name == STUDY
    for tournament in SCRIPT["TOURNAMENTS"]:
        game = un.game("spider", tournament.variant)
        for policy in tournament.policies:
            assert policy_of(game, policy).name == policy
        assert f"--variant {tournament.variant} " in tournament.command
        assert f"--seeds 0..{tournament.last_seed} --name {tournament.study}" in tournament.command
