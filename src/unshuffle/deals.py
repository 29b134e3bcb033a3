"""Decks from seeds, and the permanent ids of deals. docs/deals.md specifies all of it to the bit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import index
from typing import TypeVar

from unshuffle.cards import PACK, Card
from unshuffle.errors import ParseError, UsageError, quote, unknown

MASK = (1 << 64) - 1
LAST_SEED = MASK
MOST_DECKS = 1_000_000
"""The last deck of a stream: all before it have to be shuffled too, and no text may cause hours of work."""
MOST_DEALS = (1 << 63) - 1
"""The most deals that one range holds: `len` of a range allows no more."""
OURS = "unshuffle"
"""The name of the default generator; ids omit it."""


def mix(z: int) -> int:
    """Apply the finaliser of SplitMix64: every bit of the result depends on every bit of `z`."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def check_range(seeds: range) -> range:
    """Return the range; raise UsageError if it holds more deals than can be counted."""
    # `len` would raise an OverflowError here.
    if seeds and (seeds[-1] - seeds[0]) // seeds.step >= MOST_DEALS:
        first, last = sorted((seeds[0], seeds[-1]))
        raise UsageError(f"seeds: {first}..{last} has too many deals; a range has at most 2^63-1")
    return seeds


class SplitMix64:
    """Steele, Lea and Flood's generator: 64 bits of state, seeded with the deal number."""

    def __init__(self, seed: int) -> None:
        self.state = seed & MASK
        """The state of the stream: a generator with this seed continues it."""

    def next(self) -> int:
        """Return the next 64 random bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        return mix(self.state)

    def below(self, n: int) -> int:
        """Return a number 0..n-1 without bias."""
        # Rejects the lowest 2^64 mod n values, so that n divides the number of those left.
        threshold = (1 << 64) % n
        while True:
            x = self.next()
            if x >= threshold:
                return x % n


_Item = TypeVar("_Item")


def shuffled(items: Iterable[_Item], generator: SplitMix64) -> list[_Item]:
    """Return the items in random order: Fisher-Yates from the top index down."""
    order = list(items)
    for i in range(len(order) - 1, 0, -1):
        j = generator.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def shuffles(size: int, seed: int) -> Iterator[list[int]]:
    """Yield our stream of shuffles of the numbers 0..size-1, each shuffled from the sorted order."""
    generator = SplitMix64(seed)
    while True:
        yield shuffled(range(size), generator)


def _ours(pack: Sequence[Card], seed: int) -> Iterator[tuple[Card, ...]]:
    for order in shuffles(len(pack), seed):
        yield tuple(pack[index] for index in order)


def _python(pack: Sequence[Card], seed: int) -> Iterator[tuple[Card, ...]]:
    import random  # slow to import, and seldom needed

    generator = random.Random(seed)
    while True:
        cards = list(pack)
        generator.shuffle(cards)
        yield tuple(cards)


def _microsoft(pack: Sequence[Card], seed: int) -> Iterator[tuple[Card, ...]]:
    # Imported here: only these deals need it, and the import would delay every start of the program.
    from pysol_cards.random import LCRandom31

    if sorted(pack) != sorted(PACK):
        raise UsageError("the generator 'ms' deals one pack of 52 cards; this game has another pack")
    if not 1 <= seed <= LCRandom31.MAX_SEED:
        raise UsageError(f"the generator 'ms' has the deals 1..{LCRandom31.MAX_SEED}, not {seed}")
    generator = LCRandom31(seed)
    while True:
        # Microsoft's order is by rank, then C D H S, and its shuffle deals from the end.
        cards = sorted(PACK, key=lambda card: (card.rank, card.suit))
        yield tuple(reversed(generator.shuffle(cards)))


_STREAMS = {OURS: _ours, "python": _python, "ms": _microsoft}
GENERATORS = tuple(_STREAMS)


def decks(pack: Sequence[Card], seed: int, generator: str = OURS) -> Iterator[tuple[Card, ...]]:
    """Return the generator's endless stream of decks for this seed, each in deal order."""
    if generator not in _STREAMS:
        raise unknown("generator", generator, GENERATORS)
    if not 0 <= seed <= LAST_SEED:
        raise UsageError(f"seeds are 0..{LAST_SEED}, not {seed}")
    return _STREAMS[generator](pack, seed)


