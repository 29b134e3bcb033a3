"""Save files of advised and of played games: whatever happens, what was typed is there, and nothing is overwritten."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from tests.advise.table import GAME, Sit, interrupt, last_prompt, saved, seat
from tests.cli.conftest import Run
from tests.cli.program import PROGRAM, environment
from tests.faults import hammering
from tests.faults.disks import fill, short
from tests.faults.happening import begin, contents, end, named
from tests.laws import ROOT
from unshuffle import files
from unshuffle.advise import folder as folder_of_saves
from unshuffle.advise.folder import Folder
from unshuffle.errors import StoreError
from unshuffle.files import locked
from unshuffle.processes import neighbourhood


def _break(text: str, change: Any) -> str:
    value = json.loads(text)
    change(value)
    return json.dumps(value)


def _phase(value: Any) -> Any:
    return value["passes"][0]["phases"][0]


BROKEN: dict[str, Any] = {
    "half": (lambda text: text[: len(text) // 2], "is broken: its file is not JSON"),
    "binary": (lambda text: "\0\1", "is broken: its file is not JSON"),
    "empty": (lambda text: "", "is broken: its file is not JSON"),
    "a list": (lambda text: "[]", "'g' is not a saved game"),
    "newer": (lambda text: _break(text, lambda v: v.update(version=2)), "was saved by a newer unshuffle (version 2"),
    "gaps": (lambda text: _break(text, lambda v: v.update(format="unshuffle-gaps")), "'g' is a game of 'gaps', not"),
    "foreign": (lambda text: _break(text, lambda v: v.update(format="other")), "'g' is not a saved game"),
    "no passes": (lambda text: _break(text, lambda v: v.update(passes=[])), "'passes' is empty"),
    "no at": (lambda text: _break(text, lambda v: v.pop("at")), "'at' is missing"),
    "prompt": (lambda text: _break(text, lambda v: v["at"].update(prompt="bed")), "'prompt' is 'bed'"),
    "phase": (lambda text: _break(text, lambda v: v["at"].update(phase=4)), "'at' is not its last phase"),
    "moves": (lambda text: _break(text, lambda v: _phase(v).update(moves=["KC^"])), "deal 1: illegal move 'KC^'"),
    "no move": (lambda text: _break(text, lambda v: _phase(v).update(moves=[1])), "'moves' is not a list of texts"),
    "cards": (lambda text: _break(text, lambda v: _phase(v).update(layout=["KC KC"])), "'KC' is on the table twice"),
    "plan": (lambda text: _break(text, lambda v: _phase(v).update(planned=["KC^"])), "KC is not the top"),
    "rules": (lambda text: _break(text, lambda v: v["rules"].update(redeals=77)), "redeals=77 is not allowed"),
    "rule": (lambda text: _break(text, lambda v: v["rules"].update(odd=1)), "unknown rule 'odd'"),
    "chance": (lambda text: _break(text, lambda v: _phase(v).update(chance=[2, 0])), "'chance' is not a chance"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_file_that_is_broken_newer_or_foreign_is_refused_and_never_overwritten(
    sit: Sit, saves: Path, kind: str
) -> None:
    sit("KC QC", "KD", "")
    path = saves / "g.json"
    spoil, message = BROKEN[kind]
    path.write_text(spoil(path.read_text()))
    before = path.read_bytes()
    for ended in (
        sit("KC", variant=None),
        sit("o", "g", name=None),
        sit("n", "g", name=None),
        sit("b", variant=None),
    ):
        assert ended.code == 255
        assert path.read_bytes() == before
    ended = sit(variant=None)
    assert message in ended.err
    assert "was left as it is" in ended.err
    sit("KC", "z", name="good")
    listed = sit("o", "", "q", name=None)
    assert listed.code == 0
    assert message in listed.out
    assert "  1  good  classic" in listed.out


@pytest.mark.one_engine("checks what remains after a fault, not the answers")
def test_two_programs_on_one_game(sit: Sit, saves: Path) -> None:
    sit("KC", "z")
    with subprocess.Popen(
        [*PROGRAM, "advise", GAME, "--saves", str(saves), "--id", "g"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as first:
        assert first.stdin is not None
        assert first.stdout is not None
        while first.stdout.readline() != b"Fan 2?\n":
            pass
        sit("KD", "z", variant=None)
        before = (saves / "g.json").read_bytes()
        _, errors = first.communicate(b"KS\n", timeout=60)
    assert first.returncode == 74
    assert b"was changed by another program meanwhile; it was left as it is" in errors
    assert (saves / "g.json").read_bytes() == before


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.one_engine("checks what remains after a fault, not the answers")
def test_nothing_typed_is_lost_when_the_program_is_ended(sit: Sit, saves: Path, sign: signal.Signals) -> None:
    with subprocess.Popen(
        [*PROGRAM, "advise", GAME, "--saves", str(saves), "--id", "g", "--variant", "classic"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"QC JC KC\nTC\n")
        process.stdin.flush()
        while process.stdout.readline() != b"Fan 3?\n":
            pass
        if sign is signal.SIGINT:
            interrupt(process)
        process.send_signal(sign)
        out, errors = process.communicate(timeout=60)
    assert b"Traceback" not in out + errors
    if sign is signal.SIGINT:
        assert process.returncode == 130
        assert out.endswith(f"Saved. To go on: unshuffle advise belle-lucie --id g --saves {saves}\n".encode())
    assert saved(saves)["passes"][0]["phases"][0]["layout"] == ["QC JC KC", "TC"]
    assert last_prompt(sit(variant=None)) == "Fan 3?"


@pytest.mark.one_engine("checks what remains after a fault, not the answers")
def test_a_draft_that_a_killed_program_left_is_no_game(sit: Sit, saves: Path) -> None:
    sit("KC")
    draft = saves / f".g.json.{neighbourhood()}.{2**22 + 1}-1.tmp"  # no process has such a number
    draft.write_text("{")
    code, out, _ = say("advise", GAME, "--id", "g", "--saves", str(saves), answers=typed("KD"))
    assert (code, "Fan 3?" in out) == (0, True)
    assert {path.name for path in saves.iterdir()} == {"g.json", folder_of_saves.LOCK}


@pytest.mark.one_engine("checks what remains after a fault, not the answers")
def test_a_folder_that_cannot_be_written_is_74(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ended = seat(run, tmp_path / "file" / "saves")("KC")
    assert ended.code == 74
    assert "the game cannot be saved in" in ended.err
    assert os.listdir(tmp_path) == ["file"]


def typed(*answers: str) -> bytes:
    return "".join(f"{answer}\n" for answer in answers).encode()


def say(*arguments: str, answers: bytes, **options: Any) -> tuple[int, str, str]:
    """A whole sitting in a process of its own."""
    process = begin(*arguments, stdin=subprocess.PIPE, **options)
    out, err = process.communicate(answers, timeout=60)
    assert b"Traceback" not in out + err, err.decode()
    return process.returncode, out.decode(), err.decode()


SITTINGS = {
    "advise": (["advise", GAME, "--variant", "classic", "--id", "g"], ["advise", GAME, "--id", "g"], "QC JC KC"),
    "play": (["play", "gaps", "--seed", "7", "--id", "g"], ["play", "gaps", "--id", "g"], "1"),
}
"""The first sitting, the next one, and an answer that changes the game."""


@pytest.mark.parametrize("kind", SITTINGS)
def test_a_disk_that_takes_no_more_leaves_the_save_as_it_was(run: Run, tmp_path: Path, kind: str) -> None:
    first, then, answer = SITTINGS[kind]
    assert run(*first, "--saves", tmp_path, stdin=typed(answer)).code == 0
    before = contents(tmp_path)
    with short(100):
        ended = run(*then, "--saves", tmp_path, stdin=typed(answer))
    assert ended.code == 74
    assert "the game cannot be saved in" in ended.err
    assert len(ended.err.splitlines()) == 1
    assert contents(tmp_path) == before
    assert run(*then, "--saves", tmp_path, stdin=typed(answer)).code == 0
    assert contents(tmp_path) != before


@pytest.mark.parametrize("kind", SITTINGS)
def test_a_full_disk_leaves_the_save_as_it_was(run: Run, small_disk: Path, kind: str) -> None:
    first, then, answer = SITTINGS[kind]
    assert run(*first, "--saves", small_disk, stdin=typed(answer)).code == 0
    fill(small_disk)
    before = (small_disk / "g.json").read_bytes()
    ended = run(*then, "--saves", small_disk, stdin=typed(answer))
    assert (ended.code, "No space left on device" in ended.err) == (74, True)
    assert (small_disk / "g.json").read_bytes() == before
    assert named(small_disk) == {"g.json", "filler"}


@pytest.mark.parametrize("kind", SITTINGS)
def test_a_read_only_folder_is_told_and_left_as_it_is(run: Run, read_only: Path, kind: str) -> None:
    first, _, answer = SITTINGS[kind]
    ended = run(*first, "--saves", read_only, stdin=typed(answer))
    assert (ended.code, "the game cannot be saved in" in ended.err) == (74, True)
    assert contents(read_only) == {"old": b"as it was"}


@pytest.mark.parametrize("kind", SITTINGS)
def test_killed_while_it_saves_again_and_again(run: Run, tmp_path: Path, kind: str) -> None:
    """Whenever the program is killed, the file is one that it has written, whole."""
    first, then, answer = SITTINGS[kind]
    assert run(*first, "--saves", tmp_path, stdin=typed(answer)).code == 0
    undo = "u"
    rng = random.Random(3)
    for _ in range(2):
        process = begin(*then, "--saves", str(tmp_path), stdin=subprocess.PIPE, start_new_session=True)
        assert process.stdin is not None
        process.stdin.write(typed(*[undo, answer] * 300))
        process.stdin.flush()
        before = contents(tmp_path)
        while contents_of(tmp_path) == before["g.json"] and process.poll() is None:
            sleep(0.001)
        sleep(rng.uniform(0, 0.05))
        process.kill()
        process.communicate()
        assert json.loads((tmp_path / "g.json").read_bytes())["id"] == "g"
        assert named(tmp_path) == {"g.json"}
    ended = run(*then, "--saves", tmp_path)
    assert (ended.code, ended.err) == (0, "")


def contents_of(folder: Path) -> bytes:
    return (folder / "g.json").read_bytes()


@pytest.mark.parametrize("spoil", ["half", "nothing", "zeros", "a list", "newer", "a flipped bit"])
def test_a_broken_save_of_play_is_refused_and_never_overwritten(run: Run, tmp_path: Path, spoil: str) -> None:
    first, then, answer = SITTINGS["play"]
    assert run(*first, "--saves", tmp_path, stdin=typed(answer)).code == 0
    path = tmp_path / "g.json"
    data = path.read_bytes()
    spoilt = {
        "half": data[: len(data) // 2],
        "nothing": b"",
        "zeros": bytes(len(data)),
        "a list": b"[]",
        "newer": data.replace(b'"version": 1', b'"version": 2'),
        "a flipped bit": data.replace(b"2", b"\xb2", 1),
    }[spoil]
    path.write_bytes(spoilt)
    for words in (then, first):
        ended = run(*words, "--saves", tmp_path, stdin=typed(answer))
        assert ended.code in (2, 255)
        assert ended.err.startswith("Error: ")
        assert contents(tmp_path) == {"g.json": spoilt}
    assert "was left as it is" in run(*then, "--saves", tmp_path).err


@pytest.mark.one_engine("checks what remains after a fault, not the answers")
def test_two_programs_on_one_played_game(run: Run, tmp_path: Path) -> None:
    first, then, answer = SITTINGS["play"]
    assert run(*first, "--saves", tmp_path, stdin=typed(answer)).code == 0
    slow = begin(*then, "--saves", str(tmp_path), stdin=subprocess.PIPE)
    assert slow.stdout is not None
    while b"Game g" not in slow.stdout.readline():
        pass
    assert run(*then, "--saves", tmp_path, stdin=typed(answer)).code == 0
    before = contents(tmp_path)
    _, err = slow.communicate(typed(answer), timeout=60)
    assert slow.returncode == 74
    assert b"was changed by another program meanwhile; it was left as it is" in err
    assert contents(tmp_path) == before


@pytest.mark.one_engine("checks what remains after a fault, not the answers")
def test_who_leaves_after_another_program_went_on_is_told_no_failure(run: Run, tmp_path: Path) -> None:
    """What was wrong: leaving saved the game once more, and told 74 of moves that were in the file."""
    first, then, answer = SITTINGS["play"]
    assert run(*first, "--saves", tmp_path, stdin=typed(answer)).code == 0
    slow = begin(*then, "--saves", str(tmp_path), stdin=subprocess.PIPE)
    assert slow.stdin is not None
    opened = contents_of(tmp_path)
    slow.stdin.write(typed(answer))
    slow.stdin.flush()
    until = monotonic() + 60
    while contents_of(tmp_path) == opened:
        assert monotonic() < until
        sleep(0.01)
    assert run(*then, "--saves", tmp_path, stdin=typed(answer)).code == 0
    last = contents_of(tmp_path)
    _, err = slow.communicate(b"z\n", timeout=60)
    assert (slow.returncode, err) == (0, b"")
    assert contents_of(tmp_path) == last


# Several programs on one game.


HAMMER = [sys.executable, "-m", hammering.__name__]


def hammer(folder: Path, what: str, times: int, look: Callable[[], object] | None = None) -> list[list[Any]]:
    """Let processes loose on one folder, all at once; how the runs of each ended. Meanwhile somebody may look on."""
    started = [
        begin(what, folder, str(times), str(number), program=HAMMER, stdin=subprocess.PIPE, cwd=ROOT)
        for number in range(3)
    ]
    for process in started:
        assert process.stdin is not None
        process.stdin.write(b"\n")
    while look is not None and any(process.poll() is None for process in started):
        look()
        sleep(0.002)
    return [json.loads(end(process)[1]) for process in started]


@pytest.mark.parametrize("kind", hammering.ANSWERS)
@pytest.mark.one_engine("checks what remains after a fault, not the answers")
def test_every_answer_that_several_programs_took_is_in_the_file(run: Run, tmp_path: Path, kind: str) -> None:
    """Law: whatever was answered with success is in the file, which is whole at any time; all others are told."""
    arguments, _ = hammering.ANSWERS[kind]
    assert run(*arguments, "--saves", tmp_path).code == 0
    save = tmp_path / "g.json"
    before = hammering.answered(save)
    runs = [each for process in hammer(tmp_path, kind, 15, lambda: hammering.answered(save)) for each in process]
    for code, told in runs:
        assert (code, "by another program meanwhile; it was left as it is" in told) in ((0, False), (74, True)), told
    assert hammering.answered(save) == before + sum(code == 0 for code, _ in runs)
    assert named(tmp_path) == {"g.json"}


@pytest.mark.one_engine("checks what remains after a fault, not the answers")
def test_of_several_programs_that_begin_a_game_of_one_id_one_has_it(tmp_path: Path) -> None:
    ended = hammer(tmp_path, "begin", 12)
    for number in range(12):
        codes = [process[number][0] for process in ended]
        assert sorted(codes)[0] == 0
        assert set(codes) <= {0, 2, 74}
        (first,) = (seed for seed, code in enumerate(codes) if code == 0)
        assert json.loads((tmp_path / f"g{number}.json").read_bytes())["deal"] == f"gaps/addiction@{first}"


def test_a_game_that_was_changed_begun_or_deleted_meanwhile_is_left_as_it_is(tmp_path: Path) -> None:
    ours, others = Folder(tmp_path), Folder(tmp_path)
    ours.write_text("g", "1")
    others.knows("g", b"1")
    others.write_text("g", "2")
    told = "was changed by another program meanwhile; it was left as it is"
    with pytest.raises(StoreError, match=told):
        ours.write_text("g", "3")
    with pytest.raises(StoreError, match=told):
        ours.delete("g")
    assert (tmp_path / "g.json").read_bytes() == b"2"
    others.delete("g")
    with pytest.raises(StoreError, match="was deleted by another program meanwhile; it was not written again"):
        ours.write_text("g", "3")
    assert not (tmp_path / "g.json").exists()
    others.write_text("new", "1")
    with pytest.raises(StoreError, match="was begun by another program meanwhile; it was left as it is"):
        ours.write_text("new", "2")
    assert (tmp_path / "new.json").read_bytes() == b"1"


def test_a_lock_dies_with_its_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_of_saves, "_PATIENCE", 0.05)
    folder = Folder(tmp_path)
    holder = begin("hold", tmp_path / folder_of_saves.LOCK, program=HAMMER, stdin=subprocess.PIPE, cwd=ROOT)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"locked\n"
    with pytest.raises(StoreError, match=r"the game cannot be saved in .*: another program keeps it locked"):
        folder.write_text("g", "1")
    assert not (tmp_path / "g.json").exists()
    holder.kill()
    holder.communicate()
    folder.write_text("g", "1")
    assert (tmp_path / "g.json").read_bytes() == b"1"


def test_a_lock_whose_file_was_removed_is_none_for_the_next_one(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with locked(path, 0):
        path.unlink()
        with locked(path, 0), pytest.raises(BlockingIOError), locked(path, 0):
            pass
    with locked(path, 0):
        pass


def test_a_lock_whose_file_is_replaced_while_it_is_taken_is_taken_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person clears the folder, and another program makes the file anew: its lock is the one that counts."""
    path = tmp_path / "lock"
    lock = files._lock

    def lock_late(descriptor: int) -> None:
        monkeypatch.setattr(files, "_lock", lock)
        path.unlink()
        path.touch()
        lock(descriptor)

    monkeypatch.setattr(files, "_lock", lock_late)
    with locked(path, 10), pytest.raises(BlockingIOError), locked(path, 0):
        pass


def test_a_game_opened_again_is_the_one_that_is_there_now(run: Run, tmp_path: Path) -> None:
    """Another program changes the game that is being played, and then it is opened once more: nothing is lost."""
    first, then, answer = SITTINGS["play"]
    assert run(*first, "--saves", tmp_path, stdin=typed(answer)).code == 0
    slow = begin(*then, "--saves", tmp_path, stdin=subprocess.PIPE)
    assert slow.stdout is not None
    while b"Game g" not in slow.stdout.readline():
        pass
    assert run(*then, "--saves", tmp_path, stdin=typed(answer)).code == 0
    before = contents(tmp_path)
    _, err = slow.communicate(typed("o g", answer), timeout=60)
    assert (slow.returncode, b"was changed by another program meanwhile" in err) == (74, True)
    assert contents(tmp_path) == before
