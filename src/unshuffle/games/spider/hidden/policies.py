"""The policies of Spider. None of them sees a card that lies face down or in the bank."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from unshuffle.errors import UsageError
from unshuffle.game import AnyGame
from unshuffle.games.spider.hidden import values
from unshuffle.games.spider.hidden.sampling import SAMPLES, decide
from unshuffle.games.spider.hidden.strategy import PLAIN, filling, greedy, plan
from unshuffle.games.spider.moves import Move, Row
from unshuffle.games.spider.rules import Rules
from unshuffle.games.spider.view import View
from unshuffle.hidden.playing import LEAST_SCORE, Luck, Player
from unshuffle.hidden.policy import Make, Policy, read_counted, read_options, without_options

_RANDOM = 1_000
_MOST_RANDOM = 100_000
_MOST_WIDTH = 10_000
_MOST_SAMPLES = 100_000


class Random(Policy):
    """The policy that picks moves of cards uniformly at random, and a row after K of them or when there is none.

    With no row left it gives up after K moves. If a row must wait until empty piles are filled, it has K more moves.
    """

    engine_policy = "random"
    draws_lots = True
    ends_by_itself = True

    def __init__(self, moves: int = _RANDOM, seed: int = 0) -> None:
        self.moves = moves
        self.seed = seed
        self.name = f"random:{moves}" + (f";seed={seed}" if seed else "")
        if self.engine_policy is not None:  # a subclass without an engine twin has none
            self.engine_policy = f"random:{moves}"

    def check(self, game: AnyGame) -> None:
        """Raise UsageError if the score, from which each move takes a point, may get too low to be stored."""
        rules: Rules = game.rules
        rows = rules.first_bank // rules.piles
        most = -LEAST_SCORE // (rows + 1 if rules.deal_on_empty else 2 * rows + 1) - 1
        if self.moves > most:
            raise UsageError(
                f"the policy 'random:{self.moves}' may end {game} with a score below {LEAST_SCORE:,}, which simulations"
                f" do not keep; expected random:{most} at the most"
            )

    def player(self, luck: Luck) -> Player:
        """Return a player that picks at random and counts the moves since the last row."""
        since_row = 0

        def choose(view: Any, moves: tuple[Any, ...]) -> Any:
            nonlocal since_row
            may_deal = isinstance(moves[-1], Row)
            cards = moves[:-1] if may_deal else moves
            if not cards or since_row >= self.moves:
                if may_deal:
                    since_row = 0
                    return moves[-1]
                if not cards or not view.bank or since_row >= 2 * self.moves:
                    return None
            since_row += 1
            return cards[luck.below(len(cards))]

        return choose


class Greedy(Policy):
    """The policy that plays the best move of cards by one-step lookahead while one is worth more than 0, then a row.

    A turned card is worth 8, an emptied pile 4, a join in suit 2 and one out of suit 1, less the join that the move
    breaks. Piles that must be filled before a row get the last card of the tallest pile, one after the other.
    """

    name = engine_policy = "greedy"

    def player(self, luck: Luck) -> Player:
        """Return a deterministic player that remembers whether it is filling piles for a row."""
        is_filling = False

        def choose(view: Any, moves: tuple[Any, ...]) -> Any:
            nonlocal is_filling
            best = None if is_filling else greedy(view, moves)
            if best is not None:
                return best
            is_filling = not isinstance(moves[-1], Row)
            return filling(view) if is_filling else moves[-1]

        return choose


Think = Callable[[View], "tuple[Move, ...] | None"]
"""Returns the moves up to the next turned card or row; None to give the game up."""


def _player(think: Think) -> Player:
    """Return a player that plays the moves of a plan before it calls `think` again."""
    line: deque[Move] = deque()

    def choose(view: Any, moves: tuple[Any, ...]) -> Any:
        if not line:
            line.extend(think(view) or ())
        return line.popleft() if line else None

    return choose


class Plan(Policy):
    """The policy that plays from plan to plan, each up to the next turned card or row: the cheapest that it finds."""

    engine_policy = "plan"
    ends_by_itself = True

    def __init__(self, width: int = PLAIN.width) -> None:
        self.width = width
        self.name = f"plan:{width}"
        if self.engine_policy is not None:  # a subclass without an engine twin has none
            self.engine_policy = self.name

    def player(self, luck: Luck) -> Player:
        """Return a deterministic player."""
        return _player(lambda view: plan(view, PLAIN._replace(width=self.width)))


class Search(Policy):
    """The policy that takes the best plan on average over playouts of the plain player on N sampled deals."""

    engine_policy = "search"
    draws_lots = True
    ends_by_itself = True

    def __init__(self, samples: int = SAMPLES, seed: int = 0) -> None:
        self.samples = samples
        self.seed = seed
        self.name = f"search:{samples}" + (f";seed={seed}" if seed else "")
        if self.engine_policy is not None:  # a subclass without an engine twin has none
            self.engine_policy = f"search:{samples}"

    def packed_values(self, rules: Rules) -> bytes | None:
        """Return the values of a named variant; under other rules None, and playouts go on to the end of the game."""
        return values.packed(rules)

    def player(self, luck: Luck) -> Player:
        """Return a player that samples deals."""

        def think(view: View) -> tuple[Move, ...] | None:
            plans = decide(view, luck, self.samples, values.values_of(view.rules)).plans
            return plans[0].moves if plans else None

        return _player(think)


def _make_random(game: AnyGame, text: str) -> Policy:
    """Read `K`, or `K;seed=3`; the number may be left out."""
    count, rest = read_counted("random", text, "the moves of cards before each row", _RANDOM, _MOST_RANDOM)
    return Random(count, **read_options("random", rest, seed=0))


def _make_plan(game: AnyGame, text: str) -> Policy:
    """Read `W`, which may be left out."""
    count, rest = read_counted("plan", text, "the tables kept of each level", PLAIN.width, _MOST_WIDTH)
    read_options("plan", rest)
    return Plan(count)


def _make_search(game: AnyGame, text: str) -> Policy:
    """Read `N`, or `N;seed=3`; the number may be left out."""
    count, rest = read_counted("search", text, "the number of samples", SAMPLES, _MOST_SAMPLES)
    return Search(count, **read_options("search", rest, seed=0))


POLICIES: dict[str, Make] = {
    "random": _make_random,
    "greedy": without_options(Greedy),
    "plan": _make_plan,
    "search": _make_search,
}
