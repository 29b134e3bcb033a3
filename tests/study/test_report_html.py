"""The HTML page of a report: one well-formed file with the numbers of `--json`, their pictures, and nothing fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import unshuffle as un
from tests.cli.conftest import Run, run
from tests.laws import ROOT
from tests.store.making import rewrite
from tests.study.filled import fill_policy, fill_solver, make_spec
from tests.study.pages import Element, read_page, read_table
from unshuffle.errors import InternalError
from unshuffle.rulebook import write_rules
from unshuffle.store import Store
from unshuffle.study.axes import Scale, write_mark
from unshuffle.study.charts import chart_scores, follow
from unshuffle.study.importing import import_file
from unshuffle.study.report import report_rows, write_html
from unshuffle.study.statistics import wilson
from unshuffle.study.svg import draw

pytestmark = pytest.mark.one_engine("checks the statistics and their pages, not the answers")

__all__ = ["run"]  # the fixture

SOME = ["solved"] * 30 + ["unsolvable"] * 150 + ["node-limit"] * 20


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.sqlite") as opened:
        yield opened


@pytest.fixture
def lucie(store: Store) -> Store:
    """Three runs on the same deals, one of them with undecided deals."""
    fill_solver(store, "lucie", SOME, sizes=(64, 100))
    fill_policy(store, "lucie", [place % 25 == 0 for place in range(200)])
    fill_solver(store, "lucie", ["solved"] * 150 + ["unsolvable"] * 50, variant="redeals", rules={"redeals": "2"})
    return store


def page_of(store: Store, study: str, **options: Any) -> Element:
    return read_page(write_html(store, study, **options))


def section_of(page: Element, title: str) -> Element:
    (found,) = [each for each in page.find("section") if each.find("h2")[0].text == title]
    return found


def test_the_numbers_are_those_of_the_rows(lucie: Store) -> None:
    page = page_of(lucie, "lucie")
    shown = read_table(section_of(page, "Results").find("table")[0])
    rows = report_rows(lucie, "lucie")
    for cells, row in zip(shown, rows, strict=True):
        for name in ("n", "won", "lost", "undecided"):
            assert cells[name] == f"{row[name]:,}"
        assert cells["win rate"].startswith(f"{100 * row['rate']:.1f} % [{100 * row['low']:.1f}, ")
        assert cells["undecided as won"].endswith(f", {100 * row['high_if_won']:.1f}]")
        assert cells["maximum"] == ("-" if row["nodes_max"] is None else f"{row['nodes_max']:,}")
    assert [value.text for value in section_of(page, "Win rates").find("span", class_="value")][:3] == [
        "15.0 % [10.7, 20.6]undecided as won 25.0 % [19.5, 31.4]",
        "4.0 % [2.0, 7.7]",
        "75.0 % [68.6, 80.5]",
    ]


def test_nothing_comes_from_elsewhere_and_no_script_runs(lucie: Store) -> None:
    text = write_html(lucie, "lucie")
    page = read_page(text)
    assert not any(page.find(tag) for tag in ("script", "link", "img", "iframe", "object", "use", "image"))
    assert not re.search(r"//|@import|url\(|\bsrc=|javascript:|\bon\w+=", text)
    assert all((link.attributes["href"] or "").startswith("#part-") for link in page.find("a"))


def test_names_are_text_wherever_they_stand(store: Store) -> None:
    evil = '<script>alert("x")</script>&amp;`\'\N{RIGHT-TO-LEFT OVERRIDE}'
    fill_solver(store, 'a"<b>', SOME, game="my<i>game", variant=evil, rules={'k"><b>': "<hr>"})
    fill_policy(store, 'a"<b>', [True, False], method=f"policy:{evil}")
    text = write_html(store, 'a"<b>', against=["<u>paper</u>:1/2"])
    page = read_page(text)
    assert page.find("h1")[0].text == 'Study a"<b>'
    assert not any(page.find(tag) for tag in ("script", "b", "i", "hr", "u"))
    assert '<script>alert("x")</script>' in page.text
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in text


def test_a_person_who_does_not_see_it_hears_it(lucie: Store) -> None:
    page = page_of(lucie, "lucie")
    assert page.find("html")[0].attributes["lang"] == "en"
    tables = page.find("table")
    assert len(tables) >= 4
    for table in tables:
        assert table.children[0].tag == "caption"
        assert table.children[0].text
        assert all(head.attributes["scope"] in ("row", "col") for head in table.find("th"))
    pictures = [each for each in page.find("svg") if each.attributes.get("role") == "img"]
    assert len(pictures) == 3 + 1 + 2 + 1 + 3  # rates, their axis, nodes, scores of the policy, convergence
    assert all(picture.children[0].tag == "title" and picture.children[0].text for picture in pictures)
    ids = [each.attributes["id"] for each in page.find("h2")]
    assert len(set(ids)) == len(ids)
    assert [link.attributes["href"] for link in page.find("a")] == [f"#{each}" for each in ids]
    levels = [int(each) for each in re.findall(r"<h([1-6])", write_html(lucie, "lucie"))]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_undecided_deals_are_drawn_both_ways(lucie: Store) -> None:
    page = page_of(lucie, "lucie")
    strips = [each for each in section_of(page, "Win rates").find("svg") if each.find("circle")]
    assert [len(each.find("circle", class_="ring")) for each in strips] == [1, 0, 0]
    solver, policy, _ = section_of(page, "Convergence").find("div", class_="panel")
    assert solver.find("polygon", class_="open-band")
    assert not policy.find("polygon", class_="open-band")


def test_bars_of_nodes_count_every_search(lucie: Store) -> None:
    run = lucie.runs("lucie")[0]
    spread = lucie.node_spread(run)
    nodes = [(row["status"], row["nodes"]) for row in lucie.rows(run)]
    for kind, status in (("won", "solved"), ("lost", "unsolvable"), ("undecided", "node-limit")):
        for octave, deals in spread[kind].items():
            assert deals == sum(1 for each, n in nodes if each == status and 2**octave <= n < 2 ** (octave + 1))
    assert sum(sum(counts.values()) for counts in spread.values()) == 200
    panel = section_of(page_of(lucie, "lucie"), "Nodes").find("div", class_="panel")[0]
    assert len(panel.find("rect")) == sum(len(counts) for counts in spread.values())


def test_inferred_deals_are_in_no_bar(lucie: Store) -> None:
    rewrite(lucie, "UPDATE result SET inferred_from = 3 WHERE run_id = 1 AND seed < 10")
    rewrite(lucie, "UPDATE chunk SET inferred = 10 WHERE run_id = 1 AND first = 0")
    nodes = section_of(page_of(lucie, "lucie"), "Nodes")
    assert "190 searched deals, 10 inferred ones left out" in nodes.text
    assert sum(sum(counts.values()) for counts in lucie.node_spread(lucie.runs("lucie")[0]).values()) == 190


def test_scores_below_nought_have_their_places() -> None:
    counts = {-120: 3, -119: 1, 0: 4, 35: 2}
    drawn = read_page(f"<!DOCTYPE html>\n{draw(chart_scores(counts, counts, 'x', 60))}")
    bars = drawn.find("rect")
    assert len(bars) == 3  # -120 and -119 share one of five
    assert "scores -120 to 35" in drawn.text
    assert bars[0].attributes["height"] == bars[1].attributes["height"]
    assert "-100" in [mark.text for mark in drawn.find("text")]


def test_the_course_ends_with_the_counts_and_is_read_sparingly(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    statuses = ["solved" if seed % 7 == 0 else "node-limit" if seed % 11 == 0 else "unsolvable" for seed in range(900)]
    run = fill_solver(store, "s", statuses, sizes=[100] * 8)
    monkeypatch.setattr("unshuffle.store.results._ONE_BY_ONE", 150)
    course = store.course(run)
    assert len(course) == 200 + 7
    n = won = undecided = 0
    for step in course:
        n, won, undecided = n + step.deals, won + step.won, undecided + step.undecided
        assert won == statuses[:n].count("solved")
        assert undecided == statuses[:n].count("node-limit")
    points = follow(course)
    assert points[-1] == (900, statuses.count("solved"), statuses.count("node-limit"))
    assert points[-1].interval == wilson(points[-1].won, 900)
    assert [point.n for point in points] == sorted({point.n for point in points})
    assert points[0].n == 10
    assert len(points) <= 82


def test_the_course_of_a_policy_is_that_of_its_games(store: Store) -> None:
    won = [place % 3 == 0 for place in range(50)]
    run = fill_policy(store, "p", won)
    assert [bool(step.won) for step in store.course(run)] == won


def test_published_figures_have_their_part(store: Store) -> None:
    rules = write_rules(un.game("agnes", "down-color-none").rules)
    fill_solver(store, "sorel", SOME, game="agnes", variant="down-color-none", rules=rules)
    part = section_of(page_of(store, "sorel"), "Beside published figures")
    assert part.find("table")[0].find("caption")[0].text == "Beside published figures"
    titles = [each.text for each in page_of(store, "sorel", published=False).find("h2")]
    assert "Results" in titles
    assert "Beside published figures" not in titles


@pytest.mark.parametrize("n", [1, 2, 9, 11])
def test_a_few_deals_are_drawn_too(store: Store, n: int) -> None:
    fill_solver(store, "few", ["solved"] * n)
    convergence = section_of(page_of(store, "few"), "Convergence")
    assert "%" in convergence.find("p")[0].text
    assert convergence.find("polyline")[0].attributes["points"]


def test_an_unfinished_study_and_one_without_a_deal(store: Store) -> None:
    fill_solver(store, "half", ["solved"] * 5, planned=10)
    page = page_of(store, "half")
    assert "UNFINISHED: unshuffle study run half goes on." in page.find("header")[0].text
    assert "finished not yet" in section_of(page, "Provenance").text.replace("finishednot", "finished not")
    store.add_run("none", make_spec(10))
    page = page_of(store, "none")
    assert "no deals" in section_of(page, "Win rates").text
    assert [each.text for each in page.find("h2")] == ["Win rates", "Results", "Conditions", "Provenance"]


def test_many_runs_stay_legible(store: Store) -> None:
    for number in range(60):
        fill_policy(store, "many", [place <= number for place in range(60)], method=f"policy:rules:{number}")
    text = write_html(store, "many")
    page = read_page(text)
    assert len(read_table(section_of(page, "Results").find("table")[0])) == 60
    drawn = section_of(page, "Win rates").find("span", class_="name")
    assert [each.text for each in drawn[:2]] == ["[60] policy:rules:59", "[59] policy:rules:58"]
    assert len(drawn) == 50 + 1
    for title, most in (("Win rates", 50), ("Scores", 12), ("Convergence", 12)):
        assert f"Drawn are the {most} of 60 runs that won most often" in section_of(page, title).text
    assert len(section_of(page, "Scores").find("div", class_="panel")) == 12
    assert len(text) < 300_000


def test_what_was_imported_is_told_and_not_counted(store: Store) -> None:
    import_file(store, "aces-up", ROOT / "tests" / "data" / "aces-up" / "peer-sample.sqlite", name="imported")
    page = page_of(store, "imported")
    assert "17 wins. Wins only" in page.find("header")[0].text
    assert [each.text for each in page.find("h2")] == ["Tournaments and imports", "Provenance"]
    batches = read_table(page.find("table")[0])
    assert sum(int(batch["wins"].partition(";")[0]) for batch in batches) == 17


def test_by_day_by_night_and_on_paper(lucie: Store) -> None:
    """Law: text stands out 4.5 to 1 or more, what is drawn 3 to 1."""
    (style,) = read_page(write_html(lucie, "lucie")).find("style")
    themes = re.findall(r":root \{(.*?)\}", "".join(style.pieces), re.DOTALL)
    assert len(themes) == 3
    for theme in themes:
        colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})\b", theme))
        for name, least in (("ink", 7), ("faint", 4.5), ("link", 4.5), ("won", 3), ("lost", 3), ("undecided", 3)):
            assert _contrast(colours[name], colours["paper"]) >= least, name


def _contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    ("scale", "marks"),
    [
        (Scale(0, 100), ["0", "20", "40", "60", "80", "100"]),
        (Scale(4.41, 4.47), ["4.42", "4.44", "4.46"]),
        (Scale(-6000, 400), ["-6,000", "-4,000", "-2,000", "0"]),
        (Scale(1, 1_000_000, is_log=True), ["1", "100", "10,000", "1M"]),
        (Scale(10, 200, is_log=True), ["10", "20", "50", "100", "200"]),
    ],
)
def test_marks_are_round_and_few(scale: Scale, marks: list[str]) -> None:
    assert [write_mark(mark) for mark in scale.marks(6)] == marks


def test_the_command_writes_it_whole_and_says_so(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with Store.open(path) as store:
        fill_solver(store, "lucie", SOME)
    file = tmp_path / "lucie.html"
    ended = run("study", "report", "lucie", "--store", str(path), "--html", str(file))
    assert (ended.code, ended.out) == (0, "")
    assert str(file) in ended.err
    assert read_page(file.read_text(encoding="utf-8")).find("h1")[0].text == "Study lucie"
    ended = run("study", "report", "lucie", "--store", str(path), "--html", "-", "--markdown", str(tmp_path / "l.md"))
    assert ended.code == 0
    assert ended.out.startswith("<!DOCTYPE html>")
    assert (tmp_path / "l.md").read_text(encoding="utf-8").startswith("# Study lucie\n")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--html", "FOLDER/nowhere/x.html"), "No such file or directory"),
        (("--html", "FOLDER"), "it is there, and is not a file"),
        (("--html", "FOLDER/store.sqlite"), "is the store itself"),
        (("--html", "-", "--markdown", "-"), "both go to standard output"),
        (("--html", "FOLDER/x", "--markdown", "FOLDER/x"), "give each a file of its own"),
        (("--html", "FOLDER/x", "--json"), "ask for one or the other"),
        (("--html", "FOLDER/x", "--plot", "FOLDER/x.gif"), "must end in .png or .svg"),
        (("--html", "FOLDER/x", "--against", "paper"), "is not a count"),
    ],
)
def test_what_cannot_be_written_is_refused_in_words(
    run: Run, tmp_path: Path, options: tuple[str, ...], words: str
) -> None:
    path = tmp_path / "store.sqlite"
    with Store.open(path) as store:
        fill_solver(store, "lucie", SOME)
    given = [option.replace("FOLDER", str(tmp_path)) for option in options]
    ended = run("study", "report", "lucie", "--store", str(path), *given)
    assert (ended.code, ended.out) == (2, "")
    assert words in ended.err
    assert {each.name for each in tmp_path.iterdir()} <= {"store.sqlite", "store.sqlite-wal", "store.sqlite-shm"}


def test_a_full_disk_leaves_what_was_there(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, file = tmp_path / "store.sqlite", tmp_path / "lucie.html"
    with Store.open(path) as store:
        fill_solver(store, "lucie", SOME)
    file.write_text("what was there")

    def write(self: Path, data: bytes) -> int:
        with self.open("wb") as begun:
            begun.write(data[:1000])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write)
    ended = run("study", "report", "lucie", "--store", str(path), "--html", str(file))
    assert ended.code == 2
    assert "No space left on device" in ended.err
    assert file.read_text() == "what was there"
    assert not list(tmp_path.glob(".*"))


def test_deals_won_and_lost_at_once_make_no_page(store: Store) -> None:
    """Contradictions end a document as they end a page of text."""
    for variant, status in (("down-suit-none", "solved"), ("down-suit-anyrun", "unsolvable")):
        rules = write_rules(un.game("agnes", variant).rules)
        fill_solver(store, "sorel", [status], game="agnes", variant=variant, rules=rules, infers=True)
    with pytest.raises(InternalError, match="@0"):
        write_html(store, "sorel")
