"""What the generic search may know about a phase of Gaps: a bound, moves that may be played alone, boards that are alike.

Each has its reason beside it and is tested, rule by rule, against the search without it. A set of cells is a number: bit
13 * row + column stands for the cell.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import permutations

from unshuffle.cards import SUITS, Card
from unshuffle.games.gaps.moves import Redeal, ToGap
from unshuffle.games.gaps.rules import CARDS, COLUMNS, MOST_SCORE, ROWS, State, rows_of

KINDS = {ToGap: "generated", Redeal: "generated"}
"""Every move that is made and looked up counts."""

_COLUMN_1 = sum(1 << COLUMNS * row for row in range(ROWS))
_BY_ROWS = tuple(permutations(range(ROWS)))

Reach = dict[Card, int]
"""For each card the cells in which it may ever stand, its own among them."""


def closure(state: State, frozen: Card | None = None, stop: Callable[[Reach], bool] | None = None) -> Reach | None:
    """What could ever happen in this phase, if whatever was possible once stayed possible; None if `stop` says so.

    Two kinds of facts only accumulate: "this card may stand in this cell" and "this cell may be empty". A card may
    come to a cell that may be empty if the card before it may stand on its left (a 2: to column 1, as the rules say).
    A card that may stand elsewhere may leave its cell empty. Each real move is such a step, for what it needs is true
    on the board and so among the facts: nothing that can really happen is left out. The `frozen` card stays.
    """
    place = {card: 1 << index for index, card in enumerate(state.cells) if card is not None}
    empty = sum(1 << index for index, card in enumerate(state.cells) if card is None)
    reach = dict(place)
    homes = _homes(state, place)
    changed = True
    while changed:
        changed = False
        for card in CARDS:
            if card is frozen:
                continue
            if card.rank == 2:
                cells = place[card] | (empty & homes[card])
            else:
                before = card.next_down
                assert before is not None
                cells = place[card] | ((reach[before] << 1) & empty & ~_COLUMN_1)
            if cells != reach[card]:
                reach[card] = cells
                empty |= place[card]
                changed = True
        if stop is not None and stop(reach):
            return None
    return reach


def _homes(state: State, place: Reach) -> Reach:
    """For each 2 the cells to which it may go if they are empty."""
    homes = {}
    for suit, letter in enumerate(SUITS):
        two = Card(2, suit)
        if state.rules.fixed_suits:
            homes[two] = 1 << COLUMNS * state.rules.fixed_suits.index(letter)
        else:
            is_locked = state.rules.twos_locked and place[two] & _COLUMN_1
            homes[two] = 0 if is_locked else _COLUMN_1
    return homes


def bound(state: State) -> int:
    """The most cards that could be locked if facts only accumulated.

    A run of a row is of one suit and no longer than the cards that may reach their cells in it; each suit has one 2 and
    so one run. Over all ways to give the rows their suits the best sum.
    """
    reach = closure(state)
    assert reach is not None
    lengths = [[_longest(reach, suit, row) for suit in range(len(SUITS))] for row in range(ROWS)]
    if state.rules.fixed_suits:
        return sum(lengths[row][SUITS.index(letter)] for row, letter in enumerate(state.rules.fixed_suits))
    return max(sum(lengths[row][suit] for row, suit in enumerate(suits)) for suits in _BY_ROWS)


def _longest(reach: Reach, suit: int, row: int) -> int:
    cell = 1 << COLUMNS * row
    length = 0
    while length < COLUMNS - 1 and reach[Card(length + 2, suit)] & cell:
        length += 1
        cell <<= 1
    return length


def forced(state: State) -> ToGap | None:
    """A move that may be played alone, if there is one."""
    if state.score == MOST_SCORE:
        return None
    moves = list(state.card_moves())
    if len(moves) == 1:
        # Where nothing else can be done; but a 2 that hops to and fro alone would do so for ever.
        return moves[0] if moves[0].card.rank > 2 else None
    return next((move for move in moves if may_be_alone(state, move)), None)


def may_be_alone(state: State, move: ToGap) -> bool:
    """Whether nothing is lost if this move is the only one that is searched here.

    Let the card c go from f to g, and let L be any line of play from here. It may be if, while c stays at f, the card
    before it cannot leave the cell on the left of g, nor the card after it come to the right of f. Then as long as c
    stays, g takes no other card and c can still go there. If L plays c to g somewhere, what it does before that neither
    needs c at f nor touches g: c can go first and the rest follow, to the same board. If L does not, c goes first all
    the same and L follows; its end differs by this one move, which breaks no run, for c at f is not behind the card
    before it. So the best score of every line is still reached. Cards 3..K cannot move for ever without a 2, so a row of
    such moves comes to an end, and there all moves are tried: the proof holds also where 2s hop.
    """
    card = move.card
    before, after = card.next_down, card.next_up
    if card.rank == 2 or before is None:
        return False
    source = state.cells.index(card)
    own, right = 1 << state.cells.index(before), 0
    if after is not None and source % COLUMNS < COLUMNS - 1 and state.cells[source + 1] is not after:
        right = 1 << source + 1

    def fails(reach: Reach) -> bool:
        return reach[before] != own or bool(after is not None and reach[after] & right)

    return closure(state, frozen=card, stop=fails) is not None


def key(state: State) -> Hashable:
    """The rows as a set: to change their places changes nothing, unless each has its own suit.

    No two rows are alike, for a card is in one of them only. What a redeal brings is decided by their number.
    """
    rows = state.cells if state.rules.fixed_suits else frozenset(rows_of(state.cells))
    return rows, state.used
