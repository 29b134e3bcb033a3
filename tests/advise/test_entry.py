"""Typing a table: one answer, one fan; every fault named; answers taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

import unshuffle as un
from tests.advise.table import EDIT, PLAY, Sit, last_prompt, phase, saved
from unshuffle.cards import PACK, format_cards

DEAL = un.game("belle-lucie", "classic").deal(6).view().table
FANS = str(DEAL).splitlines()


def test_fan_by_fan_and_it_ends_by_itself(sit: Sit, saves: Path) -> None:
    ended = sit(*FANS)
    assert ended.code == 0
    assert [line for line in ended.out.splitlines() if line.endswith("?")] == [
        *(f"Fan {number}?" for number in range(1, 19)),
        PLAY,
    ]
    assert phase(saves)["layout"] == FANS
    assert saved(saves)["at"] == {"pass": 1, "phase": 1, "prompt": "play"}


@pytest.mark.parametrize(
    "answers",
    [
        [f"Deck: {format_cards(card for fan in DEAL.fans for card in fan)}"],
        [" / ".join(FANS)],
        [f"[ {number}] {fan}" for number, fan in reversed(list(enumerate(FANS, 1)))],
        ["# a deal", "Id: belle-lucie/classic@6", *(fan.lower().replace("t", "10") for fan in FANS)],
        ["Deal: 1", *(fan.replace(" ", "") for fan in FANS)],
        [" ".join(card.glyph for card in fan) for fan in DEAL.fans],
    ],
    ids=["deck", "slashes", "numbered backwards", "id and lower case", "no blanks", "glyphs"],
)
def test_other_ways_to_type_the_same(sit: Sit, saves: Path, answers: list[str]) -> None:
    ended = sit(*answers)
    assert ended.code == 0, ended.err
    assert last_prompt(ended) == PLAY
    assert phase(saves)["layout"] == FANS
    assert ("'Id:' is not used" in ended.out) == (len(answers) == 20)


def test_u_takes_the_last_answer_back_also_after_a_break(sit: Sit, saves: Path) -> None:
    assert last_prompt(sit(FANS[0], FANS[1], "2: KC", "u")) == "Fan 3?"
    assert phase(saves)["layout"] == FANS[:2]
    assert last_prompt(sit("u")) == "Fan 2?"
    assert last_prompt(sit("U")) == "Fan 1?"
    ended = sit("u")
    assert (ended.code, ended.err) == (255, "Error: there is nothing to take back\n")


def test_a_fan_is_set_by_its_number(sit: Sit, saves: Path) -> None:
    sit(*FANS[:3], "2: KH 2S", "[5] 10c")
    assert phase(saves)["layout"] == [FANS[0], "KH 2S", FANS[2], "", "TC"]
    ended = sit("53: KC")
    assert (ended.code, ended.err) == (255, "Error: fan 53: fans are numbered 1..52\n")


def test_a_double_card_is_entered_marked_and_named_with_both_places(sit: Sit, saves: Path) -> None:
    ended = sit("KC QC", "KD", "QC JC")
    assert ended.code == 0
    assert ended.out.splitlines()[-6:-2] == [
        "[ 1] KC QC!",
        "[ 2] KD",
        "[ 3] QC! JC",
        "fan 3: 'QC' is on the table twice (first in fan 1)",
    ]
    assert phase(saves)["layout"] == ["KC QC", "KD", "QC JC"]


def test_an_unknown_word_alone_is_refused(sit: Sit, saves: Path) -> None:
    ended = sit("KC QC", "c1", "KD")
    assert ended.code == 255
    assert ended.err == "Error: 'c1' is not a card; expected a rank A 2-9 T J Q K, then a suit C D H S\n"
    assert phase(saves)["layout"] == ["KC QC"]


def test_an_unknown_word_inside_a_fan_is_kept_and_marked(sit: Sit, saves: Path) -> None:
    ended = sit("KC c1 QC")
    assert ended.code == 0
    assert "[ 1] KC 'c1' QC\nfan 1: 'c1' is not a card" in ended.out
    assert phase(saves)["layout"] == ["KC c1 QC"]


def test_all_faults_are_listed_and_edited_until_none_is_left(sit: Sit, saves: Path) -> None:
    ended = sit("KC 1X", "KC JD", "KD", "")
    assert ended.code == 0
    assert last_prompt(ended) == EDIT
    expected = [
        "3 faults:",
        "  fan 1: '1X' is not a card; expected a rank A 2-9 T J Q K, then a suit C D H S",
        "  fan 2: 'KC' is on the table twice (first in fan 1)",
        "  diamonds: QD is nowhere, but JD is in fan 2",
    ]
    assert ended.out.splitlines()[-6:-2] == expected
    again = sit()
    assert again.out.splitlines()[-6:-2] == expected
    assert last_prompt(again) == EDIT
    refused = sit("")
    assert refused.code == 255
    assert refused.err == "Error: " + "\n".join(expected) + "\n"
    ended = sit("1: KC QC / 2: JD", "u", "1: KC", "2: QD JD", "")
    assert last_prompt(ended) == PLAY
    assert phase(saves)["layout"] == ["KC", "QD JD", "KD"]


def test_fans_in_messages_are_those_that_were_typed(sit: Sit) -> None:
    ended = sit("KC", "x y", "KC", "JD", "KD", "")
    assert "  diamonds: QD is nowhere, but JD is in fan 4" in ended.out
    assert "  fan 3: 'KC' is on the table twice (first in fan 1)" in ended.out


def test_the_one_repair_is_named(sit: Sit) -> None:
    fans = [fan.replace("7S", "7X") for fan in FANS]
    ended = sit(*fans)
    assert last_prompt(ended) == EDIT
    assert "'7X' is not a card; expected a rank A 2-9 T J Q K, then a suit C D H S; the only card missing is 7S" in (
        ended.out
    )
    twice = [fan.replace("7S", "KS") for fan in FANS]
    assert "twice (first in fan 1); the only card missing is 7S" in sit(*twice, name="h").out


def test_a_whole_board_and_a_forgotten_fan_can_be_given_to_edit(sit: Sit, saves: Path) -> None:
    ended = sit("KC JC", "", "QC", "")
    assert last_prompt(ended) == PLAY
    assert phase(saves)["layout"] == ["KC JC", "QC"]
    sit("KC JC", "", "KD / KS / KC QC", "", name="h")
    assert phase(saves, "h")["layout"] == ["KD", "KS", "KC QC"]


def test_a_position_in_play(sit: Sit, saves: Path) -> None:
    ended = sit("Foundations: TC KD KH KS", "Deal: 3", "Merci: 0", "KC JC", "QC", variant="merci")
    assert ended.code == 0, ended.err
    assert last_prompt(ended) == PLAY
    assert phase(saves)["labels"] == {"foundations": "TC KD KH KS", "deal": "3", "merci": "0"}
    ended = sit("r", variant="merci")
    assert (ended.code, ended.err) == (255, "Error: no redeal now: no redeal is left\n")


def test_wrong_labels_are_faults_or_refused(sit: Sit) -> None:
    ended = sit("Deal: 4", "Foundations: 9C", "KC", "")
    assert last_prompt(ended) == EDIT
    assert "'4' is not a deal of this game; expected a number 1..3" in ended.out
    assert "the foundation of clubs cannot end with 9C" in ended.out
    ended = sit("Stock: 4", name="h")
    assert ended.code == 255
    assert "'stock:' has no place here; expected Foundations:, Deal:, Merci:, Deck: or cards" in ended.err


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        ("KC QC", "'Deck:' has 2 cards, expected 52, each once; missing: "),
        (format_cards(PACK) + " XX", "'XX' is not a card"),
        (format_cards(PACK) + " KC", "'Deck:' has 53 cards, expected 52, each once"),
    ],
)
def test_a_wrong_deck_is_refused(sit: Sit, saves: Path, deck: str, message: str) -> None:
    ended = sit(f"Deck: {deck}")
    assert ended.code == 255
    assert message in ended.err
    assert phase(saves)["layout"] == []


def test_nothing_entered_cannot_be_ended(sit: Sit) -> None:
    ended = sit("")
    assert (ended.code, ended.err) == (255, "Error: nothing is entered yet; type fan 1, or ?\n")


def test_aces_that_start_on_the_foundations(sit: Sit) -> None:
    state = un.game("belle-lucie", "trefoil").deal(1).view().table
    fans = [line for line in str(state).splitlines() if ":" not in line]
    assert len(fans) == 16
    assert last_prompt(sit(*fans, variant="trefoil")) == PLAY


def test_empty_fans_where_kings_may_fill_them(sit: Sit, saves: Path) -> None:
    assert last_prompt(sit("-", "QC KC", "-", "", variant="fan")) == PLAY
    assert phase(saves)["layout"] == ["-", "QC KC", "-"]
    ended = sit("-", "KC QC", "-", "", name="h")
    assert ended.code == 0
    assert phase(saves, "h")["layout"] == ["KC QC"]


def test_the_won_position(sit: Sit, saves: Path) -> None:
    ended = sit("Foundations: KC KD KH KS")
    assert "Won: 52 of 52 cards up, 1 deal, 0 moves." in ended.out
    assert saved(saves)["passes"][0]["result"] == "won"


@pytest.mark.parametrize(
    ("words", "message"), [(40_000, "longer than 100,000 characters"), (4_000, "more than a table can hold")]
)
def test_a_text_that_is_too_long(sit: Sit, saves: Path, words: int, message: str) -> None:
    ended = sit("KC " * words)
    assert ended.code == 255
    assert message in ended.err
    assert phase(saves)["layout"] == []


def test_what_could_disturb_a_terminal_is_quoted(sit: Sit) -> None:
    ended = sit("KC \x1b[31mQC KD")
    assert "\x1b" not in ended.out
    assert r"KC '\x1b[31mQC' KD" in ended.out
