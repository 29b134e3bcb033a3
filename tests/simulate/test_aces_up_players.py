"""Aces Up's players `rollout` and `weights`: docs/simulate.md says every move of theirs; they see no hidden card."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

import unshuffle as un
from tests.laws import EVERYONE
from unshuffle.deals import SplitMix64, shuffled
from unshuffle.games.aces_up import Deal, Discard, State, ToReserve, ToSpace
from unshuffle.games.aces_up.hidden.estimate import BASE, best, by_list, by_weights, estimate, options_of
from unshuffle.games.aces_up.hidden.features import (
    FEATURES,
    FILE,
    Weights,
    features,
    format_weights,
    parse_weights,
    read_weights,
    shipped,
)
from unshuffle.games.aces_up.hidden.players import Rollout, Weighted
from unshuffle.hidden.playouts import Tally
from unshuffle.simulate import Luck, play_game, policies, policy_of
from unshuffle.solve import replay

pytestmark = pytest.mark.both_engines

STANDARD = un.game("aces-up")
VARIANTS = un.games()["aces-up"]
PLAYERS = ("weights", "rollout:2", "rollout:1;base=weights")


def test_their_names() -> None:
    assert {*EVERYONE, "rules", "weights", "planner"} == set(policies(STANDARD))
    for text, name in {
        "rollout": "rollout:60",
        "rollout:": "rollout:60",
        "rollout:60;bonus=50;base=10,100,4,200;seed=0": "rollout:60",
        "rollout: 7 ; seed=3": "rollout:7;seed=3",
        "rollout;bonus=20": "rollout:60;bonus=20",
        "rollout:base=weights": "rollout:60;base=weights",
        "rollout:9;base=4,200@documented;bonus=0": "rollout:9;bonus=0;base=4,200@documented",
        "weights": "weights",
        " weights: ": "weights",
    }.items():
        policy = policy_of(STANDARD, text)
        assert policy.name == name
        assert policy_of(STANDARD, policy.name).name == name
    assert policy_of(STANDARD, "rollout;seed=3").seed == 3


@pytest.mark.parametrize(
    "text",
    [
        "0",
        "-1",
        "x",
        "1000001",
        "50;50",
        "50;sed=3",
        "50;bonus=x",
        "50;bonus=1000001",
        "²",
        "5;base=4;base=1",
        "5;base",
    ],
)
def test_a_wrong_rollout_is_named(text: str) -> None:
    with pytest.raises(un.UsageError, match="rollout"):
        policy_of(STANDARD, f"rollout:{text}")


def test_the_base_is_a_list_that_can_play_on() -> None:
    with pytest.raises(un.UsageError, match="rule 30 is not defined"):
        policy_of(STANDARD, "rollout:5;base=30")
    with pytest.raises(un.UsageError, match="may find no card"):
        policy_of(un.game("aces-up", "must-fill"), "rollout:5;base=4")
    assert policy_of(un.game("aces-up", "must-fill"), "rollout:5;base=weights").name == "rollout:5;base=weights"


# What a position is in numbers.

POSITION = """\
Pile 1: QS 6H AH
Pile 2:
Pile 3: AD 3D 9D 4C
Pile 4: KS
Stock: 2C 3C 5C 6C 7C 8C 9C TC JC QC KC AC
"""
# Counted by hand, in the order of FEATURES.
NUMBERS = {
    # AH goes to the space; then 6H goes, and QS under it.
    "1-2": (0, 0, 1, 12 / 52, 1.8, 2, 0, 0, 3, 1, 2, 1, 1, 4.1, 3.1, 2.7, 4, 34),
    "3-2": (0, 0, 0, 0, 2.0, 1, 1, 2, 2, 2, 2, 2, 1, 4.3, 4.0, 1.7, 3, 32),
    # The table as it is, with four cards fewer in the stock.
    "d": (1, 8 / 52, 1, 8 / 52, 2.6, 1, 1, 2, 3, 2, 2, 2, 1, 3.9, 3.1, 1.3, 4, 32),
}


def test_a_position_in_numbers() -> None:
    state = STANDARD.parse(POSITION)
    assert {move.token: features(state, move) for move in state.legal_moves()} == NUMBERS
    assert {len(numbers) for numbers in NUMBERS.values()} == {len(FEATURES)}


def test_a_deal_to_the_spaces_takes_fewer_cards() -> None:
    state = un.game("aces-up", "russian").parse(POSITION)
    assert features(state, Deal())[1] == 11 / 52


def test_the_greatest_value_is_played_and_the_first_among_equals() -> None:
    state = STANDARD.parse(POSITION)
    only = [0.0] * 18
    for feature, token in ((0, "d"), (17, "1-2"), (13, "3-2"), (9, "3-2"), (1, "d")):
        weights = Weights(tuple(1.0 if place == feature else zero for place, zero in enumerate(only)))
        assert weights.best(state, state.legal_moves()).token == token
    assert Weights(tuple(only)).best(state, state.legal_moves()).token == "1-2"
    exact = sum((weight * feature for weight, feature in zip(shipped().values, NUMBERS["1-2"], strict=True)), 0.0)
    assert shipped().value(state, ToSpace(1, 2)) == exact


# Files of weights.


def test_the_shipped_file() -> None:
    found = json.loads(FILE.read_text())
    assert found["features"] == list(FEATURES)
    assert {"method", "aim", "variant"} <= found["provenance"].keys()
    assert shipped() == read_weights(FILE)
    assert parse_weights(format_weights(shipped(), found["provenance"])) == shipped()


def test_the_name_tells_a_file_as_it_is_now(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(FILE.read_text())
    policy = policy_of(STANDARD, f"weights:{path}")
    assert policy.name.startswith(f"weights:{path}#")
    assert policy_of(STANDARD, policy.name).name == policy.name
    assert un.simulate(STANDARD, policy, range(5)).packed == un.simulate(STANDARD, "weights", range(5)).packed
    path.write_text(FILE.read_text().replace("2.740", "-2.740"))
    with pytest.raises(un.UsageError, match="are not those of"):
        policy_of(STANDARD, policy.name)
    other = policy_of(STANDARD, f"weights:{path}")
    assert other.name != policy.name
    assert un.simulate(STANDARD, other, range(5)).packed != un.simulate(STANDARD, policy, range(5)).packed


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{", "[", "is not a file of weights"),
        ("weights 1", "weights 2", "its format is not"),
        ('"score"', '"cards"', "are not the eighteen"),
        ("2.740", "2.740, 1", "not a list of 18 numbers"),
        ("2.740", '"x"', "'x' among the weights"),
        ("2.740", "NaN", "'nan' among the weights"),
        ("2.740", "true", "'True' among the weights"),
        ("2.740", f"1{'0' * 400}", "among the weights"),
    ],
)
def test_faults_of_a_file(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "mine.json"
    path.write_text(FILE.read_text().replace(old, new, 1))
    with pytest.raises(un.UsageError, match=message):
        policy_of(STANDARD, f"weights:{path}")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing.json"):
        with pytest.raises(un.UsageError, match="cannot read the weights"):
            policy_of(STANDARD, f"weights:{path}")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(un.UsageError, match="is not a file of weights"):
        policy_of(STANDARD, f"weights:{tmp_path / 'bytes'}")


# Playing.


def tables(variant: str, seed: int, count: int) -> list[State]:
    """Tables along random play."""
    game = un.game("aces-up", variant)
    rng = Random(f"{variant} {seed}")
    found: list[State] = []
    while len(found) < count:
        state = game.deal(seed + len(found))
        for _ in range(rng.randrange(2, 30)):
            if moves := state.legal_moves():
                state = state.play(rng.choice(moves))
        if len(state.legal_moves()) > 1:
            found.append(state)
        seed += 1
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_which_moves_are_options(variant: str) -> None:
    """All legal moves in their order, but the only card of a pile stays."""
    for state in tables(variant, 3, 6):
        expected = []
        for move in state.legal_moves():
            source = getattr(move, "source", getattr(move, "pile", None))
            if isinstance(move, Discard) or source is None or len(state.piles[source - 1]) > 1:
                expected.append(move)
        assert options_of(state, state.legal_moves()) == expected == options_of(state.view(), state.legal_moves())


def test_a_single_card_goes_to_no_space_and_to_no_cell() -> None:
    text = "Pile 1: QS\nPile 2:\nPile 3: KD 3C\nPile 4: KH\nReserve: -\nStock: 4S 5S 6S 7S\n"
    state = un.game("aces-up", "firing-squad", singletons=True).parse(text)
    assert {ToSpace(1, 2), ToReserve(1)} < set(state.legal_moves())
    assert [move.token for move in options_of(state, state.legal_moves())] == ["3-2", "3-r", "d"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_end_and_nothing_is_left_undone(variant: str) -> None:
    game = un.game("aces-up", variant)
    for name in PLAYERS:
        played = play_game(policy_of(game, name), game.deal(5), Luck("one game"))
        assert played.moves is not None
        line = replay(game.deal(5), played.moves)
        end = line.states[-1]
        assert played.won or not options_of(end, end.legal_moves())
        assert len(set(line.states)) == len(line.states)


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_hidden_card_is_seen(variant: str) -> None:
    """Law: tables that look the same are played the same, whatever the order of the stock."""
    rng = Random(3)
    game = un.game("aces-up", variant)
    for state in tables(variant, 8, 2):
        others = [state.view().sample(rng) for _ in range(3)]
        for name in PLAYERS:
            policy = policy_of(game, name)
            chosen = {policy.player(Luck("one"))(other.view(), other.legal_moves()) for other in (state, *others)}
            assert len(chosen) == 1


def test_every_decision_has_a_stream_of_its_own() -> None:
    """Decision n is seeded by number n of the game's stream, and all options meet the same orders."""
    play_on, decisions = by_list(BASE), 0
    for seed in (3, 11):
        state, luck = STANDARD.deal(seed), Luck(f"aces-up/standard@{seed}", 4)
        streams, line = SplitMix64(luck.seed), []
        while moves := state.legal_moves():
            line.append(moves[0])
            if len(moves) > 1:
                decisions += 1
                stream = SplitMix64(streams.next())
                orders = [shuffled(state.view().unseen, stream) for _ in range(3)] if state.stock else [[]]
                sums = []
                for move in moves:
                    ends = [play_on(state.view().laid(order).play(move)).score for order in orders]
                    sums.append(sum(score + 50 * (score == 48) for score in ends))
                line[-1] = moves[sums.index(max(sums))]
            state = state.play(line[-1])
        assert un.simulate(STANDARD, "rollout:3;seed=4", [seed])[0].moves == tuple(line)
    assert decisions > 5


