"""A plan for Aces Up in words: the options with their chances, what is recommended, and why."""

from __future__ import annotations

from collections.abc import Iterator

from unshuffle.game import INFORMATION
from unshuffle.games.aces_up.hidden.estimate import BASE, BONUS
from unshuffle.games.aces_up.moves import Deal, Discard, Move, ToReserve, ToSpace
from unshuffle.games.aces_up.rules import ACE, Rules, beats, strength
from unshuffle.games.aces_up.view import View
from unshuffle.hidden.playouts import Plan
from unshuffle.numbers import plural

_FILL = {
    "optional": "a space may be filled with any top card",
    "must": "a space is filled before the next deal",
    "aces-only": "only an ace goes to a space",
}
_DESTINATION = {"first": "a card goes to the first space", "last": "a card goes to the last space", "any": ""}


def rules_in_words(rules: Rules) -> str:
    """Return in words the rules that decide the play."""
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


WON = "The game is won: only the aces are left."


def standing(view: View) -> str:
    """Return a sentence on how the game stands."""
    return f"{plural(view.score, 'card')} discarded, {view.stock or 'none'} in the stock."


def method(plan: Plan) -> Iterator[str]:
    """Yield lines on how the options were valued."""
    games = plural(plan.options[0].samples, "game")
    yield f"{games} for each option, with the same orders of the stock, drawn by chance, for all; played on by"
    yield f"the rule list {BASE.text} ({INFORMATION['hidden']}). A win counts as {BONUS} cards more."


def lost(plan: Plan) -> str:
    """Return a clause on the best score of a game that cannot be won."""
    return f"at most {plan.options[0].mean_score:.0f} cards can go"


def is_safe(view: View, move: Move) -> bool:
    """Return False: no move is proved safe."""
    return False


def reasons(view: View, move: Move) -> Iterator[str]:
    """Yield the reasons for the recommended move."""
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
    """Yield what is gained by moving the top card of a pile."""
    pile = view.piles[number - 1]
    card = pile[-1]
    if strength(card) == ACE:
        yield f"{card} comes to the bottom of a pile, where it can stay"
    under = pile[-2:-1]
    if under and under[0].suit is card.suit and not beats(under[0], card):
        yield f"{under[0]} is no longer under a card of its suit"
