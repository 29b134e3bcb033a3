"""Wins of another program: all of a file or nothing, every line replayed, and none of it ever in a rate."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
import unshuffle.study
from tests.cli.conftest import Run, run
from tests.laws import ROOT
from unshuffle.errors import InvalidDealError, ParseError, UsageError
from unshuffle.games.aces_up import peer
from unshuffle.games.aces_up.study import importing
from unshuffle.games.aces_up.study.peer_file import TABLES, read_peer_file
from unshuffle.store import Store
from unshuffle.study.export import export
from unshuffle.study.importing import import_file
from unshuffle.study.overview import print_list, print_show
from unshuffle.study.report import print_report, report_rows

pytestmark = pytest.mark.one_engine("checks the statistics and their pages, not the answers")

__all__ = ["run"]  # the fixture

SAMPLE = ROOT / "tests" / "data" / "aces-up" / "peer-sample.sqlite"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The store."""
    return tmp_path / "s.sqlite"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A copy of the sample that may be changed."""
    return Path(shutil.copy(SAMPLE, tmp_path / "theirs.sqlite"))


def change(file: Path, *statements: str) -> None:
    db = sqlite3.connect(file)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


def contents(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every table of a store."""
    db = sqlite3.connect(path)
    try:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in names}
    finally:
        db.close()


def their_tables(file: Path) -> dict[str, list[tuple[Any, ...]]]:
    db = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)
    try:
        return {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in TABLES}
    finally:
        db.close()


def test_rows_that_a_broken_disk_has_hidden_are_missed(file: Path) -> None:
    """Each leaf of the file's trees tells one row less than it has: SQLite reads the others without a word."""
    data = file.read_bytes()
    size = int.from_bytes(data[16:18], "big")
    tried = 0
    for page in range(size, len(data), size):
        count = int.from_bytes(data[page + 3 : page + 5], "big")
        if data[page] != 0x0D or count < 2:
            continue
        file.write_bytes(data[: page + 3] + (count - 1).to_bytes(2, "big") + data[page + 5 :])
        with pytest.raises(ParseError, match="is damaged; nothing was imported"):
            read_peer_file(file)
        tried += 1
    assert tried >= 3


def test_the_sample_is_imported_and_every_game_agrees(path: Path) -> None:
    with Store.open(path) as store:
        done = import_file(store, "aces-up", SAMPLE)
        assert (done.study, done.batches, done.known) == ("peer-sample", 3, 0)
        assert (done.wins, done.decks, done.strategies) == (17, 13, 3)
        assert (done.compared, done.agreed, done.differing) == (17, 17, ())
        batches = store.batches("peer-sample")
        assert [batch.wins for batch in batches] == [8, 5, 4]
        assert all(batch.wins_only and batch.games is None for batch in batches)
        assert batches[0].settings["rule_list"] == "[1, 2, 10, 100, 1000]"
        wins = [win for batch in batches for _, win in store.imported_wins(batch)]
        decks = [peer.read_deck(cards) for _, cards in their_tables(SAMPLE)["decks"]]
        assert store.decks("aces-up", range(1, 14)) == decks
    assert [win.tableau_moves for win in wins] == [6, 2, 9, 7, 8, 9, 6, 5, 7, 7, 6, 5, 6, 4, 7, 6, 6]
    # Their lines are played again when they are wanted, so they take no room.
    assert {win.moves for win in wins} == {None}
    assert (wins[0].strategy.policy, wins[0].strategy.reduced) == ("rules:2,1,100,10,1000", "2,1,100,1000")


def test_importing_twice_adds_nothing(path: Path, file: Path) -> None:
    with Store.open(path) as store:
        import_file(store, "aces-up", SAMPLE)
    before = contents(path)
    with Store.open(path) as store:
        for copy, name in ((SAMPLE, None), (file, None), (SAMPLE, "another")):
            done = import_file(store, "aces-up", copy, name=name)
            assert (done.batches, done.known, done.wins) == (0, 3, 0)
    assert contents(path) == before


