"""What a game supplies to be advised on: how its table is typed, what a plan is worth, and the words for it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar

from unshuffle.errors import IllegalMoveError
from unshuffle.game import AnyGame
from unshuffle.hidden.chance import Chance
from unshuffle.solve import Line, replay

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


@dataclass(frozen=True, slots=True)
class Advice:
    """A plan for this deal, and what it is worth."""

    moves: tuple[Any, ...]
    ends: str
    """Where the plan ends: 'won', 'redeal', 'next' (ask again), or 'lost' if it only does what can still be done."""
    chance: Chance | None
    """The chance to win the game by it; None if nobody knows."""
    claim: Sequence[str]
    """In words: what is claimed, what it is worth beside its rivals, and why."""
    closing: str
    """What is to be done after the moves, in lines: 'then redeal'."""
    background: Sequence[str]
    """In words: what a person may want to know besides."""
    values: Mapping[str, Any]
    """The same for another program."""
    statistics: str = ""
    """What the search looked at, in a line."""


class Adviser(ABC):
    """One game's part in the flow, with its rules fixed."""

    has_redeals: ClassVar[bool] = False
    """Whether the game has redeals; else it is one phase."""
    begins_empty: ClassVar[bool] = False
    """Whether the game begins with nothing on the table, so that a blank answer alone is a table."""
    ends_by_blank: ClassVar[bool] = True
    """Whether a blank answer ends the entry of a table; else it says nothing."""
    replans: ClassVar[bool] = False
    """Whether moves that leave the plan have it made again at once."""
    takes_samples: ClassVar[bool] = False
    """Whether moves are weighed by games that are played on, so that `effort` may say how many."""
    models: ClassVar[Mapping[str, str]] = {}
    """What may be thought of redeals when the same game is played again: names and words, the default first.

    Empty if no game is played twice.
    """
    phase_word: ClassVar[str]
    """What is played between two redeals: 'deal', 'phase'."""
    kept_name: ClassVar[str]
    """The name in save files of what a redeal leaves in place: 'heights', 'locks'."""
    moves_help: ClassVar[str]
    """How moves are written."""
    edit_prompt: ClassVar[str]
    """Asks for a change, with an example."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.effort: Mapping[str, Any] = {}
        """How much an answer may cost, in the game's own terms."""
        self.is_stopped: Callable[[], bool] = lambda: False
        """Whether the person wants the answer now."""

    @property
    @abstractmethod
    def rules_in_words(self) -> str:
        """What a person who begins a game should know about the rules it is advised by."""

    # The table as it is typed.

    @abstractmethod
    def entry_help(self, setting: Setting) -> str:
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

    @abstractmethod
    def tidy(self, draft: Draft) -> Draft:
        """The draft without places that stayed empty, once its entry has ended."""

    @abstractmethod
    def faults(self, draft: Draft, setting: Setting) -> list[str]:
        """Everything that is wrong with the draft."""

    @abstractmethod
    def early_faults(self, draft: Draft, setting: Setting) -> list[str]:
        """What is wrong whatever follows: cards that are there twice, words that are no cards."""

    @abstractmethod
    def lay_out(self, draft: Draft, setting: Setting) -> Any:
        """The state that a draft without faults stands for."""

    @abstractmethod
    def draft_of(self, state: Any) -> Draft:
        """The table as one would type it."""

    @abstractmethod
    def rows(self, draft: Draft, *, for_person: bool) -> list[str]:
        """The draft for people's eyes, faults marked; or plain."""

    # Play.

    @abstractmethod
    def phase_name(self, state: Any) -> str:
        """Which deal this is: 'deal 2 of 3'."""

    @abstractmethod
    def kept(self, state: Any) -> list[Any]:
        """What the play so far leaves in place for good, as save files hold it."""

    @abstractmethod
    def advise(self, view: Any) -> Advice:
        """The plan for this deal, by what a player sees."""

    def foresee(self, view: Any, moves: Sequence[Any]) -> Line:
        """The plan as a line of play; its states end where a move shows what nobody knows yet."""
        return replay(view.table, moves)

    def numbered(self, line: Line, explain: str) -> list[str]:
        """The moves of a plan, a line of text each."""
        from unshuffle.advise.words import numbered

        return numbered(self.game, line)

    def end_words(self, state: Any) -> str:
        """How a phase ended, in the story of the game."""
        return f"score {state.score}"

    def follows(self, state: Any, move: Any) -> str:
        """What goes with the move by the rules, for the person to do at the table; "" if nothing."""
        return ""

    # What a game with redeals supplies.

    def redeal_name(self, state: Any) -> str:
        """The redeal that follows this state: 'redeal 1'."""
        raise NotImplementedError

    def redeal_help(self, state: Any) -> str:
        """What the person does at the table when this state is redealt."""
        raise NotImplementedError

    def redeal_token(self, draft: Draft, before: Any) -> str:
        """The move that brings this table after the state before, as `unshuffle verify` reads it."""
        raise NotImplementedError

    def why_no_redeal(self, state: Any) -> str:
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
        raise NotImplementedError

    def read_foreign(self, text: str) -> Draft:
        """The table of another program's save."""
        raise NotImplementedError

    # What a game supplies that can be played again.

    def recall(self, passes: Sequence[Sequence[Played]], declared: str, kept: str) -> tuple[str, list[str]]:
        """Take note of all that was played, the pass in hand last. The model that can be kept up, and what to say.

        `declared` is the person's model, `kept` the one that could be kept up so far.
        """
        return kept, []

    def hindsight(self, played: Sequence[Played]) -> list[str]:
        """What could have been done in a pass, in words, by one who knew what its redeals would bring."""
        return []

    # What a game supplies whose moves show cards that nobody knew. A token tells them: `2f=AC`, `d=JS,9D`.

    def split_moves(self, text: str) -> list[str]:
        """The tokens of an answer."""
        return text.replace(",", " ").split()

    def parse_move(self, token: str, state: Any) -> Any:
        """A move, with the cards that it shows if they are told."""
        return self.game.parse_move(token, state)

    def asks(self, state: Any, move: Any) -> str:
        """The question for the cards that the move shows and does not tell; "" if nothing is to be asked."""
        return ""

    def tell(self, state: Any, move: Any, answer: str) -> str:
        """The token of the move with the cards of this answer. Refused if they are not what is asked for."""
        raise NotImplementedError

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
