"""The pages as a whole: all are in the navigation, all links lead somewhere, and the plans among them are plans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import unshuffle as un
from tests.docs.pages import DOCS, PAGES, anchors, blocks, read
from tests.laws import ROOT
from unshuffle.study import read_plan

SITE = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
OUTSIDE = [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "studies" / "README.md"]
"""Pages of the site that do not lie in docs/: theme/hooks.py brings them in."""
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(<?([^)\s>]+)>?\)")
_CODE = re.compile(r"^( *)```.*?^\1```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def links(path: Path) -> Iterator[tuple[bool, str, str]]:
    """The links of a page: whether it is a picture, its words and its target."""
    for sign, words, target in _LINK.findall(_CODE.sub("`code`", path.read_text(encoding="utf-8"))):
        yield sign == "!", words, target


def test_every_page_is_in_the_navigation() -> None:
    listed = re.findall(r"^ +- (?:[^:\n]+: )?(\S+\.md)$", SITE.partition("\nnav:\n")[2], re.MULTILINE)
    assert len(listed) == len(set(listed)), "a page stands in the nav of mkdocs.yml twice"
    pages = {name for name in PAGES if PAGES[name].is_relative_to(DOCS)}
    pages |= {path.relative_to(ROOT).as_posix() for path in OUTSIDE}
    missing = "".join(f"\n      - {name}" for name in sorted(pages - set(listed)))
    assert not missing, f"put these lines where they belong into the nav of mkdocs.yml:{missing}"
    assert not set(listed) - pages, "the nav of mkdocs.yml has pages that are not there"


@pytest.mark.parametrize("path", [*PAGES.values(), *OUTSIDE], ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(path: Path) -> None:
    for is_picture, words, target in links(path):
        if target.startswith(("https://", "http://")):
            continue
        name, _, anchor = target.partition("#")
        there = (path.parent / name).resolve() if name else path
        assert there.exists(), target
        assert not is_picture or words, f"{target} has no words for people who do not see it"
        if anchor:
            assert anchor in anchors(there), target


@pytest.mark.parametrize("name", [name for name in PAGES if any(each.language == "toml" for each in blocks(name))])
def test_every_plan_is_a_plan(name: str, tmp_path: Path) -> None:
    for block in blocks(name):
        if block.language == "toml":
            file = tmp_path / "plan.toml"
            file.write_text(block.text, encoding="utf-8")
            assert read_plan(file).parts


@pytest.mark.parametrize("name", un.__all__)
def test_every_public_name_is_in_the_reference(name: str) -> None:
    [row] = [line for line in read("api/index.md").splitlines() if line.startswith("|") and f"`{name}`" in line]
    [page] = re.findall(r"\]\(([^)]+)\) \|$", row)
    told = re.findall(r"^::: (\S+)$", read(f"api/{page}"), re.MULTILINE)
    # By itself, or with the whole module in which it stands.
    home = getattr(un, name).__module__
    assert any(target.endswith(f".{name}") or target == home for target in told), f"{page} has no entry of {name}"


def test_nothing_is_fetched_from_elsewhere() -> None:
    # Fonts are what the theme would ask for; the stylesheet is ours.
    assert "font: false" in SITE
    assert "http" not in re.sub(r"^ *#.*$", "", SITE, flags=re.MULTILINE)
    assert "url(" not in (DOCS / "theme" / "extra.css").read_text(encoding="utf-8")


def test_every_game_has_the_same_chapters() -> None:
    for path in sorted((DOCS / "games").glob("*.md")):
        chapters = re.findall(r"^## (.+)$", read(path.relative_to(DOCS).as_posix()), re.MULTILINE)
        wanted = ["Variants and rules", "Text", "History", "How often it is won", "How the solver works"]
        assert [chapter for chapter in chapters if chapter in wanted] == wanted, path.name


def test_the_win_rates_of_the_games_are_those_of_the_studies() -> None:
    row = re.compile(
        r"^\| `[^|]+ \| [^|]+ \| (?:open|hidden) \| ([\d,]+) of ([\d,]*\d).*? \| ([^|]+) \| \[.*\]\((.+)\) \|$"
    )
    for path in sorted((DOCS / "games").glob("*.md")):
        rows = [found for line in path.read_text(encoding="utf-8").splitlines() if (found := row.match(line))]
        assert len(rows) > 8, path.name
        for won, deals, rate, study in (found.groups() for found in rows):
            lines = (path.parent / study).read_text(encoding="utf-8").splitlines()
            assert any({won, deals, rate} <= set(line.split(" | ")) for line in lines), (path.name, won, deals, rate)
