"""The pages of a report that are files: the same methods as a page of text, and what only a document has."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from io import StringIO

from unshuffle.study.tables import Column, Page


class Document(Page, ABC):
    """A page that is written at once, when all of it is known. Tables are never folded."""

    def __init__(self) -> None:
        super().__init__(StringIO())

    def line(self, text: str = "", *, bold: bool = False) -> None:
        """Write a paragraph; a blank line only parts what is apart in a document anyway."""
        if text.strip():
            self.prose(text, bold=bold)

    def records(self, kind: str, values: Mapping[str, Mapping[str, str]]) -> None:
        """Write several things as a table: a row for each, a column for each field that one of them has."""
        heads = list(dict.fromkeys(head for own in values.values() for head in own))
        columns = [Column(head, [own.get(head, "") for own in values.values()], is_words=True) for head in heads]
        self.table([Column(kind, list(values), is_words=True)], columns)

    @abstractmethod
    def title(self, text: str, lead: str) -> None:
        """Write the head of the page, and below it what it is about."""

    @abstractmethod
    def code(self, text: str, language: str) -> None:
        """Write what is to be typed or read by a program, as it is."""

    @abstractmethod
    def picture(self, place: str, words: str) -> None:
        """Show a picture that is a file of its own, at a place that is seen from the page."""

    @abstractmethod
    def text(self) -> str:
        """The whole page."""


def spans(text: str) -> Iterator[tuple[bool, str]]:
    """Words and code by turns: what stands between two backticks is code, True."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # one of them has no partner
        yield False, text
        return
    for place, part in enumerate(parts):
        if part:
            yield place % 2 == 1, part
