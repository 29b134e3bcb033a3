"""The value of moves, estimated by playouts with sampled unseen cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from unshuffle.games.agnes import Agnes
from unshuffle.games.agnes.hidden.strategy import greedy
from unshuffle.games.agnes.moves import Deal, Move, ToPile
from unshuffle.games.agnes.rules import State
from unshuffle.hidden import playouts
from unshuffle.hidden.playouts import Tally, weigh_natively

if TYPE_CHECKING:
    from unshuffle.deals import SplitMix64
    from unshuffle.games.agnes.view import View


def estimate(view: View, options: Sequence[Move], samples: int, luck: SplitMix64) -> list[Tally]:
    """Return a tally per option from playouts by `greedy`, with the same samples of the unseen cards for all."""
    return playouts.estimate(view, options, samples, luck, play_on, len(view.rules.pack))


def weigh(view: View, options: Sequence[Move], samples: int, luck: SplitMix64) -> list[Tally]:
    """Return the tallies of `estimate`, from the engine where it is available: many times as fast."""
    found = weigh_natively(Agnes(**asdict(view.rules)), view, options, samples, luck)
    return estimate(view, options, samples, luck) if found is None else found


def play_on(state: State) -> int:
    """Return the score with which `greedy` ends."""
    while move := greedy(state, state.legal_moves()):
        state = state.play(move)
    return state.score


def options_of(view: View, moves: Sequence[Move]) -> Iterator[Move]:
    """Yield the moves that differ: whole piles stay where they are, and only the first of several empty piles is used.

    Each unseen card is equally likely to be dealt to any pile, so all places are equally good.
    """
    empty = [number for number, pile in enumerate(view.piles, 1) if not pile]
    for move in moves:
        if isinstance(move, ToPile) and move.target in empty:
            is_idle = move.target != empty[0] or move.count == len(view.piles[move.source - 1])
            if is_idle:
                continue
        yield move


def best(view: View, moves: Sequence[Move], tallies: Sequence[Tally]) -> Tally:
    """Return the tally with most wins, then most cards up, then the move of `greedy`, then the first in move order."""
    liked = greedy(view, moves)
    return max(tallies, key=lambda tally: (tally.wins, tally.score, tally.move == liked))


def is_idle(view: View, tallies: Sequence[Tally]) -> bool:
    """Return whether no playout has brought up one card more."""
    return all(tally.most <= sum(view.foundations) for tally in tallies)


def deal_of(tallies: Sequence[Tally]) -> Tally | None:
    """Return the tally of the deal, if it is among the options."""
    return next((tally for tally in tallies if isinstance(tally.move, Deal)), None)
