"""Late positions of Gaps that a search exhausts quickly, for tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from unshuffle.cards import PACK, SUITS, Card
from unshuffle.endgames import is_soon_searched
from unshuffle.games.gaps.rules import COLUMNS, ROWS, Rules, State

_MOST_POSITIONS = 300
# Where 2s hop, each board comes with its 2s in many orders.
_MOST_WITH_FREE_TWOS = 900


def endgames(rules: Rules, seed: int) -> Iterator[State]:
    """Yield five positions with long runs, as a redeal leaves them, with all redeals known."""
    rng = Random(seed)
    for _ in range(5):
        state = _position(rules, rng)
        while not _is_soon_searched(state):
            state = _position(rules, rng)
        decks = tuple(tuple(rng.sample(PACK, len(PACK))) for _ in range(state.redeals_left))
        yield replace(state, redeals=decks)


def _position(rules: Rules, rng: Random) -> State:
    """Return a board with runs of random lengths and the other cards anywhere."""
    lengths = [COLUMNS - 1] * ROWS
    if rng.random() < 0.5:
        lengths[rng.randrange(ROWS)] = 0  # else a 2 would seldom have a choice
    left = rng.randint(30 if rules.has_free_twos else 24, (COLUMNS - 1) * ROWS - 1)
    while sum(lengths) > left:
        row = rng.randrange(ROWS)
        lengths[row] = max(0, lengths[row] - rng.randint(1, 6))
    suits = rules.fixed_suits or "".join(rng.sample(SUITS, ROWS))
    order = [SUITS.index(letter) for letter in suits]
    runs = [[Card(rank, suit) for rank in range(2, 2 + length)] for suit, length in zip(order, lengths, strict=True)]
    locked = {card for run in runs for card in run}
    others: list[Card | None] = [None if card.rank == 1 else card for card in PACK if card not in locked]
    rng.shuffle(others)
    cells: list[Card | None] = []
    for run in runs:
        count = COLUMNS - len(run)
        cells += [*run, *others[:count]]
        del others[:count]
    return State(rules, tuple(cells), used=rng.randint(0, rules.redeals))


def _is_soon_searched(state: State) -> bool:
    """Return whether a plain search of the phase ends within the limit of positions."""
    most = _MOST_WITH_FREE_TWOS if state.rules.has_free_twos else _MOST_POSITIONS
    return is_soon_searched(state, most, key=lambda at: at.cells, moves=State.card_moves, stops_at_win=False)
