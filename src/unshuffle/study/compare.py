"""Comparisons of two runs: exact McNemar on the same deals, else as independent counts. See docs/statistics.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from unshuffle.errors import UsageError, quote, unknown
from unshuffle.game import INFORMATION
from unshuffle.store import Run, Store
from unshuffle.store.endings import Endings, pair_endings
from unshuffle.study.beside import ONE_SIDED
from unshuffle.study.conditions import name_run
from unshuffle.study.inference import check_pair, is_stricter
from unshuffle.study.statistics import (
    NESTED,
    Interval,
    Rate,
    compare_counts,
    holm,
    mcnemar,
    nested,
    p_value,
)
from unshuffle.study.tables import Column, write_p, write_points

MOST_COMPARED = 100
"""The most runs of a study that are compared pairwise: 719 rule lists would need 258,121 tests, which take long and
tell little. A tournament ranks them in groups."""

_PARTS = ("game", "variant", "method")

Order = Literal["a", "b", "both"]
"""Which of two runs has the stricter rules, so that every deal it wins the other wins; 'both': they win the same."""

Table = Mapping[tuple[str, str], int]
"""The number of deals by their endings in a and in b ('won', 'lost' or 'undecided')."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A comparison with the undecided deals counted in one way."""

    p: float
    difference: float | None
    """The rate of a minus the rate of b; None without deals."""
    interval: Interval | None
    """The interval of the difference; None if the deals are not the same."""
    only_a: int | None = None
    """Deals that only a has won; None if the deals are not the same."""
    only_b: int | None = None
    is_certain: bool = False
    """True if the rates differ for sure in this reading, because a deal is won under the looser rules only."""
    is_proved: bool = False
    """True if the rates differ however the undecided deals would end."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs, the test that was made, and its results with undecided deals as lost and as won."""

    a: Run
    b: Run
    test: str
    why: str
    n_a: int
    n_b: int
    """Deals that were compared; `n_a` and `n_b` are equal if these are the same deals."""
    undecided: int
    """Deals that at least one of the two has left undecided."""
    as_lost: Reading
    as_won: Reading
    extremes: tuple[float, float] | None = None
    """The least and the greatest difference over all possible outcomes of the undecided deals."""
    rates: tuple[Rate, Rate] | None = None
    """The rates of a and b over all their finished deals, if the deals are not the same."""
    stricter: Order | None = None
    """Which of the two has the stricter rules; None if neither, or if a policy has played."""
    settled: int = 0
    """Deals that a limit left undecided in one run and that the verdict of the other run decides."""
    remark: str | None = None
    """What is compared, if the two runs do not answer the same question."""

    @property
    def readings(self) -> tuple[Reading, Reading]:
        """The readings with undecided deals as lost, and as won."""
        return self.as_lost, self.as_won

    @property
    def is_paired(self) -> bool:
        """True if both have played the same deals."""
        return self.rates is None


def compare_runs(store: Store, study: str) -> list[Comparison]:
    """Compare all pairs of runs of a study that answer one question and share deals; none if the runs are too many."""
    runs = store.runs(study)
    if len(runs) > MOST_COMPARED:
        return []
    endings = _EndingsOnce(store)
    found = []
    for a, b in combinations(runs, 2):
        if _obstacle(a, b) is None and _remark(a, b) is None:
            table = endings.pair(a, b)
            if sum(table.values()):
                found.append(_compare_pairs(a, b, table))
    return found


def compare_choices(store: Store, a: str, b: str, *, anyway: bool = False) -> list[Comparison]:
    """Compare the runs that two names (NAME, NAME:variant or NAME:variant:method) stand for, in pairs.

    Runs are paired by those of game, variant and method that vary within one of the two sides. Different games, or
    open beside hidden information, raise UsageError unless `anyway` is true.
    """
    left, right = choose_runs(store, a), choose_runs(store, b)
    pairs = _match(a, left, b, right)
    if not anyway:
        for one, other in pairs:
            _refuse_two_questions(one, other)
    endings = _EndingsOnce(store)
    return [_compare(store, one, other, endings) for one, other in pairs]


