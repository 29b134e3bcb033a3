"""What the pages say of a game by `--load`: where it works, and where it is refused."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import unshuffle as un
from tests.cli.conftest import Run, run
from tests.cli.program import Ended
from tests.docs.pages import read
from tests.laws import ROOT
from tests.web.test_serving import started
from unshuffle import registry
from unshuffle.cli.app import COMMANDS, app
from unshuffle.hidden import policy as ways
from unshuffle.study import Plan, StudyInterrupted

pytestmark = pytest.mark.one_engine("the pages show the native engine")

__all__ = ["run"]  # the fixture

FILE = ROOT / "examples" / "golf.py"
GUIDE = "howto/add-a-game.md"
PAGES = {
    GUIDE: (r"Then (.*?) work with it;", r"nothing has to be built\. (.*?) are written for each"),
    "cli.md": (None, r"before or after the command\. (.*?) are written for each game"),
}
"""How each page says where such a game works, and where it is refused."""
_READING = ("list", "show", "report", "compare", "export", "delete", "published", "import")
GAMELESS = {f"study {part}" for part in _READING}
"""Commands to which nobody names a game to be played: they know it from the store or from a file."""


@pytest.fixture(autouse=True)
def is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The game is known by `--load` alone: other tests in this process have loaded it already."""
    known = {name: entry for name, entry in registry._registered.items() if name != "golf"}
    monkeypatch.setattr(registry, "_registered", known)
    for name in [name for name in sys.modules if name.startswith(registry._LOADED)]:
        monkeypatch.delitem(sys.modules, name)
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith(registry._LOADED):
            del sys.modules[name]


def said(name: str, which: int) -> set[str]:
    """The commands of one of the two lists of a page."""
    pattern = PAGES[name][which]
    assert pattern is not None
    found = re.search(pattern, " ".join(read(name).split()))
    assert found is not None, name
    return set(re.findall(r"`([^`]+)`", found[1]))


def leaves() -> Iterator[tuple[str, Any]]:
    """Every command that can be run, as the parser has it."""
    root: Any = get_command(app)
    for name in COMMANDS:
        command = root.get_command(None, name)
        parts = getattr(command, "commands", None)
        if parts is None:
            yield name, command
        else:
            yield from ((f"{name} {part}", parts[part]) for part in parts)


ASKED: dict[str, tuple[str, ...]] = {
    "games": ("{}",),
    "deal": ("{}", "--seed", "16"),
    "solve": ("{}", "--seed", "16", "--nodes", "200"),
    "verify": ("{}", "--seed", "16", "--moves", ""),
    "review": ("{}", "--seed", "16", "--moves", "", "--nodes", "50"),
    "advise": ("{}", "--seed", "16"),
    "play": ("{}", "--seed", "16"),
    "simulate": ("{}", "--policy", "greedy", "--seeds", "0..1"),
    "tournament": ("{}", "--policy", "greedy", "--policy", "random", "--seeds", "0..1"),
    "episodes": ("{}", "--policy", "greedy", "--seed", "1", "--out", "e.parquet"),
    "values build": ("{}",),
    "values show": ("{}", "9C"),
    "check-game": ("{}", "--law", "cards", "--seeds", "0..1"),
    "study run": ("s", "--game", "{}", "--solver", "--seeds", "0..1", "--nodes", "9"),
}
"""A question about a game (its id stands for the braces) to every command that is asked about a game, but `serve`."""


def ask(name: str, game: str) -> list[str]:
    """The line of a command about a game."""
    return [*name.split(), *(word.format(game) for word in ASKED[name])]


LEAVES = [name for name, _ in leaves()]


def test_the_pages_say_of_every_command_whether_it_works() -> None:
    working, refusing = said(GUIDE, 0), said(GUIDE, 1)
    assert working | {name.split()[0] for name in refusing} == set(COMMANDS)
    assert working & refusing == set()
    assert said("cli.md", 1) == refusing
    assert {*ASKED, *GAMELESS, "serve"} == set(LEAVES)


def test_the_help_says_it_too(run: Run) -> None:
    told = " ".join(run("--help").out.split())
    names = re.search(r"Its games do not work with (.*?) unless they bring that part\. ", told)
    assert names is not None
    assert set(re.split(r", | and ", names[1])) == said(GUIDE, 1)


