"""The coach of Gaps: what a move opens, what it traps, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator

from unshuffle.advise.coach import Coach, Judgement
from unshuffle.advise.words import join
from unshuffle.cards import PACK
from unshuffle.game import INFORMATION
from unshuffle.games.gaps import Move, Redeal, State, ToGap
from unshuffle.games.gaps.hidden import values
from unshuffle.games.gaps.hidden.ends import Budget, Ends, Searches
from unshuffle.games.gaps.rules import COLUMNS, name_cell
from unshuffle.games.gaps.search import Reach, closure
from unshuffle.hidden.chance import Chance
from unshuffle.numbers import plural
from unshuffle.solve import Status

_KING = 13
_MEMORY = 16_000_000
"""Bytes for each search: to allocate a larger table takes longer than these short searches."""


class GapsCoach(Coach):
    """The coach, which inspects the board around a move, and searches the phase before and after it."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._seconds = seconds
        self._searches = Searches()
        self._known: dict[State, Ends] = {}

    def judge(self, state: State, move: Move) -> Judgement:
        """Return what the move opens, traps and costs."""
        table: State = state.view().table
        if isinstance(move, Redeal):
            return self._judge_redeal(table)
        after = table.play(move)
        source = table.cells.index(move.card)
        lines = [f"Opens: {'; '.join(opens(table, after, move, source))}."]
        found = list(traps(table, after, source))
        lines += [f"Traps: {'; '.join(found)}."] if found else []
        before, then = self._ends(table), self._ends(after)
        is_lost = before.status is Status.SOLVED and then.status is Status.UNSOLVABLE
        lines.append(f"Costs: {_costs(before, then)}.")
        lines += _worth(after, before, then)
        return Judgement(tuple(lines), is_lost)

    def _judge_redeal(self, table: State) -> Judgement:
        """Return what a redeal keeps and costs: it loses if the phase could still be won."""
        before = self._ends(table)
        loses = before.status is Status.SOLVED
        value = values.lookup(table.rules, [length for _, length in table.locks], table.redeals_left)
        worth = "nobody knows its chance to win" if value is None else f"chance to win {Chance(value.p, value.se)}"
        lines = [f"A redeal keeps {plural(table.score, 'locked card')}; {worth}."]
        if loses:
            lines.append(f"Costs: this phase can be won without it, in {plural(len(before.moves), 'move')}.")
        return Judgement(tuple(lines), loses)

    def _ends(self, table: State) -> Ends:
        # A board is searched once.
        if table not in self._known:
            budget = Budget(seconds=self._seconds, memory=_MEMORY, is_stopped=self.is_stopped)
            found = self._searches.ends(table, budget)
            if self.is_stopped():
                return found
            self._known[table] = found
        return self._known[table]


# What it opens.


def opens(before: State, after: State, move: ToGap, source: int) -> Iterator[str]:
    """Yield the cell that is left, and the gaps beside the two cells that take another card now."""
    yield _gap(after, source)
    target = COLUMNS * (move.row - 1) + move.column - 1
    for cell in (target, source):
        beside = cell + 1
        is_gap = beside % COLUMNS and beside != source and after.cells[beside] is None
        if is_gap and after.takes(beside) and after.takes(beside) != before.takes(beside):
            yield _gap(after, beside)


def _gap(state: State, cell: int) -> str:
    """Return a gap and the card that it takes, in words."""
    taken = state.takes(cell)
    if not taken:
        return f"{name_cell(cell)}, which takes nothing for now"
    if cell % COLUMNS == 0:
        return f"{name_cell(cell)}, which takes {join([card.glyph for card in taken], 'or')}"
    (card,) = taken
    return f"{name_cell(cell)}, which calls {card.glyph} (now at {name_cell(state.cells.index(card))})"


# What it traps.


def traps(before: State, after: State, source: int) -> Iterator[str]:
    """Yield the gaps that take nothing after the move, and took a card or were filled before it."""
    reach = closure(after.rules, after.cells)
    assert reach is not None
    for cell, card in enumerate(after.cells):
        if card is not None or after.takes(cell):
            continue
        if cell != source and before.cells[cell] is None and not before.takes(cell):
            continue  # it was blocked before
        row, column = divmod(cell, COLUMNS)
        if column > after.locks[row][1]:  # directly behind a run only a finished row's gap is blocked
            yield f"{name_cell(cell)} lies behind {_blocked(after, cell, reach)}"


def _blocked(state: State, cell: int, reach: Reach) -> str:
    """Return what stands on the left of a gap, and whether that can change, in words.

    `reach` has all that can happen in this phase, and more: what is not in it is proved impossible.
    """
    left = cell - 1
    king = state.cells[left]
    if king is None:
        comes = any(cells >> left & 1 for card, cells in zip(PACK, reach, strict=True) if card.rank < _KING)
        return f"a gap: {'it may wake when that one is filled' if comes else 'no card can ever wake it in this phase'}"
    may_leave = reach[king.index] != 1 << left
    return f"{king.glyph}, which {'may still leave' if may_leave else 'can never leave in this phase'}"


# What it costs.


def _costs(before: Ends, then: Ends) -> str:
    """Return what could be reached before the move, and after it, in words."""
    if then.status is Status.SOLVED:
        return f"nothing: still winnable, in {plural(len(then.moves), 'move')}"
    if before.status is Status.UNSOLVABLE:
        # What cannot be won cannot be won after a move either.
        return f"no win, for this phase was lost before it (proved): {_best(before)}; after it {_best(then)}"
    is_won = before.status is Status.SOLVED
    was = f"winnable before it, in {plural(len(before.moves), 'move')}" if is_won else "not decided before it"
    if then.status is Status.UNSOLVABLE:
        return f"{was}; this phase is lost after it (proved): {_best(then)}"
    return f"{was}; after it no win was found in {then.seconds:.1f} s, which is not a no: {_best(then)}"


def _best(found: Ends) -> str:
    return f"{'at most' if found.score_proved else 'found'} {found.score} locked"


def _worth(state: State, before: Ends, then: Ends) -> Iterator[str]:
    """Yield how the move changes the chance to win, if a redeal can follow and the phase is not won."""
    if not state.redeals_left or then.status is Status.SOLVED:
        return
    was, now = _chance(state, before), _chance(state, then)
    if was is not None and now is not None:
        left = f"with {plural(state.redeals_left, 'redeal')} left"
        yield f"Chance to win by the best end found, {left}: {was} before it, {now} after it ({INFORMATION['hidden']})."


def _chance(state: State, found: Ends) -> Chance | None:
    """Return the chance to win by the best of the ends that were found; None if unknown."""
    if found.status is Status.SOLVED:
        return Chance(1.0, 0.0)
    known = [values.lookup(state.rules, end.shape, state.redeals_left) for end in found.ends]
    chances = [Chance(value.p, value.se) for value in known if value is not None]
    return max(chances, key=lambda chance: chance.p, default=None)
