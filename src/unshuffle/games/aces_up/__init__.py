"""Aces Up: cards are dealt in rows, the lower of two top cards of a suit goes, and only the aces should stay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Self

from unshuffle.cards import Card
from unshuffle.game import Game, Hooks
from unshuffle.games.aces_up import implications, places, search, words
from unshuffle.games.aces_up.endgames import endgames
from unshuffle.games.aces_up.moves import Deal, Discard, FromReserve, Move, ToReserve, ToSpace
from unshuffle.games.aces_up.rules import MOST_SCORE, Rules, State, lay_out
from unshuffle.games.aces_up.view import View
from unshuffle.manifest import Manifest, Seat
from unshuffle.places import Board, Places
from unshuffle.views import Shown

__all__ = [
    "AcesUp",
    "Deal",
    "Discard",
    "FromReserve",
    "Move",
    "Rules",
    "Shown",
    "State",
    "ToReserve",
    "ToSpace",
    "View",
]


class AcesUp(Game[State, Move]):
    """Aces Up with its rules fixed."""

    id = "aces-up"
    name = "Aces Up"
    summary = "four piles, dealt in rows; the lower of two top cards of a suit goes, until the aces are left"
    variants: Mapping[str, Rules] = {
        "standard": Rules(),
        "must-fill": Rules(fill="must"),
        "must-fill-any": Rules(fill="must", destination="any"),
        "last-empty": Rules(destination="last"),
        "any-empty": Rules(destination="any"),
        "free": Rules(destination="any", singletons=True),
        "relaxed-discards": Rules(destination="any", singletons=True, discards="optional"),
        "aces-only": Rules(fill="aces-only"),
        "russian": Rules(deal="spaces"),
        "five-piles": Rules(piles=5),
        "firing-squad": Rules(reserve=1),
    }
    has = Manifest(
        adviser="unshuffle.games.aces_up.advise.adviser:AcesUpAdviser",
        policies="unshuffle.games.aces_up.hidden.policies:POLICIES",
        reduce="unshuffle.games.aces_up.strategy:reduce_policy",
        usual="rollout:20",
        panel=(Seat("rollout:20", 100),),
        environment="unshuffle.games.aces_up.envs:AcesUpEnv",
        environment_id="unshuffle/AcesUp-v0",
        steps=200,
        options="unshuffle.games.aces_up.options:OPTIONS",
        values="unshuffle.games.aces_up.values.tables:AcesUpValues",
        results="unshuffle.games.aces_up.study",
    )
    hides_cards = True
    writer = places.DiscardsWriter
    reader = places.DiscardsReader
    entry_help = (
        "A line for each pile ('Pile 1: QS 6H', bottom card first; nothing behind it: a space), 'Reserve:' where there "
        "is a cell, and 'Stock:' (next card first, '-' for none, '?' if nobody knows); cards that you leave out are "
        "discarded. With an unknown stock 'Discards:' names those."
    )
    bound_words = "not all cards that a win takes can be discarded"
    score_counts = "cards discarded"
    tableau_moves = (ToSpace, ToReserve, FromReserve)
    unwritten: Mapping[str, str] = {
        "solvitaire": "none of its rules discards a card for a higher one",
        "fc-solve": "none of its rules discards a card for a higher one",
        "quagnes": "it plays Agnes Sorel only",
    }

    rules: Rules

    @property
    def most_score(self) -> int:
        """The score with all cards but the aces discarded."""
        return MOST_SCORE

    def is_stricter(self, other: Self) -> bool:
        """Return whether these rules are stricter, by the moves that they allow on a table."""
        return implications.is_stricter(self.rules, other.rules)

    def adopt(self, line: str, state: State, strict: Self) -> tuple[Move, ...]:
        """Return the moves of a stricter game's line; discards forced there are moves where they are optional."""
        if strict.rules.discards == self.rules.discards:
            return super().adopt(line, state, strict)
        return tuple(implications.write_out(strict.parse_moves(line), state))

    board = staticmethod(places.board)
    state_of = staticmethod(places.state_of)
    gesture = staticmethod(places.gesture)
    describe = staticmethod(words.describe)

    @property
    def places(self) -> Places:
        """Stock, cell and discards above the piles."""
        return places.places(self.rules)

    def view_of(self, board: Board) -> State | View:
        """Return what a player sees of a board; a state if the stock is known."""
        return super().view_of(board) if board.is_seen else self.state_of(board)

    def start(self, deck: tuple[Card, ...]) -> State:
        """Return the table before the first deal, with all cards in the stock."""
        return lay_out(self.rules, deck)

    def parse_move(self, token: str, state: State | None = None) -> Move:
        """Read a token such as d, 3-1, 2x, 2-r or r-1."""
        return words.parse_token(token)

    def read_line(self, tokens: Sequence[str], state: State) -> Iterator[Move | None]:
        """Return the moves of a line. Where discards are forced, a line may write out either none of them or all."""
        if self.rules.discards == "forced" and any(token.lower().endswith("x") for token in tokens):
            return words.read_log(tokens, state)
        return super().read_line(tokens, state)

    def hooks(self) -> Hooks[State, Move]:
        """Return the search hooks: safe moves, a bound by the aces, a key that ignores pile order where it may."""
        return Hooks(forced=search.forced, bound=search.bound, key=search.key)

    def small_states(self, seed: int) -> Iterator[State]:
        """Yield small decks and late positions."""
        return endgames(self.rules, seed)
