from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.goldens import golden_files
from tests.laws import DATA, deal_numbers, native_module
from unshuffle.cards import PACK, format_cards
from unshuffle.deals import SplitMix64, deck, decks

pytestmark = pytest.mark.one_engine("checks what surrounds the engine, not its answers")


def test_golden_files_are_what_the_rules_give() -> None:
    for path, text in golden_files().items():
        assert path.read_text(encoding="utf-8") == text, path.name


def test_golden_decks_are_what_the_engine_gives() -> None:
    rows = [line.split(" | ") for line in (DATA / "deals.txt").read_text().splitlines() if not line.startswith("#")]
    assert len(rows) == 24
    for name, cards in rows:
        seed, number = map(int, name.split("#"))
        order = native_module().shuffle(seed, number, 52)
        assert format_cards(PACK[index] for index in order) == cards


def test_splitmix64_gives_the_published_numbers() -> None:
    # The first outputs for the seed 1234567, from the generator's reference code.
    generator = SplitMix64(1234567)
    assert [generator.next() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_bounded_draws_are_even() -> None:
    generator = SplitMix64(1)
    counts = [0] * 52
    for _ in range(52_000):
        counts[generator.below(52)] += 1
    # 51 degrees of freedom: the 99.9 % point of chi-square is 87.97.
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 87.97


@given(seed=deal_numbers, number=st.integers(1, 4))
def test_the_python_generator_is_cpythons_shuffle_as_a_stream(seed: int, number: int) -> None:
    generator = random.Random(seed)
    for _ in range(number):
        cards = list(PACK)
        generator.shuffle(cards)
    assert deck(PACK, seed, "python", number) == tuple(cards)


# The first row of the best known deals, as every FreeCell player can look them up.
MICROSOFT = {
    1: "JD 2D 9H JC 5D 7H 7C 5H",
    617: "7D AD 5C 3S 5S 8C 2D AH",
    11982: "AH AS 4H AC 2D 6S TS JS",
}


@pytest.mark.parametrize("seed", MICROSOFT)
def test_microsoft_deals_begin_as_published(seed: int) -> None:
    assert format_cards(deck(PACK, seed, "ms")[:8]) == MICROSOFT[seed]


@given(seed=st.integers(1, 2**31 - 1))
def test_microsoft_deals_are_those_of_pysol_cards(seed: int) -> None:
    from pysol_cards.cards import CardRenderer
    from pysol_cards.deal_game import Game
    from pysol_cards.random_base import RandomBase

    layout = Game("freecell", seed, RandomBase.DEALS_MS).calc_layout_string(CardRenderer(True))
    columns = [line.split() for line in layout.splitlines()]
    rows = [column[row] for row in range(7) for column in columns if row < len(column)]
    assert format_cards(deck(PACK, seed, "ms")) == " ".join(rows)


def test_every_stream_starts_each_deck_from_the_ordered_pack() -> None:
    for generator in ("unshuffle", "python", "ms"):
        stream = decks(PACK, 5, generator)
        first, second, third = (next(stream) for _ in range(3))
        assert len({first, second, third}) == 3
        assert all(sorted(each) == list(PACK) for each in (first, second, third))
        assert third == deck(PACK, 5, generator, 3)


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("seven", un.ParseError, "'seven' is not a seed"),
        ("-1", un.ParseError, "'-1' is not a seed"),
        ("18446744073709551616", un.UsageError, "seeds are 0..18446744073709551615"),
        ("pyton:3", un.UsageError, "did you mean 'python'?"),
        ("python:3#0", un.UsageError, "counted from 1"),
        ("ms:0", un.UsageError, "ms"),
        ("", un.ParseError, "is not a seed"),
    ],
)
def test_a_wrong_seed_is_named(text: str, error: type[ValueError], words: str) -> None:
    with pytest.raises(error) as caught:
        un.game("belle-lucie").deal(text)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "belle-lucie", "belle-lucie@7", "belle-lucie/one-deal", "belle-lucie/one-deal@", "@7"]
)
def test_a_wrong_id_is_named(text: str) -> None:
    with pytest.raises(un.ParseError):
        un.deal(text)


@pytest.mark.parametrize("seed", [np.int64(1), np.uint64(1), np.uint8(1), True])
def test_a_number_of_another_kind_is_the_same_seed(seed: Any) -> None:
    game = un.game("gaps")
    assert game.deal(seed) == game.deal(1)
    assert game.deal(seed).id == "gaps/addiction@1"
    assert game.deal(1, number=seed).id == "gaps/addiction@1"
    for seeds in ([seed], np.array([seed, 2], int)):
        result = next(iter(un.solve_many(game, seeds=seeds, nodes=5, threads=1)))
        assert result.state.id == "gaps/addiction@1"


@pytest.mark.parametrize("seed", [1.5, None, b"1"])
def test_what_is_no_number_is_no_seed(seed: Any) -> None:
    for ask in (un.game("gaps").deal, un.Source):
        with pytest.raises(un.UsageError, match="is not a seed; expected a number"):
            ask(seed)


def test_an_id_not_in_our_writing_is_refused_with_the_right_one() -> None:
    with pytest.raises(un.ParseError, match="belle-lucie/one-deal@7"):
        un.deal("belle-lucie/one-deal+fan_size=3@7")
    assert un.deal("belle-lucie/one-deal+fan_size=4@7").rules.fan_size == 4
