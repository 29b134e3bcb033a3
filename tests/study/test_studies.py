"""The plans in studies/: readable, repeatable, and with a table for every variant that can be measured."""

from __future__ import annotations

from pathlib import Path

import pytest

import unshuffle as un
from tests.laws import OURS, ROOT
from unshuffle.study import Plan, read_plan

PLANS = sorted((ROOT / "studies").glob("*.toml"))

UNMEASURED = {
    # Without a limit a deal takes hours, with one hardly any is decided.
    "belle-lucie/shamrocks",
    # With redeals and building without regard to suits a search ends with its limit too; players have played it.
    "belle-lucie/super-flower-garden",
    # A verdict is about one phase: `addiction-one-deal` and `one-deal` are those of the games with redeals.
    "gaps/addiction",
    "gaps/addiction-early",
    "gaps/montana",
    "gaps/montana-locked",
    "gaps/spaces",
}
"""Variants for which no plan asks the solver."""


def plans() -> list[Plan]:
    return [read_plan(path) for path in PLANS]


@pytest.mark.parametrize("path", PLANS, ids=lambda path: path.stem)
def test_a_plan_has_the_name_of_its_file_and_a_line_in_the_list(path: Path) -> None:
    plan = read_plan(path)
    assert plan.name == path.stem
    assert f"[{plan.name}]({path.name})" in (path.parent / "README.md").read_text(encoding="utf-8")
    # The same results on every machine: no limit by the clock.
    assert all(part.limits.seconds is None for part in plan.parts if part.limits)
    # One plan, one kind of information: rates with all cards known never stand beside those of players.
    assert len({part.information for part in plan.parts}) == 1


def test_every_variant_is_measured() -> None:
    solved = {str(part.game) for plan in plans() for part in plan.parts if part.policy is None}
    every = {f"{game}/{variant}" for game in OURS for variant in un.game(game).variants}
    assert every - solved == UNMEASURED


def test_the_rows_of_the_specifications_are_as_large_as_they_were() -> None:
    sizes: dict[tuple[str, str], int] = {}
    for part in (part for plan in plans() for part in plan.parts):
        key = (str(part.game), part.method)
        sizes[key] = max(sizes.get(key, 0), len(part.seeds))
    assert sizes["spider/4-suits", "solver"] == 32_000
    assert sizes["belle-lucie/one-deal", "solver"] == sizes["belle-lucie/fan-18", "solver"] == 1_000_000
    assert sizes["aces-up/last-empty", "solver"] == 1_000_000
    assert min(sizes["gaps/basic", "solver"], sizes["gaps/addiction-one-deal", "solver"]) == 10_000
    quagnes = ("down-color-none", "up-color-none", "up-suit-none", "up-suit-none-nosplit", "up-suit-highrun",
               "up-suit-highrun-nosplit", "up-suit-anyrun-nosplit")  # fmt: skip
    assert {sizes[f"agnes/{variant}", "solver"] for variant in quagnes} == {100_000}
