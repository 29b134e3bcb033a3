"""Bad input is answered in the words of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, run
from tests.web.conftest import Server

pytestmark = pytest.mark.one_engine("checks the page and its server, not the answers")

__all__ = ["run"]  # a fixture

LUCIE = "KS KH KC\nKS 1X\n"


@pytest.mark.parametrize(
    ("asked", "arguments"),
    [
        ({"game": "spidr"}, ["deal", "spidr", "--seed", "7"]),
        ({"game": "gaps", "variant": "nothing"}, ["deal", "gaps", "--variant", "nothing", "--seed", "7"]),
        ({"game": "agnes", "rules": {"piles": 99}}, ["deal", "agnes", "--rule", "piles=99", "--seed", "7"]),
        (
            {"game": "agnes", "rules": {"no": "x", "piles": "y"}},
            ["deal", "agnes", "--rule", "no=x", "--rule", "piles=y"],
        ),
        ({"game": "gaps", "seed": "x7"}, ["deal", "gaps", "--seed", "x7"]),
        ({"game": "spider", "seed": "ms:5"}, ["deal", "spider", "--seed", "ms:5"]),
        ({"game": "gaps", "seed": "99999999999999999999"}, ["deal", "gaps", "--seed", "99999999999999999999"]),
        ({"game": "belle-lucie", "text": LUCIE}, ["play", "belle-lucie", "FILE"]),
        ({"game": "spider", "text": "1: KS\n"}, ["play", "spider", "FILE"]),
        ({"game": "gaps", "text": ""}, ["play", "gaps", "FILE"]),
    ],
)
def test_the_words_are_those_of_the_command_line(
    shared: Server, run: Run, tmp_path: Path, asked: dict[str, Any], arguments: list[str]
) -> None:
    file = tmp_path / "deal.txt"
    file.write_text(str(asked.get("text", "")))
    ended = run(*(str(file) if word == "FILE" else word for word in arguments))
    refused = shared.post("/tables", asked, 400)
    assert ended.code != 0
    for line in refused["detail"].splitlines():
        assert line in ended.err
    if asked.get("text"):
        places = [f"line {fault['line']}, column {fault['column']}: " for fault in refused["faults"] if fault["line"]]
        assert all(place in ended.err for place in places)


def test_a_move_is_refused_in_the_same_words(shared: Server, run: Run, tmp_path: Path) -> None:
    for game, token in (("agnes", "1-9"), ("spider", "1-2x4"), ("gaps", "KH>r9c9"), ("belle-lucie", "??")):
        table = shared.table(game)
        refused = shared.post(f"/tables/{table['id']}/moves", {"moves": [token]}, 400)
        ended = run("play", game, "--seed", "7", "--saves", tmp_path / "other", stdin=f"m {token}\n")
        assert refused["detail"] in ended.err, (refused, ended.err)


def test_two_ways_to_name_a_deal(shared: Server) -> None:
    refused = shared.post("/tables", {"game": "gaps", "seed": "7", "text": "x"}, 400)
    assert refused["detail"] == "seed and text exclude each other"
    assert "leave game" in shared.post("/tables", {"deal": "gaps/basic@7", "game": "agnes"}, 400)["detail"]
    assert shared.post("/tables", {}, 400)["detail"] == "expected a game, or a deal id"
