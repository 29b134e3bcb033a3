"""The engine's table of games against the registry: what the one has, the other knows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import unshuffle as un
from unshuffle import engine

pytestmark = pytest.mark.one_engine("checks the native engine itself")

native_only = pytest.mark.skipif(engine.native() is None, reason="it is the engine's table that is asked")


@native_only
def test_the_engine_has_the_games_of_this_package() -> None:
    native = engine.native()
    assert native is not None
    ids = native.games()
    assert sorted(set(ids)) == ids
    ours = {id_ for id_ in un.games() if type(un.game(id_)).__module__.startswith("unshuffle.games.")}
    assert ours == set(ids)


@native_only
def test_a_game_that_the_engine_lacks_is_told_alike_everywhere() -> None:
    native = engine.native()
    assert native is not None
    calls: tuple[Callable[[], object], ...] = (
        lambda: native.deal("no-such-game", {}, 1),
        lambda: native.Tables("no-such-game", {}, count=1),
        lambda: native.Games("no-such-game", {}, policy="random", threads=1),
        lambda: native.Games("no-such-game", {}, policy="greedy", threads=1),
        lambda: native.playouts("no-such-game", {}, "", [], samples=1, luck=0, threads=1),
        lambda: native.phase_ends("no-such-game", {}, ""),
    )
    for call in calls:
        with pytest.raises(
            ValueError, match=f'^the engine has no game "no-such-game"; it has {", ".join(native.games())}$'
        ):
            call()
    assert not native.supports("no-such-game", {})


@native_only
def test_what_a_game_lacks_is_told_in_the_same_words() -> None:
    native = engine.native()
    assert native is not None
    for game in set(native.games()) - {"belle-lucie"}:
        with pytest.raises(ValueError, match=f"^the engine has no plans of {game}$"):
            native.plan(game, {}, "", b"")
    for game in set(native.games()) - {"gaps"}:
        with pytest.raises(ValueError, match=f"^the engine has no phases of {game}$"):
            native.phase_ends(game, {}, "")
