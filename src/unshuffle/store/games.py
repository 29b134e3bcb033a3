"""The packed games of policies: for each game a score, a bit that tells a win, and perhaps a byte of tableau moves.

The scores of a chunk take one byte each if all are within 0..255, else two bytes each, signed and little-endian. The
length of the blob tells which.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from sqlite3 import Connection
from typing import NamedTuple

from unshuffle.errors import StoreError
from unshuffle.store.opened import Opened
from unshuffle.store.owner import Owner, now
from unshuffle.store.records import LAST_STORED_SEED, ChunkSummary, ClaimLostError, Run
from unshuffle.store.seals import DamageError, digest_games, seal
from unshuffle.store.strategies import Strategy

Counts = Mapping[str, tuple[int, int]]
"""For each rule how often it moved a card: in all games, and in the won ones."""

# The types in which scores are stored: the first one that holds all scores of a block is used.
_KINDS = ("<u1", "<i2")


@dataclass(frozen=True, slots=True)
class PolicyGames:
    """The games of a policy over consecutive seeds."""

    scores: Sequence[int]
    """Fastest as an array of two bytes each, or as bytes."""
    won: Sequence[int]
    """One number per game, 0 if it was lost; fastest as bytes."""
    tableau_moves: bytes | None = None
    """None if the game does not count them."""
    counts: Counts = field(default_factory=dict)
    replayed: int = 0
    """Lines that the Python rules replayed."""
    seconds: float = 0.0

    def __post_init__(self) -> None:
        count = len(self.scores)
        if not count or len(self.won) != count:
            raise ValueError(f"{count} scores and {len(self.won)} endings are not the results of the same games")
        if self.tableau_moves is not None and len(self.tableau_moves) != count:
            raise ValueError(f"{count} scores and {len(self.tableau_moves)} numbers of moves are not of the same games")


class PolicyChunk(NamedTuple):
    """Games with the run that they belong to, the first seed, and the engine that played them."""

    run: Run
    first: int
    games: PolicyGames
    engine: str

    @property
    def last(self) -> int:
        """The last seed."""
        return self.first + len(self.games.scores) - 1


class Games(NamedTuple):
    """Consecutive games of a policy."""

    first: int
    scores: array[int]
    won: bytes
    """1 if won, else 0."""
    tableau_moves: bytes | None


class GameTable(Opened):
    """The tables `block`, `win` and `rule_count`."""

    def finish_policy_chunks(self, chunks: Sequence[PolicyChunk], *, owner: str) -> list[PolicyChunk]:
        """Store the packed games of policies in one transaction, and return the chunks that were stored.

        Skips chunks that another process has taken over: its results count.
        """
        stored = []
        with self._writing() as db:
            for chunk in chunks:
                try:
                    self._claims.finish(chunk.run.id, chunk.first, chunk.last, owner)
                except ClaimLostError:
                    continue
                _insert(db, chunk)
                stored.append(chunk)
        return stored

    def claim_together(
        self, runs: Sequence[Run], owner: str, size: int, seeds: range
    ) -> tuple[int, int, list[Run]] | None:
        """Claim the same seeds for many runs in one transaction: the lowest seeds that are free in some of them.

        Returns the first seed, the last one and the runs that they were claimed for; None if no seeds are free.
        """
        with self._writing():
            free = {run.id: self._claims.find(run.id, size, seeds.start, seeds.stop - 1) for run in runs}
            found = [place for place in free.values() if place is not None]
            if not found:
                return None
            first = min(found)[0]
            last = min(end for begin, end in found if begin == first)
            taken = [run for run in runs if (place := free[run.id]) is not None and place[0] == first]
            for run in taken:
                self._claims.insert(run.id, first, last, owner)
            return first, last, taken

    @contextmanager
    def owner(self) -> Iterator[str]:
        """Yield the name of a new owner of claims. Its unfinished claims are released at the end, also on an error."""
        owner = Owner()
        try:
            yield owner.name
        finally:
            owner.close()
            with suppress(StoreError):  # claims of an owner that is closed are ignored anyway
                self.release(owner.name)

    def release(self, owner: str) -> None:
        """Release all seeds that this owner has claimed and not finished."""
        with self._writing() as db:
            runs = db.execute("SELECT DISTINCT run_id FROM chunk WHERE finished IS NULL AND owner = ?", (owner,))
            for (run_id,) in runs.fetchall():
                db.execute("DELETE FROM chunk WHERE run_id = ? AND finished IS NULL AND owner = ?", (run_id, owner))
                self._claims.look_again(run_id)

    def games(self, run: Run, first: int, last: int) -> Iterator[Games]:
        """Yield the stored games with the seeds first..last, block by block, in their order."""
        import numpy as np

        with self._reading_results(run, first=first, last=last) as db:
            for begin, count, scores, won, moves in db.execute(
                "SELECT first, count, scores, won, tableau_moves FROM block WHERE run_id = ? AND first <= ?"
                " AND first + count > ? ORDER BY first",
                (run.id, last, first),
            ):
                part = slice(max(0, first - begin), min(count, last - begin + 1))
                bits = np.frombuffer(won, dtype=np.uint8)
                flags = np.unpackbits(bits, count=count, bitorder="little").tobytes()
                found = _read_scores(scores, count)[part]
                yield Games(begin + part.start, found, flags[part], None if moves is None else moves[part])

    def wins(self, run: Run) -> list[tuple[int, int | None]]:
        """Return the seeds of the games that a policy won, each with its tableau moves."""
        with self._reading_results(run) as db:
            rows = db.execute("SELECT seed, tableau_moves FROM win WHERE run_id = ? ORDER BY seed", (run.id,))
            return rows.fetchall()

    def strategy(self, run: Run) -> Strategy:
        """Return the strategy of a policy run."""
        with self._reading() as db:
            row = db.execute(
                "SELECT policy, reduced, dialect FROM strategy JOIN run ON strategy_id = strategy.id WHERE run.id = ?",
                (run.id,),
            ).fetchone()
            return Strategy(*row)

    def rule_counts(self, run: Run, first: int = 0, last: int = LAST_STORED_SEED) -> dict[str, tuple[int, int]]:
        """Return how often each rule moved a card in the chunks within first..last: in all games, in the won ones."""
        with self._reading_results(run, first=first, last=last) as db:
            rows = db.execute(
                "SELECT rule, sum(moves), sum(won_moves) FROM rule_count JOIN block USING (run_id, first)"
                " WHERE run_id = ? AND first >= ? AND first <= ? AND first + count - 1 <= ? GROUP BY rule",
                (run.id, first, last, last),
            ).fetchall()
        return {rule: (moves, won_moves) for rule, moves, won_moves in rows}

    def cut_chunks(self, run: Run, first: int, last: int) -> list[range]:
        """Return the seeds of first..last in chunks that reach beyond this range, which `rule_counts` leaves out."""
        with self._reading_results(run, first=first, last=last) as db:
            rows = db.execute(
                "SELECT first, first + count - 1 FROM block WHERE run_id = ? AND first <= ? AND first + count > ?"
                " AND (first < ? OR first + count - 1 > ?) ORDER BY first",
                (run.id, last, first, first, last),
            ).fetchall()
        return [range(max(first, begin), min(last, end) + 1) for begin, end in rows]


def _write_scores(scores: Sequence[int]) -> tuple[bytes, dict[int, int]]:
    """Return the packed scores of a block, and how many games ended with each score."""
    import numpy as np

    numbers = np.frombuffer(scores, dtype=np.uint8) if isinstance(scores, bytes) else np.asarray(scores)
    least, greatest = int(numbers.min()), int(numbers.max())
    kind = next((kind for kind in _KINDS if np.iinfo(kind).min <= least and greatest <= np.iinfo(kind).max), None)
    if kind is None:
        raise ValueError(f"scores from {least} to {greatest} do not fit into two bytes")
    counts = np.bincount(numbers.astype(np.int64) - least).tolist()
    return numbers.astype(kind).tobytes(), {least + place: games for place, games in enumerate(counts) if games}


def _read_scores(packed: bytes, count: int) -> array[int]:
    """Return the scores of a block of `count` games."""
    import numpy as np

    if len(packed) not in (count, 2 * count):
        raise DamageError(f"a block of {count} games has {len(packed)} bytes of scores")
    numbers = np.frombuffer(packed, dtype=_KINDS[len(packed) // count - 1])
    return array("h", numbers.astype(np.int16).tobytes())


def _insert(db: Connection, chunk: PolicyChunk) -> None:
    import numpy as np

    run_id, first, games = chunk.run.id, chunk.first, chunk.games
    scores, moves, count = games.scores, games.tableau_moves, len(games.scores)
    packed, by_score = _write_scores(scores)
    won = np.frombuffer(games.won if isinstance(games.won, bytes) else bytes(map(bool, games.won)), dtype=np.uint8)
    places = np.flatnonzero(won).tolist()
    block = (first, count, packed, np.packbits(won, bitorder="little").tobytes(), moves)
    wins = [(first + i, int(scores[i]), None if moves is None else moves[i]) for i in places]
    counts = [(rule, *times) for rule, times in sorted(games.counts.items())]
    db.execute("INSERT INTO block VALUES (?, ?, ?, ?, ?, ?)", (run_id, *block))
    db.executemany("INSERT INTO win VALUES (?, ?, ?, ?)", [(run_id, *win) for win in wins])
    db.executemany("INSERT INTO rule_count VALUES (?, ?, ?, ?, ?)", [(run_id, first, *times) for times in counts])
    summary = ChunkSummary(won=len(places), lost=count - len(places), completed=count, seconds=games.seconds)
    digest = digest_games(block, wins, counts)
    add_up(db, chunk.run, first, summary, by_score, digest, chunk.engine, games.replayed)


def add_up(
    db: Connection,
    run: Run,
    first: int,
    summary: ChunkSummary,
    scores: Mapping[int, int],
    digest: int,
    engine: str,
    replayed: int,
) -> None:
    """Mark a chunk as finished and store its counts. Must be called within the transaction that stores its results."""
    from unshuffle import __version__

    nodes = (str(summary.nodes_sum), str(summary.nodes_squares)) if run.is_solver else (None, None)
    db.execute(
        "UPDATE chunk SET finished = ?, engine = ?, package_version = ?, replayed = ?, won = ?, lost = ?,"
        " undecided = ?, inferred = ?, completed = ?, nodes_sum = ?, nodes_squares = ?, nodes_max = ?, seconds = ?,"
        " digest = ? WHERE run_id = ? AND first = ?",
        (now(), engine, __version__, replayed, summary.won, summary.lost, summary.undecided, summary.inferred,
         summary.completed, *nodes, summary.nodes_max, summary.seconds, digest, run.id, first),
    )  # fmt: skip
    seal(db, "chunk", "run_id = ? AND first = ?", (run.id, first))
    db.executemany(
        "INSERT INTO score_count VALUES (?1, ?2, ?3, seal_of(?1, ?2, ?3)) ON CONFLICT (run_id, score)"
        " DO UPDATE SET deals = deals + excluded.deals, seal = seal_of(run_id, score, deals + excluded.deals)",
        [(run.id, score, deals) for score, deals in sorted(scores.items())],
    )
