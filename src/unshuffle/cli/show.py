"""Text output: pages in plain text or colour, results, and lines of play in words."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from unshuffle.cli.arguments import Explain
from unshuffle.errors import UsageError
from unshuffle.game import AnyGame
from unshuffle.numbers import plural as plural
from unshuffle.solve import Line, Result, Status
from unshuffle.solve.reasons import why_no_search
from unshuffle.solve.replay import moves_in_columns
from unshuffle.solve.result import per_second
from unshuffle.terminal import as_is, in_json, printable

if TYPE_CHECKING:
    from unshuffle.hidden.chance import Chance

_RED_CARD = re.compile(r"(?<![A-Za-z0-9])(?:10|[A2-9TJQK])(?:[♦♥]|[DH](?![A-Za-z0-9]))|-[♦♥]")
_CARD = re.compile(rf"{_RED_CARD.pattern}|[A2-9TJQK][♣♠]")
_LETTERS = str.maketrans("♣♦♥♠…·█▌", "CDHS~.#+")
_COLOURS = {"red": 31, "green": 32, "yellow": 33, "blue": 34, "magenta": 35, "cyan": 36}
_KIND_COLOURS = {"Safe build": "green", "Foundation move": "cyan", "Blocking move": "yellow", "Merci": "magenta"}

_VERDICTS = {
    Status.SOLVED: "this {deal} can be won",
    Status.UNSOLVABLE: "this {deal} cannot be won{alone}; every way of playing it was ruled out",
    Status.NODE_LIMIT: "undecided: the node limit was reached first, which is not a no",
    Status.TIME_LIMIT: "undecided: the time limit was reached first, which is not a no",
    Status.MEMORY_LIMIT: "undecided: the memory limit was reached first, which is not a no",
    Status.CANCELLED: "undecided: the search was interrupted",
    Status.UNKNOWN_REDEALS: (
        "undecided: this {deal} cannot be won without a redeal that nobody knows (proved), and {brought}"
    ),
}


class Page:
    """An output stream that knows whether it can show colours and suit glyphs."""

    def __init__(self, stream: TextIO, is_plain: bool = False) -> None:
        self._stream = stream
        self.is_plain = is_plain
        """Whether tables are shown as layout text, which `parse` reads."""
        self.has_colour = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        try:
            "♣♦♥♠".encode(stream.encoding or "utf-8")
            self._has_glyphs = True
        except UnicodeEncodeError:
            self._has_glyphs = False

    def line(self, text: str = "") -> None:
        """Write a line in one call, so that an interruption cannot cut it."""
        if not self._has_glyphs:
            text = text.translate(_LETTERS).encode("ascii", "replace").decode("ascii")
        self._stream.write(text + "\n")
        self._stream.flush()

    def data(self, text: str) -> None:
        """Write a line for programs to read, of any length."""
        self._stream.write(as_is(self._stream, printable(text)) + "\n")
        self._stream.flush()

    def style(self, text: str, colour: str | None = None, *, bold: bool = False) -> str:
        """Return the text in a colour, in bold, or both, if the stream has colours."""
        if not self.has_colour:
            return text
        codes = ([str(_COLOURS[colour])] if colour else []) + (["1"] if bold else [])
        starts = "".join(as_is(self._stream, f"\x1b[{code}m") for code in codes)
        return f"{starts}{text}{as_is(self._stream, chr(27) + '[0m')}" if codes else text

    def cards(self, text: str, bold: Iterable[str] = ()) -> str:
        """Return the text with its red cards in red, and those of `bold` in bold."""
        if not self.has_colour:
            return text
        strong = set(bold)

        def style(match: re.Match[str]) -> str:
            card = match[0]
            return self.style(card, "red" if _RED_CARD.fullmatch(card) else None, bold=card in strong)

        return (_CARD if strong else _RED_CARD).sub(style, text)

    def kind(self, kind: str, width: int) -> str:
        """Return the class of a move, padded and in its colour."""
        text = kind.ljust(width)
        return self.style(text, _KIND_COLOURS.get(kind, "blue"))

    def verdict(self, text: str, status: Status, *, goes_on: bool = False) -> str:
        """Return the text in the colour of its status.

        An unsolvable phase is yellow, not red, if the game `goes_on` with a redeal.
        """
        colours = {Status.SOLVED: "green", Status.UNSOLVABLE: "yellow" if goes_on else "red"}
        return self.style(text, colours.get(status, "yellow"), bold=True)


def speed(count: int, seconds: float, what: str) -> str:
    """Return `, 1,234 nodes/s`, a suffix for a count; '' if the time was too short to measure."""
    per = per_second(count, seconds)
    if per is None or per < 0.005:
        return ""
    return f", {per:,.{0 if per >= 0.995 else 2}f} {what}/s"


def duration(seconds: float) -> str:
    """Return a time with three significant digits, or with two decimals from one second on."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{1e3 * seconds:.3g} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.3g} µs"


