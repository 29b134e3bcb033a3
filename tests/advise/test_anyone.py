"""The adviser of every game: proofs where nothing is unknown, else intervals; it sees no hidden card."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from tests.ladder import Ladder, Move
from tests.laws import OURS, ROOT, random_line
from tests.roundabout import Roundabout
from tests.simulate.higher import Higher
from unshuffle import registry
from unshuffle.advise import adviser_of
from unshuffle.advise.anyone import AnyAdviser
from unshuffle.advise.coach import OptionsCoach, coach_of
from unshuffle.hidden import planning
from unshuffle.hidden.planning import plan
from unshuffle.hidden.playouts import wilson
from unshuffle.review import review
from unshuffle.views import unknown_in

pytestmark = pytest.mark.both_engines

SMALL: dict[str, dict[str, Any]] = {"spider": {"suits": 1, "piles": 3, "ranks": 3, "runs": 3, "table": 6}}
GAMES = [*(un.game(name, **SMALL.get(name, {})) for name in OURS), Ladder(), Ladder("open"), Roundabout(), Higher()]


@pytest.fixture(autouse=True)
def known(own_registry: dict[str, Any]) -> None:
    """These games are registered in these tests, and in no others."""
    for game in (Ladder, Roundabout, Higher):
        registry.register(game)
    un.load(ROOT / "examples" / "golf.py")


def asked(game: un.Game[Any, Any], state: Any, **effort: float) -> Any:
    adviser = AnyAdviser(game)
    adviser.effort = effort
    return adviser, adviser.advise(state.view())


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_it_advises_on_every_game_by_what_is_seen(game: un.Game[Any, Any]) -> None:
    """Law: the advice is a legal line, every chance lies in its interval, and deals that look alike get the same."""
    for state in islice(random_line(game, 3), 0, 9, 4):
        if not state.legal_moves():
            continue
        told = []
        for like in (state, state.view().sample(Random(2))):
            adviser, advice = asked(game, like, samples=2, seconds=0.1)
            told.append((replace(advice, values={}), advice.values["options"]))
            assert advice.moves[0] in state.legal_moves()
            assert {option["move"] for option in advice.values["options"]} <= {m.token for m in state.legal_moves()}
            for option in advice.values["options"]:
                if option["win_chance"] is None:
                    assert option["low"] is option["high"] is None
                else:
                    assert 0 <= option["low"] <= option["win_chance"] <= option["high"] <= 1
            assert adviser.foresee(like.view(), advice.moves).moves == advice.moves
        # Two searches that the clock cuts short may have come to different ends.
        assert told[0] == told[1] or not unknown_in(state.view())


@pytest.mark.parametrize("name", ["golf", "belle-lucie", "aces-up"])
def test_what_is_proved_is_so(name: str) -> None:
    """Law: where nothing is unknown the advice is a proof: each move wins, or it does not."""
    game, statuses = un.game(name), set()
    for state in islice((late for seed in range(6) for late in game.small_states(seed)), 24):
        if state.outcome is not None or unknown_in(state.view()) or not game.is_open(state):
            continue
        advice = plan(state.view(), seconds=30)
        result = un.solve(state)
        assert advice.status is result.status
        statuses.add(result.status)
        for option in advice.options:
            wins = un.solve(state.play(option.move)).status is un.Status.SOLVED
            assert (option.low, option.chance, option.high, option.samples) == (wins, wins, wins, 0)
        assert {option.move for option in advice.options} == set(state.legal_moves())
        if result.status is un.Status.SOLVED:
            assert un.replay(state, advice.moves).outcome is un.Outcome.WON
    assert statuses


def test_chances_are_shares_of_playouts_with_wilson_intervals() -> None:
    state = Ladder().deal(3)
    found = plan(state.view(), samples=7)
    assert found.status is None
    assert [option.samples for option in found.options] == [7] * len(state.legal_moves())
    ranks = [(option.chance, option.mean_score) for option in found.options]
    assert ranks == sorted(ranks, reverse=True)
    for option in found.options:
        assert option.chance is not None
        assert (option.low, option.high) == wilson(round(7 * option.chance), 7)
    assert found.moves == (found.options[0].move,)


def test_a_search_that_is_cut_short_is_no_verdict() -> None:
    known = open_table()
    assert unknown_in(known.view()) == ""
    adviser, advice = asked(Roundabout("open"), known, seconds=0.02)
    assert advice.ends == "next"
    assert "The search was cut short, which is not a no." in advice.claim
    assert {option["win_chance"] for option in advice.values["options"]} <= {None, 0.0}
    assert not any("proved" in line for line in advice.claim)
    adviser.is_stopped = lambda: True
    assert adviser.advise(known.view()).moves[0] in known.legal_moves()


class CutShort:
    """A search that finds a line of four moves, the third of the legal ones first, and decides nothing."""

    def __init__(self, score: int) -> None:
        self.score = score

    def __call__(self, state: Any, **limits: Any) -> un.Result:
        found = un.solve(state, nodes=1)
        assert not found.is_decided
        return replace(found, moves=state.legal_moves()[2:3], score=self.score)


def open_table() -> Any:
    """Nothing is unknown, and cards go to and fro for ever."""
    state = Roundabout("open").deal(3)
    while state.stock:
        state = state.play(Move("d"))
    return state


@pytest.mark.parametrize("score", [40, -1])
def test_playouts_and_the_best_line_of_a_search_rank_what_is_not_decided(
    monkeypatch: pytest.MonkeyPatch, score: int
) -> None:
    monkeypatch.setattr(planning, "solve", CutShort(score))
    table = open_table()
    third = table.legal_moves()[2]
    adviser, advice = asked(Roundabout("open"), table, seconds=0.5)
    options = {option["move"]: option for option in advice.values["options"]}
    assert {option["win_chance"] for option in options.values()} == {None}
    assert {option.get("line_score") for move, option in options.items() if move != third.token} == {None}
    assert options[third.token]["line_score"] == score
    games = {option["samples"] for option in options.values()}
    assert min(games) == max(games) > 1
    means = [option["mean_score"] for option in options.values()]
    if score == 40:
        assert advice.moves == (third,)
        assert f"Recommended: {third.token}, with which that line begins." in advice.claim
        assert means[1:] == sorted(means[1:], reverse=True)
    else:
        assert means == sorted(means, reverse=True)
    assert f"The best line that the search found begins with {third.token} and scores {score}." in advice.claim
    assert f"The mean scores are by playouts, {games.pop()} games for each move." in advice.claim
    coach = OptionsCoach(adviser)
    mine, best = next(move for move in table.legal_moves() if move not in (third, *advice.moves)), advice.moves[0]
    lines = " ".join(coach.judge(table, mine).lines)
    assert lines.count("no chance to win is known") == 1
    assert f"{mine.token} " in lines
    assert f"; {best.token} " in lines
    assert (f"begins with {third.token} and scores 40." in lines) == (score == 40)
    assert "no chance to win is known; mean scores" in coach.judge(table, best).lines[0]


def test_the_score_beside_a_proof_is_one_that_a_search_found() -> None:
    game = un.game("belle-lucie")
    state = game.parse("KD QC TH\nKC KH QH\n9H QD JH\n")
    found = plan(state.view(), seconds=5)
    assert found.status is un.Status.SOLVED
    for option in found.options:
        assert option.mean_score == un.solve(state.play(option.move)).score
        assert option.samples == 0


def test_a_game_that_is_over_has_no_move_left() -> None:
    game = un.game("golf")
    won = replace(game.deal(1), columns=((),) * 7)
    for state, word in (
        (won, "The game is won."),
        (replace(won, columns=(won.waste,), stock=()), "No move is left: the game is lost."),
    ):
        if state.legal_moves():
            continue
        _, advice = asked(game, state)
        assert (advice.moves, list(advice.claim)[-1]) == ((), word)
        assert advice.values["win_chance"] == float(word == "The game is won.")


def test_a_redeal_that_nobody_knows_is_not_weighed() -> None:
    game = un.game("belle-lucie", "classic")
    _, advice = asked(game, game.parse("Deal: 2\nQC JC KC\nTC\n"), samples=3)
    assert advice.claim[0].endswith(" A redeal is possible, but it is not evaluated: its order is unknown.")


def test_it_is_the_adviser_of_a_game_that_has_none() -> None:
    for game in (Ladder(), un.game("golf"), Higher()):
        assert isinstance(adviser_of(game), AnyAdviser)
        assert isinstance(coach_of(game, 0.1), OptionsCoach)
    assert not any(isinstance(adviser_of(un.game(name)), AnyAdviser) for name in OURS)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_example_of_moves_is_a_line_that_can_be_played(game: un.Game[Any, Any]) -> None:
    state: Any = game.start(game.pack)
    for token in AnyAdviser(game).moves_help.removeprefix("such as ").split():
        state = state.play(game.parse_move(token, state))


def test_a_coach_knows_a_move_that_loses() -> None:
    """The card of the stock loses, the other two cards win."""
    game = un.game("golf")
    cards = {str(card): card for card in game.pack}
    columns = ((cards["5H"],), (cards["6S"],), *[()] * 5)
    rest = tuple(card for card in game.pack if str(card) not in ("5H", "6S", "2C", "4C"))
    state = type(game.deal(1))(game.rules, columns, (*rest, cards["4C"]), (cards["2C"],))
    coach = coach_of(game, 5.0)
    loses, wins = (coach.judge(state, game.parse_move(token)) for token in ("d", "5H"))
    assert (loses.loses, wins.loses) == (True, False)
    assert loses.lines == ("Coach: d 0 %; 5H 100 %.",)
    assert wins.lines == ("Coach: 5H is the best move known: 100 %.",)


def test_a_review_tells_chances() -> None:
    state = Ladder().deal(3)
    moves = state.legal_moves()[:1]
    found = review(state, moves, nodes=20, seconds=1.5)
    assert [position.chance is not None for position in found.positions] == [True, True]


def test_one_answer_and_a_conversation(run: Run, tmp_path: Path) -> None:
    ended = run("advise", "ladder", "--seed", "3", "--samples", "3", "--json")
    assert ended.code == 0, ended.err
    [told] = ended.objects
    assert told["deal"] == "ladder/plain@3"
    assert (told["moves"][0], len(told["options"])) == (told["options"][0]["move"], 5)
    line = ("advise", "ladder", "--id", "mine", "--saves", tmp_path, "--seconds", "0.05")
    ended = run(*line, stdin="7S 2C 3H QH\na\nm 2-c1\n5C\nz\n")
    assert ended.code == 0, ended.err
    assert "Recommended: " in ended.out
    assert "The card turned up on pile 2?" in ended.out
    ended = run(*line, stdin="a\nd\nz\n")
    assert ended.code == 0, ended.err
    assert "Score 0 of 52; unknown: 7 face-down cards and 40 cards still to be dealt." in ended.out
