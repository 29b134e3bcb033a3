"""Policies: the base class, names and options, the registry, and the policies `random` and `greedy`."""

from __future__ import annotations

import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from unshuffle.deals import LAST_SEED
from unshuffle.errors import UsageError, quote, unknown
from unshuffle.game import AnyGame
from unshuffle.hidden.native import can_play, play_lines
from unshuffle.hidden.playing import Deals, Luck, Played, Player, play_game
from unshuffle.hidden.playing_on import Memory, by_score
from unshuffle.numbers import read_whole
from unshuffle.registry import loaded_files, note_registration
from unshuffle.solve import Line, has_twin
from unshuffle.views import unknown_in

HIDDEN = "hidden"


class Counted(NamedTuple):
    """The table headings for what a policy counts by numbers."""

    number: str = "rule"
    words: str = "what it moves"
    each: str = "moves by each rule"
    is_moves: bool = True
    """Whether moves are counted, so that a single game has counts too."""


class Policy(ABC):
    """A policy. It sees what a player sees, and the legal moves: never a state, so no hidden card.

    To write your own, subclass it with a `name` and a `player`; `un.simulate(game, policy=Mine())` plays it.
    """

    name: str
    """Its canonical text, which `policy_of` reads: 'random:seed=3'."""
    information: ClassVar[str] = HIDDEN
    """The information that its results rest on: only what a person sees."""
    seed: int = 0
    """Selects the random stream, so that the policy with another seed plays differently."""
    engine_policy: str | None = None
    """The name of the engine's policy that plays the same games move for move; None if the engine has none."""
    draws_lots: bool = False
    """Whether the engine's policy needs the random stream of each game."""
    keeps_lines: ClassVar[bool] = False
    """Whether a mass run stores its lines: for policies whose thinking costs far more than storage, and may not be
    repeatable."""
    counted: ClassVar[Counted] = Counted()
    """What `rule_counts` counts."""
    ends_by_itself: ClassVar[bool] = False
    """Whether its games always end, so that MOST_MOVES does not apply."""
    uses_clock: bool = False
    """Whether a clock limits its thinking, so that it plays differently on another machine."""
    plays_on: ClassVar[bool] = False
    """Whether it plays on after a win while legal moves are left."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # A subclass with its own `player` plays otherwise than the engine's policy.
        if "player" in cls.__dict__ and "engine_policy" not in cls.__dict__:
            cls.engine_policy = None

    def __repr__(self) -> str:
        return f"<policy {self.name}>"

    def engine(self, game: AnyGame) -> str:
        """Return which side plays it: 'native' or 'python'."""
        return "native" if self.engine_policy is not None and has_twin(game) else "python"

    def packed_values(self, rules: Any) -> bytes | None:
        """Return the packed values that the engine plays by; None if it needs none."""
        return None

    def check(self, game: AnyGame) -> None:
        """Raise UsageError if the policy cannot play this game."""
        return

    @abstractmethod
    def player(self, luck: Luck) -> Player:
        """Return a player for one game. It may remember what it has seen; `luck` is its only source of randomness."""

    def remark(self, state: Any, move: Any) -> str:
        """Return why it makes this move on this table, in a few words, for a game that is shown move by move."""
        return ""

    @property
    def rule_words(self) -> Mapping[int, str]:
        """Its numbered rules, in the order in which they are tried, each with a description.

        A policy may number something other than rules: `counted` says what.
        """
        return {}

    def rule_counts(self, line: Line) -> Mapping[int, int]:
        """Return how often each of its numbered rules moved in one of its lines; empty if it has no such rules."""
        return {}

    def plays_natively(self, deals: Deals) -> bool:
        """Return whether the engine plays these deals for it."""
        return self.engine_policy is not None and can_play(deals)

    def play_many(self, deals: Deals, *, threads: int | None) -> Generator[Played, None, None]:
        """Yield the game of every deal, in order. The engine plays it where it can, with the same result."""
        if self.plays_natively(deals):
            yield from play_lines(deals, range(len(deals)), self, threads)
            return
        for place in range(len(deals)):
            yield play_game(self, deals.state(place), deals.luck(place, self.seed))


class Random(Policy):
    """A policy that draws each legal move with equal probability until none is left."""

    engine_policy = "random"
    draws_lots = True

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.name = "random" if seed == 0 else f"random:seed={seed}"

    def player(self, luck: Luck) -> Player:
        """Return a player that draws its moves."""
        return lambda view, moves: moves[luck.below(len(moves))]


class Greedy(Policy):
    """A policy that looks one move ahead: the greatest score, then the first in move order; until no move is left.

    Where the score after a move depends on hidden cards, the player samples one state consistent with the view. It
    returns to no table that it has seen in this game.
    """

    name = "greedy"

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def player(self, luck: Luck) -> Player:
        """Return a player that looks one move ahead and remembers the tables of its game."""
        memory = Memory(self.game)

        def choose(view: Any, moves: tuple[Any, ...]) -> Any:
            if len(moves) > 1:
                moves = tuple(by_score(view, moves, luck))
            return next(memory.onward(view, moves), None)

        return choose


Make = Callable[[AnyGame, str], Policy]
"""Makes the policy for a game from the text behind the colon."""


def read_options(policy: str, text: str, **defaults: int) -> dict[str, int]:
    """Return the options behind a policy's colon, `key=number` separated by `;`, over their defaults."""
    options = dict(defaults)
    for option in filter(None, (each.strip() for each in text.split(";"))):
        name, equals, value = (word.strip() for word in option.partition("="))
        if not defaults:
            raise UsageError(f"the policy {policy!r} takes no options, but {quote(option)} is given")
        if name not in defaults:
            raise unknown(f"option of the policy {policy!r}:", name, defaults)
        number = read_whole(value, LAST_SEED)
        if not equals or number is None:
            raise UsageError(f"{quote(option)} in the policy {policy!r}: expected {name}= and a number 0..{LAST_SEED}")
        options[name] = number
    return options


