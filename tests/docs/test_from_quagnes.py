"""docs/from-quagnes.md: its snippets tell what they are said to tell, and the names in its tables are names of ours."""

from __future__ import annotations

import csv
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

import unshuffle as un
from tests.cli.conftest import Run, run
from tests.docs.pages import blocks, read
from tests.docs.readers_folder import folder
from tests.docs.running import smaller

pytestmark = pytest.mark.one_engine("the pages show the native engine")

__all__ = ["folder", "run"]  # the fixtures

NAME = "from-quagnes.md"
PAGE = read(NAME)


def test_the_snippets_tell_what_they_should(folder: Path) -> None:
    printed = []
    for block in blocks(NAME):
        if block.language == "python":
            with redirect_stdout(StringIO()) as out:
                exec(smaller(NAME, block.text), {})
            printed.append(out.getvalue())
    first, loop, stream, files = printed
    assert first.startswith("unsolvable ")
    header, row = loop.splitlines()
    assert header.startswith("deal,status,score,nodes,")
    assert row.startswith("30,solved,52,")
    assert len(row.split(",")) == len(header.split(","))
    history = (folder / "winners" / "win30.txt").read_text(encoding="utf-8")
    assert un.game("agnes", "up-color-anyrun").parse(history.split("\n\n")[0]).score == 1
    assert " to the foundation" in history
    assert stream == "0 won\n"
    assert files == "".join(f"decks/o0/deck{number}.txt unsolvable\n" for number in (1, 2, 3))


def test_the_commands_of_its_tables_work(folder: Path, run: Run) -> None:
    """Those that blocks do not show."""
    written = run("deal", "agnes", "--seed", "python:12345", "--format", "quagnes")
    assert written.out == (folder / "decks" / "o0" / "deck1.txt").read_text()
    files = [f"decks/o0/deck{number}.txt" for number in (1, 2, 3)]
    solved = run("solve", "agnes", *files, "--variant", "up-suit-none", "--csv")
    assert solved.code == 0
    assert [row["file"] for row in csv.DictReader(StringIO(solved.out))] == files


def test_the_fields_and_parts_of_names_are_those_of_the_rules() -> None:
    rows = re.findall(r"^\| `(\w+)=.*? \| .*? \| `(\w+)=(.*?)` \| `(-?\w+)`", PAGE, re.MULTILINE)
    assert len(rows) == 8
    for _, name, value, part in rows:
        text = value.strip('"')
        want: object = {"True": True, "False": False}.get(text, text)
        having = {slug for slug, rules in un.game("agnes").variants.items() if getattr(rules, name) == want}
        assert having == {slug for slug in un.game("agnes").variants if f"-{part.strip('-')}-" in f"-{slug}-"}


def test_the_counts_are_counted() -> None:
    rows = re.findall(r"^\| .*? \| (`.*?) \| [^|]*\|$", PAGE.partition("The counts,")[2], re.MULTILINE)
    names = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert {"nodes", "deals", "blocked", "table_hits"} <= names
    assert names <= set(un.solve(un.game("agnes").deal(0)).stats)