def test_one_option_is_no_decision() -> None:
    luck = Luck("one game")
    state = STANDARD.deal(9)
    assert Rollout(3).player(luck)(state.view(), state.legal_moves()) == Deal()
    assert luck.state == luck.seed


def test_an_empty_stock_is_played_on_once() -> None:
    state = next(state for state in tables("standard", 40, 40) if not state.stock)
    luck = SplitMix64(0)
    assert {tally.samples for tally in estimate(state.view(), state.legal_moves(), 50, luck)} == {1}
    assert luck.state == 0


def test_the_bonus_weighs_wins_against_cards() -> None:
    tallies = [Tally("a", 10, 1, 380), Tally("b", 10, 0, 400), Tally("c", 10, 1, 380)]
    assert best(tallies, 10).move == "b"
    assert best(tallies, 20).move == "a"
    assert best(tallies, 50).move == "a"


def test_playing_on_by_weights_is_the_player_of_that_name() -> None:
    for seed in range(6):
        state = STANDARD.deal(seed)
        played = play_game(Weighted(), state, Luck("one game"))
        assert by_weights(shipped())(state).score == played.score


@pytest.mark.parametrize("variant", VARIANTS)
def test_playing_on_by_a_list_is_the_player_of_that_name(variant: str) -> None:
    game = un.game("aces-up", variant)
    policy = policy_of(game, f"rules:{BASE.text}")
    for state in (game.deal(11), *tables(variant, 20, 3)):
        played = play_game(policy, state, Luck("one game"))
        assert by_list(BASE)(state).score == played.score


