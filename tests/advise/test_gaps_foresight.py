"""The second pass of Gaps: what each model foretells, when it is refuted, and plans through redeals that are known."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from time import sleep

import pytest

import unshuffle as un
from tests.advise.gaps_seat import DECK, FEWEST, MOST, ROWS, App, play_on
from unshuffle.advise.record import Played
from unshuffle.cards import PACK
from unshuffle.games.gaps import Gaps, Redeal, Rules, State
from unshuffle.games.gaps.advise.adviser import GapsAdviser
from unshuffle.games.gaps.advise.words import claim, closing
from unshuffle.games.gaps.hidden.choice import Known
from unshuffle.games.gaps.hidden.ends import Budget, Ends, Searches
from unshuffle.games.gaps.hidden.foresight import MODELS, SAFER, Foresight, Redealt, check
from unshuffle.games.gaps.hidden.planner import Plan, Planner, _shortened
from unshuffle.solve import Status, replay

pytestmark = pytest.mark.both_engines

KNOWING = tuple(model for model in MODELS if model != "none")
RULES = (Rules(), Rules(redeal_gaps="after-run"))


def a_pass(app: App, rules: Rules, luck: int) -> list[Redealt]:
    """A game by random play, as the records that it leaves."""
    rng = random.Random(luck)
    state = replace(un.game("gaps").parse("\n".join(ROWS)), rules=rules)
    ends: list[tuple[un.Card | None, ...]] = []
    records = []
    for used in range(rules.redeals):
        state = play_on(state, rng)
        ends.append(state.cells)
        layout = app.redeal(tuple(ends))
        records.append(Redealt(tuple(ends), layout))
        state = State(rules, layout, used + 1)
    return records


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.redeal_gaps)
@pytest.mark.parametrize("model", KNOWING)
def test_the_same_play_is_foretold_exactly(model: str, rules: Rules) -> None:
    app = App(model, rules, seed=1)
    first, again = a_pass(app, rules, luck=1), a_pass(app, rules, luck=1)
    assert first == again
    for number, record in enumerate(first):
        foresight = Foresight(rules, model, tuple(first))
        foretold = foresight.foretold(record.ends)
        assert record.layout in foretold
        assert len(foretold) == 1, number  # the same sources: all 24 ways look alike


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.redeal_gaps)
@pytest.mark.parametrize("model", KNOWING)
def test_whatever_is_foretold_comes(model: str, rules: Rules) -> None:
    """Other play on the same game: what the model says, the app does; and it does say something."""
    told = 0
    for seed in range(3):
        app = App(model, rules, seed)
        records: list[Redealt] = []
        for luck in range(25):
            for record in a_pass(app, rules, luck):
                foretold = Foresight(rules, model, tuple(records)).foretold(record.ends)
                assert not foretold or record.layout in foretold
                locks = State(rules, record.ends[-1]).locks
                may_apply = Foresight(rules, model, tuple(records)).may_apply(record.number)
                assert may_apply(locks) or not foretold
                if model in ("order", "permutation"):  # there the locks alone decide
                    assert may_apply(locks) == bool(foretold)
                is_new = all(record.ends != other.ends for other in records)
                told += bool(foretold) and is_new
                records.append(record)
        assert check(rules, model, records).model == model
    # Under `board` only equal boards tell anything, and those are no new ends.
    assert told == 0 if model == "board" else told > 3


def test_none_never_tells_anything() -> None:
    records = a_pass(App("none", Rules(), 1), Rules(), luck=1)
    assert not any(Foresight(Rules(), "none", tuple(records)).foretold(record.ends) for record in records)


def test_gaps_that_look_alike_leave_up_to_24_ways_and_further_records_narrow_them() -> None:
    rules = Rules()
    app = App("permutation", rules, seed=3)
    boards = [
        play_on(replace(un.game("gaps").deal(seed), redeals=(), id=None), random.Random(seed)) for seed in range(90)
    ]
    by_size: dict[int, list[State]] = {}
    for board in boards:
        by_size.setdefault(len(board.free_cells), []).append(board)
    alike = max(by_size.values(), key=len)
    assert len(alike) > 4
    records: list[Redealt] = []
    ways = []
    for before, after in pairwise(alike):
        records.append(Redealt((before.cells,), app.redeal((before.cells,))))
        foresight = Foresight(rules, "permutation", tuple(records))
        ways.append(len(foresight._permutations(1, len(before.free_cells))))
        foretold = foresight.foretold((after.cells,))
        assert app.redeal((after.cells,)) in foretold
        assert len(foretold) <= ways[-1]
    assert ways[0] == 24
    assert ways == sorted(ways, reverse=True)
    assert ways[-1] == 1


@pytest.mark.parametrize("model", KNOWING)
def test_a_wrong_model_is_found_out(model: str) -> None:
    """An app that shuffles afresh, played twice in the same way: no model holds."""
    app = App("none", Rules(), 1)
    records = [*a_pass(app, Rules(), luck=1), *a_pass(app, Rules(), luck=1)]
    checked = check(Rules(), model, records)
    assert checked.model == "none"
    chain = [model]
    while chain[-1] in SAFER:
        chain.append(SAFER[chain[-1]])
    assert [*(name for name, _ in checked.refuted), "none"] == chain
    assert all(number == 1 for _, number in checked.refuted)


@pytest.mark.parametrize(
    ("real", "thought", "kept"),
    [("board", "locked", "board"), ("locked", "order", "locked"), ("board", "permutation", "board")],
)
def test_the_next_safer_model_is_used(real: str, thought: str, kept: str) -> None:
    rules = Rules()
    app = App(real, rules, 2)
    records = [record for luck in range(40) for record in a_pass(app, rules, luck)]
    records += a_pass(app, rules, luck=0)
    checked = check(rules, thought, records)
    assert checked.model == kept
    assert checked.refuted[0][0] == thought
    assert checked.confirmed >= rules.redeals


# Planning.

ONE = Rules(redeals=1)
GAME = un.game("gaps", "addiction", redeals=1)
BUDGET = Budget(seconds=0.8, threads=1)


def a_board(text: str = "\n".join(ROWS)) -> State:
    return Gaps(None, redeals=1).parse(text)


def after(moves: str) -> State:
    end: State = replay(a_board(), map(GAME.parse_move, moves.split())).states[-1]
    return end


OTHER = tuple(random.Random(0).sample(PACK, 52))
"""A redeal in its order is lost after `MOST` too."""


def recorded(moves: str, deck: tuple[un.Card, ...] = DECK) -> list[Played]:
    """A pass that ended its first phase with these moves, on an app that shuffles one deck."""
    board = a_board()
    line = replay(board, map(GAME.parse_move, moves.split()))
    came = line.states[-1].play(Redeal(line.states[-1].dealt(deck)))
    return [Played(line.states, line.moves), Played((came,), ())]


def planned(model: str, passes: list[list[Played]]) -> tuple[Plan, str]:
    """The plan for the first phase of another pass."""
    adviser = GapsAdviser(GAME)
    adviser.redeals.recall([*passes, [Played((a_board(),), ())]], model, model)
    planner = adviser.planner
    adviser.effort = {"seconds": 2, "threads": 1}
    words = "\n".join(adviser.advise(a_board().view()).claim)
    return planner.plan(a_board(), BUDGET), words


def test_without_a_record_the_values_decide() -> None:
    plan, words = planned("locked", [])
    assert (plan.policy, plan.best.score, plan.best.foretold) == ("value", 39, 0)
    assert plan.found.complete
    assert [end.score for end in sorted(plan.found.ends, key=lambda end: end.score)] == [36, 37, 38, 39]
    assert "all 4 ends of this phase are known" in words
    assert "Assumed" not in words


def test_one_deck_for_all_leads_through_to_the_win() -> None:
    """After the record of a lost end, the deck is known also behind other ends."""
    plan, words = planned("order", [recorded(FEWEST)])
    assert (plan.policy, plan.best.chance, plan.best.se) == ("value", 1.0, 0.0)
    assert plan.best.score in (38, 39)
    (known,) = plan.best.known
    assert known.wins
    state = replay(a_board(), plan.best.moves).states[-1]
    came = state.play(Redeal(state.dealt(DECK)))
    assert came.cells == known.layout
    assert replay(came, known.moves).outcome is un.Outcome.WON
    assert "Assumed (model `order`)" in words
    assert "the way is known to the win, through 1 phase more" in words


def test_a_choice_that_rests_on_what_is_known_of_other_ends_says_so() -> None:
    """The most cards are known to lose; the runs of what is chosen instead are no more even."""
    plan, words = planned("locked", [recorded(MOST, OTHER)])
    assert plan.best.score < 39
    assert plan.best.foretold == 0
    assert "the most cards, 12/12/12/3, only 0 %" in words
    assert "Assumed (model `locked`)" in words
    assert "Why: what comes after the most cards is known, and is worth less." in words
    assert "row balance" not in words


def test_row_balance_is_a_reason_only_where_runs_are_more_even() -> None:
    plan, _ = planned("locked", [recorded(MOST, OTHER)])
    assert plan.most_cards is not None
    unknown = replace(plan.most_cards, foretold=0)
    text = "\n".join(claim(a_board(), replace(plan, most_cards=unknown, rivals=()), "locked"))
    assert "Why" not in text
    even = replace(plan.best, locks=(("D", 9), ("C", 9), ("H", 9), ("S", 9)))
    text = "\n".join(claim(a_board(), replace(plan, best=even, most_cards=unknown, rivals=()), "locked"))
    assert "Why: Row balance: 0 cards between longest and shortest run instead of 9;" in text
    assert "Assumed" not in text


def test_a_foretold_phase_ends_with_a_redeal_only_where_one_is_left() -> None:
    plan, _ = planned("locked", [])
    known = (Known(after(MOST).cells, (), False),)
    plan = replace(plan, best=replace(plan.best, known=known))
    assert closing(a_board(), plan).endswith("Phase 2, if it comes as foretold: no move (no win)")
    longer = replace(a_board(), rules=Rules(redeals=2))
    assert closing(longer, plan).endswith("Phase 2, if it comes as foretold: no move (then a redeal)")


def test_a_lost_record_is_left_by_other_locks() -> None:
    """Under `locked` only the same locks bring it again, so they are worth nothing now."""
    plan, _ = planned("locked", [recorded(FEWEST)])
    assert plan.best.score != 36
    assert plan.best.foretold == 0
    assert 0 < (plan.best.chance or 0) < 1
    lost = next(option for option in plan.rivals if option.score == 36)
    assert (lost.chance, lost.se, lost.foretold) == (0.0, 0.0, 1)


def test_a_won_record_is_taken_again() -> None:
    for model in ("locked", "board", "order"):
        plan, _ = planned(model, [recorded(MOST)])
        assert (plan.best.chance, plan.best.score) == (1.0, 39), model


def won_once() -> list[Played]:
    """A pass that was won after a redeal."""
    first, second = recorded(MOST)
    start: State = second.states[0]
    line = replay(start, un.solve(start, seconds=10).moves)
    assert line.outcome is un.Outcome.WON
    return [first, Played(line.states, line.moves)]


@pytest.mark.parametrize("model", KNOWING)
def test_a_game_that_was_won_is_won_again_with_no_time_to_search(model: str) -> None:
    adviser = GapsAdviser(GAME)
    first, second = passed = won_once()
    lost = recorded(FEWEST)
    adviser.redeals.recall([passed, lost, [Played((a_board(),), ())]], model, model)
    nothing = Budget(seconds=None, nodes=1, threads=1)
    plan = adviser.planner.plan(a_board(), nothing)
    assert (plan.best.chance, plan.best.foretold, plan.policy) == (1.0, 1, "value")
    assert replay(a_board(), plan.best.moves).states[-1].cells == first.states[-1].cells
    (known,) = plan.best.known
    assert (known.layout, known.moves, known.wins) == (second.states[0].cells, second.moves, True)
    # And there too the win is known.
    adviser.redeals.recall([passed, [first, Played(second.states[:1], ())]], model, model)
    last = adviser.planner.plan(second.states[0], nothing)
    assert last.wins
    assert replay(second.states[0], last.best.moves).outcome is un.Outcome.WON


def test_a_win_is_not_thought_to_come_again_under_none() -> None:
    adviser = GapsAdviser(GAME)
    adviser.redeals.recall([won_once(), [Played((a_board(),), ())]], "none", "none")
    assert adviser.planner.plan(a_board(), BUDGET).best.chance != 1


def test_a_search_that_takes_long_leaves_time_for_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked again, the engine searches anew with the times added up."""
    adviser = GapsAdviser(GAME)
    adviser.redeals.recall([recorded(FEWEST), [Played((a_board(),), ())]], "order", "order")
    ends = Searches.ends

    def late(searches: Searches, state: State, budget: Budget) -> Ends:
        if state == a_board():
            sleep(1.5)
        return ends(searches, state, budget)

    monkeypatch.setattr(Searches, "ends", late)
    plan = adviser.planner.plan(a_board(), Budget(seconds=1.4, threads=1))
    assert (plan.best.score, plan.best.chance, plan.best.foretold) == (39, 1.0, 1)


