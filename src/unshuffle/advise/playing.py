"""The prompts `play`, `shown` and `end`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from unshuffle.advise.adviser import Advice
from unshuffle.advise.desk import Desk
from unshuffle.advise.export import TakenError, export
from unshuffle.advise.record import Edit, Pass, Phase, play, setting_of, why_not
from unshuffle.advise.story import advice_lines
from unshuffle.errors import RefusedError, quote
from unshuffle.numbers import plural, read_whole


class Playing:
    """Handlers of the answers that are commands."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def command(self, answer: str) -> None:
        """Execute an answer at the prompt `play` or `end`: a letter and its argument."""
        word, _, tail = answer.partition(" ")
        commands: dict[str, Callable[[str], None]] = {
            "undo": self._undo,
            "edit": self.edit,
            "board": self._board,
        }
        commands |= {"x": self._export, "export": self._export} if self._desk.may_export else {}
        if self._desk.record.prompt == "play":
            commands |= {"advice": self._advise, "done": self._done, "moves": self._moves}
            commands |= {"redeal": self._redeal} if self._desk.adviser.redeals is not None else {}
        commands |= {"pass": self._pass} if self._desk.adviser.models else {}
        name = next((name for name in commands if word.lower() in (name, name[0])), None)
        if name is None:
            letters = ", ".join(sorted({"x" if name == "export" else name[0] for name in commands}))
            raise RefusedError(f"{quote(answer)} is not one of {letters}, z, ?")
        commands[name](tail.strip())

    def _board(self, tail: str) -> None:
        self._desk.show_board()

    def _advise(self, tail: str) -> None:
        desk, phase = self._desk, self._desk.record.phase
        view = desk.state.view()
        with desk.console.listening() as desk.adviser.is_stopped:
            advice: Advice = desk.adviser.advise(view)
        desk.console.say(advice_lines(desk.adviser, view, advice, desk.explain, desk.console.drawn))
        phase.planned = [move.token for move in advice.moves]
        phase.followed, phase.plan_ends = 0, advice.ends
        if phase.chance is None:
            phase.chance = advice.chance
        desk.settle(shows_board=False)

    def _done(self, tail: str) -> None:
        phase = self._desk.record.phase
        if not phase.planned:
            if phase.plan_ends == "redeal" and not phase.followed:
                self._say_rest()  # a plan that only redeals has no moves to mark
                return
            if phase.plan_ends == "redeal":
                raise RefusedError("the plan is played; r redeals")
            raise RefusedError("there is no plan yet; a asks for one")
        count = number(tail, len(phase.planned))
        if count > len(phase.planned):
            raise RefusedError(f"the plan has only {plural(len(phase.planned), 'more move')}")
        self._play(phase.planned[:count])
        self._say_rest()

    def _say_rest(self) -> None:
        """Say how much of the plan is left."""
        desk, phase = self._desk, self._desk.record.phase
        if desk.record.prompt != "play" or phase.plan_ends is None:
            return
        if phase.planned:
            desk.console.say(f"{plural(len(phase.planned), 'move')} of the plan left.")
        else:
            then = "r redeals" if phase.plan_ends == "redeal" else "a asks for the next one"
            desk.console.say(f"The plan is played; {then}.")

    def _moves(self, tail: str) -> None:
        tokens = self._desk.adviser.told.split_moves(tail)
        if not tokens:
            raise RefusedError(f"m takes the moves that you made: {self._desk.adviser.moves_help}")
        had_plan = bool(self._desk.record.phase.planned)
        self._play(tokens)
        if had_plan and self._desk.adviser.replans and self._desk.record.phase.plan_ends is None:
            self._replan()

    def _replan(self) -> None:
        """Make the plan again from the current state."""
        if self._desk.record.prompt == "play":
            self._desk.console.say(["", "The plan, made again from here:"])
            self._advise("")

    def _play(self, tokens: list[str]) -> None:
        """Play all of these moves or none. Those from a move with unnamed revealed cards on wait for an answer."""
        desk = self._desk
        state, moves, pending = desk.state, [], []
        for place, token in enumerate(tokens):
            try:
                move = desk.adviser.told.parse_move(token, state)
                if desk.game.is_redeal(move) and state.can_redeal:
                    raise RefusedError("a redeal is an answer of its own: r")
                if desk.adviser.told.asks(state, move):
                    pending = list(tokens[place:])
                    break
                state = play(state, move)
            except RefusedError:
                raise
            except ValueError as error:
                raise RefusedError(f"{why_not(error)}; no move was taken") from None
            moves.append(move.token)
        self._keep(moves)
        if pending and desk.record.prompt == "play":
            desk.record.pending, desk.record.prompt = pending, "shown"

    def _keep(self, moves: list[str]) -> None:
        """Put legal moves into the record."""
        desk, phase = self._desk, self._desk.record.phase
        if not moves:
            return
        if list(map(_bare, phase.planned[: len(moves)])) == list(map(_bare, moves)):
            del phase.planned[: len(moves)]
            phase.followed += len(moves)
        else:
            phase.drop_plan()
        phase.moves += moves
        state = desk.state
        for token in moves:
            move = desk.adviser.told.parse_move(token, state)
            desk.console.say(filter(None, [desk.adviser.follows(state, move)]))
            state = play(state, move)
        desk.settle()

    @property
    def question(self) -> str:
        """The question at the prompt `shown`."""
        desk = self._desk
        return desk.adviser.told.asks(desk.state, desk.adviser.told.parse_move(desk.record.pending[0], desk.state))

    def tell(self, answer: str) -> None:
        """Take the cards revealed by a move (prompt `shown`), then play the moves that wait behind it."""
        desk, record = self._desk, self._desk.record
        token, *rest = record.pending
        if answer.lower() == "u":
            desk.console.say(f"Taken back: {' '.join(record.pending)}")
            record.pending, record.prompt = [], "play"
            return
        move = desk.adviser.told.parse_move(token, desk.state)
        told = desk.adviser.told.tell(desk.state, move, answer)
        shown = desk.adviser.told.parse_move(told, desk.state)
        if desk.adviser.told.asks(desk.state, shown):
            record.pending[0] = told  # the named cards lead to the next question
            return
        try:
            desk.state.play(shown)
        except ValueError as error:
            raise RefusedError(why_not(error)) from None
        record.pending, record.prompt = [], "play"
        self._keep([told])
        if rest and record.prompt == "play":
            try:
                self._play(rest)
            except RefusedError as refused:
                # The named cards are kept, so the answer as a whole is not refused.
                desk.console.say(f"{refused} after {told}")
        self._say_rest()

    def _undo(self, tail: str) -> None:
        """Take back moves; if there are none, the last answer of the entry."""
        desk, record, phase = self._desk, self._desk.record, self._desk.record.phase
        was_given_up = record.prompt == "end" and not phase.followed and desk.state.outcome is None
        count = number(tail, 1)
        if was_given_up:
            phase.drop_plan()
        elif not phase.moves and len(record.passes) > 1 and len(record.last.phases) == 1:
            self._leave_pass(count)
            return
        elif not phase.moves:
            self._reopen_entry(count)
            return
        elif count > len(phase.moves):
            raise RefusedError(
                f"only {plural(len(phase.moves), 'move')} can be taken back in this {desk.adviser.phase_word}"
            )
        else:
            taken = phase.moves[-count:]
            del phase.moves[-count:]
            for token in reversed(taken):
                if phase.followed:
                    phase.planned.insert(0, token)
                    phase.followed -= 1
                else:
                    phase.drop_plan()
            desk.console.say(f"Taken back: {' '.join(taken)}")
        record.prompt, record.last.result = "play", None
        phase.end = phase.kept = None
        desk.refresh()
        desk.show_board()

    def _reopen_entry(self, count: int) -> None:
        desk, record, phase = self._desk, self._desk.record, self._desk.record.phase
        if not phase.earlier or count > 1:
            raise RefusedError("there is nothing to take back")
        record.prompt = "redeal" if len(record.last.phases) > 1 else "entry"
        record.last.result = phase.end = phase.kept = phase.chance = None
        phase.drop_plan()
        desk.refresh()
        phase.draft = phase.earlier.pop()
        if desk.adviser.typed.is_complete(phase.draft, desk.setting):
            record.prompt = "edit"
        desk.console.say("The last answer of the entry is taken back.")
        desk.show_draft()

    def _redeal(self, tail: str) -> None:
        desk = self._desk
        state, phase = desk.state, desk.record.phase
        reason = desk.redeals.why_not(state)
        if reason:
            raise RefusedError(f"no redeal now: {reason}")
        phase.end = list(desk.adviser.typed.draft_of(state).cells)
        phase.kept = desk.adviser.kept(state)
        phase.worth = desk.redeals.worth(state)
        desk.record.last.phases.append(Phase(desk.adviser.typed.blank(setting_of(state))))
        desk.record.prompt = "redeal"
        desk.refresh()
        desk.console.say(desk.redeals.help(state))

    def _pass(self, tail: str) -> None:
        """Begin the same game from its first deal again."""
        desk, record = self._desk, self._desk.record
        with desk.console.listening() as desk.adviser.is_stopped:
            hindsight = desk.redeals.hindsight(desk.played)
        desk.console.say(hindsight)
        # The table of the last pass: errors in earlier ones may have been corrected there.
        record.passes.append(Pass([Phase(record.last.phases[0].draft)]))
        record.prompt = "play"
        desk.refresh()
        desk.recall()
        desk.console.say(f"Pass {len(record.passes)}: the same game from its first deal.")
        desk.settle()

    def _leave_pass(self, count: int) -> None:
        """Go back to the end of the previous pass."""
        desk, record = self._desk, self._desk.record
        if count > 1:
            raise RefusedError("there is nothing to take back")
        record.passes.pop()
        record.prompt = "play" if record.last.result is None else "end"
        desk.refresh()
        desk.recall()
        desk.console.say("The pass is taken back.")
        desk.show_board()

    def _export(self, tail: str) -> None:
        desk = self._desk
        option, _, rest = tail.partition(" ")
        replaces = option == "-f"
        name = rest.strip() if replaces else tail
        if not name:
            raise RefusedError(
                "x takes the name of a file: x game.txt, game.md or game.json; x -f FILE writes over one"
            )
        path = Path(name)
        try:
            export(desk.adviser, desk.record, desk.saves, path, replaces=replaces)
        except TakenError:
            if not desk.console.is_person:
                raise
            if not desk.console.confirm(f"{quote(str(path))} is there already. Write over it?"):
                desk.console.say(f"{quote(str(path))} was left as it is.")
                return
            export(desk.adviser, desk.record, desk.saves, path, replaces=True)
        desk.console.say(f"Written: {path}")

    def edit(self, tail: str = "") -> None:
        """Ask what to edit."""
        desk = self._desk
        desk.record.edit = Edit()
        desk.record.prompt = "edit"


def _bare(token: str) -> str:
    """Return the token of a move without the cards that it reveals."""
    return token.partition("=")[0]


def number(tail: str, default: int) -> int:
    """Return the number of moves that the argument of a command names."""
    if not tail:
        return default
    found = read_whole(tail, 99_999, least=1)
    if found is None:
        raise RefusedError(f"{quote(tail)} is not a number of moves")
    return found
