"""The pages of docs/results: `python studies/results.py STORE [STORE ...]`.

Every plan of this folder whose study is in one of the stores gets its page: its rates, their conditions and their
provenance; then the list of all of them, with the figures that are asked for most, is written anew. What it says of
studies that are in none of the stores stays as it is, as their pages do.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from pages import ROOT, Found, both_rates, find, prose, table, write_wins
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
"""Pages that are made otherwise."""

HEADLINES = (
    ("agnes", "down-color-none", "solver"),
    ("agnes", "up-color-none", "solver"),
    ("agnes", "up-suit-none", "solver"),
    ("agnes", "up-suit-none-nosplit", "solver"),
    ("agnes", "up-suit-highrun", "solver"),
    ("agnes", "up-suit-highrun-nosplit", "solver"),
    ("agnes", "up-suit-anyrun-nosplit", "solver"),
    ("aces-up", "standard", "solver"),
    ("aces-up", "last-empty", "solver"),
    ("aces-up", "must-fill", "solver"),
    ("aces-up-players", "standard", "policy:rules:10,100,4,200"),
    ("aces-up-players", "standard", "policy:planner:60"),
    ("belle-lucie-one-deal", "one-deal", "solver"),
    ("belle-lucie-open", "classic", "solver"),
    ("belle-lucie-open", "fan-18", "solver"),
    ("belle-lucie-players", "classic", "policy:greedy"),
    ("belle-lucie-players", "classic", "policy:value"),
    ("belle-lucie-players", "merci", "policy:value"),
    ("gaps", "basic", "solver"),
    ("gaps", "addiction-one-deal", "solver"),
    ("gaps", "one-deal", "solver"),
    ("gaps-players", "addiction", "policy:value:2s"),
    ("gaps-players", "addiction-early", "policy:value:2s"),
    ("spider", "4-suits", "solver"),
    ("spider-players", "4-suits", "policy:search:24"),
    ("spider-players", "4-suits", "policy:plan:60"),
)
"""Study, variant and method of the figures that are asked for most."""


def read_all(store: Store, study: str) -> dict[tuple[str, str, str], Found]:
    """The runs of a study that have finished deals."""
    found = {(study, run.variant, run.method): find(store, run) for run in store.runs(study)}
    return {key: each for key, each in found.items() if each.counts.n}


def read_rows(page: str) -> dict[tuple[str, ...], list[str]]:
    """The rows of an older list: by the study, those of the figures by variant and method too."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for line in page.splitlines():
        cells = line.removeprefix("| ").removesuffix(" |").split(" | ")
        if study := re.match(r"\[(\S+)\]\(", cells[0]):
            rows[study[1],] = cells
        elif study := re.match(r"\[(\S+)\]\(", cells[-1]):
            rows[study[1], cells[0].strip("`").partition("/")[2], cells[1]] = cells
    return rows


def write_headlines(found: dict[tuple[str, str, str], Found], older: dict[tuple[str, ...], list[str]]) -> str:
    """The figures that are asked for most, as far as they are there."""
    studies = {study for study, _, _ in found}
    rows: list[Sequence[str]] = []
    for study, variant, method in HEADLINES:
        each = found.get((study, variant, method))
        by = method.removeprefix("policy:")
        if each is not None:
            counts = each.counts
            rows.append(
                [f"`{each.run.game}/{variant}`", by, each.run.information,
                 write_wins(counts.won, counts.n, counts.undecided), both_rates(each.rate)[0], f"[{study}]({study}.md)"]
            )  # fmt: skip
        elif study not in studies and (study, variant, by) in older:
            rows.append(older[study, variant, by])
    return table(["game", "by", "information", "won", "rate", "page"], rows)


def write_list(found: dict[tuple[str, str, str], Found], older: dict[tuple[str, ...], list[str]]) -> str:
    """The page that leads to all others."""
    listed = {key[0]: cells for key, cells in older.items() if len(key) == 1}
    for study in dict.fromkeys(key[0] for key in found):
        runs = [each for key, each in found.items() if key[0] == study]
        done = sum(each.counts.n for each in runs)
        planned = sum(each.counts.planned for each in runs)
        state = "" if done == planned else f" of {planned:,}"
        begun = min(each.run.created for each in runs)[:10]
        information = INFORMATION[runs[0].run.information].partition(":")[0]
        plan = f"`unshuffle study run studies/{study}.toml`"
        listed[study] = [f"[{study}]({study}.md)", information, str(len(runs)), f"{done:,}{state}", begun, plan]
    head = ["study", "information", "runs", "deals", "begun", "command"]
    return "\n\n".join(
        [
            "# Results",
            prose(
                "How often each game is won, by our own studies; each has a plan in"
                " [studies/](../../studies/README.md). *Open*: all cards known; *hidden*: what a player sees."
                " Intervals: 95 %, Wilson; rates count undecided deals as lost. Each page has its conditions,"
                " its provenance, the command that makes it again, and what tests beside [published"
                " figures](../published.md) say. [statistics.md](../statistics.md) explains the numbers."
            ),
            table(head, [listed[study] for study in sorted(listed)]),
            "And, each by a program of its own:\n\n"
            + "\n".join(f"- [{page.removesuffix('.md')}]({page}): {words}" for page, words in BESIDE.items()),
            "## The figures that are asked for most",
            write_headlines(found, older),
        ]
    )


def main() -> int:
    """Read the arguments, write the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stores", nargs="+", type=Path, metavar="STORE", help="where the studies are")
    parser.add_argument("--out", type=Path, default=PAGES, help="the folder of the pages (docs/results)")
    arguments = parser.parse_args()
    found: dict[tuple[str, str, str], Found] = {}
    try:
        with ExitStack() as opened:
            stores = [opened.enter_context(Store.open(path, create=False)) for path in arguments.stores]
            where = {info.name: store for store in stores for info in store.studies()}
            for path in sorted(PLANS.glob("*.toml")):
                name = read_plan(path).name
                if name in where:
                    found |= read_all(where[name], name)
                    page = arguments.out / f"{name}.md"
                    with study_packages():
                        page.write_text(write_summary(where[name], name), encoding="utf-8")
                    print(page)
    except (UsageError, StoreError, InternalError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 70 if isinstance(error, InternalError) else 2
    page = arguments.out / "README.md"
    older = read_rows(page.read_text(encoding="utf-8")) if page.exists() else {}
    page.write_text(write_list(found, older) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
