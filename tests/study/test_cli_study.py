"""`unshuffle study` as a person meets it."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run
from tests.cli.program import PROGRAM, environment
from tests.cli.terminal import read_until, terminal
from tests.laws import ROOT
from tests.store.making import rewrite
from unshuffle import engine
from unshuffle.cli import progress
from unshuffle.cli.study import SUBCOMMANDS
from unshuffle.store import Store

pytestmark = pytest.mark.one_engine("checks the statistics and their pages, not the answers")

__all__ = ["run"]  # the fixture

LUCIE = ("--game", "belle-lucie", "--solver")


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "s.sqlite"
    monkeypatch.setenv("UNSHUFFLE_STORE", str(path))
    return path


@pytest.mark.parametrize("command", SUBCOMMANDS)
def test_every_command_has_help_with_examples(run: Run, command: str) -> None:
    ended = run("study", command, "--help")
    assert ended.code == 0
    assert f"Usage: unshuffle study {command} [OPTIONS]" in ended.out
    assert f"  Examples:\n    unshuffle study {command}" in ended.out


def test_a_run_ends_with_one_line_that_says_all(run: Run) -> None:
    ended = run("study", "run", "lucie", *LUCIE, "--seeds", "0..99", "--nodes", "100000")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.count("\n") == 1
    assert ended.out.startswith(
        "lucie: belle-lucie/one-deal; solver; open: all cards known; generator unshuffle;"
        " limits 100,000 nodes, 1 GiB: n = 100, "
    )
    assert " 0 undecided, won " in ended.out
    policies = run("study", "run", "players", "--game", "belle-lucie", "--policy", "greedy,random", "--seeds", "0..9")
    assert policies.code == 0
    assert [line.split(";")[1:3] for line in policies.out.splitlines()] == [
        [" policy greedy", " hidden: what a player sees"],
        [" policy random", " hidden: what a player sees"],
    ]


def test_json_prints_the_report_and_nothing_else(run: Run) -> None:
    ended = run("study", "run", "lucie", *LUCIE, "--seeds", "0..49", "--json")
    assert (ended.code, ended.err) == (0, "")
    (row,) = ended.objects
    assert (row["game"], row["variant"], row["method"], row["information"]) == (
        "belle-lucie", "one-deal", "solver", "open",
    )  # fmt: skip
    assert row["n"] == 50
    assert run("study", "report", "lucie", "--json").out == ended.out


def test_the_name_alone_goes_on_and_seeds_widen_it(run: Run, store: Path) -> None:
    run("study", "run", "lucie", *LUCIE, "--seeds", "0..9")
    with Store.open(store) as opened:
        rewrite(opened, "UPDATE run SET last_seed = 19")
    assert "n = 20, " in run("study", "run", "lucie").out
    assert "n = 30, " in run("study", "run", "lucie", "--seeds", "0..29").out
    assert "n = 30, " in run("study", "run", "lucie", *LUCIE, "--seeds", "5..9").out


def test_a_plan_file(run: Run, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('name = "tom"\ngame = "belle-lucie"\nsolver = true\nseeds = "0..9"\nstore = "own.sqlite"\n')
    assert run("study", "run", plan).out.startswith("tom: belle-lucie/one-deal; solver;")
    assert (tmp_path / "own.sqlite").is_file()
    ended = run("study", "run", plan, "--nodes", "5", "--seeds", "0..9")
    assert (ended.code, "--nodes, --seeds: these belong in the plan file" in ended.err) == (2, True)
    assert run("study", "run", plan, "--threads", "1", "--store", tmp_path / "other.sqlite").code == 0
    assert (tmp_path / "other.sqlite").is_file()


def test_precision_plans_the_deals(run: Run) -> None:
    ended = run("study", "run", "lucie", *LUCIE, "--precision", "9 points", "--guess", "50%")
    assert "n = 115, " in ended.out


@pytest.mark.parametrize("precision", ["0.5", "5", "200%"])
def test_a_precision_that_means_one_deal_is_refused(run: Run, tmp_path: Path, precision: str) -> None:
    ended = run("study", "run", "lucie", *LUCIE, "--precision", precision)
    assert (ended.code, ended.out) == (2, "")
    plan = tmp_path / "plan.toml"
    for value in (f'"{precision}"', precision.rstrip("%")):
        plan.write_text(f'game = "belle-lucie"\nsolver = true\nprecision = {value}\n', encoding="utf-8")
        ended = run("study", "run", plan)
        assert (ended.code, ended.out) == (2, "")
        assert "precision: " in ended.err
    assert not list(tmp_path.glob("*.sqlite"))


def test_list_show_and_delete(run: Run) -> None:
    run("study", "run", "lucie", *LUCIE, "--seeds", "0..9")
    run("study", "run", "other", *LUCIE, "--seeds", "0..4")
    assert [each["name"] for each in run("study", "list", "--json").objects] == ["lucie", "other"]
    shown = run("study", "show", "lucie")
    assert shown.code == 0
    assert "fan_size=3" in shown.out
    refused = run("study", "delete", "lucie")
    assert (refused.code, "1 run and the results of 10 deals" in refused.err, "--yes" in refused.err) == (2, True, True)
    assert run("study", "delete", "lucie", "--yes").code == 0
    assert [each["name"] for each in run("study", "list", "--json").objects] == ["other"]
    assert run("study", "show", "lucie").code == 2


def test_compare_and_export(run: Run, tmp_path: Path) -> None:
    for name in ("a", "b"):
        run("study", "run", name, *LUCIE, "--seeds", "0..19")
    assert run("study", "compare", "a", "b").code == 0
    assert run("study", "export", "a", tmp_path / "a.csv").code == 0
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 21


@pytest.mark.skipif(engine._native_module() is None, reason="there is only one engine")
def test_recheck_tells_the_agreement_and_a_disagreement_is_70(run: Run, store: Path) -> None:
    ended = run("study", "run", "lucie", *LUCIE, "--seeds", "0..9", "--recheck", "5")
    assert ended.code == 0
    assert "the engines agree on 5 of 5 deals" in ended.err
    with Store.open(store) as opened:
        rewrite(opened, "UPDATE result SET status = 'solved', score = 52 WHERE seed = 4")
    ended = run("study", "run", "lucie", *LUCIE, "--seeds", "0..9", "--recheck", "5")
    assert ended.code == 70
    assert "belle-lucie/one-deal@4: " in ended.err
    assert run("study", "run", "lucie", *LUCIE, "--seeds", "0..9", "--recheck", "4").code == 0


WRONG = {
    "no name": (["run"], "NAME"),
    "no game": (["run", "new", "--solver", "--seeds", "0..9"], "A new study needs --game"),
    "nothing to go on with": (["run", "new"], "A new study needs --game"),
    "unknown game": (["run", "new", "--game", "bele-lucie", "--solver", "--seeds", "0..9"], "did you mean"),
    "no method": (["run", "new", "--game", "belle-lucie", "--seeds", "0..9"], "--solver or --policy"),
    "no seeds": (["run", "new", *LUCIE], "which deals?"),
    "bad seeds": (["run", "new", *LUCIE, "--seeds", "9"], "Error: --seeds: '9' is not a range"),
    "far seeds": (["run", "new", *LUCIE, "--seeds", f"0..{2**63}"], "0..2^63-1"),
    "bad name": (["run", " ", *LUCIE, "--seeds", "0..9"], "is not a name of a study"),
    "no threads": (["run", "new", *LUCIE, "--seeds", "0..9", "--threads", "0"], "--threads"),
    "no plan": (["run", "absent.toml"], "No such file"),
    "recheck of a policy": (
        ["run", "new", "--game", "belle-lucie", "--policy", "random", "--seeds", "0..9", "--recheck", "3"],
        "--recheck goes with --solver",
    ),
    "unknown command": (["rnu"], "did you mean 'run'"),
    "unknown replay": (["run", "new", *LUCIE, "--seeds", "0..9", "--replay", "some"], "unknown replay mode"),
}


@pytest.mark.parametrize(("arguments", "message"), WRONG.values(), ids=WRONG)
def test_wrong_usage_is_2_and_leaves_no_store(run: Run, store: Path, arguments: list[str], message: str) -> None:
    ended = run("study", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err
    assert not store.exists()


def test_other_limits_are_refused_with_what_differs(run: Run) -> None:
    run("study", "run", "lucie", *LUCIE, "--seeds", "0..9")
    ended = run("study", "run", "lucie", *LUCIE, "--seeds", "0..9", "--seconds", "5", "--generator", "python")
    assert ended.code == 2
    assert "generator: stored unshuffle, now python; seconds: stored no limit, now 5.0" in ended.err
    assert run("study", "run", "luci").code == 2


@pytest.mark.parametrize("command", [["list"], ["show", "x"], ["report", "x"], ["compare", "x", "y"], ["delete", "x"]])
def test_without_a_store_there_is_nothing_to_read(run: Run, store: Path, command: list[str]) -> None:
    ended = run("study", *command)
    assert (ended.code, ended.out) == (74, "")
    assert "there is no store" in ended.err
    assert not store.exists()


def test_a_game_of_your_own(run: Run) -> None:
    golf = ["--load", ROOT / "examples" / "golf.py"]
    ended = run("study", "run", "golf", "--game", "golf", "--solver", "--seeds", "0..2", "--nodes", "9", *golf)
    assert ended.code == 0
    assert ended.out.startswith("golf: golf/")


def test_a_terminal_shows_how_far_it_is_and_ctrl_c_says_how_to_go_on(store: Path) -> None:
    with terminal() as (ours, theirs):
        process = subprocess.Popen(
            [*PROGRAM, "study", "run", "lucie", *LUCIE, "--seeds", "0..99999999", "--threads", "1"],
            stdout=subprocess.PIPE,
            stderr=theirs,
            env=environment(UNSHUFFLE_STORE=str(store), COLUMNS="200"),
        )
        os.close(theirs)
        shown = read_until(ours, " deals/s, ") + read_until(ours, " left, won ")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        shown += read_until(ours, "\0never")
    assert (process.returncode, out) == (130, b"")
    assert "of 100,000,000 deals, " in shown
    assert "\r\x1b[KInterrupted. " in shown
    assert "To go on: unshuffle study run lucie\r\n" in shown


def test_without_scipy_a_run_still_counts(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in [name for name in sys.modules if name.split(".")[0] == "scipy"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    ended = run("study", "run", "lucie", *LUCIE, "--seeds", "0..9")
    assert ended.code == 0
    assert "of 10 (intervals: pip install 'unshuffle[study]')" in ended.out


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_one_that_waits_says_for_what(monkeypatch: pytest.MonkeyPatch) -> None:
    from unshuffle.cli.run_line import RunLine
    from unshuffle.study import Standing

    screen = Screen()
    clock = iter((0.0, 1.0))
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(progress, "monotonic", lambda: next(clock))
    line = RunLine()
    line.show(Standing(None, 10, 8, 8, 1.0, 1, 7, 0, waiting=2))  # type: ignore[arg-type] # a run is not looked at
    assert screen.getvalue() == "\rwaiting for 2 deals that another process is playing\x1b[K"


def test_the_json_of_a_run_is_one_object_per_run(run: Run) -> None:
    ended = run("study", "run", "p", "--game", "belle-lucie", "--policy", "greedy,random", "--seeds", "0..9", "--json")
    assert [json.loads(line)["method"] for line in ended.out.splitlines()] == ["policy:greedy", "policy:random"]
