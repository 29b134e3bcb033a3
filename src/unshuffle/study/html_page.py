"""Reports as one HTML page that fetches nothing, runs no script, and also suits phones and printers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import unshuffle as un
from unshuffle.study.pages import Document, spans
from unshuffle.study.stylesheet import STYLESHEET
from unshuffle.study.svg import write_text
from unshuffle.study.tables import Column


class HtmlPage(Document):
    """An HTML5 page that contains its stylesheet and its pictures."""

    def __init__(self) -> None:
        super().__init__()
        self._head = ""
        self._title = "Report"
        self._sections: list[tuple[str, list[str]]] = []
        self._parts: list[str] = []
        self.figures: list[tuple[str, str, str]] = []
        """For each picture its heading, its HTML and its caption."""

    def title(self, text: str, lead: str) -> None:
        """Set the heading and the lead of the page, and its title in the browser."""
        self._title = text
        self._head = f'<h1>{write_text(text)}</h1>\n<p class="lead">{_words(lead)}</p>'

    def section(self, title: str) -> None:
        """Begin a section with a heading, which the table of contents links to."""
        self._parts = []
        self._sections.append((title, self._parts))

    def prose(self, text: str, *, bold: bool = False) -> None:
        """Add a paragraph."""
        words = f"<strong>{_words(text)}</strong>" if bold else _words(text)
        self._add(f"<p>{words}</p>")

    def lines(self, lines: Iterable[str]) -> None:
        """Add preformatted lines."""
        self.code("\n".join(lines), "text")

    def fields(self, values: Mapping[str, str], indent: int = 2) -> None:
        """Add a list of names and values."""
        pairs = (f"<div><dt>{write_text(name)}</dt><dd>{_words(value)}</dd></div>" for name, value in values.items())
        self._add("\n".join(["<dl>", *pairs, "</dl>"]))

    def table(self, key: Sequence[Column], *groups: Sequence[Column]) -> None:
        """Add one table, which scrolls sideways if it is too wide. Its caption is the heading above it."""
        columns = [*key, *(column for group in groups for column in group)]
        caption = self._sections[-1][0] if self._sections else self._title
        head = "".join(f'<th scope="col"{_side(column)}>{write_text(column.head)}</th>' for column in columns)
        rows = []
        for place in range(len(columns[0].values)):
            cells = [
                f'<th scope="row"{_side(column)}>{_words(column.values[place])}</th>'
                if number < len(key)
                else f"<td{_side(column)}>{_words(column.values[place])}</td>"
                for number, column in enumerate(columns)
            ]
            rows.append(f"<tr>{''.join(cells)}</tr>")
        # The tab key focuses the scrolling box, for readers without a mouse.
        box = f'<div class="scroll" role="region" aria-label="{write_text(caption)}" tabindex="0">'
        start = f"{box}<table><caption>{write_text(caption)}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>"
        self._add("\n".join([start, *rows, "</tbody></table></div>"]))

    def code(self, text: str, language: str) -> None:
        """Add preformatted text."""
        lines = "\n".join(map(write_text, text.rstrip().split("\n")))
        self._add(f'<pre tabindex="0"><code>{lines}</code></pre>')

    def picture(self, place: str, words: str) -> None:
        """Do nothing: this page contains its own pictures."""

    def figure(self, drawn: str, caption: str) -> None:
        """Add a picture with its caption."""
        self.figures.append((self._sections[-1][0] if self._sections else self._title, drawn, caption))
        self._add(f"<figure>\n{drawn}\n<figcaption>{_words(caption)}</figcaption>\n</figure>")

    def _add(self, part: str) -> None:
        if not self._sections:
            self._head += f"\n{part}"
        else:
            self._parts.append(part)

    def text(self) -> str:
        """Return the whole page."""
        titles = [title for title, _ in self._sections]
        links = "".join(f'<li><a href="#part-{n}">{write_text(title)}</a></li>' for n, title in enumerate(titles, 1))
        body = "\n".join(
            f'<section aria-labelledby="part-{number}">\n<h2 id="part-{number}">{write_text(title)}</h2>\n'
            + "\n".join(parts)
            + "\n</section>"
            for number, (title, parts) in enumerate(self._sections, 1)
        )
        contents = f'<nav aria-label="Contents"><ul>{links}</ul></nav>' if titles else ""
        return (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n'
            f'<meta name="generator" content="unshuffle {write_text(un.__version__)}">\n'
            f"<title>{write_text(self._title)}</title>\n<style>\n{STYLESHEET}</style>\n</head>\n<body>\n"
            f"<header>\n{self._head}\n{contents}\n</header>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
        )


def _words(text: str) -> str:
    return "".join(f"<code>{write_text(part)}</code>" if is_code else write_text(part) for is_code, part in spans(text))


def _side(column: Column) -> str:
    return "" if column.is_words else ' class="number"'
