"""Options that one game adds to a command: what the command asks of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol

from unshuffle.cards import Card


def option(words: str, metavar: str | None = None, *, default: Any = None, **limits: int) -> Any:
    """A field that is an option: what it says, what its value is called, and its `min` and `max`."""
    return field(default=default, metadata={"help": words, "metavar": metavar, **limits})


@dataclass(frozen=True, kw_only=True)
class GameOptions:
    """The options that a game adds to a command; this one adds none.

    A game's own ones are a dataclass, under the command's name in the mapping that the game's manifest names: each
    field is an `option`. What a command asks of them is here.
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

    def game(self, game: Any, given: Collection[str]) -> Any:
        """The game that they mean; `given` are the rules that were named one by one."""
        return game

    def table(self, state: Any, said: Collection[str]) -> Any:
        """The table that they mean; `said` are the labels of the lines that were typed with it."""
        return state

    def single(self, game: Any, table: Any = None) -> Any:
        """The game that is asked about: on this table, or on all those that seeds deal."""
        return game

    def question(self, game: Any, table: Any) -> Any:
        """The table as it is asked about."""
        return table

    def notes(self, game: Any, table: Any = None) -> list[str]:
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

    def entered(self, game: Any) -> list[tuple[str, str, int]]:
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

    def redealt(self, game: Any, table: Any, seed: int) -> tuple[Any, Any]:
        """The table that knows nothing of this seed, and the one that knows its redeals."""

    def as_dealt(self, start: Any, known: Any, moves: Iterable[Any]) -> Iterator[Any]:
        """The moves with the cards of each redeal that `start` does not know."""
