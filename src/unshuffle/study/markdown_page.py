"""Reports as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from unshuffle.study.pages import Document, spans
from unshuffle.study.tables import Column

# Characters with a meaning in Markdown, everywhere or in some contexts. An underscore within a word, as in the names of
# rules, has none; nor has a bracket that no link follows.
_SIGNS = re.compile(r"[\\`*<>|~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|&(?=[#A-Za-z])|\](?=[(\[:])|!(?=\[)")
# What would make a heading or a list of the paragraph that it begins.
_BEGINNING = re.compile(r"([0-9]*)([-+#=]|[.)](?=\s|$))")


def escape(text: str) -> str:
    """Return the text with all Markdown markup escaped."""
    return _SIGNS.sub(lambda sign: "\\" + sign[0], text)


class MarkdownPage(Document):
    """A page in GitHub's Markdown, without raw HTML."""

    def __init__(self) -> None:
        super().__init__()
        self._blocks: list[str] = []

    def title(self, text: str, lead: str) -> None:
        """Add a heading of the first level and a paragraph."""
        self._blocks.append(f"# {escape(_plain(text))}")
        self.prose(lead)

    def section(self, title: str) -> None:
        """Add a heading."""
        self._blocks.append(f"## {escape(_plain(title))}")

    def prose(self, text: str, *, bold: bool = False) -> None:
        """Add a paragraph on one line."""
        words = _words(text)
        beginning = _BEGINNING.match(words)
        if beginning is not None:
            words = f"{beginning[1]}\\{words[beginning.end(1) :]}"
        self._blocks.append(f"**{words}**" if bold else words)

    def lines(self, lines: Iterable[str]) -> None:
        """Add preformatted lines."""
        self.code("\n".join(lines), "text")

    def fields(self, values: Mapping[str, str], indent: int = 2) -> None:
        """Add a list."""
        self._blocks.append("\n".join(f"- **{_words(name)}**: {_words(value)}" for name, value in values.items()))

    def table(self, key: Sequence[Column], *groups: Sequence[Column]) -> None:
        """Add one table, however wide."""
        columns = [*key, *(column for group in groups for column in group)]
        rows = [
            # A pipe would end the cell, even within code.
            [_words(cell, pipe=r"\|") for cell in row]
            for row in zip(*([each.head, *each.values] for each in columns), strict=True)
        ]
        rows.insert(1, [":---" if column.is_words else "---:" for column in columns])
        self._blocks.append("\n".join(f"| {' | '.join(row)} |" for row in rows))

    def code(self, text: str, language: str) -> None:
        """Add a fenced block, with a fence longer than any in the text."""
        fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 3)
        lines = "\n".join(map(_visible, text.rstrip().split("\n")))
        self._blocks.append(f"{fence}{language}\n{lines}\n{fence}")

    def picture(self, place: str, words: str) -> None:
        """Add an image."""
        self._blocks.append(f"![{escape(_plain(words))}](<{place.replace('<', '%3C').replace('>', '%3E')}>)")

    def text(self) -> str:
        """Return the whole page."""
        return "\n\n".join(self._blocks) + "\n"


def _visible(text: str) -> str:
    """Return the text with '?' for characters that are not printable."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def _plain(text: str) -> str:
    """Return the visible text on one line."""
    return " ".join(_visible(text).split())


def _words(text: str, pipe: str = "|") -> str:
    parts = spans(_plain(text))
    return "".join(f"`{part.replace('|', pipe)}`" if is_code else escape(part) for is_code, part in parts)
