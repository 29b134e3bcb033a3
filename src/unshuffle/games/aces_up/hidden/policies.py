"""Aces Up's own policies. `rules` goes by a list of numbered rules; docs/simulate.md describes all of them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from unshuffle.game import AnyGame
from unshuffle.games.aces_up.hidden.players import PLAYERS
from unshuffle.games.aces_up.moves import Deal, Discard, ToSpace
from unshuffle.games.aces_up.rules import State
from unshuffle.games.aces_up.strategy import RULES, RuleList, check_fills, choose, parse_list
from unshuffle.hidden.playing import Luck, Player
from unshuffle.hidden.policy import Make, Policy
from unshuffle.solve import Line


class ByRules(Policy):
    """A policy that fills a space by the first rule of a list that finds a pile, as long as one does, and then deals.

    Its name has the list as it was entered, each rule once. It plays the reduced list, which makes the same moves.
    """

    engine_policy = "rules"
    # Aces that lie on each other are moved apart even after the win, as the program does from which the lists come.
    plays_on = True

    def __init__(self, entered: RuleList) -> None:
        self.entered = entered
        self.strategy = entered.reduced()
        self.name = f"rules:{entered.text}"
        if self.engine_policy is not None:  # a subclass with its own player has none
            self.engine_policy = f"rules:{self.strategy.text}"

    def check(self, game: AnyGame) -> None:
        """Raise UsageError if spaces must be filled and the list may find no pile."""
        check_fills(game, self.entered)

    def player(self, luck: Luck) -> Player:
        """Return a player that needs no chance and no memory."""

        def play(view: Any, moves: tuple[Any, ...]) -> Any:
            # Optional discards come first in move order, and all of them are made.
            if isinstance(moves[0], Discard):
                return moves[0]
            found = choose(view, self.strategy)
            if found is not None:
                return next(move for move in moves if isinstance(move, ToSpace) and move.source == found[1])
            return moves[-1] if isinstance(moves[-1], Deal) else None

        return play

    def remark(self, state: State, move: Any) -> str:
        """Return the rule that moves."""
        found = choose(state, self.strategy) if isinstance(move, ToSpace) else None
        return "" if found is None else f"rule {found[0]}"

    @property
    def rule_words(self) -> dict[int, str]:
        """The rules of the reduced list, described as the dialect plays them: their names mislead."""
        return {number: RULES[number].description(self.strategy.dialect) for number in self.strategy.rules}

    def rule_counts(self, line: Line) -> Counter[int]:
        """Return how often each rule moved a card to a space."""
        counts: Counter[int] = Counter()
        for state, move in zip(line.states, line.moves, strict=False):
            if isinstance(move, ToSpace):
                found = choose(state, self.strategy)
                assert found is not None
                counts[found[0]] += 1
        return counts


def _make_rules(game: AnyGame, text: str) -> Policy:
    """Make the policy of `2,1,10`, or `2,1,10@documented`."""
    return ByRules(parse_list(text))


POLICIES: dict[str, Make] = {"rules": _make_rules, **PLAYERS}
