"""The piles of Aces Up as a person types them, one answer for one pile; then the cell, and what is discarded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from unshuffle.advise.adviser import Draft, Origin, Setting
from unshuffle.advise.answers import (
    Entry,
    check_length,
    draft_text,
    first_faults,
    no_place,
    read_answer,
    read_whole_deck,
)
from unshuffle.cards import EXPECTED_CARD, Card, format_cards, split_cards
from unshuffle.errors import Fault, Faults, InvalidDealError, Place, RefusedError, quote
from unshuffle.games.aces_up import AcesUp, View
from unshuffle.games.aces_up.notation import UNKNOWN
from unshuffle.layout import Line, Token, read_cards
from unshuffle.numbers import plural
from unshuffle.places.text import EMPTY

_STOCK, _RESERVE, _DISCARDS = "stock", "reserve", "discards"
_PILE = re.compile(r"(?:pile )?0*([0-9]{1,3})")
_PLACE = re.compile(r"at line ([0-9]+), column [0-9]+")


# Answers.


def enter(game: AcesUp, draft: Draft, answer: str, is_edit: bool) -> tuple[Draft, list[str]]:
    """The draft with an answer in it: the next pile, a pile by its number, a labelled line, or several."""
    lines = read_answer(answer)
    if not lines:
        raise RefusedError("that is a comment; type the cards of a pile, or ?")
    entry = Entry(draft, game.rules.piles, lines, is_edit)
    for line in lines:
        pile = None if line.label is None else _PILE.fullmatch(line.label)
        if line.label is None:
            _put_next(game, entry, line)
        elif pile is not None:
            entry.cells[entry.place(int(pile[1]))] = _read(line) or EMPTY
        elif line.label == "deck":
            entry.replace(draft_of(game.start(read_whole_deck(line, game.pack)).view()))
        elif line.label == "id":
            entry.pass_over_id()
        elif line.label in _labels(game):
            entry.labels[line.label] = _added(entry.labels.get(line.label, EMPTY), _read(line)) or EMPTY
        else:
            raise no_place(line.label, ("pile 1", *_labels(game)))
    check_length(_text(game, entry.draft))
    return entry.draft, entry.notes


def _put_next(game: AcesUp, entry: Entry, line: Line) -> None:
    """An answer without a label goes where the question was."""
    text = _read(line)
    if len(line.tokens) == 1 and text not in (EMPTY, UNKNOWN) and not read_cards(line.tokens, Faults()):
        raise RefusedError(f"{quote(text)} is not a card; {EXPECTED_CARD}")
    if "" in entry.cells:
        entry.cells[entry.cells.index("")] = text
        return
    wanted = _wanted(game, entry.labels)
    if not wanted:
        raise RefusedError("all piles are there; `3: ...` changes pile 3, `Discards: ...` what is discarded")
    entry.labels[wanted] = text


def _read(line: Line) -> str:
    """The cards of the line in strict writing; a word that is no card keeps its place."""
    words = (format_cards(card for card, _ in read_cards((token,), Faults())) or token.text for token in line.tokens)
    return " ".join(words)


def _added(there: str, text: str) -> str:
    """What a labelled line says; behind a `+` it is added to what is there."""
    if not text.startswith("+"):
        return text
    return " ".join([*there.replace(EMPTY, "").split(), *text[1:].split()])


# What is in a draft.


def _labels(game: AcesUp) -> tuple[str, ...]:
    return (_RESERVE, _DISCARDS, _STOCK) if game.rules.reserve else (_DISCARDS, _STOCK)


def _wanted(game: AcesUp, labels: dict[str, str]) -> str:
    """What is asked for behind the piles; "" if it is there."""
    if game.rules.reserve and _RESERVE not in labels:
        return _RESERVE
    return "" if _DISCARDS in labels or _is_told(labels) else _DISCARDS


def _is_told(labels: dict[str, str]) -> bool:
    """Whether the cards of the stock are typed, so that all others are discarded."""
    return labels.get(_STOCK, UNKNOWN) != UNKNOWN


def next_place(game: AcesUp, draft: Draft) -> str:
    """What is asked for next."""
    if not any(draft.cells) and not draft.labels:
        return "pile 1 (blank: nothing is dealt yet)"
    if "" in draft.cells or not draft.cells:
        number = draft.cells.index("") + 1 if draft.cells else 1
        return f"pile {number} (- for a space)"
    if _wanted(game, dict(draft.labels)) == _RESERVE:
        return "card in the cell (- for none)"
    return "discards, in any order (- for none)"


def is_complete(game: AcesUp, draft: Draft) -> bool:
    """Whether nothing is left to be asked."""
    return bool(draft.cells) and all(draft.cells) and not _wanted(game, dict(draft.labels))


def tidy(game: AcesUp, draft: Draft) -> Draft:
    """The whole draft: what was not typed is empty, and the stock is all that is nowhere else."""
    cells = [*draft.cells, *[""] * (game.rules.piles - len(draft.cells))]
    labels = dict(draft.labels)
    if game.rules.reserve:
        labels.setdefault(_RESERVE, EMPTY)
    if not _is_told(labels):
        labels.setdefault(_DISCARDS, EMPTY)
        labels[_STOCK] = UNKNOWN
    return Draft(
        tuple(cell or EMPTY for cell in cells), {name: labels[name] for name in _labels(game) if name in labels}
    )


def _text(game: AcesUp, draft: Draft) -> str:
    """Layout text in which line n is pile n."""
    whole = tidy(game, draft)
    piles = [f"Pile {number}: {cell}" for number, cell in enumerate(whole.cells, 1)]
    return draft_text(piles, whole.labels)


def rows(draft: Draft, for_person: bool) -> list[str]:
    """Numbered piles, the cell and the discards; `!` marks a card that is there twice, quotes what is no card."""
    times = Counter(_cards(draft))

    def shown(match: re.Match[str]) -> str:
        word = match[0]
        found = split_cards(word)
        if word in (EMPTY, UNKNOWN) or found is None:
            return word if word in (EMPTY, UNKNOWN) else quote(word)
        cards = [Card.parse(text) for _, text in found]
        return " ".join((card.glyph if for_person else str(card)) + "!" * (times[card] > 1) for card in cards)

    piles = [f"Pile {number}: {cell}" for number, cell in enumerate(draft.cells, 1) if cell]
    labels = [f"{label.capitalize()}: {value}" for label, value in draft.labels.items()]
    parts = (line.partition(": ") for line in (*piles, *labels))
    return [f"{name}: {re.sub(r'[^ ]+', shown, cells)}" for name, _, cells in parts]


def _cards(draft: Draft) -> Iterator[Card]:
    words = " ".join((*draft.cells, *draft.labels.values())).split()
    yield from (card for card, _ in read_cards((Token(word, Place(1, 1)) for word in words), Faults()))


# What is wrong with it, and what it stands for.


def faults(game: AcesUp, draft: Draft, setting: Setting, early: bool = False) -> list[str]:
    """Every fault, with piles for places; `early` ones are those that no further answer can mend."""
    try:
        view = game.parse_seen(_text(game, draft)).view()
    except InvalidDealError as error:
        shown = [fault for fault in error.faults if not early or _stays(fault)]
        return first_faults([_word(fault, tidy(game, draft)) for fault in shown])
    return [] if early or setting.origin is not Origin.NOW else list(_check_now(view, setting.state))


def _stays(fault: Fault) -> bool:
    """Doubled cards and words that are no cards; a beaten top may yet be covered, and the stock be counted anew."""
    return "twice" in fault.message or "is not a card" in fault.message


def _word(fault: Fault, draft: Draft) -> str:
    """The fault with the name of its place; a beaten card names its pile itself."""
    names = [*(f"pile {number}" for number in range(1, len(draft.cells) + 1)), *draft.labels]
    message = _PLACE.sub(lambda match: f"in {_the(names[int(match[1]) - 1])}", fault.message)
    if fault.place is None or "beaten" in message or message.startswith("the "):
        return message
    return f"{names[fault.place.line - 1]}: {message}"


def _the(name: str) -> str:
    return name if name.startswith("pile") else f"the {name}"


def _check_now(view: View, start: View) -> Iterator[str]:
    """Play deals and discards cards; none of that comes back."""
    if view.stock > start.stock:
        yield f"{plural(view.stock, 'card')} in the stock, but the game began with {start.stock}"
    back = set(start.discarded) - set(view.discarded)
    if back:
        yield f"{format_cards(sorted(back))}: discarded when the game began, so not back now"
    hidden = set(view.unseen) - set(start.unseen)
    if hidden:
        yield f"{format_cards(sorted(hidden))}: seen when the game began, so not in the stock now"


def lay_out(game: AcesUp, draft: Draft) -> View:
    """What a draft without faults shows."""
    view: View = game.parse_seen(_text(game, draft)).view()
    return view


def draft_of(view: View) -> Draft:
    """The table as one would type it."""
    labels = {_RESERVE: str(view.reserve or EMPTY)} if view.rules.reserve else {}
    labels |= {_DISCARDS: format_cards(view.discarded) or EMPTY, _STOCK: UNKNOWN}
    return Draft(tuple(format_cards(pile) or EMPTY for pile in view.piles), labels)
