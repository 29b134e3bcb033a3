"""Laws of a review: its verdicts are those of exhaustive search, monotone, each with its proof, and few searches."""

from __future__ import annotations

import math
from itertools import islice
from threading import Event
from typing import Any

import pytest

import unshuffle as un
from tests.laws import IS_LONG, every_game
from tests.review import brute
from unshuffle.review import searching as searching_room
from unshuffle.review.ledger import By, Ledger, Verdict
from unshuffle.review.report import Review
from unshuffle.review.words import lines, summary

Game = un.Game[Any, Any]
LUCIE = "KC QC\nKD JD QD\nKH QH\nKS JS QS\n"
"""Lost from the start, for two jacks lie under their queens."""


def looked_back(state: Any, moves: Any, **options: Any) -> Review:
    return un.review(state, moves, **{"seconds": None, "chances": False, **options})


@pytest.mark.parametrize("game", every_game(), ids=str)
@pytest.mark.parametrize("seed", range(5 if IS_LONG else 2))
@pytest.mark.both_engines
def test_verdicts_are_those_of_exhaustive_search(game: Game, seed: int) -> None:
    for state in islice(game.small_states(seed), 3 if IS_LONG else 2):
        line = brute.random_play(state, seed, 30 if IS_LONG else 10)
        found = looked_back(state, line.moves)
        assert [position.state for position in found.positions] == list(line.states)
        truth = [brute.verdict(game, position.state) for position in found.positions]
        assert [position.verdict for position in found.positions] == truth, str(state)
        check_proofs(found)
        check_losses(game, found, truth)
        # Bisection halves what is not known with every search.
        counts = [span.last - span.first + 1 for span in found.spans]
        assert found.searches <= sum(math.ceil(math.log2(count + 1)) for count in counts)


def check_proofs(found: Review) -> None:
    """Each winnable position has a line that wins; what is lost has none."""
    for position in found.positions:
        win = found.win(position.after)
        assert (win is not None) == (position.verdict is Verdict.WINNABLE)
        if win is not None:
            assert un.replay(position.state, win).outcome is un.Outcome.WON


def check_losses(game: Game, found: Review, truth: list[Verdict]) -> None:
    """The move that lost each part is the one at which its verdict turns; what is told instead of it wins."""
    parts = brute.phases(game, found.line)
    assert [list(range(span.first, span.last + 1)) for span in found.spans] == parts
    for span, part in zip(found.spans, parts, strict=True):
        assert [truth[number] for number in part] == sorted((truth[number] for number in part), reverse=True)
        turned = [number for number in part[1:] if truth[number - 1] != truth[number]]
        assert ([span.lost_by.number] if span.lost_by else []) == turned
        assert span.lost_between is None
        if span.lost_by is not None:
            before = found.line.states[span.lost_by.number - 1]
            assert span.lost_by.played == found.line.moves[span.lost_by.number - 1] != span.lost_by.instead[0]
            assert un.replay(before, span.lost_by.instead).outcome is un.Outcome.WON


@pytest.mark.parametrize("game", every_game(), ids=str)
@pytest.mark.both_engines
def test_what_is_not_proved_is_never_claimed(game: Game) -> None:
    for seed, state in enumerate(islice(game.small_states(3), None if IS_LONG else 3)):
        line = brute.random_play(state, seed)
        whole = looked_back(state, line.moves)
        for nodes in (0, 1, 5):
            found = looked_back(state, line.moves, nodes=nodes)
            for position, known in zip(found.positions, whole.positions, strict=True):
                assert position.verdict in (known.verdict, Verdict.UNDECIDED)
            check_proofs(found)
            for span, exact in zip(found.spans, whole.spans, strict=True):
                if span.lost_between is not None and exact.lost_by is not None:
                    first, last = span.lost_between
                    assert first <= exact.lost_by.number <= last


