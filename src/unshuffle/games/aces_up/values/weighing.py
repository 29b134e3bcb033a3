"""Training of the weights of Aces Up's player `weights`: a cross-entropy search.

In each round vectors of weights are sampled around the best ones of the round before. All play the same fresh decks,
and the best of them define where the next ones are sampled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any

from unshuffle import __version__, engine
from unshuffle.errors import UsageError
from unshuffle.games.aces_up import AcesUp
from unshuffle.games.aces_up.hidden.estimate import by_weights
from unshuffle.games.aces_up.hidden.features import FEATURES, Weights, format_weights
from unshuffle.games.aces_up.rules import MOST_SCORE
from unshuffle.rulebook import write_rules
from unshuffle.solve import cores, has_twin

GAMES = 2_000
ROUNDS = 200
SEED = 1
VECTORS = 60
KEPT = 10
BONUS = 40
"""The bonus for a win, beside the score."""

_MOST = 10_000_000
_FIRST_SPREAD = 1.0
_NOISE = 0.05
"""Added to the spread at first, and less in each round, so that the search does not converge too early."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """The settings of a training of weights."""

    games: int = GAMES
    """The number of decks in a round."""
    rounds: int = ROUNDS
    seed: int = SEED

    def __post_init__(self) -> None:
        for name, number in (("games for each vector", self.games), ("rounds", self.rounds)):
            if not 1 <= number <= _MOST:
                raise UsageError(f"{number:,} {name}: expected 1..{_MOST:,}")

    @property
    def command(self) -> str:
        """The one command that builds this again."""
        words = ["unshuffle values build aces-up --table weights"]
        words += [f"--games {self.games}"] if self.games != GAMES else []
        words += [f"--rounds {self.rounds}"] if self.rounds != ROUNDS else []
        words += [f"--seed {self.seed}"] if self.seed != SEED else []
        return " ".join(words)

    @property
    def provenance(self) -> dict[str, Any]:
        """Where the weights come from, as recorded in the file."""
        return {
            "command": self.command,
            "version": __version__,
            "seed": self.seed,
            "rounds": self.rounds,
            "decks": self.games,
            "method": f"cross-entropy search: {VECTORS} vectors a round, the best {KEPT} kept, fresh decks every round",
            "aim": f"mean of score + {BONUS} if won",
            "variant": "standard",
        }

    @property
    def steps(self) -> int:
        """The number of steps; each is a round."""
        return self.rounds

    def start(self) -> list[float]:
        """Return the means and then the spreads (standard deviations) with which vectors are sampled."""
        return [0.0] * len(FEATURES) + [_FIRST_SPREAD] * len(FEATURES)

    def go_on(self, numbers: list[float], steps: range, threads: int | None) -> list[float]:
        """Play these rounds."""
        for number in steps:
            numbers = self._after_round(numbers, number, threads)
        return numbers

    def text(self, numbers: list[float]) -> str:
        """Return the text of the file, with the means."""
        means = numbers[: len(FEATURES)]
        return format_weights(Weights(tuple(round(mean, 3) for mean in means)), self.provenance)

    def _after_round(self, numbers: list[float], number: int, threads: int | None) -> list[float]:
        # Each round has its own random stream, so that the work can be interrupted after any round.
        chance = Random(f"{self.seed} {number}")
        spots = list(zip(numbers[: len(FEATURES)], numbers[len(FEATURES) :], strict=True))
        vectors = [tuple(chance.gauss(mean, spread) for mean, spread in spots) for _ in range(VECTORS)]
        seeds = [chance.getrandbits(64) for _ in range(self.games)]
        aims = [_aim(Weights(vector), seeds, threads) for vector in vectors]
        best = sorted(range(VECTORS), key=lambda place: -aims[place])[:KEPT]
        columns = list(zip(*(vectors[place] for place in best), strict=True))
        means = [sum(column) / KEPT for column in columns]
        noise = _NOISE * (1 - number / self.rounds)
        spreads = [
            sqrt(sum((value - mean) ** 2 for value in column) / KEPT) + noise
            for column, mean in zip(columns, means, strict=True)
        ]
        return means + spreads


def _aim(weights: Weights, seeds: Sequence[int], threads: int | None) -> int:
    game, native = AcesUp(), engine.native()
    if native is not None and has_twin(game):
        [(scores, won, *_)] = native.simulate_many(
            game.engine_id,
            write_rules(game.rules),
            ["weights"],
            seeds=list(seeds),
            threads=threads or cores(),
            values=weights.packed,
        )
        aim: int = sum(scores) + BONUS * sum(won)
        return aim
    play_on = by_weights(weights)
    found = [play_on(game.deal(seed)).score for seed in seeds]
    return sum(found) + BONUS * sum(score >= MOST_SCORE for score in found)
