"""The laws that ship with the package, on every registered game with its variants and a few changed rules."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import unshuffle as un
from tests.laws import IS_LONG, every_game, hold
from unshuffle.deals import LAST_SEED
from unshuffle.laws import LAWS, Law

Game = un.Game[Any, Any]
GAMES = every_game()


def seeds(game: Game) -> list[int]:
    """Return the deals on which a law is tried. Each rule set has its own, so that few of them cover many."""
    rng = Random(str(game))
    return (
        [0, LAST_SEED, *(rng.randrange(LAST_SEED) for _ in range(14))] if IS_LONG else [LAST_SEED, rng.randrange(999)]
    )


def tried(*, asks_engine: bool) -> list[Any]:
    """Every law with every game that it concerns."""
    return [
        pytest.param(law, game, id=f"{law.name}-{game}")
        for law in LAWS
        if law.asks_engine == asks_engine
        for game in GAMES
        if law.concerns(game)
    ]


@pytest.mark.parametrize(("law", "game"), tried(asks_engine=False))
def test_a_law_of_the_rules_holds(law: Law, game: Game) -> None:
    for seed in seeds(game):
        hold(law, game, seed)


@pytest.mark.parametrize(("law", "game"), tried(asks_engine=True))
@pytest.mark.both_engines
def test_a_law_of_the_engine_holds(law: Law, game: Game) -> None:
    for seed in seeds(game):
        hold(law, game, seed)


def test_cards_that_follow_a_discarded_one_are_no_part_of_the_gesture() -> None:
    """A card moved onto another pile is discarded at once on this deal, and so is the one that lay below it."""
    hold(next(law for law in LAWS if law.name == "gestures"), un.game("aces-up", "russian"), 164)
