"""The native engine: searches and deals, packed into bits.

`rules` maps the fields of a game's rules to text: numbers as digits, `yes` or `no`, words as they are. A missing
field has its default. `position` is the layout text that the game writes. Invalid text, a game or rules that the
engine does not know, and illegal moves raise ValueError; a number out of range raises OverflowError. A fault of the
engine itself raises a RuntimeError that asks for a report.
"""

from collections.abc import Callable
from typing import Any, Self, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Batch",
    "Found",
    "Games",
    "Tables",
    "_panic_for_tests",
    "deal",
    "games",
    "legal_moves",
    "perft",
    "phase_ends",
    "plan",
    "play",
    "playouts",
    "sample_phases",
    "sample_values",
    "shorten",
    "shuffle",
    "simulate_many",
    "solve",
    "supports",
    "train",
    "version",
    "weigh",
]

def version() -> str:
    """Return the version of the engine."""

def games() -> list[str]:
    """Return the ids of the games that the engine knows."""

def supports(game: str, rules: dict[str, str]) -> bool:
    """Return whether the engine knows the game under these rules; an unknown field or value raises ValueError."""

def shuffle(seed: int, number: int, size: int) -> list[int]:
    """Return deck `number` (1, 2, ...) of a deal number, as indices into the ordered deck; the first is dealt first."""

def deal(game: str, rules: dict[str, str], seed: int, number: int = 1) -> str:
    """Return the layout text of the game dealt from deck `number` of a deal number."""

def legal_moves(game: str, rules: dict[str, str], position: str) -> list[str]:
    """Return the tokens of all legal moves, in the order of the rules."""

def play(game: str, rules: dict[str, str], position: str, moves: list[str]) -> tuple[str, str | None, int]:
    """Return the layout text after the moves, its outcome (`won`, `stuck` or None) and its score."""

def perft(game: str, rules: dict[str, str], position: str, depth: int) -> int:
    """Count the move sequences of exactly this length."""

def solve(
    game: str,
    rules: dict[str, str],
    position: str,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    memory: int = 1_073_741_824,
    maximize: bool = False,
    prune: bool = True,
    watch: Callable[[int, float, int, int], bool] | None = None,
    trace: Callable[[str], object] | None = None,
) -> Found:
    """Search from a position: for a win, or with `maximize` for the proved best score.

    At most `nodes` positions are expanded, for about `seconds`, in `memory` bytes. `prune=False` switches pruning off,
    for comparison. Every 50 ms `watch(nodes, seconds, best score, bound)` is called; if it returns True the search
    stops as `cancelled`; its exceptions are raised here. Ctrl-C stops the search and is consumed: see
    `Found.interrupted`. With `trace` the general search of the game is used, and `trace` is called with text: a line of
    JSON for every position that the search visits, many whole lines at a time.
    """

def shorten(game: str, rules: dict[str, str], position: str, moves: list[str], *, seconds: float = 0.0) -> list[str]:
    """Return moves from the position to the same outcome as these, with no lower score and no more moves.

    In games without such a pass in the engine they are the same moves. In Spider it is a search of its own of at most
    about `seconds`. Ctrl-C is raised.
    """

