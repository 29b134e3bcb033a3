from __future__ import annotations

from itertools import pairwise, permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.laws import random_line
from unshuffle.cards import PACK
from unshuffle.games.belle_lucie import Merci, Move, Redeal, State, ToFan, ToFoundation, ToSpace

GAME = un.game("belle-lucie")


def position(text: str, variant: str | None = None, **fields: Any) -> State:
    state = un.game("belle-lucie", variant, **fields).parse(text)
    assert isinstance(state, State)
    return state


def test_the_deal_is_seventeen_fans_of_three_and_one_of_one() -> None:
    deck = un.Source(7).deck(PACK)
    fans = GAME.deal(7).fans
    assert [len(fan) for fan in fans] == [3] * 17 + [1]
    assert tuple(card for fan in fans for card in fan) == deck


def test_aces_out_deals_the_other_48_in_deck_order() -> None:
    game = un.game("belle-lucie", aces_out=True)
    state = game.deal(7)
    assert state.foundations == (1, 1, 1, 1)
    assert [len(fan) for fan in state.fans] == [3] * 16
    assert [card for fan in state.fans for card in fan] == [card for card in un.Source(7).deck(PACK) if card.rank > 1]


ALL_MOVES: list[Move] = [
    *(kind(card) for kind in (ToFoundation, ToSpace, Merci) for card in PACK),
    *(Merci(card, up=True) for card in PACK),
    *(kind(card, onto) for kind in (ToFan, Merci) for card, onto in permutations(PACK, 2)),
    *(ToFan(card, card) for card in PACK),
    *(Merci(card, card) for card in PACK),
    Redeal(),
]


@pytest.mark.parametrize(
    "fields",
    [
        {"variant": "one-deal"},
        {"variant": "fan"},
        {"variant": "shamrocks"},
        {"merci": "play", "max_cards": 3},
        {"merci": "front", "build_up": True},
        {"merci": "anywhere", "max_cards": 4},
        {"merci": "second", "kings_to_spaces": True},
    ],
    ids=str,
)
def test_of_all_moves_that_can_be_written_play_accepts_the_legal_ones(fields: dict[str, Any]) -> None:
    game = un.game("belle-lucie", **fields)
    states = [*game.small_states(1), *random_line(game, 3, at_most=1)]
    for state in states:
        legal = set(state.legal_moves())
        for move in ALL_MOVES:
            try:
                state.play(move)
            except un.IllegalMoveError:
                assert move not in legal
            else:
                assert state.plain(move) in legal


def test_moves_come_in_the_documented_order() -> None:
    state = position("KC QC TC / KS JS / QH / KH / QS JC")
    assert [move.token for move in state.legal_moves()] == ["TC^", "JS^", "QH^", "TC>JC", "QH>KH"]


def test_an_emptied_fan_leaves_the_table() -> None:
    state = position("KS QS / JS / KH")
    after = state.play(ToFan(un.Card.parse("JS"), un.Card.parse("QS")))
    assert str(after) == "Foundations: KC KD QH TS\nKS QS JS\nKH\n"


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        ("9H>TH", "9H is not the top of its fan"),
        ("4C>5C", "4C is on its foundation"),
        ("4C^", "4C is on its foundation"),
        ("KC>AC", "AC is on its foundation"),
        ("KC^", "the foundation of clubs needs TC next"),
        ("JC>KC", "JC does not go onto KC: needs QC"),
        ("KC>JC", "KC does not go onto JC: a king goes onto no card"),
        ("JC>QC", "QC is not the top of its fan"),
    ],
)
def test_an_illegal_move_says_which_rule_forbids_it(token: str, reason: str) -> None:
    state = position("TC 9H KH QH JH TH / QC KC / JC")
    with pytest.raises(un.IllegalMoveError) as caught:
        state.play(GAME.parse_move(token))
    assert caught.value.reason == reason
    assert str(caught.value) == f"illegal move '{token}' in 'TC 9H KH QH JH TH / QC KC / JC': {reason}"


@given(seed=st.integers(0, 10_000))
def test_a_card_makes_at_most_one_build(seed: int) -> None:
    """The fact on which the engine's exact key rests."""
    built = []
    states = list(random_line(GAME, seed))
    for before, after in pairwise(states):
        built += [fan[-1] for fan in after.fans if fan not in before.fans and fan[:-1] in before.fans]
    assert len(built) == len(set(built))


def tokens(state: State) -> list[str]:
    return [move.token for move in state.legal_moves()]


def test_the_variants_come_in_their_order() -> None:
    assert un.games()["belle-lucie"] == (
        "one-deal",
        "classic",
        "merci",
        "three-shuffles-and-a-draw",
        "trefoil",
        "super-flower-garden",
        "fan",
        "fan-18",
        "shamrocks",
    )


