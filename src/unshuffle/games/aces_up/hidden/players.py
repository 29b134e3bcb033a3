"""Aces Up's policies that value options: by playouts, by the value of positions, or by both."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from unshuffle.deals import SplitMix64, shuffles
from unshuffle.errors import UsageError, quote
from unshuffle.game import AnyGame
from unshuffle.games.aces_up.hidden.estimate import BASE, BONUS, PlayOn, best, by_list, by_weights, estimate, options_of
from unshuffle.games.aces_up.hidden.features import Weights, read_weights, shipped
from unshuffle.games.aces_up.hidden.reach import Reached, after_deal, before_deal, check_fits, count_last_wins, reach
from unshuffle.games.aces_up.hidden.values import Values, read_values
from unshuffle.games.aces_up.hidden.values import shipped as shipped_values
from unshuffle.games.aces_up.moves import Deal, Move
from unshuffle.games.aces_up.strategy import RuleList, check_fills, parse_list
from unshuffle.games.aces_up.view import View
from unshuffle.hidden.playing import Luck, Player
from unshuffle.hidden.policy import Make, Policy, read_counted, read_options

_SAMPLES = 60
_MOST_SAMPLES = 1_000_000
_MOST_BONUS = 1_000_000
_WEIGHTS = "weights"
_PLANNER = "planner"
_CLOSER = 5
"""The number of tables that the planner examines by sampling."""
_DIGEST = re.compile(r"(?P<path>.+)#(?P<digest>[0-9a-f]{8})", re.DOTALL)
_Read = TypeVar("_Read", Weights, Values)


class Rollout(Policy):
    """A policy that plays each option out by a rule list in K sampled orders of the stock, and takes the best."""

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
        if self.engine_policy is not None:  # a subclass with its own player has none
            self.engine_policy = f"rollout:{samples};bonus={bonus};base={played_by}"

    def check(self, game: AnyGame) -> None:
        """Raise UsageError if the base list cannot play this game to its end."""
        if isinstance(self.base, RuleList):
            check_fills(game, self.base)

    def packed_values(self, rules: Any) -> bytes | None:
        """Return the weights that play games out; None for a rule list."""
        return self.base.packed if isinstance(self.base, Weights) else None

    def player(self, luck: Luck) -> Player:
        """Return a player with a random stream per decision, so that none depends on the number of earlier ones."""
        play_on: PlayOn = by_list(self.base) if isinstance(self.base, RuleList) else by_weights(self.base)

        def choose(view: Any, moves: tuple[Any, ...]) -> Any:
            options = options_of(view, moves)
            if len(options) < 2:
                return options[0] if options else None
            tallies = estimate(view, options, self.samples, SplitMix64(luck.next()), play_on)
            return best(tallies, self.bonus).move

        return choose


class Weighted(Policy):
    """A policy that values each option by a linear function of the position after it, and takes the greatest value."""

    engine_policy = _WEIGHTS

    def __init__(self, weights: Weights | None = None, name: str = _WEIGHTS) -> None:
        self.weights = weights or shipped()
        self.name = name

    def packed_values(self, rules: Any) -> bytes:
        """Return the packed weights."""
        return self.weights.packed

    def player(self, luck: Luck) -> Player:
        """Return a player that needs no chance."""

        def choose(view: Any, moves: tuple[Any, ...]) -> Any:
            options = options_of(view, moves)
            # The order of the stock does not matter: only its size is read.
            return self.weights.best(view.laid(view.unseen), options) if options else None

        return choose


class Planner(Policy):
    """A policy that picks, of the tables reachable before the next deal, the one most likely to win.

    With one deal left it counts the wins over all its orders. Before that it samples K next deals for the tables of the
    greatest value, and takes the mean value of the best table after each.
    """

    engine_policy = _PLANNER
    draws_lots = True

    def __init__(self, samples: int = _SAMPLES, values: Values | None = None, file: str = "", seed: int = 0) -> None:
        self.samples = samples
        self.values = values or shipped_values()
        self.seed = seed
        parts = [f"{_PLANNER}:{samples}", *[f"values={file}"] * bool(file), *[f"seed={seed}"] * (seed != 0)]
        self.name = ";".join(parts)
        if self.engine_policy is not None:  # a subclass with its own player has none
            self.engine_policy = f"{_PLANNER}:{samples}"

    def check(self, game: AnyGame) -> None:
        """Raise UsageError for rules that cannot be planned for."""
        check_fits(game.rules)

    def packed_values(self, rules: Any) -> bytes:
        """Return the packed values of tables."""
        return self.values.packed

    def player(self, luck: Luck) -> Player:
        """Return a player that plans up to the next deal, and follows the plan."""
        plan: list[Move] = []

        def choose(view: Any, moves: tuple[Any, ...]) -> Any:
            if not plan:
                plan.extend(self.plan(view, luck))
            return plan.pop(0) if plan else None

        return choose

    def plan(self, view: View, luck: Luck) -> tuple[Move, ...]:
        """Return the moves up to the next deal and the deal, or up to the end."""
        if not view.stock:
            fewest = min(reach(view.piles, view.rules), key=lambda table: sum(map(len, table.piles)))
            return fewest.path
        return (*self._best(view, before_deal(view.piles, view.rules), luck).path, Deal())

    def _best(self, view: View, tables: list[Reached], luck: Luck) -> Reached:
        if len(tables) == 1:
            return tables[0]
        unseen, rules = view.unseen, view.rules
        deals = len(unseen) // len(view.piles)
        worth = {table: self.values.of(table.piles, deals, unseen) for table in tables}
        if deals == 1:
            return max(tables, key=lambda table: (count_last_wins(table.piles, unseen, rules), worth[table]))
        tables = sorted(tables, key=lambda table: -worth[table])[:_CLOSER]
        if not self.samples:
            return tables[0]
        sums = dict.fromkeys(tables, 0.0)
        orders = shuffles(len(unseen), luck.next())
        for order in islice(orders, self.samples):
            cards = [unseen[place] for place in order]
            dealt, left = cards[: len(view.piles)], cards[len(view.piles) :]
            for table in tables:
                after = before_deal(after_deal(table.piles, dealt), rules)
                sums[table] += self.values.chance(max(self.values.of(each.piles, deals - 1, left) for each in after))
        return max(tables, key=lambda table: sums[table])


def make_rollout(game: AnyGame, text: str) -> Policy:
    """Make the policy of `K`, then `bonus=B`, `base=LIST` or `base=weights`, and `seed=S`; each may be left out."""
    samples, rest = read_counted("rollout", text, "the number of samples", _SAMPLES, _MOST_SAMPLES)
    parts = [part.strip() for part in rest.split(";")]
    bases = [part.removeprefix("base=").strip() for part in parts if part.startswith("base=")]
    if len(bases) > 1:
        raise UsageError("the policy 'rollout' has one base, and more are given")
    numbers = [part for part in parts if not part.startswith("base=")]
    options = read_options("rollout", ";".join(numbers), bonus=BONUS, seed=0)
    if options["bonus"] > _MOST_BONUS:
        raise UsageError(f"bonus={options['bonus']} in the policy 'rollout': expected 0..{_MOST_BONUS:,}")
    return Rollout(samples, options["bonus"], _base(bases[0]) if bases else BASE, options["seed"])


def _base(text: str) -> RuleList | Weights:
    return shipped() if text == _WEIGHTS else parse_list(text)


def make_weights(game: AnyGame, text: str) -> Policy:
    """Make the policy with the weights of a file, or the shipped ones. Its name marks the file's present contents."""
    text = text.strip()
    if not text:
        return Weighted()
    weights, name = _read_marked("weights", text, read_weights)
    return Weighted(weights, f"{_WEIGHTS}:{name}")


