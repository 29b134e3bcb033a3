"""Options that one game adds to a command: what they are, where they are found, and how typer reads them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple, Protocol, get_type_hints

import typer

import unshuffle as un
from unshuffle.cards import Card
from unshuffle.errors import UsageError
from unshuffle.game import AnyGame


@dataclass(frozen=True, kw_only=True)
class GameOptions:
    """The options that a game adds to a command; this one adds none.

    A game's own ones are a dataclass, under the command's name in the mapping that the game's manifest names: each
    field with its `help`, and perhaps `metavar`, `min` and `max`, as its metadata. What a command asks of them is here.
    """

    examples: ClassVar[tuple[str, ...]] = ()
    epilog: ClassVar[tuple[str, ...]] = ()
    """Lines at the end of the help page."""

    # Of `solve` and `advise`.

    @property
    def player(self) -> PlayOut | None:
        """Who plays the game out, if that is asked for and not a verdict."""
        return None

    @property
    def effort(self) -> dict[str, Any]:
        """How much an answer of `advise` may cost, in the game's own terms."""
        return {}

    @property
    def asks_open(self) -> bool:
        """Whether `advise` asks the open solver too."""
        return False

    @property
    def import_file(self) -> Path | None:
        """The save of another program with which `advise` is to begin a game."""
        return None

    @property
    def switched_off(self) -> list[str]:
        """Techniques that a search is to do without."""
        return []

    def game(self, game: AnyGame, given: Collection[str]) -> AnyGame:
        """The game that they mean; `given` are the rules that were named one by one."""
        return game

    def table(self, state: Any, said: Collection[str]) -> Any:
        """The table that they mean; `said` are the labels of the lines that were typed with it."""
        return state

    def single(self, game: AnyGame, table: Any = None) -> AnyGame:
        """The game that is asked about: on this table, or on all those that seeds deal."""
        return game

    def question(self, game: AnyGame, table: Any) -> Any:
        """The table as it is asked about."""
        return table

    def notes(self, game: AnyGame, table: Any = None) -> list[str]:
        """What has to be said about the question."""
        return []

    # Of `simulate` and `tournament`.

    def policy_text(self, text: str) -> str:
        """The policy that they mean."""
        return text

    @property
    def ranks_lists(self) -> bool:
        """Whether those who take part in a tournament are put into groups, as lists of rules by the hundred are."""
        return False

    def entered(self, game: AnyGame) -> list[tuple[str, str, int]]:
        """Lists that take part: what was entered, a policy that plays it, and how many entered lists that one plays."""
        return []

    def played_as(self) -> Iterable[tuple[str, str]]:
        """Each entered list and what plays it; there may be very many."""
        return ()

    def foreign_deck(self, text: str) -> tuple[Card, ...] | None:
        """The deck, in deal order, of a line that is written as another program does; None if it is not."""
        return None

    def beside(self, state: Any) -> str:
        """What is shown of the table after each move of a game in detail; '' if nothing is."""
        return ""

    @property
    def writes_games(self) -> bool:
        """Whether games are printed in another program's notation, and nothing else."""
        return False

    def written(self, start: Any, moves: Sequence[Any]) -> str:
        """A game in that notation."""
        raise NotImplementedError


class PlayOut(Protocol):
    """How a game with redeals is to be played out."""

    @property
    def redeal_seed(self) -> int | None:
        """The seed whose decks say what the redeals bring, if one was given."""

    @property
    def played_by(self) -> str:
        """The policy that plays."""

    def lacks_redeals(self, table: Any) -> bool:
        """True if a redeal may come whose order nobody has said."""

    def redealt(self, game: AnyGame, table: Any, seed: int) -> tuple[Any, Any]:
        """The table that knows nothing of this seed, and the one that knows its redeals."""

    def as_dealt(self, start: Any, known: Any, moves: Iterable[Any]) -> Iterator[Any]:
        """The moves with the cards of each redeal that `start` does not know."""


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
                return un.game(word).id
    return None


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