# The docs' word for the engine: a changed number here changes every published figure.


def test_the_games_of_weights() -> None:
    scores = [33, 43, 37, 45, 40, 43, 25, 32, 27, 42, 31, 34, 29, 40, 26, 37, 44, 47, 25, 27]
    assert list(un.simulate(STANDARD, "weights", range(20)).packed[0]) == scores


@pytest.mark.parametrize(
    ("policy", "score", "tokens"),
    [
        ("rollout:3", 43, "d d d 4-3 d 1-4 d d d 2-4 3-2 d d d d d d 3-1 3-1 2-3"),
        ("rollout:3;base=weights", 39, "d d 1-3 d d d d d 2-4 1-2 d 4-2 d d d d d 2-1"),
        ("rollout:2;bonus=0;base=1,1000@documented", 42, "d d 1-3 d d d d d 2-4 3-2 d d d d d d 3-1 2-1"),
    ],
)
def test_the_games_of_rollout(policy: str, score: int, tokens: str) -> None:
    (record,) = un.simulate(STANDARD, policy, [11])
    assert (record.score, " ".join(move.token for move in record.moves)) == (score, tokens)


def test_the_seed_changes_the_luck() -> None:
    lines = {un.simulate(STANDARD, f"rollout:1;seed={seed}", [11])[0].moves for seed in range(3)}
    assert len(lines) > 1


def test_the_base_plays_on() -> None:
    lines = {un.simulate(STANDARD, f"rollout:3;base={base}", [11])[0].moves for base in ("300", "weights", BASE.text)}
    assert len(lines) > 1
