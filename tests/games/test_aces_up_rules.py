"""Aces Up, rule by rule."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given

import unshuffle as un
from tests.laws import deal_numbers, random_line, tokens
from unshuffle.cards import PACK, Card, format_cards
from unshuffle.games.aces_up import AcesUp, Deal, Discard, Rules, State, ToSpace
from unshuffle.games.aces_up.rules import beaten, beats, discard_all, sort_discards, strength

VARIANTS = un.games()["aces-up"]

# The deck with which the examples of the specification begin.
DECK = """Deck: QS QD 4H 4D 5H JS TH 6C 2C 2H JC 5C 6H KS KD 3C 6S 5S 6D 8C 9C TS 7D 5D 8H AC
7C 2S 4S 9D AH TC KH 3D JH 9H QC 4C AS 7S 7H 2D 8S JD 8D 9S QH TD KC 3H AD 3S"""


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


def position(table: str, variant: str = "standard", stock: str = "-", cell: str = "-", **fields: Any) -> State:
    """A position in one line, its piles between bars; cards that are not named are discarded."""
    game = un.game("aces-up", variant, **fields)
    lines = [f"Pile {number}: {pile}" for number, pile in enumerate(table.split("|"), 1)]
    lines += [f"Reserve: {cell}"] * game.rules.reserve
    state: State = game.parse("\n".join([*lines, f"Stock: {stock}"]))
    return state


def play(state: State, line: str) -> State:
    for move in un.game_of(state).parse_moves(line):
        state = state.play(move)
    return state


def shown(state: State) -> str:
    return " | ".join(format_cards(pile) or "-" for pile in state.piles)


def legal(state: State) -> str:
    return " ".join(tokens(state.legal_moves()))


# The rules as values.


def test_the_variants_are_those_of_the_specification() -> None:
    assert dict(AcesUp.variants) == {
        "standard": Rules(),
        "must-fill": Rules(fill="must"),
        "must-fill-any": Rules(fill="must", destination="any"),
        "last-empty": Rules(destination="last"),
        "any-empty": Rules(destination="any"),
        "free": Rules(destination="any", singletons=True),
        "relaxed-discards": Rules(destination="any", singletons=True, discards="optional"),
        "aces-only": Rules(fill="aces-only"),
        "russian": Rules(deal="spaces"),
        "five-piles": Rules(piles=5),
        "firing-squad": Rules(reserve=1),
    }
    assert VARIANTS[0] == "standard"
    assert Rules() == Rules(
        fill="optional", destination="first", singletons=False, discards="forced", piles=4, deal="row", reserve=0
    )
    assert un.game("aces-up", destination="any").variant == "any-empty"
    assert un.game("aces-up", "free", piles="5").variant == "free+piles=5"


def test_all_wrong_rules_are_named_at_once() -> None:
    with pytest.raises(un.UsageError) as caught:
        Rules(fill="may", destination="none", piles=3, reserve=2)
    assert str(caught.value) == (
        "fill=may is not allowed; it may be optional, must, aces-only; "
        "destination=none is not allowed; it may be first, last, any; "
        "piles=3 is not allowed; it may be 4, 5; reserve=2 is not allowed; it may be 0, 1"
    )


def test_aces_are_high() -> None:
    assert [strength(card) for card in cards("2C TC JC QC KC AC")] == [2, 10, 11, 12, 13, 14]
    assert beats(Card.parse("AS"), Card.parse("KS"))
    assert not beats(Card.parse("AS"), Card.parse("KH"))
    assert not beats(Card.parse("AS"), Card.parse("AS"))


# Dealing.


def test_nothing_is_on_the_table_at_the_start_and_thirteen_deals_make_the_game() -> None:
    state = un.game("aces-up").parse(DECK)
    assert (state.piles, state.score, state.discarded, state.reserve) == (((),) * 4, 0, (), None)
    sizes = [len(state.stock)]
    while state.stock:
        state = state.play(Deal())
        sizes.append(len(state.stock))
    assert sizes == list(range(52, -1, -4)) == list(Rules().stock_sizes)


def test_a_row_goes_to_all_piles_and_spaces_from_the_first_on() -> None:
    state = position("QS 6H | | KD |", stock="2C 3H 7S 8D")
    assert shown(state.play(Deal())) == "QS 6H 2C | 3H | KD 7S | 8D"


def test_the_last_deal_to_five_piles_has_two_cards() -> None:
    assert Rules(piles=5).stock_sizes == (*range(52, 1, -5), 0)
    state = position("QS | KD | 2H | 3C |", "five-piles", stock="AS AD")
    assert state.served() == (1, 2)
    assert (shown(state.play(Deal())), state.play(Deal()).stock) == ("QS AS | KD AD | 2H | 3C | -", ())


@pytest.mark.parametrize(
    ("piles", "stock", "after", "left"),
    [
        ("QS | | KD |", "2C 3H 5S 9H", "QS | 2C | KD | 3H", 2),  # to the spaces only
        ("QS | | |", "2C 3H", "QS | 2C | 3H | -", 0),  # as far as the stock reaches
        ("QS | KD | 2C | 3H", "4C 5H 6S 7D 8C", "QS 4C | KD 5H | 2C 6S | 3H 7D", 1),  # without a space a full row
        ("QS | KD | 2C | 4H", "3S 5D", "QS 3S | KD 5D | 2C | 4H", 0),
    ],
)
def test_a_deal_to_spaces(piles: str, stock: str, after: str, left: int) -> None:
    state = position(piles, "russian", stock=stock).play(Deal())
    assert (shown(state), len(state.stock)) == (after, left)


def test_after_the_first_deal_to_spaces_any_stock_can_be_left() -> None:
    assert Rules(deal="spaces").stock_sizes == (52, *range(48, -1, -1))
    assert Rules(deal="spaces", piles=5).stock_sizes == (52, *range(47, -1, -1))
    met = {len(state.stock) for seed in range(200) for state in random_line(un.game("aces-up", "russian"), seed, 60)}
    assert met <= set(Rules(deal="spaces").stock_sizes)
    assert len(met) > 40


# Discarding.


def test_the_lower_of_two_top_cards_of_a_suit_goes_until_no_suit_is_on_top_twice() -> None:
    state = position("2C | KS QS | 3H | 9D", stock="KC 4S 4H AD").play(Deal())
    assert shown(state) == "2C KC | KS QS 4S | 3H 4H | 9D AD"  # what is covered does not count
    piles, gone = discard_all((cards("KS 3S"), cards("5S QS"), cards("AD"), cards("KD")))
    assert [format_cards(pile) for pile in piles] == ["KS", "", "AD", ""]
    assert [f"{card} {by}" for card, by in gone] == ["3S QS", "KD AD", "QS KS", "5S KS"]


def random_piles(rng: Random) -> tuple[tuple[Card, ...], ...]:
    """Piles of cards of two or three suits, so that much goes."""
    suits = rng.choice((2, 3))
    piles: list[tuple[Card, ...]] = [()] * rng.choice((4, 5))
    for card in rng.sample([card for card in PACK if card.suit < suits], rng.randint(4, 24)):
        place = rng.randrange(len(piles))
        piles[place] = (*piles[place], card)
    return tuple(piles)


@given(seed=deal_numbers)
def test_discarding_is_confluent(seed: int) -> None:
    rng = Random(seed)
    for _ in range(20):
        start = random_piles(rng)
        end, gone = discard_all(start)
        piles, went = list(start), []
        while going := list(beaten(piles)):
            place = rng.choice(going)[0] - 1
            went.append(piles[place][-1])
            piles[place] = piles[place][:-1]
        assert tuple(piles) == end
        assert sorted(went) == sorted(card for card, _ in gone)
        assert all(beats(by, card) for card, by in gone)
        assert len({pile[-1].suit for pile in end if pile}) == sum(map(bool, end))


@given(seed=deal_numbers)
def test_forced_discards_are_those_that_could_be_made_one_by_one(seed: int) -> None:
    rng = Random(seed)
    optional = un.game("aces-up", "relaxed-discards")
    for state in random_line(un.game("aces-up", "free"), seed):
        for move in state.legal_moves():
            slow = optional.parse(str(state)).play(move)
            while discards := [move for move in slow.legal_moves() if isinstance(move, Discard)]:
                slow = slow.play(rng.choice(discards))
            fast = state.play(move)
            assert (slow.piles, slow.stock, slow.discarded) == (fast.piles, fast.stock, fast.discarded)


def test_optional_discards_may_wait() -> None:
    state = position("2S | | 2D KS | QS", "relaxed-discards", stock="4H 5H 6H AH")
    assert legal(state) == "1x 4x 1-2 3-2 4-2 d"
    assert shown(state.play(Deal())) == "2S 4H | 5H | 2D KS 6H | QS AH"
    assert state.play(Deal()).score == state.score
    assert (play(state, "1x").score, legal(play(state, "1x"))) == (state.score + 1, "4x 3-1 3-2 4-1 4-2 d")


@pytest.mark.parametrize("deck", ["QC AD QS KS AS AH KC KH KD AC QH QD", "QS QH AD KH AC KD AH QC KC AS QD KS"])
@pytest.mark.both_engines
def test_to_wait_with_a_discard_can_be_worth_the_game(deck: str) -> None:
    forced, optional = (position("|||", "any-empty", deck, discards=discards) for discards in ("forced", "optional"))
    assert un.solve(forced).status is un.Status.UNSOLVABLE
    assert un.solve(optional).status is un.Status.SOLVED


def test_discards_are_kept_in_one_order() -> None:
    state = play(un.game("aces-up").parse(DECK), "d d d 3-4 d")
    assert (format_cards(state.discarded), state.score) == ("2C 5C 6C 4D 2H 5H JS", 7)
    assert format_cards(sort_discards(cards("AS KS AC 2S TC"))) == "TC AC 2S KS AS"
    table = position("2S | AS | 2H | AH", "relaxed-discards")
    assert play(table, "1x 3x") == play(table, "3x 1x")


# Moving.


@pytest.mark.parametrize(
    ("fields", "moves"),
    [
        ({}, "1-2 3-2 d"),
        ({"destination": "last"}, "1-4 3-4 d"),
        ({"destination": "any"}, "1-2 1-4 3-2 3-4 d"),
        ({"singletons": True}, "1-2 3-2 5-2 d"),
        ({"destination": "any", "singletons": True}, "1-2 1-4 3-2 3-4 5-2 5-4 d"),
        ({"fill": "must"}, "1-2 3-2"),
        ({"fill": "must", "singletons": True}, "1-2 3-2 5-2"),
        ({"fill": "must", "reserve": 1}, "1-2 3-2 1-r 3-r 5-r"),
        ({"fill": "aces-only"}, "3-2 d"),
        ({"reserve": 1}, "1-2 3-2 1-r 3-r 5-r d"),
    ],
)
def test_what_may_be_done(fields: dict[str, Any], moves: str) -> None:
    state = position("QS 6H | | KD AC | | 3D", stock="2H 2C", piles=5, **fields)
    assert legal(state) == moves
    assert state.spaces == (2, 4)


@pytest.mark.parametrize(
    ("piles", "fields", "moves"),
    [
        # No deal while there is a space and a pile of two or more cards; single cards do not count.
        ("QS | KD | | 2C", {"fill": "must"}, "d"),
        ("QS 2H | KD | | 2C", {"fill": "must"}, "1-3"),
        ("QS 2H | KD | 3S | 2C", {"fill": "must"}, "d"),
        ("QS | KD | | 2C", {"fill": "must", "singletons": True}, "1-3 2-3 4-3 d"),
        # Nothing but an ace goes to a space, and it need not.
        ("QS AH | KD 4C | | 2D AS", {"fill": "aces-only"}, "1-3 4-3 d"),
        ("AH | KD 4C | | 2D", {"fill": "aces-only", "singletons": True}, "1-3 d"),
        ("2H | KD 4C | | 2S", {"fill": "aces-only", "singletons": True}, "d"),
    ],
)
def test_what_goes_to_a_space(piles: str, fields: dict[str, Any], moves: str) -> None:
    assert legal(position(piles, stock="9C 9D 9H 9S", **fields)) == moves


def test_a_move_is_followed_by_what_goes() -> None:
    state = position("KD | | KS 2C AS | QH", stock="-")
    assert legal(state) == "3-2"
    assert shown(state.play(ToSpace(3, 2))) == "KD | AS | KS 2C | QH"
    assert shown(play(state, "3-2")) == "KD | AS | KS 2C | QH"
    end = play(position("KD | | 7S KS AS | QH"), "3-2")
    assert (shown(end), end.outcome) == ("KD | AS | - | QH", un.Outcome.WON)


def test_single_cards_move_only_while_there_is_a_stock() -> None:
    for variant in ("free", "relaxed-discards"):
        assert legal(position("AS | | AH KC | QH 2C AD", variant)) == "3-2 4-2"
        assert legal(position("AS | | AH KC | QH 2C AD", variant, stock="9C 9D 9H 9S")) == "1-2 3-2 4-2 d"


# The cell.


def test_the_cell_takes_the_top_card_of_any_pile_and_gives_it_to_a_space() -> None:
    state = position("AS 2H | KD | 3C | 4S", "firing-squad", stock="9C 9D 9H 9S")
    assert legal(state) == "1-r 2-r 3-r 4-r d"
    held = play(state, "2-r")  # a single card too
    assert (shown(held), held.reserve) == ("AS 2H | - | 3C | 4S", Card.parse("KD"))
    assert legal(held) == "1-2 r-2 d"
    assert shown(play(held, "r-2")) == shown(state)
    assert play(held, "r-2") == state


def test_a_card_in_the_cell_neither_beats_nor_goes() -> None:
    state = position("2S | KD | 3C | 4H", "firing-squad", cell="AS", stock="9C 9D KS 9H")
    after = play(state, "d")
    assert (shown(after), after.reserve) == ("2S 9C | KD 9D | 3C KS | 4H 9H", Card.parse("AS"))
    low = position("AS | KD | 3C | 4H", "firing-squad", cell="2S")
    assert (low.legal_moves(), low.outcome, low.reserve) == ((), un.Outcome.STUCK, Card.parse("2S"))


def test_a_move_to_the_cell_and_from_it_is_followed_by_what_goes() -> None:
    state = position("2S 9C | 3D 4H | 4S | 7H 5D", "firing-squad")
    assert shown(play(state, "1-r")) == "- | 3D 4H | 4S | 7H 5D"  # 2S goes
    back = play(state, "1-r r-1")
    assert (shown(back), back.score) == ("9C | 3D 4H | 4S | 7H 5D", state.score + 1)
    held = position("2S | 3D AH | | QC", "firing-squad", cell="KC")
    assert shown(play(held, "r-3")) == "2S | 3D AH | KC | -"


@pytest.mark.parametrize(
    ("cell", "fields", "moves"),
    [
        ("KD", {}, "1-3 r-3 d"),
        ("KD", {"destination": "last"}, "1-4 r-4 d"),
        ("KD", {"destination": "any"}, "1-3 1-4 r-3 r-4 d"),
        ("KD", {"fill": "must"}, "1-3 r-3"),
        ("KD", {"fill": "aces-only"}, "d"),
        ("AD", {"fill": "aces-only"}, "r-3 d"),
    ],
)
def test_the_card_in_the_cell_goes_where_other_cards_go(cell: str, fields: dict[str, Any], moves: str) -> None:
    assert legal(position("QS 6H | 2C | |", "firing-squad", "9C 9D 9H 9S", cell, **fields)) == moves


# Why not.


@pytest.mark.parametrize(
    ("fields", "token", "reason"),
    [
        ({}, "0-2", "there is no pile 0: the piles are 1..4"),
        ({}, "1-5", "there is no pile 5: the piles are 1..4"),
        ({}, "9x", "there is no pile 9: the piles are 1..4"),
        ({}, "1-1", "6H lies on pile 1 already"),
        ({}, "1-4", "pile 4 is no space: a card never goes onto another"),
        ({}, "2-3", "pile 2 is empty"),
        ({}, "1-3", "a card goes to the first space in these rules, which is pile 2"),
        ({"destination": "last"}, "1-2", "a card goes to the last space in these rules, which is pile 3"),
        ({}, "4-2", "KD is the only card of pile 4: it stays in these rules"),
        ({"fill": "aces-only"}, "1-2", "6H does not go to a space: only an ace does in these rules"),
        ({"fill": "must"}, "d", "pile 2 is empty, and a space is filled before the next deal in these rules"),
        ({}, "1x", "in these rules discards are no moves: all that can go has gone"),
        ({"discards": "optional"}, "1x", "6H stays: no other pile shows a higher card of hearts"),
        ({"discards": "optional"}, "2x", "pile 2 is empty"),
        ({}, "1-r", "there is no cell in these rules"),
        ({}, "r-2", "there is no cell in these rules"),
        ({"reserve": 1}, "1-r", "the cell holds 2D already"),
        ({"reserve": 1}, "r-1", "pile 1 is no space: a card never goes onto another"),
        ({"reserve": 1}, "r-3", "a card goes to the first space in these rules, which is pile 2"),
        ({"reserve": 1}, "r-7", "there is no pile 7: the piles are 1..4"),
        ({"reserve": 1, "fill": "aces-only"}, "r-2", "2D does not go to a space: only an ace does in these rules"),
    ],
)
def test_an_illegal_move_is_refused_with_the_rule(fields: dict[str, Any], token: str, reason: str) -> None:
    state = position("QS 6H | | | KD", stock="9C 9D 9H 9S", cell="2D", **fields)
    with pytest.raises(un.IllegalMoveError) as caught:
        play(state, token)
    assert (caught.value.token, caught.value.reason) == (token, reason)
    assert un.game_of(state).parse(caught.value.position) == state


@pytest.mark.parametrize(
    ("state", "token", "reason"),
    [
        (position("QS 6H | | |"), "d", "the stock is empty"),
        (position("AS | | KC 2H |", "free"), "1-2", "the stock is empty, so that changes nothing"),
        (position("AS | | KC 2H |", "firing-squad"), "r-2", "the cell is empty"),
    ],
)
def test_more_illegal_moves(state: State, token: str, reason: str) -> None:
    with pytest.raises(un.IllegalMoveError) as caught:
        play(state, token)
    assert caught.value.reason.endswith(reason)


# The end.


def test_won_stuck_and_going_on() -> None:
    won = position("AS AH | AC | AD |")
    assert (won.outcome, won.score, legal(won)) == (un.Outcome.WON, 48, "1-4")  # as the peer plays on
    end = won.play(ToSpace(1, 4))
    assert (end.outcome, end.score, end.legal_moves()) == (un.Outcome.WON, 48, ())
    stuck = position("2S AS | KD | QH | JC")
    assert (stuck.outcome, stuck.score) == (un.Outcome.STUCK, 47)
    waiting = position("2H AS | KD | | JC 3H")  # the stock is empty, but a move remains
    assert (waiting.outcome, legal(waiting)) == (None, "1-3 4-3")
    assert un.game("aces-up").most_score == 48


def test_a_game_of_the_specification_to_its_end() -> None:
    state = play(un.game("aces-up").parse(DECK), "d d d 3-4 d d d d d d d 3-4 d d d")
    assert shown(state) == "QS 6H 8H 4S QC KC | QD KS TS AC 9S 3H | 4H TH KD 6D 7D AH 8S QH AD | AS JD TD 3S"
    assert (state.score, state.outcome) == (27, un.Outcome.STUCK)
