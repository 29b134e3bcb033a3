"""`unshuffle check-game`: which laws a game keeps, and where it breaks one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run, run
from tests.laws import ROOT
from unshuffle.laws import LAWS

# Golf is known by its file alone.
pytestmark = [
    pytest.mark.one_engine("checks the command line, not the answers"),
    pytest.mark.usefixtures("own_registry"),
]

__all__ = ["run"]  # the fixture

GOLF = ROOT / "examples" / "golf.py"


@pytest.fixture
def lossy(tmp_path: Path) -> Path:
    """A golf that loses a card: the one that a move covers."""
    text = GOLF.read_text(encoding="utf-8")
    old = "columns=tuple(columns), waste=(*self.waste, move.card)"
    assert old in text
    path = tmp_path / "lossy.py"
    path.write_text(text.replace(old, "columns=tuple(columns), waste=(move.card,)"), encoding="utf-8")
    return path


def test_a_game_that_keeps_all_laws(run: Run) -> None:
    ended = run("check-game", GOLF, "--seeds", "0..1", "--law", "cards", "--law", "boards", "--law", "stricter-lines")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (
        "golf/plain, deals 0..1\n"
        "holds  cards           No move loses a card or doubles one\n"
        "holds  boards          `state_of` undoes `board`, and a board has the areas, marks and cards that `places`"
        " declares\n"
        "2 of 2 laws hold; 1 of no concern to it\n"
    )


def test_a_broken_law_is_told_with_the_position(run: Run, lossy: Path) -> None:
    ended = run("check-game", lossy, "--law", "cards", "--seeds", "7..9")
    assert ended.code == 1
    assert ended.out == (
        "golf/plain, deals 7..9\n"
        "FAILS  cards           No move loses a card or doubles one\n"
        "  6C 7D 5H KH AS lies nowhere\n"
        "  golf/plain@7, after d d d d 6H\n"
        "    4D 6D TC 9S 9C\n    5C 4S 2H 3C JD\n    JH 7H 7C QH\n    3S 9D 4C 2D 3D\n    4H 2C 7S 8D 3H\n"
        "    TH KD 2S 6S 8H\n    KS JS TS AC AH\n    Waste: 6H\n"
        "    Stock: 9H 5S QS AD KC TD 8C JC 5D 8S QD QC\n"
        "0 of 1 law hold; 1 broken\n"
    )


def test_json_tells_the_same_of_every_law(run: Run, lossy: Path) -> None:
    ended = run("check-game", lossy, "--seeds", "0..1", "--json")
    assert ended.code == 1
    assert [each["law"] for each in ended.objects] == [law.name for law in LAWS]
    told = {each["law"]: each for each in ended.objects}
    cards = told["cards"]
    assert (cards["verdict"], cards["game"], cards["variant"]) == ("broken", "golf", "plain")
    assert cards["deal"].startswith("golf/plain@")
    assert cards["moves"]
    assert "Waste:" in cards["position"]
    assert "lies nowhere" in cards["fault"]
    assert told["legal-moves"] == told["legal-moves"] | {"verdict": "holds", "deals": 2, "position": None, "moves": []}
    assert told["stricter-lines"]["verdict"] == "not-tried"


def test_a_limit_is_neither_a_yes_nor_a_no(run: Run) -> None:
    slow = run("check-game", GOLF, "--law", "cards", "--seconds", "0.05", "--seeds", "0..99999")
    assert slow.code == 3
    assert "limit  cards" in slow.out
    assert "\n  0.05 s are over\n  golf/plain@" in slow.out
    assert "0 of 1 law hold; 1 not tried to the end\n" in slow.out
    large = run("check-game", GOLF, "--law", "hooks", "--nodes", "3", "--seeds", "0..0")
    assert large.code == 3
    assert "late positions have more than 3 positions" in large.out


def test_every_variant_is_tried_or_the_one_that_is_asked_for(run: Run) -> None:
    every = run("check-game", "belle-lucie", "--law", "cards", "--seeds", "0..0", "--json")
    assert [each["variant"] for each in every.objects][:3] == ["one-deal", "classic", "merci"]
    one = run("check-game", "belle-lucie", "--rule", "fan_size=4", "--law", "cards", "--seeds", "0..0", "--json")
    assert [each["variant"] for each in one.objects] == ["one-deal+fan_size=4"]


def test_a_file_may_bring_several_games(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "two.py"
    path.write_text(GOLF.read_text(encoding="utf-8") + '\n\nclass Short(Golf):\n    id = "short"\n', encoding="utf-8")
    both = run("check-game", path, "--law", "cards", "--seeds", "0..0", "--json")
    assert [each["game"] for each in both.objects] == ["golf", "short"]
    one = run("check-game", path, "--game", "short", "--law", "travels", "--seeds", "0..0", "--json")
    assert [(each["game"], each["fault"]) for each in one.objects] == [("short", "its states belong to golf/plain")]
    wrong = run("check-game", path, "--game", "shirt")
    assert (wrong.code, "did you mean 'short'?" in wrong.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["check-game", "belle-luci"], 2, "did you mean 'belle-lucie'?"),
        (["check-game", "gaps", "--law", "card"], 2, "did you mean 'cards'?"),
        (["check-game", "gaps", "--game", "spider"], 2, "--game 'spider' goes with a FILE, and gaps is a game"),
        (["check-game", "gaps", "--seeds", "7"], 2, "'7' is not a range of deals"),
        (["check-game", "gaps", "--variant", "montanna"], 2, "did you mean 'montana'?"),
        (["check-game", "nowhere.py"], 255, "there is no such file"),
        (["check-game", str(ROOT / "README.md")], 255, "a Python file ends in .py"),
    ],
)
def test_what_cannot_be_asked_is_told(run: Run, words: list[str], code: int, says: str) -> None:
    ended = run(*words)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1 / 0\n", "ZeroDivisionError"),
        ("x = 1\n", "it brings neither a game"),
        ("from unshuffle.simulate import Policy, register_policy\nregister_policy(Policy)\n", "cannot load"),
    ],
)
def test_a_file_that_cannot_be_read(run: Run, tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(text, encoding="utf-8")
    ended = run("check-game", path)
    assert (ended.code, ended.out) == (255, "")
    assert says in ended.err
