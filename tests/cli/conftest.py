"""Running the command line inside the process of the tests."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from tests.cli.program import Ended
from unshuffle.cli.main import main

Run = Callable[..., Ended]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run one command line here; `stdin` is text or bytes."""

    def run_here(*arguments: object, stdin: str | bytes = b"") -> Ended:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return Ended(code, out, err)

    return run_here
