"""Save files: one JSON file per game, written whole after every answer."""

from __future__ import annotations

import json
import os
import re
import secrets
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from unshuffle.advise import adviser_of
from unshuffle.advise.adviser import Adviser, Chance, Draft
from unshuffle.advise.record import Edit, Pass, Phase, Record, replay_phases
from unshuffle.errors import ParseError, StoreError, UsageError, quote
from unshuffle.game import AnyGame, game_class

VARIABLE = "UNSHUFFLE_SAVES"
VERSION = 1
PROMPTS = ("entry", "edit", "play", "shown", "redeal", "end")
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def default_folder() -> Path:
    """$UNSHUFFLE_SAVES, or `saves` in the working directory."""
    return Path(os.environ.get(VARIABLE) or "saves")


def check_id(text: str) -> str:
    """The id of a game, if it can be one."""
    if _ID.fullmatch(text) is None or text.lower() == "z":
        raise ParseError(
            f"{quote(text)} is not a game id; expected up to 64 letters, digits, '-' and '_', not 'z' alone"
        )
    return text


def new_record(name: str, draft: Draft | None = None) -> Record:
    """A game of which nothing is entered yet; "" makes an id of 8 hex digits."""
    first = Phase() if draft is None else Phase(draft)
    return Record(name or secrets.token_hex(4), created=_now(), passes=[Pass([first])])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Saves:
    """A folder of saved games of one kind."""

    def __init__(self, folder: Path, game_id: str) -> None:
        self.folder = folder
        self.game_id = game_id
        self._format = f"unshuffle-{game_id}"
        self._known: dict[str, bytes] = {}

    def path(self, name: str) -> Path:
        """The file of the game with this id."""
        return self.folder / f"{name}.json"

    def holds(self, name: str) -> bool:
        """Whether the id is in use; a broken file uses it too."""
        return os.path.lexists(self.path(name))

    def names(self) -> list[str]:
        """The ids in use, in their order."""
        return sorted(path.stem for path in self.folder.glob("*.json") if _ID.fullmatch(path.stem))

    def read(self, name: str) -> tuple[Adviser, Record]:
        """A saved game with its adviser. ParseError says what is wrong with the file, which is left as it is."""
        path = self.path(check_id(name))
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise ParseError(f"there is no game {quote(name)} in {quote(str(self.folder))}") from None
        except OSError as error:
            raise ParseError(f"cannot read {quote(str(path))}: {error.strerror or error}") from None
        adviser, record = self._parse(name, path, data)
        self._known[name] = data
        return adviser, record

    def _parse(self, name: str, path: Path, data: bytes) -> tuple[Adviser, Record]:
        where = f"{quote(str(path))} was left as it is"
        try:
            value = json.loads(data.decode("utf-8"))
        except (ValueError, RecursionError):
            raise ParseError(f"the game {quote(name)} is broken: its file is not JSON; {where}") from None
        found = value.get("format") if isinstance(value, dict) else None
        if found != self._format:
            other = (
                found.removeprefix("unshuffle-") if isinstance(found, str) and found.startswith("unshuffle-") else ""
            )
            what = f"a game of {quote(other)}" if other else "not a saved game"
            raise ParseError(f"{quote(name)} is {what}, not a game of {self.game_id}; {where}")
        version = value.get("version")
        if isinstance(version, int) and version > VERSION:
            raise ParseError(
                f"the game {quote(name)} was saved by a newer unshuffle (version {version} of its file, this unshuffle"
                f" knows {VERSION}); {where}"
            )
        try:
            if version != VERSION:
                raise _BrokenError(f"it has version {version!r}")
            game = _read_game(self.game_id, value)
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
                if not adviser.asks(state, adviser.parse_move(record.pending[0], state)):
                    raise _BrokenError(f"'pending' begins with {quote(record.pending[0])}, which shows no card")
        except ValueError as error:
            raise ParseError(f"the game {quote(name)} is broken: {error}; {where}") from None
        return adviser, record

    def text(self, adviser: Adviser, record: Record) -> str:
        """The text of a save file."""
        value = {"format": self._format, "version": VERSION, **_write_record(adviser, record)}
        # A line per part: short enough to read, and to compare.
        return "{" + ",\n ".join(f"{json.dumps(name)}: {json.dumps(part)}" for name, part in value.items()) + "}\n"

    def write(self, adviser: Adviser, record: Record) -> None:
        """Write the file, whole or not at all. A file that someone else has changed meanwhile is left as it is."""
        path = self.path(record.id)
        draft = path.with_name(f".{path.name}.new")
        record.updated = _now()
        data = self.text(adviser, record).encode()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                present = path.read_bytes()
            except FileNotFoundError:
                present = None
            if present is not None and present != self._known.get(record.id):
                raise StoreError(f"{quote(str(path))} was changed by another program meanwhile; it was left as it is")
            with draft.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        except OSError as error:
            with suppress(OSError):
                draft.unlink()
            raise StoreError(f"the game cannot be saved in {quote(str(path))}: {error.strerror or error}") from None
        self._known[record.id] = data


