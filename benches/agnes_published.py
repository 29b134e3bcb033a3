"""What others have counted of Agnes Sorel: facts, each with its source."""

from __future__ import annotations

from rates import Count

QUAGNES = {
    "down-color-none": Count(99, 10_000),
    "up-color-none": Count(113, 10_000, undecided=4),
    # Its rule against splitting runs once the stock is empty is not sound in suit games that allow splitting.
    "up-suit-none": Count(42, 10_000, is_lower_bound=True),
    "up-suit-none-nosplit": Count(40, 10_000),
    "up-suit-highrun": Count(1_454, 10_000, is_lower_bound=True),
    "up-suit-highrun-nosplit": Count(1_411, 10_000),
    "up-suit-anyrun-nosplit": Count(6_384, 10_000),
}
"""quagnes 0.8.4, all cards known, its own decks; undecided: stopped at 50 million steps."""

MASTEN = {"none": Count(900, 100_000), "high": Count(14_498, 100_000), "any": Count(63_635, 100_000)}
"""Masten 2021, by what may go to an empty pile; the other rules are not told."""

WOLTER = {"classic": Count(45, 1_000_000), "relaxed": Count(78_304, 1_000_000)}
"""Wolter 2013, politaire.com."""

WOLTER_GAMES = {"classic": "up-color-none", "relaxed": "up-color-anyrun"}
"""The rules of his two games."""