def _check_number(number: int) -> None:
    if not 1 <= number <= MOST_DECKS:
        raise UsageError(f"decks of a stream are counted from 1 to {MOST_DECKS:,}, not {number}")


def deck(pack: Sequence[Card], seed: int, generator: str = OURS, number: int = 1) -> tuple[Card, ...]:
    """Return the number-th deck of the stream, counted from 1."""
    _check_number(number)
    return next(islice(decks(pack, seed, generator), number - 1, None))


def draw_seed() -> int:
    """Return a random deal number that every generator has, short enough to be typed again."""
    import secrets  # slow to import, and seldom needed

    return 1 + secrets.randbelow((1 << 33) - 1)


_SOURCE = re.compile(r"(?:(?P<generator>[a-z]+):)?(?P<seed>[0-9]{1,20})(?:#(?P<number>[0-9]{1,9}))?")


def plain_seed(number: object) -> int:
    """Return the number as an int; raise UsageError if it is not a whole number."""
    try:
        return int(index(number))  # type: ignore[arg-type] # what cannot be an index raises the TypeError
    except TypeError:
        raise UsageError(f"{number!r} is not a seed; expected a number, or text such as 'python:12345#3'") from None


@dataclass(frozen=True, slots=True)
class Source:
    """Where a deck comes from: a seed, a generator, and which deck of its stream. '7', 'python:12345#3'."""

    seed: int
    generator: str = OURS
    number: int = 1

    def __post_init__(self) -> None:
        if self.generator not in _STREAMS:
            raise unknown("generator", self.generator, GENERATORS)
        # Python's own ints: numpy's would overflow in the shuffle, and `True` would stand in ids that cannot be read.
        object.__setattr__(self, "seed", plain_seed(self.seed))
        object.__setattr__(self, "number", plain_seed(self.number))
        if not 0 <= self.seed <= LAST_SEED:
            raise UsageError(f"seeds are 0..{LAST_SEED}, not {self.seed}")
        _check_number(self.number)

    def __str__(self) -> str:
        generator = "" if self.generator == OURS else f"{self.generator}:"
        number = "" if self.number == 1 else f"#{self.number}"
        return f"{generator}{self.seed}{number}"

    @classmethod
    def parse(cls, text: str, generator: str = OURS) -> Source:
        """Read the part of a deal id after the `@`; `generator` is the default where the text names none."""
        match = _SOURCE.fullmatch(text.strip())
        if match is None:
            raise ParseError(f"{quote(text)} is not a seed; expected a number 0..2^64-1, or generator:number#deck")
        return cls(int(match["seed"]), match["generator"] or generator, int(match["number"] or 1))

    @property
    def following(self) -> Source | None:
        """The next deck of the same stream; None after the last one."""
        return replace(self, number=self.number + 1) if self.number < MOST_DECKS else None

    def deck(self, pack: Sequence[Card]) -> tuple[Card, ...]:
        """Return the deck itself."""
        return deck(pack, self.seed, self.generator, self.number)


@dataclass(frozen=True, slots=True)
class DealId:
    """The name of a deal: 'belle-lucie/one-deal@7'."""

    game: str
    variant: str
    source: Source

    def __str__(self) -> str:
        return f"{self.game}/{self.variant}@{self.source}"

    @classmethod
    def parse(cls, text: str) -> DealId:
        """Read an id; the inverse of `str`."""
        left, at, source = text.strip().partition("@")
        game, slash, variant = left.partition("/")
        if not (at and slash and game and variant):
            raise ParseError(f"{quote(text)} is not a deal id; expected game/variant@seed")
        return cls(game, variant, Source.parse(source))
