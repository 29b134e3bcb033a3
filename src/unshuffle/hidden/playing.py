"""The deals of a run, and how a policy plays each of them."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from unshuffle.deals import OURS, DealId, Source, SplitMix64, check_range, plain_seed
from unshuffle.errors import UsageError, quote
from unshuffle.game import AnyGame, Game, Outcome, View
from unshuffle.solve import Line
from unshuffle.views import refusal_of

if TYPE_CHECKING:
    from unshuffle.hidden.policy import Policy

MOST_MOVES = 2_000
"""A game ends after this many moves: where moves can be undone, some policies would play for ever."""

LEAST_SCORE, GREATEST_SCORE = -(1 << 15), (1 << 15) - 1
"""A score is stored in two bytes."""

REPLAYED_WINS = 1_000
"""A run without lines replays this many wins of the engine, and a sample of its other games."""

Player = Callable[[View, tuple[Any, ...]], Any]
"""A policy at one game: it gets the view and the legal moves, and returns one of the moves, or None to stop."""


class Luck(SplitMix64):
    """The random stream of one game. It depends only on the deal and the policy's seed; docs/simulate.md specifies it.

    So a game can be repeated move for move, whatever other games are played before or beside it.
    """

    def __init__(self, deal: str, seed: int = 0) -> None:
        from hashlib import sha256  # imported here: a plain solve does not need it

        self.seed = int.from_bytes(sha256(f"{deal} {seed}".encode()).digest()[:8], "big")
        """The stream starts with this number."""
        super().__init__(self.seed)

    @cached_property
    def rng(self) -> random.Random:
        """The stream as a `random.Random`, for `view.sample`; seeded with the stream's next number on first use."""
        return random.Random(self.next())


class Played(NamedTuple):
    """The result of one game and its line of play."""

    score: int
    won: bool
    moves: tuple[Any, ...]
    rule_counts: Mapping[int, int] = MappingProxyType({})
    """How often each numbered rule of the policy moved."""


class Block(NamedTuple):
    """The results of one policy on consecutive deals: a few bytes per deal, and counts over all of them."""

    scores: array[int]
    won: bytes
    tableau_moves: bytes | None
    """None if the game does not count them."""
    rule_counts: Counter[int]
    won_rule_counts: Counter[int]
    """`rule_counts` over the won games only."""
    replayed: int = 0
    """The number of games that the Python rules played or replayed."""
    lines: tuple[str, ...] | None = None
    """The tokens of each game, if the policy keeps its lines."""


def count_tableau_moves(game: AnyGame, moves: Iterable[Any]) -> int | None:
    """Return how many of the moves the game counts, in one byte: 255 means 255 or more. None if it counts none."""
    counted = game.tableau_moves
    return min(255, sum(isinstance(move, counted) for move in moves)) if counted else None


