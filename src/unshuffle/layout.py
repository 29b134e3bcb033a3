"""Reading layout text: lines, labels and cards with their positions, and every fault found on the way.

Each game defines the meaning of its lines; the form of lines, labels, comments and cards is the same in all games.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from unshuffle.cards import EXPECTED_CARD, Card, format_cards, split_cards
from unshuffle.errors import Faults, ParseError, Place, quote
from unshuffle.numbers import MOST, plural, read_up_to

MOST_CHARACTERS = 100_000
"""A longer text is rejected unread, comments apart (histories have wins in them): no deal needs a hundredth of it."""

# Only the line ends that editors count, so that the line number in a message is the one they show.
_LINE_END = re.compile(r"\r\n|\n|\r")
_TOKEN = re.compile(r"[^\s,]+")
_LABEL = re.compile(
    r"\s*(?:\[\s*(?P<boxed>[0-9]+)\s*\]:?|(?P<number>[0-9]+)\s*:|(?P<word>[A-Za-z]+(?:[ ][A-Za-z0-9]+)?)\s*:)"
)
_COMMENT = re.compile(r"\[[^\[\]]*\]|(?<=[0-9]:)(?:\s*+(?:##)++(?!\S))+|#")
_NUMBERED = re.compile(r"([a-z]+) 0*([0-9]{1,3})")
_PIECE = re.compile(r"[\[\]]|[^\[\]]+")

UNSEEN = "##"
"""A face-down card in layout text."""
NEVER_SHOWN = "never came to light"
"""Words in a comment of an export that contains cards nobody saw, in an arbitrary order."""


class Token(NamedTuple):
    """A word of a layout text with its position."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a layout: its label in lower case, if it has one ('foundations', 'redeal 1', '3'), and its words."""

    label: str | None
    tokens: tuple[Token, ...]
    place: Place

    @property
    def number(self) -> int | None:
        """The label as a number; None if it is a word or missing."""
        return None if self.label is None else read_up_to(self.label, MOST)


def never_shown(text: str) -> str:
    """Return the comment of a text about cards that nobody saw; '' if it has none."""
    told = next((line for line in text.splitlines() if line.startswith("#") and NEVER_SHOWN in line), "")
    return told.lstrip("# ")


def without_remarks(text: str) -> str:
    """Return the text with its comment lines emptied."""
    return "\n".join("" if line.startswith("#") else line for line in text.splitlines())


def split_lines(text: str, faults: Faults) -> list[str]:
    """Return the lines of a text as an editor counts them; raise InvalidDealError for a text that is far too long."""
    lines = _LINE_END.split(text)
    if len(text) > MOST_CHARACTERS < sum(len(line) for line in lines if not line.startswith("#")):
        faults.add(f"the text is longer than {MOST_CHARACTERS:,} characters, which no deal is")
        faults.check()
    return lines


def read_lines(text: str, faults: Faults) -> list[Line]:
    """Return the lines that are not empty; `/` ends a line too, and `#` starts a comment."""
    lines: list[Line] = []
    for number, raw in enumerate(split_lines(text, faults), 1):
        label = _LABEL.match(raw)
        if label is not None and (label["word"] or "").lower() == "id":
            # An id may contain `/` and `#`, so its line is not split.
            value = raw[label.end() :].strip()
            place = Place(number, 1 + raw.index(value, label.end()) if value else label.end() + 1)
            lines.append(Line("id", (Token(value, place),) if value else (), place))
            continue
        lines.extend(_read_line(_without_comment(raw), number))
    return lines


def _without_comment(text: str) -> str:
    """Return the text up to its comment. In brackets, and right after a pile's number, `##` is a face-down card."""
    start = next((match.start() for match in _COMMENT.finditer(text) if match[0] == "#"), len(text))
    return text[:start]


def _read_line(text: str, number: int) -> Iterator[Line]:
    start = 0
    for part in text.split("/"):
        label = _LABEL.match(part)
        skip = label.end() if label is not None else 0
        found = _TOKEN.finditer(part, skip)
        tokens = tuple([Token(match[0], Place(number, start + match.start() + 1)) for match in found])
        if tokens or label is not None:
            name = None if label is None else next(group for group in label.groups() if group is not None).lower()
            yield Line(name, tokens, Place(number, start + len(part) - len(part.lstrip()) + 1))
        start += len(part) + 1


@dataclass(frozen=True, slots=True)
class Layout:
    """The lines of a layout: those with a word as label, and the others in their order (a number may label them)."""

    labelled: Mapping[str, Line]
    rows: tuple[Line, ...]


