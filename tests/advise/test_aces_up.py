"""Aces Up by one who does not know the stock: the chance of each option, and one answer on the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from unshuffle import engine
from unshuffle.deals import SplitMix64
from unshuffle.games.aces_up import State, ToSpace, View
from unshuffle.games.aces_up.hidden import planner
from unshuffle.games.aces_up.hidden.estimate import estimate, options_of, weigh, worth
from unshuffle.games.aces_up.hidden.planner import plan
from unshuffle.hidden import playouts
from unshuffle.hidden.playouts import Option, Tally, against, wilson
from unshuffle.solve import Status, has_twin

pytestmark = pytest.mark.both_engines

STANDARD = un.game("aces-up")
VARIANTS = un.games()["aces-up"]
LATE = """\
Pile 1: KS 4D JD QS
Pile 2: AC AD
Pile 3:
Pile 4: KH 4C
Stock: ?
Discards: 3C 5C 6C 7C 8C 9C TC JC KC 2D 3D 5D 6D 7D 8D 9D TD QD KD 2H 4H 5H 7H 8H 9H TH JH 2S 3S 4S 5S 6S 7S 8S TS JS
"""


def late(variant: str = "standard") -> View:
    view: View = un.game("aces-up", variant).parse_seen(LATE)
    return view


def small(*piles: str, stock: str = "-", variant: str = "standard") -> State:
    """A position of few cards; the rest is discarded."""
    lines = [f"Pile {number}: {pile}" for number, pile in enumerate(piles, 1)]
    state: State = un.game("aces-up", variant).parse("\n".join([*lines, f"Stock: {stock}"]))
    return state


# The chance of each option.


def test_the_best_option_comes_first() -> None:
    made = plan(late(), samples=30)
    assert made.moves == (ToSpace(1, 3),)
    assert {option.move.token for option in made.options} == {"1-3", "2-3", "4-3", "d"}
    assert made.status is None
    assert plan(late(), samples=30).options == made.options
    worths = [30 * (option.mean_score or 0) + 50 * 30 * (option.chance or 0) for option in made.options]
    assert worths == sorted(worths, reverse=True)
    for option in made.options:
        assert option.samples == 30
        assert option.chance is not None
        assert (option.low, option.high) == wilson(round(30 * option.chance), 30)


def test_what_an_option_is_worth() -> None:
    assert worth(Tally("a", 10, 2, 400)) == 500
    assert worth(Tally("a", 10, 2, 400), bonus=0) == 400


def test_the_numbers_are_those_of_the_games() -> None:
    view = late()
    made = {option.move: option for option in plan(view, samples=20).options}
    for tally in estimate(view, list(made), 20, SplitMix64(0)):
        assert made[tally.move] == Option.sampled(tally)


def test_advice_sees_no_hidden_card() -> None:
    """Law: tables that look the same get the same advice."""
    rng = Random(7)
    assert len({plan(late().sample(rng).view(), samples=5).options for _ in range(4)}) == 1


def test_time_is_a_limit_but_a_few_games_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {option.samples for option in plan(late(), seconds=0).options} == {10}
    monkeypatch.setattr(playouts, "MOST_SAMPLES", 20)
    assert {option.samples for option in plan(late(), seconds=600).options} == {20}


def test_of_several_spaces_the_first_is_weighed() -> None:
    state = small("", "KD 3C", "", "KH", stock="4S 5S 6S 7S", variant="free")
    assert {move.token for move in state.legal_moves()} == {"2-1", "2-3", "4-1", "4-3", "d"}
    assert {option.move.token for option in plan(state.view(), samples=3).options} == {"2-1", "d"}


WINS = ("AS", "AC KC", "AD AH QH", "")
LOST = ("AH AC 2S", "AS 7C", "AD 9D QH", "")


def test_without_a_stock_a_search_decides() -> None:
    won = plan(small(*WINS).view())
    assert won.status is Status.SOLVED
    assert un.replay(small(*WINS), won.moves).outcome is un.Outcome.WON
    assert {(option.move.token, option.chance, option.samples) for option in won.options} == {
        ("2-4", 1, 0),
        ("3-4", 1, 0),
    }
    lost = plan(small(*LOST).view())
    assert lost.status is Status.UNSOLVABLE
    assert un.replay(small(*LOST), lost.moves).states[-1].score == 47
    assert {(option.chance, option.low, option.high, option.samples) for option in lost.options} == {(0, 0, 0, 0)}
    assert lost.options[0].mean_score == 47


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_search_knows_the_most_that_each_option_can_reach(variant: str) -> None:
    """Law: the best score among the lines that begin with the option, by trying all of them."""
    game = un.game("aces-up", variant)
    found = 0
    for seed in range(100):
        state, rng = game.deal(seed), Random(seed)
        while state.stock and (moves := state.legal_moves()):
            state = state.play(rng.choice(moves))
        if state.outcome is not None or not options_of(state, state.legal_moves()):
            continue
        made = plan(state.view())
        if any(option.chance is None for option in made.options):
            continue
        found += 1
        for option in made.options:
            assert option.mean_score == most(state.play(option.move))
            assert option.chance == (option.mean_score == 48)
        assert un.replay(state, made.moves).states[-1].score == max(option.mean_score or 0 for option in made.options)
        if found == 3:
            return
    assert found


def most(state: State) -> int:
    """The best score, by trying everything."""
    best, seen, left = state.score, {state}, [state]
    while left:
        state = left.pop()
        best = max(best, state.score)
        after = {state.play(move) for move in state.legal_moves()} - seen
        seen |= after
        left += after
    return best


def test_a_search_that_was_cut_short_is_not_a_no(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(state: State, **limits: Any) -> un.Result:
        return replace(un.solve(state, **limits), status=Status.NODE_LIMIT, score_proved=False)

    monkeypatch.setattr(planner, "solve", give_up)
    made = plan(small(*WINS).view())
    assert made.status is Status.NODE_LIMIT
    assert {option.chance for option in made.options} == {None}
    assert len(made.moves) == 1


def test_how_far_the_best_is_ahead() -> None:
    def option(token: str, wins: int, mean: float) -> Option:
        low, high = wilson(wins, 100)
        return Option(un.game("aces-up").parse_move(token), wins / 100, low, high, mean, 100)

    first = option("3-1", 20, 40.0)
    for second, words in {
        option("d", 2, 41.0): ", 18.0 points before d",
        option("d", 19, 39.0): ", 1.0 points before d (within the noise)",
        option("d", 20, 39.0): ", as often won as d, but with 1.0 more cards discarded",
        option("d", 20, 40.0): ", as good as d by these games",
        option("d", 21, 39.5): (
            ", 0.5 more cards discarded than d, which is won 1.0 points more often (within the noise)"
        ),
        Option(first.move, None, None, None, 3, 1): "",
    }.items():
        assert against(first, second, "cards discarded") == words


@pytest.mark.skipif(
    engine.native() is None or not has_twin(STANDARD), reason="without the engine there is one way to weigh"
)
@pytest.mark.parametrize("variant", VARIANTS)
def test_options_are_weighed_by_the_same_games(variant: str) -> None:
    """Law: the engine's playouts give the numbers of the Python side, and leave the stream at the same place."""
    game = un.game("aces-up", variant)
    rng = Random(variant)
    for seed in range(4):
        state = game.deal(seed)
        for _ in range(rng.randrange(30)):
            if moves := state.legal_moves():
                state = state.play(rng.choice(moves))
        view, options = state.view(), options_of(state, state.legal_moves())
        ours, theirs = SplitMix64(9), SplitMix64(9)
        for samples in (1, 2):
            assert weigh(view, options, samples, theirs) == estimate(view, options, samples, ours)
            assert theirs.state == ours.state


