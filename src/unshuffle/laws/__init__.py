"""The laws that every game must keep: `unshuffle check-game` and the contract tests check them."""

from collections.abc import Iterator

from unshuffle.game import AnyGame
from unshuffle.laws import places, play, search, text, twins
from unshuffle.laws.case import BrokenError, Case, Law
from unshuffle.laws.checking import Finding, Verdict, check_law

LAWS: tuple[Law, ...] = tuple(
    each for room in (play, text, places, search, twins) for each in vars(room).values() if isinstance(each, Law)
)
"""All laws, the simplest first."""


def check_game(
    game: AnyGame, seeds: range = range(10), *, seconds: float | None = 10, nodes: int | None = 20_000
) -> Iterator[Finding]:
    """Yield the finding of every law on the deals with these seeds; `seconds` and `nodes` limit each law and search."""
    return (check_law(game, law, seeds, seconds=seconds, nodes=nodes) for law in LAWS)


__all__ = ["LAWS", "BrokenError", "Case", "Finding", "Law", "Verdict", "check_game", "check_law"]
