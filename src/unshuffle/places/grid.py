"""Areas of cells in rows: each place holds at most one card and is named by its row and column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from unshuffle.places import Area


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid(Area):
    """Cells in rows."""

    columns: int
    """The number of cells in a row."""

    @property
    def is_above(self) -> bool:
        """Return False: the grid is the table."""
        return False

    @property
    def arrange(self) -> Literal["row", "columns", "grid", "flow"]:
        """Return 'grid'."""
        return "grid"

    def id(self, number: int) -> str:
        """Return the id of a cell: 'cell-1-4'."""
        row, column = divmod(number, self.columns)
        return f"{self.kind}-{row + 1}-{column + 1}"

    def words(self, number: int) -> str:
        """Return the name of a cell for people: 'Row 1, column 4'."""
        row, column = divmod(number, self.columns)
        return f"Row {row + 1}, column {column + 1}"
