"""What a game supplies for advice: a planner, and the parts that deal with its tables."""

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
    """A plan for this deal, and its value."""

    moves: tuple[Any, ...]
    ends: str
    """Where the plan ends: 'won', 'redeal', 'next' (ask again), or 'lost' if no win is left and it only scores."""
    chance: Chance | None
    """The chance to win the game with the plan; None if unknown."""
    claim: Sequence[str]
    """In words: the claim, how it compares with the alternatives, and why."""
    closing: str
    """What to do after the moves, in lines: 'then redeal'."""
    background: Sequence[str]
    """In words: further background."""
    values: Mapping[str, Any]
    """The claim as JSON values."""
    statistics: str = ""
    """A line about the search effort."""


class Planner(ABC):
    """The part that plans for a game with its rules fixed, using only what a player sees."""

    takes_samples: ClassVar[bool] = False
    """Whether moves are evaluated by playouts, so that `effort` may limit their number."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.effort: Mapping[str, Any] = {}
        """The limits of an answer's cost, in the game's own terms."""
        self.is_stopped: Callable[[], bool] = lambda: False
        """Whether the person wants the answer now."""

    @abstractmethod
    def advise(self, view: Any) -> Advice:
        """Return the plan for this deal from what a player sees."""

    def foresee(self, view: Any, moves: Sequence[Any]) -> Line:
        """Return the plan as a line of play; its states end at the first move that reveals an unknown card."""
        return replay(view.table, moves)

    def numbered(self, line: Line, explain: str) -> list[str]:
        """Return the moves of a plan, one line of text each."""
        return numbered(self.game, line)


class Adviser(Planner):
    """One game's part in the flow: a planner, and texts about its tables. A game overrides the parts it needs."""

    typed_by: ClassVar[type[Typed]] = TypedPlaces
    """How its tables are typed; by default from its places."""
    redealt_by: ClassVar[type[Redeals] | None] = None
    """Its redeals by chance; None: it has none, and a game is one phase."""
    told_by: ClassVar[type[Told]] = Told
    """How its moves are typed, with the cards they reveal."""
    replans: ClassVar[bool] = False
    """Whether the plan is made again at once when the person's moves leave it."""
    phase_word: ClassVar[str] = "game"
    """The word for the play between two redeals: 'deal', 'phase'."""
    kept_name: ClassVar[str] = "score"
    """The key in save files of what a redeal leaves in place: 'heights', 'locks'."""

    def __init__(self, game: AnyGame) -> None:
        super().__init__(game)
        self.typed = self.typed_by(game)
        self.redeals = None if self.redealt_by is None else self.redealt_by(game)
        self.told = self.told_by(game)

    @property
    def models(self) -> Mapping[str, str]:
        """The models of the redeals for repeated passes; empty if no game is played again."""
        return {} if self.redeals is None else self.redeals.models

    @property
    def rules_in_words(self) -> str:
        """What a person who begins a game should know about the rules in use."""
        return self.game.summary or self.game.name

    @property
    def moves_help(self) -> str:
        """How moves are written; the example is a line from the first deal."""
        state, tokens = self.game.start(self.game.pack), list[str]()
        for _ in range(3):
            for move in state.legal_moves()[:1]:
                state = state.play(move)
                tokens.append(move.token)
        return f"such as {' '.join(tokens)}" if tokens else "as the game writes them"

    def phase_name(self, state: Any) -> str:
        """Return which deal this is ('deal 2 of 3'), or how far the game has come."""
        return f"score {state.score}"

    def kept(self, state: Any) -> list[Any]:
        """Return what the play so far leaves in place for good, as save files store it."""
        return [state.score]

    def end_words(self, state: Any) -> str:
        """Return how a phase ended, for the summary of the game."""
        return f"score {state.score}"

    def follows(self, state: Any, move: Any) -> str:
        """Return what the person has to do at the table along with the move by the rules; "" if nothing."""
        return ""
