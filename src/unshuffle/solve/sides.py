"""The two sides that can search, native and Python, and the check of what either of them claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from unshuffle import engine
from unshuffle.errors import UsageError, quote
from unshuffle.game import AnyGame, Hooks
from unshuffle.registry import game_of
from unshuffle.rulebook import write_rules
from unshuffle.solve.limits import Limits
from unshuffle.solve.replay import Line, check
from unshuffle.solve.result import Progress, Result, Stats, Status
from unshuffle.solve.shorten import shorten as shorten_line
from unshuffle.views import refusal_of

if TYPE_CHECKING:
    from unshuffle.solve import reference
    from unshuffle.solve.tracing import Write

Watch = Callable[[Progress], bool]
_SHORTENING = 10.0


def known_game(state: Any) -> AnyGame | None:
    """Return the game of a state; None if the class of the state is not registered."""
    try:
        return game_of(state)
    except (AttributeError, UsageError):
        return None


def question(state: Any, game: AnyGame | None) -> tuple[Any, AnyGame | None]:
    """Return the state to search, without unknown redeals, and its game.

    Raise UsageError for a view: a position with unknown cards is never solved.
    """
    if hasattr(state, "sample"):
        raise UsageError(refusal_of(state))
    if game is None:
        return state, None
    asked = game.phase(state)
    return asked, game if asked.rules == game.rules else game.of(asked)


def can_ask(state: Any) -> bool:
    """Return whether the state can be solved: it is not a view with unknown cards."""
    try:
        question(state, known_game(state))
    except UsageError:
        return False
    return True


def knows(native: Any, game: AnyGame) -> bool:
    """Return whether the native module plays this game under these rules."""
    return game.engine_id in native.games() and native.supports(game.engine_id, write_rules(game.rules))


def has_twin(game: AnyGame) -> bool:
    """Return whether the native engine is in use and plays this game under these rules."""
    native = engine.native()
    return native is not None and knows(native, game)


def search(
    state: Any,
    game: AnyGame | None,
    limits: Limits,
    maximize: bool,
    watch: Watch | None = None,
    trace: Write | None = None,
    without: Sequence[str] = (),
) -> tuple[Any, str]:
    """Search on the fastest side that can. Return what was found and the name of the side."""
    native = engine.native()
    if game is not None and native is not None and knows(native, game):
        if not without:
            return search_natively(native, state, game, limits, maximize, watch, trace), "native"
        if (search_without := game.own("without")) is not None:
            return search_without(native, state, game, limits, maximize, watch, without), "native"
    return search_in_python(state, game, limits, maximize, watch, trace, without), "python"


def check_techniques(game: AnyGame | None, without: Sequence[str]) -> None:
    """Raise UsageError naming every technique that the search of this game does not have."""
    known = {} if game is None else game.techniques
    wrong = [name for name in without if name not in known]
    if wrong:
        what = "this game" if game is None else game.id
        has = f"it has {', '.join(known)}" if known else "it has none that can be switched off"
        raise UsageError(f"the search of {what} has no technique {', '.join(map(quote, wrong))}; {has}")


def search_natively(
    native: Any,
    state: Any,
    game: AnyGame,
    limits: Limits,
    maximize: bool,
    watch: Watch | None = None,
    trace: Write | None = None,
) -> Any:
    """Search in the engine."""
    return native.solve(
        game.engine_id,
        write_rules(game.rules),
        game.wire(state),
        nodes=limits.nodes,
        seconds=limits.seconds,
        memory=limits.memory,
        maximize=maximize,
        watch=None if watch is None else lambda *counts: watch(Progress(*counts)),
        trace=trace,
    )


def search_in_python(
    state: Any,
    game: AnyGame | None,
    limits: Limits,
    maximize: bool,
    watch: Watch | None = None,
    write: Write | None = None,
    without: Sequence[str] = (),
) -> reference.Found:
    """Run the generic search with the game's hooks."""
    from unshuffle.solve import reference  # slow to import, and not needed where the engine serves

    trace = None
    if write is not None:
        from unshuffle.solve.tracing import Trace  # rarely needed

        trace = Trace(write, str if game is None else game.wire)
    if game is None:
        return reference.search(state, limits, maximize=maximize, hooks=Hooks(), watch=watch, trace=trace)
    off: dict[str, Any] = {hook: None for name in without if (hook := game.techniques[name])}
    return reference.search(
        state,
        limits,
        maximize=maximize or game.always_maximizes,
        most_score=game.most_score,
        charges_moves=game.charges_moves,
        uncharged=game.uncharged if game.charges_moves else None,
        hooks=replace(game.hooks(), **off),
        watch=watch,
        trace=trace,
    )


