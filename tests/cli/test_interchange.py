"""Deals of other programs on the command line: every command that reads a deal reads them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from tests.laws import DATA

pytestmark = pytest.mark.one_engine("checks the command line, not the answers")

FOLDER = DATA / "interchange"
FAN = FOLDER / "solvitaire-fan.json"
BOARD = FOLDER / "fc-solve-fan.board"


@pytest.mark.parametrize("path", [FAN, BOARD], ids=lambda path: path.name)
def test_solve_and_verify_read_what_another_program_wrote(run: Run, path: Path) -> None:
    solved = run("solve", "belle-lucie", "--variant", "fan", path, "--json")
    assert solved.code == 0
    (found,) = solved.objects
    assert (found["deal"], found["status"]) == (None, "solved")
    assert run("verify", "belle-lucie", "--variant", "fan", path, "--moves", " ".join(found["moves"])).code == 0


def test_deal_reads_one_form_and_writes_another(run: Run) -> None:
    board = run("deal", "belle-lucie", "--variant", "fan", FAN, "--format", "fc-solve")
    assert (board.code, board.err) == (0, "")
    ours = run("deal", "belle-lucie", "--variant", "fan", "-", stdin=board.out)
    assert ours.out == FAN.with_suffix(".layout").read_text(encoding="utf-8")
    (found,) = run("deal", "belle-lucie", "--variant", "fan", FAN, "--json").objects
    assert (found["deal"], found["deck"], found["layout"]) == (None, None, ours.out)


def test_advise_reads_a_board(run: Run) -> None:
    advised = run("advise", "belle-lucie", "--variant", "classic", BOARD, "--json")
    assert advised.code == 0, advised.err
    assert advised.objects[0]["win_chance"] == 1


def test_play_reads_a_board(run: Run, tmp_path: Path) -> None:
    played = run("play", "belle-lucie", "--variant", "fan", BOARD, "--saves", tmp_path, stdin="quit\n")
    assert "Foundations: KC 9D TH QS\nKS TD QD\n" in played.out, played.err


def test_the_written_deal_is_the_seed_s(run: Run) -> None:
    ended = run("deal", "spider", "--seed", "7", "--format", "solvitaire")
    assert un.game("spider").parse(ended.out) == un.game("spider").deal(7)
    assert len(json.loads(ended.out)["stock"]) == 50


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("agnes", "--format", "solvitaire"), "no rule that builds by colour alone"),
        (("spider", "--variant", "4-suits-strict", "--format", "solvitaire"), "dealt on an empty pile"),
        (("belle-lucie", "--variant", "classic", "--format", "fc-solve"), "it has no redeals; --variant one-deal"),
        (("belle-lucie", "--variant", "shamrocks", "--format", "fc-solve"), "built down only"),
        (("gaps", "--variant", "addiction-one-deal", "--format", "solvitaire"), "--variant one-deal has the same"),
        (("belle-lucie", "--format", "solvitair"), "did you mean 'solvitaire'"),
        (("belle-lucie", "--seeds", "1..2", "--format", "solvitaire"), "--format and --seeds exclude each other"),
        (("belle-lucie", "--json", "--format", "solvitaire"), "--format and --json exclude each other"),
        (("belle-lucie", str(FAN), "--deck"), "FILE and --deck exclude each other"),
        (("belle-lucie", str(FAN), "--winnable"), "FILE and --winnable exclude each other"),
        (("belle-lucie", str(FAN), "--seed", "3"), "FILE and --seed exclude each other"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(run: Run, arguments: tuple[str, ...], words: str) -> None:
    ended = run("deal", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert words in " ".join(ended.err.split())


def test_a_file_that_cannot_be_read_names_key_and_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "deal.json"
    path.write_text('{"tableau piles": [["KS"]],\n "stocks": []}')
    ended = run("solve", "belle-lucie", path)
    assert ended.code == 255
    assert "line 2, column 2: 'stocks' is not a key of a deal" in ended.err
