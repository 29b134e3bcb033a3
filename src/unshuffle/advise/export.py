"""Exports of a game: tokens that `unshuffle verify` replays, prose with boards, or the save itself."""

from __future__ import annotations

from pathlib import Path

from unshuffle.advise.adviser import Adviser, RefusedError
from unshuffle.advise.record import Board, Played, Record, moves_in_words, replay_phases
from unshuffle.advise.saves import Saves
from unshuffle.advise.story import story
from unshuffle.errors import quote
from unshuffle.files import write_whole


def export(adviser: Adviser, record: Record, saves: Saves, path: Path) -> None:
    """Write the file; its ending says which kind is wanted."""
    kinds = {".txt": _tokens, ".md": _prose, ".json": None}
    kind = path.suffix.lower()
    if kind not in kinds:
        raise RefusedError(f"{quote(str(path))}: expected a name that ends in {', '.join(kinds)}")
    write = kinds[kind]
    if write is None:
        text = saves.text(adviser, record)
    else:
        phases = record.last.phases if record.is_laid_out else record.last.phases[:-1]
        text = write(adviser, record, replay_phases(adviser, phases))
    try:
        is_save = kind == ".json" and path.resolve().parent == saves.folder.resolve()
        if not is_save:
            write_whole(path, text.encode())
    except (OSError, ValueError) as error:  # a name with a null byte is a ValueError
        reason = getattr(error, "strerror", None) or error
        raise RefusedError(f"cannot write {quote(str(path))}: {reason}") from None
    if is_save:
        raise RefusedError(f"{quote(str(path))} is a place for saves; export to another folder")


def _tokens(adviser: Adviser, record: Record, replayed: list[Played]) -> str:
    """The table, and in comments the moves: a file that serves `verify` as the deal and as the moves."""
    if not replayed:
        raise RefusedError("there is nothing to export yet: the first table is not complete")
    comments: list[str] = []
    start, tokens = replayed[0].states[0], []
    for place, part in enumerate(replayed):
        if place:
            # The redeal, as a move of the rules.
            before = replayed[place - 1].states[-1]
            tokens.append(adviser.redeal_token(record.last.phases[place].draft, before))
            comments.append(f"{adviser.redeal_name(before).capitalize()}: {tokens[-1]}")
        comments.append(f"{adviser.phase_name(part.states[0]).capitalize()}: {' '.join(m.token for m in part.moves)}")
        for number, move in enumerate(part.moves):
            tokens.append(move.token)
            if isinstance(move, Board):
                comments.append("The moves to that board are unknown; what follows begins with it.")
                start, tokens = part.states[number + 1], []
    start, checked, remark = adviser.verifiable(start, tokens)
    comments += [remark] * bool(remark)
    # The rules travel with the moves: `verify` reads them off the second line.
    head = [f"# {_title(adviser, record)}", f"# Rules: {adviser.game}", f"# {adviser.rules_in_words}", ""]
    layout = adviser.game.format(start).splitlines()
    rest = [*comments, *story(adviser, record.last, replayed), f"Moves: {' '.join(checked)}"]
    return "\n".join([*head, *layout, "", *(f"# {line}" for line in rest)]) + "\n"


def _title(adviser: Adviser, record: Record) -> str:
    which = f", pass {len(record.passes)}" if len(record.passes) > 1 else ""
    return f"Game {record.id} of {adviser.game}{which}"


def _prose(adviser: Adviser, record: Record, replayed: list[Played]) -> str:
    lines = [f"# {_title(adviser, record)}", "", f"{adviser.game.name}: {adviser.rules_in_words}.", ""]
    if replayed:
        lines += [f"- {line.strip()}" for line in story(adviser, record.last, replayed)] + [""]
    for part in replayed:
        lines += [f"## {adviser.phase_name(part.states[0]).capitalize()}", ""]
        lines += ["```text", *adviser.game.picture(part.states[0]).splitlines(), "```", ""]
        if part.moves:
            lines += ["```text", *moves_in_words(adviser, part), "```", "", "At its end:", ""]
            lines += ["```text", *adviser.game.picture(part.states[-1]).splitlines(), "```", ""]
    return "\n".join(lines).rstrip("\n") + "\n"
