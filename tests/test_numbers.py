"""Numbers are written in the digits 0-9, wherever they are read, and none is so long that reading it fails."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
from tests.cli.commands import LINES, STORE, make_store, parameters
from tests.cli.conftest import Run, run
from tests.laws import IS_LONG, every_game, random_line
from unshuffle.advise import playing
from unshuffle.deals import DealId, Source
from unshuffle.errors import InvalidDealError, ParseError, RefusedError, UsageError
from unshuffle.games.aces_up import peer
from unshuffle.games.aces_up.strategy import parse_list
from unshuffle.hidden.policy import policy_of
from unshuffle.numbers import MOST, read_up_to, read_whole
from unshuffle.solve.limits import parse_memory
from unshuffle.store.owner import is_abandoned
from unshuffle.study.plan import parse_seeds, parse_share
from unshuffle.study.sections import Against
from unshuffle.study.statistics import planned_n

__all__ = ["run"]  # a fixture
SOURCE = Path(un.__file__).parent
# Each is a digit to Python: `int` reads the first three, `isdigit` the fourth too, and `\d` finds the first three.
STRANGE = tuple(
    str.maketrans("0123456789", digits) for digits in ("٠١٢٣٤٥٦٧٨٩", "０１２３４５６７８９", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗", "⁰¹²³⁴⁵⁶⁷⁸⁹")
)
# Errors of ours, which say what is wrong: not the ValueError of Python's `int`.
REFUSALS = (ParseError, InvalidDealError, UsageError, RefusedError)


def strangely(text: str) -> Iterator[str]:
    """The text with one of its numbers in the digits of another script, or in thousands of digits, or with a `_`."""
    for number in re.finditer("[0-9]+", text):
        written = [number[0].translate(digits) for digits in STRANGE]
        for other in (*written, "1" + "0" * 5000, f"0_{number[0]}"):
            yield text[: number.start()] + other + text[number.end() :]


def test_whole_numbers() -> None:
    for number in (0, 7, 10, MOST):
        assert read_whole(str(number)) == read_up_to(str(number), MOST) == number
        assert read_whole("000" + str(number)) == number
    assert [read_whole(text, 20, least=3) for text in ("2", "3", "20", "21", "100", "0020")] == [
        None, 3, 20, None, None, 20,
    ]  # fmt: skip
    assert [read_up_to(text, 20) for text in ("19", "20", "21", "9" * 5000, "0" * 5000)] == [19, 20, 20, 20, 0]
    for text in ("", " 1", "1 ", "+1", "-1", "1_0", "1.0", "0x1", "²", "٣", "３", "1٣"):
        assert read_whole(text) is None, text
        assert read_up_to(text, 9) is None, text


def test_no_other_way_of_telling_digits_is_used() -> None:
    """`isdecimal`, `isdigit`, `isnumeric` and `\\d` know the digits of every script."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_test = isinstance(node, ast.Attribute) and node.attr in ("isdecimal", "isdigit", "isnumeric")
            is_pattern = isinstance(node, ast.Constant) and isinstance(node.value, str) and r"\d" in node.value
            if is_test or is_pattern:
                pytest.fail(f"{path}: line {getattr(node, 'lineno', 0)}")


def test_every_number_of_the_command_line_is_in_ascii() -> None:
    """Law: no argument of any command that is a number takes other digits."""
    seen = 0
    for command, param in parameters():
        if param.type.name in ("integer", "integer range", "float", "float range"):
            seen += 1
            for text in ("٣", "３", "²", "1_0", " 1", "0" * 5 + "٣"):
                with pytest.raises(Exception, match="not a number in the digits 0-9"):
                    param.type.convert(text, param, None)
            assert param.type.convert("1", param, None) == 1, (command, param.name)
    assert seen > 50


