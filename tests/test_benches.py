"""The benchmark harness measures what it says, and refuses to be fooled."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.laws import ROOT

BENCH = ROOT / "benches" / "belle_lucie.py"

# Prints as the peer does; its answers come from a table, so that one can be wrong.
PEER = """
import sys
text = sys.stdin.read()
score = {scores}.get(text.split()[0], 0)
if score:
    print(f"Best sequence has 3 moves, transferring {{score}} cards to the foundation and leaving 3 on the tableau.")
print("Final table state after deal 1:")
"""


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCH), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def peer(tmp_path: Path) -> Path:
    import unshuffle as un

    game = un.game("belle-lucie")
    states = [game.deal(seed) for seed in range(3)]
    scores = {str(s).split()[0].replace("T", "10"): un.solve(s).score for s in states}
    (tmp_path / "lblsolve").mkdir()
    (tmp_path / "lblsolve" / "__init__.py").touch()
    (tmp_path / "lblsolve" / "cards.py").write_text(PEER.format(scores=scores))
    return tmp_path


def test_the_peer_is_run_on_the_same_deals_and_compared(peer: Path) -> None:
    done = run("--deals", 50, "--peer", peer, "--peer-deals", 3)
    assert done.returncode == 0, done.stderr
    assert "scores agree on 3 of 3" in done.stdout
    assert "lblsolve / unshuffle" in done.stdout


def test_a_peer_that_disagrees_is_told(peer: Path) -> None:
    wrong = (peer / "lblsolve" / "cards.py").read_text().replace("score = ", "score = 1 + ")
    (peer / "lblsolve" / "cards.py").write_text(wrong)
    done = run("--deals", 5, "--peer", peer, "--peer-deals", 3)
    assert "scores agree on 0 of 3; not on ['belle-lucie/one-deal@0'" in done.stdout


def test_an_earlier_result_is_set_beside_this_one(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    assert run("--deals", 30, "--save", kept).returncode == 0
    again = run("--deals", 30, "--against", kept)
    assert "earlier / unshuffle" in again.stdout
    assert "DIFFER" not in again.stdout
    kept.write_text(kept.read_text().replace('"check": ', '"check": 1'))
    assert "THE SCORES DIFFER" in run("--deals", 30, "--against", kept).stdout
