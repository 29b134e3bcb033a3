"""Extending a stored run to more seeds, with the same settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from unshuffle.errors import UsageError
from unshuffle.store.records import DECKS, Run, RunSpec

# The settings that must not change, and their names in messages.
_FIXED = {
    "rules": "rules",
    "information": "information",
    "generator": "generator",
    "nodes_limit": "nodes",
    "seconds_limit": "seconds",
    "memory_limit": "memory",
    "maximize": "maximize",
    "replay": "replay",
    "keeps_moves": "moves",
    "infers": "infer",
}


def widen(run: Run, spec: RunSpec) -> Run:
    """Return the stored run over the seeds of both. Raises UsageError if the settings differ or a gap would be left."""
    # A run that began without inferring goes on without it, even if the game has implications by now.
    spec = spec if run.infers else replace(spec, infers=False)
    differing = [
        f"{word}: stored {_value(run, name)}, now {_value(spec, name)}"
        for name, word in _FIXED.items()
        if getattr(run, name) != getattr(spec, name)
    ]
    what = f"the study {run.study!r} has {run.game}/{run.variant} by {run.method} already"
    if differing:
        raise UsageError(f"{what}, done otherwise ({'; '.join(differing)}); give the same again, or another name")
    # Stored decks need not be consecutive.
    has_gap = spec.first_seed > run.last_seed + 1 or spec.last_seed + 1 < run.first_seed
    if has_gap and run.generator != DECKS:
        raise UsageError(
            f"{what}, over the seeds {run.first_seed}..{run.last_seed}; {spec.first_seed}..{spec.last_seed} would leave"
            " a gap. Give seeds that meet them, or another name"
        )
    first, last = min(run.first_seed, spec.first_seed), max(run.last_seed, spec.last_seed)
    return replace(run, first_seed=first, last_seed=last)


def _value(spec: RunSpec, name: str) -> str:
    value = getattr(spec, name)
    if isinstance(value, Mapping):
        return " ".join(f"{key}={text}" for key, text in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "no limit" if value is None else str(value)
