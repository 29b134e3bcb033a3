"""What the README shows is true."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys

from tests.laws import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_prompt_runs() -> None:
    blocks = re.findall(r"```pycon\n(.*?)```", README, re.DOTALL)
    assert blocks
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README.md", "README.md", 0)
    runner = doctest.DocTestRunner()
    assert runner.run(test).failed == 0
    assert runner.summarize(verbose=False).attempted > 8


def masked(text: str) -> str:
    """Times differ from run to run, and the counts of a search from engine to engine."""
    return re.sub(r"[\d.,]+ (nodes|µs|ms|s|moves)\b", r"N \1", text).replace("µs", "ms").replace("native", "python")


def test_every_console_example_prints_what_it_shows() -> None:
    examples = re.findall(r"```console\n\$ (.*?)\n(.*?)```", README, re.DOTALL)
    assert examples
    for command, expected in examples:
        text = ""
        for part in command.split(" | "):
            words = [sys.executable, "-m", *shlex.split(part)]
            text = subprocess.run(words, input=text, capture_output=True, text=True, check=False).stdout
        assert masked(text) == masked(expected)


def test_the_two_commands_stand_at_the_top() -> None:
    shell = re.findall(r"```sh\n(.*?)\n```", README, re.DOTALL)
    assert shell[0] == (
        "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/unshuffle solve belle-lucie --shuffle"
    )
    assert shell[1] == "make test"
    assert "make test" in (ROOT / ".ci" / "run").read_text()
