"""The fans of La Belle Lucie as a person types them: one answer, one fan."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from unshuffle.advise.adviser import Draft, Origin, Setting
from unshuffle.advise.answers import (
    check_length,
    check_whole,
    draft_text,
    first_faults,
    is_whole_board,
    no_place,
    put_label,
    read_answer,
)
from unshuffle.advise.words import in_columns
from unshuffle.cards import EXPECTED_CARD, PACK, Card, format_cards
from unshuffle.errors import Fault, Faults, InvalidDealError, Place, RefusedError, quote
from unshuffle.games.belle_lucie import BelleLucie, State
from unshuffle.layout import Line, Seen, Token, read_cards, read_lines
from unshuffle.numbers import plural

_EMPTY = "-"
_MOST_FANS = 52
_NOT_USED = "is not used: the coming redeals stay unknown to the adviser"
_PLACE = re.compile(r"at line ([0-9]+), column [0-9]+")
_FAN = re.compile(r"in fan ([0-9]+)")


def enter(game: BelleLucie, draft: Draft, answer: str, setting: Setting, is_edit: bool) -> tuple[Draft, list[str]]:
    """The draft with an answer in it: the next fan, a fan by its number, a labelled line, or several of them."""
    lines = read_answer(answer)
    cells, labels, notes = list(draft.cells), dict(draft.labels), []
    if is_edit and is_whole_board(lines):
        cells = []
    for line in lines:
        if line.label is None:
            fan = _read_fan(line)
            if fan == _EMPTY and not game.rules.kings_to_spaces:
                notes.append("An empty fan is gone for good in these rules: nothing to enter.")
            else:
                _put(cells, cells.index("") if "" in cells else len(cells), fan)
        elif (number := line.number) is not None:
            if not 1 <= number <= _MOST_FANS:
                raise RefusedError(f"fan {number}: fans are numbered 1..{_MOST_FANS}")
            _put(cells, number - 1, _read_fan(line))
        elif line.label == "deck":
            cells = _deal_deck(game, line, setting)
        elif line.label == "id" or line.label.startswith("redeal "):
            notes.append(f"'{line.label.capitalize()}:' {_NOT_USED}.")
        else:
            _put_label(labels, line, setting)
    changed = Draft(tuple(cells), labels)
    check_length(_text(changed))
    return changed, notes


def _read_fan(line: Line) -> str:
    """The fan in strict writing; a word that is no card keeps its place, unless it stands alone."""
    words = [format_cards(card for card, _ in read_cards((token,), Faults())) or token.text for token in line.tokens]
    if words in ([], [_EMPTY], ["--"]):
        return _EMPTY
    if len(line.tokens) == 1 and not _is_cards(line.tokens[0]):
        raise RefusedError(f"{quote(words[0])} is not a card; {EXPECTED_CARD}")
    return " ".join(words)


def _is_cards(token: Token) -> bool:
    return bool(read_cards((token,), Faults()))


def _put(cells: list[str], place: int, fan: str) -> None:
    cells += [""] * (place + 1 - len(cells))
    cells[place] = fan


def _put_label(labels: dict[str, str], line: Line, setting: Setting) -> None:
    assert line.label is not None
    known = {Origin.ENTRY: ("foundations", "deal", "merci"), Origin.NOW: ("foundations", "merci"), Origin.REDEAL: ()}
    if line.label not in known[setting.origin]:
        raise no_place(line.label, known[setting.origin])
    put_label(labels, line)


def _deal_deck(game: BelleLucie, line: Line, setting: Setting) -> list[str]:
    """A `Deck:` line lays out everything, in deal order."""
    faults = Faults()
    cards = tuple(card for card, _ in read_cards(line.tokens, faults))
    try:
        faults.check()
    except InvalidDealError as error:
        raise RefusedError("; ".join(fault.message for fault in error.faults)) from None
    if setting.origin is Origin.REDEAL:
        size = game.rules.fan_size
        return [format_cards(cards[start : start + size]) for start in range(0, len(cards), size)]
    check_whole(cards, game.pack)
    return [format_cards(fan) for fan in game.start(cards).fans]


# What is in a draft.


def _text(draft: Draft) -> str:
    """Layout text in which line n is fan n."""
    fans = [f"{number}: {cell}" for number, cell in enumerate(draft.cells, 1)]
    return draft_text(fans, draft.labels)


def _fans(draft: Draft) -> list[list[Token]]:
    """The words of each fan, with their places."""
    lines = read_lines(_text(Draft(draft.cells)), Faults())
    return [[token for token in line.tokens if token.text != _EMPTY] for line in lines]


def count(draft: Draft) -> int:
    """The cards typed so far; words that are no cards count too."""
    return sum(map(len, _fans(draft)))


def expected_count(game: BelleLucie, draft: Draft, setting: Setting) -> int:
    """How many cards there are when nothing is missing."""
    if setting.origin is Origin.REDEAL:
        return 52 - int(setting.state.score)
    (foundations,) = read_lines(f"Foundations: {draft.labels.get('foundations', '')}", Faults())
    up = sum(card.rank for card, _ in read_cards(foundations.tokens, Faults()))
    if not up and game.rules.aces_out:
        up = 0 if any(card.rank == 1 for card in _cards(draft)) else 4
    return 52 - up


def _cards(draft: Draft) -> Iterator[Card]:
    for fan in _fans(draft):
        yield from (card for card, _ in read_cards(fan, Faults()))


def tidy(game: BelleLucie, draft: Draft) -> Draft:
    """The draft without fans that were never entered, or are empty where that means nothing."""
    none = ("",) if game.rules.kings_to_spaces else ("", _EMPTY)
    return Draft(tuple(cell for cell in draft.cells if cell not in none), draft.labels)


def rows(draft: Draft, for_person: bool) -> list[str]:
    """Numbered fans; `!` marks a card that is there twice, quotes what is no card."""
    times = Counter(_cards(draft))
    cells = []
    for number, (cell, fan) in enumerate(zip(draft.cells, _fans(draft), strict=True), 1):
        words = []
        for token in fan:
            cards = [card for card, _ in read_cards((token,), Faults())]
            shown = [(card.glyph if for_person else str(card)) + "!" * (times[card] > 1) for card in cards]
            words += shown or [quote(token.text)]
        cells.append(f"[{number:>2}] {' '.join(words) or cell}".rstrip())
    labels = [f"{label.capitalize()}: {value}" for label, value in draft.labels.items()]
    return [*(in_columns(cells) if for_person else cells), *labels]


# What is wrong with it.


def faults(game: BelleLucie, draft: Draft, setting: Setting, early: bool = False) -> list[str]:
    """Every fault, with fans for places; `early` ones are those that no further fan can mend."""
    found = Faults()
    try:
        if setting.origin is Origin.REDEAL:
            _check_redeal(game, draft, setting.state, found)
            found.check()
        else:
            state = game.parse(_now_text(draft, setting.state))
            if setting.origin is Origin.NOW:
                _check_now(state, setting.state, found)
                found.check()
    except InvalidDealError as error:
        shown = [fault for fault in error.faults if not early or _is_in_fan(fault, draft)]
        counted = _counted_fans(game, draft)
        texts = [_word(fault, draft, counted) for fault in shown]
        if not early:
            texts = _with_repair(game, draft, setting, texts)
        return first_faults(texts)
    return []


def _now_text(draft: Draft, start: State | None) -> str:
    """The text of a draft; a board of a deal under way has that deal's number."""
    if start is None or not start.rules.redeals:
        return _text(draft)
    return _text(Draft(draft.cells, {**draft.labels, "deal": str(start.deal)}))


