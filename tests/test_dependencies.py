"""Dependencies are bounded, reasoned, locked and freely licensed.

`make audit` looks for known faults, which needs the network.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.laws import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ALLOWED = frozenset(tomllib.loads((ROOT / "deny.toml").read_text(encoding="utf-8"))["licenses"]["allow"])


def requirements() -> Iterator[str]:
    yield from PROJECT["build-system"]["requires"]
    yield from PROJECT["project"]["dependencies"]
    for extra in PROJECT["project"]["optional-dependencies"].values():
        yield from extra


@pytest.mark.parametrize("text", sorted(set(requirements())))
def test_a_dependency_has_bounds_and_a_reason(text: str) -> None:
    wanted = Requirement(text)
    signs = {part.operator for part in wanted.specifier}
    assert wanted.name == "unshuffle" or (">=" in signs and signs & {"<", "<="}), f"{text} takes releases nobody tried"
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    places = [number for number, line in enumerate(lines) if line.strip().startswith(f'"{text}"')]
    assert places, f"{text} does not stand on a line of its own"
    for place in places:
        assert lines[place - 1].strip().startswith("# "), f"no reason stands above {text}"


def test_a_crate_has_a_version_and_a_reason() -> None:
    text = (ROOT / "engine" / "Cargo.toml").read_text(encoding="utf-8")
    engine = tomllib.loads(text)
    lines = text.splitlines()
    for name, wanted in {**engine["dependencies"], **engine["dev-dependencies"]}.items():
        version = wanted if isinstance(wanted, str) else wanted.get("version")
        # Such a version takes compatible releases only, or just the one.
        assert re.fullmatch(r"=?\d+(\.\d+)*", version or ""), name
        [place] = [number for number, line in enumerate(lines) if line.startswith(f"{name} =")]
        assert lines[place - 1].startswith("# "), f"no reason stands above {name}"


def licences(text: str) -> bool:
    """Whether an SPDX expression leaves a way in which all its licences are allowed."""
    words = re.findall(r"\(|\)|[^\s()]+", text.replace("/", " OR "))

    def either() -> bool:
        found = both()
        while words and words[0] == "OR":
            words.pop(0)
            found = both() or found
        return found

    def both() -> bool:
        found = one()
        while words and words[0] == "AND":
            words.pop(0)
            found = one() and found
        return found

    def one() -> bool:
        word = words.pop(0)
        if word == "(":
            found = either()
            assert words.pop(0) == ")"
            return found
        if words and words[0] == "WITH":
            del words[:2]  # an exception takes nothing away
        return word in ALLOWED

    found = either()
    assert not words, text
    return found


@pytest.mark.parametrize(
    ("text", "is_allowed"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("GPL-3.0-only OR MIT", True),
        ("MIT AND GPL-3.0-only", False),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", True),
        ("Apache-2.0 WITH LLVM-exception OR GPL-2.0-only", True),
        ("MIT/Apache-2.0", True),
    ],
)
def test_expressions_are_understood(text: str, is_allowed: bool) -> None:
    assert licences(text) is is_allowed


def test_crates_are_locked_and_free() -> None:
    if shutil.which("cargo") is None:
        pytest.skip("there is no cargo to ask")
    told = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    host = re.search("^host: (.*)$", told, re.MULTILINE)
    assert host is not None
    # What is built here; of crates for other systems only the lock is at hand.
    command = ["cargo", "metadata", "--locked", "--offline", "--all-features", "--format-version", "1"]
    command += ["--filter-platform", host[1]]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr  # the lock is not that of the manifests, or a crate is not to be had
    packages: list[dict[str, Any]] = json.loads(ended.stdout)["packages"]
    assert {"pyo3", "rayon", "serde_json"} <= {package["name"] for package in packages}
    for package in packages:
        assert licences(package["license"] or ""), (package["name"], package["license"])


def test_every_crate_comes_from_the_registry_with_its_checksum() -> None:
    for package in tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))["package"]:
        if package["name"] == "unshuffle-engine":
            continue
        assert package["source"].startswith("registry+"), package
        assert re.fullmatch("[0-9a-f]{64}", package["checksum"]), package


# Python packages tell their licences in many ways; these words all mean one of the list.
_WORDS = {
    "3-clause BSD": "BSD-3-Clause",
    "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "MIT License": "MIT",
    "Apache Software License": "Apache-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "ISC License (ISCL)": "ISC",
}


def licence_of(found: Distribution) -> str:
    told = [*(found.metadata.get_all("License-Expression") or ())]
    if told:
        return str(told[0])
    classes = [line.split(" :: ")[-1] for line in found.metadata.get_all("Classifier") or () if line.startswith("Lic")]
    words = [_WORDS.get(word, word) for word in (*classes, *(found.metadata.get_all("License") or ()))]
    # Some tell the whole text of it beside its name.
    return next((word for word in words if word in ALLOWED), "; ".join(words)[:80])


def installed(names: list[str], seen: dict[str, Distribution]) -> dict[str, Distribution]:
    """These packages and all that they bring along, as far as they are installed here."""
    for name in names:
        try:
            found = distribution(name)
        except PackageNotFoundError:  # of an extra that is not installed, or for another system
            continue
        if seen.setdefault(canonicalize_name(name), found) is found:
            wanted = [Requirement(text) for text in found.requires or ()]
            installed([one.name for one in wanted if one.marker is None or one.marker.evaluate({"extra": ""})], seen)
    return seen


def test_what_users_install_is_free() -> None:
    names = [*PROJECT["project"]["dependencies"]]
    for extra, wanted in PROJECT["project"]["optional-dependencies"].items():
        names += wanted if extra not in ("dev", "docs") else []
    found = installed([Requirement(name).name for name in names if not name.startswith("unshuffle")], {})
    assert {"numpy", "rich", "typer", "pysol-cards"} <= found.keys()
    told = {name: licence_of(package) for name, package in found.items()}
    assert {name: text for name, text in told.items() if text not in ALLOWED and not licences(text or "-")} == {}


# Nothing that comes from outside is ever run.

MODULES = {"pickle", "cPickle", "_pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}
CALLS = {"eval", "exec", "compile", "yaml.load", "torch.load", "os.system", "os.popen", "numpy.load", "np.load"}


def dangers(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (f"line {node.lineno}: {one.name}" for one in node.names if one.name.split(".")[0] in MODULES)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in MODULES:
            yield f"line {node.lineno}: {node.module}"
        elif isinstance(node, ast.Call):
            if ast.unparse(node.func) in CALLS:
                yield f"line {node.lineno}: {ast.unparse(node.func)}"
            for keyword in node.keywords:
                if keyword.arg in ("shell", "allow_pickle") and ast.unparse(keyword.value) != "False":
                    yield f"line {node.lineno}: {keyword.arg}"


@pytest.mark.parametrize(
    "text",
    [
        "import pickle",
        "from pickle import loads",
        "import marshal as m",
        "eval('1')",
        "import yaml\nyaml.load(x)",
        "torch.load(f)",
        "run(x, shell=True)",
        "f(allow_pickle=True)",
        "os.system('ls')",
    ],
)
def test_dangers_are_seen(text: str) -> None:
    assert list(dangers(text))


EXCUSED = {"src/unshuffle/laws/text.py": (["pickle"], "a law unpickles what it has pickled in the line before")}
"""Modules that may name a danger, with the reason."""


@pytest.mark.parametrize("folder", ["src", "examples"])
def test_nothing_from_outside_is_run(folder: str) -> None:
    found = {
        str(path.relative_to(ROOT)): names
        for path in sorted((ROOT / folder).rglob("*.py"))
        if (names := list(dangers(path.read_text(encoding="utf-8"))))
    }
    allowed = {name: dangers for name, (dangers, _) in EXCUSED.items() if name.startswith(folder)}
    assert {name: [each.split(": ")[-1] for each in names] for name, names in found.items()} == allowed
