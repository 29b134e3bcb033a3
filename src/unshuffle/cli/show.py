"""What people see: pages of text, in colour where that helps, with lines of play in words."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any, TextIO

import typer

from unshuffle.cli.arguments import Explain
from unshuffle.game import INFORMATION, AnyGame
from unshuffle.solve import Line, Result, Status

_RED_CARD = re.compile(r"(?<![A-Za-z0-9])(?:10|[A2-9TJQK])(?:[♦♥]|[DH](?![A-Za-z0-9]))|-[♦♥]")
_LETTERS = str.maketrans("♣♦♥♠…", "CDHS~")
_KIND_COLOURS = {"Safe build": "green", "Foundation move": "cyan", "Blocking move": "yellow", "Merci": "magenta"}

_VERDICTS = {
    Status.SOLVED: "this deal can be won",
    Status.UNSOLVABLE: "this deal cannot be won; every way of playing it was ruled out",
    Status.NODE_LIMIT: "undecided: the node limit was reached first, which is not a no",
    Status.TIME_LIMIT: "undecided: the time limit was reached first, which is not a no",
    Status.MEMORY_LIMIT: "undecided: the memory limit was reached first, which is not a no",
    Status.CANCELLED: "undecided: the search was interrupted",
}


class Page:
    """A stream and what it can show."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.has_colour = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        try:
            "♣♦♥♠".encode(stream.encoding or "utf-8")
            self._has_glyphs = True
        except UnicodeEncodeError:
            self._has_glyphs = False

    def line(self, text: str = "") -> None:
        """Write a whole line at once, so that no interruption leaves half of it."""
        if not self._has_glyphs:
            text = text.translate(_LETTERS).encode("ascii", "replace").decode("ascii")
        self._stream.write(text + "\n")
        self._stream.flush()

    def cards(self, text: str) -> str:
        """The text with its red cards in red."""
        return _RED_CARD.sub(lambda match: typer.style(match[0], fg="red"), text) if self.has_colour else text

    def kind(self, kind: str, width: int) -> str:
        """A move's class in its column and its colour."""
        text = kind.ljust(width)
        return typer.style(text, fg=_KIND_COLOURS.get(kind, "blue")) if self.has_colour else text

    def verdict(self, text: str, status: Status) -> str:
        """The last word, in a colour that says which one it is."""
        if not self.has_colour:
            return text
        colour = {Status.SOLVED: "green", Status.UNSOLVABLE: "red"}.get(status, "yellow")
        return typer.style(text, fg=colour, bold=True)


def plural(number: int, noun: str) -> str:
    """1 move, 1,234 moves."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def duration(seconds: float) -> str:
    """A time with three digits that count."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{1e3 * seconds:.3g} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.3g} µs"


def score(game: AnyGame, points: int) -> str:
    """The score, what could be reached and what is left; the game may say what it counts ('cards up')."""
    counts = game.score_counts
    return f"{points} of {game.most_score}{counts and ' ' + counts}, {game.most_score - points} left"


def moves_in_words(page: Page, game: AnyGame, line: Line, explain: Explain = Explain.SHORT) -> Iterator[str]:
    """Numbered moves with class, token and prose, in columns; with FULL the table after each one."""
    words = [game.describe(state, move) for state, move in zip(line.states, line.moves, strict=False)]
    number_width = len(str(len(words)))
    kind_width = max((len(word.kind) for word in words), default=0)
    token_width = max((len(move.token) for move in line.moves), default=0)
    for number, (move, word) in enumerate(zip(line.moves, words, strict=True), 1):
        kind = page.kind(word.kind, kind_width)
        token = page.cards(move.token.ljust(token_width))
        yield f"{number:>{number_width}}  {kind}  {token}  {page.cards(word.text)}"
        if explain is Explain.FULL:
            yield from ("", *(f"    {row}" for row in picture(page, game, line.states[number])), "")


def picture(page: Page, game: AnyGame, state: Any) -> list[str]:
    """The table, row by row."""
    return page.cards(game.picture(state)).splitlines()


def play(page: Page, game: AnyGame, line: Line, explain: Explain) -> None:
    """A line of play: the table before it, the moves, the table after it."""
    if explain is Explain.NONE:
        return
    rows = [*picture(page, game, line.states[0]), ""]
    if line.moves:
        rows += [*moves_in_words(page, game, line, explain), "", f"After {plural(len(line.moves), 'move')}:"]
        rows += [*picture(page, game, line.states[-1]), ""]
    for row in rows:
        page.line(row)


def result(page: Page, game: AnyGame, found: Result, line: Line, explain: Explain) -> None:
    """The whole answer for one deal."""
    page.line(f"{found.state.id or f'{game} (typed)'}")
    page.line()
    play(page, game, line, explain)
    proved = "proved: no line of play does better" if found.score_proved else "not proved to be the best"
    page.line(f"Score: {score(game, found.score)}; {proved}")
    search = f"{plural(found.stats.nodes, 'node')} in {duration(found.stats.seconds)}"
    page.line(f"Search: {search}, {found.engine} engine")
    verdict = _VERDICTS[found.status]
    if found.status is Status.SOLVED:
        verdict += f", in {plural(len(found.moves), 'move')}"
    page.line(f"{page.verdict(f'Verdict: {verdict}', found.status)} ({INFORMATION['open']})")


def json_line(page: Page, values: dict[str, Any]) -> None:
    """One JSON object on one line."""
    import json  # here, for a plain solve has no use for it

    page.line(json.dumps(values))
