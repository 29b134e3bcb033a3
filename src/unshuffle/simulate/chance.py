"""Estimates of the chance to win a position with unknown cards or redeals: a policy plays sampled full states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from time import monotonic
from typing import Any

from unshuffle.errors import UsageError
from unshuffle.game import INFORMATION
from unshuffle.hidden.chance import percent
from unshuffle.hidden.playing import Deals, Luck
from unshuffle.hidden.playouts import check_samples, wilson
from unshuffle.hidden.policy import Policy, policy_of
from unshuffle.pieces import Pace, parts
from unshuffle.registry import game_of
from unshuffle.simulate.simulation import run_policy
from unshuffle.solve.limits import Limits
from unshuffle.views import unknown_in

SAMPLES = 1_000
"""The default number of games of an estimate."""
_FIRST_BLOCK, _LARGEST_BLOCK = 4, 1 << 18
_BLOCK_SECONDS = 0.2
"""The approximate playing time between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """How often a policy won the sampled games."""

    wins: int
    samples: int
    """Games played; 0 if the estimate was cancelled before the first block was finished."""
    policy: str
    unknown: str
    """What is unknown, in words."""
    information: str = "hidden"
    """What the policy sees in each game."""

    @property
    def chance(self) -> float | None:
        """The share of the games that were won; None if no game was played."""
        return self.wins / self.samples if self.samples else None

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the policy's chance to win."""
        return wilson(self.wins, self.samples) if self.samples else (0.0, 1.0)

    def __str__(self) -> str:
        if self.chance is None:
            return "no game was played, so nothing can be said"
        low, high = (percent(end).removesuffix(" %") for end in self.interval)
        return (
            f"{self.policy} won {self.wins:,} of {self.samples:,} games: {percent(self.chance)}, 95 % interval "
            f"{low} to {high} % ({INFORMATION[self.information]})"
        )


def usual_policy(game: Any) -> Policy:
    """Return the game's default policy for estimates, or `greedy` where that one cannot play these rules."""
    try:
        return policy_of(game, game.has.usual)
    except UsageError:
        return policy_of(game, "greedy")


def estimate(
    view: Any,
    policy: str | Policy | None = None,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    seconds: float | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
    cancel: Event | None = None,
) -> Estimate:
    """Estimate a player's chance to win from what the player sees.

    Sample the unknown cards and redeals `samples` times, uniformly over all that is consistent with the view, and let
    the policy play each sample to its end. It sees what a player sees, so this is its own chance, a lower bound for the
    best player. `view` is a view, or a state of which only the view is used. The same `seed` gives the same samples.
    `seconds` is a time limit. `progress` is called with the games won and played, and `cancel` ends the estimate when
    it is set.
    """
    check_samples(samples)
    Limits(seconds=seconds)  # raises UsageError if this is not a time
    seen = view.view() if hasattr(view, "view") else view
    unknown = unknown_in(seen)
    if not unknown:
        raise UsageError("nothing is unknown here, so no chance plays a part: `solve` decides whether it can be won")
    game: Any = None
    until = None if seconds is None else monotonic() + seconds
    # A random stream of its own: the samples must not depend on the random numbers that the policy draws.
    rng = Luck("samples", seed).rng
    player: Policy | None = None
    wins = played = 0
    for part in parts(range(samples), Pace(_BLOCK_SECONDS, first=_FIRST_BLOCK, most=_LARGEST_BLOCK)):
        if (cancel is not None and cancel.is_set()) or (played and until is not None and monotonic() >= until):
            break
        states = [seen.sample(rng) for _ in part]
        if player is None:
            game = game_of(states[0])
            player = usual_policy(game) if policy is None else policy_of(game, policy)
        names = [f"sample {place}" for place in part]
        wins += run_policy(Deals(game, states=states, names=names), player, threads=threads).wins
        played = part.stop
        if progress is not None:
            progress(wins, played)
    name = "the policy" if player is None else player.name
    return Estimate(wins, played, name, unknown)
