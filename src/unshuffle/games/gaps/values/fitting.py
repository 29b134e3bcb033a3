"""Values of Gaps' redeals: exact where all boards were searched, else fitted, by recursion over the redeals left.

To maximise over raw shares of wins would be to choose by noise: the greatest of many noisy values is mostly a lucky
one. So a smooth logistic model of the run lengths is fitted to the redeals of all shapes. The value of a shape is the
model's prediction, corrected by the shape's own redeals, each weighted by its inverse variance. The variance of the
model's error for a shape is estimated on left-out shapes, and is part of every standard error. Only these values are
ever maximised.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import fsum
from typing import TYPE_CHECKING

import numpy as np

from unshuffle.games.gaps.hidden.values import SHAPES, Row, Shape, index
from unshuffle.games.gaps.rules import COLUMNS, MOST_SCORE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Terms = Callable[[Sequence[Shape]], Floats]

FOLDS = 10
_ROUNDS = 40
_EXACTLY, _NEARLY = 1e-7, 1e-2
"""The last step in log odds, at the most: for the fit, and for the choice of its setting."""
_LEAST = 1e-9
_SURE = 0.0005
_LONG = 2.0
"""Log odds of a chance of 12 % or 88 %."""
_PLACES = 120
"""Inducing points of the kernel part of the model."""
_PRIOR = 20
"""The weight, in redeals, of the spread over all shapes when the spread of one shape is estimated."""

Outcome = tuple[str, tuple[int, ...]]
"""`w`on, `l`ost or `u`ndecided, and the indices of the shapes with which the phase may end."""


@dataclass(frozen=True, slots=True)
class Means:
    """Means over the redeals of some shapes."""

    shapes: Sequence[Shape]
    n: Floats
    """Effective sample sizes: a mean has the variance of the share of wins of so many redeals."""
    mean: Floats

    @classmethod
    def of_counts(cls, shapes: Sequence[Shape], n: Iterable[int], wins: Iterable[int]) -> Means:
        """Return the share of wins of each shape."""
        count, won = np.array(list(n), dtype=float), np.array(list(wins), dtype=float)
        return cls(shapes, count, won / count)

    def part(self, chosen: NDArray[np.bool_]) -> Means:
        """Return the means of some of the shapes."""
        shapes = [shape for shape, is_in in zip(self.shapes, chosen, strict=True) if is_in]
        return Means(shapes, self.n[chosen], self.mean[chosen])


# The model.


def terms(shapes: Sequence[Shape]) -> Floats:
    """Return the features: lengths, total, evenness, and rows that are empty, begun or nearly finished."""
    lengths = np.array(shapes, dtype=float)
    total = lengths.sum(axis=1) / MOST_SCORE
    spread = (lengths[:, 0] - lengths[:, -1]) / (COLUMNS - 1)
    variance = lengths.var(axis=1) / 36
    shortest = lengths[:, -1] / (COLUMNS - 1)
    counts = {length: (lengths == length).sum(axis=1) for length in (0, 1, 2, 11, 12)}
    is_open = lengths < COLUMNS - 1
    rows = np.maximum(is_open.sum(axis=1), 1)
    mean = np.where(is_open, lengths, 0).sum(axis=1) / rows / (COLUMNS - 1)
    apart = np.where(is_open, (lengths / (COLUMNS - 1) - mean[:, None]) ** 2, 0).sum(axis=1) / rows
    return np.column_stack(
        (
            np.ones(len(lengths)),
            lengths / (COLUMNS - 1),
            total,
            total**2,
            total**3,
            spread,
            variance,
            spread * total,
            variance * total,
            shortest**2,
            *counts.values(),
            # A second and a third such row have other effects than the first.
            *(counts[length] >= least for length in (0, 12) for least in (2, 3)),
            counts[0] == 4,
            # With a few loose cards nearly every redeal is won.
            1 / (1 + MOST_SCORE * (1 - total)),
            # Unfinished rows: the fewer there are, the more their lengths matter.
            mean,
            mean**2,
            apart,
            *(mean * (counts[12] == finished) for finished in (1, 2, 3)),
            *(apart * (counts[12] == finished) for finished in (1, 2)),
        )
    )


def total_alone(shapes: Sequence[Shape]) -> Floats:
    """Return powers of the number of locked cards as the only features: a baseline for the model."""
    total = np.array(shapes, dtype=float).sum(axis=1) / MOST_SCORE
    return np.column_stack((np.ones(len(total)), total, total**2, total**3))


def constant(shapes: Sequence[Shape]) -> Floats:
    """Return a constant feature: the other baseline."""
    return np.ones((len(shapes), 1))


@dataclass(frozen=True, slots=True)
class Setting:
    """The hyperparameters of the model, chosen by its predictions for left-out shapes."""

    strength: float = 1.0
    """The ridge penalty on the features."""
    bend: float = 0.2
    """The standard deviation of the kernel part, in log odds; 0 leaves it out."""
    reach: float = 0.8
    """The length scale of the kernel: 1 is the length of a whole run."""
    missed: float = 0.1
    """The standard deviation of the model's error for a shape, in log odds."""
    more: float = 0.25
    """The growth of that error for each unit of log odds beyond `_LONG`, where a few bad ends decide.

    Without it the errors for left-out shapes were twice as large as forecast where the chance is above 95 %.
    """

    def missed_at(self, odds: Floats) -> Floats:
        """Return the standard deviation of the model's error where it predicts these log odds."""
        found: Floats = np.hypot(self.missed, self.more * np.maximum(np.abs(odds) - _LONG, 0.0))
        return found