def test_eighteen_fans() -> None:
    assert [len(fan) for fan in un.game("belle-lucie", "fan-18").deal(7).fans] == [3] * 16 + [2] * 2
    trefoil = un.game("belle-lucie", "fan-18", aces_out=True, fan_size=5)
    assert [len(fan) for fan in trefoil.deal(7).fans] == [3] * 16


def test_moves_of_all_kinds_come_in_the_documented_order() -> None:
    state = position(
        "Redeal 1: QC KC JC KH QH JH KD QD\nJC KC QH / QD KD / - / JH KH / QC",
        redeals=1,
        merci="anywhere",
        merci_deals="any",
        kings_to_spaces=True,
    )
    assert tokens(state) == [
        *("QH>KH", "KD>-", "KH>-"),
        *("*JC^", "*JC>KD", "*JC>KH", "*JC>QC", "*JC", "*KC>KD", "*KC>KH", "*KC>QC", "*KC"),
        *("*QD^", "*QD>QH", "*QD>KH", "*QD>QC", "*QD"),
        *("*JH^", "*JH>QH", "*JH>KD", "*JH>QC", "*JH"),
        "r",
    ]


@pytest.mark.parametrize(
    ("merci", "text", "expected"),
    [
        ("play", "JC KC QC / KS QS", ["*JC^", "*JC"]),
        ("play", "TC JC KC QC", ["*TC^", "*JC"]),
        ("play", "QC KC / QS JS / KS", ["*QC^", "*QC", "*QS>KS"]),
        ("front", "JC KC QC / KS QS", ["*JC^", "*JC", "*KC", "*KS"]),
        ("second", "JC KC QC / KS QS", []),
        ("second", "JC QC KC / KS QS", []),
        ("second", "KC QC JC KS / QS", ["*JC^"]),
        ("second", "KC JC KS / QS QC", ["*JC^", "*JC>QC", "*QS^", "*QS>KS"]),
        ("anywhere", "KC QC / KS", ["*KC>KS", "*KC"]),
    ],
)
def test_where_a_merci_may_go(merci: str, text: str, expected: list[str]) -> None:
    assert [token for token in tokens(position(text, merci=merci)) if token.startswith("*")] == expected


def test_a_merci_closes_the_fan_up_and_is_spent() -> None:
    state = position("TC JC KC QC / KS", merci="play", merci_count=2)
    after = state.play(Merci(un.Card.parse("JC")))
    assert str(after) == "Foundations: 9C KD KH QS\nMerci: 1\nTC KC QC JC\nKS\n"
    assert state.play(Merci(un.Card.parse("JC"), un.Card.parse("QC"))) == after
    assert str(after.play(Merci(un.Card.parse("TC"), up=True))) == "Foundations: TC KD KH QS\nMerci: 0\nKC QC JC\nKS\n"


def test_a_full_fan_takes_no_card_but_its_own() -> None:
    state = position("JC QC KC / JD KD QD / QH KH", merci="anywhere", max_cards=3)
    assert "*JC>KH" in tokens(state)
    assert "*JC>QD" not in tokens(state)
    assert "*JC" in tokens(state)
    assert "QH>KH" not in tokens(state)


def test_an_empty_fan_is_kept_only_for_kings() -> None:
    text = "- / QS KS / JS"
    assert str(position(text)) == "Foundations: KC KD KH TS\nQS KS\nJS\n"
    state = position(text, "fan")
    assert str(state) == "Foundations: KC KD KH TS\n-\nQS KS\nJS\n"
    assert tokens(state) == ["JS^", "KS>-"]
    after = state.play(ToSpace(un.Card.parse("KS"))).play(ToFoundation(un.Card.parse("JS")))
    assert str(after) == "Foundations: KC KD KH JS\nKS\nQS\n-\n"
    # A king that lies alone stays where it is.
    assert tokens(after) == ["QS^", "QS>KS"]
    won = after.play(after.legal_moves()[0]).play(ToFoundation(un.Card.parse("KS")))
    assert won.outcome is un.Outcome.WON
    assert un.game("belle-lucie", "fan").parse(str(won)) == won


