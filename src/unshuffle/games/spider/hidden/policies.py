"""Spider's own players. None of them sees a card that lies face down or in the bank."""

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
    """Moves of cards by chance, each as likely as every other; a row after K of them, or when there is none.

    With no row left it gives up after K moves. Where a row waits for a pile to be filled, chance has as many moves
    again to do it.
    """

    engine_policy = "random"
    draws_lots = True
    ends_by_itself = True

    def __init__(self, moves: int = _RANDOM, seed: int = 0) -> None:
        self.moves = moves
        self.seed = seed
        self.name = f"random:{moves}" + (f";seed={seed}" if seed else "")
        if self.engine_policy is not None:  # a player of another kind has none
            self.engine_policy = f"random:{moves}"

    def check(self, game: AnyGame) -> None:
        """Every move costs a point, and no score may be too low to be kept."""
        rules: Rules = game.rules
        rows = rules.first_bank // rules.piles
        most = -LEAST_SCORE // (rows + 1 if rules.deal_on_empty else 2 * rows + 1) - 1
        if self.moves > most:
            raise UsageError(
                f"the policy 'random:{self.moves}' may end {game} with a score below {LEAST_SCORE:,}, which simulations"
                f" do not keep; expected random:{most} at the most"
            )

    def player(self, luck: Luck) -> Player:
        """A player who throws a die, and counts the moves since the last row."""
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
    """One move ahead: the most useful move of cards while one is worth anything, then a row.

    A turned card is worth 8, an emptied pile 4, a join in suit 2 and one out of suit 1, less the join that the move
    breaks. Piles that must be filled before a row get the last card of the tallest pile, one after the other.
    """

    name = engine_policy = "greedy"

    def player(self, luck: Luck) -> Player:
        """A player who needs no chance, and remembers that it is filling piles for a row."""
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
"""Works out the moves up to the next news; None: the game is given up."""


def _player(think: Think) -> Player:
    """A player with the rest of its plan in mind."""
    line: deque[Move] = deque()

    def choose(view: Any, moves: tuple[Any, ...]) -> Any:
        if not line:
            line.extend(think(view) or ())
        return line.popleft() if line else None

    return choose


class Plan(Policy):
    """From plan to plan, up to the next card that is turned or the next row: the cheapest of those that it finds."""

    engine_policy = "plan"
    ends_by_itself = True

    def __init__(self, width: int = PLAIN.width) -> None:
        self.width = width
        self.name = f"plan:{width}"
        if self.engine_policy is not None:  # a player of another kind has none
            self.engine_policy = self.name

    def player(self, luck: Luck) -> Player:
        """A player who needs no chance."""
        return _player(lambda view: plan(view, PLAIN._replace(width=self.width)))


class Search(Policy):
    """Weighs some plans on N supposed deals, on which the plain player plays on, and takes the best on average."""

    engine_policy = "search"
    draws_lots = True
    ends_by_itself = True

    def __init__(self, samples: int = SAMPLES, seed: int = 0) -> None:
        self.samples = samples
        self.seed = seed
        self.name = f"search:{samples}" + (f";seed={seed}" if seed else "")
        if self.engine_policy is not None:  # a player of another kind has none
            self.engine_policy = f"search:{samples}"

    def packed_values(self, rules: Rules) -> bytes | None:
        """Those of the named variants; under other rules playouts go on to the end of the game."""
        return values.packed(rules)

    def player(self, luck: Luck) -> Player:
        """A player who supposes deals by chance."""

        def think(view: View) -> tuple[Move, ...] | None:
            plans = decide(view, luck, self.samples, values.values_of(view.rules)).plans
            return plans[0].moves if plans else None

        return _player(think)


def _make_random(game: AnyGame, text: str) -> Policy:
    """`K`, or `K;seed=3`; the number may be left out."""
    count, rest = read_counted("random", text, "the moves of cards before each row", _RANDOM, _MOST_RANDOM)
    return Random(count, **read_options("random", rest, seed=0))


def _make_plan(game: AnyGame, text: str) -> Policy:
    """`W`; it may be left out."""
    count, rest = read_counted("plan", text, "the tables kept of each level", PLAIN.width, _MOST_WIDTH)
    read_options("plan", rest)
    return Plan(count)


def _make_search(game: AnyGame, text: str) -> Policy:
    """`N`, or `N;seed=3`; the number may be left out."""
    count, rest = read_counted("search", text, "the number of samples", SAMPLES, _MOST_SAMPLES)
    return Search(count, **read_options("search", rest, seed=0))


POLICIES: dict[str, Make] = {
    "random": _make_random,
    "greedy": without_options(Greedy),
    "plan": _make_plan,
    "search": _make_search,
}
