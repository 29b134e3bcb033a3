"""The parts of an adviser that deal with a table: how it is typed, its redeals, and the cards that moves reveal."""

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
    """A table as typed: one text per cell (fans, or places of a board; "" means not entered), and labelled lines."""

    cells: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)


class Origin(Enum):
    """How a table comes about, which decides what may lie on it."""

    ENTRY = "entry"
    """The person types the table as found."""
    REDEAL = "redeal"
    """A redeal produced the table; `Setting.state` is the state before the redeal."""
    NOW = "now"
    """The moves to the table are unknown; `Setting.state` is the state with which this deal began."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a table comes from: its origin, and the state before it (None for an entry)."""

    origin: Origin = Origin.ENTRY
    state: Any = None


class Typed(ABC):
    """The dialog in which a person types a table, and the checks of that table."""

    ends_by_blank: ClassVar[bool] = True
    """Whether a blank answer ends the entry of a table; otherwise it is ignored."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def check(self) -> None:
        """Raise UsageError with the reason if tables of this game cannot be typed."""
        return

    @property
    def begins_empty(self) -> bool:
        """Whether a new game has nothing on the table, so that a blank answer alone is a table."""
        return False

    @property
    @abstractmethod
    def edit_prompt(self) -> str:
        """The prompt for a change, with an example."""

    @abstractmethod
    def help(self, setting: Setting) -> str:
        """Return the help on how to type a table, in lines."""

    def blank(self, setting: Setting) -> Draft:
        """Return the draft before anything is typed."""
        return Draft()

    @abstractmethod
    def next_place(self, draft: Draft, setting: Setting) -> str:
        """Return the name of the place to ask for next: 'fan 3'."""

    @abstractmethod
    def enter(self, draft: Draft, answer: str, setting: Setting, *, is_edit: bool) -> tuple[Draft, list[str]]:
        """Return the draft with the answer put in, and remarks for the person. RefusedError if it is unreadable."""

    @abstractmethod
    def is_complete(self, draft: Draft, setting: Setting) -> bool:
        """Return whether the draft is complete without a blank answer."""

    def tidy(self, draft: Draft) -> Draft:
        """Return the draft after its entry: without places that stayed empty, with values that follow from the rest."""
        return draft

    @abstractmethod
    def faults(self, draft: Draft, setting: Setting, *, early: bool = False) -> list[str]:
        """Return everything that is wrong with the draft.

        With `early` only the faults that no further answer can fix: duplicate cards, words that are not cards.
        """

    @abstractmethod
    def lay_out(self, draft: Draft, setting: Setting) -> Any:
        """Return the state of a draft without faults."""

    @abstractmethod
    def draft_of(self, state: Any) -> Draft:
        """Return the draft with which a person would type this table."""

    @abstractmethod
    def rows(self, draft: Draft, *, for_person: bool) -> list[str]:
        """Return the draft as rows of text: with faults marked for a person, else plain."""

    def read_foreign(self, text: str) -> Draft:
        """Return the table of another program's save."""
        raise UsageError(f"there are no saves of another program to import for {self.game.id}")


class Redeals(ABC):
    """The redeals of a game, which chance decides; and further passes of the same game, in which its redeals recur."""

    models: ClassVar[Mapping[str, str]] = {}
    """Models of the redeals for repeated passes: names and descriptions, the default first.

    Empty if a game cannot be played again.
    """

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    @abstractmethod
    def name(self, state: Any) -> str:
        """Return the name of the redeal that follows this state: 'redeal 1'."""

    @abstractmethod
    def help(self, state: Any) -> str:
        """Return the instructions for redealing this state at the table."""

    @abstractmethod
    def token(self, draft: Draft, before: Any) -> str:
        """Return the token of the redeal from the state `before` to the table of the draft, for `unshuffle verify`."""

    def why_not(self, state: Any) -> str:
        """Return why no redeal is allowed now, in the words of the violated rule; "" if one is allowed."""
        if state.can_redeal:
            return ""
        try:
            state.play(self.game.parse_move("r", state))
        except IllegalMoveError as error:
            return error.reason
        return ""

    def worth(self, state: Any) -> Chance | None:
        """Return the chance to win if the redeal is made now; None if it is unknown."""
        return None

    def recall(self, passes: Sequence[Sequence[Played]], declared: str, kept: str) -> tuple[str, list[str]]:
        """Fit a model of the redeals to all passes, the current one last. Return it with messages for the person.

        `declared` is the model that the person chose, `kept` the one that fitted all passes so far.
        """
        return kept, []

    def hindsight(self, played: Sequence[Played]) -> list[str]:
        """Return in words what a player who knew the redeals of a pass could have done in it."""
        return []


class Told:
    """Moves as a person types them. This class serves a game that shows every card.

    Where a move reveals an unknown card, its token names the card too: `2f=AC`, `d=JS,9D`.
    """

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def split_moves(self, text: str) -> list[str]:
        """Return the tokens of an answer."""
        return self.game.split_moves(text)

    def parse_move(self, token: str, state: Any) -> Any:
        """Return the move of a token, with the cards it reveals if the token names them."""
        return self.game.parse_move(token, state)

    def asks(self, state: Any, move: Any) -> str:
        """Return the question for the revealed cards that the move does not name; "" if there is none."""
        return ""

    def tell(self, state: Any, move: Any, answer: str) -> str:
        """Return the token of the move with the cards of the answer. RefusedError if they do not fit the question."""
        raise RefusedError(f"{move.token} shows no card that nobody knew")

    def verifiable(self, start: Any, tokens: Sequence[str]) -> tuple[Any, Sequence[str], str]:
        """Return start and tokens as `unshuffle verify` takes them, with nothing unknown; and a remark, or ""."""
        return start, tokens, ""


BOARD = "board:"
"""Prefix of the token of a table that was reached by unknown moves."""


def write_board(draft: Draft) -> str:
    """Return the table as one token: its cells, then `label=value`."""
    labels = [f"{label}={value}" for label, value in draft.labels.items()]
    return BOARD + ",".join(part.replace(" ", "") for part in [*draft.cells, *labels])


def read_board(token: str) -> Draft:
    """Return the draft of a token: the inverse of `write_board`."""
    parts = token.removeprefix(BOARD).split(",")
    labels = dict(part.split("=", 1) for part in parts if "=" in part)
    return Draft(tuple(part for part in parts if "=" not in part), labels)
