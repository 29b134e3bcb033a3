"""A person plays at a terminal: asked again after a refusal, in colour; Ctrl-C and Ctrl-D save."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.advise.table import interrupt
from tests.cli.program import PROGRAM, environment
from tests.cli.terminal import RED, read_until, terminal

pytestmark = pytest.mark.one_engine("checks the command line, not the answers")

BOLD = "\x1b[1m"


def start(theirs: int, *arguments: str) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [*PROGRAM, "play", *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environment()
    )
    os.close(theirs)
    return process


def test_a_game_at_a_terminal(tmp_path: Path) -> None:
    deal = tmp_path / "deal.txt"
    deal.write_text(
        "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC --\n2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD --\n"
        "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH -- KH\n2S 3S 4S 5S 6S 7S 8S 9S TS JS KS QS --\n",
        encoding="utf-8",
    )
    with terminal() as (ours, theirs):
        arguments = [str(deal), "--saves", str(tmp_path / "saves"), "--id", "mine", "--coach"]
        process = start(theirs, "gaps", *arguments, "--seconds", "20")
        shown = ""
        # The prompt is the last that is written before each answer.
        for answer in ("x", "4h", "kh", "1", "QS", "KS", "7H", "z"):
            shown += read_until(ours, "uit? ")
            os.write(ours, f"{answer}\n".encode())
        shown += read_until(ours, "\0never")
        assert process.wait(60) == 0
    assert "Traceback" not in shown
    assert f"{RED}{BOLD}2♥" in shown
    for said in (
        "'x' is not a move",
        "'4h': no gap takes ",
        "still winnable, in 3 moves",
        "Won: 48 of 48 cards locked.",
        "the game is over; u takes a move back",
    ):
        assert said in shown
    saved = json.loads((tmp_path / "saves" / "mine.json").read_text(encoding="utf-8"))
    assert saved["moves"] == ["KH>r3c12", "KS>r4c13", "QS>r4c11", "KS>r4c12"]


def test_plain_shows_the_text_that_can_be_read_again(tmp_path: Path) -> None:
    with terminal() as (ours, theirs):
        process = start(theirs, "gaps", "--seed", "7", "--saves", str(tmp_path), "--plain")
        shown = read_until(ours, "uit? ")
        os.write(ours, b"\x04")
        shown += read_until(ours, "\0never")
        assert process.wait(60) == 0
    assert "6S -- 9C JD" in shown.replace(RED, "").replace("\x1b[0m", "")
    assert "No move was made, so nothing is saved." in shown


@pytest.mark.parametrize("code", [130, 0])
def test_ctrl_c_saves_and_ctrl_d_too(tmp_path: Path, code: int) -> None:
    with terminal() as (ours, theirs):
        process = start(theirs, "agnes", "--seed", "7", "--saves", str(tmp_path), "--id", "g")
        shown = read_until(ours, "uit? ")
        os.write(ours, b"d\n")
        shown += read_until(ours, "uit? ")
        if code:
            interrupt(process)
        else:
            os.write(ours, b"\x04")
        shown += read_until(ours, "\0never")
        assert process.wait(60) == code
    assert "Traceback" not in shown
    assert "Saved. To go on: unshuffle play agnes --id g" in shown
    assert json.loads((tmp_path / "g.json").read_text(encoding="utf-8"))["moves"] == ["d"]
