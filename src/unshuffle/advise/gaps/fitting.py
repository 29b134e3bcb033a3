"""The learned part of the values of Gaps: a smooth fit to simulated redeals, and the recursion over redeals left.

A table of raw counts would be chosen from by its noise: the greatest of many noisy values is mostly a lucky one. So a
small logistic model of the run lengths is fitted, with a penalty that is chosen by what it foretells about shapes it
has not seen, and only the fit is ever maximised.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unshuffle.games.gaps.rules import COLUMNS, MOST_SCORE
from unshuffle.games.gaps.values import SHAPES, Row, Shape

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FOLDS = 10
STRENGTHS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
"""Penalties that are tried."""
_ROUNDS = 60
_LEAST = 1e-9
_SURE = 0.0005


@dataclass(frozen=True, slots=True)
class Sample:
    """One simulated redeal of a shape, searched at the budget of play."""

    won: bool
    decided: bool
    ends: tuple[int, ...]
    """The shapes, by their index, with which the phase may end if it is not won."""


@dataclass(frozen=True, slots=True)
class Means:
    """Means over the redeals of some shapes."""

    shapes: Sequence[Shape]
    n: Floats
    mean: Floats
    noise: Floats
    """The variance of each mean."""

    @classmethod
    def of_counts(cls, shapes: Sequence[Shape], n: Iterable[int], wins: Iterable[int]) -> Means:
        """The share of wins of each shape."""
        count, won = np.array(list(n), dtype=float), np.array(list(wins), dtype=float)
        # As if one half more had been won and lost: a share of 0 or 1 is not known without error.
        p = (won + 0.5) / (count + 1)
        return cls(shapes, count, won / count, p * (1 - p) / count)

    def part(self, chosen: NDArray[np.bool_]) -> Means:
        """Some of the shapes."""
        shapes = [shape for shape, is_in in zip(self.shapes, chosen, strict=True) if is_in]
        return Means(shapes, self.n[chosen], self.mean[chosen], self.noise[chosen])


def terms(shapes: Sequence[Shape]) -> Floats:
    """What the model sees of a shape: lengths, total, evenness, and rows that are empty, begun or nearly finished."""
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
            # A second and a third row of the kind weigh otherwise than the first.
            *(counts[length] >= least for length in (0, 12) for least in (2, 3)),
            counts[0] == 4,
            # With a few loose cards nearly every redeal is won.
            1 / (1 + MOST_SCORE * (1 - total)),
            # The rows that are not finished: the fewer they are, the more hangs on how far they have come.
            mean,
            mean**2,
            apart,
            *(mean * (counts[12] == finished) for finished in (1, 2, 3)),
            *(apart * (counts[12] == finished) for finished in (1, 2)),
        )
    )


def total_alone(shapes: Sequence[Shape]) -> Floats:
    """The number of locked cards and nothing else: what the model is held against."""
    total = np.array(shapes, dtype=float).sum(axis=1) / MOST_SCORE
    return np.column_stack((np.ones(len(total)), total, total**2, total**3))


def constant(shapes: Sequence[Shape]) -> Floats:
    """Every shape alike."""
    return np.ones((len(shapes), 1))


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted model."""

    of: Any
    """The function that makes the terms."""
    centre: Floats
    scale: Floats
    factors: Floats
    covariance: Floats
    strength: float
    missed: float
    """What the model misses of a shape beyond the noise of its sample: a standard deviation of chances."""

    def at(self, shapes: Sequence[Shape]) -> tuple[Floats, Floats]:
        """The chances of these shapes and their standard errors."""
        x = (self.of(shapes) - self.centre) / self.scale
        p = _logistic(x @ self.factors)
        noise = np.einsum("ij,jk,ik->i", x, self.covariance, x)
        return p, np.sqrt((p * (1 - p)) ** 2 * noise + self.missed**2)


def _logistic(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(x, -30, 30)))


def fit(means: Means, strength: float, of: Any = terms) -> Fit:
    """The penalised logistic fit, by Newton's method; a mean weighs as much as the redeals it was taken from."""
    x = of(means.shapes)
    centre, scale = x.mean(axis=0), x.std(axis=0)
    centre[0], scale[scale < _LEAST] = 0.0, 1.0
    x = (x - centre) / scale
    penalty = np.full(x.shape[1], strength)
    penalty[0] = 1e-6  # the level itself is free; not quite, so that all wins or all losses have an answer too
    factors = np.zeros(x.shape[1])
    for _ in range(_ROUNDS):
        p = _logistic(x @ factors)
        bend = (x * (means.n * p * (1 - p))[:, None]).T @ x + np.diag(penalty)
        step = np.linalg.solve(bend, x.T @ (means.n * (means.mean - p)) - penalty * factors)
        # A long step overshoots where the curve is flat.
        factors += step * min(1.0, 5.0 / max(float(np.abs(step).max()), _LEAST))
        if np.abs(step).max() < 1e-9:
            break
    p = _logistic(x @ factors)
    inverse = np.linalg.inv((x * (means.n * p * (1 - p))[:, None]).T @ x + np.diag(penalty))
    spread = (x * (means.n**2 * means.noise)[:, None]).T @ x
    weights = means.n / means.n.sum()
    missed = float((weights * ((means.mean - p) ** 2 - means.noise)).sum())
    return Fit(of, centre, scale, factors, inverse @ spread @ inverse, strength, max(missed, 0.0) ** 0.5)


