"""A plan for La Belle Lucie in words: its value, the alternatives and the reasons."""

from __future__ import annotations

import math
from collections.abc import Iterator

from unshuffle.advise.words import join
from unshuffle.cards import Card, Suit, format_cards
from unshuffle.game import INFORMATION
from unshuffle.games.belle_lucie import Rules, State
from unshuffle.games.belle_lucie.hidden.planner import Alternative, Plan
from unshuffle.hidden.chance import Chance, percent
from unshuffle.numbers import plural

Heights = tuple[int, ...]

_NAMED = 3
"""At most this many cards are named in full; more are listed as tokens."""
RULE_FOR_PEOPLE = (
    "Rule for people: points = cards up, + 4 if one card is over when the rest is dealt in threes, + 3 if two are over,"
    " + 6 for each suit that is not finished; a win beats all. Redeal where the points are highest.",
    "It wins 22.8 % of `classic` (these plans 23.1, most cards 19.2), 48.6 % of `merci` (49.0, 43.8) and 49.7 % with"
    " merci=front (50.0, 44.9): nine tenths of what the plans gain over most cards (200,000 games each).",
)


def chance_of(part: Alternative) -> Chance | None:
    """Return the chance to win by this play; None if no table was made for these rules."""
    return None if part.chance is None or part.se is None else Chance(part.chance, part.se)


def tops(heights: Heights) -> str:
    """Return the foundations by their top cards: '5C AH'."""
    return format_cards(Card(rank, suit) for suit, rank in zip(Suit, heights, strict=True) if rank) or "no card"


def _where(heights: Heights) -> str:
    up = sum(heights)
    return f"{tops(heights)} ({up} up, {52 - up} left)"


def standing(state: State) -> str:
    """Return a sentence on which deal this is, and what is left."""
    rules = state.rules
    parts = [f"{plural(state.redeals_left, 'redeal')} left"] if rules.redeals else []
    if rules.merci != "none":
        parts.append(f"{plural(state.mercis, 'merci')} left")
    fans = sum(map(bool, state.fans))
    parts.append(f"{plural(state.score, 'card')} up, {52 - state.score} in {plural(fans, 'fan')}")
    return f"Deal {state.deal} of {rules.redeals + 1}: {', '.join(parts)}."


def claim(state: State, plan: Plan) -> Iterator[str]:
    """Yield the claim of the plan: its value, its alternatives and the reason."""
    if not any(state.fans):
        yield "The game is won: all cards are up."
        return
    yield standing(state)
    if plan.wins:
        yield f"Winnable now: {plural(len(plan.moves), 'move')}."
        return
    is_open = "No win was found before the search was cut short"
    if not plan.redeals:
        yield f"{'This deal cannot be won (proved)' if plan.complete else is_open}, and no redeal is left."
        yield f"The plan puts up the most cards{'' if plan.complete else ' found'}: {_where(plan.heights)}."
        return
    yield f"{'Cannot be won in this deal (proved)' if plan.complete else is_open}; a redeal is needed."
    chance = chance_of(plan)
    if chance is None:
        yield "No table was made for these rules: the plan goes by those of the nearest rules, and no chance is shown."
    else:
        error = "± one standard error" if chance.se else "exact"
        figure = percent(chance.p, chance.se)
        yield f"Chance to win with this plan: {figure} ({error}; {INFORMATION['hidden']})."
    yield f"It aims at {_where(plan.heights)}, then a redeal."
    yield from _rivals(plan)
    yield from _reason(state.rules, plan)


def _rivals(plan: Plan) -> Iterator[str]:
    most, other = plan.most_cards, plan.next_best
    if most is not None:
        if most.heights == plan.heights:
            yield "No play of this deal puts up more cards."
        else:
            yield f"Most cards: {_where(most.heights)}{_worth(most)}."
    if other is not None and (most is None or other.heights != most.heights):
        yield f"Next best: {_where(other.heights)}{_worth(other)}{_margin(plan, other)}."
    elif other is not None:
        yield f"That is also the next best{_margin(plan, other)}."


