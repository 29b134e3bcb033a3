"""People who answer at random, and sessions that are opened again after every answer, for the laws of the flow."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import unshuffle as un
from unshuffle.advise import adviser_of
from unshuffle.advise.console import Console
from unshuffle.advise.desk import Desk
from unshuffle.advise.export import export
from unshuffle.advise.saves import Saves, new_record
from unshuffle.advise.session import Session
from unshuffle.layout import without_remarks

_COMMANDS = ("a", "d", "d 1", "u", "u", "u 2", "b", "e", "s", "n", "", "?", "m", "x /nowhere/a.txt", "r")


class Script(Console):
    """A person who answers at random, mostly to the point."""

    is_person = True

    def __init__(self, rng: Random, answers: int) -> None:
        self.said: list[str] = []
        super().__init__(self.said.append)
        self.session: Session | None = None
        self._rng = rng
        self._left = answers

    def ask(self, prompt: str) -> str | None:
        self._left -= 1
        return None if self._left < 0 else self._answer(prompt)

    @abstractmethod
    def _answer(self, prompt: str) -> str: ...

    @property
    def _desk(self) -> Desk:
        assert self.session is not None
        return self.session.desk


class Watched(Session):
    """A session that is opened again after every answer."""

    def take_one(self) -> bool:
        goes_on = super().take_one()
        desk = self.desk
        adviser, record = Saves(desk.saves.folder, desk.game.id).read(desk.record.id)
        assert record == desk.record
        assert Session(adviser, record, desk.saves, desk.console).prompt == self.prompt
        return goes_on


def check_export(desk: Desk, path: Path) -> None:
    """The tokens lead to the table on which the game stands, or on which its last deal ended."""
    if not desk.played:
        return
    export(desk.adviser, desk.record, desk.saves, path)
    text = path.read_text()
    start = desk.game.parse(without_remarks(text))
    moves = desk.game.parse_moves(text.split("# Moves:")[1].splitlines()[0], start)  # earlier passes follow
    end = un.replay(start, moves).states[-1]
    assert desk.state in (end, end.view())  # where cards are hidden, the tables of the flow are views


class _Seer(Script):
    """One with a real table of their own, of which they type what they see."""

    def __init__(self, rng: Random, view: Any, places: tuple[str, ...], junk: Sequence[str]) -> None:
        super().__init__(rng, answers=40)
        self._entry = iter(str(view).splitlines())
        self._places = places
        self._junk = junk

    def _answer(self, prompt: str) -> str:
        rng, desk = self._rng, self._desk
        if rng.random() < 0.1:
            return rng.choice(self._junk)
        if prompt.startswith(self._places) and rng.random() < 0.9:
            return next(self._entry, "")
        if desk.record.prompt == "shown" and rng.random() < 0.9:
            count = int(word) if (word := prompt.split()[1]).isdecimal() else 1 + ("piles" in prompt)
            return " ".join(map(str, rng.sample(desk.state.unseen, min(count, len(desk.state.unseen)))))
        if prompt.startswith("[A]") and rng.random() < 0.6:
            moves = desk.state.legal_moves()
            return f"m {rng.choice(moves).token}" if moves else "u"
        return rng.choice(_COMMANDS)


def check_seen_flow(
    game: un.Game[Any, Any],
    seed: int,
    folder: Path,
    *,
    places: tuple[str, ...],
    junk: Sequence[str],
    begun: int,
    **effort: float,
) -> None:
    """Law: the save is the game at the very prompt, and its export leads to the table on which the game stands.

    The prompts for places of the table begin with `places`; up to so many moves were made before.
    """
    rng = Random(seed)
    state = game.deal(seed)
    for _ in range(rng.randrange(begun)):
        if moves := state.legal_moves():
            state = state.play(rng.choice(moves))
    console = _Seer(rng, state.view(), places, junk)
    adviser = adviser_of(game)
    adviser.effort = {"samples": 1, **effort}
    session = Watched(adviser, new_record("g"), Saves(folder, game.id), console)
    console.session = session
    session.begin()
    session.run()
    check_export(session.desk, folder / "g.txt")
