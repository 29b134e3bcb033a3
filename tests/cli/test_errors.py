"""Exit codes and messages when something is wrong: with the request, with the input, or with us."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from tests.cli.program import LOST, WON, program
from unshuffle.cli.exits import ExitCode
from unshuffle.cli.main import main
from unshuffle.errors import InternalError
from unshuffle.layout import MOST_CHARACTERS

pytestmark = pytest.mark.one_engine("checks the command line, not the answers")

USAGE = {
    "unknown game": (["solve", "belle-luci", "--seed", "1"], "did you mean 'belle-lucie'?"),
    "unknown variant": (["solve", "belle-lucie", "--variant", "one-dael", "--seed", "1"], "did you mean 'one-deal'?"),
    "unknown rule": (["solve", "belle-lucie", "--rule", "fan_siez=4", "--seed", "1"], "did you mean 'fan_size'?"),
    "rule named like a parameter": (
        ["solve", "belle-lucie", "--rule", "variant=x", "--seed", "1"],
        "unknown rule 'variant'",
    ),
    "rule without a value": (["solve", "belle-lucie", "--rule", "fan_size", "--seed", "1"], "expected KEY=VALUE"),
    "rule with a bad value": (["solve", "belle-lucie", "--rule", "fan_size=99", "--seed", "1"], "1..13"),
    "unknown generator": (["deal", "belle-lucie", "--generator", "pyhton"], "did you mean 'python'?"),
    "unknown generator in a seed": (["deal", "belle-lucie", "--seed", "pyhton:3"], "did you mean 'python'?"),
    "generator without a seed": (["solve", "belle-lucie", "-", "--generator", "ms"], "--generator goes with"),
    "seed that is no number": (["solve", "belle-lucie", "--seed", "seven"], "'seven' is not a seed"),
    "seed below zero": (["solve", "belle-lucie", "--seed", "-1"], "'-1' is not a seed"),
    "seed too large": (["solve", "belle-lucie", "--seed", str(2**64)], "seeds are 0..18446744073709551615"),
    "range too large": (["solve", "belle-lucie", "--seeds", f"0..{2**64}"], "seeds are 0..18446744073709551615"),
    "range that is empty": (["solve", "belle-lucie", "--seeds", "5..4"], "5..4 is empty"),
    "range that is none": (["solve", "belle-lucie", "--seeds", "5-9"], "'5-9' is not a range"),
    "deal 0 of ms": (["deal", "belle-lucie", "--generator", "ms", "--seed", "0"], "'ms' has the deals 1.."),
    "seed and seeds": (["solve", "belle-lucie", "--seed", "1", "--seeds", "1..2"], "--seed and --seeds exclude"),
    "file and seed": (["solve", "belle-lucie", "deal.txt", "--seed", "1"], "FILE and --seed exclude"),
    "file and shuffle": (["solve", "belle-lucie", "-", "--shuffle"], "FILE and --shuffle exclude"),
    "json and csv": (["solve", "belle-lucie", "--seed", "1", "--json", "--csv"], "--json and --csv exclude"),
    "deck and json": (["deal", "belle-lucie", "--seed", "1", "--json", "--deck"], "--deck and --json exclude"),
    "memory": (["solve", "belle-lucie", "--seed", "1", "--memory", "much"], "--memory: 'much' is not an amount"),
    "no memory": (["solve", "belle-lucie", "--seed", "1", "--memory", "0"], "memory=0"),
    "nodes": (["solve", "belle-lucie", "--seed", "1", "--nodes", "-1"], "--nodes"),
    "too much memory": (["solve", "gaps", "--seed", "1", "--memory", "99999999999GB"], "is too great; it may be"),
    "too many nodes": (["solve", "gaps", "--seeds", "1..2", "--nodes", str(2**64)], f"nodes={2**64} is too great"),
    "too much memory for advice": (["advise", "gaps", "-", "--memory", "99999999999GB"], "--memory: memory="),
    "seconds": (["solve", "belle-lucie", "--seed", "1", "--seconds", "nan"], "nan is not a time"),
    "threads": (["solve", "belle-lucie", "--seeds", "1..2", "--threads", "0"], "--threads"),
    "too many threads": (["solve", "gaps", "--seeds", "1..2", "--threads", "99999"], "1<=x<=1024"),
    "explain": (["solve", "belle-lucie", "--seed", "1", "--explain", "long"], "none"),
    "load": (["games", "--load", "nowhere.py"], "no such file"),
    "load before the file of a deal": (["solve", "gaps", "nowhere.txt", "--load", "nowhere.py"], "no such file"),
    "no moves": (["verify", "belle-lucie", "--seed", "1"], "--moves or from --moves-file"),
    "moves twice": (["verify", "belle-lucie", "--seed", "1", "--moves", "", "--moves-file", "-"], "--moves or from"),
    "stdin twice": (["verify", "belle-lucie", "--moves-file", "-"], "cannot both come from stdin"),
    "unknown game in games": (["games", "bele-lucie"], "did you mean 'belle-lucie'?"),
}


@pytest.mark.parametrize(("arguments", "message"), USAGE.values(), ids=USAGE)
def test_wrong_usage_is_2(run: Run, arguments: list[str], message: str) -> None:
    ended = run(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err


BAD_DEALS = {
    "empty": (b"", "no cards"),
    "only comments": (b"# nothing\n\n", "no cards"),
    "a card twice": (b"KS KH KC KD\nKS\n", "line 2, column 1: 'KS' is on the table twice (first at line 1, column 1)"),
    "an unknown token": (b"KS 1X\n", "line 1, column 4: '1X' is not a card; expected a rank"),
    "a missing card": (b"KS JS\n", "spades: QS is nowhere, but JS is in fan 1"),
    "a foundation that is no prefix": (b"Foundations: KC KD KH 9S\nKS\n", "the fans leave QS on top"),
    "too few cards in a deck": (b"Deck: AC 2C\n", "the deck has 2 cards, expected 52"),
    "a card twice in a deck": (b"Deck: AC AC\n", "'AC' is in the deck twice"),
    "an unknown label": (b"Stock: KS\n", "'stock' is not a label"),
    "invalid UTF-8": (b"KS KH\nKC \xff\n", "byte 9 (line 2) is 0xff"),
    "10 MB of noise": (bytes(range(128)) * 80_000, f"{MOST_CHARACTERS:,} characters"),
    "10 MB that are no UTF-8": (b"\xff" * 10_000_000, f"{MOST_CHARACTERS:,} characters"),
    "a control character": (b"\x1b[2J\n", r"'\x1b[2J' is not a card"),
}


@pytest.mark.parametrize(("text", "message"), BAD_DEALS.values(), ids=BAD_DEALS)
def test_bad_input_is_255(run: Run, tmp_path: Path, text: bytes, message: str) -> None:
    file = tmp_path / "deal.txt"
    file.write_bytes(text)
    for ended in (run("solve", "belle-lucie", file), run("solve", "belle-lucie", "--json", stdin=text)):
        assert (ended.code, ended.out) == (255, "")
        assert message in ended.err
        assert "\x1b" not in ended.err


def test_all_faults_are_told_at_once_with_the_name_of_the_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "deal.txt"
    file.write_text("KS KS 1X 0H\n")
    ended = run("verify", "belle-lucie", file, "--moves", "")
    assert ended.code == 255
    assert f"{file} is not a deal of belle-lucie/one-deal:" in ended.err
    assert len(ended.err.splitlines()) >= 4


def test_files_that_cannot_be_read_are_255(run: Run, tmp_path: Path) -> None:
    files = ((tmp_path / "absent", "No such file"), ("", "cannot read ''"), (tmp_path, "Is a directory"))
    for file, message in (*files, ("a\0b", "null byte")):
        ended = run("solve", "belle-lucie", file)
        assert (ended.code, ended.out) == (255, "")
        assert message in ended.err


def test_an_endless_file_is_refused_at_once(run: Run) -> None:
    ended = run("solve", "belle-lucie", "/dev/zero")
    assert ended.code == 255
    assert f"{MOST_CHARACTERS:,} characters" in ended.err


@pytest.mark.parametrize(
    ("deal", "options", "code"),
    [(WON, [], 0), (LOST, [], 1), (7, ["--nodes", "1"], 3), (7, ["--memory", "1"], 3)],
)
def test_one_deal_tells_its_status(run: Run, deal: int, options: list[str], code: int) -> None:
    assert run("solve", "belle-lucie", "--seed", deal, *options).code == code


def test_codes_by_a_real_process() -> None:
    assert program("solve", "belle-lucie", "--seed", str(LOST)).code == 1
    assert program("solve", "belle-lucie", stdin="1X").code == 255


def test_several_deals_are_0_if_all_were_decided_and_3_if_not(run: Run) -> None:
    assert run("solve", "belle-lucie", "--seeds", "0..9").code == 0
    assert run("solve", "belle-lucie", "--seeds", "0..9", "--nodes", "1").code == 3


def raising(error: BaseException) -> Any:
    def solve(*_: object, **__: object) -> None:
        raise error

    return solve


def test_a_disagreement_inside_is_70_and_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(un, "solve", raising(InternalError("twins disagree", "evidence")))
    ended = run("solve", "belle-lucie", "--seed", "1")
    assert (ended.code, ended.out) == (70, "")
    assert "twins disagree. This is a bug in unshuffle" in ended.err


def test_an_unexpected_error_is_70_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(un, "solve", raising(ZeroDivisionError("oops")))
    ended = run("solve", "belle-lucie", "--seed", "1")
    assert ended.code == 70
    assert len(ended.err.splitlines()) == 1
    assert "ZeroDivisionError: oops" in ended.err
    assert "report" in ended.err


def test_with_debug_the_traceback_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("UNSHUFFLE_DEBUG", "1")
    monkeypatch.setattr(un, "solve", raising(ZeroDivisionError("oops")))
    assert main(["solve", "belle-lucie", "--seed", "1"]) == ExitCode.INTERNAL
    assert "Traceback" in capsys.readouterr().err
