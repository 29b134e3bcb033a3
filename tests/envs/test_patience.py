"""`unshuffle/Patience-v0`: actions and observations that follow from places, for every game that has them."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import unshuffle as un
from tests.ladder import Ladder, Move, State
from tests.laws import every_game, random_line
from tests.stairs import STAIRS
from unshuffle.cards import PACK
from unshuffle.envs import DEFAULT
from unshuffle.envs.episodes import write_episodes
from unshuffle.envs.placed import Hand, PlacedSteps
from unshuffle.envs.playing import Seat, describe_environment
from unshuffle.envs.single import MoveEnv
from unshuffle.envs.stepped import CODES, FACE_DOWN
from unshuffle.errors import IllegalMoveError, UsageError
from unshuffle.places import Where
from unshuffle.places.gestures import Gesture

wrapper = pytest.mark.one_engine("this environment plays by the Python rules with either engine")

CARDS = {int(CODES[card.index]): card for card in PACK} | {FACE_DOWN: None}


def make(**arguments: Any) -> MoveEnv:
    env = gym.make(DEFAULT, **arguments).unwrapped
    assert isinstance(env, MoveEnv)
    return env


PLACED = [Ladder(), Ladder("open", piles=7, down=1), *(game for game in every_game() if game.places is not None)]


@pytest.mark.parametrize("game", PLACED, ids=str)
def test_every_legal_move_has_one_action_and_every_card_that_is_seen_a_code(game: un.Game[Any, Any]) -> None:
    """Law: actions and moves are each other's inverse, and the rows of codes are the board as a player knows it."""
    steps = PlacedSteps(game)
    assert len(set(steps.hands)) == steps.actions
    for state in random_line(game, 3, at_most=30):
        legal, moves = steps.legal(state), state.legal_moves()
        if state.outcome is None:
            assert [steps.decode(state, action) for action in legal] == sorted(
                moves, key=lambda move: steps.encode(state, move)
            )
            assert len(legal) == len(moves)
        else:
            assert legal == []
        bytes_ = steps.observe(state)
        assert bytes_.shape == (steps.bytes,)
        parts, start = {}, 0
        for name, (shape, most) in steps.parts.items():
            parts[name] = bytes_[start : start + int(np.prod(shape))].reshape(shape)
            assert parts[name].max(initial=0) <= most
            start += parts[name].size
        board = game.board(state).seen()
        heights = iter(parts["height"])
        for area in board.places.areas:
            for row, pile in zip(parts.get(area.name, ()), board.piles[area.name], strict=False):
                told = pile[-1:] if area.kind in ("foundation", "completed") else pile
                assert [CARDS[code] for code in row if code] == list(told)
                assert next(heights) == len(pile)
            # Those that have left the table.
            gone = parts[area.name][len(board.piles[area.name]) :] if area.name in parts else np.zeros((0, 1))
            assert not gone.any()
            assert sum(int(next(heights)) for _ in gone) == 0


def test_hands_say_what_actions_do() -> None:
    steps = PlacedSteps(Ladder())
    state = Ladder().parse("Cells: - -\n1: AC\n2: [9D 3H] 2C\n3:\n4:\n" + rest_of("AC 9D 3H 2C"))
    said = {move.token: steps.hands[steps.encode(state, move)] for move in state.legal_moves()}
    assert said == {
        "1f": Hand(Where("piles", 0), 1, Where("foundations", 0)),
        "1-c1": Hand(Where("piles", 0), 1, Where("cells", 0)),
        "2-c1": Hand(Where("piles", 1), 1, Where("cells", 0)),
        "d": Hand(Where("stock", 0)),
    }
    assert steps.encode(state, Move("d")) == 0
    # 11 clicks; from 4 piles to 4 piles, 2 cells and the foundations; from 2 cells; from 4 foundations.
    assert steps.actions == 11 + 4 * (3 + 2 + 1) + 2 * (4 + 1 + 1) + 4 * (4 + 2)


def rest_of(text: str) -> str:
    """A stock of all cards but these."""
    return "Stock: " + " ".join(str(card) for card in PACK if str(card) not in text.split())


def test_an_illegal_action_is_told_in_words() -> None:
    golf, agnes = PlacedSteps(un.game("golf")), PlacedSteps(un.game("agnes"))
    deep = agnes.hands.index(Hand(Where("piles", 1), 3, Where("piles", 4)))
    for steps, action, words in ((golf, 1, "'Waste'"), (agnes, deep, "'Pile 2, card 3 from the top, to Pile 5'")):
        with pytest.raises(IllegalMoveError, match=rf"^illegal move {words} in .*: no legal move is made by this"):
            steps.decode(steps.game.deal(7), action)
    with pytest.raises(IllegalMoveError, match="no neighbour of the waste"):
        golf.encode(golf.game.deal(7), golf.game.parse_move("4D"))


@wrapper
def test_where_fans_vanish_a_deal_says_how_many_there_are() -> None:
    steps = PlacedSteps(un.game("belle-lucie"))
    assert steps.parts["fans"] == ((18, 52), FACE_DOWN)
    state = steps.game.parse("\n".join(map(str, PACK)))
    with pytest.raises(UsageError, match="52 fans are too many; a deal has 18"):
        steps.check_fit(state)
    with pytest.raises(UsageError, match="52 fans are too many"):
        make(game="belle-lucie").reset(options={"deal": str(state)})


