"""`unshuffle games`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Annotated, Any

import typer

import unshuffle as un
from unshuffle.cli import show
from unshuffle.cli.arguments import JsonOption, LoadOption, complete_games, load_files
from unshuffle.cli.exits import ExitCode
from unshuffle.game import AnyGame
from unshuffle.registry import load_option
from unshuffle.rulebook import field_docs, write_rules, write_value
from unshuffle.terminal import printable

_MOST_LISTED, _FIRST_LISTED = 12, 3
EXAMPLES = ("unshuffle games", "unshuffle games belle-lucie", "unshuffle games --json")


def games(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="Show the rules of this game.", autocompletion=complete_games),
    ] = None,
    load: LoadOption = None,
    json: JsonOption = False,
) -> ExitCode:
    """List the games, their variants and their rules."""
    load_files(load)
    page = show.Page(sys.stdout)
    if game is not None:
        found = un.game(game)
        if json:
            show.json_line(page, _summary(found) | {"rules": list(_rules(found))})
        else:
            _show_game(page, found)
    elif json:
        for name in un.games():
            show.json_line(page, _summary(un.game(name)))
    else:
        _show_games(page)
    return ExitCode.DONE


def _summary(found: AnyGame) -> dict[str, Any]:
    variants = {slug: write_rules(rules) for slug, rules in found.variants.items()}
    return {"game": found.id, "name": found.name, "summary": found.summary, "variants": variants}


def _show_games(page: show.Page) -> None:
    # Imported here: no other command needs tables.
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for heading in ("GAME", "NAME", "VARIANTS", "WHAT IT IS"):
        table.add_column(heading, overflow="fold")
    for name, variants in un.games().items():
        found = un.game(name)
        cells = (name, found.name, _listed(name, variants), found.summary)
        table.add_row(*(Text(printable(cell)) for cell in cells))  # Text, so that `[red]` in a name is not markup
    # In a pipe lines are not folded.
    console = Console(width=None if sys.stdout.isatty() else 10_000, highlight=False, color_system=None)
    with console.capture() as text:
        console.print(table)
    head, *rows = text.get().splitlines()
    page.line(page.style(head.rstrip(), bold=True))
    for row in rows:
        page.line(row.rstrip())


def _listed(game: str, variants: Sequence[str]) -> str:
    """Return the variants of a game as text; if there are many, the first ones and the command that lists all."""
    if len(variants) <= _MOST_LISTED:
        return ", ".join(variants)
    first = variants[:_FIRST_LISTED]
    return f"{', '.join(first)} and {len(variants) - len(first)} more (unshuffle games {game}{load_option(game)})"


def _rules(found: AnyGame) -> Iterator[dict[str, str]]:
    rules = next(iter(found.variants.values()))
    docs = field_docs(type(rules))
    for field in fields(rules):
        yield {"name": field.name, "default": write_value(getattr(rules, field.name)), "doc": docs.get(field.name, "")}


def _show_game(page: show.Page, found: AnyGame) -> None:
    rules = list(_rules(found))
    defaults = {rule["name"]: rule["default"] for rule in rules}
    page.line(f"{found.id}: {found.name}")
    if found.summary:
        page.line(found.summary)
    page.line()
    page.line("Variants (--variant NAME):")
    width = max(map(len, found.variants))
    for number, (slug, values) in enumerate(found.variants.items()):
        changes = [f"{name}={value}" for name, value in write_rules(values).items() if value != defaults[name]]
        page.line(f"  {slug:<{width}}  {' '.join(changes) if number else '(default)'}".rstrip())
    page.line()
    page.line("Rules (--rule KEY=VALUE), with their values in the default variant:")
    width = max((len(f"{rule['name']}={rule['default']}") for rule in rules), default=0)
    for rule in rules:
        page.line(f"  {rule['name'] + '=' + rule['default']:<{width}}  {rule['doc']}".rstrip())
