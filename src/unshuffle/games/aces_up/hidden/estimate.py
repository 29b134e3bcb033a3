"""The value of options, estimated by playouts with sampled orders of the stock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from unshuffle.games.aces_up import AcesUp
from unshuffle.games.aces_up.hidden.features import Weights
from unshuffle.games.aces_up.moves import Deal, Discard, Move, ToReserve, ToSpace
from unshuffle.games.aces_up.rules import MOST_SCORE, State, beaten
from unshuffle.games.aces_up.strategy import RuleList, choose, parse_list
from unshuffle.hidden import playouts
from unshuffle.hidden.playouts import Tally, weigh_natively

if TYPE_CHECKING:
    from unshuffle.deals import SplitMix64
    from unshuffle.games.aces_up.view import View

BASE = parse_list("10,100,4,200")
"""The rule list that plays games out: no other list wins more often."""
BONUS = 50
"""The bonus for a win, in discarded cards."""

PlayOn = Callable[[State], State]
"""Plays a game on to its end, by what a player sees."""


def options_of(table: State | View, moves: Iterable[Move]) -> list[Move]:
    """Return the legal moves without those of a pile's only card, which could go to and fro for ever."""
    return [
        move
        for move in moves
        if not (isinstance(move, ToSpace) and len(table.piles[move.source - 1]) == 1)
        and not (isinstance(move, ToReserve) and len(table.piles[move.pile - 1]) == 1)
    ]


def by_list(rules: RuleList) -> PlayOn:
    """Return a playout function that follows a rule list."""
    strategy = rules.reduced()

    def play_on(state: State) -> State:
        while move := move_by_list(state, strategy):
            state = state.play(move)
        return state

    return play_on


def move_by_list(state: State, strategy: RuleList) -> Move | None:
    """Return the list's move on this table; None to stop."""
    if state.rules.discards == "optional":
        for number, _ in beaten(state.piles):
            return Discard(number)
    found = choose(state, strategy)
    if found is not None:
        return ToSpace(found[1], state.targets()[0])
    return Deal() if state.stock else None


def by_weights(weights: Weights) -> PlayOn:
    """Return a playout function that takes the option with the greatest value."""

    def play_on(state: State) -> State:
        while state.score < MOST_SCORE and (options := options_of(state, state.legal_moves())):
            state = state.play(weights.best(state, options))
        return state

    return play_on


def estimate(
    view: View, options: Sequence[Move], samples: int, luck: SplitMix64, play_on: PlayOn | None = None
) -> list[Tally]:
    """Return a tally per option, played out by `play_on` or the list `BASE` in the same sampled orders of the stock."""
    play = play_on or by_list(BASE)
    return playouts.estimate(view, options, samples, luck, lambda state: play(state).score, MOST_SCORE)


def weigh(view: View, options: Sequence[Move], samples: int, luck: SplitMix64) -> list[Tally]:
    """Return the tallies of `estimate`, from the engine where it is available: many times as fast."""
    found = weigh_natively(AcesUp(**asdict(view.rules)), view, options, samples, luck)
    return estimate(view, options, samples, luck) if found is None else found


def worth(tally: Tally, bonus: int = BONUS) -> int:
    """Return the cards discarded in all games of the tally, and the bonus for each that was won."""
    return tally.score + bonus * tally.wins


def best(tallies: Sequence[Tally], bonus: int = BONUS) -> Tally:
    """Return the option that is worth most, the first in move order among equals."""
    return max(tallies, key=lambda tally: worth(tally, bonus))
