"""`unshuffle deal GAME --winnable`: deals that are proved winnable, from a search or from the store."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unshuffle.cards import format_cards
from unshuffle.cli import show
from unshuffle.cli.arguments import LimitArguments, SeedArguments
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.progress import ProgressLine
from unshuffle.errors import UsageError
from unshuffle.game import WINNABLE, AnyGame

if TYPE_CHECKING:
    from unshuffle.store import GradedDeal
    from unshuffle.winnable import Tally

_PANEL: dict[str, Any] = {"rich_help_panel": "With --winnable"}
"""The section of these options on the help page."""


@dataclass(frozen=True, kw_only=True)
class WinnableArguments:
    """The number and difficulty of the winnable deals, and the limits of the search."""

    winnable: Annotated[
        bool, typer.Option("--winnable", help=f"Search for winnable deals, and print their ids. {WINNABLE}")
    ] = False
    difficulty: Annotated[
        str | None, typer.Option(metavar="easy|medium|hard", help="Only deals of this difficulty.", **_PANEL)
    ] = None
    count: Annotated[
        int | None,
        typer.Option(metavar="N", help="The number of deals.  [default: 1; with --stored all]", min=1, **_PANEL),
    ] = None
    stored: Annotated[bool, typer.Option("--stored", help="List the deals of the store; search nothing.", **_PANEL)] = (
        False
    )
    store: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The store (an SQLite file).  [default: $UNSHUFFLE_STORE, or ./unshuffle.sqlite]",
            show_default=False,
            **_PANEL,
        ),
    ] = None
    no_store: Annotated[bool, typer.Option("--no-store", help="Store nothing.", **_PANEL)] = False
    nodes: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The most positions to search for one deal; 0: no limit.  [default: 1000000]",
            min=0,
            **_PANEL,
        ),
    ] = None
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S",
            help="Time limit of the search of one deal, and of its grading; 0: no limit.  [default: 60]",
            min=0,
            **_PANEL,
        ),
    ] = None
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Memory limit of one deal.  [default: 1GiB]", **_PANEL)
    ] = None
    threads: Annotated[
        int | None,
        typer.Option(metavar="N", help="The number of deals searched at once.  [default: all cores]", **_PANEL),
    ] = None

    def given(self, *names: str) -> list[str]:
        """Return which of the named options are given; without names, of all but --winnable."""
        return [
            f"--{field.name.replace('_', '-')}"
            for field in fields(self)
            if field.name != "winnable"
            and (not names or field.name in names)
            and getattr(self, field.name) not in (None, False)
        ]

    def check(self) -> None:
        """Raise UsageError for options that make no sense together."""
        if self.given() and not self.winnable:
            raise UsageError(f"{', '.join(self.given())} {_go(self.given())} with --winnable only")
        if self.no_store and self.given("store", "stored"):
            raise UsageError(f"--no-store and {' and '.join(self.given('store', 'stored'))} exclude each other")
        searching = self.given("nodes", "seconds", "memory", "threads")
        if self.stored and searching:
            raise UsageError(f"{', '.join(searching)} {_go(searching)} with a search, and --stored searches nothing")

    def limits(self) -> LimitArguments:
        """Return the limits of one deal."""
        from unshuffle.winnable import NODES, SECONDS

        return LimitArguments(
            nodes=NODES if self.nodes is None else self.nodes,
            seconds=SECONDS if self.seconds is None else self.seconds,
            memory="1GiB" if self.memory is None else self.memory,
        )


def _go(options: list[str]) -> str:
    return "goes" if len(options) == 1 else "go"


def deal_winnable(
    game: AnyGame, seeds: SeedArguments, wanted: WinnableArguments, *, deck: bool, json: bool
) -> ExitCode:
    """Search for winnable deals, or read the stored ones, and print each as it is found."""
    from unshuffle.store import Store, default_path  # slow to import, and a plain `deal` does not need them
    from unshuffle.winnable import find, has_cuts, stored

    place = wanted.store or default_path()
    if wanted.stored:
        others = [name for name in seeds.given() if name != "--seeds"] + ["--generator"] * (seeds.generator is not None)
        if others:
            raise UsageError(f"{', '.join(others)} {_go(others)} with a search; --stored takes --seeds A..B")
        with Store.open(place, create=False) as store:
            kept = stored(game, store, wanted.difficulty, wanted.count, seeds.numbers)
        _show(game, kept, deck=deck, json=json)
        return _ended(len(kept), wanted.count or 1, f"the store {str(place)!r} has")
    progress = ProgressLine()
    search = find(
        game,
        wanted.difficulty,
        wanted.count or 1,
        start=seeds.source if seeds.numbers is None else 0,
        seeds=seeds.numbers,
        generator=seeds.source.generator,
        store=None if wanted.no_store else place,
        threads=wanted.threads,
        progress=(lambda tally: progress.text(_tell(tally))) if progress.is_seen else None,
        **wanted.limits().keywords(),
    )
    if not has_cuts(game):
        _note(f"the deals of {game} were never measured, so the difficulties are thirds of the scale")
    code = ExitCode.DONE
    try:
        with closing(iter(search)) as found:
            _show(game, found, deck=deck, json=json, progress=progress)
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    finally:
        progress.clear()
    _note(_tell(search.tally))
    return code or _ended(search.tally.found, wanted.count or 1, "there was")


def _show(
    game: AnyGame, deals: Iterable[GradedDeal], *, deck: bool, json: bool, progress: ProgressLine | None = None
) -> None:
    page = show.Page(sys.stdout)
    for found in deals:
        if progress is not None:
            progress.clear()
        cards = format_cards(game.deck(found.source))
        if json:
            values: dict[str, Any] = {"game": game.id, "variant": game.variant, "deal": found.deal, "deck": cards}
            values |= {"layout": game.format(game.deal(found.source)), "winnable": True, "proof": found.proof}
            values |= {"moves": found.moves.split(), "score": found.score, "difficulty": found.difficulty}
            values |= {
                "measure": found.value if found.is_measured else None,
                "wins": found.wins,
                "games": found.games,
                "measured_by": found.measure,
            }
            show.json_line(page, values)
            continue
        measure = f"  {found.value:.2f}" if found.is_measured else ""
        page.line(f"{'# ' if deck else ''}{found.deal}  {found.difficulty}{measure}")
        if deck:
            page.line(f"Deck: {cards}")


def _tell(tally: Tally) -> str:
    """Return the counts of the searched deals as text."""
    parts = [f"{tally.found:,} found", f"{tally.lost:,} lost", f"{tally.undecided:,} undecided"]
    parts += [f"{tally.other:,} of another difficulty"] if tally.other else []
    parts += [f"{tally.unmeasured:,} not measured in time"] if tally.unmeasured else []
    known = f" ({tally.stored:,} known from the store)" if tally.stored else ""
    playing = f"; game {tally.game} of the panel on the next one" if tally.game else ""
    return f"{show.plural(tally.looked_at, 'deal')} looked at: {', '.join(parts)}{known}{playing}"


def _ended(found: int, wanted: int, where: str) -> ExitCode:
    if found >= wanted:
        return ExitCode.DONE
    _note(f"{where} no such deal" if not found else f"{where} only {found:,} of {wanted:,} deals")
    return ExitCode.NOT_WON


def _note(text: str) -> None:
    print(f"unshuffle: {text}", file=sys.stderr)
