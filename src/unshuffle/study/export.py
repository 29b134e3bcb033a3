"""Exports of all results of a study for other programs: CSV, JSON lines or Parquet, each written whole or not at all.

Rows are written in batches, so memory does not grow with the study. The provenance is in the metadata of a Parquet
file, and otherwise in a file beside the export, `PATH.provenance.json`.
"""

from __future__ import annotations

import csv
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from unshuffle.cards import format_cards
from unshuffle.deals import DealId, Source
from unshuffle.errors import UsageError, quote, unknown
from unshuffle.files import whole_file, write_whole, writing
from unshuffle.store import DECKS, Run, Store
from unshuffle.study.conditions import describe_batches, provenance
from unshuffle.study.importing import write_file
from unshuffle.study.tables import study_packages

_BATCH = 50_000
_KINDS = {"csv": (".csv",), "json": (".json", ".jsonl", ".ndjson"), "parquet": (".parquet", ".pq")}
_FORMATS = {ending: kind for kind, endings in _KINDS.items() for ending in endings}
_WON = {"solved": True, "unsolvable": False}
PEER = "peer"
"""The format of another program, see `importing`."""

_OF_THE_RUN = ("game", "variant", "method", "information", "generator")
COLUMNS = (
    *_OF_THE_RUN, "seed", "deal", "won", "status", "score", "score_proved", "nodes", "seconds", "moves",
    "inferred_from", "tableau_moves", "deck",
)  # fmt: skip
"""The columns of every export, in this order."""

Row = tuple[Any, ...]


def export(store: Store, study: str, path: str | Path, format: str | None = None) -> int:  # noqa: A002
    """Write every finished deal of a study into a file and return their number.

    The format is 'csv', 'json' (an object per line) or 'parquet'; the default follows from the suffix of the file.
    'peer' writes the wins of rule lists of Aces Up as the tables of another program, and returns their number.
    """
    path = Path(path)
    kind = _kind(path, format)
    runs = store.runs(study)
    with study_packages(), writing(path):
        # Keep a symbolic link: its target is replaced, and the provenance is written beside the target.
        path = path.resolve()
        if path.exists() and store.path.exists() and path.samefile(store.path):
            raise UsageError(f"{str(path)!r} is the store itself; export into another file")
        if kind == PEER:
            return write_file(store, study, path)
        return _WRITERS[kind](path).write(store, study, runs)


def _kind(path: Path, kind: str | None) -> str:
    if kind is not None:
        if kind.lower() not in (*_WRITERS, PEER):
            raise unknown("format", kind, (*_WRITERS, PEER))
        return kind.lower()
    if path.suffix.lower() not in _FORMATS:
        raise UsageError(
            f"cannot tell the format of {quote(str(path))}; the name must end in {', '.join(_FORMATS)}, or a format"
            f" be given ({', '.join((*_WRITERS, PEER))})"
        )
    return _FORMATS[path.suffix.lower()]


def export_rows(store: Store, run: Run) -> Iterator[Row]:
    """Yield the finished deals of a run in the order of their seeds, as rows of `COLUMNS`; missing values are None.

    `won` is None if a limit stopped the search: a limit is no "no". A policy has no status, nodes or seconds per deal.
    `inferred_from` is the variant whose run decided the deal, or None if this run did. A stored deck has its cards in
    `deck`, its number in `seed`, and no deal id.
    """
    begin = [getattr(run, name) for name in _OF_THE_RUN]
    if run.generator == DECKS:
        for block in store.games(run, run.first_seed, run.last_seed):
            ids = range(block.first, block.first + len(block.scores))
            decks = map(format_cards, store.decks(run.game, ids))
            moves = block.tableau_moves or [None] * len(ids)
            for seed, score, won, made, deck in zip(ids, block.scores, block.won, moves, decks, strict=True):
                yield (*begin, seed, None, bool(won), None, score, None, None, None, None, None, made, deck)
        return
    # The common prefix of all ids: the id of the first deal without its seed.
    deal = str(DealId(run.game, run.variant, Source(run.first_seed, run.generator))).removesuffix(str(run.first_seed))
    if run.is_solver:
        variants = {each.id: each.variant for each in store.runs(run.study)}
        for row in store.rows(run):
            seed, status = row["seed"], row["status"]
            yield (
                *begin, seed, f"{deal}{seed}", _WON.get(status), status, row["score"], row["score_proved"],
                row["nodes"], row["seconds"], row["moves"], variants.get(row["inferred_from"]), None, None,
            )  # fmt: skip
    else:
        for row in store.rows(run):
            seed = row["seed"]
            yield (
                *begin, seed, f"{deal}{seed}", row["won"], None, row["score"], None, None, None, None, None,
                row["tableau_moves"], None,
            )  # fmt: skip


