"""What proves a result that took no search."""

from __future__ import annotations

from unshuffle.game import AnyGame, Outcome
from unshuffle.solve.result import Result, Status

_ANSWERS = (Status.SOLVED, Status.UNSOLVABLE, Status.UNKNOWN_REDEALS)


def why_no_search(game: AnyGame, result: Result) -> str:
    """Return what decided a result for which no position was expanded; '' if one was or a limit was hit."""
    stats = result.stats
    if stats.nodes or result.status not in _ANSWERS:
        return ""
    if result.state.outcome is Outcome.WON:
        return "it is won already"
    if result.status is Status.SOLVED:
        if stats.get("forced_moves", 0) and not stats.get("blocked", 0):
            return "the moves to the win need no choice"
        return "the win was met before any position had to be expanded"
    asked = game.phase(result.state)
    if not asked.legal_moves():
        return "no move is left"
    bound = game.of(asked).hooks().bound
    if bound is not None and not game.charges_moves and bound(asked) < game.most_score:
        return game.bound_words
    return "a test of the position, or of what moves without a choice lead to, rules every win out"