def replay_plan(adviser: Adviser, state: Any, phase: Phase) -> tuple[Any, ...]:
    """The moves of the plan that are left, by the rules."""
    moves = []
    for token in phase.planned:
        moves.append(adviser.parse_move(token, state))
        if adviser.asks(state, moves[-1]):
            break  # nobody knows yet what lies there then
        state = state.play(moves[-1])
    return tuple(moves)


class _BrokenError(ValueError):
    """A save file that does not hold what it should."""


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
        "rules": {"variant": game.variant, **asdict(game.rules)},
        **({"model": record.model} if adviser.models else {}),
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


def _get(value: Any, name: str, *kinds: type) -> Any:
    if not isinstance(value, dict) or name not in value:
        raise _BrokenError(f"{name!r} is missing")
    found = value[name]
    if not isinstance(found, kinds) or (isinstance(found, bool) and bool not in kinds):
        raise _BrokenError(f"{name!r} is not what it should be")
    return found


def _may(value: Any, name: str, default: Any, *kinds: type) -> Any:
    """What only our own flow needs; a file without it is as good."""
    return _get(value, name, *kinds) if isinstance(value, dict) and name in value else default


def _texts(value: Any, name: str) -> list[str]:
    found = _get(value, name, list)
    if not all(isinstance(part, str) for part in found):
        raise _BrokenError(f"{name!r} is not a list of texts")
    return list(found)


def _one_of(value: Any, name: str, *known: str | None) -> Any:
    found = _may(value, name, None, str, type(None))
    if found not in known:
        raise _BrokenError(f"{name!r} is {quote(str(found))}")
    return found


def _read_game(game_id: str, value: Any) -> AnyGame:
    rules = dict(_get(value, "rules", dict))
    variant = _get(rules, "variant", str)
    del rules["variant"]
    cls = game_class(game_id)
    with suppress(UsageError):
        game = cls(variant)
        if asdict(game.rules) == rules:
            return game
    return cls(None, **rules)  # the fields decide; names of variants may change


def _read_record(name: str, value: Any, adviser: Adviser) -> Record:
    at = _get(value, "at", dict)
    passes = [_read_pass(part, adviser) for part in _get(value, "passes", list)]
    if not passes or not passes[-1].phases:
        raise _BrokenError("'passes' is empty")
    if (_get(at, "pass", int), _get(at, "phase", int)) != (len(passes), len(passes[-1].phases)):
        raise _BrokenError("'at' is not its last phase")
    prompt = _one_of(at, "prompt", *PROMPTS)
    if prompt in ("entry", "redeal") and (prompt == "entry") != (len(passes[-1].phases) == 1):
        raise _BrokenError(f"'prompt' is {prompt!r} in phase {len(passes[-1].phases)}")
    if (prompt == "end") != (passes[-1].result is not None) and prompt != "edit":
        raise _BrokenError(f"'prompt' is {prompt!r}, 'result' {passes[-1].result!r}")
    created, updated = (_may(value, when, "", str) for when in ("created", "updated"))
    edit = _read_edit(at["edit"]) if prompt == "edit" and "edit" in at else None
    pending = _texts(at, "pending") if prompt == "shown" else []
    if prompt == "shown" and not pending:
        raise _BrokenError("'pending' is empty")
    model = ""
    if adviser.models:
        model = _one_of(value, "model", *adviser.models, None) or next(iter(adviser.models))
    return Record(name, created, updated, passes, prompt, edit, pending, model)


def _read_edit(value: Any) -> Edit:
    of = _one_of(value, "of", "start", "now", None)
    return Edit(of, _read_draft(value), _read_earlier(value))


def _read_pass(value: Any, adviser: Adviser) -> Pass:
    phases = [_read_phase(part, adviser) for part in _get(value, "phases", list)]
    return Pass(phases, _one_of(value, "result", "won", "lost", None))


def _read_draft(value: Any) -> Draft:
    labels = _may(value, "labels", {}, dict)
    return Draft(tuple(_texts(value, "layout")), {name: _get(labels, name, str) for name in labels})


def _read_earlier(value: Any) -> list[Draft]:
    return [_read_draft(part) for part in _may(value, "earlier", [], list)]


def _read_phase(value: Any, adviser: Adviser) -> Phase:
    end = None if _may(value, "end", None, list, type(None)) is None else _texts(value, "end")
    return Phase(
        draft=_read_draft(value),
        earlier=_read_earlier(value),
        moves=_texts(value, "moves"),
        planned=_texts(value, "planned"),
        followed=_may(value, "followed", 0, int),
        plan_ends=_one_of(value, "plan_ends", "won", "redeal", "next", "lost", None),
        chance=_read_chance(value, "chance"),
        worth=_read_chance(value, "worth"),
        end=end,
        kept=_may(value, adviser.kept_name, None, list, type(None)),
    )


def _read_chance(value: Any, name: str) -> Chance | None:
    found = _may(value, name, None, list, type(None))
    if found is None:
        return None
    if len(found) != 2 or not _is_share(found[0]) or not (found[1] is None or _is_share(found[1])):
        raise _BrokenError(f"{name!r} is not a chance with its error")
    return Chance(float(found[0]), None if found[1] is None else float(found[1]))


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and 0 <= value <= 1
