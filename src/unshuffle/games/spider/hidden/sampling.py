"""Spider: plans weighed on supposed deals, each played on by the plain player.

The plain player sees no more of a supposed deal than it would of a real one, so no plan wins by knowing what nobody
can know. The playouts are short: up to the row after next, where a fitted value tells the chance of winning. Plans
differ by less than the noise of some dozens of playouts, so their costs keep a say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from unshuffle.deals import SplitMix64, shuffled
from unshuffle.games.spider.beam import finish
from unshuffle.games.spider.hidden.strategy import FINISH, PLAIN, Plain
from unshuffle.games.spider.hidden.values import Values, chance, features
from unshuffle.games.spider.moves import Move, Row
from unshuffle.games.spider.planning import CAREFUL, FREE, End, Planner, Reach
from unshuffle.games.spider.pricing import UNKNOWN, Pile, Table, number_of, row_of, seen_table
from unshuffle.games.spider.rules import Rules
from unshuffle.games.spider.view import View
from unshuffle.games.spider.weights import SEEN

SAMPLES = 40
"""Supposed deals for a decision."""
_REACH = Reach(width=80, depth=60, stall=10)
_PLANS = 6
"""How many plans are weighed, besides the best that ends in a row,"""
_ALIKE = 2
"""at most so many with one source of their last move,"""
_SPLITS = 2
"""and how many more that split runs."""
_PRIOR = 0.5
"""What a thousand points of cost take from the chance of winning."""
_LOST = 0.2
"""What a lost playout counts that has turned all cards, and less the fewer it has: who weighs plans wins many a game
that the plain player loses. For the same reason the values are those of the player who weighs."""
_PLAYOUT = PLAIN._replace(width=12)
_PLAYOUT_FINISH = (32,)
_ROW = 0
"""Stands for the source of a row."""


@dataclass(slots=True)
class Weighed:
    """A plan, and what its playouts came to."""

    moves: tuple[Move, ...]
    cost: int
    total: float = 0.0
    """The chances of winning that its playouts came to, added up."""
    samples: int = 0
    chance: float = 0.0
    """Their mean."""


@dataclass(slots=True)
class Decision:
    """The plans that were weighed, the best first; none: no card can be turned and no row dealt."""

    plans: list[Weighed] = field(default_factory=list)
    is_won: bool = False
    """The first of them wins the game."""
    samples: int = 0
    playouts: int = 0
    is_stopped: bool = False
    """It was too late to weigh them on all samples."""


class Deal(NamedTuple):
    """What is not seen, as it could be: the bank, and the face-down cards of each pile from the bottom up."""

    bank: tuple[int, ...]
    down: tuple[tuple[int, ...], ...]

    def after(self, table: Table, line: Sequence[Move], rules: Rules) -> Table:
        """What is seen once the moves of a plan are made."""
        for move in line:
            if isinstance(move, Row):
                table = table.dealt(row_of(self.bank, table.rows, rules.piles), rules.ranks)
            else:
                table = table.moved(move, rules.ranks)
        piles = zip(table.piles, self.down, strict=True)
        return table._replace(piles=tuple(_revealed(pile, down) for pile, down in piles))


def _revealed(pile: Pile, down: tuple[int, ...]) -> Pile:
    """The pile with its first open card known."""
    cards, first = pile
    if not cards or cards[first] != UNKNOWN:
        return pile
    return Pile((*cards[:first], down[first], *cards[first + 1 :]), first)


def suppose(table: Table, unseen: Sequence[int], luck: SplitMix64) -> Deal:
    """A deal that could be this one, each as likely as every other."""
    cards = shuffled(unseen, luck)
    size = table.rows * len(table.piles)
    rest = iter(cards[size:])
    return Deal(tuple(cards[:size]), tuple(tuple(next(rest) for _ in range(pile.down)) for pile in table.piles))


def decide(
    view: View,
    luck: SplitMix64,
    samples: int = SAMPLES,
    values: Values | None = None,
    is_late: Callable[[], bool] = lambda: False,
    lone: bool = False,
) -> Decision:
    """Weigh what can be done. Of a table that is wholly known: the way to the win.

    Without values playouts go on to the end of the game. `is_late` is asked before each sample. `lone`: a plan without
    a rival is weighed too, which tells its chance but changes no choice.
    """
    table = seen_table(view)
    if table.is_open:
        line = finish(table, view.rules, FINISH)
        return Decision() if line is None else Decision([Weighed(line, 0, chance=1.0)], is_won=True)
    plans, is_won = _find_plans(table, view.rules)
    decision = Decision(plans, is_won)
    if not is_won and len(plans) > (not lone):
        # In the order of the engine's numbers, so that luck has the same meaning on both sides.
        unseen = sorted(map(number_of, view.unseen))
        _weigh(decision, table, view.rules, unseen, luck, samples, values, is_late)
    return decision


def _find_plans(table: Table, rules: Rules) -> tuple[list[Weighed], bool]:
    """Plans worth weighing, and whether there is just one, which wins."""
    plans: list[Weighed] = []
    met: set[int] = set()
    weights = SEEN.weights(table.rows)
    for place, (factor, tried, most, with_rows) in enumerate(
        (
            (1, CAREFUL, _PLANS, True),
            (1, FREE, _SPLITS, False),
            # Only where nothing was found.
            (10, CAREFUL, _PLANS, True),
            (20, FREE, _PLANS, True),
        )
    ):
        if place > 1 and plans:
            break
        reach = _REACH._replace(width=factor * _REACH.width)
        planner = Planner(rules, reach, tried, weights, keeps_all=True).plan(table)
        if planner.is_won:
            return [Weighed(planner.ends[-1].line, 0)], True
        # Of ends with equal tables the one that was found first.
        ends = sorted(planner.ends, key=lambda end: end[:2])
        plans += [Weighed(end.line, end.cost) for end in _choose(ends, most, with_rows, met)]
    return plans, False


def _choose(ends: Sequence[End], most: int, with_rows: bool, met: set[int]) -> list[End]:
    """The cheapest ends that leave different tables, few with one source; and a row, if there is any."""
    chosen: list[End] = []
    alike: dict[int, int] = {}
    for end in ends:
        source = _ROW if isinstance(end.line[-1], Row) else end.line[-1].source
        if source == _ROW and not with_rows:
            continue
        if len(chosen) < most and alike.get(source, 0) < _ALIKE and end.hash not in met:
            alike[source] = alike.get(source, 0) + 1
            met.add(end.hash)
            chosen.append(end)
    if with_rows and _ROW not in alike:
        chosen += [end for end in ends if isinstance(end.line[-1], Row)][:1]
    return chosen


def _weigh(
    decision: Decision,
    table: Table,
    rules: Rules,
    unseen: Sequence[int],
    luck: SplitMix64,
    samples: int,
    values: Values | None,
    is_late: Callable[[], bool],
) -> None:
    """Play on from each plan, on the same supposed deals for all; the worse half is dropped half way."""
    player = Plain(rules, _PLAYOUT, _PLAYOUT_FINISH)
    plans = decision.plans
    cheapest = min(plan.cost for plan in plans)
    before = _hidden(table)

    def worth(plan: Weighed) -> float:
        return plan.total / max(plan.samples, 1) - _PRIOR * (plan.cost - cheapest) / 1000

    dropped: list[Weighed] = []
    for sample in range(1, samples + 1):
        if is_late():
            decision.is_stopped = True
            break
        deal = suppose(table, unseen, luck)
        for plan in plans:
            after = deal.after(table, plan.moves, rules)
            plan.total += _play_on(player, deal, after, table.rows - 1, values, before)
            plan.samples += 1
            decision.playouts += 1
        decision.samples = sample
        if sample == samples // 2:
            plans.sort(key=worth, reverse=True)
            half = max((len(plans) + 1) // 2, 2)
            dropped = plans[half:] + dropped
            del plans[half:]
    plans.sort(key=worth, reverse=True)
    plans += dropped
    for plan in plans:
        plan.chance = plan.total / max(plan.samples, 1)


def _hidden(table: Table) -> int:
    """How many cards lie face down."""
    return sum(down for _, down in table.piles)


def _play_on(player: Plain, deal: Deal, table: Table, at_row: int, values: Values | None, before: int) -> float:
    """The chance of winning that a playout comes to: at a row with no more than so many left, or at the end.

    `before` are the cards that lay face down when the plans were made.
    """
    rules = player.rules
    while table.done < rules.runs:
        line = player.next_line(table)
        if line is None:
            return _LOST * (1 - _hidden(table) / max(before, 1))
        if values is not None and isinstance(line[-1], Row) and table.rows <= at_row:
            return chance(values, table.rows, features(table, rules.ranks, SEEN.weights(table.rows)))
        table = deal.after(table, line, rules)
    return 1.0
