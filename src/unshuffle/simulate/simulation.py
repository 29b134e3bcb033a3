"""What many games of one policy came to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any

from unshuffle.errors import InternalError
from unshuffle.simulate.playing import REPLAYED_WINS, Deals, Played, check_score, play_game
from unshuffle.simulate.policy import Policy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Record:
    """One game of a simulation."""

    deal: str | None
    """The id of the deal; None for a typed one."""
    policy: str
    score: int
    won: bool
    _play_again: Callable[[], tuple[Any, ...]] = field(repr=False, compare=False)

    @cached_property
    def moves(self) -> tuple[Any, ...]:
        """The line of play. A mass run keeps no lines: the game is played again, and must end the same."""
        return self._play_again()


class Simulation:
    """Scores and wins of a policy, one per deal and in their order; `sim[i]` and iteration give a Record each."""

    def __init__(self, deals: Deals, policy: Policy, scores: bytes, won: bytes, replayed: int = 0) -> None:
        self._deals = deals
        self._policy = policy
        self._scores = scores
        self._won = won
        self.replayed = replayed
        """Games that the Python rules have played, or played again, in the making of this."""

    def __repr__(self) -> str:
        return f"<{len(self):,} games of {self.game} by {self.policy}: {self.wins:,} won, mean score {self.mean:.2f}>"

    @property
    def game(self) -> Any:
        """The game that was played."""
        return self._deals.game

    @property
    def policy(self) -> str:
        """The policy's canonical text."""
        return self._policy.name

    @property
    def information(self) -> str:
        """What the policy could see: 'hidden' is what a person sees."""
        return self._policy.information

    def __len__(self) -> int:
        return len(self._scores)

    @property
    def scores(self) -> NDArray[np.uint8]:
        """The score of every game."""
        import numpy as np

        return np.frombuffer(self._scores, dtype=np.uint8)

    @property
    def won(self) -> NDArray[np.bool_]:
        """Whether each game was won."""
        import numpy as np

        return np.frombuffer(self._won, dtype=np.bool_)

    @property
    def packed(self) -> tuple[bytes, bytes]:
        """Scores and wins, a byte each: what the arrays show."""
        return self._scores, self._won

    @property
    def wins(self) -> int:
        """How many games were won."""
        return self._won.count(1)

    @property
    def mean(self) -> float:
        """The mean score; nan without games."""
        return sum(self._scores) / len(self) if len(self) else float("nan")

    @property
    def score_counts(self) -> dict[int, int]:
        """How many games ended with each score."""
        return {score: self._scores.count(score) for score in sorted(set(self._scores))}

    def __getitem__(self, place: int) -> Record:
        place = index(place)
        if not -len(self) <= place < len(self):
            raise IndexError(f"game {place} of {len(self)}")
        place %= len(self)
        state = self._deals.state(place)
        score, won = self._scores[place], bool(self._won[place])
        return Record(state.id, self.policy, score, won, lambda: self._play_again(place, score, won))

    def __iter__(self) -> Iterator[Record]:
        return (self[place] for place in range(len(self)))

    def _play_again(self, place: int, score: int, won: bool) -> tuple[Any, ...]:
        state = self._deals.state(place)
        again = play_one(self._deals, self._policy, place)
        if (again.score, again.won) != (score, won):
            raise InternalError(
                f"{self.policy} played {state.id or 'a typed deal'} to score {score} and now to {again.score}",
                f"policy: {self.policy}\nplace: {place}\nrules: {state.rules!r}\nposition:\n{state}",
            )
        assert again.moves is not None
        return again.moves


def play_one(deals: Deals, policy: Policy, place: int) -> Played:
    """One game of a run, by the rules, with its line."""
    return play_game(policy, deals.state(place), deals.luck(place, policy.seed))


class SimulationInterrupted(KeyboardInterrupt):
    """Ctrl-C during a simulation; `simulation` is what was played so far."""

    def __init__(self, simulation: Simulation) -> None:
        super().__init__("interrupted")
        self.simulation = simulation


def run_policy(
    deals: Deals,
    policy: Policy,
    *,
    threads: int | None = None,
    replay_wins: int | None = REPLAYED_WINS,
    progress: Callable[[int], object] | None = None,
) -> Simulation:
    """Play every deal and keep its score and whether it was won."""
    scores, won = bytearray(), bytearray()
    replayed = 0
    try:
        # Closed here and at once, also where Ctrl-C strikes in this loop: the engine's threads end with it.
        with closing(policy.play_many(deals, threads=threads, keeps_moves=False, replay_wins=replay_wins)) as games:
            for played in games:
                won.append(played.won)
                replayed += played.replayed
                # The score last: its length is the number of games, also where Ctrl-C strikes between the two.
                scores.append(check_score(played.score, deals, len(scores)))
                if progress is not None:
                    progress(len(scores))
    except KeyboardInterrupt:
        done = Simulation(deals, policy, bytes(scores), bytes(won[: len(scores)]), min(replayed, len(scores)))
        raise SimulationInterrupted(done) from None
    return Simulation(deals, policy, bytes(scores), bytes(won), replayed)