@pytest.mark.parametrize(
    "command", [name for name, said in LINES.items() if any(re.search("[0-9]", w) for w in said.line)]
)
def test_no_number_on_a_line_is_read_in_other_digits(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str
) -> None:
    """Law: a command line with one number in other digits, or far too long, is refused as it stands."""
    monkeypatch.chdir(tmp_path)
    make_store(tmp_path)
    said = LINES[command]
    for place, word in enumerate(said.line):
        if os.sep in word:
            continue  # a file: its name may have any digits
        for other in strangely(word):
            ended = run(*said.line[:place], other, *said.line[place + 1 :], stdin=said.stdin)
            assert ended.code in (2, 255), (other[:80], ended)
    assert {path.name for path in tmp_path.iterdir()} <= {STORE}


Reader = Callable[[str], Any]
TEXTS: dict[str, tuple[Reader, str]] = {
    "seed": (Source.parse, "python:12345#3"),
    "deal id": (DealId.parse, "belle-lucie/one-deal@7"),
    "game of a variant": (lambda text: un.game("belle-lucie", text), "one-deal+fan_size=4"),
    "rule": (lambda text: un.game("belle-lucie", fan_size=text), "4"),
    "memory": (parse_memory, "1.5 GiB"),
    "range": (parse_seeds, "10..20"),
    "share": (lambda text: planned_n(parse_share(text, "precision")), "5%"),
    "published count": (lambda text: Against.parse(text.replace("_", "x")), "Smith:10/20"),
    "number of moves": (lambda text: playing.number(text, 1), "12"),
    "rule list": (parse_list, "2,1,10"),
    "rule list of the peer": (peer.read_numbers, "[2, 1, 100]"),
    "rule counts of the peer": (peer.read_rule_counts, '[("move_first_ace", 3)]'),
    "line of the peer": (peer.read_moves, "[Ac, -1, 0, 1],[Ah, -1, 1, 2]"),
    "deck of quagnes": (
        lambda text: un.game("agnes").parse(text),
        "".join(f"({r}, {s})\n" for r in range(13) for s in range(4)),
    ),
    **{
        f"policy {text} of {name}": (lambda text, name=name: policy_of(un.game(name), text), text)  # type: ignore[misc]
        for name, text in (
            ("aces-up", "random:seed=3"),
            ("aces-up", "rollout:60"),
            ("agnes", "rollout:50;seed=3"),
            ("spider", "search:5;seed=3"),
            ("gaps", "value:300"),
            ("gaps", "value:0.3s"),
        )
    },
}


def check_refused(read: Reader, text: str, every: int = 1) -> None:
    read(text)
    for other in list(strangely(text))[::every]:
        with pytest.raises(REFUSALS):
            read(other)


@pytest.mark.parametrize("name", TEXTS)
def test_no_text_is_read_in_other_digits(name: str) -> None:
    """Law: a text with one number in other digits, or far too long, is refused in our words."""
    check_refused(*TEXTS[name])


GAMES = every_game() if IS_LONG else [un.game(name) for name in un.games()]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_no_layout_and_no_move_is_read_in_other_digits(game: Any) -> None:
    """Law: cards, piles, counts, ids and moves alike."""
    state = list(random_line(game, seed=7, at_most=20))[-1]
    for text in (str(state), game.wire(state)):
        check_refused(game.parse, text, every=1 if IS_LONG else 5)
    for move in state.legal_moves()[:3]:
        check_refused(game.parse_move, move.token)


def test_a_claim_in_other_digits_is_nobodys() -> None:
    for pid in ("٣", "1" * 5000, "", "²"):
        assert is_abandoned(f"host:{pid}:unknown:1", None)


@pytest.mark.parametrize("game", un.games())
@pytest.mark.parametrize("command", ["advise", "play"])
def test_no_number_at_a_prompt_is_too_long(run: Run, tmp_path: Path, command: str, game: str) -> None:
    """Law: the number of a pile, a save, a move in the list, or of moves to take back."""
    long = "9" * 5000
    beginning = ["--id", "new"] if command == "advise" else ["--seed", "1"]
    answers = "\n".join([f"{long}: KS", "٣: KS", f"{long} KS", long, f"00000001{long}", f"u {long}", "o", long, "z"])
    for line in ([command, game, *beginning], [command, game]):
        ended = run(*line, "--saves", tmp_path / "saves", stdin=f"{answers}\n")
        assert ended.code in (0, 2, 255), ended.err
        assert len(ended.out + ended.err) < 20_000
