"""What only a terminal, a pipe and a signal can show."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess

import pytest

from tests.cli.program import LOST, PROGRAM, environment
from tests.cli.terminal import RED, on_terminal, read_until, terminal
from tests.laws import ROOT
from unshuffle.cli import progress
from unshuffle.solve import Progress

pytestmark = pytest.mark.one_engine("checks the command line, not the answers")


def test_cards_and_classes_are_coloured_on_a_terminal() -> None:
    code, shown = on_terminal("solve", "belle-lucie", "--seed", str(LOST))
    assert code == 1
    assert RED in shown
    assert "\x1b[36mFoundation move" in shown


def test_no_color_is_respected() -> None:
    code, shown = on_terminal("solve", "belle-lucie", "--seed", str(LOST), NO_COLOR="1")
    assert code == 1
    assert "\x1b" not in shown
    assert "A♥" in shown


def test_a_person_is_told_how_to_write_and_sees_what_was_read() -> None:
    code, shown = on_terminal("solve", "belle-lucie", typed="kc 10x\nKD\n\x04", NO_COLOR="1")
    assert code == 255
    assert "Type a deal of La Belle Lucie" in shown
    assert "TH, 10h or T♥" in shown
    assert "Ctrl-D" in shown
    assert "line 1: K♣ '10x'" in shown
    assert "line 2: K♦" in shown
    assert "'10x' is not a card" in shown


def test_a_deal_can_be_typed() -> None:
    code, shown = on_terminal("solve", "belle-lucie", typed="KC QC\nKDKH\n\x04", NO_COLOR="1")
    assert code == 0
    assert "line 2: K♦ K♥" in shown
    assert "this deal can be won, in 4 moves" in shown


def test_ctrl_c_while_typing_is_130() -> None:
    with terminal() as (ours, theirs):
        process = subprocess.Popen(
            [*PROGRAM, "solve", "belle-lucie"],
            stdin=theirs,
            stderr=theirs,
            stdout=subprocess.DEVNULL,
            env=environment(),
        )
        os.close(theirs)
        read_until(ours, "gives up.")
        process.send_signal(signal.SIGINT)
        shown = read_until(ours, "\0never")
        assert process.wait(60) == 130
        assert "Traceback" not in shown


@pytest.mark.parametrize("form", ["--json", "--csv", ""])
def test_ctrl_c_leaves_whole_lines_and_130(form: str) -> None:
    arguments = ["solve", "belle-lucie", "--seeds", "0..99999999", *([form] if form else [])]
    with subprocess.Popen(
        [*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = [process.stdout.readline() for _ in range(30)]
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        errors = process.stderr.read().decode()
        assert process.wait(60) == 130
    text = (b"".join(first) + rest).decode()
    assert "Traceback" not in errors
    assert text.endswith("\n")
    if form == "--json":
        found = [json.loads(line)["deal"] for line in text.splitlines()]
        assert found == [f"belle-lucie/one-deal@{seed}" for seed in range(len(found))]
    if form == "--csv":
        header, *rows = text.splitlines()
        assert {row.count(",") for row in rows} == {header.count(",")}
    if form == "":
        assert "Interrupted; so far:" in text


def test_progress_is_seen_on_a_terminal_and_wiped() -> None:
    with terminal() as (ours, theirs):
        process = subprocess.Popen(
            [*PROGRAM, "solve", "belle-lucie", "--seeds", "0..99999999", "--json"],
            stdout=subprocess.DEVNULL,
            stderr=theirs,
            env=environment(),
        )
        os.close(theirs)
        shown = read_until(ours, "of 100,000,000 deals")
        process.send_signal(signal.SIGINT)
        shown += read_until(ours, "\0never")
        assert process.wait(60) == 130
    assert "of 100,000,000 deals" in shown
    assert shown.endswith("\r\x1b[K")


def test_ctrl_c_in_a_long_search_prints_what_was_found() -> None:
    # Golf has no engine of its own, so this search is long everywhere.
    arguments = ["solve", "golf", "--load", str(ROOT / "examples" / "golf.py"), "--seed", "1", "--seconds", "0"]
    with terminal() as (ours, theirs):
        process = subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=theirs, env=environment())
        os.close(theirs)
        shown = read_until(ours, " nodes, best ")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        shown += read_until(ours, "\0never")
    assert process.returncode == 130
    assert b"Verdict: undecided: the search was interrupted" in out
    assert b"\x1b" not in out
    assert shown.endswith("\r\x1b[K")


def test_nobody_reads_on() -> None:
    with subprocess.Popen(
        [*PROGRAM, "solve", "belle-lucie", "--seeds", "0..99999999", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(60) == 141
        assert process.stderr.read() == b""


def test_a_full_disk_is_told_without_a_traceback() -> None:
    # With a buffer it is tried in tests/faults.
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(
            [*PROGRAM, "deal", "belle-lucie", "--seed", "1"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(PYTHONUNBUFFERED="1"),
            check=False,
        )
    assert ended.returncode == 74
    assert ended.stderr == b"Error: the output cannot be written: No space left on device\n"


def test_a_stream_without_glyphs_gets_letters() -> None:
    ended = subprocess.run(
        [*PROGRAM, "solve", "belle-lucie", "--seed", str(LOST)],
        capture_output=True,
        env=environment(PYTHONIOENCODING="ascii"),
        check=False,
    )
    assert ended.returncode == 1
    assert b"[ 1] AH 2D 7S" in ended.stdout


class Screen(io.StringIO):
    """A terminal that remembers what was written on it."""

    def isatty(self) -> bool:
        return True


def test_a_search_shows_its_counts_once_it_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    clock = iter((0.0, 0.4, 0.7, 0.75, 0.9))
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(progress, "monotonic", lambda: next(clock))
    line = progress.ProgressLine()
    for nodes in (100, 200, 300, 1400):
        line.search(Progress(nodes, nodes / 1000, 12, 40))
    line.clear()
    line.clear()
    drawn = [
        "\r200 nodes, best 12, bound 40, 200 ms\x1b[K",
        "\r1,400 nodes, 1,000 nodes/s, best 12, bound 40, 1.40 s\x1b[K",
    ]
    assert screen.getvalue() == "".join(drawn) + "\r\x1b[K"
