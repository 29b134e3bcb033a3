"""A deal and its moves, as arguments of the commands that read a played line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

import unshuffle as un
from unshuffle.cli.arguments import DealArguments, FileArgument, GameArguments, GeneratorOption, SeedOption
from unshuffle.cli.reading import STDIN, find_remark, read_known, read_moves, read_text
from unshuffle.errors import IllegalMoveError, ParseError, UsageError
from unshuffle.game import AnyGame
from unshuffle.solve import Line


@dataclass(frozen=True, kw_only=True)
class PlayedArguments:
    """The deal and the moves."""

    file: FileArgument = None
    seed: SeedOption = None
    generator: GeneratorOption = None
    moves: Annotated[str | None, typer.Option(metavar="TOKENS", help="The moves, separated by blanks or commas.")] = (
        None
    )
    moves_file: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A file with the moves; - is stdin, unless the deal is read from there."),
    ] = None

    @property
    def is_given(self) -> bool:
        """Whether any of these arguments is given."""
        return any(value is not None for value in (self.file, self.seed, self.generator, self.moves, self.moves_file))

    def read(self, choice: GameArguments) -> Played:
        """Return the game, the legal part of the line, and the fault of the first illegal move."""
        deals = DealArguments(file=self.file, seed=self.seed, generator=self.generator)
        deals.check()
        # A pipe can be read only once, and its text is the deal.
        written = read_text(self.file) if self.file is not None and Path(self.file).is_file() else ""
        moves = self.moves
        if moves is None and self.moves_file is None:
            moves = find_remark(written, "Moves")
        if (moves is None) == (self.moves_file is None):
            raise UsageError("the moves come from --moves or from --moves-file")
        if self.moves_file == STDIN and self.file in (None, STDIN) and self.seed is None:
            raise UsageError("the deal and the moves cannot both come from stdin")
        game = _game(choice, written)
        texts: list[str] = []
        parse = read_known(game, STDIN if self.file is None else self.file, is_replayed=True)

        def read(text: str) -> Any:
            texts.append(text)
            return parse(text)

        state = deals.state(game, read)
        line, fault = _play(game, state, read_moves(self.moves_file) if self.moves_file is not None else moves or "")
        return Played(game, line, fault, "".join(texts))


@dataclass(frozen=True)
class Played:
    """A line of play that was read."""

    game: AnyGame
    line: Line
    fault: str | None = None
    """The fault of the move after the line: its number, the position and the reason."""
    written: str = ""
    """The text with the deal, from the file or from stdin; '' without one."""
    by_chance: bool = False
    """Whether unknown cards of a saved game's deal were dealt at random."""


def _game(choice: GameArguments, written: str) -> AnyGame:
    """Return the game with the rules of the arguments, or if there are none, with those that the file names."""
    game_id, _, variant = (find_remark(written, "Rules") or "").partition("/")
    is_told = variant and game_id == choice.game_id and choice.variant is None and choice.rule is None
    return replace(choice, variant=variant).game if is_told else choice.game


def _play(game: AnyGame, state: Any, tokens: str) -> tuple[Line, str | None]:
    """Return the legal part of the line, and the fault of the move after it."""
    words = game.split_moves(tokens)
    moves: list[Any] = []
    read = 0
    try:
        for move in game.read_line(words, state):
            read += 1
            if move is not None:
                moves.append(move)
    except (IllegalMoveError, ParseError) as error:
        # A line that ends too early is reported at its last move.
        place = f"move {min(read + 1, len(words))}"
        if isinstance(error, ParseError):
            raise ParseError(f"{place}: {error}") from None
        return un.replay(state, moves), f"{place}: {error}"
    return un.replay(state, moves), None
