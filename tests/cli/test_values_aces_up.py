"""`unshuffle values build aces-up`: the same file to the byte, however often the work was broken off."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from unshuffle.games.aces_up.hidden.features import read_weights
from unshuffle.games.aces_up.hidden.values import FILE, read_values
from unshuffle.games.aces_up.values import building, weighing
from unshuffle.simulate import policy_of
from unshuffle.values.building import partial_of

pytestmark = pytest.mark.both_engines

SMALL = ("values", "build", "aces-up", "--games", "20")


@pytest.fixture
def in_small_pieces(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Break the work off in every so-manieth piece."""
    go_on, calls = building._Work.go_on, 0

    def start(broken: int) -> None:
        def interrupted(work: Any, threads: int | None) -> None:
            nonlocal calls
            calls += 1
            if calls % broken == 0:
                raise KeyboardInterrupt
            work.pace.size = min(work.pace.size, 3)
            go_on(work, threads)

        monkeypatch.setattr(building._Work, "go_on", interrupted)

    return start


def test_a_file_tells_where_it_comes_from_and_is_played_by(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "new" / "mine.json"
    ended = run(*SMALL, "--seed", 5, "--out", out)
    assert (ended.code, ended.err) == (0, "")
    assert str(out) in ended.out
    assert [path.name for path in out.parent.iterdir()] == ["mine.json"]
    provenance = json.loads(out.read_text())["provenance"]
    assert provenance["command"] == "unshuffle values build aces-up --games 20 --seed 5"
    assert (provenance["seed"], provenance["games"], provenance["version"]) == (5, 20, un.__version__)
    assert any(read_values(out).numbers)
    assert policy_of(un.game("aces-up"), f"planner:0;values={out}").name.startswith(f"planner:0;values={out}#")


def test_the_shipped_file_tells_its_command() -> None:
    provenance = json.loads(FILE.read_text())["provenance"]
    recipe = building.Recipe(games=provenance["games"], seed=provenance["seed"])
    assert provenance["command"] == recipe.command
    assert FILE.read_text().startswith('{\n  "format": "unshuffle-aces-up-values 1",\n')


@pytest.mark.one_engine("checks the command line, not the answers")
def test_a_build_goes_on_where_it_ended(run: Run, tmp_path: Path, in_small_pieces: Callable[[int], None]) -> None:
    whole, again, broken = (tmp_path / name for name in ("whole.json", "again.json", "broken.json"))
    assert run(*SMALL, "--out", whole).code == 0
    assert run(*SMALL, "--out", again).code == 0
    assert again.read_bytes() == whole.read_bytes()
    in_small_pieces(3)
    ended = run(*SMALL, "--out", broken)
    assert (ended.code, ended.out) == (130, "")
    assert "the same command goes on from" in ended.err
    assert partial_of(broken).exists()
    assert not broken.exists()
    other = run(*SMALL, "--seed", "6", "--out", broken)
    assert other.code == 2
    assert "begun with other settings" in other.err
    codes = [130]
    while codes[-1] == 130:
        codes.append(run(*SMALL, "--out", broken).code)
    assert (codes[-1], len(codes) > 2) == (0, True)
    assert broken.read_bytes() == whole.read_bytes()
    assert not partial_of(broken).exists()


WEIGHTS = ("values", "build", "aces-up", "--table", "weights", "--games", "1", "--rounds", "3")


def test_weights_are_found_and_played_by(
    run: Run, tmp_path: Path, in_small_pieces: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weighing, "VECTORS", 12)
    whole, broken = tmp_path / "whole.json", tmp_path / "broken.json"
    assert run(*WEIGHTS, "--threads", "1", "--out", whole).code == 0
    weights = read_weights(whole)
    assert all(weights.values)
    provenance = json.loads(whole.read_text())["provenance"]
    assert provenance["command"] == " ".join(("unshuffle", *WEIGHTS))
    assert (provenance["seed"], provenance["rounds"], provenance["decks"]) == (1, 3, 1)
    assert policy_of(un.game("aces-up"), f"weights:{whole}").name.startswith(f"weights:{whole}#")
    in_small_pieces(2)
    codes = [130]
    while codes[-1] == 130:
        codes.append(run(*WEIGHTS, "--threads", "2", "--out", broken).code)
    assert (codes[-1], len(codes) > 2) == (0, True)
    assert broken.read_bytes() == whole.read_bytes()


def test_another_seed_gives_other_values(run: Run, tmp_path: Path) -> None:
    files = [tmp_path / f"{seed}.json" for seed in (1, 2)]
    for seed, path in enumerate(files, 1):
        assert run(*SMALL, "--seed", seed, "--out", path).code == 0
    assert read_values(files[0]) != read_values(files[1])


@pytest.mark.parametrize("text", ["my own notes\n", "[]", '{"format": "unshuffle-aces-up-training 1"}'])
def test_a_file_that_is_no_partial_one_is_not_overwritten(run: Run, tmp_path: Path, text: str) -> None:
    out = tmp_path / "values.json"
    partial_of(out).write_text(text)
    ended = run(*SMALL, "--out", out)
    assert ended.code == 2
    assert "other settings" in ended.err
    assert partial_of(out).read_text() == text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["aces-up", "--games", "0"], "games to learn from"),
        (["aces-up", "--table", "none"], "table of aces-up: 'none'"),
        (["aces-up", "--rounds", "5"], "--rounds says nothing about the values of aces-up, but about its weights"),
        (["aces-up", "--table", "weights", "--rounds", "0"], "0 rounds"),
        (["aces-up", "--samples", "5"], "no option --samples; it belongs to belle-lucie, gaps"),
        (["aces-up", "--levels", "5"], "no option --levels; it belongs to belle-lucie, gaps"),
        (["belle-lucie", "--games", "5"], "no option --games; it belongs to aces-up"),
        (["agnes"], "no values of agnes"),
    ],
)
def test_wrong_usage(run: Run, arguments: list[str], message: str) -> None:
    ended = run("values", "build", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert message in " ".join(ended.err.split())
