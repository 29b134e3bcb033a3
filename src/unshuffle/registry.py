"""The registry of games: ours, those of other packages, and those of files.

A file may also define policies; these have a registry of their own (`hidden.policy`).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from unshuffle.deals import DealId
from unshuffle.errors import ParseError, UsageError, in_a_line, quote, unknown
from unshuffle.game import AnyGame, Game
from unshuffle.manifest import part
from unshuffle.terminal import in_shell

_registered: dict[str, str | AnyGame] = {
    "aces-up": "unshuffle.games.aces_up:AcesUp",
    "agnes": "unshuffle.games.agnes:Agnes",
    "belle-lucie": "unshuffle.games.belle_lucie:BelleLucie",
    "gaps": "unshuffle.games.gaps:Gaps",
    "spider": "unshuffle.games.spider:Spider",
}
"""Every game by its id: the game with default rules, or its source as text until it is first used.

A source is `module:Class`, or `module:MAPPING/row` where a mapping has many games; the default row is the id.
"""
_origins: dict[str, str] = {}
"""Where another process finds a game: '' in the registry or by an entry point, else the path of its file."""
_plugins_found = False
_times_registered = 0
"""The number of registrations; `load` uses it to see whether a file registers anything."""

_Source = TypeVar("_Source", bound="type[AnyGame] | AnyGame")


def note_registration() -> None:
    """Count a registration: of a game, or of a policy in its own registry."""
    global _times_registered
    _times_registered += 1


def register(source: _Source) -> _Source:
    """Register a game by its id: a class (this is a decorator) or a game itself."""
    _check_words(source)
    found = _value(source)
    present = _registered.get(found.id)
    if present is not None and _path(present) != _path(found):
        raise UsageError(f"the id {found.id!r} belongs to {_path(present)} already; {_path(found)} needs another")
    _registered[found.id] = found
    note_registration()
    return source


_SLUG = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_LONGEST = 200


def _check_words(source: type[AnyGame] | AnyGame) -> None:
    """Raise UsageError for a game whose texts do not fit a list of games, or whose ids do not fit a deal id."""
    path = _path(source)
    for name in ("name", "summary"):
        text = getattr(source, name, "")
        if not isinstance(text, str) or len(text.splitlines()) > 1 or len(text) > _LONGEST:
            raise UsageError(f"the {name} of {path} is not a text of one line, up to {_LONGEST} characters")
    for slug in (source.id, *getattr(source, "variants", ())):
        if not isinstance(slug, str) or not _SLUG.fullmatch(slug):
            raise UsageError(
                f"{quote(str(slug))} of {path} is no id; expected up to 64 letters, digits, '-', '_' and '.'"
            )


def _value(source: type[AnyGame] | AnyGame) -> AnyGame:
    return source() if isinstance(source, type) else source


def _path(entry: str | type[AnyGame] | AnyGame) -> str:
    if isinstance(entry, str):
        return entry
    cls = entry if isinstance(entry, type) else type(entry)
    return f"{cls.__module__}:{cls.__qualname__}"


def _find_plugins() -> None:
    """Add the games of other packages: the entry-point group `unshuffle.games`, id = module:Class or module:MAPPING."""
    global _plugins_found
    if not _plugins_found:
        _plugins_found = True
        from importlib.metadata import entry_points  # slow to import, and seldom needed

        for entry in entry_points(group="unshuffle.games"):
            if _registered.setdefault(entry.name, entry.value) == entry.value:
                _origins[entry.name] = ""


_LOADED = "unshuffle_loaded_"
"""The prefix of the module names of files of `--load`."""


def load(path: str | Path) -> list[AnyGame]:
    """Register every game of a file (`--load FILE.py`) and return them; a file is read once.

    A Python file may register policies too, or only policies; UsageError for a file that registers nothing.
    """
    path = Path(path)
    if not path.is_file():
        raise UsageError(f"cannot load {str(path)!r}: there is no such file")
    if path.suffix not in _READERS:
        raise UsageError(f"cannot load {str(path)!r}: a Python file ends in .py")
    before, origin = set(_registered), str(path.resolve())
    try:
        _READERS[path.suffix](path.resolve())
    except (Exception, SystemExit) as error:  # SystemExit too: a script loaded by mistake must not choose our exit code
        what = in_a_line(error if isinstance(error, UsageError) else f"{type(error).__name__}: {error}", 1_000)
        raise UsageError(f"cannot load {str(path)!r}: {what}") from error
    new = [name for name in _registered if name not in before and _origins.get(name) != ""]
    _origins.update(dict.fromkeys(new, origin))
    return [_find(name) for name, place in _origins.items() if place == origin and name in _registered]


def _read_python(path: Path) -> None:
    """Run a Python file as a module, if that was not done yet, and register the games that it defines."""
    # Slow to import, and seldom needed.
    import importlib.util
    from zlib import crc32

    # Named by its path, so that two files never share a name. A second module of the same file would have its own
    # classes, and its states would not equal those of the first.
    name = f"{_LOADED}{path.stem}_{crc32(bytes(path)):08x}"
    if name in sys.modules:
        _register_all(sys.modules[name])
        return
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses and pickle look the module up by its name
    before = _times_registered
    try:
        spec.loader.exec_module(module)
        _register_all(module)
        if _times_registered == before:
            raise UsageError(
                "it brings neither a game (a subclass of unshuffle.Game with an id) nor a policy"
                " (made known by unshuffle.simulate.register_policy)"
            )
    except BaseException:
        del sys.modules[name]
        raise


_READERS: Mapping[str, Callable[[Path], None]] = {".py": _read_python}
"""The loaders of files, by suffix."""


def loaded_files() -> list[Path]:
    """Return the files that `load` has read, in their order."""
    modules = [module for name, module in sys.modules.items() if name.startswith(_LOADED)]
    return [Path(module.__file__) for module in modules if module.__file__ is not None]


def _register_all(module: ModuleType) -> None:
    """Register the games of a module. A class without an id makes many games, or is a base of others."""
    for value in vars(module).values():
        is_game = isinstance(value, type) and issubclass(value, Game) and hasattr(value, "id")
        if is_game and value.__module__ == module.__name__:
            register(value)


def _find(name: str) -> AnyGame:
    """Return the game with this id and default rules."""
    if name not in _registered:
        _find_plugins()
    if name not in _registered:
        raise unknown("game", name, sorted(_registered), "; a game of your own comes with --load FILE")
    entry = _registered[name]
    if isinstance(entry, str):
        try:
            found = _value(_read_source(entry, name))
        except Exception as error:
            what = in_a_line(f"{type(error).__name__}: {error}")
            raise UsageError(f"cannot load the game {name!r} ({entry}): {what}") from error
        _registered[name], _origins[name] = found, ""
        return found
    return entry


def _read_source(source: str, name: str) -> Any:
    """Return what a source names: a class, or a game of a mapping."""
    text, _, row = source.partition("/")
    found = part(text)
    return found[row or name] if isinstance(found, Mapping) else found


def source_of(game: AnyGame) -> str | None:
    """Return where another process finds the game by its id: '', or the file to load first; None if it cannot."""
    known = _registered.get(game.id)
    return _origins.get(game.id) if type(known) is type(game) else None


def load_option(*names: str, files: Iterable[str] = ()) -> str:
    """Return the option for a command line that uses these games and `files`: ' --load FILE'; "" if nothing was loaded.

    Every printed command that a person may paste includes it.
    """
    found = dict.fromkeys(filter(None, (*map(_origins.get, names), *files)))
    return "".join(f" --load {in_shell(_from_here(file))}" for file in found)


def _from_here(file: str) -> str:
    """Return the path of a file, relative to the working directory if it lies there."""
    with suppress(OSError, ValueError):
        return str(Path(file).relative_to(Path.cwd()))
    return file


def game_from(source: str, name: str, variant: str) -> AnyGame:
    """Return a game that another process pickled as its source, id and variant."""
    if source and name not in _registered:
        load(source)
    return game(name, variant)


def game(name: str, variant: str | None = None, **changes: object) -> AnyGame:
    """Return the game with its rules fixed: `game("belle-lucie", "one-deal", fan_size=4)`."""
    return _find(name).with_rules(variant, **changes)


def game_of(state: Any) -> AnyGame:
    """Return the game of a state or view."""
    return _find(state.game_id).of(state)


def changed_game(name: str, variant: str | None = None, changes: Iterable[str] = ()) -> AnyGame:
    """Return the game with rules changed by KEY=VALUE texts, so that a rule can have any name."""
    found = _find(name)
    return found.with_rules("+".join((variant or next(iter(found.variants)), *changes)))


def games() -> dict[str, tuple[str, ...]]:
    """Return the ids of all known games with the slugs of their variants, the default one first."""
    _find_plugins()
    return {name: tuple(_find(name).variants) for name in sorted(_registered)}


def games_with(name: str) -> list[str]:
    """Return the ids of the games whose manifest names this part. Games that cannot be loaded are skipped."""
    _find_plugins()
    found = []
    for each in sorted(_registered):
        with suppress(UsageError):
            found += [each] if getattr(_find(each).has, name) else []
    return found


def own_part(game: AnyGame, name: str) -> Any:
    """Return the part that the manifest of a game names. If it names none, UsageError lists the games that do."""
    own = game.own(name)
    if own is None:
        raise UsageError(f"there is no {name} for {game.id}; there is one for {', '.join(games_with(name))}")
    return own


def deal(text: str) -> Any:
    """Return the state that a deal id names: `deal("belle-lucie/one-deal@7")`."""
    parsed = DealId.parse(text)
    found = game(parsed.game, parsed.variant)
    if found.variant != parsed.variant:
        raise ParseError(f"{text!r} is not a deal id as we write it; it would be {found}@{parsed.source}")
    return found.deal(parsed.source)
