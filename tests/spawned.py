"""What another process makes of a game. Nothing here loads one: the process knows the game by what was sent."""

from __future__ import annotations

from typing import Any

import unshuffle as un


def deal_of(game: un.Game[Any, Any]) -> tuple[str, str, str]:
    """The class of the game, its variant and a deal."""
    return type(game).__name__, str(game), str(game.deal(3))
