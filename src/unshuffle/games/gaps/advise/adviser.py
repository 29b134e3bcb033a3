"""The adviser of Gaps in `unshuffle advise`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from unshuffle.advise.adviser import Advice, Adviser
from unshuffle.advise.parts import Draft, Redeals
from unshuffle.advise.record import Played
from unshuffle.game import AnyGame, Outcome
from unshuffle.games.gaps import Gaps, State
from unshuffle.games.gaps.advise import words
from unshuffle.games.gaps.advise.table import TypedCells, dealt
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


class GapsAdviser(Adviser):
    """The adviser of Gaps. A plan wins the phase, or ends it where a redeal is worth most."""

    game: Gaps
    redeals: CellRedeals
    typed_by = TypedCells
    replans = True
    phase_word = "phase"
    kept_name = "locks"
    moves_help = "6H>r2c5, or 6H alone where it has one place to go"

    def __init__(self, game: AnyGame) -> None:
        super().__init__(game)
        self.planner = Planner(self.game.rules)
        self.model = next(iter(MODELS))
        self.redeals = CellRedeals(self)

    @property
    def rules_in_words(self) -> str:
        """The rules of redeals and 2s, in words."""
        return words.rules_in_words(self.game.rules)

    def phase_name(self, state: State) -> str:
        """Return the name of the phase."""
        return f"phase {state.phase} of {state.rules.redeals + 1}"

    def kept(self, state: State) -> list[Any]:
        """Return the locked run of each row."""
        return [list(run) for run in state.locks]

    def end_words(self, state: State) -> str:
        """Return what was locked, in words."""
        return f"{state.score} locked ({words.locks_text(state.locks)})"

    def numbered(self, line: Line, explain: str) -> list[str]:
        """Return the moves in groups that end with a lock, with reasons."""
        return words.numbered(self.game, line, explain)

    @property
    def budget(self) -> Budget:
        """The limits of the search for an answer."""
        effort = self.effort
        return Budget(
            seconds=effort.get("seconds", SECONDS),
            memory=effort.get("memory", parse_memory(MEMORY)),
            threads=effort.get("threads", cores()),
            without=tuple(effort.get("without", ())),
            is_stopped=self.is_stopped,
        )

    def advise(self, view: OpenView[State] | RedealView) -> Advice:
        """Return the plan for this phase."""
        state = view.table
        plan = self.planner.plan(state, self.budget)
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
            tuple(words.claim(state, plan, self.model)),
            words.closing(state, plan),
            (),
            result,
            "" if state.score == MOST_SCORE else words.statistics(found),
        )


class CellRedeals(Redeals):
    """Redeals of the free cells, and further passes through the same game, whose redeals may repeat."""

    models = MODELS

    def __init__(self, adviser: GapsAdviser) -> None:
        super().__init__(adviser.game)
        self.adviser = adviser

    def name(self, state: State) -> str:
        """Return the name of the redeal."""
        return f"redeal {state.used + 1}"

    def help(self, state: State) -> str:
        """Return what is locked and what must be typed, in words."""
        asked = len(state.free_cells) - len(state.fixed_gaps)
        kept = f"Locked: {words.locks_text(state.locks)}" if state.score else "Nothing is locked"
        number = f"Redeal {state.used + 1} of {state.rules.redeals}"
        return f"{number}. {kept}; {plural(asked, 'free cell')} to type, row by row."

    def token(self, draft: Draft, before: State) -> str:
        """Return `r=` and the free cells."""
        return dealt(draft, before).token

    def worth(self, state: State) -> Chance | None:
        """Return the table's value of this shape; None if it has none."""
        value = values.lookup(state.rules, [length for _, length in state.locks], state.redeals_left)
        return None if value is None else Chance(value.p, value.se)

    def recall(self, passes: Sequence[Sequence[Played]], declared: str, kept: str) -> tuple[str, list[str]]:
        """Test the model on all typed passes, plan by it from now on, and return it with a message for the player."""
        adviser = self.adviser
        records = [_record(played, number) for played in passes for number in range(1, len(played))]
        checked = check(adviser.game.rules, declared, records)
        adviser.model = checked.model
        adviser.planner.foresight = Foresight(adviser.game.rules, checked.model, tuple(dict.fromkeys(records)))
        # The last piece of each phase: the moves that lead to it may be unknown.
        adviser.planner.recorded = [part.pieces()[-1] for played in passes for part in played]
        # During a redeal the last phase has ended too, but advice is given only on a board in play.
        adviser.planner.path = tuple(part.states[-1].cells for part in passes[-1][:-1])
        # The first board of a game may be one after a redeal.
        used = passes[0][0].states[0].used if passes[0] else 0
        return checked.model, list(words.checked_words(checked, kept, len(passes), used))

    def hindsight(self, played: Sequence[Played]) -> list[str]:
        """Return what each phase of a pass would have allowed, a line each."""
        adviser, lines = self.adviser, ["In hindsight:"]
        is_lost = False
        budget = adviser.budget
        budget = replace(budget, seconds=(budget.seconds or SECONDS) / max(len(played), 1))
        for part in played:
            if part.states[-1].outcome is Outcome.WON:
                lines.append(f"  {adviser.phase_name(part.states[0])}: you won it")
                is_lost = False
                continue
            # An undecided search is not resumed here: that would use up the time of the next plan.
            begun = adviser.planner.searches
            searches = begun if begun.is_decided(part.states[0]) else Searches()
            found = searches.ends(part.states[0], budget)
            is_lost = found.status is Status.UNSOLVABLE
            lines.append(f"  {adviser.phase_name(part.states[0])}: {words.hindsight(found, part.states[-1])}")
        return [*lines, *words.outlook(adviser.model, is_lost)]


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