def _is_in_fan(fault: Fault, draft: Draft) -> bool:
    return fault.place is not None and fault.place.line <= len(draft.cells)


def _counted_fans(game: BelleLucie, draft: Draft) -> list[int]:
    """The fans that the game counts in its messages: those with a card of their own, and empty ones that stay."""
    seen: set[Card] = set()
    counted = []
    for number, (cell, fan) in enumerate(zip(draft.cells, _fans(draft), strict=True), 1):
        new = {card for card, _ in read_cards(fan, Faults())} - seen
        seen |= new
        if new or (cell == _EMPTY and game.rules.kings_to_spaces):
            counted.append(number)
    return counted


def _word(fault: Fault, draft: Draft, counted: list[int]) -> str:
    """The fault in the words of the game, its places turned into fans."""
    message = _FAN.sub(lambda match: f"in fan {counted[int(match[1]) - 1]}", fault.message)
    message = _PLACE.sub(lambda match: f"in fan {match[1]}", message)
    if not _is_in_fan(fault, draft):
        return message
    assert fault.place is not None
    return f"fan {fault.place.line}: {message}"


def _with_repair(game: BelleLucie, draft: Draft, setting: Setting, texts: list[str]) -> list[str]:
    """Where one word is wrong and one card is missing, the repair is named."""
    in_play = {card for card in PACK if setting.state is None or card.rank > setting.state.foundations[card.suit]}
    missing = sorted(in_play - set(_cards(draft)))
    wrong = [text for text in texts if text.startswith("fan ") and (" is not a card" in text or " twice " in text)]
    if len(missing) != 1 or len(wrong) != 1 or count(draft) != expected_count(game, draft, setting):
        return texts
    return [f"{text}; the only card missing is {missing[0]}" if text == wrong[0] else text for text in texts]


