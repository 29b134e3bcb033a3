"""Options that a game adds to a command, and the interface that commands use."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol

from unshuffle.cards import Card


def option(words: str, metavar: str | None = None, *, default: Any = None, **limits: int) -> Any:
    """Return a dataclass field for an option, with its help text, the name of its value, and its `min` and `max`."""
    return field(default=default, metadata={"help": words, "metavar": metavar, **limits})


@dataclass(frozen=True, kw_only=True)
class GameOptions:
    """The options that a game adds to a command; this class adds none.

    A game has a dataclass for each command, by the command's name in the mapping that its manifest names. Each of its
    fields is an `option`. The commands call the methods below.
    """

    examples: ClassVar[tuple[str, ...]] = ()
    epilog: ClassVar[tuple[str, ...]] = ()
    """Lines at the end of the help page."""

    # Of `solve` and `advise`.

    @property
    def player(self) -> PlayOut | None:
        """The player that plays the game out instead of a search for a verdict, if requested."""
        return None

    @property
    def effort(self) -> dict[str, Any]:
        """The cost limits of an answer of `advise`, in the game's own terms."""
        return {}

    @property
    def asks_open(self) -> bool:
        """Whether `advise` also runs the open solver."""
        return False

    @property
    def import_file(self) -> Path | None:
        """The save of another program that `advise` imports."""
        return None

    @property
    def switched_off(self) -> list[str]:
        """The techniques that a search must not use."""
        return []

    def game(self, game: Any, given: Collection[str]) -> Any:
        """Return the game that the options select; `given` are the rules that were named one by one."""
        return game

    def table(self, state: Any, said: Collection[str]) -> Any:
        """Return the table that the options select; `said` are the labels of the lines that were typed with it."""
        return state

    def single(self, game: Any, table: Any = None) -> Any:
        """Return the game of the question: on this table, or on all those that seeds deal."""
        return game

    def question(self, game: Any, table: Any) -> Any:
        """Return the table of the question."""
        return table

    def notes(self, game: Any, table: Any = None) -> list[str]:
        """Return remarks on the question."""
        return []

    # Of `simulate` and `tournament`.

    def policy_text(self, text: str) -> str:
        """Return the policy that the options select."""
        return text

    @property
    def ranks_lists(self) -> bool:
        """Whether a tournament ranks its players in groups, as it does with hundreds of rule lists."""
        return False

    def entered(self, game: Any) -> list[tuple[str, str, int]]:
        """Return the lists of a tournament: an entered text, a policy that plays it, and how many lists that plays."""
        return []

    def played_as(self) -> Iterable[tuple[str, str]]:
        """Return each entered list with the policy that plays it; there may be very many."""
        return ()

    def foreign_deck(self, text: str) -> tuple[Card, ...] | None:
        """Return the deck, in deal order, of a line in another program's notation; None if it is not in one."""
        return None

    def beside(self, state: Any) -> str:
        """Return extra text about the table after each move of a detailed game; '' for none."""
        return ""

    @property
    def writes_games(self) -> bool:
        """Whether games are printed in another program's notation, and nothing else."""
        return False

    def written(self, start: Any, moves: Sequence[Any]) -> str:
        """Return a game in that notation."""
        raise NotImplementedError


class PlayOut(Protocol):
    """The player of a game with redeals."""

    @property
    def redeal_seed(self) -> int | None:
        """The seed whose decks determine the redeals, if one was given."""

    @property
    def played_by(self) -> str:
        """The name of the policy that plays."""

    def lacks_redeals(self, table: Any) -> bool:
        """Return whether a redeal in unknown order may come."""

    def redealt(self, game: Any, table: Any, seed: int) -> tuple[Any, Any]:
        """Return the table without this seed's redeals, and the one that knows them."""

    def as_dealt(self, start: Any, known: Any, moves: Iterable[Any]) -> Iterator[Any]:
        """Yield the moves with the cards of each redeal that `start` does not know."""
