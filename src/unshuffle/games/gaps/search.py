"""The hooks of the generic search for a phase of Gaps: a bound, forced moves and a key.

Each has its proof beside it and is tested, under all rules, against the search without it. A set of cells is a number:
bit 13 * row + column stands for the cell.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from itertools import permutations

from unshuffle.cards import PACK, SUITS, Card
from unshuffle.games.gaps.moves import Redeal, ToGap
from unshuffle.games.gaps.rules import COLUMNS, MOST_SCORE, ROWS, TWOS, Cells, Rules, State, rows_of

KINDS = {ToGap: "generated", Redeal: "generated"}
"""Moves of every kind are counted as generated."""

_COLUMN_1 = sum(1 << COLUMNS * row for row in range(ROWS))
_OTHER_COLUMNS = (1 << COLUMNS * ROWS) - 1 - _COLUMN_1
_ASSIGNMENTS = tuple(permutations(range(len(SUITS))))

Reach = list[int]
"""For each card, by its index, the set of cells where it may ever stand, its present one included."""


def closure(
    rules: Rules, cells: Cells, frozen: Card | None = None, stop: Callable[[Reach], bool] | None = None
) -> Reach | None:
    """Return the cells that each card may ever reach in a relaxation of this phase; None as soon as `stop` is true.

    In the relaxation facts accumulate and stay true: "this card may stand in this cell" and "this cell may be empty".
    A card may come to a cell that may be empty if the card before it may stand on its left (a 2: to column 1, as the
    rules say). A card that may stand elsewhere may leave its cell empty. Each real move is such a step, for what it
    needs is true on the board and so among the facts: nothing that can really happen is left out. The `frozen` card
    stays.
    """
    place = [0] * len(PACK)
    empty = 0
    for index, card in enumerate(cells):
        if card is None:
            empty |= 1 << index
        else:
            place[card.index] = 1 << index
    reach = place.copy()
    homes = [_home(rules, place[two.index], two) for two in TWOS]
    stays = -1 if frozen is None else frozen.index
    changed = True
    while changed:
        changed = False
        for suit, home in enumerate(homes):
            two = 13 * suit + 1
            comes = empty & home
            for index in range(two, two + 12):
                if index != stays:
                    wider = reach[index] | comes
                    if wider != reach[index]:
                        reach[index] = wider
                        empty |= place[index]
                        changed = True
                comes = (reach[index] << 1) & empty & _OTHER_COLUMNS
        if stop is not None and stop(reach):
            return None
    return reach


def _home(rules: Rules, place: int, two: Card) -> int:
    """Return the cells to which this 2 may go if they are empty."""
    if rules.fixed_suits:
        return 1 << COLUMNS * rules.fixed_suits.index(two.suit.letter)
    return 0 if rules.twos_locked and place & _COLUMN_1 else _COLUMN_1


@lru_cache(maxsize=2)  # `bound` and `forced` are called in turn for each board
def _whole_closure(rules: Rules, cells: Cells) -> Reach:
    reach = closure(rules, cells)
    assert reach is not None
    return reach


def bound(state: State) -> int:
    """Return the most cards that could be locked in the relaxation of `closure`: no line locks more.

    A run of a row is of one suit and no longer than the cards that may reach their cells in it; each suit has one 2 and
    so one run. The bound is the greatest sum over all assignments of suits to rows.
    """
    reach = _whole_closure(state.rules, state.cells)
    lengths = [[_longest(reach, suit, row) for suit in range(len(SUITS))] for row in range(ROWS)]
    if state.rules.fixed_suits:
        return sum(lengths[row][SUITS.index(letter)] for row, letter in enumerate(state.rules.fixed_suits))
    return max(sum(lengths[row][suit] for row, suit in enumerate(suits)) for suits in _ASSIGNMENTS)


def _longest(reach: Reach, suit: int, row: int) -> int:
    first = COLUMNS * row
    two = 13 * suit + 1
    length = 0
    while length < COLUMNS - 1 and reach[two + length] >> first + length & 1:
        length += 1
    return length


def forced(state: State) -> ToGap | None:
    """Return a move that may be the only one tried here, if there is one."""
    if state.score == MOST_SCORE:
        return None
    moves = list(state.card_moves())
    if len(moves) == 1:
        # It is the only move; but a lone 2 could hop to and fro for ever.
        return moves[0] if moves[0].card.rank > 2 else None
    return next((move for move in moves if may_be_alone(state, move)), None)


def may_be_alone(state: State, move: ToGap) -> bool:
    """Return whether no score is lost if this move is the only one tried here.

    Let the card c go from cell f to cell g, and let L be any line of play from here. The condition: while c stays at f,
    the card before it cannot leave the cell on the left of g, and the card after it cannot come to the right of f. Then
    as long as c stays, g takes no other card and c can still go there. If L plays c to g at some point, what it does
    before that neither needs c at f nor touches g: c can go first and the rest follow, to the same board. If L does
    not, c can still go first and L follow; the end differs by this one move, which breaks no run, for c at f does not
    stand behind the card before it. So the best score of every line is still reached. Cards 3..K cannot move for ever
    without a 2, so a sequence of such moves ends, and there all moves are tried: the proof also holds where 2s hop.
    """
    card = move.card
    before, after = card.next_down, card.next_up
    if card.rank == 2 or before is None:
        return False
    source = state.cells.index(card)
    own, right = 1 << COLUMNS * (move.row - 1) + move.column - 2, 0
    if after is not None and source % COLUMNS < COLUMNS - 1 and state.cells[source + 1] is not after:
        if state.cells[source + 1] is None:
            return False
        right = 1 << source + 1

    def fails(reach: Reach) -> bool:
        return reach[before.index] != own or bool(after is not None and reach[after.index] & right)

    # The cached closure first: what cannot happen at all cannot happen while the card stays.
    if not fails(_whole_closure(state.rules, state.cells)):
        return True
    return closure(state.rules, state.cells, card, fails) is not None


def key(state: State) -> Hashable:
    """Return the rows as a set, for their order does not matter unless each row has its own suit; and the redeals used.

    No two rows are equal, for a card is in one of them only. The number of redeals used decides what the next brings.
    """
    rows = state.cells if state.rules.fixed_suits else frozenset(rows_of(state.cells))
    return rows, state.used
