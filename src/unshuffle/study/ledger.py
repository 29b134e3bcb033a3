"""One run of a plan on one store: its claims, its stored results, and its progress."""

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
"""With `replay='sample'`, the lines of this many wins of a run are replayed, and of every hundredth other deal."""

SHOW_SECONDS = 0.1
_POLL_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Piece:
    """Seeds that this process has claimed, and the inferred results among them."""

    first: int
    last: int
    known: Mapping[int, SolverRow]
    searched: Sequence[int]
    """The other seeds; a range if nothing is inferred, which is short to send."""

    def __len__(self) -> int:
        """Return the number of its deals."""
        return self.last - self.first + 1


class Ledger:
    """The claims and results of one run. It alone writes them to the store, wherever the deals are played."""

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
        """The number of worker processes of a cluster; None: no cluster."""
        self._store = store
        self._progress = progress
        self._cancel = cancel
        self._owner = owner
        self._begun = self._shown = monotonic()
        self._played = 0
        self._at_start = store.summary(run)
        self._inference = Inference(store, part, run)
        # At most this many wins of the run have replayed lines: an inferred win has no line here.
        self._wins = max(0, self._at_start.won - self._at_start.inferred)
        self._done_before = store.count_done(run, part.seeds)
        self._counts = {"won": 0, "lost": 0, "undecided": 0}

    @property
    def wins_to_replay(self) -> int:
        """How many of the next wins must be replayed, by what is stored at this moment."""
        return max(0, REPLAYED_WINS - self._wins)

    # Seeds.

    def take(self, size: int) -> Piece | None:
        """Claim up to `size` deals and return them with their inferred results; None if no deals are left."""
        claim = self._store.claim(self.run, self._owner, size, self.part.seeds)
        if claim is None:
            return None
        first, last = claim
        seeds = range(first, last + 1)
        known = self._inference.look_up(first, last)
        return Piece(first, last, known, [seed for seed in seeds if seed not in known] if known else seeds)

    def wait_for_others(self) -> bool:
        """Wait while other processes work on the rest; return True if some of it was released to be played here."""
        seeds = self.part.seeds
        # No work is under way here: a remaining claim is the rest of one that others took over in part.
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
        # If another process has taken the seeds over meanwhile, its results count.
        with suppress(ClaimLostError):
            self._store.finish_solver_chunk(
                self.run, first, last, rows, owner=self._owner, engine=self.part.engine, replayed=replayed
            )
            statuses = [row[1] for row in rows]
            won, lost = statuses.count(Status.SOLVED), statuses.count(Status.UNSOLVABLE)
            inferred = sum(row[1] == Status.SOLVED for row in rows if row[7] is not None)
            self._note(len(rows), won, lost, won - inferred)

    def keep_games(self, first: int, games: PolicyGames) -> None:
        """Store the games of a policy, which begin at the seed `first`."""
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

    # Progress.

    def check_cancel(self) -> None:
        """Raise KeyboardInterrupt if the caller has cancelled the run."""
        if self._cancel is not None and self._cancel.is_set():
            raise KeyboardInterrupt

    def is_due(self, now: float) -> bool:
        """Return whether it is time to report progress again."""
        return now - self._shown >= SHOW_SECONDS

    def show(self, *, waiting: int = 0, at_once: bool = False, unstored: int = 0) -> None:
        """Report progress to the caller if it is due, or with `at_once` in any case."""
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
