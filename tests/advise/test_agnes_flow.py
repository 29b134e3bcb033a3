"""An advised game of Agnes Sorel: typing what one sees, and the cards that come to light."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unshuffle as un
from tests.advise.table import PLAY_ONCE as PLAY
from tests.advise.table import Table, last_prompt, phase, saved
from tests.advise.watched import check_seen_flow
from tests.cli.conftest import Run
from tests.cli.program import Ended

pytestmark = pytest.mark.one_engine("checks the conversation, not the advice")

DEAL = ("7S", "QS", "7H", "9H", "2D", "9C", "JD", "8H", "")
"""The golden deal as one sees it."""
LAST = ("Base: 7", "Foundations: 3C 5D 6S 6H", "6C", "0 6D", "3: - / 4: - / 5: - / 6: - / 7: -", "")
"""Two clubs are in the stock."""


@pytest.fixture
def table(run: Run, saves: Path) -> Table:
    return Table(run, "agnes", saves)


def board(ended: Ended) -> list[str]:
    """The last board that was shown."""
    lines = ended.out.splitlines()
    start = max(place for place, line in enumerate(lines) if line.startswith("Base: "))
    return lines[start : start + 10]


def test_a_deal_is_typed_as_one_sees_it(table: Table) -> None:
    ended = table(*DEAL)
    assert ended.code == 0, ended.err
    assert board(ended) == str(un.game("agnes").deal("python:12345").view()).splitlines()
    assert last_prompt(ended) == PLAY
    assert "Stock (blank: 23 cards)?" in ended.out


def test_many_ways_to_type_it(table: Table, saves: Path) -> None:
    seen = str(un.game("agnes").deal("python:12345").view()).splitlines()
    table(*seen)
    pasted = phase(saves)["layout"]
    (saves / "g.json").unlink()
    table("7S", "3: 2 9h", "1: q♠", "2: [##] 7H", "2D", "[## ## ## ##] 9C", "5 JD", "8H", "Stock: 23")
    assert phase(saves)["layout"] == pasted
    (saves / "g.json").unlink()
    state = un.game("agnes").deal("python:12345")
    rows = [state.piles[pile][row] for row in range(7) for pile in range(row, 7)]
    table(f"Deck: 7S {' '.join(map(str, [*rows, *state.stock]))}")
    assert phase(saves)["layout"] == pasted


def test_every_fault_has_its_pile(table: Table) -> None:
    ended = table("7S", "QS", "7H", "9H", "2D", "9C", "QS", "zz 8H", "")
    assert ended.code == 0
    assert "pile 6: 'QS' is on the table twice (first in pile 1)" in ended.out
    assert "pile 7: 'zz' is not a card" in ended.out
    assert " 6: [## ## ## ## ##] QS!" in ended.out
    assert last_prompt(ended) == "Pile and cards (3: 2 9H 8H), blank to end?"
    ended = table("6: 5 JD / 7: 6 8H", "")
    assert last_prompt(ended) == PLAY


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (("9H 8H",), "'9H 8H' is not the base card"),
        (("7S", "xyz"), "'xyz' is not a card"),
        (("7S", "9: KC"), "pile 9: the piles are 1..7"),
        (("7S", "Redeal 1: KC"), "'redeal 1:' has no place here"),
        (("7S", "99 KC"), "99 cards face down: no pile has so many"),
        (("7S", "# ## 9H"), "that is a comment"),
        (("",), "nothing is entered yet; type base card, or ?"),
        (("Deck: KC KC",), "'Deck:' has 2 cards, expected 52"),
        ((*DEAL, "r"), "'r' is not one of a, b, d, e, m, u, x, z, ?"),
        ((*DEAL, "m 2f=QS"), "'2f=QS': Q♠ lies face up already, or is on its foundation; no move was taken"),
        ((*DEAL, "m 2f", "AC AS"), "2 cards, expected 1"),
        ((*DEAL, "m 2f", "what"), "'what': expected the cards that the move shows"),
        ((*DEAL, "m 3f"), "9♥ does not go up"),
        ((*DEAL, "d"), "there is no plan yet"),
    ],
)
def test_refusals(table: Table, answers: tuple[str, ...], message: str) -> None:
    ended = table(*answers)
    assert ended.code == 255
    assert message in ended.err


def test_cards_come_to_light_with_the_move_or_after_it(table: Table, saves: Path) -> None:
    table(*DEAL, "m 2f=AC 7-3=as d=JS 9D KD 4S 6D 6C 8D")
    moves = phase(saves)["moves"]
    assert moves == ["2f=AC", "7-3=AS", "d=JS,9D,KD,4S,6D,6C,8D"]
    told = board(table("b"))
    (saves / "g.json").unlink()
    ended = table(*DEAL, "m 2f 7-3 d", "AC", "AS", "JS 9D KD 4S 6D 6C 8D")
    assert phase(saves)["moves"] == moves
    assert board(ended) == told
    for question in (
        "The card turned up on pile 2?",
        "The card turned up on pile 7?",
        "The 7 cards dealt, from pile 1 on?",
    ):
        assert question in ended.out.splitlines()


def test_a_game_comes_back_at_the_question(table: Table, saves: Path) -> None:
    table(*DEAL, "m 2f d")
    assert saved(saves)["at"] == {"pass": 1, "phase": 1, "prompt": "shown", "pending": ["2f", "d"]}
    ended = table("?")
    assert last_prompt(ended) == "The card turned up on pile 2?"
    assert "Type the cards that this move shows" in ended.out
    ended = table("AC", "u")
    assert "Taken back: d" in ended.out
    assert phase(saves)["moves"] == ["2f=AC"]
    assert last_prompt(table("u")) == PLAY
    assert phase(saves)["moves"] == []


def test_moves_behind_a_question_may_fail_alone(table: Table, saves: Path) -> None:
    ended = table(*DEAL, "m 2f 1f", "AC")
    assert ended.code == 0
    assert "no move was taken after 2f=AC" in ended.out
    assert phase(saves)["moves"] == ["2f=AC"]


@pytest.mark.parametrize("pending", [[], ["1f"], ["zz"], [3]])
def test_a_save_with_a_wrong_question_is_broken(table: Table, saves: Path, pending: list[object]) -> None:
    import json

    table(*DEAL, "m 2f")
    value = saved(saves)
    value["at"]["pending"] = pending
    (saves / "g.json").write_text(json.dumps(value))
    ended = table("b")
    assert ended.code == 255
    assert "is broken" in ended.err


def test_advice_is_followed_to_the_end(table: Table, saves: Path) -> None:
    ended = table(*LAST, "a", "d", "a", "d", "5C 4C", "a", "d")
    assert (
        "Won: 52 of 52 cards up, 5 moves.\n  2 cards in the stock: 5 moves, score 52, chance to win 100 %" in ended.out
    )
    assert saved(saves)["passes"][0]["result"] == "won"
    assert phase(saves)["foundations"] == [13, 13, 13, 13]
    ended = table("u", "b")
    assert last_prompt(ended) == PLAY
    assert "1 move of the plan left" not in ended.out


def test_a_plan_taken_back_remembers_what_came_to_light(table: Table, saves: Path) -> None:
    table(*DEAL, "a", "d", "AC", "u")
    assert phase(saves)["planned"] == ["2f=AC"]
    table("d")
    assert phase(saves)["moves"] == ["2f=AC"]


def test_the_last_unseen_card_need_not_be_told(table: Table, saves: Path) -> None:
    table("Base: 7", "Foundations: 4C 5D 6S 6H", "6C", "1 6D", "3: - / 4: - / 5: - / 6: - / 7: -", "", "a", "d")
    assert phase(saves)["moves"] == ["2f=5C", "2f", "1f"]
    assert saved(saves)["passes"][0]["result"] == "won"


def test_a_lost_game_ends(table: Table, saves: Path) -> None:
    lines = ("Base: 7", "Foundations: 3C 5D 6S 6H", "1: 4C 6C 5C", "2: 6D", "3: - / 4: - / 5: - / 6: - / 7: -", "")
    ended = table(*lines, "a", "d", variant="up-suit-none")
    assert "This game cannot be won any more (proved)" in ended.out
    assert saved(saves)["passes"][0]["result"] == "lost"


def test_edits(table: Table, saves: Path) -> None:
    table(*DEAL, "m 2f=AC")
    ended = table("e", "s", "1: KC", "")
    assert ended.code == 0, ended.err
    assert phase(saves)["moves"] == ["2f=AC"]
    ended = table("e", "n", "2: -", "3: 2 9H 8H / 7: 5 AS", "")
    assert "AC" in ended.out  # it is missing
    ended = table("Foundations: - - 7S 8H")
    ended = table("2: AC", "3: 2 9H / 7: 5 AS", "")
    assert last_prompt(ended) == PLAY
    assert phase(saves)["moves"][-1].startswith("board:KC,AC,[####]9H,")
    ended = table("e", "n", "7: 6 8D / Foundations: - - 7S 7H", "")
    assert ended.code == 255
    assert "seen when the game began" in ended.err


def test_exports(table: Table, saves: Path, tmp_path: Path, run: Run) -> None:
    table(*DEAL, "m 2f=AC 7-3=AS d=JS 9D KD 4S 6D 6C 8D", f"x {tmp_path / 'g.txt'}", f"x {tmp_path / 'g.md'}")
    text = (tmp_path / "g.txt").read_text()
    assert "# 35 cards never came to light and stand in the order of the pack.\n" in text
    assert text.endswith("# Moves: 2f 7-3 d\n")
    ended = run("verify", "agnes", str(tmp_path / "g.txt"), "--moves-file", str(tmp_path / "g.txt"))
    assert "Valid: 3 legal moves" in ended.out
    prose = (tmp_path / "g.md").read_text()
    assert "Deal 7 cards: J♠ 9♦ K♦ 4♠ 6♦ 6♣ 8♦." in prose


# Whatever is answered.

JUNK = ("KC KC", "1X KD", "zz", "3: QC", "Stock: 3", "Foundations: 9C", "Deck: KC", "-", "[##] 2C", "m 9-9", "m d=KC")


@settings(max_examples=12)
@given(
    variant=st.sampled_from(("down-color-none", "up-suit-anyrun", "down-suit-any1-nosplit")), seed=st.integers(0, 2**32)
)
def test_no_answer_breaks_the_flow(tmp_path_factory: pytest.TempPathFactory, variant: str, seed: int) -> None:
    check_seen_flow(
        un.game("agnes", variant),
        seed,
        tmp_path_factory.mktemp("saves"),
        places=("Base", "Found", "Pile ", "Stock"),
        junk=JUNK,
        begun=30,
        seconds=0.01,
    )
