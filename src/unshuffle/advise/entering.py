"""The prompts at which a table is typed: entry, redeal and edit."""

from __future__ import annotations

from unshuffle.advise.desk import Desk
from unshuffle.advise.parts import Draft, write_board
from unshuffle.advise.record import Edit, play_tokens, why_not
from unshuffle.errors import RefusedError, quote
from unshuffle.numbers import plural


class Entering:
    """Handlers of the answers that are cards."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def enter(self, answer: str) -> None:
        """Take an answer at the prompt `entry` or `redeal`."""
        desk = self._desk
        if answer.lower() == "u":
            self._take_back_answer()
        elif answer:
            self._put(answer, is_edit=False)
        elif not desk.adviser.typed.ends_by_blank:
            return
        elif not (desk.adviser.typed.begins_empty or any(desk.work.draft.cells) or desk.work.draft.labels):
            first = desk.adviser.typed.next_place(Draft(), desk.setting)
            raise RefusedError(f"nothing is entered yet; type {first}, or ?")
        else:
            self._end_entry()

    def _put(self, answer: str, *, is_edit: bool) -> None:
        """Put an answer into the draft; end an entry that is complete."""
        desk = self._desk
        work = desk.work
        draft, notes = desk.adviser.typed.enter(work.draft, answer, desk.setting, is_edit=is_edit)
        if draft != work.draft:
            work.earlier.append(work.draft)
            work.draft = draft
        desk.console.say(notes)
        self._go_on(is_edit=is_edit)

    def lay(self, draft: Draft) -> None:
        """Take a table that was not typed here."""
        self._desk.record.phase.draft = draft
        self._go_on(is_edit=False)

    def _go_on(self, *, is_edit: bool) -> None:
        """End the entry if the draft is complete; otherwise show the draft with its early faults."""
        desk, draft = self._desk, self._desk.work.draft
        if not is_edit and desk.adviser.typed.is_complete(draft, desk.setting):
            self._end_entry()
        else:
            desk.show_draft()
            desk.console.say(desk.adviser.typed.faults(draft, desk.setting, early=True))

    def _end_entry(self) -> None:
        """Begin to play with the draft if it has no faults; otherwise go to the edit prompt."""
        desk, record = self._desk, self._desk.record
        draft = desk.adviser.typed.tidy(record.phase.draft)
        faults = desk.faults(draft)
        record.phase.draft = draft
        record.prompt = "edit" if faults else "play"
        if faults:
            desk.show_draft()
            desk.console.say(faults)
        else:
            desk.settle()
            desk.recall()

    def _take_back_answer(self) -> None:
        """Take back the last answer of an entry, or the redeal itself."""
        desk, record = self._desk, self._desk.record
        if desk.work.earlier:
            desk.work.draft = desk.work.earlier.pop()
            if self._is_half_entered:
                self._go_on_entering()
            desk.show_draft()
        elif record.edit is not None:
            record.edit = Edit()
        elif len(record.last.phases) > 1:
            record.last.phases.pop()
            record.phase.end = record.phase.kept = record.phase.worth = None
            record.prompt = "play"
            desk.refresh()
            desk.console.say("The redeal is taken back.")
            desk.recall()
            desk.show_board()
        else:
            raise RefusedError("there is nothing to take back")

    def _go_on_entering(self) -> None:
        """Go back to the entry prompt."""
        record = self._desk.record
        record.prompt = "redeal" if len(record.last.phases) > 1 else "entry"

    # Editing.

    def choose_edit(self, answer: str) -> None:
        """Take an answer to the question what to edit."""
        desk = self._desk
        choice = {"s": "start", "start": "start", "n": "now", "now": "now", "u": "u"}.get(answer.lower())
        edit = desk.record.edit
        assert edit is not None
        if choice == "u":
            self._leave_edit()
            return
        if choice is None:
            raise RefusedError(f"{quote(answer)} is not one of s, n, u, z, ?")
        edit.of = choice
        edit.draft = desk.record.phase.draft if choice == "start" else desk.adviser.typed.draft_of(desk.state)
        desk.show_draft()

    def _leave_edit(self) -> None:
        desk = self._desk
        desk.record.edit = None
        desk.record.prompt = "end" if desk.record.last.result is not None else "play"
        desk.refresh()

    def change(self, answer: str) -> None:
        """Take an answer at the prompt `edit`."""
        desk = self._desk
        edit = desk.record.edit
        if answer.lower() == "u":
            self._take_back_answer()
        elif answer:
            self._put(answer, is_edit=True)
        elif self._is_half_entered:
            self._go_on_entering()
            desk.show_draft()
        else:
            faults = desk.faults(desk.adviser.typed.tidy(desk.work.draft))
            if faults:
                raise RefusedError("\n".join(faults))
            if edit is None:
                self._end_entry()
            elif edit.of == "start":
                self._change_start(desk.adviser.typed.tidy(edit.draft))
            else:
                self._change_now(desk.adviser.typed.tidy(edit.draft))

    @property
    def _is_half_entered(self) -> bool:
        """Whether an edit ends by going back to an entry that only its last cell ends."""
        desk = self._desk
        ends_by_blank = desk.adviser.typed.ends_by_blank
        return desk.record.edit is None and not (
            ends_by_blank or desk.adviser.typed.is_complete(desk.work.draft, desk.setting)
        )

    def _change_start(self, draft: Draft) -> None:
        """Correct a typing error: replay the moves on the new table as far as they are still legal."""
        desk, phase = self._desk, self._desk.record.phase
        if draft != phase.draft:
            start = desk.adviser.typed.lay_out(draft, desk.setting)
            legal = list(phase.moves)
            for place in range(len(phase.moves)):
                try:
                    play_tokens(desk.adviser, start, phase.moves[: place + 1])
                except ValueError as error:
                    legal = phase.moves[:place]
                    rest = len(phase.moves) - place
                    desk.console.say(f"Move {place + 1} is no longer legal: {why_not(error)}.")
                    desk.console.say(f"{plural(place, 'move')} kept, {rest} dropped.")
                    break
            phase.earlier.append(phase.draft)
            phase.draft, phase.moves, phase.chance = draft, legal, None
            phase.drop_plan()
        self._end_edit()

    def _change_now(self, draft: Draft) -> None:
        """Record a table reached by unknown moves: it stands among the moves."""
        desk, phase = self._desk, self._desk.record.phase
        if desk.adviser.typed.lay_out(draft, desk.setting) != desk.state:
            phase.moves.append(write_board(draft))
            phase.drop_plan()
        self._end_edit()

    def _end_edit(self) -> None:
        desk = self._desk
        desk.record.edit = None
        desk.record.prompt = "play"
        desk.record.last.result = None
        desk.record.phase.end = desk.record.phase.kept = None
        desk.settle()
        desk.recall()
