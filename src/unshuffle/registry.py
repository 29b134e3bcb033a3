"""The registry in which the games are found: ours, those of other packages, and those of a file.

A file may bring ways of playing instead of games; these have a registry of their own (`simulate.policy`).
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from unshuffle.deals import DealId
from unshuffle.errors import ParseError, UsageError, in_a_line, quote, unknown
from unshuffle.game import AnyGame, Game

_registered: dict[str, str | type[AnyGame]] = {
    "aces-up": "unshuffle.games.aces_up:AcesUp",
    "agnes": "unshuffle.games.agnes:Agnes",
    "belle-lucie": "unshuffle.games.belle_lucie:BelleLucie",
    "gaps": "unshuffle.games.gaps:Gaps",
    "spider": "unshuffle.games.spider:Spider",
}
_plugins_found = False
_times_registered = 0
"""How often anything was made known: by this `load` sees whether a file brings something."""


def note_registration() -> None:
    """Say that something was made known: a game here, or what goes with games in a registry further on."""
    global _times_registered
    _times_registered += 1


def register(cls: type[AnyGame]) -> type[AnyGame]:
    """Make a game known by its id; usable as a decorator."""
    _check_words(cls)
    present = _registered.get(cls.id)
    if present is not None and _path(present) != _path(cls):
        raise UsageError(f"the id {cls.id!r} belongs to {_path(present)} already; {_path(cls)} needs another")
    _registered[cls.id] = cls
    note_registration()
    return cls


_SLUG = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_LONGEST = 200


def _check_words(cls: type[AnyGame]) -> None:
    """Refuse a class whose texts no list of games could show, or with an id that no deal id could hold."""
    path = _path(cls)
    for name in ("name", "summary"):
        text = getattr(cls, name, "")
        if not isinstance(text, str) or len(text.splitlines()) > 1 or len(text) > _LONGEST:
            raise UsageError(f"the {name} of {path} is not a text of one line, up to {_LONGEST} characters")
    for slug in (cls.id, *getattr(cls, "variants", ())):
        if not isinstance(slug, str) or not _SLUG.fullmatch(slug):
            raise UsageError(
                f"{quote(str(slug))} of {path} is no id; expected up to 64 letters, digits, '-', '_' and '.'"
            )


def _path(entry: str | type[AnyGame]) -> str:
    return entry if isinstance(entry, str) else f"{entry.__module__}:{entry.__qualname__}"


def _find_plugins() -> None:
    """Add the games of other packages: the entry-point group `unshuffle.games`, id = module:class."""
    global _plugins_found
    if not _plugins_found:
        _plugins_found = True
        from importlib.metadata import entry_points  # slow to import, and seldom needed

        for entry in entry_points(group="unshuffle.games"):
            _registered.setdefault(entry.name, entry.value)


_LOADED = "unshuffle_loaded_"
"""How the names of the modules begin that are files of `--load`."""


def load(path: str | Path) -> list[type[AnyGame]]:
    """Register every game that a Python file defines (`--load FILE.py`), and return them; a file is read once.

    It may register policies instead, or beside them; a file that makes nothing known is refused.
    """
    # Slow to import, and seldom needed.
    import importlib.util
    from zlib import crc32

    path = Path(path)
    if not path.is_file():
        raise UsageError(f"cannot load {str(path)!r}: there is no such file")
    # Named by its place: two files never share a name. A second module of one file would have classes of its own, and
    # its states would not equal those of the first.
    name = f"{_LOADED}{path.stem}_{crc32(bytes(path.resolve())):08x}"
    if name in sys.modules:
        return list(_games_in(sys.modules[name]))
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise UsageError(f"cannot load {str(path)!r}: a Python file ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses and pickle look the module up by its name
    before = _times_registered
    try:
        spec.loader.exec_module(module)
        found = [register(cls) for cls in _games_in(module)]
        if _times_registered == before:
            raise UsageError(
                "it brings neither a game (a subclass of unshuffle.Game with an id) nor a policy"
                " (made known by unshuffle.simulate.register_policy)"
            )
    except (Exception, SystemExit) as error:  # a program that is taken for a game must not choose our exit code
        del sys.modules[name]
        what = in_a_line(error if isinstance(error, UsageError) else f"{type(error).__name__}: {error}", 1_000)
        raise UsageError(f"cannot load {str(path)!r}: {what}") from error
    return found


def loaded_files() -> list[Path]:
    """The files that `load` has read, in their order."""
    modules = [module for name, module in sys.modules.items() if name.startswith(_LOADED)]
    return [Path(module.__file__) for module in modules if module.__file__ is not None]


def _games_in(module: ModuleType) -> Iterator[type[AnyGame]]:
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, Game) and value.__module__ == module.__name__:
            yield value


def game_class(name: str) -> type[AnyGame]:
    """The class of the game with this id."""
    if name not in _registered:
        _find_plugins()
    if name not in _registered:
        raise unknown("game", name, _registered)
    entry = _registered[name]
    if isinstance(entry, str):
        module, _, attribute = entry.partition(":")
        try:
            entry = getattr(importlib.import_module(module), attribute)
        except Exception as error:
            what = in_a_line(f"{type(error).__name__}: {error}")
            raise UsageError(f"cannot load the game {name!r} ({entry}): {what}") from error
        assert isinstance(entry, type)
        _registered[name] = entry
    return entry


def game(name: str, variant: str | None = None, **changes: object) -> AnyGame:
    """The game with its rules fixed: `game("belle-lucie", "one-deal", fan_size=4)`."""
    return game_class(name)(variant, **changes)


def changed_game(name: str, variant: str | None = None, changes: Iterable[str] = ()) -> AnyGame:
    """The game with some rules changed by texts, KEY=VALUE each, so that a rule can have any name."""
    cls = game_class(name)
    return cls("+".join((variant or next(iter(cls.variants)), *changes)))


def games() -> dict[str, tuple[str, ...]]:
    """Every known game with the slugs of its variants, the default one first."""
    _find_plugins()
    return {name: tuple(game_class(name).variants) for name in sorted(_registered)}


def deal(text: str) -> Any:
    """The state that a deal id names: `deal("belle-lucie/one-deal@7")`."""
    parsed = DealId.parse(text)
    found = game(parsed.game, parsed.variant)
    if found.variant != parsed.variant:
        raise ParseError(f"{text!r} is not a deal id as we write it; it would be {found}@{parsed.source}")
    return found.deal(parsed.source)
