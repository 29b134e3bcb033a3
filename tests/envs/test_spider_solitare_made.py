"""SpiderSolitare-v0: arguments, options and spaces, small games, and what Gymnasium demands of an environment."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env

import unshuffle as un
from tests.envs.solitare import ID, Table, episode, layout, make, random_actions, same, valid
from tests.laws import IS_LONG
from unshuffle.errors import InvalidDealError
from unshuffle.games.spider.envs.solitare import SpiderSolitareEnv

SMALL = [
    {"num_suits": 1, "num_piles": 2, "num_ranks": 2, "num_completed_suits": 1},
    {"num_suits": 1, "num_piles": 3, "num_ranks": 3, "num_completed_suits": 2},
    {"num_suits": 2, "num_piles": 4, "num_ranks": 4, "num_completed_suits": 4},
    {"num_suits": 4, "num_piles": 10, "num_ranks": 3, "num_completed_suits": 4},
    {"num_suits": 4, "num_piles": 6, "num_ranks": 5, "num_completed_suits": 8},
    {"num_suits": 2, "num_piles": 7, "num_ranks": 13, "num_completed_suits": 2},
]


# Arguments and options.


def test_the_defaults_are_those_of_the_page() -> None:
    spec = gym.spec(ID)
    assert spec.max_episode_steps == 750
    env = make()
    assert (env.render_mode, env.theme, env.strict_hand, env.reward, env.hide_obs) == (
        None,
        "dark",
        False,
        "score",
        True,
    )
    card = spaces.MultiDiscrete([14, 5, 2])
    cards = spaces.Sequence(card, stack=True)
    assert env.action_space == spaces.Discrete(21)
    assert env.observation_space == spaces.Dict(
        {
            "bank": cards,
            "completed_suits": spaces.Dict({f"completed_suit_{number}": cards for number in range(1, 9)}),
            "hand": spaces.Sequence(card),
            "piles": spaces.Dict({f"pile_{number}": cards for number in range(1, 11)}),
            "pickup_pile_index": spaces.Discrete(11),
            "num_moves": spaces.Discrete(600),
            "score": spaces.Discrete(2000, start=-999),
        }
    )
    observation, info = env.reset(seed=0)
    assert [len(observation["piles"][f"pile_{number}"]) for number in range(1, 11)] == [6] * 4 + [5] * 6
    assert observation["bank"].shape == (50, 3)
    assert observation["hand"] == ()
    assert all(slot.shape == (0, 3) for slot in observation["completed_suits"].values())
    assert (observation["pickup_pile_index"], observation["num_moves"], observation["score"]) == (0, 0, 0)
    assert info.keys() == {"action_mask", "num_moves", "score", "completed", "won", "invalid"}


def test_a_program_written_for_the_peer_finds_its_id() -> None:
    theirs = gym.make("spider_solitare/SpiderSolitare-v0", num_suits=2)
    assert theirs.spec is not None
    assert theirs.spec.max_episode_steps == 750
    assert type(theirs.unwrapped) is SpiderSolitareEnv
    assert same(theirs.reset(seed=8), make(num_suits=2).reset(seed=8))


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("render_mode", "human", "None, 'ansi', 'rgb_array'"),
        ("num_suits", 3, "1, 2, 4"),
        ("num_suits", True, "1, 2, 4"),
        ("num_suits", "4", "1, 2, 4"),
        ("theme", "blue", "'dark', 'light'"),
        ("strict_hand", 1, "False, True"),
        ("reward", "win", "'score', 'delta'"),
        ("hide_obs", None, "True, False"),
        ("num_piles", 11, "2..10"),
        ("num_ranks", 1, "2..13"),
        ("num_completed_suits", 0, "1..8"),
    ],
)
def test_a_bad_argument_is_named_with_what_it_may_be(name: str, value: Any, allowed: str) -> None:
    with pytest.raises(ValueError, match="is not allowed") as caught:
        SpiderSolitareEnv(**{name: value})
    assert str(caught.value) == f"{name}={value!r} is not allowed; it may be {allowed}"


def test_all_bad_arguments_are_named_at_once() -> None:
    with pytest.raises(ValueError, match="num_suits=5") as caught:
        make(num_suits=5, theme="blue", reward="win", num_piles=0)
    assert str(caught.value).count("is not allowed") == 4
    with pytest.raises(ValueError, match="not a multiple") as caught:
        make(num_suits=2, num_piles=10, num_ranks=3, num_completed_suits=3)
    assert str(caught.value) == (
        "num_completed_suits=3 is not a multiple of num_suits=2; "
        "num_completed_suits=3 runs of num_ranks=3 are 9 cards, too few for num_piles=10"
    )


def test_a_deal_may_be_a_deck_a_layout_or_an_id() -> None:
    env = make(num_suits=2)
    game = un.game("spider", "2-suits")
    dealt = game.deal(17)
    texts = ["spider/2-suits@17", " spider/2-suits-strict@17\n", str(dealt), "Id: spider/2-suits@17"]
    texts.append("Deck: " + " ".join(map(str, game.deck(un.deals.Source(17)))))
    first, _ = env.reset(options={"deal": texts[0]})
    for text in texts:
        observation, _ = env.reset(options={"deal": text})
        assert env._present == dealt
        assert same(observation, first)
    later = dealt.play(dealt.legal_moves()[0])
    _, info = env.reset(options={"deal": str(later)})
    assert (info["num_moves"], info["score"]) == (1, later.score)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["deal"], "expected a dictionary"),
        ({"deal": 17}, "which is not text"),
        ({"deal": "spider/4-suits@17"}, "does not fit: this environment plays spider/2-suits"),
        ({"deal": "gaps/basic@17"}, "is a deal of 'gaps', not of spider"),
        ({"deal": "spider/3-suits@17"}, "unknown variant of spider '3-suits'; did you mean"),
        ({"deal": "spider/2-suits@-1"}, "is not a seed"),
        ({"deal": ""}, "missing"),
        ({"deal": layout({}, "S S S S H H H H")}, "this game is over: it is won"),
        ({"seed": 3}, "unknown option 'seed'"),
        ({"deals": "spider/2-suits@17"}, "did you mean 'deal'"),
    ],
)
def test_bad_options_are_refused(options: Any, message: str) -> None:
    env = make(num_suits=2)
    with pytest.raises(ValueError, match=r".") as caught:
        env.reset(options=options)
    assert message in str(caught.value)


def test_all_bad_options_are_named_at_once() -> None:
    with pytest.raises(ValueError, match=r"(?s)unknown option 'theme'.*'1X' is not a card"):
        make().reset(options={"theme": "dark", "deal": "Deck: 1X"})
    with pytest.raises(InvalidDealError) as caught:
        make().reset(options={"deal": "Deck: 1X 2X"})
    assert len(caught.value.faults) > 2


# Seeds.


def test_a_seed_names_the_episode_and_the_next_ones_follow() -> None:
    one, other = make(), make()
    for seed in (0, 1, 2**31):
        assert same(one.reset(seed=seed), other.reset(seed=seed))
        assert same(one.reset(), other.reset())
        assert one._present == other._present
        third = make()
        third.reset(seed=seed)
        assert third._present != one._present
    one.reset(seed=0)
    zero = one._present
    one.reset(seed=1)
    assert one._present != zero
    # As in Spider-v0: one number is drawn and names a deal of the default generator.
    number = int(np.random.Generator(np.random.PCG64(1)).integers(2**63))
    assert one._present == un.game("spider").deal(number)


# Small games.


@pytest.mark.parametrize("small", SMALL, ids=str)
@pytest.mark.parametrize("strict_hand", [False, True])
def test_all_spaces_follow_a_small_game(small: dict[str, int], strict_hand: bool) -> None:
    env = make(strict_hand=strict_hand, **small)
    piles, runs, ranks = small["num_piles"], small["num_completed_suits"], small["num_ranks"]
    assert env.action_space == spaces.Discrete(2 * piles + 1)
    assert isinstance(env.observation_space, spaces.Dict)
    assert env.observation_space["pickup_pile_index"] == spaces.Discrete(piles + 1)
    assert env.observation_space["hand"] == spaces.Sequence(
        spaces.MultiDiscrete([ranks + 1, small["num_suits"] + 1, 2])
    )
    assert isinstance(env.observation_space["piles"], spaces.Dict)
    assert set(env.observation_space["piles"]) == {f"pile_{number}" for number in range(1, piles + 1)}
    wins = 0
    for seed in range(12 if IS_LONG else 6):
        observation, info = env.reset(seed=seed)
        assert len(observation["completed_suits"]) == runs
        on_table = sum(map(len, observation["piles"].values()))
        # At least half of the deck, and no row more in the bank.
        assert runs * ranks <= 2 * on_table < runs * ranks + 2 * piles or len(observation["bank"]) == 0
        table = Table(env._present)
        assert valid(info) == table.valid(strict_hand)
        for action, (observation, _, _, _, info) in random_actions(env, seed, 50):
            assert env.observation_space.contains(observation)
            table.act(action)
            assert valid(info) == table.valid(strict_hand)
        wins += info["won"]
        if info["won"]:
            assert all(
                slot[:, 0].tolist() == list(range(ranks, 0, -1)) for slot in observation["completed_suits"].values()
            )
    # Random play wins the smallest ones, unless a strict hand ends it first.
    assert wins > 0 or runs * ranks > 6 or strict_hand


def test_an_episode_does_not_begin_on_a_table_that_is_stuck() -> None:
    """Three cards on two piles, no bank: with the two at the bottom nothing can be done."""
    env = make(num_suits=1, num_piles=2, num_ranks=3, num_completed_suits=1)
    drawn = []
    for seed in range(20):
        env.reset(seed=seed)
        assert env._present.outcome is None
        number = int(np.random.Generator(np.random.PCG64(seed)).integers(2**63))
        drawn.append(env._game.deal(number).outcome)
    assert un.Outcome.STUCK in drawn


def test_the_whole_game_deals_54_cards_by_the_rule_of_small_games() -> None:
    assert make()._game.rules.table == 54
    assert [make(num_suits=suits)._game.variant for suits in (1, 2, 4)] == ["1-suit", "2-suits", "4-suits"]


# Gymnasium.


@pytest.mark.parametrize("num_suits", [1, 2, 4])
@pytest.mark.parametrize("render_mode", [None, "ansi", "rgb_array"])
def test_check_env_has_nothing_to_say(
    num_suits: int, render_mode: str | None, capfd: pytest.CaptureFixture[str]
) -> None:
    """A warning would fail it too: the tests turn every warning into an error."""
    for arguments in ({}, {"strict_hand": True}, {"hide_obs": False, "reward": "delta"}):
        check_env(gym.make(ID, num_suits=num_suits, render_mode=render_mode, **arguments).unwrapped)
    assert capfd.readouterr() == ("", "")


def arrays(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [value, *(part for inner in value.values() for part in arrays(inner))]
    if isinstance(value, tuple):
        return [part for inner in value for part in arrays(inner)]
    return [value] if isinstance(value, np.ndarray) else []


def test_every_call_gives_new_arrays_and_dictionaries() -> None:
    """Law: whoever writes into an observation or an info changes nothing but that one."""
    won = episode("beam-win-1s-100")
    env, twin = make(num_suits=1), make(num_suits=1)
    deal = {"deal": "Deck: " + won["deck"]}
    given = env.reset(options=deal)
    assert same(given, twin.reset(options=deal))
    kept: set[int] = set()
    for action in won["actions"]:
        parts = arrays(given)
        # Nothing is there twice, and nothing that was there in the call before.
        assert len({id(part) for part in parts}) == len(parts)
        assert not kept & {id(part) for part in parts}
        before, kept = given, {id(part) for part in parts}
        given = env.step(action)  # type: ignore[assignment] # a step gives more than a reset
        assert same(given, twin.step(action))
        for part in arrays(before):
            if isinstance(part, dict):
                part.clear()
            else:
                part[...] = 7
    assert given[-1]["won"]
    assert env.action_masks() is not env.action_masks()


def test_every_picture_is_a_new_one() -> None:
    env = make(render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert isinstance(picture, np.ndarray)
    first = picture.copy()
    picture[:] = 0
    assert same(env.render(), first)


@pytest.mark.parametrize("num_suits", [1, 2, 4])
@pytest.mark.parametrize("hide_obs", [True, False])
def test_every_observation_lies_in_its_space(num_suits: int, hide_obs: bool) -> None:
    env = make(num_suits=num_suits, hide_obs=hide_obs)
    observation, info = env.reset(seed=num_suits)
    assert observation in env.observation_space
    steps = 0
    for _, (observation, *_, info) in random_actions(env, 1, 250 if IS_LONG else 80):
        assert observation in env.observation_space
        assert all(type(observation[key]) is int for key in ("pickup_pile_index", "num_moves", "score"))
        assert all(type(info[key]) is int for key in ("num_moves", "score", "completed"))
        assert all(type(info[key]) is bool for key in ("won", "invalid"))
        steps += 1
    assert steps > (150 if IS_LONG else 50)


def test_moves_and_score_of_an_observation_stop_at_their_ends() -> None:
    env = make(num_suits=1)
    deal = str(un.game("spider", "1-suit").deal(2))
    _, info = env.reset(options={"deal": deal.replace("Moves: 0", "Moves: 597")})
    seen = []
    for _ in range(5):
        observation, _, _, _, info = env.step(0)
        assert observation in env.observation_space
        seen.append((observation["num_moves"], info["num_moves"]))
    assert seen == [(598, 598), (599, 599), (599, 600), (599, 601), (599, 602)]
    exact = []
    for moves in (990, 1050):
        env.reset(options={"deal": deal.replace("Moves: 0", f"Moves: {moves}")})
        for _ in range(5):
            observation, reward, _, _, info = env.step(0)
            assert observation in env.observation_space
            assert observation["score"] == max(info["score"], -999)
            assert reward == info["score"]
            exact.append(info["score"])
    assert min(exact) < -999 < max(exact)


def test_pickling_and_deep_copies_go_on_alike() -> None:
    env = make(num_suits=2, render_mode="ansi")
    env.reset(seed=11)
    for _ in random_actions(env, 3, 101):
        pass
    for twin in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        assert twin.render() == env.render()
        ours = list(random_actions(copy.deepcopy(env), 9, 50))
        theirs = list(random_actions(twin, 9, 50))
        assert same(tuple(ours), tuple(theirs))
        assert same(twin.reset(), copy.deepcopy(env).reset())


def test_flattening_goes_as_far_as_sequences_allow() -> None:
    """Gymnasium makes a sequence of a sequence, and nothing of one without a card: Spider-v0 is the one to flatten."""
    env = make(num_suits=1)
    env.reset(seed=1)
    observation, *_ = env.step(1)
    space = env.observation_space
    assert isinstance(space, spaces.Dict)
    flat = spaces.flatten_space(space)
    assert isinstance(flat, spaces.Dict)
    for key in ("bank", "hand", "pickup_pile_index", "num_moves", "score"):
        assert spaces.flatten(space[key], observation[key]) in flat[key], key
    piles, flat_piles = space["piles"], flat["piles"]
    assert isinstance(piles, spaces.Dict)
    assert isinstance(flat_piles, spaces.Dict)
    for name, pile in observation["piles"].items():
        assert spaces.flatten(piles[name], pile) in flat_piles[name], name