@pytest.mark.parametrize("game", [un.game("belle-lucie"), un.game("agnes", ranks=5, piles=3)], ids=str)
@pytest.mark.both_engines
def test_a_won_line_needs_no_search(game: Game) -> None:
    for seed in range(40):
        result = un.solve(game.deal(seed))
        if result.status is un.Status.SOLVED:
            found = looked_back(game.deal(seed), result.moves)
            assert (found.searches, found.nodes) == (0, 0)
            assert {position.verdict for position in found.positions} == {Verdict.WINNABLE}
            assert [position.by for position in found.positions] == [By.LINE] * len(result.moves) + [By.WON]
            assert summary(found) == "The game was won."
            return
    pytest.fail("no deal was won")


@pytest.mark.both_engines
def test_a_win_that_was_found_speaks_for_what_it_passes() -> None:
    """A played line along the solver's own win is winnable without a search of each position."""
    game = un.game("belle-lucie")
    state = game.deal(3)
    win = un.solve(state).moves
    found = looked_back(state, win[:20])
    assert found.searches == 1
    assert {position.verdict for position in found.positions} == {Verdict.WINNABLE}
    assert {By.SEARCH, By.LATER, By.PASSED} == {position.by for position in found.positions}
    assert summary(found).startswith("The game can still be won: ")


def hopping() -> Ledger:
    """Gaps in which the first move is undone by the second, again and again: a 2 hops within column 1."""
    game = un.game("gaps", "one-deal")
    for seed in range(200):
        state = game.deal(seed)
        for move in state.legal_moves():
            after = state.play(move)
            back = [other for other in after.legal_moves() if after.play(other) == state]
            if back:
                return Ledger(game, un.replay(state, [move, back[0]] * 3), 0)
    raise AssertionError("no 2 ever hops")


def test_what_is_known_of_a_position_is_known_wherever_it_comes_again() -> None:
    ledger = hopping()
    ledger.add_loss(4, By.SEARCH)
    assert set(ledger.verdicts) == {Verdict.LOST}
    assert ledger.by == [By.SAME, *[By.EARLIER] * 3, By.SEARCH, By.EARLIER, By.EARLIER]


@pytest.mark.both_engines
def test_a_contradiction_is_never_passed_over() -> None:
    game = un.game("belle-lucie")
    state = game.deal(3)
    win = un.solve(state).moves
    ledger = Ledger(game, un.replay(state, win[:3]), 0)
    ledger.add_loss(1, By.SEARCH)
    with pytest.raises(un.InternalError, match="a position is lost, and one after it can be won"):
        ledger.add_win(2, win[2:], By.SEARCH)


@pytest.mark.both_engines
def test_a_range_is_told_where_the_move_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    game = un.game("belle-lucie")
    state = game.deal(23)
    moves = "AD^ 9H>TH AS>2S 2H>3H QD>KD AS^ 7D>8D 6D>7D"
    exact = looked_back(state, moves)
    assert exact.lost_by is not None
    assert exact.lost_by.number == 2
    hard = set(exact.line.states[1:5])

    def hits_its_limit(position: Any, **options: Any) -> Any:
        result = un.solve(position, **options)
        if position not in hard:
            return result
        return un.Result(position, un.Status.NODE_LIMIT, (), position.score, False, result.stats, result.engine)

    monkeypatch.setattr(searching_room, "solve", hits_its_limit)
    found = looked_back(state, moves)
    # The win from the start passes through the position after move 1.
    last = found.spans[0].last_winnable
    assert last is not None
    assert last <= 1
    assert found.lost_by is None
    assert found.spans[0].lost_between == (last + 1, 5)
    assert f"The game was lost by one of moves {last + 1} to 5; the positions between" in summary(found)
    assert [position.by for position in found.positions[2:5]] == [By.LIMIT] * 3
    assert found.values()["lost_between"] == [last + 1, 5]
    assert found.values()["lost_by"] is None


