"""The tables of values of Gaps: looked up, built and shown."""

from unshuffle.games.gaps.hidden.values import lookup

__all__ = ["lookup"]
