"""La Belle Lucie on the page: the foundations and the redeal above the fans."""

from __future__ import annotations

from unshuffle.cards import Card as Face
from unshuffle.cards import Suit
from unshuffle.games.belle_lucie.moves import Merci, Move, Redeal, ToFoundation, ToSpace
from unshuffle.games.belle_lucie.rules import State
from unshuffle.web.pictures import Gesture, lying
from unshuffle.web.shapes import Area, Place, Source, Target


def paint(table: State) -> list[Area]:
    """What lies where."""
    top = [
        Place(
            id=f"foundation-{suit.letter}",
            kind="foundation",
            label=f"Foundation of {suit.word}",
            cards=lying((Face(rank, suit) for rank in range(1, table.foundations[suit] + 1)), settled=True),
            hint=Face(1, suit).glyph,
        )
        for suit in Suit
    ]
    rules = table.rules
    if rules.redeals:
        top.append(Place(id="redeal", kind="redeal", label=f"Redeal, {table.redeals_left} left"))
    fans = [
        Place(
            id=f"fan-{number}",
            kind="fan",
            label=f"Fan {number}",
            spread="right",
            cards=lying(fan),
            hint="K" if rules.kings_to_spaces else "",
        )
        for number, fan in enumerate(table.fans, 1)
    ]
    label = "Fans" if rules.merci == "none" else f"Fans; mercis left: {table.mercis}"
    return [
        Area(name="top", label="Foundations", arrange="row", places=top),
        Area(name="fans", label=label, arrange="flow", places=fans),
    ]


def point(table: State, move: Move) -> Gesture:
    """Where a move takes hold, and where it leads."""
    move = table.plain(move)
    if isinstance(move, Redeal):
        return Source(place="redeal"), None
    number, fan = next((number, fan) for number, fan in enumerate(table.fans, 1) if move.card in fan)
    source = Source(place=f"fan-{number}", card=fan.index(move.card), count=1)
    if isinstance(move, ToFoundation) or (isinstance(move, Merci) and move.up):
        return source, Target(place=f"foundation-{move.card.suit.letter}")
    if isinstance(move, ToSpace):
        return source, Target(place=f"fan-{table.fans.index(()) + 1}")
    if move.onto is None:
        return source, Target(place=source.place)  # to the top of its own fan
    onto = next(number for number, fan in enumerate(table.fans, 1) if fan and fan[-1] is move.onto)
    return source, Target(place=f"fan-{onto}")


def goes_up(table: State, move: Move) -> bool:
    """Whether the move goes to a foundation; a merci is too dear for a double click."""
    return isinstance(move, ToFoundation)
