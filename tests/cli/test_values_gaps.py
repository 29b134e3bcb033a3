"""`unshuffle values ... gaps`: looking shapes up, and the same file however often a build was broken off."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import factorial
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.laws import ROOT
from unshuffle import __version__
from unshuffle.games.gaps.hidden.values import SHAPES, TABLES, index, interval, read_file, shipped
from unshuffle.games.gaps.values import building, fitting
from unshuffle.values.building import partial_of

BUILDS = pytest.mark.one_engine("checks what is written and kept, not the values")

SMALL = ("values", "build", "gaps", "--samples", "4", "--boards", "30", "--nodes", "30")
PAGE = (ROOT / "docs" / "notes" / "gaps.md").read_text(encoding="utf-8")
LATE = tuple(shape for shape in SHAPES if 40 <= sum(shape) < 48)[::3]
"""Their phases are short on either engine."""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Build over few shapes, and try few settings of the fit."""
    monkeypatch.setattr(building, "shapes_to_value", lambda: LATE)
    monkeypatch.setattr(fitting, "GRID", {"missed": (0.1, 0.2)})


# Show.


@pytest.mark.parametrize("lengths", [["9 9 8 8"], ["8", "9", "8", "9"], ["9/9/8/8"], ["9,8,9,8"]])
def test_show_tells_chances_errors_and_counts(run: Run, lengths: list[str]) -> None:
    ended = run("values", "show", "gaps", *lengths)
    assert ended.code == 0, ended.err
    row = shipped("addiction").rows[index((9, 9, 8, 8))]
    assert "gaps/addiction: runs of 9 9 8 8, 34 cards locked" in ended.out
    for k, (p, se) in enumerate(row.planes, 1):
        low, high = interval(p, se)
        told = f"{100 * p:.1f} % ± {max(100 * se, 0.1):.1f} [{100 * low:.1f}, {100 * high:.1f}]"
        assert f"  {k} redeal{'s' * (k > 1)}: {told}\n" in ended.out
    assert "± is one standard error; in brackets the 95 % confidence interval." in ended.out
    assert f"{row.n:,} redeals of this shape, {row.wins:,} won" in ended.out
    assert "hidden" in ended.out


def test_what_is_exact_says_so(run: Run) -> None:
    ended = run("values", "show", "gaps", "12 12 12 10")
    assert "  1 redeal: 86.67 % (exact)\n  2 redeals: 98.22 % (exact)\n" in ended.out
    assert "A redeal of this shape brings one of 30 boards. All were searched: 26 are won.\n" in ended.out
    assert "±" not in ended.out
    (found,) = run("values", "show", "gaps", "12 12 12 10", "--json").objects
    assert (found["n"], found["wins"], found["undecided"]) == (30, 26, 0)
    first = found["values"][0]
    assert first == {"redeals_left": 1, "p": 26 / 30, "se": 0, "low": 26 / 30, "high": 26 / 30, "exact": True}
    ended = run("values", "show", "gaps", "12 12 12 12")
    assert "  3 redeals: 100.00 % (exact)\nAll cards are locked: the game is won.\n" in ended.out


@pytest.mark.parametrize("variant", ["addiction-early", "montana", "montana-locked", "spaces"])
def test_show_as_json(run: Run, variant: str) -> None:
    (found,) = run("values", "show", "gaps", "12 10 9 3", "--variant", variant, "--json").objects
    assert (found["variant"], found["table"], found["shape"], found["locked"]) == (variant, variant, [12, 10, 9, 3], 34)
    row = shipped(variant).rows[index((12, 10, 9, 3))]
    assert (found["n"], found["wins"], found["undecided"]) == (row.n, row.wins, row.undecided)
    assert [tuple(value.values()) for value in found["values"]] == [
        (k, p, se, *interval(p, se), False) for k, (p, se) in enumerate(row.planes, 1)
    ]


@pytest.mark.parametrize("name", TABLES)
def test_the_notes_tell_how_good_the_tables_are(name: str) -> None:
    told = shipped(name).provenance
    losses = [f"{float(word):.4f}" for word in told["held-out log loss"].split()[1:6:2]]
    samples, undecided = told["samples"].split()[0], told["sampled"].split()[4]
    redeals, exact = f"{int(told['sampled'].split()[0]):,}", told["exact"].split()[0]
    assert f"| `{name}` | {exact} | {samples} | {redeals} | {undecided} | {' | '.join(losses)} |\n" in PAGE


# Build.