def score(game: AnyGame, points: int) -> str:
    """Return the score, the maximum and the rest as text; the game may name the unit ('cards up').

    Where moves cost points the maximum cannot be reached, so the rest is omitted.
    """
    counts = game.score_counts
    left = "" if game.charges_moves else f", {game.most_score - points} left"
    return f"{points} of {game.most_score}{counts and ' ' + counts}{left}"


def moves_in_words(
    page: Page,
    game: AnyGame,
    line: Line,
    explain: Explain = Explain.SHORT,
    first: int = 1,
    width: int = 0,
    beside: Sequence[str] = (),
) -> Iterator[str]:
    """Yield the numbered moves with class, token and description, in columns; with FULL also the table after each.

    `beside` is one more column before the description, with a cell for each move.
    """
    width = width or len(str(len(line.moves)))
    for number, (_, kind, token, text) in enumerate(moves_in_columns(game, line), 1):
        place = f"{first + number - 1:>{width}}"
        cell = f"{page.cards(beside[number - 1])}  " if beside else ""
        yield f"{place}  {page.kind(kind.rstrip(), len(kind))}  {page.cards(token)}  {cell}{page.cards(text)}"
        if explain is Explain.FULL:
            yield from ("", *(f"    {row}" for row in picture(page, game, line.states[number])), "")


def picture(page: Page, game: AnyGame, state: Any) -> list[str]:
    """Return the rows of the table: a picture, or on a plain page its layout text."""
    if page.is_plain:
        return game.format(state).splitlines()
    return page.cards(game.picture(state), (card.glyph for card in game.settled(state))).splitlines()


def play(page: Page, game: AnyGame, line: Line, explain: Explain, beside: Sequence[str] = ()) -> None:
    """Print a line of play: the table before it, the moves, and the table after it; with redeals, deal by deal."""
    if explain is Explain.NONE:
        return
    for row in play_rows(page, game, line, explain, beside):
        page.line(row)


def play_rows(
    page: Page, game: AnyGame, line: Line, explain: Explain = Explain.SHORT, beside: Sequence[str] = ()
) -> Iterator[str]:
    """Yield the rows of a line of play. `beside` is as in `moves_in_words`; a game with redeals ignores it."""
    if count_deals(line.states[0]) > 1:
        yield from _deals_in_words(page, game, line, explain)
        return
    yield from (*picture(page, game, line.states[0]), "")
    if line.moves:
        yield from (
            *moves_in_words(page, game, line, explain, beside=beside),
            "",
            f"After {plural(len(line.moves), 'move')}:",
        )
        yield from (*picture(page, game, line.states[-1]), "")


# A state of a game with redeals has the number of its deal (`deal`) and how many redeals may follow (`redeals_left`).


def count_deals(state: Any) -> int:
    """Return the number of deals of the whole game, redeals included."""
    return int(getattr(state, "deal", 1) + getattr(state, "redeals_left", 0))


def name_deal(state: Any) -> str:
    """Return the name of the state's deal, such as `Deal 2 of 3`."""
    return f"Deal {state.deal} of {count_deals(state)}"


def _deals_in_words(page: Page, game: AnyGame, line: Line, explain: Explain) -> Iterator[str]:
    width = len(str(len(line.moves)))
    start = 0
    for part in split_deals(game, line):
        first, last = part.states[0], part.states[-1]
        yield from (name_deal(first), "", *_picture_of_deal(page, game, first), "")
        if part.moves:
            yield from (*moves_in_words(page, game, part, explain, start + 1, width), "")
        counts = (game.score_counts or "score").capitalize()
        gain = f"{last.score - first.score} in this deal, {last.score} of {game.most_score} in all"
        made = f"After {plural(len(part.moves), 'move')}." if part.moves else "No move in this deal."
        yield f"{made} {counts}: {gain}, {game.most_score - last.score} left"
        if part.moves:
            yield from _picture_of_deal(page, game, last)
        yield ""
        start += len(part.moves)
        if start < len(line.moves):
            # No token: it may list all cards, which the next deal shows anyway.
            word = game.describe(last, line.moves[start])
            start += 1
            yield from (f"{start:>{width}}  {page.kind(word.kind, 0)}  {page.cards(word.text)}", "")


