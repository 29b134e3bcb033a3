"""Aces Up played by rule lists: the reference games, what the variants change, and what is kept of many games."""

from __future__ import annotations

import csv
import subprocess
import sys
from array import array
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.laws import IS_LONG, ROOT, effort
from unshuffle import engine
from unshuffle.games.aces_up.hidden.policies import ByRules
from unshuffle.games.aces_up.moves import Discard, FromReserve, ToReserve, ToSpace
from unshuffle.games.aces_up.strategy import DIALECTS, RULES, RuleList, reduced_lists
from unshuffle.simulate import Deals, Luck, play_each, play_game, policy_of, run_policies, run_policy

pytestmark = pytest.mark.both_engines

DATA = ROOT / "tests" / "data" / "aces-up"
GAME = un.game("aces-up")
VARIANTS = un.games()["aces-up"]
native_only = pytest.mark.one_engine("compares the native engine with the Python rules")
of_python = pytest.mark.one_engine("plays by Python in either case")


# The reference games.


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


@cache
def decks() -> dict[str, Any]:
    return {row["deck_name"]: GAME.parse(f"Deck: {row['deck']}") for row in rows("decks")}


def chosen(name: str) -> list[dict[str, str]]:
    """All in the long run; else a sample in which every list and many decks are met."""
    return rows(name) if IS_LONG else rows(name)[::7]


def written(counts: dict[int, int]) -> str:
    return " ".join(f"{number}:{times}" for number, times in sorted(counts.items()))


@of_python
def test_the_games_of_the_peer() -> None:
    """Score, line, final piles and rule counts, by the Python player."""
    for row in chosen("classic"):
        start = decks()[row["deck_name"]]
        played = play_game(policy_of(GAME, f"rules:{row['rules']}"), start, Luck("any"))
        expected = [token for token in row["moves"].split() if not token.endswith("x")]
        assert [move.token for move in played.moves] == expected, row
        assert (played.score, played.won) == (int(row["score"]), row["won"] == "1")
        assert written(dict(played.rule_counts)) == row["rule_counts"]
        assert sum(isinstance(move, ToSpace) for move in played.moves) == int(row["tableau_moves"])
        final = un.replay(start, played.moves).states[-1].piles
        assert "|".join(" ".join(map(str, pile)) for pile in final) == row["final_piles"]


@of_python
def test_the_games_of_the_other_dialect() -> None:
    for row in chosen("documented"):
        played = play_game(policy_of(GAME, f"rules:{row['rules']}@documented"), decks()[row["deck_name"]], Luck("any"))
        assert (played.score, played.won) == (int(row["score"]), row["won"] == "1"), row
        assert sum(isinstance(move, ToSpace) for move in played.moves) == int(row["tableau_moves"])


@pytest.mark.parametrize("name", DIALECTS)
def test_all_reference_games_in_mass_play(name: str) -> None:
    """All of them where the engine plays, which takes no time."""
    found = rows(name) if IS_LONG or engine.native() is not None else rows(name)[::20]
    for rules in {row["rules"] for row in found}:
        own = [row for row in found if row["rules"] == rules]
        sim = un.simulate(GAME, f"rules:{rules}@{name}", states=[decks()[row["deck_name"]] for row in own])
        assert sim.tableau_moves is not None
        assert sim.scores.tolist() == [int(row["score"]) for row in own]
        assert sim.won.tolist() == [row["won"] == "1" for row in own]
        assert sim.tableau_moves.tolist() == [int(row["tableau_moves"]) for row in own]
        if name == "classic":
            for counts, kept in (
                (sim.rule_counts, own),
                (sim.won_rule_counts, [row for row in own if row["won"] == "1"]),
            ):
                told = [pair.split(":") for row in kept for pair in row["rule_counts"].split()]
                expected = {int(rule): 0 for rule, _ in told}
                for rule, times in told:
                    expected[int(rule)] += int(times)
                assert counts == expected


# What is kept.


