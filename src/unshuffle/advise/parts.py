"""The parts of an adviser that talk about a table: how it is typed, its redeals, and cards that come to light."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar

from unshuffle.errors import IllegalMoveError, RefusedError, UsageError
from unshuffle.game import AnyGame
from unshuffle.hidden.chance import Chance

if TYPE_CHECKING:
    from unshuffle.advise.record import Played


@dataclass(frozen=True, slots=True)
class Draft:
    """A table as it is typed: its cells as text (fans, or places of a board; "" is not entered), and labelled lines."""

    cells: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)


class Origin(Enum):
    """How a table comes about, which decides what may lie on it."""

    ENTRY = "entry"
    """It is typed as it was found."""
    REDEAL = "redeal"
    """It is what a redeal brought; the state that goes with it is the one before the redeal."""
    NOW = "now"
    """The play to it was not noted; the state that goes with it is the one with which this deal began."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a table comes from: its origin, and the state that it comes from (None for an entry)."""

    origin: Origin = Origin.ENTRY
    state: Any = None


class Typed(ABC):
    """How a person types a table, and what is wrong with it."""

    ends_by_blank: ClassVar[bool] = True
    """Whether a blank answer ends the entry of a table; else it says nothing."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def check(self) -> None:
        """Refuse a game whose tables cannot be typed, with the reason."""
        return

    @property
    def begins_empty(self) -> bool:
        """Whether the game begins with nothing on the table, so that a blank answer alone is a table."""
        return False

    @property
    @abstractmethod
    def edit_prompt(self) -> str:
        """Asks for a change, with an example."""

    @abstractmethod
    def help(self, setting: Setting) -> str:
        """How a table is typed, in lines."""

    def blank(self, setting: Setting) -> Draft:
        """The draft before anything is typed."""
        return Draft()

    @abstractmethod
    def next_place(self, draft: Draft, setting: Setting) -> str:
        """The place that is asked for next: 'fan 3'."""

    @abstractmethod
    def enter(self, draft: Draft, answer: str, setting: Setting, *, is_edit: bool) -> tuple[Draft, list[str]]:
        """The draft with the answer in it, and what is to be said about it. Refused if nothing can be made of it."""

    @abstractmethod
    def is_complete(self, draft: Draft, setting: Setting) -> bool:
        """Whether the entry ends by itself."""

    def tidy(self, draft: Draft) -> Draft:
        """The draft once its entry has ended: without what stayed empty, and with what follows from the rest."""
        return draft

    @abstractmethod
    def faults(self, draft: Draft, setting: Setting, *, early: bool = False) -> list[str]:
        """Everything that is wrong with the draft.

        `early` faults are those that nothing further can mend: cards that are there twice, words that are no cards.
        """

    @abstractmethod
    def lay_out(self, draft: Draft, setting: Setting) -> Any:
        """The state that a draft without faults stands for."""

    @abstractmethod
    def draft_of(self, state: Any) -> Draft:
        """The table as one would type it."""

    @abstractmethod
    def rows(self, draft: Draft, *, for_person: bool) -> list[str]:
        """The draft for people's eyes, faults marked; or plain."""

    def read_foreign(self, text: str) -> Draft:
        """The table of another program's save."""
        raise UsageError(f"there are no saves of another program to import for {self.game.id}")


class Redeals(ABC):
    """The redeals of a game, which chance decides; and the same game played again, where its redeals come again."""

    models: ClassVar[Mapping[str, str]] = {}
    """What may be thought of redeals when the same game is played again: names and words, the default first.

    Empty if no game is played twice.
    """

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    @abstractmethod
    def name(self, state: Any) -> str:
        """The redeal that follows this state: 'redeal 1'."""

    @abstractmethod
    def help(self, state: Any) -> str:
        """What the person does at the table when this state is redealt."""

    @abstractmethod
    def token(self, draft: Draft, before: Any) -> str:
        """The move that brings this table after the state before, as `unshuffle verify` reads it."""

    def why_not(self, state: Any) -> str:
        """Why no redeal is allowed now, in the words of the rule that forbids it; "" if it is."""
        if state.can_redeal:
            return ""
        try:
            state.play(self.game.parse_move("r", state))
        except IllegalMoveError as error:
            return error.reason
        return ""

    def worth(self, state: Any) -> Chance | None:
        """The chance to win if the redeal is made now; None if nobody knows."""
        return None

    def recall(self, passes: Sequence[Sequence[Played]], declared: str, kept: str) -> tuple[str, list[str]]:
        """Take note of all that was played, the pass in hand last. The model that can be kept up, and what to say.

        `declared` is the person's model, `kept` the one that could be kept up so far.
        """
        return kept, []

    def hindsight(self, played: Sequence[Played]) -> list[str]:
        """What could have been done in a pass, in words, by one who knew what its redeals would bring."""
        return []


class Told:
    """Moves as a person tells them. This is the part of a game that shows every card.

    Where moves show cards that nobody knew, a token tells them too: `2f=AC`, `d=JS,9D`.
    """

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def split_moves(self, text: str) -> list[str]:
        """The tokens of an answer."""
        return self.game.split_moves(text)

    def parse_move(self, token: str, state: Any) -> Any:
        """A move, with the cards that it shows if they are told."""
        return self.game.parse_move(token, state)

    def asks(self, state: Any, move: Any) -> str:
        """The question for the cards that the move shows and does not tell; "" if nothing is to be asked."""
        return ""

    def tell(self, state: Any, move: Any, answer: str) -> str:
        """The token of the move with the cards of this answer. Refused if they are not what is asked for."""
        raise RefusedError(f"{move.token} shows no card that nobody knew")

    def verifiable(self, start: Any, tokens: Sequence[str]) -> tuple[Any, Sequence[str], str]:
        """Start and tokens as `unshuffle verify` takes them, with nothing unknown; and a remark, or ""."""
        return start, tokens, ""


BOARD = "board:"
"""Begins the token of a table that was reached by moves which nobody noted."""


def write_board(draft: Draft) -> str:
    """The table as one word among moves: its cells, then `label=value`."""
    labels = [f"{label}={value}" for label, value in draft.labels.items()]
    return BOARD + ",".join(part.replace(" ", "") for part in [*draft.cells, *labels])


def read_board(token: str) -> Draft:
    """The inverse of `write_board`."""
    parts = token.removeprefix(BOARD).split(",")
    labels = dict(part.split("=", 1) for part in parts if "=" in part)
    return Draft(tuple(part for part in parts if "=" not in part), labels)
