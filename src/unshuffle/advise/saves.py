"""Save files: one JSON file per game, rewritten atomically after every answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from unshuffle.advise import adviser_of
from unshuffle.advise import folder as saved
from unshuffle.advise.adviser import Adviser
from unshuffle.advise.folder import PLAY_FORMAT, BrokenError, Folder, check_id, default_folder, get, may, texts
from unshuffle.advise.parts import Draft
from unshuffle.advise.record import Edit, Pass, Phase, Record, play, replay_phases
from unshuffle.errors import ParseError, quote
from unshuffle.hidden.chance import Chance

__all__ = ["Saves", "check_id", "default_folder", "new_record", "replay_plan"]

VERSION = 1
PROMPTS = ("entry", "edit", "play", "shown", "redeal", "end")


def new_record(name: str, draft: Draft | None = None) -> Record:
    """Return the record of a new game; an empty name makes an id of 8 hex digits."""
    first = Phase() if draft is None else Phase(draft)
    return Record(name or saved.new_id(), created=saved.now(), passes=[Pass([first])])


class Saves(Folder):
    """A folder of saved games of one kind."""

    def __init__(self, folder: Path, game_id: str) -> None:
        super().__init__(folder)
        self.game_id = game_id
        self._format = f"unshuffle-{game_id}"

    def read(self, name: str) -> tuple[Adviser, Record]:
        """Return a saved game with its adviser. ParseError says what is wrong with the file, which stays unchanged."""
        data = self.read_bytes(name)
        adviser, record = self.parse(name, data)
        self.knows(name, data)
        return adviser, record

    def parse(self, name: str, data: bytes) -> tuple[Adviser, Record]:
        """Return the adviser and the record in a file's bytes."""
        value = self.decode(name, data)
        found = value.get("format") if isinstance(value, dict) else None
        if found == PLAY_FORMAT:
            raise ParseError(f"{quote(name)} is a game of `unshuffle play`; {self.left(name)}")
        if found != self._format:
            other = (
                found.removeprefix("unshuffle-") if isinstance(found, str) and found.startswith("unshuffle-") else ""
            )
            what = f"a game of {quote(other)}, not a game" if other else "not a saved game"
            raise ParseError(f"{quote(name)} is {what} of {self.game_id}; {self.left(name)}")
        version = value.get("version")
        self.check_version(name, version, VERSION)
        try:
            if version != VERSION:
                raise BrokenError(f"it has version {version!r}")
            game = saved.read_game(self.game_id, value)
            adviser = adviser_of(game)
            record = _read_record(name, value, adviser)
            phases = record.last.phases if record.is_laid_out else record.last.phases[:-1]
            for earlier in record.passes[:-1]:
                replay_phases(adviser, earlier.phases)
            replayed = replay_phases(adviser, phases)
            if record.is_laid_out and record.phase.planned:
                replay_plan(adviser, replayed[-1].states[-1], record.phase)
            if record.pending:
                state = replayed[-1].states[-1]
                if not adviser.told.asks(state, adviser.told.parse_move(record.pending[0], state)):
                    raise BrokenError(f"'pending' begins with {quote(record.pending[0])}, which shows no card")
        except ValueError as error:
            raise ParseError(f"the game {quote(name)} is broken: {error}; {self.left(name)}") from None
        return adviser, record

    def text(self, adviser: Adviser, record: Record) -> str:
        """Return the text of a save file."""
        value = {"format": self._format, "version": VERSION, **_write_record(adviser, record)}
        return saved.in_lines(value)

    def write(self, adviser: Adviser, record: Record) -> None:
        """Write the file atomically. ChangedError if another program has changed it, which leaves it unchanged."""
        record.updated = saved.now()
        self.write_text(record.id, self.text(adviser, record))


def replay_plan(adviser: Adviser, state: Any, phase: Phase) -> tuple[Any, ...]:
    """Return the remaining moves of the plan, parsed along the line of play."""
    moves = []
    for token in phase.planned:
        moves.append(adviser.told.parse_move(token, state))
        if adviser.told.asks(state, moves[-1]):
            break  # the cards it reveals are not known yet
        state = play(state, moves[-1])
    return tuple(moves)


# Writing.


def _write_record(adviser: Adviser, record: Record) -> dict[str, Any]:
    game = adviser.game
    at: dict[str, Any] = {"pass": len(record.passes), "phase": len(record.last.phases), "prompt": record.prompt}
    if record.edit is not None:
        edit = record.edit
        at["edit"] = {"of": edit.of, **_write_draft(edit.draft), "earlier": list(map(_write_draft, edit.earlier))}
    if record.pending:
        at["pending"] = record.pending
    passes = [
        {"phases": [_write_phase(adviser, phase) for phase in played.phases], "result": played.result}
        for played in record.passes
    ]
    return {
        "id": record.id,
        "created": record.created,
        "updated": record.updated,
        "rules": saved.write_game(game),
        **({"model": record.model, "declared": record.declared} if adviser.models else {}),
        "passes": passes,
        "at": at,
    }


