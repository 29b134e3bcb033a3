"""The schemas that are shipped: valid, strict, and true of what every command prints for every game.

Beside these tests every JSON line and every save of the other tests is held against them (`run` in tests/cli).
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

import unshuffle as un
from tests.cli.conftest import Run, run
from tests.laws import DATA, HIDDEN, OURS
from tests.schemas.checking import check_save, faults, schema_of
from unshuffle import schemas
from unshuffle.advise import adviser_of
from unshuffle.advise.parts import Setting
from unshuffle.advise.saves import Saves, new_record
from unshuffle.hidden.chance import Chance

pytestmark = pytest.mark.one_engine("checks the form of what is printed, not the answers")

__all__ = ["run"]

ADVISE = {**dict.fromkeys(HIDDEN, ("--samples", "2")), "belle-lucie": (), "gaps": ("--seconds", "0.1")}
# A small Spider, for the Python side plays on for seconds in a whole one.
SMALL = ("suits=1", "piles=3", "ranks=3", "runs=3", "table=6")
ADVISE["spider"] += tuple(word for rule in SMALL for word in ("--rule", rule))


def test_every_schema_is_one() -> None:
    for name in schemas.names():
        schema = schemas.load(name)
        jsonschema_rs.meta.validate(schema)
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert schema["$id"] == f"urn:unshuffle:schema:{name}"
        assert schema["title"]
        assert schema["description"]


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if "properties" in schema and schema.get("type") == "object":
            yield schema
        for part in schema.values():
            yield from objects(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from objects(part)


def test_objects_with_promised_keys_have_no_others() -> None:
    """Only the counts of a search and the fields of rules are open: what they are is the game's business."""
    for name in schemas.names():
        for part in objects(schemas.load(name)):
            is_open = set(part["properties"]) in ({"nodes", "seconds"}, {"variant"})
            assert is_open or part["additionalProperties"] is False, (name, part)
            assert set(part["required"]) <= set(part["properties"])


def test_an_unknown_schema_gets_the_nearest_one() -> None:
    with pytest.raises(un.UsageError, match="solve"):
        schemas.load("sovle")


def each_command(game: str, folder: Path) -> Iterator[tuple[str, ...]]:
    yield "games", game, "--json"
    yield "deal", game, "--seed", "7", "--json"
    yield "solve", game, "--seed", "7", "--nodes", "200", "--json"
    yield "verify", game, "--seed", "7", "--moves", un.game(game).deal(7).legal_moves()[0].token, "--json"
    first = un.game(game).deal(7).legal_moves()[0].token
    yield "review", game, "--seed", "7", "--moves", first, "--nodes", "200", "--seconds", "0.5", "--json"
    yield "simulate", game, "--policy", "greedy", "--seeds", "0..1", "--json"
    store = ("--store", str(folder / "s.sqlite"))
    yield "tournament", game, "--policy", "greedy", "--policy", "random", "--seeds", "0..3", *store, "--json"
    yield "advise", game, "--seed", "7", *ADVISE[game], "--json"
    yield "episodes", game, "--policy", "greedy", "--seed", "1", "--out", str(folder / "e.parquet"), "--json"
    yield "study", "run", "s", "--game", game, "--policy", "greedy", "--seeds", "0..3", *store, "--json"
    yield "study", "show", "s", *store, "--json"
    yield "study", "report", "s", *store, "--json"
    yield "study", "published", game, "--json"


@pytest.mark.parametrize("game", OURS)
def test_every_command_prints_what_its_schema_says(run: Run, game: str, tmp_path: Path) -> None:
    for arguments in each_command(game, tmp_path):
        name = schema_of(arguments)
        assert name is not None, arguments
        ended = run(*arguments)  # which holds each line against its schema
        assert ended.objects or name == "study-published", (arguments, ended.err)
        for value in ended.objects:
            _refuses_a_changed(name, value)


