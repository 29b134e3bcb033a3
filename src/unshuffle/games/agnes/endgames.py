"""Late positions of Agnes Sorel that a search soon exhausts, for tests."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from unshuffle.cards import Card
from unshuffle.endgames import is_soon_searched
from unshuffle.games.agnes.rules import Rules, State, lay_out

_MOST_CARDS = 14


def endgames(rules: Rules, seed: int) -> Iterator[State]:
    """Yield five positions with few cards left, over all small stock sizes; with a small pack also whole deals."""
    rng = Random(seed)
    sizes = [size for size in reversed(rules.stock_sizes) if size < _MOST_CARDS - 2]
    for number in range(5):
        state = _position(rules, sizes[number % len(sizes)], rng)
        while not is_soon_searched(state):
            state = _position(rules, sizes[number % len(sizes)], rng)
        yield state


def _position(rules: Rules, size: int, rng: Random) -> State:
    if len(rules.pack) <= 20 and rng.random() < 0.5:
        return lay_out(rules, tuple(rng.sample(rules.pack, len(rules.pack))))
    return _endgame(rules, size, rng)


def _endgame(rules: Rules, size: int, rng: Random) -> State:
    """Return a position with a stock of this size and a few cards in some of the piles; all others are up."""
    base = rng.randint(1, rules.ranks)
    height = rules.heights(base)
    left = min(size + rng.randint(2, _MOST_CARDS - size), 4 * rules.ranks - 1)
    up = [rules.ranks] * 4
    while sum(up) > 4 * rules.ranks - left:
        suit = rng.randrange(4)
        up[suit] = max(0, up[suit] - 1)
    cards = [card for card in rules.pack if height[card] >= up[card.suit]]
    rng.shuffle(cards)
    # Only some of the piles: where cards lie on cards there is something to decide.
    piles: list[list[Card]] = [[] for _ in range(rules.piles)]
    some = rng.sample(piles, rng.randint(1, rules.piles))
    for card in cards[size:]:
        rng.choice(some).append(card)
    down = tuple(
        0 if rules.face_up or not pile else rng.randint(0, min(index, len(pile) - 1))
        for index, pile in enumerate(piles)
    )
    clubs, diamonds, hearts, spades = up
    foundations = (clubs, diamonds, hearts, spades)
    return State(rules, tuple(map(tuple, piles)), down, tuple(cards[:size]), base, foundations)
