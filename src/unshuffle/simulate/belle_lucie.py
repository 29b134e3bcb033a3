"""La Belle Lucie's own players. Each works a whole deal out before it touches a card, and then deals again."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Generator
from typing import Any

from unshuffle import engine
from unshuffle.advise.belle_lucie.planner import plan
from unshuffle.advise.belle_lucie.reach import most_cards
from unshuffle.errors import UsageError
from unshuffle.game import AnyGame
from unshuffle.games.belle_lucie import values
from unshuffle.games.belle_lucie.moves import Move, Redeal
from unshuffle.games.belle_lucie.rules import Rules, State
from unshuffle.rulebook import write_rules
from unshuffle.simulate.playing import Deals, Luck, Played, Player
from unshuffle.simulate.policy import Make, Policy, read_options
from unshuffle.solve import Status, cores, has_twin
from unshuffle.solve.replay import check

# Deals handed to the engine at once: one call for many costs less than many calls for one.
_GULP = 1024
# Of the games whose lines nobody keeps, one in so many is replayed by the Python rules, wins apart.
_ONE_IN = 100


class Planned(Policy):
    """A player who works out each deal as it lies, and deals again when its line is played."""

    engine_policy: str
    """The name by which the engine plays it."""

    def engine(self, game: AnyGame) -> str:
        """The side that works the deals out."""
        return "native" if has_twin(game) else "python"

    @abstractmethod
    def line(self, table: State) -> tuple[Move, ...]:
        """The moves for this deal; what a redeal will bring is not on this table."""

    def packed_values(self, rules: Rules) -> bytes | None:
        """The values that the engine plans by; None if it needs none."""
        return None

    def player(self, luck: Luck) -> Player:
        """A player with the rest of its line in mind."""
        line: deque[Move] | None = None

        def choose(view: Any, moves: tuple[Any, ...]) -> Any:
            nonlocal line
            if line is None:
                line = deque(self.line(view.table))
            if line:
                return line.popleft()
            line = None
            if view.table.may_redeal and Redeal() not in moves:
                raise UsageError(
                    "the game goes on with a redeal whose order is not known;"
                    " simulate needs a seed, or the redeals typed with the deal"
                )
            return Redeal() if view.table.may_redeal else None

        return choose

    def play_many(
        self, deals: Deals, *, threads: int | None, keeps_moves: bool, replay_wins: int | None
    ) -> Generator[Played, None, None]:
        """The same games, played by the engine."""
        native = engine.native()
        known = all(state.redeals_left <= len(state.redeals) for state in deals.states or ())
        if native is None or not has_twin(deals.game) or not known:
            yield from super().play_many(deals, threads=threads, keeps_moves=keeps_moves, replay_wins=replay_wins)
            return
        game = deals.game
        packed = self.packed_values(game.rules)
        rules = write_rules(game.rules)
        games = native.Games(game.id, rules, policy=self.engine_policy, threads=threads or cores(), values=packed)

        seeds = deals.seeds
        submitted = wins = 0
        try:
            for place in range(len(deals)):
                # Topped up while half of them are still to come, so that no thread waits.
                while submitted < min(len(deals), place + _GULP // 2):
                    part = range(submitted, min(len(deals), submitted + _GULP))
                    if seeds is None:
                        games.submit([game.wire(deals.state(other)) for other in part])
                    else:
                        games.submit_seeds(list(seeds[part.start : part.stop]))
                    submitted = part.stop
                score, won, tokens = games.next()
                is_replayed = keeps_moves or replay_wins is None or (won and wins < replay_wins) or place % _ONE_IN == 0
                wins += won
                moves = None
                if is_replayed:
                    moves = tuple(map(game.parse_move, tokens))
                    check(deals.state(place), moves, Status.SOLVED if won else Status.UNSOLVABLE, score, "native")
                yield Played(score, won, moves if keeps_moves else None, is_replayed)
        finally:
            games.cancel()


class MostCards(Planned):
    """The most cards that can go up in this deal, by the first line that is found; no thought of what comes after.

    All cards of a deal lie face up, so the player may search it: the line is the solver's, proved to be the best except
    under rules where such a proof can take any time.
    """

    name = engine_policy = "greedy"

    def line(self, table: State) -> tuple[Move, ...]:
        """The solver's line for this deal alone."""
        return most_cards(table).moves


class BestValue(Planned):
    """The plan with the greatest chance to win by the tables of values, cards held back where that is better.

    In the last deal: a win, or else the most cards.
    """

    name = engine_policy = "value"

    def line(self, table: State) -> tuple[Move, ...]:
        """The plan for this deal."""
        return plan(table, alternatives=False).moves

    def packed_values(self, rules: Rules) -> bytes:
        """The tables of these rules, or the nearest ones."""
        return values.of_rules(rules).pack(rules)


class RuleOfThumb(BestValue):
    """The same planner with a score in the place of the tables: what a person can work out at a table."""

    name = "thumb"

    def line(self, table: State) -> tuple[Move, ...]:
        """The plan for this deal."""
        return plan(table, values=values.Thumb(), alternatives=False).moves

    def packed_values(self, rules: Rules) -> bytes:
        """The scores."""
        return values.Thumb().pack(rules)


def _make(policy: type[Planned]) -> Make:
    def make(game: AnyGame, text: str) -> Policy:
        read_options(policy.name, text)
        return policy()

    return make


POLICIES: dict[str, Make] = {"greedy": _make(MostCards), "value": _make(BestValue), "thumb": _make(RuleOfThumb)}