@final
class Found:
    """The result of a search."""

    @property
    def status(self) -> str:
        """One of `solved unsolvable node-limit time-limit memory-limit cancelled`; only the first two are verdicts."""

    @property
    def moves(self) -> list[str]:
        """The tokens of the best line found, which ends with `score`."""

    @property
    def score(self) -> int:
        """The best score found."""

    @property
    def score_proved(self) -> bool:
        """Whether no line ends with a higher score."""

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C stopped the search; the KeyboardInterrupt has been consumed."""

    @property
    def row(self) -> tuple[str, int, bool, int, float]:
        """Status, score, score_proved, nodes and seconds in one call, for mass runs."""

    @property
    def stats(self) -> dict[str, int | float]:
        """The statistics of the search.

        They are: nodes seconds max_depth forced_moves dead_ends blocked table_entries table_bytes table_hits evictions;
        then the moves made, by kind, in games that count them.
        """

@final
class Batch:
    """Many searches over a pool of threads, with results in the order of submission.

    The limits apply to each search: `threads` of them may use `memory` bytes each at one time.
    """

    def __new__(
        cls,
        game: str,
        rules: dict[str, str],
        *,
        threads: int,
        nodes: int | None = None,
        seconds: float | None = None,
        memory: int = 1_073_741_824,
        maximize: bool = False,
        prune: bool = True,
    ) -> Self: ...
    def submit(self, positions: list[str]) -> None:
        """Add searches from these positions. An error in one of them is raised by `next` in its turn."""

    def submit_seeds(self, seeds: list[int]) -> None:
        """Add searches from deck 1 of these deal numbers."""

    def next(self) -> Found | None:
        """Wait for the next result; None if nothing is outstanding. Ctrl-C cancels the batch and is raised."""

    def cancel(self) -> None:
        """End all searches soon, also those not yet begun; their status is `cancelled`."""

@final
class Games:
    """Many games by one policy over a pool of threads, with results in the order of submission.

    Every game has the policy `random`.
    """

    def __new__(
        cls, game: str, rules: dict[str, str], *, policy: str, threads: int, values: bytes | None = None
    ) -> Self: ...
    def submit(self, positions: list[str], lucks: list[int] | None = None) -> None:
        """Add games from these positions, whose redeals are known. An error in one is raised by `next` in its turn.

        `lucks` are the seeds of each game's random stream (SplitMix64), for random policies; default 0.
        """

    def submit_seeds(self, seeds: list[int], lucks: list[int] | None = None) -> None:
        """Add the deals of these numbers; `lucks` as in `submit`."""

    def next(self) -> tuple[int, bool, list[str]] | None:
        """Wait for the next game: score, whether it was won, moves. None if nothing is outstanding."""

    def cancel(self) -> None:
        """End all games soon, also those not yet begun: `next` then raises a ValueError."""

def simulate_many(
    game: str,
    rules: dict[str, str],
    policies: list[str],
    *,
    seeds: list[int] | None = None,
    positions: list[str] | None = None,
    lucks: list[int] | None = None,
    threads: int,
    values: bytes | None = None,
) -> list[tuple[bytes, bytes, bytes | None, dict[str, tuple[int, int]], list[list[str]] | None]]:
    """Play whole games from deals or from positions by each of these policies.

    For every policy, its scores: two bytes per game, signed, the lower byte first. Then a byte per game: 1 if it was
    won, else 0. Then how many cards were moved on the table, None in games that do not count it. Then the game's
    counters by name, in all games and in those that were won: in Aces Up, how often each rule of a list moved. Last,
    the moves of each game, where they cost little compared with the play (Gaps); else None.

    `lucks` are the seeds of the games' random streams (SplitMix64), for random policies; default 0. `values` are those
    of all policies that need any. The results do not depend on `threads`. An error in one start is raised for the whole
    call; Ctrl-C is raised.
    """

def plan(
    game: str, rules: dict[str, str], position: str, values: bytes, *, alternatives: bool = True
) -> dict[str, Any]:
    """Plan the deal on the table, given the values of what a redeal leaves in place.

    `moves heights mercis value` of the best stop, `won redeal complete nodes seconds`, and the same four of
    `most_cards` and, with `alternatives`, of `next_best`.
    """

def phase_ends(
    game: str,
    rules: dict[str, str],
    position: str,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int = 100_000_000,
    threads: int = 1,
    without: list[str] | None = None,
    maximize: bool = False,
    ends: bool = True,
    watch: Callable[[int, float, int, int], bool] | None = None,
) -> dict[str, Any]:
    """Search the play between two deals of Gaps: for a win, and if there is none for every way in which it may end.

    `status moves score score_proved bound stats` are those of `solve`; no line has a score above `bound`. `ends` is a
    list of pairs, most locked cards first: the locked runs as four pairs of suit (or "") and length, and the shortest
    line to them that was found. It holds the ends that were met, and all there are if `complete`. Limits are those of
    the whole call. `without` switches techniques off: closure alone bound history ordering facts learned widening hops
    table. With `maximize` the best score is proved, and with `ends=False` nothing more is done. `watch` and Ctrl-C are
    as in `solve`; the latter sets `interrupted`.
    """

def sample_phases(
    game: str,
    rules: dict[str, str],
    shape: list[int],
    *,
    seed: int | None,
    first: int,
    count: int,
    nodes: int,
    memory: int = 64_000_000,
) -> list[tuple[str, list[int]]]:
    """Deal random phases of Gaps, with runs of these four lengths kept, and search each as a player does.

    For each of the samples `first`, `first + 1`, ...: the status of its search, and the shapes that it met as ends, by
    their index. A shape is the lengths longest first, and the shapes are in lexicographic order from 0/0/0/0 (0) to
    12/12/12/12 (1819). A sample follows from seed, shape and its number alone. `nodes` is the limit of a player for a
    phase. With early redeals the shapes of all positions that were met count. Ctrl-C is raised. With seed=None nothing
    is random: the numbers enumerate all boards that a redeal can bring, and a status is "unsolvable" only if all ends
    of the phase were found.
    """

def sample_values(
    game: str,
    rules: dict[str, str],
    *,
    redeals_left: int,
    mercis: int,
    states: list[int],
    samples: int,
    seed: int,
    threads: int,
    values: bytes | None = None,
) -> list[tuple[float, float, int]]:
    """Value states by random deals: sum, sum of squares and number of samples; the number 0 marks an exact value."""

def playouts(
    game: str, rules: dict[str, str], position: str, moves: list[str], *, samples: int, luck: int, threads: int
) -> tuple[list[tuple[int, int, int, int]], int]:
    """Evaluate moves by `samples` playouts each, with the unseen cards sampled.

    Returns games, wins, sum of scores and greatest score of each move; then the state of the random stream
    (SplitMix64), which begins with `luck`. The hidden cards of the position have no effect.
    """

def weigh(
    game: str,
    rules: dict[str, str],
    position: str,
    *,
    samples: int,
    luck: int,
    seconds: float | None = None,
    values: bytes | None = None,
) -> dict[str, Any]:
    """Evaluate plans up to the next revealed card by playouts on so many determinizations (Spider).

    `plans` is a list, the best first, each with its `moves`, its mean `chance` of winning over so many `samples`, and
    its `cost`; empty if no card can be turned and no row dealt. `won`: the first of them wins the game. `open`: no card
    is hidden, and nothing was evaluated. `samples playouts seconds` are those of the whole call. `luck` is the seed of
    the random stream (SplitMix64), `values` are those of the policy `search`; without them playouts go on to the end.
    After `seconds` no further sample is begun. The hidden cards of the position have no effect. Ctrl-C is raised.
    """

def train(
    game: str,
    rules: dict[str, str],
    *,
    seed: int,
    first: int,
    last: int,
    of: int,
    numbers: bytes | None = None,
) -> bytes:
    """Continue training the weights of a value function by self-play, with the games from `first` up to `last` of `of`.

    `numbers` are the weights as little-endian floats of 8 bytes, as returned; None: begin anew. Ctrl-C is raised.
    """

def _panic_for_tests() -> None:
    """Panic inside the engine, to test the RuntimeError that it becomes."""

@final
class Tables:
    """Many tables of one game, stepped together as environments.

    Numbers pass through the caller's arrays, in C order. Until the first deal, a table has deal 0.
    """

    def __new__(
        cls,
        game: str,
        rules: dict[str, str],
        *,
        count: int,
        threads: int = 1,
        reward: str = "delta",
        gamma: float = 0.99,
        when_invalid: str = "noop",
        limit: int | None = None,
    ) -> Self:
        """`reward` is delta, shaped or win, `when_invalid` noop or terminate; `limit` steps truncate an episode."""

    def deal(self, places: list[int], seeds: list[int]) -> None:
        """Deal new games on these tables, each from its deal number."""

    def lay(self, place: int, position: str) -> None:
        """Lay out a position; one that no observation can hold raises ValueError."""

    def text(self, place: int) -> str:
        """Return the layout text of a table."""

    def first_illegal(self, actions: NDArray[np.int64], skip: NDArray[np.uint8] | None = None) -> int | None:
        """Return the first table where the action is not legal, of those that are not skipped."""

    def step(self, actions: NDArray[np.int64], skip: NDArray[np.uint8] | None = None) -> None:
        """Step all tables but those with a 1 in `skip`, with the GIL released."""

    def step_one(
        self, action: int, observation: NDArray[np.uint8], mask: NDArray[np.int8]
    ) -> tuple[float, int, int, int, bool, bool, bool]:
        """Step the only table, and read it."""

    def read_one(
        self, place: int, observation: NDArray[np.uint8], mask: NDArray[np.int8]
    ) -> tuple[float, int, int, int, bool, bool, bool]:
        """Write observation and mask; return reward, moves, score, completed, terminated, won, invalid."""

    def read(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.int8],
        rewards: NDArray[np.float64],
        numbers: NDArray[np.int64],
        flags: NDArray[np.uint8],
        places: list[int] | None = None,
    ) -> None:
        """Write the values of all tables, or of some, a row for each; numbers and flags have a column for each.

        The numbers are moves, score, completed; the flags terminated, truncated, won, invalid.
        """

    def seed(self, seed: int) -> None:
        """Seed the stream from which `sample` draws."""

    def sample(self, actions: NDArray[np.int64]) -> None:
        """Write a uniformly random legal action for every table; 0 where there is none."""

    def save(self) -> tuple[int, list[tuple[str, int, int, float, tuple[bool, bool, bool]]]]:
        """Return the stream's state, and each table's text, steps, moves, reward and terminated, truncated, invalid."""

    def restore(self, saved: tuple[int, list[tuple[str, int, int, float, tuple[bool, bool, bool]]]]) -> None:
        """Restore the saved state of as many tables."""
