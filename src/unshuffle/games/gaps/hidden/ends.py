"""The ends of a phase of Gaps: a search that collects the locks that can be reached, with a line to each.

The planner chooses among these ends. A search is kept and can be resumed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from unshuffle import engine
from unshuffle.errors import IllegalMoveError, InternalError
from unshuffle.game import AnyGame
from unshuffle.games.gaps import State, ToGap
from unshuffle.games.gaps import search as hooks
from unshuffle.games.gaps.hidden.foresight import Locks
from unshuffle.games.gaps.rules import COLUMNS, MOST_SCORE
from unshuffle.games.gaps.words import parse_token
from unshuffle.registry import game_of
from unshuffle.rulebook import write_rules
from unshuffle.solve import Status, cores, has_twin, replay
from unshuffle.solve.limits import Limits, parse_memory
from unshuffle.solve.result import Progress
from unshuffle.solve.sides import Watch

if TYPE_CHECKING:
    from unshuffle.solve.reference import Found

Moves = tuple[ToGap, ...]
SECONDS = 2.0
MEMORY = "100MB"
_ENTRY_BYTES = 900
"""Estimated bytes of a table entry of the Python side."""
_HOPS = 2
"""The most moves of free 2s within column 1 in a line of the Python side; with more it searches in vain."""


@dataclass(frozen=True, slots=True)
class End:
    """What is locked at the end of a phase, and the shortest line to it that was found."""

    locks: Locks
    moves: Moves

    @property
    def score(self) -> int:
        """The number of locked cards."""
        return sum(length for _, length in self.locks)

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the runs, longest first: the value of a redeal depends on nothing else."""
        return shape_of(self.locks)


def shape_of(locks: Locks) -> tuple[int, ...]:
    """Return the lengths of the runs, longest first."""
    return tuple(sorted((length for _, length in locks), reverse=True))


