"""Aces Up's own players. One goes by a list of numbered rules; docs/simulate.md has them all."""

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
    """Fill a space by the first rule of a list that finds a pile, as long as one does; then deal.

    It is named by the list as it was entered, each rule once, and plays the reduced one, which moves alike.
    """

    engine_policy = "rules"
    # Aces that lie on each other are moved apart even when all else is gone: so the lists were always played.
    plays_on = True

    def __init__(self, entered: RuleList) -> None:
        self.entered = entered
        self.strategy = entered.reduced()
        self.name = f"rules:{entered.text}"
        if self.engine_policy is not None:  # a player of another kind has none
            self.engine_policy = f"rules:{self.strategy.text}"

    def check(self, game: AnyGame) -> None:
        """Where spaces must be filled, some rule has to find a pile every time."""
        check_fills(game, self.entered)

    def player(self, luck: Luck) -> Player:
        """A player who needs no chance and no memory."""

        def play(view: Any, moves: tuple[Any, ...]) -> Any:
            # Where discards are optional they come first in the order of moves, and none is left undone.
            if isinstance(moves[0], Discard):
                return moves[0]
            found = choose(view, self.strategy)
            if found is not None:
                return next(move for move in moves if isinstance(move, ToSpace) and move.source == found[1])
            return moves[-1] if isinstance(moves[-1], Deal) else None

        return play

    def remark(self, state: State, move: Any) -> str:
        """The rule that moves."""
        found = choose(state, self.strategy) if isinstance(move, ToSpace) else None
        return "" if found is None else f"rule {found[0]}"

    @property
    def rule_words(self) -> dict[int, str]:
        """Those of the reduced list, as the dialect plays them: their names mislead."""
        return {number: RULES[number].description(self.strategy.dialect) for number in self.strategy.rules}

    def rule_counts(self, line: Line) -> Counter[int]:
        """The rule that moved, for each card that went to a space."""
        counts: Counter[int] = Counter()
        for state, move in zip(line.states, line.moves, strict=False):
            if isinstance(move, ToSpace):
                found = choose(state, self.strategy)
                assert found is not None
                counts[found[0]] += 1
        return counts


def _make_rules(game: AnyGame, text: str) -> Policy:
    """`2,1,10`, or `2,1,10@documented`."""
    return ByRules(parse_list(text))


POLICIES: dict[str, Make] = {"rules": _make_rules, **PLAYERS}