GRID: Mapping[str, Sequence[float]] = {
    "missed": (0.02, 0.05, 0.1, 0.2, 0.4),
    "bend": (0.1, 0.2, 0.4, 0.8),
    "reach": (0.2, 0.4, 0.8, 1.6),
    "strength": (0.1, 1.0, 10.0),
}
"""The values that are tried for each setting."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted model."""

    of: Terms
    setting: Setting
    centre: Floats
    scale: Floats
    factors: Floats
    root: Floats
    """The Cholesky factor of the covariance of `factors`."""

    def at(self, shapes: Sequence[Shape]) -> tuple[Floats, Floats]:
        """Return the predicted chances of shapes without redeals of their own, and their standard errors."""
        seen = self._seen(shapes)
        middle = seen @ self.factors
        p = _logistic(middle)
        noise = ((seen @ self.root) ** 2).sum(axis=1) + self.setting.missed_at(middle) ** 2
        return p, p * (1 - p) * np.sqrt(noise)

    def corrected(self, means: Means) -> Corrected:
        """Return the values of these shapes: the predictions corrected by the mean of each shape."""
        seen = self._seen(means.shapes)
        middle = seen @ self.factors
        missed = self.setting.missed_at(middle)
        odds, noise = _corrected(means, middle, missed)
        p = _logistic(odds)
        slope = p * (1 - p)
        # The weight of the prediction; the shape's own mean has the rest.
        weight = noise / (noise + missed**2)
        own = missed**2 * weight
        return Corrected(p, (slope * weight)[:, None] * (seen @ self.root), slope * np.sqrt(own))

    def _seen(self, shapes: Sequence[Shape]) -> Floats:
        x = (self.of(shapes) - self.centre) / self.scale
        return np.column_stack((x, _bends(tuple(shapes), self.setting.reach))) if self.setting.bend else x


@dataclass(frozen=True, slots=True)
class Corrected:
    """Values with their errors."""

    p: Floats
    shared: Floats
    """The effect of the model's errors on each value: one column for each independent error of unit variance."""
    own: Floats
    """The standard deviation of the error that does not come from the model."""

    @property
    def se(self) -> Floats:
        """The standard errors."""
        found: Floats = np.sqrt((self.shared**2).sum(axis=1) + self.own**2)
        return found


def _logistic(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(x, -30, 30)))