def read_counted(policy: str, text: str, what: str, default: int, most: int, least: int = 1) -> tuple[int, str]:
    """Return the number in front, which may be left out, and the text of the options behind it."""
    first, *rest = text.split(";")
    count = first.strip()
    if "=" in count:
        count, rest = "", [first, *rest]
    number = read_whole(count, most, least) if count else default
    if number is None:
        raise UsageError(
            f"{quote(count)} in the policy {policy!r}: expected {what}, {least}..{most:,}, such as {policy}:{default}"
        )
    return number, ";".join(rest)


def without_options(policy: type[Policy]) -> Make:
    """Return a function that makes a policy without options."""

    def make(game: AnyGame, text: str) -> Policy:
        read_options(policy.name, text)
        return policy()

    return make


def _make_random(game: AnyGame, text: str) -> Policy:
    return Random(**read_options("random", text, seed=0))


def _make_greedy(game: AnyGame, text: str) -> Policy:
    read_options("greedy", text)
    return Greedy(game)


def _make_rollout(game: AnyGame, text: str) -> Policy:
    from unshuffle.hidden.rollout import make_rollout  # imported here: it imports this module

    return make_rollout(game, text)


def _make_guess(game: AnyGame, text: str) -> Policy:
    from unshuffle.hidden.rollout import make_guess

    return make_guess(game, text)


# Policies of every game under None; a game's own policies, which take precedence, under its id.
_registered: dict[str | None, dict[str, Make]] = {
    None: {"random": _make_random, "greedy": _make_greedy, "rollout": _make_rollout, "guess": _make_guess}
}


_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def register_policy(name: str, make: Make, game: str | None = None) -> None:
    """Register a policy under its name: for one game, or for all of them."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"{quote(name)} is no name of a policy; expected up to 64 letters, digits, '-', '_' and '.'")
    present = _registered.setdefault(game, {}).get(name)
    # Two files with the same name: results would be those of the last one loaded, whichever was meant.
    if present is not None and _origin(present) != _origin(make):
        raise UsageError(f"the policy {name!r} belongs to {present.__module__} already; take another name")
    _registered[game][name] = make
    note_registration()


def _origin(make: Make) -> str:
    """Return the file that defines it. A file that is both loaded and imported is two modules, but one file."""
    file = getattr(sys.modules.get(make.__module__), "__file__", None)
    return make.__module__ if file is None else str(Path(file).resolve())


def _own(game: AnyGame) -> dict[str, Make]:
    own: dict[str, Make] = game.own("policies") or {}
    return own | _registered.get(game.id, {})


def _split(policy: str) -> tuple[str, str]:
    """Return the name of a policy and the text of its options."""
    # A `;` may follow the name directly: `rollout;bonus=20` is `rollout:bonus=20`.
    said = str(policy).strip()
    name = re.split("[:;]", said, maxsplit=1)[0]
    return name, said[len(name) + 1 :]


def policies(game: AnyGame) -> tuple[str, ...]:
    """Return the names of the policies of this game."""
    known = _registered[None] | _own(game)
    return tuple(name for name, make in known.items() if make is not _make_guess or hides(game))


def policy_file(game: str, policy: str) -> str:
    """Return the loaded file (`--load`) that defines the policy named in a text; '' if none does."""
    make = (_registered[None] | _registered.get(game, {})).get(_split(policy)[0])
    file = "" if make is None else _origin(make)
    return file if Path(file) in loaded_files() else ""


def hides(game: AnyGame) -> bool:
    """Return whether a deal has something that the player does not know: hidden cards, or what a redeal brings."""
    return unknown_in(game.deal(0).view()) != ""


def policy_of(game: AnyGame, policy: str | Policy) -> Policy:
    """Return the policy that a text names ('greedy', 'random:seed=3'); a policy object is checked and returned."""
    if isinstance(policy, Policy):
        policy.check(game)
        return policy
    name, text = _split(policy)
    makes = _registered[None] | _own(game)
    if name not in makes:
        raise unknown(f"policy of {game.id}", name, policies(game))
    made = makes[name](game, text)
    made.check(game)
    return made
