"""Text that would steer, forge or fill a terminal, in every argument and file: what is shown is plain and short."""

from __future__ import annotations

import io
import json
import os
import re
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
from tests.cli.commands import LINES, PEER, STORE, Said, make_store, parameters
from tests.cli.conftest import Run
from tests.cli.program import Ended
from tests.cli.terminal import on_terminal
from tests.faults.test_damage import make_full_store
from tests.fuzz.test_files import PLAN, advised, played
from tests.laws import IS_LONG, OURS
from unshuffle import registry, terminal
from unshuffle.cards import PACK
from unshuffle.games.aces_up.hidden import features, values
from unshuffle.store.schema import SEALED
from unshuffle.store.seals import seal, seal_of

pytestmark = pytest.mark.one_engine("checks what remains after a fault, not the answers")

STEERING = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202eevil\u2066\u200f\x7f\r\x85\u2028\x08"
"""Escapes, C1 controls, marks of direction, and what else moves the cursor."""
FORGED = "\nError: forged\n"
HOSTILE: dict[str, Callable[[str], str]] = {
    "steering": lambda text: text + STEERING,
    "only steering": lambda text: STEERING,
    "forged lines": lambda text: text + 3 * FORGED,
    "long": lambda text: text + 75_000 * "x",
    "many lines": lambda text: text + 3_000 * "\n",
    "a value": lambda text: f"{text.partition('=')[0]}={STEERING}",
}
LONGEST = 60_000
"""Characters of all that one command shows: a game has many variants, and a study many lines."""


def some(number: int) -> list[str]:
    """Ways to spoil a text: all in the long run, else steering and one other, in turn."""
    return list(HOSTILE) if IS_LONG else ["steering", list(HOSTILE)[1 + number % (len(HOSTILE) - 1)]]


def is_plain(text: str) -> bool:
    return all(sign.isprintable() or sign in "\n\t" for sign in text)


def check_shown(ended: Ended, where: object, codes: tuple[int, ...] = (0, 1, 2, 3, 74, 130, 255)) -> None:
    """What a person sees is plain text of some length, and no line of it is anybody's but ours."""
    for shown in (ended.out, ended.err):
        assert is_plain(shown), where
        lines = shown.split("\n")
        assert len(shown) <= LONGEST, where
        assert len(lines) <= 1_000, where
        assert max(map(len, ended.err.split("\n"))) <= terminal.LONGEST_LINE + 100, where
        assert not any(line.strip() == "Error: forged" for line in lines), where
    assert ended.code in codes, (where, ended)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# Arguments.


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    made = tmp_path_factory.mktemp("store")
    make_store(made)
    return (made / STORE).read_bytes()


def spoilt_lines(said: Said) -> Iterator[tuple[list[str], str]]:
    for place, word in enumerate(said.line):
        # Where there is little time, every third word has many lines.
        for how in HOSTILE if IS_LONG else ("steering", "many lines")[: 1 + (place % 3 == 1)]:
            yield [*said.line[:place], HOSTILE[how](word), *said.line[place + 1 :]], how


@pytest.mark.parametrize("command", LINES)
def test_no_word_of_a_line_steers_the_terminal(run: Run, folder: Path, stored: bytes, command: str) -> None:
    """Law: each word of each command, its name and its options too, and what stdin holds."""
    said = LINES[command]
    for line, how in spoilt_lines(said):
        (folder / STORE).write_bytes(stored)
        check_shown(run(*line, stdin=said.stdin), (how, [word[:60] for word in line]))
    for how, spoil in HOSTILE.items() if said.stdin or IS_LONG else ():
        for beginning in (
            ("", "KS QS ", "Id: ", "Deck: ", "Moves: ", "Fan 1: ", "# ") if IS_LONG else ("KS QS ", "Id: ")
        ):
            (folder / STORE).write_bytes(stored)
            # Each line of stdin is an answer to these, and has an answer of its own.
            typed = spoil(beginning).replace("\n", " ") if said.line[0] in ("advise", "play") else spoil(beginning)
            check_shown(run(*said.line, stdin=f"{typed}\n{said.stdin}"), (how, beginning, said.line))


