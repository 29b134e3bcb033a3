"""What the moves are worth: the unseen cards are filled in by chance, and the game is played on from there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from unshuffle import engine
from unshuffle.games.agnes import Agnes
from unshuffle.games.agnes.moves import Deal, Move, ToPile
from unshuffle.games.agnes.rules import State
from unshuffle.games.agnes.strategy import greedy
from unshuffle.rulebook import write_rules
from unshuffle.solve import cores, has_twin

if TYPE_CHECKING:
    from unshuffle.cards import Card
    from unshuffle.deals import SplitMix64
    from unshuffle.games.agnes.view import View


@dataclass(slots=True)
class Tally:
    """How the games went that began with one move."""

    move: Move
    samples: int = 0
    wins: int = 0
    score: int = 0
    """The sum of the scores."""
    most: int = 0
    """The greatest score."""

    def add(self, other: Tally) -> None:
        """More games with the same move."""
        self.samples += other.samples
        self.wins += other.wins
        self.score += other.score
        self.most = max(self.most, other.most)


def estimate(view: View, options: Sequence[Move], samples: int, luck: SplitMix64) -> list[Tally]:
    """Fill in the unseen cards so many times and play every option on, each in the same fills, by `greedy`."""
    tallies = [Tally(move) for move in options]
    # Where at most one card is unseen, there is one way to fill it in, and every playout is the same.
    for _ in range(samples if len(view.unseen) > 1 else 1):
        state = view.laid(shuffled(view.unseen, luck))
        for tally in tallies:
            score = play_on(state.play(tally.move))
            won = score == len(view.rules.pack)
            tally.add(Tally(tally.move, 1, int(won), score, score))
    return tallies


def weigh(view: View, options: Sequence[Move], samples: int, luck: SplitMix64) -> list[Tally]:
    """The same numbers as `estimate`, from the engine where it serves: many times as fast."""
    native, game = engine.native(), Agnes(**asdict(view.rules))
    if native is None or not has_twin(game):
        return estimate(view, options, samples, luck)
    # Which cards are filled in here plays no part: the engine takes them away again.
    position = game.wire(view.laid(view.unseen))
    tokens = [move.token for move in options]
    rows, luck.state = native.playouts(
        game.id, write_rules(view.rules), position, tokens, samples=samples, luck=luck.state, threads=cores()
    )
    return [Tally(move, *row) for move, row in zip(options, rows, strict=True)]


def shuffled(cards: Sequence[Card], luck: SplitMix64) -> list[Card]:
    """The cards in an order by chance: Fisher-Yates from the top index down, as decks are shuffled."""
    order = list(cards)
    for i in range(len(order) - 1, 0, -1):
        j = luck.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return order


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
