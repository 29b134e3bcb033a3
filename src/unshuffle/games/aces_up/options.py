"""The options of commands for Aces Up beyond those of every game.

This module defines what the options mean. The command line makes options of the fields, and reads and prints.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import permutations
from typing import ClassVar

from unshuffle.cards import Card
from unshuffle.errors import UsageError, quote
from unshuffle.game import AnyGame
from unshuffle.games.aces_up.moves import Move
from unshuffle.games.aces_up.rules import State
from unshuffle.games.aces_up.strategy import (
    CLASSIC,
    DOCUMENTED,
    RULES,
    RuleList,
    expand,
    parse_list,
    reduced_lists,
)
from unshuffle.options import GameOptions, option


class Dialect(StrEnum):
    """How the rules of a list are read."""

    CLASSIC = CLASSIC
    DOCUMENTED = DOCUMENTED


class Format(StrEnum):
    """How a game is written."""

    PEER = "peer"


DIALECT_HELP = "How the rules of a list are read: as the program they come from plays them, or as their names say."
"""The help of every `--dialect`."""


def rules_in_words() -> Iterator[str]:
    """Yield a description of every rule, as each dialect plays it."""
    yield "Rules of a list (rules:2,1,10), which look at piles of two or more cards; of equal piles the first:"
    for rule in RULES.values():
        yield f"{rule.number:>6}  {rule.description(CLASSIC)}"
        if rule.differs:
            yield f"        (documented: {rule.description(DOCUMENTED)})"


@dataclass(frozen=True, kw_only=True)
class SimulateOptions(GameOptions):
    """How rule lists are read, and how games are written."""

    examples: ClassVar[tuple[str, ...]] = (
        "unshuffle simulate aces-up --policy rules:10,100,4,200 --seeds 0..99999",
        "unshuffle simulate aces-up --policy rules:10,2,4,200 --dialect documented --seeds 0..9999",
        "unshuffle simulate aces-up --policy rules:1,1000 --seed 7 --detail",
        "unshuffle simulate aces-up deck.txt --policy rules:1,1000 --format peer",
    )
    epilog: ClassVar[tuple[str, ...]] = tuple(rules_in_words())

    dialect: Dialect | None = option(f"{DIALECT_HELP}  [default: classic]")
    format: Format | None = option(
        "peer: print each game as the move list that henrikenquist/aces-up keeps, and nothing else."
    )

    def policy_text(self, text: str) -> str:
        """Return the policy with the dialect that is asked for."""
        return with_dialect(text, self.dialect)

    def beside(self, state: State) -> str:
        """Return the top card and the size of each pile."""
        tops = " ".join(str(pile[-1]) if pile else "--" for pile in state.piles)
        return f"{tops}  {' '.join(f'{len(pile):>2}' for pile in state.piles)}"

    @property
    def writes_games(self) -> bool:
        """Whether games are printed in another program's notation."""
        return self.format is not None

    def written(self, start: State, moves: Sequence[Move]) -> str:
        """Return a game in that notation."""
        from unshuffle.games.aces_up.peer import write_moves  # seldom needed

        return write_moves(start, moves)


def with_dialect(policy: str, dialect: Dialect | None) -> str:
    """Return the text of a policy, with the dialect that an option asks for."""
    name, _, rules = policy.strip().partition(":")
    if dialect is None:
        return policy
    if name != "rules":
        raise UsageError(f"--dialect says how rules:LIST is read; the policy {quote(policy)} has no list")
    return f"rules:{parse_list(rules, dialect.value).text}"


@dataclass(frozen=True, kw_only=True)
class AdviseOptions(GameOptions):
    """Whether the open solver, which knows every card, is asked too."""

    examples: ClassVar[tuple[str, ...]] = (
        "unshuffle advise aces-up --id my-game",
        "unshuffle advise aces-up table.txt --samples 1000 --json",
        "unshuffle advise aces-up --seed 7 --open",
    )

    open: bool = option(
        "Say too what the open solver would do, which knows every card; with FILE or --seed.", default=False
    )

    @property
    def asks_open(self) -> bool:
        """Whether the open solver is asked beside the advice."""
        return self.open