def test_arrays_counts_and_records() -> None:
    sim = un.simulate(GAME, policy="rules:1,1000", seeds=range(60), threads=1)
    assert sim.tableau_moves is not None
    assert (str(sim.scores.dtype), str(sim.won.dtype), str(sim.tableau_moves.dtype)) == ("int16", "bool", "uint8")
    assert (len(sim), len(sim.tableau_moves)) == (60, 60)
    records = list(sim)
    assert sim.tableau_moves.tolist() == [record.tableau_moves for record in records]
    assert sum(sim.rule_counts.values()) == sum(sim.tableau_moves)
    assert set(sim.rule_counts) == {1, 1000}
    for number, times in sim.rule_counts.items():
        assert times == sum(record.rule_counts.get(number, 0) for record in records)
    for record in records[:5]:
        assert record.deal is not None
        line = un.replay(GAME.deal(record.deal.partition("@")[2]), record.moves)
        assert (line.score, record.policy) == (record.score, "rules:1,1000")
        assert sum(isinstance(move, ToSpace) for move in record.moves) == record.tableau_moves
        assert sum(record.rule_counts.values()) == record.tableau_moves
    each = list(play_each(GAME, "rules:1,1000", range(60)))
    assert each == records
    assert [record.rule_counts for record in each[:9]] == [record.rule_counts for record in records[:9]]


def test_counts_of_won_games() -> None:
    # Every deck of these names is won by this list.
    states = [*[state for name, state in decks().items() if name.startswith("db")][:10], GAME.deal(1)]
    sim = un.simulate(GAME, "rules:2,1,100,10,1000", states=states)
    assert sim.won.tolist() == [True] * 10 + [False]
    lost = sim[10].rule_counts
    assert sim.won_rule_counts == {
        rule: times - lost.get(rule, 0) for rule, times in sim.rule_counts.items() if times > lost.get(rule, 0)
    }


def test_games_that_count_no_moves() -> None:
    sim = un.simulate(un.game("belle-lucie"), "random", range(3))
    assert (sim.tableau_moves, sim.packed_moves, sim.rule_counts, sim.won_rule_counts) == (None, None, {}, {})
    assert (sim[0].tableau_moves, sim[0].rule_counts) == (None, {})


def test_policies_without_rules_count_moves_too() -> None:
    for policy in ("random", "greedy"):
        sim = un.simulate(GAME, policy, range(5))
        assert [record.tableau_moves for record in sim] == [
            sum(isinstance(move, ToSpace) for move in record.moves) for record in sim
        ]
        assert sim.packed_moves is not None
        assert (list(sim.packed_moves), sim.rule_counts) == ([record.tableau_moves for record in sim], {})


def test_moves_to_and_from_the_cell_are_counted() -> None:
    for record in un.simulate(un.game("aces-up", "firing-squad"), "random", range(5)):
        kinds = [isinstance(move, ToSpace | ToReserve | FromReserve) for move in record.moves]
        assert record.tableau_moves == sum(kinds)
        assert any(isinstance(move, ToReserve) for move in record.moves)


def test_more_moves_than_a_byte_holds_are_255() -> None:
    # Cards go to and fro between five piles and the cell, and chance seldom deals.
    changes = {"destination": "any", "singletons": True, "reserve": 1, "piles": 5, "deal": "spaces"}
    sim = un.simulate(un.game("aces-up", "standard", **changes), "random", range(9))
    counts = [sum(not isinstance(move, Discard) and "-" in move.token for move in record.moves) for record in sim]
    assert max(counts) > 255 > min(counts)
    assert list(sim.packed_moves or b"") == [min(255, count) for count in counts]
    assert [record.tableau_moves for record in sim] == [min(255, count) for count in counts]


