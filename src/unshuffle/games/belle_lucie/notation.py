"""La Belle Lucie as text: fans, foundations, deal, mercis, redeals and move tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from unshuffle.cards import PACK, Card, Suit, format_cards, split_cards
from unshuffle.errors import Faults, ParseError, Place, quote
from unshuffle.games.belle_lucie.moves import Merci, Move, Redeal, ToFan, ToFoundation, ToSpace
from unshuffle.games.belle_lucie.rules import Fan, Rules, State
from unshuffle.layout import Layout, Line, Seen, Token, read_cards
from unshuffle.numbers import read_whole

LABELS = ("foundations", "deal", "merci", "redeal n")


def format_state(state: State) -> str:
    """One fan per line, bottom card first; before them whatever is not as at the start of a typed deal."""
    rules = state.rules
    lines = []
    # The redeals of a seeded game follow from its id.
    knows_redeals = state.id is not None and rules.redeals > 0
    if knows_redeals:
        lines.append(f"Id: {state.id}")
    tops = [Card(rank, suit) for suit, rank in zip(Suit, state.foundations, strict=True) if rank]
    if tops:
        lines.append(f"Foundations: {format_cards(tops)}")
    if state.deal > 1:
        lines.append(f"Deal: {state.deal}")
    if rules.merci != "none" and state.mercis != rules.merci_count:
        lines.append(f"Merci: {state.mercis}")
    if not knows_redeals:
        lines += [f"Redeal {number}: {format_cards(order)}" for number, order in enumerate(state.redeals, 1)]
    lines += [format_cards(fan) or "-" for fan in state.fans]
    return "\n".join(lines) + "\n"


def read(rules: Rules, layout: Layout, faults: Faults) -> State:
    """Read a position. Cards that are in no fan are on the foundations."""
    fans, heights = _read_fans(rules, layout, faults)
    deal, mercis, redeals = read_coming(rules, fans, layout, faults)
    return State(rules, fans, heights, deal, mercis, redeals)


def _read_fans(rules: Rules, layout: Layout, faults: Faults) -> tuple[tuple[Fan, ...], tuple[int, int, int, int]]:
    foundations = layout.labelled.get("foundations")
    seen = Seen(faults)
    fans: list[Fan] = []
    fan_of: dict[Card, int] = {}
    for line in layout.rows:
        if [token.text for token in line.tokens] == ["-"]:
            if rules.kings_to_spaces:
                fans.append(())  # in other rules it is gone for good
            continue
        # A doubled card is a fault already; it stays in the fan only so that reading can go on.
        cards = [card for card, place in read_cards(line.tokens, faults) if seen.is_new(card, place)]
        if cards:
            fans.append(tuple(cards))
            fan_of.update(dict.fromkeys(cards, len(fans)))
    heights = _check_foundations(fan_of, faults)
    if foundations is not None:
        _check_tops(foundations, heights, fan_of, faults)
    if not fan_of and not faults and (foundations is None or len(foundations.tokens) < 4):
        faults.add("no cards: expected fans, one per line, or 'Deck:' and 52 cards")
    return tuple(fans), heights


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


def read_coming(rules: Rules, fans: Iterable[Fan], layout: Layout, faults: Faults) -> tuple[int, int, tuple[Fan, ...]]:
    """Which deal this is, how many mercis are left, and the coming redeals as far as they are typed."""
    expected = f"a number 1..{rules.redeals + 1}" if rules.redeals else "'Deal: 1', there is no redeal"
    deal = _read_number(
        layout.labelled.get("deal"), range(1, rules.redeals + 2), 1, "a deal of this game", expected, faults
    )
    most = rules.merci_count if rules.merci != "none" else 0
    expected = f"a number 0..{most}" if most else "no such line, there is no merci in these rules"
    merci = layout.labelled.get("merci")
    mercis = _read_number(merci, range(most + 1 if most else 0), most, "a number of mercis left", expected, faults)
    left = rules.redeals - (deal - 1)
    in_fans = {card for fan in fans for card in fan}
    redeals = []
    lines = {int(label.split()[1]): line for label, line in layout.labelled.items() if label.startswith("redeal ")}
    for number, line in sorted(lines.items()):
        if not 1 <= number <= left:
            there = f"{left} redeal{'s are' if left > 1 else ' is'} left" if left else "no redeal is left"
            faults.add(f"'Redeal {number}:' cannot come: {there}", line.place)
        elif number > 1 and number - 1 not in lines:
            faults.add(f"'Redeal {number}:' is there without 'Redeal {number - 1}:'", line.place)
        redeals.append(_read_order(number, line, in_fans, faults))
    return deal, mercis, tuple(filter(None, redeals))


def _read_number(line: Line | None, allowed: range, default: int, what: str, expected: str, faults: Faults) -> int:
    if line is None:
        return default
    words = " ".join(token.text for token in line.tokens)
    number = read_whole(words)
    if number is not None and number in allowed:
        return number
    faults.add(f"{quote(words)} is not {what}; expected {expected}", line.place)
    return default


def _read_order(number: int, line: Line, in_fans: set[Card], faults: Faults) -> Fan:
    """A redeal's order: every card in the fans once; cards that are up may stand in it and are skipped."""
    seen: dict[Card, Place] = {}
    for card, place in read_cards(line.tokens, faults):
        if seen.setdefault(card, place) is not place:
            faults.add(f"'{card}' is in redeal {number} twice (first at {seen[card]})", place)
    missing = in_fans - seen.keys()
    if missing:
        faults.add(f"redeal {number} lacks {format_cards(sorted(missing))}", line.place)
    return tuple(card for card in seen if card in in_fans)


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
    """Read a move; on a given table as `legal_moves` lists it."""
    move = parse_token(token)
    if state is None:
        return move
    if isinstance(move, Redeal) and state.redeals and move.order == state.redeals[0]:
        return Redeal()
    return state.plain(move)
