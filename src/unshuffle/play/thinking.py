"""What the person may ask: a hint by what is seen, and whether the game can still be won by one who knows all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING, Protocol

from unshuffle.advise import adviser_of
from unshuffle.advise.adviser import Adviser
from unshuffle.advise.words import numbered, plural
from unshuffle.errors import UsageError
from unshuffle.game import INFORMATION, AnyGame
from unshuffle.play.table import Table, seen
from unshuffle.review import review
from unshuffle.solve import Progress, Result, Status, replay, solve

if TYPE_CHECKING:
    from unshuffle.review.clock import Looking
    from unshuffle.review.report import Review

SOLVE_SECONDS = 10.0
REVIEW_SECONDS = 30.0


class Watcher(Protocol):
    """One who shows how far a search has come."""

    def search(self, now: Progress) -> None:
        """Show it."""

    def text(self, text: str) -> None:
        """Show any other count."""

    def clear(self) -> None:
        """Wipe what was shown."""


@dataclass(frozen=True)
class Times:
    """How long the program may think, in seconds; None: as long as the game's adviser does by itself."""

    hint: float | None = None
    solve: float = SOLVE_SECONDS
    review: float = REVIEW_SECONDS


# A hint: hidden information.


def find_adviser(game: AnyGame, times: Times) -> Adviser | None:
    """The game's adviser, if it has one."""
    try:
        adviser = adviser_of(game)
    except UsageError:
        return None
    adviser.effort = {} if times.hint is None else {"seconds": times.hint}
    return adviser


def hint(table: Table, adviser: Adviser | None, *, is_whole: bool) -> list[str]:
    """What to do now by what the person sees: the claim, the next move with its reason, or the whole plan."""
    if adviser is None:
        return _hint_by_greedy(table)
    view = table.state.view()
    advice = adviser.advise(view)
    lines = list(advice.claim)
    line = adviser.foresee(view, advice.moves)
    rows = adviser.numbered(line, "short") if line.moves else []
    shown = rows if is_whole else [row.strip() for row in rows if row][:1]
    lines += ["", *shown] if shown else []
    left = 0 if is_whole else len(line.moves) - 1
    if left > 0:
        lines.append(f"{plural(left, 'more move')} in this plan; h all shows them.")
    if advice.closing and (is_whole or not line.moves):
        lines += advice.closing.splitlines()
    return lines


def _hint_by_greedy(table: Table) -> list[str]:
    """Where no adviser knows the game: the move of a policy that every game has, which knows no chances."""
    from unshuffle.simulate.playing import Luck
    from unshuffle.simulate.policy import policy_of

    game, state = table.game, table.state
    moves = state.legal_moves()
    if not moves:
        return ["There is no move."]
    player = policy_of(game, "greedy").player(Luck(f"{state.id} {len(table.moves)}"))
    move = player(state.view(), moves)
    told = game.describe(seen(state), move)
    return [
        f"No adviser knows {game.name}, so nobody tells a chance. The policy `greedy` would play:",
        "",
        f"{told.kind}  {move.token}  {told.text}",
    ]


# Solving: open information.


def looks_at_hidden(table: Table) -> bool:
    """Whether the solver would use what the person cannot see. Where it answers for a phase, it does not."""
    return not table.is_open and not table.game.solves_phases


def ask_solver(table: Table, times: Times, is_stopped: Callable[[], bool], watcher: Watcher) -> Result:
    """Whether the game can still be won from here."""
    cancel = Event()

    def watch(now: Progress) -> None:
        watcher.search(now)
        if is_stopped():
            cancel.set()

    try:
        return solve(table.state, seconds=times.solve, progress=watch, cancel=cancel)
    finally:
        watcher.clear()


def solved_lines(table: Table, result: Result) -> list[str]:
    """The verdict and the line, with what it rests on."""
    game = table.game
    is_phase = game.solves_phases and getattr(table.state, "redeals_left", 0) > 0
    is_begun = bool(table.moves)
    what = "this phase" if is_phase else "the game"
    score = f"{result.score} of {game.most_score} {game.score_counts}".rstrip()
    if result.status is Status.SOLVED:
        found = f"{what} can{' still' * is_begun} be won, in {plural(len(result.moves), 'move')}"
    elif result.status is Status.UNSOLVABLE:
        most = f"{'at most' if result.score_proved else 'found'}: {score}"
        found = f"{what} cannot be won{' any more' * is_begun} (proved); {most}"
    else:
        found = f"undecided ({result.status}), which is not a no; found: {score}"
    known = f"{INFORMATION['open']}, but no redeal" if is_phase else INFORMATION["open"]
    lines = [f"{found[0].upper()}{found[1:]} ({known})."]
    if result.moves:
        lines += ["", *numbered(game, replay(result.state, result.moves))]
    return lines


# Looking back: verdicts with open information, and chances with what the person saw.


def look_back(table: Table, times: Times, is_stopped: Callable[[], bool], watcher: Watcher) -> Review:
    """The game so far, position by position."""
    cancel = Event()

    def watch(now: Looking) -> None:
        watcher.text(f"{now.what}: {now.done:,} of {plural(now.of, 'position')}, {plural(now.nodes, 'node')}")
        if is_stopped():
            cancel.set()

    try:
        return review(table.start, table.moves, seconds=times.review, progress=watch, cancel=cancel)
    finally:
        watcher.clear()


def review_lines(found: Review) -> list[str]:
    """The positions, and which move lost the game."""
    from unshuffle.review.words import lines  # seldom asked for

    return lines(found)
