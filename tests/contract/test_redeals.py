"""Laws of redeals: what a seed decides, what a player must be told, and what no solver can know."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given

import unshuffle as un
from tests.contract import luck, tray
from tests.contract.tray import Tray
from tests.laws import IS_LONG, deal_numbers, effort, every_game, for_each, random_line, tokens
from unshuffle import registry
from unshuffle.rulebook import write_rules

Game = un.Game[Any, Any]

GAMES = [game for game in every_game() if getattr(game.rules, "redeals", 0)]


def forget(game: Game, state: Any) -> Any:
    """The same table, as a person types it who does not know what the redeals will bring."""
    return game.parse("\n".join(line for line in game.wire(state).splitlines() if not line.startswith("Redeal ")))


def next_order(game: Game, state: Any) -> str:
    """The cards of the next redeal in deal order, without separators."""
    (order,) = (line for line in game.wire(state).splitlines() if line.startswith("Redeal 1:"))
    return order.removeprefix("Redeal 1:").replace(" ", "")


@pytest.mark.parametrize("game", every_game(), ids=str)
@for_each
@given(seed=deal_numbers)
def test_a_redeal_is_known_by_its_class_and_has_its_tokens(game: Game, seed: int) -> None:
    """Law: `r` and `r=...` are the tokens of the class that the game names, and of no other move."""
    assert (game.redeal_class is not None) == ("redeals" in write_rules(game.rules))
    for state in random_line(game, seed, at_most=12):
        for move in state.legal_moves():
            assert game.is_redeal(move) == (move.token == "r")
            told = game.told(state, move)
            assert game.is_told_redeal(told) == told.token.startswith("r=") == game.is_redeal(move)


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


WHOLE = [game for game in GAMES if not game.solves_phases]
"""Games that are one question over all their deals."""


def orders(game: Game, state: Any) -> Iterator[Any]:
    """Every redeal that may come now; a random one first, for most will do."""
    cards = [card for fan in state.fans for card in fan]
    Random(str(state)).shuffle(cards)
    for order in permutations(cards):
        yield game.parse_move("r=" + "".join(map(str, order)))


def blind_ends(game: Game, seed: int, most_cards: int) -> Iterator[Any]:
    """Ends of so few cards that every order of them can be tried; of some the next redeal is known."""
    rng = Random(seed)
    for left in range(2, most_cards + 1):
        suits = [rng.choice("CDHS") for _ in range(left)]
        cards = [f"{'KQJT98'[number]}{suit}" for suit in "CDHS" for number in range(suits.count(suit))]
        rng.shuffle(cards)
        size = rng.choice((1, 2, 3, 3))
        fans = [" ".join(cards[first : first + size]) for first in range(0, left, size)]
        deal = rng.randint(1, game.rules.redeals + 1)
        known = game.rules.redeals - deal > 0 and rng.random() < 0.5
        redeal = f"Redeal 1: {' '.join(rng.sample(cards, left))}\n" if known else ""
        yield game.parse("\n".join([*fans, f"Deal: {deal}", redeal]))


@pytest.mark.parametrize("game", WHOLE, ids=str)
@pytest.mark.parametrize("seed", range(20 if IS_LONG else 4))
@pytest.mark.both_engines
def test_a_solver_says_of_unknown_redeals_what_every_order_of_them_says(game: Game, seed: int) -> None:
    """Law: a win without them is a win; lost is what no order of them wins; between the two nobody knows."""
    # Spaces and cards on any suit make many positions even of few cards.
    for state in blind_ends(game, seed, 6 if IS_LONG else 5):
        truth = luck.status(state, partial(orders, game))
        for maximize in (False, True):
            result = un.solve(state, maximize=maximize)
            assert result.status is truth, str(state)
            if truth is not un.Status.SOLVED and not game.is_open(state):
                assert not result.score_proved
        assert next(un.solve_many([state])).status is truth


@pytest.mark.parametrize("game", WHOLE, ids=str)
@pytest.mark.both_engines
def test_while_a_redeal_is_not_known_no_deal_is_called_lost(game: Game) -> None:
    state = game.deal(7)
    blind = forget(game, state)
    for nodes in (0, 10, effort(game, 20_000, 50)):
        for result in (un.solve(blind, nodes=nodes), next(un.solve_many([blind, state], nodes=nodes))):
            assert result.state == blind
            assert result.status is not un.Status.UNSOLVABLE
            assert result.score_proved == (result.status is un.Status.SOLVED)
            assert not any(token.startswith("r") for token in tokens(result.moves))
    assert next(un.solve_many(game, seeds=[7], nodes=10)).state == state


@pytest.fixture
def _tray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._registered, "tray", Tray())


def trays(variant: str) -> Iterator[Any]:
    """Every way to lay five cards on the tray and the pile."""
    for cards in permutations(range(1, 6)):
        for size in range(6):
            yield tray.State(Tray(variant).rules, cards[:size], cards[size:])


@pytest.mark.usefixtures("_tray")
@pytest.mark.parametrize("variant", Tray.variants)
@pytest.mark.both_engines
def test_what_even_the_luckiest_redeal_cannot_win_is_lost(variant: str) -> None:
    """Law: with a bound that holds whatever redeals bring, as every bound must, also that is proved."""
    seen = set()
    for state in trays(variant):
        truth = luck.status(state, tray.orders)
        seen.add(truth)
        assert un.solve(state).status is truth, state
    assert un.Status.UNSOLVABLE in seen
    assert (un.Status.UNKNOWN_REDEALS in seen) == (variant != "none")


@pytest.mark.usefixtures("_tray")
@pytest.mark.both_engines
def test_a_search_that_comes_to_an_unknown_redeal_never_says_unsolvable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here no redeal is allowed yet where the search begins, and nothing bounds what redeals may bring."""
    monkeypatch.setattr(Tray, "hooks", lambda _: un.Hooks())
    for state in trays("one"):
        result = un.solve(state)
        assert result.status is (un.Status.SOLVED if luck.can_win(state) else un.Status.UNKNOWN_REDEALS)
        assert result.score_proved == (result.status is un.Status.SOLVED)


@pytest.mark.parametrize("game", [game for game in GAMES if game.solves_phases], ids=str)
@pytest.mark.both_engines
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
