"""Agnes Sorel's own policies: `greedy` goes by fixed preferences, `rollout` plays every move out."""

from __future__ import annotations

from typing import Any

from unshuffle.game import AnyGame
from unshuffle.games.agnes.hidden.estimate import best, deal_of, estimate, is_idle, options_of
from unshuffle.games.agnes.hidden.strategy import greedy, is_safe
from unshuffle.games.agnes.moves import Move, ToPile
from unshuffle.games.agnes.view import View
from unshuffle.hidden.playing import Luck, Player
from unshuffle.hidden.policy import Make, Policy, read_counted, read_options, without_options

_SAMPLES = 20
_MOST_SAMPLES = 1_000_000


class Greedy(Policy):
    """A policy by fixed preferences: a card goes up; else the unit with the most points moves; else a deal."""

    name = engine_policy = "greedy"

    def player(self, luck: Luck) -> Player:
        """Return a player that needs no chance and no memory."""

        def choose(view: Any, moves: tuple[Any, ...]) -> Any:
            return greedy(view, moves)

        return choose


class Rollout(Policy):
    """A policy that samples the unseen cards K times, plays every move out by `greedy`, and plays the best move."""

    engine_policy = "rollout"
    draws_lots = True

    def __init__(self, samples: int = _SAMPLES, seed: int = 0) -> None:
        self.samples = samples
        self.seed = seed
        self.name = f"rollout:{samples}" + (f";seed={seed}" if seed else "")
        if self.engine_policy is not None:  # a subclass with its own player has none
            self.engine_policy = f"rollout:{samples}"

    def player(self, luck: Luck) -> Player:
        """Return a player that remembers the tables of its game, so as not to return to one."""
        seen: set[View] = set()

        def choose(view: Any, moves: tuple[Any, ...]) -> Any:
            seen.add(view)
            return self._choose(view, moves, luck, seen)

        return choose

    def _choose(self, view: View, moves: tuple[Move, ...], luck: Luck, seen: set[View]) -> Move | None:
        safe = next((move for move in moves if is_safe(view, move)), None)
        if safe is not None:
            return safe
        options = [move for move in options_of(view, moves) if not _leads_back(view, move, seen)]
        if not options:
            return None
        if len(options) == 1 and not isinstance(options[0], ToPile):
            return options[0]
        tallies = estimate(view, options, self.samples, luck)
        if is_idle(view, tallies):
            # No playout gains a card: new cards may help, moving cards to and fro does not.
            deal = deal_of(tallies)
            return None if deal is None else deal.move
        chosen: Move = best(view, moves, tallies).move
        return chosen


def _leads_back(view: View, move: Move, seen: set[View]) -> bool:
    """Return whether a move of a unit that turns no card up leads to a table that was there before in this game."""
    if not isinstance(move, ToPile):
        return False
    pile = view.piles[move.source - 1]
    if 0 < len(pile) - move.count == view.down[move.source - 1]:
        return False
    # It does not matter which cards are filled in: the move shows none of them.
    return view.laid(view.unseen).play(move).view() in seen


def _make_rollout(game: AnyGame, text: str) -> Policy:
    """Make the policy of `K`, or `K;seed=3`; the number may be left out."""
    samples, rest = read_counted("rollout", text, "the number of samples", _SAMPLES, _MOST_SAMPLES)
    return Rollout(samples, **read_options("rollout", rest, seed=0))


POLICIES: dict[str, Make] = {"greedy": without_options(Greedy), "rollout": _make_rollout}
