"""The values of redeals of Gaps, as `unshuffle values` builds and shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from unshuffle.errors import UsageError, quote
from unshuffle.game import INFORMATION
from unshuffle.games.gaps.hidden.values import Value, check_lengths, index, of_rules
from unshuffle.numbers import plural, read_up_to
from unshuffle.values.building import Building, Shown, Values


class GapsValues(Values):
    """The values of redeals by the lengths of the locked runs."""

    out = "gaps-values-VARIANT.txt.gz"
    heights = 'the lengths of the locked runs: "9 9 8 8"'

    def building(self, given: dict[str, Any], out: Path | None) -> Building:
        """Return the work that builds the table of one variant."""
        from unshuffle.games.gaps.values.building import Recipe, build  # not needed to look values up

        recipe = Recipe(**given)
        path = out or Path(self.out.replace("VARIANT", recipe.variant))

        def run(threads: int | None, tell: Callable[[str], object]) -> Sequence[str]:
            table = build(recipe, path, threads=threads, progress=lambda done, of: tell(f"{done:,} of {of:,} redeals"))
            return [f"{name}: {table.provenance[name]}" for name in ("exact", "held-out log loss")]

        return Building(path, recipe.variant, run)

    def show(self, game: Any, words: list[str]) -> Shown:
        """Return the chance to win for each number of redeals left."""
        shape = sorted(_read_lengths(words), reverse=True)
        check_lengths(shape)
        table = of_rules(game.rules)
        if table is None or not game.rules.redeals:
            why = "" if game.rules.redeals else ", which has no redeals"
            raise UsageError(f"there is no table of values for {game}{why}")
        row = table.rows[index(shape)]
        levels = [(k, Value(p, se, row.n)) for k, (p, se) in enumerate(row.planes, 1)]
        lines = [
            f"{game}: runs of {' '.join(map(str, shape))}, {plural(sum(shape), 'card')} locked",
            "",
            f"The chance to win by the redeals that are left, the next about to be made ({INFORMATION['hidden']}):",
            *(f"  {plural(k, 'redeal')}: {_in_words(value)}" for k, value in levels),
        ]
        if row.is_exact and row.n:
            lines.append(
                f"A redeal of this shape brings one of {row.n:,} boards. All were searched: {row.wins:,} are won."
            )
        elif row.is_exact:
            lines.append("All cards are locked: the game is won.")
        else:
            undecided = f", {row.undecided:,} undecided" if row.undecided else ""
            lines += [
                "± is one standard error; in brackets the 95 % confidence interval.",
                f"Simulated: {row.n:,} redeals of this shape, {row.wins:,} won{undecided}; the chances are a fit to the"
                " redeals of all shapes.",
            ]
        about = {"table": table.name, "shape": shape, "locked": sum(shape)}
        counts = {"n": row.n, "wins": row.wins, "undecided": row.undecided}
        return Shown(
            about | counts | {"values": [{"redeals_left": k, **_as_json(value)} for k, value in levels]}, lines
        )


def _as_json(value: Value) -> dict[str, Any]:
    low, high = value.interval
    return {"p": value.p, "se": value.se, "low": low, "high": high, "exact": value.is_exact}


def _in_words(value: Value) -> str:
    if value.is_exact:
        return f"{100 * value.p:.2f} % (exact)"
    low, high = (100 * bound for bound in value.interval)
    return f"{100 * value.p:.1f} % ± {max(100 * value.se, 0.1):.1f} [{low:.1f}, {high:.1f}]"


def _read_lengths(words: list[str]) -> list[int]:
    tokens = " ".join(words).replace(",", " ").replace("/", " ").split()
    lengths = []
    for token in tokens:
        length = read_up_to(token, 99)
        if length is None:
            raise UsageError(
                f"HEIGHTS: {quote(token)} is not a number; expected the lengths of four runs, such as 9 9 8 8"
            )
        lengths.append(length)
    return lengths
