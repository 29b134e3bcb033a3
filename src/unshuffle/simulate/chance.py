"""The chance to win a position in which something is unknown: a policy plays samples of what it may be."""

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
"""How many games an estimate plays, if nothing is said."""
_FIRST_BLOCK, _LARGEST_BLOCK = 4, 1 << 18
_BLOCK_SECONDS = 0.2
"""Between two looks at the clock about so much is played."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """How often a policy won games in which chance dealt what is unknown."""

    wins: int
    samples: int
    """Games played; 0 if it was cancelled before the first ones were over."""
    policy: str
    unknown: str
    """What is unknown, in words."""
    information: str = "hidden"
    """What the policy sees in each game: what a player sees."""

    @property
    def chance(self) -> float | None:
        """The share of the games that were won; None without games."""
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
    """Return the policy that estimates chances of this game if none is named."""
    try:
        return policy_of(game, game.has.usual)
    except UsageError:  # it cannot play by these rules
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

    What is unknown (hidden cards, the order of redeals) is dealt by chance `samples` times, every way being equally
    likely, and the policy plays each game to its end. It sees what a player sees. So this is the chance of that policy,
    and no more than a lower bound of what the best player wins. `view` is a view, or a state, of which only its view is
    used. The same `seed` deals the same samples. `seconds` may end the estimate before all are played; `progress` is
    called with the games won and played, and `cancel` ends it when it is set.
    """
    check_samples(samples)
    Limits(seconds=seconds)  # which refuses what is not a time
    seen = view.view() if hasattr(view, "view") else view
    unknown = unknown_in(seen)
    if not unknown:
        raise UsageError("nothing is unknown here, so no chance plays a part: `solve` decides whether it can be won")
    game: Any = None
    until = None if seconds is None else monotonic() + seconds
    # By its own stream: what it deals must not hang on what the policy throws.
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
