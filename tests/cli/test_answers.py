"""What the commands answer, asked of either engine: the library's own answers, deal by deal."""

from __future__ import annotations

from pathlib import Path

import pytest

import unshuffle as un
from tests.cli.conftest import Run

pytestmark = pytest.mark.both_engines

LUCIE = un.game("belle-lucie")
KEYS = ["game", "variant", "deal", "policy", "score", "won", "moves"]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of its own for the store."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("UNSHUFFLE_STORE", raising=False)


@pytest.mark.parametrize("policy", ["random", "greedy"])
@pytest.mark.parametrize("options", [(), ("--threads", "1"), ("--name", "kept")])
def test_json_is_an_object_per_deal(run: Run, policy: str, options: tuple[str, ...]) -> None:
    ended = run("simulate", "belle-lucie", "--policy", policy, "--seeds", "0..9", "--json", *options)
    assert (ended.code, ended.err) == (0, "")
    assert [list(each) for each in ended.objects] == [KEYS] * 10
    for each, record in zip(ended.objects, un.simulate(LUCIE, policy, range(10)), strict=True):
        assert (each["game"], each["variant"], each["deal"]) == ("belle-lucie", "one-deal", record.deal)
        assert (each["policy"], each["score"], each["won"]) == (policy, record.score, record.won)
        assert each["moves"] == [move.token for move in record.moves]


def test_the_moves_are_what_verify_replays(run: Run) -> None:
    [game] = run("simulate", "belle-lucie", "--policy", "random", "--seed", "7", "--json").objects
    [line] = run("verify", "belle-lucie", "--seed", "7", "--moves", " ".join(game["moves"]), "--json").objects
    assert (line["valid"], line["score"], line["won"]) == (True, game["score"], game["won"])


def test_every_game_on_request(run: Run) -> None:
    ended = run("tournament", "aces-up", "--rules", "1,1000", "--rules", "300", "--seeds", "4..5", "--detail")
    games = ended.out.split("\n\n")[0].splitlines()
    assert len(games) == 4
    for line, (seed, policy) in zip(
        games, [(seed, policy) for seed in (4, 5) for policy in ("rules:1,1000", "rules:300")], strict=True
    ):
        [record] = un.simulate(un.game("aces-up"), policy, [seed])
        tokens = " ".join(move.token for move in record.moves)
        assert line == (
            f"aces-up/standard@{seed}  {policy}  not won, score {record.score}, "
            f"{record.tableau_moves} tableau moves: {tokens}"
        )
