"""Joining words, and laying out cells in columns."""

from __future__ import annotations


def join(words: list[str], last: str = "and") -> str:
    """Join words: 'a', 'a and b', 'a, b and c'."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def in_columns(cells: list[str], columns: int = 3) -> list[str]:
    """Return the cells in rows, to be read down each column."""
    width = max(map(len, cells), default=0) + 3
    rows = -(-len(cells) // columns)
    return ["".join(cell.ljust(width) for cell in cells[row::rows]).rstrip() for row in range(rows)]
