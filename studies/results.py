"""The pages of docs/results: `python studies/results.py STORE [STORE ...]`.

Writes a page for every plan of this folder whose study is in one of the stores: its rates, their conditions and their
provenance. Then updates the list of all pages. Pages of other studies and their rows in the list stay as they are.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from pages import ROOT, Found, find, prose, table
from summary import write_summary
from unshuffle.errors import InternalError, StoreError, UsageError
from unshuffle.game import INFORMATION
from unshuffle.store import Store
from unshuffle.study import read_plan
from unshuffle.study.tables import study_packages

PLANS = ROOT / "studies"
PAGES = ROOT / "docs" / "results"
BESIDE = {
    "agnes-masten.md": "which rules Masten's and Wolter's figures of Agnes Sorel can come from",
    "aces-up-lists.md": "all reduced rule lists of Aces Up, ranked by a tournament",
    "belle-lucie.md": "La Belle Lucie by players on 200,000 games, and the scores of one deal",
}
"""Pages that other programs write, or people."""


def read_rows(page: str) -> dict[str, list[str]]:
    """Return the rows of an existing list, by study."""
    rows = (line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ["))
    return {cells[0][1:].partition("]")[0]: cells for cells in rows}


def write_row(runs: Sequence[Found]) -> list[str]:
    """Return the row of a study."""
    study = runs[0].run.study
    done, planned = (sum(getattr(each.counts, name) for each in runs) for name in ("n", "planned"))
    state = "" if done == planned else f" of {planned:,}"
    information = INFORMATION[runs[0].run.information].partition(":")[0]
    begun = min(each.run.created for each in runs)[:10]
    return [f"[{study}]({study}.md)", information, str(len(runs)), f"{done:,}{state}", begun]


def write_list(rows: Mapping[str, Sequence[str]]) -> str:
    """Return the page that links to all others."""
    head = ["study", "information", "runs", "deals", "begun"]
    return "\n\n".join(
        [
            "# Results",
            prose(
                "How often each game is won, by our own studies. `unshuffle study run studies/NAME.toml` runs one ([the"
                " plans](../../studies/README.md)); each page has its conditions, its provenance and tests beside"
                " [published figures](../published.md). *Open*: all cards known; *hidden*: what a player sees."
                " Intervals are Wilson's, 95 %; rates count undecided deals as lost ([more](../statistics.md))."
            ),
            prose(
                "Studies of 2026-11-18 were planned by an older unshuffle, which kept only the last plan: whether deals"
                " were added later is not known, and their digests are without engine and version. To cite a study,"
                " name the version, the study and its SHA-256; `unshuffle study report NAME --markdown -` prints the"
                " whole line. The digest is over game, rules, method, generator, seeds, limits, engine, version and"
                " counts."
            ),
            table(head, [rows[study] for study in sorted(rows)]),
            "Made by other programs:\n\n"
            + "\n".join(f"- [{page.removesuffix('.md')}]({page}): {words}" for page, words in BESIDE.items()),
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stores", nargs="+", type=Path, metavar="STORE", help="where the studies are")
    parser.add_argument("--out", type=Path, default=PAGES, help="the folder of the pages (docs/results)")
    arguments = parser.parse_args()
    found: dict[str, list[str]] = {}
    try:
        with ExitStack() as opened:
            stores = [opened.enter_context(Store.open(path, create=False)) for path in arguments.stores]
            where = {info.name: store for store in stores for info in store.studies()}
            for path in sorted(PLANS.glob("*.toml")):
                name = read_plan(path).name
                runs = [find(where[name], run) for run in where[name].runs(name)] if name in where else []
                if runs := [each for each in runs if each.counts.n]:
                    found[name] = write_row(runs)
                    page = arguments.out / f"{name}.md"
                    with study_packages():
                        page.write_text(write_summary(where[name], name, path), encoding="utf-8")
                    print(page)
    except (UsageError, StoreError, InternalError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 70 if isinstance(error, InternalError) else 2
    page = arguments.out / "README.md"
    older = read_rows(page.read_text(encoding="utf-8")) if page.exists() else {}
    page.write_text(write_list(older | found) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
