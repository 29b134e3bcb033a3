"""The record of a game: what was laid out and played in each phase, and its replay by the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from unshuffle.advise.adviser import Adviser
from unshuffle.advise.parts import BOARD, Draft, Origin, Setting, read_board, write_board
from unshuffle.errors import IllegalMoveError, ParseError, quote
from unshuffle.hidden.chance import Chance
from unshuffle.solve import Line
from unshuffle.solve.replay import numbered
from unshuffle.views import OpenView


@dataclass
class Phase:
    """What is known of the play between two deals."""

    draft: Draft = field(default_factory=Draft)
    """The table with which it begins, as far as it has been typed."""
    earlier: list[Draft] = field(default_factory=list)
    """The draft before each answer, so that answers can be taken back."""
    moves: list[str] = field(default_factory=list)
    planned: list[str] = field(default_factory=list)
    """What is left of the plan."""
    followed: int = 0
    """How many of the last moves were the plan's."""
    plan_ends: str | None = None
    """Where the plan ends: won, redeal or lost."""
    chance: Chance | None = None
    """What the first advice in this phase promised."""
    worth: Chance | None = None
    """The chance with which it was ended by a redeal."""
    end: list[str] | None = None
    """The table at its end, once it is over."""
    kept: list[Any] | None = None
    """What the redeal left in place."""

    def drop_plan(self) -> None:
        """The plan no longer begins where the game stands."""
        self.planned, self.followed, self.plan_ends = [], 0, None


@dataclass
class Edit:
    """A change of a game under way, not yet ended."""

    of: str | None = None
    """`start` of this phase, the board `now`, or None while that is being asked."""
    draft: Draft = field(default_factory=Draft)
    earlier: list[Draft] = field(default_factory=list)


@dataclass
class Pass:
    """One game from its first deal to its end."""

    phases: list[Phase] = field(default_factory=lambda: [Phase()])
    result: str | None = None
    """won, lost, or None while it goes on."""


@dataclass
class Record:
    """All that a save file holds of a game."""

    id: str
    created: str
    updated: str = ""
    passes: list[Pass] = field(default_factory=lambda: [Pass()])
    prompt: str = "entry"
    """Where the person is: entry, edit, play, shown, redeal or end."""
    edit: Edit | None = None
    pending: list[str] = field(default_factory=list)
    """Moves that wait for the cards that the first of them shows (prompt `shown`)."""
    model: str = ""
    """What is thought of the redeals when the same game is played again; "" if it never is."""
    declared: str = ""
    """What the person thought of them. Where that was refuted by a typing error, it comes back once that is mended."""

    @property
    def last(self) -> Pass:
        """The pass that is being played."""
        return self.passes[-1]

    @property
    def phase(self) -> Phase:
        """The phase that is being played."""
        return self.last.phases[-1]

    @property
    def is_laid_out(self) -> bool:
        """Whether the table of the present phase is complete and without faults."""
        return self.prompt in ("play", "shown", "end") or self.edit is not None


@dataclass(frozen=True)
class Board:
    """A table that was reached by moves which nobody noted."""

    draft: Draft

    @property
    def token(self) -> str:
        """`board:KH2S8S,QC`."""
        return write_board(self.draft)


@dataclass(frozen=True)
class Played:
    """A phase as the rules replay it: the states it passes through, and the moves between them."""

    states: tuple[Any, ...]
    moves: tuple[Any, ...]

    def pieces(self) -> list[Line]:
        """The play in pieces, cut wherever the moves to a table are unknown."""
        cuts = [-1, *(place for place, move in enumerate(self.moves) if isinstance(move, Board)), len(self.moves)]
        return [
            Line(self.states[before + 1 : after + 1], self.moves[before + 1 : after])
            for before, after in pairwise(cuts)
        ]


def play(table: Any, move: Any) -> Any:
    """The table after a move; a view turns into the state that it shows once no card of it is hidden."""
    after = table.play(move)
    return after.table if isinstance(after, OpenView) else after


def play_tokens(adviser: Adviser, start: Any, tokens: Iterable[str], state: Any = None) -> Played:
    """Replay from `state`, a table of the phase that began with `start`; an illegal token raises ValueError."""
    states = [start if state is None else state]
    moves: list[Any] = []
    for token in tokens:
        if token.startswith(BOARD):
            board = Board(read_board(token))
            setting = Setting(Origin.NOW, start)
            if faults := adviser.typed.faults(board.draft, setting):
                raise ParseError("; ".join(faults))
            moves.append(board)
            states.append(adviser.typed.lay_out(board.draft, setting))
        else:
            moves.append(adviser.told.parse_move(token, states[-1]))
            states.append(play(states[-1], moves[-1]))
    return Played(tuple(states), tuple(moves))


def why_not(error: ValueError) -> str:
    """What is wrong with a move, without the position, which the person sees."""
    return f"{quote(error.token)}: {error.reason}" if isinstance(error, IllegalMoveError) else str(error)


def setting_of(before: Any | None) -> Setting:
    """Where the table of a phase comes from, by the state that the phase before ended with."""
    return Setting() if before is None else Setting(Origin.REDEAL, before)


def replay_phases(adviser: Adviser, phases: Sequence[Phase]) -> list[Played]:
    """Every phase by the rules. ValueError names the phase that does not fit."""
    replayed: list[Played] = []
    for number, phase in enumerate(phases, 1):
        setting = setting_of(replayed[-1].states[-1] if replayed else None)
        try:
            if faults := adviser.typed.faults(phase.draft, setting):
                raise ParseError("; ".join(faults))
            replayed.append(play_tokens(adviser, adviser.typed.lay_out(phase.draft, setting), phase.moves))
        except ValueError as error:
            raise ParseError(f"{adviser.phase_word} {number}: {error}") from None
    return replayed


def moves_in_words(adviser: Adviser, played: Played) -> list[str]:
    """The moves of a phase, numbered; where a table was set by hand, that is said."""
    rows: list[str] = []
    for place, piece in enumerate(played.pieces()):
        if place:
            rows.append("-- the moves to the next table are unknown --")
        rows += numbered(adviser.game, piece)
    return rows
