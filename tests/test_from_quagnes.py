"""The examples in docs/from-quagnes.md: what is shown there works, and the names in its tables are names of ours."""

from __future__ import annotations

import re
import shlex
from itertools import islice
from pathlib import Path

import pytest

import unshuffle as un
from tests.cli.conftest import Run, run
from tests.cli.test_docs import masked
from tests.laws import ROOT

__all__ = ["run"]  # the fixture

PAGE = (ROOT / "docs" / "from-quagnes.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
EXAMPLES = re.findall(r"```console\n\$ unshuffle (.*)\n((?:.*\n)*?)```", PAGE)
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]

# Deal 30 is won soon on both engines; the page speaks of thousands.
_SMALLER = (
    ("0..9999", "30..30"),
    ("range(10_000)", "range(30, 31)"),
    ('12345, "python"), 1000', '12345, "python"), 20'),
)


def smaller(text: str) -> str:
    for many, few in _SMALLER:
        text = text.replace(many, few)
    return text


def quagnes_file(deck: tuple[un.Card, ...]) -> str:
    return "".join(f"({card.rank - 1:2d}, {'CDSH'.index(str(card)[1])})\n" for card in deck)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, but for the decks of someone who comes from quagnes-cpp."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UNSHUFFLE_STORE", str(tmp_path / "s.sqlite"))
    (tmp_path / "decks" / "o0").mkdir(parents=True)
    for number, deck in enumerate(islice(un.game("agnes").decks(12345, "python"), 3), 1):
        (tmp_path / "decks" / "o0" / f"deck{number}.txt").write_text(quagnes_file(deck))
    return tmp_path


def test_there_are_examples() -> None:
    assert (len(SNIPPETS), len(EXAMPLES), len(COMMANDS)) == (5, 2, 4)
    assert all(any(many in text for text in SNIPPETS + COMMANDS) for many, _ in _SMALLER)


@pytest.mark.parametrize(("command", "expected"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_examples_are_true(run: Run, command: str, expected: str) -> None:
    # Which line is shown for a lost deal is the engine's affair.
    score = re.compile(r"Score: \d+ of 52 cards up, \d+ left")
    assert score.sub("S", masked(run(*shlex.split(command)).out)) == score.sub("S", masked(expected))


def test_the_commands_work(run: Run, folder: Path) -> None:
    for command in COMMANDS:
        words, _, file = smaller(command).partition(" > ")
        ended = run(*shlex.split(words)[1:])
        assert ended.code == 0, ended.err
        assert ended.out
        assert file in ("", "results.csv")
    assert [win.name for win in (folder / "winners").iterdir()] == ["agnes_up-color-anyrun@30.txt"]


def test_the_snippets_work(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for code in SNIPPETS:
        exec(smaller(code), {})
        printed.append(capsys.readouterr().out)
    first, loop, stream, written, files = printed
    assert first.startswith("unsolvable ")
    header, row = loop.splitlines()
    assert header.startswith("deal,status,score,nodes,")
    assert row.startswith("30,solved,52,")
    assert len(row.split(",")) == len(header.split(","))
    history = (folder / "winners" / "win30.txt").read_text(encoding="utf-8")
    assert un.game("agnes", "up-color-anyrun").parse(history.split("\n\n")[0]).score == 1
    assert " to the foundation" in history
    assert stream == "0 won\n"
    assert written == ""
    assert (folder / "deck.txt").read_text() == (folder / "decks" / "o0" / "deck1.txt").read_text()
    assert files == "".join(f"decks/o0/deck{number}.txt unsolvable\n" for number in (1, 2, 3))


def test_the_fields_and_parts_of_names_are_those_of_the_rules() -> None:
    rows = re.findall(r"^\| `(\w+)=.*? \| .*? \| `(\w+)=(.*?)` \| `(-?\w+)`", PAGE, re.MULTILINE)
    assert len(rows) == 8
    for _, name, value, part in rows:
        text = value.strip('"')
        want: object = {"True": True, "False": False}.get(text, text)
        having = {slug for slug, rules in un.game("agnes").variants.items() if getattr(rules, name) == want}
        assert having == {slug for slug in un.game("agnes").variants if f"-{part.strip('-')}-" in f"-{slug}-"}


def test_the_counts_are_counted() -> None:
    rows = re.findall(r"^\| .*? \| (`.*?) \| [^|]*\|$", PAGE.partition("The counts,")[2], re.MULTILINE)
    names = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert {"nodes", "deals", "blocked", "table_hits"} <= names
    assert names <= set(un.solve(un.game("agnes").deal(0)).stats)


def test_the_files_that_are_named_exist() -> None:
    for pattern in re.findall(r"`(examples/\S+?)`", PAGE):
        assert list(ROOT.glob(pattern))
    for target in re.findall(r"\]\(([^)]+\.md)\)", PAGE):
        assert (ROOT / "docs" / target).is_file()
