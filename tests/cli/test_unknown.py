"""Deals with unknown cards: no command solves them, and what is offered instead can be typed as it is printed."""

from __future__ import annotations

import json
import shlex
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import unshuffle as un
from tests.cli.conftest import Run
from tests.laws import HIDDEN, IS_LONG
from unshuffle.cli.app import COMMANDS, app

pytestmark = pytest.mark.one_engine("checks what is refused and offered, not the answers")

VARIANTS = {"aces-up": "relaxed-discards", "agnes": "up-suit-any1", "spider": "2-suits"}
ASKED = {
    "deal": [],
    "solve": ["--seconds", "5"],
    "verify": ["--moves", "d"],
    "review": ["--moves", "d"],
    "simulate": ["--policy", "greedy"],
}
"""Commands that need every card."""
SEEING = {"advise", "play"}
"""Commands that do with what a player sees."""


def seen_text(game: str) -> str:
    """A deal as a player sees it, without its id."""
    chosen = un.game(game, VARIANTS.get(game))
    return chosen.format(chosen.deal(7), hidden=True)


def test_every_command_that_reads_a_deal_is_tried() -> None:
    root: Any = get_command(app)
    reading = {name for name in COMMANDS if any(param.name == "file" for param in root.get_command(None, name).params)}
    assert {*ASKED, *SEEING} == reading
    assert VARIANTS.keys() <= set(HIDDEN)


# Of command, game and source all pairs meet; in the long run all three.
CASES = [
    (command, game, typed)
    for (i, command), (j, game), (k, typed) in product(*map(enumerate, (ASKED, HIDDEN, ("file", "stdin"))))
    if IS_LONG or (i + j + k) % 2
]


@pytest.mark.parametrize(("command", "game", "typed"), CASES)
def test_what_is_unknown_is_named_and_what_can_be_asked_works(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, game: str, typed: str
) -> None:
    """Law: refused with exit code 255, and the commands that the message prints do their work as they stand."""
    monkeypatch.chdir(tmp_path)
    text, name = seen_text(game), "my table.txt" if typed == "file" else "-"
    Path("my table.txt").write_text(text, encoding="utf-8")
    stdin = text if typed == "stdin" else ""
    ended = run(command, game, name, "--variant", VARIANTS[game], *ASKED[command], stdin=stdin)
    assert (ended.code, ended.out) == (255, "")
    assert "a position with unknown cards is never solved as if they were known" in ended.err
    lines = [line.partition(": unshuffle ")[2] for line in ended.err.splitlines() if ": unshuffle " in line]
    chance, filled = (shlex.split(line.replace("1000", "3")) for line in lines)
    estimated = run(*chance, "--policy", "random", "--json", stdin=stdin)
    assert estimated.code == 0, estimated.err
    [found] = [json.loads(line) for line in estimated.out.splitlines()]
    assert (found["game"], found["variant"], found["samples"]) == (game, VARIANTS[game], 3)
    assert found["information"] == "hidden"
    assert found["low"] <= found["chance"] <= found["high"]
    dealt = run(*filled, stdin=stdin)
    assert dealt.code == 0, dealt.err
    # A whole deal, the same for the same number, which every command takes.
    assert run(*filled, stdin=stdin).out == dealt.out
    Path("whole.txt").write_text(dealt.out, encoding="utf-8")
    solved = run("solve", game, "whole.txt", "--variant", VARIANTS[game], "--nodes", "50", "--json")
    assert solved.code in (0, 1, 3), solved.err
    state = un.game(game, VARIANTS.get(game)).parse(dealt.out)
    assert un.game(game, VARIANTS.get(game)).format(state, hidden=True) == text


@pytest.mark.parametrize("game", HIDDEN)
def test_an_export_with_cards_that_nobody_saw_is_no_whole_deal(run: Run, tmp_path: Path, game: str) -> None:
    """The cards stand there in a made-up order, for `verify` alone: a search would take them for known."""
    chosen = un.game(game)
    state = chosen.deal(7)
    text = f"# 9 cards never came to light and stand so.\n{chosen.format(chosen.with_id(state, None))}"
    with pytest.raises(un.InvalidDealError, match=r"^9 cards never came to light and stand so\. They are not known"):
        chosen.parse(text)
    assert chosen.parse_seen(text) == state.view()
    path = tmp_path / "export.txt"
    path.write_text(text, encoding="utf-8")
    assert run("verify", game, path, "--moves", state.legal_moves()[0].token).code == 1
    for command in ("solve", "deal", "simulate"):
        ended = run(command, game, path)
        assert (ended.code, ended.out) == (255, ""), command
        assert "a position with unknown cards is never solved as if they were known" in ended.err
