"""The part of `Game` that is derived from places."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Generic, TypeVar

from unshuffle.cards import Card
from unshuffle.errors import Faults
from unshuffle.layout import Layout
from unshuffle.places import Board, Dress, Places
from unshuffle.places.gestures import Gesture, find_gesture, tell_gesture
from unshuffle.places.picture import draw
from unshuffle.places.reading import Reader
from unshuffle.places.text import Writer, entry_words

TableT = TypeVar("TableT")


class Placed(ABC, Generic[TableT]):
    """A game that may declare its places.

    A game with places supplies `places`, `board` and `state_of`, the inverse of `board`. A game without them supplies
    `read` and `cards` instead; it is shown as text, and its moves have no gestures.
    """

    rules: Any
    redeal_class: type[Any] | None
    entry_help: str
    hides_cards: bool
    labels: tuple[str, ...] = ()
    """The labels of the layout lines of a game without places, in lower case: 'stock'; 'redeal n' for all numbers."""
    writer: type[Writer] = Writer
    """The class that writes boards as text; a game with lines of its own has a subclass."""
    reader: type[Reader] = Reader
    """The class that reads text; likewise."""

    # What a game supplies.

    @property
    def places(self) -> Places | None:
        """The places of the tables under these rules; None if the game declares none."""
        return None

    def board(self, table: Any) -> Board:
        """Return the board of a state with all its cards, or of a view with those that are seen."""
        raise NotImplementedError(f"{self} declares no places")

    def state_of(self, board: Board) -> TableT:
        """Return the state of a board whose cards are all known."""
        raise NotImplementedError(f"{self} declares no places")

    # What it may supply.

    def dress(self, table: Any) -> Dress:
        """Return what a picture shows besides the cards."""
        return Dress()

    def view_of(self, board: Board) -> Any:
        """Return the player's view of a board read with unknown cards. Typed cards that no player sees are hidden."""
        seen = board.seen()
        state: Any = self.state_of(seen.filled(seen.unseen()))
        view = state.view()
        return view if hasattr(view, "view") else state  # nothing is hidden: the view only shows the state

    # Derived methods. Each may be overridden.

    @property
    def line_labels(self) -> tuple[str, ...]:
        """The labels of the game's own layout lines."""
        return self.labels or (() if self.places is None else self.places.labels)

    @property
    def how_typed(self) -> str:
        """The help for typing a position: `entry_help`, or else the lines of the places."""
        if self.entry_help or self.places is None:
            return self.entry_help or "One pile of cards per line, the card that can be played last."
        return entry_words(self.places, hides_cards=self.hides_cards)

    def read(self, layout: Layout, faults: Faults) -> TableT:
        """Read the game's own layout, noting every fault; the result is valid only if there is none."""
        return self.state_of(self._reader(layout, faults).board())

    def read_view(self, layout: Layout, faults: Faults) -> Any:
        """Read the game's own layout, in which hidden cards may be unknown, and return the player's view."""
        board = self._reader(layout, faults, is_seen_enough=True).board()
        faults.check()
        return self.view_of(board)

    def read_beside(self, state: TableT, layout: Layout, faults: Faults) -> TableT:
        """Return the deal of a typed `Deck:` with what other lines say: in a game with redeals marks and redeals."""
        places = self.places
        has_coming = places is not None and places.coming is not None
        beside = {"deck", "id", *([mark.name for mark in places.marks] if places is not None and has_coming else [])}
        for label, line in layout.labelled.items():
            if label not in beside and not (has_coming and label.startswith("redeal ")):
                faults.add(f"'{label.capitalize()}:' does not go with 'Deck:', which is a whole deal", line.place)
        if not has_coming:
            return state
        board = self.board(state)
        on_table = [card for area, _, pile in board.each() if area.kind != "foundation" for card in pile if card]
        marks, coming = self._reader(layout, faults).beside(on_table)
        return self.state_of(replace(board, marks=marks, coming=coming))

    def _reader(self, layout: Layout, faults: Faults, *, is_seen_enough: bool = False) -> Reader:
        if self.places is None:
            raise NotImplementedError(f"{self} supplies neither `places` nor `read`")
        return self.reader(self.places, layout, faults, is_seen_enough=is_seen_enough)

    def board_of(self, table: Any) -> Board:
        """Return the board of a state or a view; a view may store its own."""
        board: Board | None = getattr(table, "seen_board", None)
        return self.board(table) if board is None else board

    def write(self, table: Any) -> str:
        """Return a state or a view as layout text."""
        return self.writer(self.board_of(table)).text(table.id)

    def cards(self, state: TableT) -> Iterable[Card]:
        """Return every card, wherever it lies: none may ever be lost or doubled."""
        return self.board(state).cards()

    def picture(self, table: Any) -> str:
        """Return the table for display, with suit glyphs."""
        return str(table) if self.places is None else draw(self.board_of(table), self.dress(table))

    def settled(self, state: TableT) -> tuple[Card, ...]:
        """Return the cards in their final position, which a terminal shows in bold."""
        return self.dress(state).settled

    def gesture(self, table: Any, move: Any) -> Gesture | None:
        """Return the gesture that makes the move on a state or a view, found from the boards before and after.

        None if the game declares no places. A game whose moves are more than one gesture overrides it.
        """
        if self.places is None:
            return None
        if self.redeal_class is not None and isinstance(move, self.redeal_class):
            # The boards do not show it where its order is not known.
            return next(Gesture(where) for area, where, _ in self.board_of(table).each() if area.kind == "redeal")
        # No move depends on a hidden card, so any order of the unseen cards will do.
        state = table.laid(table.unseen) if hasattr(table, "laid") else table
        return find_gesture(self.board(state), self.board(state.play(move)))

    def gesture_in_words(self, table: Any, move: Any) -> tuple[str, str] | None:
        """Return the class of a move on a state or a view, and a sentence by its gesture; None without a gesture.

        Cards that the move turns up are named if the table or the move names them.
        """
        if hasattr(table, "sample"):
            table = getattr(table, "table", table)  # nothing is hidden: the view only shows the state
        bare = getattr(move, "move", move)  # a `Shown` move names the cards that it reveals
        gesture = self.gesture(table, bare)
        if gesture is None:
            return None
        board, told = self.board_of(table), () if bare is move else move.cards
        if gesture.count and not any(map(any, board.down.values())):
            return tell_gesture(gesture, board, board)  # nothing can be turned up
        if hasattr(table, "laid"):
            table = table.laid_for(move) if told else table.laid(table.unseen)
        known = self.redeal_class is None or not isinstance(bare, self.redeal_class)
        return tell_gesture(gesture, board, self.board(table.play(bare)) if known else board, told)

    def goes_up(self, table: Any, move: Any) -> bool:
        """Return whether the move puts its card in its final place, which a double click does too."""
        gesture, places = self.gesture(table, move), self.places
        if places is None or gesture is None or gesture.target is None:
            return False
        return places[gesture.target.area].kind in ("foundation", "discards")
