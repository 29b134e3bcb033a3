"""Deals as other programs write them: what is written is read as the same table, and what cannot be said is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysol_cards.cards import CardRenderer
from pysol_cards.deal_game import Game as PysolGame
from pysol_cards.random_base import RandomBase

import unshuffle as un
from tests.laws import DATA, OURS, ROOT, deal_numbers, every_game, for_each, random_line
from unshuffle.interchange import FC_SOLVE, FORMS, QUAGNES, SOLVITAIRE, find_form

FOLDER = DATA / "interchange"
# The rules under which each example is read.
EXAMPLES = {
    "solvitaire-fan.json": ("belle-lucie", "fan"),
    "fc-solve-fan.board": ("belle-lucie", "fan"),
    "pysolfc-fan.board": ("belle-lucie", "fan"),
    "solvitaire-gaps.json": ("gaps", "basic"),
    "solvitaire-spider.json": ("spider", "4-suits"),
}
WRITTEN = {
    SOLVITAIRE: {
        "belle-lucie": {"one-deal", "fan", "fan-18"},
        "gaps": {"one-deal", "basic"},
        "spider": {"4-suits", "2-suits", "1-suit"},
    },
    FC_SOLVE: {"belle-lucie": {"one-deal", "fan", "fan-18"}},
    # The rules are options there, and it has them all.
    QUAGNES: {"agnes": set(un.games()["agnes"])},
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_read_as_the_documents_say(name: str) -> None:
    game = un.game(*EXAMPLES[name])
    text = (FOLDER / name).read_text(encoding="utf-8")
    layout = (FOLDER / name).with_suffix(".layout").read_text(encoding="utf-8")
    assert game.parse(text) == game.parse_seen(text) == game.parse(layout)
    assert find_form(text) is not None
    assert find_form(layout) is None


def test_every_example_is_tried() -> None:
    assert {path.name for path in FOLDER.iterdir() if path.suffix != ".layout"} == set(EXAMPLES)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("game", every_game(), ids=str)
@for_each
@given(seed=deal_numbers)
def test_what_is_written_is_read_again(game: un.Game[Any, Any], form: str, seed: int) -> None:
    """Law: a table is refused with a reason, or the text says all of it."""
    for state in random_line(game, seed):
        try:
            text = game.write_foreign(state, form)
        except un.UsageError as error:
            assert str(error).startswith(f"{game} cannot be expressed in the format of {FORMS[form]}: ")
        else:
            assert find_form(text) == form
            assert game.parse(text) == state


@pytest.mark.parametrize("form", FORMS)
def test_the_variants_that_exist_there(form: str) -> None:
    """What the page lists, and nothing else."""
    found: dict[str, set[str]] = {}
    for name, variants in un.games().items():
        for variant in variants:
            game = un.game(name, variant)
            try:
                game.write_foreign(game.deal(7), form)
            except un.UsageError:
                continue
            found.setdefault(name, set()).add(variant)
    assert found == WRITTEN[form]


def test_solvitaire_takes_what_we_write() -> None:
    """By its schema: cards have no T, a gap is an empty string, and there are no keys but these."""
    for name, keys in {"belle-lucie": {"tableau piles"}, "spider": {"tableau piles", "stock"}}.items():
        game = un.game(name)
        value = json.loads(game.write_foreign(game.deal(7), SOLVITAIRE))
        assert value.keys() == keys
    game = un.game("gaps", "one-deal")
    rows = json.loads(game.write_foreign(game.deal(7), SOLVITAIRE))["sequences"]
    assert [len(row) for row in rows] == [13] * 4
    cells = [cell for row in rows for cell in row]
    assert cells.count("") == 4
    assert {cell[:-1] for cell in cells if cell} == {*map(str, range(2, 11)), "J", "Q", "K"}


def test_the_next_card_of_the_stock_stands_last() -> None:
    """There a row is dealt from the end of the list, and with us from the beginning of the bank."""
    state = un.game("spider").deal(7)
    value = json.loads(un.game("spider").write_foreign(state, SOLVITAIRE))
    dealt = state.play(un.game("spider").parse_move("d"))
    last = [str(un.Card.parse(card)) for card in value["stock"][:-11:-1]]
    assert [str(pile[-1]) for pile in dealt.piles] == last


def test_a_small_suit_is_a_card_face_down() -> None:
    """So Solvitaire knows them where only the top card of a pile lies face up; all capitals are all face up there."""
    game = un.game("spider")
    state = game.deal(7)
    piles = json.loads(game.write_foreign(state, SOLVITAIRE))["tableau piles"]
    assert [[card[-1].islower() for card in pile] for pile in piles] == [[True] * down + [False] for down in state.down]
    # Either way it is the same deal here.
    value = json.loads(game.write_foreign(state, SOLVITAIRE))
    value["tableau piles"] = [[card.upper() for card in pile] for pile in piles]
    assert game.parse(json.dumps(value)) == state


def test_an_emptied_fan_keeps_its_place_there() -> None:
    """Solvitaire's rules say how many piles there are."""
    game = un.game("belle-lucie", "one-deal")
    state = game.parse("Foundations: KC KD KH QS\nKS\n")
    value = json.loads(game.write_foreign(state, SOLVITAIRE))
    assert value["tableau piles"] == [["KS"], *[[]] * 17]
    assert len(value["foundations"]) == 51
    assert game.write_foreign(state, FC_SOLVE) == "Foundations: H-K C-K D-K S-Q\n: KS\n" + ":\n" * 17


