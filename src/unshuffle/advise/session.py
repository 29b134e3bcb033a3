"""One advised game from the first card typed to its end: prompts, answers, and a save after each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unshuffle.advise import help_texts as help_
from unshuffle.advise.adviser import Adviser
from unshuffle.advise.console import Console, LeftError
from unshuffle.advise.desk import Desk
from unshuffle.advise.entering import Entering
from unshuffle.advise.parts import Draft
from unshuffle.advise.playing import Playing
from unshuffle.advise.record import Record
from unshuffle.advise.saves import Saves
from unshuffle.errors import RefusedError, in_a_line
from unshuffle.numbers import plural
from unshuffle.registry import load_option

PLAY = "[A]dvice, [D]one, [M]oves, [U]ndo, [E]dit, [B]oard, [R]edeal, e[X]port, [Z] save and exit?"
_FEW = 12
"""The most variants that are listed in a line."""
END = "[U]ndo, [E]dit, [B]oard, e[X]port, [Z] save and exit?"


class Session:
    """A game under way, at one of its prompts. Every accepted answer is saved before the next prompt."""

    def __init__(
        self,
        adviser: Adviser,
        record: Record,
        saves: Saves,
        console: Console,
        explain: str = "short",
        effort: Mapping[str, Any] | None = None,
    ) -> None:
        self.adviser = adviser
        if effort is not None:
            adviser.effort = effort
        self.desk = Desk(adviser, record, saves, console, explain)
        self._entering = Entering(self.desk)
        self._playing = Playing(self.desk)

    def run(self) -> None:
        """Ask until the person leaves, by an answer or by Ctrl-C."""
        try:
            while self.take_one():
                pass
        except KeyboardInterrupt:
            self.desk.console.say(["", self._goodbye])
            raise

    def take_one(self) -> bool:
        """Ask one prompt and take its answer; return False when the person leaves."""
        console = self.desk.console
        try:
            answer = console.ask(self.prompt)
            if answer is None or answer.lower() == "z":
                console.say(self._goodbye)
                return False
            if answer == "?":
                console.say(self.help)
                return True
            self._take(answer)
        except LeftError:
            console.say(self._goodbye)
            return False
        except RefusedError as refused:
            if not console.is_person:
                raise
            console.say(str(refused).splitlines())
            return True
        self.desk.save()
        return True

    def _take(self, answer: str) -> None:
        prompt = self.desk.record.prompt
        if prompt in ("entry", "redeal"):
            self._entering.enter(answer)
        elif self.asks_which:
            self._entering.choose_edit(answer)
        elif prompt == "edit":
            self._entering.change(answer)
        elif prompt == "shown":
            self._playing.tell(answer)
        else:
            self._playing.command(answer)

    # Opening and leaving.

    def begin(self) -> None:
        """Begin a new game: save it and show its introduction."""
        desk, console = self.desk, self.desk.console
        desk.adviser.typed.check()
        desk.save()
        console.say(f"New game {desk.record.id} of {desk.game}: {desk.adviser.rules_in_words}.")
        default, *others = desk.game.variants
        if desk.game.variant == default and others:
            names = (
                f": {', '.join(others)}"
                if len(others) <= _FEW
                else f"; `unshuffle games {desk.game.id}{load_option(desk.game.id)}` lists them"
            )
            console.say(f"For other rules begin with --variant{names}.")
        path = in_a_line(desk.saves.path(desk.record.id))
        console.say(f"Saved after every answer in {path}; ? helps at every prompt, z saves and exits.")
        if console.is_person:
            console.say(["", *desk.adviser.typed.help(desk.setting).splitlines(), ""])

    def open(self) -> None:
        """Show a saved game: its name, its stage and its board."""
        desk, record = self.desk, self.desk.record
        desk.console.say(f"Game {record.id} of {desk.game}: {desk.phase_name}, {help_.STAGES[record.prompt]}.")
        desk.recall()
        if record.prompt in ("play", "shown", "end") or self.asks_which:
            desk.show_board()
            if record.phase.planned:
                left = plural(len(record.phase.planned), "move")
                desk.console.say(f"{left} of the plan left: {' '.join(record.phase.planned)}")
            return
        desk.show_draft()
        if record.prompt == "edit":
            desk.console.say(desk.faults(desk.adviser.typed.tidy(desk.work.draft)))

    def begin_with(self, draft: Draft) -> None:
        """Begin a new game whose first table was not typed here."""
        self.begin()
        self._entering.lay(draft)
        self.desk.save()

    def edit(self) -> None:
        """Go to the edit prompt. An entry that a blank answer ends stays at its own prompt, where it is edited."""
        desk = self.desk
        if desk.record.prompt in ("play", "end"):
            self._playing.edit()
        elif desk.record.prompt in ("entry", "redeal") and not desk.adviser.typed.ends_by_blank:
            desk.record.prompt = "edit"
        desk.save()

    @property
    def _goodbye(self) -> str:
        desk = self.desk
        options = f"--id {desk.record.id}{desk.saves.option}{load_option(desk.game.id)}"
        return f"Saved. To go on: unshuffle advise {desk.game.id} {options}"

    # Prompts.

    @property
    def asks_which(self) -> bool:
        """Whether the person still has to choose what to edit."""
        edit = self.desk.record.edit
        return edit is not None and edit.of is None

    @property
    def prompt(self) -> str:
        """The text of the current prompt."""
        adviser, record = self.desk.adviser, self.desk.record
        if record.prompt in ("entry", "redeal"):
            text = adviser.typed.next_place(record.phase.draft, self.desk.setting)
            if record.prompt == "redeal":
                text = f"{self.desk.redeals.name(self.desk.before)}, {text}"
            return f"{text[0].upper()}{text[1:]}?"
        if self.asks_which:
            return f"[S]tart of this {adviser.phase_word} or board [N]ow?"
        if record.prompt == "shown":
            return self._playing.question
        play = PLAY if adviser.redeals is not None else PLAY.replace("[R]edeal, ", "")
        text = {"edit": adviser.typed.edit_prompt, "play": play, "end": END}[record.prompt]
        return text.replace("[Z]", "[P]ass, [Z]") if adviser.models else text

    @property
    def help(self) -> list[str]:
        """The lines that answer `?`."""
        prompt = self.desk.record.prompt
        if self.asks_which:
            text = help_.WHICH
        elif prompt in ("entry", "redeal"):
            text = self.desk.adviser.typed.help(self.desk.setting)
        else:
            text = help_.PROMPTS[prompt].format(moves=self.desk.adviser.moves_help)
            if prompt == "play" and self.desk.adviser.redeals is None:
                text = "\n".join(line for line in text.splitlines() if not line.startswith("r "))
            if prompt in ("play", "end") and self.desk.adviser.models:
                text += f"\n{help_.PASS}"
            if prompt == "play":
                text += f"\n{self.desk.console.thinking_help}".rstrip()
        return [*text.splitlines(), help_.EVERYWHERE]
