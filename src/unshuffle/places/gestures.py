"""A move as a gesture of the hand, found from the boards before and after it, and its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unshuffle.cards import Card
from unshuffle.numbers import plural
from unshuffle.places import Area, Board, Pile, Where
from unshuffle.places.picture import glyphs


@dataclass(frozen=True, slots=True)
class Gesture:
    """Where a hand takes cards, how many, and where it lays them."""

    source: Where
    first: int = 0
    """The lowest card taken, counted from 0."""
    count: int = 0
    """The number of cards taken; 0: the place itself is clicked."""
    target: Where | None = None


def find_gesture(before: Board, after: Board) -> Gesture | None:
    """Return the gesture that makes this difference; None if more has changed than one gesture can.

    A stock that has fewer cards was clicked, and so was a redeal whose mark has risen. Otherwise one place has lost the
    cards that another has gained. Places are compared, not cards: with two packs the same card lies in several places.
    """
    lost: list[tuple[Where, int, Pile]] = []
    got: list[tuple[Where, Pile]] = []
    for area in before.places.areas:
        was, now = before.piles[area.name], after.piles[area.name]
        if area.kind == "stock" and len(now[0]) != len(was[0]):
            return Gesture(Where(area.name, 0))
        if area.clicks and after.marks[area.clicks] > before.marks[area.clicks]:
            return Gesture(Where(area.name, 0))
        for where, old, new in _changed(area, was, now):
            if len(old) == len(new) and Counter(old) == Counter(new):
                first = next(index for index, card in enumerate(old) if card is not new[index])
                return Gesture(where, first, 1, where)  # to the top of its own place
            if old == new[: len(old)]:
                got.append((where, new[len(old) :]))
            elif (found := _find_lost(old, new)) is not None:
                lost.append((where, *found))
            else:
                return None
    if len(lost) != 1 or len(got) != 1 or lost[0][2] != got[0][1]:
        return None
    source, first, cards = lost[0]
    return Gesture(source, first, len(cards), got[0][0])


def _changed(area: Area, was: tuple[Pile, ...], now: tuple[Pile, ...]) -> Iterator[tuple[Where, Pile, Pile]]:
    """Yield the places that changed, before and after; a place that has left the table is empty after."""
    if area.count is not None or len(was) == len(now):
        for number, (old, new) in enumerate(zip(was, now, strict=True)):
            if old != new:
                yield Where(area.name, number), old, new
        return
    # An emptied place has left the table, which shifts the numbers of the places after it.
    rest = list((Counter(now) - Counter(was)).elements())
    for number, old in enumerate(was):
        if old not in now:
            new = next((pile for pile in rest if pile[: len(old)] == old or _find_lost(old, pile) is not None), ())
            yield Where(area.name, number), old, new


def _find_lost(old: Pile, new: Pile) -> tuple[int, Pile] | None:
    """Return the position and the cards that a place has lost: its upper cards, or one card from its middle."""
    first = next((index for index, (a, b) in enumerate(zip(old, new, strict=False)) if a is not b), len(new))
    if len(new) == first < len(old):
        return first, old[first:]
    return (first, old[first : first + 1]) if old[:first] + old[first + 1 :] == new else None


def tell_gesture(gesture: Gesture, before: Board, after: Board, told: Sequence[Card] = ()) -> tuple[str, str]:
    """Return the class of the move and its sentence: 'Move', '9♣ from Pile 1 to Cell 1; turns up J♦'.

    `told` are the cards that the move reveals as typed by a player, and then lie on the board `after` it; without them
    only the sizes of that board are read.
    """
    source, target = gesture.source, gesture.target
    area = before.places[source.area]
    name, pile = area.words(source.number), before.piles[source.area][source.number]
    if not gesture.count:
        dealt = len(pile) - len(after.piles[source.area][source.number])
        if area.kind != "stock" or not dealt:
            return "Redeal", "The cards are dealt again"
        if dealt < 0:
            return "Redeal", f"{plural(-dealt, 'card')} back to {name}"
        shown = f": {glyphs(told[:dealt])}" if told else ""
        return "Deal", f"Deal {plural(dealt, 'card')} from {name}{shown}{_turned(before, after, told)}"
    taken = pile[gesture.first : gesture.first + gesture.count]
    text = f"{glyphs(taken) if len(taken) == 1 else plural(len(taken), 'card')} from {name}"
    if target is not None:
        where = before.places[target.area].words(target.number)
        text = f"{text} to {where}" if target != source else f"{text} to its top"
    return "Move", text + _turned(before, after, told)


def _turned(before: Board, after: Board, told: Sequence[Card]) -> str:
    """Return the clause about cards turned up; if one is unknown they are only counted."""
    cards: list[Card | None] = []
    for area in before.places.areas:
        if area.kind == "stock" or area.count is None:
            continue
        counts = zip(before.down.get(area.name, ()), after.down.get(area.name, ()), strict=False)
        for number, (was, left) in enumerate(counts):
            cards += (after if told else before).piles[area.name][number][left:was]
    if not cards:
        return ""
    return f"; turns up {glyphs(cards) if all(cards) else plural(len(cards), 'card').replace('1 card', 'a card')}"
