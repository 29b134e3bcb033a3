"""tools/prose.py: what it finds in comments, docstrings and pages, and what it leaves alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.laws import ROOT


def run(path: Path, text: str) -> list[str]:
    """Return the findings in a file with this text, without its name."""
    path.write_text(text, encoding="utf-8")
    command = [sys.executable, str(ROOT / "tools" / "prose.py"), str(path)]
    ended = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert ended.stderr == ""
    assert ended.returncode == bool(ended.stdout)
    return [line.removeprefix(f"{path}:") for line in ended.stdout.splitlines()]


LONG = "word " * 46

PYTHON = f'''"""A way of playing.

    >>> a = "a way of playing"

    a way of playing in code
"""

x = "a way of playing"  # a fault is
# told to the caller; `is told` is code
y: int
"""What becomes of `x`. {LONG.strip()}."""


def f() -> None:
    """As it is."""
    # {LONG}
'''

RUST = """//! A way of
//! playing.
//!
//! ```
//! // a way of playing
//! ```

fn f() {
    let x = "a way of playing"; // It is told.
}
"""

PAGE = f"""# A heading {LONG}

A page
that is told.

- {LONG}
- an item
  with [a link](is_told.md "{"x" * 120}")

    indented, but of the item: now and then

After it:

    is told, in code

```console
is told
```

| is told | {LONG} |
|---|---|
{"wide " * 25}
`{"x" * 130}`
"""


@pytest.mark.parametrize(
    ("name", "text", "places"),
    [
        (
            "a.py",
            PYTHON,
            ["1: way of playing", "8: is told", "11: What becomes of", "11: word word", "15: As it is."],
        ),
        ("a.rs", RUST, ["1: way of playing", "9: is told"]),
        (
            "a.md",
            PAGE,
            ["4: is told", "6: - word word", "6: - word word", "10: now and then", "20: is told", "22: wide wide"],
        ),
    ],
)
def test_prose_is_checked_and_code_is_not(tmp_path: Path, name: str, text: str, places: list[str]) -> None:
    found = run(tmp_path / name, text)
    assert [line[: len(place)] for line, place in zip(found, places, strict=True)] == places, found
    assert all(" -> " in line for line in found)


def test_a_finding_says_what_to_write_instead(tmp_path: Path) -> None:
    assert run(tmp_path / "a.md", "The order hangs on luck.\n") == ["1: hangs on -> depends on"]
