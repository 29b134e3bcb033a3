"""Small decks and late positions of Aces Up that a search soon exhausts, for tests."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from unshuffle.cards import PACK, Card
from unshuffle.endgames import is_soon_searched
from unshuffle.games.aces_up.rules import ACE, Rules, State, discard_all, sort_discards, strength

_MOST_CARDS = 20
_FEWEST_CARDS = 8


def endgames(rules: Rules, seed: int) -> Iterator[State]:
    """Yield five positions: two small decks of which nothing is dealt, three with cards in piles and a small stock."""
    rng = Random(seed)
    for number in range(5):
        most = _MOST_CARDS
        state = _position(rules, rng, most, is_deck=number < 2)
        # The last one has few positions even if no win ends the search: more of these are lost.
        while not is_soon_searched(state, stops_at_win=number < 4):
            # The more moves the rules allow, the fewer cards can be searched exhaustively.
            most = max(_FEWEST_CARDS, most - 1)
            state = _position(rules, rng, most, is_deck=number < 2)
        yield state


def _position(rules: Rules, rng: Random, most: int, *, is_deck: bool) -> State:
    """Return a position of the aces and other cards, high rather than low ones: these beat each other more often."""
    size = rng.choice([size for size in rules.stock_sizes if (5 if is_deck else 0) <= size <= most])
    count = size if is_deck else rng.randint(max(size, 5), most)
    others = sorted((card for card in PACK if strength(card) < ACE), key=lambda card: strength(card) + rng.random() * 9)
    cards = [card for card in PACK if strength(card) == ACE] + others[4 - count :]
    rng.shuffle(cards)
    piles: list[tuple[Card, ...]] = [()] * rules.piles
    # Only some of the piles: where cards lie on cards and there is a space, there is something to decide.
    some = rng.sample(range(rules.piles), rng.randint(1, rules.piles))
    for card in cards[size:]:
        place = rng.choice(some)
        piles[place] = (*piles[place], card)
    reserve = None
    if rules.reserve and not is_deck and rng.random() < 0.5:
        full = [place for place in some if piles[place]]
        if full:
            place = rng.choice(full)
            reserve, piles[place] = piles[place][-1], piles[place][:-1]
    table = tuple(piles)
    if rules.discards == "forced":
        table, _ = discard_all(table)
    left = {reserve, *cards[:size], *(card for pile in table for card in pile)}
    discarded = sort_discards(card for card in PACK if card not in left)
    return State(rules, table, tuple(cards[:size]), reserve, discarded)
