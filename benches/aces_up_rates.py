"""The page of win rates of Aces Up: `python benches/aces_up_rates.py [--store FILE] [--study NAME] [--out FILE]`.

It reads the study that `unshuffle study run benches/aces_up_rates.toml` has made, and the tournaments of all lists, or
as much of them as is there, and writes docs/aces-up-rates.md. Every sentence with a finding is computed: the same store
gives the same page.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from aces_up_tournament import TOURNAMENTS, write_tournament
from rates import (
    EMPTY,
    LEVEL,
    Count,
    Found,
    both_rates,
    count_of,
    figures_of,
    find,
    make_page,
    make_parser,
    names,
    prose,
    read_solved,
    table,
    test_count,
    write_deals,
    write_making,
    write_mean,
    write_range,
    write_wins,
)
from unshuffle.errors import UsageError
from unshuffle.game import game_class
from unshuffle.store import Store
from unshuffle.study.inference import check_implications
from unshuffle.study.published import Figure, published
from unshuffle.study.statistics import Moments, Rate, holm, mcnemar, write_percent
from unshuffle.study.tables import write_count, write_number, write_p

GAME = "aces-up"
BEST_LIST = "rules:10,100,4,200"
"""The list beside which the other players are set: no other won more when lists were first compared."""

RESEARCH = "research before this program"
(MASTEN,) = (each for each in published(GAME) if each.source.name == "Masten" and each.method == "solver")
(MATSSSON,) = figures_of(GAME, "matssson")
PLAYED = [each for each in figures_of(GAME, RESEARCH, "hidden") if each.variant == "standard" and not each.label]
RESEARCH_LISTS = {each.who: each for each in PLAYED if each.who.startswith("rules:")}
RESEARCH_PLAYERS = {each.who: each for each in PLAYED if not each.who.startswith("rules:")}
PEER_LISTS = {each.who: count_of(each) for each in figures_of(GAME, "henrikenquist/aces-up") if not each.label}
(JWNORMAN,) = figures_of(GAME, "jwnorman")
PUBLISHED_PLAYERS = (
    "Published elsewhere, without numbers of games: Masten's player that goes about it like a person wins {Masten};"
    " Keller speaks of {Keller}, the players of Pretty Good Solitaire reach {players of Pretty Good Solitaire}. Moving"
    " aces only is said to win {published, author not told}."
)


def _add_up(figures: Iterable[Figure]) -> dict[str, Count]:
    """All samples of each variant together."""
    found: dict[str, Count] = {}
    for each in figures:
        before, count = found.get(each.variant, Count(0, 0)), count_of(each)
        found[each.variant] = Count(
            before.won + count.won, before.n + count.n, before.undecided + count.undecided, count.is_lower_bound
        )
    return found


RESEARCH_OPEN = _add_up(figures_of(GAME, RESEARCH, "open"))

COMMANDS = """```sh
unshuffle study run benches/aces_up_rates.toml
{tournaments}
python benches/aces_up_rates.py
```"""

Players = dict[tuple[str, str], Found]
"""By variant and policy."""


def read_played(store: Store, study: str) -> Players:
    """The players that have finished games, in the order of the plan."""
    runs = [run for run in store.runs(study) if run.game == GAME and not run.is_solver]
    found = {(run.variant, run.method.removeprefix("policy:")): find(store, run) for run in runs}
    return {key: each for key, each in found.items() if each.counts.n}


def mean_score(store: Store, found: Found) -> str:
    """The mean score with its interval; of a solver's run the best score, where every one is proved."""
    if found.counts.undecided or (found.run.is_solver and not found.run.maximize):
        return EMPTY
    return write_mean(Moments.of_counts(store.scores(found.run)))


# With all cards known.


def write_open(store: Store, found: dict[str, Found]) -> str:
    """All variants."""
    rows = []
    for each in found.values():
        as_lost, as_won = both_rates(each.rate)
        counts = each.counts
        rows.append(
            [f"`{each.variant}`", write_deals(counts), f"{counts.won:,}", f"{counts.undecided:,}", as_lost,
             as_won if counts.undecided else EMPTY, mean_score(store, each), write_number(each.nodes.mean),
             write_count(each.nodes.largest)]
        )  # fmt: skip
    head = ["variant", "deals", "won", "undecided", "rate", "undecided as won", "mean best score", "mean nodes",
            "most nodes"]  # fmt: skip
    intervals = (
        "Open information: all cards known. Intervals: 95 %, Wilson; *rate* counts undecided deals as lost. The best"
        " score of a deal is proved where none is undecided. Nodes are over the deals that a search has decided."
    )
    return "\n\n".join(["## Perfect play", prose(intervals), table(head, rows)])


