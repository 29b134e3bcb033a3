"""Plans: from arguments, from TOML, and every way in which they can be wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
from unshuffle.errors import UsageError
from unshuffle.store import Store
from unshuffle.study import Plan, make_parts, read_plan, stored_plan
from unshuffle.study.plan import parse_seeds, parse_share
from unshuffle.study.statistics import planned_n

pytestmark = pytest.mark.one_engine("checks the statistics and their pages, not the answers")

SOLVER: dict[str, Any] = {"solver": True, "seeds": "0..9"}


def test_what_is_said_and_what_is_not() -> None:
    (part,) = make_parts("belle-lucie", **SOLVER)
    spec = part.spec()
    assert (spec.method, spec.information, spec.generator) == ("solver", "open", "unshuffle")
    assert (spec.nodes_limit, spec.seconds_limit, spec.memory_limit) == (10_000_000, None, 1 << 30)
    assert (spec.first_seed, spec.last_seed, spec.replay, spec.keeps_moves) == (0, 9, "sample", False)
    (part,) = make_parts("belle-lucie", **SOLVER, nodes=5, seconds=0, memory="2MB", moves=True, maximize=True)
    spec = part.spec()
    assert (spec.nodes_limit, spec.seconds_limit, spec.memory_limit) == (5, None, 2_000_000)
    assert (spec.replay, spec.keeps_moves, spec.maximize) == ("all", True, True)


def test_variants_times_methods() -> None:
    one = make_parts("belle-lucie", variant="all", rule={"fan_size": 4}, **SOLVER)
    assert [part.game.variant for part in one] == [
        un.game("belle-lucie", variant, fan_size=4).variant for variant in un.games()["belle-lucie"]
    ]
    same = make_parts("belle-lucie", variant="one-deal,one-deal", **SOLVER)
    assert len(same) == 1
    two = make_parts("belle-lucie", policy="greedy,random", seeds="0..9")
    assert [part.method for part in two] == ["policy:greedy", "policy:random"]
    assert {(part.information, part.limits) for part in two} == {("hidden", None)}
    (part,) = make_parts(un.game("belle-lucie", fan_size=2), **SOLVER)
    assert part.game.variant == "one-deal+fan_size=2"


@pytest.mark.parametrize(
    ("text", "share"), [("0.5%", 0.005), ("0.5 %", 0.005), ("0.5 points", 0.005), ("1 point", 0.01)]
)
def test_precision_plans_a_fixed_number_of_deals(text: str, share: float) -> None:
    assert parse_share(text, "precision") == pytest.approx(share)
    (part,) = make_parts("belle-lucie", solver=True, precision=text)
    assert part.seeds == range(planned_n(parse_share(text, "precision")))


def test_precision_with_a_guess_takes_fewer_deals_and_ms_begins_with_1() -> None:
    (part,) = make_parts("belle-lucie", solver=True, precision="1%", guess="4.5%", generator="ms")
    assert part.seeds == range(1, planned_n(0.01, 0.045) + 1)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no method": ({"seeds": "0..9"}, "--solver or --policy"),
    "two methods": ({"seeds": "0..9", "solver": True, "policy": "random"}, "--solver or --policy"),
    "no deals": ({"solver": True}, "which deals?"),
    "deals twice": ({**SOLVER, "precision": "1%"}, "exclude each other"),
    "a guess alone": ({**SOLVER, "guess": "10%"}, "--guess goes with --precision"),
    "a wide precision": ({"solver": True, "precision": "wide"}, "'wide' is not a share"),
    "precision 0": ({"solver": True, "precision": "0%"}, "is not a half-width"),
    "a guess of 200 %": ({"solver": True, "precision": "1%", "guess": "200%"}, "is not a rate"),
    "a precision without its sign": ({"solver": True, "precision": "0.5"}, "precision: '0.5' has no percent sign"),
    "a share of 0.005": ({"solver": True, "precision": "0.005"}, "precision: '0.005' has no percent sign"),
    "a number of per cent": ({"solver": True, "precision": 5}, "precision: '5' has no percent sign; .* '5%'"),
    "a number": ({"solver": True, "precision": 0.005}, "precision: '0.005' has no percent sign"),
    "a guess without its sign": ({"solver": True, "precision": "1%", "guess": 0.045}, "guess: '0.045' has no percent"),
    "200 %": ({"solver": True, "precision": "200%"}, r"±200 points takes 1 deal"),
    "half of all": ({"solver": True, "precision": "50%"}, r"±50 points takes 1 deal"),
    "one deal too few": ({"solver": True, "precision": "9.7%"}, r"±9\.7 points takes 99 deals"),
    "no range": ({"solver": True, "seeds": "5-9"}, "'5-9' is not a range"),
    "an empty range": ({"solver": True, "seeds": "5..4"}, r"5\.\.4 is empty"),
    "a range with steps": ({"solver": True, "seeds": range(0, 9, 2)}, "consecutive"),
    "seeds beyond the store": ({"solver": True, "seeds": f"0..{2**63}"}, r"0\.\.2\^63-1"),
    "unknown variant": ({**SOLVER, "variant": "one-dael"}, "did you mean 'one-deal'"),
    "unknown generator": ({**SOLVER, "generator": "pyhton"}, "did you mean 'python'"),
    "deal 0 of ms": ({**SOLVER, "generator": "ms"}, "'ms' has the deals 1.."),
    "unknown rule": ({**SOLVER, "rule": ["fan_siez=3"]}, "did you mean 'fan_size'"),
    "unknown policy": ({"seeds": "0..9", "policy": "gredy"}, "did you mean 'greedy'"),
    "no policy": ({"seeds": "0..9", "policy": []}, "no policy is named"),
    "limits of a policy": ({"seeds": "0..9", "policy": "random", "nodes": 5, "seconds": 0}, "--nodes and --seconds"),
    "moves of a sample": ({**SOLVER, "moves": True, "replay": "sample"}, "--moves does not go with"),
    "unknown replay": ({**SOLVER, "replay": "some"}, "unknown replay mode"),
    "memory": ({**SOLVER, "memory": "much"}, "'much' is not an amount"),
    "nodes": ({**SOLVER, "nodes": -1}, "is negative"),
    "too many nodes": ({**SOLVER, "nodes": 2**63}, "is too great"),
    "seconds": ({**SOLVER, "seconds": float("nan")}, "nan is not a time"),
}


@pytest.mark.parametrize(("options", "message"), WRONG.values(), ids=WRONG)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make_parts("belle-lucie", **options)


def test_the_widest_precision_plans_a_hundred_deals() -> None:
    (part,) = make_parts("belle-lucie", solver=True, precision="9.6%")
    assert part.seeds == range(101)


def test_a_plan_has_a_name_threads_and_each_run_once() -> None:
    parts = make_parts("belle-lucie", **SOLVER)
    with pytest.raises(UsageError, match=r"it may be 1\.\.1024"):
        Plan(name="s", parts=parts, threads=0)
    with pytest.raises(UsageError, match="is not a name"):
        Plan(name=" ", parts=parts)
    with pytest.raises(UsageError, match="twice"):
        Plan(name="s", parts=parts * 2)


def test_seeds_are_ranges() -> None:
    assert parse_seeds(" 3 .. 5 ") == range(3, 6)
    assert parse_seeds(f"{2**63 - 1}..{2**63 - 1}") == range(2**63 - 1, 2**63)


PLAN = """
name = "both"
threads = 2
store = "kept.sqlite"
game = "belle-lucie"
seeds = "0..99"

