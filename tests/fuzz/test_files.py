"""Files of every kind that are not what they should be: refused by the errors that say so, and left as they are."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import unshuffle as un
from tests.fuzz.mangling import changed, damaged, mangled, noise
from tests.laws import DATA, OURS
from tests.store.making import finish, spec
from unshuffle.advise import adviser_of
from unshuffle.advise.parts import Draft, Setting, read_board
from unshuffle.advise.saves import Saves, new_record
from unshuffle.cli.deckfile import read_deck_file
from unshuffle.errors import InvalidDealError, ParseError, RefusedError, StoreError, UsageError
from unshuffle.games.aces_up import peer
from unshuffle.games.aces_up.hidden import features, values
from unshuffle.games.aces_up.study.peer_file import read_peer_file
from unshuffle.games.belle_lucie.hidden import values as lucie_values
from unshuffle.games.gaps.hidden import values as gaps_values
from unshuffle.play.saves import PlaySaves
from unshuffle.play.table import Table
from unshuffle.store import Store
from unshuffle.study.planfile import read_plan
from unshuffle.study.published import read_figures

LONGEST = 6000
# A file for each example: the folder stays the same.
in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def refused(read: Any, path: Path, *kinds: type[ValueError]) -> bool:
    """Whether a file is refused in words; read or refused, it stays as it is."""
    before = path.read_bytes()
    try:
        read()
    except kinds as error:
        assert 0 < len(str(error)) <= LONGEST
        return True
    finally:
        assert path.read_bytes() == before
        # A folder of saves has a lock, which holds nothing.
        assert [each.name for each in path.parent.iterdir() if each.name != ".lock"] == [path.name]
    return False


def advised(game_id: str, seed: int = 7) -> str:
    """A save file of the adviser: some moves into a deal."""
    game = un.game(game_id)
    adviser = adviser_of(game)
    state = game.deal(seed)
    shown: Any = state.view()
    draft = adviser.typed.draft_of(getattr(shown, "table", shown))
    record = new_record("g", draft)
    record.prompt = "play"
    if adviser.models:
        record.model = record.declared = next(iter(adviser.models))
    return Saves(Path(), game_id).text(adviser, record)


def played(game_id: str, folder: Path) -> bytes:
    """A save file of a game that was played here."""
    game = un.game(game_id)
    table = Table(game, game.deal(7), "g", "")
    for _ in range(4):
        table.play(table.state.legal_moves()[0])
    PlaySaves(folder, game_id).write(table)
    # Hypothesis draws from this data again: it must not depend on the clock.
    return re.sub(rb'("updated": )"[^"]*"', rb'\1"2026-11-19T00:00:00+00:00"', (folder / "g.json").read_bytes())


def test_the_saves_that_are_mangled_are_sound(tmp_path: Path) -> None:
    for game_id in OURS:
        (tmp_path / "g.json").write_text(advised(game_id))
        assert Saves(tmp_path, game_id).read("g")[1].prompt == "play"
        (tmp_path / "g.json").unlink()
        played(game_id, tmp_path)
        assert len(PlaySaves(tmp_path, game_id).read("g").moves) == 4
        (tmp_path / "g.json").unlink()


@pytest.mark.parametrize("game_id", OURS)
@in_one_folder
@given(data=st.data())
def test_a_changed_save_of_the_adviser_is_read_or_refused(game_id: str, tmp_path: Path, data: st.DataObject) -> None:
    sound = json.loads(advised(game_id))
    path = tmp_path / "g.json"
    path.write_text(json.dumps(data.draw(changed(sound))), encoding="utf-8")
    saves = Saves(tmp_path, game_id)
    if not refused(lambda: saves.read("g"), path, ParseError):
        adviser, record = saves.read("g")
        path.write_text(saves.text(adviser, record), encoding="utf-8")
        assert Saves(tmp_path, game_id).read("g")[1] == record


@pytest.mark.parametrize("game_id", OURS)
@in_one_folder
@given(data=st.data())
def test_a_changed_save_of_play_is_read_or_refused(game_id: str, tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "g.json"
    path.unlink(missing_ok=True)
    sound = json.loads(played(game_id, tmp_path))
    path.write_text(json.dumps(data.draw(changed(sound))), encoding="utf-8")
    saves = PlaySaves(tmp_path, game_id)
    refused(lambda: saves.read("g"), path, ParseError)
    # The list of saved games tells what is wrong with a file, and goes on.
    refused(saves.played, path)


@pytest.mark.parametrize("game_id", ["belle-lucie", "spider"])
@in_one_folder
@given(data=st.data())
def test_a_save_that_the_disk_has_damaged_is_read_or_refused(game_id: str, tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "g.json"
    path.unlink(missing_ok=True)
    for sound in (advised(game_id).encode(), played(game_id, tmp_path)):
        path.write_bytes(data.draw(damaged(sound)))
        refused(lambda: Saves(tmp_path, game_id).read("g"), path, ParseError)
        refused(lambda: PlaySaves(tmp_path, game_id).read("g"), path, ParseError)


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, '{"format":' * 50_000, "9" * 5000, '"' + "\\ud800" * 10 + '"', "{}", "null", "\ufeff{}", "nan"],
)
def test_json_that_is_none_of_ours_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    path.write_text(text, encoding="utf-8")
    assert refused(lambda: Saves(tmp_path, "gaps").read("g"), path, ParseError)
    assert refused(lambda: PlaySaves(tmp_path, "gaps").read("g"), path, ParseError)
    assert refused(lambda: values.read_values(path), path, UsageError)
    assert refused(lambda: features.read_weights(path), path, UsageError)


@pytest.mark.parametrize("game_id", OURS)
@given(data=st.data())
def test_answers_at_the_entry_are_cards_or_refused(game_id: str, data: st.DataObject) -> None:
    """Each answer into an empty draft, and into one that it was made from."""
    game = un.game(game_id)
    adviser, setting = adviser_of(game), Setting()
    draft: Draft = adviser.typed.blank(setting)
    lines = str(game.deal(data.draw(st.integers(0, 99)))).splitlines()
    for _ in range(4):
        answer = data.draw(st.one_of(noise, st.sampled_from(lines).flatmap(mangled))).strip()
        is_edit = data.draw(st.booleans())
        try:
            draft, notes = adviser.typed.enter(draft, answer, setting, is_edit=is_edit)
        except (RefusedError, ParseError, InvalidDealError) as error:
            assert 0 < len(str(error)) <= LONGEST
        else:
            assert all(isinstance(note, str) for note in notes)
        adviser.typed.rows(draft, for_person=True)
        if not adviser.typed.faults(adviser.typed.tidy(draft), setting) and adviser.typed.is_complete(draft, setting):
            adviser.typed.lay_out(adviser.typed.tidy(draft), setting)
    with suppress(ParseError):
        read_board(data.draw(noise))


PLAN = (
    'name = "s"\nthreads = 2\n\n[[run]]\ngame = "belle-lucie"\nvariant = "classic,fan"\npolicy = "greedy"\n'
    'seeds = "0..99"\nrule = { fan_size = 3 }\n\n[[run]]\ngame = "gaps"\nsolver = true\nprecision = "1%"\n'
    'nodes = 100\nseconds = 1.5\nmemory = "1GiB"\nmaximize = false\ngenerator = "python"\nreplay = "all"\n'
)


@in_one_folder
@given(data=st.data())
def test_a_plan_is_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(data.draw(st.one_of(noise, mangled(PLAN))), encoding="utf-8", newline="")
    refused(lambda: read_plan(path), path, UsageError, ParseError)


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 20_000,
        "threads = " + "9" * 5000,
        'game = "gaps"\nsolver = true\nseeds = "0..1"\nthreads = -99999999999999999999\n',
        'game = "gaps"\nsolver = true\nseeds = "0..1"\nmemory = "lots"\n',
        'game = "gaps"\nsolver = true\nseeds = "0..1"\nmemory = -1\n',
        'game = "gaps"\nsolver = true\nseeds = "0..1"\nnodes = -1\n',
        'game = "gaps"\nsolver = true\nseeds = "0..1"\nseconds = nan\n',
        'game = "gaps"\nsolver = true\nprecision = nan\n',
        'game = "gaps"\nsolver = true\nprecision = 1e-300\n',
        'game = "gaps"\nsolver = true\nprecision = "0%"\n',
        'game = "gaps"\nsolver = true\nprecision = "1e999%"\n',
        'game = "gaps"\nsolver = true\nprecision = "1%"\nguess = inf\n',
        'game = "gaps"\nsolver = true\nseeds = "0..1"\nvariant = []\n',
        'game = "gaps"\npolicy = []\nseeds = "0..1"\n',
        'game = "gaps"\npolicy = "value:1e999s"\nseeds = "0..1"\n',
        'game = "gaps"\nsolver = true\nseeds = "0..1"\nload = ["."]\n',
        'game = "gaps"\nsolver = true\nseeds = "0..1"\ngenerator = "ms"\n',
        'game = "gaps"\nsolver = true\nseeds = "0..1"\nname = ""\n',
        "run = 1\n",
        "run = []\n",
        "[[run]]\n[[run]]\n",
    ],
)
def test_plans_that_make_no_sense_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(text, encoding="utf-8")
    assert refused(lambda: read_plan(path), path, UsageError)


@in_one_folder
@given(data=st.data())
def test_files_of_decks_are_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    game = un.game("aces-up")
    deck = un.Source(3).deck(game.pack)
    sound = f"Deck: {' '.join(map(str, deck))}\n{peer.write_deck(deck)}\n"
    path = tmp_path / "decks.txt"
    path.write_text(data.draw(st.one_of(noise, mangled(sound))), encoding="utf-8")

    def foreign(line: str) -> Any:
        return peer.read_deck(line) if peer.is_deck(line) else None

    refused(lambda: read_deck_file(path, game, foreign), path, InvalidDealError, ParseError)


@in_one_folder
@given(data=st.data())
def test_a_results_file_of_the_aces_up_program_is_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "peer.sqlite"
    path.write_bytes(data.draw(damaged((DATA / "aces-up" / "peer-sample.sqlite").read_bytes())))
    refused(lambda: read_peer_file(path), path, InvalidDealError, ParseError)


@in_one_folder
@given(data=st.data())
def test_rows_of_a_results_file_are_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "peer.sqlite"
    path.write_bytes((DATA / "aces-up" / "peer-sample.sqlite").read_bytes())
    table, column = data.draw(
        st.sampled_from(
            [("decks", "cards"), ("moves", "moves_str"), ("moves", "rule_counts"), ("strategies", "rule_list"),
             ("batches", "runtime"), ("batches", "n_games"), ("solutions", "deck_id"), ("solutions", "batch_id")]
        )
    )  # fmt: skip
    value = data.draw(
        st.one_of(
            st.none(), noise, st.binary(max_size=20), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False)
        )
    )
    db = sqlite3.connect(path)
    with suppress(sqlite3.IntegrityError):
        db.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = (SELECT max(rowid) FROM {table})", (value,))
        db.commit()
    db.close()
    refused(lambda: read_peer_file(path), path, InvalidDealError, ParseError)


def small_store(path: Path) -> bytes:
    with Store.open(path) as store:
        finish(store, store.add_run("s", spec(0, 499)), 0, 499)
    return path.read_bytes()


@in_one_folder
@given(data=st.data())
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_damaged_store_is_refused_or_read_and_never_a_crash(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("store")
    path = folder / "s.sqlite"
    spoilt = data.draw(damaged(small_store(path)))
    path.write_bytes(spoilt)
    try:
        with Store.open(path) as store:
            for study in store.studies():
                for run in store.runs(study.name):
                    store.summary(run)
                    store.seeds_done(run)
    except StoreError as error:
        assert len(str(error)) <= LONGEST


@in_one_folder
@given(data=st.data())
def test_tables_of_values_are_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "values"
    for read, shipped in (
        (values.read_values, values.FILE),
        (features.read_weights, features.FILE),
        (gaps_values.read_file, gaps_values.file_of("addiction")),
        (lucie_values.read_file, lucie_values.FILE),
    ):
        path.write_bytes(data.draw(damaged(shipped.read_bytes())))
        refused(lambda read=read: read(path), path, UsageError)


@given(data=st.data())
def test_texts_of_values_are_read_or_refused(data: st.DataObject) -> None:
    table = gaps_values.write_table(gaps_values.shipped("addiction"))
    with suppress(ValueError):
        gaps_values.parse_table(data.draw(mangled(table)))
    block = f"{lucie_values.FORMAT}\n\nnone level=0 mercis=0 samples=1 exact\n0.5 0 0\n"
    with suppress(UsageError):
        lucie_values.read_text(data.draw(mangled(block)), "values")
    figures = (Path(un.__file__).parent / "study" / "data" / "published.toml").read_text(encoding="utf-8")[:3000]
    with suppress(ValueError):
        read_figures(data.draw(mangled(figures)))
