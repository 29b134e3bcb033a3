"""What the study takes for granted: every line of a stricter game is one of the looser, and scores no less there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from hypothesis import given

import unshuffle as un
from tests.laws import IS_LONG, OURS, deal_numbers
from unshuffle.game import AnyGame
from unshuffle.laws import Case
from unshuffle.laws.search import play_in
from unshuffle.study.plan import has_implications

GAMES = tuple(name for name in OURS if has_implications(un.game(name)))

CHANGED = {
    "aces-up": (
        "standard+reserve=1+discards=optional",
        "must-fill+reserve=1",
        "russian+destination=any",
        "free+fill=must+discards=optional",
    ),
    "belle-lucie": (
        "one-deal+merci=play",
        "one-deal+merci=front+merci_count=2",
        "classic+merci=front",
        "classic+merci=anywhere+merci_deals=any",
        "classic+may_hold_back=no",
        "one-deal+max_cards=4",
        "shamrocks+max_cards=5",
        "classic+kings_to_spaces=yes+build=any",
    ),
    "gaps": ("addiction+redeals=2+early_redeal=yes",),
}
"""Rules beside the named ones, each of which has stricter and looser neighbours."""


def rule_sets(game: str) -> list[AnyGame]:
    return [un.game(game, variant) for variant in (*un.game(game).variants, *CHANGED.get(game, ()))]


def pairs(game: str) -> Iterator[tuple[AnyGame, AnyGame]]:
    games = rule_sets(game)
    return ((strict, loose) for loose in games for strict in games if strict.is_stricter(loose))


@pytest.mark.parametrize("game", GAMES)
def test_chains_are_followed_and_nothing_is_stricter_than_itself(game: str) -> None:
    found = {(strict.variant, loose.variant) for strict, loose in pairs(game)}
    assert found
    assert not any(strict == loose for strict, loose in found)
    for strict, middle in found:
        for other, loose in found:
            if middle == other and strict != loose:
                assert (strict, loose) in found


@pytest.mark.parametrize("game", GAMES)
@given(seed=deal_numbers)
def test_a_line_of_a_stricter_game_is_one_of_the_looser(game: str, seed: int) -> None:
    """The law, for changed rules too."""
    strict, loose = Random(seed).choice(list(pairs(game)))
    play_in(Case(strict, seed, steps=60), loose)


@pytest.mark.parametrize("game", ["aces-up", "belle-lucie"])
@pytest.mark.both_engines
def test_searches_agree_on_small_tables(game: str) -> None:
    # The others have such tests of their own. A table with more redeals than are known has no verdict.
    found = [pair for pair in pairs(game) if game == "aces-up" or pair[0].rules.redeals == pair[1].rules.redeals]
    compared = gained = 0
    for seed in range(200 if IS_LONG else 40):
        strict, loose = Random(seed).choice(found)
        for state in islice(strict.small_states(seed), 2):
            changes = {"rules": loose.rules}
            if game == "belle-lucie" and strict.rules.merci == "none" != loose.rules.merci:
                changes["mercis"] = loose.rules.merci_count
            least = un.solve(state, nodes=20_000, maximize=True)
            best = un.solve(replace(state, **changes), nodes=20_000, maximize=True)
            if least.score_proved and best.score_proved:
                compared += 1
                gained += least.score < best.score
                assert least.score <= best.score, (strict.variant, loose.variant, str(state))
                assert (least.status is un.Status.SOLVED) <= (best.status is un.Status.SOLVED)
    assert compared > 60
    assert gained > 10, "where nothing is gained nothing is tested"


@pytest.mark.parametrize(
    ("game", "strict", "loose", "holds"),
    [
        ("aces-up", "must-fill", "must-fill-any", True),
        ("aces-up", "standard", "firing-squad", True),
        ("aces-up", "free", "relaxed-discards", True),
        ("aces-up", "must-fill", "aces-only", False),
        ("aces-up", "standard", "last-empty", False),
        ("aces-up", "standard", "russian", False),
        ("aces-up", "standard", "five-piles", False),
        ("belle-lucie", "one-deal", "classic", True),
        ("belle-lucie", "classic", "merci", True),
        ("belle-lucie", "one-deal", "fan", True),
        ("belle-lucie", "one-deal", "fan-18", False),
        ("belle-lucie", "classic", "trefoil", False),
        # A merci for the last deal comes too late for a line that needs it in the first.
        ("belle-lucie", "one-deal+merci=play", "merci", False),
        ("belle-lucie", "one-deal+merci=play", "merci+merci_deals=any", True),
        ("belle-lucie", "merci", "three-shuffles-and-a-draw", False),
        ("belle-lucie", "one-deal", "shamrocks", False),
    ],
)
def test_which_games_imply_each_other(game: str, strict: str, loose: str, holds: bool) -> None:
    assert un.game(game, strict).is_stricter(un.game(game, loose)) is holds
    assert not un.game(game, loose).is_stricter(un.game(game, strict))
