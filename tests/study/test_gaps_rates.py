"""The page of rates of Gaps: made from the store alone, and saying no more than it shows."""

from __future__ import annotations

import runpy
import sys
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

BENCH = ROOT / "benches" / "gaps_rates.py"
PLAN = ROOT / "benches" / "gaps_rates.toml"
STUDY = "gaps-rates"

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


def fill(store: Store, variant: str, won: int, lost: int, undecided: int = 0) -> None:
    """A run of the solver that ended so."""
    n = won + lost + undecided
    spec = make_spec(n, game="gaps", variant=variant, rules=write_rules(un.game("gaps", variant).rules))
    run = store.add_run(STUDY, spec)
    ends = ["solved"] * won + ["unsolvable"] * lost + ["node-limit"] * undecided
    rows: list[SolverRow] = [
        (seed, end, 48 if end == "solved" else 30, end == "solved", 10, 0.0, None, None)
        for seed, end in enumerate(ends)
    ]
    store.finish_solver_chunk(run, 0, n - 1, rows, owner=OWNER, engine="native", replayed=3)


def play(store: Store, tournament: Any, player: str, won: Sequence[bool]) -> None:
    """A run of a player that ended so; lost games have 30 points."""
    rules = write_rules(un.game("gaps", tournament.variant).rules)
    method = f"policy:{player}:{tournament.budget}"
    spec = make_spec(len(won), game="gaps", variant=tournament.variant, rules=rules, method=method)
    run = store.add_run(tournament.study, spec)
    scores = bytes(48 if each else 30 for each in won)
    store.finish_policy_chunk(run, 0, scores, won, owner=OWNER, engine="native", replayed=2)


def test_the_page_says_what_is_in_the_store(store: Store) -> None:
    with pytest.raises(UsageError, match="has no studies yet"):
        SCRIPT["write_page"](store, STUDY)
    fill(store, "addiction-one-deal", 62, 38)
    fill(store, "one-deal", 80, 15, 5)
    first = SCRIPT["TOURNAMENTS"][0]
    play(store, first, "max-locked", [True] * 85 + [False] * 15)
    play(store, first, "value", [True] * 80 + [False] * 2 + [True] * 18)
    page = SCRIPT["write_page"](store, STUDY)
    for wins in (62, 85, 98):
        assert f"| {write_percent(wins / 100, Rate(wins, 100 - wins).interval)} |" in page
    as_won = write_percent(0.85, Rate(80, 15, 5).interval_if_won)
    assert f"| `one-deal` | 100 | 80 | 5 | {write_percent(0.8, Rate(80, 15, 5).interval)} | {as_won} |" in page
    test = mcnemar(15, 2, 83, 0)
    assert f"| {write_p(test.p)} |" in page
    assert "`value:0.3s` beside `max-locked:0.3s` | 100 | 15 | 2 |" in page
    assert "Blake and Gent 2026" in page
    # What nobody has played is not spoken of.
    assert "### `montana`" not in page


def test_the_commands_of_the_page_can_be_run() -> None:
    plan = read_plan(PLAN)
    assert plan.name == STUDY
    for tournament in SCRIPT["TOURNAMENTS"]:
        game = un.game("gaps", tournament.variant)
        for policy in tournament.policies:
            assert policy_of(game, policy).name == policy
        assert f"--variant {tournament.variant} " in tournament.command
        assert f"--seeds 0..{tournament.last_seed} --name {tournament.study}" in tournament.command