def _refuse_two_questions(a: Run, b: Run) -> None:
    remark = _remark(a, b)
    if remark is not None:
        sides = " and ".join(f"{name_run(run)} ({INFORMATION[run.information]})" for run in (a, b))
        raise UsageError(f"{sides} do not answer one question: {remark} `--anyway` compares them nevertheless")


def _remark(a: Run, b: Run) -> str | None:
    """Return what differs between two runs beside the policy; None if they answer the same question."""
    words = []
    if a.game != b.game:
        words.append(f"{a.game} and {b.game} are different games, so a difference says how they were played and which"
                     " of them is easier, both at once.")  # fmt: skip
    if a.information != b.information:
        knowing, seeing = (a, b) if a.information == "open" else (b, a)
        words.append(f"{name_run(knowing)} knows all cards, {name_run(seeing)} sees what a player sees, so a difference"
                     " says what the hidden cards cost and how well the player plays, both at once.")  # fmt: skip
    return " ".join(words) or None


def choose_runs(store: Store, text: str) -> list[Run]:
    """Return the runs that NAME, NAME:variant or NAME:variant:method stands for."""
    names = [info.name for info in store.studies()]
    # A name may contain a colon itself: take the longest name that exists.
    study = max((name for name in names if text == name or text.startswith(f"{name}:")), key=len, default=None)
    if study is None:
        wanted = text.partition(":")[0]
        store.runs(wanted)  # raises UsageError with the nearest name
        raise unknown("study", text, names)
    runs = store.runs(study)
    variant, _, method = text[len(study) + 1 :].partition(":")
    if variant:
        runs = _narrow(runs, "variant", variant, f"variant in the study {study!r}")
    if method:
        policy = f"policy:{method}"
        known = {run.method for run in runs}
        method = policy if method not in known and policy in known else method
        runs = _narrow(runs, "method", method, f"method of {study}:{variant}")
    if not runs:
        # Imported wins are not runs: the lost games are not known.
        raise UsageError(f"the study {study!r} has no runs that could be compared")
    return runs


def _narrow(runs: Sequence[Run], field: str, value: str, kind: str) -> list[Run]:
    chosen = [run for run in runs if getattr(run, field) == value]
    if not chosen:
        raise unknown(kind, value, dict.fromkeys(getattr(run, field) for run in runs))
    return chosen


def _match(a: str, left: Sequence[Run], b: str, right: Sequence[Run]) -> list[tuple[Run, Run]]:
    # A part that is constant on each side (solver here, greedy there) is what is compared; the other parts must agree.
    key = [part for part in _PARTS if any(len({getattr(run, part) for run in side}) > 1 for side in (left, right))]
    others = {tuple(getattr(run, part) for part in key): run for run in right}
    pairs = [
        (run, other) for run in left if (other := others.get(tuple(getattr(run, part) for part in key))) is not None
    ]
    pairs = [(one, other) for one, other in pairs if one.id != other.id]
    if pairs:
        return pairs
    sides = [f"{quote(text)} is {_list(side)}" for text, side in ((a, left), (b, right))]
    if [run.id for run in left] == [run.id for run in right]:
        raise UsageError(f"nothing to compare: {sides[0]}, twice; name two runs as NAME:variant:method")
    raise UsageError(f"nothing to compare: {'; '.join(sides)}; name two runs as NAME:variant or NAME:variant:method")


def _list(runs: Sequence[Run]) -> str:
    names = [name_run(run) for run in runs[:4]]
    return ", ".join(names) + (f" and {len(runs) - 4} more" if len(runs) > 4 else "")