def write_before(found: dict[str, Found]) -> str:
    """Perfect play beside what was measured before."""
    tests = {name: test_count(found[name].rate, other) for name, other in RESEARCH_OPEN.items() if name in found}
    parts = [
        "### Beside the research",
        prose(
            "The research that came before this program has searched decks of its own by programs of its own. Most of"
            " its wins are computed from rates of three or four digits, and two samples of one variant are added. p:"
            " two samples of decks, chi-square or Fisher; undecided deals may end in any way, and where that matters"
            " the least and the greatest p are given. Holm's adjustment for the number of variants."
        ),
    ]
    if not tests:
        return "\n\n".join([*parts, "None of its variants is in the store."])
    adjusted = holm([test.most for test in tests.values()])
    rows = []
    for (name, test), p in zip(tests.items(), adjusted, strict=True):
        other: Count = RESEARCH_OPEN[name]
        own = found[name].counts
        rows.append([f"`{name}`", write_wins(own.won, own.n, own.undecided), write_wins(*other[:3]),
                     write_range(test.least, test.most), write_p(p)])  # fmt: skip
    verdict = _told_apart(dict(zip(tests, adjusted, strict=True)))
    return "\n\n".join([*parts, table(["variant", "ours", "research", "p", "p (Holm)"], rows), prose(verdict)])


def write_published(found: dict[str, Found]) -> str:
    """Masten's and matssson's rates."""
    parts = ["## Published rates of perfect play"]
    variant, share = MASTEN.variant, MASTEN.share
    assert share is not None
    text = [f"**Masten**: {100 * share:.2f} %, spaces must be filled; by its rules `{variant}`."]
    if variant in found:
        text.append(f"Ours is {both_rates(found[variant].rate)[0]}. {_against_share(found[variant].rate, share)}")
    else:
        text.append("That variant is not in the store.")
    parts.append(prose(*text))
    variant, other = MATSSSON.variant, count_of(MATSSSON)
    text = [f"**matssson**: {write_wins(*other[:2])}, {100 * other.won / other.n:.3f} %; by its rules `{variant}`."]
    if variant in found:
        rate = found[variant].rate
        wide = Rate(other.won, other.n - other.won, level=0.9999)
        test = test_count(rate, other)
        inside = rate.rate is not None and wide.low <= rate.rate <= wide.high
        text.append(
            f"Ours is {both_rates(rate)[0]} ({write_wins(rate.won, rate.n, rate.undecided)}),"
            f" {'within' if inside else 'not within'} his interval of 99.99 % [{100 * wide.low:.3f},"
            f" {100 * wide.high:.3f}]; {test.name}, p {write_range(test.least, test.most)}: at 5 %"
            f" {'not ' if test.most >= LEVEL else ''}told apart."
        )
    else:
        text.append("That variant is not in the store.")
    return "\n\n".join([*parts, prose(*text)])


def _against_share(rate: Rate, share: float) -> str:
    """Our count against a rate without a number of deals: exact, and with its rounding in the other's favour."""
    from scipy.stats import binomtest

    half = 0.00005
    own = rate.won / rate.n
    nearest = min(max(own, share - half), share + half)
    p = float(binomtest(rate.won, rate.n, nearest).pvalue)
    return (
        f"His number of deals is not told; if his rate were exact but for its rounding, ours would be"
        f" {'not ' if p >= LEVEL else ''}told apart from it at 5 % (binomial test, p {write_p(p)}). What chance has put"
        " into his is not counted in that, so p is rather too small."
    )


