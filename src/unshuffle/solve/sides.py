"""The two sides that can search, native and Python, and the check of what either of them claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from unshuffle import engine
from unshuffle.errors import UsageError, quote
from unshuffle.game import AnyGame, Hooks
from unshuffle.registry import game_class
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


def game_of(state: Any) -> AnyGame | None:
    """The registered game of a state; None for a state of a class that was never registered."""
    try:
        return game_class(state.game_id).of(state)
    except (AttributeError, UsageError):
        return None


def question(state: Any, game: AnyGame | None) -> Any:
    """The state as it is searched: in a game of phases without its redeals.

    UsageError if a redeal counts whose order is not known: a search could only call it a dead end.
    """
    if hasattr(state, "sample"):
        raise UsageError(refusal_of(state))
    if game is not None:
        return game.phase(state)
    if state.can_redeal:
        raise UsageError("the order of the redeal is not known")
    return state


def can_ask(state: Any) -> bool:
    """Return whether a solver can be asked about the state: all that counts is known."""
    try:
        question(state, game_of(state))
    except UsageError:
        return False
    return True


def knows(native: Any, game: AnyGame) -> bool:
    """True if the native module plays this game under these rules."""
    return game.id in native.games() and native.supports(game.id, write_rules(game.rules))


def has_twin(game: AnyGame) -> bool:
    """True if the native engine serves and knows this game under these rules."""
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
    """One search on the best side that can do it, and the name of that side."""
    native = engine.native()
    if game is not None and native is not None and knows(native, game):
        if without:
            return search_without(native, state, game, limits, maximize, watch, without), "native"
        return search_natively(native, state, game, limits, maximize, watch, trace), "native"
    return search_in_python(state, game, limits, maximize, watch, trace, without), "python"


def check_techniques(game: AnyGame | None, without: Sequence[str]) -> None:
    """UsageError that names every technique that the search of this game does not have."""
    known = {} if game is None else game.techniques
    wrong = [name for name in without if name not in known]
    if wrong:
        what = "this game" if game is None else game.id
        has = f"it has {', '.join(known)}" if known else "it has none that can be switched off"
        raise UsageError(f"the search of {what} has no technique {', '.join(map(quote, wrong))}; {has}")


def search_without(
    native: Any,
    state: Any,
    game: AnyGame,
    limits: Limits,
    maximize: bool,
    watch: Watch | None,
    without: Sequence[str],
) -> Any:
    """One search in the engine with techniques switched off."""
    from unshuffle.solve.reference import Found  # seldom asked for

    found = native.phase_ends(
        game.id,
        write_rules(game.rules),
        game.wire(state),
        nodes=limits.nodes,
        seconds=limits.seconds,
        memory=limits.memory,
        without=list(without),
        maximize=maximize,
        ends=False,
        watch=None if watch is None else lambda *counts: watch(Progress(*counts)),
    )
    answers = (found[name] for name in ("status", "moves", "score", "score_proved", "stats", "interrupted"))
    return Found(*answers)


def search_natively(
    native: Any,
    state: Any,
    game: AnyGame,
    limits: Limits,
    maximize: bool,
    watch: Watch | None = None,
    trace: Write | None = None,
) -> Any:
    """One search in the engine."""
    return native.solve(
        game.id,
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
    """One generic search, with the game's hooks."""
    from unshuffle.solve import reference  # slow to import, and not needed where the engine serves

    trace = None
    if write is not None:
        from unshuffle.solve.tracing import Trace  # seldom asked for

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
    """Solve on one side, 'native' or 'python', whichever would serve: to set one beside the other."""
    game = game_of(state)
    asked = question(state, game)
    if side == "python":
        return check_found(state, game, search_in_python(asked, game, limits, maximize), side)
    from unshuffle import _engine  # whatever the environment says: this side was asked for

    assert game is not None
    return check_found(state, game, search_natively(_engine, asked, game, limits, maximize), side)


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
    """The result of a search whose line the Python rules have replayed and, if asked for, made shorter.

    `tidy` is the pass of the engine alone, which seldom takes more than milliseconds; `shorten` is that and more.
    InternalError if the rules disagree with the search.
    """
    status = Status(found.status)
    told = tuple(game.parse_move(move) if isinstance(move, str) and game is not None else move for move in found.moves)
    moves = told
    if game is not None and (tidy or shorten):
        moves = tidied(state, game, told, _time_left(until) if shorten else 0.0)
    line = check(state, moves, status, found.score, side, is_shorter=moves is not told)
    if shorten:
        line = shorten_line(line, until, uncharged=None if game is None else game.uncharged)
    moves = line.moves if line.moves == told else _as_listed(line, game)
    own = {} if game is None else {name: found.stats[common] for name, common in game.stat_names.items()}
    return Result(state, status, moves, line.score, found.score_proved, Stats({**found.stats, **own}), side)


def _as_listed(line: Line, game: AnyGame | None) -> tuple[Any, ...]:
    """Return the moves of the line as `legal_moves` lists them.

    Where moves were left out, cards lie elsewhere: a move that named its target may be one that needs no target now.
    """
    if game is None:
        return line.moves
    return tuple(game.parse_move(move.token, state) for state, move in zip(line.states, line.moves, strict=False))


def _time_left(until: float | None) -> float:
    """Seconds for a shorter line, up to a time of `monotonic` or, without one, as long as most people will wait."""
    return _SHORTENING if until is None else max(0.0, until - monotonic())


def tidied(state: Any, game: AnyGame, moves: tuple[Any, ...], seconds: float = 0.0) -> tuple[Any, ...]:
    """The line without what the engine finds needless, where it knows the game.

    A game whose shorter lines are a search of their own, as in Spider, has so many seconds for it.
    """
    native = engine.native()
    if not moves or native is None or not knows(native, game):
        return moves
    tokens = [move.token for move in moves]
    try:
        shorter = native.shorten(game.id, write_rules(game.rules), game.wire(state), tokens, seconds=seconds)
    except ValueError:
        # A line that the engine cannot play: it is for the rules to say what is wrong with it.
        return moves
    return moves if shorter == tokens else tuple(map(game.parse_move, shorter))
