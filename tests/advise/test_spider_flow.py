"""An advised game of Spider: typing what one sees, and the cards that come to light."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unshuffle as un
from tests.advise.table import PLAY_ONCE as PLAY
from tests.advise.table import Table, last_prompt, phase, saved
from tests.advise.test_spider import OPEN, SMALL
from tests.advise.watched import check_seen_flow
from tests.cli.conftest import Run
from tests.cli.program import Ended
from unshuffle.advise import adviser_of
from unshuffle.advise.console import Console
from unshuffle.advise.saves import Saves, new_record
from unshuffle.advise.session import Session
from unshuffle.games.spider import Row, State

pytestmark = pytest.mark.one_engine("checks the conversation, not the advice")

FOUR = un.game("spider")
DEAL = "9H 3C QS 2D AS 9C 2C 5H AH 5C"
"""The open cards of spider/4-suits@7."""
ROW = "JS 9D KD 4S 6D 6C 8D TH 7C KH"
TURNS = ("1: 1 3S 2S", "2: 1 3S 2S", "")
"""In the small game: an ace from the row completes a run, and the card under it is turned."""
ROW_PROMPT = "The 10 cards of the row, from pile 1 on?"


@pytest.fixture
def table(run: Run, saves: Path) -> Table:
    return Table(run, "spider", saves)


def board(ended: Ended) -> list[str]:
    """The last board that was shown."""
    lines = ended.out.splitlines()
    end = max(place for place, line in enumerate(lines) if line.startswith("Moves: "))
    start = max(place for place, line in enumerate(lines[:end]) if line.startswith("1: "))
    return lines[start : end + 1]


def test_a_new_deal_is_typed_in_one_answer(table: Table) -> None:
    ended = table(DEAL)
    assert ended.code == 0, ended.err
    assert board(ended) == str(FOUR.deal(7).view()).splitlines()
    assert last_prompt(ended) == PLAY


def test_many_ways_to_type_it(table: Table, saves: Path) -> None:
    table(DEAL)
    expected = phase(saves)["layout"]
    for answers in (
        str(FOUR.deal(7).view()).splitlines(),
        [*DEAL.split(), ""],
        ["5 9h", "3: ## ## ## ## ## Q♠", "2: [## ## ## ## ##] 3C", "##########2D", *DEAL.split()[4:], "Bank: 50", ""],
        [f"Deck: {_deck()}"],
    ):
        (saves / "g.json").unlink()
        ended = table(*answers)
        assert ended.code == 0, ended.err
        assert phase(saves)["layout"] == expected, answers


def _deck() -> str:
    state = FOUR.deal(7)
    rows = [pile[row] for row in range(6) for pile in state.piles if row < len(pile)]
    return " ".join(map(str, [*rows, *state.bank]))


def test_a_position_in_play_is_typed(table: Table) -> None:
    diamonds = "KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D"
    ended = table(
        "Completed: spades H", "Moves: 80", diamonds, *["-"] * 5, "1 4H 3H", "2 TC", "JS TS 9S 8S 7S 6S", "9C"
    )
    assert last_prompt(ended) == "Bank (blank: 49 cards)?"
    ended = table("")
    assert "the bank has 49 cards, which is not whole rows; it can have 0, 10, 20, 30, 40, 50" in ended.out
    ended = table("9: 0 JS TS 9S 8S 7S", "Moves: 80", "")
    assert last_prompt(ended) == PLAY
    assert board(ended)[-4:] == ["10: ## ## ## ## 9C", "Bank: 50", "Completed: S H", "Moves: 80"]


def test_every_fault_is_named(table: Table) -> None:
    ended = table("KS KS KS", "zz 8H", "3: 6 4D / 4: ## 9C ##", "5: 2D / 6: 2C / 7: 5H / 8: AH / 9: 5C / 10: QS", "")
    assert ended.code == 0, ended.err
    assert "'KS' is there 3 times, expected 2" in ended.out
    assert " 1: KS! KS! KS!" in ended.out
    assert "pile 2: 'zz' is not a card" in ended.out
    assert "pile 3 has 6 face-down cards; it is dealt with 5" in ended.out
    assert last_prompt(ended) == "Pile and cards (3: 2 9H 8H), blank to end?"
    ended = table("1: 5 KS / 2: 5 8H / 3: 5 4D / 4: 5 9C", "")
    assert last_prompt(ended) == PLAY


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (("xyz",), "'xyz' is not a card"),
        (("11: KC",), "pile 11: the piles are 1..10"),
        (("Foundations: KC",), "'foundations:' has no place here; expected Bank:, Completed:, Moves:, Deck: or cards"),
        (("99 KC",), "99 cards face down: no pile has so many"),
        (("# KC",), "that is a comment"),
        (("",), "nothing is entered yet; type the 10 open cards of a new deal, or pile 1, or ?"),
        (("Deck: KC KC KC",), "'KC' is in the deck 3 times"),
        ((DEAL, "r"), "'r' is not one of a, b, d, e, m, u, x, z, ?"),
        ((DEAL, "d"), "there is no plan yet"),
        ((DEAL, "m 1-2"), "9♥ does not go on 3♣: needs a 10; no move was taken"),
        ((DEAL, "m 7-2=AC AC"), "'7-2=AC,AC': it shows 1 card, and 2 are told; no move was taken"),
        ((DEAL, "m 7-2", "AC AS"), "2 cards, expected 1"),
        ((DEAL, "m 7-2", "what"), "'what': expected the cards that the move shows"),
        ((DEAL, "m d", ROW[:-3]), "9 cards, expected 10"),
        ((DEAL, f"m d={ROW[:-3]}"), "it shows 10 cards, and 9 are told; no move was taken"),
        ((DEAL, "m d", f"{ROW} AC"), "11 cards, expected 10"),
        ((DEAL, "m d", "9H 9H 2D 2D AS 9C 2C 5H AH 5C"), "9♥ is told 2 times, but 1 of its 2 is unseen; 2♦ is told 2"),
    ],
)
def test_refusals(table: Table, answers: tuple[str, ...], message: str) -> None:
    ended = table(*answers)
    assert ended.code == 255, ended.out
    assert message in ended.err


def test_a_card_of_which_all_copies_are_seen_is_refused(table: Table, saves: Path) -> None:
    table(DEAL, "m 7-2=9H")
    ended = table("m 9-7=9H")
    assert ended.code == 255
    ended = table("m 9-4=9H")
    assert ended.code == 255
    assert "'9-4=9H': 9♥ is told, but none of its 2 is unseen; no move was taken" in ended.err
    assert phase(saves)["moves"] == ["7-2=9H"]


def test_cards_come_to_light_with_the_move_or_after_it(table: Table, saves: Path) -> None:
    table(DEAL, f"m 7-2=AC 9-4=as d={ROW}")
    moves = phase(saves)["moves"]
    assert moves == ["7-2=AC", "9-4=AS", f"d={ROW.replace(' ', ',')}"]
    told = board(table("b"))
    (saves / "g.json").unlink()
    ended = table(DEAL, "m 7-2 9-4 d", "AC", "AS", ROW)
    assert phase(saves)["moves"] == moves
    assert board(ended) == told
    for question in ("The card turned up on pile 7?", "The card turned up on pile 9?", ROW_PROMPT):
        assert question in ended.out.splitlines()


def test_a_row_that_completes_a_run_brings_more_to_light(table: Table, saves: Path) -> None:
    ended = table(*TURNS, "m d", "AS 3S", variant=SMALL)
    assert last_prompt(ended) == "The card turned up on pile 1?"
    assert saved(saves)["at"]["pending"] == ["d=AS,3S"]
    ended = table("KS")
    assert ended.code == 255
    assert "K♠ does not belong to this pack" in ended.err
    ended = table("2S")
    assert phase(saves)["moves"] == ["d=AS,3S,2S"]
    assert "The move completes spades in pile 1; what is complete leaves the table." in ended.out
    assert board(ended)[:2] == ["1: 2S", "2: ## 3S 2S 3S"]
    assert last_prompt(table("u")) == PLAY
    table("m d=AS 3S 2S")
    assert phase(saves)["moves"] == ["d=AS,3S,2S"]


def test_two_cards_that_are_turned_at_once(table: Table, saves: Path) -> None:
    start = ("Completed: S", "1 3S", "1 2S AS", "")
    ended = table(*start, "m 2-1x2", "3S", variant=SMALL)
    assert "The cards turned up on piles 1 and 2?" in ended.out
    assert last_prompt(ended) == "The card turned up on pile 2?"
    ended = table("AS")
    assert phase(saves)["moves"] == ["2-1x2=3S,AS"]
    assert board(ended)[:2] == ["1: 3S", "2: AS"]


def test_a_game_comes_back_at_the_question(table: Table, saves: Path) -> None:
    table(DEAL, "m 7-2 d")
    assert saved(saves)["at"] == {"pass": 1, "phase": 1, "prompt": "shown", "pending": ["7-2", "d"]}
    ended = table("?")
    assert last_prompt(ended) == "The card turned up on pile 7?"
    ended = table("AC", "u")
    assert "Taken back: d" in ended.out
    assert phase(saves)["moves"] == ["7-2=AC"]
    assert last_prompt(table("u")) == PLAY
    assert phase(saves)["moves"] == []


@pytest.mark.parametrize("pending", [[], ["1-2"], ["zz"], [3], [f"d={ROW.replace(' ', ',')}"]])
def test_a_save_with_a_wrong_question_is_broken(table: Table, saves: Path, pending: list[object]) -> None:
    table(DEAL, "m 7-2")
    value = saved(saves)
    value["at"]["pending"] = pending
    (saves / "g.json").write_text(json.dumps(value))
    ended = table("b")
    assert ended.code == 255
    assert "is broken" in ended.err


def test_a_plan_is_followed_up_to_the_next_unknown_card(table: Table, saves: Path) -> None:
    ended = table(DEAL, "a", "d")
    assert "Recommended: plan 1" in ended.out
    planned = phase(saves)["planned"]
    assert last_prompt(ended).startswith("The card")
    ended = table("KS")
    assert "The plan is played; a asks for the next one." in ended.out
    assert phase(saves)["moves"] == [*planned[:-1], f"{planned[-1]}=KS"]
    table("u")
    assert phase(saves)["planned"][-1] == f"{planned[-1]}=KS"


def test_a_known_game_is_won(table: Table, saves: Path) -> None:
    ended = table("1: 0 2S 3S AS", "2: 0 3S AS 2S", "", "a", "d", variant=OPEN)
    assert "Winnable now: 4 moves." in ended.out
    assert "\nWon: " in ended.out
    assert saved(saves)["passes"][0]["result"] == "won"
    assert phase(saves)["completed"] == ["S", "S"]
    assert last_prompt(table("u")) == PLAY


def test_cards_that_are_known_need_not_be_told(table: Table, saves: Path) -> None:
    start = ("1: 1 2S", "2: 1 2S 3S 3S", "")
    ended = table(*start, "m 1-2", variant=OPEN)
    assert phase(saves)["moves"] == ["1-2=AS"]
    assert board(ended)[0] == "1: AS"
    ended = table("u", "a", "d")
    assert "All cards are known, so a search has the last word" in ended.out
    assert saved(saves)["passes"][0]["result"] == "won"


def test_a_lost_game_ends(table: Table, saves: Path) -> None:
    ended = table("1: 0 AS AS 2S", "2: 0 2S 3S 3S", "", "a", "d", variant=OPEN)
    assert "This game cannot be won any more (proved)" in ended.out
    assert saved(saves)["passes"][0]["result"] == "lost"


def test_edits(table: Table, saves: Path) -> None:
    table(DEAL, "m 7-2=AC")
    ended = table("e", "s", "1: 5 KC", "")
    assert ended.code == 0, ended.err
    assert phase(saves)["moves"] == ["7-2=AC"]
    ended = table("e", "n", "7: 3 AD", "")
    assert last_prompt(ended) == PLAY
    assert phase(saves)["moves"][-1].startswith("board:[##########]KC,[##########]3C2C,")
    ended = table("e", "n", "1: 5 KD", "")
    assert ended.code == 255
    assert "KC: seen when the game began, so not face down or in the bank now" in ended.err


def test_exports(table: Table, saves: Path, tmp_path: Path, run: Run) -> None:
    table(DEAL, f"m 7-2=AC 9-4=AS d={ROW}", f"x {tmp_path / 'g.txt'}", f"x {tmp_path / 'g.md'}")
    text = (tmp_path / "g.txt").read_text()
    assert "# 82 cards never came to light and stand in the order of the pack.\n" in text
    assert text.endswith("# Moves: 7-2 9-4 d\n")
    ended = run("verify", "spider", str(tmp_path / "g.txt"), "--moves-file", str(tmp_path / "g.txt"))
    assert "Valid: 3 legal moves" in ended.out
    prose = (tmp_path / "g.md").read_text()
    assert "Move 2♣ from pile 7 onto 3♣ (pile 2); turns A♣ in pile 7." in prose
    assert "Deal a row (4 left): J♠ 9♦ K♦ 4♠ 6♦ 6♣ 8♦ T♥ 7♣ K♥." in prose


# Whatever is answered.

JUNK = (
    "KC KC",
    "1X KD",
    "zz",
    "3: QC",
    "Bank: 3",
    "Completed: X",
    "Deck: KC",
    "-",
    "## 2C",
    "m 9-9",
    "m d=KC",
    "2S 3S",
)


@settings(max_examples=15)
@given(variant=st.sampled_from((SMALL, OPEN, "2-suits+piles=2+ranks=4+runs=4+table=6")), seed=st.integers(0, 2**32))
def test_no_answer_breaks_the_flow(tmp_path_factory: pytest.TempPathFactory, variant: str, seed: int) -> None:
    check_seen_flow(
        un.game("spider", variant),
        seed,
        tmp_path_factory.mktemp("saves"),
        places=("The 2 open", "Pile ", "Bank"),
        junk=JUNK,
        begun=6,
    )


class Person(Console):
    """One who has a real deal on the table, follows every plan, and tells what comes to light."""

    is_person = True

    def __init__(self, state: State) -> None:
        super().__init__(lambda line: None)
        self.state = state
        self._entered = False
        self.session: Session | None = None

    def ask(self, prompt: str) -> str | None:
        assert self.session is not None
        record = self.session.desk.record
        if not self._entered:
            self._entered = True
            return " ".join(str(pile[-1]) for pile in self.state.piles)
        if record.prompt == "shown":
            return self._show(record.pending[0])
        if record.prompt == "end":
            return None
        if record.phase.planned:
            return "d"
        if record.phase.plan_ends is not None and not record.phase.followed:
            return None  # no plan was found
        return "a"

    def _show(self, token: str) -> str:
        """The cards that are asked for, by the deal as it is."""
        desk = self.session.desk if self.session else None
        assert desk is not None
        move = desk.game.parse_move(token.partition("=")[0])
        state = self._real(desk.record.phase.moves)
        told = token.count(",") + 1 if "=" in token else 0
        row = state.bank[: len(state.piles)] if isinstance(move, Row) else ()
        if row and not told:
            return " ".join(map(str, row))
        after = state.play(move)
        turned = [pile[now] for pile, then, now in zip(state.piles, state.down, after.down, strict=True) if now < then]
        return " ".join(map(str, turned[told - len(row) :]))

    def _real(self, tokens: list[str]) -> State:
        state = self.state
        for token in tokens:
            state = state.play(un.game("spider").parse_move(token.partition("=")[0]))
        return state


@pytest.mark.parametrize(
    "variant", ["1-suit+piles=5+ranks=6+runs=5+table=15", "2-suits-strict+piles=4+ranks=5+runs=4+table=8"]
)
def test_whole_games_beside_a_real_table(tmp_path: Path, variant: str) -> None:
    """The table of the flow is what one sees of the deal, and the end of the game is its end."""
    game = un.game("spider", variant)
    results = []
    for seed in range(6):
        person = Person(game.deal(seed))
        adviser = adviser_of(game)
        adviser.effort = {"samples": 4}
        session = Session(adviser, new_record(f"g{seed}"), Saves(tmp_path, "spider"), person)
        person.session = session
        session.begin()
        session.run()
        record = session.desk.record
        assert session.desk.state == person._real(record.phase.moves).view()
        results.append(record.last.result)
    assert "won" in results
