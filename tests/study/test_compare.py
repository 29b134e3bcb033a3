"""Comparisons: the right test for the right deals, against counting by hand, and the words that say which and why."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.study.filled import STATUSES, fill_policy, fill_solver
from unshuffle.errors import InternalError, UsageError
from unshuffle.rulebook import write_rules
from unshuffle.store import Store, endings
from unshuffle.study.compare import choose_runs, compare_choices, compare_runs
from unshuffle.study.compare_report import print_compare
from unshuffle.study.statistics import clopper_pearson, compare_counts, holm, mcnemar

statuses = st.lists(st.sampled_from(STATUSES), min_size=1, max_size=40)
sizes = st.lists(st.integers(1, 9), max_size=6)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.sqlite") as opened:
        yield opened


def printed(store: Store, a: str, b: str, **options: Any) -> str:
    out = io.StringIO()
    print_compare(store, a, b, out=out, **options)
    return " ".join(out.getvalue().split())


def by_hand(a: Sequence[str], b: Sequence[str], won: Sequence[str]) -> tuple[int, int, int, int]:
    pairs = [(one in won, other in won) for one, other in zip(a, b, strict=False)]
    only_a, only_b, both, neither = map(pairs.count, ((True, False), (False, True), (True, True), (False, False)))
    return only_a, only_b, both, neither


@given(statuses, statuses, sizes, sizes)
def test_pairs_are_counted_as_by_hand(a: list[str], b: list[str], cut_a: list[int], cut_b: list[int]) -> None:
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "store.sqlite") as store:
        fill_solver(store, "a", a, sizes=cut_a)
        fill_solver(store, "b", b, sizes=cut_b)
        (found,) = compare_choices(store, "a", "b")
    assert found.is_paired
    assert found.n_a == found.n_b == min(len(a), len(b))
    for reading, won in ((found.as_lost, ("solved",)), (found.as_won, ("solved", "node-limit"))):
        wanted = mcnemar(*by_hand(a, b, won))
        assert (reading.p, reading.difference, reading.interval) == (
            wanted.p,
            wanted.difference,
            (wanted.low, wanted.high),
        )
        if found.extremes is not None:
            assert found.extremes[0] <= wanted.difference <= found.extremes[1]  # type: ignore[operator] # there are deals
    assert (found.extremes is None) == (found.undecided == 0)


@given(statuses, st.lists(st.booleans(), min_size=1, max_size=40))
def test_a_solver_and_a_policy_meet_on_the_same_deals(solver: list[str], policy: list[bool]) -> None:
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "store.sqlite") as store:
        fill_solver(store, "s", solver)
        fill_policy(store, "s", policy)
        assert compare_runs(store, "s") == []
        (found,) = compare_choices(store, "s:one-deal:solver", "s:one-deal:greedy", anyway=True)
    table = by_hand(solver, ["solved" if each else "unsolvable" for each in policy], ("solved",))
    assert (found.as_lost.only_a, found.as_lost.only_b) == table[:2]


@pytest.mark.parametrize("longest", [1, 7, 8, 64])
def test_long_runs_are_read_in_pieces(store: Store, longest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    one = fill_solver(store, "a", [STATUSES[place * place % 3] for place in range(100)], sizes=(13, 5))
    other = fill_solver(store, "b", [STATUSES[place % 3] for place in range(100)], first_seed=31)
    whole = endings.pair_endings(store.endings(one), store.endings(other))
    monkeypatch.setattr(endings, "_LONGEST_SPAN", longest)
    assert endings.pair_endings(store.endings(one), store.endings(other)) == whole


def test_seeds_with_gaps_meet_where_both_are_finished(store: Store) -> None:
    fill_solver(store, "a", ["solved"] * 60)
    fill_solver(store, "b", ["unsolvable"] * 60, first_seed=50)
    (found,) = compare_choices(store, "a", "b")
    assert (found.n_a, found.as_lost.only_a, found.as_lost.only_b) == (10, 10, 0)
    assert "10 finished seeds of generator unshuffle in common" in found.why


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"first_seed": 1000}, "the seeds 0..199 and 1000..1199 have none in common"),
        ({"generator": "python"}, "the generators unshuffle and python shuffle differently"),
        ({"game": "other"}, "belle-lucie and other are different games"),
    ],
)
def test_other_deals_are_independent_counts(store: Store, changes: dict[str, Any], why: str) -> None:
    fill_solver(store, "a", ["solved"] * 50 + ["unsolvable"] * 150)
    fill_solver(store, "b", ["solved"] * 80 + ["unsolvable"] * 100 + ["node-limit"] * 20, **changes)
    (found,) = compare_choices(store, "a", "b", anyway="game" in changes)
    assert not found.is_paired
    assert found.test == "chi-square"
    assert (found.as_lost.p, found.as_won.p) == (
        compare_counts(50, 200, 80, 200).p,
        compare_counts(50, 200, 100, 200).p,
    )
    assert found.as_won.difference == -0.25
    text = printed(store, "a", "b", anyway="game" in changes)
    assert f"Test: chi-square; {why}, so the counts are independent" in text
    assert "25.0 % [19.5, 31.4]" in text
    assert "b wins more often" in text


def test_fisher_serves_both_readings_if_one_needs_it(store: Store) -> None:
    fill_solver(store, "a", ["solved"] * 2 + ["unsolvable"] * 48 + ["time-limit"] * 25)
    fill_solver(store, "b", ["solved"] * 3 + ["unsolvable"] * 47 + ["time-limit"] * 25, first_seed=100)
    assert compare_counts(27, 75, 28, 75).test == "chi-square"
    (found,) = compare_choices(store, "a", "b")
    assert found.test == "fisher"
    assert found.as_lost.p == compare_counts(2, 75, 3, 75).p
    assert found.as_won.p == pytest.approx(1.0)
    assert "an expected count is below 5" in found.why


def test_runs_without_common_deals_yet(store: Store) -> None:
    fill_solver(store, "a", [], planned=10)
    fill_solver(store, "b", ["solved"] * 5, planned=10)
    (found,) = compare_choices(store, "a", "b")
    assert (found.is_paired, found.n_a, found.n_b, found.as_lost.difference) == (False, 0, 5, None)
    assert "no seed is finished in both" in found.why
    assert "nothing can be said" in printed(store, "a", "b")


def test_two_studies_are_matched_run_by_run(store: Store) -> None:
    for study, won in (("old", 30), ("new", 60)):
        for variant in ("one", "two"):
            fill_solver(store, study, ["solved"] * won + ["unsolvable"] * (100 - won), variant=variant)
            fill_policy(store, study, [place < won // 2 for place in range(100)], variant=variant)
    found = compare_choices(store, "old", "new")
    assert [(each.a.study, each.b.study) for each in found] == [("old", "new")] * 4
    assert all((each.a.variant, each.a.method) == (each.b.variant, each.b.method) for each in found)
    # Of one study its variants, method by method.
    found = compare_choices(store, "old:one", "old:two")
    assert [(each.a.method, each.b.method) for each in found] == [("solver",) * 2, ("policy:greedy",) * 2]

    out = io.StringIO()
    print_compare(store, "old", "new", json=True, out=out)
    rows = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [row["p_holm"] for row in rows] == holm([row["p"] for row in rows])
    assert [row["difference"] for row in rows] == [-0.3, -0.15] * 2
    assert rows[0]["a"]["study"] == "old"
    assert rows[0]["test"] == "mcnemar-exact"
    assert printed(store, "old", "new").count("p (Holm of 4)") == 4


def test_names_of_runs(store: Store) -> None:
    fill_solver(store, "a", ["solved"])
    fill_solver(store, "a:b", ["solved"], variant="x")
    fill_policy(store, "a:b", [True], variant="x")
    assert [run.study for run in choose_runs(store, "a")] == ["a"]
    assert [run.method for run in choose_runs(store, "a:b")] == ["solver", "policy:greedy"]
    assert [run.method for run in choose_runs(store, "a:b:x:solver")] == ["solver"]
    for method in ("greedy", "policy:greedy"):
        assert [run.method for run in choose_runs(store, f"a:b:x:{method}")] == ["policy:greedy"]


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ("lucy", "lucie", "unknown study 'lucy'; did you mean 'lucie'"),
        ("lucie:one-dael", "lucie", "unknown variant in the study 'lucie' 'one-dael'; did you mean 'one-deal'"),
        ("lucie:one-deal:gredy", "lucie", "unknown method of lucie:one-deal 'gredy'"),
        ("lucie", "lucie", "'lucie' is belle-lucie/one-deal solver, belle-lucie/one-deal policy:greedy, twice"),
        ("lucie", "other", "nothing to compare: 'lucie' is"),
    ],
)
def test_what_cannot_be_compared_is_said(store: Store, a: str, b: str, message: str) -> None:
    fill_solver(store, "lucie", ["solved"])
    fill_policy(store, "lucie", [True])
    fill_policy(store, "other", [True], method="policy:random")
    with pytest.raises(UsageError) as caught:
        print_compare(store, a, b, out=io.StringIO())
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        (["solved"] * 90 + ["unsolvable"] * 10, ["solved"] * 10 + ["unsolvable"] * 90, "a wins more often"),
        (["solved"] * 50 + ["unsolvable"] * 50, ["solved"] * 51 + ["unsolvable"] * 49, "do not tell them apart"),
        (["solved"] * 50 + ["node-limit"] * 50, ["solved"] * 90 + ["unsolvable"] * 10, "depends on the undecided"),
        # Both readings agree; yet b's undecided deals alone could turn it.
        (["solved"] * 40 + ["node-limit"] * 60, ["solved"] * 20 + ["node-limit"] * 60 + ["unsolvable"] * 20, "depends"),
    ],
)
def test_the_last_word(store: Store, a: list[str], b: list[str], verdict: str) -> None:
    fill_solver(store, "a", a)
    fill_solver(store, "b", b)
    text = printed(store, "a", "b")
    assert verdict in text
    assert ("however they would end" in text) == ("node-limit" in a + b)


# Rules of which one implies the other, and what does not answer one question.


def fill_nested(store: Store, strict: Sequence[str], loose: Sequence[str], **changes: Any) -> None:
    """La Belle Lucie without a redeal is stricter than with two; each in a study of its own."""
    for study, variant, ends in (("strict", "one-deal", strict), ("loose", "classic", loose)):
        rules = write_rules(un.game("belle-lucie", variant).rules)
        fill_solver(store, study, ends, variant=variant, rules=rules, **(changes if study == "loose" else {}))


@pytest.mark.parametrize("sides", [("strict", "loose"), ("loose", "strict")])
def test_one_deal_proves_that_nested_rules_differ(store: Store, sides: tuple[str, str]) -> None:
    fill_nested(store, ["solved"] * 3 + ["unsolvable"] * 97, ["solved"] * 6 + ["unsolvable"] * 94)
    (found,) = compare_choices(store, *sides)
    letter, sign = ("a", -1) if sides[0] == "strict" else ("b", 1)
    low, high = clopper_pearson(3, 100)
    assert (found.test, found.stricter, found.as_lost.p, found.as_lost.is_proved) == ("nested-exact", letter, 0, True)
    assert found.as_lost.interval is not None
    assert found.as_lost.difference == sign * 0.03
    assert sorted(map(abs, found.as_lost.interval)) == [low, high]
    assert all(sign * end > 0 for end in found.as_lost.interval)
    text = printed(store, *sides)
    assert f"The rules of {letter} are stricter: what is won under them is won under those of" in text
    assert " proved " in text
    assert f"That they differ is proved: {'b' if letter == 'a' else 'a'} wins more often." in text
    (row,) = [json.loads(printed(store, *sides, json=True))]
    assert (row["p"], row["stricter"]) == (0, letter)


def test_nested_rules_without_a_deal_between_them(store: Store) -> None:
    fill_nested(store, ["solved"] * 3 + ["unsolvable"] * 97, ["solved"] * 3 + ["unsolvable"] * 97)
    (found,) = compare_choices(store, "strict", "loose")
    assert found.as_lost.interval is not None
    assert (found.as_lost.p, found.as_lost.difference, found.as_lost.interval.high) == (1, 0, 0)
    assert found.as_lost.interval.low == -clopper_pearson(0, 100).high
    text = printed(store, "strict", "loose")
    assert "do not tell them apart" in text
    assert "-0.0" not in text


@given(st.lists(st.sampled_from([(a, b) for a in STATUSES for b in STATUSES if (a, b) != ("solved", "unsolvable")])))
def test_undecided_deals_of_nested_rules_are_settled_where_the_other_decides_them(pairs: list[tuple[str, str]]) -> None:
    """Law: both readings and both extremes lie among what the undecided deals can turn out to be, in that order."""
    if not pairs:
        return
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "store.sqlite") as store:
        fill_nested(store, [a for a, _ in pairs], [b for _, b in pairs])
        (found,) = compare_choices(store, "strict", "loose")
    ends = {"solved": [1], "unsolvable": [0], "node-limit": [0, 1]}
    can_be = [[a - b for a in ends[one] for b in ends[other] if a <= b] for one, other in pairs]
    least, most = (sum(map(choose, can_be)) / len(pairs) for choose in (min, max))
    assert found.settled == sum(pair in (("solved", "node-limit"), ("node-limit", "unsolvable")) for pair in pairs)
    assert found.settled + found.undecided == sum("node-limit" in pair for pair in pairs)
    assert (found.extremes or (least, most)) == (least, most)
    for reading in (found.as_lost, found.as_won):
        assert reading.only_a == 0
        assert least <= (reading.difference or 0) <= most
        assert reading.interval is not None
        assert reading.interval.high <= 0
    # What is proved is so whatever the undecided deals turn out to be.
    is_proved = most < 0
    assert [reading.is_proved for reading in found.readings] == [is_proved, is_proved]
    assert all(reading.is_certain >= is_proved for reading in found.readings)


def test_nested_rules_that_hang_on_undecided_deals_are_not_told_apart(store: Store) -> None:
    fill_nested(store, ["node-limit"] * 30 + ["unsolvable"] * 70, ["solved"] * 30 + ["unsolvable"] * 70)
    """What was wrong: the row of the undecided deals as lost said "proved"."""
    (found,) = compare_choices(store, "strict", "loose")
    assert [reading.is_proved for reading in found.readings] == [False, False]
    assert [reading.is_certain for reading in found.readings] == [True, False]
    text = printed(store, "strict", "loose")
    assert "It depends on the undecided deals" in text
    assert "only if undecided ones end as a row has it (certain if so)." in text
    assert text.count("certain if so") == 2
    assert "proved:" not in text


def test_nested_rules_that_contradict_each_other_are_an_error(store: Store) -> None:
    fill_nested(store, ["solved", "solved"], ["solved", "unsolvable"])
    with pytest.raises(InternalError, match="contradict each other") as caught:
        compare_choices(store, "strict", "loose")
    assert "belle-lucie/one-deal@1: solved; unsolvable in classic" in str(caught.value)


def test_nested_rules_on_other_deals_are_compared_one_sided(store: Store) -> None:
    fill_nested(store, ["solved"] * 50 + ["unsolvable"] * 150, ["solved"] * 60 + ["unsolvable"] * 140, first_seed=1000)
    two_sided = compare_counts(50, 200, 60, 200).p
    for sides in (("strict", "loose"), ("loose", "strict")):
        (found,) = compare_choices(store, *sides)
        assert found.test == "chi-square-one-sided"
        assert found.as_lost.p == pytest.approx(two_sided / 2)
        assert "cannot be the higher one, and p asks only whether it is the lower one" in printed(store, *sides)


def test_rules_that_imply_each_other_win_the_same_deals(store: Store) -> None:
    """In Gaps a verdict is about a phase, so the number of redeals changes none."""
    for study, variant in (("one", "addiction"), ("other", "addiction+redeals=1")):
        game = un.game("gaps", variant)
        rules = write_rules(game.rules)
        fill_solver(store, study, ["solved", "node-limit"], game="gaps", variant=game.variant, rules=rules)
    (found,) = compare_choices(store, "one", "other")
    assert (found.stricter, found.as_lost.p, found.as_lost.interval) == ("both", 1, (0, 0))
    assert "They win the same first phases." in printed(store, "one", "other")


def test_policies_under_nested_rules_are_not_nested(store: Store) -> None:
    for study, variant in (("one", "one-deal"), ("other", "classic")):
        rules = write_rules(un.game("belle-lucie", variant).rules)
        fill_policy(store, study, [study == "one", False], variant=variant, rules=rules)
    (found,) = compare_choices(store, "one", "other")
    assert (found.test, found.stricter) == ("mcnemar-exact", None)


@pytest.mark.parametrize(
    ("b", "words"),
    [
        ("player", "belle-lucie/one-deal policy:greedy (hidden: what a player sees)"),
        ("other", "other/one-deal solver (open: all cards known)"),
    ],
)
def test_two_questions_are_compared_only_anyway(store: Store, b: str, words: str) -> None:
    fill_solver(store, "solver", ["solved", "unsolvable"])
    fill_policy(store, "player", [True, False])
    fill_solver(store, "other", ["solved", "unsolvable"], game="other")
    with pytest.raises(UsageError) as caught:
        compare_choices(store, "solver", b)
    for each in ("belle-lucie/one-deal solver (open: all cards known) and ", words, "`--anyway`"):
        assert each in str(caught.value)
    assert "What is compared: " in printed(store, "solver", b, anyway=True)
    assert json.loads(printed(store, "solver", b, anyway=True, json=True))["remark"]
