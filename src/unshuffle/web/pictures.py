"""Pictures of tables for the page, made from the places that a game declares. No code for single games."""

from __future__ import annotations

from functools import cache
from typing import Any

from unshuffle import cards
from unshuffle.game import AnyGame
from unshuffle.places import Board, Dress, Where
from unshuffle.places.grid import Grid
from unshuffle.web.shapes import Area, Card, Legal, Picture, Place, Source, Target, Told

_SETTLED = ("foundation", "discards", "completed")


def paint(game: AnyGame, seen: Any) -> Picture:
    """Return the picture of a table as a player sees it; empty for a game without places, which is shown as text."""
    return Picture(areas=[] if game.places is None else _areas(game.board_of(seen), game.dress(seen)))


def _areas(board: Board, dress: Dress) -> list[Area]:
    """Return the areas from top to bottom. The places above the table form one area."""
    top: list[Place] = []
    areas = []
    for area in board.places.areas:
        places = [_place(board, dress, Where(area.name, number)) for number in range(len(board.piles[area.name]))]
        if area.is_above and board.places.top:
            top += places
        elif places or area.count is None:
            label = dress.groups.get(area.name, area.name.capitalize())
            columns = area.columns if isinstance(area, Grid) else None
            areas.append(Area(name=area.name, label=label, arrange=area.arrange, columns=columns, places=places))
    return [Area(name="top", label=board.places.top, arrange="row", places=top), *areas] if top else areas


def _place(board: Board, dress: Dress, where: Where) -> Place:
    area, pile = board.places[where.area], board.piles[where.area][where.number]
    is_counted = area.kind == "stock"
    is_settled = area.kind in _SETTLED
    shown = board.drawn(where.area)[where.number]
    return Place(
        id=area.id(where.number),
        kind=area.kind,
        label=dress.labels.get(where) or area.words(where.number),
        spread=area.spread,
        cards=[] if is_counted else [_card(face, is_settled or face in dress.settled) for face in shown],
        count=len(pile) if is_counted else None,
        hint=dress.hints.get(where, area.suits[where.number].glyph if area.suits else ""),
    )


@cache
def _card(face: cards.Card | None, settled: bool) -> Card:
    """Return a card of a picture. Cached, since a table has many."""
    return Card(face=None if face is None else str(face), settled=settled)


def tell(game: AnyGame, seen: Any, move: Any, state: Any = None) -> Told:
    """Return a move with its description and gesture. With a `state` the description uses all cards of it."""
    words = game.describe(seen if state is None else state, move)
    source, target = _point(game, seen, move)
    return Told(token=move.token, kind=words.kind, text=words.text, source=source, target=target)


def tell_legal(game: AnyGame, seen: Any, move: Any) -> Legal:
    """Return a legal move, and whether it puts its card in its final place."""
    told = tell(game, seen, move)
    up = game.goes_up(seen, move)
    return Legal(token=told.token, kind=told.kind, text=told.text, source=told.source, target=told.target, goes_up=up)


def _point(game: AnyGame, seen: Any, move: Any) -> tuple[Source | None, Target | None]:
    """Return the source and the target of a move in the shapes of the page."""
    # A move of a plan may contain the cards that it shows; its gesture is that of the bare move.
    gesture = game.gesture(seen, getattr(move, "move", move))
    places = game.places
    if gesture is None or places is None:
        return None, None
    where, target = gesture.source, gesture.target
    source = Source(place=places[where.area].id(where.number))
    if gesture.count:
        source = Source(place=source.place, card=gesture.first, count=gesture.count)
    return source, None if target is None else Target(place=places[target.area].id(target.number))
