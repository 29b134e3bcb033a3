"""The page of rates of Aces Up: made from the store alone, and saying no more than it shows."""

from __future__ import annotations

import runpy
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binomtest, chi2_contingency

import unshuffle as un
from tests.laws import ROOT
from tests.study.filled import OWNER, make_spec
from unshuffle.errors import UsageError
from unshuffle.rulebook import write_rules
from unshuffle.simulate import policy_of
from unshuffle.store import Run, SolverRow, Store
from unshuffle.study import read_plan
from unshuffle.study.statistics import Rate, compare_counts, holm, mcnemar, write_percent
from unshuffle.study.tables import write_p

BENCH = ROOT / "benches" / "aces_up_rates.py"
PLAN = ROOT / "benches" / "aces_up_rates.toml"
STUDY = "aces-up-rates"
MATSSSON = {48: 234_035, 47: 127_732, 46: 83_047, 45: 60_254, 44: 72_394, 43: 51_782}


def _load() -> dict[str, Any]:
    """The script and what it imports; it looks for its neighbours, which nobody else should find."""
    path = list(sys.path)
    try:
        return runpy.run_path(str(BENCH))
    finally:
        sys.path[:] = path


SCRIPT = _load()


def make(store: Store) -> str:
    page: str = SCRIPT["write_page"](store, STUDY)
    return page


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "s.sqlite") as opened:
        yield opened


def fill(store: Store, variant: str, scores: Sequence[int], undecided: int = 0) -> Run:
    """A maximizing run with these best scores, and so many deals more that a limit has stopped."""
    n = len(scores) + undecided
    game = un.game("aces-up", variant)
    spec = make_spec(n, game="aces-up", variant=variant, rules=write_rules(game.rules), maximize=True)
    run = store.add_run(STUDY, spec)
    rows: list[SolverRow] = [
        (seed, "solved" if score == 48 else "unsolvable", score, True, 10, 0.0, None, None)
        for seed, score in enumerate(scores)
    ]
    rows += [(seed, "node-limit", 40, False, 20, 0.0, None, None) for seed in range(len(scores), n)]
    store.finish_solver_chunk(run, 0, n - 1, rows, owner=OWNER, engine="native", replayed=3)
    return run


def play(store: Store, policy: str, won: Sequence[bool], variant: str = "standard", study: str = STUDY) -> Run:
    """A run of a player that ended so; lost games have 30 points."""
    rules = write_rules(un.game("aces-up", variant).rules)
    method = f"policy:{policy}"
    spec = make_spec(len(won), game="aces-up", variant=variant, rules=rules, method=method)
    run = store.add_run(study, spec)
    scores = bytes(48 if each else 30 for each in won)
    store.finish_policy_chunk(run, 0, scores, won, owner=OWNER, engine="native", replayed=2)
    return run


def words(page: str, section: str) -> str:
    """A section, however its lines are broken."""
    return " ".join(page.partition(f"# {section}")[2].partition("\n## ")[0].split())


def cells(page: str, first: str) -> list[str]:
    """The row that begins so."""
    (line,) = [line for line in page.splitlines() if line.startswith(f"| `{first}` |")]
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_perfect_play_stands_there_with_counts_intervals_and_best_scores(store: Store) -> None:
    fill(store, "must-fill", [40] * 88 + [48] * 12)
    fill(store, "relaxed-discards", [48] * 3 + [20], undecided=6)
    page = make(store)
    rate = write_percent(0.12, Rate(12, 88).interval)
    assert f"| `must-fill` | 100 | 12 | 0 | {rate} | - | 40.96 [40.45, 41.47] | 10.00 | 10 |" in page
    row = (Rate(3, 1, 6).interval, Rate(3, 1, 6).interval_if_won)
    as_lost, as_won = write_percent(0.3, row[0]), write_percent(0.9, row[1])
    # A best score that nobody has proved is in no mean.
    assert f"| `relaxed-discards` | 10 | 3 | 6 | {as_lost} | {as_won} | - | 10.00 | 10 |" in page
    assert "for 2 of 11 variants" in " ".join(page.split())
    assert "open: all cards known" in page


def test_mastens_rate_is_tested_as_exact_but_for_its_rounding(store: Store) -> None:
    fill(store, "must-fill", [48] * 200 + [40] * 800)
    said = words(make(store), "Published rates of perfect play")
    p = binomtest(200, 1000, 0.11575).pvalue
    assert f"ours would be told apart from it at 5 % (binomial test, p {write_p(p)})" in said
    assert "**matssson**: 234,035 of 1,000,000, 23.404 %; by its rules `last-empty`. That variant is not in" in said


