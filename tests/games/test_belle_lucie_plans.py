"""Plans of La Belle Lucie: the best of all that can be done in a deal, by the tables or by any other values."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

import unshuffle as un
from tests.laws import IS_LONG
from unshuffle import engine
from unshuffle.cards import PACK
from unshuffle.games.belle_lucie import search
from unshuffle.games.belle_lucie.hidden import values as tables
from unshuffle.games.belle_lucie.hidden.planner import make_plan, plan
from unshuffle.games.belle_lucie.hidden.reach import MOST_POSITIONS, Walk
from unshuffle.games.belle_lucie.hidden.values import STATES, Plane, Values
from unshuffle.games.belle_lucie.rules import Rules, State, lay_out

pytestmark = pytest.mark.both_engines


def brute_force(state: State) -> set[tuple[tuple[int, int, int, int], int]]:
    """Every place where the deal can be left: heights and mercis."""
    seen = {search.key(state)}
    waiting = [state]
    ends = set()
    while waiting:
        state = waiting.pop()
        # Where all that fits must go up first, not every position may be left.
        if state.rules.may_hold_back or state.may_redeal or not state.fans:
            ends.add((state.foundations, state.mercis))
        for move in state.legal_moves():
            after = state.play(move)
            if search.key(after) not in seen:
                seen.add(search.key(after))
                waiting.append(after)
    return ends


@cache
def any_values(planes: int) -> Values:
    """Values without rhyme or reason: whatever can be reached may be the best."""
    rng = Random(planes)
    rows = [sorted(rng.random() for _ in range(planes)) for _ in STATES[:-1]] + [[1.0] * planes]
    return Values([[Plane([(row[plane], 0.01, 100) for row in rows]) for plane in range(planes)]] * 2)


def endgame(rules: Rules, rng: Random, least: int, most: int) -> State:
    while True:
        heights = tuple(rng.randint(3, 13) for _ in range(4))
        left = [card for card in PACK if card.rank > heights[card.suit]]
        if least <= len(left) <= most:
            rng.shuffle(left)
            return lay_out(rules, tuple(left))


PLANNED = {
    "none": (Rules(redeals=1), 12),
    "second any": (Rules(redeals=2, merci="second", merci_deals="any"), 11),
    "play any": (Rules(redeals=1, merci="play", merci_deals="any"), 10),
    "front any": (Rules(redeals=1, merci="front", merci_deals="any"), 9),
    "play, to be spent later": (Rules(redeals=1, merci="play"), 12),
    "play, last deal": (Rules(merci="play"), 10),
    "front, last deal": (Rules(merci="front"), 9),
    "second, last deal": (Rules(merci="second"), 10),
    "anywhere any": (Rules(redeals=1, merci="anywhere", merci_deals="any"), 7),
    "two mercis": (Rules(redeals=1, merci="play", merci_deals="any", merci_count=2), 7),
    "any suit": (Rules(redeals=1, build="any"), 9),
    "up too": (Rules(redeals=1, build_up=True), 9),
    "kings to spaces": (Rules(redeals=1, kings_to_spaces=True), 9),
    "full fans": (Rules(redeals=1, max_cards=3), 10),
    "all must go up": (Rules(redeals=1, may_hold_back=False), 10),
}


@pytest.mark.parametrize("name", PLANNED)
def test_the_plan_is_the_best_of_all_play(name: str) -> None:
    """Law: no end that exhaustive play can reach is worth more, the next best is next, and most cards are most."""
    rules, most = PLANNED[name]
    rng = Random(name)
    values = any_values(len(tables.mercis_of_planes(rules)))
    for _ in range(1000 if IS_LONG else 40):
        state = endgame(rules, rng, most - 4, most)
        made = plan(state, values=values)
        ends = brute_force(state)
        worths = {end: worth(end, values, rules) for end in ends}
        assert made.complete
        assert made.value == max(worths.values()), str(state)
        assert worths[made.heights, made.mercis] == made.value
        assert made.wins == (made.heights == (13, 13, 13, 13))
        assert made.redeals == (not made.wins and rules.redeals > 0)
        assert made.most_cards is not None
        best = max(sum(heights) for heights, _ in ends)
        assert sum(made.most_cards.heights) == best
        assert made.most_cards.value == max(worths[end] for end in ends if sum(end[0]) == best)
        if not rules.redeals:
            assert made.wins or (made.heights == made.most_cards.heights and made.chance == 0)
        elif not made.wins:
            others = [worths[end] for end in ends if end[0] != made.heights]
            assert (made.next_best.value if made.next_best else None) == max(others, default=None)
        only = plan(state, values=values, alternatives=False)
        assert (only.heights, only.mercis, only.value) == (made.heights, made.mercis, made.value)


def worth(end: tuple[tuple[int, ...], int], values: Values, rules: Rules) -> float:
    heights, mercis = end
    if heights == (13, 13, 13, 13):
        return 1.0
    return values.at(heights, rules.redeals - 1, mercis) if rules.redeals else 0.0


def test_holding_the_ten_back_doubles_the_chance() -> None:
    made = plan(un.game("belle-lucie", "classic", redeals=1).parse("QC JC KC / TC"))
    assert (made.moves, made.heights, made.redeals) == ((), (9, 13, 13, 13), True)
    assert made.chance == pytest.approx(1 / 3, abs=1e-12)
    assert made.se == 0
    assert made.most_cards is not None
    assert [move.token for move in made.most_cards.moves] == ["TC^"]
    assert made.most_cards.chance == pytest.approx(1 / 6, abs=1e-12)
    assert made.next_best == made.most_cards


def test_equals_are_told_apart_by_cards_and_then_by_heights() -> None:
    flat = Values([[Plane([(0.5, 0.1, 10)] * 2379 + [(1.0, 0.0, 0)])]])
    state = un.game("belle-lucie", "classic").parse("QC KC JC / QD KD JD")
    made = plan(state, values=flat)
    assert made.heights == (11, 11, 13, 13)
    assert made.next_best is not None
    assert made.next_best.heights == (11, 10, 13, 13)


def test_a_plan_does_not_see_known_redeals() -> None:
    game = un.game("belle-lucie", "classic")
    rng = Random(1)
    for seed in range(3):
        state = endgame(game.rules, Random(seed), 14, 18)
        plans = [plan(view_with(state, rng)) for _ in range(3)]
        assert len({(made.moves, made.value) for made in plans}) == 1


def view_with(state: State, rng: Random) -> Any:
    sampled = state.view().sample(rng)
    assert len(sampled.redeals) == 2
    return sampled


def test_no_chance_is_shown_that_no_table_gives() -> None:
    text = "QC JC KC / TC"
    for changes in ({"merci": "anywhere"}, {"fan_size": 4}, {"redeals": 8}):
        made = plan(un.game("belle-lucie", "classic", **changes).parse(text))
        assert (made.chance, made.se) == (None, None)
        assert made.redeals
        assert made.most_cards is not None
        assert made.most_cards.chance is None
    won = plan(un.game("belle-lucie", "classic", fan_size=4).parse("KC QC"))
    assert (won.chance, won.se, won.wins, won.redeals) == (1.0, 0.0, True, False)
    last = plan(un.game("belle-lucie").parse("QC KC"))
    assert (last.chance, last.wins, last.redeals, last.next_best) == (0.0, False, False, None)
    over = plan(un.game("belle-lucie", "classic").parse("Foundations: KC KD KH KS"))
    assert (over.moves, over.wins, over.redeals) == ((), True, False)


def test_a_walk_that_is_cut_short_says_so() -> None:
    state = un.game("belle-lucie", "super-flower-garden").deal(0).view().table
    walk = Walk(state, 300)
    assert not walk.is_complete
    # The walk itself, and before it a search for a win and one for the most cards.
    assert walk.nodes <= 300 + 2 * MOST_POSITIONS
    assert walk.stops[state.foundations, 0] == ()


def test_both_sides_plan_alike() -> None:
    if engine.native() is None:
        pytest.skip("the Python side would be set beside itself")
    for variant in ("classic", "merci", "trefoil"):
        game = un.game("belle-lucie", variant)
        for seed in range(8):
            table = game.deal(seed).view().table
            native, python = plan(table), make_plan(table, tables.of_rules(table.rules), alternatives=True)
            assert python.most_cards is not None
            assert native.most_cards is not None
            assert (native.heights, native.value, native.redeals) == (python.heights, python.value, python.redeals)
            assert native.most_cards.heights == python.most_cards.heights
            assert (native.next_best and native.next_best.heights) == (python.next_best and python.next_best.heights)
