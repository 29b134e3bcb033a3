"""A person at a terminal: asked again after a refusal, in colour, and Ctrl-C saves."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.advise.table import GAME, interrupt, saved
from tests.cli.program import PROGRAM, environment
from tests.cli.terminal import RED, read_until, terminal

pytestmark = pytest.mark.one_engine("checks the conversation, not the advice")


def test_a_game_at_a_terminal(saves: Path) -> None:
    with terminal() as (ours, theirs):
        process = subprocess.Popen(
            [*PROGRAM, "advise", GAME, "--saves", str(saves), "--variant", "classic"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment(),
        )
        os.close(theirs)
        shown = ""
        for wanted, answer in (
            ("uit? ", "w"),
            ("not one of n, o, e, q, z, ?", "n"),
            ("new one)? ", "my game"),
            ("is not a game id", "mine"),
            ("Fan 1? ", "KD xx"),
            ("Fan 2? ", "c1"),
            ("'c1' is not a card", "1: KD JD"),
            ("Fan 2? ", ""),
            ("1 fault:", "2: QD"),
            ("blank to end? ", ""),
            ("exit? ", "a"),
            ("exit? ", "d"),
            ("52 of 52", "z"),
        ):
            shown += read_until(ours, wanted)
            os.write(ours, f"{answer}\n".encode())
        shown += read_until(ours, "\0never")
        assert process.wait(60) == 0
    assert "Traceback" not in shown
    assert "Type one fan per answer" in shown
    assert f"{RED}K♦" in shown
    assert "\x1b[36mFoundation move" in shown
    assert saved(saves, "mine")["passes"][0]["result"] == "won"


def test_ctrl_c_saves_and_ctrl_d_too(saves: Path) -> None:
    for code in (130, 0):
        with terminal() as (ours, theirs):
            process = subprocess.Popen(
                [*PROGRAM, "advise", GAME, "--saves", str(saves), "--id", f"g{code}"],
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                env=environment(),
            )
            os.close(theirs)
            shown = read_until(ours, "Fan 1? ")
            os.write(ours, b"KD QD\n")
            shown += read_until(ours, "Fan 2? ")
            if code:
                interrupt(process)
            else:
                os.write(ours, b"\x04")
            shown += read_until(ours, "\0never")
            assert process.wait(60) == code
        assert "Traceback" not in shown
        assert f"Saved. To go on: unshuffle advise belle-lucie --id g{code}" in shown
        assert saved(saves, f"g{code}")["passes"][0]["phases"][0]["layout"] == ["KD QD"]
