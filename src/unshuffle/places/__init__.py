"""The places of cards: a game declares them once, and maps its tables to boards and back.

A game supplies `Places` (the places of its rules), a `Board` for each table (the cards in them) and the inverse of
that map. Layout text with all its faults, pictures, gestures and hidden views are derived from these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, Literal, NamedTuple

from unshuffle.cards import PACK, Card, Suit

Pile = tuple[Card | None, ...]
"""The cards of one place, the bottom card first; of a stock the next card first. None is an unknown card."""
Kind = Literal["pile", "fan", "cell", "foundation", "stock", "waste", "reserve", "discards", "completed", "redeal"]
Form = Literal["rows", "numbered", "each", "labelled", "tops", "follows", "none"]
"""The form of an area in layout text.

- `rows`: a line per place without a label
- `numbered`: a line per place, `3: 5H 4S`
- `each`: a line per place, `Pile 3: 5H 4S`
- `labelled`: all in one line with the name as its label
- `tops`: the top card of each place in one line
- `follows`: as `tops`, but the line may be missing, because the cards are those that lie nowhere else
- `none`: no text
"""

_ALONE = ("stock", "waste", "reserve", "discards", "redeal")
_TABLE = ("pile", "fan")
_SPREADS: Mapping[str, Literal["down", "right"]] = {"pile": "down", "fan": "right"}
_ARRANGED: Mapping[str, Literal["columns", "flow"]] = {"pile": "columns", "fan": "flow"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """The places of one kind that lie together."""

    name: str
    """The name in lower case: the label of its line in text, and the name of its group on the page."""
    kind: Kind
    """The kind of its places; their ids and words begin with it."""
    count: int | None = 1
    """The number of places; None: it varies, because an emptied place leaves the table."""
    suits: tuple[Suit, ...] = ()
    """The suit of each place, if the places have suits."""
    form: Form = "labelled"
    deals: int = 0
    """Of a stock: how many cards a deal takes; 0 if that depends on the table."""
    clicks: str = ""
    """Of a redeal: the mark that counts its clicks."""

    @property
    def is_alone(self) -> bool:
        """Whether the area is a single place without a number."""
        return self.kind in _ALONE or (self.kind == "cell" and self.count == 1)

    @property
    def is_above(self) -> bool:
        """Whether the area lies above the table, beside the foundations and the stock."""
        return self.kind not in _TABLE

    @property
    def spread(self) -> Literal["down", "right", "none"]:
        """How the cards of a place overlap in a picture."""
        return _SPREADS.get(self.kind, "none")

    @property
    def arrange(self) -> Literal["row", "columns", "grid", "flow"]:
        """How a picture arranges its places."""
        return _ARRANGED.get(self.kind, "row")

    def id(self, number: int) -> str:
        """Return the id of a place, given its number from 0: 'fan-3', 'foundation-C', 'stock'."""
        if self.suits:
            return f"{self.kind}-{self.suits[number].letter}"
        return self.kind if self.is_alone else f"{self.kind}-{number + 1}"

    def words(self, number: int) -> str:
        """Return the name of a place for people: 'Fan 3', 'Foundation of clubs', 'Stock'."""
        kind = self.kind.capitalize()
        if self.suits:
            return f"{kind} of {self.suits[number].word}"
        return kind if self.is_alone else f"{kind} {number + 1}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A number that belongs to a table but to no place, such as the number of the deal: `Deal: 2`."""

    name: str
    """The name in lower case: its label in text."""
    values: range
    start: int = 0
    """The value where the text has none."""
    what: str = "a number"
    """The noun for the error message: '`Deal: x` is not a deal of this game'."""
    expected: str = "a whole number"
    is_always_written: bool = False
    """Whether text includes the mark even if its value is `start`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coming:
    """Redeals whose orders may be known before they come: `Redeal 1: 5H 4S ...`."""

    mark: Mark
    """The mark that counts the redeals taken, beginning with its start."""
    redeals: int
    """The number of redeals in the whole game; 0: these rules have none."""
    pack: tuple[Card, ...] = ()
    """The cards of an order; empty: the cards on the table."""

    def left(self, marks: Mapping[str, int]) -> int:
        """Return how many redeals are left by the marks."""
        return self.redeals - (marks[self.mark.name] - self.mark.start)


@dataclass(frozen=True, kw_only=True)
class Places:
    """The places and marks of the tables under some rules."""

    rules: Any
    areas: tuple[Area, ...]
    """In the order of a picture."""
    written: tuple[str, ...]
    """The areas, the marks and 'redeals' (the coming ones) in the order of the text."""
    marks: tuple[Mark, ...] = ()
    coming: Coming | None = None
    pack: tuple[Card, ...] = PACK
    """Every card that lies in the places."""
    reach: int = 0
    """The greatest number of cards that can be taken from a pile; 0: no limit."""
    top: str = ""
    """The heading of the places above the table; empty: each area there has its own."""

    def __getitem__(self, name: str) -> Area:
        return self.by_name[name]

    @cached_property
    def by_name(self) -> Mapping[str, Area]:
        """The areas by their names."""
        return {area.name: area for area in self.areas}

    @cached_property
    def sorted_pack(self) -> tuple[Card, ...]:
        """The pack, sorted."""
        return tuple(sorted(self.pack))

    @cached_property
    def times(self) -> tuple[tuple[Card, int], ...]:
        """Each card of the pack with its number of copies, sorted."""
        return tuple(Counter(self.sorted_pack).items())

    @cached_property
    def filling(self) -> tuple[str, ...]:
        """The areas in the order in which unknown cards are laid: stocks last."""
        return tuple(area.name for area in sorted(self.areas, key=lambda area: area.kind == "stock"))

    @cached_property
    def parts(self) -> tuple[Area | Mark | None, ...]:
        """The written parts in the order of the text; None stands for the coming redeals."""
        marks = {mark.name: mark for mark in self.marks}
        return tuple(self.by_name.get(name) or marks.get(name) for name in self.written)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels of layout lines, in the order of the text."""
        labels = []
        for part in self.parts:
            if isinstance(part, Area):
                labels += [f"{part.kind} n"] * (part.form == "each")
                labels += [part.name] * (part.form in ("labelled", "tops", "follows"))
            else:
                labels.append("redeal n" if part is None else part.name)
        return tuple(labels)


