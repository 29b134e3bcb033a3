"""Spider: plans evaluated by determinization, with playouts of the plain player.

The plain player sees no more of a sampled deal than it would of a real one, so no plan wins by using hidden cards. The
playouts are short: up to the row after next, where the value function gives the chance of winning. Plans differ by less
than the noise of some dozens of playouts, so their costs count too, as a prior.
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
"""Sampled deals for a decision."""
_REACH = Reach(width=80, depth=60, stall=10)
_PLANS = 6
"""How many plans are evaluated, besides the best that ends in a row."""
_ALIKE = 2
"""The most plans with the same source of their last move."""
_SPLITS = 2
"""How many more plans that split runs are evaluated."""
_PRIOR = 0.5
"""How much a thousand points of cost reduce the chance of winning."""
_LOST = 0.2
"""The value of a lost playout that has turned all cards; it is proportionally less with fewer turned. It is not 0,
because the player that evaluates plans wins many games that the plain player loses. For the same reason the value
function is that of the player that evaluates plans."""
_PLAYOUT = PLAIN._replace(width=12)
_PLAYOUT_FINISH = (32,)
_ROW = 0
"""The source that stands for a row."""


@dataclass(slots=True)
class Weighed:
    """A plan and the results of its playouts."""

    moves: tuple[Move, ...]
    cost: int
    total: float = 0.0
    """The sum of the chances of winning at the ends of the playouts."""
    samples: int = 0
    chance: float = 0.0
    """The mean of these chances."""


@dataclass(slots=True)
class Decision:
    """The plans that were evaluated, the best first; none if no card can be turned and no row dealt."""

    plans: list[Weighed] = field(default_factory=list)
    is_won: bool = False
    """Whether the first plan wins the game."""
    samples: int = 0
    playouts: int = 0
    is_stopped: bool = False
    """Whether time ran out before all samples."""


class Deal(NamedTuple):
    """A sample of the hidden cards: the bank, and the face-down cards of each pile from the bottom up."""

    bank: tuple[int, ...]
    down: tuple[tuple[int, ...], ...]

    def after(self, table: Table, line: Sequence[Move], rules: Rules) -> Table:
        """Return the table that a player sees after the moves of a plan."""
        for move in line:
            if isinstance(move, Row):
                table = table.dealt(row_of(self.bank, table.rows, rules.piles), rules.ranks)
            else:
                table = table.moved(move, rules.ranks)
        piles = zip(table.piles, self.down, strict=True)
        return table._replace(piles=tuple(_revealed(pile, down) for pile, down in piles))


def _revealed(pile: Pile, down: tuple[int, ...]) -> Pile:
    """Return the pile with its first face-up card known."""
    cards, first = pile
    if not cards or cards[first] != UNKNOWN:
        return pile
    return Pile((*cards[:first], down[first], *cards[first + 1 :]), first)


def suppose(table: Table, unseen: Sequence[int], luck: SplitMix64) -> Deal:
    """Sample a deal that is consistent with the table, uniformly."""
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
    """Find plans and evaluate them; where no card is hidden, find a line to a win instead.

    Without values playouts go on to the end of the game. `is_late` is called before each sample; true stops. `lone`: a
    plan without a rival is evaluated too, which gives its chance but changes no choice.
    """
    table = seen_table(view)
    if table.is_open:
        line = finish(table, view.rules, FINISH)
        return Decision() if line is None else Decision([Weighed(line, 0, chance=1.0)], is_won=True)
    plans, is_won = _find_plans(table, view.rules)
    decision = Decision(plans, is_won)
    if not is_won and len(plans) > (not lone):
        # In the order of the engine's numbers, so that both sides sample the same deals.
        unseen = sorted(map(number_of, view.unseen))
        _weigh(decision, table, view.rules, unseen, luck, samples, values, is_late)
    return decision


def _find_plans(table: Table, rules: Rules) -> tuple[list[Weighed], bool]:
    """Return the plans to evaluate, and whether there is just one, which wins."""
    plans: list[Weighed] = []
    met: set[int] = set()
    weights = SEEN.weights(table.rows)
    for place, (factor, tried, most, with_rows) in enumerate(
        (
            (1, CAREFUL, _PLANS, True),
            (1, FREE, _SPLITS, False),
            # Only if nothing was found before.
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
        # A stable sort: of ends with equal tables the first that was found.
        ends = sorted(planner.ends, key=lambda end: end[:2])
        plans += [Weighed(end.line, end.cost) for end in _choose(ends, most, with_rows, met)]
    return plans, False


def _choose(ends: Sequence[End], most: int, with_rows: bool, met: set[int]) -> list[End]:
    """Return the cheapest ends that leave different tables, few with the same source; and a row, if there is one."""
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
    """Run playouts from each plan, with the same sampled deals for all; drop the worse half after half of them."""
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
    """Return how many cards lie face down."""
    return sum(down for _, down in table.piles)


def _play_on(player: Plain, deal: Deal, table: Table, at_row: int, values: Values | None, before: int) -> float:
    """Return the chance of winning at the end of a playout, which stops before a row once `at_row` rows are left.

    `before` is the number of face-down cards when the plans were made.
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
