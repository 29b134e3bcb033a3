"""Texts of `unshuffle play`: prompts, help, score and result."""

from __future__ import annotations

from typing import Any

from unshuffle.advise.words import in_columns
from unshuffle.game import Outcome
from unshuffle.numbers import plural
from unshuffle.play.table import Table
from unshuffle.solve import Line
from unshuffle.solve.replay import moves_in_columns

PROMPT = "[M]ove, [U]ndo, r[E]do, [H]int, [S]olve, revie[W], [L]ist, sa[V]e, [N]ew, [Q]uit?"
END = "[U]ndo, revie[W], [B]oard, sa[V]e, [N]ew, [Q]uit?"

_COMMANDS = {
    "move": "m",
    "undo": "u",
    "redo": "e",
    "hint": "h",
    "solve": "s",
    "review": "w",
    "coach": "c",
    "list": "l",
    "board": "b",
    "save": "v",
    "open": "o",
    "new": "n",
    "quit": "q",
    "help": "?",
}
LETTERS = ", ".join([*_COMMANDS.values(), "z"])

_HELP = """\
MOVE, m MOVE   make a move, or several, as the list writes them: {example}
5, m 5         the move with this number in the list
u, u 5         undo: take back the last move, or the last five
e, e 5         redo: make them again
h, h all       hint: the next move by what you see, its reason and its chance to win; or the whole plan
s              solve: whether the game can still be won, and how, with all cards known
w              review: which of your moves lost the game, if one did, and what would have kept it
c MOVE         coach: what a move would do, without making it
l              list the moves in words
b              show the board
v, v NAME      save, under this name
o, o NAME      open a saved game
n, n 7         a new deal by the same rules, or that of this number
q, z           save and exit"""


def command_of(word: str) -> str | None:
    """Return the command with this name or letter, or None."""
    return next((name for name, letter in _COMMANDS.items() if word.lower() in (name, letter)), None)


def help_lines(table: Table) -> list[str]:
    """Return the help text of `?` as lines."""
    tokens = [move.token for move in table.state.legal_moves()]
    return _HELP.format(example=", ".join(tokens[:3]) or "none can be made now").splitlines()


def score(table: Table) -> str:
    """Return the score as text, such as '12 of 52 cards up'."""
    game = table.game
    return f"{table.state.score} of {game.most_score} {game.score_counts}".rstrip()


def by_chance(table: Table) -> str:
    """Return a remark if unknown cards were dealt at random, else ''."""
    return "What was unknown in this deal was dealt at random." if table.by_chance else ""


def standing(table: Table) -> str:
    """Return the score and the number of moves as text."""
    return f"Score: {score(table)}; {plural(len(table.moves), 'move')} made."


def options(table: Table, most: int) -> list[str]:
    """Return the numbered legal moves as lines, at most `most` of them."""
    moves = table.state.legal_moves()
    if len(moves) == 1 and table.game.is_redeal(moves[0]):
        return [" 1 r   No card can move; r redeals."]
    cells = [f"{number:>2} {move.token}" for number, move in enumerate(moves[:most], 1)]
    rest = len(moves) - most
    return [*in_columns(cells, 6), *([f"and {plural(rest, 'more move')}; l lists them all"] if rest > 0 else [])]


def listed(table: Table) -> list[str]:
    """Return all legal moves in words, by what the player sees."""
    table_seen = table.seen
    moves = table.state.legal_moves()
    line = Line((table_seen,) * len(moves), moves)
    return ["  ".join(columns) for columns in moves_in_columns(table.game, line)]


def made(table: Table, move: Any) -> list[str]:
    """Return a made move in words, with the cards that it has shown."""
    told = table.game.describe(table.state, move)
    return [f"{told.kind}: {told.text}"]


def ending(table: Table) -> list[str]:
    """Return how the game ended, and the help that was used, as lines."""
    won = table.state.outcome is Outcome.WON
    lines = [f"{'Won' if won else 'Stuck: no move is left, and the game is not won'}: {score(table)}."]
    helped = [plural(len(table.moves), "move")]
    helped += [f"{table.taken_back} taken back"] if table.taken_back else []
    helped += [plural(table.hints, "hint")] if table.hints else []
    helped += ["hidden cards were looked at"] if table.looked else []
    return [*lines, f"{', '.join(helped)}."]
