"""One run of a plan on one store: what is claimed, what is stored, and how far it has come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Event
from time import monotonic, sleep

from unshuffle.solve import Status
from unshuffle.store import ClaimLostError, PolicyChunk, PolicyGames, Run, SolverRow, Store
from unshuffle.study.inference import Inference
from unshuffle.study.plan import Part
from unshuffle.study.standing import Progress, Standing

REPLAYED_WINS = 1_000
"""With `replay='sample'` the lines of so many wins of a run are replayed, and of every hundredth deal besides."""

SHOW_SECONDS = 0.1
_POLL_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Piece:
    """Seeds that are ours to play, and the results of those among them that need no search."""

    first: int
    last: int
    known: Mapping[int, SolverRow]
    searched: Sequence[int]
    """The other seeds; where nothing is known a range, which is short to send."""

    def __len__(self) -> int:
        """All of its deals."""
        return self.last - self.first + 1


class Ledger:
    """The claims and the results of one run. It is the only one that writes them, wherever they are played."""

    def __init__(
        self,
        store: Store,
        owner: str,
        part: Part,
        run: Run,
        progress: Progress | None = None,
        cancel: Event | None = None,
    ) -> None:
        self.part = part
        self.run = run
        self.workers: int | None = None
        """How many processes of a cluster are at work; None: no cluster."""
        self._store = store
        self._progress = progress
        self._cancel = cancel
        self._owner = owner
        self._begun = self._shown = monotonic()
        self._played = 0
        self._at_start = store.summary(run)
        self._inference = Inference(store, part, run)
        # The wins of this run whose lines have been replayed, as far as anyone can know; inferred ones have none here.
        self._wins = max(0, self._at_start.won - self._at_start.inferred)
        self._done_before = store.count_done(run, part.seeds)
        self._counts = {"won": 0, "lost": 0, "undecided": 0}

    @property
    def wins_to_replay(self) -> int:
        """How many of the next wins are to be replayed, by what is stored at this moment."""
        return max(0, REPLAYED_WINS - self._wins)

    # Seeds.

    def take(self, size: int) -> Piece | None:
        """The next deals to be played, up to so many, and what is known of them; None if there are none."""
        claim = self._store.claim(self.run, self._owner, size, self.part.seeds)
        if claim is None:
            return None
        first, last = claim
        seeds = range(first, last + 1)
        known = self._inference.look_up(first, last)
        return Piece(first, last, known, [seed for seed in seeds if seed not in known] if known else seeds)

    def wait_for_others(self) -> bool:
        """Wait while other processes hold what is left; True if some of it has come back to be played here."""
        seeds = self.part.seeds
        # Nothing is under way here: what we still hold is the rest of a claim that others broke into.
        self._store.release(self._owner)
        while missing := len(seeds) - self._store.count_done(self.run, seeds):
            if self._store.claim(self.run, self._owner, 1, seeds) is not None:
                self._store.release(self._owner)
                return True
            self.show(waiting=missing, at_once=True)
            self.check_cancel()
            sleep(_POLL_SECONDS)
        return False

    # Results.

    def keep(self, rows: list[SolverRow], replayed: int) -> None:
        """Store these results of consecutive seeds."""
        if not rows:
            return
        first, last = rows[0][0], rows[-1][0]
        # Results of seeds that another process has taken over meanwhile are those of that process.
        with suppress(ClaimLostError):
            self._store.finish_solver_chunk(
                self.run, first, last, rows, owner=self._owner, engine=self.part.engine, replayed=replayed
            )
            statuses = [row[1] for row in rows]
            won, lost = statuses.count(Status.SOLVED), statuses.count(Status.UNSOLVABLE)
            inferred = sum(row[1] == Status.SOLVED for row in rows if row[7] is not None)
            self._note(len(rows), won, lost, won - inferred)

    def keep_games(self, first: int, games: PolicyGames) -> None:
        """Store what a policy has played from this seed on."""
        chunk = PolicyChunk(self.run, first, games, self.part.engine)
        if self._store.finish_policy_chunks([chunk], owner=self._owner):
            wins = len(games.won) - games.won.count(0)
            self._note(len(games.won), wins, len(games.won) - wins, wins)

    def _note(self, rows: int, won: int, lost: int, played_wins: int) -> None:
        self._wins += played_wins
        self._played += rows
        self._counts["won"] += won
        self._counts["lost"] += lost
        self._counts["undecided"] += rows - won - lost

    # How far it has come.

    def check_cancel(self) -> None:
        """KeyboardInterrupt if the caller has had enough."""
        if self._cancel is not None and self._cancel.is_set():
            raise KeyboardInterrupt

    def is_due(self, now: float) -> bool:
        """True if it is time to show something again."""
        return now - self._shown >= SHOW_SECONDS

    def show(self, *, waiting: int = 0, at_once: bool = False, unstored: int = 0) -> None:
        """Tell the caller, unless that was a moment ago."""
        now = monotonic()
        if not at_once and not self.is_due(now):
            return
        self._shown = now
        if self._progress is None:
            return
        start = self._at_start
        self._progress(
            Standing(
                run=self.run,
                wanted=len(self.part.seeds),
                done=self._done_before + self._played,
                played=self._played + unstored,
                seconds=now - self._begun,
                won=start.won + self._counts["won"],
                lost=start.lost + self._counts["lost"],
                undecided=start.undecided + self._counts["undecided"],
                waiting=waiting,
                workers=self.workers,
            )
        )