class Where(NamedTuple):
    """A place on a board: the name of its area, and its number from 0."""

    area: str
    number: int


@dataclass(frozen=True, slots=True)
class Board:
    """The cards in all places of a table, and its marks."""

    places: Places
    piles: Mapping[str, tuple[Pile, ...]]
    """The cards of the places of each area."""
    marks: Mapping[str, int] = field(default_factory=dict)
    down: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """How many cards of each place lie face down, from its bottom; an area that is missing has none."""
    unknown: Mapping[str, tuple[int, ...]] | None = None
    """How many cards of each place, from its bottom, no player knows; None: those that lie face down.

    A stock that was seen once lies face down and is known.
    """
    coming: tuple[tuple[Card, ...], ...] = ()
    """The known orders of the coming redeals, the next one first."""
    is_seen: bool = False
    """Whether this is a player's view with hidden cards: its text gives only the size of a stock."""

    @property
    def hidden(self) -> Mapping[str, tuple[int, ...]]:
        """How many cards of each place, from its bottom, no player knows; an area that is missing has none."""
        return self.down if self.unknown is None else self.unknown

    def each(self) -> Iterator[tuple[Area, Where, Pile]]:
        """Yield every place, area by area."""
        for area in self.places.areas:
            for number, pile in enumerate(self.piles[area.name]):
                yield area, Where(area.name, number), pile

    def size(self, area: Area) -> int:
        """Return how many cards lie in an area."""
        return sum(map(len, self.piles[area.name]))

    def told(self, name: str) -> tuple[tuple[Card, ...], ...]:
        """Return the known cards of the places of an area."""
        return tuple([pile if all(pile) else tuple(filter(None, pile)) for pile in self.piles[name]])  # type: ignore[misc]

    def drawn(self, name: str) -> list[Pile]:
        """Return the places of an area as a picture shows them: None for each face-down card, known or not."""
        piles = self.piles[name]
        downs = self.down.get(name, (0,) * len(piles))
        return [(None,) * down + pile[down:] for pile, down in zip(piles, downs, strict=True)]

    def cards(self) -> Iterator[Card]:
        """Yield every known card. No move changes which these are."""
        for area in self.places.areas:
            for pile in self.piles[area.name]:
                for card in pile:
                    if card is not None:
                        yield card

    def seen(self) -> Board:
        """Return the board as a player knows it: without the unknown faces, and without the coming redeals."""
        piles = dict(self.piles)
        for name, counts in self.hidden.items():
            each = zip(piles[name], counts, strict=True)
            piles[name] = tuple([(None,) * count + pile[count:] if count else pile for pile, count in each])
        return Board(self.places, piles, self.marks, self.down, self.unknown, is_seen=True)

    def unseen(self) -> tuple[Card, ...]:
        """Return the cards of the pack that are not known, sorted."""
        told = chain.from_iterable(chain.from_iterable(self.piles.values()))
        pack, times = self.places.sorted_pack, self.places.times
        if len(times) == len(pack):  # a single pack: a set is faster than a counter
            seen = set(told)
            return tuple([card for card in pack if card not in seen])
        counts = Counter(told)
        return tuple([card for card, count in times for _ in range(count - counts[card])])

    def filled(self, cards: Sequence[Card]) -> Board:
        """Return the board with its unknown cards replaced by these: the inverse of `seen`.

        They are laid place by place, each from its bottom, and the cards of stocks last.
        """
        rest = iter(cards)
        piles = dict(self.piles)
        for name in self.places.filling:
            if name in self.hidden:
                piles[name] = tuple([pile if all(pile) else _fill(pile, rest) for pile in piles[name]])
        return Board(self.places, piles, self.marks, self.down, self.unknown, self.coming)


def _fill(pile: Pile, rest: Iterator[Card]) -> Pile:
    return tuple([next(rest) if card is None else card for card in pile])


@dataclass(frozen=True, slots=True, kw_only=True)
class Dress:
    """What a picture shows besides the cards. The layout text, which the engine reads too, has none of it."""

    settled: tuple[Card, ...] = ()
    """Cards in their final position, besides those on foundations, discarded or completed."""
    hints: Mapping[Where, str] = field(default_factory=dict)
    """The cards that empty places accept."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """The captions of areas whose name is not the caption."""
    labels: Mapping[Where, str] = field(default_factory=dict)
    """The captions of places that are not just kind and number: 'Redeal, 2 left'."""
    status: str = ""
    """The last line of the terminal's picture."""