def test_what_is_new_in_a_file_is_added(path: Path, file: Path) -> None:
    change(file, "DELETE FROM batches WHERE batch_id = 2", "DELETE FROM solutions WHERE batch_id = 2")
    with Store.open(path) as store:
        assert import_file(store, "aces-up", file, name="s").wins == 12
        done = import_file(store, "aces-up", SAMPLE, name="s")
        assert (done.batches, done.known, done.wins) == (1, 2, 5)
        assert [batch.wins for batch in store.batches("s")] == [8, 4, 5]


def test_imported_wins_never_enter_a_rate(path: Path) -> None:
    """Whatever counts, with the import and without it, counts the same."""
    found = []
    for has_import in (False, True):
        store_path = path.with_name(f"{has_import}.sqlite")
        with Store.open(store_path) as store:
            if has_import:
                import_file(store, "aces-up", SAMPLE, name="lists")
        unshuffle.study.run("lists", "aces-up", policy=["rules:1,1000", "rules:200"], seeds="0..49", store=store_path)
        with Store.open(store_path) as store:
            rows = report_rows(store, "lists")
            summaries = [(store.summary(run).n, store.summary(run).won) for run in store.runs("lists")]
            info = [(info.runs, info.deals) for info in store.studies()]
            rates = store._db.execute("SELECT method, n, won, rate FROM run_summary").fetchall()
            found.append((rows, summaries, info, rates))
            assert [n for n, _ in summaries] == [50, 50]
            exported = export(store, "lists", path.with_suffix(".csv"))
            assert exported == 100
    assert found[0] == found[1]


def test_a_tournament_on_imported_decks_counts_only_what_it_plays(path: Path) -> None:
    from unshuffle.simulate import play_tournament

    game = un.game("aces-up")
    with Store.open(path) as store:
        import_file(store, "aces-up", SAMPLE)
        ended = play_tournament(game, ["rules:1", "rules:5"], range(20), store=store, study="peer-sample")
        assert [len(games) for games in ended.simulations] == [20, 20]
        assert [store.summary(run).n for run in store.runs("peer-sample")] == [20, 20]
        batches = store.batches("peer-sample")
        assert [batch.wins_only for batch in batches] == [True, True, True, False]
        assert batches[-1].games == 40


def test_reports_say_that_imported_wins_are_in_no_rate(run: Run, path: Path) -> None:
    with Store.open(path) as store:
        import_file(store, "aces-up", SAMPLE)
        for show in (print_report, print_show):
            out = StringIO()
            show(store, "peer-sample", out=out)
            words = " ".join(out.getvalue().split())
            assert "no rate" in words
            assert "%" not in words
        out = StringIO()
        print_report(store, "peer-sample", json=True, out=out)
        assert out.getvalue() == ""
        out = StringIO()
        print_list(store, json=True, out=out)
        assert json.loads(out.getvalue())["games"] == ["aces-up"]
        out = StringIO()
        print_show(store, "peer-sample", json=True, out=out)
        first = json.loads(out.getvalue().splitlines()[0])
        assert (first["batch"], first["wins_only"], len(first["imported"])) == (1, True, 8)
    ended = run("study", "compare", "peer-sample", "peer-sample", "--store", path)
    assert (ended.code, "no runs that could be compared" in ended.err) == (2, True)
    ended = run("study", "run", "peer-sample", "--store", path)
    assert (ended.code, "no runs to go on with" in ended.err) == (2, True)


