"""`unshuffle verify`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

import unshuffle as un
from unshuffle.cli import show
from unshuffle.cli.arguments import (
    DealArguments,
    Explain,
    ExplainOption,
    FileArgument,
    GameArguments,
    GeneratorOption,
    JsonOption,
    PlainOption,
    SeedOption,
)
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.reading import STDIN, find_remark, read_moves, read_text
from unshuffle.errors import IllegalMoveError, ParseError, UsageError
from unshuffle.game import AnyGame, Outcome
from unshuffle.solve import Line, Status

EXAMPLES = (
    'unshuffle verify belle-lucie --seed 7 --moves "QH>KH JH>QH"',
    "unshuffle verify belle-lucie win.txt",
)


def verify(
    choice: GameArguments,
    file: FileArgument = None,
    seed: SeedOption = None,
    generator: GeneratorOption = None,
    moves: Annotated[
        str | None, typer.Option(metavar="TOKENS", help="The moves, separated by blanks or commas.")
    ] = None,
    moves_file: Annotated[
        str | None, typer.Option(metavar="FILE", help="A file with the moves; - is stdin, if the deal is not.")
    ] = None,
    explain: ExplainOption = None,
    plain: PlainOption = False,
    json: JsonOption = False,
) -> ExitCode:
    """Replay moves and say whether they win the deal.

    Only the rules decide here; no search takes part. A file that `solve --save-wins` or an export of `advise` has
    written is the deal and the moves; the export tells its rules too.

    Exit codes: 0 a win, 1 no win or an illegal move, 2 wrong usage, 255 bad input.
    """
    deals = DealArguments(file=file, seed=seed, generator=generator)
    deals.check()
    # A pipe can be read only once, and that is for the deal.
    written = read_text(file) if file is not None and Path(file).is_file() else ""
    if moves is None and moves_file is None:
        moves = find_remark(written, "Moves")
    if (moves is None) == (moves_file is None):
        raise UsageError("the moves come from --moves or from --moves-file")
    if moves_file == STDIN and file in (None, STDIN) and seed is None:
        raise UsageError("the deal and the moves cannot both come from stdin")
    game = _game(choice, written)
    state = deals.state(game)
    line, fault = _play(game, state, read_moves(moves_file) if moves_file is not None else moves or "")
    page = show.Page(sys.stdout, plain)
    won = fault is None and line.outcome is Outcome.WON
    if json:
        values = {"game": game.id, "variant": game.variant, "deal": state.id, "valid": fault is None, "won": won}
        tokens = [move.token for move in line.moves]
        show.json_line(page, values | {"score": line.score, "moves": tokens, "fault": fault})
    if not json or explain is not None:
        _show(show.Page(sys.stderr, plain) if json else page, game, line, fault, explain or Explain.NONE)
    return ExitCode.DONE if won else ExitCode.NOT_WON


def _game(choice: GameArguments, written: str) -> AnyGame:
    """The game that is asked for; where no rules are said, by those that its file tells."""
    game_id, _, variant = (find_remark(written, "Rules") or "").partition("/")
    is_told = variant and game_id == choice.game_id and choice.variant is None and choice.rule is None
    return replace(choice, variant=variant).game if is_told else choice.game


def _play(game: AnyGame, state: Any, tokens: str) -> tuple[Line, str | None]:
    """The line as far as it is legal, and what is wrong with the move after it."""
    words = game.split_moves(tokens)
    moves: list[Any] = []
    read = 0
    try:
        for move in game.read_line(words, state):
            read += 1
            if move is not None:
                moves.append(move)
    except (IllegalMoveError, ParseError) as error:
        # What is missing at the end of the line is told with its last move.
        place = f"move {min(read + 1, len(words))}"
        if isinstance(error, ParseError):
            raise ParseError(f"{place}: {error}") from None
        return un.replay(state, moves), f"{place}: {error}"
    return un.replay(state, moves), None


def _show(page: show.Page, game: AnyGame, line: Line, fault: str | None, explain: Explain) -> None:
    show.play(page, game, line, explain)
    if fault is not None:
        page.line(page.verdict(f"Not valid: {fault}", Status.UNSOLVABLE))
        return
    ends = {Outcome.WON: "won", Outcome.STUCK: "stuck, not won", None: "not won, and not over"}
    page.line(f"Score: {show.score(game, line.score)}")
    verdict = f"Valid: {show.plural(len(line.moves), 'legal move')}; the game is {ends[line.outcome]}"
    page.line(page.verdict(verdict, Status.SOLVED if line.outcome is Outcome.WON else Status.UNSOLVABLE))
