"""The notation of another Aces Up program: byte for byte what it wrote, and every fault of a line told."""

from __future__ import annotations

import csv
import random
import sqlite3
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import pytest

import unshuffle as un
from tests.laws import IS_LONG, ROOT
from unshuffle.cards import PACK
from unshuffle.errors import ParseError, UsageError
from unshuffle.game import Outcome
from unshuffle.games.aces_up import peer
from unshuffle.games.aces_up.moves import Move, ToSpace
from unshuffle.simulate import Luck, play_game, policy_of

DATA = ROOT / "tests" / "data" / "aces-up"
GAME = un.game("aces-up")


class Win(NamedTuple):
    """A win of the sample file, as it is written there."""

    deck: str
    moves: str
    rule_counts: str
    rules: str


def sample() -> list[Win]:
    db = sqlite3.connect(f"{(DATA / 'peer-sample.sqlite').as_uri()}?mode=ro", uri=True)
    try:
        rows = db.execute(
            "SELECT cards, moves_str, rule_counts, rule_list FROM solutions JOIN decks USING (deck_id)"
            " JOIN moves USING (moves_id) JOIN strategies USING (strategy_id) ORDER BY solution_id"
        )
        return [Win(*row) for row in rows]
    finally:
        db.close()


WINS = sample()


def test_the_sample_has_its_wins() -> None:
    assert len(WINS) == 17


@pytest.mark.parametrize("win", WINS, ids=range(1, len(WINS) + 1))
def test_a_line_is_read_and_written_again_byte_for_byte(win: Win) -> None:
    deck = peer.read_deck(win.deck)
    assert peer.write_deck(deck) == win.deck
    start = GAME.start(deck)
    line, end = peer.follow(start, peer.read_moves(win.moves))
    assert end.outcome is Outcome.WON
    assert peer.write_moves(start, line) == win.moves
    tableau_moves = sum(isinstance(move, ToSpace) for move in line)
    assert len(peer.read_moves(win.moves)) == 52 + end.score + tableau_moves


@pytest.mark.parametrize("win", WINS, ids=range(1, len(WINS) + 1))
def test_a_list_is_played_and_written_as_it_was_there(win: Win) -> None:
    start = GAME.start(peer.read_deck(win.deck))
    played = play_game(policy_of(GAME, f"rules:{win.rules}"), start, Luck("any"))
    assert peer.write_moves(start, played.moves) == win.moves
    assert peer.write_rule_counts(played.rule_counts) == win.rule_counts
    assert peer.read_rule_counts(win.rule_counts) == dict(played.rule_counts)


def reference_games(every: int) -> Iterator[tuple[str, str]]:
    """Decks, and lines in which the forced discards are written out in that program's order."""
    with (DATA / "decks.csv").open(encoding="utf-8", newline="") as file:
        decks = {row["deck_name"]: row["deck"] for row in csv.DictReader(file)}
    with (DATA / "classic.csv").open(encoding="utf-8", newline="") as file:
        for row in islice(csv.DictReader(file), 0, None, every):
            yield decks[row["deck_name"]], row["moves"]


def test_discards_come_in_the_order_of_the_reference_games() -> None:
    played = 0
    for deck, tokens in reference_games(1 if IS_LONG else 17):
        start = GAME.parse(f"Deck: {deck}")
        line = [GAME.parse_move(token) for token in tokens.split() if not token.endswith("x")]
        steps = list(peer.steps(start, line))
        assert "".join(map(token_of, steps)) == tokens.replace("d", "d d d d").replace(" ", "")
        played += 1
    assert played == (1560 if IS_LONG else 92)


def token_of(step: peer.Step) -> str:
    if step.source == peer.STOCK:
        return "d"
    return f"{step.source + 1}x" if step.target == peer.DISCARDS else f"{step.source + 1}-{step.target + 1}"


@pytest.mark.parametrize("variant", ["standard", "last-empty", "free", "relaxed-discards", "russian", "must-fill"])
def test_whatever_is_played_is_read_back(variant: str) -> None:
    """Law: write, read, follow gives the same line."""
    game = un.game("aces-up", variant)
    rng = random.Random(6)
    for seed in range(5):
        start = state = game.deal(seed)
        line: list[Move] = []
        while moves := state.legal_moves():
            line.append(rng.choice(moves))
            state = state.play(line[-1])
            if len(line) == 60:
                break
        again, end = peer.follow(start, peer.read_moves(peer.write_moves(start, line)))
        assert (list(again), end) == (line, state)


