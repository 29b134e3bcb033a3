"""What should I do now, with what I can see? A person plays elsewhere, types what lies there, and is told a plan.

The flow, the save files and the prompts are the same for all games; each game supplies its part, an `Adviser`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from unshuffle.errors import UsageError
from unshuffle.game import AnyGame

if TYPE_CHECKING:
    from unshuffle.advise.adviser import Adviser
    from unshuffle.advise.gaps.ends import Ends

__all__ = ["adviser_of", "phase_ends"]

_ADVISERS = {
    "aces-up": "unshuffle.advise.aces_up.adviser:AcesUpAdviser",
    "agnes": "unshuffle.advise.agnes.adviser:AgnesAdviser",
    "belle-lucie": "unshuffle.advise.belle_lucie.adviser:BelleLucieAdviser",
    "gaps": "unshuffle.advise.gaps.adviser:GapsAdviser",
    "spider": "unshuffle.advise.spider.adviser:SpiderAdviser",
}


def adviser_of(game: AnyGame) -> Adviser:
    """The adviser for this game, by its rules."""
    if game.id not in _ADVISERS:
        raise UsageError(f"there is no adviser for {game.id}; there is one for {', '.join(_ADVISERS)}")
    module, _, name = _ADVISERS[game.id].partition(":")
    adviser: Adviser = getattr(import_module(module), name)(game)
    return adviser


def phase_ends(state: Any, **limits: Any) -> Ends:
    """What can be locked in this phase of Gaps, with a line to each end; limits are `seconds`, `nodes` and `memory`."""
    from unshuffle.advise.gaps import ends

    if getattr(state, "game_id", "") != "gaps":
        raise UsageError("phase_ends is for states of gaps")
    return ends.phase_ends(state, **limits)
