"""The notation of another Aces Up program: its decks, its lines of play, its counts of rules.

Its cards have small suits and commas between them. A deck is reversed: its last card is dealt first. Piles are 0..3, -1
is the stock and 4 the discard pile. Each entry of a line is `[Ac, -1, 0, 1]`: the card, from where, to where, and a
running number. Discards are written out, in a fixed order.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from operator import index
from types import MappingProxyType
from typing import NamedTuple

from unshuffle.cards import PACK, Card
from unshuffle.errors import IllegalMoveError, ParseError, UsageError, quote
from unshuffle.games.aces_up.moves import Deal, Discard, Move, ToSpace
from unshuffle.games.aces_up.rules import Pile, Rules, State, strength
from unshuffle.numbers import read_whole

STOCK = -1
DISCARDS = 4

RULE_FUNCTIONS: Mapping[int, str] = MappingProxyType(
    {
        1: "move_ace_from_highest_rank_sum",
        2: "move_ace_suit_below",
        3: "move_ace_from_smallest",
        4: "move_ace_from_largest",
        5: "move_first_ace",
        10: "move_from_smallest_has_higher_in_suit_below",
        20: "move_from_largest_has_higher_in_suit_below",
        100: "move_highest_has_higher_in_suit_below",
        200: "move_highest_card",
        300: "move_highest_from_smallest",
        400: "move_highest_from_largest",
        1000: "move_from_highest_rank_sum",
    }
)
"""The names of the rules in its counts."""

V2_NUMBERS: Mapping[int, int | None] = MappingProxyType(
    {200: 1, 100: 2, 300: 3, 400: 4, 800: 10, 900: 20, 1: 100, 0: 200, 3: 300, 4: 400, 2: 1000, 1000: None}
)
"""The rule numbers of its versions 2.x and the earlier numbers of the same rules. Some behave differently since: 3
never moves, 4 really takes the longest pile; 1000 is new, and takes a random pile."""

_CARD = "[2-9TJQKA][cdhs]"
_ENTRY = re.compile(rf"\[({_CARD}), (-1|[0-3]), ([0-4]), ([0-9]{{1,4}})\]")
_DECK = re.compile(rf"{_CARD}(?:,{_CARD})*")


class Step(NamedTuple):
    """One entry of a line: a card on its way, with piles counted from 0."""

    card: Card
    source: int
    target: int


# Decks.


def write_card(card: Card) -> str:
    """Return a card as `Th`."""
    text = str(card)
    return text[0] + text[1].lower()


def write_deck(deck: Sequence[Card]) -> str:
    """Return a deck, given in deal order, in that notation: reversed."""
    return ",".join(map(write_card, reversed(deck)))


def is_deck(text: str) -> bool:
    """Return whether cards are written in that notation: small suits, and commas with no blanks."""
    return _DECK.fullmatch(text.strip()) is not None


def read_deck(text: str) -> Pile:
    """Return a deck written in that notation, in deal order."""
    if not is_deck(text):
        raise ParseError(f"{quote(text)} is not a deck; expected 52 cards such as 'Jc,Ad,5d'")
    deck = tuple(map(Card.parse, text.strip().split(",")))[::-1]
    missing = [str(card) for card in PACK if card not in deck]
    twice = [str(card) for card in PACK if deck.count(card) > 1]
    if missing or twice:
        faults = [f"{' '.join(cards)} {word}" for cards, word in ((twice, "twice"), (missing, "missing")) if cards]
        raise ParseError(f"{quote(text)} is not a deck of 52 cards: {', '.join(faults)}")
    return deck


# Lines.


def discards(piles: Sequence[Sequence[Card]]) -> Iterator[Step]:
    """Yield all that can be discarded, in the order in which that program does it.

    It reads the top cards, then compares them two by two; a card that has gone is not compared again before all are
    read again.
    """
    left = [list(pile) for pile in piles]
    while True:
        tops = [pile[-1] if pile else None for pile in left]
        gone: set[int] = set()
        for a, b in combinations(range(len(left)), 2):
            one, other = tops[a], tops[b]
            if one is None or other is None or a in gone or b in gone or one.suit is not other.suit:
                continue
            lower = a if strength(one) < strength(other) else b
            gone.add(lower)
            yield Step(left[lower].pop(), lower, DISCARDS)
        if not gone:
            return


def steps(start: State, line: Iterable[Move]) -> Iterator[Step]:
    """Yield the entries of a line, which must be legal."""
    check_rules(start.rules)
    state = start
    for move in line:
        after = state.play(move)
        if isinstance(move, Deal):
            for pile, card in zip(state.served(), state.stock, strict=False):
                yield Step(card, STOCK, pile - 1)
        elif isinstance(move, ToSpace):
            yield Step(state.piles[move.source - 1][-1], move.source - 1, move.target - 1)
        elif isinstance(move, Discard):
            yield Step(state.piles[move.pile - 1][-1], move.pile - 1, DISCARDS)
        if state.rules.discards == "forced":
            yield from discards(state.before_discards(move)[0])
        state = after


def check_rules(rules: Rules) -> None:
    """Raise UsageError for rules that the notation cannot express."""
    if rules.piles != DISCARDS or rules.reserve:
        raise UsageError("that notation has four piles and no cell")


def write_moves(start: State, line: Iterable[Move]) -> str:
    """Return a line in that notation: `[Ac, -1, 0, 1],[Ah, -1, 1, 2],...`."""
    return ",".join(
        f"[{write_card(card)}, {source}, {target}, {number}]"
        for number, (card, source, target) in enumerate(steps(start, line), 1)
    )


def read_moves(text: str) -> tuple[Step, ...]:
    """Return the entries of a line; `follow` checks them against the rules."""
    found: list[Step] = []
    at = 0
    while at < len(text):
        entry = _ENTRY.match(text, at)
        number = len(found) + 1
        if entry is None:
            raise ParseError(
                f"entry {number}: {quote(text[at:])} is not a move; expected such as '[Ac, -1, 0, {number}]'"
            )
        if int(entry[4]) != number:
            raise ParseError(f"entry {number}: {quote(entry[0])} has another number")
        found.append(Step(Card.parse(entry[1]), int(entry[2]), int(entry[3])))
        at = entry.end()
        if at < len(text):
            if text[at] != "," or at + 1 == len(text):
                raise ParseError(f"entry {number}: after it comes {quote(text[at:])}; expected a comma and a move")
            at += 1
    if not found:
        raise ParseError("a line with no moves")
    return tuple(found)


def follow(start: State, line: Sequence[Step]) -> tuple[tuple[Move, ...], State]:
    """Return our moves for a line in that notation, and the table after it; every entry is checked by the rules.

    The discards that follow a move may stand in any order, and must be exactly those that the rules make.
    """
    check_rules(start.rules)
    state, moves, at = start, list[Move](), 0
    while at < len(line):
        _, source, target = line[at]
        move: Move = Deal() if source == STOCK else _own_move(source, target)
        try:
            after = state.play(move)
        except IllegalMoveError as error:
            raise ParseError(f"entry {at + 1}: {move.token} is not allowed: {error.reason}") from None
        expected = list(steps(state, [move]))
        begun = 1 if source != STOCK else len(state.served())
        given = list(line[at : at + len(expected)])
        if given[:begun] != expected[:begun]:
            wrong = next(i for i, step in enumerate(expected) if given[i : i + 1] != [step])
            raise ParseError(f"entry {at + 1 + wrong}: expected {_words(expected[wrong])}")
        if sorted(given[begun:]) != sorted(expected[begun:]):
            missing = [step for step in expected[begun:] if step not in given]
            raise ParseError(
                f"entry {at + 1 + begun}: after {move.token} expected {' and '.join(map(_words, missing))}"
            )
        moves.append(move)
        state = after
        at += len(expected)
    return tuple(moves), state


def _own_move(source: int, target: int) -> Move:
    return Discard(source + 1) if target == DISCARDS else ToSpace(source + 1, target + 1)


def _words(step: Step) -> str:
    return f"'{write_card(step.card)}, {step.source}, {step.target}'"


# Strategies.


def write_rule_counts(counts: Mapping[int, int]) -> str:
    """Return how often rules moved, by their names there: most used first, equals by their numbers."""
    used = sorted((-times, rule) for rule, times in counts.items() if times)
    return str([(RULE_FUNCTIONS[rule], -times) for times, rule in used])


def read_rule_counts(text: str) -> dict[int, int]:
    """Return how often each rule moved, in whatever order the rules stand."""
    numbers = {name: rule for rule, name in RULE_FUNCTIONS.items()}
    try:
        pairs = dict(literal_eval(text))
        return {numbers[name]: index(times) for name, times in pairs.items()}
    except (ValueError, TypeError, SyntaxError, KeyError, OverflowError, MemoryError, RecursionError):
        raise ParseError(f"{quote(text)} is no count of rules; expected such as \"[('move_first_ace', 3)]\"") from None


def read_numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of a list `2,1,100`, or of a batch `[1, 2, 100]`."""
    inner = text.strip().removeprefix("[").removesuffix("]")
    words = [word.strip() for word in inner.split(",")]
    numbers = [read_whole(word) for word in words]
    found = tuple(number for number in numbers if number is not None)
    if len(found) < len(numbers):
        raise ParseError(f"{quote(text)} is not a list of rules; expected such as '2,1,100'")
    return found
