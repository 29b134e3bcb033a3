"""The page of win rates of Spider: `python benches/spider_rates.py [--store FILE] [--study NAME] [--out FILE]`.

It reads the study that `unshuffle study run benches/spider_rates.toml` has made, and the tournaments of the players, or
as much of them as is there, and writes docs/spider-rates.md. Every sentence with a finding is computed: the same store
gives the same page.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from rates import (
    Found,
    make_page,
    make_parser,
    pairs_table,
    players_table,
    prose,
    read_players,
    read_solved,
    solved_table,
    table,
    write_making,
)
from unshuffle.errors import UsageError
from unshuffle.store import Store
from unshuffle.study.inference import check_implications
from unshuffle.study.published import UNSTATED, Figure, published

GAME = "spider"
VARIANTS = ("4-suits", "4-suits-strict", "2-suits", "2-suits-strict", "1-suit", "1-suit-strict")
LAST_SEED = 299
TITLES = {"players": "", "planners": ", wider plans"}
PUBLISHED = [each for each in published(GAME) if each.information == "hidden"]


@dataclass(frozen=True, slots=True)
class Tournament:
    """Players of one variant, on the same deals."""

    variant: str
    policies: tuple[str, ...]
    last_seed: int = LAST_SEED
    kind: str = "players"

    @property
    def study(self) -> str:
        """The name under which it is kept."""
        return f"spider-{self.kind}-{self.variant}"

    @property
    def command(self) -> str:
        """What plays it."""
        policies = " ".join(f"--policy {policy}" for policy in self.policies)
        return (
            f"unshuffle tournament spider --variant {self.variant} {policies} --seeds 0..{self.last_seed}"
            f" --name {self.study}"
        )


PLAYERS = ("random:1000", "greedy", "plan:16")
SAMPLES = {"4-suits": 24, "4-suits-strict": 24}
"""With fewer suits less thought is enough."""
TOURNAMENTS = (
    *(Tournament(variant, (*PLAYERS, f"search:{SAMPLES.get(variant, 8)}")) for variant in VARIANTS),
    *(Tournament(variant, ("plan:16", "plan:60"), 1999, "planners") for variant in VARIANTS),
)


def write_open(found: dict[str, Found]) -> str:
    """What the solver wins."""
    words = (
        "Every card known, also those that lie face down and in the bank. Intervals: 95 %, Wilson; *rate* counts"
        " undecided deals as lost. Nodes are over the deals that a search has decided."
    )
    return "\n\n".join(["## With all cards known", prose(words), solved_table(found)])


def write_players(store: Store, games: dict[Tournament, dict[str, Found]]) -> str:
    """Who wins how often, and each beside the one before it."""
    parts = [
        "## Players who see what a person sees",
        prose(
            "No undo; face-down cards and the bank are unknown. `random:1000` makes 1,000 moves by chance before each"
            " row; `greedy` takes the best single move; `plan:16` plans to the next turned card or row with 16 tables"
            " in a level; `search:24` weighs such plans on 24 supposed deals. All players of one table play the same"
            " deals. The score is the Sun score less the moves."
        ),
    ]
    for tournament, found in games.items():
        title = f"### `{tournament.variant}`{TITLES[tournament.kind]}"
        parts += [title, players_table(store, found)]
        if len(found) > 1:
            parts.append(pairs_table(store, found, pairwise(found), 1))
    parts += [
        "### What others had",
        prose("On deals of their own, each under the conditions that are told."),
        table(["who", "what", "won"], [_write_other(each) for each in PUBLISHED]),
    ]
    return "\n\n".join(parts)


def _write_other(figure: Figure) -> list[str]:
    """Who, what they played, and how often they won."""
    who = figure.player or f"{figure.source.name}, `{figure.who}`"
    games = f"{figure.n:,} games" if figure.n else ""
    rate = figure.rate or f"{figure.wins} of {figure.n}"
    return [
        ", ".join(filter(None, (who, games, figure.conditions))),
        figure.rules if figure.variant == UNSTATED else f"`{figure.variant}`",
        f"{rate} [{figure.interval.replace(' to ', ', ')}]" if figure.interval else rate,
    ]


def write_page(store: Store, study: str) -> str:
    """The whole page."""
    check_implications(store, study)
    found = read_solved(store, study, GAME)
    games = {each: players for each in TOURNAMENTS if (players := read_players(store, each.study, each.policies))}
    if not found and not games:
        raise UsageError(f"the study {study!r} has no finished deals of {GAME}, and there are no tournaments of it")
    commands = ["unshuffle study run benches/spider_rates.toml", *(each.command for each in games or TOURNAMENTS),
                "python benches/spider_rates.py"]  # fmt: skip
    sections = [
        "# Win rates of Spider",
        prose(
            "How often a deal can be won with every card known, and how often it is won by players who see what a"
            " person sees ([the rules](games/spider.md)). This page is made by a program from what is stored; what its"
            " numbers mean is in [statistics.md](statistics.md)."
        ),
        "\n".join(["```sh", *commands, "```"]),
    ]
    if found:
        sections += [write_making([*found.values()], study), write_open(found)]
    sections += [write_making([*players.values()], each.study) for each, players in games.items()]
    if games:
        sections.append(write_players(store, games))
    return "\n\n".join(sections) + "\n"


def main() -> int:
    """Read the arguments, write the page."""
    arguments = make_parser(GAME, __doc__).parse_args()
    return make_page(arguments, lambda store: write_page(store, arguments.study))


if __name__ == "__main__":
    sys.exit(main())