def test_a_redeal_gathers_the_rest_and_deals_it_in_fans() -> None:
    state = position(
        "Redeal 1: JS QS KS JC QC KC KH\nRedeal 2: KC QC JC KS QS JS KH\nQC / JS QS KS / JC KC / KH", "classic"
    )
    assert (state.redeals_left, state.deal, state.can_redeal) == (2, 1, False)
    after = state.play(ToFoundation(un.Card.parse("KH"))).play(Redeal())
    assert str(after) == ("Foundations: TC KD KH TS\nDeal: 2\nRedeal 1: KC QC JC KS QS JS\nJS QS KS\nJC QC KC\n")
    last = after.play(Redeal())
    assert (last.redeals_left, last.redeals, last.deal) == (0, (), 3)
    assert "r" not in tokens(last)


def test_a_redeal_fills_no_space_and_goes_by_the_fan_size() -> None:
    state = position("Redeal 1: KS QS KC QC KD\n- / KC QC / KS QS / KD", "fan-18", redeals=1, fan_size=2)
    assert str(state.play(Redeal())) == "Foundations: JC QD KH JS\nDeal: 2\nKS QS\nKC QC\nKD\n"


def test_where_nothing_may_be_held_back_a_fitting_card_goes_up_first() -> None:
    fields: dict[str, Any] = {"redeals": 1, "may_hold_back": False}
    state = position("Redeal 1: KC QC JC\nQC JC / KC", **fields)
    assert tokens(state) == ["JC^"]
    assert not position("QC JC / KC", **fields).can_redeal
    assert position("JC QC / KC", **fields).can_redeal
    assert "r" in tokens(position("Redeal 1: KC QC JC\nQC JC / KC", redeals=1))


def test_a_merci_of_the_last_deal_waits_for_it() -> None:
    text = "JC KC QC / KS"
    assert not position(text, "merci").may_merci
    assert position(f"Deal: 3\n{text}", "merci").may_merci
    assert position(text, "three-shuffles-and-a-draw").may_merci
    assert position(text, merci="play").may_merci


def test_the_last_card_up_leaves_no_redeal() -> None:
    state = position("Redeal 1: KS\nRedeal 2: KS\nKS", "classic").play(ToFoundation(un.Card.parse("KS")))
    assert (state.redeals, state.outcome, state.can_redeal) == ((), un.Outcome.WON, False)
    assert str(state) == "Foundations: KC KD KH KS\n"


def test_a_view_tells_nothing_of_the_redeals() -> None:
    game = un.game("belle-lucie", "merci")
    state = game.deal(7)
    view = state.view()
    assert (view.table.redeals, view.table.id, view.table.fans) == ((), None, state.fans)
    assert game.deal(7).play(Redeal()).redeals[0] not in view.sample(Random(1)).redeals
    sample = view.sample(Random(1))
    assert [sorted(order) for order in sample.redeals] == [sorted(PACK)] * 2
    assert sample != view.sample(Random(2))
    last = state.play(Redeal()).play(Redeal())
    assert isinstance(last.view(), un.OpenView)


def test_a_seeded_game_keeps_its_id_in_the_text_and_the_engine_gets_the_redeals() -> None:
    game = un.game("belle-lucie", "classic")
    state = game.deal(7)
    assert str(state).startswith("Id: belle-lucie/classic@7\n4D 5C JH\n")
    assert game.wire(state).startswith("Redeal 1: 7H 9C JC")
    assert game.parse(str(state)).id == state.id
    assert game.parse(game.wire(state)) == state
    assert "Id:" not in str(GAME.deal(7))


@pytest.mark.parametrize(
    ("token", "reason", "fields"),
    [
        ("*JC", "there is no merci in these rules", {}),
        ("*JC", "the merci is for the last deal, and a redeal is left", {"variant": "merci"}),
        ("*QC>KC", "QC is the top of its fan, and a merci takes out a buried card", {"merci": "play"}),
        ("*KC", "KC does not go onto QC: a king goes onto no card", {"merci": "play"}),
        ("*JC>KS", "JC does not go onto KS: needs QC", {"merci": "play"}),
        ("*JC>KD", "KD is on its foundation", {"merci": "anywhere"}),
        ("*JC>KC", "KC is not the top of its fan", {"merci": "anywhere"}),
        ("*JC^", "JC does not lie directly below the top of its fan", {"merci": "second"}),
        ("*KC^", "the foundation of clubs needs JC next", {"merci": "second"}),
        ("*JC>KS", "the fan of KS takes no card: max_cards=1", {"merci": "anywhere", "max_cards": 1}),
        ("QC>KS", "QC does not go onto KS: needs one of JC KC", {"build_up": True}),
        ("QC>QS", "QS is on its foundation", {"build": "any"}),
        ("KS>-", "an empty fan is gone for good in these rules", {}),
        ("KS>-", "KS lies alone in its fan already", {"variant": "fan"}),
        ("QC>-", "only a king goes into an empty fan, not QC", {"variant": "fan"}),
        ("r", "there is no redeal in these rules", {}),
        ("r", "the order of this redeal is not known: play r= and the cards as dealt", {"variant": "classic"}),
        ("r=KSQCJCKC2C", "2C cannot be dealt: not in a fan", {"variant": "classic"}),
        ("r=KSQCJC", "the redeal lacks KC", {"variant": "classic"}),
        ("r=KSQCJCKCKC", "the redeal has a card twice", {"variant": "classic"}),
    ],
)
def test_an_illegal_merci_space_or_redeal_says_why(token: str, reason: str, fields: dict[str, Any]) -> None:
    game = un.game("belle-lucie", **fields)
    state = position("JC KC QC / KS", **fields)
    with pytest.raises(un.IllegalMoveError) as caught:
        state.play(game.parse_move(token, state))
    assert caught.value.reason == reason


