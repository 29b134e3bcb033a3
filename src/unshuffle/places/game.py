"""What a game gets for its places: the part of `Game` that knows where cards lie."""

from __future__ import annotations

from abc import ABC
from typing import Any, ClassVar, Generic, TypeVar

from unshuffle.places import Board, Dress, Places
from unshuffle.places.gestures import Gesture, find_gesture

TableT = TypeVar("TableT")


class Placed(ABC, Generic[TableT]):
    """A game that may declare its places.

    One that does supplies `places`, `board` and `state_of`, each the inverse of the other. One that does not is shown
    as text, and its moves have no gestures.
    """

    rules: Any
    redeal_class: ClassVar[type[Any] | None]

    # What a game supplies.

    @property
    def places(self) -> Places | None:
        """What a table is made of under these rules; None if the game does not say it."""
        return None

    def board(self, table: Any) -> Board:
        """What lies where: of a state all cards, of a view those that are seen."""
        raise NotImplementedError(f"{self} declares no places")

    def state_of(self, board: Board) -> TableT:
        """The state of a board on which every card is told."""
        raise NotImplementedError(f"{self} declares no places")

    # What it may supply.

    def dress(self, table: Any) -> Dress:
        """What a picture shows beside the cards."""
        return Dress()

    def gesture(self, table: Any, move: Any) -> Gesture | None:
        """The gesture that makes the move on a state or a view, told by the boards before and after.

        None where the game declares no places. A game whose moves change more than a hand does says it itself.
        """
        if self.places is None:
            return None
        if self.redeal_class is not None and isinstance(move, self.redeal_class):
            # The boards cannot tell it where the order is not known.
            return next(Gesture(where) for area, where, _ in self.board(table).each() if area.kind == "redeal")
        # A move hangs on no hidden card, so any cards may lie there.
        state = table.laid(table.unseen) if hasattr(table, "laid") else table
        return find_gesture(self.board(state), self.board(state.play(move)))

    def goes_up(self, table: Any, move: Any) -> bool:
        """Whether the move puts its card where it belongs, which a double click does too."""
        gesture, places = self.gesture(table, move), self.places
        if places is None or gesture is None or gesture.target is None:
            return False
        return places[gesture.target.area].kind in ("foundation", "discards")