def in_vain(status: un.Status, asked: list[tuple[Any, Any]]) -> Any:
    """A solver who never decides, and notes what it was asked and how long it might take."""

    def solve(position: Any, *, seconds: float | None, **_: Any) -> un.Result:
        asked.append((position, seconds))
        return un.Result(position, status, (), position.score, False, un.Stats({"nodes": 1, "seconds": 0.0}), "python")

    return solve


def test_what_stays_undecided_is_asked_again_with_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    state = un.game("belle-lucie").deal(23)
    moves = "AD^ 9H>TH AS>2S 2H>3H"
    asked: list[tuple[Any, Any]] = []
    monkeypatch.setattr(searching_room, "solve", in_vain(un.Status.TIME_LIMIT, asked))
    found = looked_back(state, moves, seconds=600.0)
    times = [round(seconds) for _, seconds in asked]
    assert times == sorted(times)
    assert len(asked) == 4 * len(found.positions)
    assert {position.by for position in found.positions} == {By.LIMIT}
    asked.clear()
    monkeypatch.setattr(searching_room, "solve", in_vain(un.Status.NODE_LIMIT, asked))
    found = looked_back(state, moves, seconds=600.0)
    # More time would not help, and the first asked is the middle one.
    assert asked[0][0] == found.line.states[2]
    assert len(asked) == len(found.positions)


def test_a_position_that_comes_again_is_not_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    line = hopping().line
    asked: list[tuple[Any, Any]] = []
    monkeypatch.setattr(searching_room, "solve", in_vain(un.Status.NODE_LIMIT, asked))
    found = looked_back(line.states[0], line.moves)
    assert len(asked) == len(set(line.states)) == 2
    assert {position.by for position in found.positions} == {By.LIMIT}


def test_without_time_only_the_rules_speak() -> None:
    state = un.game("belle-lucie").deal(23)
    stuck = brute.random_play(state, 1, 500)
    found = looked_back(state, stuck.moves, seconds=0.0)
    assert found.searches == 0
    assert [position.verdict for position in found.positions[:-1]] == [Verdict.UNDECIDED] * len(stuck.moves)
    assert found.positions[-1].by is By.STUCK
    number = len(stuck.moves)
    assert f"was lost by move {number} at the latest; whether it could be won before was not decided" in summary(found)
    assert looked_back(state, stuck.moves[:3], seconds=0.0).spans[0].lost_between is None
    assert "was not decided anywhere" in summary(looked_back(state, stuck.moves[:3], seconds=0.0))


@pytest.mark.both_engines
def test_a_deal_that_is_lost_is_lost_by_no_move() -> None:
    state = un.game("belle-lucie").parse(LUCIE)
    found = looked_back(state, "QC^ KC^")
    assert {position.verdict for position in found.positions} == {Verdict.LOST}
    # What was played before a typed position nobody knows.
    assert summary(found) == "The game could not be won from the position given; no move after it lost it."
    assert found.values()["lost_by"] is None
    assert found.lost_by is None


@pytest.mark.both_engines
def test_a_dealt_game_that_is_lost_was_lost_from_its_start() -> None:
    game = un.game("belle-lucie")
    state = next(state for state in map(game.deal, range(9)) if un.solve(state).status is un.Status.UNSOLVABLE)
    assert summary(looked_back(state, "")) == "The game could not be won from its start; no move lost it."
    moves = state.legal_moves()[:1]
    later = un.replay(state, moves).states[-1]
    assert "from the position given" in summary(looked_back(later, ""))


