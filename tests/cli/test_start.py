"""Finding a command: help, version, a quick start, and errors before any command runs."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from tests.cli.program import LOST, program
from unshuffle.cli.app import COMMANDS
from unshuffle.cli.main import main
from unshuffle.engine import describe_engine

pytestmark = pytest.mark.one_engine("checks the command line, not the answers")


def test_version_names_the_engine(run: Run) -> None:
    ended = run("--version")
    assert (ended.code, ended.out) == (0, f"unshuffle {un.__version__} (engine: {describe_engine()})\n")


def test_help_lists_every_command_with_the_first_line_of_its_docstring(run: Run) -> None:
    ended = run("--help")
    assert ended.code == 0
    for name, summary in COMMANDS.items():
        module = name.replace("-", "_")
        command = getattr(import_module(f"unshuffle.cli.{module}"), module)
        assert command.__doc__.splitlines()[0] == summary
        assert summary in ended.out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples(run: Run, command: str) -> None:
    ended = run(command, "--help")
    assert ended.code == 0
    assert f"Usage: unshuffle {command} [OPTIONS]" in ended.out
    assert f"  Examples:\n    unshuffle {command}" in ended.out


def test_no_command_shows_the_help(run: Run) -> None:
    ended = run()
    assert ended.code == 2
    assert "Commands:" in ended.err


def test_an_unknown_command_gets_the_nearest_one(run: Run) -> None:
    ended = run("slove", "belle-lucie")
    assert ended.code == 2
    assert "did you mean 'solve'?" in ended.err


@pytest.mark.parametrize(
    "arguments", [["solve"], ["solve", "belle-lucie", "--colour"], ["--colour"], ["deal", "a", "b"]]
)
def test_what_no_command_takes_is_wrong_usage(run: Run, arguments: list[str]) -> None:
    ended = run(*arguments)
    assert ended.code == 2
    assert "Error: " in ended.err
    assert ended.out == ""


def test_a_plain_solve_imports_nothing_slow() -> None:
    code = (
        "import sys; from unshuffle.cli.main import main; "
        f"code = main(['solve', 'belle-lucie', '--seed', '{LOST}']); "
        "print(code, sorted({'rich', 'numpy', 'importlib.metadata', 'secrets', 'json'} & set(sys.modules)))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "1 []"


def test_help_imports_no_command() -> None:
    code = (
        "import sys; from unshuffle.cli.main import main; main(['--help']); "
        "print(sorted(name for name in sys.modules if name.startswith('unshuffle.cli.')))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = ended.stdout.splitlines()[-1]
    assert all(f"unshuffle.cli.{name.replace('-', '_')}'" not in modules for name in COMMANDS), modules


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("unshuffle ", set(COMMANDS)),
        ("unshuffle solve bel", {"belle-lucie"}),
        ("unshuffle solve belle-lucie --variant one", {"one-deal"}),
        ("unshuffle solve belle-lucie --rule fan", {"fan_size=", "fans="}),
        ("unshuffle deal belle-lucie --generator p", {"python"}),
    ],
)
def test_the_shell_can_complete(
    words: str, expected: set[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    count = str(len(words.split()) - (not words.endswith(" ")))
    variables = {"_UNSHUFFLE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": count}
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit):
        main([])
    assert set(capsys.readouterr().out.split()) == expected


def test_a_real_shell_can_complete() -> None:
    ended = program(_UNSHUFFLE_COMPLETE="complete_bash", COMP_WORDS="unshuffle solve bel", COMP_CWORD="2")
    assert ended.out.split() == ["belle-lucie"]
