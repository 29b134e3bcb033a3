"""Options that one game adds to a command, and the translation of commands for typer."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from typing import Annotated, Any, NamedTuple, get_type_hints

import typer

import unshuffle as un
from unshuffle.deals import DealId
from unshuffle.errors import ParseError, UsageError, quote
from unshuffle.options import GameOptions


class Own(NamedTuple):
    """A game, and the options that it adds to a command."""

    game: str
    options: type[GameOptions]

    @property
    def title(self) -> str:
        """Their heading on the help page."""
        return f"Options of {self.game}"

    @property
    def names(self) -> list[str]:
        """The options as typed on the command line."""
        return [_written(field.name) for field in fields(self.options)]


def game_on_line(line: Sequence[str]) -> str | None:
    """Return the id of the first word on the line that names a game or a deal; None without one."""
    for word in line:
        # The value of an option may precede the game, so words that name no game are skipped.
        if not word.startswith("-"):
            with suppress(UsageError):
                return un.game(word.partition("/")[0] if "@" in word else word).id
    return None


def read_id(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the game, variant and seed of a deal id that is given as GAME; {} if GAME is no deal id."""
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
    """Return the options that a game's manifest adds to the command, or None."""
    options = (un.game(game).own("options") or {}).get(command)
    return None if options is None else Own(game, options)


def owners(command: str, option: str) -> Iterator[str]:
    """Yield the games that add this option to the command."""
    for game in un.games():
        own = options_of(game, command)
        if own is not None and option in own.names:
            yield game


def option_hints(group: Any, own: Own | None) -> dict[str, Any]:
    """Return the annotated types of a group's fields; for a game's own options, built from the field metadata."""
    hints = get_type_hints(group, include_extras=True)
    if own is None or group is not own.options:
        return hints
    return {
        field.name: Annotated[
            hints[field.name], typer.Option(_written(field.name), rich_help_panel=own.title, **field.metadata)
        ]
        for field in fields(group)
    }


def expand(command: Callable[..., Any], own: Own | None = None) -> Callable[..., Any]:
    """Return the command for typer: each parameter that is a dataclass is replaced by one parameter per field.

    `own`, the options of a game, replaces `GameOptions`.
    """
    hints = get_type_hints(command, include_extras=True)
    if own is not None:
        hints = {name: own.options if hint is GameOptions else hint for name, hint in hints.items()}
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}

    def spread(**values: Any) -> Any:
        values |= read_id(values)
        if own is not None and values["game_id"] != own.game:
            raise UsageError(f"name the game first: unshuffle {command.__name__} {values['game_id']} ...")
        built = {
            name: group(**{field.name: values.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        return command(**built, **values)

    parameters = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name not in groups:
            parameters.append(parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        inner = option_hints(groups[name], own)
        parameters += [
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if field.default is MISSING else field.default,
                annotation=inner[field.name],
            )
            for field in fields(groups[name])
        ]
    spread.__doc__ = command.__doc__
    spread.__name__ = command.__name__
    spread.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined] # read by `inspect.signature`
    spread.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return spread


def _written(name: str) -> str:
    # A field that would be a Python keyword, such as `import`, has a trailing `_`.
    return f"--{name.rstrip('_').replace('_', '-')}"