@pytest.mark.usefixtures("small")
@pytest.mark.both_engines
def test_a_file_tells_where_it_comes_from(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "new" / "mine.txt.gz"
    ended = run(*SMALL, "--variant", "montana-locked", "--seed", 5, "--out", out)
    assert (ended.code, ended.err) == (0, "")
    assert str(out) in ended.out
    assert "held-out log loss: model " in ended.out
    assert [path.name for path in out.parent.iterdir()] == ["mine.txt.gz"]
    table = read_file(out)
    command = "unshuffle values build gaps --variant montana-locked --samples 4 --seed 5 --boards 30 --nodes 30"
    assert (table.name, table.provenance["command"]) == ("montana-locked", command)
    assert table.provenance["version"] == __version__
    assert table.provenance["rules"] == "redeal_gaps=after-run twos_locked=yes early_redeal=no"
    assert {shape for shape, row in zip(SHAPES, table.rows, strict=True) if row.n} == set(LATE)
    for shape, row in zip(SHAPES, table.rows, strict=True):
        boards = factorial(48 - sum(shape))
        assert row.n == (0 if shape not in LATE else boards if boards <= 30 else 4)
        assert 0 <= row.wins <= row.n


@pytest.fixture
def broken_off(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Break the work off in every so-manieth piece, all of which are small."""
    pieces, calls = building._Work._pieces, 0

    def start(broken: int) -> None:
        def interrupted(work: Any, first: int, last: int) -> list[range]:
            nonlocal calls
            calls += 1
            if calls % broken == 0:
                raise KeyboardInterrupt
            work.pace.size = min(work.pace.size, 2)
            return pieces(work, first, last)

        monkeypatch.setattr(building._Work, "_pieces", interrupted)

    return start


@BUILDS
@pytest.mark.usefixtures("small")
def test_a_build_goes_on_where_it_ended(run: Run, tmp_path: Path, broken_off: Callable[[int], None]) -> None:
    whole, again, broken = (tmp_path / f"{name}.txt.gz" for name in ("whole", "again", "broken"))
    assert run(*SMALL, "--out", whole, "--threads", 1).code == 0
    assert run(*SMALL, "--out", again, "--threads", 3).code == 0
    assert again.read_bytes() == whole.read_bytes()
    broken_off(7)
    ended = run(*SMALL, "--out", broken)
    assert (ended.code, ended.out) == (130, "")
    assert "the same command goes on from" in ended.err
    assert partial_of(broken).exists()
    assert not broken.exists()
    other = run(*SMALL, "--seed", "6", "--out", broken)
    assert other.code == 2
    assert "begun with other settings" in other.err
    # As if the machine had gone down in the midst of a line.
    with partial_of(broken).open("a") as file:
        file.write('[1500,1502,[[15,[["w",[15')
    codes = [130]
    while codes[-1] == 130:
        codes.append(run(*SMALL, "--out", broken).code)
    assert (codes[-1], len(codes) > 2) == (0, True)
    assert broken.read_bytes() == whole.read_bytes()
    assert not partial_of(broken).exists()


@pytest.mark.usefixtures("small")
@pytest.mark.both_engines
def test_another_seed_gives_other_counts(run: Run, tmp_path: Path) -> None:
    files = [tmp_path / f"{seed}.txt.gz" for seed in (1, 2)]
    for seed, path in enumerate(files, 1):
        assert run(*SMALL, "--seed", seed, "--out", path).code == 0
    first, second = ([row.wins for row in read_file(path).rows] for path in files)
    assert first != second


@BUILDS
@pytest.mark.parametrize("text", ["my own notes\n", "[]", json.dumps({"format": "unshuffle-gaps-samples 1"})])
def test_a_file_that_is_no_partial_one_is_not_overwritten(run: Run, tmp_path: Path, text: str) -> None:
    out = tmp_path / "values.txt.gz"
    partial_of(out).write_text(text)
    ended = run(*SMALL, "--out", out)
    assert ended.code == 2
    assert "other settings" in ended.err
    assert partial_of(out).read_text() == text


USAGE = {
    "no lengths": (["show", "gaps"], "HEIGHTS"),
    "three lengths": (["show", "gaps", "9 9 8"], "expected four numbers 0..12"),
    "too long": (["show", "gaps", "13 9 8 8"], "expected four numbers 0..12"),
    "far too long": (["show", "gaps", "9" * 5000, "1", "1", "1"], "expected four numbers 0..12"),
    "a card": (["show", "gaps", "9C 9 8 8"], "'9C' is not a number"),
    "no table": (["show", "gaps", "9 9 8 8", "--variant", "basic"], "no table of values for gaps/basic"),
    "no redeals to value": (["show", "gaps", "9 9 8 8", "--variant", "one-deal"], "which has no redeals"),
    "an unknown table": (["build", "gaps", "--variant", "adiction"], "did you mean 'addiction'"),
    "no redeals": (["build", "gaps", "--variant", "one-deal"], "table of values"),
    "one sample": (["build", "gaps", "--samples", "1"], "2..1,000,000"),
    "no levels": (["build", "gaps", "--levels", "0"], "1..9"),
    "fewer than no boards": (["build", "gaps", "--boards", "-1"], "0..10,000,000"),
    "boards elsewhere": (["build", "aces-up", "--boards", "5"], "no option --boards; it belongs to gaps"),
    "no nodes": (["build", "gaps", "--nodes", "0"], "1..1,000,000,000"),
    "another game's": (["build", "gaps", "--games", "5"], "no option --games; it belongs to aces-up"),
    "another's table": (["build", "gaps", "--table", "x"], "no option --table; it belongs to aces-up, belle-lucie"),
    "nodes elsewhere": (["build", "belle-lucie", "--nodes", "5"], "no option --nodes; it belongs to gaps"),
    "a variant elsewhere": (["build", "aces-up", "--variant", "x"], "no option --variant; it belongs to gaps"),
    "nowhere to write": (["build", "gaps", "--out", "/dev/null/values.txt.gz"], "--out: cannot write"),
}


@pytest.mark.parametrize(("arguments", "message"), USAGE.values(), ids=USAGE)
def test_wrong_usage_is_2(run: Run, arguments: list[str], message: str) -> None:
    ended = run("values", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert message in " ".join(ended.err.split())
