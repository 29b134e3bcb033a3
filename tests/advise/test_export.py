"""Exports, and one-shot advice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unshuffle as un
from tests.advise.gaps_seat import FEWEST, MOST, ROWS, Seat, came
from tests.advise.table import GAME, TEN_CLUBS, Sit, saved
from tests.cli.conftest import Run
from unshuffle.cli.reading import find_remark

pytestmark = pytest.mark.one_engine("checks the conversation, not the advice")

WHOLE = (*TEN_CLUBS, "a", "r", "QC KC TC", "JC", "m TC^ JC^", "r", "KC QC", "a", "d")


def test_tokens_are_verified(sit: Sit, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    ended = sit(*WHOLE, f"x {path}")
    assert ended.code == 0, ended.err
    assert f"Written: {path}" in ended.out
    text = path.read_text()
    assert "# Deal 2 of 3: TC^ JC^\n" in text
    assert "# Redeal 2: r=KCQC\n" in text
    assert "# Moves: r=QCKCTCJC TC^ JC^ r=KCQC QC^ KC^\n" in text
    ended = run("verify", GAME, path, "--moves-file", path, "--variant", "classic")
    assert (ended.code, ended.out.splitlines()[-1]) == (0, "Valid: 6 legal moves; the game is won")


def test_export_from_the_command_line_and_half_a_game(sit: Sit, run: Run, saves: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    sit(*WHOLE[:8])
    ended = run("advise", GAME, "--saves", saves, "--id", "g", "--export", path)
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    ended = run("verify", GAME, path, "--moves-file", path, "--variant", "classic", "--json")
    assert (ended.code, ended.objects[0]["valid"], ended.objects[0]["score"]) == (1, True, 50)


def test_a_board_set_by_hand_is_where_the_tokens_begin(sit: Sit, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    sit("KC QC JC", "KD QD", "", "m JC^", "e", "n", "1: -", "", "m QD^ KD^", f"x {path}")
    text = path.read_text()
    assert "# The moves to that board are unknown; what follows begins with it.\n" in text
    ended = run("verify", GAME, path, "--moves-file", path, "--variant", "classic")
    assert (ended.code, ended.out.splitlines()[-1]) == (0, "Valid: 2 legal moves; the game is won")
    prose = tmp_path / "game.md"
    sit(f"x {prose}")
    assert "-- the moves to the next table are unknown --" in prose.read_text()


def test_prose_with_boards(sit: Sit, tmp_path: Path) -> None:
    path = tmp_path / "game.md"
    sit(*WHOLE, f"x {path}")
    text = path.read_text()
    assert text.startswith("# Game g of belle-lucie/classic\n\nLa Belle Lucie: 3 deals (2 redeals), no merci.\n")
    assert "- Won: 52 of 52 cards up, 3 deals, 4 moves." in text
    assert text.count("\n## Deal ") == 3
    assert "[ 1] Q♣ J♣ K♣   [ 2] T♣" in text
    assert "1  Foundation move  TC^  ten of clubs from QC KC TC to the foundation" in text


def test_json_is_the_save_itself(sit: Sit, saves: Path, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    sit(*TEN_CLUBS)
    sit(f"x {path}")
    exported, kept = json.loads(path.read_text()), saved(saves)
    assert {**exported, "updated": ""} == {**kept, "updated": ""}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("game.pdf", "expected a name that ends in .txt, .md, .json"),
        ("saves/other.json", "is a place for saves"),
        ("absent/game.txt", "cannot write"),
    ],
)
def test_exports_that_cannot_be_written(sit: Sit, tmp_path: Path, name: str, message: str) -> None:
    ended = sit(*TEN_CLUBS, f"x {tmp_path / name}")
    assert ended.code == 255
    assert message in ended.err
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("suffix", ["txt", "md", "json"])
def test_a_file_that_is_there_is_written_over_only_if_that_is_said(
    sit: Sit, run: Run, saves: Path, tmp_path: Path, suffix: str
) -> None:
    sit(*TEN_CLUBS)
    path = tmp_path / f"game.{suffix}"
    command = ("advise", GAME, "--saves", saves, "--id", "g", "--export", path)
    for by_answer in (True, False):
        path.write_text("precious")
        refused = sit(f"x {path}") if by_answer else run(*command)
        assert (refused.code, "is there already; -f writes over it" in refused.err) == (255, True)
        assert path.read_text() == "precious"
        written = sit(f"x -f {path}") if by_answer else run(*command, "-f")
        assert written.code == 0, written.err
        assert path.read_text() != "precious"
    assert "x takes the name of a file" in sit("x -f").err
    path.unlink()
    path.mkdir()
    for option in ("", "-f "):
        assert "it is there, and is not a file" in sit(f"x {option}{path}").err


def test_every_pass_is_exported(run: Run, saves: Path, tmp_path: Path) -> None:
    """The pass in hand as if it were the only one, and behind it all that were played before it."""
    seat = Seat(run, saves)
    once = ("--rule", "redeals=1", "--model", "order")
    text, prose = tmp_path / "game.txt", tmp_path / "game.md"
    assert seat(*ROWS, f"m {FEWEST}", "r", *came(FEWEST), f"x {text}", f"x {prose}", options=once).code == 0
    first = text.read_text(), prose.read_text()
    assert first[0].endswith(f"\n# Moves: {find_remark(first[0], 'Moves')}\n")
    assert "pass" not in first[0].lower() + first[1].lower()

    assert seat("p", f"m {MOST}", "p", "m QS>r4c9").code == 0
    assert seat(f"x -f {text}", f"x -f {prose}").code == 0
    told = text.read_text()
    assert told.startswith("# Game g of gaps/addiction+redeals=1, pass 3\n")
    assert find_remark(told, "Moves") == "QS>r4c9"
    ours = ("verify", "gaps", text)
    assert run(*ours, "--json").objects[0]["moves"] == ["QS>r4c9"]
    moves = {number: find_remark(told, f"Moves of pass {number}") or "" for number in (1, 2)}
    assert moves[1] == find_remark(first[0], "Moves")
    for number, score in ((1, 36), (2, 39)):
        (played,) = run(*ours, "--rule", "redeals=1", "--moves", moves[number], "--json").objects
        assert (played["valid"], played["score"] >= score) == (True, True), played
    assert "\n# Pass 1\n# Phase 1 of 2: " + FEWEST in told
    assert "\n# Pass 2\n# Phase 1 of 2: " + MOST in told
    shown = prose.read_text()
    assert shown.count("\n# Pass ") == 2
    body = first[1].split("\n", 4)[4]  # without the title and the rules
    assert f"\n# Pass 1\n\n{body.rstrip()}\n" in shown


def test_an_earlier_pass_that_began_otherwise_has_its_table(run: Run, saves: Path, tmp_path: Path) -> None:
    """A typing error in the first table may be found only in a later pass."""
    seat = Seat(run, saves)
    path = tmp_path / "game.txt"
    wrong = ROWS[0].replace("7S -- JD", "JD -- 7S")
    assert seat(wrong, *ROWS[1:], "m QS>r4c9", "p", "e", "s", "r1c10 7S r1c11 -- r1c12 JD", "", f"x {path}").code == 0
    told = path.read_text()
    assert f"\n# It began with another table:\n#   {wrong}\n" in told
    assert "\n# Moves of pass 1: QS>r4c9\n" in told
    assert run("verify", "gaps", path).out.splitlines()[0]


def test_nothing_to_export_yet(sit: Sit, run: Run, saves: Path, tmp_path: Path) -> None:
    sit("KC")
    ended = run("advise", GAME, "--saves", saves, "--id", "g", "--export", tmp_path / "game.txt")
    assert (ended.code, ended.err) == (
        255,
        "Error: there is nothing to export yet: the first table is not complete\n",
    )


KEYS = (
    "game variant deal moves status win_chance win_chance_se redeals_left mercis_left heights score most_cards"
    " alternatives nodes seconds"
)


def test_one_answer_as_json(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text("Deal: 2\nQC JC KC\nTC\n")
    ended = run("advise", GAME, path, "--variant", "classic", "--json")
    assert ended.code == 0, ended.err
    (value,) = ended.objects
    assert list(value) == KEYS.split()
    assert value["win_chance"] == pytest.approx(1 / 3)
    assert value["most_cards"] == {
        "moves": ["TC^"],
        "heights": [10, 13, 13, 13],
        "win_chance": pytest.approx(1 / 6),
        "win_chance_se": 0.0,
    }
    assert value["alternatives"] == [value["most_cards"]]
    picked = {name: value[name] for name in ("deal", "moves", "status", "redeals_left", "mercis_left", "score")}
    assert picked == {
        "deal": None,
        "moves": [],
        "status": "unsolvable",
        "redeals_left": 1,
        "mercis_left": 0,
        "score": 48,
    }


def test_one_answer_in_words(run: Run) -> None:
    ended = run("advise", GAME, "-", "--variant", "classic", stdin="Deal: 2\nQC JC KC / TC\n")
    assert ended.code == 0, ended.err
    assert ended.out.startswith("belle-lucie/classic (typed)\n\n[ 1] Q♣ J♣ K♣   [ 2] T♣\n")
    assert "Why: keep the ten of clubs down: 33 % against 17 %" in ended.out
    assert ended.out.endswith("redeal at once\n")
    none = run("advise", GAME, "-", "--variant", "classic", "--explain", "none", stdin="Deal: 2\nQC JC KC / TC\n").out
    assert "[ 1]" not in none


def test_a_seeded_deal_is_advised_without_its_redeals(run: Run) -> None:
    state = un.game(GAME, "classic").deal(7)
    (seeded,) = run("advise", GAME, "--variant", "classic", "--seed", "7", "--json").objects
    (known,) = run("advise", GAME, "-", "--variant", "classic", "--json", stdin=str(state)).objects
    (typed,) = run("advise", GAME, "-", "--variant", "classic", "--json", stdin=str(state.view().table)).objects
    assert seeded["deal"] == known["deal"] == "belle-lucie/classic@7"
    for value in (seeded, known, typed):
        value.pop("seconds")
        value.pop("deal")
    assert seeded == known == typed
    line = un.replay(state, un.game(GAME, "classic").parse_moves(" ".join(seeded["moves"])))
    assert list(line.states[-1].foundations) == seeded["heights"]


def test_rules_without_tables_show_no_chance(run: Run) -> None:
    ended = run("advise", GAME, "-", "--variant", "classic", "--rule", "fan_size=4", "--json", stdin="QC KC\nKD\n")
    assert ended.code == 0, ended.err
    (value,) = ended.objects
    if value["win_chance_se"] is None:
        assert value["win_chance"] is None


def test_bad_input_names_all_faults(run: Run, tmp_path: Path) -> None:
    ended = run("advise", GAME, "-", stdin="KC 1X\nKC\nJD\n")
    assert ended.code == 255
    for part in ("line 1, column 4: '1X' is not a card", "line 2, column 1: 'KC' is on the table twice", "QD KD are"):
        assert part in ended.err
    assert run("advise", GAME, "absent.txt").code == 255
    assert run("advise", GAME, "-", stdin=b"\xff").code == 255
    ended = run("advise", GAME, "--id", "g", "--saves", tmp_path, stdin=b"KC\n\xff\n")
    assert (ended.code, ended.err) == (255, "Error: answer 2 is not UTF-8 text\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--json"],
        ["--generator", "ms"],
        ["--export", "game.txt"],
        ["--seed", "7", "--id", "g"],
        ["file.txt", "--seed", "7"],
        ["file.txt", "--export", "game.txt"],
        ["--explain", "all"],
        ["--variant", "nothing"],
    ],
)
def test_wrong_usage_is_2(run: Run, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ended = run("advise", GAME, *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert list(tmp_path.iterdir()) == []