@pytest.mark.parametrize("deals", [RandomBase.DEALS_MS, RandomBase.DEALS_PYSOLFC])
@pytest.mark.parametrize("with_t", [True, False])
def test_boards_of_pysol_are_read(deals: int, with_t: bool) -> None:
    """The generator of fc-solve's boards deals Fan in seventeen columns and a card."""
    game = un.game("belle-lucie", "fan")
    for number in range(1, 20):
        text = PysolGame("fan", number, deals).calc_layout_string(CardRenderer(with_t))
        state = game.parse(text)
        assert [len(fan) for fan in state.fans] == [3] * 17 + [1]
        assert game.parse(game.write_foreign(state, FC_SOLVE)) == state


# Faults.


def faults(game: str, text: str) -> list[str]:
    with pytest.raises(un.InvalidDealError) as caught:
        un.game(game).parse(text)
    return str(caught.value).splitlines()


def test_every_fault_of_a_deal_file_is_named_with_its_place() -> None:
    text = '{\n  "tableau piles": [["1X", "KS"],\n    ["KS"]],\n  "reserve": ["AH"],\n  "foo": 1\n}'
    found = faults("belle-lucie", text)
    assert found[0] == ("line 2, column 22: '1X' is not a card; expected a rank A 2-9 T J Q K, then a suit C D H S")
    assert found[1] == "line 3, column 6: 'KS' is on the table twice (first at line 2, column 28)"
    assert found[2].startswith("line 4, column 3: 'reserve' has no place in this game; expected 'tableau piles'")
    assert found[3].startswith("line 5, column 3: 'foo' is not a key of a deal; expected 'tableau piles', 'seq")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "line 1, column 2: this is not JSON: "),
        ('{"tableau piles": ', "this is not JSON: "),
        ("{}", "'tableau piles' is missing"),
        ('{"tableau piles": 5}', "line 1, column 2: 'tableau piles' is not a list of lists of cards"),
        ('{"tableau piles": ["KS"]}', "line 1, column 2: 'tableau piles' is not a list of lists of cards"),
        ('{"tableau piles": [[3]]}', "line 1, column 2: 'tableau piles' is not a list of lists of cards"),
        ('{"tableau piles": {"a": []}}', "line 1, column 2: 'tableau piles' is not a list of lists of cards"),
        ('{"tableau piles": [], "tableau piles": []}', "line 1, column 23: 'tableau piles' is there twice"),
        ('{"tableau piles": [["KS"]], "foundations": [["AS", "AS"]]}', "line 1, column 52: 'AS' is up twice"),
        ('{"tableau piles": [["KS"]], "foundations": ["2S"]}', "'2S' is up, but AS is not under it"),
        ('{"a": ' + "[" * 50_000, "this is not "),
        ('{"a": ' + "9" * 50_000 + "}", "it has a number or a depth that no deal has"),
        ("{" * 200_000, "the text is longer than 100,000 characters"),
    ],
)
def test_a_deal_file_that_is_none_is_refused(text: str, words: str) -> None:
    found = faults("belle-lucie", text)
    assert any(words in line for line in found), found


