"""The jobs about a table: hint, solve, chance, coach, review. Each request is checked before it is queued."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from unshuffle.advise.coach import coach_of, told
from unshuffle.errors import UsageError
from unshuffle.game import AnyGame
from unshuffle.hidden.chance import Chance
from unshuffle.play import beginning
from unshuffle.play.table import Table, seen
from unshuffle.play.thinking import (
    REVIEW_SECONDS,
    Times,
    answers_for_phase,
    ask_adviser,
    ask_redeals,
    ask_solver,
    find_adviser,
    look_back,
    looks_at_hidden,
    redeal_words,
    verdict,
)
from unshuffle.registry import changed_game
from unshuffle.rulebook import write_value
from unshuffle.simulate import SAMPLES, estimate
from unshuffle.solve import Progress
from unshuffle.solve.reasons import why_no_search
from unshuffle.solve.sides import question
from unshuffle.views import unknown_in
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
_CHANCE_SECONDS = 20.0
_SOLVE_SECONDS = 30.0


def chosen_game(name: str, variant: str | None, rules: shapes.Changes) -> AnyGame:
    """Return the game that a request names, with its rules."""
    return changed_game(name, variant, [f"{key}={write_value(value)}" for key, value in rules.items()])


def _typed(asked: job_shapes.Position) -> tuple[AnyGame, Any]:
    """Return the game, and the state or view of the text of a request."""
    if asked.table is not None:
        raise UsageError("table and text exclude each other")
    if asked.game is None:
        raise UsageError("expected a table, or a game and a text")
    game = chosen_game(asked.game, asked.variant, asked.rules)
    return game, beginning.parse(game, asked.text or "")


class Asking:
    """The jobs about the tables of a room. Each method checks a request and returns the work of its job."""

    def __init__(self, room: Room, settings: Settings) -> None:
        self._room = room
        self._settings = settings

    def _table(self, name: str) -> Table:
        """Return the table as it is now. Moves that are made while the job runs do not affect it."""
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
        """Raise NotNowError if a search would use hidden cards without permission; with it, note that it does."""
        if looks_at_hidden(table) and not table.looked:
            if not looks:
                raise NotNowError(_LOOK)
            self._room.change(table.name, _note_look)

    def hint(self, asked: job_shapes.HintAsked) -> Work:
        """Return a job that advises on the next move by what the player sees."""
        table = self._in_play(asked.table)
        # None: the default time of the game's adviser.
        seconds = None if asked.seconds is None else self._seconds(asked.seconds, _HINT_SECONDS)
        times = Times(hint=seconds, memory=self._settings.memory_of_job)

        def work(job: Job) -> shapes.Json:
            adviser = find_adviser(table.game, times)
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
        """Return a job that solves the position with all cards known."""
        if asked.text is not None or asked.table is None:
            # All cards of a typed position are known to the player.
            game, state = _typed(asked)
            question(state, game)
            table = Table(game, state, "")
        else:
            table = self._in_play(asked.table)
            self._look(table, asked.look)
        seconds = self._seconds(asked.seconds, _SOLVE_SECONDS)
        times = Times(solve=seconds, memory=self._settings.memory_of_job)

        def work(job: Job) -> shapes.Json:
            result = ask_solver(table, times, job.cancel.is_set, _Told(job, seconds))
            chance = ask_redeals(table, result, times, job.cancel.is_set)
            line = result.line
            return job_shapes.Solved(
                status=result.status.value,
                score=result.score,
                score_proved=result.score_proved,
                verdict=verdict(table, result, chance),
                chance=show_chance(chance),
                chance_text=redeal_words(chance),
                moves=[
                    tell(table.game, seen(state), move) for state, move in zip(line.states, line.moves, strict=False)
                ],
                nodes=result.stats.nodes,
                seconds=result.stats.seconds,
                no_search=why_no_search(table.game, result),
                is_phase=answers_for_phase(table),
                stats=dict(result.stats),
            ).as_json()

        return work

    def chance(self, asked: job_shapes.ChanceAsked) -> Work:
        """Return a job that estimates the chance to win by what the player sees, from playouts of a policy."""
        state = self._in_play(asked.table).state if asked.table is not None and asked.text is None else _typed(asked)[1]
        view = state.view()
        if not unknown_in(view):
            raise NotNowError("nothing is unknown here: ask the solver, which proves whether it can be won")
        seconds = self._seconds(asked.seconds, _CHANCE_SECONDS)

        def work(job: Job) -> shapes.Json:
            def tell_games(won: int, played: int) -> None:
                job.tell({"done": played, "total": SAMPLES, "won": won})

            found = estimate(view, seconds=seconds, progress=tell_games, cancel=job.cancel)
            low, high = found.interval
            return job_shapes.Estimated(
                wins=found.wins,
                samples=found.samples,
                chance=found.chance,
                low=low,
                high=high,
                policy=found.policy,
                unknown=found.unknown,
                text=str(found),
            ).as_json()

        return work

    def coach(self, asked: job_shapes.CoachAsked) -> Work:
        """Return a job that judges a move without making it."""
        table = self._in_play(asked.table)
        (move,) = table.read([asked.move])
        seconds = None if asked.seconds is None else self._seconds(asked.seconds, _COACH_SECONDS)
        coach = coach_of(table.game, seconds)

        def work(job: Job) -> shapes.Json:
            coach.is_stopped = job.cancel.is_set
            judged = coach.judge(table.state, move)
            return job_shapes.Judged(lines=list(judged.lines), loses=judged.loses).as_json()

        return work

    def review(self, asked: job_shapes.ReviewAsked) -> Work:
        """Return a job that reviews the game, which may be over."""
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
    """Return a chance for JSON."""
    return None if chance is None else job_shapes.Chance(p=chance.p, se=chance.se)


class _Told:
    """A watcher that reports the progress of a search to its job."""

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
