"""Reviews: for every position of a played line, whether it is winnable, lost or undecided; and the move that lost.

Verdicts are with open information (all cards known). If cards are hidden or redeals are random, the review has also
the chance to win by what the player saw (hidden information).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any

# Imported only when a review is made, to keep the start quick.
if TYPE_CHECKING:
    from unshuffle.game import AnyGame
    from unshuffle.review.clock import Looking
    from unshuffle.review.report import Review
    from unshuffle.solve import Line

__all__ = ["SECONDS", "ReviewInterrupted", "review"]

SECONDS = 60.0
"""The default time limit of a review."""


class ReviewInterrupted(KeyboardInterrupt):
    """Raised for Ctrl-C during a review. `review` has the results so far."""

    def __init__(self, found: Review) -> None:
        super().__init__("interrupted")
        self.review = found


def review(
    state: Any,
    moves: str | Iterable[Any],
    *,
    seconds: float | None = SECONDS,
    nodes: int | None = None,
    memory: int | str = "1GiB",
    chances: bool = True,
    samples: int | None = None,
    unseen: bool = False,
    progress: Callable[[Looking], object] | None = None,
    cancel: Event | None = None,
) -> Review:
    """Return the review of a game that began with this state; `moves` are values, tokens or text.

    `seconds` limits the whole review (None: no limit), `nodes` and `memory` each search. Verdicts get half of the time,
    or all of it with `chances=False`, which leaves out the chances to win. `samples` is the number of playouts for each
    option of a chance; with it the chances do not depend on the clock. `unseen=True` means that the state has cards
    that nobody saw in an invented order, as in an export of `advise`: positions in which they are unknown are not
    searched. When `cancel` is set, the results so far are returned; Ctrl-C raises `ReviewInterrupted` with them. Raises
    IllegalMoveError for an illegal move.
    """
    from unshuffle.hidden.playouts import check_samples
    from unshuffle.review.chances import Curve
    from unshuffle.review.clock import Clock
    from unshuffle.review.ledger import Ledger
    from unshuffle.review.report import Review
    from unshuffle.review.searching import Searching
    from unshuffle.review.spans import split
    from unshuffle.solve import Limits
    from unshuffle.solve.limits import parse_memory

    game, line = _read(state, moves)
    limits = Limits(nodes, seconds, parse_memory(memory))
    if samples is not None:
        check_samples(samples)
    begun = monotonic()
    whole = Clock(seconds)
    ledgers = [Ledger(game, part, first, unseen=unseen) for first, part in split(game, line)]
    curve = Curve(game, ledgers, samples) if chances else None
    searching = Searching(ledgers, limits, progress, cancel)
    is_interrupted = False
    try:
        if curve is None or not curve.is_wanted:
            searching.run(whole)
        else:
            searching.run(Clock(seconds, 0.5))
            curve.run(Clock(whole.left), progress, cancel, searching.nodes)
            # The time that the chances left over is for undecided positions.
            searching.run(Clock(whole.left))
    except KeyboardInterrupt:
        is_interrupted = True
    found = Review.of(
        game,
        line,
        ledgers,
        curve,
        nodes=searching.nodes,
        searches=searching.searches,
        seconds=monotonic() - begun,
        is_cut=is_interrupted or (cancel is not None and cancel.is_set()),
    )
    if is_interrupted:
        raise ReviewInterrupted(found)
    return found


def _read(state: Any, moves: str | Iterable[Any]) -> tuple[AnyGame, Line]:
    """Return the game and the replayed line. Raise UsageError for a view instead of a state."""
    from unshuffle.errors import UsageError
    from unshuffle.registry import game_of
    from unshuffle.solve import replay
    from unshuffle.views import refusal_of

    if hasattr(state, "sample"):
        raise UsageError(refusal_of(state))
    game = game_of(state)
    made = game.split_moves(moves) if isinstance(moves, str) else list(moves)
    if all(isinstance(move, str) for move in made):
        made = [move for move in game.read_line(made, state) if move is not None]
    return game, replay(state, made)
