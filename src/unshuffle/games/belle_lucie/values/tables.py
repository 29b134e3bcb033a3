"""The values of redeals of La Belle Lucie, as `unshuffle values` builds and shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unshuffle.cards import Card, Suit
from unshuffle.errors import ParseError, UsageError
from unshuffle.games.belle_lucie.hidden.values import check_heights, index, levels_of, mercis_of_planes, table_of
from unshuffle.numbers import plural, read_up_to
from unshuffle.values.building import Building, Shown, Values

if TYPE_CHECKING:
    from unshuffle.games.belle_lucie.hidden.values import Block, Value


class BelleLucieValues(Values):
    """The chance to win when the cards that are not up are dealt again."""

    out = "belle-lucie-values.txt.gz"
    heights = 'the foundations: "9 13 13 13", or their top cards, such as 9C KD KH KS'

    def building(self, given: dict[str, Any], out: Path | None) -> Building:
        """Return the build of all tables, or of some."""
        from unshuffle.games.belle_lucie.values.building import (
            Recipe,
            build,
        )  # imported here: looking up does not need it

        if "table" in given:
            given["tables"] = tuple(dict.fromkeys(given.pop("table")))
        recipe, path = Recipe(**given), out or Path(self.out)

        def run(threads: int | None, tell: Callable[[str], object]) -> Sequence[str]:
            def watch(block: Block, done: int, of: int) -> None:
                tell(f"{done:,} of {of:,} states; table {block.table}, {plural(block.level, 'redeal')} left")

            build(recipe, path, threads=threads, progress=watch)
            return ()

        return Building(path, ", ".join(recipe.tables), run)

    def show(self, game: Any, words: list[str]) -> Shown:
        """Return the values at these heights, by the redeals and mercis that are left."""
        heights = _read_heights(words)
        check_heights(heights)
        table, is_own = table_of(game.rules)
        if not is_own:
            raise UsageError(f"there is no table of values for {game}; that of {table!r} would be another game's")
        rows: list[tuple[int, int, Value]] = [
            (level, mercis, plane[index(heights)])
            for level, planes in enumerate(levels_of(table))
            for mercis, plane in zip(mercis_of_planes(game.rules), planes, strict=True)
        ]
        lines = [
            f"{game}: {plural(52 - sum(heights), 'card')} left, foundations at {' '.join(map(str, heights))}",
            "",
            "The chance to win when they are dealt again, by the redeals that are left then:",
        ]
        for level, mercis, value in rows:
            left = plural(level, "redeal") + (f", {plural(mercis, 'merci')}" if game.rules.merci != "none" else "")
            how = "exact" if value.n == 0 else f"± {100 * value.se:.2g} %, {value.n:,} deals"
            lines.append(f"  {left}: {100 * value.p:.2f} % ({how})")
        found = [
            {"redeals_left": level, "mercis": mercis, "p": value.p, "se": value.se, "n": value.n}
            for level, mercis, value in rows
        ]
        return Shown({"table": table, "heights": heights, "left": 52 - sum(heights), "values": found}, lines)


def _read_heights(words: list[str]) -> list[int]:
    """Return the heights from four numbers, or from the top cards; a suit that is not named has none."""
    tokens = " ".join(words).replace(",", " ").split()
    numbers = [read_up_to(token, 99) for token in tokens]
    if tokens and None not in numbers:
        return [number for number in numbers if number is not None]
    heights = [0] * len(Suit)
    for token in tokens:
        try:
            card = Card.parse(token)
        except ParseError as error:
            raise UsageError(f"HEIGHTS: {error}; or four numbers 0..13") from None
        if heights[card.suit]:
            raise UsageError(f"HEIGHTS: {card} is a second foundation of {card.suit.word}")
        heights[card.suit] = card.rank
    return heights
