"""Imports point one way, and starting costs little."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

pytestmark = pytest.mark.one_engine("checks what surrounds the engine, not its answers")

SOURCE = Path(__file__).parent.parent / "src" / "unshuffle"

# Each room may look into those before it.
ORDER = [
    {"errors", "numbers", "pieces", "processes"},
    {"files", "terminal"},
    {"cards", "engine", "notebook", "schemas"},
    {"deals", "layout", "manifest", "rulebook"},
    {"interchange", "places"},
    {"game"},
    {"endgames", "registry"},
    {"views", "options"},
    {"games"},
    {"solve", "store"},
    {"hidden", "laws"},
    {"values"},
    {"advise"},
    {"simulate", "review"},
    {"study", "play", "envs", "winnable"},
    {"web"},
    {"cli"},
]
RANK = {name: rank for rank, names in enumerate(ORDER) for name in names}


def modules() -> list[Path]:
    return sorted(
        path
        for path in SOURCE.rglob("*.py")
        if path.name not in ("__init__.py", "__main__.py") or path.parent != SOURCE
    )


def room_of(parts: Sequence[str]) -> str:
    """The room of a module, by the parts of its name below the package.

    What bears the name of a later room in the folder of a game belongs to that room; the rest of the folder is of
    `games`.
    """
    own = parts[2] if parts[0] == "games" and len(parts) > 2 else ""
    return own if RANK.get(own, 0) > RANK["games"] else parts[0]


def imported(path: Path) -> set[tuple[str, ...]]:
    """The names below the package that a module imports, or imports from."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "unshuffle":
            names |= {(*node.module.split(".")[1:], alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {tuple(alias.name.split(".")[1:]) for alias in node.names if alias.name.startswith("unshuffle.")}
    return {name for name in names if name[0] in RANK}


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_one_way(path: Path) -> None:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    room = room_of(parts)
    assert room in RANK, f"{room} has no place in the order of rooms yet"
    for other in imported(path):
        assert room_of(other) == room or RANK[room_of(other)] < RANK[room], f"{room} looks into {'.'.join(other)}"
        if parts[0] == other[0] == "games" and (SOURCE / "games" / other[1]).is_dir():
            assert other[1] == parts[1], f"{parts[1]} looks into another game: {'.'.join(other)}"


def test_a_part_of_a_game_belongs_to_the_room_whose_name_it_bears() -> None:
    assert room_of(("games", "golf", "rules")) == room_of(("games", "golf", "__init__")) == "games"
    assert room_of(("games", "golf", "envs")) == room_of(("games", "golf", "envs", "picture")) == "envs"
    assert room_of(("games", "golf", "places")) == "games"  # said in the game, and read in an earlier room
    assert room_of(("envs", "vector")) == "envs"


def test_solving_imports_nothing_third_party() -> None:
    code = (
        "import sys, unshuffle as un; un.solve(un.game('belle-lucie').deal(7));"
        "top = {name.split('.')[0] for name in sys.modules};"
        "print(sorted(top - set(sys.stdlib_module_names) - {'unshuffle', '__main__'}))"
    )
    run = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {str(SOURCE.parent)!r}); {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == "[]\n"
