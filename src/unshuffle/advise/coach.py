"""A coach judges a move before it is made: its effect on the chance to win, using only what the player sees."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from unshuffle.advise import adviser_of
from unshuffle.advise.adviser import Adviser
from unshuffle.advise.seen import SeenAdviser
from unshuffle.game import AnyGame
from unshuffle.hidden.chance import Chance
from unshuffle.hidden.playouts import Option, never
from unshuffle.numbers import plural

SECONDS = 0.5
"""The default time for judging one move."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a coach says about a move."""

    lines: tuple[str, ...]
    loses: bool = False
    """True if before the move a win is proved to exist, and after it none is proved to be left."""


class Coach(ABC):
    """The base of the classes that judge moves before they are made."""

    def __init__(self) -> None:
        self.is_stopped: Callable[[], bool] = never
        """Whether nobody waits for the answer any more; any answer will then do, as long as it comes soon."""

    @abstractmethod
    def judge(self, state: Any, move: Any) -> Judgement:
        """Return the judgement of this legal move. Only what a player sees of the state is used."""


def coach_of(game: AnyGame, seconds: float | None = None) -> Coach:
    """Return the coach for this game; `seconds` is its time for one move."""
    seconds = SECONDS if seconds is None else seconds
    own: Callable[[float], Coach] | None = game.own("coach")
    if own is not None:
        return own(seconds)
    adviser = adviser_of(game)
    adviser.effort = {"seconds": seconds}
    return OptionsCoach(adviser) if isinstance(adviser, SeenAdviser) else ChanceCoach(adviser)


class OptionsCoach(Coach):
    """The coach for games with hidden cards: the adviser evaluates every move by playouts with sampled unseen cards.

    It never looks at the table after the move, which may show a card that nobody has seen yet.
    """

    def __init__(self, adviser: SeenAdviser) -> None:
        super().__init__()
        self._adviser = adviser
        adviser.is_stopped = lambda: self.is_stopped()

    def judge(self, state: Any, move: Any) -> Judgement:
        """Compare the chance of the move with that of the best one."""
        options = self._adviser.plan(state.view()).options
        mine = next((option for option in options if option.move == move), None)
        if mine is None:
            return Judgement((f"Coach: {move.token} was not evaluated: it leads nowhere, or equals another move.",))
        best = options[0]
        if mine.with_error is best.with_error is None:
            return Judgement(tuple(_scores(mine, best)))
        if mine is best:
            return Judgement((f"Coach: {move.token} is the best move known: {told(mine.with_error)}.",))
        proves = mine.samples == best.samples == 0
        loses = proves and mine.chance == 0 and best.chance == 1
        words = f"Coach: {move.token} {told(mine.with_error)}; {best.move.token} {told(best.with_error)}"
        return Judgement((f"{words}.",), loses)


class ChanceCoach(Coach):
    """The coach for games whose moves reveal nothing: the adviser's chance before and after the move."""

    def __init__(self, adviser: Adviser) -> None:
        super().__init__()
        self._adviser = adviser
        adviser.is_stopped = lambda: self.is_stopped()
        self._known: dict[Any, Chance | None] = {}

    def judge(self, state: Any, move: Any) -> Judgement:
        """Compare the chances to win before and after the move."""
        if self._adviser.game.is_redeal(move):
            redeals = self._adviser.redeals
            worth = None if redeals is None else redeals.worth(state)
            return Judgement((f"Coach: a redeal; the chance to win is {told(worth)}.",))
        before, after = self._chance(state), self._chance(state.play(move))
        if before == after:
            stays = "is not known" if after is None else f"stays {told(after)}"
            return Judgement((f"Coach: the chance to win {stays}.",))
        loses = before == Chance(1.0, 0.0) and after == Chance(0.0, 0.0)
        if before is None or after is None:
            return Judgement((f"Coach: the chance to win is {told(before)} before the move, {told(after)} after it.",))
        return Judgement((f"Coach: the chance to win goes from {told(before)} to {told(after)}.",), loses)

    def _chance(self, state: Any) -> Chance | None:
        view = state.view()
        if view not in self._known:
            chance = self._adviser.advise(view).chance
            if self.is_stopped():
                return chance  # incomplete: a later call may have more time
            self._known[view] = chance
        return self._known[view]


def told(chance: Chance | None) -> str:
    """Return a chance in words."""
    return "not known" if chance is None else str(chance)


def _scores(mine: Option, best: Option) -> Iterator[str]:
    """Compare two moves without a known chance: by playouts, and by the best line of an unfinished search."""
    shown = [mine] if mine is best else [mine, best]
    means = [f"{option.move.token} {option.mean_score:.1f}" for option in shown if option.mean_score is not None]
    judged = f"{mine.move.token} is the best move known: " if mine is best else ""
    games = f" ({plural(mine.samples, 'game')} each)" if mine.samples else ""
    scores = f"; mean scores by playouts{games}: {'; '.join(means)}" if means else ""
    yield f"Coach: {judged}no chance to win is known{scores}."
    if best.line_score is not None:
        yield f"The best line that a search found begins with {best.move.token} and scores {best.line_score}."