@pytest.mark.parametrize("place", ["before", "after"])
@pytest.mark.parametrize("name", ASKED)
def test_a_command_does_what_the_guide_says(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, place: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UNSHUFFLE_STORE", "s.sqlite")
    line = ask(name, "golf")
    load: list[object] = ["--load", FILE]
    takes_load = any(param.name == "load" for param in dict(leaves())[name].params)
    assert takes_load or name == "values build"
    ended = run(*(load + line if place == "before" or not takes_load else line + load), stdin="q\n")
    command = name.split()[0]
    if command in said(GUIDE, 0):
        # Decided, lost or a limit was met.
        assert ended.code in ((0, 1, 3) if command in ("solve", "verify") else (0,)), ended.err
        assert "golf" in (ended.out + ended.err).lower() or command == "verify"
    else:
        assert command in said(GUIDE, 1)
        assert (ended.code, ended.out) == (2, "")
        assert re.fullmatch(
            r"Error: there (is|are) no .*golf.*; there (is one for|are of) .*belle-lucie.*\n", ended.err
        )
        assert not list(tmp_path.glob("*.parquet"))


def test_the_coach_looks_at_its_moves(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ended = run("play", "golf", "--coach", "--load", FILE, "--seed", "16", stdin="d\nq\n")
    assert ended.code == 0, ended.err
    assert "Coach: d is the best move known: " in ended.out


def test_its_environment_is_that_of_all_games() -> None:
    import gymnasium

    from unshuffle.envs.playing import describe_environment

    un.load(FILE)
    assert "Its environment is [`unshuffle/Patience-v0`]" in read(GUIDE)
    name, arguments = describe_environment(un.game("golf"))
    assert gymnasium.make(name, **arguments).get_wrapper_attr("stepped").game.id == "golf"
    with pytest.raises(gymnasium.error.NameNotFound):
        gymnasium.make("unshuffle/Golf-v0")


def test_a_study_of_it_is_read_without_the_file(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands that name no game."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UNSHUFFLE_STORE", "s.sqlite")
    for policy in ("greedy", "random"):
        ended = run("study", "run", policy, "--game", "golf", "--policy", policy, "--seeds", "0..1", "--load", FILE)
        assert ended.code == 0, ended.err
    ended = run("--load", FILE, "study", "published", "golf")
    assert (ended.code, ended.out) == (0, "No published figures of golf are known.\n")
    ended = run("--load", FILE, "study", "import", "s.sqlite", "--game", "golf")
    assert ended.code == 2
    assert ended.err.startswith("Error: there is no other program whose results of 'golf' can be imported; ")
    registry._registered.pop("golf")
    lines = {
        "study list": [],
        "study show": ["greedy"],
        "study report": ["greedy"],
        "study compare": ["greedy", "random"],
        "study export": ["greedy", "out.csv"],
        "study delete": ["greedy", "--yes"],
    }
    for name, rest in lines.items():
        ended = run(*name.split(), *rest)
        assert ended.code == 0, (name, ended.err)
        assert "golf" in ended.out or name in ("study export", "study delete")
    assert {*lines, "study published", "study import"} == GAMELESS


def test_the_page_plays_it(tmp_path: Path) -> None:
    assert "serve" in said(GUIDE, 0)
    with started(tmp_path, "--load", str(FILE)) as (_, client):
        assert "golf" in {game["id"] for game in client.get("/api/games").json()}
        table = client.post("/api/tables", json={"game": "golf", "seed": "16"}).json()
        moved = client.post(f"/api/tables/{table['id']}/moves", json={"moves": [table["legal"][0]["token"]]})
        assert moved.status_code == 200, moved.text
        asked = client.post("/api/advised", json={"game": "golf"})
        assert asked.status_code == 201, asked.text
        assert asked.json()["stage"] == "entry"


POLICY = """
import unshuffle as un
from unshuffle.simulate import register_policy


class Last(un.Policy):
    name = "last"

    def player(self, luck):
        return lambda view, moves: moves[-1]


register_policy("last", lambda game, text: Last(), game="golf")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with games and a policy, and a store of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UNSHUFFLE_STORE", "s.sqlite")
    monkeypatch.setattr(registry, "_origins", dict(registry._origins))
    monkeypatch.setattr(ways, "_registered", {name: dict(makes) for name, makes in ways._registered.items()})
    (tmp_path / "my golf.py").write_text(FILE.read_text("utf-8"), "utf-8")
    (tmp_path / "ladder.py").write_text((ROOT / "tests" / "ladder.py").read_text("utf-8"), "utf-8")
    (tmp_path / "last.py").write_text(POLICY, "utf-8")
    return tmp_path


def forget() -> None:
    """Be as a process that has loaded nothing."""
    for name in ("golf", "ladder"):
        registry._registered.pop(name, None)
        registry._origins.pop(name, None)
    ways._registered.pop("golf", None)
    for name in [name for name in sys.modules if name.startswith(registry._LOADED)]:
        del sys.modules[name]


def paste(run: Run, said: str, **options: str) -> Ended:
    """Run the command that ends a line, in a process that has loaded nothing."""
    forget()
    return run(*shlex.split(re.sub(r"^.*?unshuffle ", "", said)), **options)


@pytest.mark.parametrize("place", ["before", "after"])
@pytest.mark.usefixtures("folder")
def test_a_printed_command_finds_the_game_again(run: Run, place: str) -> None:
    """What was wrong: `To go on: unshuffle advise freecell --id late2` ended with an unknown game."""
    load = ["--load", "my golf.py"]
    for line, said in ((["advise", "golf", "--id", "asked"], "z\n"), (["play", "golf", "--seed", "16"], "d\nz\n")):
        ended = run(*([*load, *line] if place == "before" else [*line, *load]), "--saves", "s", stdin=said)
        last = ended.out.splitlines()[-1]
        assert last.endswith(" --saves s --load 'my golf.py'")
        again = paste(run, last, stdin="z\n")
        assert (again.code, again.out.splitlines()[-1]) == (0, last)


@pytest.mark.usefixtures("folder")
def test_a_report_loads_the_games_and_the_policies_of_its_study(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    load = ["--load", "my golf.py", "--load", "last.py"]
    ended = run("study", "run", "a", "--game", "golf", "--policy", "last,greedy", "--seeds", "0..1", *load)
    assert ended.code == 0, ended.err
    told = run(*load, "study", "report", "a", "--markdown", "-").out
    [line] = re.findall(r"unshuffle study run a .*", told)
    assert line.endswith(" --load 'my golf.py' --load last.py")
    monkeypatch.setenv("UNSHUFFLE_STORE", "other.sqlite")
    assert paste(run, line).code == 0
    assert re.findall(r"unshuffle study run a .*", run("study", "report", "a", "--markdown", "-").out) == [line]

    def interrupted(plan: Plan, *_: object, **__: object) -> None:
        raise StudyInterrupted(plan, Path("other.sqlite"))

    with monkeypatch.context() as patched:
        patched.setattr("unshuffle.cli.study.run_study", interrupted)
        ended = run(*load, "study", "run", "a")
    assert ended.err.splitlines()[-1] == "To go on: unshuffle study run a --load 'my golf.py' --load last.py"
    assert paste(run, ended.err.splitlines()[-1]).code == 0


def test_what_can_be_asked_instead_loads_the_game(run: Run, folder: Path) -> None:
    run("deal", "ladder", "--seed", "1", "--load", "ladder.py")
    game = un.game("ladder")
    (folder / "seen.txt").write_text(game.format(game.deal(1), hidden=True), "utf-8")
    ended = run("solve", "ladder", "seen.txt", "--load", "ladder.py")
    asked = re.findall(r"unshuffle (?:simulate|deal) .*", ended.err)
    assert len(asked) == 2
    for each in asked:
        again = paste(run, each.replace("--samples 1000", "--samples 2"))
        assert again.code == 0, again.err


@pytest.mark.usefixtures("folder")
def test_an_unknown_game_may_be_one_of_your_own(run: Run) -> None:
    run("study", "run", "a", "--game", "golf", "--policy", "greedy", "--seeds", "0..1", "--load", "my golf.py")
    forget()
    for line in (["study", "run", "a"], ["verify", "golf", "win.txt", "--moves="], ["play", "golf", "--id", "mine"]):
        ended = run(*line)
        assert (ended.code, ended.out) == (2, "")
        assert re.search(r"unknown game 'golf' \(known: .*; a game of your own comes with --load FILE\)", ended.err)
    assert "--load" not in run("solve", "agnse", "--seed", "1").err
