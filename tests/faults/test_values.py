"""Whatever happens to a build of values, what was kept is gone on with, and the file comes out the same to the byte."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.faults import build_in_pieces
from tests.faults.disks import fill, limited
from tests.faults.happening import begin, contents, end, interrupt_when, kill_when, named, wait_until
from tests.laws import ROOT
from unshuffle.engine import VARIABLE
from unshuffle.errors import quote
from unshuffle.values.building import partial_of

# The work is handed out and kept by the same code on both sides, and would take minutes on the other.
pytestmark = [
    pytest.mark.one_engine("checks what remains after a fault, not the answers"),
    pytest.mark.skipif(os.environ.get(VARIABLE) == "python", reason="the native engine builds in seconds"),
]

BUILDS = {
    "aces-up": ("aces-up", "--games", "16000"),
    "belle-lucie": ("belle-lucie", "--table", "none", "--levels", "1", "--samples", "2"),
    "gaps": (
        "gaps",
        "--variant",
        "montana-locked",
        "--levels",
        "1",
        "--samples",
        "2",
        "--boards",
        "24",
        "--nodes",
        "10",
    ),
}
SLOWLY = [sys.executable, "-m", build_in_pieces.__name__]


def start(game: str, out: Path, **options: Any) -> subprocess.Popen[bytes]:
    """A build that can be caught."""
    return begin(*BUILDS[game], "--threads", "1", "--out", out, program=SLOWLY, cwd=ROOT, **options)


def start_plainly(game: str, out: Path) -> subprocess.Popen[bytes]:
    return begin("values", "build", *BUILDS[game], "--out", out)


@pytest.fixture
def run_little(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command here, with the work of the builds that are started."""
    build_in_pieces.work_little(monkeypatch.setattr)
    return run


def progress(partial: Path) -> int:
    """How much is kept."""
    if not partial.exists():
        return 0
    data = partial.read_bytes()
    return int(json.loads(data)["done"]) if data.startswith(b'{"format": "unshuffle-aces') else len(data.splitlines())


@pytest.mark.parametrize("game", BUILDS)
def test_a_build_survives_kill_ctrl_c_and_a_full_disk(run_little: Run, tmp_path: Path, game: str) -> None:
    """One after the other, on one file: in the end it is that of a build which nothing happened to."""
    out, undisturbed = tmp_path / "values", tmp_path / "undisturbed"
    partial = partial_of(out)
    kept = 0

    def is_further() -> bool:
        return progress(partial) > kept

    assert kill_when(is_further, start(game, out))
    kept = progress(partial)
    assert named(tmp_path) == {partial.name}

    code, printed, err = interrupt_when(is_further, start(game, out))
    assert (code, printed) == (130, "")
    assert f"the same command goes on from {str(partial)!r}" in err
    assert progress(partial) > kept, "what was kept is gone"
    kept = progress(partial)

    # Less than the next note of what is done, and less than the values themselves, should these be next already.
    code, printed, err = end(start(game, out, preexec_fn=limited(min(partial.stat().st_size // 2, 1000))))
    assert (code, printed) == (2, "")
    assert "--out: cannot write" in err
    assert len(err.splitlines()) == 1
    assert named(tmp_path) == {partial.name}
    assert progress(partial) >= kept, "what was kept is gone"

    for path in (out, undisturbed):
        ended = run_little("values", "build", *BUILDS[game], "--out", path)
        assert ended.code == 0, ended.err
    assert out.read_bytes() == undisturbed.read_bytes()
    assert named(tmp_path) == {out.name, undisturbed.name}


def test_a_full_disk_leaves_the_old_file_as_it_was(small_disk: Path) -> None:
    out = small_disk / "values"
    out.write_text("the old one")
    fill(small_disk)
    code, _, err = end(start_plainly("aces-up", out))
    assert (code, "No space left on device" in err) == (2, True)
    assert out.read_text() == "the old one"


@pytest.mark.parametrize("game", BUILDS)
def test_a_read_only_folder_is_told(read_only: Path, game: str) -> None:
    code, printed, err = end(start_plainly(game, read_only / "values"))
    assert (code, printed) == (2, "")
    assert "--out: cannot write" in err
    assert contents(read_only) == {"old": b"as it was"}


@pytest.mark.parametrize("game", BUILDS)
def test_two_builds_of_one_file_do_not_mix(run_little: Run, tmp_path: Path, game: str) -> None:
    """The later one is told, and what the first one keeps stays its own; a dead one is in nobody's way."""
    out = tmp_path / "values"
    partial = partial_of(out)
    first = start(game, out)
    try:
        assert wait_until(lambda: progress(partial) > 0, first)
        ended = run_little("values", "build", *BUILDS[game], "--out", out)
        assert (ended.code, ended.out) == (2, "")
        assert f"another program is building {quote(str(out))} now" in ended.err
        assert not out.exists()
    finally:
        first.kill()
        first.communicate()
    assert run_little("values", "build", *BUILDS[game], "--out", out).code == 0
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


SPOILT: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[: len(data) // 2],
    "zeros": lambda data: bytes(len(data)),
    "a flipped bit": lambda data: bytes([*data[:-20], data[-20] ^ 0x80, *data[-19:]]),
    "noise in the midst": lambda data: data[: len(data) // 2] + b"\n\n\xff{[noise\n" + data[len(data) // 2 :],
}


@pytest.mark.parametrize("game", BUILDS)
def test_what_was_kept_and_is_damaged_is_refused_and_left_as_it_is(run_little: Run, tmp_path: Path, game: str) -> None:
    out = tmp_path / "values"
    partial = partial_of(out)
    assert kill_when(lambda: progress(partial) > 0, start(game, out))
    kept = partial.read_bytes()
    assert out.name not in named(tmp_path)
    for what, spoil in SPOILT.items():
        spoilt = spoil(kept)
        partial.write_bytes(spoilt)
        if game == "gaps" and what == "cut":
            continue  # a line that was cut off is what a power failure leaves, and is taken up
        ended = run_little("values", "build", *BUILDS[game], "--out", out)
        assert (ended.code, ended.out) == (2, ""), (what, ended)
        assert "is damaged" in ended.err or "other settings" in ended.err or "is not a file of values" in ended.err
        assert len(ended.err.splitlines()) == 1
        assert partial.read_bytes() == spoilt
        assert not out.exists()
