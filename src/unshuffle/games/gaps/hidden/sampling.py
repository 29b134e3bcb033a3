"""Redeals by chance for the values of shapes, and what a search of each finds: the engine's work, or here in Python."""

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
"""Positions that the search of a phase may look at: what a player has who thinks for a second or two."""
_STEP = 0x9E3779B97F4A7C15
"""From one state of the generator to the next."""
_BY_RANK = tuple(sorted(PACK, key=lambda card: (card.rank, card.suit)))

Searched = tuple[Status, tuple[int, ...]]
"""How the search of a phase ended, and the shapes, by their index, with which the phase may end."""


def sample_phases(
    rules: Rules, shape: Shape, *, seed: int | None, samples: range, nodes: int, memory: int
) -> Sequence[Searched]:
    """Search the phases of these samples, each dealt with runs of this shape kept.

    A sample's board follows from the seed, the shape and its number. Both sides search the same boards, but not in the
    same order, so that a search that is cut short may have met other ends.
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
    """The board of this number among all that a redeal can bring onto a board with these runs.

    One loose card after the other, by rank and then by suit, takes one of the cells that are left, row by row: the
    remainders of the number say which.
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
    """The board of a sample: a redeal onto a board that has these runs, by a deck of its own."""
    stream = _mix(seed ^ _mix(index(shape)))
    order = next(shuffles(len(PACK), _mix((stream + number) & MASK)))
    cards = tuple(_BY_RANK[place] for place in order)
    before = _kept(rules, shape)
    cells = list(before.cells)
    for cell, card in zip(before.free_cells, before.dealt(cards), strict=True):
        cells[cell] = card
    return State(rules, tuple(cells))


def _kept(rules: Rules, shape: Shape) -> State:
    """A board with these runs, in the order of rows and suits: neither changes a chance."""
    lengths = sorted(shape, reverse=True)
    loose = iter([card for card in CARDS if card.rank - 1 > lengths[card.suit]])
    cells: list[Card | None] = []
    for suit, length in zip(Suit, lengths, strict=True):
        # A gap behind each run, so that it ends there.
        cells += [*(Card(2 + column, suit) for column in range(length)), None]
        cells += [next(loose) for _ in range(COLUMNS - length - 1)]
    assert len(cells) == ROWS * COLUMNS
    return State(rules, tuple(cells))


def _mix(z: int) -> int:
    """The generator's scrambling of one state."""
    return SplitMix64((z - _STEP) & MASK).next()
