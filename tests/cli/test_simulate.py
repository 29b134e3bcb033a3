"""`unshuffle simulate` and `unshuffle tournament`."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from pathlib import Path
from time import sleep

import pytest

import unshuffle as un
from tests.cli.conftest import Run
from tests.cli.program import PROGRAM, environment, program
from tests.laws import ROOT
from unshuffle.simulate import policies
from unshuffle.store import Store
from unshuffle.study.statistics import holm, mcnemar, wilson

pytestmark = pytest.mark.one_engine("checks the command line, not the answers")

LUCIE = un.game("belle-lucie")
GOLF = ("golf", "--load", ROOT / "examples" / "golf.py")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own for the store, and a terminal of a known width."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("UNSHUFFLE_STORE", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def test_the_overview_has_every_figure_and_what_it_rests_on(run: Run) -> None:
    ended = run("simulate", "belle-lucie", "--rule", "fan_size=4", "--seeds", "0..59", "--policy", "greedy")
    sim = un.simulate(un.game("belle-lucie", fan_size=4), "greedy", range(60))
    low, high = wilson(sim.wins, 60)
    assert ended.code == 0
    assert "Policy greedy on the deals 0..59" in ended.out
    assert "belle-lucie/one-deal+fan_size=4, generator unshuffle (hidden: what a player sees)" in ended.out
    assert re.search(r"Games: +60\n", ended.out)
    assert re.search(rf"Won: +{sim.wins}\n", ended.out)
    assert f"[{100 * low:.1f}, {100 * high:.1f}]" in ended.out
    assert f"Mean score: {sim.mean:.2f} [" in ended.out
    for score, deals in sim.score_counts.items():
        assert re.search(rf"^ +{score} +{deals} +\S+ % +#", ended.out, re.MULTILINE)
    assert re.search(r"^60 games in ", ended.out, re.MULTILINE)


def test_any_game_can_be_simulated(run: Run) -> None:
    ended = run("simulate", *GOLF, "--policy", "greedy", "--seeds", "0..19")
    assert ended.code == 0
    assert "golf/plain" in ended.out
    assert len(run("simulate", *GOLF, "--seeds", "0..2", "--policy", "random:seed=9", "--json").objects) == 3


def test_one_game_move_by_move(run: Run) -> None:
    ended = run("simulate", "belle-lucie", "--policy", "random", "--seed", "7", "--detail")
    record = un.simulate(LUCIE, "random", range(7, 8))[0]
    assert ended.code == 0
    rows = re.findall(r"^ *\d+  (?:\w+ )+ +(\S+)  ", ended.out, re.MULTILINE)
    assert rows == [move.token for move in record.moves]
    assert f"Game not won in {len(record.moves)} moves by random (hidden: what a player sees)" in ended.out
    brief = run("simulate", "belle-lucie", "--policy", "random", "--seed", "7")
    assert brief.out.splitlines()[-2:] == ended.out.splitlines()[-2:]
    assert len(brief.out.splitlines()) < 6


@pytest.mark.parametrize("command", ["simulate", "tournament"])
@pytest.mark.parametrize("game", un.games())
def test_the_help_page_names_all_who_play_a_game(run: Run, command: str, game: str) -> None:
    names = ", ".join(policies(un.game(game)))
    assert f"Policies of {game}: {names} (" in run(command, game, "--help").out
    assert f"Policies of {game}" not in run(command, "--help").out


def test_typed_and_random_deals_and_other_generators(run: Run, tmp_path: Path) -> None:
    (tmp_path / "deal.txt").write_text(str(LUCIE.deal(3)))
    [typed] = run("simulate", "belle-lucie", "deal.txt", "--json").objects
    [piped] = run("simulate", "belle-lucie", "--json", stdin=str(LUCIE.deal(3))).objects
    assert typed == piped
    assert (typed["deal"], typed["score"], typed["won"]) == (None, 52, True)
    assert "belle-lucie/one-deal (typed)" in run("simulate", "belle-lucie", "deal.txt", "--detail").out
    [drawn] = run("simulate", "belle-lucie", "--shuffle", "--policy", "random", "--json").objects
    seed = drawn["deal"].partition("@")[2]
    assert run("simulate", "belle-lucie", "--seed", seed, "--policy", "random", "--json").objects == [drawn]
    games = run(
        "simulate", "belle-lucie", "--generator", "ms", "--seeds", "1..2", "--policy", "random", "--json"
    ).objects
    assert [game["deal"] for game in games] == ["belle-lucie/one-deal@ms:1", "belle-lucie/one-deal@ms:2"]


def test_results_are_kept_only_on_request(run: Run, tmp_path: Path) -> None:
    arguments = ("simulate", "belle-lucie", "--policy", "random", "--seeds", "0..19")
    plain = run(*arguments)
    assert list(tmp_path.iterdir()) == []
    kept = run(*arguments, "--store", "mine.sqlite")
    assert kept.out.splitlines()[:-1] == plain.out.splitlines()[:-1]
    again = run(*arguments, "--store", "mine.sqlite")
    assert again.out.splitlines()[:-1] == plain.out.splitlines()[:-1]
    assert "all of them were in the store" in again.out
    with Store.open("mine.sqlite", create=False) as store:
        [study] = store.studies()
    assert (study.name, study.runs, study.deals) == ("simulate-belle-lucie-one-deal", 1, 20)


def test_the_store_of_the_environment(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNSHUFFLE_STORE", str(tmp_path / "named.sqlite"))
    assert run("simulate", "belle-lucie", "--policy", "random", "--seed", "5", "--name", "one").code == 0
    with Store.open(tmp_path / "named.sqlite", create=False) as store:
        assert [(study.name, study.deals) for study in store.studies()] == [("one", 1)]


def test_pictures(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "picture.svg"
    assert run("simulate", "belle-lucie", "--policy", "random", "--seeds", "0..19", "--plot", file).code == 0
    assert file.stat().st_size > 1000
    file.unlink()
    assert run("simulate", "belle-lucie", "--policy", "random", "--seed", "3", "--json", "--plot", file).code == 0
    assert file.exists()
    file.unlink()
    policies = ("--policy", "random", "--policy", "random:seed=1")
    assert run("tournament", "belle-lucie", *policies, "--seeds", "0..19", "--plot", file).code == 0
    assert file.exists()


def test_a_policy_of_ones_own_plays_a_game_that_is_there(run: Run, elsewhere: Path) -> None:
    """As a tester of strategies has it: a file with no game in it, in a process of its own."""
    (elsewhere / "ideas.py").write_text(
        "import unshuffle as un\n"
        "from unshuffle.simulate import register_policy\n"
        "class Last(un.Policy):\n"
        "    name = 'last'\n"
        "    def player(self, luck):\n"
        "        return lambda view, moves: moves[-1]\n"
        "register_policy('last', lambda game, text: Last())\n"
    )
    load = ("--load", "ideas.py")
    games = program("simulate", "belle-lucie", *load, "--policy", "last", "--seeds", "0..4", "--json")
    assert (games.code, [each["policy"] for each in games.objects]) == (0, ["last"] * 5)
    study = program("study", "run", "s", "--game", "agnes", *load, "--policy", "last", "--seeds", "0..4")
    assert (study.code, "policy last" in study.out) == (0, True), study.err
    assert "unknown policy of agnes 'last'" in run("study", "run", "s", "--seeds", "0..9").err
    more = run("study", "run", "s", "--seeds", "0..9", *load)
    assert (more.code, "n = 10" in more.out) == (0, True), more.err
    both = run("tournament", "aces-up", *load, "--policy", "last", "--policy", "random", "--seeds", "0..4", "--json")
    assert both.code == 0, both.err
    assert {each["policy"] for each in both.objects if "policy" in each} == {"last", "random"}


# A game with hidden cards that is often won: every cell of the table of pairs is met.
TOURNAMENT = ("tournament", "higher", "--load", ROOT / "tests" / "simulate" / "higher.py", "--seeds", "0..79")
POLICIES = ("random", "greedy", "random:seed=2")
NUMBERS = [
    "game", "variant", "policy", "information", "n", "wins", "p", "p_low", "p_high", "odds", "mean", "mean_low",
    "mean_high", "scores_from", "scores",
]  # fmt: skip


def given(policies: tuple[str, ...]) -> list[str]:
    return [word for policy in policies for word in ("--policy", policy)]


def test_a_tournament_in_json(run: Run) -> None:
    ended = run(*TOURNAMENT, *given(POLICIES), "--json")
    assert (ended.code, ended.err) == (0, "")
    game = un.game("higher")
    sims = [un.simulate(game, policy, range(80)) for policy in POLICIES]
    rows, comparisons = ended.objects[:3], [each["comparison"] for each in ended.objects[3:]]
    for row, sim in zip(rows, sims, strict=True):
        assert list(row) == NUMBERS
        assert [row[key] for key in NUMBERS[:6]] == ["higher", "plain", sim.policy, "hidden", 80, sim.wins]
        assert (row["p"], row["p_low"], row["p_high"]) == pytest.approx((sim.wins / 80, *wilson(sim.wins, 80)))
        assert row["odds"] == (pytest.approx(80 / sim.wins) if sim.wins else None)
        assert row["mean"] == pytest.approx(sim.mean)
        assert row["mean_low"] < row["mean"] < row["mean_high"]
        assert (row["scores_from"], len(row["scores"])) == (0, 13)
        assert {points: deals for points, deals in enumerate(row["scores"]) if deals} == sim.score_counts
    expected = []
    for first, second in ((0, 1), (0, 2), (1, 2)):
        pairs = list(zip(sims[first].won.tolist(), sims[second].won.tolist(), strict=True))
        counts = [pairs.count(kind) for kind in ((True, False), (False, True), (True, True), (False, False))]
        assert min(counts) > 0
        expected.append((POLICIES[first], POLICIES[second], mcnemar(*counts), counts))
    corrected = holm([test.p for _, _, test, _ in expected])
    for found, (a, b, test, counts), p_holm in zip(comparisons, expected, corrected, strict=True):
        assert list(found) == ["a", "b", "only_a", "only_b", "p", "p_holm", "difference", "low", "high"]
        assert (found["a"], found["b"], found["only_a"], found["only_b"]) == (a, b, *counts[:2])
        assert found["p"] == pytest.approx(test.p)
        assert found["p_holm"] == pytest.approx(p_holm)
        assert (found["difference"], found["low"], found["high"]) == pytest.approx(
            (test.difference, test.low, test.high)
        )


def test_a_tournament_for_people_is_kept_and_reused(run: Run, tmp_path: Path) -> None:
    first = run(*TOURNAMENT, *given(POLICIES), "--name", "mine")
    assert first.code == 0
    assert "3 policies on the same deals, 0..79" in first.out
    assert "higher/plain, generator unshuffle (hidden: what a player sees)" in first.out
    assert "Holm's correction for 3 comparisons" in first.out
    for policy in POLICIES:
        assert re.search(rf"^{policy} +80 ", first.out, re.MULTILINE)
    again = run(*TOURNAMENT, *given(POLICIES), "--name", "mine")
    assert again.out.splitlines()[:-1] == first.out.splitlines()[:-1]
    assert "all of them were in the store" in again.out
    with Store.open(tmp_path / "unshuffle.sqlite", create=False) as store:
        assert [run.method for run in store.runs("mine")] == [f"policy:{policy}" for policy in POLICIES]


SIMULATE = ["simulate", "belle-lucie"]
COMPETE = ["tournament", "belle-lucie", "--seeds", "0..3"]
USAGE = {
    "unknown policy": ([*SIMULATE, "--policy", "gredy", "--seed", "1"], "did you mean 'greedy'?"),
    "unknown option": ([*SIMULATE, "--policy", "random:sed=1", "--seed", "1"], "did you mean 'seed'?"),
    "unknown game": (["simulate", "bele-lucie", "--seed", "1"], "did you mean 'belle-lucie'?"),
    "json and detail": ([*SIMULATE, "--seed", "1", "--json", "--detail"], "--json and --detail exclude"),
    "detail of many": ([*SIMULATE, "--seeds", "1..2", "--detail"], "use --seed N"),
    "seed and seeds": ([*SIMULATE, "--seed", "1", "--seeds", "1..2"], "--seed and --seeds exclude"),
    "seeds": ([*SIMULATE, "--seeds", "9..1"], "9..1 is empty"),
    "threads": ([*SIMULATE, "--seeds", "1..2", "--threads", "0"], "--threads"),
    "too many threads": ([*SIMULATE, "--seeds", "1..2", "--threads", "1025"], "1<=x<=1024"),
    "picture": ([*SIMULATE, "--seeds", "1..2", "--plot", "picture.gif"], "must end in .png or .svg"),
    "typed deal into the store": ([*SIMULATE, "deal.txt", "--name", "x"], "deals by their numbers"),
    "deck of a stream into the store": ([*SIMULATE, "--seed", "3#2", "--name", "x"], "deals by their numbers"),
    "seeds beyond the store": ([*SIMULATE, "--seed", str(2**63), "--name", "x"], "seeds 0..2^63-1"),
    "one policy": ([*COMPETE, "--policy", "random"], "at least two policies"),
    "a policy twice": ([*COMPETE, "--policy", "random", "--policy", "random:seed=0"], "'random' is given twice"),
    "no policies": (COMPETE, "--policy"),
    "no seeds": (["tournament", "belle-lucie", "--policy", "random", "--policy", "greedy"], "--seeds"),
    "tournament seeds": (
        ["tournament", "belle-lucie", "--policy", "random", "--policy", "greedy", "--seeds", "3"],
        "'3' is not a range",
    ),
    "tournament picture": ([*COMPETE, *given(("random", "greedy")), "--plot", "x"], "must end in"),
    "tournament generator": ([*COMPETE, *given(("random", "greedy")), "--generator", "mss"], "did you mean 'ms'?"),
    "tournament name": ([*COMPETE, *given(("random", "greedy")), "--name", " "], "is not a name of a study"),
}


@pytest.mark.parametrize(("arguments", "message"), USAGE.values(), ids=USAGE)
def test_wrong_usage_is_2_and_leaves_no_results(run: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "deal.txt").write_text(str(LUCIE.deal(3)))
    ended = run(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err
    if (tmp_path / "unshuffle.sqlite").exists():
        with Store.open(tmp_path / "unshuffle.sqlite") as store:
            assert store.studies() == []


def test_bad_input(run: Run, tmp_path: Path) -> None:
    assert run("simulate", "belle-lucie", stdin="KS 1X").code == 255
    assert run("simulate", "belle-lucie", "nowhere.txt").code == 255
    (tmp_path / "notes.txt").write_text("no store\n" * 100)
    ended = run(
        "tournament", *GOLF, "--policy", "random", "--policy", "greedy", "--seeds", "0..3", "--store", "notes.txt"
    )
    assert (ended.code, ended.out) == (74, "")
    assert "notes.txt" in ended.err
    assert (tmp_path / "notes.txt").read_text() == "no store\n" * 100


def test_what_is_not_installed_is_named_before_a_game_is_played(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "scipy", None)
    ended = run("simulate", "belle-lucie", "--seeds", "0..3")
    assert (ended.code, ended.out) == (2, "")
    assert "pip install 'unshuffle[study]'" in ended.err
    assert run("simulate", "belle-lucie", "--seeds", "0..3", "--json").code == 0


def interrupted(after: str, *arguments: str) -> tuple[str, str]:
    """Start the program, wait for these words on stderr or for lines on stdout, and press Ctrl-C."""
    with subprocess.Popen(
        [*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = b"".join(process.stdout.readline() for _ in range(20)) if after == "lines" else b""
        if after == "store":
            while not Path("unshuffle.sqlite").exists() or not _has_results():
                assert process.poll() is None
                sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = first + process.stdout.read(), process.stderr.read()
        assert process.wait(60) == 130
    assert b"Traceback" not in err, err.decode()
    return out.decode(), err.decode()


def _has_results() -> bool:
    with Store.open("unshuffle.sqlite", create=False) as store:
        return any(study.deals > 100 for study in store.studies())


def test_ctrl_c_leaves_whole_objects() -> None:
    out, _ = interrupted("lines", "simulate", "belle-lucie", "--policy", "random", "--seeds", "0..9999999", "--json")
    found = [json.loads(line)["deal"] for line in out.splitlines()]
    assert len(found) >= 20
    assert found == [f"belle-lucie/one-deal@{seed}" for seed in range(len(found))]


def test_ctrl_c_prints_what_was_played(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the first block that ends behind game 30."""
    from unshuffle.cli.progress import ProgressLine

    told = []

    def deals(self: ProgressLine, done: int, of: int) -> None:
        told.append(done)
        if done >= 30:
            raise KeyboardInterrupt

    monkeypatch.setattr(ProgressLine, "deals", deals)
    ended = run("simulate", "belle-lucie", "--policy", "random", "--seeds", "0..9999")
    assert ended.code == 130
    assert "Interrupted; so far:" in ended.out
    assert re.search(rf"Games: +{told[-1]:,}\n", ended.out)
    kept = run("simulate", "belle-lucie", "--policy", "random", "--seeds", "0..9999", "--name", "kept")
    assert kept.code == 130
    assert re.search(rf"Games: +{told[-1]:,}\n", kept.out)
    compared = run("tournament", "belle-lucie", *given(("random", "random:seed=1")), "--seeds", "0..9999")
    assert compared.code == 130
    assert "Interrupted; the deals that every policy has played so far:" in compared.out


def test_ctrl_c_in_a_tournament_loses_nothing(run: Run) -> None:
    arguments = ("tournament", "belle-lucie", *given(("random", "random:seed=1")), "--json")
    out, _ = interrupted("store", *arguments, "--seeds", "0..9999999")
    rows = [json.loads(line) for line in out.splitlines()]
    n = rows[0]["n"]
    assert n > 0
    again = run(*arguments, "--seeds", f"0..{n - 1}")
    assert again.objects == rows
    for row, policy in zip(rows, ("random", "random:seed=1"), strict=False):
        sim = un.simulate(LUCIE, policy, range(n))
        assert (row["wins"], row["mean"]) == (sim.wins, pytest.approx(sim.mean))
