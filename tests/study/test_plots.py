"""Pictures: what is written in them, that they are whole, and that equal numbers make equal files."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from unshuffle.errors import UsageError
from unshuffle.study.plots import RateRow, Source, plot_distribution, plot_rates
from unshuffle.study.statistics import Rate

pytestmark = pytest.mark.one_engine("checks the statistics and their pages, not the answers")

OPEN = Source("belle-lucie", "one-deal", "open", "unshuffle", "100,000 nodes, 1 GiB")
HIDDEN = replace(OPEN, information="hidden", limits="none")
SCORES = {3: 10, 4: 25, 52: 5}


def words(path: Path) -> str:
    """All that is written in an SVG file; matplotlib draws letters as outlines and notes the text beside them."""
    found = re.findall(r"<!-- (.*?) -->", path.read_text(encoding="utf-8"), re.DOTALL)
    return " ".join(" ".join(found).split())


def test_a_picture_of_rates_says_what_they_rest_on(tmp_path: Path) -> None:
    path = tmp_path / "rates.svg"
    plot_rates([RateRow("solver", Rate(45, 900, 55), OPEN)], path, "La Belle Lucie")
    written = words(path)
    for part in (
        "La Belle Lucie",
        "belle-lucie; one-deal; open information; generator unshuffle; limits: 100,000 nodes, 1 GiB;",
        "n = 1,000 deals; line: 95 % Wilson interval, undecided deals as lost; pale: undecided deals as won",
        "4.5 % [3.4, 6.0]",
        "n = 1,000, undecided 55",
        "as won 10.0 % [8.3, 12.0]",
        "deals won (%)",
    ):
        assert part in written


def test_what_differs_between_rows_is_said_in_each(tmp_path: Path) -> None:
    path = tmp_path / "rates.svg"
    rows = [
        RateRow("solver", Rate(450, 550), OPEN),
        RateRow("greedy", Rate(0, 2000, method="clopper-pearson"), HIDDEN),
        RateRow("hidden information, costs $5 and $6", Rate(0, 0), HIDDEN),
    ]
    plot_rates(rows, path)
    written = words(path)
    assert "solver, open information, limits: 100,000 nodes, 1 GiB" in written
    assert "greedy, hidden information, limits: none" in written
    # What a label says already is not said again.
    assert "hidden information, costs $5 and $6, limits: none" in written
    assert "information, limits: see the rows; n = 0 to 2,000 deals" in written
    assert "line: 95 % Wilson or 95 % Clopper-Pearson interval" in written
    assert "undecided" not in written
    assert "no deals" in written


def test_a_picture_of_scores_says_what_they_rest_on(tmp_path: Path) -> None:
    path = tmp_path / "scores.svg"
    plot_distribution(SCORES, path, HIDDEN, "Scores of greedy")
    written = words(path)
    assert "Scores of greedy" in written
    assert "belle-lucie; one-deal; hidden information; generator unshuffle; limits: none; n = 40 deals" in written
    plot_distribution(dict.fromkeys(range(1000), 1), path, HIDDEN)
    assert "score (10 to a bar)" in words(path)


@pytest.mark.parametrize("name", ["a.svg", "a.png", "A.PNG"])
def test_equal_numbers_make_equal_files(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    pictures = []
    for _ in range(2):
        plot_distribution(SCORES, path, OPEN)
        scores = path.read_bytes()
        plot_rates([RateRow("solver", Rate(45, 900, 55), OPEN)], path)
        pictures.append((scores, path.read_bytes()))
    assert pictures[0] == pictures[1]
    start = b"\x89PNG" if name.lower().endswith("png") else b"<?xml"
    assert all(picture.startswith(start) for picture in pictures[0])
    # Nothing unfinished is left beside it.
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("name", ["a.pdf", "a", "svg"])
def test_an_unknown_format_is_refused_before_anything_is_drawn(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"must end in \.png or \.svg"):
        plot_rates([], tmp_path / name)
    with pytest.raises(UsageError, match=r"must end in \.png or \.svg"):
        plot_distribution({}, str(tmp_path / name), OPEN)
    assert os.listdir(tmp_path) == []


def test_nothing_and_too_much_are_refused(tmp_path: Path) -> None:
    row = RateRow("solver", Rate(1, 2), OPEN)
    for rows, message in (([], "no rates"), ([row] * 301, "301 rates are too many")):
        with pytest.raises(UsageError, match=message):
            plot_rates(rows, tmp_path / "a.png")
    with pytest.raises(UsageError, match="no scores"):
        plot_distribution({3: 0}, tmp_path / "a.png", OPEN)


def test_a_picture_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.svg"
    path.write_text("the old one")

    def full(source: object, target: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("unshuffle.files.os.replace", full)
    with pytest.raises(OSError, match="no space left"):
        plot_distribution(SCORES, path, OPEN)
    assert path.read_text() == "the old one"
    assert os.listdir(tmp_path) == ["a.svg"]


def test_the_callers_matplotlib_is_left_alone(tmp_path: Path) -> None:
    code = (
        "import sys, unshuffle.study.plots as plots; assert 'matplotlib' not in sys.modules;"
        # Asking for the backend would import pyplot.
        "import matplotlib; settings = lambda: [(key, matplotlib.rcParams[key]) for key in matplotlib.rcParams"
        "    if key != 'backend']; before = settings(); source = plots.Source(*'abcde');"
        f"plots.plot_distribution({{1: 2}}, {str(tmp_path / 'a.png')!r}, source);"
        "assert settings() == before; print('matplotlib.pyplot' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
