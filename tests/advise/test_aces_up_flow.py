"""An advised game of Aces Up: it begins with nothing on the table, and every deal is typed as it comes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unshuffle as un
from tests.advise.table import PLAY_ONCE as PLAY
from tests.advise.table import Table, last_prompt, phase, saved
from tests.advise.test_aces_up import LATE, VARIANTS
from tests.advise.watched import check_seen_flow
from tests.cli.conftest import Run
from tests.cli.program import Ended

pytestmark = pytest.mark.one_engine("checks the conversation, not the advice")

FIRST = "Pile 1 (blank: nothing is dealt yet)?"
LAST = ("Pile 1: AC KC", "Pile 2: AD", "Pile 3: AH QH", "Pile 4:", "Stock: 2C 3C 4C AS")
"""The order of the stock is typed in vain: it stays hidden."""


@pytest.fixture
def table(run: Run, saves: Path) -> Table:
    return Table(run, "aces-up", saves)


def board(ended: Ended) -> list[str]:
    """The last board that was shown."""
    lines = ended.out.splitlines()
    start = max(place for place, line in enumerate(lines) if line.startswith("Pile 1:"))
    end = next(place for place in range(start, len(lines)) if lines[place].startswith("Discards:"))
    return lines[start : end + 1]


def test_a_game_begins_with_nothing(table: Table, saves: Path) -> None:
    ended = table("")
    assert ended.code == 0, ended.err
    assert ended.out.splitlines().count(FIRST) == 1
    assert board(ended) == str(un.game("aces-up").deal(1).view()).splitlines()
    assert last_prompt(ended) == PLAY
    assert phase(saves)["labels"] == {"discards": "-", "stock": "?"}


def test_deals_are_typed_as_they_come(table: Table, saves: Path) -> None:
    ended = table("", "a", "d", "QS QD 4H 4D", "m d=9S 9D 3H KD")
    assert "The 4 cards dealt, from pile 1 on?\n4D goes (QD)\nPile 1: QS\n" in ended.out
    assert "\n9D goes (KD), QD goes (KD)\nPile 1: QS 9S\n" in ended.out
    assert phase(saves)["moves"] == ["d=QS,QD,4H,4D", "d=9S,9D,3H,KD"]
    ended = table("m 1-2 d", "2C 3C 4C 5C")
    assert "\n9S goes (QS)\nPile 1: QS\nPile 2:\nPile 3: 4H 3H\nPile 4: KD\n" in ended.out
    assert "\n2C goes (5C), 3C goes (5C), 4C goes (5C)\n" in ended.out
    assert board(ended)[:4] == ["Pile 1: QS", "Pile 2:", "Pile 3: 4H 3H", "Pile 4: KD 5C"]
    ended = table("u", "u")
    assert board(ended)[:4] == ["Pile 1: QS 9S", "Pile 2:", "Pile 3: 4H 3H", "Pile 4: KD"]


def test_whole_games_follow_the_rules(table: Table, saves: Path, run: Run) -> None:
    """A game played by another is typed deal by deal: the same tables, told discards, and an export that replays."""
    game = un.game("aces-up")
    state = start = game.deal(17)
    moves = un.simulate(game, "weights", [17])[0].moves
    answers = [""]
    for move in moves:
        cards = f"={' '.join(map(str, state.stock[:4]))}" if move.token == "d" else ""
        answers.append(f"m {move.token}{cards}")
        state = state.play(move)
    path = saves.parent / "g.txt"
    ended = table(*answers, f"x {path}")
    assert ended.code == 0, ended.err
    assert board(ended) == str(state.view()).splitlines()
    assert ended.out.count(" goes (") == state.score
    checked = run("verify", "aces-up", str(path), "--moves-file", str(path))
    assert f"{len(moves)} legal moves" in checked.out
    assert game.parse(path.read_text()).stock == start.stock


@pytest.mark.parametrize(
    ("variant", "answers", "question"),
    [
        ("five-piles", ("", "m d"), "The 5 cards dealt, from pile 1 on?"),
        ("five-piles", ("1: 2C 3D", "2: AD", "3: AH", "4: 3S", "5: 4H", "Stock: AS KC"), None),
        ("russian", ("", "m d"), "The 4 cards dealt, from pile 1 on?"),
        ("russian", ("", "m d=QS QD 4H 4D d"), "The card dealt to pile 4?"),
        ("russian", ("", "m d=QS 3S 4S 4D d"), "The 2 cards dealt, to piles 2 and 3?"),
    ],
)
def test_the_right_number_of_cards_is_asked_for(
    table: Table, variant: str, answers: tuple[str, ...], question: str | None
) -> None:
    ended = table(*answers, variant=variant)
    if question is None:
        assert "3D on pile 1 is beaten by AD on pile 2\n  4H on pile 5 is beaten by AH on pile 3\n" in ended.out
        ended = table("5: 4C", "1: KD 3C 2H", "1: -", "", "m d", variant=variant)
        question = "The 2 cards dealt, from pile 1 on?"
    assert last_prompt(ended) == question, ended.err


def test_a_position_is_typed_pile_by_pile(table: Table, saves: Path) -> None:
    discards = LATE.split("Discards: ")[1].strip()
    ended = table("ks 4d jd q♠", "ACAD", "-", "K♥,4♣", discards)
    assert ended.code == 0, ended.err
    assert board(ended) == LATE.splitlines()
    assert "Pile 3 (- for a space)?\n" in ended.out
    assert "Discards, in any order (- for none)?\n" in ended.out
    typed = phase(saves)["layout"]
    for answers in (
        tuple(LATE.splitlines()),
        ("4: KH 4C", "KS 4D JD QS", "2: AC AD", f"Discards: {discards}", "-"),
        ("KS 4D JD QS", "AC AD", "-", "KH 4C", "Stock: 2C QC 3H 6H QH AH 9S AS"),
        (" / ".join(LATE.splitlines()),),
    ):
        (saves / "g.json").unlink()
        ended = table(*answers)
        assert last_prompt(ended) == PLAY, ended.err
        assert board(ended) == LATE.splitlines()
        assert phase(saves)["layout"] == typed


def test_a_deck_begins_a_game_and_stays_hidden(table: Table, saves: Path) -> None:
    state = un.game("aces-up").deal(3)
    ended = table(f"Deck: {' '.join(map(str, state.stock))}")
    assert board(ended)[-2:] == ["Stock: ?", "Discards: -"]
    assert str(state.stock[0]) not in (saves / "g.json").read_text()


def test_a_cell_is_asked_for(table: Table, saves: Path) -> None:
    ended = table("KS", "AC AD", "-", "KH 4C", "QS", "3C", variant="firing-squad")
    assert "Card in the cell (- for none)?\n" in ended.out
    assert "the stock has 45 cards; deals leave 52, 48, 44" in ended.out
    ended = table("Discards: 3C 5C 6C 7C 8C", "", "m r-3")
    assert last_prompt(ended) == "Pile and cards (3: QS 6H), blank to end?"
    ended = table("Discards: 3C 2H", "")
    assert last_prompt(ended) == PLAY
    ended = table("m r-3", "m 2-r")
    assert "\nQS goes (KS)\n" in ended.out
    assert "Reserve: AD" in board(ended)


def test_every_fault_has_its_pile(table: Table) -> None:
    ended = table("QS QD", "QS", "zz 8H", "QD KD", "")
    assert ended.code == 0
    assert "pile 2: 'QS' is on the table twice (first in pile 1)" in ended.out
    assert "pile 3: 'zz' is not a card" in ended.out
    assert "Pile 2: QS!" in ended.out
    assert "Pile 3: 'zz' 8H" in ended.out
    assert last_prompt(ended) == "Pile and cards (3: QS 6H), blank to end?"
    ended = table("1: QS JD / 2: - / 3: 8H / 4: AD", "")
    assert ended.code == 255
    assert "JD on pile 1 is beaten by AD on pile 4" in ended.err
    ended = table("1: QS JC / Discards: JD TD", "Discards: + 9D 9C", "")
    assert last_prompt(ended) == PLAY, ended.err


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (("xyz",), "'xyz' is not a card"),
        (("9: KC",), "pile 9: the piles are 1..4"),
        (("Pile 5: KC",), "pile 5: the piles are 1..4"),
        (("Reserve: KC",), "'reserve:' has no place here; expected Pile 1:, Discards:, Stock:, Deck: or cards"),
        (("# QS",), "that is a comment"),
        (("Deck: KC KC",), "the deck has 2 cards, expected 52"),
        (("", "r"), "'r' is not one of a, b, d, e, m, u, x, z, ?"),
        (("", "m d=QS"), "'d=QS': it turns up 4 cards, and 1 is told; no move was taken"),
        (("", "m d", "QS QD 4H"), "3 cards, expected 4"),
        (("", "m d", "QS QD 4H QS"), "a card is told twice"),
        (("", "m d", "what"), "'what': expected the cards that the move shows"),
        (("", "m d=QS QD 4H 4D", "m d", "QS 2C 3C 4C"), "QS is not in the stock"),
        (("", "m 1-2"), "pile 1 is empty"),
        (("", "m 1x"), "discards are no moves"),
        (("", "d"), "there is no plan yet"),
        (("", "u"), "there is nothing to take back"),
    ],
)
def test_refusals(table: Table, answers: tuple[str, ...], message: str) -> None:
    ended = table(*answers)
    assert ended.code == 255
    assert message in ended.err


def test_help(table: Table, saves: Path) -> None:
    ended = table("?", "", "?")
    assert "A blank answer begins the game" in ended.out
    assert "Then the card in the cell." not in ended.out
    assert "3-1 from pile 3 to space 1, d deal" in ended.out
    assert "r        redeal" not in ended.out
    (saves / "g.json").unlink()
    assert "Then the card in the cell." in table("?", variant="firing-squad").out


def test_a_game_comes_back_at_the_question(table: Table, saves: Path) -> None:
    table("", "m d d")
    assert saved(saves)["at"] == {"pass": 1, "phase": 1, "prompt": "shown", "pending": ["d", "d"]}
    ended = table("QS QD 4H 4D")
    assert last_prompt(ended) == "The 4 cards dealt, from pile 1 on?"
    assert phase(saves)["moves"] == ["d=QS,QD,4H,4D"]


def test_advice_is_followed_to_the_end(table: Table, saves: Path) -> None:
    ended = table(*LAST, "m 1-4 d=2C AS 3C 4C", "a", "d")
    assert "Won: 48 of 48 cards discarded, " in ended.out, ended.out + ended.err
    assert saved(saves)["passes"][0]["result"] == "won"
    assert len(phase(saves)["discards"]) == 48
    assert last_prompt(table("u")) == PLAY


def test_a_lost_game_ends(table: Table, saves: Path) -> None:
    ended = table("AH AC 2S", "AS 7C", "AD 9D QH", "-", "Stock: -", "a", "d")
    assert "This game cannot be won any more (proved); at most 47 cards can go." in ended.out
    assert saved(saves)["passes"][0]["result"] == "lost"


def test_edits(table: Table, saves: Path) -> None:
    table("", "m d=QS QD 4H 4D")
    ended = table("e", "n", "1: QS 2C / 3: 4H 3S / 4: 9D", "Discards: + 2H", "")
    assert ended.code == 255
    assert "the stock has 44" not in ended.err
    assert "9D on pile 4 is beaten by QD on pile 2" in ended.err
    ended = table("4: 9H", "")
    assert last_prompt(ended) == PLAY, ended.err
    assert phase(saves)["moves"][-1] == "board:QS2C,QD,4H3S,9H,discards=4D2H,stock=?"
    ended = table("e", "s", "1: KC / 2: 3D / 3: 5H / 4: 6S", "")
    assert "KC 3D 5H 6S: seen when the game began, so not in the stock now" in ended.out
    assert "1 move kept, 1 dropped." in ended.out
    assert phase(saves)["moves"] == ["d=QS,QD,4H,4D"]


def test_a_table_that_cannot_come_of_the_game(table: Table) -> None:
    table(*LAST)
    ended = table("e", "n", "4: 2D / Discards: + 3C", "")
    assert ended.code == 255
    assert "discards: '2D' is on the table twice (first in pile 4)" in ended.err
    table("u", "u")
    gone = " ".join(map(str, set(un.game("aces-up").parse("\n".join(LAST)).discarded) - {un.Card.parse("9S")}))
    ended = table("n", f"4: 9S / Stock: 2C 3C 4C AS / Discards: {gone}", "")
    assert ended.code == 255
    assert "9S: discarded when the game began, so not back now" in ended.err
    table("u", "u")
    ended = table("n", "3: AH / 4: AS / Stock: QH 2C 3C 4C", "")
    assert ended.code == 255
    assert "QH: seen when the game began, so not in the stock now" in ended.err


def test_exports(table: Table, tmp_path: Path, run: Run) -> None:
    table("", "m d=QS QD 4H 4D d=9S 9D 3H KD 1-2", f"x {tmp_path / 'g.txt'}", f"x {tmp_path / 'g.md'}")
    text = (tmp_path / "g.txt").read_text()
    assert "# 44 cards never came to light and stand in the order of the pack.\n" in text
    assert text.endswith("# Moves: d d 1-2\n")
    ended = run("verify", "aces-up", str(tmp_path / "g.txt"), "--moves-file", str(tmp_path / "g.txt"))
    assert "Valid: 3 legal moves" in ended.out
    assert "deal QS QD 4H 4D; 4D goes (QD)" in (tmp_path / "g.md").read_text()


# Whatever is answered.

JUNK = (
    "KC KC",
    "1X KD",
    "zz",
    "3: QC",
    "Stock: 3C",
    "Discards: 9C",
    "Deck: KC",
    "-",
    "?",
    "m 9-9",
    "m d=KC",
    "Stock: ?",
)


@settings(max_examples=8)
@given(variant=st.sampled_from(VARIANTS), seed=st.integers(0, 2**32))
def test_no_answer_breaks_the_flow(tmp_path_factory: pytest.TempPathFactory, variant: str, seed: int) -> None:
    check_seen_flow(
        un.game("aces-up", variant),
        seed,
        tmp_path_factory.mktemp("saves"),
        places=("Pile ", "Card ", "Discards"),
        junk=JUNK,
        begun=30,
        seconds=0.01,
    )
