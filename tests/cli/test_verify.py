"""`unshuffle verify`."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from tests.roundabout import Roundabout
from unshuffle import registry
from unshuffle.advise import adviser_of
from unshuffle.advise.export import export
from unshuffle.advise.folder import now
from unshuffle.advise.saves import Saves, new_record
from unshuffle.cli.history import Histories
from unshuffle.errors import quote
from unshuffle.play.saves import PlaySaves
from unshuffle.play.table import Table

pytestmark = pytest.mark.one_engine("replays moves by the rules")

DEAL = "KC QC\nKD\n"


def test_a_win_in_any_spelling(run: Run) -> None:
    ended = run("verify", "belle-lucie", "--moves", "qc^, K♣^ ♦K^", stdin=DEAL)
    assert ended.code == 0
    assert ended.out.splitlines()[-1] == "Valid: 3 legal moves; the game is won"
    assert "Score: 52 of 52" in ended.out


def test_legal_moves_that_do_not_win_are_1(run: Run) -> None:
    ended = run("verify", "belle-lucie", "--moves", "QC^", stdin=DEAL)
    assert ended.code == 1
    assert "Valid: 1 legal move; the game is not won, and not over" in ended.out
    ended = run("verify", "belle-lucie", "--moves", "", stdin="QC KC\n")
    assert ended.code == 1
    assert "Valid: 0 legal moves; the game is stuck, not won" in ended.out


def test_an_illegal_move_is_1_with_its_number_and_the_reason(run: Run) -> None:
    arguments = ["verify", "belle-lucie", "--moves", "QC^ KD^ KH^"]
    ended = run(*arguments, stdin=DEAL)
    assert ended.code == 1
    assert ended.out == "Not valid: move 3: illegal move 'KH^' in 'KC': KH is on its foundation\n"
    ended = run(*arguments, "--json", stdin=DEAL)
    assert ended.code == 1
    assert ended.objects == [
        {
            "game": "belle-lucie",
            "variant": "one-deal",
            "deal": None,
            "valid": False,
            "won": False,
            "score": 51,
            "moves": ["QC^", "KD^"],
            "fault": "move 3: illegal move 'KH^' in 'KC': KH is on its foundation",
        }
    ]


def test_an_unreadable_move_is_255_with_its_number(run: Run) -> None:
    ended = run("verify", "belle-lucie", "--moves", "QC^ up!", "--json", stdin=DEAL)
    assert (ended.code, ended.out) == (255, "")
    assert "move 2: 'up!' is not a move" in ended.err


def test_explain_shows_the_play(run: Run) -> None:
    short, full = (
        run("verify", "belle-lucie", "--moves", "QC^ KC^", "--explain", how, stdin=DEAL).out
        for how in ("short", "full")
    )
    assert "1  Foundation move  QC^" in short
    assert full.count("[ 1]") == 4
    assert short.count("[ 1]") == 2


def test_moves_from_a_file_and_from_stdin(run: Run, tmp_path: Path) -> None:
    deal = tmp_path / "deal.txt"
    deal.write_text(DEAL)
    moves = tmp_path / "moves.txt"
    moves.write_text("# up they go\nQC^ KC^\nKD^\n")
    assert run("verify", "belle-lucie", deal, "--moves-file", moves).code == 0
    assert run("verify", "belle-lucie", deal, "--moves-file", "-", stdin="QC^,KC^,KD^").code == 0
    assert run("verify", "belle-lucie", "--moves-file", moves, stdin=DEAL).code == 0
    assert run("verify", "belle-lucie", deal, "--moves-file", tmp_path / "absent").code == 255


def test_a_file_that_holds_the_moves_too(run: Run, tmp_path: Path) -> None:
    """What is said on the line comes before what the file tells."""
    deal = tmp_path / "deal.txt"
    deal.write_text(f"# Rules: belle-lucie/classic\n{DEAL}\n# Moves: QC^ KC^ KD^\n")
    told = run("verify", "belle-lucie", deal, "--json")
    assert (told.code, told.objects[0]["variant"]) == (0, "classic")
    said = run("verify", "belle-lucie", deal, "--variant", "one-deal", "--moves", "QC^", "--json")
    assert (said.code, said.objects[0]["variant"], said.objects[0]["moves"]) == (1, "one-deal", ["QC^"])
    deal.write_text(f"# Rules: gaps/basic\n{DEAL}")
    assert run("verify", "belle-lucie", deal).err == "Error: the moves come from --moves or from --moves-file\n"
    assert run("verify", "belle-lucie", deal, "--moves", "", "--json").objects[0]["variant"] == "one-deal"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=(DEAL,))
    writer.start()
    assert run("verify", "belle-lucie", pipe, "--moves", "QC^ KC^ KD^").code == 0
    writer.join()
    deal.write_text(f"# Rules: belle-lucie/nonsense\n{DEAL}")
    assert run("verify", "belle-lucie", deal, "--moves", "").code == 2


ACES = """Deck: QS QD 4H 4D 5H JS TH 6C 2C 2H JC 5C 6H KS KD 3C 6S 5S 6D 8C 9C TS 7D 5D 8H AC
7C 2S 4S 9D AH TC KH 3D JH 9H QC 4C AS 7S 7H 2D 8S JD 8D 9S QH TD KC 3H AD 3S"""


def test_a_log_may_write_out_what_a_move_does_by_itself(run: Run) -> None:
    ended = run("verify", "aces-up", "--moves", "d 4x d 1x 2x", "--explain", "short", stdin=ACES)
    assert ended.code == 1
    assert "deal QS QD 4H 4D; 4D goes (QD)" in ended.out
    assert ended.out.splitlines()[-1] == "Valid: 2 legal moves; the game is not won, and not over"
    for log, place, reason in (
        ("d 4x d 1x", "move 4: illegal move '1x'", "JS goes first (QS), but '2x' is not written"),
        ("d d 1x 2x", "move 2: illegal move 'd'", "4D goes first (QD), but '4x' is not written"),
        ("d 3x 4x", "move 2: illegal move '3x'", "4H stays: no other pile shows a higher card of hearts"),
    ):
        ended = run("verify", "aces-up", "--moves", log, stdin=ACES)
        assert ended.code == 1
        assert ended.out.startswith(f"Not valid: {place}")
        assert ended.out.rstrip().endswith(reason)
    ended = run("verify", "aces-up", "--moves", "d 4x q", stdin=ACES)
    assert ended.code == 255
    assert "move 3: 'q' is not a move" in ended.err


LATE = "Foundations: KC KD KH QS\nCells: - -\n1: KS\n2: -\n3: -\n4: -\nStock: -\n"


def _go_round(folder: Path, rounds: int) -> tuple[str, Path]:
    """The moves of a won game of Roundabout in which a card went to a cell and back so many times, and its history."""
    game = Roundabout("open")
    moves = "1-c1 c1-1 " * rounds + "1f"
    return moves, Histories(folder).save(game, un.replay(game.parse(LATE), game.parse_moves(moves)), "open")


def _export(folder: Path, moves: str) -> Path:
    """The same game, as `advise` exports it."""
    adviser = adviser_of(Roundabout("open"))
    record = new_record("round", adviser.typed.draft_of(adviser.game.parse(LATE)))
    record.prompt, record.last.result, record.phase.moves = "end", "won", moves.split()
    export(adviser, record, Saves(folder / "saves", "roundabout"), folder / "export.txt")
    return folder / "export.txt"


def _save(folder: Path, moves: str) -> None:
    """The same game, as `play` saves it."""
    game = Roundabout("open")
    table = Table(game, game.parse(LATE), "round", now())
    for move in table.read(moves.split()):
        table.play(move)
    PlaySaves(folder, "roundabout").write(table)


@pytest.fixture
def roundabout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._registered, "roundabout", Roundabout())


@pytest.mark.usefixtures("roundabout")
def test_a_game_that_was_written_is_read_however_long_it_is(run: Run, tmp_path: Path) -> None:
    """What was wrong: a history of more than 100,000 characters was refused as longer than any deal."""
    moves, file = _go_round(tmp_path, 400)
    file.write_text("# It went round and round.\n" * 4_000 + file.read_text(encoding="utf-8"), encoding="utf-8")
    assert file.stat().st_size > 100_000
    line = ["roundabout", "--variant", "open"]
    ended = run("verify", *line, file, "--explain", "none")
    assert ended.out.splitlines()[-1] == "Valid: 801 legal moves; the game is won"
    assert run("verify", *line, file, "--moves-file", file, "--json").code == 0
    text = file.read_text(encoding="utf-8")
    assert run("verify", *line, "--moves", moves, stdin=text).code == 0
    assert run("solve", *line, file).code == 0
    exported = run("verify", "roundabout", _export(tmp_path, moves), "--json")
    assert (exported.code, exported.objects[0]["moves"]) == (0, moves.split())
    _save(tmp_path, moves)
    for given in ([file], ["--id", "round", "--saves", tmp_path]):
        reviewed = run("review", *line, *given, "--nodes", "1", "--seconds", "0.1", "--no-chances", "--json")
        assert reviewed.objects[0]["moves"] == moves.split()


@pytest.mark.usefixtures("roundabout")
def test_moves_are_never_cut_off(run: Run, tmp_path: Path) -> None:
    """What was wrong: of a file of moves no more than 400,001 bytes were read, and nothing was said."""
    file = tmp_path / "moves.txt"
    file.write_text("# Round and round\n" + f"1-c1 c1-1{' ' * 800}\n" * 600 + "1f\n")
    ended = run("verify", "roundabout", "--variant", "open", "--moves-file", file, "--explain", "none", stdin=LATE)
    assert ended.out.splitlines()[-1] == "Valid: 1,201 legal moves; the game is won"


def test_a_file_without_end_is_refused(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unshuffle.cli.reading.MOST_MEBIBYTES", 1)
    file = tmp_path / "long.txt"
    file.write_text("# what a game\n" * 100_000)
    for line in ([file, "--moves="], ["--seed", "1", "--moves-file", file], [file]):
        ended = run("verify", "belle-lucie", *line)
        assert (ended.code, ended.out) == (255, "")
        assert f"{quote(str(file))} is longer than 1 MiB, the most that is read" in ended.err