class _EndingsOnce:
    """The endings of runs, each read once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._read: dict[int, Endings] = {}

    def pair(self, a: Run, b: Run) -> Table:
        """Count the deals that both have finished by their endings. Raises InternalError if the runs contradict."""
        for run in (a, b):
            if run.id not in self._read:
                self._read[run.id] = self._store.endings(run)
        for strict, loose in ((a, b), (b, a)):
            if is_stricter(strict, loose):
                check_pair(strict, loose, self._read)
        return pair_endings(self._read[a.id], self._read[b.id])


def _obstacle(a: Run, b: Run) -> str | None:
    """Return why the deals of two runs cannot be the same; None if they can."""
    if a.game != b.game:
        return f"{a.game} and {b.game} are different games"
    if a.generator != b.generator:
        return f"the generators {a.generator} and {b.generator} shuffle differently"
    if a.last_seed < b.first_seed or b.last_seed < a.first_seed:
        return f"the seeds {a.first_seed}..{a.last_seed} and {b.first_seed}..{b.last_seed} have none in common"
    return None


def _order(a: Run, b: Run) -> Order | None:
    orders: dict[tuple[bool, bool], Order] = {(True, False): "a", (False, True): "b", (True, True): "both"}
    return orders.get((is_stricter(a, b), is_stricter(b, a)))


def _compare(store: Store, a: Run, b: Run, endings: _EndingsOnce) -> Comparison:
    why = _obstacle(a, b)
    if why is None:
        table = endings.pair(a, b)
        if sum(table.values()):
            return _compare_pairs(a, b, table)
        why = "no seed is finished in both"
    return _compare_rates(a, b, *(Rate.of(store.summary(run)) for run in (a, b)), why=why)


def _compare_pairs(a: Run, b: Run, table: Table) -> Comparison:
    order = _order(a, b)
    n, before = sum(table.values()), _undecided(table)
    table = _settle(table, order)
    undecided = _undecided(table)
    proof = {"a": ("lost", "won"), "b": ("won", "lost")}.get(order or "")
    is_proved = proof is not None and table.get(proof, 0) > 0
    readings = [_reading(_fold(table, kind), order) for kind in ("lost", "won")]
    lost, won = (replace(reading, is_proved=is_proved) for reading in readings)
    same = "the same deals" if a.variant == b.variant else "the same decks"
    why = f"both have played {same}: {n:,} finished seeds of generator {a.generator} in common"
    return Comparison(
        a, b, "mcnemar-exact" if order is None else NESTED, why, n, n, undecided, lost, won,
        _extremes(table, order) if undecided else None, stricter=order, settled=before - undecided,
        remark=_remark(a, b),
    )  # fmt: skip


def _undecided(table: Table) -> int:
    return sum(deals for ends, deals in table.items() if "undecided" in ends)


def _settle(table: Table, order: Order | None) -> Table:
    """Return the table with undecided endings filled in from the other run: a win under stricter rules is a win."""
    settled = dict.fromkeys(table, 0)
    for (a, b), deals in table.items():
        if order in ("a", "both"):
            a, b = ("lost" if b == "lost" else a), ("won" if a == "won" else b)
        if order in ("b", "both"):
            a, b = ("won" if b == "won" else a), ("lost" if a == "lost" else b)
        settled[a, b] += deals
    return settled


_LEAST = {"won": 1, "lost": 0, "undecided": 0}
_MOST = {"won": 1, "lost": 0, "undecided": 1}


def _extremes(table: Table, order: Order | None) -> tuple[float, float]:
    """Return the least and the greatest a - b over all possible outcomes of the undecided deals."""
    least = most = 0
    for (a, b), deals in table.items():
        # No deal is won under the stricter rules only.
        least += deals * max(_LEAST[a] - _MOST[b], 0 if order in ("b", "both") else -1)
        most += deals * min(_MOST[a] - _LEAST[b], 0 if order in ("a", "both") else 1)
    n = sum(table.values())
    return least / n, most / n


def _fold(table: Table, undecided: str) -> tuple[int, int, int, int]:
    """Return the deals won by only a, only b, both, neither, counting undecided ones as `undecided` in both runs."""
    sums = {(a, b): 0 for a in ("won", "lost") for b in ("won", "lost")}
    for (a, b), deals in table.items():
        sums[undecided if a == "undecided" else a, undecided if b == "undecided" else b] += deals
    return sums["won", "lost"], sums["lost", "won"], sums["won", "won"], sums["lost", "lost"]


def _reading(folded: tuple[int, int, int, int], order: Order | None) -> Reading:
    only_a, only_b, _, _ = folded
    if order == "both":
        # The same deals are won under both rules, so there is no difference to estimate.
        return Reading(1.0, 0.0, Interval(0.0, 0.0), only_a, only_b)
    if order is None:
        found = mcnemar(*folded)
        return Reading(found.p, found.difference, Interval(found.low, found.high), only_a, only_b)
    found = nested(only_a + only_b, sum(folded))
    assert found.difference is not None
    if order == "b":
        return Reading(found.p, found.difference, Interval(found.low, found.high), only_a, only_b, found.p == 0)
    # 0.0 - x and not -x, which could be -0.0 and be printed so.
    ends = Interval(0.0 - found.high, 0.0 - found.low)
    return Reading(found.p, 0.0 - found.difference, ends, only_a, only_b, found.p == 0)


def _compare_rates(a: Run, b: Run, one: Rate, other: Rate, *, why: str) -> Comparison:
    order = _order(a, b)
    readings = [(one.won, other.won), (one.won + one.undecided, other.won + other.undecided)]
    tests = [compare_counts(won_a, one.n, won_b, other.n) for won_a, won_b in readings]
    # Both readings use the same test, as only one is named.
    exact = any(test.test == "fisher" for test in tests)
    p_values = [_p_of_rates((won_a, one.n), (won_b, other.n), exact, order) for won_a, won_b in readings]
    name = "fisher" if exact else "chi-square"
    made = "Fisher's exact test, for an expected count is below 5" if exact else "chi-square"
    if order in ("a", "b"):
        name, made = name + ONE_SIDED, f"{made}, one-sided"
    lost, won = (
        Reading(p, won_a / one.n - won_b / other.n if one.n and other.n else None, None)
        for p, (won_a, won_b) in zip(p_values, readings, strict=True)
    )
    return Comparison(
        a, b, name, f"{why}, so the counts are independent: {made}", one.n, other.n, one.undecided + other.undecided,
        lost, won, rates=(one, other), stricter=order, remark=_remark(a, b),
    )  # fmt: skip


def _p_of_rates(a: tuple[int, int], b: tuple[int, int], exact: bool, order: Order | None) -> float:
    """Return the p of two independent counts; one-sided if one run has stricter rules, so its rate cannot be higher."""
    strict, loose = (b, a) if order == "b" else (a, b)
    return p_value(*strict, *loose, exact=exact, is_less=order in ("a", "b"))


def adjust(comparisons: Sequence[Comparison]) -> list[tuple[float, float]]:
    """Return the Holm-adjusted p-values of all comparisons, with undecided deals as lost and as won."""
    return list(
        zip(holm([each.as_lost.p for each in comparisons]), holm([each.as_won.p for each in comparisons]), strict=True)
    )


def tabulate(comparisons: Sequence[Comparison], names: Mapping[int, str]) -> list[list[Column]]:
    """Return the groups of columns of a table of paired comparisons, with Holm-adjusted p if there are several."""
    adjusted = adjust(comparisons)
    family = f" (Holm of {len(comparisons)})" if len(comparisons) > 1 else ""
    groups = [
        [Column("a - b", [f"{names[each.a.id]} - {names[each.b.id]}" for each in comparisons], is_words=True)],
        [
            Column("deals", [f"{each.n_a:,}" for each in comparisons]),
            *_tabulate_reading([each.as_lost for each in comparisons], "", [p for p, _ in adjusted], family),
        ],
    ]
    if any(each.stricter for each in comparisons):
        groups[1].insert(1, Column("stricter", [each.stricter or "-" for each in comparisons], is_words=True))
    if any(each.undecided for each in comparisons):
        won = [each.as_won for each in comparisons]
        groups.append(_tabulate_reading(won, ", undecided as won", [p for _, p in adjusted], family))
    return groups


def _tabulate_reading(readings: Sequence[Reading], suffix: str, p_values: Iterable[float], family: str) -> list[Column]:
    return [
        Column(f"difference{suffix}", [write_points(each.difference, each.interval) for each in readings]),
        Column(f"p{family}", [write_p_of(each, p) for each, p in zip(readings, p_values, strict=True)]),
    ]


def write_p_of(reading: Reading, p: float) -> str:
    """Return the text of p, a reading's own or adjusted; 'proved' or 'certain if so' if chance plays no part.

    'certain if so': the rates differ for sure only if the undecided deals end as in this reading.
    """
    if reading.is_certain:
        return "proved" if reading.is_proved else "certain if so"
    return write_p(p)