def held_out_loss(means: Means, strength: float, of: Any = terms) -> float:
    """The mean log loss, a redeal, over shapes that the fit has not seen: folds of whole shapes, in turn.

    Without 0/0/0/0: it is like no other shape and has a term to itself, so that others say nothing about it.
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
        p = np.clip(fit(rest, strength, of).at(held.shapes)[0], 1e-6, 1 - 1e-6)
        loss -= float((held.n * (held.mean * np.log(p) + (1 - held.mean) * np.log(1 - p))).sum())
    return loss / float(means.n.sum())


def fit_best(means: Means) -> Fit:
    """The fit with the penalty that foretells best."""
    return fit(means, min(STRENGTHS, key=lambda strength: held_out_loss(means, strength)))


# The recursion.


@dataclass(frozen=True, slots=True)
class Valued:
    """The values of all shapes, and how good the fits are."""

    rows: tuple[Row, ...]
    fits: tuple[Fit, ...]
    """Of the share of wins; then of what a phase that is not won leaves with 1, 2, ... redeals more."""
    losses: dict[str, float]
    """The held-out log loss of the share of wins: of the model, of the total alone, of a constant."""


def value_shapes(samples: Mapping[Shape, Sequence[Sample]], redeals: int) -> Valued:
    """The values with 1, 2, ... redeals left, from one sample of redeals for each of some shapes.

    W_1 is the chance p that the phase can be won. With one redeal more, W_k = p + (1 - p) M_k, where M_k is the mean,
    over redeals that are not won, of the greatest W_(k-1) among the ends: the mean of 1 if won, else that maximum.
    """
    shapes = sorted(samples)
    counts = [len(samples[shape]) for shape in shapes]
    wins = [sum(sample.won for sample in samples[shape]) for shape in shapes]
    means = Means.of_counts(shapes, counts, wins)
    first = fit_best(means)
    losses = {
        "model": held_out_loss(means, first.strength),
        "total": held_out_loss(means, 0.1, total_alone),
        "constant": held_out_loss(means, 0.1, constant),
    }
    p, p_error = first.at(SHAPES)
    fits, planes = [first], [(p, p_error)]
    for _ in range(1, redeals):
        below, below_error = planes[-1]
        rest, carried = _rest(samples, shapes, below, below_error)
        if not rest.shapes:  # every redeal was won
            planes.append(planes[-1])
            continue
        fits.append(fit_best(rest))
        m, m_error = fits[-1].at(SHAPES)
        error = np.sqrt(((1 - m) * p_error) ** 2 + ((1 - p) ** 2) * (m_error**2 + carried**2))
        # A redeal more is never worse, for it need not be taken.
        planes.append((np.maximum(p + (1 - p) * m, below), error))
    rows = []
    for place, shape in enumerate(SHAPES):
        of_shape = samples.get(shape, ())
        found = [_told(float(chance[place]), float(error[place])) for chance, error in planes]
        if sum(shape) == MOST_SCORE:
            found = [(1.0, 0.0)] * redeals  # that is a game that is won
        undecided = sum(not sample.decided for sample in of_shape)
        won = sum(sample.won for sample in of_shape)
        rows.append(Row(len(of_shape), won, undecided, tuple(found)))
    return Valued(tuple(rows), tuple(fits), losses)


def _told(chance: float, error: float) -> tuple[float, float]:
    """No fit is so sure that there is nothing left to chance."""
    return min(max(chance, _SURE), 1 - _SURE), max(error, _SURE)


def _rest(
    samples: Mapping[Shape, Sequence[Sample]], shapes: Sequence[Shape], below: Floats, error: Floats
) -> tuple[Means, float]:
    """What redeals that are not won leave, by shape; and the mean error of the values that were chosen."""
    lost = {shape: [sample for sample in samples[shape] if not sample.won] for shape in shapes}
    kept = [shape for shape in shapes if lost[shape]]
    n, mean, noise, errors = [], [], [], []
    for shape in kept:
        chosen = [max(sample.ends, key=lambda end: float(below[end]), default=None) for sample in lost[shape]]
        best = np.array([0.0 if end is None else below[end] for end in chosen])
        errors += [0.0 if end is None else float(error[end]) for end in chosen]
        n.append(float(len(best)))
        mean.append(float(best.mean()))
        noise.append(float(best.var()) / len(best))
    # A variance from one or two redeals is worthless, so they share one.
    weights = np.array(n)
    pooled = float((weights * np.array(noise) * weights).sum() / max(weights.sum(), 1.0)) if kept else 0.0
    noises = np.maximum(np.array(noise), pooled / np.maximum(weights, 1.0) / 4)
    return Means(kept, weights, np.array(mean), noises), float(np.mean(errors)) if errors else 0.0