@pytest.mark.parametrize(
    ("gesture", "words"),
    [
        (None, r"no action makes the move '1-c1' of ladder/plain: its places have no such gesture"),
        (Gesture(Where("stock", 0), 0, 1, Where("piles", 0)), r"no action makes the move '1-c1'"),
        (Gesture(Where("stock", 0)), r"no action tells the moves '1-c1' and '2-c1' of ladder/plain apart"),
    ],
)
def test_a_game_whose_gestures_tell_too_little_is_told_so(gesture: Gesture | None, words: str) -> None:
    class Vague(Ladder):
        id = "ladder"

        def gesture(self, table: Any, move: Any) -> Gesture | None:
            return gesture

    steps = PlacedSteps(Vague())
    state: State = steps.game.parse("1: 5C\n2: 6C\n3:\n4:\n" + rest_of("5C 6C"))
    with pytest.raises(UsageError, match=words):
        steps.legal(state)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, ["game=None is not allowed; it is the id of a game, such as 'aces-up'"]),
        ({"game": 7, "obs": "box"}, ["game=7 is not allowed", "obs='box' is not allowed"]),
        ({"game": "laddr", "gamma": 3}, ["unknown game 'laddr'", "ladder", "gamma=3 is not allowed"]),
        ({"game": "ladder/opn"}, ["unknown variant of ladder 'opn'"]),
        ({"game": "ladder/open", "variant": "plain"}, ["has a variant already; variant='plain' is one too many"]),
        ({"game": "agnes", "ranks": 5, "piles": "x"}, ["piles"]),
        ({"game": "bare"}, ["there is no environment for bare, which has neither one of its own nor places"]),
        ({"game": "ladder", "fans": 3}, ["got an unexpected keyword argument 'fans' (known: ", " game, "]),
    ],
    ids=str,
)
@pytest.mark.parametrize("form", ["single", "batch"])
@wrapper
def test_what_is_wrong_is_named(
    monkeypatch: pytest.MonkeyPatch, form: str, arguments: dict[str, Any], words: list[str]
) -> None:
    class Bare(Ladder):
        id = "bare"
        places = None  # type: ignore[assignment]

    monkeypatch.setitem(un.registry._registered, "bare", Bare())
    making: Any = gym.make if form == "single" else partial(gym.make_vec, num_envs=2)
    with pytest.raises(UsageError) as caught:
        making(DEFAULT, **arguments)
    for part in words:
        assert part in str(caught.value)


@pytest.mark.parametrize("name", ["ladder", "golf"])
@wrapper
def test_a_game_without_an_environment_of_its_own_has_this_one(name: str) -> None:
    game = un.game(name)
    env, arguments = describe_environment(game)
    assert (env, arguments) == (DEFAULT, {"game": name, "variant": "plain"})
    assert gym.make(env, **arguments).get_wrapper_attr("stepped").game == game
    assert make(game=f"{name}/plain").stepped.game == game
    changed = Ladder("open", piles=6)
    assert gym.make(env, **describe_environment(changed)[1]).get_wrapper_attr("stepped").game == changed
    with pytest.raises(UsageError, match="there is no environment for stairs-3, which has neither"):
        describe_environment(STAIRS["stairs-3"])
    # Those that have one keep it.
    assert describe_environment(un.game("agnes"))[0] == "unshuffle/Agnes-v0"


@wrapper
def test_a_policy_plays_in_it_what_it_plays_in_a_simulation() -> None:
    env = make(game="golf")
    _, info = env.reset(options={"deal": "golf/plain@7"})
    seat = Seat(env, "greedy")
    seat.sit()
    while (action := seat.act()) is not None:
        info = env.step(action)[4]
    assert info["score"] == un.simulate(un.game("golf"), "greedy", [7]).scores[0] > 0


@pytest.mark.parametrize(("name", "obs"), [("ladder", "dict"), ("golf", "flat")])
@wrapper
def test_its_episodes_are_written_and_played_again(tmp_path: Path, name: str, obs: str) -> None:
    """Law: the file makes its environment again, and each row is what this environment gives."""
    from pyarrow import parquet

    path = tmp_path / "e.parquet"
    written = write_episodes(path, un.game(name), "random", range(3), obs=obs)
    assert (written.episodes, written.won) == (3, 0)
    origin = json.loads(parquet.read_metadata(path).metadata[b"unshuffle"])
    env = gym.make(origin["env_id"], **origin["kwargs"])
    for row in parquet.read_table(path).to_pylist():
        observation, info = env.reset(options={"deal": row["deal"]})
        for step in range(row["total_steps"] + 1):
            parts = {"observations": observation} if obs == "flat" else observation
            for part, value in parts.items():
                column = "observations" if obs == "flat" else f"observations/{part}"
                assert row[column][step] == np.asarray(value).ravel().tolist()
            assert row["action_masks"][step] == info["action_mask"].tolist()
            if step < row["total_steps"]:
                observation, reward, _, _, info = env.step(row["actions"][step])
                assert reward == row["rewards"][step]
        assert (info["score"], info["won"], row["ended"]) == (row["score"], row["won"], "stuck")


@wrapper
def test_the_solver_s_wins_are_episodes_of_it(tmp_path: Path) -> None:
    written = write_episodes(tmp_path / "e.parquet", un.game("golf"), None, range(31, 33), limits={"nodes": 1_500})
    assert (written.episodes, written.won, written.undecided) == (1, 1, 1)
