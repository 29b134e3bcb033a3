"""Agnes Sorel played by the engine: the same games, and the same numbers in advice, as by the Python rules."""

from __future__ import annotations

import subprocess
import sys
from array import array
from random import Random
from typing import Any

import pytest

import unshuffle as un
from tests.laws import CHOSEN, IS_LONG
from tests.simulate.mass_play import check_run
from unshuffle import engine
from unshuffle.deals import SplitMix64
from unshuffle.games.agnes import State
from unshuffle.games.agnes.hidden.estimate import estimate, options_of, weigh
from unshuffle.games.agnes.hidden.policies import Rollout
from unshuffle.simulate import Deals, Luck, play_block, play_each

pytestmark = [
    pytest.mark.one_engine("compares the native engine with the Python rules"),
    pytest.mark.skipif(engine.native() is None, reason="the Python side plays all games one by one"),
]

VARIANTS = un.games()["agnes"]
SOME = VARIANTS if IS_LONG else CHOSEN["agnes"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_greedy_plays_the_same_games(variant: str) -> None:
    first = VARIANTS.index(variant) * 1000
    check_run(Deals(un.game("agnes", variant), numbers=range(first, first + (200 if IS_LONG else 4))), "greedy")


@pytest.mark.parametrize("variant", SOME)
def test_rollout_plays_the_same_games(variant: str) -> None:
    """Short decks, on which much is decided in little time, and late positions; in the long run whole games."""
    place = VARIANTS.index(variant)
    short = un.game("agnes", variant, ranks=6 if IS_LONG else 5, piles=4)
    check_run(Deals(short, numbers=range(place, place + (50 if IS_LONG else 1))), f"rollout:3;seed={place}")
    game = un.game("agnes", variant)
    late = [state for seed in range(place, place + (20 if IS_LONG else 1)) for state in game.small_states(seed)]
    check_run(Deals(game, states=late if IS_LONG else late[place % 2 :: 3]), "rollout:3", threads=2)
    if IS_LONG:
        check_run(Deals(game, numbers=range(place, place + 5)), "rollout:3")


@pytest.mark.parametrize("variant", ["down-color-none", "up-suit-anyrun", "down-suit-any1-nosplit"])
def test_whole_games_of_rollout(variant: str) -> None:
    check_run(Deals(un.game("agnes", variant), numbers=range(40, 42)), "rollout:3;seed=7")
    check_run(Deals(un.game("agnes", variant), numbers=[12345], generator="python"), "rollout:1")


def test_results_do_not_hang_on_threads() -> None:
    game = un.game("agnes", "up-color-anyrun")
    seeds = range(12)
    records = list(play_each(game, "rollout:5", seeds, threads=2))
    scores = array("h", [record.score for record in records])
    runs = [play_block(game, "rollout:5", seeds, threads=threads)[0] for threads in (1, 2, 3)]
    assert runs == [scores] * 3
    assert {record.policy for record in records} == {"rollout:5"}


def test_a_game_in_progress_is_played_on() -> None:
    game = un.game("agnes", "down-color-anyrun")
    state = game.deal(7)
    for token in ("2f", "d"):
        state = state.play(game.parse_move(token))
    check_run(Deals(game, states=[state, game.parse(str(state))]), "rollout:2")


def test_the_seed_is_that_of_the_luck() -> None:
    game = un.game("agnes", "up-suit-anyrun")
    lines = {next(play_each(game, f"rollout:1;seed={seed}", [11])).moves for seed in range(3)}
    assert len(lines) > 1


def test_who_plays_otherwise_is_not_played_by_the_engine() -> None:
    class First(Rollout):
        def player(self, luck: Luck) -> Any:
            return lambda view, moves: moves[0]

    game = un.game("agnes", "up-suit-none")
    assert First(3).engine(game) == "python"
    assert un.simulate(game, First(3), [1])[0].moves[0] == game.deal(1).legal_moves()[0]


# Advice.


def tables(variant: str, seed: int, count: int) -> list[State]:
    """Tables along random play."""
    game = un.game("agnes", variant)
    rng = Random(f"{variant} {seed}")
    found: list[State] = []
    for place in range(count):
        state = game.deal(seed + place)
        for _ in range(rng.randrange(40)):
            moves = state.legal_moves()
            if moves:
                state = state.play(rng.choice(moves))
        found.append(state)
    return found


@pytest.mark.parametrize("variant", SOME)
def test_moves_are_weighed_by_the_same_games(variant: str) -> None:
    """Law: the engine's playouts give the numbers of the Python side, and leave the stream at the same place."""
    for state in tables(variant, 5, 30 if IS_LONG else 4):
        view = state.view()
        options = list(options_of(view, state.legal_moves()))
        ours, theirs = SplitMix64(9), SplitMix64(9)
        for samples in (1, 2):
            assert weigh(view, options, samples, theirs) == estimate(view, options, samples, ours)
            assert theirs.state == ours.state


CTRL_C = """
import os, signal, unshuffle as un
from unshuffle.games.agnes.hidden.estimate import weigh
from unshuffle.deals import SplitMix64
view = un.game("agnes").deal(3).view()
signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
signal.setitimer(signal.ITIMER_REAL, 0.05)
try:
    weigh(view, view.legal_moves(), 10**15, SplitMix64(0))
except KeyboardInterrupt:
    print("stopped")
"""


def test_ctrl_c_stops_the_playouts() -> None:
    run = subprocess.run([sys.executable, "-c", CTRL_C], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout == "stopped\n"


def test_what_the_engine_refuses() -> None:
    native = engine.native()
    assert native is not None
    state = un.game("agnes").deal(3)
    with pytest.raises(ValueError, match=r'illegal move "1f" in .*does not fit the foundation'):
        native.playouts("agnes", {}, str(state), ["1f"], samples=1, luck=0, threads=1)
    position = native.deal("belle-lucie", {}, 1)
    with pytest.raises(ValueError, match="the engine has no playouts of belle-lucie"):
        native.playouts("belle-lucie", {}, position, [], samples=1, luck=0, threads=1)
    with pytest.raises(ValueError, match='has no policy "thumb" of agnes'):
        native.Games("agnes", {}, policy="thumb", threads=1)
