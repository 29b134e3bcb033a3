"""`unshuffle deal`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from unshuffle.cards import format_cards
from unshuffle.cli import show
from unshuffle.cli.arguments import GameArguments, JsonOption, SeedArguments
from unshuffle.cli.exits import ExitCode
from unshuffle.errors import UsageError

EXAMPLES = (
    "unshuffle deal belle-lucie --seed 7",
    "unshuffle deal belle-lucie --seed 7 | unshuffle solve belle-lucie",
    "unshuffle deal belle-lucie --generator ms --seeds 1..3 --deck",
)


def deal(
    choice: GameArguments,
    seeds: SeedArguments,
    deck: Annotated[bool, typer.Option("--deck", help="Print the deck in deal order instead of the layout.")] = False,
    json: JsonOption = False,
) -> ExitCode:
    """Deal cards and print the layout.

    Without a number the deal is a random one. The first line, a comment, is the deal's id: it names the deal for ever.
    """
    if deck and json:
        raise UsageError("--deck and --json exclude each other: the JSON object has both")
    seeds.check()
    game = choice.game
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