@pytest.mark.parametrize("variant", ["five-piles", "firing-squad"])
def test_there_is_no_notation_for_more_piles_or_a_cell(variant: str) -> None:
    state = un.game("aces-up", variant).deal(1)
    with pytest.raises(UsageError, match="four piles and no cell"):
        peer.write_moves(state, state.legal_moves()[:1])
    with pytest.raises(UsageError, match="four piles and no cell"):
        peer.follow(state, peer.read_moves(WINS[0].moves))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no moves"),
        ("nonsense", "entry 1: 'nonsense' is not a move"),
        ("[9c, -1, 0, 2]", "entry 1: .* has another number"),
        ("[9c, -1, 0, 1] [4s, -1, 1, 2]", "entry 1: after it comes"),
        ("[9c, -1, 0, 1],", "entry 1: after it comes"),
        ("[9c, -1, 0, 1],[4S, -1, 1, 2]", "entry 2: .* is not a move"),
        ("[9c, -1, 5, 1]", "entry 1: .* is not a move"),
        ("[1c, -1, 0, 1]", "entry 1: .* is not a move"),
    ],
)
def test_text_that_is_no_line_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        peer.read_moves(text)


def test_a_line_that_the_rules_do_not_allow_is_refused_with_its_place() -> None:
    win = WINS[0]
    start = GAME.start(peer.read_deck(win.deck))
    steps = peer.read_moves(win.moves)
    first, place = (
        steps[0],
        next(place for place, step in enumerate(steps) if 0 <= step.target < 4 and step.source >= 0),
    )
    moved = steps[place]
    for changed, message in (
        ((first._replace(card=PACK[0]), *steps[1:]), "entry 1: expected '9c, -1, 0'"),
        (steps[:2], "entry 3: expected '3d, -1, 2'"),
        # The forced discard of the first deal, left out, and put elsewhere.
        ((*steps[:4], *steps[5:]), "entry 5: after d expected '3d, 2, 4'"),
        ((*steps[:4], steps[4]._replace(source=3), *steps[5:]), "entry 5: after d expected '3d, 2, 4'"),
        (
            (*steps[:place], moved._replace(target=moved.source), *steps[place + 1 :]),
            f"entry {place + 1}: .* not allowed",
        ),
        ((*steps[:place], moved._replace(card=first.card), *steps[place + 1 :]), f"entry {place + 1}: expected"),
        ((*steps, first), f"entry {len(steps) + 1}: d is not allowed: the stock is empty"),
        ((moved, *steps), "entry 1: .* is not allowed"),
    ):
        with pytest.raises(ParseError, match=message):
            peer.follow(start, changed)


def test_discards_of_one_move_may_stand_in_any_order() -> None:
    win = WINS[0]
    start = GAME.start(peer.read_deck(win.deck))
    steps = list(peer.read_moves(win.moves))
    place = next(i for i, step in enumerate(steps[:-1]) if step.target == steps[i + 1].target == peer.DISCARDS)
    steps[place], steps[place + 1] = steps[place + 1], steps[place]
    line, end = peer.follow(start, steps)
    assert end.outcome is Outcome.WON
    assert peer.write_moves(start, line) == win.moves


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a deck"),
        ("Jc Ad 5d", "is not a deck"),
        ("JC,AD", "is not a deck"),
        (",".join(["Ac"] * 52), "AC twice, .* missing"),
        (WINS[0].deck[3:], "JC missing"),
    ],
)
def test_what_is_no_deck_is_refused(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        peer.read_deck(text)


def test_our_own_decks_are_not_taken_for_theirs() -> None:
    # Theirs stand the other way round, so that a mistake would go unnoticed.
    assert peer.is_deck(WINS[0].deck)
    assert not peer.is_deck(" ".join(map(str, PACK)))
    assert not peer.is_deck(",".join(map(str, PACK)))


def test_rules_are_counted_most_used_first() -> None:
    assert peer.write_rule_counts({1000: 2, 1: 2, 5: 0, 100: 7}) == (
        "[('move_highest_has_higher_in_suit_below', 7), ('move_ace_from_highest_rank_sum', 2),"
        " ('move_from_highest_rank_sum', 2)]"
    )
    assert peer.write_rule_counts({}) == "[]"
    for wrong in ("", "[('move_it', 2)]", "[1]", "open('x')", "[('move_first_ace', 'x')]"):
        with pytest.raises(ParseError, match="is no count of rules"):
            peer.read_rule_counts(wrong)


def test_lists_of_rules_are_read_with_and_without_brackets() -> None:
    assert peer.read_numbers("2,1,100") == (2, 1, 100)
    assert peer.read_numbers("[1, 2, 100]") == (1, 2, 100)
    for wrong in ("", "[]", "1,,2", "-1", "1;2", "²"):
        with pytest.raises(ParseError, match="is not a list of rules"):
            peer.read_numbers(wrong)
