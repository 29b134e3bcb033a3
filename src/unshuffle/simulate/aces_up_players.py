"""Aces Up's players who weigh what they see: one plays every option on in its mind, the other values positions."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import Any

from unshuffle.advise.aces_up.estimate import BASE, BONUS, PlayOn, best, by_list, by_weights, estimate, options_of
from unshuffle.deals import SplitMix64
from unshuffle.errors import UsageError, quote
from unshuffle.game import AnyGame
from unshuffle.games.aces_up.features import Weights, read_weights, shipped
from unshuffle.games.aces_up.strategy import RuleList, check_fills, parse_list
from unshuffle.simulate.playing import Luck, Player
from unshuffle.simulate.policy import Make, Policy, read_options

_SAMPLES = 60
_MOST_SAMPLES = 1_000_000
_MOST_BONUS = 1_000_000
_WEIGHTS = "weights"
_DIGEST = re.compile(r"(?P<path>.+)#(?P<digest>[0-9a-f]{8})", re.DOTALL)


class Rollout(Policy):
    """For each option K orders of the stock are played to the end by a rule list, and the best option is played."""

    engine_policy = "rollout"
    draws_lots = True

    def __init__(
        self, samples: int = _SAMPLES, bonus: int = BONUS, base: RuleList | Weights = BASE, seed: int = 0
    ) -> None:
        self.samples = samples
        self.bonus = bonus
        self.base = base
        self.seed = seed
        played_by = base.text if isinstance(base, RuleList) else _WEIGHTS
        parts = [f"rollout:{samples}"]
        parts += [f"bonus={bonus}"] * (bonus != BONUS)
        parts += [f"base={played_by}"] * (base != BASE)
        self.name = ";".join([*parts, *[f"seed={seed}"] * (seed != 0)])
        if self.engine_policy is not None:  # a player of another kind has none
            self.engine_policy = f"rollout:{samples};bonus={bonus};base={played_by}"

    def check(self, game: AnyGame) -> None:
        """What plays on must be able to play on."""
        if isinstance(self.base, RuleList):
            check_fills(game, self.base)

    def packed_values(self, rules: Any) -> bytes | None:
        """The weights that play on; a rule list needs none."""
        return self.base.packed if isinstance(self.base, Weights) else None

    def player(self, luck: Luck) -> Player:
        """A player with a stream of its own for every decision, so that no decision hangs on how many came before."""
        play_on: PlayOn = by_list(self.base) if isinstance(self.base, RuleList) else by_weights(self.base)

        def choose(view: Any, moves: tuple[Any, ...]) -> Any:
            options = options_of(view, moves)
            if len(options) < 2:
                return options[0] if options else None
            tallies = estimate(view, options, self.samples, SplitMix64(luck.next()), play_on)
            return best(tallies, self.bonus).move

        return choose


class Weighted(Policy):
    """Each option is valued by a linear function of the position that it leads to; the greatest value is played."""

    engine_policy = _WEIGHTS

    def __init__(self, weights: Weights | None = None, name: str = _WEIGHTS) -> None:
        self.weights = weights or shipped()
        self.name = name

    def packed_values(self, rules: Any) -> bytes:
        """The weights."""
        return self.weights.packed

    def player(self, luck: Luck) -> Player:
        """A player who needs no chance."""

        def choose(view: Any, moves: tuple[Any, ...]) -> Any:
            options = options_of(view, moves)
            # Which order the stock is laid in plays no part: only its size is looked at.
            return self.weights.best(view.laid(view.unseen), options) if options else None

        return choose


def make_rollout(game: AnyGame, text: str) -> Policy:
    """`K`, then `bonus=B`, `base=LIST` or `base=weights`, and `seed=S`, each of which may be left out."""
    parts = [part.strip() for part in text.split(";")]
    count = parts.pop(0) if "=" not in parts[0] else ""
    is_number = count.isascii() and count.isdecimal() and len(count) < 10 and 1 <= int(count) <= _MOST_SAMPLES
    if count and not is_number:
        raise UsageError(
            f"{quote(count)} in the policy 'rollout': expected the number of samples, 1..{_MOST_SAMPLES:,},"
            " such as rollout:60"
        )
    bases = [part.removeprefix("base=").strip() for part in parts if part.startswith("base=")]
    if len(bases) > 1:
        raise UsageError("the policy 'rollout' has one base, and more are given")
    numbers = [part for part in parts if not part.startswith("base=")]
    options = read_options("rollout", ";".join(numbers), bonus=BONUS, seed=0)
    if options["bonus"] > _MOST_BONUS:
        raise UsageError(f"bonus={options['bonus']} in the policy 'rollout': expected 0..{_MOST_BONUS:,}")
    return Rollout(int(count or _SAMPLES), options["bonus"], _base(bases[0]) if bases else BASE, options["seed"])


def _base(text: str) -> RuleList | Weights:
    return shipped() if text == _WEIGHTS else parse_list(text)


def make_weights(game: AnyGame, text: str) -> Policy:
    """The weights of a file, or the shipped ones. The name that is made of it tells the file as it is now."""
    text = text.strip()
    if not text:
        return Weighted()
    marked = _DIGEST.fullmatch(text)
    path = Path(marked["path"] if marked else text)
    weights = read_weights(path)
    digest = sha256(weights.packed).hexdigest()[:8]
    if marked and marked["digest"] != digest:
        raise UsageError(f"the weights in {quote(str(path))} are not those of {quote(text)}: their mark is #{digest}")
    # Results are kept by the policy's name, and a file can change.
    return Weighted(weights, f"{_WEIGHTS}:{path}#{digest}")


PLAYERS: dict[str, Make] = {"rollout": make_rollout, _WEIGHTS: make_weights}
