"""The answers by which a table is typed, in every game: lines, labels and whole decks, or why they are refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from unshuffle.advise.adviser import Draft
from unshuffle.cards import Card, format_cards
from unshuffle.errors import Faults, InvalidDealError, RefusedError, quote
from unshuffle.layout import Line, read_deck, read_lines
from unshuffle.numbers import plural

_MOST_FAULTS = 30
_MOST_CHARACTERS = 10_000
"""A table needs a twentieth of it."""


def read_answer(answer: str) -> list[Line]:
    """Its lines; none if it is a comment."""
    try:
        return read_lines(answer, Faults())
    except InvalidDealError as error:
        raise RefusedError(str(error)) from None


def is_whole_board(lines: Iterable[Line]) -> bool:
    """Whether several lines have no label, so that they take the place of what was there."""
    return sum(line.label is None for line in lines) > 1


class Entry:
    """A draft of so many piles while an answer goes into it."""

    def __init__(self, draft: Draft, piles: int, lines: Iterable[Line], is_edit: bool) -> None:
        is_new = is_edit and is_whole_board(lines)
        self.cells = [""] * piles if is_new else [*draft.cells, *[""] * (piles - len(draft.cells))]
        self.labels = dict(draft.labels)
        self.notes: list[str] = []

    def place(self, number: int) -> int:
        """The index of the pile with this number."""
        if not 1 <= number <= len(self.cells):
            raise RefusedError(f"pile {number}: the piles are 1..{len(self.cells)}")
        return number - 1

    def replace(self, draft: Draft) -> None:
        """Another table takes the place of this one."""
        self.cells, self.labels = list(draft.cells), dict(draft.labels)

    def pass_over_id(self) -> None:
        """The id would tell what is hidden."""
        self.notes.append("'Id:' is not used: the adviser knows no more than you see.")

    @property
    def draft(self) -> Draft:
        """As it stands."""
        return Draft(tuple(self.cells), self.labels)


def put_label(labels: dict[str, str], line: Line) -> None:
    """What a labelled line says; nothing behind the label takes it away."""
    assert line.label is not None
    value = " ".join(token.text for token in line.tokens)
    labels.pop(line.label, None)
    if value:
        labels[line.label] = value


def no_place(label: str, known: Iterable[str]) -> RefusedError:
    """A label that says nothing here, beside those that do."""
    names = ", ".join(f"{name.capitalize()}:" for name in (*known, "deck"))
    return RefusedError(f"{quote(label + ':')} has no place here; expected {names} or cards")


def read_whole_deck(line: Line, pack: Sequence[Card]) -> tuple[Card, ...]:
    """The cards of a `Deck:` line, with all that is wrong with it."""
    faults = Faults()
    deck = read_deck(line.tokens, pack, faults)
    try:
        faults.check()
    except InvalidDealError as error:
        raise RefusedError("\n".join(fault.message for fault in error.faults)) from None
    return deck


def check_whole(cards: Sequence[Card], pack: Sequence[Card]) -> None:
    """Refuse a `Deck:` that is not the pack, with the cards that are missing."""
    if sorted(cards) != sorted(pack):
        missing = sorted(set(pack) - set(cards))
        lacks = f"; missing: {format_cards(missing)}" if missing else ""
        raise RefusedError(f"'Deck:' has {plural(len(cards), 'card')}, expected {len(pack)}, each once{lacks}")


def draft_text(piles: Iterable[str], labels: Mapping[str, str]) -> str:
    """Layout text: a line for each pile, then the labelled lines."""
    return "\n".join([*piles, *(f"{label.capitalize()}: {value}" for label, value in labels.items())])


def check_length(text: str) -> None:
    """Refuse what is much longer than a table."""
    if len(text) > _MOST_CHARACTERS:
        raise RefusedError("that is more than a table can hold")


def first_faults(texts: Sequence[str]) -> list[str]:
    """Not more than a person reads."""
    more = len(texts) - _MOST_FAULTS
    return list(texts) if more <= 0 else [*texts[:_MOST_FAULTS], f"... and {more} more"]