def test_a_game_that_our_player_plays_otherwise_is_counted_and_its_line_kept(path: Path, file: Path) -> None:
    # The line of another list: a win by the rules, though not what this list plays.
    change(file, "UPDATE solutions SET strategy_id = 2 WHERE solution_id = 3")
    # The right line, and a wrong count of its rules.
    change(file, "UPDATE moves SET rule_counts = \"[('move_highest_card', 5)]\" WHERE moves_id = 14")
    with Store.open(path) as store:
        done = import_file(store, "aces-up", file)
        assert (done.compared, done.agreed, done.differing) == (17, 15, (3, 14))
        wins = [win for batch in store.batches("theirs") for _, win in store.imported_wins(batch)]
        kept = {win.number: win for win in wins if win.moves is not None}
        assert set(kept) == {3, 14}
        assert kept[14].rule_counts == "[('move_highest_card', 5)]"
        state = un.game("aces-up").start(kept[3].deck)
        for token in (kept[3].moves or "").split():
            state = state.play(un.game("aces-up").parse_move(token))
        assert state.outcome is un.Outcome.WON
        assert export(store, "theirs", path.with_name("back.sqlite"), "peer") == 17
    back, there = their_tables(path.with_name("back.sqlite")), their_tables(file)
    assert back["moves"] == there["moves"]


def test_lists_of_version_2_are_kept_as_foreign_text(path: Path, file: Path) -> None:
    change(
        file,
        "UPDATE strategies SET rule_list = '100,200,1,800,2' WHERE strategy_id = 1",
        "UPDATE strategies SET rule_list = '0' WHERE strategy_id = 3",
    )
    with Store.open(path) as store:
        with pytest.raises(InvalidDealError) as caught:
            import_file(store, "aces-up", file)
        assert [str(fault) for fault in caught.value.faults] == [
            f"the list {rules}: {number} is a number of that program's versions 2.x; say --numbering v2"
            for rules, number in (("100,200,1,800,2", 800), ("0", 0))
        ]
        assert store.studies() == []
        done = import_file(store, "aces-up", file, numbering="v2")
        assert (done.wins, done.compared, done.agreed) == (17, 0, 0)
        wins = [win for batch in store.batches("theirs") for _, win in store.imported_wins(batch)]
        assert [win.strategy.policy for win in wins[:9:8]] == ["peer-v2:100,200,1,800,2", "peer-v2:1,1000"]
        assert all(win.agrees is None and win.moves and win.strategy.reduced is None for win in wins)
        assert export(store, "theirs", path.with_name("back.sqlite"), "peer") == 17
        with pytest.raises(UsageError, match="unknown numbering 'v3'"):
            import_file(store, "aces-up", file, numbering="v3")
    assert their_tables(path.with_name("back.sqlite")) == their_tables(file)


def test_numbers_that_program_does_not_know_are_passed_over_as_it_does(path: Path, file: Path) -> None:
    change(file, "UPDATE strategies SET rule_list = '30,1,7,1000' WHERE strategy_id = 2")
    with Store.open(path) as store:
        assert import_file(store, "aces-up", file).agreed == 17
        entry, strategy = store.entries(store.batches("theirs")[1])[0]
        assert (entry.entered, strategy.policy) == ("30,1,7,1000", "rules:1,1000")
        assert export(store, "theirs", path.with_name("back.sqlite"), "peer") == 17
    assert their_tables(path.with_name("back.sqlite")) == their_tables(file)


# Files that are not what they should be.


def make_store(file: Path) -> None:
    file.unlink()
    Store.open(file).close()


NO_SQLITE = {
    "text": lambda file: file.write_text("deck,won\n" * 50),
    "nothing": lambda file: file.write_bytes(b""),
    "a cut file": lambda file: file.write_bytes(SAMPLE.read_bytes()[:5000]),
    "a folder": lambda file: (file.unlink(), file.mkdir()),
    "no file": lambda file: file.unlink(),
    "a store": lambda file: make_store(file),
    "other tables": lambda file: change(file, "DROP TABLE solutions", "ALTER TABLE decks RENAME COLUMN cards TO c"),
}
MESSAGES = {
    "text": "is not a SQLite file",
    "nothing": "is not a SQLite file",
    "a cut file": "SQLite refuses it",
    "a folder": "cannot read",
    "no file": "cannot read .*: No such file",
    "a store": "is a store of unshuffle; to use it, give it as --store",
    "other tables": "no column decks.cards, no table solutions; nothing was imported",
}


