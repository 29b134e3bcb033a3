"""The values that a store holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import itemgetter, mul

from unshuffle.errors import StoreError

LAST_STORED_SEED = (1 << 63) - 1
"""The largest integer of SQLite."""

DECKS = "deck"
"""The generator of a run over stored decks. Its seeds are the ids of the decks, and may have gaps."""

SolverRow = tuple[int, str, int, bool, int, float, str | None, int | None]
"""seed, status, score, score_proved, nodes, seconds, moves, inferred_from.

`moves` are tokens, or None if they are not kept. `inferred_from` is the id of the run whose search decided the deal, or
None if this run's own search did. The score of an inferred loss is the best score that is known to be reachable.
"""

WON, LOST = "solved", "unsolvable"
LIMITS = ("node-limit", "time-limit", "memory-limit")
"""The statuses of undecided deals. A cancelled search has no result, so nothing is stored for it."""


class ClaimLostError(StoreError):
    """The seeds of a finished piece of work were taken over by another process, whose results count."""


@dataclass(frozen=True, slots=True)
class StudyInfo:
    """A study in a list of studies."""

    name: str
    created: str
    runs: int
    deals: int
    """Deals whose results are stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSpec:
    """The settings of one run of a study: game, method, deals, and limits per deal."""

    game: str
    variant: str
    rules: Mapping[str, str]
    method: str
    """'solver', or 'policy:' and its name."""
    information: str
    """'open': all cards known; 'hidden': what a player sees."""
    generator: str
    first_seed: int
    last_seed: int
    """Planned, both included."""
    nodes_limit: int | None = None
    seconds_limit: float | None = None
    memory_limit: int | None = None
    maximize: bool = False
    replay: str = "sample"
    keeps_moves: bool = False
    infers: bool = False
    """Whether verdicts may be inferred from other runs of the study, by the implications between games."""
    engine: str
    package_version: str

    @property
    def planned(self) -> int:
        """How many deals are planned."""
        return self.last_seed - self.first_seed + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(RunSpec):
    """A run as it is stored."""

    id: int
    study: str
    created: str

    @property
    def is_solver(self) -> bool:
        """True if a search decides the deals, False if a policy plays them."""
        return self.method == "solver"


@dataclass(frozen=True, slots=True)
class Planned:
    """One plan of a run: the deals that it was to have from some time on."""

    first_seed: int
    last_seed: int
    """Included."""
    finished: int
    """Deals that had results at that time."""
    whole: tuple[int, int] | None
    """First and last seed of the whole plan, if this is a share of one."""
    created: str | None
    """None if an older version planned it, which kept only the last plan of a run."""

    @property
    def seeds(self) -> tuple[int, int]:
        """The first and the last seed."""
        return self.first_seed, self.last_seed


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkSummary:
    """The counts of some deals."""

    won: int = 0
    lost: int = 0
    undecided: int = 0
    inferred: int = 0
    """Won and lost deals whose verdict comes from other runs, without a search."""
    completed: int = 0
    """Deals decided by a search; the node counts are over these."""
    nodes_sum: int = 0
    nodes_squares: int = 0
    nodes_max: int | None = None
    seconds: float = 0.0

    @property
    def n(self) -> int:
        """The number of deals."""
        return self.won + self.lost + self.undecided


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(ChunkSummary):
    """The counts of a run so far."""

    planned: int
    replayed: int = 0
    """Lines that the Python rules replayed before they were stored."""


def summarize(rows: Sequence[SolverRow]) -> tuple[ChunkSummary, Counter[int]]:
    """Return the counts of solver results, and how many decided deals have each proved score.

    A score that is not proved is only the best that the search has seen, so no count or mean may use it.
    """
    counts = Counter(map(itemgetter(1), rows))
    strange = counts.keys() - {WON, LOST, *LIMITS}
    if strange:
        raise ValueError(f"a deal with the status {sorted(strange)[0]!r} has no result to be stored")
    inferred = [row for row in rows if row[7] is not None]
    if any(row[1] in LIMITS for row in inferred):
        raise ValueError("what is inferred is decided; a limit is no verdict")
    searched = [row for row in rows if row[7] is None] if inferred else rows
    nodes: list[int] = list(map(itemgetter(4), searched))
    undecided = sum(counts[status] for status in LIMITS)
    if undecided:
        nodes = list(compress(nodes, [row[1] in (WON, LOST) for row in searched]))
    summary = ChunkSummary(
        won=counts[WON],
        lost=counts[LOST],
        undecided=undecided,
        inferred=len(inferred),
        completed=len(nodes),
        nodes_sum=sum(nodes),
        nodes_squares=sum(map(mul, nodes, nodes)),
        nodes_max=max(nodes, default=None),
        seconds=sum(map(itemgetter(5), rows)),
    )
    return summary, Counter(row[2] for row in rows if row[3] and row[1] in (WON, LOST))
