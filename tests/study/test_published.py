"""Published figures as data: none is lost, none is malformed, and each stands beside the runs that it is about."""

from __future__ import annotations

import json
import re
import runpy
import sys
import tomllib
from collections import Counter
from dataclasses import fields, replace
from typing import Any

import pytest

import unshuffle as un
from tests.cli.conftest import Run as Command
from tests.cli.conftest import run
from tests.laws import OURS, ROOT
from tests.study.filled import make_spec
from unshuffle.errors import UsageError
from unshuffle.rulebook import write_rules
from unshuffle.simulate import policy_of
from unshuffle.store import Run
from unshuffle.study.published import (
    FILE,
    SOLVER,
    UNSTATED,
    Figure,
    Source,
    figures_beside,
    published,
    read_figures,
    sources_of,
)

__all__ = ["run"]  # the fixture

COPIED = ROOT / "tests" / "data" / "study" / "published.txt"
FIGURES = published()


def made(game: str, variant: str, method: str = SOLVER, **changes: Any) -> Run:
    """A run of a game as a store would have it."""
    rules = write_rules(un.game(game, variant).rules)
    spec = make_spec(10, game=game, variant=variant, rules=rules, method=method, **changes)
    return Run(id=1, study="s", created="", **{each.name: getattr(spec, each.name) for each in fields(spec)})


def beside(*arguments: str, **changes: Any) -> list[str]:
    return [each.name for each in figures_beside(made(*arguments, **changes))]


# The file.


def test_every_figure_of_the_specifications_is_there_and_no_other() -> None:
    copied: dict[str, list[str]] = {}
    for line in COPIED.read_text(encoding="utf-8").splitlines():
        text = line.partition("#")[0].strip()
        if text:
            game, _, figures = text.partition(": ")
            copied.setdefault(game, []).extend(each.strip() for each in figures.split(";"))
    assert set(copied) == set(un.games()) & {each.game for each in FIGURES}
    for game, texts in copied.items():
        left = list(published(game))
        for text in texts:
            fitting = [each for each in left if text in (each.rate, f"{each.wins:,} of {each.n:,}" if each.n else "")]
            assert fitting, f"{game}: {text} is missing"
            left.remove(fitting[0])
        assert not left, f"{game}: not in the copied list: {left}"


@pytest.mark.parametrize("figure", FIGURES, ids=lambda each: f"{each.game}-{each.variant}-{each.who}-{each.name}")
def test_a_figure_means_something(figure: Figure) -> None:
    variants = [each for each in (figure.variant, *figure.candidates) if each != UNSTATED]
    games = [un.game(figure.game, each) for each in variants]
    assert [game.variant for game in games] == variants, "as we name the rules"
    if figure.method.startswith("policy:"):
        assert games
        for game in games:
            policy = policy_of(game, figure.who)
            assert (policy.name, policy.information) == (figure.who, figure.information)
    if figure.method == SOLVER:
        assert figure.information == "open"
    if figure.n:
        assert figure.wins is not None
        assert 0 <= figure.wins <= figure.n - figure.undecided
        assert sum(figure.scores.values()) <= figure.n
    if figure.rounding is not None and figure.n:
        # Whatever the undecided deals are; a count that was computed may be half a win beside it.
        slack = figure.rounding + (0.5 / figure.n if figure.computed else 0) + 1e-12
        low, high = (each / figure.n for each in (figure.wins or 0, (figure.wins or 0) + figure.undecided))
        assert low - slack <= float(figure.rate.removesuffix(" %")) / 100 <= high + slack
    if not figure.n:
        assert figure.share is not None or figure.rate == "more than half"


def test_no_figure_is_there_twice() -> None:
    keys = Counter(
        (each.name, each.game, each.variant, each.method, each.information, each.player, each.rules) for each in FIGURES
    )
    assert [key for key, times in keys.items() if times > 1] == []


def test_every_source_is_used_and_every_game_has_figures() -> None:
    used = {source.name for source, _ in sources_of(FIGURES)}
    assert {each["name"] for each in tomllib.loads(FILE.read_text(encoding="utf-8"))["sources"].values()} == used
    assert {each.game for each in FIGURES} == set(OURS)
    assert published("gaps") == tuple(each for each in FIGURES if each.game == "gaps")


def test_an_unknown_game_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="unknown game 'agns'; did you mean 'agnes'"):
        published("agns")


def test_every_fault_of_a_file_is_named() -> None:
    text = """
    [sources.a]
    name = "A"
    [[table]]
    source = "a"
    game = "agnes"
    information = "open"
    method = "solver"
    rows = [
      { variant = "x", wins = 3, n = 2 },
      { variant = "x", wins = 3, rat = "4 %" },
      { variant = "x", rate = 4 },
      { variant = "x", rate = "4 %", source = "b" },
      { rate = "4 %" },
      { variant = "x", rate = "4 %", comparable = false },
      { variant = "x", rate = "4 %", method = "magic", information = "some" },
      { variant = "x" },
    ]
    """
    with pytest.raises(UsageError) as caught:
        read_figures(text)
    said = str(caught.value)
    for words in (
        "row 1: A, agnes/x: 3 won and 0 undecided of 2 is no count", "row 2: unknown key 'rat'; did you mean 'rate'",
        "row 3: rate = 4 is not str", "row 4: unknown source 'b'", "row 5: variant is missing",
        "row 6: A, agnes/x: a reason stands with comparable = false", "method 'magic' is neither",
        "unknown information 'some'", "row 8: A, agnes/x: there is neither a count nor a rate",
    ):  # fmt: skip
        assert words in said
    with pytest.raises(UsageError, match="are not TOML"):
        read_figures("[[table")


