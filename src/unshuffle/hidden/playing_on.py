"""Playouts from what a player sees, in any game, and a memory of tables that prevents playing in circles."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, Any

from unshuffle.game import Outcome
from unshuffle.hidden.playouts import Tally
from unshuffle.registry import game_of

if TYPE_CHECKING:
    from unshuffle.deals import SplitMix64
    from unshuffle.game import AnyGame
    from unshuffle.hidden.playing import Luck

PATIENCE = 30
"""A playout ends after this many moves in a row without a better score: where moves can be undone, some would never
end."""
TRIES = 3
"""Moves that are tried in each step of a playout. With more of them the policy `rollout` plays no better."""


class Memory:
    """The tables that a player has seen in one game. A player that returns to none of them never plays in circles."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._met: set[Hashable] = set()
        self.most: float = float("-inf")
        """The greatest score of these tables, without what moves cost."""

    def onward(self, view: Any, moves: Iterable[Any]) -> Iterator[Any]:
        """Remember this table, and yield the moves that lead to no table met before.

        A move that turns up a card, or a redeal, leads to a new table.
        """
        # So it does not matter which cards lie in the unseen places.
        table = fitting(view)
        self._met.add(self._key(view))
        self.most = max(self.most, self._score(table))
        for move in moves:
            if self._game.is_redeal(move):
                yield move
                continue
            after = table.play(move)
            if self._score(after) > self.most or self._key(after.view()) not in self._met:
                yield move

    def _key(self, view: Any) -> Hashable:
        key: Hashable = self._game.uncharged(getattr(view, "table", view))
        return key

    def _score(self, state: Any) -> int:
        score: int = self._game.uncharged(state).score
        return score


def fitting(view: Any) -> Any:
    """Return a state consistent with the view, always the same one: for results that depend on no hidden card."""
    if hasattr(view, "laid"):
        return view.laid(view.unseen)
    return view.table if hasattr(view, "table") else view.sample(Random(0))


@dataclass(slots=True)
class Work:
    """The cost of the playouts of one game so far."""

    moves: int = 0
    """Moves made in playouts."""
    comes_back: bool = False
    """Whether a playout returned to one of its own tables: in this game cards can go to and fro."""


def by_score(view: Any, moves: Iterable[Any], luck: Luck) -> list[Any]:
    """Return the moves sorted by the score after each in one sampled state, the greatest first."""
    table = view.sample(luck.rng)
    return sorted(moves, key=lambda move: -table.play(move).score)


def play_on(state: Any, luck: SplitMix64, patience: int = PATIENCE, work: Work | None = None) -> Any:
    """Return the end of a playout by a random player that tries a few moves and prefers one that scores.

    A move is drawn at random, and the next ones in move order, cyclically, are tried too. The first that raises the
    score is made; if none does, the drawn one is made. The playout ends after `patience` moves in a row that do not
    raise the score, and at a table that it has met before. `work` counts the moves.
    """
    work, game, idle = work or Work(), game_of(state), 0
    met = {game.uncharged(state)}
    while idle < patience and (moves := state.legal_moves()) and state.outcome is not Outcome.WON:
        first = luck.below(len(moves))
        drawn = state.play(moves[first])
        others = (state.play(moves[place % len(moves)]) for place in range(first + 1, first + min(TRIES, len(moves))))
        after = next((after for after in chain([drawn], others) if after.score > state.score), drawn)
        idle = 0 if after.score > state.score else idle + 1
        state = after
        work.moves += 1
        table = game.uncharged(state)
        if table in met:
            work.comes_back = True
            break
        met.add(table)
    return state


def weigh(
    view: Any,
    options: Sequence[Any],
    samples: int,
    luck: SplitMix64,
    rng: Random,
    patience: int = PATIENCE,
    work: Work | None = None,
) -> list[Tally]:
    """Sample states consistent with the view, play every option on in each, and return a tally per option."""
    tallies = [Tally(move) for move in options]
    for _ in range(samples):
        state = view.sample(rng)
        for tally in tallies:
            end = play_on(state.play(tally.move), luck, patience, work)
            tally.count(end.score, end.outcome is Outcome.WON)
    return tallies
