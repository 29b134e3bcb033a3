"""The Markdown of a report: tables that any reader of Markdown takes, words that mark nothing up, and the numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.cli.conftest import Run, run
from tests.study.filled import fill_policy, fill_solver
from unshuffle.store import Store
from unshuffle.study.markdown_page import MarkdownPage, escape
from unshuffle.study.report import report_rows, write_markdown
from unshuffle.study.tables import Column

pytestmark = pytest.mark.one_engine("checks the statistics and their pages, not the answers")

__all__ = ["run"]  # the fixture

SOME = ["solved"] * 30 + ["unsolvable"] * 150 + ["node-limit"] * 20


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.sqlite") as opened:
        yield opened


@pytest.fixture
def lucie(store: Store) -> Store:
    """Two runs on the same deals, one of them with undecided deals."""
    fill_solver(store, "lucie", SOME)
    fill_policy(store, "lucie", [place % 25 == 0 for place in range(200)])
    return store


def read_tables(text: str) -> list[list[dict[str, str]]]:
    """The tables of a page, by their heads; a table with a row of another width fails."""
    tables = []
    for block in text.split("\n\n"):
        if block.startswith("| "):
            head, marks, *rows = (
                [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in block.strip().split("\n")
            )
            assert all(re.fullmatch(":---|---:", mark) for mark in marks)
            tables.append([dict(zip(head, row, strict=True)) for row in rows])
    return tables


def test_the_numbers_are_those_of_the_rows(lucie: Store) -> None:
    results, *_ = read_tables(write_markdown(lucie, "lucie"))
    for cells, row in zip(results, report_rows(lucie, "lucie"), strict=True):
        for name in ("n", "won", "lost", "undecided"):
            assert cells[name] == f"{row[name]:,}"
        assert cells["win rate"].startswith(f"{100 * row['rate']:.1f} % [{100 * row['low']:.1f}, ")
        assert cells["undecided as won"].endswith(f", {100 * row['high_if_won']:.1f}]")


def test_it_says_all_that_the_numbers_rest_on(lucie: Store) -> None:
    text = write_markdown(lucie, "lucie", exact=True, against=["Smith:45/1000"])
    for words in (
        "# Study lucie\n", "2 runs, 400 of 400 deals finished.", "## Results", "## Run beside run",
        "do not answer one question",
        "## Beside other counts", "| Smith | 45 of 1,000 |", "## Scores", "## Conditions",
        "- **rules**: fan_size=3 redeals=0",
        "- **deals**: generator unshuffle, seeds 0..199", "100,000 nodes, 1 GiB a deal", "open: all cards known",
        "## Provenance", "- **played by**: unshuffle", "engine native (200 deals)", "engine python (200 deals)",
        "- **replayed**: 3 lines", "UTC, unshuffle", "SQLite", "- **SHA-256**: ", "To make it again",
        "To cite these numbers",
        "Known: proved to be the best of the deal, or at the end of a game that a policy has played.",
        "A run without a mean has decided deals whose best score is not proved",
    ):  # fmt: skip
        assert words in text, words
    assert re.search(r"- \*\*report\*\*: \d{4}-\d\d-\d\d \d\d:\d\d UTC", text)
    assert "UNFINISHED" not in text


def test_only_the_time_of_the_report_differs(lucie: Store) -> None:
    first, second = (re.sub(r"(\*\*report\*\*: )[\d -]+:\d\d", r"\1", write_markdown(lucie, "lucie")) for _ in range(2))
    assert first == second


def test_names_mark_nothing_up(store: Store) -> None:
    """Read by another program's reader of Markdown, a name is what it was."""
    evil = "*a* _b_ <b> [c](d) ` | ~f~ &amp; ![g](h) \\"
    fill_solver(store, "x", SOME, variant=evil, rules={"k|_": "*v*"})
    reader = MarkdownIt("commonmark").enable("table").enable("strikethrough")
    tokens = reader.parse(write_markdown(store, "x"))
    inside = [each for token in tokens for each in token.children or ()]
    assert [each.content for each in inside if each.type == "code_inline"] == ["--maximize"]  # of our own
    kinds = {each.type for each in inside} - {"code_inline"}
    assert kinds <= {"text", "text_special", "strong_open", "strong_close"}
    texts = ["".join(inside.content for inside in token.children or ()) for token in tokens]
    assert texts.count(f"belle-lucie/{evil} solver") == 2  # results and scores
    assert "rules: k|_=*v*" in texts
    # What is to be typed stands as it is.
    (command,) = [token.content for token in tokens if token.type == "fence" and token.info == "sh"]
    assert f"--variant '{evil}'" in command


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("fan_size=3 a_b", "fan_size=3 a_b"),
        ("_a_ * <b> [1] x", r"\_a\_ \* \<b\> [1] x"),
        ("[a](b) [a]: b", r"[a\](b) [a\]: b"),
        ("a | b ~ c", r"a \| b \~ c"),
        ("4.5 % [4.4, 4.6]", "4.5 % [4.4, 4.6]"),
        ("&amp; & x", r"\&amp; & x"),
    ],
)
def test_signs_are_escaped_where_they_would_mean_something(words: str, written: str) -> None:
    assert escape(words) == written


@pytest.mark.parametrize(
    ("words", "written"), [("# x", r"\# x"), ("- x", r"\- x"), ("1. x", r"1\. x"), ("1.5 x", "1.5 x"), ("=", r"\=")]
)
def test_a_paragraph_begins_no_list(words: str, written: str) -> None:
    page = MarkdownPage()
    page.prose(words)
    assert page.text() == f"{written}\n"


@example(cells=["`|`"])
@given(cells=st.lists(st.text(st.sampled_from("`|*_<>\\a\n ~&[]()\x00ü"), max_size=12), min_size=1, max_size=4))
def test_a_table_is_a_table_whatever_stands_in_it(cells: list[str]) -> None:
    page = MarkdownPage()
    page.table([Column("a", cells, is_words=True)], [Column("b", cells)])
    head, marks, *rows = page.text().rstrip("\n").split("\n")
    assert (head, marks) == ("| a | b |", "| :--- | ---: |")
    assert len(rows) == len(cells)
    # GitHub ends a cell at each pipe without a backslash before it, whatever else stands there.
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 3 for row in rows)


def test_code_ends_where_it_ends() -> None:
    page = MarkdownPage()
    page.code("a\n```\nb", "text")
    assert page.text() == "````text\na\n```\nb\n````\n"


def test_the_command_shows_pictures_beside_it(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with Store.open(path) as store:
        fill_solver(store, "lucie", SOME)
    (tmp_path / "docs").mkdir()
    (tmp_path / "images").mkdir()
    document, picture = tmp_path / "docs" / "lucie.md", tmp_path / "images" / "rates.svg"
    ended = run(
        "study", "report", "lucie", "--store", str(path), "--markdown", str(document), "--plot", str(picture)
    )  # fmt: skip
    assert (ended.code, ended.out) == (0, "")
    assert str(document) in ended.err
    assert str(picture) in ended.err
    assert "![Win rates of the study lucie](<../images/rates.svg>)" in document.read_text(encoding="utf-8")
    assert picture.is_file()


def test_standard_output(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with Store.open(path) as store:
        fill_solver(store, "Lücie", SOME)
    ended = run("study", "report", "Lücie", "--store", str(path), "--markdown", "-")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("# Study Lücie\n")
