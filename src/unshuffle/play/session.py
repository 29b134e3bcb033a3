"""The dialogue of `unshuffle play`: prompts, answers, and a save after each answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from unshuffle.advise import folder as saved
from unshuffle.advise.coach import Coach, Judgement, coach_of
from unshuffle.advise.console import Console, LeftError
from unshuffle.advise.folder import ChangedError, check_id
from unshuffle.advise.playing import number
from unshuffle.errors import ParseError, RefusedError, StoreError, UsageError, in_a_line, quote
from unshuffle.game import AnyGame, Outcome
from unshuffle.numbers import is_whole, plural, read_whole
from unshuffle.play import words
from unshuffle.play.saves import PlaySaves
from unshuffle.play.table import Table
from unshuffle.play.thinking import (
    Times,
    Watcher,
    ask_adviser,
    ask_redeals,
    ask_solver,
    find_adviser,
    hint_lines,
    look_back,
    looks_at_hidden,
    review_lines,
    solved_lines,
)
from unshuffle.registry import load_option

_LISTED = 24
"""The most moves that are listed below the table; the command l lists all."""


class Session:
    """A session of play. From the first move on, the game is saved after every answer, before the next prompt."""

    def __init__(
        self,
        table: Table,
        saves: PlaySaves,
        console: Console,
        *,
        draw: Callable[[AnyGame, Any], list[str]],
        deal: Callable[[AnyGame, str], Any],
        times: Times,
        watcher: Callable[[], Watcher],
        is_coached: bool = False,
        coach_seconds: float | None = None,
    ) -> None:
        self.table = table
        self._saves = saves
        self._console = console
        self._draw = draw
        self._deal = deal
        self._times = times
        self._coach_seconds = coach_seconds
        self._watcher = watcher
        self._is_saved = False
        self._is_kept = False
        self._is_coached = is_coached
        self._sit_down()

    def _sit_down(self) -> None:
        """Get the adviser of the game on the table, and its coach if coaching is on."""
        self._adviser = find_adviser(self.table.game, self._times)
        self._coach: Coach | None = None
        if self._is_coached:
            self._call_coach()

    def _call_coach(self) -> Coach:
        """Return the coach of this game. It is kept, since it caches its searches."""
        if self._coach is None:
            self._coach = coach_of(self.table.game, self._coach_seconds)
        return self._coach

    # Begin, open and leave.

    def begin(self, *, is_named: bool = False) -> None:
        """Begin a new game, and show it. A game that was given an id is saved at once."""
        table = self.table
        if is_named:
            self._save()
        deal = table.start.id or f"{table.game} (typed)"
        self._console.say(f"New game of {table.game.name}: {deal}. ? helps, q saves and exits.")
        self._show_deal()

    def open(self) -> None:
        """Continue a saved game, and show it."""
        table = self.table
        self._is_saved = True
        deal = table.start.id or f"{table.game} (typed)"
        self._console.say(f"Game {table.name}: {deal}, {plural(len(table.moves), 'move')} made.")
        self._show_deal()

    def _show_deal(self) -> None:
        """Print a remark if cards were dealt at random, and show the table."""
        remark = words.by_chance(self.table)
        self._console.say([remark] if remark else [])
        self._show()

    def run(self) -> None:
        """Ask for answers until the player leaves, also with Ctrl-C."""
        try:
            while True:
                self._take_one()
        except LeftError:
            self._console.say(self._goodbye())
        except KeyboardInterrupt:
            self._console.say(["", self._goodbye()])
            raise

    def _goodbye(self) -> str:
        # Answers are saved already. Another save would raise if another program has changed the file since.
        if not self._is_kept:
            self._keep()
        if not self._is_saved:
            return "No move was made, so nothing is saved."
        options = f"--id {self.table.name}{self._saves.option}{load_option(self.table.game.id)}"
        return f"Saved. To go on: unshuffle play {self.table.game.id} {options}"

    def _keep(self) -> None:
        """Save, unless the game is new and has no move yet."""
        if self._is_saved or self.table.moves:
            self._save()

    def _save(self) -> None:
        self._saves.write(self.table)
        self._is_saved = self._is_kept = True

    # Prompts.

    def _take_one(self) -> None:
        """Ask for one answer, do it, and save."""
        try:
            answer = self._ask(words.PROMPT if self.table.state.outcome is None else words.END)
            self._is_kept = False
            self._take(answer)
        except RefusedError as refused:
            if not self._console.is_person:
                self._keep()
                raise
            self._console.say(str(refused).splitlines())
        self._keep()

    def _ask(self, prompt: str) -> str:
        answer = self._console.ask(prompt)
        if answer is None or answer.lower() == "z":
            raise LeftError
        return answer

    def _take(self, answer: str) -> None:
        """Do what an answer says: a command, a number of the list, or moves."""
        if not answer:
            return
        # If a move of the game has the name of a command, the answer is the move.
        if any(answer == move.token for move in self.table.state.legal_moves()):
            self._move(answer)
            return
        word, _, tail = answer.partition(" ")
        name = words.command_of(word)
        if name is None:
            self._move(answer)
            return
        commands: dict[str, Callable[[str], None]] = {
            "move": self._move,
            "undo": self._undo,
            "redo": self._redo,
            "hint": self._hint,
            "solve": self._solve,
            "review": self._review,
            "coach": self._judge,
            "list": self._list,
            "board": lambda _: self._show(),
            "save": self._save_as,
            "open": self._open,
            "new": self._new,
            "help": lambda _: self._help(),
            "quit": self._quit,
        }
        commands[name](tail.strip())

    def _help(self) -> None:
        thinking = self._console.thinking_help
        self._console.say([*words.help_lines(self.table), *([thinking] if thinking else [])])

    def _quit(self, tail: str) -> None:
        raise LeftError

    # Showing.

    def _show(self) -> None:
        """Show the table as the player sees it, the score, and the legal moves."""
        table = self.table
        self._console.say(self._draw(table.game, table.seen))
        self._console.say(words.standing(table))
        if table.state.outcome is None:
            self._console.say(words.options(table, _LISTED))
        else:
            self._console.say(["", *words.ending(table)])

    def _list(self, tail: str) -> None:
        """List all legal moves in words."""
        self._console.say(words.listed(self.table) or ["There is no move: the game is over."])

    # Moves.

    def _read(self, text: str) -> list[Any]:
        """Return the moves of an answer: a number of the list, or tokens. Raise RefusedError for anything else."""
        table = self.table
        if table.state.outcome is not None:
            raise RefusedError("the game is over; u takes a move back, n begins another")
        if not text:
            raise RefusedError("expected a move, or its number in the list; l lists the moves")
        legal = table.state.legal_moves()
        if is_whole(text):
            number = read_whole(text, len(legal), least=1)
            if number is None:
                raise RefusedError(f"{quote(text)} is not a number of the list, which has {plural(len(legal), 'move')}")
            return [legal[number - 1]]
        try:
            return table.read(table.game.split_moves(text))
        except ParseError as error:
            others = "" if " " in text else f"; commands are {words.LETTERS}"
            raise RefusedError(f"{error}{others if 'is not a move' in str(error) else ''}") from None

    def _move(self, text: str) -> None:
        """Make moves if all are legal. The coach judges each first; stop at one that the player then declines."""
        table = self.table
        made: list[str] = []
        for move in self._read(text):
            if not self._is_agreed(move):
                break
            made += words.made(table, move)
            table.play(move)
        if made:
            self._console.say(made)
            self._show()

    def _is_agreed(self, move: Any) -> bool:
        """Return whether to make a move, after the coach's judgement and perhaps a question."""
        if not self._is_coached:
            return True
        judgement = self._judged(self._call_coach(), move)
        self._console.say(judgement.lines)
        if not judgement.loses:
            return True
        if self._console.confirm("This loses what can be won. Play it all the same?"):
            return True
        self._console.say(f"{move.token} was not made.")
        return False

    def _judge(self, tail: str) -> None:
        """Print the coach's judgement of a move without making it."""
        try:
            coach = self._call_coach()
        except UsageError as error:
            raise RefusedError(str(error)) from None
        moves = self._read(tail)
        if len(moves) > 1:
            raise RefusedError("c takes one move")
        self._console.say(self._judged(coach, moves[0]).lines)

    def _judged(self, coach: Coach, move: Any) -> Judgement:
        with self._console.listening() as coach.is_stopped:
            return coach.judge(self.table.state, move)

    def _undo(self, tail: str) -> None:
        taken = self.table.undo(number(tail, 1))
        self._console.say(f"Taken back: {' '.join(move.token for move in taken)}")
        self._show()

    def _redo(self, tail: str) -> None:
        again = self.table.redo(number(tail, 1))
        self._console.say(f"Made again: {' '.join(move.token for move in again)}")
        self._show()

    # Thinking.

    def _hint(self, tail: str) -> None:
        if tail.lower() not in ("", "all"):
            raise RefusedError(f"{quote(tail)}: h gives the next move, h all the whole plan")
        if self.table.state.outcome is not None:
            raise RefusedError("the game is over; u takes a move back, n begins another")
        with self._console.listening() as is_stopped:
            self._adviser.is_stopped = is_stopped
            hint = ask_adviser(self.table, self._adviser)
        self.table.hints += 1
        self._console.say(hint_lines(hint, is_whole=bool(tail)))

    def _solve(self, tail: str) -> None:
        table = self.table
        if table.state.outcome is not None:
            raise RefusedError("the game is over; u takes a move back, n begins another")
        if not self._may_look("The solver knows every card, also those that you cannot see."):
            return
        with self._console.listening() as is_stopped:
            result = ask_solver(table, self._times, is_stopped, self._watcher())
            chance = ask_redeals(table, result, self._times, is_stopped)
        self._console.say(solved_lines(table, result, chance))

    def _may_look(self, warning: str) -> bool:
        """Return whether hidden cards may be used. Ask once a game, if there are any."""
        table = self.table
        if looks_at_hidden(table) and not table.looked:
            self._console.say(warning)
            table.looked = self._console.confirm("Look at them?")
            return table.looked
        return True

    def _review(self, tail: str) -> None:
        """Review the game so far."""
        if not self.table.moves:
            raise RefusedError("no move was made yet, so there is nothing to review")
        if not self._may_look("A review knows every card, also those that you cannot see."):
            return
        with self._console.listening() as is_stopped:
            found = look_back(self.table, self._times, is_stopped, self._watcher())
        self._console.say(review_lines(found))

    # Saves.

    def _save_as(self, tail: str) -> None:
        if tail and tail != self.table.name:
            try:
                check_id(tail)
            except ParseError as error:
                raise RefusedError(str(error)) from None
            self._rename(tail)
        else:
            self._save()
        self._console.say(f"Saved in {in_a_line(self._saves.path(self.table.name))}; from now on after every answer.")

    def _rename(self, name: str) -> None:
        """Save the game under a new id from now on. Raise RefusedError if the id is in use."""
        before, self.table.name = self.table.name, name
        try:
            if self._saves.holds(name):
                raise ChangedError
            self._save()
        except StoreError as error:
            self.table.name = before
            if not isinstance(error, ChangedError):
                raise
            raise RefusedError(f"there is a game {quote(name)} already; choose another id") from None

    def _open(self, tail: str) -> None:
        """Save this game, and continue another saved game."""
        name = tail or self._choose()
        if not name:
            return
        # Saved before the other one is read, which may be this game as another program has changed it.
        self._keep()
        try:
            table = self._saves.read(name)
        except ParseError as error:
            raise RefusedError(str(error)) from None
        self._leave_for(table)
        self.open()

    def _choose(self) -> str:
        """List the saved games, and return the id of the chosen one."""
        good = []
        for name, found in self._saves.played():
            if isinstance(found, ParseError):
                self._console.say(f"     {found}")
                continue
            good.append(name)
            ended = {Outcome.WON: "won", Outcome.STUCK: "stuck", None: "in play"}[found.state.outcome]
            self._console.say(f"{len(good):>3}  {name}  {found.game.variant}  {words.score(found)}  {ended}")
        if not good:
            raise RefusedError(f"no game of {self._saves.game_id} is saved in {quote(str(self._saves.folder))}")
        answer = self._ask("Id or number (blank goes back)?")
        number = None if answer in good else read_whole(answer, len(good), least=1)
        return answer if number is None else good[number - 1]

    def _new(self, tail: str) -> None:
        """Save this game, and begin another deal with the same rules: a random or a numbered one."""
        game = self.table.game
        try:
            start = self._deal(game, tail)
        except (ParseError, UsageError) as error:
            raise RefusedError(str(error)) from None
        self._keep()
        self._leave_for(Table(game, start, saved.new_id(), saved.now()))
        self.begin()

    def _leave_for(self, table: Table) -> None:
        self._console.say([f"The game {self.table.name} is saved."] if self._is_saved else [])
        self.table = table
        self._is_saved = False
        self._sit_down()
