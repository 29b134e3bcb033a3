"""Laws that keep the twins equal: the engine gives the moves, outcomes and scores of the Python rules."""

from __future__ import annotations

from typing import Any

from unshuffle import engine
from unshuffle.game import AnyGame
from unshuffle.laws.case import BrokenError, Case, law
from unshuffle.rulebook import write_rules
from unshuffle.solve import has_twin

_DEEPEST = 3
_MOST_LINES = 3_000


def asked(game: AnyGame, state: Any) -> tuple[str, dict[str, str], str]:
    """Return the first arguments of the engine's functions: the game's id, its rules and the state, as text."""
    return game.engine_id, write_rules(game.rules), game.wire(state)


@law(asks_engine=True, concerns=has_twin)
def engine_deals(case: Case) -> None:
    """For every seed the engine deals the cards that the Python side deals."""
    game, native = case.game, engine.native()
    assert native is not None
    for number in (1, 2, 3):
        case.state = game.deal(case.seed, number=number)
        if native.deal(game.engine_id, write_rules(game.rules), case.seed, number) != game.wire(case.state):
            raise BrokenError(f"the engine deals other cards as deck {number}")


@law(asks_engine=True, concerns=has_twin)
def engine_moves(case: Case) -> None:
    """For every position the engine lists the same moves in the same order, and gives the same outcome and score."""
    game = case.game
    for state in case.line(60):
        start = game.deal(case.seed)
        _compare(case, start, state)
    for state in case.late():
        _compare(case, state, state)


def _compare(case: Case, start: Any, state: Any) -> None:
    game, native = case.game, engine.native()
    assert native is not None
    legal = [move.token for move in state.legal_moves()]
    told = native.legal_moves(*asked(game, state))
    if told != legal:
        raise BrokenError(f"the engine lists {' '.join(told)}; the rules list {' '.join(legal)}")
    outcome = None if state.outcome is None else state.outcome.value
    end = native.play(*asked(game, start), [move.token for move in case.moves])
    if end != (game.wire(state), outcome, state.score):
        raise BrokenError(f"the engine plays to {end}; the rules say {outcome}, score {state.score}")


@law(asks_engine=True, concerns=has_twin)
def engine_counts(case: Case) -> None:
    """For each number of moves the engine counts as many lines as the rules allow (perft)."""
    game, native = case.game, engine.native()
    assert native is not None
    case.state = state = game.phase(game.deal(case.seed))
    ends = [state]
    for depth in range(1, _DEEPEST + 1):
        count, told = sum(len(end.legal_moves()) for end in ends), native.perft(*asked(game, state), depth)
        if told != count:
            raise BrokenError(f"the engine counts {told:,} lines of {depth} moves; the rules allow {count:,}")
        if count > _MOST_LINES:
            return
        ends = [end.play(move) for end in ends for move in end.legal_moves()]
