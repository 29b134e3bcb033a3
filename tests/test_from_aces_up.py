"""The examples in docs/from-aces-up.md: what is shown there works, and its commands are commands of ours."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

import unshuffle as un
from tests.cli.conftest import Run, run
from tests.laws import ROOT
from unshuffle.games.aces_up.peer import read_deck, write_moves

__all__ = ["run"]  # the fixture

PAGE = (ROOT / "docs" / "from-aces-up.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
EXAMPLES = re.findall(r"```console\n\$ unshuffle (.*)\n((?:.*\n)*?)```", PAGE)
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
IN_TABLES = [line for line in re.findall(r"`unshuffle (\w+ aces-up [^`]*)`", PAGE) if "--" in line]


def smaller(text: str) -> str:
    """The page speaks of thousands."""
    return text.replace("0..9999", "0..19").replace("range(10_000)", "range(20)")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a results file of someone who comes from there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UNSHUFFLE_STORE", "s.sqlite")
    shutil.copy(ROOT / "tests" / "data" / "aces-up" / "peer-sample.sqlite", tmp_path)
    return tmp_path


def test_there_are_examples() -> None:
    assert (len(SNIPPETS), len(EXAMPLES), len(COMMANDS), len(IN_TABLES)) == (2, 1, 8, 7)


def test_the_commands_work(run: Run, folder: Path) -> None:
    [(command, expected)] = EXAMPLES
    ended = run(*shlex.split(command))
    assert (ended.code, ended.out) == (0, expected)
    for command in COMMANDS:
        ended = run(*shlex.split(smaller(command))[1:])
        assert ended.code == 0, ended.err
        assert ended.out or "export" in command
    assert (folder / "wins.sqlite").read_bytes().startswith(b"SQLite format 3")


def test_the_commands_in_the_tables_work(run: Run) -> None:
    run("study", "import", "--game", "aces-up", "peer-sample.sqlite")
    for command in IN_TABLES:
        ended = run(*shlex.split(smaller(command)))
        # `solve` says by its code whether the deal can be won.
        assert ended.code in ((0, 1) if command.startswith("solve") else (0,)), (command, ended.err)
        assert ended.out


def test_the_snippets_work(capsys: pytest.CaptureFixture[str]) -> None:
    game = un.game("aces-up")
    exec(smaller(SNIPPETS[0]), {})
    figures, one, moves = capsys.readouterr().out.splitlines()
    sim = un.simulate(game, "rules:2,1,10,100,1000", range(20))
    assert figures.startswith(f"{sim.wins} {sim.mean} ")
    assert one.startswith(f"aces-up/standard@4 {sim[4].score} ")
    assert tuple(map(game.parse_move, moves.split())) == sim[4].moves
    exec(SNIPPETS[1], {})
    deck, line = capsys.readouterr().out.splitlines()
    state = game.deal(4)
    assert read_deck(deck) == state.stock
    assert line == write_moves(state, un.simulate(game, "rules:2,1,10,1000", [4])[0].moves)


def test_the_files_that_are_named_exist() -> None:
    for target in re.findall(r"\]\(([^)#]+\.md)", PAGE):
        assert (ROOT / "docs" / target).is_file(), target
