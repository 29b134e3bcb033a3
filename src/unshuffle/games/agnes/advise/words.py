"""A plan for Agnes Sorel in words: the options with their chances, what is recommended, and why."""

from __future__ import annotations

from collections.abc import Iterator

from unshuffle.advise.words import join
from unshuffle.game import INFORMATION
from unshuffle.games.agnes.describe import describe
from unshuffle.games.agnes.hidden.strategy import is_safe
from unshuffle.games.agnes.moves import Deal, Move, ToFoundation
from unshuffle.games.agnes.rules import Rules
from unshuffle.games.agnes.view import View
from unshuffle.hidden.playouts import Plan, against, options_table
from unshuffle.numbers import plural
from unshuffle.solve import Status

_EMPTY = {
    "none": "only dealt cards go to an empty pile",
    "any-1": "any single card may go to an empty pile",
    "high-1": "a single high card may go to an empty pile",
    "any-run": "any run may go to an empty pile",
    "high-run": "a run that begins with a high card may go to an empty pile",
}


def rules_in_words(rules: Rules) -> str:
    """What decides the play."""
    return ", ".join(
        (
            "all piles face up" if rules.face_up else "only the top cards face up",
            f"runs move in {'suit' if rules.move_same_suit else 'colour'}",
            _EMPTY[rules.move_to_empty_pile],
            "runs may be split" if rules.split_runs else "runs may not be split",
        )
    )


def claim(view: View, plan: Plan) -> Iterator[str]:
    """How the game stands, the options, and the one that is recommended."""
    yield _standing(view)
    if not plan.options:
        is_won = view.score == len(view.rules.pack)
        yield "The game is won: all cards are up." if is_won else "No move is left: the game is lost."
        return
    yield ""
    yield from options_table(plan.options, lambda move: describe(view, move).text)
    yield ""
    yield from _method(plan)
    yield from _verdict(view, plan)


def _standing(view: View) -> str:
    down, unseen = sum(view.down), len(view.unseen)
    parts = [f"{plural(view.score, 'card')} up", f"{down} face down"] if down else [f"{plural(view.score, 'card')} up"]
    parts.append(f"{view.stock or 'none'} in the stock")
    return f"{', '.join(parts)}: {unseen or 'no'} card{'s' * (unseen != 1)} unseen."


def _method(plan: Plan) -> Iterator[str]:
    if plan.status is not None:
        yield "All cards are known, so a search has the last word."
        return
    games = plural(plan.options[0].samples, "game")
    yield f"{games} for each move, with the same unseen cards, drawn by chance, for all;"
    yield f"played on by a simple order of moves, `greedy` ({INFORMATION['hidden']})."


def _verdict(view: View, plan: Plan) -> Iterator[str]:
    first, *others = plan.options
    if plan.status is Status.SOLVED:
        yield f"Winnable now: {plural(len(plan.moves), 'move')}."
        return
    if plan.status is Status.UNSOLVABLE:
        yield "This game cannot be won any more (proved); what is shown puts up as many cards as were found."
        return
    if plan.status is not None:
        yield "The search was cut short, which is not a no."
    beside = against(first, others[0], "cards up") if others else ", the only move"
    yield f"Recommended: {plan.moves[0].token}{'' if is_safe(view, plan.moves[0]) else beside}."
    reasons = list(_reasons(view, plan.moves[0]))
    if reasons and others:
        yield f"Why: {join(reasons)}."


def _reasons(view: View, move: Move) -> Iterator[str]:
    if isinstance(move, Deal):
        yield "new cards promise more than the moves that are left"
        return
    if isinstance(move, ToFoundation):
        yield "a card goes up"
        if is_safe(view, move):
            yield "nothing can be lost by it"
    else:
        yield from _reasons_for_unit(view, move.source, move.count, move.target)
    if view.turned_by(move):
        yield "a card is turned up"


def _reasons_for_unit(view: View, source: int, count: int, target: int) -> Iterator[str]:
    pile, onto = view.piles[source - 1], view.piles[target - 1]
    head = pile[-count]
    assert head is not None  # units lie face up
    if onto and onto[-1] is not None and onto[-1].suit is head.suit:
        yield f"{head.glyph} comes onto its own suit"
    if not onto and head.rank == view.rules.high_rank(view.base):
        yield f"{head.glyph} is a high card, which goes on no other, and covers nothing there"
    if len(pile) == count:
        yield f"pile {source} becomes empty"
        return
    under = pile[-count - 1]
    if under is not None and view.rules.heights(view.base)[under] == view.foundations[under.suit]:
        yield f"{under.glyph} can go up then"
