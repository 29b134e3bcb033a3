"""What a release consists of: one version everywhere, nothing forgotten in the archives, what others read and run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import unshuffle as un
from tests.laws import ROOT


def read_toml(name: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / name).read_text(encoding="utf-8"))


def read_yaml(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def test_there_is_one_version() -> None:
    project = read_toml("pyproject.toml")
    assert "version" in project["project"]["dynamic"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "unshuffle.__version__"}
    assert re.fullmatch(r"\d+\.\d+\.\d+(?:\.dev\d+|rc\d+)?", un.__version__)
    # Cargo writes a version that is not yet released with a dash.
    engine = re.sub(r"(\.dev|rc)", lambda part: "-" + part[0].removeprefix("."), un.__version__)
    assert read_toml("engine/Cargo.toml")["package"]["version"] == engine
    locked = {package["name"]: package["version"] for package in read_toml("Cargo.lock")["package"]}
    assert locked["unshuffle-engine"] == engine
    assert read_yaml("CITATION.cff")["version"] == un.__version__


def test_no_page_names_another_version() -> None:
    """A page may show what a program prints; then it is this version's."""
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for found in re.findall(r"unshuffle (\d+\.\d+\.\d+\S*?) \(engine", path.read_text(encoding="utf-8")):
            assert found == un.__version__, path


def test_the_citation_is_valid() -> None:
    """By the schema of the Citation File Format 1.2.0: what it requires, and nothing that it does not know."""
    citation = read_yaml("CITATION.cff")
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= citation.keys()
    known = {"abstract", "authors", "cff-version", "date-released", "doi", "identifiers", "keywords", "license"}
    known |= {"message", "preferred-citation", "references", "repository-code", "title", "type", "url", "version"}
    assert citation.keys() <= known
    assert citation["type"] in ("software", "dataset")
    assert citation["authors"] == [{"name": "The unshuffle authors"}]
    project = read_toml("pyproject.toml")["project"]
    assert citation["license"] == project["license"]
    assert all(isinstance(word, str) for word in citation["keywords"])


def tracked() -> set[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone, so nobody can say what is under version control")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip(f"git does not say what is under version control: {listed.stderr}")
    return {name for name in listed.stdout.splitlines() if (ROOT / name).exists()}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files under version control alone: tools leave things behind where they work."""
    place = tmp_path_factory.mktemp("release") / "tree"
    for name in tracked():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, place / name)
    return place


def setup(copy: Path, *arguments: str) -> None:
    """What the build tools would take, without building anything."""
    command = [sys.executable, "setup.py", "-q", *arguments]
    environment = {**os.environ, "UNSHUFFLE_BUILD": "skip"}
    subprocess.run(command, cwd=copy, env=environment, check=True, capture_output=True, timeout=120)


def test_the_source_distribution_has_everything(copy: Path) -> None:
    setup(copy, "egg_info")
    listed = (copy / "src" / "unshuffle.egg-info" / "SOURCES.txt").read_text(encoding="utf-8").splitlines()
    assert tracked() - set(listed) == set()


def test_the_wheel_has_every_file_of_the_package(copy: Path, tmp_path: Path) -> None:
    setup(copy, "build_py", "--build-lib", str(tmp_path))
    found = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert found == {name.removeprefix("src/") for name in tracked() if name.startswith("src/unshuffle/")}


def test_files_of_the_page_are_package_data() -> None:
    data = read_toml("pyproject.toml")["tool"]["setuptools"]["package-data"]["unshuffle"]
    assert "web/static/**/*" in data


@pytest.mark.parametrize("name", ["ci", "wheels"])
def test_workflows_are_pinned_and_may_do_little(name: str) -> None:
    flow = read_yaml(f".github/workflows/{name}.yml")
    assert flow["permissions"] == {"contents": "read"}
    steps = [step for job in flow["jobs"].values() for step in job["steps"]]
    used = [step["uses"] for step in steps if "uses" in step]
    assert used
    for action in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@v?\d+(\.\d+)*", action), action
    assert all("timeout-minutes" in job for job in flow["jobs"].values())
    rust = read_toml("engine/Cargo.toml")["package"]["rust-version"]
    assert {action.partition("@")[2] for action in used if "rust-toolchain" in action} == {f"{rust}.0"}


def test_the_audit_runs_every_week() -> None:
    flow = read_yaml(".github/workflows/ci.yml")
    # YAML reads the word `on` as true.
    assert len(flow[True]["schedule"]) == 1
    assert flow["jobs"]["audit"]["steps"][-1] == {"run": "make audit"}
    assert [name for name, job in flow["jobs"].items() if "if" not in job] == ["audit"]


def test_the_check_list_names_what_there_is() -> None:
    text = (ROOT / "RELEASING.md").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)`", text)) <= targets
    for path in re.findall(r"`((?:src|engine|tests|docs)/[\w./]+|[A-Z]\w+\.(?:md|cff|lock))`", text):
        assert (ROOT / path).exists(), path
