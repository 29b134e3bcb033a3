"""The boards that we write, read by fc-solve itself where it is installed: it comes to the same verdicts."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from typing import Any

import pytest

import unshuffle as un
from unshuffle.interchange import FC_SOLVE

pytestmark = pytest.mark.one_engine("checks formats, not the answers")

PROGRAM = shutil.which("fc-solve")
# Few fans, for the program as distributions build it takes no more than ten piles.
FANS = 9


def theirs(game: un.Game[Any, Any], state: Any) -> str:
    rules = game.rules
    assert PROGRAM is not None
    command = [PROGRAM, "--freecells-num", "0", "--sequence-move", "limited"]
    command += ["--stacks-num", str(len(state.fans) if rules.kings_to_spaces else FANS)]
    command += ["--sequences-are-built-by", "suit" if rules.build == "suit" else "rank"]
    command += ["--empty-stacks-filled-by", "kings" if rules.kings_to_spaces else "none", "-"]
    board = game.write_foreign(state, FC_SOLVE)
    ended = subprocess.run(command, input=board, capture_output=True, text=True, timeout=60, check=False)
    if "This game is solveable" in ended.stdout:
        return "solved"
    assert "I could not solve this game" in ended.stdout, ended.stdout + ended.stderr
    return "unsolvable"


@pytest.mark.skipif(PROGRAM is None, reason="fc-solve is not installed")
@pytest.mark.parametrize("build", ["suit", "any"])
@pytest.mark.parametrize("kings", [True, False])
def test_fc_solve_comes_to_the_same_verdicts(build: str, kings: bool) -> None:
    game = un.game("belle-lucie", "one-deal", fan_size=6, kings_to_spaces=kings, build=build)
    verdicts: Counter[str] = Counter()
    for seed in range(8):
        for state in game.small_states(seed):
            ours = str(un.solve(state).status)
            assert ours == theirs(game, state), str(state)
            verdicts[ours] += 1
    assert min(verdicts["solved"], verdicts["unsolvable"]) > 0
