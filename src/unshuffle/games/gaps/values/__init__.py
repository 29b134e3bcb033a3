"""The tables of values of Gaps: lookup, building and display."""

from unshuffle.games.gaps.hidden.values import lookup

__all__ = ["lookup"]
