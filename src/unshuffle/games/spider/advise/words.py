"""Advice for Spider in words: the plans with their chances, which one is recommended, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unshuffle.advise.words import join
from unshuffle.game import INFORMATION, Outcome
from unshuffle.games.spider import Move, Row, View
from unshuffle.games.spider.hidden.planner import Candidate
from unshuffle.games.spider.hidden.values import values_of
from unshuffle.games.spider.rules import Rules
from unshuffle.hidden.chance import percent
from unshuffle.hidden.playouts import Option, Plan, lead
from unshuffle.numbers import plural
from unshuffle.solve import Status

_LEAST_POINTS = 0.05
"""Percentage points; smaller differences are not shown."""
_MOST_TOKENS = 8
"""Longer plans are cut in the table of plans; the best one is listed move by move."""


def rules_in_words(rules: Rules) -> str:
    """Return the rules in words."""
    rows = "a row may be dealt on empty piles" if rules.deal_on_empty else "no row is dealt while a pile is empty"
    return f"{plural(rules.suits, 'suit')}, {rules.piles} piles, {rows}"


def claim(view: View, plan: Plan) -> Iterator[str]:
    """Yield the state of the game, the plans, and the one that is recommended."""
    yield _standing(view)
    if view.outcome is not None:
        is_won = view.outcome is Outcome.WON
        yield "The game is won: all runs have left." if is_won else "No move is left: the game is lost."
        return
    if plan.status is not None:
        yield from _searched(plan)
        return
    if not plan.options:
        yield "No way was found to turn a card up or to deal a row. That is no proof, but little hope."
        return
    plans = [option for option in plan.options if isinstance(option, Candidate)]
    yield ""
    yield from _table(view, plans)
    yield ""
    yield from _method(view, plans, plan.seconds)
    yield from _verdict(view, plans)


def _standing(view: View) -> str:
    unseen, down = len(view.unseen), sum(view.down)
    rows = plural(view.rows_left, "row")
    runs = plural(len(view.completed), "run")
    return f"{runs} completed, {down or 'no'} face down, {rows} in the bank: {plural(unseen, 'card')} unseen."


def _searched(plan: Plan) -> Iterator[str]:
    """Yield the result of the search where all cards are known."""
    yield f"All cards are known, so a search has the last word ({plan.seconds:.1f} s)."
    if plan.status is Status.SOLVED:
        yield f"Winnable now: {plural(len(plan.moves), 'move')}."
    elif plan.status is Status.UNSOLVABLE:
        yield "This game cannot be won any more (proved); what is shown scores the most that was found."
    else:
        yield "The search was cut short, which is not a no; what is shown scores the most that was found."


# The plans.


def _table(view: View, plans: Sequence[Candidate]) -> Iterator[str]:
    rows = [("plan", "win chance", "95 %", "games", "")]
    for number, plan in enumerate(plans, 1):
        is_sampled = plan.chance is not None
        interval = f"[{100 * (plan.low or 0):.1f}, {100 * (plan.high or 0):.1f}]" if is_sampled else ""
        chance = "not known" if plan.chance is None else percent(plan.chance)
        # Other effects are named for the best plan only.
        shown = [part for part in effects(view, plan.moves) if part.startswith(("completes", "turns", "deals"))]
        text = f"{tokens_of(plan.moves)}: {join(shown)}"
        rows.append((str(number), chance, interval, str(plan.samples), text))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for number_, chance, interval, games, text in rows:
        cells = number_.rjust(widths[0]), chance.rjust(widths[1]), interval.ljust(widths[2]), games.rjust(widths[3])
        yield "  ".join((*cells, text)).rstrip()


def tokens_of(moves: Sequence[Move]) -> str:
    """Return the tokens of a plan; of a long one only the first ones and the last."""
    tokens = [move.token for move in moves]
    if len(tokens) <= _MOST_TOKENS:
        return " ".join(tokens)
    return f"{' '.join(tokens[: _MOST_TOKENS - 2])} .. {tokens[-1]} ({len(tokens)} moves)"


def effects(view: View, moves: Sequence[Move]) -> list[str]:
    """Return what a plan does, such as 'turns a card in pile 3', 'empties pile 5', and 'deals a row' at the end."""
    deals = isinstance(moves[-1], Row)
    start = state = view.laid(view.unseen)
    # The cards of a row are unknown, so the table before it counts.
    for move in moves[: len(moves) - deals]:
        state = state.play(move)
    parts = [f"completes {suit.word}" for suit in state.completed[len(start.completed) :]]
    piles = list(zip(start.piles, state.piles, start.down, state.down, strict=True))
    turned = [str(number) for number, (_, _, then, now) in enumerate(piles, 1) if now < then]
    if turned:
        last = " (its last one)" if len(turned) == 1 and not state.down[int(turned[0]) - 1] else ""
        parts.append(f"turns {_in_piles('a card', 'cards', turned)}{last}")
    emptied = [str(number) for number, (then, now, _, _) in enumerate(piles, 1) if then and not now]
    filled = [str(number) for number, (then, now, _, _) in enumerate(piles, 1) if now and not then]
    parts += [f"empties {_piles(emptied)}"] if emptied else []
    parts += [f"fills {_piles(filled)}"] if filled else []
    joins = state.joins - start.joins
    # The joins of a completed run are no longer on the table.
    if joins and state.completed == start.completed:
        parts.append(f"{'makes' if joins > 0 else 'breaks'} {plural(abs(joins), 'join')} in suit")
    return [*parts, "deals a row"] if deals else parts


def _in_piles(one: str, many: str, numbers: list[str]) -> str:
    return f"{one if len(numbers) == 1 else many} in {_piles(numbers)}"


def _piles(numbers: list[str]) -> str:
    return f"pile{'s' * (len(numbers) > 1)} {join(numbers)}"


def _method(view: View, plans: Sequence[Candidate], seconds: float) -> Iterator[str]:
    games = plural(sum(plan.samples for plan in plans), "game")
    deals = plural(max(plan.samples for plan in plans), "time")
    yield f"{games} in {seconds:.1f} s: {deals} the unseen cards are drawn by chance, the same for all plans (worse"
    yield f"ones are dropped on the way), and the plain player `plan` plays on ({INFORMATION['hidden']}),"
    end = (
        "up to the row after next, where fitted values tell the chance"
        if _has_values(view)
        else "to the end of the game"
    )
    yield f"{end}."


def _has_values(view: View) -> bool:
    """Return whether playouts stop at a row."""
    return view.rows_left > 1 and values_of(view.rules) is not None


def _verdict(view: View, plans: Sequence[Candidate]) -> Iterator[str]:
    first, *others = plans
    yield f"Recommended: plan 1{_beside(first, others)}."
    yield f"Why: {join(list(_reasons(view, first, others)))}."


def _beside(first: Option, others: Sequence[Option]) -> str:
    """Return how far the best plan is ahead of the next, in words."""
    if not others:
        return ", the only one that was found"
    ours, theirs = first.with_error, others[0].with_error
    if ours is None or theirs is None:
        return ""
    points, noise = lead(ours, theirs)
    if abs(points) < _LEAST_POINTS:
        return ", as often won as plan 2"
    if points > 0:
        return f", {points:.1f} points before plan 2{noise}"
    # Plans are ranked by their chance less a part of their cost (`_PRIOR` in hidden/sampling.py).
    return f", which leaves a tidier table than plan 2, won {-points:.1f} points more often{noise}"


def _reasons(view: View, first: Candidate, others: Sequence[Candidate]) -> Iterator[str]:
    if not isinstance(first.moves[-1], Row):
        yield f"it {join(effects(view, first.moves))}"
        return
    before = effects(view, first.moves)[:-1]
    if before:
        yield f"it {join(before)}"
    is_alone = all(isinstance(plan.moves[-1], Row) for plan in others)
    yield (
        "no card can be turned up before a row"
        if is_alone
        else "a row promises more than any card that can be turned up"
    )