def _refuses_a_changed(name: str, value: dict[str, Any]) -> None:
    """The schema can fail: with a key more, a key less, or a value of another kind."""
    assert faults(name, value | {"surprise": 1})
    key = next(iter(value))
    assert faults(name, {other: part for other, part in value.items() if other != key})
    assert faults(name, value | {key: ["wrong"]})


def test_the_rest_of_the_commands(run: Run, tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "s.sqlite"))
    told: dict[str, list[tuple[str, ...]]] = {
        "games": [("games", "--json")],
        "deal": [("deal", "spider", "--variant", "1-suit", "--winnable", "--seed", "3", "--no-store", "--json")]
        if un.engine.native() is not None
        else [],
        "solve": [("solve", "belle-lucie", "--variant", "classic", "--seed", "7", "--redeal", "--json")],
        "tournament": [("tournament", "aces-up", "--rules", "1,20,300", "--seeds", "0..3", *store, "--json")],
        "advise": [
            ("advise", "aces-up", "--seed", "7", "--open", "--samples", "2", "--json"),
            ("advise", "belle-lucie", "--variant", "classic", "--seed", "7", "--json"),
        ],
        "values": [
            ("values", "show", "belle-lucie", "--variant", "classic", "9 13 13 13", "--json"),
            ("values", "show", "gaps", "9 9 8 8", "--json"),
        ],
        "study-import": [
            ("study", "import", "--game", "aces-up", str(DATA / "aces-up" / "peer-sample.sqlite"), *store, "--json")
        ],
        "study-report": [
            ("study", "run", "a", "--game", "belle-lucie", "--solver", "--seeds", "0..9", *store, "--json")
        ],
        "check-game": [
            ("check-game", "aces-up", "--variant", "standard", "--law", "cards", "--seeds", "0..1", "--json")
        ],
        "study-compare": [("study", "compare", "a", "b", *store, "--json")],
        "study-list": [("study", "list", *store, "--json")],
        "study-show": [("study", "show", "tournament-aces-up-standard", *store, "--json")],
    }
    run("study", "run", "b", "--game", "belle-lucie", "--solver", "--seeds", "0..9", *store)
    for name, lines in told.items():
        for arguments in lines:
            assert schema_of(arguments) == name
            ended = run(*arguments)
            assert ended.objects, (arguments, ended.err)


def test_a_trace_is_as_its_schema_says(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    run("solve", "belle-lucie", "--seed", "7", "--trace", path)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines
    for line in lines:
        assert not faults("trace", json.loads(line))


@pytest.mark.parametrize("game", OURS)
def test_saves_of_play_are_as_their_schema_says(run: Run, game: str, tmp_path: Path) -> None:
    ended = run("play", game, "--seed", "7", "--id", "g", "--saves", tmp_path, "--seconds", "0.1", stdin="1\nu\nq\n")
    assert ended.code == 0, ended.err
    value = json.loads((tmp_path / "g.json").read_text(encoding="utf-8"))
    assert (value["moves"], len(value["undone"])) == ([], 1)
    _refuses_a_changed("play-save", value)


@pytest.mark.parametrize("game", OURS)
@pytest.mark.parametrize("prompt", ["entry", "play"])
def test_saves_of_advise_are_as_their_schema_says(game: str, prompt: str, tmp_path: Path) -> None:
    adviser = adviser_of(un.game(game))
    view: Any = un.game(game).deal(7).view()
    draft = (
        adviser.typed.blank(Setting()) if prompt == "entry" else adviser.typed.draft_of(getattr(view, "table", view))
    )
    record = new_record("g", draft)
    record.prompt = prompt
    record.phase.chance = Chance(0.25, None)
    record.model = record.declared = next(iter(adviser.models), "")
    saves = Saves(tmp_path, game)
    saves.write(adviser, record)
    saves.read("g")  # what our own reader takes
    text = (tmp_path / "g.json").read_text(encoding="utf-8")
    check_save(text)
    value = json.loads(text)
    _refuses_a_changed("advise-save", value)
    broken = copy.deepcopy(value)
    broken["passes"][0]["phases"][0]["chance"] = [2, None]
    assert faults("advise-save", broken)
