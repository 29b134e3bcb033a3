"""Many games of one policy: what is kept, that it can be repeated, and that it hangs on nothing else."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.laws import ROOT, effort
from tests.simulate.higher import Higher
from unshuffle import engine
from unshuffle.errors import InternalError
from unshuffle.hidden import playing
from unshuffle.simulate import Luck, Player, Replays, play_block, play_each, play_game, policy_of, simulation

pytestmark = pytest.mark.both_engines

un.load(ROOT / "examples" / "golf.py")
LUCIE = un.game("belle-lucie")
GAMES = [LUCIE, un.game("belle-lucie", fan_size=4), un.game("golf"), Higher()]
PLAYERS = [(game, policy) for game in GAMES for policy in ("random", "random:seed=3", "greedy")]
over_all_players = pytest.mark.parametrize(("game", "policy"), PLAYERS, ids=lambda each: str(each))


@over_all_players
def test_arrays_and_counts_are_those_of_the_games(game: Any, policy: str) -> None:
    n = effort(game, 30, 10)
    sim = un.simulate(game, policy, seeds=range(n))
    records = list(sim)
    assert len(sim) == len(records) == n
    assert (str(sim.scores.dtype), str(sim.won.dtype)) == ("int16", "bool")
    assert sim.scores.tolist() == [record.score for record in records]
    assert sim.won.tolist() == [record.won for record in records]
    assert sim.wins == sum(record.won for record in records)
    assert sim.mean == pytest.approx(sim.scores.mean())
    assert sim.score_counts == Counter(sim.scores.tolist())
    assert [record.deal for record in records] == [f"{game}@{seed}" for seed in range(n)]
    assert {record.policy for record in records} == {sim.policy} == {policy}
    assert sim.information == "hidden"


@over_all_players
def test_the_moves_of_a_record_replay_to_its_score(game: Any, policy: str) -> None:
    for record in un.simulate(game, policy, seeds=range(8)):
        assert record.deal is not None
        line = un.replay(game.deal(record.deal.partition("@")[2]), record.moves)
        assert line.score == record.score
        assert (line.outcome is un.Outcome.WON) == record.won


@over_all_players
def test_games_are_the_same_in_any_company(game: Any, policy: str) -> None:
    n = effort(game, 14, 7)
    whole = un.simulate(game, policy, seeds=range(n), threads=1)
    for threads in (2, 3, None):
        assert un.simulate(game, policy, seeds=range(n), threads=threads).packed == whole.packed
    backwards = un.simulate(game, policy, seeds=range(n - 1, -1, -1))
    assert backwards.scores.tolist() == whole.scores.tolist()[::-1]
    dealt = un.simulate(game, policy, states=[game.deal(seed) for seed in range(n)])
    assert dealt.packed == whole.packed
    scores, won = play_block(game, policy, range(5, n))
    assert (list(scores), won) == (whole.scores.tolist()[5:], whole.won.tolist()[5:])
    records = list(play_each(game, policy, seeds=range(n)))
    assert records == list(whole)
    assert [record.moves for record in records] == [record.moves for record in whole]


@pytest.mark.parametrize("game", [LUCIE, un.game("belle-lucie", aces_out=True)], ids=str)
def test_greedy_lucie_plays_the_solvers_proved_best_line(game: Any) -> None:
    seeds = range(effort(game, 30, 8))
    sim = un.simulate(game, "greedy", seeds=seeds)
    for record, result in zip(sim, un.solve_many(game, seeds=seeds, maximize=True), strict=True):
        assert result.score_proved
        assert (record.score, record.won) == (result.score, result.status is un.Status.SOLVED)
        assert record.moves == result.moves


def test_the_engines_batches_and_the_player_at_the_table_agree() -> None:
    policy = policy_of(LUCIE, "greedy")
    states = [state for seed in range(4) for state in LUCIE.small_states(seed)]
    sim = un.simulate(LUCIE, policy, states=states)
    for place, state in enumerate(states):
        played = play_game(policy, state, Luck("anything"))
        assert (sim.scores[place], sim.won[place]) == (played.score, played.won)
        assert sim[place].moves == played.moves
        assert sim[place].deal is None


class Last(type(policy_of(LUCIE, "random"))):  # type: ignore[misc] # as a person might write it
    """Always the last move of the list."""

    name = "last"

    def __init__(self) -> None: ...

    def player(self, luck: Luck) -> Any:
        """A player who never thinks."""
        return lambda view, moves: moves[-1]


def test_who_plays_in_another_way_than_its_parent_is_not_played_by_the_engine() -> None:
    assert Last().engine(LUCIE) == "python"
    for place, record in enumerate(un.simulate(LUCIE, Last(), seeds=range(5))):
        assert record.moves == play_game(Last(), LUCIE.deal(place), Luck("anything")).moves


def test_every_game_that_the_python_rules_played_counts_as_replayed() -> None:
    seeds = range(effort(LUCIE, 105, 10))
    assert un.simulate(LUCIE, Last(), seeds=seeds).replayed == len(seeds)
    for name in ("greedy", "random"):
        sim = un.simulate(LUCIE, name, seeds=seeds)
        sampled = {place for place in seeds if sim.won[place] or place == 0}
        assert sim.replayed == len(sampled if policy_of(LUCIE, name).engine(LUCIE) == "native" else seeds)
    greedy = un.simulate(LUCIE, "greedy", seeds=seeds)
    scores, _ = play_block(LUCIE, "greedy", seeds, replay_wins=None)
    assert scores == greedy.packed[0]
    assert 0 < greedy.wins < len(seeds)


@given(cuts=st.lists(st.integers(0, 700), max_size=6))
def test_which_games_are_replayed_does_not_hang_on_the_blocks(cuts: list[int]) -> None:
    """Law: the first wins, then each tenth win, and each hundredth game if it is lost."""
    won = bytes(Random(3).random() < 0.2 for _ in range(700))
    wins = [place for place in range(700) if won[place]]
    expected = [*wins[:25], *wins[29::10], *(place for place in range(0, 700, 100) if not won[place])]
    replays = Replays(25, one_win_in=10, one_loss_in=100)
    found = []
    for first, last in pairwise((0, *sorted(cuts), 700)):
        found += [first + place for place in replays.places(won[first:last])]
    assert sorted(found) == sorted(expected)
    assert list(Replays(None).places(won)) == list(range(700))


class FalseNative:
    """An engine that claims a win by doing nothing."""

    class Games:
        def __init__(self, *_: object, **__: object) -> None: ...
        def submit_seeds(self, seeds: list[int], lucks: list[int] | None) -> None: ...
        def cancel(self) -> None: ...
        def next(self) -> tuple[int, bool, list[str]]:
            return 52, True, []

    @staticmethod
    def simulate_many(
        game: str, rules: dict[str, str], policies: list[str], *, seeds: list[int], **_: object
    ) -> list[tuple[bytes, bytes, None, dict[str, tuple[int, int]], None]]:
        return [(b"\x34\x00" * len(seeds), b"\x01" * len(seeds), None, {}, None) for _ in policies]

    @staticmethod
    def games() -> list[str]:
        return ["belle-lucie"]

    @staticmethod
    def supports(*_: object) -> bool:
        return True


def test_a_false_line_of_the_engine_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "native", lambda: FalseNative)
    with pytest.raises(InternalError, match="claims score 52"):
        un.simulate(LUCIE, "greedy", seeds=range(3))


def test_a_false_block_of_the_engine_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    if engine.native() is None:
        pytest.skip("the Python side plays all games one by one")
    monkeypatch.setattr(engine.native(), "simulate_many", FalseNative.simulate_many)
    with pytest.raises(InternalError, match=r"greedy played belle-lucie/one-deal@0 to \(52, True, None\) and, move by"):
        un.simulate(LUCIE, "greedy", seeds=range(3))


def test_progress_is_told_within_a_long_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "_BLOCK_SECONDS", 0.0)
    told: list[int] = []
    un.simulate(LUCIE, "rollout:1", range(2), progress=told.append)
    assert told == sorted(told)
    assert told.count(0) > 1 < told.count(1)
    assert told[-1] == 2


def test_a_game_in_progress_is_played_on() -> None:
    start = LUCIE.deal(7)
    later = start.play(start.legal_moves()[0])
    sim = un.simulate(LUCIE, "random", states=[later, start])
    assert un.replay(later, sim[0].moves).score == sim[0].score
    assert sim[0].deal == "belle-lucie/one-deal@7"
    won = LUCIE.parse("Foundations: KC KD KH KS")
    ended = un.simulate(LUCIE, "greedy", states=[won])
    assert (ended.wins, ended[0].moves) == (1, ())


def test_foreign_generators_and_seeds_as_text() -> None:
    sim = un.simulate(LUCIE, "random", seeds=range(1, 4), generator="ms")
    assert [record.deal for record in sim] == [f"belle-lucie/one-deal@ms:{seed}" for seed in (1, 2, 3)]
    named = un.simulate(LUCIE, "greedy", seeds=["ms:1", un.Source(2, "ms"), "python:5#2", 3])
    assert [record.deal.partition("@")[2] for record in named if record.deal] == ["ms:1", "ms:2", "python:5#2", "3"]
    assert named.scores[0] == un.simulate(LUCIE, "greedy", seeds=range(1, 2), generator="ms").scores[0]


def test_numpy_numbers_are_seeds_too() -> None:
    assert un.simulate(LUCIE, "random", np.arange(3)).packed == un.simulate(LUCIE, "random", range(3)).packed


@pytest.mark.one_engine("plays a game that the native engine does not know")
def test_without_a_word_the_first_ten_thousand_deals_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    class Still(un.Policy):
        name = "still"

        def player(self, luck: Luck) -> Player:
            return lambda view, moves: None

    sim = un.simulate(Higher(), Still())
    assert (len(sim), sim.policy, sim.mean, sim.wins) == (10_000, "still", 0.0, 0)


def test_no_games_at_all() -> None:
    sim = un.simulate(LUCIE, "random", seeds=[])
    assert (len(sim), sim.wins, list(sim), sim.score_counts) == (0, 0, [], {})
    assert sim.scores.shape == (0,)
    assert sim.mean != sim.mean
    with pytest.raises(IndexError):
        sim[0]


def test_places_count_from_both_ends() -> None:
    sim = un.simulate(LUCIE, "random", seeds=range(5))
    assert sim[-1] == sim[4]
    for place in (5, -6):
        with pytest.raises(IndexError):
            sim[place]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seeds": range(3), "states": []}, "seeds or states"),
        ({"seeds": [-1]}, "seeds are 0..18446744073709551615"),
        ({"seeds": [1.5]}, "1.5 is not a seed"),
        ({"seeds": range(-1, 3)}, "seeds are 0.."),
        ({"seeds": range(2**64 - 1, 2**64 + 1)}, "seeds are 0.."),
        ({"seeds": range(3), "generator": "mss"}, "did you mean 'ms'?"),
        ({"seeds": range(3), "threads": 0}, "threads=0"),
        ({"seeds": range(3), "threads": 1025}, r"threads=1025 is not allowed; it may be 1\.\.1024"),
        ({"states": [un.game("golf").deal(1)]}, r"states\[0\] is not a state of belle-lucie/one-deal"),
        ({"states": [un.game("belle-lucie", fan_size=4).deal(1)]}, r"states\[0\] is not a state"),
        ({"states": [LUCIE.deal(0), "AC"]}, r"states\[1\] is not a state"),
    ],
)
def test_wrong_requests(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(un.UsageError, match=message):
        un.simulate(LUCIE, "greedy", **arguments)


def test_the_name_of_a_game_is_not_a_game() -> None:
    with pytest.raises(un.UsageError, match="'belle-lucie' is not a game"):
        un.simulate("belle-lucie", "greedy", range(3))  # type: ignore[arg-type] # what a person may try


def interrupting(after: int) -> Any:
    def progress(done: int) -> None:
        if done >= after:
            raise KeyboardInterrupt

    return progress


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_ctrl_c_keeps_what_was_played(policy: str) -> None:
    with pytest.raises(un.SimulationInterrupted) as caught:
        un.simulate(LUCIE, policy, range(10_000_000), progress=interrupting(20))
    kept = caught.value.simulation
    whole = un.simulate(LUCIE, policy, range(len(kept)))
    assert len(kept) >= 20
    assert (kept.packed, kept.replayed) == (whole.packed, whole.replayed)
    assert kept[19].moves == whole[19].moves
    assert isinstance(caught.value, KeyboardInterrupt)


def test_play_that_would_never_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "MOST_MOVES", 3)
    record = un.simulate(LUCIE, Last(), range(1))[0]
    assert len(record.moves) == 3


def test_the_engine_ends_such_play_too() -> None:
    # Cards go to and fro where fans are built whatever the suits.
    game = un.game("belle-lucie", build="any")
    (record,) = play_each(game, "random", range(1))
    assert len(record.moves) == playing.MOST_MOVES


def test_a_redeal_in_an_unknown_order_is_not_passed_over() -> None:
    with pytest.raises(un.UsageError, match="redeal whose order is not known"):
        un.simulate(Higher("again"), "random", range(1))


@pytest.mark.one_engine("checks what is imported")
def test_numpy_comes_only_with_the_arrays() -> None:
    code = (
        "import sys, unshuffle as un; sim = un.simulate(un.game('belle-lucie'), 'random', range(3));"
        "print('numpy' in sys.modules, 'sqlite3' in sys.modules); sim.scores; print('numpy' in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "False False\nTrue\n"


def test_the_name_is_the_function_and_the_package_can_be_imported() -> None:
    assert callable(un.simulate)
    from unshuffle.simulate import simulate

    assert simulate is un.simulate
