"""Results of a tournament: ranking and comparisons as text tables, as JSON and as a plot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from unshuffle.cli import figures, show
from unshuffle.files import writing
from unshuffle.simulate import Pair, Simulation, Tournament
from unshuffle.study.histogram import make_bins
from unshuffle.study.ranking import deals_by_winners, find_alike, rank_in_groups, wins_of, won_by_any
from unshuffle.study.statistics import Paired, holm, mcnemar, write_percent

_MOST_ROWS = 50
"""The most policies in a table; `--json` prints all."""
_MOST_ENTERED = 60
FEW = 4
"""Up to this many policies are also compared in pairs, each with a histogram of its scores."""
_WINNER_BINS = 20
_MOST_DRAWN = 30


@dataclass(frozen=True)
class Standings:
    """The games of several policies on the same deals; in a race, on the first deals, as far as each came."""

    simulations: tuple[Simulation, ...]
    seconds: tuple[float, ...]
    entered: Mapping[str, int]
    """The number of entered rule lists that each policy plays."""
    is_race: bool = False

    @property
    def deals(self) -> int:
        """The number of deals; in a race, of those that the last policies played."""
        return max(map(len, self.simulations))

    @cached_property
    def alike(self) -> list[tuple[int, ...]]:
        """Groups of policies with the same results on every deal."""
        return find_alike(
            [(games.packed[0].tobytes(), games.packed[1], games.packed_moves) for games in self.simulations]
        )

    @cached_property
    def won(self) -> Any:
        """The array of wins, by policy and deal."""
        return wins_of(self.simulations)

    @cached_property
    def groups(self) -> list[tuple[int, list[tuple[int, ...]]]]:
        """The reference policy of each rank group, and its members; policies that play alike form one member."""
        if self.is_race:
            return [(self.alike[0][0], self.alike)]
        first = [each[0] for each in self.alike]
        found = rank_in_groups(self.won[first], [self.simulations[place].scores for place in first])
        return [(self.alike[group.reference][0], [self.alike[member] for member in group.members]) for group in found]

    @cached_property
    def group_of(self) -> dict[int, int]:
        """The number of each policy's group, from 1."""
        return {
            place: number
            for number, (_, members) in enumerate(self.groups, 1)
            for member in members
            for place in member
        }

    def rows(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield the group number and the policies of each row, the best of each group first."""
        for number, (_, members) in enumerate(self.groups, 1):
            for member in sorted(members, key=self._merit, reverse=True):
                yield number, member

    def _merit(self, member: tuple[int, ...]) -> tuple[int, float, float]:
        games = self.simulations[member[0]]
        return len(games), games.wins / max(1, len(games)), games.mean

    def names(self, member: Iterable[int]) -> str:
        """Return the names of policies that play alike, for one cell."""
        return " = ".join(self.simulations[place].policy for place in member)

    def best(self) -> tuple[int, int, int, int]:
        """Return the best score, the first policy and deal that reached it, and the number of such games."""
        # In a race a policy may have played nothing.
        tops = {place: int(games.scores.max()) for place, games in enumerate(self.simulations) if len(games)}
        place = max(tops, key=tops.__getitem__)
        score = tops[place]
        times = sum(games.score_counts.get(score, 0) for games in self.simulations)
        return score, place, int(self.simulations[place].scores.argmax()), times


def compare(standings: Standings) -> list[tuple[Pair, Paired, float]]:
    """Return every pair with McNemar's test and the p-value after Holm's correction."""
    pairs = Tournament(standings.simulations).pairs()
    tests = [mcnemar(pair.only_a, pair.only_b, pair.both, pair.neither) for pair in pairs]
    return list(zip(pairs, tests, holm([test.p for test in tests]), strict=True))


# JSON.


def print_json(page: show.Page, standings: Standings, *, ranks: bool, compares: bool) -> None:
    """Print an object for each policy; with `compares` also one for each comparison."""
    for place, games in enumerate(standings.simulations):
        values = figures.numbers(games)
        if ranks:
            # Fixes the order of the keys: names, the number of entered lists, figures.
            names = ("game", "variant", "policy")
            values = {name: values[name] for name in names} | {"entered": standings.entered[games.policy]} | values
            values |= {
                "rule_counts": {str(rule): times for rule, times in games.rule_counts.items()},
                "rule_counts_won": {str(rule): times for rule, times in games.won_rule_counts.items()},
                "group": None if standings.is_race or not len(games) else standings.group_of[place],
                "seconds": standings.seconds[place],
            }
        show.json_line(page, values)
    if not compares:
        return
    for pair, test, p_holm in compare(standings):
        compared: dict[str, Any] = {
            "a": pair.a,
            "b": pair.b,
            "only_a": pair.only_a,
            "only_b": pair.only_b,
            "p": test.p,
            "p_holm": p_holm,
            "difference": test.difference,
            "low": test.low,
            "high": test.high,
        }
        show.json_line(page, {"comparison": compared})


# Tables, as lines.


def games_in_lines(standings: Standings) -> Iterator[str]:
    """Yield a line for each game: the deal, the policy, the result and the moves."""
    for place in range(standings.deals):
        for games in standings.simulations:
            if place >= len(games):
                continue
            record = games[place]
            moves = "" if record.tableau_moves is None else f", {show.plural(record.tableau_moves, 'tableau move')}"
            ended = f"{'won' if record.won else 'not won'}, score {record.score}{moves}"
            line = " ".join(move.token for move in record.moves)
            yield f"{games.deal_name(place)}  {games.policy}  {ended}: {line}"


def policies_in_rows(standings: Standings) -> Iterator[str]:
    """Yield a table with a row for each policy, in the order given."""
    rows = [["policy", "games", "won", "proportion", "odds", "mean score"]]
    rows += [[games.policy, *_cells(games)] for games in standings.simulations]
    yield from figures.table(rows, left=(0, 3, 4, 5))


def _cells(games: Simulation) -> list[str]:
    rate = figures.rate(games)
    return [f"{len(games):,}", f"{games.wins:,}", str(rate), str(rate.odds), figures.write_mean(games)]


def pairs_in_rows(standings: Standings) -> Iterator[str]:
    """Yield a table of all pairs: the deals that only one won, the difference of the win rates, and the p-value."""
    compared = compare(standings)
    rows = [["a", "b", "only a won", "only b won", "a - b, points", "p", "p (Holm)"]]
    for pair, test, p_holm in compared:
        rows.append([pair.a, pair.b, f"{pair.only_a:,}", f"{pair.only_b:,}", _points(test), _p(test.p), _p(p_holm)])
    yield from figures.table(rows, left=(0, 1, 4))
    yield ""
    yield "95 % intervals: Wilson's for proportion and odds, the normal one for means, Tango's for differences."
    yield f"p: McNemar's exact test, deal by deal; Holm's correction for {show.plural(len(compared), 'comparison')}."


def entered_in_rows(entered: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a table of the entered lists and their reduced forms, if any differ and they are few."""
    found = list(islice(entered, _MOST_ENTERED + 1))
    if len(found) <= _MOST_ENTERED and any(text != played for text, played in found):
        yield from figures.table([["entered", "played as"], *map(list, found)], left=(0, 1))


def ranking_in_rows(standings: Standings) -> Iterator[str]:
    """Yield a table with a row for each list, group by group; lists that play alike share a row."""
    rows = [["group", "list", "entered", "games", "won", "proportion", "odds", "mean score"]]
    found = list(standings.rows())
    for number, member in found[:_MOST_ROWS]:
        entered = sum(standings.entered[standings.simulations[place].policy] for place in member)
        cells = _cells(standings.simulations[member[0]])
        rows.append([str(number), standings.names(member), f"{entered:,}", *cells])
    if standings.is_race:
        yield from figures.table([row[1:] for row in rows], left=(0, 4, 5, 6))
    else:
        yield from figures.table(rows, left=(1, 5, 6, 7))
    yield from _more(len(found) - _MOST_ROWS)
    yield ""
    if len(found) < len(standings.simulations):
        yield "Lists that are joined by = play alike on these decks: equal scores and moves on every one."
    yield "95 % intervals: Wilson's for proportion and odds, the normal one for means."
    if standings.is_race:
        yield "A race is exploratory: whoever was far behind after a block of decks played no further."
    else:
        yield from _groups_in_words(standings)


def _groups_in_words(standings: Standings) -> Iterator[str]:
    decks = show.plural(standings.deals, "deck")
    for number, (reference, members) in islice(enumerate(standings.groups, 1), _MOST_ROWS):
        name = standings.simulations[reference].policy
        others = sum(map(len, members)) - 1
        with_it = f"and {others:,} not told apart from it by these {decks}" if others else "alone"
        yield f"Group {number}: {name} {with_it}."
    yield "The first list of a group was chosen on the first half of the decks, and all others were tested against it"
    yield "on the second half: McNemar's exact test, Holm's correction, 5 %; those it rejects go on to the next group."


def decks_in_rows(standings: Standings) -> Iterator[str]:
    """Yield the best score, the number of decks that any list won, and a table of decks by the number of winners."""
    score, place, deal, times = standings.best()
    games = standings.simulations[place]
    more = f" (the first of {times:,} games)" if times > 1 else ""
    yield f"Best score: {score} of {games.game.most_score}, by {games.policy} on {games.deal_name(deal)}{more}"
    if standings.is_race:
        return
    rate = won_by_any(standings.won)
    assert rate.rate is not None
    share = write_percent(rate.rate, rate.interval)
    yield f"Decks won by at least one list: {rate.won:,} of {rate.n:,}, {share}"
    yield ""
    counts = deals_by_winners(standings.won)
    # Decks that no list won have a row of their own, outside the bins.
    rows = [["won by", "decks"], ["no list", f"{counts.pop(0, 0):,}"]]
    for bar in make_bins(counts, _WINNER_BINS):
        if bar.deals:
            low = max(1, bar.low)
            lists = show.plural(low, "list") if low == bar.high else f"{low}..{bar.high} lists"
            rows.append([lists, f"{bar.deals:,}"])
    yield from figures.table(rows, left=(0,))


def rules_in_rows(standings: Standings) -> Iterator[str]:
    """Yield a table of how often each rule moved a card, in all games of a list and in its wins."""
    places = [place for _, member in standings.rows() for place in member if standings.simulations[place].rule_counts]
    yield from _counts_in_rows([standings.simulations[place] for place in places], "list")


def games_by_number(standings: Standings) -> Iterator[str]:
    """Yield a table of games and wins by a count, such as redeals taken, for policies that report one."""
    yield from _counts_in_rows([games for games in standings.simulations if not games.counted.is_moves], "policy")


def _counts_in_rows(simulations: Sequence[Simulation], heading: str) -> Iterator[str]:
    if not simulations:
        return
    rows = [[heading, f"{simulations[0].counted.each} in all games (in won games)"]]
    for games in simulations[:_MOST_ROWS]:
        counts = ((rule, times, games.won_rule_counts.get(rule, 0)) for rule, times in games.rule_counts.items())
        rows.append([games.policy, "  ".join(f"{rule}: {times:,} ({won:,})" for rule, times, won in counts)])
    yield from figures.table(rows, left=(0, 1))
    yield from _more(len(simulations) - _MOST_ROWS)


def scores_in_rows(standings: Standings) -> Iterator[str]:
    """Yield a histogram of scores: of the best list, or of each if there are few."""
    found = [member for _, member in standings.rows()]
    for number, member in enumerate(found if len(found) <= FEW else found[:1]):
        if number:
            yield ""
        yield f"Scores of {standings.names(member)}:"
        yield from figures.score_bars(standings.simulations[member[0]])


def _more(left_out: int) -> Iterator[str]:
    if left_out > 0:
        yield f"... and {left_out:,} more; --json prints them all"


def _points(test: Paired) -> str:
    """Return the difference of two rates in percentage points, to the digits that the interval supports."""
    from math import ceil, log10

    assert test.difference is not None
    digits = max(1, ceil(-log10(50 * (test.high - test.low))))
    value, low, high = (f"{100 * each:+.{digits}f}" for each in (test.difference, test.low, test.high))
    return f"{value} [{low}, {high}]"


def _p(p: float) -> str:
    return "<1e-300" if p < 1e-300 else f"{p:.2g}"


# The plot.


def draw(standings: Standings, generator: str, path: Path, *, ranks: bool) -> None:
    """Draw the rates with their intervals; with `ranks` only the best lists, with their score distributions."""
    from unshuffle.study.plots import RateRow, Source, plot_rates

    game = standings.simulations[0].game
    every = [(place,) for place in range(len(standings.simulations))]
    found = [member for _, member in standings.rows()] if ranks else every
    drawn = found[:_MOST_DRAWN] if ranks else found
    rows = []
    for member in drawn:
        games = standings.simulations[member[0]]
        source = Source(game.id, game.variant, games.information, generator, "none")
        rows.append(RateRow(standings.names(member), figures.rate(games), source))
    title = f"{game}: win rates"
    with writing(path, "--plot: cannot write"):
        if not ranks:
            plot_rates(rows, path, title=title)
            return
        if len(drawn) < len(found):
            title += f" of the best {len(drawn)} of {len(found):,} lists"
        scores = {
            row.label: standings.simulations[member[0]].score_counts for row, member in zip(rows, drawn, strict=True)
        }
        plot_rates(rows, path, title, scores, score=game.score_counts or "score")
