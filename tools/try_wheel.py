"""Test the built distributions as a user would: `python tools/try_wheel.py dist`, which `make wheel` runs.

The source distribution must contain all files under version control, and its tests must be found. The wheel must
contain every file of the package; it is installed into a new environment, and used from a folder of its own.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
# Generated files in a source distribution.
MADE = {"PKG-INFO", "setup.cfg"}
# A sample that shows that the tests run there: data files, the page that is a doctest, and both engines.
TESTS = (
    "tests/docs/test_readme.py",
    "tests/contract/test_twins.py",
    "tests/games/test_gaps_facts.py",
    "tests/interchange",
)
SMOKE = """
import pathlib, sys
import unshuffle as un
from unshuffle import schemas

assert pathlib.Path(un.__file__).is_relative_to(sys.prefix), un.__file__
assert len(schemas.names()) > 10 and schemas.load("solve")
won = un.solve(un.deal("belle-lucie/one-deal@3"))
assert won.status == "solved" and won.engine == "native", won
assert un.replay(won.state, won.moves).outcome is un.Outcome.WON
assert "52" in won._repr_html_()
"""


def main(folder: Path) -> None:
    """Test the one wheel and the one source distribution in the folder."""
    [wheel] = folder.glob("unshuffle-*.whl")
    [source] = folder.glob("unshuffle-*.tar.gz")
    tracked = set(_run("git", "ls-files", cwd=ROOT).splitlines())
    version = wheel.name.split("-")[1]
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        engine = _try_files(wheel, tracked)
        _try_source(source, tracked, place / "source", wheel, engine)
        _try_installed(wheel, version, place)
    print(f"tried: {source.name}, {wheel.name}")


def _try_files(wheel: Path, tracked: set[str]) -> str:
    """Exit unless the wheel has exactly the files of the package and one engine; return the engine's name."""
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = {path.removeprefix("src/") for path in tracked if path.startswith("src/unshuffle/")}
    _tell("the wheel lacks", wanted - names)
    engines = {name for name in names if name.startswith("unshuffle/_engine.") and not name.endswith(".pyi")}
    inside = {name for name in names if name.startswith("unshuffle/")}
    _tell("the wheel has files that are not under version control", inside - wanted - engines)
    if len(engines) != 1:
        raise SystemExit(f"the wheel has {len(engines)} engines: {sorted(engines)}")
    return engines.pop()


def _try_source(source: Path, tracked: set[str], place: Path, wheel: Path, engine: str) -> None:
    with tarfile.open(source) as archive:
        archive.extractall(place, filter="data")
    [top] = place.iterdir()
    found = {str(path.relative_to(top)) for path in top.rglob("*") if path.is_file()}
    _tell("the source distribution lacks", tracked - found)
    others = {path for path in found - tracked - MADE if ".egg-info/" not in path}
    _tell("the source distribution has files that are not under version control", others)
    # The engine that was built from it, as some tests need it.
    zipfile.ZipFile(wheel).extract(engine, top / "src")
    pytest = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    here = {"PYTHONPATH": str(top / "src"), "UNSHUFFLE_ENGINE": "native"}
    collected = _run(*pytest, "--collect-only", cwd=top, changes=here)
    tests = sum(map(int, re.findall(r"^tests/.*: (\d+)$", collected, re.MULTILINE)))
    _run(*pytest, *TESTS, cwd=top, changes=here)
    print(f"source distribution: {len(found):,} files, {tests:,} tests, of which those of {', '.join(TESTS)} pass")


def _try_installed(wheel: Path, version: str, place: Path) -> None:
    _run(sys.executable, "-m", "venv", str(place / "venv"))
    python, program = (str(place / "venv" / "bin" / name) for name in ("python", "unshuffle"))
    _run(python, "-m", "pip", "install", "--quiet", str(wheel.resolve()))
    away = place / "away"
    away.mkdir()
    said = _run(program, "--version", cwd=away).strip()
    if said != f"unshuffle {version} (engine: native)":
        raise SystemExit(f"the program says {said!r}; expected version {version} and the native engine")
    for line in _games(program, away):
        print(line)
    _run(python, "-c", SMOKE, cwd=away)
    # Tables and figures that come with the package.
    _run(program, "values", "show", "gaps", "9 9 8 8", "--json", cwd=away)
    _run(program, "values", "show", "belle-lucie", "--variant", "classic", "9 13 13 13", cwd=away)
    _run(program, "study", "published", "agnes", cwd=away)
    _run(program, "advise", "spider", "--seed", "7", "--samples", "2", cwd=away)


def _games(program: str, away: Path) -> Iterator[str]:
    for line in _run(program, "games", "--json", cwd=away).splitlines():
        game = json.loads(line)["game"]
        solved = json.loads(_run(program, "solve", game, "--seed", "7", "--json", cwd=away, codes=(0, 1)))
        _run(program, "verify", game, "--seed", "7", "--moves", " ".join(solved["moves"]), cwd=away, codes=(0, 1))
        yield f"{solved['deal']}: {solved['status']}, {solved['nodes']:,} nodes"


def _run(
    *command: str, cwd: Path | None = None, codes: tuple[int, ...] = (0,), changes: Mapping[str, str] | None = None
) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("UNSHUFFLE_", "PYTHON"))}
    ended = subprocess.run(
        command, cwd=cwd, env=kept | dict(changes or {}), capture_output=True, text=True, check=False
    )
    if ended.returncode not in codes:
        raise SystemExit(f"{' '.join(command)}\nended with {ended.returncode}:\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def _tell(what: str, names: set[str]) -> None:
    if names:
        raise SystemExit(f"{what}: {', '.join(sorted(names)[:20])}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
