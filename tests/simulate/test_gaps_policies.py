"""Gaps' players over whole games, redeals and all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

import unshuffle as un
from tests.laws import EVERYONE
from unshuffle import engine
from unshuffle.games.gaps import Redeal, State, ToGap, phase_ends
from unshuffle.games.gaps.hidden import values
from unshuffle.games.gaps.hidden.policies import Thinking
from unshuffle.games.gaps.rules import Cells
from unshuffle.simulate import (
    Deals,
    Luck,
    Player,
    play_each,
    play_game,
    play_tournament,
    policies,
    policy_of,
    run_policy,
)
from unshuffle.solve import replay
from unshuffle.store import Store

pytestmark = pytest.mark.both_engines

ADDICTION = un.game("gaps")
EARLY = un.game("gaps", "addiction-early")
NAMES = ("max-locked", "value", "fresh")
VARIANTS = ("addiction", "addiction-early", "montana", "montana-locked", "spaces", "addiction-one-deal", "one-deal")
needs_engine = pytest.mark.one_engine("the native engine is what plays them")


def endgames(game: un.Game[Any, Any], count: int = 5, seed: int = 0) -> list[State]:
    """Late boards that are soon searched out; their redeals are known to the rules, not to the players."""
    return list(islice((state for number in range(seed, seed + 9) for state in game.small_states(number)), count))


def players(game: un.Game[Any, Any]) -> Iterator[Thinking]:
    """Those who may play it, with a budget that searches an endgame out."""
    for name in NAMES:
        if name != "fresh" or game.rules.early_redeal:
            player = policy_of(game, f"{name}:20000")
            assert isinstance(player, Thinking)
            yield player


def phases(state: State, moves: tuple[Any, ...]) -> Iterator[tuple[State, tuple[ToGap, ...], State]]:
    """The board at the start of each phase, its moves, and the board after them."""
    begin = state
    line: list[ToGap] = []
    for move in moves:
        if isinstance(move, Redeal):
            yield begin, tuple(line), state
            begin, line = state.play(move), []
        else:
            line.append(move)
        state = state.play(move)
    yield begin, tuple(line), state


def reachable(state: State) -> tuple[bool, list[tuple[tuple[Any, ...], int]]]:
    """Whether the phase can be won, and what it can end with: by plain search, as locks and the fewest moves."""
    seen: set[Cells] = set()
    ends: dict[tuple[Any, ...], int] = {}
    is_won = False
    boards, moved = [state], 0
    while boards:
        after = []
        for board in boards:
            if board.cells in seen:
                continue
            seen.add(board.cells)
            is_won |= board.score == 48
            moves = list(board.card_moves())
            if state.rules.early_redeal or not moves:
                ends.setdefault(board.locks, moved)
            after += [board.play(move) for move in moves]
        boards, moved = after, moved + 1
    return is_won, list(ends.items())


def test_their_names() -> None:
    assert {*EVERYONE, *NAMES} == set(policies(ADDICTION))
    for text, name in [
        ("max-locked", "max-locked:300000"),
        ("value:", "value:300000"),
        (" value: 2s ", "value:2s"),
        ("max-locked:0.30s", "max-locked:0.3s"),
        ("max-locked:0007", "max-locked:7"),
    ]:
        policy = policy_of(ADDICTION, text)
        assert (policy.name, policy.information) == (name, "hidden")
        assert policy_of(ADDICTION, policy.name).name == name


@pytest.mark.parametrize(
    "text", ["0", "-1", "0s", "s", "2 s", "1e3", "nan", "infs", "0x10", "2m", "86401s", "9999999999999", "\u0663"]
)
def test_a_budget_is_positions_or_seconds(text: str) -> None:
    with pytest.raises(un.UsageError, match=f"{re.escape(repr(text))} in the policy 'value': expected what a phase"):
        policy_of(ADDICTION, f"value:{text}")


def test_who_cannot_play_says_why() -> None:
    with pytest.raises(un.UsageError, match="'fresh' gives a phase up at once, and in gaps/addiction a redeal waits"):
        policy_of(ADDICTION, "fresh")
    with pytest.raises(un.UsageError, match="no redeal values for gaps/basic"):
        policy_of(un.game("gaps", "basic"), "value")
    assert policy_of(un.game("gaps", "basic"), "max-locked").name == "max-locked:300000"


@pytest.mark.parametrize("variant", VARIANTS)
def test_winnable_phases_are_won_and_others_end_best(variant: str) -> None:
    """Law: a phase that can be won is won; else, when all ends are known, none is better by the policy's measure."""
    game = un.game("gaps", variant)
    states = endgames(game)
    for player in players(game):
        for record, state in zip(un.simulate(game, player, states=states), states, strict=True):
            for begin, moves, end in phases(state, record.moves):
                is_won, ends = reachable(begin)
                assert (end.score == 48) == is_won, str(begin)
                if is_won or not begin.redeals_left:
                    assert is_won or end.score == max(sum(run[1] for run in locks) for locks, _ in ends)
                    continue
                ranked = [(rank(player, begin, locks), moved) for locks, moved in ends]
                best = max(found for found, _ in ranked)
                assert rank(player, begin, end.locks) == best
                assert len(moves) >= min(moved for found, moved in ranked if found == best)
                assert end.may_redeal


