"""Spider in words and pictures."""

from __future__ import annotations

import unshuffle as un
from unshuffle.cards import Card
from unshuffle.games.spider import Row, Run, State

GAME = un.game("spider")
SMALL = un.game("spider", suits=4, piles=4, ranks=4, runs=4, table=8)
TEXT = "1: [4C] 3S 2S / 2: [AC] 4H / 3: [2C] 4D 3C / 4: / Bank: AS 3H AH 2H 4S 3D 2D AD"


def state(text: str = TEXT) -> State:
    """A small table."""
    read: State = SMALL.parse(text)
    return read


def words(table: State, move: Run | Row) -> str:
    """What is said of the move, the same for one who sees all cards as for a player."""
    told = SMALL.describe(table, move)
    assert told.kind == ("Deal" if isinstance(move, Row) else "Tableau move")
    if isinstance(move, Run):
        assert SMALL.describe(table.view(), move) == told
    return told.text


def test_a_run_is_named_by_its_ends_and_where_it_goes() -> None:
    assert (
        words(state(), Run(1, 2, 2)) == "Move 2 cards, 3♠ to 2♠, from pile 1 onto 4♥ (pile 2); turns a card in pile 1."
    )
    assert words(state(), Run(1, 3)) == "Move 2♠ from pile 1 onto 3♣ (pile 3)."
    assert words(state(), Run(2, 4)) == "Move 4♥ from pile 2 to empty pile 4; turns a card in pile 2."
    assert (
        words(state(), Run(1, 4, 2)) == "Move 2 cards, 3♠ to 2♠, from pile 1 to empty pile 4; turns a card in pile 1."
    )


def test_a_completed_run_is_told() -> None:
    table = state("1: [2C] 4S 3S / 2: [AC] 2S AS / 3: 4D 3C / 4: 4H 3H AD AH / Bank: 2H 4C 3D 2D")
    assert words(table, Run(2, 1, 2)) == (
        "Move 2 cards, 2♠ to A♠, from pile 2 onto 3♠ (pile 1); "
        "completes spades in pile 1; turns a card in pile 1; turns a card in pile 2."
    )


def test_a_row_tells_what_it_completes_to_one_who_sees_the_bank() -> None:
    table: State = un.game("spider", suits=4, piles=4, ranks=3, runs=4, table=8).parse(
        "1: 3H 2H / 2: [AC] 3D 2D / 3: 3C 2C / 4: 3S / Bank: AH AD 2S AS"
    )
    text = "Deal a row (0 left); completes hearts in pile 1; completes diamonds in pile 2; turns a card in pile 2."
    assert words(table, Row()) == text
    assert SMALL.describe(table.view(), Row()).text == "Deal a row (0 left)."
    assert GAME.describe(GAME.deal(7), Row()).text == "Deal a row (4 left)."


def test_the_sentence_of_the_specification() -> None:
    """Four cards from pile 3 onto the ten of hearts in pile 7."""
    deal = GAME.deal(7)
    piles = list(deal.piles)
    run = tuple(map(Card.parse, ("9S", "8S", "7S", "6S")))
    piles[2], piles[6] = piles[2][:5] + run, (*piles[6][:4], Card.parse("TH"))
    table = State(deal.rules, tuple(piles), deal.down, deal.bank)
    assert GAME.describe(table, Run(3, 7, 4)).text == (
        "Move 4 cards, 9♠ to 6♠, from pile 3 onto T♥ (pile 7); turns a card in pile 3."
    )


def test_a_picture_has_the_piles_the_rows_to_come_and_what_is_done() -> None:
    table = state(TEXT.replace("/ 4: /", "/ 4: / Moves: 5 /"))
    assert SMALL.picture(table) == (
        " 1: [4♣] 3♠ 2♠\n"
        " 2: [A♣] 4♥\n"
        " 3: [2♣] 4♦ 3♣\n"
        " 4: -\n"
        "Bank (8): A♠ 3♥ A♥ 2♥ | 4♠ 3♦ 2♦ A♦\n"
        "Completed: -   Moves: 5"
    )
    assert SMALL.picture(table.view()) == (
        " 1: [##] 3♠ 2♠\n 2: [##] 4♥\n 3: [##] 4♦ 3♣\n 4: -\nBank: 8\nCompleted: -   Moves: 5"
    )
    won = "\n".join([*(f"{number}:" for number in range(1, 11)), f"Completed:{' S' * 8}", "Moves: 120"])
    picture = un.game("spider", "1-suit").picture(un.game("spider", "1-suit").parse(won))
    assert picture.endswith("10: -\nBank (0): -\nCompleted: ♠ ♠ ♠ ♠ ♠ ♠ ♠ ♠   Moves: 120")
