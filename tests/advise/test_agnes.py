"""Agnes Sorel as one sees it: views as text, playing on with what comes to light, and the chance of each move."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from unshuffle.cards import Card
from unshuffle.games.agnes import Deal, Move, Shown, State, ToFoundation, ToPile, View
from unshuffle.games.agnes.hidden import planner
from unshuffle.games.agnes.hidden.planner import plan
from unshuffle.hidden import playouts
from unshuffle.hidden.playouts import wilson
from unshuffle.solve import Status

pytestmark = pytest.mark.both_engines

DOWN = un.game("agnes")
GOLDEN = DOWN.deal("python:12345")
SEEN = """\
Base: 7
Foundations: - - 7S -
1: QS
2: [##] 7H
3: [## ##] 9H
4: [## ## ##] 2D
5: [## ## ## ##] 9C
6: [## ## ## ## ##] JD
7: [## ## ## ## ## ##] 8H
Stock: 23
"""
LATE = """\
Base: 7
Foundations: AC KD AS AH
1: 4C 6C
2: [##] 4S
3: -
4: [## ##] 3H
5: 6D 5D
6: AD 3S
7: 4D
Stock: 9
"""
KNOWN = "Base: 7\nFoundations: 3C 6D 6S 6H\n1: 4C 6C 5C\n2: -\n3: -\n4: -\n5: -\n6: -\n7: -\nStock: 0\n"


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


# Views as text.


def test_what_a_player_sees_as_text() -> None:
    assert DOWN.format(GOLDEN, hidden=True) == str(GOLDEN.view()) == SEEN
    assert DOWN.parse_seen(SEEN) == GOLDEN.view()
    assert DOWN.picture(GOLDEN.view()).splitlines()[3:5] == [" 3: [## ##] 9♥", " 4: [## ## ##] 2♦"]
    assert DOWN.picture(GOLDEN.view()).endswith("Stock: 23")


@pytest.mark.parametrize("variant", ["down-color-none", "up-suit-anyrun", "down-suit-any1-nosplit"])
def test_views_round_trip(variant: str) -> None:
    """Law: the text of a view is read as that view, whatever table it is of."""
    game = un.game("agnes", variant)
    rng = Random(1)
    for seed in range(6):
        state = game.deal(seed)
        for _ in range(40):
            moves = state.legal_moves()
            assert game.parse_seen(game.format(state, hidden=True)) == state.view()
            assert game.parse_seen(str(state)).view() == state.view()
            if not moves:
                break
            state = state.play(rng.choice(moves))


def test_a_deck_or_an_id_is_a_state_whose_view_counts() -> None:
    assert DOWN.parse_seen("Id: agnes/down-color-none@7").id == "agnes/down-color-none@7"
    assert isinstance(DOWN.parse_seen("Id: agnes/down-color-none@7"), State)
    quagnes = "\n".join(f"({card.rank - 1}, {'CDSH'.index(card.suit.letter)})" for card in reversed(DOWN.pack))
    assert isinstance(DOWN.parse_seen(quagnes), State)


def test_the_solver_wants_every_card() -> None:
    with pytest.raises(un.InvalidDealError) as caught:
        DOWN.parse(SEEN)
    assert [str(fault) for fault in caught.value.faults][-1] == (
        "line 10, column 1: 'Stock: 23' tells no cards;"
        " expected every card (only hidden play does without, as in `advise`)"
    )
    assert len(caught.value.faults) == 7


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("Stock: 23", "Stock: 22"), "line 10, column 1: the stock has 22 cards; it can have 23, 16, 9, 2, 0"),
        (("[##] 7H", "[##]"), "line 4, column 1: pile 2 has only face-down cards: its top card is face up"),
        (("[## ##] 9H", "9H"), "42 cards are unseen, but 44 are neither on the table nor on a foundation"),
        (("[##] 7H", "[##] QS"), "line 4, column 9: 'QS' is on the table twice (first at line 3, column 4)"),
        (
            ("[##] 7H", "[##] XX"),
            "line 4, column 9: 'XX' is not a card; expected a rank A 2-9 T J Q K, then a suit C D H S",
        ),
        (
            ("[##] 7H", "[## ##] 7H"),
            "line 4, column 1: pile 2 has 2 face-down cards; it is dealt with 1",
        ),
    ],
)
def test_faults_of_a_view(change: tuple[str, str], fault: str) -> None:
    with pytest.raises(un.InvalidDealError) as caught:
        DOWN.parse_seen(SEEN.replace(*change))
    assert fault in [str(found) for found in caught.value.faults]


def test_in_brackets_a_number_sign_starts_no_comment() -> None:
    text = SEEN.replace("[## ##] 9H", "[####] 9H  # two, and [one] comment")
    assert DOWN.parse_seen(text) == GOLDEN.view()
    assert DOWN.parse(f"## a heading [of two]\n{GOLDEN}") == GOLDEN


# Playing on.


@pytest.mark.parametrize("variant", ["down-color-none", "up-suit-anyrun", "down-suit-any1-nosplit"])
def test_a_view_is_played_on_like_the_table_under_it(variant: str) -> None:
    """Law: with the cards that a move shows, the view after it is the view of the table after it."""
    rng = Random(2)
    for seed in range(8):
        state = un.game("agnes", variant).deal(seed)
        for _ in range(40):
            moves = state.legal_moves()
            if not moves:
                break
            view = state.view()
            assert view.legal_moves() == moves
            assert (view.score, view.outcome) == (state.score, state.outcome)
            move = rng.choice(moves)
            after = state.play(move)
            shown = tuple(sorted(set(view.unseen) - set(after.view().unseen)))
            assert view.turned_by(move) == len(shown)
            if isinstance(move, Deal):
                shown = state.stock[: len(state.piles)]
            assert view.play(Shown(move, shown) if shown else move) == after.view()
            state = after


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (ToFoundation(2), "it turns up 1 card, and none is told"),
        (Shown(ToFoundation(2), cards("QS")), "Q♠ lies face up already, or is on its foundation"),
        (Shown(ToFoundation(2), cards("7S")), "7♠ lies face up already, or is on its foundation"),
        (Shown(Deal(), cards("2C")), "it turns up 7 cards, and 1 is told"),
        (Shown(Deal(), cards("2C 2C 3C 4C 5C 6C 8C")), "a card is told twice"),
        (ToPile(1, 2), "Q♠ does not go on 7♥: needs a black king"),
    ],
)
def test_what_a_view_refuses(move: ToFoundation | Shown[Move] | ToPile, reason: str) -> None:
    with pytest.raises(un.IllegalMoveError) as caught:
        GOLDEN.view().play(move)
    assert caught.value.reason == reason
    assert caught.value.position == " / ".join(SEEN.splitlines())


def test_moves_in_words() -> None:
    view = GOLDEN.view()
    assert DOWN.describe(view, ToFoundation(2)).text == "Play 7♥ from pile 2 to the foundation; turns up a card."
    told = Shown(ToFoundation(2), cards("AC"))
    assert DOWN.describe(view, told).text == "Play 7♥ from pile 2 to the foundation; turns up A♣."
    assert told.token == "2f=AC"
    assert DOWN.describe(view, Shown(Deal(), GOLDEN.stock[:7])).text == "Deal 7 cards: J♠ 9♦ K♦ 4♠ 6♦ 6♣ 8♦."


# The chance of each move.


def late(variant: str = "down-color-high1") -> View:
    view: View = un.game("agnes", variant).parse_seen(LATE)
    return view


def test_the_best_move_comes_first() -> None:
    made = plan(late(), samples=30)
    assert [option.move.token for option in made.options] == ["1-3", "4-7", "6-2", "7-5", "d"]
    assert made.moves == (ToPile(1, 3),)
    assert made.status is None
    assert plan(late(), samples=30).options == made.options
    for option in made.options:
        assert option.samples == 30
        assert option.chance is not None
        assert (option.low, option.high) == wilson(round(30 * option.chance), 30)


def test_advice_sees_no_hidden_card() -> None:
    """Law: tables that look the same get the same advice."""
    rng = Random(7)
    made = {plan(late().sample(rng).view(), samples=5).options for _ in range(4)}
    assert len(made) == 1


def test_a_safe_card_is_recommended_whatever_the_games_say() -> None:
    state = un.game("agnes", "up-suit-anyrun").deal(7)
    made = plan(state.view(), samples=3)
    assert made.moves == (ToFoundation(2),)
    assert made.options[0].move == ToFoundation(2)


def test_time_is_a_limit_but_a_few_games_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {option.samples for option in plan(late(), seconds=0).options} == {10}
    monkeypatch.setattr(playouts, "MOST_SAMPLES", 20)
    assert {option.samples for option in plan(late(), seconds=600).options} == {20}


def test_with_all_cards_known_a_search_decides() -> None:
    won = plan(un.game("agnes", "up-suit-anyrun").parse_seen(KNOWN))
    assert won.status is Status.SOLVED
    assert {(option.chance, option.low, option.high, option.samples) for option in won.options} == {(1, 1, 1, 0)}
    line = un.replay(un.game("agnes", "up-suit-anyrun").parse(KNOWN.replace("Stock: 0", "Stock: -")), won.moves)
    assert line.outcome is un.Outcome.WON
    text = "Base: 7\nFoundations: 2C 6D 6S 6H\n1: 4C 6C 3C 5C\n2: -\n3: -\n4: -\n5: -\n6: -\n7: -\nStock: 0\n"
    assert plan(un.game("agnes", "up-suit-high1").parse_seen(text)).options == ()
    lost = plan(un.game("agnes", "up-suit-high1").parse_seen(text.replace("2: -", "2: 6D").replace("6D 6S", "5D 6S")))
    assert lost.status is Status.UNSOLVABLE
    assert [(option.move.token, option.chance, option.mean_score) for option in lost.options] == [("2f", 0, 48)]


def test_a_search_that_was_cut_short_is_not_a_no(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(state: State, **limits: Any) -> un.Result:
        return replace(un.solve(state, **limits), status=Status.NODE_LIMIT)

    monkeypatch.setattr(planner, "solve", give_up)
    made = plan(un.game("agnes", "up-suit-anyrun").parse_seen(KNOWN))
    assert made.status is Status.NODE_LIMIT
    assert {option.chance for option in made.options} == {None}
    assert len(made.moves) == 1


@pytest.mark.parametrize(("wins", "n"), [(0, 10), (3, 10), (10, 10), (1, 1000), (500, 1000)])
def test_the_interval_is_that_of_the_studies(wins: int, n: int) -> None:
    from unshuffle.study.statistics import wilson as scipys

    assert wilson(wins, n) == pytest.approx(scipys(wins, n), abs=1e-12)


# On the command line.


def test_json(run: Run) -> None:
    ended = run("advise", "agnes", "-", "--variant", "down-color-high1", "--samples", "20", "--json", stdin=LATE)
    assert ended.code == 0, ended.err
    value = json.loads(ended.out)
    assert list(value) == [
        "game",
        "variant",
        "deal",
        "moves",
        "win_chance",
        "win_chance_low",
        "win_chance_high",
        "options",
        "seconds",
    ]
    assert (value["game"], value["variant"], value["deal"], value["moves"]) == (
        "agnes",
        "down-color-high1",
        None,
        ["1-3"],
    )
    assert [list(option) for option in value["options"]] == 5 * [
        ["move", "win_chance", "low", "high", "mean_score", "samples"]
    ]
    assert value["win_chance"] == value["options"][0]["win_chance"]
    assert value["win_chance_low"] < value["win_chance"] < value["win_chance_high"]


def test_a_seed_hides_its_cards(run: Run) -> None:
    ended = run("advise", "agnes", "--seed", "python:12345", "--samples", "2")
    assert ended.out.startswith("agnes/down-color-none@python:12345\n")
    assert "\n 3: [## ##] 9♥\n" in ended.out
    assert "Recommended: 2f.\nWhy: a card goes up, nothing can be lost by it and a card is turned up." in ended.out
    full = run("advise", "agnes", "-", "--samples", "2", stdin=str(GOLDEN))
    assert full.out.splitlines()[1:] == ended.out.splitlines()[1:]


def test_the_table_then_is_shown_if_nothing_comes_to_light(run: Run) -> None:
    shows = ("advise", "agnes", "-", "--variant", "down-color-high1", "--samples", "20", "--explain", "full")
    ended = run(*shows, stdin=LATE)
    assert "The table then:\nBase: 7   Foundations: A♣  K♦  A♠  A♥\n 1: 4♣\n 2: [##] 4♠\n 3: 6♣\n" in ended.out
    ended = run("advise", "agnes", "--seed", "7", "--samples", "2", "--explain", "full")
    assert "The table then" not in ended.out


def test_faults_name_the_file_and_every_place(run: Run) -> None:
    ended = run("advise", "agnes", "-", stdin=SEEN.replace("QS", "1X").replace("23", "x"))
    assert ended.code == 255
    assert "line 3, column 4: '1X' is not a card" in ended.err
    assert "line 10, column 8: 'x' is not a card" in ended.err


def test_options_of_other_games(run: Run) -> None:
    ended = run("advise", "belle-lucie", "--seed", "7", "--samples", "3")
    assert ended.code == 2
    assert "--samples has no effect: the adviser of belle-lucie plays no playouts" in ended.err
    ended = run("advise", "agnes", "--seed", "7", "--samples", "3", "--seconds", "3")
    assert ended.code == 2
    assert "exclude each other" in ended.err


def test_a_game_that_is_over(run: Run) -> None:
    won = "Base: 7\nFoundations: 6C 6D 6S 6H\n" + "".join(f"{pile}: -\n" for pile in range(1, 8)) + "Stock: 0\n"
    ended = run("advise", "agnes", "-", stdin=won)
    assert "The game is won: all cards are up." in ended.out
    ended = run("advise", "agnes", "-", stdin=KNOWN)
    assert "No move is left: the game is lost." in ended.out
