"""docs/promises.md names tests that exist, and every fault test is named there."""

from __future__ import annotations

import re
from pathlib import Path

from tests.laws import ROOT

PAGE = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`((?:tests|engine/tests)/[\w/]+\.(?:py|rs))::(\w+)`", PAGE)


def names_in(path: Path) -> set[str]:
    """The names of the tests of a file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".rs":
        # `proptest!` has its tests indented.
        return set(re.findall(r"#\[test\]\n\s*fn (\w+)\(", text))
    return set(re.findall(r"^def (test_\w+)\(", text, re.MULTILINE))


def test_every_test_that_is_named_exists() -> None:
    assert [f"{file}::{name}" for file, name in NAMED if name not in names_in(ROOT / file)] == []


def test_every_fault_test_is_named() -> None:
    named = set(NAMED)
    files = sorted((ROOT / "tests" / "faults").glob("test_*.py"))
    assert len(files) > 5
    for path in files:
        file = path.relative_to(ROOT).as_posix()
        assert {name for name in names_in(path) if (file, name) not in named} == set(), file


def test_every_row_says_what_is_promised_what_is_done_and_which_test_shows_it() -> None:
    rows = [row for row in PAGE.splitlines() if row.startswith("|") and not row.startswith(("|---", "| promised |"))]
    assert len(rows) > 30
    for row in rows:
        promised, done, tests = (cell.strip() for cell in row.strip("|").split(" | "))
        assert promised
        assert done
        assert re.fullmatch(r"`[^`]+::\w+`(?:, `[^`]+::\w+`)*", tests), row
