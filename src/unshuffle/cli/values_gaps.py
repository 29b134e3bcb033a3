"""`unshuffle values show gaps`: what a redeal is worth with runs of these lengths locked."""

from __future__ import annotations

import sys
from typing import Any

from unshuffle.cli import show as pages
from unshuffle.cli.exits import ExitCode
from unshuffle.errors import UsageError, quote
from unshuffle.game import INFORMATION
from unshuffle.games.gaps.values import check_lengths, index, of_rules
from unshuffle.numbers import read_up_to


def show_shape(game: Any, words: list[str], *, as_json: bool) -> ExitCode:
    """Print the chances for each number of redeals left."""
    shape = sorted(_read_lengths(words), reverse=True)
    check_lengths(shape)
    table = of_rules(game.rules)
    if table is None or not game.rules.redeals:
        why = "" if game.rules.redeals else ", which has no redeals"
        raise UsageError(f"there is no table of values for {game}{why}")
    row = table.rows[index(shape)]
    page = pages.Page(sys.stdout)
    levels = list(enumerate(row.planes, 1))
    if as_json:
        found = [{"redeals_left": k, "p": p, "se": se} for k, (p, se) in levels]
        about = {"game": game.id, "variant": game.variant, "table": table.name, "shape": shape, "locked": sum(shape)}
        counts = {"n": row.n, "wins": row.wins, "undecided": row.undecided}
        pages.json_line(page, about | counts | {"values": found})
        return ExitCode.DONE
    page.line(f"{game}: runs of {' '.join(map(str, shape))}, {pages.plural(sum(shape), 'card')} locked")
    page.line()
    page.line(f"The chance to win by the redeals that are left, the next about to be made ({INFORMATION['hidden']}):")
    for k, (p, se) in levels:
        page.line(f"  {pages.plural(k, 'redeal')}: {100 * p:.1f} % (± {100 * se:.1f} %)")
    if row.n:
        undecided = f", {row.undecided:,} undecided" if row.undecided else ""
        page.line(
            f"Simulated: {row.n:,} redeals of this shape, {row.wins:,} won{undecided}; the chances are the fit's."
        )
    else:
        page.line("No redeal of this very shape was simulated: the chances are the fit's.")
    return ExitCode.DONE


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
