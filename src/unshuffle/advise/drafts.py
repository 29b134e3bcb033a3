"""A draft of a table, read by the places of its game: its contents, its state, and its faults."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from unshuffle.advise.answers import (
    cards_in,
    count_cards,
    faces_in,
    mark_faults,
    words_of,
    write_pile,
)
from unshuffle.advise.parts import Draft, Origin, Setting, Typed
from unshuffle.advise.words import in_columns
from unshuffle.cards import format_cards
from unshuffle.errors import Fault, Faults, InvalidDealError, Place, UsageError
from unshuffle.layout import UNSEEN, Layout
from unshuffle.numbers import is_whole, plural, read_up_to
from unshuffle.places import Area, Board, Mark, Places
from unshuffle.places.reading import Reader
from unshuffle.places.text import EMPTY

_PLACE = re.compile(r"at line ([0-9]+), column [0-9]+")
_TYPED_IN_PLACES = ("rows", "numbered", "each")
_MOST_FAULTS = 30
_LOOSE = ("cell", "waste", "reserve", "discards", "stock")


class Drafted(Typed):
    """Tables typed place by place, with the labelled lines of the layout text."""

    def check(self) -> None:
        """Raise UsageError if the game declares no piles."""
        _ = self.places

    @cached_property
    def places(self) -> Places:
        """The places of the game. UsageError if it declares no piles."""
        places = self.game.places
        if places is None or not any(area.form in _TYPED_IN_PLACES for area in places.areas):
            raise UsageError(f"no table of {self.game.id} can be typed: it declares no piles; name a FILE or --seed")
        return places

    @cached_property
    def area(self) -> Area:
        """The places that are typed one by one."""
        return next(area for area in self.places.areas if area.form in _TYPED_IN_PLACES)

    @property
    def one(self) -> str:
        """The word for one of them: 'fan'."""
        return self.area.kind

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels beside them, in the order of the text."""
        return tuple(part.name for part in self.places.parts if part is not None and part is not self.area)

    @cached_property
    def _loose(self) -> frozenset[str]:
        """The labels of areas whose lines list loose cards."""
        return frozenset(area.name for area in self.places.areas if area.kind in _LOOSE)

    @cached_property
    def first(self) -> Board:
        """The board of a new deal."""
        return self.game.board(self.game.start(self.game.pack))

    @property
    def has_backs(self) -> bool:
        """Whether piles may have face-down cards."""
        return self.game.hides_cards and self.area.form == "numbered"

    def reader(self, faults: Faults) -> Reader:
        """Return a reader of layout text, for what it knows of the places by the rules."""
        return self.game.reader(self.places, Layout({}, ()), faults)

    @cached_property
    def keeps_empty(self) -> bool:
        """Whether an emptied place stays on the table."""
        return self.reader(Faults()).keeps_empty(self.area)

    @property
    def begins_empty(self) -> bool:
        """Whether a new deal leaves the places empty."""
        return not any(self.first.piles[self.area.name])

    # What is in a draft.

    def count(self, label: str, value: str, draft: Draft) -> int:
        """Return how many cards a label accounts for, stocks apart. A foundation's top card counts those below it."""
        area = self.places.by_name.get(label)
        if area is None or area.kind == "stock":
            return 0
        if area.form not in ("tops", "follows"):
            return count_cards(value)
        ranks, base = len({card.rank for card in self.places.pack}), self.base(draft)
        return sum((card.rank - base) % ranks + 1 for card in faces_in(self.written(label, value)))

    def base(self, draft: Draft) -> int:
        """Return the rank with which foundations begin."""
        return 1

    def written(self, label: str, text: str) -> str:
        """Return the value of a label with blanks between its entries, even where it was typed without."""
        area = self.places.by_name.get(label)
        if area is None or area.kind == "stock" or area.count == 1:
            return text
        words = re.findall(r"-|[^\s-]+", text)
        return " ".join(" ".join(map(str, cards_in(word))) or word for word in words)

    def lying(self, draft: Draft) -> int:
        """Return how many cards the draft accounts for, stocks apart."""
        labels = draft.labels.items()
        return sum(map(count_cards, draft.cells)) + sum(self.count(label, value, draft) for label, value in labels)

    def rest(self, draft: Draft) -> int:
        """Return how many cards are nowhere else: the size that a stock must have, at least 0."""
        wrong = sum(not (cards_in(word) or UNSEEN in word) for cell in draft.cells for word in words_of(cell))
        return max(0, len(self.places.pack) - self.lying(draft) + wrong)

    def tidy(self, draft: Draft) -> Draft:
        """Return the draft without places that are not on the table, and with the stock if its size is possible."""
        if self.area.count is None:
            none = ("",) if self.keeps_empty else ("", EMPTY)
            return Draft(tuple(cell for cell in draft.cells if cell not in none), draft.labels)
        if self.begins_empty:
            cells = (*draft.cells, *[""] * (self.area.count - len(draft.cells)))
            draft = Draft(tuple(cell or EMPTY for cell in cells), draft.labels)
        found = Faults()
        for area in self.places.areas:
            if area.kind == "stock" and area.name not in draft.labels:
                self.reader(found).check_stock(area, self.rest(draft), Place(1, 1))
        return draft if found else self.whole(draft)

    def whole(self, draft: Draft) -> Draft:
        """Return the draft with a missing stock sized by the rest, and with missing foundations empty."""
        if not self.game.hides_cards or not (draft.cells and all(draft.cells)):
            return draft
        labels = dict(draft.labels)
        unseen = sum(cell.count(UNSEEN) for cell in draft.cells)
        for area in self.places.areas:
            if area.kind == "stock" and area.name in self.labels:
                unseen += read_up_to(labels.setdefault(area.name, str(self.rest(draft))), 1) or 0
        for area in self.places.areas:
            if area.form == "follows" and unseen:
                labels.setdefault(area.name, " ".join([EMPTY] * len(area.suits)))
        return Draft(draft.cells, labels)

    def text(self, draft: Draft) -> str:
        """Return layout text in which line n is place n."""
        kind = f"{self.one.capitalize()} " if self.area.form == "each" else ""
        # Rows are identified by their order, so every row needs a line; in other forms a missing line is a fault.
        empty = EMPTY if self.area.form == "rows" and self.area.count is not None else ""
        whole = self.whole(draft)
        filled = enumerate((cell or empty for cell in whole.cells), 1)
        cells = [f"{kind}{number}: {cell}" if cell else "" for number, cell in filled]
        labels = [f"{label.capitalize()}: {self.written(label, value)}" for label, value in whole.labels.items()]
        return "\n".join([*cells, *labels])

    def draft_of(self, state: Any) -> Draft:
        """Return the places and the labels of a table; values that follow from the rest are left out."""
        board = self.game.board_of(_seen(state))
        places, writer = self.places, self.game.writer(board)
        piles = board.piles[self.area.name]
        downs = board.down.get(self.area.name, (0,) * len(piles))
        lines = []
        for part in places.parts:
            if (
                isinstance(part, Mark)
                and len(part.values)
                and (places.coming is None or part is not places.coming.mark)
            ):
                lines += writer.mark(part, board.marks[part.name]) or [f"{part.name}: {board.marks[part.name]}"]
            elif isinstance(part, Area) and part is not self.area and (part.form != "follows" or board.is_seen):
                lines += writer.area(part)
        labels = (line.partition(":") for line in lines)
        return Draft(
            tuple(write_pile(pile, down) for pile, down in zip(piles, downs, strict=True)),
            {label.lower(): value.strip() for label, _, value in labels if value.strip()},
        )

    def rows(self, draft: Draft, *, for_person: bool) -> list[str]:
        """Return numbered places and labels; `!` marks surplus cards, quotes mark words that are not cards."""
        loose = self._loose & draft.labels.keys()
        texts = (*draft.cells, *(draft.labels[label] for label in loose))
        wrong = Counter(card for text in texts for card in faces_in(text)) - Counter(self.places.pack)

        def marked(text: str) -> str:
            return mark_faults(text, wrong, for_person=for_person, has_backs=self.has_backs)

        is_open = self.area.count is None
        form = "[{:>2}] {}" if is_open else "{:>2}: {}"
        if self.area.form == "each":
            form = f"{self.one.capitalize()} {{}}: {{}}"
        numbered = enumerate(draft.cells, 1)
        cells = [form.format(number, marked(cell)).rstrip() for number, cell in numbered if cell or is_open]
        labels = {}
        in_order = [label for label in self.labels if label in draft.labels]
        for label in in_order if self.area.form == "numbered" else draft.labels:
            value = draft.labels[label]
            shown = marked(value) if label in loose and not is_whole(value) else value
            labels[label] = f"{label.capitalize()}: {shown}"
        if is_open:
            return [*(in_columns(cells) if for_person else cells), *labels.values()]
        written = self.places.written
        above = [labels.pop(label) for label in written[: written.index(self.area.name)] if label in labels]
        return [*above, *cells, *labels.values()]

    # States and faults.

    def lay_out(self, draft: Draft, setting: Setting) -> Any:
        """Return the state, or the view where cards are hidden."""
        coming = self.places.coming
        if setting.origin is Origin.NOW and coming is not None and coming.redeals:
            mark = coming.mark.name
            draft = Draft(draft.cells, {**draft.labels, mark: str(self.game.board(setting.state).marks[mark])})
        return _seen(self.game.parse_seen(self.text(draft)))

    def faults(self, draft: Draft, setting: Setting, *, early: bool = False) -> list[str]:
        """Return every fault, with the names of places instead of line numbers."""
        try:
            table = self.lay_out(draft, setting)
        except InvalidDealError as error:
            found = [fault for fault in error.faults if not early or self.stays(fault, draft)]
            more = len(found) - _MOST_FAULTS
            return [self.word(fault, draft) for fault in found[:_MOST_FAULTS]] + [f"... and {more} more"] * (more > 0)
        return [] if early or setting.origin is not Origin.NOW else list(self.check_now(table, setting.state))

    def stays(self, fault: Fault, draft: Draft) -> bool:
        """Return whether no further answer can fix a fault."""
        return self.is_in_place(fault, draft)

    def is_in_place(self, fault: Fault, draft: Draft) -> bool:
        """Return whether a fault belongs to one of the places."""
        return fault.place is not None and fault.place.line <= len(draft.cells)

    def word(self, fault: Fault, draft: Draft) -> str:
        """Return the fault with the name of its place."""
        names = [f"{self.one} {number}" for number in range(1, len(draft.cells) + 1)]
        names += [f"the {label}" for label in self.whole(draft).labels]
        message = _PLACE.sub(lambda found: f"in {names[int(found[1]) - 1]}", fault.message)
        place = self.place_of(fault, draft)
        # Some messages name their place themselves.
        return f"{place}: {message}" if place and not message.startswith(f"{place} ") else message

    def place_of(self, fault: Fault, draft: Draft) -> str:
        """Return the name of the place that a fault belongs to: 'fan 3', 'stock'; "" if the message needs none."""
        if fault.place is None:
            return ""
        if self.is_in_place(fault, draft):
            return f"{self.one} {fault.place.line}"
        label = list(self.whole(draft).labels)[fault.place.line - len(self.whole(draft).cells) - 1]
        # A message that begins with a card needs a place; other messages name their subject.
        return label if label in self._loose and fault.message.startswith("'") else ""

    def check_now(self, table: Any, start: Any) -> Iterator[str]:
        """Yield contradictions to the start of the deal: a card that was seen stays seen."""
        if not hasattr(table, "unseen") or not hasattr(start, "unseen"):
            return
        for number, (now, then) in enumerate(zip(table.down, start.down, strict=True), 1):
            if now > then:
                yield f"{self.one} {number}: {plural(now, 'card')} face down, but the game began with {then}"
        hidden = Counter(table.unseen) - Counter(start.unseen)
        if hidden:
            rest = next((area.name for area in self.places.areas if area.kind == "stock"), "rest")
            yield f"{format_cards(sorted(hidden))}: seen when the game began, so not face down or in the {rest} now"


def _seen(state: Any) -> Any:
    """Return what a player sees of a table: its view, or the table itself if nothing is hidden."""
    view = state.view()
    return view if hasattr(view, "view") else state