class _Writer(ABC):
    """A writer of one format."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, store: Store, study: str, runs: Sequence[Run]) -> int:
        """Write all rows and their provenance, and return the number of rows. The file appears when it is complete."""
        counts, facts = [], []
        with whole_file(self._path) as unfinished:
            with ExitStack() as stack:
                self._open(unfinished, stack)
                for run in runs:
                    counts.append(sum(map(self._add, _batches(export_rows(store, run)))))
                    # If the study is running, more deals may be finished by now than were written.
                    facts.append(provenance(store, run) | {"rows": counts[-1]})
                origin = {"study": study, "rows": sum(counts), "columns": list(COLUMNS), "runs": facts}
                origin["batches"] = describe_batches(store, study)
                text = json.dumps(origin, indent=1)
                is_inside = self._keep(text)
            if not is_inside:
                write_whole(self._path.with_name(f"{self._path.name}.provenance.json"), f"{text}\n".encode())
        return sum(counts)

    @abstractmethod
    def _open(self, path: Path, stack: ExitStack) -> None:
        """Open the file; the stack closes it."""

    @abstractmethod
    def _add(self, rows: list[Row]) -> int:
        """Write these rows of one run and return their number."""

    def _keep(self, origin: str) -> bool:
        """Store the provenance in the file if the format can hold it; return whether it was stored."""
        return False


def _batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while batch := list(islice(rows, _BATCH)):
        yield batch


class _Csv(_Writer):
    """A header, then a row per deal; missing values are empty, truth values are true or false."""

    _file: TextIO

    def _open(self, path: Path, stack: ExitStack) -> None:
        self._file = stack.enter_context(path.open("w", encoding="utf-8", newline=""))
        self._rows = csv.writer(self._file, lineterminator="\n")
        self._rows.writerow(COLUMNS)

    def _add(self, rows: list[Row]) -> int:
        words = {True: "true", False: "false", None: ""}
        won, proved = COLUMNS.index("won"), COLUMNS.index("score_proved")
        self._rows.writerows(
            (*row[:won], words[row[won]], *row[won + 1 : proved], words[row[proved]], *row[proved + 1 :])
            for row in rows
        )
        return len(rows)


class _Json(_Writer):
    """JSON lines: an object per deal."""

    _file: TextIO

    def _open(self, path: Path, stack: ExitStack) -> None:
        self._file = stack.enter_context(path.open("w", encoding="utf-8", newline=""))
        self._encode = json.JSONEncoder(allow_nan=False).encode

    def _add(self, rows: list[Row]) -> int:
        self._file.writelines(f"{self._encode(dict(zip(COLUMNS, row, strict=True)))}\n" for row in rows)
        return len(rows)


class _Parquet(_Writer):
    """Typed and compressed columns, with the provenance in the metadata under the key `unshuffle`."""

    def _open(self, path: Path, stack: ExitStack) -> None:
        import pyarrow
        from pyarrow.parquet import ParquetWriter

        self._arrow = pyarrow
        types = {"seed": "int64", "score": "int64", "nodes": "int64", "seconds": "float64", "tableau_moves": "int64"}
        types |= {"won": "bool", "score_proved": "bool"}
        fields = [(name, pyarrow.type_for_alias(types.get(name, "string"))) for name in COLUMNS]
        self._schema = pyarrow.schema(fields)
        self._file = stack.enter_context(ParquetWriter(path, self._schema, compression="zstd"))

    def _add(self, rows: list[Row]) -> int:
        columns = list(zip(*rows, strict=True))
        arrays = [
            self._arrow.repeat(self._arrow.scalar(column[0]), len(rows)) for column in columns[: len(_OF_THE_RUN)]
        ]
        for values, field in zip(columns[len(_OF_THE_RUN) :], list(self._schema)[len(_OF_THE_RUN) :], strict=True):
            arrays.append(self._arrow.array(values, type=field.type))
        self._file.write_batch(self._arrow.record_batch(arrays, schema=self._schema))
        return len(rows)

    def _keep(self, origin: str) -> bool:
        self._file.add_key_value_metadata({"unshuffle": origin})
        return True


_WRITERS: dict[str, type[_Writer]] = {"csv": _Csv, "json": _Json, "parquet": _Parquet}