VALUES = (
    "{}",
    "1{}",
    "a=1{}",
    "fan_size={}",
    "{}=1",
    "random:{}",
    "rules:{}",
    "rules:1,{}",
    "1..2{}",
    "s:{}",
    "python:{}",
)
"""How values of options begin. A rule, a policy, a range, a run of a study, a generator."""
BEGINNINGS = {
    "games": "games", "deal": "deal {} --seed 1", "solve": "solve {} --seed 1", "verify": "verify {} --seed 1",
    "review": "review {} --seed 1", "advise": "advise {}", "play": "play {}", "serve": "serve --port 0 --no-browser",
    "simulate": "simulate {} --policy random --seeds 0..1",
    "tournament": f"tournament {{}} --policy random --policy greedy --seeds 0..1 --yes --store {STORE}",
    "episodes": "episodes {} --policy random --seeds 0..1 --out e.parquet",
    "values build": "values build aces-up --games 10",
    "values show": "values show belle-lucie",
    "study run": f"study run z --game agnes --policy random --seeds 0..1 --store {STORE}", "study list": "study list",
    "study show": f"study show s --store {STORE}", "study report": f"study report s --store {STORE}",
    "study published": "study published", "study compare": f"study compare s t --store {STORE}",
    "study export": f"study export s o.csv --store {STORE}", "study import": "study import",
    "study delete": f"study delete s --store {STORE}",
    "check-game": "check-game aces-up --variant standard --law cards --seeds 0..0",
}  # fmt: skip


def options() -> dict[str, list[tuple[list[str], str]]]:
    """Each option and argument that takes a value, with a line that it is put behind, by the command."""
    found: dict[str, dict[str, tuple[list[str], str]]] = {command: {} for command in BEGINNINGS}
    for command, param in parameters():
        group = command[0] if command[0] not in ("study", "values") else " ".join(command)
        if not getattr(param, "is_flag", False):
            begin = BEGINNINGS[group].format(command[-1]).split()
            name = param.opts[0] if param.param_type_name == "option" else ""
            found[group].setdefault(param.opts[0], (begin, name))
    return {command: list(of_command.values()) for command, of_command in found.items()}


OPTIONS = options()


