"""Reading deals and moves from files, from a pipe and from the keyboard."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO

from unshuffle.errors import Fault, Faults, InvalidDealError, ParseError, in_a_line, quote
from unshuffle.game import AnyGame
from unshuffle.layout import MOST_CHARACTERS, read_cards, read_lines, without_remarks
from unshuffle.numbers import is_whole
from unshuffle.registry import load_option
from unshuffle.terminal import in_shell

STDIN = "-"
# A UTF-8 character has at most four bytes, so a longer text is too long whatever it holds, and is not read further.
_MOST_BYTES = 4 * MOST_CHARACTERS
MOST_MEBIBYTES = 64
"""The limit of a whole file. A move of a saved win has some 30 bytes of comments, so two million moves fit."""


def read_text(file: str, game: AnyGame | None = None, *, most: int = _MOST_BYTES) -> str:
    """Return the text of a file, or of stdin for `-`. With a game, explain at the keyboard how to write a deal.

    Reading stops after more than `most` bytes that are not comments; the parser of the deal raises an error for them.
    """
    if file != STDIN:
        try:
            with open(file, "rb") as stream:
                return _decode(stream, quote(file), most)
        except (OSError, ValueError) as error:
            if isinstance(error, ParseError):
                raise
            raise ParseError(f"cannot read {quote(file)}: {getattr(error, 'strerror', None) or error}") from None
    if sys.stdin is None:
        raise ParseError("cannot read stdin: it is closed")
    if game is not None and sys.stdin.isatty():
        return _read_from_person(game)
    return _decode(sys.stdin.buffer, "stdin", most)


def _decode(stream: BinaryIO, name: str, most: int) -> str:
    parts = []
    whole = told = 0
    is_comment = False
    is_begin = True
    while told <= most and (part := stream.readline(_MOST_BYTES + 1)):
        is_comment = part.startswith(b"#") if is_begin else is_comment
        is_begin = part.endswith(b"\n")
        parts.append(part)
        whole += len(part)
        told += 0 if is_comment else len(part)
        if whole > MOST_MEBIBYTES << 20:
            raise ParseError(f"{name} is longer than {MOST_MEBIBYTES} MiB, the most that is read")
    data = b"".join(parts)
    if told > most:
        return data.decode("utf-8", "replace")  # the parser raises an error for its length
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ParseError(
            f"{name} is not UTF-8 text: byte {error.start} (line {line}) is 0x{data[error.start]:02x}"
        ) from None


def _read_from_person(game: AnyGame) -> str:
    print(
        f"Type a deal of {game.name}. A card is a rank and a suit: TH, 10h or T♥.\n{game.how_typed}\n"
        "Ctrl-D on an empty line ends the deal, Ctrl-C gives up.",
        file=sys.stderr,
    )
    text = ""
    number = 0
    while len(text) <= MOST_CHARACTERS and (line := sys.stdin.readline()):
        text += line
        number += 1
        if echo := _echo(line):
            print(f"  line {number}: {echo}", file=sys.stderr)
    return text


def _echo(line: str) -> str:
    """Return the line as it was parsed: cards as glyphs, anything else quoted, so that a typo is seen at once."""
    parts = []
    for read in read_lines(line, Faults()):
        words = [f"{read.label}:"] if read.label is not None else []
        for token in read.tokens:
            cards = read_cards((token,), Faults())
            # A number after a label ('Deal: 2') and the dash of an empty pile are valid.
            is_plain = token.text == "-" or (read.label is not None and is_whole(token.text))
            words += [card.glyph for card, _ in cards] or [token.text if is_plain else quote(token.text)]
        parts.append(" ".join(words))
    return " / ".join(parts)


def name_of(file: str) -> str:
    """Return the name of a file for messages."""
    return "stdin" if file == STDIN else in_a_line(file)


def read_known(game: AnyGame, file: str, *, is_replayed: bool = False) -> Callable[[str], Any]:
    """Return a parser of deals. For unknown cards it raises InvalidDealError with the commands that accept them.

    With `is_replayed`, for commands that replay moves, it accepts an export of `advise` with cards that nobody saw. A
    command that also searches checks `never_shown` itself.
    """

    def read(text: str) -> Any:
        with suppress(InvalidDealError):
            return game.parse(without_remarks(text) if is_replayed else text)
        from unshuffle.play import beginning  # slow to import, and seldom needed

        state = beginning.parse(game, text)
        unknown = beginning.unknown_of(game, state) if hasattr(state, "sample") else ""
        if unknown:
            choice = f"{game.id} {in_shell(file)}"
            if game.variant != next(iter(game.variants)):
                choice += f" --variant {in_shell(game.variant)}"
            choice += load_option(game.id)
            error = InvalidDealError(
                [
                    Fault(f"unknown: {unknown}; a position with unknown cards is never solved as if they were known"),
                    Fault(f"the chance to win it: unshuffle simulate {choice} --samples 1000"),
                    Fault(f"the rest dealt by chance: unshuffle deal {choice} --fill 1"),
                ]
            )
            error.add_note(f"{name_of(file)} does not tell every card")
            raise error
        return state

    return read


def read_moves(file: str) -> str:
    """Return the moves of a file: the text after `# Moves:` (as --save-wins writes it), else all but the comments."""
    text = read_text(file, most=MOST_MEBIBYTES << 20)
    told = find_remark(text, "Moves")
    if told is not None:
        return told
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))


def find_remark(text: str, name: str) -> str | None:
    """Return the text after `# NAME:` (NAME is `Moves` or `Rules`) in a file that we wrote; None without that line."""
    begin = f"# {name}:"
    return next((line.removeprefix(begin).strip() for line in text.splitlines() if line.startswith(begin)), None)
