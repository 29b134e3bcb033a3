"""JSON schemas (draft 2020-12) of what the commands print with `--json`, and of the files of saved games.

    from unshuffle import schemas
    schemas.names()
    schemas.load("solve")

Each schema is also a JSON file beside this module. CHANGELOG.md lists every key that is removed or changes its meaning.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from unshuffle.errors import unknown

_SUFFIX = ".json"


def names() -> tuple[str, ...]:
    """Return the names of the schemas: commands (`solve`, `study-report`) and saves (`play-save`, `advise-save`)."""
    found = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in found if name.endswith(_SUFFIX)))


def load(name: str) -> dict[str, Any]:
    """Return the schema with this name. Raises UsageError for an unknown name."""
    import json  # here, as everywhere: a plain solve does not need it

    if name not in names():
        raise unknown("schema", name, names())
    value = json.loads(files(__name__).joinpath(name + _SUFFIX).read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value