class Replays:
    """The choice of the engine's games that the rules replay line by line.

    These are the first wins of a run, then every hundredth win, and every thousandth game if it was lost. One object
    serves a whole run, however the run is split.
    """

    def __init__(self, wins: int | None = REPLAYED_WINS, one_win_in: int = 100, one_loss_in: int = 1_000) -> None:
        self._first = wins
        self._one_win_in = one_win_in
        self._one_loss_in = one_loss_in
        self._wins = self._games = 0

    @classmethod
    def shared(cls, policies: int) -> list[Replays]:
        """Return one object per policy: in all about as many replays as for one, with each one's first game and win."""
        return [cls(max(1, REPLAYED_WINS // policies), 100 * policies, 1_000 * policies) for _ in range(policies)]

    @classmethod
    def none(cls, policies: int) -> list[Replays]:
        """Return objects that replay nothing: for games that are not stored, or were replayed when they were."""
        return [cls(0, one_win_in=1 << 62, one_loss_in=0) for _ in range(policies)]

    def places(self, won: bytes) -> Iterator[int]:
        """Yield the places to replay among the next games; `won` has a byte for each game, 1 for a win."""
        if self._first is None:
            yield from range(len(won))
            return
        before, self._games = self._games, self._games + len(won)
        place = won.find(1)
        while place >= 0:
            self._wins += 1
            if self._wins <= self._first or self._wins % self._one_win_in == 0:
                yield place
            place = won.find(1, place + 1)
        if self._one_loss_in:
            places = range(-before % self._one_loss_in, len(won), self._one_loss_in)
            yield from (place for place in places if not won[place])


class Deals:
    """The deals of a run, in order: deal numbers of a generator, which are dealt when needed, or states."""

    def __init__(
        self,
        game: AnyGame,
        *,
        numbers: Sequence[int | str | Source] | None = None,
        generator: str = OURS,
        states: Sequence[Any] | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        if not isinstance(game, Game):
            raise UsageError(f"{quote(str(game))} is not a game; expected what unshuffle.game() gives")
        if (numbers is None) == (states is None):
            raise UsageError("simulate takes seeds or states, one of the two")
        self.game = game
        self.generator = generator
        if isinstance(numbers, range):
            check_range(numbers)
        self.numbers = numbers if numbers is None or isinstance(numbers, range) else tuple(map(_plain, numbers))
        self.states = states
        self._names = names
        # Find all faults before the first game. Of a range only the ends need a check.
        ends = (*numbers[:1], *numbers[-1:]) if isinstance(numbers, range) else self.numbers or ()
        for seed in ends:
            self._source(seed)
        for place, state in enumerate(states or ()):
            if (getattr(state, "game_id", None), getattr(state, "rules", None)) != (game.id, game.rules):
                raise UsageError(f"states[{place}] is not a state of {game}")
            if hasattr(state, "sample"):
                raise UsageError(f"states[{place}]: {refusal_of(state)}")

    def _source(self, seed: int | str | Source) -> Source:
        if isinstance(seed, Source):
            return seed
        return Source.parse(seed, self.generator) if isinstance(seed, str) else Source(seed, self.generator)

    def __len__(self) -> int:
        return len(self.numbers if self.numbers is not None else self.states or ())

    def state(self, place: int) -> Any:
        """Return the state from which the game at this place starts."""
        if self.states is not None:
            return self.states[place]
        assert self.numbers is not None
        return self.game.deal(self._source(self.numbers[place]))

    def name(self, place: int) -> str:
        """Return the name of this deal: its id; for a deal without an id the name that it was given, or its place."""
        return self._id(place) or (f"typed {place}" if self._names is None else self._names[place])

    def luck(self, place: int, seed: int) -> Luck:
        """Return the random stream of this game. A typed deal has no id: its name, or its place, is used instead."""
        # Never its cards: a stream that depends on hidden cards would reveal something about them.
        return Luck(self.name(place), seed)

    def _id(self, place: int) -> str | None:
        """Return the id of this deal; a deal with a number is not dealt for it."""
        if self.numbers is not None:
            return str(DealId(self.game.id, self.game.variant, self._source(self.numbers[place])))
        deal: str | None = self.state(place).id
        return deal

    @cached_property
    def seeds(self) -> Sequence[int] | None:
        """The deal numbers if all are plain ones of our own generator, which the engine can deal itself; else None."""
        if self.numbers is None or self.generator != OURS:
            return None
        if isinstance(self.numbers, range):
            return self.numbers
        seeds = [seed for seed in self.numbers if isinstance(seed, int)]
        return seeds if len(seeds) == len(self.numbers) else None


def _plain(seed: int | str | Source) -> int | str | Source:
    """Return the seed, with numpy's integers, which overflow, converted to Python's int."""
    return seed if isinstance(seed, str | Source) else plain_seed(seed)


class Sitting:
    """A policy at one game. It is asked before every move, with the present table."""

    def __init__(self, policy: Policy, luck: Luck) -> None:
        self._policy = policy
        self._choose = policy.player(luck)
        self._made = 0

    def next_move(self, state: Any) -> Any:
        """Return the policy's next move; None if it stops. The policy gets a view and moves, never the state itself."""
        if self._made >= MOST_MOVES and not self._policy.ends_by_itself:
            return None
        moves = state.legal_moves()
        if not moves and state.can_redeal:
            raise UsageError(
                f"the game {state.id or '(typed)'} goes on with a redeal whose order is not known;"
                " simulate needs a seed, or the redeals typed with the deal"
            )
        if not moves or (state.outcome is Outcome.WON and not self._policy.plays_on):
            return None
        self._made += 1
        return self._choose(state.view(), moves)


def play_game(policy: Policy, state: Any, luck: Luck, watch: Callable[[], None] | None = None) -> Played:
    """Play the game from this state to the end. `watch` is called before each move; what it raises ends the game."""
    sitting = Sitting(policy, luck)
    states = [state]
    line: list[Any] = []
    while True:
        if watch is not None:
            watch()
        if (move := sitting.next_move(state)) is None:
            break
        state = state.play(move)
        states.append(state)
        line.append(move)
    return played(policy, Line(tuple(states), tuple(line)))


def played(policy: Policy, line: Line) -> Played:
    """Return the result of a line of play of this policy."""
    return Played(line.score, line.outcome is Outcome.WON, line.moves, policy.rule_counts(line))


def play_one(deals: Deals, policy: Policy, place: int, watch: Callable[[], None] | None = None) -> Played:
    """Play one game of a run by the rules."""
    return play_game(policy, deals.state(place), deals.luck(place, policy.seed), watch)


def pack(games: Sequence[Played], deals: Deals, first: int, *, keeps_lines: bool = False) -> Block:
    """Return the block of games that the rules have played, from place `first` on."""
    all_counts: Counter[int] = Counter()
    won_counts: Counter[int] = Counter()
    for game in games:
        all_counts.update(game.rule_counts)
        if game.won:
            won_counts.update(game.rule_counts)
    moves = [count_tableau_moves(deals.game, game.moves) for game in games]
    return Block(
        check_scores([game.score for game in games], deals, first),
        bytes(game.won for game in games),
        bytes(count for count in moves if count is not None) if deals.game.tableau_moves else None,
        all_counts,
        won_counts,
        len(games),
        tuple(" ".join(move.token for move in game.moves) for game in games) if keeps_lines else None,
    )


def check_scores(scores: Sequence[int], deals: Deals, first: int) -> array[int]:
    """Return the scores of the games from place `first` on, two bytes each; raise UsageError if one does not fit."""
    for place, score in enumerate(scores):
        if not LEAST_SCORE <= score <= GREATEST_SCORE:
            deal = deals.state(first + place).id or "a typed deal"
            raise UsageError(f"{deal} ends with score {score}; simulations keep {LEAST_SCORE}..{GREATEST_SCORE}")
    return array("h", scores)
