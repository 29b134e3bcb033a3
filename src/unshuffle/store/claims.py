"""Claims: pieces of work are claimed by a process, finished, or taken over if that process has ended."""

from __future__ import annotations

from sqlite3 import Connection

from unshuffle.errors import StoreError
from unshuffle.store.owner import is_abandoned, now
from unshuffle.store.records import ClaimLostError
from unshuffle.store.seals import seal


class Claims:
    """The rows of `chunk`, changed inside the transactions of the store."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._frontier: dict[tuple[int, int], int] = {}
        """For (run, first seed): no seed before this one was free at the last look."""

    def find(self, run_id: int, size: int, first: int, last: int) -> tuple[int, int] | None:
        """Return up to `size` seeds of first..last that are not finished or claimed by a living process, or None."""
        if size < 1:
            raise ValueError(f"size={size}: a piece of work has at least one seed")
        if self._db.execute("SELECT 1 FROM run WHERE id = ?", (run_id,)).fetchone() is None:
            raise StoreError("the study was deleted while it ran; what was not stored before that is gone")
        self._drop_abandoned(run_id)
        begin = self._frontier.get((run_id, first), first)
        free = self._find_free(run_id, begin, last, size)
        if free is None and begin > first:
            # Seeds that another process has released may lie before the frontier.
            free = self._find_free(run_id, first, last, size)
        if free is None:
            return None
        self._frontier[run_id, first] = free[0]
        return free

    def insert(self, run_id: int, first: int, last: int, owner: str) -> None:
        """Claim seeds that were found to be free."""
        self._db.execute(
            "INSERT INTO chunk (run_id, first, last, owner, claimed) VALUES (?, ?, ?, ?, ?)",
            (run_id, first, last, owner, now()),
        )
        self._seal(run_id, first)

    def _seal(self, run_id: int, first: int) -> None:
        seal(self._db, "chunk", "run_id = ? AND first = ?", (run_id, first))

    def look_again(self, run_id: int) -> None:
        """Forget the frontier of a run, after some of its seeds were released."""
        self._frontier = {key: at for key, at in self._frontier.items() if key[0] != run_id}

    def _drop_abandoned(self, run_id: int) -> None:
        rows = self._db.execute(
            "SELECT owner, max(claimed) FROM chunk WHERE run_id = ? AND finished IS NULL GROUP BY owner", (run_id,)
        ).fetchall()
        for owner, claimed in rows:
            if is_abandoned(owner, claimed):
                self._db.execute(
                    "DELETE FROM chunk WHERE run_id = ? AND finished IS NULL AND owner IS ?", (run_id, owner)
                )

    def _find_free(self, run_id: int, first: int, last: int, size: int) -> tuple[int, int] | None:
        before = self._db.execute(
            "SELECT last FROM chunk WHERE run_id = ? AND first <= ? ORDER BY first DESC LIMIT 1", (run_id, first)
        ).fetchone()
        at = first if before is None else max(first, before[0] + 1)
        if at > last:  # the number after LAST_STORED_SEED does not fit into SQLite
            return None
        for begin, end in self._db.execute(
            "SELECT first, last FROM chunk WHERE run_id = ? AND first BETWEEN ? AND ? ORDER BY first",
            (run_id, at, last),
        ):
            if begin > at:
                return at, min(begin - 1, at + size - 1)
            at = end + 1
        return (at, min(last, at + size - 1)) if at <= last else None

    def finish(self, run_id: int, first: int, last: int, owner: str) -> None:
        """Make first..last a chunk of its own that can be finished. The rest of its claim stays claimed.

        Unclaimed seeds may be finished too. Raises ClaimLostError if another process has taken the seeds over.
        """
        row = self._db.execute(
            "SELECT last, owner, claimed, finished FROM chunk WHERE run_id = ? AND first = ?", (run_id, first)
        ).fetchone()
        if row is None:
            overlapping = self._db.execute(
                "SELECT 1 FROM chunk WHERE run_id = ? AND first <= ? AND last >= ? LIMIT 1", (run_id, last, first)
            ).fetchone()
            if overlapping is not None:
                raise ClaimLostError(f"the seeds {first}..{last} were taken over by another process")
            if self._db.execute("SELECT 1 FROM run WHERE id = ?", (run_id,)).fetchone() is None:
                raise StoreError("the study was deleted while it ran; what was not stored before that is gone")
            self.insert(run_id, first, last, owner)
            return
        end, present, claimed, finished = row
        if finished is not None or present != owner or end < last:
            raise ClaimLostError(f"the seeds {first}..{last} were taken over by another process")
        if end > last:
            self._db.execute("UPDATE chunk SET last = ? WHERE run_id = ? AND first = ?", (last, run_id, first))
            self._seal(run_id, first)
            self._db.execute(
                "INSERT INTO chunk (run_id, first, last, owner, claimed) VALUES (?, ?, ?, ?, ?)",
                (run_id, last + 1, end, owner, claimed),
            )
            self._seal(run_id, last + 1)