def rank(player: Thinking, begin: State, locks: tuple[tuple[str, int], ...]) -> tuple[float, int]:
    """What the policy's description says it goes by; great is good."""
    score = sum(length for _, length in locks)
    if player.choice == "max-locked":
        return score, 0
    if player.choice == "fresh":
        return -score, 0
    value = values.lookup(begin.rules, [length for _, length in locks], begin.redeals_left)
    assert value is not None
    return round(value.p, 6), score


@pytest.mark.one_engine("plays by Python in either case")
@pytest.mark.parametrize("game", [ADDICTION, EARLY], ids=str)
def test_the_python_player_keeps_the_same_law(game: un.Game[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNSHUFFLE_ENGINE", "python")
    test_winnable_phases_are_won_and_others_end_best(game.variant)


def test_a_player_never_sees_what_a_redeal_will_bring() -> None:
    """Law: up to the redeal, the same board is played the same way whatever the redeals will be."""
    rng = Random(5)
    for state in [state for state in endgames(EARLY, 8) if state.redeals_left][:3]:
        for player in players(EARLY):
            lines = set()
            for _ in range(3):
                moves = un.simulate(EARLY, player, states=[state.view().sample(rng)])[0].moves
                end = moves.index(Redeal()) if Redeal() in moves else len(moves)
                lines.add(moves[:end])
            assert len(lines) == 1


def test_fresh_gives_a_lost_phase_up_at_once() -> None:
    states = [state for state in endgames(EARLY, 40) if state.redeals_left and not reachable(state)[0]]
    for record in un.simulate(EARLY, "fresh:20000", states=states[:3]):
        assert record.moves[0] == Redeal()


def test_a_redeal_that_is_not_known_is_asked_for() -> None:
    state = next(state for state in endgames(ADDICTION, 40) if state.redeals_left and not reachable(state)[0])
    with pytest.raises(un.UsageError, match="a redeal whose order is not known"):
        un.simulate(ADDICTION, "max-locked:20000", states=[replace(state, redeals=())])


class Declining(un.Policy):
    """Plays whatever can be played, and never deals again."""

    name = "declining"

    def player(self, luck: Luck) -> Player:
        """One who gives up where only a redeal is left."""
        return lambda view, moves: next((move for move in moves if isinstance(move, ToGap)), None)


def test_a_player_may_decline_a_redeal() -> None:
    for record in un.simulate(EARLY, Declining(), range(5)):
        end = replay(un.deal(record.deal or ""), record.moves).states[-1]
        assert (end.used, end.outcome, record.won) == (0, None, False)
        assert end.legal_moves() == (Redeal(),)
        assert record.score == end.score


def test_games_are_counted_by_the_redeals_taken() -> None:
    states = endgames(ADDICTION, 12)
    games = un.simulate(ADDICTION, "max-locked:20000", states=states)
    ends = [replay(state, record.moves).states[-1] for state, record in zip(states, games, strict=True)]
    assert games.rule_counts == {used: [end.used for end in ends].count(used) for used in {end.used for end in ends}}
    assert sum(games.won_rule_counts.values()) == games.wins
    assert games.rule_words[0] == "before any redeal"


# Whole seeded games.


@needs_engine
@pytest.mark.parametrize("variant", ["addiction", "addiction-early", "montana"])
def test_seeded_games_replay_and_repeat(variant: str) -> None:
    """Law: with budgets of positions a game is the same however it is played: alone, in a mass run, on more threads."""
    game = un.game("gaps", variant)
    names = [f"{player.choice}:1500" for player in players(game)]
    together = play_tournament(game, names, range(4), threads=2).simulations
    for name, simulation in zip(names, together, strict=True):
        assert simulation.replayed == 4
        for record, alone in zip(simulation, play_each(game, name, range(4), threads=1), strict=True):
            assert record.moves == alone.moves
            line = replay(un.deal(record.deal or ""), record.moves)
            assert (line.score, line.outcome is un.Outcome.WON) == (record.score, record.won)
            assert record.won or line.states[-1].redeals_left == 0
            if not game.rules.has_free_twos:
                assert line.outcome is not None


@needs_engine
def test_seconds_are_kept_and_their_lines_too() -> None:
    games = un.simulate(ADDICTION, "max-locked:0.01s", range(3))
    for record in games:
        assert replay(un.deal(record.deal or ""), record.moves).score == record.score


@needs_engine
def test_a_store_keeps_games_and_counts(tmp_path: Path) -> None:
    names = ["max-locked:1000", "value:1000"]
    with Store.open(tmp_path / "games.db") as store:
        first = play_tournament(ADDICTION, names, range(3), store=store)
        again = play_tournament(ADDICTION, names, range(3), store=store)
    for whole, kept in zip(first.simulations, again.simulations, strict=True):
        assert kept.packed == whole.packed
        assert (kept.rule_counts, kept.won_rule_counts) == (whole.rule_counts, whole.won_rule_counts)
        assert kept[1].moves == run_policy(Deals(ADDICTION, numbers=[1]), policy_of(ADDICTION, kept.policy))[0].moves


def test_the_player_at_a_table_plays_by_the_same_rule() -> None:
    """The player that views are handed to, one move after another, ends a phase as the search says."""
    state = next(state for state in endgames(ADDICTION, 40) if state.redeals_left and not reachable(state)[0])
    player = policy_of(ADDICTION, "max-locked:20000")
    played = play_game(player, state, Luck("x"))
    _, _, end = next(phases(state, played.moves))
    ends = phase_ends(state, seconds=None)
    assert ends.complete
    assert end.score == max(found.score for found in ends.ends)


# The engine's samples of phases.


@needs_engine
def test_phases_are_sampled_by_seed_shape_and_number() -> None:
    native: Any = engine.native()
    ask = {"seed": 3, "nodes": 2000}
    whole = native.sample_phases("gaps", {}, [9, 8, 8, 9], first=0, count=8, **ask)
    pieces = native.sample_phases("gaps", {}, [9, 9, 8, 8], first=0, count=5, **ask)
    pieces += native.sample_phases("gaps", {}, [8, 9, 8, 9], first=5, count=3, **ask)
    assert whole == pieces
    assert whole != native.sample_phases("gaps", {}, [9, 9, 8, 8], first=8, count=8, **ask)
    early = native.sample_phases("gaps", {"early_redeal": "yes"}, [9, 9, 8, 8], first=0, count=8, **ask)
    for (status, ends), (same, more) in zip(whole, early, strict=True):
        assert status == same
        assert ends == sorted(set(ends))
        if status == "unsolvable":
            # Every stuck board is a board, and no redeal takes anything away.
            assert set(ends) <= set(more)
            assert min(more) >= values.index((9, 9, 8, 8))


@needs_engine
@pytest.mark.parametrize("shape", [[1, 1, 1], [13, 0, 0, 0], [300, 0, 0, 0]])
def test_a_shape_is_four_lengths(shape: list[int]) -> None:
    native: Any = engine.native()
    with pytest.raises(ValueError, match="is no shape; expected four run lengths from 0 to 12"):
        native.sample_phases("gaps", {}, shape, seed=1, first=0, count=1, nodes=10)
