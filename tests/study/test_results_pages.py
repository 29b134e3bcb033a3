"""The list of docs/results: written anew for the studies of the stores, and left as it is for all others."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import unshuffle as un
from tests.laws import ROOT
from tests.study.filled import make_spec
from unshuffle.rulebook import write_rules
from unshuffle.store import Store
from unshuffle.study.planfile import plan_parts

PAGES = ROOT / "docs" / "results"


def fill(path: Path) -> None:
    """A store with two wins in three deals of the study of one deal."""
    game = un.game("belle-lucie", "one-deal")
    with Store.open(path) as store:
        run = store.add_run(
            "belle-lucie-one-deal",
            make_spec(3, game="belle-lucie", variant="one-deal", rules=write_rules(game.rules), nodes_limit=None),
        )
        rows = [(seed, status, 52, True, 10, 0.0, None, None) for seed, status in
                enumerate(("solved", "solved", "unsolvable"))]  # fmt: skip
        store.finish_solver_chunk(run, 0, 2, rows, owner="tests", engine="native", replayed=2)


def write(store: Path, out: Path) -> None:
    command = [sys.executable, str(ROOT / "studies" / "results.py"), str(store), "--out", str(out)]
    subprocess.run(command, check=True, capture_output=True)


def test_rows_of_studies_that_are_in_no_store_stay(tmp_path: Path) -> None:
    fill(tmp_path / "s.sqlite")
    out = tmp_path / "results"
    out.mkdir()
    shutil.copy(PAGES / "README.md", out)
    write(tmp_path / "s.sqlite", out)
    before = (PAGES / "README.md").read_text(encoding="utf-8").splitlines()
    after = (out / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(after) == len(before)
    (changed,) = [line for line in after if line not in before]
    assert changed.startswith("| [belle-lucie-one-deal](belle-lucie-one-deal.md) | open | 1 | 3 | ")


def test_without_an_older_list_there_are_the_studies_of_the_store_alone(tmp_path: Path) -> None:
    fill(tmp_path / "s.sqlite")
    write(tmp_path / "s.sqlite", tmp_path)
    rows = [line for line in (tmp_path / "README.md").read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    assert [line.split(" | ")[0] for line in rows[2:]] == ["| [belle-lucie-one-deal](belle-lucie-one-deal.md)"]


def test_the_page_of_a_study_has_its_rates_and_how_they_are_made_again(tmp_path: Path) -> None:
    fill(tmp_path / "s.sqlite")
    write(tmp_path / "s.sqlite", tmp_path)
    page = (tmp_path / "belle-lucie-one-deal.md").read_text(encoding="utf-8")
    said = " ".join(page.split())
    head, _, row = (line for line in page.splitlines() if line.startswith("| "))
    assert head == "| run | n | won | win rate | mean score | mean nodes | most nodes |"
    assert row.startswith("| belle-lucie/one-deal solver | 3 | 2 | 66.7 % [20.8, 93.9] | 52.00 [52.00, 52.00] | 10.0")
    assert "no deal is undecided" in said
    assert "## Beside published figures At 5 %: told apart." in said
    assert "- **information**: open: all cards known" in page
    assert "```sh\nunshuffle study run belle-lucie-one-deal --game belle-lucie --variant one-deal --solver" in page
    assert "SHA-256" in page
    assert all(len(line) <= 120 for line in page.splitlines() if not line.startswith(("|", "- ", "unshuffle ")))
    # The pages that are kept are such pages.
    kept = (PAGES / "belle-lucie-one-deal.md").read_text(encoding="utf-8")
    headings = [line for line in page.splitlines() if line.startswith(("#", "| run"))]
    assert [line for line in kept.splitlines() if line.startswith(("#", "| run"))] == headings


@pytest.mark.parametrize("plan", sorted((ROOT / "studies").glob("*.toml")), ids=lambda plan: plan.stem)
def test_a_kept_page_has_the_runs_of_its_plan(plan: Path) -> None:
    """So that the command on the page makes its numbers again."""
    page = (PAGES / f"{plan.stem}.md").read_text(encoding="utf-8")
    parts = plan_parts(tomllib.loads(plan.read_text(encoding="utf-8")))
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| [")]
    if len(parts) == 1:
        assert f"--variant {parts[0].game.variant} --solver --seeds {parts[0].seeds[0]}..{parts[0].seeds[-1]} " in page
        return
    assert f"unshuffle study run studies/{plan.name}\n" in page
    methods, variants = {part.method for part in parts}, {part.game.variant for part in parts}
    planned = [
        " ".join([part.game.variant] * (len(variants) > 1) + [part.method] * (len(methods) > 1)) for part in parts
    ]
    assert sorted((row[0].partition("] ")[2], row[1]) for row in rows) == sorted(
        (name, f"{len(part.seeds):,}") for name, part in zip(planned, parts, strict=True)
    )
