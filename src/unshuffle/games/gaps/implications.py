"""The stricter of two Gaps: every line of play of a phase of the one is a line of play of the other.

So a deal that is won under the stricter rules is won under the looser ones, and one that is lost under the looser rules
is lost under the stricter ones. Only the moves of cards count here, for a verdict is about a phase: games that differ
in nothing but their redeals are each as strict as the other.
"""

from __future__ import annotations

from unshuffle.games.gaps.rules import Rules


def is_stricter(strict: Rules, loose: Rules) -> bool:
    """Return whether every move of a card under the strict rules is one under the loose rules.

    Free 2s may do whatever locked 2s and rows of fixed suits allow. Neither of those two allows all moves of the other:
    with fixed suits a 2 that was dealt to column 1 of a wrong row can leave it, and cannot begin any row but its own.
    """
    if loose.has_free_twos:
        return True
    return not strict.has_free_twos and strict.fixed_suits == loose.fixed_suits
