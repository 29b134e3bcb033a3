"""The order of strictness of the variants: every line of play of a stricter game is one of the looser game.

Moves to spaces and to the cell are never compulsory, unless a space must be filled; then the table requires it,
whatever else the rules allow. So rules that add moves to a table, and take none away, make a looser game. Where
discards are optional, a line with forced ones is the same line with each discard made as a move of its own
(`write_out`): the order does not matter, for the same cards go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from unshuffle.games.aces_up.moves import Discard, Move
from unshuffle.games.aces_up.rules import Rules, State, beaten


def is_stricter(strict: Rules, loose: Rules) -> bool:
    """Return whether a move that is legal under the strict rules is legal, on the same table, under the loose ones."""
    if strict == loose or _table(strict) != _table(loose):
        return False
    return (
        loose.fill in (strict.fill, "optional")
        and loose.destination in (strict.destination, "any")
        and strict.singletons <= loose.singletons
        and loose.discards in (strict.discards, "optional")
        and strict.reserve <= loose.reserve
    )


def _table(rules: Rules) -> Rules:
    """Return the fields that decide on which piles cards are dealt."""
    return replace(Rules(), piles=rules.piles, deal=rules.deal)


def write_out(moves: Iterable[Move], state: State) -> Iterator[Move]:
    """Yield the moves of a line with forced discards, with each discard as a move."""
    for move in moves:
        yield move
        state = state.play(move)
        while (number := next((number for number, _ in beaten(state.piles)), None)) is not None:
            yield Discard(number)
            state = state.play(Discard(number))
