"""What games of policies came to, for people: rates with their intervals, scores, and what the numbers rest on."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from unshuffle.cli.show import duration, plural
from unshuffle.cli.show import speed as tell_speed
from unshuffle.errors import UsageError
from unshuffle.game import INFORMATION, AnyGame
from unshuffle.registry import game as find_game
from unshuffle.simulate import Simulation, policies
from unshuffle.solve import MOST_THREADS
from unshuffle.study.histogram import histogram
from unshuffle.study.statistics import Interval, Moments, Rate, mean_interval

StoreOption = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="FILE",
        help="The store that keeps the results.  [default: $UNSHUFFLE_STORE, or unshuffle.sqlite here]",
        show_default=False,
    ),
]
NameOption = Annotated[
    str | None, typer.Option("--name", metavar="NAME", help="The study in the store that they belong to.")
]
ThreadsOption = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        help="For policies that the engine plays; no result depends on it.",
        min=1,
        max=MOST_THREADS,
    ),
]


def complete_policies(ctx: typer.Context, incomplete: str) -> list[str]:
    """Policies of the game that is on the line already."""
    try:
        game = find_game(ctx.params.get("game_id") or next(iter(ctx.args), ""))
    except UsageError:
        return []
    return [name for name in policies(game) if name.startswith(incomplete)]


def about_game(game: str) -> str:
    """A line of the help page: who can play this game."""
    return f"Policies of {game}: {', '.join(policies(find_game(game)))} (docs/simulate.md tells how they play)."


def need(module: str, purpose: str) -> None:
    """Say how to get a part that is not installed, before any game is played."""
    try:
        import_module(module)
    except ImportError:
        raise UsageError(f"{purpose} needs {module}; pip install 'unshuffle[study]' brings it") from None


def rate(games: Simulation) -> Rate:
    """How many were won."""
    return Rate(games.wins, len(games) - games.wins)


def mean(games: Simulation) -> tuple[float | None, Interval | None]:
    """The mean score and its interval, as far as there are enough games for them."""
    moments = Moments.of_counts(games.score_counts)
    return moments.mean, None if moments.mean is None else mean_interval(moments.mean, moments.sd, moments.count)


def write_mean(games: Simulation) -> str:
    """The mean score with its interval."""
    value, interval = mean(games)
    if value is None:
        return "none"
    return f"{value:.2f}" if interval is None else f"{value:.2f} [{interval.low:.2f}, {interval.high:.2f}]"


def conditions(game: AnyGame, generator: str | None, information: str) -> str:
    """What the numbers rest on."""
    dealt = "typed" if generator is None else f"generator {generator}"
    return f"{game}, {dealt} ({INFORMATION[information]})"


def overview(games: Simulation) -> Iterator[str]:
    """Wins, odds, mean and the distribution of the scores."""
    counted = rate(games)
    yield f"Games:      {len(games):,}"
    yield f"Won:        {games.wins:,}"
    if not len(games):
        return
    counts = games.game.score_counts
    yield f"Proportion: {counted}"
    yield f"Odds:       {counted.odds}"
    yield f"Mean score: {write_mean(games)} of {games.game.most_score}{counts and ' ' + counts}"
    yield "            (95 % intervals: Wilson's for proportion and odds, the normal one for the mean)"
    yield ""
    yield from score_bars(games)
    if games.rule_counts:
        yield ""
        yield from rule_table(games)


def score_bars(games: Simulation) -> list[str]:
    """How often each score came, with bars as wide as the terminal."""
    return histogram(games.score_counts, width=max(40, min(100, shutil.get_terminal_size().columns)))


def rule_table(games: Simulation) -> Iterator[str]:
    """How often each numbered rule of the policy moved, in won games and in all, with what it does."""
    rows = [[games.counted.number, "won games", "all games", games.counted.words]]
    for number, words in games.rule_words.items():
        counts = (games.won_rule_counts.get(number, 0), games.rule_counts.get(number, 0))
        rows.append([str(number), *(f"{count:,}" for count in counts), words])
    yield from table(rows, left=(3,))


def table(rows: Sequence[Sequence[str]], left: Sequence[int]) -> Iterator[str]:
    """Rows in columns; those named in `left` are words, the others numbers."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()


def speed(games: int, seconds: float, engine: str | None = None) -> str:
    """How fast it went."""
    if not games:
        return "no game was played: all of them were in the store"
    played = f"{plural(games, 'game')} in {duration(seconds)}{tell_speed(games, seconds, 'games')}"
    return played if engine is None else f"{played}, {engine} engine"


def numbers(games: Simulation) -> dict[str, Any]:
    """The figures of one policy as JSON has them."""
    counted = rate(games)
    value, interval = mean(games)
    counts = games.score_counts
    first, last = min([0, *counts]), max([games.game.most_score, *counts])
    return {
        "game": games.game.id,
        "variant": games.game.variant,
        "policy": games.policy,
        "information": games.information,
        "n": len(games),
        "wins": games.wins,
        "p": counted.rate,
        "p_low": counted.low,
        "p_high": counted.high,
        "odds": None if counted.odds is None else counted.odds.one_in,
        "mean": value,
        "mean_low": None if interval is None else interval.low,
        "mean_high": None if interval is None else interval.high,
        "scores_from": first,
        "scores": [counts.get(score, 0) for score in range(first, last + 1)],
    }


def note_missing(games: int, asked: int) -> None:
    """Say on stderr that another process is at work on some of the deals."""
    if games < asked:
        missing = f"{games:,} of {asked:,} deals are done; another process plays the rest"
        print(f"unshuffle: {missing}. Run this again to see them all", file=sys.stderr)


def check_plot(path: Path) -> None:
    """Refuse a picture that cannot be drawn, before any game is played."""
    from unshuffle.study.plots import check_format

    check_format(path)
    need("matplotlib", "--plot")