def read_layout(text: str, labels: Sequence[str], faults: Faults) -> Layout:
    """Read the lines and sort them by their labels; an unknown or repeated label is a fault.

    A label such as 'redeal n' stands for all its numbers.
    """
    labelled: dict[str, Line] = {}
    rows = []
    for line in read_lines(text, faults):
        if line.label is None or line.number is not None:
            rows.append(line)
            continue
        label = line.label
        is_known = label in labels and not label.endswith(" n")
        if numbered := _NUMBERED.fullmatch(label):
            label = f"{numbered[1]} {numbered[2]}"
            is_known = f"{numbered[1]} n" in labels
        if not is_known:
            known = ", ".join(f"{known.capitalize()}:" for known in labels)
            faults.add(f"{quote(line.label)} is not a label; expected {known} or cards", line.place)
        elif label in labelled:
            faults.add(f"'{label.capitalize()}:' is there twice (first at {labelled[label].place})", line.place)
        else:
            labelled[label] = line
    return Layout(labelled, tuple(rows))


def read_cards(tokens: Iterable[Token], faults: Faults) -> list[tuple[Card, Place]]:
    """Return the cards of a line, each with its position; a word that is not a card is a fault."""
    cards = []
    for token in tokens:
        try:
            cards.append((Card.parse(token.text), token.place))
        except ParseError:
            joined = split_cards(token.text)
            if joined is None:
                faults.add(f"{quote(token.text)} is not a card; {EXPECTED_CARD}", token.place)
                continue
            for offset, part in joined:
                place = Place(token.place.line, token.place.column + offset)
                cards.append((Card.parse(part), place))
    return cards


def read_pile_lines(rows: Sequence[Line], count: int, faults: Faults) -> tuple[dict[int, Line], list[Line]]:
    """Return the line of each pile by its number, and the lines of no pile, which are faults.

    A missing line is a fault too; its pile is not in the result.
    """
    lines: dict[int, Line] = {}
    others = []
    for line in rows:
        number = line.number
        if line.label is None or number is None:
            faults.add(f"{quote(line.tokens[0].text)}: expected a label, such as '3:' for pile 3", line.place)
        elif not 1 <= number <= count:
            faults.add(f"there is no pile {quote(line.label)}: the piles are 1..{count}", line.place)
        elif number in lines:
            faults.add(f"pile {number} is there twice (first at {lines[number].place})", line.place)
        else:
            lines[number] = line
            continue
        others.append(line)
    missing = [f"'{number}:'" for number in range(1, count + 1) if number not in lines]
    if missing:
        what = f"lines {', '.join(missing)} are" if len(missing) > 1 else f"line {missing[0]} is"
        faults.add(f"the {what} missing: every pile has one")
    return lines, others


def is_unseen(token: Token) -> bool:
    """Return whether the word is `##`, or several of them without blanks."""
    return token.text.replace(UNSEEN, "") == ""


def split_brackets(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the words with each square bracket as a word of its own."""
    for token in tokens:
        if "[" not in token.text and "]" not in token.text:
            yield token
            continue
        for piece in _PIECE.finditer(token.text):
            yield Token(piece.group(), Place(token.place.line, token.place.column + piece.start()))


class Seen:
    """The cards met so far in a layout that holds each card once, or as often as `times` says."""

    def __init__(self, faults: Faults, times: Mapping[Card, int] | None = None) -> None:
        self._faults = faults
        self._times = times or {}
        self.places: dict[Card, Place] = {}
        """The position where each card was met first."""
        self.counts: Counter[Card] = Counter()

    def is_new(self, card: Card, place: Place) -> bool:
        """Note the card; one too many is a fault that names its position and the first one."""
        first = self.places.setdefault(card, place)
        count, times = self.counts.get(card, 0) + 1, self._times.get(card, 1)
        self.counts[card] = count
        if count <= times:
            return True
        often = "twice" if times == 1 else f"{count} times"
        self._faults.add(f"'{card}' is on the table {often} (first at {first})", place)
        return False


def read_deck(tokens: Iterable[Token], pack: Sequence[Card], faults: Faults) -> tuple[Card, ...]:
    """Return a whole deck in deal order: every card of the pack, as often as the pack has it."""
    cards = read_cards(tokens, faults)
    allowed = Counter(pack)
    first: dict[Card, Place] = {}
    count: Counter[Card] = Counter()
    for card, place in cards:
        count[card] += 1
        if card not in allowed:
            faults.add(f"'{card}' does not belong to this pack", place)
        elif count[card] > allowed[card]:
            times = "twice" if allowed[card] == 1 else f"{count[card]} times"
            faults.add(f"'{card}' is in the deck {times} (first at {first[card]})", place)
        first.setdefault(card, place)
    missing = list((allowed - count).elements())
    if missing:
        size = plural(len(cards), "card")
        faults.add(f"the deck has {size}, expected {len(pack)}; missing: {format_cards(sorted(missing))}")
    return tuple(card for card, _ in cards)
