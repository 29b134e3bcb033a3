"""Late positions of Spider that a search exhausts quickly, for tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from unshuffle.cards import Card
from unshuffle.game import Outcome
from unshuffle.games.spider.rules import Rules, State, lay_out, whole_run

_MOST_POSITIONS = 120
_MOST_TRIES = 12
_MOST_MOVES = 400
_SMALL_PACK = 24


def endgames(rules: Rules, seed: int) -> Iterator[State]:
    """Yield five positions: tables with few moves, games of a small pack after some moves, and near wins.

    With several empty piles a plain search does not end, so only the last move of a near win is left.
    """
    rng = Random(seed)
    for number in range(4):
        make = _played if len(rules.pack) <= _SMALL_PACK and number % 2 else _blocked
        tried = (make(rules, rng) for _ in range(_MOST_TRIES))
        found = next((state for state in tried if state is not None and _is_soon_searched(state)), None)
        yield _nearly_won(rules, rng) if found is None else found
    yield _nearly_won(rules, rng)


def _played(rules: Rules, rng: Random) -> State:
    """Return a deal after a few moves of random play."""
    state = lay_out(rules, tuple(rng.sample(rules.pack, len(rules.pack))))
    for _ in range(rng.randrange(30)):
        moves = state.legal_moves()
        if not moves:
            break
        state = state.after(rng.choice(moves))
    return state


def _blocked(rules: Rules, rng: Random) -> State | None:
    """Return a table whose last cards have mostly even ranks, or mostly odd ones, so that few go onto others."""
    suits = [card.suit for card in rules.pack if card.rank == 1]
    completed = rng.sample(suits, rng.randrange(rules.runs))
    left = Counter(rules.pack)
    for suit in completed:
        left.subtract(whole_run(suit, rules.ranks))
    cards = list(left.elements())
    odd = rng.randrange(2)
    cards.sort(key=lambda card: rng.random() + (card.rank % 2 == odd))
    for _ in range(rng.randrange(6)):
        one, other = rng.randrange(len(cards)), -1 - rng.randrange(min(len(cards), 2 * rules.piles))
        cards[one], cards[other] = cards[other], cards[one]
    size = rules.piles * rng.randrange(1 + min(2, rules.first_bank // rules.piles, len(cards) // rules.piles))
    table = cards[size:]
    piles = tuple(tuple(table[index :: rules.piles]) for index in range(rules.piles))
    down = tuple(
        rng.randint(0, min(most, len(pile) - 1)) if pile else 0
        for most, pile in zip(rules.first_down, piles, strict=True)
    )
    if any(_ends_in_run(pile[count:], rules.ranks) for pile, count in zip(piles, down, strict=True)):
        return None
    return State(rules, piles, down, tuple(cards[:size]), tuple(completed), rng.randrange(_MOST_MOVES))


def _ends_in_run(pile: tuple[Card, ...], ranks: int) -> bool:
    return bool(pile) and pile[-ranks:] == whole_run(pile[-1].suit, ranks)


def _nearly_won(rules: Rules, rng: Random) -> State:
    """Return a table with the last run in two parts, which the first legal move joins."""
    *completed, last = rng.sample([card.suit for card in rules.pack if card.rank == 1], rules.runs)
    run = whole_run(last, rules.ranks)
    cut = rng.randrange(1, rules.ranks)
    piles = (run[cut:], run[:cut], *((),) * (rules.piles - 2))
    return State(rules, piles, (0,) * rules.piles, (), tuple(completed), rng.randrange(_MOST_MOVES))


def _is_soon_searched(root: State) -> bool:
    """Return whether a plain search for the best score ends within the limit of positions.

    It expands a position again that it reaches with fewer moves, and prunes lines that cannot beat the best win.
    """
    reached: dict[tuple[object, ...], int] = {}
    expanded, best = 0, -_MOST_MOVES
    to_see = [root]
    while to_see:
        state = to_see.pop()
        if state.outcome is Outcome.WON:
            best = max(best, state.score)
            continue
        position = (state.piles, state.down, len(state.bank))
        if state.rules.most_sun - state.moves <= best or reached.get(position, state.moves + 1) <= state.moves:
            continue
        if expanded == _MOST_POSITIONS:
            return False
        reached[position] = state.moves
        expanded += 1
        to_see += [state.after(move) for move in reversed(state.legal_moves())]
    return True
