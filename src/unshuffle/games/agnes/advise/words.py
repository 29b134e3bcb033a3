"""A plan for Agnes Sorel in words: the options with their chances, what is recommended, and why."""

from __future__ import annotations

from collections.abc import Iterator

from unshuffle.game import INFORMATION
from unshuffle.games.agnes.hidden.strategy import is_safe
from unshuffle.games.agnes.moves import Deal, Move, ToFoundation
from unshuffle.games.agnes.rules import Rules
from unshuffle.games.agnes.view import View
from unshuffle.hidden.playouts import Plan
from unshuffle.numbers import plural

_EMPTY = {
    "none": "only dealt cards go to an empty pile",
    "any-1": "any single card may go to an empty pile",
    "high-1": "a single high card may go to an empty pile",
    "any-run": "any run may go to an empty pile",
    "high-run": "a run that begins with a high card may go to an empty pile",
}


def rules_in_words(rules: Rules) -> str:
    """Return in words the rules that decide the play."""
    return ", ".join(
        (
            "all piles face up" if rules.face_up else "only the top cards face up",
            f"runs move in {'suit' if rules.move_same_suit else 'colour'}",
            _EMPTY[rules.move_to_empty_pile],
            "runs may be split" if rules.split_runs else "runs may not be split",
        )
    )


WON = "The game is won: all cards are up."


def standing(view: View) -> str:
    """Return a sentence on how the game stands."""
    down, unseen = sum(view.down), len(view.unseen)
    parts = [f"{plural(view.score, 'card')} up", f"{down} face down"] if down else [f"{plural(view.score, 'card')} up"]
    parts.append(f"{view.stock or 'none'} in the stock")
    return f"{', '.join(parts)}: {unseen or 'no'} card{'s' * (unseen != 1)} unseen."


def method(plan: Plan) -> Iterator[str]:
    """Yield lines on how the options were valued."""
    games = plural(plan.options[0].samples, "game")
    yield f"{games} for each move, with the same unseen cards, drawn by chance, for all;"
    yield f"played on by a simple order of moves, `greedy` ({INFORMATION['hidden']})."


def lost(plan: Plan) -> str:
    """Return a clause on the line that is shown of a lost game."""
    return "what is shown puts up as many cards as were found"


def reasons(view: View, move: Move) -> Iterator[str]:
    """Yield the reasons for the recommended move."""
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
