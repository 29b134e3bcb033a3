"""Laws of redeals: what a seed decides, what a player must be told, and what no solver can know."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given

import unshuffle as un
from tests.laws import deal_numbers, every_game, for_each, random_line, tokens

Game = un.Game[Any, Any]

GAMES = [game for game in every_game() if getattr(game.rules, "redeals", 0)]


def forget(game: Game, state: Any) -> Any:
    """The same table, as a person types it who does not know what the redeals will bring."""
    return game.parse("\n".join(line for line in game.wire(state).splitlines() if not line.startswith("Redeal ")))


def next_order(game: Game, state: Any) -> str:
    """The cards of the next redeal in deal order, without separators."""
    (order,) = (line for line in game.wire(state).splitlines() if line.startswith("Redeal 1:"))
    return order.removeprefix("Redeal 1:").replace(" ", "")


@pytest.mark.engine_free
@pytest.mark.parametrize("game", GAMES, ids=str)
@for_each
@given(seed=deal_numbers)
def test_an_unknown_redeal_is_played_when_its_order_is_told(game: Game, seed: int) -> None:
    for state in random_line(game, seed, at_most=12):
        legal = state.legal_moves()
        blind = forget(game, state)
        assert tokens(blind.legal_moves()) == [token for token in tokens(legal) if token != "r"]
        assert blind.can_redeal == ("r" in tokens(legal))
        assert not state.can_redeal
        if blind.can_redeal:
            assert blind.outcome is None
            known = game.parse_move("r")
            told = game.told(state, known)
            assert blind.play(told) == forget(game, state.play(known))
            assert game.parse_move(told.token) == told
            assert game.parse_move(told.token, state) == known
            with pytest.raises(un.IllegalMoveError, match="the order of this redeal is known: play r"):
                state.play(told)
            with pytest.raises(un.IllegalMoveError, match="the order of this redeal is not known"):
                blind.play(known)


@pytest.mark.engine_free
@pytest.mark.parametrize("game", GAMES, ids=str)
@for_each
@given(seed=deal_numbers)
def test_the_redeals_of_a_seed_are_the_next_decks_of_its_stream(game: Game, seed: int) -> None:
    rng = Random(seed)
    state = game.deal(seed, number=2)
    number = 3
    while (moves := state.legal_moves()) and number < 5:
        move = rng.choice(moves)
        if move.token == "r":
            order = next_order(game, state)
            deck = un.Source(seed, number=number).deck(game.pack)
            assert order == "".join(str(card) for card in deck if str(card) in order)
            number += 1
        state = state.play(move)
        assert game.parse(str(state)) == state


@pytest.mark.parametrize("game", [game for game in GAMES if not game.solves_phases], ids=str)
def test_no_solver_decides_what_nobody_knows(game: Game) -> None:
    state = game.deal(7)
    blind = forget(game, state)
    for ask in (lambda: un.solve(blind), lambda: list(un.solve_many([state, blind], nodes=10))):
        with pytest.raises(un.UsageError, match="not known"):
            ask()
    assert un.solve(state, nodes=10)
    assert next(un.solve_many(game, seeds=[7], nodes=10)).state == state


@pytest.mark.parametrize("game", [game for game in GAMES if game.solves_phases], ids=str)
def test_a_solver_of_phases_asks_nothing_about_redeals(game: Game) -> None:
    for state in game.small_states(7):
        blind = forget(game, state)
        for maximize in (False, True):
            known = un.solve(state, maximize=maximize)
            assert known.state == state
            assert "r" not in tokens(known.moves)
            for same in (un.solve(blind, maximize=maximize), next(un.solve_many([state], maximize=maximize))):
                assert (same.status, same.score, same.score_proved) == (known.status, known.score, known.score_proved)
    state = game.deal(7)
    assert next(un.solve_many(game, seeds=[7], nodes=10)).state == state
    with pytest.raises(un.UsageError, match="not known"):
        game.check_open(forget(game, state))
