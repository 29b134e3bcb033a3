"""`unshuffle review`, and the same at the table of `unshuffle play`."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from tests.cli.program import PROGRAM, environment
from tests.cli.terminal import on_terminal, read_until, terminal
from tests.laws import ROOT
from unshuffle.review import searching

pytestmark = pytest.mark.both_engines

DEAL = "KC QC\nKD\n"
PLAYED = ("belle-lucie", "--seed", "23", "--moves", "AD^ 9H>TH AS>2S")
PAGE = (ROOT / "docs" / "review.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```console\n\$ unshuffle (.*)\n((?:.*\n)*?)```", PAGE)


def test_the_move_that_lost_and_one_that_would_have_kept_it(run: Run) -> None:
    ended = run("review", *PLAYED)
    assert ended.code == 0
    deal, _, head, *rows = ended.out.splitlines()
    assert deal == "belle-lucie/one-deal@23, 3 moves"
    assert head.split() == ["move", "verdict", "how", "known"]
    assert [row.split()[:3] for row in rows[1:4]] == [
        ["1", "AD^", "winnable"],
        ["2", "9H>TH", "lost"],
        ["3", "AS>2S", "lost"],
    ]
    assert rows[2].endswith("<- lost here")
    assert re.search(
        r"The game was lost by move 2 \(9H>TH\); \S+ would have kept it, the first of \d+ moves", ended.out
    )
    assert "Verdicts: open: all cards known; " in ended.out


def test_how_much_is_shown(run: Run) -> None:
    none = run("review", *PLAYED, "--explain", "none").out
    full = run("review", *PLAYED, "--explain", "full", "--plain").out
    assert "winnable  " not in none
    assert "was lost by move 2" in none
    before = un.replay(un.deal("belle-lucie/one-deal@23"), [un.game("belle-lucie").parse_move("AD^")]).states[-1]
    assert f"Instead of move 2:\n\n{before}\n" in full
    assert "Foundation move  KH^" in full


def test_the_json_object(run: Run) -> None:
    ended = run("review", *PLAYED, "--json")
    assert (ended.code, ended.err) == (0, "")
    [found] = ended.objects
    assert found["deal"] == "belle-lucie/one-deal@23"
    assert [position["verdict"] for position in found["positions"]] == ["winnable", "winnable", "lost", "lost"]
    assert found["lost_by"]["move"] == 2
    won = run(
        "verify", "belle-lucie", "--seed", "23", "--moves", " ".join(["AD^", *found["lost_by"]["instead"]["moves"]])
    )
    assert won.code == 0
    beside = run("review", *PLAYED, "--json", "--explain", "short")
    assert "<- lost here" in beside.err
    assert len(beside.objects) == 1


def test_files_that_hold_the_moves_too(run: Run, tmp_path: Path) -> None:
    run("solve", "belle-lucie", "--seed", "3", "--save-wins", tmp_path)
    [history] = tmp_path.glob("*.txt")
    won = run("review", "belle-lucie", history, "--explain", "none")
    assert won.code == 0, won.err
    assert "The game was won." in won.out
    export = tmp_path / "export.txt"
    export.write_text(f"# Rules: belle-lucie/fan\n{DEAL}\n# Moves: QC^\n")
    told = run("review", "belle-lucie", export)
    assert told.out.startswith("belle-lucie/fan (typed), 1 move\n")
    assert "The game can still be won: " in told.out
    assert run("review", "belle-lucie", export, "--moves", "QC^ KC^", "--json").objects[0]["moves"] == ["QC^", "KC^"]
    assert run("review", "belle-lucie", "--moves-file", "-", "--seed", "23", stdin="AD^ 9H>TH").code == 0


@pytest.mark.one_engine("checks the command line, not the answers")
@pytest.mark.parametrize("deal", ["aces-up/standard@7", "agnes/up-suit-any1@3", "spider/1-suit@1"])
def test_cards_that_nobody_saw_are_never_searched(run: Run, tmp_path: Path, deal: str) -> None:
    """What was wrong: an export was said to be lost, searched, by the order in which unseen cards happened to stand."""
    state = un.deal(deal)
    game = un.game(*deal.partition("@")[0].split("/"))
    line, moves, rng = [state], list[str](), Random(2)
    while line[-1].outcome is None and len(moves) < 12:
        move = rng.choice(line[-1].legal_moves())
        moves.append(move.token)
        line.append(line[-1].play(move))
    text = f"# Rules: {game}\n{game.format(game.with_id(state, None))}# Moves: {' '.join(moves)}\n"
    (tmp_path / "all.txt").write_text(text, encoding="utf-8")
    (tmp_path / "some.txt").write_text(f"# 9 cards never came to light and stand so.\n{text}", encoding="utf-8")
    asked = ("review", game.id)
    [known] = run(*asked, tmp_path / "all.txt", "--nodes", "300", "--no-chances", "--json").objects
    assert {"search", "limit"} & {position["by"] for position in known["positions"]}
    some = run(*asked, tmp_path / "some.txt", "--nodes", "300", "--no-chances", "--json", "--explain", "short")
    piped = run(
        *(*asked, "-", "--variant", game.variant, "--moves", " ".join(moves)),
        *("--nodes", "300", "--no-chances", "--json"),
        stdin=(tmp_path / "some.txt").read_bytes(),
    )
    assert piped.objects[0]["positions"] == some.objects[0]["positions"]
    assert "9 cards never came to light and stand so. Positions in which they are unknown are not searched." in some.err
    [found] = some.objects
    assert any(state.view().unknown for state in line)
    for position, state in zip(found["positions"], line, strict=True):
        if state.view().unknown:
            assert position["by"] not in ("search", "limit", "unasked"), position


def test_a_saved_game_of_play(run: Run, tmp_path: Path) -> None:
    run("play", "belle-lucie", "--seed", "23", "--id", "g", "--saves", tmp_path, stdin="AD^\n9H>TH\nz\n")
    ended = run("review", "belle-lucie", "--id", "g", "--saves", tmp_path, "--json")
    assert ended.code == 0, ended.err
    assert ended.objects[0]["lost_by"]["move"] == 2


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--seed", "23"], 2, "the moves come from --moves or from --moves-file"),
        (
            ["--seed", "23", "--moves", "AD^", "--moves-file", "x"],
            2,
            "the moves come from --moves or from --moves-file",
        ),
        (["--seed", "23", "--moves", "AD^ up!"], 255, "move 2: 'up!' is not a move"),
        (["--seed", "23", "--moves", "AD^ KH^"], 255, "move 2: illegal move 'KH^' in 'QH 2D 9S / "),
        (["--seed", "23", "--moves", "AD^", "--seconds", "-1"], 2, "--seconds"),
        (["--seed", "23", "--moves", "AD^", "--seconds", "nan"], 2, "--seconds: nan is not a time"),
        (["--seed", "23", "--moves", "AD^", "--memory", "much"], 2, "--memory: 'much' is not an amount"),
        (["--seed", "23", "--moves", "AD^", "--saves", "x"], 2, "--saves goes with --id"),
        (["--id", "g", "--seed", "23"], 2, "--id names the deal and the moves; leave FILE,"),
        (["--id", "../g"], 2, "--id: "),
        (["--id", "absent"], 255, "there is no game 'absent'"),
        (["absent.txt", "--moves", ""], 255, "cannot read 'absent.txt'"),
    ],
)
def test_wrong_requests(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = run("review", "belle-lucie", *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert words in ended.err


def test_a_broken_deal_is_told_with_every_fault(run: Run) -> None:
    ended = run("review", "belle-lucie", "--moves", "QC^", stdin="KC QC\nKC 1X\n")
    assert (ended.code, ended.out) == (255, "")
    assert "'KC' is on the table twice" in ended.err
    assert "'1X' is not a card" in ended.err


def test_ctrl_c_prints_what_is_known(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []

    def solve(position: Any, **options: Any) -> Any:
        calls.append(position)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return un.solve(position, **options)

    monkeypatch.setattr(searching, "solve", solve)
    ended = run("review", *PLAYED)
    assert ended.code == 130
    assert "The review was stopped before its end." in ended.out
    calls.clear()
    ended = run("review", *PLAYED, "--json")
    assert ended.code == 130
    assert ended.objects[0]["interrupted"] is True


@pytest.mark.one_engine("checks the command line, not the answers")
def test_ctrl_c_in_a_real_search_after_its_progress_was_seen() -> None:
    # Golf has no engine of its own, so this search is long everywhere.
    golf = str(ROOT / "examples" / "golf.py")
    token = un.game("golf").deal(1).legal_moves()[0].token
    arguments = ["review", "golf", "--load", golf, "--seed", "1", "--moves", token, "--seconds", "0", "--json"]
    with terminal() as (ours, theirs):
        process = subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=theirs, env=environment())
        os.close(theirs)
        shown = read_until(ours, "of 2 positions, ")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        shown += read_until(ours, "\0never")
    assert process.returncode == 130
    assert json.loads(out)["interrupted"] is True
    assert "verdicts: 0 of 2 positions, " in shown
    assert shown.endswith("\r\x1b[K")


@pytest.mark.one_engine("checks the command line, not the answers")
def test_what_chance_has_dealt_is_told_with_the_verdicts(run: Run, tmp_path: Path) -> None:
    """What was wrong: "open: all cards known" of cards that chance had dealt, since nobody knew them."""
    game = un.game("aces-up")
    (tmp_path / "deal.txt").write_text(game.format(game.deal(7), hidden=True), encoding="utf-8")
    saves = ("--id", "g", "--saves", tmp_path)
    played = run("play", "aces-up", tmp_path / "deal.txt", *saves, stdin="d\nd\nw\ny\nz\n")
    told = "Verdicts: open: all cards known, with what was unknown dealt at random; "
    assert told in played.out
    assert told in run("review", "aces-up", *saves, "--nodes", "9").out
    asked = ("review", "aces-up", "--json", "--nodes", "9", "--no-chances")
    assert json.loads(run(*asked, *saves).out)["by_chance"] is True
    assert json.loads(run(*asked, "--seed", "7", "--moves", "d").out)["by_chance"] is False


@pytest.mark.one_engine("checks the command line, not the answers")
def test_a_phase_that_is_lost_is_red_only_where_no_redeal_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for variant, colour in (("addiction", 33), ("addiction-one-deal", 31)):
        asked = ("review", "gaps", "examples/king-trap.txt", "--variant", variant, "--moves", "8C KD", "--no-chances")
        code, text = on_terminal(*asked)
        assert code == 0
        assert text.count(f"\x1b[{colour}m\x1b[1mlost    \x1b[0m") == 1


@pytest.mark.one_engine("checks the command line, not the answers")
def test_at_the_table_of_play(run: Run, tmp_path: Path) -> None:
    saves = ("--saves", tmp_path, "--seconds", "1")
    ended = run("play", "belle-lucie", "--seed", "23", *saves, stdin="AD^\n9H>TH\nw\nreview\nz\n")
    assert ended.code == 0, ended.err
    assert ended.out.count("The game was lost by move 2 (9H>TH); ") == 2
    hidden = run("play", "aces-up", "--seed", "7", *saves, stdin="d\nw\nn\nz\n")
    assert "A review knows every card, also those that you cannot see.\nLook at them?" in hidden.out
    assert "Verdicts:" not in hidden.out
    looked = run("play", "aces-up", "--seed", "7", "--id", "l", *saves, stdin="d\nw\ny\ns\nz\n")
    assert looked.out.count("Look at them?") == 1
    assert "Verdicts: open: all cards known; " in looked.out
    assert json.loads((tmp_path / "l.json").read_text())["looked"] is True
    nothing = run("play", "aces-up", "--seed", "7", *saves, stdin="w\n")
    assert nothing.code == 255
    assert "no move was made yet, so there is nothing to review" in nothing.err


def test_all_examples_of_the_page_are_found() -> None:
    assert len(EXAMPLES) == PAGE.count("```console") > 2


@pytest.mark.one_engine("checks the page, with the engine that most have")
@pytest.mark.parametrize(("command", "expected"), EXAMPLES, ids=[command[:40] for command, _ in EXAMPLES])
def test_examples_are_true(run: Run, command: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    # The figures are masked, and tests/docs holds them against the page: few games will do.
    few = command.replace("--samples 20000", "--samples 1000")
    assert masked(run(*shlex.split(few)).out) == masked(expected)


def test_the_prompt_of_the_page_is_true(capsys: pytest.CaptureFixture[str]) -> None:
    [code] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(code, {})
    assert re.fullmatch(r"2 \S+\n", capsys.readouterr().out)


def masked(text: str) -> str:
    """Chances, searches and lines differ from engine to engine, and a little from run to run."""
    text = re.sub(r" {2,}", " ", text)
    # A search on the other engine may find another win, with another first move.
    text = re.sub(r"\S+ would have kept it, the first of [\d,]+ moves", "M would have kept it", text)
    text = re.sub(r"[\d,]+ search(es)?, [\d,]+ nodes?", "N", text)
    text = re.sub(r"(winnable|lost) (searched|winnable later|lost before|a win passes here)", r"\1 how", text)
    text = re.sub(r"([█▌]* )?[\d.]+ %( ± [\d.]+)?|·", "C", text)
    text = re.sub(r'"(nodes|searches|seconds)": [\d.]+', r'"\1": N', text)
    # Within the noise, which is greater on the slower engine, no fall is told.
    text = re.sub(r"The chance to win by what was seen fell most .*\n|told at \d+", "", text)
    return re.sub(r'"instead": \{.*?\}', "M", text)
