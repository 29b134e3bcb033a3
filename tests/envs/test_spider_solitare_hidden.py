"""SpiderSolitare-v0 tells nobody what lies face down or in the bank."""

from __future__ import annotations

import copy
import random
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

import unshuffle as un
from tests.envs.solitare import Table, make, numbers, random_actions, same, valid
from tests.laws import IS_LONG
from unshuffle.games.spider.envs.solitare import SpiderSolitareEnv

BOTH_HANDS = pytest.mark.parametrize("strict_hand", [False, True])
ALL_SUITS = pytest.mark.parametrize("num_suits", [1, 2, 4])


def check(observation: dict[str, Any], info: dict[str, Any], text: str, table: Table) -> None:
    """All that is given out is what a player sees, and no more."""
    seen = [[numbers(card) for card in pile] for pile in table.seen]
    assert [observation["piles"][f"pile_{number}"].tolist() for number in range(1, 11)] == seen
    assert [card.tolist() for card in observation["hand"]] == list(map(numbers, table.hand))
    assert observation["bank"].shape == (len(table.state.bank), 3)
    assert not observation["bank"].any()
    slots = [observation["completed_suits"][f"completed_suit_{number}"] for number in range(1, 9)]
    runs = [[[rank, suit, 1] for rank in range(13, 0, -1)] for suit in _suits(table)]
    assert [slot.tolist() for slot in slots] == runs + [[]] * (8 - len(runs))
    assert observation["pickup_pile_index"] == table.source
    assert info.keys() == {"action_mask", "num_moves", "score", "completed", "won", "invalid"}
    plain = re.sub(r"\x1b\[\d+m", "", text)
    open_cards = [card for pile in table.seen for card in pile if card is not None]
    kings = [f"K{suit.glyph}" for suit in table.state.completed]
    shown = Counter(re.findall("[A2-9TJQK][♣♦♥♠]", plain))
    assert shown == Counter([card.glyph for card in (*open_cards, *table.hand)] + kings)
    assert plain.count("▒▒") == sum(table.state.down)


def _suits(table: Table) -> list[int]:
    return [{"S": 1, "H": 2, "D": 3, "C": 4}[suit.letter] for suit in table.state.completed]


def try_invalid(env: SpiderSolitareEnv, table: Table, mask: list[int], rng: random.Random) -> None:
    """An invalid action, on a copy, for it ends the episode."""
    env = copy.deepcopy(env)
    action = rng.choice([action for action in range(21) if action not in mask])
    observation, _, terminated, _, info = env.step(action)
    assert terminated
    assert info["invalid"]
    text = env.render()
    assert isinstance(text, str)
    check(observation, info, text, table)


@ALL_SUITS
@BOTH_HANDS
def test_no_hidden_card_is_ever_given_out(num_suits: int, strict_hand: bool) -> None:
    """Law: over many random steps for each, after invalid actions too."""
    env = make(num_suits=num_suits, strict_hand=strict_hand, render_mode="ansi")
    rng = random.Random(num_suits)
    steps = seed = 0
    while steps < (1000 if IS_LONG else 250):
        seed += 1
        observation, info = env.reset(seed=seed)
        table = Table(env._present)
        check(observation, info, str(env.render()), table)
        for action, (observation, _, terminated, _, info) in random_actions(env, seed, 400):
            table.act(action)
            check(observation, info, str(env.render()), table)
            steps += 1
            if steps % 20 == 0 and not terminated:
                try_invalid(env, table, valid(info), rng)


@ALL_SUITS
@BOTH_HANDS
def test_tables_that_look_alike_cannot_be_told_apart(num_suits: int, strict_hand: bool) -> None:
    """Law: deals that differ in hidden cards alone give equal observations, infos and pictures until one is turned."""
    compared = moved = 0
    most = 4 if IS_LONG else 1
    arguments: dict[str, Any] = {"num_suits": num_suits, "strict_hand": strict_hand}
    for mode in ("ansi", "rgb_array"):
        env, other = make(render_mode=mode, **arguments), make(render_mode=mode, **arguments)
        for seed in range(20 * most if strict_hand else 2 * most):
            rng = random.Random(seed)
            state = env._game.deal(seed)
            for _ in range(rng.randrange(60)):
                moves = state.legal_moves()
                state = state.play(rng.choice(moves[:-1] if len(moves) > 1 else moves))
            if state.outcome is not None:
                continue
            alike = state.view().sample(rng)
            assert sum(map(len, state.piles)) == sum(map(len, alike.piles))
            first = env.reset(options={"deal": str(state)})
            assert same(first, other.reset(options={"deal": str(alike)}))
            table = Table(state)
            for action, step in random_actions(env, seed, 80):
                down, bank = table.state.down, len(table.state.bank)
                table.act(action)
                theirs = other.step(action)
                if (table.state.down, len(table.state.bank)) != (down, bank):
                    break
                assert same(step, theirs)
                assert same(env.render(), other.render())
                compared += 1
                moved += action > 10
    assert compared > 50 * most
    assert moved > most


@ALL_SUITS
def test_open_information_is_given_only_when_it_is_asked_for(num_suits: int) -> None:
    """`hide_obs=False` shows all faces, face-down ones with a flag of 0; pictures stay a player's."""
    env = make(num_suits=num_suits, hide_obs=False, render_mode="ansi")
    hidden = make(num_suits=num_suits, render_mode="ansi")
    observation, info = env.reset(seed=7)
    table = Table(env._present)
    hidden.reset(seed=7)
    for action, (observation, *_, info) in random_actions(env, 7, 200):
        table.act(action)
        theirs, *_, their_info = hidden.step(action)
        assert same(info, their_info)
        assert env.render() == hidden.render()
        for number, (pile, down) in enumerate(zip(table.state.piles, table.state.down, strict=True), 1):
            shown, masked = observation["piles"][f"pile_{number}"], theirs["piles"][f"pile_{number}"]
            left = pile[: len(shown)]
            assert shown[:, :2].tolist() == [numbers(card)[:2] for card in left]
            assert shown[:, 2].tolist() == [int(place >= down) for place in range(len(left))]
            assert (shown * shown[:, 2:] == masked).all()
        bank = [[*numbers(card)[:2], 0] for card in reversed(table.state.bank)]
        assert observation["bank"].tolist() == bank
    assert len(table.state.bank) < 50


def test_the_last_of_the_bank_is_dealt_next() -> None:
    env = make(hide_obs=False)
    before, _ = env.reset(seed=3)
    after, *_ = env.step(0)
    dealt = [after["piles"][f"pile_{number}"][-1, :2].tolist() for number in range(1, 11)]
    assert dealt == before["bank"][:-11:-1, :2].tolist()
    assert (after["bank"] == before["bank"][:-10]).all()


def test_a_card_bared_by_a_pick_up_stays_hidden_until_the_hand_is_put_elsewhere() -> None:
    env = make(num_suits=1)
    game = un.game("spider", "1-suit")
    seed = next(seed for seed in range(50) if any(hasattr(move, "source") for move in game.deal(seed).legal_moves()))
    move = game.deal(seed).legal_moves()[0]
    env.reset(options={"deal": f"spider/1-suit@{seed}"})
    name = f"pile_{move.source}"
    observation, *_ = env.step(move.source)
    assert not observation["piles"][name].any()
    observation, *_ = env.step(10 + move.source)
    assert observation["piles"][name][-1].any()
    assert not observation["piles"][name][:-1].any()
    env.step(move.source)
    observation, *_ = env.step(10 + move.target)
    assert observation["piles"][name][-1, 2] == 1
    assert np.count_nonzero(observation["piles"][name][:, 2]) == 1
