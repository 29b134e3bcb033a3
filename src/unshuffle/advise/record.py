"""The record of a game: the table and the moves of each phase, and their replay by the rules."""

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
    """The recorded play between two deals."""

    draft: Draft = field(default_factory=Draft)
    """The table with which the phase begins, as far as it has been typed."""
    earlier: list[Draft] = field(default_factory=list)
    """The draft before each answer, for undo."""
    moves: list[str] = field(default_factory=list)
    planned: list[str] = field(default_factory=list)
    """The rest of the plan."""
    followed: int = 0
    """How many of the last moves followed the plan."""
    plan_ends: str | None = None
    """Where the plan ends, as in `Advice.ends`."""
    chance: Chance | None = None
    """The chance to win by the first advice in this phase."""
    worth: Chance | None = None
    """The chance to win at the redeal that ended the phase."""
    end: list[str] | None = None
    """The final table of a finished phase."""
    kept: list[Any] | None = None
    """What the redeal left in place."""

    def drop_plan(self) -> None:
        """Drop the plan: it no longer begins where the game stands."""
        self.planned, self.followed, self.plan_ends = [], 0, None


@dataclass
class Edit:
    """An unfinished change of a game under way."""

    of: str | None = None
    """`start` of this phase, the board `now`, or None until the person has chosen."""
    draft: Draft = field(default_factory=Draft)
    earlier: list[Draft] = field(default_factory=list)


@dataclass
class Pass:
    """One game from its first deal to its end."""

    phases: list[Phase] = field(default_factory=lambda: [Phase()])
    result: str | None = None
    """won, lost, or None while the game goes on."""


@dataclass
class Record:
    """The contents of a game's save file."""

    id: str
    created: str
    updated: str = ""
    passes: list[Pass] = field(default_factory=lambda: [Pass()])
    prompt: str = "entry"
    """The prompt that the person is at: entry, edit, play, shown, redeal or end."""
    edit: Edit | None = None
    pending: list[str] = field(default_factory=list)
    """Moves that wait until the person names the cards that the first of them reveals (prompt `shown`)."""
    model: str = ""
    """The model of the redeals in repeated passes; "" if the game is never played again."""
    declared: str = ""
    """The model that the person chose. If a typing error refuted it, it applies again once the error is corrected."""

    @property
    def last(self) -> Pass:
        """The current pass."""
        return self.passes[-1]

    @property
    def phase(self) -> Phase:
        """The current phase."""
        return self.last.phases[-1]

    @property
    def is_laid_out(self) -> bool:
        """Whether the table of the current phase is complete and without faults."""
        return self.prompt in ("play", "shown", "end") or self.edit is not None


@dataclass(frozen=True)
class Board:
    """A table that was reached by unknown moves."""

    draft: Draft

    @property
    def token(self) -> str:
        """`board:KH2S8S,QC`."""
        return write_board(self.draft)


@dataclass(frozen=True)
class Played:
    """A phase as the rules replay it: its states, and the moves between them."""

    states: tuple[Any, ...]
    moves: tuple[Any, ...]

    def pieces(self) -> list[Line]:
        """Return the play in pieces, cut wherever the moves to a table are unknown."""
        cuts = [-1, *(place for place, move in enumerate(self.moves) if isinstance(move, Board)), len(self.moves)]
        return [
            Line(self.states[before + 1 : after + 1], self.moves[before + 1 : after])
            for before, after in pairwise(cuts)
        ]


def play(table: Any, move: Any) -> Any:
    """Return the table after a move; a view without hidden cards left becomes its state."""
    after = table.play(move)
    return after.table if isinstance(after, OpenView) else after


def play_tokens(adviser: Adviser, start: Any, tokens: Iterable[str], state: Any = None) -> Played:
    """Replay tokens from `state`, a table of the phase that began with `start`. ValueError for an illegal token."""
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
    """Return what is wrong with a move, without the position, which the person sees."""
    return f"{quote(error.token)}: {error.reason}" if isinstance(error, IllegalMoveError) else str(error)


def setting_of(before: Any | None) -> Setting:
    """Return the setting for the table of a phase, given the last state of the phase before."""
    return Setting() if before is None else Setting(Origin.REDEAL, before)


def replay_phases(adviser: Adviser, phases: Sequence[Phase]) -> list[Played]:
    """Replay every phase by the rules. ParseError names the phase that does not fit."""
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
    """Return the moves of a phase, numbered; a row marks each table that was set by hand."""
    rows: list[str] = []
    for place, piece in enumerate(played.pieces()):
        if place:
            rows.append("-- the moves to the next table are unknown --")
        rows += numbered(adviser.game, piece)
    return rows
