"""`unshuffle games`."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from textwrap import dedent
from typing import Annotated, Any

import typer

import unshuffle as un
from unshuffle.cli import show
from unshuffle.cli.arguments import LOAD_HELP, JsonOption, complete_games
from unshuffle.cli.exits import ExitCode
from unshuffle.game import AnyGame, game_class
from unshuffle.rulebook import write_rules, write_value

EXAMPLES = ("unshuffle games", "unshuffle games belle-lucie", "unshuffle games --json")


def games(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="Show this game with all its rules.", autocompletion=complete_games),
    ] = None,
    load: Annotated[list[Path] | None, typer.Option(metavar="FILE.py", help=LOAD_HELP)] = None,
    json: JsonOption = False,
) -> ExitCode:
    """List the games, their variants and their rules."""
    for path in load or ():
        un.load(path)
    page = show.Page(sys.stdout)
    if game is not None:
        cls = game_class(game)
        if json:
            show.json_line(page, _summary(cls) | {"rules": list(_rules(cls))})
        else:
            _show_game(page, cls)
    elif json:
        for name in un.games():
            show.json_line(page, _summary(game_class(name)))
    else:
        _show_games(page)
    return ExitCode.DONE


def _summary(cls: type[AnyGame]) -> dict[str, Any]:
    variants = {slug: write_rules(rules) for slug, rules in cls.variants.items()}
    return {"game": cls.id, "name": cls.name, "summary": cls.summary, "variants": variants}


def _show_games(page: show.Page) -> None:
    # Imported here: of all commands only this one needs tables.
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for heading in ("GAME", "NAME", "VARIANTS", "WHAT IT IS"):
        table.add_column(heading, overflow="fold")
    for name, variants in un.games().items():
        cls = game_class(name)
        table.add_row(name, cls.name, ", ".join(variants), cls.summary)
    # In a pipe there is no edge at which to fold.
    console = Console(width=None if sys.stdout.isatty() else 10_000, highlight=False, no_color=not page.has_colour)
    with console.capture() as text:
        console.print(table)
    for row in text.get().splitlines():
        page.line(row.rstrip())


def _rules(cls: type[AnyGame]) -> Iterator[dict[str, str]]:
    rules = next(iter(cls.variants.values()))
    docs = _field_docs(type(rules))
    for field in fields(rules):
        yield {"name": field.name, "default": write_value(getattr(rules, field.name)), "doc": docs.get(field.name, "")}


def _field_docs(rules: type) -> dict[str, str]:
    """The text beneath each field, which Python itself does not keep."""
    try:
        (body,) = ast.parse(dedent(inspect.getsource(rules))).body
    except (OSError, SyntaxError):
        return {}
    assert isinstance(body, ast.ClassDef)
    docs = {}
    for node, after in zip(body.body, body.body[1:], strict=False):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(after, ast.Expr):
            docs[node.target.id] = inspect.cleandoc(str(ast.literal_eval(after.value)))
    return docs


def _show_game(page: show.Page, cls: type[AnyGame]) -> None:
    rules = list(_rules(cls))
    defaults = {rule["name"]: rule["default"] for rule in rules}
    page.line(f"{cls.id}: {cls.name}")
    if cls.summary:
        page.line(cls.summary)
    page.line()
    page.line("Variants (--variant NAME):")
    width = max(map(len, cls.variants))
    for number, (slug, values) in enumerate(cls.variants.items()):
        changes = [f"{name}={value}" for name, value in write_rules(values).items() if value != defaults[name]]
        page.line(f"  {slug:<{width}}  {' '.join(changes) if number else '(default)'}".rstrip())
    page.line()
    page.line("Rules (--rule KEY=VALUE), with their values in the default variant:")
    width = max((len(f"{rule['name']}={rule['default']}") for rule in rules), default=0)
    for rule in rules:
        page.line(f"  {rule['name'] + '=' + rule['default']:<{width}}  {rule['doc']}".rstrip())
