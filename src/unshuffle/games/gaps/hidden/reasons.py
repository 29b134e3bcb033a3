"""The reasons for the moves of a plan: which later move each one serves, and the themes that players know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unshuffle.cards import Card, Suit
from unshuffle.games.gaps import State, ToGap
from unshuffle.games.gaps.rules import COLUMNS
from unshuffle.solve import Line

_KING = 13


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason for a move of a plan."""

    locks: int
    """How many cards the move locks."""
    serves: int | None
    """The place in the plan of the first later move that is illegal without this one; None if there is none."""
    text: str


def reasons(line: Line) -> list[Reason]:
    """Return a reason for each move."""
    return [_reason(line, place) for place in range(len(line.moves))]


def groups(found: Sequence[Reason]) -> Iterator[range]:
    """Yield the moves in groups that end with a lock; the moves after the last lock are one more group."""
    first = 0
    for place, reason in enumerate(found):
        if reason.locks or place == len(found) - 1:
            yield range(first, place + 1)
            first = place + 1


def served(line: Line, place: int) -> int | None:
    """Return the place of the first later move that cannot be played without this one; None if there is none."""
    cells = list(line.states[place].cells)
    for later in range(place + 1, len(line.moves)):
        move: ToGap = line.moves[later]
        target = _cell(move)
        left = cells[target - 1] if move.column > 1 else None
        if cells[target] is not None or (move.column > 1 and left is not move.card.next_down):
            return later
        cells[cells.index(move.card)] = None
        cells[target] = move.card
    return None


def _cell(move: ToGap) -> int:
    return COLUMNS * (move.row - 1) + move.column - 1


def _reason(line: Line, place: int) -> Reason:
    before, after, move = line.states[place], line.states[place + 1], line.moves[place]
    locks = after.score - before.score
    serves = served(line, place)
    parts = []
    if locks > 0:
        parts.append(f"run building: {_run(after, move.row - 1)} locked in row {move.row}")
    elif (joined := _joined(after, _cell(move))) > 2:
        parts.append(f"run building: {joined} cards of {Suit(move.card.suit).name.lower()} now stand in their order")
    source = before.cells.index(move.card)
    if serves is not None:
        parts.append(_service(line, place, serves, source))
    elif not locks:
        waits = before.redeals_left > 0 and not before.rules.early_redeal
        why = ": it is played because a redeal waits until no card can move" if waits else ""
        parts.append(f"nothing later needs it{why}")
    if (trap := _king_trap(line, place, source)) is not None:
        parts.append(trap)
    return Reason(locks, serves, "; ".join(parts))


def _run(state: State, row: int) -> str:
    length = state.locks[row][1]
    first, last = state.cells[COLUMNS * row], state.cells[COLUMNS * row + length - 1]
    assert first is not None
    assert last is not None
    return first.glyph if length == 1 else f"{first.glyph} to {last.glyph}"


def _joined(state: State, cell: int) -> int:
    """Return the length of the sequence in suit that contains this cell."""
    row, column = divmod(cell, COLUMNS)
    cards = state.cells[COLUMNS * row : COLUMNS * (row + 1)]
    first = last = column
    while first and (card := cards[first]) is not None and cards[first - 1] is card.next_down is not None:
        first -= 1
    while last < COLUMNS - 1 and (card := cards[last]) is not None and cards[last + 1] is card.next_up is not None:
        last += 1
    return last - first + 1


def _service(line: Line, place: int, serves: int, source: int) -> str:
    """Return the purpose of the move in words, given the move that is illegal without it."""
    move, later = line.moves[place], line.moves[serves]
    what = f"{later.card.glyph} to r{later.row}c{later.column} (move {serves + 1})"
    if _cell(later) == source:
        if later.column == 1:
            return f"first-column gap: opens column 1 of row {later.row} for {what}"
        return f"makes room for {what}"
    if move.card is later.card.next_down:
        return f"stands on the left of {what}"
    if move.card is later.card:
        return f"brings {move.card.glyph} on its way: {what}"
    return f"needed for {what}"


def _king_trap(line: Line, place: int, source: int) -> str | None:
    """Return a warning if the move opens a gap behind a king, which takes nothing until the king leaves; else None."""
    before: State = line.states[place]
    after: State = line.states[place + 1]
    if not source % COLUMNS:
        return None
    king = after.cells[source - 1]
    if king is None or king.rank != _KING or _is_locked(after, source - 1):
        return None
    if _is_locked(line.states[-1], source - 1) and line.states[-1].cells[source - 1] is king:
        return None  # the king ends up locked there
    leaves = next((later for later in range(place + 1, len(line.moves)) if line.moves[later].card is king), None)
    if leaves is not None:
        return f"king trap: the gap behind {king.glyph} is dead until {king.glyph} leaves with move {leaves + 1}"
    if all(_falls_behind_king(before, other) for other in before.card_moves()):
        return f"king trap: a gap falls behind {king.glyph}, which cannot be avoided here"
    return f"king trap: a gap falls behind {king.glyph}, which stays; it is the price of this move"


def _is_locked(state: State, cell: int) -> bool:
    row, column = divmod(cell, COLUMNS)
    return column < state.locks[row][1]


def _falls_behind_king(state: State, move: ToGap) -> bool:
    source = state.cells.index(move.card)
    left: Card | None = state.cells[source - 1] if source % COLUMNS else None
    return left is not None and left.rank == _KING
