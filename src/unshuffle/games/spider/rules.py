"""Spider: the rules. Values in, values out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar

from unshuffle.cards import Card, Suit
from unshuffle.errors import IllegalMoveError, UsageError
from unshuffle.game import Outcome
from unshuffle.games.spider.moves import Move, Row, Run
from unshuffle.games.spider.view import View
from unshuffle.rulebook import check_fields
from unshuffle.views import Pictured

_ALLOWED: dict[str, Iterable[object]] = {
    "suits": (1, 2, 4),
    "deal_on_empty": (False, True),
    "piles": range(2, 11),
    "ranks": range(2, 14),
    "runs": range(1, 9),
    "table": range(2, 105),
}

Pile = tuple[Card, ...]

_FOLDED: Mapping[int, Mapping[Suit, Suit]] = {
    1: dict.fromkeys(Suit, Suit.SPADES),
    2: {suit: Suit.SPADES if suit in (Suit.CLUBS, Suit.SPADES) else Suit.HEARTS for suit in Suit},
    4: {suit: suit for suit in Suit},
}
"""The replacement of each suit in packs with fewer suits, so that a seed has the same ranks in the same places."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The choices in which one Spider differs from another."""

    allowed: ClassVar[Mapping[str, Iterable[object]]] = _ALLOWED
    """The values that a field may have; a field that is missing here is checked separately."""

    suits: int = 4
    """Suits in the pack: 1, 2 or 4."""
    deal_on_empty: bool = True
    """A row may be dealt while a pile is empty."""
    piles: int = 10
    """Piles on the table; fewer than 10 for tests, as with the fields below."""
    ranks: int = 13
    """Cards in a run, from the ace."""
    runs: int = 8
    """Runs in the pack, equally many of each suit."""
    table: int = 54
    """Cards dealt to the piles; the rest are rows."""

    def __post_init__(self) -> None:
        check_fields(self, _ALLOWED)
        cards, faults = self.runs * self.ranks, []
        if self.runs % self.suits:
            faults.append(f"runs={self.runs} is not allowed with suits={self.suits}: it is a multiple of the suits")
        if self.table < self.piles:
            faults.append(f"table={self.table} is not allowed with piles={self.piles}: every pile is dealt a card")
        if self.table > cards:
            faults.append(f"table={self.table} is not allowed: the deck has {cards} cards (runs times ranks)")
        elif (cards - self.table) % self.piles:
            faults.append(
                f"table={self.table} is not allowed with piles={self.piles}: of {cards} cards it leaves "
                f"{cards - self.table} to the bank, which is not whole rows"
            )
        if faults:
            raise UsageError("; ".join(faults))

    @property
    def pack(self) -> Pile:
        """The cards in their order before a shuffle."""
        return _pack(self.suits, self.ranks, self.runs)

    @property
    def first_bank(self) -> int:
        """Cards in the bank before the first row."""
        return self.runs * self.ranks - self.table

    @property
    def first_down(self) -> tuple[int, ...]:
        """How many cards of each pile are dealt face down: all but its last."""
        return tuple((self.table - 1 - index) // self.piles for index in range(self.piles))

    @property
    def most_sun(self) -> int:
        """The Sun score of a won game: every card turned, every pile cleared, every run gone."""
        return 10 * sum(self.first_down) + 15 * self.piles + 50 * self.runs

    @property
    def tallest(self) -> int:
        """The most cards that a pile can hold.

        Its face-up cards are descending sequences, and only the first turned card and the dealt ones begin one.
        """
        return self.first_down[0] + self.ranks * (1 + self.first_bank // self.piles)


@cache
def _pack(suits: int, ranks: int, runs: int) -> Pile:
    folded = (_FOLDED[suits][Suit(number % 4)] for number in range(runs))
    return tuple(Card(rank, suit) for suit in folded for rank in range(1, ranks + 1))


@cache
def whole_run(suit: Suit, ranks: int) -> Pile:
    """Return a complete run as it lies: from the king, or the highest rank there is, to the ace."""
    return tuple(Card(rank, suit) for rank in range(ranks, 0, -1))


@cache
def _run(source: int, target: int, count: int) -> Run:
    # There are few different moves, and a lookup is far quicker than making one.
    return Run(source, target, count)


_ROW = Row()


@dataclass(frozen=True, slots=True)
class State(Pictured):
    """A table: piles with the bottom card first, the bank in deal order, and the runs that have left."""

    game_id: ClassVar[str] = "spider"
    can_redeal: ClassVar[bool] = False

    rules: Rules
    piles: tuple[Pile, ...]
    down: tuple[int, ...]
    """How many cards of each pile lie face down: its lowest ones."""
    bank: Pile
    completed: tuple[Suit, ...] = ()
    """The suits of the runs that have left, in order."""
    moves: int = 0
    """Moves made; a row is one."""
    id: str | None = field(default=None, compare=False)

    # What may be done.

    def legal_moves(self) -> tuple[Move, ...]:
        """Return every move: runs by source pile, then target pile, then number of cards; the row last."""
        return tuple(self.each_move())

    def each_move(self) -> Iterator[Move]:
        """Yield the legal moves one by one, for callers that do not need all of them."""
        tops = [pile[-1].rank if pile else 0 for pile in self.piles]
        for source, last in enumerate(tops, 1):
            if not last:
                continue
            longest = self.run_length(source)
            for target, onto in enumerate(tops, 1):
                if target == source:
                    continue
                if not onto:
                    for count in range(1, longest + 1):
                        yield _run(source, target, count)
                # Onto a card the length is forced: the head is one rank lower.
                elif last < onto <= last + longest:
                    yield _run(source, target, onto - last)
        if self.may_deal:
            yield _ROW

    @property
    def may_deal(self) -> bool:
        """Whether a row may be dealt."""
        return bool(self.bank) and (self.rules.deal_on_empty or all(self.piles))

    def run_length(self, number: int) -> int:
        """Return the length of the longest run at the end of a pile: face up, in suit, each card one rank lower."""
        pile, down = self.piles[number - 1], self.down[number - 1]
        start = len(pile) - 1
        while start > down and pile[start - 1] is pile[start].next_up:
            start -= 1
        return len(pile) - start if pile else 0

    # Doing it.

    def play(self, move: Move) -> State:
        """Return the table after the move. Raise IllegalMoveError if the rules forbid it."""
        reason = self._why_not(move)
        if reason:
            raise IllegalMoveError(move.token, " / ".join(str(self).splitlines()), reason)
        return self.after(move)

    def after(self, move: Move) -> State:
        """Return the table after a move that is known to be legal, without a check."""
        piles, bank = list(self.piles), self.bank
        touched: Iterable[int]
        if isinstance(move, Row):
            touched = range(len(piles))
            for index in touched:
                piles[index] += (bank[index],)
            bank = bank[len(piles) :]
        else:
            source, target = move.source - 1, move.target - 1
            piles[target] += piles[source][-move.count :]
            piles[source] = piles[source][: -move.count]
            # In this order, because completed runs are listed in the order of the piles.
            touched = (source, target) if source < target else (target, source)
        down, completed = self._settle(piles, touched)
        return State(self.rules, tuple(piles), down, bank, completed, self.moves + 1, self.id)

    def _settle(self, piles: list[Pile], touched: Iterable[int]) -> tuple[tuple[int, ...], tuple[Suit, ...]]:
        """Remove complete runs, then turn up a face-down card at the end of a pile; return `down` and `completed`."""
        ranks, down, completed = self.rules.ranks, list(self.down), self.completed
        for index in touched:
            pile = piles[index]
            if not pile:
                continue
            # All of it face up: on a face-down king the other cards are not yet a complete run.
            if (
                pile[-1].rank == 1
                and len(pile) - down[index] >= ranks
                and pile[-ranks:] == whole_run(pile[-1].suit, ranks)
            ):
                completed += (pile[-1].suit,)
                pile = piles[index] = pile[:-ranks]
            if 0 < down[index] == len(pile):
                down[index] -= 1
        return tuple(down), completed

    # Why not.

    def _why_not(self, move: Move) -> str | None:
        """Return the rule that forbids the move, or None."""
        if isinstance(move, Row):
            return self._why_no_row()
        reason = self._why_not_there(move.source) or self._why_not_a_run(move.source, move.count)
        if reason:
            return reason
        if not 1 <= move.target <= len(self.piles):
            return self._no_such_pile(move.target)
        if move.source == move.target:
            return f"the cards lie on pile {move.target} already"
        onto = self.piles[move.target - 1]
        return _why_not_onto(self.piles[move.source - 1][-move.count], onto[-1], self.rules.ranks) if onto else None

    def _why_no_row(self) -> str | None:
        if not self.bank:
            return "the bank is empty"
        if self.may_deal:
            return None
        empty = next(number for number, pile in enumerate(self.piles, 1) if not pile)
        return f"pile {empty} is empty, and no row is dealt on an empty pile in these rules"

    def _no_such_pile(self, number: int) -> str:
        return f"there is no pile {number}: the piles are 1..{len(self.piles)}"

    def _why_not_there(self, number: int) -> str | None:
        if not 1 <= number <= len(self.piles):
            return self._no_such_pile(number)
        return None if self.piles[number - 1] else f"pile {number} is empty"

    def _why_not_a_run(self, number: int, count: int) -> str | None:
        pile = self.piles[number - 1]
        if count < 1:
            return f"{count} cards do not move: a run has at least one"
        if count > len(pile):
            return f"pile {number} has only {_plural(len(pile))}"
        if count > len(pile) - self.down[number - 1]:
            return f"pile {number} has only {_plural(len(pile) - self.down[number - 1])} face up"
        longest = self.run_length(number)
        if count > longest:
            run = " ".join(card.glyph for card in pile[-longest:])
            return f"{pile[-longest - 1].glyph} does not move with {run}: a run goes down by one, in one suit"
        return None

    # How it stands.

    @property
    def outcome(self) -> Outcome | None:
        """Won when all runs have left, stuck when nothing can be done."""
        if len(self.completed) == self.rules.runs:
            return Outcome.WON
        return None if any(True for _ in self.each_move()) else Outcome.STUCK

    @property
    def joins(self) -> int:
        """Face-up cards that lie on the next higher card of their own suit, also face up."""
        return sum(
            pile[index - 1] is pile[index].next_up
            for pile, down in zip(self.piles, self.down, strict=True)
            for index in range(down + 1, len(pile))
        )

    @property
    def sun(self) -> int:
        """The Sun score of 1989: turned cards, piles without a face-down card, joins in suit, and completed runs."""
        rules = self.rules
        turned = rules.table - rules.piles - sum(self.down)
        return 10 * turned + 15 * self.down.count(0) + 2 * self.joins + 50 * len(self.completed)

    @property
    def score(self) -> int:
        """The Sun score less the moves made."""
        return self.sun - self.moves

    @property
    def rows_left(self) -> int:
        """Rows in the bank."""
        return len(self.bank) // len(self.piles)

    def view(self) -> View:
        """Return what a player sees: the face-up cards."""
        piles = tuple(
            (*(None for _ in range(down)), *pile[down:]) for pile, down in zip(self.piles, self.down, strict=True)
        )
        return View(self.rules, piles, len(self.bank), self.completed, self.moves)


_RANK_WORDS = ("an ace", *(f"a {rank}" for rank in range(2, 8)), "an 8", "a 9", "a 10", "a jack", "a queen", "a king")


def _why_not_onto(head: Card, onto: Card, ranks: int) -> str | None:
    if onto.rank == head.rank + 1:
        return None
    what = f"{head.glyph} does not go on {onto.glyph}"
    if head.rank == ranks:
        return f"{what}: a card of the highest rank goes only to an empty pile"
    return f"{what}: needs {_RANK_WORDS[head.rank]}"


def _plural(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def lay_out(rules: Rules, deck: Pile) -> State:
    """Deal a deck: the piles row by row, the last card of each face up; the rest is the bank."""
    table = deck[: rules.table]
    piles = tuple(table[index :: rules.piles] for index in range(rules.piles))
    return State(rules, piles, rules.first_down, deck[rules.table :])