def write_scores(store: Store, found: dict[str, Found]) -> str:
    """Best scores beside matssson's."""
    from scipy.stats import chi2_contingency

    variant, n = MATSSSON.variant, count_of(MATSSSON).n
    parts = [f"## Best scores of `{variant}`"]
    if variant not in found or not found[variant].run.maximize or found[variant].counts.undecided:
        return "\n\n".join([*parts, "Its best scores are not in the store."])
    ours = store.scores(found[variant].run)
    deals = sum(ours.values())
    pairs = [(str(score), ours.get(score, 0), count) for score, count in MATSSSON.scores.items()]
    pairs.append(("less", deals - sum(pair[1] for pair in pairs), n - sum(MATSSSON.scores.values())))
    rows = [
        [name, f"{mine:,}", f"{100 * mine / deals:.3f} %", f"{their:,}", f"{100 * their / n:.3f} %"]
        for name, mine, their in pairs
    ]
    result = chi2_contingency([[pair[1] for pair in pairs], [pair[2] for pair in pairs]], correction=False)
    p = float(result.pvalue)
    verdict = (
        f"Chi-square {result.statistic:.2f} with {result.dof} degrees of freedom, p {write_p(p)}: at 5 % the two"
        f" distributions are {'not ' if p >= LEVEL else ''}told apart. The worst of our {deals:,} deals has"
        f" {min(ours)}, the worst of his {n:,} {MATSSSON.worst}."
    )
    parts.append(table(["best score", "deals", "share", "matssson", "share"], rows))
    lines = [f"{score}: {ours.get(score, 0):,}" for score in range(min(ours), max(ours) + 1)]
    return "\n\n".join([*parts, prose(verdict), prose("All of ours:", "; ".join(lines) + ".")])


# By players who see what a person sees.


def write_lists(store: Store, played: Players) -> str:
    """Rule lists beside what was measured before."""
    head = ["list", "games", "won", "rate", "mean score", "before", "mean", "p", "p (Holm)"]
    found = {name: played["standard", name] for name in RESEARCH_LISTS if ("standard", name) in played}
    text = prose(
        "Hidden information: what a player sees. `standard` rules, the same decks for all lists. *Before*: the research"
        " that came before this program, 400,000 decks of its own. p: chi-square, two samples of decks; Holm's"
        " adjustment for their number."
    )
    parts = ["## Rule lists", text]
    if not found:
        return "\n\n".join([*parts, "None of them is in the store."])
    tests = {name: test_count(each.rate, count_of(RESEARCH_LISTS[name])) for name, each in found.items()}
    adjusted = dict(zip(tests, holm([test.most for test in tests.values()]), strict=True))
    rows = []
    for name, each in found.items():
        before = RESEARCH_LISTS[name]
        mean = before.mean or EMPTY
        rows.append([*_cells(store, name, each), before.rate, mean, write_p(tests[name].most),
                     write_p(adjusted[name])])  # fmt: skip
    return "\n\n".join([*parts, table(head, rows), prose(_told_apart(adjusted))])


def write_peer(store: Store, played: Players) -> str:
    """Rule lists beside the published tables."""
    parts = [
        "## Published rates of rule lists",
        prose(
            "The table of henrikenquist/aces-up, whose lists these are, and jwnorman's program. Their decks are not"
            " published, so two samples of decks are compared; p as above. The former counts a win only if its line of"
            " play is new to its file, which matters little where every game has a new deck."
        ),
    ]
    others = {("standard", name): count for name, count in PEER_LISTS.items()} | {
        (JWNORMAN.variant, JWNORMAN.who): count_of(JWNORMAN)
    }
    found = {key: played[key] for key in others if key in played}
    if not found:
        return "\n\n".join([*parts, "None of them is in the store."])
    tests = {key: test_count(each.rate, others[key]).most for key, each in found.items()}
    adjusted: dict[str, float] = {}
    rows = []
    for (key, each), p in zip(found.items(), holm([*tests.values()]), strict=True):
        variant, policy = key
        name = policy if variant == "standard" else f"{policy} ({variant})"
        adjusted[name] = p
        other = others[key]
        rows.append([*_cells(store, name, each), write_wins(other.won, other.n), f"{100 * other.won / other.n:.3f} %",
                     write_p(tests[key]), write_p(p)])  # fmt: skip
    head = ["list", "games", "won", "rate", "mean score", "published", "rate", "p", "p (Holm)"]
    return "\n\n".join([*parts, table(head, rows), prose(_told_apart(adjusted))])


