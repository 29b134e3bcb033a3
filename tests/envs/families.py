"""The environments of whole moves, game by game, and how the tests of the contract make them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.vector import AutoresetMode

import unshuffle as un
import unshuffle.envs  # it registers the environments
from tests.laws import CHOSEN, IS_LONG
from unshuffle import _engine
from unshuffle.envs.single import MoveEnv
from unshuffle.envs.stepped import Stepped
from unshuffle.envs.tables import PythonTables, Tables, Terms
from unshuffle.envs.vector import Arrays
from unshuffle.rulebook import write_rules

COUNT = 4


@dataclass(frozen=True)
class Family:
    """The environments of one game that are looked at."""

    id: str
    game: str
    limit: int
    variants: list[dict[str, Any]] = field(default_factory=list)
    """Arguments, the usual ones first."""
    wrong: dict[str, Any] = field(default_factory=dict)
    """Arguments that are refused, each by name."""
    acts_on_all: bool = True
    """Every legal move has an action; in Spider those that another pair of actions makes have none."""
    base: dict[str, Any] = field(default_factory=dict)
    """What the default environment is told in any case: the game."""

    def __str__(self) -> str:
        return f"patience-{self.game}" if self.base else self.game

    @property
    def each(self) -> list[dict[str, Any]]:
        """All arguments, the usual ones first."""
        return [self.base | arguments for arguments in self.variants]


def default(game: str, variants: list[dict[str, Any]], wrong: dict[str, Any]) -> Family:
    """The default environment of a game."""
    return Family(unshuffle.envs.DEFAULT, game, 1000, variants, wrong, base={"game": game})


FAMILY = [
    Family(
        "unshuffle/Spider-v0",
        "spider",
        500,
        [{}, {"num_suits": 1}, {"num_suits": 2, "deal_on_empty": False}],
        {"num_suits": 3, "deal_on_empty": "no"},
        acts_on_all=False,
    ),
    Family(
        "unshuffle/AcesUp-v0",
        "aces-up",
        200,
        [
            *({"variant": slug} for slug in un.game("aces-up").variants),
            {"piles": 5, "reserve": 1, "discards": "optional", "destination": "any", "singletons": True},
            {"deal": "spaces", "fill": "must", "reserve": 1},
        ],
        {"piles": 6, "fill": "never"},
    ),
    Family(
        "unshuffle/Agnes-v0",
        "agnes",
        500,
        [{"variant": slug} for slug in un.game("agnes").variants],
        {"face_up": "perhaps", "move_to_empty_pile": "kings"},
    ),
    Family(
        "unshuffle/BelleLucie-v0",
        "belle-lucie",
        500,
        [
            *({"variant": slug} for slug in un.game("belle-lucie").variants),
            {"merci": "anywhere", "merci_count": 9, "merci_deals": "any", "redeals": 1},
            {"fan_size": 1, "redeals": 1, "may_hold_back": False, "merci": "front"},
            {"build": "any", "build_up": True, "kings_to_spaces": True, "max_cards": 6, "fan_size": 6},
            {"merci": "second", "merci_count": 9, "build_up": True, "redeals": 2, "merci_deals": "any"},
        ],
        {"merci": "sometimes", "fan_size": 14},
    ),
    Family(
        "unshuffle/Gaps-v0",
        "gaps",
        1000,
        [
            *({"variant": slug} for slug in un.game("gaps").variants),
            {"redeals": 5, "redeal_gaps": "after-run", "early_redeal": True, "fixed_suits": "DSHC"},
        ],
        {"redeals": 100, "redeal_gaps": "here"},
    ),
]
"""Games with an environment of their own."""
DEFAULTS = [
    default("ladder", [{}, {"variant": "open", "piles": 5}], {"piles": "some"}),
    default("agnes", [{}, {"variant": "up-suit-anyrun"}], {"face_up": "perhaps"}),
    default("gaps", [{"variant": "one-deal"}, {"variant": "addiction"}], {"redeals": 100}),
]
"""Some in the default environment."""

SHORT: dict[str, tuple[str, ...]] = {
    "aces-up": ("standard", "last-empty", "aces-only"),
    "agnes": CHOSEN["agnes"],
    "belle-lucie": ("one-deal", "merci", "trefoil", "fan-18"),
    "gaps": ("addiction", "one-deal", "spaces"),
}
"""The variants of the short run. With the changed rules above they have every value of every rule."""
FORMS: list[dict[str, Any]] = [
    {},
    {"obs": "flat", "reward": "shaped", "gamma": 0.9, "on_invalid": "terminate"},
    {"mask_in_obs": True, "reward": "win"},
    {"obs": "flat", "mask_in_obs": True},
]
TERMS = [("delta", "noop"), ("shaped", "terminate"), ("win", "noop")]
"""Rewards, each with what an illegal action does."""

Pair = tuple[Family, dict[str, Any]]
"""A game with the arguments that name its rules."""


def rule_sets(families: list[Family]) -> list[Pair]:
    """Return the games with their rules: all in the long run, some in the short run."""
    return [
        (family, arguments)
        for family in families
        for arguments in family.each
        if IS_LONG or str(family) not in SHORT or arguments.get("variant") in (None, *SHORT[str(family)])
    ]


def turns(pairs: list[Pair], values: list[Any], times: int = 1) -> list[tuple[Any, ...]]:
    """Return the pairs with all values; in the short run each with as many values as `times`, which take turns."""
    taken = len(values) if IS_LONG else times
    return [(*pair, values[(place + turn) % len(values)]) for place, pair in enumerate(pairs) for turn in range(taken)]


def told_apart(*values: Any) -> Any:
    """Return the parameters of a test. Without the engine only the last rule set of each game is played."""
    family, arguments, *_ = values
    marks = () if arguments == family.each[-1] else pytest.mark.one_engine("one rule set of each game is enough")
    return pytest.param(*values, marks=marks, id="-".join(map(str, values)))


SOME = [(family, arguments) for family in FAMILY for arguments in (family.each[0], family.each[-1])]
SOME += [(family, family.each[-1]) for family in DEFAULTS]

each_game = pytest.mark.parametrize("family", FAMILY + DEFAULTS, ids=str)
each_variant = pytest.mark.parametrize(
    ("family", "arguments"), [told_apart(*pair) for pair in rule_sets(FAMILY + DEFAULTS)]
)
each_twin = pytest.mark.parametrize(("family", "arguments", "terms"), turns(rule_sets(FAMILY), TERMS), ids=str)
some_variants = pytest.mark.parametrize(("family", "arguments"), SOME, ids=str)
each_form = pytest.mark.parametrize(
    ("family", "arguments", "form", "mode"),
    [
        told_apart(family, arguments, form, mode)
        for place, mode in enumerate(AutoresetMode)
        for family, arguments, form in turns(SOME, FORMS[place:] + FORMS[:place])
    ],
)
"""In the short run every rule set meets every mode, and every mode meets every form."""


def make(family: Family, **arguments: Any) -> MoveEnv:
    env = gym.make(family.id, **family.base | arguments).unwrapped
    assert isinstance(env, MoveEnv)
    return env


def steps_of(family: Family, arguments: dict[str, Any]) -> Stepped[Any, Any]:
    return make(family, **arguments)._stepped


def twins(family: Family, arguments: dict[str, Any], **terms: Any) -> tuple[Stepped[Any, Any], list[Tables]]:
    stepped = steps_of(family, arguments)
    python = PythonTables(stepped, Terms(count=COUNT, **terms))
    if not stepped.is_native:
        return stepped, [python]
    native: Tables = _engine.Tables(family.game, write_rules(stepped.game.rules), count=COUNT, **terms)
    return stepped, [native, python]


def told(stepped: Stepped[Any, Any], tables: Tables, places: list[int] | None = None) -> dict[str, Any]:
    arrays = Arrays(COUNT if places is None else len(places), stepped)
    arrays.fill(tables, places)
    return vars(arrays)
