"""All rule lists of Aces Up, ranked: `python studies/aces_up_lists.py [--store FILE] [--out FILE]`.

Reads the tournaments named below, as far as the store has them, and writes docs/results/aces-up-lists.md. The same
store gives the same page.
"""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from pages import (
    EMPTY,
    count_of,
    find,
    make_page,
    make_parser,
    prose,
    table,
    test_count,
    write_making,
    write_mean,
    write_wins,
)
from unshuffle.errors import UsageError
from unshuffle.store import Run, Store
from unshuffle.study.published import published
from unshuffle.study.ranking import find_alike, rank_in_groups, won_by_any
from unshuffle.study.statistics import Moments, Rate, write_percent
from unshuffle.study.tables import plural, write_p

RESEARCH_ANY = {
    each.who.rpartition(" ")[2]: count_of(each) for each in published("aces-up") if each.who.startswith("any of ")
}
"""By dialect, the decks that at least one of all reduced lists wins."""
_MOST_GROUPS, _MOST_ROWS = 3, 3
"""The most groups that are shown, and the most rows of each."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A tournament: the study in which it is stored, and the command that plays it."""

    study: str
    command: str


TOURNAMENTS = {
    "classic": Asked("tournament-aces-up-standard", "unshuffle tournament aces-up --all --seeds 0..99999"),
    "documented": Asked(
        "tournament-aces-up-documented",
        "unshuffle tournament aces-up --all --dialect documented --seeds 0..99999 --name tournament-aces-up-documented",
    ),
}


@dataclass(frozen=True, slots=True)
class Games:
    """The games of a list."""

    policy: str
    scores: array[int]
    won: bytes
    moves: bytes

    @property
    def rate(self) -> Rate:
        """The win rate."""
        return Rate(self.won.count(1), self.won.count(0))

    @property
    def merit(self) -> tuple[int, int]:
        """The sort key: wins, then points."""
        return self.won.count(1), sum(self.scores)


def _read(store: Store, dialect: str) -> list[Games]:
    """Return the lists of a dialect that have played all deals that are planned for all lists."""
    study = TOURNAMENTS[dialect].study
    if study not in {each.name for each in store.studies()}:
        return []
    runs = [run for run in store.runs(study) if run.variant == "standard" and _dialect(run) == dialect]
    first, last = max((run.first_seed for run in runs), default=0), min((run.last_seed for run in runs), default=-1)
    found = []
    for run in runs:
        blocks = list(store.games(run, first, last))
        games = Games(
            run.method.removeprefix("policy:"),
            array("h", b"".join(block.scores for block in blocks)),
            b"".join(block.won for block in blocks),
            b"".join(block.tableau_moves or b"" for block in blocks),
        )
        if len(games.scores) == last - first + 1:
            found.append(games)
    return found


def _dialect(run: Run) -> str | None:
    """Return the dialect of a list; None if the policy is not a list."""
    name = run.method.removeprefix("policy:")
    if not name.startswith("rules:"):
        return None
    return "documented" if name.endswith("@documented") else "classic"


def write_tournament(store: Store, dialect: str) -> str:
    """Return the section about a dialect; '' if its tournament is not in the store."""
    import numpy as np

    lists = _read(store, dialect)
    if not lists:
        return ""
    won = np.array([np.frombuffer(each.won, dtype=np.bool_) for each in lists])
    alike = find_alike([(each.scores.tobytes(), each.won, each.moves) for each in lists])
    first = [each[0] for each in alike]
    groups = rank_in_groups(won[first], [np.frombuffer(lists[place].scores, dtype=np.int16) for place in first])
    rows = []
    for number, group in enumerate(groups[:_MOST_GROUPS], 1):
        members = sorted(group.members, key=lambda member: lists[alike[member][0]].merit, reverse=True)
        for member in members[:_MOST_ROWS]:
            rows.append([_names(lists, alike[member]), str(number), *_cells(lists[alike[member][0]])])
        if len(members) > _MOST_ROWS:
            rows.append([f"{len(members) - _MOST_ROWS} more", str(number), *[EMPTY] * 3])
    decks = won.shape[1]
    sizes = [sum(len(alike[member]) for member in group.members) for group in groups]
    everyone = won_by_any(won)
    assert everyone.rate is not None
    before = RESEARCH_ANY[dialect]
    text = prose(
        f"{plural(len(lists), 'list')} on the same {plural(decks, 'deck')}, `standard`, hidden information:"
        f" `{TOURNAMENTS[dialect].command}`. The first list of a group was chosen on the first half of the decks, all"
        " others were tested against it on the second half (McNemar's exact test, Holm's correction, 5 %), and a group"
        " is those that these decks do not tell apart from it. Lists that are joined by = play alike on every deck."
        f" That makes {plural(len(groups), 'group')}; lists in the first of them:"
        f" {', '.join(map(str, sizes[:_MOST_GROUPS]))}."
    )
    any_of = prose(
        f"Decks won by at least one list: {write_wins(everyone.won, everyone.n)},"
        f" {write_percent(everyone.rate, everyone.interval)}; the research had {write_wins(before.won, before.n)}"
        f" (p {write_p(test_count(everyone, before).most)})."
    )
    head = ["list", "group", "won", "rate", "mean score"]
    return "\n\n".join([f"## All rule lists, `{dialect}`", text, table(head, rows), any_of])


def _names(lists: list[Games], member: tuple[int, ...]) -> str:
    texts = (lists[place].policy.removeprefix("rules:").removesuffix("@documented") for place in member)
    return " = ".join(f"`{text}`" for text in texts)


def _cells(games: Games) -> list[str]:
    rate = games.rate
    assert rate.rate is not None
    return [
        f"{rate.won:,}",
        write_percent(rate.rate, rate.interval),
        write_mean(Moments.of_counts(Counter(games.scores))),
    ]


def write_page(store: Store) -> str:
    """Return the whole page."""
    parts = [part for dialect in TOURNAMENTS if (part := write_tournament(store, dialect))]
    if not parts:
        raise UsageError("neither tournament of all rule lists of aces-up is in the store")
    stored = {each.name for each in store.studies()}
    commands = "\n".join(each.command for each in TOURNAMENTS.values())
    making = [
        write_making([find(store, run) for run in store.runs(each.study)], each.study)
        for each in TOURNAMENTS.values()
        if each.study in stored
    ]
    head = prose(
        "Which rule lists of Aces Up win most. A rule list says which top card goes to a space; most of the billion"
        " lists play like a shorter one, and these are the shorter ones ([the language](../games/aces-up.md)). A"
        " program writes this page from a store; [statistics.md](../statistics.md) explains its numbers."
    )
    code = f"```sh\n{commands}\npython studies/aces_up_lists.py\n```"
    return "\n\n".join(["# All rule lists of Aces Up", head, code, *making, *parts]) + "\n"


def main() -> int:
    return make_page(make_parser(__doc__, "aces-up-lists.md").parse_args(), write_page)


if __name__ == "__main__":
    raise SystemExit(main())
