"""BelleLucie-v0: what is its own. `test_contract` holds it to what all games have in common."""

from __future__ import annotations

from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import unshuffle as un
import unshuffle.envs  # it registers the environments
from tests.envs.comparing import assert_same
from unshuffle.cards import Card
from unshuffle.errors import IllegalMoveError, UsageError
from unshuffle.games.belle_lucie.moves import Merci, Redeal, ToFan, ToFoundation, ToSpace

pytestmark = pytest.mark.both_engines

ID = "unshuffle/BelleLucie-v0"
# Of spades the last two cards are left, of hearts the last three.
SHORT = "Foundations: KC KD TH JS\nQH KS JH\nKH QS\n"
JACK, QUEEN, KING = 13 + 10, 13 + 11, 13 + 12
"""The places of these hearts; those of the spades are 13 less."""


def make(**arguments: Any) -> Any:
    return gym.make(ID, **arguments).unwrapped


def test_the_spaces_are_those_of_the_page() -> None:
    env = make()
    assert env.action_space == gym.spaces.Discrete(525)
    assert make(merci="anywhere").action_space == gym.spaces.Discrete(2813)
    found = {name: (part.shape, int(part.high.max())) for name, part in env.observation_space.items()}
    ones = {"mercis": ((1,), 9), "redeals": ((1,), 9), "spaces": ((1,), 52)}
    assert found == {"below": ((52,), 53), "buried": ((52,), 51), "foundations": ((4,), 13), **ones}
    assert make(obs="flat").observation_space.shape == (111,)


@pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.name)
def test_a_deal_without_a_move_is_passed_over(mode: AutoresetMode) -> None:
    """With four great fans half of the deals are stuck as they are dealt; no episode begins with an empty mask."""
    game, number = un.game("belle-lucie", fan_size=13), np.random.default_rng(1)
    drawn = [int(number.integers(2**63)) for _ in range(20)]
    assert game.deal(drawn[0]).outcome is not None
    first = next(seed for seed in drawn if game.deal(seed).outcome is None)
    assert make(fan_size=13).reset(seed=1)[1]["deal"] == f"{game}@{first}"
    native = gym.make_vec(ID, num_envs=8, autoreset_mode=mode, fan_size=13)
    sync = SyncVectorEnv([partial(gym.make, ID, fan_size=13)] * 8, autoreset_mode=mode)
    (seen, info), (other, _) = native.reset(seed=1), sync.reset(seed=1)
    assert_same(seen, other)
    ended = np.zeros(8, np.bool_)
    for _ in range(12):
        masks: Any = info["action_mask"]
        assert (masks.any(axis=1) | ended).all()
        actions = masks.argmax(axis=1)
        left, right = native.step(actions), sync.step(actions)
        for place in range(5):
            assert_same(left[place], right[place], f"value {place}")
        info = left[4]
        if mode is AutoresetMode.NEXT_STEP:
            ended = left[2]
        elif mode is AutoresetMode.DISABLED and left[2].any():
            one, two = (env.reset(options={"reset_mask": left[2].copy()}) for env in (native, sync))
            assert_same(one[0], two[0])
            info = {"action_mask": native.unwrapped.action_masks()}  # type: ignore[attr-defined]


def test_a_table_is_shown_as_it_lies() -> None:
    observation, info = make(variant="merci").reset(seed=1, options={"deal": f"Deal: 3\n{SHORT}"})
    below, buried = [53] * 52, [0] * 52
    below[QUEEN], buried[QUEEN] = 0, 2
    below[12], buried[12] = QUEEN + 1, 1
    below[JACK] = 12 + 1
    below[KING], buried[KING] = 0, 1
    below[11] = KING + 1
    assert (observation["below"].tolist(), observation["buried"].tolist()) == (below, buried)
    assert observation["foundations"].tolist() == [11, 10, 13, 13]
    assert [observation[name].tolist() for name in ("mercis", "redeals", "spaces")] == [[1], [0], [0]]
    assert (info["score"], info["completed"], info["num_moves"]) == (47, 2, 0)


