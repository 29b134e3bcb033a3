"""Reading layout text by the places of a game. Every fault is noted with its position, and reading goes on.

A game with lines of its own overrides the method that reads them; a game with more rules about tables the checks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from unshuffle.cards import Card, Suit, format_cards
from unshuffle.errors import Faults, Place, quote
from unshuffle.layout import (
    UNSEEN,
    Layout,
    Line,
    Seen,
    Token,
    is_unseen,
    read_cards,
    read_pile_lines,
    split_brackets,
)
from unshuffle.numbers import read_whole
from unshuffle.places import Area, Board, Mark, Pile, Places
from unshuffle.places.text import EMPTY

_MOST_CARDS = 999
_ONE_EMPTY: tuple[Pile, ...] = ((),)


class Reader:
    """A reader of one text. It collects the cards it meets."""

    def __init__(self, places: Places, layout: Layout, faults: Faults, *, is_seen_enough: bool = False) -> None:
        self.places = places
        self.layout = layout
        self.faults = faults
        self.is_seen_enough = is_seen_enough
        """Whether cards may be unknown (`##`, or a stock given by its size)."""
        self.untold = 0
        """How many cards are unknown."""
        self.allowed = frozenset(places.pack)
        self.seen = Seen(faults, dict(places.times))
        self.lies_in: dict[Card, str] = {}
        """The place of each card on the table, in words."""
        self.unread: set[Suit] = set()
        """The suits whose foundations could not be read."""
        self.marks: dict[str, int] = {}
        self.down: dict[str, tuple[int, ...]] = {}

    def board(self) -> Board:
        """Read the whole table. The result is valid only if there is no fault."""
        self.read_rest()
        piles: dict[str, tuple[Pile, ...]] = {}
        for part in self.places.parts:
            if isinstance(part, Mark):
                self.marks[part.name] = self.mark(part, self.line(part.name))
            elif part is not None and part.form != "follows":
                piles[part.name] = self.area(part)
        for area in self.places.areas:
            if area.form == "follows":
                piles[area.name] = self.follows(area) if not self.untold else self.tops(area)
            elif area.form == "none":
                piles[area.name] = _ONE_EMPTY * (area.count or 0)
        self.check(piles)
        coming = self.coming(set(self.lies_in))
        return Board(self.places, piles, self.marks, self.down, self.unknown(piles) if self.untold else None, coming)

    def unknown(self, piles: Mapping[str, tuple[Pile, ...]]) -> dict[str, tuple[int, ...]]:
        """Return how many cards of each place are unknown, counted up to the last `##`."""
        return {
            name: tuple([0 if all(pile) else len(pile) - pile[::-1].index(None) for pile in piles[name]])
            for name in self.down
        }

    def line(self, name: str) -> Line | None:
        """Return the line with this label."""
        return self.layout.labelled.get(name)

    def read_rest(self) -> None:
        """Read lines that belong to no place. A game whose lines all have word labels overrides this to add faults."""

    # Areas.

    def area(self, area: Area) -> tuple[Pile, ...]:
        """Return the places of an area."""
        match area.form:
            case "rows":
                return self.rows(area)
            case "numbered":
                return self.numbered(area)
            case "each":
                return self.each(area)
            case "tops":
                return self.tops(area)
        return self.labelled(area, self.line(area.name))

    def rows(self, area: Area) -> tuple[Pile, ...]:
        """Return the places of an area with a line for each; a fault names a place by the number label of its line."""
        piles: list[Pile] = []
        for line in self.layout.rows:
            if [token.text for token in line.tokens] == [EMPTY]:
                if self.keeps_empty(area):
                    piles.append(())
                continue
            # A duplicate card is a fault already; an emptied line stays only so that reading can go on.
            if cards := self.faces(line.tokens, f"{area.kind} {line.number or len(piles) + 1}"):
                piles.append(cards)
        if area.count is None:
            return tuple(piles)
        if len(piles) > area.count:
            self.faults.add(f"there are {area.count} {area.name}, not {len(piles)}", self.layout.rows[area.count].place)
        return (*piles, *[()] * area.count)[: area.count]

    def keeps_empty(self, area: Area) -> bool:
        """Return whether an empty place stays on the table."""
        return area.count is not None

    def numbered(self, area: Area) -> tuple[Pile, ...]:
        """Return the places from lines with number labels, and note how many cards of each lie face down."""
        count = area.count or 0
        lines, others = read_pile_lines(self.layout.rows, count, self.faults)
        for line in others:
            self.pile(area, 0, line)  # the line is no pile's, but its cards are not missing
        read = [self.pile(area, n, lines[n]) if n in lines else ((), 0) for n in range(1, count + 1)]
        self.down[area.name] = tuple(down for _, down in read)
        return tuple(pile for pile, _ in read)

    def pile(self, area: Area, number: int, line: Line) -> tuple[Pile, int]:
        """Return a pile, bottom card first, and its count of face-down cards; `number` is 0 for a line of no pile."""
        where = f"{area.kind} {number}"
        if self.is_empty(line, where):
            return (), 0
        below, above = self.split_pile(area, line)
        down = self.cards(below, where, line.place)
        pile = down + tuple(card for card in self.cards(above, where, line.place) if card is not None)
        if number:
            if below and not above:
                self.faults.add(f"{where} has only face-down cards: its top card is face up", line.place)
            self.check_pile(number, max(len(below), len(down)), pile, line.place)
        return pile, len(down)

    def split_pile(self, area: Area, line: Line) -> tuple[list[Token], list[Token]]:
        """Return the words of a pile for its face-down cards, which brackets enclose, and for the others."""
        below: list[Token] = []
        above: list[Token] = []
        opened: Token | None = None
        brackets = 0
        for token in split_brackets(line.tokens):
            if token.text == "[":
                if opened is not None or brackets or above:
                    together = f"the face-down cards of a {area.kind} lie together at its bottom"
                    self.faults.add(f"'[': {together}", token.place)
                opened, brackets = token, brackets + 1
            elif token.text == "]":
                if opened is None:
                    self.faults.add("']' closes nothing", token.place)
                elif not below:
                    self.faults.add("the brackets are empty", opened.place)
                opened = None
            else:
                (above if opened is None else below).append(token)
        if opened is not None:
            self.faults.add("'[' is never closed", opened.place)
        return below, above

    def check_pile(self, number: int, down: int, pile: Pile, place: Place) -> None:
        """Add the faults of a pile that no deal leads to. Games override it."""

    def each(self, area: Area) -> tuple[Pile, ...]:
        """Return the places of an area with a labelled line for each."""
        count, lines = area.count or 0, self.layout.labelled
        labels = [f"{area.kind} {number}" for number in range(1, count + 1)]
        for label, line in lines.items():
            if label.startswith(f"{area.kind} ") and label not in labels:
                self.faults.add(f"there is no {label}: the {area.name} are 1..{count}", line.place)
                self.faces_of(line, label)  # its cards are not missing
        if missing := [f"'{label.capitalize()}:'" for label in labels if label not in lines]:
            what = f"lines {', '.join(missing)} are" if len(missing) > 1 else f"line {missing[0]} is"
            one = "a space" if area.kind == "pile" else f"an empty {area.kind}"
            self.faults.add(f"the {what} missing: every {area.kind} has one, with nothing behind it if it is {one}")
        return tuple(self.faces_of(lines.get(label), label) for label in labels)

    def tops(self, area: Area) -> tuple[Pile, ...]:
        """Return the foundations from their top cards, in the order of their suits."""
        line = self.line(area.name)
        empty: tuple[Pile, ...] = ((),) * len(area.suits)
        order = " ".join(suit.letter for suit in area.suits)
        if line is None or len(line.tokens) != len(area.suits):
            self.unread.update(area.suits)
            if line is not None:
                expected = f"expected {len(area.suits)}: the top cards in the order {order}, '{EMPTY}' for none"
                self.faults.add(f"the {area.name} have {len(line.tokens)} entries; {expected}", line.place)
            return empty
        piles = dict(zip(area.suits, empty, strict=True))
        for suit, token in zip(area.suits, line.tokens, strict=True):
            if token.text == EMPTY:
                continue
            base = self.base()
            self.unread.add(suit)
            for card, place in self.read([token]):
                if card.suit is not suit:
                    words = f"'{card}' stands in the place of {suit.word}; the order is {order}, '{EMPTY}' for none"
                    self.faults.add(words, place)
                elif base is not None:
                    ranks = len({card.rank for card in self.places.pack})
                    up = (card.rank - base) % ranks + 1
                    piles[suit] = tuple(Card((base - 1 + step) % ranks + 1, suit) for step in range(up))
                    self.unread.discard(suit)
        return tuple(piles.values())

    def base(self) -> int | None:
        """Return the rank with which foundations begin; None if it is unknown."""
        return 1

    def follows(self, area: Area) -> tuple[Pile, ...]:
        """Return the foundations: the cards that lie nowhere else, which must be the lowest of their suits."""
        piles: list[Pile] = []
        for suit in area.suits:
            cards = [card for card in self.places.pack if card.suit is suit]
            lying = [card for card in cards if card in self.lies_in]
            height = cards.index(lying[0]) if lying else len(cards)
            if absent := [card for card in cards[height:] if card not in self.lies_in]:
                nowhere = f"{format_cards(absent)} {'is' if len(absent) == 1 else 'are'} nowhere"
                self.faults.add(f"{suit.word}: {nowhere}, but {lying[0]} is in {self.lies_in[lying[0]]}")
            piles.append(tuple(cards[:height]))
        line = self.line(area.name)
        rows = next((f"{other.kind}s" for other in self.places.areas if not other.is_above), "rest")
        if line is not None:
            self._check_tops(area, line, piles, rows)
        if not self.lies_in and not self.faults and (line is None or len(line.tokens) < len(area.suits)):
            deck = f"'Deck:' and {len(self.places.pack)} cards"
            self.faults.add(f"no cards: expected {rows}, one per line, or {deck}")
        return tuple(piles)

    def _check_tops(self, area: Area, line: Line, piles: Sequence[Pile], rows: str) -> None:
        """Check the line of top cards against the foundations that follow from the other cards."""
        tops: dict[Suit, tuple[Card, Place]] = {}
        for card, place in read_cards((token for token in line.tokens if token.text not in (EMPTY, "--")), self.faults):
            if card.suit in tops:
                self.faults.add(f"'{card}' is a second foundation of {card.suit.word}", place)
            tops.setdefault(card.suit, (card, place))
        for suit, pile in zip(area.suits, piles, strict=True):
            implied = f"{pile[-1]} on top" if pile else "an empty foundation"
            if suit in tops and tops[suit][0] not in pile[-1:]:
                card, place = tops[suit]
                where = f" ({card} is in {self.lies_in[card]})" if card in self.lies_in else ""
                wrong = f"the foundation of {suit.word} cannot end with {card}{where}"
                self.faults.add(f"{wrong}: the {rows} leave {implied}", place)
            elif suit not in tops and pile:
                self.faults.add(
                    f"the foundation of {suit.word} is not listed, but the {rows} leave {implied}", line.place
                )

    def labelled(self, area: Area, line: Line | None) -> tuple[Pile, ...]:
        """Return the places of an area from the line with its name; a stock may be given by its size."""
        if area.kind == "stock":
            return (self.stock(area, line),)
        count = area.count or 0
        tokens = () if line is None or self.is_empty(line, f"the {area.kind}") else line.tokens
        if count == 1:
            return (self.faces(tokens, f"the {area.kind}"),)
        places = [() if token.text == EMPTY else self.faces([token], f"a {area.kind}") for token in tokens]
        if line is not None and len(places) > count:
            self.faults.add(f"the {area.name} hold {count} cards, not {len(places)}", line.place)
        return (*places, *[()] * count)[:count]

    def stock(self, area: Area, line: Line | None) -> Pile:
        """Return a stock, the next card first."""
        pile: Pile = ()
        if line is not None and not self.is_empty(line, f"the {area.name}"):
            size = line.tokens[0].text if len(line.tokens) == 1 else ""
            number = read_whole(size, _MOST_CARDS)
            if number is None:
                pile = self.cards(line.tokens, f"the {area.name}", line.place)
            else:
                pile = (None,) * number
                self.note_untold(number, f"'{area.name.capitalize()}: {size}' tells no cards", line.place)
            # Wrong words count as cards, and so do cards without a blank between them.
            count = len(pile) if number is not None else max(len(line.tokens), len(pile))
            self.check_stock(area, count, line.place)
        self.down[area.name] = (len(pile),)
        return pile

    def check_stock(self, area: Area, size: int, place: Place) -> None:
        """Add the fault of a size that no deal leaves. Games override it."""

    # Cards.

    def is_empty(self, line: Line, what: str) -> bool:
        """Return whether the line stands for an empty place."""
        return [token.text for token in line.tokens] in ([], [EMPTY])

    def read(self, tokens: Iterable[Token]) -> list[tuple[Card, Place]]:
        """Return the cards of these words that belong to the pack, each with its position in the text."""
        cards = []
        for card, place in read_cards(tokens, self.faults):
            if card in self.allowed:
                cards.append((card, place))
            else:
                self.faults.add(f"'{card}' does not belong to this pack", place)
        return cards

    def is_new(self, card: Card, place: Place) -> bool:
        """Return whether the card is met for the first time; a second one is a fault."""
        return self.seen.is_new(card, place)

    def faces(self, tokens: Iterable[Token], where: str) -> tuple[Card, ...]:
        """Return the cards of these words that are new on the table."""
        cards = tuple([card for card, place in self.read(tokens) if self.is_new(card, place)])
        self.lies_in.update(dict.fromkeys(cards, where))
        return cards

    def faces_of(self, line: Line | None, where: str) -> tuple[Card, ...]:
        """Return the new cards of a line."""
        return () if line is None or self.is_empty(line, where) else self.faces(line.tokens, where)

    def cards(self, tokens: Iterable[Token], where: str, place: Place) -> Pile:
        """Return the new cards of these words, with None for each `##`."""
        cards: list[Card | None] = []
        for token in tokens:
            if is_unseen(token):
                cards += [None] * (len(token.text) // len(UNSEEN))
            else:
                cards += self.faces([token], where)
        self.note_untold(cards.count(None), f"'{UNSEEN}' tells no card", place)
        return tuple(cards)

    def note_untold(self, count: int, what: str, place: Place) -> None:
        """Count unknown cards; they are a fault unless `is_seen_enough`."""
        self.untold += count
        if count and not self.is_seen_enough:
            self.faults.add(f"{what}; expected every card (only hidden play does without, as in `advise`)", place)

    def check(self, piles: Mapping[str, tuple[Pile, ...]]) -> None:
        """Check that each card of the pack lies in one place: on the table or, below a top card, on a foundation."""
        follows = any(area.form == "follows" for area in self.places.areas)
        if self.base() is None or (follows and not self.untold):
            return  # `follows` has already checked this
        tops = [area.name for area in self.places.areas if area.form in ("tops", "follows")]
        up = Counter(card for name in tops for pile in piles[name] for card in pile)
        missing: list[Card] = []
        for card, times in self.places.times:
            if card.suit in self.unread:
                continue
            there = min(times, self.seen.counts[card])  # a surplus card is a fault already
            if up[card] and there + up[card] > times:
                held = f"the foundation of {card.suit.word} holds it too"
                self.faults.add(f"'{card}' is on the table, but {held}", self.seen.places[card])
            missing += [card] * (times - there - up[card])
        nowhere = "neither on the table nor on a foundation"
        if self.untold and len(missing) != self.untold:
            named = f": {format_cards(missing)}" if len(missing) < self.untold else ""
            self.faults.add(f"{self.untold} cards are unseen, but {len(missing)} are {nowhere}{named}")
        elif missing and not self.untold:
            self.faults.add(f"{format_cards(missing)} {'is' if len(missing) == 1 else 'are'} nowhere, {nowhere}")

    # Marks and redeals.

    def mark(self, mark: Mark, line: Line | None) -> int:
        """Return the value of a mark."""
        if line is None:
            return mark.start
        words = " ".join(token.text for token in line.tokens)
        number = read_whole(words)
        if number is not None and number in mark.values:
            return number
        self.faults.add(f"{quote(words)} is not {mark.what}; expected {mark.expected}", line.place)
        return mark.start

    def beside(self, cards: Iterable[Card]) -> tuple[dict[str, int], tuple[tuple[Card, ...], ...]]:
        """Return the marks and the coming redeals of a table with these cards that other lines describe."""
        self.marks = {mark.name: self.mark(mark, self.line(mark.name)) for mark in self.places.marks}
        return self.marks, self.coming(set(cards))

    def coming(self, on_table: set[Card]) -> tuple[tuple[Card, ...], ...]:
        """Return the typed orders of the coming redeals."""
        coming = self.places.coming
        if coming is None:
            return ()
        left = coming.left(self.marks)
        labelled = self.layout.labelled.items()
        lines = {int(label.split()[1]): line for label, line in labelled if label.startswith("redeal ")}
        orders = []
        for number, line in sorted(lines.items()):
            if not 1 <= number <= left:
                there = f"{left} redeal{'s are' if left > 1 else ' is'} left" if left else "no redeal is left"
                self.faults.add(f"'Redeal {number}:' cannot come: {there}", line.place)
            elif number > 1 and number - 1 not in lines:
                self.faults.add(f"'Redeal {number}:' is there without 'Redeal {number - 1}:'", line.place)
            orders.append(self.order(number, line, set(coming.pack) or on_table))
        return tuple(filter(None, orders))

    def order(self, number: int, line: Line, wanted: set[Card]) -> tuple[Card, ...]:
        """Return the order of a redeal: every wanted card once; other cards may stand in it and are skipped."""
        seen: dict[Card, Place] = {}
        for card, place in read_cards(line.tokens, self.faults):
            if seen.setdefault(card, place) is not place:
                self.faults.add(f"'{card}' is in redeal {number} twice (first at {seen[card]})", place)
        if missing := wanted - seen.keys():
            self.faults.add(self.lacking(number, sorted(missing)), line.place)
        return tuple(card for card in seen if card in wanted)

    def lacking(self, number: int, missing: Iterable[Card]) -> str:
        """Return the fault of a redeal's order that leaves out cards."""
        return f"redeal {number} lacks {format_cards(missing)}"
