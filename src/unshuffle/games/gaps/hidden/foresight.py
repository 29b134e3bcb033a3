"""Prediction of redeals from earlier passes through the same game, by a model of how the app shuffles.

The app's shuffle is unknown, so the player declares a model, and every board that is typed tests it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from unshuffle.cards import Card
from unshuffle.games.gaps import Rules, State
from unshuffle.games.gaps.rules import Cells

MODELS: Mapping[str, str] = {
    "locked": "the app sorts the loose cards, then shuffles, seeded: the same locks bring the same redeal",
    "none": "the app shuffles afresh: no redeal comes again",
    "board": "the app shuffles the loose cards as they lie, seeded: only the same boards bring the same redeal",
    "order": "the app shuffles one full deck for each redeal and skips what is locked",
    "permutation": "the app permutes the free cells by a rule that depends on their number only",
}
"""What each model assumes, the default first."""
SAFER = {"order": "locked", "locked": "board", "permutation": "board", "board": "none"}
"""The model to assume once one is refuted."""

Locks = tuple[tuple[str, int], ...]
"""The locked run of each row: its suit's letter, or "", and its length."""
Path = tuple[Cells, ...]
"""The final boards of the phases so far."""


@dataclass(frozen=True, slots=True)
class Redealt:
    """An observed redeal: the final boards of the phases before it, and the board that it brought."""

    ends: Path
    layout: Cells

    @property
    def number(self) -> int:
        """The number of the redeal, from 1."""
        return len(self.ends)


@dataclass(frozen=True)
class Foresight:
    """The records of redeals, read by one model."""

    rules: Rules
    model: str
    records: tuple[Redealt, ...] = ()

    def foretold(self, ends: Path) -> dict[Cells, float]:
        """Return the boards that may follow these ends, each with its probability; {} if nothing is known."""
        if self.model == "permutation":
            return self._permuted(ends)
        for record in self.records:
            if record.number == len(ends):
                layout = self._applied(record, ends)
                if layout is not None:
                    return {layout: 1.0}
        return {}

    def _applied(self, record: Redealt, ends: Path) -> Cells | None:
        """Return the board that follows these ends if the record applies to them, else None."""
        if self.model == "board":
            return record.layout if record.ends == ends else None
        if self.model == "locked":
            same = all(self._at(a).locks == self._at(b).locks for a, b in zip(record.ends, ends, strict=True))
            return record.layout if same else None
        return self._skipped(record, self._at(ends[-1])) if self.model == "order" else None

    def _at(self, cells: Cells) -> State:
        return State(self.rules, cells)

    # Model `order`: one full deck, of which locked cards are skipped.

    def _skipped(self, record: Redealt, now: State) -> Cells | None:
        then = self._at(record.ends[-1])
        loose = {now.cells[index] for index in now.free_cells}
        if not loose <= {then.cells[index] for index in then.free_cells}:
            return None  # a card is loose now that was locked in the record
        sequence = _targets(then, record.layout)
        return _laid(now, iter([card for card in sequence if card in loose]))

    # Model `permutation`: a permutation of the free cells.

    def _permuted(self, ends: Path) -> dict[Cells, float]:
        now = self._at(ends[-1])
        known = self._permutations(len(ends), len(now.free_cells))
        cards = _sources(now)
        counts = Counter(_laid(now, (cards[source] for source in order)) for order in known)
        return {layout: count / len(known) for layout, count in counts.items()}

    def _permutations(self, number: int, free: int) -> list[tuple[int, ...]]:
        """Return the permutations that fit all records: for each filled cell, the index of its card's source."""
        found: list[tuple[int, ...]] | None = None
        for record in self.records:
            then = self._at(record.ends[-1])
            if record.number != number or len(then.free_cells) != free:
                continue
            if found is None:
                found = list(_ways(then, record.layout))
            else:
                sources, targets = _sources(then), _targets(then, record.layout)
                found = [order for order in found if [sources[source] for source in order] == targets]
        return found or []

    def may_apply(self, number: int) -> Callable[[Locks], bool]:
        """Return a test whether a record of this redeal may apply after an end with given locks; it needs no board."""
        known = [self._at(record.ends[-1]).locks for record in self.records if record.number == number]
        if self.model == "order":
            return lambda locks: any(_includes(locks, then) for then in known)
        if self.model == "permutation":
            counts = set(map(_count, known))
            return lambda locks: _count(locks) in counts
        same = set(known)
        return lambda locks: locks in same

    def is_possible(self, ends: Path, layout: Cells) -> bool | None:
        """Return whether this board may follow these ends; None if nothing is known."""
        foretold = self.foretold(ends)
        return layout in foretold if foretold else None


def _count(locks: Locks) -> int:
    return sum(length for _, length in locks)


def _includes(locks: Locks, others: Locks) -> bool:
    """Return whether all cards of the other locks are locked here, in any rows."""
    lengths = dict(locks)
    return all(length <= lengths.get(suit, 0) for suit, length in others)


def _sources(end: State) -> list[Card | None]:
    """Return what a redeal moves, row by row: the loose cards, and the gaps unless their places are fixed."""
    loose = [end.cells[index] for index in end.free_cells]
    return [card for card in loose if card is not None] if end.fixed_gaps else loose


def _targets(end: State, layout: Cells) -> list[Card | None]:
    """Return what the redeal after this end laid on the cells that it fills, row by row."""
    return [layout[index] for index in end.free_cells if index not in end.fixed_gaps]


def _laid(state: State, cards: Iterator[Card | None]) -> Cells:
    """Return the board with these cards on its free cells, row by row; gaps with fixed places stay gaps."""
    cells = list(state.cells)
    for index in state.free_cells:
        cells[index] = None if index in state.fixed_gaps else next(cards)
    return tuple(cells)


def _ways(then: State, layout: Cells) -> Iterator[tuple[int, ...]]:
    """Yield the permutations that bring this layout: one for each order of the gaps, which look alike."""
    sources, targets = _sources(then), _targets(then, layout)
    gaps = [place for place, card in enumerate(sources) if card is None]
    for order in permutations(gaps):
        rest = iter(order)
        yield tuple(next(rest) if card is None else sources.index(card) for card in targets)


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of testing a model against all records."""

    model: str
    """The model that the records do not refute."""
    confirmed: int
    """How many redeals it predicted."""
    refuted: tuple[tuple[str, int], ...] = ()
    """The refuted models, each with the number of the redeal that it predicted wrongly."""


def check(rules: Rules, model: str, records: Sequence[Redealt]) -> Checked:
    """Predict every redeal from those before it, replacing a refuted model by the next safer one; return the result."""
    refuted: list[tuple[str, int]] = []
    while True:
        confirmed = 0
        for place, record in enumerate(records):
            seen = Foresight(rules, model, _earlier(records[:place]))
            verdict = seen.is_possible(record.ends, record.layout)
            if verdict is False:
                refuted.append((model, record.number))
                break
            confirmed += verdict is True
        else:
            return Checked(model, confirmed, tuple(refuted))
        model = SAFER[model]


def _earlier(records: Iterable[Redealt]) -> tuple[Redealt, ...]:
    return tuple(dict.fromkeys(records))
