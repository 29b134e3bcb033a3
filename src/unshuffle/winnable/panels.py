"""The measure of difficulty: which share of the games of a panel of players wins the deal. See docs/winnable.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import inf
from threading import Event
from time import monotonic
from typing import Any

from unshuffle.errors import UsageError
from unshuffle.game import AnyGame
from unshuffle.manifest import Seat
from unshuffle.simulate import Deals, Luck, Policy, Record, Replays, Simulation, policy_of, run_policies
from unshuffle.winnable.slips import Slipping

VERSION = 1
"""It rises whenever a panel changes, or how one of its players plays: no old grade may pass for a new one."""


def panel_of(game: AnyGame) -> tuple[Seat, ...]:
    """The panel of this game."""
    return game.has.panel


def count_games(game: AnyGame) -> int:
    """How many games its panel plays on one deal."""
    return sum(seat.games for seat in panel_of(game))


def name_panel(game: AnyGame) -> str:
    """The panel with its version: 'panel-1: rollout:20 x40'."""
    seats = panel_of(game)
    shown = seats if len(seats) < 9 else (seats[0], "..", seats[-1])
    return f"panel-{VERSION}: {', '.join(map(str, shown))}"


@dataclass(frozen=True)
class Measured:
    """The games of a panel on one deal."""

    won: tuple[bool, ...]
    """Game by game, in the order of the seats."""
    _games: Sequence[Simulation] = field(repr=False, compare=False)

    @property
    def wins(self) -> int:
        """How many games were won."""
        return sum(self.won)

    @property
    def value(self) -> float:
        """The measure: the share of the games that won."""
        return self.wins / len(self.won)

    def first_win(self) -> Record | None:
        """The first game that was won, its line played again by the rules; None if there is none."""
        records = (games[place] for games in self._games for place in range(len(games)))
        return next((record for record in records if record.won), None)


def _player(game: AnyGame, seat: Seat) -> Policy:
    policy = policy_of(game, seat.policy)
    return Slipping(policy, seat.slips) if seat.slips else policy


class StoppedError(Exception):
    """The games of a panel were ended from outside; nothing can be said of the deal."""


class LateError(Exception):
    """The time of a panel is over before its last game; nothing is measured."""


class _Tries(Deals):
    """One deal again and again, each time with the luck of the next seed."""

    def __init__(self, game: AnyGame, state: Any, games: int, begin: Callable[[int], None]) -> None:
        super().__init__(game, states=[state] * games)
        self._begin = begin

    def luck(self, place: int, seed: int) -> Luck:
        """That of the policy with this seed and so many more."""
        # Asked for before every game, also one that the engine plays: here whoever was cancelled stops.
        self._begin(place)
        return Luck(self.name(place), seed + place)


class Panel:
    """The players of one game, ready to play deal after deal."""

    def __init__(self, game: AnyGame, seats: Sequence[Seat] | None = None) -> None:
        self.game = game
        self.seats = panel_of(game) if seats is None else tuple(seats)
        try:
            self._players = [_player(game, seat) for seat in self.seats]
        except UsageError as error:
            raise UsageError(f"the difficulty of {game} cannot be measured: {error}") from None
        # As in every run that keeps no lines: the first wins are played again by the rules, and some of the rest.
        self._replays = Replays.shared(len(self.seats))

    def measure(
        self,
        state: Any,
        *,
        threads: int | None = None,
        cancel: Event | None = None,
        seconds: float | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> Measured:
        """Let everyone play this deal. `progress` is told the number of the game in hand.

        `StoppedError` if `cancel` is set before the last game, `LateError` if so many seconds are over: what was
        measured in part would hang on the machine.
        """
        games: list[Simulation] = []
        number = 0
        until = inf if seconds is None else monotonic() + seconds

        def watch() -> None:
            if cancel is not None and cancel.is_set():
                raise StoppedError
            if monotonic() > until:
                raise LateError

        def begin(place: int) -> None:
            nonlocal number
            number = 1 + place + sum(map(len, games))
            watch()

        def tell(_: int) -> None:
            if progress is not None:
                progress(number)

        for first, last in self._rounds():
            deals = _Tries(self.game, state, self.seats[first].games, begin)
            players, replays = self._players[first:last], self._replays[first:last]
            games += run_policies(
                deals, players, threads=threads, replays=replays, first_block=len(deals), progress=tell, watch=watch
            )
        return Measured(tuple(map(bool, chain.from_iterable(each.packed[1] for each in games))), games)

    def _rounds(self) -> Iterator[tuple[int, int]]:
        """Seats side by side that play equally many games go together: what one finds out, others may use."""
        first = 0
        for place in range(1, len(self.seats) + 1):
            if place == len(self.seats) or self.seats[place].games != self.seats[first].games:
                yield first, place
                first = place