@pytest.mark.parametrize("policy", ["rules:10,100,4,200", "rules:1,300@documented"])
def test_results_do_not_hang_on_threads_or_company(policy: str) -> None:
    n = 5_000 if engine.native() is not None else 60
    runs = [un.simulate(GAME, policy, range(n), threads=threads) for threads in (1, 2, 3)]
    for sim in runs[1:]:
        assert (sim.packed, sim.packed_moves) == (runs[0].packed, runs[0].packed_moves)
        assert (sim.rule_counts, sim.won_rule_counts) == (runs[0].rule_counts, runs[0].won_rule_counts)
    policies = [policy_of(GAME, text) for text in (policy, "random", "rules:200", "rules:5@documented")]
    together = run_policies(Deals(GAME, numbers=range(50)), policies, threads=2)
    for one, sim in zip(policies, together, strict=True):
        alone = run_policy(Deals(GAME, numbers=range(50)), one, threads=1)
        assert (alone.packed, alone.packed_moves) == (sim.packed, sim.packed_moves)
        assert (alone.rule_counts, alone.won_rule_counts) == (sim.rule_counts, sim.won_rule_counts)
    assert together[0].packed[0] == runs[0].packed[0][:50]


def test_typed_decks_and_games_in_progress() -> None:
    policy = policy_of(GAME, "rules:2,1,10,1000")
    state = GAME.deal(7)
    typed = GAME.parse("Deck: " + " ".join(map(str, state.stock)))
    line = un.replay(state, un.simulate(GAME, policy, [7])[0].moves)
    later = line.states[9]
    sim = un.simulate(GAME, policy, states=[state, typed, later, line.states[-1]])
    assert len(set(sim.scores.tolist())) == 1
    assert [record.deal for record in sim] == [state.id, None, state.id, state.id]
    assert (sim[1].moves, sim[2].moves, sim[3].moves) == (line.moves, line.moves[9:], ())
    spaced = GAME.parse("Pile 1: 4C KH\nPile 2: 5S AD\nPile 3: 7C\nPile 4:\nStock: AH AS AC 2H")
    assert un.simulate(GAME, "rules:1", states=[spaced])[0].moves[0] == ToSpace(2, 4)


# The policy and its name.


def test_a_policy_is_named_as_it_was_entered_and_plays_the_reduced_list() -> None:
    policy = policy_of(GAME, "rules: 3,2,1,20,3,10,300,200@classic")
    assert isinstance(policy, ByRules)
    assert policy.name == "rules:3,2,1,20,10,300,200"
    assert policy.strategy.text == "3,20,300"
    assert list(policy.rule_words) == [3, 20, 300]
    other = policy_of(GAME, "rules:300@documented")
    assert other.name == "rules:300@documented"
    assert other.rule_words == {300: RULES[300].description("documented")}
    assert policy_of(GAME, other.name).name == other.name


@given(
    rules=st.lists(st.sampled_from(list(RULES)), min_size=1, max_size=12),
    dialect=st.sampled_from(DIALECTS),
    seed=st.integers(0, 1 << 40),
)
def test_reduction_changes_no_game(rules: list[int], dialect: str, seed: int) -> None:
    """Law: a list and what is left of it move alike, rule by rule."""

    class Entered(ByRules):
        """One who tries the dead rules too."""

        def __init__(self, entered: RuleList) -> None:
            super().__init__(entered)
            self.strategy = entered

        player = ByRules.player

    entered = RuleList(tuple(rules), dialect)
    assert Entered(entered).engine_policy is None
    for n in range(seed, seed + 3):
        whole, reduced = (play_game(kind(entered), GAME.deal(n), Luck("any")) for kind in (Entered, ByRules))
        assert whole == reduced


@pytest.mark.parametrize("variant", ["must-fill", "must-fill-any"])
def test_where_spaces_must_be_filled_a_rule_must_find_a_card(variant: str) -> None:
    game = un.game("aces-up", variant)
    for policy in ("rules:1,10", ByRules(RuleList((1, 10)))):
        with pytest.raises(un.UsageError, match=f"aces-up/{variant} forbids a deal .* and rules:1,10 may find no card"):
            un.simulate(game, policy, [1])
    assert len(un.simulate(game, "rules:1,10,300", range(20))) == 20


# The variants.


def scores(variant: str, policy: str) -> array[int]:
    return un.simulate(un.game("aces-up", variant), policy, range(effort(GAME, 40, 12))).packed[0]