@pytest.mark.parametrize("name", NO_SQLITE)
def test_a_file_of_another_kind_is_refused(path: Path, file: Path, name: str) -> None:
    make: Callable[[Path], object] = NO_SQLITE[name]
    make(file)
    with Store.open(path) as store, pytest.raises(ParseError, match=MESSAGES[name]):
        import_file(store, "aces-up", file)


FAULTS = {
    "UPDATE decks SET cards = 'Ac,Ac' WHERE deck_id = 2": "decks row 2: 'Ac,Ac' is not a deck of 52 cards: AC twice",
    "UPDATE decks SET cards = NULL WHERE deck_id = 2": "decks row 2: None is not text",
    "UPDATE moves SET moves_str = '[9c, -1, 0, 1],x' WHERE moves_id = 4": "moves row 4: entry 2: 'x' is not a move",
    "UPDATE moves SET moves_str = X'00' WHERE moves_id = 4": "moves row 4: b'\\x00' is not text",
    "UPDATE strategies SET rule_list = 'one' WHERE strategy_id = 3": "strategies row 3: 'one' is not a list of rules",
    "UPDATE strategies SET rule_list = '7' WHERE strategy_id = 3": "the list 7: none of its numbers is a rule",
    "DELETE FROM decks WHERE deck_id = 9": "solutions row 9: there is no deck 9",
    "UPDATE solutions SET batch_id = 7, moves_id = NULL WHERE solution_id = 5": (
        "solutions row 5: there is no moves None and no batch 7"
    ),
    "UPDATE solutions SET deck_id = 2 WHERE solution_id = 1": (
        "solutions row 1, moves: entry 1: expected 'Ac, -1, 0'"
    ),
    "UPDATE moves SET moves_str = replace(moves_str, ',[Jc, 3, 4, 106]', '') WHERE moves_id = 1": (
        "solutions row 1, moves: entry 105: after 3-1 expected 'Jc, 3, 4'"
    ),
    # The first deal of this line brings no discards, so it ends well there, though too soon.
    "UPDATE moves SET moves_str = substr(moves_str, 1, 59) WHERE moves_id = 7": (
        "solutions row 7: its moves discard 0 cards, and a win discards 48"
    ),
}  # fmt: skip


@pytest.mark.parametrize("statement", FAULTS)
def test_every_fault_is_told_with_its_row_and_nothing_is_written(path: Path, file: Path, statement: str) -> None:
    with Store.open(path) as store:
        import_file(store, "aces-up", SAMPLE)
    before = contents(path)
    change(file, statement)
    with Store.open(path) as store, pytest.raises(InvalidDealError) as caught:
        import_file(store, "aces-up", file)
    faults = [str(fault) for fault in caught.value.faults]
    assert any(fault.startswith(FAULTS[statement]) for fault in faults), faults
    assert contents(path) == before


def test_all_faults_are_told_at_once(run: Run, path: Path, file: Path) -> None:
    change(
        file,
        "UPDATE decks SET cards = 'x' WHERE deck_id IN (2, 5)",
        "UPDATE moves SET moves_str = '' WHERE moves_id = 11",
        "DELETE FROM batches WHERE batch_id = 3",
    )
    ended = run("study", "import", "--game", "aces-up", file, "--store", path)
    assert (ended.code, ended.out) == (255, "")
    lines = ended.err.splitlines()
    assert lines[0].endswith("theirs.sqlite' cannot be imported, and nothing was:")
    assert [line.partition(":")[0].strip() for line in lines[1:]] == [
        "decks row 2", "decks row 5", "moves row 11", *(f"solutions row {row}" for row in (14, 15, 16, 17)),
    ]  # fmt: skip