def _write_draft(draft: Draft) -> dict[str, Any]:
    return {"layout": list(draft.cells), "labels": dict(draft.labels)}


def _write_phase(adviser: Adviser, phase: Phase) -> dict[str, Any]:
    return {
        **_write_draft(phase.draft),
        "earlier": list(map(_write_draft, phase.earlier)),
        "moves": phase.moves,
        "planned": phase.planned,
        "followed": phase.followed,
        "plan_ends": phase.plan_ends,
        "chance": _write_chance(phase.chance),
        "worth": _write_chance(phase.worth),
        "end": phase.end,
        adviser.kept_name: phase.kept,
    }


def _write_chance(chance: Chance | None) -> list[float | None] | None:
    return None if chance is None else [chance.p, chance.se]


# Reading.


def _one_of(value: Any, name: str, *known: str | None) -> Any:
    found = may(value, name, None, str, type(None))
    if found not in known:
        raise BrokenError(f"{name!r} is {quote(str(found))}")
    return found


def _read_record(name: str, value: Any, adviser: Adviser) -> Record:
    at = get(value, "at", dict)
    passes = [_read_pass(part, adviser) for part in get(value, "passes", list)]
    if not passes or not passes[-1].phases:
        raise BrokenError("'passes' is empty")
    if (get(at, "pass", int), get(at, "phase", int)) != (len(passes), len(passes[-1].phases)):
        raise BrokenError("'at' is not its last phase")
    prompt = _one_of(at, "prompt", *PROMPTS)
    if prompt in ("entry", "redeal") and (prompt == "entry") != (len(passes[-1].phases) == 1):
        raise BrokenError(f"'prompt' is {prompt!r} in phase {len(passes[-1].phases)}")
    if (prompt == "end") != (passes[-1].result is not None) and prompt != "edit":
        raise BrokenError(f"'prompt' is {prompt!r}, 'result' {passes[-1].result!r}")
    created, updated = (may(value, when, "", str) for when in ("created", "updated"))
    edit = _read_edit(at["edit"]) if prompt == "edit" and "edit" in at else None
    pending = texts(at, "pending") if prompt == "shown" else []
    if prompt == "shown" and not pending:
        raise BrokenError("'pending' is empty")
    model = declared = ""
    if adviser.models:
        model = _one_of(value, "model", *adviser.models, None) or next(iter(adviser.models))
        declared = _one_of(value, "declared", *adviser.models, None) or model
    return Record(name, created, updated, passes, prompt, edit, pending, model, declared)


def _read_edit(value: Any) -> Edit:
    of = _one_of(value, "of", "start", "now", None)
    return Edit(of, _read_draft(value), _read_earlier(value))


def _read_pass(value: Any, adviser: Adviser) -> Pass:
    phases = [_read_phase(part, adviser) for part in get(value, "phases", list)]
    if len(phases) > 1 and adviser.redeals is None:
        raise BrokenError(f"there are {len(phases)} 'phases' in a game without redeals")
    return Pass(phases, _one_of(value, "result", "won", "lost", None))


def _read_draft(value: Any) -> Draft:
    labels = may(value, "labels", {}, dict)
    for name in labels:
        if len(f"{name}{get(labels, name, str)}".splitlines()) > 1:
            raise BrokenError("'labels' have more than a line each")
    return Draft(tuple(texts(value, "layout")), dict(labels))


def _read_earlier(value: Any) -> list[Draft]:
    return [_read_draft(part) for part in may(value, "earlier", [], list)]


def _read_phase(value: Any, adviser: Adviser) -> Phase:
    end = None if may(value, "end", None, list, type(None)) is None else texts(value, "end")
    return Phase(
        draft=_read_draft(value),
        earlier=_read_earlier(value),
        moves=texts(value, "moves"),
        planned=texts(value, "planned"),
        followed=may(value, "followed", 0, int),
        plan_ends=_one_of(value, "plan_ends", "won", "redeal", "next", "lost", None),
        chance=_read_chance(value, "chance"),
        worth=_read_chance(value, "worth"),
        end=end,
        kept=may(value, adviser.kept_name, None, list, type(None)),
    )


def _read_chance(value: Any, name: str) -> Chance | None:
    found = may(value, name, None, list, type(None))
    if found is None:
        return None
    if len(found) != 2 or not _is_share(found[0]) or not (found[1] is None or _is_share(found[1])):
        raise BrokenError(f"{name!r} is not a chance with its error")
    return Chance(float(found[0]), None if found[1] is None else float(found[1]))


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and 0 <= value <= 1