def solve_on(side: str, state: Any, limits: Limits, *, maximize: bool = False) -> Result:
    """Solve on the given side, 'native' or 'python', whichever is in use, so that the two can be compared."""
    game = known_game(state)
    asked, asked_game = question(state, game)
    if side == "python":
        return check_found(state, game, search_in_python(asked, asked_game, limits, maximize), side)
    from unshuffle import _engine  # the caller asks for this side, whatever UNSHUFFLE_ENGINE says

    assert asked_game is not None
    return check_found(state, game, search_natively(_engine, asked, asked_game, limits, maximize), side)


def check_found(
    state: Any,
    game: AnyGame | None,
    found: Any,
    side: str = "native",
    shorten: bool = False,
    until: float | None = None,
    *,
    tidy: bool = False,
) -> Result:
    """Replay the line of a search by the Python rules and return the result.

    `tidy` drops the moves that the engine finds needless, which seldom takes more than milliseconds; `shorten` does
    that and looks for a shorter line until `until`. Raise InternalError if the rules disagree with the search.
    """
    status, is_proved = _answer(state, game, found)
    told = tuple(game.parse_move(move) if isinstance(move, str) and game is not None else move for move in found.moves)
    moves = told
    if game is not None and (tidy or shorten):
        moves = tidied(state, game, told, _time_left(until) if shorten else 0.0)
    line = check(state, moves, status, found.score, side, is_shorter=moves is not told)
    if shorten:
        line = shorten_line(line, until, uncharged=None if game is None else game.uncharged)
    if line.moves != told:
        line = Line(line.states, _as_listed(line, game))
    own = {} if game is None else {name: found.stats[common] for name, common in game.stat_names.items()}
    stats = Stats({**found.stats, **own})
    return Result(state, status, line.moves, line.score, is_proved, stats, side, line)


def _answer(state: Any, game: AnyGame | None, found: Any) -> tuple[Status, bool]:
    """Return the status, and whether the score is proved, of a state that may have unknown redeals.

    A win without them is a win. Without such a win the state is unsolvable only if the game's bound, which holds for
    any redeal, is below a win.
    """
    status = Status(found.status)
    if status is Status.SOLVED or (game is not None and game.solves_phases):
        return status, found.score_proved
    is_open = not state.can_redeal if game is None else game.is_open(state)
    if is_open and not getattr(found, "met_redeal", False):
        return status, found.score_proved
    bound = None if game is None else game.hooks().bound
    is_lost = game is not None and bound is not None and not game.charges_moves and bound(state) < game.most_score
    return Status.UNKNOWN_REDEALS if status is Status.UNSOLVABLE and not is_lost else status, False


def _as_listed(line: Line, game: AnyGame | None) -> tuple[Any, ...]:
    """Return the moves of the line as `legal_moves` lists them.

    Where earlier moves were left out, a move that named its target may need no target now.
    """
    if game is None:
        return line.moves
    return tuple(game.parse_move(move.token, state) for state, move in zip(line.states, line.moves, strict=False))


def _time_left(until: float | None) -> float:
    """Return the seconds left for a shorter line until a time of `monotonic`; without one, what most people accept."""
    return _SHORTENING if until is None else max(0.0, until - monotonic())


def tidied(state: Any, game: AnyGame, moves: tuple[Any, ...], seconds: float = 0.0) -> tuple[Any, ...]:
    """Return the moves without those that the engine finds needless; all of them if it does not know the game.

    `seconds` limits the games that search for a shorter line, such as Spider.
    """
    native = engine.native()
    if not moves or native is None or not knows(native, game):
        return moves
    tokens = [move.token for move in moves]
    try:
        shorter = native.shorten(game.engine_id, write_rules(game.rules), game.wire(state), tokens, seconds=seconds)
    except ValueError:
        # The engine cannot play the line; the replay by the rules will say why.
        return moves
    return moves if shorter == tokens else tuple(map(game.parse_move, shorter))
