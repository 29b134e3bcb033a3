"""La Belle Lucie's own policies. Each plans a whole deal before its first move, and then redeals."""

from __future__ import annotations

from unshuffle.games.belle_lucie.hidden import values
from unshuffle.games.belle_lucie.hidden.planner import plan
from unshuffle.games.belle_lucie.hidden.reach import most_cards
from unshuffle.games.belle_lucie.moves import Move
from unshuffle.games.belle_lucie.rules import Rules, State
from unshuffle.hidden.planned import Planned
from unshuffle.hidden.policy import Make, without_options


class MostCards(Planned):
    """A policy that puts up the most cards in each deal, by the first line found, without regard to later deals.

    All cards of a deal lie face up, so the policy may search it: the line is the solver's, proved to be the best except
    under rules where such a proof can take any time.
    """

    name = engine_policy = "greedy"

    def line(self, table: State) -> tuple[Move, ...]:
        """Return the solver's line for this deal alone."""
        return most_cards(table).moves


class BestValue(Planned):
    """A policy with the greatest chance to win by the value tables: it holds cards back where that is better.

    In the last deal it wins, or else puts up the most cards.
    """

    name = engine_policy = "value"

    def line(self, table: State) -> tuple[Move, ...]:
        """Return the plan's line for this deal."""
        return plan(table, alternatives=False).moves

    def packed_values(self, rules: Rules) -> bytes:
        """Return the packed tables of these rules, or the nearest ones."""
        return values.of_rules(rules).pack(rules)


class RuleOfThumb(BestValue):
    """The same planner with a score in place of the tables: one that a person can compute at a table."""

    name = "thumb"

    def line(self, table: State) -> tuple[Move, ...]:
        """Return the plan's line for this deal."""
        return plan(table, values=values.Thumb(), alternatives=False).moves

    def packed_values(self, rules: Rules) -> bytes:
        """Return the packed scores."""
        return values.Thumb().pack(rules)


POLICIES: dict[str, Make] = {policy.name: without_options(policy) for policy in (MostCards, BestValue, RuleOfThumb)}
