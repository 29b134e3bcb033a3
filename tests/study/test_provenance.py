"""What makes a study again makes the same one, and the digest tells whether two have the same numbers."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
from tests.cli.conftest import Run, run
from tests.study.filled import fill_policy, fill_solver, make_spec
from unshuffle.cli import study as command
from unshuffle.store import Store
from unshuffle.study import Plan, make_parts, read_plan
from unshuffle.study.citing import citation, digest
from unshuffle.study.document import write_markdown
from unshuffle.study.remaking import remake
from unshuffle.study.report import report_rows
from unshuffle.study.sections import read_found

pytestmark = pytest.mark.one_engine("checks the statistics and their pages, not the answers")

__all__ = ["run"]  # the fixture

LUCIE: dict[str, Any] = {"game": "belle-lucie", "seeds": "0..99"}
SOREL: dict[str, Any] = {"game": "agnes", "seeds": "0..9", "solver": True}
MANY = [f"rules:{first},{second}" for first in (1, 2, 3, 4) for second in (10, 20, 100, 200, 300)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.sqlite") as opened:
        yield opened


class _CaughtError(Exception):
    """The plan that was about to be played."""


def plan_of(text: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> Plan:
    """What the command line would play."""
    caught: list[Plan] = []

    def catch(plan: Plan, *_: object, **__: object) -> list[Any]:
        caught.append(plan)
        raise _CaughtError

    monkeypatch.setattr(command, "run_study", catch)
    program, *words = shlex.split(text)
    assert program == "unshuffle"
    ended = run(*words)
    assert "Caught" in ended.err, ended.err
    return caught[0]


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("a", [LUCIE | {"solver": True}], "--solver --seeds 0..99 --nodes 10000000 --seconds 0 --memory 1GiB"),
        ("a b'c", [LUCIE | {"solver": True, "seconds": 0, "nodes": 5000, "memory": 1_000_001}], "--memory 1000001"),
        ("a", [LUCIE | {"solver": True, "seconds": 0.25, "maximize": True, "moves": True}], "--seconds 0.25"),
        ("a", [LUCIE | {"solver": True, "replay": "all", "generator": "ms", "seeds": "1..9"}], "--generator ms"),
        ("a", [LUCIE | {"variant": "trefoil", "rule": ["redeals=1"], "policy": "greedy,random"}], "--policy greedy"),
        ("a", [{"game": "agnes", "variant": "all", "solver": True, "seeds": "0..9"}], "--variant all"),
        ("a", [{"game": "agnes", "solver": True, "seeds": "0..9", "infer": False}], "--no-infer"),
        ("a", [{"game": "aces-up", "policy": ["rules:2,1,10", "rules:20@documented"], "seeds": "5..9"}], "rules:2,1"),
        ("a", [{"game": "gaps", "variant": "basic,addiction", "policy": "max-locked:9", "seeds": "0..1"}], "basic,add"),
        ("a", [{"game": "spider", "policy": "greedy,random", "seeds": "0..1"}], "random:1000"),
    ],
)  # fmt: skip
def test_a_command_makes_the_same_runs(
    name: str, options: list[dict[str, Any]], words: str, store: Store, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = tuple(part for each in options for part in make_parts(**each))
    runs = store.add_runs(name, [part.spec() for part in parts])
    made = remake(name, runs)
    assert made is not None
    assert (made.is_plan, made.fault) == (False, None)
    assert words in made.text
    plan = plan_of(made.text, run, monkeypatch)
    assert plan.name == name
    assert [part.spec() for part in plan.parts] == [part.spec() for part in parts]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("two", [LUCIE | {"solver": True}, LUCIE | {"policy": "greedy"}]),
        ("ends.toml", [LUCIE | {"solver": True}]),
        ("-dash \\ \"quotes\" ü", [LUCIE | {"solver": True}]),
        ("many", [{"game": "aces-up", "policy": MANY, "seeds": "0..9"}]),
        ("limits", [SOREL | {"variant": "up-suit-none", "nodes": 9}, SOREL | {"variant": "down-suit-none"}]),
        ("ragged", [LUCIE | {"policy": "greedy,random"}, LUCIE | {"variant": "trefoil", "policy": "greedy"}]),
        ("seeds", [LUCIE | {"solver": True}, LUCIE | {"variant": "fan", "solver": True, "seeds": "3..7"}]),
    ],
)  # fmt: skip
def test_a_plan_makes_the_same_runs(name: str, options: list[dict[str, Any]], store: Store, tmp_path: Path) -> None:
    parts = tuple(part for each in options for part in make_parts(**each))
    runs = store.add_runs(name, [part.spec() for part in parts])
    made = remake(name, runs)
    assert made is not None
    assert (made.is_plan, made.fault) == (True, None)
    file = tmp_path / "plan.toml"
    file.write_text(made.text, encoding="utf-8")
    plan = read_plan(file)
    assert plan.name == name
    assert [part.spec() for part in plan.parts] == [part.spec() for part in parts]


def test_a_game_that_is_not_here_or_has_other_rules_is_told(store: Store) -> None:
    run = fill_solver(store, "s", ["solved"], game="no-such-game")
    made = remake("s", [run])
    assert made is not None
    assert made.fault is not None
    assert "unknown game 'no-such-game'" in made.fault
    assert made.text.startswith("unshuffle study run s --game no-such-game ")
    run = fill_solver(store, "t", ["solved"])  # rules that no belle-lucie/one-deal has
    made = remake("t", [run])
    assert made is not None
    assert "rules or options have changed" in str(made.fault)


def test_decks_and_imports_are_made_by_no_command(store: Store) -> None:
    assert remake("none", []) is None
    assert remake("decks", [fill_policy(store, "decks", [True], generator="deck", first_seed=1)]) is None


def digest_of(store: Store, study: str) -> str:
    return digest(store, read_found(store, study))


SOME = ["solved"] * 3 + ["unsolvable"] * 5 + ["node-limit"] * 2


def test_the_same_numbers_have_the_same_digest(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(un, "__version__", "0.1.0")  # the digest covers the version that played
    fill_solver(store, "a", SOME)
    fill_policy(store, "a", [True, False])
    # Another name, another order, cut into other pieces.
    fill_policy(store, "b", [True, False])
    fill_solver(store, "b", SOME, sizes=(1, 4), engine="python", package_version="9.9")  # planned elsewhere
    assert digest_of(store, "a") == digest_of(store, "b")
    # Frozen: a digest that someone has cited is found again.
    assert digest_of(store, "a") == "278a87188d82853fdae51df23b699861091c06b739e8319c43ed5d736ab1d6c4"


@pytest.mark.parametrize(
    "changes",
    [
        {"nodes_limit": 99_999}, {"memory_limit": None}, {"seconds_limit": 1.0}, {"variant": "fan"}, {"game": "fan"},
        {"rules": {"fan_size": "4"}}, {"generator": "ms"}, {"first_seed": 1}, {"maximize": True},
    ],
)  # fmt: skip
def test_other_conditions_have_another_digest(store: Store, changes: dict[str, Any]) -> None:
    fill_solver(store, "a", SOME)
    fill_solver(store, "b", SOME, **changes)
    assert digest_of(store, "a") != digest_of(store, "b")


@pytest.mark.parametrize("place", range(len(SOME)))
def test_other_counts_have_another_digest(store: Store, place: int) -> None:
    fill_solver(store, "a", SOME)
    others = [*SOME]
    others[place] = "unsolvable" if SOME[place] != "unsolvable" else "solved"
    fill_solver(store, "b", others)
    fill_solver(store, "c", SOME[:-1])
    assert len({digest_of(store, study) for study in "abc"}) == 3


@pytest.mark.parametrize("changes", [{"engine": "python"}, {"package_version": "9.9"}])
def test_another_engine_or_version_has_another_digest(store: Store, changes: dict[str, str]) -> None:
    """Another search looks at other positions, so that a limit of nodes cuts off other deals."""
    for study in "ab":
        fill_solver(store, study, SOME)
    before = digest_of(store, "b")
    for column, value in changes.items():
        store._db.execute(f"UPDATE chunk SET {column} = ? WHERE run_id = 2", (value,))
    assert digest_of(store, "a") == before != digest_of(store, "b")


def test_a_limit_by_the_clock_is_named_as_not_reproducible(store: Store) -> None:
    fill_solver(store, "nodes", SOME)
    fill_solver(store, "clock", SOME, seconds_limit=1.5)
    fill_solver(store, "decided", ["solved", "unsolvable"], seconds_limit=1.5)
    fill_policy(store, "budget", [True], game="gaps", variant="addiction", method="policy:value:0.3s")
    fill_policy(store, "counted", [True], game="gaps", variant="addiction", method="policy:value:300")
    texts = {name: " ".join(write_markdown(store, name).split()) for name in ("nodes", "clock", "decided", "budget")}
    for name, text in texts.items():
        assert ("To make it again" in text) == (name == "nodes"), name
        assert ("Not reproducible: It has a limit by the clock." in text) == (name != "nodes"), name
        assert ("NOT REPRODUCIBLE: a clock limits" in text) == (name != "nodes"), name
        assert ("every run that decides them all has the same verdicts" in text) == (name == "decided"), name
        assert [row["by_clock"] for row in report_rows(store, name)] == [name != "nodes"]
    assert "To make it again" in write_markdown(store, "counted")


def test_a_study_has_no_limit_by_the_clock_unless_it_is_asked_for(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNSHUFFLE_STORE", str(tmp_path / "s.sqlite"))
    assert run("study", "run", "s", "--game", "belle-lucie", "--solver", "--seeds", "0..9").code == 0
    shown = json.loads(run("study", "show", "s", "--json").out)
    assert (shown["nodes_limit"], shown["seconds_limit"], shown["by_clock"]) == (10_000_000, None, False)


def test_a_citation_names_deals_versions_and_digest(store: Store) -> None:
    fill_solver(store, "a", SOME)
    found = read_found(store, "a")
    line = citation("a", found, "finished 2026-01-02", "0" * 64)
    for words in (
        'study "a"',
        "belle-lucie/one-deal solver",
        "10 deals",
        "seeds 0..9",
        "finished 2026-01-02",
        "0" * 64,
    ):
        assert words in line, words
    fill_policy(store, "a", [True, False])
    line = citation("a", read_found(store, "a"), "unfinished", "0" * 64)
    assert "belle-lucie, 2 runs, 2 to 10 deals each (generator unshuffle, seeds 0..9 and" in line


def test_a_study_that_is_only_planned_has_a_citation_too(store: Store) -> None:
    store.add_run("a", make_spec(5))
    assert "unknown" in citation("a", read_found(store, "a"), "unfinished", "0" * 64)