def test_the_faults_of_a_spider_deal() -> None:
    value = json.loads((FOLDER / "solvitaire-spider.json").read_text(encoding="utf-8"))
    value["tableau piles"][0].append(value["stock"].pop())
    value["tableau piles"][3][0] = "JC"
    value["foundations"] = [["KS"], []]
    found = faults("spider", json.dumps(value))
    assert [line.partition(": ")[2] for line in found[:2]] == [
        "pile 1 has 7 cards; it is dealt 6",
        "'JC' is in the deck 3 times (first at line 1, column 142)",
    ]
    assert found[2:] == [
        "1 cards are on the foundations; only a whole deal can be read",
        "the stock has 49 cards, expected 50",
        "the deck has 104 cards, expected 104; missing: 4C",
    ]


def test_the_faults_of_a_gaps_board() -> None:
    value = json.loads((FOLDER / "solvitaire-gaps.json").read_text(encoding="utf-8"))
    value["sequences"][0][0] = "2H"
    assert faults("gaps", json.dumps(value)) == ["2H twice: r1c1 and r2c1", "missing: 2C"]


def test_the_faults_of_a_board() -> None:
    text = "Foundations: H-0 X-3 C-14\nFreecells: - 5D\nTalon: AS\n: KS <QD>\n: KS\nFoundations: H-0\n"
    found = faults("belle-lucie", text)
    for words in (
        "line 1, column 18: 'X-3' is not a foundation; expected a suit and its top rank, H-0 or C-5",
        "line 1, column 22: 'C-14' is not a foundation; expected a suit and its top rank, H-0 or C-5",
        "line 2, column 14: '5D' is in a free cell, and this game has none",
        "line 3, column 1: 'Talon' is not a label; expected Foundations: or Freecells:",
        "line 4, column 6: '<QD>' is not a card; expected a rank A 2-9 T J Q K, then a suit C D H S",
        "line 5, column 3: 'KS' is on the table twice (first at line 4, column 3)",
        "line 6, column 1: 'Foundations:' is there twice (first at line 1, column 1)",
    ):
        assert words in found


@pytest.mark.parametrize("game", ["agnes", "aces-up"])
@pytest.mark.parametrize("name", ["solvitaire-fan.json", "fc-solve-fan.board"])
def test_a_game_that_is_not_there_says_so(game: str, name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    for parse in (un.game(game).parse, un.game(game).parse_seen):
        with pytest.raises(un.InvalidDealError, match=r"cannot be expressed in the format of .*: "):
            parse(text)


def test_a_game_that_names_no_form_is_told_where_it_would() -> None:
    golf = un.load(ROOT / "examples" / "golf.py")[0]
    with pytest.raises(un.UsageError, match=r"^golf/plain cannot be expressed .* Solvitaire: the game's `foreign`"):
        golf.write_foreign(golf.deal(7), "solvitaire")


def test_an_unknown_form_gets_the_nearest_one() -> None:
    for name in OURS:
        game = un.game(name)
        with pytest.raises(un.UsageError, match="solvitaire"):
            game.write_foreign(game.deal(7), "solvitair")


noise = st.text(st.sampled_from('{}[]":, \n-#/ASKHD10Tableupis fondCrc\\u00'), max_size=60)


@pytest.mark.parametrize("name", OURS)
@given(start=st.sampled_from(["{", '{"tableau piles":[[', ":", "Foundations: H-", "FC:"]), text=noise)
def test_noise_is_refused_or_read(name: str, start: str, text: str) -> None:
    """Law: whatever follows, either a table or faults in words."""
    try:
        un.game(name).parse(start + text)
    except un.InvalidDealError as error:
        assert str(error)


def test_a_deck_of_quagnes_is_written_as_its_page_says() -> None:
    """In deal order, ranks from 0 for the ace, suits 0..3 for C D S H."""
    game = un.game("agnes", "up-suit-none")
    deck = game.deck(un.Source(12345, "python"))
    lines = [f"({card.rank - 1:2d}, {'CDSH'.index(card.suit.letter)})" for card in deck]
    state = game.deal("python:12345")
    assert game.write_foreign(state, QUAGNES).splitlines() == lines
    for begun in (state.play(state.legal_moves()[0]), un.game("agnes", ranks=12).deal(7)):
        with pytest.raises(un.UsageError, match=r"whole decks|52 cards"):
            game.write_foreign(begun, QUAGNES)
