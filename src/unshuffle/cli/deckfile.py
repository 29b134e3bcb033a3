"""Files of decks, one to a line: for tournaments on decks that somebody has typed or that another program has kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from unshuffle.cards import Card
from unshuffle.errors import Fault, Faults, InvalidDealError, ParseError, Place, in_a_line, quote
from unshuffle.game import AnyGame
from unshuffle.layout import read_deck, read_lines

Deck = tuple[Card, ...]
Foreign = Callable[[str], Deck | None]
"""Reads a line that is written as another program does; None for one in our own text."""

_MOST_FAULTS = 100


def read_deck_file(path: Path, game: AnyGame, foreign: Foreign) -> list[Deck]:
    """Every deck, in deal order: `Deck:` and the cards, or the cards alone. Each fault is told with its line."""
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
            break  # it is something else than a file of decks
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
    """What is wrong with a line; read again with the lines before it as empty ones, so that all places are right."""
    try:
        _read("\n" * (number - 1) + raw, game, foreign)
    except InvalidDealError as error:
        return tuple(fault if fault.place else Fault(fault.message, Place(number, 1)) for fault in error.faults)
    raise AssertionError("a line that was faulty stays so")


def _read(raw: str, game: AnyGame, foreign: Foreign) -> Deck | None:
    """The deck of a line; None if nothing is on it."""
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