@pytest.mark.parametrize(
    ("rate", "share"),
    [("4.5 %", 0.045), ("about 4 %", 0.04), ("1 in 20", 0.05), ("3/5", 0.6), ("more than half", None)],
)
def test_a_rate_is_read_as_it_is_written(rate: str, share: float | None) -> None:
    figure = Figure(
        source=Source(name="A"), game="agnes", variant="x", method=SOLVER, information="open", rate=rate
    )  # fmt: skip
    assert figure.share == pytest.approx(share)


# Which runs a figure is about.


def test_a_solver_stands_beside_solvers_of_its_rules() -> None:
    assert beside("agnes", "up-suit-none") == ["quagnes 0.8.4", "Masten 2021, none"]
    assert beside("agnes", "up-color-none") == ["quagnes 0.8.4", "Masten 2021, none", "Wolter 2013, classic"]
    assert beside("agnes", "down-suit-any1") == ["Masten 2021, any"]
    # A smaller deck is another game.
    assert beside("agnes", "up-suit-none+ranks=5+piles=4") == []


def test_rules_are_the_same_whatever_they_are_called() -> None:
    names = beside("gaps", "addiction+redeal_gaps=after-run", "policy:max-locked:300000")
    assert names == beside("gaps", "montana-locked+redeals=3", "policy:max-locked:300000")
    assert names == ["research before this program"]
    # The slug alone says nothing: these are the rules of another variant.
    other = replace(made("agnes", "up-color-none"), rules=write_rules(un.game("agnes", "up-color-any1").rules))
    assert [each.name for each in figures_beside(other)] == ["Masten 2021, any"]


def test_a_policy_stands_beside_the_same_policy_and_other_players() -> None:
    names = beside("spider", "4-suits", "policy:plan:16")
    assert names == [
        "people's own counts, a careful person", "people's own counts, another person", "the best program found",
        "research before this program",
    ]  # fmt: skip
    assert beside("spider", "4-suits-strict", "policy:greedy") == names[:3]
    assert beside("spider", "2-suits", "policy:greedy") == []
    assert beside("spider", "4-suits") == ["plspider", "coolo/spider", "research before this program"]


def test_lists_that_play_alike_are_one_method() -> None:
    entered, reduced = (
        [each.who for each in figures_beside(made("aces-up", "standard", f"policy:rules:{text}")) if each.n]
        for text in ("2,1,100,20,1000", "2,1,100,1000")
    )
    assert entered == reduced == ["rules:2,1,100,20,1000", *["rules:2,1,100,10,1000"] * 2]
    documented = [
        each.who for each in figures_beside(made("aces-up", "standard", "policy:rules:200@documented")) if each.n
    ]
    assert documented == ["rules:200@documented"]


def test_chosen_decks_stand_beside_nothing() -> None:
    assert beside("agnes", "up-suit-none", generator="deck") == []


def test_what_cannot_be_compared_never_stands_beside_a_run() -> None:
    for figure in FIGURES:
        if not figure.comparable:
            variant = figure.variant if figure.variant != UNSTATED else None
            found = made(figure.game, un.game(figure.game, variant).variant, information=figure.information)
            assert figure not in figures_beside(found)


# What people see.


def test_the_list_has_every_figure(run: Command) -> None:
    ended = run("study", "published", "--json")
    assert (ended.code, ended.err) == (0, "")
    rows = [json.loads(line) for line in ended.out.splitlines()]
    assert [(row["source"], row["game"], row["wins"], row["rate"]) for row in rows] == [
        (each.source.name, each.game, each.wins, each.rate) for each in FIGURES
    ]
    text = run("study", "published", "agnes").out
    assert "agnes: 12 figures." in text
    assert "up-color-none            solver     113 of 10,000, 4 undecided" in text
    assert "a lower bound: that program loses deals that can be won" in text
    assert all(len(line) <= 100 for line in text.splitlines())


def test_a_wrong_game_is_wrong_usage(run: Command) -> None:
    ended = run("study", "published", "agns")
    assert (ended.code, ended.out) == (2, "")
    assert "unknown game 'agns'; did you mean 'agnes'" in ended.err


def test_the_page_is_made_from_the_file() -> None:
    path = list(sys.path)
    try:
        made_page = runpy.run_path(str(ROOT / "studies" / "published_page.py"))["write_page"]()
    finally:
        sys.path[:] = path
    page = (ROOT / "docs" / "published.md").read_text(encoding="utf-8")
    assert page == made_page, "python studies/published_page.py writes it anew"
    shown = [each for each in FIGURES if each.comparable and each.source.name != "research before this program"]
    assert all(page.count(f"| {each.wins:,} of ") for each in shown if each.n)
    assert f"{len(shown)} of the {len(FIGURES)} figures" in " ".join(page.split())
    left = map(int, re.findall(r"^(\d+) more figures", page, re.MULTILINE))
    assert len(shown) + sum(left) == len(FIGURES)


def test_the_package_takes_the_file_along() -> None:
    values = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = values["tool"]["setuptools"]["package-data"]["unshuffle"]
    folder = ROOT / "src" / "unshuffle"
    assert any(FILE in folder.glob(pattern) for pattern in patterns)