def _picture_of_deal(page: Page, game: AnyGame, state: Any) -> list[str]:
    """Return the rows of the table without the name of the deal, which is printed above it."""
    name = name_deal(state)
    return [row.removeprefix(f"{name}, ") for row in picture(page, game, state) if row != name]


def split_deals(game: AnyGame, line: Line) -> Iterator[Line]:
    """Yield the line of each deal, without the redeals between them."""
    begin = 0
    for place, move in enumerate(line.moves):
        if game.is_redeal(move):
            yield Line(line.states[begin : place + 1], line.moves[begin:place])
            begin = place + 1
    yield Line(line.states[begin:], line.moves[begin:])


def result(
    page: Page,
    game: AnyGame,
    found: Result,
    explain: Explain,
    notes: Iterable[str] = (),
    *,
    stats: bool = False,
    chance: Chance | None = None,
) -> None:
    """Print the full answer for one deal. `chance` is the chance to win if only an unknown redeal could win."""
    for row in (found.state.id or f"{game} (typed)", *notes, ""):
        page.line(row)
    line = found.line
    play(page, game, line, explain)
    goes_on = may_go_on(game, found)
    alone = " without a redeal" * (goes_on and found.status is not Status.SOLVED)
    proved = f"proved: no line of play does better{alone}" if found.score_proved else "not proved to be the best"
    page.line(f"Score: {score(game, found.score)}; {proved}")
    search = f"{plural(found.stats.nodes, 'node')} in {duration(found.stats.seconds)}"
    why = why_no_search(game, found)
    page.line(f"Search: {search}, {found.engine} engine{why and f'; none was needed: {why}'}")
    if stats:
        counts = dict(found.stats)
        if (per := per_second(counts["nodes"], counts["seconds"])) is not None:
            counts["nodes per second"] = round(per)
        width = max(map(len, counts))
        for name, count in counts.items():
            page.line(f"  {name.replace('_', ' '):<{width}}  {f'{count:.6f}' if name == 'seconds' else f'{count:,}'}")
    has_redeals = count_deals(found.state) > 1
    is_phase = has_redeals and game.solves_phases
    deal = "phase" if is_phase else "game" if has_redeals else "deal"
    brought = ""
    if found.status is Status.UNKNOWN_REDEALS:
        from unshuffle.hidden.chance import what_it_brings

        brought = what_it_brings(chance)
    verdict = _VERDICTS[found.status].format(deal=deal, alone=" without a redeal" * goes_on, brought=brought)
    if found.status is Status.SOLVED:
        verdict += f", in {plural(len(found.moves), 'move')}"
        verdict += f" over {plural(len(list(split_deals(game, line))), 'deal')}" if has_redeals and not is_phase else ""
    known = game.known_words(found.state)
    page.line(f"{page.verdict(f'Verdict: {verdict}', found.status, goes_on=goes_on)} ({known})")
    if found.status is Status.UNKNOWN_REDEALS:
        from unshuffle.play.thinking import redeal_words  # slow to import, and seldom needed

        page.line(
            redeal_words(chance) or "The chance to win is not known; `unshuffle simulate --samples` estimates it."
        )
        page.line(f"The line that was found does not plan for them{_ways_out(game, found.state)}.")


def _ways_out(game: AnyGame, state: Any) -> str:
    """Return the game's advice on how to tell unknown redeals, as the end of a sentence; '' if it has none."""
    try:
        game.check_open(state)
    except UsageError as error:
        return f": {error}"
    return ""


def may_go_on(game: AnyGame, found: Result) -> bool:
    """Return whether the answer is about one phase, after which the game may go on with a redeal."""
    return game.solves_phases and game.leaves_redeals_out(found.state)


def json_line(page: Page, values: dict[str, Any]) -> None:
    """Print one JSON object on one line."""
    page.data(in_json(values))
