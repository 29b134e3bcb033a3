"""Ctrl-C and keys while the program thinks, at a pseudo-terminal: once stops the thinking, and typing does not."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path
from threading import Thread

import pytest

from tests.cli.conftest import Run
from tests.cli.program import environment
from tests.cli.terminal import read_until, terminal
from tests.cli.thinking import PROGRAM, Thoughts, thoughts
from tests.laws import HIDDEN, ROOT
from unshuffle.advise.console import Terminal
from unshuffle.hidden.playouts import Tally, sample
from unshuffle.hidden.stopping import StoppedError, deaf, stoppable

pytestmark = pytest.mark.one_engine("checks the command line, not the answers")

STOPPED = "Stopped; what follows was found by then. Ctrl-C again leaves."
LONG = ("--seconds", "300")
ADVISED = "e[X]port"
"""In the prompt at which advice is asked for."""
# The Python side thinks for minutes about each of these, and so does either side about this deal of Gaps.
SLOW = {"UNSHUFFLE_ENGINE": "python"}
GAPS = 4
# The programs run in folders of their own, and know these tests too.
PYTHONPATH = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
ENOUGH = 5
"""So many times the search for a plan asks whether it is to stop, and has found one."""


class Seat:
    """A person at the program's terminal."""

    def __init__(self, ours: int, process: subprocess.Popen[bytes], thoughts: Thoughts) -> None:
        self._ours = ours
        self._unread = ""
        self._thoughts = thoughts
        self.process = process

    def type(self, text: str) -> None:
        self._thoughts.forget()
        os.write(self._ours, text.encode())

    def press_ctrl_c(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def until(self, *words: str) -> str:
        """What is shown until these words are, one after the other."""
        shown = ""
        for each in words:
            if each not in self._unread:
                self._unread += read_until(self._ours, each)
            before, found, self._unread = self._unread.partition(each)
            shown += before + found
            assert found, shown
        return shown

    def until_it_thinks(self, asks: int = 1) -> str:
        """Wait until the program has asked so many times since the last answer; what it shows by then."""
        self._thoughts.wait(asks)
        while select.select([self._ours], [], [], 0)[0]:
            self._unread += os.read(self._ours, 65536).decode(errors="replace")
        shown, self._unread = self._unread, ""
        return shown

    def end(self) -> str:
        """The rest, up to the end of the program."""
        shown = self._unread + read_until(self._ours, "\0never")
        self.process.wait(60)
        return shown


@contextmanager
def seat(folder: Path, *words: str, **changes: str) -> Iterator[Seat]:
    with terminal() as (ours, theirs), thoughts() as told:
        process = subprocess.Popen(
            [*PROGRAM, *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env=environment(NO_COLOR="1", PYTHONPATH=PYTHONPATH, **told.variable, **changes),
            pass_fds=(told.theirs,),
        )
        os.close(theirs)
        try:
            yield Seat(ours, process, told)
        finally:
            process.kill()
            process.wait()


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def test_the_first_ctrl_c_asks_and_the_second_leaves() -> None:
    with stoppable() as is_stopped:
        assert not is_stopped()
        press()
        assert is_stopped()
        with pytest.raises(KeyboardInterrupt):
            press()
    with pytest.raises(KeyboardInterrupt):
        press()  # nobody thinks any more


def test_a_call_that_cannot_be_asked_is_broken_off_once() -> None:
    with stoppable() as is_stopped:
        with pytest.raises(StoppedError), deaf(), deaf():
            press()
        assert is_stopped()
        with pytest.raises(KeyboardInterrupt), deaf():
            press()
    with stoppable() as is_stopped:
        with deaf():
            pass
        press()
        assert is_stopped()
    with pytest.raises(KeyboardInterrupt), deaf():
        press()  # nobody asks that it be stopped


def test_somebody_elses_ctrl_c_is_left_alone() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with stoppable() as is_stopped:
            press()
            assert not is_stopped()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    found: list[bool] = []

    def think() -> None:
        with stoppable() as is_stopped:
            found.append(is_stopped())

    thread = Thread(target=think)
    thread.start()
    thread.join()
    assert found == [False]
    assert signal.getsignal(signal.SIGINT) is before


def test_games_that_were_played_are_not_lost() -> None:
    """A batch that Ctrl-C breaks off counts for nothing; those before it stand."""
    batches: list[int] = []

    def weigh(count: int) -> list[Tally]:
        batches.append(count)
        if len(batches) == 3:
            press()
        return [Tally(None, count)]

    with stoppable() as is_stopped:
        (tally,) = sample(weigh, None, inf, is_stopped)
    assert tally.samples == sum(batches[:2])
    batches[:] = [0, 0]
    with stoppable() as is_stopped, pytest.raises(StoppedError):
        sample(weigh, None, inf, is_stopped)


Begun = Callable[[str], None]


@pytest.fixture
def begun(run: Run, tmp_path: Path) -> Begun:
    """Lays out an advised game, which is saved as `g`."""

    def begin(game: str) -> None:
        deal = run("deal", game, "--seed", GAPS, "--deck").out.splitlines()[-1]
        ended = run("advise", game, "--id", "g", "--saves", tmp_path / "saves", stdin=f"{deal}\nz\n")
        assert ended.code == 0, ended

    return begin


def test_ctrl_c_shows_what_was_found_and_typing_stops_nothing(begun: Begun, tmp_path: Path) -> None:
    begun("gaps")
    with seat(tmp_path, "advise", "gaps", "--id", "g", *LONG) as person:
        person.until(ADVISED)
        person.type("?\n")
        assert Terminal.thinking_help in person.until(ADVISED)
        person.type("a\n")
        person.until_it_thinks()
        person.type("b\nz")
        assert STOPPED not in person.until_it_thinks(ENOUGH)
        person.press_ctrl_c()
        shown = person.until(STOPPED, "longest line", ADVISED)
        assert "1 card locked" in shown
        # What was typed meanwhile: the board, and the beginning of the next answer.
        person.until(ADVISED)
        person.type("\n")
        assert "Saved. To go on: unshuffle advise gaps --id g" in person.end()
        assert person.process.returncode == 0
    record = json.loads((tmp_path / "saves" / "g.json").read_text(encoding="utf-8"))
    assert record["passes"][0]["phases"][0]["planned"]


def test_what_is_typed_ahead_is_the_next_answer(begun: Begun, tmp_path: Path) -> None:
    """Also where nobody stops the thinking."""
    begun("gaps")
    with seat(tmp_path, "advise", "gaps", "--id", "g", "--seconds", "0.5") as person:
        person.until(ADVISED)
        person.type("a\n")
        person.until_it_thinks()
        person.type("d 1\nz\n")
        shown = person.end()
    assert STOPPED not in shown
    assert "of the plan left." in shown
    assert "Saved." in shown


def test_ctrl_c_twice_leaves(begun: Begun, tmp_path: Path) -> None:
    begun("gaps")
    with seat(tmp_path, "advise", "gaps", "--id", "g", *LONG) as person:
        person.until(ADVISED)
        person.type("a\n")
        person.until_it_thinks()
        person.press_ctrl_c()
        person.until(STOPPED)
        for _ in range(30):
            person.press_ctrl_c()
            with suppress(subprocess.TimeoutExpired):
                person.process.wait(1)
                break
        assert "Saved. To go on: " in person.end()
        assert person.process.returncode == 130


@pytest.mark.parametrize("game", HIDDEN)
def test_every_adviser_is_stopped(begun: Begun, tmp_path: Path, game: str) -> None:
    """On the Python side, which takes minutes: with what was found, or with the word that nothing was yet."""
    begun(game)
    with seat(tmp_path, "advise", game, "--id", "g", *LONG, **SLOW) as person:
        person.until(ADVISED)
        person.type("a\n")
        person.until_it_thinks(1 if game == "spider" else 3)  # Spider's first batch takes long
        person.press_ctrl_c()
        person.until("Stopped", ADVISED)
        person.type("z\n")
        assert "Saved." in person.end()
        assert person.process.returncode == 0


@pytest.mark.parametrize(
    ("words", "answers"),
    [
        (["spider", "--seed", "7"], ["h", "c d"]),
        (["gaps", "--seed", str(GAPS)], ["h", "s", "c 2", "1", "w"]),
    ],
)
def test_every_thought_of_play_is_stopped(tmp_path: Path, words: list[str], answers: list[str]) -> None:
    with seat(tmp_path, "play", *words, "--id", "g", *LONG, **SLOW) as person:
        person.until("uit?")
        for answer in answers:
            person.type(f"{answer}\n")
            if answer != "1":
                shown = person.until_it_thinks()
                assert "uit?" not in shown, (answer, shown)
                person.press_ctrl_c()
            shown = person.until("uit?")
            assert ("Stopped" in shown) == (answer != "1"), (answer, shown)
        person.type("z\n")
        assert "Saved." in person.end() or answers == ["h", "c d"]
        assert person.process.returncode == 0


@pytest.mark.parametrize("form", ["--json", "--explain=short"])
def test_one_answer_is_told_and_ends_with_130(tmp_path: Path, form: str) -> None:
    line = [*PROGRAM, "advise", "gaps", "--seed", str(GAPS), *LONG, form]
    with thoughts() as told:
        variables = environment(PYTHONPATH=PYTHONPATH, **told.variable)
        with subprocess.Popen(
            line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=variables, pass_fds=(told.theirs,)
        ) as process:
            told.wait(ENOUGH)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert err == b""
    if form == "--json":
        assert json.loads(out)["moves"]
    else:
        assert b"longest line" in out
