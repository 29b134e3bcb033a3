"""Which heights of the foundations can be reached in one deal, and how: the Python side of the planner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise, product

from unshuffle.cards import Card
from unshuffle.games.belle_lucie import search
from unshuffle.games.belle_lucie.moves import Merci, Move, ToFan, ToFoundation
from unshuffle.games.belle_lucie.rules import Rules, State
from unshuffle.solve import Result, Status, solve

Heights = tuple[int, int, int, int]
Line = tuple[Move, ...]
Stop = tuple[Heights, int]
"""Where a deal is left: the heights, and the mercis that are left."""

ALL_UP: Heights = (13, 13, 13, 13)

MOST_POSITIONS = 5_000
"""The limit, here and in the engine, of a search of one deal that might otherwise take any time."""


def mercis_now(table: State) -> int:
    """Return how many mercis may be spent in this deal."""
    return table.mercis if table.may_merci else 0


def alone(table: State, mercis: int) -> State:
    """Return the deal as a game of its own, in which so many mercis may be spent."""
    return State(_one_deal(table.rules, mercis > 0), table.fans, table.foundations, mercis=mercis)


@cache
def _one_deal(rules: Rules, has_merci: bool) -> Rules:
    return replace(rules, redeals=0, merci=rules.merci if has_merci else "none")


def has_caps(rules: Rules, mercis: int) -> bool:
    """Return whether the search with capped foundations is right: its forced moves were tested for these rules only."""
    plain = not (rules.build_up or rules.kings_to_spaces or rules.max_cards)
    merci = mercis == 0 or (mercis == 1 and rules.merci in ("play", "front", "second"))
    return rules.build == "suit" and plain and merci and rules.may_hold_back


def is_long(rules: Rules, mercis: int) -> bool:
    """Return whether the search of one deal may take any time, so that players limit it."""
    if rules.build == "any" or rules.build_up or rules.max_cards:
        return True
    return mercis > 0 and (mercis > 1 or rules.kings_to_spaces or rules.merci == "anywhere")


def most_cards(table: State) -> Result:
    """Return the search for the most cards that go up in this deal, limited where it could take any time."""
    mercis = mercis_now(table)
    start = alone(table, mercis)
    if not is_long(table.rules, mercis):
        return solve(start, maximize=True)
    won = solve(start, nodes=MOST_POSITIONS)
    if won.status is Status.SOLVED:
        return won
    most = solve(start, nodes=MOST_POSITIONS, maximize=True)
    return won if won.score > most.score else most


class Reach:
    """A search of one deal with capped foundations: every card below a cap must go up, and none above it may.

    Under a cap a foundation move harms nothing, so it is made at once: the card has to go up in any case.
    """

    def __init__(self, table: State) -> None:
        self.table = table
        self.most_mercis = mercis_now(table)
        self.nodes = 0
        self._frontiers: dict[int, dict[Heights, Line]] = {}

    def frontier(self, mercis: int) -> dict[Heights, Line]:
        """Return the undominated heights that at most `mercis` mercis reach, with a line to each; or a win."""
        if mercis not in self._frontiers:
            start = alone(self.table, mercis)
            found = self._frontiers[mercis] = dict[Heights, Line]({start.foundations: ()})
            self._widen(start, (), found, set())
        return self._frontiers[mercis]

    def _widen(self, state: State, line: Line, found: dict[Heights, Line], seen: set[object]) -> bool:
        """Search on for heights that no others surpass; return True, which ends the search, if the deal is won."""
        state, line = _play_safe(state, line, ALL_UP)
        if not any(_is_below(state.foundations, other) for other in found):
            for other in [other for other in found if _is_below(other, state.foundations)]:
                del found[other]
            found[state.foundations] = line
        if state.foundations == ALL_UP:
            return True
        key = search.key(state)
        if key in seen or all(any(_is_below(top, other) for other in found) for top in _bounds(state, ALL_UP)):
            return False
        seen.add(key)
        self.nodes += 1
        return any(self._widen(state.play(move), (*line, move), found, seen) for move in state.legal_moves())

    def win(self, mercis: int) -> Line | None:
        """Return how the game can be won in this deal; None if it cannot."""
        return self._meet(alone(self.table, mercis), (), ALL_UP, set())

    def targets(self, mercis: int) -> Iterator[Heights]:
        """Yield all heights between the start and the frontier. Not all of them can be reached."""
        seen: set[Heights] = set()
        for top in self.frontier(mercis):
            for heights in product(
                *(range(low, high + 1) for low, high in zip(self.table.foundations, top, strict=True))
            ):
                clubs, diamonds, hearts, spades = heights
                seen.add((clubs, diamonds, hearts, spades))
        return iter(seen)

    def line_to(self, heights: Heights, mercis: int) -> Line | None:
        """Return how the deal can be left with these heights and at most `mercis` mercis spent; None if it cannot."""
        if heights in self.frontier(mercis):
            return self.frontier(mercis)[heights]
        return self._meet(alone(self.table, mercis), (), heights, set())

    def _meet(self, state: State, line: Line, caps: Heights, seen: set[object]) -> Line | None:
        state, line = _play_safe(state, line, caps)
        if state.foundations == caps:
            return line
        key = search.key(state)
        if key in seen or all(top != caps for top in _bounds(state, caps)):
            return None
        seen.add(key)
        self.nodes += 1
        for move in state.legal_moves():
            if _keeps(move, caps):
                met = self._meet(state.play(move), (*line, move), caps, seen)
                if met is not None:
                    return met
        return None


def _is_below(heights: Heights, other: Heights) -> bool:
    return all(low <= high for low, high in zip(heights, other, strict=True))


def _keeps(move: Move, caps: Heights) -> bool:
    """Return whether the move passes no cap."""
    if isinstance(move, ToFoundation) or (isinstance(move, Merci) and move.up):
        return move.card.rank <= caps[move.card.suit]
    return True


def _play_safe(state: State, line: Line, caps: Heights) -> tuple[State, Line]:
    """Make every move that needs no choice: foundation moves below the caps, and builds that can do no harm."""
    while True:
        for move in state.legal_moves():
            if (isinstance(move, ToFoundation) and _keeps(move, caps)) or (
                isinstance(move, ToFan) and search.is_safe_build(state, move)
            ):
                state, line = state.play(move), (*line, move)
                break
        else:
            return state, line


# The bound of `search.bound`, here for each suit by itself, below caps, and with one card lifted out by a merci. A set
# of cards is a bit set: 16 bits for each suit, the ace lowest. Cards that can go up are found by one addition, whose
# carry runs through all free cards from the foundation upwards.


@cache
def _bit(card: Card) -> int:
    return 1 << (16 * card.suit + card.rank - 1)


def _bounds(state: State, caps: Heights) -> Iterator[Heights]:
    """Yield heights such that all that can be reached below the caps lie below at least one of them."""
    under: dict[int, int] = {}
    above: dict[int, int] = {}
    free = covers = 0
    for fan in state.fans:
        bits = [_bit(card) for card in fan]
        under.update(zip(bits[1:], bits, strict=False))
        above.update(pairwise(bits))
        free |= bits[-1]
        if len(bits) > 1:
            covers |= bits[-1]
    ready = sum(1 << (16 * suit + height) for suit, height in enumerate(state.foundations))
    below = sum(((1 << cap) - 1) << 16 * suit for suit, cap in enumerate(caps))
    free, covers, up = _spread(free, covers, under, ready, below)
    heights = _heights(state.foundations, up)
    yield heights
    if state.mercis == 0 or heights == caps:
        return
    done = sum(((1 << height) - 1) << 16 * suit for suit, height in enumerate(state.foundations)) | up
    for card, upper in above.items():
        if card & free:
            continue
        # Except to the top of its own fan, a card can be lifted only to its foundation or onto its next higher.
        if state.rules.merci != "front" and not (card & LOWEST or (card >> 1) & done or (card << 1) & free):
            continue
        lifted = dict(under)
        lower = lifted.pop(card, None)
        if lower is None:
            del lifted[upper]
        else:
            lifted[upper] = lower
        still = covers if lower is not None else covers & ~upper
        _, _, up = _spread(free | card, still, lifted, ready, below)
        yield _heights(state.foundations, up)


LOWEST = 0x0001_0001_0001_0001


def _spread(free: int, covers: int, under: dict[int, int], ready: int, below: int) -> tuple[int, int, int]:
    """Return the least fixed point: free cards, those among them that still cover one, and cards that can go up."""
    while True:
        candidates = free & below
        up = candidates & ~(candidates + ready)
        moving = covers & (up | (free & (free >> 1)))
        if not moving:
            return free, covers, up
        while moving:
            card = moving & -moving
            moving ^= card
            lower = under[card]
            covers ^= card
            free |= lower
            if lower in under:
                covers |= lower


def _heights(start: Heights, up: int) -> Heights:
    clubs, diamonds, hearts, spades = start
    return (
        clubs + (up & 0xFFFF).bit_count(),
        diamonds + (up >> 16 & 0xFFFF).bit_count(),
        hearts + (up >> 32 & 0xFFFF).bit_count(),
        spades + (up >> 48).bit_count(),
    )


class Walk:
    """A walk over all positions of one deal, within a limit, under rules that no shortcut was tested for."""

    def __init__(self, table: State, most_positions: int = MOST_POSITIONS) -> None:
        self.table = table
        self.nodes = 0
        self.is_complete = True
        self.stops: dict[Stop, Line] = {}
        start = alone(table, mercis_now(table))
        kept = table.mercis - start.mercis  # none, or those that this deal does not allow
        # First the solver's searches for a win and for the most cards.
        result = most_cards(table)
        self.nodes += result.stats.nodes
        line = result.line
        for number, state in enumerate(line.states):
            if number == len(line.moves) or (table.redeals_left and _may_stop(table.rules, state)):
                self.stops[state.foundations, state.mercis + kept] = line.moves[:number]
        self.is_complete = result.score_proved or result.is_decided
        if table.redeals_left and result.score < sum(ALL_UP):
            self._walk(start, kept, most_positions)

    def _walk(self, start: State, kept: int, most_positions: int) -> None:
        seen = {search.key(start)}
        waiting: list[tuple[State, Line]] = [(start, ())]
        while waiting:
            state, line = waiting.pop()
            self.nodes += 1
            moves = state.legal_moves()
            if _may_stop(self.table.rules, state):
                self.stops.setdefault((state.foundations, state.mercis + kept), line)
            for move in reversed(moves):
                after = state.play(move)
                key = search.key(after)
                if key in seen:
                    continue
                if len(seen) >= most_positions:
                    self.is_complete = False
                    continue
                seen.add(key)
                waiting.append((after, (*line, move)))


def _may_stop(rules: Rules, state: State) -> bool:
    """Return whether the rest may be dealt again here."""
    return rules.may_hold_back or not any(isinstance(move, ToFoundation) for move in state.legal_moves())
