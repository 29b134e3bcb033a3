"""Golf, a small patience written only against the protocol: `unshuffle solve golf --load examples/golf.py --seed 1`.

Seven columns of five cards, one card on the waste, the rest in the stock. A column's last card goes onto the waste if
it is one rank higher or lower; the stock turns one card. Won when the columns are empty; the score counts cards gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from unshuffle import Card, Game, Hooks, IllegalMoveError, OpenView, Outcome
from unshuffle.cards import format_cards
from unshuffle.errors import Faults
from unshuffle.layout import Layout, Seen, read_cards


@dataclass(frozen=True, slots=True)
class Rules:
    """Nothing differs from one Golf to another here; a field would be a choice."""


@dataclass(frozen=True, slots=True)
class Move:
    """A card onto the waste, or None: turn a card of the stock."""

    card: Card | None

    @property
    def token(self) -> str:
        """The card, or `d`."""
        return "d" if self.card is None else str(self.card)


@dataclass(frozen=True, slots=True)
class State:
    """Columns, the waste with the covered cards first, and the stock with the next card first."""

    game_id: ClassVar[str] = "golf"
    rules: Rules
    columns: tuple[tuple[Card, ...], ...]
    waste: tuple[Card, ...]
    stock: tuple[Card, ...]
    id: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        piles = [
            *map(format_cards, self.columns),
            f"Waste: {format_cards(self.waste)}",
            f"Stock: {format_cards(self.stock)}",
        ]
        return "\n".join(piles) + "\n"

    def legal_moves(self) -> tuple[Move, ...]:
        """Cards by column, then the stock; none once the columns are empty."""
        last = [column[-1] for column in self.columns]
        fitting = [Move(card) for card in last if abs(card.rank - self.waste[-1].rank) == 1]
        return tuple(fitting + [Move(None)] * bool(self.stock and self.columns))

    def play(self, move: Move) -> State:
        """The table after the move."""
        if move not in self.legal_moves():
            raise IllegalMoveError(move.token, str(self), "it is no neighbour of the waste, or not free")
        if move.card is None:
            return State(self.rules, self.columns, (*self.waste, self.stock[0]), self.stock[1:], self.id)
        columns = (column[:-1] if column[-1] is move.card else column for column in self.columns)
        return State(self.rules, tuple(filter(None, columns)), (*self.waste, move.card), self.stock, self.id)

    @property
    def outcome(self) -> Outcome | None:
        """Won without columns."""
        return Outcome.WON if not self.columns else None if self.legal_moves() else Outcome.STUCK

    @property
    def score(self) -> int:
        """Cards gone from the columns."""
        return 35 - sum(map(len, self.columns))

    can_redeal = False

    def view(self) -> OpenView[State]:
        """Thoughtful Golf: the stock is known."""
        return OpenView(self)


class Golf(Game[State, Move]):
    """Golf with its rules fixed."""

    id = "golf"
    name = "Golf"
    summary = "seven columns of five, cleared one neighbour at a time"
    variants: Mapping[str, Rules] = {"plain": Rules()}
    labels = ("waste", "stock")
    most_score = 35

    def start(self, deck: tuple[Card, ...]) -> State:
        """Five rows of seven, one card to the waste."""
        return State(self.rules, tuple(deck[i:35:7] for i in range(7)), deck[35:36], deck[36:])

    def read(self, layout: Layout, faults: Faults) -> State:
        """Columns as plain lines, then the waste and the stock."""
        seen = Seen(faults)
        lines = [*layout.rows, *(layout.labelled[label] for label in self.labels if label in layout.labelled)]
        piles = [tuple(c for c, place in read_cards(line.tokens, faults) if seen.is_new(c, place)) for line in lines]
        if len(layout.labelled.keys() & set(self.labels)) < 2 or not piles[-2]:
            faults.add("expected columns, then 'Waste:' with at least one card, and 'Stock:'")
        if len(seen.places) != 52:
            faults.add(f"missing: {format_cards(card for card in self.pack if card not in seen.places)}")
        faults.check()
        return State(self.rules, tuple(piles[:-2]), piles[-2], piles[-1])

    def cards(self, state: State) -> Iterable[Card]:
        """All piles."""
        return [card for pile in (*state.columns, state.waste, state.stock) for card in pile]

    def hooks(self) -> Hooks[State, Move]:
        """Of the waste only the top card matters for what can still be done."""
        return Hooks(key=lambda state: (state.columns, state.waste[-1], state.stock))

    def parse_move(self, token: str, state: State | None = None) -> Move:
        """A card, or `d`."""
        return Move(None if token.strip().lower() == "d" else Card.parse(token))
