"""`unshuffle review`."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import unshuffle as un
from unshuffle.cli import show
from unshuffle.cli.arguments import (
    Explain,
    GameArguments,
    JsonOption,
    LimitArguments,
    PlainOption,
    SamplesOption,
    SavesOption,
)
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.played import Played, PlayedArguments
from unshuffle.cli.progress import ProgressLine
from unshuffle.errors import ParseError, UsageError
from unshuffle.layout import never_shown
from unshuffle.solve import Status, replay

if TYPE_CHECKING:
    from unshuffle.review.report import Review

EXAMPLES = (
    'unshuffle review belle-lucie --seed 6 --moves "AS^ 4D>5D"',
    "unshuffle review agnes game.txt --seconds 10",
    "unshuffle review spider --id my-game",
    "unshuffle review gaps --seed 7 --moves-file moves.txt --json",
)

_STATUSES = {"winnable": Status.SOLVED, "lost": Status.UNSOLVABLE}


@dataclass(frozen=True, kw_only=True)
class ReviewLimits(LimitArguments):
    """The limits of a review."""

    nodes: Annotated[int, typer.Option(metavar="N", help="The most positions of each search; 0: no limit.", min=0)] = 0
    seconds: Annotated[float, typer.Option(metavar="S", help="Time limit of the whole review; 0: no limit.", min=0)] = (
        60
    )
    memory: Annotated[str, typer.Option(metavar="SIZE", help="Memory limit of each search, such as 512MB.")] = "1GiB"


def review(
    choice: GameArguments,
    given: PlayedArguments,
    limits: ReviewLimits,
    name: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="Review the saved game of `unshuffle play` with this id.")
    ] = None,
    saves: SavesOption = None,
    chances: Annotated[
        bool,
        typer.Option("--chances/--no-chances", help="Add the chances to win by what the player saw."),
    ] = True,
    samples: SamplesOption = None,
    explain: Annotated[
        Explain | None,
        typer.Option(
            "--explain",
            help="none: only the summary; short: also every position; full: also the missed win, in words.",
            show_default=False,
        ),
    ] = None,
    plain: PlainOption = False,
    json: JsonOption = False,
) -> ExitCode:
    """Look back on a played game, and find the move that lost it.

    The review decides for every position, with all cards known (open information), whether it is winnable or lost. If
    cards are hidden or redeals are random, it adds the chance to win by what the player saw (hidden information). The
    moves are given as for `verify`. A FILE of `solve --save-wins` or of `advise --export` has the deal and the moves.

    Exit codes: 0 the work was done, 2 wrong usage, 255 bad input or an illegal move, 130 Ctrl-C (the results so far are
    printed first).
    """
    played = _saved(choice, given, name, saves) if name is not None else given.read(choice)
    if samples is not None and not chances:
        raise UsageError("--samples is for the chances, which --no-chances leaves out")
    if saves is not None and name is None:
        raise UsageError("--saves goes with --id")
    if played.fault is not None:
        raise ParseError(played.fault)
    progress = ProgressLine()
    code = ExitCode.DONE
    try:
        found = un.review(
            played.line.states[0],
            played.line.moves,
            **limits.keywords(),
            chances=chances,
            samples=samples,
            unseen=bool(never_shown(played.written)),
            progress=lambda now: progress.text(
                f"{now.what}: {now.done:,} of {show.plural(now.of, 'position')}, {show.plural(now.nodes, 'node')}"
            ),
        )
    except un.ReviewInterrupted as interrupted:
        found, code = interrupted.review, ExitCode.INTERRUPTED
    progress.clear()
    found = replace(found, by_chance=played.by_chance)
    page = show.Page(sys.stdout, plain)
    if json:
        show.json_line(page, found.values())
    if not json or explain is not None:
        _show(show.Page(sys.stderr, plain) if json else page, played, found, explain or Explain.SHORT)
    return code


def _saved(choice: GameArguments, given: PlayedArguments, name: str, saves: Path | None) -> Played:
    """Return the line of a saved game."""
    from unshuffle.advise.folder import default_folder
    from unshuffle.cli.console import usable_id
    from unshuffle.play.saves import PlaySaves

    if given.is_given:
        raise UsageError("--id names the deal and the moves; leave FILE, --seed, --generator and the moves out")
    table = PlaySaves(saves or default_folder(), choice.game.id).read(usable_id(name))
    if (choice.variant is not None or choice.rule is not None) and table.game.rules != choice.game.rules:
        raise UsageError(f"the game {name!r} is one of {table.game}; leave --variant and --rule out")
    return Played(table.game, replay(table.start, table.moves), by_chance=table.by_chance)


def _show(page: show.Page, played: Played, found: Review, explain: Explain) -> None:
    from unshuffle.review import words

    game = found.game
    page.line(f"{found.line.states[0].id or f'{game} (typed)'}, {show.plural(len(found.line.moves), 'move')}")
    page.line()
    if explain is not Explain.NONE:
        head, rows = words.rows(found)
        page.line(head)
        for row in rows:
            status = _STATUSES.get(row.position.verdict, Status.TIME_LIMIT)
            goes_on = found.span_at(row.position.after).goes_on
            verdict = page.verdict(row.verdict, status, goes_on=goes_on)
            cells = [row.place, page.cards(row.token), verdict, row.by, row.chance]
            mark = words.LOST_HERE * row.is_turning
            page.line("  ".join([*filter(None, cells), page.cards(row.text)]).rstrip() + mark)
        page.line()
    losses = [span.lost_by for span in found.spans if span.lost_by is not None]
    for loss in losses if explain is Explain.FULL else ():
        page.line(f"Instead of move {loss.number}:")
        page.line()
        show.play(page, game, replay(found.line.states[loss.number - 1], loss.instead), Explain.SHORT)
    status = _STATUSES.get(found.positions[-1].verdict, Status.TIME_LIMIT)
    for sentence in words.sentences(found):
        page.line(page.verdict(sentence, status, goes_on=found.spans[-1].goes_on))
    for remark in [*words.remarks(found), *_unseen(played)]:
        page.line(remark)


def _unseen(played: Played) -> list[str]:
    """Return a remark on the cards of an export that nobody saw, and on what that means for the verdicts."""
    told = never_shown(played.written)
    return [f"{told} Positions in which they are unknown are not searched."] * bool(told)
