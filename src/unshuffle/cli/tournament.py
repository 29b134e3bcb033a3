"""`unshuffle tournament`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer

from unshuffle.cli import figures, show, standings
from unshuffle.cli.arguments import GameArguments, GeneratorOption, JsonOption, SeedsOption
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.figures import NameOption, StoreOption, ThreadsOption, complete_policies
from unshuffle.cli.figures import about_game as about_game
from unshuffle.cli.standings import Standings
from unshuffle.cli.taking_part import Asked, Field, Run
from unshuffle.errors import UsageError
from unshuffle.options import GameOptions

EXAMPLES = (
    "unshuffle tournament belle-lucie --policy greedy --policy random --seeds 0..999",
    "unshuffle tournament belle-lucie --policy random --policy random:seed=1 --seeds 0..99 --json",
)


def tournament(
    choice: GameArguments,
    own: GameOptions,
    policy: Annotated[
        list[str] | None,
        typer.Option("--policy", metavar="P", help="A policy; repeatable.", autocompletion=complete_policies),
    ] = None,
    seeds: SeedsOption = None,
    generator: GeneratorOption = None,
    decks: Annotated[
        str | None, typer.Option("--decks", metavar="N,N", help="Decks of the store, by id: 1,2,5 or 1..5.")
    ] = None,
    deck_file: Annotated[
        Path | None, typer.Option("--deck-file", metavar="FILE", help="A file of decks, one to a line.")
    ] = None,
    threads: ThreadsOption = None,
    race: Annotated[
        bool, typer.Option("--race", help="Drop policies that are far behind after each block of deals; exploratory.")
    ] = False,
    detail: Annotated[bool, typer.Option("--detail", help="Print every game, with its moves.")] = False,
    json: JsonOption = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the rates with their intervals, as PNG or SVG.")
    ] = None,
    store: StoreOption = None,
    name: NameOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before a long run.")] = False,
) -> ExitCode:
    """Let several policies play the same deals, and compare them.

    Every policy sees only what a player sees (hidden information). Policies are compared in pairs, deal by deal, with
    McNemar's exact test and Holm's correction for the number of comparisons. The results go into the store; games that
    it has already are not played again. A game may add policies and options of its own: see `unshuffle tournament GAME
    --help`.

    Exit codes: 0 done, 2 wrong usage, 74 the store cannot be used, 255 bad input, 130 Ctrl-C (the results so far are
    printed first).
    """
    if json and detail:
        raise UsageError("--json and --detail exclude each other")
    field = Field.enter(choice.game, own, policy or ())
    asked = Asked.of(choice.game, own, seeds, decks, deck_file, generator)
    if plot is not None:
        figures.check_plot(plot)
    figures.need("scipy", "an interval")
    run = Run(field, asked, name, threads, race, _settings(own, race))
    from unshuffle.store import Store

    with Store.open(store, create=decks is None) as opened:
        if field.lists and not run.agree(opened, yes):
            print("Nothing was played", file=sys.stderr)
            return ExitCode.DONE
        begun = monotonic()
        result, games, is_interrupted = run.play(opened)
        seconds = monotonic() - begun
    page = show.Page(sys.stdout)
    if json:
        compares = not field.lists and not race
        standings.print_json(page, result, ranks=own.ranks_lists, compares=compares)
    else:
        _print(page, run, result, own, detail=detail, is_interrupted=is_interrupted)
        page.line()
        page.line(figures.speed(games, seconds))
    if plot is not None:
        standings.draw(result, asked.generator, plot, ranks=own.ranks_lists)
    return ExitCode.INTERRUPTED if is_interrupted else ExitCode.DONE


def _settings(own: GameOptions, race: bool) -> dict[str, Any]:
    """Return the options that the store keeps with the results."""
    given = {name: value for name, value in asdict(own).items() if value}
    return given | ({"race": True} if race else {})


def _print(
    page: show.Page, run: Run, result: Standings, own: GameOptions, *, detail: bool, is_interrupted: bool
) -> None:
    if detail:
        for line in standings.games_in_lines(result):
            page.line(line)
        page.line()
    first = result.simulations[0]
    page.line(f"{run.field} on the same deals, {run.asked}")
    page.line(f"of {figures.conditions(first.game, run.asked.generator, first.information)}")
    page.line()
    if is_interrupted:
        page.line("Interrupted; the deals that every policy has played so far:")
    if not result.deals:
        page.line("no deals")
        return
    is_first = True
    for part in _parts(run, result, own):
        lines = list(part)
        for line in lines if is_first or not lines else ["", *lines]:
            page.line(line)
        is_first = is_first and not lines


def _parts(run: Run, result: Standings, own: GameOptions) -> Iterator[Iterator[str]]:
    """Yield the parts of the page; the caller separates them by blank lines."""
    if not own.ranks_lists:
        yield standings.policies_in_rows(result)
        yield standings.games_by_number(result)
        yield standings.pairs_in_rows(result)
        return
    yield standings.entered_in_rows(own.played_as())
    yield standings.ranking_in_rows(result)
    yield standings.decks_in_rows(result)
    yield standings.rules_in_rows(result)
    yield standings.scores_in_rows(result)
    if not run.is_race and 1 < len(result.simulations) <= standings.FEW:
        yield standings.pairs_in_rows(result)