@pytest.mark.parametrize(("won", "verdict"), [(234, "not told apart"), (400, "told apart")])
def test_matsssons_rate_and_scores_are_tested(store: Store, won: int, verdict: str) -> None:
    fill(store, "last-empty", [48] * won + [43] * (1000 - won))
    page = make(store)
    p = compare_counts(won, 1000, 234_035, 1_000_000).p
    said = words(page, "Published rates of perfect play")
    assert f"chi-square, p {write_p(p)}: at 5 % {verdict}." in said
    assert f"{'within' if won == 234 else 'not within'} his interval of 99.99 % [23.239, 23.569]" in said
    ours = [won, 0, 0, 0, 0, 1000 - won, 0]
    theirs = [*MATSSSON.values(), 1_000_000 - sum(MATSSSON.values())]
    test = chi2_contingency([ours, theirs], correction=False)
    said = words(page, "Best scores of `last-empty`")
    assert f"Chi-square {test.statistic:.2f} with 6 degrees of freedom, p {write_p(test.pvalue)}" in said
    assert "the two distributions are told apart" in said
    assert "| less | 0 | 0.000 % | 370,756 | 37.076 % |" in said
    assert f"All of ours: 43: {1000 - won}; 44: 0; 45: 0; 46: 0; 47: 0; 48: {won}." in said


def test_rule_lists_are_set_beside_what_was_measured(store: Store) -> None:
    play(store, "rules:1000", [True] * 50 + [False] * 950)
    play(store, "rules:200", [True] * 7 + [False] * 993)
    page = make(store)
    tests = [compare_counts(50, 1000, 2_516, 400_000).p, compare_counts(7, 1000, 2_704, 400_000).p]
    for name, mean, before, p, adjusted in zip(
        ("rules:1000", "rules:200"), ("30.90", "30.13"), (["0.629 %", "35.97"], ["0.676 %", "36.06"]), tests,
        holm(tests), strict=True,
    ):  # fmt: skip
        row = cells(page, name)
        assert row[4].startswith(f"{mean} [")
        assert row[5:] == [*before, write_p(p), write_p(adjusted)]
    assert "At 5 % after Holm 1 of 2 are not told apart. Told apart: `rules:1000`." in words(page, "Rule lists")
    assert "hidden: what a player sees" in words(page, "Win rates of Aces Up")


def test_one_list_under_two_rules_is_two_tests(store: Store) -> None:
    for variant in ("standard", "last-empty"):
        play(store, "rules:1,1000", [True] * 7 + [False] * 993, variant)
    said = words(make(store), "Published rates of rule lists")
    assert "| 7,178 of 1,000,000 | 0.718 % |" in said
    assert "| `rules:1,1000 (last-empty)` | 1,000 | 7 |" in said
    assert "At 5 % after Holm 2 of 2 are not told apart." in said


def test_other_players_are_paired_with_the_list(store: Store) -> None:
    play(store, "rules:10,100,4,200", [True] * 10 + [False] * 90)
    play(store, "weights", [True] * 5 + [False] * 5 + [True] * 20 + [False] * 70)
    page = make(store)
    test = mcnemar(20, 5, 5, 70)
    assert test.difference is not None
    points = f"{100 * test.difference:+.2f} [{100 * test.low:+.2f}, {100 * test.high:+.2f}]"
    assert cells(page, "weights")[-2:] == [points, write_p(test.p)]


def test_all_lists_are_ranked_in_groups(store: Store) -> None:
    study = "tournament-aces-up-standard"
    strong, weak = [True] * 300 + [False] * 100, [False] * 400
    for policy, won in (("rules:1", weak), ("rules:10,200", strong), ("rules:20,200", strong), ("rules:3", weak)):
        play(store, policy, won, study=study)
    play(store, "rules:200@documented", [True] * 400, study=study)
    play(store, "rules:1000", [True])
    page = make(store)
    said = words(page, "All rule lists, `classic`")
    assert "4 lists on the same 400 decks" in said
    assert "That makes 2 groups; lists in the first of them: 2, 2." in said
    assert "| `10,200` = `20,200` | 1 | 300 |" in said
    assert "Decks won by at least one list: 300 of 400" in said
    assert "All rule lists, `documented`" not in page, "its own tournament is not there"


def test_a_study_without_the_game_makes_no_page(store: Store) -> None:
    store.add_run("other", make_spec(3))
    with pytest.raises(UsageError, match="no finished deals of aces-up"):
        SCRIPT["write_page"](store, "other")


def test_it_is_a_program(store: Store) -> None:
    play(store, "weights", [True, False])
    page = store.path.parent / "page.md"
    command = [sys.executable, str(BENCH), "--store", str(store.path), "--out", str(page)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert page.read_text(encoding="utf-8") == make(store)


def test_the_plan_has_all_that_the_page_compares() -> None:
    plan = read_plan(PLAN)
    assert plan.name == STUDY
    solved = {part.game.variant: part for part in plan.parts if part.policy is None}
    assert set(solved) == set(un.games()["aces-up"])
    for part in solved.values():
        assert part.maximize
        assert part.limits is not None
        assert part.limits.seconds is None
    assert len(solved["last-empty"].seeds) == 1_000_000
    played = {(part.game.variant, part.policy): part.seeds for part in plan.parts if part.policy is not None}
    wanted = {
        ("standard", name) for table in ("RESEARCH_LISTS", "PEER_LISTS", "RESEARCH_PLAYERS") for name in SCRIPT[table]
    }
    planners = {("standard", "planner:0"), ("standard", "planner:60")}
    assert wanted | planners | {("last-empty", "rules:1,1000")} == set(played)
    for variant, name in played:
        assert policy_of(un.game("aces-up", variant), name).name == name
    assert all(len(played["standard", name]) >= 400_000 for name in SCRIPT["RESEARCH_LISTS"])
    assert len(SCRIPT["RESEARCH_LISTS"]) == 26
