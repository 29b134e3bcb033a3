"""`unshuffle values`: build, show."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

import unshuffle as un
from unshuffle.cli import show as pages
from unshuffle.cli.arguments import GameArgument, GameArguments, JsonOption, load_files
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.progress import ProgressLine
from unshuffle.errors import UsageError, in_a_line, quote
from unshuffle.options import GameOptions
from unshuffle.registry import games_with
from unshuffle.solve import MOST_THREADS
from unshuffle.values.building import Values

_SHOW_EXAMPLES = (
    'unshuffle values show belle-lucie "9 13 13 13"',
    "unshuffle values show belle-lucie 9C KD KH KS --variant merci",
    'unshuffle values show gaps "9 9 8 8" --variant addiction',
)
_BUILD_EXAMPLES = ("unshuffle values build belle-lucie", "unshuffle values build aces-up --out mine.json")
EXAMPLES = (_SHOW_EXAMPLES[0], _BUILD_EXAMPLES[0])


def _values() -> dict[str, Values]:
    """Return the values of each game that has any."""
    return {game: un.game(game).own("values")() for game in games_with("values")}


def _outs() -> str:
    *some, last = (each.out for each in _values().values())
    return f"The file to write.  [default: {', '.join(some)} or {last}]"


def _heights() -> str:
    return " ".join(f"{game}: {each.heights}." for game, each in _values().items() if each.heights)


def values() -> None:
    """Build and look up value tables for advice and policies.

    The value of a redeal is the chance to win after it. The package has tables of these values, which advice and the
    policy `value` use. The policy `planner` of Aces Up uses a value function of the table before a deal.
    """


def build(
    game_id: GameArgument,
    own: GameOptions,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="The random seed of the deals.  [default: 1]", min=0, show_default=False),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(metavar="N", help="Threads; no effect on results.  [default: all cores]", min=1, max=MOST_THREADS),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help=_outs(), show_default=False)] = None,
) -> ExitCode:
    """Build value tables, and write them to a file.

    Finished work is kept in FILE.part. After an interruption the same command continues from there, and the result is
    the same to the byte.

    Exit codes: 0 done, 2 wrong usage, 130 Ctrl-C.
    """
    found = _values_of(game_id, "build", list(_values()))
    from unshuffle.deals import LAST_SEED  # here: only `build` needs it

    if seed is not None and seed > LAST_SEED:
        raise UsageError(f"seeds are 0..{LAST_SEED}, not {seed}")
    if out is not None and out.is_dir():  # checked before the work
        raise UsageError(f"--out: {quote(str(out))} is a folder; name a file in it")
    said = {name.rstrip("_"): value for name, value in asdict(own).items()} | {"seed": seed}
    from unshuffle.values.building import partial_of

    building = found.building({name: value for name, value in said.items() if value is not None}, out)
    progress = ProgressLine()
    try:
        notes = building.run(threads, progress.text)
    except KeyboardInterrupt:
        progress.clear()
        print(f"Interrupted; the same command goes on from {str(partial_of(building.path))!r}", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except OSError as error:
        raise UsageError(f"--out: cannot write {quote(str(building.path))}: {error.strerror}") from None
    finally:
        progress.clear()
    page = pages.Page(sys.stdout)
    page.line(f"{in_a_line(building.path)}: {building.what}; {building.path.stat().st_size:,} bytes")
    for note in notes:
        page.line(note)
    return ExitCode.DONE


def show(
    choice: GameArguments,
    heights: Annotated[
        list[str],
        typer.Argument(metavar="HEIGHTS", help=_heights()),
    ],
    json: JsonOption = False,
) -> ExitCode:
    """Show the chance to win after a redeal.

    The order of the four numbers does not matter. Each chance comes with its standard error, and with the number of
    deals from which it was estimated.
    """
    load_files(choice.load)
    own = _values_of(choice.game_id, "show", [game for game, each in _values().items() if each.heights])
    found, lines = own.show(choice.game, heights)
    page = pages.Page(sys.stdout)
    if json:
        pages.json_line(page, {"game": choice.game.id, "variant": choice.game.variant} | found)
        return ExitCode.DONE
    for line in lines:
        page.line(line)
    return ExitCode.DONE


def _values_of(name: str, verb: str, games: list[str]) -> Values:
    found = un.game(name).own("values")
    if name not in games:
        raise UsageError(f"there are no values of {name} to {verb}; there are of {', '.join(games)}")
    return found()  # type: ignore[no-any-return] # the manifest names it


SUBCOMMANDS = {"build": (build, _BUILD_EXAMPLES), "show": (show, _SHOW_EXAMPLES)}
