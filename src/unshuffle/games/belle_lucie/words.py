"""La Belle Lucie: moves as tokens and in sentences."""

from __future__ import annotations

import re
from functools import lru_cache

from unshuffle.cards import Card, format_cards, split_cards
from unshuffle.errors import ParseError, quote
from unshuffle.game import Description
from unshuffle.games.belle_lucie.moves import Merci, Move, Redeal, ToFan, ToFoundation, ToSpace
from unshuffle.games.belle_lucie.rules import State
from unshuffle.games.belle_lucie.search import is_safe_build

# Tokens.

_MOVE = re.compile(
    r"(?P<card>[^>^*!=]+)(?:(?P<up>\^)|(?P<space>>-)|>(?P<onto>[^>^*!=]+))"
    r"|[*!](?P<merci>[^>^*!=]+)(?:(?P<merci_up>\^)|>(?P<merci_onto>[^>^*!=]+))?"
)
_REDEAL = re.compile(r"[rR](?:=(?P<order>.+))?")
_EXPECTED_MOVE = (
    "expected CARD^ (to its foundation), CARD>CARD (onto a fan), KING>- (into an empty fan), "
    "*CARD^, *CARD>CARD or *CARD (merci), r or r= and the cards (redeal)"
)


@lru_cache(maxsize=4096)  # There are few moves, and the lines of mass runs name each of them often.
def parse_token(token: str) -> Move:
    """Read a move in any spelling of its cards; `!` stands for `*`."""
    match = _REDEAL.fullmatch(token.strip()) or _MOVE.fullmatch(token.strip())
    if match is None:
        raise ParseError(f"{quote(token)} is not a move; {_EXPECTED_MOVE}")
    try:
        return _make_redeal(match["order"]) if match.re is _REDEAL else _make_move(match)
    except ParseError as error:
        raise ParseError(f"{quote(token)} is not a move: {error}") from None


def _make_redeal(order: str | None) -> Redeal:
    if order is None:
        return Redeal()
    return Redeal(tuple(Card.parse(text) for _, text in split_cards(order) or [(0, order)]))


def _make_move(match: re.Match[str]) -> Move:
    if match["merci"]:
        onto = Card.parse(match["merci_onto"]) if match["merci_onto"] else None
        return Merci(Card.parse(match["merci"]), onto, up=match["merci_up"] is not None)
    card = Card.parse(match["card"])
    if match["onto"]:
        return ToFan(card, Card.parse(match["onto"]))
    return ToFoundation(card) if match["up"] else ToSpace(card)


def parse_move(token: str, state: State | None = None) -> Move:
    """Read a token such as 8S>9S, AS^, *JC or r; on a given table return the move as `legal_moves` lists it."""
    move = parse_token(token)
    if state is None:
        return move
    if isinstance(move, Redeal) and state.redeals and move.order == state.redeals[0]:
        return Redeal()
    return state.plain(move)


# Sentences.


def describe(state: State, move: Move) -> Description:
    """Return the class of the move and a sentence that names card, source and target."""
    move = state.plain(move)
    if isinstance(move, Redeal):
        left = 52 - state.score
        cards = f"the {left} cards that are left are" if left > 1 else "the last card is"
        return Description("Redeal", f"{cards} dealt again: deal {state.deal + 1} of {state.rules.redeals + 1}")
    fan = next(fan for fan in state.fans if move.card in fan)
    if isinstance(move, Merci):
        source = f"{move.card.name} from under {format_cards(fan[fan.index(move.card) + 1 :])}"
        if move.onto is not None:
            return Description("Merci", f"{source} {_onto(state, move.onto)}")
        return Description("Merci", f"{source} {'to the foundation' if move.up else 'to the top of its fan'}")
    source = f"{move.card.name} from {format_cards(fan)}"
    match move:
        case ToFoundation():
            return Description("Foundation move", f"{source} to the foundation")
        case ToFan():
            kind = "Safe build" if is_safe_build(state, move) else "Blocking move"
            return Description(kind, f"{source} {_onto(state, move.onto)}")
        case ToSpace():
            return Description("Blocking move", f"{source} into an empty fan (fan {state.fans.index(()) + 1})")


def _onto(state: State, card: Card) -> str:
    number = next(index for index, fan in enumerate(state.fans, 1) if fan and fan[-1] is card)
    return f"onto {card} (fan {number})"
