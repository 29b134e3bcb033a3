"""The README's first two commands are those that a stranger, and whatever decides on a change, will run."""

from __future__ import annotations

from tests.docs.pages import blocks
from tests.laws import ROOT


def test_the_two_commands_stand_at_the_top() -> None:
    install, test, *_ = (block.text for block in blocks("README.md") if block.language == "sh")
    assert install == (
        "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/unshuffle solve belle-lucie --shuffle\n"
    )
    assert test == "make test\n"
    assert "make test" in (ROOT / ".ci" / "run").read_text()
