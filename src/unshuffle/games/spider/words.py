"""Spider: moves as tokens and in sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from unshuffle.cards import Card
from unshuffle.errors import ParseError, quote
from unshuffle.game import Description
from unshuffle.games.spider.moves import Move, Row, Run
from unshuffle.games.spider.rules import State
from unshuffle.games.spider.view import View
from unshuffle.places.picture import glyphs
from unshuffle.views import Shown

# Tokens.

_MOVE = re.compile(r"(?P<row>d)|(?P<source>[0-9]{1,3})-(?P<target>[0-9]{1,3})(?:x(?P<count>[0-9]{1,3}))?")
_EXPECTED_MOVE = (
    "expected d (deal a row), 3-7 (one card from pile 3 to pile 7) or 3-7x4 (a run of four cards from pile 3 to pile 7)"
)


@lru_cache(maxsize=4096)  # There are few moves, and mass runs parse each of them often.
def parse_token(token: str) -> Move:
    """Read a move; capitals do not matter, and `x1` may stand behind a single card."""
    match = _MOVE.fullmatch(token.strip().lower())
    if match is None:
        raise ParseError(f"{quote(token)} is not a move; {_EXPECTED_MOVE}")
    if match["row"]:
        return Row()
    return Run(int(match["source"]), int(match["target"]), int(match["count"] or 1))


# Sentences.


def describe(state: State | View, move: Move | Shown[Move]) -> Description:
    """Return the class of the move and a sentence with the cards, their target, and the effects.

    For a turned card only the pile is named, unless the move (a `Shown`) has the card: it is not seen before the move.
    """
    told: Sequence[Card] = ()
    if isinstance(move, Shown) and isinstance(state, View):
        told, state = move.cards, state.laid_for(move)
    if isinstance(move, Shown):
        move = move.move
    if isinstance(move, Row):
        left, piles = state.rows_left - 1, len(state.piles)
        row = f": {glyphs(told[:piles])}" if told else ""
        done = _completes(state, move, told[piles:]) if isinstance(state, State) else ""
        return Description("Deal", f"Deal a row ({left} left){row}{done}.")
    source, target = state.piles[move.source - 1], state.piles[move.target - 1]
    cards = source[-move.count :]
    onto = f"onto {glyphs(target[-1:])} (pile {move.target})" if target else f"to empty pile {move.target}"
    done = _completes(state, move, told)
    return Description("Tableau move", f"Move {_named(cards)} from pile {move.source} {onto}{done}.")


def _named(cards: Sequence[Card | None]) -> str:
    """Return `Q♥`, or `4 cards, 9♠ to 6♠,`."""
    if len(cards) == 1:
        return glyphs(cards)
    return f"{len(cards)} cards, {glyphs(cards[:1])} to {glyphs(cards[-1:])},"


def _completes(table: State | View, move: Move, told: Sequence[Card]) -> str:
    """Return the runs that leave with the move, and the piles in which a card is turned, each after a semicolon."""
    # For a move of a run neither depends on a hidden card.
    state = table if isinstance(table, State) else table.laid(table.unseen)
    after = state.after(move)
    parts = []
    suits = iter(after.completed[len(state.completed) :])
    for number, (was, now) in enumerate(zip(_grown(state, move), after.piles, strict=True), 1):
        if was > len(now):
            parts.append(f"completes {next(suits).word} in pile {number}")
    turned = iter(told)
    for number, (before, down) in enumerate(zip(state.down, after.down, strict=True), 1):
        if down < before:
            card = next(turned, None)
            parts.append(f"turns {'a card' if card is None else card.glyph} in pile {number}")
    return "".join(f"; {part}" for part in parts)


def _grown(state: State, move: Move) -> list[int]:
    """Return the sizes of the piles after the move, before complete runs leave."""
    sizes = list(map(len, state.piles))
    if isinstance(move, Row):
        return [size + 1 for size in sizes]
    sizes[move.source - 1] -= move.count
    sizes[move.target - 1] += move.count
    return sizes
