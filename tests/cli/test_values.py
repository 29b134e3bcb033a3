"""`unshuffle values`: looking values up, and building the tables."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.laws import ROOT
from unshuffle import engine
from unshuffle.games.belle_lucie.hidden.sampling import Sums, sample_values
from unshuffle.games.belle_lucie.hidden.values import STATES, TABLES, Value, read_file, write_row
from unshuffle.games.belle_lucie.values import building
from unshuffle.values.building import partial_of

BUILDS = pytest.mark.one_engine("checks what is written and kept, not the values")


@pytest.mark.parametrize("heights", [["9 13 13 13"], ["9", "13", "13", "13"], ["9,13,13,13"], ["KD 9c K♥ sk"]])
def test_show_tells_chance_error_and_sample(run: Run, heights: list[str]) -> None:
    ended = run("values", "show", "belle-lucie", *heights, "--variant", "classic")
    assert ended.code == 0
    assert "belle-lucie/classic: 4 cards left" in ended.out
    assert "  0 redeals: 33.33 % (exact)\n  1 redeal: 56.94 % (exact)\n" in ended.out


def test_show_as_json(run: Run) -> None:
    ended = run("values", "show", "belle-lucie", "9C KD", "--variant", "three-shuffles-and-a-draw", "--json")
    (found,) = ended.objects
    assert (found["heights"], found["left"], found["table"]) == ([9, 13, 0, 0], 30, "second-any")
    places = [(value["redeals_left"], value["mercis"]) for value in found["values"]]
    assert places[:4] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert all(value.keys() == {"redeals_left", "mercis", "p", "se", "n"} for value in found["values"])
    assert all(0 < value["p"] < 1 and value["se"] > 0 and value["n"] > 1 for value in found["values"])


USAGE = {
    "no heights": (["show", "belle-lucie"], "HEIGHTS"),
    "three heights": (["show", "belle-lucie", "9 13 13"], "expected four numbers 0..13"),
    "too high": (["show", "belle-lucie", "9 13 13 14"], "expected four numbers 0..13"),
    "far too high": (["show", "belle-lucie", "9 13 13 " + "9" * 5000], "expected four numbers 0..13"),
    "no card": (["show", "belle-lucie", "9C KX"], "'KX' is not a card"),
    "a suit twice": (["show", "belle-lucie", "9C KC"], "KC is a second foundation of clubs"),
    "numbers and cards": (["show", "belle-lucie", "9C 13"], "'13' is not a card"),
    "no table of its own": (
        ["show", "belle-lucie", "9C", "--variant", "fan"],
        "no table of values for belle-lucie/fan",
    ),
    "another game": (["show", "golf", "9C", "--load", str(ROOT / "examples" / "golf.py")], "no values of golf"),
    "an unknown game": (["build", "bele-lucie"], "did you mean 'belle-lucie'"),
    "an unknown table": (["build", "belle-lucie", "--table", "nine"], "did you mean 'none'"),
    "no samples": (["build", "belle-lucie", "--samples", "1"], "2..10,000,000"),
    "no levels": (["build", "belle-lucie", "--levels", "0"], "1..9"),
    "no threads": (["build", "belle-lucie", "--threads", "0"], "--threads"),
    "a seed too large": (["build", "belle-lucie", "--seed", str(2**64)], "seeds are 0.."),
    "a seed below zero": (["build", "belle-lucie", "--seed", "-1"], "--seed"),
    "nowhere to write": (["build", "belle-lucie", "--out", "/dev/null/values.txt.gz"], "--out: cannot write"),
    "a folder": (["build", "gaps", "--samples", "2", "--out", "."], "--out: '.' is a folder"),
    "no name": (["build", "aces-up", "--out", ""], "--out: '.' is a folder"),
    "an unknown subcommand": (["bild", "belle-lucie"], "did you mean 'build'"),
}


@pytest.mark.parametrize(("arguments", "message"), USAGE.values(), ids=USAGE)
def test_wrong_usage_is_2(run: Run, arguments: list[str], message: str) -> None:
    ended = run("values", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert message in re.sub(r"\s+", " ", ended.err)


Sample = Callable[..., list[Sums]]
LATE = (*range(41, 44), *range(49, 53))
"""Cards on the foundations. Few are left; where four to eight are, the engine looks at every deal, which takes long."""


def late_alone(sample: Sample) -> Sample:
    """Sample these states alone; each other one is won in half of its deals."""

    def sample_late(*rules: Any, states: Iterable[int], **how: Any) -> list[Sums]:
        states = list(states)
        late = [place for place in states if sum(STATES[place]) in LATE]
        found = dict(zip(late, sample(*rules, states=late, **how), strict=True))
        n = how["samples"]
        return [found.get(place, (n / 2, n / 2, n)) for place in states]

    return sample_late


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    """All states would take seconds on the engine and minutes on the Python side."""
    monkeypatch.setattr(building, "sample_values", late_alone(partial(sample_values, exact_cards=3)))
    native = engine.native()
    if native is not None:
        monkeypatch.setattr(native, "sample_values", late_alone(native.sample_values))


SMALL = (
    "values",
    "build",
    "belle-lucie",
    "--table",
    "none",
    "--table",
    "second-any",
    "--levels",
    "2",
    "--samples",
    "3",
)


@pytest.mark.usefixtures("late")
@pytest.mark.both_engines
def test_build_writes_what_the_header_says(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "new" / "small.txt.gz"
    ended = run(*SMALL, "--seed", "5", "--out", out)
    assert (ended.code, ended.err) == (0, "")
    assert str(out) in ended.out
    assert [path.name for path in out.parent.iterdir()] == ["small.txt.gz"]
    header, blocks = read_file(out)
    assert "\ncommand: " + " ".join(("unshuffle", *SMALL, "--seed", "5")) + "\n" in header
    assert "\nseed: 5\n" in header
    assert "\nrules of second-any: redeals=2 merci=second merci_deals=any" in header
    assert [(block.table, block.level, block.mercis) for block in blocks] == [
        ("none", 0, 0),
        ("none", 1, 0),
        *(("second-any", level, mercis) for level in (0, 1) for mercis in (0, 1)),
    ]
    for block in blocks:
        assert (block.samples, block.is_smoothed) == (3, True)
        plane = block.plane()
        assert len(plane.p) == len(STATES)
        assert plane[len(STATES) - 1] == Value(1.0, 0.0, 0)
        assert plane[STATES.index((13, 13, 13, 13)) - 1] == Value(1.0, 0.0, 0)
    exact = STATES.index((10, 13, 13, 13))
    assert blocks[0].plane()[exact].p == pytest.approx(1 / 6, abs=1e-12)
    assert blocks[1].plane()[exact].p == pytest.approx(13 / 36, abs=1e-12)
    raw = out.read_bytes()
    assert raw[4:8] == bytes(4)  # no time in it
    assert gzip.decompress(raw).startswith(b"unshuffle-values 1\n")


@BUILDS
@pytest.mark.usefixtures("late")
def test_a_build_goes_on_where_it_ended(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, broken = tmp_path / "whole.gz", tmp_path / "broken.gz"
    assert run(*SMALL, "--threads", "1", "--out", whole).code == 0
    sample = building._Work._sample
    calls = 0

    def interrupted(*arguments: Any) -> list[str]:
        nonlocal calls
        calls += 1
        if calls % 5 == 0:
            raise KeyboardInterrupt
        return sample(*arguments)

    monkeypatch.setattr(building._Work, "_sample", interrupted)
    ended = run(*SMALL, "--threads", "2", "--out", broken)
    assert (ended.code, ended.out) == (130, "")
    assert "the same command goes on from" in ended.err
    part = partial_of(broken)
    assert part.exists()
    assert not broken.exists()
    other = run(*SMALL, "--seed", "6", "--out", broken)
    assert other.code == 2
    assert "begun with other settings" in other.err
    codes = [130]
    while codes[-1] == 130:
        codes.append(run(*SMALL, "--out", broken).code)
    assert codes[-1] == 0
    assert len(codes) > 2
    assert broken.read_bytes() == whole.read_bytes()
    assert not part.exists()


@pytest.mark.usefixtures("late")
@pytest.mark.both_engines
def test_another_seed_gives_other_values(run: Run, tmp_path: Path) -> None:
    files = [tmp_path / f"{seed}.gz" for seed in (1, 2)]
    for seed, path in enumerate(files, 1):
        assert (
            run(
                "values",
                "build",
                "belle-lucie",
                "--table",
                "none",
                "--levels",
                "1",
                "--samples",
                "3",
                "--seed",
                seed,
                "--out",
                path,
            ).code
            == 0
        )
    (one,), (two,) = (read_file(path)[1] for path in files)
    assert one.text != two.text


@BUILDS
def test_a_file_that_is_no_partial_one_is_not_overwritten(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "values.gz"
    partial_of(out).write_text("my own notes\n")
    ended = run(*SMALL, "--out", out)
    assert ended.code == 2
    assert "is not a file of values" in ended.err
    assert partial_of(out).read_text() == "my own notes\n"


@BUILDS
def test_the_default_recipe_smooths_only_what_is_small() -> None:
    planes = list(building.Recipe().planes())
    assert {block.table for block in planes} == set(TABLES) == set(building.SAMPLES)
    smoothed = {(block.table, block.level) for block in planes if block.is_smoothed}
    assert smoothed == {("build-any", 0), ("build-any", 1), ("build-any", 2), ("second-any", 2)}
    assert building.Recipe().command == "unshuffle values build belle-lucie"


def test_smoothing_takes_the_noise_out_and_keeps_what_is_exact() -> None:
    from numpy.random import default_rng

    rng = default_rng(3)
    true, rows = [], []
    for heights in STATES:
        left = 52 - sum(heights)
        true.append(1.0 if left == 0 else 1 / (1 + 2.7 ** (0.1 * left - 2 + (left % 3 == 0))))
        n = 0 if left <= 4 else 400
        p = float(rng.binomial(n, true[-1])) / n if n else true[-1]
        rows.append(write_row(Value(p, 0.0 if n == 0 else max((p * (1 - p) / n) ** 0.5, 1 / n), n)))
    smooth = building.smooth(rows)
    values = [Value(float(p), float(se), int(n)) for p, se, n in (row.split() for row in smooth)]
    for row, before, value, p in zip(smooth, rows, values, true, strict=True):
        if value.n == 0:
            assert row == before
        else:
            assert abs(value.p - p) < 0.03
            assert 0 < value.se < 0.02
