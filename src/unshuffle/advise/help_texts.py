"""Help texts for `?` at each prompt, and words for the stages of a game."""

from __future__ import annotations

STAGES = {
    "entry": "being entered",
    "redeal": "being entered",
    "edit": "being edited",
    "play": "in play",
    "shown": "in play",
    "end": "over",
}

EVERYWHERE = "u takes the last answer back, z saves and exits, ? shows this."

PLAY = """\
a        advice: the plan for this deal, what it is worth, and why
d, d 5   done: all moves of the plan are played, or the first five
m MOVES  other moves that you made: {moves}
u, u 5   undo: take back the last move, or the last five
e        edit: what was typed wrong, or the board as it is now
b        show the board
r        redeal; then the new cards are asked for
x FILE   export: .txt (for `unshuffle verify`), .md (to read) or .json (the save);
         asks before it writes over a file, x -f FILE does not"""

PASS = "p        another pass: the same game from its first deal, with what is known of its redeals"

PROMPTS = {
    "edit": "Change what is wrong: a place and what lies there, several on a line separated by /, or a whole board;\n"
    "a blank answer ends the change, once no fault is left.",
    "play": PLAY,
    "shown": "Type the cards that this move shows, in the order in which they come: JS 9D KD.\nu takes the move back.",
    "end": "The game is over. u takes the last move back, e edits, b shows the board, x FILE exports it\n"
    "(.txt for `unshuffle verify`, .md to read, .json the save).",
}

WHICH = """\
s  the start was typed wrong: change it, and the moves are played again
n  the board is not the one shown, because you played other moves: type it as it is now"""

MENU = """\
n  a new game: type the table, ask for advice, play, type the redeals
o  open a saved game where it was left
e  open a saved game and change what was typed
q, z  quit"""

ID = "The name of the game and of its file: letters, digits, - and _; a blank answer makes one. z quits."

OPEN = "The id of a saved game, or its number in the list; a blank answer goes back. z quits."
