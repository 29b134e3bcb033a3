"""The adviser of every game that has none of its own, and its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from unshuffle.advise.seen import SeenAdviser
from unshuffle.game import INFORMATION
from unshuffle.hidden.playing_on import PATIENCE, fitting
from unshuffle.hidden.playouts import Plan
from unshuffle.numbers import plural
from unshuffle.registry import game_of
from unshuffle.solve import Line, replay
from unshuffle.views import unknown_in


class AnyAdviser(SeenAdviser):
    """The adviser by a search where nothing is unknown, else by playouts of every move from sampled states."""

    planner = "unshuffle.hidden.planning"
    words = __name__

    @property
    def rules_in_words(self) -> str:
        """The summary of the game, else its name."""
        return self.game.summary or self.game.name

    def foresee(self, view: Any, moves: Sequence[Any]) -> Line:
        """Return the plan as a line; it ends with the view where that cannot be played on."""
        if hasattr(view, "turned_by"):
            return super().foresee(view, moves)
        return replay(view.table, moves) if hasattr(view, "table") else Line((view,), tuple(moves))


WON = "The game is won."


def standing(view: Any) -> str:
    """Return the score and what is unknown."""
    state = fitting(view)
    game = game_of(state)
    score = f"Score {state.score} of {game.most_score} {game.score_counts}".rstrip()
    redeal = " A redeal is possible, but it is not evaluated: its order is unknown." * state.can_redeal
    return f"{score}; unknown: {unknown_in(view) or 'nothing'}.{redeal}"


def method(plan: Plan) -> Iterable[str]:
    """Yield how the moves were evaluated."""
    games = plural(plan.options[0].samples, "game")
    yield f"{games} for each move, from the same sampled states for all; played on at random, preferring"
    yield f"moves that score, until {PATIENCE} moves in a row have not raised the score ({INFORMATION['hidden']})."


def lost(plan: Plan) -> str:
    """Return what the line shown for a lost game maximizes."""
    return "what is shown scores the most that was found"


def is_safe(view: Any, move: Any) -> bool:
    """Return False: without a search no move is known to be safe."""
    return False


def reasons(view: Any, move: Any) -> Iterable[str]:
    """Return no reasons: the figures alone decide."""
    return ()
