"""Two policies of every game: `rollout` plays every move out from sampled states, `guess` solves sampled states."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from typing import Any

from unshuffle.errors import UsageError
from unshuffle.game import AnyGame
from unshuffle.hidden.playing import Luck, Player
from unshuffle.hidden.playing_on import PATIENCE, Memory, Work, by_score, fitting, weigh
from unshuffle.hidden.policy import Policy, hides, read_counted, read_options
from unshuffle.solve import Status, has_twin, solve
from unshuffle.views import unknown_in

_MOST = 1_000_000
_SAMPLES = 5
_NODES = 1_000
_WORK = 2_000
"""Playout moves for each sample. Where one takes a millisecond a game by `rollout:2` takes some seconds."""


class Rollout(Policy):
    """A policy that plays each move out from K sampled states, the same for all: most wins, then best scores.

    It returns to no table, and stops after `moves` moves in a row without a new greatest score; a playout ends after as
    many. Where cards can go to and fro a game may take very long: once the playouts have made `work` moves for each of
    the K samples, it plays on as `greedy` does.
    """

    keeps_lines = True

    def __init__(
        self, game: AnyGame, samples: int = _SAMPLES, moves: int = PATIENCE, seed: int = 0, work: int = _WORK
    ) -> None:
        if moves < 1:
            raise UsageError("a policy that plays on needs moves=1 or more")
        self.game, self.samples, self.moves, self.seed, self.work = game, samples, moves, seed, work
        self.name = _name("rollout", samples, moves=(moves, PATIENCE), work=(work, _WORK), seed=(seed, 0))

    def player(self, luck: Luck) -> Player:
        """Return a player that remembers the tables of its game."""
        memory, work, idle = Memory(self.game), Work(), 0

        def choose(view: Any, moves: tuple[Any, ...]) -> Any:
            nonlocal idle
            before = memory.most
            options = list(memory.onward(view, moves))
            idle = 0 if memory.most > before else idle + 1
            if not options or idle >= self.moves:
                return None
            if work.comes_back and work.moves >= self.samples * self.work:
                return by_score(view, options, luck)[0]
            return options[0] if len(options) == 1 else self.best(view, options, luck, work)

        return choose

    def best(self, view: Any, options: Sequence[Any], luck: Luck, work: Work) -> Any:
        """Return the option with the most wins, then the greatest sum of scores, then the first in move order."""
        tallies = weigh(view, options, self.samples, luck, luck.rng, self.moves, work)
        return max(tallies, key=lambda tally: (tally.wins, tally.score)).move


class Guess(Rollout):
    """A policy that solves N sampled states, each within a node limit, and plays the most common first move.

    Where none is solved it plays as `rollout` does. Once nothing is unknown it plays a solution to its end.
    """

    def __init__(
        self, game: AnyGame, samples: int = _SAMPLES, nodes: int = _NODES, moves: int = PATIENCE, seed: int = 0
    ) -> None:
        if nodes < 1:
            raise UsageError("the policy 'guess' needs nodes=1 or more")
        super().__init__(game, samples, moves, seed)
        self.nodes = nodes
        self.name = _name("guess", samples, nodes=(nodes, _NODES), moves=(moves, PATIENCE), seed=(seed, 0))

    def engine(self, game: AnyGame) -> str:
        """Return which side solves: the two may find different solutions."""
        return "native" if has_twin(game) else "python"

    def check(self, game: AnyGame) -> None:
        """Raise UsageError for a game in which nothing is unknown."""
        if not hides(game):
            raise UsageError(f"nothing is unknown in {game}, so there is nothing to guess; `solve` works it out")

    def player(self, luck: Luck) -> Player:
        """Return a player that remembers the rest of a solution."""
        line: deque[Any] = deque()
        guess = super().player(luck)

        def choose(view: Any, moves: tuple[Any, ...]) -> Any:
            if not line and not unknown_in(view):
                line.extend(self._solution(fitting(view)))
            return line.popleft() if line else guess(view, moves)

        return choose

    def best(self, view: Any, options: Sequence[Any], luck: Luck, work: Work) -> Any:
        """Return the option with which most solutions begin."""
        samples = (view.sample(luck.rng) for _ in range(self.samples))
        begun = Counter(line[0] for line in map(self._solution, samples) if line)
        chosen = max(options, key=lambda move: begun[move])
        return chosen if begun[chosen] else super().best(view, options, luck, work)

    def _solution(self, state: Any) -> tuple[Any, ...]:
        found = solve(state, nodes=self.nodes)
        return found.moves if found.status is Status.SOLVED else ()


def _name(policy: str, count: int, **options: tuple[int, int]) -> str:
    """Return the text of a policy, without the options that have their default."""
    changed = (f"{name}={value}" for name, (value, usual) in options.items() if value != usual)
    return ";".join([f"{policy}:{count}", *changed])


def make_rollout(game: AnyGame, text: str) -> Policy:
    """Make the policy of `K`, or `K;moves=50;work=9000;seed=3`; the number may be left out."""
    samples, rest = read_counted("rollout", text, "the number of samples", _SAMPLES, _MOST)
    options = read_options("rollout", rest, moves=PATIENCE, work=_WORK, seed=0)
    return Rollout(game, samples, **options)


def make_guess(game: AnyGame, text: str) -> Policy:
    """Make the policy of `N`, or `N;nodes=5000;seed=3`; the number may be left out."""
    samples, rest = read_counted("guess", text, "the number of samples", _SAMPLES, _MOST)
    return Guess(game, samples, **read_options("guess", rest, nodes=_NODES, moves=PATIENCE, seed=0))
