"""A table as a person types it, place by place, following the declared places of the game.

A game whose dialog has other words overrides them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

from unshuffle.advise.answers import (
    check_lone,
    is_empty,
    read_answer,
    read_pile,
    read_whole_deck,
    strict,
)
from unshuffle.advise.drafts import Drafted
from unshuffle.advise.entry import Entry
from unshuffle.advise.parts import Draft, Origin, Setting
from unshuffle.cards import Card
from unshuffle.errors import RefusedError
from unshuffle.layout import Line
from unshuffle.numbers import plural

_FACE_DOWN = re.compile(r"(^|/|[0-9][^\S\n]*:)[^\S\n]*((?:##[^\S\n]*)*##)", re.MULTILINE)
_MOST_CHARACTERS = 10_000
"""The most characters of a typed table; a table needs a twentieth of it."""


class TypedPlaces(Drafted):
    """The dialog that asks for the piles or fans one by one, then for the labelled lines of the layout text."""

    example: ClassVar[str] = ""
    """Example cards of pile 3 in the edit prompt."""
    empty_words: ClassVar[str] = " (- if it is empty)"
    """Appended to the name of the place that is asked for."""
    comment: ClassVar[str] = "that is a comment; type the cards of a pile, or ?"
    """The message that refuses a comment where `#` may be meant for face-down cards."""

    @cached_property
    def first_down(self) -> Sequence[int]:
        """The number of face-down cards in each place of a new deal."""
        return self.first.down.get(self.area.name, (0,) * len(self.first.piles[self.area.name]))

    @cached_property
    def is_dealt_at_once(self) -> bool:
        """Whether a new deal may be typed in one answer: its open cards, one for each place."""
        ups = {len(pile) - down for pile, down in zip(self.first.piles[self.area.name], self.first_down, strict=True)}
        return self.has_backs and any(self.first_down) and ups == {1}

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """The labels that are asked for after the places, stocks last."""
        areas = [self.places[label] for label in self.labels if label in self.places.by_name]
        asked = [area for area in areas if area.form != "follows" or self.game.hides_cards]
        return tuple(area.name for area in sorted(asked, key=lambda area: area.kind == "stock") if area.count)

    def known(self, setting: Setting) -> Sequence[str]:
        """Return the labels allowed here. The number of redeals taken cannot change while a game is under way."""
        if setting.origin is Origin.REDEAL:
            return ()
        coming = self.places.coming
        counted = coming.mark.name if coming is not None and setting.origin is Origin.NOW else ""
        return [label for label in self.labels if label != counted]

    # Prompts.

    @property
    def edit_prompt(self) -> str:
        """The prompt for a place and its cards."""
        example = self.example or ("2 9H 8H" if self.has_backs else "9H 8H")
        return f"{self.one.capitalize()} and cards (3: {example}), blank to end?"

    def help(self, setting: Setting) -> str:
        """Return the help: how to type places, what follows by itself, and which labels there are."""
        one, hides = self.one, self.game.hides_cards
        lines = [f"Type one {one} per answer, its bottom card first: 9H 8H, or 9♥ 8♥; `-` is an empty one."]
        if self.is_dealt_at_once:
            lines.append(f"Or type the {len(self.first_down)} open cards of a new deal in one answer, from {one} 1 on.")
        if self.has_backs:
            lines.append(
                f"`2 9H 8H` or `[## ##] 9H 8H` has two cards face down; a single card is a {one} as it was dealt."
            )
        if known := self.known(setting):
            labels = ", ".join(f"`{label.capitalize()}:`" for label in known)
            lines.append(
                f"A blank answer ends the entry{'; stocks are counted by themselves' * hides}. There are also {labels}."
            )
        hidden = "; what is hidden stays hidden" * hides
        lines.append(f"`3: 9H 8H` sets {one} 3; `Deck:` and all cards in deal order lay out everything{hidden}.")
        return "\n".join([*lines, "Many lines may be pasted."])

    def wanted(self, draft: Draft) -> str:
        """Return what to ask for next: the area of the places, a label, or "" if the draft is complete."""
        if self.area.count is None or not draft.cells or "" in draft.cells:
            return self.area.name
        return next((label for label in self.asked if label not in draft.labels), "")

    def next_place(self, draft: Draft, setting: Setting) -> str:
        """Return the name of the first missing place, or else of a label."""
        wanted = self.wanted(draft) or [self.area.name, *self.asked][-1]
        if wanted != self.area.name:
            return self.question(wanted, draft)
        if not any(draft.cells) and self.is_dealt_at_once:
            return f"the {len(self.first_down)} open cards of a new deal, or {self.one} 1"
        if not any(draft.cells) and not draft.labels and self.begins_empty:
            return f"{self.one} 1 (blank: nothing is dealt yet)"
        number = draft.cells.index("") if "" in draft.cells else len(draft.cells)
        return f"{self.one} {number + 1}{self.empty_words}"

    def question(self, label: str, draft: Draft) -> str:
        """Return the prompt for a label; "" for the label ""."""
        area = self.places.by_name.get(label)
        if area is None:
            return label
        if area.kind == "stock":
            size = plural(self.rest(draft), "card")
            return f"{label} (blank: {size})" if self.game.hides_cards else f"{label}, the next card first (- for none)"
        order = f"{' '.join(suit.letter for suit in area.suits)}, " if area.suits else ""
        return f"{label} ({order}- for none)"

    def is_complete(self, draft: Draft, setting: Setting) -> bool:
        """Return whether nothing is left to ask, or all cards are typed."""
        if not self.wanted(draft):
            return True
        if self.game.hides_cards or (self.area.count is not None and not (draft.cells and all(draft.cells))):
            return False
        return self.lying(draft) >= len(self.places.pack)

    # Answers.

    def enter(self, draft: Draft, answer: str, setting: Setting, *, is_edit: bool) -> tuple[Draft, list[str]]:
        """Put in the next place, a numbered place, a labelled line, a whole deck, or several of them."""
        lines = self.lines(answer)
        # Several lines without a label replace the whole table.
        is_whole = sum(line.label is None for line in lines) > 1
        entry = Entry(self, draft, setting, is_new=is_edit and is_whole)
        for line in lines:
            entry.take(line)
        if len(self.text(entry.draft)) > _MOST_CHARACTERS:
            raise RefusedError("that is more than a table can hold")
        return entry.draft, entry.notes

    def lines(self, answer: str) -> list[Line]:
        """Return the lines of an answer; a pile may begin with its face-down cards, elsewhere `#` begins a comment."""
        if not self.game.hides_cards:
            return read_answer(answer)
        lines = read_answer(_FACE_DOWN.sub(r"\1[\2] ", answer) if self.has_backs else answer)
        if not lines:
            raise RefusedError(self.comment)
        return lines

    def read_place(self, line: Line, number: int, setting: Setting) -> str:
        """Return the cards of a place in canonical notation."""
        if not self.has_backs:
            return read_pile(line, None)
        return read_pile(line, self.first_down[number - 1] if setting.origin is Origin.ENTRY else 0)

    def read_label(self, label: str, line: Line) -> dict[str, str]:
        """Return the label and value of an answer to the question for this label."""
        if label in self._loose and self.places[label].kind != "stock" and not is_empty(line):
            check_lone(line)
        return {label: self.written(label, strict(line.tokens))}

    def read_deck(self, line: Line) -> tuple[Card, ...]:
        """Return the cards of a `Deck:` line. RefusedError names all faults."""
        return read_whole_deck(line, self.game.pack)

    def deal(self, line: Line, setting: Setting) -> Draft:
        """Return the draft of a whole deck, dealt; face-down cards stay hidden."""
        return self.draft_of(self.game.start(self.read_deck(line)))

    @property
    def full(self) -> str:
        """The message that refuses an answer when nothing more is asked for."""
        return f"all {self.area.name} are there; `3: ...` changes {self.one} 3"
