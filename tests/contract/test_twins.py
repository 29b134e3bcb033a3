"""Laws that keep the twins equal: the engine plays what the Python rules say, move for move."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.laws import DATA, IS_LONG, asked, deal_numbers, for_each, native_games, native_module, tokens
from unshuffle import engine
from unshuffle.deals import shuffles
from unshuffle.simulate import Deals, play_game, policy_of

pytestmark = pytest.mark.one_engine("compares the native engine with the Python rules")

Game = un.Game[Any, Any]


@pytest.mark.skipif(engine.native() is None, reason="the Python side is asked for")
def test_the_engine_plays_every_game_that_is_fast() -> None:
    assert {"agnes", "belle-lucie"} <= {game.id for game in native_games()}


@pytest.mark.parametrize("game", native_games(), ids=str)
def test_engine_and_rules_ramble_alike(game: Game) -> None:
    """The policy random makes the same moves on both sides, from deals and from late tables."""
    policy = policy_of(game, "random:seed=3")
    seeds = range(6 if IS_LONG else 1)
    late = [state for seed in range(2 if IS_LONG else 1) for state in game.small_states(seed)]
    rules = asked(game, game.deal(0))[1]
    games = native_module().Games(game.id, rules, policy=policy.engine_policy, threads=2)
    for deals in (Deals(game, numbers=seeds), Deals(game, states=late)):
        lucks = [deals.luck(place, policy.seed).seed for place in range(len(deals))]
        if deals.states is None:
            games.submit_seeds(list(seeds), lucks)
        else:
            games.submit([game.wire(state) for state in late], lucks)
        for place in range(len(deals)):
            score, won, moves = games.next()
            played = play_game(policy, deals.state(place), deals.luck(place, policy.seed))
            assert (score, won, tokens(moves)) == (played.score, played.won, tokens(played.moves))


@given(seed=deal_numbers, size=st.integers(1, 104), number=st.integers(1, 4))
def test_engine_and_python_shuffle_alike(seed: int, size: int, number: int) -> None:
    stream = shuffles(size, seed)
    for _ in range(number):
        order = next(stream)
    assert native_module().shuffle(seed, number, size) == order


def perft_rows() -> list[tuple[str, list[int]]]:
    rows = []
    known = {str(game) for game in native_games()}
    for path in sorted(DATA.glob("*/*.perft")):
        for line in path.read_text().splitlines():
            if not line.startswith("#"):
                deal, counts = line.split(" | ")
                if deal.partition("@")[0] in known:
                    rows.append((deal, [int(count) for count in counts.split()]))
    assert rows or not known
    return rows


@pytest.mark.parametrize(("deal", "counts"), perft_rows(), ids=lambda value: value if isinstance(value, str) else "")
def test_perft_counts_are_those_of_the_data_files(deal: str, counts: list[int]) -> None:
    state = un.deal(deal)
    game = un.game_of(state)
    for depth, count in enumerate(counts, 1):
        assert native_module().perft(*asked(game, state), depth) == count


@pytest.mark.parametrize("game", native_games(), ids=str)
@for_each
@given(noise=st.text(max_size=200))
def test_the_engine_refuses_noise_with_a_value_error(game: Game, noise: str) -> None:
    rules = asked(game, game.deal(0))[1]
    for name in ("legal_moves", "solve"):
        try:
            getattr(native_module(), name)(game.id, rules, noise)
        except ValueError as error:
            assert str(error)
    # Some noise is a move: "D" deals.
    try:
        game.parse_move(noise, game.deal(0))
    except ValueError:
        with pytest.raises(ValueError, match=r"\S"):
            native_module().play(*asked(game, game.deal(0)), [noise])
