"""Options that one game adds to a command: where they are found, and how typer reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from typing import Annotated, Any, NamedTuple, get_type_hints

import typer

import unshuffle as un
from unshuffle.deals import DealId
from unshuffle.errors import ParseError, UsageError, quote
from unshuffle.options import GameOptions


class Own(NamedTuple):
    """A game and what it adds to a command."""

    game: str
    options: type[GameOptions]

    @property
    def title(self) -> str:
        """What stands above them on the help page."""
        return f"Options of {self.game}"

    @property
    def names(self) -> list[str]:
        """As they are written on the line."""
        return [_written(field.name) for field in fields(self.options)]


def game_on_line(line: Sequence[str]) -> str | None:
    """The first game on the line."""
    for word in line:
        # An option with a value may stand before the game, so what is no game is passed over.
        if not word.startswith("-"):
            with suppress(UsageError):
                return un.game(word.partition("/")[0] if "@" in word else word).id
    return None


def read_id(values: Mapping[str, Any]) -> dict[str, Any]:
    """The game, variant and deal of a command on whose line a deal id stands for the GAME; {} if none does."""
    text = values.get("game_id") or ""
    try:
        deal = DealId.parse(text) if "@" in text else None
    except ParseError:
        return {}
    if deal is None:
        return {}
    if not {"seed", "generator"} <= values.keys():
        raise UsageError(f"{quote(text)} is a deal id, and no deal can be named here; expected a game: {deal.game}")
    beside = [f"--{name}" for name in ("variant", "rule", "seed", "seeds", "shuffle", "generator") if values.get(name)]
    if beside or values.get("file") is not None:
        raise UsageError(
            f"{quote(text)} names the game, its rules and the deal; leave {', '.join(beside) or 'FILE'} out"
        )
    return {"game_id": deal.game, "variant": deal.variant, "seed": str(deal.source)}


def options_of(game: str, command: str) -> Own | None:
    """What a game adds to the command, by its manifest."""
    options = (un.game(game).own("options") or {}).get(command)
    return None if options is None else Own(game, options)


def owners(command: str, option: str) -> Iterator[str]:
    """The games that add this option to the command."""
    for game in un.games():
        own = options_of(game, command)
        if own is not None and option in own.names:
            yield game


def option_hints(group: Any, own: Own | None) -> dict[str, Any]:
    """The fields of a group as typer reads them; a game says in plain metadata what makes an option of a field."""
    hints = get_type_hints(group, include_extras=True)
    if own is None or group is not own.options:
        return hints
    return {
        field.name: Annotated[
            hints[field.name], typer.Option(_written(field.name), rich_help_panel=own.title, **field.metadata)
        ]
        for field in fields(group)
    }


def _written(name: str) -> str:
    # A word of Python's own, such as `import`, has a `_` behind it.
    return f"--{name.rstrip('_').replace('_', '-')}"
