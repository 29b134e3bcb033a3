"""The menu before a game: begin a new game or open a saved one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from unshuffle.advise import help_texts as help_
from unshuffle.advise.adviser import Adviser
from unshuffle.advise.console import Console, LeftError
from unshuffle.advise.parts import Setting
from unshuffle.advise.record import Record
from unshuffle.advise.saves import Saves, check_id, new_record
from unshuffle.advise.session import Session
from unshuffle.errors import ParseError, quote
from unshuffle.numbers import read_whole

MENU = "[N]ew, [O]pen, [E]dit, [Q]uit?"
ID = "Game id (blank: a new one)?"
OPEN = "Id or number?"

T = TypeVar("T")


def choose(adviser: Adviser, saves: Saves, console: Console, explain: str, effort: Mapping[str, Any]) -> Session | None:
    """Return the session of a new or opened game, shown up to its first prompt; None if the person leaves."""
    try:
        while True:
            choice = _ask(console, MENU, help_.MENU, _read_choice)
            if choice == "q":
                return None
            if choice == "n":
                name = _ask(console, ID, help_.ID, lambda answer: _read_new(saves, answer))
                record = new_record(name, adviser.typed.blank(Setting()))
                session = Session(adviser, record, saves, console, explain, effort)
                session.begin()
                return session
            opened = _choose_saved(saves, console)
            if opened is not None:
                session = Session(*opened, saves, console, explain, effort)
                session.open()
                if choice == "e":
                    session.edit()
                return session
    except LeftError:
        return None


def _ask(console: Console, prompt: str, help_text: str, read: Callable[[str], T]) -> T:
    while True:
        answer = console.ask(prompt)
        if answer is None or answer.lower() == "z":
            raise LeftError
        if answer == "?":
            console.say(help_text.splitlines())
            continue
        try:
            return read(answer)
        except ParseError as error:
            if not console.is_person:
                raise
            console.say(str(error))


def _read_choice(answer: str) -> str:
    for word in ("new", "open", "edit", "quit"):
        if answer.lower() in (word, word[0]):
            return word[0]
    raise ParseError(f"{quote(answer)} is not one of n, o, e, q, z, ?")


def _read_new(saves: Saves, answer: str) -> str:
    if answer and saves.holds(check_id(answer)):
        raise ParseError(f"there is a game {quote(answer)} already; choose another id, or open it")
    return answer


def _choose_saved(saves: Saves, console: Console) -> tuple[Adviser, Record] | None:
    names = saves.names()
    if not names:
        message = f"no game is saved in {quote(str(saves.folder))}"
        if not console.is_person:
            raise ParseError(message)
        console.say(message)
        return None
    good = []
    for name in names:
        try:
            # Use `parse`, not `read`: `read` would mark the file as known and so allow overwriting it.
            adviser, record = saves.parse(name, saves.read_bytes(name))
        except ParseError as error:
            console.say(f"     {error}")
            continue
        good.append(name)
        stage = record.last.result or help_.STAGES[record.prompt]
        phase = f"{adviser.phase_word} {len(record.last.phases)}"
        console.say(f"{len(good):>3}  {name}  {adviser.game.variant}  {phase}  {stage}")

    def read(answer: str) -> tuple[Adviser, Record] | None:
        if not answer:
            return None
        number = None if answer in names else read_whole(answer, len(good), least=1)
        return saves.read(answer if number is None else good[number - 1])

    return _ask(console, OPEN, help_.OPEN, read)