def test_the_record_counts_only_for_the_same_board_under_board() -> None:
    """The line that was played is followed; a line to the same locks with other loose cards is not foretold."""
    plan, _ = planned("board", [recorded(MOST)])
    assert plan.best.foretold == 1
    assert replay(a_board(), plan.best.moves).states[-1].cells == after(MOST).cells


@pytest.mark.parametrize("model", ["board", "permutation"])
def test_a_shorter_line_keeps_the_board_that_is_foretold_from(model: str) -> None:
    """Without its needless moves this line locks the same cards, and leaves others elsewhere."""
    start = State(ONE, un.game("gaps").deal(36).cells)
    rng, moves, end = random.Random(1), [], start
    while legal := list(end.card_moves()):
        moves.append(rng.choice(legal))
        end = end.play(moves[-1])
    line = replay(start, moves)
    assert replay(start, _shortened(start, line.moves)).states[-1].cells != end.cells
    # The redeal lays every card in its place, so that it is worth while to go there again.
    locked = [suit for suit, _ in end.locks]
    others = iter(sorted(set("CDHS") - set(locked)))
    suits = [suit or next(others) for suit in locked]
    won = GAME.parse("\n".join(" ".join(f"{rank}{suit}" for rank in "23456789TJQK") + " --" for suit in suits))
    adviser = GapsAdviser(GAME)
    passed = [Played(line.states, line.moves), Played((State(ONE, won.cells, 1),), ())]
    adviser.redeals.recall([passed, [Played((start,), ())]], model, model)
    plan = adviser.planner.plan(start, Budget(seconds=None, nodes=1, threads=1))
    assert (plan.best.chance, plan.best.foretold) == (1.0, 1)
    assert replay(start, plan.best.moves).states[-1].cells == end.cells


def test_none_plans_as_if_nothing_had_been_seen() -> None:
    plan, words = planned("none", [recorded(MOST)])
    assert (plan.policy, plan.best.foretold) == ("value", 0)
    assert "Assumed" not in words


def test_a_cut_off_search_proves_nothing() -> None:
    """A hard deal: no optimum is claimed, and a foretold phase that was not decided is no proved loss."""
    planner = Planner(Rules())
    plan = planner.plan(replace(un.game("gaps").deal(9), redeals=(), id=None), Budget(seconds=None, nodes=3, threads=1))
    assert plan.found.status in (Status.NODE_LIMIT, Status.TIME_LIMIT)
    assert not plan.found.complete
    assert not plan.found.score_proved
