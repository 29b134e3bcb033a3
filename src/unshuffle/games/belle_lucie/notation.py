"""La Belle Lucie as text: fans, foundations, decks and move tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from unshuffle.cards import PACK, Card, Suit, format_cards
from unshuffle.errors import Faults, ParseError, Place, quote
from unshuffle.games.belle_lucie.rules import Move, Rules, State, ToFan, ToFoundation
from unshuffle.layout import Layout, Line, Seen, Token, read_cards


def format_state(state: State) -> str:
    """One fan per line, bottom card first; the foundations' top cards first if there are any."""
    lines = [format_cards(fan) for fan in state.fans]
    tops = [Card(rank, suit) for suit, rank in zip(Suit, state.foundations, strict=True) if rank]
    if tops:
        lines.insert(0, f"Foundations: {format_cards(tops)}")
    return "\n".join(lines) + "\n"


def read(rules: Rules, layout: Layout, faults: Faults) -> State:
    """Read a position. Cards that are in no fan are on the foundations."""
    deal = layout.labelled.get("deal")
    if deal is not None and [token.text for token in deal.tokens] != ["1"]:
        words = " ".join(token.text for token in deal.tokens)
        faults.add(f"{quote(words)} is not a deal of this game; expected 'Deal: 1', there is no redeal", deal.place)
    return _read_fans(rules, layout.rows, layout.labelled.get("foundations"), faults)


def _read_fans(rules: Rules, lines: Iterable[Line], foundations: Line | None, faults: Faults) -> State:
    seen = Seen(faults)
    fans: list[tuple[Card, ...]] = []
    fan_of: dict[Card, int] = {}
    for line in lines:
        if [token.text for token in line.tokens] == ["-"]:
            continue  # an empty fan, which is gone for good
        # A doubled card is a fault already; it stays in the fan only so that reading can go on.
        cards = [card for card, place in read_cards(line.tokens, faults) if seen.is_new(card, place)]
        if cards:
            fans.append(tuple(cards))
            fan_of.update(dict.fromkeys(cards, len(fans)))
    heights = _check_foundations(fan_of, faults)
    if foundations is not None:
        _check_tops(foundations, heights, fan_of, faults)
    if not fans and not faults and (foundations is None or len(foundations.tokens) < 4):
        faults.add("no cards: expected fans, one per line, or 'Deck:' and 52 cards")
    return State(rules, tuple(fans), heights)


def _check_foundations(fan_of: dict[Card, int], faults: Faults) -> tuple[int, int, int, int]:
    """The heights that follow from the cards in the fans: per suit the absent cards must be the lowest ones."""
    heights = []
    for suit in Suit:
        cards = [card for card in PACK if card.suit is suit]
        in_fans = [card for card in cards if card in fan_of]
        height = in_fans[0].rank - 1 if in_fans else 13
        gaps = [card for card in cards[height:] if card not in fan_of]
        if gaps:
            verb = "is" if len(gaps) == 1 else "are"
            low = in_fans[0]
            faults.add(f"{suit.word}: {format_cards(gaps)} {verb} nowhere, but {low} is in fan {fan_of[low]}")
        heights.append(height)
    clubs, diamonds, hearts, spades = heights
    return clubs, diamonds, hearts, spades


def _check_tops(line: Line, heights: tuple[int, ...], fan_of: dict[Card, int], faults: Faults) -> None:
    """`Foundations:` lists top cards; it must say what follows from the fans."""
    tops: dict[Suit, tuple[Card, Place]] = {}
    for card, place in read_cards((token for token in line.tokens if not _is_none(token)), faults):
        if card.suit in tops:
            faults.add(f"'{card}' is a second foundation of {card.suit.word}", place)
        tops.setdefault(card.suit, (card, place))
    for suit in Suit:
        height = heights[suit]
        implied = f"{Card(height, suit)} on top" if height else "an empty foundation"
        if suit in tops and tops[suit][0].rank != height:
            card, place = tops[suit]
            where = f" ({card} is in fan {fan_of[card]})" if card in fan_of else ""
            faults.add(f"the foundation of {suit.word} cannot end with {card}{where}: the fans leave {implied}", place)
        elif suit not in tops and height:
            faults.add(f"the foundation of {suit.word} is not listed, but the fans leave {implied}", line.place)


def _is_none(token: Token) -> bool:
    return token.text in ("-", "--")


_MOVE = re.compile(r"(?P<card>[^>^]+)(?:(?P<up>\^)|>(?P<onto>[^>^]+))")


@lru_cache(maxsize=4096)  # There are few moves, and the lines of mass runs name each of them often.
def parse_move(token: str) -> Move:
    """Read `AS^` or `8S>9S` in any spelling of the cards."""
    match = _MOVE.fullmatch(token.strip())
    if match is None:
        raise ParseError(f"{quote(token)} is not a move; expected CARD^ (to its foundation) or CARD>CARD (onto a fan)")
    try:
        card = Card.parse(match["card"])
        return ToFoundation(card) if match["up"] else ToFan(card, Card.parse(match["onto"]))
    except ParseError as error:
        raise ParseError(f"{quote(token)} is not a move: {error}") from None
