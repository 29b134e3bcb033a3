"""Spider-v0, one environment."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import unshuffle as un
from tests.envs.comparing import assert_same, some_action
from tests.envs.spiders import CLUBS, EMPTY, ID, NEARLY_WON, WINNING, make
from unshuffle.errors import IllegalMoveError, InvalidDealError, UsageError
from unshuffle.games.spider.envs import SpiderEnv
from unshuffle.games.spider.moves import Row, Run

pytestmark = pytest.mark.both_engines

SEVENTEEN = "spider/2-suits@17"


def test_the_spaces_are_those_of_the_page() -> None:
    env = make()
    assert env.action_space == gym.spaces.Discrete(211)
    space = env.observation_space
    assert isinstance(space, gym.spaces.Dict)
    shapes = {"completed": (4,), "face_down": (10,), "height": (10,), "stock": (1,), "tableau": (10, 83)}
    highs = {"completed": 8, "face_down": 5, "height": 83, "stock": 5, "tableau": 53}
    assert list(space) == sorted(shapes)
    for name, part in space.items():
        assert isinstance(part, gym.spaces.Box)
        assert (part.shape, part.dtype) == (shapes[name], np.dtype(np.uint8))
        assert (part.low == 0).all()
        assert (part.high == highs[name]).all()


def test_a_deal_is_shown_as_it_lies() -> None:
    env = make(num_suits=2)
    observation, info = env.reset(options={"deal": SEVENTEEN})
    state = un.deal(SEVENTEEN)
    assert observation["stock"].tolist() == [5]
    assert observation["completed"].tolist() == [0, 0, 0, 0]
    assert observation["face_down"].tolist() == list(state.down) == [5] * 4 + [4] * 6
    assert observation["height"].tolist() == [6] * 4 + [5] * 6
    for row, pile in zip(observation["tableau"].tolist(), state.piles, strict=True):
        # Spades 1..13, hearts 14..26; the page says so.
        last = pile[-1].rank + (13 if pile[-1].suit.word == "hearts" else 0)
        assert row == [53] * (len(pile) - 1) + [last] + [0] * (83 - len(pile))
    del info["action_mask"]
    assert info == {"num_moves": 0, "score": 0, "completed": 0, "won": False, "invalid": False, "deal": SEVENTEEN}
    assert env.state == state


@pytest.mark.parametrize("num_suits", [1, 2, 4])
@pytest.mark.parametrize("deal_on_empty", [True, False])
def test_the_mask_allows_what_the_rules_allow(num_suits: int, deal_on_empty: bool) -> None:
    """Law: every legal action is a legal move and back; every legal move that has no action is a split elsewhere."""
    env, rng = make(num_suits=num_suits, deal_on_empty=deal_on_empty), np.random.default_rng(num_suits)
    _, info = env.reset(seed=num_suits)
    for _ in range(60):
        state, legal = env.state, np.flatnonzero(info["action_mask"]).tolist()
        moves = [env.decode(action) for action in legal]
        assert [env.encode(move) for move in moves] == legal
        assert set(moves) <= set(state.legal_moves())
        first_empty = next((place for place, pile in enumerate(state.piles, 1) if not pile), 0)
        for move in set(state.legal_moves()) - set(moves):
            assert isinstance(move, Run)
            assert not state.piles[move.target - 1]
            assert move.target != first_empty
            assert move.count < state.run_length(move.source)
            with pytest.raises(UsageError, match="lowest-numbered empty pile"):
                env.encode(move)
        action = some_action(rng, info["action_mask"], invalid=0)
        move = env.decode(action)
        _, reward, _, _, info = env.step(action)
        assert env.state == state.play(move)
        assert reward == env.state.score - state.score
        assert (info["score"], info["num_moves"]) == (env.state.score, env.state.moves)


def test_the_numbers_of_actions_are_those_of_the_page() -> None:
    env = make()
    env.reset(options={"deal": f"1: {CLUBS}\n2: AC\n{EMPTY}Bank:\nCompleted: S S H H D D C\nMoves: 0\n"})
    assert env.decode(11) == Run(2, 1)  # 1 + 10*(2-1) + (1-1)
    assert env.decode(3) == Run(1, 3, 12)  # the longest run to an empty pile
    assert env.decode(101) == Run(1, 3, 1)  # 101 + 11*(1-1) + (1-1)
    assert env.decode(111) == Run(1, 3, 11)
    assert env.encode(Run(1, 3, 11)) == 111
    with pytest.raises(IllegalMoveError, match="a split leaves a card of the run behind, and pile 2 has a run of 1"):
        env.decode(112)
    with pytest.raises(IllegalMoveError, match="the bank is empty"):
        env.decode(0)
    with pytest.raises(IllegalMoveError, match="pile 3 is empty"):
        env.decode(1 + 10 * 2)
    with pytest.raises(IllegalMoveError, match="lie on pile 1 already"):
        env.decode(1)
    with pytest.raises(UsageError, match=r"actions are 0\.\.210"):
        env.decode(211)
    env.reset(seed=1)
    assert env.decode(0) == Row()
    with pytest.raises(IllegalMoveError, match="no pile is empty"):
        env.decode(101)


def test_an_episode_draws_one_number_and_deals_it() -> None:
    env = make()
    _, info = env.reset(seed=42)
    rng, _ = gym.utils.seeding.np_random(42)
    first, second = (int(rng.integers(2**63)) for _ in range(2))
    assert info["deal"] == f"spider/4-suits@{first}"
    # A deal that is given draws none.
    assert env.reset(options={"deal": "spider/4-suits@7"})[1]["deal"] == "spider/4-suits@7"
    assert env.reset()[1]["deal"] == f"spider/4-suits@{second}"
    assert env.state == un.deal(f"spider/4-suits@{second}")


@pytest.mark.parametrize(("reward", "worth"), [("delta", 980 - 953), ("win", 1.0), ("shaped", 1 - (953 + 9) / 990)])
def test_a_win(reward: str, worth: float) -> None:
    env = make(reward=reward, gamma=0.5)
    _, info = env.reset(options={"deal": NEARLY_WON})
    assert (info["score"], info["num_moves"], info["completed"], info["deal"]) == (953, 9, 7, None)
    observation, found, terminated, truncated, info = env.step(WINNING)
    assert found == worth
    assert (terminated, truncated, info["won"], info["score"], info["completed"]) == (True, False, True, 980, 8)
    assert observation["completed"].tolist() == [2, 2, 2, 2]
    assert not observation["tableau"].any()
    assert not info["action_mask"].any()
    with pytest.raises(gym.error.ResetNeeded, match="has ended"):
        env.step(WINNING)


def test_stuck_is_the_end() -> None:
    # Two packs of clubs. The four goes onto the five, and then no card fits another.
    piles = ["2 A J 4", "3 A J", "3 Q K", "4 Q K", "5 8 9", "8 9", "6 7", "6 7", "T 2", "T 5"]
    rows = [" ".join(f"{rank}C" for rank in pile.split()) for pile in piles]
    layout = "".join(f"{number}: {row}\n" for number, row in enumerate(rows, 1))
    env = make(reward="shaped")
    _, info = env.reset(options={"deal": f"{layout}Bank:\nCompleted: S S H H D D\nMoves: 0\n"})
    assert np.flatnonzero(info["action_mask"]).tolist() == [1 + 9]
    potential = env.state.sun / 990
    _, reward, terminated, truncated, info = env.step(1 + 9)
    assert (terminated, truncated, info["won"], info["invalid"]) == (True, False, False, False)
    assert not info["action_mask"].any()
    # A terminal state has no potential.
    assert reward == -potential


@pytest.mark.parametrize(("mode", "reward", "ends", "moves"), [("noop", -1.0, False, 1), ("terminate", 0.0, True, 0)])
def test_an_invalid_action(mode: str, reward: float, ends: bool, moves: int) -> None:
    env = make(on_invalid=mode)
    before, info = env.reset(seed=3)
    after, found, terminated, truncated, told = env.step(1)
    assert (found, terminated, truncated) == (reward, ends, False)
    assert (told["invalid"], told["num_moves"], told["score"]) == (True, moves, -moves)
    assert_same(after, before)
    assert_same(told["action_mask"], info["action_mask"])


def test_an_invalid_action_may_be_an_error() -> None:
    env = make(on_invalid="raise")
    env.reset(seed=3)
    before = env.state
    with pytest.raises(IllegalMoveError, match="lie on pile 1 already"):
        env.step(1)
    assert env.state == before
    assert env.step(0)[4]["num_moves"] == 1


@pytest.mark.parametrize("action", [211, -1, 1.5, "3", None, np.array([1, 2])])
def test_what_is_no_action_is_refused(action: Any) -> None:
    env = make()
    env.reset(seed=1)
    with pytest.raises(UsageError, match=r"is not an action; actions are 0\.\.210"):
        env.step(action)


def test_every_wrong_argument_is_named() -> None:
    with pytest.raises(ValueError, match="num_suits=3") as caught:
        gym.make(ID, num_suits=3, deal_on_empty="no", obs="box", reward="score", gamma=2, on_invalid="ignore")
    message = str(caught.value)
    for text in (
        "num_suits=3 is not allowed; it may be 1, 2, 4",
        "deal_on_empty='no' is not allowed; it may be True, False",
        "obs='box' is not allowed; it may be 'dict', 'flat'",
        "reward='score' is not allowed; it may be 'delta', 'shaped', 'win'",
        "gamma=2 is not allowed; it may be a number from 0 to 1",
        "on_invalid='ignore' is not allowed; it may be 'noop', 'terminate', 'raise'",
    ):
        assert text in message
    # `make` would only warn.
    with pytest.raises(
        ValueError, match="render_mode='web' is not allowed; it may be None, 'ansi', 'rgb_array', 'human'"
    ):
        SpiderEnv(render_mode="web")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"deal": "spider/2-suits@17"}, UsageError, "does not fit: this environment plays spider/4-suits"),
        ({"deal": "gaps/addiction@7"}, UsageError, "is a deal of 'gaps', not of spider"),
        ({"deal": 17}, UsageError, "is not text"),
        ({"deal": "Deck: AS 2S"}, InvalidDealError, "AS"),
        ({"seed": 17}, UsageError, "unknown option 'seed'"),
        ({"deal": NEARLY_WON.replace(CLUBS, f"{CLUBS} AC").replace("2: AC", "2:")}, InvalidDealError, "run"),
    ],
)
def test_a_deal_that_cannot_be_had_is_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    env = make()
    env.reset(seed=1)
    with pytest.raises(error, match=message):
        env.reset(options=options)
    # And the episode that was going on still is.
    assert env.step(0)[4]["num_moves"] == 1


def test_a_position_that_no_deal_leads_to_is_refused() -> None:
    state = un.game("spider").deal(1)
    pile = " ".join(str(card) for pile in state.piles for card in pile)
    empty = "".join(f"{number}:\n" for number in range(2, 11))
    text = f"1: {pile}\n{empty}Bank: {' '.join(map(str, state.bank))}\n"
    with pytest.raises(UsageError, match=r"no deal leads to this position: pile 1 has \d+ descending sequences"):
        make().reset(options={"deal": text})


def test_nothing_goes_before_reset() -> None:
    env = make(render_mode="ansi")
    for call in (lambda: env.step(0), env.render, env.action_masks, lambda: env.state, lambda: env.decode(0)):
        with pytest.raises(gym.error.ResetNeeded):
            call()


def test_pictures() -> None:
    env = make(render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert isinstance(text, str)
    assert "bank: 50" in text
    assert "score: 0  moves: 0" in text
    env = make(render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert (picture.shape, picture.dtype) == ((480, 640, 3), np.uint8)
    assert len(np.unique(picture)) > 5


def test_a_person_is_shown_every_table(capsys: pytest.CaptureFixture[str]) -> None:
    env, plain = make(render_mode="human"), make(render_mode="ansi")
    env.reset(seed=1)
    plain.reset(seed=1)
    shown = plain.render()
    env.step(0)
    plain.step(0)
    assert env.render() is None
    # No cursor is moved where there is no terminal.
    assert capsys.readouterr().out == shown + plain.render()
