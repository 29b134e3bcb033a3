"""The tables of values of La Belle Lucie: looked up, built and shown."""

from unshuffle.games.belle_lucie.hidden.values import lookup

__all__ = ["lookup"]
