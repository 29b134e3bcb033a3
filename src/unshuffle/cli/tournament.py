"""`unshuffle tournament`."""

from __future__ import annotations

import sys
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer

from unshuffle.cli import figures, show
from unshuffle.cli.arguments import GameArguments, GeneratorOption, JsonOption, SeedArguments
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.figures import NameOption, StoreOption, ThreadsOption, complete_policies
from unshuffle.cli.progress import ProgressLine
from unshuffle.deals import OURS
from unshuffle.errors import UsageError
from unshuffle.game import AnyGame
from unshuffle.simulate import Pair, Tournament, TournamentInterrupted, play_tournament, policy_of
from unshuffle.study.statistics import Paired, holm, mcnemar

EXAMPLES = (
    "unshuffle tournament belle-lucie --policy greedy --policy random --seeds 0..999",
    "unshuffle tournament belle-lucie --policy random --policy random:seed=1 --seeds 0..99 --json",
)


def tournament(
    choice: GameArguments,
    policy: Annotated[
        list[str],
        typer.Option("--policy", metavar="P", help="Who plays; at least two.", autocompletion=complete_policies),
    ],
    seeds: Annotated[str, typer.Option(metavar="A..B", help="All deals from A to B, both included.")],
    generator: GeneratorOption = None,
    threads: ThreadsOption = None,
    json: JsonOption = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the rates with their intervals, as PNG or SVG.")
    ] = None,
    store: StoreOption = None,
    name: NameOption = None,
) -> ExitCode:
    """Let several policies play the same deals, and compare them.

    Every policy sees only what a player sees (hidden information). The differences are paired, deal by deal: McNemar's
    exact test, corrected after Holm for the number of comparisons. The results go into the store; games that are there
    already are not played again.

    Exit codes: 0 done, 2 wrong usage, 74 the store cannot be used, 130 Ctrl-C (what was played so far is printed
    first).
    """
    asked = SeedArguments(seeds=seeds, generator=generator)
    asked.check()
    numbers = asked.numbers
    assert numbers is not None
    if len(policy) < 2:
        raise UsageError("a tournament needs at least two policies: --policy A --policy B")
    if plot is not None:
        figures.check_plot(plot)
    figures.need("scipy", "an interval")
    game = choice.game
    chosen = [policy_of(game, text) for text in policy]
    progress = ProgressLine()
    begun = monotonic()
    code = ExitCode.DONE
    from unshuffle.store import Store

    try:
        with Store.open(store) as opened:
            ended = play_tournament(
                game,
                chosen,
                numbers,
                generator=generator or OURS,
                threads=threads,
                store=opened,
                study=name,
                progress=progress.deals,
            )
        figures.note_missing(len(ended), len(numbers))
    except TournamentInterrupted as interrupted:
        code, ended = ExitCode.INTERRUPTED, interrupted.tournament
    finally:
        progress.clear()
    seconds = monotonic() - begun
    compared = _compare(ended)
    if json:
        _print_json(ended, compared)
    else:
        page = show.Page(sys.stdout)
        _print_tables(page, ended, compared, numbers, generator or OURS, code is ExitCode.INTERRUPTED)
        page.line()
        page.line(figures.speed(progress.done, seconds))
    if plot is not None:
        _draw(game, ended, generator or OURS, plot)
    return code


def _compare(ended: Tournament) -> list[tuple[Pair, Paired, float]]:
    """Every comparison with its test, and with its p corrected for the number of them."""
    pairs = ended.pairs()
    tests = [mcnemar(pair.only_a, pair.only_b, pair.both, pair.neither) for pair in pairs]
    return list(zip(pairs, tests, holm([test.p for test in tests]), strict=True))


def _print_json(ended: Tournament, compared: list[tuple[Pair, Paired, float]]) -> None:
    page = show.Page(sys.stdout)
    for games in ended.simulations:
        show.json_line(page, figures.numbers(games))
    for pair, test, p_holm in compared:
        values: dict[str, Any] = {
            "a": pair.a,
            "b": pair.b,
            "only_a": pair.only_a,
            "only_b": pair.only_b,
            "p": test.p,
            "p_holm": p_holm,
            "difference": test.difference,
            "low": test.low,
            "high": test.high,
        }
        show.json_line(page, {"comparison": values})


def _print_tables(
    page: show.Page,
    ended: Tournament,
    compared: list[tuple[Pair, Paired, float]],
    seeds: range,
    generator: str,
    interrupted: bool,
) -> None:
    first = ended.simulations[0]
    page.line(f"{len(ended.simulations)} policies on the same deals, {seeds[0]}..{seeds[-1]}")
    page.line(f"of {figures.conditions(first.game, generator, first.information)}")
    page.line()
    if interrupted:
        page.line("Interrupted; the deals that every policy has played so far:")
    if not len(ended):
        page.line("no deals")
        return
    rows = [["policy", "games", "won", "proportion", "odds", "mean score"]]
    for games in ended.simulations:
        rate = figures.rate(games)
        rows.append(
            [games.policy, f"{len(games):,}", f"{games.wins:,}", str(rate), str(rate.odds), figures.write_mean(games)]
        )
    for line in figures.table(rows, left=(0, 3, 4, 5)):
        page.line(line)
    page.line()
    rows = [["a", "b", "only a won", "only b won", "a - b, points", "p", "p (Holm)"]]
    for pair, test, p_holm in compared:
        difference = _points(test)
        rows.append([pair.a, pair.b, f"{pair.only_a:,}", f"{pair.only_b:,}", difference, _p(test.p), _p(p_holm)])
    for line in figures.table(rows, left=(0, 1, 4)):
        page.line(line)
    page.line()
    page.line("95 % intervals: Wilson's for proportion and odds, the normal one for means, Tango's for differences.")
    page.line(
        f"p: McNemar's exact test, deal by deal; Holm's correction for {show.plural(len(compared), 'comparison')}."
    )


def _points(test: Paired) -> str:
    """The difference of two rates in percentage points, to the digits that the interval supports."""
    from math import ceil, log10

    assert test.difference is not None
    digits = max(1, ceil(-log10(50 * (test.high - test.low))))
    value, low, high = (f"{100 * each:+.{digits}f}" for each in (test.difference, test.low, test.high))
    return f"{value} [{low}, {high}]"


def _p(p: float) -> str:
    return "<1e-300" if p < 1e-300 else f"{p:.2g}"


def _draw(game: AnyGame, ended: Tournament, generator: str, path: Path) -> None:
    from unshuffle.study.plots import RateRow, Source, plot_rates

    rows = [
        RateRow(games.policy, figures.rate(games), Source(game.id, game.variant, games.information, generator, "none"))
        for games in ended.simulations
    ]
    with figures.writing(path):
        plot_rates(rows, path, title=f"{game}: win rates")
