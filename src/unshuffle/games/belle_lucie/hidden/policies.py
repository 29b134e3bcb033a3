"""La Belle Lucie's own players. Each works a whole deal out before it touches a card, and then deals again."""

from __future__ import annotations

from unshuffle.games.belle_lucie.hidden import values
from unshuffle.games.belle_lucie.hidden.planner import plan
from unshuffle.games.belle_lucie.hidden.reach import most_cards
from unshuffle.games.belle_lucie.moves import Move
from unshuffle.games.belle_lucie.rules import Rules, State
from unshuffle.hidden.planned import Planned
from unshuffle.hidden.policy import Make, without_options


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


POLICIES: dict[str, Make] = {policy.name: without_options(policy) for policy in (MostCards, BestValue, RuleOfThumb)}
