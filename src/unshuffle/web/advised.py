"""Advised games: the dialogue of `unshuffle advise`, one answer per request."""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

from unshuffle.advise import adviser_of
from unshuffle.advise.adviser import Adviser
from unshuffle.advise.console import Console
from unshuffle.advise.desk import Desk
from unshuffle.advise.folder import PLAY_FORMAT, ChangedError, Folder, check_id, is_id, new_id
from unshuffle.advise.parts import Setting
from unshuffle.advise.record import Record, play
from unshuffle.advise.saves import Saves, new_record
from unshuffle.advise.session import Session
from unshuffle.errors import ParseError, StoreError, quote
from unshuffle.game import AnyGame
from unshuffle.play import beginning
from unshuffle.play.table import seen
from unshuffle.registry import games
from unshuffle.web import job_shapes, shapes
from unshuffle.web.asking import show_chance
from unshuffle.web.jobs import Job, Work
from unshuffle.web.pictures import paint, tell
from unshuffle.web.settings import Settings
from unshuffle.web.showing import count_pack
from unshuffle.web.trouble import NotThereError

_MOST = 64
"""The most games in memory; others are read again from their saves."""
_FORMAT = "unshuffle-"
_CHOICE = re.compile(r"([A-Za-z]*)\[([A-Z])\]([a-z]*)")


class Collected(Console):
    """A console that takes its answer from a field, and collects its output."""

    is_person = True

    def __init__(self) -> None:
        self.said: list[str] = []
        self.answer: str | None = None
        self.is_stopped: Callable[[], bool] = lambda: False
        # The page draws the table itself.
        super().__init__(self.said.append, lambda game, state: [])

    def ask(self, prompt: str) -> str | None:
        """Return the answer of the request."""
        return self.answer

    @contextmanager
    def listening(self) -> Iterator[Callable[[], bool]]:
        """Yield a function that tells whether the job was ended."""
        yield self.is_stopped


class Sitting:
    """One advised game, with a lock that admits one answer at a time."""

    def __init__(self, session: Session, console: Collected) -> None:
        self.session = session
        self.console = console
        self.lock = RLock()
        # A request must not choose which files are written on this machine.
        session.desk.may_export = False

    @property
    def name(self) -> str:
        """The id of the game."""
        return self.session.desk.record.id


