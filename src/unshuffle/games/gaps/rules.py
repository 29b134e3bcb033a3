"""Gaps: the rules. Values in, values out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import TYPE_CHECKING, ClassVar

from unshuffle.cards import PACK, SUITS, Card, format_cards
from unshuffle.errors import IllegalMoveError, UsageError, in_a_line
from unshuffle.game import Outcome
from unshuffle.games.gaps.moves import Move, Redeal, ToGap, write_cell
from unshuffle.rulebook import check_fields
from unshuffle.views import OpenView, Pictured

if TYPE_CHECKING:
    import random

ROWS = 4
COLUMNS = 13
MOST_SCORE = 48
ACES = tuple(card for card in PACK if card.rank == 1)
TWOS = tuple(card for card in PACK if card.rank == 2)
CARDS = tuple(card for card in PACK if card.rank > 1)
"""All cards that are ever on the board."""

_ALLOWED: dict[str, Iterable[object]] = {
    "redeals": range(100),
    "redeal_gaps": ("random", "after-run"),
    "twos_locked": (True, False),
    "early_redeal": (True, False),
}

Cells = tuple[Card | None, ...]
Deck = tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The choices in which one Gaps differs from another."""

    allowed: ClassVar[Mapping[str, Iterable[object]]] = _ALLOWED
    """The values that a field may have; a field that is missing here is checked separately."""

    redeals: int = 3
    """How often the loose cards may be dealt again."""
    redeal_gaps: str = "random"
    """Where a redeal leaves the gaps: `random`: anywhere among the free cells; `after-run`: right of each run."""
    twos_locked: bool = True
    """A 2 in column 1 never moves again."""
    early_redeal: bool = False
    """A redeal is allowed while cards can still move."""
    fixed_suits: str = ""
    """The suit of each row from the top, e.g. CHSD: only its 2 begins the row. Empty: any 2 begins any row."""

    def __post_init__(self) -> None:
        check_fields(self, _ALLOWED)
        # Only text: a list of the same letters has no hash, and is not equal to a variant's text.
        if self.fixed_suits != "" and self.fixed_suits not in map("".join, permutations(SUITS)):
            raise UsageError(
                f"fixed_suits={in_a_line(self.fixed_suits)} is not allowed;"
                " it may be empty or name the four suits, e.g. CHSD"
            )
        if self.redeals and self.has_free_twos and not self.early_redeal:
            raise UsageError(
                "redeals with twos_locked=no require early_redeal=yes: while column 1 has a gap a 2 can always hop "
                "there from another row, so such a game may never be stuck"
            )

    @property
    def has_free_twos(self) -> bool:
        """True if a 2 may hop within column 1, so that positions can come again. With fixed suits no 2 ever hops."""
        return not self.twos_locked and not self.fixed_suits


