"""docs/interchange.md: its examples run, and its table is what the program does."""

from __future__ import annotations

import json
import re

import unshuffle as un
from tests.laws import ROOT
from unshuffle import schemas
from unshuffle.interchange import FC_SOLVE, FORMS, SOLVITAIRE

PAGE = (ROOT / "docs" / "interchange.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in row.split("|")[1:-1]] for row in re.findall(r"^\| `[a-z-]+.*\|$", PAGE, re.MULTILINE)]


def variants_of(cell: str) -> list[tuple[str, str]]:
    """The variants that the first column of a row names: `gaps/basic`, or `spider/2-suits`, `1-suit`."""
    game, *rest = re.findall("`([^`]*)`", cell)
    name, _, first = game.partition("/")
    every = un.games()[name]
    if "all others" in cell or not first:
        return []
    named = [first, *rest]
    return [(name, slug) for slug in every for text in named if re.fullmatch(text.replace("*", ".*"), slug)]


def test_the_table_of_games_is_true() -> None:
    told = {
        variant: (row[1], row[2])
        for row in ROWS
        if len(row) == 3 and row[0].split("/")[0].strip("`") in un.games()
        for variant in variants_of(row[0])
    }
    assert len(told) > 8
    for name, variants in un.games().items():
        for variant in variants:
            game = un.game(name, variant)
            cells = told.get((name, variant), ("-", "-"))
            for form, cell in zip((SOLVITAIRE, FC_SOLVE), cells, strict=True):
                try:
                    game.write_foreign(game.deal(7), form)
                except un.UsageError:
                    assert cell.startswith("-"), (name, variant, form)
                else:
                    assert not cell.startswith("- ("), (name, variant, form)
                    assert cell != "-", (name, variant, form)


def test_the_forms_are_listed() -> None:
    assert [row[0] for row in ROWS if row[0].strip("`") in FORMS] == [f"`{form}`" for form in FORMS]


def test_the_examples_are_what_they_seem() -> None:
    (rules,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert json.loads(rules)["tableau piles"]["count"] == 18
    (board,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    assert board.startswith("Foundations: H-0 C-2 D-A S-0\n: KC 2H 3S\n")
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    named = re.findall("'([a-z-]+)'", code)
    assert named == list(schemas.names())[: len(named)]
