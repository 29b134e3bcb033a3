"""The README: its first two commands, the deal that the first one shows, and its pictures."""

from __future__ import annotations

import re

from tests.docs.pages import blocks, read
from tests.laws import ROOT


def test_the_two_commands_stand_at_the_top() -> None:
    install, test, *_ = (block.text for block in blocks("README.md") if block.language == "sh")
    assert install == (
        "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/unshuffle solve belle-lucie --seed 3\n"
    )
    assert test == "make test\n"
    assert "make test" in (ROOT / ".ci" / "run").read_text()


def test_the_first_command_shows_a_win() -> None:
    """The same deal is solved in an example, which is run as every example is."""
    install, solved = (
        next(block.text for block in blocks("README.md") if block.language == kind) for kind in ("sh", "console")
    )
    assert solved.startswith("$ unshuffle solve belle-lucie --seed 3 --explain none\n")
    assert "unshuffle solve belle-lucie --seed 3\n" in install
    assert "Verdict: this deal can be won" in solved


def test_the_pictures_are_there_with_words_and_fetch_nothing() -> None:
    pictures = re.findall(r'<img src="([^"]+)" width="\d+%" alt="([^"]+)">', read("README.md"))
    assert len(pictures) == read("README.md").count("<img") == 2
    for source, words in pictures:
        assert (ROOT / source).stat().st_size < 150_000
        assert words
        if source.endswith(".svg"):
            found = re.findall(r"https?://[^\s\"')]+", (ROOT / source).read_text(encoding="utf-8"))
            assert set(found) == {"http://www.w3.org/2000/svg"}
