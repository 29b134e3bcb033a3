"""Spider, rule by rule."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest
from hypothesis import given

import unshuffle as un
from tests.laws import DATA, deal_numbers, every_game, for_each, random_line, tokens
from unshuffle.cards import PACK, Card, Suit, format_cards
from unshuffle.games.spider import Row, Rules, Run, Spider, State, View

GAMES = [game for game in every_game() if game.id == "spider"]
RUN = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS"


def small(text: str, **fields: Any) -> State:
    """A small position in one line: three piles of spades, with runs from 4 to ace."""
    rules = {"suits": 1, "piles": 3, "ranks": 4, "runs": 3, "table": 9, **fields}
    state: State = un.game("spider", **rules).parse(text)
    return state


# The deck and the deal.


def test_there_are_six_variants() -> None:
    names = ("4-suits", "2-suits", "1-suit", "4-suits-strict", "2-suits-strict", "1-suit-strict")
    assert un.games()["spider"] == names
    assert (
        Rules() == un.game("spider").rules == Rules(suits=4, deal_on_empty=True, piles=10, ranks=13, runs=8, table=54)
    )
    assert un.game("spider", "2-suits", deal_on_empty="no").variant == "2-suits-strict"
    assert all(game.most_score == 990 for game in map(Spider, names))
    assert all(game.rules.tallest == 83 for game in map(Spider, names))


def test_the_deck_is_the_pack_twice_with_its_suits_folded() -> None:
    four, two, one = (un.game("spider", name).pack for name in ("4-suits", "2-suits", "1-suit"))
    assert four == PACK * 2
    assert Counter(two) == {card: 4 for card in PACK if card.suit in (Suit.HEARTS, Suit.SPADES)}
    assert Counter(one) == {card: 8 for card in PACK if card.suit is Suit.SPADES}
    black = (Suit.CLUBS, Suit.SPADES)
    assert all((card.suit is Suit.SPADES) == (PACK[i % 52].suit in black) for i, card in enumerate(two))


@given(seed=deal_numbers)
def test_one_seed_has_the_same_ranks_in_the_same_places(seed: int) -> None:
    deals = [un.game("spider", variant).deal(seed) for variant in un.games()["spider"]]
    ranks = {tuple(tuple(card.rank for card in pile) for pile in (*deal.piles, deal.bank)) for deal in deals}
    assert len(ranks) == 1


@pytest.mark.parametrize(
    ("fields", "suits"),
    [
        ({"suits": 1, "runs": 3}, "SSS"),
        ({"suits": 2, "runs": 2}, "SH"),
        ({"suits": 2, "runs": 6}, "SHHSSH"),
        ({"suits": 4, "runs": 4}, "CDHS"),
        ({"suits": 4, "runs": 8}, "CDHSCDHS"),
    ],
)
def test_a_small_deck_is_made_of_runs(fields: dict[str, Any], suits: str) -> None:
    game = un.game("spider", **fields, ranks=3, piles=2, table=4 if fields["runs"] % 2 == 0 else 5)
    assert format_cards(game.pack) == " ".join(rank + suit for suit in suits for rank in "A23")


def test_cards_are_dealt_by_rows_and_the_last_of_each_pile_lies_face_up() -> None:
    game = un.game("spider")
    deck = game.deck(un.Source(3))
    state = game.deal(3)
    for place, card in enumerate(deck[:54]):
        assert state.piles[place % 10][place // 10] is card
    assert [len(pile) for pile in state.piles] == [6] * 4 + [5] * 6
    assert state.down == (5,) * 4 + (4,) * 6
    assert (state.bank, state.rows_left, state.completed, state.moves) == (deck[54:], 5, (), 0)
    assert (state.score, state.sun) == (0, 0)


def episodes() -> list[dict[str, Any]]:
    texts = [(DATA / "spider" / f"{name}.jsonl").read_text() for name in ("episodes", "made")]
    return [json.loads(line) for text in texts for line in text.splitlines()]


def game_of(episode: dict[str, Any]) -> un.Game[Any, Any]:
    return un.game("spider", "1-suit" if episode["num_suits"] == 1 else f"{episode['num_suits']}-suits")


@pytest.mark.parametrize("episode", episodes()[:10], ids=lambda episode: episode["name"])
def test_the_generator_python_gives_the_deals_of_the_peer(episode: dict[str, Any]) -> None:
    seed = int(episode["name"].rpartition("-")[2])
    game = game_of(episode)
    assert format_cards(game.deck(un.Source(seed, "python"))) == episode["deck"]
    assert game.parse(f"Deck: {episode['deck']}") == un.deal(f"{game}@python:{seed}")


@pytest.mark.parametrize("episode", episodes(), ids=lambda episode: episode["name"])
def test_recorded_games_play_alike(episode: dict[str, Any]) -> None:
    """Cards picked up one by one and put on a pile are a move; 0 is a row. (A hand put back is none.)"""
    state = game_of(episode).parse(f"Deck: {episode['deck']}")
    assert state.score == episode["initial_score"]
    assert may_pick_up(state) == [action for action in episode["initial_valid"] if action]
    hand: list[int] = []
    told = zip(*(episode[key] for key in ("actions", "rewards", "num_moves", "completed", "valid_after")), strict=True)
    valid = episode["initial_valid"]
    for action, score, moves, completed, valid_after in told:
        if action not in valid:
            break  # no move of the rules: the last action of its game
        if action == 0:
            state = state.play(Row())
        elif action <= 10:
            hand.append(action)
        else:
            if action - 10 != hand[0]:
                state = state.play(Run(hand[0], action - 10, len(hand)))
            hand.clear()
        assert (state.score, state.moves, len(state.completed)) == (score, moves, completed)
        if not hand:
            assert may_pick_up(state) == [action for action in valid_after if action]
            assert (0 in valid_after) == state.may_deal
        else:
            targets = [move.target for move in state.legal_moves() if is_of(move, hand)]
            assert targets == [action - 10 for action in valid_after if action > 10 and action - 10 != hand[0]]
        valid = valid_after
    if not hand:
        shown = [line.partition(":")[2].strip() for line in str(state).splitlines()[:10]]
        assert shown == [pile if isinstance(pile, str) else " ".join(pile) for pile in episode["final_piles"]]


def may_pick_up(state: State) -> list[int]:
    return [] if state.outcome is un.Outcome.WON else [i for i, pile in enumerate(state.piles, 1) if pile]


def is_of(move: object, hand: list[int]) -> bool:
    return isinstance(move, Run) and (move.source, move.count) == (hand[0], len(hand))


# The rules that can be chosen.


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"suits": 3}, "suits=3 is not allowed; it may be 1, 2, 4"),
        ({"piles": 1, "ranks": 1}, "piles=1 is not allowed; it may be 2..10; ranks=1 is not allowed; it may be 2..13"),
        ({"runs": 9}, "runs=9 is not allowed; it may be 1..8"),
        ({"runs": 6, "table": 58}, "runs=6 is not allowed with suits=4: it is a multiple of the suits"),
        ({"table": 4}, "table=4 is not allowed with piles=10: every pile is dealt a card"),
        ({"ranks": 4}, "table=54 is not allowed: the deck has 32 cards"),
        ({"table": 53}, "of 104 cards it leaves 51 to the bank, which is not whole rows"),
        ({"runs": 7, "table": 50}, "runs=7 is not allowed.*; table=50 is not allowed with piles=10.*leaves 41"),
        ({"deal_on_empty": "perhaps"}, "deal_on_empty=perhaps is neither yes nor no"),
    ],
)
def test_rules_that_make_no_game_are_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(un.UsageError, match=words):
        un.game("spider", **fields)


# What may be done.


def allowed(state: State) -> Iterator[Run | Row]:
    """The legal moves by the words of the rules, in their order: every conceivable one is looked at."""
    numbers = range(1, len(state.piles) + 1)
    for source, target, count in product(numbers, numbers, range(1, 14)):
        pile, onto = state.piles[source - 1], state.piles[target - 1]
        if source == target or count > len(pile) - state.down[source - 1]:
            continue
        run = pile[-count:]
        if any((low.suit, low.rank + 1) != (high.suit, high.rank) for high, low in pairwise(run)):
            continue
        if not onto or onto[-1].rank == run[0].rank + 1:
            yield Run(source, target, count)
    if state.bank and (state.rules.deal_on_empty or () not in state.piles):
        yield Row()


def sun(state: State) -> int:
    """The Sun score by its words."""
    joins = 0
    for pile, down in zip(state.piles, state.down, strict=True):
        shown = pile[down:]
        joins += sum(b.suit is a.suit and b.rank + 1 == a.rank for a, b in pairwise(shown))
    turned = state.rules.table - state.rules.piles - sum(state.down)
    return 10 * turned + 15 * sum(not down for down in state.down) + 2 * joins + 50 * len(state.completed)


@pytest.mark.parametrize("game", GAMES, ids=str)
@for_each
@given(seed=deal_numbers)
def test_moves_and_score_are_those_of_the_rules(game: un.Game[Any, Any], seed: int) -> None:
    for moves, state in enumerate(random_line(game, seed, at_most=60)):
        assert list(state.legal_moves()) == list(allowed(state))
        assert (state.moves, state.sun, state.score) == (moves, sun(state), sun(state) - moves)
        assert all(len(pile) <= game.rules.tallest for pile in state.piles)
        # Nothing that is complete is left, and every pile shows its last card.
        assert game.parse(str(state)) == state


@pytest.mark.parametrize("game", GAMES, ids=str)
@for_each
@given(seed=deal_numbers)
def test_what_one_move_changes(game: un.Game[Any, Any], seed: int) -> None:
    rng = Random(seed)
    for state in random_line(game, seed, at_most=60):
        moves = state.legal_moves()
        if not moves:
            return
        move = rng.choice(moves)
        after = state.play(move)
        assert after == state.after(move)
        touched = range(1, 11) if isinstance(move, Row) else (move.source, move.target)
        for number, (old, new) in enumerate(zip(state.piles, after.piles, strict=True), 1):
            assert number in touched or old is new
        assert len(after.bank) == len(state.bank) - game.rules.piles * isinstance(move, Row)
        assert after.completed[: len(state.completed)] == state.completed


def test_a_run_goes_onto_the_next_higher_card_of_any_suit_or_to_an_empty_pile() -> None:
    game = un.game("spider", suits=4, piles=4, ranks=4, runs=4, table=4)
    state = game.parse("1: 4C 3D 2D / 2: 3C / 3: / 4: 4S 3S AC 4D AD 2C AH 3H 2H 4H AS 2S")
    assert tokens(state.legal_moves()) == ["1-2", "1-3", "1-3x2", "2-3", "4-2", "4-3"]
    # Nothing goes on an ace, and a 4, the highest here, only to an empty pile.
    state = game.parse("1: 4C / 2: AC / 3: 2D / 4: 4S 3S 4D 3D AD 2C AH 3H 2H 4H AS 3C 2S")
    assert tokens(state.legal_moves()) == ["2-3", "2-4"]


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        ("0-1", "there is no pile 0: the piles are 1..3"),
        ("1-4", "there is no pile 4: the piles are 1..3"),
        ("3-1", "pile 3 is empty"),
        ("1-1", "the cards lie on pile 1 already"),
        ("1-2x0", "0 cards do not move: a run has at least one"),
        ("1-2x9", "pile 1 has only 5 cards"),
        ("1-2x4", "pile 1 has only 3 cards face up"),
        ("1-3x3", "2♠ does not move with 3♠ 2♠: a run goes down by one, in one suit"),
        ("1-2", "2♠ does not go on A♠: needs a 3"),
        ("2-1x2", "2♠ does not go on 2♠: needs a 3"),
        ("d", "pile 3 is empty, and no row is dealt on an empty pile in these rules"),
    ],
)
def test_an_illegal_move_is_told_why(token: str, reason: str) -> None:
    state = small("1: [4S] [AS] 2S 3S 2S / 2: 3S 4S 2S AS / 3: / Bank: 4S 3S AS", deal_on_empty=False)
    with pytest.raises(un.IllegalMoveError) as caught:
        state.play(un.game("spider").parse_move(token))
    assert caught.value.reason == reason
    assert caught.value.token in str(caught.value)


def test_a_card_of_the_highest_rank_and_an_empty_bank_are_told() -> None:
    state = un.game("spider", "1-suit").parse(f"1: {RUN[:-3]} / 2: KS / 3: AS KS / " + rest_of("1-suit", 3))
    with pytest.raises(
        un.IllegalMoveError, match="K♠ does not go on 2♠: a card of the highest rank goes only to an empty"
    ):
        state.play(Run(2, 1))
    with pytest.raises(un.IllegalMoveError, match="the bank is empty"):
        state.play(Row())


def rest_of(variant: str, first: int) -> str:
    """The lines of the other piles, with all that the first ones of the test above leave of the pack."""
    left = Counter(un.game("spider", variant).pack)
    left.subtract(map(Card.parse, f"{RUN[:-3]} KS AS KS".split()))
    cards = sorted(left.elements())
    piles = [cards[index :: 10 - first] for index in range(10 - first)]
    return " / ".join(f"{number}: {format_cards(pile)}" for number, pile in enumerate(piles, first + 1))


# Settling.


def test_a_complete_run_leaves_and_then_a_card_is_turned() -> None:
    state = small("1: [2S] 4S 3S / 2: [AS] 2S AS / 3: AS 2S 3S 3S 4S 4S")
    after = state.play(Run(2, 1, 2))
    assert str(after).splitlines()[:2] == ["1: 2S", "2: AS"]
    assert (after.completed, after.down) == ((Suit.SPADES,), (0, 0, 0))


def test_a_run_over_a_face_down_king_is_not_complete() -> None:
    state = small("1: [4S] 3S 2S / 2: AS / 3: 2S AS 4S 3S 4S 2S AS 3S")
    after = state.play(Run(2, 1))
    assert (after.piles[0], after.down[0], after.completed) == (state.piles[0] + (Card.parse("AS"),), 1, ())
    # The 3 is moved, the 4 turned, and only when the 3 comes back is the run complete.
    after = after.play(Run(1, 2, 3))
    assert (after.down[0], after.completed) == (0, ())
    after = after.play(Run(2, 1, 3))
    assert (after.piles[0], after.completed) == ((), (Suit.SPADES,))


def test_a_row_can_complete_several_runs_which_leave_in_the_order_of_the_piles() -> None:
    game = un.game("spider", suits=4, piles=4, ranks=3, runs=4, table=8)
    state = game.parse("1: 3H 2H / 2: [AC] 3D 2D / 3: 3C 2C / 4: 3S / Bank: AH AD 2S AS")
    after = state.play(Row())
    assert after.completed == (Suit.HEARTS, Suit.DIAMONDS)
    assert str(after).splitlines() == ["1:", "2: AC", "3: 3C 2C 2S", "4: 3S AS", "Bank:", "Completed: H D", "Moves: 1"]
    assert after.score == sun(after) - 1


@pytest.mark.parametrize(("source", "target", "suits"), [(2, 1, "S H"), (1, 2, "H S")])
def test_runs_that_leave_with_one_move_leave_in_the_order_of_the_piles(source: int, target: int, suits: str) -> None:
    """No play leads to a run that lies complete under a card, and none may be typed; but a state can hold one."""
    rules = un.game("spider", suits=2, piles=2, ranks=3, runs=2, table=2).rules
    piles = {target: "3S 2S", source: "3H 2H AH AS"}
    cards = tuple(tuple(map(Card.parse, piles[number].split())) for number in (1, 2))
    state = State(rules, cards, (0, 0), (), (), 0)
    after = state.play(Run(source, target))
    assert after.outcome is un.Outcome.WON
    assert " ".join(suit.letter for suit in after.completed) == suits


# The end.


def test_the_last_run_wins_with_990_less_the_moves() -> None:
    lines = ["1: AS", f"2: {RUN[:-3]}", *(f"{number}:" for number in range(3, 11)), "Completed: S S S S S S S"]
    state = un.game("spider", "1-suit").parse("\n".join([*lines, "Moves: 999"]))
    won = state.play(Run(1, 2))
    assert (won.outcome, won.score, won.moves, won.legal_moves()) == (un.Outcome.WON, -10, 1000, ())
    assert len(won.completed) == 8


def test_stuck_is_when_nothing_can_be_done() -> None:
    game = un.game("spider", suits=1, piles=2, ranks=3, runs=2, table=4, deal_on_empty=False)
    strict = game.parse("1: AS 3S 3S 2S / 2: / Bank: 2S AS")
    assert strict.outcome is None
    stuck = game.parse("1: AS 2S 3S / 2: AS 2S 3S")
    assert (stuck.outcome, stuck.legal_moves()) == (un.Outcome.STUCK, ())
    # Both piles are empty, so in the strict game the last row can never be dealt.
    game = un.game("spider", suits=1, piles=2, ranks=2, runs=2, table=2, deal_on_empty=False)
    text = "1: / 2: / Bank: AS 2S / Completed: S"
    assert game.parse(text).outcome is un.Outcome.STUCK
    assert un.game("spider", suits=1, piles=2, ranks=2, runs=2, table=2).parse(text).outcome is None


# The strict games.


@pytest.mark.parametrize("game", [game for game in GAMES if game.rules.deal_on_empty], ids=str)
@for_each
@given(seed=deal_numbers)
def test_every_line_of_the_strict_game_is_one_of_the_other(game: un.Game[Any, Any], seed: int) -> None:
    strict = un.game("spider", game.variant, deal_on_empty=False)
    assert (strict.is_stricter(game), game.is_stricter(strict), game.is_stricter(game)) == (True, False, False)
    assert str(game.deal(seed)) == str(strict.deal(seed))
    for theirs in random_line(strict, seed, at_most=60):
        ours = game.parse(str(theirs))
        assert set(theirs.legal_moves()) <= set(ours.legal_moves())
        for move in theirs.legal_moves():
            assert str(ours.play(move)) == str(theirs.play(move))


# What a player sees.


def test_a_view_shows_no_hidden_card_and_samples_every_order() -> None:
    state = un.game("spider", suits=2, piles=3, ranks=3, runs=2, table=6).deal(1)
    view = state.view()
    assert isinstance(view, View)
    assert (view.bank, view.down, view.score, view.legal_moves()) == (0, state.down, state.score, state.legal_moves())
    assert sorted(view.unseen) == sorted(pile[0] for pile in state.piles)
    rng = Random(5)
    seen = Counter(tuple(pile[0] for pile in view.sample(rng).piles) for _ in range(600))
    # Three cards lie face down, all different: six orders, each about a hundred times.
    assert len(set(view.unseen)) == 3
    assert len(seen) == 6
    assert all(60 < count < 140 for count in seen.values())
    with pytest.raises(ValueError, match="expected the 3 unseen cards"):
        view.laid(view.unseen[:2])


def test_two_deals_that_differ_in_hidden_cards_look_alike() -> None:
    game = un.game("spider")
    state = game.deal(4)
    other = state.view().sample(Random(1))
    assert state != other
    assert state.view() == other.view()
    assert game.format(state, hidden=True) == game.format(other, hidden=True)
