"""`unshuffle simulate GAME FILE --samples N`: the chance to win a position with unknown cards."""

from __future__ import annotations

import sys
from functools import partial

import unshuffle as un
from unshuffle.cli import show
from unshuffle.cli.arguments import DealArguments
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.progress import ProgressLine
from unshuffle.game import AnyGame
from unshuffle.play import beginning


def estimate(
    game: AnyGame, deals: DealArguments, policy: str | None, samples: int, threads: int | None, json: bool
) -> ExitCode:
    """Estimate the chance to win, and print it with its interval and its conditions."""
    state = deals.state(game, partial(beginning.parse, game))
    progress = ProgressLine()
    try:
        found = un.estimate(
            state,
            policy,
            samples=samples,
            threads=threads,
            progress=lambda won, played: progress.text(f"{played:,} of {show.plural(samples, 'game')}, {won:,} won"),
        )
    finally:
        progress.clear()
    page = show.Page(sys.stdout)
    if json:
        low, high = found.interval
        values = {"game": game.id, "variant": game.variant, "deal": state.id, "policy": found.policy}
        values |= {"unknown": found.unknown, "samples": found.samples, "wins": found.wins}
        values |= {"chance": found.chance, "low": low, "high": high, "information": found.information}
        show.json_line(page, values)
        return ExitCode.DONE
    page.line(state.id or f"{game} (typed)")
    page.line(f"Unknown: {found.unknown}.")
    page.line()
    page.line(str(found))
    page.line(
        "In each game what is unknown was dealt by chance. The best player wins at least as often as this policy."
    )
    return ExitCode.DONE
