"""Imports point one way, and starting costs little."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "unshuffle"

# Each room may look into those before it.
ORDER = [
    {"errors", "numbers", "processes"},
    {"files", "terminal"},
    {"cards", "engine", "notebook", "schemas"},
    {"deals", "layout", "manifest", "rulebook"},
    {"interchange", "places"},
    {"game"},
    {"registry"},
    {"views"},
    {"games"},
    {"solve", "store"},
    {"advise"},
    {"simulate", "review"},
    {"study", "play", "envs", "winnable"},
    {"web"},
    {"cli"},
]
RANK = {name: rank for rank, names in enumerate(ORDER) for name in names}


def rooms() -> list[Path]:
    return sorted(
        path
        for path in SOURCE.rglob("*.py")
        if path.name not in ("__init__.py", "__main__.py") or path.parent != SOURCE
    )


def imported_rooms(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("unshuffle."):
            names.add(node.module.split(".")[1])
        elif isinstance(node, ast.ImportFrom) and node.module == "unshuffle":
            names |= {alias.name for alias in node.names} & RANK.keys()
        elif isinstance(node, ast.Import):
            names |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("unshuffle.")}
    return names


@pytest.mark.parametrize("path", rooms(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_one_way(path: Path) -> None:
    room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    assert room in RANK, f"{room} has no place in the order of rooms yet"
    for other in imported_rooms(path) - {room}:
        assert RANK[other] < RANK[room], f"{room} looks into {other}"


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
