"""The package as a user gets it: the wheel, and what happens where there is no Rust."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.laws import ROOT

pytestmark = [
    pytest.mark.one_engine("checks how the package is installed"),
    pytest.mark.long,
]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The sources as a clone has them: nothing that was built before."""
    skip = shutil.ignore_patterns(".*", "build", "target", "dist", "*.so", "*.egg-info", "__pycache__")
    return Path(shutil.copytree(ROOT, tmp_path / "tree", ignore=skip))


def pip_wheel(tree: Path, folder: Path, **environment: str) -> Path:
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(tree)]
    subprocess.run(command, check=True, env={**os.environ, **environment})
    [wheel] = folder.glob("unshuffle-*.whl")
    return wheel


def install(wheel: Path, folder: Path) -> Path:
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    subprocess.run([folder / "bin" / "pip", "install", "--quiet", str(wheel)], check=True)
    return folder / "bin" / "unshuffle"


def run(program: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # What is installed there is asked, not a source tree that the one who tests has named.
    without = ("UNSHUFFLE_ENGINE", "PYTHONPATH")
    environment = {name: value for name, value in os.environ.items() if name not in without}
    return subprocess.run(
        [program, *arguments], capture_output=True, text=True, check=False, cwd=program.parent, env=environment
    )


def test_the_wheel_has_all_and_needs_no_source_tree(tree: Path, tmp_path: Path) -> None:
    wheel = pip_wheel(tree, tmp_path / "wheel", UNSHUFFLE_BUILD="require")
    assert "-cp311-abi3-" in wheel.name
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"unshuffle/_engine.abi3.so", "unshuffle/_engine.pyi", "unshuffle/py.typed"} <= names
    sources = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src" / "unshuffle").rglob("*.py")}
    assert sources <= names
    program = install(wheel, tmp_path / "venv")
    assert "(engine: native)" in run(program, "--version").stdout
    assert run(program, "solve", "belle-lucie", "--seed", "3", "--json").returncode == 0


def test_without_rust_the_python_side_serves_and_says_so(tree: Path, tmp_path: Path) -> None:
    # A cargo that always fails stands for one that is missing, or that cannot fetch its crates.
    broken = tmp_path / "bin"
    broken.mkdir()
    (broken / "cargo").write_text("#!/bin/sh\nexit 1\n")
    (broken / "cargo").chmod(0o755)
    path = f"{broken}:{os.environ['PATH']}"
    with pytest.raises(subprocess.CalledProcessError):
        pip_wheel(tree, tmp_path / "none", PATH=path, UNSHUFFLE_BUILD="require")
    wheel = pip_wheel(tree, tmp_path / "wheel", PATH=path, UNSHUFFLE_BUILD="auto")
    program = install(wheel, tmp_path / "venv")
    assert "(engine: python)" in run(program, "--version").stdout
    solved = run(program, "solve", "belle-lucie", "--seed", "3", "--json")
    assert solved.returncode == 0
    assert '"status": "solved"' in solved.stdout
    assert solved.stderr.count("the native engine is not installed") == 1
