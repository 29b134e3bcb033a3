"""What the site needs beyond its pages: links that leave docs/ lead to files that the site has too.

In the repository a page links to `../examples/golf.py` or `../CONTRIBUTING.md`, and the README to `docs/cli.md`. On the
site the Markdown files of `PAGES` are pages, and every other file that is linked to is copied beside them.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from textwrap import dedent, indent

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
PAGES = ("CONTRIBUTING.md", "CHANGELOG.md", "studies/README.md")
"""Pages of the repository that are no part of docs/; on the site they have the same names."""

_LINK = re.compile(r"(?<=\]\()(?!https?:|#|mailto:)([^)\s#]+)(#[^)\s]*)?(?=\))")

_INDENTED = re.compile(r"^( {1,3})```.*?^\1```$", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that lie outside docs/ and every file that a page links to."""
    for name in PAGES:
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    for page in list(files.documentation_pages()):
        for target, _ in _LINK.findall(Path(str(page.abs_src_path)).read_text(encoding="utf-8")):
            place = _place(page.src_uri, target)
            if place and (ROOT / place).is_file() and files.get_file_from_path(place) is None:
                files.append(File.generated(config, place, abs_src_path=str(ROOT / place)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Return the page with its links to places in the repository changed to links to places on the site."""
    home = page.file.src_uri

    def moved(match: re.Match[str]) -> str:
        place = _place(home, match[1])
        if place is None or files.get_file_from_path(place) is None:
            return match[0]
        return posixpath.relpath(place, posixpath.dirname(home) or ".") + (match[2] or "")

    text = _LINK.sub(moved, markdown)
    # Two numbers of runs in a row are no reference; Python-Markdown would take them for one.
    text = re.sub(r"(\[\d+)\](?= \[\d)", r"\1\\]", text)
    # Code in a list item stands two or three blanks in; Python-Markdown wants four.
    return _INDENTED.sub(lambda block: indent(dedent(block[0]), "    "), text)


def _place(home: str, target: str) -> str | None:
    """Return the place of a link's target on the site, or None if it is the same as in the repository."""
    folder = posixpath.dirname(home if home in PAGES else f"docs/{home}")
    path = posixpath.normpath(posixpath.join(folder, target))
    if home not in PAGES and path.startswith("docs/"):
        return None
    if path == "README.md":
        return "index.md"
    return path.removeprefix("docs/")
