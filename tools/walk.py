"""Trace three commands through the package, and print the files that each of them uses: `python tools/walk.py`.

A file counts if one of its functions is called; an import is not enough. Files are listed by room (folder of the
package), in the order in which they are first used.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import unshuffle
from unshuffle.cli.main import main

PACKAGE = Path(unshuffle.__file__).parent

SOLVE = "solve belle-lucie deal.txt"
ADVISE = "advise gaps --seconds 1"
STUDY = "study run s --game belle-lucie --solver --seeds 0..1 --store s.sqlite"
REPORT = "study report s --store s.sqlite"

# A late board of Gaps, won by one move.
LATE = """\
2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS --
2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH --
2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD --
2C 3C 4C 5C 6C 7C 8C 9C TC JC QC -- KC
"""
# New game, its board, advice, report the plan as done, quit.
ANSWERS = f"n\nlast\n{LATE}a\nd\nz\n"


def passed(run: Callable[[], object]) -> list[str]:
    """Return the files of the package in which `run` calls a function, in the order of the first calls."""
    files: dict[str, None] = {}
    beginning = f"{PACKAGE}{os.sep}"

    def is_ours(frame: FrameType) -> bool:
        return frame.f_code.co_filename.startswith(beginning)

    def is_imported(frame: FrameType | None) -> bool:
        while frame is not None:
            if frame.f_code.co_name == "<module>" and is_ours(frame):
                return True
            frame = frame.f_back
        return False

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and is_ours(frame):
            file = frame.f_code.co_filename.removeprefix(beginning)
            if file not in files and not is_imported(frame):
                files[file] = None

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return list(files)


def command(line: str, answers: str = "") -> None:
    """Run one command of the program with this standard input, and discard its output."""
    before = sys.argv, sys.stdin
    sys.argv = ["unshuffle", *line.split()]
    Path("answers.txt").write_text(answers, encoding="utf-8")
    try:
        with (
            open("answers.txt", encoding="utf-8") as sys.stdin,
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            main()
    except SystemExit as ended:
        if ended.code not in (0, 1, None):
            raise
    finally:
        sys.argv, sys.stdin = before


def study() -> None:
    """Run a study and read its report."""
    command(STUDY)
    command(REPORT)


def rooms_of(files: list[str]) -> dict[str, list[str]]:
    """Return the files by room; modules outside of rooms are under the name of the package."""
    rooms: dict[str, list[str]] = {}
    for file in files:
        room, _, name = file.rpartition("/")
        rooms.setdefault(room or PACKAGE.name, []).append(name.removesuffix(".py"))
    return rooms


def walk() -> dict[str, list[str]]:
    """Return the files of each trace, by its command lines. Writes some files into the working directory."""
    Path("deal.txt").write_text(str(unshuffle.game("belle-lucie").deal(3)), encoding="utf-8")
    return {
        SOLVE: passed(lambda: command(SOLVE)),
        ADVISE: passed(lambda: command(ADVISE, ANSWERS)),
        f"{STUDY}; {REPORT}": passed(study),
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for line, files in walk().items():
            rooms = rooms_of(files)
            print(f"{line}: {len(files)} files in {len(rooms)} rooms")
            for room, names in rooms.items():
                print(f"  {room:24} {' '.join(names)}")
