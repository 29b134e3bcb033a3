"""What somebody meets first: deals in every form, the checker with pictures, pages with the customary headings."""

from __future__ import annotations

import re
import warnings
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import unshuffle as un
from tests.envs.comparing import assert_same
from tests.laws import ROOT
from unshuffle.deals import Source
from unshuffle.envs.playing import describe_environment
from unshuffle.envs.single import MoveEnv
from unshuffle.envs.vector import MoveVectorEnv
from unshuffle.registry import games_with

pytestmark = pytest.mark.one_engine("checks the wrappers, not the tables")

HEADINGS = [
    "Description",
    "Action Space",
    "Observation Space",
    "Rewards",
    "Starting State",
    "Episode End",
    "Information",
    "Arguments",
    "Reset Arguments",
    "Vectorized environment",
    "Version History",
]
WITH_REDEALS = [("belle-lucie", "classic"), ("gaps", "addiction")]

each_game = pytest.mark.parametrize("game_id", games_with("environment"))


def environments(game: un.Game[Any, Any], tables: int) -> tuple[MoveEnv, MoveVectorEnv]:
    name, arguments = describe_environment(game)
    env, batch = gym.make(name, **arguments).unwrapped, gym.make_vec(name, num_envs=tables, **arguments)
    assert isinstance(env, MoveEnv)
    assert isinstance(batch, MoveVectorEnv)
    return env, batch


def deck_of(game: un.Game[Any, Any], seed: int) -> str:
    return "Deck: " + " ".join(map(str, game.deck(Source(seed))))


@each_game
def test_a_deck_a_layout_and_an_id_lay_the_same_table(game_id: str) -> None:
    game = un.game(game_id)
    texts = [f"{game}@17", str(game.deal(17)), deck_of(game, 17)]
    env, batch = environments(game, len(texts))
    shown = [env.reset(seed=1, options={"deal": text})[0] for text in texts]
    assert_same(shown[0], shown[1])
    assert_same(shown[0], shown[2])
    together, _ = batch.reset(seed=1, options={"deal": texts})
    for place, alone in enumerate(shown):
        assert_same({name: part[place] for name, part in together.items()}, alone)
    assert env.reset(options={"deal": texts[0]})[1]["deal"] == texts[0]
    assert env.reset(options={"deal": texts[2]})[1]["deal"] is None


@pytest.mark.parametrize(("game_id", "variant"), WITH_REDEALS)
def test_redeals_are_those_of_the_id_and_a_typed_deal_draws_them(game_id: str, variant: str) -> None:
    game = un.game(game_id, variant)
    env, batch = environments(game, 2)

    def redeals(text: str, seed: int) -> Any:
        env.reset(seed=seed, options={"deal": text})
        return env.state.redeals

    dealt = game.deal(17).redeals
    assert len(dealt) == game.rules.redeals
    assert redeals(f"{game}@17", 1) == redeals(f"{game}@17", 2) == dealt
    typed = [redeals(deck_of(game, 17), seed) for seed in (1, 1, 2)]
    assert typed[0] == typed[1] != typed[2]
    assert all(len(drawn) == game.rules.redeals for drawn in typed)
    batch.reset(seed=1, options={"deal": [deck_of(game, 17)] * 2})
    assert [batch.state(place).redeals for place in range(2)] == typed[1:]


@each_game
def test_the_checker_looks_at_pictures_too(game_id: str, capfd: pytest.CaptureFixture[str]) -> None:
    env, _ = environments(un.game(game_id), 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env)
    out, err = capfd.readouterr()
    # One table, which the mode `human` has written.
    assert (len(re.findall(r"score", out)), err) == (1, "")


@each_game
def test_whoever_plays_no_legal_move_does_not_live_for_ever(game_id: str) -> None:
    """The registered limit holds in both forms, and counts wasted moves."""
    name = un.game(game_id).has.environment_id
    env, batch = gym.make(name, max_episode_steps=3), gym.make_vec(name, num_envs=2, max_episode_steps=3)
    _, info = env.reset(seed=1)
    batch.reset(seed=1)
    wrong = int(info["action_mask"].argmin())
    for step in range(3):
        _, _, terminated, truncated, info = env.step(wrong)
        assert (terminated, truncated, info["invalid"], info["num_moves"]) == (False, step == 2, True, step + 1)
        ends = batch.step(np.array([wrong, wrong]))[2:4]
        assert [(bool(ended[0]), ended.shape) for ended in ends] == [(False, (2,)), (step == 2, (2,))]


@pytest.mark.parametrize("name", [*games_with("environment"), "patience"])
def test_the_page_has_the_customary_headings(name: str) -> None:
    page = (ROOT / "docs" / "envs" / f"{name}.md").read_text("utf-8")
    found = [heading for heading in re.findall(r"^## (.+)$", page, re.MULTILINE) if heading in HEADINGS]
    assert found == HEADINGS
