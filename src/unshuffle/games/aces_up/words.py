"""Aces Up: moves as tokens, lines of play with their discards written out, and moves in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from unshuffle.cards import Card, format_cards
from unshuffle.errors import IllegalMoveError, ParseError, quote
from unshuffle.game import Description
from unshuffle.games.aces_up.moves import Deal, Discard, FromReserve, Move, ToReserve, ToSpace
from unshuffle.games.aces_up.rules import State, beaten, discard_all
from unshuffle.games.aces_up.view import View
from unshuffle.views import Shown

# Tokens.

_MOVE = re.compile(r"(?P<deal>d)|(?P<discard>[0-9]{1,3})x|(?P<source>[0-9]{1,3}|r)-(?P<target>[0-9]{1,3}|r)")
_EXPECTED_MOVE = (
    "expected d (deal), 3-1 (top card of pile 3 to space 1), 2x (discard from pile 2), "
    "2-r (top card of pile 2 to the cell) or r-1 (from the cell to space 1)"
)


@lru_cache(maxsize=4096)  # There are few moves, and the lines of mass runs name each of them often.
def parse_token(token: str) -> Move:
    """Read a move; capitals do not matter."""
    match = _MOVE.fullmatch(token.strip().lower())
    if match is None or match["source"] == match["target"] == "r":
        raise ParseError(f"{quote(token)} is not a move; {_EXPECTED_MOVE}")
    if match["deal"]:
        return Deal()
    if match["discard"]:
        return Discard(int(match["discard"]))
    if match["source"] == "r":
        return FromReserve(int(match["target"]))
    if match["target"] == "r":
        return ToReserve(int(match["source"]))
    return ToSpace(int(match["source"]), int(match["target"]))


# Lines of play.


def read_log(tokens: Sequence[str], state: State) -> Iterator[Move | None]:
    """Yield the moves of a line with its forced discards written out behind each move, in any order, as None.

    Exactly what goes must be written: raise IllegalMoveError for a discard that is missing, or that is none.
    """
    rules = replace(state.rules, discards="optional")
    told = replace(state, rules=rules)
    """The table as far as the line has written it out."""
    for token in tokens:
        move = parse_token(token)
        if isinstance(move, Discard):
            told = told.play(move)
            yield None
            continue
        _check_told(told, token)
        after = state.play(move)
        told = State(rules, *state.before_discards(move), state.discarded)
        state = after
        yield move
    _check_told(told, tokens[-1])


def _check_told(told: State, token: str) -> None:
    """Raise IllegalMoveError if a discard is missing before the next move."""
    for number, by in beaten(told.piles):
        card = told.piles[number - 1][-1]
        reason = f"{card} goes first ({by}), but '{number}x' is not written"
        raise IllegalMoveError(token, " / ".join(str(told).splitlines()), reason)


# Sentences.


def describe(state: State | View, move: Move | Shown[Move]) -> Description:
    """Return the class of the move, the cards that it moves, and those that go, each with the card that beats it.

    The cards that a deal turns up are named where they are known.
    """
    known = _known(state, move)
    if isinstance(move, Shown):
        move = move.move
    if isinstance(move, Discard):
        (by,) = (by for number, by in beaten(state.piles) if number == move.pile)
        return Description("Discard", _goes(state.piles[move.pile - 1][-1], by))
    if isinstance(move, Deal):
        if known is None:
            count = len(state.served())
            return Description("Deal", f"deal {count} card{'s' * (count > 1)}")
        cards = format_cards(known.stock[: len(known.served())])
        return Description("Deal", f"deal {cards}{_discards(known, move)}")
    assert known is not None
    if isinstance(move, FromReserve):
        return Description(
            "Reserve move", f"{state.reserve} from the cell to space {move.target}{_discards(known, move)}"
        )
    if isinstance(move, ToReserve):
        card = state.piles[move.pile - 1][-1]
        return Description("Reserve move", f"{card} from pile {move.pile} to the cell{_discards(known, move)}")
    card = state.piles[move.source - 1][-1]
    text = f"{card} from pile {move.source} to space {move.target}{_discards(known, move)}"
    return Description("Tableau move", text)


def _known(table: State | View, move: Move | Shown[Move]) -> State | None:
    """Return a state in which the move has the same effect as on this table; None if unseen cards decide it."""
    if isinstance(table, State):
        return table
    if isinstance(move, Deal):
        return None
    return table.laid_for(move if isinstance(move, Shown) else Shown(move, ()))


def _discards(state: State, move: Move) -> str:
    """Return a clause on what goes with a move."""
    if state.rules.discards == "optional":
        return ""
    piles, _, _ = state.before_discards(move)
    words = [_goes(card, by) for card, by in discard_all(piles)[1]]
    return f"; {', '.join(words)}" if words else ""


def _goes(card: Card, by: Card) -> str:
    return f"{card} goes ({by})"
