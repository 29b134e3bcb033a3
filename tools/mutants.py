"""Check that the tests notice faults: apply the mutants of `tools/mutants.toml` one by one, and run the tests of each.

    python tools/mutants.py [--only NAME]... [--keep-going] [--prefix 'nice -n 15']

A mutant is a small fault in one file, such as `<` for `<=`. One that survives its tests is a hole in them, or no fault.
The tests run first without a mutant, because tests that always fail show nothing. `build/mutants` has the copy, the
engine's tests and `verdicts.tsv`; a second run repeats no verdict of this file unless the tree has changed. Exit codes:
0 all mutants are killed; 1 one survived, its old text is not exactly once in its file, or its tests cannot run.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
MUTANTS = ROOT / "tools" / "mutants.toml"
BUILD = ROOT / "build" / "mutants"
TREE = BUILD / "tree"
VERDICTS = BUILD / "verdicts.tsv"
LONGEST = 1800.0
"""Seconds after which the tests are stopped, and the mutant counts as killed."""


class Mutant(NamedTuple):
    """A fault and its tests: paths for pytest (`tests`) or the words behind `cargo test` (`cargo`)."""

    name: str
    file: str
    breaks: str
    old: str
    new: str
    tests: Sequence[str] = ()
    cargo: Sequence[str] = ()


def copy_tree() -> str:
    """Copy the engine and all files that git does not ignore. Return a digest of them, the mutants apart."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    shutil.rmtree(TREE, ignore_errors=True)
    digest = sha256()
    for path in [*(ROOT / name for name in sorted(names)), *(ROOT / "src" / "unshuffle").glob("_engine*.so")]:
        if path.is_file() and path != MUTANTS:
            to = TREE / path.relative_to(ROOT)
            to.parent.mkdir(parents=True, exist_ok=True)
            # With a new time: what cargo has built of a mutant before must not pass for up to date.
            shutil.copymode(path, shutil.copyfile(path, to))
            digest.update(f"{to}\0".encode() + sha256(path.read_bytes()).digest())
    return digest.hexdigest()


@contextmanager
def applied(mutant: Mutant) -> Iterator[None]:
    """Change the file of the mutant within the context."""
    path = TREE / mutant.file
    text = path.read_text(encoding="utf-8")
    # Python takes compiled code for up to date if its source had the same size and the same second.
    compiled = Path(importlib.util.cache_from_source(str(path)))
    try:
        compiled.unlink(missing_ok=True)
        path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        yield
    finally:
        compiled.unlink(missing_ok=True)
        path.write_text(text, encoding="utf-8")


def run(command: list[str]) -> tuple[int, str]:
    """Run the command in the copy, and return its exit code and output; the code is 1 if it takes too long."""
    env = {"CARGO_TARGET_DIR": str(BUILD / "target"), **os.environ, "PYTHONPATH": str(TREE / "src")}
    env |= {"UNSHUFFLE_ENGINE": "native", "UNSHUFFLE_TESTS": "", "PYTHONDONTWRITEBYTECODE": ""}
    pipe, both = subprocess.PIPE, subprocess.STDOUT
    process = subprocess.Popen(command, cwd=TREE, env=env, text=True, start_new_session=True, stdout=pipe, stderr=both)
    try:
        output, _ = process.communicate(timeout=LONGEST)
    except BaseException as error:
        os.killpg(process.pid, signal.SIGKILL)  # with all that the tests have started
        if isinstance(error, subprocess.TimeoutExpired):
            return 1, "FAILED by-taking-too-long"
        raise
    return process.returncode, output


def find_killer(mutant: Mutant, prefix: list[str]) -> str | None:
    """Run the tests of the mutant, and return one that failed, or None. Raises SystemExit if they cannot run."""
    command = [*prefix, sys.executable, "-m", "pytest", "-x", "-m", "not long", *mutant.tests]
    if mutant.cargo:
        command = [*prefix, "cargo", "test", "--workspace", "--locked", "--quiet", *mutant.cargo]
        if (built := run([*command, "--no-run"]))[0]:
            sys.exit(f"{mutant.name} does not compile:\n{built[1][-3000:]}")
    code, output = run(command)
    if code not in (0, 1, 101) or (code == 0 and not re.search(r"\b[1-9]\d* passed", output)):
        sys.exit(f"the tests of {mutant.name} cannot run, exit code {code}:\n{output[-3000:]}")
    failed = re.search(r"^(?:FAILED|----) (.+?)( - | stdout|$)", output, re.MULTILINE)
    return (failed[1] if failed else "a crash") if code else None


def check(mutants: list[Mutant], prefix: list[str], *, keeps_going: bool) -> int:
    """Print and keep the verdict of each mutant, and return the exit code."""
    digest, worst = copy_tree(), 0
    first, *lines = VERDICTS.read_text(encoding="utf-8").splitlines() if VERDICTS.exists() else [""]
    known = dict(line.split("\t", 1) for line in lines) if first == digest else {}
    for mutant in mutants:
        suite = shlex.join([*mutant.tests, *mutant.cargo])
        key = f"{mutant.name} {sha256(repr(mutant).encode()).hexdigest()[:8]}"
        if (TREE / mutant.file).read_text(encoding="utf-8").count(mutant.old) != 1:
            known[key] = f"misplaced: old text not exactly once in {mutant.file}"
        elif key not in known:
            if suite not in known and (failed := find_killer(mutant, prefix)):
                sys.exit(f"{failed} fails without a mutant")
            known[suite] = "passes without a mutant"
            with applied(mutant):
                failed = find_killer(mutant, prefix)
            known[key] = f"killed by {failed}" if failed else f"survived: {mutant.breaks}"
        VERDICTS.write_text("\n".join([digest, *map("\t".join, known.items())]) + "\n", encoding="utf-8")
        print(f"{mutant.name:34} {known[key]}", flush=True)
        worst = max(worst, int(not known[key].startswith("killed")))
        if worst and not keeps_going:
            break
    return worst


def main() -> int:
    """Run the command line and return the exit code."""
    every = {row["name"]: Mutant(**row) for row in tomllib.loads(MUTANTS.read_text("utf-8"))["mutant"]}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="NAME", action="append", choices=every, help="a mutant to apply; else all")
    parser.add_argument("--keep-going", action="store_true", help="go on after a mutant that survived")
    parser.add_argument("--prefix", default="", help="words before each command, such as 'nice -n 15'")
    asked = parser.parse_args()
    chosen = [every[name] for name in asked.only or every]
    return check(chosen, shlex.split(asked.prefix), keeps_going=asked.keep_going)


if __name__ == "__main__":
    sys.exit(main())
