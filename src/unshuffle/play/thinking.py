"""Questions about a game in play: hints with hidden information, solving with open information, and reviews."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from unshuffle.advise import adviser_of
from unshuffle.advise.adviser import Planner
from unshuffle.game import INFORMATION, AnyGame
from unshuffle.hidden.chance import Chance, what_it_brings
from unshuffle.hidden.playouts import Stop
from unshuffle.hidden.stopping import StoppedError
from unshuffle.numbers import plural
from unshuffle.play.table import Table
from unshuffle.registry import game_of
from unshuffle.review import review
from unshuffle.solve import Line, Progress, Result, Status, solve
from unshuffle.solve.limits import DEFAULT_MEMORY
from unshuffle.solve.replay import numbered

if TYPE_CHECKING:
    from unshuffle.review.clock import Looking
    from unshuffle.review.report import Review

SOLVE_SECONDS = 10.0
HIDDEN = INFORMATION["hidden"]
REVIEW_SECONDS = 30.0


class Watcher(Protocol):
    """Shows the progress of a search."""

    def search(self, now: Progress) -> None:
        """Show the progress of a search."""

    def text(self, text: str) -> None:
        """Show any other text."""

    def clear(self) -> None:
        """Erase what was shown."""


@dataclass(frozen=True)
class Times:
    """Time limits in seconds. For `hint` None means the default of the game's adviser."""

    hint: float | None = None
    solve: float = SOLVE_SECONDS
    review: float = REVIEW_SECONDS
    memory: int | None = None
    """The memory limit in bytes; None: the defaults of solver and adviser."""


# A hint: hidden information.


def find_adviser(game: AnyGame, times: Times) -> Planner:
    """Return the adviser of the game with its limits of time and memory."""
    adviser = adviser_of(game)
    given = {"seconds": times.hint, "memory": times.memory}
    adviser.effort = {name: value for name, value in given.items() if value is not None}
    return adviser


@dataclass(frozen=True)
class Hint:
    """Advice on the next moves by what the player sees."""

    claim: list[str]
    """The claim about the position and its reasons, as lines."""
    line: Line
    """The plan. Its states end at a move that shows unknown cards."""
    rows: list[str]
    """The moves of the plan, a line of text each."""
    chance: Chance | None = None
    closing: str = ""
    """What to do after the moves."""


def ask_adviser(table: Table, adviser: Planner) -> Hint:
    """Return the advice of the game's adviser."""
    view = table.state.view()
    advice = adviser.advise(view)
    line = adviser.foresee(view, advice.moves)
    rows = adviser.numbered(line, "short") if line.moves else []
    return Hint(list(advice.claim), line, rows, advice.chance, advice.closing)


def hint_lines(hint: Hint, *, is_whole: bool) -> list[str]:
    """Return the claim with the next move and its reason, or with the whole plan, as lines."""
    lines = list(hint.claim)
    shown = hint.rows if is_whole else [row.strip() for row in hint.rows if row][:1]
    lines += ["", *shown] if shown else []
    left = 0 if is_whole else len(hint.line.moves) - 1
    if left > 0:
        lines.append(f"{plural(left, 'more move')} in this plan; h all shows them.")
    if hint.closing and (is_whole or not hint.line.moves):
        lines += hint.closing.splitlines()
    return lines


# Solving: open information.


def looks_at_hidden(table: Table) -> bool:
    """Return whether the solver would use hidden cards. A solver of phases does not."""
    return not table.is_open and not table.game.solves_phases


def ask_solver(table: Table, times: Times, is_stopped: Callable[[], bool], watcher: Watcher) -> Result:
    """Return the result of the solver for the current state."""
    try:
        memory = DEFAULT_MEMORY if times.memory is None else times.memory
        return solve(table.state, seconds=times.solve, memory=memory, progress=watcher.search, cancel=Stop(is_stopped))
    finally:
        watcher.clear()


def answers_for_phase(table: Table) -> bool:
    """Return whether the solver ignores redeals that may still come."""
    return table.game.leaves_redeals_out(table.state)


def verdict(table: Table, result: Result, chance: Chance | None = None) -> str:
    """Return the result of the solver as a sentence; `chance` is the chance to win with redeals that it ignores."""
    game = table.game
    is_phase = answers_for_phase(table)
    is_begun = bool(table.moves)
    what = "this phase" if is_phase and game.solves_phases else "the game"
    alone = " without a redeal" * is_phase
    score = f"{result.score} of {game.most_score} {game.score_counts}".rstrip()
    if result.status is Status.SOLVED:
        found = f"{what} can{' still' * is_begun} be won, in {plural(len(result.moves), 'move')}"
    elif result.status is Status.UNSOLVABLE:
        bound = f"{alone.strip()} at most".strip()
        most = f"{bound if result.score_proved else 'found'}: {score}"
        found = f"{what} cannot be won{alone or ' any more' * is_begun} (proved); {most}"
    elif result.status is Status.UNKNOWN_REDEALS:
        found = f"{what} cannot be won{alone} (proved), and {what_it_brings(chance)}; found: {score}"
    else:
        found = f"undecided ({result.status}), which is not a no; found: {score}"
    known = game.known_words(table.state)
    if table.by_chance and not is_phase:
        known += ", with what was unknown dealt at random"
    return f"{found[0].upper()}{found[1:]} ({known})."


def ask_redeals(table: Table, result: Result, times: Times, is_stopped: Callable[[], bool]) -> Chance | None:
    """Return the chance to win with the redeals that the solver ignores, if it finds no win without them.

    Return None if the solver answers for the whole game, finds a win, or was stopped, or if the chance is unknown.
    """
    if not answers_for_phase(table) or result.status is Status.SOLVED or is_stopped():
        return None
    return ask_chance(table.state, times, is_stopped)


def ask_chance(state: Any, times: Times, is_stopped: Callable[[], bool] = lambda: False) -> Chance | None:
    """Return the adviser's chance to win by what a player sees; None if it has none."""
    adviser = find_adviser(game_of(state), times)
    adviser.is_stopped = is_stopped
    try:
        return adviser.advise(state.view()).chance
    except StoppedError:
        return None


def redeal_words(chance: Chance | None) -> str:
    """Return a sentence on the chance to win the whole game; '' without a chance."""
    return "" if chance is None else f"With the redeals that are left the chance to win is {chance} ({HIDDEN})."


def solved_lines(table: Table, result: Result, chance: Chance | None = None) -> list[str]:
    """Return the verdict, the chance with redeals if there is one, and the line, as lines."""
    lines = [verdict(table, result, chance), *filter(None, [redeal_words(chance)])]
    if result.moves:
        lines += ["", *numbered(table.game, result.line)]
    return lines


# Review: verdicts with open information, chances with hidden information.


def look_back(table: Table, times: Times, is_stopped: Callable[[], bool], watcher: Watcher) -> Review:
    """Return the review of the game so far."""

    def watch(now: Looking) -> None:
        watcher.text(f"{now.what}: {now.done:,} of {plural(now.of, 'position')}, {plural(now.nodes, 'node')}")

    try:
        memory = DEFAULT_MEMORY if times.memory is None else times.memory
        found = review(
            table.start, table.moves, seconds=times.review, memory=memory, progress=watch, cancel=Stop(is_stopped)
        )
        return replace(found, by_chance=table.by_chance)
    finally:
        watcher.clear()


def review_lines(found: Review) -> list[str]:
    """Return the review as lines: the positions, and the move that lost the game."""
    from unshuffle.review.words import lines  # seldom asked for

    return lines(found)
