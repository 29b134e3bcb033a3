"""Ways of playing: what a policy is, how it is named, where it is found, and two of those that every game has."""

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
    """What a policy counts by numbers, as tables are headed."""

    number: str = "rule"
    words: str = "what it moves"
    each: str = "moves by each rule"
    is_moves: bool = True
    """Whether moves are counted, so that a single game has something to count."""


class Policy(ABC):
    """A way of playing. It sees what a player sees, and the legal moves: never a state, so no hidden card.

    One of your own is a subclass with a `name` and a `player`; `un.simulate(game, policy=Mine())` plays it.
    """

    name: str
    """Its canonical text, which `policy_of` reads: 'random:seed=3'."""
    information: ClassVar[str] = HIDDEN
    """What its figures rest on: a policy has only what a person sees."""
    seed: int = 0
    """Tells its random stream from that of the same policy with another seed."""
    engine_policy: str | None = None
    """The name by which the engine plays it, game for game as the player does; None: it has no such policy."""
    draws_lots: bool = False
    """Whether the engine needs the random stream of each game for it."""
    keeps_lines: ClassVar[bool] = False
    """Whether a mass run keeps its lines: where thought costs far more than they do, and may not come to the same."""
    counted: ClassVar[Counted] = Counted()
    """What its numbers count."""
    ends_by_itself: ClassVar[bool] = False
    """Whether it plays no game for ever, so that none need be ended for it after so many moves."""
    uses_clock: bool = False
    """Whether a clock ends its thought, so that it plays otherwise on another machine."""
    plays_on: ClassVar[bool] = False
    """Whether it goes on after a win, where the rules still leave it moves to make."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # Who plays in another way is not the one that the engine knows.
        if "player" in cls.__dict__ and "engine_policy" not in cls.__dict__:
            cls.engine_policy = None

    def __repr__(self) -> str:
        return f"<policy {self.name}>"

    def engine(self, game: AnyGame) -> str:
        """Which side plays it: 'native' or 'python'."""
        return "native" if self.engine_policy is not None and has_twin(game) else "python"

    def packed_values(self, rules: Any) -> bytes | None:
        """The values that the engine plays by; None if it needs none."""
        return None

    def check(self, game: AnyGame) -> None:
        """Refuse a game that it cannot play, with the reason."""
        return

    @abstractmethod
    def player(self, luck: Luck) -> Player:
        """Sit down to one game; the player may remember what it has seen in it. `luck` is its only source of chance."""

    def remark(self, state: Any, move: Any) -> str:
        """Why it makes this move on this table, in a few words, for a game that is shown move by move."""
        return ""

    @property
    def rule_words(self) -> Mapping[int, str]:
        """Its numbered rules, in the order in which they are tried, with what each of them does.

        A policy may count something else by numbers: `counted` says what.
        """
        return {}

    def rule_counts(self, line: Line) -> Mapping[int, int]:
        """How often each of its numbered rules moved in a line of its own; a policy without such rules has none."""
        return {}

    def plays_natively(self, deals: Deals) -> bool:
        """Whether the engine plays these deals for it."""
        return self.engine_policy is not None and can_play(deals)

    def play_many(self, deals: Deals, *, threads: int | None) -> Generator[Played, None, None]:
        """Play every deal, in order, and tell each line; the engine does it where it can, with the same games."""
        if self.plays_natively(deals):
            yield from play_lines(deals, range(len(deals)), self, threads)
            return
        for place in range(len(deals)):
            yield play_game(self, deals.state(place), deals.luck(place, self.seed))


class Random(Policy):
    """Every legal move is as likely as every other, until none is left."""

    engine_policy = "random"
    draws_lots = True

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.name = "random" if seed == 0 else f"random:seed={seed}"

    def player(self, luck: Luck) -> Player:
        """A player who throws a die."""
        return lambda view, moves: moves[luck.below(len(moves))]


class Greedy(Policy):
    """One move ahead: the greatest score after it, the first in move order among equals; until no move is left.

    Where the score after a move hangs on hidden cards, the player guesses them: one draw of all that fit the view. It
    comes back to no table that it has seen in this game.
    """

    name = "greedy"

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def player(self, luck: Luck) -> Player:
        """A player who looks one move ahead, and remembers the tables of this game."""
        memory = Memory(self.game)

        def choose(view: Any, moves: tuple[Any, ...]) -> Any:
            if len(moves) > 1:
                moves = tuple(by_score(view, moves, luck))
            return next(memory.onward(view, moves), None)

        return choose


Make = Callable[[AnyGame, str], Policy]
"""Makes the policy for a game; the text is what stands behind the colon."""


def read_options(policy: str, text: str, **defaults: int) -> dict[str, int]:
    """The options behind a policy's colon, `key=number` separated by `;`, over their defaults."""
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
    """The number in front, which may be left out, and the text of the options behind it."""
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
    """What makes a policy of which nothing can be chosen."""

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
    from unshuffle.hidden.rollout import make_rollout  # these two are policies themselves

    return make_rollout(game, text)


def _make_guess(game: AnyGame, text: str) -> Policy:
    from unshuffle.hidden.rollout import make_guess

    return make_guess(game, text)


# For every game, under None; a game's own policies, which go before these, under its id.
_registered: dict[str | None, dict[str, Make]] = {
    None: {"random": _make_random, "greedy": _make_greedy, "rollout": _make_rollout, "guess": _make_guess}
}


_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def register_policy(name: str, make: Make, game: str | None = None) -> None:
    """Make a policy known by its name: for one game, or for all of them."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"{quote(name)} is no name of a policy; expected up to 64 letters, digits, '-', '_' and '.'")
    present = _registered.setdefault(game, {}).get(name)
    # Two files with one name: figures would be of the one that came last, whichever was meant.
    if present is not None and _origin(present) != _origin(make):
        raise UsageError(f"the policy {name!r} belongs to {present.__module__} already; take another name")
    _registered[game][name] = make
    note_registration()


def _origin(make: Make) -> str:
    """Where it was written: a file that is loaded and imported too is two modules, and one file."""
    file = getattr(sys.modules.get(make.__module__), "__file__", None)
    return make.__module__ if file is None else str(Path(file).resolve())


def _own(game: AnyGame) -> dict[str, Make]:
    own: dict[str, Make] = game.own("policies") or {}
    return own | _registered.get(game.id, {})


def _split(policy: str) -> tuple[str, str]:
    """The name of a policy, and what its text says of options."""
    # What stands behind the name may begin with an option: `rollout;bonus=20` is `rollout:bonus=20`.
    said = str(policy).strip()
    name = re.split("[:;]", said, maxsplit=1)[0]
    return name, said[len(name) + 1 :]


def policies(game: AnyGame) -> tuple[str, ...]:
    """The names of the policies of this game."""
    known = _registered[None] | _own(game)
    return tuple(name for name, make in known.items() if make is not _make_guess or hides(game))


def policy_file(game: str, policy: str) -> str:
    """The file that brought the policy which a text names (`--load`); '' if none did."""
    make = (_registered[None] | _registered.get(game, {})).get(_split(policy)[0])
    file = "" if make is None else _origin(make)
    return file if Path(file) in loaded_files() else ""


def hides(game: AnyGame) -> bool:
    """Whether a deal has something that the player does not know: hidden cards, or what a redeal brings."""
    return unknown_in(game.deal(0).view()) != ""


def policy_of(game: AnyGame, policy: str | Policy) -> Policy:
    """The policy that a text names: 'greedy', 'random:seed=3'. A policy itself is passed through, if it can play."""
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
