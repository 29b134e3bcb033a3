"""The console of interactive commands: in colour on a terminal, plain from a pipe."""

from __future__ import annotations

import re
import sys

from unshuffle.advise.console import Console, Pipe, Terminal
from unshuffle.advise.folder import check_id
from unshuffle.cli import show
from unshuffle.errors import ParseError, UsageError

_KIND = re.compile(r"( *[0-9]+  )([A-Z][a-z]+(?: [a-z]+)?)(?=  )")


def console_on(page: show.Page) -> Console:
    """Return a console that reads from the terminal or from a pipe, and writes to the page."""
    is_person = sys.stdin is not None and sys.stdin.isatty()
    return (Terminal if is_person else Pipe)(
        lambda text: page.line(text if page.is_plain else paint(page, text)),
        lambda game, state: show.picture(page, game, state),
        page.is_plain,
    )


def paint(page: show.Page, text: str) -> str:
    """Return a line of text with its cards and its class of move in colour."""
    match = _KIND.match(text)
    if match is None:
        return page.cards(text)
    return match[1] + page.kind(match[2], 0) + page.cards(text[match.end() :])


def usable_id(name: str) -> str:
    """Return the id of --id. Raise UsageError if it is not valid."""
    try:
        return check_id(name)
    except ParseError as error:
        raise UsageError(f"--id: {error}") from None
