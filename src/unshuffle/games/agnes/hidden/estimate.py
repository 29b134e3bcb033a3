"""What the moves are worth: the unseen cards are filled in by chance, and the game is played on from there."""

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
    """Fill in the unseen cards so many times and play every option on, each in the same fills, by `greedy`."""
    return playouts.estimate(view, options, samples, luck, play_on, len(view.rules.pack))


def weigh(view: View, options: Sequence[Move], samples: int, luck: SplitMix64) -> list[Tally]:
    """The same numbers as `estimate`, from the engine where it serves: many times as fast."""
    found = weigh_natively(Agnes(**asdict(view.rules)), view, options, samples, luck)
    return estimate(view, options, samples, luck) if found is None else found


def play_on(state: State) -> int:
    """The score with which `greedy` ends."""
    while move := greedy(state, state.legal_moves()):
        state = state.play(move)
    return state.score


def options_of(view: View, moves: Sequence[Move]) -> Iterator[Move]:
    """The moves that differ: a whole pile stays where it is, and of several empty piles the first one is taken.

    A dealt card is as likely to be this one as that one, so a place is as good as another.
    """
    empty = [number for number, pile in enumerate(view.piles, 1) if not pile]
    for move in moves:
        if isinstance(move, ToPile) and move.target in empty:
            is_idle = move.target != empty[0] or move.count == len(view.piles[move.source - 1])
            if is_idle:
                continue
        yield move


def best(view: View, moves: Sequence[Move], tallies: Sequence[Tally]) -> Tally:
    """Most wins, then most cards up, then what `greedy` would do, then the first in the order of the moves."""
    liked = greedy(view, moves)
    return max(tallies, key=lambda tally: (tally.wins, tally.score, tally.move == liked))


def is_idle(view: View, tallies: Sequence[Tally]) -> bool:
    """Whether no playout has brought up one card more."""
    return all(tally.most <= sum(view.foundations) for tally in tallies)


def deal_of(tallies: Sequence[Tally]) -> Tally | None:
    """The deal among the options, if there is one."""
    return next((tally for tally in tallies if isinstance(tally.move, Deal)), None)
