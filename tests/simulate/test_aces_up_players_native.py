"""Aces Up's players `rollout` and `weights` in the engine: the same games as by the Python rules."""

from __future__ import annotations

from typing import Any

import pytest

import unshuffle as un
from tests.laws import IS_LONG
from tests.simulate.mass_play import check_run
from tests.simulate.test_aces_up_players import STANDARD, VARIANTS, tables
from unshuffle import engine
from unshuffle.games.aces_up.hidden.features import FILE, shipped
from unshuffle.games.aces_up.hidden.players import Weighted
from unshuffle.simulate import Deals, Luck, play_block
from unshuffle.solve import has_twin

pytestmark = [
    pytest.mark.one_engine("compares the native engine with the Python rules"),
    pytest.mark.skipif(
        engine.native() is None or not has_twin(STANDARD), reason="the Python side plays all games one by one"
    ),
]


@pytest.mark.parametrize("variant", VARIANTS)
def test_weights_play_the_same_games(variant: str) -> None:
    game = un.game("aces-up", variant)
    first = VARIANTS.index(variant) * 1000
    check_run(Deals(game, numbers=range(first, first + (500 if IS_LONG else 20))), "weights", threads=2)
    check_run(Deals(game, states=tables(variant, 3, 60 if IS_LONG else 5)), "weights")


@pytest.mark.parametrize("variant", VARIANTS)
def test_rollout_plays_the_same_games(variant: str) -> None:
    game = un.game("aces-up", variant)
    place = VARIANTS.index(variant)
    for policy in (f"rollout:2;seed={place}", "rollout:1;base=weights;bonus=7", "rollout:1;base=4,300@documented"):
        check_run(Deals(game, numbers=range(place, place + (30 if IS_LONG else 1))), policy)
    check_run(Deals(game, states=tables(variant, 3, 30 if IS_LONG else 2)), "rollout:3", threads=2)


def test_other_rules() -> None:
    for changes in (
        {"fill": "must", "destination": "last", "discards": "optional"},
        {"piles": 5, "deal": "spaces", "reserve": 1},
        {"fill": "aces-only", "singletons": True, "destination": "any", "reserve": 1},
        {"discards": "optional", "reserve": 1, "piles": 5},
    ):
        game = un.game("aces-up", **changes)
        check_run(Deals(game, numbers=range(3)), "weights")
        check_run(Deals(game, numbers=range(1)), "rollout:1")


def test_foreign_decks_and_results_on_any_number_of_threads() -> None:
    check_run(Deals(STANDARD, numbers=[12345], generator="python"), "rollout:3")
    for policy in ("weights", "rollout:5"):
        assert len({tuple(play_block(STANDARD, policy, range(100), threads=threads)[0]) for threads in (1, 2, 3)}) == 1


def test_weights_of_a_file(tmp_path: Any) -> None:
    path = tmp_path / "mine.json"
    path.write_text(FILE.read_text().replace("-2.016", "3.5"))
    check_run(Deals(STANDARD, numbers=range(10)), f"weights:{path}")


def test_who_plays_otherwise_is_not_played_by_the_engine() -> None:
    class First(Weighted):
        def player(self, luck: Luck) -> Any:
            return lambda view, moves: moves[0]

    assert First(shipped()).engine(STANDARD) == "python"
    assert Weighted().engine(STANDARD) == "native"


def test_the_engine_checks_its_values() -> None:
    native = engine.native()
    assert native is not None
    for values in (None, b"", b"1234567", shipped().packed[:-8], shipped().packed + b"12345678"):
        with pytest.raises(ValueError, match=r"18|values|weights"):
            native.Games("aces-up", {}, policy="weights", threads=1, values=values)
