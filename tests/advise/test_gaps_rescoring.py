"""The best ends of Gaps tried with simulated redeals: the same luck for all, and no more than the time allows."""

from __future__ import annotations

from dataclasses import replace
from math import inf, sqrt
from time import monotonic

import pytest

import unshuffle as un
from tests.advise.gaps_seat import ROWS
from unshuffle.games.gaps import State
from unshuffle.games.gaps.advise.words import claim
from unshuffle.games.gaps.hidden import rescoring, values
from unshuffle.games.gaps.hidden.choice import policy_of
from unshuffle.games.gaps.hidden.ends import Budget, Searches, met_shapes, shape_of
from unshuffle.games.gaps.hidden.planner import Planner
from unshuffle.games.gaps.hidden.rescoring import Candidate, Rescoring
from unshuffle.games.gaps.hidden.values import TABLES, Shape
from unshuffle.games.gaps.rules import Rules
from unshuffle.solve import Status, replay

pytestmark = pytest.mark.both_engines

GAME = un.game("gaps")
BOARD: State = GAME.parse("\n".join(ROWS))


def candidates(chance: float = 0.5, se: float = 0.1) -> list[Candidate]:
    found = Searches().ends(BOARD, Budget(seconds=None))
    return [Candidate(end.moves, end.locks, chance, se) for end in found.ends]


def test_all_candidates_meet_the_same_shuffles() -> None:
    asked: dict[Shape, list[State]] = {}
    found = candidates()
    tried = Rescoring(BOARD)
    tried.candidates |= {candidate.shape: candidate for candidate in found}
    for candidate in found:
        asked[candidate.shape] = [tried._dealt(candidate, number) for number in range(5)]
        end = replay(BOARD, candidate.moves).states[-1]
        for number, board in enumerate(asked[candidate.shape]):
            assert board.used == BOARD.used + 1
            # What is kept stays; the rest comes in the order of one deck.
            free = [board.cells[cell] for cell in end.free_cells]
            assert free == list(end.dealt(tried._decks[number]))
            assert shape_of(board.locks) >= candidate.shape
    assert Rescoring(BOARD)._dealt(found[0], 3) == asked[found[0].shape][3]


def test_the_worse_half_is_dropped_and_the_rest_is_tried_on(monkeypatch: pytest.MonkeyPatch) -> None:
    found = candidates()
    best = max(found, key=lambda candidate: candidate.shape).shape

    def search(board: State, budget: Budget) -> tuple[Status, set[Shape]]:
        calls.append(board)
        clock[0] += 1
        return (Status.SOLVED if current[0] == best and len(calls) % 7 else Status.UNSOLVABLE), set()

    calls: list[State] = []
    clock, current = [0.0], [best]
    dealt = Rescoring._dealt

    def watched(self: Rescoring, candidate: Candidate, number: int) -> State:
        current[0] = candidate.shape
        return dealt(self, candidate, number)

    monkeypatch.setattr(Rescoring, "_dealt", watched)
    monkeypatch.setattr(rescoring, "met_shapes", search)
    monkeypatch.setattr(rescoring, "monotonic", lambda: clock[0])
    monkeypatch.setattr(Rescoring, "_is_clear", lambda *_: False)
    tried = Rescoring(BOARD)
    tried.run(found, 60.0, lambda: False)
    counts = {shape: len(tries) for shape, tries in tried.tries.items()}
    assert len(counts) == 4
    assert sum(counts.values()) == len(calls) == 60
    assert sorted(counts.values())[:2] == [8, 8]
    assert counts[best] >= 21
    chance, se, number = tried.worth(best)
    assert (chance > 0.6, se < 0.1, number) == (True, True, counts[best])
    # Asked again, it goes on.
    tried.run(found, 100.0, lambda: False)
    assert len(tried.tries[best]) > counts[best]


def test_what_is_clear_is_not_tried_on_and_what_is_stopped_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rescoring, "met_shapes", lambda *_: (Status.UNSOLVABLE, set()))
    first, second, *_ = candidates()
    tried = Rescoring(BOARD)
    tried.run([replace(first, chance=0.9, se=0.01), replace(second, chance=0.2, se=0.01)], inf, lambda: False)
    assert not tried.tries
    tried = Rescoring(BOARD)
    tried.run([first, second], inf, lambda: True)
    assert not tried.tries
    tried.run([first], monotonic() + 10, lambda: False)
    assert not tried.tries


def test_a_search_that_had_no_time_counts_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rescoring, "met_shapes", lambda *_: (Status.TIME_LIMIT, set()))
    tried = Rescoring(BOARD)
    found = candidates(0.4, 0.03)
    tried.run(found, monotonic() + 100, lambda: False)
    assert not any(tried.tries.values())
    assert tried.worth(found[0].shape) == (0.4, 0.03, 0)


def test_table_and_tries_are_weighed_by_hand() -> None:
    first, second = (replace(candidate, chance=0.5, se=0.1) for candidate in candidates()[:2])
    tried = Rescoring(BOARD, {first.shape: first, second.shape: second})
    # 25 tries vary by 0.25 / 25 = 0.01 = 0.1 ** 2: as sure as the table.
    tried.tries = {first.shape: [1.0] * 20 + [0.0] * 5, second.shape: [1.0] * 10 + [0.0] * 15}
    assert tried.worth(first.shape) == pytest.approx((0.65, sqrt(0.005), 25))
    assert tried.worth(second.shape)[0] == pytest.approx(0.45)
    # The pairs differ by 0.4 on the mean, with a variance of 0.25: 0.01 for 25 of them; the table's is 0.02.
    points, noise = tried.margin(first.shape, second.shape)
    assert points == pytest.approx(0.4 * 2 / 3)
    assert noise == pytest.approx(sqrt(0.02 * 0.01 / 0.03))
    tried.tries[second.shape] = [1.0] * 4
    assert tried.margin(first.shape, second.shape) == pytest.approx((0.0, sqrt(0.02)))


