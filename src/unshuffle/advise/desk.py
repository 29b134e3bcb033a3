"""A game under way: its record, its replayed state, and the output of both."""

from __future__ import annotations

from typing import Any

from unshuffle.advise.adviser import Adviser
from unshuffle.advise.console import Console
from unshuffle.advise.parts import Draft, Origin, Redeals, Setting
from unshuffle.advise.record import Edit, Phase, Played, Record, replay_phases, setting_of
from unshuffle.advise.saves import Saves
from unshuffle.advise.story import story
from unshuffle.game import Outcome
from unshuffle.numbers import plural


class Desk:
    """The data that every prompt works on."""

    def __init__(self, adviser: Adviser, record: Record, saves: Saves, console: Console, explain: str) -> None:
        self.adviser = adviser
        self.game = adviser.game
        self.record = record
        self.saves = saves
        self.console = console
        self.explain = explain
        self.may_export = True
        """Whether the person may write files anywhere."""
        self.played: list[Played] = []
        if adviser.models:
            declared = adviser.effort.get("model") or ("" if record.model else next(iter(adviser.models)))
            if declared:
                record.model = record.declared = declared
        self.refresh()

    def save(self) -> None:
        """Write the record as it is now."""
        self.saves.write(self.adviser, self.record)

    def refresh(self) -> None:
        """Replay the record by the rules."""
        phases = self.record.last.phases
        self.played = replay_phases(self.adviser, phases if self.record.is_laid_out else phases[:-1])

    def recall(self) -> None:
        """Compare the typed redeals with the predicted ones, where the same game may be played again."""
        redeals = self.adviser.redeals
        if redeals is None or not redeals.models:
            return
        earlier = [replay_phases(self.adviser, part.phases) for part in self.record.passes[:-1]]
        record = self.record
        record.model, words = redeals.recall([*earlier, self.played], record.declared, record.model)
        self.console.say(words)

    @property
    def state(self) -> Any:
        """The current table, or the last one of the previous phase."""
        return self.played[-1].states[-1]

    @property
    def before(self) -> Any | None:
        """The table before the redeal that began this phase."""
        earlier = self.played[: len(self.record.last.phases) - 1]
        return earlier[-1].states[-1] if earlier else None

    @property
    def phase_name(self) -> str:
        """Which deal this is, or which redeal is being typed."""
        if self.record.is_laid_out:
            return self.adviser.phase_name(self.state)
        before = self.before
        number = f"{self.adviser.phase_word} {len(self.record.last.phases)}"
        return number if before is None else f"{number}, {self.redeals.name(before)}"

    @property
    def redeals(self) -> Redeals:
        """The game's part for redeals. Games without redeals never get here."""
        assert self.adviser.redeals is not None
        return self.adviser.redeals

    @property
    def work(self) -> Phase | Edit:
        """The object with the current draft."""
        return self.record.edit or self.record.phase

    @property
    def setting(self) -> Setting:
        """Where the table of that draft comes from."""
        edit = self.record.edit
        if edit is not None and edit.of == "now":
            return Setting(Origin.NOW, self.played[-1].states[0])
        return setting_of(self.before)

    def show_board(self) -> None:
        """Show the current table."""
        self.console.say(self.console.drawn(self.game, self.state))

    def show_draft(self) -> None:
        """Show the table as far as it is typed."""
        self.console.say(self.adviser.typed.rows(self.work.draft, for_person=self.console.shows_pictures))

    def faults(self, draft: Draft) -> list[str]:
        """Return all faults of the draft, a line each; an empty list if there are none."""
        faults = self.adviser.typed.faults(draft, self.setting)
        return [f"{plural(len(faults), 'fault')}:", *(f"  {fault}" for fault in faults)] if faults else []

    def settle(self, *, shows_board: bool = True) -> None:
        """Replay and show the game; end it if it is over."""
        self.refresh()
        record, phase, state = self.record, self.record.phase, self.state
        if shows_board:
            self.show_board()
        outcome = state.outcome
        is_given_up = not phase.planned and phase.plan_ends == "lost"
        if outcome is None and not is_given_up:
            return
        record.prompt = "end"
        record.last.result = "won" if outcome is Outcome.WON else "lost"
        phase.end = list(self.adviser.typed.draft_of(state).cells)
        phase.kept = self.adviser.kept(state)
        self.console.say(["", *story(self.adviser, record.last, self.played)])
