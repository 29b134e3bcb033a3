"""Results of policies as text: win rates with intervals, scores, and the conditions of the measurement."""

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
        help="The store (an SQLite file) of the results.  [default: $UNSHUFFLE_STORE, or ./unshuffle.sqlite]",
        show_default=False,
    ),
]
NameOption = Annotated[
    str | None, typer.Option("--name", metavar="NAME", help="The study in the store to which the results belong.")
]
ThreadsOption = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        help="Threads for policies that the engine plays; the results do not depend on it.",
        min=1,
        max=MOST_THREADS,
    ),
]


def complete_policies(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the policies of the game that is named on the line already."""
    try:
        game = find_game(ctx.params.get("game_id") or next(iter(ctx.args), ""))
    except UsageError:
        return []
    return [name for name in policies(game) if name.startswith(incomplete)]


def about_game(game: str) -> str:
    """Return a line for the help page with the policies of this game."""
    return f"Policies of {game}: {', '.join(policies(find_game(game)))} (docs/simulate.md describes them)."


def need(module: str, purpose: str) -> None:
    """Raise UsageError with the command that installs a module, if it is missing."""
    try:
        import_module(module)
    except ImportError:
        raise UsageError(f"{purpose} needs {module}; pip install 'unshuffle[study]' brings it") from None


def rate(games: Simulation) -> Rate:
    """Return the win rate."""
    return Rate(games.wins, len(games) - games.wins)


def mean(games: Simulation) -> tuple[float | None, Interval | None]:
    """Return the mean score and its interval, each None if there are too few games."""
    moments = Moments.of_counts(games.score_counts)
    return moments.mean, None if moments.mean is None else mean_interval(moments.mean, moments.sd, moments.count)


def write_mean(games: Simulation) -> str:
    """Return the mean score with its interval, as text."""
    value, interval = mean(games)
    if value is None:
        return "none"
    return f"{value:.2f}" if interval is None else f"{value:.2f} [{interval.low:.2f}, {interval.high:.2f}]"


def conditions(game: AnyGame, generator: str | None, information: str) -> str:
    """Return the game, the generator and the information that the policy has, as text."""
    dealt = "typed" if generator is None else f"generator {generator}"
    return f"{game}, {dealt} ({INFORMATION[information]})"


def overview(games: Simulation) -> Iterator[str]:
    """Yield lines with the wins, the odds, the mean score and the distribution of the scores."""
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
    """Return a histogram of the scores, as wide as the terminal."""
    return histogram(games.score_counts, width=max(40, min(100, shutil.get_terminal_size().columns)))


def rule_table(games: Simulation) -> Iterator[str]:
    """Yield a table of how often each numbered rule of the policy moved, in won games and in all games."""
    rows = [[games.counted.number, "won games", "all games", games.counted.words]]
    for number, words in games.rule_words.items():
        counts = (games.won_rule_counts.get(number, 0), games.rule_counts.get(number, 0))
        rows.append([str(number), *(f"{count:,}" for count in counts), words])
    yield from table(rows, left=(3,))


def table(rows: Sequence[Sequence[str]], left: Sequence[int]) -> Iterator[str]:
    """Yield rows with aligned columns: those in `left` to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()


def speed(games: int, seconds: float, engine: str | None = None) -> str:
    """Return the number of games, the time and the speed, as text."""
    if not games:
        return "no game was played: all of them were in the store"
    played = f"{plural(games, 'game')} in {duration(seconds)}{tell_speed(games, seconds, 'games')}"
    return played if engine is None else f"{played}, {engine} engine"


def numbers(games: Simulation) -> dict[str, Any]:
    """Return the figures of one policy for JSON."""
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
    """Print a note on stderr if another process still plays some of the deals."""
    if games < asked:
        missing = f"{games:,} of {asked:,} deals are done; another process plays the rest"
        print(f"unshuffle: {missing}. Run this again to see them all", file=sys.stderr)


def check_plot(path: Path) -> None:
    """Raise UsageError if this plot cannot be drawn. Called before any game is played."""
    from unshuffle.study.plots import check_format

    check_format(path)
    need("matplotlib", "--plot")
