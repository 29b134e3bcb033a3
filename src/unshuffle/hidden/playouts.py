"""The value of moves where cards are hidden, estimated by playouts, for every such game."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any

from unshuffle import engine
from unshuffle.deals import SplitMix64, shuffled
from unshuffle.errors import UsageError
from unshuffle.hidden.chance import Chance, percent
from unshuffle.hidden.stopping import StoppedError, deaf
from unshuffle.numbers import plural
from unshuffle.rulebook import write_rules
from unshuffle.solve import Status, cores, has_twin

if TYPE_CHECKING:
    from unshuffle.game import AnyGame

SECONDS = 5.0
"""The time for an answer if no number of samples is given."""
FEWEST_SAMPLES = 10
MOST_SAMPLES = 20_000
"""Enough to tell a chance to half a percentage point. The engine takes a second for them, the Python side far
longer."""
_BATCH = 5
"""The fewest samples between two looks at the clock; later a twentieth of those that are done."""
_NORMAL = 1.959963984540054
"""A normal distribution has 95 % of its weight within this many standard deviations."""
_NOISE = 2
"""Differences of up to this many standard errors may be chance."""


@dataclass(slots=True)
class Tally:
    """The results of the games that began with one move."""

    move: Any
    samples: int = 0
    wins: int = 0
    score: int = 0
    """The sum of the scores."""
    most: int = 0
    """The greatest score; 0 before the first game."""

    def add(self, other: Tally) -> None:
        """Add more games with the same move."""
        # Without a game there is no greatest score, and all may be below 0.
        self.most = max(each.most for each in (self, other) if each.samples) if self.samples or other.samples else 0
        self.samples += other.samples
        self.wins += other.wins
        self.score += other.score

    def count(self, score: int, is_won: bool) -> None:
        """Add one game."""
        self.add(Tally(self.move, 1, int(is_won), score, score))


@dataclass(frozen=True, slots=True)
class Option:
    """A move, and the chance to win with it."""

    move: Any
    chance: float | None
    """None if it is not known."""
    low: float | None
    high: float | None
    """The 95 % confidence interval of the chance; where the chance is proved, all three are the same."""
    mean_score: float | None
    samples: int
    """The number of playouts; 0 where the chance is proved."""
    line_score: int | None = field(default=None, kw_only=True)
    """The score of the best line of a search that was cut short, if it begins with this move."""

    @classmethod
    def sampled(cls, tally: Tally) -> Option:
        """Return an option valued by playouts."""
        low, high = wilson(tally.wins, tally.samples)
        mean = round(tally.score / tally.samples, 2)
        return cls(tally.move, tally.wins / tally.samples, low, high, mean, tally.samples)

    @classmethod
    def proved(cls, move: Any, is_won: bool, score: float) -> Option:
        """Return an option whose end a search has proved."""
        return cls(move, float(is_won), float(is_won), float(is_won), float(score), 0)

    @property
    def with_error(self) -> Chance | None:
        """The chance with its standard error, to compare two options."""
        if self.chance is None or self.low is None or self.high is None:
            return None
        # From the interval, so that no win in few games does not count as certain.
        return Chance(self.chance, (self.high - self.low) / 3.92)

    @property
    def values(self) -> dict[str, Any]:
        """The option as JSON values."""
        return {
            "move": self.move.token,
            "win_chance": self.chance,
            "low": self.low,
            "high": self.high,
            "mean_score": self.mean_score,
            "samples": self.samples,
        } | ({} if self.line_score is None else {"line_score": self.line_score})


@dataclass(frozen=True, slots=True)
class Plan:
    """The options, the best one first, and the moves that are recommended."""

    moves: tuple[Any, ...]
    """The best option; a whole line if all cards are known and the search has decided."""
    options: tuple[Option, ...]
    status: Status | None
    """The status of the search if all cards are known; None if some are not."""
    seconds: float


def check_samples(samples: Any) -> None:
    """Raise UsageError unless `samples` is a positive whole number."""
    if not isinstance(samples, Integral) or isinstance(samples, bool) or samples < 1:
        raise UsageError(f"samples={samples!r} is not a number of games; it may be 1 or more")


def estimate(
    view: Any,
    options: Sequence[Any],
    samples: int,
    luck: SplitMix64,
    play_on: Callable[[Any], int],
    most_score: int,
) -> list[Tally]:
    """Return a tally per option, played on by `play_on` in the same sampled states; `most_score` is a win."""
    tallies = [Tally(move) for move in options]
    # Where at most one card is unseen, there is one way to fill it in, and every playout is the same.
    for _ in range(samples if len(view.unseen) > 1 else 1):
        state = view.laid(shuffled(view.unseen, luck))
        for tally in tallies:
            score = play_on(state.play(tally.move))
            tally.count(score, score == most_score)
    return tallies


def weigh_natively(
    game: AnyGame, view: Any, options: Sequence[Any], samples: int, luck: SplitMix64
) -> list[Tally] | None:
    """Return the tallies of `estimate`, computed by the engine much faster; None if the engine cannot."""
    native = engine.native()
    if native is None or not has_twin(game):
        return None
    # It does not matter which cards are filled in here: the engine samples them again.
    position = game.wire(view.laid(view.unseen))
    tokens = [move.token for move in options]
    rows, luck.state = native.playouts(
        game.engine_id, write_rules(view.rules), position, tokens, samples=samples, luck=luck.state, threads=cores()
    )
    return [Tally(move, *row) for move, row in zip(options, rows, strict=True)]


class Stop(Event):
    """An event that is set as soon as the user asks to stop."""

    def __init__(self, is_stopped: Callable[[], bool]) -> None:
        super().__init__()
        self._is_stopped = is_stopped

    def is_set(self) -> bool:
        """Return whether the user has asked to stop."""
        return self._is_stopped()


def never() -> bool:
    """Return False: nobody asks to stop."""
    return False


def sample(
    weigh: Callable[[int], list[Tally]],
    samples: int | None,
    until: float,
    is_stopped: Callable[[], bool] = never,
    fewest: int = FEWEST_SAMPLES,
) -> list[Tally]:
    """Return the tallies of `samples` games per option; if None, of as many as there is time for, at least `fewest`."""
    with deaf():
        tallies = weigh(fewest if samples is None else samples)
    while samples is None and (done := tallies[0].samples) < MOST_SAMPLES and monotonic() < until and not is_stopped():
        try:
            with deaf():
                found = weigh(min(max(min(_BATCH, fewest), done // 20), MOST_SAMPLES - done))
        except StoppedError:
            break
        for tally, further in zip(tallies, found, strict=True):
            tally.add(further)
    return tallies


def wilson(wins: float, samples: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a rate. It is computed here because scipy is installed only for studies."""
    z2 = _NORMAL * _NORMAL
    rate = wins / samples
    middle = (rate + z2 / (2 * samples)) / (1 + z2 / samples)
    half = _NORMAL * math.sqrt(rate * (1 - rate) / samples + z2 / (4 * samples * samples)) / (1 + z2 / samples)
    return (0.0 if wins == 0 else middle - half), (1.0 if wins == samples else middle + half)


