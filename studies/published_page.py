"""The page of published figures: `python studies/published_page.py [--out FILE]` writes docs/published.md.

It is made from the data file of the package alone. What is wrong on the page is mended there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from pages import EMPTY, ROOT, prose
from unshuffle.registry import game as find_game
from unshuffle.study.published import Figure, published, sources_of
from unshuffle.study.published_report import describe_source, group_figures, list_remarks, tabulate_figures
from unshuffle.study.tables import Column


def write_head(figures: Sequence[Figure]) -> str:
    """What the page is, and how to read it."""
    alone = sum(not each.comparable for each in figures)
    return "\n\n".join(
        [
            "# Published figures",
            prose(
                f"How often others have won our five games: {len(figures)} figures, each with its source and what is"
                " told of its conditions. They come with the package (`src/unshuffle/study/data/published.toml`), and"
                " this page is made from that file. *Research before this program* was made for the specifications,"
                " by other programs on other deals."
            ),
            "```sh\nunshuffle study published agnes\npython studies/published_page.py\n```",
            prose(
                "`unshuffle study report` sets every run beside the figures that are about the same game, rules,"
                " information and way of playing ([which test](statistics.md#beside-published-figures)). No figure is"
                f" of the same deals as ours. Beside {alone} of them no run of a study can be set; they stand here for"
                " completeness, with the reason."
            ),
        ]
    )


def write_game(game: str, figures: Sequence[Figure]) -> str:
    """All figures of a game, by source."""
    parts = [f"## {find_game(game).name}"]
    for source, of_source in sources_of(figures):
        parts.append(f"### {source.name}")
        if words := describe_source(source):
            parts.append(prose(words))
        for words, group in group_figures(of_source).items():
            columns = tabulate_figures(group)
            remarks = ["; ".join(list_remarks(figure)) or EMPTY for figure in group]
            if set(remarks) != {EMPTY}:
                columns.append(Column("remarks", remarks, is_words=True))
            parts += [prose(words), _table(columns)]
    return "\n\n".join(parts)


def _table(columns: Sequence[Column]) -> str:
    """A table in which words stand on the left and numbers on the right."""
    head = [column.head for column in columns]
    rule = ["---" if column.is_words else "---:" for column in columns]
    rows = zip(*(column.values for column in columns), strict=True)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def write_page() -> str:
    """The whole page."""
    figures = published()
    games = dict.fromkeys(each.game for each in figures)
    parts = [write_game(game, published(game)) for game in games]
    return "\n\n".join([write_head(figures), *parts]) + "\n"


def main() -> int:
    """Read the arguments, write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "published.md", help="the page to be written")
    out: Path = parser.parse_args().out
    out.write_text(write_page(), encoding="utf-8")
    print(f"Written: {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
