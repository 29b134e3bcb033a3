"""A plan for Aces Up in words: the options with their chances, what is recommended, and why."""

from __future__ import annotations

from collections.abc import Iterator

from unshuffle.advise.words import join
from unshuffle.game import INFORMATION
from unshuffle.games.aces_up.describe import describe
from unshuffle.games.aces_up.hidden.estimate import BASE, BONUS
from unshuffle.games.aces_up.moves import Deal, Discard, Move, ToReserve, ToSpace
from unshuffle.games.aces_up.rules import ACE, MOST_SCORE, Rules, beats, strength
from unshuffle.games.aces_up.view import View
from unshuffle.hidden.playouts import Plan, against, options_table
from unshuffle.numbers import plural
from unshuffle.solve import Status

_FILL = {
    "optional": "a space may be filled with any top card",
    "must": "a space is filled before the next deal",
    "aces-only": "only an ace goes to a space",
}
_DESTINATION = {"first": "a card goes to the first space", "last": "a card goes to the last space", "any": ""}


def rules_in_words(rules: Rules) -> str:
    """What decides the play."""
    return ", ".join(
        filter(
            None,
            (
                f"{rules.piles} piles",
                "only spaces are dealt to while there are some" if rules.deal == "spaces" else "",
                _FILL[rules.fill],
                _DESTINATION[rules.destination],
                "single cards may move too" if rules.singletons else "",
                "discards are made at once" if rules.discards == "forced" else "discards may wait",
                "a cell holds one card aside" if rules.reserve else "",
            ),
        )
    )


def claim(view: View, plan: Plan) -> Iterator[str]:
    """How the game stands, the options, and the one that is recommended."""
    yield f"{plural(view.score, 'card')} discarded, {view.stock or 'none'} in the stock."
    if not plan.options:
        is_won = view.score == MOST_SCORE
        yield "The game is won: only the aces are left." if is_won else "No move is left: the game is lost."
        return
    yield ""
    yield from options_table(plan.options, lambda move: describe(view, move).text)
    yield ""
    yield from _method(plan)
    yield from _verdict(view, plan)


def _method(plan: Plan) -> Iterator[str]:
    if plan.status is not None:
        yield "All cards are known, so a search has the last word."
        return
    games = plural(plan.options[0].samples, "game")
    yield f"{games} for each option, with the same orders of the stock, drawn by chance, for all; played on by"
    yield f"the rule list {BASE.text} ({INFORMATION['hidden']}). A win counts as {BONUS} cards more."


def _verdict(view: View, plan: Plan) -> Iterator[str]:
    if plan.status is Status.SOLVED:
        yield f"Winnable now: {plural(len(plan.moves), 'move')}."
        return
    if plan.status is Status.UNSOLVABLE:
        most = f"at most {plan.options[0].mean_score:.0f} cards can go"
        yield f"This game cannot be won any more (proved); {most}."
        return
    if plan.status is not None:
        yield "The search was cut short, which is not a no."
    first, *others = plan.options
    beside = against(first, others[0], "cards discarded") if others else ", the only move"
    yield f"Recommended: {first.move.token}{beside}."
    reasons = list(_reasons(view, first.move))
    if reasons and others:
        yield f"Why: {join(reasons)}."


def _reasons(view: View, move: Move) -> Iterator[str]:
    if isinstance(move, Deal):
        is_kept = any(not pile for pile in view.piles)
        yield "the space is worth more empty" if is_kept else "new cards promise more than the moves that are left"
        return
    if isinstance(move, Discard):
        yield "a card goes"
        return
    after = view.play(move)
    gone = after.score - view.score
    if gone:
        yield f"{plural(gone, 'card')} {'goes' if gone == 1 else 'go'} with it"
    if isinstance(move, ToSpace | ToReserve):
        yield from _reasons_for_pile(view, move.source if isinstance(move, ToSpace) else move.pile)
    if len(after.spaces) > len(view.spaces):
        yield "a space is won"
    elif gone and len(after.spaces) == len(view.spaces) and isinstance(move, ToSpace):
        yield "the space comes back"


def _reasons_for_pile(view: View, number: int) -> Iterator[str]:
    """What the top card of a pile gives free."""
    pile = view.piles[number - 1]
    card = pile[-1]
    if strength(card) == ACE:
        yield f"{card} comes to the bottom of a pile, where it can stay"
    under = pile[-2:-1]
    if under and under[0].suit is card.suit and not beats(under[0], card):
        yield f"{under[0]} is no longer under a card of its suit"
