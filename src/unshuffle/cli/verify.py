"""`unshuffle verify`."""

from __future__ import annotations

import sys

from unshuffle.cli import show
from unshuffle.cli.arguments import Explain, ExplainOption, GameArguments, JsonOption, PlainOption
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.played import PlayedArguments
from unshuffle.game import AnyGame, Outcome
from unshuffle.solve import Line, Status

EXAMPLES = (
    'unshuffle verify belle-lucie --seed 7 --moves "QH>KH JH>QH"',
    "unshuffle verify belle-lucie win.txt",
)


def verify(
    choice: GameArguments,
    given: PlayedArguments,
    explain: ExplainOption = None,
    plain: PlainOption = False,
    json: JsonOption = False,
) -> ExitCode:
    """Replay moves and say whether they win the deal.

    The command uses only the rules; it searches nothing. A FILE of `solve --save-wins` or of `advise --export` has the
    deal and the moves; the latter also names its rules.

    Exit codes: 0 a win, 1 no win or an illegal move, 2 wrong usage, 255 bad input, 74 the answer cannot be written.
    """
    played = given.read(choice)
    game, line, fault = played.game, played.line, played.fault
    page = show.Page(sys.stdout, plain)
    won = fault is None and line.outcome is Outcome.WON
    if json:
        deal = line.states[0].id
        values = {"game": game.id, "variant": game.variant, "deal": deal, "valid": fault is None, "won": won}
        tokens = [move.token for move in line.moves]
        show.json_line(page, values | {"score": line.score, "moves": tokens, "fault": fault})
    if not json or explain is not None:
        _show(show.Page(sys.stderr, plain) if json else page, game, line, fault, explain or Explain.NONE)
    return ExitCode.DONE if won else ExitCode.NOT_WON


def _show(page: show.Page, game: AnyGame, line: Line, fault: str | None, explain: Explain) -> None:
    show.play(page, game, line, explain)
    if fault is not None:
        page.line(page.verdict(f"Not valid: {fault}", Status.UNSOLVABLE))
        return
    ends = {Outcome.WON: "won", Outcome.STUCK: "stuck, not won", None: "not won, and not over"}
    page.line(f"Score: {show.score(game, line.score)}")
    verdict = f"Valid: {show.plural(len(line.moves), 'legal move')}; the game is {ends[line.outcome]}"
    page.line(page.verdict(verdict, Status.SOLVED if line.outcome is Outcome.WON else Status.UNSOLVABLE))
