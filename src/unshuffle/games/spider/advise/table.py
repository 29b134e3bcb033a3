"""The piles of Spider as a person types them: the open cards of a new deal at once, or one answer for one pile."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from unshuffle.advise.adviser import Draft, Origin, Setting
from unshuffle.advise.answers import Entry, check_length, draft_text, no_place, put_label, read_answer, read_whole_deck
from unshuffle.advise.piles import (
    EMPTY,
    face_up,
    hidden_again,
    is_in_pile,
    named_faults,
    pile_rows,
    pile_text,
    read_pile,
    size,
)
from unshuffle.errors import Fault, Faults, InvalidDealError, RefusedError
from unshuffle.games.spider import Spider, View
from unshuffle.games.spider.notation import read_suit
from unshuffle.layout import Line, Token, read_cards
from unshuffle.numbers import plural

_BANK, _COMPLETED, _MOVES = "bank", "completed", "moves"
_LABELS = (_BANK, _COMPLETED, _MOVES)
_FACE_DOWN = re.compile(r"(^|/|[0-9][^\S\n]*:)[^\S\n]*((?:##[^\S\n]*)*##)", re.MULTILINE)


# Answers.


def enter(game: Spider, draft: Draft, answer: str, setting: Setting, is_edit: bool) -> tuple[Draft, list[str]]:
    """The draft with an answer in it: a new deal, the next pile, a pile by its number, a labelled line, or several."""
    # A pile may begin with its face-down cards; elsewhere a number sign begins a comment.
    lines = read_answer(_FACE_DOWN.sub(r"\1[\2] ", answer))
    if not lines:
        raise RefusedError("that is a comment; type the cards of a pile, or ?")
    entry = Entry(draft, game.rules.piles, lines, is_edit)
    for line in lines:
        if line.label is None:
            _put_next(game, entry, line, setting)
        elif line.number is not None:
            place = entry.place(line.number)
            entry.cells[place] = read_pile(line, _dealt(game, place + 1, setting))
        elif line.label == "deck":
            entry.replace(draft_of(game.start(read_whole_deck(line, game.pack)).view()))
        elif line.label == "id":
            entry.pass_over_id()
        elif line.label in _LABELS:
            put_label(entry.labels, line)
        else:
            raise no_place(line.label, _LABELS)
    if _COMPLETED in entry.labels:
        entry.labels[_COMPLETED] = _spread(entry.labels[_COMPLETED])
    check_length(_text(entry.draft))
    return entry.draft, entry.notes


def _put_next(game: Spider, entry: Entry, line: Line, setting: Setting) -> None:
    """An answer without a label goes where the question was."""
    if not any(entry.cells) and _opens(game, line):
        entry.cells = [read_pile(Line(None, (token,), token.place), down) for token, down in _deal(game, line)]
        entry.labels |= {_BANK: str(game.rules.first_bank), _MOVES: "0"}
    elif "" in entry.cells:
        place = entry.cells.index("")
        entry.cells[place] = read_pile(line, _dealt(game, place + 1, setting))
    elif wanted := _wanted(entry.labels):
        entry.labels[wanted] = " ".join(token.text for token in line.tokens)
    else:
        raise RefusedError("all piles are there; `3: ...` changes pile 3")


def _opens(game: Spider, line: Line) -> bool:
    """Whether the line has the open cards of a new deal: one for each pile."""
    cards = read_cards(line.tokens, Faults())
    return len(cards) == len(line.tokens) == game.rules.piles


def _deal(game: Spider, line: Line) -> Iterator[tuple[Token, int]]:
    """Each open card, and how many lie face down under it."""
    return zip(line.tokens, game.rules.first_down, strict=True)


def _dealt(game: Spider, number: int, setting: Setting) -> int:
    """How many cards lie face down under a single one."""
    return game.rules.first_down[number - 1] if setting.origin is Origin.ENTRY else 0


# What is in a draft.


def _spread(completed: str) -> str:
    """The suits as letters with blanks between them, also where they were written without or by their names."""
    words = completed.split()
    if any(read_suit(word) is None for word in words):
        words = list("".join(words))
    suits = [read_suit(word) for word in words]
    return completed if None in suits else " ".join(suit.letter for suit in suits if suit is not None)


def _text(draft: Draft) -> str:
    """Layout text in which line n is pile n."""
    piles = [f"{number}: {cell}" if cell else "" for number, cell in enumerate(draft.cells, 1)]
    labels = dict(draft.labels)
    if _COMPLETED in labels:
        labels[_COMPLETED] = _spread(labels[_COMPLETED])
    return draft_text(piles, labels)


def bank_of(game: Spider, draft: Draft) -> int:
    """The cards that are in no pile and have not left: what the bank must hold. 0 if that cannot be."""
    completed = len(_spread(draft.labels.get(_COMPLETED, "")).replace(EMPTY, "").split())
    return max(0, len(game.pack) - completed * game.rules.ranks - size(draft))


def next_place(game: Spider, draft: Draft) -> str:
    """What is asked for next."""
    if not any(draft.cells):
        return f"the {game.rules.piles} open cards of a new deal, or pile 1"
    if "" in draft.cells:
        return f"pile {draft.cells.index('') + 1} (- if it is empty)"
    if _wanted(draft.labels) == _BANK:
        return f"bank (blank: {plural(bank_of(game, draft), 'card')})"
    return "completed runs, such as S H (blank: none)" if _wanted(draft.labels) == _COMPLETED else "moves (blank: 0)"


def _wanted(labels: Mapping[str, str]) -> str:
    """What is asked for behind the piles; "" if it is there. The moves come last, as in a table that is pasted."""
    if _BANK not in labels:
        return _BANK
    return "" if _MOVES in labels else _MOVES if _COMPLETED in labels else _COMPLETED


def is_complete(draft: Draft) -> bool:
    """Whether nothing is left to be asked."""
    return bool(draft.cells) and all(draft.cells) and not _wanted(draft.labels)


def tidy(game: Spider, draft: Draft) -> Draft:
    """The draft with the bank that follows from the rest, where it was not typed and can be so."""
    sizes = range(0, game.rules.first_bank + 1, game.rules.piles)
    return _with_bank(game, draft) if bank_of(game, draft) in sizes else draft


def _with_bank(game: Spider, draft: Draft) -> Draft:
    labels = dict(draft.labels)
    if _BANK not in labels and draft.cells and all(draft.cells):
        labels[_BANK] = str(bank_of(game, draft))
    return Draft(draft.cells, labels)


def rows(game: Spider, draft: Draft, for_person: bool) -> list[str]:
    """Numbered piles, bank, completed runs, moves."""
    labels = [f"{label.capitalize()}: {draft.labels[label]}" for label in _LABELS if label in draft.labels]
    return [*pile_rows(draft, game.pack, for_person), *labels]


# What is wrong with it, and what it stands for.


def faults(game: Spider, draft: Draft, setting: Setting, early: bool = False) -> list[str]:
    """Every fault, with piles for places; `early` ones are those that no further pile can mend."""
    try:
        view = game.parse_seen(_text(_with_bank(game, draft))).view()
    except InvalidDealError as error:
        allowed = Counter(game.pack)
        doubled = {f"'{card}' " for card in Counter(face_up(draft)) - allowed}

        def stays(fault: Fault) -> bool:
            return not early or is_in_pile(fault, draft) or fault.message.startswith(tuple(doubled))

        return named_faults(error.faults, draft, stays)
    return [] if early or setting.origin is not Origin.NOW else list(_check_now(view, setting.state))


def _check_now(view: View, start: View) -> Iterator[str]:
    """Play turns cards up, deals them, and completes runs; none of that comes back."""
    if view.bank > start.bank:
        yield f"{view.bank} cards are in the bank, but the game began with {start.bank}"
    gone = Counter(start.completed) - Counter(view.completed)
    for suit in gone:
        yield f"{suit.word}: a run had left when the game began, so it is not back now"
    yield from hidden_again(view, start, "bank")


def lay_out(game: Spider, draft: Draft) -> View:
    """What a draft without faults shows."""
    view: View = game.parse_seen(_text(draft)).view()
    return view


def draft_of(view: View) -> Draft:
    """The table as one would type it."""
    piles = zip(view.piles, view.down, strict=True)
    cells = tuple(pile_text(down, [str(card) for card in pile[down:]]) or EMPTY for pile, down in piles)
    labels = {_BANK: str(view.bank)}
    labels |= {_COMPLETED: " ".join(suit.letter for suit in view.completed)} if view.completed else {}
    return Draft(cells, {**labels, _MOVES: str(view.moves)})
