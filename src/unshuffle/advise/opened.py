"""What one would do who knew every card: the open solver's word beside the advice, only when it is asked for."""

from __future__ import annotations

from typing import Any

from unshuffle.errors import UsageError
from unshuffle.game import INFORMATION, AnyGame
from unshuffle.numbers import plural
from unshuffle.solve import Result, Status, solve


def opened(state: Any, seconds: float) -> Result:
    """The best that can be done from this state; refused where some card is hidden from the program too."""
    if hasattr(state, "sample"):  # a view: the position was typed as a player sees it
        raise UsageError("--open needs every card, and this position does not tell them all")
    return solve(state, seconds=seconds, maximize=True)


def open_lines(game: AnyGame, result: Result) -> list[str]:
    """The same in words."""
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
    """The same for another program."""
    return {
        "status": result.status.value,
        "score": result.score,
        "score_proved": result.score_proved,
        "moves": [move.token for move in result.moves],
    }
