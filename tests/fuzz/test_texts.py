"""Whatever is typed, it is read, or refused by the errors that say so: no crash, and no answer longer than a screen."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unshuffle as un
from tests.fuzz.mangling import PIECES, mangled, noise
from tests.laws import deal_numbers, every_game, for_each, random_line
from unshuffle.deals import MOST_DECKS, DealId, Source
from unshuffle.errors import ParseError, UsageError
from unshuffle.games.aces_up import peer
from unshuffle.games.aces_up.strategy import parse_list
from unshuffle.rulebook import read_changes
from unshuffle.solve.limits import Limits, parse_memory
from unshuffle.study.plan import parse_seeds, parse_share

Game = un.Game[Any, Any]
LONGEST = 5000
"""Of a message: some thirty faults, each on a line."""


def check_words(error: ValueError) -> None:
    assert 0 < len(str(error)) <= LONGEST


@pytest.mark.parametrize("game", every_game(), ids=str)
@for_each
@given(seed=deal_numbers, data=st.data())
def test_a_mangled_layout_is_refused_or_read_for_what_it_says(game: Game, seed: int, data: st.DataObject) -> None:
    line = list(random_line(game, seed, at_most=40))
    sound = Random(seed).choice(line)
    text = data.draw(mangled(game.wire(sound) if seed % 2 else str(sound)))
    for parse in (game.parse, game.parse_seen):
        try:
            found = parse(text)
        except un.InvalidDealError as error:
            check_words(error)
            continue
        assert parse(str(found)) == found
        if parse == game.parse:
            # A table that is read can be played on.
            for move in found.legal_moves():
                found.play(move)


@pytest.mark.parametrize("game", every_game(), ids=str)
@for_each
@given(text=noise)
def test_a_view_of_noise_is_refused_or_read(game: Game, text: str) -> None:
    try:
        found = game.parse_seen(text)
    except un.InvalidDealError as error:
        check_words(error)
    else:
        assert game.parse_seen(str(found)) == found


@pytest.mark.parametrize("game", every_game(), ids=str)
@for_each
@given(seed=deal_numbers, data=st.data())
def test_mangled_moves_are_refused_or_played(game: Game, seed: int, data: st.DataObject) -> None:
    state = Random(seed).choice(list(random_line(game, seed, at_most=30)))
    tokens = [*(move.token for move in state.legal_moves()[:3]), "r", "r=AS", "d"]
    text = data.draw(mangled(" ".join(tokens)))
    for known in (None, state):
        try:
            moves = game.parse_moves(text, known)
        except (un.ParseError, un.IllegalMoveError) as error:
            check_words(error)
        else:
            assert game.parse_moves(" ".join(move.token for move in moves)) == moves
    for token in text.split():
        try:
            move = game.parse_move(token, state)
        except (un.ParseError, un.IllegalMoveError) as error:
            check_words(error)
        else:
            assert game.parse_move(move.token, state) == move


SOURCES = ("7", "python:12345#3", "ms:11982", "18446744073709551615", "python:0#1000000", "3#0")
IDS = ("belle-lucie/one-deal@7", "agnes/up-suit-none@python:12345#3", "gaps/addiction@ms:1", "golf/plain@2#7")


@given(data=st.data())
def test_sources_and_ids_are_read_or_refused(data: st.DataObject) -> None:
    text = data.draw(st.one_of(noise, st.sampled_from(SOURCES + IDS).flatmap(mangled)))
    for kind in (Source, DealId):
        try:
            found = kind.parse(text)
        except (ParseError, UsageError) as error:
            check_words(error)
        else:
            assert kind.parse(str(found)) == found


def test_an_id_that_would_take_hours_is_refused_at_once() -> None:
    game = un.game("belle-lucie")
    for text in (f"7#{MOST_DECKS + 1}", "7#999999999", "python:7#999999999"):
        with pytest.raises(UsageError, match="counted from 1 to 1,000,000"):
            un.deal(f"belle-lucie/one-deal@{text}")
        with pytest.raises(un.InvalidDealError, match="counted from 1 to 1,000,000"):
            game.parse(f"Id: belle-lucie/one-deal@{text}\n")


@pytest.mark.parametrize("source", ["ms:0", "ms:18446744073709551615"])
def test_a_deal_that_a_generator_has_not_is_a_fault_of_the_text(source: str) -> None:
    with pytest.raises(un.InvalidDealError, match="line 1, column 5: the generator 'ms' has the deals"):
        un.game("belle-lucie").parse(f"Id: belle-lucie/one-deal@{source}\n")


@given(text=st.one_of(noise, st.sampled_from(["100MB", "1GiB", "0.5 KB", "7"]).flatmap(mangled)))
def test_amounts_of_memory_are_read_or_refused(text: str) -> None:
    try:
        size = parse_memory(text)
        assert size >= 0
        Limits(memory=size)
    except (ParseError, UsageError) as error:
        check_words(error)


@given(
    nodes=st.none() | st.integers(-(2**70), 2**70),
    seconds=st.none() | st.floats(),
    memory=st.integers(-(2**70), 2**70),
)
def test_limits_are_such_as_the_engine_takes_or_refused(nodes: int | None, seconds: float | None, memory: int) -> None:
    try:
        limits = Limits(nodes, seconds, memory)
    except UsageError as error:
        check_words(error)
    else:
        assert 0 < limits.memory < 2**63
        assert limits.nodes is None or 0 <= limits.nodes < 2**63
        assert limits.seconds is None or limits.seconds >= 0


@given(data=st.data())
def test_rules_of_any_kind_are_taken_or_refused(data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(every_game()))
    name = data.draw(st.sampled_from(list(game.rules.__dataclass_fields__)))
    values = st.one_of(
        noise, st.sampled_from(["3", "yes", "none", "-1", "9" * 40]), st.integers(), st.none(), st.floats()
    )
    value = data.draw(values)
    try:
        found = un.game(game.id, game.variant, **{name: value})
    except UsageError as error:
        check_words(error)
    else:
        assert un.game(game.id, found.variant).rules == found.rules


@given(text=st.one_of(noise, st.sampled_from(["fan_size=3", "merci=play", "redeals=2"]).flatmap(mangled)))
def test_variants_and_rules_as_text_are_read_or_refused(text: str) -> None:
    for read in (lambda: read_changes([text]), lambda: un.game("belle-lucie", text), lambda: un.game(text)):
        try:
            read()
        except UsageError as error:
            check_words(error)


@given(text=st.one_of(noise, st.sampled_from(["0..9999", " 1 .. 2 ", "0.5%", "1e-3", "2 points"]).flatmap(mangled)))
def test_seeds_and_shares_are_read_or_refused(text: str) -> None:
    try:
        seeds = parse_seeds(text)
    except UsageError as error:
        check_words(error)
    else:
        assert 0 <= seeds.start < seeds.stop <= 2**63
    try:
        assert parse_share(text, "share") >= 0
    except UsageError as error:
        check_words(error)


DECK = peer.write_deck(un.Source(7).deck(un.game("aces-up").pack))
ENTRIES = "[Ac, -1, 0, 1],[Th, -1, 1, 2],[2s, 1, 4, 3]"
COUNTS = "[('move_first_ace', 3), ('move_right', 1)]"


@given(data=st.data())
def test_texts_of_the_aces_up_program_are_read_or_refused(data: st.DataObject) -> None:
    text = data.draw(st.one_of(noise, st.sampled_from([DECK, ENTRIES, COUNTS, "2,1,100", "[1, 20]"]).flatmap(mangled)))
    readers = (peer.read_deck, peer.read_moves, peer.read_rule_counts, peer.read_numbers, parse_list)
    for read in readers:
        try:
            read(text)
        except (ParseError, UsageError) as error:
            check_words(error)


@pytest.mark.parametrize(
    "text",
    ["[('move_first_ace', 1e999)]", "[('move_first_ace', " + "9" * 5000 + ")]", "[" * 5000, "{[]: 1}", "[(1, 2, 3)]"],
)
def test_counts_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ParseError, match="is no count of rules"):
        peer.read_rule_counts(text)


@given(text=st.one_of(noise, st.lists(st.sampled_from(PIECES), max_size=3).map(" ".join)))
def test_cards_are_read_or_refused(text: str) -> None:
    try:
        card = un.Card.parse(text)
    except ParseError as error:
        check_words(error)
    else:
        assert un.Card.parse(str(card)) is card
