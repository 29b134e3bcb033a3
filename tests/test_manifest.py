"""A game of `--load` that says what it has gets it everywhere, as ours do."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
from tests.cli.conftest import Run, run
from tests.laws import ROOT
from unshuffle import registry
from unshuffle.advise import adviser_of
from unshuffle.manifest import Manifest, part
from unshuffle.solve import has_twin

__all__ = ["run"]  # the fixture

FILE = ROOT / "tests" / "own_stairs.py"
LOAD = ("--load", FILE)
ASK = ("advise", "own-stairs", "--seed", "1", "--explain", "none")


@pytest.fixture(autouse=True)
def is_loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[un.Game[Any, Any]]:
    """The game is there during a test, and not after it; its saves go to a folder of the test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    [game] = un.load(FILE)
    yield game
    for name in [name for name in sys.modules if name.startswith(f"{registry._LOADED}own_stairs")]:
        del sys.modules[name]


@pytest.mark.parametrize("name", un.games())
def test_every_part_that_a_manifest_names_is_there(name: str) -> None:
    has = un.game(name).has
    texts = [text for field in Manifest.__dataclass_fields__ if ":" in (text := str(getattr(has, field)))]
    assert all(part(text) is not None for text in texts if text.startswith("unshuffle."))
    assert bool(has.environment) == bool(has.environment_id)


def test_a_game_by_another_name_has_none_of_the_parts() -> None:
    """They were written for the other one."""

    class Odd(type(un.game("agnes"))):  # type: ignore[misc] # the class is found at run time
        id = "odd"

    class Even(type(un.game("agnes"))):  # type: ignore[misc] # the same
        name = "Even"

    assert Odd().has == Manifest()
    assert Even().has == un.game("agnes").has


@pytest.mark.one_engine("checks what surrounds the engine, not its answers")
def test_the_engine_may_know_the_rules_by_another_name() -> None:
    class Odd(type(un.game("agnes"))):  # type: ignore[misc] # the class is found at run time
        id = "odd"
        has = Manifest(engine="agnes")

    assert has_twin(Odd()) == has_twin(un.game("agnes"))
    assert len(un.simulate(Odd(), "random", range(20)).scores) == 20
    solved = [[result.status for result in un.solve_many(game, seeds=range(3))] for game in (Odd(), un.game("agnes"))]
    assert solved[0] == solved[1]


@pytest.mark.one_engine("checks what surrounds the engine, not its answers")
def test_its_adviser_advises(run: Run) -> None:
    ended = run(*ASK, *LOAD)
    assert ended.code == 0, ended.err
    assert "Go up. {}" in ended.out
    assert "Go up. {'seconds': 2.0}" in run(*ASK, "--seconds", "2", *LOAD).out
    refused = run(*ASK, "--samples", "2", *LOAD)
    assert "--samples has no effect: the adviser of own-stairs plays no playouts" in refused.err


@pytest.mark.one_engine("checks what surrounds the engine, not its answers")
def test_its_coach_looks_at_moves(run: Run) -> None:
    ended = run("play", "own-stairs", "--seed", "1", "--coach", *LOAD, stdin="1\nq\n")
    assert ended.code == 0, ended.err
    assert "Coach: mind the step." in ended.out


@pytest.mark.one_engine("checks what surrounds the engine, not its answers")
def test_its_policies_play(run: Run) -> None:
    ended = run("simulate", "own-stairs", "--policy", "careful", "--seeds", "0..9", *LOAD)
    assert ended.code == 0, ended.err
    assert "Policy careful on the deals 0..9" in ended.out
    assert "careful" in run("simulate", "own-stairs", "--help").out


@pytest.mark.one_engine("checks what surrounds the engine, not its answers")
def test_its_panel_measures_deals(run: Run) -> None:
    ended = run("deal", "own-stairs", "--winnable", "--count", "1", "--json", *LOAD)
    assert ended.code == 0, ended.err
    [told] = ended.objects
    assert (told["games"], told["measured_by"].partition(";")[0]) == (4, "panel-1: careful x4")


@pytest.mark.one_engine("checks what surrounds the engine, not its answers")
def test_its_options_are_options_of_the_command(run: Run) -> None:
    for options, told in (((), "Barefoot."), (("--shoes",), "With shoes.")):
        ended = run("--load", FILE, "solve", "own-stairs", *options, "--seed", "1")
        assert ended.code in (0, 1), ended.err
        assert told in ended.out
    assert "Options of own-stairs:" in run("--load", FILE, "solve", "own-stairs", "--help").out
    refused = run("--load", FILE, "solve", "agnes", "--shoes", "--seed", "1")
    assert "has no option --shoes; it belongs to own-stairs" in refused.err


@pytest.mark.one_engine("checks what surrounds the engine, not its answers")
def test_a_game_without_a_search_of_its_own_does_without_techniques_by_the_generic_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = un.game("agnes")
    monkeypatch.setattr(type(game), "techniques", {"bound": "bound"})
    for state in islice(game.small_states(3), 3):
        found, less = un.solve(state), un.solve(state, without=["bound"])
        assert (less.status, less.engine) == (found.status, "python")


@pytest.mark.one_engine("checks what surrounds the engine, not its answers")
def test_its_values_are_built_and_shown(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    ended = run("--load", FILE, "values", "build", "own-stairs", "--samples", "9", "--out", out)
    assert (ended.code, ended.out) == (0, f"{out}: stairs; 2 bytes\nevery stair was tried\n")
    assert run("--load", FILE, "values", "show", "own-stairs", "1", "2").out == "own-stairs/plain: 1 2\n"
    told = run("--load", FILE, "values", "build", "own-stairs", "--help").out
    assert "Options of own-stairs: --samples N Stairs that are tried." in " ".join(told.split())
    refused = run("--load", FILE, "values", "build", "own-stairs", "--rounds", "9")
    assert "own-stairs` has no option --rounds; it belongs to aces-up" in refused.err
    refused = run("--load", FILE, "values", "show", "agnes", "1")
    assert "there are no values of agnes to show; there are of belle-lucie, gaps, own-stairs" in refused.err


@pytest.mark.one_engine("checks what surrounds the engine, not its answers")
def test_its_environment_is_made_and_plays(run: Run, tmp_path: Path) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from unshuffle.envs import register_environments
    from unshuffle.envs.playing import describe_environment

    register_environments()
    env = gymnasium.make("stairs/Own-v3", variant="hard-3")
    assert (env.spec.max_episode_steps, str(env.unwrapped.stepped.game)) == (7, "own-stairs/hard-3")
    many = gymnasium.make_vec("stairs/Own-v3", num_envs=2)
    many.reset(seed=1)
    assert describe_environment(un.game("own-stairs", "hard-3")) == ("stairs/Own-v3", {"variant": "hard-3"})
    out = tmp_path / "e.parquet"
    ended = run("episodes", "own-stairs", "--policy", "careful", "--seeds", "0..4", "--out", out, *LOAD)
    assert ended.code == 0, ended.err
    assert out.exists()
    gymnasium.registry.pop("stairs/Own-v3")


def test_what_a_manifest_names_in_vain_is_told() -> None:
    game = un.game("own-stairs")
    for text in ("no_such_module:Adviser", "unshuffle.no_such:Adviser", "unshuffle.advise:NoSuch"):
        game.has = Manifest(adviser=text)
        with pytest.raises(un.UsageError, match=rf"^the adviser of own-stairs is not there \({text}\): "):
            adviser_of(game)