@pytest.mark.parametrize("command", BEGINNINGS)
def test_no_value_of_an_option_steers_the_terminal(
    run: Run, folder: Path, stored: bytes, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Law: every option and argument of every command, with the values of all kinds that one can have."""
    # A page whose options are all right would be served for ever.
    monkeypatch.setattr("uvicorn.Server.run", lambda _, sockets: [each.close() for each in sockets])
    others = (("steering", "fan_size={}"), ("forged lines", "{}"), ("long", "a=1{}"))
    for number, (begin, name) in enumerate(OPTIONS[command]):
        for how, value in (
            ((how, value) for how in HOSTILE for value in VALUES)
            if IS_LONG
            else (("steering", "1{}"), others[number % len(others)])
        ):
            (folder / STORE).write_bytes(stored)
            line = [*begin, *filter(None, [name]), HOSTILE[how](value.format(""))]
            check_shown(run(*line), (how, [word[:60] for word in line]))


@pytest.mark.parametrize("name", ["UNSHUFFLE_SAVES", "UNSHUFFLE_STORE"])
def test_no_variable_steers_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for how, spoil in HOSTILE.items():
        monkeypatch.setenv(name, spoil(""))
        for words in ("--version", "solve belle-lucie --seed 3", "play gaps --seed 1", "advise gaps", "study list"):
            check_shown(run(*words.split(), stdin="z\n"), (how, words))


def test_answers_are_shown_plainly(run: Run) -> None:
    for game in OURS:
        for how, spoil in HOSTILE.items() if IS_LONG or game == "gaps" else ():
            # A line break is the end of an answer.
            typed = [
                spoil(word).replace("\n", " ") for word in ("", "KS ", "o ", "x ", "n ", "Deck: ", "1: ", "b ", "m ")
            ]
            for words in (
                ["advise", game, "--id", "new"],
                ["advise", game],
                ["play", game, "--seed", "1"],
                ["play", game],
            ):
                for answer in typed:
                    check_shown(run(*words, stdin=f"{answer}\nz\n"), (words, how, answer[:40]))


# Files.


def spoilt_values(value: Any, spoil: Callable[[str], str]) -> Iterator[Any]:
    """The value with each of its texts and keys spoilt, one after the other."""
    if isinstance(value, str):
        yield spoil(value)
    elif isinstance(value, list):
        for place, part in enumerate(value[:3] + value[-1:] if len(value) > 4 else value):
            yield from ([*value[:place], other, *value[place + 1 :]] for other in spoilt_values(part, spoil))
    elif isinstance(value, dict):
        for key, part in value.items():
            yield {(spoil(name) if name == key else name): each for name, each in value.items()}
            yield from ({**value, key: other} for other in spoilt_values(part, spoil))


@pytest.mark.parametrize("game", OURS)
@pytest.mark.parametrize("kind", ["advise", "play"])
def test_no_text_of_a_save_steers_the_terminal(run: Run, folder: Path, game: str, kind: str) -> None:
    """Law: whether the save is listed or opened."""
    saves = folder / "saves"
    saves.mkdir()
    path = saves / "g.json"
    text = advised(game) if kind == "advise" else played(game, saves).decode()
    # Where there is little time, each game has its share of the places.
    for how in HOSTILE if IS_LONG else ("forged lines", "steering"):
        for number, changed in enumerate(spoilt_values(json.loads(text), HOSTILE[how])):
            if not IS_LONG and number % len(OURS) != OURS.index(game):
                continue
            path.write_text(json.dumps(changed), encoding="utf-8")
            for words in ([kind, game, "--saves", saves], [kind, game, "--id", "g", "--saves", saves]):
                check_shown(run(*words, stdin="o\n\nz\nz\n"), (how, json.dumps(changed)[:200]))
            if kind == "play" and IS_LONG:
                check_shown(run("review", game, "--id", "g", "--saves", saves, "--nodes", "50"), how)


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("full") / "s.sqlite"
    make_full_store(path)
    return path.read_bytes()


READING = (
    "study list", "study list --json", "study show s", "study show peer-sample", "study show lists --json",
    "study report s --scores", "study report s --json", "study report s --markdown -", "study report lists",
    "study compare s:one-deal+fan_size=2:solver s:fan+fan_size=2:solver", "study export s out.csv",
    "study export peer-sample out.csv --format peer", "study delete s",
    "deal belle-lucie --rule fan_size=2 --winnable --seed 0",
    "tournament aces-up --rules 1 --rules 2,1 --seeds 0..29 --name lists --yes",
)  # fmt: skip


def texts_of(path: Path) -> list[tuple[str, str]]:
    """Every column of a SQLite file that holds a text."""
    db = sqlite3.connect(path)
    found = []
    for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for _, column, *_ in db.execute(f"PRAGMA table_info({table})").fetchall():
            if db.execute(f"SELECT 1 FROM {table} WHERE typeof({column}) = 'text'").fetchone():
                found.append((table, column))
    db.close()
    return found


def spoil_column(path: Path, table: str, column: str, spoil: Callable[[str], str], *, sealed: bool) -> bool:
    """Spoil the texts of a column; with their seals, as if we had written them. False if the tables forbid it."""
    db = sqlite3.connect(path)
    db.create_function("seal_of", -1, seal_of, deterministic=True)
    db.create_function("spoilt", 1, spoil)
    try:
        with db:
            db.execute(f"UPDATE {table} SET {column} = spoilt({column}) WHERE typeof({column}) = 'text'")
            if sealed:
                seal(db, table, "TRUE", ())
    except sqlite3.IntegrityError:
        return False
    finally:
        db.close()
    return True


def test_no_text_of_a_store_steers_the_terminal(run: Run, folder: Path, full: bytes) -> None:
    """Law: every text that a store holds, in a store that has whole seals."""
    path = folder / "s.sqlite"
    path.write_bytes(full)
    columns = texts_of(path)
    assert {table for table, _ in columns} >= {"study", "run", "strategy"} & set(SEALED)
    for number, (table, column) in enumerate(columns):
        for how in HOSTILE if IS_LONG else ("steering", "forged lines")[: 1 + number % 2]:
            path.write_bytes(full)
            if not spoil_column(path, table, column, HOSTILE[how], sealed=table in SEALED):
                continue
            spoilt = path.read_bytes()
            # Where there is little time, each column has its share of the commands.
            for words in READING if IS_LONG else READING[number % 7 :: 7 if how == "steering" else 9]:
                path.write_bytes(spoilt)
                ended = run(*words.split(), "--store", path, stdin="n\n")
                # Whoever puts nonsense into a store and seals it may well be told of a bug.
                check_shown(ended, (table, column, how, words), (0, 1, 2, 70, 74, 255))


def test_no_text_of_another_programs_results_steers_the_terminal(run: Run, folder: Path) -> None:
    path = folder / "peer.sqlite"
    path.write_bytes(PEER.read_bytes())
    for number, (table, column) in enumerate(texts_of(path)):
        for how in some(number):
            path.write_bytes(PEER.read_bytes())
            if spoil_column(path, table, column, HOSTILE[how], sealed=False):
                for form in ([], ["--json"]):
                    store = folder / "t.sqlite"
                    store.unlink(missing_ok=True)
                    words = ["study", "import", "--game", "aces-up", path, "--store", store]
                    check_shown(run(*words, *form), (table, column, how))


def test_no_text_of_a_plan_steers_the_terminal(run: Run, folder: Path) -> None:
    path = folder / "plan.toml"
    lines = PLAN.splitlines()
    for place, line in enumerate(lines):
        key, sign, value = line.partition(" = ")
        bare = value.strip('"')
        for how in some(place):
            spoil = HOSTILE[how]
            for changed in (
                f"{json.dumps(spoil(key))} = {value}",
                f"{key} = {json.dumps(spoil(bare))}",
                f"{key} = [{json.dumps(spoil(bare))}]",
                f"{key} = {{ {json.dumps(spoil('fan_size'))} = 3 }}",
                f"{key} = {{ fan_size = {json.dumps(spoil('3'))} }}",
                spoil(line),
            ):
                if sign or changed == spoil(line):
                    text = "\n".join([*lines[:place], changed, *lines[place + 1 :]])
                    path.write_text(text.replace('seeds = "0..99"', 'seeds = "0..1"'), encoding="utf-8")
                    words = ["study", "run", path, "--store", folder / "x" / "no.sqlite"]
                    check_shown(run(*words), (how, changed[:200]))


FILES: dict[str, str] = {
    "solve belle-lucie FILE": "Fan 1: KS QS\nId: belle-lucie/one-deal@7\n",
    "deal aces-up FILE": f"Deck: {' '.join(map(str, PACK))}\n",
    "review gaps --seed 1 --moves-file FILE": "2C 3C\n4D 5D\n",
    "verify gaps --seed 1 --moves-file FILE": "2C 3C\n4D 5D\n",
    "tournament aces-up --rules 1 --rules 2 --yes --store t.sqlite --deck-file FILE": f"{' '.join(map(str, PACK))}\n",
    "simulate aces-up --seeds 0..0 --policy planner:1;values=FILE": values.FILE.read_text(encoding="utf-8"),
    "simulate aces-up --seeds 0..0 --policy weights:FILE": features.FILE.read_text(encoding="utf-8"),
    "advise gaps --id new --saves saves --import FILE": '{"format": "unshuffle-gaps", "id": "g", "passes": []}',
    "study run z --game gaps --solver --seeds 0..1 --store t.sqlite --dask scheduler=FILE": '{"address": "inproc://x"}',
    "study run FILE --store t.sqlite": 'game = "aces-up"\npolicy = "random"\nseeds = "0..1"\n',
    "games --load FILE": "import unshuffle as un",
}
"""Lines that read a file, and what may be in it."""


@pytest.mark.parametrize("line", FILES)
def test_no_text_of_a_file_steers_the_terminal(run: Run, folder: Path, line: str) -> None:
    """Law: the first words of it, and its name."""
    name = "f.toml" if line.startswith("study run FILE") else "f.py" if "--load" in line else "f.json"
    text = FILES[line]
    words = text.split(" ")
    spoilt = [
        (name, " ".join([*words[:place], spoil(words[place]), *words[place + 1 :]]))
        for place in range(min(len(words), 6))
        for spoil in map(HOSTILE.__getitem__, some(place))
    ]
    # A name of a file may be any bytes but a slash.
    spoilt += [(f"{bad}{name}", text) for bad in (STEERING, "\udcff", 300 * "x")]
    if "--policy" not in line:  # a player has the name that it was given
        spoilt += [(f"{FORGED}{name}", text)]
    for number, (called, content) in enumerate(spoilt):
        path = folder / str(number) / called
        path.parent.mkdir()
        with suppress(OSError):  # a name that is too long
            path.write_text(content, encoding="utf-8")
        check_shown(
            run(*(word.replace("FILE", str(path)) for word in line.split()), stdin="z\n"), (line, called, content[:80])
        )


LOADED = """
import unshuffle as un
{what}
"""
RAISED = {
    "an error": "raise ValueError({text})",
    "an error of ours": "raise un.UsageError({text})",
    "the end": "raise SystemExit({text})",
    "a name": "class G(un.Game): id = 'g-g'; name = {text}; summary = 's'; variants = {{'a': 1}}",
    "an id": "class G(un.Game): id = {text}; name = 'G'; summary = 's'; variants = {{'a': 1}}",
    "a variant": "class G(un.Game): id = 'g-g'; name = 'G'; summary = 's'; variants = {{{text}: 1}}",
    "a policy": "from unshuffle.simulate import register_policy; register_policy({text}, lambda *_: None)",
}


@pytest.mark.parametrize("what", RAISED)
def test_no_loaded_file_steers_the_terminal(run: Run, folder: Path, what: str) -> None:
    for number, (how, spoil) in enumerate(HOSTILE.items()):
        path = folder / f"loaded_{number}.py"
        path.write_text(LOADED.format(what=RAISED[what].format(text=ascii(spoil("g")))), encoding="utf-8")
        for words in ("games", "solve belle-lucie --seed 3"):
            ended = run(*words.split(), "--load", path)
            check_shown(ended, (what, how))
            assert what == "a name" or ended.code == 2, ended
            registry._registered.pop("g-g", None)


def test_words_of_a_loaded_game_are_shown_plainly(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its name, its summary and the words for its moves."""
    game = type(un.game("belle-lucie"))
    for part in ("name", "summary", "entry_help", "score_counts"):
        with monkeypatch.context() as patch:
            patch.setattr(game, part, str(getattr(game, part)) + STEERING)
            for words in ("games", "games belle-lucie", "solve belle-lucie --seed 3", "play belle-lucie --seed 3"):
                check_shown(run(*words.split(), stdin="z\n"), (part, words))


# The gate.


def test_what_passes_the_gate() -> None:
    stream = io.StringIO()
    gate = terminal.Gate(stream)
    gate.write(f"a{gate.as_is(STEERING)}b{STEERING}c\n")
    gate.writelines(["d\x1b\n", "e\n"])
    assert stream.getvalue() == f"a{STEERING}b{terminal.printable(STEERING)}c\nd\\x1b\ne\n"
    assert not hasattr(gate, "buffer")
    stream = io.StringIO()
    gate = terminal.Gate(stream)
    gate.write(75_000 * "x" + "\n" + gate.as_is(5_000 * "y"))
    assert len(stream.getvalue()) < terminal.LONGEST_LINE + 5_100
    assert "… (71,000 characters more)" in stream.getvalue()


def test_text_from_outside_cannot_pass_for_ours() -> None:
    """The marks are drawn anew for each stream."""
    one, other = io.StringIO(), io.StringIO()
    marked = terminal.Gate(one).as_is("\x1b[2J")
    terminal.Gate(other).write(marked)
    assert "\x1b" not in other.getvalue()


@pytest.mark.parametrize(
    "text", ["plain", "two words", "it's", f"a{STEERING}b\\'$(c)", FORGED, "\udcff\udc80z", "é\u202e", ""]
)
def test_a_word_for_the_shell_is_plain_and_means_itself(text: str) -> None:
    word = terminal.in_shell(text)
    assert word.isprintable()
    said = subprocess.run(["bash", "-c", f"printf %s {word}"], capture_output=True, check=True).stdout
    assert said == os.fsencode(text)


def test_json_is_plain_and_means_itself() -> None:
    text = terminal.in_json({"a": STEERING, STEERING: 1})
    assert text.isprintable()
    assert json.loads(text) == {"a": STEERING, STEERING: 1}


def test_nothing_steers_a_real_terminal(folder: Path) -> None:
    """Saves merely listed and opened, where prompts and colours go past the streams of Python."""
    saves = folder / "saves"
    saves.mkdir()
    value = json.loads(advised("gaps"))
    value["rules"] = {**value["rules"], "variant": STEERING}
    (saves / "g.json").write_text(json.dumps(value), encoding="utf-8")
    loaded = folder / "loaded.py"
    loaded.write_text(f"import warnings; warnings.warn({STEERING!a})", encoding="utf-8")
    for words in (
        ("games", "--load", str(loaded)),
        ("advise", "gaps", "--saves", str(saves)),
        ("advise", "gaps", "--id", "g", "--saves", str(saves)),
        ("solve", "gaps", "--seed", "1", "--rule", f"redeals={STEERING}"),
        ("games", STEERING),
    ):
        _, shown = on_terminal(*words, typed_at_once="o\nz\n", NO_COLOR="1")
        # What readline and the terminal itself write: bracketed paste, ends of lines.
        plain = re.sub(r"\x1b\[\?2004[hl]|\r+(?=\n)|\r(?=\x1b|$)", "", shown)
        assert is_plain(plain), (words, plain)
