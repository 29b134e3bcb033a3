"""`unshuffle advise`."""

from __future__ import annotations

import sys
from math import isnan
from pathlib import Path
from typing import Annotated, Any

import typer

from unshuffle.advise import adviser_of
from unshuffle.advise.console import Console
from unshuffle.advise.folder import is_id
from unshuffle.cli import show
from unshuffle.cli.arguments import (
    DealArguments,
    Explain,
    GameArguments,
    GeneratorOption,
    JsonOption,
    PlainOption,
    SamplesOption,
    SavesOption,
    SeedOption,
)
from unshuffle.cli.console import console_on, paint, usable_id
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.reading import read_text
from unshuffle.errors import ParseError, UsageError, quote
from unshuffle.hidden.stopping import StoppedError, stoppable
from unshuffle.options import GameOptions
from unshuffle.solve import check_techniques
from unshuffle.solve.limits import Limits, parse_memory

EXAMPLES = (
    "unshuffle advise belle-lucie --variant merci",
    "unshuffle advise belle-lucie --id my-game",
    "unshuffle advise belle-lucie position.txt --variant classic --json",
    "unshuffle advise belle-lucie --id my-game --export my-game.md",
    "unshuffle advise agnes --seed 7 --json",
)

_OPEN_SECONDS = 10.0
"""The default time limit of the open solver."""


def advise(
    choice: GameArguments,
    own: GameOptions,
    file: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="A position as text, for one answer; - is stdin.", show_default=False),
    ] = None,
    seed: SeedOption = None,
    generator: GeneratorOption = None,
    name: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="Open or begin the game with this id, without the menu.")
    ] = None,
    saves: SavesOption = None,
    export: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --id: write the game to a .txt, .md or .json file; exit.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", "-f", help="With --export: overwrite an existing file.", show_default=False)
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="S", help="Time of an answer.  [default: 5, or the game's own]", min=0.01, max=86400),
    ] = None,
    samples: SamplesOption = None,
    explain: Annotated[
        Explain,
        typer.Option(
            help="none: the value of the plan; short: also its moves; full: also the table then, and a rule of thumb."
        ),
    ] = Explain.SHORT,
    plain: PlainOption = False,
    json: JsonOption = False,
) -> ExitCode:
    """Advise on the next moves by what the player can see.

    You play with real cards, or in another program, and type the cards that you see. The command prints a plan for
    this deal, its chance to win and the reasons. You play the plan, type the result of the redeal, and so on. Every
    answer is saved at once. If stdin is a pipe, it has one answer per line.
    Ctrl-C during a search stops the search and prints the result so far; a second Ctrl-C exits. A line that you type
    during a search is the next answer.

    With FILE or --seed the command prints the advice for one position. The advice does not know coming redeals.

    Exit codes: 0 done, 2 wrong usage, 74 the save cannot be written, 255 bad input or a refused answer, 130 Ctrl-C.
    """
    game = choice.game
    adviser = adviser_of(game)  # first, so that a missing part is reported before other errors
    effort = _effort(own, seconds, samples)
    if samples is not None and not adviser.takes_samples:
        raise UsageError(f"--samples has no effect: the adviser of {game.id} plays no playouts")
    check_techniques(game, effort.get("without", ()))
    if file is not None or seed is not None:
        if name is not None or export is not None or force or own.import_file is not None:
            raise UsageError(
                "FILE and --seed ask for one answer; --id, --export, --force and --import go with a saved game"
            )
        deals = DealArguments(file=file, seed=seed, generator=generator)
        deals.check()
        return _answer_once(game, deals.seen(game), own, effort, explain, show.Page(sys.stdout, plain), json)
    if own.import_file is not None and export is not None:
        raise UsageError("--import begins a game, --export writes a saved one; leave one out")
    if own.asks_open:
        raise UsageError("--open goes with FILE or --seed: with real cards nobody knows the stock")
    if json or generator is not None:
        raise UsageError(f"{'--json' if json else '--generator'} goes with FILE or --seed")
    if force and export is None:
        raise UsageError("--force goes with --export")
    from unshuffle.advise.saves import Saves, default_folder

    adviser_of(game).typed.check()
    folder = Saves(saves or default_folder(), game.id)
    is_chosen = choice.variant is not None or choice.rule is not None
    if export is not None:
        return _export(folder, name, export, force)
    console = console_on(show.Page(sys.stdout, plain))
    if own.import_file is not None:
        return _import(game, folder, name, own.import_file, console, effort, explain)
    return _play(game, folder, name, console, effort, explain, is_chosen)


