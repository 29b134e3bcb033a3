"""What the contract tests are run on: every registered game, the example among them, with every variant."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import strategies as st

import unshuffle as un
from unshuffle import engine
from unshuffle.deals import LAST_SEED
from unshuffle.rulebook import write_rules

ROOT = Path(__file__).parent.parent
DATA = Path(__file__).parent / "data"

# Changed fields beside the named variants, so that a law holds for the rules and not only for their usual values.
CHANGED = {"belle-lucie": ({"fan_size": 2}, {"aces_out": True}, {"fan_size": 13, "aces_out": True})}

un.load(ROOT / "examples" / "golf.py")


def every_game() -> list[un.Game[Any, Any]]:
    """Every game with every named variant and a few changed ones."""
    games = [un.game(name, variant) for name, variants in un.games().items() for variant in variants]
    games += [un.game(name, **fields) for name, changes in CHANGED.items() for fields in changes]
    return games


def native_games() -> list[un.Game[Any, Any]]:
    """The games that the native engine plays too."""
    native = engine._native_module()
    if native is None:
        return []
    return [game for game in every_game() if game.id in native.games()]


def native_module() -> ModuleType:
    """The engine's own module, also where the Python side serves."""
    module = engine._native_module()
    if module is None:
        pytest.fail("the native engine is not built; run `make build`")
    return module


deal_numbers = st.integers(0, LAST_SEED)


def random_line(game: un.Game[Any, Any], seed: int, at_most: int = 200) -> Iterator[Any]:
    """The states along one line of random play."""
    rng = Random(seed)
    state = game.deal(seed)
    yield state
    for _ in range(at_most):
        moves = state.legal_moves()
        if not moves:
            return
        state = state.play(rng.choice(moves))
        yield state


def tokens(moves: Any) -> list[str]:
    """The texts of moves."""
    return [move if isinstance(move, str) else move.token for move in moves]


def asked(game: un.Game[Any, Any], state: Any) -> tuple[str, dict[str, str], str]:
    """A state as the engine is asked about it."""
    return game.id, write_rules(game.rules), game.format(state)
