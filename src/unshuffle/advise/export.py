"""Exports of a game: tokens that `unshuffle verify` replays, prose with boards, or the save itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from unshuffle.advise.adviser import Adviser
from unshuffle.advise.record import Board, Pass, Played, Record, moves_in_words, replay_phases
from unshuffle.advise.saves import Saves
from unshuffle.advise.story import story
from unshuffle.errors import RefusedError, quote
from unshuffle.files import write_whole


class TakenError(RefusedError):
    """An export to a file that already exists."""


def export(adviser: Adviser, record: Record, saves: Saves, path: Path, *, replaces: bool = True) -> None:
    """Write the file in the format of its suffix. TakenError if it exists and `replaces` is False."""
    kinds = {".txt": _tokens, ".md": _prose, ".json": None}
    kind = path.suffix.lower()
    if kind not in kinds:
        raise RefusedError(f"{quote(str(path))}: expected a name that ends in {', '.join(kinds)}")
    write = kinds[kind]
    text = saves.text(adviser, record) if write is None else write(adviser, record)
    try:
        is_save = kind == ".json" and path.resolve().parent == saves.folder.resolve()
        if not is_save:
            write_whole(path, text.encode(), replaces=replaces)
    except FileExistsError:
        if not path.is_file():
            raise RefusedError(f"cannot write {quote(str(path))}: it is there, and is not a file") from None
        raise TakenError(f"{quote(str(path))} is there already; -f writes over it") from None
    except (OSError, ValueError) as error:  # a name with a null byte is a ValueError
        reason = getattr(error, "strerror", None) or error
        raise RefusedError(f"cannot write {quote(str(path))}: {reason}") from None
    if is_save:
        raise RefusedError(f"{quote(str(path))} is a place for saves; export to another folder")


# The current pass comes first, as if it were the only one: programs that read the file take that one.


def _tokens(adviser: Adviser, record: Record) -> str:
    """Return the table, with the moves in comments: a file that `verify` reads both as the deal and as the moves."""
    replayed = _replayed(adviser, record)
    if not replayed:
        raise RefusedError("there is nothing to export yet: the first table is not complete")
    start, checked, rest = _line(adviser, record.last, replayed)
    # `verify` reads the rules off the second line.
    head = [f"# {_title(adviser, record)}", f"# Rules: {adviser.game}", f"# {adviser.rules_in_words}", ""]
    layout = adviser.game.format(start).splitlines()
    lines = [*head, *layout, "", *(f"# {line}" for line in [*rest, f"Moves: {checked}"])]
    for number, earlier in _earlier(record):
        start, checked, rest = _line(adviser, earlier, replay_phases(adviser, earlier.phases))
        own = adviser.game.format(start).splitlines()
        begun = [] if own == layout else ["It began with another table:", *(f"  {row}" for row in own)]
        told = [f"Pass {number}", *rest, *begun, f"Moves of pass {number}: {checked}"]
        lines += ["", *(f"# {line}" for line in told)]
    return "\n".join(lines) + "\n"


def _replayed(adviser: Adviser, record: Record) -> list[Played]:
    """Replay the phases of the current pass; the last one is left out while it is typed."""
    return replay_phases(adviser, record.last.phases if record.is_laid_out else record.last.phases[:-1])


def _earlier(record: Record) -> Iterator[tuple[int, Pass]]:
    """Yield the passes before the current one, with their numbers."""
    return enumerate(record.passes[:-1], 1)


def _line(adviser: Adviser, played: Pass, replayed: list[Played]) -> tuple[Any, str, list[str]]:
    """Return a pass as one line of play: its first table, the tokens, and comments."""
    comments: list[str] = []
    start, tokens = replayed[0].states[0], list[str]()
    for place, part in enumerate(replayed):
        if place:
            before = replayed[place - 1].states[-1]
            redeals = adviser.redeals
            assert redeals is not None, "only a game with redeals has a second phase"
            tokens.append(redeals.token(played.phases[place].draft, before))
            comments.append(f"{redeals.name(before).capitalize()}: {tokens[-1]}")
        made = " ".join(move.token for move in part.moves) or "no move"
        comments.append(f"{adviser.phase_name(part.states[0]).capitalize()}: {made}")
        for number, move in enumerate(part.moves):
            tokens.append(move.token)
            if isinstance(move, Board):
                comments.append("The moves to that board are unknown; what follows begins with it.")
                start, tokens = part.states[number + 1], []
    start, checked, remark = adviser.told.verifiable(start, tokens)
    comments += [remark] * bool(remark)
    return start, " ".join(checked), [*comments, *story(adviser, played, replayed)]


def _title(adviser: Adviser, record: Record) -> str:
    which = f", pass {len(record.passes)}" if len(record.passes) > 1 else ""
    return f"Game {record.id} of {adviser.game}{which}"


def _prose(adviser: Adviser, record: Record) -> str:
    lines = [f"# {_title(adviser, record)}", "", f"{adviser.game.name}: {adviser.rules_in_words}.", ""]
    lines += _told(adviser, record.last, _replayed(adviser, record))
    for number, earlier in _earlier(record):
        lines += [f"# Pass {number}", "", *_told(adviser, earlier, replay_phases(adviser, earlier.phases))]
    return "\n".join(lines).rstrip("\n") + "\n"


def _told(adviser: Adviser, played: Pass, replayed: list[Played]) -> list[str]:
    lines: list[str] = []
    if replayed:
        lines += [f"- {line.strip()}" for line in story(adviser, played, replayed)] + [""]
    for part in replayed:
        lines += [f"## {adviser.phase_name(part.states[0]).capitalize()}", ""]
        lines += ["```text", *adviser.game.picture(part.states[0]).splitlines(), "```", ""]
        if part.moves:
            lines += ["```text", *moves_in_words(adviser, part), "```", "", "At its end:", ""]
            lines += ["```text", *adviser.game.picture(part.states[-1]).splitlines(), "```", ""]
    return lines
