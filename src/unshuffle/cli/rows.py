"""Formats for a sequence of results: JSON objects, CSV rows, full reports, or one short line each."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from unshuffle.cli import show
from unshuffle.cli.arguments import Explain
from unshuffle.game import INFORMATION, AnyGame
from unshuffle.solve import Result, Status

if TYPE_CHECKING:
    from unshuffle.hidden.chance import Chance


class Rows(Protocol):
    """An output for results."""

    def add(self, result: Result, chance: Chance | None = None) -> None:
        """Show one more result. `chance` is the chance to win if only an unknown redeal could win."""

    def finish(self, interrupted: bool) -> None:
        """Show the totals at the end."""


def _values(game: AnyGame, result: Result, chance: Chance | None, file: str | None) -> dict[str, Any]:
    values = {
        "game": game.id,
        "variant": game.variant,
        "deal": result.state.id,
        **({} if file is None else {"file": file}),
        "status": str(result.status),
        **({"is_phase": show.may_go_on(game, result)} if game.solves_phases else {}),
        "score": result.score,
        "score_proved": result.score_proved,
        "moves": [move.token for move in result.moves],
        "nodes": result.stats.nodes,
        "seconds": result.stats.seconds,
        "stats": dict(result.stats),
    }
    if result.status is Status.UNKNOWN_REDEALS:
        values["win_chance"] = None if chance is None else chance.p
        values["win_chance_se"] = None if chance is None else chance.se
    return values


class JsonRows:
    """One JSON object per deal. `files`, here and below: the files of the deals, if there are several."""

    def __init__(self, game: AnyGame, files: Sequence[str] = ()) -> None:
        self._game = game
        self._files = iter(files)
        self._page = show.Page(sys.stdout)

    def add(self, result: Result, chance: Chance | None = None) -> None:
        """Write the object."""
        show.json_line(self._page, _values(self._game, result, chance, next(self._files, None)))

    def finish(self, interrupted: bool) -> None:
        """Write nothing: every line is an object."""


class CsvRows:
    """A header, then a row per deal: the JSON object without its moves, with the search statistics as columns."""

    def __init__(self, game: AnyGame, files: Sequence[str] = ()) -> None:
        self._game = game
        self._files = iter(files)
        self._page = show.Page(sys.stdout)
        self._columns: list[str] = []

    def add(self, result: Result, chance: Chance | None = None) -> None:
        """Write the row."""
        values = _values(self._game, result, chance, next(self._files, None))
        del values["moves"]
        if "file" in values and hasattr(result.state, "redeals_left"):
            # The rows of other files may need these columns.
            values = {**values, "win_chance": values.get("win_chance"), "win_chance_se": values.get("win_chance_se")}
        values.update(values.pop("stats"))
        if not self._columns:
            self._columns = list(values)
            self._write(self._columns)
        self._write([_cell(values.get(column)) for column in self._columns])

    def _write(self, cells: list[str]) -> None:
        import csv  # here: seldom needed
        import io

        row = io.StringIO()
        csv.writer(row, lineterminator="").writerow(cells)
        self._page.data(row.getvalue())

    def finish(self, interrupted: bool) -> None:
        """Write nothing: every line is a row."""


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


class ReportRows:
    """The full answer for each deal."""

    def __init__(
        self,
        game: AnyGame,
        page: show.Page,
        explain: Explain,
        notes: Sequence[str] = (),
        stats: bool = False,
        files: Sequence[str] = (),
    ) -> None:
        self._game = game
        self._files = iter(files)
        self._page = page
        self._explain = explain
        self._notes = notes
        self._stats = stats
        self._count = 0

    def add(self, result: Result, chance: Chance | None = None) -> None:
        """Write the report."""
        if self._count:
            self._page.line()
        self._count += 1
        if (file := next(self._files, None)) is not None:
            self._page.line(f"# {file}")
        show.result(self._page, self._game, result, self._explain, self._notes, stats=self._stats, chance=chance)

    def finish(self, interrupted: bool) -> None:
        """Write nothing: every report has its verdict."""


class ShortRows:
    """A line per deal, and at the end the count of each status."""

    def __init__(self, game: AnyGame, files: Sequence[str] = ()) -> None:
        self._game = game
        self._files = iter(files)
        self._page = show.Page(sys.stdout)
        self._begun = monotonic()
        self._counts: Counter[Status] = Counter()
        self._known: Counter[str] = Counter()
        self._engine = ""

    def add(self, result: Result, chance: Chance | None = None) -> None:
        """Write the line."""
        self._counts[result.status] += 1
        self._engine = result.engine
        self._known[self._game.known_words(result.state)] += 1
        goes_on = show.may_go_on(self._game, result)
        status = self._page.verdict(f"{result.status:<12}", result.status, goes_on=goes_on)
        most = str(self._game.most_score)
        score = f"score {result.score:>{len(most)}} of {most}{'' if result.score_proved else ' (not proved)'}"
        moves = show.plural(len(result.moves), "move")
        search = f"{show.plural(result.stats.nodes, 'node')}, {show.duration(result.stats.seconds)}"
        self._page.line(f"{next(self._files, result.state.id)}  {status}  {score}, {moves}, {search}")

    def finish(self, interrupted: bool) -> None:
        """Write the counts."""
        deals = sum(self._counts.values())
        kinds = ", ".join(f"{count:,} {status}" for status in Status if (count := self._counts[status]))
        seconds = monotonic() - self._begun
        self._page.line()
        if interrupted:
            self._page.line("Interrupted; so far:")
        self._page.line(f"{show.plural(deals, 'deal')} of {self._game}{kinds and ': ' + kinds} ({self._conditions()})")
        if deals:
            self._page.line(f"{show.duration(seconds)}{show.speed(deals, seconds, 'deals')}, {self._engine} engine")

    def _conditions(self) -> str:
        """Return which information the verdicts use; if it differs between deals, with the number of deals of each."""
        if len(self._known) < 2:
            return next(iter(self._known), INFORMATION["open"])
        return "; ".join(f"{words}: {count:,}" for words, count in self._known.items())
