"""Spider as one sees it: playing on with what comes to light, and the chance of each plan."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from unshuffle import engine
from unshuffle.advise import adviser_of
from unshuffle.advise.coach import coach_of
from unshuffle.cards import Card
from unshuffle.games.spider import Row, Shown, Spider, State, View
from unshuffle.games.spider import Run as Move
from unshuffle.games.spider.advise.coach import SpiderCoach
from unshuffle.games.spider.advise.words import effects, tokens_of
from unshuffle.games.spider.hidden import planner
from unshuffle.games.spider.hidden.planner import Candidate, plan
from unshuffle.solve import Status

pytestmark = pytest.mark.both_engines

FOUR = un.game("spider")
SMALL = "1-suit+piles=2+ranks=3+runs=4+table=4"
"""A pack that is soon played out, with rows that complete runs."""
OPEN = "1-suit+piles=2+ranks=3+runs=2+table=6"
WON = "1: 2S 3S AS\n2: 3S AS 2S\n"
LOST = "1: AS AS 2S\n2: 2S 3S 3S\n"


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


def seen(text: str, variant: str) -> View:
    view: View = un.game("spider", variant).parse_seen(text).view()
    return view


# Playing on.


def brought(state: State, after: State, move: Row | Move) -> tuple[Card, ...]:
    """What a move brings to light, by one who sees all."""
    row = state.bank[: len(state.piles)] if isinstance(move, Row) else ()
    places = enumerate(zip(state.down, after.down, strict=True))
    return (*row, *(state.piles[place][down] for place, (then, down) in places if down < then))


@pytest.mark.parametrize("variant", ["4-suits", "1-suit-strict", SMALL, "2-suits+piles=3+ranks=4+runs=4+table=7"])
def test_a_view_is_played_on_like_the_table_under_it(variant: str) -> None:
    """Law: with the cards that a move shows, the view after it is the view of the table after it."""
    rng = Random(2)
    both = 0
    for seed in range(12):
        state = un.game("spider", variant).deal(seed)
        for _ in range(60):
            moves = state.legal_moves()
            if not moves:
                break
            view, move = state.view(), rng.choice(moves)
            after = state.play(move)
            shown = Shown(move, brought(state, after, move))
            both += isinstance(move, Row) and view.turned_by(shown) > len(state.piles)
            assert view.turned_by(shown) == len(shown.cards)
            assert view.play(shown if shown.cards else move) == after.view()
            state = after
    assert both or variant != SMALL  # rows that complete a run were among them


def test_two_piles_may_turn_a_card_at_once() -> None:
    view = seen("1: ## 3S\n2: ## 2S AS\nBank: 4\nCompleted: S\n", SMALL)
    move = Move(2, 1, 2)
    assert view.turns(move) == (1, 2)
    after = view.play(Shown(move, cards("3S AS")))
    assert str(after).splitlines()[:2] == ["1: 3S", "2: AS"]
    assert FOUR.describe(view, Shown(move, cards("3S AS"))).text == (
        "Move 2 cards, 2♠ to A♠, from pile 2 onto 3♠ (pile 1); completes spades in pile 1; turns 3♠ in pile 1;"
        " turns A♠ in pile 2."
    )


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ("", "it shows 2 cards, and none is told"),
        ("AS", "it shows 2 cards, and 1 is told"),
        ("AS 3S 2S 2S", "it shows 3 cards, and 4 are told"),
        ("KS AH", "K♠ does not belong to this pack; A♥ does not belong to this pack"),
        ("3S 3S", None),
        ("3S 3S 3S", "it shows 2 cards, and 3 are told; 3♠ is told 3 times, but 2 of its 4 are unseen"),
    ],
)
def test_cards_of_a_row_that_a_view_refuses(told: str, reason: str | None) -> None:
    view = seen("1: ## 3S 2S\n2: ## 3S 2S\nBank: 6\n", SMALL)
    move = Shown(Row(), cards(told))
    if reason is None:
        assert view.play(move).bank == 4
        return
    with pytest.raises(un.IllegalMoveError) as caught:
        view.play(move)
    assert caught.value.reason == reason


def test_a_row_in_words() -> None:
    view = seen("1: ## 3S 2S\n2: ## 3S 2S\nBank: 6\n", SMALL)
    assert FOUR.describe(view, Row()).text == "Deal a row (2 left)."
    assert FOUR.describe(view, Shown(Row(), cards("AS 3S 2S"))).text == (
        "Deal a row (2 left): A♠ 3♠; completes spades in pile 1; turns 2♠ in pile 1."
    )


# Plans.


@pytest.mark.parametrize("variant", ["4-suits", "2-suits-strict", "1-suit"])
def test_advice_sees_no_hidden_card(variant: str) -> None:
    """Law: tables that look the same get the same advice."""
    state = un.game("spider", variant).deal(7)
    rng = Random(7)
    made = {plan(state.view().sample(rng).view(), samples=4).options for _ in range(2)}
    assert len(made) == 1


def test_plans_end_where_something_new_is_seen_and_are_ranked() -> None:
    view = FOUR.deal(7).view()
    made = plan(view, samples=8)
    best = made.options[0]
    assert isinstance(best, Candidate)
    assert made.moves == best.moves
    assert made.status is None
    assert best.samples == 8
    assert best.chance is not None
    assert best.low is not None
    assert best.high is not None
    assert best.low <= best.chance <= best.high
    assert len({option.moves for option in made.options if isinstance(option, Candidate)}) == len(made.options) > 3
    for option in made.options:
        assert isinstance(option, Candidate)
        state = view
        for move in option.moves[:-1]:
            assert not state.turned_by(move)
            state = state.play(move)
        assert state.turned_by(option.moves[-1])


def test_a_plan_without_a_rival_has_its_chance_too() -> None:
    view = seen("1: ## AS\n2: ## AS\nBank: 8\n", SMALL)
    made = plan(view, samples=9)
    assert [option.move for option in made.options] == [Row()]
    assert made.options[0].samples == 9


@pytest.mark.skipif(engine.native() is None, reason="the engine is what it compares with")
@pytest.mark.parametrize("variant", ["4-suits", "1-suit-strict", SMALL])
def test_both_sides_give_the_same_advice(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    view = un.game("spider", variant).deal(7).view()
    fast = planner.weigh(view, 2)
    monkeypatch.setattr(planner, "has_twin", lambda game: False)
    slow = planner.weigh(view, 2)
    assert [(plan.moves, plan.samples) for plan in fast] == [(plan.moves, plan.samples) for plan in slow]
    assert [plan.chance for plan in fast] == pytest.approx([plan.chance for plan in slow])


def test_time_is_a_limit_but_a_few_games_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    view = un.game("spider", SMALL).deal(7).view()
    assert plan(view, seconds=0).options[0].samples == 4
    monkeypatch.setattr(planner, "MOST_SAMPLES", 30)
    assert plan(view, seconds=60).options[0].samples == 30


def test_with_all_cards_known_a_search_decides() -> None:
    won = plan(seen(WON, OPEN))
    assert won.status is Status.SOLVED
    assert (won.options[0].chance, won.options[0].samples) == (1, 0)
    assert un.replay(un.game("spider", OPEN).parse(WON), won.moves).outcome is un.Outcome.WON
    lost = plan(seen(LOST, OPEN))
    assert lost.status is Status.UNSOLVABLE
    assert lost.options[0].chance == 0


def test_unseen_cards_that_are_alike_are_known() -> None:
    made = plan(seen("1: ## 2S\n2: ## 2S AS AS\nBank: 0\n", OPEN))
    assert made.status is not None


def test_a_search_that_was_cut_short_is_not_a_no(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(state: State, **limits: Any) -> un.Result:
        return replace(un.solve(state, **limits), status=Status.TIME_LIMIT)

    monkeypatch.setattr(planner, "solve", give_up)
    game = un.game("spider", OPEN)
    advice = adviser_of(game).advise(seen(LOST, OPEN))
    assert advice.chance is None
    assert advice.ends == "next"
    assert any("cut short, which is not a no" in line for line in advice.claim)


def test_that_no_plan_was_found_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner, "weigh", lambda *_: [])
    advice = adviser_of(FOUR).advise(FOUR.deal(7).view())
    assert (advice.moves, advice.chance, advice.values["win_chance"]) == ((), None, None)
    assert any("That is no proof" in line for line in advice.claim)


# In words.


@pytest.mark.parametrize(
    ("text", "tokens", "expected"),
    [
        ("1: ## 3S\n2: ## 2S AS\nBank: 4\nCompleted: S", "2-1x2", "completes spades,turns cards in piles 1 and 2"),
        ("1: ## 3S\n2: ## 2S\nBank: 8", "2-1", "turns a card in pile 2 (its last one),makes 1 join in suit"),
        ("1: ## 3S\n2: ## 2S\nBank: 8", "d", "deals a row"),
        ("1: 3S 2S\n2: 3S 3S\nBank: 8", "1-2 d", "deals a row"),
        ("1: -\n2: ## 3S 2S\nBank: 6\nCompleted: S", "2-1 d", "fills pile 1,breaks 1 join in suit,deals a row"),
        ("1: AS\n2: ## 3S 2S\nBank: 8", "1-2", "completes spades,turns a card in pile 2 (its last one),empties pile 1"),
    ],
)
def test_what_a_plan_does(text: str, tokens: str, expected: str) -> None:
    game = un.game("spider", SMALL)
    view = game.parse_seen(f"{text}\n").view()
    moves = [game.parse_move(token) for token in tokens.split()]
    assert ",".join(effects(view, moves)) == expected


def test_long_plans_are_cut() -> None:
    moves = [Move(1, 2)] * 8
    assert tokens_of(moves) == " ".join(["1-2"] * 8)
    assert tokens_of([*moves, Row()]) == f"{' '.join(['1-2'] * 6)} .. d (9 moves)"


# The coach.


def test_the_coach_judges_by_what_is_seen() -> None:
    """Two deals that look alike get the same words, whatever lies under them."""
    one, another = coach_of(FOUR, 0), coach_of(FOUR, 0)
    assert isinstance(one, SpiderCoach)
    state = FOUR.deal(7)
    other = state.view().sample(Random(1))
    assert other != state
    for move in state.legal_moves():
        assert one.judge(state, move) == another.judge(other, move)


def test_the_coach_warns_of_a_lost_win() -> None:
    game = un.game("spider", OPEN)
    assert isinstance(game, Spider)
    state = game.parse(WON)
    judged = {move.token: coach_of(game).judge(state, move) for move in state.legal_moves()}
    assert judged["1-2"].lines == ("Coach: 1-2 is the best move known: 100 %.",)
    wins = {move.token: un.solve(state.play(move)).status is Status.SOLVED for move in state.legal_moves()}
    assert {token: not judgement.loses for token, judgement in judged.items()} == wins


# On the command line.


def test_json(run: Run) -> None:
    ended = run("advise", "spider", "--seed", "7", "--samples", "8", "--json")
    assert ended.code == 0, ended.err
    value = json.loads(ended.out)
    assert list(value) == [
        "game",
        "variant",
        "deal",
        "moves",
        "win_chance",
        "win_chance_low",
        "win_chance_high",
        "options",
        "seconds",
    ]
    assert (value["game"], value["variant"], value["deal"]) == ("spider", "4-suits", "spider/4-suits@7")
    assert value["moves"] == value["options"][0]["moves"]
    assert {tuple(option) for option in value["options"]} == {("moves", "win_chance", "low", "high", "samples")}


def test_a_seed_hides_its_cards(run: Run) -> None:
    ended = run("advise", "spider", "--seed", "7", "--samples", "4", "--explain", "full")
    assert "\n 1: [## ## ## ## ##] 9♥\n" in ended.out
    assert "\nBank: 50\n" in ended.out
    assert "The table then" not in ended.out
    full = run("advise", "spider", "-", "--samples", "4", "--explain", "full", stdin=str(FOUR.deal(7)))

    def timeless(text: str) -> list[str]:
        return [line for line in text.splitlines()[1:] if " games in " not in line]

    assert timeless(full.out) == timeless(ended.out)


def test_faults_name_every_place(run: Run) -> None:
    text = str(FOUR.deal(7).view()).replace("9H", "1X").replace("Bank: 50", "Bank: 49")
    ended = run("advise", "spider", "-", stdin=text)
    assert ended.code == 255
    assert "line 1, column 19: '1X' is not a card" in ended.err
    assert "the bank has 49 cards, which is not whole rows" in ended.err


def test_a_game_that_is_over(run: Run) -> None:
    won = "1:\n2:\nBank:\nCompleted: S S\n"
    assert "The game is won: all runs have left." in run("advise", "spider", "-", "--variant", OPEN, stdin=won).out
    stuck = "1: 2S 3S AS\n2: 2S 3S AS\n"
    assert "No move is left: the game is lost." in run("advise", "spider", "-", "--variant", OPEN, stdin=stuck).out