def _cells(store: Store, name: str, each: Found) -> list[str]:
    return [f"`{name}`", write_deals(each.counts), f"{each.counts.won:,}", both_rates(each.rate)[0],
            mean_score(store, each)]  # fmt: skip


def _told_apart(adjusted: Mapping[str, float]) -> str:
    differing = [name for name, p in adjusted.items() if p < LEVEL]
    alike = len(adjusted) - len(differing)
    text = f"At 5 % after Holm {alike} of {len(adjusted)} are not told apart."
    return text + (f" Told apart: {names(differing)}." if differing else "")


def write_players(store: Store, played: Players) -> str:
    """The other players, and the best list on the same deals."""
    parts = [
        "## Other players",
        prose(
            "`standard`, hidden information. *Beside the list*: the same deals played by"
            f" `{BEST_LIST}`; the difference in points with Tango's interval, and McNemar's exact test."
            " What the players do is in [simulate.md](simulate.md#aces-up-weights-and-rollout)."
        ),
    ]
    lists = played.get(("standard", BEST_LIST))
    found = {
        name: each
        for (variant, name), each in played.items()
        if variant == "standard" and not name.startswith("rules:")
    }
    if not found:
        return "\n\n".join([*parts, "None of them is in the store."])
    rows = []
    for name, each in found.items():
        before = RESEARCH_PLAYERS.get(name)
        cells = _cells(store, name, each)
        if before is None:
            cells += [EMPTY, EMPTY]
        else:
            other = count_of(before)
            rate = Rate(other.won, other.n - other.won)
            cells += [write_percent(other.won / other.n, rate.interval), write_p(test_count(each.rate, other).most)]
        rows.append([*cells, *_beside(store, each, lists)])
    head = ["player", "games", "won", "rate", "mean score", "before", "p", "beside the list, points", "p (paired)"]
    return "\n\n".join([*parts, table(head, rows), prose(PUBLISHED_PLAYERS.format(**_others()))])


def _others() -> dict[str, str]:
    """What players elsewhere reach, by who tells it."""
    figures = [each for each in published(GAME) if each.is_other_player and not each.n]
    return {each.source.name: each.rate.replace("1 in", "1 game in") for each in figures}


def _beside(store: Store, each: Found, other: Found | None) -> tuple[str, str]:
    if other is None:
        return EMPTY, EMPTY
    pair = store.paired(each.run, other.run)
    test = mcnemar(pair.only_a, pair.only_b, pair.both, pair.neither)
    if test.difference is None:
        return EMPTY, EMPTY
    return f"{100 * test.difference:+.2f} [{100 * test.low:+.2f}, {100 * test.high:+.2f}]", write_p(test.p)


# The page.


def write_head(found: dict[str, Found], played: Players, study: str) -> str:
    """What was done, and what the numbers rest on."""
    tournaments = "\n".join(each.command for each in TOURNAMENTS.values())
    return "\n\n".join(
        [
            "# Win rates of Aces Up",
            prose(
                f"How often a deal can be won, for {len(found)} of {len(game_class(GAME).variants)} variants"
                " ([the rules](games/aces-up.md)), and how often players win who do not see the stock. This page is"
                " made by a program from what is stored; what its numbers mean is in [statistics.md](statistics.md)."
            ),
            COMMANDS.format(tournaments=tournaments),
            *(write_making(each, study) for each in ([*found.values()], [*played.values()]) if each),
        ]
    )


def write_page(store: Store, study: str) -> str:
    """The whole page."""
    check_implications(store, study)
    found, played = read_solved(store, study, GAME), read_played(store, study)
    if not found and not played:
        raise UsageError(f"the study {study!r} has no finished deals of {GAME}")
    sections = [write_head(found, played, study)]
    if found:
        sections += [write_open(store, found), write_before(found), write_published(found), write_scores(store, found)]
    if played:
        sections += [part(store, played) for part in (write_lists, write_peer, write_players)]
    sections += [text for dialect in TOURNAMENTS if (text := write_tournament(store, dialect))]
    return "\n\n".join(sections) + "\n"


def main() -> int:
    """Read the arguments, write the page."""
    arguments = make_parser(GAME, __doc__).parse_args()
    return make_page(arguments, lambda store: write_page(store, arguments.study))


if __name__ == "__main__":
    sys.exit(main())
