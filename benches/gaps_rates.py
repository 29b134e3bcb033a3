"""The page of win rates of Gaps: `python benches/gaps_rates.py [--store FILE] [--study NAME] [--out FILE]`.

It reads the study that `unshuffle study run benches/gaps_rates.toml` has made, and the tournaments of whole games, or
as much of them as is there, and writes docs/gaps-rates.md. Every sentence with a finding is computed: the same store
gives the same page.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from rates import (
    LEVEL,
    Found,
    count_of,
    make_page,
    make_parser,
    pairs_table,
    players_table,
    prose,
    read_players,
    read_solved,
    solved_table,
    table,
    test_count,
    write_making,
    write_range,
    write_wins,
)
from unshuffle.errors import UsageError
from unshuffle.store import Store
from unshuffle.study.inference import check_implications
from unshuffle.study.published import published
from unshuffle.study.statistics import holm
from unshuffle.study.tables import write_p

GAME = "gaps"
COUNTED = [each for each in published(GAME) if each.comparable and each.n]
PUBLISHED = [each for each in COUNTED if each.information == "open"]
BEFORE = [each for each in COUNTED if each.information == "hidden"]


@dataclass(frozen=True, slots=True)
class Tournament:
    """Whole games of one variant, the same for all players."""

    variant: str
    budget: str
    last_seed: int
    players: tuple[str, ...]

    @property
    def study(self) -> str:
        """The name under which it is kept."""
        return f"gaps-games-{self.variant}-{self.budget}"

    @property
    def policies(self) -> tuple[str, ...]:
        """The players with their budgets."""
        return tuple(f"{player}:{self.budget}" for player in self.players)

    @property
    def command(self) -> str:
        """What plays it."""
        policies = " ".join(f"--policy {policy}" for policy in self.policies)
        return (
            f"unshuffle tournament gaps --variant {self.variant} {policies} --seeds 0..{self.last_seed}"
            f" --name {self.study}"
        )


STUCK_ONLY, EARLY = ("max-locked", "value"), ("max-locked", "value", "fresh")
TOURNAMENTS = (
    Tournament("addiction", "0.3s", 2_999, STUCK_ONLY),
    Tournament("addiction-early", "0.3s", 2_999, EARLY),
    Tournament("addiction", "2s", 999, STUCK_ONLY),
    Tournament("addiction-early", "2s", 999, EARLY),
    Tournament("montana-locked", "0.3s", 499, STUCK_ONLY),
    Tournament("montana", "0.3s", 199, EARLY),
    Tournament("spaces", "0.3s", 199, EARLY),
)


# One deal, all cards known.


def write_open(found: dict[str, Found]) -> str:
    """The variants without a redeal."""
    words = (
        "One deal, no redeal, every card in sight. Intervals: 95 %, Wilson; *rate* counts undecided deals as lost."
        " Nodes are over the deals that a search has decided."
    )
    return "\n\n".join(["## One deal", prose(words), solved_table(found)])


def write_published(found: dict[str, Found]) -> str:
    """Our rates beside those of others."""
    parts = [
        "## Published rates of one deal",
        prose(
            "Other programs on deals of their own; wins are computed from the percents that are told. p: two samples of"
            " deals, chi-square or Fisher; undecided deals may end in any way, and where that matters the least and the"
            " greatest p are given. Holm's adjustment for the number of rows. No other figure was found for"
            " `addiction-one-deal`, in which a 2 in the first column stays."
        ),
    ]
    compared = [each for each in PUBLISHED if each.variant in found]
    if not compared:
        return "\n\n".join([*parts, "None of these variants is in the store."])
    tests = [test_count(found[each.variant].rate, count_of(each)) for each in compared]
    rows = []
    adjusted = holm([test.most for test in tests])
    for each, test, p in zip(compared, tests, adjusted, strict=True):
        own = found[each.variant].counts
        rows.append([f"`{each.variant}`", each.name, write_wins(*count_of(each)[:3]),
                     write_wins(own.won, own.n, own.undecided), write_range(test.least, test.most),
                     write_p(p)])  # fmt: skip
    differing = sum(p < LEVEL for p in adjusted)
    verdict = f"At 5 % {len(rows) - differing} of {len(rows)} are not told apart from ours" + (
        "." if not differing else f", {differing} are: where deals stay undecided, the greatest p was taken."
    )
    head = ["variant", "source", "theirs", "ours", "p", "p (Holm)"]
    return "\n\n".join([*parts, table(head, rows), verdict])


# Whole games.


def write_games(store: Store, games: dict[Tournament, dict[str, Found]]) -> str:
    """Who wins how often, and who of two wins more."""
    parts = [
        "## Whole games",
        prose(
            "Redeals are not known before they are made. `max-locked` ends a phase that it cannot win with the most"
            " cards locked, `value` where the redeals that are left are worth most, `fresh` with as few locked as"
            " possible, which needs a redeal at will. `2s`: at most two seconds of thought on a phase, one thread. All"
            " players of one table play the same deals with the same redeals. With limits in seconds the games depend"
            " on the machine, which was busy: they are rather too few than too many."
        ),
    ]
    for tournament, found in games.items():
        parts += [
            f"### `{tournament.variant}`, {tournament.budget}",
            players_table(store, found),
        ]
        if len(found) > 1:
            parts.append(pairs_table(store, found, combinations(found, 2), 2))
    rows = [
        [f"`{each.variant}`", f"`{each.who.partition(':')[0]}`", each.conditions, each.rate, f"{each.n:,}"]
        for each in BEFORE
    ]
    parts += [
        "### What research had",
        prose(
            "Before this program was written, on deals of its own, with another search. The limits in seconds are those"
            " of another machine."
        ),
        table(["variant", "player", "limit", "rate", "games"], rows),
    ]
    return "\n\n".join(parts)


# The page.


def write_page(store: Store, study: str) -> str:
    """The whole page."""
    check_implications(store, study)
    found = read_solved(store, study, GAME)
    games = {each: players for each in TOURNAMENTS if (players := read_players(store, each.study, each.policies))}
    if not found and not games:
        raise UsageError(f"the study {study!r} has no finished deals of {GAME}, and there are no tournaments of it")
    commands = ["unshuffle study run benches/gaps_rates.toml", *(each.command for each in games or TOURNAMENTS),
                "python benches/gaps_rates.py"]  # fmt: skip
    sections = [
        "# Win rates of Gaps",
        prose(
            "How often one deal can be won with every card in sight, and how often whole games are won by players who"
            " cannot know what a redeal brings ([the rules](games/gaps.md)). This page is made by a program from what"
            " is stored; what its numbers mean is in [statistics.md](statistics.md)."
        ),
        "\n".join(["```sh", *commands, "```"]),
    ]
    if found:
        sections += [write_making([*found.values()], study), write_open(found), write_published(found)]
    sections += [write_making([*players.values()], each.study) for each, players in games.items()]
    if games:
        sections.append(write_games(store, games))
    return "\n\n".join(sections) + "\n"


def main() -> int:
    """Read the arguments, write the page."""
    arguments = make_parser(GAME, __doc__).parse_args()
    return make_page(arguments, lambda store: write_page(store, arguments.study))


if __name__ == "__main__":
    sys.exit(main())
