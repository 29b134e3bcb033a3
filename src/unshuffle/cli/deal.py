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
    """Deals by their numbers, or one as text; without either a random one."""

    file: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="A deal as text to be printed; - is stdin.", show_default=False),
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
            help=f"Write the deal as another program reads it: {', '.join(FORMS)}.",
            autocompletion=lambda incomplete: [name for name in FORMS if name.startswith(incomplete)],
        ),
    ] = None,
    fill: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Deal the cards that FILE does not tell by chance, each N its own way.",
            min=0,
            max=LAST_SEED,
        ),
    ] = None,
    json: JsonOption = False,
) -> ExitCode:
    """Deal cards and print the layout.

    Without a number the deal is a random one. The first line, a comment, is the deal's id: it names the deal for ever.
    With FILE a deal that was typed, or that another program wrote, is read and printed. If some of its cards are
    unknown (`Stock: ?`, `##`), or the order of its redeals, --fill N deals them by chance, and prints all of them.

    With --winnable the deals are looked through, from a random one, from --seed N on or in --seeds A..B, for those that
    are winnable. Their ids are printed, each with its difficulty and the share of a panel's games that win
    it (docs/winnable.md), and kept in the store. Exit code 1: there were fewer than asked for.
    """
    if deck and json:
        raise UsageError("--deck and --json exclude each other: the JSON object has both")
    if fill is not None and deals.file is None:
        raise UsageError("--fill goes with FILE: a deal of a number has nothing unknown")
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
    """Refuse what means nothing together."""
    if deals.file is None:
        # A generator alone deals a random deal, where other commands would read one.
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
    """Yield each deal with its deck; a table that was read has none."""
    if deals.file is not None:
        yield (deals.state(game) if fill is None else _filled(game, deals, fill)), None
        return
    for state, deck in game.deal_each(deals.sources()):
        yield state, format_cards(deck)


def _filled(game: AnyGame, deals: DealArguments, number: int) -> Any:
    """Return the table that was read with what is unknown dealt by chance."""
    from unshuffle.play import beginning  # slow to import, and seldom needed

    state = deals.state(game, partial(beginning.parse, game))
    if not beginning.unknown_of(game, state):
        raise UsageError(f"--fill: nothing is unknown in {quote(str(deals.file))}")
    return beginning.made_whole(game, state, number)
