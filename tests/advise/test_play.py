"""Advice, playing it, redeals, and the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.advise.table import EDIT, END, PLAY, TEN_CLUBS, WHICH, Sit, last_prompt, phase, saved, seat
from tests.cli.conftest import Run

pytestmark = pytest.mark.one_engine("checks the conversation, not the advice")


def test_the_advice_says_what_it_is_worth_and_why(sit: Sit, saves: Path) -> None:
    ended = sit("Deal: 2", *TEN_CLUBS, "a")
    assert ended.code == 0, ended.err
    for line in (
        "Deal 2 of 3: 1 redeal left, 48 cards up, 4 in 2 fans.",
        "Cannot be won in this deal (proved); a redeal is needed.",
        "Chance to win with this plan: 33.3 % (exact; hidden: what a player sees).",
        "It aims at 9C KD KH KS (48 up, 4 left), then a redeal.",
        "Most cards: TC KD KH KS (49 up, 3 left): 16.7 % (exact).",
        "redeal at once",
    ):
        assert line in ended.out.splitlines()
    assert "Why: keep the ten of clubs down: 33 % against 17 %; 4 cards make a small fan at the end, 3 would not." in (
        ended.out
    )
    assert phase(saves)["plan_ends"] == "redeal"
    assert phase(saves)["chance"] == [pytest.approx(1 / 3), 0.0]


def test_explain_none_and_full(run: Run, saves: Path) -> None:
    answers = ("Deal: 2", "KC QC / KD JC", "", "a")
    none = seat(run, saves, "--explain", "none")(*answers, name="none").out
    short = seat(run, saves, "--explain", "short")(*answers, name="short").out
    full = seat(run, saves, "--explain", "full")(*answers, name="full").out
    token = "Foundation move  JC^  jack of clubs from KD JC to the foundation"
    assert token not in none
    assert token in short
    assert token in full
    assert "Rule for people: points = cards up, + 4 if one card is over" in full
    assert "nine tenths of what the plans gain" in full
    assert "Rule for people" not in short


def test_done_marks_the_plan_or_its_first_moves(sit: Sit, saves: Path) -> None:
    ended = sit("KC QC JC", "KD", "", "a", "d 2", "d")
    assert ended.code == 0, ended.err
    assert "2 moves of the plan left." in ended.out
    assert last_prompt(ended) == END
    assert "Won: 52 of 52 cards up, 1 deal, 4 moves." in ended.out
    assert sorted(phase(saves)["moves"]) == ["JC^", "KC^", "KD^", "QC^"]
    assert phase(saves)["heights"] == [13, 13, 13, 13]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("d", "there is no plan yet; a asks for one"),
        ("m", "m takes the moves that you made: AS^ to its foundation, 8S>9S onto a fan"),
        ("m KC^", "'KC^': KC is not the top of its fan; no move was taken"),
        ("m JC^ up!", "'up!' is not a move; expected "),
        ("m r=KCQCJCKD", "a redeal is an answer of its own: r"),
        ("u 2", "there is nothing to take back"),
        ("d x", "there is no plan yet"),
        ("x", "x takes the name of a file"),
        ("w", "'w' is not one of a, b, d, e, m, r, u, x, z, ?"),
        ("", "'' is not one of"),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_reason(sit: Sit, saves: Path, answer: str, message: str) -> None:
    sit("KC QC JC", "KD", "")
    before = saved(saves)
    ended = sit(answer)
    assert ended.code == 255
    assert message in ended.err
    assert saved(saves) == before


def test_a_number_of_planned_moves(sit: Sit) -> None:
    sit("KC QC JC", "KD", "", "a")
    assert sit("d 5").err == "Error: the plan has only 4 more moves\n"
    assert sit("d 0").err == "Error: '0' is not a number of moves\n"
    assert sit("d five").err == "Error: 'five' is not a number of moves\n"


def test_other_moves_drop_the_plan_and_its_own_moves_follow_it(sit: Sit, saves: Path) -> None:
    sit("KC QC JC", "KD", "", "a")
    plan = phase(saves)["planned"]
    sit(f"m {plan[0]}")
    assert phase(saves)["planned"] == plan[1:]
    other = "KD^" if plan[1] != "KD^" else "QC^"
    sit(f"M {other.lower()}")
    assert phase(saves)["planned"] == []
    assert phase(saves)["moves"] == [plan[0], other]


def test_undo_gives_the_plan_back(sit: Sit, saves: Path) -> None:
    sit("KC QC JC", "KD", "", "a")
    plan = phase(saves)["planned"]
    ended = sit("d 3", "u 2")
    assert f"Taken back: {plan[1]} {plan[2]}" in ended.out
    assert phase(saves)["planned"] == plan[1:]
    assert last_prompt(sit("u")) == PLAY
    assert last_prompt(sit("u")) == "Fan 2?"  # no move is left to take back, so the last answer of the entry is
    assert sit("u", "u").code == 255


def test_undo_after_the_end(sit: Sit, saves: Path) -> None:
    sit("KC QC JC", "KD", "", "a", "d")
    assert saved(saves)["passes"][0]["result"] == "won"
    assert last_prompt(sit("u")) == PLAY
    assert saved(saves)["passes"][0]["result"] is None
    assert last_prompt(sit("d")) == END


def test_redeals_are_typed_and_played_to_the_end(sit: Sit, saves: Path) -> None:
    ended = sit(*TEN_CLUBS, "a", "r", "tc kc jc", "qc", "m JC>QC", "r", "kc jc tc", "qc", "a", "d")
    assert ended.code == 0, ended.err
    assert "Gather the 4 cards of the fans, shuffle and deal again: 1 fan of 3 and one of 1." in ended.out
    for prompt in ("Redeal 1, fan 1?", "Redeal 1, fan 2?", "Redeal 2, fan 1?", "Redeal 2, fan 2?", END):
        assert prompt in ended.out.splitlines()
    first, second, third = saved(saves)["passes"][0]["phases"]
    assert first["end"] == ["QC JC KC", "TC"]
    assert first["heights"] == [9, 13, 13, 13]
    assert second["layout"] == ["TC KC JC", "QC"]
    assert second["moves"] == ["JC>QC"]
    assert second["end"] == ["TC KC", "QC JC"]
    assert third["moves"] == ["TC^", "JC^", "QC^", "KC^"]
    assert saved(saves)["passes"][0]["result"] == "won"


def test_the_end_tells_where_the_chance_went(sit: Sit, saves: Path) -> None:
    ended = sit(*TEN_CLUBS, "a", "r", "TC KC JC", "QC", "a", "r", "TC KC JC", "QC", "a")
    assert ended.code == 0, ended.err
    assert last_prompt(ended) == END
    assert "This deal cannot be won (proved), and no redeal is left." in ended.out
    story = ended.out.splitlines()[-6:-2]
    assert story == [
        "Lost: 48 of 52 cards up, 3 deals, 0 moves.",
        "  deal 1 of 3: 0 moves, score 48, chance to win 56.9 % (exact) at the first advice, 56.9 % (exact) at its end",
        "  deal 2 of 3: 0 moves, score 48, chance to win 33.3 % (exact) at the first advice, 33.3 % (exact) at its end",
        "  deal 3 of 3: 0 moves, score 48, chance to win 0 % at the first advice",
    ]
    assert last_prompt(sit("u")) == PLAY
    assert saved(saves)["passes"][0]["result"] is None


def test_a_redeal_that_brings_no_move_ends_the_game(sit: Sit, saves: Path) -> None:
    ended = sit("Deal: 2", *TEN_CLUBS, "r", "TC QC JC", "KC")
    assert last_prompt(ended) == END
    assert "Lost: 48 of 52 cards up, 2 deals, 0 moves." in ended.out
    assert last_prompt(sit("u")) == "Redeal 2, fan 2?"
    assert saved(saves)["passes"][0]["result"] is None


def test_the_merci_is_for_the_last_deal(sit: Sit, saves: Path) -> None:
    ended = sit(*TEN_CLUBS, "m *QC^", variant="merci")
    assert "'*QC^': the merci is for the last deal, and a redeal is left" in ended.err
    ended = sit("r", "TC", "u", "QC TC KC / JC", "r", "KC TC QC / JC", "a", "d", variant=None)
    assert ended.code == 0, ended.err
    assert "Winnable now" in ended.out
    assert "Merci " in ended.out
    assert saved(saves)["passes"][0]["result"] == "won"


@pytest.mark.parametrize(
    ("answers", "faults"),
    [
        (
            ("KC QC", "JC TC"),
            ["fan 1: 2 cards, expected 3", "fan 2: 2 cards, expected 1"],
        ),
        (
            ("KC QC 9C", "TC"),
            ["fan 1: '9C' is on its foundation, so no redeal brings it", "missing: JC"],
        ),
        (
            ("KC QC QC", "TC"),
            [
                "fan 1: 'QC' is on the table twice (first in fan 1); the only card missing is JC",
                "missing: JC",
            ],
        ),
        (("KC QC xx", "TC"), ["fan 1: 'xx' is not a card; ", "missing: JC"]),
        (("KC QC JC", ""), ["missing: TC"]),
        (("Deck: KC QC JC TC TC",), ["fan 2: 'TC' is on the table twice", "fan 2: 2 cards, expected 1"]),
    ],
)
def test_faults_of_a_redeal(sit: Sit, saves: Path, answers: tuple[str, ...], faults: list[str]) -> None:
    ended = sit(*TEN_CLUBS, "r", *answers)
    assert ended.code == 0, ended.err
    assert last_prompt(ended) == EDIT
    for fault in faults:
        assert f"  {fault}" in ended.out
    assert last_prompt(sit()) == EDIT
    ended = sit("KC QC JC / TC", "")
    assert last_prompt(ended) == PLAY
    assert phase(saves)["layout"] == ["KC QC JC", "TC"]


def test_a_redeal_by_deck_and_no_other_label(sit: Sit, saves: Path) -> None:
    assert last_prompt(sit(*TEN_CLUBS, "r", "Deck: TC KC JC QC")) == PLAY
    assert phase(saves)["layout"] == ["TC KC JC", "QC"]
    assert "'deal:' has no place here" in sit("r", "Deal: 3").err


def test_a_redeal_is_taken_back(sit: Sit, saves: Path) -> None:
    ended = sit(*TEN_CLUBS, "r", "KC QC JC", "u", "u")
    assert "The redeal is taken back." in ended.out
    assert last_prompt(ended) == PLAY
    assert len(saved(saves)["passes"][0]["phases"]) == 1
    assert phase(saves)["end"] is None


def test_undo_at_play_reopens_the_redeal(sit: Sit, saves: Path) -> None:
    assert last_prompt(sit(*TEN_CLUBS, "r", "KC QC JC", "TC", "u")) == "Redeal 1, fan 2?"
    assert phase(saves)["layout"] == ["KC QC JC"]


def test_why_there_is_no_redeal(sit: Sit, run: Run, saves: Path) -> None:
    ended = sit(*TEN_CLUBS, "r", variant="one-deal")
    assert ended.err == "Error: no redeal now: there is no redeal in these rules\n"
    strict = seat(run, saves, "--rule", "may_hold_back=no")
    ended = strict(*TEN_CLUBS, "r", name="strict")
    assert "Error: no redeal now: TC fits its foundation" in ended.err


def test_edit_the_start(sit: Sit, saves: Path) -> None:
    sit("KC QC JC", "KD QD", "", "m JC^ QD^ QC^")
    ended = sit("e", "s", "2: QD KD", "")
    assert ended.code == 0, ended.err
    assert WHICH in ended.out.splitlines()
    assert "Move 2 is no longer legal: 'QD^': QD is not the top of its fan.\n1 move kept, 2 dropped.\n" in ended.out
    assert phase(saves)["layout"] == ["KC QC JC", "QD KD"]
    assert phase(saves)["moves"] == ["JC^"]


def test_edit_the_start_of_a_redeal(sit: Sit, saves: Path) -> None:
    sit(*TEN_CLUBS, "r", "KC QC JC", "TC", "m TC^", "e", "s", "1: KC JC QC", "")
    assert phase(saves)["layout"] == ["KC JC QC", "TC"]
    assert phase(saves)["moves"] == ["TC^"]
    ended = sit("e", "s", "1: KC JC 9C", "")
    assert "'9C' is on its foundation" in ended.err
    assert saved(saves)["at"]["edit"]["layout"] == ["KC JC 9C", "TC"]


def test_edit_the_board_now(sit: Sit, saves: Path) -> None:
    sit("KC QC JC", "KD QD", "", "m JC^", "e", "n", "1: -", "")
    assert phase(saves)["moves"] == ["JC^", "board:KDQD"]
    ended = sit("b")
    assert "Foundations: KC JD KH KS\nKD QD\n" in ended.out
    assert last_prompt(sit("e", "n", "")) == PLAY  # nothing changed
    assert phase(saves)["moves"] == ["JC^", "board:KDQD"]
    ended = sit("u")
    assert "Taken back: board:KDQD" in ended.out


def test_a_board_now_holds_no_card_that_was_up(sit: Sit) -> None:
    ended = sit("KC QC", "KD", "", "e", "n", "1: KC QC JC", "")
    assert ended.code == 255
    assert "JC: on a foundation when this deal began, so not in a fan now" in ended.err


def test_a_merci_that_was_spent_without_a_note(sit: Sit, saves: Path) -> None:
    sit("Deal: 3", "QC KC", "QD KD", "", "e", "n", "1: KC QC / Merci: 0", "", variant="merci")
    assert phase(saves)["moves"] == ["board:KCQC,QDKD,merci=0"]
    ended = sit("m *QD^", variant=None)
    assert "no merci is left" in ended.err
    ended = sit("e", "n", "Merci: 1", "", variant=None)
    assert ended.code == 0  # the deal began with one
    assert phase(saves)["moves"][-1] == "board:KCQC,QDKD,merci=1"


def test_edits_are_taken_back_step_by_step(sit: Sit, saves: Path) -> None:
    before = sit("KC QC JC", "KD QD", "", "m JC^")
    assert last_prompt(before) == PLAY
    shown = sit("e", "s", "1: KC", "u", "u", "u", "z")
    assert [line for line in shown.out.splitlines() if line.endswith("?")] == [
        PLAY, WHICH, EDIT, EDIT, EDIT, WHICH, PLAY,
    ]  # fmt: skip
    assert phase(saves)["moves"] == ["JC^"]


def test_edit_after_the_end(sit: Sit, saves: Path) -> None:
    sit("KC QC", "", "a", "d", variant="one-deal")
    assert last_prompt(sit("e", "u", variant=None)) == END
    ended = sit("e", "s", "1: QC KC", "", variant=None)
    assert last_prompt(ended) == END
    assert "Lost: 50 of 52 cards up" in ended.out
    assert saved(saves)["passes"][0]["result"] == "lost"
