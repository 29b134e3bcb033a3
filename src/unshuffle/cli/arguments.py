"""Arguments that several commands share: options, and groups that stand for a game, deals or limits."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import typer

import unshuffle as un
from unshuffle.cli.reading import STDIN, name_of, read_known, read_text
from unshuffle.deals import GENERATORS, LAST_SEED, MOST_DECKS, OURS, Source, check_range, draw_seed
from unshuffle.errors import Fault, Faults, InvalidDealError, ParseError, UsageError, quote, unknown
from unshuffle.game import AnyGame
from unshuffle.layout import read_lines
from unshuffle.registry import changed_game
from unshuffle.rulebook import read_changes
from unshuffle.solve.limits import parse_memory


def complete_games(incomplete: str) -> list[str]:
    """Return the game ids that complete a word in the shell."""
    return [name for name in un.games() if name.startswith(incomplete)]


def _game_on_line(ctx: typer.Context) -> str:
    # While the value of an option is being completed, click has not assigned the arguments yet.
    return ctx.params.get("game_id") or next(iter(ctx.args), "")


def complete_variants(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the variants of the game that is named on the line already."""
    return [slug for slug in un.games().get(_game_on_line(ctx), ()) if slug.startswith(incomplete)]


def complete_rules(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the rule fields of the game that is named on the line already."""
    try:
        rules = un.game(_game_on_line(ctx)).rules
    except UsageError:
        return []
    return [f"{field.name}=" for field in fields(rules) if field.name.startswith(incomplete)]


def complete_generators(incomplete: str) -> list[str]:
    """Return the generators that complete a word in the shell."""
    return [name for name in GENERATORS if name.startswith(incomplete)]


LoadOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--load",
        metavar="FILE.py",
        help="A Python file with games or policies of your own; repeatable. Its games do not work with values"
        " unless they bring that part.",
    ),
]


def load_files(files: Iterable[Path] | None) -> None:
    """Register the games and policies of the files of `--load`."""
    for path in files or ():
        un.load(path)


GameArgument = Annotated[
    str,
    typer.Argument(metavar="GAME", help="The game, as `unshuffle games` lists it.", autocompletion=complete_games),
]
FileArgument = Annotated[
    str | None,
    typer.Argument(metavar="[FILE]", help="A file with a deal as text; - or no FILE reads stdin.", show_default=False),
]
SeedOption = Annotated[
    str | None, typer.Option("--seed", metavar="N", help="The deal with this number: 7, or python:12345#3.")
]
GeneratorOption = Annotated[
    str | None,
    typer.Option(
        "--generator",
        metavar="NAME",
        help=f"The shuffling algorithm: {', '.join(GENERATORS)}.  [default: {OURS}]",
        autocompletion=complete_generators,
    ),
]
SeedsOption = Annotated[str | None, typer.Option(metavar="A..B", help="All deals from A to B, both included.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else on stdout.")]


class Explain(StrEnum):
    """How much of a line of play to show."""

    NONE = "none"
    SHORT = "short"
    FULL = "full"


ExplainOption = Annotated[
    Explain | None,
    typer.Option(
        "--explain",
        help="none: only the verdict; short: also the moves in words; full: also the table after each move.",
        show_default=False,
    ),
]
SamplesOption = Annotated[
    int | None,
    typer.Option(
        metavar="K",
        help="Playouts for each move where cards are hidden.  [default: as many as there is time for]",
        min=1,
        max=1_000_000,
    ),
]
MaximizeOption = Annotated[
    bool,
    typer.Option("--maximize", help="Also prove the best score, even if that takes longer than to decide the deal."),
]
SavesOption = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="The folder of saved games.  [default: $UNSHUFFLE_SAVES, or saves]"),
]
PlainOption = Annotated[
    bool, typer.Option("--plain", help="Show tables as layout text, which can be read as input, not as pictures.")
]


@dataclass(frozen=True, kw_only=True)
class RuleArguments:
    """The rules of a game: a variant, and changes to it."""

    variant: Annotated[
        str | None, typer.Option(metavar="NAME", help="A named variant of the game.", autocompletion=complete_variants)
    ] = None
    rule: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="Change one rule of the variant; repeatable.",
            autocompletion=complete_rules,
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class GameArguments(RuleArguments):
    """The game and its rules."""

    game_id: GameArgument
    load: LoadOption = None

    @cached_property
    def game(self) -> AnyGame:
        """The game, with the chosen rules."""
        load_files(self.load)
        return changed_game(self.game_id, self.variant, self.rule or ())

    @property
    def given(self) -> frozenset[str]:
        """The names of the rules that the command line sets one by one."""
        return frozenset(read_changes([*(self.variant or "").split("+")[1:], *(self.rule or ())]))


_RANGE = re.compile(r"\s*(?:(?P<seed>[^#]*)#)?\s*(?P<first>[0-9]{1,20})\s*\.\.\s*(?P<last>[0-9]{1,20})\s*")


@dataclass(frozen=True, kw_only=True)
class SeedArguments:
    """Deals that are named by their numbers."""

    seed: SeedOption = None
    seeds: SeedsOption = None
    shuffle: Annotated[bool, typer.Option("--shuffle", help="A random deal; the answer prints its number.")] = False
    generator: GeneratorOption = None

    def given(self) -> list[str]:
        """Return the options that are used to name a deal."""
        return [
            name
            for name, value in (("--seed", self.seed), ("--seeds", self.seeds), ("--shuffle", self.shuffle or None))
            if value is not None
        ]

    def check(self) -> None:
        """Raise UsageError if several options name the deals, or the generator is unknown."""
        given = self.given()
        if len(given) > 1:
            raise UsageError(f"{' and '.join(given)} exclude each other")
        if self.generator is not None and self.generator not in GENERATORS:
            raise unknown("generator", self.generator, GENERATORS)

    @property
    def source(self) -> Source:
        """The deal that --seed names, or a random one."""
        if self.seed is None:
            return Source(draw_seed(), self.generator or OURS)
        return self._read_source("--seed", self.seed)

    def _read_source(self, option: str, text: str) -> Source:
        """Return the deal that an option names. Raise UsageError if --generator names another generator."""
        try:
            source = Source.parse(text, self.generator or OURS)
        except ParseError as error:
            raise UsageError(f"{option}: {error}") from None
        if self.generator not in (None, source.generator):
            raise UsageError(f"{option} {text} and --generator {self.generator} name two generators; leave one out")
        return source

    @property
    def numbers(self) -> range | None:
        """The seeds that --seeds names, or None. Raises UsageError for a range of decks of one seed (`7#1..9`)."""
        stream, numbers = self._range
        if stream is not None:
            raise UsageError(
                f"--seeds {self.seeds}: the decks of one seed are for `deal` and `solve`; expected A..B, such as 0..99"
            )
        return numbers

    @cached_property
    def _range(self) -> tuple[Source | None, range | None]:
        """What --seeds names: (None, seeds), or for decks of one seed (the first deck, the numbers of the decks)."""
        if self.seeds is None:
            return None, None
        match = _RANGE.fullmatch(self.seeds)
        if match is None:
            raise UsageError(
                f"--seeds: {quote(self.seeds)} is not a range of deals; expected A..B, such as 0..99, or decks of one"
                " seed, such as python:12345#1..99"
            )
        first, last = int(match["first"]), int(match["last"])
        if last < first:
            raise UsageError(f"--seeds: {self.seeds} is empty; the first deal comes before the last one")
        if match["seed"] is None:
            if last > LAST_SEED:
                raise UsageError(f"--seeds: seeds are 0..{LAST_SEED}, not {last}")
            return None, check_range(range(first, last + 1))
        if last > MOST_DECKS:
            raise UsageError(f"--seeds: decks of a stream are counted from 1 to {MOST_DECKS:,}, not {last}")
        return self._read_source("--seeds", f"{match['seed']}#{first}"), range(first, last + 1)

    @property
    def count(self) -> int:
        """The number of deals that --seeds names; 1 without --seeds."""
        return 1 if self._range[1] is None else len(self._range[1])

    @property
    def plain_seeds(self) -> range | None:
        """The deals that --seeds names if they are seeds of our generator, else None."""
        stream, numbers = self._range
        return numbers if stream is None and self.generator in (None, OURS) else None

    def sources(self) -> Iterator[Source]:
        """Yield the source of every deal."""
        stream, numbers = self._range
        if numbers is None:
            yield self.source
        elif stream is None:
            yield from (Source(number, self.generator or OURS) for number in numbers)
        else:
            yield from (replace(stream, number=number) for number in numbers)


@dataclass(frozen=True, kw_only=True)
class DealArguments(SeedArguments):
    """Deals that are named by their numbers, or one deal as text."""

    file: FileArgument = None

    def given(self) -> list[str]:
        """Return the arguments that are used to name a deal."""
        return ([] if self.file is None else ["FILE"]) + super().given()

    def check(self) -> None:
        """Raise UsageError also if --generator is given without a number."""
        super().check()
        if self.generator is not None and not super().given():
            raise UsageError("--generator goes with --seed, --seeds or --shuffle")

    def state(self, game: AnyGame, parse: Callable[[str], Any] | None = None) -> Any:
        """Return the one deal, read from text or dealt."""
        return self.read(game, parse)[0]

    def seen(self, game: AnyGame) -> Any:
        """Return the one deal as a state, or as a view if its text does not tell all cards."""
        return self.read(game, game.parse_seen)[0]

    def read(self, game: AnyGame, parse: Callable[[str], Any] | None = None) -> tuple[Any, frozenset[str]]:
        """Return the one deal, and the labels of the lines of its text.

        `parse` reads a text. The default raises InvalidDealError for unknown cards, and names commands that take them.
        """
        if super().given():
            return game.deal(self.source), frozenset()
        file = STDIN if self.file is None else self.file
        text = read_text(file, game)
        try:
            state = (parse or read_known(game, file))(text)
        except InvalidDealError as error:
            if not hasattr(error, "__notes__"):
                error.add_note(f"{name_of(file)} is not a deal of {game}")
            raise
        return state, frozenset(line.label for line in read_lines(text, Faults()) if line.label is not None)


@dataclass(frozen=True, kw_only=True)
class ManyDealArguments(DealArguments):
    """Deals that are named by their numbers, or read from one or several files."""

    more: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE]...", help="More files, each with one deal.", show_default=False),
    ] = None

    @property
    def files(self) -> list[str]:
        """The files if there are several, else an empty list."""
        return [] if self.file is None or not self.more else [self.file, *self.more]

    @property
    def are_many(self) -> bool:
        """Whether the arguments name a range of deals or several files."""
        return self.seeds is not None or bool(self.more)

    def read_each(self, game: AnyGame) -> list[tuple[Any, frozenset[str]]]:
        """Return the deals of the files. Raise InvalidDealError with the faults of all of them."""
        found, faults = [], []
        for name in self.files:
            try:
                found.append(replace(self, file=name, more=None).read(game))
            except InvalidDealError as error:
                faults += [Fault(f"{name}: {fault}") for fault in error.faults]
        if faults:
            wrong = InvalidDealError(faults)
            wrong.add_note(f"not every file is a deal of {game}")
            raise wrong
        return found


@dataclass(frozen=True, kw_only=True)
class LimitArguments:
    """The limits of a search on one deal."""

    nodes: Annotated[
        int, typer.Option(metavar="N", help="The most positions to search for one deal; 0: no limit.", min=0)
    ] = 0
    seconds: Annotated[float, typer.Option(metavar="S", help="Time limit of one deal; 0: no limit.", min=0)] = 60
    memory: Annotated[str, typer.Option(metavar="SIZE", help="Memory limit of one deal, such as 512MB.")] = "1GiB"

    def keywords(self) -> dict[str, Any]:
        """Return the limits as keyword arguments of `solve`."""
        try:
            memory = parse_memory(self.memory)
        except ParseError as error:
            raise UsageError(f"--memory: {error}") from None
        if math.isnan(self.seconds):
            raise UsageError("--seconds: nan is not a time")
        seconds = None if self.seconds == 0 or math.isinf(self.seconds) else self.seconds
        return {"nodes": self.nodes or None, "seconds": seconds, "memory": memory}
