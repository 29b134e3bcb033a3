"""An advised game of Gaps: play, redeals, saves, further passes, exports, and one answer for a program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
from tests.advise.gaps_seat import DECK, END, FEWEST, MOST, PLAY, ROWS, WHICH, Seat, after, came
from tests.advise.table import last_prompt, phase, saved
from tests.cli.conftest import Run
from tests.games.gaps_reference import reference
from unshuffle.games.gaps import Redeal

pytestmark = pytest.mark.one_engine("checks the conversation, not the advice")

ONCE = ("--rule", "redeals=1")


@pytest.fixture
def sit(run: Run, saves: Path) -> Seat:
    return Seat(run, saves)


def won_after(moves: str) -> str:
    """The winning line of the phase after that redeal."""
    end = after(moves)
    result = un.solve(end.play(Redeal(end.dealt(DECK))), seconds=5)
    assert result.status is un.Status.SOLVED
    return " ".join(move.token for move in result.moves)


# Playing.


def test_a_whole_game(sit: Seat, saves: Path) -> None:
    ended = sit(*ROWS, "a", "d 5", "d", "r", *came(MOST), "a", "d", options=ONCE)
    assert (ended.code, last_prompt(ended)) == (0, END), ended.err
    assert "Cannot be won in this phase (proved, " in ended.out
    assert "12/12/12/3 locked: " in ended.out
    assert "Redeal 1 of 1. Locked: ♦12 ♣12 ♥12 ♠3; 13 free cells to type, row by row." in ended.out
    assert "Redeal 1, row 1, column 13?" in ended.out
    assert "Redeal 1, row 4, column 4?" in ended.out
    assert "Winnable now: " in ended.out
    assert "Won: 48 of 48 cards locked, 2 phases, " in ended.out
    assert "39 locked (♦12 ♣12 ♥12 ♠3)" in ended.out
    file = saved(saves)
    assert file["format"] == "unshuffle-gaps"
    assert file["version"] == 1
    assert file["rules"]["redeals"] == 1
    assert file["model"] == "locked"
    (only,) = file["passes"]
    assert only["result"] == "won"
    first, second = only["phases"]
    assert first["locks"] == [["D", 12], ["C", 12], ["H", 12], ["S", 3]]
    assert len(first["end"]) == len(second["layout"]) == 52
    assert second["layout"][:12] == first["end"][:12]
    assert file["at"] == {"pass": 1, "phase": 2, "prompt": "end"}


def test_locked_cells_are_those_after_play(sit: Seat, saves: Path) -> None:
    """Not those of the start of the phase: there row 1 had nine locked cards, and row 4 one."""
    ended = sit(*ROWS, f"m {MOST}", "r", options=ONCE)
    assert last_prompt(ended) == "Redeal 1, row 1, column 13?"
    layout = phase(saves)["layout"]
    assert [index for index, cell in enumerate(layout) if not cell] == list(after(MOST).free_cells)


def test_a_redeal_may_be_declined(sit: Seat, saves: Path) -> None:
    ended = sit(*ROWS, f"m {MOST}", "r", "--", "u", "u", "b", options=ONCE)
    assert (ended.code, last_prompt(ended)) == (0, PLAY), ended.err
    assert "The redeal is taken back." in ended.out
    assert len(saved(saves)["passes"][0]["phases"]) == 1


def test_no_redeal_while_a_card_can_move(sit: Seat) -> None:
    ended = sit(*ROWS, "r")
    assert ended.code == 255
    assert ended.err.startswith("Error: no redeal now: 8S>r1c11 can still be played, and in these rules")


def test_rows_of_a_redeal_with_or_without_what_is_locked(sit: Seat, saves: Path) -> None:
    end = after(MOST)
    board = end.play(Redeal(end.dealt(DECK)))
    whole = [" ".join(row) for row in board.rows]
    for name, rows in (("free", came(MOST)), ("whole", whole), ("cells", " ".join(came(MOST)).split())):
        ended = sit(*ROWS, f"m {MOST}", "r", *rows, options=ONCE, name=name)
        assert (ended.code, last_prompt(ended)) == (0, PLAY), ended.err
        assert phase(saves, name)["layout"] == [cell for row in board.rows for cell in row]


def test_locked_cells_of_a_redeal_must_agree(sit: Seat) -> None:
    wrong = ROWS[0].replace("2D", "2C")
    ended = sit(*ROWS, f"m {MOST}", "r", wrong, options=ONCE)
    assert (ended.code, ended.err) == (255, "Error: r1c1: 2D is locked there, not 2C\n")
    ended = sit("r1c3 5H", options=ONCE)
    assert ended.err == "Error: r1c3: 4D is locked there, not 5H\n"
    # Only loose cards may appear.
    rows = came(MOST)
    ended = sit(*rows[:-1], rows[-1].replace("TS", "2C"), options=ONCE)
    assert last_prompt(ended).startswith("Cell and card")
    assert "2C twice: r2c1 and r4c" in ended.out
    assert "missing: TS" in ended.out


def test_gaps_whose_place_is_a_rule_are_not_asked_for(sit: Seat, saves: Path) -> None:
    options = ("--variant", "montana-locked")
    ended = sit(*ROWS, f"m {MOST}", "r", options=options)
    assert "9 free cells to type" in ended.out
    assert last_prompt(ended) == "Redeal 1, row 4, column 5?"
    layout = phase(saves)["layout"]
    assert [layout[index] for index in (12, 25, 38, 42)] == ["--"] * 4
    loose = "5S 6S 7S 8S 9S TS JS QS KS"
    ended = sit(f"-- {loose}")  # with the gap, as it lies
    assert (ended.code, last_prompt(ended)) == (0, PLAY)
    assert "Redeals used: 1" in ended.out


@pytest.mark.parametrize("between", ["\n", " / ", " "])
def test_a_whole_board_after_a_redeal_with_rows_of_which_nothing_is_asked(sit: Seat, saves: Path, between: str) -> None:
    """Under after-run three rows are given to the last cell; pasted with the rest they must agree, and that is all."""
    rows = [" ".join(row) for row in after(MOST).rows]
    rows[0], rows[1], rows[2] = (f"{row[:-2]}--" for row in rows[:3])
    rows[3] = "2S 3S 4S -- 5S 6S 7S 9S 8S TS JS QS KS"
    options = ("--variant", "montana-locked")
    ended = sit(*ROWS, f"m {MOST}", "r", *between.join(rows).splitlines(), options=options)
    assert (ended.code, last_prompt(ended)) == (0, PLAY), ended.err
    assert phase(saves)["layout"] == " ".join(rows).split()
    wrong = rows[0].replace("9D", "9C")
    ended = sit(*ROWS, f"m {MOST}", "r", *between.join([wrong, *rows[1:]]).splitlines(), options=options, name="other")
    assert (ended.code, ended.err) == (255, "Error: r1c8: 9D is locked there, not 9C\n")


def test_moves_that_leave_the_plan_have_it_made_again(sit: Seat, saves: Path) -> None:
    ended = sit(*ROWS, "a", "m 9S QS")
    assert "The plan, made again from here:" in ended.out
    assert phase(saves)["moves"] == ["9S>r4c13", "QS>r4c9"]
    assert phase(saves)["planned"]
    followed = sit("a", "d 1", "u", "u")
    assert followed.code == 0
    assert "made again" not in followed.out


def test_a_lost_game_ends_by_itself(sit: Seat, saves: Path) -> None:
    ended = sit(*ROWS, "a", "d", options=("--variant", "addiction-one-deal"))
    assert (ended.code, last_prompt(ended)) == (0, END), ended.err
    assert (
        "No redeal is left. The plan locks 39 cards (12/12/12/3: ♦12 ♣12 ♥12 ♠3): which is the most (proved)."
        in ended.out
    )
    assert saved(saves)["passes"][0]["result"] == "lost"


# Saves.


STAGES: list[tuple[tuple[str, ...], str]] = [
    ((), "Row 1, column 1?"),
    (ROWS[:2], "Row 3, column 1?"),
    ((*ROWS[:3], ROWS[3].replace("8S", "8C")), "Cell and card (r3c6 5H), blank to end?"),
    (ROWS, PLAY),
    ((*ROWS, "a", "d 2"), PLAY),
    ((*ROWS, "e"), WHICH),
    ((*ROWS, f"m {MOST}", "r", "5S"), "Redeal 1, row 2, column 13?"),
    ((*ROWS, f"m {FEWEST}", "p", "m QS"), PLAY),
]


@pytest.mark.parametrize(("answers", "prompt"), STAGES, ids=[prompt for _, prompt in STAGES])
def test_a_game_comes_back_at_the_very_prompt(sit: Seat, saves: Path, answers: tuple[str, ...], prompt: str) -> None:
    ended = sit(*answers, "z")
    assert ended.code == 0, ended.err
    assert ended.out.endswith(f"{prompt}\nSaved. To go on: unshuffle advise gaps --id g --saves {saves}\n")
    before = saved(saves)
    again = sit("?", "z")
    which = "phase 2, redeal 1, being entered." if prompt.startswith("Redeal") else "phase 1"
    assert again.out.startswith(f"Game g of gaps/addiction: {which}")
    assert last_prompt(again) == prompt
    after_it = saved(saves)
    assert (after_it["passes"], after_it["at"]) == (before["passes"], before["at"])


def test_a_file_needs_no_more_than_the_specification_names(sit: Seat, saves: Path) -> None:
    cells = " ".join(ROWS).split()
    rules = {"variant": "addiction", "redeals": 3, "redeal_gaps": "random", "twos_locked": True}
    value = {
        "format": "unshuffle-gaps",
        "version": 1,
        "id": "g",
        "created": "",
        "updated": "",
        "rules": {**rules, "early_redeal": False, "fixed_suits": ""},
        "model": "board",
        "passes": [
            {
                "phases": [
                    {"layout": cells, "moves": ["QS>r4c9"], "planned": ["3S>r4c2"], "end": None, "locks": None},
                ],
                "result": None,
            }
        ],
        "at": {"pass": 1, "phase": 1, "prompt": "play"},
    }
    saves.mkdir()
    (saves / "g.json").write_text(json.dumps(value))
    ended = sit("d")
    assert ended.code == 0, ended.err
    assert phase(saves)["moves"] == ["QS>r4c9", "3S>r4c2"]
    assert saved(saves)["model"] == "board"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "was saved by a newer unshuffle (version 2 of its file, this unshuffle knows 1)"),
        ({"model": "guess"}, "'model' is 'guess'"),
        ({"format": "unshuffle-agnes"}, "is a game of 'agnes', not a game of gaps"),
        ({"passes": []}, "'passes' is empty"),
        ({"rules": {"variant": "addiction", "redeals": 3, "twos_locked": False}}, "is broken"),
    ],
)
def test_a_broken_or_newer_file_is_named_and_left_alone(
    sit: Seat, saves: Path, change: dict[str, Any], message: str
) -> None:
    sit(*ROWS)
    path = saves / "g.json"
    path.write_text(json.dumps(saved(saves) | change))
    before = path.read_bytes()
    ended = sit("a")
    assert ended.code == 255
    assert message in ended.err
    assert path.read_bytes() == before


def test_a_redeal_that_does_not_fit_its_locks_is_a_broken_file(sit: Seat, saves: Path) -> None:
    sit(*ROWS, f"m {MOST}", "r", *came(MOST), options=ONCE)
    value = saved(saves)
    value["passes"][0]["phases"][1]["layout"][0] = "5S"
    (saves / "g.json").write_text(json.dumps(value))
    ended = sit("a")
    assert ended.code == 255
    assert "r1c1: 2D is locked there, not 5S" in ended.err


def test_opening_lists_and_shows(sit: Seat, run: Run, saves: Path) -> None:
    sit(*ROWS[:2], name="half")
    sit(*ROWS, name="my-game")
    ended = run("advise", "gaps", "--saves", saves, stdin="o\nmy-game\nz\n")
    assert "  1  half  addiction  phase 1  being entered\n  2  my-game  addiction  phase 1  in play\n" in ended.out
    assert "Game my-game of gaps/addiction: phase 1 of 4, in play.\n" + "\n".join(ROWS) + f"\n{PLAY}\n" in ended.out
    half = run("advise", "gaps", "--saves", saves, stdin="O\n1\n")
    assert last_prompt(half) == "Row 3, column 1?"
    assert "\n".join(ROWS[:2]) in half.out


def test_a_refused_answer_ends_a_pipe_and_what_was_taken_is_saved(sit: Seat, saves: Path) -> None:
    ended = sit("QS", "9D", "zz", "5H")
    assert (ended.code, ended.err) == (255, "Error: 'zz' is not a card or a gap\n")
    assert phase(saves)["layout"][:3] == ["QS", "9D", ""]
    assert "\x1b" not in ended.out


# Exports and one answer.


def test_exports(sit: Seat, run: Run, saves: Path, tmp_path: Path) -> None:
    tokens = won_after(MOST)
    ended = sit(*ROWS, f"m {MOST}", "r", *came(MOST), f"m {tokens}", f"x {tmp_path / 'g.txt'}", options=ONCE)
    assert ended.code == 0, ended.err
    assert last_prompt(ended) == END
    path = tmp_path / "g.txt"
    text = path.read_text()
    assert f"# Phase 1 of 2: {MOST}\n" in text
    assert "# Redeal 1: r=" in text
    # The rules travel with it.
    for options in ((), ("--moves-file", path), ("--moves-file", path, *ONCE)):
        checked = run("verify", "gaps", path, *options, "--json")
        assert checked.code == 0, checked.out + checked.err
        assert checked.objects[0]["variant"] == "addiction+redeals=1"
    for ending in ("md", "json"):
        file = tmp_path / f"g.{ending}"
        assert run("advise", "gaps", "--saves", saves, "--id", "g", "--export", file).code == 0
        assert file.stat().st_size > 1000
    assert json.loads((tmp_path / "g.json").read_text())["passes"] == saved(saves)["passes"]
    assert "## Phase 2 of 2" in (tmp_path / "g.md").read_text()


KEYS = {
    "moves",
    "locks",
    "locked",
    "status",
    "win_chance",
    "win_chance_se",
    "redeals_left",
    "simulated",
    "margin",
    "margin_se",
    "alternatives",
    "nodes",
    "seconds",
}


def test_one_answer_for_a_program(run: Run) -> None:
    ended = run("advise", "gaps", "-", "--json", "--seconds", 0.5, stdin="\n".join(ROWS))
    (value,) = ended.objects
    assert set(value) >= KEYS
    assert (value["status"], value["locked"], value["redeals_left"]) == ("unsolvable", 39, 3)
    assert value["locks"] == [["D", 12], ["C", 12], ["H", 12], ["S", 3]]
    assert 0 < value["win_chance"] < 1
    assert {option["locked"] for option in value["alternatives"]} <= {36, 37, 38, 39}
    state = after(" ".join(value["moves"]))
    assert state.score == 39
    assert state.can_redeal


def test_advice_differs_with_the_board(run: Run) -> None:
    """Not the same moves whatever lies there."""
    other = "\n".join(ROWS).replace("JS", "x").replace("TS", "JS").replace("x", "TS")
    lines = [
        run("advise", "gaps", "-", "--json", "--seconds", 0.5, stdin=board).objects[0]["moves"]
        for board in ("\n".join(ROWS), other)
    ]
    assert lines[0] != lines[1]


def test_the_statistics_come_last(run: Run) -> None:
    for explain in ("short", "full"):
        ended = run("advise", "gaps", "-", "--seconds", 0.2, "--explain", explain, stdin="\n".join(ROWS))
        assert " positions in " in ended.out.splitlines()[-1]
    ended = run("advise", "gaps", "-", "--seconds", 0.2, "--explain", "none", stdin="\n".join(ROWS))
    assert " positions in " not in ended.out


def test_a_lost_phase_is_given_up_at_once_where_one_may_redeal_at_will(run: Run) -> None:
    lost = reference("addiction-one-deal")["gaps-051"]["layout"]
    ended = run("advise", "gaps", "-", "--variant", "addiction-early", "--seconds", 1, stdin=lost)
    assert ended.code == 0, ended.err
    assert "redeal at once" in ended.out
    assert "Over whole games one wins more often by this than by the most cards." in ended.out


def test_what_is_locked_already_is_played_on_where_that_is_clearly_worth_more(run: Run) -> None:
    """With 34 cards locked a fresh start is no choice any more."""
    ended = run("advise", "gaps", "-", "--variant", "addiction-early", "--seconds", 1, stdin="\n".join(ROWS))
    assert "redeal at once" not in ended.out


def test_a_plan_without_moves_is_done(sit: Seat) -> None:
    """The same answers serve as after any other plan: a, d, r."""
    lost = reference("addiction-one-deal")["gaps-051"]["layout"]
    ended = sit(lost, "a", "d", "r", options=("--variant", "addiction-early"))
    assert (ended.code, last_prompt(ended)) == (0, "Redeal 1, row 1, column 1?"), ended.err
    assert "The plan is played; r redeals." in ended.out


@pytest.mark.parametrize(
    "options",
    [
        ("--memory", "x"),
        ("--memory", "0"),
        ("--model", "guess"),
        ("--threads", "0"),
        ("--seconds", "0"),
        ("--seconds", "nan"),
    ],
)
def test_wrong_options(run: Run, saves: Path, options: tuple[str, ...]) -> None:
    ended = run("advise", "gaps", "--saves", saves, "--id", "g", *options)
    assert ended.code == 2
    assert not saves.exists()
