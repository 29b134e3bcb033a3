"""`unshuffle solve`: what it prints."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from tests.cli.program import LOST, WON
from unshuffle.cards import format_cards
from unshuffle.solve import Status

pytestmark = pytest.mark.both_engines

KEYS = ["game", "variant", "deal", "status", "score", "score_proved", "moves", "nodes", "seconds", "stats"]
ENDGAME = "KC QC\nKD\n"


def test_json_has_exactly_its_keys_and_nothing_else_is_on_stdout(run: Run) -> None:
    ended = run("solve", "belle-lucie", "--seeds", "0..5", "--json")
    assert ended.err == ""
    assert [found["deal"] for found in ended.objects] == [f"belle-lucie/one-deal@{seed}" for seed in range(6)]
    for found in ended.objects:
        assert list(found) == KEYS
        assert found["stats"]["nodes"] == found["nodes"]
        assert found["stats"]["seconds"] == found["seconds"]


def test_one_deal_and_many_say_the_same(run: Run) -> None:
    for many in run("solve", "belle-lucie", "--seeds", "2..4", "--json", "--threads", "1").objects:
        (one,) = run("solve", "belle-lucie", "--seed", many["deal"].partition("@")[2], "--json").objects
        assert [one[key] for key in KEYS[:8]] == [many[key] for key in KEYS[:8]]


@pytest.mark.one_engine("checks the command line, not the answers")
def test_csv_is_the_same_without_the_moves(run: Run) -> None:
    ended = run("solve", "belle-lucie", "--seeds", "0..5", "--csv")
    rows = list(csv.DictReader(io.StringIO(ended.out)))
    objects = run("solve", "belle-lucie", "--seeds", "0..5", "--json").objects
    assert list(rows[0])[:8] == [key for key in KEYS if key not in ("moves", "stats")]
    assert set(rows[0]) == (set(KEYS) - {"moves", "stats"}) | set(objects[0]["stats"])
    for row, found in zip(rows, objects, strict=True):
        assert (row["deal"], row["status"], row["score"]) == (found["deal"], found["status"], str(found["score"]))
        assert row["score_proved"] == str(found["score_proved"]).lower()
        assert row["nodes"] == str(found["nodes"])


def test_a_win_in_words(run: Run) -> None:
    ended = run("solve", "belle-lucie", "--seed", WON)
    lines = ended.out.splitlines()
    assert lines[0] == f"belle-lucie/one-deal@{WON}"
    assert lines[2].startswith("[ 1] ")
    moves = [line for line in lines if line.lstrip()[:1].isdigit()]
    assert any("Foundation move  " in line for line in moves)
    columns = {line.index(kind) for line in moves for kind in ("Foundation", "Safe", "Blocking") if kind in line}
    assert len(columns) == 1, "classes stand in one column"
    assert f"After {len(moves)} moves:" in lines
    assert "Foundations: K♣  K♦  K♥  K♠" in lines
    assert any(line.startswith("Score: 52 of 52") and "proved" in line for line in lines)
    assert any(line.startswith("Search: ") and "engine" in line for line in lines)
    assert lines[-1] == f"Verdict: this deal can be won, in {len(moves)} moves (open: all cards known)"
    assert "\x1b" not in ended.out


def test_a_loss_is_proved_and_a_limit_is_not_a_no(run: Run) -> None:
    lost = run("solve", "belle-lucie", "--seed", LOST).out
    assert "proved: no line of play does better" in lost
    assert "Verdict: this deal cannot be won" in lost
    undecided = run("solve", "belle-lucie", "--seed", "7", "--nodes", "1").out
    assert "not proved to be the best" in undecided
    assert "Verdict: undecided: the node limit" in undecided


def test_explain_says_more_or_less(run: Run) -> None:
    none, short, full = (
        run("solve", "belle-lucie", "--seed", LOST, "--explain", how).out for how in ("none", "short", "full")
    )
    assert "[ 1]" not in none
    assert run("solve", "belle-lucie", "--seed", LOST).out.splitlines()[:-2] == short.splitlines()[:-2]
    assert full.count("[ 1]") > short.count("[ 1]") == 2


def test_prose_that_is_asked_for_beside_json_goes_to_stderr(run: Run) -> None:
    ended = run("solve", "belle-lucie", "--seed", LOST, "--json", "--explain", "short")
    assert len(ended.objects) == 1
    assert "Verdict: " in ended.err


def test_no_limit_is_zero(run: Run) -> None:
    ended = run("solve", "belle-lucie", "--seed", WON, "--seconds", "0", "--nodes", "0", "--memory", "100MB")
    assert ended.code == 0


def test_many_deals_in_lines_with_counts_at_the_end(run: Run) -> None:
    lines = run("solve", "belle-lucie", "--seeds", "0..9").out.splitlines()
    assert [line.split()[0] for line in lines[:10]] == [f"belle-lucie/one-deal@{seed}" for seed in range(10)]
    assert lines[10] == ""
    assert lines[11] == "10 deals of belle-lucie/one-deal: 1 solved, 9 unsolvable (open: all cards known)"
    assert lines[12].endswith(" engine")


def test_many_deals_in_full_if_asked_for(run: Run) -> None:
    ended = run("solve", "belle-lucie", "--seeds", "5..6", "--explain", "short")
    assert ended.out.count("Verdict: ") == 2


def test_foreign_generators_in_a_range(run: Run) -> None:
    ended = run("solve", "belle-lucie", "--seeds", "1..3", "--generator", "ms", "--json")
    assert [found["deal"] for found in ended.objects] == [f"belle-lucie/one-deal@ms:{seed}" for seed in (1, 2, 3)]


def test_a_file_a_dash_and_stdin_are_the_same(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "deal.txt"
    file.write_text(ENDGAME)
    endings = [
        run("solve", "belle-lucie", file, "--json"),
        run("solve", "belle-lucie", "-", "--json", stdin=ENDGAME),
        run("solve", "belle-lucie", "--json", stdin="\ufeff" + ENDGAME.replace("\n", "\r\n")),
    ]
    for ended in endings:
        assert ended.code == 0
        assert ended.err == ""
        (found,) = ended.objects
        assert (found["deal"], found["status"], found["moves"]) == (None, "solved", ["QC^", "KC^", "KD^"])


def test_a_typed_win_is_nothing_to_do(run: Run) -> None:
    ended = run("solve", "belle-lucie", stdin="Foundations: KC KD KH KS\n")
    assert ended.code == 0
    assert "this deal can be won, in 0 moves" in ended.out


@pytest.mark.one_engine("checks the command line, not the answers")
def test_a_random_deal_prints_its_number(run: Run) -> None:
    ended = run("solve", "belle-lucie", "--shuffle", "--json", "--seconds", "1")
    (found,) = ended.objects
    again = run("solve", "belle-lucie", "--seed", found["deal"].partition("@")[2], "--json", "--seconds", "1")
    assert again.objects[0]["deal"] == found["deal"]


def test_wins_are_saved_and_can_be_verified(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "a" / "wins"
    ended = run("solve", "belle-lucie", "--seeds", "0..9", "--json", "--save-wins", folder)
    won = [found for found in ended.objects if found["status"] == "solved"]
    assert sorted(file.name for file in folder.iterdir()) == [f"belle-lucie_one-deal@{WON}.txt"]
    file = folder / f"belle-lucie_one-deal@{WON}.txt"
    text = file.read_text(encoding="utf-8")
    assert un.game("belle-lucie").parse(text) == un.game("belle-lucie").deal(WON)
    assert f"# Moves: {' '.join(won[0]['moves'])}\n" in text
    assert "Foundation move" in text
    assert run("verify", "belle-lucie", file, "--moves-file", file).code == 0


def test_a_saved_win_of_a_typed_deal_has_a_name_of_its_own(run: Run, tmp_path: Path) -> None:
    for text in (ENDGAME, "KC\n", ENDGAME):
        assert run("solve", "belle-lucie", "--save-wins", tmp_path, "--json", stdin=text).code == 0
    names = [file.name for file in tmp_path.iterdir()]
    assert len(names) == 2
    assert all(name.startswith("belle-lucie_one-deal@typed-") for name in names)


def test_wins_that_cannot_be_saved_are_wrong_usage(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    ended = run("solve", "belle-lucie", "--seed", WON, "--save-wins", file)
    assert ended.code == 2
    assert "--save-wins: cannot make the folder" in ended.err


@pytest.mark.parametrize("seed", [WON, LOST, 2, 5, 23])
@pytest.mark.parametrize("options", [[], ["--shorten"], ["--maximize"]])
def test_verify_replays_what_solve_plays(run: Run, seed: int, options: list[str]) -> None:
    (found,) = run("solve", "belle-lucie", "--seed", seed, "--json", *options).objects
    ended = run("verify", "belle-lucie", "--seed", seed, "--json", "--moves", " ".join(found["moves"]))
    (checked,) = ended.objects
    assert ended.code == (0 if found["status"] == Status.SOLVED else 1)
    assert checked == {
        "game": "belle-lucie",
        "variant": "one-deal",
        "deal": f"belle-lucie/one-deal@{seed}",
        "valid": True,
        "won": found["status"] == Status.SOLVED,
        "score": found["score"],
        "moves": found["moves"],
        "fault": None,
    }


def test_shorten_never_lengthens(run: Run) -> None:
    for seed in (2, 5, 23):
        plain, short = (
            run("solve", "belle-lucie", "--seed", seed, "--json", *options).objects[0]
            for options in ([], ["--shorten"])
        )
        assert len(short["moves"]) <= len(plain["moves"])
        assert short["score"] == plain["score"]


def test_ctrl_c_prints_what_was_found(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    state = un.game("belle-lucie").deal(WON)
    found = un.solve(state, nodes=5)

    def solve(*_: object, **__: object) -> None:
        raise un.Interrupted(un.Result(state, Status.CANCELLED, found.moves, found.score, False, found.stats, "python"))

    monkeypatch.setattr(un, "solve", solve)
    ended = run("solve", "belle-lucie", "--seed", WON)
    assert ended.code == 130
    assert "Verdict: undecided: the search was interrupted" in ended.out
    ended = run("solve", "belle-lucie", "--seed", WON, "--json")
    assert ended.code == 130
    assert ended.objects[0]["status"] == "cancelled"


def test_a_trace_has_a_line_for_every_position(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    ended = run("solve", "belle-lucie", "--seed", "6", "--json", "--trace", str(path))
    assert ended.objects[0]["status"] == "unsolvable"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["move"] for line in lines[:2]] == [None, "AS^"]
    assert lines[0]["position"] == str(un.game("belle-lucie").with_id(un.deal("belle-lucie/one-deal@6"), None))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--seeds", "0..5", "--trace", "t.jsonl"], "--trace follows the search of one deal"),
        (["--seed", "6", "--redeal", "--trace", "t.jsonl"], "--trace does not go with --redeal"),
        (["--seed", "6", "--trace", "/no/such/folder/t.jsonl"], "cannot write '/no/such/folder/t.jsonl': No such file"),
        (["--seed", "6", "--trace", "/dev/full"], "cannot write '/dev/full': No space left"),
    ],
)
def test_traces_that_cannot_be(run: Run, arguments: list[str], words: str) -> None:
    ended = run("solve", "belle-lucie", *arguments)
    assert ended.code == 2
    assert words in ended.err
    assert ended.out == ""


def test_techniques_of_gaps_are_switched_off_and_counts_told(run: Run) -> None:
    asked = ("solve", "gaps", "--variant", "basic", "--seed", "1", "--explain", "none", "--nodes", "200")
    ended = run(*asked, "--without", "alone, ordering", "--stats")
    assert "Without: alone, ordering." in ended.out
    for name in ("nodes", "max depth", "table entries"):
        assert re.search(rf"^  {name} +[\d,]+$", ended.out, re.MULTILINE), ended.out
    wrong = run(*asked, "--without", "alone,x,y")
    assert (wrong.code, wrong.out) == (2, "")
    assert "the search of gaps has no technique 'x', 'y'; it has closure, alone," in wrong.err
    assert "no technique 'z'" in run("advise", "gaps", "--seed", "1", "--without", "z").err


@pytest.mark.one_engine("checks the command line, not the answers")
def test_several_files_are_several_deals(run: Run, tmp_path: Path) -> None:
    files = [tmp_path / f"{seed}.txt" for seed in range(3, 6)]
    for file in files:
        file.write_text(f"Deck: {format_cards(un.game('belle-lucie').deck(un.Source(int(file.stem))))}\n")
    names = [str(file) for file in files]
    seeded = run("solve", "belle-lucie", "--seeds", "3..5", "--json").objects
    found = run("solve", "belle-lucie", *files, "--json").objects
    assert [each.pop("file") for each in found] == names
    for each in (*found, *seeded):
        del each["deal"], each["seconds"], each["stats"]
    assert found == seeded
    lines = run("solve", "belle-lucie", *files)
    assert lines.code == 0
    assert [line.split()[:2] for line in lines.out.splitlines()[:3]] == [
        [name, status] for name, status in zip(names, ("solved", "unsolvable", "unsolvable"), strict=True)
    ]
    rows = list(csv.DictReader(run("solve", "belle-lucie", *files, "--csv").out.splitlines()))
    assert [row["file"] for row in rows] == names
    full = run("solve", "belle-lucie", *files, "--explain", "none")
    assert [line[2:] for line in full.out.splitlines() if line.startswith("# ")] == names
    assert run("solve", "belle-lucie", *files, "--variant", "fan", "--nodes", "1").code == 3


def test_what_is_wrong_with_several_files_is_told_at_once(run: Run, tmp_path: Path) -> None:
    one, sound, other = (tmp_path / name for name in ("one", "sound", "other"))
    one.write_text("1X KC\n")
    other.write_text("KC KC\n")
    sound.write_text("KC\n")
    ended = run("solve", "belle-lucie", one, sound, other)
    assert (ended.code, ended.out) == (255, "")
    assert f"{one}: line 1, column 1: '1X' is not a card" in ended.err
    assert f"{other}: line 1, column 4: 'KC' is on the table twice" in ended.err
    assert run("solve", "belle-lucie", sound, tmp_path / "absent").code == 255
    for options, words in (
        (["--seed", "1"], "exclude each other"),
        (["--trace", tmp_path / "t"], "several FILEs"),
        (["--redeal"], "a second FILE does not go with --redeal"),
    ):
        ended = run("solve", "belle-lucie", sound, one, *options)
        assert (ended.code, ended.out) == (2, "")
        assert words in ended.err


@pytest.mark.one_engine("checks the command line, not the answers")
@pytest.mark.parametrize("game", ["agnes", "gaps"])
def test_decks_of_one_stream_in_a_range(run: Run, game: str) -> None:
    """Each is the deal of its id, redeals too."""
    dealt = run("deal", game, "--seeds", "python:12345#2..4", "--json").objects
    assert [each["deal"].partition("@")[2] for each in dealt] == [f"python:12345#{number}" for number in (2, 3, 4)]
    for each in dealt:
        assert run("deal", game, "--seed", each["deal"].partition("@")[2], "--json").objects == [each]
    states = un.game(game).deal_each(un.Source(12345, "python", number) for number in (2, 3, 7, 8, 1))
    assert [state for state, _ in states] == [
        un.game(game).deal(f"python:12345#{number}") for number in (2, 3, 7, 8, 1)
    ]
    variant = "up-suit-none" if game == "agnes" else "addiction-one-deal"
    line = ("solve", game, "--variant", variant, "--seeds", "12345#2..4", "--generator", "python", "--nodes", "50")
    same = run(*line, "--json").objects
    assert [each["deal"] for each in same] == [f"{game}/{variant}@python:12345#{number}" for number in (2, 3, 4)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["deal", "agnes", "--seeds", "python:5#0..2"], "counted from 1"),
        (["deal", "agnes", "--seeds", "python:5#1..1000001"], "counted from 1 to 1,000,000"),
        (["deal", "agnes", "--seeds", "python:5#3..2"], "is empty"),
        (["deal", "agnes", "--seeds", "perl:5#1..2"], "unknown generator 'perl'"),
        (["deal", "agnes", "--seeds", "python:5#1..2", "--generator", "ms"], "name two generators"),
        (["solve", "agnes", "--seed", "python:5", "--generator", "unshuffle"], "name two generators"),
        (["simulate", "agnes", "--policy", "greedy", "--seeds", "python:5#1..2"], "are for `deal` and `solve`"),
    ],
)
def test_decks_of_a_stream_that_cannot_be(run: Run, arguments: list[str], words: str) -> None:
    ended = run(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert words in ended.err


def test_a_chance_is_told_for_each_file(run: Run, tmp_path: Path) -> None:
    """One can be won without a redeal that nobody knows, the other by one only."""
    won, open_ = tmp_path / "won", tmp_path / "open"
    won.write_text("KS QS\n")
    open_.write_text("QS KS\n")
    asked = ("solve", "belle-lucie", "--variant", "classic", won, open_)
    found = run(*asked, "--json")
    assert found.code == 3
    assert [each["status"] for each in found.objects] == ["solved", "unknown-redeals"]
    rows = list(csv.DictReader(run(*asked, "--csv").out.splitlines()))
    assert [bool(row["win_chance"]) for row in rows] == [False, found.objects[1]["win_chance"] is not None]
    assert "win_chance" in found.objects[1]
