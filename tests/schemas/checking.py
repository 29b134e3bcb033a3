"""Holding what the program prints and saves against the schemas that it ships."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

import jsonschema_rs

from unshuffle import schemas

# `study run` reports; all other commands have a schema of their own name.
_RENAMED = {"study-run": "study-report"}


@cache
def validator(name: str) -> jsonschema_rs.Draft202012Validator:
    """Knows one schema; making it takes longer than asking it."""
    return jsonschema_rs.Draft202012Validator(schemas.load(name))


def faults(name: str, value: Any) -> list[str]:
    """What is wrong with a value, by the schema of this name."""
    return [
        f"{'/'.join(map(str, error.instance_path))}: {error.message}" for error in validator(name).iter_errors(value)
    ]


def schema_of(arguments: Sequence[str]) -> str | None:
    """The schema of what a command line prints; None if it prints no JSON of ours."""
    if "--json" not in arguments or not arguments or arguments[0].startswith("-"):
        return None
    command = "-".join(arguments[:2]) if arguments[0] == "study" else arguments[0]
    name = _RENAMED.get(command, command)
    return name if name in schemas.names() else None


def check_output(arguments: Sequence[str], out: str) -> None:
    """Every line that a command printed with --json is as its schema says."""
    name = schema_of(arguments)
    for line in out.splitlines() if name is not None else ():
        assert name is not None
        assert not (wrong := faults(name, json.loads(line))), f"{' '.join(arguments)}: {line[:300]}: {wrong[:5]}"


def check_save(text: str) -> None:
    """A file of a saved game is as its schema says."""
    value = json.loads(text)
    name = "play-save" if value["format"] == "unshuffle-play" else "advise-save"
    assert not (wrong := faults(name, value)), f"{text[:500]}: {wrong[:5]}"
