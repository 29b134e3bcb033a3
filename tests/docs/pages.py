"""The pages, and what can be run on them: fenced blocks of console, sh, pycon and python, with their lines."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

from tests.laws import ROOT

DOCS = ROOT / "docs"
PAGES = {"README.md": ROOT / "README.md"} | {
    path.relative_to(DOCS).as_posix(): path for path in sorted(DOCS.rglob("*.md"))
}
"""Every page by its name: as it stands under docs/, and the README."""

RUN = ("console", "sh", "pycon", "python")
_FENCED = re.compile(r"^( *)```(\w*)([^\n]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r'title="([^"]+)"')


@dataclass(frozen=True)
class Block:
    """What stands between two fences; one with a title is a file that the reader is told to save under this name."""

    line: int
    language: str
    title: str | None
    text: str


@dataclass(frozen=True)
class Command:
    """A line of a console or of a shell script; `expected` is what a console shows behind it."""

    line: str
    expected: str | None = None


def read(name: str) -> str:
    return PAGES[name].read_text(encoding="utf-8")


def blocks(name: str) -> list[Block]:
    """In the order of the page."""
    text, found = read(name), []
    for match in _FENCED.finditer(text):
        title = _TITLE.search(match[3])
        line = text.count("\n", 0, match.start()) + 1
        found.append(Block(line, match[2], title and title[1], textwrap.dedent(match[4])))
    return found


def commands(block: Block) -> list[Command]:
    """The commands of a block of console or sh, one by one."""
    if block.language == "console":
        parts = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE)
        assert "".join(f"$ {line}\n{expected}" for line, expected in parts) == block.text, "a console begins with $"
        return [Command(line, expected) for line, expected in parts]
    lines = block.text.replace("\\\n", " ").splitlines()
    return [Command(line) for line in lines if line and not line.startswith("#")]


def anchors(path: Path) -> set[str]:
    """The headings of a page as links name them, on the site and in the repository alike."""
    text = _FENCED.sub("", path.read_text(encoding="utf-8"))
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        found.add(re.sub(r"[^\w -]", "", words).strip().lower().replace(" ", "-"))
    return found
