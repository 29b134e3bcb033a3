"""Running the command line inside the process of the tests."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from tests.cli.program import Ended
from tests.schemas.checking import check_output, check_save
from unshuffle.advise.folder import Folder
from unshuffle.cli.main import main

Run = Callable[..., Ended]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run one command line here; `stdin` is text or bytes. What it prints as JSON and saves is as the schemas say."""
    write = Folder.write_text

    def write_checked(folder: Folder, name: str, text: str) -> None:
        check_save(text)
        write(folder, name, text)

    monkeypatch.setattr(Folder, "write_text", write_checked)

    def run_here(*arguments: object, stdin: str | bytes = b"") -> Ended:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        check_output([str(argument) for argument in arguments], out)
        return Ended(code, out, err)

    return run_here
