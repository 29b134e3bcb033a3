"""The generic search over the game protocol, in plain Python.

It serves games without a native twin and UNSHUFFLE_ENGINE=python, and is the oracle of the tests.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from enum import Enum
from time import perf_counter
from typing import TYPE_CHECKING, Any

from unshuffle.cards import Card
from unshuffle.game import Hooks, Outcome
from unshuffle.solve.limits import Limits
from unshuffle.solve.result import Progress, Status

if TYPE_CHECKING:
    from unshuffle.solve.tracing import Trace

Watch = Callable[[Progress], bool]
_POLL_SECONDS = 0.05
_FIRST_ATTEMPT = 1_000
"""Positions in the table before the first call of the hook `attempt`: small searches are decided by then."""
_LATER_ATTEMPTS = 1.5
"""The factor by which that number grows from one attempt to the next."""


@dataclass(slots=True)
class Found:
    """The result of a search before its line is replayed."""

    status: Status
    moves: tuple[Any, ...]
    score: int
    score_proved: bool
    stats: dict[str, int | float]
    interrupted: bool = False
    met_redeal: bool = False
    """Whether an unknown redeal was possible in some position: the search cannot try it."""


@dataclass(slots=True)
class _Branch:
    """A position on the current line whose moves are being tried."""

    state: Any
    moves: list[Any]
    """Moves still to be tried, the next one last."""
    depth: int
    """Length of the line up to this position."""


@dataclass(slots=True)
class _Search:
    """A depth-first search with a transposition table.

    A position enters the table at its first visit, so a line that comes back to itself ends there: whatever can be
    reached from a position is reached from its first visit.

    Where moves cost points, a search for the best score goes on after a win, and expands a position again that it
    reaches with a better score. Only the cost of the path differs, so every continuation is better by as much.
    """

    hooks: Hooks[Any, Any]
    limits: Limits
    maximize: bool
    most_score: int
    charges_moves: bool = False
    uncharged: Callable[[Any], Any] | None = None
    watch: Watch | None = None
    trace: Trace | None = None
    seen: dict[Hashable, int] = field(default_factory=dict)
    """The table: the key of each position expanded, with its best score where moves cost points, else 0."""
    line: list[Any] = field(default_factory=list)
    best_moves: tuple[Any, ...] = ()
    best_score: int = 0
    is_won: bool = False
    """Whether the best line wins; a line that wins is better than any that does not."""
    bound: int = 0
    nodes: int = 0
    max_depth: int = 0
    forced_moves: int = 0
    dead_ends: int = 0
    blocked: int = 0
    table_hits: int = 0
    entry_bytes: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    root: Any = None
    attempts: int = 0
    next_attempt: int = 0
    met_redeal: bool = False
    stopped: Status | None = None
    """The limit that ended the last attempt, if one did."""
    begun: float = 0.0
    polled: float = 0.0

    def run(self, root: Any) -> Found:
        self.root, self.next_attempt = root, _FIRST_ATTEMPT
        self.begun = self.polled = perf_counter()
        self.kinds = dict.fromkeys(self.hooks.kinds.values(), 0)
        self.bound = self._bound(root)
        self.best_score = root.score
        interrupted = False
        try:
            status = self._walk(root)
        except KeyboardInterrupt:
            status, interrupted = Status.CANCELLED, True
        if self.charges_moves:
            exhausted = status.is_decided and self.maximize
        else:
            # A search that only decides prunes positions whose bound allows a better score but no win.
            exhausted = status is Status.SOLVED or (
                status is Status.UNSOLVABLE and (self.maximize or self.hooks.bound is None)
            )
        proved = exhausted or self.best_score >= self.bound
        if self.is_won:
            status = Status.SOLVED  # also if a limit left open whether there is a better win
        stats: dict[str, int | float] = {
            "nodes": self.nodes,
            "seconds": perf_counter() - self.begun,
            "max_depth": self.max_depth,
            "forced_moves": self.forced_moves,
            "dead_ends": self.dead_ends,
            "blocked": self.blocked,
            "table_entries": len(self.seen),
            "table_bytes": len(self.seen) * self.entry_bytes,
            "table_hits": self.table_hits,
            "evictions": 0,  # when this table is full, the search ends
            **self.kinds,
        }
        return Found(status, self.best_moves, self.best_score, proved, stats, interrupted, self.met_redeal)

    def _walk(self, root: Any) -> Status:
        stack: list[_Branch] = []
        state = root
        while True:
            branch = self._enter(state)
            if isinstance(branch, Status):
                return branch
            if branch is not None:
                stack.append(branch)
            while stack and not stack[-1].moves:
                stack.pop()
            if not stack:
                return Status.UNSOLVABLE
            top = stack[-1]
            del self.line[top.depth :]
            state = self._play(top.state, top.moves.pop())

    def _play(self, state: Any, move: Any, *, is_forced: bool = False) -> Any:
        self.line.append(move)
        if self.kinds:
            self.kinds[self.hooks.kinds[type(move)]] += 1
        if self.trace is not None:
            self.trace.play(move, is_forced)
        return state.play(move)

    def _tell(self, state: Any, cut: str | None) -> None:
        if self.trace is not None:
            self.trace.come_to(state, self._key(state), len(self.line), cut)

    def _enter(self, state: Any) -> _Branch | Status | None:
        """Visit a position. Return a branch if its moves are to be tried, a status if the search ends, else None."""
        while True:
            self.max_depth = max(self.max_depth, len(self.line))
            is_won = state.outcome is Outcome.WON
            if (is_won, state.score) > (self.is_won, self.best_score):
                self.is_won, self.best_score, self.best_moves = is_won, state.score, tuple(self.line)
            if is_won:
                self._tell(state, "won")
                return None if self.charges_moves and self.maximize else Status.SOLVED
            move = self.hooks.forced(state) if self.hooks.forced else None
            if move is None:
                break
            self.forced_moves += 1
            self.met_redeal = self.met_redeal or state.can_redeal
            self._tell(state, None)
            state = self._play(state, move, is_forced=True)
        if self.maximize and self.best_score >= self.bound and self.is_won == self.charges_moves:
            self._tell(state, "proved")
            return Status.UNSOLVABLE  # nothing is better; where moves cost points, the best line is a win
        if self._is_blocked(state):
            self.blocked += 1
            self._tell(state, "blocked")
            return None
        if self._is_known(state):
            self._tell(state, "seen")
            return None
        stopped = self._check_limits()
        if stopped is not None:
            self._tell(state, "limit")
            return stopped
        ended = self._attempt()
        if ended is not None:
            return ended
        self.seen[self._key(state)] = state.score if self.charges_moves else 0
        self.nodes += 1
        self.met_redeal = self.met_redeal or state.can_redeal
        moves = state.legal_moves()
        if not moves:
            self.dead_ends += 1
        elif self.hooks.order is not None:
            moves = dict.fromkeys((*self.hooks.order(state, moves), *moves))
        self._tell(state, None if moves else "dead-end")
        return _Branch(state, list(reversed(moves)), len(self.line))

    def _attempt(self) -> Status | None:
        """Call the hook `attempt` if it is due. Return a status if the search ends with it."""
        # A trace lists the positions of this search only.
        if self.hooks.attempt is None or self.maximize or self.trace is not None or len(self.seen) < self.next_attempt:
            return None
        self.next_attempt = max(self.next_attempt + 1, int(self.next_attempt * _LATER_ATTEMPTS))
        self.stopped = None
        line = self.hooks.attempt(self.root, self.attempts, self._may_expand)
        self.attempts += 1
        if line is None:
            return self.stopped
        end = self.root
        for move in line:
            end = end.play(move)
        self.is_won, self.best_score, self.best_moves = True, end.score, tuple(line)
        self.max_depth = max(self.max_depth, len(line))
        return Status.SOLVED

    def _may_expand(self, positions: int) -> bool:
        """Return whether an attempt may expand so many positions, and add them to the nodes of the search."""
        if self.limits.nodes is not None and self.nodes + positions > self.limits.nodes:
            self.stopped = Status.NODE_LIMIT
        else:
            self.nodes += positions
            self.stopped = self._check_limits(is_within=True)
        return self.stopped is None

    def _bound(self, state: Any) -> int:
        """Return an upper bound of the score at the end of any line from here."""
        if self.hooks.bound:
            return self.hooks.bound(state)
        spent = 0 if self.uncharged is None else int(self.uncharged(state).score - state.score)
        return self.most_score - spent

    def _is_blocked(self, state: Any) -> bool:
        """Return whether no line from here can improve the result."""
        if self.charges_moves:
            # After a win only a better win counts; before it any line may be the first win.
            return self.maximize and self.is_won and self._bound(state) <= self.best_score
        if self.hooks.bound is None:
            return False
        return self.hooks.bound(state) <= (self.best_score if self.maximize else self.most_score - 1)

    def _is_known(self, state: Any) -> bool:
        score = self.seen.get(self._key(state))
        if score is None or (self.charges_moves and self.maximize and score < state.score):
            return False
        self.table_hits += 1
        return True

    def _key(self, state: Any) -> Hashable:
        if self.hooks.key:
            return self.hooks.key(state)
        position: Hashable = state if self.uncharged is None else self.uncharged(state)
        return position

    def _check_limits(self, *, is_within: bool = False) -> Status | None:
        """Return the limit that is hit, if any; `is_within`: the caller has checked the node limit."""
        if not is_within and self.limits.nodes is not None and self.nodes >= self.limits.nodes:
            return Status.NODE_LIMIT
        if not self.entry_bytes and self.seen:
            self.entry_bytes = 100 + _deep_size(next(iter(self.seen)), set())
        if len(self.seen) * self.entry_bytes > self.limits.memory:
            return Status.MEMORY_LIMIT
        now = perf_counter()
        if self.limits.seconds is not None and now - self.begun >= self.limits.seconds:
            return Status.TIME_LIMIT
        if self.watch is not None and now - self.polled >= _POLL_SECONDS:
            self.polled = now
            if self.watch(Progress(self.nodes, now - self.begun, self.best_score, self.bound)):
                return Status.CANCELLED
        return None


def _deep_size(value: object, met: set[int]) -> int:
    """Return about how many bytes a key takes, with the parts of tuples and sets; shared parts count once."""
    # Equal cards and equal enum values are one shared object.
    if id(value) in met or isinstance(value, Card | Enum):
        return 0
    met.add(id(value))
    size = sys.getsizeof(value)
    if isinstance(value, tuple | frozenset):
        size += sum(_deep_size(part, met) for part in value)
    elif hasattr(value, "__slots__"):
        size += sum(_deep_size(getattr(value, name), met) for name in value.__slots__ if hasattr(value, name))
    return size


def search(
    state: Any,
    limits: Limits,
    *,
    maximize: bool,
    most_score: int = sys.maxsize,
    charges_moves: bool = False,
    uncharged: Callable[[Any], Any] | None = None,
    hooks: Hooks[Any, Any] | None = None,
    watch: Watch | None = None,
    trace: Trace | None = None,
) -> Found:
    """Decide whether the position can be won; with `maximize` also prove the best score, of wins if there are any.

    `charges_moves` and `uncharged` are the game's: whether moves cost points, and the state with no cost charged.
    """
    found = _Search(hooks or Hooks(), limits, maximize, most_score, charges_moves, uncharged, watch, trace).run(state)
    if trace is not None:
        trace.finish()
    return found
