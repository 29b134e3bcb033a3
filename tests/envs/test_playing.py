"""Players inside environments: what they play there is what they play in a simulation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gymnasium as gym
import pytest

import unshuffle as un
from tests.laws import tokens
from unshuffle.envs.episodes import play_deals
from unshuffle.envs.playing import Seat, actions_of, describe_environment, solve_actions
from unshuffle.errors import UsageError
from unshuffle.games.spider.envs import SpiderSteps
from unshuffle.games.spider.moves import Run
from unshuffle.registry import games_with
from unshuffle.simulate import Luck, play_game, policy_of
from unshuffle.solve import replay

pytestmark = pytest.mark.both_engines

PLAYERS = [
    ("belle-lucie", "one-deal", "random:seed=3"),
    ("belle-lucie", "classic", "greedy"),
    ("belle-lucie", "classic", "value"),
    ("belle-lucie", "merci", "thumb"),
    ("gaps", "addiction", "random"),
    ("gaps", "montana", "greedy"),
    ("gaps", "addiction", "max-locked:100"),
    ("gaps", "addiction", "value:100"),
    ("aces-up", "standard", "random"),
    ("aces-up", "standard", "greedy"),
    ("aces-up", "standard", "rules:2,1,10"),
    ("aces-up", "standard", "weights"),
    ("aces-up", "standard", "rollout:2"),
    ("aces-up", "standard", "planner:2"),
    ("agnes", None, "random"),
    ("agnes", None, "greedy"),
    ("agnes", None, "rollout:1"),
    ("spider", "4-suits", "greedy"),
    ("spider", "1-suit", "random:60"),
    ("spider", "1-suit", "plan:5"),
]


def environment(game: Any, **arguments: Any) -> Any:
    name, own = describe_environment(game)
    return gym.make(name, **{"max_episode_steps": -1, "disable_env_checker": True} | own | arguments)


def play(env: Any, seat: Seat, deal: str) -> tuple[list[Any], dict[str, Any]]:
    """The moves of an episode, as the environment means its actions, and the last infos."""
    _, info = env.reset(options={"deal": deal})
    seat.sit()
    moves, is_over = [], False
    while not is_over and (action := seat.act()) is not None:
        moves.append(env.unwrapped.decode(action))
        _, _, is_over, _, info = env.step(action)
        assert not info["invalid"]
    return moves, info


@pytest.mark.parametrize(("game_id", "variant", "policy"), PLAYERS)
def test_an_episode_is_the_game_of_the_simulation(game_id: str, variant: str | None, policy: str) -> None:
    """Law: move for move, with the same end. In Spider a move that takes two actions costs a point more."""
    game = un.game(game_id, variant)
    env, chosen = environment(game), policy_of(game, policy)
    seat = Seat(env, policy)
    for state in (game.deal(1), game.deal("python:12345#3"))[: 1 if chosen.keeps_lines else 2]:
        assert state.id is not None
        moves, info = play(env, seat, state.id)
        if chosen.keeps_lines:  # the engine thinks in another order than the Python side, and plays other games
            game_played = play_game(chosen, state, Luck(state.id, chosen.seed))
            line, score, won = game_played.moves, game_played.score, game_played.won
        else:
            [record] = un.simulate(game, policy, [state.id.partition("@")[2]])
            line, score, won = record.moves, record.score, record.won
        more = len(moves) - len(line)
        if not more:
            assert tokens(moves) == tokens(line)
        assert (info["score"], info["won"]) == (score - more, won)
        end: Any = replay(state, line).states[-1]
        if more:
            assert (game_id, variant, policy) == ("spider", "1-suit", "random:60")
            end = replace(end, moves=end.moves + more)
        assert env.unwrapped.state == end


def test_an_episode_ends_with_the_win_where_a_list_of_rules_plays_on() -> None:
    game = un.game("aces-up")
    [record] = un.simulate(game, "rules:2,1,10", [272])
    env = environment(game)
    moves, info = play(env, Seat(env, "rules:2,1,10"), str(record.deal))
    assert info["won"]
    assert record.won
    assert info["score"] == record.score
    assert len(moves) < len(record.moves)
    assert tokens(moves) == tokens(record.moves[: len(moves)])


def test_some_game_of_spider_has_moves_that_take_two_actions() -> None:
    """So the law above is about them too."""
    steps = SpiderSteps(1, True)
    [record] = un.simulate(steps.game, "random:60", [1])
    assert len(list(actions_of(steps, steps.game.deal(1), record.moves))) == len(record.moves) + 2


def test_a_part_of_a_run_goes_by_way_of_the_first_empty_pile() -> None:
    steps = SpiderSteps(1, True)
    state = steps.game.deal(1)
    [record] = un.simulate(steps.game, "random:60", [1])
    for move in record.moves:
        actions = steps.encode_whole(state, move)
        after = state.play(move)
        if len(actions) == 2:
            assert isinstance(move, Run)
            first, second = actions
            between = state.play(steps.decode(state, first))
            assert between.play(steps.decode(between, second)) == replace(after, moves=after.moves + 1)
            with pytest.raises(UsageError, match="no action makes the move"):
                steps.encode(state, move)
        state = after


def test_a_typed_position_is_played_on_as_in_a_simulation() -> None:
    """With the costliest player, on the last moves of a game; and with the solver."""
    game = un.game("spider", "1-suit")
    [record] = un.simulate(game, "plan:20", [0])
    assert record.won
    state = game.with_id(replay(game.deal(0), record.moves).states[-6], None)
    [played] = un.simulate(game, "search:1", states=[state])
    env = environment(game)
    moves, info = play(env, Seat(env, "search:1"), str(state))
    assert tokens(moves) == tokens(played.moves)
    assert (info["score"], info["won"]) == (played.score, played.won)
    assert moves
    env.reset(options={"deal": str(state)})
    for action in solve_actions(env, nodes=10_000) or ():
        info = env.step(action)[4]
    assert info["won"]


def test_a_policy_of_ones_own_sees_no_state() -> None:
    """It gets what `simulate` gives it: a view and the legal moves."""
    seen = []

    class Mine(un.Policy):
        name = "mine"

        def player(self, luck: Luck) -> Any:
            def choose(view: Any, moves: tuple[Any, ...]) -> Any:
                seen.append((type(view), len(moves)))
                return moves[0] if len(seen) < 4 else None

            return choose

    game = un.game("agnes")
    env = environment(game)
    state = game.deal(2)
    moves, _ = play(env, Seat(env, Mine()), str(state.id))
    assert len(moves) == 3
    assert seen[0] == (type(state.view()), len(state.legal_moves()))
    assert len(seen) == 4


def test_a_policy_sits_down_first() -> None:
    env = environment(un.game("agnes"))
    env.reset(seed=1)
    with pytest.raises(UsageError, match="sit"):
        Seat(env, "random").act()
    with pytest.raises(UsageError, match="unknown policy"):
        Seat(env, "nobody")
    with pytest.raises(UsageError, match="whole moves"):
        Seat(gym.make("CartPole-v1"), "random")


@pytest.mark.parametrize(
    "deal", ["belle-lucie/one-deal@60", "agnes/down-color-any1@5", "aces-up/standard@29", "gaps/addiction@16"]
)
def test_the_line_of_the_solver_wins(deal: str) -> None:
    """Law: the actions are those of the line, and win."""
    game = un.game(*deal.partition("@")[0].split("/"))
    env = environment(game)
    env.reset(options={"deal": deal})
    actions = solve_actions(env, nodes=100_000)
    assert actions is not None
    moves = []
    for action in actions:
        moves.append(env.unwrapped.decode(action))
        _, _, terminated, _, info = env.step(action)
    assert tokens(moves) == tokens(un.solve(game.deal(int(deal.partition("@")[2])), nodes=100_000).moves)
    assert terminated
    assert info["won"]


def test_a_deal_without_a_win_has_no_actions() -> None:
    env = environment(un.game("belle-lucie"))
    env.reset(options={"deal": "belle-lucie/one-deal@6"})
    assert solve_actions(env, nodes=100_000) is None


def test_every_game_names_its_environment() -> None:
    for game_id in games_with("environment"):
        for variant in un.game(game_id).variants:
            game = un.game(game_id, variant)
            name, arguments = describe_environment(game)
            assert gym.make(name, **arguments).get_wrapper_attr("stepped").game.rules == game.rules
    changed = un.game("belle-lucie", fan_size=4)
    name, arguments = describe_environment(changed)
    assert gym.make(name, **arguments).get_wrapper_attr("stepped").game.rules == changed.rules
    with pytest.raises(UsageError, match="no environment plays spider"):
        describe_environment(un.game("spider", piles=4, ranks=3, runs=4, table=8))


@pytest.mark.parametrize(
    ("name", "variant", "policy"), [("aces-up", "standard", "weights"), ("gaps", "basic", "random")]
)
def test_episodes_of_a_policy_are_the_games_of_simulate(name: str, variant: str, policy: str) -> None:
    game, deals = un.game(name, variant), range(20, 60)
    episodes = list(play_deals(game, policy, deals))
    games = un.simulate(game, policy, deals)
    assert [episode is None for episode in episodes] == [game.deal(deal).outcome is not None for deal in deals]
    played = [(deal, episode) for deal, episode in zip(deals, episodes, strict=True) if episode is not None]
    assert [episode.deal for _, episode in played] == [f"{game}@{deal}" for deal, _ in played]
    assert [episode.score for _, episode in played] == [int(games.scores[deal - 20]) for deal, _ in played]
    assert sum(episode.ended == "won" for _, episode in played) == games.wins


def test_an_episode_without_a_move_is_none() -> None:
    found = list(play_deals(un.game("belle-lucie", "shamrocks"), "random", range(280, 283)))
    assert [episode is None for episode in found] == [False, True, False]


def test_spider_s_search_plays_in_the_environment() -> None:
    if un.engine.native() is None:
        return  # it would take minutes
    [episode] = play_deals(un.game("spider", "1-suit"), "search:1", range(1))
    assert episode is not None
    assert (episode.ended, episode.observations.shape) == ("won", (len(episode.actions) + 1, 855))
