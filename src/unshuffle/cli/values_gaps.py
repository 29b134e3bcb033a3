"""`unshuffle values show gaps`: what a redeal is worth with runs of these lengths locked."""

from __future__ import annotations

import sys
from typing import Any

from unshuffle.cli import show as pages
from unshuffle.cli.exits import ExitCode
from unshuffle.errors import UsageError, quote
from unshuffle.game import INFORMATION
from unshuffle.games.gaps.values import Value, check_lengths, index, of_rules
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
    levels = [(k, Value(p, se, row.n)) for k, (p, se) in enumerate(row.planes, 1)]
    if as_json:
        found = [{"redeals_left": k, **_as_json(value)} for k, value in levels]
        about = {"game": game.id, "variant": game.variant, "table": table.name, "shape": shape, "locked": sum(shape)}
        counts = {"n": row.n, "wins": row.wins, "undecided": row.undecided}
        pages.json_line(page, about | counts | {"values": found})
        return ExitCode.DONE
    page.line(f"{game}: runs of {' '.join(map(str, shape))}, {pages.plural(sum(shape), 'card')} locked")
    page.line()
    page.line(f"The chance to win by the redeals that are left, the next about to be made ({INFORMATION['hidden']}):")
    for k, value in levels:
        page.line(f"  {pages.plural(k, 'redeal')}: {_in_words(value)}")
    if row.is_exact and row.n:
        page.line(f"A redeal of this shape brings one of {row.n:,} boards. All were searched: {row.wins:,} are won.")
    elif row.is_exact:
        page.line("All cards are locked: the game is won.")
    else:
        undecided = f", {row.undecided:,} undecided" if row.undecided else ""
        page.line("± is one standard error; in brackets the 95 % confidence interval.")
        page.line(
            f"Simulated: {row.n:,} redeals of this shape, {row.wins:,} won{undecided}; the chances are a fit to the"
            " redeals of all shapes."
        )
    return ExitCode.DONE


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