def _lengths(shapes: Sequence[Shape]) -> Floats:
    return np.array(shapes, dtype=float).reshape(-1, 4) / (COLUMNS - 1)


def _alike(first: Floats, second: Floats, reach: float) -> Floats:
    """Return the similarity of shapes by their distance: a Matern kernel."""
    apart = np.sqrt(3 * ((first[:, None] - second[None]) ** 2).sum(axis=2)) / reach
    found: Floats = (1 + apart) * np.exp(-apart)
    return found


@cache
def _places() -> Floats:
    """Return shapes spread over all: each is the farthest from those before it."""
    every = _lengths(SHAPES)
    chosen = [0]
    nearest = ((every - every[0]) ** 2).sum(axis=1)
    while len(chosen) < _PLACES:
        chosen.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, ((every - every[chosen[-1]]) ** 2).sum(axis=1))
    return every[chosen]


@cache
def _bends(shapes: tuple[Shape, ...], reach: float) -> Floats:
    """Return the features of the kernel part, one for each inducing point."""
    places = _places()
    among = _alike(places, places, reach) + 1e-6 * np.eye(len(places))
    return np.linalg.solve(np.linalg.cholesky(among), _alike(_lengths(shapes), places, reach).T).T


def _corrected(means: Means, middle: Floats, missed: Floats) -> tuple[Floats, Floats]:
    """Return the corrected log odds of each shape, predicted as `middle`, and the variance of its own mean."""
    odds = middle.copy()
    noise = np.ones_like(odds)
    for _ in range(_ROUNDS):
        p = np.clip(_logistic(odds), 1e-4, 1 - 1e-4)
        noise = 1 / (means.n * p * (1 - p))
        told = odds + np.clip((means.mean - p) / (p * (1 - p)), -2, 2)
        step = (missed**2 * told + noise * middle) / (missed**2 + noise) - odds
        odds += step
        if len(odds) == 0 or np.abs(step).max() < 1e-9:
            break
    return odds, noise


@dataclass(frozen=True, slots=True)
class _Solved:
    """A fit and its leave-one-out score."""

    fit: Fit
    left_out: float
    """The mean log density of each shape's redeals by a fit without that shape."""


def fit(means: Means, setting: Setting, of: Terms | None = None) -> Fit:
    """Return the penalised logistic fit; each mean is weighted by the inverse of its variance plus the model's."""
    return _solve(means, setting, of or terms).fit


def _solve(means: Means, setting: Setting, of: Terms, exactness: float = _EXACTLY) -> _Solved:
    x = of(means.shapes)
    centre, scale = x.mean(axis=0), x.std(axis=0)
    centre[0], scale[scale < _LEAST] = 0.0, 1.0
    x = (x - centre) / scale
    penalty = np.full(x.shape[1], setting.strength)
    penalty[0] = 1e-6  # the intercept is almost free; the rest makes the fit finite for all wins or all losses
    if setting.bend:
        bends = _bends(tuple(means.shapes), setting.reach)
        x = np.column_stack((x, bends))
        penalty = np.concatenate((penalty, np.full(bends.shape[1], setting.bend**-2)))
    # Newton's method for the factors, jointly with each shape's own deviation from the model.
    start = (means.n * means.mean).sum() / means.n.sum()
    odds = np.full(len(x), np.log((start + 0.01) / (1.01 - start)))
    middle = odds
    for _ in range(_ROUNDS):
        p = np.clip(_logistic(odds), 1e-4, 1 - 1e-4)
        noise = 1 / (means.n * p * (1 - p))
        told = odds + np.clip((means.mean - p) / (p * (1 - p)), -2, 2)
        missed = setting.missed_at(middle) ** 2
        spread = noise + missed
        weighed = x / spread[:, None]
        inverse = np.linalg.inv(x.T @ weighed + np.diag(penalty))
        factors = inverse @ (weighed.T @ told)
        middle = x @ factors
        step = (missed * told + noise * middle) / spread - odds
        odds += step
        if np.abs(step).max() < exactness:
            break
    hat = ((x @ inverse) * x).sum(axis=1) / spread
    off, expected = (told - middle) / (1 - hat), spread / (1 - hat)
    found = Fit(of, setting, centre, scale, factors, np.linalg.cholesky(inverse))
    density = -(np.log(expected) + off**2 / expected).mean() / 2
    return _Solved(found, float(density))


