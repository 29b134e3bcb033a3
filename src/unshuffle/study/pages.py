"""Base class of documents: the methods of a page of text, and those that only a document has."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from io import StringIO

from unshuffle.study.tables import Column, Page


class Document(Page, ABC):
    """A page that is returned as one text at the end. Tables are never folded."""

    def __init__(self) -> None:
        super().__init__(StringIO())

    def line(self, text: str = "", *, bold: bool = False) -> None:
        """Write a paragraph. Blank lines are ignored: a document separates its parts anyway."""
        if text.strip():
            self.prose(text, bold=bold)

    def records(self, kind: str, values: Mapping[str, Mapping[str, str]]) -> None:
        """Write records as a table: a row for each, a column for each field that any of them has."""
        heads = list(dict.fromkeys(head for own in values.values() for head in own))
        columns = [Column(head, [own.get(head, "") for own in values.values()], is_words=True) for head in heads]
        self.table([Column(kind, list(values), is_words=True)], columns)

    @abstractmethod
    def title(self, text: str, lead: str) -> None:
        """Write the title of the page, and below it the lead."""

    @abstractmethod
    def code(self, text: str, language: str) -> None:
        """Write preformatted text for a terminal or a program."""

    @abstractmethod
    def picture(self, place: str, words: str) -> None:
        """Show an image file; `place` is its path relative to the page."""

    @abstractmethod
    def text(self) -> str:
        """Return the whole page."""


def spans(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the parts of a text, each with whether it is code, that is, between two backticks."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # an odd number of backticks
        yield False, text
        return
    for place, part in enumerate(parts):
        if part:
            yield place % 2 == 1, part
