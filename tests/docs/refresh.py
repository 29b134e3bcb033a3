"""Write again what the commands of pages print: `python -m tests.docs.refresh docs/tour.md`. Review the diff.

Only what differs beyond times is changed, so a page that is true stays as it is.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from tests.cli.program import Ended
from tests.docs.pages import DOCS, PAGES, blocks, commands, read
from tests.docs.readers_folder import furnish
from tests.docs.running import Reader, masked, unrun
from unshuffle.cli.main import main


def run(*arguments: object, stdin: str | bytes = b"") -> Ended:
    """The program in this process, as the fixture of the same name runs it."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    with (
        redirect_stdout(io.StringIO()) as out,
        redirect_stderr(io.StringIO()) as err,
        patch("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")),
    ):
        code = main([str(argument) for argument in arguments])
    return Ended(code, out.getvalue(), err.getvalue())


def refresh(name: str) -> None:
    """The page with what its consoles show today."""
    text = read(name)
    reader = Reader(name, run, Path.cwd())
    for block in blocks(name):
        if block.language != "console" or block.title is not None:
            try:
                reader.do(block)
            except AssertionError as error:
                # Prompts are mended by hand: what Python shows is part of what the page says.
                print(error, file=sys.stderr)
            continue
        for command in commands(block):
            if not unrun(name, command.line):
                shown = reader.shell(command.line, strict=False)
                if masked(name, shown) != masked(name, command.expected or ""):
                    text = text.replace(f"$ {command.line}\n{command.expected}", f"$ {command.line}\n{shown}", 1)
    PAGES[name].write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        path = Path(argument).resolve()
        with TemporaryDirectory() as place:
            furnish(Path(place))
            os.chdir(place)
            sys.path.insert(0, place)
            os.environ["UNSHUFFLE_STORE"] = "s.sqlite"
            refresh(path.relative_to(DOCS).as_posix() if path.is_relative_to(DOCS) else path.name)
            os.chdir(DOCS.parent)