def fit_best(means: Means) -> Fit:
    """Return the fit with the setting that predicts left-out shapes best."""
    best = Setting()
    tried: dict[Setting, float] = {}
    before = None
    while before != best:
        before = best
        for name, choices in GRID.items():
            for choice in choices:
                setting = replace(best, **{name: choice})
                if setting not in tried:
                    tried[setting] = _solve(means, setting, terms, _NEARLY).left_out
            best = max((replace(best, **{name: choice}) for choice in choices), key=lambda each: tried[each])
    return _solve(means, best, terms).fit


def held_out_loss(means: Means, setting: Setting, of: Terms | None = None) -> float:
    """Return the cross-validated mean log loss of a redeal, over folds of whole shapes.

    0/0/0/0 is left out: it has a feature of its own, so other shapes do not predict it.
    """
    is_like_others = np.array([any(shape) for shape in means.shapes])
    if is_like_others.any():
        means = means.part(is_like_others)
    loss = 0.0
    folds = np.arange(len(means.shapes)) % FOLDS
    for fold in np.unique(folds):
        rest, held = means.part(folds != fold), means.part(folds == fold)
        if not rest.shapes:
            rest = held
        p = np.clip(fit(rest, setting, of).at(held.shapes)[0], 1e-6, 1 - 1e-6)
        loss -= float((held.n * (held.mean * np.log(p) + (1 - held.mean) * np.log(1 - p))).sum())
    return loss / float(means.n.sum())


# The recursion.


@dataclass(frozen=True, slots=True)
class Valued:
    """The values of all shapes, and the quality of the fits."""

    rows: tuple[Row, ...]
    fits: tuple[Fit, ...]
    """For 1, 2, ... redeals left."""
    losses: dict[str, float]
    """The held-out log loss of the share of wins: of the model, of the total alone, of a constant."""


@dataclass(frozen=True, slots=True)
class _Plane:
    """The values of all shapes for one number of redeals left."""

    p: Floats
    shared: Floats
    """The effect of the model's errors on each value; see `Corrected`."""
    own: Floats
    carried: Floats
    """The standard deviation of the error that each value inherits from the plane below."""
    exact: NDArray[np.bool_]

    @property
    def se(self) -> Floats:
        """The standard errors."""
        found: Floats = np.sqrt((self.shared**2).sum(axis=1) + self.own**2 + self.carried**2)
        return found


_WON = len(SHAPES) - 1
_LOST_ALL = _Plane(
    np.zeros(len(SHAPES)),
    np.zeros((len(SHAPES), 1)),
    np.zeros(len(SHAPES)),
    np.zeros(len(SHAPES)),
    np.ones(len(SHAPES), dtype=bool),
)
"""With no redeal left."""


def value_shapes(tallies: Mapping[Shape, Mapping[Outcome, int]], whole: Collection[Shape], redeals: int) -> Valued:
    """Return the values with 1, 2, ... redeals left, from tallied redeals; tallies of `whole` shapes have all boards.

    W_k is the mean, over redeals, of 1 if the phase is won, else of the greatest W_(k-1) among its ends: a player who
    maximises the value plays so. W_0 is 0. W_k is exact for a whole shape of which no redeal is undecided, if the
    values of its ends are exact.
    """
    sampled = [shape for shape in sorted(tallies) if shape not in whole]
    below = _LOST_ALL
    planes, fits = [], []
    for _ in range(redeals):
        found, below = _next_plane(tallies, whole, below)
        planes.append(below)
        fits.append(found)
    losses = {}
    if sampled:
        counts = [sum(tallies[shape].values()) for shape in sampled]
        means = Means.of_counts(sampled, counts, [_count(tallies[shape], "w") for shape in sampled])
        plain = Setting(strength=0.1, bend=0)
        losses = {
            "model": held_out_loss(means, fits[0].setting),
            "total": held_out_loss(means, plain, total_alone),
            "constant": held_out_loss(means, plain, constant),
        }
    told_planes = list(map(_told, planes))
    rows = []
    for place, shape in enumerate(SHAPES):
        of_shape = tallies.get(shape, {})
        told = tuple((float(p[place]), float(se[place])) for p, se in told_planes)
        rows.append(Row(sum(of_shape.values()), _count(of_shape, "w"), _count(of_shape, "u"), told))
    return Valued(tuple(rows), tuple(fits), losses)


