"""Simulated redeals for the values of shapes, and what a search of each finds, by the engine or in Python."""

from __future__ import annotations

from collections.abc import Sequence

from unshuffle import engine
from unshuffle.cards import PACK, Card, Suit
from unshuffle.deals import MASK, SplitMix64, shuffles
from unshuffle.games.gaps import Gaps, Rules, State
from unshuffle.games.gaps.hidden.ends import Budget, Searches
from unshuffle.games.gaps.hidden.values import Shape, index
from unshuffle.games.gaps.rules import CARDS, COLUMNS, ROWS
from unshuffle.rulebook import write_rules
from unshuffle.solve import Status

NODES = 2_000_000
"""The node limit for the search of a phase: about what a player searches in a second or two."""
_STEP = 0x9E3779B97F4A7C15
"""The increment from one state of the generator to the next."""
_BY_RANK = tuple(sorted(PACK, key=lambda card: (card.rank, card.suit)))

Searched = tuple[Status, tuple[int, ...]]
"""The status of the search of a phase, and the indices of the shapes with which the phase may end."""


def sample_phases(
    rules: Rules, shape: Shape, *, seed: int | None, samples: range, nodes: int, memory: int
) -> Sequence[Searched]:
    """Search the phases of these samples, each dealt onto locked runs of this shape, and return what each finds.

    The seed, the shape and the number of a sample determine its board; without a seed the numbers enumerate all boards.
    Engine and Python search the same boards in different orders, so at a limit they may have found other ends.
    """
    native = engine.native()
    if native is not None:
        found = native.sample_phases(
            Gaps.id,
            write_rules(rules),
            list(shape),
            seed=seed,
            first=samples.start,
            count=len(samples),
            nodes=nodes,
            memory=memory,
        )
        return [(Status(status), tuple(ends)) for status, ends in found]
    if seed is None:
        return [_search(arranged(rules, shape, number), nodes, memory, is_whole=True) for number in samples]
    return [_search(dealt(rules, shape, seed, number), nodes, memory) for number in samples]


def _search(board: State, nodes: int, memory: int, *, is_whole: bool = False) -> Searched:
    found = Searches().ends(board, Budget(seconds=None, nodes=nodes, memory=memory, threads=1))
    is_open = is_whole and found.status is Status.UNSOLVABLE and not found.complete
    status = Status.NODE_LIMIT if is_open else found.status
    return status, tuple(sorted({index(end.shape) for end in found.ends}))


def arranged(rules: Rules, shape: Shape, number: int) -> State:
    """Return the board with this number among all that a redeal can bring onto a board with these runs.

    Each loose card, by rank and then by suit, takes one of the cells that are left, counted row by row: the digits of
    the number, in mixed radix, say which.
    """
    before = _kept(rules, shape)
    cells = list(before.cells)
    taken = set(before.fixed_gaps)
    free = [cell for cell in before.free_cells if cell not in taken]
    loose = {cells[cell] for cell in before.free_cells}
    for cell in before.free_cells:
        cells[cell] = None
    rest = number
    for card in _BY_RANK:
        if card in loose:
            rest, place = divmod(rest, len(free))
            cells[free.pop(place)] = card
    if rest:
        raise IndexError(f"a redeal of this shape brings no board {number}")
    return State(rules, tuple(cells))


def dealt(rules: Rules, shape: Shape, seed: int, number: int) -> State:
    """Return the board of a sample: a redeal onto a board with these runs, from a deck of its own."""
    stream = _mix(seed ^ _mix(index(shape)))
    order = next(shuffles(len(PACK), _mix((stream + number) & MASK)))
    cards = tuple(_BY_RANK[place] for place in order)
    before = _kept(rules, shape)
    cells = list(before.cells)
    for cell, card in zip(before.free_cells, before.dealt(cards), strict=True):
        cells[cell] = card
    return State(rules, tuple(cells))


def _kept(rules: Rules, shape: Shape) -> State:
    """Return a board with these runs, longest first; which rows and suits they have does not change a chance."""
    lengths = sorted(shape, reverse=True)
    loose = iter([card for card in CARDS if card.rank - 1 > lengths[card.suit]])
    cells: list[Card | None] = []
    for suit, length in zip(Suit, lengths, strict=True):
        # A gap ends each run.
        cells += [*(Card(2 + column, suit) for column in range(length)), None]
        cells += [next(loose) for _ in range(COLUMNS - length - 1)]
    assert len(cells) == ROWS * COLUMNS
    return State(rules, tuple(cells))


def _mix(z: int) -> int:
    """Return SplitMix64's output for one state."""
    return SplitMix64((z - _STEP) & MASK).next()