# On the command line.


def test_one_answer(run: Run) -> None:
    ended = run("advise", "aces-up", "-", "--samples", "20", "--explain", "full", stdin=LATE)
    assert ended.code == 0, ended.err
    assert "36 cards discarded, 8 in the stock.\n" in ended.out
    assert "20 games for each option, with the same orders of the stock" in ended.out
    assert "Recommended: 1-3, " in ended.out
    assert "Why: 3 cards go with it and the space comes back.\n" in ended.out
    assert "1  Tableau move  1-3  QS from pile 1 to space 3; JD goes (AD), 4D goes (AD), QS goes (KS)\n" in ended.out
    assert "The table then:\n 1: K♠\n 2: A♣ A♦\n 3: -\n" in ended.out


def test_json(run: Run) -> None:
    ended = run("advise", "aces-up", "-", "--samples", "20", "--json", stdin=LATE)
    value = json.loads(ended.out)
    names = "game variant deal moves win_chance win_chance_low win_chance_high options seconds"
    assert " ".join(value) == names
    assert (value["game"], value["variant"], value["deal"], value["moves"]) == ("aces-up", "standard", None, ["1-3"])
    assert [list(option) for option in value["options"]] == 4 * [
        ["move", "win_chance", "low", "high", "mean_score", "samples"]
    ]
    assert value["win_chance_low"] < value["win_chance"] == value["options"][0]["win_chance"] < value["win_chance_high"]


