"""Pictures of a study: its rates with their intervals, and its scores."""

from __future__ import annotations

import re
from pathlib import Path

from unshuffle.errors import UsageError
from unshuffle.files import writing
from unshuffle.store import Store
from unshuffle.study import plots
from unshuffle.study.conditions import name_run, short_names, source_of
from unshuffle.study.scores import Scores, read_scores
from unshuffle.study.statistics import Rate
from unshuffle.study.tables import plural, study_packages


def check_plot(path: str | Path) -> None:
    """Raise UsageError for an unknown format of a picture, or LackingError without matplotlib."""
    plots.check_format(path)
    with study_packages():
        import matplotlib  # noqa: F401


def plot_rates(store: Store, study: str, path: str | Path) -> list[Path]:
    """Draw the rates of all runs with their intervals, as PNG or SVG by the file's name, and return the file."""
    path = Path(path)
    runs = store.runs(study)
    with study_packages(), writing(path, "cannot write the picture"):
        rows = [
            plots.RateRow(name, Rate.of(store.summary(run)), source_of(run))
            for name, run in zip(short_names(runs), runs, strict=True)
        ]
        plots.plot_rates(rows, path, title=f"Win rates: {study}")
    return [path]


def plot_scores(store: Store, study: str, path: str | Path) -> list[Path]:
    """Draw the distribution of scores of each run into a file, and return the files.

    With several runs, each file is named after its run. A run whose scores are not known (`read_scores`) is left out.
    """
    path = Path(path)
    runs = store.runs(study)
    paths = [path]
    if len(runs) > 1:
        paths = [path.with_name(f"{path.stem}-{_slug(name)}{path.suffix}") for name in short_names(runs)]
        if len(set(paths)) < len(paths):
            paths = [path.with_name(f"{path.stem}-{number}{path.suffix}") for number in range(1, len(runs) + 1)]
    drawn: list[Path] = []
    without: list[Scores] = []
    with study_packages():
        for run, each in zip(runs, paths, strict=True):
            scores = read_scores(store, run, store.summary(run))
            if not scores.counts:
                without.append(scores)
                continue
            left_out = scores.n - scores.decided
            but = f", without {plural(left_out, 'undecided deal')}" if left_out else ""
            with writing(each, "cannot write the picture"):
                plots.plot_distribution(
                    scores.counts, each, source_of(run), title=f"Scores: {study}, {name_run(run)}{but}"
                )
            drawn.append(each)
    if not drawn and without:
        first = without[0]
        raise UsageError(f"no scores to plot: {name_run(first.run)}: {first.remark or 'no deal is finished yet'}")
    return drawn


def _slug(name: str) -> str:
    return re.sub(r"[^\w+=.]+", "-", name).strip("-")