@dataclass(frozen=True, slots=True)
class State(Pictured):
    """A board of four rows, the number of redeals used, and the decks of the coming ones."""

    game_id: ClassVar[str] = "gaps"

    rules: Rules
    cells: Cells
    """52 cells row by row; None is a gap."""
    used: int = 0
    """The number of redeals taken."""
    redeals: tuple[Deck, ...] = ()
    """The known decks of the coming redeals, the next one first; cards that are locked then are skipped."""
    id: str | None = field(default=None, compare=False)

    # The board.

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The four rows as tokens, `--` for a gap."""
        return tuple(tuple(write_cell(card) for card in row) for row in rows_of(self.cells))

    @property
    def locks(self) -> tuple[tuple[str, int], ...]:
        """The locked run of each row: its suit's letter, or "" if there is none, and its length."""
        return tuple((row[0].suit.letter if length and row[0] else "", length) for row, length in self._runs())

    def _runs(self) -> Iterator[tuple[Cells, int]]:
        """Yield each row with the length of its locked run: a 2 in column 1 and what follows it in suit, unbroken."""
        suits = self.rules.fixed_suits
        for number, row in enumerate(rows_of(self.cells)):
            first = row[0]
            length = 0
            if first is not None and first.rank == 2 and (not suits or first.suit.letter == suits[number]):
                length = 1
                while length < COLUMNS and row[length] is not None and row[length].next_down is row[length - 1]:  # type: ignore[union-attr]
                    length += 1
            yield row, length

    @property
    def free_cells(self) -> tuple[int, ...]:
        """The cells, numbered row by row from 0, that no locked run holds: a redeal fills them."""
        runs = enumerate(length for _, length in self._runs())
        return tuple(index for row, length in runs for index in range(COLUMNS * row + length, COLUMNS * (row + 1)))

    @property
    def phase(self) -> int:
        """The number of the play between two deals, 1..redeals+1."""
        return self.used + 1

    @property
    def deal(self) -> int:
        """The phase, under its name in every game with redeals."""
        return self.phase

    @property
    def redeals_left(self) -> int:
        """How often the loose cards may still be dealt again."""
        return self.rules.redeals - self.used

    # What may be done.

    def takes(self, gap: int) -> tuple[Card, ...]:
        """Return the cards that may go into this gap now; a cell is numbered row by row from 0."""
        row, column = divmod(gap, COLUMNS)
        if column:
            left = self.cells[gap - 1]
            following = None if left is None else left.next_up
            return () if following is None else (following,)
        if self.rules.fixed_suits:
            return (Card(2, SUITS.index(self.rules.fixed_suits[row])),)
        if self.rules.twos_locked:
            first = self.cells[::COLUMNS]
            return tuple(two for two in TWOS if two not in first)
        return TWOS

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the moves of cards, in row-major order of the gap, 2s in suit order; then the redeal, if it is known.

        A redeal that is allowed and not known is not listed, but `can_redeal` is true.
        """
        moves: list[Move] = list(self.card_moves())
        if self.redeals and self._may_redeal(bool(moves)):
            moves.append(Redeal())
        return tuple(moves)

    def card_moves(self) -> Iterator[ToGap]:
        """Yield the moves of cards, in the same order."""
        for index, card in enumerate(self.cells):
            if card is None:
                row, column = divmod(index, COLUMNS)
                for taken in self.takes(index):
                    yield ToGap(taken, row + 1, column + 1)

    @property
    def can_move(self) -> bool:
        """True if any card can move."""
        return any(card is None and self.takes(index) for index, card in enumerate(self.cells))

    @property
    def may_redeal(self) -> bool:
        """True if a redeal is allowed now, whether its order is known or not."""
        return self._may_redeal(self.can_move)

    def _may_redeal(self, can_move: bool) -> bool:
        return self.redeals_left > 0 and (self.rules.early_redeal or not can_move) and self.score < MOST_SCORE

    @property
    def can_redeal(self) -> bool:
        """True if a redeal is allowed whose order is not known."""
        return not self.redeals and self.may_redeal

    # Doing it.

    def play(self, move: Move) -> State:
        """Return the board after the move. Raise IllegalMoveError if the rules forbid it."""
        reason = self._why_not_redeal(move) if isinstance(move, Redeal) else self._why_not(move)
        if reason:
            raise IllegalMoveError(move.token, self._one_line(), reason)
        cells = list(self.cells)
        if isinstance(move, Redeal):
            dealt = self.dealt(self.redeals[0]) if move.cards is None else move.cards
            for index, card in zip(self.free_cells, dealt, strict=True):
                cells[index] = card
            return State(self.rules, tuple(cells), self.used + 1, self.redeals[1:], self.id)
        cells[cells.index(move.card)] = None
        cells[COLUMNS * (move.row - 1) + move.column - 1] = move.card
        return State(self.rules, tuple(cells), self.used, self.redeals, self.id)

    def dealt(self, deck: Deck) -> Cells:
        """Return what this deck lays on the free cells if it is dealt now."""
        free = self.free_cells
        loose = {self.cells[index] for index in free}
        if self.rules.redeal_gaps == "random":
            return tuple(None if card.rank == 1 else card for card in deck if card.rank == 1 or card in loose)
        cards = iter([card for card in deck if card in loose])
        gaps = self.fixed_gaps
        return tuple(None if index in gaps else next(cards) for index in free)

    @property
    def fixed_gaps(self) -> tuple[int, ...]:
        """The cells that a redeal leaves empty by the rules: directly right of each row's run, column 1 without one."""
        if self.rules.redeal_gaps == "random":
            return ()
        return tuple(COLUMNS * row + length for row, (_, length) in enumerate(self._runs()))

    def _one_line(self) -> str:
        return " / ".join(map(" ".join, self.rows))

    # Why not.

    def _why_not(self, move: ToGap) -> str | None:
        """Return the rule that forbids the move, or None."""
        card = move.card
        if not (1 <= move.row <= ROWS and 1 <= move.column <= COLUMNS):
            return f"there is no such cell: rows are 1..{ROWS}, columns 1..{COLUMNS}"
        if card.rank == 1:
            return "aces are taken away before play"
        gap = COLUMNS * (move.row - 1) + move.column - 1
        present = self.cells[gap]
        if present is not None:
            return f"{name_cell(gap)} is no gap: {present} stands there"
        taken = self.takes(gap)
        if card in taken:
            return None
        if move.column == 1:
            if card.rank != 2:
                return f"a gap in column 1 takes a 2, not {card}"
            if self.rules.fixed_suits:
                return f"row {move.row} begins with {taken[0]}, for its suit is fixed"
            return f"{card} stands in column 1, and there a 2 never moves again in these rules"
        left = self.cells[gap - 1]
        if left is None or left.next_up is None:
            return f"{name_cell(gap)} takes nothing for now: it is right of {'a gap' if left is None else left}"
        return f"{name_cell(gap)} is right of {left} and takes {left.next_up}, not {card}"

    def _why_not_redeal(self, move: Redeal) -> str | None:
        if self.redeals_left <= 0:
            return "no redeal is left" if self.rules.redeals else "there is no redeal in these rules"
        if self.score == MOST_SCORE:
            return "the game is won"
        if not self.may_redeal:
            able = next(iter(self.card_moves())).token
            return f"{able} can still be played, and in these rules a redeal waits until no card can move"
        if move.cards is not None:
            if self.redeals:
                return "the order of this redeal is known: play r"
            return self._why_not_dealt(move.cards)
        if self.redeals:
            return None
        return "the order of this redeal is not known: play r= and what the free cells hold now, row by row"

    def _why_not_dealt(self, dealt: Cells) -> str | None:
        """Return what is wrong with these contents of the free cells, or None."""
        free = self.free_cells
        if len(dealt) != len(free):
            return f"the redeal has {len(dealt)} cells, expected {len(free)}: all that no locked run holds"
        loose = {self.cells[index] for index in free} - {None}
        cards = [card for card in dealt if card is not None]
        if wrong := {card for card in cards if card not in loose}:
            return f"{format_cards(sorted(wrong))} cannot be dealt: {'it is' if len(wrong) == 1 else 'they are'} locked"
        lacking = [card for card in CARDS if card in loose and card not in cards]
        if len(set(cards)) < len(cards):
            double = next(card for card in cards if cards.count(card) > 1)
            return f"the redeal has {double} twice" + (f" and lacks {format_cards(lacking)}" if lacking else "")
        if lacking:
            return f"the redeal lacks {format_cards(lacking)}"
        gaps = self.fixed_gaps
        for index, card in zip(free, dealt, strict=True):
            if card is not None and index in gaps:
                return f"{name_cell(index)} must be a gap, not {card}: redeal_gaps=after-run"
        return None

    # How it stands.

    @property
    def outcome(self) -> Outcome | None:
        """Won with all cards locked; stuck when no card can move and no redeal is left."""
        if self.score == MOST_SCORE:
            return Outcome.WON
        return None if self.redeals_left > 0 or self.can_move else Outcome.STUCK

    @property
    def score(self) -> int:
        """The number of locked cards."""
        return sum(length for _, length in self._runs())

    def view(self) -> OpenView[State] | RedealView:
        """Return the whole board, for all cards lie face up, without what redeals will bring."""
        table = replace(self, redeals=(), id=None)
        return RedealView(table) if self.redeals_left and self.score < MOST_SCORE else OpenView(table)


@dataclass(frozen=True, slots=True)
class RedealView(Pictured):
    """What a player sees while a redeal may still come."""

    table: State

    @property
    def unknown(self) -> str:
        """What is unknown, in words."""
        return "what the redeals will bring"

    def sample(self, rng: random.Random) -> State:
        """Return the board with a random deck for every redeal that is left."""
        decks = (tuple(rng.sample(PACK, len(PACK))) for _ in range(self.table.redeals_left))
        return replace(self.table, redeals=tuple(decks))


def rows_of(cells: Cells) -> tuple[Cells, ...]:
    """Return the four rows."""
    return tuple(cells[start : start + COLUMNS] for start in range(0, ROWS * COLUMNS, COLUMNS))


def name_cell(index: int) -> str:
    """Return the name of a cell, such as `r2c5`, given its number, row by row from 0."""
    row, column = divmod(index, COLUMNS)
    return f"r{row + 1}c{column + 1}"


def lay_out(rules: Rules, deck: Deck) -> State:
    """Deal the deck row by row; the aces are taken away and leave the gaps."""
    return State(rules, tuple(None if card.rank == 1 else card for card in deck))
