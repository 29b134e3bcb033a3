"""The examples in docs/cli.md: what is shown there is what the program prints."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.cli.conftest import Run
from tests.laws import ROOT

PAGE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```console\n\$ (.*)\n((?:.*\n)*?)```", PAGE)

# Times differ from run to run, and the counts of a search from engine to engine.
_MASKED = (
    (re.compile(r"[\d.,e-]+ (?:nodes?|moves?|µs|ms|s|deals/s)\b"), "N"),
    (re.compile(r"\b(?:native|python) engine"), "E"),
    (re.compile(r'"nodes": .*'), "N"),
    (re.compile(r"(,(?:true|false)|score_proved),.*"), r"\1"),
)


def masked(text: str) -> str:
    for pattern, sign in _MASKED:
        text = pattern.sub(sign, text)
    return text


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == PAGE.count("$ unshuffle") > 5


@pytest.mark.parametrize(("command", "expected"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_examples_are_true(run: Run, command: str, expected: str) -> None:
    text = ""
    for part in command.split(" | "):
        name, *arguments = shlex.split(part)
        assert name == "unshuffle"
        text = run(*arguments, stdin=text).out
    assert masked(text) == masked(expected)
