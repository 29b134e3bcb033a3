"""The progress line of a study."""

from __future__ import annotations

import sys

from unshuffle.cli import show
from unshuffle.cli.progress import ProgressLine
from unshuffle.study import Standing


class RunLine(ProgressLine):
    """The progress of a study's runs."""

    def __init__(self, dask: str | None = None) -> None:
        super().__init__()
        self._dask = dask
        self._had_workers = True

    def _tell_no_workers(self, now: Standing) -> None:
        """Report that there are no workers: on a terminal always, else once, since the wait may be long."""
        if not self.is_seen and self._had_workers:
            print(f"unshuffle: waiting for workers at {self._dask}", file=sys.stderr)
        self._had_workers = False
        self.text(f"{now.done:,} of {now.wanted:,} deals; waiting for workers at {self._dask}")

    def show(self, now: Standing) -> None:
        """Show the deals, the speed, the time left and the estimate so far."""
        if now.workers == 0:
            self._tell_no_workers(now)
            return
        self._had_workers = True
        if now.waiting:
            self.text(f"waiting for {show.plural(now.waiting, 'deal')} that another process is playing")
            return
        pace = now.played / max(now.seconds, 1e-9)
        left = (now.wanted - now.done) / pace if pace else float("inf")
        parts = [f"{now.done:,} of {now.wanted:,} deals{show.speed(now.played, now.seconds, 'deals')}"]
        if left < 1e8:
            parts.append(f"{_clock(left)} left")
        if now.workers is not None:
            parts.append(show.plural(now.workers, "worker"))
        parts.append(write_rate(now.won, now.lost, now.undecided))
        self.text(f"{now.run.game}/{now.run.variant} {now.run.method}: {', '.join(parts)}")


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def write_rate(won: int, lost: int, undecided: int) -> str:
    """Return the win rate as text, with its interval if scipy is installed."""
    from unshuffle.study.statistics import Rate

    try:
        return f"won {Rate(won, lost, undecided)}"
    except ImportError:  # scipy computes the interval; a run works without it
        return f"won {won:,} of {won + lost + undecided:,} (intervals: pip install 'unshuffle[study]')"