class Sittings:
    """All advised games, in memory or in the folder of saves."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self._folder = Folder(folder)
        self._settings = settings
        self._open: OrderedDict[str, Sitting] = OrderedDict()
        self._lock = RLock()

    # Begin, read and delete.

    def begin(self, game: AnyGame, name: str | None, text: str | None) -> Sitting:
        """Begin a game and return it; with a text, its table is already entered."""
        adviser = adviser_of(game)
        draft = None if text is None else adviser.typed.draft_of(seen(beginning.parse(game, text)))
        with self._lock:
            name = self._free_name(name)
            record = new_record(name, adviser.typed.blank(Setting()) if draft is None else draft)
            sitting = self._sit(adviser, record, Saves(self._folder.folder, game.id))
            session = sitting.session
            if draft is None:
                session.begin()
            else:
                session.begin_with(draft)
                if session.desk.record.prompt == "entry" and adviser.typed.ends_by_blank:
                    self._take(sitting, "")
            self._keep(sitting)
        return sitting

    def _free_name(self, name: str | None) -> str:
        if name is None:
            return new_id()
        if self._folder.holds(check_id(name)):
            raise ChangedError(f"there is a game {quote(name)} already; choose another id, or open it")
        return name

    def _sit(self, adviser: Adviser, record: Record, saves: Saves) -> Sitting:
        console = Collected()
        effort = {"memory": self._settings.memory_of_job}
        return Sitting(Session(adviser, record, saves, console, "short", effort), console)

    def _keep(self, sitting: Sitting) -> None:
        self._open[sitting.name] = sitting
        self._open.move_to_end(sitting.name)
        while len(self._open) > _MOST:
            self._open.popitem(last=False)

    def look(self, name: str) -> Sitting:
        """Return the game with this id. Read it again if another program has changed its save."""
        with self._lock:
            sitting = self._open.get(name)
            if sitting is not None and not sitting.session.desk.saves.is_known(name):
                del self._open[name]
            return self.get(name)

    def get(self, name: str) -> Sitting:
        """Return the game with this id, from memory or from its save."""
        with self._lock:
            sitting = self._open.get(name)
            if sitting is None:
                saves = Saves(self._folder.folder, self._game_of(name))
                sitting = self._sit(*saves.read(name), saves)
                sitting.session.open()
                self._keep(sitting)
            return sitting

    def _game_of(self, name: str) -> str:
        if not is_id(name) or not self._folder.holds(name):
            raise NotThereError(f"there is no advised game {quote(name)}")
        found = _format_of(self._folder.decode(name, self._folder.read_bytes(name)))
        if found is None:
            raise NotThereError(f"there is no advised game {quote(name)}: {self._folder.left(name)}")
        return found

    def delete(self, name: str) -> None:
        """Delete a game and its save."""
        with self._lock:
            game_id = self._game_of(name)
            self._open.pop(name, None)
            saves = Saves(self._folder.folder, game_id)
            saves.knows(name, saves.read_bytes(name))
            saves.delete(name)

    # Answers.

    def answer(self, asked: job_shapes.AnswerAsked) -> Work:
        """Return the work of a job that gives one answer at the prompt of a game."""
        self.get(asked.advised)

        def work(job: Job) -> shapes.Json:
            sitting = self.get(asked.advised)
            with sitting.lock:
                if asked.seconds is not None:
                    seconds = min(asked.seconds, self._settings.seconds)
                    sitting.session.adviser.effort = {**sitting.session.adviser.effort, "seconds": seconds}
                sitting.console.is_stopped = job.cancel.is_set
                self._take(sitting, asked.answer)
                return show_sitting(sitting).as_json()

        return work

    def _take(self, sitting: Sitting, answer: str) -> None:
        sitting.console.said.clear()
        sitting.console.answer = answer.strip()
        try:
            sitting.session.take_one()
        except StoreError:
            # An answer that was not saved must not be shown.
            with self._lock:
                self._open.pop(sitting.name, None)
            raise

    # Saves.

    def file(self, name: str) -> bytes:
        """Return the content of the save file of a game."""
        self._game_of(name)
        return self._folder.read_bytes(name)

    def take_in(self, name: str, value: shapes.Json, *, renames: bool) -> str:
        """Store an uploaded save file, and return its id; with `renames` a new id if its own is in use."""
        game_id = _format_of(value)
        if game_id is None:
            raise ParseError(f"{quote(str(value.get('format')))} is not the format of a saved game")
        saves = Saves(self._folder.folder, game_id)
        adviser, record = saves.parse(name, json.dumps(value).encode())
        with self._lock:
            if self._folder.holds(name):
                if self._folder.decode(name, self._folder.read_bytes(name)) == value:
                    return name
                if not renames:
                    raise ChangedError(f"there is a game {quote(name)} already; it was left as it is")
                record.id = new_id()
            saves.write(adviser, record)
        return record.id

    def listed(self) -> list[job_shapes.ListedAdvised]:
        """Return the saved games, the last changed first."""
        found = []
        for name in self._folder.names():
            try:
                value = self._folder.decode(name, self._folder.read_bytes(name))
            except ParseError:
                continue  # the list of tables reports it
            game_id = _format_of(value)
            if game_id is not None:
                found.append(_list_one(name, game_id, value))
        return sorted(found, key=lambda one: one.updated, reverse=True)


def _format_of(value: Any) -> str | None:
    """Return the game id of the save of an advised game; None for other values."""
    found = value.get("format") if isinstance(value, dict) else None
    if not isinstance(found, str) or found == PLAY_FORMAT or not found.startswith(_FORMAT):
        return None
    game_id = found.removeprefix(_FORMAT)
    return game_id if game_id in games() else None


def _list_one(name: str, game_id: str, value: shapes.Json) -> job_shapes.ListedAdvised:
    from unshuffle.registry import game

    rules, at = value.get("rules"), value.get("at")
    return job_shapes.ListedAdvised(
        id=name,
        game=game_id,
        name=game(game_id).name,
        variant=str(rules.get("variant", "")) if isinstance(rules, dict) else "",
        stage=str(at.get("prompt", "")) if isinstance(at, dict) else "",
        updated=str(value.get("updated", "")),
    )


# Answers of the API.


def show_sitting(sitting: Sitting) -> job_shapes.Advised:
    """Return the state of an advised game for the page."""
    session, desk = sitting.session, sitting.session.desk
    adviser, record = desk.adviser, desk.record
    is_entered = record.prompt in ("entry", "redeal")
    is_drafted = is_entered or (record.prompt == "edit" and not session.asks_which)
    return job_shapes.Advised(
        id=record.id,
        game=desk.game.id,
        name=desk.game.name,
        variant=desk.game.variant,
        stage=record.prompt,  # type: ignore[arg-type] # a record has no other prompts
        prompt=session.prompt,
        said=list(sitting.console.said),
        help=session.help,
        commands=_commands(session),
        phase=desk.phase_name,
        place=adviser.typed.next_place(record.phase.draft, desk.setting) if is_entered else "",
        picture=paint(desk.game, seen(desk.state)) if record.is_laid_out else None,
        draft=_draft(desk, is_entered) if is_drafted else None,
        planned=_planned(desk) if record.is_laid_out else [],
        chance=show_chance(record.phase.chance),
        result=record.last.result,  # type: ignore[arg-type] # won, lost or None
        pack=count_pack(desk.game),
    )


def _commands(session: Session) -> list[job_shapes.Command]:
    """Return the commands that the prompt offers, except those that the page does itself."""
    if session.desk.record.prompt not in ("play", "end", "edit"):
        return []
    found = []
    for before, letter, after in _CHOICE.findall(session.prompt):
        if letter not in "XZ":  # files are downloaded, and all is saved already
            found.append(job_shapes.Command(answer=letter.lower(), label=f"{before}{letter}{after}".capitalize()))
    return found


def _draft(desk: Desk, is_entered: bool) -> job_shapes.Draft:
    adviser, draft = desk.adviser, desk.work.draft
    faults = (
        adviser.typed.faults(draft, desk.setting, early=True)
        if is_entered
        else adviser.typed.faults(adviser.typed.tidy(draft), desk.setting)
    )
    return job_shapes.Draft(
        cells=list(draft.cells),
        labels=dict(draft.labels),
        rows=adviser.typed.rows(draft, for_person=True),
        faults=faults,
    )


def _planned(desk: Desk) -> list[shapes.Told]:
    """Return the rest of the plan up to the first move that shows unknown cards."""
    adviser, state = desk.adviser, desk.state
    found = []
    for token in desk.record.phase.planned:
        move = adviser.told.parse_move(token, state)
        found.append(tell(desk.game, seen(state), move))
        if adviser.told.asks(state, move):
            break
        state = play(state, move)
    return found
