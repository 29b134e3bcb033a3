"""How a table is arranged on the page, game by game. No rule is here: only what lies where, and what a move grips.

A game's module has `paint`, the areas of a table as a player sees it, and `point`, where a move begins and ends there.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from types import ModuleType
from typing import Any

from unshuffle import cards
from unshuffle.game import AnyGame
from unshuffle.web.shapes import Area, Card, Legal, Picture, Source, Target, Told

Gesture = tuple[Source | None, Target | None]


@cache
def card(face: cards.Card | None, settled: bool = False) -> Card:
    """A card of a picture; the same one every time, for a table has many."""
    return Card(face=None if face is None else str(face), settled=settled)


def lying(faces: Iterable[cards.Card | None], settled: bool = False) -> list[Card]:
    """The cards of a place."""
    return [card(face, settled) for face in faces]


def _painter(game: AnyGame) -> ModuleType | None:
    """The module of a game; one that has none is shown as text."""
    painter: ModuleType | None = game.own("picture")
    return painter


def paint(game: AnyGame, seen: Any) -> Picture:
    """The picture of a table as a player sees it."""
    painter = _painter(game)
    areas: list[Area] = [] if painter is None else painter.paint(seen)
    return Picture(areas=areas)


def tell(game: AnyGame, seen: Any, move: Any, state: Any = None) -> Told:
    """A move in words, with its gesture; with a `state` in the words of one who knows what it shows."""
    words = game.describe(seen if state is None else state, move)
    source, target = _gesture(game, seen, move)
    return Told(token=move.token, kind=words.kind, text=words.text, source=source, target=target)


def tell_legal(game: AnyGame, seen: Any, move: Any) -> Legal:
    """A move that can be made, and whether it puts its card where it belongs."""
    painter = _painter(game)
    told = tell(game, seen, move)
    up = painter is not None and bool(painter.goes_up(seen, move))
    return Legal(token=told.token, kind=told.kind, text=told.text, source=told.source, target=told.target, goes_up=up)


def _gesture(game: AnyGame, seen: Any, move: Any) -> Gesture:
    painter = _painter(game)
    if painter is None:
        return None, None
    # A plan tells what a move shows; the hand does the same.
    found: Gesture = painter.point(seen, getattr(move, "move", move))
    return found
