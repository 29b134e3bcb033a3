"""`unshuffle episodes`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from unshuffle.cli import show
from unshuffle.cli.arguments import GameArguments, JsonOption, LimitArguments, SeedArguments
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.figures import about_game as about_game
from unshuffle.cli.figures import complete_policies, need
from unshuffle.cli.progress import ProgressLine
from unshuffle.deals import OURS, Source
from unshuffle.errors import UsageError
from unshuffle.game import INFORMATION
from unshuffle.simulate import policy_of
from unshuffle.solve import MOST_THREADS

EXAMPLES = (
    "unshuffle episodes belle-lucie --solver --seeds 0..999 --out wins.parquet",
    "unshuffle episodes aces-up --policy greedy --seeds 0..999 --obs flat --out greedy.parquet",
    "unshuffle episodes gaps --variant montana --policy random --seeds 0..99 --reward win --out random.parquet --json",
)

LEFT_OUT = {
    "over": "over before the first move",
    "unsolvable": "unsolvable",
    "undecided": "undecided: a limit was hit",
    "too_long": "won in more than {most:,} steps, the limit of an episode: see --max-steps",
}
"""Reasons why a deal has no episode."""


class Obs(StrEnum):
    """The form of observations."""

    DICT = "dict"
    FLAT = "flat"


class Reward(StrEnum):
    """The kind of reward."""

    DELTA = "delta"
    SHAPED = "shaped"
    WIN = "win"


@dataclass(frozen=True, kw_only=True)
class EpisodeArguments:
    """The player of the episodes, and their observations, rewards and length."""

    policy: Annotated[
        str | None,
        typer.Option(
            "--policy",
            metavar="P",
            help="The policy that plays: random, greedy, random:seed=3.",
            autocompletion=complete_policies,
        ),
    ] = None
    solver: Annotated[
        bool,
        typer.Option("--solver", help="The solver plays, with all cards known; only its wins are written."),
    ] = False
    obs: Annotated[Obs, typer.Option("--obs", help="Observations as a dictionary, or as one flat vector of bytes.")] = (
        Obs.DICT
    )
    reward: Annotated[
        Reward,
        typer.Option(
            "--reward",
            help="delta: change of the score; shaped: 1 for a win, plus change of a potential; win: 1 for a win.",
        ),
    ] = Reward.DELTA
    gamma: Annotated[
        float, typer.Option("--gamma", metavar="G", help="The discount factor of returns and of shaped rewards.")
    ] = 0.99
    max_steps: Annotated[
        int | None,
        typer.Option(
            "--max-steps",
            metavar="N",
            help="The most steps of an episode; 0: no limit.  [default: the environment's]",
            min=0,
        ),
    ] = None


def episodes(
    choice: GameArguments,
    deals: SeedArguments,
    limits: LimitArguments,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The Parquet file to write.")],
    played: EpisodeArguments,
    threads: Annotated[
        int | None,
        typer.Option("--threads", metavar="N", help="Deals that the engine plays at once.", min=1, max=MOST_THREADS),
    ] = None,
    json: JsonOption = False,
) -> ExitCode:
    """Write the games of a policy or the solver as training data.

    Each deal is an episode of the game's Gymnasium environment and one row of a Parquet file: observations, masks,
    actions, rewards and returns. A policy sees only what a player sees (hidden information); the solver sees all cards.
    Deals that the solver does not win, and wins longer than --max-steps, are left out and counted. The file is written
    whole or not at all. docs/envs/episodes.md lists its columns.

    Exit codes: 0 done, 2 wrong usage, 130 Ctrl-C (no file is written then).
    """
    if (played.policy is None) != played.solver:
        raise UsageError("who plays? Give either --policy P or --solver")
    if not played.solver and limits != LimitArguments():
        raise UsageError("--nodes, --seconds and --memory are limits of --solver")
    deals.check()
    if not deals.given():
        raise UsageError("which deals? Give --seeds A..B, or --seed N")
    game = choice.game
    chosen = None if played.policy is None else policy_of(game, played.policy)
    need("pyarrow", "writing Parquet")
    library = _library()
    generator = deals.generator or OURS
    seeds: Sequence[int | Source] = [deals.source] if deals.numbers is None else deals.numbers
    progress = ProgressLine()
    try:
        written = library.write_episodes(
            out,
            game,
            chosen,
            seeds,
            generator=generator,
            obs=played.obs.value,
            reward=played.reward.value,
            gamma=played.gamma,
            max_episode_steps=-1 if played.max_steps == 0 else played.max_steps,
            threads=threads,
            limits=limits.keywords() if played.solver else None,
            progress=lambda done: progress.deals(done, len(seeds)),
        )
    finally:
        progress.clear()
    about = {
        "game": game.id,
        "variant": game.variant,
        "deals": [str(library.deal_id(game, seed, generator)) for seed in (seeds[0], seeds[-1])],
        "played_by": "solver" if chosen is None else chosen.name,
        "information": "open" if chosen is None else chosen.information,
        "file": str(out),
    }
    _report(about, asdict(written), played.max_steps or library.most_steps(game), json)
    return ExitCode.DONE


def _library() -> Any:
    """Import and return `envs.episodes`, after all other checks. Raise UsageError if Gymnasium is not installed."""
    try:
        return import_module("unshuffle.envs.episodes")
    except ModuleNotFoundError as error:
        if error.name != "gymnasium":
            raise
        raise UsageError(str(error)) from None


def _report(about: dict[str, Any], counts: dict[str, int], most: int | None, as_json: bool) -> None:
    page = show.Page(sys.stdout)
    for name, why in LEFT_OUT.items():
        if counts[name]:
            print(f"Left out: {show.plural(counts[name], 'deal')} ({why.format(most=most)})", file=sys.stderr)
    if as_json:
        show.json_line(page, about | counts)
        return
    first, last = about["deals"]
    page.line(f"Deals: {first}" + (f" to {last}" if last != first else ""))
    page.line(f"Played by: {about['played_by']} ({INFORMATION[about['information']]})")
    page.line(f"Episodes: {counts['episodes']:,}, {counts['won']:,} won, {show.plural(counts['steps'], 'step')}")
    page.line(f"Written into {about['file']!r}")
