"""Typing a board of Gaps: cell by cell, by rows, pasted; faults in the words of the game; edits; another's save."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unshuffle as un
from tests.advise.gaps_seat import EDIT, FEWEST, PLAY, ROWS, WHICH, Seat
from tests.advise.table import last_prompt, phase, saved
from tests.cli.conftest import Run
from unshuffle.cards import PACK, format_cards

pytestmark = pytest.mark.one_engine("checks the conversation, not the advice")

DATA = Path(__file__).parent.parent / "data" / "gaps"
CELLS = " ".join(ROWS).split()


@pytest.fixture
def sit(run: Run, saves: Path) -> Seat:
    return Seat(run, saves)


def test_cells_one_by_one_in_row_major_order(sit: Seat, saves: Path) -> None:
    ended = sit(*CELLS[:15])
    assert ended.code == 0, ended.err
    prompts = [line for line in ended.out.splitlines() if line.startswith("Row ")]
    assert prompts[:3] == ["Row 1, column 1?", "Row 1, column 2?", "Row 1, column 3?"]
    assert prompts[13:] == ["Row 2, column 1?", "Row 2, column 2?", "Row 2, column 3?"]
    assert phase(saves)["layout"] == CELLS[:15] + [""] * 37
    assert saved(saves)["at"] == {"pass": 1, "phase": 1, "prompt": "entry"}


@pytest.mark.parametrize(
    "answers",
    [
        ROWS,
        (" / ".join(ROWS),),
        (" ".join(CELLS),),
        tuple(row.lower().replace("--", "g").replace("t", "10") for row in ROWS),
        (ROWS[0].replace(" ", ", "), ROWS[1].replace(" ", "|").replace("T", "x"), "", "# a remark", *ROWS[2:]),
        (ROWS[0][:11], ROWS[0][12:], *ROWS[1:]),
        ("r4c1 2S", *ROWS),
        ("r2 " + ROWS[1], ROWS[0], ROWS[2], ROWS[3]),
    ],
)
def test_rows_pastes_and_spellings_come_to_the_same(sit: Seat, saves: Path, answers: tuple[str, ...]) -> None:
    ended = sit(*answers)
    assert (ended.code, last_prompt(ended)) == (0, PLAY), ended.err
    assert phase(saves)["layout"] == CELLS
    assert "\n".join(ROWS) in ended.out


def test_a_deck_fills_everything(sit: Seat, saves: Path) -> None:
    deck = PACK[::-1]
    ended = sit(f"Deck: {format_cards(deck)}")
    assert last_prompt(ended) == PLAY
    assert phase(saves)["layout"] == ["--" if card.rank == 1 else str(card) for card in deck]


def test_answers_are_taken_back(sit: Seat, saves: Path) -> None:
    ended = sit(ROWS[0], "QS", "u", "u", "QS")
    assert phase(saves)["layout"] == ["QS"] + [""] * 51
    assert last_prompt(ended) == "Row 1, column 2?"
    assert sit("u", "u").err == "Error: there is nothing to take back\n"


def test_the_end_of_a_faulty_entry_is_taken_back_to_the_entry(sit: Seat, saves: Path) -> None:
    ended = sit(*ROWS[:3], ROWS[3].replace("8S", "8C"), "u")
    assert last_prompt(ended) == "Row 4, column 1?"
    assert saved(saves)["at"]["prompt"] == "entry"
    assert last_prompt(sit(ROWS[3])) == PLAY


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("c3", "'c3' is not a card or a gap"),
        ("r1c1 c3", "'c3' is not a card or a gap"),
        ("r1c1", "r1c1: expected a card or a gap behind it"),
        ("r1c1 5H 6H", "'6H': expected a cell, such as r3c6"),
        ("r1c14 5H", None),
        (ROWS[0] + " 5H", "row 1 has 14 cells, expected 13"),
        ("QS 9D / 5H", "row 1 has 2 cells, expected 13"),
        ("r2 5H 6H", "row 2 has 2 cells, expected 13"),
        ("Deck: 5H 6H", "'Deck:' has 2 cards, expected 52"),
        ("Redeals used: 4", "'4' is not a number of redeals used; expected 0..3"),
        ("Merci: 1", "'merci:' has no place here; expected cells, or Deck: and 52 cards"),
    ],
)
def test_refused_answers_change_nothing(sit: Seat, saves: Path, answer: str, message: str | None) -> None:
    ended = sit("QS", answer) if message is None else sit(answer)
    if message is None:  # inside a row a word that is no card keeps its place
        assert "'r1c14'" in ended.out
        return
    assert (ended.code, ended.err) == (255, f"Error: {message}\n")
    assert not any(phase(saves)["layout"])


def test_a_doubled_card_is_entered_marked_and_named_with_both_cells(sit: Seat, saves: Path) -> None:
    ended = sit("QS 9D 5H", "5H xx")
    assert "QS 9D 5H! 5H! 'xx' .." in ended.out
    assert "5H twice: r1c3 and r1c4" in ended.out
    assert "r1c5: 'xx' is not a card or a gap" in ended.out
    assert phase(saves)["layout"][:5] == ["QS", "9D", "5H", "5H", "xx"]


FAULTS: list[tuple[str, list[str]]] = [
    ("r3c6 c3", ["r3c6: 'c3' is not a card or a gap; the only card missing is 7H"]),
    ("r4c2 7H", ["7H twice: r3c6 and r4c2", "missing: QS"]),
    ("r4c2 --", ["missing: QS", "5 gaps, expected 4"]),
    ("r1c11 7H", ["7H twice: r1c11 and r3c6", "3 gaps, expected 4"]),
    ("r1c1 xx r3c6 c3", ["r1c1: 'xx' is not a card or a gap", "r3c6: 'c3' is not a card or a gap", "missing: 2D 7H"]),
]


@pytest.mark.parametrize(("change", "faults"), FAULTS, ids=[change for change, _ in FAULTS])
def test_all_faults_at_the_end_in_the_words_of_the_game(sit: Seat, saves: Path, change: str, faults: list[str]) -> None:
    cells = CELLS.copy()
    words = change.split()
    for place, token in zip(words[::2], words[1::2], strict=True):
        row, column = place[1:].split("c")
        cells[13 * (int(row) - 1) + int(column) - 1] = token
    rows = [" ".join(cells[start : start + 13]) for start in range(0, 52, 13)]
    ended = sit(*rows)
    assert (ended.code, last_prompt(ended)) == (0, EDIT)
    listed = ended.out.split(":\n")[-1].splitlines()[: len(faults)]
    assert [line.strip() for line in listed] == faults
    with pytest.raises(un.InvalidDealError) as caught:
        un.game("gaps").parse("\n".join(rows))
    assert [str(fault) for fault in caught.value.faults] == faults
    refused = sit("")
    assert refused.code == 255
    assert all(fault in refused.err for fault in faults)
    # Until none is left.
    repaired = sit(" / ".join(ROWS), "")
    assert (repaired.code, last_prompt(repaired)) == (0, PLAY)
    assert phase(saves)["layout"] == CELLS


def test_a_board_after_a_redeal(sit: Seat) -> None:
    ended = sit("Redeals used: 2", *ROWS, "a")
    assert "Redeals used: 2\n" in ended.out
    assert "Phase 3 of 4: 34 cards locked (♦9 ♣12 ♥12 ♠1), 1 redeal left." in ended.out
    assert "with one redeal left" in ended.out


# Edits of a game under way.


def test_the_start_is_changed_and_the_moves_are_cut_where_they_are_no_longer_legal(sit: Seat, saves: Path) -> None:
    ended = sit(*ROWS, f"m {FEWEST}", "e", "s", "r4c8 TS r4c10 JS", "")
    assert WHICH in ended.out
    assert "Move 1 is no longer legal: 'QS>r4c9': r4c9 is right of TS and takes JS, not QS." in ended.out
    assert "0 moves kept, 5 dropped." in ended.out
    assert phase(saves)["moves"] == []
    ended = sit("m JS>r4c9", "e", "s", "r1c1 2D", "")
    assert phase(saves)["moves"] == ["JS>r4c9"]


def test_the_board_now_stands_among_the_moves_and_exports_say_so(sit: Seat, saves: Path, tmp_path: Path) -> None:
    ended = sit(*ROWS, "m QS>r4c9", "e", "n", "r4c2 3S r4c3 --", "", "m 4S", f"x {tmp_path / 'g.md'}")
    assert (ended.code, last_prompt(ended)) == (0, PLAY), ended.err
    board, last = phase(saves)["moves"][1:]
    assert board.startswith("board:2D,3D,4D,")
    assert board.count(",") == 51
    assert last == "4S>r4c3"
    assert "the moves to the next table are unknown" in (tmp_path / "g.md").read_text()


def test_the_board_now_has_the_same_cards(sit: Seat) -> None:
    ended = sit(*ROWS, "e", "n", "r4c2 2D", "")
    assert ended.code == 255
    assert "2D twice: r1c1 and r4c2" in ended.err
    assert "missing: QS" in ended.err


def test_an_edit_line_without_cells(sit: Seat) -> None:
    ended = sit(*ROWS, "e", "s", "5H")
    assert ended.code == 255
    assert ended.err.startswith("Error: 1 cell: expected cells with their cards (r3c6 5H r4c1 --)")


def test_a_board_is_pasted_at_the_edit_prompt(sit: Seat, saves: Path) -> None:
    """Four lines, as at the entry: after faults, and for the board now."""
    wrong = [row.replace("8S", "8C") for row in ROWS]
    ended = sit(*wrong, *ROWS, "")
    assert (ended.code, last_prompt(ended)) == (0, PLAY), ended.err
    assert ended.out.count("A whole board: the other rows follow.") == 1
    assert phase(saves)["layout"] == CELLS
    now = [*ROWS[:3], "2S 3S -- 6S KD QD 4S JS QS TS KS 8S --"]
    ended = sit("e", "n", *now[:3], "z")
    assert last_prompt(ended) == EDIT
    assert "13 cells not entered" in sit("").err
    ended = sit(now[3], "")
    assert (ended.code, last_prompt(ended)) == (0, PLAY), ended.err
    assert phase(saves)["moves"] == ["board:" + ",".join(" ".join(now).split())]


def test_a_row_at_the_edit_prompt_is_taken_back(sit: Seat, saves: Path) -> None:
    ended = sit(*ROWS, "e", "s", ROWS[0], "u", "")
    assert (ended.code, last_prompt(ended)) == (0, PLAY), ended.err
    assert phase(saves)["layout"] == CELLS


def test_edit_from_the_menu(sit: Seat, saves: Path) -> None:
    """In a game under way it asks what is meant; a half-entered one is changed, and then the entry goes on."""
    sit(*ROWS[:2], name="half")
    sit(*ROWS)
    assert last_prompt(sit("e", "g", name=None)) == WHICH
    ended = sit("E", "half", "r1c1 2C", name=None)
    assert (ended.code, last_prompt(ended)) == (0, EDIT), ended.err
    assert saved(saves, "half")["at"]["prompt"] == "edit"
    assert "2C twice: r1c1 and r2c1" in ended.out
    again = sit("r1c1 2D", "", name="half")
    assert (again.code, last_prompt(again)) == (0, "Row 3, column 1?")
    assert phase(saves, "half")["layout"][:26] == CELLS[:26]
    whole = sit("e", "half", " / ".join(ROWS), "", name=None)
    assert (whole.code, last_prompt(whole)) == (0, PLAY), whole.err


def test_edit_from_the_menu_in_the_midst_of_a_redeal(sit: Seat, saves: Path) -> None:
    sit(*ROWS, f"m {FEWEST}", "r", "5S")
    ended = sit("e", "g", "r1c10 JS", "", name=None)
    assert (ended.code, last_prompt(ended)) == (0, "Redeal 1, row 1, column 11?"), ended.err
    assert phase(saves)["layout"][9] == "JS"


# Saves of the peer.


def test_the_peers_save_becomes_a_game_named_after_its_file(run: Run, saves: Path) -> None:
    ended = run("advise", "gaps", "--saves", saves, "--import", DATA / "peer-style.json")
    assert (ended.code, last_prompt(ended)) == (0, PLAY), ended.err
    layout = phase(saves, "peer-style")["layout"]
    assert layout[:7] == ["7S", "KD", "JD", "7C", "9C", "TS", "--"]
    again = run("advise", "gaps", "--saves", saves, "--import", DATA / "peer-style.json")
    assert (again.code, again.err) == (
        255,
        "Error: there is a game 'peer-style' already; --id gives the imported one another id\n",
    )
    other = run("advise", "gaps", "--saves", saves, "--import", DATA / "peer-style.json", "--id", "other")
    assert other.code == 0
    assert phase(saves, "other")["layout"] == layout


def test_a_half_entered_one_goes_on_where_it_was_left(run: Run, saves: Path) -> None:
    ended = run("advise", "gaps", "--saves", saves, "--import", DATA / "peer-style-partial.json")
    assert last_prompt(ended) == "Row 2, column 8?"
    whole = json.loads((DATA / "peer-style.json").read_text())
    menu = "".join(f"{line}\n" for line in ("o", "peer-style-partial", *whole[20:]))
    ended = run("advise", "gaps", "--saves", saves, stdin=menu)
    assert last_prompt(ended) == PLAY


def test_a_card_typed_backwards_is_named_with_its_cell_and_the_card_that_is_missing(run: Run, saves: Path) -> None:
    ended = run("advise", "gaps", "--saves", saves, "--import", DATA / "peer-style-bad.json")
    assert last_prompt(ended) == EDIT
    assert "  r4c11: 'c3' is not a card or a gap; the only card missing is 3D\n" in ended.out
    ended = run("advise", "gaps", "--saves", saves, "--id", "peer-style-bad", stdin="r4c11 3D\n\n")
    assert last_prompt(ended) == PLAY


def test_a_file_whose_name_is_no_id(run: Run, saves: Path, tmp_path: Path) -> None:
    path = tmp_path / "my game.json"
    path.write_text((DATA / "peer-style.json").read_text())
    ended = run("advise", "gaps", "--saves", saves, "--import", path)
    said = "the file is named 'my game', which is no game id; --id gives the imported game one"
    assert (ended.code, ended.err) == (255, f"Error: {said}\n")
    assert run("advise", "gaps", "--saves", saves, "--import", path, "--id", "mine").code == 0
    assert len(phase(saves, "mine")["layout"]) == 52


def test_the_peers_file_among_the_saves_is_left_alone(sit: Seat, saves: Path) -> None:
    """It may lie there already: the peer keeps its games in a folder of the same name."""
    saves.mkdir()
    old = saves / "old.json"
    old.write_text((DATA / "peer-style.json").read_text())
    ended = sit("a", name="old")
    assert (ended.code, ended.out) == (255, "")
    assert "'old' is not a saved game of gaps" in ended.err
    assert old.read_text() == (DATA / "peer-style.json").read_text()
    assert sit(options=("--import", str(old)), name="new").code == 0


@pytest.mark.parametrize("text", ["", "{}", "[]", '["QS"]', json.dumps([1] * 52), "[" * 5000])
def test_a_file_that_is_no_board(run: Run, saves: Path, tmp_path: Path, text: str) -> None:
    path = tmp_path / "old.json"
    path.write_text(text)
    ended = run("advise", "gaps", "--saves", saves, "--import", path)
    assert (ended.code, ended.out) == (255, "")
    assert "expected a JSON array of 52 texts" in ended.err
    assert not saves.exists()
