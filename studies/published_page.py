"""The page of published figures: `python studies/published_page.py [--out FILE]` writes docs/published.md.

The page is made from the data file of the package only. Correct errors on the page there.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import ascii_lowercase

sys.path.insert(0, str(Path(__file__).parent))

from pages import EMPTY, ROOT, prose
from unshuffle.registry import game as find_game
from unshuffle.study.published import Figure, published, sources_of
from unshuffle.study.published_report import describe_source, group_figures, list_remarks, tabulate_figures
from unshuffle.study.tables import Column

RESEARCH = "research before this program"
"""The source of figures that our own studies have replaced."""
MOST_MEANT = 4
"""Up to this many variants that may be meant are named. Of more, the page gives the number (`--json` names them)."""


def write_head(figures: Sequence[Figure]) -> str:
    """Return the introduction of the page."""
    shown = sum(not why_not_here(each) for each in figures)
    return "\n\n".join(
        [
            "# Published figures",
            prose(
                f"How often others have won our five games, with sources and conditions: {shown} of the {len(figures)}"
                " figures of `src/unshuffle/study/data/published.toml`, from which a program writes this page. The"
                f" others are those of *{RESEARCH}*, by other programs on other deals, and those that fit no run;"
                " the command prints them too, with scores and steps."
            ),
            "```sh\nunshuffle study published agnes\npython studies/published_page.py\n```",
            prose(
                "`unshuffle study report` tests every run against the figures of the same game, rules, information and"
                " player ([how](statistics.md#beside-published-figures))."
            ),
        ]
    )


def write_game(game: str, figures: Sequence[Figure]) -> str:
    """Return the section of a game: the comparable figures of others by source, and how many more there are."""
    parts = [f"## {find_game(game).name}"]
    left = Counter(reason for figure in figures if (reason := why_not_here(figure)))
    for source, of_source in sources_of([figure for figure in figures if not why_not_here(figure)]):
        parts.append(f"### {source.name}")
        if words := describe_source(source):
            parts.append(prose(words))
        for words, group in group_figures(of_source).items():
            parts += write_group(words, group)
    if left:
        reasons = "; ".join(f"{reason} ({many})" for reason, many in left.items())
        parts.append(prose(f"{left.total()} more figures (`unshuffle study published {game}`): {reasons}."))
    return "\n\n".join(parts)


def why_not_here(figure: Figure) -> str:
    """Return why a figure is not on the page, only in the output of the command; '' if it is on the page."""
    return figure.reason or (RESEARCH if figure.source.name == RESEARCH else "")


def write_group(words: str, group: Sequence[Figure]) -> list[str]:
    """Return a paragraph about what the figures share, and their table; remarks on several figures become letters."""
    told = [_remarks(figure) for figure in group]
    shared = [remark for remark in told[0] if len(group) > 1 and all(remark in own for own in told)]
    columns = tabulate_figures(group)
    same = [column for column in columns if column.is_words and len(group) > 1 and len(set(column.values)) == 1]
    all_of = [f"{column.head} {column.values[0]}" for column in same] + shared
    often = Counter(remark for own in told for remark in own if remark not in shared)
    letters = dict(zip((remark for remark, times in often.items() if times > 1), ascii_lowercase, strict=False))
    remarks = [_cell([each for each in own if each not in shared], letters) for own in told]
    table = _join_labels([column for column in columns if column not in same])
    if set(remarks) != {EMPTY}:
        table.append(Column("remarks", remarks, is_words=True))
    head = f"{words} All of these: {'; '.join(all_of)}." if all_of else words
    below = ["; ".join(f"{letter}: {remark}" for remark, letter in letters.items()) + "."] if letters else []
    return [prose(head), _table(table), *map(prose, below)]


def _join_labels(columns: Sequence[Column]) -> list[Column]:
    """Return the columns with the labels of the figures appended to their players, if the table has both."""
    named = {column.head: column for column in columns}
    if not {"played by", "which"} <= set(named):
        return list(columns)
    pairs = zip(named["played by"].values, named["which"].values, strict=True)
    players = [who if label == EMPTY else f"{who}, {label}" for who, label in pairs]
    joined = Column("played by", players, is_words=True)
    return [joined if column.head == "played by" else column for column in columns if column.head != "which"]


def _cell(remarks: Sequence[str], letters: Mapping[str, str]) -> str:
    marks = ",".join(letters[each] for each in remarks if each in letters)
    return "; ".join(filter(None, [marks, *(each for each in remarks if each not in letters)])) or EMPTY


def _remarks(figure: Figure) -> list[str]:
    """Return the remarks on a figure without final full stops, scores and steps, which the command prints.

    Many variants that may be meant are given as their number.
    """
    many = f"may be meant: {len(figure.candidates)} variants" if len(figure.candidates) > MOST_MEANT else None
    told = (each for each in list_remarks(figure) if not each.startswith("scores "))
    brief = (each.partition("Steps: ")[0].strip().rstrip(".") for each in told)
    return [many if many and each.startswith("may be meant: ") else each for each in brief if each]


def _table(columns: Sequence[Column]) -> str:
    """Return a Markdown table with words on the left and numbers on the right."""
    head = [column.head for column in columns]
    rule = ["---" if column.is_words else "---:" for column in columns]
    rows = zip(*(column.values for column in columns), strict=True)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def write_page() -> str:
    """Return the whole page."""
    figures = published()
    games = dict.fromkeys(each.game for each in figures)
    parts = [write_game(game, published(game)) for game in games]
    return "\n\n".join([write_head(figures), *parts]) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "published.md", help="the page to be written")
    out: Path = parser.parse_args().out
    out.write_text(write_page(), encoding="utf-8")
    print(f"Written: {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
