"""The kinds of job that are about a table: a hint, a solve, a coach's look. Each is checked before it waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from unshuffle.advise.adviser import Chance
from unshuffle.advise.coach import coach_of, told
from unshuffle.errors import UsageError
from unshuffle.play.table import Table, seen
from unshuffle.play.thinking import (
    REVIEW_SECONDS,
    Times,
    answers_for_phase,
    ask_adviser,
    ask_solver,
    find_adviser,
    look_back,
    looks_at_hidden,
    verdict,
)
from unshuffle.solve import Progress, replay
from unshuffle.web import job_shapes, shapes
from unshuffle.web.jobs import Job, Work
from unshuffle.web.pictures import tell
from unshuffle.web.room import Room
from unshuffle.web.settings import Settings
from unshuffle.web.trouble import NotNowError

OVER = "the game is over; take a move back, or begin another"
_LOOK = "the solver knows every card, also those that you cannot see: say that it may look"
_COACH_SECONDS = 5.0
_HINT_SECONDS = 5.0
_SOLVE_SECONDS = 30.0


class Asking:
    """What can be asked about the tables of a room."""

    def __init__(self, room: Room, settings: Settings) -> None:
        self._room = room
        self._settings = settings

    def _table(self, name: str) -> Table:
        """The table as it stands now: what is played while the job runs changes nothing for it."""
        with self._room.at(name) as seat:
            return seat.table

    def _in_play(self, name: str) -> Table:
        table = self._table(name)
        if table.state.outcome is not None:
            raise NotNowError(OVER)
        return table

    def _seconds(self, asked: float | None, default: float) -> float:
        return min(self._settings.seconds, default if asked is None else asked)

    def _look(self, table: Table, looks: bool) -> None:
        """Refuse what would use hidden cards, unless it may; that it did so is noted."""
        if looks_at_hidden(table) and not table.looked:
            if not looks:
                raise NotNowError(_LOOK)
            self._room.change(table.name, _note_look)

    def hint(self, asked: job_shapes.HintAsked) -> Work:
        """The next move by what the player sees."""
        table = self._in_play(asked.table)
        # As much as the adviser of a game takes by itself, unless more is asked for.
        seconds = None if asked.seconds is None else self._seconds(asked.seconds, _HINT_SECONDS)
        times = Times(hint=seconds, memory=self._settings.memory_of_job)

        def work(job: Job) -> shapes.Json:
            adviser = find_adviser(table.game, times)
            if adviser is not None:
                adviser.is_stopped = job.cancel.is_set
            found = ask_adviser(table, adviser)
            if not job.cancel.is_set():
                self._room.change(asked.table, _note_hint)
            plan = [
                tell(table.game, state, move) for state, move in zip(found.line.states, found.line.moves, strict=False)
            ]
            return job_shapes.Hint(
                told=plan[0] if plan else None,
                plan=plan,
                chance=show_chance(found.chance),
                chance_text=told(found.chance),
                claim=found.claim,
                closing=found.closing,
            ).as_json()

        return work

    def solve(self, asked: job_shapes.SolveAsked) -> Work:
        """Whether the game can still be won, by one who knows every card."""
        table = self._in_play(asked.table)
        self._look(table, asked.look)
        seconds = self._seconds(asked.seconds, _SOLVE_SECONDS)
        times = Times(solve=seconds, memory=self._settings.memory_of_job)

        def work(job: Job) -> shapes.Json:
            result = ask_solver(table, times, job.cancel.is_set, _Told(job, seconds))
            line = replay(result.state, result.moves)
            return job_shapes.Solved(
                status=result.status.value,
                score=result.score,
                score_proved=result.score_proved,
                verdict=verdict(table, result),
                moves=[
                    tell(table.game, seen(state), move) for state, move in zip(line.states, line.moves, strict=False)
                ],
                nodes=result.stats.nodes,
                seconds=result.stats.seconds,
                is_phase=answers_for_phase(table),
                stats=dict(result.stats),
            ).as_json()

        return work

    def coach(self, asked: job_shapes.CoachAsked) -> Work:
        """What a move would do, without making it."""
        table = self._in_play(asked.table)
        (move,) = table.read([asked.move])
        seconds = None if asked.seconds is None else self._seconds(asked.seconds, _COACH_SECONDS)
        try:
            coach = coach_of(table.game, seconds)
        except UsageError as error:
            raise UsageError(f"there is no coach for {table.game.id}: {error}") from None

        def work(job: Job) -> shapes.Json:
            coach.is_stopped = job.cancel.is_set
            judged = coach.judge(table.state, move)
            return job_shapes.Judged(lines=list(judged.lines), loses=judged.loses).as_json()

        return work

    def review(self, asked: job_shapes.ReviewAsked) -> Work:
        """Which move lost the game; one that is over can be looked back on too."""
        table = self._table(asked.table)
        if not table.moves:
            raise NotNowError("no move was made yet, so there is nothing to review")
        self._look(table, asked.look)
        times = Times(review=self._seconds(asked.seconds, REVIEW_SECONDS), memory=self._settings.memory_of_job)

        def work(job: Job) -> shapes.Json:
            return look_back(table, times, job.cancel.is_set, _Told(job, times.review)).values()

        return work


def _note_look(table: Table) -> None:
    table.looked = True


def _note_hint(table: Table) -> None:
    table.hints += 1


def show_chance(chance: Chance | None) -> job_shapes.Chance | None:
    """A chance as JSON has it."""
    return None if chance is None else job_shapes.Chance(p=chance.p, se=chance.se)


class _Told:
    """A watcher that tells the job how far the search is."""

    def __init__(self, job: Job, seconds: float) -> None:
        self._job = job
        self._limit = seconds

    def search(self, now: Progress) -> None:
        self._job.tell(
            {
                "nodes": now.nodes,
                "seconds": round(now.seconds, 3),
                "score": now.score,
                "bound": now.bound,
                "limit": self._limit,
            }
        )

    def text(self, text: str) -> None:
        self._job.tell({"text": text, "limit": self._limit})

    def clear(self) -> None:
        pass


Kinds = dict[str, Callable[[Any], Work]]