def test_an_import_that_is_interrupted_stores_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(done: int, of: int) -> None:
        assert of == 17
        if done == 9:
            raise KeyboardInterrupt

    with Store.open(path) as store:
        with pytest.raises(KeyboardInterrupt):
            import_file(store, "aces-up", SAMPLE, progress=stop)
        # Half of it written, and then a fault.
        monkeypatch.setattr(importing, "_batch", lambda batch, *rest: _broken(real(batch, *rest), batch.number))
        with pytest.raises(ValueError, match="NOT NULL"):
            import_file(store, "aces-up", SAMPLE)
    assert all(rows == [] for rows in contents(path).values())


real = importing._batch


def _broken(batch: Any, number: int) -> Any:
    if number == 3:
        object.__setattr__(batch, "source", "x")
        object.__setattr__(batch, "game", None)
    return batch


def test_the_file_itself_is_never_changed(path: Path, file: Path) -> None:
    before = file.read_bytes()
    with Store.open(path) as store:
        import_file(store, "aces-up", file)
    assert file.read_bytes() == before
    assert sorted(each.name for each in file.parent.iterdir()) == ["s.sqlite", "theirs.sqlite"]


# The command.


def test_the_command_tells_what_agrees(run: Run, path: Path) -> None:
    ended = run("study", "import", "--game", "aces-up", SAMPLE, "--store", path)
    assert (ended.code, ended.err) == (0, "")
    assert "17 wins imported into" in ended.out
    assert "games that our player plays alike, move for move: 17 of 17" in ended.out
    ended = run("study", "import", "--game", "aces-up", SAMPLE, "--store", path)
    assert (ended.code, ended.out.startswith("Nothing is new in")) == (0, True)
    ended = run("study", "import", "--game", "aces-up", SAMPLE, "--store", path.with_name("t"), "--json")
    assert ended.objects[0]["agreed"] == 17


def test_wrong_usage_of_the_command(run: Run, path: Path) -> None:
    for game, message in (("agnes", "there is no other program whose results of 'agnes'"), ("ace", "no other program")):
        ended = run("study", "import", "--game", game, SAMPLE, "--store", path)
        assert (ended.code, message in ended.err) == (2, True)


# And back.


def test_what_was_imported_is_exported_byte_for_byte(path: Path) -> None:
    with Store.open(path) as store:
        import_file(store, "aces-up", SAMPLE)
        assert export(store, "peer-sample", path.with_name("back.sqlite"), "peer") == 17
    assert their_tables(path.with_name("back.sqlite")) == their_tables(SAMPLE)


def test_wins_that_were_played_here_are_exported_as_theirs(path: Path) -> None:
    """Our own wins, written as theirs, are read as theirs, and every line agrees."""
    policies = ["rules:2,1,100,10,1000", "rules:1,1000", "rules:200", "rules:4@documented", "random"]
    # Of these deals the first three lists win 98; the first and the third 44 too.
    unshuffle.study.run("lists", "aces-up", policy=policies, seeds="40..109", store=path)
    unshuffle.study.run("lists", "aces-up", variant="last-empty", policy="rules:200", seeds="0..9", store=path)
    with Store.open(path) as store:
        wins = sum(store.summary(run).won for run in store.runs("lists")[:3])
        assert wins == 5
        assert export(store, "lists", path.with_name("out.sqlite"), "peer") == wins
        tables = their_tables(path.with_name("out.sqlite"))
        assert [row[1:6] for row in tables["batches"]] == [
            (70, numbers, 0, 0, 70) for numbers in ("[1, 2, 10, 100, 1000]", "[1, 1000]", "[200]")
        ]
        done = import_file(store, "aces-up", path.with_name("out.sqlite"), name="again")
        assert (done.wins, done.agreed) == (wins, wins)


def test_a_study_with_nothing_for_their_tables_is_refused(path: Path) -> None:
    unshuffle.study.run("lists", "aces-up", variant="last-empty", policy="rules:200", seeds="0..9", store=path)
    with Store.open(path) as store, pytest.raises(UsageError, match="has nothing to write there"):
        export(store, "lists", path.with_name("out.sqlite"), "peer")
    assert sorted(each.name for each in path.parent.iterdir()) == ["s.sqlite"]