def _worth(part: Alternative) -> str:
    chance = chance_of(part)
    return "" if chance is None else f": {chance}"


def _margin(plan: Plan, other: Alternative) -> str:
    ours, theirs = chance_of(plan), chance_of(other)
    if ours is None or theirs is None:
        return ""
    points = round(100 * (ours.p - theirs.p), 1)
    if not points:
        return ", as good by the tables"
    noise = 200 * math.hypot(ours.se or 0, theirs.se or 0)
    within = ", which is within the noise of the tables" if points <= noise and noise else ""
    return f", {points:.1f} points less{within}"


def _reason(rules: Rules, plan: Plan) -> Iterator[str]:
    """Yield why not the most cards: which cards stay down, what that does to the chance, and the causes."""
    most = plan.most_cards
    if most is None or most.heights == plan.heights:
        return
    ours, theirs = chance_of(plan), chance_of(most)
    if ours is not None and theirs is not None and ours.p <= theirs.p:
        return  # as good: there is nothing to explain
    down = _between(plan.heights, most.heights)
    instead = _between(most.heights, plan.heights)
    words = [f"keep {_name(down)} down"] * bool(down) + [f"put {_name(instead)} up"] * bool(instead)
    figures = f": {_short(ours.p, theirs.p)} against {_short(theirs.p, ours.p)}" if ours and theirs else ""
    yield f"Why: {'; '.join([' and '.join(words) + figures, *_causes(rules, plan.heights, most.heights)])}."


def _between(low: Heights, high: Heights) -> list[Card]:
    """Return the cards that are up at `high` and not at `low`."""
    return [Card(rank, suit) for suit in Suit for rank in range(low[suit] + 1, high[suit] + 1)]


def _name(cards: list[Card]) -> str:
    return join([f"the {card.name}" for card in cards]) if len(cards) <= _NAMED else format_cards(cards)


def _short(p: float, other: float) -> str:
    """Return whole percents where they tell the two apart, else decimals."""
    return f"{100 * p:.0f} %" if abs(p - other) >= 0.02 else percent(p)


def _causes(rules: Rules, ours: Heights, theirs: Heights) -> Iterator[str]:
    left, rest = 52 - sum(ours), 52 - sum(theirs)
    if left % rules.fan_size and not rest % rules.fan_size:
        yield f"{left} cards make a small fan at the end, {rest} would not"
    alive, others = (sum(height < 13 for height in heights) for heights in (ours, theirs))
    if alive > others:
        yield f"{alive} suits stay open instead of {others}"


def background(state: State, plan: Plan) -> Iterator[str]:
    """Yield the rule of thumb, with its points for the plan and for the most cards."""
    rules = state.rules
    if not rules.redeals or rules.fan_size != 3:
        return
    yield from RULE_FOR_PEOPLE
    if plan.redeals and plan.most_cards is not None and plan.most_cards.heights != plan.heights:
        yield f"Its points here: this plan {points(plan.heights)}, most cards {points(plan.most_cards.heights)}."


def points(heights: Heights) -> int:
    """Return the points of the rule of thumb for these heights."""
    return sum(heights) + (0, 4, 3)[(52 - sum(heights)) % 3] + 6 * sum(height < 13 for height in heights)


def rules_in_words(rules: Rules) -> str:
    """Return in words what decides the plan: how many deals, and the merci."""
    deals = f"{rules.redeals + 1} deals ({plural(rules.redeals, 'redeal')})" if rules.redeals else "one deal, no redeal"
    if rules.merci == "none":
        return f"{deals}, no merci"
    when = "in any deal" if rules.merci_deals == "any" or not rules.redeals else "in the last deal"
    return f"{deals}, {plural(rules.merci_count, 'merci')} ({rules.merci}) {when}"
