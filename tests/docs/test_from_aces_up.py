"""docs/from-aces-up.md: its snippets tell what they are said to tell, and the commands in its tables are ours."""

from __future__ import annotations

import re
import shlex
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

import unshuffle as un
from tests.cli.conftest import Run, run
from tests.docs.pages import blocks, read
from tests.docs.readers_folder import folder
from tests.docs.running import smaller
from unshuffle.games.aces_up.peer import read_deck, write_moves

pytestmark = pytest.mark.one_engine("the pages show the native engine")

__all__ = ["folder", "run"]  # the fixtures

NAME = "from-aces-up.md"


def test_the_commands_in_the_tables_work(run: Run, folder: Path) -> None:
    lines = [line for line in re.findall(r"`unshuffle (\w+ aces-up [^`]*)`", read(NAME)) if "--" in line]
    assert len(lines) == 7
    run("study", "import", "--game", "aces-up", "peer-sample.sqlite")
    for command in lines:
        ended = run(*shlex.split(smaller(NAME, command)))
        # `solve` says by its code whether the deal can be won.
        assert ended.code in ((0, 1) if command.startswith("solve") else (0,)), (command, ended.err)
        assert ended.out


def test_the_snippets_tell_what_they_should() -> None:
    game, printed = un.game("aces-up"), []
    for block in blocks(NAME):
        if block.language == "python":
            with redirect_stdout(StringIO()) as out:
                exec(smaller(NAME, block.text), {})
            printed.append(out.getvalue().splitlines())
    (figures, one, moves), (deck, line) = printed
    sim = un.simulate(game, "rules:2,1,10,100,1000", range(10))
    assert figures.startswith(f"{sim.wins} {sim.mean} ")
    assert one.startswith(f"aces-up/standard@4 {sim[4].score} ")
    assert tuple(map(game.parse_move, moves.split())) == sim[4].moves
    state = game.deal(4)
    assert read_deck(deck) == state.stock
    assert line == write_moves(state, un.simulate(game, "rules:2,1,10,1000", [4])[0].moves)
