"""The measure of difficulty: the share of a panel's games that win the deal. See docs/winnable.md."""

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
"""Increased whenever a panel or the play of one of its policies changes, so that old grades are not reused."""


def panel_of(game: AnyGame) -> tuple[Seat, ...]:
    """Return the panel of this game."""
    return game.has.panel


def count_games(game: AnyGame) -> int:
    """Return the number of games that the panel of this game plays on one deal."""
    return sum(seat.games for seat in panel_of(game))


def name_panel(game: AnyGame) -> str:
    """Return the name of the panel with its version, such as 'panel-1: rollout:20 x40'."""
    seats = panel_of(game)
    shown = seats if len(seats) < 9 else (seats[0], "..", seats[-1])
    return f"panel-{VERSION}: {', '.join(map(str, shown))}"


@dataclass(frozen=True)
class Measured:
    """The games of a panel on one deal."""

    won: tuple[bool, ...]
    """Whether each game was won, in the order of the seats."""
    _games: Sequence[Simulation] = field(repr=False, compare=False)

    @property
    def wins(self) -> int:
        """The number of won games."""
        return sum(self.won)

    @property
    def value(self) -> float:
        """The measure: the share of won games."""
        return self.wins / len(self.won)

    def first_win(self) -> Record | None:
        """Return the first won game, its line replayed by the rules; None if there is none."""
        records = (games[place] for games in self._games for place in range(len(games)))
        return next((record for record in records if record.won), None)


def _player(game: AnyGame, seat: Seat) -> Policy:
    policy = policy_of(game, seat.policy)
    return Slipping(policy, seat.slips) if seat.slips else policy


class StoppedError(Exception):
    """The games of a panel were cancelled, so the deal is not measured."""


class LateError(Exception):
    """The time limit was hit before the last game of a panel, so the deal is not measured."""


class _Tries(Deals):
    """The same deal several times, each with another random stream for the policy."""

    def __init__(self, game: AnyGame, state: Any, games: int, begin: Callable[[int], None]) -> None:
        super().__init__(game, states=[state] * games)
        self._begin = begin

    def luck(self, place: int, seed: int) -> Luck:
        """Return the random stream of the policy with the seed `seed + place`."""
        # Called before every game, also of the engine, so cancellation is checked here.
        self._begin(place)
        return Luck(self.name(place), seed + place)


class Panel:
    """The policies that measure the deals of one game."""

    def __init__(self, game: AnyGame, seats: Sequence[Seat] | None = None) -> None:
        self.game = game
        self.seats = panel_of(game) if seats is None else tuple(seats)
        try:
            self._players = [_player(game, seat) for seat in self.seats]
        except UsageError as error:
            raise UsageError(f"the difficulty of {game} cannot be measured: {error}") from None
        # As in every run without stored lines, the rules replay the first wins and a sample of the rest.
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
        """Let every policy play this deal, and return the games. `progress` is called with the number of the game.

        Raise StoppedError if `cancel` is set, or LateError after `seconds`, before the last game: a partial measure
        would depend on the machine.
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
        """Yield ranges of adjacent seats with equally many games; played together, they share what they compute."""
        first = 0
        for place in range(1, len(self.seats) + 1):
            if place == len(self.seats) or self.seats[place].games != self.seats[first].games:
                yield first, place
                first = place