def test_the_stock_is_hidden_from_the_advice(run: Run) -> None:
    """Law: a stock that is told plays no part; which cards it holds the discards tell too."""
    outs = set()
    for stock in (late().unseen, late().unseen[::-1], "?"):
        ended = run("advise", "aces-up", "-", "--samples", "5", stdin=LATE.replace("?", " ".join(map(str, stock))))
        assert ended.code == 0, ended.err
        outs.add(ended.out)
    assert len(outs) == 1


@pytest.mark.parametrize(
    ("seed", "words"),
    [(1, "it can be won, in "), (2, "it cannot be won (proved); at most: 45 of 48 cards discarded.\n")],
)
def test_the_open_solver_speaks_only_when_asked(run: Run, seed: int, words: str) -> None:
    shows = ("advise", "aces-up", "--seed", str(seed), "--samples", "2", "--variant", "must-fill")
    plain, ended = run(*shows).out, run(*shows, "--open").out
    assert ended.removeprefix(plain).startswith(f"\nThe open solver (open: all cards known): {words}")
    value = json.loads(run(*shows, "--open", "--json").out)
    assert list(value)[-1] == "open"
    assert f"It would play: {' '.join(value['open']['moves'])}\n" in ended
    end = un.replay(un.deal(f"aces-up/must-fill@{seed}"), STANDARD.parse_moves(" ".join(value["open"]["moves"])))
    assert end.states[-1].score == value["open"]["score"]
    assert value["open"]["status"] == ("solved" if value["open"]["score"] == 48 else "unsolvable")


def test_the_open_solver_needs_the_stock(run: Run) -> None:
    ended = run("advise", "aces-up", "-", "--open", stdin=LATE)
    assert (ended.code, ended.out) == (2, "")
    assert "--open needs every card" in ended.err
    ended = run("advise", "aces-up", "--open", stdin="")
    assert ended.code == 2
    assert "--open goes with FILE or --seed" in ended.err
    ended = run("advise", "agnes", "--seed", "7", "--open")
    assert ended.code == 2
    assert "--open; it belongs to aces-up" in ended.err


def test_faults_name_every_place(run: Run) -> None:
    ended = run("advise", "aces-up", "-", stdin=LATE.replace("4C", "1X").replace("AC AD", "AC KS"))
    assert ended.code == 255
    assert "line 4, column 12: '1X' is not a card" in ended.err
    assert "line 2, column 12: 'KS' is on the table twice" in ended.err


def test_a_game_that_is_over(run: Run) -> None:
    won = "Pile 1: AC\nPile 2: AD\nPile 3: AH\nPile 4: AS\nStock: -\n"
    ended = run("advise", "aces-up", "-", stdin=won)
    assert "The game is won: only the aces are left." in ended.out
    ended = run("advise", "aces-up", "-", stdin=won.replace("AC", "2C AC"))
    assert "No move is left: the game is lost." in ended.out
