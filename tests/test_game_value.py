"""A game is a value: equal by id and variant, and found by them in another process."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from copy import copy
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
from tests import stairs
from tests.laws import ROOT, every_game
from tests.spawned import deal_of
from tests.stairs import STAIRS
from unshuffle import registry

pytestmark = pytest.mark.one_engine("checks what surrounds the engine, not its answers")

Game = un.Game[Any, Any]
GOLF = ROOT / "examples" / "golf.py"
TELL = "print(*((each.id, each.variant, each.rules, each.deal(3)) for each in games))"


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games of a mapping, by both forms of source; a row is of its game's id unless another one is named."""
    for name, source in (
        ("stairs-2", "tests.stairs:STAIRS"),
        ("stairs-3", "tests.stairs:STAIRS/stairs-3"),
    ):
        monkeypatch.setitem(registry._registered, name, source)


@pytest.mark.parametrize("game", every_game(), ids=str)
def test_a_game_is_what_its_id_and_variant_say(game: Game) -> None:
    again = un.game(game.id, game.variant)
    assert (again, hash(again), again.rules) == (game, hash(game), game.rules)
    assert eval(repr(game), {"unshuffle": un}) == game  # `repr` is a call that makes it
    unpickled = pickle.loads(pickle.dumps(game))
    assert (unpickled, unpickled.rules, type(unpickled)) == (game, game.rules, type(game))
    assert copy(game) == game
    for state in (game.deal(1), game.with_id(game.deal(1), None)):
        assert un.game_of(state) == game.of(state) == game
        seen = state.view()
        if hasattr(seen, "game_id"):
            assert un.game_of(seen) == game


def test_other_rules_are_another_game() -> None:
    game = un.game("agnes")
    assert game != un.game("agnes", "up-suit-none")
    assert game != un.game("agnes", piles=6)
    assert game != un.game("spider")
    assert game != "agnes"


def test_a_class_by_the_same_id_is_pickled_as_a_class() -> None:
    """Such as a test makes: the id names another game."""
    game = Another("one-deal")
    again = pickle.loads(pickle.dumps(game))
    assert (type(again), again) == (Another, game)
    assert game != un.game("belle-lucie", "one-deal")


class Another(type(un.game("belle-lucie"))):  # type: ignore[misc] # the class is found at run time
    """Belle Lucie, but not ours."""


def test_a_process_that_is_spawned_knows_the_game_of_a_file() -> None:
    [golf] = un.load(GOLF)
    games = [golf, un.game("spider", "2-suits"), un.game("gaps", redeals=3)]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(deal_of, games)) == list(map(deal_of, games))


def in_another_process(code: str, data: bytes) -> str:
    """What code prints in a new process, which reads the data from stdin."""
    done = subprocess.run(
        [sys.executable, "-c", code], input=data, capture_output=True, check=False, env=dict(os.environ), cwd=ROOT
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_dask_sends_a_game() -> None:
    dask = pytest.importorskip("distributed.protocol.pickle")
    [golf] = un.load(GOLF)
    games = [golf, un.game("belle-lucie", "merci", fans=18)]
    code = f"import sys\nfrom distributed.protocol.pickle import loads\ngames = loads(sys.stdin.buffer.read())\n{TELL}"
    told = in_another_process(code, dask.dumps(games))
    for game in games:
        assert f"'{game.id}', '{game.variant}'" in told
        assert repr(game.deal(3).id) in told


def test_what_is_sent_is_short_and_names_no_class() -> None:
    for game in every_game():
        sent = pickle.dumps(game)
        assert len(sent) < 300
        assert type(game).__name__.encode() not in sent


@pytest.mark.usefixtures("many")
def test_one_class_makes_many_games() -> None:
    two, three = un.game("stairs-2"), un.game("stairs-3", "hard-3")
    assert (two.id, two.name, two.variant, three.variant) == ("stairs-2", "Stairs-2", "plain", "hard-3")
    assert un.games()["stairs-3"] == ("plain", "hard-3")
    assert two != three
    state = three.deal(5)
    assert state.id == "stairs-3/hard-3@5"
    for again in (un.game_of(state), un.game_of(three.with_id(state, None)), pickle.loads(pickle.dumps(three))):
        assert (again, again.rules, getattr(again, "count", 0)) == (three, stairs.Rules(10), 3)
    assert un.game("stairs-2", "plain", lucky=3).variant == "plain+lucky=3"
    assert un.solve(two.deal(1)).status in ("solved", "unsolvable")
    assert {un.solve(un.game("stairs-2", lucky=1).deal(seed)).status for seed in range(5)} == {"solved"}


def test_a_source_that_names_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._registered, "no-stairs", "tests.stairs:STAIRS/cellar")
    with pytest.raises(un.UsageError, match=r"cannot load the game 'no-stairs' \(tests.stairs:STAIRS/cellar\): KeyErr"):
        un.game("no-stairs")
    # It keeps nobody from the parts of others.
    assert registry.games_with("adviser")


def test_a_game_can_be_registered_as_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    game = un.register(STAIRS["stairs-4"])
    assert un.game("stairs-4", "hard-4").deal(1).play
    assert game is STAIRS["stairs-4"]
    again = pickle.loads(pickle.dumps(un.game("stairs-4", "hard-4")))
    assert (again.variant, again.count) == ("hard-4", 4)


def test_games_of_a_mapping_are_found_by_entry_points(tmp_path: Path) -> None:
    """As another package brings them: a row by the name of the entry."""
    info = tmp_path / "stairs-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stairs\nVersion: 1\n")
    entries = "[unshuffle.games]\nstairs-2 = tests.stairs:STAIRS\nstairs-3 = tests.stairs:STAIRS/stairs-3\n"
    (info / "entry_points.txt").write_text(entries)
    code = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(ROOT)!r}]\nimport pickle, unshuffle as un\n"
    code += "games = [pickle.loads(pickle.dumps(un.game(name))) for name in ('stairs-2', 'stairs-3')]\n"
    assert "'stairs-3', 'plain'" in in_another_process(code + TELL, b"")


def test_a_file_may_register_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    path = tmp_path / "more_stairs.py"
    path.write_text(
        "import unshuffle as un\nfrom tests.stairs import Stairs\n"
        "for count in (7, 8):\n    un.register(Stairs(f'stairs-{count}', count))\n"
    )
    assert [game.id for game in un.load(path)] == ["stairs-7", "stairs-8"] == [game.id for game in un.load(path)]
    code = f"import pickle, sys\ngames = [pickle.loads(sys.stdin.buffer.read())]\n{TELL}"
    assert "('stairs-8', 'hard-8'" in in_another_process(code, pickle.dumps(un.game("stairs-8", "hard-8")))
