"""The chance to win where something is unknown: estimated over samples, never proved."""

from __future__ import annotations

from itertools import permutations
from random import Random
from threading import Event

import pytest

import unshuffle as un
from tests.laws import IS_LONG, UNKNOWN, effort

pytestmark = pytest.mark.both_engines

FAST = {"aces-up": "rules:1,20,300", "agnes": "greedy", "gaps": "random", "spider": "greedy"}


@pytest.mark.parametrize("game", UNKNOWN)
def test_a_view_is_never_solved_as_if_it_were_known(game: str) -> None:
    """What a player sees goes into no search: the refusal says what is unknown, and what can be asked."""
    view = un.game(game).deal(7).view()
    for ask in (un.solve, lambda seen: list(un.solve_many([seen])), lambda seen: un.review(seen, [])):
        with pytest.raises(un.UsageError, match="never solved as if they were known: `estimate` tells"):
            ask(view)
    with pytest.raises(un.UsageError, match=r"^states\[0\]"):
        un.simulate(un.game(game), states=[view])


def small_text(seed: int) -> str:
    """A late table of Aces Up of which the last four cards are unknown; all ways to deal them can be played."""
    rng = Random(seed)
    pack = un.game("aces-up").pack
    aces = [card for card in pack if card.rank == 1]
    live = aces + rng.sample([card for card in pack if card.rank > 1], 4)
    # The tops are of all suits, most of them aces: no card beats another yet, and some deals are won.
    tops = [rng.choice([card for card in live if card.suit is ace.suit] + 3 * [ace]) for ace in aces]
    rng.shuffle(tops)
    rows = [f"Pile {number}: {top}" for number, top in enumerate(tops, 1)]
    return "\n".join([*rows, "Stock: ?", f"Discards: {' '.join(str(card) for card in pack if card not in live)}"])


def test_one_text_that_chance_has_filled_is_another_deal_each_time() -> None:
    """What was wrong: verdicts on one text, proved, of which each was about other cards."""
    view = un.game("aces-up").parse_seen(small_text(1))
    statuses = {un.solve(view.sample(Random(seed))).status for seed in range(24)}
    assert statuses == {un.Status.SOLVED, un.Status.UNSOLVABLE}
    found = un.estimate(view, samples=100)
    assert 0 < found.wins < 100
    assert found.information == "hidden"


@pytest.mark.parametrize("game", UNKNOWN)
def test_an_estimate_says_what_it_rests_on(game: str) -> None:
    view = un.game(game).deal(7).view()
    n = effort(un.game(game), 60, 12)
    found = un.estimate(view, FAST[game], samples=n)
    assert found.samples == n
    assert found.chance == found.wins / n
    low, high = found.interval
    assert 0 <= low <= found.chance <= high <= 1
    assert low < high
    assert found.policy == FAST[game]
    assert str(found).startswith(f"{FAST[game]} won {found.wins} of {n} games: ")
    assert str(found).endswith("(hidden: what a player sees)")
    assert (
        found.unknown
        == {
            "aces-up": "52 cards still to be dealt",
            "agnes": "21 face-down cards and 23 cards still to be dealt",
            "gaps": "what the redeals will bring",
            "spider": "44 face-down cards and 50 cards still to be dealt",
        }[game]
    )
    # The same again, and by what is seen alone: the state of the deal plays no part.
    assert un.estimate(un.game(game).deal(7), FAST[game], samples=n) == found
    assert un.estimate(view, FAST[game], samples=n, threads=1) == found


def test_what_is_not_unknown_has_no_chance() -> None:
    for state in (un.game("belle-lucie", "one-deal").deal(7), un.game("agnes").parse_seen(LAST)):
        with pytest.raises(un.UsageError, match="nothing is unknown here"):
            un.estimate(state)
    with pytest.raises(un.UsageError, match="samples=0"):
        un.estimate(un.game("agnes").deal(7), samples=0)


LAST = "Base: A\nFoundations: QC QD KS QH\n1: -\n2: -\n3: -\n4: -\n5: KC\n6: -\n7: [##] KH\nStock: 0\n"
"""Agnes with one card face down: by elimination everybody knows it."""


def test_an_estimate_can_be_ended() -> None:
    cancel, told = Event(), list[tuple[int, int]]()

    def watch(won: int, played: int) -> None:
        told.append((won, played))
        cancel.set()

    view = un.game("aces-up").deal(7).view()
    found = un.estimate(view, FAST["aces-up"], progress=watch, cancel=cancel)
    assert told == [(found.wins, found.samples)]
    assert 0 < found.samples < 1000
    assert un.estimate(view, FAST["aces-up"], cancel=cancel).chance is None
    assert un.estimate(view, FAST["aces-up"], seconds=0).samples == found.samples


@pytest.mark.one_engine("checks an interval, not what is played")
def test_the_interval_covers_the_policys_chance() -> None:
    """Law: in at least 90 % of the positions the 95 % interval holds the exact chance of the policy."""
    game, policy = un.game("aces-up"), FAST["aces-up"]
    positions = 200 if IS_LONG else 60
    covered = between = 0
    for seed in range(positions):
        view = game.parse_seen(small_text(seed))
        ways = [view.laid(cards) for cards in permutations(view.unseen)]
        exact = un.simulate(game, policy, states=ways).wins / len(ways)
        low, high = un.estimate(view, policy, samples=100, seed=seed).interval
        covered += low <= exact <= high
        between += 0 < exact < 1
    assert between >= 0.1 * positions  # else the law would say little
    assert covered >= 0.9 * positions
