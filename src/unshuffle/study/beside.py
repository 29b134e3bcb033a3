"""Our rates beside published figures: two independent counts, whose undecided deals may end in any way.

No published figure is of the same deals as ours, so there are no pairs. See docs/statistics.md.
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
    """The answer of a test for every reading of the undecided deals of both sides."""

    test: str
    p: float
    """Undecided deals as lost, on both sides."""
    p_if_won: float
    """As won, on both sides."""
    least: float
    """Over all that they may turn out to be."""
    most: float


def compare_readings(ours: Rate, theirs: Rate, *, is_lower_bound: bool = False) -> Readings:
    """Whether two counts may have one rate: chi-square, for all readings Fisher if one of them needs it.

    If theirs is a lower bound, more wins of ours say nothing: the test is whether ours are too few.
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
        # Somewhere between the ends the two may agree better than at any of them.
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
    """What the wins may turn out to be; of very many, some a little apart."""
    least, most = _ends(rate)
    return [*range(least, most, max(1, rate.undecided // _MOST_STEPS)), most]


def _nearest(rate: Rate, share: float) -> int:
    """The count of wins nearest to a share that the undecided deals allow."""
    least, most = _ends(rate)
    return min(max(round(rate.n * share), least), most)


@dataclass(frozen=True, slots=True)
class ScoresTest:
    """Two distributions of scores: chi-square over the scores that both tell, and the rest."""

    __test__: ClassVar[bool] = False

    classes: Mapping[str, tuple[int, int]]
    """Score, or 'less', to deals of ours and of theirs."""
    statistic: float
    freedom: int
    p: float


def compare_scores(ours: Mapping[int, int], figure: Figure) -> ScoresTest | None:
    """Whether our scores may be distributed as theirs; None if too few deals are there for chi-square."""
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
    """A run and a figure that it can be set beside."""

    run: Run
    rate: Rate
    figure: Figure
    test: Readings | None
    """None where the figure does not tell of how many deals it is."""
    scores: ScoresTest | None = None
    mean: float | None = None
    """Our mean score, where the figure has one and ours are those of whole games or proved."""

    @property
    def undecided(self) -> int:
        """Undecided deals of both sides."""
        return self.rate.undecided + self.figure.undecided


def set_beside(store: Store, runs: Iterable[tuple[Run, Rate]]) -> list[Beside]:
    """The runs that have finished deals, each beside every figure that is about the same."""
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
    """Return the scores of all deals; none where one of them is not known."""
    scores = store.scores(run)
    return scores if sum(scores.values()) == rate.n else {}
