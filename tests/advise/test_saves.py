"""Save files: the very prompt again, nothing lost, nothing overwritten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.advise.table import EDIT, END, GAME, PLAY, TEN_CLUBS, WHICH, Sit, last_prompt, saved, seat
from tests.cli.conftest import Run
from unshuffle.rulebook import write_rules

pytestmark = pytest.mark.one_engine("checks the conversation, not the advice")

STAGES: list[tuple[tuple[str, ...], str]] = [
    ((), "Fan 1?"),
    (("QC JC KC",), "Fan 2?"),
    (("Deal: 2", "QC JC", "3: KC"), "Fan 2?"),
    (("QC JC", "KC KC", ""), EDIT),
    (TEN_CLUBS, PLAY),
    ((*TEN_CLUBS, "a"), PLAY),
    ((*TEN_CLUBS, "e"), WHICH),
    ((*TEN_CLUBS, "e", "s"), EDIT),
    ((*TEN_CLUBS, "e", "n", "1: KC"), EDIT),
    ((*TEN_CLUBS, "r"), "Redeal 1, fan 1?"),
    ((*TEN_CLUBS, "r", "KC JC QC"), "Redeal 1, fan 2?"),
    ((*TEN_CLUBS, "r", "KC JC QC", "QC"), EDIT),
    (("KC QC JC", "", "m JC^ QC^ KC^"), END),
]


@pytest.mark.parametrize(("answers", "prompt"), STAGES, ids=[" ".join(answers) for answers, _ in STAGES])
def test_a_game_comes_back_at_the_very_prompt(sit: Sit, saves: Path, answers: tuple[str, ...], prompt: str) -> None:
    ended = sit(*answers, *(["Z"] if len(answers) % 2 else []))  # the end of the input is as good
    assert ended.code == 0, ended.err
    assert last_prompt(ended) == prompt
    assert ended.out.endswith(f"{prompt}\nSaved. To go on: unshuffle advise belle-lucie --id g --saves {saves}\n")
    before = saved(saves)
    again = sit("?", "z", variant=None)
    assert again.code == 0, again.err
    assert again.out.startswith("Game g of belle-lucie/classic: ")
    assert next(line for line in again.out.splitlines() if line.endswith("?")) == prompt
    assert "z saves and exits" in again.out
    assert saved(saves) == before


def test_answers_in_one_run_or_in_many_come_to_the_same(sit: Sit, saves: Path) -> None:
    answers = ("QC JC KC", "u", "QC JC KC", "TC", "", "a", "r", "KC JC", "1: KC JC TC", "QC", "a", "d", "u", "z")
    sit(*answers, name="one")
    sit(name="many")
    for answer in answers:
        sit(answer, name="many")
    one, many = (saved(saves, name) for name in ("one", "many"))
    assert one["passes"] == many["passes"]
    assert one["at"] == many["at"]


def test_the_menu(sit: Sit, saves: Path) -> None:
    ended = sit("?", "n", "?", "my-game", "KC QC", "z", name=None)
    assert ended.code == 0, ended.err
    assert ended.out.splitlines()[0] == "[N]ew, [O]pen, [E]dit, [Q]uit?"
    assert "Game id (blank: a new one)?" in ended.out.splitlines()
    assert saved(saves, "my-game")["id"] == "my-game"
    ended = sit("n", "", "z", name=None)
    assert ended.code == 0
    (made,) = {path.stem for path in saves.glob("*.json")} - {"my-game"}
    assert len(made) == 8
    assert int(made, 16) >= 0
    names = sorted([made, "my-game"])
    ended = sit("o", "", "o", str(1 + names.index("my-game")), "z", name=None)
    assert ended.code == 0, ended.err
    assert "  my-game  classic  deal 1  being entered" in ended.out
    assert "Game my-game of belle-lucie/classic: deal 1, being entered.\n[ 1] KC QC\nFan 2?\n" in ended.out
    assert "Game my-game" in sit("O", "my-game", name=None).out
    for way in ("q", "Z", "quit", "n", "o"):
        assert sit(way, name=None).code == 0


def test_edit_from_the_menu(sit: Sit) -> None:
    sit(*TEN_CLUBS)
    assert last_prompt(sit("e", "g", name=None)) == WHICH
    assert last_prompt(sit("KC", name="h")) == "Fan 2?"
    assert last_prompt(sit("e", "h", name=None)) == "Fan 2?"


@pytest.mark.parametrize("name", ["a b", "../x", "ä", "a.b", "x" * 65])
def test_ids_that_cannot_be(sit: Sit, saves: Path, name: str) -> None:
    ended = sit("n", name, name=None)
    assert ended.code == 255
    assert "is not a game id; expected up to 64 letters, digits, '-' and '_'" in ended.err
    assert sit(name=name).code == 2
    assert not saves.exists()


def test_a_used_id_is_refused_and_a_missing_one(sit: Sit) -> None:
    sit("KC")
    assert "there is a game 'g' already" in sit("n", "g", name=None).err
    assert "there is no game 'h'" in sit("o", "h", name=None).err
    assert sit(name="z").code == 2


def test_no_games_to_open(sit: Sit, saves: Path) -> None:
    ended = sit("o", name=None)
    assert (ended.code, ended.err) == (255, f"Error: no game is saved in {str(saves)[:39] + '…'!r}\n")


def test_the_rules_travel_in_the_save(run: Run, saves: Path, sit: Sit) -> None:
    seat(run, saves, "--rule", "merci=front", "--rule", "fan_size=4")("KC", "z")
    rules = saved(saves)["rules"]
    assert rules.pop("variant") == "classic+merci=front+fan_size=4"
    assert (rules["redeals"], rules["merci"], rules["fan_size"], rules["may_hold_back"]) == (2, "front", 4, True)
    assert sit(variant=None).out.startswith("Game g of belle-lucie/classic+merci=front+fan_size=4: ")
    ended = sit(variant="merci")
    assert ended.code == 2
    assert "leave --variant and --rule out" in ended.err


def test_the_fields_decide_not_the_name_of_the_variant(sit: Sit, saves: Path) -> None:
    sit("KC QC", "")
    value = saved(saves)
    value["rules"]["variant"] = "long-gone"
    (saves / "g.json").write_text(json.dumps(value))
    assert sit(variant=None).out.startswith("Game g of belle-lucie/classic: ")


def test_the_folder_by_the_environment(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNSHUFFLE_SAVES", str(tmp_path / "mine"))
    assert run("advise", GAME, "--id", "g", stdin="KC\n").code == 0
    assert (tmp_path / "mine" / "g.json").exists()
    monkeypatch.delenv("UNSHUFFLE_SAVES")
    monkeypatch.chdir(tmp_path)
    assert run("advise", GAME, "--id", "g", stdin="KC\n").code == 0
    assert (tmp_path / "saves" / "g.json").exists()


def test_a_save_with_only_what_the_format_asks_for(sit: Sit, saves: Path) -> None:
    saves.mkdir()
    value = {
        "format": "unshuffle-belle-lucie",
        "version": 1,
        "id": "g",
        "created": "2024-01-01T00:00:00+00:00",
        "updated": "2024-01-01T00:00:00+00:00",
        "rules": {"variant": "classic", "redeals": 2},
        "passes": [
            {
                "phases": [
                    {"layout": ["QC JC KC", "TC"], "moves": ["TC^"], "planned": [], "end": None, "heights": None}
                ],
                "result": None,
            }
        ],
        "at": {"pass": 1, "phase": 1, "prompt": "play"},
    }
    (saves / "g.json").write_text(json.dumps(value))
    ended = sit("z", variant=None)
    assert ended.code == 0, ended.err
    assert "Foundations: TC KD KH KS\nQC JC KC\n" in ended.out


def test_every_field_of_the_rules_is_saved(sit: Sit, saves: Path) -> None:
    from unshuffle.games.belle_lucie import Rules

    sit("KC")
    assert list(saved(saves)["rules"]) == ["variant", *write_rules(Rules())]
