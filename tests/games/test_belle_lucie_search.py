"""Automatic moves, bound and key, rule by rule, against the search that knows nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.laws import deal_numbers, for_each
from unshuffle.game import Hooks
from unshuffle.games.belle_lucie import Move, Rules, State, ToFan, ToFoundation, search
from unshuffle.solve import reference
from unshuffle.solve.limits import Limits

# The table of safe moves, a row each: the rules, and positions with what overeager automatic moves make of them
# (every foundation move at once and, in suit, the builds that are safe without a merci) and what is possible.
ROWS: dict[str, tuple[dict[str, Any], tuple[tuple[str, int, int], ...]]] = {
    "suit": ({}, ()),
    "suit, merci spent": ({"merci": "anywhere", "merci_count": 1}, ()),
    "play": ({"merci": "play"}, (("8C 9C QC / TC KS QS / KC JC TS / KH JS", 47, 52),)),
    "front": ({"merci": "front"}, (("6C JC 7C / 9C TC QC / 8C KC", 46, 47),)),
    "second": ({"merci": "second"}, (("JC KC KH / QC QH", 49, 52),)),
    "anywhere": (
        {"merci": "anywhere"},
        (("KD KS QC / TC JC KC", 49, 52), ("KC KS 9D / TD JD KD / QD QS", 49, 52)),
    ),
    "kings to spaces": ({"kings_to_spaces": True}, (("9D KD 8D / JD TD QD / KC", 47, 52),)),
    "any suit": ({"build": "any"}, (("KD JD QD / KS KC", 49, 52), ("QD 8C JC / KC TC QC / KD 9C", 48, 52))),
    "up and down": ({"build_up": True, "build": "any"}, (("KC KS QC / QH KH", 50, 52),)),
    "up and down in suit": ({"build_up": True}, ()),
    # Outside the table: across a redeal no foundation move, and all rules that meet must agree.
    "redeals": ({"redeals": 1}, (("Redeal 1: KC JC TC QC\nQC JC KC / TC", 49, 52),)),
    "redeals, none held back": (
        {"redeals": 1, "may_hold_back": False},
        (("Redeal 1: QD KH JD KC KD\nKC KH QD / JD KD", 49, 52),),
    ),
    "redeals, merci in any deal": ({"redeals": 1, "merci": "play", "merci_deals": "any"}, ()),
    "redeals, spaces": ({"redeals": 1, "kings_to_spaces": True}, ()),
    "room for four": ({"max_cards": 4}, ()),
    "three mercis": ({"merci": "play", "merci_count": 3}, ()),
    "any suit with merci": ({"merci": "front", "build": "any"}, ()),
    "any suit with spaces": ({"kings_to_spaces": True, "build": "any"}, ()),
}


def best(state: State, hooks: Hooks[Any, Any] | None = None) -> int:
    """The proved best score."""
    found = reference.search(state, Limits(), maximize=True, most_score=52, hooks=hooks)
    assert found.score_proved
    return found.score


@pytest.mark.parametrize("row", ROWS)
@for_each
@given(seed=deal_numbers)
def test_automatic_moves_cost_nothing(row: str, seed: int) -> None:
    for state in un.game("belle-lucie", **ROWS[row][0]).small_states(seed):
        if "spent" in row:
            state = replace(state, mercis=0)
        assert best(state, Hooks(forced=search.forced)) == best(state), str(state)


def overeager(state: State) -> Move | None:
    """Foundation moves and builds as if this were one deal in suit, without merci and spaces."""
    simple = replace(state, rules=Rules(), mercis=0, redeals=())
    for move in state.each_move():
        if isinstance(move, ToFoundation):
            return move
        if isinstance(move, ToFan) and state.rules.build == "suit" and search.is_safe_build(simple, move):
            return move
    return None


@pytest.mark.parametrize(
    ("fields", "text", "wrong", "right"),
    [(fields, *position) for fields, positions in ROWS.values() for position in positions],
)
@pytest.mark.both_engines
def test_positions_in_which_more_automatic_moves_would_cost_cards(
    fields: dict[str, Any], text: str, wrong: int, right: int
) -> None:
    game = un.game("belle-lucie", **fields)
    state = game.parse(text)
    assert best(state, game.hooks()) == best(state) == right
    assert best(state, Hooks(forced=overeager)) == wrong
    assert un.solve(state, maximize=True).score == right


def test_where_kings_fill_spaces_a_build_onto_a_lone_card_is_not_forced() -> None:
    """The queen alone in its fan goes onto its king instead, and makes room for the other king."""
    game = un.game("belle-lucie", kings_to_spaces=True)
    state = game.parse("QD / TD KH JD / QH KD")
    assert best(state, game.hooks()) == best(state) == 52
    assert best(state.play(game.parse_move("JD>QD")), game.hooks()) < 52


rules = st.builds(
    Rules,
    redeals=st.integers(0, 2),
    merci=st.sampled_from(["none", "play", "front", "anywhere", "second"]),
    merci_count=st.integers(1, 3),
    merci_deals=st.sampled_from(["last", "any"]),
    build=st.sampled_from(["suit", "any"]),
    build_up=st.booleans(),
    kings_to_spaces=st.booleans(),
    fan_size=st.integers(2, 5),
    max_cards=st.sampled_from([0, 0, 2, 3, 5]),
    may_hold_back=st.booleans(),
)


@given(rules=rules, seed=deal_numbers)
@pytest.mark.both_engines
def test_under_any_rules_the_hooks_change_no_maximum(rules: Rules, seed: int) -> None:
    game = un.game("belle-lucie").of(State(rules, ()))
    for state in game.small_states(seed):
        truth = best(state)
        assert best(state, game.hooks()) == truth, f"{rules}\n{state}"
        assert game.hooks().bound(state) >= truth  # type: ignore[misc] # this game has all hooks
        result = un.solve(state, maximize=True, nodes=50_000)
        assert (result.score, result.score_proved) == (truth, True), f"{rules}\n{state}"


@given(seed=deal_numbers)
@pytest.mark.both_engines
def test_equal_keys_are_positions_that_are_worth_the_same(seed: int) -> None:
    game = un.game("belle-lucie", "fan")
    for state in game.small_states(seed):
        turned = replace(state, fans=state.fans[::-1])
        assert search.key(turned) == search.key(state)
        assert best(turned) == best(state)
        assert search.key(replace(state, fans=(*state.fans, ()))) != search.key(state)
        assert search.key(replace(state, fans=(*state.fans, (), ()))) != search.key(
            replace(state, fans=(*state.fans, ()))
        )
        assert search.key(replace(state, mercis=1)) != search.key(state) != search.key(replace(state, deal=2))


@pytest.mark.both_engines
def test_where_the_best_score_comes_with_the_verdict() -> None:
    proved = [slug for slug in un.games()["belle-lucie"] if un.game("belle-lucie", slug).always_maximizes]
    assert proved == ["one-deal"]
    assert un.game("belle-lucie", merci="play", max_cards=3).always_maximizes
    assert not un.game("belle-lucie", build="any").always_maximizes
    assert not un.game("belle-lucie", build_up=True).always_maximizes
