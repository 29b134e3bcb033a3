"""What the search of a phase may do: never a win lost, never an end lost, never a score missed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

import unshuffle as un
from tests.games.gaps_reference import board, reference
from tests.laws import IS_LONG, deal_numbers, effort, every_game, for_each, random_line, tokens
from unshuffle import engine
from unshuffle.cards import Card
from unshuffle.game import Hooks
from unshuffle.games.gaps import Redeal, State, ToGap
from unshuffle.games.gaps.search import bound, closure, forced, key, may_be_alone
from unshuffle.solve import reference as generic
from unshuffle.solve.limits import Limits
from unshuffle.solve.sides import solve_on

GAMES = [game for game in every_game() if game.id == "gaps"]
LOCKED = [game for game in GAMES if not game.rules.has_free_twos]

# Searched out in seconds by a plain search.
SMALL = {"addiction-one-deal": ["gaps-039", "gaps-051"], "basic": ["solvitaire-82", "solvitaire-78", "solvitaire-62"]}
if IS_LONG:
    SMALL["addiction-one-deal"] += ["gaps-113", "gaps-003"]
    SMALL["basic"] += ["solvitaire-84", "solvitaire-20", "solvitaire-72"]


def reached(start: State, moves: Callable[[State], Iterator[ToGap]] = State.card_moves) -> Iterator[State]:
    """Every position of the phase, each once."""
    seen = {start.cells}
    to_see = [start]
    while to_see:
        state = to_see.pop()
        yield state
        for move in moves(state):
            after = state.play(move)
            if after.cells not in seen:
                seen.add(after.cells)
                to_see.append(after)


def alone(state: State) -> Iterator[ToGap]:
    """The move that may be played alone, or all of them."""
    move = forced(state)
    return state.card_moves() if move is None else iter([move])


def ends(positions: Iterator[State]) -> set[Any]:
    return {state.locks for state in positions if not state.can_move}


@pytest.mark.parametrize(("variant", "name"), [(variant, name) for variant, names in SMALL.items() for name in names])
@pytest.mark.both_engines
def test_plain_search_counts_the_positions_of_the_reference_deals(variant: str, name: str) -> None:
    row = reference(variant)[name]
    positions = list(reached(board(variant, name)))
    assert len(positions) == int(row["positions"])
    assert max(state.score for state in positions) == int(row["best_locked"])
    if "end_vectors" in row:
        assert len(ends(iter(positions))) == int(row["end_vectors"])
        assert max(len(state.legal_moves()) for state in positions) == int(row["max_moves"])


@pytest.mark.parametrize(("variant", "name"), [(variant, name) for variant, names in SMALL.items() for name in names])
def test_moves_played_alone_keep_every_end(variant: str, name: str) -> None:
    start = board(variant, name)
    fewer = list(reached(start, alone))
    assert ends(iter(fewer)) == ends(reached(start))
    assert len(fewer) < int(reference(variant)[name]["positions"])


@pytest.mark.parametrize("game", LOCKED, ids=str)
@for_each
@given(seed=deal_numbers)
def test_moves_played_alone_keep_every_end_of_small_states(game: Any, seed: int) -> None:
    for state in game.small_states(seed):
        assert ends(reached(state, alone)) == ends(reached(state))


@pytest.mark.both_engines
def test_a_move_is_not_played_alone_where_another_needs_the_card() -> None:
    # 4C may go behind 3C; but if 5C is to come behind 4C first, that must wait.
    rows = [
        "2C 3C -- 6C 7C 8C 9C TC JC QC KC 4C --",
        "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD 5C",
        "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH --",
        "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS --",
    ]
    state = un.game("gaps").parse("\n".join(rows))
    assert tokens(state.card_moves()) == ["4C>r1c3", "5C>r1c13"]
    assert not may_be_alone(state, ToGap(Card.parse("4C"), 1, 3))
    assert may_be_alone(state.play(ToGap(Card.parse("5C"), 1, 13)), ToGap(Card.parse("4C"), 1, 3))


# The bound.


@pytest.mark.parametrize("variant", ["addiction-one-deal", "basic"])
def test_the_bound_never_falls_below_what_is_reached(variant: str) -> None:
    for name, row in reference(variant).items():
        best = int(row["best_locked"])
        state = board(variant, name)
        for number, move in enumerate(un.game("gaps", variant).parse_moves(row["line"])):
            # The first positions are those in which the most is still open.
            if number % 7 == 0:
                assert best <= bound(state) <= 48, name
                assert best <= bound(replace(state, rules=un.game("gaps", "one-deal").rules))
            state = state.play(move)
        assert bound(state) >= best


@pytest.mark.parametrize("game", GAMES, ids=str)
@for_each
@given(seed=deal_numbers)
def test_nothing_happens_that_the_closure_does_not_foresee(game: Any, seed: int) -> None:
    start = game.deal(seed)
    reach = closure(start.rules, start.cells)
    assert reach is not None
    most = bound(start)
    state = start
    for state in random_line(un.game("gaps", str(game.variant), redeals=0), seed, at_most=60):
        for index, card in enumerate(state.cells):
            assert card is None or reach[card.index] >> index & 1
        assert state.score <= most
    for state in game.small_states(seed):
        assert max(other.score for other in reached(state)) <= bound(state)


# Boards that are alike.


@pytest.mark.both_engines
def test_rows_may_change_places_unless_their_suits_are_fixed() -> None:
    state = un.game("gaps").deal(3)
    other = replace(state, cells=state.cells[13:] + state.cells[:13])
    assert key(state) == key(other) != key(un.game("gaps").deal(4))
    fixed = un.game("gaps", "basic").rules
    assert key(replace(state, rules=fixed)) != key(replace(other, rules=fixed))
    assert key(state) != key(replace(state, used=1))


# Solving.


@pytest.mark.both_engines
def test_solving_answers_for_the_phase_and_not_for_redeals() -> None:
    # Nothing can move: the phase is lost, whatever the redeals will bring.
    stuck = """
    QC 2C 3C 4C 5C 6C 7C 8C 9C TC JC KC --
    2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD --
    2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH --
    2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS --
    """
    won = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC AD AH AS"
    rest = " ".join(str(card) for card in un.game("gaps").pack if str(card) not in won.split())
    for lines in ("", f"Redeal 1: {won} {rest}\n"):
        state = un.game("gaps").parse(lines + stuck)
        result = un.solve(state)
        assert (result.status, result.score, result.moves) == (un.Status.UNSOLVABLE, 36, ())
        assert un.solve(state, maximize=True).score_proved
    assert state.play(Redeal()).outcome is un.Outcome.WON


@pytest.mark.both_engines
def test_a_win_has_all_cards_and_is_proved() -> None:
    game = un.game("gaps")
    line = game.parse_moves(reference("addiction-one-deal")["gaps-001"]["line"])
    state = un.replay(board("addiction-one-deal", "gaps-001", "addiction"), line[:-40]).states[-1]
    result = solve_on("python", state, Limits(nodes=2_000))
    assert (result.status, result.score, result.score_proved) == (un.Status.SOLVED, 48, True)
    assert un.replay(state, result.moves).outcome is un.Outcome.WON


@pytest.mark.parametrize(("variant", "name"), [("addiction-one-deal", "gaps-051"), ("basic", "solvitaire-78")])
def test_the_python_side_proves_the_best_score_of_a_reference_deal(variant: str, name: str) -> None:
    row = reference(variant)[name]
    result = solve_on("python", board(variant, name), Limits(), maximize=True)
    assert (result.status, result.score, result.score_proved) == (row["verdict"], int(row["best_locked"]), True)
    decided = solve_on("python", board(variant, name), Limits())
    assert decided.status == row["verdict"]
    assert decided.score <= result.score


@pytest.mark.skipif(engine.native() is None, reason="most of them are too large for the Python side")
@pytest.mark.parametrize("variant", ["addiction-one-deal", "basic"])
@pytest.mark.both_engines
def test_no_reference_deal_is_answered_otherwise(variant: str) -> None:
    """The small ones are decided, in the long run all of them; one that is cut off claims nothing wrong."""
    for name, row in reference(variant).items():
        verdict, best = row["verdict"], int(row["best_locked"])
        is_decided = IS_LONG or int(row["positions"] or 10**9) <= 300_000
        state = board(variant, name)
        result = un.solve(state, maximize=verdict == "unsolvable", nodes=None if is_decided else 20_000)
        assert un.replay(state, result.moves).score == result.score, name
        if is_decided or result.is_decided:
            assert (result.status, result.score, result.score_proved) == (verdict, best, True), name
        else:
            assert result.status is un.Status.NODE_LIMIT, name
            assert result.score < best or (result.score, verdict) == (best, "unsolvable"), name
            assert not result.score_proved or result.score == best, name


@pytest.mark.both_engines
def test_the_counts_have_the_names_of_the_page() -> None:
    result = solve_on("python", board("addiction-one-deal", "gaps-051"), Limits(), maximize=True)
    stats = result.stats
    assert set(stats) >= {"nodes", "generated", "seconds", "depth", "memory"}
    assert stats["depth"] == stats["max_depth"] > 0
    assert stats["memory"] == stats["table_bytes"]
    assert stats["generated"] >= stats["nodes"]


@pytest.mark.both_engines
def test_free_twos_come_back_to_where_they_were_and_the_search_ends() -> None:
    # Three finished rows but for the order of their suits: 2s can hop for ever, and it is lost.
    rows = [
        "2C 4C 3C 5C 6C 7C 8C 9C TC JC QC KC --",
        "-- 4D 3D 5D 6D 7D 8D 9D TD JD QD KD --",
        "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH --",
        "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS 2D",
    ]
    game = un.game("gaps", "one-deal")
    state = game.parse("\n".join(rows))
    plain = generic.search(state, Limits(), maximize=True, most_score=48)
    assert plain.status is un.Status.UNSOLVABLE
    for used in ({"forced"}, {"bound"}, {"key"}, {"forced", "bound", "key"}):
        hooks: Hooks[Any, Any] = Hooks(**{name: getattr(game.hooks(), name) for name in used})
        found = generic.search(state, Limits(), maximize=True, most_score=48, hooks=hooks)
        assert (found.status, found.score, found.score_proved) == (plain.status, plain.score, True)


@pytest.mark.both_engines
def test_a_limit_proves_nothing() -> None:
    game = un.game("gaps", "addiction-one-deal")
    for seed in range(effort(game, 5, 2)):
        result = un.solve(game.deal(seed), nodes=3, maximize=True)
        if not result.is_decided:
            assert not result.score_proved or result.score == bound(game.deal(seed))


# Techniques that can be switched off.


@pytest.mark.parametrize("name", ["addiction-one-deal", "basic", "one-deal"])
@pytest.mark.both_engines
def test_the_answer_does_not_hang_on_any_technique(name: str) -> None:
    """Also with all of them off but the table: what is left is the plain search."""
    game = un.game("gaps", name)
    state = next(game.small_states(11))
    usual = un.solve(state, maximize=True)
    techniques = [technique for technique in game.techniques if technique != "table"]
    for without in [*([technique] for technique in techniques), techniques]:
        result = un.solve(state, maximize=True, without=without)
        assert (result.status, result.score, result.score_proved) == (usual.status, usual.score, True), without
        assert next(iter(un.solve_many([state], maximize=True, without=without))).stats.nodes == result.stats.nodes


@pytest.mark.both_engines
def test_a_search_without_the_bound_is_larger() -> None:
    state = board("addiction-one-deal", "gaps-051")
    nodes = [un.solve(state, without=without).stats.nodes for without in ((), ("closure",), ("closure", "alone"))]
    assert nodes[0] < nodes[1] < nodes[2]


@pytest.mark.both_engines
def test_a_technique_that_there_is_not_is_named() -> None:
    state = un.game("gaps").deal(1)
    names = "closure, alone, bound, history, ordering, facts, learned, widening, hops, table"
    with pytest.raises(un.UsageError) as caught:
        un.solve(state, without=["alone", "magic", "bnd"])
    assert str(caught.value) == f"the search of gaps has no technique 'magic', 'bnd'; it has {names}"
    with pytest.raises(un.UsageError, match="'x'; it has none that can be switched off"):
        next(iter(un.solve_many([un.game("agnes").deal(1)], without=["x"])))
    with pytest.raises(un.UsageError, match="does not go with trace"):
        un.solve(state, without=["alone"], trace=print)