def make_planner(game: AnyGame, text: str) -> Policy:
    """Make the policy of `K`, then `values=FILE` and `seed=S`; each may be left out."""
    samples, rest = read_counted(_PLANNER, text, "the number of samples", _SAMPLES, _MOST_SAMPLES, least=0)
    parts = [part.strip() for part in rest.split(";")]
    files = [part.removeprefix("values=").strip() for part in parts if part.startswith("values=")]
    if len(files) > 1:
        raise UsageError(f"the policy {_PLANNER!r} has one file of values, and more are given")
    others = [part for part in parts if not part.startswith("values=")]
    seed = read_options(_PLANNER, ";".join(others), seed=0)["seed"]
    if not files:
        return Planner(samples, seed=seed)
    values, name = _read_marked("values", files[0], read_values)
    return Planner(samples, values, name, seed)


def _read_marked(what: str, text: str, read: Callable[[Path], _Read]) -> tuple[_Read, str]:
    """Return what a file holds, and the file's name with a mark of its present contents."""
    marked = _DIGEST.fullmatch(text)
    path = Path(marked["path"] if marked else text)
    found = read(path)
    # Results are stored under the policy's name, and a file can change.
    digest = sha256(found.packed).hexdigest()[:8]
    if marked and marked["digest"] != digest:
        raise UsageError(f"the {what} in {quote(str(path))} are not those of {quote(text)}: their mark is #{digest}")
    return found, f"{path}#{digest}"


PLAYERS: dict[str, Make] = {"rollout": make_rollout, _WEIGHTS: make_weights, _PLANNER: make_planner}
