"""La Belle Lucie's own players."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from typing import Any

from unshuffle import engine
from unshuffle.game import AnyGame
from unshuffle.rulebook import write_rules
from unshuffle.simulate.playing import Deals, Luck, Played, Player
from unshuffle.simulate.policy import Make, Policy, read_options
from unshuffle.solve import Status, check_found, cores, has_twin, solve, solve_many
from unshuffle.solve.limits import DEFAULT_MEMORY

# Deals handed to the engine at once: one call for many costs less than many calls for one.
_GULP = 1024
# Of the games whose lines nobody keeps, one in so many is replayed by the Python rules, wins apart.
_ONE_IN = 100


class MostCards(Policy):
    """The most cards that can go up in this deal, by the first line that is found; no thought of what comes after.

    All cards of a deal lie face up, so the player may search it: the line is the solver's, proved to be the best.
    """

    name = "greedy"

    def engine(self, game: AnyGame) -> str:
        """The side of the solver."""
        return "native" if has_twin(game) else "python"

    def player(self, luck: Luck) -> Player:
        """A player who works the deal out before touching a card."""
        line: deque[Any] | None = None

        def choose(view: Any, moves: tuple[Any, ...]) -> Any:
            nonlocal line
            if line is None:
                line = deque(solve(view.sample(luck.rng), maximize=True).moves)
            return line.popleft() if line else None

        return choose

    def play_many(
        self, deals: Deals, *, threads: int | None, keeps_moves: bool, replay_wins: int | None
    ) -> Generator[Played, None, None]:
        """The same lines from the engine's batches: without redeals nothing is hidden, one table fits each view."""
        game = deals.game
        native = engine.native()
        if native is None or not has_twin(game) or game.rules.redeals:
            yield from super().play_many(deals, threads=threads, keeps_moves=keeps_moves, replay_wins=replay_wins)
        elif keeps_moves:
            states = (deals.state(place) for place in range(len(deals)))
            for result in solve_many(states, threads=threads, maximize=True):
                yield Played(result.score, result.status is Status.SOLVED, result.moves)
        else:
            rules = write_rules(game.rules)
            batch = native.Batch(game.id, rules, threads=threads or cores(), memory=DEFAULT_MEMORY, maximize=True)
            yield from _play_batch(deals, batch, replay_wins)


def _play_batch(deals: Deals, batch: Any, replay_wins: int | None) -> Generator[Played, None, None]:
    seeds = deals.seeds
    submitted = wins = 0
    try:
        for place in range(len(deals)):
            # Topped up while half of them are still to come, so that no thread waits.
            while submitted < min(len(deals), place + _GULP // 2):
                part = range(submitted, min(len(deals), submitted + _GULP))
                if seeds is None:
                    batch.submit([deals.game.format(deals.state(other)) for other in part])
                else:
                    batch.submit_seeds(list(seeds[part.start : part.stop]))
                submitted = part.stop
            found = batch.next()
            won = found.status == Status.SOLVED
            replayed = replay_wins is None or (won and wins < replay_wins) or place % _ONE_IN == 0
            wins += won
            if replayed:
                check_found(deals.state(place), deals.game, found)
            yield Played(found.score, won, None, replayed)
    finally:
        batch.cancel()


def _make_greedy(game: AnyGame, text: str) -> Policy:
    read_options("greedy", text)
    return MostCards()


POLICIES: dict[str, Make] = {"greedy": _make_greedy}
