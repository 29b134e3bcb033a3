"""A table as a person types it, place by place: derived from the places of its game.

A game whose dialog is worded otherwise overrides the words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar

from unshuffle.advise.answers import (
    cards_in,
    check_length,
    check_lone,
    count_cards,
    count_wrong,
    faces_in,
    first_faults,
    is_empty,
    is_whole_board,
    mark_faults,
    read_answer,
    read_pile,
    read_place,
    read_whole_deck,
    strict,
    write_pile,
)
from unshuffle.advise.entry import Entry
from unshuffle.advise.parts import Draft, Origin, Setting, Typed
from unshuffle.advise.words import in_columns
from unshuffle.cards import Card, format_cards
from unshuffle.errors import Fault, Faults, InvalidDealError, RefusedError, UsageError
from unshuffle.layout import UNSEEN, Layout, Line
from unshuffle.numbers import is_whole, plural, read_up_to
from unshuffle.places import Area, Places
from unshuffle.places.text import EMPTY

_FACE_DOWN = re.compile(r"(^|/|[0-9][^\S\n]*:)[^\S\n]*((?:##[^\S\n]*)*##)", re.MULTILINE)
_PLACE = re.compile(r"at line ([0-9]+), column [0-9]+")
_TYPED_IN_PLACES = ("rows", "numbered", "each")
_LOOSE = ("cell", "waste", "reserve", "discards", "stock")
"""Areas whose labelled lines list the cards that lie in them."""


class TypedPlaces(Typed):
    """The piles or fans are typed one by one; then what else the text of a table tells, by its labels."""

    example: ClassVar[str] = ""
    """The cards of pile 3 in the prompt of an edit."""
    empty_words: ClassVar[str] = " (- if it is empty)"
    """Follows the name of a place that is asked for."""
    comment: ClassVar[str] = "that is a comment; type the cards of a pile, or ?"
    """Refuses a comment where it may be meant for face-down cards."""

    # What the places tell.

    @cached_property
    def places(self) -> Places:
        """Where cards lie; refused where the game does not say it."""
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
        """What one of them is called: 'fan'."""
        return self.area.kind

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels beside them, in the order of the text."""
        return tuple(part.name for part in self.places.parts if part is not None and part is not self.area)

    def known(self, setting: Setting) -> Sequence[str]:
        """The labels that say something here. Which redeals were taken is fixed while a game is under way."""
        if setting.origin is Origin.REDEAL:
            return ()
        coming = self.places.coming
        counted = coming.mark.name if coming is not None and setting.origin is Origin.NOW else ""
        return [label for label in self.labels if label != counted]

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """The labels that are asked for after the places: first what a blank leaves empty, then stocks."""
        areas = [self.places[label] for label in self.labels if label in self.places.by_name]
        asked = [area for area in areas if area.form != "follows" or self.game.hides_cards]
        return tuple(area.name for area in sorted(asked, key=lambda area: area.kind == "stock") if area.count)

    @cached_property
    def first_down(self) -> Sequence[int]:
        """How many cards of each place a new deal has face down."""
        board = self.game.board(self.game.start(self.game.pack))
        return board.down.get(self.area.name, (0,) * len(board.piles[self.area.name]))

    @cached_property
    def is_dealt_at_once(self) -> bool:
        """Whether a new deal may be typed in one answer: its open cards, one for each place."""
        piles = self.game.board(self.game.start(self.game.pack)).piles[self.area.name]
        ups = {len(pile) - down for pile, down in zip(piles, self.first_down, strict=True)}
        return self._has_backs and any(self.first_down) and ups == {1}

    @property
    def _has_backs(self) -> bool:
        return self.game.hides_cards and self.area.form == "numbered"

    @cached_property
    def keeps_empty(self) -> bool:
        """Whether an empty place is one."""
        return self.game.reader(self.places, Layout({}, ()), Faults()).keeps_empty(self.area)

    def blank(self, setting: Setting) -> Draft:
        """Nothing; refused where no table can be typed."""
        assert self.places
        return Draft()

    def stock_sizes(self) -> Collection[int]:
        """How many cards a stock may have, as far as a draft is not yet wrong."""
        return range(len(self.places.pack) + 1)

    # Prompts.

    @property
    def edit_prompt(self) -> str:
        """Asks for a place and its cards."""
        example = self.example or ("2 9H 8H" if self._has_backs else "9H 8H")
        return f"{self.one.capitalize()} and cards (3: {example}), blank to end?"

    def help(self, setting: Setting) -> str:
        """How places are typed, what follows by itself, and what else may be said."""
        one, hides = self.one, self.game.hides_cards
        lines = [f"Type one {one} per answer, its bottom card first: 9H 8H, or 9♥ 8♥; `-` is an empty one."]
        if self.is_dealt_at_once:
            lines.append(f"Or type the {len(self.first_down)} open cards of a new deal in one answer, from {one} 1 on.")
        if self._has_backs:
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
        """What is asked for next: the area of the places, a label, or "" if everything is there."""
        if self.area.count is None or not draft.cells or "" in draft.cells:
            return self.area.name
        return next((label for label in self.asked if label not in draft.labels), "")

    def next_place(self, draft: Draft, setting: Setting) -> str:
        """The first place that is not there, or else a label."""
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
        """A label that is asked for; "" asks for nothing more."""
        area = self.places.by_name.get(label)
        if area is None:
            return label
        if area.kind == "stock":
            size = plural(self.rest(draft), "card")
            return f"{label} (blank: {size})" if self.game.hides_cards else f"{label}, the next card first (- for none)"
        order = f"{' '.join(suit.letter for suit in area.suits)}, " if area.suits else ""
        return f"{label} ({order}- for none)"

    # Answers.

    def enter(self, draft: Draft, answer: str, setting: Setting, *, is_edit: bool) -> tuple[Draft, list[str]]:
        """The next place, a place by its number, a labelled line, a whole deck, or several of them."""
        lines = self.lines(answer)
        entry = Entry(self, draft, setting, is_new=is_edit and is_whole_board(lines))
        for line in lines:
            entry.take(line)
        check_length(self.text(entry.draft))
        return entry.draft, entry.notes

    def lines(self, answer: str) -> list[Line]:
        """The lines of an answer; a pile may begin with its face-down cards, elsewhere `#` begins a comment."""
        if not self.game.hides_cards:
            return read_answer(answer)
        lines = read_answer(_FACE_DOWN.sub(r"\1[\2] ", answer) if self._has_backs else answer)
        if not lines:
            raise RefusedError(self.comment)
        return lines

    def read_place(self, line: Line, number: int, setting: Setting) -> str:
        """The cards of a place in strict writing."""
        if not self._has_backs:
            return read_place(line)
        return read_pile(line, self.first_down[number - 1] if setting.origin is Origin.ENTRY else 0)

    def read_label(self, label: str, line: Line) -> dict[str, str]:
        """What an answer says that was asked for by a label."""
        area = self.places.by_name.get(label)
        if area is not None and area.kind in _LOOSE and area.kind != "stock" and not is_empty(line):
            check_lone(line)
        return {label: self.written(label, strict(line.tokens))}

    def written(self, label: str, text: str) -> str:
        """The value of a label with blanks between its entries, also where it was typed without."""
        area = self.places.by_name.get(label)
        if area is None or area.kind == "stock" or area.count == 1:
            return text
        words = re.findall(r"-|[^\s-]+", text)
        return " ".join(" ".join(map(str, cards_in(word))) or word for word in words)

    def read_deck(self, line: Line) -> tuple[Card, ...]:
        """The cards of a `Deck:` line; refused with all that is wrong with it."""
        return read_whole_deck(line, self.game.pack)

    def deal(self, line: Line, setting: Setting) -> Draft:
        """A whole deck, dealt; what it hides stays hidden."""
        return self.draft_of(self.game.start(self.read_deck(line)))

    @property
    def full(self) -> str:
        """Refuses an answer where nothing is asked for any more."""
        return f"all {self.area.name} are there; `3: ...` changes {self.one} 3"

    # What is in a draft.

    def count(self, label: str, value: str, draft: Draft) -> int:
        """How many cards a label tells, stocks apart; below a top card of a foundation lie others."""
        area = self.places.by_name.get(label)
        if area is None or area.kind == "stock":
            return 0
        if area.form not in ("tops", "follows"):
            return count_cards(value)
        ranks, base = len({card.rank for card in self.places.pack}), self.base(draft)
        return sum((card.rank - base) % ranks + 1 for card in faces_in(self.written(label, value)))

    def base(self, draft: Draft) -> int:
        """The rank with which foundations begin."""
        return 1

    def lying(self, draft: Draft) -> int:
        """How many cards the draft tells, or knows to lie somewhere."""
        labels = draft.labels.items()
        return sum(map(count_cards, draft.cells)) + sum(self.count(label, value, draft) for label, value in labels)

    def rest(self, draft: Draft) -> int:
        """The cards that are nowhere else: what a stock must hold. 0 if that cannot be."""
        wrong = sum(map(count_wrong, draft.cells))
        return max(0, len(self.places.pack) - self.lying(draft) + wrong)

    def is_complete(self, draft: Draft, setting: Setting) -> bool:
        """Whether nothing is left to be asked, or to be typed."""
        if not self.wanted(draft):
            return True
        if self.game.hides_cards or (self.area.count is not None and not (draft.cells and all(draft.cells))):
            return False
        return self.lying(draft) >= len(self.places.pack)

    def tidy(self, draft: Draft) -> Draft:
        """Without places that were never typed, or are empty where that means nothing; with the stock, if it can be."""
        if self.area.count is None:
            none = ("",) if self.keeps_empty else ("", EMPTY)
            return Draft(tuple(cell for cell in draft.cells if cell not in none), draft.labels)
        if self.begins_empty:
            cells = (*draft.cells, *[""] * (self.area.count - len(draft.cells)))
            draft = Draft(tuple(cell or EMPTY for cell in cells), draft.labels)
        return self.whole(draft) if self.rest(draft) in self.stock_sizes() else draft

    def whole(self, draft: Draft) -> Draft:
        """With the stock that follows from the rest, where it was not typed; and foundations that nothing lies on."""
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
        """Layout text in which line n is place n."""
        kind = f"{self.one.capitalize()} " if self.area.form == "each" else ""
        # Rows are counted by their order, so each of them has a line; where others have none, that is a fault.
        empty = EMPTY if self.area.form == "rows" and self.area.count is not None else ""
        whole = self.whole(draft)
        filled = enumerate((cell or empty for cell in whole.cells), 1)
        cells = [f"{kind}{number}: {cell}" if cell else "" for number, cell in filled]
        labels = [f"{label.capitalize()}: {self.written(label, value)}" for label, value in whole.labels.items()]
        return "\n".join([*cells, *labels])

    def rows(self, draft: Draft, *, for_person: bool) -> list[str]:
        """Numbered places and labels; `!` marks a card that is there too often, quotes what is no card."""
        areas = self.places.by_name
        loose = [label for label in draft.labels if label in areas and areas[label].kind in _LOOSE]
        texts = (*draft.cells, *(draft.labels[label] for label in loose))
        wrong = Counter(card for text in texts for card in faces_in(text)) - Counter(self.places.pack)

        def marked(text: str) -> str:
            return mark_faults(text, wrong, for_person=for_person, has_backs=self._has_backs)

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

    # What is wrong with it, and what it stands for.

    def faults(self, draft: Draft, setting: Setting, *, early: bool = False) -> list[str]:
        """Every fault in the words of the game, with places for lines."""
        try:
            table = self.lay_out(draft, setting)
        except InvalidDealError as error:
            found = [fault for fault in error.faults if not early or self.stays(fault, draft)]
            return first_faults([self.word(fault, draft) for fault in found])
        return [] if early or setting.origin is not Origin.NOW else list(self.check_now(table, setting.state))

    def stays(self, fault: Fault, draft: Draft) -> bool:
        """Whether no further answer can mend a fault."""
        return self.is_in_place(fault, draft)

    def is_in_place(self, fault: Fault, draft: Draft) -> bool:
        """Whether it belongs to one of the places."""
        return fault.place is not None and fault.place.line <= len(draft.cells)

    def word(self, fault: Fault, draft: Draft) -> str:
        """The fault with the name of its place. Where places vanish, a game counts those that it found."""
        names = [f"{self.one} {number}" for number in range(1, len(draft.cells) + 1)]
        names += [f"the {label}" for label in self.whole(draft).labels]
        message = fault.message
        if self.area.form == "rows":
            counted = self._counted(draft)
            message = re.sub(
                rf"in {self.one} ([0-9]+)", lambda found: f"in {self.one} {counted[int(found[1]) - 1]}", message
            )
        message = _PLACE.sub(lambda found: f"in {names[int(found[1]) - 1]}", message)
        place = self.place_of(fault, draft)
        # Some name their place themselves.
        return f"{place}: {message}" if place and not message.startswith(f"{place} ") else message

    def place_of(self, fault: Fault, draft: Draft) -> str:
        """The name of the place that a fault belongs to: 'fan 3'; "" if it needs none."""
        return f"{self.one} {fault.place.line}" if fault.place and self.is_in_place(fault, draft) else ""

    def _counted(self, draft: Draft) -> list[int]:
        """The places that the game counts in its messages: those with a card of their own, and empty ones that stay."""
        seen: set[Card] = set()
        counted = []
        for number, cell in enumerate(draft.cells, 1):
            new = set(faces_in(cell)) - seen
            seen |= new
            if new or (cell == EMPTY and self.keeps_empty):
                counted.append(number)
        return counted

    def check_now(self, table: Any, start: Any) -> Iterator[str]:
        """What cannot be, for a card that was seen stays seen."""
        if not hasattr(table, "unseen") or not hasattr(start, "unseen"):
            return
        for number, (now, then) in enumerate(zip(table.down, start.down, strict=True), 1):
            if now > then:
                yield f"{self.one} {number}: {plural(now, 'card')} face down, but the game began with {then}"
        hidden = Counter(table.unseen) - Counter(start.unseen)
        if hidden:
            rest = next((area.name for area in self.places.areas if area.kind == "stock"), "rest")
            yield f"{format_cards(sorted(hidden))}: seen when the game began, so not face down or in the {rest} now"

    def lay_out(self, draft: Draft, setting: Setting) -> Any:
        """The state, or where cards are hidden what is seen of it."""
        coming = self.places.coming
        if setting.origin is Origin.NOW and coming is not None and coming.redeals:
            mark = coming.mark.name
            draft = Draft(draft.cells, {**draft.labels, mark: str(self.game.board(setting.state).marks[mark])})
        return _seen(self.game.parse_seen(self.text(draft)))

    def draft_of(self, state: Any) -> Draft:
        """The places and the labels of a table; what follows from the rest is left out."""
        board = self.game.board_of(_seen(state))
        places, writer = self.places, self.game.writer(board)
        piles = board.piles[self.area.name]
        downs = board.down.get(self.area.name, (0,) * len(piles))
        lines = []
        for part in places.parts:
            if isinstance(part, Area):
                lines += (
                    writer.area(part) if part is not self.area and (part.form != "follows" or board.is_seen) else []
                )
            elif part is not None and (places.coming is None or part is not places.coming.mark) and len(part.values):
                lines += writer.mark(part, board.marks[part.name]) or [f"{part.name}: {board.marks[part.name]}"]
        labels = (line.partition(":") for line in lines)
        return Draft(
            tuple(write_pile(pile, down) for pile, down in zip(piles, downs, strict=True)),
            {label.lower(): value.strip() for label, _, value in labels if value.strip()},
        )


def _seen(state: Any) -> Any:
    """What a player sees of a table; the table itself, if that is all of it."""
    view = state.view()
    return view if hasattr(view, "view") else state
