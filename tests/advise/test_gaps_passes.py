"""Further passes of Gaps at the prompts: what is known then, what is refuted, and what is taken back or mended."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import unshuffle as un
from tests.advise.gaps_seat import DECK, END, FEWEST, GAME, MOST, PLAY, ROWS, Seat, after, came, dealt
from tests.advise.table import last_prompt, phase, saved
from tests.cli.conftest import Run
from unshuffle.games.gaps import Redeal
from unshuffle.solve import replay

pytestmark = pytest.mark.one_engine("checks the conversation, not the advice")

ONCE = ("--rule", "redeals=1")
ORDER = ("--rule", "redeals=2", "--model", "order")
AMPLE = ("--seconds", "60")
"""Time enough for the proofs, also on a busy machine; they end far sooner."""


@pytest.fixture
def sit(run: Run, saves: Path) -> Seat:
    return Seat(run, saves)


def swapped(row: str) -> str:
    """The row with its first two cards the wrong way round."""
    first, second, *rest = row.split()
    return " ".join([second, first, *rest])


def test_another_pass_knows_what_came(sit: Seat, saves: Path) -> None:
    """Lost by few locks; the deck is known then, and leads to the win."""
    lost = sit(*ROWS, f"m {FEWEST}", "r", *came(FEWEST), "a", "d", options=(*ONCE, "--model", "order", *AMPLE))
    assert (lost.code, last_prompt(lost)) == (0, END), lost.err
    ended = sit("p", "a", "d", "r", options=AMPLE)
    assert "In hindsight:\n  phase 1 of 2: could not be won (proved); at most 39 locked, you locked 36" in ended.out
    assert "By the model `order` the redeals are known also after other play" in ended.out
    assert "Pass 2: the same game from its first deal." in ended.out
    assert "Assumed (model `order`): " in ended.out
    assert "the way is known to the win, through 1 phase more" in ended.out
    file = saved(saves)
    assert (file["model"], file["at"]) == ("order", {"pass": 2, "phase": 2, "prompt": "redeal"})
    chosen = " ".join(file["passes"][1]["phases"][0]["moves"])
    # One line through all phases that are known.
    (told,) = re.findall(r"Phase 2, if it comes as foretold: (.*) \(wins\)", ended.out)
    end = after(chosen)
    dealt_again = end.play(Redeal(end.dealt(DECK)))
    assert replay(dealt_again, map(GAME.parse_move, told.split())).outcome is un.Outcome.WON
    ended = sit(*came(chosen), "a", "d")
    assert "The model `order` was confirmed 1 time; it is still an assumption." in ended.out
    assert saved(saves)["passes"][1]["result"] == "won"
    # Also when the save is loaded; and the pass can be exported.
    again = sit("z")
    assert "The model `order` was confirmed 1 time" in again.out


def test_a_model_that_fails_gives_way(sit: Seat, saves: Path) -> None:
    sit(*ROWS, f"m {FEWEST}", "r", *came(FEWEST), options=(*ONCE, "--model", "order"))
    other = dealt(after(FEWEST), DECK[::-1])
    ended = sit("p", f"m {FEWEST}", "r", *other)
    assert (ended.code, last_prompt(ended)) == (0, PLAY), ended.err
    for model in ("order", "locked", "board"):
        assert f"Redeal 1 did not come as the model `{model}` foretold: it is refuted for this game." in ended.out
    assert "From now on the model `none` is assumed" in ended.out
    assert saved(saves)["model"] == "none"
    assert "refuted" not in sit("b").out


def test_what_is_known_of_a_lost_record(sit: Seat) -> None:
    ended = sit(*ROWS, f"m {FEWEST}", "r", *came(FEWEST), "a", "d", "p", "a", options=ONCE)
    assert "to know it helps only to choose other locks earlier, and so to leave the record." in ended.out
    assert "Nothing has tested it yet." in ended.out


def test_a_pass_under_none_is_a_report_in_hindsight(sit: Seat) -> None:
    ended = sit(*ROWS, f"m {FEWEST}", "r", *came(FEWEST), "p", "a", options=(*ONCE, "--model", "none"))
    assert "In hindsight:" in ended.out
    assert "By the model `none` no redeal comes again" in ended.out


def test_a_pass_is_taken_back(sit: Seat, saves: Path) -> None:
    sit(*ROWS, f"m {FEWEST}")
    before = saved(saves)
    ended = sit("p", "u")
    assert "The pass is taken back." in ended.out
    assert saved(saves)["passes"] == before["passes"]
    assert saved(saves)["at"] == before["at"]


# What is taken back or mended.


def test_a_redeal_that_is_taken_back_leaves_the_record_in_use(sit: Seat) -> None:
    """The plan of phase 1 is made as one of phase 1 again, with what the first pass has told."""
    rows = came(FEWEST)
    first = sit(*ROWS, f"m {FEWEST}", "r", *rows, "p", options=(*ORDER, *AMPLE))
    assert (first.code, last_prompt(first)) == (0, PLAY), first.err
    undo = ["u"] * (len(rows) + 1)
    ended = sit(f"m {FEWEST}", "r", *rows, *undo, "u 5", "a", options=AMPLE)
    assert ended.code == 0, ended.err
    back = ended.out.partition("The redeal is taken back.")[2]
    assert "the way is known to the win, through 1 phase more" in back


def test_a_typing_error_in_a_redeal_does_not_cost_the_model(sit: Seat, saves: Path) -> None:
    rows = came(FEWEST)
    wrong = [*rows[:-1], swapped(rows[-1])]
    ended = sit(*ROWS, f"m {FEWEST}", "r", *rows, "p", f"m {FEWEST}", "r", *wrong, options=ORDER)
    assert "From now on the model `none` is assumed" in ended.out
    assert saved(saves)["model"] == "none"
    assert "refuted" not in sit("b").out
    first, second = rows[-1].split()[:2]
    ended = sit("e", "s", f"r4c4 {first} r4c5 {second}", "")
    assert (ended.code, last_prompt(ended)) == (0, PLAY), ended.err
    assert "The model `order` is assumed again" in ended.out
    assert "The model `order` was confirmed 1 time; it is still an assumption." in ended.out
    assert saved(saves)["model"] == "order"


def test_a_wrong_redeal_that_is_taken_back_does_not_cost_the_model(sit: Seat, saves: Path) -> None:
    rows = came(FEWEST)
    wrong = [*rows[:-1], swapped(rows[-1])]
    sit(*ROWS, f"m {FEWEST}", "r", *rows, "p", f"m {FEWEST}", "r", *wrong, options=ORDER)
    assert saved(saves)["model"] == "none"
    ended = sit(*["u"] * (len(rows) + 1))
    assert "The model `order` is assumed again" in ended.out
    assert saved(saves)["model"] == "order"


def test_another_model_is_declared_for_a_game_under_way(sit: Seat, saves: Path) -> None:
    """What was typed is held against it too."""
    rows = came(FEWEST)
    sit(*ROWS, f"m {FEWEST}", "r", *rows, "p", f"m {FEWEST}", "r", *rows, options=("--rule", "redeals=2"))
    ended = sit("b", options=("--model", "permutation"))
    assert "The model `permutation` was confirmed 1 time" in ended.out
    assert saved(saves)["model"] == "permutation"
    ended = sit("p", f"m {FEWEST}", "r", *came(FEWEST, DECK[::-1]))
    assert "Redeal 1 did not come as the model `permutation` foretold" in ended.out
    assert "Redeal 1 did not come as the model `board` foretold" in ended.out
    assert "`locked`" not in ended.out
    assert saved(saves)["model"] == "none"


def test_redeals_are_counted_as_the_prompt_counts_them(sit: Seat) -> None:
    """In a game that was taken up after its first redeal."""
    rows = came(FEWEST)
    sit("Redeals used: 1", *ROWS, f"m {FEWEST}", "r", *rows, "p", options=ORDER)
    ended = sit(f"m {FEWEST}", "r", *rows[:-1], swapped(rows[-1]))
    assert "Redeal 2, row 4, column 4?" in ended.out
    assert "Redeal 2 did not come as the model `order` foretold" in ended.out


def test_a_pass_begins_with_the_first_board_as_it_was_mended(sit: Seat, saves: Path) -> None:
    wrong = ROWS[3].replace("6S", "x").replace("8S", "6S").replace("x", "8S")
    ended = sit(*ROWS[:3], wrong, "p", "e", "s", "r4c4 6S r4c12 8S", "", "p")
    assert (ended.code, last_prompt(ended)) == (0, PLAY), ended.err
    assert len(saved(saves)["passes"]) == 3
    assert phase(saves)["layout"] == " ".join(ROWS).split()


def test_three_passes_and_their_records(sit: Seat, saves: Path) -> None:
    """Records of all passes count, and each pass keeps its phases in the save."""
    few, most = came(FEWEST), came(MOST)
    ended = sit(*ROWS, f"m {FEWEST}", "r", *few, "p", f"m {MOST}", "r", *most, "p", options=ORDER)
    assert (ended.code, last_prompt(ended)) == (0, PLAY), ended.err
    assert [len(part["phases"]) for part in saved(saves)["passes"]] == [2, 2, 1]
    ended = sit(f"m {FEWEST}", "r", *few)
    assert "The model `order` was confirmed 2 times; it is still an assumption." in ended.out