def _answer_once(
    game: Any, state: Any, own: GameOptions, effort: dict[str, Any], explain: Explain, page: show.Page, json: bool
) -> ExitCode:
    from unshuffle.advise.opened import open_lines, open_values, opened
    from unshuffle.advise.story import advice_lines

    adviser = adviser_of(game)
    adviser.effort = effort
    view = state.view()
    # First, since it may raise UsageError. The advice does not use it.
    found = opened(state, effort.get("seconds", _OPEN_SECONDS)) if own.asks_open else None
    with stoppable() as adviser.is_stopped:
        try:
            advice = adviser.advise(view)
        except StoppedError:
            raise KeyboardInterrupt from None
    code = ExitCode.INTERRUPTED if adviser.is_stopped() else ExitCode.DONE
    if json:
        values = {"game": game.id, "variant": game.variant, "deal": state.id}
        values |= {"moves": [move.token for move in advice.moves], **advice.values}
        show.json_line(page, values | ({} if found is None else {"open": open_values(found)}))
        return code
    page.line(state.id or f"{game} (typed)")
    page.line()
    if explain is not Explain.NONE:
        for row in [*show.picture(page, game, getattr(view, "table", view)), ""]:
            page.line(row)
    lines = advice_lines(adviser, view, advice, explain, lambda game, state: show.picture(page, game, state))
    for line in lines if found is None else [*lines, "", *open_lines(game, found)]:
        page.line(paint(page, line))
    return code


def _export(folder: Any, name: str | None, path: Path, replaces: bool) -> ExitCode:
    from unshuffle.advise.export import export

    if name is None:
        raise UsageError("--export goes with --id")
    adviser, record = folder.read(name)
    export(adviser, record, folder, path, replaces=replaces)
    return ExitCode.DONE


def _play(
    game: Any,
    folder: Any,
    name: str | None,
    console: Console,
    effort: dict[str, Any],
    explain: Explain,
    is_chosen: bool,
) -> ExitCode:
    from unshuffle.advise.menu import choose
    from unshuffle.advise.parts import Setting
    from unshuffle.advise.saves import new_record
    from unshuffle.advise.session import Session

    if name is None:
        session = choose(adviser_of(game), folder, console, explain, effort)
        if session is None:
            return ExitCode.DONE
    elif folder.holds(usable_id(name)):
        adviser, record = folder.read(name)
        if is_chosen and adviser.game.rules != game.rules:
            raise UsageError(f"the game {name!r} is one of {adviser.game}; leave --variant and --rule out")
        session = Session(adviser, record, folder, console, explain, effort)
        session.open()
    else:
        adviser = adviser_of(game)
        record = new_record(name, adviser.typed.blank(Setting()))
        session = Session(adviser, record, folder, console, explain, effort)
        session.begin()
    session.run()
    return ExitCode.DONE


def _effort(own: GameOptions, seconds: float | None, samples: int | None) -> dict[str, Any]:
    """Return the limits of an answer as keyword arguments of the adviser."""
    if samples is not None and seconds is not None:
        raise UsageError("--samples and --seconds exclude each other")
    said = {"seconds": seconds, "samples": samples}
    effort = {name: value for name, value in said.items() if value is not None} | own.effort
    if seconds is not None and isnan(seconds):
        raise UsageError("--seconds: nan is not a time")
    if "memory" in effort:
        try:
            effort["memory"] = Limits(memory=parse_memory(effort["memory"])).memory
        except (ParseError, UsageError) as error:
            raise UsageError(f"--memory: {error}") from None
    return effort


def _import(
    game: Any,
    folder: Any,
    name: str | None,
    path: Path,
    console: Console,
    effort: dict[str, Any],
    explain: Explain,
) -> ExitCode:
    """Begin a game from the save file of another program. Without --id the file's name is its id."""
    from unshuffle.advise.saves import new_record
    from unshuffle.advise.session import Session

    adviser = adviser_of(game)
    draft = adviser.typed.read_foreign(read_text(str(path), game))
    if name is None and not is_id(path.stem):
        raise ParseError(f"the file is named {quote(path.stem)}, which is no game id; --id gives the imported game one")
    chosen = usable_id(path.stem if name is None else name)
    if folder.holds(chosen):
        raise ParseError(f"there is a game {quote(chosen)} already; --id gives the imported one another id")
    session = Session(adviser, new_record(chosen, draft), folder, console, explain, effort)
    session.begin_with(draft)
    session.run()
    return ExitCode.DONE
