"""A person at a terminal who tries what a page shows, block by block, in a folder of their own."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from difflib import unified_diff
from io import StringIO
from pathlib import Path
from typing import Any

from tests.cli.conftest import Run
from tests.cli.program import environment
from tests.docs.pages import Block, Command, commands
from tests.docs.unrun import DIFFERS, SMALLER, UNRUN
from unshuffle.engine import describe_engine

# Another time with every run; a rate is told of runs that last, which is on a slow machine.
_TIMES = (
    (re.compile(r", [\d,]+ (?:deals|games)/s"), ""),
    (re.compile(r"[\d.,e-]+ (?:µs|ms|s)(?![\w/])"), "TIME"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"), "TIME"),
    (re.compile(r'"seconds": [\d.e-]+'), '"seconds": TIME'),
    (re.compile(r"((?:true|false),\d+),[\d.e-]+"), r"\1,TIME"),
)
_VERSION = (re.compile(r"unshuffle \d+\.\d+\.\d+"), "unshuffle VERSION")
# Another number with the other engine: the pages show the native one.
_COUNTS = (
    (re.compile(r"\b(?:native|python) engine(?:; none was needed: .*)?"), "ENGINE"),
    (re.compile(r"[\d.,]+ (?:nodes?|moves?|steps)\b"), "COUNT"),
    (re.compile(r'"nodes": .*'), "COUNTS"),
    (re.compile(r"(,(?:true|false)|score_proved),.*"), r"\1"),
)
_MANY = re.compile(r"\b0\.\.\d{3,}|(?<=range\()\d[\d_]{2,}(?=\))")
_COMMENT = re.compile(r"""('[^']*'|"[^"]*")|\s#.*""")
_OPERATORS = {"|", ">", "&&"}


@dataclass
class Reader:
    """Someone who reads a page; names of Python last from block to block, as in one sitting."""

    page: str
    run: Run
    folder: Path
    names: dict[str, Any] = field(default_factory=dict)

    def do(self, block: Block) -> None:
        """What the block says."""
        text = block.text
        if block.title is not None:
            (self.folder / block.title).write_text(text, encoding="utf-8")
        elif block.language == "pycon":
            self._prompt(block)
        elif block.language == "python" and not unrun(self.page, text):
            with redirect_stdout(StringIO()):
                exec(compile(smaller(self.page, text), f"{self.page}:{block.line}", "exec"), self.names)
        elif block.language in ("console", "sh"):
            for command in commands(block):
                if not unrun(self.page, command.line):
                    self._command(command)

    def _prompt(self, block: Block) -> None:
        test = doctest.DocTestParser().get_doctest(block.text, self.names, self.page, self.page, block.line)
        told: list[str] = []
        runner = doctest.DocTestRunner(verbose=False)
        # A test's names are a copy, unless they are put in its place.
        test.globs = self.names
        runner.run(test, out=told.append, clear_globs=False)
        assert not told, "".join(told)

    def _command(self, command: Command) -> None:
        shown = command.expected
        line = command.line if shown is not None else smaller(self.page, command.line)
        text = self.shell(line, strict=shown is None)
        if shown is not None:
            told, wanted = masked(self.page, text), masked(self.page, shown)
            differences = "\n".join(unified_diff(wanted.splitlines(), told.splitlines(), "the page", "the program"))
            assert told == wanted, f"{command.line}\n{differences}"

    def shell(self, line: str, strict: bool) -> str:
        """What the line prints; `strict`: it has to do its work."""
        line, merged, _ = line.partition(" 2>&1")
        # A comment begins behind a blank: in python:12345#1 is none.
        words = shlex.shlex(_COMMENT.sub(lambda match: match[1] or "", line), posix=True, punctuation_chars="|>&")
        words.whitespace_split = True
        words.commenters = ""
        text, part, operator = "", [], ""
        for word in [*words, "&&"]:
            if word not in _OPERATORS:
                part.append(word)
                continue
            if operator == ">":
                [name] = part
                (self.folder / name).write_text(text, encoding="utf-8")
                text = ""
            elif part:
                text = self._program(part, text if operator == "|" else "", strict, bool(merged))
            part, operator = [], word
        return text

    def _program(self, words: list[str], stdin: str, strict: bool, merged: bool) -> str:
        name, *arguments = words
        if name == "printf":
            [answers] = arguments
            return answers.replace("\\n", "\n")
        if name == "cat":
            return "".join((self.folder / each).read_text(encoding="utf-8") for each in arguments)
        if name == "head":
            [lines] = arguments
            return "".join(stdin.splitlines(keepends=True)[: int(lines.removeprefix("-"))])
        if name == "python":
            command = [sys.executable, *arguments]
            ended = subprocess.run(command, input=stdin, capture_output=True, text=True, env=environment(), check=False)
            assert ended.returncode == 0, ended.stderr
            return ended.stdout
        assert name == "unshuffle", f"the reader has no program {name!r}: teach it, or write it down in unrun.py"
        told = self.run(*arguments, stdin=stdin)
        # `solve` and `verify` say by their code that a deal is lost.
        fine = (0, 1, 3) if arguments[0] in ("solve", "verify") else (0,)
        assert not strict or told.code in fine, (arguments, told.code, told.err)
        return told.out + told.err * merged


def unrun(page: str, text: str) -> str | None:
    """Why this is not run, if it is not."""
    return next((why for beginning, why in UNRUN.get(page, {}).items() if beginning in text), None)


def smaller(page: str, text: str) -> str:
    """The pages speak of thousands."""
    for many, few in SMALLER.get(page, ()):
        text = text.replace(many, few)
    return _MANY.sub(lambda match: "0..9" if ".." in match[0] else "10", text)


def masked(page: str, text: str) -> str:
    """The text without what may differ from run to run and, on the Python side, from engine to engine."""
    masks = [*_TIMES, _VERSION]
    if describe_engine() != "native":
        masks += _COUNTS
        masks += [(re.compile(pattern), "DIFFERS") for pattern in DIFFERS.get(page, ())]
    for pattern, sign in masks:
        text = pattern.sub(sign, text)
    # The last digits of a sum hang on the order in which the processor adds.
    return re.sub(r"\d+\.\d{7,}(?:e-\d+)?", lambda match: f"{float(match[0]):.6g}", text)
