"""Spider as text: piles, bank, completed runs, moves made, and move tokens."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from unshuffle.cards import SUITS, Card, Suit, format_cards
from unshuffle.errors import Faults, ParseError, Place, quote
from unshuffle.games.spider.moves import Move, Row, Run
from unshuffle.games.spider.rules import Rules, State, whole_run
from unshuffle.games.spider.view import View
from unshuffle.layout import (
    UNSEEN,
    Layout,
    Line,
    Token,
    is_unseen,
    read_cards,
    read_pile_lines,
    split_brackets,
)
from unshuffle.numbers import read_whole

LABELS = ("bank", "completed", "moves")
_EMPTY = "-"
# Where nearly all cards are missing, naming them tells nobody anything.
_MOST_NAMED = 13


def format_state(state: State) -> str:
    """The piles from their bottom, the bank in deal order, the suits of the completed runs, and the moves made."""
    return _format(state, format_cards(state.bank))


def format_view(view: View) -> str:
    """The same with `##` for each face-down card, and of the bank only its size."""
    return _format(view, str(view.bank))


def _format(table: State | View, bank: str) -> str:
    lines = []
    for number, (pile, down) in enumerate(zip(table.piles, table.down, strict=True), 1):
        hidden = (UNSEEN if card is None else f"[{card}]" for card in pile[:down])
        lines.append(" ".join([f"{number}:", *hidden, *map(str, pile[down:])]))
    completed = " ".join(suit.letter for suit in table.completed)
    lines += [f"Bank: {bank}".rstrip(), f"Completed: {completed}".rstrip(), f"Moves: {table.moves}"]
    return "\n".join(lines) + "\n"


# Reading a position.


def read(rules: Rules, layout: Layout, faults: Faults) -> State:
    """Read a position in which every card is known."""
    piles, down, bank, completed, moves = _Reader(rules, faults).table(layout)
    known = tuple(tuple(card for card in pile if card is not None) for pile in piles)
    return State(rules, known, down, tuple(card for card in bank if card is not None), completed, moves)


def read_view(rules: Rules, layout: Layout, faults: Faults) -> View:
    """Read what a player sees: face-down cards may be `##` and the bank a number. Faces that are told are hidden."""
    piles, down, bank, completed, moves = _Reader(rules, faults, takes_unseen=True).table(layout)
    seen = tuple((None,) * count + pile[count:] for pile, count in zip(piles, down, strict=True))
    return View(rules, seen, len(bank), completed, moves)


_Cards = tuple[Card | None, ...]


class _Reader:
    """The parts of a position, with all cards that are met on the way."""

    def __init__(self, rules: Rules, faults: Faults, takes_unseen: bool = False) -> None:
        self.rules = rules
        self.faults = faults
        self.allowed = Counter(rules.pack)
        self.seen: Counter[Card] = Counter()
        self.takes_unseen = takes_unseen
        """Whether cards may be there whose faces are not told."""
        self.unseen = 0
        """How many they are."""

    def table(self, layout: Layout) -> tuple[tuple[_Cards, ...], tuple[int, ...], _Cards, tuple[Suit, ...], int]:
        """Piles, face-down cards of each, bank, completed runs and moves; None is a card that is not told."""
        piles, down = self.piles(layout.rows)
        bank = self.bank(layout.labelled.get("bank"))
        completed = self.completed(layout.labelled.get("completed"))
        moves = self.moves(layout.labelled.get("moves"))
        self.check_counts()
        return piles, down, bank, completed, moves

    def piles(self, rows: Sequence[Line]) -> tuple[tuple[_Cards, ...], tuple[int, ...]]:
        """The piles and how many of their cards lie face down."""
        count = self.rules.piles
        lines, others = read_pile_lines(rows, count, self.faults)
        for line in others:
            self._split(line)  # a pile in the wrong place, but its cards are not missing
        read = [self._pile(number, lines[number]) if number in lines else ((), 0) for number in range(1, count + 1)]
        return tuple(pile for pile, _ in read), tuple(down for _, down in read)

    def _pile(self, number: int, line: Line) -> tuple[_Cards, int]:
        below, above, shows = self._split(line)
        pile, down = below + above, len(below)
        if down and not shows:
            self.faults.add(f"pile {number} has only face-down cards: its last card is face up", line.place)
        most = self.rules.first_down[number - 1]
        if down > most:
            self.faults.add(
                f"pile {number} has {down} face-down card{'s' * (down > 1)}; it is dealt with {most}", line.place
            )
        if len(pile) > self.rules.tallest:
            self.faults.add(
                f"pile {number} has {len(pile)} cards; no pile can have more than {self.rules.tallest}", line.place
            )
        ranks = self.rules.ranks
        for end in range(ranks, len(above) + 1):
            last = above[end - 1]
            if last is not None and above[end - ranks : end] == whole_run(last.suit, ranks):
                has = "ends in" if end == len(above) else "has, under other cards,"
                self.faults.add(
                    f"pile {number} {has} a complete run of {last.suit.word}: it leaves the table at once", line.place
                )
        return pile, down

    def _split(self, line: Line) -> tuple[_Cards, _Cards, bool]:
        """The face-down cards of a pile, those that lie face up, and whether any word stands for one of these."""
        if _is_empty(line):
            return (), (), False
        below: _Cards = ()
        above: _Cards = ()
        shows = False
        opened: Token | None = None
        inside = 0
        for token in split_brackets(line.tokens):
            if token.text == "[":
                if opened is not None:
                    self.faults.add("'[' is never closed", opened.place)
                opened, inside = token, 0
            elif token.text == "]":
                if opened is None:
                    self.faults.add("']' closes nothing", token.place)
                elif not inside:
                    self.faults.add("the brackets are empty", opened.place)
                opened = None
            else:
                cards = self._cards([token])
                inside += 1
                if opened is None and not is_unseen(token):
                    above += cards
                    shows = True
                    continue
                if shows:
                    self.faults.add(f"{quote(token.text)} lies face down on a card that lies face up", token.place)
                below += cards
        if opened is not None:
            self.faults.add("'[' is never closed", opened.place)
        self._note_untold(below.count(None), f"'{UNSEEN}' tells no card", line.place)
        return below, above, shows

    def bank(self, line: Line | None) -> _Cards:
        """The bank in deal order."""
        if line is None or _is_empty(line):
            return ()
        size = line.tokens[0].text if len(line.tokens) == 1 else ""
        number = read_whole(size, 999)
        if number is not None:
            cards: _Cards = (None,) * number
            count = len(cards)
            self._note_untold(count, f"'Bank: {size}' tells no cards", line.place)
        else:
            cards = self._cards(line.tokens)
            count = max(len(line.tokens), len(cards))  # a wrong word counts, and so do cards without a blank between
            self._note_untold(cards.count(None), f"'{UNSEEN}' tells no card", line.place)
        sizes = range(0, self.rules.first_bank + 1, self.rules.piles)
        if count not in sizes:
            words = ", ".join(map(str, sizes))
            self.faults.add(
                f"the bank has {count} card{'s' * (count != 1)}, which is not whole rows; it can have {words}",
                line.place,
            )
        return cards

    def completed(self, line: Line | None) -> tuple[Suit, ...]:
        """The suits of the runs that have left."""
        if line is None or _is_empty(line):
            return ()
        suits = []
        for token in line.tokens:
            suit = read_suit(token.text)
            if suit is None:
                self.faults.add(f"{quote(token.text)} is not a suit; expected C D H S", token.place)
            elif Card(1, suit) not in self.allowed:
                self.faults.add(f"no run of {suit.word} is in this pack", token.place)
            else:
                suits.append(suit)
                self.seen.update(whole_run(suit, self.rules.ranks))
        return tuple(suits)

    def moves(self, line: Line | None) -> int:
        """The moves made so far."""
        if line is None:
            return 0
        text = " ".join(token.text for token in line.tokens)
        number = read_whole(text)
        if number is not None:
            return number
        self.faults.add(f"{quote(text)} is not a number of moves; expected a whole number", line.place)
        return 0

    def check_counts(self) -> None:
        """Each card of the pack is there as often as the pack has it: on the table, in the bank or in a run."""
        for card in sorted(self.seen - self.allowed):
            self.faults.add(f"'{card}' is there {self.seen[card]} times, expected {self.allowed[card]}")
        missing = sorted((self.allowed - self.seen).elements())
        if self.unseen and len(missing) != self.unseen:
            self.faults.add(f"unseen cards: {self.unseen}; neither on the table nor in a completed run: {len(missing)}")
        elif missing and not self.unseen:
            total = sum(self.seen.values())
            names = f"; missing: {_counted(missing)}" if len(set(missing)) <= _MOST_NAMED else ""
            self.faults.add(f"there are {total} cards, expected {len(self.rules.pack)}{names}")

    def _note_untold(self, count: int, what: str, place: Place) -> None:
        """Cards whose faces nobody sees, where that is enough."""
        self.unseen += count
        if count and not self.takes_unseen:
            self.faults.add(f"{what}; expected every card (only hidden play does without, as in `advise`)", place)

    def _cards(self, tokens: Sequence[Token]) -> _Cards:
        """The cards of these words that the pack has; None for each whose face is not told."""
        cards: list[Card | None] = []
        for token in tokens:
            if is_unseen(token):
                cards += [None] * (len(token.text) // len(UNSEEN))
                continue
            for card, place in read_cards([token], self.faults):
                if card in self.allowed:
                    cards.append(card)
                    self.seen[card] += 1
                else:
                    self.faults.add(f"'{card}' does not belong to this pack", place)
        return tuple(cards)


def _is_empty(line: Line) -> bool:
    return [token.text for token in line.tokens] in ([], [_EMPTY])


def _counted(cards: Sequence[Card]) -> str:
    """Cards, each with how often it is meant: `AS, 2S (3 times)`."""
    return ", ".join(f"{card} ({count} times)" if count > 1 else str(card) for card, count in Counter(cards).items())


_SUITS = {name: suit for suit in Suit for name in (SUITS[suit].lower(), suit.glyph, suit.word)}


def read_suit(text: str) -> Suit | None:
    """A suit by its letter, its sign or its name; None if it is none."""
    return _SUITS.get(text.lower())


# Moves.

_MOVE = re.compile(r"(?P<row>d)|(?P<source>[0-9]{1,3})-(?P<target>[0-9]{1,3})(?:x(?P<count>[0-9]{1,3}))?")
_EXPECTED_MOVE = (
    "expected d (deal a row), 3-7 (one card from pile 3 to pile 7) or 3-7x4 (a run of four cards from pile 3 to pile 7)"
)


@lru_cache(maxsize=4096)  # There are few moves, and the lines of mass runs name each of them often.
def parse_token(token: str) -> Move:
    """Read a move; capitals do not matter, and `x1` may stand behind a single card."""
    match = _MOVE.fullmatch(token.strip().lower())
    if match is None:
        raise ParseError(f"{quote(token)} is not a move; {_EXPECTED_MOVE}")
    if match["row"]:
        return Row()
    return Run(int(match["source"]), int(match["target"]), int(match["count"] or 1))
