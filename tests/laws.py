"""What the contract tests are run on: every registered game, the example among them, with every variant."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st

import unshuffle as un
from unshuffle import engine
from unshuffle.deals import LAST_SEED
from unshuffle.laws import Case, Law
from unshuffle.laws.twins import asked as asked
from unshuffle.solve.sides import has_twin, knows
from unshuffle.views import unknown_in

ROOT = Path(__file__).parent.parent
DATA = Path(__file__).parent / "data"

# Changed fields beside the named variants, so that a law holds for the rules and not only for their usual values.
CHANGED: dict[str, tuple[dict[str, Any], ...]] = {
    "belle-lucie": (
        {"fan_size": 2},
        {"fan_size": 13, "aces_out": True},
        {"merci": "play", "max_cards": 4},
        {"merci": "front", "merci_count": 2},
        {"merci": "anywhere"},
        {"redeals": 1, "merci": "front", "merci_deals": "any", "kings_to_spaces": True},
        {"redeals": 1, "may_hold_back": False},
        {"redeals": 1, "build_up": True, "fans": 18, "fan_size": 4},
    ),
    "agnes": (
        {"ranks": 4, "piles": 3},
        {"ranks": 4, "piles": 3, "move_same_suit": True, "move_to_empty_pile": "high-run", "split_runs": False},
        {"ranks": 5, "piles": 3, "move_to_empty_pile": "any-run"},
        {"ranks": 5, "piles": 4, "face_up": True, "move_to_empty_pile": "any-1", "split_runs": False},
        {"ranks": 2, "piles": 1, "move_to_empty_pile": "high-1"},
        {"piles": 9, "face_up": True, "move_same_suit": True},
    ),
    "gaps": (
        {"redeals": 1, "fixed_suits": "SHDC"},
        {"redeals": 2, "redeal_gaps": "after-run", "early_redeal": True, "twos_locked": False, "fixed_suits": "CDHS"},
        {"redeals": 1, "redeal_gaps": "after-run", "early_redeal": True},
    ),
    "aces-up": (
        {"fill": "must", "destination": "last", "singletons": True, "reserve": 1},
        {"fill": "aces-only", "destination": "any", "singletons": True, "deal": "spaces", "reserve": 1},
        {"fill": "must", "discards": "optional", "deal": "spaces", "piles": 5},
        {"destination": "last", "discards": "optional", "reserve": 1},
        {"singletons": True, "piles": 5},
    ),
    "spider": (
        {"suits": 1, "piles": 2, "ranks": 2, "runs": 2, "table": 4},
        {"suits": 1, "piles": 3, "ranks": 3, "runs": 3, "table": 6},
        {"suits": 2, "piles": 3, "ranks": 4, "runs": 2, "table": 5},
        {"suits": 2, "piles": 3, "ranks": 3, "runs": 4, "table": 6, "deal_on_empty": False},
        {"suits": 4, "piles": 4, "ranks": 3, "runs": 4, "table": 8},
        {"suits": 4, "piles": 5, "ranks": 4, "runs": 4, "table": 11, "deal_on_empty": False},
        {"suits": 2, "piles": 9, "runs": 6, "table": 51},
    ),
}

IS_LONG = os.environ.get("UNSHUFFLE_TESTS") == "long"

# Where a game has very many variants the short run takes some: in these, together with the changed ones above, all
# pairs of choices meet. The long run takes all.
CHOSEN: dict[str, tuple[str, ...]] = {
    "agnes": (
        "down-color-none",
        "up-suit-none-nosplit",
        "down-suit-any1",
        "down-suit-high1",
        "up-color-high1-nosplit",
        "up-color-highrun",
        "up-suit-anyrun-nosplit",
    )
}

OURS = tuple(name for name in un.games() if type(un.game(name)).__module__.startswith("unshuffle."))
"""The games that come with the package."""
HIDDEN = tuple(name for name in OURS if hasattr(un.game(name).deal(7).view(), "unseen"))
"""Those of them in which cards are hidden."""
EVERYONE = {"random", "greedy", "rollout", "guess"}
"""The policies of every game; only where something is unknown there is the last one."""
UNKNOWN = tuple(name for name in OURS if unknown_in(un.game(name).deal(7).view()))
"""Those in which a player does not know all by the default rules: cards, or what a redeal will bring."""

un.load(ROOT / "examples" / "golf.py")


def every_game() -> list[un.Game[Any, Any]]:
    """Every game with its named variants and a few changed ones."""
    chosen = {} if IS_LONG else CHOSEN
    games = [un.game(name, variant) for name, all_ in un.games().items() for variant in chosen.get(name, all_)]
    games += [un.game(name, **fields) for name, changes in CHANGED.items() for fields in changes]
    return games


def native_games() -> list[un.Game[Any, Any]]:
    """The games that the native engine plays too, under the rules that it knows.

    None where the Python side is asked for: what is said of the engine itself need not be tried in both runs.
    """
    native = None if os.environ.get(engine.VARIABLE) == "python" else engine._native_module()
    return [] if native is None else [game for game in every_game() if knows(native, game)]


def native_module() -> ModuleType:
    """The engine's own module, also where the Python side serves."""
    module = engine._native_module()
    if module is None:
        pytest.fail("the native engine is not built; run `make build`")
    return module


deal_numbers = st.integers(0, LAST_SEED)

# A law that is run for every game and all its rules needs fewer examples of each.
for_each = settings(max_examples=settings().max_examples // 3)


def random_line(game: un.Game[Any, Any], seed: int, at_most: int = 25) -> Iterator[Any]:
    """The states along one line of random play."""
    return Case(game, seed, at_most).line()


def hold(law: Law, game: un.Game[Any, Any], seed: int) -> None:
    """Fail, with the position, if the law is broken on this deal."""
    case = Case(game, seed)
    try:
        law.check(case)
    except Exception as error:
        error.add_note(f"{game}@{seed}: {' '.join(move.token for move in case.moves)}\n{case.state}")
        raise


def worth(game: un.Game[Any, Any], state: Any) -> int:
    """The score without what moves have taken off it."""
    return int(game.uncharged(state).score)


def effort(game: un.Game[Any, Any], native: int, python: int) -> int:
    """How much to ask for: the first number where the engine serves this game, else the second."""
    return native if has_twin(game) else python


def tokens(moves: Any) -> list[str]:
    """The texts of moves."""
    return [move if isinstance(move, str) else move.token for move in moves]