def test_variants_whose_freedom_a_list_does_not_use() -> None:
    for policy in ("rules:2,1,10,1000", "rules:100,3@documented"):
        plain = scores("standard", policy)
        assert [scores(variant, policy) for variant in ("any-empty", "free", "relaxed-discards", "firing-squad")] == [
            plain
        ] * 4
        assert scores("last-empty", policy) != plain
        assert scores("russian", policy) != plain
    assert scores("must-fill", "rules:1,300") == scores("standard", "rules:1,300")


def test_a_list_where_only_aces_go_to_spaces() -> None:
    assert scores("aces-only", "rules:200") == scores("standard", "rules:5@documented")
    assert scores("aces-only", "rules:10,100,4,200") != scores("standard", "rules:10,100,4,200")


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_a_list_does_in_every_variant(variant: str) -> None:
    game = un.game("aces-up", variant)
    for record in un.simulate(game, "rules:2,1,10,1000", range(6)):
        line = un.replay(game.deal(str(record.deal).partition("@")[2]), record.moves)
        assert line.states[-1].stock == ()
        for state, move in zip(line.states, line.moves, strict=False):
            assert not isinstance(move, ToReserve | FromReserve)
            if isinstance(move, ToSpace):
                assert len(state.piles[move.source - 1]) > 1
                assert move.target == state.spaces[-1 if game.rules.destination == "last" else 0]
            if game.rules.discards == "optional" and any(isinstance(each, Discard) for each in state.legal_moves()):
                assert isinstance(move, Discard)


CTRL_C = """
import os, signal, unshuffle as un
signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
game = un.game("aces-up")

def wait(played):
    if signal.getitimer(signal.ITIMER_REAL)[0] == 0:
        signal.setitimer(signal.ITIMER_REAL, 0.05)

try:
    un.simulate(game, "rules:1,1000", range(10**12), threads=1, progress=wait)
except un.SimulationInterrupted as interrupted:
    kept = interrupted.simulation
    again = un.simulate(game, "rules:1,1000", range(len(kept)))
    print(len(kept) > 0, kept.packed == again.packed, kept.packed_moves == again.packed_moves)
    print(kept.rule_counts == again.rule_counts, kept.replayed == again.replayed)
"""


@pytest.mark.one_engine("interrupts the engine")
def test_ctrl_c_keeps_the_blocks_that_were_finished() -> None:
    run = subprocess.run([sys.executable, "-c", CTRL_C], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout == "True True True\nTrue True\n"


# Both engines.


@native_only
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_engine_plays_the_same_games(variant: str) -> None:
    """Law: mass play in the engine, its lines, and the player of one game agree: scores, moves, counts."""
    game = un.game("aces-up", variant)
    rng = Random(variant)
    lists = [each for dialect in DIALECTS for each in reduced_lists(dialect)]
    if game.rules.fill == "must":
        lists = [each for each in lists if each.is_guaranteeing]
    policies = [ByRules(each) for each in rng.sample(lists, len(lists) if IS_LONG else 12)]
    late = [state for seed in range(3) for state in game.small_states(seed)]
    first = rng.randrange(1 << 40)
    for deals in (Deals(game, numbers=range(first, first + 4)), Deals(game, states=late[:6])):
        assert all(policy.plays_natively(deals) for policy in policies)
        for policy, mass in zip(policies, run_policies(deals, policies, threads=2), strict=True):
            games = [play_game(policy, deals.state(place), Luck("any")) for place in range(len(deals))]
            assert [each.moves for each in policy.play_many(deals, threads=1)] == [each.moves for each in games]
            assert mass.packed == (array("h", [each.score for each in games]), bytes(each.won for each in games))
            assert mass.packed_moves == bytes(sum(isinstance(move, ToSpace) for move in each.moves) for each in games)
            counts = {rule: sum(each.rule_counts.get(rule, 0) for each in games) for rule in policy.strategy.rules}
            assert mass.rule_counts == {rule: times for rule, times in sorted(counts.items()) if times}
