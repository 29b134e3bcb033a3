"""Gaps' part in the flow of `unshuffle advise`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from unshuffle.advise.adviser import Advice, Adviser, Draft, Origin, Setting
from unshuffle.advise.record import Played
from unshuffle.game import AnyGame, Outcome
from unshuffle.games.gaps import Gaps, State
from unshuffle.games.gaps.advise import table, words
from unshuffle.games.gaps.hidden import values
from unshuffle.games.gaps.hidden.choice import Option
from unshuffle.games.gaps.hidden.ends import MEMORY, SECONDS, Budget, Searches
from unshuffle.games.gaps.hidden.foresight import MODELS, Foresight, Redealt, check
from unshuffle.games.gaps.hidden.planner import Planner
from unshuffle.games.gaps.rules import MOST_SCORE, RedealView
from unshuffle.hidden.chance import Chance
from unshuffle.numbers import plural
from unshuffle.solve import Line, Status, cores
from unshuffle.solve.limits import parse_memory
from unshuffle.views import OpenView

_TYPING = """\
Type the cells from the left, one or several per answer, not past the end of the row: QS, or a whole row QS 9D -- 5H ...
A gap is -, -- or g; ten is T, X or 10. Four lines may be pasted; `Deck:` and 52 cards fill everything, aces are gaps.
`r3c6 5H` sets one cell, `r2` and 13 cells set a row."""
_POSITIONS = """
For a board after a redeal type `Redeals used: 1` first."""
_FREE = """\
Only the free cells are asked for: locked runs stay. A line may hold the rest of the row's free cells, or all 13 cells.
`r3c6 5H` sets one cell."""


class GapsAdviser(Adviser):
    """Cells are typed one by one or in rows; the plan wins the phase, or ends it where a redeal is worth most."""

    game: Gaps
    has_redeals = True
    ends_by_blank = False
    replans = True
    models = MODELS
    phase_word = "phase"
    kept_name = "locks"
    moves_help = "6H>r2c5, or 6H alone where it has one place to go"
    edit_prompt = "Cell and card (r3c6 5H), blank to end?"

    def __init__(self, game: AnyGame) -> None:
        super().__init__(game)
        self.planner = Planner(self.game.rules)
        self._model = next(iter(MODELS))

    @property
    def rules_in_words(self) -> str:
        """Redeals, and what a 2 may do."""
        return words.rules_in_words(self.game.rules)

    # The table as it is typed.

    def entry_help(self, setting: Setting) -> str:
        """How cells are typed."""
        return _FREE if setting.origin is Origin.REDEAL else _TYPING + _POSITIONS * bool(self.game.rules.redeals)

    def blank(self, setting: Setting) -> Draft:
        """52 cells, of which a redeal leaves some as they are."""
        return table.blank(setting)

    def next_place(self, draft: Draft, setting: Setting) -> str:
        """Row and column."""
        return table.next_place(draft)

    def enter(self, draft: Draft, answer: str, setting: Setting, *, is_edit: bool) -> tuple[Draft, list[str]]:
        """Cells, in their order or by name."""
        return table.enter(self.game, draft, answer, setting, is_edit)

    def is_complete(self, draft: Draft, setting: Setting) -> bool:
        """All 52 cells."""
        return "" not in draft.cells

    def tidy(self, draft: Draft) -> Draft:
        """As it is."""
        return draft

    def faults(self, draft: Draft, setting: Setting) -> list[str]:
        """In the words of the game."""
        return table.faults(self.game, draft, setting)

    def early_faults(self, draft: Draft, setting: Setting) -> list[str]:
        """Doubled cards, words that are no cards, too many gaps."""
        return table.early_faults(draft)

    def lay_out(self, draft: Draft, setting: Setting) -> State:
        """The state."""
        return table.lay_out(self.game, draft, setting)

    def draft_of(self, state: State) -> Draft:
        """Its cells."""
        return table.draft_of(state)

    def rows(self, draft: Draft, *, for_person: bool) -> list[str]:
        """Four rows."""
        return table.shown(draft, for_person)

    def read_foreign(self, text: str) -> Draft:
        """A flat list of 52 cells."""
        return table.read_flat(text)

    # Play.

    def split_moves(self, text: str) -> list[str]:
        """As the game reads a line of play."""
        return self.game.split_moves(text)

    def phase_name(self, state: State) -> str:
        """Which phase."""
        return f"phase {state.phase} of {state.rules.redeals + 1}"

    def redeal_name(self, state: State) -> str:
        """Which redeal."""
        return f"redeal {state.used + 1}"

    def redeal_help(self, state: State) -> str:
        """What is locked, and what is asked for."""
        asked = len(state.free_cells) - len(state.fixed_gaps)
        kept = f"Locked: {words.locks_text(state.locks)}" if state.score else "Nothing is locked"
        number = f"Redeal {state.used + 1} of {state.rules.redeals}"
        return f"{number}. {kept}; {plural(asked, 'free cell')} to type, row by row."

    def redeal_token(self, draft: Draft, before: State) -> str:
        """`r=` and the free cells."""
        return table.dealt(draft, before).token

    def kept(self, state: State) -> list[Any]:
        """The locked run of each row."""
        return [list(run) for run in state.locks]

    def end_words(self, state: State) -> str:
        """What was locked."""
        return f"{state.score} locked ({words.locks_text(state.locks)})"

    def worth(self, state: State) -> Chance | None:
        """What the table says about this shape."""
        value = values.lookup(state.rules, [length for _, length in state.locks], state.redeals_left)
        return None if value is None else Chance(value.p, value.se)

    def numbered(self, line: Line, explain: str) -> list[str]:
        """Moves in groups that end with a lock, with reasons."""
        return words.numbered(self.game, line, explain)

    @property
    def _budget(self) -> Budget:
        effort = self.effort
        return Budget(
            seconds=effort.get("seconds", SECONDS),
            memory=effort.get("memory", parse_memory(MEMORY)),
            threads=effort.get("threads", cores()),
            without=tuple(effort.get("without", ())),
            is_stopped=self.is_stopped,
        )

    def advise(self, view: OpenView[State] | RedealView) -> Advice:
        """The plan for this phase."""
        state = view.table
        plan = self.planner.plan(state, self._budget)
        best, found = plan.best, plan.found
        is_lost = found.status is Status.UNSOLVABLE and not plan.redeals
        ends = "won" if plan.wins else "redeal" if plan.redeals else "lost" if is_lost else "next"
        alternatives = [_values(option) for option in plan.rivals]
        result = {
            "locks": [list(run) for run in best.locks],
            "locked": best.score,
            "status": found.status.value,
            "score_proved": found.score_proved,
            "complete": found.complete,
            "win_chance": best.chance,
            "win_chance_se": best.se,
            "redeals_left": state.redeals_left,
            "simulated": best.tries,
            "margin": plan.margin and plan.margin[0],
            "margin_se": plan.margin and plan.margin[1],
            "alternatives": alternatives,
            "policy": plan.policy,
            "nodes": found.nodes,
            "seconds": found.seconds,
        }
        return Advice(
            best.moves,
            ends,
            words.chance_of(best),
            tuple(words.claim(state, plan, self._model)),
            words.closing(state, plan),
            (),
            result,
            "" if state.score == MOST_SCORE else words.statistics(found),
        )

    # The same game again.

    def recall(self, passes: Sequence[Sequence[Played]], declared: str, kept: str) -> tuple[str, list[str]]:
        """Hold the model against what was typed, and plan by it from now on."""
        records = [_record(played, number) for played in passes for number in range(1, len(played))]
        checked = check(self.game.rules, declared, records)
        self._model = checked.model
        self.planner.foresight = Foresight(self.game.rules, checked.model, tuple(dict.fromkeys(records)))
        # The end of a phase, from the last table to which the moves are unknown.
        self.planner.recorded = [part.pieces()[-1] for played in passes for part in played]
        # An unfinished redeal leaves all phases as ended ones; asked for advice is only a board in play.
        self.planner.path = tuple(part.states[-1].cells for part in passes[-1][:-1])
        # A game may have been taken up after a redeal that nobody typed here.
        used = passes[0][0].states[0].used if passes[0] else 0
        return checked.model, list(words.checked_words(checked, kept, len(passes), used))

    def hindsight(self, played: Sequence[Played]) -> list[str]:
        """What each phase of a pass would have allowed."""
        lines = ["In hindsight:"]
        is_lost = False
        budget = self._budget
        budget = replace(budget, seconds=(budget.seconds or SECONDS) / max(len(played), 1))
        for part in played:
            if part.states[-1].outcome is Outcome.WON:
                lines.append(f"  {self.phase_name(part.states[0])}: you won it")
                is_lost = False
                continue
            # What is not decided yet is not taken up again: that would cost the next plan its time.
            begun = self.planner.searches
            searches = begun if begun.is_decided(part.states[0]) else Searches()
            found = searches.ends(part.states[0], budget)
            is_lost = found.status is Status.UNSOLVABLE
            lines.append(f"  {self.phase_name(part.states[0])}: {words.hindsight(found, part.states[-1])}")
        return [*lines, *words.outlook(self._model, is_lost)]


def _record(played: Sequence[Played], number: int) -> Redealt:
    ends = tuple(part.states[-1].cells for part in played[:number])
    return Redealt(ends, played[number].states[0].cells)


def _values(option: Option) -> dict[str, Any]:
    return {
        "moves": [move.token for move in option.moves],
        "locks": [list(run) for run in option.locks],
        "locked": option.score,
        "win_chance": option.chance,
        "win_chance_se": option.se,
        "simulated": option.tries,
    }
