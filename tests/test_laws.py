"""The laws catch what they are for: games that are broken on purpose, each by the law that says what is wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import unshuffle as un
from tests.laws import ROOT, native_games
from unshuffle import registry
from unshuffle.laws import LAWS, check_game, check_law
from unshuffle.manifest import Manifest

# Mutants have the ids of the games that they are made of.
pytestmark = [
    pytest.mark.one_engine("checks what surrounds the engine, not its answers"),
    pytest.mark.usefixtures("own_registry"),
]

GOLF = (ROOT / "examples" / "golf.py").read_text(encoding="utf-8")
LADDER = (ROOT / "tests" / "ladder.py").read_text(encoding="utf-8")
NAMED = {law.name: law for law in LAWS}


class Mutant(NamedTuple):
    """A game with a fault."""

    law: str
    """The first law that it breaks."""
    says: str
    """A part of what is said of it."""
    changes: dict[str, str]
    source: str = GOLF


KEY = "Hooks(key=lambda state: (state.columns, state.waste[-1:], state.stock))"
MUTANTS = {
    "a card is lost": Mutant(
        "cards",
        "lies nowhere",
        {"columns=tuple(columns), waste=(*self.waste, move.card)": "columns=tuple(columns), waste=(move.card,)"},
    ),
    "an illegal move is accepted": Mutant(
        "legal-moves",
        "which `legal_moves` does not list",
        {"if move not in self.legal_moves():": "if move.card is None and not self.stock:"},
    ),
    "a legal move is refused": Mutant(
        "legal-moves",
        ", which `legal_moves` lists: it is no neighbour of the waste, or not free",
        {"if move not in self.legal_moves():": "if move not in self.legal_moves() or len(self.stock) == 9:"},
    ),
    "an error of another class": Mutant(
        "legal-moves",
        "KeyError",
        {"raise IllegalMoveError(move.token, str(self), ": "raise KeyError(move.token, str(self), "},
    ),
    "the score is wrong": Mutant(
        "endings",
        "the score is 36; it may be 0..35",
        {"return 35 - sum": "return 71 - sum"},
    ),
    "it is never stuck": Mutant(
        "endings",
        "the outcome is None, but no move is left",
        {"None if self.legal_moves() else Outcome.STUCK": "None"},
    ),
    "the deal is forgotten": Mutant(
        "values",
        "changes the id of the deal",
        {"stock=self.stock[1:])": "stock=self.stock[1:], id=None)"},
    ),
    "a token is ambiguous": Mutant(
        "tokens", "'d' is the token of two legal moves", {"else str(self.card)": 'else "d"'}
    ),
    "a token is read as another move": Mutant(
        "tokens", "as another move", {"Card.parse(token))": "Card.parse(token).next_up)"}
    ),
    "a faulty token ends the program": Mutant(
        "faults",
        "KeyError: ''",
        {"Card.parse(token))": "{str(c): c for c in self.pack}[token.upper()])"},
    ),
    "the way back is another": Mutant(
        "layouts",
        "as another one",
        {'board.told("waste")[0], board.told("stock")[0]': 'board.told("stock")[0], board.told("waste")[0]'},
    ),
    "the view shows all": Mutant(
        "masks", "that the board says nobody knows", {"see(self, board(self))": "OpenView(self)"}, LADDER
    ),
    "the view samples what cannot be": Mutant(
        "views",
        "another view",
        {
            "see(self, board(self))": "Peep(self)",
            "@cache\n": "@dataclass(frozen=True)\nclass Peep:\n"
            "    table: State\n    def sample(self, rng: Any) -> Any:\n"
            "        return replace(self.table, stock=self.table.stock[::-1])\n\n@cache\n",
        },
        LADDER,
    ),
    "a board keeps a card back": Mutant(
        "cards", "lies nowhere", {'"cells": table.cells': '"cells": ((), table.cells[1])'}, LADDER
    ),
    "a bound is too low": Mutant("hooks", "with `bound`", {KEY: "Hooks(bound=lambda state: state.score + 1)"}),
    "a key makes two positions one": Mutant("hooks", "with `key`", {KEY: "Hooks(key=lambda state: state.stock)"}),
    "a forced move is none": Mutant(
        "hooks",
        "with `forced`",
        {KEY: "Hooks(forced=lambda state: next(iter(state.legal_moves()[::-1]), None))"},
    ),
    "it is not the stricter game": Mutant(
        "stricter-lines",
        "cannot be played in golf/plain",
        {
            '"""Golf has no choices here; each choice would be a field."""': "step: int = 1",
            "abs(card.rank - self.waste[-1].rank) == 1": "abs(card.rank - self.waste[-1].rank) <= self.rules.step",
            '{"plain": Rules()}': '{"two": Rules(2), "plain": Rules()}',
            "    def hooks(self)": "    def is_stricter(self, other: Golf) -> bool:\n"
            "        return bool(self.rules.step > other.rules.step)\n\n    def hooks(self)",
        },
    ),
}


def load(folder: Path, mutant: Mutant) -> un.Game[Any, Any]:
    text = mutant.source
    for old, new in mutant.changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = folder / "mutant.py"
    path.write_text(text, encoding="utf-8")
    [game] = un.load(path)
    return game


@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_game_is_caught_by_the_law_that_it_breaks(name: str, tmp_path: Path) -> None:
    mutant = MUTANTS[name]
    game = load(tmp_path, mutant)
    broken = [found for found in check_game(game, range(4)) if found.verdict == "broken"]
    assert broken, name
    first, *_ = broken
    assert first.law.name == mutant.law, [(found.law.name, found.fault) for found in broken]
    assert mutant.says in first.fault
    assert first.is_late == (first.law.name == "hooks")
    assert first.position


@pytest.mark.parametrize("source", [GOLF, LADDER], ids=["golf", "ladder"])
def test_a_game_that_is_not_broken_keeps_all_laws(source: str, tmp_path: Path) -> None:
    found = list(check_game(load(tmp_path, Mutant("", "", {}, source)), range(2)))
    assert {each.verdict for each in found} == {"holds", "not-tried"}, found
    assert all(each.deals == 2 for each in found if each.verdict == "holds")


def test_an_engine_that_plays_another_game_is_caught() -> None:
    class Odd(type(un.game("agnes"))):  # type: ignore[misc] # the class is found at run time
        id = "odd"
        has = Manifest(engine="agnes")

        def start(self, deck: Any) -> Any:
            return super().start(deck[::-1])

    game = registry._registered["odd"] = Odd()
    if "agnes" not in {native.id for native in native_games()}:
        assert check_law(game, NAMED["engine-deals"], range(1)).verdict == "not-tried"
    else:
        found = check_law(game, NAMED["engine-deals"], range(1))
        assert (found.verdict, found.fault) == ("broken", "the engine deals other cards as deck 1")


ENDLESS = Mutant("", "", {"        last = [": "        while not self.stock:\n            pass\n        last = ["})


def test_a_game_without_an_end_ends_with_the_time_limit(tmp_path: Path) -> None:
    game = load(tmp_path, ENDLESS)
    found = check_law(game, NAMED["cards"], range(50), seconds=0.2)
    assert (found.verdict, found.fault) == ("time-limit", "0.2 s are over")
    assert found.deals < 50
    assert found.deal == f"golf/plain@{found.deals}"


def test_what_is_too_large_to_be_searched_is_told(tmp_path: Path) -> None:
    game = load(tmp_path, Mutant("", "", {}))
    found = check_law(game, NAMED["hooks"], range(2), nodes=5)
    assert (found.verdict, found.deals) == ("node-limit", 2)
    assert found.fault.endswith("late positions have more than 5 positions")


def test_the_guide_names_every_law() -> None:
    page = (ROOT / "docs" / "howto" / "add-a-game.md").read_text(encoding="utf-8")
    assert len(NAMED) == len(LAWS)
    for law in LAWS:
        assert law.says
        assert re.search(rf"(?<![\w-]){law.name}(?![\w-])", page), law.name
