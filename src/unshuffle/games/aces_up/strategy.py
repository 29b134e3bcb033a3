"""Aces Up: the strategy language. Twelve numbered rules, each of which may find a pile whose top card goes to a space.

A strategy is an ordered list of rule numbers: the first rule that finds a pile moves. The rules are read in one of two
dialects. `classic` plays as the program from which they come, `documented` as the names of its rules say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import factorial, prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from unshuffle.cards import Card
from unshuffle.errors import UsageError, quote, unknown
from unshuffle.games.aces_up.rules import strength
from unshuffle.numbers import read_whole

if TYPE_CHECKING:
    from unshuffle.game import AnyGame
    from unshuffle.games.aces_up.rules import State
    from unshuffle.games.aces_up.view import View

DIALECTS = ("classic", "documented")
CLASSIC, DOCUMENTED = DIALECTS
"""The default comes first: every published figure was made with it."""

Pile = tuple[Card, ...]
Numbered = tuple[int, Pile]
"""A pile and its number, from 1."""


# Conditions: on which piles a rule can act. Rules look only at piles of two or more cards, so each has a card below its
# top.


def _has_ace(pile: Pile) -> bool:
    return pile[-1].rank == 1


def _is_in_suit(pile: Pile) -> bool:
    return pile[-1].suit is pile[-2].suit


def _is_under_higher(pile: Pile) -> bool:
    return _is_in_suit(pile) and strength(pile[-2]) > strength(pile[-1])


_CONDITIONS: Mapping[str, Callable[[Pile], bool]] = {
    "A": _has_ace,
    "AS": lambda pile: _has_ace(pile) and _is_in_suit(pile),
    "H": _is_under_higher,
    "S": _is_in_suit,
    "X": lambda pile: True,
}
"""An ace on top; an ace on its suit; a card on a higher one of its suit; a card on any of its suit; always."""

_IMPLIED = {"A": "A X", "AS": "AS A S X", "H": "H S X", "S": "S X", "X": "X"}
"""The conditions that hold on some pile wherever the first does."""


def _implies(condition: str, other: str) -> bool:
    return other in _IMPLIED[condition].split()


# Picks: which pile a rule takes, of those on which its condition holds.


def _sum(pile: Pile) -> int:
    return sum(map(strength, pile))


def _top(pile: Pile) -> int:
    return strength(pile[-1])


def _first_with_most(measure: Callable[[Pile], Any]) -> Callable[[Sequence[Numbered]], int]:
    # Python's max gives the first of equals.
    return lambda piles: max(piles, key=lambda numbered: measure(numbered[1]))[0]


def _first(piles: Sequence[Numbered]) -> int:
    return piles[0][0]


def _last(piles: Sequence[Numbered]) -> int:
    return piles[-1][0]


def _scan(is_taken: Callable[[int, int], bool]) -> Callable[[Sequence[Numbered]], int]:
    """Return a pick that goes from the first pile on to each of a fitting length with a strictly higher top."""

    def pick(piles: Sequence[Numbered]) -> int:
        taken = piles[0]
        for numbered in piles[1:]:
            pile, other = numbered[1], taken[1]
            if is_taken(len(pile), len(other)) and _top(pile) > _top(other):
                taken = numbered
        return taken[0]

    return pick


@dataclass(frozen=True, slots=True)
class Way:
    """How one dialect plays a rule."""

    condition: str
    """A, AS, H, S or X: when the rule finds a pile."""
    description: str
    pick: Callable[[Sequence[Numbered]], int]
    """The number of the pile it takes, of those on which the condition holds; there is at least one."""


@dataclass(frozen=True, slots=True)
class StrategyRule:
    """A rule by its number, and how each dialect plays it."""

    number: int
    name: str
    ways: Mapping[str, Way]

    def description(self, dialect: str = CLASSIC) -> str:
        """Return what the rule does in this dialect, whatever its name says."""
        return self.ways[dialect].description

    def condition(self, dialect: str = CLASSIC) -> str:
        """Return A, AS, H, S or X: when the rule finds a pile in this dialect."""
        return self.ways[dialect].condition

    @property
    def differs(self) -> bool:
        """Whether the dialects play it in two ways."""
        return self.ways[CLASSIC] is not self.ways[DOCUMENTED]

    def find(self, piles: Sequence[Numbered], dialect: str) -> int | None:
        """Return the number of the pile whose top card moves, of piles of two or more cards; None if none fits."""
        way = self.ways[dialect]
        holds = _CONDITIONS[way.condition]
        fitting = [numbered for numbered in piles if holds(numbered[1])]
        return way.pick(fitting) if fitting else None


def _rule(number: int, name: str, way: Way, documented: Way | None = None) -> StrategyRule:
    return StrategyRule(number, name, {CLASSIC: way, DOCUMENTED: documented or way})


_MOST_RANKS, _LONGEST = _first_with_most(_sum), _first_with_most(len)
_SHORTEST, _HIGHEST = _first_with_most(lambda pile: -len(pile)), _first_with_most(_top)

_RULES = (
    _rule(1, "ACE_MAX", Way("A", "an ace from the pile with the largest sum of ranks", _MOST_RANKS)),
    _rule(
        2,
        "ACE_HAS_SUIT_BELOW",
        Way("AS", "an ace that lies on a card of its suit; from the last such pile", _last),
        Way("AS", "an ace that lies on a card of its suit; from the first such pile", _first),
    ),
    _rule(3, "ACE_FROM_SMALLEST", Way("A", "an ace from the shortest pile", _SHORTEST)),
    _rule(4, "ACE_FROM_LARGEST", Way("A", "an ace from the longest pile", _LONGEST)),
    _rule(
        5,
        "FIRST_ACE",
        Way("A", "an ace; from the last such pile", _last),
        Way("A", "an ace; from the first such pile", _first),
    ),
    _rule(
        10,
        "FROM_SMALLEST_HAS_HIGHER_IN_SUIT_BELOW",
        Way("H", "a card that lies on a higher one of its suit, from the shortest pile", _SHORTEST),
    ),
    _rule(
        20,
        "FROM_LARGEST_HAS_HIGHER_IN_SUIT_BELOW",
        Way("H", "a card that lies on a higher one of its suit, from the longest pile", _LONGEST),
    ),
    _rule(
        100,
        "HIGHEST_HAS_HIGHER_IN_SUIT_BELOW",
        Way("S", "the highest card that lies on one of its suit, higher or lower", _HIGHEST),
        Way("H", "the highest card that lies on a higher one of its suit", _HIGHEST),
    ),
    _rule(200, "HIGHEST_CARD", Way("X", "the highest card", _HIGHEST)),
    _rule(
        300,
        "HIGHEST_FROM_SMALLEST",
        Way(
            "X",
            "from the first pile on, each that is not longer and has a higher top takes the place of the one before",
            _scan(lambda length, taken: length <= taken),
        ),
        Way("X", "the highest card of the shortest piles", _first_with_most(lambda pile: (-len(pile), _top(pile)))),
    ),
    _rule(
        400,
        "HIGHEST_FROM_LARGEST",
        Way(
            "X",
            "from the first pile on, each that is longer and has a higher top takes the place of the one before",
            _scan(lambda length, taken: length > taken),
        ),
        Way("X", "the highest card of the longest piles", _first_with_most(lambda pile: (len(pile), _top(pile)))),
    ),
    _rule(
        1000, "ANY_FROM_MAX_RANK_SUM", Way("X", "the top card of the pile with the largest sum of ranks", _MOST_RANKS)
    ),
)

RULES: Mapping[int, StrategyRule] = MappingProxyType({rule.number: rule for rule in _RULES})
"""The rules by their numbers. Of several piles that fit equally well a rule takes the first, unless it says more."""


def _is_dead(number: int, kept: Iterable[int], dialect: str) -> bool:
    """Return whether the rule can never move behind these: wherever it finds a pile, one of them has found one."""
    condition = RULES[number].condition(dialect)
    return any(_implies(condition, RULES[before].condition(dialect)) for before in kept)


@dataclass(frozen=True, slots=True, order=True)
class RuleList:
    """A strategy: rules in the order in which they are tried. A rule that is named again is dropped."""

    rules: tuple[int, ...]
    dialect: str = CLASSIC

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", tuple(dict.fromkeys(self.rules)))
        if self.dialect not in DIALECTS:
            raise unknown("dialect", self.dialect, DIALECTS)
        if not self.rules:
            raise UsageError(f"a list of rules is empty; rules are {_known()}")
        undefined = [str(number) for number in self.rules if number not in RULES]
        if undefined:
            are = f"rule {undefined[0]} is" if len(undefined) == 1 else f"rules {', '.join(undefined)} are"
            raise UsageError(f"{are} not defined; rules are {_known()}")

    @property
    def text(self) -> str:
        """`2,1,10`, with `@documented` where the dialect is not the default."""
        return ",".join(map(str, self.rules)) + ("" if self.dialect == CLASSIC else f"@{self.dialect}")

    @property
    def is_guaranteeing(self) -> bool:
        """Whether it finds a pile wherever there is one of two or more cards."""
        return any(RULES[number].condition(self.dialect) == "X" for number in self.rules)

    def reduced(self) -> RuleList:
        """Return the list without the rules that can never move; it plays every game as this one does."""
        kept: list[int] = []
        for number in self.rules:
            if not _is_dead(number, kept, self.dialect):
                kept.append(number)
        return RuleList(tuple(kept), self.dialect)


def _known() -> str:
    return " ".join(map(str, RULES))


def parse_list(text: str, dialect: str | None = None) -> RuleList:
    """Read `2,1,10` or `2,1,10@documented`; a dialect that is given besides must be the same one."""
    numbers, at, said = (part.strip() for part in text.partition("@"))
    if at and said not in DIALECTS:
        raise unknown("dialect", said, DIALECTS)
    if at and dialect is not None and said != dialect:
        raise UsageError(f"{quote(text.strip())} names the dialect {said}, and {dialect} is asked for; leave one out")
    rules = []
    for word in numbers.replace(",", " ").split():
        number = read_whole(word)
        if number is None:
            raise UsageError(f"{quote(word)} is not the number of a rule; rules are {_known()}")
        rules.append(number)
    return RuleList(tuple(rules), said or dialect or CLASSIC)


def check_fills(game: AnyGame, strategy: RuleList) -> None:
    """Raise UsageError if spaces must be filled and the list may find no pile."""
    if game.rules.fill == "must" and not strategy.is_guaranteeing:
        raise UsageError(
            f"{game} forbids a deal while a space can be filled, and rules:{strategy.text} may find no card for it;"
            " end the list with a rule that always finds one: 200, 300, 400 or 1000"
        )


def choose(table: State | View, strategy: RuleList) -> tuple[int, int] | None:
    """Return the rule that moves and the pile whose top card it moves; None if none finds a pile, or without a space.

    Single cards are left alone, and so is the cell. Where only aces may go to a space the rules see only piles with an
    ace on top.
    """
    if all(table.piles):
        return None
    piles = [(number, pile) for number, pile in enumerate(table.piles, 1) if len(pile) > 1]
    if table.rules.fill == "aces-only":
        piles = [numbered for numbered in piles if _has_ace(numbered[1])]
    for rule in strategy.rules:
        found = RULES[rule].find(piles, strategy.dialect)
        if found is not None:
            return rule, found
    return None


# Many lists at once. However many are entered, few of them play differently.


@cache
def reduced_lists(dialect: str = CLASSIC) -> tuple[RuleList, ...]:
    """Return every list that has no rule to drop, short ones first. Any list plays as one of these."""
    if dialect not in DIALECTS:
        raise unknown("dialect", dialect, DIALECTS)
    found = (RuleList(rules, dialect) for rules in _walk((), tuple(RULES), dialect))
    return tuple(sorted(found, key=lambda each: (len(each.rules), each.rules)))


def _walk(kept: tuple[int, ...], rules: tuple[int, ...], dialect: str) -> Iterator[tuple[int, ...]]:
    """Yield the reduced lists of these rules that begin with `kept`; every prefix of a reduced list is one itself."""
    for number in rules:
        if not _is_dead(number, kept, dialect):
            longer = (*kept, number)
            yield longer
            yield from _walk(longer, rules, dialect)


def expand(lists: Iterable[RuleList], prefixes: bool = False, permute: bool = False) -> dict[RuleList, int]:
    """Return the reduced lists of all lists that are entered, each with the number of entered lists that reduce to it.

    `prefixes` enters `a`, `a,b`, `a,b,c` for `a,b,c`; `permute` all orders; both all orders of every prefix. A list
    that is entered twice counts once. Orders are counted and not enumerated: twelve rules have 479,001,600.
    """
    entered: dict[tuple[str, object], RuleList] = {}
    for each in lists:
        lengths = range(1, len(each.rules) + 1) if prefixes else (len(each.rules),)
        for length in lengths:
            part = RuleList(each.rules[:length], each.dialect)
            # All orders of the same rules are the same lists.
            entered[each.dialect, frozenset(part.rules) if permute else part.rules] = part
    counts: dict[RuleList, int] = {}
    for part in entered.values():
        for reduced, count in _count_orders(part) if permute else [(part.reduced(), 1)]:
            counts[reduced] = counts.get(reduced, 0) + count
    return counts


def _count_orders(entered: RuleList) -> Iterator[tuple[RuleList, int]]:
    """Yield the reduced lists of all orders of these rules, each with the number of orders that reduce to it.

    An order reduces to a list if the list's rules stand in it in the same order, and each other rule stands behind the
    first of them that makes it dead. So every rule but the first has one that it must follow, which makes a tree; the
    orders that put each after its parent are n! over the product of the sizes of all subtrees.
    """
    rules, dialect = entered.rules, entered.dialect
    for kept in _walk((), rules, dialect):
        hanging = [0] * len(kept)
        for number in rules:
            if number in kept:
                continue
            place = next((place for place, before in enumerate(kept) if _is_dead(number, (before,), dialect)), None)
            if place is None:
                break  # it would have been kept
            hanging[place] += 1
        else:
            sizes = [sum(hanging[place:]) + len(kept) - place for place in range(len(kept))]
            yield RuleList(kept, dialect), factorial(len(rules)) // prod(sizes)


def reduce_policy(policy: str) -> tuple[str, str] | None:
    """Return the reduced list of a policy `rules:LIST` and its dialect, as stores keep them; None for others."""
    if not policy.startswith("rules:"):
        return None
    entered = parse_list(policy.removeprefix("rules:"))
    return ",".join(map(str, entered.reduced().rules)), entered.dialect
