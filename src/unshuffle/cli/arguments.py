"""Arguments that commands share, and what they stand for: a game, deals, limits."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

import unshuffle as un
from unshuffle.cli.game_options import Own, option_hints, read_id
from unshuffle.cli.reading import STDIN, name_of, read_known, read_text
from unshuffle.deals import GENERATORS, LAST_SEED, MOST_DECKS, OURS, Source, check_range, draw_seed
from unshuffle.errors import Fault, Faults, InvalidDealError, ParseError, UsageError, quote, unknown
from unshuffle.game import AnyGame
from unshuffle.layout import read_lines
from unshuffle.options import GameOptions
from unshuffle.registry import changed_game
from unshuffle.rulebook import read_changes
from unshuffle.solve.limits import parse_memory


def complete_games(incomplete: str) -> list[str]:
    """Game ids for the shell."""
    return [name for name in un.games() if name.startswith(incomplete)]


def _game_on_line(ctx: typer.Context) -> str:
    # While an option still waits for its value, click has not yet told the arguments apart.
    return ctx.params.get("game_id") or next(iter(ctx.args), "")


def complete_variants(ctx: typer.Context, incomplete: str) -> list[str]:
    """Variants of the game that is on the line already."""
    return [slug for slug in un.games().get(_game_on_line(ctx), ()) if slug.startswith(incomplete)]


def complete_rules(ctx: typer.Context, incomplete: str) -> list[str]:
    """Rule fields of the game that is on the line already."""
    try:
        rules = un.game(_game_on_line(ctx)).rules
    except UsageError:
        return []
    return [f"{field.name}=" for field in fields(rules) if field.name.startswith(incomplete)]


def complete_generators(incomplete: str) -> list[str]:
    """Generators for the shell."""
    return [name for name in GENERATORS if name.startswith(incomplete)]


LoadOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--load",
        metavar="FILE.py",
        help="A Python file with games or policies of your own; may be given again. Its games do not go with"
        " values unless they bring the part.",
    ),
]


def load_files(files: Iterable[Path] | None) -> None:
    """Make known what the files of `--load` bring."""
    for path in files or ():
        un.load(path)


FileArgument = Annotated[
    str | None,
    typer.Argument(metavar="[FILE]", help="A deal as text; - is stdin, and so is no FILE.", show_default=False),
]
SeedOption = Annotated[
    str | None, typer.Option("--seed", metavar="N", help="The deal of this number: 7, or python:12345#3.")
]
GeneratorOption = Annotated[
    str | None,
    typer.Option(
        "--generator",
        metavar="NAME",
        help=f"Who shuffles: {', '.join(GENERATORS)}.  [default: {OURS}]",
        autocompletion=complete_generators,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else on stdout.")]


class Explain(StrEnum):
    """How much of a line of play is shown."""

    NONE = "none"
    SHORT = "short"
    FULL = "full"


ExplainOption = Annotated[
    Explain | None,
    typer.Option(
        "--explain",
        help="none: the verdict alone; short: the moves in words; full: also the table after each move.",
        show_default=False,
    ),
]


SamplesOption = Annotated[
    int | None,
    typer.Option(
        metavar="K",
        help="Games that are played on for each move where cards are hidden.  [default: as many as there is time for]",
        min=1,
        max=1_000_000,
    ),
]
PlainOption = Annotated[
    bool, typer.Option("--plain", help="Show tables as the text that can be read again, not as pictures.")
]


@dataclass(frozen=True, kw_only=True)
class RuleArguments:
    """By which rules a game is played."""

    variant: Annotated[
        str | None, typer.Option(metavar="NAME", help="A named variant of the game.", autocompletion=complete_variants)
    ] = None
    rule: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="Change one rule of the variant; may be given again.",
            autocompletion=complete_rules,
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class GameArguments(RuleArguments):
    """Which game is played, by which rules."""

    game_id: Annotated[
        str,
        typer.Argument(metavar="GAME", help="The game, as `unshuffle games` lists it.", autocompletion=complete_games),
    ]
    load: LoadOption = None

    @cached_property
    def game(self) -> AnyGame:
        """The game with its rules fixed."""
        load_files(self.load)
        return changed_game(self.game_id, self.variant, self.rule or ())

    @property
    def given(self) -> frozenset[str]:
        """The rules that are named one by one."""
        return frozenset(read_changes([*(self.variant or "").split("+")[1:], *(self.rule or ())]))


_RANGE = re.compile(r"\s*(?:(?P<seed>[^#]*)#)?\s*(?P<first>[0-9]{1,20})\s*\.\.\s*(?P<last>[0-9]{1,20})\s*")


@dataclass(frozen=True, kw_only=True)
class SeedArguments:
    """Deals by their numbers."""

    seed: SeedOption = None
    seeds: Annotated[str | None, typer.Option(metavar="A..B", help="All deals from A to B, both included.")] = None
    shuffle: Annotated[bool, typer.Option("--shuffle", help="A random deal; its number is printed.")] = False
    generator: GeneratorOption = None

    def given(self) -> list[str]:
        """The ways of naming a deal that are used."""
        return [
            name
            for name, value in (("--seed", self.seed), ("--seeds", self.seeds), ("--shuffle", self.shuffle or None))
            if value is not None
        ]

    def check(self) -> None:
        """Refuse two ways of naming a deal at once."""
        given = self.given()
        if len(given) > 1:
            raise UsageError(f"{' and '.join(given)} exclude each other")
        if self.generator is not None and self.generator not in GENERATORS:
            raise unknown("generator", self.generator, GENERATORS)

    @property
    def source(self) -> Source:
        """The one deal that --seed names; without it a random one."""
        if self.seed is None:
            return Source(draw_seed(), self.generator or OURS)
        return self._read_source("--seed", self.seed)

    def _read_source(self, option: str, text: str) -> Source:
        """Return the deal that an option names; UsageError if --generator says otherwise."""
        try:
            source = Source.parse(text, self.generator or OURS)
        except ParseError as error:
            raise UsageError(f"{option}: {error}") from None
        if self.generator not in (None, source.generator):
            raise UsageError(f"{option} {text} and --generator {self.generator} name two generators; leave one out")
        return source

    @property
    def numbers(self) -> range | None:
        """The deals that --seeds names, or None. UsageError where they are the decks of one seed."""
        stream, numbers = self._range
        if stream is not None:
            raise UsageError(
                f"--seeds {self.seeds}: the decks of one seed are for `deal` and `solve`; expected A..B, such as 0..99"
            )
        return numbers

    @cached_property
    def _range(self) -> tuple[Source | None, range | None]:
        """What --seeds names: seeds, or decks of the stream of one seed, by the first of them and their numbers."""
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
        """How many deals --seeds names; without it one."""
        return 1 if self._range[1] is None else len(self._range[1])

    @property
    def plain_seeds(self) -> range | None:
        """The deals that --seeds names, if they are seeds of our generator; None where they are not."""
        stream, numbers = self._range
        return numbers if stream is None and self.generator in (None, OURS) else None

    def sources(self) -> Iterator[Source]:
        """Every deal that is asked for."""
        stream, numbers = self._range
        if numbers is None:
            yield self.source
        elif stream is None:
            yield from (Source(number, self.generator or OURS) for number in numbers)
        else:
            yield from (replace(stream, number=number) for number in numbers)


@dataclass(frozen=True, kw_only=True)
class DealArguments(SeedArguments):
    """Deals by their numbers, or one deal as text."""

    file: FileArgument = None

    def given(self) -> list[str]:
        """The ways of naming a deal that are used."""
        return ([] if self.file is None else ["FILE"]) + super().given()

    def check(self) -> None:
        """Refuse two ways of naming a deal at once, and a generator that has nothing to shuffle."""
        super().check()
        if self.generator is not None and not super().given():
            raise UsageError("--generator goes with --seed, --seeds or --shuffle")

    def state(self, game: AnyGame, parse: Callable[[str], Any] | None = None) -> Any:
        """Return the one deal, read or dealt."""
        return self.read(game, parse)[0]

    def seen(self, game: AnyGame) -> Any:
        """The same where a player's view is enough: a state, or a view."""
        return self.read(game, game.parse_seen)[0]

    def read(self, game: AnyGame, parse: Callable[[str], Any] | None = None) -> tuple[Any, frozenset[str]]:
        """Return the one deal, and the labels of the lines that it was typed with.

        `parse` reads a text; without it a text of which some cards are unknown is refused with what can be asked.
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
    """Deals by their numbers, or as text from one file or several."""

    more: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE]...", help="Further deals, each in a file.", show_default=False)
    ] = None

    @property
    def files(self) -> list[str]:
        """The files, where there are several."""
        return [] if self.file is None or not self.more else [self.file, *self.more]

    @property
    def are_many(self) -> bool:
        """True if several deals are asked for, or may be."""
        return self.seeds is not None or bool(self.more)

    def read_each(self, game: AnyGame) -> list[tuple[Any, frozenset[str]]]:
        """Return the deals of the files; InvalidDealError names the faults of all of them."""
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
    """How much a search may spend on one deal."""

    nodes: Annotated[int, typer.Option(metavar="N", help="Positions that may be looked at; 0: no limit.", min=0)] = 0
    seconds: Annotated[float, typer.Option(metavar="S", help="Time for one deal; 0: no limit.", min=0)] = 60
    memory: Annotated[str, typer.Option(metavar="SIZE", help="Memory for one deal, such as 512MB.")] = "1GiB"

    def keywords(self) -> dict[str, Any]:
        """As `solve` takes them."""
        try:
            memory = parse_memory(self.memory)
        except ParseError as error:
            raise UsageError(f"--memory: {error}") from None
        if math.isnan(self.seconds):
            raise UsageError("--seconds: nan is not a time")
        seconds = None if self.seconds == 0 or math.isinf(self.seconds) else self.seconds
        return {"nodes": self.nodes or None, "seconds": seconds, "memory": memory}


def expand(command: Callable[..., Any], own: Own | None = None) -> Callable[..., Any]:
    """The command with each parameter that is a group of arguments (a dataclass) spread out, as typer wants them.

    `own` is a game with what it adds: it takes the place of `GameOptions`.
    """
    hints = get_type_hints(command, include_extras=True)
    if own is not None:
        hints = {name: own.options if hint is GameOptions else hint for name, hint in hints.items()}
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}

    def spread(**values: Any) -> Any:
        values |= read_id(values)
        if own is not None and values["game_id"] != own.game:
            raise UsageError(f"name the game first: unshuffle {command.__name__} {values['game_id']} ...")
        built = {
            name: group(**{field.name: values.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        return command(**built, **values)

    parameters = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name not in groups:
            parameters.append(parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        inner = option_hints(groups[name], own)
        parameters += [
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if field.default is MISSING else field.default,
                annotation=inner[field.name],
            )
            for field in fields(groups[name])
        ]
    spread.__doc__ = command.__doc__
    spread.__name__ = command.__name__
    spread.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined] # read by `inspect.signature`
    spread.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return spread
