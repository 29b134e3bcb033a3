"""Which move lost the game? Every position of a played line: still winnable, lost, or not decided.

Verdicts are those of one who knows every card (open information). Beside them, where cards are hidden or redeals are
chance, stands the chance to win by what the player saw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any

# What a review is made of is imported when one is asked for: starting must be quick.
if TYPE_CHECKING:
    from unshuffle.review.clock import Looking
    from unshuffle.review.report import Review

__all__ = ["SECONDS", "ReviewInterrupted", "review"]

SECONDS = 60.0
"""Time for a whole review, where none is said."""


class ReviewInterrupted(KeyboardInterrupt):
    """Ctrl-C during a review; `review` is what was known by then."""

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
    """Look back on a game: the state with which it began and the moves made, as values, tokens or text.

    `seconds` is for the whole review (None: no limit), `nodes` and `memory` for each search. `chances=False` leaves the
    curve of chances out, and then all the time is for verdicts; else they have half of it. `samples` says how many
    games are played on for each option of a chance, so that no clock decides what is told. `unseen=True` says that
    cards which nobody saw stand in the state in a made-up order, as in an export of `advise`: where the player could
    not know them, nothing is searched. When `cancel` is set, what is known by then is returned; Ctrl-C raises
    `ReviewInterrupted`, which holds it. IllegalMoveError where the rules forbid a move.
    """
    from unshuffle.errors import UsageError
    from unshuffle.hidden.playouts import check_samples
    from unshuffle.registry import game_of
    from unshuffle.review.chances import Curve
    from unshuffle.review.clock import Clock
    from unshuffle.review.ledger import Ledger
    from unshuffle.review.report import Review
    from unshuffle.review.searching import Searching
    from unshuffle.review.spans import split
    from unshuffle.solve import Limits, replay
    from unshuffle.solve.limits import parse_memory
    from unshuffle.views import refusal_of

    if hasattr(state, "sample"):
        raise UsageError(refusal_of(state))
    game = game_of(state)
    made = game.split_moves(moves) if isinstance(moves, str) else list(moves)
    if all(isinstance(move, str) for move in made):
        made = [move for move in game.read_line(made, state) if move is not None]
    line = replay(state, made)
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
            # What the chances did not take is for what is still open.
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
