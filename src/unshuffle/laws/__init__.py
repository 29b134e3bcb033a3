"""The laws that every game keeps: what `unshuffle check-game` tries, and our own tests for every registered game."""

from collections.abc import Iterator

from unshuffle.game import AnyGame
from unshuffle.laws import places, play, search, text, twins
from unshuffle.laws.case import BrokenError, Case, Law
from unshuffle.laws.checking import Finding, Verdict, check_law

LAWS: tuple[Law, ...] = tuple(
    each for room in (play, text, places, search, twins) for each in vars(room).values() if isinstance(each, Law)
)
"""All of them, the plainest first."""


def check_game(
    game: AnyGame, seeds: range = range(10), *, seconds: float | None = 10, nodes: int | None = 20_000
) -> Iterator[Finding]:
    """Hold a game against every law on the deals with these seeds; the seconds are for each law."""
    return (check_law(game, law, seeds, seconds=seconds, nodes=nodes) for law in LAWS)


__all__ = ["LAWS", "BrokenError", "Case", "Finding", "Law", "Verdict", "check_game", "check_law"]
