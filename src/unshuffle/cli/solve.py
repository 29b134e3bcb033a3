"""`unshuffle solve`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import unshuffle as un
from unshuffle.cli import show
from unshuffle.cli.arguments import (
    Explain,
    ExplainOption,
    GameArguments,
    JsonOption,
    LimitArguments,
    ManyDealArguments,
    MaximizeOption,
    PlainOption,
)
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.progress import ProgressLine
from unshuffle.cli.rows import CsvRows, JsonRows, ReportRows, Rows, ShortRows
from unshuffle.cli.trace import trace_file
from unshuffle.errors import UsageError
from unshuffle.game import AnyGame
from unshuffle.options import GameOptions
from unshuffle.solve import MOST_THREADS, Result, Status, replay, tidied

if TYPE_CHECKING:
    from unshuffle.hidden.chance import Chance

EXAMPLES = (
    "unshuffle solve belle-lucie --seed 7",
    "unshuffle solve belle-lucie deal.txt --explain full",
    "unshuffle deal belle-lucie --seed 7 | unshuffle solve belle-lucie --json",
    "unshuffle solve belle-lucie --seeds 0..999 --csv --save-wins wins > results.csv",
    "unshuffle solve belle-lucie one.txt two.txt --csv",
    "unshuffle solve belle-lucie --seed 7 --trace trace.jsonl",
)


def solve(
    choice: GameArguments,
    deals: ManyDealArguments,
    limits: LimitArguments,
    own: GameOptions,
    maximize: MaximizeOption = False,
    shorten: Annotated[
        bool, typer.Option("--shorten", help="Search for a shorter line with the same result in the time that is left.")
    ] = False,
    explain: ExplainOption = None,
    plain: PlainOption = False,
    stats: Annotated[
        bool, typer.Option("--stats", help="Also print the statistics of the search in the text answer.")
    ] = False,
    threads: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Deals searched at once.  [default: all cores]",
            min=1,
            max=MOST_THREADS,
        ),
    ] = None,
    json: JsonOption = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print a row per deal, without the moves.")] = False,
    save_wins: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a text file for each win into this folder.")
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a JSON line for every position of the search."),
    ] = None,
) -> ExitCode:
    """Decide whether a deal can be won, and show how.

    The deal is a text FILE, a number, or typed at the keyboard. The search knows all its cards. Several FILEs are
    several deals, and each answer names its file. An answer is proved, or says that a limit was hit. The rules replay
    every line of play before it is shown. A game may add options of its own: see `unshuffle solve GAME --help`.

    If the order of a redeal is unknown, the search looks for a win without it. If there is none, the answer has the
    chance to win with it.

    Exit codes: 0 solved, 1 unsolvable, 3 undecided (a limit was hit, or only an unknown redeal could win), 2 wrong
    usage, 255 bad input, 74 the answer cannot be written, 130 Ctrl-C. With --seeds or several FILEs: 0 if all deals
    were decided, 3 if any was not.
    """
    if json and csv:
        raise UsageError("--json and --csv exclude each other")
    if trace is not None and deals.are_many:
        raise UsageError("--trace follows the search of one deal; it goes with neither --seeds nor several FILEs")
    deals.check()
    game = own.game(choice.game, choice.given)
    if own.player is not None:
        from unshuffle.cli.play_out import play_out  # slow to import, and seldom needed

        _check_play_out(
            {
                "--seeds": deals.seeds, "a second FILE": deals.more, "--csv": csv, "--maximize": maximize,
                "--shorten": shorten, "--trace": trace,
            }
        )  # fmt: skip
        return play_out(game, own.table(*deals.read(game)), own.player, explain, json, save_wins)
    table = None if deals.are_many else own.table(*deals.read(game))
    tables = [own.table(*read) for read in deals.read_each(game)]
    notes = own.notes(game, table)
    asked = own.single(game, table)
    if others := [name for name, each in zip(deals.files, tables, strict=True) if own.single(game, each) != asked]:
        raise UsageError(f"{others[0]!r} is another deal of its game than the first one; ask about it alone")
    outputs = list(_outputs(asked, deals, explain, plain, json, csv, notes, stats))
    if save_wins is not None:
        outputs.append(_WinsSaved(asked, save_wins))
    options = limits.keywords() | {"maximize": maximize, "shorten": shorten, "without": own.switched_off}
    if table is not None:
        with trace_file(trace) as write:
            return _solve_one(own.question(game, table), options | {"trace": write}, outputs)
    states = [own.question(game, each) for each in tables]
    return _solve_many(asked, deals, states, options | {"threads": threads}, outputs)


def _check_play_out(others: dict[str, object]) -> None:
    """Raise UsageError if an option is given that does not go with --redeal."""
    for name, value in others.items():
        if value:
            raise UsageError(f"{name} does not go with --redeal, which plays one game; for many see `simulate`")


def _outputs(
    game: AnyGame,
    deals: ManyDealArguments,
    explain: Explain | None,
    plain: bool,
    json: bool,
    csv: bool,
    notes: list[str],
    stats: bool,
) -> Iterator[Rows]:
    has_report = not json and not csv and (not deals.are_many or explain is not None or stats)
    if json:
        yield JsonRows(game, deals.files)
    elif csv:
        yield CsvRows(game, deals.files)
    elif not has_report:
        yield ShortRows(game, deals.files)
    # With --json or --csv, text that was asked for goes to stderr.
    if has_report or explain is not None or stats:
        page = show.Page(sys.stdout if has_report else sys.stderr, plain)
        yield ReportRows(game, page, explain or Explain.SHORT, notes, stats, deals.files)
    else:
        for note in notes:
            print(note, file=sys.stderr)


class _WinsSaved:
    """An output that writes each win to a file."""

    def __init__(self, game: AnyGame, folder: Path) -> None:
        from unshuffle.cli.history import Histories

        self._game = game
        self._histories = Histories(folder)

    def add(self, result: Result, chance: Chance | None = None) -> None:
        if result.status is Status.SOLVED:
            search = f"{show.plural(result.stats.nodes, 'node')}, {show.duration(result.stats.seconds)}"
            moves = tidied(result.state, self._game, result.moves)
            line = result.line if moves is result.moves else replay(result.state, moves)
            self._histories.save(self._game, line, f"{result.engine} engine, {search}")

    def finish(self, interrupted: bool) -> None:
        pass


def _solve_one(state: Any, options: dict[str, Any], outputs: list[Rows]) -> ExitCode:
    progress = ProgressLine()
    try:
        result = un.solve(state, **options, progress=progress.search if progress.is_seen else None)
        code = ExitCode.of(result.status)
    except un.Interrupted as interrupted:
        result, code = interrupted.result, ExitCode.INTERRUPTED
    finally:
        progress.clear()
    _show(result, outputs)
    return code


def _show(result: Result, outputs: list[Rows]) -> None:
    chance = None
    if result.status is Status.UNKNOWN_REDEALS:
        from unshuffle.play.thinking import Times, ask_chance  # slow to import, and seldom needed

        chance = ask_chance(result.state, Times())
    for output in outputs:
        output.add(result, chance)


def _solve_many(
    game: AnyGame, deals: ManyDealArguments, states: list[Any], options: dict[str, Any], outputs: list[Rows]
) -> ExitCode:
    if states:
        results = un.solve_many(states, **options)
    elif deals.plain_seeds is not None:
        results = un.solve_many(game, seeds=deals.plain_seeds, **options)
    else:
        results = un.solve_many((state for state, _ in game.deal_each(deals.sources())), **options)
    progress = ProgressLine()
    done = 0
    code = ExitCode.DONE
    try:
        for result in results:
            progress.clear()
            _show(result, outputs)
            done += 1
            if not result.is_decided:
                code = ExitCode.UNDECIDED
            progress.deals(done, len(states) or deals.count)
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    finally:
        progress.clear()
    for output in outputs:
        output.finish(interrupted=code is ExitCode.INTERRUPTED)
    return code