def test_spent_mercis_and_redeals_are_gone() -> None:
    state = position("Deal: 3\nMerci: 0\nJC KC QC", "merci")
    for token, reason in (("*JC", "no merci is left"), ("r", "no redeal is left")):
        with pytest.raises(un.IllegalMoveError, match=reason):
            state.play(un.game("belle-lucie", "merci").parse_move(token))
    assert state.outcome is un.Outcome.STUCK


@pytest.mark.parametrize(
    ("text", "token", "kind", "words"),
    [
        ("KC QC / JC", "JC^", "Foundation move", "jack of clubs from JC to the foundation"),
        ("QC / KC JC", "JC>QC", "Safe build", "jack of clubs from KC JC onto QC (fan 1)"),
        ("KS KC / JC QC", "QC>KC", "Safe build", "queen of clubs from JC QC onto KC (fan 1)"),
        ("KC QC / JC", "JC>QC", "Safe build", "jack of clubs from JC onto QC (fan 1)"),
        ("KC JC / KS QC", "JC>QC", "Blocking move", "jack of clubs from KC JC onto QC (fan 2)"),
    ],
)
def test_classes_of_moves_in_words(text: str, token: str, kind: str, words: str) -> None:
    assert GAME.describe(position(text), GAME.parse_move(token)) == un.Description(kind, words)


@pytest.mark.parametrize(
    ("fields", "text", "token", "kind", "words"),
    [
        ({"merci": "play"}, "JC KC QC / KS", "*JC", "Merci", "jack of clubs from under KC QC to the top of its fan"),
        ({"merci": "play"}, "JC KC QC / KS", "*JC>QC", "Merci", "jack of clubs from under KC QC to the top of its fan"),
        ({"merci": "play"}, "JC KC QC / KS", "*JC^", "Merci", "jack of clubs from under KC QC to the foundation"),
        ({"merci": "anywhere"}, "JC KC QC / KS", "*JC>KS", "Merci", "jack of clubs from under KC QC onto KS (fan 2)"),
        ({"merci": "play"}, "KS QC / KC JC", "JC>QC", "Blocking move", "jack of clubs from KC JC onto QC (fan 1)"),
        ({"merci": "front"}, "KS KC / QC JC", "QC>KC", "Blocking move", "queen of clubs from QC onto KC (fan 1)"),
        ({"merci": "play"}, "KS KC / QC JC", "QC>KC", "Safe build", "queen of clubs from QC onto KC (fan 1)"),
        (
            {"variant": "fan"},
            "QS KS / - / JS",
            "KS>-",
            "Blocking move",
            "king of spades from QS KS into an empty fan (fan 2)",
        ),
        ({"build": "any"}, "KS QS / KC", "QS>KC", "Blocking move", "queen of spades from KS QS onto KC (fan 2)"),
        (
            {"variant": "classic"},
            "QS / KS",
            "r=KSQS",
            "Redeal",
            "the 2 cards that are left are dealt again: deal 2 of 3",
        ),
    ],
)
def test_classes_of_moves_in_other_rules(fields: dict[str, Any], text: str, token: str, kind: str, words: str) -> None:
    game = un.game("belle-lucie", **fields)
    state = position(text, **fields)
    if "QC JC" in text:
        state = state.play(ToFoundation(un.Card.parse("JC")))
    assert game.describe(state, game.parse_move(token)) == un.Description(kind, words)


def test_the_picture_shows_spaces_deal_and_mercis() -> None:
    state = position("Deal: 2\nQS KS / - / JS", "fan", redeals=2, merci="play", merci_count=3)
    assert un.game_of(state).picture(state).splitlines() == [
        "[ 1] Q♠ K♠   [ 2] -       [ 3] J♠",
        "Foundations: K♣  K♦  K♥  T♠",
        "Deal 2 of 3, mercis left: 3",
    ]