def test_tries_are_no_surer_than_the_values_that_they_rest_on() -> None:
    first, second = (replace(candidate, chance=0.5, se=0.1) for candidate in candidates()[:2])
    tried = Rescoring(BOARD, {first.shape: first, second.shape: second})
    tried.tries = {first.shape: [0.6] * 100_000, second.shape: [0.4] * 100_000}
    tried.errors = {first.shape: [0.02] * 100_000, second.shape: [0.0] * 100_000}
    assert tried.worth(first.shape)[1] == pytest.approx(0.02, rel=0.05)
    assert tried.worth(second.shape)[1] < 0.002
    assert tried.margin(first.shape, second.shape) == pytest.approx((0.2, 0.02), abs=0.005)


def test_what_is_exact_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rescoring, "met_shapes", lambda *_: (Status.SOLVED, set()))
    monkeypatch.setattr(Rescoring, "_is_clear", lambda self, alive: sum(map(len, self.tries.values())) >= 20)
    first, second, third, _ = candidates(0.5, 0.1)
    tried = Rescoring(BOARD)
    tried.run([replace(first, se=0.0), replace(second, se=0.0)], monotonic() + 100, lambda: False)
    assert not tried.tries
    tried = Rescoring(BOARD)
    tried.run([replace(first, se=0.0), second, third], monotonic() + 100, lambda: False)
    assert tried.tries.keys() == {second.shape, third.shape}
    assert tried.worth(first.shape) == (0.5, 0.0, 0)
    # Only the luck of the other one is in the margin.
    assert tried.margin(second.shape, first.shape) == pytest.approx(
        (tried.worth(second.shape)[0] - 0.5, tried.worth(second.shape)[1])
    )


def test_what_is_exact_is_told_as_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "lookup", lambda rules, shape, k: values.Value(sum(shape) / 48, 0.0))
    plan = Planner(Rules()).plan(BOARD, Budget(seconds=0.5, threads=1))
    text = "\n".join(claim(BOARD, plan, "none"))
    assert "(by the table of values; exact; hidden: what a player sees)" in text
    assert "The plan is worth 2.1 points more than 12/12/11/3: exact." in text
    assert plan.best.tries == 0
    assert plan.margin == pytest.approx((1 / 48, 0.0))


def test_a_phase_that_is_not_won_is_worth_its_best_end() -> None:
    late = GAME.parse("Redeals used: 1\n" + "\n".join(ROWS))
    status, shapes = met_shapes(late, Budget(seconds=None, threads=1))
    assert (status, shapes) == (Status.UNSOLVABLE, {(12, 12, length, 3) for length in (9, 10, 11, 12)})
    for shape in shapes:
        value = values.lookup(late.rules, shape, 2)
        assert value is not None
        assert rescoring._left(late, shape) == (value.p, value.se)
    assert rescoring._left(replace(late, used=3), (12, 12, 12, 3)) == (0, 0)


# The plan.


def test_where_values_are_known_they_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {policy_of(rules) for rules in TABLES.values()} == {"value"}
    assert policy_of(Rules(redeals=1, fixed_suits="CHSD")) == "max-locked"
    assert policy_of(Rules(redeal_gaps="after-run", early_redeal=True)) == "fresh"
    # The end that is worth most is chosen, whatever is locked.
    worth = {(12, 12, 9, 3): 0.5, (12, 12, 10, 3): 0.6, (12, 12, 11, 3): 0.4, (12, 12, 12, 3): 0.3}
    monkeypatch.setattr(values, "lookup", lambda rules, shape, k: values.Value(worth.get(shape, 0.1), 0.01))
    plan = Planner(Rules()).plan(BOARD, Budget(seconds=0.5, threads=1))
    assert (plan.policy, plan.best.shape) == ("value", (12, 12, 10, 3))
    assert [rival.shape for rival in plan.rivals] == [(12, 12, 9, 3), (12, 12, 11, 3), (12, 12, 12, 3)]
    assert plan.margin is not None
    assert plan.margin[0] > 0


@pytest.mark.parametrize(("rules", "better"), [(Rules(), (12, 12, 10, 3)), (Rules(early_redeal=True), (12, 12, 11, 3))])
def test_why_fewer_cards_are_locked(monkeypatch: pytest.MonkeyPatch, rules: Rules, better: Shape) -> None:
    board = replace(BOARD, rules=rules)
    monkeypatch.setattr(
        values, "lookup", lambda rules, shape, k: values.Value(0.6 if tuple(shape) == better else 0.3, 0.01)
    )
    plan = Planner(rules).plan(board, Budget(seconds=None, threads=1))
    assert (plan.policy, plan.best.shape) == ("value", better)
    text = "\n".join(claim(board, plan, "none"))
    assert "Over whole games one wins more often by this than by the most cards." in text
    monkeypatch.setattr(values, "lookup", lambda rules, shape, k: values.Value(sum(shape) / 48, 0.01))
    plan = Planner(rules).plan(board, Budget(seconds=None, threads=1))
    assert plan.best.shape == (12, 12, 12, 3)
    assert "Why" not in "\n".join(claim(board, plan, "none"))


def test_without_a_clock_nothing_is_simulated() -> None:
    plan = Planner(Rules()).plan(BOARD, Budget(seconds=None, threads=1))
    assert (plan.best.tries, plan.best.score) == (0, 39)
    value = values.lookup(Rules(), (12, 12, 12, 3), 3)
    assert value is not None
    assert (plan.best.chance, plan.best.se) == (value.p, value.se)
