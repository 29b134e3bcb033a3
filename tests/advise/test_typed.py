"""Typing a table of any game, by no more than where its cards lie; and an adviser that only plans."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unshuffle as un
from tests.advise.watched import check_export, check_seen_flow
from tests.ladder import Ladder
from unshuffle import registry
from unshuffle.advise import adviser_of
from unshuffle.advise.adviser import Advice, Adviser
from unshuffle.advise.console import Pipe
from unshuffle.advise.parts import Draft, Origin, Setting
from unshuffle.advise.saves import Saves, new_record
from unshuffle.advise.seen import ToldCards
from unshuffle.advise.session import Session
from unshuffle.advise.typed import TypedPlaces
from unshuffle.errors import RefusedError
from unshuffle.manifest import Manifest
from unshuffle.registry import games_with

ROOT = Path(__file__).parent.parent.parent
ENTRY = Setting()


class FirstMove(Adviser):
    """The first move is as good as any."""

    told_by = ToldCards

    def advise(self, view: Any) -> Advice:
        moves = getattr(view, "table", view).legal_moves()[:1]
        return Advice(moves, "next" if moves else "lost", None, ("One move is as good as another.",), "", (), {})

    def foresee(self, view: Any, moves: Any) -> un.Line:
        return un.Line((view,), tuple(moves))


class Advised(Ladder):
    id = "ladder"
    has: ClassVar[Manifest] = Manifest(adviser=f"{__name__}:FirstMove")  # type: ignore[misc]


@pytest.fixture(autouse=True)
def is_known(own_registry: dict[str, Any]) -> None:
    """The games are there in these tests, and in no others."""
    registry.register(Advised)
    un.load(ROOT / "examples" / "golf.py")


def seen(state: Any) -> Any:
    view = state.view()
    return view if hasattr(view, "view") else state


def later(game: un.Game[Any, Any], seed: int) -> Any:
    """A table that random play leads to."""
    rng = Random(seed)
    state = game.deal(seed)
    for _ in range(rng.randrange(40)):
        moves = state.legal_moves()
        if not moves or state.outcome is not None:
            break
        state = state.play(rng.choice(moves))
    return state


def typed(game: un.Game[Any, Any], *answers: str, setting: Setting = ENTRY) -> tuple[TypedPlaces, Draft]:
    entry = TypedPlaces(game)
    draft = entry.blank(setting)
    for answer in answers:
        draft, _ = entry.enter(draft, answer, setting, is_edit=False)
    return entry, draft


# Any game.


def every_game() -> list[str]:
    return [*games_with("adviser"), "ladder", "ladder/open", "golf"]


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32))
@pytest.mark.parametrize("name", every_game())
def test_the_text_of_a_table_is_typed_as_it_is_read(name: str, seed: int) -> None:
    """Law: who types what lies there, line by line, has typed that table; and the draft of it is what was typed."""
    game_id, _, variant = name.partition("/")
    game = un.game(game_id, variant or None)
    entry = TypedPlaces(game) if game_id in ("ladder", "golf") else adviser_of(game).typed
    table = seen(later(game, seed))
    # In a new deal a single card lies on as many as are dealt under it.
    setting = Setting(Origin.NOW, table) if game.hides_cards else ENTRY
    draft = entry.blank(ENTRY)
    lines = [line for line in str(table).splitlines() if not line.startswith(("Id:", "Redeal "))]
    for line in [" / ".join(lines[:-1]), lines[-1]] if len(lines) > 1 else lines:
        draft, _ = entry.enter(draft, line, setting, is_edit=False)
    draft = entry.tidy(draft)
    assert entry.faults(draft, setting) == []
    assert str(entry.lay_out(draft, setting)).splitlines() == lines
    told = entry.draft_of(table)
    assert entry.faults(entry.tidy(told), Setting(Origin.NOW, table)) == []
    assert told.cells == draft.cells


# One game, which hides cards and says nothing of how it is typed.


def test_a_new_deal_is_typed_in_one_answer_and_the_rest_is_counted() -> None:
    game = un.game("ladder")
    state = game.deal(7)
    entry, draft = typed(game, " ".join(str(pile[-1]) for pile in state.piles))
    assert entry.is_complete(draft, ENTRY)
    assert entry.lay_out(entry.tidy(draft), ENTRY) == state.view()
    assert entry.rows(draft, for_person=False) == str(state.view()).splitlines()[:2] + [
        f" {number}: [## ##] {pile[-1]}" for number, pile in enumerate(state.piles, 1)
    ] + ["Stock: 40"]


def test_what_is_asked_for() -> None:
    entry = TypedPlaces(un.game("ladder"))
    draft, asked = entry.blank(ENTRY), []
    for answer in ("2 9H 8H", "5C", "-", "0 7D", "- - AH -", "KS -", "40"):
        asked.append(entry.next_place(draft, ENTRY))
        draft, _ = entry.enter(draft, answer, ENTRY, is_edit=False)
    assert asked == [
        "the 4 open cards of a new deal, or pile 1",
        "pile 2 (- if it is empty)",
        "pile 3 (- if it is empty)",
        "pile 4 (- if it is empty)",
        "foundations (C D H S, - for none)",
        "cells (- for none)",
        "stock (blank: 42 cards)",
    ]
    assert draft.cells == ("[## ##] 9H 8H", "[## ##] 5C", "-", "7D")
    assert entry.is_complete(draft, ENTRY)
    assert entry.edit_prompt == "Pile and cards (3: 2 9H 8H), blank to end?"


def test_what_is_not_typed_follows() -> None:
    entry, draft = typed(un.game("ladder"), "1: 2 9H / 2: 2 8H / 3: 2 7H / 4: 2 6H")
    whole = entry.tidy(draft)
    assert whole.labels == {"foundations": "- - - -", "stock": "40"}
    assert entry.lay_out(whole, ENTRY).score == 0


def test_faults_have_their_places() -> None:
    entry, draft = typed(un.game("ladder"), "9H", "8H zz", "9H", "1X 7D", "- - - -", "9H -", "40")
    assert entry.faults(draft, ENTRY, early=True) == [
        "pile 1: '9H' is on the table twice (first in the cells)",
        "pile 2: 'zz' is not a card; expected a rank A 2-9 T J Q K, then a suit C D H S",
        "pile 3: '9H' is on the table twice (first in the cells)",
        "pile 4: '1X' is not a card; expected a rank A 2-9 T J Q K, then a suit C D H S",
    ]
    assert entry.rows(draft, for_person=False)[2:5] == [" 1: [## ##] 9H!", " 2: 8H 'zz'", " 3: [## ##] 9H!"]
    assert "Cells: 9♥! -" in entry.rows(draft, for_person=True)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("5: KC", "pile 5: the piles are 1..4"),
        ("zz", "'zz' is not a card"),
        ("# 9H", "that is a comment"),
        ("99 KC", "99 cards face down: no pile has so many"),
        ("Waste: KC", "'waste:' has no place here; expected Foundations:, Cells:, Stock:, Deck: or cards"),
        ("Redeal 1: KC", "'redeal 1:' has no place here"),
        ("Deck: KC KC", "'KC' is in the deck twice"),
    ],
)
def test_refusals(answer: str, message: str) -> None:
    with pytest.raises(RefusedError, match="^" + message.replace("(", r"\(")):
        typed(un.game("ladder"), answer)


def test_a_whole_deck_is_dealt_and_stays_hidden() -> None:
    game = un.game("ladder")
    state = game.deal(3)
    deck = [card for pile in state.piles for card in pile] + list(state.stock)
    entry, draft = typed(game, f"Deck: {' '.join(map(str, deck))}")
    assert entry.lay_out(draft, ENTRY) == state.view()
    assert str(state.stock[0]) not in str(draft)


def test_cards_that_were_seen_are_not_hidden_again() -> None:
    game = un.game("ladder")
    begun = game.deal(5).view()
    now = Setting(Origin.NOW, begun)
    entry = TypedPlaces(game)
    other = game.deal(6).view()
    faults = entry.faults(entry.draft_of(other), now)
    assert any("seen when the game began, so not face down or in the stock now" in fault for fault in faults)
    assert entry.faults(entry.draft_of(begun), now) == []


def test_cells_and_stocks_that_lie_open() -> None:
    """Golf shows its stock: it is typed, and nothing is counted for it."""
    game = un.game("golf")
    entry, draft = typed(game, *(["KS"] * 2), "-", "-", "-", "-", "-")
    assert entry.next_place(draft, ENTRY) == "waste (- for none)"
    draft, _ = entry.enter(draft, "KS QH", ENTRY, is_edit=False)
    assert entry.next_place(draft, ENTRY) == "stock, the next card first (- for none)"
    assert not entry.is_complete(draft, ENTRY)
    assert "stocks are counted" not in entry.help(ENTRY)


def test_a_game_without_places_says_that_no_table_can_be_typed(tmp_path: Path) -> None:
    from tests.stairs import Stairs

    adviser = FirstMove(Stairs("stairs-3", 3))
    session = Session(adviser, new_record("g"), Saves(tmp_path, "stairs-3"), Pipe())
    with pytest.raises(un.UsageError, match=r"^no table of stairs-3 can be typed: it declares no piles"):
        session.begin()
    assert list(tmp_path.iterdir()) == []


# The flow.


@settings(max_examples=8)
@given(variant=st.sampled_from(("plain", "open")), seed=st.integers(0, 2**32))
def test_no_answer_breaks_the_flow(tmp_path_factory: pytest.TempPathFactory, variant: str, seed: int) -> None:
    check_seen_flow(
        un.game("ladder", variant),
        seed,
        tmp_path_factory.mktemp("saves"),
        places=("The 4 open", "Pile ", "Found", "Cells", "Stock"),
        junk=("KC KC", "1X KD", "zz", "3: QC", "Stock: 3", "Cells: 9C", "Deck: KC", "-", "## 2C", "m 9-9", "m d=KC"),
        begun=60,
    )


def test_a_game_in_which_all_cards_come_to_light_goes_on(tmp_path: Path) -> None:
    """What was wrong: once nothing is hidden, the table is no view any more."""

    class Answers(Pipe):
        def ask(self, prompt: str) -> str | None:
            return next(answers, None)

    said: list[str] = []
    dealt = [f"d={rank}{suit}" for suit in "CDHS" for rank in "A23456789TJQK"][:-2]
    answers = iter(["KS", "", f"m {' '.join(dealt)}", "m d", "m 1-c1", "a", "d"])
    adviser = adviser_of(un.game("ladder", "open", piles=1))
    session = Session(adviser, new_record("g"), Saves(tmp_path, "ladder"), Answers(said.append))
    session.run()
    moves = session.desk.record.phase.moves
    # The last card need not be told.
    assert moves[-4:] == ["d=JS", "d=QS", "1-c1", "1-c2"]
    assert "Cells: QS JS" in said
    assert Saves(tmp_path, "ladder").read("g")[1] == session.desk.record
    check_export(session.desk, tmp_path.parent / "g.txt")


def test_a_save_of_a_game_without_redeals_has_one_phase(tmp_path: Path) -> None:
    """What was wrong: such a file was opened, and then ended the program."""
    saves = Saves(tmp_path, "ladder")
    saves.write(adviser_of(un.game("ladder")), new_record("g"))
    value = json.loads((tmp_path / "g.json").read_text())
    value["passes"][0]["phases"] *= 2
    value["at"] = {"pass": 1, "phase": 2, "prompt": "redeal"}
    (tmp_path / "h.json").write_text(json.dumps(value))
    with pytest.raises(un.ParseError, match="there are 2 'phases' in a game without redeals"):
        saves.read("h")
