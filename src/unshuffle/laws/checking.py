"""Check laws on the deals of a game, each law within a time limit."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import current_thread, main_thread
from time import monotonic
from types import FrameType
from typing import Literal

from unshuffle.errors import in_a_line
from unshuffle.game import AnyGame
from unshuffle.laws.case import BrokenError, Case, Law

Verdict = Literal["holds", "broken", "time-limit", "node-limit", "not-tried"]
_LONGEST_FAULT = 1_000


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of checking one law on some deals of a game."""

    law: Law
    verdict: Verdict
    """`time-limit` and `node-limit`: no fault was found, but not everything was checked."""
    deals: int = 0
    """Deals on which the law held."""
    deal: str | None = None
    """The deal on which the law is broken, or on which the time ran out."""
    is_late: bool = False
    """Whether the position is one of `small_states` for the seed of this deal."""
    moves: tuple[str, ...] = ()
    """The tokens of the moves that lead to the position."""
    position: str = ""
    fault: str = ""
    """What is wrong, in a sentence."""


class _LateError(BaseException):
    """The time limit is over. It is not an Exception, so that an `except Exception` in a game does not catch it."""


def check_law(
    game: AnyGame,
    law: Law,
    seeds: Iterable[int],
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    progress: Callable[[int], object] = lambda done: None,
) -> Finding:
    """Return the finding of a law on the deals with these seeds; stop when it is broken or the time is over."""
    if not law.concerns(game):
        return Finding(law, "not-tried")
    done = passed = 0
    case = Case(game, 0, nodes=nodes)
    try:
        with _time_limit(seconds):
            for seed in seeds:
                case = Case(game, seed, nodes=nodes)
                law.check(case)
                done, passed = done + 1, passed + case.passed
                progress(done)
    except _LateError:
        return _finding(law, "time-limit", done, case, f"{seconds:g} s are over")
    except BrokenError as error:
        return _finding(law, "broken", done, case, str(error))
    except Exception as error:  # an error of the game
        return _finding(
            law, "broken", done, case, ": ".join(filter(None, [type(error).__name__, str(error)])) + _raised_in(error)
        )
    if passed:
        return Finding(law, "node-limit", done, fault=f"{passed} late positions have more than {nodes:,} positions")
    return Finding(law, "holds", done)


def _finding(law: Law, verdict: Verdict, done: int, case: Case, fault: str) -> Finding:
    try:
        deal = case.game.deal(case.seed).id if verdict == "broken" else f"{case.game}@{case.seed}"
        position = "" if case.state is None else str(case.state)
    except Exception:  # the game cannot even deal or write the position
        deal, position = f"{case.game}@{case.seed}", ""
    moves = tuple(str(move.token) for move in case.moves)
    return Finding(law, verdict, done, deal, case.is_late, moves, position, in_a_line(fault, _LONGEST_FAULT))


def _raised_in(error: Exception) -> str:
    """Return the function and the line of source in which the game raised an error."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else f" (raised in `{trace.tb_frame.f_code.co_name}`, line {trace.tb_lineno})"


@contextmanager
def _time_limit(seconds: float | None) -> Iterator[None]:
    """Raise _LateError when the time is over, even in an endless loop of the game.

    There is no limit where SIGALRM cannot be used, as outside the main thread.
    """
    if seconds is None or not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return
    until = monotonic() + seconds

    def ring(number: int, frame: FrameType | None) -> None:
        if monotonic() >= until:
            raise _LateError

    before = signal.signal(signal.SIGALRM, ring)
    # The alarm repeats: the first may come slightly before `until`, or in a `finally` that swallows the error.
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6), 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
