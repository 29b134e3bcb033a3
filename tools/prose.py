"""Check the prose of comments, docstrings and pages for phrases to avoid, long sentences and long lines.

    python tools/prose.py [FILE ...]     without files: src/, tools/, engine/ and all pages of the repository

Prints `file:line: found -> say` for each finding, and exits with 1 if there is one. tools/prose.toml lists the phrases.
Code, text in backquotes and the targets of links are not prose.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import tomllib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
CHECKED = ("src/**/*.py", "tools/*.py", "engine/**/*.rs", "*.md", "docs/**/*.md", "studies/*.md")
MOST_WORDS = 45
"""Words in a sentence of a page or docstring, code apart."""
MOST_CHARACTERS = 120
"""Characters in a line of a page, links without their targets. Headings and tables may be longer."""
WRITTEN = ("docs/results/*.md", "docs/published.md", "docs/benchmarks.md")
"""Pages that programs write: to change their words is to change the programs."""

_CODE = re.compile(r"(`+)[^`]+\1")
_LINK = re.compile(r"\]\([^)\s]*(?: \"[^\"]*\")?\)|<?https?:[^\s>]+>?")
_ROW = ("#", "|")
_ITEM = re.compile(r"[-*+]\s|\d+\.\s|#|\||!!!|\?\?\?|\[[^\]]+\]:")
_RUST = re.compile(r"(?<![:\"/])//(?P<kind>[/!]?) ?(?P<words>.*)$")

Line = tuple[int, str]  # its number and its text
Phrases = Mapping[re.Pattern[str], str]  # what to find, and what to say instead


class Block(NamedTuple):
    """A paragraph, list item, table row or comment."""

    lines: tuple[Line, ...]
    is_measured: bool
    """Whether a sentence may be too long; in headings, rows and comments beside code none is."""


def findings(block: Block, phrases: Phrases) -> Iterator[Line]:
    """Yield the line number and the message of each phrase to avoid and each long sentence."""
    text = " ".join(line for _, line in block.lines)
    starts = list(accumulate((len(line) + 1 for _, line in block.lines), initial=0))
    found = [
        (match.start(), f"{match[0]} -> {say}") for phrase, say in phrases.items() for match in phrase.finditer(text)
    ]
    for sentence in re.finditer(r"\S.*?(?:[.!?][)\"*_]*(?=\s)|$)", text) if block.is_measured else ():
        count = len(re.findall(r"\w[\w'’.,-]*", sentence[0].replace("`x`", "")))
        if count > MOST_WORDS:
            found.append((sentence.start(), f"{' '.join(sentence[0].split()[:4])} ... -> split {count} words"))
    yield from ((block.lines[bisect_right(starts, place) - 1][0], message) for place, message in found)


def blocks(lines: Iterable[Line]) -> Iterator[Block]:
    """Yield the blocks of a page or docstring, without fenced, indented and prompted code."""
    held: list[Line] = []
    fence = ""
    is_in_list = False
    for number, line in (*lines, (0, "")):
        words = line.strip()
        is_fence = words.startswith(("```", "~~~")) and fence in ("", words[:3])
        # Behind a list item, indented lines are its next paragraph.
        is_indented = line.startswith("    ") and not held and not is_in_list
        is_code = is_fence or bool(fence) or is_indented or words.startswith((">>> ", "... ", "<!--"))
        if is_fence:
            fence = "" if fence else words[:3]
        is_new = _ITEM.match(words) is not None
        if held and (is_code or not words or is_new or held[0][1].startswith(_ROW)):
            yield Block(tuple(held), is_measured=not held[0][1].startswith(_ROW))
            held = []
        if words and not is_code:
            is_in_list = is_new or (is_in_list and (bool(held) or line.startswith(" ")))
            held.append((number, _LINK.sub("]", _CODE.sub("`x`", words))))


def comments(lines: Iterable[Line]) -> Iterator[Block]:
    """Yield the comments beside code; those on consecutive lines are one."""
    held: list[Line] = []
    for number, words in (*lines, (0, "")):
        if held and number != held[-1][0] + 1:
            yield Block(tuple(held), is_measured=False)
            held = []
        held.append((number, _CODE.sub("`x`", words)))


def read_python(source: str) -> Iterator[Block]:
    """Yield the docstrings, of attributes too, and the comments."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            text = [line[node.col_offset :] for line in lines[node.lineno - 1 : node.end_lineno]]
            text[0] = re.sub(r'^\w?"+', "", text[0])
            text[-1] = re.sub(r'"+$', "", text[-1])
            yield from blocks(enumerate(text, node.lineno))
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    yield from comments(
        (token.start[0], token.string.lstrip("# ")) for token in tokens if token.type == tokenize.COMMENT
    )


def read_rust(source: str) -> Iterator[Block]:
    """Yield the comments; those of documentation are read as pages."""
    found = [(number, match) for number, line in enumerate(source.splitlines(), 1) if (match := _RUST.search(line))]
    yield from comments((number, match["words"]) for number, match in found if not match["kind"])
    documentation = {number: match["words"] for number, match in found if match["kind"]}
    # An empty line ends a block where the documentation ends.
    yield from blocks((n, documentation.get(n, "")) for n in range(1, max(documentation, default=0) + 1))


def check(path: Path, phrases: Phrases) -> list[Line]:
    """Return the line number and the message of each finding in a file, in order."""
    source = path.read_text(encoding="utf-8")
    lines = list(enumerate(source.splitlines(), 1))
    is_page = path.suffix == ".md"
    read = list(blocks(lines) if is_page else read_python(source) if path.suffix == ".py" else read_rust(source))
    found = [each for block in read for each in findings(block, phrases)]
    for number, _ in (line for block in read for line in block.lines if is_page and path.name != "CHANGELOG.md"):
        line = _LINK.sub("]", lines[number - 1][1].rstrip())
        # A line without a blank, code apart, cannot be wrapped.
        if len(line) > MOST_CHARACTERS and not line.startswith(_ROW) and " " in _CODE.sub("x", line):
            found.append((number, f"{line[:30]} ... -> wrap at {MOST_CHARACTERS} characters"))
    return sorted(found)


def main(arguments: list[str]) -> int:
    """Check the named files, or all; print the findings and return the exit code."""
    groups = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")).values()
    listed = {phrase: say for group in groups for phrase, say in group.items()}
    phrases = {re.compile(rf"(?<!\w)(?:{phrase})(?!\w)", re.IGNORECASE): say for phrase, say in listed.items()}
    paths = [Path(name) for name in arguments] or [
        path for each in CHECKED for path in sorted(ROOT.glob(each)) if not any(path.match(page) for page in WRITTEN)
    ]
    found = [(path, *each) for path in paths for each in check(path, phrases)]
    for path, number, message in found:
        print(f"{path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}:{number}: {message}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
