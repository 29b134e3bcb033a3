"""The examples in the adviser's pages of the docs: what is shown there is what the program prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.laws import ROOT

PAGES = ("advise.md", "advise-gaps.md", "advise-spider.md")
PAGE = "".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in PAGES)
EXAMPLES = re.findall(r"```console\n\$ printf '(.*)' \| unshuffle (.*)\n((?:.*\n)*?)```", PAGE)


def test_all_examples_are_found() -> None:
    assert len(EXAMPLES) == PAGE.count("```console") == 9


@pytest.mark.parametrize(("answers", "command", "expected"), EXAMPLES)
def test_examples_are_true(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answers: str, command: str, expected: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("UNSHUFFLE_SAVES", raising=False)
    ended = run(*shlex.split(command), stdin=answers.replace(r"\n", "\n"))
    assert _timeless(ended.out) == _timeless(expected)


def _timeless(text: str) -> str:
    """How long an answer took is another time with every run."""
    return re.sub(r"\d+\.\d s\b", "0.0 s", text)
