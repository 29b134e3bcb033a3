"""Save files of advised and of played games: whatever happens, what was typed is there, and nothing is overwritten."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from tests.advise.table import GAME, Sit, interrupt, last_prompt, saved, seat
from tests.cli.conftest import Run
from tests.cli.program import PROGRAM, environment
from tests.faults.disks import fill, limited
from tests.faults.happening import begin, contents, named


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


@pytest.mark.engine_free
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


def test_a_draft_that_a_killed_program_left_is_no_game(sit: Sit, saves: Path) -> None:
    sit("KC")
    (saves / ".g.json.new").write_text("{")
    assert last_prompt(sit("KD", variant=None)) == "Fan 3?"
    assert [path.name for path in saves.iterdir()] == ["g.json"]


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


@pytest.mark.engine_free
@pytest.mark.parametrize("kind", SITTINGS)
def test_a_disk_that_takes_no_more_leaves_the_save_as_it_was(tmp_path: Path, kind: str) -> None:
    first, then, answer = SITTINGS[kind]
    assert say(*first, "--saves", str(tmp_path), answers=typed(answer))[0] == 0
    before = contents(tmp_path)
    code, _, err = say(*then, "--saves", str(tmp_path), answers=typed(answer), preexec_fn=limited(100))
    assert code == 74
    assert "the game cannot be saved in" in err
    assert len(err.splitlines()) == 1
    assert contents(tmp_path) == before
    assert say(*then, "--saves", str(tmp_path), answers=typed(answer))[0] == 0
    assert contents(tmp_path) != before


@pytest.mark.engine_free
@pytest.mark.parametrize("kind", SITTINGS)
def test_a_full_disk_leaves_the_save_as_it_was(small_disk: Path, kind: str) -> None:
    first, then, answer = SITTINGS[kind]
    assert say(*first, "--saves", str(small_disk), answers=typed(answer))[0] == 0
    fill(small_disk)
    before = (small_disk / "g.json").read_bytes()
    code, _, err = say(*then, "--saves", str(small_disk), answers=typed(answer))
    assert (code, "No space left on device" in err) == (74, True)
    assert (small_disk / "g.json").read_bytes() == before
    assert named(small_disk) == {"g.json", "filler"}


@pytest.mark.engine_free
@pytest.mark.parametrize("kind", SITTINGS)
def test_a_read_only_folder_is_told_and_left_as_it_is(read_only: Path, kind: str) -> None:
    first, _, answer = SITTINGS[kind]
    code, _, err = say(*first, "--saves", str(read_only), answers=typed(answer))
    assert (code, "the game cannot be saved in" in err) == (74, True)
    assert contents(read_only) == {"old": b"as it was"}


@pytest.mark.engine_free
@pytest.mark.parametrize("kind", SITTINGS)
def test_killed_while_it_saves_again_and_again(tmp_path: Path, kind: str) -> None:
    """Whenever the program is killed, the file is one that it has written, whole."""
    first, then, answer = SITTINGS[kind]
    assert say(*first, "--saves", str(tmp_path), answers=typed(answer))[0] == 0
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
    code, _, err = say(*then, "--saves", str(tmp_path), answers=b"")
    assert (code, err) == (0, "")


def contents_of(folder: Path) -> bytes:
    return (folder / "g.json").read_bytes()


@pytest.mark.engine_free
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


def test_two_programs_on_one_played_game(tmp_path: Path) -> None:
    first, then, answer = SITTINGS["play"]
    assert say(*first, "--saves", str(tmp_path), answers=typed(answer))[0] == 0
    slow = begin(*then, "--saves", str(tmp_path), stdin=subprocess.PIPE)
    assert slow.stdout is not None
    while b"Game g" not in slow.stdout.readline():
        pass
    assert say(*then, "--saves", str(tmp_path), answers=typed(answer))[0] == 0
    before = contents(tmp_path)
    _, err = slow.communicate(typed(answer), timeout=60)
    assert slow.returncode == 74
    assert b"was changed by another program meanwhile; it was left as it is" in err
    assert contents(tmp_path) == before
