"""A review as text: a row for each position, and sentences about the whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from unshuffle.game import INFORMATION, Outcome
from unshuffle.hidden.chance import Chance, percent, what_it_brings
from unshuffle.numbers import plural
from unshuffle.review.ledger import By, Verdict
from unshuffle.review.report import Drop, Position, Review, Span

_BAR = 20
"""The width of a full bar."""
LOST_HERE = "  <- lost here"
_HEADS = ("", "move", "verdict", "how known", "chance to win")

BY_WORDS = {
    By.WON: "won",
    By.STUCK: "no move is left",
    By.LINE: "the line wins",
    By.SEARCH: "searched",
    By.PASSED: "a win passes here",
    By.LATER: "winnable later",
    By.EARLIER: "lost before",
    By.SAME: "lost where it comes again",
    By.LIMIT: "a limit was hit",
    By.UNASKED: "not searched",
    By.CARDS: "cards not known",
    By.REDEALS: "left to a redeal",
}


@dataclass(frozen=True, slots=True)
class Row:
    """The columns of one position; all but the last are padded."""

    place: str
    """The number of moves before it."""
    token: str
    verdict: str
    by: str
    chance: str
    """'' in every row if nothing was hidden."""
    text: str
    """The move that led here, in words."""
    position: Position
    is_turning: bool
    """Whether its move lost the game."""


def rows(review: Review) -> tuple[str, list[Row]]:
    """Return the heading and the rows of the positions, the start first."""
    positions = review.positions
    scale = full_bar(review)
    columns = [
        [str(position.after) for position in positions],
        ["" if position.move is None else _token(review, position) for position in positions],
        [position.verdict.value for position in positions],
        [BY_WORDS[position.by] for position in positions],
        [_chance(position.chance, scale) if review.has_chances else "" for position in positions],
    ]
    heads = [head if any(column) else "" for head, column in zip(_HEADS, columns, strict=True)]
    widths = [max(map(len, (head, *column))) for head, column in zip(heads, columns, strict=True)]
    lost = {span.lost_by.number for span in review.spans if span.lost_by is not None}
    found = []
    for position, place, *cells in zip(positions, *columns, strict=True):
        token, verdict, by, chance = (cell.ljust(width) for cell, width in zip(cells, widths[1:], strict=True))
        text, is_turning = _text(review, position), position.after in lost
        found.append(Row(place.rjust(widths[0]), token, verdict, by, chance, text, position, is_turning))
    padded = [head.ljust(width) for head, width in zip(heads, widths, strict=True)]
    return "  ".join(filter(None, padded)).rstrip(), found


def _token(review: Review, position: Position) -> str:
    # The token of a redeal may list all its cards.
    assert position.move is not None
    return "r" if review.game.is_redeal(position.move) else str(position.move.token)


def _text(review: Review, position: Position) -> str:
    if position.move is None:
        return "the start"
    return review.game.describe(review.line.states[position.after - 1], position.move).text


def full_bar(review: Review) -> float:
    """Return the chance of a full bar: the greatest of the line, since in some games all chances are small."""
    return max((position.chance.p for position in review.positions if position.chance is not None), default=0.0) or 1.0


def _chance(chance: Chance | None, scale: float) -> str:
    return f"{bar(chance.p / scale):<{_BAR}} {percent(chance.p, chance.se)}" if chance is not None else "·"


def bar(part: float) -> str:
    """Return a bar that is filled to this part; a part above 0 is always visible."""
    halves = max(round(2 * _BAR * part), 1) if part > 0 else 0
    return "█" * (halves // 2) + "▌" * (halves % 2)


def lines(review: Review) -> list[str]:
    """Return the whole review as lines: the positions and the sentences."""
    head, found = rows(review)
    shown = [
        "  ".join(filter(None, (row.place, row.token, row.verdict, row.by, row.chance, row.text))).rstrip()
        + LOST_HERE * row.is_turning
        for row in found
    ]
    return [head, *shown, "", *sentences(review), *remarks(review)]


def remarks(review: Review) -> list[str]:
    """Return remarks on how verdicts and chances were computed."""
    searches = f"{review.searches:,} search{'' if review.searches == 1 else 'es'}"
    known = review.game.known_words(review.line.states[0])
    known += ", with what was unknown dealt at random" * review.by_chance
    said = [f"Verdicts: {known}; {searches}, {plural(review.nodes, 'node')}."]
    if review.has_chances:
        told = sum(position.chance is not None for position in review.positions)
        where = f"told at {told} of {plural(len(review.positions), 'position')}"
        said.append(f"Chances: {INFORMATION['hidden']}; {where}; a full bar is {percent(full_bar(review))}.")
    return said


def summary(review: Review) -> str:
    """Return the sentences about the review as one text."""
    return " ".join(sentences(review))


def sentences(review: Review) -> list[str]:
    """Return a sentence for each part of the line, and one about the largest fall of the chance."""
    said = [_span(review, span) for span in review.spans]
    drop = review.drop
    said += [] if drop is None else [_drop(review, drop)]
    return [*said, *["The review was stopped before its end."] * review.is_cut]


def _drop(review: Review, drop: Drop) -> str:
    token = "a redeal" if review.game.is_redeal(drop.move) else drop.move.token
    luck = ", which brought cards that nobody knew" if drop.is_luck else ""
    fall = f"from {percent(drop.before.p, drop.before.se)} to {percent(drop.after.p, drop.after.se)}"
    return f"The chance to win by what was seen fell most with move {drop.number} ({token}{luck}), {fall}."


def _span(review: Review, span: Span) -> str:
    """Return a sentence about one part of the line."""
    what = f"{span.name[0].upper()}{span.name[1:]}" if span.name else "The game"
    end = review.positions[span.last]
    if end.state.outcome is Outcome.WON:
        return f"{what} was won."
    if end.verdict is Verdict.WINNABLE:
        win = review.win(span.last)
        assert win is not None
        could = "can still be won" if end is review.positions[-1] else "could still have been won at its end"
        return f"{what} {could}: {win[0].token} is the first of {plural(len(win), 'move')} to a win."
    if span.lost_by is not None:
        loss = span.lost_by
        kept = f"{loss.instead[0].token} would have kept it, the first of {plural(len(loss.instead), 'move')} to a win"
        return f"{what} was lost by move {loss.number} ({loss.played.token}); {kept}."
    if span.first_lost is not None:
        return " ".join(_lost_somewhere(what, span))
    if span.first_left is not None:
        brought = what_it_brings(review.positions[span.first_left].chance)
        return f"{_left(what, span)} Only a redeal could still win then, and {brought}."
    if span.last_winnable is None:
        return f"{what} was not decided anywhere, which is not a no."
    when = f"after move {span.last_winnable}" if span.last_winnable else "before the first move"
    return f"{what} could still be won {when}; what follows was not decided, which is not a no."


def _left(what: str, span: Span) -> str:
    """Return a sentence on where a win without an unknown redeal became impossible."""
    without = "without a redeal that nobody knows"
    if span.left_between is not None:
        first, last = span.left_between
        sure = "whether it could before was not decided" if span.last_winnable is None else "not decided by which one"
        return f"{what} could not be won {without} after one of moves {first} to {last}; {sure}."
    if span.left_by is None:
        where = "its start" if span.begins_here else "the position given"
        return f"{what} could not be won from {where} {without}, which is proved."
    turned = span.left_by
    kept = f"{turned.instead[0].token} would have kept a win, the first of {plural(len(turned.instead), 'move')} to it"
    return f"{what} could not be won any more {without} after move {turned.number} ({turned.played.token}); {kept}."


def _lost_somewhere(what: str, span: Span) -> Iterator[str]:
    between = span.lost_between
    if between is None:
        # The moves before a typed position are unknown.
        where, which = ("its start", "no move") if span.begins_here else ("the position given", "no move after it")
        yield f"{what} could not be won from {where}; {which} lost it."
        return
    first, last = between
    if span.last_winnable is None:
        yield f"{what} was lost by move {last} at the latest;"
        yield "whether it could be won before was not decided."
    else:
        yield f"{what} was lost by one of moves {first} to {last};"
        yield "the positions between them were not decided."
