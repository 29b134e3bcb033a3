"""One game after another: the deals of a run, and what a policy does with each of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

from unshuffle.deals import OURS, DealId, Source, SplitMix64
from unshuffle.errors import UsageError, quote
from unshuffle.game import AnyGame, Game, Outcome, View

if TYPE_CHECKING:
    from unshuffle.simulate.policy import Policy

MOST_MOVES = 2_000
"""A game that goes on after so many moves ends there: where moves can be taken back, some play would never end."""

GREATEST_SCORE = 255
"""A score is kept in one byte."""

REPLAYED_WINS = 1_000
"""A run that keeps no lines replays so many of its wins, and 1 % of the rest, where the engine has played them."""

Player = Callable[[View, tuple[Any, ...]], Any]
"""A policy in one game: what can be seen and the legal moves in, one of these moves out, or None to play no further."""


class Luck(SplitMix64):
    """The random stream of one game, decided by the deal and the policy's seed alone; docs/simulate.md specifies it.

    So play can be repeated move for move, and does not depend on which games were played before or beside it.
    """

    def __init__(self, deal: str, seed: int = 0) -> None:
        from hashlib import sha256  # here, for a plain solve has no use for it

        self.seed = int.from_bytes(sha256(f"{deal} {seed}".encode()).digest()[:8], "big")
        """What the stream is begun with."""
        super().__init__(self.seed)

    @cached_property
    def rng(self) -> random.Random:
        """The stream as `view.sample` wants it; seeded with the stream's next number when it is first asked for."""
        return random.Random(self.next())


class Played(NamedTuple):
    """How one game ended."""

    score: int
    won: bool
    moves: tuple[Any, ...] | None
    """None if the line was not kept."""
    replayed: bool = True
    """Whether the Python rules have seen every move."""


class Deals:
    """The deals of a run, in order: numbers of a generator, which are dealt when they are needed, or states."""

    def __init__(
        self,
        game: AnyGame,
        *,
        numbers: Sequence[int | str | Source] | None = None,
        generator: str = OURS,
        states: Sequence[Any] | None = None,
    ) -> None:
        if not isinstance(game, Game):
            raise UsageError(f"{quote(str(game))} is not a game; expected what unshuffle.game() gives")
        if (numbers is None) == (states is None):
            raise UsageError("simulate takes seeds or states, one of the two")
        self.game = game
        self.generator = generator
        self.numbers = numbers if numbers is None or isinstance(numbers, range) else tuple(map(_plain, numbers))
        self.states = states
        # All faults before the first game: the ends of a range vouch for what is between them.
        ends = (*numbers[:1], *numbers[-1:]) if isinstance(numbers, range) else self.numbers or ()
        for seed in ends:
            self._source(seed)
        for place, state in enumerate(states or ()):
            if (getattr(state, "game_id", None), getattr(state, "rules", None)) != (game.id, game.rules):
                raise UsageError(f"states[{place}] is not a state of {game}")

    def _source(self, seed: int | str | Source) -> Source:
        if isinstance(seed, Source):
            return seed
        return Source.parse(seed, self.generator) if isinstance(seed, str) else Source(seed, self.generator)

    def __len__(self) -> int:
        return len(self.numbers if self.numbers is not None else self.states or ())

    def state(self, place: int) -> Any:
        """The state from which this game is played."""
        if self.states is not None:
            return self.states[place]
        assert self.numbers is not None
        return self.game.deal(self._source(self.numbers[place]))

    def luck(self, place: int, seed: int) -> Luck:
        """The random stream of this game. A typed deal has no id; its place among the deals stands for it."""
        # Never its cards: a stream that hung on hidden cards would tell about them.
        return Luck(self._id(place) or f"typed {place}", seed)

    def _id(self, place: int) -> str | None:
        """The id of this deal, which need not be dealt for it."""
        if self.numbers is not None:
            return str(DealId(self.game.id, self.game.variant, self._source(self.numbers[place])))
        deal: str | None = self.state(place).id
        return deal

    @property
    def seeds(self) -> Sequence[int] | None:
        """The deal numbers, if all are plain ones of our own generator: those the engine can deal by itself."""
        if self.numbers is None or self.generator != OURS:
            return None
        if isinstance(self.numbers, range):
            return self.numbers
        seeds = [seed for seed in self.numbers if isinstance(seed, int)]
        return seeds if len(seeds) == len(self.numbers) else None


def _plain(seed: int | str | Source) -> int | str | Source:
    """The seed, with Python's own int for numpy's, which overflow."""
    if isinstance(seed, str | Source):
        return seed
    try:
        return index(seed)
    except TypeError:
        raise UsageError(f"{seed!r} is not a seed; expected a number, or text such as 'python:12345#3'") from None


def play_game(policy: Policy, state: Any, luck: Luck) -> Played:
    """Play on from the state to the end. The policy gets views and legal moves, and never the state itself."""
    choose = policy.player(luck)
    line: list[Any] = []
    while len(line) < MOST_MOVES:
        moves = state.legal_moves()
        if not moves and state.can_redeal:
            raise UsageError(
                f"the game {state.id or '(typed)'} goes on with a redeal whose order is not known;"
                " simulate needs a seed, or the redeals typed with the deal"
            )
        if not moves or state.outcome is Outcome.WON:
            break
        move = choose(state.view(), moves)
        if move is None:
            break
        state = state.play(move)
        line.append(move)
    return Played(state.score, state.outcome is Outcome.WON, tuple(line))


def check_score(score: int, deals: Deals, place: int) -> int:
    """The score, if a byte holds it."""
    if not 0 <= score <= GREATEST_SCORE:
        deal = deals.state(place).id or "a typed deal"
        raise UsageError(f"{deal} ends with score {score}; simulations keep scores 0..{GREATEST_SCORE}")
    return score
