"""What a game supplies to be advised on: a plan and what it is worth, and the parts that talk about its tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from unshuffle.advise.parts import Redeals, Told, Typed
from unshuffle.advise.typed import TypedPlaces
from unshuffle.game import AnyGame
from unshuffle.hidden.chance import Chance
from unshuffle.solve import Line, replay
from unshuffle.solve.replay import numbered


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


class Planner(ABC):
    """What thinks of a game, with its rules fixed: by no more than a player sees."""

    takes_samples: ClassVar[bool] = False
    """Whether moves are weighed by games that are played on, so that `effort` may say how many."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.effort: Mapping[str, Any] = {}
        """How much an answer may cost, in the game's own terms."""
        self.is_stopped: Callable[[], bool] = lambda: False
        """Whether the person wants the answer now."""

    @abstractmethod
    def advise(self, view: Any) -> Advice:
        """The plan for this deal, by what a player sees."""

    def foresee(self, view: Any, moves: Sequence[Any]) -> Line:
        """The plan as a line of play; its states end where a move shows what nobody knows yet."""
        return replay(view.table, moves)

    def numbered(self, line: Line, explain: str) -> list[str]:
        """The moves of a plan, a line of text each."""
        return numbered(self.game, line)


class Adviser(Planner):
    """One game's part in the flow: a planner, and what is said about its tables. A game supplies the parts it has."""

    typed_by: ClassVar[type[Typed]] = TypedPlaces
    """How its tables are typed; as its places tell, where it has no way of its own."""
    redealt_by: ClassVar[type[Redeals] | None] = None
    """What it says of redeals that chance decides; None: it has none, and is one phase."""
    told_by: ClassVar[type[Told]] = Told
    """How its moves are told, with the cards that come to light."""
    replans: ClassVar[bool] = False
    """Whether moves that leave the plan have it made again at once."""
    phase_word: ClassVar[str] = "game"
    """What is played between two redeals: 'deal', 'phase'."""
    kept_name: ClassVar[str] = "score"
    """The name in save files of what a redeal leaves in place: 'heights', 'locks'."""

    def __init__(self, game: AnyGame) -> None:
        super().__init__(game)
        self.typed = self.typed_by(game)
        self.redeals = None if self.redealt_by is None else self.redealt_by(game)
        self.told = self.told_by(game)

    @property
    def models(self) -> Mapping[str, str]:
        """What may be thought of redeals when the same game is played again; empty if no game is."""
        return {} if self.redeals is None else self.redeals.models

    @property
    def rules_in_words(self) -> str:
        """What a person who begins a game should know about the rules it is advised by."""
        return self.game.summary or self.game.name

    @property
    def moves_help(self) -> str:
        """How moves are written; the example is a line that some deal begins with."""
        state, tokens = self.game.start(self.game.pack), list[str]()
        for _ in range(3):
            for move in state.legal_moves()[:1]:
                state = state.play(move)
                tokens.append(move.token)
        return f"such as {' '.join(tokens)}" if tokens else "as the game writes them"

    def phase_name(self, state: Any) -> str:
        """Which deal this is: 'deal 2 of 3'; or how far the game is."""
        return f"score {state.score}"

    def kept(self, state: Any) -> list[Any]:
        """What the play so far leaves in place for good, as save files hold it."""
        return [state.score]

    def end_words(self, state: Any) -> str:
        """How a phase ended, in the story of the game."""
        return f"score {state.score}"

    def follows(self, state: Any, move: Any) -> str:
        """What goes with the move by the rules, for the person to do at the table; "" if nothing."""
        return ""
