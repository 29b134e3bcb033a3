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
    """A search decides where nothing is unknown; else every move is weighed by playouts from samples."""

    planner = "unshuffle.hidden.planning"
    words = __name__

    @property
    def rules_in_words(self) -> str:
        """The line that tells which game it is."""
        return self.game.summary or self.game.name

    def foresee(self, view: Any, moves: Sequence[Any]) -> Line:
        """The plan as a line; it ends with the view where that cannot be played on."""
        if hasattr(view, "turned_by"):
            return super().foresee(view, moves)
        return replay(view.table, moves) if hasattr(view, "table") else Line((view,), tuple(moves))


WON = "The game is won."


def standing(view: Any) -> str:
    """The score, and what nobody knows."""
    state = fitting(view)
    game = game_of(state)
    score = f"Score {state.score} of {game.most_score} {game.score_counts}".rstrip()
    redeal = " A redeal is possible, and is not weighed: what it brings nobody knows." * state.can_redeal
    return f"{score}; unknown: {unknown_in(view) or 'nothing'}.{redeal}"


def method(plan: Plan) -> Iterable[str]:
    """How the moves were weighed."""
    games = plural(plan.options[0].samples, "game")
    yield f"{games} for each move, from the same samples of what is unknown for all; played on by chance, with an"
    yield f"eye on the score, until {PATIENCE} moves in a row have not raised it ({INFORMATION['hidden']})."


def lost(plan: Plan) -> str:
    """What is shown of a game that cannot be won."""
    return "what is shown scores the most that was found"


def is_safe(view: Any, move: Any) -> bool:
    """Nothing is known of any move before it is weighed."""
    return False


def reasons(view: Any, move: Any) -> Iterable[str]:
    """None but the figures."""
    return ()
