"""`unshuffle values`: build, show."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unshuffle.cards import Card, Suit
from unshuffle.cli import show as pages
from unshuffle.cli.arguments import GameArguments, JsonOption, complete_games, load_files
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.progress import ProgressLine
from unshuffle.errors import ParseError, UsageError, in_a_line, quote, unknown
from unshuffle.numbers import read_up_to
from unshuffle.registry import game_class
from unshuffle.solve import MOST_THREADS

if TYPE_CHECKING:
    from unshuffle.games.belle_lucie.values import Block, Value

_SHOW_EXAMPLES = (
    'unshuffle values show belle-lucie "9 13 13 13"',
    "unshuffle values show belle-lucie 9C KD KH KS --variant merci",
    'unshuffle values show gaps "9 9 8 8" --variant addiction',
)
_BUILD_EXAMPLES = (
    "unshuffle values build belle-lucie",
    "unshuffle values build belle-lucie --table none --samples 500 --out small.txt.gz",
    "unshuffle values build aces-up --games 100000 --out mine.json",
    "unshuffle values build gaps --variant addiction --samples 200 --seed 1",
)
EXAMPLES = (_SHOW_EXAMPLES[0], _BUILD_EXAMPLES[0])

_BUILT = ("belle-lucie", "aces-up", "gaps")
_SHOWN = ("belle-lucie", "gaps")


def values() -> None:
    """Build and look up the values of redeals and tables.

    The value of a redeal is the chance to win after it. Tables of them come with the package: advice and the policy
    `value` go by them. What a table of Aces Up is worth before a deal, the policy `planner` goes by.
    """


def build(
    game: Annotated[
        str,
        typer.Argument(metavar="GAME", help="The game, as `unshuffle games` lists it.", autocompletion=complete_games),
    ],
    variant: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="gaps: the variant whose redeals are valued.  [default: addiction]",
            show_default=False,
        ),
    ] = None,
    table: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="belle-lucie: this table, may be given again [default: all]; aces-up: values [default] or weights.",
            show_default=False,
        ),
    ] = None,
    levels: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="belle-lucie: for 0 to N-1 redeals left; gaps: for 1 to N.  [default: 3]",
            show_default=False,
        ),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="belle-lucie: deals for each state [default: as many as a table needs]; gaps: redeals for each shape"
            " [default: 200].",
            show_default=False,
        ),
    ] = None,
    boards: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="gaps: search all boards, for an exact value, where a redeal brings at most N.  [default: 200,000]",
            show_default=False,
        ),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="gaps: positions that a search may look at.  [default: 2,000,000]", show_default=False
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="aces-up: games to learn values from, or to try weights in.  [default: 1,000,000 or 2,000]",
            show_default=False,
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(metavar="N", help="aces-up: rounds to find weights in.  [default: 200]", show_default=False),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Decides the deals.  [default: 1]", min=0, show_default=False)
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(metavar="N", help="No result depends on it.  [default: all cores]", min=1, max=MOST_THREADS),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where they go.  [default: belle-lucie-values.txt.gz, aces-up-values.json or"
            " gaps-values-VARIANT.txt.gz]",
            show_default=False,
        ),
    ] = None,
) -> ExitCode:
    """Build tables of values into a file.

    What is done is kept in FILE.part: whatever ends the work, the same command goes on from there, and the file comes
    out the same to the byte.

    Exit codes: 0 done, 2 wrong usage, 130 Ctrl-C.
    """
    _check_game(game, "build", _BUILT)
    from unshuffle.deals import LAST_SEED  # here, for looking values up has no use for it

    if seed is not None and seed > LAST_SEED:
        raise UsageError(f"seeds are 0..{LAST_SEED}, not {seed}")
    if out is not None and out.is_dir():  # said now, and not when the work is done
        raise UsageError(f"--out: {quote(str(out))} is a folder; name a file in it")
    given: dict[str, Any] = {"variant": variant, "levels": levels, "samples": samples, "nodes": nodes}
    given |= {"boards": boards, "games": games, "rounds": rounds, "seed": seed}
    if table:
        given["table"] = tuple(dict.fromkeys(table))
    given = {name: value for name, value in given.items() if value is not None}
    if game == "aces-up":
        return _build_aces_up(given, out, threads)
    if game == "gaps":
        return _build_gaps(given, out, threads)
    return _build_belle_lucie(given, out or Path("belle-lucie-values.txt.gz"), threads)


def _build_belle_lucie(given: dict[str, Any], path: Path, threads: int | None) -> ExitCode:
    from unshuffle.advise.belle_lucie.building import Recipe, build

    _refuse_others(given, "belle-lucie", ("games", "rounds", "variant", "nodes", "boards"))
    if "table" in given:
        given["tables"] = given.pop("table")
    recipe = Recipe(**given)

    def run(progress: ProgressLine) -> None:
        def watch(block: Block, done: int, of: int) -> None:
            progress.text(f"{done:,} of {of:,} states; table {block.table}, {pages.plural(block.level, 'redeal')} left")

        build(recipe, path, threads=threads, progress=watch)

    return _build(run, path, ", ".join(recipe.tables))


def _build_aces_up(given: dict[str, Any], path: Path | None, threads: int | None) -> ExitCode:
    from unshuffle.advise.aces_up import weighing
    from unshuffle.advise.aces_up.building import Buildable, Recipe, build

    _refuse_others(given, "aces-up", ("levels", "samples", "variant", "nodes", "boards"))
    (table,) = given.pop("table", ("values",))[-1:]
    recipe: Buildable
    if table == "weights":
        recipe, steps = weighing.Recipe(**given), "round"
    elif table == "values":
        _refuse_others(given, "aces-up, but about its weights", ("rounds",))
        recipe, steps = Recipe(**given), "game"
    else:
        raise unknown("table of aces-up:", table, ("values", "weights"))
    path = path or Path(f"aces-up-{table}.json")

    def run(progress: ProgressLine) -> None:
        build(recipe, path, threads=threads, progress=lambda done, of: progress.text(f"{done:,} of {of:,} {steps}s"))

    return _build(run, path, f"learnt from {pages.plural(recipe.steps, steps)}")


def _build_gaps(given: dict[str, Any], path: Path | None, threads: int | None) -> ExitCode:
    from unshuffle.advise.gaps.building import Recipe, build

    _refuse_others(given, "gaps", ("games", "rounds", "table"))
    recipe = Recipe(**given)
    losses = exact = ""

    def run(progress: ProgressLine) -> None:
        nonlocal losses, exact
        table = build(recipe, out, threads=threads, progress=lambda done, of: progress.text(_redeals(done, of)))
        losses = table.provenance["held-out log loss"]
        exact = table.provenance["exact"]

    out = path or Path(f"gaps-values-{recipe.variant}.txt.gz")
    code = _build(run, out, recipe.variant)
    if code is ExitCode.DONE:
        page = pages.Page(sys.stdout)
        page.line(f"exact: {exact}")
        page.line(f"held-out log loss: {losses}")
    return code


def _redeals(done: int, of: int) -> str:
    return f"{done:,} of {of:,} redeals"


def _refuse_others(given: dict[str, Any], game: str, options: tuple[str, ...]) -> None:
    for name in options:
        if name in given:
            raise UsageError(f"--{name} says nothing about the values of {game}")


def _build(run: Callable[[ProgressLine], None], path: Path, what: str) -> ExitCode:
    """Build, say how far it is, and in the end what there is."""
    from unshuffle.advise.building import partial_of

    progress = ProgressLine()
    try:
        run(progress)
    except KeyboardInterrupt:
        progress.clear()
        print(f"Interrupted; the same command goes on from {str(partial_of(path))!r}", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except OSError as error:
        raise UsageError(f"--out: cannot write {quote(str(path))}: {error.strerror}") from None
    finally:
        progress.clear()
    pages.Page(sys.stdout).line(f"{in_a_line(path)}: {what}; {path.stat().st_size:,} bytes")
    return ExitCode.DONE


def show(
    choice: GameArguments,
    heights: Annotated[
        list[str],
        typer.Argument(
            metavar="HEIGHTS",
            help='belle-lucie: the foundations: "9 13 13 13", or their top cards, such as 9C KD KH KS. '
            'gaps: the lengths of the locked runs: "9 9 8 8".',
        ),
    ],
    json: JsonOption = False,
) -> ExitCode:
    """Show the chance to win when the rest is dealt again.

    Only the four numbers matter, in any order. Each chance comes with its standard error and the number of deals from
    which it was estimated.
    """
    load_files(choice.load)
    _check_game(choice.game_id, "show", _SHOWN)
    if choice.game_id == "gaps":
        from unshuffle.cli.values_gaps import show_shape

        return show_shape(choice.game, heights, as_json=json)
    from unshuffle.games.belle_lucie.values import check_heights, index, levels_of, mercis_of_planes, table_of

    game = choice.game
    read = _read_heights(heights)
    check_heights(read)
    table, is_own = table_of(game.rules)
    if not is_own:
        raise UsageError(f"there is no table of values for {game}; that of {table!r} would be another game's")
    rows: list[tuple[int, int, Value]] = [
        (level, mercis, plane[index(read)])
        for level, planes in enumerate(levels_of(table))
        for mercis, plane in zip(mercis_of_planes(game.rules), planes, strict=True)
    ]
    page = pages.Page(sys.stdout)
    if json:
        found = [
            {"redeals_left": level, "mercis": mercis, "p": value.p, "se": value.se, "n": value.n}
            for level, mercis, value in rows
        ]
        about = {"game": game.id, "variant": game.variant, "table": table, "heights": read}
        pages.json_line(page, about | {"left": 52 - sum(read), "values": found})
        return ExitCode.DONE
    page.line(f"{game}: {pages.plural(52 - sum(read), 'card')} left, foundations at {' '.join(map(str, read))}")
    page.line()
    page.line("The chance to win when they are dealt again, by the redeals that are left then:")
    for level, mercis, value in rows:
        left = pages.plural(level, "redeal") + (
            f", {pages.plural(mercis, 'merci')}" if game.rules.merci != "none" else ""
        )
        how = "exact" if value.n == 0 else f"± {100 * value.se:.2g} %, {value.n:,} deals"
        page.line(f"  {left}: {100 * value.p:.2f} % ({how})")
    return ExitCode.DONE


def _check_game(name: str, verb: str, games: tuple[str, ...]) -> None:
    game_class(name)
    if name not in games:
        raise UsageError(f"there are no values of {name} to {verb}; there are of {', '.join(games)}")


def _read_heights(words: list[str]) -> list[int]:
    """Four numbers, or the top card of each foundation; a suit that is not named has none."""
    tokens = " ".join(words).replace(",", " ").split()
    numbers = [read_up_to(token, 99) for token in tokens]
    if tokens and None not in numbers:
        return [number for number in numbers if number is not None]
    heights = [0] * len(Suit)
    for token in tokens:
        try:
            card = Card.parse(token)
        except ParseError as error:
            raise UsageError(f"HEIGHTS: {error}; or four numbers 0..13") from None
        if heights[card.suit]:
            raise UsageError(f"HEIGHTS: {card} is a second foundation of {card.suit.word}")
        heights[card.suit] = card.rank
    return heights


SUBCOMMANDS = {"build": (build, _BUILD_EXAMPLES), "show": (show, _SHOW_EXAMPLES)}
