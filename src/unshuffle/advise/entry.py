"""Putting an answer into a draft: each of its lines is for a place or a label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unshuffle.advise.answers import cards_in, strict, words_of
from unshuffle.advise.parts import Draft, Setting
from unshuffle.errors import RefusedError, quote
from unshuffle.layout import Line
from unshuffle.numbers import read_up_to
from unshuffle.places.text import EMPTY

if TYPE_CHECKING:
    from unshuffle.advise.typed import TypedPlaces


class Entry:
    """A draft while an answer is put in."""

    def __init__(self, typed: TypedPlaces, draft: Draft, setting: Setting, *, is_new: bool) -> None:
        count = typed.area.count or 0
        self.typed = typed
        self.setting = setting
        self.cells = [""] * count if is_new else [*draft.cells, *[""] * (count - len(draft.cells))]
        self.labels = dict(draft.labels)
        self.notes: list[str] = []

    @property
    def draft(self) -> Draft:
        """The current draft."""
        return Draft(tuple(self.cells), self.labels)

    def take(self, line: Line) -> None:
        """Put in one line of the answer."""
        typed, label = self.typed, line.label
        kind, _, told = (label or "").partition(" ")
        number = read_up_to(told, 999) if kind == typed.one else line.number
        if label is None:
            self._put_next(line)
        elif number is not None:
            self._put(self._index(number), line)
        elif label == "deck":
            dealt = typed.deal(line, self.setting)
            marks = {name: value for name, value in self.labels.items() if name not in typed.places.by_name}
            self.cells, self.labels = list(dealt.cells), marks | dict(dealt.labels)
        elif label == "id" or (label.startswith("redeal ") and typed.places.coming is not None):
            hidden = "the adviser knows no more than you see"
            why = "the coming redeals stay unknown to the adviser" if typed.places.coming is not None else hidden
            self.notes.append(f"'{label.capitalize()}:' is not used: {why}.")
        elif label in typed.known(self.setting):
            self._put_label(label, line)
        else:
            known = (*[f"{typed.one} 1"] * (typed.area.form == "each"), *typed.known(self.setting), "deck")
            names = ", ".join(f"{name.capitalize()}:" for name in known)
            raise RefusedError(f"{quote(label + ':')} has no place here; expected {names} or cards")

    def _index(self, number: int) -> int:
        area, one = self.typed.area, self.typed.one
        most = area.count or len(self.typed.places.pack)
        if not 1 <= number <= most:
            numbered = f"the {area.name} are" if area.count else f"{area.name} are numbered"
            raise RefusedError(f"{one} {number}: {numbered} 1..{most}")
        return number - 1

    def _put(self, index: int, line: Line) -> None:
        text = self.typed.read_place(line, index + 1, self.setting)
        if line.label is None and text == EMPTY and self.typed.area.count is None and not self.typed.keeps_empty:
            self.notes.append(f"An empty {self.typed.one} is gone for good in these rules: nothing to enter.")
            return
        self.cells += [""] * (index + 1 - len(self.cells))
        self.cells[index] = text

    def _put_next(self, line: Line) -> None:
        """Put in a line without a label: it answers the last question."""
        typed = self.typed
        wanted = typed.wanted(self.draft)
        tokens = line.tokens
        if typed.is_dealt_at_once and not any(self.cells) and len(tokens) == len(self.cells) and _are_cards(line):
            self.cells = [
                typed.read_place(Line(None, (token,), token.place), number, self.setting)
                for number, token in enumerate(tokens, 1)
            ]
            self.labels |= typed.draft_of(typed.game.start(typed.game.pack)).labels
        elif wanted == typed.area.name:
            self._put(self.cells.index("") if "" in self.cells else len(self.cells), line)
        elif wanted:
            self.labels |= typed.read_label(wanted, line)
        else:
            raise RefusedError(typed.full)

    def _put_label(self, label: str, line: Line) -> None:
        """Put in a labelled line. An empty value removes the label; after a `+` cards are added to the old value."""
        value = strict(line.tokens)
        if value.startswith("+"):
            value = " ".join([*words_of(self.labels.get(label, "")), *value[1:].split()]) or EMPTY
        if value:
            self.labels[label] = self.typed.written(label, value)
        else:
            self.labels.pop(label, None)


def _are_cards(line: Line) -> bool:
    return all(len(cards_in(token.text)) == 1 for token in line.tokens)