[[run]]
solver = true
nodes = 1000
seconds = 0
rule = { fan_size = 4 }

[[run]]
policy = ["random", "greedy"]
seeds = "0..9"
"""


def test_a_file_says_the_same(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(PLAN)
    plan = read_plan(file)
    assert (plan.name, plan.threads, plan.store) == ("both", 2, tmp_path / "kept.sqlite")
    solver = make_parts("belle-lucie", rule={"fan_size": 4}, solver=True, seeds="0..99", nodes=1000, seconds=0)
    policies = make_parts("belle-lucie", policy=["random", "greedy"], seeds="0..9")
    assert [part.spec() for part in plan.parts] == [part.spec() for part in solver + policies]


def test_a_file_of_one_run_needs_no_table_and_takes_its_own_name(tmp_path: Path) -> None:
    file = tmp_path / "quick.toml"
    file.write_text('game = "belle-lucie"\nsolver = true\nseeds = "0..9"\n')
    plan = read_plan(file)
    assert plan.name == "quick"
    assert [part.spec() for part in plan.parts] == [part.spec() for part in make_parts("belle-lucie", **SOLVER)]


WRONG_FILES = {
    "no TOML": ("game = ", "is not TOML"),
    "no UTF-8": (b"\xff", "is not TOML"),
    "no game": ("solver = true", "no game is named"),
    "an unknown key": ('game = "belle-lucie"\nseed = "0..9"', "unknown key 'seed'; did you mean 'seeds'"),
    "a wrong type": ('game = "belle-lucie"\nsolver = "yes"', "solver = 'yes': expected true or false"),
    "seeds as a list": ('game = "belle-lucie"\nseeds = [0, 9]', r"seeds = \[0, 9\]: expected text"),
    "one table": ("[run]\nsolver = true", r"written \[\[run\]\]"),
    "the wrong run": (
        'game = "belle-lucie"\nseeds = "0..9"\n[[run]]\nsolver = true\n[[run]]\npolicy = "gredy"',
        "run 2: .*did you mean 'greedy'",
    ),
    "a name in a run": ('game = "belle-lucie"\n[[run]]\nname = "x"', "unknown key 'name'"),
}


@pytest.mark.parametrize(("text", "message"), WRONG_FILES.values(), ids=WRONG_FILES)
def test_wrong_files_are_refused_with_their_name(tmp_path: Path, text: str | bytes, message: str) -> None:
    file = tmp_path / "plan.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(UsageError, match=message) as caught:
        read_plan(file)
    assert "plan.toml" in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        read_plan(tmp_path / "absent.toml")


def test_the_stored_plan_is_the_plan(tmp_path: Path) -> None:
    parts = make_parts("belle-lucie", **SOLVER, nodes=7) + make_parts("belle-lucie", policy="random", seeds="0..9")
    with Store.open(tmp_path / "s.sqlite") as store:
        store.add_runs("s", [part.spec() for part in parts])
        stored = stored_plan(store, "s")
        assert [part.spec() for part in stored.parts] == [part.spec() for part in parts]
        assert {part.seeds for part in stored_plan(store, "s", range(20)).parts} == {range(20)}
        store._db.execute("""UPDATE run SET rules = '{"fan_size": "9"}'""")
        with pytest.raises(UsageError, match="has other rules by now"):
            stored_plan(store, "s")


def test_a_part_of_a_plan_is_the_first_deals_of_every_run() -> None:
    parts = (
        *make_parts("belle-lucie", solver=True, seeds="5..1004"),
        *make_parts("belle-lucie", policy="greedy", seeds="0..3"),
    )
    plan = Plan(name="s", parts=parts)
    assert [part.seeds for part in plan.part_of("2.05%").parts] == [range(5, 26), range(4)]
    assert [len(part.seeds) for part in plan.part_of("0.1%").parts] == [10, 4]
    assert plan.part_of("100%") == plan
    for wrong in ("0%", "101%", "x", "-1", "0.5", "1", 1, 0.01):
        with pytest.raises(UsageError, match="share: "):
            plan.part_of(wrong)  # type: ignore[arg-type]
