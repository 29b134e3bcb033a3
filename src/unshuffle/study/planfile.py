"""Plans as TOML files: the options of `study run` by their names, and any number of `[[run]]` tables."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import unshuffle as un
from unshuffle.errors import UsageError, in_a_line, unknown
from unshuffle.study.plan import Part, Plan, make_parts

_TEXT, _NUMBER, _WHOLE, _FLAG, _TEXTS = "text", "a number", "a whole number", "true or false", "text or a list of texts"
_FILE_KEYS = {"name": _TEXT, "store": _TEXT, "threads": _WHOLE, "load": _TEXTS}
_RUN_KEYS = {
    "game": _TEXT,
    "variant": _TEXTS,
    "rule": "a table or a list of KEY=VALUE",
    "solver": _FLAG,
    "policy": _TEXTS,
    "seeds": _TEXT,
    "precision": "text or a number",
    "guess": "text or a number",
    "nodes": _WHOLE,
    "seconds": _NUMBER,
    "memory": "text or a whole number",
    "maximize": _FLAG,
    "generator": _TEXT,
    "replay": _TEXT,
    "moves": _FLAG,
    "infer": _FLAG,
}


def read_plan(path: Path) -> Plan:
    """Read a plan. The options above the first `[[run]]` hold for all runs."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"the plan {str(path)!r} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:  # not TOML, nested too deeply, or not UTF-8
        raise UsageError(f"the plan {str(path)!r} is not TOML: {error}") from None
    try:
        return _read(path, values)
    except UsageError as error:
        raise UsageError(f"the plan {str(path)!r}: {error}") from None


def _read(path: Path, values: dict[str, Any]) -> Plan:
    _check_keys({key: value for key, value in values.items() if key != "run"}, _FILE_KEYS | _RUN_KEYS)
    for file in _list(values.get("load", [])):
        un.load(path.parent / file)
    parts = plan_parts(values)
    store = values.get("store")
    return Plan(
        name=values.get("name", path.stem),
        parts=parts,
        threads=values.get("threads"),
        store=None if store is None else path.parent / store,
    )


def plan_parts(values: Mapping[str, Any]) -> tuple[Part, ...]:
    """Return the parts of a plan from the values of its TOML file."""
    values = dict(values)
    runs = values.pop("run", [{}])
    if not isinstance(runs, list) or not runs or not all(isinstance(run, dict) for run in runs):
        raise UsageError("runs are written [[run]], once for each")
    common = {key: value for key, value in values.items() if key in _RUN_KEYS}
    parts: list[Part] = []
    for number, run in enumerate(runs, 1):
        try:
            _check_keys(run, _RUN_KEYS)
            # A run's own method, or its own way to choose deals, replaces the common one.
            kept = dict(common)
            for rivals in (("solver", "policy"), ("seeds", "precision")):
                if any(rival in run for rival in rivals):
                    for rival in rivals:
                        kept.pop(rival, None)
            parts += _parts({**kept, **run})
        except UsageError as error:
            raise UsageError(f"run {number}: {error}" if len(runs) > 1 else str(error)) from None
    return tuple(parts)


def _parts(values: dict[str, Any]) -> tuple[Part, ...]:
    if "game" not in values:
        raise UsageError(f'no game is named; expected a line such as game = "{next(iter(un.games()))}"')
    return make_parts(values.pop("game"), **values)


def _check_keys(values: Mapping[str, Any], known: Mapping[str, str]) -> None:
    for key, value in values.items():
        if key not in known:
            raise unknown("key", key, known)
        if not _fits(value, known[key]):
            raise UsageError(f"{key} = {in_a_line(repr(value))}: expected {known[key]}")


def _fits(value: object, kind: str) -> bool:
    is_texts = isinstance(value, list) and all(isinstance(each, str) for each in value)
    if isinstance(value, bool):
        return kind == _FLAG
    if isinstance(value, dict):
        return "table" in kind
    if isinstance(value, str):
        return kind.startswith("text")
    if isinstance(value, int):
        return "number" in kind
    if isinstance(value, float):
        return "a number" in kind
    return is_texts and "list" in kind


def _list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value
