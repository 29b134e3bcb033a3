"""`unshuffle deal`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from unshuffle.cards import format_cards
from unshuffle.cli import show
from unshuffle.cli.arguments import GameArguments, JsonOption, SeedArguments
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.winnable import WinnableArguments, deal_winnable
from unshuffle.errors import UsageError

EXAMPLES = (
    "unshuffle deal belle-lucie --seed 7",
    "unshuffle deal belle-lucie --seed 7 | unshuffle solve belle-lucie",
    "unshuffle deal belle-lucie --generator ms --seeds 1..3 --deck",
    "unshuffle deal spider --winnable --difficulty easy --count 3",
)


def deal(
    choice: GameArguments,
    seeds: SeedArguments,
    wanted: WinnableArguments,
    deck: Annotated[bool, typer.Option("--deck", help="Print the deck in deal order instead of the layout.")] = False,
    json: JsonOption = False,
) -> ExitCode:
    """Deal cards and print the layout.

    Without a number the deal is a random one. The first line, a comment, is the deal's id: it names the deal for ever.

    With --winnable the deals are looked through, from a random one, from --seed N on or in --seeds A..B, for those that
    are proved to be winnable. Their ids are printed, each with its difficulty and the share of a panel's games that win
    it (docs/winnable.md), and kept in the store. Exit code 1: there were fewer than asked for.
    """
    if deck and json:
        raise UsageError("--deck and --json exclude each other: the JSON object has both")
    seeds.check()
    wanted.check()
    game = choice.game
    if wanted.winnable:
        return deal_winnable(game, seeds, wanted, deck=deck, json=json)
    page = show.Page(sys.stdout)
    for count, source in enumerate(seeds.sources()):
        state = game.deal(source)
        cards = format_cards(game.deck(source))
        if json:
            values = {"game": game.id, "variant": game.variant, "deal": state.id, "deck": cards}
            show.json_line(page, values | {"layout": game.format(state)})
            continue
        if count:
            page.line()
        page.line(f"# {state.id}")
        page.line(f"Deck: {cards}" if deck else game.format(state).rstrip("\n"))
    return ExitCode.DONE
