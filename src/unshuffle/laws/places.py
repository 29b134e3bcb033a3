"""Laws of places: a board describes the whole table, hides what a player does not see, and implies the gestures."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from unshuffle.game import AnyGame
from unshuffle.laws.case import BrokenError, Case, law
from unshuffle.places.gestures import find_gesture
from unshuffle.views import HiddenView, Shown

_LONGEST = 60
"""The most moves that are played on a view."""


def has_places(game: AnyGame) -> bool:
    """Return whether the game declares where its cards lie."""
    return game.places is not None


@law(concerns=has_places)
def boards(case: Case) -> None:
    """`state_of` undoes `board`, and a board has the areas, marks and cards that `places` declares."""
    game = case.game
    places: Any = game.places
    for state in case.line():
        board = game.board(state)
        if board.places is not places:
            raise BrokenError("the places of the board are not those of the game, made once for its rules")
        if board.piles.keys() != {area.name for area in places.areas}:
            raise BrokenError(f"the board has the areas {', '.join(board.piles)}, which are not those of `places`")
        for area in places.areas:
            if area.count not in (None, len(board.piles[area.name])):
                raise BrokenError(f"{area.name} has {len(board.piles[area.name])} places, not {area.count}")
        if board.marks.keys() != {mark.name for mark in places.marks}:
            raise BrokenError(f"the board has the marks {', '.join(board.marks)}, which are not those of `places`")
        if game.state_of(board) != state:
            raise BrokenError("`state_of` makes another position of the board")
        if Counter(board.cards()) != Counter(places.pack):
            raise BrokenError("the board has not just the cards of the pack")


@law(concerns=has_places)
def masks(case: Case) -> None:
    """Every board without its unknown cards is the board of the view, and these cards fill it in any order."""
    game = case.game
    for state in case.line():
        whole, view = game.board(state), state.view()
        masked = whole.seen()
        shown = replace(game.board_of(getattr(view, "table", view)), is_seen=True)
        if masked != shown:
            told = Counter(shown.cards()) - Counter(masked.cards())
            what = f"shows {len(list(told.elements()))} cards that" if told else "hides other cards than those that"
            raise BrokenError(f"the view {what} the board says nobody knows")
        if masked.unseen() != tuple(getattr(view, "unseen", ())):
            raise BrokenError("the unseen cards of the view are not those that the board hides")
        cards = list(masked.unseen())
        case.rng.shuffle(cards)
        filled = masked.filled(cards)
        if filled.seen() != masked or Counter(filled.cards()) != Counter(whole.cards()):
            raise BrokenError("the hidden cards do not fill the board again")
        if hasattr(view, "laid") and game.state_of(filled) != view.laid(cards):
            raise BrokenError("`laid` lays the hidden cards elsewhere than the board has them")


@law(concerns=has_places)
def gestures(case: Case) -> None:
    """Every move has a gesture; where the boards before and after the move imply one, it is the same."""
    game = case.game
    for state in case.line():
        view = state.view()
        for move in state.legal_moves():
            told = find_gesture(game.board(state), game.board(state.play(move)))
            declared = game.gesture(state, move)
            if declared is None:
                raise BrokenError(f"nobody can tell by which gesture {move.token!r} is made: override `gesture`")
            if game.gesture(getattr(view, "table", view), move) != declared:
                raise BrokenError(f"{move.token!r} has another gesture on what a player sees")
            # By the boards a card that is discarded as soon as it has moved went to the discards, and cards from
            # below it may have followed.
            if told is not None and told.target is not None and told.target.area == "discards":
                below = max(0, declared.first - told.first)
                declared = replace(
                    declared, first=declared.first - below, count=declared.count + below, target=told.target
                )
            if told not in (None, declared):
                raise BrokenError(f"the gesture of {move.token!r} is {declared}, but the boards tell {told}")


def _hides(game: AnyGame) -> bool:
    return has_places(game) and isinstance(game.deal(0).view(), HiddenView)


@law(concerns=_hides)
def look_alikes(case: Case) -> None:
    """Each view that is played on stays the view of its state, and deals that look alike so far have equal views."""
    game, rng = case.game, case.rng
    state = table = case.state = game.deal(case.seed)
    start = view = state.view()
    board = game.board(state)
    # Hidden cards are identified by where they lie at the start, not by their faces: with two packs one of two equal
    # cards may have been seen.
    order: list[Any] = [
        card
        for name in board.places.filling
        for pile, count in zip(board.piles[name], board.hidden.get(name, ()), strict=False)
        for card in pile[:count]
    ]
    if start.laid(order) != state:
        raise BrokenError("the hidden cards, laid in their order, do not make the deal again")
    told, dealt = set[int](), sum(start.down)
    while len(case.moves) < _LONGEST and isinstance(view, HiddenView) and (moves := view.legal_moves()):
        move = rng.choice(moves)
        count = view.dealt_by(move)
        row = tuple(order[dealt : dealt + count])
        turned = [sum(start.down[: number - 1]) + view.down[number - 1] - 1 for number in view.turns(Shown(move, row))]
        cards = (*row, *(order[place] for place in turned))
        shown = Shown(move, cards) if cards else move
        if view.turned_by(shown) != len(cards):
            raise BrokenError(
                f"the view says that {move.token!r} shows {view.turned_by(shown)} cards, not {len(cards)}"
            )
        table, view = table.play(move), view.play(shown)
        case.state = table
        case.moves.append(move)
        if view != table.view():
            raise BrokenError("the view that was played on is not the view of the position")
        told.update(turned, range(dealt, dealt + count))
        dealt += count
    places = [place for place in range(len(order)) if place not in told]
    other = list(order)
    for place, card in zip(places, rng.sample([order[place] for place in places], len(places)), strict=True):
        other[place] = card
    twin = start.laid(other)
    for move in (*case.moves, None):
        if twin.view() != state.view():
            raise BrokenError("another deal that looks alike has another view: the view tells of hidden cards")
        if move is not None:
            twin, state = twin.play(move), state.play(move)
