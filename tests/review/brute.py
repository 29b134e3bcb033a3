"""The plainest review there is: an exhaustive search of every position, by the generic search without hooks."""

from __future__ import annotations

from random import Random
from typing import Any

import unshuffle as un
from unshuffle.review.ledger import Verdict
from unshuffle.solve import Line, reference, replay
from unshuffle.solve.limits import Limits

Game = un.Game[Any, Any]
LIMITS = (un.Status.NODE_LIMIT, un.Status.TIME_LIMIT, un.Status.MEMORY_LIMIT, un.Status.CANCELLED)


def random_play(state: Any, seed: int, at_most: int = 30) -> Line:
    """A line of random play, and not longer than so many moves."""
    rng = Random(seed)
    moves: list[Any] = []
    now = state
    while len(moves) < at_most and (legal := now.legal_moves()):
        moves.append(rng.choice(legal))
        now = now.play(moves[-1])
    return replay(state, moves)


def verdict(game: Game, state: Any) -> Verdict:
    """What an exhaustive search says."""
    found = reference.search(
        game.phase(state),
        Limits(),
        maximize=False,
        most_score=game.most_score,
        charges_moves=game.charges_moves,
        uncharged=game.uncharged if game.charges_moves else None,
    )
    return Verdict.WINNABLE if found.status is un.Status.SOLVED else Verdict.LOST


def phases(game: Game, line: Line) -> list[list[int]]:
    """The numbers of the positions, in parts that redeals by chance end."""
    parts = [[0]]
    for number, move in enumerate(line.moves, 1):
        if game.is_redeal(move) and (game.solves_phases or move.token != "r"):
            parts.append([])
        parts[-1].append(number)
    return parts
