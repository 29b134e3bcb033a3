"""Files of decks for tournaments, one to a line: `Deck:` and the cards, the cards alone, or in a foreign format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from unshuffle.cards import Card
from unshuffle.errors import Fault, Faults, InvalidDealError, ParseError, Place, in_a_line, quote
from unshuffle.game import AnyGame
from unshuffle.layout import read_deck, read_lines

Deck = tuple[Card, ...]
Foreign = Callable[[str], Deck | None]
"""A parser for the lines of another program. Returns None for a line in our own format."""

_MOST_FAULTS = 100


def read_deck_file(path: Path, game: AnyGame, foreign: Foreign) -> list[Deck]:
    """Return the decks of a file, each in deal order. Raise InvalidDealError with all faults and their lines."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ParseError(f"{quote(str(path))} is not UTF-8 text: byte {error.start} is wrong") from None
    except OSError as error:
        raise ParseError(f"cannot read {quote(str(path))}: {error.strerror or error}") from None
    decks: list[Deck] = []
    faults: list[Fault] = []
    for number, raw in enumerate(text.splitlines(), 1):
        if len(faults) > _MOST_FAULTS:
            break  # not a file of decks
        try:
            deck = _read(raw, game, foreign)
        except InvalidDealError:
            faults += _faults_at(number, raw, game, foreign)
            continue
        except ParseError as error:
            faults.append(Fault(str(error), Place(number, 1)))
            continue
        if deck is not None:
            decks.append(deck)
    if faults:
        refused = InvalidDealError(faults)
        refused.add_note(f"{in_a_line(path)} is not a file of decks, one to a line")
        raise refused
    if not decks:
        raise ParseError(f"{quote(str(path))} has no deck in it; expected one to a line")
    return decks


def _faults_at(number: int, raw: str, game: AnyGame, foreign: Foreign) -> tuple[Fault, ...]:
    """Return the faults of a line. Reads it again after empty lines, so that the line numbers are right."""
    try:
        _read("\n" * (number - 1) + raw, game, foreign)
    except InvalidDealError as error:
        return tuple(fault if fault.place else Fault(fault.message, Place(number, 1)) for fault in error.faults)
    raise AssertionError("a line that was faulty stays so")


def _read(raw: str, game: AnyGame, foreign: Foreign) -> Deck | None:
    """Return the deck of a line, or None for an empty line."""
    deck = foreign(raw)
    if deck is not None:
        return deck
    faults = Faults()
    lines = read_lines(raw, faults)
    if not lines:
        faults.check()
        return None
    for line in lines:
        if line.label not in (None, "deck"):
            faults.add(f"{quote(line.label or '')} does not go with decks; expected 'Deck:' or cards", line.place)
    found = read_deck([token for line in lines for token in line.tokens], game.pack, faults)
    faults.check()
    return found
