"""What the generic search may know about a phase of Gaps: a bound, moves to be played alone, and boards that are alike.

Each has its reason beside it and is tested, rule by rule, against the search without it. A set of cells is a number:
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
"""Every move that is made and looked up counts."""

_COLUMN_1 = sum(1 << COLUMNS * row for row in range(ROWS))
_OTHER_COLUMNS = (1 << COLUMNS * ROWS) - 1 - _COLUMN_1
_ASSIGNMENTS = tuple(permutations(range(len(SUITS))))

Reach = list[int]
"""For each card, by its index, the cells in which it may ever stand, its own among them."""


def closure(
    rules: Rules, cells: Cells, frozen: Card | None = None, stop: Callable[[Reach], bool] | None = None
) -> Reach | None:
    """What could ever happen in this phase, if whatever was possible once stayed possible; None if `stop` says so.

    Two kinds of facts only accumulate: "this card may stand in this cell" and "this cell may be empty". A card may
    come to a cell that may be empty if the card before it may stand on its left (a 2: to column 1, as the rules say).
    A card that may stand elsewhere may leave its cell empty. Each real move is such a step, for what it needs is true
    on the board and so among the facts: nothing that can really happen is left out. The `frozen` card stays.
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
    """The cells to which this 2 may go if they are empty."""
    if rules.fixed_suits:
        return 1 << COLUMNS * rules.fixed_suits.index(two.suit.letter)
    return 0 if rules.twos_locked and place & _COLUMN_1 else _COLUMN_1


@lru_cache(maxsize=2)  # the bound and the moves to be played alone are asked for one board after the other
def _whole_closure(rules: Rules, cells: Cells) -> Reach:
    reach = closure(rules, cells)
    assert reach is not None
    return reach


def bound(state: State) -> int:
    """The most cards that could be locked if facts only accumulated.

    A run of a row is of one suit and no longer than the cards that may reach their cells in it; each suit has one 2 and
    so one run. Over all ways to give the rows their suits the best sum.
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
    """A move that may be played alone, if there is one."""
    if state.score == MOST_SCORE:
        return None
    moves = list(state.card_moves())
    if len(moves) == 1:
        # Nothing else can be done; but a lone 2 could hop to and fro for ever.
        return moves[0] if moves[0].card.rank > 2 else None
    return next((move for move in moves if may_be_alone(state, move)), None)


def may_be_alone(state: State, move: ToGap) -> bool:
    """Whether nothing is lost if this move is the only one that is searched here.

    Let the card c go from f to g, and let L be any line of play from here. It may be if, while c stays at f, the card
    before it cannot leave the cell on the left of g, nor the card after it come to the right of f. Then as long as c
    stays, g takes no other card and c can still go there. If L plays c to g somewhere, what it does before that neither
    needs c at f nor touches g: c can go first and the rest follow, to the same board. If L does not, c goes first all
    the same and L follows; its end differs by this one move, which breaks no run, for c at f is not behind the card
    before it. So the best score of every line is still reached. Cards 3..K cannot move for ever without a 2, so a row
    of such moves comes to an end, and there all moves are tried: the proof holds also where 2s hop.
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

    # What cannot happen at all cannot happen while the card stays.
    if not fails(_whole_closure(state.rules, state.cells)):
        return True
    return closure(state.rules, state.cells, card, fails) is not None


def key(state: State) -> Hashable:
    """The rows as a set: to change their places changes nothing, unless each has its own suit.

    No two rows are alike, for a card is in one of them only. What a redeal brings is decided by their number.
    """
    rows = state.cells if state.rules.fixed_suits else frozenset(rows_of(state.cells))
    return rows, state.used