def _check_redeal(game: BelleLucie, draft: Draft, before: State, found: Faults) -> None:
    """A redeal brings the cards that were in the fans, each once, in fans of the right size."""
    seen = Seen(found)
    fans = _fans(draft)
    left = 52 - before.score
    full, rest = divmod(left, game.rules.fan_size)
    sizes = [game.rules.fan_size] * full + [rest] * (rest > 0)
    for number, fan in enumerate(fans, 1):
        for card, place in read_cards(fan, found):
            if card.rank <= before.foundations[card.suit]:
                found.add(f"'{card}' is on its foundation, so no redeal brings it", place)
            else:
                seen.is_new(card, place)
        size = sizes[number - 1] if number <= len(sizes) else 0
        if len(fan) != size:
            expected = f"expected {size}" if size else f"but {plural(left, 'card')} make {plural(len(sizes), 'fan')}"
            found.add(f"{plural(len(fan), 'card')}, {expected}", Place(number, _MOST_FANS))
    missing = {card for fan in before.fans for card in fan} - seen.places.keys()
    if missing:
        found.add(f"missing: {format_cards(sorted(missing))}")


def _check_now(state: State, start: State, found: Faults) -> None:
    """Play puts cards up and spends mercis; neither comes back."""
    back = [card for fan in state.fans for card in fan if card.rank <= start.foundations[card.suit]]
    if back:
        found.add(f"{format_cards(sorted(back))}: on a foundation when this deal began, so not in a fan now")
    if state.mercis > start.mercis:
        found.add(f"{plural(state.mercis, 'merci')} left, but the deal began with {start.mercis}")


# What it stands for.


def lay_out(game: BelleLucie, draft: Draft, setting: Setting) -> State:
    """The state of a draft without faults."""
    if setting.origin is not Origin.REDEAL:
        return game.parse(_now_text(draft, setting.state))
    before: State = setting.state
    return before.play(game.parse_move(redeal_token(draft), before))


def redeal_token(draft: Draft) -> str:
    """The redeal that brought these fans."""
    return f"r={''.join(map(str, _cards(draft)))}"


def draft_of(state: State) -> Draft:
    """The fans of a state, and the mercis left where there are any to spend."""
    labels = {"merci": str(state.mercis)} if state.rules.merci != "none" else {}
    return Draft(tuple(format_cards(fan) or _EMPTY for fan in state.fans), labels)
