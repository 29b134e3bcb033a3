"""The result of the open solver, which knows every card; shown beside the advice only on request (`--open`)."""

from __future__ import annotations

from typing import Any

from unshuffle.errors import UsageError
from unshuffle.game import INFORMATION, AnyGame
from unshuffle.numbers import plural
from unshuffle.solve import Result, Status, solve


def opened(state: Any, seconds: float) -> Result:
    """Return the best result from this state. UsageError if the program too does not know some card."""
    if hasattr(state, "sample"):  # a view: the position was typed as a player sees it
        raise UsageError("--open needs every card, and this position does not tell them all")
    return solve(state, seconds=seconds, maximize=True)


def open_lines(game: AnyGame, result: Result) -> list[str]:
    """Return the result in words."""
    score = f"{result.score} of {game.most_score} {game.score_counts}".rstrip()
    if result.status is Status.SOLVED:
        found = f"it can be won, in {plural(len(result.moves), 'move')}"
    elif result.status is Status.UNSOLVABLE:
        found = f"it cannot be won (proved); {'at most' if result.score_proved else 'found'}: {score}"
    else:
        found = f"undecided ({result.status}); found: {score}"
    line = " ".join(move.token for move in result.moves)
    return [f"The open solver ({INFORMATION['open']}): {found}.", *([f"It would play: {line}"] if line else [])]


def open_values(result: Result) -> dict[str, Any]:
    """Return the result as JSON values."""
    return {
        "status": result.status.value,
        "score": result.score,
        "score_proved": result.score_proved,
        "moves": [move.token for move in result.moves],
    }
