"""Comparison of our rates with published figures, as independent counts for every reading of the undecided deals.

No published figure is about the same deals as ours, so no deals can be paired. See docs/statistics.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

from unshuffle.store import Run, Store
from unshuffle.study.published import Figure, figures_beside
from unshuffle.study.statistics import Moments, Rate, needs_fisher, p_value

ONE_SIDED = "-one-sided"
_MOST_STEPS = 1000


@dataclass(frozen=True, slots=True)
class Readings:
    """The p-values of a test for the readings of the undecided deals of both sides."""

    test: str
    p: float
    """With undecided deals as lost, on both sides."""
    p_if_won: float
    """With undecided deals as won, on both sides."""
    least: float
    """The least p over all possible outcomes of the undecided deals."""
    most: float
    """The greatest p over them."""


def compare_readings(ours: Rate, theirs: Rate, *, is_lower_bound: bool = False) -> Readings:
    """Test whether two independent counts may have the same rate, for all readings of the undecided deals.

    The test is chi-square, or Fisher's exact test for all readings if one of them needs it. If theirs is a lower
    bound, the test is one-sided: whether our rate is lower.
    """
    corners = list(product(_ends(ours), _ends(theirs)))
    exact = any(needs_fisher(a, ours.n, b, theirs.n) for a, b in corners)

    def apart(a: int, b: int) -> int:
        return abs(a * theirs.n - b * ours.n)

    def p_of(a: int, b: int) -> float:
        return p_value(a, ours.n, b, theirs.n, exact=exact, is_less=is_lower_bound)

    found = {(a, b): p_of(a, b) for a, b in corners}
    between: set[tuple[int, int]] = set()
    if ours.n and theirs.n:
        # The greatest p may lie between the corners, where the two rates are closest.
        between = {(a, _nearest(theirs, a / ours.n)) for a in _ends(ours)}
        between.add(min(((_nearest(ours, b / theirs.n), b) for b in _steps(theirs)), key=lambda pair: apart(*pair)))
    return Readings(
        ("fisher" if exact else "chi-square") + (ONE_SIDED if is_lower_bound else ""),
        found[ours.won, theirs.won],
        found[ours.won + ours.undecided, theirs.won + theirs.undecided],
        min(found.values()),
        max([*found.values(), *(p_of(a, b) for a, b in between - found.keys())]),
    )


def _ends(rate: Rate) -> tuple[int, int]:
    return rate.won, rate.won + rate.undecided


def _steps(rate: Rate) -> Sequence[int]:
    """Return the possible counts of wins; of very many, an evenly spaced sample."""
    least, most = _ends(rate)
    return [*range(least, most, max(1, rate.undecided // _MOST_STEPS)), most]


def _nearest(rate: Rate, share: float) -> int:
    """Return the possible count of wins that is nearest to a share."""
    least, most = _ends(rate)
    return min(max(round(rate.n * share), least), most)


@dataclass(frozen=True, slots=True)
class ScoresTest:
    """The chi-square test of two distributions of scores, over the published scores and one class for the rest."""

    __test__: ClassVar[bool] = False

    classes: Mapping[str, tuple[int, int]]
    """For each score, or 'less' for the rest, our deals and theirs."""
    statistic: float
    freedom: int
    p: float


def compare_scores(ours: Mapping[int, int], figure: Figure) -> ScoresTest | None:
    """Test whether our scores have the same distribution as theirs; None if chi-square needs more deals."""
    from scipy.stats import chi2_contingency

    assert figure.n is not None
    classes = {str(score): (ours.get(score, 0), deals) for score, deals in figure.scores.items()}
    mine, told = (sum(pair[side] for pair in classes.values()) for side in (0, 1))
    classes["less"] = (sum(ours.values()) - mine, figure.n - told)
    pairs = [pair for pair in classes.values() if any(pair)]
    if len(pairs) < 2 or not sum(ours.values()):
        return None
    result = chi2_contingency([list(side) for side in zip(*pairs, strict=True)], correction=False)
    if float(result.expected_freq.min()) < 5:
        return None
    return ScoresTest(classes, float(result.statistic), int(result.dof), float(result.pvalue))


@dataclass(frozen=True, slots=True)
class Beside:
    """A run and a published figure that it is compared with."""

    run: Run
    rate: Rate
    figure: Figure
    test: Readings | None
    """None if the number of deals of the figure is not published."""
    scores: ScoresTest | None = None
    mean: float | None = None
    """Our mean score, if the figure has one and our scores of all deals are known."""

    @property
    def undecided(self) -> int:
        """Undecided deals of both sides."""
        return self.rate.undecided + self.figure.undecided


def set_beside(store: Store, runs: Iterable[tuple[Run, Rate]]) -> list[Beside]:
    """Compare each run that has finished deals with every published figure about the same game and method."""
    found = []
    for run, rate in runs:
        for figure in figures_beside(run) if rate.n else ():
            test = None
            if figure.wins is not None and figure.n is not None:
                lost = figure.n - figure.wins - figure.undecided
                theirs = Rate(figure.wins, lost, figure.undecided)
                test = compare_readings(rate, theirs, is_lower_bound=figure.lower_bound)
            scores = _scores(store, run, rate) if figure.scores or figure.mean else {}
            same = compare_scores(scores, figure) if scores and figure.scores else None
            mean = Moments.of_counts(scores).mean if figure.mean else None
            found.append(Beside(run, rate, figure, test, same, mean))
    return found


def _scores(store: Store, run: Run, rate: Rate) -> Mapping[int, int]:
    """Return the scores of all deals; empty if one of them is not known."""
    scores = store.scores(run)
    return scores if sum(scores.values()) == rate.n else {}
