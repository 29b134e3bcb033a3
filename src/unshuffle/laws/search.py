"""Laws of searches: pruning, forced moves and move ordering do not change the verdicts."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from unshuffle.errors import IllegalMoveError, ParseError
from unshuffle.game import AnyGame, Hooks, Outcome
from unshuffle.laws.case import BrokenError, Case, law
from unshuffle.solve import Limits, Status, has_twin, reference, replay, solve

OFFERED = tuple(each.name for each in fields(Hooks) if each.name != "kinds")
"""The hooks that a game may have."""


def generic(case: Case, state: Any, *, maximize: bool, hooks: Hooks[Any, Any] | None = None) -> reference.Found:
    """Return what the generic search finds, with these hooks or none."""
    game = case.game
    found = reference.search(
        state,
        Limits(nodes=case.nodes),
        maximize=maximize,
        most_score=game.most_score,
        charges_moves=game.charges_moves,
        uncharged=game.uncharged if game.charges_moves else None,
        hooks=hooks,
    )
    if found.interrupted:
        raise KeyboardInterrupt
    return found


def _truth(case: Case, state: Any) -> reference.Found | None:
    """Return what the search without hooks finds; None if it hits the limit or meets an unknown redeal."""
    found = generic(case, state, maximize=True)
    case.passed += not found.status.is_decided
    return found if found.status.is_decided and not found.met_redeal else None


def _told(found: Any) -> str:
    return f"{found.status.value}, score {found.score}{'' if found.score_proved else ' (not proved)'}"


def _compare(what: str, found: Any, truth: reference.Found) -> None:
    """Raise BrokenError unless the search found the true status and proved the true best score."""
    if (found.status, found.score, found.score_proved) != (truth.status, truth.score, True):
        raise BrokenError(f"{what} says {_told(found)}; a search of every position says {_told(truth)}")


def _has_hooks(game: AnyGame) -> bool:
    return any(getattr(game.hooks(), name) is not None for name in OFFERED)


@law(concerns=_has_hooks)
def hooks(case: Case) -> None:
    """With any of the game's hooks the generic search finds the same verdict and score as without them."""
    rng, own = case.rng, case.game.hooks()
    offered = [name for name in OFFERED if getattr(own, name) is not None]
    for state in case.late():
        used = rng.sample(offered, rng.randint(1, len(offered)))
        some: Hooks[Any, Any] = Hooks(**{name: getattr(own, name) for name in used})
        state = case.game.phase(state)
        truth = _truth(case, state)
        if truth is None:
            continue
        what = f"the search with {' and '.join(f'`{name}`' for name in used)}"
        _compare(what, generic(case, state, maximize=True, hooks=some), truth)
        decided = generic(case, state, maximize=False, hooks=some)
        if decided.status != truth.status:
            raise BrokenError(f"{what} decides {_told(decided)}; without it is {_told(truth)}")


@law(asks_engine=True)
def verdicts(case: Case) -> None:
    """`solve` gives late positions the verdict and the score that a search of every position finds."""
    for state in case.late():
        truth = _truth(case, case.game.phase(state))
        if truth is None:
            continue
        _compare("`solve`", solve(state, maximize=True), truth)
        decided = solve(state)
        if decided.status != truth.status or (decided.score_proved and decided.score != truth.score):
            raise BrokenError(f"`solve` decides {_told(decided)}; a search of every position says {_told(truth)}")


@law(asks_engine=True)
def lines(case: Case) -> None:
    """Every line of a search, shortened or not, replays by the rules to the claimed verdict and score."""
    most = 300 if has_twin(case.game) else 10
    nodes = min(case.nodes or most, most)
    case.state = state = case.game.deal(case.seed)
    for shorten in (False, True):
        result = solve(state, nodes=nodes, seconds=1, shorten=shorten)
        case.moves = list(result.moves)
        line = replay(result.state, result.moves)
        if line != result.line:
            raise BrokenError("the line that the result keeps is not the one that its moves play")
        if line.score != result.score or (line.outcome is Outcome.WON) != (result.status is Status.SOLVED):
            raise BrokenError(f"the line replays to a score of {line.score}, but `solve` says {_told(result)}")
        if result.stats.nodes > nodes:
            raise BrokenError(f"the search expanded {result.stats.nodes} positions, but the limit was {nodes}")


def _looser(game: AnyGame) -> list[AnyGame]:
    """Return the named variants of which these rules are a stricter form."""
    variants = (game.with_rules(slug) for slug in game.variants)
    return [loose for loose in variants if loose.rules != game.rules and game.is_stricter(loose)]


@law(concerns=lambda game: bool(_looser(game)))
def stricter_lines(case: Case) -> None:
    """Where `is_stricter` is true, every line can be played in the looser game, and scores no less there."""
    play_in(case, case.rng.choice(_looser(case.game)))


def play_in(case: Case, loose: AnyGame) -> None:
    """Play a random line of the stricter game in the looser one. Raise BrokenError if it cannot or scores less."""
    game = case.game
    line, score, is_won = "", 0, False
    for last in case.line(60):
        # With `solves_phases` a verdict is about one phase, which ends at a redeal.
        if game.solves_phases and case.moves and game.is_redeal(case.moves[-1]):
            break
        line, score, is_won = " ".join(move.token for move in case.moves), last.score, last.outcome is Outcome.WON
    state = loose.deal(case.seed)
    try:
        for move in loose.adopt(line, state, game):
            state = state.play(move)
    except (IllegalMoveError, ParseError) as error:
        raise BrokenError(f"the line {line} cannot be played in {loose}: {error}") from None
    if state.score < score or (is_won and state.outcome is not Outcome.WON):
        raise BrokenError(f"the line {line} scores {score} here, but {state.score} in {loose}")
