"""The examples in docs/winnable.md: what is shown there is what the program prints."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run
from tests.laws import ROOT
from unshuffle.engine import describe_engine
from unshuffle.winnable import Difficulty, panels

__all__ = ["run"]  # the fixture

PAGE = (ROOT / "docs" / "winnable.md").read_text(encoding="utf-8")
needs_engine = pytest.mark.skipif(describe_engine() != "native", reason="the panel takes minutes in Python")


@needs_engine
def test_examples_are_true(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNSHUFFLE_STORE", str(tmp_path / "s.sqlite"))
    (block,) = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    examples = re.findall(r"\$ unshuffle (.*)\n((?:(?!\$).*\n)*)", block)
    assert len(examples) == 2
    for command, expected in examples:
        ended = run(*shlex.split(command))
        assert (ended.code, ended.out) == (0, expected)


@needs_engine
def test_the_call_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, object] = {}
    exec(code, names)
    assert "aces-up/standard@44 easy 0.34" in capsys.readouterr().out
    assert len(names["deals"]) == 2  # type: ignore[arg-type] # a list that the example makes


@pytest.mark.engine_free
def test_the_cuts_of_the_page_are_those_of_the_file() -> None:
    stored = json.loads((ROOT / "src/unshuffle/winnable/data/cuts.json").read_text(encoding="utf-8"))["cuts"]
    rows = re.findall(
        r"^\| `(\S+/\S+)` \| ([\d.]+) \| ([\d.]+) \| (\d+) \| (\d+), (\d+), (\d+) \|$", PAGE, re.MULTILINE
    )
    assert {name for name, *_ in rows} == set(stored)
    for name, hard, easy, deals, *parts in rows:
        row = stored[name]
        assert (hard, easy, deals) == (f"{row['hard']:.3g}", f"{row['easy']:.3g}", str(row["n"])), name
        assert [int(part) for part in parts] == [row["parts"][label] for label in Difficulty], name


@pytest.mark.engine_free
def test_the_budgets_of_the_page_are_those_of_the_panel() -> None:
    first, last = panels.PANELS["gaps"][0], panels.PANELS["gaps"][-1]
    budgets = (int(seat.policy.removeprefix("max-locked:")) for seat in (first, last))
    assert "from {:,} to {:,} positions".format(*budgets) in PAGE
