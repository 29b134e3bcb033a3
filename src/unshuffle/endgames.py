"""Late positions that can be searched exhaustively: tests compare searches with a plain one on them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from random import Random
from typing import Any

from unshuffle.game import AnyGame, Outcome

_MOST_POSITIONS = 120
_LONGEST = 200
"""The most moves of a game in which cards can go to and fro for ever."""
_TRIES = 4
"""The number of greedy games of which the best one is taken: positions that can still be won are rare."""


def is_soon_searched(
    start: Any,
    most: int = _MOST_POSITIONS,
    *,
    key: Callable[[Any], Hashable] | None = None,
    moves: Callable[[Any], Iterable[Any]] | None = None,
    stops_at_win: bool = True,
) -> bool:
    """Return whether a plain search from this state ends within `most` positions.

    `key` identifies positions, `moves` gives the moves to search; by default the whole state and all moves.
    """
    seen: set[Hashable] = set()
    to_see = [start]
    while to_see and len(seen) <= most:
        state = to_see.pop()
        if stops_at_win and state.outcome is Outcome.WON:
            return True
        position = state if key is None else key(state)
        if position not in seen:
            seen.add(position)
            to_see += [
                state.play(move) for move in reversed([*(state.legal_moves() if moves is None else moves(state))])
            ]
    return len(seen) <= most


def late_states(game: AnyGame, seed: int) -> Iterator[Any]:
    """Yield up to five positions near the ends of games played alternately at random and for the best score.

    Of each game it is the earliest position with a short search; none if even the last has none, as where the game was
    broken off with many moves left.
    """
    rng = Random(seed)
    for number in range(5):
        for_points = number % 2 == 1
        lines = [_play(game, rng, for_points=for_points) for _ in range(_TRIES if for_points else 1)]
        late = None
        for state in reversed(max(lines, key=lambda line: int(line[-1].score))):
            if not is_soon_searched(state, key=game.uncharged):
                break
            late = state
        if late is not None:
            yield game.with_id(late, None)


def _play(game: AnyGame, rng: Random, *, for_points: bool) -> list[Any]:
    """Return the states of a game, none of them twice."""
    line = [game.deal(rng.getrandbits(64))]
    met = {game.uncharged(line[0])}
    while len(line) <= _LONGEST and line[-1].outcome is None:
        after = [line[-1].play(move) for move in line[-1].legal_moves()]
        fresh = [state for state in after if game.uncharged(state) not in met]
        if not fresh:
            break
        best = max(state.score for state in fresh)
        line.append(rng.choice([state for state in fresh if state.score == best or not for_points]))
        met.add(game.uncharged(line[-1]))
    return line