def _count(tally: Mapping[Outcome, int], letter: str) -> int:
    return sum(times for (each, _), times in tally.items() if each == letter)


def _told(plane: _Plane) -> tuple[Floats, Floats]:
    """Return the chances and standard errors; inexact ones keep at least `_SURE` from 0, from 1 and as an error."""
    p = np.where(plane.exact, plane.p, np.clip(plane.p, _SURE, 1 - _SURE))
    return p, np.where(plane.exact, 0.0, np.maximum(plane.se, _SURE))


def _next_plane(
    tallies: Mapping[Shape, Mapping[Outcome, int]], whole: Collection[Shape], below: _Plane
) -> tuple[Fit, _Plane]:
    """Return the fit and the values with one more redeal left."""
    count = len(SHAPES)
    n, mean, spread = np.zeros(count), np.full(count, 0.5), np.zeros(count)
    chosen = np.zeros((count, count))
    exact = np.zeros(count, dtype=bool)
    exact[_WON], mean[_WON] = True, 1.0
    for shape, tally in tallies.items():
        place = index(shape)
        n[place] = total = sum(tally.values())
        worths = []
        is_exact = shape in whole
        for (letter, ends), times in sorted(tally.items()):
            is_exact = is_exact and letter != "u"
            worth = 1.0
            if letter != "w":
                best = max(ends, key=lambda end: float(below.p[end]), default=None)
                worth = 0.0 if best is None else float(below.p[best])
                is_exact = is_exact and bool(below.exact[list(ends)].all())
                if best is not None:
                    chosen[place, best] += times / total
            worths.append((worth, times))
        mean[place] = fsum(worth * times for worth, times in worths) / total
        spread[place] = fsum((worth - mean[place]) ** 2 * times for worth, times in worths) / total
        exact[place] = is_exact
    known = Means(SHAPES, _sureness(n, mean, spread), mean)
    found = fit_best(known.part(n > 0))
    corrected = found.corrected(known)
    carried = np.sqrt(
        ((chosen @ below.shared) ** 2).sum(axis=1) + chosen**2 @ below.own**2 + (chosen @ below.carried) ** 2
    )
    # A redeal more is never worse, for it need not be taken.
    p = np.where(exact, mean, np.maximum(corrected.p, below.p))
    is_open = ~exact
    shared, own = corrected.shared * is_open[:, None], corrected.own * is_open
    return found, _Plane(p, shared, own, carried * is_open, exact)


def _sureness(n: Floats, mean: Floats, spread: Floats) -> Floats:
    """Return the effective sample size of each mean: a share of wins of so many redeals has the same variance."""
    coins = mean * (1 - mean)
    # If all redeals were won, or all lost, the observed spread is 0; but the next may differ.
    seen = (n * mean + 1) / (n + 2)
    likely = np.maximum(seen * (1 - seen), coins)
    share = float((n * spread).sum() / max((n * coins).sum(), _LEAST))
    # The spread of few redeals is unreliable, so it is shrunk towards that of all shapes.
    held = (n * (spread + share * (likely - coins)) + _PRIOR * share * likely) / ((n + _PRIOR) * likely)
    return np.maximum(n / np.clip(held, 1e-3, 1.0), _LEAST)
