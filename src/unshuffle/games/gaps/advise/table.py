"""Typed boards of Gaps: cell by cell, by rows, or pasted; after a redeal only the free cells."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence

from unshuffle.advise.answers import read_answer
from unshuffle.advise.parts import Draft, Origin, Setting, Typed
from unshuffle.errors import ParseError, RefusedError, quote
from unshuffle.games.gaps import Gaps, Redeal, State
from unshuffle.games.gaps.moves import GAP, write_cell
from unshuffle.games.gaps.places import read_board, read_cell
from unshuffle.games.gaps.rules import COLUMNS, ROWS, Cells, name_cell
from unshuffle.layout import Line
from unshuffle.numbers import plural, read_whole

CELLS = ROWS * COLUMNS
USED = "redeals used"
_NOT_ENTERED = ".."
_CELL = re.compile(r"r([1-4])c(1[0-3]|[1-9])", re.IGNORECASE)
_ROW = re.compile(r"r([1-4])", re.IGNORECASE)
_LONGEST = 20
"""Longer tokens raise RefusedError: tokens are shown on the screen and saved in a file."""
_NOT_USED = "is not used: the coming redeals stay unknown to the adviser"


_TYPING = """\
Type the cells from the left, one or several per answer, not past the end of the row: QS, or a whole row QS 9D -- 5H ...
A gap is -, -- or g; ten is T, X or 10. Four lines may be pasted; `Deck:` and 52 cards fill everything, aces are gaps.
`r3c6 5H` sets one cell, `r2` and 13 cells set a row."""
_POSITIONS = """
For a board after a redeal type `Redeals used: 1` first."""
_FREE = """\
Only the free cells are asked for: locked runs stay. A line may hold the rest of the row's free cells, or all 13 cells.
`r3c6 5H` sets one cell."""


def fixed_cells(setting: Setting) -> dict[int, str]:
    """Return the cells that need no typing after a redeal: locked runs, and gaps with fixed places."""
    if setting.origin is not Origin.REDEAL:
        return {}
    before: State = setting.state
    return {
        **{index: write_cell(before.cells[index]) for index in range(CELLS) if index not in before.free_cells},
        **dict.fromkeys(before.fixed_gaps, GAP),
    }


class TypedCells(Typed):
    """The entry of a board, cell by cell or in rows."""

    game: Gaps
    ends_by_blank = False
    edit_prompt = "Cell and card (r3c6 5H), blank to end?"

    def help(self, setting: Setting) -> str:
        """Return how cells are typed."""
        return _FREE if setting.origin is Origin.REDEAL else _TYPING + _POSITIONS * bool(self.game.rules.redeals)

    def blank(self, setting: Setting) -> Draft:
        """Return a draft that has only the cells that need no typing."""
        given = fixed_cells(setting)
        return Draft(tuple(given.get(index, "") for index in range(CELLS)))

    def next_place(self, draft: Draft, setting: Setting) -> str:
        """Return the first cell that is not entered."""
        row, column = divmod(draft.cells.index(""), COLUMNS)
        return f"row {row + 1}, column {column + 1}"

    def enter(self, draft: Draft, answer: str, setting: Setting, *, is_edit: bool) -> tuple[Draft, list[str]]:
        """Return the draft with an answer entered, and notes. Answers: cells (in order or named), rows, a deck."""
        lines = read_answer(answer.replace("|", " "))
        work = _Work(self, draft, setting)
        boards = [line for line in lines if line.label is None and not _is_named(line)]
        if is_edit and boards:
            work.begin_anew(boards)
        for line in lines:
            row = work.row
            work.take(line)
            if line in boards[:-1] and work.row == row and work.given_row(_words(line)) is None:
                raise RefusedError(f"row {row + 1} has {plural(work.count(row), 'cell')}, expected {COLUMNS}")
        return Draft(tuple(work.cells), work.labels), work.notes

    def is_complete(self, draft: Draft, setting: Setting) -> bool:
        """Return whether all 52 cells are entered."""
        return "" not in draft.cells

    def faults(self, draft: Draft, setting: Setting, *, early: bool = False) -> list[str]:
        """Return every fault in the words of the game; cells that are not entered come last."""
        if len(draft.cells) != CELLS:
            return [f"the board has {plural(len(draft.cells), 'cell')}, expected {CELLS}"]
        rows = [draft.cells[start : start + COLUMNS] for start in range(0, CELLS, COLUMNS)]
        found = read_board(rows)[1]
        if early:
            return found
        given = fixed_cells(setting).items()
        for index, token in given:
            typed = draft.cells[index]
            if typed and _written(typed, is_alone=False) != token:
                found.append(_not_given(index, token, typed))
        if missing := draft.cells.count(""):
            found.append(f"{plural(missing, 'cell')} not entered")
        used = draft.labels.get(USED, "0")
        if set(draft.labels) - {USED} or not _is_used(self.game, used):
            found.append(f"{quote(used)} is not a number of redeals used; expected 0..{self.game.rules.redeals}")
        return found

    def lay_out(self, draft: Draft, setting: Setting) -> State:
        """Return the state of a draft without faults."""
        if setting.origin is Origin.ENTRY:
            return State(self.game.rules, _cells(draft), int(draft.labels.get(USED, "0")))
        if setting.origin is Origin.NOW:
            return State(self.game.rules, _cells(draft), setting.state.used)
        return setting.state.play(dealt(draft, setting.state))  # type: ignore[no-any-return]

    def draft_of(self, state: State) -> Draft:
        """Return the draft that gives this board."""
        return Draft(tuple(map(write_cell, state.cells)))

    def rows(self, draft: Draft, *, for_person: bool) -> list[str]:
        """Return the board as far as it is typed; `!` marks a card that is there twice, quotes what is no card."""
        cells = draft.cells or ("",) * CELLS
        times = Counter(cells)
        words = [_shown(token, times[token], for_person) for token in cells]
        labels = [f"{label.capitalize()}: {value}" for label, value in draft.labels.items()]
        rows = [words[start : start + COLUMNS] for start in range(0, CELLS, COLUMNS)]
        if not for_person:
            return [*labels, *map(" ".join, rows)]
        width = max(4, *map(len, words)) + 1
        head = "   " + "".join(str(column).center(width) for column in range(1, COLUMNS + 1))
        lines = [f"{number}  " + "".join(word.center(width) for word in row) for number, row in enumerate(rows, 1)]
        return [*labels, head.rstrip(), *map(str.rstrip, lines)]

    def read_foreign(self, text: str) -> Draft:
        """Read a flat JSON array of 52 texts, in either case; '' is a cell that is not entered."""
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if not (isinstance(found, list) and len(found) == CELLS and all(isinstance(part, str) for part in found)):
            raise ParseError(f"the file to import is no board: expected a JSON array of {CELLS} texts")
        words = [part.strip() for part in found]
        return Draft(tuple(_written(word, is_alone=False) if word else "" for word in words))


def _is_named(line: Line) -> bool:
    """Return whether the line names its first cell or its row."""
    return (
        bool(line.tokens) and (_CELL.fullmatch(line.tokens[0].text) or _ROW.fullmatch(line.tokens[0].text)) is not None
    )


def _words(line: Line) -> list[str]:
    return [token.text for token in line.tokens]


class _Work:
    """A draft while an answer is entered."""

    def __init__(self, typed: TypedCells, draft: Draft, setting: Setting) -> None:
        self.cells = list(draft.cells or typed.blank(setting).cells)
        self.labels = dict(draft.labels)
        self.notes: list[str] = []
        self._typed = typed
        self._setting = setting
        self._given = fixed_cells(setting)

    def begin_anew(self, rows: Sequence[Line]) -> None:
        """Clear the draft for a whole board, which may come row by row, as a paste does."""
        count = sum(len(line.tokens) for line in rows)
        if len(rows) == 1 and count == COLUMNS:
            if "" in self.cells or self.given_row(_words(rows[0])) is not None:
                return  # the row continues a board that is begun
            self.notes.append("A whole board: the other rows follow. u takes this back; r2 and 13 cells set one row.")
        elif len(rows) == 1 and count != CELLS:
            raise RefusedError(
                f"{plural(count, 'cell')}: expected cells with their cards (r3c6 5H r4c1 --), a row (r2 and 13 cells),"
                " or a whole board (four rows)"
            )
        elif len(rows) not in (1, ROWS):
            raise RefusedError(f"{plural(len(rows), 'row')}, expected {ROWS}")
        self.cells = list(self._typed.blank(self._setting).cells)

    @property
    def row(self) -> int:
        """The row of the next cell to be typed."""
        return self.cells.index("") // COLUMNS if "" in self.cells else ROWS

    def count(self, row: int) -> int:
        """Return how many cells of a row are entered."""
        return sum(map(bool, self.cells[COLUMNS * row : COLUMNS * (row + 1)]))

    def given_row(self, words: Sequence[str]) -> range | None:
        """Return the row that needs no typing, if these cells begin like it: a paste of the whole board has it too."""
        if len(words) != COLUMNS:
            return None
        # Its first card is a locked 2, which no other row can begin with.
        first = _written(words[0], is_alone=False)
        rows = (range(start, start + COLUMNS) for start in range(0, CELLS, COLUMNS) if self._given.get(start) == first)
        return next((row for row in rows if all(index in self._given for index in row)), None)

    def take(self, line: Line) -> None:
        words = _words(line)
        if line.label == "deck":
            self._take_deck(words)
        elif line.label == "id" or (line.label or "").startswith("redeal "):
            self.notes.append(f"'{str(line.label).capitalize()}:' {_NOT_USED}.")
        elif line.label == USED and self._setting.origin is Origin.ENTRY:
            self._take_used(" ".join(words))
        elif line.label is not None:
            raise RefusedError(f"{quote(line.label + ':')} has no place here; expected cells, or Deck: and 52 cards")
        elif _is_named(line):
            self._take_named(words)
        elif len(words) == CELLS:
            self._put(range(CELLS), words)
        elif words:
            self._fill(words)

    def _take_used(self, text: str) -> None:
        if not _is_used(self._typed.game, text):
            most = self._typed.game.rules.redeals
            raise RefusedError(f"{quote(text)} is not a number of redeals used; expected 0..{most}")
        self.labels.pop(USED, None)
        if int(text):
            self.labels[USED] = str(int(text))

    def _take_deck(self, words: list[str]) -> None:
        if self._setting.origin is Origin.REDEAL:
            raise RefusedError("'Deck:' has no place here: a redeal lays cards on the free cells only")
        if len(words) != CELLS:
            raise RefusedError(f"'Deck:' has {plural(len(words), 'card')}, expected {CELLS}")
        self._put(range(CELLS), words)

    def _take_named(self, words: list[str]) -> None:
        """Enter `r3c6 5H r1c1 --`, or `r2` and the cells of the row."""
        while words:
            place, *words = words
            if cell := _CELL.fullmatch(place):
                if not words or _CELL.fullmatch(words[0]):
                    raise RefusedError(f"{place}: expected a card or a gap behind it")
                token, *words = words
                self._put([COLUMNS * (int(cell[1]) - 1) + int(cell[2]) - 1], [token])
            elif row := _ROW.fullmatch(place):
                number = int(row[1])
                cells = words[:COLUMNS]
                if len(cells) != COLUMNS:
                    raise RefusedError(f"row {number} has {plural(len(cells), 'cell')}, expected {COLUMNS}")
                del words[:COLUMNS]
                self._put(range(COLUMNS * (number - 1), COLUMNS * number), cells)
            else:
                raise RefusedError(f"{quote(place)}: expected a cell, such as r3c6")

    def _fill(self, words: list[str]) -> None:
        """Enter the next cells of a row: those that are missing, or the whole row, or all its free cells."""
        given = self.given_row(words)
        if given is not None:
            self._put(given, words)
            return
        if "" not in self.cells:
            raise RefusedError("all cells are entered; r3c6 5H changes one")
        row = self.row
        indices = range(COLUMNS * row, COLUMNS * (row + 1))
        asked = [index for index in indices if not self.cells[index]]
        locked = sum(self._given.get(index, GAP) != GAP for index in indices)
        if len(words) <= len(asked):
            self._put(asked[: len(words)], words)
        elif len(words) == COLUMNS:
            self._put(indices, words)
        elif len(words) == COLUMNS - locked:
            self._put(indices[locked:], words)
        else:
            count = self.count(row) + len(words)
            raise RefusedError(f"row {row + 1} has {plural(count, 'cell')}, expected {COLUMNS}")

    def _put(self, places: Sequence[int], words: Sequence[str]) -> None:
        for index, word in zip(places, words, strict=True):
            token = _written(word, is_alone=len(words) == 1)
            given = self._given.get(index, token)
            if given != token:
                raise RefusedError(_not_given(index, given, token))
            self.cells[index] = token


def _not_given(index: int, given: str, token: str) -> str:
    what = "a gap lies there in these rules" if given == GAP else f"{given} is locked there"
    return f"{name_cell(index)}: {what}, not {token}"


def _written(word: str, *, is_alone: bool) -> str:
    """Return a token in canonical form; one that is no card is kept, unless it stands alone."""
    try:
        return write_cell(read_cell(word))
    except ParseError as error:
        if is_alone or len(word) > _LONGEST:
            raise RefusedError(str(error)) from None
        return word


def _is_used(game: Gaps, text: str) -> bool:
    return read_whole(text, game.rules.redeals) is not None


def _cells(draft: Draft) -> Cells:
    return tuple(read_cell(token) for token in draft.cells)


def dealt(draft: Draft, before: State) -> Redeal:
    """Return the redeal that brought this board."""
    cells = _cells(draft)
    return Redeal(tuple(cells[index] for index in before.free_cells))


def _shown(token: str, times: int, for_person: bool) -> str:
    if token in ("", GAP):
        return token or _NOT_ENTERED
    try:
        card = read_cell(token)
    except ParseError:
        return quote(token)
    assert card is not None
    return (card.glyph if for_person else token) + "!" * (times > 1)
