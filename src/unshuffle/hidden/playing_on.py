"""Playing on from what is seen, in any game: a memory of tables, and playouts from samples of what is unknown."""

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
"""So many moves in a row without a better score end a playout: where moves can be undone, some would never end."""
TRIES = 3
"""Moves that are looked at in each step of a playout: with more of them the policy `rollout` plays no better."""


class Memory:
    """The tables that a player has seen in one game: who refuses to come back to one never plays in circles."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._met: set[Hashable] = set()
        self.most: float = float("-inf")
        """The greatest score of these tables, as if moves cost nothing."""

    def onward(self, view: Any, moves: Iterable[Any]) -> Iterator[Any]:
        """Remember this table, and yield the moves that lead to no table met before.

        A move that shows a card, or deals again, leads to a table that nobody has seen yet.
        """
        # So any cards may lie where nothing is seen.
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
    """Return a state that fits the view, always the same one: for what hangs on no hidden card."""
    if hasattr(view, "laid"):
        return view.laid(view.unseen)
    return view.table if hasattr(view, "table") else view.sample(Random(0))


@dataclass(slots=True)
class Work:
    """What the playouts of one game have cost so far."""

    moves: int = 0
    """Moves that were made in them."""
    comes_back: bool = False
    """Whether one of them came back to a table of its own: cards go to and fro in this game."""


def by_score(view: Any, moves: Iterable[Any], luck: Luck) -> list[Any]:
    """Sort moves by the score after each in one sample of what is unknown, the greatest first."""
    table = view.sample(luck.rng)
    return sorted(moves, key=lambda move: -table.play(move).score)


def play_on(state: Any, luck: SplitMix64, patience: int = PATIENCE, work: Work | None = None) -> Any:
    """Return the end of a playout by a player who moves by chance, and looks at some moves for one that scores.

    Chance draws a move, and the ones behind it in the order of moves, around, are looked at too. The first that raises
    the score is made; if none does, the one that was drawn. So many moves in a row that do not raise it are the end,
    and so is a table that comes again. `work` counts what is made.
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
    """Sample so many states that fit the view, and play every option on, each in the same states."""
    tallies = [Tally(move) for move in options]
    for _ in range(samples):
        state = view.sample(rng)
        for tally in tallies:
            end = play_on(state.play(tally.move), luck, patience, work)
            tally.count(end.score, end.outcome is Outcome.WON)
    return tallies
