"""The Parquet file of episodes, one row each. Rows are written in batches, so memory does not grow with the file."""

from __future__ import annotations

import json
from itertools import chain
from math import prod
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from unshuffle.envs.common import Settings
from unshuffle.envs.stepped import Stepped

if TYPE_CHECKING:
    from unshuffle.envs.episodes import Episode

_BATCH = 4 << 20
"""Bytes of observations and masks that are buffered before they are written."""


class EpisodeFile:
    """An open episode file."""

    def __init__(self, path: Path, stepped: Stepped[Any, Any], settings: Settings) -> None:
        import pyarrow
        from pyarrow.parquet import ParquetWriter

        self._arrow = pyarrow
        self._gamma = float(settings.gamma)
        self._parts: dict[str, slice] = {}
        if settings.obs == "flat":
            self._parts["observations"] = slice(0, stepped.bytes)
        else:
            start = 0
            for name, (shape, _) in stepped.parts.items():
                self._parts[f"observations/{name}"] = slice(start, start + prod(shape))
                start += prod(shape)
        self._shapes = {name: shape for name, (shape, _) in stepped.parts.items()}
        self._schema = self._columns(stepped.actions)
        self._waiting: list[Episode] = []
        self._bytes = self._count = 0
        self._file = ParquetWriter(path, self._schema, compression="zstd")

    def _columns(self, actions: int) -> Any:
        arrow = self._arrow
        numbers = [(name, arrow.list_(arrow.uint8(), part.stop - part.start)) for name, part in self._parts.items()]
        columns = {
            "id": arrow.int64(),
            "deal": arrow.string(),
            "total_steps": arrow.int64(),
            "won": arrow.bool_(),
            "score": arrow.int64(),
            "ended": arrow.string(),
            **{name: arrow.list_(row) for name, row in numbers},
            "action_masks": arrow.list_(arrow.list_(arrow.int8(), actions)),
            "actions": arrow.list_(arrow.int64()),
            "rewards": arrow.list_(arrow.float64()),
            "terminations": arrow.list_(arrow.bool_()),
            "truncations": arrow.list_(arrow.bool_()),
            "returns": arrow.list_(arrow.float64()),
        }
        return arrow.schema(list(columns.items()))

    def add(self, episode: Episode) -> None:
        """Add one row."""
        self._waiting.append(episode)
        self._bytes += episode.observations.nbytes + episode.masks.nbytes
        if self._bytes >= _BATCH:
            self._write()

    def finish(self, origin: dict[str, Any]) -> None:
        """Write the remaining rows, and the origin of the episodes as metadata."""
        self._write()
        text = json.dumps(origin | {"shapes": self._shapes})
        self._file.add_key_value_metadata({"unshuffle": text})

    def __enter__(self) -> EpisodeFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()

    def _write(self) -> None:
        episodes, arrow = self._waiting, self._arrow
        if not episodes:
            return
        seen, steps = _ends([len(each.masks) for each in episodes]), _ends([len(each.actions) for each in episodes])
        observations = np.concatenate([each.observations for each in episodes])
        ends = [_last(each, each.is_terminated) for each in episodes]
        cuts = [_last(each, not each.is_terminated) for each in episodes]
        columns: dict[str, Any] = {
            "id": range(self._count, self._count + len(episodes)),
            "deal": [each.deal for each in episodes],
            "total_steps": [len(each.actions) for each in episodes],
            "won": [each.ended == "won" for each in episodes],
            "score": [each.score for each in episodes],
            "ended": [each.ended for each in episodes],
            **{name: self._rows(observations[:, part], seen) for name, part in self._parts.items()},
            "action_masks": self._rows(np.concatenate([each.masks for each in episodes]), seen),
            "actions": self._lists([each.actions for each in episodes], steps, arrow.int64()),
            "rewards": self._lists([each.rewards for each in episodes], steps, arrow.float64()),
            "terminations": self._lists(ends, steps, arrow.bool_()),
            "truncations": self._lists(cuts, steps, arrow.bool_()),
            "returns": self._lists([each.returns(self._gamma) for each in episodes], steps, arrow.float64()),
        }
        arrays = [
            column if isinstance(column, arrow.Array) else arrow.array(column, type=field.type)
            for column, field in zip(columns.values(), self._schema, strict=True)
        ]
        self._file.write_batch(arrow.record_batch(arrays, schema=self._schema))
        self._count += len(episodes)
        self._waiting, self._bytes = [], 0

    def _rows(self, rows: NDArray[Any], ends: NDArray[np.int32]) -> Any:
        """Return an Arrow array of lists of equally long rows."""
        values = self._arrow.array(np.ascontiguousarray(rows).ravel())
        return self._arrow.ListArray.from_arrays(
            ends, self._arrow.FixedSizeListArray.from_arrays(values, rows.shape[1])
        )

    def _lists(self, lists: list[list[Any]], ends: NDArray[np.int32], kind: Any) -> Any:
        return self._arrow.ListArray.from_arrays(ends, self._arrow.array(list(chain.from_iterable(lists)), type=kind))


def _ends(lengths: list[int]) -> NDArray[np.int32]:
    """Return the offsets of the lists in the concatenated values: the start of each, and the end of the last."""
    return np.cumsum([0, *lengths], dtype=np.int32)


def _last(episode: Episode, is_it: bool) -> list[bool]:
    """Return `is_it` for the last step and False for every other one."""
    steps = len(episode.actions)
    return [False] * (steps - 1) + [is_it] * (steps > 0)