def options_table(options: Sequence[Option], describe: Callable[[Any], str]) -> Iterator[str]:
    """Yield a table of the options: move, chance with its interval, mean score, and the move in words."""
    rows = [("move", "win chance", "95 %", "mean score", "")]
    for option in options:
        is_sampled = option.samples > 0 and option.chance is not None
        interval = f"[{100 * (option.low or 0):.1f}, {100 * (option.high or 0):.1f}]" if is_sampled else ""
        chance = "not known" if option.chance is None else percent(option.chance)
        score = "" if option.mean_score is None else f"{option.mean_score:.1f}"
        rows.append((option.move.token, chance, interval, score, describe(option.move)))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for token, chance, interval, score, text in rows:
        cells = token.ljust(widths[0]), chance.rjust(widths[1]), interval.ljust(widths[2]), score.rjust(widths[3]), text
        yield "  ".join(cells).rstrip()


def cut_short(options: Sequence[Option], score_counts: str) -> Iterator[str]:
    """Yield the grounds on which options are ranked after a search that was cut short: its best line, and playouts."""
    yield "The search was cut short, which is not a no."
    for option in options:
        if option.line_score is not None:
            scored = f"{option.line_score} {score_counts}".rstrip()
            yield f"The best line that the search found begins with {option.move.token} and scores {scored}."
    if games := max(option.samples for option in options):
        yield f"The mean scores are by playouts, {plural(games, 'game')} for each move."


def lead(ours: Chance, theirs: Chance) -> tuple[float, str]:
    """Return how many points a chance is ahead of another one, and a remark if that may be noise."""
    points = 100 * (ours.p - theirs.p)
    is_noise = abs(points) <= 100 * _NOISE * math.hypot(ours.se or 0, theirs.se or 0)
    return points, " (within the noise)" * is_noise


def against(first: Option, second: Option, more: str) -> str:
    """Return how far the best option leads the next; `more` is what a greater score has more of: 'cards up'."""
    ours, theirs = first.with_error, second.with_error
    name = second.move.token
    if ours is None or theirs is None:
        is_line = first.line_score is not None and first.line_score > (first.mean_score or 0)
        return ", with which that line begins" if is_line else ""
    points, noise = lead(ours, theirs)
    if points > 0:
        return f", {points:.1f} points before {name}{noise}"
    cards = (first.mean_score or 0) - (second.mean_score or 0)
    if cards <= 0:
        return f", as good as {name} by these games"
    if points < 0:
        return f", {cards:.1f} more {more} than {name}, which is won {-points:.1f} points more often{noise}"
    return f", as often won as {name}, but with {cards:.1f} more {more}"