@pytest.mark.parametrize(("won", "words"), [(0, "before the first move"), (1, "after move 1")])
@pytest.mark.both_engines
def test_the_last_win_that_is_known_is_told_by_the_moves_before_it(
    won: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = un.game("belle-lucie").deal(23)
    wins = un.solve(state).moves
    # The win that is known leaves the played line after so many moves.
    played = list(wins[:won])
    after = un.replay(state, played).states[-1]
    while len(played) < won + 2:
        played.append(next(move for move in after.legal_moves() if move not in wins))
        after = after.play(played[-1])

    def solve(position: Any, **options: Any) -> un.Result:
        result = un.solve(position, **options)
        if position == state:
            return result
        return un.Result(position, un.Status.NODE_LIMIT, (), position.score, False, result.stats, result.engine)

    monkeypatch.setattr(searching_room, "solve", solve)
    found = looked_back(state, played)
    assert found.spans[0].last_winnable == won
    assert summary(found).startswith(f"The game could still be won {words}; what follows was not decided")


@pytest.mark.both_engines
def test_the_values_for_another_program() -> None:
    state = un.game("belle-lucie").deal(23)
    values = looked_back(state, "AD^ 9H>TH").values()
    assert values["deal"] == "belle-lucie/one-deal@23"
    assert values["moves"] == ["AD^", "9H>TH"]
    assert [position["verdict"] for position in values["positions"]] == ["winnable", "winnable", "lost"]
    assert [position["token"] for position in values["positions"]] == [None, "AD^", "9H>TH"]
    assert {position["chance"] for position in values["positions"]} == {None}
    loss = values["lost_by"]
    assert (loss["move"], loss["token"]) == (2, "9H>TH")
    assert loss["text"].startswith("nine of hearts")
    before = un.replay(state, un.game("belle-lucie").parse_moves("AD^", state)).states[-1]
    line = un.game("belle-lucie").parse_moves(" ".join(loss["instead"]["moves"]), before)
    assert un.replay(before, line).outcome is un.Outcome.WON
    assert loss["instead"]["token"] == loss["instead"]["moves"][0]
    assert values["information"] == "open"
    assert f"lost by move 2 (9H>TH); {loss['instead']['token']} would have kept it" in values["summary"]


@pytest.mark.both_engines
def test_a_line_without_moves_is_one_position() -> None:
    found = looked_back(un.game("belle-lucie").deal(3), "")
    assert len(found.positions) == len(found.spans) == found.searches == 1
    assert lines(found)[:2] == ["   verdict   how known", "0  winnable  searched   the start"]


@pytest.mark.both_engines
def test_moves_are_values_tokens_or_text() -> None:
    game = un.game("gaps", "montana")
    state = game.deal(7)
    typed = game.with_id(game.parse(str(game.with_id(state.view().table, None))), None)
    redeal = game.told(state, game.parse_move("r")).token
    tokens = [next(move.token for move in typed.legal_moves())]
    lines = [[game.parse_move(tokens[0])], tokens, tokens[0]]
    assert len({looked_back(typed, line, nodes=0).line for line in lines}) == 1
    assert [move.token for move in looked_back(typed, [redeal], nodes=0).line.moves] == [redeal]
    # A log of Aces Up may write out what a move does by itself.
    aces = un.game("aces-up").parse(f"Deck: {' '.join(map(str, un.game('aces-up').pack))}")
    assert len(looked_back(aces, "d d", nodes=0).positions) == 3


def test_an_illegal_move_is_told() -> None:
    with pytest.raises(un.IllegalMoveError, match="illegal move 'KH\\^'"):
        un.review(un.game("belle-lucie").deal(3), "AC^ KH^")


@pytest.mark.both_engines
def test_cancelled_and_interrupted_reviews_hold_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    state = un.game("belle-lucie").deal(23)
    moves = "AD^ 9H>TH AS>2S 2H>3H"
    cancel = Event()
    cancel.set()
    found = looked_back(state, moves, cancel=cancel)
    assert found.is_cut
    assert found.searches == 0
    assert summary(found).endswith("The review was stopped before its end.")
    calls: list[Any] = []

    def solve(position: Any, **options: Any) -> Any:
        calls.append(position)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return un.solve(position, **options)

    monkeypatch.setattr(searching_room, "solve", solve)
    with pytest.raises(un.ReviewInterrupted) as caught:
        looked_back(state, moves)
    review = caught.value.review
    assert review.is_cut
    assert review.positions[2].verdict is Verdict.LOST
    assert Verdict.UNDECIDED in {position.verdict for position in review.positions}
    assert review.values()["interrupted"] is True