def test_the_numbers_of_actions_are_those_of_the_page() -> None:
    env = make(variant="merci", kings_to_spaces=True, build="any", build_up=True, merci="front", merci_deals="any")
    env.reset(seed=1, options={"deal": f"{SHORT}-\n"})
    assert env.decode(0) == Redeal()
    cards = {name: Card.parse(name) for name in ("JH", "QH", "KH", "QS", "KS")}
    for action, move in (
        (1 + JACK, ToFoundation(cards["JH"])),
        (1 + 11, ToFoundation(cards["QS"])),
        (53 + QUEEN, Merci(cards["QH"])),
        (53 + KING, Merci(cards["KH"])),
        (109 + 8 * JACK + 0, ToFan(cards["JH"], cards["QS"])),
        (109 + 8 * 11 + 4 + 1, ToFan(cards["QS"], cards["JH"])),
        (109 + 8 * KING + 4 + 0, None),
    ):
        if move is None:
            with pytest.raises(IllegalMoveError, match=f"its own fan is the target of action {53 + KING}"):
                env.decode(action)
            continue
        assert env.decode(action) == move
        assert env.encode(move) == action
    assert env.encode(Merci(cards["KH"], cards["QS"])) == 53 + KING
    with pytest.raises(IllegalMoveError, match="no card is higher than a king"):
        env.decode(109 + 8 * KING)
    env.step(1 + 11)
    env.reset(seed=1, options={"deal": "Foundations: KC KD TH JS\nQH KS JH\nQS KH\n-\n"})
    assert env.decode(105 + 1) == ToSpace(cards["KH"])
    observation, *_ = env.step(105 + 1)
    assert observation["spaces"].tolist() == [0]
    env = make(merci="anywhere")
    env.reset(options={"deal": SHORT})
    assert env.decode(109 + 52 * KING + JACK) == Merci(cards["KH"], cards["JH"])


@pytest.mark.parametrize(("reward", "worth"), [("delta", 1.0), ("win", 1.0), ("shaped", 1 - 51 / 52)])
def test_a_win(reward: str, worth: float) -> None:
    env = make(reward=reward)
    env.reset(options={"deal": "Foundations: KC KD KH QS\nKS\n"})
    observation, found, terminated, truncated, info = env.step(1 + 12)
    assert found == worth
    assert (terminated, truncated, info["won"], info["completed"], info["score"]) == (True, False, True, 4, 52)
    assert observation["below"].tolist() == [53] * 52
    assert not info["action_mask"].any()


def test_where_nothing_can_move_the_redeal_is_left_or_the_game_is_over() -> None:
    stuck = "Foundations: KC KD TH JS\nJH QH KS\nQS KH\n"
    env = make(variant="classic")
    _, info = env.reset(seed=1, options={"deal": stuck})
    assert np.flatnonzero(info["action_mask"]).tolist() == [0]
    observation, *_ = env.step(0)
    assert observation["redeals"].tolist() == [1]
    with pytest.raises(UsageError, match="this game is over: it is stuck"):
        env.reset(options={"deal": f"Deal: 3\n{stuck}"})


def test_redeals_are_those_of_the_deal_or_drawn() -> None:
    env = make(variant="classic")
    env.reset(seed=4, options={"deal": "belle-lucie/classic@17"})
    assert env.state.redeals == un.deal("belle-lucie/classic@17").redeals
    # A typed table: one number is drawn, and redeal k has the order of its deck k, without what is up.
    env.reset(seed=4, options={"deal": SHORT})
    decks = un.game("belle-lucie").decks(int(gym.utils.seeding.np_random(4)[0].integers(2**63)))
    left = {Card.parse(name) for name in ("JH", "QH", "KH", "QS", "KS")}
    drawn = [tuple(card for card in next(decks) if card in left) for _ in range(2)]
    assert list(env.state.redeals) == drawn
    typed = "KS QS KH QH JH"
    env.reset(seed=4, options={"deal": f"Redeal 1: {typed}\n{SHORT}"})
    assert list(env.state.redeals) == [tuple(map(Card.parse, typed.split())), drawn[1]]
    # In the batch each environment draws for itself.
    batch: Any = gym.make_vec(ID, num_envs=3, variant="classic")
    batch.reset(seed=4, options={"deal": SHORT})
    assert list(batch.state(0).redeals) == drawn
    assert len({batch.state(place).redeals for place in range(3)}) == 3


def test_more_fans_than_cards_are_refused() -> None:
    env = make(kings_to_spaces=True)
    with pytest.raises(UsageError, match="53 fans are too many; expected at most 52"):
        env.reset(options={"deal": SHORT + "-\n" * 51})


def test_pictures_hold_any_number_of_fans() -> None:
    for rules in ({"fan_size": 1}, {"fan_size": 13}, {"kings_to_spaces": True, "redeals": 2, "merci": "play"}):
        env = make(render_mode="rgb_array", **rules)
        env.reset(seed=1)
        picture = env.render()
        assert (picture.shape, picture.dtype) == ((480, 640, 3), np.uint8)
