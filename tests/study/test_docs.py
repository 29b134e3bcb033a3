"""The examples in docs/studies.md: what is shown there is what the program prints."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run
from tests.laws import ROOT
from unshuffle.study import read_plan

__all__ = ["run"]  # the fixture

PAGE = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")


def test_examples_are_true(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNSHUFFLE_STORE", str(tmp_path / "s.sqlite"))
    (block,) = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    examples = re.findall(r"\$ unshuffle (.*)\n((?:(?!\$).*\n)*)", block)
    assert len(examples) == 3
    for command, expected in examples:
        ended = run(*shlex.split(command))
        assert (ended.code, ended.out) == (0, expected)


def test_the_plan_is_a_plan(tmp_path: Path) -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert tomllib.loads(text)
    file = tmp_path / "plan.toml"
    file.write_text(text)
    plan = read_plan(file)
    assert [part.method for part in plan.parts] == ["solver", "policy:greedy", "policy:random"]


def test_the_call_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(code.replace("0..999", "0..99"), {})
    assert (tmp_path / "results.sqlite").is_file()
