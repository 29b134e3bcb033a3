"""Agnes Sorel, rule by rule."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.goldens import perft
from tests.laws import deal_numbers, every_game, random_line, tokens
from unshuffle.cards import Card, Suit, format_cards
from unshuffle.games.agnes import Agnes, Deal, Rules, State, ToFoundation, ToPile

DECK = """Deck: 7S QS AC 5H 6H 4C 5D TC 7H 3S QH 2H JH 5C 9H 3H TD QC 6S 2D KH 5S TS 9C 2C 2S
JD AS 8H JS 9D KD 4S 6D 6C 8D 4D QD KC 8S 7C 3D 9S TH AD 8C AH 4H JC KS 7D 3C"""

# Move sequences of length 1 to 6 on the first three decks of the stream python:12345.
PERFT = {
    "down-color-none": ("4 11 26 78 244 701", "3 9 23 56 118 261", "3 10 30 80 197 472"),
    "up-color-none": ("4 11 26 79 249 713", "3 9 23 56 118 261", "3 10 30 80 197 472"),
    "up-suit-none-nosplit": ("4 11 26 77 237 663", "3 9 22 49 89 162", "3 10 30 78 179 400"),
    "up-suit-anyrun": ("4 11 26 78 240 674", "3 9 29 94 344 1111", "3 10 30 87 248 724"),
    "up-suit-any1-nosplit": ("4 11 26 77 237 663", "3 9 28 81 265 754", "3 10 30 83 209 537"),
    "down-color-highrun-nosplit": ("4 11 26 77 241 690", "3 9 22 49 89 162", "3 10 30 77 172 380"),
}
VARIANTS = un.games()["agnes"]


def position(text: str, variant: str = "up-color-none", **fields: Any) -> State:
    """A small position in one line; the base is the ace and cards that are not named are up."""
    game = un.game("agnes", variant, **{"ranks": 5, "piles": 3, **fields})
    state: State = game.parse(text)
    return state


def test_the_golden_deal() -> None:
    for variant in VARIANTS:
        game = un.game("agnes", variant)
        state = game.parse(DECK)
        assert state == game.deal("python:12345#1") == game.deal(12345, "python")
        assert tokens(state.legal_moves()) == ["2f", "2-7", "7-3", "d"]
        assert (state.base, state.foundations, state.score) == (7, (0, 0, 0, 1), 1)
        assert state.down == ((0,) * 7 if "up" in variant else tuple(range(7)))
        assert [len(pile) for pile in state.piles] == [1, 2, 3, 4, 5, 6, 7]
    assert format_cards(state.piles[6]) == "TC 5C 6S TS 2S AS 8H"
    assert format_cards(state.stock[:3]) == "JS 9D KD"


@pytest.mark.parametrize("variant", PERFT)
def test_move_counts_of_the_specification(variant: str) -> None:
    game = un.game("agnes", variant)
    for number, counts in enumerate(PERFT[variant], 1):
        state = game.deal(12345, "python", number)
        assert " ".join(str(perft(state, depth)) for depth in range(1, 7)) == counts


def test_there_are_forty_variants() -> None:
    assert len(VARIANTS) == 40
    assert VARIANTS[0] == "down-color-none"
    assert Rules() == un.game("agnes").rules
    assert len({Agnes.variants[slug] for slug in VARIANTS}) == 40
    assert un.game("agnes", "up-suit-highrun-nosplit").rules == Rules(
        face_up=True, move_same_suit=True, move_to_empty_pile="high-run", split_runs=False
    )
    assert un.game("agnes", "up-suit-none", split_runs="no").variant == "up-suit-none-nosplit"
    assert un.game("agnes", "up-suit-any1", ranks=5, piles=4).variant == "up-suit-any1+ranks=5+piles=4"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"move_to_empty_pile": "any"}, "it may be none, any-1, high-1, any-run, high-run"),
        ({"face_up": "no way"}, "face_up=no way is neither yes nor no"),
        ({"ranks": 1}, "ranks=1 is not allowed; it may be 2..13"),
        ({"piles": 10}, "piles=10 is not allowed; it may be 1..9"),
        ({"ranks": 5}, "the deck has 20 cards, and the base card and 7 piles take 29"),
        ({"split_runs": 1}, "split_runs=1 is neither yes nor no"),
    ],
)
def test_wrong_rules_are_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(un.UsageError) as caught:
        un.game("agnes", **fields)
    assert words in str(caught.value)


def test_all_wrong_rules_are_named_at_once() -> None:
    with pytest.raises(un.UsageError) as caught:
        Rules(face_up="no", move_to_empty_pile="some", ranks=14)  # type: ignore[arg-type] # what is being tested
    assert [fault.partition("=")[0] for fault in str(caught.value).split("; ") if "=" in fault] == [
        "face_up",
        "move_to_empty_pile",
        "ranks",
    ]


@given(seed=deal_numbers, ranks=st.integers(2, 13), piles=st.integers(1, 9), variant=st.sampled_from(VARIANTS))
def test_every_pack_that_fits_can_be_dealt_out(seed: int, ranks: int, piles: int, variant: str) -> None:
    if 1 + piles * (piles + 1) // 2 > 4 * ranks:
        return
    game = un.game("agnes", variant, ranks=ranks, piles=piles)
    state = game.deal(seed)
    sizes = []
    while True:
        sizes.append(len(state.stock))
        assert Counter(game.cards(state)) == Counter(game.pack)
        assert game.parse(str(state)) == state
        if not state.stock:
            break
        before = state
        state = state.play(Deal())
        served = min(piles, len(before.stock))
        assert [len(new) - len(old) for new, old in zip(state.piles, before.piles, strict=True)] == [1] * served + [
            0
        ] * (piles - served)
        assert [pile[-1] for pile in state.piles[:served]] == list(before.stock[:served])
    assert tuple(sizes) == game.rules.stock_sizes
    assert game.most_score == 4 * ranks


def test_stock_sizes_of_the_full_game() -> None:
    assert Rules().stock_sizes == (23, 16, 9, 2, 0)
    assert Rules(ranks=5, piles=4).stock_sizes == (9, 5, 1, 0)
    assert Rules(ranks=4, piles=3).stock_sizes == (9, 6, 3, 0)
    assert Rules(ranks=4, piles=5).stock_sizes == (0,)


@pytest.mark.parametrize(
    ("variant", "text", "move", "reason"),
    [
        ("down-color-none", DECK, "5-1", "9♣ does not go on Q♠: needs a black 10"),
        ("down-color-none", DECK, "6-1", "J♦ does not go on Q♠: needs a red queen"),
        ("down-color-none", DECK, "1-2", "Q♠ does not go on 7♥: needs a black king"),
        ("down-color-none", DECK, "7f", "8♥ does not go up: the foundation of hearts needs 7♥ next"),
        ("down-color-none", DECK, "7-3x2", "pile 7 has only 1 card face up"),
        ("down-color-none", DECK, "1-3x2", "pile 1 has only 1 card"),
        ("up-color-none", DECK, "7-3x2", "A♠ does not move with 8♥: a run goes down by one, in one colour"),
        ("up-suit-none", DECK, "7-3x2", "A♠ does not move with 8♥: a run goes down by one, in one suit"),
        ("up-color-none", DECK, "8-3", "there is no pile 8: the piles are 1..7"),
        ("up-color-none", DECK, "0f", "there is no pile 0: the piles are 1..7"),
        ("up-color-none", DECK, "3-9", "there is no pile 9: the piles are 1..7"),
        ("up-color-none", DECK, "3-3", "the cards lie on pile 3 already"),
        ("up-color-none", DECK, "3-4x0", "0 cards do not move: a unit has at least one"),
    ],
)
def test_an_illegal_move_is_refused_with_the_rule(variant: str, text: str, move: str, reason: str) -> None:
    game = un.game("agnes", variant)
    state = game.parse(text)
    with pytest.raises(un.IllegalMoveError) as caught:
        state.play(game.parse_move(move))
    assert caught.value.reason == reason
    assert game.parse(caught.value.position) == state
    assert move in str(caught.value)


# A small table: base A, clubs and spades up to the 2, diamonds and hearts up.
RUN = "Base: A / Foundations: 2C 5D 2S 5H / 1: 5C 4C 3C / 2: 5S 4S 3S / 3: - / Stock: -"


@pytest.mark.parametrize(
    ("variant", "legal"),
    [
        ("up-color-none", "1f 2f"),
        ("up-color-none-nosplit", "1f 2f"),
        ("up-color-any1", "1f 2f 1-3 2-3"),
        ("up-color-any1-nosplit", "1f 2f"),
        ("up-color-high1", "1f 2f"),
        ("up-color-anyrun", "1f 2f 1-3 1-3x2 1-3x3 2-3 2-3x2 2-3x3"),
        ("up-suit-anyrun-nosplit", "1f 2f 1-3x3 2-3x3"),
        ("up-suit-highrun", "1f 2f 1-3x3 2-3x3"),
        ("up-color-highrun-nosplit", "1f 2f 1-3x3 2-3x3"),
    ],
)
def test_what_goes_to_an_empty_pile(variant: str, legal: str) -> None:
    assert tokens(position(RUN, variant).legal_moves()) == legal.split()


@pytest.mark.parametrize(
    ("variant", "move", "reason"),
    [
        ("up-color-none", "1-3", "nothing goes to an empty pile but a dealt card in these rules"),
        ("up-color-any1", "1-3x2", "only a single card goes to an empty pile in these rules"),
        ("up-color-high1", "1-3", "only a single high card (rank: 5) goes to an empty pile in these rules"),
        (
            "up-color-highrun",
            "1-3x2",
            "only a run that begins with a high card (rank: 5) goes to an empty pile in these rules",
        ),
        ("up-color-anyrun-nosplit", "1-3x2", "the run 5♣ 4♣ 3♣ may not be split: all 3 cards move, or none"),
        ("up-color-none", "3-1", "pile 3 is empty"),
        ("up-color-none", "3f", "pile 3 is empty"),
        ("up-color-none", "d", "the stock is empty"),
        ("up-color-none", "1-2x3", "5♣ does not go on 3♠: a high card goes on no other"),
    ],
)
def test_why_not_to_an_empty_pile(variant: str, move: str, reason: str) -> None:
    state = position(RUN, variant)
    with pytest.raises(un.IllegalMoveError) as caught:
        state.play(un.game("agnes").parse_move(move))
    assert caught.value.reason == reason


def test_a_whole_pile_may_go_to_every_empty_pile() -> None:
    state = position("Base: A/Foundations: 4C 5D 5S 5H/1: 5C/2: -/3: -/Stock: -", "up-suit-high1")
    assert tokens(state.legal_moves()) == ["1f", "1-2", "1-3"]


def test_suits_limit_what_moves_together_and_not_what_it_is_put_on() -> None:
    text = "Base: A / Foundations: 2C 5D 2S 5H / 1: 4S 3C / 2: 5S / 3: 5C 4C 3S / Stock: -"
    assert tokens(position(text, "up-suit-none").legal_moves()) == ["1f", "3f"]
    assert tokens(position(text, "up-color-none").legal_moves()) == ["1f", "3f", "1-2x2", "3-2x2"]
    after = position(text, "up-suit-none").play(ToFoundation(1))
    assert tokens(after.legal_moves()) == ["3f", "1-2", "3-1"]


def test_chance_runs_of_the_deal_bind_where_runs_may_not_be_split() -> None:
    text = "Base: A / Foundations: 2C 5D 2S 5H / 1: 5C 4S 3S / 2: 4C / 3: [3C] 5S / Stock: -"
    down = position(text, "down-color-none-nosplit")
    assert tokens(down.legal_moves()) == ["1f", "2-3"]
    split = position(text, "down-color-none")
    assert tokens(split.legal_moves()) == ["1f", "1-2", "1-3x2", "2-3"]


def test_a_face_down_card_never_lengthens_a_run() -> None:
    text = "Base: A / Foundations: 2C 5D 3S 5H / 1: 5S 4S / 2: {} / 3: 5C / Stock: -"
    hidden = position(text.format("[4C] 3C"), "down-color-none-nosplit")
    assert tokens(hidden.legal_moves()) == ["1f", "2f", "2-1"]
    shown = position(text.format("4C 3C"), "up-color-none-nosplit")
    assert tokens(shown.legal_moves()) == ["1f", "2f", "2-3x2"]


def test_only_one_card_turns_up() -> None:
    state = un.game("agnes").parse(DECK)
    after = state.play(ToPile(7, 3))
    assert after.down == (0, 1, 2, 3, 4, 5, 5)
    assert format_cards(after.piles[2][2:]) == "9H 8H"
    assert state.play(ToFoundation(2)).down[1] == 0


def test_heights_go_round_the_king() -> None:
    state = un.game("agnes").parse(DECK)  # the base is a seven
    assert [state.height(Card.parse(card)) for card in ("7C", "KC", "AC", "6C")] == [0, 6, 7, 12]
    assert state.rules.high_rank(7) == 6
    assert state.rules.takers(7)[Card.parse("KC")] == (Card.parse("AC"), Card.parse("AS"))
    assert state.rules.takers(7)[Card.parse("6C")] == ()
    assert all(Card.parse("7C") not in takers for takers in state.rules.takers(7).values())
    assert Rules().high_rank(1) == 13


def test_won_stuck_and_going_on() -> None:
    last = position("Base: 3/Foundations: AC 2D 2S 2H/1: 2C/2: -/3: -/Stock: -")
    assert last.outcome is None
    won = last.play(ToFoundation(1))
    assert (won.outcome, won.score, won.legal_moves()) == (un.Outcome.WON, 20, ())
    stuck = position("Base: A/Foundations: 3C 5D 5S 5H/1: 4C 5C/2: -/3: -/Stock: -")
    assert (stuck.outcome, stuck.score) == (un.Outcome.STUCK, 18)
    assert position("Base: A/Foundations: 2C 5D 5S 5H/1: 3C 4C 5C/2: -/3: -/Stock: -", "up-color-any1").outcome is None
    dealing = position("Base: A/Foundations: 3C 5D 5S 5H/1: 5C/2: -/3: -/Stock: 4C")
    assert (dealing.outcome, tokens(dealing.legal_moves())) == (None, ["d"])


def reachable_cards(value: object) -> set[Card]:
    """Every card that can be got at from a value by its fields."""
    if isinstance(value, Card):
        return {value}
    if isinstance(value, tuple):
        return {card for part in value for card in reachable_cards(part)}
    if isinstance(value, Rules) or not hasattr(value, "__slots__"):
        return set()
    return {card for name in value.__slots__ for card in reachable_cards(getattr(value, name))}


@pytest.mark.parametrize("variant", ["down-color-none", "up-suit-anyrun", "down-suit-any1+ranks=5+piles=4"])
@given(seed=deal_numbers)
def test_no_hidden_face_can_be_reached_from_a_view(variant: str, seed: int) -> None:
    game = un.game("agnes", variant)
    rng = Random(seed)
    for state in random_line(game, seed):
        view = state.view()
        hidden = {card for pile, down in zip(state.piles, state.down, strict=True) for card in pile[:down]}
        hidden |= set(state.stock)
        assert set(view.unseen) == hidden
        assert list(view.unseen) == sorted(hidden)
        assert not reachable_cards(view) & hidden
        # The view of another state with the same face-up cards is the same to the last bit.
        other = view.sample(rng)
        assert other.view() == view
        assert (repr(other.view()), hash(other.view())) == (repr(view), hash(view))
        assert (other.id, other.down, len(other.stock)) == (None, state.down, len(state.stock))
        assert Counter(game.cards(other)) == Counter(game.pack)


def test_unseen_cards_are_laid_in_the_documented_order() -> None:
    state = un.game("agnes").parse(DECK)
    order = [card for pile, down in zip(state.piles, state.down, strict=True) for card in pile[:down]]
    assert state.view().laid([*order, *state.stock]) == state
    with pytest.raises(ValueError, match="expected the 44 unseen cards"):
        state.view().laid(order)


def test_samples_are_uniform() -> None:
    view = position("Base: A/Foundations: AC 5D 4S 5H/1: 5S/2: [3C] 2C/3: [5C] 4C/Stock: -", "down-color-none").view()
    counts = Counter(view.sample(Random(seed)) for seed in range(400))
    assert len(counts) == 2
    # Half of 400 with a standard deviation of 10.
    assert all(abs(count - 200) < 40 for count in counts.values())


def test_the_partner_is_the_other_suit_of_the_colour() -> None:
    from unshuffle.games.agnes.rules import partner

    assert [partner(suit) for suit in Suit] == [Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS]


def test_the_laws_are_tried_on_all_pairs_of_choices() -> None:
    rules = [game.rules for game in every_game() if game.id == "agnes"]
    choices = ("face_up", "move_same_suit", "move_to_empty_pile", "split_runs")
    for pair in combinations(choices, 2):
        every = product(*({getattr(each, name) for each in Agnes.variants.values()} for name in pair))
        assert {tuple(getattr(each, name) for name in pair) for each in rules} == set(every), pair