@dataclass(frozen=True, kw_only=True)
class TournamentOptions(GameOptions):
    """Which lists of rules take part."""

    examples: ClassVar[tuple[str, ...]] = (
        "unshuffle tournament aces-up --rules 1,20,300 --prefixes --permute --seeds 0..9999",
        "unshuffle tournament aces-up --all --seeds 0..99999 --plot lists.svg",
        "unshuffle tournament aces-up --rules 10,100,4,200 --policy rollout:60 --seeds 0..9999",
        "unshuffle tournament aces-up --rules 1,1000 --rules 4,200 --deck-file decks.txt --detail",
    )
    epilog: ClassVar[tuple[str, ...]] = tuple(rules_in_words())

    rules: list[str] | None = option("A list of rules that takes part, such as 1,20,300; may be given again.", "LIST")
    prefixes: bool = option("Also what each list begins with: 1 and 1,20 and 1,20,300.", default=False)
    permute: bool = option("All orders of each list, or of each of its prefixes.", default=False)
    all: bool = option("Every list that no other plays like: 719, or 394 documented.", default=False)
    dialect: Dialect | None = option(f"{DIALECT_HELP}  [default: classic]")

    @property
    def ranks_lists(self) -> bool:
        """Whether the lists that take part are put into groups."""
        return True

    def policy_text(self, text: str) -> str:
        """Return the policy, with the dialect that is asked for if it is a list."""
        return with_dialect(text, self.dialect) if text.strip().startswith("rules:") else text

    def entered(self, game: AnyGame) -> list[tuple[str, str, int]]:
        """Return what was entered, a policy that plays it, and how many of its orders and prefixes that one plays."""
        if (self.prefixes or self.permute) and not self.rules:
            raise UsageError(f"{'--prefixes' if self.prefixes else '--permute'} goes with --rules")
        if self.all:
            if self.rules:
                raise UsageError("--all has every list in it, those of --rules too; leave one out")
            every = reduced_lists(self._dialect)
            # Where spaces must be filled, the others cannot play at all.
            must = getattr(game.rules, "fill", None) == "must"
            return [("all", f"rules:{each.text}", 1) for each in every if each.is_guaranteeing or not must]
        found: list[tuple[str, str, int]] = []
        before: dict[RuleList, int] = {}
        lists = self._lists()
        for count, each in enumerate(lists, 1):
            # What an earlier list has entered is not entered again.
            now = expand(lists[:count], self.prefixes, self.permute)
            new = {reduced: times - before.get(reduced, 0) for reduced, times in now.items()}
            found += [(each.text, f"rules:{reduced.text}", times) for reduced, times in new.items() if times]
            before = now
        return found

    def played_as(self) -> Iterator[tuple[str, str]]:
        """Yield every list that is entered, one by one, and its reduced list."""
        walked: dict[RuleList, None] = {}
        for each in self._lists():
            for length in range(1, len(each.rules) + 1) if self.prefixes else (len(each.rules),):
                part = each.rules[:length]
                orders = permutations(part) if self.permute else (part,)
                walked.update((RuleList(tuple(order), each.dialect), None) for order in orders)
        yield from ((each.text, each.reduced().text) for each in walked)

    def _lists(self) -> list[RuleList]:
        return [parse_list(text, self.dialect and self.dialect.value) for text in self.rules or ()]

    @property
    def _dialect(self) -> str:
        return CLASSIC if self.dialect is None else self.dialect.value

    def foreign_deck(self, text: str) -> tuple[Card, ...] | None:
        """Return the deck, in deal order, of a line in another program's notation; None if it is no such line."""
        from unshuffle.games.aces_up.peer import is_deck, read_deck  # seldom needed

        return read_deck(text) if is_deck(text) else None


@dataclass(frozen=True, kw_only=True)
class BuildOptions(GameOptions):
    """What is trained, and on how many games."""

    examples: ClassVar[tuple[str, ...]] = ("unshuffle values build aces-up --games 100000 --out mine.json",)

    table_: str | None = option("values or weights.  [default: values]", "NAME")
    games: int | None = option("Games to learn values from, or to try weights in.  [default: 1,000,000 or 2,000]", "N")
    rounds: int | None = option("Rounds to find weights in.  [default: 200]", "N")


OPTIONS = {
    "simulate": SimulateOptions,
    "tournament": TournamentOptions,
    "advise": AdviseOptions,
    "values build": BuildOptions,
}
