"""No game is named in shared code: what a game has is said in its folder, and found by its manifest."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import unshuffle as un
from tests.laws import ROOT

SOURCE = ROOT / "src" / "unshuffle"
OURS = sorted(game for game in un.games() if type(un.game(game)).__module__.startswith("unshuffle.games."))
FOLDERS = [game.replace("-", "_") for game in OURS]
CLASSES = [type(un.game(game)).__name__ for game in OURS]

REGISTRY = "registry.py"
"""The one table of games."""

# A word of the language too, in messages such as "numbers without gaps".
NAME = re.compile(rf"(?<!without )(?<![a-z])(?:{'|'.join([*OURS, *FOLDERS, *CLASSES])})(?![a-z])")
COMMAND = re.compile(r"^\s*unshuffle .*$", re.MULTILINE)
"""A line to be typed: the examples of help pages."""


def texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every name and text of a module, with its line; docstrings apart, for they are prose."""
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str) and id(node) not in prose:
                yield line, COMMAND.sub("", node.value)
        else:
            yield from ((line, value) for _, value in ast.iter_fields(node) if isinstance(value, str))


def named(path: Path) -> list[str]:
    """Where a module names a game."""
    return [
        f"{path.relative_to(SOURCE)}:{line}: {text.strip()[:60]}"
        for line, text in texts(ast.parse(path.read_text(encoding="utf-8")))
        if NAME.search(text)
    ]


def is_of_a_game(path: Path) -> bool:
    """Whether the module lies in the folder of a game."""
    inside = path.relative_to(SOURCE)
    return inside.parts[0] == "games" and inside.parts[1] in FOLDERS


MODULES = [path for path in sorted(SOURCE.rglob("*.py")) if not is_of_a_game(path)]


def test_no_game_is_named_in_shared_code() -> None:
    found = [each for path in MODULES if path != SOURCE / REGISTRY for each in named(path)]
    assert not found, "\n".join(found)


def test_the_table_of_games_is_the_only_one() -> None:
    found = named(SOURCE / REGISTRY)
    assert len(found) == 2 * len(OURS), "\n".join(found)  # the id, and where it is


def test_the_page_names_no_game() -> None:
    for path in sorted((SOURCE / "web" / "static").rglob("*.js")):
        code = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert not re.search(rf"[\"'`/](?:{'|'.join(OURS)})[\"'`/@]", code), path


def lists(path: Path) -> Iterator[str]:
    """The lists of games in a module: three ids or more, and nothing else."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            each = [element.value if isinstance(element, ast.Constant) else None for element in node.elts]
            if len(each) >= 3 and all(one in OURS for one in each):
                yield f"{path.relative_to(ROOT)}:{node.lineno}: {each}"


def test_nobody_else_keeps_a_list_of_games() -> None:
    """A test that is meant for every game, or for every one that has something, asks the registry which these are."""
    folders = (ROOT / name for name in ("tests", "tools", "benches", "studies", "examples"))
    found = [each for folder in folders for path in sorted(folder.rglob("*.py")) for each in lists(path)]
    assert not found, "\n".join(found)
