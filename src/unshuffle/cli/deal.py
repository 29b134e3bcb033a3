"""`unshuffle deal`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import typer

from unshuffle.cards import format_cards
from unshuffle.cli import show
from unshuffle.cli.arguments import DealArguments, GameArguments, JsonOption, SeedArguments
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.winnable import WinnableArguments, deal_winnable
from unshuffle.deals import LAST_SEED
from unshuffle.errors import UsageError, quote
from unshuffle.game import AnyGame
from unshuffle.interchange import FORMS, check_form

EXAMPLES = (
    "unshuffle deal belle-lucie --seed 7",
    "unshuffle deal belle-lucie --seed 7 | unshuffle solve belle-lucie",
    "unshuffle deal belle-lucie --generator ms --seeds 1..3 --deck",
    "unshuffle deal spider --winnable --difficulty easy --count 3",
    "unshuffle deal spider --seed 7 --format solvitaire > deal.json",
    "unshuffle deal spider deal.json",
    "unshuffle deal agnes table.txt --fill 1",
)


@dataclass(frozen=True, kw_only=True)
class DealtArguments(DealArguments):
    """Deals that are named by their numbers, or one as text; the default is a random deal."""

    file: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="A file with a deal as text, to print; - is stdin.", show_default=False),
    ] = None


def deal(
    choice: GameArguments,
    deals: DealtArguments,
    wanted: WinnableArguments,
    deck: Annotated[bool, typer.Option("--deck", help="Print the deck in deal order instead of the layout.")] = False,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help=f"Print the deal in the format of another program: {', '.join(FORMS)}.",
            autocompletion=lambda incomplete: [name for name in FORMS if name.startswith(incomplete)],
        ),
    ] = None,
    fill: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Deal the unknown cards of FILE at random; N is the random seed.",
            min=0,
            max=LAST_SEED,
        ),
    ] = None,
    json: JsonOption = False,
) -> ExitCode:
    """Deal cards and print the layout.

    Without a number the deal is random. The first line is a comment with the deal's id, which always names the same
    deal. With FILE the command reads a deal that you typed or that another program wrote, and prints it. If the file
    leaves cards (`Stock: ?`, `##`) or the order of redeals unknown, --fill N deals them at random.

    With --winnable the command searches for winnable deals: in --seeds A..B, or from --seed N or a random seed on. It
    prints their ids with their difficulty and the share of a panel's games that win the deal (docs/winnable.md), and
    keeps them in the store. Exit code 1: it found fewer deals than asked for.
    """
    if deck and json:
        raise UsageError("--deck and --json exclude each other: the JSON object has both")
    if fill is not None and deals.file is None:
        raise UsageError("--fill goes with FILE: a deal with a number has nothing unknown")
    _check(deals, wanted, deck=deck, json=json, form=form)
    wanted.check()
    game = choice.game
    if wanted.winnable:
        return deal_winnable(game, deals, wanted, deck=deck, json=json)
    page = show.Page(sys.stdout)
    for count, (state, cards) in enumerate(_dealt(game, deals, fill)):
        if form is not None:
            sys.stdout.write(game.write_foreign(state, form))
            continue
        if json:
            values = {"game": game.id, "variant": game.variant, "deal": state.id, "deck": cards}
            show.json_line(page, values | {"layout": game.format(state)})
            continue
        if count:
            page.line()
        if state.id is not None:
            page.line(f"# {state.id}")
        page.line(f"Deck: {cards}" if deck else game.format(state).rstrip("\n"))
    return ExitCode.DONE


def _check(deals: DealArguments, wanted: WinnableArguments, *, deck: bool, json: bool, form: str | None) -> None:
    """Raise UsageError for arguments that exclude each other."""
    if deals.file is None:
        # Here --generator alone means a random deal; in other commands no number means that a FILE is read.
        SeedArguments.check(deals)
    else:
        deals.check()
        for option, is_given in (("--winnable", wanted.winnable), ("--deck", deck)):
            if is_given:
                raise UsageError(f"FILE and {option} exclude each other: FILE is a table, and not a deck or a search")
    if form is not None:
        check_form(form)
        others = {"--winnable": wanted.winnable, "--deck": deck, "--json": json, "--seeds": deals.seeds is not None}
        if given := [option for option, is_given in others.items() if is_given]:
            raise UsageError(f"--format and {given[0]} exclude each other: it writes one table, in one form")


def _dealt(game: AnyGame, deals: DealArguments, fill: int | None) -> Iterator[tuple[Any, str | None]]:
    """Yield each deal with its deck, or with None for a table that was read from a file."""
    if deals.file is not None:
        yield (deals.state(game) if fill is None else _filled(game, deals, fill)), None
        return
    for state, deck in game.deal_each(deals.sources()):
        yield state, format_cards(deck)


def _filled(game: AnyGame, deals: DealArguments, number: int) -> Any:
    """Return the table of the file, with its unknown cards dealt at random."""
    from unshuffle.play import beginning  # slow to import, and seldom needed

    state = deals.state(game, partial(beginning.parse, game))
    if not beginning.unknown_of(game, state):
        raise UsageError(f"--fill: nothing is unknown in {quote(str(deals.file))}")
    return beginning.made_whole(game, state, number)
