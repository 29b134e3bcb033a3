"""`unshuffle check-game`."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

import unshuffle as un
from unshuffle.cli import show
from unshuffle.cli.arguments import (
    JsonOption,
    LoadOption,
    RuleArguments,
    SeedArguments,
    complete_games,
    load_files,
)
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.progress import ProgressLine
from unshuffle.errors import ParseError, UsageError, in_a_line, quote, unknown
from unshuffle.game import AnyGame
from unshuffle.laws import LAWS, Finding, Law, check_law
from unshuffle.registry import changed_game
from unshuffle.solve import Status

EXAMPLES = (
    "unshuffle check-game my_game.py",
    "unshuffle check-game my_game.py --law cards --seeds 0..999",
    "unshuffle check-game belle-lucie --variant merci",
)
_WIDTH = max(len(law.name) for law in LAWS)
_WORDS = {
    "holds": ("holds", Status.SOLVED),
    "broken": ("FAILS", Status.UNSOLVABLE),
    "time-limit": ("limit", Status.TIME_LIMIT),
    "node-limit": ("limit", Status.NODE_LIMIT),
}


def _complete_laws(incomplete: str) -> list[str]:
    return [law.name for law in LAWS if law.name.startswith(incomplete)]


def check_game(
    rules: RuleArguments,
    game_id: Annotated[
        str,
        typer.Argument(
            metavar="FILE|GAME", help="A file as for --load, or a known game.", autocompletion=complete_games
        ),
    ],
    only: Annotated[
        str | None, typer.Option("--game", metavar="ID", help="Check one game of the FILE.  [default: all of them]")
    ] = None,
    law: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Check only this law; repeatable.", autocompletion=_complete_laws),
    ] = None,
    seeds: Annotated[str, typer.Option(metavar="A..B", help="The deals on which to check the laws.")] = "0..9",
    seconds: Annotated[float, typer.Option(metavar="S", help="Time for one law; 0: no limit.", min=0)] = 10,
    nodes: Annotated[
        int, typer.Option(metavar="N", help="The most positions to search from a late position.", min=1)
    ] = 20_000,
    load: LoadOption = None,
    json: JsonOption = False,
) -> ExitCode:
    """Check a game of your own against the laws of all games.

    Without --variant and --rule the command checks every named variant. For each failure it prints the deal, the moves
    to the position, and what is wrong there. A law that holds on these deals may still fail on others.

    Exit codes: 0 all laws hold, 1 a law is broken, 2 wrong usage, 3 a limit was hit before every check was done, 255 a
    FILE that cannot be read, 130 Ctrl-C.
    """
    load_files(load)
    deals = SeedArguments(seeds=seeds).numbers
    assert deals is not None
    named = {each.name: each for each in LAWS}
    if wrong := [name for name in law or () if name not in named]:
        raise unknown("law", wrong[0], named)
    laws = [named[name] for name in law] if law else list(LAWS)
    limit = seconds if 0 < seconds < float("inf") else None
    page, counts = show.Page(sys.stdout), Counter[str]()
    for number, game in enumerate(_games(game_id, only, rules)):
        told = Counter[str]()
        if not json:
            if number:
                page.line()
            page.line(f"{game}, deals {deals[0]}..{deals[-1]}")
        for each in laws:
            found = _try(game, each, deals, limit, nodes)
            told[found.verdict] += 1
            if json:
                show.json_line(page, _values(game, found))
            else:
                _show(page, found)
        counts += told
        if not json:
            page.line(_summary(told))
    if counts["broken"]:
        return ExitCode.NOT_WON
    return ExitCode.UNDECIDED if counts["time-limit"] + counts["node-limit"] else ExitCode.DONE


def _games(name: str, only: str | None, rules: RuleArguments) -> list[AnyGame]:
    """Return the games to check, with their rules: every named variant, or the one that was asked for."""
    if name in un.games():
        if only not in (None, name):
            raise UsageError(f"--game {quote(str(only))} goes with a FILE, and {name} is a game")
        ids = [name]
    else:
        if not Path(name).suffix and not Path(name).exists():
            raise unknown("game", name, un.games())
        try:
            ids = [game.id for game in un.load(name)]
        except UsageError as error:  # bad input: here the file is the input
            raise ParseError(str(error)) from None
        if not ids:
            raise ParseError(f"{quote(name)} brings no game")
        if only not in (None, *ids):
            raise unknown(f"game of {in_a_line(name)}", str(only), ids)
        ids = ids if only is None else [only]
    if rules.variant is not None or rules.rule:
        return [changed_game(each, rules.variant, rules.rule or ()) for each in ids]
    return [un.game(each, variant) for each in ids for variant in un.games()[each]]


def _try(game: AnyGame, law: Law, deals: range, seconds: float | None, nodes: int) -> Finding:
    line = ProgressLine()
    try:
        return check_law(
            game,
            law,
            deals,
            seconds=seconds,
            nodes=nodes,
            progress=lambda done: line.text(f"{law.says}: {done} of {show.plural(len(deals), 'deal')}"),
        )
    finally:
        line.clear()


def _values(game: AnyGame, found: Finding) -> dict[str, object]:
    return {
        "game": game.id,
        "variant": game.variant,
        "law": found.law.name,
        "says": found.law.says,
        "verdict": found.verdict,
        "deals": found.deals,
        "deal": found.deal,
        "is_late": found.is_late,
        "moves": list(found.moves),
        "position": found.position or None,
        "fault": found.fault or None,
    }


def _show(page: show.Page, found: Finding) -> None:
    if found.verdict == "not-tried":
        return
    word, status = _WORDS[found.verdict]
    page.line(f"{page.verdict(word, status)}  {found.law.name:<{_WIDTH}}  {found.law.says}")
    if found.fault:
        page.line(f"  {found.fault}")
    if found.deal is not None:
        late = ", a late position" if found.is_late else ""
        page.line(f"  {found.deal}{late}{', after ' * bool(found.moves)}{' '.join(found.moves)}")
    if found.verdict == "broken":
        for row in found.position.splitlines():
            page.line(f"    {row}".rstrip())


def _summary(told: Counter[str]) -> str:
    tried = told.total() - told["not-tried"]
    rest = [(told["broken"], "broken"), (told["time-limit"] + told["node-limit"], "not tried to the end")]
    rest.append((told["not-tried"], "of no concern to it"))
    parts = [f"{count} {words}" for count, words in rest if count]
    return f"{told['holds']} of {show.plural(tried, 'law')} hold{'' if not parts else '; ' + ', '.join(parts)}"
