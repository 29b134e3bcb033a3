"""The piles of Agnes Sorel as a person types them: the base card, then one answer for one pile."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from unshuffle.advise.adviser import Draft, Origin, Setting
from unshuffle.advise.answers import Entry, check_length, check_whole, draft_text, no_place, put_label, read_answer
from unshuffle.advise.piles import EMPTY, hidden_again, is_in_pile, named_faults, pile_rows, read_pile, size
from unshuffle.cards import RANKS, Suit, split_cards
from unshuffle.errors import Faults, InvalidDealError, Place, RefusedError, quote
from unshuffle.games.agnes import Agnes, View
from unshuffle.games.agnes.places import SUIT_ORDER
from unshuffle.layout import Line, Token, read_cards
from unshuffle.numbers import plural

_LABELS = ("base", "foundations", "stock")


# Answers.


def enter(game: Agnes, draft: Draft, answer: str, setting: Setting, is_edit: bool) -> tuple[Draft, list[str]]:
    """The draft with an answer in it: base card, next pile, a pile by its number, a labelled line, or several."""
    lines = read_answer(answer)
    if not lines:
        raise RefusedError("that is a comment; in brackets `##` is a face-down card: [## ##] 9H")
    entry = Entry(draft, game.rules.piles, lines, is_edit)
    for line in lines:
        if line.label is None:
            _put_next(game, entry, line, setting)
        elif line.number is not None:
            place = entry.place(line.number)
            entry.cells[place] = read_pile(line, _dealt(game, place + 1, setting))
        elif line.label == "deck":
            entry.replace(draft_of(_deal_deck(game, line)))
        elif line.label == "id":
            entry.pass_over_id()
        elif line.label in _LABELS:
            put_label(entry.labels, line)
        else:
            raise no_place(line.label, _LABELS)
    check_length(_text(entry.draft))
    return entry.draft, entry.notes


def _put_next(game: Agnes, entry: Entry, line: Line, setting: Setting) -> None:
    """An answer without a label goes where the question was."""
    wanted = _wanted_label(entry.labels)
    if wanted == "base card":
        entry.labels |= _read_base_card(line)
    elif wanted:
        entry.labels[wanted] = " ".join(token.text for token in line.tokens)
    elif "" in entry.cells:
        place = entry.cells.index("")
        entry.cells[place] = read_pile(line, _dealt(game, place + 1, setting))
    elif "stock" not in entry.labels:
        entry.labels["stock"] = " ".join(token.text for token in line.tokens)
    else:
        raise RefusedError("all piles are there; `3: ...` changes pile 3")


def _read_base_card(line: Line) -> dict[str, str]:
    cards = [card for card, _ in read_cards(line.tokens, Faults())]
    if len(cards) != 1 or len(line.tokens) != 1:
        raise RefusedError(
            f"{quote(' '.join(token.text for token in line.tokens))} is not the base card: type the one card that is"
            " up, or for a position in play `Base: 7` and `Foundations: 9C - 7S -` (the order is C D S H)"
        )
    tops = (str(cards[0]) if suit is cards[0].suit else EMPTY for suit in SUIT_ORDER)
    return {"base": RANKS[cards[0].rank - 1], "foundations": " ".join(tops)}


def _dealt(game: Agnes, number: int, setting: Setting) -> int:
    """How many cards lie face down under a single one."""
    return number - 1 if setting.origin is Origin.ENTRY and not game.rules.face_up else 0


def _deal_deck(game: Agnes, line: Line) -> View:
    cards = tuple(card for card, _ in read_cards(line.tokens, Faults()))
    check_whole(cards, game.pack)
    return game.start(cards).view()


# What is in a draft.


def _text(draft: Draft) -> str:
    """Layout text in which line n is pile n."""
    piles = [f"{number}: {cell}" if cell else "" for number, cell in enumerate(draft.cells, 1)]
    labels = dict(draft.labels)
    if "foundations" in labels:
        labels["foundations"] = _spread(labels["foundations"])
    return draft_text(piles, labels)


def _spread(foundations: str) -> str:
    """The entries with blanks between them, also where they were written without."""
    words = re.findall(r"-|[^\s-]+", foundations)
    return " ".join(part for word in words for part in ([text for _, text in split_cards(word) or []] or [word]))


def stock_of(game: Agnes, draft: Draft) -> int:
    """The cards that are in no pile and not up: what the stock must hold. 0 if that cannot be."""
    up = 0
    base = RANKS.find(draft.labels.get("base", "").upper() or "?") + 1
    for word in _spread(draft.labels.get("foundations", "")).split():
        for card, _ in read_cards((Token(word, Place(1, 1)),), Faults()):
            up += (card.rank - base) % game.rules.ranks + 1
    return max(0, len(game.pack) - up - size(draft))


def next_place(game: Agnes, draft: Draft) -> str:
    """What is asked for next."""
    wanted = _wanted_label(draft.labels)
    if wanted:
        return wanted if wanted != "foundations" else "foundations (C D S H, - for none)"
    if not draft.cells or "" in draft.cells:
        return f"pile {draft.cells.index('') + 1 if draft.cells else 1}"
    return f"stock (blank: {plural(stock_of(game, draft), 'card')})"


def _wanted_label(labels: Mapping[str, str]) -> str:
    """What is to be said before the piles; "" if it is there."""
    if "base" in labels:
        return "" if "foundations" in labels else "foundations"
    return "base" if "foundations" in labels else "base card"


def is_complete(draft: Draft) -> bool:
    """Whether nothing is left to be asked."""
    return bool(draft.cells) and all(draft.cells) and all(label in draft.labels for label in _LABELS)


def tidy(game: Agnes, draft: Draft) -> Draft:
    """The draft with the stock that follows from the rest, where it was not typed and can be so."""
    if "stock" in draft.labels or stock_of(game, draft) not in game.rules.stock_sizes:
        return draft
    return _with_stock(game, draft)


def _with_stock(game: Agnes, draft: Draft) -> Draft:
    labels = dict(draft.labels)
    if "stock" not in labels and draft.cells and all(draft.cells):
        labels["stock"] = str(stock_of(game, draft))
    return Draft(draft.cells, labels)


def rows(game: Agnes, draft: Draft, for_person: bool) -> list[str]:
    """Base, foundations, numbered piles, stock."""
    labels = {label: f"{label.capitalize()}: {draft.labels[label]}" for label in _LABELS if label in draft.labels}
    stock = [labels.pop("stock")] if "stock" in labels else []
    return [*labels.values(), *pile_rows(draft, game.pack, for_person), *stock]


# What is wrong with it, and what it stands for.


def faults(game: Agnes, draft: Draft, setting: Setting, early: bool = False) -> list[str]:
    """Every fault, with piles for places; `early` ones are those that no further pile can mend."""
    try:
        view = game.parse_seen(_text(_with_stock(game, draft))).view()
    except InvalidDealError as error:
        return named_faults(error.faults, draft, lambda fault: not early or is_in_pile(fault, draft))
    return [] if early or setting.origin is not Origin.NOW else list(_check_now(view, setting.state))


def _check_now(view: View, start: View) -> Iterator[str]:
    """Play puts cards up, turns them up and deals them; none of that comes back."""
    if view.base != start.base:
        yield f"the base is {RANKS[view.base - 1]}, but the game began with {RANKS[start.base - 1]}"
        return
    for suit in Suit:
        if view.foundations[suit] < start.foundations[suit]:
            yield f"{suit.word}: cards are missing that were up when the game began"
    if view.stock > start.stock:
        yield f"{view.stock} cards are in the stock, but the game began with {start.stock}"
    yield from hidden_again(view, start, "stock")


def lay_out(game: Agnes, draft: Draft) -> View:
    """What a draft without faults shows."""
    view: View = game.parse_seen(_text(draft)).view()
    return view


def draft_of(view: View) -> Draft:
    """The table as one would type it."""
    lines = dict(line.split(": ", 1) for line in str(view).splitlines())
    cells = tuple(lines.pop(str(number)) for number in range(1, len(view.piles) + 1))
    return Draft(cells, {label.lower(): words for label, words in lines.items()})
