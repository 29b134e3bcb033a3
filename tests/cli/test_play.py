"""`unshuffle play` from a pipe: every game, moves and their undoing, hints, solving, saves, the coach."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from tests.cli.program import Ended
from tests.laws import ROOT
from unshuffle.play import words
from unshuffle.registry import games_with

pytestmark = pytest.mark.one_engine("checks the command line, not the answers")

GAMES = tuple(games_with("adviser"))
GOLF = ("golf", "--load", str(ROOT / "examples" / "golf.py"))
LUCIE = "KC QC\nKD JD QD\n"
"""One move, and then nothing: the jack of diamonds lies under the queen."""
TRAP = """\
2C 3C 4C 5C 6C 7C -- JC KC 9D QD -- KD
2D 3D 4D 5D 6D 7D JD -- 8D TC TD -- 8C
2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS 9C
2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH QC
"""
"""The phase can be won, and is lost by KD."""


class Seat:
    """A chair at the table: each call is one run with these answers."""

    def __init__(self, run: Run, saves: Path) -> None:
        self._run = run
        self.saves = saves

    def __call__(self, game: str, *answers: str, options: tuple[str, ...] = (), seconds: str = "0.1") -> Ended:
        arguments = ["--saves", str(self.saves), "--seconds", seconds, *options]
        return self._run("play", game, *arguments, stdin="".join(f"{answer}\n" for answer in answers))

    def saved(self, name: str = "g") -> Any:
        return json.loads((self.saves / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture
def sit(run: Run, tmp_path: Path) -> Seat:
    return Seat(run, tmp_path / "saves")


NEW = ("--seed", "7", "--id", "g")
OLD = ("--id", "g")


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_undone_hinted_and_opened_again(sit: Seat, game: str) -> None:
    ended = sit(game, "?", "l", "1", "u", "e", "b", "h", "z", options=NEW)
    assert ended.code == 0, ended.err
    start = un.game(game).deal(7)
    move = start.legal_moves()[0]
    assert f"Taken back: {move.token}" in ended.out
    assert f"Made again: {move.token}" in ended.out
    assert ended.out.count("1 move made.") == 3
    assert sit.saved()["moves"] == [move.token]
    assert sit.saved()["taken_back"] == 1
    assert f"To go on: unshuffle play {game} --id g" in ended.out
    again = sit(game, "u", "q", options=OLD)
    assert again.out.startswith(f"Game g: {start.id}, 1 move made.\n")
    assert sit.saved()["moves"] == []
    assert sit.saved()["undone"] == [move.token]


def test_several_moves_are_undone_and_redone_in_their_order(sit: Seat) -> None:
    state, moves = un.game("agnes").deal(7), []
    for _ in range(3):
        moves.append(state.legal_moves()[0])
        state = state.play(moves[-1])
    first, second, third = (move.token for move in moves)
    ended = sit("agnes", first, second, third, "u 3", "e 2", "q", options=NEW)
    assert ended.code == 0, ended.err
    assert f"Taken back: {first} {second} {third}\n" in ended.out
    assert f"Made again: {first} {second}\n" in ended.out
    assert (sit.saved()["moves"], sit.saved()["undone"]) == ([first, second], [third])


@pytest.mark.parametrize("game", GAMES)
def test_no_hidden_card_is_shown(sit: Seat, game: str) -> None:
    """Law: two deals that look the same are shown in the same words."""
    variant = {"belle-lucie": "classic"}.get(game)
    rules = un.game(game, variant)
    state = rules.deal(7)
    twin = rules.with_id(state.view().sample(random.Random(1)), None)
    shown = []
    for number, table in enumerate((rules.with_id(state, None), twin)):
        path = sit.saves.parent / f"{number}.txt"
        path.write_text(rules.format(table), encoding="utf-8")
        options = (str(path), *(("--variant", variant) if variant else ()))
        shown.append(sit(game, "l", "b", "?", "z", options=options))
    assert shown[0].code == 0, shown[0].err
    assert shown[0].out == shown[1].out
    assert twin != rules.with_id(state, None)


def test_a_game_is_won_and_nothing_follows_but_undoing(sit: Seat, tmp_path: Path) -> None:
    deal = tmp_path / "deal.txt"
    deal.write_text("KC QC\nKDQD\n", encoding="utf-8")
    ended = sit("belle-lucie", "qc^ kc^", "QD^", "1", "u", "s", "e", options=(str(deal), "--id", "g"))
    assert ended.code == 0, ended.err
    assert "Won: 52 of 52 cards up.\n4 moves." in ended.out
    assert "Won: 52 of 52 cards up.\n4 moves, 1 taken back." in ended.out
    assert "The game can still be won, in 1 move (open: all cards known)." in ended.out
    refused = sit("belle-lucie", "1", options=OLD)
    assert refused.code == 255
    assert "the game is over; u takes a move back, n begins another" in refused.err


def test_a_game_that_is_stuck_says_so(sit: Seat, tmp_path: Path) -> None:
    deal = tmp_path / "deal.txt"
    deal.write_text(LUCIE, encoding="utf-8")
    ended = sit("belle-lucie", "s", "1", "1", options=(str(deal),))
    assert "The game cannot be won (proved); at most: 49 of 52 cards up" in ended.out
    assert "Stuck: no move is left, and the game is not won: 49 of 52 cards up.\n2 moves." in ended.out


def test_redeals_of_a_seed_are_a_fact_and_those_of_a_typed_deal_are_drawn_and_kept(sit: Seat, tmp_path: Path) -> None:
    variant = ("--variant", "classic")
    ended = sit("belle-lucie", "r", options=(*NEW, *variant))
    assert "Redeal: the 52 cards that are left are dealt again: deal 2 of 3" in ended.out
    dealt = un.game("belle-lucie", "classic").deal(7)
    assert str(dealt.play(dealt.legal_moves()[-1]).view().table).splitlines()[1] in ended.out
    typed = tmp_path / "deal.txt"
    typed.write_text("KC QC KD JD\nQD\n", encoding="utf-8")
    first = sit("belle-lucie", "r", "r", "z", options=(str(typed), "--id", "t", *variant))
    assert first.code == 0, first.err
    assert "What was unknown in this deal was dealt at random." in first.out
    again = sit("belle-lucie", "z", options=("--id", "t"))
    assert again.out.splitlines()[1] == "What was unknown in this deal was dealt at random."
    board = "\n".join(again.out.splitlines()[2:-2])
    assert "Deal: 3" in board
    assert board in first.out


def test_only_a_redeal_is_left(sit: Seat, tmp_path: Path) -> None:
    deal = tmp_path / "deal.txt"
    deal.write_text(
        "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC --\n2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD --\n"
        "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KS --\n2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KH --\n",
        encoding="utf-8",
    )
    ended = sit("gaps", "h", "r", options=(str(deal),))
    assert " 1 r   No card can move; r redeals.\n" in ended.out
    assert "redeal at once" in ended.out
    assert "Redeal: the 2 loose cards are dealt again: redeal 1 of 3" in ended.out


def test_redeals_that_are_told_in_part_are_refused(sit: Seat, tmp_path: Path) -> None:
    """Chance would deal the told one otherwise."""
    deal = tmp_path / "deal.txt"
    deal.write_text("KC QC KD JD\nQD\nRedeal 1: KC QC KD JD QD\n", encoding="utf-8")
    ended = sit("belle-lucie", options=(str(deal), "--variant", "classic"))
    assert ended.code == 2
    assert "has redeals whose order is not known" in ended.err


def test_of_many_moves_the_first_are_listed_and_a_plan_is_shown_whole_on_request(sit: Seat) -> None:
    ended = sit("belle-lucie", "l", "32", "z", options=("--variant", "super-flower-garden", "--seed", "7"))
    assert ended.code == 0, ended.err
    assert "and 8 more moves; l lists them all" in ended.out
    assert "\n32  Redeal" in ended.out
    first, whole = (sit("belle-lucie", answer, "z", options=("--seed", "3")).out for answer in ("h", "h all"))
    assert "more moves in this plan; h all shows them." in first
    assert "h all shows them" not in whole
    assert len(whole.splitlines()) > len(first.splitlines()) + 50


def test_solving_asks_once_before_it_looks_at_hidden_cards(sit: Seat) -> None:
    options = ("--seed", "7", "--rule", "ranks=5", "--rule", "piles=4", "--id", "g")
    ended = sit("agnes", "s", "n", "s", "y", "s", options=options, seconds="5")
    assert ended.code == 0, ended.err
    assert ended.out.count("The solver knows every card, also those that you cannot see.") == 2
    assert ended.out.count("(open: all cards known).") == 2
    assert sit.saved()["looked"]


def test_where_all_lies_open_nobody_is_asked(sit: Seat) -> None:
    ended = sit("belle-lucie", "s", options=("--seed", "3"), seconds="20")
    assert "Look at them?" not in ended.out
    assert "The game can be won, in " in ended.out


def test_a_phase_of_gaps_is_solved_without_its_redeals(sit: Seat, tmp_path: Path) -> None:
    deal = tmp_path / "deal.txt"
    deal.write_text(TRAP, encoding="utf-8")
    ended = sit("gaps", "s", options=(str(deal),), seconds="20")
    assert "Look at them?" not in ended.out
    assert "This phase can be won, in " in ended.out
    assert "(open: all cards known, but no redeal).\n" in ended.out


# The coach.


def test_the_coach_asks_before_a_win_is_lost(sit: Seat, tmp_path: Path) -> None:
    deal = tmp_path / "deal.txt"
    deal.write_text(TRAP, encoding="utf-8")
    ended = sit(
        "gaps",
        "KD",
        "n",
        "c KD",
        "KD",
        "y",
        options=(str(deal), "--coach", "--id", "g", "--variant", "addiction-one-deal"),
        seconds="20",
    )
    assert ended.code == 0, ended.err
    assert ended.out.count("Traps: r1c13 lies behind K♦, which may still leave.") == 3
    assert ended.out.count("; this phase is lost after it (proved): at most 44 locked.") == 3
    assert ended.out.count("This loses what can be won. Play it all the same? [Y]es or [N]o?") == 2
    assert ended.out.count("KD>r1c12 was not made.") == 1
    assert sit.saved()["moves"] == ["KD>r1c12"]


def test_a_redeal_may_be_declined(sit: Seat, tmp_path: Path) -> None:
    deal = tmp_path / "deal.txt"
    deal.write_text(TRAP, encoding="utf-8")
    options = (str(deal), "--coach", "--id", "g", "--variant", "addiction-early")
    ended = sit("gaps", "r", "n", "8C", options=options, seconds="20")
    assert ended.code == 0, ended.err
    assert "A redeal keeps 36 locked cards; chance to win " in ended.out
    assert "r was not made." in ended.out
    assert sit.saved()["moves"] == ["8C>r1c7"]


@pytest.mark.parametrize("game", games_with("adviser"))
def test_every_adviser_has_a_coach(sit: Seat, game: str) -> None:
    ended = sit(game, "1", options=(*NEW, "--coach"))
    assert ended.code == 0, ended.err
    assert "Coach: " in ended.out or "Costs: " in ended.out


def test_a_game_that_says_rules_and_places_alone_is_hinted_at_and_coached(sit: Seat) -> None:
    ended = sit(GOLF[0], "h", "c 1", "d", options=(*GOLF[1:], "--seed", "7", "--coach"))
    assert ended.code == 0, ended.err
    assert "All cards are known, so a search has the last word." in ended.out
    assert ended.out.count("Coach: d is the best move known: ") == 2


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("6H", "'6H': no gap takes 6H"),
        ("zz", "'zz' is not a move"),
        ("0", "'0' is not a number of the list, which has 4 moves"),
        ("99999999999999999999", "is not a number of the list"),
        ("m", "expected a move, or its number in the list"),
        ("u", "no move was made yet"),
        ("e", "no move was taken back"),
        ("u x", "'x' is not a number of moves"),
        ("h 5", "h gives the next move, h all the whole plan"),
        ("c 7S 5C", "c takes one move"),
        ("o nope", "there is no game 'nope' in"),
        ("o", "no game of gaps is saved in"),
        ("v a/b", "is not a game id"),
        ("n x", "'x' is not"),
        ("7S 6H", "'6H': no gap takes 6H"),
    ],
)
def test_a_refused_answer_from_a_pipe_ends_the_run(sit: Seat, answer: str, why: str) -> None:
    ended = sit("gaps", answer, options=("--seed", "7"))
    assert ended.code == 255
    assert why in ended.err
    assert not sit.saves.exists()


def test_what_was_played_before_a_refused_answer_is_kept(sit: Seat) -> None:
    assert sit("gaps", "1", "6H", options=NEW).code == 255
    assert sit.saved()["moves"] == ["7S>r3c2"]


def test_a_blank_answer_says_nothing_and_a_move_may_be_called_like_a_command(sit: Seat) -> None:
    """`d` deals in Golf; no letter of ours is a move of a game of ours."""
    ended = sit("gaps", "", "q", options=("--seed", "7"))
    assert ended.out.endswith("No move was made, so nothing is saved.\n")
    for game in GAMES:
        for move in un.game(game).deal(7).legal_moves():
            assert words.command_of(move.token) is None


# Saves.


def test_games_are_left_for_new_ones_and_opened_from_the_list(sit: Seat) -> None:
    ended = sit("gaps", "1", "v mine", "n 8", "1", "o", "mine", "n", "q", options=("--seed", "7"))
    assert ended.code == 0, ended.err
    assert "The game mine is saved.\nNew game of Gaps: gaps/addiction@8." in ended.out
    assert "  mine  addiction  0 of 48 cards locked  in play\n" in ended.out
    assert "Game mine: gaps/addiction@7, 1 move made." in ended.out
    assert "there is a game 'mine' already" in sit("gaps", "v mine", options=("--seed", "1")).err


def test_the_menu_of_saves_takes_a_number_and_tells_what_is_broken(sit: Seat, tmp_path: Path) -> None:
    sit("gaps", "1", options=NEW)
    (sit.saves / "bad.json").write_text("{", encoding="utf-8")
    (sit.saves / "adviser.json").write_text('{"format": "unshuffle-gaps", "version": 1}', encoding="utf-8")
    ended = sit("gaps", "o", "", "o", "1", options=("--seed", "8"))
    assert "the game 'bad' is broken: its file is not JSON" in ended.out
    assert "adviser" not in ended.out
    assert "Game g: gaps/addiction@7, 1 move made." in ended.out


@pytest.mark.parametrize(
    ("part", "value", "why"),
    [
        ("moves", ["6H"], "'moves': '6H': no gap takes 6H"),
        ("moves", 5, "'moves' is not what it should be"),
        ("undone", ["KS>r9c9"], "'undone': 'KS>r9c9'"),
        ("layout", "QQ", "row 1 has 1 cell, expected 13; 1 row, expected 4"),
        ("rules", {}, "'variant' is missing"),
        ("version", 2, "was saved by a newer unshuffle"),
        ("game", "agnes", "it is a game of 'agnes', not of gaps"),
        ("format", "unshuffle-gaps", "'g' is not a game of `unshuffle play`"),
    ],
)
def test_a_broken_save_is_named_and_left_as_it_is(sit: Seat, part: str, value: object, why: str) -> None:
    sit("gaps", "1", options=NEW)
    path = sit.saves / "g.json"
    text = json.dumps(sit.saved() | {part: value})
    path.write_text(text, encoding="utf-8")
    ended = sit("gaps", "1", options=OLD)
    assert ended.code == 255
    assert why in ended.err
    assert "was left as it is" in ended.err
    assert path.read_text(encoding="utf-8") == text


def test_an_advised_game_is_not_a_played_one(sit: Seat, run: Run) -> None:
    sit("gaps", "1", options=NEW)
    ended = run("advise", "gaps", "--saves", str(sit.saves), "--id", "g", stdin="z\n")
    assert ended.code == 255
    assert "'g' is a game of `unshuffle play`" in ended.err


def test_a_save_that_cannot_be_written_is_74(sit: Seat) -> None:
    sit.saves.write_text("a file where the folder should be")
    ended = sit("gaps", "1", options=("--seed", "7"))
    assert ended.code == 74
    assert "the game cannot be saved" in ended.err


# Wrong usage.


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("-",), "the answers come from stdin, so the deal cannot"),
        (("x.txt", "--seed", "7"), "FILE and --seed exclude each other"),
        (("--seed", "x"), "--seed: "),
        (("--id", "a/b"), "--id: 'a/b' is not a game id"),
        ((*OLD, "--seed", "7"), "the game 'g' is there already"),
        ((*OLD, "--variant", "montana"), "the game 'g' is one of gaps/addiction"),
    ],
)
def test_wrong_usage_is_told(sit: Seat, options: tuple[str, ...], why: str) -> None:
    sit("gaps", "1", options=NEW)
    ended = sit("gaps", options=options)
    assert ended.code == 2
    assert why in ended.err


def test_a_table_as_a_player_sees_it_can_be_played(sit: Seat, tmp_path: Path) -> None:
    game = un.game("agnes")
    path = tmp_path / "seen.txt"
    path.write_text(game.format(game.deal(7), hidden=True), encoding="utf-8")
    ended = sit("agnes", "d", options=(str(path), "--id", "g"))
    assert ended.code == 0, ended.err
    assert "What was unknown in this deal was dealt at random." in ended.out
    again = sit("agnes", "z", options=OLD)
    assert again.out.splitlines()[2] in ended.out
    solved = sit("agnes", "s", "y", "z", options=(*OLD, "--seconds", "0.3"))
    assert ", with what was unknown dealt at random)." in solved.out
    path.write_text("Base: 7\nnonsense\n", encoding="utf-8")
    assert sit("agnes", options=(str(path),)).code == 255