@dataclass(frozen=True, slots=True)
class Ends:
    """The result of the search of a phase."""

    ends: tuple[End, ...]
    """One for each lock vector of the stuck positions; with early redeals, of all positions."""
    complete: bool
    """True if there are no other ends: the search was exhaustive."""
    status: Status
    """Whether this phase can be won; redeals do not count."""
    moves: Moves
    """The line to the best score found."""
    score: int
    score_proved: bool
    bound: int
    """An upper bound of the score."""
    nodes: int = 0
    seconds: float = 0.0
    depth: int = 0
    memory: int = 0
    threads: int = 1


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a search."""

    seconds: float | None = SECONDS
    nodes: int | None = None
    memory: int = field(default_factory=lambda: parse_memory(MEMORY))
    threads: int = field(default_factory=cores)
    is_stopped: Callable[[], bool] = lambda: False
    without: tuple[str, ...] = ()
    """Techniques that the engine switches off; the Python side ignores them."""


def phase_ends(
    state: State, *, seconds: float | None = SECONDS, nodes: int | None = None, memory: int | str = MEMORY
) -> Ends:
    """Return the lock vectors that can be reached in this phase, each with a line; `complete` says if these are all."""
    limits = Limits(nodes, seconds, parse_memory(memory))
    return Searches().ends(state, Budget(limits.seconds, limits.nodes, limits.memory))


class Searches:
    """The searches so far, by board, so that each can be resumed."""

    def __init__(self) -> None:
        self._begun: dict[State, _PythonSearch | _NativeSearch] = {}

    def ends(self, state: State, budget: Budget) -> Ends:
        """Search the phase further within the budget, and return all that is known of it."""
        table: State = state.view().table
        if table not in self._begun:
            native = engine.native()
            is_known = native is not None and hasattr(native, "phase_ends") and has_twin(game_of(table))
            self._begun[table] = _NativeSearch(table, native) if is_known else _PythonSearch(table)
        return checked(table, self._begun[table].go_on(budget))

    def is_decided(self, state: State) -> bool:
        """Return whether more search of this phase would change nothing."""
        begun = self._begun.get(state.view().table)
        return begun is not None and begun.is_decided


def met_shapes(board: State, budget: Budget) -> tuple[Status, set[tuple[int, ...]]]:
    """Return whether the phase can be won, and the shapes of the ends found, without lines, so that it is cheap."""
    native = engine.native()
    game = game_of(board)
    if native is None or not has_twin(game):
        ends = _PythonSearch(board).go_on(budget)
        return ends.status, {end.shape for end in ends.ends}
    found = _within(native, game, board, budget, budget.seconds)
    return Status(found["status"]), {shape_of(locks) for locks, _ in found["ends"]}


def checked(table: State, found: Ends) -> Ends:
    """Return the result; raise InternalError if the rules disagree with its best line or its claim of a win."""
    try:
        score = replay(table, found.moves).score
        if score == found.score and (found.status is Status.SOLVED) == (score == MOST_SCORE):
            return found
        what = f"the search says {found.status} with {found.score} locked, its line locks {score}"
    except IllegalMoveError as error:
        what = f"the search plays a move that the rules forbid ({error.reason})"
    tokens = " ".join(move.token for move in found.moves)
    raise InternalError(what, f"rules: {table.rules!r}\nmoves: {tokens}\nposition:\n{table}")


# The native side.


class _NativeSearch:
    """A search in the engine, which keeps nothing: to resume is to search again with the sum of the times."""

    def __init__(self, table: State, native: Any) -> None:
        self._table = table
        self._native = native
        self._spent = 0.0
        self._last: Ends | None = None

    @property
    def is_decided(self) -> bool:
        return self._last is not None and (self._last.complete or self._last.status is Status.SOLVED)

    def go_on(self, budget: Budget) -> Ends:
        if self._last is not None and self.is_decided:
            return self._last
        table, game = self._table, game_of(self._table)
        self._spent += budget.seconds or 0.0
        found = _within(self._native, game, table, budget, None if budget.seconds is None else self._spent)
        stats = found["stats"]
        self._last = Ends(
            ends=tuple(End(tuple(locks), _parse(moves)) for locks, moves in found["ends"]),
            complete=found["complete"],
            status=Status(found["status"]),
            moves=_parse(found["moves"]),
            score=found["score"],
            score_proved=found["score_proved"],
            bound=found["bound"],
            nodes=stats["nodes"],
            seconds=stats["seconds"],
            depth=stats["max_depth"],
            memory=stats["table_bytes"],
            threads=budget.threads,
        )
        return self._last


def _asked(native: Any, game: AnyGame, table: State, **options: Any) -> dict[str, Any]:
    found: dict[str, Any] = native.phase_ends(game.engine_id, write_rules(table.rules), game.wire(table), **options)
    return found


def _within(native: Any, game: AnyGame, table: State, budget: Budget, seconds: float | None) -> dict[str, Any]:
    found = _asked(
        native,
        game,
        table,
        seconds=seconds,
        nodes=budget.nodes,
        memory=budget.memory,
        threads=budget.threads,
        without=list(budget.without),
        watch=lambda *_: budget.is_stopped(),
    )
    if found["interrupted"]:
        raise KeyboardInterrupt
    return found


def search_without(
    native: Any,
    table: State,
    game: AnyGame,
    limits: Limits,
    maximize: bool,
    watch: Watch | None,
    without: Sequence[str],
) -> Found:
    """Search the phase in the engine with techniques switched off, for `solve`."""
    from unshuffle.solve.reference import Found  # rarely needed

    found = _asked(
        native,
        game,
        table,
        nodes=limits.nodes,
        seconds=limits.seconds,
        memory=limits.memory,
        without=list(without),
        maximize=maximize,
        ends=False,
        watch=None if watch is None else lambda *counts: watch(Progress(*counts)),
    )
    return Found(*(found[name] for name in ("status", "moves", "score", "score_proved", "stats", "interrupted")))


def _parse(tokens: list[str]) -> Moves:
    return tuple(map(parse_token, tokens))  # type: ignore[arg-type] # a phase has no redeals


# The Python side.


class _PythonSearch:
    """A search for a win, which prunes positions that cannot be won; then one for all ends, which prunes none."""

    def __init__(self, table: State) -> None:
        self._bound = hooks.bound(table)
        self._for_win = _Walk(table, cuts=True)
        self._for_ends = _Walk(table, cuts=False)
        self._seconds = 0.0

    @property
    def is_decided(self) -> bool:
        return self._for_win.is_won or self._for_ends.is_won or self._for_ends.is_complete

    def go_on(self, budget: Budget) -> Ends:
        begun = perf_counter()
        # Half of the time for the first search; the second has what is left.
        share = None if budget.seconds is None else budget.seconds / 2
        status = self._for_win.walk(replace(budget, seconds=share))
        if status is Status.UNSOLVABLE and not self._for_win.is_complete:
            status = Status.NODE_LIMIT  # lines with more hops were skipped: nothing is proved
        if status is not Status.SOLVED:
            left = None if budget.seconds is None else max(budget.seconds - (perf_counter() - begun), 0.0)
            gathered = self._for_ends.walk(replace(budget, seconds=left))
            if gathered is Status.SOLVED or self._for_ends.is_complete:
                status = gathered
        self._seconds += perf_counter() - begun
        walks = (self._for_win, self._for_ends)
        best = max(walks, key=lambda walk: walk.score)
        complete = self._for_ends.is_complete and status is not Status.SOLVED
        bound = MOST_SCORE if status is Status.SOLVED else best.score if complete else self._bound
        return Ends(
            tuple(End(locks, moves) for locks, moves in self._for_ends.ends.items()),
            complete,
            status,
            best.line,
            best.score,
            best.score >= bound,
            bound,
            sum(walk.nodes for walk in walks),
            self._seconds,
            max(walk.depth for walk in walks),
            sum(len(walk.seen) for walk in walks) * _ENTRY_BYTES,
        )


@dataclass(slots=True)
class _Branch:
    """A position on the current line whose moves are being tried."""

    state: State
    moves: Iterator[ToGap]
    depth: int
    hops: int


class _Walk:
    """A depth-first search with a transposition table, which can be stopped and resumed."""

    def __init__(self, table: State, *, cuts: bool) -> None:
        self._cuts = cuts
        rules = table.rules
        # With early redeals every position is an end, so forced moves may not skip one.
        self._of_all = rules.early_redeal and table.redeals_left > 0
        self._forces = cuts or not self._of_all
        self.seen: dict[Any, int] = {}
        self.ends: dict[Locks, Moves] = {}
        self.line: Moves = ()
        self.score = table.score
        self.nodes = self.depth = 0
        self.is_won = self.is_complete = False
        self._refused = False
        self._path: list[ToGap] = []
        self._stack: list[_Branch] = []
        self._next: tuple[State, int] | None = (table, 0)

    def walk(self, budget: Budget) -> Status:
        """Search on until all positions are seen, a win or a limit, and return the status."""
        until = None if budget.seconds is None else perf_counter() + budget.seconds
        while not self.is_won:
            if self._next is None:
                while self._stack:
                    branch = self._stack[-1]
                    move = next(branch.moves, None)
                    if move is not None:
                        break
                    self._stack.pop()
                else:
                    self.is_complete = not self._refused
                    return Status.UNSOLVABLE
                del self._path[branch.depth :]
                self._path.append(move)
                self._next = branch.state.play(move), branch.hops + _is_hop(branch.state, move)
            if (stopped := self._limit(budget, until)) is not None:
                return stopped
            state, hops = self._next
            self._next = None
            self._enter(state, hops)
        return Status.SOLVED

    def _limit(self, budget: Budget, until: float | None) -> Status | None:
        if budget.nodes is not None and self.nodes >= budget.nodes:
            return Status.NODE_LIMIT
        if len(self.seen) * _ENTRY_BYTES > budget.memory // 2:
            return Status.MEMORY_LIMIT
        if until is not None and perf_counter() >= until:
            return Status.TIME_LIMIT
        return Status.CANCELLED if self.nodes % 64 == 0 and budget.is_stopped() else None

    def _enter(self, state: State, hops: int) -> None:
        while True:
            self.depth = max(self.depth, len(self._path))
            score = state.score
            if score > self.score:
                self.score, self.line = score, tuple(self._path)
            if score == MOST_SCORE:
                self.is_won = True
                return
            if self._of_all:
                self._note(state)
            move = hooks.forced(state) if self._forces else None
            if move is None:
                break
            self._path.append(move)
            state = state.play(move)
        if hops > _HOPS:
            self._refused = True
            return
        key: Any = hooks.key(state) if self._cuts else state.cells
        if self.seen.get(key, _HOPS + 1) <= hops or (self._cuts and hooks.bound(state) < MOST_SCORE):
            return
        self.seen[key] = hops
        self.nodes += 1
        moves = list(state.card_moves())
        if not moves:
            self._note(state)
        self._stack.append(_Branch(state, iter(moves), len(self._path), hops))

    def _note(self, state: State) -> None:
        locks = state.locks
        known = self.ends.get(locks)
        if known is None or len(self._path) < len(known):
            self.ends[locks] = tuple(self._path)


def _is_hop(state: State, move: ToGap) -> bool:
    """Return whether the move takes a 2 from column 1 to another row."""
    return move.column == 1 and state.rules.has_free_twos and state.cells.index(move.card) % COLUMNS == 0
